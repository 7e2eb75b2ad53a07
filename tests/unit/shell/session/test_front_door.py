"""The names that `import hanabi` offers."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

import hanabi
from hanabi.ground.rng import Stream
from hanabi.lab.recorded import Gains, summarize_gains
from hanabi.lab.tournament import Tournament
from hanabi.players import Convention, RuleBased, play_game
from hanabi.reviews.chances import played_out
from hanabi.rules.problem import posed
from hanabi.shell.session.windows import explain_answer, explain_play

GAME = Path(__file__).parents[3] / "data" / "hanab_live" / "games" / "1876746.json"


@pytest.mark.parametrize("name", hanabi.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(hanabi, name) is getattr(hanabi, name)
    assert name in dir(hanabi)
    if name not in ("players", "__version__"):
        assert not isinstance(getattr(hanabi, name), ModuleType)


def test_no_submodule_takes_the_name_of_a_function() -> None:
    code = (
        "import hanabi, pkgutil, importlib\n"
        "for each in pkgutil.walk_packages(hanabi.__path__, 'hanabi.'):\n"
        "    if not each.name.startswith(('hanabi.__main__', 'hanabi.shell.report')):\n"
        "        importlib.import_module(each.name)\n"
        "for name in ('count', 'deal', 'partition', 'read', 'reduce', 'simulate', 'solve'):\n"
        "    assert callable(getattr(hanabi, name)), name\n"
        "assert hanabi.players.PLAYERS\n"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=600)


def test_importing_it_imports_nothing_else() -> None:
    code = (
        "import sys, hanabi\n"
        "print(sorted(name for name in sys.modules if name.startswith('hanabi')))\n"
        "hanabi.read('hand 1 r1 r2')\n"
        "hanabi.count('4x13')\n"
        "hanabi.partition('r y\\n1 0\\n')\n"
        "hanabi.players\n"
        "print([name for name in ('numpy', 'numba', 'pysat') if name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, timeout=600, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == ["['hanabi', 'hanabi._version']", "[]"]


def test_an_unknown_name() -> None:
    with pytest.raises(AttributeError, match="'hanabi' has no attribute 'solv'"):
        _ = hanabi.solv


def test_deals_are_those_of_the_seed_that_simulations_play() -> None:
    deck = hanabi.Rules.hanab_live(3).spec.shuffle(7, 2)
    assert hanabi.deal(players=3, seed=7, index=2).deck == deck
    assert hanabi.deal(3).deck != hanabi.deal(3, seed=1).deck
    assert hanabi.deal(rules=hanabi.Rules.hle(4)).rules == hanabi.Rules.hle(4)
    assert hanabi.deal(2, rules="multicolor").rules == hanabi.Rules.multicolor(2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "no number of players"),
        ({"players": 9}, "9 is not 2 to 6"),
        ({"players": 2, "rules": "x"}, "'x' is not a rule set"),
        ({"players": 3, "rules": hanabi.Rules.hle(4)}, "the rules are for 4"),
        ({"players": 3, "seed": "x"}, "seed = 'x' is not a whole number >= 0"),
        ({"players": 3, "index": -1}, "index = -1 is not a whole number >= 0"),
        ({"players": 3, "rules": {"hint": 3}}, "unknown key 'hint': did you mean 'hints'?"),
    ],
)
def test_tables_that_there_are_not(options: dict[str, object], message: str) -> None:
    with pytest.raises(hanabi.InvalidInputError) as caught:
        hanabi.deal(**options)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_players_by_name_as_objects_and_as_teams() -> None:
    by_name = hanabi.simulate("rule-based", games=1_200, seed=3)
    assert by_name == hanabi.simulate(RuleBased(), seats=3, games=1_200, seed=3)
    assert by_name == hanabi.simulate(["rule-based"] * 3, games=1_200, seed=3)
    assert by_name.games == by_name.deals == 1_200
    mixed = hanabi.simulate(["rule-based", RuleBased()], games=10, rules=hanabi.Rules.official(2))
    assert mixed.games == 10


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        ("nobody", {}, "no player 'nobody'; there are first-legal"),
        (["random"] * 2, {"seats": 3}, "2 players for 3 seats"),
        ([], {}, "0 players for 3 seats"),
        ("random", {"games": 0}, "games = 0 is not a whole number >= 1"),
        ("random", {"seats": 4, "rules": hanabi.Rules.hle(3)}, "the rules are for 3"),
    ],
)
def test_simulations_that_cannot_be(
    players: object, options: dict[str, object], message: str
) -> None:
    with pytest.raises(hanabi.InvalidInputError) as caught:
        hanabi.simulate(players, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)


def reviewed() -> hanabi.GameRecord:
    found = hanabi.read(str(GAME))
    assert isinstance(found, hanabi.GameRecord)
    return found


def late() -> hanabi.Game:
    """Return a late position of players by the convention."""
    end = play_game([Convention()] * 2, hanabi.deal(2, seed=1), Stream(1))
    return posed(end).positions[-3]


STREAM = hanabi.Instance(1, [(0, 2), (0, 1)])
RECORDED = (Gains(("random",), hanabi.Rules.hanab_live(2), 1, baseline="rule-based", orders=2),)
CUP = Tournament(("random", "first-legal"), hanabi.Rules.hanab_live(2), 1)
ANSWERS: dict[str, Callable[[], object]] = {
    "deck": lambda: hanabi.deal(2).deck,
    "read": reviewed,
    "solve": lambda: hanabi.solve(reviewed()),
    "review": lambda: hanabi.review(reviewed(), with_chances=True, with_reasons=True),
    "prospect": lambda: hanabi.review(reviewed()).prospects[0],
    "simulate": lambda: hanabi.simulate("random", games=20),
    "difficulty": lambda: hanabi.difficulty("p2v0s1", games=20, sample=2),
    "advise": lambda: hanabi.advise(late(), partners="convention", games=2),
    "chances": lambda: hanabi.chances(late()),
    "seat": lambda: hanabi.chances(late(), seat=True),
    "partners": lambda: hanabi.chances(late(), partners="convention"),
    "played out": lambda: played_out(late(), "rule-based", games=2),
    "count": lambda: hanabi.count("3,2,2,2,1", hand_size=1),
    "reduce": lambda: hanabi.reduce("p cnf 3 1\n1 2 3 0\n"),
    "partition": lambda: hanabi.partition(hanabi.deal(3, seed=7)),
    "explain": lambda: explain_answer(hanabi.solve("hand 1  r2 y2 r1 y1")),
    "explained play": lambda: explain_play(
        STREAM, hanabi.Play([(1, "store"), (2, "play"), (1, "play")])
    ),
    "gain": lambda: summarize_gains([(work, work.run(0, 4)) for work in RECORDED]),
    "tournament": lambda: CUP.results(lambda work: memoryview(work.run(0, 4)).cast("H")),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_one_short_line(name: str) -> None:
    answer = ANSWERS[name]()
    for text in (str(answer), repr(answer)):
        assert "\n" not in text
        assert 0 < len(text) <= 200


def test_what_an_answer_says() -> None:
    summary = hanabi.simulate("rule-based", games=20, seed=1)
    mean, error = summary.score.value, summary.score.standard_error
    told = f"mean {mean:.3f} +- {error:.3f} in 20 games: 0 perfect, 0 bombed"
    assert (str(summary), repr(summary)) == (told, f"<Summary {told}>")
    assert str(hanabi.simulate("rule-based", games=1)).endswith("in 1 game: 0 perfect, 0 bombed")
    game = hanabi.deal(2, seed=1)
    for _ in range(3):
        game = game.apply(game.legal_actions[0])  # three errors
    told = "3 moves reviewed: 2 moves lost 25 points; best score 25 at the deal, 0 at the end"
    assert str(hanabi.review(game)) == told


def test_counts() -> None:
    answer = hanabi.count([2, 1])
    assert (answer.total, answer.good, answer.bad) == (3, 2, 1)
    assert answer.probability == Fraction(2, 3)
    assert hanabi.count("2,1") == answer
    assert hanabi.count("2,1", colors=2).total == 180
    assert hanabi.count("2,1", hand_size=1).bad == 0
    assert str(hanabi.count("4x3000")).count("\n") == 0
    for given, options in (("", {}), ("4x", {}), ([-1], {}), ("2", {"colors": 0})):
        with pytest.raises(hanabi.InvalidInputError):
            hanabi.count(given, **options)
    with pytest.raises(hanabi.InvalidInputError, match="too large to count"):
        hanabi.count("4x1000000", seconds=1)


def test_partitions_of_tables_and_hands() -> None:
    game = hanabi.deal(3, seed=7)
    assert hanabi.partition(game).size == 2
    assert hanabi.partition(game, side="colors", seat=2).size == 1
    assert hanabi.partition('{"colors": 2, "rows": [[0], [1]]}').parts == ((0,), (1,))
    for given, options in (("r y\n1 0\n", {"seat": 1}), (game, {"seat": 7}), ("none", {})):
        with pytest.raises(hanabi.InvalidInputError):
            hanabi.partition(given, **options)  # type: ignore[arg-type]


def test_what_is_no_formula_is_not_reduced() -> None:
    with pytest.raises(hanabi.InvalidInputError, match="'hand 1 r1' is no formula"):
        hanabi.reduce("hand 1 r1")
    with pytest.raises(hanabi.InvalidInputError, match="variant"):
        hanabi.reduce("p cnf 1 1\n1 0", variant="none")


def test_a_seed_is_read_dealt_and_solved() -> None:
    record = hanabi.read("p3v0s17")
    game = hanabi.deal("p3v0s17")
    assert isinstance(record, hanabi.GameRecord)
    assert record.deck == game.deck
    assert game.rules == hanabi.Rules.hanab_live(3)
    assert hanabi.solve("p3v0s17").replay() == hanabi.solve(game).replay() == 25
    assert hanabi.deal("p3v0s17", rules="official").rules.empty_hints
    with pytest.raises(hanabi.InvalidInputError, match="'p3v0s17' is a seed"):
        hanabi.deal("p3v0s17", seed=1)
    with pytest.raises(hanabi.InvalidInputError, match="'three' is not a seed such as"):
        hanabi.deal("three")
