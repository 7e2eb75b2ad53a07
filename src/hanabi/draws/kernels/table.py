"""Which positions are one and the same, and the table of their values.

A position is its piles, tokens, turns and seat, the cards of each hand in any order, and the cards
still to be drawn. All hands are open, so what hints have said does not count. A *class* stands for
cards that are as good as each other: each that can still be played is one, the others are merged.
"""

from __future__ import annotations

import numpy as np

from hanabi.compiled import Words
from hanabi.compiled.bits import wrapping
from hanabi.compiled.hot import jit_hot
from hanabi.draws.kernels import layout as w
from hanabi.draws.kernels.layout import Search
from hanabi.game import layout as k
from hanabi.game.kernels.facts import code_at, n_held, ranks_to_come
from hanabi.game.kernels.words import Packed, card_of, color_of, rank_of

_DEAD = 64  # classes from here on are of cards that can never be played
_CLASS_BITS, _A_WORD = 7, 9  # bits of a class; classes in a word of the key
_PILE_BITS, _PILES_A_WORD = 8, 7


@jit_hot
def key_width(rules: Words, n: int) -> int:
    """Return the words of a key where at most `n` cards are still to be drawn."""
    classes = rules[k.SEATS] * rules[k.HAND_SIZE] + n
    piles = -(-rules[k.COLORS] // _PILES_A_WORD)
    return int(1 + (rules[k.DISTINCT_STARTS] != 0) + piles - (-classes // _A_WORD))


@jit_hot
def class_of(search: Search, code: int) -> int:
    """Return the class of a card, 1 or more, where `alive` is that of the position."""
    card = card_of(search.rules, code)
    if search.alive[color_of(code)] >> rank_of(code) & 1:
        return card + 1
    return int(_DEAD + search.dead[card])


@jit_hot
def is_dead(kind: int) -> bool:
    """Whether a class is of cards that can never be played."""
    return kind >= _DEAD


@jit_hot
def _sort(words: Words, first: int, last: int) -> None:
    for index in range(first + 1, last):
        word, place = words[index], index
        while place > first and words[place - 1] > word:
            words[place] = words[place - 1]
            place -= 1
        words[place] = word


@jit_hot
def classify(search: Search, depth: int) -> int:
    """Write the classes of all cards, hand by hand and then the deck; return how many words.

    In a hand they stand by slot, with 0 for no card. Where the reductions hold, a second copy in
    one hand is as good as a dead card.
    """
    rules, state = search.rules, search.states[depth]
    position = Packed(rules, search.deck, state)
    for color in range(rules[k.COLORS]):
        search.alive[color] = ranks_to_come(rules, state, color)
    n, size = 0, rules[k.HAND_SIZE]
    for seat in range(rules[k.SEATS]):
        held = n_held(rules, state, seat)
        for slot in range(size):
            kind = 0
            if slot < held:
                code = code_at(position, seat * size + slot)
                kind = class_of(search, code)
                if search.is_plain:
                    for other in range(n - slot, n):
                        if search.classes[other] == kind:
                            kind = _DEAD
            search.classes[n] = kind
            n += 1
    for index in range(state[k.DRAWN], rules[k.DECK_SIZE]):
        search.classes[n] = class_of(search, search.deck[index])
        n += 1
    return n


@jit_hot
def write_key(search: Search, depth: int, n: int) -> None:
    """Write the key of a position whose `n` classes are written; they are in order afterwards."""
    rules, state, key = search.rules, search.states[depth], search.frames[depth]
    at = w.KEY
    barred = (state[k.BARRED] & k.COLOR_BITS != 0) | (state[k.BARRED] >> k.RANK_BITS != 0) << 1
    word = state[k.SEAT] | state[k.LIVES] << 3 | (state[k.TURNS_LEFT] + 1) << 11 | barred << 20
    key[at] = word | state[k.HINTS] << 22 | state[k.DRAWN] << 30 | search.used[w.GOAL] << 50
    at += 1
    if rules[k.DISTINCT_STARTS] != 0:
        key[at] = state[k.STARTS]
        at += 1
    word, room = 0, _PILES_A_WORD
    for color in range(rules[k.COLORS]):
        word = word << _PILE_BITS | state[k.PILES + color]
        room -= 1
        if room == 0 or color + 1 == rules[k.COLORS]:
            key[at] = word
            at += 1
            word, room = 0, _PILES_A_WORD
    size = rules[k.HAND_SIZE]
    in_hands = size * rules[k.SEATS]
    for first in range(0, in_hands, size):
        _sort(search.classes, first, first + size)
    _sort(search.classes, in_hands, n)
    room = _A_WORD
    for index in range(n):
        word = word << _CLASS_BITS | search.classes[index]
        room -= 1
        if room == 0 or index + 1 == n:
            key[at] = word
            at += 1
            word, room = 0, _A_WORD
    while at < key.size:
        key[at] = 0
        at += 1


@wrapping
@jit_hot
def _hash(key: Words, first: int, width: int) -> np.uint64:
    h = np.uint64(0x9E3779B97F4A7C15)
    for word in range(width):
        h ^= np.uint64(key[first + word])
        h *= np.uint64(0xBF58476D1CE4E5B9)
        h ^= h >> np.uint64(29)
    return h


@jit_hot
def find_row(keys: Words, values: Words, key: Words, first: int) -> int:
    """Return the row of a key, which begins at `first`, or the empty row where it belongs."""
    width, last = keys.shape[1], values.size - 1
    row = np.int64(_hash(key, first, width) >> np.uint64(1)) & last
    while values[row] >= 0:
        word = 0
        while word < width and keys[row, word] == key[first + word]:
            word += 1
        if word == width:
            break
        row = (row + 1) & last
    return int(row)


@jit_hot
def keep(search: Search, depth: int, value: int) -> None:
    """Keep the value of a frame, as long as there is room."""
    if search.used[w.FILLED] * 4 >= search.values.size * 3:
        return
    frame = search.frames[depth]
    row = find_row(search.keys, search.values, frame, w.KEY)
    if search.values[row] < 0:
        search.used[w.FILLED] += 1
        for word in range(search.keys.shape[1]):
            search.keys[row, word] = frame[w.KEY + word]
    search.values[row] = value


@jit_hot
def move_rows(keys: Words, values: Words, new_keys: Words, new_values: Words) -> None:
    """Put all rows of a table into a larger one, which is empty."""
    for row in range(values.size):
        if values[row] >= 0:
            at = find_row(new_keys, new_values, keys[row], 0)
            new_values[at] = values[row]
            for word in range(keys.shape[1]):
                new_keys[at, word] = keys[row, word]
