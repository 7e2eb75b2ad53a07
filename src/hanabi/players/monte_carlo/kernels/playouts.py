"""The random player of [Bergh2016, section 4], and the value of its play-outs.

It takes any legal action except plays that it knows to fail, and favours plays of better known
cards. :mod:`hanabi.players.monte_carlo` explains the options.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.ground.compiled import RandomStream, Words, jit
from hanabi.ground.compiled.bits import count_bits
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.ground.compiled.rng import below, split
from hanabi.players.kernels import policy as policies
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import (
    colors_and_ranks,
    first_hint,
    has_hint,
    hintable,
    known_at,
    last_rank,
    n_held,
    next_ranks,
)
from hanabi.rules.kernels.legal import NO_RULE, find_broken_rule, legal_actions
from hanabi.rules.kernels.packed import Packed, action_code
from hanabi.rules.kernels.rules import step
from hanabi.worlds.kernels.deals import deal_world, open_dealer, open_hidden

__all__ = ["OPTIONS", "play_out", "random_action"]

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


@jit
def try_actions(
    policy: MonteCarloPolicy, position: Packed, rng: RandomStream, actions: Words, worth: Words
) -> int:
    """Write the legal actions and the sum of the play-outs of each; return their number.

    All actions are tried in the same worlds. A single action is not tried.
    """
    rules, deck, state = position
    options, own = policy.options, split(rng)
    n = legal_actions(position, actions)
    for i in range(n):
        worth[i] = 0
    if n < 2:
        return n
    trial = Packed(rules, deck.copy(), np.empty_like(state))
    dealer = open_dealer(open_hidden(position))
    weights = np.empty(rules[k.HAND_SIZE], np.int64)
    for _ in range(options[PLAYOUTS]):
        deal_world(dealer, trial.deck, options[TURNS], own)
        for i in range(n):
            worth[i] += play_out(trial, state, options, own, actions[i], weights)
    return n


@policies.decide.register(MonteCarloPolicy)
@jit
def decide(
    policy: MonteCarloPolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    """Return the action with the best play-outs, the first of equals."""
    actions = np.empty(position.rules[k.MAX_ACTIONS], np.int64)
    worth = np.empty_like(actions)
    n, best = try_actions(policy, position, rng, actions, worth), 0
    for i in range(1, n):
        if worth[i] > worth[best]:
            best = i
    return int(actions[best])
