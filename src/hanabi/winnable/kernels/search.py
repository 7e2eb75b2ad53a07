"""Depth-first search over full positions with all cards face up, compiled.

The reductions are stated and proven in `hanabi.winnable.search`. A frame holds, from column 0 on,
the words that tell its position from others, and from column `DRAWN` on the same position
unpacked.
"""

from __future__ import annotations

from typing import NamedTuple

from hanabi.compiled import jit
from hanabi.compiled.bits import count_bits
from hanabi.compiled.rng import below
from hanabi.winnable.kernels import labelled as relaxed
from hanabi.winnable.kernels.labelled import labelled_answer
from hanabi.winnable.kernels.merged import merged_answer
from hanabi.winnable.kernels.words import (
    BONUS,
    BOTTOMS,
    CARDS,
    EMPTY_HINTS,
    FULL_DISCARD,
    GOAL,
    LAST_TURNS,
    LOST,
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
    enter,
    index_of,
    next_types,
)

PILES, HANDS = 0, 1
"""Mask of the played types; then, seat by seat, the needed types in hand, one copy each."""

DRAWN, HINTS, LIVES, SEAT, TURNS, SIZES = range(10, 16)
"""TURNS: those left once the last card is drawn. SIZES: cards in each hand, 8 bits a seat."""

N_MOVES, NEXT_MOVE, SLOT, DOUBT, MOVE, FRAME_WORDS = range(16, 22)
"""DOUBT: whether some successor was left undecided. MOVE: the move tried last."""

PLAY, DISCARD_TRASH, DROP, HINT, MISTAKE_TRASH, MISTAKE_DROP, PASS = range(7)
"""Moves are `kind << 6 | type`. A mistake is a discard by playing a card that does not fit; PASS
is any action that plays nothing, where all of them come to the same."""


class Guide(NamedTuple):
    """A labelled relaxation asked about every position after `first` cards; see its kernel."""

    words: Words  # labelled types, turns_from, first, limit of moves a question (0: never ask)
    frames: Words
    moves: Words
    table: Table


class Scratch(NamedTuple):
    """The arrays of a search."""

    frames: Words  # (depth, FRAME_WORDS)
    moves: Words  # (depth, most moves)
    scores: Words  # (most moves,)
    table: Table
    merged: Table
    stack: Words


@jit
def size_of(frame: Words, seat: int) -> int:
    """Return the number of cards in a seat's hand."""
    return int((frame[SIZES] >> (8 * seat)) & 255)


@jit
def seal(game: Words, frame: Words) -> None:
    """Write the last words of a frame's key."""
    end = HANDS + game[SEATS]
    word = frame[DRAWN] | (frame[HINTS] << 8) | (frame[LIVES] << 16)
    frame[end] = word | (frame[SEAT] << 24) | (frame[TURNS] << 28)
    frame[end + 1] = frame[SIZES]


@jit
def may_hint(game: Words, frame: Words) -> bool:
    """Return whether the seat to act has a legal hint."""
    if frame[HINTS] == 0 or game[SEATS] == 1:
        return False
    if game[EMPTY_HINTS]:
        return True
    for seat in range(game[SEATS]):
        if seat != frame[SEAT] and size_of(frame, seat) > 0:
            return True
    return False


@jit
def _play_score(game: Words, frame: Words, bit: int, everyone: int) -> int:
    """Prefer cards whose followers are in hand, the next seat's above all."""
    following = frame[HANDS + (frame[SEAT] + 1) % game[SEATS]]
    score, weight = 1000, 64
    above = bit << 1
    if following & above:
        score += 20
    while everyone & above:
        score += weight
        weight >>= 1
        above <<= 1
    if bit & game[TOPS] and frame[HINTS] < game[MOST_HINTS]:
        score += 40
    return score


@jit
def _hint_score(game: Words, frame: Words, playable: int) -> int:
    """Prefer waiting if somebody else can play, tokens are many, or no turn is to spare."""
    score, others = 200, 0
    for seat in range(game[SEATS]):
        if seat != frame[SEAT]:
            others |= frame[HANDS + seat]
    if others & playable:
        score = 300 + 40 * frame[HINTS]
    if frame[HINTS] >= game[MOST_HINTS] - 1:
        score += 150
    missing = game[GOAL] - count_bits(frame[PILES])
    if game[CARDS] - frame[DRAWN] + game[LAST_TURNS] - missing <= 2:
        score += 150
    return score


@jit
def _add_discards(
    deal: Deal, frame: Words, playable: int, moves: Words, scores: Words, n: int
) -> int:
    """Append discards, or mistakes if discarding is forbidden: trash if any, else needed cards."""
    game, seat = deal.game, frame[SEAT]
    hand, size = frame[HANDS + seat], size_of(frame, seat)
    score, trash, drop = 500, DISCARD_TRASH, DROP
    if frame[HINTS] >= game[MOST_HINTS] and game[FULL_DISCARD] == 0:
        score, trash, drop = 50, MISTAKE_TRASH, MISTAKE_DROP
        if frame[LIVES] <= 1:
            return n
    if count_bits(hand) < size:
        moves[n], scores[n] = trash << 6, score
        return n + 1
    others = 0
    for other in range(game[SEATS]):
        if other != seat:
            others |= frame[HANDS + other]
    rest = hand & (others | deal.suffix[frame[DRAWN]])
    if drop == MISTAKE_DROP:
        rest &= ~playable
    while rest:
        bit = rest & -rest
        rest ^= bit
        moves[n], scores[n] = (drop << 6) | index_of(bit), score - 260
        if others & bit:
            scores[n] += 150
        if playable & bit:
            scores[n] -= 300
        n += 1
    return n


@jit
def _list_moves(deal: Deal, frame: Words, moves: Words, scores: Words, thrift: int) -> int:
    """Write the moves of the seat to act with their scores; return their number."""
    game = deal.game
    playable = next_types(frame[PILES], game[BOTTOMS], game[NEEDED])
    everyone, others = 0, 0
    for seat in range(game[SEATS]):
        everyone |= frame[HANDS + seat]
        if seat != frame[SEAT]:
            others |= frame[HANDS + seat]
    n, rest = 0, frame[HANDS + frame[SEAT]] & playable
    while rest:
        bit = rest & -rest
        rest ^= bit
        moves[n] = (PLAY << 6) | index_of(bit)
        scores[n] = _play_score(game, frame, bit, everyone) - (60 if others & bit else 0)
        n += 1
    if frame[DRAWN] == game[CARDS] and is_short(game):
        if n == 0:
            moves[0], scores[0] = PASS << 6, 0
            n = 1
        return n
    if may_hint(game, frame):
        moves[n], scores[n] = HINT << 6, _hint_score(game, frame, playable) - thrift
        n += 1
    if size_of(frame, frame[SEAT]) > 0:
        n = _add_discards(deal, frame, playable, moves, scores, n)
    return n


@jit
def is_short(game: Words) -> bool:
    """Return whether nobody acts twice in the last round, and everybody can then pass."""
    return bool(game[LAST_TURNS] <= game[SEATS] and game[MOST_HINTS] > 0)


@jit
def _expand(
    deal: Deal,
    frame: Words,
    moves: Words,
    scores: Words,
    temper: int,
    thrift: int,
    stream: Stream,
) -> None:
    """List a frame's moves, best first; `temper` is the size of the noise in units of 40."""
    n = _list_moves(deal, frame, moves, scores, thrift)
    if temper > 0:
        for i in range(n):
            scores[i] += below(stream, 40 * temper) * (1 if moves[i] >> 6 == PLAY else 3)
    for i in range(1, n):
        score, move, j = scores[i], moves[i], i - 1
        while j >= 0 and scores[j] < score:
            scores[j + 1], moves[j + 1] = scores[j], moves[j]
            j -= 1
        scores[j + 1], moves[j + 1] = score, move
    frame[N_MOVES], frame[NEXT_MOVE], frame[DOUBT] = n, 0, 0


@jit
def _regain(game: Words, frame: Words) -> None:
    if frame[HINTS] < game[MOST_HINTS]:
        frame[HINTS] += 1


@jit
def _advance(deal: Deal, frame: Words, child: Words, move: int) -> int:
    """Write the position after `move` into `child`; return WON, LOST or UNKNOWN."""
    game, deck = deal.game, deal.deck
    for w in range(N_MOVES):
        child[w] = frame[w]
    kind, seat = move >> 6, frame[SEAT]
    bit = bit_of(move & 63) if kind in (PLAY, DROP, MISTAKE_DROP) else 0
    if kind == PLAY:
        child[PILES] |= bit
        for other in range(game[SEATS]):
            child[HANDS + other] &= ~bit
        if bit & game[TOPS] and game[BONUS]:
            _regain(game, child)
    elif kind == HINT:
        child[HINTS] -= 1
    elif kind != PASS:
        child[HANDS + seat] &= ~bit
        if kind == DISCARD_TRASH or kind == DROP:
            _regain(game, child)
        else:
            child[LIVES] -= 1
    child[SEAT] = (seat + 1) % game[SEATS]
    missing = game[GOAL] - count_bits(child[PILES])
    if missing == 0:
        return WON
    if frame[DRAWN] < game[CARDS]:
        if kind != HINT:
            new = bit_of(deck[frame[DRAWN]])
            child[HANDS + seat] |= new & ~child[PILES]
            child[DRAWN] += 1
    else:
        if kind != HINT and kind != PASS:
            child[SIZES] -= 1 << (8 * seat)
        if game[LAST_TURNS] != NO_LIMIT:
            child[TURNS] -= 1
    if child[DRAWN] == game[CARDS] and game[LAST_TURNS] != NO_LIMIT and missing > child[TURNS]:
        return LOST
    return UNKNOWN


@jit
def _is_refuted(
    deal: Deal, frame: Words, child: Words, guide: Guide, scratch: Scratch, stream: Stream
) -> bool:
    """Return whether a relaxation proves `child` lost."""
    game, words = deal.game, guide.words
    secured = child[PILES]
    for seat in range(game[SEATS]):
        secured |= child[HANDS + seat]
    played = count_bits(child[PILES])
    if child[DRAWN] > frame[DRAWN]:
        answer = merged_answer(deal, child[DRAWN], secured, played, scratch.merged, scratch.stack)
        if answer == LOST:
            return True
    elif child[DRAWN] < words[1]:
        return False  # a hint changes nothing before turns count
    if words[3] == 0 or child[DRAWN] < words[2] or child[DRAWN] == game[CARDS]:
        return False
    root = guide.frames[0]
    root[relaxed.SECURED] = secured
    for seat in range(game[SEATS]):
        root[relaxed.LABELS + seat] = child[HANDS + seat] & words[0]
    root[relaxed.DRAWN], root[relaxed.PLAYED] = child[DRAWN], played
    root[relaxed.TURNS] = game[LAST_TURNS]
    root[relaxed.SEAT], root[relaxed.HINTS] = -1, game[MOST_HINTS]
    if child[DRAWN] >= words[1]:
        root[relaxed.SEAT], root[relaxed.HINTS] = child[SEAT], child[HINTS]
    answer = labelled_answer(
        deal, words[0], words[1], words[3], stream,
        guide.frames, guide.moves, guide.table, scratch.merged, scratch.stack,
    )  # fmt: skip
    return answer == LOST


@jit
def search(
    deal: Deal,
    limit: int,
    temper: int,
    thrift: int,
    guide: Guide,
    scratch: Scratch,
    stream: Stream,
) -> int:
    """Search from `scratch.frames[0]`, which must not be won; return LOST, WON or UNKNOWN.

    At most `limit` moves are tried; `scratch.table.used[1]` counts them. `thrift` is taken off the
    score of hints. After WON the line is the
    MOVE of the frames from 0 on; `used[2]` is its length.
    """
    frames, moves, table = scratch.frames, scratch.moves, scratch.table
    seal(deal.game, frames[0])
    answer = enter(table, frames[0])
    if answer >= 0:
        return answer
    frames[0, SLOT] = -1 - answer
    _expand(deal, frames[0], moves[0], scratch.scores, temper, thrift, stream)
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
            for d in range(top + 1):
                table.marks[frames[d, SLOT]] = MARKED_UNKNOWN
            return UNKNOWN
        frame[MOVE] = moves[top, frame[NEXT_MOVE]]
        frame[NEXT_MOVE] += 1
        table.used[1] += 1
        child = frames[top + 1]
        answer = _advance(deal, frame, child, frame[MOVE])
        if answer == UNKNOWN and _is_refuted(deal, frame, child, guide, scratch, stream):
            answer = LOST
        if answer == UNKNOWN:
            seal(deal.game, child)
            answer = enter(table, child)
        if answer == WON:
            table.used[2] = top + 1
            return WON
        if answer == UNKNOWN:
            frame[DOUBT] = 1
        elif answer < 0:
            top += 1
            child[SLOT] = -1 - answer
            _expand(deal, child, moves[top], scratch.scores, temper, thrift, stream)
    return UNKNOWN if frames[0, DOUBT] else LOST
