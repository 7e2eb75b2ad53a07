"""A slow twin of the rules of the full game, in plain Python, written from the printed rules.

It shares no code with the kernel: cards are pairs, hands are lists, nothing is packed or counted
ahead.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass

from hanabi.game import Rules

Card = tuple[int, int]
Move = tuple[int, int, int]
"""Kind (0 play, 1 discard, 2 color hint, 3 rank hint, 4 play from the deck), target, value."""


@dataclass
class Held:
    """A card in hand: its place in the deck, and what hints leave possible."""

    index: int
    colors: set[int]
    ranks: set[int]


class SlowGame:
    """One position; `after` gives the next one."""

    def __init__(self, rules: Rules, deck: Sequence[Card]) -> None:
        self.rules, self.deck = rules, tuple((color, rank) for color, rank in deck)
        self.turn = self.drawn = self.errors = 0
        self.hints = rules.hints
        self.end_turn: int | None = None
        self.played: list[Card] = []
        self.discards: list[Card] = []
        self.hands: list[list[Held]] = []
        for _ in range(rules.seats):
            self.hands.append([])
            for _ in range(rules.hand_size):
                self.hands[-1].append(self.draw())

    @property
    def seat(self) -> int:
        return self.turn % self.rules.seats

    @property
    def heights(self) -> list[int]:
        return [sum(color == c for color, _ in self.played) for c in range(self.rules.colors)]

    @property
    def score(self) -> int:
        lost = self.errors == self.rules.lives and self.rules.bombed_scores_zero
        return 0 if lost else len(self.played)

    def draw(self) -> Held:
        rules = self.rules
        card = Held(self.drawn, set(range(rules.colors)), set(range(1, rules.ranks + 1)))
        self.drawn += 1
        if self.drawn == len(self.deck) and rules.final_round is not None:
            self.end_turn = self.turn + rules.final_round
        return card

    def can_be_won_more(self) -> bool:
        """Whether some next card can still reach the table."""
        reachable = set(self.deck[self.drawn :])
        for seat, hand in enumerate(self.hands):
            # Without an end in sight everyone acts again within one round.
            last = self.turn + self.rules.seats if self.end_turn is None else self.end_turn
            if any(turn % self.rules.seats == seat for turn in range(self.turn, last)):
                reachable |= {self.deck[held.index] for held in hand}
        return any((color, top + 1) in reachable for color, top in enumerate(self.heights))

    @property
    def end(self) -> str:
        rules = self.rules
        if self.errors == rules.lives:
            return "bombed"
        if self.heights == [len(row) for row in rules.spec.copies]:
            return "completed"
        if self.turn == self.end_turn:
            return "out of turns"
        if rules.stop_when_stuck and not self.can_be_won_more():
            return "stuck"
        return "in progress" if self.moves() else "no action"

    def moves(self) -> set[Move]:
        """All legal actions, should the game not be over."""
        rules = self.rules
        slots = range(len(self.hands[self.seat]))
        moves = {(0, slot, 0) for slot in slots}
        if self.hints != rules.hints or rules.discard_at_full_hints:
            moves |= {(1, slot, 0) for slot in slots}
        if rules.deck_plays and len(self.deck) - self.drawn == 1:
            moves.add((4, 0, 0))
        if self.hints:
            for seat in set(range(rules.seats)) - {self.seat}:
                hints = [(2, seat, color) for color in range(rules.colors)]
                hints += [(3, seat, rank) for rank in range(1, rules.ranks + 1)]
                moves |= {hint for hint in hints if rules.empty_hints or self.touched(hint)}
        return moves

    def legal(self) -> set[Move]:
        return self.moves() if self.end == "in progress" else set()

    def touched(self, hint: Move) -> list[int]:
        kind, seat, value = hint
        return [
            slot
            for slot, held in enumerate(self.hands[seat])
            if self.deck[held.index][kind - 2] == value
        ]

    def after(self, move: Move) -> SlowGame:
        game = copy.deepcopy(self, {id(self.rules): self.rules, id(self.deck): self.deck})
        game.take(move)
        return game

    def take(self, move: Move) -> None:
        kind, target, value = move
        hand = self.hands[self.seat]
        self.turn += 1
        if kind == 2 or kind == 3:
            self.hints -= 1
            touched = self.touched(move)
            for slot, held in enumerate(self.hands[target]):
                possible = held.colors if kind == 2 else held.ranks
                possible &= {value} if slot in touched else possible - {value}
        elif kind == 4:
            self.play(self.deck[self.draw().index])
        else:
            card = self.deck[hand.pop(target).index]
            if kind == 0:
                self.play(card)
            else:
                self.discards.append(card)
                self.regain_hint()
            if self.drawn < len(self.deck):
                hand.insert(target if self.rules.keep_slots else len(hand), self.draw())

    def play(self, card: Card) -> None:
        color, rank = card
        if self.heights[color] + 1 != rank:
            self.errors += 1
            self.discards.append(card)
            return
        self.played.append(card)
        if rank == len(self.rules.spec.copies[color]) and self.rules.completion_bonus:
            self.regain_hint()

    def regain_hint(self) -> None:
        self.hints = min(self.hints + 1, self.rules.hints)


def slow_perft(game: SlowGame, depth: int) -> int:
    """Number of sequences of `depth` legal actions, one by one."""
    if depth == 0:
        return 1
    return sum(slow_perft(game.after(move), depth - 1) for move in game.legal())
