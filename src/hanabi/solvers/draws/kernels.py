"""Expectation over the cards still to be drawn, compiled.

One engine searches depth-first over moves and draws. What it needs to know of a search, kernels
registered for the search's class say: `write_key`, `expand` and `next_trial`. Here is the search
with open hands; `hanabi.solvers.draws.seat.kernels` is the one in which a seat does not see its
hand.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from hanabi.ground.compiled import Words
from hanabi.ground.compiled.bits import wrapping
from hanabi.ground.compiled.dispatch import by_type
from hanabi.ground.compiled.hot import jit_hot
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import (
    code_at,
    deck_left,
    first_hint,
    has_hint,
    hintable,
    is_next,
    may_discard,
    most_points,
    n_held,
    next_ranks,
    ranks_to_come,
)
from hanabi.rules.kernels.legal import NO_RULE, find_broken_rule
from hanabi.rules.kernels.packed import Packed, action_code, card_of, is_hint
from hanabi.rules.kernels.rules import score, step

# The data of a search over draws: frames, moves and a transposition table.
#
# The value of a position is an integer: the score of optimal play, summed over all orders of the
# cards still to be drawn, with copies distinct. A deck of n cards has n! orders, all equally
# likely. So values are exact, and an expectation is a value over n!.

DEPTH, STAGE, TRIED, VALUE, FILLED, MAY_GROW, GOAL, SEAT, MERGES = range(9)
CHOSEN, BUDGET, TELLING, COMMANDS, TRIAL, OPTION, N_USED = range(9, 16)
"""Words of `used`. DEPTH: the current frame, and STAGE what is to be done with it. TRIED: positions
expanded so far. VALUE: the value of frame 0, once it is known. FILLED: used rows of the
transposition table. MAY_GROW: whether a full table ends a run; if not, values that do not fit are
dropped. GOAL: the value of an order is 1 if it scores this many points, else 0; or, if this is
`EXPECTATION`, the order's score. SEAT: the seat that does not see its hand, or -1. MERGES: whether
cards that can never be played are told apart by their class only.

Of a plan for a seat that does not see its hand: CHOSEN: used rows of the plan. BUDGET: averages
decide only before this many positions are expanded. TELLING: the others consider no hint to the
seat beside one to pass (0), those after which a card certainly scores or is trash that was not so
before (1), or all that say something (2). COMMANDS: whether their choice of a hint, of trash to
discard, or of a copy to play names the seat's next action, and if so which play first: that of the
likeliest card to score, or of the newest (`BY_CHANCE`, `BY_AGE`). TRIAL: the row of a situation for
which another move is planned once it is met, -1 for none; OPTION: the number of that move, -1 if
there are not so many."""

EXPECTATION = 0

SILENT, BY_CHANCE, BY_AGE = range(3)

NEW, BOUNDING, BOUNDED, OPEN = range(4)
"""Stages of a frame: not looked at; another search may lower its ceiling; its moves are to be
listed; they are being tried."""

N_MOVES, MOVE, INDEX, FIRST, COPIES, SUM, LEFT, BEST, CHOICE, TOP, CEILING = range(11)
KIND, LIVE, LEVEL, TOTAL, COMMAND, KEY = range(11, 17)
"""Words of a frame. MOVE: the number of the current move. INDEX: the place in the deck of the card
that it draws; meanwhile that card stands at place FIRST. COPIES: its copies in the deck. SUM: the
move's value so far. LEFT: orders not yet counted in it. BEST: the best value of a move, that of
number CHOICE. TOP: an upper bound on the value of any order. CEILING: an upper bound on the sum
over all orders. KIND: see `POSITION`. LIVE: the set of the cards that are told apart one by one.
In averages over hands, COPIES is the weight of the current hand, LEVEL where the enumeration of
hands is, and TOTAL the weight of the hands so far. In plans, COMMAND is the action that the seat
was told to take next, plus one; 0 if there is none. From KEY on: the key in the transposition
table."""

POSITION, GIVEN, AVERAGE, ROOT = range(4)
"""Kinds of frames: a position; one whose move is given; a choice by averages over hands; the sum
over all hands of a given move."""

DONE, PAUSED, FULL, ASKING = range(4)
"""Answers of a run: the value is known; the limit is reached; the table needs more rows; the
current frame's ceiling may be lowered before the run goes on."""


class Walk(NamedTuple):
    """Where a search from the position in `states[0]` is, and what it knows.

    Attributes
    ----------
    rules
        The rule set.
    deck
        The cards; the undrawn ones are in any order, and the search rearranges them.
    dead
        The class of each card once it can never be played.
    orders
        n! for n up to the cards still to be drawn.
    states, frames, moves
        One row per depth.
    cards
        Classes of the cards of one position, hands first.
    keys, values
        The transposition table; -1 marks an empty row. The number of rows is a power of two.
    used
        Counters; see `DEPTH`.
    """

    rules: Words
    deck: Words
    dead: Words
    orders: Words
    states: Words
    frames: Words
    moves: Words
    cards: Words
    keys: Words
    values: Words
    used: Words


class Searching(Protocol):
    """A record for whose class `write_key` and `expand` are registered."""

    @property
    def walk(self) -> Walk:
        """Where the search is."""
        ...


class Search(NamedTuple):
    """A search with open hands.

    Attributes
    ----------
    walk
        Where it is.
    is_plain
        Whether the reductions of `hanabi.solvers.draws` hold.
    """

    walk: Walk
    is_plain: bool


# The identity of positions, and the transposition table of their values.
#
# A position is its piles, tokens, turns and seat, the cards of each hand in any order, and the
# cards still to be drawn. All hands are open, so past hints do not matter. A *class* is a set of
# equivalent cards: each card that can still be played is a class of its own, the others are merged.

FIRST_DEAD = 63  # from here on: classes of cards that can never be played
_CLASS_BITS, _CLASSES_A_WORD = 7, 9  # bits per class; classes per word of the key
_PILE_BITS, _PILES_A_WORD = 8, 7

NEXT, TO_COME = range(2)


@jit_hot
def pile_cards(rules: Words, state: Words, which: int) -> int:
    """Return the set of the cards that a pile takes now (`NEXT`), or can still take (`TO_COME`)."""
    found = 0
    for color in range(rules[k.COLORS]):
        if which == NEXT:
            ranks = next_ranks(rules, state, color)
        else:
            ranks = ranks_to_come(rules, state, color)
        found |= ranks >> 1 << color * rules[k.RANKS]
    return found


@jit_hot
def key_width(rules: Words, n: int) -> int:
    """Return the number of words of a key with at most `n` cards still to be drawn."""
    classes = rules[k.SEATS] * rules[k.HAND_SIZE] + n
    piles = -(-rules[k.COLORS] // _PILES_A_WORD)
    return int(1 + (rules[k.DISTINCT_STARTS] != 0) + piles - (-classes // _CLASSES_A_WORD))


@jit_hot
def class_of(walk: Walk, live: int, code: int) -> int:
    """Return the class of a card, 1 or more, if those in the set `live` are told apart."""
    card = card_of(walk.rules, code)
    return int(card + 1 if live >> card & 1 else FIRST_DEAD + walk.dead[card])


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
def write_cards(walk: Walk, depth: int, are_sets: bool) -> int:
    """Write the classes of all cards, hand by hand and then the deck; return the number of words.

    Hands are written slot by slot, with 0 for an empty slot. If they `are_sets`, a second copy in a
    hand counts as a dead card.
    """
    rules, state, cards = walk.rules, walk.states[depth], walk.cards
    position, live = Packed(rules, walk.deck, state), walk.frames[depth, LIVE]
    n, size = 0, rules[k.HAND_SIZE]
    for seat in range(rules[k.SEATS]):
        held = n_held(rules, state, seat)
        for slot in range(size):
            kind = 0
            if slot < held:
                kind = class_of(walk, live, code_at(position, seat * size + slot))
                if are_sets:
                    for other in range(n - slot, n):
                        if cards[other] == kind:
                            kind = FIRST_DEAD
            cards[n] = kind
            n += 1
    for index in range(state[k.DRAWN], rules[k.DECK_SIZE]):
        cards[n] = class_of(walk, live, walk.deck[index])
        n += 1
    return n


@jit_hot
def pack(walk: Walk, depth: int, key: Words, at: int, n: int) -> None:
    """Write a position from word `at` of a key on; the `n` classes of its cards are written.

    This sorts them, except those of a hand that its seat does not see.
    """
    rules, state, used, cards = walk.rules, walk.states[depth], walk.used, walk.cards
    barred = (state[k.BARRED] & k.COLOR_BITS != 0) | (state[k.BARRED] >> k.RANK_BITS != 0) << 1
    word = state[k.SEAT] | state[k.LIVES] << 3 | (state[k.TURNS_LEFT] + 1) << 11 | barred << 20
    key[at] = word | state[k.HINTS] << 22 | state[k.DRAWN] << 30 | used[GOAL] << 50
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
    for seat in range(rules[k.SEATS]):
        if seat != used[SEAT]:
            sort(cards, seat * size, seat * size + size)
    sort(cards, size * rules[k.SEATS], n)
    room = _CLASSES_A_WORD
    for index in range(n):
        word = word << _CLASS_BITS | cards[index]
        room -= 1
        if room == 0 or index + 1 == n:
            key[at] = word
            at += 1
            word, room = 0, _CLASSES_A_WORD
    while at < key.size:
        key[at] = 0
        at += 1


@by_type
@jit_hot
def write_key(search: Search, depth: int) -> None:
    """Write the key of a position to its frame."""
    walk = search.walk
    n = write_cards(walk, depth, search.is_plain)
    pack(walk, depth, walk.frames[depth], KEY, n)


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
def add_move(walk: Walk, depth: int, action: int) -> None:
    """Add a move to those of a frame."""
    n = walk.frames[depth, N_MOVES]
    walk.moves[depth, n] = action
    walk.frames[depth, N_MOVES] = n + 1


@jit_hot
def add_hint(walk: Walk, depth: int, clues: int) -> bool:
    """Add one hint of a set of clues to somebody who sees all hands; return whether it exists."""
    rules, state = walk.rules, walk.states[depth]
    for turn in range(1, rules[k.SEATS]):
        seat = (state[k.SEAT] + turn) % rules[k.SEATS]
        if seat == walk.used[SEAT]:
            continue
        bits = hintable(Packed(rules, walk.deck, state), seat) & clues
        if bits:
            add_move(walk, depth, first_hint(bits, seat))
            return True
    return False


@by_type
@jit_hot
def add_some_hints(search: Search, depth: int, clues: int) -> None:
    """Add the hints to try of a set of clues: with open hands, one."""
    add_hint(search.walk, depth, clues)


@jit_hot
def add_hints(search: Searching, depth: int) -> None:
    """Add the hints to try; those of each kind if the kind of a hint restricts the next one."""
    rules = search.walk.rules
    if not has_hint(rules, search.walk.states[depth]):
        return
    if rules[k.BARS] == 0 and rules[k.BARS + 1] == 0:
        add_some_hints(search, depth, -1)
    else:
        add_some_hints(search, depth, k.COLOR_BITS)
        add_some_hints(search, depth, ~k.COLOR_BITS)


@jit_hot
def add_from_deck(walk: Walk, depth: int) -> None:
    """Add the legal moves that take the last card from the deck."""
    position = Packed(walk.rules, walk.deck, walk.states[depth])
    for action in (k.PLAY_DECK, k.DISCARD_DECK):
        if find_broken_rule(position, action) == NO_RULE:
            add_move(walk, depth, action)


@jit_hot
def is_second(walk: Walk, depth: int, first: int, slot: int) -> bool:
    """Whether an earlier slot of a hand, which begins at place `first`, has a card of its class."""
    position, live = Packed(walk.rules, walk.deck, walk.states[depth]), walk.frames[depth, LIVE]
    kind = class_of(walk, live, code_at(position, first + slot))
    for other in range(first, first + slot):
        if class_of(walk, live, code_at(position, other)) == kind:
            return True
    return False


@jit_hot
def list_moves(search: Search, depth: int) -> None:
    """Write the moves of a position that is begun."""
    if search.is_plain:
        _list_plain(search, depth)
    else:
        _list_all(search, depth)


@jit_hot
def _list_plain(search: Search, depth: int) -> None:
    """Write the moves that the reductions of `hanabi.solvers.draws` leave."""
    walk, frame = search.walk, search.walk.frames[depth]
    rules, state = walk.rules, walk.states[depth]
    position, seat = Packed(rules, walk.deck, state), state[k.SEAT]
    first, held = seat * rules[k.HAND_SIZE], n_held(rules, state, seat)
    trash, n_next = -1, 0
    for slot in range(held):
        code = code_at(position, first + slot)
        is_live = frame[LIVE] >> card_of(rules, code) & 1
        if not is_live or is_second(walk, depth, first, slot):
            trash = slot
        elif is_next(rules, state, code):
            add_move(walk, depth, action_code(k.PLAY, slot, 0))
            n_next += 1
    is_last_turn = state[k.TURNS_LEFT] >= 0 and rules[k.FINAL_ROUND] <= rules[k.SEATS]
    is_last_turn = is_last_turn and rules[k.MAX_HINTS] > 0
    if is_last_turn and n_next > 0:
        return
    discards = may_discard(rules, state)
    if discards and trash >= 0:
        add_move(walk, depth, action_code(k.DISCARD, trash, 0))
        if is_last_turn:
            return
    add_hints(search, depth)
    if is_last_turn and frame[N_MOVES] > 0:
        return
    kind = k.DISCARD if discards else k.PLAY
    if trash >= 0:
        if not discards:
            add_move(walk, depth, action_code(k.PLAY, trash, 0))
        return
    for slot in range(held):
        if discards or not is_next(rules, state, code_at(position, first + slot)):
            add_move(walk, depth, action_code(kind, slot, 0))


@jit_hot
def _list_all(search: Search, depth: int) -> None:
    """Write a move of each sort: play or discard a class of cards, give a kind of hint."""
    walk = search.walk
    rules, state = walk.rules, walk.states[depth]
    position, seat = Packed(rules, walk.deck, state), state[k.SEAT]
    first, held = seat * rules[k.HAND_SIZE], n_held(rules, state, seat)
    for kind in (k.PLAY, k.DISCARD):
        for slot in range(held):
            action = action_code(kind, slot, 0)
            if not is_second(walk, depth, first, slot) and (
                find_broken_rule(position, action) == NO_RULE
            ):
                add_move(walk, depth, action)
    add_from_deck(walk, depth)
    add_hints(search, depth)


@jit_hot
def most_moves(rules: Words) -> int:
    """Return the largest number of moves that `list_moves` writes."""
    return int(2 * rules[k.HAND_SIZE] + 4)


@by_type
@jit_hot
def expand(search: Search, depth: int) -> int:
    """List the moves of a position and return -1; or return its value, if they do not matter."""
    list_moves(search, depth)
    return -1


# The engine: the best move of each position, summed over all orders of the deck.


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
def begin(walk: Walk, depth: int, kind: int) -> None:
    """Begin a frame for the position of its depth, without moves."""
    rules, state, frame, used = walk.rules, walk.states[depth], walk.frames[depth], walk.used
    top = most_value(rules, state, used[GOAL])
    frame[KIND], frame[N_MOVES], frame[MOVE], frame[INDEX], frame[BEST] = kind, 0, -1, -1, -1
    frame[TOP], frame[SUM], frame[LEFT] = top, 0, 0
    frame[CEILING] = top * walk.orders[deck_left(rules, state)]
    frame[LIVE] = pile_cards(rules, state, TO_COME) if used[MERGES] else -1


@jit_hot
def give(walk: Walk, depth: int, action: int, kind: int) -> None:
    """Begin a frame in which one given action is taken; the search goes on from there."""
    begin(walk, depth, kind)
    add_move(walk, depth, action)
    walk.used[DEPTH], walk.used[STAGE] = depth, OPEN


@jit_hot
def _known(search: Searching, depth: int) -> int:
    """Begin a frame; return the value of its position, or -1 if it must be searched."""
    walk, frame = search.walk, search.walk.frames[depth]
    begin(walk, depth, POSITION)
    if frame[TOP] == 0 or walk.states[depth, k.END] != k.IN_PROGRESS:
        return int(frame[CEILING])
    write_key(search, depth)
    return int(walk.values[find_row(walk.keys, walk.values, frame, KEY)])


@jit_hot
def _swap(walk: Walk, depth: int) -> None:
    """Swap the card that a move draws with the first of the deck, or swap them back."""
    first, index, deck = walk.frames[depth, FIRST], walk.frames[depth, INDEX], walk.deck
    card = deck[first]
    deck[first] = deck[index]
    deck[index] = card


@jit_hot
def _next_draw(walk: Walk, depth: int) -> int:
    """Move INDEX to the next kind of card in the deck; return its copies, or 0 if none is left."""
    frame, deck = walk.frames[depth], walk.deck
    live, index = frame[LIVE], frame[INDEX] + 1
    while index < deck.size:
        kind, is_first = class_of(walk, live, deck[index]), True
        for other in range(frame[FIRST], index):
            if class_of(walk, live, deck[other]) == kind:
                is_first = False
                break
        if is_first:
            copies = 1
            for other in range(index + 1, deck.size):
                copies += class_of(walk, live, deck[other]) == kind
            frame[INDEX] = index
            return copies
        index += 1
    return 0


@jit_hot
def _next_child(walk: Walk, depth: int) -> bool:
    """Write the next position to value to the row below; return False if no move is left."""
    rules, state, frame = walk.rules, walk.states[depth], walk.frames[depth]
    n = deck_left(rules, state)
    if frame[LEFT] == 0 or frame[SUM] + frame[LEFT] * frame[TOP] <= frame[BEST]:
        if frame[MOVE] >= 0 and frame[LEFT] == 0 and frame[SUM] > frame[BEST]:
            frame[BEST], frame[CHOICE] = frame[SUM], frame[MOVE]
        frame[MOVE] += 1
        if frame[MOVE] == frame[N_MOVES] or frame[BEST] == frame[CEILING]:
            return False
        frame[SUM], frame[LEFT] = 0, walk.orders[n]
        frame[FIRST], frame[INDEX] = state[k.DRAWN], state[k.DRAWN] - 1
    action, below = walk.moves[depth, frame[MOVE]], walk.states[depth + 1]
    if n > 0 and not is_hint(action):
        copies = _next_draw(walk, depth)
        _swap(walk, depth)
    else:
        copies, frame[INDEX] = 1, frame[FIRST]
    for word in range(rules[k.STATE_SIZE]):
        below[word] = state[word]
    step(Packed(rules, walk.deck, below), action)
    frame[COPIES] = copies
    walk.used[STAGE] = NEW
    return True


@by_type
@jit_hot
def next_trial(search: Searching, depth: int) -> bool:  # noqa: ARG001 - open hands need no average
    """Write the next position of an average over hands to the row below; False if none is left."""
    return False


@jit_hot
def _add_value(walk: Walk, depth: int, value: int) -> None:
    """Add the value of the position below to the move that led to it."""
    frame = walk.frames[depth]
    frame[SUM] += frame[COPIES] * value
    if frame[KIND] >= AVERAGE:
        return
    frame[LEFT] -= frame[COPIES] * walk.orders[deck_left(walk.rules, walk.states[depth + 1])]
    if frame[INDEX] != frame[FIRST]:
        _swap(walk, depth)


@jit_hot
def run(search: Searching, limit: int) -> int:
    """Search until the value of the first position is known or `limit` positions are expanded.

    The state is in `used`, and another call continues from there.
    """
    walk, used = search.walk, search.walk.used
    depth, until = used[DEPTH], used[TRIED] + limit
    while True:
        value, frame = -1, walk.frames[depth]
        used[DEPTH] = depth
        if used[STAGE] == NEW:
            value = _known(search, depth)
            if value < 0:
                used[TRIED] += 1
                if used[SEAT] >= 0 or used[GOAL] == EXPECTATION:
                    used[STAGE] = BOUNDING
                    return ASKING
                used[STAGE] = BOUNDED
        if used[STAGE] == BOUNDED:
            value = expand(search, depth)
        used[STAGE] = OPEN
        if value < 0:
            is_full = used[MAY_GROW] != 0 and used[FILLED] * 4 >= walk.values.size * 3
            if used[TRIED] > until or is_full:
                return FULL if is_full else PAUSED
            is_average = frame[KIND] >= AVERAGE
            if (is_average and next_trial(search, depth)) or _next_child(walk, depth):
                depth += 1
                continue
            value = frame[BEST]
            if frame[KIND] == POSITION:
                used[FILLED] += keep(walk.keys, walk.values, used[FILLED], frame, KEY, value)
        if depth == 0:
            used[VALUE] = value
            return DONE
        depth -= 1
        _add_value(walk, depth, value)


# Searches that ask another one for the ceilings of their frames.


@jit_hot
def ask(walk: Walk, other: Walk, goal: int) -> None:
    """Make another search begin with the position of the current frame."""
    for word in range(walk.rules[k.STATE_SIZE]):
        other.states[0, word] = walk.states[walk.used[DEPTH], word]
    other.used[GOAL], other.used[DEPTH], other.used[STAGE] = goal, 0, NEW


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
    walk, used, asked = search.walk, search.walk.used, goals.walk.used
    until = used[TRIED] + asked[TRIED] + limit
    while True:
        if used[STAGE] == BOUNDING:
            frame = walk.frames[used[DEPTH]]
            if asked[DEPTH] < 0:
                ask(walk, goals.walk, frame[TOP])
            answer = run(goals, limit)
            if answer != DONE:
                return ASKING if answer == FULL else PAUSED
            asked[DEPTH], used[STAGE] = -1, BOUNDED
            n_orders = walk.orders[deck_left(walk.rules, walk.states[used[DEPTH]])]
            frame[CEILING] = (frame[TOP] - 1) * n_orders + asked[VALUE]
            if asked[VALUE] == n_orders:
                frame[BEST] = frame[CEILING]
        if used[TRIED] + asked[TRIED] > until:
            return PAUSED
        answer = run(search, limit)
        if answer != ASKING:
            return answer
