from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.lab import Simulation, Work, key_of, rules_from_json, rules_to_json
from hanabi.lab.decks import METHODS, RenamedGames, Winnability
from hanabi.lab.playability import Playability
from hanabi.players import Belief, Convention, FirstLegal, Player, RandomLegal
from hanabi.players.arena import outcomes
from hanabi.rules import PRESETS, Rules
from hanabi.rules.deck import DeckSpec

RULES = Rules.bergh2016(3)
SMALL = Rules(spec=DeckSpec(((2, 1), (1, 1, 1))), seats=2, hand_size=2, final_round=None)
WORKS: list[Work] = [
    Simulation(("random",), RULES, seed=1),
    Simulation(("first-legal",), SMALL, seed=1),
    Simulation(("random", "first-legal"), Rules.official(2), seed=2, repeat=3),
    Winnability(Rules.hanab_live(2), seed=5),
    Playability(((2, 1, 1),) * 2, seed=3),
]


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.kind)
def test_every_work_keeps_the_protocol(work: Work) -> None:
    assert isinstance(work, Work)
    whole = work.run(3, 5)
    assert work.run(3, 2) + work.run(5, 3) == whole
    again = pickle.loads(pickle.dumps(work))
    assert (again, again.run(3, 5)) == (work, whole)
    assert len(whole) % 5 == 0


def test_games_are_those_of_the_arena() -> None:
    team: list[Player] = [RandomLegal(), FirstLegal()]
    played = Simulation(("random", "first-legal"), Rules.official(2), seed=2, repeat=3).run(4, 6)
    expected = outcomes(team, Rules.official(2), 6, seed=2, first=4, repeat=3)
    assert [int.from_bytes(played[i : i + 2], "little") for i in range(0, 12, 2)] == expected


def test_keys_tell_apart_what_gives_other_results() -> None:
    work = Simulation(("random",), RULES, seed=1)
    others = [
        replace(work, seed=2),
        replace(work, repeat=1),
        replace(work, players=("first-legal",)),
        replace(work, rules=replace(RULES, hints=7)),
        replace(work, rules=replace(RULES, final_round=None)),
        replace(work, rules=Rules.official(3)),
    ]
    assert len({key_of(each) for each in [work, *others]}) == 1 + len(others)
    assert key_of(replace(work, players=("random",) * 3)) == key_of(work)


def test_keys_stay_what_they_are() -> None:
    """Results that were stored by an earlier release must be found."""
    assert key_of(Simulation(("random",), RULES, seed=1)) == "70339bb8f45a1044"


def test_games_that_changed_have_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of earlier releases are not mixed with them, also where the player is improved."""
    works = [
        Simulation((text,), Rules.hanab_live(2), seed=1)
        for text in ("convention", "endgame/convention", "belief/convention")
    ]
    before = [key_of(work) for work in works]
    one = {"Convention": Convention.revision}
    both = {"Belief": Belief.revision, **one}
    assert [work.config()["revisions"] for work in works] == [one, one, both]
    later = Convention.revision + 1
    monkeypatch.setattr(Convention, "revision", later)
    both |= {"Convention": later}
    assert works[2].config()["revisions"] == both
    assert not {key_of(work) for work in works} & set(before)
    renamed = RenamedGames("belief/convention", Rules.hanab_live(2), seed=1, games=2)
    assert renamed.config()["revisions"] == both
    assert "revisions" not in replace(renamed, player="random").config()


@pytest.mark.parametrize("rules", [*(make(3) for make in PRESETS.values()), SMALL])
def test_rules_survive_json(rules: Rules) -> None:
    assert rules_from_json(rules_to_json(rules)) == rules


def test_bad_work_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="2 players for 3 seats"):
        Simulation(("random", "random"), RULES, seed=1)
    with pytest.raises(InvalidInputError, match="no player 'nobody'"):
        Simulation(("nobody",), RULES, seed=1)
    with pytest.raises(InvalidInputError, match="repeat = -1"):
        Simulation(("random",), RULES, seed=1, repeat=-1)
    with pytest.raises(InvalidInputError, match="seconds = 0"):
        Winnability(RULES, seed=1, seconds=0)
    with pytest.raises(InvalidInputError):
        Playability(((1, 1), (1,)), seed=1)
    with pytest.raises(InvalidInputError, match="colour: there is no such rule"):
        rules_from_json({"copies": [[1]], "seats": 1, "hand_size": 1, "colour": 3})


def test_which_work_is_compiled() -> None:
    compiled: list[Work] = [
        Simulation(("rule-based",), RULES, seed=1),
        Simulation(("rule-based", "random", "endgame/rule-based"), RULES, seed=1),
        Playability(((1, 1),), seed=1),
    ]
    others: list[Work] = [
        Simulation(("random", "random", "first-legal"), RULES, seed=1),
        Simulation(("endgame/first-legal",), RULES, seed=1),
        WORKS[3],
    ]
    assert all(work.is_compiled for work in compiled)
    assert not any(work.is_compiled for work in others)


def test_methods_are_numbered_for_good() -> None:
    assert METHODS[:5] == ("score", "merged hands", "greedy", "last round", "guided search")
    assert len(set(METHODS)) == len(METHODS)
