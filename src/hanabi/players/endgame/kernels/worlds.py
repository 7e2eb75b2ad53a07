"""The deals that one seat cannot tell apart: all of them, or a fair sample.

A world is a row of card codes, one for each hidden place of the deck: the seat's own cards in slot
order, then the cards still to be drawn. `places` are the deck indices of these places and `masks`
the cards that each may hold, as bits `color * RANKS + rank - 1`.
"""

from __future__ import annotations

import numpy as np

from hanabi.compiled import RandomStream, Words, jit
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import below
from hanabi.game import layout as k
from hanabi.game.kernels.facts import index_at, n_held
from hanabi.game.kernels.words import Packed, card_code, card_of
from hanabi.players.kernels import policy as policies
from hanabi.players.kernels.policy import Policy

ANY_CARD = -1  # a mask: all bits
_STEPS = 64  # steps of the enumeration for every world that is wanted
_TRIES = 4096  # draws for a sampled world


@jit_hot
def find_hidden(
    policy: Policy, position: Packed, memory: Words, places: Words, masks: Words
) -> int:
    """Write the places that the seat to act does not see, and return how many have a mask."""
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
    """Write every world once, in lexicographic order; return their number, or -1: they do not fit.

    All are equally likely: each is the same number of permutations of the hidden cards. -1 also
    stands for an enumeration that finds too little for its effort.
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
    """Put `cards` in the order of a world; False if this try failed.

    A place takes one of the cards that it may hold. Where earlier places have taken some, the try
    goes on with the probability that makes up for it, so that worlds that come through are
    equally likely.
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

    Only the first `n_masked` places have masks to heed. 0 means that no world was found in
    reasonable time.
    """
    rules = position.rules
    counts = np.empty(rules[k.COLORS] * rules[k.RANKS], np.int64)
    _count_cards(position, places, counts)
    cards, in_order = np.empty(places.size, np.int64), np.empty(places.size, np.int64)
    index = 0
    for card in range(counts.size):  # the true order must not show in what is drawn
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
