"""A slow twin of the rules of the full game, in plain Python, written from the printed rules.

It shares no code with the kernel: cards are pairs, hands are lists, nothing is packed or counted
ahead.
"""

from __future__ import annotations

import copy
from collections import Counter
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
Move = tuple[int, int, int]
"""Kind (0 play, 1 discard, 2 color hint, 3 rank hint, 4 play from the deck), target, value."""


@dataclass
class Held:
    """A card in hand: its place in the deck, and the cards that hints leave possible."""

    index: int
    possible: set[Card]

    @property
    def colors(self) -> set[int]:
        return {color for color, _ in self.possible}

    @property
    def ranks(self) -> set[int]:
        return {rank for _, rank in self.possible}


class SlowGame:
    """One position; `after` gives the next one."""

    def __init__(self, rules: Rules, deck: Sequence[Card]) -> None:
        self.rules, self.deck = rules, tuple((color, rank) for color, rank in deck)
        self.turn = self.drawn = self.errors = 0
        self.is_starved = rules.half_tokens
        self.half_hints = 2 * rules.hints
        self.last_hint = 0
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
    def hints(self) -> int:
        return self.half_hints // 2

    @property
    def score(self) -> int:
        if self.rules.all_or_nothing and self.end not in ("in progress", "completed"):
            return 0
        if self.rules.speedrun and not self.can_be_perfect():
            return 0
        lost = self.errors == self.rules.lives and self.rules.bombed_scores_zero
        return 0 if lost else len(self.played)

    def draw(self) -> Held:
        rules = self.rules
        cards = {
            (color, rank) for color in range(rules.colors) for rank in range(1, rules.ranks + 1)
        }
        if rules.variant is not None:
            cards = set(self.deck)
        card = Held(self.drawn, cards)
        self.drawn += 1
        if self.drawn == len(self.deck) and rules.final_round is not None:
            self.end_turn = self.turn + rules.final_round
        return card

    @property
    def full(self) -> list[int]:
        """Cards of each complete pile."""
        v = self.rules.variant
        return [len(row) if v is None else v.ranks for row in self.rules.spec.copies]

    def can_be_won_more(self) -> bool:
        """Whether some next card can still reach the table."""
        rules = self.rules
        reachable = set(self.deck[self.drawn :])
        for seat, hand in enumerate(self.hands):
            # Without an end in sight everyone acts again within one round.
            last = self.turn + self.rules.seats if self.end_turn is None else self.end_turn
            if any(turn % self.rules.seats == seat for turn in range(self.turn, last)):
                reachable |= {self.deck[held.index] for held in hand}
        return any(can_follow(rules, self.played, card) for card in reachable)

    def can_be_perfect(self) -> bool:
        """Whether enough cards are left, whoever draws them, to complete every pile."""
        rules, ways = self.rules, 1
        for color in range(rules.colors):
            kept = Counter(card for card in self.deck if card[0] == color)
            kept.subtract(card for card in self.discards if card[0] == color)
            ways *= self._can_complete(color, [card for card in kept if kept[card] > 0])
        return ways > 0

    def is_dead(self, card: Card) -> bool:
        """Whether no way to play on, with the cards that are left, plays the card."""
        color = card[0]
        kept = Counter(self.deck)
        kept.subtract(self.discards)

        def go_on(played: list[Card]) -> bool:
            following = [
                other
                for other in kept
                if other[0] == color and kept[other] > 0 and can_follow(self.rules, played, other)
            ]
            return card in following or any(go_on([*played, other]) for other in following)

        return not go_on(self.played)

    def _can_complete(self, color: int, cards: list[Card]) -> bool:
        """Try all ways to complete one pile, the cards of the others as they are."""

        def go_on(played: list[Card]) -> bool:
            if sum(c == color for c, _ in played) == self.full[color]:
                return True
            return any(
                go_on([*played, card]) for card in cards if can_follow(self.rules, played, card)
            )

        return go_on(self.played)

    @property
    def end(self) -> str:
        rules = self.rules
        if self.errors == rules.lives:
            return "bombed"
        if self.heights == self.full:
            return "completed"
        if (rules.all_or_nothing or rules.speedrun) and not self.can_be_perfect():
            return "stuck"
        if self.turn == self.end_turn:
            return "out of turns"
        if rules.stop_when_stuck and not self.can_be_won_more():
            return "stuck"
        # hanab.live: only a seat without a card and without a token is out of options.
        waits = rules.all_or_nothing and self.hints > 0
        return "in progress" if self.moves() or waits else "no action"

    def moves(self) -> set[Move]:
        """All legal actions, should the game not be over."""
        rules = self.rules
        slots = range(len(self.hands[self.seat]))
        moves = {(0, slot, 0) for slot in slots}
        if self.half_hints != 2 * rules.hints or rules.discard_at_full_hints:
            moves |= {(1, slot, 0) for slot in slots}
        if rules.deck_plays and len(self.deck) - self.drawn == 1:
            moves.add((4, 0, 0))
            if (1, 0, 0) in moves and any(is_inverted(rules, (c, 1)) for c in range(rules.colors)):
                moves.add((5, 0, 0))
        if self.hints:
            takes_turns = rules.variant is not None and rules.variant.alternating_clues
            for seat in set(range(rules.seats)) - {self.seat}:
                for kind in (2, 3):
                    if takes_turns and kind == self.last_hint:
                        continue
                    hints = [(kind, seat, value) for value in clue_values(rules, kind)]
                    free = may_touch_nothing(rules, kind)
                    moves |= {hint for hint in hints if free or self.touched(hint)}
        return moves

    def legal(self) -> set[Move]:
        return self.moves() if self.end == "in progress" else set()

    def touched(self, hint: Move) -> list[int]:
        kind, seat, value = hint
        return [
            slot
            for slot, held in enumerate(self.hands[seat])
            if is_touched(self.rules, kind, value, self.deck[held.index])
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
            self.half_hints -= 2
            self.last_hint = kind
            touched = self.touched(move)
            for slot, held in enumerate(self.hands[target]):
                held.possible = {
                    card
                    for card in held.possible
                    if is_touched(self.rules, kind, value, card) == (slot in touched)
                }
        elif kind in (4, 5):
            self.use(self.deck[self.draw().index], is_play=kind == 4)
        else:
            self.use(self.deck[hand.pop(target).index], is_play=kind == 0)
            if self.drawn < len(self.deck):
                hand.insert(target if self.rules.keep_slots else len(hand), self.draw())

    def use(self, card: Card, *, is_play: bool) -> None:
        if is_inverted(self.rules, card):
            is_play = not is_play
        if is_play:
            self.play(card)
        else:
            self.discards.append(card)
            self.regain_hint()

    def play(self, card: Card) -> None:
        color, _ = card
        if not can_follow(self.rules, self.played, card):
            self.errors += 1
            self.discards.append(card)
            return
        self.played.append(card)
        if self.heights[color] == self.full[color] and self.rules.completion_bonus:
            self.regain_hint()

    def regain_hint(self) -> None:
        self.half_hints += 1 if self.is_starved else 2
        self.half_hints = min(self.half_hints, 2 * self.rules.hints)


def slow_perft(game: SlowGame, depth: int) -> int:
    """Number of sequences of `depth` legal actions, one by one."""
    if depth == 0:
        return 1
    return sum(slow_perft(game.after(move), depth - 1) for move in game.legal())
