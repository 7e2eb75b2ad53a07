from __future__ import annotations

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.lab.papers import BEST, TABLE1, Experiment, figure2, figure3, parse_experiment, table1
from hanabi.players import RuleBased, parse_player
from hanabi.players.monte_carlo import MonteCarlo
from hanabi.rules import Rules
from vectors import load_vectors


def test_table_1_is_what_was_printed() -> None:
    cells = {
        (cell["discard"], cell["wp"], cell["hint"]): cell["paper"]
        for cell in load_vectors("rule_players_table1")["cells"]
    }
    points = {tuple(point.at.values()): point.printed for point in table1().points}
    assert points == cells
    assert len(cells) == 48


def test_players_are_those_of_the_coordinates() -> None:
    for point in table1().points:
        player = parse_player(point.player)
        assert isinstance(player, RuleBased)
        assert (player.hint, player.discard) == (point.at["hint"], point.at["discard"])
        assert (player.play, player.useless, player.hinting) == (point.at["play"], 1, 1)
    for point in figure2().points:
        player = parse_player(point.player)
        assert isinstance(player, RuleBased)
        assert (player.hint, player.discard, player.safe) == (3, 2, True)
        assert {name: getattr(player, name) for name in BEST} == point.at


def test_figure_2_has_three_planes_through_the_best_point() -> None:
    points = [point.at for point in figure2().points]
    assert len(points) == 3 * 121 - 3 * 11 + 1
    for name, best in BEST.items():
        assert sum(at[name] == best for at in points) == 121
    printed = {point.at["play"]: point.printed for point in figure2().points if point.printed}
    assert printed == {0.7: TABLE1[2, 0.7][2], 0.6: 15.4, 0.5: TABLE1[2, 0.5][2]}


def test_figure_3_has_two_curves_that_cross() -> None:
    points = [(point.at["turns"], point.at["playouts"]) for point in figure3(full=True).points]
    assert [d for d, playouts in points if playouts == 500] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert {playouts for d, playouts in points if d == 5} == {100 * n for n in range(1, 11)}
    assert figure3(full=True).deals == 100
    for point in figure3().points:
        player = parse_player(point.player)
        assert isinstance(player, MonteCarlo)
        assert (player.turns, player.playouts) == (point.at["turns"], point.at["playouts"])


@pytest.mark.parametrize("experiment", [table1(full=True), figure2(full=True)])
def test_the_papers_size(experiment: Experiment) -> None:
    assert (experiment.deals, experiment.repeats) == (10_000, 10)
    assert experiment.rules == Rules.bergh2016(3)


def test_the_works_of_all_points_are_all_works() -> None:
    few = table1().resized(deals=3, repeats=2, seed=9)
    each = {work for point in few.points for work in few.works(point)}
    assert each == set(few.all_works())
    assert len(each) == 96
    assert {work.seed for work in each} == {9}
    assert few.games == 48 * 6


def test_summaries_are_of_each_points_own_games() -> None:
    few = table1().resized(deals=2, repeats=2)
    best = parse_player("rule-based:hint=3,discard=2,play=0.6")

    def read(work: object) -> list[int]:
        assert hasattr(work, "players")
        is_best = parse_player(work.players[0]) == best
        return [40, 30 + 2 * getattr(work, "repeat", 0)] if is_best else [10, 20]

    for point, summary in zip(few.points, few.summaries(read), strict=True):
        assert summary.games == 4
        assert summary.score.value == ((20 + 15 + 20 + 16) / 4 if point.printed == 15.4 else 7.5)


def test_what_cannot_be_asked_for() -> None:
    with pytest.raises(InvalidInputError, match=r"no experiment 'table2': did you mean 'table1'\?"):
        parse_experiment("table2")
    with pytest.raises(InvalidInputError, match="deals = 0 is less than 1"):
        table1().resized(deals=0)
