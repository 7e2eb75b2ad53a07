"""The legal actions of the seat to act, and the rule that an illegal action breaks."""

from __future__ import annotations

from hanabi.ground.compiled import Words
from hanabi.ground.compiled.hot import jit_hot
from hanabi.rules import layout as k
from hanabi.rules.kernels.facts import has_hint, hintable, may_discard, n_held
from hanabi.rules.kernels.packed import Packed, action_code, clue_bit, kind_of, target_of, value_of

# Answers of `find_broken_rule`.
NO_RULE, GAME_IS_OVER, NO_SUCH_ACTION, NO_SUCH_SLOT, FULL_HINTS, NO_DECK_PLAYS = range(6)
DECK_IS_NOT_ONE_CARD, NO_SUCH_SEAT, OWN_SEAT, NO_SUCH_COLOR, NO_SUCH_RANK = range(6, 11)
NO_HINTS, EMPTY_HINT, SAME_KIND_OF_HINT, NO_DECK_DISCARDS = range(11, 15)


@jit_hot
def _may_play_deck(rules: Words, state: Words) -> bool:
    return bool(rules[k.DECK_PLAYS] != 0 and state[k.DRAWN] == rules[k.DECK_SIZE] - 1)


@jit_hot
def _may_discard_deck(rules: Words, state: Words) -> bool:
    # Only with inverted suits: a player need not know whether playing the card would discard it.
    return bool(
        rules[k.INVERTED] != 0 and _may_play_deck(rules, state) and may_discard(rules, state)
    )


@jit_hot
def legal_actions(position: Packed, actions: Words) -> int:
    """Write the legal actions of the seat to act, and return their number.

    `actions` needs `rules[MAX_ACTIONS]` words. Plays come first, then discards, then the hints
    seat by seat, colors before ranks. There are none if nobody can act.
    """
    rules, state = position.rules, position.state
    if state[k.END] != k.IN_PROGRESS:
        return 0
    n = 0
    size = n_held(rules, state, state[k.SEAT])
    for slot in range(size):
        actions[n] = action_code(k.PLAY, slot, 0)
        n += 1
    if _may_play_deck(rules, state):
        actions[n] = k.PLAY_DECK
        n += 1
    if may_discard(rules, state):
        for slot in range(size):
            actions[n] = action_code(k.DISCARD, slot, 0)
            n += 1
    if _may_discard_deck(rules, state):
        actions[n] = k.DISCARD_DECK
        n += 1
    if not has_hint(rules, state):
        return n
    for seat in range(rules[k.SEATS]):
        if seat == state[k.SEAT]:
            continue
        bits = hintable(position, seat)
        # Write every clue and keep it or not: a branch could not be predicted.
        for color in range(rules[k.CLUE_COLORS]):
            actions[n] = action_code(k.HINT_COLOR, seat, color)
            n += bits >> color & 1
        for rank in range(1, rules[k.RANKS] + 1):
            actions[n] = action_code(k.HINT_RANK, seat, rank)
            n += bits >> (k.RANK_BITS - 1 + rank) & 1
    return n


@jit_hot
def find_broken_rule(position: Packed, action: int) -> int:
    """Return the first rule that `action`, any word, breaks, or `NO_RULE` (0) if it is legal."""
    rules, state = position.rules, position.state
    kind, value, seat = kind_of(action), value_of(action), target_of(action)
    if state[k.END] != k.IN_PROGRESS:
        return GAME_IS_OVER
    if action < 0 or kind > k.DISCARD_DECK:
        return NO_SUCH_ACTION
    if kind == k.PLAY_DECK or kind == k.DISCARD_DECK:
        if action != kind:
            return NO_SUCH_ACTION
        if not rules[k.DECK_PLAYS]:
            return NO_DECK_PLAYS
        if kind == k.DISCARD_DECK and not rules[k.INVERTED]:
            return NO_DECK_DISCARDS
        if not _may_play_deck(rules, state):
            return DECK_IS_NOT_ONE_CARD
        return NO_RULE if kind == k.PLAY_DECK or may_discard(rules, state) else FULL_HINTS
    if kind == k.PLAY or kind == k.DISCARD:
        if value:
            return NO_SUCH_ACTION
        if seat >= n_held(rules, state, state[k.SEAT]):  # a slot, here
            return NO_SUCH_SLOT
        return NO_RULE if kind == k.PLAY or may_discard(rules, state) else FULL_HINTS
    if seat >= rules[k.SEATS]:
        return NO_SUCH_SEAT
    if seat == state[k.SEAT]:
        return OWN_SEAT
    clue = clue_bit(kind, value) if kind == k.HINT_COLOR or value > 0 else 0
    if not rules[k.CLUES] & clue:
        return NO_SUCH_COLOR if kind == k.HINT_COLOR else NO_SUCH_RANK
    if not has_hint(rules, state):
        return NO_HINTS
    if state[k.BARRED] & clue:
        return SAME_KIND_OF_HINT
    return NO_RULE if hintable(position, seat) & clue else EMPTY_HINT
