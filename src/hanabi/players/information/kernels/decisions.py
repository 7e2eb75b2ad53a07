"""What the information player does: a sure play, or what is worth most of all else."""

from __future__ import annotations

from hanabi.compiled import RandomStream, Words
from hanabi.compiled.bits import count_bits
from hanabi.compiled.hot import jit_hot
from hanabi.game import layout as k
from hanabi.game.kernels.facts import card_bit, code_at, n_held
from hanabi.game.kernels.legal import legal_actions
from hanabi.game.kernels.words import Packed, action_code
from hanabi.players.information.kernels.choices import (
    SCALE,
    choose_discard,
    choose_hint,
    choose_play,
    choose_risk,
    gain_of,
    loss_of_pace,
    seen_cards,
)
from hanabi.players.information.kernels.hints import ask, choices, nth_slot, useless_slots
from hanabi.players.information.kernels.knowledge import judge, know_own, n_sets, pin
from hanabi.players.information.kernels.options import (
    GAIN_RISK,
    LOSS_RISK,
    TELL_BY_DISCARD,
    InformationPolicy,
    at_actions,
    at_counts,
    at_free,
    at_hands,
    at_own,
    at_planes,
    at_told,
)

NOTHING = -(1 << 60)  # what an action is worth that is not allowed


@jit_hot
def _tell_by_discard(
    position: Packed,
    options: Words,
    memory: Words,
    scratch: Words,
) -> tuple[int, int]:
    """Return the useless card to discard that tells the truth, and what that is worth; or -1."""
    rules, state = position.rules, position.state
    sets = scratch[: n_sets(rules)]
    slots = useless_slots(rules, state, memory, sets)
    if slots == 0 or options[TELL_BY_DISCARD] == 0:
        return -1, 0
    said = ask(position, options, memory, count_bits(slots), scratch, -1, 0)
    told = scratch[at_told(rules) : at_free(rules)]
    return nth_slot(slots, said), gain_of(rules, state, options, sets, memory, told)


@jit_hot
def decide(
    policy: InformationPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
) -> int:
    """Return an action of the seat to act."""
    options = policy.options
    rules, state = position.rules, position.state
    hand, sets = rules[k.HAND_SIZE], scratch[: n_sets(rules)]
    judge(rules, state, sets)
    pin(memory, rules[k.SEATS] * hand, sets)
    own, planes = (
        scratch[at_own(rules) : at_hands(rules)],
        scratch[at_planes(rules) : at_own(rules)],
    )
    counts = scratch[at_counts(rules) : at_planes(rules)]
    know_own(position, memory, own, counts, planes)
    if rules[k.OPEN_HANDS]:
        for slot in range(n_held(rules, state, state[k.SEAT])):
            place = state[k.SEAT] * hand + slot
            own[slot] = card_bit(rules, code_at(position, place))
    seen = seen_cards(position)
    slot = choose_play(rules, state, options, sets, own, planes, seen)
    if slot >= 0:
        slots = choices(rules, state, options, memory, sets, action_code(k.PLAY, slot, 0))
        if slots != 0:
            said = ask(position, options, memory, count_bits(slots), scratch, -1, 0)
            slot = nth_slot(slots, said)
        return action_code(k.PLAY, slot, 0)
    return _decide_without_play(position, options, memory, scratch, seen)


@jit_hot
def _decide_without_play(
    position: Packed, options: Words, memory: Words, scratch: Words, seen: int
) -> int:
    """Return the hint, discard or risky play that is worth most."""
    rules, state = position.rules, position.state
    sets = scratch[: n_sets(rules)]
    own, planes = (
        scratch[at_own(rules) : at_hands(rules)],
        scratch[at_planes(rules) : at_own(rules)],
    )
    risky, chance = choose_risk(rules, state, sets, own, planes)
    late = loss_of_pace(rules, state, options, sets, own, seen)
    slot, loss = choose_discard(rules, state, options, sets, own, planes, seen)
    discarding = NOTHING
    if slot >= 0 and (state[k.HINTS] < rules[k.MAX_HINTS] or rules[k.DISCARD_AT_FULL_HINTS] != 0):
        discarding = -loss - late
        useless, gain = _tell_by_discard(position, options, memory, scratch)
        if useless >= 0:
            slot, discarding = useless, gain - late
    hint, hinting = choose_hint(position, options, memory, scratch)
    if hint < 0:
        hinting = NOTHING
    if risky >= 0 and state[k.LIVES] > 1:
        bad = 0
        if state[k.TURNS_LEFT] <= 0:
            bad = options[LOSS_RISK] * (2 if state[k.LIVES] == 2 else 1) + late
        risking = (chance * options[GAIN_RISK] - (SCALE - chance) * bad) // SCALE
        if risking > max(hinting, discarding):
            return action_code(k.PLAY, risky, 0)
    if max(hinting, discarding) > NOTHING:
        return hint if hinting >= discarding else action_code(k.DISCARD, slot, 0)
    if risky >= 0 and state[k.LIVES] > 1:
        return action_code(k.PLAY, risky, 0)
    legal = scratch[at_actions(rules) :]
    n = legal_actions(position, legal)
    return int(legal[0]) if state[k.LIVES] > 1 else int(legal[n - 1])
