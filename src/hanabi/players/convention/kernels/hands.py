"""What the convention player does with a hand of which it knows something."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from hanabi.compiled.bits import count_bits
from hanabi.compiled.lean import jit_lean, jit_lean_inline
from hanabi.game.kernels.rules import CARDS, HAND_SIZE, HEIGHTS, KNOWN, SEAT, SEATS, SIZES
from hanabi.players.convention.kernels.hints import (
    FIRST_WORTH,
    HARM,
    HARM_CRITICAL,
    HARM_PLAYABLE,
    HARM_RANK,
    HARM_USEFUL,
    KNOWING,
    NEWEST,
    OPEN_HANDS,
    PLAY_WORTH,
    TO_DISCARD,
    TO_PLAY,
    TOUCHED,
    TRASH_WORTH,
    load_hand,
)
from hanabi.players.convention.kernels.sets import (
    CRITICAL,
    DEAD,
    LEFT,
    PLAYABLE,
    UNSEEN,
    card_bit,
    cards_held,
    cards_known,
    next_cards,
    weigh,
)

Words = npt.NDArray[np.int64]

WRONG = -1000  # worth of a hint that makes someone play a card that is not playable


@jit_lean_inline
def _is_sure(cards: int, marks: int, playable: int, dead: int) -> bool:
    """Whether a card is known to be playable; one that was called is trusted not to be dead."""
    if marks & TO_PLAY and cards & ~dead:
        cards &= ~dead
    return cards != 0 and cards & ~playable == 0


@jit_lean_inline
def first_play(rules: Words, size: int, room: Words, at: int, playable: int, dead: int) -> int:
    """Return the first slot that is known to be playable, or -1."""
    for slot in range(size):
        if _is_sure(room[at + slot], room[at + rules[HAND_SIZE] + slot], playable, dead):
            return slot
    return -1


@jit_lean
def choose_play(rules: Words, deck: Words, state: Words, room: Words, at: int) -> int:
    """Return the slot that the seat to act would play, or -1.

    Cards that let the next seat play go first, then called cards that could be several: others
    depend on them.
    """
    seat = (state[SEAT] + 1) % rules[SEATS]
    others = cards_held(rules, deck, state, seat) if rules[SEATS] > 1 else 0
    best, most = -1, -1
    for slot in range(state[rules[SIZES] + state[SEAT]]):
        cards, marks = room[at + slot], room[at + rules[HAND_SIZE] + slot]
        if not _is_sure(cards, marks, room[PLAYABLE], room[DEAD]):
            continue
        if marks & TO_PLAY and cards & ~room[DEAD]:
            cards &= ~room[DEAD]
        worth = 1
        if cards & (cards - 1):
            worth = 2
        elif next_cards(room, cards) & others & ~room[DEAD]:
            worth = 3
        if worth > most:
            best, most = slot, worth
    return best


@jit_lean
def next_discard(
    rules: Words, options: Words, size: int, room: Words, at: int, dead: int, lanes: int
) -> int:
    """Return the slot that goes first: dead, called, untouched, or the least likely to hurt."""
    marks, critical = at + rules[HAND_SIZE], room[CRITICAL]
    for slot in range(size):
        if room[at + slot] & ~dead == 0:
            return slot
    for slot in range(size):
        if room[marks + slot] & TO_DISCARD:
            return slot
    for turn in range(size):
        slot = size - 1 - turn if options[NEWEST] != 0 else turn
        if not room[marks + slot] & (TOUCHED | TO_PLAY) and room[at + slot] & ~critical:
            return slot
    best, least, of = 0, 1 << 30, 1
    for slot in range(size):
        cards = room[at + slot]
        total = weigh(room, lanes, cards)
        harm = 4 * weigh(room, lanes, cards & critical) + weigh(room, lanes, cards & ~dead)
        if harm * of < least * total:
            best, least, of = slot, harm, total
    return best


@jit_lean
def harm_of(
    rules: Words, deck: Words, state: Words, options: Words, seat: int, slot: int, room: Words
) -> int:
    """Return how bad it would be to discard a card that is seen; -1 if it is well gone."""
    first = rules[CARDS] + seat * rules[HAND_SIZE]
    code = deck[state[first + slot]]
    card = card_bit(rules, code)
    if card & room[DEAD]:
        return -1
    for other in range(state[rules[SIZES] + seat]):
        if other != slot and deck[state[first + other]] == code:
            return 0
    if card & room[CRITICAL]:
        above = rules[rules[HEIGHTS] + (code >> 5)] - (code & 31)
        return int(options[HARM_CRITICAL] + options[HARM_RANK] * above)
    return int(options[HARM_PLAYABLE] if card & room[PLAYABLE] else options[HARM_USEFUL])


@jit_lean
def outlook(
    rules: Words,
    deck: Words,
    state: Words,
    options: Words,
    seat: int,
    room: Words,
    at: int,
    trial: int,
) -> int:
    """Return how good it is that a seat knows of its hand what is written at `room[at]`.

    The cards that it would play by itself count, then the one that it would discard next, and how
    much it knows of its useful cards. `room[trial]` is scratch.
    """
    hand, size = rules[HAND_SIZE], state[rules[SIZES] + seat]
    first = rules[CARDS] + seat * hand
    if size == 0:
        return 0
    for word in range(2 * hand):
        room[trial + word] = room[at + word]
    playable, dead = room[PLAYABLE], room[DEAD]
    plays, worth = 0, 0
    slot = first_play(rules, size, room, trial, playable, dead)
    while slot >= 0:
        card = card_bit(rules, deck[state[first + slot]])
        if not card & playable:
            return WRONG
        room[trial + slot] = 0
        worth += options[PLAY_WORTH] + (options[FIRST_WORTH] if plays == 0 else 0)
        plays += 1
        dead |= card
        playable = (playable & ~card) | (next_cards(room, card) & ~dead)
        slot = first_play(rules, size, room, trial, playable, dead)
    n_dead, unsure = 0, 0
    for slot in range(size):
        if room[at + slot] & ~dead == 0:
            n_dead += 1
        if card_bit(rules, deck[state[first + slot]]) & ~room[DEAD]:
            unsure += count_bits(room[at + slot])
    worth += options[TRASH_WORTH] * min(n_dead, 2) - options[KNOWING] * unsure // 16
    slot = next_discard(rules, options, size, room, at, dead, LEFT)
    harm = harm_of(rules, deck, state, options, seat, slot, room)
    return int(worth - options[HARM] * harm // (1 + plays))


@jit_lean
def write_own(
    rules: Words, deck: Words, state: Words, options: Words, memory: Words, room: Words, at: int
) -> None:
    """Write what the seat to act knows of its own hand, from what it sees too."""
    seat = state[SEAT]
    size = state[rules[SIZES] + seat]
    load_hand(rules, state, memory, seat, room, at)
    for slot in range(size):
        place = seat * rules[HAND_SIZE] + slot
        cards = room[at + slot] & room[UNSEEN]
        if options[OPEN_HANDS] != 0:
            cards = card_bit(rules, deck[state[rules[CARDS] + place]])
        if cards == 0:
            cards = cards_known(rules, state[rules[KNOWN] + place]) & room[UNSEEN]
        room[at + slot] = cards
    # A card whose copies are all in slots that are known cannot be elsewhere. Twice is enough.
    for _ in range(2):
        for slot in range(size):
            card = room[at + slot]
            if card & (card - 1):
                continue
            held = 0
            for other in range(size):
                held += room[at + other] == card
            if held >= weigh(room, UNSEEN, card):
                for other in range(size):
                    if room[at + other] & ~card:
                        room[at + other] &= ~card
