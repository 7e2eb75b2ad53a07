"""Reviews as data: a row for each move, a row for each player, and the worst moves with links."""

from __future__ import annotations

import csv
import json
import shutil
from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from math import isclose, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from hanabi import read, review
from hanabi.lab.recorded import Recorded
from hanabi.lab.report.results import shorten_player
from hanabi.reviews.commands.review import print_players
from hanabi.reviews.document import ReviewDocument
from hanabi.reviews.rows import MOVES, PLAYERS, Players, player_rows
from hanabi.rules import Rules
from hanabi.rules.notation import GameRecord, parse_link
from hanabi.rules.recorded import players_of
from hanabi.rules.replay import replay
from hanabi.shell.command.terminal import Screen
from hanabi.solvers.draws import open_chances

from ...conftest import Run

GAMES = Path(__file__).parents[3] / "data" / "hanab_live" / "games"
BOMBED = {
    "seed": "p2v0s5",
    "players": ["Ann", "Ben"],
    "actions": [
        {"type": 2, "target": 1, "value": 0},
        *({"type": 0, "target": place} for place in (6, 1, 7, 2, 8, 3, 9, 4)),
    ],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    games = tmp_path_factory.mktemp("games")
    for number in ("2906", "1889209", "1916815"):
        shutil.copy(GAMES / f"{number}.json", games)
    actions = list(BOMBED["actions"])
    while actions:  # up to the last error
        data = {**BOMBED, "actions": actions}
        record = read(json.dumps(data))
        assert isinstance(record, GameRecord)
        positions = replay(record)
        if len([game for game in positions if game.is_over]) <= 1:
            break
        actions.pop()
    assert positions[-1].lives == 0
    (games / "bombed.json").write_text(json.dumps(data))
    return games


@pytest.fixture(scope="module")
def tables(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from hanabi.front.app import main

    target = tmp_path_factory.mktemp("tables")
    words = ["-o", "r.jsonl", "--moves", "moves.csv", "--by-player", "players.csv"]
    paths = [word if word[0] == "-" else str(target / word) for word in words]
    assert main(["review", str(folder), "--chances", *paths]) == 0
    return target


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def documents_of(tables: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (tables / "r.jsonl").read_text().splitlines()]


def test_each_move_has_a_row(folder: Path, tables: Path) -> None:
    rows, documents = rows_of(tables / "moves.csv"), documents_of(tables)
    assert list(rows[0]) == list(MOVES)
    assert len(rows) == sum(len(document["moves"]) for document in documents)
    by_game = defaultdict(list)
    for row in rows:
        by_game[row["game"]].append(row)
    assert list(by_game) == ["bombed.json", "2906.json", "1889209.json", "1916815.json"]
    for name, own in by_game.items():
        record = read(folder / name)
        assert isinstance(record, GameRecord)
        found = review(record, with_chances=True)
        losses = dict(found.lost)
        late = {each.at + 1: each for each in found.late}
        for row, (before, after) in zip(own, pairwise(found.prospects), strict=True):
            move = int(row["move"])
            assert (int(row["best_before_low"]), int(row["best_before_high"])) == (
                before.lower, before.upper,
            )  # fmt: skip
            assert (int(row["best_after_low"]), int(row["best_after_high"])) == (
                after.lower, after.upper,
            )  # fmt: skip
            assert int(row["lost"]) == losses.get(move, 0)
            assert (row["open_lost"] == "") == (move not in late)
            if move in late:
                assert isclose(float(row["open_lost"]), late[move].cost)
            assert row["decision"] == row["seat_lost_low"] == ""  # it was not asked for
            assert (row["reason"] == "") == (move not in losses)


def test_long_names_that_agree_at_both_ends_are_different_players(run: Run, tmp_path: Path) -> None:
    data = json.loads((GAMES / "2906.json").read_text())
    long = "A long name that many programs share, {} and that ends as all of them do"
    (tmp_path / "games").mkdir()
    for number in (1, 2):
        data["players"] = [long.format(number), long.format(7), "Bob"]
        (tmp_path / "games" / f"{number}.json").write_text(json.dumps(data))
    outputs = "-o", tmp_path / "r.jsonl", "--by-player", tmp_path / "p.csv"
    assert run("review", tmp_path / "games", "--chances", *outputs).status == 0
    outcome = run("review", tmp_path / "games", "--chances")
    rows = {row["player"]: row["games"] for row in rows_of(tmp_path / "p.csv")}
    assert sorted(rows.values()) == ["1", "1", "2", "2"]
    shown = [line[:32] for line in outcome.out.splitlines() if line.startswith("A long name")]
    assert len(set(shown)) == 3


def test_links_open_before_the_moves_that_lost(folder: Path, tables: Path) -> None:
    linked = [row for row in rows_of(tables / "moves.csv") if row["link"]]
    assert {(row["game"], row["move"]) for row in linked} >= {("1889209.json", "7")}
    for row in linked:
        address, _, turn = row["link"].rpartition("#")
        assert turn == row["move"]
        played = read(folder / row["game"])
        assert isinstance(played, GameRecord)
        linked_record = parse_link(address)
        assert linked_record.deck == played.deck
        assert replay(linked_record)[int(turn)].piles == replay(played)[int(turn)].piles


def test_a_bomb_is_counted_with_and_without(tables: Path) -> None:
    [bombed] = [each for each in documents_of(tables) if each["item"] == "bombed.json"]
    last = bombed["moves"][-1]
    assert (bombed["score"], last["best"]) == (0, {"lower": 0, "upper": 0})
    before = bombed["moves"][-2]["best"]["lower"]
    assert last["lost"] == before
    assert last["lost_without_bomb"] == before - bombed["piles"]
    assert all(
        move["lost"] == move["lost_without_bomb"]
        for each in documents_of(tables)
        for move in each["moves"][:-1]
    )


def test_each_player_has_a_row_with_sums_and_errors(tables: Path) -> None:
    rows, moves = rows_of(tables / "players.csv"), rows_of(tables / "moves.csv")
    assert list(rows[0]) == list(PLAYERS)
    assert [row["player"] for row in rows] == sorted({move["player"] for move in moves})
    for row in rows:
        own = [move for move in moves if move["player"] == row["player"]]
        games = dict.fromkeys(move["game"] for move in own)
        assert int(row["games"]) == len(games)
        assert int(row["moves"]) == len(own)
        assert int(row["plays"]) == sum(move["type"] == "0" for move in own)
        assert int(row["hints"]) == sum(move["type"] in ("2", "3") for move in own)
        lost = [sum(int(move["lost"]) for move in own if move["game"] == game) for game in games]
        assert int(row["lost"]) == sum(lost)
        mean = sum(lost) / len(lost)
        assert isclose(float(row["lost_per_game"]), mean)
        if len(lost) > 1:
            spread = sum((value - mean) ** 2 for value in lost) / (len(lost) - 1)
            error = float(row["lost_per_game_error"])
            assert isclose(error, sqrt(spread / len(lost)), abs_tol=1e-12)
        assert row["decisions"] == row["mistakes"] == row["seat_lost_low_per_game"] == ""


def reviewed(*remarks: dict[str, Any], player: str = "A", **facts: Any) -> dict[str, Any]:
    """A reviewed game of discards by one player, each with these remarks."""
    best = {"lower": 25, "upper": 25}
    moves = [
        {
            "move": number, "seat": 0, "player": player, "words": "", "best": best,
            "action": {"type": 1, "target": 0, "value": 0}, "lost": 0, "lost_without_bomb": 0,
            "is_error": False, "score": 0, "hints": 0, "lives": 3, "deck": 0, "pace": None,
            "pace_risk": "low", "efficiency": None, "required_efficiency": None, **remark,
        }
        for number, remark in enumerate(remarks, start=1)
    ]  # fmt: skip
    return {
        "best": best, "id": None, "variant": None, "seats": 2, "team": None, "score": 0,
        "piles": 0, "most": 25, "end": "", "unusual": [], "lost_at": None, "because": None,
        "undecided": None, "link": None, "replay": None, "errors": [], "bottom_decked": [],
        "efficiency": None, "minimum_efficiency": None, "moves": moves, "seconds": 0.0, **facts,
    }  # fmt: skip


def decided(kind: str, low: str, high: str, by_deck: bool) -> dict[str, Any]:
    """The decision of a move."""
    none = {"low": "0", "high": "0"}
    lost = {"low": low, "high": high}
    known = {"best": none, "played": none, "lost": lost, "lost_by_deck": by_deck, "kind": kind}
    return {"decision": known}


def test_a_document_is_read_as_it_was_written(tables: Path) -> None:
    for data in [*documents_of(tables), reviewed(decided("mistake", "1/2", "3/4", True), {})]:
        again = ReviewDocument.from_json(data).to_json()
        assert list(again) == [key for key in data if key in again]
        assert again == {key: data[key] for key in again}
        assert json.loads(json.dumps(again)) == again
    found = read(GAMES / "2906.json")
    assert isinstance(found, GameRecord)
    document = review(found, with_chances=True, with_conventions=1).document(found)
    assert ReviewDocument.from_json(json.loads(json.dumps(document.to_json()))) == document


def test_sums_of_decisions_are_those_of_their_games() -> None:
    def game(*decisions: tuple[str, str, str, bool]) -> dict[str, Any]:
        return reviewed(*(decided(*each) for each in decisions))

    [cells] = player_rows(
        [
            game(("mistake", "1/2", "1/2", True), ("good luck", "1/4", "1/2", False)),
            game(("bad luck", "0", "0", True), ("not decided", "0", "1/4", False)),
            {"error": "no game"},
        ]
    )
    row = dict(zip(PLAYERS, cells, strict=True))
    names = ("decisions", "right", "mistakes", "good_luck", "bad_luck", "not_decided")
    assert [row[name] for name in names] == [4, 0, 1, 1, 1, 1]
    assert (row["seat_lost_low_per_game"], row["seat_lost_low_per_game_error"]) == (0.375, 0.375)
    assert row["seat_lost_high_per_game"] == float(Fraction(5, 8))
    assert (row["deck_lost_per_game"], row["deck_lost_per_game_error"]) == (1.0, 0.0)


@pytest.fixture(scope="module")
def simulated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with games of a team in three seats, and their reviews."""
    from hanabi.front.app import main

    here = tmp_path_factory.mktemp("simulated")
    work = Recorded(("convention", "convention:saves=no", "convention"), Rules.hle(3), seed=1)
    alike = Recorded(("convention",), Rules.hle(2), seed=1)
    documents = [*work.documents(work.run(0, 2)), *alike.documents(alike.run(0, 8))]
    games = here / "games.jsonl"
    games.write_text("".join(json.dumps(each) + "\n" for each in documents))
    tables = ["--moves", here / "moves.csv", "--by-player", here / "players.csv"]
    words = ["review", games, "--chances", "-o", here / "r.jsonl", *tables]
    assert main([str(word) for word in words]) == 0
    return here


def test_regret_is_counted_for_each_program_from_exact_chances(simulated: Path) -> None:
    """The oracle replays each game, and asks for the chances of each late position anew."""
    regrets: dict[str, list[list[Fraction]]] = defaultdict(list)
    for line in (simulated / "games.jsonl").read_text().splitlines():
        data, record = json.loads(line), read(line)
        assert isinstance(record, GameRecord)
        names = data["simulation"]["players"]
        names = names * record.players if len(names) == 1 else names
        for name in dict.fromkeys(names):
            regrets[name].append([])
        for before, after in pairwise(replay(record)):
            if before.deck_left <= 5 and before.can_act:
                found = open_chances(before)
                assert found.perfect.is_exact
                if found.perfect.high:
                    own = found.of(after.known_actions[-1]).perfect
                    assert own.is_exact
                    regrets[names[before.seat_to_act]][-1].append(found.perfect.low - own.low)
    rows = rows_of(simulated / "players.csv")
    assert [row["player"] for row in rows] == sorted(regrets)
    assert [row["games"] for row in rows] == [str(len(regrets[row["player"]])) for row in rows]
    for row in rows:
        games = regrets[row["player"]]
        judged = [each for game in games for each in game]
        sums = [float(sum(game)) for game in games]
        assert int(row["open_decisions"]) == len(judged)
        assert int(row["open_right"]) == sum(not each for each in judged)
        assert row["open_not_decided"] == "0"
        assert isclose(float(row["open_lost_per_game"]), fmean(sums), abs_tol=1e-12)
        error = stdev(sums) / sqrt(len(sums))
        assert isclose(float(row["open_lost_per_game_error"]), error, abs_tol=1e-12)
    [convention] = [row for row in rows if row["games"] == "10"]
    assert int(convention["open_decisions"]) > int(convention["open_right"]) > 0
    moves = rows_of(simulated / "moves.csv")
    assert {move["player"] for move in moves} == {"Alice", "Bob", "Cathy"}
    assert {move["program"] for move in moves} == set(regrets)


def test_regret_is_not_decided_where_chances_are_bounds() -> None:
    def game(*chances: tuple[str, str, str]) -> dict[str, Any]:
        keys = "best", "played", "cost"
        late = ({"chance": dict(zip(keys, each, strict=True))} for each in chances)
        return reviewed(*late, player="Alice", team=["A"])

    [cells] = player_rows(
        [
            game(("1/2", "1/2", "0"), ("1/2", "1/4", "1/4"), ("0", "0", "0")),
            game(("0 to 1/2", "0 to 1/2", "0"), ("1", "0 to 1/2", "1/2"), ("0 to 1", "0", "0")),
        ]
    )
    row = dict(zip(PLAYERS, cells, strict=True))
    names = ("player", "open_moves", "open_decisions", "open_right", "open_not_decided")
    assert [row[name] for name in names] == ["A", 6, 5, 1, 3]
    assert (row["open_lost"], row["open_lost_per_game"]) == (0.75, 0.375)
    assert row["open_lost_per_game_error"] == 0.125


def test_the_table_of_regret_says_what_the_rows_say(run: Run, simulated: Path) -> None:
    shown = run("review", simulated / "games.jsonl", "--chances").out.splitlines()
    at = next(at for at, line in enumerate(shown) if line.startswith("player"))
    assert shown[at].split()[1:6] == ["games", "decisions", "right", "open", "regret"]
    rows = rows_of(simulated / "players.csv")
    assert len(shown[at + 1 :]) == len(rows)
    for line, row in zip(shown[at + 1 :], rows, strict=True):
        words = [row[name] for name in ("games", "open_decisions", "open_right")]
        mean, error = (float(row[f"open_lost_per_game{end}"]) for end in ("", "_error"))
        short = shorten_player(row["player"])
        assert line.split() == [short, *words, "0", f"{mean:.4f}", "±", f"{error:.4f}"]
        assert len(line) <= 80


@pytest.mark.parametrize(
    "about",
    [None, "information", {"players": "information"}, {"players": [1]}, {"players": ["a"] * 3}],
)
def test_an_entry_of_others_names_no_programs(about: object) -> None:
    data = {**BOMBED, "simulation": about}
    record = read(json.dumps(data))
    assert isinstance(record, GameRecord)
    assert players_of(record) is None


def test_the_table_of_decisions_says_what_the_rows_say(capsys: pytest.CaptureFixture[str]) -> None:
    players = Players()
    move = decided("mistake", "1/2", "3/4", True)
    for moves in ([move], [move, move]):
        players.add(ReviewDocument.from_json(reviewed(*moves, player="Ann")))
    print_players(Screen(), players)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split() == [
        "player", "games", "mistakes", "lucky", "unlucky", "right", "open",
        "gave", "away", "a", "game",
    ]  # fmt: skip
    assert " ".join(lines[2].split()) == "Ann 2 3 0 0 0 0 0.75-1.12 ± 0.25"
    assert max(map(len, lines)) <= 80
    print_players(Screen(), Players())
    assert "There is no late move" in capsys.readouterr().out


def test_an_interrupted_run_goes_on_and_makes_the_same_tables(
    run: Run, folder: Path, tables: Path, tmp_path: Path
) -> None:
    lines = (tables / "r.jsonl").read_text().splitlines()
    (tmp_path / "r.jsonl").write_text("\n".join([*lines[:2], lines[2][:50]]))
    moves = tmp_path / "m.csv"
    outcome = run("review", folder, "--chances", "-o", tmp_path / "r.jsonl", "--moves", moves)
    assert (outcome.status, outcome.out, outcome.err) == (0, "", "")
    assert moves.read_text() == (tables / "moves.csv").read_text()


def test_parquet_has_the_same_rows(run: Run, folder: Path, tables: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    shutil.copy(tables / "r.jsonl", tmp_path)
    path = tmp_path / "m.parquet"
    assert run("review", folder, "-o", tmp_path / "r.jsonl", "--moves", path).status == 0
    table = parquet.read_table(path).to_pylist()
    rows = rows_of(tables / "moves.csv")
    assert len(table) == len(rows)
    assert [str(row["lost"]) for row in table] == [row["lost"] for row in rows]
    assert list(table[0]) == list(MOVES)


def test_the_worst_moves_come_with_links(run: Run, folder: Path, tables: Path) -> None:
    lines = [line for line in run("review", folder, "--blunders", "2").out.splitlines() if line]
    at = lines.index("blunders")
    assert lines[at + 2].endswith("#8") or "bombed.json" in lines[at + 1]
    assert "without the bomb" in "".join(lines)
    assert len([line for line in lines[at:] if line.startswith("https://")]) == 2
    shutil.copy(tables / "r.jsonl", tables / "again.jsonl")
    again = run("review", folder, "-o", tables / "again.jsonl", "--blunders", "2").out
    assert [line for line in again.splitlines() if line] == lines[at:]


def test_a_single_game_has_both_tables(run: Run, tmp_path: Path) -> None:
    moves, players = tmp_path / "m.csv", tmp_path / "p.csv"
    game = GAMES / "1889209.json"
    outcome = run(
        "review", game, "--moves", moves, "--by-player", players, "--blunders", 1, "--json"
    )
    assert outcome.status == 2
    assert "--blunders would share standard output" in outcome.err
    outcome = run("review", game, "--by-player", "-")
    assert outcome.out.splitlines()[0] == ",".join(PLAYERS)
    outcome = run("review", game, "--moves", moves, "--by-player", players, "--blunders", 1)
    assert outcome.status == 0
    assert "turn 7: player 1 discards m4 (2 points)" in " ".join(outcome.out.split())
    assert len(rows_of(moves)) == 7
    assert rows_of(players)[0]["lost"] == "2"


def test_reviews_of_an_earlier_version_are_not_passed_over(
    run: Run, folder: Path, tables: Path, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in (tables / "r.jsonl").read_text().splitlines()]
    for line in lines:
        del line["hash"]
    del lines[1]["replay"]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    outcome = run("review", folder, "-o", tmp_path / "r.jsonl", "--moves", tmp_path / "m.csv")
    assert outcome.status == 2
    assert "'2906.json' was reviewed by an earlier version" in outcome.err
    assert not (tmp_path / "m.csv").exists()


def test_tables_of_many_games_need_a_file_that_keeps_them(run: Run, folder: Path) -> None:
    outcome = run("review", folder, "--moves", "m.csv")
    assert outcome.status == 2
    assert "--moves of many games needs -o FILE, which keeps their reviews" in outcome.err
    outcome = run("review", folder, "--by-player", "m.svg")
    assert outcome.status == 2
    assert "--by-player 'm.svg'" in outcome.err
