"""Expectation over the cards still to be drawn, compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from hanabi.compiled import Words
from hanabi.compiled.bits import wrapping
from hanabi.compiled.hot import jit_hot
from hanabi.game import layout as k
from hanabi.game.kernels.facts import (
    code_at,
    deck_left,
    first_hint,
    has_hint,
    hintable,
    is_next,
    may_discard,
    most_points,
    n_held,
    ranks_to_come,
)
from hanabi.game.kernels.legal import NO_RULE, find_broken_rule
from hanabi.game.kernels.packed import Packed, action_code, card_of, color_of, is_hint, rank_of
from hanabi.game.kernels.rules import score, step

# The data of a search over draws: frames, moves and a transposition table.
#
# The value of a position is an integer: the score of optimal play, summed over all orders of the
# cards still to be drawn, with copies distinct. A deck of n cards has n! orders, all equally
# likely. So values are exact, and an expectation is a value over n!.

DEPTH, IS_NEW, TRIED, VALUE, FILLED, MAY_GROW, GOAL, N_USED = range(8)
"""Words of `used`. DEPTH: the current frame. IS_NEW: whether it has not been looked at yet. TRIED:
positions expanded so far. VALUE: the value of frame 0, once it is known. FILLED: used rows of the
transposition table. MAY_GROW: whether a full table ends a run; if not, values that do not fit are
dropped. GOAL: the value of an order is 1 if it scores this many points, else 0; or, if this is
`EXPECTATION`, the order's score."""

EXPECTATION = 0

N_MOVES, MOVE, INDEX, FIRST, COPIES, SUM, LEFT, BEST, CHOICE, TOP, CEILING, KEY = range(12)
"""Words of a frame. MOVE: the number of the current move. INDEX: the place in the deck of the card
that it draws; meanwhile that card stands at place FIRST. COPIES: its copies in the deck. SUM: the
move's value so far. LEFT: orders not yet counted in it. BEST: the best value of a move, that of
number CHOICE. TOP: an upper bound on the value of any order. CEILING: an upper bound on the sum
over all orders. From KEY on: the key in the transposition table."""

DONE, PAUSED, FULL, ASKING = range(4)
"""Answers of a run: the value is known; the limit is reached; the table needs more rows; the
current frame's ceiling may be lowered before the run goes on."""


class Search(NamedTuple):
    """A search from one position, the one in `states[0]`.

    Attributes
    ----------
    rules
        The rule set.
    deck
        The cards; the undrawn ones are in any order, and the search rearranges them.
    is_plain
        Whether the reductions of `hanabi.draws` hold.
    dead
        The class of each card once it can never be played.
    orders
        n! for n up to the cards still to be drawn.
    states, frames, moves
        One row per depth.
    classes, alive
        Classes of the cards of one position, hands first; each color's ranks to come, as bits.
    keys, values
        The transposition table; -1 marks an empty row. The number of rows is a power of two.
    used
        Counters; see `DEPTH`.
    """

    rules: Words
    deck: Words
    is_plain: bool
    dead: Words
    orders: Words
    states: Words
    frames: Words
    moves: Words
    classes: Words
    alive: Words
    keys: Words
    values: Words
    used: Words


# The identity of positions, and the transposition table of their values.
#
# A position is its piles, tokens, turns and seat, the cards of each hand in any order, and the
# cards still to be drawn. All hands are open, so past hints do not matter. A *class* is a set of
# equivalent cards: each card that can still be played is a class of its own, the others are merged.

_DEAD = 64  # from here on: classes of cards that can never be played
CLASS_BITS, CLASSES_A_WORD = 7, 9  # bits per class; classes per word of the key
PILE_BITS, PILES_A_WORD = 8, 7


@jit_hot
def key_width(rules: Words, n: int) -> int:
    """Return the number of words of a key with at most `n` cards still to be drawn."""
    classes = rules[k.SEATS] * rules[k.HAND_SIZE] + n
    piles = -(-rules[k.COLORS] // PILES_A_WORD)
    return int(1 + (rules[k.DISTINCT_STARTS] != 0) + piles - (-classes // CLASSES_A_WORD))


@jit_hot
def class_of(search: Search, code: int) -> int:
    """Return the class of a card, 1 or more; `alive` must be that of the position."""
    card = card_of(search.rules, code)
    if search.alive[color_of(code)] >> rank_of(code) & 1:
        return card + 1
    return int(_DEAD + search.dead[card])


@jit_hot
def is_dead(kind: int) -> bool:
    """Whether the cards of a class can never be played."""
    return kind >= _DEAD


@jit_hot
def sort(words: Words, first: int, last: int) -> None:
    """Sort some words, few of them."""
    for index in range(first + 1, last):
        word, place = words[index], index
        while place > first and words[place - 1] > word:
            words[place] = words[place - 1]
            place -= 1
        words[place] = word


@jit_hot
def classify(search: Search, depth: int) -> int:
    """Write the classes of all cards, hand by hand and then the deck; return the number of words.

    Hands are written slot by slot, with 0 for an empty slot. Where the reductions hold, a second
    copy in a hand counts as a dead card.
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
    """Write the key of a position from its `n` classes, which this sorts."""
    rules, state, key = search.rules, search.states[depth], search.frames[depth]
    at = KEY
    barred = (state[k.BARRED] & k.COLOR_BITS != 0) | (state[k.BARRED] >> k.RANK_BITS != 0) << 1
    word = state[k.SEAT] | state[k.LIVES] << 3 | (state[k.TURNS_LEFT] + 1) << 11 | barred << 20
    key[at] = word | state[k.HINTS] << 22 | state[k.DRAWN] << 30 | search.used[GOAL] << 50
    at += 1
    if rules[k.DISTINCT_STARTS] != 0:
        key[at] = state[k.STARTS]
        at += 1
    word, room = 0, PILES_A_WORD
    for color in range(rules[k.COLORS]):
        word = word << PILE_BITS | state[k.PILES + color]
        room -= 1
        if room == 0 or color + 1 == rules[k.COLORS]:
            key[at] = word
            at += 1
            word, room = 0, PILES_A_WORD
    size = rules[k.HAND_SIZE]
    in_hands = size * rules[k.SEATS]
    for first in range(0, in_hands, size):
        sort(search.classes, first, first + size)
    sort(search.classes, in_hands, n)
    room = CLASSES_A_WORD
    for index in range(n):
        word = word << CLASS_BITS | search.classes[index]
        room -= 1
        if room == 0 or index + 1 == n:
            key[at] = word
            at += 1
            word, room = 0, CLASSES_A_WORD
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
    """Return the row of a key, which begins at `first`, or the empty row for it."""
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
def keep(keys: Words, values: Words, filled: int, key: Words, first: int, value: int) -> int:
    """Store the value of the key in `key[first:]` if a table with `filled` rows has room.

    The number of rows that became filled, 0 or 1, is returned.
    """
    if filled * 4 >= values.size * 3:
        return 0
    row = find_row(keys, values, key, first)
    is_new = values[row] < 0
    if is_new:
        for word in range(keys.shape[1]):
            keys[row, word] = key[first + word]
    values[row] = value
    return int(is_new)


@jit_hot
def move_rows(keys: Words, values: Words, new_keys: Words, new_values: Words) -> None:
    """Move all rows of a table into a larger, empty one."""
    for row in range(values.size):
        if values[row] >= 0:
            at = find_row(new_keys, new_values, keys[row], 0)
            new_values[at] = values[row]
            for word in range(keys.shape[1]):
                new_keys[at, word] = keys[row, word]


# The moves to try in a position: one of each set of equivalent moves.


@jit_hot
def _add(search: Search, depth: int, action: int) -> None:
    n = search.frames[depth, N_MOVES]
    search.moves[depth, n] = action
    search.frames[depth, N_MOVES] = n + 1


@jit_hot
def _add_hint(search: Search, position: Packed, depth: int, clues: int) -> None:
    """Add one hint that gives some clue of a set."""
    rules, state = position.rules, position.state
    if not has_hint(rules, state):
        return
    for turn in range(1, rules[k.SEATS]):
        seat = (state[k.SEAT] + turn) % rules[k.SEATS]
        bits = hintable(position, seat) & clues
        if bits:
            _add(search, depth, first_hint(bits, seat))
            return


@jit_hot
def _add_hints(search: Search, position: Packed, depth: int) -> None:
    """Add a hint; if its kind restricts the next hint, add one of each kind."""
    rules = position.rules
    if rules[k.BARS] == 0 and rules[k.BARS + 1] == 0:
        _add_hint(search, position, depth, -1)
    else:
        _add_hint(search, position, depth, k.COLOR_BITS)
        _add_hint(search, position, depth, ~k.COLOR_BITS)


@jit_hot
def _is_second(search: Search, first: int, slot: int) -> bool:
    """Whether an earlier slot has a card of the same class."""
    for other in range(first, first + slot):
        if search.classes[other] == search.classes[first + slot]:
            return True
    return False


@jit_hot
def list_moves(search: Search, depth: int) -> None:
    """Write the moves of a position whose classes are written and not sorted yet."""
    search.frames[depth, N_MOVES] = 0
    position = Packed(search.rules, search.deck, search.states[depth])
    if search.is_plain:
        _list_plain(search, position, depth)
    else:
        _list_all(search, position, depth)


@jit_hot
def _list_plain(search: Search, position: Packed, depth: int) -> None:
    """Write the moves that the reductions of `hanabi.draws` leave."""
    rules, state, classes = position.rules, position.state, search.classes
    seat = state[k.SEAT]
    first, held = seat * rules[k.HAND_SIZE], n_held(rules, state, seat)
    trash, n_next = -1, 0
    for slot in range(held):
        if is_dead(classes[first + slot]):
            trash = slot
        elif is_next(rules, state, code_at(position, first + slot)):
            _add(search, depth, action_code(k.PLAY, slot, 0))
            n_next += 1
    is_last_turn = state[k.TURNS_LEFT] >= 0 and rules[k.FINAL_ROUND] <= rules[k.SEATS]
    is_last_turn = is_last_turn and rules[k.MAX_HINTS] > 0
    if is_last_turn and n_next > 0:
        return
    discards = may_discard(rules, state)
    if discards and trash >= 0:
        _add(search, depth, action_code(k.DISCARD, trash, 0))
        if is_last_turn:
            return
    _add_hints(search, position, depth)
    if is_last_turn and search.frames[depth, N_MOVES] > 0:
        return
    kind = k.DISCARD if discards else k.PLAY
    if trash >= 0:
        if not discards:
            _add(search, depth, action_code(k.PLAY, trash, 0))
        return
    for slot in range(held):
        if discards or not is_next(rules, state, code_at(position, first + slot)):
            _add(search, depth, action_code(kind, slot, 0))


@jit_hot
def _list_all(search: Search, position: Packed, depth: int) -> None:
    """Write a move of each sort: play or discard a class of cards, give a kind of hint."""
    rules, state = position.rules, position.state
    seat = state[k.SEAT]
    first, held = seat * rules[k.HAND_SIZE], n_held(rules, state, seat)
    for kind in (k.PLAY, k.DISCARD):
        for slot in range(held):
            action = action_code(kind, slot, 0)
            if not _is_second(search, first, slot) and (
                find_broken_rule(position, action) == NO_RULE
            ):
                _add(search, depth, action)
    for action in (k.PLAY_DECK, k.DISCARD_DECK):
        if find_broken_rule(position, action) == NO_RULE:
            _add(search, depth, action)
    _add_hints(search, position, depth)


@jit_hot
def most_moves(rules: Words) -> int:
    """Return the largest number of moves that `list_moves` writes."""
    return int(2 * rules[k.HAND_SIZE] + 4)


# The search over draws: the best move of each position, summed over all orders of the deck.


@jit_hot
def most_value(rules: Words, state: Words, goal: int) -> int:
    """Return an upper bound on the value of any order of the deck."""
    if state[k.END] != k.IN_PROGRESS:
        points = score(rules, state)
    else:
        points = most_points(rules, state)
        if rules[k.ALL_OR_NOTHING] and points < rules[k.MAX_SCORE]:
            points = 0
    if goal == EXPECTATION:
        return int(points)
    return 1 if points >= goal else 0


@jit_hot
def _known(search: Search, depth: int) -> int:
    """Return the value of a position, or list its moves and return -1 if it must be searched."""
    rules, state, frame = search.rules, search.states[depth], search.frames[depth]
    top = most_value(rules, state, search.used[GOAL])
    if top == 0 or state[k.END] != k.IN_PROGRESS:
        return int(top * search.orders[deck_left(rules, state)])
    n = classify(search, depth)
    list_moves(search, depth)  # by slot: before the key sorts the classes
    write_key(search, depth, n)
    row = find_row(search.keys, search.values, frame, KEY)
    if search.values[row] >= 0:
        return int(search.values[row])
    frame[MOVE], frame[INDEX], frame[BEST], frame[TOP] = -1, -1, -1, top
    frame[LEFT], frame[CEILING] = 0, top * search.orders[deck_left(rules, state)]
    return -1


@jit_hot
def begin_with(search: Search, action: int) -> None:
    """Make frame 0 a position in which one given action is taken; the search goes on from there."""
    frame, rules, state = search.frames[0], search.rules, search.states[0]
    top = most_value(rules, state, search.used[GOAL])
    search.moves[0, 0] = action
    frame[N_MOVES], frame[MOVE], frame[INDEX], frame[BEST], frame[TOP] = 1, -1, -1, -1, top
    frame[LEFT], frame[CEILING] = 0, top * search.orders[deck_left(rules, state)]
    for word in range(search.keys.shape[1]):
        frame[KEY + word] = -1  # the key of no position
    search.used[DEPTH], search.used[IS_NEW] = 0, 0


@jit_hot
def _swap(search: Search, frame_depth: int) -> None:
    """Swap the card that a move draws with the first of the deck, or swap them back."""
    frame, deck = search.frames[frame_depth], search.deck
    first, index = frame[FIRST], frame[INDEX]
    card = deck[first]
    deck[first] = deck[index]
    deck[index] = card


@jit_hot
def _draw_next(search: Search, depth: int) -> int:
    """Move INDEX to the next kind of card in the deck; return its copies, or 0 if none is left."""
    rules, state, frame = search.rules, search.states[depth], search.frames[depth]
    for color in range(rules[k.COLORS]):
        search.alive[color] = ranks_to_come(rules, state, color)
    index = frame[INDEX] + 1
    while index < rules[k.DECK_SIZE]:
        kind, is_first = class_of(search, search.deck[index]), True
        for other in range(frame[FIRST], index):
            if class_of(search, search.deck[other]) == kind:
                is_first = False
                break
        if is_first:
            copies = 1
            for other in range(index + 1, rules[k.DECK_SIZE]):
                copies += class_of(search, search.deck[other]) == kind
            frame[INDEX] = index
            return copies
        index += 1
    return 0


@jit_hot
def _next_child(search: Search, depth: int) -> bool:
    """Write the next position to value to the row below; return False if no move is left."""
    rules, state, frame = search.rules, search.states[depth], search.frames[depth]
    n = deck_left(rules, state)
    while True:
        if frame[LEFT] == 0 or frame[SUM] + frame[LEFT] * frame[TOP] <= frame[BEST]:
            if frame[MOVE] >= 0 and frame[LEFT] == 0 and frame[SUM] > frame[BEST]:
                frame[BEST], frame[CHOICE] = frame[SUM], frame[MOVE]
            frame[MOVE] += 1
            if frame[MOVE] == frame[N_MOVES] or frame[BEST] == frame[CEILING]:
                return False
            frame[SUM], frame[LEFT] = 0, search.orders[n]
            frame[FIRST], frame[INDEX] = state[k.DRAWN], state[k.DRAWN] - 1
        action, below = search.moves[depth, frame[MOVE]], search.states[depth + 1]
        draws = n > 0 and not is_hint(action)
        if draws:
            copies = _draw_next(search, depth)
            _swap(search, depth)
        else:
            copies, frame[INDEX] = 1, frame[FIRST]
        for word in range(rules[k.STATE_SIZE]):
            below[word] = state[word]
        step(Packed(rules, search.deck, below), action)
        frame[COPIES] = copies
        return True


@jit_hot
def _add_value(search: Search, depth: int, value: int) -> None:
    """Add the value of the position below to the move that led to it."""
    rules, frame = search.rules, search.frames[depth]
    below = deck_left(rules, search.states[depth + 1])
    frame[SUM] += frame[COPIES] * value
    frame[LEFT] -= frame[COPIES] * search.orders[below]
    if frame[INDEX] != frame[FIRST]:
        _swap(search, depth)


@jit_hot
def run(search: Search, limit: int) -> int:
    """Search until the value of the first position is known or `limit` positions are expanded.

    The state is in `used`, and another call continues from there.
    """
    used, tried = search.used, 0
    depth = used[DEPTH]
    while True:
        if used[IS_NEW]:
            value = _known(search, depth)
            used[IS_NEW] = 0
            if value < 0:
                tried += 1
                if used[GOAL] == EXPECTATION:
                    used[DEPTH] = depth
                    used[TRIED] += tried
                    return ASKING
        else:
            value = -1
        if value < 0:
            is_full = used[MAY_GROW] != 0 and used[FILLED] * 4 >= search.values.size * 3
            if tried > limit or is_full:
                used[DEPTH] = depth
                used[TRIED] += tried
                return FULL if is_full else PAUSED
            if _next_child(search, depth):
                depth += 1
                used[IS_NEW] = 1
                continue
            value = search.frames[depth, BEST]
            frame = search.frames[depth]
            used[FILLED] += keep(search.keys, search.values, used[FILLED], frame, KEY, value)
        if depth == 0:
            used[DEPTH], used[VALUE] = 0, value
            used[TRIED] += tried
            return DONE
        depth -= 1
        _add_value(search, depth, value)


@jit_hot
def _ask(search: Search, goals: Search) -> None:
    """Make `goals` ask whether the current frame can reach all points that its cards allow."""
    state, frame = search.states[search.used[DEPTH]], search.frames[search.used[DEPTH]]
    for word in range(search.rules[k.STATE_SIZE]):
        goals.states[0, word] = state[word]
    used = goals.used
    used[GOAL], used[DEPTH], used[IS_NEW] = frame[TOP], 0, 1


@jit_hot
def run_both(search: Search, goals: Search, limit: int) -> int:
    """Continue a search for the expectation, whose ceilings `goals` lowers.

    If only some orders can reach all points that the cards allow, the others reach at most one
    less; if all orders can, the value is known. Both searches share one deck. `limit` applies to
    each of them.

    Returns
    -------
    int
        As for `run`; `ASKING` means that the table of `goals` needs more rows.
    """
    used, tried = search.used, search.used[TRIED] + goals.used[TRIED]
    answer = ASKING if goals.used[DEPTH] >= 0 else DONE
    while True:
        if answer == ASKING:
            if goals.used[DEPTH] < 0:
                _ask(search, goals)
            answer = run(goals, limit)
            if answer != DONE:
                return ASKING if answer == FULL else PAUSED
            goals.used[DEPTH] = -1
            frame = search.frames[used[DEPTH]]
            n = deck_left(search.rules, search.states[used[DEPTH]])
            frame[CEILING] = (frame[TOP] - 1) * search.orders[n] + goals.used[VALUE]
            if goals.used[VALUE] == search.orders[n]:
                frame[BEST] = frame[CEILING]
        if used[TRIED] + goals.used[TRIED] - tried > limit:
            return PAUSED
        answer = run(search, limit)
        if answer != ASKING:
            return answer
