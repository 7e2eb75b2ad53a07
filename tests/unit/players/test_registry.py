from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import (
    PLAYERS,
    Belief,
    Convention,
    FirstLegal,
    Information,
    MonteCarlo,
    OpenHands,
    Player,
    RuleBased,
    parse_player,
)
from hanabi.players.own import Own
from hanabi.players.protocol import Wrapper, inner_of
from hanabi.players.registry import ENTRIES, WRAPPERS, format_player, settle_player
from hanabi.rules import Action, View


def test_parameters() -> None:
    assert parse_player("first-legal") == FirstLegal()
    assert parse_player("rule-based") == RuleBased()
    assert parse_player("rule-based:") == RuleBased()
    parsed = parse_player("rule-based:hint=1,discard=4,play=0.5,safe=no,best=yes")
    assert parsed == RuleBased(hint=1, discard=4, play=0.5, safe=False, best=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no player ''; there are first-legal, random, rule-based"),
        ("Random", "no player 'Random'"),
        ("random:x=1", "random has no parameter 'x'; it has none"),
        ("rule-based:w=1", "rule-based has no parameter 'w'; its parameters are hint, discard"),
        ("rule-based:hint=1,hint=2", "rule-based: hint is given twice"),
        ("rule-based:hint=1.5", "rule-based: hint = '1.5' is not a whole number"),
        ("rule-based:hint", "rule-based: hint = '' is not a whole number"),
        ("rule-based:safe=1", "rule-based: safe = '1' is not yes or no"),
        ("rule-based:play=x", "rule-based: play = 'x' is not a number"),
        ("rule-based:play=nan", "play = nan is not in 0 .. 1"),
        ("rule-based:hinting=1.1", "hinting = 1.1 is not in 0 .. 1"),
        ("rule-based:hint=5", "hint = 5 is not in 1 .. 4"),
        ("rule-based:discard=0", "discard = 0 is not in 1 .. 4"),
        ("endgame", "'endgame' improves a player: name it after a slash"),
        ("endgame:deck=2/endgame:deck=3/random", "no player searches inside a search"),
        ("endgame/" * 1_200 + "random", "no player searches inside a search"),
    ],
)
def test_bad_names(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_player(text)
    assert message in str(caught.value)


def test_what_an_entry_offers_can_be_parsed() -> None:
    offered = [text for entry in ENTRIES for text in entry.texts]
    assert {*PLAYERS} < {*offered}
    for text in offered:
        assert format_player(parse_player(text)).startswith(text.partition("/")[0])
    assert [entry.name for entry in ENTRIES] == [*PLAYERS, *WRAPPERS]


def test_what_wraps_another_player_says_so() -> None:
    for name in WRAPPERS:
        wrapper = parse_player(f"{name}/convention")
        assert isinstance(wrapper, Wrapper)
        assert inner_of(wrapper) == Convention()
        around = wrapper.around(Information())
        assert inner_of(around) == Information()
        assert replace(around, player=Convention()) == wrapper  # type: ignore[type-var]


class Holding:
    """A player of one's own, whose attribute means nothing to us."""

    inner = Information()

    def act(self, view: View, _: Stream, /) -> Action:
        return view.legal_actions[0]


def test_an_attribute_of_that_name_makes_no_wrapper() -> None:
    player = Holding()
    assert inner_of(player) is player
    settled = settle_player(player)
    assert isinstance(settled, Own)
    assert settled.player is player


@pytest.mark.parametrize(
    "make",
    [
        lambda: RuleBased(hint=2.5),  # type: ignore[arg-type]
        lambda: MonteCarlo(turns=2.5),  # type: ignore[arg-type]
        lambda: OpenHands(samples=2.5),  # type: ignore[arg-type]
        lambda: Belief(Convention(), worlds=2.5),  # type: ignore[arg-type]
    ],
)
def test_whole_numbers_are_whole(make: Callable[[], Player]) -> None:
    """They were cut to whole ones without a word."""
    with pytest.raises(InvalidInputError, match=r"= 2\.5 is not a whole number"):
        make()
