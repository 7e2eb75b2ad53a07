"""Decks that are dealt only if they can be won."""

from __future__ import annotations

import csv
import json
from itertools import count
from pathlib import Path

import pytest

from hanabi import deal, solve
from hanabi.ground.errors import InvalidInputError
from hanabi.rules import Game, Rules
from hanabi.shell.session.tables import MOST_PASSED_OVER, winnable_games

from ...conftest import Run

LOST = Path(__file__).parents[4] / "docs" / "data" / "lost-no-variant.csv"


def lost_seeds() -> list[str]:
    with LOST.open(encoding="utf-8") as stream:
        return [row["seed"] for row in csv.DictReader(stream)]


def test_lost_seeds_of_a_range_are_left_out(run: Run) -> None:
    lines = run("deck", "p2v0s210..260", "--winnable", "--json").out.splitlines()
    found = {json.loads(line)["seed"]: json.loads(line)["passed_over"] for line in lines}
    lost = set(lost_seeds())
    assert list(found) == [seed for n in range(210, 261) if (seed := f"p2v0s{n}") not in lost]
    assert sum(found.values()) == 51 - len(found) == 3


def test_a_lost_seed_gives_the_next_that_can_be_won(run: Run) -> None:
    lost = set(lost_seeds())
    for seed in [seed for seed in lost_seeds() if seed.startswith("p2v0s")][:4]:
        head = run("deck", seed, "--winnable").out.splitlines()[0]
        number = int(seed.removeprefix("p2v0s"))
        following = next(n for n in count(number) if f"p2v0s{n}" not in lost)
        passed = following - number
        assert head == f"# p2v0s{following} ({passed} deck{'s' * (passed > 1)} skipped)"
        assert deal(seed, winnable=True).deck == deal(f"p2v0s{following}").deck


def test_seeded_decks_of_any_variant_are_sifted_by_their_own_rules(
    run: Run, tmp_path: Path
) -> None:
    options = ("--players", "2", "--variant", "Black & Dark Rainbow (6 Suits)", "--seed", "1")
    outcome = run("deck", *options, "--winnable", "--count", "3", "--json")
    rules = Rules.hanab_live(2, variant="Black & Dark Rainbow (6 Suits)")
    place = -1
    for line in outcome.out.splitlines():
        record = json.loads(line)
        lost = range(place + 1, place + 1 + record["passed_over"])
        place = lost.stop
        answers = [solve(Game.start(rules, rules.spec.shuffle(1, i))) for i in (*lost, place)]
        assert [answer.is_winnable for answer in answers] == [False] * len(lost) + [True]
        path = tmp_path / "game.json"
        path.write_text(line)
        assert json.loads(run("solve", path, "--json").out)["status"] == "winnable"
        assert record["about"] == f"seed 1, deck {place + 1}"
    assert place > 2  # some were skipped


def test_where_no_deck_can_be_won_the_search_ends() -> None:
    rules = Rules.hanab_live(2)
    lost = deal("p2v0s40")
    assert not solve(lost).is_winnable
    with pytest.raises(InvalidInputError, match="none of 1,000 decks in a row"):
        next(winnable_games([lost] * MOST_PASSED_OVER))
    assert next(winnable_games([lost, Game.start(rules, rules.spec.shuffle(1))]))[1] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--winnable",), "--winnable: by how many? give --players P"),
        (("--players", "2", "--time", "3"), "--time is for --winnable"),
        (
            ("p2v0sab", "--winnable"),
            "'p2v0sab' does not end with a number that another seed could follow",
        ),
        (("p2v9999s1", "--winnable"), "number 9999 is not a variant of hanab.live"),
        (("--players", "9", "--winnable"), "players: 9 is not in 2 .. 6"),
        (("--players", "2", "--variant", "Blck (5 Suits)", "--winnable"), "did you mean 'Black (5"),
        (("--players", "2", "--winable"), "Unknown option: "),
    ],
)
def test_bad_input_is_told_in_a_line(run: Run, arguments: tuple[str, ...], message: str) -> None:
    outcome = run("deck", *arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
