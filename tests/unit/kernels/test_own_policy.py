"""A compiled player of somebody else: one file, and it plays, mixes and is searched with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from hanabi.compiled import cache, config
from hanabi.compiled.hot import jit_hot
from hanabi.game import Action, Game, Kind, Rules, View, discard, play
from hanabi.game.kernels.facts import may_discard
from hanabi.game.kernels.words import DISCARD, PLAY, Packed, action_code
from hanabi.players import Endgame, Player, RuleBased, play_game
from hanabi.players.arena import decision_seed, outcomes
from hanabi.players.kernels import policy as policies
from hanabi.players.teams import compile_team
from hanabi.rng import Stream

Words = npt.NDArray[np.int64]
RULES = Rules.bergh2016(3)


class OldestPolicy(NamedTuple):
    """Gives its oldest card away."""


@policies.decide.register(OldestPolicy)
@jit_hot
def decide(
    policy: OldestPolicy,
    position: Packed,
    rng: npt.NDArray[np.uint64],
    memory: Words,
    scratch: Words,
) -> int:
    kind = DISCARD if may_discard(position.rules, position.state) else PLAY
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


@pytest.mark.skipif(config.DISABLE_JIT, reason="nothing is compiled")
def test_its_compiled_code_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows when its source changes."""
    written: list[Path] = []
    monkeypatch.setattr(cache, "_write", lambda path, _: written.append(path))
    team: list[Player] = [Oldest(), Oldest(), Endgame(Oldest(), budget=3, deck=0)]
    assert len(outcomes(team, RULES, 1, seed=1)) == 1
    assert not [path for path in written if "play_games" in path.name]
