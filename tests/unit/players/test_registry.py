from __future__ import annotations

import pytest

from hanabi.errors import InvalidInputError
from hanabi.players import FirstLegal, RuleBased, parse_player


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
        ("endgame:deck=2/endgame:deck=3/random", "nobody searches inside a search"),
        ("endgame/" * 1_200 + "random", "nobody searches inside a search"),
    ],
)
def test_bad_names(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_player(text)
    assert message in str(caught.value)
