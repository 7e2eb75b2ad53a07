"""The PettingZoo environment, by PettingZoo's own tests."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import pytest

from hanabi.errors import IllegalActionError, InvalidInputError
from hanabi.game import Rules

WITHOUT_IT = """
import sys
sys.modules["pettingzoo"] = None
from hanabi.errors import MissingPackageError
try:
    import hanabi.env.pettingzoo
except MissingPackageError as error:
    print(error)
"""


def test_without_the_extra_it_says_how_to_get_it() -> None:
    pytest.importorskip("gymnasium", reason="the extra rl is not installed")
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_IT], capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        "hanabi.env.pettingzoo needs pettingzoo: pip install '.[rl]' in a checkout of hanabi\n"
    )


@pytest.fixture
def zoo() -> Any:
    pytest.importorskip("pettingzoo", reason="the extra rl is not installed")
    from hanabi.env import pettingzoo

    return pettingzoo


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_it_passes_the_tests_of_pettingzoo(zoo: Any, seats: int) -> None:
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it would rather have no masks in observations
        api_test(zoo.env(rules=Rules.hle(seats)), num_cycles=200)
        seed_test(lambda: zoo.env(rules=Rules.hle(seats)), num_cycles=20)


@pytest.mark.parametrize("mode", ["ansi", "svg", "human"])
def test_it_is_rendered(zoo: Any, mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = zoo.env(render_mode=mode)
    game.reset(seed=1)
    shown = game.render()
    printed = capsys.readouterr().out
    expected = {"ansi": "turn 0: seat 0 to act", "svg": "<svg", "human": "turn 0: seat 0 to act"}
    assert (printed if mode == "human" else shown).startswith(expected[mode])
    assert (shown is None) == (mode == "human")
    with pytest.raises(InvalidInputError, match="'rgb' is none of human, ansi, svg"):
        zoo.env(render_mode="rgb")


def test_decks_are_given_and_points_go_to_everyone(zoo: Any) -> None:
    rules = Rules.hle(3)
    deck = list(rules.spec.cards())
    game = zoo.env(rules=rules)
    game.reset(options={"deck": deck})
    assert list(game.unwrapped.game.deck) == deck
    with pytest.raises(IllegalActionError, match="no discards while all 8"):
        game.unwrapped.step(0)
    game.step(5)
    assert game.rewards == dict.fromkeys(game.agents, 1.0)
    seen, reward, ended, cut, _ = game.last()
    assert (game.agent_selection, reward, ended, cut) == ("player_1", 1.0, False, False)
    assert game.observe("player_0")["action_mask"].sum() == 0
    assert seen["action_mask"].sum() > 0


def test_a_whole_game_brings_its_score(zoo: Any) -> None:
    game = zoo.env(rules=Rules.hle(2))
    game.reset(seed=3)
    totals = dict.fromkeys(game.possible_agents, 0.0)
    for agent in game.agent_iter():
        seen, reward, ended, _, _ = game.last()
        totals[agent] += reward
        space = game.action_space(agent)
        game.step(None if ended else int(space.sample(seen["action_mask"])))
    assert set(totals.values()) == {game.unwrapped.game.score}
    assert game.agents == []
