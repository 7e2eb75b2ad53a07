"""Pictures of tables: one of the middle and one of each card, so that cards can be chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from markupsafe import Markup

from hanabi.ground import (
    HEIGHT,
    SMALL_HEIGHT,
    SMALL_WIDTH,
    WIDTH,
    Board,
    CardFace,
    Curve,
    Grid,
    Sheet,
    SmallCard,
    SolitaireBoard,
    Strip,
    card,
    counted,
    draw_board,
    draw_curve,
    draw_grid,
    draw_solitaire,
    draw_strip,
    numbered,
    part,
    small,
    use,
)
from hanabi.rules import (
    Action,
    Card,
    Game,
    Kind,
    Table,
    View,
    board_of,
    card_name,
    clue_colors,
    hinted,
)
from hanabi.shell.web.desk import markup

__all__ = [
    "Choice",
    "Pictures",
    "ShownCard",
    "ShownHand",
    "can_be",
    "choices_of",
    "name_action",
    "possible_cards",
]

Acts = Literal["viewer", "anybody", "nobody"]

_MARGIN, _ABOVE, _BELOW = 4, 9, 17  # around a card, for its marks and its number
_PLACES = {0: ", newest"}


@dataclass(frozen=True, slots=True)
class Choice:
    """An action to choose: its code, its button's label, and the number of cards it touches."""

    code: int
    words: str
    number: int = 0


@dataclass(frozen=True, slots=True)
class ShownCard:
    """A card in hand: picture, words, possible identities, and the actions that it allows.

    `index` is its number in the deck.
    """

    index: int
    place: int
    picture: Markup
    words: str
    can_be: str
    play: Choice | None
    discard: Choice | None
    clues: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand, newest card first, and all clues that its owner can be given."""

    seat: int
    name: str
    is_viewer: bool
    is_to_act: bool
    cards: tuple[ShownCard, ...]
    clues: tuple[Choice, ...]


class Pictures:
    """The pictures of one page, with shared definitions: put `sheet` before them in the page."""

    def __init__(self) -> None:
        self._sheet = Sheet()

    @property
    def shared(self) -> Sheet:
        """The sheet for pictures that are drawn elsewhere."""
        return self._sheet

    @property
    def sheet(self) -> Markup:
        """The definitions that the pictures refer to."""
        return Markup(self._sheet.svg)  # noqa: S704 - drawn here, words are escaped

    def board(
        self,
        table: Table,
        *,
        names: Sequence[str] = (),
        before: Table | None = None,
        best: int | None = None,
        marks: Mapping[int, str] | None = None,
        hands: bool = True,
        title: str = "",
    ) -> Markup:
        """Return the picture of a table, with or without the hands."""
        board = board_of(table, names=names, before=before, best=best, marks=marks)
        shown = board if hands else replace(board, hands=())
        return Markup(draw_board(shown, sheet=self._sheet, title=title))  # noqa: S704

    def solitaire(self, board: SolitaireBoard) -> Markup:
        """Return the picture of one position of a play."""
        return Markup(draw_solitaire(board, sheet=self._sheet))  # noqa: S704

    def small(self, shown: SmallCard) -> Markup:
        """Return the picture of one small card, for those who see."""
        body = use(small(self._sheet, shown), 0, 0)
        return Markup(part(body, (0, 0, SMALL_WIDTH, SMALL_HEIGHT)))  # noqa: S704

    def strip(self, strip: Strip, title: str) -> Markup:
        """Return the picture of a stream of cards, for wide and for narrow windows."""
        wide, narrow = (
            Markup(draw_strip(strip, title=title, width=width, sheet=self._sheet))  # noqa: S704
            for width in (720, 360)
        )
        return markup("strip.html", wide=wide, narrow=narrow)

    def grid(self, grid: Grid, title: str) -> Markup:
        """Return the picture of a table of marks."""
        return Markup(draw_grid(grid, title=title))  # noqa: S704

    def curve(self, curve: Curve, title: str) -> Markup:
        """Return the picture of a curve of shares by size."""
        return Markup(draw_curve(curve, title=title))  # noqa: S704

    def hands(
        self,
        table: Table,
        *,
        names: Sequence[str] = (),
        marks: Mapping[int, str] | None = None,
        acts: Acts = "viewer",
        first: int = 0,
    ) -> tuple[ShownHand, ...]:
        """Return all hands in the order of turns, with the actions that the seat to act can take.

        Parameters
        ----------
        first
            The seat whose hand comes first.
        acts
            Who can choose an action: the viewing seat, any seat on its turn, or nobody.
        """
        board = board_of(table, names=names, marks=marks)
        viewer = table.seat if isinstance(table, View) else -1
        legal = () if acts == "nobody" else table.legal_actions
        shown = []
        for seat, hand in enumerate(board.hands):
            clues = choices_of(table, [a for a in legal if a.is_hint and a.target == seat])
            is_mine = seat == table.seat_to_act and (acts == "anybody" or seat == viewer)
            size = len(hand.cards)
            cards = tuple(
                self._card(table, board, seat, size - 1 - place, face, legal, is_mine)
                for place, face in enumerate(hand.cards)
            )
            shown.append(ShownHand(seat, hand.name, seat == viewer, hand.is_to_act, cards, clues))
        return (*shown[first:], *shown[:first])

    def _card(
        self,
        table: Table,
        board: Board,
        seat: int,
        slot: int,
        face: CardFace,
        legal: Sequence[Action],
        is_mine: bool,
    ) -> ShownCard:
        name = card(self._sheet, board.suits, board.ranks, face)
        box = -_MARGIN, -_ABOVE, WIDTH + 2 * _MARGIN, HEIGHT + _ABOVE + _BELOW
        place = len(table.hands[seat]) - slot
        seen = table.hands[seat][slot]
        words = "hidden" if seen is None else card_name(seen, table.rules)
        told = f", clued {' '.join(face.hints)}" if face.hints else ""
        mine = {a.kind: Choice(a.code, str(a.kind)) for a in legal if is_mine and _is_of(a, slot)}
        clues: tuple[Choice, ...] = ()
        if seen is not None and seat != table.seat_to_act:
            given = [a for a in legal if a.is_hint and a.target == seat]
            clues = choices_of(table, [a for a in given if table.rules.touches(a, seen)])
        return ShownCard(
            table.hand_indices[seat][slot],
            place,
            Markup(part(use(name, 0, 0) + numbered(place, [0]), box)),  # noqa: S704
            f"card {place}{_PLACES.get(place - 1, '')}: {words}{told}",
            can_be(table, seat, slot),
            mine.get(Kind.PLAY),
            mine.get(Kind.DISCARD),
            clues,
        )


def _is_of(action: Action, slot: int) -> bool:
    return action.kind in (Kind.PLAY, Kind.DISCARD) and action.target == slot


def possible_cards(table: Table, seat: int, slot: int) -> list[Card]:
    """Return the cards that one can still be, by its hints and by what its owner sees."""
    known = table.knowledge[seat][slot]
    left = (
        table.unseen
        if isinstance(table, View) and table.hands[seat][slot] is None
        else table.rules.spec.counts()
    )
    return [possible for possible in sorted(left) if known.is_possible(possible)]


def can_be(table: Table, seat: int, slot: int) -> str:
    """Return in words what `possible_cards` returns, color by color."""
    by_color: dict[int, list[Card]] = {}
    for possible in possible_cards(table, seat, slot):
        by_color.setdefault(possible.color, []).append(possible)
    return "; ".join(
        " ".join(card_name(each, table.rules) for each in cards) for cards in by_color.values()
    )


def choices_of(table: Table, hints: Sequence[Action]) -> tuple[Choice, ...]:
    """Return hints as choices, with button labels and the numbers of cards they touch."""
    found = []
    for hint in hints:
        hand = table.hands[hint.target]
        number = sum(each is not None and table.rules.touches(hint, each) for each in hand)
        found.append(Choice(hint.code, hinted(hint, clue_colors(table.rules)), number))
    return tuple(found)


def name_action(table: Table, action: Action, names: Sequence[str]) -> str:
    """Return an action in words, without its subject."""
    if action.is_hint:
        (choice,) = choices_of(table, [action])
        cards = counted(choice.number, "card")
        return f"clue {names[action.target]}: {choice.words} ({cards})"
    if action.is_from_deck:
        return str(action)
    hand = table.hands[table.seat_to_act]
    seen = hand[action.target]
    what = "" if seen is None or not isinstance(table, Game) else f" {card_name(seen, table.rules)}"
    return f"{action.kind}{what} (card {len(hand) - action.target})"
