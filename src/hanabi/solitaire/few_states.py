"""Streams with few states: layers in plain Python that settle each card when it is drawn.

A state is (piles, hand). A card that fits is played at once, and the cards in hand that fit then.
Any other card above its pile is stored or let go, and never thrown away later, so the hand holds
only cards that are played from it. No proof is sought that a state may go, as in
:mod:`hanabi.solitaire.search_plain`, so there are more states, and each costs far less. That pays
where few states arise, which can be told beforehand. Only a card with an earlier and a later copy
leaves a choice, and few do at any one time where colors are few and short, or come one after
another.

No win is lost. A winning play may be taken to play each card as soon as it fits, and to store only
cards that it plays from the hand (the lemma of docs/complexity.md); so it goes through these
layers, as far as the rules below let it:

*The last copy* of a card above its pile is stored, as every card has to be played.
*A card that comes before its use* is let go: its next copy comes before a lower card of its color
that is neither played nor in hand, so it cannot be played until then, and the play that stores the
next copy instead holds less in between, and the same from there on.
"""

from __future__ import annotations

from math import comb

from hanabi.ground import NO_LIMIT, BudgetEndedError, Clock, Status, Verdict
from hanabi.solitaire.bounds import find_missing
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import Play

__all__ = ["bytes_of_a_state", "expected_states", "solve"]

_MOST_OPEN = 64  # cards that leave a choice at one time; more are too many states in any case

State = tuple[tuple[int, ...], int]
"""Piles by color, and the hand as a bit mask: bit `color * n + value - 1`."""


def expected_states(instance: Instance) -> int:
    """Return about how many states the layers of :func:`solve` hold together.

    A card is open from a copy until the next one, unless the first copy of some lower card comes
    later still: then it comes before its use. With b open cards, a layer is taken to have a state
    for each set of at most h of them. Piles that differ make more states, cards that are played
    already and full hands fewer. Streams with more than 64 open cards count as 2**64. O(N).

    >>> expected_states(Instance(1, [(0, 2), (0, 1), (0, 2), (0, 3)]))
    6
    """
    n, total = instance.n, instance.N
    cards = [k * n + v - 1 for k, v in _cards(instance)]
    first: dict[int, int] = {}
    for position, card in enumerate(cards):
        first.setdefault(card, position)
    last_below = [0] * instance.goal  # the latest of the first copies of all lower cards
    for card in range(instance.goal):
        if card % n:
            last_below[card] = max(last_below[card - 1], first.get(card - 1, total))
    change = [0] * (total + 1)
    after: dict[int, int] = {}
    for position in range(total - 1, -1, -1):
        card = cards[position]
        again = after.get(card, 0)
        if card % n and last_below[card] < again:
            change[position] += 1
            change[again] -= 1
        after[card] = position
    layers = dict.fromkeys(range(_MOST_OPEN + 1), 0)
    is_open = 0
    for step in change[:total]:
        is_open += step
        if is_open > _MOST_OPEN:
            return 1 << _MOST_OPEN
        layers[is_open] += 1
    states = 0
    for b, number in layers.items():
        if number:
            states += number * sum(comb(b, held) for held in range(min(b, instance.hand_size) + 1))
    return states


def bytes_of_a_state(instance: Instance) -> int:
    """Return about how many bytes a state takes in the memory of :func:`solve`."""
    return 250 + 8 * instance.c + instance.goal // 7


def solve(instance: Instance, *, states: int, clock: Clock = NO_LIMIT) -> Verdict[Play]:
    """Decide whether `instance` can be won, and give a winning play.

    After more than so many `states`, which all stay in memory, or when the clock runs out, the
    status is UNKNOWN. O(c + n) a state; exponentially many in the worst case.

    >>> verdict = solve(Instance(1, [(0, 2), (0, 1), (0, 2)]), states=100)
    >>> str(verdict.status), verdict.states
    ('winnable', 4)
    """
    goal = instance.goal
    run = _Run(instance, states, clock)
    play, lower, upper = None, 0, goal
    try:
        missing = find_missing(instance, "search", clock)
        if missing is not None:
            return missing
        chosen = run.find()
        if chosen is not None:
            play = eager_play(instance, chosen, clock)
            status, lower = Status.WINNABLE, goal
            reason = f"a line that plays {goal} cards was found"
        else:
            status, upper = Status.UNWINNABLE, goal - 1
            reason = f"all {run.states:,} states lead to a needed card that finds no room in hand"
    except BudgetEndedError as error:
        status, reason = Status.UNKNOWN, f"{error} after {run.states:,} states"
    return Verdict(
        status,
        "search",
        reason,
        witness=play,
        lower=lower,
        upper=upper,
        states=run.states,
        seconds=clock.elapsed,
    )


def _cards(instance: Instance) -> list[tuple[int, int]]:
    return list(zip(instance.colors, instance.values, strict=True))


class _Run:
    """The layers of one stream, in which every needed card occurs."""

    def __init__(self, instance: Instance, most: int, clock: Clock) -> None:
        self.n, self.c, self.hand_size = instance.n, instance.c, instance.hand_size
        self.cards = _cards(instance)
        self.most, self.clock, self.states = most, clock, 0
        # Of each card the first copy that is still to come.
        self.never = len(self.cards)
        self.upcoming = [self.never] * instance.goal
        self.following = [self.never] * self.never
        for position in range(self.never - 1, -1, -1):
            color, value = self.cards[position]
            card = color * self.n + value - 1
            self.following[position], self.upcoming[card] = self.upcoming[card], position

    def find(self) -> list[int] | None:
        """Return the 0-based positions of the copies that a winning line plays, or None.

        Raises BudgetEndedError.
        """
        won: State = (self.n,) * self.c, 0
        root: State = (0,) * self.c, 0
        layers = [{root: root}]  # each state, with the one before it
        while won not in layers[-1]:
            if not layers[-1] or len(layers) > self.never:
                return None
            self.clock.check()
            layers.append(self.next_layer(layers[-1], len(layers) - 1))
            self.states += len(layers[-1])
            if self.states > self.most:
                raise BudgetEndedError("given up")
        return self.trace(layers, won)

    def next_layer(self, layer: dict[State, State], position: int) -> dict[State, State]:
        """Return the states after the card at `position`, each with the one before it."""
        color, value = self.cards[position]
        first = color * self.n  # the bit of the color's 1
        bit = 1 << first + value - 1
        again = self.following[position]
        self.upcoming[first + value - 1] = again
        later = sum(  # the lower cards that come after the next copy
            1 << card for card in range(first, first + value - 1) if self.upcoming[card] > again
        )
        after: dict[State, State] = {}
        for state in layer:
            piles, hand = state
            height = piles[color]
            if value <= height or hand & bit:
                after[state] = state
                continue
            if value == height + 1:
                height = value
                while height < self.n and hand >> first + height & 1:
                    height += 1
                hand &= ~((1 << first + height) - (1 << first))
                after[(*piles[:color], height, *piles[color + 1 :]), hand] = state
                continue
            if again < self.never:
                after[state] = state
                if (later & ~hand) >> first + height:
                    continue
            if hand.bit_count() < self.hand_size:
                after[piles, hand | bit] = state
        return after

    def trace(self, layers: list[dict[State, State]], state: State) -> list[int]:
        """Follow a state back to the root; return the positions of the copies played."""
        chosen = []
        for position in range(len(layers) - 2, -1, -1):
            before = layers[position + 1][state]
            color, value = self.cards[position]
            is_played = state[0][color] > before[0][color]
            if is_played or (state[1] & ~before[1]) >> color * self.n + value - 1 & 1:
                chosen.append(position)
            state = before
        return chosen[::-1]
