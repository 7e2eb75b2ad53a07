"""Pictures of tables: well-formed for every variant, the same for all hidden cards, small."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.ground.rng import Stream
from hanabi.ground.svg.board import Layout, draw_board, draw_parts
from hanabi.ground.svg.looks import SHAPES, contrast, looks_of
from hanabi.ground.svg.markup import STYLE, Sheet
from hanabi.ground.svg.records import Board
from hanabi.rules import Game, Rules, discard, hint_rank, play, telling
from hanabi.rules.deck import DeckSpec
from hanabi.rules.notation import parse_input
from hanabi.rules.picture import backs_of, board_of, looks_of_rules
from hanabi.rules.replay import follow, replay
from hanabi.rules.table import rating
from hanabi.rules.telling import hints_in_hands
from hanabi.rules.variants import find_variant, variant_names
from pictures import SVG, checked

GAMES = Path(__file__).parents[3] / "data" / "hanab_live" / "games"


def played(rules: Rules, seed: int, moves: int) -> Game:
    """Return a game after random legal moves."""
    game, rng = Game.start(rules, rules.spec.shuffle(seed=seed)), Stream(seed)
    for _ in range(moves):
        if not game.is_over:
            legal = game.legal_actions
            game = game.apply(legal[rng.word() % len(legal)])
    return game


@pytest.mark.parametrize("first", range(0, 2426, 100))
def test_boards_of_every_variant_are_well_formed(first: int) -> None:
    for number, name in enumerate(variant_names()[first : first + 100], start=first):
        rules = Rules.hanab_live(2 + number % 5, variant=name)
        game = played(rules, seed=number, moves=12)
        table = game.view(number % rules.seats) if number % 2 else game
        checked(draw_board(board_of(table), layout="wide" if number % 3 else "narrow"))


@pytest.mark.parametrize("why", telling._ENDINGS.values())
def test_heads_are_shown_whole(why: str) -> None:
    board = board_of(played(Rules.hanab_live(2), 1, 9))
    last = "Alice clues Bob: purple (5 cards)"
    for score in range(26):
        status = f"{score} of 25 points, {rating(score)}: {why}"
        root = checked(draw_board(replace(board, turn=100, status=status, last=last)))
        texts = [(each.get("class"), each.text or "") for each in root.findall(SVG + "text")]
        head = [words for kind, words in texts[:2] if kind == "hb-b"]
        assert " ".join(head) == f"Turn 101: {status}"
        assert texts[len(head)] == (None, last)


def test_suits_of_a_variant_differ_in_letter_and_shape_and_have_colors() -> None:
    suits = {tuple(suit.name for suit in find_variant(name).suits) for name in variant_names()}
    for names in suits:
        looks = looks_of(names, tuple(find_letters(names)))
        for one, other in combinations(looks, 2):
            assert one.letter != other.letter
            assert one.shape != other.shape
            assert one.colors != other.colors


def find_letters(names: tuple[str, ...]) -> str:
    from hanabi.rules.variants.variant import letters_of

    return letters_of(names)


def test_words_on_cards_can_be_read() -> None:
    names = {suit.name for name in variant_names() for suit in find_variant(name).suits}
    for name in names:
        (look,) = looks_of((name,), ("x",))
        if len(look.colors) == 1:  # stripes have a white plate under black words
            assert contrast(look.ink, look.colors[0]) >= 4.5, name


def _sheet_colors() -> list[dict[str, str]]:
    light, dark = STYLE.split("@media")[0], STYLE.split("@media")[1]
    return [
        dict(re.findall(r"--hb-([\w-]+): var\(--hanabi-[\w-]+, (#\w{6})\)", part))
        for part in (light, dark)
    ]


@pytest.mark.parametrize(
    ("colors", "page"), list(zip(_sheet_colors(), ("#ffffff", "#16161a"), strict=True))
)
def test_the_style_sheet_has_enough_contrast(colors: dict[str, str], page: str) -> None:
    for ground in (page, colors["plate"], colors["back"]):
        assert contrast(colors["ink"], ground) >= 4.5
    for words in ("dim", "bad", "good", "note", "touch"):
        assert contrast(colors[words], page) >= 4.5
    for badge in ("note", "good", "bad"):
        assert contrast(colors[badge], colors["on-mark"]) >= 4.5


@pytest.mark.parametrize("variant", ["No Variant", "Rainbow (6 Suits)", "Sudoku (5 Suits)"])
def test_a_view_draws_nothing_of_hidden_cards(variant: str) -> None:
    rules = Rules.hanab_live(3, variant=variant)
    for seed in range(5):
        game = played(rules, seed, moves=9)
        seat = seed % 3
        hidden = [
            *game.hand_indices[seat],
            *range(rules.deck_size - game.deck_left, rules.deck_size),
        ]
        known = game.knowledge[seat]
        deck, rng = list(game.deck), Stream(seed)
        for _ in range(200):  # exchange hidden cards as long as all hints stay true
            one, other = (hidden[rng.word() % len(hidden)] for _ in range(2))
            deck[one], deck[other] = deck[other], deck[one]
            hand = [deck[index] for index in game.hand_indices[seat]]
            if not all(k.is_possible(card) for k, card in zip(known, hand, strict=True)):
                deck[one], deck[other] = deck[other], deck[one]
        scrambled = follow(Game.start(rules, deck), game.actions)[-1]
        assert scrambled.deck != game.deck
        pictures = {draw_board(board_of(each.view(seat))) for each in (game, scrambled)}
        assert len(pictures) == 1


def test_names_are_escaped_and_cut() -> None:
    rules = Rules.hanab_live(2)
    game = played(rules, seed=1, moves=0).apply(hint_rank(1, 3))
    for name in ("<script>alert(1)</script>", "\"&'", "]]>", "\x00\x07", "W" * 500, "漢" * 90):
        svg = draw_board(board_of(game, names=(name, name)))
        shown = [each.text or "" for each in checked(svg).iter(SVG + "text")]
        assert "<script>" not in svg
        assert max(map(len, shown)) <= 51


@pytest.mark.parametrize("layout", ["narrow", "wide"])
def test_text_stays_in_the_picture(layout: Layout) -> None:
    root = checked(draw_board(board_of(played(Rules.hanab_live(6), 3, 20)), layout=layout))
    width = float((root.get("viewBox") or "").split()[2])
    assert width == {"narrow": 360, "wide": 720}[layout]
    sizes = [float(size) for size in re.findall(r"font-size: ([\d.]+)px", STYLE)]
    assert min(sizes) >= 11


def test_games_with_other_decks_are_drawn() -> None:
    many = Rules(spec=DeckSpec.uniform(colors=30, ranks=30, copies=3), seats=6, hand_size=9)
    alone = Rules.official(1)
    for rules in (many, alone, Rules.multicolor(4), Rules.bergh2016()):
        checked(draw_board(board_of(played(rules, 1, 15))))


def test_a_real_game_stays_small_with_a_shared_sheet() -> None:
    record = parse_input((GAMES / "2906.json").read_text("utf-8"))
    games, sheet = replay(record), Sheet()  # type: ignore[arg-type]
    boards = [
        draw_board(board_of(game, names=record.names, before=before), sheet=sheet)  # type: ignore[union-attr]
        for before, game in zip((None, *games), games, strict=False)
    ]
    assert len(boards) == 56
    assert all("<defs>" not in board for board in boards)
    assert sum(map(len, boards)) + len(sheet.svg) < 300_000
    again = [draw_board(board_of(game, names=record.names)) for game in games[:3]]  # type: ignore[union-attr]
    assert again == [draw_board(board_of(g, names=record.names)) for g in games[:3]]  # type: ignore[union-attr]


@settings(max_examples=60)
@given(st.integers(0, 2425), st.integers(0, 10**6))
def test_hints_in_hands_are_those_that_touched_cards(number: int, seed: int) -> None:
    game = played(Rules.hanab_live(3, variant=number), seed, moves=25)
    games = follow(Game.start(game.rules, game.deck), game.actions)
    touched: dict[int, list[object]] = {}
    for before, after in pairwise(games):
        action = after.actions[-1]
        if action.is_hint:
            hand = before.hand_indices[action.target]
            for slot in before.touched(action):
                told = touched.setdefault(hand[slot], [])
                told += [] if action in told else [action]
    expected = tuple(
        tuple(tuple(touched.get(index, ())) for index in hand) for hand in game.hand_indices
    )
    assert hints_in_hands(game) == expected


def test_marks_and_figures_are_shown() -> None:
    game = played(Rules.hanab_live(2), seed=1, moves=0)
    board = board_of(game, marks={game.hand_indices[0][0]: "play"}, best=24, names=("Ann", "Ben"))
    assert isinstance(board, Board)
    assert board.hands[0].cards[-1].mark == "play"
    root = checked(draw_board(board, title="A deal"))
    assert root[0].text == "A deal"
    assert "at most 24" in (root[1].text or "")
    assert [look.shape for look in looks_of_rules(game.rules)] == list(
        dict.fromkeys(look.shape for look in board.suits)
    )
    assert {look.shape for look in board.suits} <= set(SHAPES)


@settings(max_examples=30)
@given(st.integers(0, 2425), st.integers(0, 10**6))
def test_cards_are_lost_when_every_copy_is_discarded(number: int, seed: int) -> None:
    game = played(Rules.hanab_live(2, variant=number), seed, moves=30)
    copies, gone = game.rules.spec.counts(), Counter(game.discards)
    expected = [
        gone[card] == copies[card] and card.rank not in game.pile_ranks[card.color]
        for card in game.discards
    ]
    assert [each.is_lost for each in board_of(game).discards] == expected


@settings(max_examples=30)
@given(st.integers(0, 2425), st.integers(0, 10**6))
def test_cards_are_dead_or_critical_as_their_copies_say(number: int, seed: int) -> None:
    game = played(Rules.hanab_live(3, variant=number), seed, moves=30)
    board, counts = board_of(game), game.rules.spec.counts()
    for hand, picture in zip(game.hands, board.hands, strict=True):
        for card, face in zip(reversed(hand), picture.cards, strict=True):
            left = counts[card] - game.discards.count(card)
            if face.worth == "critical":
                assert left == 1
                assert card.rank not in game.pile_ranks[card.color]
            elif face.worth == "":
                assert left > 1
            else:  # no line of plays can take it: a pile that skips it, or a gone card below
                assert game.is_dead(card)


def test_the_last_action_is_marked_on_its_cards() -> None:
    start = played(Rules.hanab_live(2), seed=1, moves=0)
    clued = start.apply(hint_rank(1, 3))
    faces = board_of(clued).hands[1].cards
    assert [face.arrow for face in faces] == ["", "", "", "3", "3"]
    assert [face.arrow for face in board_of(clued.view(1)).hands[1].cards] == ["", "", "", "3", "3"]
    assert "just clued 3" in draw_board(board_of(clued))
    for action, how in ((play(0), "error"), (discard(0), "discard")):
        game = clued.apply(action) if how == "discard" else start.apply(action)
        seat = game.seat_to_act - 1
        card = (clued if how == "discard" else start).hands[seat][0]
        assert board_of(game).moved == (card.color, str(card.rank), how)
        assert not any(face.arrow for hand in board_of(game).hands for face in hand.cards)


def test_a_board_in_parts_names_its_cards_and_their_backs() -> None:
    game = played(Rules.hanab_live(3), seed=3, moves=20)
    board, sheet = board_of(game), Sheet()
    backs = backs_of(game)
    assert backs == tuple(board_of(game.view(seat)).hands[seat].cards for seat in range(3))
    parts = draw_parts(board, sheet=sheet, backs=backs)
    names = set(re.findall(r'id="(\w+)"', sheet.defs))
    for hand, picture in zip(board.hands, parts.hands, strict=True):
        fronts = re.findall(r'<use href="#(\w+)"', picture)
        data = dict(re.findall(r' data-(\w+)="([^"]*)"', picture))
        shown = data["backs"].split()
        assert data["cards"] == " ".join(map(str, hand.places))
        assert len(fronts) == len(shown) == len(hand.cards)
        assert {*fronts, *shown} <= names
    assert "data-backs" not in draw_parts(board, sheet=sheet).hands[0]
