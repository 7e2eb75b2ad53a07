"""A bot in Python without the package hanabi: hanabi simulate "process:python first_bot.py".

It follows the events. Its partners' hints call its newest touched card; it hints at playable cards.
"""

import json
import sys


class Table:
    """What the bot remembers of a game: the cards in hand by their deck numbers, and the piles."""

    def __init__(self, start):
        self.seat, size, self.cards = start["seat"], start["rules"]["hand_size"], {}
        self.piles = [0] * len(start["rules"]["copies"])
        self.hands = [list(range(n * size, (n + 1) * size)) for n in range(len(start["deal"]))]
        for hand, cards in zip(self.hands, start["deal"], strict=True):
            self.cards.update(zip(hand, cards, strict=True))
        self.called = []
        ranks = enumerate(start["rules"]["copies"])
        self.all = [{"color": c, "rank": r + 1} for c, row in ranks for r in range(len(row))]
        self.may_be = {}  # by card of its own hand, what hints leave possible

    def observe(self, event):
        """Follow one action."""
        action = event["action"]
        hand = self.hands[action["seat"] if "seat" in action else event["seat"]]
        if action["type"].startswith("hint"):
            if action["seat"] == self.seat:
                self.called.append(hand[event["touched"][-1]])
                for slot, card in enumerate(hand):
                    self.may_be[card] = [
                        each
                        for each in self.may_be.get(card, self.all)
                        if self.touches(action, each) == (slot in event["touched"])
                    ]
            return
        if event["outcome"] == "play":
            self.piles[event["card"]["color"]] += 1
        hand.remove(event["card_index"])
        if event["drawn_index"] is not None:
            hand.append(event["drawn_index"])
            self.cards[event["drawn_index"]] = event["drawn_card"]

    def act(self, legal):
        """Choose one of the legal actions, and say why."""
        mine = self.hands[self.seat]
        while self.called:
            card = self.called.pop()
            if card in mine:
                return {"type": "play", "slot": mine.index(card)}, "a hint called this card"
        for hint in legal:
            if hint["type"].startswith("hint"):
                touched = [c for c in self.hands[hint["seat"]] if self.touches(hint, self.cards[c])]
                newest = self.cards[touched[-1]]
                if self.piles[newest["color"]] == newest["rank"] - 1:
                    return hint, "calls a playable card"
        discards = [action for action in legal if action["type"] == "discard"]
        return (discards or legal[-1:])[0], "nothing better to do"

    def answer(self, ask):
        """Answer a question about its own hand (docs/conventions-suite.md)."""
        if ask["what"] == "identities":
            return self.may_be.get(ask["card"], self.all)
        return [card for card in reversed(self.called) if card in self.hands[self.seat]]

    @staticmethod
    def touches(hint, card):
        """Return whether a hint touches a card; rainbow suits and the like are left out here."""
        key = "color" if hint["type"] == "hint_color" else "rank"
        return card[key] == hint[key]


for line in sys.stdin:
    message = json.loads(line)
    answer = None
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": "first bot"}
        answer["answers"] = ["identities", "plays"]
    elif message["type"] == "start":
        table = Table(message)
    elif message["type"] == "event":
        table.observe(message)
    elif message["type"] == "turn":
        action, why = table.act(message["legal"])
        answer = {"type": "action", "turn": message["turn"], "action": action, "why": why}
    elif message["type"] == "ask":
        answer = {"type": "answer", "turn": message["turn"], message["what"]: table.answer(message)}
    if answer:
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
