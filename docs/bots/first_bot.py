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

    def observe(self, event):
        """Follow one action."""
        hand, action = self.hands[event["seat"]], event["action"]
        if action["type"].startswith("hint"):
            if action["seat"] == self.seat:
                self.called.append(self.hands[self.seat][event["touched"][-1]])
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
    elif message["type"] == "start":
        table = Table(message)
    elif message["type"] == "event":
        table.observe(message)
    elif message["type"] == "turn":
        action, why = table.act(message["legal"])
        answer = {"type": "action", "turn": message["turn"], "action": action, "why": why}
    if answer:
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
