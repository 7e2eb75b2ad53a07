"""The search over all determinizations (possible deals), compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.compiled import RandomStream, Words, jit
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import below, seed_stream, split, word
from hanabi.game import layout as k
from hanabi.game.kernels.facts import deck_left, index_at, most_points, n_held
from hanabi.game.kernels.legal import legal_actions
from hanabi.game.kernels.packed import Packed, card_code, card_of
from hanabi.game.kernels.rules import score
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.games import Trial, begin, open_trial
from hanabi.players.kernels.policy import Policy, keeps_inner_memory, play_on

# The worlds in which a position is continued, and statistics of their results.


class Worlds(NamedTuple):
    """The worlds of a decision, each an arrangement of the hidden cards, and a trial.

    Attributes
    ----------
    trial
        The trial of the position.
    places
        The deck indices of the hidden cards.
    cards
        Their codes, one world per row.
    is_sample
        Whether more worlds than these exist.
    seed
        World `w` draws its decisions from the stream of `seed` and `w`, whichever action is tried.
    """

    trial: Trial
    places: Words
    cards: Words
    is_sample: bool
    seed: np.uint64


@jit_hot
def enter(worlds: Worlds, world: int) -> None:
    """Put the hidden cards of a world into the deck of the trial, and start its random stream."""
    deck = worlds.trial.start.deck
    for index in range(worlds.places.size):
        deck[worlds.places[index]] = worlds.cards[world, index]
    seed_stream(worlds.trial.rng, worlds.seed, np.uint64(world))


@jit_hot
def is_clear(gain: int, squares: int, n_worlds: int, margin: int) -> bool:
    """Whether a sum of differences exceeds 0 by a number of hundredths of its standard error."""
    spread = n_worlds * squares - gain * gain
    return gain > 0 and 1e4 * n_worlds * gain * gain >= float(margin * margin) * spread


@jit
def sort_by_shortfall(values: Words, most: int, order: Words) -> None:
    """Order the worlds by the possible gain, the greatest first."""
    n = 0
    for value in range(values.min(), most + 1):
        for world in range(values.size):
            if values[world] == value:
                order[n] = world
                n += 1


# The deals that one seat cannot tell apart: all of them, or a uniform sample.
#
# A world is a row of card codes, one for each hidden place of the deck: the seat's own cards in
# slot order, then the cards still to be drawn. `places` are the deck indices of these places and
# `masks` the possible cards of each, as bits `color * RANKS + rank - 1`.

ANY_CARD = -1  # a mask: all bits
_STEPS = 64  # steps of the enumeration for each requested world
_TRIES = 4096  # draws for a sampled world


@jit_hot
def find_hidden(
    policy: Policy, position: Packed, memory: Words, places: Words, masks: Words
) -> int:
    """Write the places that the seat to act does not see, and return the number with a mask."""
    rules, state = position.rules, position.state
    seat, n = state[k.SEAT], 0
    if rules[k.OPEN_HANDS] == 0:
        for slot in range(n_held(rules, state, seat)):
            places[n] = index_at(rules, state, seat * rules[k.HAND_SIZE] + slot)
            masks[n] = policies.possible(policy, position, memory, seat, slot)
            n += 1
    masked = n
    for index in range(state[k.DRAWN], rules[k.DECK_SIZE]):
        places[n], masks[n] = index, ANY_CARD
        n += 1
    return masked


@jit
def _count_cards(position: Packed, places: Words, counts: Words) -> None:
    for card in range(counts.size):
        counts[card] = 0
    for place in places:
        counts[card_of(position.rules, position.deck[place])] += 1


@jit
def list_worlds(position: Packed, places: Words, masks: Words, worlds: Words) -> int:
    """Write every world once, in lexicographic order; return their number, -1 if they do not fit.

    All are equally likely, since each stands for the same number of permutations of the hidden
    cards. -1 also means that the enumeration found too few worlds for its effort.
    """
    rules = position.rules
    n, kinds, found = places.size, rules[k.COLORS] * rules[k.RANKS], 0
    counts = np.empty(kinds, np.int64)
    chosen = np.empty(n + 1, np.int64)
    _count_cards(position, places, counts)
    depth, chosen[0] = 0, -1
    for _ in range(_STEPS * (n + 1) * (worlds.shape[0] + 1)):
        if depth == n:  # a world is complete
            if found == worlds.shape[0]:
                return -1
            for place in range(n):
                card = chosen[place]
                worlds[found, place] = card_code(card // rules[k.RANKS], card % rules[k.RANKS] + 1)
            found += 1
            depth -= 1
        if depth < 0:
            return found
        card = chosen[depth]
        if card >= 0:
            counts[card] += 1
        card += 1
        while card < kinds and (counts[card] == 0 or not masks[depth] >> card & 1):
            card += 1
        if card == kinds:
            depth -= 1
            if depth < 0:
                return found
        else:
            chosen[depth] = card
            counts[card] -= 1
            depth += 1
            chosen[depth] = -1
    return -1


@jit
def _draw_world(rules: Words, masks: Words, n_masked: int, rng: RandomStream, cards: Words) -> bool:
    """Put `cards` in the order of a world; return False if this attempt failed.

    Each place takes one of its possible cards. If earlier places have taken some of them, the
    attempt continues with the probability that corrects for it, so that accepted worlds are equally
    likely.
    """
    n = cards.size
    for place in range(n_masked):
        all_fitting, fitting = 0, 0
        for index in range(n):
            code = cards[index]
            if masks[place] >> card_of(rules, code) & 1:
                all_fitting += 1
                fitting += index >= place
        if fitting == 0 or below(rng, all_fitting) >= fitting:
            return False
        wanted = below(rng, fitting)
        for index in range(place, n):
            code = cards[index]
            if masks[place] >> card_of(rules, code) & 1:
                if wanted == 0:
                    cards[place], cards[index] = code, cards[place]
                    break
                wanted -= 1
    for last in range(n - 1, n_masked, -1):
        other = n_masked + below(rng, last - n_masked + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return True


@jit
def sample_worlds(
    position: Packed,
    places: Words,
    masks: Words,
    n_masked: int,
    rng: RandomStream,
    worlds: Words,
) -> int:
    """Fill `worlds` with independent, equally likely worlds; return their number, or 0.

    Only the first `n_masked` places have masks. 0 means that no world was found in reasonable time.
    """
    rules = position.rules
    counts = np.empty(rules[k.COLORS] * rules[k.RANKS], np.int64)
    _count_cards(position, places, counts)
    cards, in_order = np.empty(places.size, np.int64), np.empty(places.size, np.int64)
    index = 0
    for card in range(counts.size):  # draws must not reveal the true order
        for _ in range(counts[card]):
            in_order[index] = card_code(card // rules[k.RANKS], card % rules[k.RANKS] + 1)
            index += 1
    for world in range(worlds.shape[0]):
        is_found = False
        for _ in range(_TRIES):
            for index in range(places.size):
                cards[index] = in_order[index]
            if _draw_world(rules, masks, n_masked, rng, cards):
                is_found = True
                break
        if not is_found:
            return 0
        for index in range(places.size):
            worlds[world, index] = cards[index]
    return int(worlds.shape[0])


# Choosing an action by play-outs in every world that the seat to act cannot tell apart.
#
# After each action, everybody follows the inner policy; the search takes the action with the best
# average score. See :mod:`hanabi.players.endgame`.

# Words of `limits`: most worlds to list; worlds to sample if there are more; most cards left in the
# deck for either; hundredths of a standard error that a sampled gain must exceed.
WORLDS, SAMPLES, DECK_LEFT, MARGIN = range(4)
LIMITS = 4


@keeps_inner_memory
class EndgamePolicy(NamedTuple):
    """The searching policy and the inner policy of its play-outs."""

    inner: Policy
    limits: Words


@jit_hot
def _gain(
    policy: EndgamePolicy,
    worlds: Worlds,
    action: int,
    values: Words,
    order: Words,
    most: int,
    best: int,
) -> int:
    """Return an action's gain over `values`, summed over all worlds, if it exceeds `best`.

    Otherwise return `best`, as soon as that is clear, since no score exceeds `most`. With best < 0,
    `values` are written instead of read.
    """
    trial, n_worlds = worlds.trial, order.size
    margin = policy.limits[MARGIN] if worlds.is_sample else 0
    gain, squares, left = 0, 0, 0
    for world in range(n_worlds):
        left += most - values[world]
    for number in range(n_worlds):
        world = order[number]
        enter(worlds, world)
        policies.resume(policy.inner, trial.start, trial.memory, trial.scratch)
        # `play_out` is not used, because each function that inlines the policy takes seconds to
        # compile.
        begin(trial)
        policies.advance(policy.inner, trial.now, trial.learned, action, trial.scratch)
        play_on(policy.inner, trial.now, trial.rng, trial.learned, trial.scratch)
        value = score(trial.now.rules, trial.now.state)
        if best < 0:
            values[world] = value
            continue
        left -= most - values[world]
        gain += value - values[world]
        squares += (value - values[world]) ** 2
        if gain + left <= best or (left == 0 and not is_clear(gain, squares, n_worlds, margin)):
            return best
    return int(gain)


@jit
def _is_open(policy: EndgamePolicy, worlds: Worlds, memory: Words, action: int) -> bool:
    """Whether the conventions allow the action; checked in a world, so as to see no more."""
    trial = worlds.trial
    enter(worlds, 0)
    return policies.truthful(policy.inner, trial.start, memory, action, trial.scratch)


@jit_hot
def _may_search(policy: EndgamePolicy, position: Packed) -> bool:
    """Whether few enough cards are left to draw."""
    limits, n = policy.limits, deck_left(position.rules, position.state)
    return bool(n <= limits[DECK_LEFT] and limits[WORLDS] + limits[SAMPLES] > 0)


@jit
def open_worlds(
    policy: EndgamePolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> Worlds:
    """Return the worlds to search, none if they are too many."""
    rules, state, limits = position.rules, position.state, policy.limits
    n_hidden = deck_left(rules, state)
    if rules[k.OPEN_HANDS] == 0:
        n_hidden += n_held(rules, state, state[k.SEAT])
    places, masks = np.empty(n_hidden, np.int64), np.empty(n_hidden, np.int64)
    masked = find_hidden(policy.inner, position, memory, places, masks)
    cards = np.empty((max(limits[WORLDS], limits[SAMPLES]), n_hidden), np.int64)
    n_worlds, is_sample = -1, False
    if limits[WORLDS] > 0:
        n_worlds = list_worlds(position, places, masks, cards[: limits[WORLDS]])
    if n_worlds < 0 and limits[SAMPLES] > 0:
        is_sample, cards = True, cards[: limits[SAMPLES]]
        n_worlds = sample_worlds(position, places, masks, masked, rng, cards)
    n_worlds = max(n_worlds, 0)
    seed = word(rng) if n_worlds > 0 else np.uint64(0)
    trial = open_trial(position, memory, np.empty(1, np.uint64), scratch)
    return Worlds(trial, places, cards[:n_worlds], is_sample, seed)


@jit
def compare(
    policy: EndgamePolicy,
    position: Packed,
    rng: RandomStream,
    memory: Words,
    scratch: Words,
    action: int,
    found: Words,
) -> int:
    """Return the policy's own action, and write what the worlds say about another one.

    `found` are the number of worlds, 0 if there is no search; whether they are a sample; and the
    points in all of them after the policy's own action and after the other one, -1 if the others
    would misread it.
    """
    own_rng = split(rng)
    own = policies.decide(policy.inner, position, own_rng, memory, scratch)
    found[:] = -1
    found[0] = 0
    if not _may_search(policy, position):
        return int(own)
    worlds = open_worlds(policy, position, own_rng, memory, scratch)
    n, most = worlds.cards.shape[0], most_points(position.rules, position.state)
    found[0], found[1] = n, worlds.is_sample
    values, order = np.zeros(n, np.int64), np.arange(n)
    for place in range(2):
        other = own if place == 0 else action
        if n > 0 and (other == own or _is_open(policy, worlds, memory, other)):
            _gain(policy, worlds, other, values, order, most, -1)
            found[2 + place] = values.sum()
    return int(own)


@policies.decide.register(EndgamePolicy)
@jit
def search(
    policy: EndgamePolicy, position: Packed, rng: RandomStream, memory: Words, scratch: Words
) -> int:
    """Return the action with the best average score, or the policy's own if none is better.

    This stays one function, because each function that calls a policy compiles all of it again.
    """
    rules, state, own_rng = position.rules, position.state, split(rng)
    own = policies.decide(policy.inner, position, own_rng, memory, scratch)
    if not _may_search(policy, position):
        return own
    worlds = open_worlds(policy, position, own_rng, memory, scratch)
    n_worlds = worlds.cards.shape[0]
    if n_worlds == 0:
        return own
    actions = np.empty(rules[k.MAX_ACTIONS], np.int64)
    actions = actions[: legal_actions(position, actions)]
    most, best_gain, best = most_points(rules, state), 0, own
    values, order = np.zeros(n_worlds, np.int64), np.arange(n_worlds)
    number = -1
    while number < actions.size and n_worlds * most - values.sum() > best_gain:
        action = own if number < 0 else actions[number]
        if number < 0 or (action != own and _is_open(policy, worlds, memory, action)):
            known = -1 if number < 0 else best_gain
            gain = _gain(policy, worlds, action, values, order, most, known)
            if number < 0:
                sort_by_shortfall(values, most, order)
            elif gain > best_gain:
                best, best_gain = action, gain
        number += 1
    return int(best)
