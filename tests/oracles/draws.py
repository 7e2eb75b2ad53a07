"""The best play with open hands and an unknown deck, by trying all actions and all draws.

None of the solver's reductions are used: any card may be played or discarded, any hint given.
`best_by_all_lines` merges nothing at all and plays by the slow twin of the rules; `BestDraws`, for
larger decks, compares hands as multisets and takes hints of a kind for one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from hanabi.rules import Rules
from oracles.game import Move, SlowGame
from oracles.winnable import Card, Table, successors

Pair = tuple[Fraction, Fraction]
"""The chance of all points and the expected score, each by its own best play."""


def best_by_all_lines(game: SlowGame) -> Pair:
    if game.end != "in progress":
        return Fraction(game.score == sum(game.full)), Fraction(game.score)
    return _best([value_after(game, move) for move in game.legal()])


def value_after(game: SlowGame, move: Move) -> Pair:
    left = game.deck[game.drawn :]
    if move[0] in (2, 3) or not left:
        return best_by_all_lines(game.after(move))
    pairs = []
    for share, card, rest in _draws(left):
        dealt = SlowGame.__new__(SlowGame)
        vars(dealt).update(vars(game))
        dealt.deck = (*game.deck[: game.drawn], card, *rest)
        pairs.append((share, best_by_all_lines(dealt.after(move))))
    return _mean(pairs)


class BestDraws:
    """All values of one game's positions; `left` are the cards to be drawn, in order of color."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.known: dict[tuple[Table, tuple[Card, ...]], Pair] = {}

    def value(self, table: Table, left: tuple[Card, ...]) -> Pair:
        key = table, left
        if key not in self.known:
            pairs = self.of_actions(table, left)
            self.known[key] = _best(pairs) if pairs else self._final(table)
        return self.known[key]

    def of_actions(self, table: Table, left: tuple[Card, ...]) -> list[Pair]:
        """Values of the different actions; none if the game is over."""
        before = [(-1, -1)] * table.drawn  # nobody looks at what has been drawn
        if not left:
            return [self.value(each, ()) for each in successors(self.rules, before, table)]
        draws = [
            (share, rest, successors(self.rules, [*before, card, *rest], table))
            for share, card, rest in _draws(left)
        ]
        result = []
        for number, first in enumerate(draws[0][2]):
            if first.drawn == table.drawn:
                result.append(self.value(first, left))
                continue
            result.append(
                _mean([(share, self.value(to[number], rest)) for share, rest, to in draws])
            )
        return result

    def _final(self, table: Table) -> Pair:
        rules, score = self.rules, sum(table.piles)
        if table.lives == 0 and rules.bombed_scores_zero:
            score = 0
        if rules.all_or_nothing and score < rules.max_score:
            score = 0
        return Fraction(score == rules.max_score), Fraction(score)


def _draws(left: Sequence[Card]) -> Iterator[tuple[Fraction, Card, tuple[Card, ...]]]:
    for card, copies in sorted(Counter(left).items()):
        rest = sorted(left)
        rest.remove(card)
        yield Fraction(copies, len(left)), card, tuple(rest)


def _best(pairs: Sequence[Pair]) -> Pair:
    return max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)


def _mean(pairs: Sequence[tuple[Fraction, Pair]]) -> Pair:
    first = sum((share * pair[0] for share, pair in pairs), Fraction(0))
    return first, sum((share * pair[1] for share, pair in pairs), Fraction(0))
