"""Cards that come late, and the shortest reasons why a goal is out of reach.

============  ====================================================================================
missing card  a needed card has no copy left
pace          from some point on, more cards must be played than turns are left
============  ====================================================================================

Let n be the size of the deck, L the number of turns of the last round (those left, once it has
begun), and q any number of cards from those drawn so far to n. Let W be the needed cards that
cannot be played before q cards have been drawn: of such a card, or of one that its pile still needs
below it, no copy is in a hand or among the first q - 1 cards of the deck. (If q cards have been
drawn already, W is all that is missing.) *The goal is out of reach if W has more than n - q + L
cards.*

Proof. Take any line of the game. The q-th card is drawn by an act, a play or a discard, and every
card of W is played by a later one. Each of these either draws one of the n - q cards that are still
to come, or is a turn of the last round; hints only use turns up. So there are n - q + L at most,
and each plays one card at most.

The argument does not mention hands, tokens or seats, so it holds whatever these are. Without them
nothing stronger can be proven: a hand without limits, which plays one fitting card for each card
that it draws, loses exactly by this argument. The proof uses the largest such q, which leaves the
fewest cards to look at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from hanabi.ground import NO_LIMIT, BudgetEndedError, Clock, counted
from hanabi.rules import Card, Said, listed, say
from hanabi.solvers.winnable.position import (
    Goal,
    Position,
    Types,
    buildable,
    cards_of,
    highest_goal,
)

__all__ = [
    "MOST_NAMED",
    "MergedState",
    "Refutation",
    "Refuter",
    "comes_late",
    "last_of_deck",
    "latest",
    "refute",
    "refute_by_pace",
    "refute_points",
    "waits",
]


MOST_NAMED = 6
"""The most cards that are named of those that must still be played."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """A readable proof that a goal cannot be reached; `str` gives all of it.

    Attributes
    ----------
    name
        The kind of reason; see the tables in `hanabi.solvers.winnable.pace` and
        `hanabi.solvers.winnable.reasons`.
    summary
        One sentence, for people.
    steps
        The proof, one line per step, indented by the number of choices before it.
    choices
        Number of positions in the proof with a choice; 0 if the summary is the whole proof.
    """

    name: str
    summary: Said
    steps: tuple[str, ...]
    choices: int

    def __str__(self) -> str:
        return "\n".join((f"{self.name}: {self.summary}", *self.steps))

    def __repr__(self) -> str:
        return f"<Refutation {self.name}: {self.summary} ({counted(len(self.steps), 'step')})>"


def waits(position: Position, goal: Goal) -> dict[Card, int]:
    """Return, for each card still to be played, the number of cards drawn before it can be.

    A card waits for the first copies of itself and of all cards that its pile needs below it; if
    one of them is gone, the number is one more than the deck has cards.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=1, hand_size=1)
    >>> waits(Position.start(rules, [(0, 1), (0, 3), (0, 2)]), (3,))
    {Card(color=0, rank=1): 1, Card(color=0, rank=2): 3, Card(color=0, rank=3): 3}
    """
    gone = position.gone
    first: dict[Card, int] = {}
    for index, card in enumerate(position.deck):
        if index not in gone:
            first.setdefault(card, max(index + 1, position.drawn))
    found: dict[Card, int] = {}
    for card in sorted(cards_of(goal) - cards_of(position.piles)):
        below = found.get(Card(card.color, card.rank - 1), position.drawn)
        found[card] = max(below, first.get(card, len(position.deck) + 1))
    return found


def latest(position: Position, goal: Goal, number: int) -> tuple[Card, ...]:
    """Return the `number` needed cards that wait longest, the longest wait first."""
    found = waits(position, goal)
    ordered = sorted(found, key=lambda card: (-found[card], -card.color, -card.rank))
    return tuple(ordered[:number])


def last_of_deck(position: Position, goal: Goal, number: int) -> dict[Card, int]:
    """Return the needed cards among the last `number` cards, with their first index there."""
    needed, found = cards_of(goal) - cards_of(position.piles), dict[Card, int]()
    cards = len(position.deck)
    for index in range(max(cards - number, position.drawn), cards):
        if position.deck[index] in needed:
            found.setdefault(position.deck[index], index)
    return found


def comes_late(position: Position, goal: Goal, among: Types | None = None) -> str:
    """Return a sentence on the needed cards at the bottom of the deck; empty if there are none.

    It names those in `among`; by default those that come nowhere else, or else all. It is "the
    last" copy if no other one is left, "the first" if another one follows, and "another" if one is
    in a hand or comes earlier. This is a fact about the deck, not a proof. Costs one pass over the
    deck.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1)
    >>> comes_late(Position.start(rules, [(0, 1), (0, 3), (0, 2)]), (3,))
    'the last red 2 is the bottom card of the deck, before red 3'
    """
    bottom = last_of_deck(position, goal, (position.rules.final_round or 0) + 1)
    gone = position.gone
    earlier = {
        card
        for index, card in enumerate(position.deck)
        if card in bottom and index < bottom[card] and index not in gone
    }
    if among is None:
        among = frozenset(bottom) - earlier or frozenset(bottom)
    told: list[str] = []
    for card in sorted(among & bottom.keys()):
        above = [Card(card.color, rank) for rank in range(card.rank + 1, goal[card.color] + 1)]
        before = f", before {position.full_names(above)}" if above else ""
        told.append(f"{_placed(card, bottom[card], position)}{before}")
    return "; ".join(told)


def refute_by_pace(position: Position, goal: Goal) -> Refutation | None:
    """Return a one-sentence proof that cards of `goal` are gone or come too late, or None.

    For why it is valid see the module's docstring. Costs one pass over the deck.

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1, 1),)), seats=2, hand_size=1)
    >>> position = Position.start(rules, [(0, 1), (0, 4), (0, 3), (0, 2)])
    >>> found = refute_by_pace(position, (4,))
    >>> found.name, str(found.summary)[:55]
    ('pace', 'the last red 2 is the bottom card of the deck; after it')
    >>> print(found.steps[0])
    after 4 cards: r2 r3 r4 are still to be played, but only 0 + 2 turns can play one
    >>> print(refute_by_pace(position, (2,)))
    None
    """
    deck, waiting = len(position.deck), waits(position, goal)
    gone = [cards[0] for cards in _by_color(c for c, wait in waiting.items() if wait > deck)]
    if gone:
        none = (f"no {position.full_names([card])}" for card in gone)
        return Refutation("missing card", say("{} is left", listed(none)), (), 0)
    last = position.last_turns
    if last is None:
        return None
    for drawn in range(deck, position.drawn - 1, -1):
        late = [card for card, wait in waiting.items() if wait >= drawn]
        turns = deck - drawn + last
        if len(late) > turns:
            step = (
                f"after {drawn} cards: {position.names(late)} are still to be played,"
                f" but only {deck - drawn} + {last} turns can play one"
            )
            summary = _too_few_turns(position, late, drawn)
            return Refutation("pace", say("{}", summary), (step,), 0)
    return None


def refute_points(position: Position, points: int) -> Refutation | None:
    """Return a proof by pace that no goal worth `points` can be reached, or None.

    Let B be the number of cards that can be played before q cards have been drawn. By the argument
    of the module's docstring the score ends with B + n - q + L more points at most, whatever the
    goal is. (If q cards have been drawn already, B is 0.)

    >>> from hanabi import DeckSpec
    >>> from hanabi.rules import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1), (1, 1, 1))), seats=2, hand_size=1)
    >>> deck = [(1, 2), (0, 3), (0, 2), (1, 3), (1, 1), (0, 1)]
    >>> position = Position.start(rules, deck)
    >>> print(refute_points(position, 4).summary[:70])
    with 1 card left to draw the score is 0 at most, and then only 3 cards
    >>> print(refute_points(position, 3))
    None
    """
    last, deck = position.last_turns, len(position.deck)
    if last is None:
        return None
    waiting = waits(position, highest_goal(position.rules))
    for drawn in (position.drawn, *range(deck, position.drawn, -1)):
        most = position.score + sum(wait < drawn for wait in waiting.values())
        turns = deck - drawn + last
        if most + turns >= points:
            continue
        if drawn == position.drawn:
            what = f"{counted(points, 'point')} need {counted(points - most, 'more play')}"
            return Refutation("pace", say("{}, {}", what, _time_left(position)), (), 0)
        late = [card for card, wait in waiting.items() if drawn <= wait <= deck]
        left = deck - drawn
        when = f"with {counted(left, 'card')} left to draw" if left else "once the deck is empty"
        can = f"the score is {most} at most, and then only {counted(turns, 'card')} can be played"
        why = f": {_bottom(late, drawn, position)}" if late else ""
        return Refutation("pace", say("{}", f"{when} {can}{why}"), (), 0)
    return None


def _too_few_turns(position: Position, late: list[Card], drawn: int) -> str:
    """Return why cards that wait until `drawn` cards are drawn cannot all be played."""
    names, deck = position.full_names(late), len(position.deck)
    if drawn == position.drawn:
        named = f" ({names})" if len(late) <= MOST_NAMED else ""
        return f"{counted(len(late), 'card')}{named} must still be played, {_time_left(position)}"
    turns, found = deck - drawn + (position.last_turns or 0), _bottom(late, drawn, position)
    if drawn == deck:
        return f"{found}; after it {_turns_left(turns)}, but {names} need {len(late)}"
    it = "the first of them" if len(_by_color(late)) > 1 else "it"
    can = f"after {it} only {counted(turns, 'card')} can be played"
    return f"{found}; {can}, but {len(late)} must be: {names}"


def _bottom(late: list[Card], drawn: int, position: Position) -> str:
    """Return where the lowest late cards of each color lie, which make the others wait."""
    lowest = [cards[0] for cards in _by_color(late)]
    if len(lowest) == 1:
        return _placed(lowest[0], position.deck.index(lowest[0], drawn - 1), position)
    last = len(position.deck) - drawn + 1
    return f"{position.full_names(lowest)} are among the last {last} cards of the deck"


def _time_left(position: Position) -> str:
    """Return how many cards can be played from a position at most, and why no more."""
    draws, last = len(position.deck) - position.drawn, position.last_turns or 0
    if not draws:
        return f"but {_turns_left(last)}"
    to_draw, turns = counted(draws, "card"), counted(last, "turn")
    plays = counted(draws + last, "play") + (" is" if draws + last == 1 else " are")
    return f"but only {plays} possible: {to_draw} to draw, and {turns} after the last one"


def _turns_left(turns: int) -> str:
    return f"only {turns} turn{' is' if turns == 1 else 's are'} left"


def _placed(card: Card, index: int, position: Position) -> str:
    """Return which copy of a card lies where in the deck, in words."""
    gone, place = position.gone, len(position.deck) - index
    copies = [n for n, each in enumerate(position.deck) if each == card and n not in gone]
    which = "the last" if len(copies) == 1 else "the first" if index == copies[0] else "another"
    nth = {1: "bottom card", 2: "second card from the bottom", 3: "third card from the bottom"}
    where = nth.get(place, f"{place}th card from the bottom")
    return f"{which} {position.full_names([card])} is the {where} of the deck"


def _by_color(cards: Iterable[Card]) -> list[list[Card]]:
    """Group cards, which are sorted, by color, lowest first."""
    return [list(group) for _, group in groupby(cards, key=lambda card: card.color)]


# Named reasons why a goal is out of reach, with certificates that a person can follow.
#
# The reasons by pace above, one sentence each, come first. The other argument is the merged hand,
# proven in `hanabi.solvers.winnable.search`: all hands are one and hints are unlimited, so that
# playing and discarding trash are forced, and the only choice is which needed card to drop from a
# hand that is full of needed, unplayable cards. The proof is a tree of such choices, whose shape
# names the reason:
#
# ==============  ==================================================================================
# full hands      without any earlier choice, the hands are full of cards that must all be kept
# squeeze         at every full hand only one card can be dropped; it ends by pace or full hands
# merged hands    whichever cards are dropped, it ends by pace or full hands
# ==============  ==================================================================================
#
# All of this is plain Python, independent of the compiled relaxation.


@dataclass(frozen=True, slots=True)
class MergedState:
    """The cards drawn, the types on the piles or in hand, and the number played."""

    drawn: int
    secured: Types
    played: int


class Refuter:
    """The search for a proof, and the proof found so far."""

    def __init__(self, position: Position, goal: Goal, clock: Clock = NO_LIMIT) -> None:
        self.clock = clock
        self.rules, self.deck, self.position = position.rules, position.deck, position
        self.cards = cards_of(goal)
        self.needed_later: list[Types] = [frozenset()]
        for card in reversed(position.deck):
            self.needed_later.append(self.needed_later[-1] | ({card} & self.cards))
        self.needed_later.reverse()
        self.slots = position.rules.seats * position.rules.hand_size
        self.start = MergedState(position.drawn, position.secured(goal), position.score)
        self.known: dict[MergedState, bool] = {}
        self.steps: list[str] = []
        self.choices = self.widest = 0

    def sweep(self, state: MergedState) -> tuple[MergedState, str]:
        """Play and discard trash until done; return why: a reason, "full", or "" if won."""
        drawn, secured, played = state.drawn, state.secured, state.played
        can_play, last = len(buildable(secured)), self.rules.final_round
        while True:
            missing = len(self.cards) - played
            if missing == 0:
                stop = ""
                break
            if not self.cards <= secured | self.needed_later[drawn]:
                stop = "missing card"
                break
            if last is not None and missing > len(self.deck) - drawn + last:
                stop = "pace"
                break
            if drawn == len(self.deck):
                stop = ""
                break
            if played < can_play:
                played += 1
            elif len(secured) - played >= self.slots:
                stop = "full"
                break
            new = ({self.deck[drawn]} & self.cards) - secured
            drawn += 1
            if new:
                secured |= new
                can_play = len(buildable(secured))
        return MergedState(drawn, secured, played), stop

    def is_lost(self, state: MergedState, depth: int = 0) -> bool:
        """Decide a state; if it is lost, append the proof to the steps.

        Raises BudgetEndedError if the time is over first.
        """
        indent = "  " * depth
        state, stop = self.sweep(state)
        if stop == "":
            return False
        if stop == "pace":
            missing, left = len(self.cards) - state.played, len(self.deck) - state.drawn
            self.steps.append(
                f"{indent}after {state.drawn} cards: {missing} cards are still to be played, but"
                f" only {left} + {self.rules.final_round} turns can play one"
            )
            return True
        if stop == "missing card":
            gone = min(self.cards - state.secured - self.needed_later[state.drawn])
            name = self.position.spell(gone)
            self.steps.append(f"{indent}after {state.drawn} cards: no {name} is left")
            return True
        if state in self.known:
            if self.known[state]:
                self.steps.append(f"{indent}after {state.drawn} cards: as shown before")
            return self.known[state]
        self.clock.check()
        mark = len(self.steps), self.choices, self.widest
        # When a hand is full, every playable card has been played.
        held = sorted(state.secured - buildable(state.secured))
        options = [card for card in held if card in self.needed_later[state.drawn]]
        self.choices += 1
        self.widest = max(self.widest, len(options))
        offer = f"only {', '.join(map(self.position.spell, options))} can be dropped"
        self.steps.append(
            f"{indent}after {state.drawn} cards: all {self.slots} cards in hand are needed:"
            f" {self.position.names(held)}; {offer if options else 'none of them comes again'}"
        )
        for card in options:
            self.steps.append(f"{indent}drop {self.position.spell(card)}:")
            new = {self.deck[state.drawn]} & self.cards
            child = MergedState(state.drawn + 1, (state.secured - {card}) | new, state.played)
            if not self.is_lost(child, depth + 1):
                del self.steps[mark[0] :]
                _, self.choices, self.widest = mark
                self.known[state] = False
                return False
        self.known[state] = True
        return True


def refute(position: Position, goal: Goal, *, seconds: float | None = None) -> Refutation | None:
    """Return a proof by pace or the merged hand that `goal` cannot be reached, or None.

    It takes milliseconds for most positions, more if there are thousands of choices. It also
    returns None after `seconds`.

    >>> from hanabi.rules import Rules
    >>> from hanabi import DeckSpec
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=1, hand_size=1, final_round=None)
    >>> print(*refute(Position.start(rules, [(0, 3), (0, 1), (0, 2)]), (3,)).steps)
    after 1 cards: all 1 cards in hand are needed: r3; none of them comes again
    """
    late = refute_by_pace(position, goal)
    if late is not None:
        return late
    refuter = Refuter(position, goal, Clock(seconds))
    try:
        if not refuter.is_lost(refuter.start):
            return None
    except BudgetEndedError:
        return None
    if refuter.choices == 1 and refuter.widest == 0:
        name = "full hands"
    else:
        name = "squeeze" if refuter.widest <= 1 else "merged hands"
    when = counted(len(position.deck) - refuter.sweep(refuter.start)[0].drawn, "card")
    summary = say(_SUMMARIES[name], when, counted(refuter.slots, "card"))
    return Refutation(name, summary, tuple(refuter.steps), refuter.choices)


_FULL = "even with one common hand and unlimited {hints}, with {} left to draw each of its {} is"
_SUMMARIES = {
    "full hands": f"{_FULL} still needed, none can be played, and none comes again",
    "squeeze": f"{_FULL} still needed and none can be played; at most one comes again, and"
    " discarding it loses too",
    "merged hands": f"{_FULL} still needed and none can be played; whichever is discarded, it is"
    " lost",
}
