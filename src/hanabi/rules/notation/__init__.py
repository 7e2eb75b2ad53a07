"""Readers and writers of decks, instances, plays and games: text, JSON, hanab.live's forms."""

from hanabi.rules.notation.files import lines_of, plain_text
from hanabi.rules.notation.hanab_live import game_to_json, options_that_change_play
from hanabi.rules.notation.json_forms import deck_to_json, parse_play, solitaire_to_json
from hanabi.rules.notation.links import format_link, parse_link
from hanabi.rules.notation.position import format_position, position_to_json
from hanabi.rules.notation.record import (
    DeckInput,
    GameRecord,
    PositionInput,
    RecordedAction,
    SolitaireInput,
    cards_per_player,
)
from hanabi.rules.notation.sniff import decode, is_dimacs, is_graph, parse_input
from hanabi.rules.notation.text import format_text, parse_text

__all__ = [
    "DeckInput",
    "GameRecord",
    "PositionInput",
    "RecordedAction",
    "SolitaireInput",
    "cards_per_player",
    "deck_to_json",
    "decode",
    "format_link",
    "format_position",
    "format_text",
    "game_to_json",
    "is_dimacs",
    "is_graph",
    "lines_of",
    "options_that_change_play",
    "parse_input",
    "parse_link",
    "parse_play",
    "parse_text",
    "plain_text",
    "position_to_json",
    "solitaire_to_json",
]
