"""Experiments on random streams: their works, their rows, and runs that go on after a kill."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from hanabi.ground.errors import InvalidInputError, SolverError, StoreError
from hanabi.lab import Job, Store, key_of, open_executor, run
from hanabi.lab.least_hand import HandsWithCopies, LeastHandLaw, LeastHands, Limits, Threshold
from hanabi.lab.report.least_hand import law_json, threshold_json
from hanabi.solitaire import Instance, least_hand
from hanabi.solitaire.counting.least_hand import (
    sample_least_hands,
    sample_limits,
    share_held,
    share_held_of_two_values,
)
from hanabi.solitaire.counting.playability import least_hands, shuffled_decks, sure_hand
from oracles import solitaire
from processes import only_on_linux, wait_until

LAW = LeastHandLaw(deals=30, lengths=(60, 240), few_values=((2, 50), (3, 40)))
THRESHOLD = Threshold(deals=20, shapes=((2, 4, 2), (3, 3, 2), (5, 5, 2), (2, 3, 3), (9, 2, 2)))


@pytest.fixture(scope="module")
def store() -> Store:
    kept = Store.memory()
    with open_executor("serial") as pool:
        run([*LAW.plan(), *THRESHOLD.plan()], kept, executor=pool)
    return kept


def bounds(work: HandsWithCopies, count: int) -> list[list[int]]:
    return np.frombuffer(work.run(0, count), "<u4").reshape(count, 2).tolist()


def test_records_are_what_the_samplers_draw() -> None:
    hands, limits = LeastHands(30, 3, seed=4), Limits(3, seed=4)
    assert hands.run(5, 7) == sample_least_hands(30, 3, 4, 5, 7).astype("<u4").tobytes()
    assert replace(hands, is_played=True).run(5, 7) == hands.run(5, 7)
    assert limits.run(5, 7) == sample_limits(3, 4, 5, 7).astype("<f8").tobytes()
    for work in (hands, limits, HandsWithCopies(3, 2, 2, seed=4)):
        assert work.run(0, 5) == work.run(0, 2) + work.run(2, 3)
    keys = {key_of(work) for work in (hands, replace(hands, is_played=True), limits)}
    assert len(keys) == 3


@pytest.mark.parametrize(("n", "c", "r"), [(2, 2, 2), (3, 1, 3), (2, 1, 4), (3, 2, 1)])
def test_hands_with_copies_by_the_rules_alone(n: int, c: int, r: int) -> None:
    work = HandsWithCopies(n, c, r, seed=1)
    rows = shuffled_decks([(r,) * n] * c, 1, 0, 12)
    streams = [
        Instance.from_arrays(0, row // n, row % n + 1, n=n, c=c) for row in rows.astype(np.int64)
    ]
    least = [
        next(hand for hand in range(n * c) if solitaire.is_winnable(stream.with_hand_size(hand)))
        for stream in streams
    ]
    assert bounds(work, 12) == [[hand, hand] for hand in least]


@pytest.mark.parametrize(("n", "c", "r"), [(3, 4, 2), (5, 5, 2), (4, 4, 3)])
def test_hands_with_copies_by_exhaustive_search(n: int, c: int, r: int) -> None:
    rows = [(r,) * n] * c
    least = least_hands(rows, range(sure_hand(rows) + 1), 1, 0, 60)
    found = bounds(HandsWithCopies(n, c, r, seed=1), 60)
    assert found == [[hand, hand] for hand in least.tolist()]


@pytest.mark.parametrize("r", [1, 2, 3])
def test_two_values_hold_the_windows_that_must_be(r: int) -> None:
    n, c = 2, 60
    rows = shuffled_decks([(r,) * n] * c, 1, 0, 20).astype(np.int64)
    expected = []
    for row in rows:
        last_two, first_one = np.full(c, -1), np.full(c, len(row))
        for position, card in enumerate(row.tolist()):
            color, value = divmod(card, 2)
            if value:
                last_two[color] = position
            else:
                first_one[color] = min(first_one[color], position)
        times = np.arange(len(row))[:, None]
        held = ((last_two <= times) & (times < first_one)).sum(axis=1)
        expected.append(int(held.max()))
    assert bounds(HandsWithCopies(n, c, r, seed=1), 20) == [[hand, hand] for hand in expected]


def test_many_colors_of_two_values_hold_their_share() -> None:
    c, r = 4_000, 2
    (low, high), *_ = bounds(HandsWithCopies(2, c, r, seed=3), 1)
    assert low == high
    assert low / (4 * c) == pytest.approx(float(share_held_of_two_values(r)), abs=2e-3)


def test_a_swap_of_two_cards_changes_the_least_hand_by_at_most_n() -> None:
    """The step of the proof that the threshold is sharp."""
    rng, n, c, r = random.Random(1), 3, 3, 2
    rows = shuffled_decks([(r,) * n] * c, 5, 0, 40).astype(np.int64)
    swapped = rows.copy()
    for row in swapped:
        i, j = rng.sample(range(len(row)), 2)
        row[i], row[j] = row[j], row[i]
    changes = [abs(hand_of(a, n, c) - hand_of(b, n, c)) for a, b in zip(rows, swapped, strict=True)]
    assert 0 < max(changes) <= n


def test_colors_apart_need_at_least_as_much_as_together() -> None:
    """The step of the proof that the share held has a limit."""
    n, r = 3, 2
    for row in shuffled_decks([(r,) * n] * 4, 5, 0, 25).astype(np.int64):
        halves = [row[row < 2 * n], row[row >= 2 * n] - 2 * n]
        assert hand_of(row, n, 4) <= sum(hand_of(half, n, 2) for half in halves)


def hand_of(row: npt.NDArray[np.int64], n: int, c: int) -> int:
    found = least_hand(Instance.from_arrays(0, row // n, row % n + 1, n=n, c=c), method="paths")
    assert found.is_exact
    assert found.upper is not None
    return found.upper


def test_rows_of_the_law(store: Store) -> None:
    results = LAW.results(store)
    assert len(results.of("limit")) == 16
    assert [(row.n, row.c, row.samples) for row in results.of("streams")] == [
        (N // c, c, 30) for c in range(1, 11) for N in (60, 240)
    ]
    assert results.played == 20 * 30
    limits = {row.c: row for row in results.of("limit")}
    jobs = {job.work: job for job in LAW.plan()}
    for row in results.of("streams"):
        assert row.n is not None
        (job,) = [
            job
            for work, job in jobs.items()
            if isinstance(work, LeastHands)
            and (work.n, work.c, work.is_played) == (row.n, row.c, False)
            and job.items == 30
        ]
        work = job.work
        assert isinstance(work, LeastHands)
        N = row.n * row.c
        hands = sample_least_hands(row.n, row.c, work.seed, 0, 30).astype(float)
        spare = (N - hands) / math.sqrt(N)
        assert row.mean == pytest.approx(spare.mean())
        assert row.standard_error == pytest.approx(spare.std(ddof=1) / math.sqrt(30))
        assert (row.expected, row.N) == (limits[row.c].mean, N)
        assert len(row.quantiles) == 99
        assert (row.exact is not None) == (row.c == 1)
    for row in results.of("held"):
        assert row.n is not None
        assert row.expected == share_held(row.n)
        assert row.mean == pytest.approx(row.expected, abs=0.1)
    assert results.exact[1] == pytest.approx(1.1413, abs=1e-4)
    seeds = [
        (type(job.work), getattr(job.work, "is_played", 0), job.work.config()["seed"])
        for job in LAW.plan()
    ]
    assert len(set(seeds)) == len(seeds)  # rows are independent


def test_the_distance_of_two_samples(store: Store) -> None:
    row = next(row for row in LAW.results(store).of("streams") if (row.c, row.N) == (2, 60))
    seeds = {
        (work.c, work.n): work.seed
        for job in LAW.plan()
        if isinstance(work := job.work, LeastHands) and not work.is_played
    }
    spare = (60 - sample_least_hands(30, 2, seeds[2, 30], 0, 30).astype(float)) / math.sqrt(60)
    (limit,) = [job for job in LAW.plan() if isinstance(job.work, Limits) and job.work.c == 2]
    assert isinstance(limit.work, Limits)
    limits = limit.work.samples(store, limit.items)
    places = [*spare, *limits]
    largest = max(abs((spare <= s).mean() - (limits <= s).mean()) for s in places)
    assert row.distance == pytest.approx(largest)


def test_a_hand_that_the_end_does_not_tell_is_an_error() -> None:
    kept, law = Store.memory(), LeastHandLaw(deals=2, lengths=(60,), few_values=())
    with open_executor("serial") as pool:
        run([job for job in law.plan() if job.items], kept, executor=pool)
    played = law.plan()[-1]
    wrong = Store.memory()
    for job in law.plan():
        key = wrong.add(job.work)
        payload = kept.payload(key, job.items)
        if job == played:
            payload = bytes([payload[0] ^ 1]) + payload[1:]
        wrong.put(key, 0, job.items, payload, seconds=0.0)
    with pytest.raises(SolverError, match="the end of a stream tells another hand"):
        law.results(wrong)


def test_rows_of_the_threshold(store: Store) -> None:
    for row, job in zip(THRESHOLD.results(store), THRESHOLD.plan(), strict=False):
        work = job.work
        assert isinstance(work, HandsWithCopies)
        hands = [low for low, _ in bounds(work, 20)]
        assert (row.n, row.c, row.r, row.N) == (work.n, work.c, work.r, work.N)
        assert (row.open, row.streams) == (0, 20)
        assert row.mean == pytest.approx(np.mean(hands))
        assert [point.hand_size for point in row.points] == sorted({0, *hands})
        for point in row.points:
            assert point.won == sum(hand <= point.hand_size for hand in hands)
        assert row.points[-1].won == 20
        for share in (0.1, 0.5, 0.9, 1.0):
            hand = row.hand_for(share)
            assert sum(each <= hand for each in hands) >= share * 20
            assert not hand or sum(each < hand for each in hands) < share * 20
        assert (row.expected is None) == (row.n != 2)
        assert (row.limit is None) == (row.n <= row.c)


def test_open_streams_are_reported() -> None:
    """Streams that the time leaves open widen the interval, and are counted."""
    kept, threshold = Store.memory(), Threshold(deals=4, shapes=((3, 3, 2),))
    (job,) = threshold.plan()
    found = np.array([[1, 1], [1, 3], [2, 2], [0, 4]], "<u4")  # all of 0 .. 4 occur
    kept.put(kept.add(job.work), 0, 4, found.tobytes(), seconds=1.0)
    (row,) = threshold.results(kept)
    assert (row.open, row.mean) == (2, 2.5)
    assert [point.won for point in row.points] == [0, 1, 2, 3, 4]
    sure = Threshold(deals=4, shapes=((3, 3, 2),))
    exact = Store.memory()
    exact.put(exact.add(job.work), 0, 4, np.repeat(found[:, :1], 2, axis=1).tobytes(), seconds=1.0)
    (best,) = sure.results(exact)
    for point, other in zip(row.points, best.points, strict=False):
        assert point.high == other.high


def test_what_the_time_leaves_open_has_bounds() -> None:
    (pair,) = bounds(HandsWithCopies(12, 12, 3, seed=1, seconds=0.0), 1)
    (exact,) = bounds(HandsWithCopies(12, 12, 3, seed=1), 1)
    assert exact[0] == exact[1]
    assert pair[0] < pair[1]
    assert pair[0] <= exact[0] <= pair[1]


@pytest.mark.parametrize("experiment", [LAW, THRESHOLD])
def test_sizes_out_of_range(experiment: LeastHandLaw | Threshold) -> None:
    for wrong, message in (
        ({"deals": 1}, "deals = 1 is not in 2"),
        ({"deals": 10**7}, "deals = 10000000 is not in 2"),
        ({"repeats": 3}, "repeats = 3: a stream has one least hand"),
        ({"seed": 2**64}, "is not in 0"),
    ):
        with pytest.raises(InvalidInputError, match=message):
            experiment.resized(**wrong)
    assert experiment.resized(deals=7, seed=3).size.endswith("seed 3")


def data_of(store: Store) -> tuple[str, str]:
    return law_json(LAW, LAW.results(store)), threshold_json(THRESHOLD, THRESHOLD.results(store))


def test_an_interrupted_run_goes_on_to_the_same_results(store: Store, tmp_path: Path) -> None:
    plan: list[Job] = [*LAW.plan(), *THRESHOLD.plan()]
    for stop in (40, 1_000, 20_000, 10**9):
        with Store(tmp_path / "a.store") as kept:

            def interrupt(done: object, stop: int = stop) -> None:
                if done.fresh >= stop:  # type: ignore[attr-defined]
                    raise KeyboardInterrupt

            try:
                with open_executor("threads", 2) as pool:
                    run(plan, kept, executor=pool, progress=interrupt)
            except KeyboardInterrupt:
                with pytest.raises(StoreError, match="is not done"):
                    data_of(kept)
    with Store(tmp_path / "a.store") as kept:
        found = data_of(kept)
    assert found == data_of(store)
    assert json.loads(found[0])["played"] == 600


SHAPES = ((5, 5, 2), (4, 6, 2), (5, 8, 2))
SCRIPT = f"""
import sys
from hanabi.lab import papers
from hanabi.lab.least_hand import Threshold
papers.EXPERIMENTS = {{"threshold": lambda full: Threshold(shapes={SHAPES})}}
from hanabi.front.app import main
raise SystemExit(main(sys.argv[1:]))
"""


@only_on_linux
def test_a_killed_command_goes_on_to_the_same_results(tmp_path: Path) -> None:
    path = tmp_path / "a.store"
    words = ["paper", "threshold", "-n", "40", "--executor", "serial", "--store", str(path)]
    command = [sys.executable, "-c", SCRIPT, *words, "--out", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_until(lambda: items_in(path) > 5)
        process.kill()
    assert not (tmp_path / "threshold.json").exists()
    assert 5 < items_in(path) < 120
    threshold, results = Threshold(deals=40, shapes=SHAPES), []
    with Store(path) as killed, open_executor("serial") as pool:
        for kept in (killed, Store.memory()):
            run(threshold.plan(), kept, executor=pool)
            results.append(threshold_json(threshold, threshold.results(kept)))
    assert results[0] == results[1]


def items_in(path: Path) -> int:
    try:
        with Store(path, must_exist=True) as store:
            return sum(work.items for work in store.works())
    except StoreError:  # it is being made
        return 0
