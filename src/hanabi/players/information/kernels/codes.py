"""How many messages a hint carries, and which: by what it touches.

Of each recipient and each kind of hint, colors or ranks, some slots are pivots. A hint says the
number of the first pivot that it touches, or that it touches none. Pivots are chosen by public
knowledge, so that a card of each has likely a value that no earlier pivot has: then each message
can likely be given, whatever the hand. Pivots whose possible values have nothing in common are the
disjoint rows of [ODwyer2018]; that hints are told apart by what they touch, not only by their
values, adds the message of touching none.
"""

from __future__ import annotations

from hanabi.compiled import Words
from hanabi.compiled.hot import jit_hot
from hanabi.players.information.kernels.knowledge import weigh

SURE = 1024  # a probability of one


@jit_hot
def _differs(planes: Words, groups: Words, mask: int, free: Words) -> int:
    """Return the chance that a card's value is none of those that the pivots have."""
    total, new = 0, 0
    for value in range(groups.size):
        part = weigh(planes, mask, groups[value])
        total += part
        new += part * free[value]
    return new // total if total > 0 else 0


@jit_hot
def _n_values(groups: Words, mask: int) -> int:
    values = 0
    for value in range(groups.size):
        if mask & groups[value]:
            values += 1
    return values


@jit_hot
def _next_pivot(
    planes: Words, groups: Words, masks: Words, likely: int, free: Words, chosen: int
) -> int:
    """Return the slot whose value is likeliest new, of such the one with fewest values; or -1."""
    best, best_slot, fewest = likely - 1, -1, 0
    for slot in range(masks.size):
        if chosen >> slot & 1:
            continue
        chance = _differs(planes, groups, masks[slot], free)
        values = _n_values(groups, masks[slot])
        if chance > best or (chance == best and best_slot >= 0 and values < fewest):
            best, best_slot, fewest = chance, slot, values
    return best_slot


@jit_hot
def _take(planes: Words, groups: Words, mask: int, free: Words) -> None:
    """Multiply `free`, by value the chance that no pivot has it, for one more pivot."""
    total = 0
    for value in range(groups.size):
        total += weigh(planes, mask, groups[value])
    for value in range(groups.size):
        part = weigh(planes, mask, groups[value])
        if total > 0:
            free[value] = free[value] * (total - part) // total


@jit_hot
def place_pivots(
    planes: Words,
    groups: Words,
    masks: Words,
    likely: int,
    most: int,
    free: Words,
    pivots: Words,
) -> int:
    """Write the slots of the pivots in order, and return the number of messages: one more.

    `groups` are the cards of each color or rank. `likely`, of `SURE`, is the least chance that each
    message can be given. At most `most` messages; `free` has a word a color or rank.
    """
    size = masks.size
    for value in range(groups.size):
        free[value] = SURE
    found, chosen = 0, 0
    while found + 1 < min(most, size):
        pivot = _next_pivot(planes, groups, masks, likely, free, chosen)
        if pivot < 0:
            break
        _take(planes, groups, masks[pivot], free)
        chosen |= 1 << pivot
        none = SURE  # the chance that every other card has a value of a pivot
        for slot in range(size):
            if not chosen >> slot & 1:
                chance = _differs(planes, groups, masks[slot], free)
                none = none * (SURE - chance) // SURE
        if SURE - none < likely:
            break
        pivots[found] = pivot
        found += 1
    return found + 1


@jit_hot
def message_of(pivots: Words, messages: int, touched: int) -> int:
    """Return the number of the first pivot that is touched, else the last message."""
    for number in range(messages - 1):
        if touched >> pivots[number] & 1:
            return number
    return messages - 1
