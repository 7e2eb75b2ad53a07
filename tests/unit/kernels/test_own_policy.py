"""A compiled player of somebody else: one file, and it plays, mixes and is searched with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numba
import numpy as np
import numpy.typing as npt
import pytest

from hanabi.ground.compiled import cache, config
from hanabi.ground.errors import InvalidInputError, PlayerError
from hanabi.ground.rng import Stream
from hanabi.players import Belief, Endgame, Player, RuleBased, parse_player, play_game, policies
from hanabi.players.arena import decision_seed, outcomes
from hanabi.players.policies import Packed, action_code, jit, legal_actions, may_discard
from hanabi.players.policies import layout as k
from hanabi.players.registry import compile_team
from hanabi.rules import Action, Game, Kind, Rules, View, discard, play
from oracles.belief import choose

Words = npt.NDArray[np.int64]
RULES = Rules.bergh2016(3)
DOCS = Path(__file__).parents[3] / "docs"


class OldestPolicy(NamedTuple):
    """Gives its oldest card away."""


@policies.decide.register(OldestPolicy)
@jit
def decide(
    policy: OldestPolicy,
    position: Packed,
    rng: npt.NDArray[np.uint64],
    memory: Words,
    scratch: Words,
) -> int:
    kind = k.DISCARD if may_discard(position.rules, position.state) else k.PLAY
    return action_code(kind, 0, 0)


@dataclass(frozen=True)
class Oldest:
    """The same in plain Python."""

    def act(self, view: View, _: Stream, /) -> Action:
        may = any(action.kind is Kind.DISCARD for action in view.legal_actions)
        return discard(0) if may else play(0)

    def compiled(self, _: Rules, /) -> OldestPolicy:
        return OldestPolicy()


@dataclass(frozen=True)
class OnlyViews:
    player: Player

    def act(self, view: View, rng: Stream, /) -> Action:
        return self.player.act(view, rng)


@pytest.mark.parametrize(
    "team",
    [
        [Oldest()] * 3,
        [Oldest(), RuleBased(), Oldest()],
        [Endgame(Oldest(), budget=6, deck=0)] * 3,
    ],
    ids=["alone", "mixed", "searching"],
)
def test_it_plays_as_it_does_by_views(team: list[Player]) -> None:
    assert compile_team(team, RULES) is not None
    ends = [
        play_game(
            [OnlyViews(each) for each in team],
            Game.start(RULES, RULES.spec.shuffle(1, index)),
            Stream(decision_seed(1), index),
        )
        for index in range(3)
    ]
    played = [sum(end.piles) << 1 | (end.lives == 0) for end in ends]
    assert outcomes(team, RULES, 3, seed=1) == played


@pytest.mark.parametrize("bold", ["no", "yes"])
def test_the_example_of_the_docs_plays_as_it_does_by_views(bold: str) -> None:
    mine = parse_player(f"{DOCS / 'my_policy.py'}:MyPolicyPlayer:bold={bold}")
    for team in ([mine] * 3, [mine, RuleBased(), mine]):
        assert compile_team(team, RULES) is not None
        ends = [
            play_game(
                [OnlyViews(each) for each in team],
                Game.start(RULES, RULES.spec.shuffle(1, index)),
                Stream(decision_seed(1), index),
            )
            for index in range(3)
        ]
        played = [sum(end.piles) << 1 | (end.lives == 0) for end in ends]
        assert outcomes(team, RULES, 3, seed=1) == played
        assert sum(end.score for end in ends) > 30


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
def test_its_compiled_code_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows when its source changes."""
    written: list[Path] = []
    monkeypatch.setattr(cache, "_write", lambda path, _: written.append(path))
    team: list[Player] = [Oldest(), Oldest(), Endgame(Oldest(), budget=3, deck=0)]
    assert len(outcomes(team, RULES, 1, seed=1)) == 1
    assert not [path for path in written if "play_games" in path.name]


class PlainPolicy(NamedTuple):
    """Registered by a function that is not compiled."""


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("decorator", "how"),
    [
        (numba.njit, "by Numba's own decorator"),
        (numba.njit(cache=False, nogil=True), "by Numba's own decorator"),
        (lambda function: function, "as a function that is not compiled"),
    ],
)
def test_other_decorators_are_refused(decorator: Callable[[Any], Any], how: str) -> None:
    def decide(policy, position, rng, memory, scratch):  # type: ignore[no-untyped-def]
        return 0

    with pytest.raises(InvalidInputError) as caught:
        policies.decide.register(PlainPolicy, decorator(decide))
    assert str(caught.value) == (
        f"decide for PlainPolicy is registered {how}: use hanabi.ground.compiled.jit"
    )
    with pytest.raises(InvalidInputError):
        policies.memory_size.register(PlainPolicy)(decorator(decide))
    assert policies.decide.dispatch(PlainPolicy) is policies.decide.dispatch(object)


class LastPolicy(NamedTuple):
    """Takes the last legal action: a hint if it has one."""


@policies.decide.register(LastPolicy)
@jit
def _last(
    policy: LastPolicy,
    position: Packed,
    rng: npt.NDArray[np.uint64],
    memory: Words,
    scratch: Words,
) -> int:
    actions = np.empty(position.rules[k.MAX_ACTIONS], np.int64)
    return int(actions[legal_actions(position, actions) - 1])


@dataclass(frozen=True)
class Last:
    draws_nothing: ClassVar[bool] = True

    def act(self, view: View, _: Stream, /) -> Action:
        return view.legal_actions[-1]

    def compiled(self, _: Rules, /) -> LastPolicy:
        return LastPolicy()


def test_a_search_risks_the_last_life_by_no_discard_either() -> None:
    """A card of an inverted suit is played by discarding it, and discarded by playing it."""
    small = Rules.hanab_live(2, variant="Orange (3 Suits)")
    rules = replace(small, lives=2, deck_plays=True)
    player = Belief(Last(), worlds=20, margin=0, caution=0, deals=1)
    kinds = Counter[Kind]()
    for index in range(4, 9):
        game, stream = Game.start(rules, rules.spec.shuffle(41, index)), Stream(42, index)
        while not game.is_over:
            view = game.view(game.seat_to_act)
            twin = Stream(0)
            twin.state = stream.state
            action = player.act(view, stream)
            assert action == choose(player, view, twin)
            is_own = action == player.player.act(view, Stream(0))
            game = game.apply(action)
            assert is_own or game.lives > 0
            kinds[action.kind] += not is_own
    assert kinds[Kind.PLAY] > 0
    assert kinds[Kind.DISCARD] > 0


@numba.njit
def _may_discard(position):  # type: ignore[no-untyped-def]
    return may_discard(position.rules, position.state)


def _calling(policy, position, rng, memory, scratch):  # type: ignore[no-untyped-def]
    return k.PLAY if _may_discard(position) else k.DISCARD


def _untyped(policy, position, rng, memory, scratch):  # type: ignore[no-untyped-def]
    return unknown_name  # type: ignore[name-defined]  # noqa: F821


def _failing(policy, position, rng, memory, scratch):  # type: ignore[no-untyped-def]
    return 1 // (policy.x - policy.x)


class Odd(Oldest):
    def __init__(self, policy: Any) -> None:
        self.policy = policy

    def compiled(self, _: Rules, /) -> Any:
        return self.policy


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("decide", "message"),
    [
        (
            _calling,
            "Odd: _may_discard is compiled by Numba's own decorator, and calls kernels",
        ),
        (_untyped, "its policy fails: TypingError: NameError: name 'unknown_name' is not defined"),
        (_failing, "its policy fails: ZeroDivisionError: "),
    ],
)
def test_what_fails_in_a_policy_is_told_in_a_line(decide: Any, message: str) -> None:
    class Kind(NamedTuple):  # another one each time
        x: int

    policies.decide.register(Kind, jit(decide))
    with pytest.raises(PlayerError) as caught:
        outcomes(Odd(Kind(1)), RULES, 1, seed=1)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("policy", [7, (), PlainPolicy()])
def test_what_is_no_policy_is_refused(policy: Any) -> None:
    with pytest.raises(
        PlayerError, match=r"Odd: compiled\(rules\) returned .*, which is not a policy"
    ):
        outcomes(Odd(policy), RULES, 1, seed=1)
