"""What a seat's answer is: a walk down a tree of questions about its hand.

With a budget of n answers, one card is asked whether it is of a certain set; the answers are split
between yes and no, roughly as the chances are, and the walk goes on with the part of the budget
that fits the hand. It ends when one answer is left or nothing more is worth asking. What is asked
depends on public knowledge alone; the whole budget is used, whatever it is.
"""

from __future__ import annotations

from typing import NamedTuple

from hanabi.compiled import Words
from hanabi.compiled.bits import count_bits
from hanabi.compiled.hot import jit_hot
from hanabi.players.information.kernels.knowledge import (
    COLOR_SETS,
    CRITICAL,
    DEAD,
    NEAR,
    NEARER,
    PINNED,
    PLAYABLE,
    weigh,
)
from hanabi.players.information.kernels.options import (
    ASK_ANOTHER,
    ASK_COLOR,
    ASK_CRITICAL,
    ASK_DEAD,
    ASK_NEAR,
    ASK_NEARER,
    ASK_PLAYABLE,
    ASK_WHICH,
)

SCALE = 1024


class Beliefs(NamedTuple):
    """What is publicly known of the cards: copies left, and `sets`; see `knowledge`."""

    planes: Words
    sets: Words
    n_colors: int


@jit_hot
def _worth(planes: Words, mask: int, group: int, total: int, price: int) -> int:
    """Return the value of asking whether a card is in a group: nil if that is known."""
    part = weigh(planes, mask, group)
    return price * (part * (total - part) * SCALE // (total * total))


@jit_hot
def _n_hands(masks: Words, dead: int, skip: int, most: int) -> int:
    """Return how many hands the masks allow but for one slot, at most `most`."""
    n = 1
    for slot in range(masks.size):
        if slot != skip and masks[slot] & ~dead != 0:
            n *= count_bits(masks[slot])
            if n >= most:
                return most
    return n


@jit_hot
def _price_of(options: Words, which: int, has_playable: bool) -> int:
    """Return what it is worth to know whether a card is in the group number `which`."""
    if which == PLAYABLE:
        return int(options[ASK_ANOTHER if has_playable else ASK_PLAYABLE])
    if which == DEAD:
        return int(options[ASK_DEAD])
    if which == CRITICAL:
        return int(options[ASK_CRITICAL])
    return int(options[ASK_NEAR if which == NEAR else ASK_NEARER])


@jit_hot
def choose_question(options: Words, beliefs: Beliefs, masks: Words) -> tuple[int, int]:
    """Return the slot and the group of cards that are best asked about; slot -1: nothing.

    A card that somebody is known to hold counts as dead here: one copy is enough.
    """
    planes, sets = beliefs.planes, beliefs.sets
    has_playable = False
    for slot in range(masks.size):
        if masks[slot] & ~sets[PLAYABLE] == 0:
            has_playable = True
    best, best_slot, best_group = 0, -1, 0
    for slot in range(masks.size):
        mask = masks[slot]
        if mask & (mask - 1) == 0 or mask & ~(sets[DEAD] | sets[PINNED]) == 0:
            continue
        total = weigh(planes, mask, mask)
        price = options[ASK_WHICH]
        if mask & ~(sets[PLAYABLE] & ~sets[PINNED]) != 0:
            price = options[ASK_COLOR]
            for which in range(PLAYABLE, NEARER + 1):
                group = sets[which]
                if which == PLAYABLE:
                    group &= ~sets[PINNED]
                elif which == DEAD:
                    group |= sets[PINNED]
                price_of = _price_of(options, which, has_playable)
                worth = _worth(planes, mask, group, total, price_of)
                if worth > best:
                    best, best_slot, best_group = worth, slot, group
        group = 0
        for color in range(beliefs.n_colors - 1):
            group |= sets[COLOR_SETS + color]
            worth = _worth(planes, mask, group, total, price)
            if worth > best:
                best, best_slot, best_group = worth, slot, group
    return best_slot, best_group


@jit_hot
def answer(
    options: Words, beliefs: Beliefs, masks: Words, budget: int, cards: Words, given: int
) -> int:
    """Return the answer, 0 .. `budget` - 1, of a hand, and narrow `masks` by it.

    The hand is that of `cards` (bits); or, if `given` is not negative, one whose answer that is.
    """
    planes, sets = beliefs.planes, beliefs.sets
    least, is_given = 0, given >= 0
    while budget > 1:
        slot, group = choose_question(options, beliefs, masks)
        if slot < 0:
            break
        mask = masks[slot]
        part, total = weigh(planes, mask, group), weigh(planes, mask, mask)
        yes = (2 * budget * part + total) // (2 * total)
        # No more answers than there are hands, on either side.
        rest = _n_hands(masks, sets[DEAD] | sets[PINNED], slot, budget)
        yes = max(yes, budget - rest * count_bits(mask & ~group), 1)
        yes = min(yes, rest * count_bits(mask & group), budget - 1)
        if given < least + yes if is_given else cards[slot] & group != 0:
            masks[slot] = mask & group
            budget = yes
        else:
            masks[slot] = mask & ~group
            budget -= yes
            least += yes
    return least
