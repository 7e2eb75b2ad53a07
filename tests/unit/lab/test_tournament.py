from __future__ import annotations

from statistics import fmean

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.lab import Job, Simulation, Store, open_executor, outcomes, run
from hanabi.lab.tournament import Tournament
from hanabi.players import FirstLegal, Player, RandomLegal, RuleBased, simulate
from hanabi.rules import Rules

NAMES = ("random", "first-legal")
PLAYERS: tuple[Player, ...] = (RandomLegal(), FirstLegal())


def test_the_stranger_sits_at_each_seat() -> None:
    cup = Tournament(NAMES, Rules.official(3), seed=1)
    teams = [work.players for work in cup.works(1, 0)]
    assert teams == [
        ("first-legal", "random", "random"),
        ("random", "first-legal", "random"),
        ("random", "random", "first-legal"),
    ]
    assert [work.players for work in cup.works(1, 1)] == [("first-legal",)]
    assert len([*cup.all_works()]) == 2 + 2 * 3


def test_with_two_seats_strangers_and_hosts_are_alike() -> None:
    cup = Tournament((*NAMES, "rule-based"), Rules.official(2), seed=1)
    works = [*cup.all_works()]
    assert len(works) == len(set(works)) == 3 + 6
    assert set(cup.works(0, 2)) == set(cup.works(2, 0))


def test_results_are_those_of_the_games() -> None:
    rules, deals = Rules.bergh2016(3), 6
    cup = Tournament(NAMES, rules, seed=5)
    plan = [Job(work, deals) for work in cup.all_works()]
    store = Store.memory()
    with open_executor("serial") as pool:
        run(plan, store, executor=pool)
    results = cup.results(lambda work: outcomes(store, Job(work, deals)))
    tallies = {}
    for stranger in (0, 1):
        for host in (0, 1):
            teams = [
                [PLAYERS[stranger] if s == seat else PLAYERS[host] for s in range(3)]
                for seat in range(3)
            ]
            tallies[stranger, host] = [simulate(team, rules, deals, seed=5) for team in teams]
            cell = results.cells[stranger][host]
            assert cell is not None
            assert cell.kept.value == pytest.approx(
                fmean(tally.kept.mean for tally in tallies[stranger, host])
            )
            assert cell.deals == deals
    alone = results.alone[0, 1]
    assert alone.difference.value == pytest.approx(
        tallies[0, 0][0].zeroed.mean - tallies[1, 1][0].zeroed.mean
    )
    joined = results.welcome[0][1]
    assert joined is not None
    assert joined.difference.value == pytest.approx(
        fmean(tally.zeroed.mean for tally in tallies[0, 1]) - tallies[1, 1][0].zeroed.mean
    )
    assert results.welcome[1][1] is None


def test_each_comparison_is_of_its_own_teams() -> None:
    cup = Tournament(NAMES, Rules.official(2), seed=1)
    points = {
        ("random",): [2, 4],
        ("first-legal",): [6, 6],
        ("random", "first-legal"): [5, 4],
        ("first-legal", "random"): [5, 2],
    }

    def read(work: Simulation) -> list[int]:
        return [2 * each for each in points[work.team()]]

    results = cup.results(read)
    assert results.alone[0, 1].difference.value == 3 - 6
    for stranger, host, change in ((0, 1, 4 - 6), (1, 0, 4 - 3)):
        welcome = results.welcome[stranger][host]
        assert welcome is not None
        assert welcome.difference.value == change


@pytest.mark.parametrize(
    ("players", "seats", "message"),
    [
        ((), 2, "two players or more"),
        (("random",), 2, "two players or more"),
        (("random", "first-legal"), 1, "two seats or more"),
        (("rule-based", "random", "rule-based:hint=3"), 2, "players 1 and 3 are the same"),
        (("random", "nobody"), 2, "no player 'nobody'"),
    ],
)
def test_what_is_no_tournament(players: tuple[str, ...], seats: int, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        Tournament(players, Rules.official(seats), seed=1)


def test_in_a_gauntlet_only_the_first_meets_the_others() -> None:
    rules, deals = Rules.official(2), 4
    names = ("random", "first-legal", "rule-based")
    cup, full = (Tournament(names, rules, seed=1, is_gauntlet=each) for each in (True, False))
    assert len([*cup.all_works()]) == 3 + 4
    plan = [Job(work, deals) for work in full.all_works()]
    store = Store.memory()
    with open_executor("serial") as pool:
        run(plan, store, executor=pool)
    ours, theirs = (
        each.results(lambda work: outcomes(store, Job(work, deals))) for each in (cup, full)
    )
    assert [*ours.alone] == [(0, 1), (0, 2)]
    for a, row in enumerate(ours.cells):
        for b, cell in enumerate(row):
            meets = a == b or 0 in (a, b)
            assert cell == (theirs.cells[a][b] if meets else None)
            assert ours.welcome[a][b] == (theirs.welcome[a][b] if meets else None)


def test_at_an_open_table_partners_only_join() -> None:
    rules, deals = Rules.bergh2016(4), 5
    cup = Tournament((*NAMES, "rule-based"), rules, seed=5, partners=1)
    teams = [work.players for work in cup.works(2, 0, 2)]
    assert teams == [
        ("rule-based", "rule-based", "random", "random"),
        ("random", "rule-based", "rule-based", "random"),
        ("random", "random", "rule-based", "rule-based"),
        ("rule-based", "random", "random", "rule-based"),
    ]
    assert [(a, b) for a in range(3) for b in range(3) if cup.meets(a, b) and a != b] == [
        (2, 0),
        (2, 1),
    ]
    works = [*cup.all_works()]
    assert len(works) == len(set(works)) == 3 + 2 * (4 + 4)
    plan, store = [Job(work, deals) for work in works], Store.memory()
    with open_executor("serial") as pool:
        run(plan, store, executor=pool)
    cells = {each[:3]: each[3] for each in cup.open_teams(lambda w: outcomes(store, Job(w, deals)))}
    assert [*cells] == [(0, 0, 0), (0, 2, 1), (0, 2, 2), (1, 1, 0), (1, 2, 1), (1, 2, 2), (2, 2, 0)]
    partner = RuleBased()
    for host, player in enumerate(PLAYERS):
        for count in (1, 2):
            team = [partner] * count + [player] * (4 - count)
            tallies = [
                simulate(team[-seat:] + team[:-seat], rules, deals, seed=5) for seat in range(4)
            ]
            cell = cells[host, 2, count]
            assert cell.games == 4 * deals
            assert cell.kept.value == pytest.approx(fmean(tally.kept.mean for tally in tallies))


@pytest.mark.parametrize(("seats", "counts"), [(2, [1]), (3, [1, 2]), (5, [1, 2])])
def test_two_partners_join_from_three_seats_on(seats: int, counts: list[int]) -> None:
    assert [*Tournament(NAMES, Rules.official(seats), seed=1, partners=1).counts] == counts
    assert [*Tournament(NAMES, Rules.official(seats), seed=1).counts] == [1]


def test_somebody_sits_at_an_open_table() -> None:
    with pytest.raises(InvalidInputError, match="a player or more beside partners"):
        Tournament(NAMES, Rules.official(2), seed=1, partners=2)
