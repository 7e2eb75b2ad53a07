"""A player to copy and change: hanabi simulate docs/my_bot.py:MyPlayer."""

from dataclasses import dataclass

from hanabi.rules import Kind, discard, hint_color, hint_rank, play


@dataclass(frozen=True)
class MyPlayer:
    """Plays likely cards, hints at playable ones and discards its oldest card of unknown rank."""

    sure: float = 0.7  # probability from which a card is played

    def act(self, view, rng):
        """Return one of `view.legal_actions`; draw any chance from `rng`."""
        mine, unseen = view.knowledge[view.seat], view.unseen
        for slot, known in enumerate(mine):
            cards = {card: n for card, n in unseen.items() if known.is_possible(card)}
            good = sum(n for card, n in cards.items() if view.is_playable(card))
            if good >= (self.sure if view.lives > 1 else 1) * sum(cards.values()):
                return play(slot)
        for step in range(1, view.rules.seats):
            seat = (view.seat + step) % view.rules.seats
            for card, known in zip(view.hands[seat], view.knowledge[seat], strict=True):
                rank, color = hint_rank(seat, card.rank), hint_color(seat, card.color)
                for hint, left in ((rank, known.ranks), (color, known.colors)):
                    if view.is_playable(card) and len(left) > 1 and hint in view.legal_actions:
                        return hint
        fresh = [slot for slot, known in enumerate(mine) if len(known.ranks) > 1]
        oldest = discard(fresh[0] if fresh else 0)
        return oldest if oldest in view.legal_actions else view.legal_actions[-1]

    def why(self, view, action):
        """Say in one sentence why it takes an action; this method may be left out."""
        if action.is_hint:
            return "points at a playable card"
        return "likely to be playable" if action.kind is Kind.PLAY else "the oldest such card"
