"""The easy cases of Solitaire Hanabi by other algorithms: sets, sorting and the paper's heap."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from heapq import heappush, heapreplace
from itertools import count, islice

from hanabi.ground.clock import NO_LIMIT, Clock
from hanabi.ground.errors import SolverError
from hanabi.rules.cards import Card
from hanabi.solitaire import Instance, Play
from hanabi.solitaire.play import DrawAction
from hanabi.solitaire.unique import Greedy


def eager_play(instance: Instance, chosen: Iterable[int], clock: Clock = NO_LIMIT) -> Play:
    """Return the play that takes exactly the chosen cards, as early as possible."""
    n, goal = instance.n, instance.goal
    store, discard, play = map(int, DrawAction)
    wanted = bytearray(instance.N)
    for position in chosen:
        wanted[position] = 1
    positions, actions = array("i"), array("b")
    piles: dict[int, int] = {}  # not a list: c may be far more than the colors that occur
    held: dict[int, int] = {}
    played = 0
    cards = zip(instance.colors, instance.values, wanted, strict=True)
    for position, (color, value, is_wanted) in enumerate(clock.watch(cards), start=1):
        positions.append(position)
        if not is_wanted:
            actions.append(discard)
        elif value != piles.get(color, 0) + 1:
            actions.append(store)
            held[color * n + value] = position
        else:
            actions.append(play)
            played += 1
            while value < n and (above := held.pop(color * n + value + 1, 0)):
                positions.append(above)
                actions.append(play)
                value += 1
                played += 1
            piles[color] = value
        if played == goal:
            break
    return Play.from_columns(memoryview(positions), memoryview(actions))


class SlowUnique:
    """No card repeats."""

    def __init__(self, instance: Instance, clock: Clock) -> None:
        self.instance = instance
        self.clock = clock
        self.cards = list(clock.watch(zip(instance.colors, instance.values, strict=True)))
        self.position_of: dict[tuple[int, int], int] = {}
        for position, card in enumerate(clock.watch(self.cards), start=1):
            first = self.position_of.setdefault(card, position)
            if first != position:
                raise SolverError(
                    f"unique: card {instance.card_name(*card)} occurs twice, at positions {first}"
                    f" and {position}; this solver needs r = 1"
                )

    def greedy(self) -> Greedy:
        """Play as early as possible, whatever the hand grows to."""
        piles: dict[int, int] = {}
        hand: set[tuple[int, int]] = set()
        most_held = overflow = 0
        for position, (color, value) in enumerate(self.clock.watch(self.cards), start=1):
            if value != piles.get(color, 0) + 1:
                hand.add((color, value))
                most_held = max(most_held, len(hand))
                if not overflow and most_held > self.instance.hand_size:
                    overflow = position
                continue
            while (color, value + 1) in hand:
                value += 1
                hand.remove((color, value))
            piles[color] = value
        is_complete = len(self.cards) == self.instance.goal
        missing = None if is_complete else self.instance.missing_card(self.clock)
        return Greedy(most_held, overflow, missing)

    def winning_play(self) -> Play:
        """Return the play of a stream that can be won."""
        return eager_play(self.instance, range(len(self.cards)), self.clock)

    def bounds(self) -> tuple[int, int]:
        """Return bounds on the most cards that can be played."""
        h = self.instance.hand_size
        limits: dict[int, int] = {}
        for color, _ in self.clock.watch(self.cards):
            if color not in limits:
                limits[color] = next(
                    value - 1 for value in count(1) if (color, value) not in self.position_of
                )
        upper = possible = sum(limits.values())
        piles = dict.fromkeys(limits, 0)
        hand: set[tuple[int, int]] = set()
        for color, value in self.clock.watch(self.cards):
            if value > limits[color]:
                continue
            hand.add((color, value))
            while (color, piles[color] + 1) in hand:
                piles[color] += 1
                hand.remove((color, piles[color]))
            if len(hand) > h:
                if upper == possible:
                    upper -= min(limits[color] - value + 1 for color, value in hand)
                while (color, limits[color]) not in hand:
                    limits[color] -= 1
                hand.remove((color, limits[color]))
                limits[color] -= 1
        return sum(piles.values()), upper

    def most_left(self) -> tuple[int, int]:
        """Return the thickness, and the farthest that sorting moves a card to the left."""
        return self.interval_thickness(), self.bubble_sort_passes()

    def last_needed(self) -> memoryview:
        """Return f of every position."""
        needed = array("i", bytes(4 * len(self.cards)))
        previous_color, last = -1, 0
        for color, value in sorted(self.position_of):
            position = self.position_of[color, value]
            last = max(last, position) if color == previous_color else position
            needed[position - 1] = last
            previous_color = color
        return memoryview(needed).toreadonly()

    def interval_thickness(self) -> int:
        """Return the most intervals that meet any position."""
        ends = [0] * (len(self.cards) + 1)
        for last in self.last_needed():
            ends[last] += 1
        thickness = held = 0
        for ended in ends[1:]:
            held += 1 - ended
            thickness = max(thickness, held)
        return thickness

    def bubble_sort_passes(self) -> int:
        """Return the farthest that sorting moves a card to the left."""
        needed = self.last_needed()
        order = sorted(range(len(self.cards)), key=lambda i: (needed[i], self.cards[i][1]))
        return max((i - place for place, i in enumerate(order)), default=0)


class SlowLazy:
    """One color, with the paper's vectors and its heap."""

    def __init__(self, instance: Instance, n: int, clock: Clock) -> None:
        self.instance = instance
        self.n = n
        self.clock = clock
        self.last = [0] * (n + 1)
        self.previous = [0] * (instance.N + 1)
        self.chosen: list[int] = []
        self.marks = None
        for position, value in enumerate(clock.watch(instance.values), start=1):
            if value <= n:
                self.previous[position] = self.last[value]
                self.last[value] = position

    def first_missing(self) -> int:
        """Return the smallest value that never occurs, or 0."""
        return next((value for value in range(1, self.n + 1) if not self.last[value]), 0)

    def filter(self, n: int, hand_size: int) -> int:
        """Find the last playable indices of n, n-1, ..., 1; return 0 or the value without one."""
        self.chosen = [0] * (n + 1)
        # The smallest h + 1 indices of larger values. The largest is wanted, and heapq has the
        # smallest in front, so they are negated.
        heap: list[int] = []
        for value in self.clock.watch(range(n, 0, -1)):
            position = self.last[value]
            if len(heap) > hand_size:
                while position > -heap[0]:
                    position = self.previous[position]
            if position == 0:
                return value
            self.chosen[value] = position
            if len(heap) > hand_size:
                heapreplace(heap, -position)
            else:
                heappush(heap, -position)
        return 0

    def playable(self) -> memoryview:
        """Return the last playable indices."""
        return memoryview(array("i", self.chosen[1:])).toreadonly()

    def witnesses(self, value: int, count: int) -> tuple[int, ...]:
        """Return at most `count` larger values that are in hand when `value` first comes."""
        first = self.last[value]
        while self.previous[first]:
            first = self.previous[first]
        # The largest are the ones that depend least on earlier strikes.
        larger = (u for u in range(self.n, value, -1) if self.chosen[u] < first)
        return tuple(sorted(islice(larger, count)))

    def play(self, _: object) -> Play:
        """Return the lazy play of a stream that can be won."""
        positions = (position - 1 for position in self.chosen[1:])
        return eager_play(self.instance, positions, self.clock)


class SlowForced:
    """The copies of a stream without a choice."""

    def __init__(self, instance: Instance, clock: Clock) -> None:
        self.instance, self.clock = instance, clock
        n, may_hold = instance.n, instance.n <= 2
        self.chosen = [0] * (instance.goal + 1)  # of card color * n + value: its position, or 0
        piles = [0] * instance.c
        cards = zip(instance.colors, instance.values, strict=True)
        for position, (color, value) in enumerate(clock.watch(cards), start=1):
            if value == piles[color] + 1:
                piles[color] = value
                self.chosen[color * n + value] = position
            elif may_hold and piles[color] == 0:
                self.chosen[color * n + 2] = position  # the last 2 before 1, unless one follows

    def _windows(self) -> list[tuple[int, int, int]]:
        """Return the color of each window, and when it opens and closes."""
        if self.instance.n < 2:
            return []
        pairs = zip(self.chosen[1::2], self.chosen[2::2], strict=True)
        return [(color, two, one) for color, (one, two) in enumerate(pairs) if two < one]

    def most_open(self) -> tuple[int, int, int]:
        """Return how many windows there are, how many are open at once, and after which card."""
        windows = self._windows()
        change = [0] * (self.instance.N + 1)
        for _, opens, closes in self.clock.watch(windows):
            change[opens] += 1
            change[closes] -= 1
        most = n_open = position = 0
        for i, step in enumerate(self.clock.watch(change)):
            n_open += step
            if n_open > most:
                most, position = n_open, i
        return len(windows), most, position

    def open_after(self, position: int, count: int) -> list[tuple[int, int, int]]:
        """Return at most `count` of the windows that are open after the card at a position."""
        opened = (each for each in self._windows() if each[1] <= position < each[2])
        return list(islice(opened, count))

    def progress(self) -> tuple[int, Card | None]:
        """Return how many cards are played, and the first that is not, or None."""
        n = self.instance.n
        card = next((card for card in range(1, len(self.chosen)) if not self.chosen[card]), 0)
        stuck = Card((card - 1) // n, (card - 1) % n + 1) if card else None
        return len(self.chosen) - self.chosen.count(0), stuck

    def play_chosen(self, chosen: list[int]) -> Play:
        """Return the play of a stream that can be won."""
        return eager_play(self.instance, (at - 1 for at in chosen[1:]), self.clock)
