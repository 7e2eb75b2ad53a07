"""`hanabi view` writes pages that hold everything, for every input that it takes."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

import hanabi
from hanabi.rules import Game, Rules
from pictures import Page, checked_page

from ...conftest import Run

DATA = Path(__file__).parents[3] / "data"
GAMES = DATA / "hanab_live" / "games"
GAME = GAMES / "2906.json"
LOST = GAMES / "1888951.json"


def viewed(run: Run, *words: object, to: Path) -> Page:
    """Return the page that the command writes."""
    outcome = run("view", *words, "-o", to)
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "")
    return checked_page(to.read_text("utf-8"))


def steps(page: Page) -> list[str]:
    """Return the words of the steps of the game."""
    return [
        str(each["data-words"])
        for each in page.all("figure")
        if str(each["id"]).startswith("move-")
    ]


def test_a_long_game_of_six_suits_is_small_too(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "game.html"
    page = viewed(run, GAMES / "1892115.json", "--review", to=target)
    assert len(steps(page)) == 59
    assert target.stat().st_size < 400_000


def test_a_real_game_is_small_with_and_without_a_review(run: Run, tmp_path: Path) -> None:
    for options in ((), ("--review",)):
        target = tmp_path / "game.html"
        page = viewed(run, GAME, *options, to=target)
        assert len(steps(page)) == 56
        assert [each["id"] for each in page.all("figure")] == [f"move-{n}" for n in range(56)]
        assert target.stat().st_size < 320_000
        assert ("Best score that could still be had" in target.read_text("utf-8")) == bool(options)


def test_the_review_writes_the_page_that_view_shows(run: Run, tmp_path: Path) -> None:
    reviewed, shown = tmp_path / "review.html", tmp_path / "view.html"
    outcome = run("review", LOST, "--html", reviewed)
    assert outcome.status == 0
    assert "misplays" in outcome.out
    viewed(run, LOST, "--review", to=shown)
    page = checked_page(reviewed.read_text("utf-8"))
    assert steps(page) == steps(checked_page(shown.read_text("utf-8")))
    assert "1 point lost." in page.texts["strong"]


def test_a_review_flags_the_losing_move(run: Run, tmp_path: Path) -> None:
    page = viewed(run, LOST, "--review", to=tmp_path / "a.html")
    before, losing = [words for words in steps(page) if "1 point lost" in words]
    assert "misplays r5" in losing
    assert "misplays r5" in before
    assert "kept 30. Why: the last red 5 is gone: red stops at 4 cards" in before
    (story,) = [each for each in page.all("div") if each.get("data-live") == "story"]
    assert (story["data-start"], story["data-losses"]) == ("33", "1")
    (entry,) = [each for each in page.all("li") if "hp-lost" in str(each.get("class"))]
    assert entry["data-best"] == "29 of 30"
    chart = [each for each in page.all("a") if each.get("class") == "hb-a"]
    assert len(chart) == len(steps(page))
    assert [each["href"] for each in chart if "1 point lost" in str(each["aria-label"])] == [
        "#move-34"
    ]


def test_a_review_keeps_what_each_action_keeps_and_the_best_line(run: Run, tmp_path: Path) -> None:
    page = viewed(run, LOST, "--review", to=tmp_path / "a.html")
    (section,) = [each for each in page.all("section") if "data-player" in each]
    (line,) = json.loads(section["data-lines"] or "")
    found = hanabi.review(hanabi.read(LOST))  # type: ignore[arg-type]
    best = found.prospects[33].line or ()
    assert (line["at"], line["codes"]) == (33, [str(action.code) for action in best])
    assert line["found"][-1]["told"] == "Over with 30 of 30."
    assert len(page.all("figure")) == len(steps(page)) + len(best)
    (entry,) = [each for each in page.all("li") if "data-values" in each]
    values = json.loads(entry["data-values"] or "")
    assert values["line"] == ".".join(line["codes"])
    assert values["values"][line["codes"][0]]["kept"] == "30"
    legal = found.positions[33].legal_actions
    actions = [str(each["data-action"]) for each in page.all("button") if "data-action" in each]
    assert sorted(actions) == sorted(str(action.code) for action in legal)
    assert {*values["values"]} == {*actions}


@pytest.mark.parametrize("path", sorted(GAMES.glob("*.json")), ids=lambda path: path.stem)
def test_every_real_game_is_shown(path: Path, run: Run, tmp_path: Path) -> None:
    outcome = run("view", path, "-o", tmp_path / "a.html")
    assert outcome.status == 0
    shown = steps(checked_page((tmp_path / "a.html").read_text("utf-8")))
    problem = hanabi.read(path)
    assert isinstance(problem, hanabi.GameRecord)
    assert len(shown) == 1 + sum(not action.is_end for action in problem.actions)


def test_a_seed_is_solved_first(run: Run, tmp_path: Path) -> None:
    page = viewed(run, "p3v0s17", to=tmp_path / "a.html")
    assert steps(page)[0] == "The deal"
    assert any("25 of 25 points" in text for text in page.texts["p"])
    assert page.texts["h1"] == ["A deck of seed p3v0s17, No Variant, 3 players"]


def test_a_game_goes_on_with_the_best_line(run: Run, tmp_path: Path) -> None:
    page = viewed(run, LOST, "--at", 35, to=tmp_path / "a.html")
    played = steps(viewed(run, LOST, to=tmp_path / "b.html"))
    assert steps(page)[:36] == played[:36]
    assert any("29 of 30 points" in text for text in page.texts["p"])


def test_streams_formulas_and_reductions_are_played(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    formula = "p cnf 3 2\n1 -2 3 0\n-1 2 3 0\n"
    for number, text in enumerate(("hand 2\nr2 r1 y1 y2", "hand 0\nr2 r1", formula)):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        page = viewed(run, "-", to=tmp_path / f"{number}.html")
        assert steps(page)[0] == "The start"
    (tmp_path / "a.cnf").write_text(formula, encoding="utf-8")
    assert run("reduce", tmp_path / "a.cnf", "-o", tmp_path / "cards.json").status == 0
    target = tmp_path / "cards.html"
    assert len(steps(viewed(run, tmp_path / "cards.json", to=target))) > 50
    html = target.read_text("utf-8")
    assert "V1 variable: a card of x1" in html
    assert "The play makes true: " in html


def test_the_formula_of_the_documentation_has_a_page(run: Run, tmp_path: Path) -> None:
    """More than some hundreds of moves wait in a template; what they refer to is there, too."""
    target = tmp_path / "formula.html"
    page = viewed(run, DATA / "satlib" / "uf20-01.cnf", to=target)
    shown = steps(page)
    assert len(shown) == 758
    assert shown[1].startswith(("discards", "stores", "plays"))
    assert target.stat().st_size < 2_600 * len(shown)
    tags = [tag for tag, _ in page.elements]
    assert tags.index("figure") > tags.index("template")
    assert "noscript" in tags
    assert len([each for each in page.all("a") if each["href"] == "#move-757"]) == 1
    short = viewed(run, GAME, to=tmp_path / "game.html")
    assert not short.all("template")


def test_a_given_play_or_line_is_shown(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "a.html"
    (tmp_path / "stream.txt").write_text("hand 1\nr2 r1 y1 y2", encoding="utf-8")
    play = tmp_path / "play.json"
    play.write_text('[[1, "store"], [2, "play"]]', encoding="utf-8")
    page = viewed(run, tmp_path / "stream.txt", "--play", play, to=target)
    assert steps(page) == ["The start", "stores r2", "plays r1"]
    play.write_text('[[1, "play"]]', encoding="utf-8")
    outcome = run("view", tmp_path / "stream.txt", "--play", play, "-o", target)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "r2) does not follow 0" in outcome.err
    answer = run("solve", LOST, "--at", 20, "--best", "--json").out
    play.write_text(answer, encoding="utf-8")
    page = viewed(run, LOST, "--play", play, "--at", 20, to=target)
    same = viewed(run, LOST, "--at", 20, to=target)
    assert steps(page) == steps(same)
    play.write_text('[{"type": 0, "target": 999}]', encoding="utf-8")
    outcome = run("view", LOST, "--play", play, "-o", target)
    assert (outcome.status, outcome.err.count("\n")) == (2, 1)
    assert "move 1" in outcome.err


def test_answers_and_positions_are_shown_in_python() -> None:
    game = hanabi.deal(2, seed=5)
    answer = hanabi.solve(game)
    assert len(steps(checked_page(hanabi.view_html(answer)))) == len(answer.games)
    moved = answer.games[3]
    assert len(steps(checked_page(hanabi.view_html(moved)))) == 4
    reviewed = hanabi.review(moved)
    assert len(steps(checked_page(hanabi.view_html(reviewed)))) == 4
    play = hanabi.solve("hand 1  r2 r1 y1 y2")
    assert len(steps(checked_page(hanabi.view_html(play)))) == 6
    cards = hanabi.solve("p cnf 3 1\n1 -2 3 0\n", seconds=600)
    assert "variable turns: a card of" in hanabi.view_html(cards)
    with pytest.raises(hanabi.InvalidInputError, match="unwinnable"):
        hanabi.view_html(hanabi.solve("hand 0  r2 r1"))
    rules = Rules.official(1)
    alone = Game.start(rules, rules.spec.shuffle(seed=1))
    checked_page(hanabi.view_html(alone.apply(alone.legal_actions[0])))


def test_names_are_escaped(tmp_path: Path, run: Run) -> None:
    text = GAME.read_text("utf-8")
    record = hanabi.read(GAME)
    assert isinstance(record, hanabi.GameRecord)
    assert record.names
    evil = "</script><script>alert(1)//"
    path = tmp_path / "evil.json"
    path.write_text(text.replace(record.names[0], evil), encoding="utf-8")
    page = viewed(run, path, to=tmp_path / "a.html")
    assert len(page.all("script")) == 1
    assert any("</script><script>" in words for words in steps(page))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["p3v0s17", "--review"], "no moves to review"),
        (["p3v0s17", "--at", "3"], "only 0 moves"),
        ([str(GAME), "--at", "3", "--review"], "--at or --review"),
        ([str(GAME), "--at", "99"], "only 55 moves"),
        ([str(DATA / "satlib" / "uf20-01.cnf"), "--review"], "--review is for games"),
        (["nothing.json"], "nothing.json"),
        (["r1 r2"], "r1 r2"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_one_line(
    words: list[str], message: str, run: Run, tmp_path: Path
) -> None:
    target = tmp_path / "a.html"
    outcome = run("view", *words, "-o", target)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err
    assert not target.exists()


def test_a_page_goes_to_standard_output(run: Run) -> None:
    outcome = run("view", "p2v0s3", "--time", "600")
    assert outcome.status == 0
    checked_page(outcome.out)
