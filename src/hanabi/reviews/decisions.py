"""Moves by what their seat knew: mistakes, told apart from bad and good luck.

Late moves are judged for certain, others by games in deals that their seat could not exclude.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from hanabi.ground import Clock, InvalidInputError, SolverError, Stream
from hanabi.reviews.advice import partners_of
from hanabi.reviews.chances import FEW_CARDS
from hanabi.rules import Action, Audience, Game, GameProblem, View, deed
from hanabi.solvers import Hands, Judgement, Prospect, Range, judge

if TYPE_CHECKING:
    from hanabi.players import Player

__all__ = [
    "Decision",
    "DecisionKind",
    "DecisionRemark",
    "EstimateRemark",
    "Estimated",
    "Verdict",
    "estimate_decisions",
    "judge_decisions",
    "judge_moves",
]

_CHOOSING, _COMPARING = 32, 128  # games: to choose the best action, and to compare it
_SLOW_CHOOSING, _SLOW_COMPARING = 4, 32  # the same of players that are not compiled
_RIVALS = 3  # actions that such a player ranks first, which are compared with the move
_FEWEST = 8  # games for an estimate
_LEAST, _SLOWLY = 0.1, 5.0  # seconds for a move, or else it is not begun
_ERRORS = 2  # standard errors that make a mistake


class DecisionKind(StrEnum):
    """What a move was, by what its seat knew and by what the deck then had.

    A MISTAKE is certain to give away chance by the seat's view. It was GOOD_LUCK if all points were
    nevertheless still within reach. A move that gives away nothing is RIGHT, and BAD_LUCK if the
    deck made it lose all the same. Whatever is not certain is NOT_DECIDED.

    >>> print(DecisionKind.BAD_LUCK)
    bad luck
    """

    MISTAKE = "mistake"
    GOOD_LUCK = "good luck"
    RIGHT = "right"
    BAD_LUCK = "bad luck"
    NOT_DECIDED = "not decided"


@dataclass(frozen=True, slots=True)
class DecisionRemark:
    """A late move by what its player knew, as a review's document has it.

    The chances of a perfect score are those of the best action, of the one that was taken, and what
    it gave up. `lost_by_deck` is as in `Decision`.
    """

    best: Range
    played: Range
    lost: Range
    lost_by_deck: bool | None
    kind: DecisionKind


@dataclass(frozen=True, slots=True)
class Decision:
    """A late move: the chance of all points that it gave away by the seat's view, and by the deck.

    Attributes
    ----------
    move
        The number of the move, from 1.
    best, played
        The chance of all points of the best action and of the one that was taken, by the seat's
        view (`hanabi.solvers.draws.judge`): certified bounds.
    loss
        The chance that the move gave away by the seat's view: certified bounds.
    lost_by_deck
        Whether all points were within reach before the move and no longer after it, all cards face
        up; None if that is not known.
    kept_by_deck
        Whether all points are within reach after the move; None if that is not known.
    """

    move: int
    best: Range
    played: Range
    loss: Range
    lost_by_deck: bool | None
    kept_by_deck: bool | None

    @property
    def kind(self) -> DecisionKind:
        """What the move was; NOT_DECIDED where a number that matters is only bounded.

        >>> half, none = Range(Fraction(1, 2), Fraction(1, 2)), Range(Fraction(0), Fraction(0))
        >>> print(Decision(7, half, half, none, lost_by_deck=True, kept_by_deck=False).kind)
        bad luck
        """
        is_mistake = self.loss.low > 0
        if self.lost_by_deck is None or (not is_mistake and self.loss.high > 0):
            return DecisionKind.NOT_DECIDED
        if is_mistake:
            return DecisionKind.GOOD_LUCK if self.kept_by_deck else DecisionKind.MISTAKE
        return DecisionKind.BAD_LUCK if self.lost_by_deck else DecisionKind.RIGHT

    @property
    def remark(self) -> DecisionRemark:
        """The decision as a review's document has it."""
        return DecisionRemark(self.best, self.played, self.loss, self.lost_by_deck, self.kind)


def judge_decisions(
    positions: Sequence[Game], prospects: Sequence[Prospect], clock: Clock
) -> Iterator[Decision]:
    """Yield each late move that was made while all points had a chance by what its seat knew.

    Late are moves with at most five cards to draw. Each gets its share of the time that is left.
    Nothing is yielded if chances under these rules are out of reach.

    Parameters
    ----------
    positions
        The deal, and the position after each move.
    prospects
        The best score within reach in each position, all cards face up.
    clock
        The time for all moves; what is not decided by then is only bounded.
    """
    top = positions[0].rules.max_score
    late = [
        move
        for move, game in enumerate(positions[:-1], start=1)
        if game.deck_left <= FEW_CARDS and game.can_act and game.most_points == top
    ]
    for number, move in enumerate(late):
        game, action = positions[move - 1], positions[move].known_actions[-1]
        left = clock.left
        seconds = None if left is None else left / (len(late) - number)
        try:
            found = judge(game.view(game.seat_to_act), seconds=seconds, points=False)
        except SolverError:
            return
        if not found.perfect.high:
            continue  # nothing was at stake
        before, after = (_within_reach(each, top) for each in prospects[move - 1 : move + 1])
        lost = False if after or before is False else None
        if before and after is False:
            lost = True
        yield Decision(
            move, found.perfect, found.of(action).perfect, _loss(game, found, action), lost, after
        )


def _within_reach(prospect: Prospect, points: int) -> bool | None:
    """Whether so many points can still be scored; None if that is not known."""
    if prospect.lower >= points:
        return True
    return False if prospect.upper < points else None


def _loss(game: Game, found: Judgement, action: Action) -> Range:
    """Return the chance that an action gave away.

    An action that is worth the same as another, such as any hint, loses nothing to it, whatever
    their bounds are.
    """
    hands = Hands(game.view(game.seat_to_act), {})
    alike, own = hands.alike(action), found.of(action).perfect
    others = [each.perfect for each in found.actions if hands.alike(each.action) != alike]
    low = max((each.low for each in others), default=Fraction(0))
    high = max((each.high for each in others), default=Fraction(0))
    return Range(max(Fraction(0), low - own.high), max(Fraction(0), high - own.low))


# Earlier moves, by games.


@dataclass(frozen=True, slots=True)
class EstimateRemark:
    """What a move gave away by games, as a review's document has it.

    `better` is the better action in words, and None if there was none; then nothing was given away.
    """

    better: str | None
    given_away: float
    error: float
    games: int

    @property
    def is_mistake(self) -> bool:
        """Whether the move gave away more than two standard errors.

        >>> [EstimateRemark("play card 1", lost, 0.2, 9).is_mistake for lost in (0.3, 0.5)]
        [False, True]
        """
        return self.given_away > _ERRORS * self.error


@dataclass(frozen=True, slots=True)
class Estimated:
    """What a move gave away by games in deals that its seat could not exclude.

    Attributes
    ----------
    move
        The number of the move, from 1.
    better
        The action that was better in games that chose it; None if the move itself was the best.
    given_away, error
        By how many points it was better in other games, and the standard error.
    games
        The number of these games after each of the two.
    """

    move: int
    better: Action | None
    given_away: float
    error: float
    games: int

    def remark(self, game: Game, readers: Audience) -> EstimateRemark:
        """Return the estimate as a review's document has it, given the position before the move."""
        better = None if self.better is None else deed(game, self.better).to(readers)
        lost, error = round(self.given_away, 4), round(self.error, 4)
        return EstimateRemark(better, lost, error, self.games)


def estimate_decisions(
    problem: GameProblem, prospects: Sequence[Prospect], partners: str, clock: Clock
) -> Iterator[Estimated]:
    """Yield what moves gave away by games in which everybody goes on as the partners.

    The moves that lost points come first, then the others, the latest first: the late ones last,
    as they are judged for certain. Some games choose the best action, and others compare it with
    the move, so that chance does not make a mistake of one. What has no time left is left out.

    Parameters
    ----------
    problem
        A game.
    prospects
        The best score within reach in each position, all cards face up.
    partners
        The name of a player.
    clock
        The time for all moves.
    """
    from hanabi.players import parse_player

    positions = problem.by_rules
    if not problem.has_history or positions[0].missing:
        return
    player = parse_player(partners)
    is_compiled = hasattr(player, "compiled") and player.compiled(positions[0].rules) is not None

    def order(move: int) -> tuple[int, bool, int]:
        lost = prospects[move - 1].lower - prospects[move].upper
        return -max(0, lost), positions[move - 1].deck_left <= FEW_CARDS, -move

    moves = sorted(range(1, len(positions)), key=order)
    for number, move in enumerate(moves):
        game, action = positions[move - 1], positions[move].known_actions[-1]
        part, least = None, _LEAST if is_compiled else _SLOWLY
        if clock.left is not None:
            part = max(clock.left / (len(moves) - number), least)
            if clock.left < least:
                return
        try:
            found = _estimated(player, game.view(game.seat_to_act), action, move, Clock(part))
        except InvalidInputError:
            return  # the player does not support these rules
        if found is not None:
            yield found


def _estimated(
    player: Player, view: View, action: Action, move: int, clock: Clock
) -> Estimated | None:
    """Return what a move gave away, or None if there was no time for it."""
    from hanabi.players import play_outs

    choosing, comparing, tried = _CHOOSING, _COMPARING, None
    if ranked := getattr(player, "ranked", None):
        choosing, comparing = _SLOW_CHOOSING, _SLOW_COMPARING
        tried = list(dict.fromkeys([action, *ranked(view)[:_RIVALS]]))
    part = None if clock.left is None else clock.left / 2
    rng = Stream(move)
    chosen = play_outs(player, view, rng, among=tried, most=choosing, seconds=part).actions
    if not chosen or chosen[0].games < min(_FEWEST, choosing):
        return None
    if chosen[0].action == action:
        return Estimated(move, None, 0.0, 0.0, chosen[0].games)
    pair = [chosen[0].action, action]
    after = play_outs(player, view, rng, among=pair, most=comparing, seconds=clock.left).actions
    found = {each.action: each for each in after}
    if len(found) < len(pair) or min(each.games for each in after) < _FEWEST:
        return None
    played, better = found[action], found[pair[0]]
    gain = played.behind.mean - better.behind.mean  # one of the two is the first
    error = max(played.behind.error or 0.0, better.behind.error or 0.0)
    return Estimated(move, pair[0], gain, error, min(each.games for each in after))


# All moves.

Verdict: TypeAlias = Decision | str | Estimated
"""What `judge_moves` finds: late moves for certain, then the player of the games, then by games."""


def judge_moves(
    problem: GameProblem, prospects: Sequence[Prospect], clock: Clock, partners: str = ""
) -> Iterator[Verdict]:
    """Yield what late moves were for certain, then the partners, and what moves gave away by games.

    The late moves get at most half the time. Parameters are those of `estimate_decisions`; without
    the name of a player, the partners are those of `hanabi.advise`.
    """
    positions = problem.by_rules
    half, tenth = (None if clock.left is None else clock.left / part for part in (2, 10))
    yield from judge_decisions(positions, prospects, Clock(half))
    name = partners or partners_of(problem, len(positions) - 1, tenth).name
    yield name
    yield from estimate_decisions(problem, prospects, name, clock)
