"""Named reasons why the last cards cannot be played in turn, with proofs that can be read.

The argument is the relaxation of `hanabi.winnable.followed`, where it is proven: a few cards are
followed from hand to hand, all others may be anywhere, hints are unlimited, and turns count in the
last round only.

===========  =====================================================================================
bottom deck  a copy of a followed card is one of the last cards of the deck: of one more than there
             are turns in the last round
last round   no followed card comes as late, but they do not come into hands that can play them
===========  =====================================================================================

A proof lists the positions, numbered, in which more than one thing can be done, and under each all
that can be done there, unless something proven at least as good can. What has to be done, because
nothing else can be, is not listed. A branch ends where the merged hand of `hanabi.winnable.bounds`
loses, by pace mostly, where the last turns cannot play the missing cards, or at a position that
was shown to be lost before or is no better than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress

from hanabi.cards import Card
from hanabi.winnable.bounds import OutOfTimeError, Refuter, deadline_in
from hanabi.winnable.followed import Kind, OutOfStepsError, Relaxation, State, Types
from hanabi.winnable.position import Goal, Position
from hanabi.winnable.refutation import Refutation
from hanabi.winnable.relaxation import latest

__all__ = ["comes_late", "refute_distribution"]

MOST_FOLLOWED = 10
FEW_STEPS, MOST_STEPS = 3_000, 60_000


def comes_late(position: Position, goal: Goal, among: Types | None = None) -> str:
    """Return in words which needed cards are at the bottom of the deck.

    Parameters
    ----------
    position, goal
        Before the last round.
    among
        The cards to tell of; by default those that come nowhere else, or else all.

    Returns
    -------
    str
        A fact about the deck, not a proof; empty if there is no such card. Costs a pass over the
        deck.

    >>> from hanabi import DeckSpec
    >>> from hanabi.game import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1)
    >>> comes_late(Position.start(rules, [(0, 1), (0, 3), (0, 2)]), (3,))
    'r2 comes only as card 3 of 3, before r3'
    """
    bottom = _bottom(position, goal, (position.rules.final_round or 0) + 1)
    gone = set(range(position.drawn)).difference(*position.hands)
    earlier = {
        card
        for index, card in enumerate(position.deck)
        if card in bottom and index < bottom[card] and index not in gone
    }
    if among is None:
        among = frozenset(bottom) - earlier or frozenset(bottom)
    told = []
    for card in sorted(among & bottom.keys()):
        above = [Card(card.color, rank) for rank in range(card.rank + 1, goal[card.color] + 1)]
        which = "again" if card in earlier else "only"
        before = f", before {_names(above)}" if above else ""
        place = f"card {bottom[card] + 1} of {len(position.deck)}"
        told.append(f"{card} comes {which} as {place}{before}")
    return "; ".join(told)


def _bottom(position: Position, goal: Goal, number: int) -> dict[Card, int]:
    """Return the needed cards among the last of the deck, with the first index there."""
    found: dict[Card, int] = {}
    cards = len(position.deck)
    for index in range(max(cards - number, position.drawn), cards):
        card = position.deck[index]
        if position.piles[card.color] < card.rank <= goal[card.color]:
            found.setdefault(card, index)
    return found


class _Telling:
    """The proof in words that a relaxation is lost."""

    def __init__(
        self, relaxation: Relaxation, position: Position, goal: Goal, deadline: float
    ) -> None:
        self.relaxation = relaxation
        self.merged = Refuter(position, goal, deadline)
        self.numbers: dict[State, int] = {}
        self.shown: dict[Kind, list[State]] = {}
        self.together: Types | None = None
        """Cards that are in one hand at the end of every branch that comes to the last round."""

    def lines(self, state: State) -> list[str]:
        """Return the proof for a lost position."""
        self.merged.check_time()
        game = self.relaxation
        while True:
            mark = len(self.merged.steps)
            if self.merged.is_lost(game.merged_state(state), 0):
                return self.merged.steps[mark:]
            if state.turn is not None:
                return [self.last_turns(state)]
            actions = game.actions(state)
            if len(actions) > 1:
                break
            state = actions[0][1]
        better = game.at_least(state, self.shown)
        if better is not None:
            same = "as" if better in state.all_turned() else "no better than"
            return [f"{self.describe(state)}: {same} [{self.numbers[better]}]"]
        self.numbers[state] = len(self.numbers) + 1
        found = [f"[{self.numbers[state]}] {self.describe(state)}"]
        branches: dict[tuple[str, ...], list[str]] = {}
        for action, child in actions:
            branches.setdefault(tuple(self.lines(child)), []).append(str(action))
        self.shown.setdefault(game.kind(state), []).append(state)
        for proof, told in branches.items():
            head = f"- {' or '.join(told)}:"
            if len(proof) == 1:
                found.append(f"{head} {proof[0]}")
            else:
                found += [head, *(f"  {line}" for line in proof)]
        return found

    def describe(self, state: State) -> str:
        """Return the cards drawn and played, and who holds what."""
        hands = [
            f"seat {seat} has {_names(cards)}" for seat, cards in enumerate(state.held) if cards
        ]
        return ", ".join([f"after {state.drawn} cards, {state.played} played", *hands])

    def last_turns(self, state: State) -> str:
        """Return why a position of the last round is lost."""
        game, seats = self.relaxation, len(state.held)
        self.put_together(state)
        missing = len(game.cards) - state.played
        turns = [((state.turn or 0) + turn) % seats for turn in range(game.turns or 0)]
        told = (f"seat {seat} ({_names(state.held[seat]) or 'none'})" for seat in turns)
        return f"last round: {', '.join(told)} cannot play the {missing} missing cards in turn"

    def put_together(self, state: State) -> None:
        """Note which cards only one seat has, the same for all of them."""
        alone = [
            hand.difference(*(other for other in state.held if other is not hand))
            for hand in state.held
        ]
        if self.together is None:
            self.together = max(alone, key=len)
        else:
            self.together = max((self.together & hand for hand in alone), key=len)


def _names(cards: Types | list[Card]) -> str:
    return " ".join(map(str, sorted(cards)))


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
        Positions looked at for one choice of cards to follow. Choices for which 3,000 (a second or
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
    deadline = deadline_in(seconds)
    try:
        found = _fewest_followed(position, goal, most_steps, deadline)
        return None if found is None else _told(found, position, goal, deadline)
    except OutOfTimeError:
        return None


def _told(found: Relaxation, position: Position, goal: Goal, deadline: float) -> Refutation:
    """Return the proof that a relaxation is lost."""
    telling = _Telling(found, position, goal, deadline)
    steps = tuple(telling.lines(found.start))
    cards, together = found.followed - found.on_piles, telling.together or frozenset()
    late = comes_late(position, goal, cards)
    what = late or f"{_names(cards)} must be played in turn"
    why = "whoever holds them, the last turns do not come in the right order"
    if len(together) > 1:
        why = f"{_names(together)} are in one hand unless pace is lost first"
    name = "bottom deck" if late else "last round"
    return Refutation(name, f"{what}; {why}", steps, len(telling.numbers))


def _candidates(position: Position, goal: Goal) -> Iterator[Types]:
    """Yield cards to follow, few at first: the last of the deck, and those that wait longest."""
    for number in range(1, MOST_FOLLOWED + 1):
        yield frozenset(_bottom(position, goal, number))
        yield frozenset(latest(position, goal, number))


def _fewest_followed(
    position: Position, goal: Goal, most_steps: int, deadline: float
) -> Relaxation | None:
    """Return a lost relaxation with few followed cards, or None."""
    merged = Refuter(position, goal, deadline)

    def try_with(follow: Types, steps: int) -> Relaxation:
        """Return a relaxation, decided if `steps` suffice; only a decided one can be lost."""
        relaxation = Relaxation(position, follow, merged, steps)
        with suppress(OutOfStepsError):
            relaxation.is_lost(relaxation.start)
        return relaxation

    if try_with(frozenset(), most_steps).has_lost:
        return None
    candidates = list(dict.fromkeys(_candidates(position, goal)))
    for steps in sorted({min(FEW_STEPS, most_steps), most_steps}):
        undecided = []
        for follow in candidates:
            found = try_with(follow, steps)
            if found.has_lost:
                return _with_fewer(found, follow, try_with)
            if found.looked_at > steps:
                undecided.append(follow)
        candidates = undecided
    return None


def _with_fewer(
    found: Relaxation, follow: Types, try_with: Callable[[Types, int], Relaxation]
) -> Relaxation:
    """Follow only the cards without which a lost relaxation is not lost, or not as soon."""
    for card in sorted(follow, reverse=True):
        fewer = try_with(follow - {card}, found.looked_at)
        if fewer.has_lost:
            follow, found = follow - {card}, fewer
    return found
