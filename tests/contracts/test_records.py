"""Games that are kept with the benchmarks: each is what it claims to be, and none is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks import believed
from benchmarks.gains import play
from benchmarks.recorded import RECORDS, read_games, read_table, table_of, write_line

from hanabi.ground.errors import InvalidInputError
from hanabi.players import parse_player
from hanabi.players.belief import Belief

TABLE = table_of("belief:worlds=4,deals=1/convention", 2, 7)


@pytest.fixture(scope="module")
def lines() -> list[str]:
    player = parse_player(TABLE.player)
    assert isinstance(player, Belief)
    return [write_line(deal, play(player, TABLE.rules, TABLE.seed, deal)) for deal in (3, 5)]


@pytest.fixture
def path(tmp_path: Path, lines: list[str]) -> Path:
    path = tmp_path / "games.jsonl"
    assert read_games(path, TABLE) == {}
    with path.open("a") as file:
        file.writelines(line + "\n" for line in lines)
    return path


@pytest.mark.parametrize("record", sorted(RECORDS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_recorded_games_are_of_their_deals_and_scores(record: Path) -> None:
    assert len(read_games(record, read_table(record))) + 1 == len(record.read_text().splitlines())


def test_the_record_that_is_gone_on_from_is_of_the_present_player() -> None:
    table = read_table(RECORDS / "belief_two_seats.jsonl")
    assert table == table_of("belief/convention", 2, table.seed)


def test_games_come_back(path: Path, lines: list[str]) -> None:
    games = read_games(path, read_table(path))
    assert [write_line(*item) for item in games.items()] == lines


def test_what_a_kill_has_cut_is_dropped(path: Path, lines: list[str]) -> None:
    path.write_text(path.read_text()[:-20])
    assert [*read_games(path, TABLE)] == [3]
    with path.open("a") as file:
        file.write(lines[1] + "\n")
    assert [*read_games(path, TABLE)] == [3, 5]


@pytest.mark.parametrize(("old", "new"), [('"deal": 3', '"deal": 4'), ('"score": 2', '"score": 1')])
def test_what_was_not_played_so_is_refused(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new))
    with pytest.raises(InvalidInputError, match="not a game of this deal with this score"):
        read_games(path, TABLE)


def test_games_of_others_are_refused(path: Path) -> None:
    with pytest.raises(InvalidInputError, match="has games of"):
        read_games(path, table_of("belief/convention", 2, 7))


def test_beliefs_are_held_against_the_cards(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    player = parse_player(TABLE.player)
    assert isinstance(player, Belief)
    (deal, played), _ = read_games(path, TABLE).items()
    found = [*believed.look(player, played.end, deal)]
    for _, expected, true in found:
        assert sum(expected) == pytest.approx(1)
        assert sorted(true) == [0, 0, 0, 1]
    believed.main(1, str(path))
    lines = capsys.readouterr().out.splitlines()
    for title, is_own in (("what it would discard", True), ("the rest of the hand", False)):
        cards = [each[1:] for each in found if each[0] == is_own]
        row = lines.index(next(line for line in lines if line.startswith(title)))
        assert f"{title}: {len(cards)} " in lines[row]
        for column, name in enumerate(believed.KINDS, 1):
            means = (sum(each[kind][column - 1] for each in cards) / len(cards) for kind in (0, 1))
            assert lines[row + column].startswith(name)
            assert lines[row + column].split()[-4:-2] == [f"{mean:.1%}" for mean in means]
