"""Named reasons why the last cards cannot be played in turn, with proofs that can be read.

The argument is the relaxation of `hanabi.winnable.labelled`, where it is proven: a few cards
are labelled by the seat that holds them, all others may be anywhere, hints are unlimited, and turns
count in the last round only.

===========  =====================================================================================
bottom deck  a copy of a labelled card is one of the last cards of the deck: of one more than there
             are turns in the last round
last round   no labelled card comes as late, but they do not come into hands that can play them
===========  =====================================================================================

A proof lists the positions, numbered, in which more than one thing can be done, and under each all
that can be done there, unless something proven at least as good can. What has to be done, because
nothing else can be, is not listed. A branch ends where the merged hand of `hanabi.winnable.merged`
loses, by pace mostly, where the last turns cannot play the missing cards, or at a position that
was shown to be lost before or is no better than one.
"""

from __future__ import annotations

from contextlib import suppress

from hanabi.clock import Clock
from hanabi.errors import BudgetEndedError
from hanabi.winnable.labelled import LabelledRelaxation, LabelledState, OutOfStepsError, StateGroup
from hanabi.winnable.merged import Refuter
from hanabi.winnable.pace import Refutation, comes_late, last_of_deck, latest
from hanabi.winnable.position import Goal, Position, Types, names

__all__ = ["refute_distribution"]

MOST_LABELS = 10
FEW_STEPS, MOST_STEPS = 3_000, 60_000


class _Telling:
    """The proof in words that a relaxation is lost."""

    def __init__(
        self, relaxation: LabelledRelaxation, position: Position, goal: Goal, clock: Clock
    ) -> None:
        self.relaxation = relaxation
        self.merged = Refuter(position, goal, clock)
        self.numbers: dict[LabelledState, int] = {}
        self.shown: dict[StateGroup, list[LabelledState]] = {}
        self.together: Types | None = None
        """Cards that are in one hand at the end of every branch that comes to the last round."""

    def lines(self, state: LabelledState) -> list[str]:
        """Return the proof for a lost position."""
        self.merged.clock.check()
        game = self.relaxation
        while True:
            mark = len(self.merged.steps)
            if self.merged.is_lost(state.merged):
                return self.merged.steps[mark:]
            if state.turn is not None:
                return [self.last_turns(state)]
            moves = game.moves(state)
            if len(moves) > 1:
                break
            state = moves[0][1]
        better = game.at_least(state, self.shown)
        if better is not None:
            same = "as" if better in state.all_turned() else "no better than"
            return [f"{self.describe(state)}: {same} [{self.numbers[better]}]"]
        self.numbers[state] = len(self.numbers) + 1
        found = [f"[{self.numbers[state]}] {self.describe(state)}"]
        branches: dict[tuple[str, ...], list[str]] = {}
        for move, child in moves:
            branches.setdefault(tuple(self.lines(child)), []).append(str(move))
        self.shown.setdefault(game.group(state), []).append(state)
        for proof, told in branches.items():
            head = f"- {' or '.join(told)}:"
            if len(proof) == 1:
                found.append(f"{head} {proof[0]}")
            else:
                found += [head, *(f"  {line}" for line in proof)]
        return found

    def describe(self, state: LabelledState) -> str:
        """Return the cards drawn and played, and who holds what."""
        hands = [
            f"seat {seat} has {names(cards)}" for seat, cards in enumerate(state.held) if cards
        ]
        return ", ".join([f"after {state.drawn} cards, {state.played} played", *hands])

    def last_turns(self, state: LabelledState) -> str:
        """Return why a position of the last round is lost."""
        game, seats = self.relaxation, len(state.held)
        self.put_together(state)
        missing = len(game.cards) - state.played
        turns = [((state.turn or 0) + turn) % seats for turn in range(game.turns or 0)]
        told = (f"seat {seat} ({names(state.held[seat]) or 'none'})" for seat in turns)
        return f"last round: {', '.join(told)} cannot play the {missing} missing cards in turn"

    def put_together(self, state: LabelledState) -> None:
        """Note which cards only one seat has, the same for all of them."""
        alone = [
            hand.difference(*(other for other in state.held if other is not hand))
            for hand in state.held
        ]
        if self.together is None:
            self.together = max(alone, key=len)
        else:
            self.together = max((self.together & hand for hand in alone), key=len)


def refute_distribution(
    position: Position,
    goal: Goal,
    *,
    most_steps: int = MOST_STEPS,
    seconds: float | None = None,
) -> Refutation | None:
    """Return a proof, by who holds the last cards, that `goal` cannot be reached, or None.

    Parameters
    ----------
    position, goal
        The question.
    most_steps
        Positions looked at for one choice of cards to label. Choices for which 3,000 (a second or
        less) do not suffice come again with so many; no proof was seen to need as many as 60,000.
    seconds
        Time after which the answer is None.

    Returns
    -------
    Refutation or None
        With a name from the module's table. None proves nothing: what the merged hand refutes is
        left to `hanabi.winnable.refute`, and there may be a proof with more cards or more steps.

    >>> from hanabi import DeckSpec
    >>> from hanabi.game import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1)
    >>> position = Position.start(rules, [(0, 1), (0, 3), (0, 2)])
    >>> found = refute_distribution(position, (3,))
    >>> print(found.name, "-", found.summary.split(";")[0])
    bottom deck - r2 comes only as card 3 of 3, before r3
    >>> found.steps[0]
    '[1] after 2 cards, 0 played'
    """
    clock = Clock(seconds)
    try:
        found = _fewest_labels(position, goal, most_steps, clock)
        return None if found is None else _told(found, position, goal, clock)
    except BudgetEndedError:
        return None


def _told(found: LabelledRelaxation, position: Position, goal: Goal, clock: Clock) -> Refutation:
    """Return the proof that a relaxation is lost."""
    telling = _Telling(found, position, goal, clock)
    steps = tuple(telling.lines(found.start))
    cards, together = found.labelled - found.on_piles, telling.together or frozenset()
    late = comes_late(position, goal, cards)
    what = late or f"{names(cards)} must be played in turn"
    why = "whoever holds them, the last turns do not come in the right order"
    if len(together) > 1:
        why = f"{names(together)} are in one hand unless pace is lost first"
    name = "bottom deck" if late else "last round"
    return Refutation(name, f"{what}; {why}", steps, len(telling.numbers))


def _fewest_labels(
    position: Position, goal: Goal, most_steps: int, clock: Clock
) -> LabelledRelaxation | None:
    """Return a lost relaxation with few labelled cards, or None."""
    merged = Refuter(position, goal, clock)

    def try_with(labels: Types, steps: int) -> LabelledRelaxation:
        """Return a relaxation, decided if `steps` suffice; only a decided one can be lost."""
        relaxation = LabelledRelaxation(position, labels, merged, steps)
        with suppress(OutOfStepsError):
            relaxation.is_lost(relaxation.start)
        return relaxation

    if try_with(frozenset(), most_steps).has_lost:
        return None
    # Few at first: the last of the deck, and those that wait longest.
    candidates = list(
        dict.fromkeys(
            frozenset(cards(position, goal, number))
            for number in range(1, MOST_LABELS + 1)
            for cards in (last_of_deck, latest)
        )
    )
    for steps in sorted({min(FEW_STEPS, most_steps), most_steps}):
        undecided = []
        for labels in candidates:
            found = try_with(labels, steps)
            if found.has_lost:
                # Without some of the cards it may be lost as soon.
                for card in sorted(labels, reverse=True):
                    fewer = try_with(labels - {card}, found.looked_at)
                    if fewer.has_lost:
                        labels, found = labels - {card}, fewer
                return found
            if found.looked_at > steps:
                undecided.append(labels)
        candidates = undecided
    return None
