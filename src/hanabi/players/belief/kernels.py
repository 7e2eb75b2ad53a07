"""Beliefs and the search over them, compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.ground.compiled import RandomStream, Words, jit
from hanabi.ground.compiled.hot import jit_hot
from hanabi.ground.compiled.rng import below, seed_stream, shuffle, split, word
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import Policy
from hanabi.players.kernels.trials import (
    HOW,
    WORLDS_TRIED,
    Worlds,
    compare_actions,
    enter,
    is_told_truly,
    open_believed,
    open_trial,
    try_action,
)
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import (
    deck_left,
    index_at,
    is_inverted,
    is_next,
    most_points,
    n_held,
)
from hanabi.rules.kernels.legal import legal_actions
from hanabi.rules.kernels.packed import Packed, card_of, is_hint, kind_of, most_turns, target_of
from hanabi.rules.kernels.rules import deal_from, first_seat
from hanabi.worlds.kernels.deals import Hidden, lay, open_hidden, sample_worlds

__all__ = ["BeliefPolicy", "search"]

# The policy that searches over beliefs. It wraps an inner policy and records the actions since the
# deal.
#
# Its memory is that of the inner policy, then one word per turn: the action taken.

# Words of `limits`: worlds per decision; tries for each; seats that search, from the first; the
# probability, in thousandths, that a searching seat departs from the inner policy; the required
# gain of an action, in hundredths of a point and of a standard error; whether actions may be
# misread; the maximum number of deals per world, each with the cards left to draw in another order;
# how often to ask a policy that decides by unknown chances.
WORLDS, TRIES, SEARCHING, SLACK, MARGIN, CAUTION, MISREAD, DEALS, ASKS = range(9)
LIMITS = 9
SLACK_UNIT = 1000


class BeliefPolicy(NamedTuple):
    """The searching policy and the inner policy of its play-outs."""

    inner: Policy
    limits: Words


@policies.memory_size.register(BeliefPolicy)
@jit_hot
def _memory_size(policy: BeliefPolicy, rules: Words) -> int:
    return int(policies.memory_size(policy.inner, rules) + most_turns(rules))


@policies.scratch_size.register(BeliefPolicy)
@jit_hot
def _scratch_size(policy: BeliefPolicy, rules: Words) -> int:
    return int(policies.scratch_size(policy.inner, rules))


@policies.start.register(BeliefPolicy)
@jit_hot
def _start(policy: BeliefPolicy, position: Packed, memory: Words, scratch: Words) -> None:
    size = policies.memory_size(policy.inner, position.rules)
    policies.start(policy.inner, position, memory[:size], scratch)
    for at in range(size, memory.size):
        memory[at] = 0


@policies.advance.register(BeliefPolicy)
@jit_hot
def _advance(
    policy: BeliefPolicy, position: Packed, memory: Words, action: int, scratch: Words
) -> None:
    size = policies.memory_size(policy.inner, position.rules)
    memory[size + position.state[k.TURN]] = action
    policies.advance(policy.inner, position, memory[:size], action, scratch)


@policies.possible.register(BeliefPolicy)
@jit_hot
def _possible(policy: BeliefPolicy, position: Packed, memory: Words, seat: int, slot: int) -> int:
    size = policies.memory_size(policy.inner, position.rules)
    return int(policies.possible(policy.inner, position, memory[:size], seat, slot))


@policies.resume.register(BeliefPolicy)
@jit_hot
def _resume(policy: BeliefPolicy, position: Packed, memory: Words, scratch: Words) -> None:
    size = policies.memory_size(policy.inner, position.rules)
    policies.resume(policy.inner, position, memory[:size], scratch)


@policies.is_shared.register(BeliefPolicy)
@jit_hot
def _is_shared(policy: BeliefPolicy, rules: Words, memory: Words) -> bool:
    size = policies.memory_size(policy.inner, rules)
    return bool(policies.is_shared(policy.inner, rules, memory[:size]))


@policies.truthful.register(BeliefPolicy)
@jit
def _truthful(
    policy: BeliefPolicy, position: Packed, memory: Words, action: int, scratch: Words
) -> bool:
    size = policies.memory_size(policy.inner, position.rules)
    return bool(policies.truthful(policy.inner, position, memory[:size], action, scratch))


@policies.advance_seen.register(BeliefPolicy)
@jit_hot
def _advance_seen(
    policy: BeliefPolicy, position: Packed, memory: Words, action: int, scratch: Words, seat: int
) -> None:
    size = policies.memory_size(policy.inner, position.rules)
    memory[size + position.state[k.TURN]] = action
    policies.advance_seen(policy.inner, position, memory[:size], action, scratch, seat)


# Drawing worlds in which the other seats would have acted as they did.
#
# Only the cards in the acting seat's hand matter here: the others have seen them, and nobody has
# seen the deck. So the game is replayed once, and every decision since the oldest of these cards
# was drawn is recomputed for each candidate hand. The rest of the deck holds the other cards in any
# order, as a memory may count them.

Weights = npt.NDArray[np.float64]

# How strictly the worlds of a decision agree with the others' decisions: every world with all
# decisions of the seats that do not search; mismatches of any seat forgiven; no worlds.
EXACT, RELAXED, NO_WORLDS = range(3)
_RELAXED_SLACK = 100  # least weight, in thousandths, of a mismatch then
_DOUBT = 100  # thousandths of worlds drawn by hints alone, if partners may mislead
_ROUNDS = 4  # of draws, until the weights are about equal
_CHANCES = 1 << 53


class Past(NamedTuple):
    """The other seats' decisions that the acting seat's present cards may have influenced.

    Attributes
    ----------
    now
        Rules, the deck of a world, and a free state.
    learned
        Scratch space for the memory.
    states, memories
        The position and the inner policy's memory at each decision, one row per decision.
    actions
        The actions taken.
    slack
        Probability, in thousandths, that a seat departs from the inner policy: one row per stage,
        one column per decision.
    order
        Rows in the order in which they are checked: the decision that ruled out the latest world
        comes first.
    asks
        How often to ask for a decision by unknown chances.
    """

    now: Packed
    learned: Words
    states: Words
    memories: Words
    actions: Words
    slack: Words
    order: Words
    asks: int


@jit
def open_past(
    policy: BeliefPolicy,
    position: Packed,
    world: Words,
    memory: Words,
    scratch: Words,
    is_whole: bool,
) -> Past:
    """Replay the game with the deck `world`, and return the decisions to check.

    Memories are the same in all worlds after `resume`, and so are positions apart from the hidden
    cards. If `is_whole`, all decisions of the others are returned.
    """
    rules, state, inner = position.rules, position.state, policy.inner
    size, seat, oldest = policies.memory_size(inner, rules), state[k.SEAT], rules[k.DECK_SIZE]
    history = memory[size : size + state[k.TURN]]
    if is_whole:
        oldest = 0
    elif rules[k.OPEN_HANDS] == 0:
        for slot in range(n_held(rules, state, seat)):
            oldest = min(oldest, index_at(rules, state, seat * rules[k.HAND_SIZE] + slot))
    now, learned = Packed(rules, world, np.empty_like(state)), np.empty(size, np.int64)
    states, memories = (
        np.empty((history.size, state.size), np.int64),
        np.empty((history.size, size), np.int64),
    )
    actions, n = np.empty(history.size, np.int64), 0
    slack = np.empty((NO_WORLDS, history.size), np.int64)
    deal_from(now, first_seat(rules, state))
    policies.start(inner, now, learned, scratch)
    for turn in range(history.size):
        if now.state[k.SEAT] != seat and now.state[k.DRAWN] > oldest:
            states[n], memories[n], actions[n] = now.state, learned, history[turn]
            searches = now.state[k.SEAT] < policy.limits[SEARCHING]
            slack[EXACT, n] = policy.limits[SLACK] if searches else 0
            slack[RELAXED, n] = max(slack[EXACT, n], _RELAXED_SLACK)
            n += 1
        policies.advance(inner, now, learned, history[turn], scratch)
    order = np.arange(n)[::-1].copy()
    asks = policy.limits[ASKS]
    return Past(now, learned, states[:n], memories[:n], actions[:n], slack[:, :n], order, asks)


@jit_hot
def _recall(policy: BeliefPolicy, past: Past, row: int, scratch: Words) -> None:
    """Return to a decision in the world that is in the deck; another one may have spoilt it."""
    state, learned = past.now.state, past.learned
    for index in range(state.size):
        state[index] = past.states[row, index]
    for index in range(learned.size):
        learned[index] = past.memories[row, index]
    policies.resume(policy.inner, past.now, learned, scratch)


@jit
def chance_of(
    policy: BeliefPolicy, past: Past, row: int, rng: RandomStream, scratch: Words
) -> float:
    """Return the probability of a decision in the world that is in the deck.

    If the policy does not know it and draws random numbers, it is asked repeatedly. The estimate is
    that of one more ask, to which each legal action is an equal part of the answer.
    """
    now, learned, action = past.now, past.learned, past.actions[row]
    _recall(policy, past, row, scratch)
    known = policies.chance(policy.inner, now, rng, learned, scratch, action)
    if known != policies.UNKNOWN:
        return float(known)
    before, hits = rng[0], 0
    for ask in range(past.asks):
        if ask > 0:
            _recall(policy, past, row, scratch)
        hits += policies.decide(policy.inner, now, rng, learned, scratch) == action
        if rng[0] == before or past.asks == 1:
            return float(hits)
    legal = np.empty(now.rules[k.MAX_ACTIONS], np.int64)
    _recall(policy, past, row, scratch)
    return float((hits + 1 / legal_actions(now, legal)) / (past.asks + 1))


@jit
def weigh_world(
    policy: BeliefPolicy,
    past: Past,
    stage: int,
    floor: float,
    rng: RandomStream,
    scratch: Words,
) -> float:
    """Return the likelihood of the others' decisions if the deck of `past` was dealt.

    A decision by the inner policy counts with its probability; `past.slack`, in thousandths, is the
    part of its improbability that is forgiven. A world that falls below `floor` is dropped or kept
    with weight `floor`, at random so that its expected weight is unchanged.
    """
    weight = 1.0
    for number in range(past.order.size):
        row = past.order[number]
        forgiven = past.slack[stage, row] / SLACK_UNIT
        if forgiven == 1:
            continue
        likely = chance_of(policy, past, row, rng, scratch)
        if likely == 1:
            continue
        weight *= forgiven + (1 - forgiven) * likely
        if weight < floor or weight == 0:
            if weight == 0 or below(rng, _CHANCES) >= weight / floor * _CHANCES:
                for later in range(number, 0, -1):
                    past.order[later] = past.order[later - 1]
                past.order[0] = row
                return 0.0
            weight = floor
    return weight


@jit
def resample(worlds: Words, weights: Weights, masked: int, rng: RandomStream) -> None:
    """Replace weighted worlds with equally weighted ones (systematic resampling).

    Their order is random. The cards still to be drawn are dealt anew.
    """
    n, drawn, total = weights.size, worlds[: weights.size].copy(), weights.sum()
    if weights.min() == weights.max():
        return
    offset = below(rng, _CHANCES) / _CHANCES
    order, source, reached = np.arange(n), 0, weights[0]
    shuffle(rng, order)
    for number in range(n):
        while source < n - 1 and reached * n <= (number + offset) * total:
            source += 1
            reached += weights[source]
        worlds[order[number]] = drawn[source]
        shuffle(rng, worlds[order[number], masked:])


@jit
def draw_beliefs(
    policy: BeliefPolicy,
    position: Packed,
    memory: Words,
    hidden: Hidden,
    rng: RandomStream,
    scratch: Words,
    worlds: Words,
) -> tuple[int, int]:
    """Fill `worlds`, and return their number and their strictness.

    If the tries yield less than a quarter of them, the next stage has to yield that quarter.
    `hidden` is what the seat does not see by the policy's conventions.
    """
    limits, hinted, places, doubt = policy.limits, open_hidden(position), hidden.places, 0
    if limits[MISREAD] != 0 and limits[SEARCHING] > 1:
        doubt = _DOUBT
    if sample_worlds(hidden, rng, worlds[:1]) == 0:
        doubt = SLACK_UNIT
        if sample_worlds(hinted, rng, worlds[:1]) == 0:
            return 0, NO_WORLDS
    deck = position.deck.copy()
    lay(places, worlds[0], deck)
    past = open_past(policy, position, deck, memory, scratch, False)
    weights = np.empty(worlds.shape[0], np.float64)
    wanted, floor, stage, number = worlds.shape[0], 0.0, EXACT, 0
    quarter = (wanted + 3) // 4
    while stage < NO_WORLDS:
        n, tries = 0, limits[TRIES] * worlds.shape[0]
        while n < wanted and tries > 0:
            tries -= 1
            fitting = hinted if doubt > 0 and below(rng, SLACK_UNIT) < doubt else hidden
            if sample_worlds(fitting, rng, worlds[n : n + 1]) == 0:
                break
            lay(places, worlds[n], deck)
            weights[n] = weigh_world(policy, past, stage, floor, rng, scratch)
            n += weights[n] > 0
        number += 1
        if n < quarter:
            stage, wanted, floor, number = stage + 1, quarter, 0.0, 0
            continue
        total, squares = weights[:n].sum(), (weights[:n] ** 2).sum()
        if total * total >= 0.5 * n * squares or number == _ROUNDS:
            resample(worlds, weights[:n], hidden.fits.shape[0], rng)
            return n, stage
        floor = max(squares / total, 2 * floor)  # the average weight of the worlds to come
    return 0, NO_WORLDS


@jit
def deal_again(worlds: Words, n: int, masked: int, row: int, seed: np.uint64) -> None:
    """Write row `row` of `worlds`: the hand of row `row` - `n`, with the rest dealt anew.

    The order of the rest follows from `seed` and `row`.
    """
    rng = np.empty(1, np.uint64)
    seed_stream(rng, seed, np.uint64(row))
    worlds[row] = worlds[row - n]
    shuffle(rng, worlds[row, masked:])


# Choosing an action by playing on in believable worlds; see :mod:`hanabi.players.belief`.
#
# All actions are tried in the same worlds, at first in few. Each time the number of worlds doubles,
# actions are dropped that are unlikely to beat the best one or to gain enough over the inner
# policy's own. This is a race (Maron & Moore, NIPS 1993) of paired differences with stochastic
# curtailment, as in medical trials: it asks where the mean over all worlds can still end.

_FIRST = 40  # worlds before any action is dropped
_CLEAR = 2.0  # standard errors by which the worlds to come may differ from those tried


@jit
def _may_bomb(policy: BeliefPolicy, worlds: Worlds, action: int) -> bool:
    """Whether an action may, by hints and conventions, cost the last life and so all points.

    A card may be playable in all believed worlds and still be unplayable, because others search,
    too. Playing a card of an inverted suit discards it, and discarding it plays it.
    """
    trial, kind, is_sure = worlds.trial, kind_of(action), False
    rules, state = trial.start.rules, trial.start.state
    if state[k.LIVES] > 1 or rules[k.BOMBED_SCORES_ZERO] == 0 or rules[k.OPEN_HANDS] != 0:
        return False
    is_play, is_of_hand = kind == k.PLAY or kind == k.PLAY_DECK, kind == k.PLAY or kind == k.DISCARD
    if not is_play and (is_hint(action) or rules[k.INVERTED] == 0):
        return False
    cards = -1  # all of them
    if is_of_hand:
        enter(policy.inner, worlds, 0)
        cards = policies.possible(
            policy.inner, trial.start, trial.memory, state[k.SEAT], target_of(action)
        )
    for code in worlds.cards[0]:  # all cards that the seat does not see
        if cards >> card_of(rules, code) & 1:
            if is_play != is_inverted(rules, code) and not is_next(rules, state, code):
                return True
            is_sure = True
    return not is_sure


@jit
def may_try(policy: BeliefPolicy, worlds: Worlds, action: int) -> bool:
    """Whether an action is neither a risk of the last life nor misread."""
    return not _may_bomb(policy, worlds, action) and (
        policy.limits[MISREAD] != 0 or is_told_truly(policy.inner, worlds, action)
    )


@jit
def _others(policy: BeliefPolicy, worlds: Worlds, actions: Words) -> int:
    """Write the actions to try after the policy's own, and return their number.

    `actions` begins with the policy's own.
    """
    n, legal = 1, np.empty_like(actions)
    for index in range(legal_actions(worlds.trial.start, legal)):
        if legal[index] != actions[0] and may_try(policy, worlds, legal[index]):
            actions[n] = legal[index]
            n += 1
    return n


@jit_hot
def _prospects(
    one: Words, other: Words, n_worlds: int, needed: float, caution: float
) -> tuple[float, float]:
    """Return bounds on how far one action's gain over another will exceed the required gain.

    `one` and `other` hold the scores of the worlds tried so far, out of `n_worlds`. The bounds are
    for the mean of all worlds, times the number tried. The required gain is the larger of `needed`,
    in hundredths of a point, and `caution`, in hundredths of a standard error. One more difference
    of a point is added to the squares, since differences may exist that no world has shown yet.
    """
    tried, gain, squares = one.size, 0, 1
    for world in range(tried):
        difference = one[world] - other[world]
        gain += difference
        squares += difference * difference
    spread, share = squares - gain * gain / tried, tried / n_worlds
    surplus = gain - max(needed * tried, caution * np.sqrt(spread * share)) / 100
    to_come = _CLEAR * np.sqrt(spread * (1 - share))
    return float(surplus - to_come), float(surplus + to_come)


@jit
def _drop_worse(
    actions: Words, values: Words, n: int, tried: int, needed: float, caution: float
) -> int:
    """Keep the policy's own action, the first, and all that may be best; return their number."""
    leader, n_worlds = 0, values.shape[1]
    for index in range(1, n):
        if values[index, :tried].sum() > values[leader, :tried].sum():
            leader = index
    own, best, kept = values[0, :tried], values[leader, :tried].copy(), 1
    for index in range(1, n):
        row = values[index, :tried]
        is_open = _prospects(row, own, n_worlds, needed, caution)[1] >= 0
        if is_open and (index == leader or _prospects(row, best, n_worlds, 0.0, 0.0)[1] >= 0):
            actions[kept] = actions[index]
            values[kept, :tried] = row
            kept += 1
    return kept


@jit
def _race(
    policy: BeliefPolicy, worlds: Worlds, actions: Words, n: int, n_hands: int, masked: int
) -> int:
    """Return the best of some actions, or the first if none is better by the margins.

    The first `n_hands` worlds are given; the others are dealt when they are needed. The margin is
    proportional to the cards left to draw: the fewer there are, the fewer later decisions build on
    the meaning of this one.
    """
    limits, size, trial = policy.limits, worlds.cards.shape[0], worlds.trial
    highest = np.full(size, most_points(trial.start.rules, trial.start.state))
    needed = max(
        limits[MARGIN] * (worlds.places.size - masked) / trial.start.rules[k.DECK_SIZE], 1.0
    )
    caution = float(limits[CAUTION])
    values, tried, target = np.empty((n, size), np.int64), 0, min(size, _FIRST)
    while True:
        for row in range(max(tried, n_hands), target):
            deal_again(worlds.cards, n_hands, masked, row, worlds.seed)
        for index in range(n):
            for world in range(tried, target):
                values[index, world] = try_action(policy.inner, worlds, world, actions[index])
            own = values[0, :target]
            if index == 0 and _prospects(highest[:target], own, size, needed, 0.0)[1] < 0:
                return int(actions[0])  # no action can gain that much
        tried, target = target, min(size, 2 * target)
        n = _drop_worse(actions, values, n, tried, needed, caution)
        if n == 1:
            return int(actions[0])
        best = values[1, :tried]
        if n == 2 and _prospects(best, values[0, :tried], size, needed, caution)[0] >= 0:
            return int(actions[1])
        if tried == size:
            return int(actions[1])


@jit
def choose(policy: BeliefPolicy, worlds: Worlds, own: int, n_hands: int) -> int:
    """Return an action that is better in the worlds by the margins, or the policy's own.

    The first `n_hands` worlds are given; there is room for the others.
    """
    start = worlds.trial.start
    actions = np.empty(start.rules[k.MAX_ACTIONS], np.int64)
    actions[0] = own
    n = _others(policy, worlds, actions)
    masked = worlds.places.size - deck_left(start.rules, start.state)
    return _race(policy, worlds, actions, n, n_hands, masked) if n > 1 else own


@jit
def open_beliefs(
    policy: BeliefPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
    deals: int,
) -> tuple[Worlds, int]:
    """Return the believed worlds, with room to deal each `deals` times, and their strictness."""
    own_rng, n_worlds = split(rng), policy.limits[WORLDS]
    seed, hidden = word(own_rng), open_believed(policy, position, memory)
    cards = np.empty((deals * n_worlds, hidden.cards.size), np.int64)
    n_hands, agreement = draw_beliefs(
        policy, position, memory, hidden, own_rng, scratch, cards[:n_worlds]
    )
    learned = memory[: policies.memory_size(policy.inner, position.rules)]
    trial = open_trial(position, learned, np.empty(1, np.uint64), scratch)
    return Worlds(trial, hidden.places, cards[: deals * n_hands], True, seed), agreement


@jit
def compare(
    policy: BeliefPolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
    action: int,
    found: Words,
) -> int:
    """Return the policy's own action, and write what the worlds say about another one.

    `found` is as in `compare_actions`; how the worlds were found is their strictness.
    """
    learned = memory[: policies.memory_size(policy.inner, position.rules)]
    own = policies.decide(policy.inner, position, rng, learned, scratch)
    found[WORLDS_TRIED] = 0
    if position.state[k.SEAT] < policy.limits[SEARCHING]:
        worlds, found[HOW] = open_beliefs(policy, position, rng, memory, scratch, 1)
        is_open = worlds.cards.shape[0] > 0 and may_try(policy, worlds, action)
        compare_actions(policy.inner, worlds, own, action, is_open, found)
    return int(own)


@policies.decide.register(BeliefPolicy)
@jit
def search(
    policy: BeliefPolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    """Return the choice among believed worlds, or the policy's own action if it does not search."""
    rules, state, limits = position.rules, position.state, policy.limits
    learned = memory[: policies.memory_size(policy.inner, rules)]
    own = policies.decide(policy.inner, position, rng, learned, scratch)
    if state[k.SEAT] >= limits[SEARCHING]:
        return own
    n_left = deck_left(rules, state)
    deals = limits[DEALS] if n_left > 1 else 1
    worlds, _ = open_beliefs(policy, position, rng, memory, scratch, deals)
    n_hands = worlds.cards.shape[0] // deals
    if n_hands == 0:
        return own
    return choose(policy, worlds, own, n_hands)
