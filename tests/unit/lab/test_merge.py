"""Runs cut into parts, and the stores of the parts merged: equal to one run, or refused."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hanabi.ground.errors import InvalidInputError, StoreError
from hanabi.lab import Job, Progress, Simulation, Store, key_of, open_executor, run, unfinished
from hanabi.rules import Rules
from processes import only_on_linux, wait_until

from .works import Squares, squares

JOB = Job(Squares(), 200)
KEY = key_of(JOB.work)


def done(plan: list[Job]) -> Store:
    store = Store.memory()
    with open_executor("serial") as pool:
        run(plan, store, executor=pool)
    return store


@pytest.mark.parametrize("of", [1, 3, 7, 300])
def test_parts_are_the_whole(of: int) -> None:
    parts = [JOB.part(number, of) for number in range(1, of + 1)]
    assert [each.first for each in parts[1:]] == [each.items for each in parts[:-1]]
    assert (parts[0].first, parts[-1].items) == (0, 200)
    assert max(each.items - each.first for each in parts) <= 200 // of + 1
    assert [JOB.part(2, 4).part(i, 2).first for i in (1, 2)] == [50, 75]


@pytest.mark.parametrize(("number", "of"), [(0, 3), (4, 3), (1, 0), (-1, 3)])
def test_there_is_no_such_part(number: int, of: int) -> None:
    with pytest.raises(InvalidInputError, match="part"):
        JOB.part(number, of)
    with pytest.raises(InvalidInputError, match="first = 4 is not"):
        Job(Squares(), 3, first=4)


def test_merged_parts_equal_one_run() -> None:
    work = Simulation(("random",), Rules.official(2), seed=1)
    whole, key = Job(work, 50), key_of(work)
    stores = [done([whole.part(number, 3)]) for number in (3, 1, 2)]
    assert [unfinished([whole], each) for each in stores] == [33, 34, 33]
    merged = Store.memory()
    assert merged.merge(*stores) == 50
    assert merged.payload(key, 50) == done([whole]).payload(key, 50)
    assert unfinished([whole], merged) == 0
    assert merged.works()[0].seconds == pytest.approx(sum(s.works()[0].seconds for s in stores))
    assert merged.merge(*stores) == 0


def test_a_plan_may_name_the_parts_of_one_work() -> None:
    told: list[Progress] = []
    store = Store.memory()
    plan = [JOB.part(2, 2), JOB.part(1, 2), JOB]
    with open_executor("serial") as pool:
        run(plan, store, executor=pool, progress=told.append)
    assert (told[-1].fresh, told[-1].done, told[-1].total) == (200, 400, 400)
    assert store.payload(KEY, 200) == squares(0, 200)


def test_any_overlap_is_compared() -> None:
    """Random chunks of one to three stores, right or with one wrong item, against a dictionary."""
    rng = random.Random(3)
    width = len(squares(0, 1))
    conflicts = 0
    for _ in range(300):
        known: dict[int, bytes] = {}
        stores, is_wrong = [], False
        for _ in range(3):
            store = Store.memory()
            store.add(Squares())
            for _ in range(rng.randrange(3)):
                first, count = rng.randrange(12), rng.randrange(1, 6)
                payload = bytearray(squares(first, count))
                if rng.random() < 0.1:
                    payload[rng.randrange(len(payload))] ^= 1
                store.put(KEY, first, count, bytes(payload), seconds=0.1)
            for chunk, payload_ in store._read(KEY)[0]:
                for place in range(chunk.count):
                    record = payload_[place * width : (place + 1) * width]
                    item = chunk.first + place
                    is_wrong = is_wrong or known.setdefault(item, record) != record
            stores.append(store)
        conflicts += is_wrong
        target, *others = stores
        before = target.chunks(KEY)
        if is_wrong:
            with pytest.raises(StoreError, match=r"item \d+ of the work"):
                target.merge(*others)
            assert target.chunks(KEY) == before
            continue
        held = sum(count for _, count in target.ranges(KEY))
        assert target.merge(*others) == len(known) - held
        for first, count in target.ranges(KEY):
            assert {*range(first, first + count)} <= known.keys()
        assert sum(count for _, count in target.ranges(KEY)) == len(known)
    assert 10 < conflicts < 200


def test_a_conflict_is_named_and_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Store("a.store") as good, Store("b.store") as bad:
        key = good.add(Squares())
        bad.add(Squares())
        other = bad.add(Simulation(("random",), Rules.official(2), seed=1))
        bad.put(other, 0, 1, b"ab", seconds=0.1)
        good.put(key, 0, 4, squares(0, 4), seconds=0.1)
        wrong = bytearray(squares(2, 4))
        wrong[len(squares(2, 1))] ^= 1
        bad.put(key, 2, 4, bytes(wrong), seconds=0.1)
        with pytest.raises(StoreError) as error:
            good.merge(bad)
        message = str(error.value)
        assert "store 'b.store' contradicts 'a.store'" in message
        assert f"item 3 of the work '{key}' has another result; nothing is merged" in message
        assert [each.key for each in good.works()] == [key]
        bad.put(key, 2, 4, b"12345678" * 9, seconds=0.1)
        with pytest.raises(StoreError, match="records of the work"):
            good.merge(bad)


def test_damage_is_left_out_and_mended(tmp_path: Path) -> None:
    with Store(tmp_path / "a.store") as broken, Store(tmp_path / "b.store") as whole:
        for store in (broken, whole):
            store.add(Squares())
            store.put(KEY, 0, 4, squares(0, 4), seconds=0.1)
        broken._file.query("UPDATE chunks SET payload = zeroblob(length(payload))")
        assert Store.memory().merge(broken) == 0
        assert len(broken.damaged) == 1
        assert broken.merge(whole) == 4
        assert broken.payload(KEY, 4) == squares(0, 4)


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[2])
from hanabi.lab import Job, Store, open_executor, run
from works import Squares

job = Job(Squares(pause=0.002), 1_000, chunk=8).part(2, 2)
with Store(sys.argv[1]) as store, open_executor("serial") as pool:
    run([job], store, executor=pool)
"""


@only_on_linux
def test_a_part_that_is_killed_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "2.store"
    whole = Job(Squares(), 1_000)

    def items() -> int:
        try:
            with Store(path, must_exist=True) as store:
                return sum(count for _, count in store.ranges(KEY))
        except StoreError:  # it is being made
            return 0

    words = [sys.executable, "-c", SCRIPT, str(path), str(Path(__file__).parent)]
    with subprocess.Popen(words) as process:
        wait_until(lambda: items() > 0)
        process.send_signal(signal.SIGKILL)
    before = items()
    assert 0 < before < 500
    with Store(path) as second, open_executor("serial") as pool:
        run([whole.part(2, 2)], second, executor=pool)
        merged = Store.memory()
        assert merged.merge(second, done([whole.part(1, 2)])) == 1_000
        assert merged.payload(KEY, 1_000) == squares(0, 1_000)


def test_a_job_array_by_the_command(tmp_path: Path) -> None:
    from hanabi.front.app import main

    def hanabi(*words: object) -> int:
        return main([*map(str, words), "-j", "1"] if words[0] != "results" else [*map(str, words)])

    words = ("tournament", "random", "first-legal", "-n", 9, "--seed", 4)
    whole, parts = tmp_path / "whole.store", [tmp_path / f"{i}.store" for i in (1, 2)]
    assert hanabi(*words, "--store", whole) == 0
    for number, store in enumerate(parts, start=1):
        assert hanabi(*words, "--part", f"{number}/2", "--store", store) == 0
    assert hanabi("results", "merge", tmp_path / "all.store", *parts) == 0
    with Store(whole) as one, Store(tmp_path / "all.store") as all_:
        assert len(one.works()) == 4
        for work in one.works():
            assert all_.payload(work.key, 9) == one.payload(work.key, 9)


def test_parts_write_their_games(tmp_path: Path) -> None:
    from hanabi.front.app import main

    words = ["simulate", "first-legal", "-n", "5", "--repeat", "2", "--seed", "4", "-j", "1"]
    texts = []
    for more in ([], ["--part", "1/2"], ["--part", "2/2"]):
        name = tmp_path / "-".join(["a", *more]).replace("/", "")
        files = ["--store", f"{name}.store", "--games-out", f"{name}.jsonl"]
        assert main([*words, *more, *files]) == 0
        texts.append(Path(f"{name}.jsonl").read_text().splitlines())
    whole, *parts = texts
    assert [len(each) for each in parts] == [4, 6]
    assert sorted(parts[0] + parts[1]) == sorted(whole)
    with Store.memory() as merged:
        merged.merge(*(Store(each) for each in sorted(tmp_path.glob("*part*.store"))))
        assert [each.items for each in merged.works()] == [5, 5]
        key = merged.works()[0].key
        assert merged.payload(key, 5, first=2) == merged.payload(key, 5)[2 * 220 :]
        with pytest.raises(StoreError, match="item 5 of 6"):
            merged.payload(key, 6, first=5)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["simulate", "random", "--part", "3/2"], "'3/2' is not a part, such as 2/8"),
        (["simulate", "random", "--part", "1/2", "--seed", "1"], "--part: give --store FILE"),
        (["simulate", "random", "--part", "1/2", "--store", "a.store"], "--part: give --seed"),
        (
            [
                "tournament",
                "random",
                "first-legal",
                "--part",
                "1/2",
                "--store",
                "a.store",
                "--seed",
                "1",
                "--until-clear",
            ],
            "--until-clear needs all parts",
        ),
        (["results", "merge", "a.store"], "name the store to write, and the stores to add"),
        (["results", "merge", "a.store", "none.store"], "there is no store 'none.store'"),
        (["results", "merge", "a.store", "b.store", "--games"], "results merge takes no --games"),
    ],
)
def test_bad_words(
    words: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from hanabi.front.app import main

    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert message in err
    assert (out, err.count("\n"), [*tmp_path.iterdir()]) == ("", 1, [])


def test_the_command_says_what_it_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from hanabi.front.app import main

    store = str(tmp_path / "2.store")
    words = ["simulate", "random", "-n", "10", "--seed", "1", "--part", "2/3", "-j", "1"]
    assert main([*words, "--store", store, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"part": 2, "parts": 3, "first": 3, "deals": 3}
    assert main(["results", "merge", str(tmp_path / "all.store"), store, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["works"], told["items"], told["new"]) == (1, 3, 3)
    assert main(["results", "merge", store, store]) == 2
