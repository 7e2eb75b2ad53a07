"""Facts about a position that all kernels share.

Functions of `rules` and `state` alone look at no hidden card. The *place* of a card in hand counts
over all hands: `seat * HAND_SIZE + slot`. A *card* is a number, as in `card_of`. It is also a bit
of a set of cards if the rules have at most 62 different cards.
"""

from __future__ import annotations

from hanabi.ground.compiled import Words
from hanabi.ground.compiled.bits import lowest_bit
from hanabi.ground.compiled.hot import jit_hot, jit_hot_inline
from hanabi.rules import layout as k
from hanabi.rules.kernels.packed import (
    Packed,
    action_code,
    card_of,
    clue_bit,
    clue_number,
    color_of,
    kind_of,
    rank_of,
    target_of,
    value_of,
)


@jit_hot_inline
def card_bit(rules: Words, code: int) -> int:
    """Return the set of one card."""
    return int(1 << card_of(rules, code))


@jit_hot_inline
def n_held(rules: Words, state: Words, seat: int) -> int:
    """Return the number of cards that a seat holds."""
    return int(state[rules[k.SIZES] + seat])


@jit_hot_inline
def index_at(rules: Words, state: Words, place: int) -> int:
    """Return the deck index of the card in a place, or -1 for no card."""
    return int(state[rules[k.CARDS] + place])


@jit_hot_inline
def code_at(position: Packed, place: int) -> int:
    """Return the code of the card in a place."""
    return int(position.deck[position.state[position.rules[k.CARDS] + place]])


@jit_hot_inline
def known_at(rules: Words, state: Words, place: int) -> int:
    """Return what hints leave possible for the card in a place: colors and ranks, as `identity`.

    In a variant it is a set of cards; see `KNOWN_CARDS`.
    """
    return int(state[rules[k.KNOWN] + place])


@jit_hot_inline
def pile_of(state: Words, color: int) -> int:
    """Return the height of a pile of the plain game."""
    return int(state[k.PILES + color])


@jit_hot_inline
def _place_of(rules: Words, state: Words, color: int) -> int:
    """Return the row of a pile in the tables of places."""
    return int(color * rules[k.PLACES] + state[k.PILES + color])


@jit_hot_inline
def height_of(rules: Words, state: Words, color: int) -> int:
    """Return the number of cards on a pile."""
    return int(rules[rules[k.GROWN] + _place_of(rules, state, color)])


@jit_hot_inline
def following_ranks(rules: Words, color: int, place: int) -> int:
    """Return the ranks, as bits, that can come next on a pile in this place; see `PATHS`."""
    return int(rules[rules[k.FOLLOWING] + color * rules[k.PLACES] + place])


@jit_hot_inline
def next_place(rules: Words, color: int, place: int, rank: int) -> int:
    """Return the place of a pile after a card that can come next."""
    return int(rules[rules[k.NEXT] + (color * rules[k.PLACES] + place) * rules[k.RANKS] + rank - 1])


@jit_hot_inline
def next_ranks(rules: Words, state: Words, color: int) -> int:
    """Return the ranks, as bits, of the cards that a pile takes now."""
    ranks = following_ranks(rules, color, state[k.PILES + color])
    return int(ranks & ~state[k.STARTS] if state[k.PILES + color] == 0 else ranks)


@jit_hot_inline
def is_next(rules: Words, state: Words, code: int) -> bool:
    """Whether a card is playable now."""
    return bool(next_ranks(rules, state, color_of(code)) >> rank_of(code) & 1)


@jit_hot_inline
def place_after(rules: Words, state: Words, code: int) -> int:
    """Return the place of a pile after a card is played, or 0 if the card is not playable."""
    if not is_next(rules, state, code):
        return 0
    color = color_of(code)
    return next_place(rules, color, state[k.PILES + color], rank_of(code))


@jit_hot_inline
def last_rank(rules: Words, color: int) -> int:
    """Return the rank that completes a color."""
    return int(rules[rules[k.HEIGHTS] + color])


@jit_hot_inline
def copies_of(rules: Words, card: int) -> int:
    """Return the number of copies of a card in the deck."""
    return int(rules[k.COPIES + card])


@jit_hot_inline
def copies_kept(rules: Words, state: Words, card: int) -> int:
    """Return the number of copies of a card that are not discarded."""
    return int(rules[k.COPIES + card] - state[rules[k.DISCARDS] + card])


@jit_hot_inline
def copies_left(rules: Words, state: Words, card: int) -> int:
    """Return the number of copies of a card that are neither played nor discarded."""
    color, rank = card // rules[k.RANKS], card % rules[k.RANKS] + 1
    is_played = rules[rules[k.ON_PILE] + _place_of(rules, state, color)] >> rank & 1
    return int(rules[k.COPIES + card] - state[rules[k.DISCARDS] + card] - is_played)


@jit_hot_inline
def _grow(rules: Words, state: Words, color: int, order: int) -> tuple[int, int]:
    """Return the height that a pile can reach in one order, and the ranks to come, as bits."""
    row = color * rules[k.MAX_ORDERS] + order
    height, to_come = height_of(rules, state, color), 0
    if rules[rules[k.PATHS] + row * (rules[k.RANKS] + 1) + height] != state[k.PILES + color]:
        return 0, 0
    row = rules[k.ORDERS] + row * rules[k.RANKS]
    if height == 0 and state[k.STARTS] >> rules[row] & 1:
        return 0, 0
    while height < last_rank(rules, color):
        rank = rules[row + height]
        if copies_kept(rules, state, color * rules[k.RANKS] + rank - 1) == 0:
            break
        to_come |= 1 << rank
        height += 1
    return int(height), int(to_come)


@jit_hot_inline
def growth(rules: Words, state: Words, color: int) -> tuple[int, int]:
    """Return the height that a pile can reach, ignoring turns, and the ranks to come, as bits.

    Both cover all orders in which the pile can still be built.
    """
    best, to_come = 0, 0
    for order in range(rules[rules[k.N_ORDERS] + color]):
        height, ranks = _grow(rules, state, color, order)
        best, to_come = max(best, height), to_come | ranks
    return best, to_come


@jit_hot_inline
def reach(rules: Words, state: Words, color: int) -> int:
    """Return the height that a pile can still reach, ignoring turns."""
    return growth(rules, state, color)[0]


@jit_hot_inline
def ranks_to_come(rules: Words, state: Words, color: int) -> int:
    """Return the ranks, as bits, that can still be played on a pile."""
    return growth(rules, state, color)[1]


@jit_hot_inline
def cards_known(rules: Words, known: int) -> int:
    """Return the set of cards that hints leave possible, given a word from `known_at`."""
    if rules[k.KNOWN_CARDS] != 0:
        return known
    row, firsts, few = known >> k.RANK_BITS, rules[k.FIRSTS], (1 << k.FEW) - 1
    cards = row * rules[firsts + (known & few)]
    for color in range(k.FEW, rules[k.COLORS], k.FEW):
        cards |= row * rules[firsts + (known >> color & few)] << color * rules[k.RANKS]
    return int(cards)


@jit_hot
def colors_and_ranks(rules: Words, known: int) -> int:
    """Return the possible colors and ranks of a card, as `identity`, given its knowledge word."""
    if rules[k.KNOWN_CARDS] == 0:
        return known
    row, found = (1 << rules[k.RANKS]) - 1, 0
    for color in range(rules[k.COLORS]):
        ranks = known >> color * rules[k.RANKS] & row
        if ranks:
            found |= 1 << color | ranks << k.RANK_BITS
    return int(found)


@jit_hot_inline
def mask_of(rules: Words, code: int) -> int:
    """Return the knowledge bits that must all be set while a card is possible."""
    return int(rules[rules[k.MASKS] + card_of(rules, code)])


@jit_hot_inline
def clues_of(rules: Words, code: int) -> int:
    """Return the clues that touch a card, as `clue_bit`, from the touch table."""
    return int(rules[rules[k.TOUCHES] + card_of(rules, code)])


@jit_hot_inline
def cards_hinted(rules: Words, kind: int, value: int) -> int:
    """Return the set of the cards that a clue touches."""
    left = rules[rules[k.IF_TOUCHED] + clue_number(rules, kind, value)]
    return cards_known(rules, rules[k.ANYTHING] & left)


@jit_hot
def touched_slots(position: Packed, action: int) -> int:
    """Return the set of slots, as bits, that a hint touches in the hand of its target."""
    rules, seat = position.rules, target_of(action)
    clue, touched = clue_bit(kind_of(action), value_of(action)), 0
    for slot in range(n_held(rules, position.state, seat)):
        if clues_of(rules, code_at(position, seat * rules[k.HAND_SIZE] + slot)) & clue:
            touched |= 1 << slot
    return touched


@jit_hot
def hintable(position: Packed, seat: int) -> int:
    """Return the clues that `seat` may get, ignoring tokens."""
    rules, state = position.rules, position.state
    first, clues = seat * rules[k.HAND_SIZE], rules[k.EMPTY_HINTS]
    if clues != rules[k.CLUES]:
        for place in range(first, first + n_held(rules, state, seat)):
            clues |= clues_of(rules, code_at(position, place))
    return int(clues & ~state[k.BARRED])


@jit_hot
def is_hintable(position: Packed, seat: int) -> bool:
    """Whether `seat` may get any clue, ignoring tokens."""
    rules, barred = position.rules, position.state[k.BARRED]
    if rules[k.EMPTY_HINTS] & ~barred:
        return True
    first = seat * rules[k.HAND_SIZE]
    for place in range(first, first + n_held(rules, position.state, seat)):
        if clues_of(rules, code_at(position, place)) & ~barred:
            return True
    return False


@jit_hot_inline
def first_hint(clues: int, seat: int) -> int:
    """Return the hint to a seat that gives the first of a set of clues, colors before ranks."""
    bit = lowest_bit(clues)
    if bit < k.RANK_BITS:
        return action_code(k.HINT_COLOR, seat, bit)
    return action_code(k.HINT_RANK, seat, bit - k.RANK_BITS + 1)


@jit_hot_inline
def has_hint(rules: Words, state: Words) -> bool:
    """Whether there is a token for a hint."""
    return bool(state[k.HINTS] >= rules[k.HINT_COST])


@jit_hot_inline
def is_inverted(rules: Words, code: int) -> bool:
    """Whether playing a card discards it, and discarding it plays it."""
    return bool(rules[k.INVERTED] >> color_of(code) & 1)


@jit_hot_inline
def may_discard(rules: Words, state: Words) -> bool:
    """Whether tokens allow a discard."""
    return bool(state[k.HINTS] < rules[k.MAX_HINTS] or rules[k.DISCARD_AT_FULL_HINTS] != 0)


@jit_hot_inline
def deck_left(rules: Words, state: Words) -> int:
    """Return the number of cards still to be drawn."""
    return int(rules[k.DECK_SIZE] - state[k.DRAWN])


@jit_hot
def most_points(rules: Words, state: Words) -> int:
    """Return an upper bound on the final score from here."""
    points = 0
    for color in range(rules[k.COLORS]):
        points += reach(rules, state, color)
    turns = state[k.TURNS_LEFT]
    if turns < 0 and rules[k.FINAL_ROUND] >= 0:  # a play takes a card of the deck until it is empty
        turns = rules[k.DECK_SIZE] - state[k.DRAWN] + rules[k.FINAL_ROUND]
    if turns >= 0:
        points = min(points, state[k.POINTS] + turns)
    return int(points)
