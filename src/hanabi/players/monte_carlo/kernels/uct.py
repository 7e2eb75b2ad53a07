"""UCT over worlds, with play-outs by the rule-based player.

Every play-out has a world of its own. The tree is of actions alone: a node gathers what all worlds
say of the same sequence of actions, so that no seat's choice can depend on cards that the seat to
act does not see (information-set search of a single observer: Cowling, Powley & Whitehouse, IEEE
TCIAIG 2012; UCT: Kocsis & Szepesvari, ECML 2006). Actions can be missing in some worlds, so a
node's upper bound counts how often it could have been chosen.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.lean import jit_lean
from hanabi.compiled.rng import below, seed_stream, word
from hanabi.game.kernels.deals import start_deal
from hanabi.game.kernels.rules import (
    BOMBED,
    DECK_SIZE,
    END,
    IN_PROGRESS,
    MAX_ACTIONS,
    MAX_SCORE,
    POINTS,
    STATE_SIZE,
)
from hanabi.players.monte_carlo.kernels.rollouts import list_candidates, play_on, put_first
from hanabi.players.monte_carlo.kernels.worlds import draw_world, prepare_worlds, worlds_size
from hanabi.players.rule_based.kernels import policy

__all__ = ["choose", "play_games", "room_size"]

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]

# Words of `options`; those of the policy follow.
PLAYOUTS, EXPLORATION, CAUTION, OPEN_HANDS, POLICY = range(5)
UNIT = 1000  # of exploration and caution

# Words of a node. Children form a list; 0, the root, ends it.
ACTION, PARENT, CHILD, NEXT, VISITS, CHANCES, TOTAL, SQUARES, NODE = range(9)


@jit_lean
def _find_child(nodes: Words, node: int, action: int) -> int:
    """Return the child that stands for an action, or 0."""
    child = nodes[NODE * node + CHILD]
    while child and nodes[NODE * child + ACTION] != action:
        child = nodes[NODE * child + NEXT]
    return int(child)


@jit_lean
def _add_child(nodes: Words, node: int, child: int, action: int) -> None:
    at = NODE * child
    nodes[at + ACTION], nodes[at + PARENT] = action, node
    nodes[at + CHILD], nodes[at + NEXT] = 0, nodes[NODE * node + CHILD]
    nodes[at + VISITS] = nodes[at + TOTAL] = nodes[at + SQUARES] = 0
    nodes[at + CHANCES] = 1
    nodes[NODE * node + CHILD] = child


@jit_lean
def _choose_new(nodes: Words, node: int, actions: Words, n: int, stream: RandomStream) -> int:
    """Return an action to add to the tree, or -1 for none now.

    What the policy would do, the first, comes first. The others come in random order: all of them
    at the root, elsewhere no more than the square root of the number of visits.
    """
    if not _find_child(nodes, node, actions[0]):
        return int(actions[0])
    tried = 0
    for i in range(n):
        if _find_child(nodes, node, actions[i]):
            tried += 1
    if tried == n or (node and tried * tried > nodes[NODE * node + VISITS]):
        return -1
    skipped = below(stream, n - tried)
    for i in range(n):
        if not _find_child(nodes, node, actions[i]):
            if skipped == 0:
                return int(actions[i])
            skipped -= 1
    return -1


@jit_lean
def _select(rules: Words, options: Words, nodes: Words, node: int, actions: Words, n: int) -> int:
    """Return the child of a possible action with the highest upper bound."""
    best, most = 0, -1.0
    width = options[EXPLORATION] / UNIT * rules[MAX_SCORE]
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


@jit_lean
def _variance(nodes: Words, node: int) -> float:
    """Return the variance of a node's average, from one more play-out that differs by a point."""
    visits, total = nodes[NODE * node + VISITS], nodes[NODE * node + TOTAL]
    return float((1 + nodes[NODE * node + SQUARES] - total * total / visits) / (visits * visits))


@jit_lean
def _is_better(options: Words, nodes: Words, child: int, other: int) -> bool:
    """Whether a child is better than another one beyond doubt."""
    gain = (
        nodes[NODE * child + TOTAL] / nodes[NODE * child + VISITS]
        - nodes[NODE * other + TOTAL] / nodes[NODE * other + VISITS]
    )
    spread = math.sqrt(_variance(nodes, child) + _variance(nodes, other))
    return bool(gain * UNIT > options[CAUTION] * spread)


@jit_lean
def _descend(
    rules: Words,
    world: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    memory: Words,
    room: Words,
    actions: Words,
    nodes: Words,
    new: int,
) -> int:
    """Go down the tree until it has node `new`, or the game is over; return the last node."""
    node, playing, is_open = 0, options[POLICY:], options[OPEN_HANDS] != 0
    while node != new and state[END] == IN_PROGRESS:
        n = list_candidates(rules, world, state, is_open, actions)
        usual = policy.decide(rules, world, state, playing, stream, memory, room)
        n = put_first(actions, n, usual)
        action = _choose_new(nodes, node, actions, n, stream)
        if action >= 0:
            _add_child(nodes, node, new, action)
            node = new
        else:
            node = _select(rules, options, nodes, node, actions, n)
            action = nodes[NODE * node + ACTION]
        policy.advance(rules, world, state, playing, memory, action, room)
    return node


@jit
def room_size(rules: Words, options: Words) -> int:
    """Return the number of words that `choose` works with."""
    return int(
        worlds_size(rules)
        + rules[DECK_SIZE]
        + rules[STATE_SIZE]
        + policy.memory_size(rules)
        + rules[MAX_ACTIONS]
        + 1
        + NODE * (options[PLAYOUTS] + 1)
        + policy.room_size(rules)
    )


@jit
def choose(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    memory: Words,
    room: Words,
) -> int:
    """Return the action to take. The stream is the decision's own, `memory` the policy's."""
    memory_size, tree = policy.memory_size(rules), NODE * (options[PLAYOUTS] + 1)
    size = worlds_size(rules)
    world, size = room[size : size + rules[DECK_SIZE]], size + rules[DECK_SIZE]
    future, size = room[size : size + rules[STATE_SIZE]], size + rules[STATE_SIZE]
    trial, size = room[size : size + memory_size], size + memory_size
    most = rules[MAX_ACTIONS] + 1
    actions, size = room[size : size + most], size + most
    nodes, size = room[size : size + tree], size + tree
    own, playing = room[size:], options[POLICY:]
    _add_child(nodes, 0, 0, 0)
    nodes[CHILD] = 0
    prepare_worlds(rules, deck, state, options[OPEN_HANDS] != 0, world, room)
    for new in range(1, options[PLAYOUTS] + 1):
        draw_world(rules, state, rules[DECK_SIZE], stream, world, room)
        for index in range(memory_size):
            trial[index] = memory[index]
        policy.resume(rules, world, state, playing, trial, own)
        for index in range(rules[STATE_SIZE]):
            future[index] = state[index]
        node = _descend(rules, world, future, options, stream, trial, own, actions, nodes, new)
        points = play_on(rules, world, future, playing, stream, trial, own)
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


@jit
def play_games(
    rules: Words,
    cards: Words,
    options: Words,
    seeds: npt.NDArray[np.uint64],
    first: int,
    outcomes: Words,
) -> None:
    """Play deals to the end, and write an outcome each; see `hanabi.players.protocol`."""
    stream, own = np.empty(1, np.uint64), np.empty(1, np.uint64)
    state = np.empty(rules[STATE_SIZE], np.int64)
    memory = np.empty(policy.memory_size(rules), np.int64)
    room = np.empty(room_size(rules, options), np.int64)
    deck, playing = np.empty(cards.size, np.int64), options[POLICY:]
    for game in range(outcomes.size):
        start_deal(rules, cards, seeds, first + game, deck, state, stream)
        policy.start(rules, deck, state, playing, memory, room)
        while state[END] == IN_PROGRESS:
            seed_stream(own, word(stream), np.uint64(0))
            action = choose(rules, deck, state, options, own, memory, room)
            policy.advance(rules, deck, state, playing, memory, action, room)
        outcomes[game] = state[POINTS] << 1 | (1 if state[END] == BOMBED else 0)
