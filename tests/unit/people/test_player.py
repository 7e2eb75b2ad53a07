"""The player `people`, and files of weights."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.people.model import Model, Net, read_model
from hanabi.people.player import People
from hanabi.players import parse_player
from hanabi.players.partners import weigh_hands
from hanabi.players.registry import format_player
from hanabi.rules import Game, Kind, Rules, View

LABELS = ("play: always", "hint: playable", "any: first1")


def weights(folder: Path, value: float = 1.0) -> Path:
    """Write weights that like what the conventions would do."""
    net = Net(
        np.array([-0.5, 0.5, value], np.float32),
        np.zeros((3, 1), np.float32),
        np.zeros(1, np.float32),
        np.zeros(1, np.float32),
    )
    path = folder / "us.json"
    path.write_text(Model(LABELS, (net, net), {"games": 1}).written(), "utf-8")
    return path


@pytest.fixture
def view() -> View:
    rules = Rules.hanab_live(3)
    return Game.start(rules, rules.spec.shuffle(seed=5)).view(0)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    found = read_model(weights(tmp_path))
    assert found.features == LABELS
    assert found.fitted == {"games": 1}
    assert found.nets[0].direct.tolist() == [-0.5, 0.5, 1.0]
    assert read_model(weights(tmp_path)).written() == weights(tmp_path).read_text("utf-8")


def test_chances_are_probabilities_and_temperature_flattens_them(
    tmp_path: Path, view: View
) -> None:
    path = str(weights(tmp_path))
    chances = [
        list(People(temperature=heat, weights=path).chances(view).values())
        for heat in (0.05, 1, 20)
    ]
    assert all(sum(each) == pytest.approx(1) and min(each) >= 0 for each in chances)
    assert max(chances[0]) > max(chances[1]) > max(chances[2])
    by_hand = np.exp([np.log(each) / 20 for each in chances[1]])
    assert np.allclose(chances[2], by_hand / by_hand.sum())


def test_samples_are_drawn_by_the_chances(tmp_path: Path, view: View) -> None:
    player = People("sample", weights=str(weights(tmp_path)))
    drawn = Counter(player.act(view, Stream(1, at)) for at in range(80))
    for action, chance in player.chances(view).items():
        assert abs(drawn[action] / 80 - chance) < 5 * (chance / 80) ** 0.5 + 0.01
    likely = People(weights=player.weights)
    chances = likely.chances(view)
    assert chances[likely.ranked(view)[0]] == max(chances.values())
    hints = [action for action in chances if action.is_hint]
    assert sum(map(chances.__getitem__, hints)) > 0.5
    assert likely.act(view, Stream(1)) == max(hints, key=chances.__getitem__)


def test_care_keeps_it_from_bold_plays_with_the_last_life(tmp_path: Path) -> None:
    """Weights that like any play at all still play no card at random with the last life."""
    none = np.zeros((1, 0), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32)
    path = tmp_path / "bold.json"
    net = Net(np.array([9], np.float32), *none)
    path.write_text(Model(("play: always",), (net,), {}).written(), "utf-8")
    careful, bold = (People(careful=each, weights=str(path)) for each in (True, False))
    rules = Rules.hanab_live(2)
    game = Game.start(rules, rules.spec.shuffle(seed=5))
    for lives in (3, 2, 1):
        while game.lives > lives:
            options = [each for each in game.legal_actions if each.kind is Kind.PLAY]
            game = min((game.apply(each) for each in options), key=lambda after: after.lives)
        view = game.view(game.seat_to_act)
        assert bold.act(view, Stream(1)).kind is Kind.PLAY
        assert (careful.act(view, Stream(1)).kind is Kind.PLAY) == (lives > 1)
        assert careful.chances(view) == bold.chances(view)


def test_its_text_names_files_in_folders(tmp_path: Path) -> None:
    path = weights(tmp_path)
    player = parse_player(f"people:temperature=2,weights={path}")
    assert player == People(temperature=2.0, weights=str(path))
    assert parse_player(format_player(player)) == player
    with pytest.raises(InvalidInputError, match="does not improve"):
        parse_player("people/rule-based")


def test_other_weights_are_another_revision(tmp_path: Path) -> None:
    player = People(weights=str(weights(tmp_path)))
    before = player.revision
    weights(tmp_path, 2.25)
    assert player.revision != before != People().revision


def test_hands_are_weighed_by_its_chances(tmp_path: Path) -> None:
    rules = Rules.hanab_live(2)
    player = People(weights=str(weights(tmp_path)))
    game = Game.start(rules, rules.spec.shuffle(seed=5))
    game = game.apply(player.act(game.view(0), Stream(1)))
    found = weigh_hands(player, game.view(1), Stream(1), most=40, samples=20)
    assert found.agrees
    assert sum(found.weights) == pytest.approx(1)
    assert len(set(found.weights)) > 1


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("format", "people 7", "format: 'people 7' is not"),
        ("format", None, "weights.format: missing"),
        ("features", ["play: always", "play: luck"], "features\\[1\\]: 'play: luck' is no feature"),
        ("features", ["play: always"] * 2, "features\\[1\\]: 'play: always' is given twice"),
        ("features", 7, "features: '?7'? is not an array"),
        ("features", LABELS[:2], "nets\\[0\\].direct: .* is not 2 finite numbers"),
        ("hidden", -1, "hidden: -1"),
        ("hidden", 2, "nets\\[0\\].inner: .* is not 6 finite numbers"),
        ("nets", [], "nets: there are none"),
        ("nets", [{"direct": "?"}], "nets\\[0\\].inner: missing"),
        ("nets", [{"direct": "AA?", "inner": "", "bias": "", "outer": ""}], "'AA\\?' is no base64"),
        ("nets", [{"direct": "AAB8AHwA", "inner": "", "bias": "", "outer": ""}], "finite"),
        ("fitted", [], "fitted: .* is not an object"),
    ],
)
def test_damaged_weights_are_refused_with_what_is_wrong(
    tmp_path: Path, key: str, value: object, message: str
) -> None:
    path = weights(tmp_path)
    data = json.loads(path.read_text("utf-8"))
    data[key] = value
    if value is None:
        del data[key]
    path.write_text(json.dumps(data), "utf-8")
    with pytest.raises(InvalidInputError, match=message) as error:
        People(weights=str(path))
    assert "us.json" in str(error.value)


@pytest.mark.parametrize("text", ["", "{", "[]", "\0", '{"format": NaN}'])
def test_what_is_no_file_of_weights_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidInputError, match=r"bad\.json"):
        People(weights=str(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("people:weights=no-such-file.json", "no file of weights 'no-such-file.json'"),
        ("people:choice=likly", "no choice 'likly': did you mean 'likely'"),
        ("people:temperature=0", "temperature = 0.0 is not in"),
        ("people:temperature=nan", "temperature = nan is not in"),
    ],
)
def test_bad_parameters_are_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        parse_player(text)
