"""The layout of a position: which word of its arrays holds what, and in which bits.

Plain numbers, so that reading them imports neither NumPy nor Numba. Import the module as one name,
`from hanabi.game import layout as k`, in kernels and in Python alike.

Everything is int64 words in the three arrays of a :class:`hanabi.game.kernels.packed.Packed`.
Copying the words of `state` copies the position. Its hands name cards by their index in the deck,
so that a position with other hidden cards is the same `state` with another `deck`; what depends on
no hidden card takes `rules` and `state` alone.

======================  ========================================================================
`state` words           meaning
======================  ========================================================================
0 .. 9                  see `TURN` .. `BARRED`
from `PILES`            where each color's pile is in its orders, as `PATHS`; 0: empty
from rules[DISCARDS]    discarded copies (errors included) of each card, color by color
from rules[SIZES]       cards in each seat's hand
from rules[CARDS]       deck indices, `HAND_SIZE` words a seat; oldest first; -1: no card
from rules[KNOWN]       what hints say of these cards, bits as `MASKS`; 0: no card
======================  ========================================================================

What differs between variants is in tables of `rules`, at the offsets that these words hold:

======================  ========================================================================
rules[word]             at this offset
======================  ========================================================================
`HEIGHTS`               a color: cards of its complete pile
`TOUCHES`               a card: the clues that touch it, as `clue_bit`
`MASKS`                 a card: the bits of what is known that it needs, all of them
`IF_TOUCHED`, `IF_NOT`  a clue: the bits that it leaves of a card that it touches, or does not
`FIRSTS`                a set of the first `FEW` colors: the lowest card of each, as bits
`NEXT`                  a color, place of the pile and rank: the place that the card brings the pile
                        to, or 0
`GROWN`, `ON_PILE`      a color and place: the number of cards, and their ranks as bits
`FOLLOWING`             a color and place: the ranks, as bits, that can come next
`N_ORDERS`              a color: in how many orders it can be played
`ORDERS`                a color, order and height: the rank that comes next
`PATHS`                 a color, order and height: the place of the pile
======================  ========================================================================

In the plain game there is one order and the place of a pile is its height. What is known of a card
are its possible colors and ranks there (`identity`), for decks of any size; a variant's clues cut
across these, so there it is the set of its possible cards (`KNOWN_CARDS`).

An action is one word, `kind | value << 3 | target << 8`, whatever the rule set. Kinds 0 to 3 are
hanab.live's types. Target: the slot of a play or discard, the seat that gets a hint. Value: the
hinted color (from 0) or rank (from 1), else 0.
"""

from __future__ import annotations

# Words of `rules`. The copies of each card come last, color by color, then the tables.
COLORS, RANKS, SEATS, HAND_SIZE, DECK_SIZE, MAX_HINTS, MAX_LIVES, MAX_SCORE = range(8)
FINAL_ROUND = 8  # turns after the last card is drawn, or -1: no limit
COMPLETION_BONUS, DISCARD_AT_FULL_HINTS, EMPTY_HINTS, BOMBED_SCORES_ZERO = range(9, 13)
KEEP_SLOTS, STOP_WHEN_STUCK, DECK_PLAYS, OPEN_HANDS = range(13, 17)
DISCARDS, SIZES, CARDS, KNOWN, STATE_SIZE, MAX_ACTIONS, HEIGHTS, TOUCHES, ANYTHING = range(17, 26)
# Sets of clues: all that there are; after a color or rank clue, those that may not follow.
CLUES, BARS, _BARS_AFTER_RANK, CLUE_COLORS = range(26, 30)
# A hint costs so many tokens as `state` counts them. Bits of colors; a flag; a flag.
HINT_COST, INVERTED, DISTINCT_STARTS, ALL_OR_NOTHING, KNOWN_CARDS = range(30, 35)
MASKS, IF_TOUCHED, IF_NOT, NEXT, GROWN, ON_PILE, FOLLOWING = range(35, 42)
N_ORDERS, ORDERS, PATHS = range(42, 45)
PLACES, MAX_ORDERS = range(45, 47)  # places of a pile, and orders, that tables have rows for
FIRSTS, SPEEDRUN, COPIES = range(47, 50)

# Words of `state`. TURNS_LEFT is -1 while nothing limits them; POINTS are the cards on the piles;
# STARTS are the ranks, as bits, with which no other pile may begin; BARRED the clues that may not
# be given now.
TURN, SEAT, HINTS, LIVES, DRAWN, TURNS_LEFT, POINTS, END, STARTS, BARRED = range(10)
PILES = 10

PLAY, DISCARD, HINT_COLOR, HINT_RANK, PLAY_DECK, DISCARD_DECK = range(6)

# Values of state[END].
IN_PROGRESS, BOMBED, COMPLETED, OUT_OF_TURNS, STUCK, NO_ACTION = range(6)
WAITING = 6  # nobody can act, though no rule ends the game

FEW = 5  # colors whose sets have a table
RANK_BITS = 32  # where the bits of ranks begin, above those of colors
COLOR_BITS = (1 << RANK_BITS) - 1
