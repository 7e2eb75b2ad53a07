"""What the seat knows, the keys of its situations, and the moves that a plan considers."""

from __future__ import annotations

from typing import NamedTuple

from hanabi.ground.compiled import Words
from hanabi.ground.compiled.bits import count_bits
from hanabi.ground.compiled.hot import jit_hot
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import (
    cards_hinted,
    cards_known,
    clues_of,
    code_at,
    first_hint,
    hintable,
    index_at,
    is_next,
    known_at,
    may_discard,
    n_held,
    touched_slots,
)
from hanabi.rules.kernels.legal import NO_RULE, find_broken_rule
from hanabi.rules.kernels.packed import (
    Packed,
    action_code,
    card_of,
    is_hint,
    kind_of,
    target_of,
    value_of,
)
from hanabi.solvers.draws import kernels as w
from hanabi.solvers.draws.kernels import (
    Search,
    Walk,
    add_from_deck,
    add_hint,
    add_hints,
    add_move,
    add_some_hints,
    find_row,
    is_second,
    key_width,
    pack,
    pile_cards,
    write_cards,
    write_key,
)

DEAD = w.FIRST_DEAD - 1
"""The number that stands for all dead cards, if the seat does not tell them apart."""


class Team(NamedTuple):
    """The search for a plan from the position in `states[0]`.

    Attributes
    ----------
    walk
        Where it is. The deck is shared with `goals` and `means`; the search rearranges what the
        seat cannot see.
    allowed
        By place in the deck, the set of cards that may be there by what the caller knows.
    hands
        One row per depth: the hand tried, then what lay in the seat's slots and in the deck.
    roots, weights
        All that the seat does not see, one way a row: its hand, then the deck; and the number of
        deals that each row stands for.
    counts
        The copies of each card that the seat does not see.
    possible
        The cards possible in each slot of the seat.
    situations, plan
        The situations of the seat, and its action in each; -1 marks an empty row.
    seen
        The key of one situation.
    goals, means
        Searches with open hands: no plan has a larger value.
    """

    walk: Walk
    allowed: Words
    hands: Words
    roots: Words
    weights: Words
    counts: Words
    possible: Words
    situations: Words
    plan: Words
    seen: Words
    goals: Search
    means: Search


@jit_hot
def team_key_width(rules: Words, n: int) -> int:
    """Return the number of words of a key with at most `n` cards still to be drawn."""
    hidden = rules[k.HAND_SIZE] + 1  # a situation has the hand among the cards to draw
    return int(key_width(rules, n + hidden) + rules[k.HAND_SIZE] + 1)


# What the seat knows of its hand.


@jit_hot
def n_hidden(walk: Walk, depth: int) -> int:
    """Return the number of cards in the seat's hand that it does not see."""
    rules = walk.rules
    return 0 if rules[k.OPEN_HANDS] != 0 else n_held(rules, walk.states[depth], walk.used[w.SEAT])


@jit_hot
def look(team: Team, depth: int) -> None:
    """Write the copies that the seat does not see, and the cards possible in each of its slots."""
    walk, used = team.walk, team.walk.used
    rules, state, seat = walk.rules, walk.states[depth], used[w.SEAT]
    position = Packed(rules, walk.deck, state)
    for card in range(team.counts.size):
        team.counts[card] = 0
    first, held = seat * rules[k.HAND_SIZE], n_held(rules, state, seat)
    for place in range(first, first + n_hidden(walk, depth)):
        team.counts[card_of(rules, code_at(position, place))] += 1
    for index in range(state[k.DRAWN], rules[k.DECK_SIZE]):
        team.counts[card_of(rules, walk.deck[index])] += 1
    dead = _count_dead(team, depth) if used[w.MERGES] else 0
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
        if used[w.TELLING] > 0:
            known &= cards_known(rules, known_at(rules, state, first + slot))
        if known & dead:
            known |= 1 << DEAD
        team.possible[slot] = known & present


@jit_hot
def _count_dead(team: Team, depth: int) -> int:
    """Count dead cards together; return the set of all of them."""
    dead, n = ~pile_cards(team.walk.rules, team.walk.states[depth], w.TO_COME), 0
    for card in range(DEAD):
        if dead >> card & 1:
            n += team.counts[card]
            team.counts[card] = 0
    team.counts[DEAD] = n
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
def _inverted_cards(rules: Words) -> int:
    """Return the set of the cards of inverted suits."""
    row, found = (1 << rules[k.RANKS]) - 1, 0
    for color in range(rules[k.COLORS]):
        if rules[k.INVERTED] >> color & 1:
            found |= row << color * rules[k.RANKS]
    return found


# Commands: what an action of another seat tells the seat to do next.


@jit_hot
def command_of(team: Team, depth: int, action: int) -> int:
    """Return the action, plus one, that another seat's action tells the seat to take next, or 0.

    The hints to the other seats are in an order, and so are the copies of a card that is played and
    the trash in a hand: dead cards, then second copies. Of each, the first one tells nothing; each
    of the following names one action.
    If hints say nothing else, the clues that the seat may get name the plays of the cards that may
    score in turn. Else, if there are no other seats, a hint of a color names the oldest card that
    it touches, and a hint of a rank the newest: the seat is to play it. All this depends on nothing
    that the seat does not see, nor on what positions with the same key differ in: the order of
    cards in other hands, and which dead cards they are if these are merged. It overwrites what the
    seat knows.
    """
    walk = team.walk
    rules, state = walk.rules, walk.states[depth]
    actor, number = state[k.SEAT], 0
    if walk.used[w.COMMANDS] == 0:
        return 0
    if kind_of(action) == k.DISCARD:
        rank = _trash_rank(walk, depth, target_of(action))
        for slot in range(n_held(rules, state, actor) if rank >= 0 else 0):
            number += 0 <= _trash_rank(walk, depth, slot) < rank
        return _action_named(team, depth, number)
    if kind_of(action) == k.PLAY:
        return _action_named(team, depth, _copies_before(walk, depth, target_of(action)))
    if not is_hint(action):
        return 0
    if target_of(action) == walk.used[w.SEAT]:
        if walk.used[w.TELLING] != 0:
            return _card_named(team, depth, action) if rules[k.SEATS] == 2 else 0
        number = value_of(action) + (kind_of(action) == k.HINT_RANK) * rules[k.COLORS]
        return _action_named(team, depth, number % max(_n_named(team, depth), 1) + 1)
    for turn in range(1, rules[k.SEATS]):
        seat = (actor + turn) % rules[k.SEATS]
        if seat == walk.used[w.SEAT]:
            continue
        bits = _telling_clues(walk, depth, seat)
        while bits:
            if first_hint(bits, seat) == action:
                return _action_named(team, depth, number)
            bits &= bits - 1
            number += 1
    return 0


@jit_hot
def _card_named(team: Team, depth: int, action: int) -> int:
    """Return the play, plus one, that a hint to the seat names; 0 if that card is known trash."""
    rules, state = team.walk.rules, team.walk.states[depth]
    touched, slot = touched_slots(Packed(rules, team.walk.deck, state), action), 0
    if touched == 0:
        return 0
    is_color = kind_of(action) == k.HINT_COLOR
    for other in range(rules[k.HAND_SIZE]):
        if touched >> other & 1:
            slot = other
            if is_color:
                break
    look(team, depth)
    hinted = cards_hinted(rules, kind_of(action), value_of(action))
    if team.possible[slot] & hinted & pile_cards(rules, state, w.TO_COME) == 0:
        return 0
    return int(action_code(k.PLAY, slot, 0) + 1)


@jit_hot
def _telling_clues(walk: Walk, depth: int, seat: int) -> int:
    """Return the clues that a seat may get; without those for dead cards if they merge."""
    rules, state = walk.rules, walk.states[depth]
    position, first, clues = Packed(rules, walk.deck, state), seat * rules[k.HAND_SIZE], 0
    if walk.used[w.MERGES] == 0:
        return hintable(position, seat)
    live = pile_cards(rules, state, w.TO_COME)
    for place in range(first, first + n_held(rules, state, seat)):
        code = code_at(position, place)
        if live >> card_of(rules, code) & 1:
            clues |= clues_of(rules, code)
    return int(hintable(position, seat) & clues)


@jit_hot
def _copies_before(walk: Walk, depth: int, slot: int) -> int:
    """Return the number of slots before one that hold the same card."""
    position = Packed(walk.rules, walk.deck, walk.states[depth])
    first, found = walk.states[depth, k.SEAT] * walk.rules[k.HAND_SIZE], 0
    card = card_of(walk.rules, code_at(position, first + slot))
    for other in range(slot):
        found += card_of(walk.rules, code_at(position, first + other)) == card
    return found


@jit_hot
def _trash_rank(walk: Walk, depth: int, slot: int) -> int:
    """Return the rank of a card among the trash of the seat to act, -1 if it is not trash.

    Dead cards come first, then cards that an earlier slot has, too, each sort by card.
    """
    rules, state = walk.rules, walk.states[depth]
    position, first = Packed(rules, walk.deck, state), state[k.SEAT] * rules[k.HAND_SIZE]
    card, n_cards = (
        card_of(rules, code_at(position, first + slot)),
        rules[k.COLORS] * rules[k.RANKS],
    )
    is_live = pile_cards(rules, state, w.TO_COME) >> card & 1
    is_trash = is_live == 0
    for other in range(slot):
        is_trash = is_trash or card_of(rules, code_at(position, first + other)) == card
    if not is_trash:
        return -1
    return int((is_live * n_cards + card) * rules[k.HAND_SIZE] + slot)


@jit_hot
def _n_named(team: Team, depth: int) -> int:
    """Return how many cards of the seat may score now, and write what it knows."""
    now, found = pile_cards(team.walk.rules, team.walk.states[depth], w.NEXT), 0
    look(team, depth)
    for slot in range(team.possible.size):
        found += team.possible[slot] & now != 0
    return found


@jit_hot
def _is_before(team: Team, slot: int, other: int, now: int) -> bool:
    """Whether a card of the seat is named before another one; both may score.

    The likelier one comes first, if commands are of that sort; else the newer one, which is seldom
    known trash.
    """
    first, second = team.possible[slot], team.possible[other]
    likely = count_bits(first & now) * count_bits(second)
    less = count_bits(second & now) * count_bits(first)
    if team.walk.used[w.COMMANDS] == w.BY_AGE or likely == less:
        return slot > other
    return likely > less


@jit_hot
def _action_named(team: Team, depth: int, number: int) -> int:
    """Return the action, plus one, of a number from 1 on; 0 if there is none.

    Plays of cards that may score come first, then plays of those that may score later, the newest
    first, then discards, the newest first.
    """
    rules, state = team.walk.rules, team.walk.states[depth]
    held = n_held(rules, state, team.walk.used[w.SEAT])
    now, later = pile_cards(rules, state, w.NEXT), pile_cards(rules, state, w.TO_COME)
    if number == 0:
        return 0
    n_named = _n_named(team, depth)
    for slot in range(held if number <= n_named else 0):
        before = 0
        for other in range(held):
            is_here = other != slot and team.possible[other] & now != 0
            before += is_here and _is_before(team, other, slot, now)
        if team.possible[slot] & now != 0 and before + 1 == number:
            return int(action_code(k.PLAY, slot, 0) + 1)
    number -= n_named
    for slot in range(held - 1, -1, -1):
        is_here = team.possible[slot] & now == 0 and team.possible[slot] & later != 0
        number -= is_here
        if is_here and number == 0:
            return int(action_code(k.PLAY, slot, 0) + 1)
    return int(action_code(k.DISCARD, held - number, 0) + 1) if number <= held else 0


@jit_hot
def _hear(team: Team, depth: int) -> None:
    """Write what the seat was told to do next: the last command since its own last action."""
    walk = team.walk
    frame, above = walk.frames[depth], walk.frames[depth - 1]
    frame[w.COMMAND] = 0
    if depth == 0 or walk.states[depth - 1, k.SEAT] == walk.used[w.SEAT]:
        return
    command = command_of(team, depth - 1, walk.moves[depth - 1, above[w.MOVE]])
    frame[w.COMMAND] = command if command > 0 else above[w.COMMAND]


@jit_hot
def is_obeyed(team: Team, depth: int) -> bool:
    """Whether the seat was told to do something that it can do."""
    command = team.walk.frames[depth, w.COMMAND]
    position = Packed(team.walk.rules, team.walk.deck, team.walk.states[depth])
    return bool(command > 0 and find_broken_rule(position, command - 1) == NO_RULE)


@jit_hot
def _helps(team: Team, depth: int, command: int) -> bool:
    """Whether a command, if any, plays a card that can still score, or discards another one."""
    if command == 0:
        return False
    rules, state = team.walk.rules, team.walk.states[depth]
    position, action = Packed(rules, team.walk.deck, state), command - 1
    place = team.walk.used[w.SEAT] * rules[k.HAND_SIZE] + target_of(action)
    is_live = pile_cards(rules, state, w.TO_COME) >> card_of(rules, code_at(position, place)) & 1
    if not team.goals.is_plain:
        return True
    return bool(is_live) == (kind_of(action) == k.PLAY)


# Keys: those of positions, and those of the seat's situations. What it knows must be written.


@jit_hot
def _pack_known(team: Team, depth: int, key: Words, at: int, n: int) -> None:
    """Write what the seat knows of its hand, and then the position, from word `at` of a key on."""
    for slot in range(team.possible.size):
        key[at + slot] = team.possible[slot]
    key[at + team.possible.size] = team.walk.frames[depth, w.COMMAND]
    pack(team.walk, depth, key, at + team.possible.size + 1, n)


@write_key.register(Team)
@jit_hot
def _write_key(team: Team, depth: int) -> None:
    """Write the key of a position to its frame."""
    _hear(team, depth)
    look(team, depth)
    n = write_cards(team.walk, depth, False)
    _pack_known(team, depth, team.walk.frames[depth], w.KEY, n)


@jit_hot
def situation_row(team: Team, depth: int) -> int:
    """Return the row of the seat's situation in the plan; what it knows must be written."""
    walk, rules = team.walk, team.walk.rules
    write_cards(walk, depth, False)
    size, n = rules[k.HAND_SIZE], rules[k.SEATS] * rules[k.HAND_SIZE]
    for place in range(walk.used[w.SEAT] * size, walk.used[w.SEAT] * size + size):
        walk.cards[place] = 0
    for card in range(team.counts.size):
        for _ in range(team.counts[card]):
            walk.cards[n] = 1 + card
            n += 1
    _pack_known(team, depth, team.seen, 0, n)
    return int(find_row(team.situations, team.plan, team.seen, 0))


@jit_hot
def choose(team: Team, depth: int, action: int) -> None:
    """Fix the seat's action in a situation for good."""
    look(team, depth)
    row = situation_row(team, depth)
    if team.plan[row] < 0:
        team.walk.used[w.CHOSEN] += 1
        for word in range(team.situations.shape[1]):
            team.situations[row, word] = team.seen[word]
        team.plan[row] = action


# The moves of a position.


@jit_hot
def _says(team: Team, depth: int, action: int) -> int:
    """Return 2 if a hint makes a card certain to score, or trash; 1 if it says anything; else 0."""
    rules, state = team.walk.rules, team.walk.states[depth]
    position, seat, says = Packed(rules, team.walk.deck, state), team.walk.used[w.SEAT], 0
    scoring, trash = pile_cards(rules, state, w.NEXT), ~pile_cards(rules, state, w.TO_COME)
    hinted = cards_hinted(rules, kind_of(action), value_of(action))
    for slot in range(n_held(rules, state, seat)):
        card = card_of(rules, code_at(position, seat * rules[k.HAND_SIZE] + slot))
        before = team.possible[slot]
        after = before & (hinted if hinted >> card & 1 else ~hinted)
        if after == before:
            continue
        says = max(says, 1)
        for cards in (scoring, trash):
            if after & ~cards == 0 and before & ~cards != 0:
                says = 2
    return says


@jit_hot
def _add_commands(team: Team, depth: int, clues: int) -> None:
    """Add the hints to third seats that name an action which may help; overwrites what is known."""
    walk = team.walk
    rules, state = walk.rules, walk.states[depth]
    for turn in range(1, rules[k.SEATS]):
        seat = (state[k.SEAT] + turn) % rules[k.SEATS]
        if seat == walk.used[w.SEAT]:
            continue
        bits = hintable(Packed(rules, walk.deck, state), seat) & clues
        while bits:
            action = first_hint(bits, seat)
            bits &= bits - 1
            if _helps(team, depth, command_of(team, depth, action)):
                add_move(walk, depth, action)


@add_some_hints.register(Team)
@jit_hot
def _add_some_hints(team: Team, depth: int, clues: int) -> None:
    """Add a hint that tells the seat nothing, and every hint that tells it something."""
    walk, telling = team.walk, team.walk.used[w.TELLING]
    state, seat = walk.states[depth], walk.used[w.SEAT]
    passes = add_hint(walk, depth, clues)
    if state[k.SEAT] == seat:
        return
    if walk.used[w.COMMANDS] != 0:
        _add_commands(team, depth, clues)
        look(team, depth)
    bits = hintable(Packed(walk.rules, walk.deck, state), seat) & clues
    if walk.used[w.MERGES] != 0 and walk.used[w.COMMANDS] != 0:
        bits &= _telling_clues(walk, depth, seat)  # which dead cards it holds must not matter
    while bits:
        action = first_hint(bits, seat)
        bits &= bits - 1
        says, command = _says(team, depth, action), command_of(team, depth, action)
        helps = _helps(team, depth, command)
        if not passes or helps or (says > 0 and says + telling > 2):
            add_move(walk, depth, action)
        passes = passes or (command == 0 and (says < 2 or telling == 0))


@jit_hot
def _add_others(team: Team, depth: int, held: int) -> None:
    """Add the moves that take the last card from the deck; if there is no move at all, errors."""
    add_from_deck(team.walk, depth)
    if team.walk.frames[depth, w.N_MOVES] == 0:
        for slot in range(held):
            add_move(team.walk, depth, action_code(k.PLAY, slot, 0))


@jit_hot
def list_others(team: Team, depth: int) -> None:
    """Write the moves of a seat that sees all hands."""
    walk, plain = team.walk, team.goals.is_plain
    rules, state = walk.rules, walk.states[depth]
    position, seat = Packed(rules, walk.deck, state), state[k.SEAT]
    first, held = seat * rules[k.HAND_SIZE], n_held(rules, state, seat)
    trash, least = -1, -1
    for slot in range(held):
        code, rank = code_at(position, first + slot), _trash_rank(walk, depth, slot)
        action = action_code(k.PLAY, slot, 0)
        if (not plain or is_next(rules, state, code)) and (
            not is_second(walk, depth, first, slot)
            or _helps(team, depth, command_of(team, depth, action))
        ):
            add_move(walk, depth, action)
        if plain and rank >= 0 and (trash < 0 or rank < least):
            trash, least = slot, rank
    add_hints(team, depth)
    for slot in range(held if may_discard(rules, state) else 0):
        action = action_code(k.DISCARD, slot, 0)
        if trash < 0 or slot == trash or _helps(team, depth, command_of(team, depth, action)):
            add_move(walk, depth, action)
    _add_others(team, depth, held)


@jit_hot
def list_seat(team: Team, depth: int) -> None:
    """Write the moves that the seat considers; what it knows must be written."""
    rules, state = team.walk.rules, team.walk.states[depth]
    held = n_held(rules, state, team.walk.used[w.SEAT])
    now, plain = pile_cards(rules, state, w.NEXT), team.goals.is_plain
    for slot in range(held):
        again = False
        for other in range(slot):
            again = again or team.possible[other] == team.possible[slot]
        if again:
            continue
        if team.possible[slot] & now or not plain:
            add_move(team.walk, depth, action_code(k.PLAY, slot, 0))
        if may_discard(rules, state):
            add_move(team.walk, depth, action_code(k.DISCARD, slot, 0))
    add_hints(team, depth)
    _add_others(team, depth, held)


@jit_hot
def thumb(team: Team, depth: int) -> int:
    """Return the seat's action by the rule of thumb; what it knows must be written.

    It scores a card that certainly scores; takes a chance on its last turn if an error costs
    little; hints or discards trash; else discards, or plays, what is least likely to be missed.
    """
    rules, state, used = team.walk.rules, team.walk.states[depth], team.walk.used
    held, discards = n_held(rules, state, used[w.SEAT]), may_discard(rules, state)
    now, later = pile_cards(rules, state, w.NEXT), pile_cards(rules, state, w.TO_COME)
    inverted = _inverted_cards(rules)
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
        if used[w.GOAL] != w.EXPECTATION or state[k.LIVES] > 1 or not rules[k.BOMBED_SCORES_ZERO]:
            return int(likely)
    if trash >= 0:
        return int(trash)
    team.walk.frames[depth, w.N_MOVES] = 0
    add_hints(team, depth)
    if team.walk.frames[depth, w.N_MOVES] > 0:
        return int(team.walk.moves[depth, 0])
    if spare >= 0:
        return int(spare)
    return int(likely) if likely >= 0 else int(action_code(k.PLAY, 0, 0))
