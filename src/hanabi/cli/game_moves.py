"""The moves of a game in words, shared by `hanabi solve` and `hanabi show`."""

from __future__ import annotations

from dataclasses import dataclass

from hanabi.cards import COLOR_LETTERS, COLOR_NAMES, Card
from hanabi.cli.terminal import Piece, color_style
from hanabi.errors import counted
from hanabi.game import Action, EndReason, Game, Kind, rating
from hanabi.notation.hanab_live import DEFAULT_NAMES

__all__ = ["Table", "card_piece", "ending", "hinted", "moved_card", "pile_pieces"]

_ENDINGS = {
    EndReason.BOMBED: "the last life was lost",
    EndReason.COMPLETED: "every color is complete",
    EndReason.OUT_OF_TURNS: "everyone had a last turn",
    EndReason.STUCK: "no further point could be scored",
    EndReason.NO_ACTION: "the player to act could do nothing",
}


def card_piece(card: Card) -> Piece:
    """Return a card in its color.

    >>> card_piece(Card(0, 5))
    ('r5', 'red')
    """
    return str(card), color_style(card.color)


def ending(game: Game) -> str:
    """Return the points of a game, how the printed scale rates them, and why it ended."""
    top = game.rules.max_score
    # The printed scale is made for 25 points.
    word = f", {rating(game.score)}" if top == 25 and game.is_over else ""
    why = f": {_ENDINGS[game.end_reason]}" if game.is_over else " so far"
    return f"{game.score} of {counted(top, 'point')}{word}{why}"


@dataclass(frozen=True, slots=True)
class Table:
    """Who sits where; players without a name of their own are called as on hanab.live."""

    names: tuple[str, ...]

    def letter(self, seat: int) -> str:
        """Return the short name of a seat."""
        return DEFAULT_NAMES[seat][0]

    def name(self, seat: int) -> str:
        """Return a player's name, behind the letter unless it starts with it.

        >>> Table(("Alice", "Zoe")).name(0), Table(("Alice", "Zoe")).name(1)
        ('Alice', 'B Zoe')
        """
        name, letter = self.names[seat], self.letter(seat)
        return name if name.startswith(letter) else f"{letter} {name}"

    def cell(self, before: Game, action: Action, after: Game) -> tuple[str, str]:
        """Return a move in at most eight characters, if colors have letters, and its style."""
        if action.is_hint:
            return f"hint {self.letter(action.target)} {hinted(action, is_short=True)}", "dim"
        card = moved_card(before, action)
        if action.kind is Kind.DISCARD:
            return f"drop {card}", f"{color_style(card.color)} dim".strip()
        if after.piles == before.piles:
            return f"fail {card}", "bold reverse"
        verb = "deck" if action.kind is Kind.PLAY_DECK else "play"
        return f"{verb} {card}", f"{color_style(card.color)} bold".strip()

    def sentence(self, before: Game, action: Action, after: Game) -> list[Piece]:
        """Return a move as pieces of a sentence without its subject."""
        if action.is_hint:
            number = len(before.touched(action))
            cards = counted(number, "card") if number else "no card"
            return [
                (f"hints {self.names[action.target]}: ", ""),
                (hinted(action), color_style(action.value) if is_color(action) else "bold"),
                (f" ({cards})", ""),
            ]
        card = card_piece(moved_card(before, action))
        if action.kind is Kind.DISCARD:
            return [("discards ", ""), card]
        where = " from the deck" if action.kind is Kind.PLAY_DECK else ""
        if after.piles == before.piles:
            return [("misplays ", "bold red"), card, (f"{where}: a life is lost", "bold red")]
        return [("plays ", "bold"), card, (where, "")]


def is_color(action: Action) -> bool:
    """Whether an action hints a color."""
    return action.kind is Kind.HINT_COLOR


def hinted(action: Action, *, is_short: bool = False) -> str:
    """Return what is hinted: a rank, or a color's name or letter.

    >>> hinted(Action(Kind.HINT_COLOR, 1, 2)), hinted(Action(Kind.HINT_RANK, 1, 2))
    ('green', '2')
    """
    names = COLOR_LETTERS if is_short else COLOR_NAMES
    if is_color(action) and action.value < len(names):
        return names[action.value]
    return str(action.value)


def moved_card(before: Game, action: Action) -> Card:
    """Return the card that is played or discarded."""
    if action.kind is Kind.PLAY_DECK:
        return before.deck[-1]
    return before.hands[before.seat_to_act][action.target]


def pile_pieces(game: Game, *, is_compact: bool = False) -> list[Piece]:
    """Return the heights of the piles, complete ones in bold, empty ones as dots."""
    pieces: list[Piece] = []
    for color, height in enumerate(game.piles):
        top = len(game.rules.spec.copies[color])
        style = f"{color_style(color)} {'bold' if height == top else ''}".strip()
        pieces.append((str(height) if height else ".", style if height else "dim"))
        if not is_compact:
            pieces.append((" ", ""))
    return pieces if is_compact else pieces[:-1]
