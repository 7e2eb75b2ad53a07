"""Positions written as hanab.live shows them, and what each seat thinks of its cards.

Hands are written newest card first, and slots count from the newest, 1: `A2` is the second card of
the first seat. Moves are `clue B 5`, `clue C red`, `play 4` and `discard 5`, of the seat to act.
"""

from __future__ import annotations

from hanabi.conventions.choice import options
from hanabi.conventions.clues import clue_of
from hanabi.conventions.following import act_out, give, pass_by
from hanabi.conventions.table import UNSEEN, Mind, bits
from hanabi.rules import COLOR_LETTERS, Action, Rules, discard, hint_color, hint_rank, play

SEATS = "ABCDEF"


class Position:
    """A game that goes on from given piles, as the mind of each seat follows it.

    Parameters
    ----------
    hands, level
        The hands, first seat first, and the level of all seats.
    piles, out, draws
        The top cards of the piles, the discarded cards, and the first cards to be drawn. All
        others follow in the order of colors and ranks.
    first, tokens
        The seat that acts first, and the hint tokens.
    """

    def __init__(
        self,
        hands: list[str],
        level: int,
        *,
        piles: str = "",
        out: str = "",
        draws: str = "",
        first: str = "A",
        tokens: int = 8,
    ) -> None:
        self.rules = rules = Rules.hanab_live(len(hands))
        seats = range(rules.seats)
        self.minds = [Mind(rules, seat, SEATS.index(first), level) for seat in seats]
        gone = [f"{each[0]}{rank}" for each in piles.split() for rank in range(1, int(each[1]) + 1)]
        for mind in self.minds:
            for text in gone:
                mind.put(self.kind(text), is_play=True)
            for text in out.split():
                mind.put(self.kind(text), is_play=False)
            mind.tally = mind.tally.with_credit(tokens * rules.hint_cost)
            mind.is_early = not (piles or out)
        dealt = [self.kind(text) for hand in hands for text in reversed(hand.split())]
        dealt += [self.kind(text) for text in draws.split()]
        left = [kind for kind, n in enumerate(self.minds[0].deal.copies) for _ in range(n)]
        for kind in [*map(self.kind, [*gone, *out.split()]), *dealt]:
            if kind in left:  # a position may show more copies than there are
                left.remove(kind)
        self.deck = dealt + left
        self.drawn = rules.seats * rules.hand_size
        for mind in self.minds:
            for seat, hand in enumerate(mind.hands):
                for order in hand if seat != mind.me else ():
                    mind.card[order] = self.deck[order]
            mind.forget()

    @staticmethod
    def kind(text: str) -> int:
        """Return the kind of a card."""
        return COLOR_LETTERS.index(text[0]) * 5 + int(text[1]) - 1

    @property
    def seat(self) -> int:
        """The seat to act."""
        return self.minds[0].seat

    def go(self, *moves: str) -> Position:
        """Let the seats act, one after the other."""
        for move in moves:
            action = self.action(move)
            for mind in self.minds:
                self._take(mind, action)
            self.drawn += not action.is_hint
        return self

    def action(self, move: str) -> Action:
        """Return a move of the seat to act."""
        verb, *rest = move.split()
        if verb != "clue":
            slot = len(self.minds[0].hands[self.seat]) - int(rest[0])
            return play(slot) if verb == "play" else discard(slot)
        seat, what = SEATS.index(rest[0]), rest[1]
        if what.isdigit():
            return hint_rank(seat, int(what))
        return hint_color(seat, COLOR_LETTERS.index(what[0]))

    def _take(self, mind: Mind, action: Action) -> None:
        seat = mind.seat
        if action.is_hint:
            mask, hand = mind.deal.touch[action.kind, action.value], mind.hands[action.target]
            clue = clue_of(mind, action, [each for each in hand if mask >> self.deck[each] & 1])
            assert clue is not None
            give(mind, clue)
            pass_by(mind, clue)
        else:
            order = mind.hands[seat][action.target]
            kind, is_discard = self.deck[order], str(action.kind) == "discard"
            is_right = mind.playable >> kind & 1
            act_out(
                mind,
                seat,
                order,
                kind,
                "discard" if is_discard else "play" if is_right else "misplay",
            )
            mind.draw(seat, self.drawn, UNSEEN if seat == mind.me else self.deck[self.drawn])
        mind.turn += 1
        mind.seat = (seat + 1) % self.rules.seats

    def order(self, card: str) -> int:
        """Return the deck number of a card by its seat and slot, such as `A2`."""
        return self.minds[0].hands[SEATS.index(card[0])][-int(card[1])]

    def name(self, order: int) -> str:
        """Return the seat and slot of a card."""
        seat = self.minds[0].owner[order]
        hand = self.minds[0].hands[seat]
        return f"{SEATS[seat]}{len(hand) - hand.index(order)}"

    def belief(self, card: str, by: str = "") -> str:
        """Return what a card may be as its holder thinks, by the mind of a seat."""
        mind = self.minds[SEATS.index(by or card[0])]
        return " ".join(mind.deal.names(1 << kind) for kind in bits(mind.belief(self.order(card))))

    def plays(self, seat: str) -> str:
        """Return the cards that a seat thinks playable, the next one first."""
        at = SEATS.index(seat)
        return " ".join(map(self.name, self.minds[at].plays(at)))

    def blind(self) -> str:
        """Return the unclued cards that are to be played, as their holders think."""
        found = [
            order
            for seat, mind in enumerate(self.minds)
            for order in reversed(mind.hands[seat])
            if mind.blind >> order & ~(mind.touched >> order) & 1
        ]
        return " ".join(map(self.name, found))

    def moved(self, by: str) -> str:
        """Return the chop-moved cards, as a seat thinks."""
        return " ".join(map(self.name, bits(self.minds[SEATS.index(by)].moved)))

    def best(self, *moves: str) -> str:
        """Return the best of some moves of the seat to act."""
        by_action = {self.action(move): move for move in moves}
        mind = self.minds[self.seat].copy()
        return by_action[options(mind, mind.hands[self.seat][:], tuple(by_action))[0].action]
