"""Depth-first search over full positions with all cards face up, compiled.

The reductions are stated and proven in `hanabi.solvers.winnable.search`.
"""

from __future__ import annotations

from typing import NamedTuple

from hanabi.ground.compiled import jit
from hanabi.ground.compiled.bits import count_bits
from hanabi.ground.compiled.hot import jit_hot
from hanabi.ground.compiled.rng import below
from hanabi.solvers.winnable.kernels import relaxation as w
from hanabi.solvers.winnable.kernels.relaxation import (
    SWEEPS_A_MOVE,
    Deal,
    HashTable,
    Relaxed,
    Stream,
    Words,
    labelled_answer,
    merged_answer,
)

PLAY, DISCARD_TRASH, DROP, HINT, MISTAKE_TRASH, MISTAKE_DROP, PASS = range(7)
"""Moves are `kind << 6 | type`. A mistake discards a card by playing it where it does not fit. PASS
is any action that plays nothing, when all of these are equivalent."""


class Scratch(NamedTuple):
    """The working arrays of a search."""

    frames: Words  # (depth, FRAME_WORDS)
    moves: Words  # (depth, most moves)
    scores: Words  # (most moves,)
    table: HashTable


@jit_hot
def _size_of(frame: Words, seat: int) -> int:
    """Return the number of cards in a seat's hand."""
    return int((frame[w.SIZES] >> (8 * seat)) & 255)


@jit_hot
def _may_hint(deal: Deal, frame: Words) -> bool:
    """Return whether the seat to act has a legal hint."""
    if frame[w.HINTS] < deal.hint_cost or deal.seats == 1:
        return False
    if deal.touched:
        return bool(frame[w.OTHERS] & deal.touched)
    if deal.empty_hints:
        return True
    for seat in range(deal.seats):
        if seat != frame[w.SEAT] and _size_of(frame, seat) > 0:
            return True
    return False


@jit_hot
def _play_score(deal: Deal, frame: Words, bit: int) -> int:
    """Return a play's score: higher if following cards are held, more so by the next seat."""
    following = frame[w.HANDS + (frame[w.SEAT] + 1) % deal.seats]
    score, weight = 1000, 64
    above = bit << 1
    if following & above:
        score += 20
    while frame[w.HELD] & above:
        score += weight
        weight >>= 1
        above <<= 1
    if bit & deal.tops and frame[w.HINTS] < deal.most_hints:
        score += 40
    return score - 60 if frame[w.OTHERS] & bit else score


@jit_hot
def _hint_score(deal: Deal, frame: Words) -> int:
    """Return a hint's score: higher if others can play, tokens are many or spare turns few."""
    score = 200
    if frame[w.OTHERS] & frame[w.PLAYABLE]:
        score = 300 + 40 * frame[w.HINTS]
    if frame[w.HINTS] >= deal.most_hints - 1:
        score += 150
    missing = deal.goal - frame[w.PLAYED]
    if deal.cards - frame[w.DRAWN] + deal.last_turns - missing <= 2:
        score += 150
    return score


@jit_hot
def _add_move(frame: Words, scratch: Scratch, depth: int, move: int, score: int) -> None:
    """Append a move to those of a frame."""
    n = frame[w.N_MOVES]
    scratch.moves[depth, n], scratch.scores[n] = move, score
    frame[w.N_MOVES] = n + 1


@jit_hot
def _add_discards(deal: Deal, frame: Words, scratch: Scratch, depth: int) -> None:
    """Append discards, or mistakes if discarding is illegal: trash if any, else needed cards."""
    hand, size = frame[w.HANDS + frame[w.SEAT]], _size_of(frame, frame[w.SEAT])
    score, trash, drop = 500, DISCARD_TRASH, DROP
    if frame[w.HINTS] >= deal.most_hints and not deal.full_discard:
        score, trash, drop = 50, MISTAKE_TRASH, MISTAKE_DROP
        if frame[w.LIVES] <= 1:
            return
    if count_bits(hand) < size:
        _add_move(frame, scratch, depth, trash << 6, score)
        return
    rest = hand & (frame[w.OTHERS] | deal.suffix[frame[w.DRAWN]])
    if drop == MISTAKE_DROP:
        rest &= ~frame[w.PLAYABLE]
    while rest:
        bit = rest & -rest
        rest ^= bit
        worth = score - 260
        if frame[w.OTHERS] & bit:
            worth += 150
        if frame[w.PLAYABLE] & bit:
            worth -= 300
        _add_move(frame, scratch, depth, (drop << 6) | w.index_of(bit), worth)


@jit_hot
def _list_moves(deal: Deal, frame: Words, scratch: Scratch, depth: int, hint_penalty: int) -> None:
    """Write the moves of the seat to act, and their scores."""
    hand = frame[w.HANDS + frame[w.SEAT]]
    frame[w.OTHERS] = w.held_by_others(deal, frame, frame[w.SEAT])
    frame[w.HELD] = frame[w.OTHERS] | hand
    frame[w.PLAYABLE] = w.next_types(frame[w.PILES], deal.bottoms, deal.needed)
    frame[w.N_MOVES], frame[w.NEXT_MOVE], frame[w.DOUBT] = 0, 0, 0
    rest = hand & frame[w.PLAYABLE]
    while rest:
        bit = rest & -rest
        rest ^= bit
        score = _play_score(deal, frame, bit)
        _add_move(frame, scratch, depth, (PLAY << 6) | w.index_of(bit), score)
    # In the last round, if nobody acts twice in it and everybody can pass.
    is_short = deal.last_turns <= deal.seats and deal.most_hints > 0
    if frame[w.DRAWN] == deal.cards and is_short:
        if frame[w.N_MOVES] == 0:
            _add_move(frame, scratch, depth, PASS << 6, 0)
        return
    if _may_hint(deal, frame):
        score = _hint_score(deal, frame) - hint_penalty
        _add_move(frame, scratch, depth, HINT << 6, score)
    if _size_of(frame, frame[w.SEAT]) > 0:
        _add_discards(deal, frame, scratch, depth)


@jit
def _expand(
    deal: Deal, scratch: Scratch, depth: int, noise: int, hint_penalty: int, stream: Stream
) -> None:
    """List a frame's moves, best first; `noise` sets the random part of scores, in units of 40."""
    frame, moves, scores = scratch.frames[depth], scratch.moves[depth], scratch.scores
    _list_moves(deal, frame, scratch, depth, hint_penalty)
    n = frame[w.N_MOVES]
    if noise > 0:
        for i in range(n):
            scores[i] += below(stream, 40 * noise) * (1 if moves[i] >> 6 == PLAY else 3)
    for i in range(1, n):
        score, move, j = scores[i], moves[i], i - 1
        while j >= 0 and scores[j] < score:
            scores[j + 1], moves[j + 1] = scores[j], moves[j]
            j -= 1
        scores[j + 1], moves[j + 1] = score, move


@jit_hot
def _regain(deal: Deal, frame: Words) -> None:
    if frame[w.HINTS] < deal.most_hints:
        frame[w.HINTS] += 1


@jit_hot
def _advance(deal: Deal, frame: Words, child: Words) -> int:
    """Write the position after a frame's MOVE into `child`; return WON, LOST or UNKNOWN."""
    for word in range(w.N_MOVES):
        child[word] = frame[word]
    kind, seat = frame[w.MOVE] >> 6, frame[w.SEAT]
    bit = w.bit_of(frame[w.MOVE] & 63) if kind in (PLAY, DROP, MISTAKE_DROP) else 0
    if kind == PLAY:
        child[w.PILES] |= bit
        child[w.PLAYED] += 1
        for other in range(deal.seats):
            child[w.HANDS + other] &= ~bit
        if bit & deal.tops and deal.bonus:
            _regain(deal, child)
    elif kind == HINT:
        child[w.HINTS] -= deal.hint_cost
    elif kind != PASS:
        child[w.HANDS + seat] &= ~bit
        if kind == DISCARD_TRASH or kind == DROP:
            _regain(deal, child)
        else:
            child[w.LIVES] -= 1
    child[w.SEAT] = (seat + 1) % deal.seats
    missing = deal.goal - child[w.PLAYED]
    if missing == 0:
        return w.WON
    if frame[w.DRAWN] < deal.cards:
        if kind != HINT:
            new = w.bit_of(deal.deck[frame[w.DRAWN]])
            child[w.HANDS + seat] |= new & ~child[w.PILES]
            child[w.DRAWN] += 1
    else:
        if kind != HINT and kind != PASS:
            child[w.SIZES] -= 1 << (8 * seat)
        if deal.last_turns != w.NO_LIMIT:
            child[w.TURNS] -= 1
    if child[w.DRAWN] == deal.cards and deal.last_turns != w.NO_LIMIT and missing > child[w.TURNS]:
        return w.LOST
    return w.UNKNOWN


@jit_hot
def _is_refuted(deal: Deal, frame: Words, child: Words, guide: Relaxed, stream: Stream) -> bool:
    """Return whether a relaxation proves `child` lost."""
    if child[w.DRAWN] > frame[w.DRAWN]:
        if merged_answer(deal, child, guide.merged) == w.LOST:
            return True
    elif child[w.DRAWN] < guide.turns_from:
        return False  # a hint changes nothing before turns count
    if guide.limit == 0 or child[w.DRAWN] == deal.cards:
        return False
    return labelled_answer(deal, child, guide, stream) == w.LOST


@jit
def search(
    deal: Deal,
    limit: int,
    noise: int,
    hint_penalty: int,
    guide: Relaxed,
    scratch: Scratch,
    stream: Stream,
) -> int:
    """Search from `scratch.frames[0]`, which must not be won; return LOST, WON or UNKNOWN.

    At most `limit` moves are tried. `scratch.table.used[1]` counts them, and one more for every
    `SWEEPS_A_MOVE` sweeps of the merged hand, which are many only in hard cases. `hint_penalty` is
    subtracted from the score of hints. After WON the line is the MOVE of each frame from 0 on, and
    `used[2]` is its length.
    """
    frames, moves, table = scratch.frames, scratch.moves, scratch.table
    answer = w.enter_frame(deal, table, frames[0])
    if answer != w.NEW:
        return answer
    _expand(deal, scratch, 0, noise, hint_penalty, stream)
    top, last = 0, table.used[1] + limit
    while top >= 0:
        frame = frames[top]
        if frame[w.NEXT_MOVE] >= frame[w.N_MOVES]:
            w.leave_frame(table, frames, top)
            top -= 1
            continue
        if table.used[1] >= last or top + 2 > frames.shape[0]:
            return w.conclude(table, frames, top, w.UNKNOWN)
        frame[w.MOVE] = moves[top, frame[w.NEXT_MOVE]]
        frame[w.NEXT_MOVE] += 1
        table.used[1] += 1
        child = frames[top + 1]
        answer, swept = _advance(deal, frame, child), guide.merged.table.used[1]
        if answer == w.UNKNOWN and _is_refuted(deal, frame, child, guide, stream):
            answer = w.LOST
        table.used[1] += (guide.merged.table.used[1] - swept) // SWEEPS_A_MOVE
        if answer == w.UNKNOWN:
            answer = w.enter_frame(deal, table, child)
        if answer == w.WON:
            table.used[2] = top + 1
            return w.conclude(table, frames, top, w.WON)
        if answer == w.UNKNOWN:
            frame[w.DOUBT] = 1
        elif answer == w.NEW:
            top += 1
            _expand(deal, scratch, top, noise, hint_penalty, stream)
    return w.UNKNOWN if frames[0, w.DOUBT] else w.LOST
