"""Positions after an action in many deals, and their values with open hands, compiled."""

from __future__ import annotations

from typing import NamedTuple

from hanabi.ground.compiled import Words
from hanabi.ground.compiled.hot import jit_hot
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import (
    code_at,
    deck_left,
    first_hint,
    has_hint,
    hintable,
    n_held,
    touched_slots,
)
from hanabi.rules.kernels.legal import NO_RULE, find_broken_rule
from hanabi.rules.kernels.packed import Packed, action_code, is_hint, kind_of, target_of
from hanabi.rules.kernels.rules import step
from hanabi.solvers.draws import kernels as w
from hanabi.solvers.draws.kernels import Search, Walk, class_of, pile_cards, run

DEAL, COPIES, SEEN, N_SEEN = range(4)
"""Words that describe a position after an action: the number of its deal, the copies of the card
drawn, and what the seat sees of it: the card that another seat draws, or the slots that a hint to
this seat touches."""

TELLS, PASSES = 1 << 16, 1 << 17
"""The sorts of hints to the seat have the first bit, those of other hints the second."""


@jit_hot
def list_sorts(
    walk: Walk, rules: Words, state: Words, deck: Words, seat: int, codes: Words, sorts: Words
) -> int:
    """Write the actions of the seat to act, and the sort of each; return their number.

    Actions of one sort do the same: plays or discards by another seat of cards of one class. Of
    the hints to other seats, one of each kind is listed; of those to `seat`, which depend on its
    hand, all that hints can name.
    """
    position, n, actor = Packed(rules, deck, state), 0, state[k.SEAT]
    live = pile_cards(rules, state, w.TO_COME)
    for kind in (k.PLAY, k.DISCARD):
        for slot in range(n_held(rules, state, actor)):
            action = action_code(kind, slot, 0)
            if find_broken_rule(position, action) == NO_RULE:
                codes[n], sorts[n] = action, kind << 8 | slot
                if actor != seat:
                    code = code_at(position, actor * rules[k.HAND_SIZE] + slot)
                    sorts[n] = kind << 8 | class_of(walk, live, code)
                n += 1
    for action in (k.PLAY_DECK, k.DISCARD_DECK):
        if find_broken_rule(position, action) == NO_RULE:
            codes[n], sorts[n] = action, kind_of(action) << 8
            n += 1
    kinds = 0
    for turn in range(1, rules[k.SEATS] if has_hint(rules, state) else 1):
        other = (actor + turn) % rules[k.SEATS]
        clues = rules[k.CLUES] & ~state[k.BARRED] if other == seat else hintable(position, other)
        while clues:
            action = first_hint(clues, other)
            clues &= clues - 1
            if other == seat:
                codes[n], sorts[n] = action, TELLS | action
                n += 1
            elif not kinds >> kind_of(action) & 1:
                kinds |= 1 << kind_of(action)
                codes[n], sorts[n] = action, PASSES | kind_of(action)
                n += 1
    return n


class Positions(NamedTuple):
    """Positions, one a row of each array: the state, the deck, and words as `DEAL`."""

    states: Words
    decks: Words
    seen: Words


@jit_hot
def follow(
    rules: Words, state: Words, decks: Words, action: int, seat: int, after: Positions
) -> int:
    """Write the positions after an action, one for each deal and card drawn; return their number.

    All deals have the same `state`; `decks` has one a row. Deals in which the action is not legal
    are left out.
    """
    n, first = 0, state[k.DRAWN]
    draws = deck_left(rules, state) > 0 and not is_hint(action)
    for deal in range(decks.shape[0]):
        position = Packed(rules, decks[deal], state)
        if find_broken_rule(position, action) != NO_RULE:
            continue
        mark = 0
        if is_hint(action) and target_of(action) == seat:
            mark = touched_slots(position, action)
        for index in range(first, decks.shape[1] if draws else first + 1):
            copies = 1
            if draws:
                card, copies = decks[deal, index], 0
                for other in range(first, decks.shape[1]):
                    if decks[deal, other] == card:
                        if other < index:
                            break
                        copies += 1
                if copies == 0:
                    continue
                mark = card if state[k.SEAT] != seat else 0
            for place in range(decks.shape[1]):
                after.decks[n, place] = decks[deal, place]
            if draws:
                after.decks[n, index] = decks[deal, first]
                after.decks[n, first] = decks[deal, index]
            for word in range(rules[k.STATE_SIZE]):
                after.states[n, word] = state[word]
            step(Packed(rules, after.decks[n], after.states[n]), action)
            words = after.seen[n]
            words[DEAL], words[COPIES], words[SEEN] = deal, copies, mark
            n += 1
    return n


@jit_hot
def value_all(
    search: Search, states: Words, decks: Words, values: Words, first: int, limit: int
) -> int:
    """Write the values with open hands of positions from number `first` on.

    Return the number of the first one that has no value yet: its search goes on at the next call,
    if the table needs more rows, or more than `limit` positions were expanded.
    """
    walk, used = search.walk, search.walk.used
    until = used[w.TRIED] + limit
    for number in range(first, values.size):
        if used[w.DEPTH] < 0:
            if used[w.TRIED] > until:
                return number
            for place in range(walk.deck.size):
                walk.deck[place] = decks[number, place]
            for word in range(states.shape[1]):
                walk.states[0, word] = states[number, word]
            used[w.DEPTH], used[w.STAGE] = 0, w.NEW
        if run(search, limit) != w.DONE:
            return number
        values[number], used[w.DEPTH] = used[w.VALUE], -1
    return int(values.size)
