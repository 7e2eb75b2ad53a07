"""The search with open hands, compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.ground.compiled import RandomStream, Words, jit
from hanabi.ground.compiled.hot import jit_hot
from hanabi.ground.compiled.rng import shuffle
from hanabi.players.cheating.kernels import CheatingPolicy
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.trials import Trial, is_clear, open_trial, play_out
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import deck_left
from hanabi.rules.kernels.packed import Packed
from hanabi.solvers.draws import kernels as w
from hanabi.solvers.draws.kernels import Search, Walk, key_width, list_moves, most_moves, run

# Choosing an action with open hands, exactly at the end and by play-outs of many decks before.
#
# See :mod:`hanabi.players.open_hands`. Both parts try the moves of `hanabi.solvers.draws.kernels`,
# one of each set of equivalent moves.

# Words of `limits`: most cards left to draw for a search of the end; positions and rows of its
# transposition table; decks drawn for a decision; most consecutive turns in that search; whether
# the reductions hold; hundredths of a standard error by which a drawn gain must exceed zero.
DECK_LEFT, POSITIONS, ROWS, SAMPLES, DEPTH, IS_PLAIN, MARGIN = range(7)
_FIRST_ROUND = 16  # decks in which all moves are tried; then half of the moves get twice as many
_KEPT = 2  # moves that are tried in all decks

# What a decision found: how; then the chance of a perfect score as a fraction; or the inner
# policy's action, the gain over it in all decks together, and the number of decks.
HOW, CHANCE, OF, OWN, GAIN, DECKS, FINDINGS = range(7)
EXACTLY, IN_DECKS, AS_INNER = range(3)


class OpenPolicy(NamedTuple):
    """The policy of play-outs in drawn decks, and the rules for the search over draws."""

    inner: CheatingPolicy
    limits: Words
    dead: Words
    orders: Words


@policies.scratch_size.register(OpenPolicy)
@jit_hot
def scratch_size(policy: OpenPolicy, rules: Words) -> int:
    """Return the number of words that `decide` works with."""
    return policies.scratch_size(policy.inner, rules)


@jit
def _open_search(policy: OpenPolicy, position: Packed, rows: int) -> Search:
    """Return a search for a perfect score from a position; its deck is put in order."""
    rules, state, depth = position.rules, position.state, policy.limits[DEPTH]
    n, deck = deck_left(rules, state), position.deck.copy()
    deck[state[k.DRAWN] :] = np.sort(deck[state[k.DRAWN] :])  # never reveal the true order
    width, used = key_width(rules, n), np.zeros(w.N_USED, np.int64)
    used[w.GOAL], used[w.SEAT], used[w.MERGES] = rules[k.MAX_SCORE], -1, 1
    states = np.zeros((depth, rules[k.STATE_SIZE]), np.int64)
    states[0] = state
    walk = Walk(
        rules,
        deck,
        policy.dead,
        policy.orders,
        states,
        np.zeros((depth, w.KEY + width), np.int64),
        np.zeros((depth, most_moves(rules)), np.int64),
        np.zeros(rules[k.SEATS] * rules[k.HAND_SIZE] + n, np.int64),
        np.zeros((rows, width), np.int64),
        np.full(rows, -1, np.int64),
        used,
    )
    return Search(walk, policy.limits[IS_PLAIN] != 0)


@jit
def _best_at_the_end(policy: OpenPolicy, position: Packed, found: Words) -> int:
    """Return the action with the best chance of a perfect score, or -1 if none is found in time."""
    search = _open_search(policy, position, policy.limits[ROWS])
    walk = search.walk
    if run(search, policy.limits[POSITIONS]) != w.DONE or walk.used[w.VALUE] == 0:
        return -1
    found[HOW], found[CHANCE] = EXACTLY, walk.used[w.VALUE]
    found[OF] = walk.orders[deck_left(position.rules, position.state)]
    return int(walk.moves[0, walk.frames[0, w.CHOICE]])


@jit_hot
def _play_out(policy: OpenPolicy, trial: Trial, action: int) -> int:
    """Return the score of a play-out, doubled if it is perfect."""
    points = play_out(policy.inner, trial, action)
    return int(2 * points if points == trial.now.rules[k.MAX_SCORE] else points)


@jit
def _best_in_decks(
    policy: OpenPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
    found: Words,
) -> int:
    """Return the action with the greatest gain over the inner one, or that if no gain is clear.

    All actions are tried in the same decks.
    """
    search, most = _open_search(policy, position, 1), policy.limits[SAMPLES]
    w.begin(search.walk, 0, w.POSITION)
    list_moves(search, 0)
    n = search.walk.frames[0, w.N_MOVES]
    actions, order = search.walk.moves[0], np.arange(n)
    gains, squares = np.zeros(n, np.int64), np.zeros(n, np.int64)
    own = policies.decide(policy.inner, position, rng, memory, scratch)
    trial = open_trial(position, memory, rng, scratch)
    trial.start.deck[:] = search.walk.deck
    done, until = 0, _FIRST_ROUND
    while done < most:
        for _ in range(done, min(until, most)):
            shuffle(rng, trial.start.deck[position.state[k.DRAWN] :])
            before = _play_out(policy, trial, own)
            for place in range(n):
                gain = _play_out(policy, trial, actions[order[place]]) - before
                gains[order[place]] += gain
                squares[order[place]] += gain * gain
            done += 1
        for place in range(1, n):  # the best first
            number, to = order[place], place
            while to > 0 and gains[order[to - 1]] < gains[number]:
                order[to] = order[to - 1]
                to -= 1
            order[to] = number
        n = max(min(_KEPT, n), n // 2)
        until *= 2
    best = order[0]
    found[HOW], found[OWN], found[GAIN], found[DECKS] = IN_DECKS, own, gains[best], done
    is_better = is_clear(gains[best], squares[best], done, policy.limits[MARGIN])
    return int(actions[best] if is_better else own)


@policies.decide.register(OpenPolicy)
@jit
def decide(
    policy: OpenPolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    """Return the action of the seat to act, which sees all hands."""
    return search(policy, position, rng, memory, scratch, np.empty(FINDINGS, np.int64))


@jit
def search(
    policy: OpenPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
    found: Words,
) -> int:
    """Return the action of the seat to act, and write what the decision found."""
    n = deck_left(position.rules, position.state)
    if n <= policy.limits[DECK_LEFT]:
        action = _best_at_the_end(policy, position, found)
        if action >= 0:
            return action
    if policy.limits[SAMPLES] == 0:
        found[HOW] = AS_INNER
        return policies.decide(policy.inner, position, rng, memory, scratch)
    return _best_in_decks(policy, position, rng, memory, scratch, found)
