"""Packed files, and lists of the site, wherever a file is read."""

from __future__ import annotations

import gzip
import json
import pickle
from io import TextIOWrapper
from pathlib import Path

import pytest

import hanabi
from hanabi.ground.errors import InvalidInputError
from hanabi.rules.notation import GameRecord

from ...conftest import Run

DATA = Path(__file__).parents[3] / "data"
GAME = DATA / "hanab_live" / "games" / "2906.json"
FORMULA = DATA / "satlib" / "uf20-01.cnf"
ROWS = [
    {"id": 7, "num_players": 3, "score": 25, "variant": 0, "users": "a, b, c", "seed": "p3v0s17"},
    {"id": 8, "num_players": 2, "score": 2, "variant": 16, "users": "a, b", "seed": "p2v16s5"},
]


def pack(path: Path, data: bytes) -> Path:
    path.write_bytes(gzip.compress(data))
    return path


def test_packed_games_and_formulas_are_read(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = pack(tmp_path / "2906.json.gz", GAME.read_bytes())
    assert run("show", game).out == run("show", GAME).out
    assert hanabi.read(game) == hanabi.read(GAME)
    formula = pack(tmp_path / "f.cnf.gz", FORMULA.read_bytes())
    assert run("sat", formula).out == run("sat", FORMULA).out
    assert hanabi.read(formula) == hanabi.read(FORMULA)
    with TextIOWrapper(game.open("rb")) as stdin, monkeypatch.context() as patch:
        patch.setattr("sys.stdin", stdin)
        assert run("show", "-").out == run("show", GAME).out


def test_packed_files_of_many_are_read(run: Run, tmp_path: Path) -> None:
    line = json.dumps(json.loads(GAME.read_text(encoding="utf-8"))).encode()
    lines = pack(tmp_path / "games.jsonl.gz", line + b"\n" + line + b"\n")
    assert len(run("convert", lines).out.splitlines()) == 2
    folder = tmp_path / "games"
    folder.mkdir()
    pack(folder / "2906.json.gz", GAME.read_bytes())
    assert json.loads(run("review", folder, "--json").out)["item"] == "2906.json.gz"
    games = pack(tmp_path / "none.pkl.gz", pickle.dumps([[1, 2]], protocol=2))
    plain = tmp_path / "none.pkl"
    plain.write_bytes(gzip.decompress(games.read_bytes()))
    packed, unpacked = run("convert", games), run("convert", plain)
    assert packed.err == unpacked.err != ""
    assert (packed.status, unpacked.status) == (2, 2)


def test_damage_is_told_in_a_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "2906.json.gz"
    path.write_bytes(gzip.compress(GAME.read_bytes())[:200])
    outcome = run("show", path)
    assert outcome.status == 2
    assert outcome.err.startswith(f"hanabi: error: {path}: the packed data (gzip) is damaged: ")
    assert outcome.err.count("\n") == 1
    with pytest.raises(InvalidInputError, match=r"json\.gz: the packed data"):
        hanabi.read(path)
    path = path.rename(tmp_path / "games.jsonl.gz")
    assert "the packed data (gzip) is damaged" in run("convert", path).err
    assert (
        "the packed data (gzip) is damaged"
        in run("convert", path.rename(tmp_path / "a.pkl.gz")).err
    )


def test_a_list_of_the_site_is_many_games(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps({"total_rows": 2, "info": "x", "rows": ROWS}))
    lines = [json.loads(line) for line in run("convert", path).out.splitlines()]
    assert [(line["id"], line["options"]["variant"]) for line in lines] == [
        (7, "No Variant"),
        (8, "Rainbow (5 Suits)"),
    ]
    answers = [json.loads(line) for line in run("solve", path).out.splitlines()]
    assert [answer["item"] for answer in answers] == [7, 8]
    assert answers[0]["link"].startswith("https://hanab.live/replay-json/315tqb")
    assert '"rows" is a list of games; only one is allowed here' in run("show", path).err
    path.write_text(json.dumps({"rows": []}))
    assert run("convert", path).out == ""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variant": 1}, "is for 3 players of 'No Variant'"),
        ({"num_players": 2}, "is for 3 players of 'No Variant'"),
        ({"variant": "No Variant"}, "variant: 'No Variant' is not an integer"),
        ({"num_players": 9}, "num_players: 9 is not in 2 .. 6"),
        ({"seed": None}, "seed: missing in a row of a list of games"),
    ],
)
def test_rows_that_do_not_fit_are_named(
    run: Run, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps({"rows": [{**ROWS[0], **change}]}))
    outcome = run("convert", path)
    assert outcome.status == 2
    assert message in outcome.err


def test_links_of_seeds_and_exports(run: Run) -> None:
    for link in ("hanab.live/seed/p3v0s17", "https://hanab.live/seed/p3v0s17?x#2"):
        record = hanabi.read(link)
        assert isinstance(record, GameRecord)
        assert record == hanabi.read("p3v0s17")
    told = "save https://hanab.live/export/123 to a file and give that file"
    for kind in ("replay", "export", "shared-replay"):
        assert told in run("show", f"https://hanab.live/{kind}/123").err
    assert "'zz' is not a seed such as p3v0s17" in run("show", "hanab.live/seed/zz").err


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"deck": [{"suit": 0, "rank": 1}]},
            "deck[0]: 'suit' in place of 'suitIndex' is an old",
        ),
        (
            {"actions": [{"type": 0, "target": 1, "clue": {"type": 1, "value": 1}}]},
            "actions[0]: 'clue' as an object is an old export: save https://hanab.live/export/2906",
        ),
        (
            {"actions": [{"type": 0, "slot": 1}]},
            "actions[0]: 'slot' is not the card: give its pl",
        ),
    ],
)
def test_old_forms_are_named_with_the_remedy(
    run: Run, tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "old.json"
    data = json.loads(GAME.read_text(encoding="utf-8")) | {"id": 2906}
    path.write_text(json.dumps(data | change))
    outcome = run("show", path)
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_seed_completes_a_deck(tmp_path: Path) -> None:
    deck = [{"suitIndex": 3, "rank": 5}, {"suitIndex": 3, "rank": 2}]
    whole = hanabi.read("p3v0s17")
    assert isinstance(whole, GameRecord)
    deck = [{"suitIndex": card.color, "rank": card.rank} for card in whole.deck]
    game = {"players": ["a", "b", "c"], "seed": "p3v0s17", "actions": []}
    path = tmp_path / "game.json"
    path.write_text(json.dumps({**game, "deck": deck[:20]}))
    record = hanabi.read(path)
    assert isinstance(record, GameRecord)
    assert record.deck == whole.deck
    path.write_text(json.dumps({**game, "deck": deck[:19] + deck[20:21]}))
    if whole.deck[19] != whole.deck[20]:
        with pytest.raises(InvalidInputError, match="deals another deck"):
            hanabi.read(path)


def test_links_that_the_site_refuses_say_so(run: Run) -> None:
    told = "hanab.live does not open links to Scarce Ones (6 Suits)"
    outcome = run("link", "p3v2393s1")
    assert told in outcome.err
    assert told not in outcome.out
    assert told in run("solve", "p3v2393s1").out
    assert told in run("solve", "p3v2393s1", "--link").err
    assert told in run("view", "p3v2393s1").out
    assert "does not open" not in run("solve", "p3v1s1").out
