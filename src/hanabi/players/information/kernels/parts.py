"""Hint partitions as messages: a hint says in which part of its recipient's partition it lies.

The hints for a recipient, colors and ranks together, are split into as many parts as possible of
which each surely holds one that can be given [ODwyer2018]: the maximum partition of
:mod:`hanabi.hints.kernels.partition`, for the sets of cards and the copies that everybody knows.
"""

from __future__ import annotations

from hanabi.compiled import Words
from hanabi.compiled.hot import jit_hot
from hanabi.game import layout as k
from hanabi.game.kernels.words import kind_of, value_of
from hanabi.hints.kernels.partition import copy_scratch, partition_hand
from hanabi.players.information.kernels.options import (
    PARTITION,
    TABLE,
    at_copies,
    at_parts,
    at_splits,
    at_tables,
)

ALWAYS = 2  # option PARTITION: whatever the number of parts


@jit_hot
def start_parts(rules: Words, options: Words, scratch: Words) -> None:
    """Get ready for partitions, if the player uses them."""
    if options[PARTITION] != 0:
        copy_scratch(options[TABLE:], scratch[at_tables(rules) :])


@jit_hot
def split_hints(
    rules: Words,
    options: Words,
    masks: Words,
    planes: Words,
    seat: int,
    messages: int,
    scratch: Words,
) -> int:
    """Split the hints for a recipient, and return the number of parts; 0: pivots are used.

    They are where there are fewer parts than `messages`, unless the player always partitions;
    and if no hand fits, which happens when a seat has told what is false.
    `planes` are the copies left but for those of known cards; a hand's own known cards count too.
    """
    hints = rules[k.COLORS] + rules[k.RANKS]
    at = at_splits(rules) + seat * (1 + hints)
    scratch[at] = 0
    if options[PARTITION] == 0 or masks.size == 0:
        return 0
    copies, parts = scratch[at_copies(rules) : at_parts(rules)], scratch[at_parts(rules) :]
    for card in range(copies.size):
        bit = 1 << card
        copies[card] = 0
        for level in range(planes.size):
            copies[card] += 1 if planes[level] & bit else 0
        for slot in range(masks.size):
            copies[card] += 1 if masks[slot] == bit else 0
    found = partition_hand(masks, copies, scratch[at_tables(rules) :], parts[:hints])
    for part in range(found):
        for hint in range(hints):
            if parts[part] >> hint & 1:
                scratch[at + 1 + hint] = part
    if found > 0 and (options[PARTITION] == ALWAYS or found >= messages):
        scratch[at] = found
    return int(scratch[at])


@jit_hot
def part_of(rules: Words, seat: int, action: int, scratch: Words) -> int:
    """Return the part of a hint to `seat`, of those that `split_hints` wrote."""
    hint = value_of(action)
    if kind_of(action) == k.HINT_RANK:
        hint += rules[k.COLORS] - 1
    at = at_splits(rules) + seat * (1 + rules[k.COLORS] + rules[k.RANKS])
    return int(scratch[at + 1 + hint])


@jit_hot
def n_parts(rules: Words, seat: int, scratch: Words) -> int:
    """Return the number of parts that `split_hints` wrote."""
    return int(scratch[at_splits(rules) + seat * (1 + rules[k.COLORS] + rules[k.RANKS])])
