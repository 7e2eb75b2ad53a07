"""A plan for a team in which one seat does not see its hand, compiled.

The others see all hands, and choose what is best for the cards that lie there. The seat chooses by
what it sees: the table, and what hints leave possible in each of its slots. So a *situation* of the
seat is a position without its hand, and the plan has one action for each. Values are sums over all
orders of the deck, as in `hanabi.solvers.draws.kernels`.

The others may also command the seat's next action by which hint they give, which trash they discard
or which of two copies they play (`hanabi.solvers.draws.seat.kernels.team.command_of`). A command
depends on nothing that the seat does not see. The seat obeys the last one since its own last
action, if that is legal. So its action is still a function of what it has seen. The others choose
knowing what their choice commands, and every hand is searched with the same function, so the value
is what the plan gives.

A situation that the search meets gets its action at once and for good, so all values belong to one
plan. Either a rule of thumb chooses it, or the action is the best one on average over all hands
that are still possible in that situation, with the plan from there on. Afterwards, one situation
after another may get another action; then all values are found anew
(`hanabi.solvers.draws.seat.Plan.improved`).
"""

from __future__ import annotations

from hanabi.ground.compiled.hot import jit_hot
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import deck_left, index_at
from hanabi.rules.kernels.packed import Packed, card_code, card_of
from hanabi.rules.kernels.rules import find_end
from hanabi.solvers.draws import kernels as w
from hanabi.solvers.draws.kernels import (
    Walk,
    add_move,
    ask,
    begin,
    expand,
    give,
    next_trial,
    run,
    run_both,
)
from hanabi.solvers.draws.seat.kernels.team import (
    DEAD,
    Team,
    choose,
    is_obeyed,
    list_others,
    list_seat,
    look,
    n_hidden,
    situation_row,
    thumb,
)

SMALL_PLAN = w.ASKING + 1
"""An answer of `run_team`, beside those of `run_both`: the plan needs more rows."""

_FRESH = -2  # the level of an enumeration that has not begun
_MOST_HANDS = 3000  # hands that an average may go over


# The hands that are possible in a situation.


@jit_hot
def _next_hand(team: Team, depth: int) -> int:
    """Write the next hand to `hands`; return the number of ways to draw it, or 0 after the last.

    The seat's situation must be written; `counts` are those of the cards not in the hand.
    """
    walk, frame, hand = team.walk, team.walk.frames[depth], team.hands[depth]
    held, level = n_hidden(walk, depth), frame[w.LEVEL]
    if held == 0:
        frame[w.LEVEL] = -1
        return 1 if level == _FRESH else 0
    if level == _FRESH:
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
                frame[w.LEVEL] = -1
                return 0
            continue
        hand[level] = card
        team.counts[card] -= 1
        level += 1
        if level == held:
            break
        hand[level] = -1
    frame[w.LEVEL] = held
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
    if team.walk.frames[depth, w.LEVEL] >= 0:
        for slot in range(n_hidden(team.walk, depth)):
            team.counts[team.hands[depth, slot]] -= 1


@jit_hot
def _index_of(walk: Walk, depth: int, number: int) -> int:
    """Return where in the deck a card is that the seat does not see, those of its hand first."""
    rules, state, held = walk.rules, walk.states[depth], n_hidden(walk, depth)
    if number < held:
        return index_at(rules, state, walk.used[w.SEAT] * rules[k.HAND_SIZE] + number)
    return int(state[k.DRAWN] + number - held)


@jit_hot
def _put(team: Team, depth: int, number: int, card: int, dead: int) -> int:
    """Put a card into a place that the seat does not see.

    If dead cards are merged, the next of those that were saved is taken after place `dead`, which
    is returned.
    """
    rules, saved = team.walk.rules, team.hands[depth]
    ranks, live = rules[k.RANKS], team.walk.frames[depth, w.LIVE]
    code = card_code(card // ranks, card % ranks + 1)
    if card == DEAD:
        dead += 1
        while live >> card_of(rules, saved[dead]) & 1:
            dead += 1
        code = saved[dead]
    team.walk.deck[_index_of(team.walk, depth, number)] = code
    return dead


@jit_hot
def _place(team: Team, depth: int) -> None:
    """Put the hand that was written into the seat's slots, and the other cards into the deck."""
    rules, number = team.walk.rules, n_hidden(team.walk, depth)
    if rules[k.OPEN_HANDS] != 0:
        return
    dead = rules[k.HAND_SIZE] - 1
    for slot in range(number):
        dead = _put(team, depth, slot, team.hands[depth, slot], dead)
    for card in range(team.counts.size):
        for _ in range(team.counts[card]):
            dead = _put(team, depth, number, card, dead)
            number += 1


@jit_hot
def _swap_hidden(team: Team, depth: int, saves: bool) -> None:
    """Save what the seat does not see, or put it back."""
    walk, first = team.walk, team.walk.rules[k.HAND_SIZE]
    for number in range(n_hidden(walk, depth) + deck_left(walk.rules, walk.states[depth])):
        index = _index_of(walk, depth, number)
        if saves:
            team.hands[depth, first + number] = walk.deck[index]
        else:
            walk.deck[index] = team.hands[depth, first + number]


# What the engine asks of the search, and the search with open hands that bounds it.


@expand.register(Team)
@jit_hot
def _expand(team: Team, depth: int) -> int:
    """Write the moves of a position: the planned one of the seat, or all that others consider."""
    walk, frame, used = team.walk, team.walk.frames[depth], team.walk.used
    if frame[w.CEILING] == 0 or _is_hopeless(team, depth):
        return 0
    look(team, depth)
    if walk.states[depth, k.SEAT] != used[w.SEAT]:
        list_others(team, depth)
        return -1
    if is_obeyed(team, depth):
        add_move(walk, depth, frame[w.COMMAND] - 1)
        return -1
    row = situation_row(team, depth)
    if row == used[w.TRIAL]:
        _try_option(team, depth, row)
    if team.plan[row] >= 0:
        add_move(walk, depth, team.plan[row])
        return -1
    if used[w.TRIED] < used[w.BUDGET] and _are_few(team, depth):
        look(team, depth)
        frame[w.KIND] = w.AVERAGE
        list_seat(team, depth)
        _swap_hidden(team, depth, True)
        return -1
    look(team, depth)
    action = thumb(team, depth)
    choose(team, depth, action)
    frame[w.N_MOVES] = 0
    add_move(walk, depth, action)
    return -1


@jit_hot
def _try_option(team: Team, depth: int, row: int) -> None:
    """Plan another move for a situation: that of number `OPTION`, if there are so many."""
    walk, frame, used = team.walk, team.walk.frames[depth], team.walk.used
    list_seat(team, depth)
    if used[w.OPTION] < frame[w.N_MOVES]:
        team.plan[row] = walk.moves[depth, used[w.OPTION]]
    else:
        used[w.OPTION] = -1
    used[w.TRIAL], frame[w.N_MOVES] = -1, 0


@jit_hot
def _is_hopeless(team: Team, depth: int) -> bool:
    """Whether the move that led to a position cannot be better than another one above it."""
    walk = team.walk
    frame, above = walk.frames[depth], walk.frames[depth - 1]
    if depth == 0 or above[w.KIND] != w.POSITION:
        return False
    n_orders = walk.orders[deck_left(walk.rules, walk.states[depth])]
    others = above[w.LEFT] - above[w.COPIES] * n_orders
    most = above[w.SUM] + above[w.COPIES] * frame[w.CEILING] + others * above[w.TOP]
    return bool(above[w.BEST] >= 0 and most <= above[w.BEST])


@jit_hot
def _are_few(team: Team, depth: int) -> bool:
    """Whether an average can go over the hands of a situation."""
    frame, hands = team.walk.frames[depth], 0
    frame[w.LEVEL] = _FRESH
    while hands <= _MOST_HANDS and _next_hand(team, depth) > 0:
        hands += 1
    frame[w.LEVEL] = _FRESH
    return hands <= _MOST_HANDS


@next_trial.register(Team)
@jit_hot
def _next_trial(team: Team, depth: int) -> bool:
    """Write the position for the next hand and move of an average to the row below, if any."""
    walk, frame = team.walk, team.walk.frames[depth]
    state = walk.states[depth]
    if frame[w.KIND] == w.ROOT:
        return _next_root(team, depth)
    _swap_hidden(team, depth, False)
    if frame[w.MOVE] < 0:
        frame[w.MOVE], frame[w.SUM], frame[w.TOTAL] = 0, 0, 0
    _take_up(team, depth)
    while True:
        ways = _next_hand(team, depth)
        if ways == 0:
            if frame[w.SUM] > frame[w.BEST]:
                frame[w.BEST], frame[w.CHOICE] = frame[w.SUM], frame[w.MOVE]
            frame[w.MOVE] += 1
            top = frame[w.TOTAL] * frame[w.TOP] * walk.orders[deck_left(walk.rules, state)]
            if frame[w.MOVE] == frame[w.N_MOVES] or frame[w.BEST] == top:
                action, ceiling = walk.moves[depth, frame[w.CHOICE]], frame[w.CEILING]
                choose(team, depth, action)
                give(walk, depth, action, w.POSITION)
                frame[w.CEILING] = ceiling
                return False
            frame[w.SUM], frame[w.TOTAL], frame[w.LEVEL] = 0, 0, _FRESH
            _take_up(team, depth)
            continue
        _place(team, depth)
        if find_end(Packed(walk.rules, walk.deck, state)) != k.IN_PROGRESS:
            _swap_hidden(team, depth, False)
            continue  # the seat sees that the game goes on
        frame[w.COPIES] = ways
        frame[w.TOTAL] += ways
        _give_below(walk, depth)
        return True


@jit_hot
def _next_root(team: Team, depth: int) -> bool:
    """Put the next hand of `roots` into its place; return False after the last."""
    walk, frame = team.walk, team.walk.frames[depth]
    row = frame[w.INDEX] + 1
    frame[w.MOVE] = 0
    if row == team.weights.size:
        return False
    frame[w.INDEX], frame[w.COPIES] = row, team.weights[row]
    for number in range(team.roots.shape[1]):
        walk.deck[_index_of(walk, depth, number)] = team.roots[row, number]
    _give_below(walk, depth)
    return True


@jit_hot
def _give_below(walk: Walk, depth: int) -> None:
    """Write the same position to the row below, with the current move given."""
    for word in range(walk.rules[k.STATE_SIZE]):
        walk.states[depth + 1, word] = walk.states[depth, word]
    give(walk, depth + 1, walk.moves[depth, walk.frames[depth, w.MOVE]], w.GIVEN)


@jit_hot
def _ask(team: Team) -> None:
    """Let the search with open hands begin with the current position."""
    team.goals.walk.used[w.DEPTH] = -1
    goal = team.walk.used[w.GOAL]
    if goal == w.EXPECTATION:
        ask(team.walk, team.means.walk, goal)
    else:
        ask(team.walk, team.goals.walk, goal)


@jit_hot
def run_team(team: Team, limit: int) -> int:
    """Search until the value of frame 0 is known or `limit` positions are expanded.

    Another call continues from there. The answers are those of `run_both`, and `SMALL_PLAN`.
    """
    used, means, goals = team.walk.used, team.means, team.goals
    until = used[w.TRIED] + limit
    while True:
        if used[w.STAGE] == w.BOUNDING:
            if used[w.GOAL] == w.EXPECTATION:
                answer, value = run_both(means, goals, limit), means.walk.used[w.VALUE]
            else:
                answer, value = run(goals, limit), goals.walk.used[w.VALUE]
            if answer != w.DONE:
                return answer
            goals.walk.used[w.DEPTH], used[w.STAGE] = -1, w.BOUNDED
            team.walk.frames[used[w.DEPTH], w.CEILING] = value
            if used[w.CHOSEN] * 4 >= team.plan.size * 3:
                return SMALL_PLAN
        if used[w.TRIED] > until:
            return w.PAUSED
        answer = run(team, limit)
        if answer != w.ASKING:
            return answer
        _ask(team)


@jit_hot
def planned(team: Team) -> int:
    """Return the seat's action in the situation in `states[0]`: the planned one, or by thumb."""
    begin(team.walk, 0, w.POSITION)
    look(team, 0)
    if is_obeyed(team, 0):
        return int(team.walk.frames[0, w.COMMAND] - 1)
    row = situation_row(team, 0)
    return int(team.plan[row] if team.plan[row] >= 0 else thumb(team, 0))


@jit_hot
def list_all(team: Team) -> int:
    """Write the moves considered in `states[0]` by who sees all hands; return their number."""
    begin(team.walk, 0, w.POSITION)
    look(team, 0)
    list_others(team, 0)
    return int(team.walk.frames[0, w.N_MOVES])
