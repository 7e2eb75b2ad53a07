"""The words of `options` and of `scratch` that the information player's kernels share.

What the options mean is said in :mod:`hanabi.players.information`. `scratch` is scratch: sets of
cards; counts; the planes and masks of the seat to act; what others would be told; the codes of
hints; and what is needed for partitions.
"""

from __future__ import annotations

from typing import NamedTuple

from hanabi.compiled import Words
from hanabi.compiled.hot import jit_hot
from hanabi.game import layout as k
from hanabi.hints.kernels.partition import MOST_CARDS, MOST_HINTS, MOST_IDENTITIES
from hanabi.hints.kernels.partition import scratch_size as table_size
from hanabi.players.information.kernels.knowledge import n_levels, n_sets

LIKELY, LIKELY_FULL, MOST_MESSAGES, EXACT = range(4)
TELL_BY_DISCARD, TELL_BY_PLAY = range(4, 6)
ASK_PLAYABLE, ASK_ANOTHER, ASK_DEAD, ASK_CRITICAL, ASK_NEARER, ASK_NEAR = range(6, 12)
ASK_COLOR, ASK_WHICH = range(12, 14)
GAIN_FIRST, GAIN_ANOTHER, GAIN_DEAD, GAIN_BIT, TOKEN, TOKEN_SLOPE = range(14, 20)
LOSS_CRITICAL, LOSS_SPARE, LOSS_SEEN, PACE, LOSS_PACE = range(20, 25)
GAIN_RISK, LOSS_RISK, FOLLOW = range(25, 28)
CHAIN, PACE_UNSEEN, PARTITION = range(28, 31)
OPTIONS = 31
TABLE = OPTIONS  # for players that partition: a started scratch of `hanabi.hints.kernels.partition`


class InformationPolicy(NamedTuple):
    """The player; `options` are the words above."""

    options: Words


@jit_hot
def at_counts(rules: Words) -> int:
    """Return where the counts begin: a word a card."""
    return n_sets(rules)


@jit_hot
def at_planes(rules: Words) -> int:
    """Return where the planes of the seat to act begin."""
    return int(at_counts(rules) + rules[k.COLORS] * rules[k.RANKS])


@jit_hot
def at_own(rules: Words) -> int:
    """Return where the masks of the seat to act begin: as many words as a hand has places."""
    return at_planes(rules) + n_levels(rules)


@jit_hot
def at_hands(rules: Words) -> int:
    """Return where the words for two more hands begins."""
    return int(at_own(rules) + rules[k.HAND_SIZE])


@jit_hot
def at_told(rules: Words) -> int:
    """Return where the masks of all hands begin, as they will be once something is told."""
    return int(at_hands(rules) + 2 * rules[k.HAND_SIZE])


@jit_hot
def at_free(rules: Words) -> int:
    """Return where the words for a word a color or rank begins."""
    return int(at_told(rules) + rules[k.SEATS] * rules[k.HAND_SIZE])


@jit_hot
def at_codes(rules: Words) -> int:
    """Return where the codes begin; see `hanabi.players.information.kernels.hints.plan_codes`."""
    return int(at_free(rules) + max(rules[k.COLORS], rules[k.RANKS]))


@jit_hot
def at_actions(rules: Words) -> int:
    """Return where the words for the legal actions begins."""
    return int(at_codes(rules) + rules[k.SEATS] * 2 * (rules[k.HAND_SIZE] + 1))


@jit_hot
def at_splits(rules: Words) -> int:
    """Return where the partitions begin: for each seat their size, then the part of each hint."""
    return int(at_actions(rules) + rules[k.MAX_ACTIONS])


@jit_hot
def at_copies(rules: Words) -> int:
    """Return where the copies that a hand can hold begin: a word a card."""
    return int(at_splits(rules) + rules[k.SEATS] * (1 + rules[k.COLORS] + rules[k.RANKS]))


@jit_hot
def at_parts(rules: Words) -> int:
    """Return where one hand's parts begin: a word a color or rank."""
    return int(at_copies(rules) + rules[k.COLORS] * rules[k.RANKS])


@jit_hot
def at_tables(rules: Words) -> int:
    """Return where the scratch of `hanabi.hints.kernels.partition` begins."""
    return int(at_parts(rules) + rules[k.COLORS] + rules[k.RANKS])


@jit_hot
def can_partition(rules: Words) -> bool:
    """Return whether hands can be partitioned; if hints may be empty there is no need to."""
    cards, hints = rules[k.COLORS] * rules[k.RANKS], rules[k.COLORS] + rules[k.RANKS]
    is_small = cards <= MOST_IDENTITIES and hints <= MOST_HINTS and rules[k.HAND_SIZE] <= MOST_CARDS
    return bool(is_small and not rules[k.EMPTY_HINTS])


@jit_hot
def scratch_size(policy: InformationPolicy, rules: Words) -> int:
    """Return the number of words of `scratch`."""
    size = at_tables(rules)
    if can_partition(rules):
        size += table_size(rules[k.COLORS] * rules[k.RANKS], rules[k.COLORS] + rules[k.RANKS])
    return int(size)
