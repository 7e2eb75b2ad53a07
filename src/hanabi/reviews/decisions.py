"""Late moves by what their seat knew: mistakes, told apart from bad and good luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from hanabi.ground import Clock, SolverError
from hanabi.reviews.chances import FEW_CARDS
from hanabi.rules import Action, Game
from hanabi.solvers import Hands, Judgement, Prospect, Range, judge

__all__ = ["Decision", "DecisionKind", "DecisionRemark", "judge_decisions"]


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
