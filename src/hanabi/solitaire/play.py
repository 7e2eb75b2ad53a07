"""Plays of Solitaire Hanabi, and their verifier.

The verifier is the judge of every solver in this package and shares no code with any of them. It
is also the membership half of NP-completeness: it decides in O(N) whether a play wins.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple, overload

from hanabi.ground import IllegalActionError, InvalidInputError, Pictured, counted, quote

if TYPE_CHECKING:
    from hanabi.solitaire.instance import Instance

__all__ = [
    "BrokenRule",
    "DrawAction",
    "Move",
    "Play",
    "find_broken_rule",
    "n_played",
    "verify_play",
]


class DrawAction(IntEnum):
    """What is done with a card."""

    STORE = 0
    DISCARD = 1
    PLAY = 2

    def __str__(self) -> str:
        return self.name.lower()


_ACTIONS = {key: action for action in DrawAction for key in (str(action), action)}


class Move(NamedTuple):
    """One move: the card's 1-based position in the stream and what is done with it."""

    position: int
    action: DrawAction


class Play(Pictured, Sequence[Move]):
    """A sequence of moves.

    Each card of the stream, in order, is stored, discarded or played. Between two cards, any stored
    card may be played (or thrown away) from the hand: a further move with that card's position.
    The play may end as soon as all piles are complete.

    >>> play = Play([(1, "store"), (2, "play"), (1, "play")])
    >>> play[2]
    Move(position=1, action=<DrawAction.PLAY: 2>)
    """

    _drawn_by = "hanabi.solitaire.picture"
    __slots__ = ("actions", "positions")

    positions: memoryview
    """1-based stream positions, int32, one a move."""
    actions: memoryview
    """`DrawAction` codes, int8, one a move."""

    def __init__(self, moves: Iterable[tuple[int, str | DrawAction]] = ()) -> None:
        positions, actions = array("i"), array("b")
        for number, move in enumerate(moves, start=1):
            try:
                position, action = move
                positions.append(position)
                actions.append(_ACTIONS[action])
            except (TypeError, ValueError, OverflowError, KeyError):
                raise InvalidInputError(
                    f'move {number}: {quote(move)} is not [position, "store" | "discard" | "play"]'
                ) from None
        self.positions = memoryview(positions).toreadonly()
        self.actions = memoryview(actions).toreadonly()

    @classmethod
    def from_columns(cls, positions: memoryview, actions: memoryview) -> Play:
        """Return the play with these columns, not copied: int32 positions from 1, int8 actions."""
        play = cls.__new__(cls)
        play.positions = positions.toreadonly()
        play.actions = actions.toreadonly()
        return play

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Move, ...]: ...
    def __getitem__(self, index: int | slice) -> Move | tuple[Move, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(len(self))))
        return Move(self.positions[index], DrawAction(self.actions[index]))

    def __iter__(self) -> Iterator[Move]:
        for position, action in zip(self.positions, self.actions, strict=True):
            yield Move(position, DrawAction(action))

    def __len__(self) -> int:
        return len(self.positions)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Play)
            and self.positions == other.positions
            and self.actions == other.actions
        )

    def __hash__(self) -> int:
        return hash((bytes(self.positions), bytes(self.actions)))

    def __reduce__(self) -> tuple[type[Play], tuple[list[tuple[int, DrawAction]]]]:
        return Play, ([(move.position, move.action) for move in self],)

    def __repr__(self) -> str:
        return f"<Play of {len(self)} moves>"

    def to_json(self) -> list[list[int | str]]:
        """Return the moves as `[[position, "store" | "discard" | "play"], ...]`."""
        return [[move.position, str(move.action)] for move in self]


@dataclass(frozen=True, slots=True)
class BrokenRule:
    """The first rule that a play breaks: at which move (1-based), and in words."""

    move: int
    message: str

    def __str__(self) -> str:
        return f"move {self.move}: {self.message}"


def _replay(instance: Instance, play: Play) -> tuple[int, BrokenRule | None]:
    """Return the number of cards played before the first broken rule, and that rule. O(N)."""
    values, colors, total = instance.values, instance.colors, instance.N
    piles: dict[int, int] = {}  # not a list: c may be far more than the colors that occur
    hand: set[int] = set()
    drawn = played = number = 0
    room = counted(instance.hand_size, "card")

    def broken(message: str) -> tuple[int, BrokenRule]:
        name = instance.card_name(color, value)
        return played, BrokenRule(number, message.format(f"card {position} ({name})"))

    moves = zip(play.positions, play.actions, strict=True)
    for number, (position, action) in enumerate(moves, start=1):
        if not 1 <= position <= total:
            message = f"position {position} is not in the stream of {counted(total, 'card')}"
            return played, BrokenRule(number, message)
        value, color = values[position - 1], colors[position - 1]
        is_drawn_now = position == drawn + 1
        if is_drawn_now:
            drawn += 1
        elif position > drawn:
            return broken(f"{{}} comes before card {drawn + 1} has been drawn")
        elif position not in hand:
            return broken("{} is not in hand")

        if action == DrawAction.STORE:
            if not is_drawn_now:
                return broken("{} is stored already")
            if len(hand) >= instance.hand_size:
                return broken(f"storing {{}} needs more than {room} in hand")
            hand.add(position)
            continue
        hand.discard(position)
        if action == DrawAction.PLAY:
            if piles.get(color, 0) != value - 1:
                return broken(f"{{}} does not follow {piles.get(color, 0)} on its pile")
            piles[color] = value
            played += 1

    if played < instance.goal:
        color = next(k for k in range(instance.c) if piles.get(k, 0) < instance.n)
        name = instance.card_name(color, piles.get(color, 0) + 1)
        return played, BrokenRule(number + 1, f"the play ends before {name} has been played")
    return played, None


def find_broken_rule(instance: Instance, play: Play) -> BrokenRule | None:
    """Return the first rule that `play` breaks, or None if it wins. O(N).

    A play that ends with an incomplete pile breaks the rule that it should win.

    >>> from hanabi.solitaire import Instance
    >>> instance = Instance(1, [(0, 2), (0, 1)])
    >>> print(find_broken_rule(instance, Play([(1, "play")])))
    move 1: card 1 (r2) does not follow 0 on its pile
    >>> find_broken_rule(instance, Play([(1, "store"), (2, "play"), (1, "play")])) is None
    True
    """
    return _replay(instance, play)[1]


def n_played(instance: Instance, play: Play) -> int:
    """Return how many cards a legal (not necessarily winning) play puts on the piles. O(N).

    Raises
    ------
    IllegalActionError
        If a move breaks a rule.
    """
    played, broken = _replay(instance, play)
    if broken is not None and broken.move <= len(play):
        raise IllegalActionError(str(broken))
    return played


def verify_play(instance: Instance, play: Play) -> None:
    """Check that `play` wins `instance`. O(N).

    Raises
    ------
    IllegalActionError
        Naming the first broken rule.
    """
    broken = find_broken_rule(instance, play)
    if broken is not None:
        raise IllegalActionError(str(broken))
