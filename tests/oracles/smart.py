"""The smart player in plain Python, as one seat sees the table: a function for each rule."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from hanabi.players import Smart
from hanabi.rules import Action, Game, Kind, discard, hint_rank, play
from hanabi.rules.cards import Card

Cards = set[Card]
Hand = list[Cards]


class SlowSmart:
    """Follows a game from one seat, whose cards it does not look at, and says what it would do."""

    def __init__(self, player: Smart, game: Game, seat: int) -> None:
        self.player, self.seat = player, seat
        self.every = set(game.rules.spec.cards())
        self.known = {index: set(self.every) for index in range(game.rules.deck_size)}
        self.settle(game)

    # What the position says.

    def playable(self, game: Game) -> Cards:
        return {c for c in self.every if game.is_playable(c) and game.copies_left(c)}

    def useless(self, game: Game) -> Cards:
        return {card for card in self.every if game.is_dead(card)}

    def last(self, game: Game) -> Cards:
        return {c for c in self.every if game.copies_left(c) == 1 and not game.is_dead(c)}

    def hand(self, game: Game, seat: int) -> Hand:
        return [set(self.known[index]) for index in game.hand_indices[seat]]

    def learn(self, game: Game, seat: int, hand: Hand) -> None:
        self.known.update(zip(game.hand_indices[seat], hand, strict=True))

    def literal(self, game: Game, seat: int, slot: int) -> Cards:
        return {card for card in self.every if game.knowledge[seat][slot].is_possible(card)}

    def settle(self, game: Game) -> None:
        """Exclude cards whose copies are all in known places."""
        for seat, indices in enumerate(game.hand_indices):
            for slot, index in enumerate(indices):
                left = {card for card in self.every if game.copies_left(card) > 0}
                self.known[index] &= left
                self.known[index] = self.known[index] or self.literal(game, seat, slot) & left
        held = [self.known[index] for indices in game.hand_indices for index in indices]
        before = None
        while before != held:
            before = [set(cards) for cards in held]
            located = Counter(min(cards) for cards in held if len(cards) == 1)
            full = {card for card in self.every if located[card] >= game.copies_left(card)}
            for cards in held:
                if len(cards) > 1 and cards - full:
                    cards -= full

    def next_discard(self, game: Game, seat: int) -> int | None:
        hand = self.hand(game, seat)
        if any(cards <= self.playable(game) or cards <= self.useless(game) for cards in hand):
            return None
        slots = [slot for slot, cards in enumerate(hand) if not cards <= self.last(game)]
        useless = self.useless(game)
        return max(
            slots, key=lambda s: Fraction(len(hand[s] & useless), len(hand[s])), default=None
        )

    # What actions mean.

    def heard(self, game: Game, hint: Action) -> tuple[Hand, list[int], list[int]]:
        """Return a hand after a hint; the slots shown to be playable, and those that may be."""
        hand, touched = self.hand(game, hint.target), game.touched(hint)
        playable, shown, open_slots = self.playable(game), [], []
        for slot, old in enumerate(hand):
            named = {
                card
                for card in self.every
                if ((card.color if hint.kind is Kind.HINT_COLOR else card.rank) == hint.value)
                == (slot in touched)
            }
            hand[slot] = old & named or self.literal(game, hint.target, slot) & named
            was_open = bool(old & playable) and not old <= playable
            if was_open and hand[slot] <= playable:
                shown.append(slot)
            elif was_open and hand[slot] & playable and slot in touched:
                open_slots.append(slot)
        return hand, shown, open_slots

    def can_warn(self, game: Game, hint: Action, slot: int | None) -> bool:
        if slot is None or hint.kind is not Kind.HINT_RANK or slot not in game.touched(hint):
            return False
        cards, last = self.hand(game, hint.target)[slot], self.last(game)
        return not cards <= last and any(card.rank == hint.value for card in cards & last)

    def read_hint(self, game: Game, hint: Action) -> None:
        giver, seats, target = game.seat_to_act, game.rules.seats, hint.target
        is_stall = (
            hint.kind is Kind.HINT_RANK
            and not may_discard(game)
            and (target + 1) % seats == giver
            and 0 in game.touched(hint)
        )
        slot = self.next_discard(game, target)
        is_warning = (
            not is_stall and target == (giver + 1) % seats and self.can_warn(game, hint, slot)
        )
        if is_warning:
            assert slot is not None
            self.known[game.hand_indices[target][slot]] &= self.last(game)
        hand, shown, open_slots = self.heard(game, hint)
        if not is_warning and not is_stall and not shown and open_slots:
            hand[open_slots[-1]] &= self.playable(game)
        self.learn(game, target, hand)

    def read_silence(self, game: Game) -> None:
        follower = (game.seat_to_act + 1) % game.rules.seats
        could_warn = game.deck_left and can_hint(game) and follower != game.seat_to_act
        slot = self.next_discard(game, follower)
        if could_warn and slot is not None:
            self.known[game.hand_indices[follower][slot]] -= self.last(game)

    def read_discard(self, game: Game, slot: int) -> None:
        actor = game.seat_to_act
        card = game.hands[actor][slot]
        assert card is not None
        if self.hand(game, actor)[slot] != {card} or card not in self.playable(game):
            return
        others = [seat for seat in range(game.rules.seats) if seat not in (actor, self.seat)]
        holders = [seat for seat in others if game.hands[seat] and game.hands[seat][-1] == card]
        holder = next(iter(holders), self.seat)
        if holder == actor or not game.hands[holder]:
            return
        newest = len(game.hands[holder]) - 1
        if card in self.literal(game, holder, newest):
            self.known[game.hand_indices[holder][newest]] = {card}

    def advance(self, game: Game, action: Action) -> Game:
        """Learn from an action, and return the game after it."""
        if action.is_hint:
            self.read_hint(game, action)
        if not action.is_hint or action.target != (game.seat_to_act + 1) % game.rules.seats:
            self.read_silence(game)
        if action.kind is Kind.DISCARD:
            self.read_discard(game, action.target)
        after = game.apply(action)
        self.settle(after)
        return after

    # Decisions.

    def own(self, game: Game) -> Hand:
        hand = self.hand(game, self.seat)
        seen = Counter(min(cards) for cards in hand if len(cards) == 1)
        for seat, cards in enumerate(game.hands):
            if seat != self.seat:
                seen.update(card for card in cards if card is not None)
        full = {card for card in self.every if seen[card] >= game.copies_left(card)}
        return [(cards - full or cards) if len(cards) > 1 else cards for cards in hand]

    def play_sure(self, game: Game) -> list[Action]:
        playable, found = self.playable(game), []
        for slot, (cards, public) in enumerate(
            zip(self.own(game), self.hand(game, self.seat), strict=True)
        ):
            if cards <= playable:
                ranks = {card.rank for card in cards}
                found.append((public <= playable, min(ranks) if len(ranks) == 1 else 0, slot))
        return [play(min(found)[2])] if found else []

    def play_late(self, game: Game) -> list[Action]:
        if game.deck_left > (3 if game.lives >= 3 else 1) or game.lives < self.player.lives:
            return []
        playable = self.playable(game)
        chances = [
            (Fraction(len(cards & playable), len(cards)), slot)
            for slot, cards in enumerate(self.own(game))
        ]
        return [play(max(chances)[1])] if chances and max(chances)[0] > 0 else []

    def warn(self, game: Game) -> list[Action]:
        follower = (self.seat + 1) % game.rules.seats
        if follower == self.seat or not can_hint(game):
            return []
        slot = self.next_discard(game, follower)
        card = None if slot is None else game.hands[follower][slot]
        if card is None or card not in self.last(game):
            return []
        return self.hints(game, [follower]) or [hint_rank(follower, card.rank)]

    def finesse(self, game: Game) -> list[Action]:
        newest = [cards[-1] for seat, cards in enumerate(game.hands) if seat != self.seat and cards]
        good = self.playable(game) - self.last(game)
        hand = self.hand(game, self.seat)
        return [
            discard(slot)
            for slot, cards in enumerate(hand)
            if len(cards) == 1 and cards <= good and newest.count(min(cards)) == 1
        ][:1]

    def hints(self, game: Game, seats: list[int]) -> list[Action]:
        found = []
        legal = [action for action in game.legal_actions if action.is_hint]
        for hint in sorted(legal, key=lambda hint: (hint.target - self.seat) % game.rules.seats):
            slot = self.next_discard(game, hint.target)
            follows = hint.target == (self.seat + 1) % game.rules.seats
            touched = game.touched(hint)
            if hint.target not in seats or not touched:
                continue
            if follows and self.can_warn(game, hint, slot):
                continue
            hand, shown, open_slots = self.heard(game, hint)
            is_called = bool(open_slots) and (
                game.hands[hint.target][open_slots[-1]] in self.playable(game)
            )
            gain = sum(map(len, self.hand(game, hint.target))) - sum(map(len, hand))
            if (shown or is_called) and gain > 0:
                found.append((gain, hint))
        return [max(found, key=lambda pair: pair[0])[1]] if found else []

    def all_hints(self, game: Game) -> list[Action]:
        return self.hints(game, list(range(game.rules.seats)))

    def stall(self, game: Game) -> list[Action]:
        seat = (self.seat - 1) % game.rules.seats
        if may_discard(game) or seat == self.seat or not game.hands[seat]:
            return []
        card = game.hands[seat][0]
        assert card is not None
        return [hint_rank(seat, card.rank)]

    def discard_any(self, game: Game) -> list[Action]:
        hand, useless = self.hand(game, self.seat), self.useless(game)
        sure = [
            (Fraction(len(hand[slot] & useless), len(hand[slot])), slot)
            for slot, cards in enumerate(self.own(game))
            if cards <= useless
        ]
        if sure:
            return [discard(min(sure)[1])]
        slot = self.next_discard(game, self.seat)
        if slot is not None:
            return [discard(slot)]
        ranks = [{card.rank for card in cards} for cards in hand]
        known = [min(each) if len(each) == 1 else 0 for each in ranks]
        return [discard(known.index(max(known)))] if hand else []

    def decide(self, game: Game) -> Action:
        """Return the action of this seat."""
        at_end = [self.play_sure, self.play_late] if game.deck_left == 0 else []
        rules = [*at_end, self.warn, self.finesse, self.play_sure, self.all_hints, self.play_late]
        for rule in [*rules, self.stall, self.discard_any]:
            for action in rule(game):
                if action in game.legal_actions:
                    return action
        return game.legal_actions[0]


def can_hint(game: Game) -> bool:
    """Whether there is a token for a hint."""
    return game.hint_credit >= game.rules.hint_cost


def may_discard(game: Game) -> bool:
    """Whether tokens allow a discard."""
    rules = game.rules
    return rules.discard_at_full_hints or game.hint_credit < rules.hints * rules.hint_cost
