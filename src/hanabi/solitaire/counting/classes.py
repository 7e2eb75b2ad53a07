"""Classes of unplayable games: named reasons, and the number of lost decks that each explains.

[Bergh2016, section 5] asks for substantial classes of unplayable games. Each class here is a
sufficient condition that can be checked in linear time, with its proof in a few words. There is one
player with h cards in hand, and all cards are face up.

`late_card`
    Before the first copy of some card, more than h higher cards of its color have had their last
    copies. All of these must be in hand when it comes. (The paper's example: 1s that arrive late.)
`crowd`
    The same for all colors together: at one moment, more than h cards have had their last copy
    although the first copy of a lower card of their color is still to come.
`lost_color`
    One color alone cannot be won with h cards in hand, by the lazy algorithm of [Baffier2017,
    section 3]; other colors only take room away. For one color, and for h = 0, this explains every
    lost deck.
`tight_crowd`
    A crowd with better bounds: a card must be held at the latest from the last copy that could be
    played if its color had the whole hand, instead of simply from the last copy. Contains all
    classes above.
`full_hand`
    While a tight crowd fills the hand completely, no other card can be held. Copies that would have
    to be held then are struck out, which narrows the bounds of other cards, and so on until nothing
    changes. The deck is in the class if then a crowd is too large, or a card has no copies.
    Contains all other classes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from hanabi.ground import InvalidInputError, quote
from hanabi.solitaire import single_color
from hanabi.solitaire.bounds import largest_crowd
from hanabi.solitaire.counting.playability import cards_of, shuffled_decks
from hanabi.solitaire.counting.vector import Vector, check_vector, multinomial
from hanabi.solitaire.instance import Instance

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "CLASSES",
    "Explained",
    "Survey",
    "is_crowd",
    "is_full_hand",
    "is_late_card",
    "is_lost_color",
    "is_tight_crowd",
    "survey",
    "survey_sample",
]

_MOST_SURVEYED = 1_000_000


def is_late_card(instance: Instance) -> bool:
    """Return whether some card first comes after the last copies of over h higher ones. O(N + nc).

    Every card must occur, here and for the other classes.

    >>> is_late_card(Instance(1, [(0, 2), (0, 3), (0, 1)]))
    True
    >>> is_late_card(Instance(1, [(0, 2), (0, 3), (0, 1), (0, 2)]))
    False
    """
    intervals = _intervals(_copies(instance))
    return any(max(_held(instance, [row])) > instance.hand_size for row in intervals)


def is_crowd(instance: Instance) -> bool:
    """Return whether more than h cards must be in hand at one moment. O(N + nc).

    >>> stream = [(0, 2), (1, 2), (0, 1), (1, 1)]
    >>> is_crowd(Instance(1, stream)), is_late_card(Instance(1, stream))
    (True, False)
    """
    return len(largest_crowd(instance).cards) > instance.hand_size


def is_lost_color(instance: Instance) -> bool:
    """Return whether some color is lost even with the whole hand for itself. O(N + nc log h).

    >>> is_lost_color(Instance(0, [(0, 2), (0, 1), (1, 1), (1, 2)]))
    True
    """
    return _playable_copies(instance) is None


def is_tight_crowd(instance: Instance) -> bool:
    """Return whether one color alone or a crowd of last playable copies is lost. O(N + nc log h).

    >>> stream = [(0, 2), (1, 2), (0, 1), (1, 1)]
    >>> is_tight_crowd(Instance(1, stream)), is_tight_crowd(Instance(2, stream))
    (True, False)
    """
    copies = _playable_copies(instance)
    return copies is None or max(_held(instance, _intervals(copies))) > instance.hand_size


def is_full_hand(instance: Instance) -> bool:
    """Return whether striking out copies that cannot pass a full hand ends in a contradiction.

    O(rounds (N nc)), with at most N rounds.

    >>> stream = [(0, 1), (0, 1), (1, 2), (0, 3), (1, 1), (1, 1), (1, 3), (0, 2), (0, 2), (1, 2)]
    >>> is_full_hand(Instance(1, stream)), is_tight_crowd(Instance(1, stream))
    (True, False)
    """
    copies = _playable_copies(instance)
    changed = True
    while copies is not None and changed:
        intervals = _intervals(copies)
        held = _held(instance, intervals)
        if max(held) > instance.hand_size:
            return True
        full = [moment for moment, count in enumerate(held) if count == instance.hand_size]
        changed = False
        for color, stream in enumerate(copies):
            ready = 0
            for value, positions in enumerate(stream):
                latest, earliest = intervals[color][value]
                # A copy waits from its position until the cards below it have come.
                walls = [m for m in full if m < ready and not latest <= m < earliest]
                passing = [p for p in positions if not any(p <= m for m in walls)]
                if not passing:
                    return True
                changed |= len(passing) < len(positions)
                stream[value] = passing
                ready = earliest
    return copies is None


CLASSES: dict[str, Callable[[Instance], bool]] = {
    "late_card": is_late_card,
    "crowd": is_crowd,
    "lost_color": is_lost_color,
    "tight_crowd": is_tight_crowd,
    "full_hand": is_full_hand,
}
"""The classes by name, the simplest first."""


@dataclass(frozen=True, slots=True)
class Explained:
    """The lost decks that one class explains.

    `name` is a key of `CLASSES`, `decks` is the number of lost decks in it, and `new` the number of
    those that no earlier class explains.
    """

    name: str
    decks: int
    new: int


@dataclass(frozen=True, slots=True)
class Survey:
    """The numbers of all decks and of lost decks, and the classes that explain the lost ones.

    `classes` are in the order of `CLASSES`; `unexplained` is the number of lost decks in no class.
    """

    total: int
    lost: int
    classes: tuple[Explained, ...]
    unexplained: int


def survey(copies: Sequence[Iterable[int]], hand_size: int, *, most_decks: int = 300_000) -> Survey:
    """Classify every deck with x_i copies of value i in each color by why it is unplayable.

    Parameters
    ----------
    copies
        For each color its vector x, all entries >= 1, all of the same length.
    hand_size
        h >= 0.
    most_decks
        Most decks to examine; about 10,000 take a second.

    Raises
    ------
    InvalidInputError
        If there are more decks, a card is missing, or an argument is invalid.

    >>> found = survey([(2, 1, 1), (1, 1, 1)], 1)
    >>> found.lost, found.total, found.unexplained
    (1596, 2520, 0)
    >>> [(group.name, group.decks, group.new) for group in found.classes[:3]]
    [('late_card', 1120, 1120), ('crowd', 1596, 476), ('lost_color', 1120, 0)]
    """
    import numpy as np

    rows = _complete(copies)
    total = multinomial(count for row in rows for count in row)
    if total > most_decks:
        raise InvalidInputError(f"{total:,} decks are more than {most_decks:,}")
    decks = np.array([*_orders(cards_of(rows))], np.int32)
    return _survey(decks, hand_size, len(rows[0]), len(rows))


def survey_sample(
    copies: Sequence[Iterable[int]], hand_size: int, *, samples: int, seed: int
) -> Survey:
    """Classify `samples` shuffled decks as `survey` does; deck i has the stream (`seed`, i).

    >>> found = survey_sample([(3, 2, 2, 2, 1)] * 5, 5, samples=100, seed=1)
    >>> found.lost == found.unexplained + sum(group.new for group in found.classes)
    True
    """
    rows = _complete(copies)
    if not 1 <= samples <= _MOST_SURVEYED:
        raise InvalidInputError(f"samples: {quote(samples)} is not in 1 .. {_MOST_SURVEYED:,}")
    decks = shuffled_decks(rows, seed, 0, samples)
    return _survey(decks, hand_size, len(rows[0]), len(rows))


def _complete(copies: Sequence[Iterable[int]]) -> list[Vector]:
    rows = [check_vector(row) for row in copies]
    if len({len(row) for row in rows}) != 1 or any(0 in row for row in rows):
        raise InvalidInputError("copies: colors with equally many values, each at least once")
    return rows


def _survey(decks: npt.NDArray[np.int32], hand_size: int, n: int, c: int) -> Survey:
    from hanabi.solitaire.bulk import decide_many

    won = decide_many(hand_size, decks // n, decks % n + 1, n=n, c=c)
    members: Counter[str] = Counter()
    new: Counter[str | None] = Counter()
    for deck in decks[~won].tolist():
        instance = Instance(hand_size, [(card // n, card % n + 1) for card in deck], n=n, c=c)
        names = [name for name, holds in CLASSES.items() if holds(instance)]
        members.update(names)
        new[names[0] if names else None] += 1
    classes = tuple(Explained(name, members[name], new[name]) for name in CLASSES)
    return Survey(len(decks), len(decks) - int(won.sum()), classes, new[None])


def _copies(instance: Instance) -> list[list[list[int]]]:
    """Return for each color and value the positions of its copies."""
    copies: list[list[list[int]]] = [[[] for _ in range(instance.n)] for _ in range(instance.c)]
    for position, (color, value) in enumerate(instance.cards, start=1):
        copies[color][value - 1].append(position)
    return copies


def _playable_copies(instance: Instance) -> list[list[list[int]]] | None:
    """Return the copies playable within their color alone, or None if a color alone is lost."""
    streams: list[list[tuple[int, int]]] = [[] for _ in range(instance.c)]
    for position, (color, value) in enumerate(instance.cards, start=1):
        streams[color].append((position, value))
    copies = _copies(instance)
    for stream, row in zip(streams, copies, strict=True):
        alone = Instance(instance.hand_size, [(0, value) for _, value in stream], n=instance.n, c=1)
        for i, index in enumerate(single_color.last_playable_indices(alone)):
            if not index:
                return None
            last, _ = stream[index - 1]
            row[i] = [position for position in row[i] if position <= last]
    return copies


def _intervals(copies: list[list[list[int]]]) -> list[list[tuple[int, int]]]:
    """Return for each color and value (latest position to take it, earliest to play it)."""
    result = []
    for stream in copies:
        earliest = 0
        row = []
        for positions in filter(None, stream):  # a card that never comes is never held
            earliest = max(earliest, positions[0])
            row.append((positions[-1], earliest))
        result.append(row)
    return result


def _held(instance: Instance, intervals: list[list[tuple[int, int]]]) -> list[int]:
    """Return the number of cards that must be in hand after each position, 0 .. N."""
    change = [0] * (instance.N + 1)
    for row in intervals:
        for latest, earliest in row:
            if latest < earliest:
                change[latest] += 1
                change[earliest] -= 1
    return [*accumulate(change)]


def _orders(cards: list[int]) -> Iterator[list[int]]:
    """Yield all different orders of sorted cards, in lexicographic order."""
    if not cards:
        yield []
    for first in dict.fromkeys(cards):
        rest = cards[:]
        rest.remove(first)
        for order in _orders(rest):
            yield [first, *order]
