"""The worth of an action to a seat that does not see its hand, by every deal and every line.

Nothing is shared with the judge: deals are tried by playing the game so far in each of them by the
slow twin of the rules, and nothing is merged but equal positions.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice, product

from hanabi.rules import Rules
from oracles.draws import Pair
from oracles.game import Card, Move, SlowGame


def deals(
    rules: Rules,
    deck: Sequence[Card],
    moves: Sequence[Move],
    known: Mapping[int, Collection[Card]] | None = None,
) -> Iterator[tuple[SlowGame, int]]:
    """Yield the positions that the seat to act cannot tell from the true one.

    There is one for each hand that it may hold, the other cards in order of color, and the number
    of deals, copies told apart, that have this hand.
    """
    truth = play(rules, deck, moves)
    assert truth is not None
    places = [held.index for held in truth.hands[truth.seat]] if not rules.open_hands else []
    drawn, size = truth.drawn, len(deck)
    unseen = Counter([deck[place] for place in (*places, *range(drawn, size))])
    for hand in hands(unseen, len(places)):
        slots = dict(enumerate(hand))
        if any(slots[slot] not in cards for slot, cards in (known or {}).items()):
            continue
        left = unseen - Counter(hand)
        order = list(deck)
        for place, card in zip(
            (*places, *range(drawn, size)), (*hand, *sorted(left.elements())), strict=True
        ):
            order[place] = card
        game = play(rules, order, moves)
        if game is not None and seen_by(truth) == seen_by(game):
            number = 1
            for card, copies in Counter(hand).items():
                for taken in range(copies):
                    number *= unseen[card] - taken
            yield game, number


def hands(unseen: Counter[Card], size: int) -> Iterator[tuple[Card, ...]]:
    if size == 0:
        yield ()
        return
    for card in sorted(unseen):
        rest = unseen - Counter([card])
        for others in hands(rest, size - 1):
            yield (card, *others)


def play(rules: Rules, deck: Sequence[Card], moves: Sequence[Move]) -> SlowGame | None:
    """The game so far; None if it could not have been played with this deck."""
    game = SlowGame(rules, deck)
    game.heard = []  # type: ignore[attr-defined]
    for move in moves:
        if move not in game.legal():
            return None
        heard = tuple(game.touched(move)) if move[0] in (2, 3) else ()
        game = game.after(move)
        game.heard.append(heard)  # type: ignore[attr-defined]
    return game if game.end == "in progress" else None


def seen_by(game: SlowGame) -> tuple[object, ...]:
    """What hints touched, and what the table shows."""
    return game.heard, game.played, game.discards, game.errors  # type: ignore[attr-defined]


class OpenHands:
    """The chance of all points and the expected score with open hands, by all lines."""

    def __init__(self) -> None:
        self.known: dict[tuple[object, ...], Pair] = {}

    def after(self, game: SlowGame, move: Move) -> Pair:
        """The value of a move, over all cards that may be drawn."""
        left = game.deck[game.drawn :]
        if move[0] in (2, 3) or not left:
            return self.best(game.after(move))
        chance = mean = Fraction(0)
        for card, copies in Counter(left).items():
            rest = Counter(left) - Counter([card])
            game.deck = (*game.deck[: game.drawn], card, *sorted(rest.elements()))
            pair = self.best(game.after(move))
            share = Fraction(copies, len(left))
            chance, mean = chance + share * pair[0], mean + share * pair[1]
        return chance, mean

    def best(self, game: SlowGame) -> Pair:
        if game.end != "in progress":
            return Fraction(game.score == sum(game.full)), Fraction(game.score)
        cards = [sorted(game.deck[held.index] for held in hand) for hand in game.hands]
        end = None if game.end_turn is None else game.end_turn - game.turn
        key = (
            *(tuple(hand) for hand in cards),
            tuple(game.played),
            tuple(sorted(game.discards)),
            tuple(sorted(game.deck[game.drawn :])),
            *(game.half_hints, game.errors, game.last_hint, game.seat, end),
        )
        if key not in self.known:
            # A game may wait forever: it is worth nothing.
            pairs = [self.after(game, move) for move in sorted(game.legal())] or [
                (Fraction(0),) * 2
            ]
            best = max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
            self.known[key] = best
        return self.known[key]


def mean_over_deals(found: Sequence[tuple[SlowGame, int]], move: Move, open_: OpenHands) -> Pair:
    """The mean over the deals if everybody sees all hands after a move."""
    total = sum(number for _, number in found)
    pairs = [(open_.after(game, move), number) for game, number in found]
    return (
        sum((pair[0] * number for pair, number in pairs), Fraction(0)) / total,
        sum((pair[1] * number for pair, number in pairs), Fraction(0)) / total,
    )


class TooLargeError(Exception):
    """A value takes too many steps."""


class Team:
    """The chance of all points of the best team in which one seat does not see its hand.

    Every choice of a move by the others in each deal is tried, and every action of the seat in each
    of its situations. Only moves are left out after which a deal is lost even with open hands.
    """

    def __init__(self, seat: int, steps: int) -> None:
        self.seat, self.steps, self.open = seat, steps, OpenHands()

    def after(self, found: Sequence[tuple[SlowGame, int]], move: Move) -> Fraction:
        total = sum(number for _, number in found)
        return self._sum([(game, Fraction(number, total), move) for game, number in found])

    def _sum(self, chosen: Sequence[tuple[SlowGame, Fraction, Move]]) -> Fraction:
        """The value if a move is made in each deal: one node for all that the seat may see."""
        self.steps -= 1
        if self.steps < 0:
            raise TooLargeError
        nodes: dict[object, list[tuple[SlowGame, Fraction]]] = {}
        for game, weight, move in chosen:
            is_own = game.seat == self.seat
            heard = tuple(game.touched(move)) if move[0] in (2, 3) and move[1] == self.seat else ()
            left = game.deck[game.drawn :]
            draws = Counter(left) if left and move[0] not in (2, 3) else {None: 1}
            for card, copies in draws.items():
                order = game.deck
                if card is not None:
                    rest = Counter(left) - Counter([card])
                    order = (*game.deck[: game.drawn], card, *sorted(rest.elements()))
                now = copy.copy(game)
                now.deck = order
                now = now.after(move)
                seen = (None if is_own else card), heard, now.end, tuple(now.played)
                key = *((move, *seen) if not is_own else seen), tuple(now.discards), now.errors
                nodes.setdefault(key, []).append(
                    (now, weight * Fraction(copies, sum(draws.values())))
                )
        return sum(map(self._node, nodes.values()), Fraction(0))

    def _node(self, deals: Sequence[tuple[SlowGame, Fraction]]) -> Fraction:
        deals = [(game, weight) for game, weight in deals if self.open.best(game)[0] > 0]
        if len(deals) < 2 or deals[0][0].end != "in progress":
            return sum((self.open.best(game)[0] * weight for game, weight in deals), Fraction(0))
        if deals[0][0].seat == self.seat:
            choices = [[move] * len(deals) for move in sorted(deals[0][0].legal())]
        else:
            each = [
                [move for move in sorted(game.legal()) if self.open.after(game, move)[0] > 0]
                for game, _ in deals
            ]
            choices = list(map(list, islice(product(*each), self.steps + 1)))
        return max(
            self._sum([(*deal, move) for deal, move in zip(deals, moves, strict=True)])
            for moves in choices
        )
