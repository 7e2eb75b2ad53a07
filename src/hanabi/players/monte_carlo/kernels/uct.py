"""UCT over worlds, with play-outs by the rule-based player.

Every play-out has its own world. The tree contains only actions: a node collects the results of one
sequence of actions over all worlds, so that no seat's choice can depend on cards that the seat to
act does not see (information-set search of a single observer: Cowling, Powley & Whitehouse, IEEE
TCIAIG 2012; UCT: Kocsis & Szepesvari, ECML 2006). Some actions are illegal in some worlds, so a
node's upper bound counts how often it could have been chosen.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hanabi.compiled import RandomStream, Words, jit
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import below, split
from hanabi.game import layout as k
from hanabi.game.kernels.packed import Packed
from hanabi.game.kernels.rules import score
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.games import Trial, begin, open_trial
from hanabi.players.kernels.policy import Policy, keeps_inner_memory, play_on
from hanabi.players.monte_carlo.kernels.playouts import draw_world, prepare_worlds, worlds_size
from hanabi.players.monte_carlo.kernels.rollouts import list_candidates, put_first

# Words of `options`.
PLAYOUTS, EXPLORATION, CAUTION = range(3)
UNIT = 1000  # of exploration and caution

# Words of a node. Children form a list; 0, the root, ends it.
ACTION, PARENT, CHILD, NEXT, VISITS, CHANCES, TOTAL, SQUARES, NODE = range(9)


@jit_hot
def _find_child(nodes: Words, node: int, action: int) -> int:
    """Return the child that stands for an action, or 0."""
    child = nodes[NODE * node + CHILD]
    while child and nodes[NODE * child + ACTION] != action:
        child = nodes[NODE * child + NEXT]
    return int(child)


@jit_hot
def _add_child(nodes: Words, node: int, child: int, action: int) -> None:
    at = NODE * child
    nodes[at + ACTION], nodes[at + PARENT] = action, node
    nodes[at + CHILD], nodes[at + NEXT] = 0, nodes[NODE * node + CHILD]
    nodes[at + VISITS] = nodes[at + TOTAL] = nodes[at + SQUARES] = 0
    nodes[at + CHANCES] = 1
    nodes[NODE * node + CHILD] = child


@jit_hot
def _choose_new(nodes: Words, node: int, actions: Words, n: int, rng: RandomStream) -> int:
    """Return an action to add to the tree, or -1 for none now.

    The policy's own action, the first, comes first. The others follow in random order: all of them
    at the root, elsewhere at most the square root of the number of visits.
    """
    if not _find_child(nodes, node, actions[0]):
        return int(actions[0])
    tried = 0
    for i in range(n):
        if _find_child(nodes, node, actions[i]):
            tried += 1
    if tried == n or (node and tried * tried > nodes[NODE * node + VISITS]):
        return -1
    skipped = below(rng, n - tried)
    for i in range(n):
        if not _find_child(nodes, node, actions[i]):
            if skipped == 0:
                return int(actions[i])
            skipped -= 1
    return -1


@jit_hot
def _select(width: float, nodes: Words, node: int, actions: Words, n: int) -> int:
    """Return the child of a possible action with the highest upper bound."""
    best, most = 0, -1.0
    for i in range(n):
        child = _find_child(nodes, node, actions[i])
        if not child:
            continue
        at = NODE * child
        nodes[at + CHANCES] += 1
        visits = nodes[at + VISITS]
        bound = nodes[at + TOTAL] / visits + width * math.sqrt(
            math.log(nodes[at + CHANCES]) / visits
        )
        if bound > most:
            best, most = child, bound
    return best


@jit_hot
def _variance(nodes: Words, node: int) -> float:
    """Return the variance of a node's average, adding one play-out that differs by a point."""
    visits, total = nodes[NODE * node + VISITS], nodes[NODE * node + TOTAL]
    return float((1 + nodes[NODE * node + SQUARES] - total * total / visits) / (visits * visits))


@jit_hot
def _is_better(options: Words, nodes: Words, child: int, other: int) -> bool:
    """Whether a child is clearly better than another one."""
    gain = (
        nodes[NODE * child + TOTAL] / nodes[NODE * child + VISITS]
        - nodes[NODE * other + TOTAL] / nodes[NODE * other + VISITS]
    )
    spread = math.sqrt(_variance(nodes, child) + _variance(nodes, other))
    return bool(gain * UNIT > options[CAUTION] * spread)


@keeps_inner_memory
class UctPolicy(NamedTuple):
    """The searching policy and the inner policy of its play-outs."""

    inner: Policy
    options: Words


@policies.scratch_size.register(UctPolicy)
@jit_hot
def _scratch_size(policy: UctPolicy, rules: Words) -> int:
    return worlds_size(rules) + policies.scratch_size(policy.inner, rules)


@jit_hot
def _descend(policy: UctPolicy, trial: Trial, actions: Words, nodes: Words, new: int) -> int:
    """Descend the tree until it has node `new` or the game is over; return the last node."""
    node, inner, position = 0, policy.inner, trial.now
    width = policy.options[EXPLORATION] / UNIT * position.rules[k.MAX_SCORE]
    while node != new and position.state[k.END] == k.IN_PROGRESS:
        n = list_candidates(position, actions)
        usual = policies.decide(inner, position, trial.rng, trial.learned, trial.scratch)
        n = put_first(actions, n, usual)
        action = _choose_new(nodes, node, actions, n, trial.rng)
        if action >= 0:
            _add_child(nodes, node, new, action)
            node = new
        else:
            node = _select(width, nodes, node, actions, n)
            action = nodes[NODE * node + ACTION]
        policies.advance(inner, position, trial.learned, action, trial.scratch)
    return node


@policies.decide.register(UctPolicy)
@jit
def decide(
    policy: UctPolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    """Return the action to take."""
    rules, state = position.rules, position.state
    inner, options = policy.inner, policy.options
    own, free = split(rng), scratch[worlds_size(rules) :]
    trial = open_trial(position, memory, own, free)
    actions = np.empty(rules[k.MAX_ACTIONS] + 1, np.int64)
    nodes = np.empty(NODE * (options[PLAYOUTS] + 1), np.int64)
    _add_child(nodes, 0, 0, 0)
    nodes[CHILD] = 0
    prepare_worlds(position, trial.start.deck, scratch)
    for new in range(1, options[PLAYOUTS] + 1):
        draw_world(rules, state, rules[k.DECK_SIZE], own, trial.start.deck, scratch)
        policies.resume(inner, trial.start, trial.memory, free)
        begin(trial)
        node = _descend(policy, trial, actions, nodes, new)
        play_on(inner, trial.now, own, trial.learned, free)
        points = score(rules, trial.now.state)
        while node:
            nodes[NODE * node + VISITS] += 1
            nodes[NODE * node + TOTAL] += points
            nodes[NODE * node + SQUARES] += points * points
            node = nodes[NODE * node + PARENT]
    usual = 1  # the first action added
    best, child = usual, nodes[CHILD]
    while child:
        if nodes[NODE * child + VISITS] > nodes[NODE * best + VISITS]:
            best = child
        child = nodes[NODE * child + NEXT]
    if best != usual and not _is_better(options, nodes, best, usual):
        best = usual
    return int(nodes[NODE * best + ACTION])
