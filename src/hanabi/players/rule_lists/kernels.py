"""Players that take the first of their rules that applies, compiled."""

from __future__ import annotations

from typing import NamedTuple

from hanabi.ground.compiled import RandomStream, Words
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.ground.compiled.rng import below
from hanabi.players.kernels import policy as policies
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import (
    code_at,
    deck_left,
    has_hint,
    height_of,
    hintable,
    index_at,
    is_next,
    known_at,
    last_rank,
    mask_of,
    may_discard,
    n_held,
    ranks_to_come,
)
from hanabi.rules.kernels.legal import legal_actions
from hanabi.rules.kernels.packed import Packed, action_code, card_of, clue_bit, color_of, rank_of

# The rules; see hanabi.players.rule_lists, which describes them.
PLAY_KNOWN, PLAY_SAFE, PLAY_LIKELY, DISCARD_KNOWN, DISCARD_LIKELY = range(5)
DISCARD_OLDEST, DISCARD_ANY, TELL_USEFUL, TELL_NEXT_USEFUL, TELL_MISSING = range(5, 10)
TELL_DISPENSABLE, TELL_USELESS, TELL_MOST, TELL_ANY = range(10, 14)

# Conditions of a rule.
ALWAYS, LIVES_LEFT, LAST_LIFE, DECK_EMPTY, FEW_HINTS = range(5)
FEW = 4  # FEW_HINTS: fewer tokens than these

# Words of a step: the rule, its condition, and the fraction from which a card is likely enough.
RULE, CONDITION, FROM, OF = range(4)
STEP = 4


class RuleListPolicy(NamedTuple):
    """The player; `steps` has the words of each step, one after the other."""

    steps: Words


@policies.scratch_size.register(RuleListPolicy)
@jit_hot
def scratch_size(policy: RuleListPolicy, rules: Words) -> int:
    """Return the number of words for the actions to choose from, and for the unseen cards."""
    return _room(rules) + int(rules[k.COLORS] * rules[k.RANKS])


@jit_hot_inline
def _room(rules: Words) -> int:
    return int(max(rules[k.MAX_ACTIONS], 2 * rules[k.HAND_SIZE]))


@jit_hot_inline
def _applies(position: Packed, condition: int) -> bool:
    rules, state = position.rules, position.state
    if condition == LIVES_LEFT:
        return bool(state[k.LIVES] > 1)
    if condition == LAST_LIFE:
        return bool(state[k.LIVES] <= 1)
    if condition == DECK_EMPTY:
        return bool(state[k.LIVES] > 1 and deck_left(rules, state) == 0)
    if condition == FEW_HINTS:
        return bool(state[k.HINTS] < FEW * rules[k.HINT_COST])
    return True


@jit_hot_inline
def _is_single(bits: int) -> bool:
    return bits & (bits - 1) == 0


@jit_hot_inline
def _is_color_known(known: int) -> bool:
    return _is_single(known & k.COLOR_BITS)


@jit_hot_inline
def _is_rank_known(known: int) -> bool:
    return _is_single(known >> k.RANK_BITS)


@jit_hot_inline
def _is_dead(rules: Words, state: Words, code: int) -> bool:
    return not ranks_to_come(rules, state, color_of(code)) >> rank_of(code) & 1


@jit_hot_inline
def _lowest_pile(rules: Words, state: Words) -> int:
    lowest = rules[k.RANKS]
    for color in range(rules[k.COLORS]):
        lowest = min(lowest, height_of(rules, state, color))
    return int(lowest)


@jit_hot_inline
def _hint(position: Packed, seat: int, code: int, is_rank: bool, actions: Words, n: int) -> int:
    """Write the hint of a card's rank or color after `n` actions if it is legal."""
    kind, value = k.HINT_COLOR, color_of(code)
    if is_rank:
        kind, value = k.HINT_RANK, rank_of(code)
    if hintable(position, seat) & clue_bit(kind, value):
        actions[n] = action_code(kind, seat, value)
        return n + 1
    return n


@jit_hot_inline
def _missing(position: Packed, seat: int, place: int, is_rank_first: bool, actions: Words) -> int:
    """Write the hint of what is not known of a card, and return 1, or 0 if all is known."""
    known, code = known_at(position.rules, position.state, place), code_at(position, place)
    for turn in range(2):
        is_rank = is_rank_first == (turn == 0)
        is_known = _is_rank_known(known) if is_rank else _is_color_known(known)
        if not is_known:
            return _hint(position, seat, code, is_rank, actions, 0)
    return 0


@jit_hot
def _write_unseen(position: Packed, counts: Words) -> None:
    """Count the copies of each card that the seat to act does not see."""
    rules, deck, state = position
    for card in range(rules[k.COLORS] * rules[k.RANKS]):
        counts[card] = 0
    for index in range(state[k.DRAWN], rules[k.DECK_SIZE]):
        counts[card_of(rules, deck[index])] += 1
    first = state[k.SEAT] * rules[k.HAND_SIZE]
    for place in range(first, first + n_held(rules, state, state[k.SEAT])):
        counts[card_of(rules, code_at(position, place))] += 1


@jit_hot
def _weigh(position: Packed, counts: Words, place: int, is_play: bool) -> tuple[int, int]:
    """Return how many of the unseen cards that a slot can hold are playable, or dead; and all."""
    rules, state = position.rules, position.state
    known, good, all_of = known_at(rules, state, place), 0, 0
    for color in range(rules[k.COLORS]):
        for rank in range(1, rules[k.RANKS] + 1):
            code = color << 5 | rank
            mask, n = mask_of(rules, code), counts[card_of(rules, code)]
            if n > 0 and known & mask == mask:
                is_good = is_next(rules, state, code) if is_play else _is_dead(rules, state, code)
                good += n * is_good
                all_of += n
    return int(good), int(all_of)


@jit_hot
def _likeliest(position: Packed, counts: Words, is_play: bool, needed: int, of: int) -> int:
    """Return the last of the slots most likely to be playable, or dead, if likely enough; or -1."""
    rules, state = position.rules, position.state
    first, best = state[k.SEAT] * rules[k.HAND_SIZE], -1
    for slot in range(n_held(rules, state, state[k.SEAT])):
        good, all_of = _weigh(position, counts, first + slot, is_play)
        if good * of >= needed * all_of:
            best, needed, of = slot, good, all_of
    return best


@jit_hot
def _safe(position: Packed, counts: Words) -> int:
    """Return the first slot that is certain to be playable, or -1."""
    rules, state = position.rules, position.state
    first = state[k.SEAT] * rules[k.HAND_SIZE]
    for slot in range(n_held(rules, state, state[k.SEAT])):
        good, all_of = _weigh(position, counts, first + slot, True)
        if good == all_of:
            return slot
    return -1


@jit_hot
def _known_playable(position: Packed) -> int:
    """Return the first slot whose color and rank are known and playable, or -1."""
    rules, state = position.rules, position.state
    first = state[k.SEAT] * rules[k.HAND_SIZE]
    for slot in range(n_held(rules, state, state[k.SEAT])):
        known, code = known_at(rules, state, first + slot), code_at(position, first + slot)
        if _is_color_known(known) and _is_rank_known(known) and is_next(rules, state, code):
            return slot
    return -1


@jit_hot
def _known_useless(position: Packed, counts: Words) -> int:
    """Return the slot that [Osawa2015]'s rule discards, or -1.

    The first that hints show to be played already, in the framework's sense; or else the first of a
    known color all of whose possible ranks are out of reach.
    """
    rules, state = position.rules, position.state
    first, lowest = state[k.SEAT] * rules[k.HAND_SIZE], _lowest_pile(rules, state)
    size = n_held(rules, state, state[k.SEAT])
    for slot in range(size):
        known, code = known_at(rules, state, first + slot), code_at(position, first + slot)
        is_color, is_rank, color = _is_color_known(known), _is_rank_known(known), color_of(code)
        if is_color and height_of(rules, state, color) == last_rank(rules, color):
            return slot
        if is_rank and rank_of(code) <= lowest:
            return slot
        if is_color and is_rank and _is_dead(rules, state, code):
            return slot
    for slot in range(size):
        known, code = known_at(rules, state, first + slot), code_at(position, first + slot)
        if _is_color_known(known):
            color, highest, lowest = color_of(code), 0, rules[k.RANKS] + 1
            for rank in range(rules[k.RANKS], 0, -1):
                if ranks_to_come(rules, state, color) >> rank & 1:
                    highest = max(highest, rank)
                one = color << 5 | rank
                if known >> (k.RANK_BITS + rank - 1) & 1 and counts[card_of(rules, one)] > 0:
                    lowest = rank
            if lowest > max(highest, height_of(rules, state, color)):
                return slot
    return -1


@jit_hot
def _oldest(position: Packed) -> int:
    """Return the slot of the card held longest, or -1."""
    rules, state = position.rules, position.state
    first, oldest = state[k.SEAT] * rules[k.HAND_SIZE], -1
    for slot in range(n_held(rules, state, state[k.SEAT])):
        if oldest < 0 or index_at(rules, state, first + slot) < index_at(
            rules, state, first + oldest
        ):
            oldest = slot
    return oldest


@jit_hot
def _tell(position: Packed, rule: int, actions: Words) -> int:
    """Write the hints among which a rule chooses, and return their number."""
    rules, state = position.rules, position.state
    seats, n = rules[k.SEATS], 0
    if not has_hint(rules, state) or seats == 1:
        return 0
    if rule == TELL_MOST:
        return _most(position, actions)
    for turn in range(seats):
        # The framework goes on from the next seat, but looks for dispensable cards from the first.
        seat = turn if rule == TELL_DISPENSABLE else (state[k.SEAT] + 1 + turn) % seats
        if seat == state[k.SEAT]:
            continue
        first = seat * rules[k.HAND_SIZE]
        for place in range(first, first + n_held(rules, state, seat)):
            code = code_at(position, place)
            if rule == TELL_ANY:
                n = _hint(position, seat, code, True, actions, n)
                n = _hint(position, seat, code, False, actions, n)
            elif rule == TELL_MISSING:
                n = _missing(position, seat, place, False, actions)
            elif rule == TELL_DISPENSABLE:
                n = _dispensable(position, seat, place, actions)
            elif rule == TELL_USELESS:
                if _is_dead(rules, state, code):
                    return _missing(position, seat, place, True, actions)
            elif is_next(rules, state, code):
                n = _missing(position, seat, place, True, actions)
            if n > 0 and rule != TELL_ANY:
                return n
        if rule == TELL_ANY or rule == TELL_MISSING or rule == TELL_NEXT_USEFUL:
            return n
    return 0


@jit_hot
def _dispensable(position: Packed, seat: int, place: int, actions: Words) -> int:
    """Write the hint that shows a card to be played already, if one does."""
    rules, state = position.rules, position.state
    known, code = known_at(rules, state, place), code_at(position, place)
    is_color, is_rank = _is_color_known(known), _is_rank_known(known)
    height = height_of(rules, state, color_of(code))
    if not is_color and height == last_rank(rules, color_of(code)):
        return _hint(position, seat, code, False, actions, 0)
    if not is_rank and rank_of(code) <= _lowest_pile(rules, state):
        return _hint(position, seat, code, True, actions, 0)
    if is_color != is_rank and rank_of(code) <= height:
        return _hint(position, seat, code, is_color, actions, 0)
    return 0


@jit_hot
def _most(position: Packed, actions: Words) -> int:
    """Write the hint that is new for the most cards: seats in order, ranks before colors."""
    rules, state = position.rules, position.state
    most, n = 0, 0
    for seat in range(rules[k.SEATS]):
        first = seat * rules[k.HAND_SIZE]
        size = n_held(rules, state, seat) if seat != state[k.SEAT] else 0
        for clue in range(rules[k.RANKS] + rules[k.COLORS]):
            told, an_example = 0, 0
            is_rank = clue < rules[k.RANKS]
            for place in range(first, first + size):
                code, known = code_at(position, place), known_at(rules, state, place)
                if is_rank:
                    is_told = rank_of(code) == clue + 1 and not _is_rank_known(known)
                else:
                    is_told = color_of(code) == clue - rules[k.RANKS]
                    is_told = is_told and not _is_color_known(known)
                if is_told:
                    told, an_example = told + 1, code
            if told > most and _hint(position, seat, an_example, is_rank, actions, 0) > 0:
                most, n = told, 1
    return n


@jit_hot
def options(policy: RuleListPolicy, position: Packed, scratch: Words) -> tuple[int, int]:
    """Write the actions of the first rule that applies; return their number and its step.

    Each has the same probability; one may occur twice. If no rule applies, these are all legal
    actions, and -1.
    """
    rules, state = position.rules, position.state
    counts, seat = scratch[_room(rules) :], state[k.SEAT]
    _write_unseen(position, counts)
    may, size = may_discard(rules, state), n_held(rules, state, seat)
    for step in range(policy.steps.size // STEP):
        words = policy.steps[step * STEP : (step + 1) * STEP]
        rule, kind, slot, n = words[RULE], k.PLAY, -1, 0
        if not _applies(position, words[CONDITION]):
            continue
        if rule == PLAY_KNOWN:
            slot = _known_playable(position)
        elif rule == PLAY_SAFE:
            slot = _safe(position, counts)
        elif rule == PLAY_LIKELY:
            slot = _likeliest(position, counts, True, words[FROM], words[OF])
        elif rule >= TELL_USEFUL:
            n = _tell(position, rule, scratch)
        elif may:
            kind = k.DISCARD
            if rule == DISCARD_KNOWN:
                slot = _known_useless(position, counts)
            elif rule == DISCARD_LIKELY:
                slot = _likeliest(position, counts, False, words[FROM], words[OF])
            elif rule == DISCARD_OLDEST:
                slot = _oldest(position)
            else:
                for each in range(size):
                    scratch[each] = action_code(k.DISCARD, each, 0)
                n = size
        if slot >= 0:
            scratch[0], n = action_code(kind, slot, 0), 1
        if n > 0:
            return int(n), step
    return legal_actions(position, scratch), -1


@policies.decide.register(RuleListPolicy)
@jit_hot
def decide(
    policy: RuleListPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
) -> int:
    """Return the action of the seat to act."""
    n, _ = options(policy, position, scratch)
    return int(scratch[below(rng, n)] if n > 1 else scratch[0])


@policies.chance.register(RuleListPolicy)
@jit_hot
def chance(
    policy: RuleListPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
    action: int,
) -> float:
    """Return the probability of an action of the seat to act."""
    n, _ = options(policy, position, scratch)
    hits = 0
    for index in range(n):
        hits += scratch[index] == action
    return hits / n
