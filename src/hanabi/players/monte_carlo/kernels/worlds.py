"""Worlds: equally likely deals that agree with everything the seat to act knows.

The unseen cards are those of the seat's own hand, if it is hidden, and of the deck. The hand is
dealt slot by slot, from the slots with the fewest possible cards to those with the most. Each slot
gets one of the cards that are left and possible there. That alone would favour deals that leave few
choices. So a slot's card is accepted only with probability (choices left) / (most that can be
left); otherwise the hand is dealt again. If the sets of possible cards are nested or disjoint, no
hand is ever dealt again; they are, unless hints named a color to one slot and a rank to another.
"""

from __future__ import annotations

from hanabi.compiled import RandomStream, Words
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import below
from hanabi.game import layout as k
from hanabi.game.kernels.facts import code_at, index_at, known_at, mask_of, n_held
from hanabi.game.kernels.packed import Packed, card_code

__all__ = ["draw_world", "prepare_worlds", "worlds_size"]


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
