"""Most points with all cards face up: every sequence of actions, in plain Python.

Shares no code with the solvers or the rules kernel and uses none of their reductions: any card may
be played, rightly or wrongly, and any may be discarded. Hands are compared as multisets, and hints
that touch a card are alike, for all cards are face up. Only for small decks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hanabi.rules import Rules
from oracles.variants import (
    can_follow,
    clue_values,
    is_inverted,
    is_touched,
    may_touch_nothing,
)

Card = tuple[int, int]
Hands = tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A position: `turns_left` is None until the last card is drawn (or for good).

    Hints are counted in what a discard gives back. In a variant `played` are the ranks on each
    pile, and `last_hint` is the kind of the last hint if that matters.
    """

    piles: tuple[int, ...]
    hands: Hands
    drawn: int
    hints: int
    lives: int
    seat: int
    turns_left: int | None
    played: tuple[tuple[int, ...], ...] = ()
    last_hint: int = 0


def deal(rules: Rules, deck: Sequence[Card]) -> Table:
    size, seats = rules.hand_size, rules.seats
    hands = tuple(tuple(sorted(deck[s * size : (s + 1) * size])) for s in range(seats))
    drawn = size * seats
    left = rules.final_round if drawn == len(deck) else None
    piles, credit = (0,) * rules.colors, rules.hints * cost_of(rules)
    return Table(piles, hands, drawn, credit, rules.lives, 0, left, ((),) * rules.colors)


def cost_of(rules: Rules) -> int:
    return 2 if rules.half_tokens else 1


def fits(rules: Rules, table: Table, card: Card) -> bool:
    if rules.variant is None:
        return table.piles[card[0]] == card[1] - 1
    played = [(color, rank) for color, ranks in enumerate(table.played) for rank in ranks]
    return can_follow(rules, played, card)


def can_score_more(rules: Rules, deck: Sequence[Card], table: Table) -> bool:
    """Whether a card fits that is in the deck, or in a hand that has a turn left."""
    left = rules.seats if table.turns_left is None else min(table.turns_left, rules.seats)
    seats = [(table.seat + turn) % rules.seats for turn in range(left)]
    cards = [*deck[table.drawn :], *(card for seat in seats for card in table.hands[seat])]
    return any(fits(rules, table, card) for card in cards)


def hints(rules: Rules, table: Table) -> set[int]:
    """The kinds of hints that can be given: 0 for any, 2 and 3 where kinds take turns."""
    others = [cards for s, cards in enumerate(table.hands) if s != table.seat]
    if table.hints < cost_of(rules) or not others:
        return set()
    v = rules.variant
    if v is None:
        return {0} if rules.empty_hints or any(others) else set()
    kinds = {
        kind
        for kind in (2, 3)
        if any(
            may_touch_nothing(rules, kind)
            or any(is_touched(rules, kind, value, card) for cards in others for card in cards)
            for value in clue_values(rules, kind)
        )
    }
    if not v.alternating_clues:
        return {0} if kinds else set()
    return kinds - {table.last_hint}


def successors(rules: Rules, deck: Sequence[Card], table: Table) -> list[Table]:
    """Every position one action later."""
    v = rules.variant
    tops = [len(row) if v is None else v.ranks for row in rules.spec.copies]
    if table.lives == 0 or table.turns_left == 0 or list(table.piles) == tops:
        return []
    if rules.stop_when_stuck and not can_score_more(rules, deck, table):
        return []
    hand, results = table.hands[table.seat], []
    seat = (table.seat + 1) % rules.seats

    def after(
        card: Card | None, piles: tuple[int, ...], hints: int, lives: int, hint: int | None = None
    ) -> None:
        played = table.played
        if card is not None and v is not None and piles != table.piles:
            played = tuple(
                (*ranks, card[1]) if c == card[0] else ranks for c, ranks in enumerate(played)
            )
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
        last = table.last_hint if hint is None else hint
        results.append(Table(piles, tuple(hands), drawn, hints, lives, seat, left, played, last))

    full = rules.hints * cost_of(rules)
    more = min(table.hints + 1, full)
    may_discard = table.hints < full or rules.discard_at_full_hints
    for card in set(hand):
        color, _ = card
        # Of an inverted card the play is the discard, and the other way round.
        inverted = is_inverted(rules, card)
        if inverted and not may_discard:
            pass
        elif fits(rules, table, card):
            piles = tuple(h + (c == color) for c, h in enumerate(table.piles))
            bonus = rules.completion_bonus and piles[color] == tops[color]
            after(card, piles, more if bonus else table.hints, table.lives)
        else:
            after(card, table.piles, table.hints, table.lives - 1)
        if inverted or may_discard:
            after(card, table.piles, more, table.lives)
    for kind in hints(rules, table):
        after(None, table.piles, table.hints - cost_of(rules), table.lives, kind)
    return results


def most_points(rules: Rules, deck: Sequence[Card], table: Table | None = None) -> int:
    """The most points that are on the piles at any time."""
    known: dict[Table, int] = {}
    best_of_all = rules.max_score

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


def fewest_turns(rules: Rules, deck: Sequence[Card], table: Table | None = None) -> tuple[int, int]:
    """The most points that are on the piles at any time, and the fewest turns after which they are.

    All positions after one turn, then all after two, and so on.
    """
    layer = {deal(rules, deck) if table is None else table}
    seen, turns, found = set(layer), 0, (-1, 0)
    while layer:
        most = max(sum(each.piles) for each in layer)
        if most > found[0]:
            found = most, turns
        if most == rules.max_score:
            break
        after = {new for each in layer for new in successors(rules, deck, each) if new.lives}
        layer = after - seen
        seen |= layer
        turns += 1
    return found


def best_final_score(rules: Rules, deck: Sequence[Card], table: Table | None = None) -> int:
    """The best score when the game is over: the last error may take what is on the piles.

    Under the option allOrNothing less than all is worth nothing, wherever the game ends.
    """
    known: dict[Table, int] = {}

    def search(table: Table) -> int:
        if table not in known:
            after = successors(rules, deck, table)
            is_bombed = table.lives == 0 and rules.bombed_scores_zero
            score = 0 if is_bombed else sum(table.piles)
            if rules.all_or_nothing and score < rules.max_score:
                score = 0
            if after:
                score = 0
            for successor in after:
                score = max(score, search(successor))
                if score == rules.max_score:
                    break
            known[table] = score
        return known[table]

    return search(deal(rules, deck) if table is None else table)
