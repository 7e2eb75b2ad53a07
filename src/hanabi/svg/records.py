"""What a picture of a table shows, as plain records that know nothing of rules."""

from __future__ import annotations

from dataclasses import dataclass

from hanabi.svg.looks import SuitLook

__all__ = ["Board", "CardFace", "DiscardedCard", "HandPicture", "PilePicture"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardFace:
    """A card in a hand.

    Attributes
    ----------
    suit, rank
        Its suit by number, and the label of its rank; both None if it is hidden.
    suits, ranks
        What it can still be according to hints: numbers of suits and labels of ranks. Nothing is
        drawn for both empty.
    hints
        What touched it, in words of the game: "red", "3".
    mark
        Why the card is to be seen, as a word: "play", "discard", "hint" or "error" have colors of
        their own, "" is no mark.
    """

    suit: int | None = None
    rank: str | None = None
    suits: tuple[int, ...] = ()
    ranks: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPicture:
    """A hand from left to right, and whose it is; a name may hold anything."""

    name: str
    cards: tuple[CardFace, ...]
    is_to_act: bool = False
    is_viewer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PilePicture:
    """A pile: the labels of its ranks in the order of play, and how many complete it.

    `direction` is "up", "down", "either" or "round"; "up" is drawn without a sign.
    """

    ranks: tuple[str, ...]
    goal: int
    direction: str = "up"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardedCard:
    """A card that was discarded, and whether its last copy is gone before it was played."""

    suit: int
    rank: str
    is_lost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A table as a picture shows it.

    Attributes
    ----------
    suits
        Looks in the order of the suits' numbers.
    ranks
        All labels that a card can have.
    hands, piles, discards
        Hands in the order of play; a pile each suit.
    hints, lives, deck
        What is left, in signs: "4½", "2".
    most_hints, most_lives
        What there is at the start.
    score, best, top
        Points, those that can still be had if that is known, and those of complete piles.
    turn
        Number of turns taken.
    last
        The last action as a sentence, or "".
    status
        What comes now, as a sentence: who acts, or how it ended.
    """

    suits: tuple[SuitLook, ...]
    ranks: tuple[str, ...]
    hands: tuple[HandPicture, ...]
    piles: tuple[PilePicture, ...]
    discards: tuple[DiscardedCard, ...]
    hints: str
    most_hints: int
    lives: int
    most_lives: int
    deck: int
    score: int
    top: int
    best: int | None = None
    turn: int = 0
    last: str = ""
    status: str = ""
