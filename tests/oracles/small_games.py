"""Small games of a variant's kind, and all that is claimed of one held against all its lines.

The variant keeps what it does to clues, copies, piles and tokens; it loses suits, ranks and copies
until every sequence of actions can be tried.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from hanabi import Deck, DeckSpec
from hanabi.rules import Game, Rules
from hanabi.rules.variants import Variant
from hanabi.solvers.winnable import best
from oracles.game import SlowGame
from oracles.winnable import best_final_score

_MOST_CARDS = (6, 7, 8, 8, 9, 9, 10)
_FIVE = 5


@dataclass(frozen=True)
class Checked:
    """What a small game is, and whether it can be won; `wrong` says what was claimed falsely."""

    rules: Rules
    deck: Deck
    truth: int
    wrong: str | None

    @property
    def is_won(self) -> bool:
        return self.truth == self.rules.max_score

    def __str__(self) -> str:
        return f"{self.wrong or 'agrees'}: {self.rules}, {list(map(tuple, self.deck))}"


def check(variant: Variant, chance: Random, *, only_all: bool | None = None) -> Checked:
    """Draw a small game, and hold verdict, best score and line against every line there is."""
    rules, deck = small_game(variant, chance, only_all=only_all)
    truth = best_final_score(rules, [(color, rank) for color, rank in deck])
    return Checked(rules, deck, truth, _wrong(rules, deck, truth))


def _wrong(rules: Rules, deck: Deck, truth: int) -> str | None:
    verdict = best(Game.start(rules, deck))
    if verdict.is_winnable is not (truth == rules.max_score):
        return f"the verdict is {verdict.status}, the best score {truth}"
    if (verdict.lower, verdict.upper) != (truth, truth):
        return f"{verdict.lower} to {verdict.upper} points, the best score is {truth}"
    if verdict.witness is None:
        return None if truth == 0 else "no line"
    slow = SlowGame(rules, [(color, rank) for color, rank in deck])
    for number, action in enumerate(verdict.witness):
        move = (int(action.kind), action.target, action.value)
        if move not in slow.legal():
            return f"action {number} of the line, {action}, is not legal"
        slow = slow.after(move)
    if slow.end == "in progress" or slow.score != truth:
        return f"the line ends with {slow.score} points, {slow.end}; the best score is {truth}"
    return None


def small_game(
    variant: Variant, chance: Random, *, only_all: bool | None = None
) -> tuple[Rules, Deck]:
    """Return a game of a few cards for 2 or 3 seats, by the site's rules but for the numbers.

    `only_all` is whether the option allOrNothing is on, by default in one game of ten.
    """
    small = small_variant(variant, chance)
    spec = _fewer(small.spec, chance)
    seats = chance.choice((2, 2, 3)) if spec.size > 2 else 2
    largest = min(3 if seats == 2 else 2, spec.size // seats)
    rules = Rules.hanab_live(2, variant=variant)
    drawn = chance.random() < 0.1
    only_all = drawn if only_all is None else only_all
    rules = replace(
        rules,
        spec=spec,
        variant=small,
        seats=seats,
        hand_size=chance.randint(1, largest),
        hints=chance.choice((0, 1, 1, 2)),
        lives=chance.choice((1, 1, 2, 3)),
        final_round=None if only_all else seats,
        all_or_nothing=only_all,
        discard_at_full_hints=any(small.inverted),
    )
    cards = list(spec.cards())
    chance.shuffle(cards)
    return rules, Deck(cards)


def small_variant(variant: Variant, chance: Random) -> Variant:
    """Return a variant of the same kind with 1 to 3 of its suits and 2 to 4 ranks, few of both."""
    ranks = chance.choice((2, 4) if variant.up_or_down else (2, 3, 3, 4))
    most = min(ranks, 3) if variant.sudoku and ranks < 4 else 5 - ranks
    numbers = chance.sample(range(len(variant.suits)), chance.randint(1, most))
    return replace(
        variant,
        id=None,
        suits=tuple(variant.suits[number] for number in sorted(numbers)),
        ranks=ranks,
        named_clue_ranks=_named_ranks(variant, ranks),
        special_rank=_rank(variant.special_rank, ranks),
        critical_rank=min(variant.critical_rank, ranks - 1),
    )


def _rank(rank: int, ranks: int) -> int:
    """The same place in a shorter pile: the last rank stays the last one."""
    return ranks if rank == _FIVE else min(rank, ranks)


def _named_ranks(variant: Variant, ranks: int) -> tuple[int, ...] | None:
    named = variant.named_clue_ranks
    if named is None or variant.odds_and_evens:
        return named
    unnamed = {_rank(rank, ranks) for rank in range(1, _FIVE + 1) if rank not in named}
    kept = {_rank(rank, ranks) for rank in named} - unnamed
    return tuple(
        sorted(kept if variant.special_rank else {rank for rank in named if rank <= ranks})
    )


def _fewer(spec: DeckSpec, chance: Random) -> DeckSpec:
    """Take second and third copies away until the cards are few enough."""
    rows = [list(row) for row in spec.copies]
    most = chance.choice(_MOST_CARDS)
    while sum(map(sum, rows)) > most:
        spare = [(c, r) for c, row in enumerate(rows) for r, n in enumerate(row) if n > 1]
        if not spare:
            break
        color, rank = chance.choice(spare)
        rows[color][rank] -= 1
    return DeckSpec(tuple(map(tuple, rows)))
