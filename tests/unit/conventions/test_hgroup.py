"""The H-Group's conventions: a text-book of positions, written after the guide's statements.

Hands are written as hanab.live shows them, the newest card on the left, and slots count from there,
from 1. The seats are A, B, C, D, and A gives the hint unless a line says otherwise. `r4:4` is a red
4 that number 4 has touched, `r4+` one that is chop moved, `*r4` one drawn after the deal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from hanabi.conventions import HGroup, expected, readings, slips
from hanabi.conventions import player as module
from hanabi.conventions.choice import options
from hanabi.conventions.clues import Clue, clue_of
from hanabi.conventions.conventions import LEVELS
from hanabi.conventions.explain import tell_hint
from hanabi.conventions.following import Follower, act_out, give, pass_by
from hanabi.conventions.reading import meanings
from hanabi.conventions.table import UNSEEN, Mind, bits
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import RandomLegal, parse_player, play_game
from hanabi.rules import Action, Game, Rules, discard, hint_color, hint_rank, play, play_deck
from hanabi.rules.cards import Card
from hanabi.rules.config import PRESETS
from hanabi.rules.telling import clue_colors
from hanabi.rules.variants import find_variant

SEATS = "ABCD"
AWAY = "y1 g1 b1 p1 g1"  # a hand that matters to nobody


def left_with(mind: Mind, credit: int, lives: int = 3) -> None:
    """Set the balance of hint tokens, and err until so many lives are left."""
    mind.tally = mind.tally.with_credit(credit)
    while mind.lives > lives:
        mind.tally = mind.tally.use(None, is_play=True)


def drawn(mind: Mind) -> int:
    """Return how many cards are drawn."""
    return mind.rules.deck_size - mind.deck_left


class Board:
    """A position as one seat sees it, and what happens in it."""

    def __init__(
        self,
        level: int,
        piles: str,
        out: str,
        hands: list[str],
        how: str,
        reader: str,
        variant: str = "No Variant",
    ):
        rules = Rules.hanab_live(len(hands), variant=variant)
        self.variant = find_variant(variant)
        self.letters = self.variant.letters
        self.mind = mind = Mind(rules, SEATS.index(reader), 0, level)
        mind.is_early = "early" in how
        dumped = re.search(r"double:(\w\d)", how)
        mind.dumped = self.kind_of(dumped[1]) if dumped else -1
        mind.alarm = 0 if "scream" in how else -1
        mind.moved = (1 << rules.hand_size) - 1 if "locked" in how else 0
        for each in piles.split():
            for rank in range(1, int(each[1]) + 1):
                mind.put(self.kind_of(f"{each[0]}{rank}"), is_play=True)
        for each in out.split():
            mind.put(self.kind_of(each), is_play=False)
        left_with(mind, rules.hints * rules.hint_cost if "full" in how else 5)
        self.kinds: dict[int, int] = {}
        for seat, text in enumerate(hands):
            self._deal(seat, text.split())
        while "end" in how and mind.deck_left > 1:
            mind.tally = mind.tally.draw()

    def kind_of(self, text: str) -> int:
        return self.letters.index(text[0]) * 5 + int(text[1]) - 1

    def _deal(self, seat: int, cards: list[str]) -> None:
        mind, size = self.mind, self.mind.rules.hand_size
        orders = []
        for at, text in enumerate(reversed(cards)):
            match = re.fullmatch(r"(\*?)([a-z][1-5])(?::(\w+))?(\+?)", text)
            assert match, text
            order = seat * size + at
            if match[1]:
                order, mind.tally = drawn(mind), mind.tally.draw()
            orders.append(order)
            self.kinds[order] = self.kind_of(match[2])
            mind.owner[order] = seat
            mind.card[order] = UNSEEN if seat == mind.me else self.kinds[order]
            for each in match[3] or "":
                hint = (
                    hint_rank(0, int(each)) if each.isdigit() else hint_color(0, self.color(each))
                )
                mind.allowed[order] &= mind.deal.touch[hint.kind, hint.value]
                mind.touched |= 1 << order
                mind.since[order] = 0
            mind.moved |= (1 << order) if match[4] else 0
        mind.hands[seat] = orders

    def clue(self, text: str) -> Clue:
        what, target = text.split()
        seat = SEATS.index(target)
        hint = hint_rank(seat, int(what)) if what.isdigit() else hint_color(seat, self.color(what))
        mask = self.mind.deal.touch[hint.kind, hint.value]
        touched = [order for order in self.mind.hands[seat] if mask >> self.kinds[order] & 1]
        found = clue_of(self.mind, hint, touched)
        assert found is not None
        return found

    def color(self, text: str) -> int:
        """Return the number of a color by its name, or by its suit's letter."""
        names = clue_colors(self.mind.rules)
        suits = self.variant.suits
        own = text if len(text) > 1 else suits[self.letters.index(text)].clue_colors[0].lower()
        return names.index(own)

    def slot(self, order: int) -> str:
        hand = self.mind.hands[self.mind.owner[order]]
        return str(len(hand) - hand.index(order))

    def cards(self, mask: int) -> str:
        return ",".join(self.mind.deal.names(1 << kind) for kind in bits(mask)) or "-"

    def read(self, text: str) -> str:
        """Return the focus and its meanings for the reader, in short."""
        clue, said = self.clue(text), []
        for each in meanings(self.mind, clue, self.mind.me):
            parts = [each.convention.name, self.cards(each.kinds)]
            for step in each.steps:
                how = "!" if step.is_blind else ""
                under = "".join(f"/{self.slot(order)}" for order in step.under)
                place = f"{SEATS[step.seat]}{self.slot(step.order)}{under}"
                parts.append(f"<{place}={self.cards(1 << step.kind)}{how}")
            if each.moved:
                parts.append(
                    "+" + "".join(self.slot(order) for order in reversed([*bits(each.moved)]))
                )
            if each.idle:
                parts.append(
                    "-" + "".join(self.slot(order) for order in reversed([*bits(each.idle)]))
                )
            said.append(" ".join(parts))
        merged: dict[str, str] = {}
        for each_said in said:  # several cards by the same convention, without steps, in one
            name, _, rest = each_said.rpartition(" ")
            is_plain = re.fullmatch(r"[a-z]\d(,[a-z]\d)*", rest) and "<" not in each_said
            key = name if is_plain else each_said
            merged[key] = f"{merged[key]},{rest}" if key in merged else each_said
        return f"{self.slot(clue.focus)}: " + "; ".join(merged.values())

    def move(self, text: str) -> None:
        """Play on: `red C`, `plays 2`, `discards 5` (slots of the seat to act)."""
        mind, what = self.mind, text.split()
        seat = mind.seat
        if what[0] in ("plays", "discards"):
            hand = mind.hands[seat]
            order = hand[len(hand) - int(what[1])]
            kind = self.kinds[order]
            is_right = bool(mind.playable >> kind & 1)
            how = "discard" if what[0] == "discards" else "play" if is_right else "misplay"
            act_out(mind, seat, order, kind, how)
            if mind.deck_left:
                self.kinds[drawn(mind)] = new = mind.deal.kind(Card(mind.rules.colors - 1, 4))
                mind.draw(seat, drawn(mind), UNSEEN if seat == mind.me else new)
        else:
            clue = self.clue(text)
            give(mind, clue)
            pass_by(mind, clue)
        mind.turn += 1
        mind.seat = (seat + 1) % mind.rules.seats

    def blind(self) -> str:
        """Return the untouched cards that are to be played, and as what."""
        found = [
            SEATS[self.mind.owner[each]] + self.slot(each)
            for each in bits(self.mind.blind & ~self.mind.touched)
        ]
        return " ".join(f"{each}={self.belief(each)}" for each in found)

    def belief(self, text: str) -> str:
        hand = self.mind.hands[SEATS.index(text[0])]
        order = hand[len(hand) - int(text[1])]
        if self.mind.moved >> order & 1:
            return "+"
        if self.mind.inferred[order] == self.mind.allowed[order] == self.mind.deal.full:
            return "?"
        return self.cards(self.mind.belief(order))


# Single hints: level, piles, discards, hands from B, circumstances, hint, reader, meaning.

ONES = "r1 y1 g1 b1 p1"
TEXTBOOK = """
1 |  |  | y4 r1 g3 p4 b3 / y4 g3 b4 p4 r4 |  | red B | B | 2: Play Clue r1
1 |  |  | y4 r1 g3 p4 b3 / y4 g3 b4 p4 r4 |  | 1 B | B | 2: Play Clue r1,y1,g1,b1,p1
1 | r1 b1 |  | y4 g1 g3 p4 b3 / y4 g3 b4 p4 r4 |  | 1 B | B | 2: Play Clue y1,g1,p1
1 |  |  | y4 r1 g3 r4 b3 / y4 g3 b4 p4 r4 |  | red B | B | 2: Play Clue r1
1 |  |  | r3 r4 g3 b3 r1 / y4 g3 b4 p4 r4 | early | red B | B | 5: Play Clue r1
1 |  |  | y4 g3 b3 p3 r5 / y4 g3 b4 p4 r4 |  | 5 B | B | 5: 5 Save r5,y5,g5,b5,p5
1 | b4 |  | y4 g3 b3 p3 r5 / y4 g3 b2 p4 r4 |  | 5 B | B | 5: 5 Save r5,y5,g5,b5,p5; Play Clue b5
1 |  |  | y4 g3 b3 p3 r1 / y4 g3 b4 p4 r4 |  | red B | B | 5: Play Clue r1
1 |  |  | y4 g3 b3 p3 r2 / y4 g3 b4 p4 r4 |  | 2 B | B | 5: 2 Save r2,y2,g2,b2,p2
1 |  |  | y4 g3 b3 p3 r2 / y4 g3 y2 p4 r4 |  | 2 B | B | 5: 2 Save r2,g2,b2,p2
1 |  |  | y4 g3 b3 p3 r2 / y4 g3 b4 p4 y2 |  | 2 B | B | 5: 2 Save r2,y2,g2,b2,p2
1 |  |  | y4 r2 b3 p3 g4 / y4 g3 b4 p4 r4 |  | 2 B | B | 2:
1 | b1 | b4 | y4 g3 p3 b4 r5:5 / y4 g3 b3 p4 r4 |  | blue B | B | 4: Critical Save b4; Play Clue b2
1 |  | r4 | y3 g3 b3 p3 r4 / y4 g3 b4 p4 b5 |  | 4 B | B | 5: Critical Save r4
1 | b1 | b4 | y4 b4 p3 g3 y3 / y4 g3 b3 p4 r4 |  | blue B | B | 2: Play Clue b2
1 | r1 |  | y4 r3 p3 g3 y3 / y4 r2:r2 b3 p4 r4 |  | red B | B | 2: Play Clue r3
1 | p4 |  | y4 p5 r3 g3 y3 / y4 r2 b3 b4 r4 |  | purple B | B | 2: Play Clue p5
1 | r1 |  | y4 r3 p3 g3 y3 / y4 r2:r b3 p4 b4 |  | red B | B | 2: Prompt r3 <C2=r2
1 | r1 |  | y4 r3 p3 g3 y3 / y4 r2:r b3 p4 b4 |  | red B | C | 2: Prompt r3 <C2=r2
1 |  |  | r1 y4 p3 g3 y3 / y4 r2 b3 p4 b4 |  | red C | C | 2: Play Clue r1; Finesse r2 <B1=r1!
1 |  |  | r1 y4 p3 g3 y3 / y4 r2 b3 p4 b4 |  | red C | B | 2: Finesse r2 <B1=r1!
1 |  |  | p4:p y4:y r1 g3 y3 / y4 r2 b3 p3 b4 |  | red C | B | 2: Finesse r2 <B3=r1!
1 | r1 |  | r2 y4 r3:r g3 y3 / y4 r3 b3 p3 b4 |  | red C | B | 2: Prompt r3 <B3=r2
1 | r1 |  | y4 g4 p3 g3 y3 / y4 r3 b3 r2 b4 |  | red C | B | 2:
1 |  |  | y4 r2 p3 g3 y3 / r1 y4 b3 p4 b4 |  | red B | B | 2: Play Clue r1
1 | r1 |  | y4 g4 r2 g3 r4:r / y4 g3 b4 p4 r4 |  | red B | B | 3: Play Clue r2
1 | r1 |  | y4 r2:2 g3 r4:4 b3 / y4 g3 b4 p4 p3 |  | red B | B | 2: Play Clue r2
2 |  |  | y4 r5 g3 p4 b3 / y4 g3 b4 p4 r4 | early | 5 B | B | 2: 5 Stall r5,y5,g5,b5,p5
2 | r4 |  | y4 r5 g3 p4 b3 / y4 g3 b4 p4 y3 |  | 5 B | B | 2: Play Clue r5
2 |  |  | y4 r5 g3 p4 b3 / y4 g3 b4 p4 r4 | full | 5 B | B | 2: 5 Stall r5,y5,g5,b5,p5
1 |  |  | y4 r5 g3 p4 b3 / y4 g3 b4 p4 r4 | early | 5 B | B | 2:
2 |  |  | y4 g3 p4 b3 r5 / y4 g3 b4 p4 r4 | early | 5 B | B | 5: 5 Save r5,y5,g5,b5,p5
2 | r1 |  | y4 r2:r r3:r p4 b3 / y4 r4 g3 b4 p4 |  | red C | B | \
2: Double Prompt or Finesse r4 <B2=r2 <B3=r3
1 | r1 |  | y4 r2:r r3:r p4 b3 / y4 r4 g3 b4 p4 |  | red C | B | 2:
2 | r1 |  | r2 y4 p4 b3 / r3 g4 b4 p3 / y4 r4 g3 b4 |  | red D | B | \
2: Double Prompt or Finesse r4 <B1=r2! <C1=r3!
2 | r1 |  | r2 y4 p4 b3 / r3 g4 b4 p3 / y4 r4 g3 b4 |  | red D | D | \
2: Play Clue r2; Finesse r3 <B1=r2!; Double Prompt or Finesse r4 <B1=r2! <C1=r3!
2 |  |  | r1 r2 y4 p4 b3 / y4 r3 g3 b4 p3 |  | red C | C | \
2: Play Clue r1; Finesse r2 <B1=r1!; Double Prompt or Finesse r3 <B1=r1! <B2=r2!
2 |  |  | r1 r2 y4 p4 b3 / y4 r3 g3 b4 p3 |  | red C | B | \
2: Double Prompt or Finesse r3 <B1=r1! <B2=r2!
2 | r1 |  | r3 y4 p4 r2:r b3 / y4 r4 g3 b4 p3 |  | red C | B | \
2: Double Prompt or Finesse r4 <B4=r2 <B1=r3!
2 |  |  | y4 r2 g3 p4 b3 / r1 y4 b4 p4 p3 |  | red B | B | \
2: Play Clue r1; Reverse Finesse r2 <C1=r1!
2 |  |  | y4 r2 g3 p4 b3 / r1 y4 b4 p4 p3 |  | red B | C | 2: Reverse Finesse r2 <C1=r1!
2 | r1 y1 |  | y4 g4 b4 p4 b4 / r2 r3 p4 y4 g4 |  | 3 C | C | \
2: Self-Finesse r3 <C1=r2!; Self-Finesse y3 <C1=y2!
2 | r2 y1 |  | y4 g4 b4 p4 b4 / r2 r3 p4 y4 g4 |  | 3 C | C | 2: Play Clue r3
2 | r1 |  | r2:r g4 b4 p4 b4 / y4 r3 p4 y3 g4 |  | 3 C | C | 2: Prompt r3 <B1=r2
2 |  | r3 r3 | y4 g3 p4 b3 y5 / y4 g3 b4 p4 r4 |  | 5 B | B | 5: 5 Save y5,g5,b5,p5
2 | r1 |  | y4 r2 g3 p4 b3 / r2:2 y4 b4 p4 p3 |  | red B | B | 2: Prompt r3 <C1=r2
2 | r3 |  | y4 r5 g3 p4 b3 / r4 y4 b4 p4 p3 |  | red B | B | \
2: Play Clue r4; Reverse Finesse r5 <C1=r4!
2 | r3 |  | y4 r5 g3 p4 b3 / y3 r4 b4 p4 p3 |  | red B | B | 2: Play Clue r4
3 |  |  | y4 r1 g1 b1 p4 / y4 g3 b4 p4 r4 |  | 1 B | B | 4: Play Clue r1,y1,g1,b1,p1
2 |  |  | y4 r1 g1 b1 p4 / y4 g3 b4 p4 r4 |  | 1 B | B | 2: Play Clue r1,y1,g1,b1,p1
3 |  |  | *y1 r1 g1 p4 p4 / y4 g3 b4 p4 r4 |  | 1 B | B | 1: Play Clue r1,y1,g1,b1,p1
3 |  |  | *y1 *b1 g1 p4 p4 / y4 g3 b4 p4 r4 |  | 1 B | B | 1: Play Clue r1,y1,g1,b1,p1
3 |  |  | *y1 r1 g1 p4 b1 / y4 g3 b4 p4 r4 |  | 1 B | B | 5: Play Clue r1,y1,g1,b1,p1
3 | p4 |  | y4 p3:p g4 b4 r4 / y4 g3 b4 r3 r4 |  | 3 B | B | 2: Fix Clue -
2 | p4 |  | y4 p3:p g4 b4 r4 / y4 g3 b4 r3 r4 |  | 3 B | B | 2:
3 | r1 y1 b1 p1 |  | b3 y4 p4 b1:1 r4 / y4 g3 b4 r3 r4 |  | blue B | B | 1: Fix Clue -
3 | r1 y1 |  | y4 p4 b4 g1:1 r4 / y4 g3 b4 r3 r4 |  | 1 B | B | 4: Fix Clue - -4
3 | r1 |  | y4 p4 y1:1 g1:1 r4 / y4 g3 b4 r3 r4 |  | 1 B | B | 3: Fix Clue - -4
3 | r1 |  | y1 p4 b4 g1:1 r4 / y4 g3 b4 r3 r4 |  | 1 B | B | 1: Play Clue y1,g1,b1,p1
3 | r1 |  | y4 r2:2 g3 b4 p3 / y4 g3 b4 p4 p3 |  | red B | B | 2: Play Clue r2
3 | r1 b1 |  | y4 b2:2 g3 r4 p3 / y4 g3 b4 p4 p3 |  | blue B | B | 2: Play Clue b2
3 | r1 |  | y4 g3 p3 b4 r4 / y4 r2:r g4 b4 p4 |  | red C | C | 2: Play Clue r2
3 |  |  | y4 r1:r g3 b4 p3 / y4 g3 b4 p4 p3 |  | 1 B | B | 2: Play Clue r1
4 | r1 y1 g1 b1 p1 |  | y4 g3 p3 b1 r4 / y4 g3 b4 p4 r3 |  | 1 B | B | 4: Trash Chop Move - +5 -4
4 | r1 y1 g1 b1 p1 |  | y1 g3 p3 b4 r4 / y4 g3 b4 p4 r3 |  | 1 B | B | 1: Trash Chop Move - +2345 -1
4 | r1 y1 g1 b1 p1 |  | y3 g1 p3 b1 r4 / y4 g3 b4 p4 r3 |  | 1 B | B | 4: Trash Chop Move - +5 -24
4 | r1 y1 g1 b1 p1 |  | y3 g3 p3 b4 r1 / y4 g3 b4 p4 r3 |  | 1 B | B | 5: Trash Chop Move - -5
3 | r1 y1 g1 b1 p1 |  | y4 g3 p3 b1 r4 / y4 g3 b4 p4 r3 |  | 1 B | B | 4:
4 | r5 |  | y4 g3 r3 b1 y3 / y4 g3 b4 p4 r3 |  | red B | B | 3: Trash Chop Move - +45 -3
4 |  |  | y4 g3 p3 r5 b4 / y4 g3 b4 p4 r3 |  | 5 B | B | 4: 5's Chop Move r5,y5,g5,b5,p5 +5
4 |  |  | y4 g3 p3 r5 b4 / y4 g3 b4 p4 r3 | early | 5 B | B | 4: 5 Stall r5,y5,g5,b5,p5
4 | r4 |  | y4 g3 r5 p3 b4 / y4 g3 b4 p4 r3 |  | 5 B | B | 3: Play Clue r5
4 |  |  | y4 g5 p3 r5 b4 / y4 g3 b4 p4 r3 |  | 5 B | B | 4: 5's Chop Move r5,y5,g5,b5,p5 +5
4 |  |  | y4 g3 r5 b4 p3:p / y4 g3 b4 p4 r3 |  | 5 B | B | 3: 5's Chop Move r5,y5,g5,b5,p5 +4
4 |  |  | y4 g3 p3 b4 r5 / y4 g3 b4 p4 r3 |  | 5 B | B | 5: 5 Save r5,y5,g5,b5,p5
4 | b1 |  | b2 g3 p3 y4 b4+ / y4 g3 b3 p4 r3 |  | blue B | B | 1: Play Clue b2
4 | b1 |  | y3 b3:b b4:b y4 b2+ / y4 g3 b3 p4 r3 |  | blue B | B | 5: Play Clue b2
4 | r1 |  | r2 y4 g3 b4 p3+ / y4 r3 g4 b4 p4 |  | red C | B | 2: Finesse r3 <B1=r2!
4 | r1 y1 g1 b1 p1 |  | y4 g3 b1 b3+ r4+ / y4 g3 b4 p4 r3 |  | 1 B | B | 3: Trash Chop Move - -3
4 |  |  | y4 g3 p3 r5 b4+ / y4 g3 b4 p4 r3 |  | 5 B | B | 4: 5 Save r5,y5,g5,b5,p5
5 | r2 b2 |  | r3 b3:3 y4 g4 p4 / y4 r4 g4 b4 p4 |  | red C | C | \
2: Play Clue r3; Hidden Finesse r4 <B2/1=r3
5 | r2 b2 |  | r3 b3:3 y4 g4 p4 / y4 r4 g4 b4 p4 |  | red C | B | 2: Prompt r4 <B2=r3
4 | r2 b2 |  | r3 b3:3 y4 g4 p4 / y4 r4 g4 b4 p4 |  | red C | C | 2: Play Clue r3
5 |  |  | y4 r2 g3 p4 b3 / b1 r1 b4 p4 p3 |  | red B | B | \
2: Play Clue r1; Layered Finesse r2 <C1/2=r1!
5 |  |  | y4 r2 g3 p4 b3 / b1 r1 b4 p4 p3 |  | red B | C | 2: Reverse Finesse r2 <C1=r1!
4 |  |  | y4 r2 g3 p4 b3 / b1 r1 b4 p4 p3 |  | red B | B | 2: Play Clue r1
5 |  |  | y4 r2 g3 p4 b3 / b3 r1 b4 p4 p3 |  | red B | B | 2: Play Clue r1
5 |  |  | y4 r2 g3 p4 b3 / b1 y1 r1 p4 p3 |  | red B | B | \
2: Play Clue r1; Layered Finesse r2 <C1/2/3=r1!
5 |  |  | y4 r2 g3 p4 b3 / b1 b1 r1 p4 p3 |  | red B | B | 2: Play Clue r1
5 | r1 b1 |  | b2 r2 y4 g4 p4 / y4 r3 g4 b4 p4 |  | 3 C | C | \
2: Layered Finesse r3 <B1/2=r2!; Finesse b3 <B1=b2!
5 | r1 b1 |  | b2 r2 y4 g4 p4 / y4 r3 g4 b4 p4 |  | 3 C | B | 2: Finesse r3 <B1=r2!
5 |  |  | r1 g4 p4 b3 / r1 g4 b4 p3 / y4 r2 g3 b4 |  | red D | B | 2: Finesse r2 <C1=r1!
5 |  |  | r1 g4 p4 b3 / r1 g4 b4 p3 / y4 r2 g3 b4 |  | red D | C | 2: Finesse r2 <B1=r1!
5 |  |  | r1 g4 p4 b3 / b4 g4 b4 p3 / y4 r2 g3 b4 |  | red D | C | 2: Finesse r2 <B1=r1!
6 | r1 |  | y4 r2:r p3 g3 y3 / y4 g3 b4 p4 r4 |  | 2 B | B | 2: Tempo Clue Chop Move r2 +5
6 | r1 |  | y4 r2:r p3 g3 y3 / y4 g3 b4 p4 r4 |  | 2 B | C | 2: Tempo Clue Chop Move r2 +5
6 | r1 |  | y4 r2:r p3 g3 y3 / y4 g3 b4 p4 r4 | early | 2 B | B | 2: Tempo Clue Chop Move r2 +5
6 | r1 |  | y4 r2:r p3 g3 y3 / y4 g3 b4 p4 r4 | full | 2 B | B | 2: Tempo Clue Stall r2
6 | r1 |  | y4 r2:r p3 g3 y3 / y4 g3 b4 p4 r4 | locked | 2 B | B | 2: Tempo Clue Stall r2
6 | r1 |  | y4:4 r2:r p3:3 g3:3 y3:3 / y4 g3 b4 p4 r4 |  | 2 B | B | 2: Valuable Tempo Clue r2
5 | r1 |  | y4 r2:r p3 g3 y3 / y4 g3 b4 p4 r4 |  | 2 B | B | 2: Play Clue r2
6 | r1 y1 |  | p4 r2:r y2:y g3 b3 / y4 g3 b4 p4 r4 |  | 2 B | B | 2: Valuable Tempo Clue r2
6 | r2 b1 |  | p4 r3:r b3:b g4 y4 / y4 g4 b4 p4 r4 |  | 3 B | B | 2: Tempo Clue Chop Move r3 +5
6 | r1 |  | y4 r2:r p3 g3 y3 / y4 r3:r3 b4 p4 g4 |  | 2 B | B | 2: Valuable Tempo Clue r2
6 | r1 |  | y4 r4:r r2:r g3 y3 / y4 g3 b4 p4 r3 |  | 2 B | B | 3: Valuable Tempo Clue r2
6 | r4 |  | y4 y5:5 r5:5 g3 y3 / y4 g3 b4 p4 r3 |  | red B | B | 3: Tempo Clue Chop Move r5 +5
6 | r1 |  | y4 r3:3 p3 g3 y4 / y4 r2:r b4 p4 g4 |  | red B | B | \
2: Valuable Tempo Clue r3 <C2=r2
6 | r1 |  | y4 r3:3 p3 g3 y4 / r2 y4 b4 p4 g4 |  | red B | B | 2: Reverse Finesse r3 <C1=r2!
6 | r1 |  | y4 r2:2r r3:r g3 y3 / y4 g3 b4 p4 r4 |  | red B | B | 3: Tempo Clue Chop Move r3 +5
5 | r1 |  | y4 r2:2r r3:r g3 y3 / y4 g3 b4 p4 r4 |  | red B | B | 2: Play Clue r2
6 | r1 |  | y4 r2:2r r3:r g3 y3 / y4 g3 b4 p4 r4 |  | 2 B | B | 2: Play Clue r2
6 | b1 |  | y4 g3 p3 y3 b2+ / y4 g3 b3 p4 r3 |  | blue B | B | 5: Play Clue b2
7 | r1 |  | y4 r2:r p3 g3 y3 / y4 g3 b4 p4 r4 | scream | 2 B | B | 2: Tempo Clue Stall r2
7 | r1 |  | y4 r3:3 p3 g3 y4 / r2 y4 b4 p4 g4 | scream | red B | B | \
2: Scream Discard Chop Move -
7 |  |  | y4 r5 g3 p4 b3 / y4 g3 b4 p4 r4 | scream | 5 B | B | 2: 5 Stall r5,y5,g5,b5,p5
7 |  |  | y4 g3 p3 r5 b4 / y4 g3 b4 p4 r3 | scream | 5 B | B | 4: 5 Stall r5,y5,g5,b5,p5
8 | r1 y1 g1 b1 p1 |  | y4 g3 p3 b1 r4 / y4 g3 b4 p4 r3 | end | 1 B | B | \
4: No Chop Moves in the End-Game - -4
8 | r1 y1 g1 b1 p1 |  | y4 g3 p3 b1 r4 / y4 g3 b4 p4 r3 |  | 1 B | B | 4: Trash Chop Move - +5 -4
8 | r4 |  | y4 g3 p3 r5 b4 / y4 g3 b4 p4 r3 | end | 5 B | B | 4: Play Clue r5
8 | r4 |  | y4 g3 p3 r5 b4 / y4 g3 b4 p4 r3 |  | 5 B | B | 4: 5's Chop Move r5,y5,g5,b5,p5 +5
8 | r1 |  | y4 r2:r p3 g3 y3 / y4 g3 b4 p4 r4 | end | 2 B | B | 2: Tempo Clue Stall r2
6 | r1 |  | y4 r2:r p3 g3 y3 / y4 g3 b4 p4 r4 | end | 2 B | B | 2: Tempo Clue Stall r2
8 | r1 |  | y4 r2:2r p3 g3 y3 / y4 g3 b4 p4 r4 | end | 2 B | B | 2: Burning -
8 | r1 |  | y4 r2:2r p3 g3 y3 / y4 g3 b4 p4 r4 |  | 2 B | B | 2: Play Clue r2
8 | r3 y3 |  | r4:4r y4:4y g3 p4 b3 / y1 r4 b4 p3 g4 | end | red C | C | \
2: Distribution Clue r4; Play Clue r5
7 | r3 y3 |  | r4:4r y4:4y g3 p4 b3 / y1 r4 b4 p3 g4 | end | red C | C | 2: Play Clue r5
8 | r3 y3 |  | r4:4r y4 g3 p4 b3 / y1 r4 b4 p3 g4 | end | red C | C | 2: Play Clue r5
9 |  | r4 | y4:4 r5 g3:3 p4:4 b3 / g4 g3 b4 p4 b1 | double:r4 | 5 B | B | 2: 5 Stall r5,y5,g5,b5,p5
9 |  | r4 | y4:4 r5 g3:3 p4:4 b3 / g4 g3 b4 p4 b1 |  | 5 B | B | \
2: 5's Chop Move r5,y5,g5,b5,p5 +5
9 |  | r4 | y4:4 r5 g3:3 p4:4 b3 / g4 g3 r4 p4 b1 | double:r4 | 5 B | B | \
2: 5's Chop Move r5,y5,g5,b5,p5 +5
8 |  | r4 | y4:4 r5 g3:3 p4:4 b3 / g4 g3 b4 p4 b1 | double:r4 | 5 B | B | \
2: 5's Chop Move r5,y5,g5,b5,p5 +5
9 | r1 | r4 | y4 r2:r p3 g3 y3 / y4 g3 b4 p4 b1 | double:r4 | 2 B | B | 2: Tempo Clue Stall r2
9 | r1 | r4 | y4 r2:r p3 g3 y3 / y4 g3 b4 p4 b1 |  | 2 B | B | 2: Tempo Clue Chop Move r2 +5
9 | r1 |  | y4 r2:r p3 g3 y3 / y4 g3 b4 p4 b1 | early | 2 B | B | 2: Tempo Clue Chop Move r2 +5
9 | r1 | r4 | y4 r3:r p4 g4 y4 / r2 g3 b4 p4 b1 | double:r4 | 3 B | B | 2: Fill-In Clue -
9 | r1 | r4 | y4 r3:r p4 g4 y4 / r2 g3 b4 p4 b1 | double:r4 | 3 B | C | 2: Fill-In Clue -
9 | r1 | r4 | y4 r3:r p4 g4 y4 / r2 g3 b4 p4 b1 |  | 3 B | B | 2: Reverse Finesse r3 <C1=r2!
9 | r1 | r4 | y4 r2:2r p3 g3 y3 / y4 g3 b4 p4 b1 | double:r4 | 2 B | B | \
2: Allowable Stall Clues -
9 | r1 | r4 | y4 r2:2r p3 g3 y3 / y4 g3 b4 p4 b1 |  | 2 B | B | 2: Play Clue r2
9 |  |  | y4 g3 b4 p4 r3 / y4 g3 b4 p4 b1 | locked | red B | B | \
5: Locked Hand Save r1,r2,r3,r4,r5; Play Clue r1
9 |  |  | y4 g3 b4 p4 r3 / y4 g3 b4 p4 b1 | locked | red B | C | 5: Locked Hand Save r1,r2,r3,r4,r5
9 |  |  | y4:4 g3:3 b4:4 p4:4 r1 / y4 g3 b4 p4 b1 | locked | red B | B | 5: Play Clue r1
9 |  |  | y4 r1 b4 p4 g3 / y4 g3 b4 p4 b1 | locked | red B | B | 2: Play Clue r1
8 |  |  | y4 g3 b4 p4 r1 / y4 g3 b4 p4 b1 | locked | red B | B | 5: Play Clue r1
9 |  |  | y4 g3 r3 p4 b3 / y4 g3 b4 p4 b1 | full | red B | B | \
3: 8 Clue Save r1,r2,r3,r4,r5; Play Clue r1
9 |  |  | r1 g3 b4 p4 b3 / y4 g3 b4 p4 b1 | full | red B | B | 1: Play Clue r1
8 |  |  | y4 g3 r1 p4 b3 / y4 g3 b4 p4 b1 | full | red B | B | 3: Play Clue r1
9 |  |  | y4 g3 r5 p4 b3 / y4 g3 b4 p4 b1 | full | 5 B | B | 3: 5 Stall r5,y5,g5,b5,p5
11 | r1 |  | b1 y4 p3 g3 y3 / y4 r3 b4 p4 b3 |  | red C | C | 2: Play Clue r2; Bluff r3 <B1=r2!
11 | r1 |  | b1 y4 p3 g3 y3 / y4 r3 b4 p4 b3 |  | red C | B | 2: Finesse r3 <B1=r2!
11 | r1 |  | r2 y4 p3 g3 y3 / y4 r3 b4 p4 b3 |  | red C | C | 2: Play Clue r2; Finesse r3 <B1=r2!
11 | r1 |  | b3 y4 p3 g3 y3 / y4 r3 b4 p4 b3 |  | red C | C | 2: Play Clue r2
10 | r1 |  | b1 y4 p3 g3 y3 / y4 r3 b4 p4 b3 |  | red C | C | 2: Play Clue r2
11 | r1 |  | b1 y4 p3 g3 / r2 y4 b4 p4 / y4 r3 b4 p4 |  | red D | B | 2: Finesse r3 <C1=r2!
11 | r1 |  | b3 y4 p3 g3 / b1 y4 b4 p4 / y4 r3 b4 p4 |  | red D | D | 2: Play Clue r2
11 | r1 |  | b1 y4 p3 g3 / b3 y4 b4 p4 / y4 r3 b4 p4 |  | red D | C | 2: Bluff r3 <B1=r2!
11 | r1 |  | b3 y4 p3 g3 / b1 y4 b4 p4 / y4 r3 b4 p4 |  | red D | C | 2: Finesse r3 <C1=r2!
11 | r1 b1 |  | g1 y4 p3 g3 y3 / y4 r3 b4 p4 b4 |  | 3 C | C | \
2: Bluff r3 <B1=r2!; Bluff b3 <B1=b2!
11 | r1 b1 |  | b2 y4 p3 g3 y3 / y4 r3 b4 p4 b4 |  | 3 C | C | \
2: Bluff r3 <B1=r2!; Finesse b3 <B1=b2!
11 | r1 |  | b1:1 y4 p3 g3 y3 / y4 r3 b4 p4 b3 |  | red C | C | 2: Play Clue r2
11 | r2 |  | b1 r4 y4 p4 g4 / y3 g3 b3 p3 b3 |  | red B | B | 2: Play Clue r3
6 | r1 y2 g2 b2 p2 |  | y2 r2:r p4 g3 y3 / y4 g3 b4 p4 r4 |  | 2 B | B | \
2: Tempo Clue Chop Move r2 +5
5 | r1 y2 g2 b2 p2 |  | y2 r2:r p4 g3 y3 / y4 g3 b4 p4 r4 |  | 2 B | B | \
1: Trash Chop Move - +345 -1
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in TEXTBOOK.strip().splitlines()]


def board_of(row: list[str]) -> Board:
    level, piles, out, hands, how, _, reader, _ = row
    return Board(int(level), piles, out, all_hands(hands), how, reader)


def all_hands(text: str) -> list[str]:
    """Return the hands from A on, whose own is written only if it matters."""
    hands = text.split(" / ")
    if hands[0].startswith("A "):
        return [hands[0][2:], *hands[1:]]
    return [" ".join(AWAY.split()[: len(hands[0].split())]), *hands]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}-{row[3]}-{row[5]}-{row[6]}")
def test_a_hint_means_what_the_guide_says(row: list[str]) -> None:
    assert board_of(row).read(row[5]).strip() == row[7]


# Lines of play: level, piles, hands from B, reader, moves, and what is believed then.

LINES = """
2 |  | y4 r2 g3 p4 b3 / r1 y4 b4 p4 p3 | B | red B, discards 5, plays 1 | B3=r2
2 |  | y4 r2 g3 p4 b3 / r1 y4 b4 p4 p3 | B | red B, discards 5, discards 5 | B3=r1
1 |  | r1 y4 p3 g3 y3 / y4 r2 b3 p4 b4 | C | red C, plays 1 | C2=r2
1 |  | r1 y4 p3 g3 y3 / y4 r2 b3 p4 b4 | C | red C, discards 5 | C2=r1
1 |  | y4 r1 p3 g3 r4 / y4 r2 b3 p4 b4 | B | red B | B5=r1; B2=r2,r3,r4,r5
2 |  | r1 r2 y4 p4 b3 / y4 r3 g3 b4 p3 | C | red C, plays 1 | C2=r2,r3
2 |  | r1 r2 y4 p4 b3 / y4 r3 g3 b4 p3 | C | red C, plays 1, discards 5, discards 5, plays 2 | C3=r3
3 | r2 | y4 r3:r3 p4 b3 g4 / y4 r3:3 g3 b4 p3 | C | discards 5, discards 2 | C2=r3
3 | r2 | y4 r3:r3 p4 b3 g4 / y3:3 r3:3 g3 b4 p3 | C | discards 5, discards 2 | \
C1=r3,y3,g3,b3,p3; C2=r3,y3,g3,b3,p3
2 | r2 | y4 r3:r3 p4 b3 g4 / y4 r3:3 g3 b4 p3 | C | discards 5, discards 2 | C2=r3,y3,g3,b3,p3
3 | r1 y1 | y2:2 r2:2 p4 b3 g4 / y4 g4 g3 b4 p3 | B | red B | B2=r2; B1=y2,g2,b2,p2
5 |  | y4 r2 g3 p4 b3 / b1 r1 b4 p4 p3 | C | red B, discards 5, plays 1 | C2=r1
5 |  | y4 r2 g3 p4 b3 / b1 r1 b4 p4 p3 | B | red B, discards 5, plays 1 | B3=r2
4 |  | y4 r2 g3 p4 b3 / b1 r1 b4 p4 p3 | C | red B, discards 5, plays 1 | C3=?
5 | r2 b2 | r3 b3:3 y4 g4 p4 / y4 r4 g4 b4 p4 | B | red C, plays 2 | B2=r3
5 |  | r1 g4 p4 b3 / r1 g4 b4 p3 / y4 r2 g3 b4 | C | red D, discards 4 | C1=r1
4 |  | r1 g4 p4 b3 / r1 g4 b4 p3 / y4 r2 g3 b4 | C | red D, discards 4 | C1=?
5 |  | r1 y4 p3 g3 y3 / y4 r2 b3 p4 y5 | C | red C, 5 C | C2=r1,r2
5 |  | r1 y4 p3 g3 y3 / y5 r2 b3 p4 b4 | C | red C, 5 C | C2=r1
5 | g2 | g3 y4 p4 b3 / r4 g3:g r5 b4 / y4 g4 b4 p3 | C | green D, discards 4 | C2=g3
2 | r1 | r2 y4 r4:r g3 y3 / y4 r3 b3 p3 b4 | B | red C, plays 3 | B2=r2
1 | r1 | r2 y4 r4:r g3 y3 / y4 r3 b3 p3 b4 | B | red C, plays 3 | B2=?
6 |  | r1 r2 g3 p4 b3 / y4 g4 g3 b4 p3 | B | red B, plays 1, 2 B | B2=r2; B5=+
6 |  | r1 r2 g3 p4 b3 / y4 g4 g3 b4 p3 | C | red B, plays 1, 2 B | B2=r2; B5=+
11 | r1 | b1 y4 p3 g3 y3 / y4 r3 b4 p4 b3 | C | red C, plays 1 | C2=r3
11 | r1 | b1 y4 p3 g3 y3 / y4 r3 b4 p4 b3 | C | red C, discards 5 | C2=r2
11 | r1 | b1 y4 p3 g3 y3 / y4 r3 b4 p4 b3 | B | red C, plays 1 | B2=?
10 | r1 | b1 y4 p3 g3 y3 / y4 r3 b4 p4 b3 | B | red C, plays 1 | B2=r2
11 | r1 b1 | b2 y4 p3 g3 y3 / y4 r3 b4 p4 b4 | C | 3 C, plays 1 | C2=b3
11 | r1 b1 | g1 y4 p3 g3 y3 / y4 r3 b4 p4 b4 | C | 3 C, plays 1 | C2=r3,b3
11 | r1 | r2 y4 p3 g3 y3 / y4 r3 b4 p4 b3 | C | red C, plays 1 | C2=r3
11 | r2 | b1 r4 y3 p3 g3 / y3 g3 b3 p3 b3 | B | 4 B, plays 1 | B2=r4
11 | r2 | r3 r4 y3 p3 g3 / y3 g3 b3 p3 b3 | B | 4 B, plays 1 | B2=r4
"""
PLAYED = [[cell.strip() for cell in row.split("|")] for row in LINES.strip().splitlines()]


def line_of(level: str, piles: str, hands: str, reader: str, moves: str) -> Board:
    board = Board(int(level), piles, "", all_hands(hands), "", reader)
    for move in moves.split(", "):
        board.move(move)
    return board


@pytest.mark.parametrize("row", PLAYED, ids=lambda row: f"{row[0]}-{row[3]}-{row[4]}")
def test_what_follows_changes_what_is_believed(row: list[str]) -> None:
    board = line_of(*row[:5])
    for each in row[5].split("; "):
        where, cards = each.split("=")
        assert board.belief(where) == cards


def test_a_bluff_is_told_by_the_card_that_is_seen() -> None:
    board = Board(11, "r1", "", all_hands("b1 y4 p3 g3 y3 / y4 r3 b4 p4 b3"), "", "A")
    assert tell_hint(board.mind, board.clue("red C").action, board.mind.hands) == (
        "seat 2 reads: slot 3 is r2 (Play Clue), "
        "or slot 3 is r3 (Bluff) after seat 1 plays b1 blindly from slot 4"
    )


# Discards that mean something: level, hint tokens, piles, hands, reader, moves from A on, and which
# cards are chop moved then, and which seat must give a hint.

ALARMS = """
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 p4 r5 / y3 g4 b4 p4 b3 | C | discards 5 | B5 !B
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 p4 r5 / y3 g4 b4 p4 b3 | B | discards 5 | B5 !B
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 p4 r5 / y3 g4 b4 p4 b3 | A | discards 5 | B5 !B
7 | 1 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 p4 r5 / y3 g4 b4 p4 b3 | C | discards 5 |
6 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 p4 r5 / y3 g4 b4 p4 b3 | C | discards 5 |
7 | 0 |  | A r1:1 y4 g4 b3 p3 / y4 g3 b4 p4 r5 / y3 g4 b4 p4 b3 | C | discards 5 | B5 !B
7 | 0 | r1 | A r2:r y4 g4 b3 p3 / y4 g3 b4 p4 r5 / y3 g4 b4 p4 b3 | C | discards 5 |
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 p4 r5 / y3 g4 b4 p4 b3 | C | discards 3 |
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 p4 r5 / y3 g4 b4 p4 b3 | C | plays 1 |
7 | 0 | r1 | A r1:1r y4 g4 b3 p3 / y4 g3 b4 p4 r5 / y3 g4 b4 p4 b3 | C | discards 5 | B5 !B
7 | 0 | r1 | A r1:1r y4 g4 b3 p3 / y4 g3 b4 p4 r5 / y3 g4 b4 p4 b3 | C | discards 1 |
7 | 0 | r1 | A r1:1r r2:2r g4 b3 p3 / y4 g3 b4 p4 r5 / y3 g4 b4 p4 b3 | C | discards 5 |
7 | 3 | r1 | A r1:1r r2:2r g4 b3 p3 / y4 g3 b4 p4 r5 / y3 g4 b4 p4 b3 | C | discards 1 | B5 !B
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 p4 b3 / y3 g4 b4 p4 r5 | B | discards 5 | !B
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 p4 b3 / y3 g4 b4 p4 r5 | C | discards 5 | !B
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 p4 b2 / y3 g4 b4 p4 r5 | C | discards 5 | B5 !B
7 | 0 | r1 | A r2:2r y4 g4 b2 p3 / y4 g3 b4 p4 b2 / y3 g4 b4 p4 r5 | C | discards 5 | !B
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 p4 b1 / y3 g4 b4 p4 b3 | C | discards 5 | B5 !B
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 p4 r5 / b1:1b g4 b4 p4 y5 | B | discards 5 | B5 !B
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / b1:1b g3 b4 p4 r5 / y3 g4 b4 p4 b3 | C | discards 5 |
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4:4 g3:3 b4:4 p4:4 r5:5 / y3 g4 b4 p4 b3 | C | discards 5 |
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 r5 b4+ / y3 g4 b4 p4 b3 | C | discards 5 | B4 B5 !B
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 p4 r5 / y3 g4 b4 p4 b3 | C | discards 5, 4 C | B5
7 | 0 | r1 | A r2:2r y4 g4 b3 / y4 g3 b4 p4 / y3 g4 b4 r5 / g4 b4 p4 b3 | D | discards 4 | !B
7 | 0 | r1 | A r2:2r y4 g4 b3 p3 / y4 g3 b4 p4 r5 | B | discards 5 | B5 !B
"""
ALARM_ROWS = [[cell.strip() for cell in row.split("|")] for row in ALARMS.strip().splitlines()]


@pytest.mark.parametrize("row", ALARM_ROWS, ids=lambda row: f"{row[0]}-{row[4]}-{row[5]}")
def test_a_discard_may_forbid_the_next_one(row: list[str]) -> None:
    level, clues, piles, hands, reader, moves, result = row
    board = Board(int(level), piles, "", all_hands(hands), "", reader)
    mind = board.mind
    left_with(mind, int(clues))
    for move in moves.split(", "):
        board.move(move)
    found = [SEATS[mind.owner[each]] + board.slot(each) for each in reversed([*bits(mind.moved)])]
    found += [f"!{SEATS[mind.alarm]}"] if mind.alarm >= 0 else []
    assert " ".join(found) == result


@pytest.mark.parametrize(
    ("level", "clues", "hands", "move", "slots"),
    [
        (9, 0, "A r1:1r y4 g4 b3 p3 / y3:3 g3:3 r2:2 p4:4 b4:4 / y3 g4 b4 p4 b3", "plays 1", "3"),
        (8, 0, "A r1:1r y4 g4 b3 p3 / y3:3 g3:3 r2:2 p4:4 b4:4 / y3 g4 b4 p4 b3", "plays 1", ""),
        (9, 1, "A r1:1r y4 g4 b3 p3 / y3:3 g3:3 r2:2 p4:4 b4:4 / y3 g4 b4 p4 b3", "plays 1", ""),
        (9, 0, "A r1:1r y4 g4 b3 p3 / y3:3 g3:3 r2:2 p4:4 b4:4 / y3 g4 b4 p4 b3", "discards 5", ""),
        (9, 0, "A r1:1r y4 g4 b3 p3 / y2:2 g3:3 r2:2 p4:4 b4:4 / y3 g4 b4 p4 b3", "plays 1", "1"),
        (9, 0, "A r1:1r y4 g4 b3 p3 / y3:3 g3:3 r2:r p4:4 b4:4 / y3 g4 b4 p4 b3", "plays 1", "3"),
        (9, 0, "A r1:1r y4 g4 b3 p3 / y3:3 g3:3 r2:2 p4:4 b4 / y3 g4 b4 p4 b3", "plays 1", ""),
        (9, 0, "A r1:1r y4 g4 b3 p3 / y3:3 g1:1g r2:2 p4:4 b4:4 / y3 g4 b4 p4 b3", "plays 1", "2"),
        (9, 1, "A r2:r y4 g4 b3 p3 / y3:3 g3:3 r1:r p4:4 b4:4 / y3 g4 b4 p4 b3", "3 C", "3"),
    ],
)
def test_a_locked_player_without_a_hint_plays_its_likeliest_card(
    level: int, clues: int, hands: str, move: str, slots: str
) -> None:
    for reader in "ABC":
        board = Board(level, "", "", all_hands(hands), "", reader)
        left_with(board.mind, clues)
        board.move(move)
        assert "".join(board.slot(each) for each in board.mind.plays(1)) == slots


# Discards and errors that name a slot: level, circumstances, hands, reader, moves from A on, and
# which untouched cards are to be played then. Only r5 and y5 are left to play.

SLOTS = """
8 | end | A b1 b1 g1 p1 g2 / y5:5y g3 b2 p2 b3 / g1 r5 b1 p1 b3 | C | discards 2 | C2=r5
8 | end | A b1 b1 g1 p1 g2 / y5:5y g3 b2 p2 b3 / g1 r5 b1 p1 b3 | B | discards 2 | C2=r5
8 | end | A b1 b1 g1 p1 g2 / y5:5y g3 b2 p2 b3 / g1 r5 b1 p1 b3 | A | discards 2 | C2=r5
7 | end | A b1 b1 g1 p1 g2 / y5:5y g3 b2 p2 b3 / g1 r5 b1 p1 b3 | C | discards 2 |
8 | end | A b1 b1 g1 p1 g2 / y5:5y g3 b2 p2 b3 / g1 r5 b1 p1 b3 | C | discards 5 |
8 | end | A b1 b1:b g1 p1 g2 / y5:5y g3 b2 p2 b3 / g1 r5 b1 p1 b3 | C | discards 2 |
8 |  | A b1 b1 g1 p1 g2 / y5:5y g3 b2 p2 b3 / g1 r5 b1 p1 b3 | C | discards 2 |
8 | end | A b1 b1 g1 p1 g2 / g3 r5 b2 p2 b3 / g1 y5:5 b1 p1 b3 | B | discards 2 | B2=r5
8 | end | A b1 b1 g1 p1 g2 / g3 y5 b2 p2 b3 / g1 r5 b1 p1 b3 | B | discards 2 | C2=r5,y5
8 | end | A b1 b1 g1 p1 g2 / g3 y5 b2 p2 b3 / g1 r5 b1 p1 b3 | C | discards 2 | B2=r5,y5
8 | end | A b1 b1 g1 p1 g2 / g3 y5 b2 p2 b3 / g1 r5 b1 p1 b3 | C | \
discards 2, discards 5 | C2=r5
8 | end | A b1 b1 g1 p1 g2 / g3 y5 b2 p2 b3 / g1 r5 b1 p1 b3 | C | \
discards 2, plays 2 |
8 | end | A b1 b1 g1 p1 g2 / y5:5y g3 b2 p2 b3 / g1 r1 b1 p1 r5 | C | plays 5 | C5=r5
8 | end | A b1 b1 g1 p1 g2 / y5:5y g3 b2 p2 b3 / g1 r1 b1 p1 r5 | B | plays 5 | C5=r5
7 | end | A b1 b1 g1 p1 g2 / y5:5y g3 b2 p2 b3 / g1 r1 b1 p1 r5 | C | plays 5 |
8 | end | A b1 b1 g1 p1 g2:2 / y5:5y g3 b2 p2 b3 / g1 r1 b1 p1 r5 | C | plays 5 |
8 |  | A b1 b1 g1 p1 g2 / y5:5y g3 b2 p2 b3 / g1 r1 b1 p1 r5 | C | plays 5 |
8 | end | A b1 b1 g1 p1 / y5:5y g3 b2 p2 / r5 r1 b1 p1 / g1 g1 y1 b1 | D | plays 1 | C1=r5
"""
SLOT_ROWS = [[cell.strip() for cell in row.split("|")] for row in SLOTS.strip().splitlines()]


@pytest.mark.parametrize("row", SLOT_ROWS, ids=lambda row: f"{row[0]}-{row[3]}-{row[4]}")
def test_an_action_of_the_end_game_names_a_slot(row: list[str]) -> None:
    level, how, hands, reader, moves, result = row
    piles = "r4 y4 g5 b5 p5" if how else "r4 y4"
    board = Board(int(level), piles, "", all_hands(hands), how, reader)
    for move in moves.split(", "):
        board.move(move)
    assert board.blind() == result


# Discards that pass a card on: level, piles, hands, reader, moves from A on, and which untouched
# cards are to be played then, and as what.

PASSED = """
10 |  | A r1:1r y4 g4 b3 p3 / r1 g3 b4 p4 b3 / y3 g4 b4 p4 b3 | C | discards 1 | B1=r1
10 |  | A r1:1r y4 g4 b3 p3 / r1 g3 b4 p4 b3 / y3 g4 b4 p4 b3 | B | discards 1 | B1=r1
10 |  | A r1:1r y4 g4 b3 p3 / r1 g3 b4 p4 b3 / y3 g4 b4 p4 b3 | A | discards 1 | B1=r1
9 |  | A r1:1r y4 g4 b3 p3 / r1 g3 b4 p4 b3 / y3 g4 b4 p4 b3 | B | discards 1 |
10 |  | A r1:1r y4 g4 b3 p3 / y3 g3 b4 p4 b3 / r1 g4 b4 p4 b3 | B | discards 1 | C1=r1
10 |  | A r1:1r y4 g4 b3 p3 / y3 g3 b4 p4 b3 / r1 g4 b4 p4 b3 | C | discards 1 | C1=r1
10 |  | A r1:1 y4 g4 b3 p3 / r1 g3 b4 p4 b3 / y3 g4 b4 p4 b3 | B | discards 1 | B1=r1
10 |  | A r1:1r y4 g4 b3 p3 / r1:1 g3 b4 p4 b3 / r1 g4 b4 p4 b3 | C | discards 1 |
10 |  | A r1:1r y4 g4 b3 p3 / r1:1 g3 b4 p4 b3 / r1 g4 b4 p4 b3 | B | discards 1 |
10 |  | A r1:1r y4 g4 b3 p3 / r1 g3 b4 p4 b3 / y3 r4:r b4 p4 b3 | B | discards 1 |
10 |  | A r1:1r y4 g4 b3 p3 / r1 g3 b4 p4 b3 / y3 r4:r b4 p4 b3 | C | discards 1 |
10 | r1 | A r1:1r y4 g4 b3 p3 / r1 g3 b4 p4 b3 / y3 g4 b4 p4 b3 | B | discards 1 |
10 |  | A r2:r y4 g4 b3 p3 / r2 g3 b4 p4 b3 / y3 g4 b4 p4 b3 | B | discards 1 |
10 |  | A r1:1r y4 g4 b3 p3 / g1 r1 b4 p4 b3 / y3 g4 b4 p4 b3 | C | discards 1 | B1=r1
10 |  | A r1:1r y4 g4 b3 p3 / g1 r1 b4 p4 b3 / y3 g4 b4 p4 b3 | B | discards 1 | B1=r1
10 |  | A r1:1r y4 g4 b3 p3 / g1 r1 b4 p4 b3 / y3 g4 b4 p4 b3 | C | discards 1, plays 1 | B2=r1
10 |  | A r1:1r y4 g4 b3 p3 / g1 r1 b4 p4 b3 / y3 g4 b4 p4 b3 | B | discards 1, plays 1 | B2=r1
10 | r1 | A r3:3r y4 g4 b3 p3 / r3 g3 b4 p4 b3 / y3 g4 b4 p4 b3 | C | discards 1 | B1=r3
10 | r1 | A r3:3r y4 g4 b3 p3 / r3 g3 b4 p4 b3 / y3 g4 b4 p4 b3 | B | discards 1 | B1=r3
10 | r1 | A r3:3r y4 g4 b3 p3 / g1 y3 b4 p4 b3 / r3 g4 b4 p4 b3 | C | discards 1 | C1=r3
10 | r1 | A r3:3r y4 g4 b3 p3 / g1 r3 b4 p4 b3 / y3 g4 b4 p4 b3 | C | discards 1 |
10 |  | A r1:1r y4 g4 b3 / y3 g3 b4 p4 / r1 g4 b4 p4 / y3 g3 b3 y2 | D | discards 1 | C1=r1
10 |  | A r1:1r y4 g4 b3 p3 / b4:4 r1 b4 p4 b3 / y3 g4 b4 p4 b3 | C | discards 1 | B2=r1
"""
PASSED_ROWS = [[cell.strip() for cell in row.split("|")] for row in PASSED.strip().splitlines()]


@pytest.mark.parametrize("row", PASSED_ROWS, ids=lambda row: f"{row[0]}-{row[3]}-{row[4]}")
def test_a_discard_may_pass_a_card_on(row: list[str]) -> None:
    board = line_of(*row[:5])
    assert board.blind() == row[5]


@pytest.mark.parametrize(("level", "given"), [(10, "r2:2"), (10, "y2:2"), (2, "r2:2")])
def test_a_sarcastic_finesse_is_passed_back(level: int, given: str) -> None:
    hands = f"A {given} y4 g4 b3 p3 / r1 g3 b4 p4 b3 / y3 r2 b4 p4 b3"
    for reader in "BC":
        board = line_of(str(level), "", hands, reader, "red C, plays 1")
        is_back = level == 10 and given == "r2:2"
        assert board.belief("C2") == "r2"
        assert [board.slot(each) for each in board.mind.useless(2)] == (["2"] if is_back else [])
        if is_back:
            board.move("discards 2")
            assert board.belief("A1") == "r2"


@pytest.mark.parametrize(
    ("level", "hands", "moves", "moved"),
    [
        (4, "r1 y1 g1 b3 b4 / y4 g4 g3 b4 p3", "1 B, plays 3", {}),
        (4, "r1 y1 g1 b3 b4 / y4 g4 g3 b4 p3", "1 B, plays 2", {"C": "5"}),
        (4, "r1 y1 g1 b3 b4 / y4 g4 g3 b4 p3", "1 B, plays 1", {"A": "5"}),
        (3, "r1 y1 g1 b3 b4 / y4 g4 g3 b4 p3", "1 B, plays 2", {}),
        (4, "*r1 y1 g1 b3 b4 / y4 g4 g3 b4 p3", "1 B, plays 1", {}),
        (4, "r1 y1 g1 b3 b1 / y4 g4 g3 b4 p3", "1 B, plays 5", {}),
        (4, "r1:1 y1:1 g1:1 b3 b4 / y4 g4 g3 b4 p3", "yellow B, plays 2", {}),
    ],
)
def test_ones_out_of_order_move_a_chop(
    level: int, hands: str, moves: str, moved: dict[str, str]
) -> None:
    board = line_of(str(level), "", hands, "C", moves)
    found = {SEATS[board.mind.owner[each]]: board.slot(each) for each in bits(board.mind.moved)}
    assert found == moved


def test_blind_plays_queue_from_the_earliest() -> None:
    board = line_of("5", "", "r1 y1 g4 p4 b3 / g4 r2 g3 y2 p3", "B", "red C")
    mind = board.mind
    mind.seat = 0
    board.move("yellow C")
    assert [board.slot(each) for each in mind.plays(1)] == ["1", "2"]
    assert (board.belief("B1"), board.belief("B2")) == ("r1", "y1")


def test_a_blind_play_refutes_nothing_of_the_next_in_the_queue() -> None:
    board = line_of("5", "", "r1 y1 g4 p4 b3 / g4 r2 g3 y2 p3", "C", "red C")
    board.mind.seat = 0
    board.move("yellow C")
    board.move("plays 1")
    assert (board.belief("C2"), board.belief("C4")) == ("r2", "y1,y2")


def test_all_seats_read_a_chop_move_alike() -> None:
    hands = "y4 g3 b4 p4 b3 / y4 g3 p3 r5 b4"
    for reader in "ABC":
        board = line_of("4", "r3", hands, reader, "5 C")
        assert [board.slot(each) for each in bits(board.mind.moved)] == ["5"]
        assert not board.mind.waits


def test_nothing_is_played_blindly_with_the_last_life_after_an_error() -> None:
    board = line_of("1", "", "r1 y4 p3 g3 y3 / y4 r2 b3 p4 b4", "B", "red C")
    mind = board.mind
    left_with(mind, 5, lives=1)
    mind.trust = [99.0] * 3
    for mind.trust_blind, is_played in ((5.0, True), (0.0, False)):
        best = options(mind, mind.hands[1], (play(4), discard(0)))[0]
        assert best.action == (play(4) if is_played else discard(0))


def test_an_error_resets_what_was_to_be_played() -> None:
    board = line_of("1", "", "r3 y4 p3 g3 y3 / y4 r2 b3 p4 b4", "B", "red C, plays 1")
    assert not board.mind.blind
    assert not board.mind.waits


def test_errors_count_against_whoever_gave_the_hint_and_less_against_others() -> None:
    board = line_of("1", "", "y4 r1 g3 p4 b3 / y4 g3 b4 p4 r4", "B", "red B")
    mind, order = board.mind, board.mind.hands[1][3]
    at_first, risk = mind.trust[:], mind.risk(order)
    mind.judge(1, order, is_right=True)
    assert mind.trust[0] > at_first[0]
    assert mind.trust[1:] == at_first[1:]
    assert mind.risk(order) < risk
    mind.judge(1, order, is_right=False)
    assert mind.trust[0] < mind.trust[1] == mind.trust[2] < at_first[1]
    assert mind.trust_blind < at_first[0]
    assert mind.risk(order) > risk


def test_who_says_again_what_was_said_takes_no_credit() -> None:
    board = line_of("1", "", "y4 r1 g3 p4 b3 / y4 g3 b4 p4 r4", "B", "red B")
    order = board.mind.hands[1][3]
    assert board.mind.source[order] == 0
    for move, giver in (("red B", 0), ("1 B", 0)):
        board.mind.seat = 2
        board.move(move)
        assert board.mind.source[order] == giver, move


def test_a_card_may_be_one_that_has_been_lost_since() -> None:
    """Nobody touches a card that is useless already, but it may have become so."""
    for turn, cards in ((0, "r5,y5,b5,p5"), (3, "r5,y5,g5,b5,p5")):
        board = line_of("1", "", "y4 r1 g3 p4 b5 / y4 g3 b4 p4 r4", "B", "5 B")
        mind = board.mind
        mind.turn = mind.since[mind.hands[1][0]] + turn
        for _ in range(3):
            mind.put(board.kind_of("g1"), is_play=False)
        assert board.belief("B5") == cards


def test_the_last_copy_is_not_saved_again_by_who_knows_to_hold_it() -> None:
    hands = "p4:4p y3 g3 b3 r4 / y4 g3 b3 p3 b4"
    for marks, cards in (("4p", "r4"), ("4", "r4,p4")):
        board = line_of("1", "r1", hands.replace(":4p", f":{marks}"), "B", "yellow C")
        mind = board.mind
        mind.put(board.kind_of("r4"), is_play=False)
        mind.put(board.kind_of("p4"), is_play=False)
        mind.seat = 0
        clue = board.clue("4 B")
        (save,) = [
            each for each in meanings(mind, clue, 1) if each.convention.name == "Critical Save"
        ]
        assert board.cards(save.kinds) == cards


def test_a_card_may_be_the_copy_that_its_holder_had_played() -> None:
    """B's 2 may be the red one: B could not know, when it had the red 2 of A played."""
    board = line_of("1", "r1 y1 g1 b1 p1", "r2:2 y4 p3 g3 y3 / y4 g3 b3 p4 b4", "B", "4 C")
    mind = board.mind
    played, order = mind.hands[0][0], mind.hands[1][4]
    mind.touched, mind.since[played] = mind.touched | 1 << played, 1
    for mind.by[played], cards in ((2, "y2,g2,b2,p2"), (1, "r2,y2,g2,b2,p2")):
        after = mind.copy()
        act_out(after, 0, played, board.kind_of("r2"), "play")
        assert board.cards(after.belief(order)) == cards


def test_an_error_that_no_hint_asked_for_counts_against_the_player() -> None:
    board = line_of("1", "", "y4 r1 g3 p4 b3 / y4 g3 b4 p4 r4", "B", "red B")
    mind = board.mind
    at_first = mind.trust[:]
    mind.judge(2, mind.hands[2][0], is_right=False)
    assert mind.trust[2] < mind.trust[1] == mind.trust[0] < at_first[0]
    mind.judge(2, mind.hands[2][0], is_right=True)  # luck speaks for nobody
    assert mind.trust[2] < mind.trust[1] == mind.trust[0] < at_first[0]


@pytest.mark.parametrize(("lives", "trust", "is_played"), [
    (1, 0.0, False), (1, 3.0, True), (2, -5.0, False), (2, 0.0, True), (3, -5.0, True),
])  # fmt: skip
def test_the_fewer_lives_the_more_trust_a_play_needs(
    lives: int, trust: float, is_played: bool
) -> None:
    board = line_of("1", "y4 g4 b4", "y4 r1 g3 p4 b3 / y4 g3 b4 p4 r4", "B", "red B")
    mind = board.mind
    left_with(mind, 5, lives)
    mind.trust = [trust, 0.0, 0.0]
    best = options(mind, mind.hands[1], (play(3), discard(0)))[0]
    assert best.action == (play(3) if is_played else discard(0))


def test_what_a_hint_said_of_a_card_outlasts_an_error_elsewhere() -> None:
    """A card that was promised as the missing one, and then told by a hint, is not forgotten."""
    board = line_of("2", "", "r1 y4 p3 g3 y3 / y4 r2 b3 p4 b4", "B", "red C")
    for seat, move in ((2, "red B"), (1, "plays 5")):
        board.mind.seat = seat
        board.move(move)
    assert board.belief("B2") == "r1"


def test_each_level_has_its_positions() -> None:
    levels = [int(row[0]) for row in [*ROWS, *PLAYED, *ALARM_ROWS, *SLOT_ROWS, *PASSED_ROWS]]
    assert all(levels.count(level) >= 15 for level in range(1, LEVELS + 1))


# The player.


def test_levels_and_variants_that_are_not_there_are_refused() -> None:
    with pytest.raises(InvalidInputError, match=f"level = {LEVELS + 1}"):
        HGroup(LEVELS + 1)
    rules = Rules.hanab_live(3, variant="Orange (5 Suits)")
    game = Game.start(rules, rules.spec.shuffle(1))
    with pytest.raises(InvalidInputError, match="does not play Orange"):
        HGroup(1).act(game.view(0), Stream(1))


@pytest.mark.parametrize("level", range(1, LEVELS + 1))
def test_it_decides_alike_whatever_was_asked_before(level: int) -> None:
    rules = Rules.hanab_live(3)
    game = Game.start(rules, rules.spec.shuffle(5, level))
    end = play_game([HGroup(level)] * 3, game, Stream(1))
    assert end.score >= 18
    positions = [game]
    for action in end.actions:
        positions.append(positions[-1].apply(action))
    for at in range(len(end.actions) - 1, 0, -7):  # backwards, each from nothing
        module._followers.clear()
        before = positions[at]
        assert HGroup(level).act(before.view(before.seat_to_act), Stream(1)) == end.actions[at]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_it_never_plays_what_hints_alone_refute(seats: int) -> None:
    rules = Rules.hanab_live(seats)
    team = [HGroup(LEVELS) if seat % 2 == 0 else RandomLegal() for seat in range(seats)]
    game = Game.start(rules, rules.spec.shuffle(7, seats))
    played = 0
    for action in play_game(team, game, Stream(3)).actions:
        seat = game.seat_to_act
        if seat % 2 == 0 and str(action.kind) == "play":
            known = game.knowledge[seat][action.target]
            cards = [Card(c, r) for c in known.colors for r in known.ranks]
            assert any(known.is_possible(card) and game.is_playable(card) for card in cards)
            played += 1
        game = game.apply(action)
    assert played


def test_the_text_names_the_level() -> None:
    assert parse_player("hgroup:level=3") == HGroup(3)


def test_readings_are_those_of_the_targets_view() -> None:
    rules = Rules.hanab_live(3)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    hint = next(each for each in game.view(0).legal_actions if each.is_hint)
    game = game.apply(hint)
    told = readings(game.view(hint.target), 0, 1)
    assert (told.giver, told.target, told.hint) == (0, hint.target, hint)
    assert told.focus.startswith(f"focus is slot {told.slot}")
    with pytest.raises(InvalidInputError, match="turn 1 is not a hint"):
        readings(game.view(1), 1, 1)


def test_it_says_what_it_expects_and_what_was_broken() -> None:
    rules = Rules.hanab_live(3)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    view = game.view(0)
    assert [each.seat for each in expected(view, 1)] == [1, 2]
    broken = [slips(view, action, 1) for action in view.legal_actions]
    names = {each.convention.name for found in broken for each in found}
    assert {"Play Clue", "Minimum Clue Value Principle"} <= names
    kept = HGroup(1).act(view, Stream(1))
    assert slips(view, kept, 1) == ()


def test_a_hint_is_explained_by_what_its_target_reads() -> None:
    rules = Rules.hanab_live(3)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    view = game.view(0)
    hint: Action = HGroup(1).act(view, Stream(1))
    assert HGroup(1).why(view, hint).startswith(f"seat {hint.target} reads: slot ")


def tables(seats: int) -> Iterator[Game]:
    """Yield deals by several rule sets."""
    sets = [preset(min(seats, 5)) for preset in PRESETS.values()]
    variants = ("Black (6 Suits)", "Clue Starved & Brown (6 Suits)")
    for rules in (*sets, *(Rules.hanab_live(seats, variant=each) for each in variants)):
        if not rules.open_hands:
            for seed in range(3):
                yield Game.start(rules, rules.spec.shuffle(seed))


def gone(mind: Mind, viewer: int) -> int:
    """Return what `Mind.gone` does, counted anew."""
    hands = [hand for seat, hand in enumerate(mind.hands) if seat != viewer]
    seen = Counter(mind.card[order] for hand in hands for order in hand)
    copies = enumerate(mind.deal.copies)
    return sum(1 << kind for kind, n in copies if seen[kind] + mind.out[kind] >= n)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_state_of_the_table_is_that_of_the_rules(seats: int) -> None:
    """Whatever is done, the mind's piles, tokens, lives, hands and cards are those of the game."""
    completed, choose = 0, Random(seats)
    for deal in tables(seats):
        game = deal
        followers = [Follower(game.view(seat), LEVELS) for seat in range(game.rules.seats)]
        while True:
            for seat, follower in enumerate(followers):
                mind = follower.follow(game.view(seat))
                assert tuple(mind.piles) == game.piles
                assert (mind.clues, mind.lives) == (game.hint_credit, game.lives)
                left = None if mind.end is None else mind.end - mind.turn
                assert left == game.turns_left
                assert mind.deck_left == game.deck_left
                assert [sorted(hand) for hand in mind.hands] == [
                    sorted(hand) for hand in game.hand_indices
                ]
                for kind, card in enumerate(mind.deal.cards):
                    if mind.deal.full >> kind & 1 and game.copies_left(card):
                        assert bool(mind.playable >> kind & 1) == game.is_playable(card)
                        assert bool(mind.trash >> kind & 1) == game.is_dead(card)
                        is_last = game.copies_left(card) == 1 and not game.is_dead(card)
                        assert bool(mind.critical >> kind & 1) == is_last
                for viewer in range(game.rules.seats):
                    assert mind.gone(viewer) == gone(mind, viewer)
            if not game.can_act:
                break
            hand = game.hands[game.seat_to_act]
            right = [play(slot) for slot, card in enumerate(hand) if game.is_playable(card)]
            others = [each for each in game.legal_actions if each.is_hint or choose.random() < 0.1]
            game = game.apply(choose.choice(right or others or game.legal_actions))
        completed += game.piles.count(5)
    assert completed > 0  # so that colors that return a token are among them


def test_a_play_from_the_deck_draws_its_last_card() -> None:
    rules = replace(Rules.hanab_live(3), deck_plays=True)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    while game.deck_left > 1:
        hint = next((each for each in game.legal_actions if each.is_hint), None)
        game = game.apply(hint if hint and game.hints == rules.hints else discard(0))
    game = game.apply(play_deck())
    mind = Follower(game.view(0), LEVELS).follow(game.view(0))
    assert mind.end is not None
    assert mind.end - mind.turn == game.turns_left


def test_a_meaning_that_says_nothing_waits_for_nobody() -> None:
    rules = Rules.hanab_live(3)
    game = Game.start(rules, rules.spec.shuffle(seed=2))
    for action in play_game([HGroup(11)] * 3, game, Stream(2)).actions:
        view = game.view(game.seat_to_act)
        mind = module.mind_of(view, 11)
        for hint in filter(lambda each: each.is_hint, view.legal_actions):
            clue = clue_of(mind, hint, sorted(mind.touches(hint)))
            assert clue is not None
            for seat in {*range(3)} - {view.seat}:
                found = meanings(mind, clue, seat)
                assert all(each.kinds or not (each.steps or each.path) for each in found)
        game = game.apply(action)
