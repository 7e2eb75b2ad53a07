"""The random player of [Bergh2016, section 4], and the value of its play-outs.

It takes any legal action except plays that it knows to fail, and favours plays of better known
cards. :mod:`hanabi.players.monte_carlo` explains the options.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.compiled import RandomStream, Words, jit
from hanabi.compiled.bits import count_bits
from hanabi.compiled.hot import jit_hot, jit_hot_inline
from hanabi.compiled.rng import below, split
from hanabi.game import layout as k
from hanabi.game.kernels.facts import (
    code_at,
    colors_and_ranks,
    first_hint,
    has_hint,
    hintable,
    index_at,
    known_at,
    last_rank,
    mask_of,
    n_held,
    next_ranks,
)
from hanabi.game.kernels.legal import NO_RULE, find_broken_rule, legal_actions
from hanabi.game.kernels.packed import Packed, action_code, card_code
from hanabi.game.kernels.rules import step
from hanabi.players.kernels import policy as policies

__all__ = ["OPTIONS", "draw_world", "play_out", "prepare_worlds", "random_action", "worlds_size"]

# Worlds: equally likely deals that agree with everything the seat to act knows.
#
# The unseen cards are those of the seat's own hand, if it is hidden, and of the deck. The hand is
# dealt slot by slot, from the slots with the fewest possible cards to those with the most. Each
# slot gets one of the cards that are left and possible there. That alone would favour deals that
# leave few choices. So a slot's card is accepted only with probability (choices left) / (most
# that can be left); otherwise the hand is dealt again. If the sets of possible cards are nested
# or disjoint, no hand is ever dealt again; they are, unless hints named a color to one slot and a
# rank to another.

# Words of `scratch`: two counts; then rows of DECK_SIZE words: the unseen cards in order, those
# left for the deck, marks of those in hand; then rows of HAND_SIZE words: the slots in the order of
# dealing, the number of cards possible in each, the most that can be left of them, the place of
# the card dealt; then for each of these slots a row of DECK_SIZE words, the places of its cards.
N_UNSEEN, N_HIDDEN, UNSEEN = range(3)


@jit_hot
def worlds_size(rules: Words) -> int:
    """Return the number of words of `scratch`."""
    return int(UNSEEN + (3 + rules[k.HAND_SIZE]) * rules[k.DECK_SIZE] + 4 * rules[k.HAND_SIZE])


@jit_hot
def _gather(position: Packed, scratch: Words) -> None:
    """List the unseen cards by color and rank, independent of their order in `deck`."""
    rules, deck, state = position
    n, rest = 0, UNSEEN + rules[k.DECK_SIZE]
    first = state[k.SEAT] * rules[k.HAND_SIZE]
    for slot in range(scratch[N_HIDDEN]):
        scratch[rest + n] = code_at(position, first + slot)
        n += 1
    for index in range(state[k.DRAWN], rules[k.DECK_SIZE]):
        scratch[rest + n] = deck[index]
        n += 1
    scratch[N_UNSEEN] = n
    listed = 0
    for color in range(rules[k.COLORS]):
        for rank in range(1, rules[k.RANKS] + 1):
            code = card_code(color, rank)
            for i in range(n):
                if scratch[rest + i] == code:
                    scratch[UNSEEN + listed] = code
                    listed += 1


@jit_hot
def _order_slots(rules: Words, scratch: Words) -> None:
    """Sort the slots by their number of possible cards; each row of cards stays with its slot."""
    order = UNSEEN + 3 * rules[k.DECK_SIZE]
    counts = order + rules[k.HAND_SIZE]
    for i in range(scratch[N_HIDDEN]):
        j = i
        while j > 0 and scratch[counts + scratch[order + j - 1]] > scratch[counts + i]:
            scratch[order + j] = scratch[order + j - 1]
            j -= 1
        scratch[order + j] = i


@jit_hot
def _bound_choices(rules: Words, state: Words, scratch: Words) -> None:
    """Find the most cards that can be left to each slot, given the subsets dealt before it."""
    deck_size, hand_size = rules[k.DECK_SIZE], rules[k.HAND_SIZE]
    order = UNSEEN + 3 * deck_size
    counts, most = order + hand_size, order + 2 * hand_size
    own = state[k.SEAT] * hand_size
    for i in range(scratch[N_HIDDEN]):
        slot = scratch[order + i]
        scratch[most + slot] = scratch[counts + slot]
        for j in range(i):
            other = scratch[order + j]
            row = order + 4 * hand_size + other * deck_size
            is_part = True
            for place in range(scratch[counts + other]):
                bits = mask_of(rules, scratch[UNSEEN + scratch[row + place]])
                if bits & ~known_at(rules, state, own + slot):
                    is_part = False
                    break
            if is_part:
                scratch[most + slot] -= 1


@jit_hot
def prepare_worlds(position: Packed, world: Words, scratch: Words) -> None:
    """Prepare `scratch` for `draw_world`, and write the seen cards to `world`.

    The order of the hidden cards in `deck` does not matter, as long as they are the unseen ones.
    """
    rules, deck, state = position
    deck_size, hand_size = rules[k.DECK_SIZE], rules[k.HAND_SIZE]
    for index in range(deck_size):
        world[index] = deck[index]
        scratch[UNSEEN + 2 * deck_size + index] = 0
    scratch[N_HIDDEN] = 0 if rules[k.OPEN_HANDS] else n_held(rules, state, state[k.SEAT])
    _gather(position, scratch)
    counts = UNSEEN + 3 * deck_size + hand_size
    own = state[k.SEAT] * hand_size
    for slot in range(scratch[N_HIDDEN]):
        row, n = counts + 3 * hand_size + slot * deck_size, 0
        for i in range(scratch[N_UNSEEN]):
            if mask_of(rules, scratch[UNSEEN + i]) & ~known_at(rules, state, own + slot) == 0:
                scratch[row + n] = i
                n += 1
        scratch[counts + slot] = n
    _order_slots(rules, scratch)
    _bound_choices(rules, state, scratch)


@jit_hot
def _deal_hand(rules: Words, state: Words, rng: RandomStream, scratch: Words) -> bool:
    """Deal the hidden hand; return whether this deal is accepted."""
    deck_size, hand_size = rules[k.DECK_SIZE], rules[k.HAND_SIZE]
    marks = UNSEEN + 2 * deck_size
    order = marks + deck_size
    counts, most, dealt = order + hand_size, order + 2 * hand_size, order + 3 * hand_size
    own = state[k.SEAT] * hand_size
    for i in range(scratch[N_HIDDEN]):
        slot = scratch[order + i]
        left = scratch[counts + slot]
        for j in range(i):
            bits = mask_of(rules, scratch[UNSEEN + scratch[dealt + scratch[order + j]]])
            if bits & ~known_at(rules, state, own + slot) == 0:
                left -= 1
        if left < scratch[most + slot] and below(rng, scratch[most + slot]) >= left:
            for j in range(i):
                scratch[marks + scratch[dealt + scratch[order + j]]] = 0
            return False
        row = dealt + hand_size + slot * deck_size
        place = scratch[row + below(rng, scratch[counts + slot])]
        while scratch[marks + place]:
            place = scratch[row + below(rng, scratch[counts + slot])]
        scratch[marks + place] = 1
        scratch[dealt + slot] = place
    return True


@jit_hot
def draw_world(
    rules: Words, state: Words, depth: int, rng: RandomStream, world: Words, scratch: Words
) -> None:
    """Deal the seat's hand, if it is hidden, and the next `depth` cards of the deck to `world`.

    The cards after these are dealt too, but not randomly.
    """
    while not _deal_hand(rules, state, rng, scratch):
        pass
    deck_size = rules[k.DECK_SIZE]
    rest, marks = UNSEEN + deck_size, UNSEEN + 2 * deck_size
    dealt = marks + deck_size + 3 * rules[k.HAND_SIZE]
    first = state[k.SEAT] * rules[k.HAND_SIZE]
    for slot in range(scratch[N_HIDDEN]):
        world[index_at(rules, state, first + slot)] = scratch[UNSEEN + scratch[dealt + slot]]
    n = 0
    for place in range(scratch[N_UNSEEN]):
        if scratch[marks + place]:
            scratch[marks + place] = 0
        else:
            scratch[rest + n] = scratch[UNSEEN + place]
            n += 1
    drawn = state[k.DRAWN]
    for i in range(n):
        if i < depth and i < n - 1:
            j = i + below(rng, n - i)
            scratch[rest + i], scratch[rest + j] = scratch[rest + j], scratch[rest + i]
        world[drawn + i] = scratch[rest + i]


# Words of `options`.
PLAYOUTS, TURNS, FAVOUR, NARROW, REDRAW, CUMULATIVE, LINEAR, SINCE = range(8)
OPTIONS = 8

_LARGEST_WEIGHT = 1 << 40


@jit_hot_inline
def _can_fit(rules: Words, state: Words, known: int) -> bool:
    """Whether a card with this knowledge may be playable."""
    if rules[k.KNOWN_CARDS] != 0:
        row = (1 << rules[k.RANKS]) - 1
        for color in range(rules[k.COLORS]):
            ranks = known >> color * rules[k.RANKS] & row
            if ranks & next_ranks(rules, state, color) >> 1 or (
                ranks and rules[k.INVERTED] >> color & 1
            ):
                return True
        return False
    for color in range(rules[k.COLORS]):
        pile = state[k.PILES + color]
        if (
            known >> color & 1
            and known >> (k.RANK_BITS + pile) & 1
            and pile < last_rank(rules, color)
        ):
            return True
    return False


@jit_hot
def weigh(options: Words, known: int) -> int:
    """Return the random player's weight for playing a card with these possible colors and ranks."""
    colors, ranks = known & k.COLOR_BITS, known >> k.RANK_BITS
    if options[NARROW]:
        possible = count_bits(colors) * count_bits(ranks)
        return int(_LARGEST_WEIGHT // (possible * possible))
    named = (1 if colors & (colors - 1) == 0 else 0) + (1 if ranks & (ranks - 1) == 0 else 0)
    return int(1 + options[FAVOUR] * named)


@jit_hot_inline
def _weigh_plays(rules: Words, state: Words, options: Words, is_any: bool, weights: Words) -> int:
    """Write each slot's weight, 0 if its play is known to fail, and return their sum."""
    first = state[k.SEAT] * rules[k.HAND_SIZE]
    total = 0
    for slot in range(n_held(rules, state, state[k.SEAT])):
        bits = known_at(rules, state, first + slot)
        weights[slot] = 0
        if is_any or _can_fit(rules, state, bits):
            weights[slot] = weigh(options, colors_and_ranks(rules, bits))
        total += weights[slot]
    return total


@jit_hot_inline
def _pick(weights: Words, n: int) -> int:
    """Return the slot in which `n`, below the sum of the weights, falls."""
    slot = 0
    while n >= weights[slot]:
        n -= weights[slot]
        slot += 1
    return slot


@jit_hot_inline
def _count_hints(position: Packed) -> int:
    rules, state = position.rules, position.state
    if not has_hint(rules, state):
        return 0
    n = 0
    for seat in range(rules[k.SEATS]):
        if seat != state[k.SEAT]:
            n += count_bits(hintable(position, seat))
    return n


@jit_hot_inline
def _nth_hint(position: Packed, n: int) -> int:
    """Return hint `n`, from 0, seat by seat, colors before ranks."""
    rules, state = position.rules, position.state
    for seat in range(rules[k.SEATS]):
        if seat == state[k.SEAT]:
            continue
        bits = hintable(position, seat)
        count = count_bits(bits)
        if n >= count:
            n -= count
            continue
        for _ in range(n):
            bits &= bits - 1
        return first_hint(bits, seat)
    return -1


@jit_hot_inline
def random_action(position: Packed, options: Words, rng: RandomStream, weights: Words) -> int:
    """Return the random player's action; `weights` has HAND_SIZE words."""
    rules, state = position.rules, position.state
    size = n_held(rules, state, state[k.SEAT])
    total = _weigh_plays(rules, state, options, False, weights)
    discards, deck_plays = 0, 0
    if find_broken_rule(position, action_code(k.DISCARD, 0, 0)) == NO_RULE:
        discards = size
    if rules[k.DECK_PLAYS] and find_broken_rule(position, k.PLAY_DECK) == NO_RULE:
        deck_plays = 1 + (find_broken_rule(position, k.DISCARD_DECK) == NO_RULE)
    hints = _count_hints(position)
    others = discards + hints + deck_plays
    if total == 0 and others == 0:  # every legal action is known to fail
        total = _weigh_plays(rules, state, options, True, weights)
    if options[REDRAW]:
        plays = 0
        for slot in range(size):
            plays += weights[slot] > 0
        n = int(below(rng, plays + others))
        if n < plays:
            return action_code(k.PLAY, _pick(weights, int(below(rng, total))), 0)
        n -= plays
    else:
        unit = _LARGEST_WEIGHT if options[NARROW] else 1
        n = int(below(rng, total + unit * others))
        if n < total:
            return action_code(k.PLAY, _pick(weights, n), 0)
        n = (n - total) // unit
    if n < discards:
        return action_code(k.DISCARD, n, 0)
    n -= discards
    if n < hints:
        return _nth_hint(position, n)
    return k.PLAY_DECK if n == hints else k.DISCARD_DECK


@jit_hot_inline
def play_out(
    trial: Packed,
    state: Words,
    options: Words,
    rng: RandomStream,
    action: int,
    weights: Words,
) -> int:
    """Return the value of a play-out that starts with `action`.

    The present position is `state`, which is left unchanged; that of `trial` is overwritten.
    """
    rules, future = trial.rules, trial.state
    for word in range(rules[k.STATE_SIZE]):
        future[word] = state[word]
    # Errors do not end play-outs.
    future[k.LIVES] += options[TURNS]
    before = 0 if options[SINCE] else rules[k.MAX_LIVES] - state[k.LIVES]
    points, lives, total = state[k.POINTS], future[k.LIVES], 0
    for turn in range(1, options[TURNS] + 1):
        if future[k.END] == k.IN_PROGRESS:
            if turn > 1:
                action = random_action(trial, options, rng, weights)
            step(trial, action)
        elif not options[CUMULATIVE]:
            break
        errors = lives - future[k.LIVES]
        worth = future[k.POINTS] - points - errors * (2 * before + errors + 1) // 2
        if not options[CUMULATIVE]:
            points, lives, before = future[k.POINTS], future[k.LIVES], before + errors
        total += (turn if options[LINEAR] else 1) * worth
    return total


# Decisions of the Monte Carlo player of [Bergh2016, section 4].


class MonteCarloPolicy(NamedTuple):
    """The player; `options` are the words of `hanabi.players.monte_carlo.kernels.playouts`."""

    options: Words


@policies.scratch_size.register(MonteCarloPolicy)
@jit_hot
def scratch_size(policy: MonteCarloPolicy, rules: Words) -> int:
    """Return the number of words for worlds."""
    return worlds_size(rules)


@policies.decide.register(MonteCarloPolicy)
@jit
def decide(
    policy: MonteCarloPolicy,
    position: Packed,
    rng: npt.NDArray[np.uint64],
    memory: Words,
    scratch: Words,
) -> int:
    """Return the action with the best play-outs, the first of equals.

    All actions are tried in the same worlds.
    """
    rules, deck, state = position
    options, own = policy.options, split(rng)
    trial = Packed(rules, np.empty_like(deck), np.empty_like(state))
    weights, actions = (
        np.empty(rules[k.HAND_SIZE], np.int64),
        np.empty(rules[k.MAX_ACTIONS], np.int64),
    )
    n = legal_actions(position, actions)
    worth = np.zeros(n, np.int64)
    prepare_worlds(position, trial.deck, scratch)
    for _ in range(options[PLAYOUTS] if n > 1 else 0):
        draw_world(rules, state, options[TURNS], own, trial.deck, scratch)
        for i in range(n):
            worth[i] += play_out(trial, state, options, own, actions[i], weights)
    best = 0
    for i in range(1, n):
        if worth[i] > worth[best]:
            best = i
    return int(actions[best])
