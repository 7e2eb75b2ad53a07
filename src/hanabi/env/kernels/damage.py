"""Whether the arrays of games are what some games have made of them: each is played again."""

from __future__ import annotations

import numpy as np

from hanabi.compiled import Words, jit
from hanabi.env.kernels.actions import action_of, write_legal
from hanabi.env.kernels.batch import Batch
from hanabi.env.kernels.memory import LAST_SIZE, forget, take
from hanabi.game import layout as k
from hanabi.game.kernels.facts import copies_of
from hanabi.game.kernels.legal import NO_RULE, find_broken_rule
from hanabi.game.kernels.rules import deal
from hanabi.game.kernels.words import Packed, card_of, color_of, rank_of

# Which array of a game is the first that is wrong.
NOTHING, DECKS, STATES, LAST, NAMED, LEGAL, TAKEN = range(7)
NAMES = ("", "decks", "states", "last", "named", "legal", "taken")
N_DAMAGES = 7


@jit
def _is_deck(rules: Words, deck: Words, counts: Words) -> bool:
    """Whether these are the cards of the rules, in any order."""
    counts[:] = 0
    for code in deck:
        if code < 0 or color_of(code) >= rules[k.COLORS]:
            return False
        if rank_of(code) < 1 or rank_of(code) > rules[k.RANKS]:
            return False
        card = card_of(rules, code)
        counts[card] += 1
        if counts[card] > copies_of(rules, card):
            return False
    return True


@jit
def find_damage(batch: Batch, rules: Words, first: int, last: int) -> int:
    """Return the first damaged game of a range, times `N_DAMAGES`, plus which array; or -1.

    No word is believed before it is known to be in its range.
    """
    deck_size, state_size, n_legal = (
        batch.decks.shape[1],
        batch.states.shape[1],
        batch.legal.shape[1],
    )
    counts = np.empty(rules[k.COLORS] * rules[k.RANKS], np.int64)
    state, legal = np.empty(state_size, np.int64), np.empty(n_legal, np.int64)
    memory, named = np.empty(LAST_SIZE, np.int64), np.empty(deck_size, np.uint8)
    for game in range(first, last):
        wrong, deck = NOTHING, batch.decks[game]
        if not _is_deck(rules, deck, counts):
            return game * N_DAMAGES + DECKS
        turns = batch.states[game, k.TURN]
        if turns < 0 or turns > batch.taken.shape[1]:
            return game * N_DAMAGES + STATES
        position = Packed(rules, deck, state)
        deal(position)
        forget(memory, named)
        for turn in range(turns):
            action = action_of(rules, state[k.SEAT], batch.taken[game, turn])
            if find_broken_rule(position, action) != NO_RULE:
                return game * N_DAMAGES + TAKEN
            take(position, memory, named, action)
        write_legal(position, legal)
        if not np.array_equal(state, batch.states[game]):
            wrong = STATES
        elif not np.array_equal(memory, batch.last[game]):
            wrong = LAST
        elif not np.array_equal(named, batch.named[game]):
            wrong = NAMED
        elif not np.array_equal(legal, batch.legal[game]):
            wrong = LEGAL
        if wrong != NOTHING:
            return game * N_DAMAGES + wrong
    return -1
