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

from typing import NamedTuple

from hanabi.compiled import Words
from hanabi.compiled.hot import jit_hot
from hanabi.draws.kernels import (
    ASKING,
    CLASS_BITS,
    CLASSES_A_WORD,
    DONE,
    EXPECTATION,
    FULL,
    PAUSED,
    PILE_BITS,
    PILES_A_WORD,
    Search,
    find_row,
    run,
    run_both,
    sort,
)
from hanabi.draws.kernels import DEPTH as OPEN_DEPTH
from hanabi.draws.kernels import GOAL as OPEN_GOAL
from hanabi.draws.kernels import IS_NEW as OPEN_IS_NEW
from hanabi.draws.kernels import VALUE as OPEN_VALUE
from hanabi.game import layout as k
from hanabi.game.kernels.facts import (
    cards_hinted,
    cards_known,
    code_at,
    deck_left,
    first_hint,
    has_hint,
    hintable,
    index_at,
    is_next,
    known_at,
    may_discard,
    most_points,
    n_held,
    next_ranks,
    ranks_to_come,
)
from hanabi.game.kernels.legal import NO_RULE, find_broken_rule
from hanabi.game.kernels.packed import (
    Packed,
    action_code,
    card_code,
    card_of,
    color_of,
    is_hint,
    kind_of,
    rank_of,
    value_of,
)
from hanabi.game.kernels.rules import find_end, score, step

# Words of `used`. DEPTH: the current frame, and STAGE what is to be done with it. TRIED: positions
# expanded. VALUE: the value of frame 0, once it is known. FILLED, CHOSEN: used rows of the tables.
# GOAL: as in `hanabi.draws.kernels`. SEAT: the seat that does not see its hand. STALLS: whether the
# rule of thumb hints before it discards trash. DECISIONS: how many decisions of the seat in a line
# are made by averages, and BUDGET: only before this many positions are expanded.
DEPTH, STAGE, TRIED, VALUE, FILLED, CHOSEN, GOAL, SEAT, STALLS, DECISIONS, BUDGET = range(11)
N_USED = 11

NEW, BOUNDING, OPEN = range(3)
"""Stages: not looked at; its value with open hands is being found; its moves are being tried."""

SMALL_TABLE, SMALL_PLAN, SMALL_GOALS, SMALL_MEANS = range(4, 8)
"""Answers of a run beside `DONE` and `PAUSED`: the table that needs more rows."""

# Words of a frame: as in `hanabi.draws.kernels`, and then: KIND, LEVEL (of the enumeration of
# hands), WEIGHT of the current hand, TOTAL weight of the hands so far, BEFORE: decisions by
# averages on the way to this frame. From KEY on: the key of the position.
N_MOVES, MOVE, INDEX, FIRST, COPIES, SUM, LEFT, BEST, CHOICE, TOP, CEILING = range(11)
KIND, LEVEL, WEIGHT, TOTAL, BEFORE, KEY = range(11, 17)

POSITION, GIVEN, AVERAGE, ROOT = range(4)
"""Kinds of frames: a position; one whose move is given; a choice by averages over hands; the sum
over all hands of a given move."""

_MOST_HANDS = 400  # hands that an average may go over
_FRESH = -2


class Team(NamedTuple):
    """The search for a plan from the position in `states[0]`.

    Attributes
    ----------
    rules
        The rule set.
    deck
        The cards, shared with `goals` and `means`; the search rearranges what the seat cannot see.
    allowed
        By place in the deck, the set of cards that may be there by what the caller knows.
    orders
        n! for n up to the cards still to be drawn.
    states, frames, moves
        One row per depth.
    hands
        One row per depth: the hand tried, then what lay in the seat's slots and in the deck.
    counts
        The copies of each card that the seat does not see.
    cards, possible
        Cards of one position, as in a key; the cards possible in each slot of the seat.
    keys, values
        The transposition table; -1 marks an empty row.
    situations, plan
        The situations of the seat, and its action in each; -1 marks an empty row.
    seen
        The key of one situation.
    used
        Counters; see `DEPTH`.
    goals, means
        Searches with open hands: no plan has a larger value.
    """

    rules: Words
    deck: Words
    allowed: Words
    orders: Words
    states: Words
    frames: Words
    moves: Words
    hands: Words
    counts: Words
    cards: Words
    possible: Words
    keys: Words
    values: Words
    situations: Words
    plan: Words
    seen: Words
    used: Words
    goals: Search
    means: Search


@jit_hot
def team_key_width(rules: Words, n: int) -> int:
    """Return the number of words of a key with at most `n` cards still to be drawn."""
    cards = rules[k.SEATS] * rules[k.HAND_SIZE] + rules[k.HAND_SIZE] + n
    piles = -(-rules[k.COLORS] // PILES_A_WORD)
    words = 1 + (rules[k.DISTINCT_STARTS] != 0) + piles - (-cards // CLASSES_A_WORD)
    return int(words + rules[k.HAND_SIZE])


# What the seat knows of its hand.


@jit_hot
def look(team: Team, depth: int) -> None:
    """Write the copies that the seat does not see, and the cards possible in each of its slots."""
    rules, state, seat = team.rules, team.states[depth], team.used[SEAT]
    position = Packed(rules, team.deck, state)
    for card in range(team.counts.size):
        team.counts[card] = 0
    first, held = seat * rules[k.HAND_SIZE], n_held(rules, state, seat)
    if rules[k.OPEN_HANDS] == 0:
        for place in range(first, first + held):
            team.counts[card_of(rules, code_at(position, place))] += 1
    for index in range(state[k.DRAWN], rules[k.DECK_SIZE]):
        team.counts[card_of(rules, team.deck[index])] += 1
    present = 0
    for card in range(team.counts.size):
        if team.counts[card] > 0:
            present |= 1 << card
    for slot in range(rules[k.HAND_SIZE]):
        team.possible[slot] = 0
        if slot >= held:
            continue
        if rules[k.OPEN_HANDS] != 0:
            team.possible[slot] = 1 << card_of(rules, code_at(position, first + slot))
        else:
            known = cards_known(rules, known_at(rules, state, first + slot))
            known &= team.allowed[index_at(rules, state, first + slot)]
            team.possible[slot] = known & present


@jit_hot
def _weight(team: Team, cards: int) -> int:
    """Return the number of copies that the seat does not see of a set of cards."""
    total = 0
    for card in range(team.counts.size):
        if cards >> card & 1:
            total += team.counts[card]
    return total


@jit_hot
def _set_of(team: Team, depth: int, which: int) -> int:
    """Return the cards that a pile takes now (0), can still take (1), or that are inverted (2)."""
    rules, state, found = team.rules, team.states[depth], 0
    for color in range(rules[k.COLORS]):
        if which == 0:
            ranks = next_ranks(rules, state, color)
        elif which == 1:
            ranks = ranks_to_come(rules, state, color)
        else:
            ranks = -1 if rules[k.INVERTED] >> color & 1 else 0
        for rank in range(1, rules[k.RANKS] + 1):
            if ranks >> rank & 1:
                found |= 1 << (color * rules[k.RANKS] + rank - 1)
    return found


# Keys.


@jit_hot
def _write(team: Team, depth: int, key: Words, start: int, hides: bool) -> None:
    """Write a key from word `start` on: of the position, or of the seat's situation if `hides`.

    What the seat knows must be written.
    """
    rules, state, seat = team.rules, team.states[depth], team.used[SEAT]
    position, at = Packed(rules, team.deck, state), start
    barred = (state[k.BARRED] & k.COLOR_BITS != 0) | (state[k.BARRED] >> k.RANK_BITS != 0) << 1
    word = state[k.SEAT] | state[k.LIVES] << 3 | (state[k.TURNS_LEFT] + 1) << 11 | barred << 20
    key[at] = word | state[k.HINTS] << 22 | state[k.DRAWN] << 30
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
    size, n = rules[k.HAND_SIZE], 0
    for slot in range(size):
        key[at] = team.possible[slot]
        at += 1
    for other in range(rules[k.SEATS]):
        held = n_held(rules, state, other)
        for slot in range(size):
            team.cards[n] = 0
            if slot < held and not (hides and other == seat):
                team.cards[n] = 1 + card_of(rules, code_at(position, other * size + slot))
            n += 1
        if other != seat:
            sort(team.cards, n - size, n)
    first = n
    if hides:
        for card in range(team.counts.size):
            for _ in range(team.counts[card]):
                team.cards[n] = 1 + card
                n += 1
    else:
        for index in range(state[k.DRAWN], rules[k.DECK_SIZE]):
            team.cards[n] = 1 + card_of(rules, team.deck[index])
            n += 1
        sort(team.cards, first, n)
    word, room = 0, CLASSES_A_WORD
    for index in range(n):
        word = word << CLASS_BITS | team.cards[index]
        room -= 1
        if room == 0 or index + 1 == n:
            key[at] = word
            at += 1
            word, room = 0, CLASSES_A_WORD
    while at < key.size:
        key[at] = 0
        at += 1


@jit_hot
def _keep(team: Team, depth: int, value: int) -> None:
    """Store the value of a position if there is room."""
    if team.used[FILLED] * 4 >= team.values.size * 3:
        return
    frame = team.frames[depth]
    row = find_row(team.keys, team.values, frame, KEY)
    if team.values[row] < 0:
        team.used[FILLED] += 1
        for word in range(team.keys.shape[1]):
            team.keys[row, word] = frame[KEY + word]
    team.values[row] = value


@jit_hot
def _situation(team: Team, depth: int) -> int:
    """Return the row of the seat's situation in the plan; what it knows must be written."""
    _write(team, depth, team.seen, 0, True)
    return int(find_row(team.situations, team.plan, team.seen, 0))


@jit_hot
def _choose(team: Team, depth: int, action: int) -> None:
    """Fix the seat's action in a situation for good."""
    look(team, depth)
    row = _situation(team, depth)
    if team.plan[row] < 0:
        team.used[CHOSEN] += 1
        for word in range(team.situations.shape[1]):
            team.situations[row, word] = team.seen[word]
        team.plan[row] = action


# The moves of a position.


@jit_hot
def _add(team: Team, depth: int, action: int) -> None:
    n = team.frames[depth, N_MOVES]
    team.moves[depth, n] = action
    team.frames[depth, N_MOVES] = n + 1


@jit_hot
def _passes(team: Team, depth: int, clues: int) -> bool:
    """Add one hint of a set of clues to somebody who sees all hands; return whether it exists."""
    rules, state = team.rules, team.states[depth]
    position = Packed(rules, team.deck, state)
    for turn in range(1, rules[k.SEATS]):
        seat = (state[k.SEAT] + turn) % rules[k.SEATS]
        if seat == team.used[SEAT]:
            continue
        bits = hintable(position, seat) & clues
        if bits:
            _add(team, depth, first_hint(bits, seat))
            return True
    return False


@jit_hot
def _says(team: Team, depth: int, action: int) -> bool:
    """Whether a hint to the seat leaves less possible in one of its slots."""
    rules, state, seat = team.rules, team.states[depth], team.used[SEAT]
    position = Packed(rules, team.deck, state)
    hinted = cards_hinted(rules, kind_of(action), value_of(action))
    for slot in range(n_held(rules, state, seat)):
        card = card_of(rules, code_at(position, seat * rules[k.HAND_SIZE] + slot))
        left = hinted if hinted >> card & 1 else ~hinted
        if team.possible[slot] & ~left:
            return True
    return False


@jit_hot
def _add_hints(team: Team, depth: int, clues: int) -> None:
    """Add a hint that tells the seat nothing, and every hint that tells it something."""
    rules, state, seat = team.rules, team.states[depth], team.used[SEAT]
    passes = _passes(team, depth, clues)
    if state[k.SEAT] == seat:
        return
    bits = hintable(Packed(rules, team.deck, state), seat) & clues
    while bits:
        action = first_hint(bits, seat)
        bits &= bits - 1
        says = _says(team, depth, action)
        if says or not passes:
            _add(team, depth, action)
        passes = passes or not says


@jit_hot
def _add_all_hints(team: Team, depth: int) -> None:
    rules = team.rules
    if not has_hint(rules, team.states[depth]):
        return
    if rules[k.BARS] == 0 and rules[k.BARS + 1] == 0:
        _add_hints(team, depth, -1)
    else:
        _add_hints(team, depth, k.COLOR_BITS)
        _add_hints(team, depth, ~k.COLOR_BITS)


@jit_hot
def _add_from_deck(team: Team, depth: int) -> None:
    position = Packed(team.rules, team.deck, team.states[depth])
    for action in (k.PLAY_DECK, k.DISCARD_DECK):
        if find_broken_rule(position, action) == NO_RULE:
            _add(team, depth, action)


@jit_hot
def _list_others(team: Team, depth: int) -> None:
    """Write the moves of a seat that sees all hands."""
    rules, state, plain = team.rules, team.states[depth], team.goals.is_plain
    position, seat = Packed(rules, team.deck, state), state[k.SEAT]
    first, held = seat * rules[k.HAND_SIZE], n_held(rules, state, seat)
    discards, trash = may_discard(rules, state), False
    for slot in range(held):
        code, again = code_at(position, first + slot), False
        for other in range(first, first + slot):
            again = again or code_at(position, other) == code
        if not again and (not plain or is_next(rules, state, code)):
            _add(team, depth, action_code(k.PLAY, slot, 0))
        is_dead = again or not ranks_to_come(rules, state, color_of(code)) >> rank_of(code) & 1
        if discards and plain and is_dead and not trash:
            _add(team, depth, action_code(k.DISCARD, slot, 0))
            trash = True
    if discards and not trash:
        for slot in range(held):
            _add(team, depth, action_code(k.DISCARD, slot, 0))
    _add_all_hints(team, depth)
    _add_from_deck(team, depth)
    if team.frames[depth, N_MOVES] == 0:
        for slot in range(held):
            _add(team, depth, action_code(k.PLAY, slot, 0))


@jit_hot
def _list_seat(team: Team, depth: int) -> None:
    """Write the moves that the seat considers; what it knows must be written."""
    rules, state, seat = team.rules, team.states[depth], team.used[SEAT]
    held, now = n_held(rules, state, seat), _set_of(team, depth, 0)
    discards, plain = may_discard(rules, state), team.goals.is_plain
    for slot in range(held):
        again = False
        for other in range(slot):
            again = again or team.possible[other] == team.possible[slot]
        if again:
            continue
        if team.possible[slot] & now or not plain:
            _add(team, depth, action_code(k.PLAY, slot, 0))
        if discards:
            _add(team, depth, action_code(k.DISCARD, slot, 0))
    _add_all_hints(team, depth)
    _add_from_deck(team, depth)
    if team.frames[depth, N_MOVES] == 0:
        for slot in range(held):
            _add(team, depth, action_code(k.PLAY, slot, 0))


@jit_hot
def thumb(team: Team, depth: int) -> int:
    """Return the seat's action by the rule of thumb; what it knows must be written.

    It scores a card that certainly scores; takes a chance on its last turn if an error costs
    little; hints or discards trash; else discards, or plays, what is least likely to be missed.
    """
    rules, state, seat = team.rules, team.states[depth], team.used[SEAT]
    held, discards = n_held(rules, state, seat), may_discard(rules, state)
    now, later = _set_of(team, depth, 0), _set_of(team, depth, 1)
    inverted = _set_of(team, depth, 2)
    likely, chance, spare, loss, trash = -1, 0.0, -1, 2.0, -1
    for slot in range(held):
        cards = team.possible[slot]
        total = max(_weight(team, cards), 1)
        for kind in (k.PLAY, k.DISCARD):
            if kind == k.DISCARD and not discards:
                continue
            scoring = now & (~inverted if kind == k.PLAY else inverted)
            action = action_code(kind, slot, 0)
            if cards & ~scoring == 0:
                return int(action)
            if _weight(team, cards & scoring) / total > chance:
                likely, chance = action, _weight(team, cards & scoring) / total
        missed = _weight(team, cards & (later | inverted)) / total
        if discards and missed < loss:
            spare, loss = action_code(k.DISCARD, slot, 0), missed
        if discards and missed == 0.0:
            trash = action_code(k.DISCARD, slot, 0)
    if likely >= 0 and 0 <= state[k.TURNS_LEFT] <= rules[k.SEATS]:
        if team.used[GOAL] != EXPECTATION or state[k.LIVES] > 1 or not rules[k.BOMBED_SCORES_ZERO]:
            return int(likely)
    if trash >= 0 and team.used[STALLS] == 0:
        return int(trash)
    team.frames[depth, N_MOVES] = 0
    _add_all_hints(team, depth)
    if team.frames[depth, N_MOVES] > 0:
        return int(team.moves[depth, 0])
    if spare >= 0:
        return int(spare)
    return int(likely) if likely >= 0 else int(action_code(k.PLAY, 0, 0))


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
def _most(team: Team, depth: int) -> int:
    """Return an upper bound on the value of any order of the deck."""
    rules, state, goal = team.rules, team.states[depth], team.used[GOAL]
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
def _known(team: Team, depth: int) -> int:
    """Return the value of a position, or -1 if it must be searched."""
    rules, state, frame = team.rules, team.states[depth], team.frames[depth]
    top = _most(team, depth)
    if top == 0 or state[k.END] != k.IN_PROGRESS:
        return int(top * team.orders[deck_left(rules, state)])
    look(team, depth)
    _write(team, depth, frame, KEY, False)
    row = find_row(team.keys, team.values, frame, KEY)
    if team.values[row] >= 0:
        return int(team.values[row])
    _begin(team, depth, POSITION)
    return -1


@jit_hot
def _begin(team: Team, depth: int, kind: int) -> None:
    frame, state = team.frames[depth], team.states[depth]
    top = _most(team, depth)
    frame[KIND], frame[N_MOVES], frame[MOVE], frame[INDEX], frame[BEST] = kind, 0, -1, -1, -1
    frame[TOP], frame[LEFT], frame[SUM], frame[LEVEL], frame[TOTAL] = top, 0, 0, _FRESH, 0
    frame[CEILING] = top * team.orders[deck_left(team.rules, state)]


@jit_hot
def begin_given(team: Team, action: int, kind: int) -> None:
    """Make frame 0 the position in `states[0]` with a given move, as a `GIVEN` or `ROOT` frame."""
    _begin(team, 0, kind)
    team.frames[0, BEFORE] = 0
    team.moves[0, 0], team.frames[0, N_MOVES] = action, 1
    team.used[DEPTH], team.used[STAGE] = 0, OPEN
    _swap_hidden(team, 0, True)


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
        _list_others(team, depth)
        return
    row = _situation(team, depth)
    if team.plan[row] >= 0:
        _add(team, depth, team.plan[row])
        return
    if frame[BEFORE] < used[DECISIONS] and used[TRIED] < used[BUDGET] and _are_few(team, depth):
        look(team, depth)
        frame[KIND] = AVERAGE
        _list_seat(team, depth)
        _swap_hidden(team, depth, True)
        return
    look(team, depth)
    action = thumb(team, depth)
    _choose(team, depth, action)
    frame[N_MOVES] = 0
    _add(team, depth, action)


@jit_hot
def _are_few(team: Team, depth: int) -> bool:
    """Whether an average can go over the hands of a situation."""
    frame, hands = team.frames[depth], 0
    while hands <= _MOST_HANDS and _next_hand(team, depth) > 0:
        hands += 1
    frame[LEVEL] = _FRESH
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
        _choose(team, depth, frame[CHOICE])
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
        team.frames[depth + 1, BEFORE] = frame[BEFORE]
        team.used[STAGE] = NEW
        return True


@jit_hot
def _next_trial(team: Team, depth: int) -> bool:
    """Write the position for the next hand and move of an average to the row below, if any."""
    rules, state, frame = team.rules, team.states[depth], team.frames[depth]
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
            frame[SUM], frame[TOTAL], frame[LEVEL] = 0, 0, _FRESH
            _take_up(team, depth)
            continue
        _place(team, depth)
        if find_end(Packed(rules, team.deck, state)) != k.IN_PROGRESS:
            _swap_hidden(team, depth, False)
            continue  # the seat sees that the game goes on
        frame[WEIGHT] = ways
        frame[TOTAL] += ways
        below = team.states[depth + 1]
        for word in range(rules[k.STATE_SIZE]):
            below[word] = state[word]
        _begin(team, depth + 1, GIVEN)
        team.moves[depth + 1, 0] = team.moves[depth, frame[MOVE]]
        team.frames[depth + 1, N_MOVES] = 1
        team.frames[depth + 1, BEFORE] = frame[BEFORE] + (frame[KIND] == AVERAGE)
        team.used[STAGE] = OPEN
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
            if team.frames[depth, CEILING] == 0:
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
                _keep(team, depth, value)
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
    row = _situation(team, 0)
    if team.plan[row] >= 0:
        return int(team.plan[row])
    return thumb(team, 0)


@jit_hot
def list_all(team: Team) -> int:
    """Write the moves considered in `states[0]` by who sees all hands; return their number."""
    team.frames[0, N_MOVES] = 0
    look(team, 0)
    _list_others(team, 0)
    return int(team.frames[0, N_MOVES])
