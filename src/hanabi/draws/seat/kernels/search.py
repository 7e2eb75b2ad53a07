"""A plan for a team in which one seat does not see its hand, compiled.

The others see all hands, and choose what is best for the cards that lie there. The seat chooses by
what it sees: the table, and what hints leave possible in each of its slots. So a *situation* of the
seat is a position without its hand, and the plan has one action for each. Values are sums over all
orders of the deck, as in `hanabi.draws.kernels`.

A situation that the search meets gets its action at once and for good, so all values belong to one
plan. Either a rule of thumb chooses it, or the action is the best one on average over all hands
that are still possible in that situation, with the plan from there on.
"""

from __future__ import annotations

from hanabi.compiled.hot import jit_hot
from hanabi.draws.kernels import (
    ASKING,
    DONE,
    EXPECTATION,
    FULL,
    PAUSED,
    find_row,
    keep,
    most_value,
    run,
    run_both,
)
from hanabi.draws.kernels import DEPTH as OPEN_DEPTH
from hanabi.draws.kernels import GOAL as OPEN_GOAL
from hanabi.draws.kernels import IS_NEW as OPEN_IS_NEW
from hanabi.draws.kernels import VALUE as OPEN_VALUE
from hanabi.draws.seat.kernels.team import (
    AVERAGE,
    BEST,
    BOUNDING,
    BUDGET,
    CEILING,
    CHOICE,
    CHOSEN,
    COPIES,
    DEPTH,
    FILLED,
    FIRST,
    FRESH,
    GIVEN,
    GOAL,
    INDEX,
    KEY,
    KIND,
    LEFT,
    LEVEL,
    MOVE,
    N_MOVES,
    NEW,
    OPEN,
    POSITION,
    ROOT,
    SEAT,
    SMALL_GOALS,
    SMALL_MEANS,
    SMALL_PLAN,
    STAGE,
    SUM,
    TELLING,
    TOP,
    TOTAL,
    TRIED,
    VALUE,
    WEIGHT,
    Team,
    add_move,
    choose,
    list_others,
    list_seat,
    look,
    situation_row,
    thumb,
    write_key,
)
from hanabi.game import layout as k
from hanabi.game.kernels.facts import (
    deck_left,
    index_at,
    n_held,
)
from hanabi.game.kernels.packed import (
    Packed,
    card_code,
    is_hint,
)
from hanabi.game.kernels.rules import find_end, step

_MOST_HANDS = 3000  # hands that an average may go over


# The hands that are possible in a situation.


@jit_hot
def _next_hand(team: Team, depth: int) -> int:
    """Write the next hand to `hands`; return the number of ways to draw it, or 0 after the last.

    The seat's situation must be written; `counts` are those of the cards not in the hand.
    """
    frame, hand = team.frames[depth], team.hands[depth]
    held = n_held(team.rules, team.states[depth], team.used[SEAT])
    level = frame[LEVEL]
    if team.rules[k.OPEN_HANDS] != 0 or held == 0:
        frame[LEVEL] = -1
        return 1 if level == FRESH else 0
    if level == FRESH:
        level, hand[0] = 0, -1
    elif level < 0:
        return 0
    else:
        level = held - 1
    while True:
        card = hand[level]
        if card >= 0:
            team.counts[card] += 1
        card += 1
        while card < team.counts.size and not (
            team.counts[card] > 0 and team.possible[level] >> card & 1
        ):
            card += 1
        if card == team.counts.size:
            hand[level] = -1
            level -= 1
            if level < 0:
                frame[LEVEL] = -1
                return 0
            continue
        hand[level] = card
        team.counts[card] -= 1
        level += 1
        if level == held:
            break
        hand[level] = -1
    frame[LEVEL] = held
    ways = 1
    for slot in range(held):
        copies = team.counts[hand[slot]]
        for other in range(slot, held):
            copies += hand[other] == hand[slot]
        ways *= copies
    return ways


@jit_hot
def _take_up(team: Team, depth: int) -> None:
    """Go on with the enumeration of hands, after other situations were written meanwhile."""
    look(team, depth)
    if team.frames[depth, LEVEL] >= 0 and team.rules[k.OPEN_HANDS] == 0:
        for slot in range(n_held(team.rules, team.states[depth], team.used[SEAT])):
            team.counts[team.hands[depth, slot]] -= 1


@jit_hot
def _place(team: Team, depth: int) -> None:
    """Put the hand that was written into the seat's slots, and the other cards into the deck."""
    rules, state, seat = team.rules, team.states[depth], team.used[SEAT]
    if rules[k.OPEN_HANDS] != 0:
        return
    ranks, first = rules[k.RANKS], seat * rules[k.HAND_SIZE]
    for slot in range(n_held(rules, state, seat)):
        card = team.hands[depth, slot]
        code = card_code(card // ranks, card % ranks + 1)
        team.deck[index_at(rules, state, first + slot)] = code
    index = state[k.DRAWN]
    for card in range(team.counts.size):
        for _ in range(team.counts[card]):
            team.deck[index] = card_code(card // ranks, card % ranks + 1)
            index += 1


@jit_hot
def _swap_hidden(team: Team, depth: int, saves: bool) -> None:
    """Save what the seat does not see, or put it back."""
    rules, state, seat = team.rules, team.states[depth], team.used[SEAT]
    at, first = rules[k.HAND_SIZE], seat * rules[k.HAND_SIZE]
    for slot in range(n_held(rules, state, seat)):
        index = index_at(rules, state, first + slot)
        if saves:
            team.hands[depth, at] = team.deck[index]
        else:
            team.deck[index] = team.hands[depth, at]
        at += 1
    for index in range(state[k.DRAWN], rules[k.DECK_SIZE]):
        if saves:
            team.hands[depth, at] = team.deck[index]
        else:
            team.deck[index] = team.hands[depth, at]
        at += 1


# The search.


@jit_hot
def _known(team: Team, depth: int) -> int:
    """Return the value of a position, or -1 if it must be searched."""
    rules, state, frame = team.rules, team.states[depth], team.frames[depth]
    top = most_value(rules, state, team.used[GOAL])
    if top == 0 or state[k.END] != k.IN_PROGRESS:
        return int(top * team.orders[deck_left(rules, state)])
    look(team, depth)
    write_key(team, depth, frame, KEY, False)
    row = find_row(team.keys, team.values, frame, KEY)
    if team.values[row] >= 0:
        return int(team.values[row])
    _begin(team, depth, POSITION)
    return -1


@jit_hot
def _begin(team: Team, depth: int, kind: int) -> None:
    frame, state = team.frames[depth], team.states[depth]
    top = most_value(team.rules, state, team.used[GOAL])
    frame[KIND], frame[N_MOVES], frame[MOVE], frame[INDEX], frame[BEST] = kind, 0, -1, -1, -1
    frame[TOP], frame[LEFT], frame[SUM], frame[LEVEL], frame[TOTAL] = top, 0, 0, FRESH, 0
    frame[CEILING] = top * team.orders[deck_left(team.rules, state)]


@jit_hot
def begin_given(team: Team, action: int, kind: int) -> None:
    """Make frame 0 the position in `states[0]` with a given move, as a `GIVEN` or `ROOT` frame."""
    _begin(team, 0, kind)
    team.moves[0, 0], team.frames[0, N_MOVES] = action, 1
    team.used[DEPTH], team.used[STAGE] = 0, OPEN


@jit_hot
def _ask(team: Team, depth: int) -> None:
    """Let the search with open hands begin with a position."""
    goals, means, state = team.goals, team.means, team.states[depth]
    goals.used[OPEN_DEPTH] = -1
    if team.used[GOAL] == EXPECTATION:
        for word in range(state.size):
            means.states[0, word] = state[word]
        means.used[OPEN_DEPTH], means.used[OPEN_IS_NEW] = 0, 1
    else:
        for word in range(state.size):
            goals.states[0, word] = state[word]
        goals.used[OPEN_GOAL], goals.used[OPEN_DEPTH] = team.used[GOAL], 0
        goals.used[OPEN_IS_NEW] = 1


@jit_hot
def _bound(team: Team, depth: int, limit: int) -> int:
    """Go on with the search with open hands; its value is the frame's ceiling if it is done."""
    if team.used[GOAL] == EXPECTATION:
        answer = run_both(team.means, team.goals, limit)
        if answer == DONE:
            team.frames[depth, CEILING] = team.means.used[OPEN_VALUE]
        elif answer != PAUSED:
            answer = SMALL_MEANS if answer == FULL else SMALL_GOALS
        return answer
    answer = run(team.goals, limit)
    if answer == DONE:
        team.frames[depth, CEILING] = team.goals.used[OPEN_VALUE]
        team.goals.used[OPEN_DEPTH] = -1
    return SMALL_GOALS if answer == FULL or answer == ASKING else answer


@jit_hot
def _list(team: Team, depth: int) -> None:
    """Write the moves of a position: the planned one of the seat, or all that others consider."""
    frame, used = team.frames[depth], team.used
    frame[N_MOVES] = 0
    look(team, depth)
    if team.states[depth, k.SEAT] != used[SEAT]:
        list_others(team, depth)
        return
    row = situation_row(team, depth)
    if team.plan[row] >= 0:
        add_move(team, depth, team.plan[row])
        return
    if used[TELLING] > 0 and used[TRIED] < used[BUDGET] and _are_few(team, depth):
        look(team, depth)
        frame[KIND] = AVERAGE
        list_seat(team, depth)
        _swap_hidden(team, depth, True)
        return
    look(team, depth)
    action = thumb(team, depth)
    choose(team, depth, action)
    frame[N_MOVES] = 0
    add_move(team, depth, action)


@jit_hot
def _are_few(team: Team, depth: int) -> bool:
    """Whether an average can go over the hands of a situation."""
    frame, hands = team.frames[depth], 0
    while hands <= _MOST_HANDS and _next_hand(team, depth) > 0:
        hands += 1
    frame[LEVEL] = FRESH
    return hands <= _MOST_HANDS


@jit_hot
def _next_draw(team: Team, depth: int) -> int:
    """Move INDEX to the next different card in the deck; return its copies, or 0 after the last."""
    frame, deck = team.frames[depth], team.deck
    index = frame[INDEX] + 1
    while index < deck.size:
        is_first, copies = True, 1
        for other in range(frame[FIRST], index):
            is_first = is_first and deck[other] != deck[index]
        if is_first:
            for other in range(index + 1, deck.size):
                copies += deck[other] == deck[index]
            frame[INDEX] = index
            return copies
        index += 1
    return 0


@jit_hot
def _swap(team: Team, depth: int) -> None:
    """Swap the card that a move draws with the first of the deck, or swap them back."""
    frame, deck = team.frames[depth], team.deck
    card = deck[frame[FIRST]]
    deck[frame[FIRST]] = deck[frame[INDEX]]
    deck[frame[INDEX]] = card


@jit_hot
def _next_child(team: Team, depth: int) -> bool:
    """Write the next position to value to the row below; return False if no move is left."""
    rules, state, frame = team.rules, team.states[depth], team.frames[depth]
    if frame[KIND] >= AVERAGE:
        if _next_trial(team, depth):
            return True
        if frame[KIND] == ROOT:
            return False
        choose(team, depth, frame[CHOICE])
        ceiling = frame[CEILING]
        _begin(team, depth, POSITION)
        frame[CEILING], frame[N_MOVES], team.moves[depth, 0] = ceiling, 1, frame[CHOICE]
    n = deck_left(rules, state)
    while True:
        if frame[LEFT] == 0 or frame[SUM] + frame[LEFT] * frame[TOP] <= frame[BEST]:
            if frame[MOVE] >= 0 and frame[LEFT] == 0 and frame[SUM] > frame[BEST]:
                frame[BEST] = frame[SUM]
            frame[MOVE] += 1
            if frame[MOVE] == frame[N_MOVES] or frame[BEST] == frame[CEILING]:
                return False
            frame[SUM], frame[LEFT] = 0, team.orders[n]
            frame[FIRST], frame[INDEX] = state[k.DRAWN], state[k.DRAWN] - 1
        action, below = team.moves[depth, frame[MOVE]], team.states[depth + 1]
        if n > 0 and not is_hint(action):
            copies = _next_draw(team, depth)
            _swap(team, depth)
        else:
            copies, frame[INDEX] = 1, frame[FIRST]
        for word in range(rules[k.STATE_SIZE]):
            below[word] = state[word]
        step(Packed(rules, team.deck, below), action)
        frame[COPIES] = copies
        team.used[STAGE] = NEW
        return True


@jit_hot
def _next_trial(team: Team, depth: int) -> bool:
    """Write the position for the next hand and move of an average to the row below, if any."""
    rules, state, frame = team.rules, team.states[depth], team.frames[depth]
    if frame[KIND] == ROOT:
        return _next_root(team, depth)
    _swap_hidden(team, depth, False)
    if frame[MOVE] < 0:
        frame[MOVE], frame[SUM], frame[TOTAL] = 0, 0, 0
    _take_up(team, depth)
    while True:
        ways = _next_hand(team, depth)
        if ways == 0:
            if frame[SUM] > frame[BEST]:
                frame[BEST], frame[CHOICE] = frame[SUM], team.moves[depth, frame[MOVE]]
            frame[MOVE] += 1
            top = frame[TOTAL] * frame[TOP] * team.orders[deck_left(rules, state)]
            if frame[MOVE] == frame[N_MOVES] or frame[BEST] == top:
                return False
            frame[SUM], frame[TOTAL], frame[LEVEL] = 0, 0, FRESH
            _take_up(team, depth)
            continue
        _place(team, depth)
        if find_end(Packed(rules, team.deck, state)) != k.IN_PROGRESS:
            _swap_hidden(team, depth, False)
            continue  # the seat sees that the game goes on
        frame[WEIGHT] = ways
        frame[TOTAL] += ways
        _give(team, depth, team.moves[depth, frame[MOVE]])
        return True


@jit_hot
def _give(team: Team, depth: int, action: int) -> None:
    """Write the same position to the row below, with its move given."""
    for word in range(team.rules[k.STATE_SIZE]):
        team.states[depth + 1, word] = team.states[depth, word]
    _begin(team, depth + 1, GIVEN)
    team.moves[depth + 1, 0], team.frames[depth + 1, N_MOVES] = action, 1
    team.used[STAGE] = OPEN


@jit_hot
def _next_root(team: Team, depth: int) -> bool:
    """Put the next hand of `roots` into its place; return False after the last."""
    frame, rules, state = team.frames[depth], team.rules, team.states[depth]
    row = frame[LEVEL] + 1 if frame[LEVEL] != FRESH else 0
    if row == team.weights.size:
        frame[BEST] = frame[SUM]
        return False
    frame[LEVEL], frame[WEIGHT] = row, team.weights[row]
    at, first = 0, team.used[SEAT] * rules[k.HAND_SIZE]
    if rules[k.OPEN_HANDS] == 0:
        for slot in range(n_held(rules, state, team.used[SEAT])):
            team.deck[index_at(rules, state, first + slot)] = team.roots[row, at]
            at += 1
    for index in range(state[k.DRAWN], rules[k.DECK_SIZE]):
        team.deck[index] = team.roots[row, at]
        at += 1
    _give(team, depth, team.moves[depth, 0])
    return True


@jit_hot
def _add_value(team: Team, depth: int, value: int) -> None:
    """Add the value of the position below to the move that led to it."""
    frame = team.frames[depth]
    if frame[KIND] >= AVERAGE:
        frame[SUM] += frame[WEIGHT] * value
        return
    below = deck_left(team.rules, team.states[depth + 1])
    frame[SUM] += frame[COPIES] * value
    frame[LEFT] -= frame[COPIES] * team.orders[below]
    if frame[INDEX] != frame[FIRST]:
        _swap(team, depth)


@jit_hot
def _is_hopeless(team: Team, depth: int) -> bool:
    """Whether the move that led to a position cannot be better than another one above it."""
    if depth == 0 or team.frames[depth - 1, KIND] != POSITION:
        return False
    frame, above = team.frames[depth], team.frames[depth - 1]
    others = above[LEFT] - above[COPIES] * team.orders[deck_left(team.rules, team.states[depth])]
    most = above[SUM] + above[COPIES] * frame[CEILING] + others * above[TOP]
    return bool(above[BEST] >= 0 and most <= above[BEST])


@jit_hot
def run_team(team: Team, limit: int) -> int:
    """Search until the value of frame 0 is known or `limit` positions are expanded.

    Another call continues from there. Beside `DONE` and `PAUSED`, it returns which table is full.
    """
    used, tried, depth = team.used, 0, team.used[DEPTH]
    while True:
        value = -1
        used[DEPTH] = depth
        if used[STAGE] == NEW:
            value = _known(team, depth)
            if value < 0:
                _ask(team, depth)
                used[STAGE] = BOUNDING
        if used[STAGE] == BOUNDING:
            answer = _bound(team, depth, limit)
            if answer != DONE:
                return answer
            tried += 1
            used[TRIED] += 1
            if team.frames[depth, CEILING] == 0 or _is_hopeless(team, depth):
                value = 0
            else:
                if used[CHOSEN] * 4 >= team.plan.size * 3:
                    _ask(team, depth)  # the next call comes back here, and finds the value at once
                    return SMALL_PLAN
                _list(team, depth)
            used[STAGE] = OPEN
        if value < 0:
            if tried > limit:
                return PAUSED
            if _next_child(team, depth):
                depth += 1
                continue
            value = team.frames[depth, BEST]
            if team.frames[depth, KIND] == POSITION:
                frame = team.frames[depth]
                used[FILLED] += keep(team.keys, team.values, used[FILLED], frame, KEY, value)
        if depth == 0:
            used[VALUE] = value
            return DONE
        depth -= 1
        _add_value(team, depth, value)
        used[STAGE] = OPEN


@jit_hot
def planned(team: Team) -> int:
    """Return the seat's action in the situation in `states[0]`: the planned one, or by thumb."""
    look(team, 0)
    row = situation_row(team, 0)
    if team.plan[row] >= 0:
        return int(team.plan[row])
    return thumb(team, 0)


@jit_hot
def list_all(team: Team) -> int:
    """Write the moves considered in `states[0]` by who sees all hands; return their number."""
    team.frames[0, N_MOVES] = 0
    look(team, 0)
    list_others(team, 0)
    return int(team.frames[0, N_MOVES])
