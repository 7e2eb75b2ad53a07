"""The meaning of a hint to the convention player, beyond the literal one.

`memory` is public: for each card of the deck the set of cards that it can be, then the marks that
hints put on it. It is the same for every seat and does not depend on hidden cards.
"""

from __future__ import annotations

from hanabi.compiled import Words
from hanabi.compiled.bits import count_bits
from hanabi.compiled.hot import jit_hot, jit_hot_inline
from hanabi.game import layout as k
from hanabi.game.kernels.facts import (
    card_bit,
    cards_hinted,
    cards_known,
    code_at,
    copies_kept,
    index_at,
    known_at,
    last_rank,
    n_held,
)
from hanabi.game.kernels.packed import Packed, card_of, kind_of, target_of, value_of

# Sets of cards that everybody can derive from the table, for the convention player.
#
# A set of cards is a word: bit `color * rules[RANKS] + rank - 1` stands for a card. Rule sets with
# more than `MOST_CARDS` different cards do not fit.

MOST_CARDS = 60

# The first words of `scratch`. LEFT, LEFT + 1, LEFT + 2 are the cards of which at least one, two,
# three copies are neither played nor discarded; UNSEEN and the words after it count only those that
# the seat to act does not see in another hand. TOPS are the last cards of the colors; GAIN is the
# value of the best hint.
PLAYABLE, DEAD, CRITICAL, LEFT, UNSEEN, TOPS, GAIN = 0, 1, 2, 3, 6, 9, 10
# Two words per slot follow, possible cards and marks, for each of four hands; then one per card.
HANDS, N_HANDS = 11, 4


@jit_hot_inline
def at_hand(rules: Words, number: int) -> int:
    """Return where the hand of that number begins in `scratch`."""
    return int(HANDS + 2 * number * rules[k.HAND_SIZE])


@jit_hot_inline
def weigh(scratch: Words, lanes: int, cards: int) -> int:
    """Return the number of copies left of a set's cards, at most three of each."""
    return int(
        count_bits(cards & scratch[lanes])
        + count_bits(cards & scratch[lanes + 1])
        + count_bits(cards & scratch[lanes + 2])
    )


@jit_hot_inline
def next_cards(scratch: Words, cards: int) -> int:
    """Return the cards that come right after those of a set, in their colors."""
    return int((cards & ~scratch[TOPS]) << 1)


@jit_hot
def cards_held(position: Packed, seat: int) -> int:
    """Return the set of the cards in a hand."""
    rules, state = position.rules, position.state
    cards = 0
    first = seat * rules[k.HAND_SIZE]
    for place in range(first, first + n_held(rules, state, seat)):
        cards |= card_bit(rules, code_at(position, place))
    return cards


@jit_hot
def write_sets(position: Packed, scratch: Words) -> None:
    """Write the sets of a position; reads no card of the seat to act."""
    rules, state = position.rules, position.state
    ranks, counts = rules[k.RANKS], at_hand(rules, N_HANDS)
    for card in range(rules[k.COLORS] * ranks):
        scratch[counts + card] = 0
    for seat in range(rules[k.SEATS]):
        if seat != state[k.SEAT]:
            first = seat * rules[k.HAND_SIZE]
            for place in range(first, first + n_held(rules, state, seat)):
                code = code_at(position, place)
                scratch[counts + card_of(rules, code)] += 1
    # Sets grow in registers, and copies are counted without `copies_left`, which divides: this was
    # a fifth of the work of a decision. The player refuses variants, so piles are heights.
    playable, dead, critical, tops = 0, 0, 0, 0
    left_1, left_2, left_3, unseen_1, unseen_2, unseen_3 = 0, 0, 0, 0, 0, 0
    bit, card = 1, 0
    for color in range(rules[k.COLORS]):
        pile, is_reachable = state[k.PILES + color], True
        tops |= bit << (last_rank(rules, color) - 1)
        for index in range(ranks):
            left = copies_kept(rules, state, card) - (index < pile)
            unseen = left - scratch[counts + card]
            is_reachable = is_reachable and (index < pile or left > 0)
            if index < pile or not is_reachable:
                dead |= bit
            else:
                playable |= bit if index == pile else 0
                critical |= bit if left == 1 else 0
            left_1 |= bit if left > 0 else 0
            left_2 |= bit if left > 1 else 0
            left_3 |= bit if left > 2 else 0
            unseen_1 |= bit if unseen > 0 else 0
            unseen_2 |= bit if unseen > 1 else 0
            unseen_3 |= bit if unseen > 2 else 0
            bit, card = bit << 1, card + 1
    scratch[PLAYABLE], scratch[DEAD], scratch[CRITICAL] = playable, dead, critical
    scratch[LEFT], scratch[LEFT + 1], scratch[LEFT + 2] = left_1, left_2, left_3
    scratch[UNSEEN], scratch[UNSEEN + 1], scratch[UNSEEN + 2] = unseen_1, unseen_2, unseen_3
    scratch[TOPS] = tops


# Marks of a card: touched by a hint; called to be played; called to be discarded.
TOUCHED, TO_PLAY, TO_DISCARD = 1, 2, 4

# Words of `options`; see hanabi.players.convention. The first say whether to use each part; then
# follow weights and thresholds in twentieths of a play.
RANK_CALLS, DISCARD_CALLS, SAVES, NEWEST, ASIDE = range(5)
PLAY_WORTH, FIRST_WORTH, TRASH_WORTH, KNOWING, HARM = range(5, 10)
HARM_CRITICAL, HARM_RANK, HARM_PLAYABLE, HARM_USEFUL, DANGER = range(10, 15)
SAVE_FROM, HINT_FIRST_TOKENS, HINT_FIRST_FROM = range(15, 18)
# The chance of being playable, in twentieths, from which a card is played instead of another being
# discarded; the same when turns run out and no hint has the value of the third word.
RISK_FROM, LATE_RISK_FROM, LATE_HINT_FROM = range(18, 21)
# Tables: the required value of a hint by the tokens available, up to a maximum, and the addition to
# it by the pace, from 0 to a maximum.
HINT_FROM, MOST_TOKENS = 21, 8
BY_PACE, MOST_PACE = HINT_FROM + MOST_TOKENS + 1, 17
OPTIONS = BY_PACE + MOST_PACE + 1


@jit_hot_inline
def load_hand(
    rules: Words, state: Words, memory: Words, seat: int, scratch: Words, at: int
) -> None:
    """Copy the public knowledge of a hand to `scratch`: possible cards, then marks."""
    hand = rules[k.HAND_SIZE]
    for slot in range(n_held(rules, state, seat)):
        place = seat * hand + slot
        index = index_at(rules, state, place)
        cards = memory[index] & scratch[LEFT]
        if cards == 0:  # some hint broke the conventions, but its literal meaning holds
            cards = cards_known(rules, known_at(rules, state, place)) & scratch[LEFT]
        scratch[at + slot] = cards
        scratch[at + hand + slot] = memory[rules[k.DECK_SIZE] + index]


@jit_hot_inline
def store_hand(
    rules: Words, state: Words, memory: Words, seat: int, scratch: Words, at: int
) -> None:
    """Copy it back."""
    hand = rules[k.HAND_SIZE]
    for slot in range(n_held(rules, state, seat)):
        index = index_at(rules, state, seat * hand + slot)
        memory[index] = scratch[at + slot]
        memory[rules[k.DECK_SIZE] + index] = scratch[at + hand + slot]


@jit_hot_inline
def _hear(rules: Words, size: int, scratch: Words, at: int, touched: int, cards: int) -> bool:
    """Apply a hint's literal meaning; return whether it shows a card to be playable or dead."""
    marks, is_plain = at + rules[k.HAND_SIZE], False
    playable, dead = scratch[PLAYABLE], scratch[DEAD]
    for slot in range(size):
        before = scratch[at + slot]
        if not touched >> slot & 1:
            scratch[at + slot] = before & ~cards
            continue
        after = before & cards
        scratch[at + slot] = after
        scratch[marks + slot] = scratch[marks + slot] & ~TO_DISCARD | TOUCHED
        if after & ~playable == 0 and before & ~playable:
            is_plain = is_plain or after != 0
        if after & ~dead == 0 and before & ~dead:
            is_plain = is_plain or after != 0
    return is_plain


@jit_hot_inline
def _call_play(scratch: Words, at: int, marks: int, slot: int) -> bool:
    """Call a slot if it could be playable, but is not known to be; return whether it was called."""
    cards, playable = scratch[at + slot], scratch[PLAYABLE]
    if cards & playable and cards & ~playable:
        scratch[at + slot] = cards & playable
        scratch[marks + slot] |= TO_PLAY
        return True
    return False


@jit_hot_inline
def _call_play_aside(rules: Words, size: int, scratch: Words, at: int, lead: int) -> None:
    """Call a play from `lead` to newer slots, wrapping around; untouched slots take precedence."""
    marks = at + rules[k.HAND_SIZE]
    for excluded in (TOUCHED, 0):
        for turn in range(size):
            slot = (lead + turn) % size
            if not scratch[marks + slot] & excluded and _call_play(scratch, at, marks, slot):
                return


@jit_hot_inline
def _call_play_from(rules: Words, size: int, scratch: Words, at: int, first: int) -> None:
    """Call a play from slot `first` to older ones, wrapping around."""
    for turn in range(size):
        if _call_play(scratch, at, at + rules[k.HAND_SIZE], (first - turn) % size):
            return


@jit_hot_inline
def _call_discard(rules: Words, size: int, scratch: Words, at: int, lead: int) -> None:
    """Call the first slot older than `lead` without a mark: it is not the last of its kind."""
    marks, critical = at + rules[k.HAND_SIZE], scratch[CRITICAL]
    for turn in range(1, size + 1):
        slot = (lead - turn) % size
        cards = scratch[at + slot]
        if scratch[marks + slot] or cards & ~scratch[PLAYABLE] == 0 or cards & ~critical == 0:
            continue
        scratch[at + slot] = cards & ~critical
        scratch[marks + slot] |= TO_DISCARD
        return


@jit_hot_inline
def tell(
    rules: Words,
    state: Words,
    options: Words,
    touched: int,
    action: int,
    scratch: Words,
    at: int,
) -> None:
    """Update the public knowledge of the hand at `scratch[at]` by a hint about to be given.

    It uses only public knowledge: the sets of the position, the hand, the touched slots.
    """
    size = n_held(rules, state, target_of(action))
    kind, marks, group = kind_of(action), at + rules[k.HAND_SIZE], 0
    for slot in range(size):
        if touched >> slot & 1 and not scratch[marks + slot] & TOUCHED:
            group |= 1 << slot
    is_fresh = group != 0
    if not is_fresh:
        group = touched
    cards = cards_hinted(rules, kind, value_of(action))
    if _hear(rules, size, scratch, at, touched, cards) or group == 0:
        return
    lead = size - 1
    while not group >> lead & 1:
        lead -= 1
    first = size - 1 if options[ASIDE] != 0 else lead
    if kind != k.HINT_RANK:
        if is_fresh and options[ASIDE] != 0:
            _call_play_aside(rules, size, scratch, at, lead)
        else:
            _call_play_from(rules, size, scratch, at, first)
        return
    useful = scratch[at + lead] & ~scratch[DEAD]
    if options[RANK_CALLS] != 0 and is_fresh and useful and useful & ~scratch[PLAYABLE] == 0:
        scratch[at + lead] = useful
        scratch[marks + lead] |= TO_PLAY
    elif state[k.HINTS] == rules[k.MAX_HINTS]:
        return  # nobody could discard, so some hint must have only its literal meaning
    elif options[RANK_CALLS] != 0 and not is_fresh:
        _call_play_from(rules, size, scratch, at, first)
    elif options[DISCARD_CALLS] != 0 and not (is_fresh and lead == size - 1):
        _call_discard(rules, size, scratch, at, lead)
