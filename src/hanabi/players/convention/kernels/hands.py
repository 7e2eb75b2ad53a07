"""The convention player's decisions about a partially known hand."""

from __future__ import annotations

from hanabi.compiled import Words
from hanabi.compiled.bits import count_bits
from hanabi.compiled.hot import jit_hot, jit_hot_inline
from hanabi.game import layout as k
from hanabi.game.kernels.facts import card_bit, cards_known, code_at, known_at, n_held
from hanabi.game.kernels.packed import Packed
from hanabi.players.convention.kernels.hints import (
    CRITICAL,
    DEAD,
    FIRST_WORTH,
    HARM,
    HARM_CRITICAL,
    HARM_PLAYABLE,
    HARM_RANK,
    HARM_USEFUL,
    KNOWING,
    LEFT,
    NEWEST,
    PLAY_WORTH,
    PLAYABLE,
    TO_DISCARD,
    TO_PLAY,
    TOPS,
    TOUCHED,
    TRASH_WORTH,
    UNSEEN,
    cards_held,
    load_hand,
    next_cards,
    weigh,
)

WRONG = -1000  # value of a hint that makes someone play an unplayable card


@jit_hot_inline
def _is_sure(cards: int, marks: int, playable: int, dead: int) -> bool:
    """Whether a card is known to be playable; a called card is assumed not to be dead."""
    if marks & TO_PLAY and cards & ~dead:
        cards &= ~dead
    return cards != 0 and cards & ~playable == 0


@jit_hot_inline
def first_play(
    rules: Words, size: int, scratch: Words, at: int, playable: int, dead: int, gone: int
) -> int:
    """Return the first slot known to be playable, or -1; `gone` are slots to skip."""
    for slot in range(size):
        if not gone >> slot & 1 and _is_sure(
            scratch[at + slot], scratch[at + rules[k.HAND_SIZE] + slot], playable, dead
        ):
            return slot
    return -1


@jit_hot
def choose_play(position: Packed, scratch: Words, at: int) -> int:
    """Return the slot that the seat to act would play, or -1.

    Cards that let the next seat play go first, then called cards with several possible identities,
    because others depend on them.
    """
    rules, state = position.rules, position.state
    seat = (state[k.SEAT] + 1) % rules[k.SEATS]
    others = cards_held(position, seat) if rules[k.SEATS] > 1 else 0
    best, most = -1, -1
    for slot in range(n_held(rules, state, state[k.SEAT])):
        cards, marks = scratch[at + slot], scratch[at + rules[k.HAND_SIZE] + slot]
        if not _is_sure(cards, marks, scratch[PLAYABLE], scratch[DEAD]):
            continue
        if marks & TO_PLAY and cards & ~scratch[DEAD]:
            cards &= ~scratch[DEAD]
        worth = 1
        if cards & (cards - 1):
            worth = 2
        elif next_cards(scratch, cards) & others & ~scratch[DEAD]:
            worth = 3
        if worth > most:
            best, most = slot, worth
    return best


@jit_hot
def likeliest_play(size: int, scratch: Words, at: int) -> tuple[int, int]:
    """Return the slot most likely to be playable, and its chance in thousandths.

    The chance counts the copies that the seat does not see; its knowledge is at `scratch[at]`.
    """
    best, most = 0, 0
    for slot in range(size):
        cards = scratch[at + slot]
        chance = 1000 * weigh(scratch, UNSEEN, cards & scratch[PLAYABLE])
        chance //= max(weigh(scratch, UNSEEN, cards), 1)
        if chance > most:
            best, most = slot, chance
    return best, most


@jit_hot_inline
def next_discard(
    rules: Words, options: Words, size: int, scratch: Words, at: int, dead: int, lanes: int
) -> int:
    """Return the slot to discard: a dead, else called, else untouched, else least harmful one."""
    marks, critical = at + rules[k.HAND_SIZE], scratch[CRITICAL]
    for slot in range(size):
        if scratch[at + slot] & ~dead == 0:
            return slot
    for slot in range(size):
        if scratch[marks + slot] & TO_DISCARD:
            return slot
    for turn in range(size):
        slot = size - 1 - turn if options[NEWEST] != 0 else turn
        if not scratch[marks + slot] & (TOUCHED | TO_PLAY) and scratch[at + slot] & ~critical:
            return slot
    best, least, of = 0, 1 << 30, 1
    for slot in range(size):
        cards = scratch[at + slot]
        total = weigh(scratch, lanes, cards)
        harm = 4 * weigh(scratch, lanes, cards & critical) + weigh(scratch, lanes, cards & ~dead)
        if harm * of < least * total:
            best, least, of = slot, harm, total
    return best


@jit_hot_inline
def write_held(position: Packed, seat: int, scratch: Words, at: int) -> None:
    """Write the cards of a visible hand, as one single-card set per slot."""
    first = seat * position.rules[k.HAND_SIZE]
    for slot in range(n_held(position.rules, position.state, seat)):
        scratch[at + slot] = card_bit(position.rules, code_at(position, first + slot))


@jit_hot_inline
def harm_of(rules: Words, options: Words, size: int, slot: int, scratch: Words, held: int) -> int:
    """Return the loss from discarding a visible card; -1 if the discard is good.

    The hand's cards are at `scratch[held]`, as `write_held` writes them.
    """
    card = scratch[held + slot]
    if card & scratch[DEAD]:
        return -1
    for other in range(size):
        if other != slot and scratch[held + other] == card:
            return 0
    if card & scratch[CRITICAL]:
        above = 0
        while not card & scratch[TOPS]:
            card, above = card << 1, above + 1
        return int(options[HARM_CRITICAL] + options[HARM_RANK] * above)
    return int(options[HARM_PLAYABLE] if card & scratch[PLAYABLE] else options[HARM_USEFUL])


@jit_hot_inline
def outlook(rules: Words, options: Words, size: int, scratch: Words, at: int, held: int) -> int:
    """Return the value of the knowledge at `scratch[at]` about a hand of `size` cards.

    It counts the cards that the hand's seat would play, the one that it would discard next, and its
    knowledge of its useful cards. The hand's true cards are at `scratch[held]`.
    """
    if size == 0:
        return 0
    playable, dead = scratch[PLAYABLE], scratch[DEAD]
    plays, worth, gone = 0, 0, 0
    slot = first_play(rules, size, scratch, at, playable, dead, gone)
    while slot >= 0:
        card = scratch[held + slot]
        if not card & playable:
            return WRONG
        gone |= 1 << slot
        worth += options[PLAY_WORTH] + (options[FIRST_WORTH] if plays == 0 else 0)
        plays += 1
        dead |= card
        playable = (playable & ~card) | (next_cards(scratch, card) & ~dead)
        slot = first_play(rules, size, scratch, at, playable, dead, gone)
    n_dead, unsure = 0, 0
    for slot in range(size):
        if scratch[at + slot] & ~dead == 0:
            n_dead += 1
        if scratch[held + slot] & ~scratch[DEAD]:
            unsure += count_bits(scratch[at + slot])
    worth += options[TRASH_WORTH] * min(n_dead, 2) - options[KNOWING] * unsure // 16
    slot = next_discard(rules, options, size, scratch, at, dead, LEFT)
    harm = harm_of(rules, options, size, slot, scratch, held)
    return int(worth - options[HARM] * harm // (1 + plays))


@jit_hot
def write_own(position: Packed, memory: Words, scratch: Words, at: int) -> None:
    """Write what the seat to act knows about its own hand, including by what it sees."""
    rules, state = position.rules, position.state
    seat = state[k.SEAT]
    size = n_held(rules, state, seat)
    load_hand(rules, state, memory, seat, scratch, at)
    for slot in range(size):
        place = seat * rules[k.HAND_SIZE] + slot
        cards = scratch[at + slot] & scratch[UNSEEN]
        if rules[k.OPEN_HANDS] != 0:
            cards = card_bit(rules, code_at(position, place))
        if cards == 0:
            cards = cards_known(rules, known_at(rules, state, place)) & scratch[UNSEEN]
        scratch[at + slot] = cards
    # A card whose copies are all in known slots cannot be elsewhere. Two passes are enough.
    for _ in range(2):
        for slot in range(size):
            card = scratch[at + slot]
            if card & (card - 1):
                continue
            held = 0
            for other in range(size):
                held += scratch[at + other] == card
            if held >= weigh(scratch, UNSEEN, card):
                for other in range(size):
                    if scratch[at + other] & ~card:
                        scratch[at + other] &= ~card
