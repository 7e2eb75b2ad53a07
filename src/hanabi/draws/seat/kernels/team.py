"""What the seat knows, the keys of its situations, and the moves that a plan considers."""

from __future__ import annotations

from typing import NamedTuple

from hanabi.compiled import Words
from hanabi.compiled.hot import jit_hot
from hanabi.draws.kernels import (
    CLASS_BITS,
    CLASSES_A_WORD,
    EXPECTATION,
    PILE_BITS,
    PILES_A_WORD,
    Search,
    find_row,
    sort,
)
from hanabi.game import layout as k
from hanabi.game.kernels.facts import (
    cards_hinted,
    cards_known,
    code_at,
    first_hint,
    has_hint,
    hintable,
    index_at,
    is_next,
    known_at,
    may_discard,
    n_held,
    next_ranks,
    ranks_to_come,
)
from hanabi.game.kernels.legal import NO_RULE, find_broken_rule
from hanabi.game.kernels.packed import (
    Packed,
    action_code,
    card_of,
    color_of,
    kind_of,
    rank_of,
    value_of,
)

# Words of `used`. DEPTH: the current frame, and STAGE what is to be done with it. TRIED: positions
# expanded. VALUE: the value of frame 0, once it is known. FILLED, CHOSEN: used rows of the tables.
# GOAL: as in `hanabi.draws.kernels`. SEAT: the seat that does not see its hand. BUDGET: averages
# decide only before this many positions are expanded. TELLING: the others consider no hint
# to the seat beside one to pass (0), those after which a card certainly scores or is trash that was
# not so before (1), or all that say something (2).
DEPTH, STAGE, TRIED, VALUE, FILLED, CHOSEN, GOAL, SEAT, BUDGET, TELLING, N_USED = range(11)

NEW, BOUNDING, OPEN = range(3)
"""Stages: not looked at; its value with open hands is being found; its moves are being tried."""

SMALL_PLAN, SMALL_GOALS, SMALL_MEANS = range(4, 7)
"""Answers of a run beside `DONE` and `PAUSED`: the table that needs more rows."""

# Words of a frame: as in `hanabi.draws.kernels`, and then: KIND, LEVEL (of the enumeration of
# hands), WEIGHT of the current hand, TOTAL weight of the hands so far. From KEY on: the key of the
# position.
N_MOVES, MOVE, INDEX, FIRST, COPIES, SUM, LEFT, BEST, CHOICE, TOP, CEILING = range(11)
KIND, LEVEL, WEIGHT, TOTAL, KEY = range(11, 16)

POSITION, GIVEN, AVERAGE, ROOT = range(4)
"""Kinds of frames: a position; one whose move is given; a choice by averages over hands; the sum
over all hands of a given move."""

DEAD = 62
"""The number that stands for all dead cards, if the seat does not tell them apart."""

FRESH = -2


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
    roots, weights
        All that the seat does not see, one way a row: its hand, then the deck; and the number of
        deals that each row stands for.
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
    roots: Words
    weights: Words
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
    cards = rules[k.SEATS] * rules[k.HAND_SIZE] + rules[k.HAND_SIZE] + n + 1
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
    dead = _count_dead(team, depth) if merges(team) else 0
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
            continue
        known = team.allowed[index_at(rules, state, first + slot)]
        if team.used[TELLING] > 0:
            known &= cards_known(rules, known_at(rules, state, first + slot))
        if known & dead:
            known |= 1 << DEAD
        team.possible[slot] = known & present


@jit_hot
def merges(team: Team) -> bool:
    """Whether the seat takes no notice of hints, nor of which dead cards it sees."""
    rules, used = team.rules, team.used
    return bool(used[TELLING] == 0 and team.goals.is_plain and rules[k.OPEN_HANDS] == 0)


@jit_hot
def _count_dead(team: Team, depth: int) -> int:
    """Count dead cards together; return the set of all of them."""
    dead, n = ~set_of(team, depth, 1), 0
    for card in range(DEAD):
        if dead >> card & 1:
            n += team.counts[card]
            team.counts[card] = 0
    team.counts[DEAD] = max(n, 1)  # it cannot exclude them
    return dead


@jit_hot
def _weight(team: Team, cards: int) -> int:
    """Return the number of copies that the seat does not see of a set of cards."""
    total = 0
    for card in range(team.counts.size):
        if cards >> card & 1:
            total += team.counts[card]
    return total


@jit_hot
def set_of(team: Team, depth: int, which: int) -> int:
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
def write_key(team: Team, depth: int, key: Words, start: int, hides: bool) -> None:
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
    if merges(team):
        later = set_of(team, depth, 1)
        for index in range(n):
            if team.cards[index] > 0 and not later >> (team.cards[index] - 1) & 1:
                team.cards[index] = 1 + DEAD
        for other in range(rules[k.SEATS]):
            if other != seat:
                sort(team.cards, other * size, other * size + size)
    first = n
    if hides:
        for card in range(team.counts.size):
            for _ in range(team.counts[card]):
                team.cards[n] = 1 + card
                n += 1
    else:
        for index in range(state[k.DRAWN], rules[k.DECK_SIZE]):
            card = card_of(rules, team.deck[index])
            team.cards[n] = 1 + card
            if merges(team) and team.counts[card] == 0:
                team.cards[n] = 1 + DEAD
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
def situation_row(team: Team, depth: int) -> int:
    """Return the row of the seat's situation in the plan; what it knows must be written."""
    write_key(team, depth, team.seen, 0, True)
    return int(find_row(team.situations, team.plan, team.seen, 0))


@jit_hot
def choose(team: Team, depth: int, action: int) -> None:
    """Fix the seat's action in a situation for good."""
    look(team, depth)
    row = situation_row(team, depth)
    if team.plan[row] < 0:
        team.used[CHOSEN] += 1
        for word in range(team.situations.shape[1]):
            team.situations[row, word] = team.seen[word]
        team.plan[row] = action


# The moves of a position.


@jit_hot
def add_move(team: Team, depth: int, action: int) -> None:
    """Add a move to those of a frame."""
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
            add_move(team, depth, first_hint(bits, seat))
            return True
    return False


@jit_hot
def _says(team: Team, depth: int, action: int) -> int:
    """Return 2 if a hint makes a card certain to score, or trash; 1 if it says anything; else 0."""
    rules, state, seat = team.rules, team.states[depth], team.used[SEAT]
    position, says = Packed(rules, team.deck, state), 0
    hinted = cards_hinted(rules, kind_of(action), value_of(action))
    for slot in range(n_held(rules, state, seat)):
        card = card_of(rules, code_at(position, seat * rules[k.HAND_SIZE] + slot))
        before = team.possible[slot]
        after = before & (hinted if hinted >> card & 1 else ~hinted)
        if after == before:
            continue
        says = max(says, 1)
        for which in range(2):
            cards = set_of(team, depth, which)
            if which == 1:
                cards = ~cards
            if after & ~cards == 0 and before & ~cards != 0:
                says = 2
    return says


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
        if not passes or (says > 0 and says + team.used[TELLING] > 2):
            add_move(team, depth, action)
        passes = passes or says < 2 or team.used[TELLING] == 0


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
            add_move(team, depth, action)


@jit_hot
def list_others(team: Team, depth: int) -> None:
    """Write the moves of a seat that sees all hands."""
    rules, state, plain = team.rules, team.states[depth], team.goals.is_plain
    position, seat = Packed(rules, team.deck, state), state[k.SEAT]
    first, held = seat * rules[k.HAND_SIZE], n_held(rules, state, seat)
    discards, trash = may_discard(rules, state), -1
    for slot in range(held):
        code, again = code_at(position, first + slot), False
        for other in range(first, first + slot):
            again = again or code_at(position, other) == code
        if not again and (not plain or is_next(rules, state, code)):
            add_move(team, depth, action_code(k.PLAY, slot, 0))
        is_dead = again or not ranks_to_come(rules, state, color_of(code)) >> rank_of(code) & 1
        if plain and is_dead:
            trash = slot
    _add_all_hints(team, depth)
    for slot in range(held):
        if discards and (trash < 0 or slot == trash):
            add_move(team, depth, action_code(k.DISCARD, slot, 0))
    _add_from_deck(team, depth)
    if team.frames[depth, N_MOVES] == 0:
        for slot in range(held):
            add_move(team, depth, action_code(k.PLAY, slot, 0))


@jit_hot
def list_seat(team: Team, depth: int) -> None:
    """Write the moves that the seat considers; what it knows must be written."""
    rules, state, seat = team.rules, team.states[depth], team.used[SEAT]
    held, now = n_held(rules, state, seat), set_of(team, depth, 0)
    discards, plain = may_discard(rules, state), team.goals.is_plain
    for slot in range(held):
        again = False
        for other in range(slot):
            again = again or team.possible[other] == team.possible[slot]
        if again:
            continue
        if team.possible[slot] & now or not plain:
            add_move(team, depth, action_code(k.PLAY, slot, 0))
        if discards:
            add_move(team, depth, action_code(k.DISCARD, slot, 0))
    _add_all_hints(team, depth)
    _add_from_deck(team, depth)
    if team.frames[depth, N_MOVES] == 0:
        for slot in range(held):
            add_move(team, depth, action_code(k.PLAY, slot, 0))


@jit_hot
def thumb(team: Team, depth: int) -> int:
    """Return the seat's action by the rule of thumb; what it knows must be written.

    It scores a card that certainly scores; takes a chance on its last turn if an error costs
    little; hints or discards trash; else discards, or plays, what is least likely to be missed.
    """
    rules, state, seat = team.rules, team.states[depth], team.used[SEAT]
    held, discards = n_held(rules, state, seat), may_discard(rules, state)
    now, later = set_of(team, depth, 0), set_of(team, depth, 1)
    inverted = set_of(team, depth, 2)
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
    if trash >= 0:
        return int(trash)
    team.frames[depth, N_MOVES] = 0
    _add_all_hints(team, depth)
    if team.frames[depth, N_MOVES] > 0:
        return int(team.moves[depth, 0])
    if spare >= 0:
        return int(spare)
    return int(likely) if likely >= 0 else int(action_code(k.PLAY, 0, 0))
