"""Plain records of what a picture of a table shows; they know nothing of rules."""

from __future__ import annotations

from dataclasses import dataclass

from hanabi.ground.svg.looks import SuitLook

__all__ = [
    "Arc",
    "Arcs",
    "Board",
    "Bracket",
    "CardFace",
    "Curve",
    "DiscardedCard",
    "Grid",
    "HandPicture",
    "Lane",
    "Moment",
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
        The suit's number and the rank's label; both None if the card is hidden.
    suits, ranks
        The suits (by number) and ranks (by label) that hints allow. If both are empty, nothing is
        drawn for them.
    hints
        The hints that touched the card, in words of the game: "red", "3".
    mark
        A word for why the card is highlighted: "play", "discard" or "error", each with its own
        color; "" for no mark.
    arrow
        The hint of the last action, if it touched the card: an arrow with this word points at it.
    worth
        "dead" if the card can never be played any more (drawn struck through), "critical" if it is
        the last copy of a card that can; else "".
    """

    suit: int | None = None
    rank: str | None = None
    suits: tuple[int, ...] = ()
    ranks: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    mark: str = ""
    arrow: str = ""
    worth: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPicture:
    """A hand from left to right, with its owner's name, which may contain anything.

    Attributes
    ----------
    places
        The cards' places in the deck, which name them throughout a game.
    """

    name: str
    cards: tuple[CardFace, ...]
    is_to_act: bool = False
    is_viewer: bool = False
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PilePicture:
    """A pile: the labels of its ranks in the order of play, and the number of cards that fill it.

    `direction` is "up", "down", "either" or "round"; "up" is drawn without a sign.
    """

    ranks: tuple[str, ...]
    goal: int
    direction: str = "up"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscardedCard:
    """A discarded card, and whether no copy of it is left although none was played."""

    suit: int
    rank: str
    is_lost: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A table as a picture shows it.

    Attributes
    ----------
    suits
        The looks of the suits, in order.
    ranks
        The labels of all ranks.
    hands, piles, discards
        Hands in the order of play; one pile for each suit.
    dead
        The suits and ranks of the cards that are on no pile and can never be played any more.
    hand_size
        The number of cards of a whole hand.
    moved
        The suit and rank of the card that the last action moved, and "play", "discard" or "error";
        None if there was no such card, or if it is not known.
    hints, lives, deck
        The numbers left, as text: "4½", "2".
    most_hints, most_lives
        The numbers at the start.
    score, best, top
        The score, the best score still reachable if it is known, and the score of complete piles.
    turn
        The number of turns taken.
    last
        The last action as a sentence, or "".
    status
        What comes next, as a sentence: the player to act, or how the game ended.
    """

    suits: tuple[SuitLook, ...]
    ranks: tuple[str, ...]
    hands: tuple[HandPicture, ...]
    piles: tuple[PilePicture, ...]
    discards: tuple[DiscardedCard, ...]
    dead: frozenset[tuple[int, str]] = frozenset()
    hand_size: int = 5
    moved: tuple[int, str, str] | None = None
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
    """A card in a long row.

    Attributes
    ----------
    look
        The suit's look, or None for anything that is no card, such as a hint.
    rank
        The label on the card; "" for a place without a card.
    number, verb
        The labels below the card: "17", "play".
    mark
        "now" on this card's turn, "past" after it.
    """

    look: SuitLook | None
    rank: str
    number: str = ""
    verb: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StripGroup:
    """A group of cards, under a title if it has one."""

    title: str = ""
    cards: tuple[SmallCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Strip:
    """Cards in order, and the looks that the legend explains."""

    groups: tuple[StripGroup, ...]
    legend: tuple[SuitLook, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arc:
    """A stretch over which a card waits in hand.

    Attributes
    ----------
    rank
        The label of the card.
    opens, closes
        The places, from 0, of the card and of the one that it waits for. Places before the first
        or after the last card of the row are not drawn: the arc is cut there.
    is_chosen
        Whether the card takes this stretch; otherwise it only could.
    """

    rank: str
    opens: int
    closes: int
    is_chosen: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """The arcs of one color, with a note on them."""

    look: SuitLook
    arcs: tuple[Arc, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A moment just before the card at a place (from 0), with a short label."""

    place: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """A title for the cards from one place (from 0) to another; `is_lit` sets it off."""

    first: int
    last: int
    title: str
    is_lit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Arcs:
    """A row of cards, the arcs of each color above it, and the hand below it.

    Attributes
    ----------
    cards
        The cards of the row.
    numbers
        Their numbers, ascending; there is a gap in the row where some are left out.
    lanes
        The arcs, color by color. The chosen ones take a track of the hand each.
    hand_size
        The number of tracks.
    full
        The places, from 0, just before whose cards the hand is full.
    brackets
        Titles of groups of cards.
    moments
        Moments that matter.
    notes
        Lines below the picture.
    words
        A description.
    """

    cards: tuple[SmallCard, ...]
    numbers: tuple[int, ...]
    lanes: tuple[Lane, ...]
    hand_size: int
    full: tuple[int, ...] = ()
    brackets: tuple[Bracket, ...] = ()
    moments: tuple[Moment, ...] = ()
    notes: tuple[str, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SolitaireBoard:
    """A position of Solitaire Hanabi.

    Attributes
    ----------
    move, moves
        The number of moves made, and of all moves.
    last, note
        The last move, and a comment on it.
    stream, hand, piles
        The cards around the last one drawn, the cards in hand, and the top of each pile.
    hidden_piles, hidden_hand
        The numbers of piles and cards that do not fit in the picture.
    drawn, length
        The number of cards drawn, and of cards in the stream.
    held, hand_size
        The number of cards in hand, and the limit.
    played, goal
        The number of cards on the piles, and on complete piles.
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
    """The best score still reachable at each position of a game.

    Attributes
    ----------
    bounds
        The lower and upper bound on it, the deal's first.
    top
        The top score.
    lost
        The moves, from 1, that lost points, with the points lost.
    errors
        The moves that cost a life.
    """

    bounds: tuple[tuple[int, int], ...]
    top: int
    lost: tuple[tuple[int, int], ...] = ()
    errors: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A curve: shares from 0 to 1, each with a name below it.

    Attributes
    ----------
    points
        The short names, with their shares.
    across
        The kind of thing named: "hand".
    """

    points: tuple[tuple[str, float], ...]
    across: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A grid of marks, with its rows in groups.

    Attributes
    ----------
    columns, rows
        The names of the columns and rows.
    marked
        The numbers of the marked columns, for each row.
    groups
        The numbers of each group's rows; a row belongs to at most one group.
    notes
        A comment on each group.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    marked: tuple[tuple[int, ...], ...]
    groups: tuple[tuple[int, ...], ...]
    notes: tuple[str, ...] = ()
