"""hanab.live's rules for beginners: hanabi simulate docs/bots/beginner.py:Beginner."""

from hanabi.game import discard, play


class Beginner:
    """Hints call the card on the chop, or else the newest new card; chops in danger are saved."""

    def start(self, rules, seat):
        """Begin a game with the first hand, by the places of its cards in the deck."""
        self.seat, size = seat, rules.hand_size
        self.hand, self.hinted, self.called = list(range(seat * size, (seat + 1) * size)), set(), {}

    def observe(self, event):
        """Remember the focus of each hint to this seat, and follow its own hand."""
        if event.action.is_hint and event.action.target == self.seat:
            touched = [self.hand[slot] for slot in event.touched]
            chop = next((card for card in self.hand if card not in self.hinted), None)
            focus = self.focus(touched, self.hand, self.hinted)
            self.called[focus] = focus == chop  # a hint to the chop may also save it
            self.hinted.update(touched)
        elif event.seat == self.seat and event.card_index is not None:
            self.hand.remove(event.card_index)
            self.hand += [] if event.drawn_index is None else [event.drawn_index]

    @staticmethod
    def focus(touched, hand, hinted):
        """Return the chop if it is touched, else the newest new card, else the newest card."""
        chop = next((card for card in hand if card not in hinted), None)
        return chop if chop in touched else max(set(touched) - hinted or touched)

    def act(self, view, rng):
        """Play what is called, save a chop in danger, call a card, or discard the chop."""
        for slot, known in enumerate(view.knowledge[self.seat]):
            cards = [card for card in view.unseen if known.is_possible(card)]
            if not any(map(view.is_playable, cards)):
                continue
            may_save = self.called.get(self.hand[slot]) and any(map(self.saved(view), cards))
            is_called = self.hand[slot] in self.called and not may_save
            if all(map(view.is_playable, cards)) or is_called:
                return play(slot)
        hints = [(hint, *self.look(view, hint)) for hint in view.legal_actions if hint.is_hint]
        saves = [hint for hint, card, is_chop, _ in hints if is_chop and self.saved(view)(card)]
        calls = [(new, hint) for hint, card, _, new in hints if new and view.is_playable(card)]
        next_seat = (self.seat + 1) % view.rules.seats
        now = [hint for hint in saves if hint.target == next_seat]
        if now or calls:
            return now[0] if now else max(calls)[1]
        chop = view.chop[self.seat]
        oldest = discard(0 if chop is None else chop)
        return oldest if oldest in view.legal_actions else view.legal_actions[-1]

    @staticmethod
    def saved(view):
        """Return whether a card on the chop needs a save: a five, or the last copy of a card."""
        return lambda card: (
            not view.is_playable(card)
            and not view.is_dead(card)
            and (card.rank == 5 or view.copies_left(card) == 1)
        )

    def look(self, view, hint):
        """Return a hint's focus, whether that is the chop, and the number of new useful cards."""
        hand, cards = view.hand_indices[hint.target], view.hands[hint.target]
        touched = [i for i, card in zip(hand, cards, strict=True) if view.rules.touches(hint, card)]
        hinted = {i for i, is_old in zip(hand, view.touched[hint.target], strict=True) if is_old}
        focus, new = self.focus(touched, hand, hinted), set(touched) - hinted
        is_clean = not any(view.is_dead(view.deck[i]) for i in new)
        chop = next((card for card in hand if card not in hinted), None)
        return view.deck[focus], focus == chop, len(new) * is_clean
