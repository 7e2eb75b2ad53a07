"""Round trips: what is written is read back the same; whatever is read never leaks an error."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.deck import Deck
from hanabi.rules.notation import (
    DeckInput,
    GameRecord,
    RecordedAction,
    SolitaireInput,
    deck_to_json,
    format_link,
    format_text,
    game_to_json,
    parse_input,
    parse_link,
    parse_play,
    parse_text,
    solitaire_to_json,
)
from hanabi.rules.notation.hanab_live import DEFAULT_NAMES
from hanabi.rules.variants import Variant, find_variant, variant_names

NUMBERS = st.integers(0, 2**31 - 1)
CARDS = st.lists(st.tuples(st.integers(0, 9), st.integers(1, 12)), min_size=1, max_size=40)


@st.composite
def limits(draw: st.DrawFn, cards: list[tuple[int, int]]) -> tuple[int | None, int | None]:
    n = draw(st.none() | st.integers(max(value for _, value in cards), 2**31 - 1))
    c = draw(st.none() | st.integers(max(color for color, _ in cards) + 1, 2**31 - 1))
    return n, c


@st.composite
def streams(draw: st.DrawFn) -> SolitaireInput:
    cards = draw(CARDS)
    n, c = draw(limits(cards))
    return SolitaireInput(Deck(cards), draw(st.none() | NUMBERS), n, c)


@st.composite
def decks(draw: st.DrawFn) -> DeckInput:
    cards = draw(CARDS)
    n, c = draw(limits(cards))
    return DeckInput(draw(st.integers(2, 6)), Deck(cards), n, c)


@st.composite
def actions(draw: st.DrawFn, players: int, cards: int, variant: Variant) -> RecordedAction:
    hints = (2,) * bool(variant.clue_colors) + (3,) * bool(variant.clue_ranks)
    kind = draw(st.sampled_from((*((0, 1) if cards else ()), *hints, 4, 5, 10)))
    if kind <= 1:
        target = draw(st.integers(0, min(cards, 62) - 1))
        return RecordedAction(kind, target, draw(st.none() | st.integers(0, 3)))
    values = variant.clue_ranks if kind == 3 else range(max(len(variant.clue_colors), 1))
    target = draw(st.integers(0, players - 1))
    return RecordedAction(kind, target, draw(st.sampled_from(values or (1,))))


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    variant = find_variant(draw(st.sampled_from(variant_names())))
    players = draw(st.integers(2, 6))
    deck = Deck(draw(st.lists(st.sampled_from(sorted(variant.spec.counts())))))
    return GameRecord(
        players=players,
        deck=deck,
        actions=tuple(draw(st.lists(actions(players, len(deck), variant)))),
        variant=variant.name,
        names=tuple(draw(st.lists(st.text(), min_size=players, max_size=players))),
        options=draw(st.fixed_dictionaries({}, optional={"emptyClues": st.booleans()})),
        notes=tuple(draw(st.lists(st.lists(st.text()).map(tuple), max_size=players))),
        id=draw(st.none() | NUMBERS),
        seed=draw(st.none() | st.text()),
        extra=draw(st.dictionaries(st.sampled_from(("characters", "x")), st.lists(st.booleans()))),
    )


@st.composite
def dealt(draw: st.DrawFn) -> GameRecord:
    variant = find_variant(draw(st.sampled_from(variant_names())))
    cards = st.sampled_from(sorted(variant.spec.counts()))
    deck = Deck(draw(st.lists(cards, min_size=1, max_size=70)))
    players = draw(st.integers(2, 6))
    return GameRecord(players, deck, variant=variant.name, names=DEFAULT_NAMES[:players])


@given(streams() | decks() | dealt())
def test_text_round_trip(value: SolitaireInput | DeckInput | GameRecord) -> None:
    assert parse_text(format_text(value)) == value
    assert parse_input(format_text(value)) == value


@given(streams())
def test_solitaire_json_round_trip(value: SolitaireInput) -> None:
    assert parse_input(json.dumps(solitaire_to_json(value), indent=1)) == value


@given(decks(), st.none() | st.text(min_size=1))
def test_deck_json_round_trip(value: DeckInput, rules: str | None) -> None:
    value = replace(value, rules=rules)
    assert parse_input(json.dumps(deck_to_json(value))) == value


@given(records())
def test_game_json_round_trip(record: GameRecord) -> None:
    again = parse_input(json.dumps(game_to_json(record)))
    assert again == replace(record, seed=None)
    assert pickle.loads(pickle.dumps(record)) == record


@given(records())
def test_link_round_trip(record: GameRecord) -> None:
    plain = replace(record, options={})
    again = parse_link(format_link(plain))
    assert again == GameRecord(
        players=record.players,
        deck=record.deck,
        actions=tuple(action for action in record.actions if not action.is_end),
        variant=record.variant,
        names=DEFAULT_NAMES[: record.players],
    )


@given(st.lists(st.tuples(st.integers(1, 99), st.sampled_from(("store", "discard", "play")))))
def test_play_round_trip(moves: list[tuple[int, str]]) -> None:
    assert parse_play(json.dumps(moves)) == tuple(moves)


WORDS = st.sampled_from(
    ["r1", "3", "12:7", "hand", "hand:", "=", "#", "\n", "players 3", "w2", "p2", "0", ":", ","]
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)
KEYS = ("hand_size", "cards", "n", "c", "players", "deck", "actions", "options", "variant", "id")
LINKS = st.text("215abcxyzAZ09,-#/").map("https://hanab.live/replay-json/{}".format)


@given(
    st.text()
    | st.lists(WORDS).map(" ".join)
    | LINKS
    | st.dictionaries(st.sampled_from(KEYS), JSON).map(json.dumps)
)
def test_any_input_is_read_or_refused_in_one_printable_line(text: str) -> None:
    message = refusal(text)
    if message is not None:
        assert message.isprintable()
        assert len(message) < 400


def refusal(text: str) -> str | None:
    """Return the message with which `text` is refused, or None if it is read."""
    try:
        value = parse_input(text, source="input")
    except InvalidInputError as error:
        return str(error)
    assert isinstance(value, SolitaireInput | DeckInput | GameRecord)
    return None
