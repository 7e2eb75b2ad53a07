"""Networks at the table: many games in step are the same games as one by one, from views."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hanabi
from hanabi.deck import DeckSpec
from hanabi.env.evaluate import FunctionNetwork, Network
from hanabi.errors import InvalidInputError, PlayerError
from hanabi.game import Rules
from hanabi.players import FirstLegal, RandomLegal, parse_player
from hanabi.players.arena import outcome_of, outcomes, play_deal, team_of

SMALL = replace(
    Rules.hle(3), spec=DeckSpec.uniform(colors=2, ranks=3, copies=2), hand_size=2, lives=2
)
HLE = Rules.hle(2)


def network(kind: int = 1) -> FunctionNetwork:
    """Return a network that plays otherwise in each position."""

    def scores(observations: Any, masks: Any) -> Any:
        weights = np.random.default_rng(5).normal(size=(observations.shape[1], masks.shape[1]))
        return observations @ weights

    return FunctionNetwork(scores, kind)


def by_views(team: list[Any], rules: Rules, games: int, *, seed: int, first: int) -> list[int]:
    seated = team_of(team, rules)
    deals = range(first, first + games)
    return [outcome_of(play_deal(seated, rules, deal, seed=seed)) for deal in deals]


TEAMS: dict[str, tuple[list[Any], Rules]] = {
    "alone": ([network()] * 2, HLE),
    "two kinds": ([network(0), network(1), network(0)], SMALL),
    "random partners": ([RandomLegal(), network(), RandomLegal()], SMALL),
    "a partner in Python": ([network(), FirstLegal(), network()], SMALL),
    "a partner that remembers": ([network(), parse_player("information")], HLE),
}


@pytest.mark.parametrize("name", TEAMS)
def test_games_in_step_are_those_from_views(name: str) -> None:
    team, rules = TEAMS[name]
    in_step = outcomes(team, rules, 6, seed=2, first=3)
    assert in_step == by_views(team, rules, 6, seed=2, first=3)
    assert in_step[4:] == outcomes(team, rules, 2, seed=2, first=7)  # a part of the run


def test_compiled_players_play_the_same_games_in_step() -> None:
    """A network that is asked nothing changes nothing: its seat is never reached."""
    from hanabi.env import evaluate

    team = team_of([RandomLegal()] * 3, SMALL)
    policy = RandomLegal().compiled(SMALL)
    from hanabi.players.arena import decision_seed

    seeds = 4, decision_seed(4)
    found = evaluate._play_in_step(team, SMALL, policy, seeds, 2, 9)
    assert found.tolist() == outcomes(team, SMALL, 9, seed=4, first=2)


def test_scores_and_numbers_choose_the_same_actions() -> None:
    def numbers(_: Any, masks: Any) -> Any:
        return np.array([np.flatnonzero(mask)[-1] for mask in masks])

    def scores(_: Any, masks: Any) -> Any:
        return np.broadcast_to(np.arange(masks.shape[1]), masks.shape)

    first, second = (outcomes(FunctionNetwork(each), HLE, 5, seed=1) for each in (numbers, scores))
    assert first == second
    low = FunctionNetwork(lambda _, masks: np.full(masks.shape, -np.inf))
    first_legal = FunctionNetwork(lambda _, masks: masks.argmax(1))
    assert outcomes(low, HLE, 5, seed=1) == outcomes(first_legal, HLE, 5, seed=1)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (lambda masks: np.zeros(len(masks), int), r"deal 0, turn 0: .* action 0 \(row 0\) is not"),
        (lambda masks: np.full(len(masks), -1), r"action -1 \(row 0\) is not legal"),
        (lambda masks: np.full(len(masks), 20), r"action 20 \(row 0\) is not legal"),
        (lambda masks: np.full(masks.shape, np.nan), "scores that are not numbers"),
        (lambda _: np.zeros(3), r"float64 \(3,\), neither whole numbers \(4,\) nor scores"),
        (lambda _: [[1], [2, 3]], "returns no array"),
        (lambda _: None, "neither whole numbers"),
        (lambda _: 1 / 0, r"test_evaluate.py:\d+: ZeroDivisionError"),
    ],
)
def test_what_is_no_action_is_named(told: Any, message: str) -> None:
    bad = FunctionNetwork(lambda _, masks: told(masks))
    with pytest.raises(PlayerError, match=message):
        outcomes(bad, HLE, 4, seed=1)


def test_a_network_cannot_see_its_own_cards() -> None:
    with pytest.raises(InvalidInputError, match="kind = 2: a network that sees its own cards"):
        outcomes(network(2), HLE, 1, seed=1)
    with pytest.raises(InvalidInputError, match="variant"):
        outcomes(network(), Rules.hanab_live(2, variant="Rainbow (5 Suits)"), 1, seed=1)


def test_a_network_may_not_change_the_masks() -> None:
    def greedy(_: Any, masks: Any) -> Any:
        masks[:] = True
        return np.zeros(len(masks), int)

    with pytest.raises(PlayerError, match="is not legal"):
        outcomes(FunctionNetwork(greedy), HLE, 1, seed=1)


def test_commands_seat_a_network_by_its_class(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    import json

    from hanabi.cli.app import main

    source = tmp_path / "my_net.py"
    source.write_text(
        "import numpy as np\nfrom hanabi.env.evaluate import Network\n"
        "class Last(Network):\n"
        "    def __init__(self, shift: int = 0):\n        self.shift = shift\n"
        "    def decide_many(self, observations, masks):\n"
        "        return np.roll(np.arange(masks.shape[1]), self.shift) * masks\n"
    )
    words = ["-n", "20", "--seed", "3", "--rules", "hle", "--executor", "serial"]
    file = tmp_path / "result.json"
    text = f"{source}:Last:shift=3"
    assert main(["tournament", text, "random", *words, "-o", str(file)]) == 0
    capsys.readouterr()
    result = json.loads(file.read_text())
    assert [each["games"] for each in result["teams"]] == [20, 40, 40, 20]
    assert {"kept", "kept_error", "zeroed", "zeroed_error"} <= result["teams"][1].keys()
    assert result["full_names"][0].startswith("my_net.py:Last:shift=3 (")
    assert (result["seed"], result["version"]) == (3, hanabi.__version__)
    assert main(["simulate", text, "random", *words, "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)

    class Last(Network):
        def decide_many(self, _: Any, masks: Any) -> Any:
            return np.roll(np.arange(masks.shape[1]), 3) * masks

    kept = np.array(outcomes([Last(), RandomLegal()], HLE, 20, seed=3)) >> 1
    assert alone["kept"]["mean"] == kept.mean()
