"""Networks at the table: many games in step are the same games as one by one, from views."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hanabi
from hanabi.env import FunctionNetwork, Layout, Network, ObservationKind
from hanabi.ground.errors import InvalidInputError, PlayerError
from hanabi.ground.rng import Stream
from hanabi.players import FirstLegal, RandomLegal, parse_player
from hanabi.players.arena import outcome_of, outcomes, play_deal, team_of
from hanabi.rules import Action, Game, Rules, View
from hanabi.rules.deck import DeckSpec
from property.test_game import hide_otherwise

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
    "the printed rules": ([network(), parse_player("rule-based")], Rules.official(2)),
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


class Plain:
    """Takes the legal action with the highest number; it is asked view by view."""

    def act(self, view: View, _: Stream) -> Action:
        layout = Layout(view.rules)
        numbers = [layout.number(each, view.seat) for each in view.legal_actions]
        return layout.action(max(numbers), view.seat)


def test_scores_and_numbers_choose_the_same_actions() -> None:
    def numbers(observations: Any, masks: Any) -> Any:
        assert (observations.dtype, masks.dtype) == (np.uint8, np.bool_)
        assert set(np.unique(observations)) <= {0, 1}
        return np.array([np.flatnonzero(mask)[-1] for mask in masks])

    def scores(_: Any, masks: Any) -> Any:
        return np.broadcast_to(np.arange(masks.shape[1]), masks.shape)

    first, second = (outcomes(FunctionNetwork(each), HLE, 5, seed=1) for each in (numbers, scores))
    assert first == second == outcomes(Plain(), HLE, 5, seed=1)
    low = FunctionNetwork(lambda _, masks: np.full(masks.shape, -np.inf))
    first_legal = FunctionNetwork(lambda _, masks: masks.argmax(1))
    assert outcomes(low, HLE, 5, seed=1) == outcomes(first_legal, HLE, 5, seed=1)


@pytest.mark.parametrize(
    ("told", "message"),
    [
        (lambda masks: np.zeros(len(masks), int), r"action 0 \(row 0\) is not legal"),
        (lambda masks: np.full(len(masks), -1), r"action -1 \(row 0\) is not legal"),
        (lambda masks: np.full(len(masks), 20), r"action 20 \(row 0\) is not legal"),
        (lambda masks: np.full(masks.shape, np.nan), r"scores that are not numbers \(row 0\)"),
        (lambda _: np.zeros(3), r"float64 \(3,\), neither whole numbers \(\d,\) nor scores"),
        (lambda masks: np.zeros(len(masks)), r"float64 \(\d,\), neither"),
        (lambda _: 5, r"int64 \(\), neither"),
        (lambda _: [[1], [2, 3]], "returns no array"),
        (lambda _: None, "neither whole numbers"),
        (lambda _: 1 / 0, r"test_evaluate.py:\d+: ZeroDivisionError"),
    ],
)
def test_what_is_no_action_is_named(told: Any, message: str) -> None:
    """In step and from a view, with the same words for the place."""
    bad = FunctionNetwork(lambda _, masks: told(masks))
    for run in (outcomes, by_views):
        with pytest.raises(PlayerError, match=message) as caught:
            run([bad] * 2, HLE, 4, seed=1, first=7)
        assert str(caught.value).startswith("seed 1, deal 7: turn 1, seat 0: ")


@pytest.mark.parametrize("row", [[np.nan] * 20, [-1.0] * 20])
def test_the_deal_of_the_wrong_row_is_named(row: list[float]) -> None:
    """On turn 3, of seat 1, for the sixth of the eight deals."""
    calls = []

    def late(_: Any, masks: Any) -> Any:
        calls.append(len(masks))
        if len(calls) < 4:
            return masks.shape[1] - 1 - masks[:, ::-1].argmax(1)
        if np.isnan(row[0]):
            return np.where(np.arange(len(masks))[:, None] == 5, row, 1)
        return np.where(np.arange(len(masks)) == 5, -1, masks.argmax(1))

    with pytest.raises(PlayerError, match=r"^seed 1, deal 15: turn 4, seat 1: .*\(row 5\)"):
        outcomes(FunctionNetwork(late), HLE, 8, seed=1, first=10)
    assert calls == [8] * 4


class Seer(Network):
    kind = 2

    def decide_many(self, _: Any, masks: Any) -> Any:
        return masks


def test_a_network_cannot_see_its_own_cards() -> None:
    for run in (outcomes, by_views):
        with pytest.raises(InvalidInputError, match="kind = 2: a network that sees its own cards"):
            run([Seer()] * 2, HLE, 1, seed=1, first=0)
    with pytest.raises(InvalidInputError, match="kind = 2: a network that sees its own cards"):
        FunctionNetwork(lambda _, masks: masks, ObservationKind.SEER)
    with pytest.raises(InvalidInputError, match="kind = 3 is not 0, 1 or 2"):
        FunctionNetwork(lambda _, masks: masks, 3)


def test_a_class_may_state_its_kind_as_a_number() -> None:
    class Minimal(Network):
        kind = 0

        def decide_many(self, observations: Any, masks: Any) -> Any:
            assert observations.shape[1] == Layout(HLE, ObservationKind.MINIMAL).size
            return network().decide_many(observations, masks)

    assert outcomes(Minimal(), HLE, 2, seed=1) == outcomes(network(0), HLE, 2, seed=1)


@pytest.mark.parametrize(
    ("rules", "name"),
    [
        (Rules.hanab_live(2, variant="Rainbow (5 Suits)"), "variant"),
        (replace(HLE, half_tokens=True), "half_tokens"),
        (replace(HLE, deck_plays=True), "deck_plays"),
        (replace(HLE, open_hands=True), "open_hands"),
    ],
)
def test_rules_that_observations_cannot_show_are_refused(rules: Rules, name: str) -> None:
    for run in (outcomes, by_views):
        with pytest.raises(InvalidInputError, match=f"rules: .*{name}"):
            run([network()] * 2, rules, 1, seed=1, first=0)


def test_hidden_cards_and_another_first_seat_change_nothing() -> None:
    """A network decides the same whatever its own cards are, whoever begins."""
    rules, player = Rules.hle(3), network()
    deck, ends = rules.spec.shuffle(4), []
    for first in range(2):
        game = Game.start(rules, deck, first_seat=first)
        while not game.is_over:
            seat = game.seat_to_act
            hidden = hide_otherwise(game, seat, Stream(4, game.turn))
            other = Game.start(rules, hidden, first_seat=first)
            for action in game.actions:
                other = other.apply(action)
            mine, theirs = (player.act(each.view(seat), Stream(5)) for each in (game, other))
            assert mine == theirs
            game = game.apply(mine)
        ends.append(game)
    assert ends[0].actions != ends[1].actions


WEIGHTS = np.random.default_rng(1).normal(size=(658, 20)).astype(np.float32)


def check_same(scores: Any) -> None:
    plain = FunctionNetwork(lambda observations, _: observations @ WEIGHTS)
    other = FunctionNetwork(lambda observations, _: scores(observations))
    assert outcomes(other, HLE, 3, seed=1) == outcomes(plain, HLE, 3, seed=1)


def test_networks_of_other_libraries_play_the_same() -> None:
    """Whatever NumPy can convert: here an object with `__array__`, and torch and JAX if present."""

    class Tensor:
        def __init__(self, values: Any) -> None:
            self.values = values

        def __array__(self, *_: object, **__: object) -> Any:
            return self.values

    check_same(lambda observations: Tensor(observations @ WEIGHTS))


def test_a_network_of_torch_plays_the_same() -> None:
    torch = pytest.importorskip("torch", reason="networks of torch need torch")
    model = torch.nn.Linear(658, 20, bias=False)
    with torch.no_grad():
        model.weight.copy_(torch.from_numpy(WEIGHTS.T))
    check_same(lambda observations: model(torch.from_numpy(observations).float()).detach())


def test_a_network_of_jax_plays_the_same() -> None:
    jnp = pytest.importorskip("jax.numpy", reason="networks of JAX need jax")
    check_same(lambda observations: jnp.asarray(observations, jnp.float32) @ jnp.asarray(WEIGHTS))


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

    from hanabi.front.app import main

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
