"""The search over draws: the best move of each position, summed over all orders of the deck."""

from __future__ import annotations

from hanabi.compiled.hot import jit_hot
from hanabi.draws.kernels import layout as w
from hanabi.draws.kernels.layout import Search
from hanabi.draws.kernels.moves import list_moves
from hanabi.draws.kernels.table import class_of, classify, find_row, keep, write_key
from hanabi.game import layout as k
from hanabi.game.kernels.facts import deck_left, most_points, ranks_to_come
from hanabi.game.kernels.rules import score, step
from hanabi.game.kernels.words import Packed, is_hint


@jit_hot
def _most(search: Search, depth: int) -> int:
    """Return the value that no order of the deck exceeds."""
    rules, state, goal = search.rules, search.states[depth], search.used[w.GOAL]
    if state[k.END] != k.IN_PROGRESS:
        points = score(rules, state)
    else:
        points = most_points(rules, state)
        if rules[k.ALL_OR_NOTHING] and points < rules[k.MAX_SCORE]:
            points = 0
    if goal == w.EXPECTATION:
        return int(points)
    return 1 if points >= goal else 0


@jit_hot
def _known(search: Search, depth: int) -> int:
    """Return the value of a position, or -1: it has to be searched, and its moves are listed."""
    rules, state, frame = search.rules, search.states[depth], search.frames[depth]
    top = _most(search, depth)
    if top == 0 or state[k.END] != k.IN_PROGRESS:
        return int(top * search.orders[deck_left(rules, state)])
    n = classify(search, depth)
    list_moves(search, depth)  # by slot: before the key puts the classes in order
    write_key(search, depth, n)
    row = find_row(search.keys, search.values, frame, w.KEY)
    if search.values[row] >= 0:
        return int(search.values[row])
    frame[w.MOVE], frame[w.INDEX], frame[w.BEST], frame[w.TOP] = -1, -1, -1, top
    frame[w.LEFT], frame[w.CEILING] = 0, top * search.orders[deck_left(rules, state)]
    return -1


@jit_hot
def _swap(search: Search, frame_depth: int) -> None:
    """Exchange the card that a move draws with the first of the deck, or back."""
    frame, deck = search.frames[frame_depth], search.deck
    first, index = frame[w.FIRST], frame[w.INDEX]
    card = deck[first]
    deck[first] = deck[index]
    deck[index] = card


@jit_hot
def _draw_next(search: Search, depth: int) -> int:
    """Let INDEX be where the next kind of card is in the deck; return its copies, or 0."""
    rules, state, frame = search.rules, search.states[depth], search.frames[depth]
    for color in range(rules[k.COLORS]):
        search.alive[color] = ranks_to_come(rules, state, color)
    index = frame[w.INDEX] + 1
    while index < rules[k.DECK_SIZE]:
        kind, is_first = class_of(search, search.deck[index]), True
        for other in range(frame[w.FIRST], index):
            if class_of(search, search.deck[other]) == kind:
                is_first = False
                break
        if is_first:
            copies = 1
            for other in range(index + 1, rules[k.DECK_SIZE]):
                copies += class_of(search, search.deck[other]) == kind
            frame[w.INDEX] = index
            return copies
        index += 1
    return 0


@jit_hot
def _next_child(search: Search, depth: int) -> bool:
    """Write the next position to be valued to the row below, or return False: all moves are."""
    rules, state, frame = search.rules, search.states[depth], search.frames[depth]
    n = deck_left(rules, state)
    while True:
        if frame[w.LEFT] == 0 or frame[w.SUM] + frame[w.LEFT] * frame[w.TOP] <= frame[w.BEST]:
            if frame[w.MOVE] >= 0 and frame[w.LEFT] == 0 and frame[w.SUM] > frame[w.BEST]:
                frame[w.BEST], frame[w.CHOICE] = frame[w.SUM], frame[w.MOVE]
            frame[w.MOVE] += 1
            if frame[w.MOVE] == frame[w.N_MOVES] or frame[w.BEST] == frame[w.CEILING]:
                return False
            frame[w.SUM], frame[w.LEFT] = 0, search.orders[n]
            frame[w.FIRST], frame[w.INDEX] = state[k.DRAWN], state[k.DRAWN] - 1
        action, below = search.moves[depth, frame[w.MOVE]], search.states[depth + 1]
        draws = n > 0 and not is_hint(action)
        if draws:
            copies = _draw_next(search, depth)
            _swap(search, depth)
        else:
            copies, frame[w.INDEX] = 1, frame[w.FIRST]
        for word in range(rules[k.STATE_SIZE]):
            below[word] = state[word]
        step(Packed(rules, search.deck, below), action)
        frame[w.COPIES] = copies
        return True


@jit_hot
def _add_value(search: Search, depth: int, value: int) -> None:
    """Count the value of the position below in the move that led to it."""
    rules, frame = search.rules, search.frames[depth]
    below = deck_left(rules, search.states[depth + 1])
    frame[w.SUM] += frame[w.COPIES] * value
    frame[w.LEFT] -= frame[w.COPIES] * search.orders[below]
    if frame[w.INDEX] != frame[w.FIRST]:
        _swap(search, depth)


@jit_hot
def run(search: Search, limit: int) -> int:
    """Go on until the value of the first position is known, or `limit` positions are expanded.

    What is known then is in `used`, and another call goes on from there.
    """
    used, tried = search.used, 0
    depth = used[w.DEPTH]
    while True:
        if used[w.IS_NEW]:
            value = _known(search, depth)
            used[w.IS_NEW] = 0
            if value < 0:
                tried += 1
                if used[w.GOAL] == w.EXPECTATION:
                    used[w.DEPTH] = depth
                    used[w.TRIED] += tried
                    return w.ASKING
        else:
            value = -1
        if value < 0:
            is_full = used[w.MAY_GROW] != 0 and used[w.FILLED] * 4 >= search.values.size * 3
            if tried > limit or is_full:
                used[w.DEPTH] = depth
                used[w.TRIED] += tried
                return w.FULL if is_full else w.PAUSED
            if _next_child(search, depth):
                depth += 1
                used[w.IS_NEW] = 1
                continue
            value = search.frames[depth, w.BEST]
            keep(search, depth, value)
        if depth == 0:
            used[w.DEPTH], used[w.VALUE] = 0, value
            used[w.TRIED] += tried
            return w.DONE
        depth -= 1
        _add_value(search, depth, value)


@jit_hot
def _ask(search: Search, goals: Search) -> None:
    """Let `goals` ask whether the frame at work can have as many points as the cards allow."""
    state, frame = search.states[search.used[w.DEPTH]], search.frames[search.used[w.DEPTH]]
    for word in range(search.rules[k.STATE_SIZE]):
        goals.states[0, word] = state[word]
    used = goals.used
    used[w.GOAL], used[w.DEPTH], used[w.IS_NEW] = frame[w.TOP], 0, 1


@jit_hot
def run_both(search: Search, goals: Search, limit: int) -> int:
    """Go on with a search for the expectation, whose ceilings `goals` lowers.

    If as many points as the cards allow can be had in some orders alone, all others have one less
    at most; if in all, that is the value. Both searches share one deck. `limit` is for either.

    Returns
    -------
    int
        As `run`, and `ASKING` if it is `goals` that needs more rows.
    """
    used, tried = search.used, search.used[w.TRIED] + goals.used[w.TRIED]
    answer = w.ASKING if goals.used[w.DEPTH] >= 0 else w.DONE
    while True:
        if answer == w.ASKING:
            if goals.used[w.DEPTH] < 0:
                _ask(search, goals)
            answer = run(goals, limit)
            if answer != w.DONE:
                return w.ASKING if answer == w.FULL else w.PAUSED
            goals.used[w.DEPTH] = -1
            frame = search.frames[used[w.DEPTH]]
            n = deck_left(search.rules, search.states[used[w.DEPTH]])
            frame[w.CEILING] = (frame[w.TOP] - 1) * search.orders[n] + goals.used[w.VALUE]
            if goals.used[w.VALUE] == search.orders[n]:
                frame[w.BEST] = frame[w.CEILING]
        if used[w.TRIED] + goals.used[w.TRIED] - tried > limit:
            return w.PAUSED
        answer = run(search, limit)
        if answer != w.ASKING:
            return answer
