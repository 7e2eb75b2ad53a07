"""A player that remembers: hanabi simulate docs/bots/obeying.py:Obeying."""

from hanabi.rules import discard, play


class Obeying:
    """Hints at the newest playable card of others, and plays the newest card of a hint."""

    def start(self, rules, seat):
        """Begin a game with the first hand, by the places of its cards in the deck."""
        self.seat, size = seat, rules.hand_size
        self.hand, self.called = list(range(seat * size, (seat + 1) * size)), []

    def observe(self, event):
        """Remember the newest card of each hint to this seat, and follow its own hand."""
        if event.action.is_hint and event.action.target == self.seat:
            self.called.append(self.hand[event.touched[-1]])
        elif event.seat == self.seat and event.card_index in self.hand:
            self.hand.remove(event.card_index)
            self.hand += [] if event.drawn_index is None else [event.drawn_index]

    def act(self, view, rng):
        """Play what was called last, hint at a playable card, or discard the oldest card."""
        while self.called:
            card = self.called.pop()
            if card in self.hand:
                return play(self.hand.index(card))
        for hint in filter(lambda action: action.is_hint, view.legal_actions):
            if view.is_playable(view.deck[view.preview(hint).cards[-1]]):
                return hint
        return discard(0) if discard(0) in view.legal_actions else view.legal_actions[-1]
