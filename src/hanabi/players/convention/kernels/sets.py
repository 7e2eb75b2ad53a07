"""Sets of cards that everyone can work out from the table, for the convention player.

A set of cards is a word: bit `color * rules[RANKS] + rank - 1` stands for a card. Rule sets with
more than `MOST_CARDS` different cards do not fit.
"""

from __future__ import annotations

from hanabi.compiled import Words
from hanabi.compiled.bits import count_bits
from hanabi.compiled.hot import jit_hot, jit_hot_inline
from hanabi.game import layout as k
from hanabi.game.kernels.facts import card_bit, code_at, copies_kept, last_rank, n_held
from hanabi.game.kernels.words import Packed, card_of

MOST_CARDS = 60

# The first words of `scratch`. LEFT, LEFT + 1, LEFT + 2 are the cards of which at least one, two,
# three copies are neither played nor discarded; UNSEEN ... counts only those that the seat to act
# does not see in another hand. TOPS are the last cards of the colors; GAIN is the worth of the best
# hint.
PLAYABLE, DEAD, CRITICAL, LEFT, UNSEEN, TOPS, GAIN = 0, 1, 2, 3, 6, 9, 10
# Two words a slot follow, possible cards and marks, for each of four hands; then a word a card.
HANDS, N_HANDS = 11, 4


@jit_hot_inline
def at_hand(rules: Words, number: int) -> int:
    """Return where the hand of that number begins in `scratch`."""
    return int(HANDS + 2 * number * rules[k.HAND_SIZE])


@jit_hot_inline
def weigh(scratch: Words, lanes: int, cards: int) -> int:
    """Return how many copies there are of a set's cards, at most three of each."""
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
