"""The labelled relaxation, compiled; stated and proven in `hanabi.winnable.relaxation`.

The *labelled* types carry the seat that holds them; all other cards are anonymous. While fewer
than `turns_from` cards have been drawn anyone may act at any time. From then on turns and hints
are those of the game, except that any card may be discarded while all hints are there. The types
that complete a color must be labelled if `turns_from` is less than the number of cards.

A frame of the search holds, from column 0 on, the words that tell its state from others, and from
column `DRAWN` on the same state unpacked.
"""

from __future__ import annotations

from hanabi.compiled import jit
from hanabi.compiled.bits import count_bits
from hanabi.compiled.rng import below
from hanabi.winnable.kernels.merged import merged_answer
from hanabi.winnable.kernels.words import (
    BONUS,
    BOTTOMS,
    CARDS,
    GOAL,
    HAND_SIZE,
    LAST_TURNS,
    LOST,
    MARKED_LOST,
    MARKED_UNKNOWN,
    MOST_HINTS,
    NEEDED,
    NO_LIMIT,
    SEATS,
    TOPS,
    UNKNOWN,
    WON,
    Deal,
    Stream,
    Table,
    Words,
    bit_of,
    buildable,
    enter,
    index_of,
    next_types,
)

SECURED, LABELS = 0, 1
"""Mask of the secured types; then, seat by seat, the labelled types in hand."""

DRAWN, PLAYED, SEAT, TURNS, HINTS = range(8, 13)
"""SEAT is -1 while anyone may act; TURNS are those left once the last card is drawn."""

N_MOVES, NEXT_MOVE, SLOT, DOUBT, FRAME_WORDS = range(13, 18)
"""DOUBT: whether some successor was left undecided."""

PLAY_ANONYMOUS, PLAY_LABELLED, DISCARD_TRASH, DROP_ANONYMOUS, DROP_LABELLED, HINT = range(6)
"""Moves are `seat << 9 | kind << 6 | type`."""


@jit
def seal(game: Words, frame: Words) -> None:
    """Write the last word of a frame's key."""
    end = LABELS + game[SEATS]
    word = frame[DRAWN] | (frame[PLAYED] << 8) | ((frame[SEAT] + 1) << 16)
    frame[end] = word | (frame[TURNS] << 20) | (frame[HINTS] << 28)


@jit
def _held(game: Words, frame: Words) -> int:
    held = 0
    for seat in range(game[SEATS]):
        held |= frame[LABELS + seat]
    return held


@jit
def _with_all_below(types: int, bottoms: int) -> int:
    while True:
        more = types | ((types & ~bottoms) >> 1)
        if more == types:
            return types
        types = more


@jit
def _add_plays(
    game: Words, frame: Words, labelled: int, seat: int, held: int, moves: Words, n: int
) -> int:
    """Append the plays of `seat`'s labelled cards."""
    bottoms = game[BOTTOMS]
    possible = buildable(frame[SECURED] & ~held, bottoms)
    committed = _with_all_below(frame[SECURED] & labelled & ~held, bottoms)
    rest = frame[LABELS + seat] & next_types(possible, bottoms, game[NEEDED])
    while rest:
        bit = rest & -rest
        rest ^= bit
        if count_bits(committed | _with_all_below(bit, bottoms)) <= frame[PLAYED] + 1:
            moves[n] = (seat << 9) | (PLAY_LABELLED << 6) | index_of(bit)
            n += 1
    return n


@jit
def _add_labelled_drops(
    game: Words, frame: Words, seat: int, later: int, moves: Words, n: int
) -> int:
    """Append the discards of `seat`'s labelled cards that have another copy to come or in hand."""
    elsewhere = later
    for other in range(game[SEATS]):
        if other != seat:
            elsewhere |= frame[LABELS + other]
    rest = frame[LABELS + seat] & elsewhere
    while rest:
        bit = rest & -rest
        rest ^= bit
        moves[n] = (seat << 9) | (DROP_LABELLED << 6) | index_of(bit)
        n += 1
    return n


@jit
def _add_anonymous_discards(
    game: Words,
    frame: Words,
    labelled: int,
    held: int,
    seat: int,
    later: int,
    moves: Words,
    n: int,
) -> int:
    """Append the discards of anonymous cards: of trash if there is some, else of needed cards."""
    bottoms, secured, played = game[BOTTOMS], frame[SECURED], frame[PLAYED]
    if count_bits(secured) - played < game[SEATS] * game[HAND_SIZE]:
        moves[n] = (seat << 9) | (DISCARD_TRASH << 6)
        return n + 1
    committed = _with_all_below(secured & labelled & ~held, bottoms)
    rest = secured & ~labelled & ~committed & later
    while rest:
        bit = rest & -rest
        rest ^= bit
        if count_bits(buildable(secured & ~held & ~bit, bottoms)) >= played:
            moves[n] = (seat << 9) | (DROP_ANONYMOUS << 6) | index_of(bit)
            n += 1
    return n


@jit
def _free_moves(deal: Deal, frame: Words, labelled: int, each: bool, moves: Words) -> int:
    """Write the moves while anyone may act; return their number."""
    game, deck = deal.game, deal.deck
    n, later, held = 0, deal.suffix[frame[DRAWN]], _held(game, frame)
    possible = buildable(frame[SECURED] & ~held, game[BOTTOMS])
    playable = frame[PLAYED] < count_bits(possible)
    bit = bit_of(deck[frame[DRAWN]])
    # The seat of an anonymous action matters if the card it draws is labelled, or if turns begin.
    each = each or ((bit & labelled) != 0 and (frame[SECURED] & ~held & bit) == 0)
    strict, done = labelled == game[NEEDED], False
    for seat in range(game[SEATS]):
        before = n
        n = _add_plays(game, frame, labelled, seat, held, moves, n)
        full = count_bits(frame[LABELS + seat]) >= game[HAND_SIZE]
        if strict and n > before:
            continue
        if full or not strict:
            n = _add_labelled_drops(game, frame, seat, later, moves, n)
        if done or full:
            continue
        if playable:
            moves[n] = (seat << 9) | (PLAY_ANONYMOUS << 6)
            n += 1
        else:
            n = _add_anonymous_discards(game, frame, labelled, held, seat, later, moves, n)
        done = not each
    return n


@jit
def _turn_moves(deal: Deal, frame: Words, labelled: int, moves: Words) -> int:
    """Write the moves of the seat to act; return their number."""
    game = deal.game
    seat, later, held = frame[SEAT], deal.suffix[frame[DRAWN]], _held(game, frame)
    possible = buildable(frame[SECURED] & ~held, game[BOTTOMS])
    room = count_bits(frame[LABELS + seat]) < game[HAND_SIZE]
    n = 0
    n = _add_plays(game, frame, labelled, seat, held, moves, n)
    if room and frame[PLAYED] < count_bits(possible):
        moves[n] = (seat << 9) | (PLAY_ANONYMOUS << 6)
        n += 1
    if frame[DRAWN] == game[CARDS]:
        moves[n] = (seat << 9) | (HINT << 6)  # a turn without a play; its token is not counted
        return n + 1
    if room:
        n = _add_anonymous_discards(game, frame, labelled, held, seat, later, moves, n)
    n = _add_labelled_drops(game, frame, seat, later, moves, n)
    if frame[HINTS] > 0 and game[SEATS] > 1:
        moves[n] = (seat << 9) | (HINT << 6)
        n += 1
    return n


@jit
def _release(game: Words, frame: Words, kind: int, seat: int, bit: int, tracked: bool) -> None:
    """Take the card of a move out of `frame`."""
    if kind == PLAY_ANONYMOUS or kind == PLAY_LABELLED:
        frame[PLAYED] += 1
        for other in range(game[SEATS]):
            frame[LABELS + other] &= ~bit
        if tracked and bit & game[TOPS] and game[BONUS] and frame[HINTS] < game[MOST_HINTS]:
            frame[HINTS] += 1
        return
    if kind == DROP_ANONYMOUS:
        frame[SECURED] &= ~bit
    elif kind == DROP_LABELLED:
        frame[LABELS + seat] &= ~bit
        if _held(game, frame) & bit == 0:
            frame[SECURED] &= ~bit
    if tracked and frame[HINTS] < game[MOST_HINTS]:
        frame[HINTS] += 1


@jit
def _advance(
    deal: Deal, frame: Words, child: Words, move: int, labelled: int, turns_from: int
) -> int:
    """Write the successor of `frame` into `child`; return WON, LOST or UNKNOWN."""
    game, deck = deal.game, deal.deck
    kind, seat = (move >> 6) & 7, move >> 9
    bit = bit_of(move & 63) if kind in (PLAY_LABELLED, DROP_ANONYMOUS, DROP_LABELLED) else 0
    for w in range(N_MOVES):
        child[w] = frame[w]
    following = (seat + 1) % game[SEATS]
    tracked = turns_from <= frame[DRAWN] < game[CARDS]
    if kind != HINT:
        _release(game, child, kind, seat, bit, tracked)
    elif tracked:
        child[HINTS] -= 1
    if child[PLAYED] >= game[GOAL]:
        return WON
    if frame[DRAWN] == game[CARDS]:
        child[TURNS] -= 1
        child[SEAT] = following
        return LOST if game[GOAL] - child[PLAYED] > child[TURNS] else UNKNOWN
    if kind != HINT:
        drawn = bit_of(deck[frame[DRAWN]])
        if drawn & labelled and (child[SECURED] & ~_held(game, child) & drawn) == 0:
            child[LABELS + seat] |= drawn
        child[SECURED] |= drawn
        child[DRAWN] += 1
        if child[DRAWN] == game[CARDS]:
            child[HINTS] = 0  # they do not matter any more
    child[SEAT] = following if child[DRAWN] >= turns_from else -1
    return UNKNOWN


@jit
def _expand(
    deal: Deal, frame: Words, labelled: int, turns_from: int, moves: Words, stream: Stream
) -> None:
    """List a frame's moves in random order."""
    if frame[DRAWN] < turns_from:
        each = frame[DRAWN] + 1 == turns_from
        n = _free_moves(deal, frame, labelled, each, moves)
    else:
        n = _turn_moves(deal, frame, labelled, moves)
    for i in range(n - 1, 0, -1):
        j = below(stream, i + 1)
        moves[i], moves[j] = moves[j], moves[i]
    frame[N_MOVES], frame[NEXT_MOVE], frame[DOUBT] = n, 0, 0


@jit
def _judge(
    deal: Deal, frame: Words, child: Words, table: Table, merged: Table, stack: Words
) -> int:
    """Return what is known of `child`, or a negative number after making a row for it."""
    game = deal.game
    if child[DRAWN] == game[CARDS] and game[LAST_TURNS] == NO_LIMIT:
        return WON if child[SECURED] == game[NEEDED] else LOST
    if child[DRAWN] > frame[DRAWN]:
        drawn, secured, played = child[DRAWN], child[SECURED], child[PLAYED]
        if merged_answer(deal, drawn, secured, played, merged, stack) == LOST:
            return LOST
    seal(game, child)
    answer = enter(table, child)
    if answer < 0:
        child[SLOT] = -1 - answer
    return answer


@jit
def _conclude(table: Table, frames: Words, top: int, answer: int) -> int:
    """Give the rows of frames 0 .. top the mark of `answer`."""
    for d in range(top + 1):
        table.marks[frames[d, SLOT]] = MARKED_LOST + answer
    return answer


@jit
def labelled_answer(
    deal: Deal,
    labelled: int,
    turns_from: int,
    limit: int,
    stream: Stream,
    frames: Words,
    moves: Words,
    table: Table,
    merged: Table,
    stack: Words,
) -> int:
    """Return LOST, WON or UNKNOWN (a limit was reached) for the relaxation from `frames[0]`.

    `limit` bounds the moves tried in this call; `table.used[1]` counts those of all calls.
    """
    seal(deal.game, frames[0])
    answer = enter(table, frames[0])
    if answer >= 0:
        return answer
    frames[0, SLOT] = -1 - answer
    _expand(deal, frames[0], labelled, turns_from, moves[0], stream)
    top, last = 0, table.used[1] + limit
    while top >= 0:
        frame = frames[top]
        if frame[NEXT_MOVE] >= frame[N_MOVES]:
            if frame[DOUBT]:
                table.marks[frame[SLOT]] = MARKED_UNKNOWN
                if top > 0:
                    frames[top - 1, DOUBT] = 1
            top -= 1
            continue
        if table.used[1] >= last or top + 2 > frames.shape[0]:
            answer = UNKNOWN
            return _conclude(table, frames, top, answer)
        move = moves[top, frame[NEXT_MOVE]]
        frame[NEXT_MOVE] += 1
        table.used[1] += 1
        child = frames[top + 1]
        answer = _advance(deal, frame, child, move, labelled, turns_from)
        if answer == UNKNOWN:
            answer = _judge(deal, frame, child, table, merged, stack)
        if answer == WON:
            return _conclude(table, frames, top, answer)
        if answer == UNKNOWN:
            frame[DOUBT] = 1
        elif answer < 0:
            top += 1
            _expand(deal, child, labelled, turns_from, moves[top], stream)
    return UNKNOWN if frames[0, DOUBT] else LOST
