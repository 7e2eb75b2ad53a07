"""The value of each action in a late position, given the cards that are still unseen."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from hanabi.ground import Clock, InvalidInputError, SolverError, quote
from hanabi.rules import (
    Action,
    Card,
    Game,
    GameProblem,
    GameRecord,
    PositionInput,
    Rules,
    View,
    card_name,
    posed,
)
from hanabi.solvers import CHANCES_MEMORY as DEFAULT_MEMORY
from hanabi.solvers import Chances, Judgement, Range, judge, open_chances

if TYPE_CHECKING:
    from hanabi.players import Player, PlayOuts, SeatChances

__all__ = [
    "FEW_CARDS",
    "Chance",
    "Late",
    "WithPartners",
    "beside",
    "chances",
    "first_late",
    "known_cards",
    "late_chances",
    "played_out",
]

Asked: TypeAlias = GameProblem | GameRecord | PositionInput | Game
Known: TypeAlias = Iterable[str] | Mapping[int, Collection[Card]]

FEW_CARDS = 5
"""Cards left to draw at which computing chances takes a moment, mostly far below a second."""


def chances(
    game: Asked,
    *,
    at: int | None = None,
    seat: bool = False,
    known: Known = (),
    partners: str | Player | None = None,
    seconds: float | None = None,
    memory: int | None = None,
) -> Chances:
    """Return each legal action's exact chance of a perfect score, and its expected score.

    Without partners, all hands are open, the deck is hidden, and everybody continues optimally
    (`hanabi.solvers.draws`). With `seat`, the seat to act does not see its own hand, and each value
    is a certified bracket (`hanabi.solvers.draws.judge`). With partners, the seat to act sees only
    what the rules let it see, and everybody continues as that player does
    (`hanabi.players.partners`).

    Parameters
    ----------
    game
        A game or a position as `hanabi.read` returns it, or a game that was played here.
    at
        The number of moves made. Default: the current position of a game played here, or the first
        position of a recorded game with at most five cards left to draw.
    seat
        Whether to answer by what the seat to act knows; the result is a `Judgement`.
    known
        With `seat`: what else it knows of its hand, as `known_cards` reads it, or by slot the cards
        that it may hold.
    partners
        A deterministic player, or its name: `convention`, `information`.
    seconds
        Wall-clock time; None for no limit. If it runs out, only bounds are returned.
    memory
        Bytes for each of the two transposition tables.

    Raises
    ------
    InvalidInputError
        If the game is over there, or if too many cards are unseen or too many deals are possible.

    >>> from hanabi import DeckSpec, Rules
    >>> rules = Rules(spec=DeckSpec(((2, 2),)), seats=2, hand_size=1)
    >>> game = Game.start(rules, [(0, 2), (0, 2), (0, 1), (0, 1)])
    >>> print(chances(game).perfect, chances(game.apply(game.legal_actions[0])).perfect)
    1 1
    """
    position = _position(game, at, may_hide=seat)
    budget = DEFAULT_MEMORY if memory is None else memory
    if known and not seat:
        raise InvalidInputError("what a seat knows of its hand counts only by the seat's view")
    if seat and partners is not None:
        raise InvalidInputError("give either the seat's view or partners, or ask `beside`")
    if seat:
        view, given = _view(position), _known(known, position)
        return judge(view, known=given, seconds=seconds, memory=budget)
    if partners is None:
        return open_chances(position, seconds=seconds, memory=budget)
    from hanabi.players import seat_chances

    return seat_chances(_player(partners), _view(position), seconds=seconds)


@dataclass(frozen=True, slots=True)
class WithPartners:
    """The judge's brackets, and beside them what partners make of each action.

    Attributes
    ----------
    judged
        The brackets by what the seat sees.
    partners
        The values if everybody goes on as the partners, in the deals in which they would have acted
        as they did. They are at most those of `above`.
    above
        The upper ends in these deals: the mean if everybody saw all hands after the action.
    """

    judged: Judgement
    partners: SeatChances
    above: Judgement


def beside(
    game: Asked,
    partners: str | Player,
    *,
    at: int | None = None,
    known: Known = (),
    seconds: float | None = None,
) -> WithPartners:
    """Return the judge's brackets, and beside them the values with partners.

    Parameters and errors are those of `chances`. `known` counts for the brackets alone.
    """
    from hanabi.players import seat_chances

    clock, position = Clock(seconds), _position(game, at)
    view = _view(position)
    by = seat_chances(_player(partners), view, seconds=clock.left)
    above = judge(view, among=by.hands, effort=0, seconds=clock.left)
    given = _known(known, position)
    return WithPartners(judge(view, known=given, seconds=clock.left), by, above)


def played_out(
    game: Asked,
    partners: str | Player,
    *,
    at: int | None = None,
    known: Known = (),
    games: int | None = None,
    seed: int = 0,
    seconds: float | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    tell: Callable[[PlayOuts], None] | None = None,
) -> PlayOuts:
    """Return each action's value by play-outs with partners, at any turn of a game.

    Parameters
    ----------
    game, at, known
        As for `chances`.
    partners
        Any player, or its name: everybody is taken to have played like it, and goes on so.
    games
        Most games to play after an action. Default: 2,000.
    seed
        The same seed gives the same games, unless the time ends them.
    seconds, progress, tell
        As for `hanabi.players.partners.playouts.play_outs`.

    Raises
    ------
    InvalidInputError
        If the game is over there, or no hand fits.
    InterruptedPlayOuts
        If Ctrl-C interrupts the games; it has the estimates until then.

    >>> from hanabi import deal
    >>> found = played_out(deal(2, seed=1), "convention", games=32)
    >>> found.agrees, found.actions[0].games
    (True, 32)
    """
    from hanabi.ground import Stream
    from hanabi.players import MOST_GAMES, play_outs

    position = _position(game, at)
    if not position.can_act:
        raise InvalidInputError(f"the game is over ({position.end_reason}): nobody can act")
    return play_outs(
        _player(partners),
        _view(position),
        Stream(seed),
        known=_known(known, position),
        most=MOST_GAMES if games is None else games,
        seconds=seconds,
        progress=progress,
        tell=tell,
    )


def _position(game: Asked, at: int | None, *, may_hide: bool = False) -> Game:
    """Return the position after `at` moves, by default the current or the first late one."""
    problem = posed(game, may_hide=may_hide)
    if at is None:
        at = problem.at if isinstance(game, Game) else first_late(problem)
    return problem.after(at)


def _view(position: Game) -> View:
    return position.view(position.seat_to_act)


def _player(named: str | Player) -> Player:
    from hanabi.players import parse_player

    return parse_player(named) if isinstance(named, str) else named


def _known(known: Known, game: Game) -> Mapping[int, Collection[Card]]:
    if isinstance(known, Mapping):
        return known
    return known_cards(known, game.rules, slots=len(game.hands[game.seat_to_act]))


_KNOWN = re.compile(r"\s*(?:(card|slot)?\s*([0-9]{1,3})\s*=\s*)?(not\s)?\s*(\S.*?)\s*", re.DOTALL)


def known_cards(
    texts: Iterable[str],
    rules: Rules,
    *,
    slots: int | None = None,
    note: Callable[[str], None] | None = None,
) -> dict[int, set[Card]]:
    """Return by slot the cards that texts such as `card 3 = r5` leave.

    After the equals sign comes one card or more, a color (all its cards) or a rank, by the names
    that this program prints; after `not`, what the card is not. Without a number, `not r5` counts
    for all `slots` of the hand, by default as many as the rules deal. Card 1 is the newest. Texts
    about the same card must all hold. `slot 2`, from the oldest card, 0, is due for removal: it
    raises a DeprecationWarning, or `note` is called with a sentence that says so.

    >>> known = known_cards(["card 3 = r5 y5", "card 5=g", "not g4 r5"], Rules.official(2))
    >>> sorted(map(str, known[2])), sorted(map(str, known[0])), len(known[1])
    (['y5'], ['g1', 'g2', 'g3', 'g5'], 23)
    """
    found: dict[int, set[Card]] = {}
    cards = {card_name(card, rules): card for card in rules.spec.cards()}
    size = rules.hand_size if slots is None else slots
    for text in texts:
        match = _KNOWN.fullmatch(text)
        if match is None or match[2] is match[3] is None:
            raise InvalidInputError(
                f"{quote(text)} does not have the form 'card 3 = r5' or 'card 3 = not r4'"
            )
        named: set[Card] = set()
        for word in re.split(r"[\s,]+", match[4]):
            its = {
                card
                for name, card in cards.items()
                if word.lower() in (name, name.removesuffix(str(card.rank)), str(card.rank))
            }
            if not its:
                raise InvalidInputError(f"{quote(text)}: no card, color or rank {quote(word)}")
            named |= its
        left = named if match[3] is None else set(cards.values()) - named
        for slot in range(size) if match[2] is None else (_slot(text, match, size, note),):
            found[slot] = found.get(slot, left) & left
    return found


def _slot(text: str, match: re.Match[str], size: int, note: Callable[[str], None] | None) -> int:
    """Return the slot that a text names, by its word and the size of the hand."""
    word, number = match[1], int(match[2])
    slot = size - number if word == "card" else number
    if word is None or not 0 <= slot < size:
        raise InvalidInputError(
            f"{quote(text)}: say card 1, the newest, to card {size}, the oldest"
            f" (or slot {size - 1}, the newest, to slot 0, the oldest)"
        )
    if word == "slot":
        told = (
            f"slot {slot} counts from the oldest card, 0: say card {size - slot}, as hanab.live"
            " counts; slots will go"
        )
        if note is None:
            warnings.warn(told, DeprecationWarning, stacklevel=3)
        else:
            note(f"note: {told}")
    return slot


def first_late(problem: GameProblem) -> int:
    """Return the first position with at most five cards to draw, or the last one if none has."""
    late = (n for n, each in enumerate(problem.positions) if each.deck_left <= FEW_CARDS)
    return next(late, len(problem.positions) - 1)


@dataclass(frozen=True, slots=True)
class Chance:
    """The chance of a perfect score with all hands open and the deck unseen.

    It is that of the best action, of the one that was taken, and what that certainly gave up.
    """

    best: Range
    played: Range
    cost: Fraction


@dataclass(frozen=True, slots=True)
class Late:
    """A position with few cards to draw, and the action that was taken there.

    Attributes
    ----------
    at
        The number of moves made.
    chances
        The chances of each action; expected scores are only bounded.
    played
        The action that was taken; None if there is none yet.
    """

    at: int
    chances: Chances
    played: Action | None

    @property
    def cost(self) -> Fraction:
        """The chance of a perfect score that the action is known to have given away."""
        return Fraction(0) if self.played is None else self.chances.cost(self.played)

    @property
    def chance(self) -> Chance | None:
        """The chances of a review's document; None if no action was taken."""
        if self.played is None:
            return None
        return Chance(self.chances.perfect, self.chances.of(self.played).perfect, self.cost)


def late_chances(positions: Sequence[Game], clock: Clock, *, first: int = 0) -> Iterator[Late]:
    """Yield the positions with at most five cards to draw in which somebody can still act.

    Positions are numbered from `first`. Once time is up, chances are only bounded. Nothing is
    yielded if chances under these rules are out of reach.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1),)), seats=1, hand_size=1)
    >>> start = Game.start(rules, [(0, 1), (0, 2)])
    >>> [str(each.chances.perfect) for each in late_chances([start], Clock())]
    ['1']
    """
    for at, game in enumerate(positions):
        if game.deck_left > FEW_CARDS or not game.can_act:
            continue
        played = positions[at + 1].actions[-1] if at + 1 < len(positions) else None
        try:
            yield Late(first + at, open_chances(game, seconds=clock.left, points=False), played)
        except SolverError:
            return
