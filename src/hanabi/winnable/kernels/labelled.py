"""The labelled relaxation, compiled; stated and proven in `hanabi.winnable.relaxation`.

The *labelled* types carry the seat that holds them; all other cards are anonymous. While fewer
than `turns_from` cards have been drawn anyone may act at any time. From then on turns and hints
are those of the game, except that any card may be discarded while all hints are there. The types
that complete a color must be labelled if `turns_from` is less than the number of cards.
"""

from __future__ import annotations

from typing import NamedTuple

from hanabi.compiled import jit
from hanabi.compiled.bits import count_bits
from hanabi.compiled.lean import jit_lean
from hanabi.compiled.rng import shuffle
from hanabi.winnable.kernels.merged import Merged, merged_answer
from hanabi.winnable.kernels.words import (
    BUILDABLE,
    COMMITTED,
    DOUBT,
    DRAWN,
    HANDS,
    HELD,
    HINTS,
    LOST,
    N_MOVES,
    NEXT_MOVE,
    NO_LIMIT,
    PILES,
    PLAYABLE,
    PLAYED,
    SEAT,
    SECURED,
    TURNS,
    UNKNOWN,
    WON,
    Deal,
    HashTable,
    Stream,
    Words,
    bit_of,
    buildable,
    conclude,
    enter_frame,
    held_by_others,
    index_of,
    leave_frame,
    next_types,
)

PLAY_ANONYMOUS, PLAY_LABELLED, DISCARD_ANONYMOUS, DROP_ANONYMOUS, DROP_LABELLED, WAIT = range(6)
"""Moves are `seat << 9 | kind << 6 | type`. WAIT is a hint; in the last round any turn without a
play, and its token is not counted."""


class Relaxed(NamedTuple):
    """A labelled relaxation, and what it works with."""

    labelled: int  # mask
    turns_from: int
    limit: int  # of the moves tried for one question; 0: the relaxation is never asked
    frames: Words  # (depth, FRAME_WORDS)
    moves: Words  # (depth, most moves)
    table: HashTable
    merged: Merged


@jit_lean
def _with_all_below(types: int, bottoms: int) -> int:
    while True:
        more = types | ((types & ~bottoms) >> 1)
        if more == types:
            return types
        types = more


@jit_lean
def _add_move(frame: Words, moves: Words, seat: int, kind: int, bit: int) -> None:
    """Append a move to those of a frame; `bit` is 0 where the card does not matter."""
    index = index_of(bit) if bit else 0
    moves[frame[N_MOVES]] = (seat << 9) | (kind << 6) | index
    frame[N_MOVES] += 1


@jit_lean
def _add_labelled_plays(deal: Deal, frame: Words, seat: int, moves: Words) -> None:
    rest = frame[HANDS + seat] & frame[PLAYABLE]
    while rest:
        bit = rest & -rest
        rest ^= bit
        piles = frame[COMMITTED] | _with_all_below(bit, deal.bottoms)
        if count_bits(piles) <= frame[PLAYED] + 1:
            _add_move(frame, moves, seat, PLAY_LABELLED, bit)


@jit_lean
def _add_labelled_drops(deal: Deal, frame: Words, seat: int, moves: Words) -> None:
    """Append the discards of `seat`'s labelled cards that have another copy to come or in hand."""
    elsewhere = deal.suffix[frame[DRAWN]] | held_by_others(deal, frame, seat)
    rest = frame[HANDS + seat] & elsewhere
    while rest:
        bit = rest & -rest
        rest ^= bit
        _add_move(frame, moves, seat, DROP_LABELLED, bit)


@jit_lean
def _add_anonymous_discards(
    deal: Deal, frame: Words, labelled: int, seat: int, moves: Words
) -> None:
    """Append the discards of anonymous cards: of trash if there is some, else of needed cards."""
    secured = frame[SECURED]
    if count_bits(secured) - frame[PLAYED] < deal.seats * deal.hand_size:
        _add_move(frame, moves, seat, DISCARD_ANONYMOUS, 0)
        return
    rest = secured & ~labelled & ~frame[COMMITTED] & deal.suffix[frame[DRAWN]]
    while rest:
        bit = rest & -rest
        rest ^= bit
        left = buildable(secured & ~frame[HELD] & ~bit, deal.bottoms)
        if count_bits(left) >= frame[PLAYED]:
            _add_move(frame, moves, seat, DROP_ANONYMOUS, bit)


@jit_lean
def _add_free_moves(deal: Deal, frame: Words, labelled: int, turns_from: int, moves: Words) -> None:
    """Append the moves while anyone may act."""
    playable = frame[PLAYED] < count_bits(frame[BUILDABLE])
    bit = bit_of(deal.deck[frame[DRAWN]])
    # The seat of an anonymous action matters if the card it draws is labelled, or if turns begin.
    is_followed = (bit & labelled) != 0 and (frame[SECURED] & ~frame[HELD] & bit) == 0
    each = is_followed or frame[DRAWN] + 1 == turns_from
    strict, done = labelled == deal.needed, False
    for seat in range(deal.seats):
        before = frame[N_MOVES]
        _add_labelled_plays(deal, frame, seat, moves)
        full = count_bits(frame[HANDS + seat]) >= deal.hand_size
        if strict and frame[N_MOVES] > before:
            continue
        if full or not strict:
            _add_labelled_drops(deal, frame, seat, moves)
        if done or full:
            continue
        if playable:
            _add_move(frame, moves, seat, PLAY_ANONYMOUS, 0)
        else:
            _add_anonymous_discards(deal, frame, labelled, seat, moves)
        done = not each


@jit_lean
def _add_turn_moves(deal: Deal, frame: Words, labelled: int, moves: Words) -> None:
    """Append the moves of the seat to act."""
    seat = frame[SEAT]
    has_anonymous = count_bits(frame[HANDS + seat]) < deal.hand_size
    _add_labelled_plays(deal, frame, seat, moves)
    if has_anonymous and frame[PLAYED] < count_bits(frame[BUILDABLE]):
        _add_move(frame, moves, seat, PLAY_ANONYMOUS, 0)
    if frame[DRAWN] == deal.cards:
        _add_move(frame, moves, seat, WAIT, 0)
        return
    if has_anonymous:
        _add_anonymous_discards(deal, frame, labelled, seat, moves)
    _add_labelled_drops(deal, frame, seat, moves)
    if frame[HINTS] > 0 and deal.seats > 1:
        _add_move(frame, moves, seat, WAIT, 0)


@jit
def _expand(
    deal: Deal, frame: Words, labelled: int, turns_from: int, moves: Words, stream: Stream
) -> None:
    """List a frame's moves in random order."""
    frame[HELD] = held_by_others(deal, frame, -1)
    loose = frame[SECURED] & ~frame[HELD]
    frame[BUILDABLE] = buildable(loose, deal.bottoms)
    frame[PLAYABLE] = next_types(frame[BUILDABLE], deal.bottoms, deal.needed)
    frame[COMMITTED] = _with_all_below(loose & labelled, deal.bottoms)
    frame[N_MOVES], frame[NEXT_MOVE], frame[DOUBT] = 0, 0, 0
    if frame[DRAWN] < turns_from:
        _add_free_moves(deal, frame, labelled, turns_from, moves)
    else:
        _add_turn_moves(deal, frame, labelled, moves)
    shuffle(stream, moves[: frame[N_MOVES]])


@jit_lean
def _release(deal: Deal, frame: Words, move: int, tracked: bool) -> None:
    """Take the card of a move out of `frame`."""
    kind, seat = (move >> 6) & 7, move >> 9
    bit = bit_of(move & 63) if kind in (PLAY_LABELLED, DROP_ANONYMOUS, DROP_LABELLED) else 0
    if kind == PLAY_ANONYMOUS or kind == PLAY_LABELLED:
        frame[PLAYED] += 1
        for other in range(deal.seats):
            frame[HANDS + other] &= ~bit
        gains = bit & deal.tops != 0 and deal.bonus
    else:
        if kind == DROP_ANONYMOUS:
            frame[SECURED] &= ~bit
        elif kind == DROP_LABELLED:
            frame[HANDS + seat] &= ~bit
            if held_by_others(deal, frame, -1) & bit == 0:
                frame[SECURED] &= ~bit
        gains = True
    if gains and tracked and frame[HINTS] < deal.most_hints:
        frame[HINTS] += 1


@jit_lean
def _advance(
    deal: Deal, frame: Words, child: Words, move: int, labelled: int, turns_from: int
) -> int:
    """Write the successor of `frame` into `child`; return WON, LOST or UNKNOWN."""
    seat, waits = move >> 9, (move >> 6) & 7 == WAIT
    for w in range(N_MOVES):
        child[w] = frame[w]
    following = (seat + 1) % deal.seats
    tracked = turns_from <= frame[DRAWN] < deal.cards
    if not waits:
        _release(deal, child, move, tracked)
    elif tracked:
        child[HINTS] -= 1
    if child[PLAYED] >= deal.goal:
        return WON
    if frame[DRAWN] == deal.cards:
        child[TURNS] -= 1
        child[SEAT] = following
        return LOST if deal.goal - child[PLAYED] > child[TURNS] else UNKNOWN
    if not waits:
        drawn = bit_of(deal.deck[frame[DRAWN]])
        on_piles = child[SECURED] & ~held_by_others(deal, child, -1)
        if drawn & labelled and on_piles & drawn == 0:
            child[HANDS + seat] |= drawn
        child[SECURED] |= drawn
        child[DRAWN] += 1
        if child[DRAWN] == deal.cards:
            child[HINTS] = 0  # they do not matter any more
    child[SEAT] = following if child[DRAWN] >= turns_from else -1
    return UNKNOWN


@jit_lean
def _judge(deal: Deal, frame: Words, child: Words, table: HashTable, merged: Merged) -> int:
    """Return what is known of `child`, or a negative number after making a row for it."""
    if child[DRAWN] == deal.cards and deal.last_turns == NO_LIMIT:
        return WON if child[SECURED] == deal.needed else LOST
    if child[DRAWN] > frame[DRAWN] and merged_answer(deal, child, merged) == LOST:
        return LOST
    return enter_frame(deal, table, child)


@jit_lean
def _relax(deal: Deal, position: Words, relaxed: Relaxed) -> None:
    """Write the first frame: what the relaxation keeps of a frame of the search."""
    root = relaxed.frames[0]
    root[SECURED] = position[PILES] | held_by_others(deal, position, -1)
    for seat in range(deal.seats):
        root[HANDS + seat] = position[HANDS + seat] & relaxed.labelled
    root[DRAWN], root[PLAYED], root[TURNS] = position[DRAWN], position[PLAYED], position[TURNS]
    root[SEAT], root[HINTS] = -1, deal.most_hints
    if position[DRAWN] >= relaxed.turns_from:
        root[SEAT], root[HINTS] = position[SEAT], position[HINTS]


@jit
def labelled_answer(deal: Deal, position: Words, relaxed: Relaxed, stream: Stream) -> int:
    """Return LOST, WON or UNKNOWN (a limit was reached) for the relaxation of a search's frame.

    `table.used[1]` counts the moves tried in all calls.
    """
    frames, moves, table = relaxed.frames, relaxed.moves, relaxed.table
    labelled, turns_from = relaxed.labelled, relaxed.turns_from
    _relax(deal, position, relaxed)
    answer = enter_frame(deal, table, frames[0])
    if answer >= 0:
        return answer
    _expand(deal, frames[0], labelled, turns_from, moves[0], stream)
    top, last = 0, table.used[1] + relaxed.limit
    while top >= 0:
        frame = frames[top]
        if frame[NEXT_MOVE] >= frame[N_MOVES]:
            leave_frame(table, frames, top)
            top -= 1
            continue
        if table.used[1] >= last or top + 2 > frames.shape[0]:
            return conclude(table, frames, top, UNKNOWN)
        move = moves[top, frame[NEXT_MOVE]]
        frame[NEXT_MOVE] += 1
        table.used[1] += 1
        child = frames[top + 1]
        answer = _advance(deal, frame, child, move, labelled, turns_from)
        if answer == UNKNOWN:
            answer = _judge(deal, frame, child, table, relaxed.merged)
        if answer == WON:
            return conclude(table, frames, top, answer)
        if answer == UNKNOWN:
            frame[DOUBT] = 1
        elif answer < 0:
            top += 1
            _expand(deal, child, labelled, turns_from, moves[top], stream)
    return UNKNOWN if frames[0, DOUBT] else LOST
