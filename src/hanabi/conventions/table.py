"""The state of a game as one seat follows it: public knowledge, and the beliefs of each seat.

Cards are named by their deck numbers. A *kind* is an identity, such as red 3; sets of kinds, and of
cards, are whole numbers with one bit each. A card is *clued* (`touched`) if a hint touched it, and
*marked* if it is clued, chop-moved, or to be played blindly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import exp, log
from typing import NamedTuple

from hanabi.conventions.conventions import NO_MOVES, ORDER_OF_ONES, SARCASTIC, Convention
from hanabi.rules import (
    Action,
    Card,
    Game,
    Kind,
    Rules,
    card_name,
    efficiencies,
    hint_rank,
    pace_of,
)

__all__ = ["PRICE", "Deal", "Mind", "Step", "Wait", "bits", "deal_of"]

UNSEEN = -1
"""The identity of a card that the seat does not see."""

HARD = Fraction(133, 100)
"""The efficiency, in cards gotten per hint, from which on a variant is hard."""

TRUST = log(7.0)
"""The log-odds, before any play, that a player keeps the conventions."""

FAILS, FAILS_ASTRAY = (0.01, 0.05, 0.02), (0.33, 0.33, 0.9)
"""Chance that a play fails, by why it is played: the focus, another clued card, an unclued card.
FAILS: the giver keeps the conventions; FAILS_ASTRAY: it does not."""

LIKE, SLIP = 0.75, 0.5
"""Weight of an error against the other seats; weight of an error that no hint asked for."""

PRICE = (0.0, 22.0, 6.0, 3.0)
"""Cost of an error by lives left, in points; the last one costs the game."""

DARE = 1.5
"""The highest expected cost, in points, at which a card is played by conventions alone."""


def bits(mask: int) -> Iterator[int]:
    """Yield the numbers in a set of bits, lowest first.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Deal:
    """The facts of a rule set: kinds of cards, their copies, and what each hint touches.

    Attributes
    ----------
    copies
        By kind, its copies in the deck. The kind of a card is `color * ranks + rank - 1`.
    full
        The set of all kinds.
    touch
        By kind of hint and value, the set of kinds that it touches.
    ranks
        By rank, the set of kinds.
    last
        By color, its highest rank.
    pink, rainbow
        The kinds that several numbers touch, and those that all colors touch.
    brown, white, null
        The kinds that no number touches, those that no color touches, and those that no hint does.
    twins
        The other kinds that hints cannot tell from some other kind.
    omni, dark
        The kinds that all hints touch, except those of one copy; the kinds of suits that have one
        copy of each card.
    is_special
        Whether the guide has special conventions for some of these cards.
    is_hard
        Whether the guide calls the variant hard: a perfect score needs many cards per hint.
    has_five_moves
        Whether number 5 off chop may be a 5 Stall or a 5's Chop Move: only with over three suits.
    promise
        By kind of hint and value, the kinds that the focus may be by Pink and Color Promise.
    start
        The tally of the deal.
    last_round
        The turns after the last card is drawn; None if nothing limits them.
    """

    def __init__(self, rules: Rules) -> None:
        from hanabi.rules import Tally

        self.rules = rules
        self.height = rules.ranks
        rows = rules.spec.copies
        self.copies = [
            rows[color][rank] if rank < len(rows[color]) else 0
            for color in range(rules.colors)
            for rank in range(self.height)
        ]
        self.full = sum(1 << kind for kind, copies in enumerate(self.copies) if copies)
        self.cards = [Card(*divmod(kind, self.height)) for kind in range(len(self.copies))]
        self.cards = [Card(card.color, card.rank + 1) for card in self.cards]
        self.ranks = [self._where(at=rank) for rank in range(self.height + 1)]
        self.touch = {
            (hint.kind, hint.value): sum(
                1 << kind for kind in bits(self.full) if rules.touches(hint, self.cards[kind])
            )
            for hint in rules.clues
        }
        self.last = [len(row) for row in rows]
        colors, numbers = (
            [mask for (kind, _), mask in self.touch.items() if kind is each]
            for each in (Kind.HINT_COLOR, Kind.HINT_RANK)
        )
        self.brown, self.pink = self._by_touches(numbers, 0), self._by_touches(numbers, 2)
        self.white = self._by_touches(colors, 0)
        self.rainbow = self._by_touches(colors, max(len(colors), 2))
        suits = () if rules.variant is None else rules.variant.suits
        self.dark = self._of_suits([suit.one_of_each for suit in suits])
        self.null = self._of_suits([suit.no_clue_colors and suit.no_clue_ranks for suit in suits])
        omni = [suit.all_clue_colors and suit.all_clue_ranks for suit in suits]
        self.omni = self._of_suits(omni) & ~self.dark
        variant = rules.variant
        self.is_special = variant is not None and (
            not variant.is_read_plainly or bool(self.dark or variant.critical_rank)
        )
        self.has_five_moves = rules.colors > 3
        self.start = self._ready = Tally.start(rules)
        *lower, self._top = [card for card in self.cards if card.color == 0][: self.last[0]]
        for card in lower:
            self._ready = self._ready.use(card, is_play=True)
        self._balances: dict[int, tuple[int, int, int]] = {}
        drawn = self.start
        while drawn.deck_left:
            drawn = drawn.draw()
        self.last_round = drawn.turns_left
        deal = Game.start(rules, rules.spec.shuffle(seed=0))
        self.is_hard = (efficiencies([deal])[0].required or 0) >= HARD
        alike = Counter(self._touches_of(kind) for kind in bits(self.full))
        usual = self.full & ~(self.pink | self.brown | self.rainbow)
        self.twins = sum(1 << kind for kind in bits(usual) if alike[self._touches_of(kind)] > 1)
        self.promise = {hint: mask & ~self._lies(*hint) for hint, mask in self.touch.items()}

    def balances(self, tokens: int) -> tuple[int, int, int]:
        """Return the balances of hint tokens after three actions, given the one before.

        They are a hint, with a negative balance if it cannot be paid; a discard; and a play that
        completes a color.
        """
        found = self._balances.get(tokens)
        if found is None:
            tally = self._ready.with_credit(tokens)
            after = (
                tally.hint(hint_rank(1, 1)),
                tally.use(None, is_play=False),
                tally.use(self._top, is_play=True),
            )
            hinted, discarded, completed = (each.hint_credit for each in after)
            found = self._balances[tokens] = hinted, discarded, completed
        return found

    def _lies(self, kind: Kind, value: int) -> int:
        """Return the kinds that a hint touches, but is not about: it would name them falsely."""
        variant = self.rules.variant
        if variant is None:
            return 0
        # Pink Promise: a number is not about other ranks that all numbers touch. Where hints cannot
        # name 5, this holds for 5s too, unless no color touches these. Where they cannot name 1,
        # any number may be about such 1s.
        if kind is Kind.HINT_RANK:
            pink = self.pink & ~self.ranks[value]
            named = sum(self.ranks[rank] for rank in variant.clue_ranks)
            return pink & (named | (self.ranks[5] & ~self.white if self.height >= 5 else 0))
        # Color Promise: a color is not about cards of the special rank of another suit.
        special = self.rainbow & ~self.pink & ~self.brown & self.ranks[variant.special_rank]
        name, suits = variant.clue_colors[value], variant.suits
        own = {color for color, suit in enumerate(suits) if name in suit.clue_colors}
        free = {color for color, suit in enumerate(suits) if not suit.clue_colors}
        return sum(1 << each for each in bits(special) if self.cards[each].color not in own | free)

    def _by_touches(self, masks: list[int], least: int) -> int:
        """Return the kinds that are in `least` or more of some sets; for 0, those in none."""
        counts = {kind: sum(mask >> kind & 1 for mask in masks) for kind in bits(self.full)}
        return sum(1 << kind for kind, n in counts.items() if (n >= least if least else not n))

    def _touches_of(self, kind: int) -> tuple[tuple[Kind, int], ...]:
        return tuple(hint for hint, mask in self.touch.items() if mask >> kind & 1)

    def _of_suits(self, chosen: list[bool]) -> int:
        """Return the kinds of the chosen colors."""
        colors = {color for color, is_it in enumerate(chosen) if is_it}
        return sum(1 << kind for kind in bits(self.full) if self.cards[kind].color in colors)

    def _where(self, at: int) -> int:
        return sum(1 << kind for kind in bits(self.full) if self.cards[kind].rank == at)

    def kind(self, card: Card) -> int:
        """Return the kind of a card."""
        return card.color * self.height + card.rank - 1

    def suit(self, kind: int) -> int:
        """Return all kinds of a kind's suit."""
        at = kind - kind % self.height
        return self.full & (1 << self.height) - 1 << at

    def names(self, mask: int) -> str:
        """Return the cards of a set in words.

        >>> deal_of(Rules.official(2)).names(0b100001)
        'r1 or y1'
        """
        texts = [card_name(self.cards[kind], self.rules) for kind in bits(mask)]
        *most, last = texts or ["nothing"]
        return f"{', '.join(most)} or {last}" if most else last


@lru_cache(maxsize=32)
def deal_of(rules: Rules) -> Deal:
    """Return the facts of a rule set, made once."""
    return Deal(rules)


class Step(NamedTuple):
    """A card that must be played before the focus of a hint can be.

    Attributes
    ----------
    seat, order
        Its holder and its deck number.
    kind
        The kind that the hint promises.
    is_blind
        Whether it is finessed: an unclued card, to be played blindly. Otherwise it is prompted.
    under
        The cards to play next if this one turns out to be another playable card.
    is_bluff
        Whether any playable card will do: the hint then was a bluff.
    is_due
        Whether its holder plays it anyway, as one of several kinds: so its play confirms nothing.
    """

    seat: int
    order: int
    kind: int
    is_blind: bool
    under: tuple[int, ...] = ()
    is_bluff: bool = False
    is_due: bool = False


class Wait(NamedTuple):
    """A reading of a hint that waits until others have played the steps to it.

    Attributes
    ----------
    giver
        The seat that gave the hint.
    seat, order
        The holder and the deck number of the focus.
    kind
        The kind of the focus by this reading.
    steps
        The cards to play first, in order.
    later
        The cards that were drawn after the hint, so that it does not mean them.
    """

    giver: int
    seat: int
    order: int
    kind: int
    steps: tuple[Step, ...]
    later: int


class Mind:
    """The state of a game as the seat `me` follows it: public, but for the cards that it sees.

    Attributes
    ----------
    hands
        By seat, the deck numbers of its cards, oldest first.
    card
        By deck number, the kind of the card, or `UNSEEN`.
    allowed
        By deck number, the kinds that hints leave possible. Everybody knows these.
    inferred
        By deck number, the kinds that conventions leave, as the holder reads them.
    touched, moved, blind, called, said
        Sets of cards: clued; chop-moved; to be played blindly; prompted; given a meaning by a hint.
    spent
        The kinds of which all copies are on piles or discarded.
    since, by
        By deck number, the turn of the first hint that touched the card, and its giver.
    source
        By deck number, the giver of the hint that calls the card to be played.
    asked
        By deck number, the convention that last called a card to be played without being about it,
        and the turn of that.
    idle, front
        Sets of cards: declared useless by a hint; 1s to be played before others.
    veiled
        The newly clued cards of a hint that is being read: nobody concludes from them yet.
    assumed
        The cards taken for 1s only because number 1 touched them, which touches pink cards too.
    unsure
        The cards that others are to play by only one of the meanings of a hint to this seat.
    waits
        The readings that wait for plays of other seats.
    alarm
        The seat that must give a hint now, because the previous one has screamed; or -1.
    spare
        A seat, its card, and a card of this seat that is to be played blindly if the first one is
        not; or None.
    dumped
        The kind of the card discarded just now, if one copy is left; or -1.
    anxious
        The seat that is to play its likeliest card, as it has a locked hand and no token; or -1.
    lost
        The turns at which kinds became unplayable, as all copies of a card were gone, with them.
    led
        For each clued card that was played: its first giver, the turn of that, its kind's bit, and
        the turn of the play.
    trust, trust_blind
        By seat, the log-odds that it keeps the conventions; and that all do so with blind plays.
    """

    def __init__(self, rules: Rules, me: int, first_seat: int, level: int) -> None:
        self.deal = deal_of(rules)
        self.rules, self.me, self.level = rules, me, level
        size, seats = rules.hand_size, rules.seats
        self.hands = [list(range(seat * size, (seat + 1) * size)) for seat in range(seats)]
        self.owner = [UNSEEN] * rules.deck_size
        for seat, hand in enumerate(self.hands):
            for order in hand:
                self.owner[order] = seat
        self.card = [UNSEEN] * rules.deck_size
        self.allowed = [self.deal.full] * rules.deck_size
        self.inferred = [self.deal.full] * rules.deck_size
        self.since = [-1] * rules.deck_size
        self.by = [UNSEEN] * rules.deck_size
        self.source = [UNSEEN] * rules.deck_size
        self.tally = self.deal.start
        self.out = [0] * len(self.deal.copies)
        self.piles, self.reach = [0] * rules.colors, [0] * rules.colors
        self.touched = self.moved = self.blind = self.called = self.said = 0
        self.idle = self.front = self.veiled = self.unsure = self.assumed = 0
        self.waits: tuple[Wait, ...] = ()
        self.asked: dict[int, tuple[Convention, int]] = {}
        self.turn, self.seat = 0, first_seat
        self.end: int | None = None
        self.is_early = True
        self.led: tuple[tuple[int, int, int, int], ...] = ()
        self.lost: tuple[tuple[int, int], ...] = ()
        self.trust, self.trust_blind = [TRUST] * seats, TRUST
        self.alarm = self.dumped = self.anxious = -1
        self.spare: tuple[int, int, int] | None = None
        self._derive()

    def copy(self) -> Mind:
        """Return a copy, to try an action on."""
        other = object.__new__(Mind)
        vars(other).update(vars(self))
        other.hands = [hand[:] for hand in self.hands]
        other.owner, other.card, other.out = self.owner[:], self.card[:], self.out[:]
        other.allowed, other.inferred = self.allowed[:], self.inferred[:]
        other.piles, other.reach = self.piles[:], self.reach[:]
        other.since, other.by, other.source = self.since[:], self.by[:], self.source[:]
        other._elsewhere = {}  # `_gone` is replaced when cards move
        return other

    def ask(self, order: int, convention: Convention) -> None:
        """Note which convention calls a card to be played now; copies keep what they had."""
        self.asked = {**self.asked, order: (convention, self.turn)}

    # Facts from the piles and discards.

    def _derive(self) -> None:
        self.played = self.dead = self.playable = self.critical = self.trash = self.spent = 0
        for color in range(len(self.piles)):
            self._derive_color(color)

    def _derive_color(self, color: int) -> None:
        facts, at = self.tally.facts_of(color), color * self.deal.height
        self.piles[color], self.reach[color] = facts.height, facts.most
        others, row = ~(((1 << self.deal.height) - 1) << at), (1 << self.deal.last[color]) - 1
        played = (1 << facts.height) - 1
        dead = (row & ~played & ~facts.to_come) << at
        if new := dead & ~self.dead:
            self.lost = (*self.lost, (self.turn, new))
        self.played = self.played & others | played << at
        self.dead = self.dead & others | dead
        self.playable = self.playable & others | facts.next << at
        self.critical = self.critical & others | (facts.single & facts.to_come) << at
        self.spent = self.spent & others | facts.spent << at
        self.trash = self.played | self.dead
        self._gone: dict[int, int] = {}
        self.forget()

    def forget(self) -> None:
        """Forget what was derived from beliefs; call it after they have changed."""
        self._elsewhere: dict[int, list[tuple[int, int]]] = {}

    @property
    def marked(self) -> int:
        """The cards that are clued, chop-moved, or called to be played blindly."""
        return self.touched | self.blind | self.moved

    @property
    def clues(self) -> int:
        """The balance of hint tokens, as `Table.hint_credit`."""
        return self.tally.hint_credit

    @property
    def has_hint(self) -> bool:
        """Whether there is a token for a hint."""
        return self.tally.hints > 0

    @property
    def lives(self) -> int:
        """Errors left, including the one that ends the game."""
        return self.tally.lives

    @property
    def score(self) -> int:
        """Points on the piles."""
        return sum(self.piles)

    @property
    def deck_left(self) -> int:
        """Cards still to be drawn."""
        return self.tally.deck_left

    @property
    def pace(self) -> int:
        """The number of discards that the team can still afford, if each seat has a last turn."""
        return pace_of(self.score, self.deck_left, self.rules.seats, sum(self.reach))

    @property
    def is_late(self) -> bool:
        """Whether fewer discards are left than there are seats."""
        return self.pace < self.rules.seats

    @property
    def is_end(self) -> bool:
        """No Chop Moves in the End-Game: whether it has begun, for the levels that know it."""
        return self.level >= NO_MOVES.level and self.is_late

    # Trust in the conventions. It is public, as everybody sees which plays were right.

    def is_sure(self, order: int) -> bool:
        """Whether its holder knows a card to be playable by hints and visible cards alone."""
        return not self.possible(order) & ~self.playable

    def judge(self, seat: int, order: int, *, is_right: bool) -> None:
        """Update the trust after a play that only conventions showed to be right.

        It counts for or against the giver of the hint; an error that no hint asked for, against the
        player. An error counts against the others too, as strangers rarely come alone.
        """
        manner = self._manner(order)
        well, ill = FAILS[manner], FAILS_ASTRAY[manner]
        gain = log((1 - well) / (1 - ill)) if is_right else log(well / ill)
        giver = self.source[order]
        if self.belief(order) & ~self.playable:
            giver, gain = seat, 0.0 if is_right else SLIP * gain
        others = 0.0 if is_right else LIKE * gain
        self.trust = [
            odds + (gain if each == giver else others) for each, odds in enumerate(self.trust)
        ]
        self.trust_blind += gain if manner == 2 or not is_right else 0.0

    def risk(self, order: int) -> float:
        """Return the chance that a play fails that only conventions show to be right.

        It depends on the trust in the giver of the hint, or for a blind play, on that in all.
        """
        manner = self._manner(order)
        odds = exp(self.trust_blind if manner == 2 else self.trust[self.source[order]])
        return (FAILS[manner] * odds + FAILS_ASTRAY[manner]) / (odds + 1)

    def dares(self, order: int) -> bool:
        """Whether a card that its holder thinks playable is worth the risk."""
        return self.is_sure(order) or self.risk(order) * PRICE[min(self.lives, 3)] <= DARE

    def _manner(self, order: int) -> int:
        """Return why a card is played: 0 as a focus or prompt, 1 as clued besides, 2 unclued."""
        if (self.said | self.called) & self.touched & 1 << order:
            return 0
        return 1 if self.touched >> order & 1 else 2

    # Knowledge and beliefs of a seat.

    def sees(self, viewer: int, order: int) -> int:
        """Return the kind of a card that a seat sees, as far as this seat knows; or `UNSEEN`."""
        if self.owner[order] == viewer:
            return UNSEEN
        kind = self.card[order]
        if kind < 0 and self.owner[order] == self.me:
            own = self.allowed[order] & self.inferred[order]
            if own and not own & own - 1:
                return own.bit_length() - 1
        return kind

    def gone(self, viewer: int) -> int:
        """Return the kinds of which a seat sees all copies outside its own hand."""
        mask = self._gone.get(viewer)
        if mask is None:
            count, card, copies, mask = self.out[:], self.card, self.deal.copies, self.spent
            for seat, hand in enumerate(self.hands):
                if seat != viewer:
                    for order in hand:
                        if (kind := card[order]) >= 0:
                            count[kind] = n = count[kind] + 1
                            if n >= copies[kind]:
                                mask |= 1 << kind
            self._gone[viewer] = mask
        return mask

    def elsewhere(self, viewer: int, order: int) -> int:
        """Good Touch Principle: return the kinds of other clued cards, which a card is not then.

        The giver of the later of two hints must have known the earlier card, however: nobody avoids
        duplicates of unknown cards in their own hand.
        """
        return self._taken(order, self._others(viewer), self.deal.full)

    def _others(self, viewer: int) -> list[tuple[int, int]]:
        """Return `_touched_kinds`, cached until beliefs change."""
        others = self._elsewhere.get(viewer)
        if others is None:
            others = self._elsewhere[viewer] = self._touched_kinds(viewer)
        return others

    def _taken(self, order: int, others: list[tuple[int, int]], kinds: int) -> int:
        """Return those of some kinds that a card cannot be because other clued cards are."""
        mask, since, by, owner = 0, self.since, self.by, self.owner
        for each, bit in others:
            if not kinds & bit or each == order:
                continue
            giver, earlier = (by[each], order) if since[each] > since[order] else (by[order], each)
            if owner[earlier] != giver or self.told(earlier) == bit:
                mask |= bit
                kinds ^= bit
        return mask

    def _touched_kinds(self, viewer: int) -> list[tuple[int, int]]:
        """Return the clued cards whose kind a seat knows, each with its kind's bit."""
        found = []
        marked = (self.touched | self.blind) & ~(self.veiled | self.unsure)
        for seat, hand in enumerate(self.hands):
            for each in hand:
                if not marked >> each & 1:
                    continue
                left = self.allowed[each] & self.inferred[each]
                left = left if seat == viewer else left & ~self._passed(each) or left
                kind = UNSEEN if seat == viewer else self.card[each]
                if kind >= 0:
                    if left >> kind & 1:
                        found.append((each, 1 << kind))
                elif (seat in (viewer, self.me)) and left and not left & left - 1:
                    found.append((each, left))
        return found

    def possible(self, order: int) -> int:
        """Return the kinds that hints, and the cards that its holder sees, leave possible."""
        allowed, owner = self.allowed[order], self.owner[order]
        gone = self._gone.get(owner)
        return allowed & ~(self.gone(owner) if gone is None else gone) or allowed

    def belief(self, order: int) -> int:
        """Return the kinds that a card can be, as its holder thinks, by hints and conventions.

        If conventions contradict what hints show, the hints win.
        """
        m = self.possible(order)
        i = m & self.inferred[order]
        if not (self.touched | self.blind) >> order & 1:
            return i or m
        others = self._elsewhere.get(owner := self.owner[order])
        if others is None:
            others = self._others(owner)
        good = i & ~self._passed(order)
        if good and others:
            good &= ~self._taken(order, others, good)
        # Soft Good Touch Principle: other cards than the focus may be useless ones.
        if self.deal.omni and not self.said >> order & 1:
            good |= i & self.deal.omni
        return good or i or m

    def _passed(self, order: int) -> int:
        """Return the useless kinds that a clued card is not, as hints touch no useless cards.

        It may have become useless since: because a card was lost, or because a copy was played that
        its holder had clued, as nobody avoids duplicates of cards in their own hand. The others
        have a round to say so.
        """
        mask, owner, since = self.trash, self.owner[order], self.since[order]
        for turn, kinds in self.lost:
            if turn > since:
                mask &= ~kinds
        for giver, turn, bit, played in self.led:
            if giver == owner and turn > since and self.turn - played < self.rules.seats:
                mask &= ~bit
        return mask

    def chop(self, seat: int) -> int | None:
        """The Chop: return the oldest unmarked card, which the seat would discard."""
        marked = self.marked
        for order in self.hands[seat]:
            if not marked >> order & 1:
                return order
        return None

    def finesse(self, seat: int, skip: int = 0) -> int | None:
        """Finesse: return the card on finesse position, the newest unmarked one, not in a set."""
        marked = self.marked | skip
        for order in reversed(self.hands[seat]):
            if not marked >> order & 1:
                return order
        return None

    def prompt(self, seat: int, kind: int, skip: int = 0, *, is_public: bool = False) -> int | None:
        """Prompt: return the newest clued card of a seat, not in a set, that could be a kind.

        It counts what the seat believes, or only what everybody knows (`is_public`). For a kind
        that all numbers touch, cards known to be of such kinds go first.
        """
        found, pink = None, self.deal.pink
        for order in reversed(self.hands[seat]):
            if self.touched >> order & 1 and not (skip | self.idle) >> order & 1:
                belief = self.told(order) if is_public else self.belief(order)
                if not belief >> kind & 1 or not belief & belief - 1:
                    continue
                if not pink >> kind & 1 or not self.possible(order) & ~pink:
                    return order
                if found is None and not self.is_other_number(order, kind):
                    found = order
        return found

    def is_other_number(self, order: int, kind: int) -> bool:
        """The Pink Prompt Rank Exception: whether a card was clued only with another number."""
        deal = self.deal
        if not deal.pink >> kind & 1:
            return False
        others = self.allowed[order] & ~deal.suit(kind)
        if not others & ~self.trash or others & deal.ranks[deal.cards[kind].rank]:
            return False
        return any(not others & ~deal.ranks[rank] for rank in range(1, deal.height + 1))

    def told(self, order: int) -> int:
        """Return the kinds that a card can be by public knowledge, if it is not useless."""
        left = self.allowed[order] & self.inferred[order]
        return left & ~self.trash or left

    def coming(self) -> int:
        """Return the cards known to all to be played, now or later, without another hint."""
        marked = (self.touched | self.blind) & ~self.idle
        found, taken, reach, last = 0, 0, self.playable, -1
        while found != last:
            last = found
            for hand in self.hands:
                for order in hand:
                    left = self.told(order)
                    if not (marked & ~found) >> order & 1 or left & ~reach:
                        continue
                    if left & left - 1:
                        found |= 1 << order
                    elif not left & taken:
                        found, taken = found | 1 << order, taken | left
                        reach |= left << 1 & ~self.deal.ranks[1]
        return found

    def is_known_to_play(self, seat: int) -> bool:
        """Whether everybody knows that a seat has a card to play now."""
        coming = self.coming()
        return any(
            coming >> order & 1 and not self.told(order) & ~self.playable
            for order in self.hands[seat]
        )

    def plays(self, seat: int) -> list[int]:
        """Return the cards that a seat believes to be playable now, the next one to play first.

        Blind plays come first, then cards that were the focus of a hint, then newer ones.
        """
        marked, later = (self.touched | self.blind) & ~self.idle, ~self.playable
        beliefs = {
            order: belief
            for order in self.hands[seat]
            if (marked >> order & 1 or not self.possible(order) & later)
            and not (belief := self.belief(order)) & later
        }
        singles, kept = 0, []
        for order in sorted(beliefs, key=self._place_in_line):
            belief = beliefs[order]
            if not belief & belief - 1:
                if singles & belief:
                    continue
                singles |= belief
            kept.append(order)
        return kept or (self._likeliest(seat) if seat == self.anxious else [])

    def _likeliest(self, seat: int) -> list[int]:
        """Return the clued card of a seat that is most likely playable, the newest of several."""
        best, most = list[int](), 0.0
        for order in reversed(self.hands[seat]):
            belief = self.belief(order) if self.touched >> order & 1 else 0
            count = {kind: self.deal.copies[kind] - self.out[kind] for kind in bits(belief)}
            good = sum(n for kind, n in count.items() if self.playable >> kind & 1)
            if good and good / sum(count.values()) > most:
                best, most = [order], good / sum(count.values())
        return best

    def _place_in_line(self, order: int) -> tuple[bool, int, bool, tuple[int, int]]:
        is_blind = bool(self.blind >> order & 1)
        place = 0, -order
        if self.level >= ORDER_OF_ONES.level and self._is_one(order):
            place = self.place_of_one(order)
            return not is_blind, 0, not self.front >> order & 1, place
        queue = self.since[order] if is_blind else 0
        return not is_blind, queue, not self.said >> order & 1, place

    def _is_one(self, order: int) -> bool:
        """Whether a card is a 1 by a hint, and by the 1's Assumption if all numbers touch it."""
        allowed, ones = self.allowed[order], self.deal.ranks[1]
        named = self.deal.touch.get((Kind.HINT_RANK, 1), 0) | ones
        return not allowed & ~named and not allowed & self.inferred[order] & ~ones

    def place_of_one(self, order: int) -> tuple[int, int]:
        """Playing Multiple 1s: return a 1's place: drawn ones from the newest, then dealt ones."""
        is_fresh = order >= self.rules.seats * self.rules.hand_size
        return (0, -order) if is_fresh else (1, order)

    def ones(self, seat: int) -> list[int]:
        """Return a seat's clued 1s of unknown color, in the order of play, which is public."""
        ones = self.deal.ranks[1]
        found = [
            order
            for order in self.hands[seat]
            if self.touched >> order & 1
            and not self.allowed[order] & ~ones
            and self.allowed[order] & self.allowed[order] - 1
        ]
        return sorted(found, key=lambda each: (not self.front >> each & 1, self.place_of_one(each)))

    def useless(self, seat: int) -> list[int]:
        """Return the cards that a seat knows to be useless, oldest first."""
        return [
            order
            for order in self.hands[seat]
            if self.idle >> order & 1
            or not self.possible(order) & ~self.trash
            or (self.touched >> order & 1 and not self.belief(order) & ~self.trash)
            or (self.touched >> order & 1 and self._is_second(order))
            or self.is_spare(order)
        ]

    def is_spare(self, order: int) -> bool:
        """Whether a clued card, besides the focus, can only be what others of its hand are."""
        if not (self.touched & ~(self.said | self.assumed)) >> order & 1:
            return False
        others = {self.told(o) for o in self.hands[self.owner[order]] if self.said >> o & 1}
        return not self.told(order) & ~self.trash & ~sum(o for o in others if not o & o - 1)

    def _is_second(self, order: int) -> bool:
        """Whether the holder knows a card, and sees a clued duplicate that will be known as such.

        Sarcastic Finesse: from level 3 the duplicate need not be known, as the discard passes the
        card on: to the giver of a finesse, too, who holds it.
        """
        m = self.possible(order) & self.inferred[order]
        if not m or m & m - 1:
            return False
        holder, kind = self.owner[order], m.bit_length() - 1
        for seat, hand in enumerate(self.hands):
            if seat == holder:
                continue
            for each in hand:
                is_kept = self.touched & ~self.idle
                if is_kept >> each & 1 and self.sees(holder, each) == kind:
                    left = self.allowed[each] & self.inferred[each]
                    if left == m or (self.level >= SARCASTIC.level and left & m):
                        return True
        return False

    # Actions.

    def touches(self, action: Action) -> list[int]:
        """Return the cards that a hint touches, oldest first; the target's hand must be seen."""
        mask = self.deal.touch[action.kind, action.value]
        return [o for o in self.hands[action.target] if mask >> self.card[o] & 1]

    def mark(self, action: Action, touched: list[int]) -> None:
        """Take in what the rules alone show of a hint: the cards that it touches."""
        mask = self.deal.touch[action.kind, action.value]
        for order in self.hands[action.target]:
            self.allowed[order] &= mask if order in touched else ~mask
        for order in touched:
            if not (self.touched | self.blind) >> order & 1:
                self.since[order], self.by[order] = self.turn, self.seat
                self.source[order] = self.seat
            self.touched |= 1 << order
        self.tally = self.tally.hint(action)
        self.forget()

    def take(self, seat: int, order: int, kind: int, *, is_play: bool) -> None:
        """Take a card out of a hand, and play or discard it."""
        if order in self.hands[seat]:
            self.hands[seat].remove(order)
        self.card[order] = kind
        self.allowed[order] = self.inferred[order] = 1 << kind
        if is_play and self.touched & 1 << order and self.playable >> kind & 1:
            self.led += ((self.by[order], self.since[order], 1 << kind, self.turn),)
        off = ~(1 << order)
        self.touched &= off
        self.moved &= off
        self.blind &= off
        self.put(kind, is_play=is_play)

    def put(self, kind: int, *, is_play: bool) -> None:
        """Play or discard a card of a kind."""
        self.out[kind] += 1
        self.tally = self.tally.use(self.deal.cards[kind], is_play=is_play)
        self._derive_color(self.deal.cards[kind].color)

    def drop(self, order: int, *, is_play: bool) -> None:
        """Take a card out of this seat's hand unseen: an error if it is played, or a discard."""
        self.hands[self.me].remove(order)
        self.tally = self.tally.use(None, is_play=is_play)

    def draw_unseen(self) -> None:
        """Take the top card of the deck, for a hand or to play it from there."""
        self.tally = self.tally.draw()
        if self.tally.turns_left is not None:
            self.end = self.turn + 1 + self.tally.turns_left

    def draw(self, seat: int, order: int, kind: int) -> None:
        """Put a new card into a hand."""
        self.hands[seat].append(order)
        self.owner[order], self.card[order] = seat, kind
        self.draw_unseen()
        self._gone = {}
        self.forget()
