"""What a picture of a table shows, as plain records that know nothing of rules."""

from __future__ import annotations

from dataclasses import dataclass

from hanabi.svg.looks import SuitLook

__all__ = [
    "Board",
    "CardFace",
    "DiscardedCard",
    "Grid",
    "HandPicture",
    "PilePicture",
    "Scores",
    "SmallCard",
    "SolitaireBoard",
    "Strip",
    "StripGroup",
]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallCard:
    """A card in a row of many.

    Attributes
    ----------
    look
        Its suit, or None for what is no card, a hint say.
    rank
        What stands on it; "" on a place without a card.
    number, verb
        What stands below it: "17", "play".
    mark
        "now" where it is the turn of this card, "past" where it has been.
    """

    look: SuitLook | None
    rank: str
    number: str = ""
    verb: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StripGroup:
    """Cards that belong together, under a title if they have one."""

    title: str = ""
    cards: tuple[SmallCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """Cards in the order in which they come, and the looks that a legend explains."""

    groups: tuple[StripGroup, ...]
    legend: tuple[SuitLook, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolitaireBoard:
    """A moment of Solitaire Hanabi.

    Attributes
    ----------
    move, moves
        Number of moves made, and of all.
    last, note
        What was done, and what there is to say of it.
    stream, hand, piles
        Cards around the last one drawn, those in hand, and the top of each pile.
    hidden_piles, hidden_hand
        How many there are that have no place in the picture.
    drawn, length
        Cards drawn, and in the stream.
    held, hand_size
        Cards in hand, and the most that may be.
    played, goal
        Cards on the piles, and those of complete piles.
    """

    move: int
    moves: int
    last: str
    note: str = ""
    stream: tuple[SmallCard, ...]
    hand: tuple[SmallCard, ...]
    piles: tuple[SmallCard, ...]
    hidden_piles: int = 0
    hidden_hand: int = 0
    drawn: int
    length: int
    held: int
    hand_size: int
    played: int
    goal: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The best score that could still be had at each position of a game.

    Attributes
    ----------
    bounds
        The lowest and highest that it can be, the deal first.
    top
        The most points of all.
    lost
        The moves, from 1, that lost points, and how many.
    errors
        The moves that cost a life.
    """

    bounds: tuple[tuple[int, int], ...]
    top: int
    lost: tuple[tuple[int, int], ...] = ()
    errors: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """Shares, from 0 to 1, of what is named below them.

    Attributes
    ----------
    points
        The names, short ones, and their shares.
    across
        What is named: "hand".
    """

    points: tuple[tuple[str, float], ...]
    across: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Marks in rows and columns, the rows in groups.

    Attributes
    ----------
    columns, rows
        Their names.
    marked
        For each row the numbers of its marked columns.
    groups
        Numbers of rows that belong together; a row is in one group.
    notes
        What there is to say of each group.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    marked: tuple[tuple[int, ...], ...]
    groups: tuple[tuple[int, ...], ...]
    notes: tuple[str, ...] = ()
