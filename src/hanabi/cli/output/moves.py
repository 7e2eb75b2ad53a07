"""The moves of a game in words, each told by the positions before and after it."""

from __future__ import annotations

from collections.abc import Sequence

from hanabi.cards import COLOR_NAMES, Card
from hanabi.cli.output.terminal import Piece, color_style
from hanabi.errors import counted
from hanabi.game import Action, EndReason, Game, Kind, rating
from hanabi.notation.hanab_live import DEFAULT_NAMES
from hanabi.variants import Variant
from hanabi.variants.letters import letters_of

__all__ = ["card_piece", "cell", "ending", "pile_pieces", "sentence", "signed_name", "told"]

_ENDINGS = {
    EndReason.BOMBED: "the last life was lost",
    EndReason.COMPLETED: "every color is complete",
    EndReason.OUT_OF_TURNS: "everyone had a last turn",
    EndReason.STUCK: "no further point could be scored",
    EndReason.NO_ACTION: "the player to act could do nothing",
}


def card_piece(card: Card, variant: Variant | None = None) -> Piece:
    """Return a card in its color, by the letters of the variant if there is one.

    >>> card_piece(Card(0, 5))
    ('r5', 'red')
    """
    text = str(card) if variant is None else variant.format_card(*card)
    return text, color_style(card.color)


def ending(game: Game) -> str:
    """Return the points of a game, how the printed scale rates them, and why it ended."""
    top = game.rules.max_score
    # The printed scale is made for 25 points.
    word = f", {rating(game.score)}" if top == 25 and game.is_over else ""
    why = f": {_ENDINGS[game.end_reason]}" if game.is_over else " so far"
    return f"{game.score} of {counted(top, 'point')}{word}{why}"


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
        names = letters_of(_clue_colors(before))
        return f"hint {DEFAULT_NAMES[action.target][0]} {_hinted(action, names)}", "dim"
    card, style = card_piece(_moved_card(before, action), before.rules.variant)
    if action.kind is Kind.DISCARD:
        return f"drop {card}", f"{style} dim".strip()
    if after.piles == before.piles:
        return f"fail {card}", "bold reverse"
    verb = "deck" if action.kind is Kind.PLAY_DECK else "play"
    return f"{verb} {card}", f"{style} bold".strip()


def sentence(names: Sequence[str], before: Game, after: Game) -> list[Piece]:
    """Return a move as pieces of a sentence without its subject."""
    action = after.actions[-1]
    if action.is_hint:
        number = len(before.touched(action))
        cards = counted(number, "card") if number else "no card"
        style = color_style(action.value) if action.kind is Kind.HINT_COLOR else "bold"
        hint = (_hinted(action, _clue_colors(before)), style)
        return [(f"hints {names[action.target]}: ", ""), hint, (f" ({cards})", "")]
    card = card_piece(_moved_card(before, action), before.rules.variant)
    if action.kind is Kind.DISCARD:
        return [("discards ", ""), card]
    where = " from the deck" if action.kind is Kind.PLAY_DECK else ""
    if after.piles == before.piles:
        return [("misplays ", "bold red"), card, (f"{where}: a life is lost", "bold red")]
    return [("plays ", "bold"), card, (where, "")]


def told(names: Sequence[str], before: Game, after: Game) -> str:
    """Return what `sentence` does, without styles."""
    return "".join(text for text, _ in sentence(names, before, after))


def _clue_colors(game: Game) -> tuple[str, ...]:
    variant = game.rules.variant
    return COLOR_NAMES if variant is None else tuple(map(str.lower, variant.clue_colors))


def _hinted(action: Action, names: Sequence[str]) -> str:
    is_named = action.kind is Kind.HINT_COLOR and action.value < len(names)
    return names[action.value] if is_named else str(action.value)


def _moved_card(before: Game, action: Action) -> Card:
    if action.kind is Kind.PLAY_DECK:
        return before.deck[-1]
    return before.hands[before.seat_to_act][action.target]


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
