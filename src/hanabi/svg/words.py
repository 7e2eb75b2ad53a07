"""A board in words, for those who hear pictures."""

from __future__ import annotations

from hanabi.svg.records import Board, CardFace, HandPicture, PilePicture

__all__ = ["describe"]


def describe(board: Board) -> str:
    """Return a board as sentences: what happened, the counters, piles, hands and discards."""
    sentences = [board.last, board.status, _counters(board)]
    piles = ", ".join(_pile(board, n, each) for n, each in enumerate(board.piles))
    sentences.append(f"Piles: {piles}")
    sentences += [_hand(board, hand) for hand in board.hands]
    if board.discards:
        gone = [
            _card(board, each.suit, each.rank) + (" (lost)" if each.is_lost else "")
            for each in board.discards
        ]
        sentences.append(f"Discards: {', '.join(gone)}")
    return " ".join(f"{each}." for each in sentences if each)


def _counters(board: Board) -> str:
    best = "" if board.best is None else f", at most {board.best} to be had"
    strikes = board.most_lives - board.lives
    return (
        f"Clues {board.hints} of {board.most_hints}, strikes {strikes} of {board.most_lives},"
        f" deck {board.deck}, score {board.score} of {board.top}{best}"
    )


def _pile(board: Board, suit: int, shown: PilePicture) -> str:
    name = board.suits[suit].name.lower()
    direction = "" if shown.direction == "up" else f" ({shown.direction})"
    return f"{name} {shown.ranks[-1] if shown.ranks else 'empty'}{direction}"


def _hand(board: Board, hand: HandPicture) -> str:
    cards = ", ".join(_face(board, face) for face in hand.cards)
    return f"{hand.name}, newest first: {cards or 'no card'}"


def _face(board: Board, face: CardFace) -> str:
    if face.suit is not None and face.rank is not None:
        words = _card(board, face.suit, face.rank)
    else:
        words = "hidden"
        if 0 < len(face.suits) <= 2 < len(board.suits):
            words += " " + " or ".join(board.suits[n].name.lower() for n in face.suits)
        if 0 < len(face.ranks) <= 2 < len(board.ranks):
            words += " " + " or ".join(face.ranks)
    told = [f"clued {' '.join(face.hints)}"] if face.hints else []
    told += [face.mark] if face.mark else []
    return f"{words} ({'; '.join(told)})" if told else words


def _card(board: Board, suit: int, rank: str) -> str:
    return f"{board.suits[suit].name.lower()} {rank}"
