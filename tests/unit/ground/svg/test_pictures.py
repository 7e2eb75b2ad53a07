"""Streams, plays, lines, scores and partitions as pictures."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi import deal, partition, review, solve
from hanabi.ground.svg.board import draw_solitaire
from hanabi.ground.svg.charts import draw_grid, draw_scores
from hanabi.ground.svg.looks import looks_of
from hanabi.ground.svg.markup import Pictured, Sheet, fitted, number, wrapped
from hanabi.ground.svg.records import Scores, SmallCard, Strip, StripGroup
from hanabi.ground.svg.strip import draw_strip
from hanabi.rules import Game, Rules, discard, hint_rank, play
from hanabi.rules.deck import DeckSpec
from hanabi.rules.picture import strip_of_line
from hanabi.rules.replay import follow
from hanabi.solitaire import Instance, Play
from hanabi.solitaire.picture import boards_of, strip_of, strip_of_play
from hanabi.solitaire.play import n_played
from hanabi.solvers.hints import PossibilityTable, find_partition
from hanabi.solvers.hints.picture import grid_of
from pictures import SVG, checked


@settings(max_examples=40)
@given(st.integers(1, 4), st.integers(2, 9), st.integers(0, 3), st.integers(0, 10**6))
def test_boards_of_a_play_follow_its_rules(c: int, n: int, hand: int, seed: int) -> None:
    deck = DeckSpec.uniform(colors=c, ranks=n, copies=2).shuffle(seed=seed)
    instance = Instance(hand, deck)
    moves = [(at, "play" if at % 2 else "discard") for at in range(1, instance.N + 1) if not at % 2]
    full = [(at, "discard") for at in range(1, instance.N + 1)]
    assert moves
    witness = solve(instance, seconds=600).play or Play(full)
    boards = list(boards_of(instance, witness))
    assert [board.move for board in boards] == list(range(len(witness) + 1))
    for at, board in enumerate(boards):
        part = Play(witness[:at])
        assert board.played == n_played(instance, part)
        assert board.held <= hand
        assert board.drawn == max((move.position for move in part), default=0)
        tops = sum(int(card.rank or 0) for card in board.piles)
        assert tops == board.played
    heights = {
        checked(draw_solitaire(board)).get("viewBox")
        for board in boards[:: max(1, len(boards) // 3)]
    }
    assert len(heights) == 1


def test_wide_and_long_streams_are_cut() -> None:
    instance = Instance(60, [(color, 1) for color in range(300)])
    play_all = Play([(at, "store") for at in range(1, 61)] + [(1, "play")])
    boards = list(boards_of(instance, play_all))
    checked(draw_solitaire(boards[-1]))
    assert boards[-2].hidden_hand == 60 - len(boards[-2].hand) > 0
    assert boards[-1].hidden_piles == 300 - len(boards[-1].piles) > 0
    assert len(strip_of(instance, first=5, last=20).groups[0].cards) == 16
    assert len(strip_of_play(instance, play_all, most=7).groups[0].cards) == 7


def test_a_line_tells_plays_discards_hints_and_errors() -> None:
    rules = Rules.hanab_live(2)
    deck = [*rules.spec.shuffle(seed=1)]
    game = Game.start(rules, deck)
    hand = game.hands[1]
    wrong = next(slot for slot, card in enumerate(hand) if card.rank > 1)
    games = follow(game, [hint_rank(1, hand[0].rank), play(wrong), discard(0)])
    cards = strip_of_line(games, ("Ann", "Ben")).groups[0].cards
    assert [card.verb for card in cards] == ["hint B", "misplay", "discard"]
    assert [card.number for card in cards] == ["1 A", "2 B", "3 A"]
    assert [card.rank for card in cards[1:]] == [str(hand[wrong].rank), str(game.hands[0][0].rank)]
    views = strip_of_line([each.view(0) for each in games], ("Ann", "Ben")).groups[0].cards
    assert views == cards
    checked(draw_strip(strip_of_line(games), title="A line"))


@pytest.mark.parametrize("width", [300, 360, 900])
def test_strips_stay_within_their_width(width: int) -> None:
    (look,) = looks_of(("Red",), "r")
    card = SmallCard(look=look, rank="1", verb="discard", number="100 A")
    groups = tuple(StripGroup(title="Name of a group", cards=(card,) * n) for n in (1, 40, 3))
    strip = Strip(groups=groups, legend=(look,) * 30, words="Cards.")
    root = checked(draw_strip(strip, title="Cards", width=width))
    _, _, right, bottom = (float(each) for each in (root.get("viewBox") or "").split())
    assert right == width
    for each in root.findall(SVG + "use"):
        assert float(each.get("x", 0)) + 28 <= width
        assert float(each.get("y", 0)) + 44 <= bottom


def test_scores_mark_what_was_lost() -> None:
    scores = Scores(
        bounds=((25, 25), (24, 25), (22, 22)), top=25, lost=((1, 1), (2, 2)), errors=(2,)
    )
    root = checked(draw_scores(scores, link="#move-{}"))
    assert root.get("role") == "group"
    links = list(root.iter(SVG + "a"))
    assert [link.get("href") for link in links] == ["#move-0", "#move-1", "#move-2"]
    assert [link.get("tabindex") for link in links] == ["-1", None, None]
    texts = [each.text for each in root.iter(SVG + "text")]
    assert {"-1", "-2", "×"} <= {*texts}
    assert "move 2 lost 2" in (root[1].text or "")
    assert not list(checked(draw_scores(scores)).iter(SVG + "a"))


def test_a_partition_is_drawn_with_every_possible_touch() -> None:
    table = PossibilityTable.plain(5, [[0, 1, 2, 3], [1, 2], [2, 3], [0]])
    found = find_partition(table)
    svg = draw_grid(grid_of(found, table), title="Hints")
    checked(svg)
    assert svg.count("hb-mark") == sum(len(row) for row in table.rows)
    many = PossibilityTable.plain(40, [[n] for n in range(40)])
    checked(draw_grid(grid_of(find_partition(many), many), title="<&>"))


def test_notebooks_show_pictures() -> None:
    game = deal(3, seed=7)
    line = solve(game)
    moved = game.apply(game.legal_actions[-1])
    shown: list[Pictured] = [
        game,
        game.view(1),
        Instance(1, [(0, 2), (0, 1)]),
        Instance(0, []),
        Play([(1, "store")]),
        line,
        solve("hand 1  r2 r1 y1 y2"),
        solve("hand 0  r2 r1"),
        solve("p cnf 3 1\n1 -2 3 0\n"),
        solve("players 2  r3 r2 r1 y3 y2 y1 r3 r3 y3 r2 y1 y1"),
        review(moved),
        partition(game),
    ]
    for each in shown:
        svg = each._repr_svg_()
        checked(svg)
        assert "<style>" in svg


def test_equal_names_of_definitions_are_made_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    from hanabi.ground.svg import markup

    class Digest:
        def __init__(self, data: bytes) -> None:
            self.data = data

        def hexdigest(self) -> str:
            return "0000000" + self.data.hex() + "0" * 128

    monkeypatch.setattr(markup, "blake2b", Digest)
    sheet = Sheet()
    names = [sheet.add(f"<path d='M{n} 0'/>") for n in (1, 2, 3)]
    assert len({*names}) == 3
    assert names[0] == sheet.add("<path d='M1 0'/>")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (-0.5, "-.5"), (0.004, "0"), (10.0, "10"), (100.256, "100.26"), (0.1, ".1")],
)
def test_numbers_are_short(value: float, shown: str) -> None:
    assert number(value) == shown


def test_words_are_cut_by_their_width() -> None:
    assert fitted("漢字漢字", 5) == "漢字…"
    assert wrapped("one two three four", 9, 2) == ["one two", "three fo…"]
    assert wrapped("", 9, 2) == []
