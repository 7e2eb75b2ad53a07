"""The layout of a position: the meaning of each word and bit of its arrays.

The constants are plain numbers, so importing them loads neither NumPy nor Numba. Import the module
under one name, `from hanabi.rules import layout as k`, in kernels and in Python alike.

Everything is int64 words in the three arrays of a :class:`hanabi.rules.kernels.packed.Packed`.
Copying the words of `state` copies the position. Hands name cards by their index in the deck, so
a position with other hidden cards is the same `state` with another `deck`. Functions that depend
on no hidden card take `rules` and `state` alone.

======================  ========================================================================
`state` words           meaning
======================  ========================================================================
0 .. 9                  see `TURN` .. `BARRED`
from `PILES`            the place of each color's pile in its orders, as in `PATHS`; 0: empty
from rules[DISCARDS]    discarded copies (errors included) of each card, color by color
from rules[SIZES]       cards in each seat's hand
from rules[CARDS]       deck indices, `HAND_SIZE` words a seat; oldest first; -1: no card
from rules[KNOWN]       what hints leave possible for these cards, bits as in `MASKS`; 0: no card
======================  ========================================================================

Tables of `rules` hold what differs between variants. These words hold the tables' offsets:

======================  ========================================================================
rules[word]             table at this offset
======================  ========================================================================
`HEIGHTS`               a color: cards of its complete pile
`TOUCHES`               a card: the clues that touch it, as `clue_bit`
`MASKS`                 a card: the bits that must all be set while the card is possible
`IF_TOUCHED`, `IF_NOT`  a clue: the bits that it leaves set for a card that it touches, or does not
`FIRSTS`                a set of the first `FEW` colors: the lowest card of each, as bits
`NEXT`                  a color, place of the pile and rank: the place that the card brings the pile
                        to, or 0
`GROWN`, `ON_PILE`      a color and place: the number of cards, and their ranks as bits
`FOLLOWING`             a color and place: the ranks, as bits, that can come next
`N_ORDERS`              a color: the number of orders in which it can be played
`ORDERS`                a color, order and height: the rank that comes next
`PATHS`                 a color, order and height: the place of the pile
======================  ========================================================================

In the plain game there is one order, and the place of a pile is its height. The knowledge about a
card is the set of its possible colors and ranks (`identity`), for decks of any size. A variant's
clues can mix colors and ranks, so its knowledge is the set of possible cards (`KNOWN_CARDS`).

An action is one word, `kind | value << 3 | target << 8`, in every rule set. Kinds 0 to 3 are
hanab.live's types. The target is the slot of a play or discard, or the seat that gets a hint. The
value is the hinted color (from 0) or rank (from 1), else 0.
"""

from __future__ import annotations

# Words of `rules`. The copies of each card come last, color by color, then the tables.
COLORS, RANKS, SEATS, HAND_SIZE, DECK_SIZE, MAX_HINTS, MAX_LIVES, MAX_SCORE = range(8)
FINAL_ROUND = 8  # turns after the last card is drawn, or -1: no limit
COMPLETION_BONUS, DISCARD_AT_FULL_HINTS, EMPTY_HINTS, BOMBED_SCORES_ZERO = range(9, 13)
KEEP_SLOTS, STOP_WHEN_STUCK, DECK_PLAYS, OPEN_HANDS = range(13, 17)
DISCARDS, SIZES, CARDS, KNOWN, STATE_SIZE, MAX_ACTIONS, HEIGHTS, TOUCHES, ANYTHING = range(17, 26)
# Sets of clues: all clues; those that may not follow a color clue, or a rank clue.
CLUES, BARS, _BARS_AFTER_RANK, CLUE_COLORS = range(26, 30)
# The cost of a hint, in the units of state[HINTS]; the inverted colors, as bits; three flags.
HINT_COST, INVERTED, DISTINCT_STARTS, ALL_OR_NOTHING, KNOWN_CARDS = range(30, 35)
MASKS, IF_TOUCHED, IF_NOT, NEXT, GROWN, ON_PILE, FOLLOWING = range(35, 42)
N_ORDERS, ORDERS, PATHS = range(42, 45)
PLACES, MAX_ORDERS = range(45, 47)  # places of a pile, and orders, that tables have rows for
FIRSTS, SPEEDRUN, COPIES = range(47, 50)

# Words of `state`. TURNS_LEFT is -1 while nothing limits the turns. POINTS counts the cards on the
# piles. STARTS is the set of ranks, as bits, with which no other pile may begin. BARRED is the set
# of clues that may not be given now.
TURN, SEAT, HINTS, LIVES, DRAWN, TURNS_LEFT, POINTS, END, STARTS, BARRED = range(10)
PILES = 10

PLAY, DISCARD, HINT_COLOR, HINT_RANK, PLAY_DECK, DISCARD_DECK = range(6)

# Values of state[END].
IN_PROGRESS, BOMBED, COMPLETED, OUT_OF_TURNS, STUCK, NO_ACTION = range(6)
WAITING = 6  # nobody can act, though no rule ends the game

FEW = 5  # number of colors that one lookup in the table FIRSTS covers
RANK_BITS = 32  # the first bit for ranks, above the bits for colors
COLOR_BITS = (1 << RANK_BITS) - 1
