"""The moves of a game in colors and in tables, in the words of the library."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from textwrap import wrap

from hanabi.ground import counted
from hanabi.rules import (
    COLOR_LETTERS,
    DEFAULT_NAMES,
    Card,
    Game,
    GameProblem,
    Rules,
    Table,
    Variant,
    Words,
    clue_colors,
    hinted,
    letters_of,
    link_note,
    moved_card,
    outcome,
    parse_link,
    rules_of,
    telling,
)
from hanabi.shell.command.terminal import Piece, Screen, color_style, complain, plain_width

__all__ = [
    "card_piece",
    "cell",
    "pile_pieces",
    "print_link",
    "sentence",
    "show_line",
    "show_positions",
    "signed_name",
]


def card_piece(card: Card, variant: Variant | None = None) -> Piece:
    """Return a card in its color, by the letters of the variant if there is one.

    >>> card_piece(Card(0, 5))
    ('r5', 'red')
    """
    text = str(card) if variant is None else variant.format_card(*card)
    return text, color_style(card.color)


def signed_name(names: Sequence[str], seat: int) -> str:
    """Return a player's name, behind the letter of the seat unless it starts with it.

    >>> signed_name(("Alice", "Zoe"), 0), signed_name(("Alice", "Zoe"), 1)
    ('Alice', 'B Zoe')
    """
    name, letter = names[seat], DEFAULT_NAMES[seat][0]
    return name if name.startswith(letter) else f"{letter} {name}"


def cell(before: Game, after: Game) -> Piece:
    """Return a move in at most eight characters, if colors have letters."""
    action = after.known_actions[-1]
    if action.is_hint:
        names = letters_of(clue_colors(before.rules))
        return f"hint {DEFAULT_NAMES[action.target][0]} {hinted(action, names)}", "dim"
    card, style = card_piece(moved_card(before, after), before.rules.variant)
    what = outcome(before, after)
    if what == "discard":
        return f"drop {card}", f"{style} dim".strip()
    if what == "misplay":
        return f"fail {card}", "bold reverse"
    verb = "deck" if action.is_from_deck else "play"
    return f"{verb} {card}", f"{style} bold".strip()


def sentence(names: Sequence[str], before: Game, after: Game) -> list[Piece]:
    """Return a move as pieces of a sentence without its subject."""
    return [(words.text, _style(words)) for words in telling.sentence(names, before, after)]


def _style(words: Words) -> str:
    if words.color is not None:
        return color_style(words.color)
    return {"verb": "bold", "hint": "bold", "error": "bold red"}.get(words.role, "")


def pile_pieces(game: Table, *, is_compact: bool = False) -> list[Piece]:
    """Return the heights of the piles, complete ones in bold, empty ones as dots."""
    pieces: list[Piece] = []
    for color, height in enumerate(game.piles):
        top = len(game.rules.orders(color)[0])
        style = f"{color_style(color)} {'bold' if height == top else ''}".strip()
        pieces.append((str(height) if height else ".", style if height else "dim"))
        if not is_compact:
            pieces.append((" ", ""))
    return pieces if is_compact else pieces[:-1]


# A line of the full game as a table: one row a round, one column a player.

_HEAD = "dim"
_TURN, _HINTS, _DECK = 6, 5, 4
_CELL, _WIDEST_CELL = 8, 14


def show_line(screen: Screen, names: Sequence[str], games: Sequence[Game]) -> None:
    """Write the moves between successive positions, within 80 columns up to 6 players."""
    seats = games[0].rules.seats
    width, is_compact = _fit(games[0], screen.width)
    screen.line(*_head(names, games[0].rules, width, is_compact=is_compact))
    row: list[tuple[Game, Game]] = []
    for before, after in pairwise(games):
        row.append((before, after))
        if before.seat_to_act == seats - 1 or after is games[-1]:
            screen.line(*_row(row, width, is_compact=is_compact))
            row = []


def _fit(game: Game, width: int) -> tuple[int, bool]:
    """Return the width of a cell, and whether piles are printed without blanks."""
    seats, colors = game.rules.seats, game.rules.colors
    left = width - (_TURN + _HINTS + 1 + _DECK + 2)
    for is_compact in (False, True):
        piles = colors if is_compact else 2 * colors - 1
        cell_width = min((left - piles) // seats, _WIDEST_CELL)
        if cell_width > _CELL:
            break
    return max(cell_width, _CELL + 1), is_compact


def _head(names: Sequence[str], rules: Rules, width: int, *, is_compact: bool) -> list[Piece]:
    signed = (signed_name(names, seat)[: width - 1] for seat in range(len(names)))
    text = "".join(f"{name:{width}}" for name in signed)
    pieces: list[Piece] = [(f"{'turn':>{_TURN - 2}}  {text}hints deck  ", _HEAD)]
    letters = COLOR_LETTERS if rules.colors <= len(COLOR_LETTERS) else "." * rules.colors
    if rules.variant is not None:
        letters = rules.variant.letters
    for color in range(rules.colors):
        pieces += [(letters[color], color_style(color)), ("" if is_compact else " ", "")]
    return pieces


def _row(steps: Sequence[tuple[Game, Game]], width: int, *, is_compact: bool) -> list[Piece]:
    first, last = steps[0][0], steps[-1][1]
    pieces: list[Piece] = [(f"{first.turn + 1:>{_TURN - 2}}  ", _HEAD)]
    pieces.append((" " * (width * first.seat_to_act), ""))
    for before, after in steps:
        text, style = cell(before, after)
        pieces += [(text, style), (" " * (width - len(text)), "")]
    seats_left = first.rules.seats - first.seat_to_act - len(steps)
    pieces.append((" " * (width * seats_left), ""))
    pieces.append((f"{last.hints:>{_HINTS - 1}}  {last.deck_left:>{_DECK - 1}}   ", ""))
    return pieces + pile_pieces(last, is_compact=is_compact)


# The positions of a game, one after the other: hands, piles and tokens after every move.

_SLOT = 5
_NAME = 12
_INDENT = " " * 9  # below the name in a headline


def show_positions(
    screen: Screen, problem: GameProblem, first: int, last: int, reasons: Sequence[str | None] = ()
) -> None:
    """Write the existing positions from `first` to `last`; 0 is the deal.

    Hands begin with the newest card, and cards that the last hint touched are in brackets.
    `reasons` are the players' own, move by move; None for a move without one.
    """
    for index in range(first, min(last + 1, len(problem.positions))):
        screen.line()
        screen.line(*_headline(problem, index))
        reason = reasons[index - 1] if 0 < index <= len(reasons) else None
        for text in wrap(reason or "", screen.width - len(_INDENT)):
            screen.line((f"{_INDENT}{text}", _HEAD))
        for line in _rows(problem, index):
            screen.line(*line)
        if index == problem.recorded.over_at:
            end = problem.positions[index].end_reason
            screen.line((f"  here the rules of today end the game: {end}", "bold"))


def _headline(problem: GameProblem, index: int) -> list[Piece]:
    if index == 0:
        return [("the deal" if problem.has_history else "the position", "bold")]
    before, after = problem.positions[index - 1], problem.positions[index]
    seat = before.seat_to_act
    pieces = [(f"turn {index:<3} ", _HEAD), (f"{problem.names[seat]} ", "bold")]
    pieces += sentence(problem.names, before, after)
    top = after.rules.deck_size - before.deck_left
    if top in after.hand_indices[seat]:
        pieces += [(", draws ", _HEAD), card_piece(after.deck[top], after.rules.variant)]
    return pieces


def _rows(problem: GameProblem, index: int) -> Iterator[list[Piece]]:
    """Yield a line for each hand, with the piles and tokens beside the first ones."""
    game: Table = problem.positions[index]
    if problem.hidden is not None:
        game = problem.positions[index].view(problem.hidden)
    touched: tuple[int, ...] = ()
    target = -1
    if index and game.known_actions[-1].is_hint:
        hint = game.known_actions[-1]
        target, touched = hint.target, problem.positions[index - 1].touched(hint)
    beside = list(_beside(game))
    for row in range(max(game.rules.seats, len(beside))):
        pieces: list[Piece] = []
        if row < game.rules.seats:
            pieces = _hand(problem.names[row], game, row, touched if row == target else ())
        width = _NAME + _SLOT * game.rules.hand_size + 4
        if row < len(beside):
            pieces = [*pieces, (" " * (width - plain_width(pieces)), ""), *beside[row]]
        yield pieces
    if game.discards:
        yield [(f"  {'discards':{_NAME - 2}}", _HEAD), *_discards(game)]


def _discards(game: Table) -> Iterator[Piece]:
    """Yield the discards suit by suit, as in r113: there may be too many for a line of cards."""
    before = -1
    for card in sorted(game.discards):
        text, style = card_piece(card, game.rules.variant)
        if card.color == before:
            text = text.removeprefix(text.rstrip("0123456789S"))
        elif before >= 0:
            yield " ", ""
        yield text, style
        before = card.color


def _hand(name: str, game: Table, seat: int, touched: tuple[int, ...]) -> list[Piece]:
    acts = seat == game.seat_to_act and not game.is_over
    head = f"{name[: _NAME - 3]:{_NAME - 2}}"
    pieces: list[Piece] = [("> " if acts else "  ", "bold"), (head, _HEAD)]
    hand = enumerate(zip(game.hands[seat], game.knowledge[seat], strict=True))
    for slot, (card, known) in reversed([*hand]):
        text, style = ("??", "dim") if card is None else card_piece(card, game.rules.variant)
        is_hinted = len(known.colors) == 1 or len(known.ranks) == 1
        style = f"{style} {'underline' if is_hinted else ''}".strip()
        opened, closed = "[]" if slot in touched else "  "
        pieces += [(opened, "bold"), (text, style), (f"{closed:{_SLOT - 1 - len(text)}}", "bold")]
    return pieces


def _beside(game: Table) -> Iterator[list[Piece]]:
    yield [("piles ", _HEAD), *pile_pieces(game)]
    deck = (f"deck {game.deck_left}", _HEAD)
    if game.turns_left is not None:
        deck = (f"{counted(game.turns_left, 'turn')} left", "bold")
    yield [
        ("hints ", _HEAD),
        (f"{game.hints:<3}", ""),
        ("lives ", _HEAD),
        (f"{max(game.lives, 0):<3}", "" if game.lives == game.rules.lives else "bold red"),
        deck,
    ]


# Replay links alone on standard output, with notes about them on standard error.


def print_link(link: str, rules: Rules) -> None:
    """Write a replay link of a game by these rules; notes say how the site shows it.

    >>> print_link("https://hanab.live/replay-json/215lw,00,0", Rules.hanab_live(2))
    https://hanab.live/replay-json/215lw,00,0
    """
    sys.stdout.write(link + "\n")
    sys.stdout.flush()  # before the notes
    record = parse_link(link)
    carried = [name for name, value in record.options.items() if value]
    if carried:
        complain(
            f"note: the site opens this link without {', '.join(carried)}; this program reads what"
            " is behind the question mark"
        )
    if rules_of(record) != rules:
        complain(
            "note: a link has no place for the rules of this game: it opens under hanab.live's"
        )
    if note := link_note(link):
        complain(f"note: {note}")
