"""The moves that are tried in a position, one of those that come to the same."""

from __future__ import annotations

from hanabi.compiled import Words
from hanabi.compiled.hot import jit_hot
from hanabi.draws.kernels import layout as w
from hanabi.draws.kernels.layout import Search
from hanabi.draws.kernels.table import is_dead
from hanabi.game import layout as k
from hanabi.game.kernels.facts import (
    code_at,
    first_hint,
    has_hint,
    hintable,
    is_next,
    may_discard,
    n_held,
)
from hanabi.game.kernels.legal import NO_RULE, find_broken_rule
from hanabi.game.kernels.words import Packed, action_code


@jit_hot
def _add(search: Search, depth: int, action: int) -> None:
    n = search.frames[depth, w.N_MOVES]
    search.moves[depth, n] = action
    search.frames[depth, w.N_MOVES] = n + 1


@jit_hot
def _add_hint(search: Search, position: Packed, depth: int, clues: int) -> None:
    """Add one hint that gives any of a set of clues."""
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
    """Add a hint; where its kind bars others from the next one, one of each kind."""
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
    """Write the moves of a position whose classes are written and still by slot."""
    search.frames[depth, w.N_MOVES] = 0
    position = Packed(search.rules, search.deck, search.states[depth])
    if search.is_plain:
        _list_plain(search, position, depth)
    else:
        _list_all(search, position, depth)


@jit_hot
def _list_plain(search: Search, position: Packed, depth: int) -> None:
    """Write moves by the reductions of `hanabi.draws`."""
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
    if is_last_turn and search.frames[depth, w.N_MOVES] > 0:
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
    """Write a move of each sort: a class of cards to play or discard, a kind of hint."""
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
    """Return how many moves a position can have here, at most."""
    return int(2 * rules[k.HAND_SIZE] + 4)
