"""A compiled player to copy and change: hanabi simulate docs/my_policy.py:MyPolicyPlayer."""

from dataclasses import dataclass
from typing import NamedTuple

from hanabi.players import policies as p
from hanabi.players.policies import layout as k


class MyPolicy(NamedTuple):
    """The compiled player: its fields are its parameters."""

    bold: int


@p.jit
def is_playable(position: p.Packed, place: int) -> bool:
    """Whether a card is playable, whichever of those that hints leave it is."""
    rules, state = position.rules, position.state
    known = p.known_at(rules, state, place)
    for color in range(rules[k.COLORS]):
        for rank in range(1, rules[k.RANKS] + 1):
            code = p.card_code(color, rank)
            mask = p.mask_of(rules, code)
            is_left = p.copies_left(rules, state, p.card_of(rules, code)) > 0
            if known & mask == mask and is_left and not p.is_next(rules, state, code):
                return False
    return True


@p.jit
def hint_of(position: p.Packed, seat: int) -> int:
    """Return a hint that names what a seat does not know of a playable card, or -1."""
    rules, state = position.rules, position.state
    first = seat * rules[k.HAND_SIZE]
    for place in range(first, first + p.n_held(rules, state, seat)):
        code = p.code_at(position, place)
        if not p.is_next(rules, state, code) or is_playable(position, place):
            continue
        ranks = p.known_at(rules, state, place) >> k.RANK_BITS
        kind, value = k.HINT_RANK, p.rank_of(code)
        if ranks & (ranks - 1) == 0:  # the rank is known
            kind, value = k.HINT_COLOR, p.color_of(code)
        if p.hintable(position, seat) & p.clue_bit(kind, value):
            return p.action_code(kind, seat, value)
    return -1


@p.decide.register(MyPolicy)
@p.jit
def decide(
    policy: MyPolicy,
    position: p.Packed,
    rng: p.RandomStream,
    memory: p.Words,
    scratch: p.Words,
) -> int:
    """Play a certain card, hint at a playable one, discard the oldest, or take any action."""
    rules, state = position.rules, position.state
    seat, size = state[k.SEAT], rules[k.HAND_SIZE]
    takes_risks = policy.bold > 0 and state[k.LIVES] > 1 and p.deck_left(rules, state) == 0
    for slot in range(p.n_held(rules, state, seat)):
        if takes_risks or is_playable(position, seat * size + slot):
            return p.action_code(k.PLAY, slot, 0)
    if p.has_hint(rules, state):
        for turn in range(1, rules[k.SEATS]):
            hint = hint_of(position, (seat + turn) % rules[k.SEATS])
            if hint >= 0:
                return hint
    if p.may_discard(rules, state) and p.n_held(rules, state, seat) > 0:
        return p.action_code(k.DISCARD, 0, 0)
    return scratch[p.below(rng, p.legal_actions(position, scratch))]


@dataclass(frozen=True)
class MyPolicyPlayer:
    """The player: by views it asks the same policy."""

    bold: bool = False

    def act(self, view, rng):
        """Return one of `view.legal_actions`."""
        return p.act_by(self.compiled(view.rules), view, rng)

    def compiled(self, rules):
        """Return the policy for these rules."""
        return MyPolicy(int(self.bold))
