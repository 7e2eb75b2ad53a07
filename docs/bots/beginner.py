"""hanab.live's rules for beginners: hanabi simulate docs/bots/beginner.py:Beginner."""

from hanabi.rules import discard, play


def focus(hint):
    """Return the card that a hint is about: the chop, else the newest new card, else the newest."""
    return hint.chop if hint.chop in hint.cards else max(hint.new or hint.cards)


def is_in_danger(view, card):
    """Return whether a card must be saved: a five, or the last copy of a card to come."""
    is_to_come = not view.is_playable(card) and not view.is_dead(card)
    return is_to_come and (card.rank == 5 or view.copies_left(card) == 1)


class Beginner:
    """Plays what hints call, saves the next seat's chop in danger, and calls playable cards."""

    def act(self, view, rng):
        """Play, save, call, or discard the chop."""
        mine = [hint for hint in view.past_hints if hint.action.target == view.seat]
        called = {focus(hint): focus(hint) == hint.chop for hint in mine}
        for slot, index in enumerate(view.hand_indices[view.seat]):
            known = view.knowledge[view.seat][slot]
            cards = [card for card in view.unseen if known.is_possible(card)]
            may_save = called.get(index) and any(is_in_danger(view, card) for card in cards)
            fits = list(map(view.is_playable, cards))
            if all(fits) or (any(fits) and index in called and not may_save):
                return play(slot)
        calls = []
        for action in filter(lambda each: each.is_hint, view.legal_actions):
            hint = view.preview(action)
            card, is_next = (
                view.deck[focus(hint)],
                action.target == (view.seat + 1) % view.rules.seats,
            )
            if is_next and focus(hint) == hint.chop and is_in_danger(view, card):
                return action
            if view.is_playable(card) and not any(view.is_dead(view.deck[i]) for i in hint.new):
                calls.append((len(hint.new), action))
        if calls and max(calls)[0]:
            return max(calls)[1]
        oldest = discard(view.chop[view.seat] or 0)
        return oldest if oldest in view.legal_actions else view.legal_actions[-1]
