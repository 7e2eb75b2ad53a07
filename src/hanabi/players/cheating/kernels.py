"""The cheating player, compiled."""

from __future__ import annotations

from typing import NamedTuple

from hanabi.ground.compiled import RandomStream, Words
from hanabi.ground.compiled.bits import lowest_bit
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.players.kernels import policy as policies
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import (
    code_at,
    copies_kept,
    first_hint,
    following_ranks,
    growth,
    has_hint,
    height_of,
    hintable,
    is_inverted,
    may_discard,
    n_held,
    next_place,
    next_ranks,
    place_after,
)
from hanabi.rules.kernels.legal import NO_RULE, find_broken_rule
from hanabi.rules.kernels.packed import Packed, action_code, card_of, color_of, rank_of

# The policy of a player that sees all hands, but not the deck; see :mod:`hanabi.players.cheating`.
#
# It reads the hands from `deck`, so it needs no memory.

# Sorts of cards by the loss without them; see `_sort_of`.
DEAD, TWICE, ELSEWHERE, SPARE, LAST = range(5)
# Why an action is chosen: a card of this sort is the least needed, or one of these.
PLAYABLE, NO_CARDS, NO_DISCARDS, LAST_ROUND, ALL_NEEDED, NO_TIME = range(5, 11)


class CheatingPolicy(NamedTuple):
    """The player; it has no options."""


@policies.scratch_size.register(CheatingPolicy)
@jit_hot
def scratch_size(policy: CheatingPolicy, rules: Words) -> int:
    """Return the number of words that `decide` works with."""
    return int(rules[k.COLORS] * rules[k.RANKS] + rules[k.COLORS])


@jit_hot
def _count_others(position: Packed, scratch: Words) -> None:
    """Count the copies of each card that others hold."""
    rules, state = position.rules, position.state
    colors, ranks = rules[k.COLORS], rules[k.RANKS]
    for card in range(colors * ranks):
        scratch[card] = 0
    for seat in range(rules[k.SEATS]):
        if seat == state[k.SEAT]:
            continue
        first = seat * rules[k.HAND_SIZE]
        for place in range(first, first + n_held(rules, state, seat)):
            code = code_at(position, place)
            scratch[card_of(rules, code)] += 1


@jit_hot
def _look_ahead(rules: Words, state: Words, scratch: Words) -> int:
    """Write how far each pile can grow, and return the points within reach, ignoring turns."""
    colors, total = rules[k.COLORS], 0
    for color in range(colors):
        height, ranks = growth(rules, state, color)
        scratch[colors * rules[k.RANKS] + color] = ranks
        total += height
    return int(total)


@jit_hot_inline
def _rank_of_others(rules: Words, scratch: Words, color: int, ranks: int) -> int:
    """Return the lowest of some ranks, given as bits, that others hold; 0 if none."""
    while ranks:
        rank = lowest_bit(ranks)
        if scratch[color * rules[k.RANKS] + rank - 1]:
            return rank
        ranks &= ranks - 1
    return 0


@jit_hot
def _followers(rules: Words, scratch: Words, color: int, place: int) -> int:
    """Return how many cards in a row others could play once a pile has reached a place."""
    length = 0
    while True:
        rank = _rank_of_others(rules, scratch, color, following_ranks(rules, color, place))
        if rank == 0:
            return length
        place = next_place(rules, color, place, rank)
        length += 1


@jit_hot
def _best_play(position: Packed, scratch: Words) -> int:
    """Return the slot of a card to play, or -1.

    Cards that only this seat holds come first, then those with successors in hands, then low ones.
    """
    rules, state = position.rules, position.state
    ranks, best, most = rules[k.RANKS], -1, -1
    first = state[k.SEAT] * rules[k.HAND_SIZE]
    for slot in range(n_held(rules, state, state[k.SEAT])):
        code = code_at(position, first + slot)
        color, place = color_of(code), place_after(rules, state, code)
        if place == 0:
            continue
        length = _followers(rules, scratch, color, place)
        worth = ranks - height_of(rules, state, color) - 1 + (ranks + 1) * length
        if scratch[card_of(rules, code)] == 0:
            worth += (ranks + 1) * (ranks + 1)
        if worth > most:
            best, most = slot, worth
    return best


@jit_hot
def _sort_of(position: Packed, scratch: Words, slot: int) -> int:
    rules, state = position.rules, position.state
    first = state[k.SEAT] * rules[k.HAND_SIZE]
    code = code_at(position, first + slot)
    card = card_of(rules, code)
    if not scratch[rules[k.COLORS] * rules[k.RANKS] + color_of(code)] >> rank_of(code) & 1:
        return DEAD
    for other in range(n_held(rules, state, state[k.SEAT])):
        if other != slot and code_at(position, first + other) == code:
            return TWICE
    if scratch[card]:
        return ELSEWHERE
    return SPARE if copies_kept(rules, state, card) > 1 else LAST


@jit_hot
def _worst_card(position: Packed, scratch: Words) -> int:
    """Return the sort of the hand's least needed card, shifted left by 8, plus its slot.

    Of equal sorts the highest rank is needed last.
    """
    rules, state = position.rules, position.state
    worst, least = 0, -1
    first = state[k.SEAT] * rules[k.HAND_SIZE]
    for slot in range(n_held(rules, state, state[k.SEAT])):
        code = code_at(position, first + slot)
        worth = (LAST - _sort_of(position, scratch, slot)) << 5 | rank_of(code)
        if worth > least:
            worst, least = slot, worth
    return (LAST - (least >> 5)) << 8 | worst


@jit_hot
def _any_hint(position: Packed) -> int:
    """Return the first legal hint, or -1."""
    rules, state = position.rules, position.state
    if not has_hint(rules, state):
        return -1
    for turn in range(1, rules[k.SEATS]):
        seat = (state[k.SEAT] + turn) % rules[k.SEATS]
        bits = hintable(position, seat)
        if bits:
            return first_hint(bits, seat)
    return -1


@jit_hot
def _can_others_play(rules: Words, state: Words, scratch: Words) -> bool:
    for color in range(rules[k.COLORS]):
        if _rank_of_others(rules, scratch, color, next_ranks(rules, state, color)):
            return True
    return False


@jit_hot
def _use(position: Packed, kind: int, slot: int) -> int:
    """Return the action that plays or discards a card; the two are exchanged for inverted suits.

    If discards are forbidden, the play is returned.
    """
    rules, state = position.rules, position.state
    if is_inverted(rules, code_at(position, state[k.SEAT] * rules[k.HAND_SIZE] + slot)):
        kind = k.DISCARD if kind == k.PLAY else k.PLAY
    if kind == k.DISCARD and not may_discard(rules, state):
        kind = k.PLAY
    return action_code(kind, slot, 0)


@policies.decide.register(CheatingPolicy)
@jit_hot
def decide(
    policy: CheatingPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
) -> int:
    """Return the action of the seat to act, which sees its own cards."""
    return choose(position, scratch)[0]


@jit_hot
def choose(position: Packed, scratch: Words) -> tuple[int, int]:
    """Return the action of the seat to act, and why it is chosen."""
    rules, state = position.rules, position.state
    _count_others(position, scratch)
    slot = _best_play(position, scratch)
    if slot >= 0:
        return _use(position, k.PLAY, slot), PLAYABLE
    most = _look_ahead(rules, state, scratch)
    hint = _any_hint(position)
    if n_held(rules, state, state[k.SEAT]) == 0:
        return hint, NO_CARDS
    worst = _worst_card(position, scratch)
    sort, slot = worst >> 8, worst & 255
    if find_broken_rule(position, action_code(k.DISCARD, 0, 0)) != NO_RULE:
        return hint if hint >= 0 else _use(position, k.PLAY, slot), NO_DISCARDS
    # The number of draws without a point that still leaves enough turns.
    spare = state[k.POINTS] + rules[k.DECK_SIZE] - state[k.DRAWN] + rules[k.SEATS] - most
    is_time = spare >= rules[k.SEATS] or (spare > 0 and not _can_others_play(rules, state, scratch))
    if hint >= 0 and state[k.TURNS_LEFT] >= 0:
        return hint, LAST_ROUND
    if hint >= 0 and sort > ELSEWHERE:
        return hint, ALL_NEEDED
    if hint >= 0 and not is_time:
        return hint, NO_TIME
    return _use(position, k.DISCARD, slot), sort
