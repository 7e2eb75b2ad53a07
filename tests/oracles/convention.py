"""The convention player, slowly: sets of cards, lists of copies, no bit tricks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from hanabi.players.convention import TABLES, WEIGHTS, Convention
from hanabi.rules import Action, Game, Kind
from hanabi.rules.actions import discard, play
from hanabi.rules.cards import Card

W = dict(WEIGHTS)
WRONG = -1000
UNTRUE = 500
FORCED = -250


@dataclass
class Known:
    """What everyone knows of a card in a hand."""

    cards: set[Card]
    touched: bool = False
    to_play: bool = False
    to_discard: bool = False

    def copy(self) -> Known:
        return Known(set(self.cards), self.touched, self.to_play, self.to_discard)

    @property
    def is_marked(self) -> bool:
        return self.touched or self.to_play or self.to_discard


@dataclass
class Table:
    """What follows from piles and discards; `unseen` from the other hands too."""

    game: Game
    left: Counter[Card] = field(default_factory=Counter)
    unseen: Counter[Card] = field(default_factory=Counter)
    playable: set[Card] = field(default_factory=set)
    dead: set[Card] = field(default_factory=set)
    critical: set[Card] = field(default_factory=set)

    def __post_init__(self) -> None:
        game, spec = self.game, self.game.rules.spec
        self.left = Counter(spec.cards())
        self.left.subtract(game.discards)
        for color, row in enumerate(spec.copies):
            pile, reach = game.piles[color], True
            self.left.subtract(Card(color, rank) for rank in range(1, pile + 1))
            for rank in range(1, game.rules.ranks + 1):
                card = Card(color, rank)
                reach = reach and rank <= len(row) and (rank <= pile or self.left[card] > 0)
                if rank <= pile or not reach:
                    self.dead.add(card)
                    continue
                if rank == pile + 1:
                    self.playable.add(card)
                if self.left[card] == 1:
                    self.critical.add(card)
        self.unseen = Counter(self.left)
        for seat, hand in enumerate(game.hands):
            if seat != game.seat_to_act:
                self.unseen.subtract(hand)

    def after(self, cards: set[Card]) -> set[Card]:
        nexts = {Card(card.color, card.rank + 1) for card in cards}
        return {card for card in nexts if card.rank <= len(self.game.rules.spec.copies[card.color])}


def weight(counts: Counter[Card], cards: set[Card]) -> int:
    return sum(min(counts[card], 3) for card in cards if counts[card] > 0)


def is_sure(known: Known, playable: set[Card], dead: set[Card]) -> bool:
    cards = known.cards
    if known.to_play and cards - dead:
        cards = cards - dead
    return bool(cards) and cards <= playable


class SlowConvention:
    """Follows a game, and says what the player would do."""

    def __init__(self, player: Convention, game: Game) -> None:
        self.player = player
        self.every = set(game.rules.spec.cards())
        self.memory = {i: Known(set(self.every)) for i in range(game.rules.deck_size)}

    def hand(self, game: Game, table: Table, seat: int) -> list[Known]:
        """Return what everyone knows of a hand."""
        result = []
        for index, told in zip(game.hand_indices[seat], game.knowledge[seat], strict=True):
            known = self.memory[index].copy()
            left = {card for card in self.every if table.left[card] > 0}
            known.cards &= left
            if not known.cards:
                known.cards = {card for card in left if told.is_possible(card)}
            result.append(known)
        return result

    def tell(self, game: Game, table: Table, hand: list[Known], hint: Action) -> None:
        """Change a hand by a hint that is about to be given."""
        touched = game.touched(hint)
        fresh = [slot for slot in touched if not hand[slot].touched]
        is_plain = False
        for slot, known in enumerate(hand):
            before = known.cards
            named = {
                card
                for card in before
                if (card.color if hint.kind is Kind.HINT_COLOR else card.rank) == hint.value
            }
            known.cards = named if slot in touched else before - named
            if slot in touched:
                known.touched, known.to_discard = True, False
                for sort in (table.playable, table.dead):
                    is_plain |= bool(named) and named <= sort and not before <= sort
        if is_plain or not touched:
            return
        lead, size = max(fresh or touched), len(hand)
        older = [(lead - turn) % size for turn in range(size)]
        newer = [(lead + turn) % size for turn in range(size)]
        again = list(reversed(range(size))) if self.player.aside else older
        if hint.kind is Kind.HINT_COLOR:
            if not (self.player.aside and fresh):
                self.call_play(table, hand, again)
            elif not self.call_play(table, hand, [s for s in newer if not hand[s].touched]):
                self.call_play(table, hand, newer)
            return
        useful = hand[lead].cards - table.dead
        if self.player.plays and fresh and useful and useful <= table.playable:
            hand[lead].cards = useful
            hand[lead].to_play = True
        elif game.hints == game.rules.hints:
            return
        elif self.player.plays and not fresh:
            self.call_play(table, hand, again)
        elif self.player.discards and not (fresh and lead == size - 1):
            for slot in older[1:] + older[:1]:
                known = hand[slot]
                if known.is_marked or known.cards <= table.playable:
                    continue
                if not known.cards <= table.critical:
                    known.cards -= table.critical
                    known.to_discard = True
                    return

    def call_play(self, table: Table, hand: list[Known], order: list[int]) -> bool:
        for slot in order:
            known = hand[slot]
            if known.cards & table.playable and not known.cards <= table.playable:
                known.cards &= table.playable
                known.to_play = True
                return True
        return False

    def advance(self, game: Game, action: Action) -> None:
        """Learn what everyone learns from an action, before it is taken."""
        if action.is_hint:
            table = Table(game)
            hand = self.hand(game, table, action.target)
            self.tell(game, table, hand, action)
            for index, known in zip(game.hand_indices[action.target], hand, strict=True):
                self.memory[index] = known

    def next_discard(
        self, table: Table, hand: list[Known], dead: set[Card], counts: Counter[Card]
    ) -> int:
        slots = range(len(hand))
        for slot in slots:
            if hand[slot].cards <= dead:
                return slot
        for slot in slots:
            if hand[slot].to_discard:
                return slot
        for slot in reversed(slots) if self.player.newest else slots:
            known = hand[slot]
            if not (known.touched or known.to_play) and not known.cards <= table.critical:
                return slot
        best, least, of = 0, 1 << 30, 1
        for slot in slots:
            cards = hand[slot].cards
            total = weight(counts, cards)
            harm = 4 * weight(counts, cards & table.critical) + weight(counts, cards - dead)
            if harm * of < least * total:
                best, least, of = slot, harm, total
        return best

    def harm(self, game: Game, table: Table, seat: int, slot: int) -> int:
        cards = game.hands[seat]
        card = cards[slot]
        if card in table.dead:
            return -1
        if cards.count(card) > 1:
            return 0
        if card in table.critical:
            above = len(game.rules.spec.copies[card.color]) - card.rank
            return W["HARM_CRITICAL"] + W["HARM_RANK"] * above
        return W["HARM_PLAYABLE"] if card in table.playable else W["HARM_USEFUL"]

    def outlook(self, game: Game, table: Table, seat: int, hand: list[Known]) -> int:
        if not hand:
            return 0
        playable, dead = set(table.playable), set(table.dead)
        waiting = list(range(len(hand)))
        worth = plays = 0
        while True:
            sure = [slot for slot in waiting if is_sure(hand[slot], playable, dead)]
            if not sure:
                break
            card = game.hands[seat][sure[0]]
            if card not in playable:
                return WRONG
            waiting.remove(sure[0])
            worth += W["PLAY_WORTH"] + (0 if plays else W["FIRST_WORTH"])
            plays += 1
            dead.add(card)
            playable = playable - {card} | table.after({card}) - dead
        n_dead = sum(known.cards <= dead for known in hand)
        unsure = sum(
            len(known.cards)
            for card, known in zip(game.hands[seat], hand, strict=True)
            if card not in table.dead
        )
        worth += W["TRASH_WORTH"] * min(n_dead, 2) - W["KNOWING"] * unsure // 16
        slot = self.next_discard(table, hand, dead, table.left)
        return worth - W["HARM"] * self.harm(game, table, seat, slot) // (1 + plays)

    def best_hint(self, game: Game, table: Table) -> tuple[int, Action | None]:
        most, best = -(1 << 30), None
        seats = game.rules.seats
        order = [(game.seat_to_act + turn) % seats for turn in range(1, seats)]
        hints = [action for action in game.legal_actions if action.is_hint]
        for hint in sorted(hints, key=lambda hint: order.index(hint.target)):
            base = self.outlook(game, table, hint.target, self.hand(game, table, hint.target))
            hand = self.hand(game, table, hint.target)
            self.tell(game, table, hand, hint)
            gain = self.outlook(game, table, hint.target, hand) - base
            if any(c not in k.cards for c, k in zip(game.hands[hint.target], hand, strict=True)):
                gain -= UNTRUE
            if gain > most:
                most, best = gain, hint
        return most, best

    def own(self, game: Game, table: Table) -> list[Known]:
        seat = game.seat_to_act
        hand = self.hand(game, table, seat)
        unseen = {card for card in self.every if table.unseen[card] > 0}
        for known, told, card in zip(hand, game.knowledge[seat], game.hands[seat], strict=True):
            known.cards &= unseen
            if game.rules.open_hands:
                known.cards = {card}
            if not known.cards:
                known.cards = {card for card in unseen if told.is_possible(card)}
        for _ in range(2):
            for known in hand:
                if len(known.cards) > 1:
                    continue
                one = set(known.cards)
                if sum(other.cards == one for other in hand) >= weight(table.unseen, one):
                    for other in hand:
                        if other.cards - one:
                            other.cards -= one
        return hand

    def need(self, game: Game, table: Table) -> str:
        seat = (game.seat_to_act + 1) % game.rules.seats
        if seat == game.seat_to_act or not game.hands[seat] or game.hints == 0:
            return "busy"
        hand = self.hand(game, table, seat)
        if any(is_sure(known, table.playable, table.dead) for known in hand):
            return "busy"
        slot = self.next_discard(table, hand, table.dead, table.left)
        is_bad = self.harm(game, table, seat, slot) >= W["DANGER"]
        return "danger" if self.player.saves and is_bad else "idle"

    def choose_play(self, game: Game, table: Table, hand: list[Known]) -> int | None:
        seats = game.rules.seats
        seat = (game.seat_to_act + 1) % seats
        others = set(game.hands[seat]) if seats > 1 else set()

        def worth(slot: int) -> int:
            cards = hand[slot].cards
            if hand[slot].to_play and cards - table.dead:
                cards = cards - table.dead
            if len(cards) > 1:
                return 2
            return 3 if table.after(cards) & others - table.dead else 1

        sure = [s for s, known in enumerate(hand) if is_sure(known, table.playable, table.dead)]
        return max(sure, key=worth) if sure else None

    def chance(self, table: Table, known: Known) -> int:
        """Return the chance that a card of the own hand is playable, in thousandths."""
        total = weight(table.unseen, known.cards)
        return 1000 * weight(table.unseen, known.cards & table.playable) // max(total, 1)

    def threshold(self, game: Game, table: Table) -> int:
        if game.turns_left is not None:
            return FORCED
        by_tokens, by_pace = TABLES["HINT_FROM"], TABLES["BY_PACE"]
        needed = by_tokens[min(game.hints, len(by_tokens) - 1)]
        if game.rules.final_round is None:
            return needed
        missing = sum(table.left[card] > 0 and card not in table.dead for card in self.every)
        pace = game.deck_left + game.rules.final_round - missing
        return FORCED if pace <= 0 else needed + by_pace[min(pace, len(by_pace) - 1)]

    def decide(self, game: Game) -> Action:
        """Return the action of the seat to act."""
        table = Table(game)
        need = self.need(game, table)
        hand = self.own(game, table)
        slot = self.choose_play(game, table, hand)
        if slot is not None and need == "busy":
            return play(slot)
        gain, hint = self.best_hint(game, table)
        must = need == "danger" and gain >= W["SAVE_FROM"]
        is_urgent = need != "busy" and game.hints >= W["HINT_FIRST_TOKENS"]
        if slot is not None and not must and not (is_urgent and gain >= W["HINT_FIRST_FROM"]):
            return play(slot)
        may_discard = discard(0) in game.legal_actions
        threshold = self.threshold(game, table)
        if hand and slot is None and not must and game.lives > 1:
            chances = [self.chance(table, known) for known in hand]
            likeliest = chances.index(max(chances))
            is_late = threshold == FORCED and gain < W["LATE_HINT_FROM"]
            needed = W["LATE_RISK_FROM"] if is_late else W["RISK_FROM"]
            if (is_late or gain < threshold) and chances[likeliest] >= 50 * needed:
                return play(likeliest)
        if hint and (must or gain >= threshold or not may_discard):
            return hint
        if slot is not None:
            return play(slot)
        if may_discard:
            return discard(self.next_discard(table, hand, table.dead, table.unseen))
        return play(len(hand) - 1)
