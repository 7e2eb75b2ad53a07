"""The information player again, slowly: sets of cards instead of bits, one step after another.

It sees the true deck, so it never has to subtract answers; that decisions from views are the same
shows that seats need not see their own hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import copy
from math import prod

import numpy as np
import numpy.typing as npt

from hanabi.ground.rng import Stream
from hanabi.players.information import Information, weights_of
from hanabi.rules import Action, Game, Kind, Rules
from hanabi.rules import layout as k
from hanabi.rules.actions import discard, play
from hanabi.rules.cards import Card
from hanabi.rules.kernels.packed import Packed
from hanabi.rules.packing import pack_deck
from hanabi.solvers.hints import PossibilityTable
from hanabi.solvers.hints.kernels import MOST_CARDS, MOST_HINTS
from hanabi.solvers.hints.partition import partition_many
from oracles.players import Compiled

Words = npt.NDArray[np.int64]
Hand = list[frozenset[Card]]
SCALE = 1024


class Judgement:
    """What piles and discards say of the cards."""

    def __init__(self, game: Game, hands: list[Hand]) -> None:
        spec = game.rules.spec.copies
        self.left = Counter(game.rules.spec.cards())
        self.left.subtract(game.discards)
        self.left.subtract(
            Card(color, rank) for color, top in enumerate(game.piles) for rank in range(1, top + 1)
        )
        self.piles = game.piles
        self.reach: list[int] = []
        for color, row in enumerate(spec):
            reach = game.piles[color]
            while reach < len(row) and self.left[Card(color, reach + 1)] > 0:
                reach += 1
            self.reach.append(reach)
        self.every = frozenset(game.rules.spec.cards())
        pairs = ((card, card.rank - game.piles[card.color]) for card in self.every)
        self.dead = {card for card, away in pairs if away < 1 or card.rank > self.reach[card.color]}
        alive = self.every - self.dead
        self.playable = {card for card in alive if card.rank == game.piles[card.color] + 1}
        self.critical = {card for card in alive if self.left[card] == 1}
        self.near = {card for card in alive if card.rank <= game.piles[card.color] + 3}
        self.nearer = {card for card in alive if card.rank <= game.piles[card.color] + 2}
        self.pinned = {card for hand in hands for mask in hand if len(mask) == 1 for card in mask}


def eliminate(hands: list[Hand], left: Counter[Card]) -> Counter[Card]:
    """Take out cards that are all found; return the copies left to be found."""
    left = left.copy()
    counted: set[tuple[int, int]] = set()
    while True:
        for seat, hand in enumerate(hands):
            for slot, mask in enumerate(hand):
                if len(mask) == 1 and (seat, slot) not in counted:
                    counted.add((seat, slot))
                    left.subtract(mask)
        before = [list(hand) for hand in hands]
        for seat, hand in enumerate(hands):
            for slot, mask in enumerate(hand):
                if len(mask) > 1:
                    hands[seat][slot] = frozenset(card for card in mask if left[card] > 0) or mask
        grown = [
            (seat, slot)
            for seat, hand in enumerate(hands)
            for slot, mask in enumerate(hand)
            if len(mask) == 1 and len(before[seat][slot]) > 1
        ]
        if not grown:
            return left


def weigh(left: Counter[Card], mask: frozenset[Card], group: Iterable[Card]) -> int:
    if len(mask) == 1:
        return len(mask & set(group))
    return sum(max(left[card], 0) for card in mask & set(group))


def known_cards(hand: Hand) -> set[Card]:
    return {card for mask in hand if len(mask) == 1 for card in mask}


def can_partition(rules: Rules) -> bool:
    is_small = rules.colors + rules.ranks <= MOST_HINTS and rules.hand_size <= MOST_CARDS
    return is_small and not rules.empty_hints


class InformationOracle:
    """Public knowledge and decisions, action by action."""

    def __init__(self, player: Information, game: Game) -> None:
        self.player, self.game = player, game
        self.weights = weights_of(game.rules)
        cards = frozenset(game.rules.spec.cards())
        self.hands: list[Hand] = [[cards for _ in hand] for hand in game.hands]
        self.left = eliminate(self.hands, Judgement(game, self.hands).left)

    def take(self, action: Action) -> None:
        """Let everybody learn what the action tells, and take it."""
        game = self.game
        if action.is_hint:
            codes = self.codes()
            n = sum(len(pivots) + 1 for pivots in codes.values())
            if n:
                self.hands = self.ask(n)[1]
                self.hear(self.hands, action)
        else:
            slots = self.choices(action)
            if slots:
                self.hands = self.ask(len(slots))[1]
        known = dict(
            pair
            for indices, hand in zip(game.hand_indices, self.hands, strict=True)
            for pair in zip(indices, hand, strict=True)
        )
        self.game = game.apply(action)
        cards = frozenset(game.rules.spec.cards())
        self.hands = [[known.get(i, cards) for i in indices] for indices in self.game.hand_indices]
        self.left = eliminate(self.hands, Judgement(self.game, self.hands).left)

    def others(self) -> list[int]:
        seats = self.game.rules.seats
        return [(self.game.seat_to_act + turn) % seats for turn in range(1, seats)]

    # Codes

    def codes(self) -> dict[tuple[int, int], list[int]]:
        """Return the pivots of each recipient and kind of hint, in the order of the messages.

        With a partition, kind 2 has the parts but one.
        """
        rules = self.game.rules
        is_full = self.game.hints == rules.hints and not rules.discard_at_full_hints
        likely = round(SCALE * (self.player.full if is_full else self.player.likely_for(rules)))
        codes: dict[tuple[int, int], list[int]] = {}
        for seat in self.others():
            if not self.hands[seat]:
                continue
            pivots = {(seat, i): self.pivots(self.hands[seat], i, likely) for i in range(2)}
            least = (
                1 if self.player.partition == 2 else sum(len(each) + 1 for each in pivots.values())
            )
            parts = self.parts(self.hands[seat])
            codes |= {(seat, 2): parts[1:]} if len(parts) >= least else pivots
        return codes

    def parts(self, hand: Hand) -> list[int]:
        """Return a maximum partition of the hints for a hand, each part as bits."""
        rules = self.game.rules
        if not self.player.partition or not can_partition(rules) or not hand:
            return []
        table = self.table(hand)
        rows = [sum(1 << card for card in row) for row in table.rows]
        touched = [sum(1 << hint for hint in hints) for hints in table.touched]
        sizes, parts = partition_many(
            np.array([rows]),
            hints=table.hints,
            touched=np.array(touched),
            unseen=np.array([table.unseen]),
        )
        return [int(part) for part in parts[0, : max(sizes[0], 0)]]

    def table(self, hand: Hand) -> PossibilityTable:
        """Return what everybody knows of a hand."""
        colors, ranks = self.game.rules.colors, self.game.rules.ranks
        left = self.left + Counter(card for mask in hand if len(mask) == 1 for card in mask)
        cards = [Card(color, rank) for color in range(colors) for rank in range(1, ranks + 1)]
        return PossibilityTable(
            hints=colors + ranks,
            rows=tuple(tuple(i for i, card in enumerate(cards) if card in mask) for mask in hand),
            touched=tuple((card.color, colors + card.rank - 1) for card in cards),
            unseen=tuple(max(left[card], 0) for card in cards),
            names=tuple(map(str, range(colors + ranks))),
        )

    def pivots(self, hand: Hand, kind: int, likely: int) -> list[int]:
        rules = self.game.rules
        values = range(1, rules.ranks + 1) if kind else range(rules.colors)

        def share(mask: frozenset[Card], value: int) -> int:
            group = [card for card in mask if (card.rank if kind else card.color) == value]
            return weigh(self.left, mask, group)

        if self.names_values():
            return [-1] * (len(values) - 1)  # no pivots, but as many messages as values
        free = dict.fromkeys(values, SCALE)

        def new(mask: frozenset[Card]) -> int:
            total = sum(share(mask, value) for value in values)
            return sum(share(mask, value) * free[value] for value in values) // max(total, 1)

        def width(mask: frozenset[Card]) -> int:
            return len({card.rank if kind else card.color for card in mask})

        pivots: list[int] = []
        while len(pivots) + 1 < min(self.player.messages, len(hand)):
            slots = [slot for slot in range(len(hand)) if slot not in pivots]
            slots = [slot for slot in slots if new(hand[slot]) >= likely]
            if not slots:
                break
            pivot = min(slots, key=lambda slot: (-new(hand[slot]), width(hand[slot]), slot))
            total = sum(share(hand[pivot], value) for value in values)
            for value in values:
                free[value] = free[value] * (total - share(hand[pivot], value)) // max(total, 1)
            none = SCALE
            for slot, mask in enumerate(hand):
                if slot not in (*pivots, pivot):
                    none = none * (SCALE - new(mask)) // SCALE
            if SCALE - none < likely:
                break
            pivots.append(pivot)
        return pivots

    def names_values(self) -> bool:
        """Whether a hint's message is its value: any value can be named."""
        return self.game.rules.empty_hints and self.player.messages > 1

    def message(self, codes: dict[tuple[int, int], list[int]], action: Action) -> int:
        number = 0
        for (seat, kind), pivots in codes.items():
            if (seat, kind) == (action.target, 2):
                hint = action.value
                if action.kind is Kind.HINT_RANK:
                    hint += self.game.rules.colors - 1
                parts = self.parts(self.hands[seat])
                return number + next(i for i, part in enumerate(parts) if part >> hint & 1)
            if (seat, kind) == (action.target, action.kind - Kind.HINT_COLOR):
                if self.names_values():
                    return number + action.value - kind
                touched = self.game.touched(action)
                hits = [i for i, slot in enumerate(pivots) if slot in touched]
                return number + (hits[0] if hits else len(pivots))
            number += len(pivots) + 1
        return -1

    # Answers

    def ask(self, messages: int) -> tuple[int, list[Hand]]:
        """Return the sum of the answers, and what everybody then knows."""
        budget = messages if self.player.exact else 1 << messages.bit_length() - 1
        hands, total = [list(hand) for hand in self.hands], 0
        for seat in self.others():
            total += self.answer(hands[seat], self.game.hands[seat], budget)
        return total % budget, hands

    def answer(self, hand: Hand, cards: tuple[Card, ...], budget: int) -> int:
        judged, least = Judgement(self.game, self.hands), 0
        while budget > 1:
            slot, group = self.question(judged, hand)
            if slot < 0:
                break
            part = weigh(self.left, hand[slot], group)
            total = weigh(self.left, hand[slot], hand[slot])
            yes = (2 * budget * part + total) // (2 * total)
            rest = prod(
                len(mask)
                for other, mask in enumerate(hand)
                if other != slot and not mask <= judged.dead | judged.pinned
            )
            yes = max(yes, budget - rest * len(hand[slot] - group), 1)
            yes = min(yes, rest * len(hand[slot] & group), budget - 1)
            if cards[slot] in group:
                hand[slot] &= group
                budget = yes
            else:
                hand[slot] -= group
                budget -= yes
                least += yes
        return least

    def question(self, judged: Judgement, hand: Hand) -> tuple[int, frozenset[Card]]:
        w, wanted = self.weights, judged.playable - judged.pinned
        useless = judged.dead | judged.pinned
        is_first = not any(mask <= judged.playable for mask in hand)
        groups = [
            (w["ASK_PLAYABLE" if is_first else "ASK_ANOTHER"], wanted),
            (w["ASK_DEAD"], useless),
            (w["ASK_CRITICAL"], judged.critical),
            (w["ASK_NEAR"], judged.near),
            (w["ASK_NEARER"], judged.nearer),
        ]
        best, chosen = 0, (-1, frozenset[Card]())
        for slot, mask in enumerate(hand):
            if len(mask) == 1 or mask <= useless:
                continue
            total = weigh(self.left, mask, mask)
            colors = [
                (
                    w["ASK_WHICH" if mask <= wanted else "ASK_COLOR"],
                    {card for card in judged.every if card.color <= last},
                )
                for last in range(self.game.rules.colors - 1)
            ]
            for price, group in colors if mask <= wanted else [*groups, *colors]:
                part = weigh(self.left, mask, group)
                worth = price * (part * (total - part) * SCALE // (total * total))
                if worth > best:
                    best, chosen = worth, (slot, frozenset(group))
        return chosen

    def hear(self, hands: list[Hand], action: Action) -> None:
        touched = self.game.touched(action)
        for slot, mask in enumerate(hands[action.target]):
            hands[action.target][slot] = frozenset(
                card
                for card in mask
                if (action.value == (card.color if action.kind is Kind.HINT_COLOR else card.rank))
                == (slot in touched)
            )

    # What free choices tell

    def choices(self, action: Action) -> list[int]:
        slots: list[int] = []
        if action.kind is Kind.DISCARD and self.player.discards:
            slots = self.useless()
        elif action.kind is Kind.PLAY and self.player.plays and self.game.rules.seats <= 3:
            slots = self.playable()
        return slots if action.target in slots and len(slots) > 1 else []

    def useless(self) -> list[int]:
        judged, me = Judgement(self.game, self.hands), self.game.seat_to_act
        found = []
        for slot, mask in enumerate(self.hands[me]):
            elsewhere = [
                other
                for seat, hand in enumerate(self.hands)
                for place, other in enumerate(hand)
                if seat != me or place < slot
            ]
            is_known_twice = len(mask) == 1 and mask in elsewhere
            dead = judged.dead if len(mask) == 1 else judged.dead | judged.pinned
            if mask <= dead or is_known_twice:
                found.append(slot)
        return found

    def playable(self) -> list[int]:
        judged, hand = Judgement(self.game, self.hands), self.hands[self.game.seat_to_act]
        return [
            slot
            for slot, mask in enumerate(hand)
            if mask <= judged.playable
            and not any(len(other) == 1 and other == mask for other in hand[:slot])
        ]

    # Decisions

    def decide(self) -> Action:
        game = self.game
        me = game.seat_to_act
        judged = Judgement(game, self.hands)
        unseen = judged.left.copy()
        seen = {card for seat in self.others() for card in game.hands[seat]}
        for seat in self.others():
            unseen.subtract(game.hands[seat])
        own = [list(self.hands[me])]
        unseen = eliminate(own, unseen)
        hand = own[0]
        if game.rules.open_hands:
            hand = [frozenset([card]) for card in game.hands[me]]
        best_play = [
            (-self.worth_of_play(mask, hand, unseen, seen), slot)
            for slot, mask in enumerate(hand)
            if mask <= judged.playable
        ]
        if best_play:
            slot = min(best_play)[1]
            slots = self.choices(play(slot))
            return play(slots[self.ask(len(slots))[0]] if slots else slot)
        return self.decide_without_play(judged, hand, unseen, seen)

    def worth_of_play(
        self, mask: frozenset[Card], hand: Hand, unseen: Counter[Card], seen: set[Card]
    ) -> int:
        worth, total, ranks = 0, 0, self.game.rules.ranks
        held = seen | known_cards(hand)
        for card in mask:
            value = 10 * (ranks - card.rank)
            if card.rank == ranks and self.game.hints < self.game.rules.hints:
                value = 10 * ranks
            if Card(card.color, card.rank + 1) in seen:
                value += self.weights["FOLLOW"]
            rank = card.rank
            while Card(card.color, rank + 1) in held:
                rank += 1
                value += self.weights["CHAIN"]
            worth += value * weigh(unseen, mask, [card])
            total += weigh(unseen, mask, [card])
        return 16 * worth // max(total, 1)

    def decide_without_play(
        self, judged: Judgement, hand: Hand, unseen: Counter[Card], seen: set[Card]
    ) -> Action:
        game, w, options = self.game, self.weights, []
        late = self.loss_of_pace(judged, hand, seen)
        discarding: tuple[int, Action] | None = None
        if hand and (game.hints < game.rules.hints or game.rules.discard_at_full_hints):
            losses = [self.loss_of(judged, mask, unseen, seen) for mask in hand]
            discarding = -min(losses) - late, discard(losses.index(min(losses)))
            useless = self.useless() if self.player.discards else []
            if useless:
                said, told = self.ask(len(useless))
                discarding = self.gain_of(judged, told) - late, discard(useless[said])
        hinting = self.choose_hint(judged)
        options = [each for each in (hinting, discarding) if each is not None]
        chances = [
            SCALE * weigh(unseen, mask, judged.playable) // max(weigh(unseen, mask, mask), 1)
            for mask in hand
        ]
        chance = max(chances, default=0)
        if chance and game.lives > 1:
            bad = 0
            if not game.turns_left:
                bad = w["LOSS_RISK"] * (2 if game.lives == 2 else 1) + late
            worth = (chance * w["GAIN_RISK"] - (SCALE - chance) * bad) // SCALE
            if not options or worth > max(worth for worth, _ in options):
                return play(chances.index(chance))
        if options:
            return max(options, key=lambda each: each[0])[1]
        return game.legal_actions[0 if game.lives > 1 else -1]

    def loss_of_pace(self, judged: Judgement, hand: Hand, seen: set[Card]) -> int:
        game = self.game
        pace = sum(game.piles) + game.deck_left + game.rules.seats - sum(judged.reach)
        to_draw = judged.every - judged.dead - seen - known_cards(hand)
        least = self.weights["PACE"] - self.weights["PACE_UNSEEN"] * len(to_draw)  # in eighths
        if game.turns_left or 8 * pace >= least or not seen & judged.playable:
            return 0
        return self.weights["LOSS_PACE"] * (least - 8 * pace) // 8

    def loss_of(
        self, judged: Judgement, mask: frozenset[Card], unseen: Counter[Card], seen: set[Card]
    ) -> int:
        loss = 0
        for card in mask - judged.dead:
            if card in judged.critical:
                each = self.weights["LOSS_CRITICAL"] * (judged.reach[card.color] - card.rank + 2)
            elif card in seen:
                each = self.weights["LOSS_SEEN"]
            else:
                away = card.rank - judged.piles[card.color]
                each = self.weights["LOSS_SPARE"] * max(16 - away, 1)
            loss += each * weigh(unseen, mask, [card])
        return loss // max(weigh(unseen, mask, mask), 1)

    def gain_of(self, judged: Judgement, after: list[Hand]) -> int:
        w, gain = self.weights, 0
        turns = self.game.turns_left
        seats = self.others() if turns is None else self.others()[: max(turns - 1, 0)]
        for seat in seats:
            was = sum(mask <= judged.playable for mask in self.hands[seat])
            now = sum(mask <= judged.playable for mask in after[seat])
            for old, new in zip(self.hands[seat], after[seat], strict=True):
                gain += w["GAIN_BIT"] * (len(old) - len(new))
                gain += w["GAIN_DEAD"] * (new <= judged.dead and not old <= judged.dead)
            if now > was:
                gain += w["GAIN_FIRST"] * (was == 0) + w["GAIN_ANOTHER"] * (now - max(was, 1))
        return gain

    def choose_hint(self, judged: Judgement) -> tuple[int, Action] | None:
        codes = self.codes()
        n = sum(len(pivots) + 1 for pivots in codes.values())
        hints = [action for action in self.game.legal_actions if action.is_hint]
        if not n or not hints:
            return None
        wanted, told = self.ask(n)
        best: tuple[int, Action] | None = None
        for action in sorted(hints, key=lambda hint: self.others().index(hint.target)):
            if self.message(codes, action) == wanted:
                after = [list(hand) for hand in told]
                self.hear(after, action)
                worth = self.gain_of(judged, after)
                if best is None or worth > best[0]:
                    best = worth, action
        if best is None:
            return None
        spent = self.game.rules.hints - self.game.hints
        return best[0] - self.weights["TOKEN"] - self.weights["TOKEN_SLOPE"] * spent, best[1]


class CompiledInformation(Compiled):
    """The compiled policy, action by action on the true deck."""

    def masks(self) -> list[Hand]:
        """Return what each slot can be as far as everybody knows."""
        rules, _, state = self.position
        ranks = int(rules[k.RANKS])
        return [
            [
                _unpack(self.possible(seat, slot), ranks)
                for slot in range(state[rules[k.SIZES] + seat])
            ]
            for seat in range(int(rules[k.SEATS]))
        ]

    def with_deck(self, deck: list[Card]) -> CompiledInformation:
        """Return the same position and knowledge with other hidden cards."""
        other = copy(self)
        other.position = Packed(self.position.rules, pack_deck(deck), self.position.state.copy())
        other.memory, other.scratch = self.memory.copy(), self.scratch.copy()
        other.resume()
        return other

    def deal_hidden(self, game: Game, stream: Stream) -> list[Card]:
        """Return the deck with cards that the seat to act does not see exchanged."""
        deck, me = list(game.deck), game.seat_to_act
        known = dict(zip(game.hand_indices[me], self.masks()[me], strict=True))
        hidden = [*known, *range(len(deck) - game.deck_left, len(deck))]
        for _ in range(20 if len(hidden) > 1 else 0):
            i, j = (hidden[stream.below(len(hidden))] for _ in range(2))
            if all(a not in known or deck[b] in known[a] for a, b in ((i, j), (j, i))):
                deck[i], deck[j] = deck[j], deck[i]
        return deck


def _unpack(mask: int, ranks: int) -> frozenset[Card]:
    bits = (bit for bit in range(mask.bit_length()) if mask >> bit & 1)
    return frozenset(Card(bit // ranks, bit % ranks + 1) for bit in bits)
