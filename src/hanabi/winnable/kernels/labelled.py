"""The labelled relaxation, compiled; stated and proven in `hanabi.winnable.relaxation`.

The types that complete a color must be labelled if `turns_from` is less than the number of cards.
"""

from __future__ import annotations

from typing import NamedTuple

from hanabi.compiled import jit
from hanabi.compiled.bits import count_bits
from hanabi.compiled.hot import jit_hot
from hanabi.compiled.rng import shuffle
from hanabi.winnable.kernels import frames as w
from hanabi.winnable.kernels.frames import (
    SWEEPS_A_MOVE,
    Deal,
    HashTable,
    Merged,
    Stream,
    Words,
    merged_answer,
)

PLAY_ANONYMOUS, PLAY_LABELLED, DISCARD_ANONYMOUS, DROP_ANONYMOUS, DROP_LABELLED, WAIT = range(6)
"""Moves are `seat << 9 | kind << 6 | type`. WAIT is a hint; in the last round it is any turn
without a play, and costs no token."""


class Relaxed(NamedTuple):
    """A labelled relaxation and its working arrays."""

    labelled: int  # mask
    turns_from: int
    limit: int  # most moves tried in one call; 0: the relaxation is not used
    frames: Words  # (depth, FRAME_WORDS)
    moves: Words  # (depth, most moves)
    table: HashTable
    merged: Merged


@jit_hot
def _with_all_below(types: int, bottoms: int) -> int:
    while True:
        more = types | ((types & ~bottoms) >> 1)
        if more == types:
            return types
        types = more


@jit_hot
def _add_move(frame: Words, moves: Words, seat: int, kind: int, bit: int) -> None:
    """Append a move to those of a frame; `bit` is 0 if the card does not matter."""
    index = w.index_of(bit) if bit else 0
    moves[frame[w.N_MOVES]] = (seat << 9) | (kind << 6) | index
    frame[w.N_MOVES] += 1


@jit_hot
def _add_labelled_plays(deal: Deal, frame: Words, seat: int, moves: Words) -> None:
    rest = frame[w.HANDS + seat] & frame[w.PLAYABLE]
    while rest:
        bit = rest & -rest
        rest ^= bit
        piles = frame[w.COMMITTED] | _with_all_below(bit, deal.bottoms)
        if count_bits(piles) <= frame[w.PLAYED] + 1:
            _add_move(frame, moves, seat, PLAY_LABELLED, bit)


@jit_hot
def _add_labelled_drops(deal: Deal, frame: Words, seat: int, moves: Words) -> None:
    """Append the discards of `seat`'s labelled cards with another copy to come or in hand."""
    elsewhere = deal.suffix[frame[w.DRAWN]] | w.held_by_others(deal, frame, seat)
    rest = frame[w.HANDS + seat] & elsewhere
    while rest:
        bit = rest & -rest
        rest ^= bit
        _add_move(frame, moves, seat, DROP_LABELLED, bit)


@jit_hot
def _add_anonymous_discards(
    deal: Deal, frame: Words, labelled: int, seat: int, moves: Words
) -> None:
    """Append the discards of anonymous cards: trash if there is any, else needed cards."""
    secured = frame[w.SECURED]
    if count_bits(secured) - frame[w.PLAYED] < deal.seats * deal.hand_size:
        _add_move(frame, moves, seat, DISCARD_ANONYMOUS, 0)
        return
    rest = secured & ~labelled & ~frame[w.COMMITTED] & deal.suffix[frame[w.DRAWN]]
    while rest:
        bit = rest & -rest
        rest ^= bit
        left = w.buildable(secured & ~frame[w.HELD] & ~bit, deal.bottoms)
        if count_bits(left) >= frame[w.PLAYED]:
            _add_move(frame, moves, seat, DROP_ANONYMOUS, bit)


@jit_hot
def _add_free_moves(deal: Deal, frame: Words, labelled: int, turns_from: int, moves: Words) -> None:
    """Append the moves while anyone may act."""
    playable = frame[w.PLAYED] < count_bits(frame[w.BUILDABLE])
    bit = w.bit_of(deal.deck[frame[w.DRAWN]])
    # The seat of an anonymous action matters if the card it draws is labelled, or if turns begin.
    is_tracked = (bit & labelled) != 0 and (frame[w.SECURED] & ~frame[w.HELD] & bit) == 0
    each = is_tracked or frame[w.DRAWN] + 1 == turns_from
    strict, done = labelled == deal.needed, False
    for seat in range(deal.seats):
        before = frame[w.N_MOVES]
        _add_labelled_plays(deal, frame, seat, moves)
        full = count_bits(frame[w.HANDS + seat]) >= deal.hand_size
        if strict and frame[w.N_MOVES] > before:
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


@jit_hot
def _add_turn_moves(deal: Deal, frame: Words, labelled: int, moves: Words) -> None:
    """Append the moves of the seat to act."""
    seat = frame[w.SEAT]
    has_anonymous = count_bits(frame[w.HANDS + seat]) < deal.hand_size
    _add_labelled_plays(deal, frame, seat, moves)
    if has_anonymous and frame[w.PLAYED] < count_bits(frame[w.BUILDABLE]):
        _add_move(frame, moves, seat, PLAY_ANONYMOUS, 0)
    if frame[w.DRAWN] == deal.cards:
        _add_move(frame, moves, seat, WAIT, 0)
        return
    if has_anonymous:
        _add_anonymous_discards(deal, frame, labelled, seat, moves)
    _add_labelled_drops(deal, frame, seat, moves)
    if frame[w.HINTS] >= deal.hint_cost and deal.seats > 1:
        _add_move(frame, moves, seat, WAIT, 0)


@jit
def _expand(
    deal: Deal, frame: Words, labelled: int, turns_from: int, moves: Words, stream: Stream
) -> None:
    """List a frame's moves in random order."""
    frame[w.HELD] = w.held_by_others(deal, frame, -1)
    loose = frame[w.SECURED] & ~frame[w.HELD]
    frame[w.BUILDABLE] = w.buildable(loose, deal.bottoms)
    frame[w.PLAYABLE] = w.next_types(frame[w.BUILDABLE], deal.bottoms, deal.needed)
    frame[w.COMMITTED] = _with_all_below(loose & labelled, deal.bottoms)
    frame[w.N_MOVES], frame[w.NEXT_MOVE], frame[w.DOUBT] = 0, 0, 0
    if frame[w.DRAWN] < turns_from:
        _add_free_moves(deal, frame, labelled, turns_from, moves)
    else:
        _add_turn_moves(deal, frame, labelled, moves)
    shuffle(stream, moves[: frame[w.N_MOVES]])


@jit_hot
def _release(deal: Deal, frame: Words, move: int, tracked: bool) -> None:
    """Take the card of a move out of `frame`."""
    kind, seat = (move >> 6) & 7, move >> 9
    bit = w.bit_of(move & 63) if kind in (PLAY_LABELLED, DROP_ANONYMOUS, DROP_LABELLED) else 0
    if kind == PLAY_ANONYMOUS or kind == PLAY_LABELLED:
        frame[w.PLAYED] += 1
        for other in range(deal.seats):
            frame[w.HANDS + other] &= ~bit
        gains = bit & deal.tops != 0 and deal.bonus
    else:
        if kind == DROP_ANONYMOUS:
            frame[w.SECURED] &= ~bit
        elif kind == DROP_LABELLED:
            frame[w.HANDS + seat] &= ~bit
            if w.held_by_others(deal, frame, -1) & bit == 0:
                frame[w.SECURED] &= ~bit
        gains = True
    if gains and tracked and frame[w.HINTS] < deal.most_hints:
        frame[w.HINTS] += 1


@jit_hot
def _advance(
    deal: Deal, frame: Words, child: Words, move: int, labelled: int, turns_from: int
) -> int:
    """Write the successor of `frame` into `child`; return WON, LOST or UNKNOWN."""
    seat, waits = move >> 9, (move >> 6) & 7 == WAIT
    for word in range(w.N_MOVES):
        child[word] = frame[word]
    following = (seat + 1) % deal.seats
    tracked = turns_from <= frame[w.DRAWN] < deal.cards
    if not waits:
        _release(deal, child, move, tracked)
    elif tracked:
        child[w.HINTS] -= deal.hint_cost
    if child[w.PLAYED] >= deal.goal:
        return w.WON
    if frame[w.DRAWN] == deal.cards:
        child[w.TURNS] -= 1
        child[w.SEAT] = following
        return w.LOST if deal.goal - child[w.PLAYED] > child[w.TURNS] else w.UNKNOWN
    if not waits:
        drawn = w.bit_of(deal.deck[frame[w.DRAWN]])
        on_piles = child[w.SECURED] & ~w.held_by_others(deal, child, -1)
        if drawn & labelled and on_piles & drawn == 0:
            child[w.HANDS + seat] |= drawn
        child[w.SECURED] |= drawn
        child[w.DRAWN] += 1
        if child[w.DRAWN] == deal.cards:
            child[w.HINTS] = 0  # they no longer matter
    child[w.SEAT] = following if child[w.DRAWN] >= turns_from else -1
    return w.UNKNOWN


@jit_hot
def _judge(deal: Deal, frame: Words, child: Words, table: HashTable, merged: Merged) -> int:
    """Return the known answer for `child`, or NEW."""
    if child[w.DRAWN] == deal.cards and deal.last_turns == w.NO_LIMIT:
        return w.WON if child[w.SECURED] == deal.needed else w.LOST
    if child[w.DRAWN] > frame[w.DRAWN] and merged_answer(deal, child, merged) == w.LOST:
        return w.LOST
    return w.enter_frame(deal, table, child)


@jit_hot
def _relax(deal: Deal, position: Words, relaxed: Relaxed) -> None:
    """Write the first frame: the part of a search's frame that the relaxation keeps."""
    root = relaxed.frames[0]
    root[w.SECURED] = position[w.PILES] | w.held_by_others(deal, position, -1)
    for seat in range(deal.seats):
        root[w.HANDS + seat] = position[w.HANDS + seat] & relaxed.labelled
    for word in (w.DRAWN, w.PLAYED, w.TURNS):
        root[word] = position[word]
    root[w.SEAT], root[w.HINTS] = -1, deal.most_hints
    if position[w.DRAWN] >= relaxed.turns_from:
        root[w.SEAT], root[w.HINTS] = position[w.SEAT], position[w.HINTS]


@jit
def labelled_answer(deal: Deal, position: Words, relaxed: Relaxed, stream: Stream) -> int:
    """Return LOST, WON or UNKNOWN (a limit was reached) for the relaxation of a search's frame.

    `table.used[1]` counts the moves tried in all calls, and sweeps at the rate of the search.
    """
    frames, moves, table = relaxed.frames, relaxed.moves, relaxed.table
    labelled, turns_from = relaxed.labelled, relaxed.turns_from
    _relax(deal, position, relaxed)
    answer = w.enter_frame(deal, table, frames[0])
    if answer != w.NEW:
        return answer
    _expand(deal, frames[0], labelled, turns_from, moves[0], stream)
    top, last = 0, table.used[1] + relaxed.limit
    while top >= 0:
        frame = frames[top]
        if frame[w.NEXT_MOVE] >= frame[w.N_MOVES]:
            w.leave_frame(table, frames, top)
            top -= 1
            continue
        if table.used[1] >= last or top + 2 > frames.shape[0]:
            return w.conclude(table, frames, top, w.UNKNOWN)
        move = moves[top, frame[w.NEXT_MOVE]]
        frame[w.NEXT_MOVE] += 1
        table.used[1] += 1
        child = frames[top + 1]
        answer = _advance(deal, frame, child, move, labelled, turns_from)
        swept = relaxed.merged.table.used[1]
        if answer == w.UNKNOWN:
            answer = _judge(deal, frame, child, table, relaxed.merged)
        table.used[1] += (relaxed.merged.table.used[1] - swept) // SWEEPS_A_MOVE
        if answer == w.WON:
            return w.conclude(table, frames, top, answer)
        if answer == w.UNKNOWN:
            frame[w.DOUBT] = 1
        elif answer == w.NEW:
            top += 1
            _expand(deal, child, labelled, turns_from, moves[top], stream)
    return w.UNKNOWN if frames[0, w.DOUBT] else w.LOST
