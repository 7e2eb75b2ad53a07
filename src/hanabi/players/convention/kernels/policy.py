"""The convention player: decisions, and what they tell; see hanabi.players.convention."""

# ruff: noqa: ARG001 (all policies take the same arguments)

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled import jit
from hanabi.compiled.bits import count_bits
from hanabi.compiled.lean import jit_lean
from hanabi.game.kernels.deals import start_deal
from hanabi.game.kernels.rules import (
    BOMBED,
    CARDS,
    COLORS,
    COPIES,
    DECK_SIZE,
    DISCARD,
    DISCARDS,
    DRAWN,
    END,
    FINAL_ROUND,
    HAND_SIZE,
    HINT_COLOR,
    HINT_RANK,
    HINTS,
    IN_PROGRESS,
    KNOWN,
    NO_RULE,
    PILES,
    PLAY,
    POINTS,
    RANKS,
    SEAT,
    SEATS,
    SIZES,
    STATE_SIZE,
    TURNS_LEFT,
    action_code,
    find_broken_rule,
    hint_bit,
    hintable,
    step,
    touched_slots,
)
from hanabi.players.convention.kernels.hands import (
    choose_play,
    first_play,
    harm_of,
    next_discard,
    outlook,
    write_own,
)
from hanabi.players.convention.kernels.hints import (
    DANGER,
    HINT_A_PACE,
    HINT_A_TOKEN,
    HINT_FIRST_FROM,
    HINT_FIRST_TOKENS,
    HINT_FROM,
    HINT_LAST,
    SAVE_FROM,
    SAVES,
    load_hand,
    store_hand,
    tell,
)
from hanabi.players.convention.kernels.sets import (
    DEAD,
    GAIN,
    LEFT,
    N_HANDS,
    PLAYABLE,
    UNSEEN,
    card_bit,
    cards_known,
    hand_room,
    write_sets,
)

Words = npt.NDArray[np.int64]
RandomStream = npt.NDArray[np.uint64]

UNTRUE = 500  # what a hint that breaks the conventions loses
BUSY, IDLE, IN_DANGER = range(3)
TOLD, BEFORE, TRIAL, OWN = range(4)  # the hands in `room`


@jit_lean
def memory_size(rules: Words) -> int:
    """Return the number of words of `memory`."""
    return int(2 * rules[DECK_SIZE])


@jit_lean
def room_size(rules: Words) -> int:
    """Return the number of words of `room`."""
    return int(hand_room(rules, N_HANDS) + rules[COLORS] * rules[RANKS])


@jit_lean
def start(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    room: Words,
) -> None:
    """Write the memory of a position that was just dealt: every card can be anything."""
    cards = 0
    for card in range(rules[COLORS] * rules[RANKS]):
        if rules[COPIES + card] > 0:
            cards |= 1 << card
    for index in range(rules[DECK_SIZE]):
        memory[index] = cards
        memory[rules[DECK_SIZE] + index] = 0


@jit_lean
def resume(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    room: Words,
) -> None:
    """Rebuild what depends on hidden cards after `deck` got others: nothing does."""


@jit_lean
def possible(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    seat: int,
    slot: int,
) -> int:
    """Return the set of cards that a slot can hold, by hints and conventions, as all know it.

    After a hint that breaks the conventions, which is given when there is nothing else, the card
    that is there may not be in the set. Only where the conventions leave no card at all are they
    dropped, for what hints say.
    """
    left = 0
    for card in range(rules[COLORS] * rules[RANKS]):
        color = card // rules[RANKS]
        is_played = card % rules[RANKS] < state[PILES + color]
        if rules[COPIES + card] - state[rules[DISCARDS] + card] - is_played > 0:
            left |= 1 << card
    place = seat * rules[HAND_SIZE] + slot
    cards = memory[state[rules[CARDS] + place]] & left
    if cards == 0:
        cards = cards_known(rules, state[rules[KNOWN] + place]) & left
    return int(cards)


@jit_lean
def advance(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    memory: Words,
    action: int,
    room: Words,
) -> None:
    """Take a legal action in place, and learn what it tells everyone."""
    kind, target = action & 7, action >> 8
    if kind == HINT_COLOR or kind == HINT_RANK:
        at = hand_room(rules, TOLD)
        write_sets(rules, deck, state, room)
        load_hand(rules, state, memory, target, room, at)
        touched = touched_slots(rules, deck, state, action)
        tell(rules, state, options, touched, action, room, at)
        store_hand(rules, state, memory, target, room, at)
    step(rules, deck, state, action)


@jit_lean
def is_true(rules: Words, deck: Words, state: Words, seat: int, room: Words, at: int) -> bool:
    """Whether a hand is what `room[at]` says of it."""
    first = rules[CARDS] + seat * rules[HAND_SIZE]
    for slot in range(state[rules[SIZES] + seat]):
        if not room[at + slot] & card_bit(rules, deck[state[first + slot]]):
            return False
    return True


@jit_lean
def best_hint(
    rules: Words, deck: Words, state: Words, options: Words, memory: Words, room: Words
) -> int:
    """Return the hint that is worth most, or -1; its worth goes to `room[GAIN]`."""
    told, before, trial = hand_room(rules, TOLD), hand_room(rules, BEFORE), hand_room(rules, TRIAL)
    best = -1
    room[GAIN] = -(1 << 30)
    if state[HINTS] == 0:
        return best
    for turn in range(1, rules[SEATS]):
        seat = (state[SEAT] + turn) % rules[SEATS]
        load_hand(rules, state, memory, seat, room, before)
        base = outlook(rules, deck, state, options, seat, room, before, trial)
        bits = hintable(rules, deck, state, seat)
        for index in range(rules[COLORS] + rules[RANKS]):
            kind, value = HINT_COLOR, index
            if index >= rules[COLORS]:
                kind, value = HINT_RANK, index - rules[COLORS] + 1
            if not bits & hint_bit(kind, value):
                continue
            action = action_code(kind, seat, value)
            for word in range(2 * rules[HAND_SIZE]):
                room[told + word] = room[before + word]
            touched = touched_slots(rules, deck, state, action)
            tell(rules, state, options, touched, action, room, told)
            gain = outlook(rules, deck, state, options, seat, room, told, trial) - base
            if not is_true(rules, deck, state, seat, room, told):
                gain -= UNTRUE
            if gain > room[GAIN]:
                best = action
                room[GAIN] = gain
    return best


@jit_lean
def _look_ahead(
    rules: Words, deck: Words, state: Words, options: Words, memory: Words, room: Words
) -> int:
    """Return whether the next seat has something to play, or would discard a card that matters."""
    at, seat = hand_room(rules, TOLD), (state[SEAT] + 1) % rules[SEATS]
    size = state[rules[SIZES] + seat]
    if seat == state[SEAT] or size == 0 or state[HINTS] == 0:
        return BUSY
    load_hand(rules, state, memory, seat, room, at)
    if first_play(rules, size, room, at, room[PLAYABLE], room[DEAD]) >= 0:
        return BUSY
    slot = next_discard(rules, options, size, room, at, room[DEAD], LEFT)
    harm = harm_of(rules, deck, state, options, seat, slot, room)
    return IN_DANGER if options[SAVES] != 0 and harm >= options[DANGER] else IDLE


@jit_lean
def _threshold(rules: Words, state: Words, options: Words, room: Words) -> int:
    """Return what a hint must be worth to be better than a discard."""
    if state[TURNS_LEFT] >= 0:
        return -UNTRUE // 2
    needed = options[HINT_FROM] - options[HINT_A_TOKEN] * state[HINTS]
    if state[HINTS] == 1:
        needed += options[HINT_LAST]
    if rules[FINAL_ROUND] < 0:
        return int(needed)
    # Pace: how many more cards can be drawn without a play before there are too few turns left.
    missing = count_bits(room[LEFT] & ~room[DEAD])
    pace = rules[DECK_SIZE] - state[DRAWN] + rules[FINAL_ROUND] - missing
    if pace <= 0:
        return -UNTRUE // 2
    return int(needed + options[HINT_A_PACE] * (pace - 8))


@jit_lean
def decide(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    stream: RandomStream,
    memory: Words,
    room: Words,
) -> int:
    """Return the action of the seat to act; draws nothing from the stream."""
    own, size = hand_room(rules, OWN), state[rules[SIZES] + state[SEAT]]
    write_sets(rules, deck, state, room)
    need = _look_ahead(rules, deck, state, options, memory, room)
    write_own(rules, deck, state, options, memory, room, own)
    slot = choose_play(rules, deck, state, room, own)
    if slot >= 0 and need == BUSY:
        return action_code(PLAY, slot, 0)
    hint = best_hint(rules, deck, state, options, memory, room)
    gain = room[GAIN]
    must = need == IN_DANGER and gain >= options[SAVE_FROM]
    is_urgent = (
        need != BUSY
        and state[HINTS] >= options[HINT_FIRST_TOKENS]
        and gain >= options[HINT_FIRST_FROM]
    )
    if slot >= 0 and not must and not is_urgent:
        return action_code(PLAY, slot, 0)
    may_discard = find_broken_rule(rules, deck, state, action_code(DISCARD, 0, 0)) == NO_RULE
    threshold = _threshold(rules, state, options, room)
    if hint >= 0 and (must or gain >= threshold or not may_discard):
        return hint
    if slot >= 0:
        return action_code(PLAY, slot, 0)
    if may_discard:
        slot = next_discard(rules, options, size, room, own, room[DEAD], UNSEEN)
        return action_code(DISCARD, slot, 0)
    return action_code(PLAY, size - 1, 0)


@jit
def play_games(
    rules: Words,
    cards: Words,
    options: Words,
    seeds: RandomStream,
    first: int,
    outcomes: Words,
) -> None:
    """Play the deals `first`, `first` + 1, ... to the end; as `rule_based.play_games`."""
    stream = np.empty(1, np.uint64)
    state = np.empty(rules[STATE_SIZE], np.int64)
    deck = np.empty(cards.size, np.int64)
    memory = np.empty(memory_size(rules), np.int64)
    room = np.empty(room_size(rules), np.int64)
    for game in range(outcomes.size):
        start_deal(rules, cards, seeds, first + game, deck, state, stream)
        start(rules, deck, state, options, memory, room)
        while state[END] == IN_PROGRESS:
            action = decide(rules, deck, state, options, stream, memory, room)
            advance(rules, deck, state, options, memory, action, room)
        outcomes[game] = state[POINTS] << 1 | (1 if state[END] == BOMBED else 0)
