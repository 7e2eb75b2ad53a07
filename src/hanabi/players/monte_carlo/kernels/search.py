"""Searches by play-outs to the end of the game: sequential halving, and UCT.

Both try actions in worlds, play on by an inner policy such as the rule-based one, and depart from
its own action only for one that is clearly better.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from hanabi.ground.compiled import RandomStream, Words, jit
from hanabi.ground.compiled.hot import jit_hot
from hanabi.ground.compiled.rng import below, split
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import Policy, keeps_inner_memory, play_on
from hanabi.players.kernels.trials import Trial, begin, open_trial, play_out
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import known_at, n_held
from hanabi.rules.kernels.legal import legal_actions
from hanabi.rules.kernels.packed import Packed, clue_bit, kind_of, target_of, value_of
from hanabi.rules.kernels.rules import score
from hanabi.worlds.kernels.deals import deal_world, open_dealer, open_hidden

UNIT = 1000  # of caution and exploration


@jit_hot
def _tells_nothing(rules: Words, state: Words, action: int) -> bool:
    """Whether the hint adds nothing to what is known of any card."""
    seat = target_of(action)
    bit = clue_bit(kind_of(action), value_of(action))
    half = k.COLOR_BITS if kind_of(action) == k.HINT_COLOR else ~k.COLOR_BITS
    first = seat * rules[k.HAND_SIZE]
    for place in range(first, first + n_held(rules, state, seat)):
        known = known_at(rules, state, place)
        if known & bit and known & half != bit:
            return False
    return True


@jit_hot
def list_candidates(position: Packed, actions: Words) -> int:
    """Write the legal actions worth trying to `actions`, and return their number.

    Unless hands are open, slots with the same knowledge have the same prospects, so one of them is
    enough. So is one of the hints that add nothing.
    """
    rules, state = position.rules, position.state
    n, kept, is_told = legal_actions(position, actions), 0, False
    first = state[k.SEAT] * rules[k.HAND_SIZE]
    for i in range(n):
        action, is_new = actions[i], True
        kind, slot = kind_of(action), target_of(action)
        if kind == k.PLAY or kind == k.DISCARD:
            for other in range(0 if rules[k.OPEN_HANDS] else slot):
                if known_at(rules, state, first + other) == known_at(rules, state, first + slot):
                    is_new = False
        elif (kind == k.HINT_COLOR or kind == k.HINT_RANK) and _tells_nothing(rules, state, action):
            is_new, is_told = not is_told, True
        if is_new:
            actions[kept] = action
            kept += 1
    return kept


@jit_hot
def put_first(actions: Words, n: int, action: int) -> int:
    """Put an action first, adding it if it is new, and return the number of actions."""
    for i in range(n):
        if actions[i] == action:
            actions[i], actions[0] = actions[0], action
            return n
    actions[n], actions[0] = actions[0], action
    return n + 1


# Sequential halving.
#
# All actions are tried in the same worlds, so that the luck of the deal favours none. The worse
# half is dropped each time a share of the play-outs is spent (Karnin, Koren & Somekh, ICML 2013).
# The inner policy's own action is never dropped.


@keeps_inner_memory
class RolloutsPolicy(NamedTuple):
    """The search by sequential halving.

    Attributes
    ----------
    inner
        The policy of the play-outs.
    playouts
        Their approximate number per decision.
    caution
        The required gain over the inner policy's action, in units of 1 / `UNIT` standard errors.
    """

    inner: Policy
    playouts: int
    caution: int


class Contest(NamedTuple):
    """Actions in the worlds tried, and their gains over the first: sums, and sums of squares."""

    actions: Words
    worlds: Words
    gains: Words
    squares: Words


@jit_hot
def _sort(contest: Contest, n: int) -> None:
    """Sort the actions after the first by their gains, the best first."""
    actions, _, gains, squares = contest
    for i in range(2, n):
        action, gain, square, j = actions[i], gains[i], squares[i], i
        while j > 1 and gains[j - 1] < gain:
            actions[j], gains[j], squares[j] = actions[j - 1], gains[j - 1], squares[j - 1]
            j -= 1
        actions[j], gains[j], squares[j] = action, gain, square


@jit_hot
def _try_all(inner: Policy, trial: Trial, contest: Contest, n: int) -> None:
    """Try the actions in a world, and add up their gains over the first."""
    points = 0
    for i in range(n):
        gain = play_out(inner, trial, contest.actions[i]) - points
        if i == 0:
            points, gain = gain, 0
        contest.worlds[i] += 1
        contest.gains[i] += gain
        contest.squares[i] += gain * gain


@jit_hot
def _count_rounds(n: int) -> int:
    """Return how often `n` actions can be halved until one is left."""
    rounds = 0
    while 1 << rounds < n:
        rounds += 1
    return rounds


@jit
def hold_contest(
    policy: RolloutsPolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> Contest:
    """Try the actions, and return them: the inner policy's own, then the others, the best first.

    An action that was dropped has fewer worlds than those before it.
    """
    rules, inner, own = position.rules, policy.inner, split(rng)
    trial = open_trial(position, memory, own, scratch)
    most = rules[k.MAX_ACTIONS] + 1
    zeros = np.zeros(most, np.int64)
    contest = Contest(np.empty(most, np.int64), zeros, zeros.copy(), zeros.copy())
    usual = policies.decide(inner, position, own, memory, scratch)
    n = put_first(contest.actions, list_candidates(position, contest.actions), usual)
    tried, rounds, dealer = n, _count_rounds(n), open_dealer(open_hidden(position))
    for _ in range(rounds):
        for _ in range(max(policy.playouts // (rounds * n), 1)):
            deal_world(dealer, trial.start.deck, rules[k.DECK_SIZE], own)
            policies.resume(inner, trial.start, trial.memory, scratch)
            _try_all(inner, trial, contest, n)
        _sort(contest, n)
        n = max((n + 1) // 2, 2)
    return Contest(
        contest.actions[:tried],
        contest.worlds[:tried],
        contest.gains[:tried],
        contest.squares[:tried],
    )


@policies.decide.register(RolloutsPolicy)
@jit
def _decide_by_halving(
    policy: RolloutsPolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    actions, worlds, gains, squares = hold_contest(policy, position, rng, memory, scratch)
    if actions.size < 2:
        return int(actions[0])
    # In few deals all differences can be equal, so count one more that differs by a point.
    spread = math.sqrt(1 + squares[1] - gains[1] * gains[1] / worlds[1])
    return int(actions[1] if gains[1] * UNIT > policy.caution * spread else actions[0])


# UCT.
#
# Every play-out has its own world. The tree contains only actions: a node collects the results of
# one sequence of actions over all worlds, so that no seat's choice can depend on cards that the
# seat to act does not see (information-set search of a single observer: Cowling, Powley &
# Whitehouse, IEEE TCIAIG 2012; UCT: Kocsis & Szepesvari, ECML 2006). Some actions are illegal in
# some worlds, so a node's upper bound counts how often it could have been chosen.

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
def _is_better(caution: int, nodes: Words, child: int, other: int) -> bool:
    """Whether a child is clearly better than another one."""
    gain = (
        nodes[NODE * child + TOTAL] / nodes[NODE * child + VISITS]
        - nodes[NODE * other + TOTAL] / nodes[NODE * other + VISITS]
    )
    spread = math.sqrt(_variance(nodes, child) + _variance(nodes, other))
    return bool(gain * UNIT > caution * spread)


@keeps_inner_memory
class UctPolicy(NamedTuple):
    """The search by UCT.

    Attributes
    ----------
    inner
        The policy of the play-outs.
    playouts
        Their number per decision.
    exploration
        The factor of the upper bounds' width, in units of 1 / `UNIT` of the highest score.
    caution
        The required gain over the inner policy's action, in units of 1 / `UNIT` standard errors.
    """

    inner: Policy
    playouts: int
    exploration: int
    caution: int


@jit_hot
def _descend(policy: UctPolicy, trial: Trial, actions: Words, nodes: Words, new: int) -> int:
    """Descend the tree until it has node `new` or the game is over; return the last node."""
    node, inner, position = 0, policy.inner, trial.now
    width = policy.exploration / UNIT * position.rules[k.MAX_SCORE]
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


@jit
def grow_tree(
    policy: UctPolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> Words:
    """Return the nodes of a tree after all play-outs: the root, then the inner policy's action."""
    rules, inner, own = position.rules, policy.inner, split(rng)
    trial = open_trial(position, memory, own, scratch)
    actions = np.empty(rules[k.MAX_ACTIONS] + 1, np.int64)
    nodes = np.empty(NODE * (policy.playouts + 1), np.int64)
    _add_child(nodes, 0, 0, 0)
    nodes[CHILD] = 0
    dealer = open_dealer(open_hidden(position))
    for new in range(1, policy.playouts + 1):
        deal_world(dealer, trial.start.deck, rules[k.DECK_SIZE], own)
        policies.resume(inner, trial.start, trial.memory, scratch)
        begin(trial)
        node = _descend(policy, trial, actions, nodes, new)
        play_on(inner, trial.now, own, trial.learned, scratch)
        points = score(rules, trial.now.state)
        while node:
            nodes[NODE * node + VISITS] += 1
            nodes[NODE * node + TOTAL] += points
            nodes[NODE * node + SQUARES] += points * points
            node = nodes[NODE * node + PARENT]
    return nodes


@policies.decide.register(UctPolicy)
@jit
def _decide_by_tree(
    policy: UctPolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    nodes = grow_tree(policy, position, rng, memory, scratch)
    usual = 1  # the first action added
    best, child = usual, nodes[CHILD]
    while child:
        if nodes[NODE * child + VISITS] > nodes[NODE * best + VISITS]:
            best = child
        child = nodes[NODE * child + NEXT]
    if best != usual and not _is_better(policy.caution, nodes, best, usual):
        best = usual
    return int(nodes[NODE * best + ACTION])
