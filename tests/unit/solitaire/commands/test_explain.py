"""`hanabi explain` on streams: their windows in words and pictures; and pictures of answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanabi.ground.errors import BudgetEndedError
from pictures import SVG, checked

from ...conftest import Run

WON = "hand 1  r2 y2 r1 y1 r3 y3 y2"
LOST = "hand 1  r2 y2 r1 y1"
EXAMPLE = Path(__file__).parents[4] / "docs" / "figures" / "example.cnf"


def plain(text: str) -> str:
    return " ".join(text.split())


def test_a_stream_is_explained_by_its_windows(run: Run) -> None:
    status, out, _ = run("explain", WON)
    assert status == 0
    told = plain(out)
    assert "7 cards, 2 colors of 3 values, at most 2 alike, hand 1." in told
    assert "winnable" in told
    assert "With a single way: r (r2 waits over cards 1-3)." in told
    assert "With a choice: y (2 ways, at least 1 window of 2)." in told
    assert "The play needs at most 1 of 1 place at once; the hand is full just before cards" in told


def test_a_lost_stream_says_where_the_hand_is_too_small(run: Run) -> None:
    told = plain(run("explain", LOST)[1])
    assert "unwinnable just before card 3 at least 2 cards must be in hand, which holds 1" in told
    assert "winnable" in run("explain", LOST, "--hand-size", 2)[1]
    missing = plain(run("explain", "hand 1 r1 r3")[1])
    assert "No way to play: r2 never occurs." in missing


def test_a_given_play_is_explained_instead(run: Run, tmp_path: Path) -> None:
    stream = "hand 2  r2 r1 y1 y2"
    moves = [[1, "store"], [2, "play"], [1, "play"], [3, "play"], [4, "play"]]
    play = tmp_path / "play.json"
    play.write_text(json.dumps(moves))
    told = plain(run("explain", stream, "--play", play)[1])
    assert "at most 1 of 2 places at once." in told
    play.write_text(json.dumps([[1, "play"]]))
    status, _, err = run("explain", stream, "--play", play)
    assert (status, err.count("\n")) == (2, 1)
    assert "card 1 (r2) does not follow 0 on its pile" in err


def test_a_deck_is_explained_with_all_hands_merged(run: Run) -> None:
    told = plain(run("explain", "p2v0s1")[1])
    assert "solved as a solitaire with a hand of 9" in told


def test_a_reduction_is_explained_by_its_windows_on_request(run: Run, tmp_path: Path) -> None:
    svg = tmp_path / "a.svg"
    words = ["explain", EXAMPLE, "--variant", "constant_two", "--last", 14, "--svg", svg]
    assert "ways" not in run(*words)[1]
    gadgets = checked(svg.read_text("utf-8"))
    told = plain(run(*words, "--windows")[1])
    assert "With a choice: 0 (" in told
    arcs = checked(svg.read_text("utf-8"))
    shown = {each.text for each in arcs.iter(f"{SVG}text")}
    assert {"V1 variable", "hand: 2", "full"} <= shown
    assert len({"x1", "not x1"} & shown) == 1  # the literal that the play makes true
    assert "full" not in {each.text for each in gadgets.iter(f"{SVG}text")}


@pytest.mark.parametrize("command", ["explain", "solve"])
@pytest.mark.parametrize("stream", [WON, LOST])
def test_pictures_in_each_form(run: Run, tmp_path: Path, command: str, stream: str) -> None:
    files = {name: tmp_path / f"a.{name}" for name in ("svg", "tex", "pdf")}
    words: list[object] = [command, stream, "--svg", files["svg"], "--tikz", files["tex"]]
    assert run(*words).status == 0
    root = checked(files["svg"].read_text("utf-8"))
    words_of_svg = {each.text for each in root.iter(f"{SVG}text")}
    assert "r2" in words_of_svg
    assert ("no place" in words_of_svg) == (stream == LOST)
    tikz = files["tex"].read_text("utf-8")
    assert "\\begin{tikzpicture}" in tikz
    assert "{r2};" in tikz
    pytest.importorskip("matplotlib")
    assert run(command, stream, "--pdf", files["pdf"]).status == 0
    assert files["pdf"].read_bytes().startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (("--first", 0), "cards 0 .. 7 are not within 1 .. 7"),
        (("--last", 8), "cards 1 .. 8 are not within 1 .. 7"),
        (("--first", 5, "--last", 2), "cards 5 .. 2 are not within 1 .. 7"),
    ],
)
def test_a_part_that_is_not_there(
    run: Run, tmp_path: Path, part: tuple[object, ...], message: str
) -> None:
    status, _, err = run("explain", WON, "--svg", tmp_path / "a.svg", *part)
    assert (status, err.count("\n")) == (2, 1)
    assert message in err
    assert not (tmp_path / "a.svg").exists()


def test_a_part_of_a_long_stream(run: Run, tmp_path: Path) -> None:
    svg = tmp_path / "a.svg"
    long = "hand 1 " + " ".join(["r1", "r3", "r2"] * 800)
    assert run("explain", long, "--svg", svg, "--first", 2, "--last", 9).status == 0
    shown = [each.text for each in checked(svg.read_text("utf-8")).iter(f"{SVG}text")]
    assert "Cards 2 to 9 of 2,400." in shown
    status, _, err = run("explain", long, "--svg", svg, "--first", 2, "--last", 2400)
    assert (status, "2,399 cards: a picture of windows shows 2,000 at most" in err) == (2, True)


def test_a_picture_of_a_winning_line_of_the_full_game(run: Run, tmp_path: Path) -> None:
    svg = tmp_path / "line.svg"
    assert run("solve", "p2v0s1", "--svg", svg).status == 0
    root = checked(svg.read_text("utf-8"))
    assert "1 A" in {each.text for each in root.iter(f"{SVG}text")}


def test_pictures_are_for_a_single_input(run: Run, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(LOST)
    status, _, err = run("solve", tmp_path, "--svg", tmp_path / "a.svg")
    assert (status, "--svg is for a single input" in err) == (2, True)


def test_where_memory_ends_the_windows_are_not_listed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_: object, **__: object) -> None:
        raise BudgetEndedError("the graph of paths takes more than 5 bytes")

    monkeypatch.setattr("hanabi.shell.session.windows.ways_of", ended)
    svg = tmp_path / "a.svg"
    status, out, err = run("explain", WON, "--svg", svg)
    assert status == 0
    assert "no picture is drawn" in err
    assert "the windows are not listed: the graph of paths takes more than 5" in plain(out)
    assert not svg.exists()
    assert run("solve", WON, "--svg", svg).status == 0  # its cards, then
    checked(svg.read_text("utf-8"))
