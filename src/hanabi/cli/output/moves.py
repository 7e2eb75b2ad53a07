"""The moves of a game in colors and in the cells of tables; the words are the library's."""

from __future__ import annotations

from collections.abc import Sequence

from hanabi.cards import Card
from hanabi.cli.output.terminal import Piece, color_style
from hanabi.game import Game, telling
from hanabi.game.telling import Words, clue_colors, hinted, moved_card, outcome
from hanabi.notation.hanab_live import DEFAULT_NAMES
from hanabi.variants import Variant
from hanabi.variants.letters import letters_of

__all__ = ["card_piece", "cell", "pile_pieces", "sentence", "signed_name"]


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
    action = after.actions[-1]
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


def pile_pieces(game: Game, *, is_compact: bool = False) -> list[Piece]:
    """Return the heights of the piles, complete ones in bold, empty ones as dots."""
    pieces: list[Piece] = []
    for color, height in enumerate(game.piles):
        top = len(game.rules.orders(color)[0])
        style = f"{color_style(color)} {'bold' if height == top else ''}".strip()
        pieces.append((str(height) if height else ".", style if height else "dim"))
        if not is_compact:
            pieces.append((" ", ""))
    return pieces if is_compact else pieces[:-1]
