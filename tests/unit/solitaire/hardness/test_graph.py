"""Graphs with classes: the reader, cliques and counters."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from hanabi.front.app import main
from hanabi.ground.errors import InvalidInputError
from hanabi.shell.viewer.view import view_html
from hanabi.solitaire.hardness import (
    Annotation,
    Graph,
    random_graph,
    read_graph,
    reduce,
    stream_of,
    winning_play,
)

TEXT = """c three classes
p edge 5 4
n 1 1
n 2 1
n 3 2
n 4 2
n 5 3
e 1 3
e 3 1
e 1 5
e 3 5
"""
GRAPH = Graph((1, 1, 2, 2, 3), ((1, 3), (3, 1), (1, 5), (3, 5)))

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_it(*words: object) -> tuple[int, str, str]:
        status = main([str(word) for word in words])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run_it


def test_a_graph_is_read_in_any_order_of_its_lines() -> None:
    assert read_graph(TEXT.splitlines()) == GRAPH
    head, *rest = TEXT.splitlines()[1:]
    assert read_graph([head.replace("edge", "col"), "", *rest[5:], *rest[:5]]) == GRAPH


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (TEXT, "", "no header `p edge VERTICES EDGES`"),
        ("p edge 5 4\n", "", "line 2: 'n' before the header"),
        ("p edge 5 4", "p cnf 5 4", "line 2: 'p cnf 5 4' is not `p edge"),
        ("p edge 5 4", "p edge 5", "line 2: 'p edge 5' is not `p edge"),
        ("p edge 5 4", "p edge 0 4", "line 2: '0' is not a number in 1 .. 100000"),
        ("p edge 5 4", "p edge 99999999999 4", "line 2: '99999999999' is not a number"),
        ("n 1 1", "p edge 5 4", "line 3: a second header"),
        ("n 2 1", "n 1 2", "line 4: a second class for vertex 1"),
        ("n 2 1\n", "", "line 10: the end, and vertex 2 has no line `n 2 CLASS`"),
        ("n 2 1", "n 6 1", "line 4: '6' is not a number in 1 .. 5"),
        ("n 2 1", "n 2 x", "line 4: 'x' is not a number in 1 .. 5"),
        ("n 5 3", "n 5 4", "no vertex has class 3 of 4"),
        ("e 1 3", "e 1 1", "line 8: 1 is joined to itself"),
        ("e 1 3", "e 1 3 2", "line 8: 'e 1 3 2' is not `n VERTEX CLASS` or `e VERTEX VERTEX`"),
        ("e 1 3", "a 1 3", "line 8: 'a 1 3' is not"),
        ("e 1 3", "e 1 +3", r"line 8: '\+3' is not a number"),
        ("e 1 3\n", "", "line 10: the end after 3 edges; the header says 4"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        read_graph(TEXT.replace(old, new, 1).splitlines())


@pytest.mark.parametrize(
    ("classes", "edges", "message"),
    [
        ((), (), "a graph without vertices"),
        ((1, 0), (), "vertex 2: class 0 is not in 1 .. 2"),
        ((1, 3, 3), (), "no vertex has class 2 of 3"),
        ((1, 2), ((1, 3),), r"edge \(1, 3\): vertex 3 is not in 1 .. 2"),
        ((1, 2), ((2, 2),), r"edge \(2, 2\): it joins a vertex to itself"),
    ],
)
def test_graphs_that_are_none_are_refused(
    classes: tuple[int, ...], edges: tuple[tuple[int, int], ...], message: str
) -> None:
    with pytest.raises(InvalidInputError, match=message):
        Graph(classes, edges)


def test_cliques_satisfy_the_formula_of_the_counters_and_nothing_else_does() -> None:
    for seed in range(30):
        graph = random_graph((2, 3, 1), density=0.6, seed=seed)
        for vertices in product(*graph.members):
            values = graph.values_of(vertices)
            assert graph.clique_of(values) == vertices
            assert graph.formula.satisfied_by(values) == graph.is_clique(vertices)
    for wrong in ((1, 2, 5), (1, 3), (1, 3, 6)):
        assert not GRAPH.is_clique(wrong)
        with pytest.raises(InvalidInputError, match="not one vertex of each of the 3 classes"):
            GRAPH.values_of(wrong)


def test_sizes_are_known_before_the_cards_are_laid_out() -> None:
    for seed in range(5):
        graph = random_graph((1, 3, 2), density=0.5, seed=seed)
        reduction = reduce(graph, variant="clique")
        assert (reduction.c, reduction.hand_size, reduction.r) == (8, 1, 2)
        assert reduction.missing_card() is None
        assert max(reduction.values) == reduction.n
    # Laid out, these would be more cards than memory.
    with pytest.raises(InvalidInputError, match=r"more than 2\*\*31"):
        stream_of(Graph((1,) * 50_000 + (2,) * 50_000, ()), variant="clique")


def test_a_problem_goes_with_its_variant() -> None:
    with pytest.raises(InvalidInputError, match="'paper' takes a formula, not a graph"):
        reduce(GRAPH)
    with pytest.raises(InvalidInputError, match="'clique' takes a graph, not a formula"):
        reduce(GRAPH.formula, variant="clique")


def test_a_clique_by_every_command(tmp_path: Path, run: Run) -> None:
    graph, cards, answer = (tmp_path / name for name in ("a.col", "cards.json", "answer.json"))
    graph.write_text(TEXT, encoding="utf-8")
    assert run("reduce", "--variant", "clique", graph, "-o", cards) == (0, "", "")
    data = json.loads(cards.read_text(encoding="utf-8"))
    assert Annotation.from_json(data["annotation"]).graph == GRAPH
    status, out, _ = run("solve", cards, "--json")
    answer.write_text(out, encoding="utf-8")
    solved = json.loads(out)
    assert (status, solved["status"]) == (0, "winnable")
    assert (solved["clique"], solved["is_clique"]) == ([1, 3, 5], True)
    assert "clique      1 3 5\n" in run("verify", cards, answer)[1]
    explained = run("explain", cards, "--play", answer)[1].replace("\n", " ")
    assert "clique      1 3 5" in explained
    assert "if the graph of 5 vertices and 4 edges has a clique with one vertex of" in explained
    assert "K1 counter set" in explained
    assert run("explain", graph, "--variant", "clique")[0] == 0
    page = view_html(cards)
    assert "A graph as cards" in page
    assert run("view", graph, "--variant", "clique", "-o", tmp_path / "a.html")[0] == 0
    shown = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert "The play shows the vertices 1, 3, 5." in shown


def test_a_clique_by_two_colors_is_printed(tmp_path: Path, run: Run) -> None:
    graph, cards = tmp_path / "a.col", tmp_path / "cards.json"
    graph.write_text(TEXT, encoding="utf-8")
    variant = ("--variant", "two_colors_by_hand", "--rounds", "1")
    assert run("reduce", *variant, graph, "-o", cards) == (0, "", "")
    assert json.loads(run("solve", cards, "--json")[1])["clique"] == [1, 3, 5]
    assert "K1 blank unit" in run("explain", cards, "--last", "20")[1]


def test_an_independent_set_by_every_command(tmp_path: Path, run: Run) -> None:
    graph, cards, play = (tmp_path / name for name in ("a.col", "cards.json", "play.json"))
    graph.write_text("p edge 4 3\ne 1 2\ne 2 3\ne 2 4\n", encoding="utf-8")
    assert run("reduce", "--variant", "most_cards_two_copies", graph, "-o", cards) == (0, "", "")
    solved = json.loads(run("solve", cards, "--most-cards", "--json")[1])
    assert (solved["status"], solved["most_cards"]) == ("unwinnable", 2 * 4 + 3 * 3 + 3)
    assert solved["independent_set"] == [1, 3, 4]
    assert "independent 3 vertices: 1 3 4\n" in run("solve", cards, "--most-cards")[1]
    data = json.loads(cards.read_text(encoding="utf-8"))
    annotation = Annotation.from_json(data["annotation"])
    reduction = reduce(annotation.problem, variant=annotation.variant)
    two = winning_play(reduction, (True, False, False, True))
    play.write_text(json.dumps(two.to_json()), encoding="utf-8")
    explained = run("explain", cards, "--play", play)[1].replace("\n", " ")
    assert "At least 17 + s cards can be played exactly if the graph of 4 vertices" in explained
    assert "has an independent set of s vertices." in explained
    assert "independent 2 vertices: 1 4" in explained
    assert "The play shows the vertices 1, 3, 4." in view_html(cards)
    data["annotation"]["colors"][0] = "x"
    cards.write_text(json.dumps(data), encoding="utf-8")
    assert "variable 1 has no color" in run("explain", cards)[2]


def test_a_play_of_changed_cards_is_no_clique(tmp_path: Path, run: Run) -> None:
    cards = tmp_path / "cards.json"
    data = json.loads(_reduced(run, tmp_path))
    data["annotation"]["edges"] = [[1, 3], [2, 3]]
    cards.write_text(json.dumps(data), encoding="utf-8")
    assert json.loads(run("solve", cards, "--json")[1])["is_clique"] is False
    assert "no clique, so the cards are no sound reduction" in run("solve", cards)[1].replace(
        "\n            ", " "
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"classes": [1, 1, 2, 2, 5]}, "no vertex has class 3 of 5"),
        ({"classes": "x"}, "annotation.classes: 'x' is not an array"),
        ({"edges": [[1]]}, r"edge [1]: not two vertices"),
        ({"classes": [1] * 300 + [2] * 300, "edges": []}, "cards are too few for its graph"),
        ({"colors": ["a"] * 8}, "no color is 'class 1'"),
    ],
)
def test_a_broken_annotation(
    tmp_path: Path, run: Run, change: dict[str, object], message: str
) -> None:
    cards = tmp_path / "cards.json"
    data = json.loads(_reduced(run, tmp_path))
    data["annotation"].update(change)
    cards.write_text(json.dumps(data), encoding="utf-8")
    status, _, error = run("explain", cards)
    assert (status, message in error) == (2, True), error


def _reduced(run: Run, folder: Path) -> str:
    graph = folder / "a.col"
    graph.write_text(TEXT, encoding="utf-8")
    return run("reduce", "--variant", "clique", graph)[1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["reduce"], "it is a graph, which is for variant 'clique'"),
        (["explain"], "it is a graph, which is for variant 'clique'"),
        (["solve"], '"hanabi reduce --variant clique" makes cards of it'),
        (["sat"], "line 2: 'p edge 5 4' is not `p cnf VARIABLES CLAUSES`"),
    ],
)
def test_a_graph_where_a_formula_is_expected(
    tmp_path: Path, run: Run, words: list[str], message: str
) -> None:
    graph = tmp_path / "a.col"
    graph.write_text(TEXT, encoding="utf-8")
    status, _, error = run(*words, graph)
    assert (status, error.count("\n"), message in error) == (2, 1, True), error


def test_a_formula_where_a_graph_is_expected(tmp_path: Path, run: Run) -> None:
    formula = tmp_path / "a.cnf"
    formula.write_text("p cnf 1 1\n1 0\n", encoding="utf-8")
    status, _, error = run("reduce", "--variant", "clique", formula)
    assert (status, "it is a formula, and variant 'clique' takes a graph" in error) == (2, True)
