"""Most points with all cards face up: every sequence of actions, in plain Python.

Shares no code with the solvers or the rules kernel and uses none of their reductions: any card may
be played, rightly or wrongly, and any may be discarded. Hands are compared as multisets, and hints
that touch a card are alike, for all cards are face up. Only for small decks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hanabi.game import Rules

Card = tuple[int, int]
Hands = tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A position: `turns_left` is None until the last card is drawn (or for good)."""

    piles: tuple[int, ...]
    hands: Hands
    drawn: int
    hints: int
    lives: int
    seat: int
    turns_left: int | None


def deal(rules: Rules, deck: Sequence[Card]) -> Table:
    size, seats = rules.hand_size, rules.seats
    hands = tuple(tuple(sorted(deck[s * size : (s + 1) * size])) for s in range(seats))
    drawn = size * seats
    left = rules.final_round if drawn == len(deck) else None
    return Table((0,) * rules.colors, hands, drawn, rules.hints, rules.lives, 0, left)


def successors(rules: Rules, deck: Sequence[Card], table: Table) -> list[Table]:
    """Every position one action later."""
    tops = [len(row) for row in rules.spec.copies]
    if table.lives == 0 or table.turns_left == 0 or list(table.piles) == tops:
        return []
    hand, results = table.hands[table.seat], []
    seat = (table.seat + 1) % rules.seats

    def after(card: Card | None, piles: tuple[int, ...], hints: int, lives: int) -> None:
        hands, drawn, left = list(table.hands), table.drawn, table.turns_left
        if left is not None:
            left -= 1
        if card is not None:
            rest = list(hand)
            rest.remove(card)
            if drawn < len(deck):
                rest.append(deck[drawn])
                drawn += 1
                if drawn == len(deck):
                    left = rules.final_round
            hands[table.seat] = tuple(sorted(rest))
        results.append(Table(piles, tuple(hands), drawn, hints, lives, seat, left))

    more = min(table.hints + 1, rules.hints)
    for card in set(hand):
        color, rank = card
        if table.piles[color] == rank - 1:
            piles = tuple(h + (c == color) for c, h in enumerate(table.piles))
            bonus = rules.completion_bonus and rank == tops[color]
            after(card, piles, more if bonus else table.hints, table.lives)
        else:
            after(card, table.piles, table.hints, table.lives - 1)
        if table.hints < rules.hints or rules.discard_at_full_hints:
            after(card, table.piles, more, table.lives)
    others = [cards for s, cards in enumerate(table.hands) if s != table.seat]
    if table.hints and others and (rules.empty_hints or any(others)):
        after(None, table.piles, table.hints - 1, table.lives)
    return results


def most_points(rules: Rules, deck: Sequence[Card], table: Table | None = None) -> int:
    """The most points that are on the piles at any time."""
    known: dict[Table, int] = {}
    best_of_all = sum(len(row) for row in rules.spec.copies)

    def search(table: Table) -> int:
        if table in known:
            return known[table]
        best = sum(table.piles)
        for successor in successors(rules, deck, table):
            if best == best_of_all:
                break
            if successor.lives:
                best = max(best, search(successor))
        known[table] = best
        return best

    return search(deal(rules, deck) if table is None else table)


def best_final_score(rules: Rules, deck: Sequence[Card], table: Table | None = None) -> int:
    """The best score when the game is over: the last error may take what is on the piles."""
    known: dict[Table, int] = {}

    def search(table: Table) -> int:
        if table not in known:
            after = successors(rules, deck, table)
            is_bombed = table.lives == 0 and rules.bombed_scores_zero
            score = 0 if is_bombed else sum(table.piles)
            known[table] = max(map(search, after)) if after else score
        return known[table]

    return search(deal(rules, deck) if table is None else table)
