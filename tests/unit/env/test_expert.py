"""Games of players as data: every row against the slow twins, arrays of callers, and files."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hanabi.env import expert as experts
from hanabi.env import posteriors_of
from hanabi.env.expert import Expert, read_shards, write_shards
from hanabi.ground.errors import InvalidInputError
from hanabi.players import RandomLegal, arena, compiled
from hanabi.players.arena import play_deal, team_of
from hanabi.rules import Game, Rules
from hanabi.rules.deck import DeckSpec
from oracles import encoding

SMALL = replace(
    Rules.hle(3), spec=DeckSpec.uniform(colors=2, ranks=3, copies=2), hand_size=2, lives=1
)
TEAMS: list[tuple[Any, Rules]] = [
    ("information", Rules.hle(2)),  # with a memory
    ("random", SMALL),
    (["random", "first-legal", "random"], SMALL),  # partly without a policy
]


def is_equal(a: Iterable[Any], b: Iterable[Any]) -> bool:
    """Whether all arrays of two records of turns are equal."""
    return all(np.array_equal(*each) for each in zip(a, b, strict=True))


@pytest.mark.parametrize(("players", "rules"), TEAMS, ids=lambda given: str(given)[:30])
@pytest.mark.parametrize("kind", [0, 1])
def test_each_row_is_what_the_seat_saw_might_do_and_did(
    players: Any, rules: Rules, kind: int
) -> None:
    first, games = 5, 3
    moves = Expert(players, rules, seed=3, kind=kind).play(games, first=first)
    is_team = isinstance(players, list)
    team = team_of(players if is_team else [players] * rules.seats, rules)
    row = 0
    for deal in range(first, first + games):
        end = play_deal(team, rules, deal, seed=3)
        past = list(
            itertools.accumulate(end.actions, Game.apply, initial=Game.start(rules, end.deck))
        )
        for turn, (game, after) in enumerate(itertools.pairwise(past)):
            seat = game.seat_to_act
            numbers = encoding.numbers(game, seat)
            mask = [action in game.legal_actions for action in numbers]
            assert moves.observations[row].tolist() == encoding.encoding(
                past[: turn + 1], seat, kind
            )
            assert moves.masks[row].tolist() == mask
            assert moves.actions[row] == numbers[after.actions[-1]]
            assert moves.rewards[row] == after.score - game.score
            assert moves.dones[row] == after.is_over
            assert (moves.seats[row], moves.deals[row]) == (seat, deal)
            own = [card.color * rules.ranks + card.rank - 1 for card in game.hands[seat]]
            assert moves.cards[row].tolist() == own + [-1] * (rules.hand_size - len(own))
            row += 1
    assert row == len(moves.actions)


def test_games_that_compiled_code_cannot_play_are_played_from_views(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As those of an information player whose partners mislead its seats differently."""
    whole = Expert("random", SMALL, seed=2).play(8)

    def leave_out(*given: Any) -> Any:
        outcomes, record = compiled.record_deals(*given), given[-1]
        outcomes[1::2] = -1
        record.turns[1::2] = 77
        return outcomes

    monkeypatch.setattr(arena, "record_deals", leave_out)
    again = Expert("random", SMALL, seed=2).play(8)
    assert is_equal(whole, again)


def test_packed_observations_hold_the_same_bits() -> None:
    plain, packed = (Expert("random", SMALL, packed=each).play(4) for each in (False, True))
    assert (np.packbits(plain.observations, 1, bitorder="little") == packed.observations).all()
    assert is_equal(plain[1:], packed[1:])


def test_posteriors_are_those_of_the_views() -> None:
    """`test_labels.py` compares those with all hands."""
    moves = Expert("random", SMALL, seed=3, posteriors=True).play(3)
    assert moves.posteriors.shape == (len(moves.actions), 2, 6)
    row = 0
    for deal in range(3):
        end = play_deal(team_of(RandomLegal, SMALL), SMALL, deal, seed=3)
        game = Game.start(SMALL, end.deck)
        for action in end.actions:
            assert (moves.posteriors[row] == posteriors_of(game.view(game.seat_to_act))).all()
            game, row = game.apply(action), row + 1
    assert row == len(moves.actions)


def test_arrays_of_the_caller_hold_whole_games() -> None:
    expert = Expert("random", SMALL, seed=1)
    whole = expert.play(40)
    ends = np.flatnonzero(whole.dones) + 1
    for room in (0, int(ends[0]) - 1, int(ends[0]), int(ends[20]), int(ends[20]) + 1):
        moves = expert.new_arrays(room)
        rows, following = expert.fill(moves)
        assert following == int((ends <= room).sum())
        assert rows == (ends[following - 1] if following else 0)
        assert is_equal([array[:rows] for array in moves], [array[:rows] for array in whole])
    later = expert.new_arrays(int(ends[9] - ends[4]))
    assert expert.fill(later, first=5) == (len(later.actions), 10)
    assert (later.observations == whole.observations[ends[4] : ends[9]]).all()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"players": "nobody"}, "no player 'nobody'"),
        ({"players": ["random"], "rules": Rules.hle(2)}, "1 players for 2 seats"),
        ({"seed": 0.5}, "seed = 0.5 is not a whole number"),
        ({"repeat": -1}, "repeat = -1 is not 0 or more"),
        ({"kind": 3}, "kind = 3 is not 0, 1 or 2"),
        ({"packed": "no"}, "packed = 'no' is neither true nor false"),
        ({"rules": "chess"}, "'chess'"),
        ({"rules": 7}, "rules = 7 is no rule set"),
        ({"players": ["random"] * 7}, "7"),
        ({"posteriors": "no"}, "posteriors = 'no' is neither true nor false"),
        ({"rules": replace(Rules.hle(2), open_hands=True)}, "open_hands"),
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, Any], told: str) -> None:
    with pytest.raises(InvalidInputError, match=told):
        Expert(**{"players": "random", **change})


def test_arrays_that_do_not_fit_are_refused() -> None:
    expert = Expert("random", SMALL)
    with pytest.raises(InvalidInputError, match="games = -1 is not 0 or more"):
        expert.play(-1)
    moves = expert.new_arrays(50)
    with pytest.raises(InvalidInputError, match="moves: 7 is no Moves"):
        expert.fill(7)  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match=r"actions: int64 \(50,\), not int16 \(50,\)"):
        expert.fill(moves._replace(actions=np.zeros(50, np.int64)))
    with pytest.raises(InvalidInputError, match="not contiguous and writable"):
        expert.fill(moves._replace(masks=np.broadcast_to(np.False_, moves.masks.shape)))


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("form", ["npz", "parquet"])
def test_a_run_that_was_killed_goes_on_to_equal_bytes(tmp_path: Path, form: str) -> None:
    if form == "parquet":
        pytest.importorskip("pyarrow")
    expert = Expert("random", SMALL, seed=4, packed=True, posteriors=form == "parquet")
    write_shards(expert, tmp_path / "whole", 25, shard=4, form=form)

    def kill(done: int, _: int) -> None:
        if done > 12:
            raise KeyboardInterrupt

    broken = tmp_path / "broken"
    with pytest.raises(KeyboardInterrupt):
        write_shards(expert, broken, 25, shard=4, form=form, workers=1, progress=kill)
    (broken / ".part-0123.npz").write_bytes(b"half")
    assert 2 < len(files(broken)) < 8
    assert write_shards(expert, broken, 25, shard=4, form=form, workers=2) < 20
    assert files(broken) == files(tmp_path / "whole")
    whole = expert.play(25)
    for name, array in whole._asdict().items():
        parts = [getattr(moves, name) for moves in read_shards(broken)]
        assert (np.concatenate(parts) == array).all()
        assert parts[0].dtype == array.dtype


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def exchange(path: Path) -> None:
    other = path.with_name(f"games-000000004{path.suffix}")
    both = path.read_bytes(), other.read_bytes()
    other.write_bytes(both[0])
    path.write_bytes(both[1])


def forget(path: Path) -> None:
    (path.parent / experts.CHECKSUMS).unlink()


@pytest.mark.parametrize(("damage", "again"), [(cut, 4), (flip, 4), (exchange, 8), (forget, 10)])
def test_a_damaged_file_is_written_anew(
    tmp_path: Path, damage: Callable[[Path], None], again: int
) -> None:
    """A file that is there may be cut, or hold other games: its checksum decides."""
    expert = Expert("random", SMALL, seed=4, packed=True)
    write_shards(expert, tmp_path, 10, shard=4)
    whole = files(tmp_path)
    damage(tmp_path / "games-000000000.npz")
    assert files(tmp_path) != whole
    assert write_shards(expert, tmp_path, 10, shard=4) == again
    assert files(tmp_path) == whole
    assert write_shards(expert, tmp_path, 10, shard=4) == 0


def test_checksums_are_those_of_the_files(tmp_path: Path) -> None:
    write_shards(Expert("random", SMALL, seed=4), tmp_path, 5, shard=2)
    lines = (tmp_path / experts.CHECKSUMS).read_text().splitlines()
    names = [f"games-{first:09}.npz" for first in (0, 2, 4)]
    assert lines == [
        f"{hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()}  {name}" for name in names
    ]


def test_players_in_python_are_written_too(tmp_path: Path) -> None:
    """They may be played in other processes; a part of a manifest may be left from a kill."""
    expert = Expert("first-legal", SMALL, seed=4)
    assert not expert.is_compiled
    write_shards(expert, tmp_path / "a", 600, shard=300, workers=2)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / ".part-of-a-manifest.json").touch()
    write_shards(expert, tmp_path / "b", 600, shard=300, workers=1)
    assert files(tmp_path / "a") == files(tmp_path / "b")


def test_a_folder_of_other_games_is_refused(tmp_path: Path) -> None:
    write_shards(Expert("random", SMALL, seed=4), tmp_path / "a", 2)
    for other, games, told in (
        (Expert("random", SMALL, seed=5), 2, "seed differs"),
        (Expert("random", SMALL, seed=4), 3, "games differs"),
        (Expert("random", seed=4), 2, "rules differs"),
    ):
        with pytest.raises(InvalidInputError, match=told):
            write_shards(other, tmp_path / "a", games)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "notes.txt").touch()
    with pytest.raises(InvalidInputError, match="the folder is not empty"):
        write_shards(Expert("random", SMALL), tmp_path / "b", 1)
    with pytest.raises(InvalidInputError, match="File exists"):
        write_shards(Expert("random", SMALL), tmp_path / "b" / "notes.txt", 1)
    for name, value in (("games", 0), ("shard", 0), ("form", "csv")):
        given: dict[str, Any] = {"games": 1, name: value}
        with pytest.raises(InvalidInputError, match=f"{name} = "):
            write_shards(Expert("random", SMALL), tmp_path / "c", **given)


def test_damaged_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="holds no games of an expert"):
        next(read_shards(tmp_path))
    write_shards(Expert("random", SMALL), tmp_path, 2)
    shard = tmp_path / "games-000000000.npz"
    shard.write_bytes(shard.read_bytes()[:200])
    with pytest.raises(InvalidInputError, match=r"games-000000000.npz' cannot be read"):
        next(read_shards(tmp_path))
    (tmp_path / experts.MANIFEST).write_text("[1]")
    with pytest.raises(InvalidInputError, match="holds no games of an expert"):
        next(read_shards(tmp_path))
