from __future__ import annotations

import pickle
import re
import tomllib
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import hanabi
from hanabi import env
from hanabi.env.open_agents import games_of_pickle
from hanabi.ground.errors import HanabiError, counted, printable, quote
from hanabi.ground.rng import Stream
from hanabi.players.protocol import play_game
from hanabi.rules import Action, Game, Rules, hint_rank, play
from hanabi.solvers.winnable.solver import solve_game

ROOT = Path(__file__).parents[3]
OBEYED = {"Cc", "Cs", "Zl", "Zp"}
RULES = Rules.hanab_live(seats=3)
GAME = hanabi.deal(players=3, seed=7)


@dataclass
class Plays:
    """A player that plays a slot."""

    slot: int

    def act(self, _view: object, _rng: object, /) -> Action:
        return play(self.slot)


HUGE_QUESTIONS: dict[str, Callable[[int], object]] = {
    "seats": lambda huge: hanabi.deal(players=huge),
    "seed": lambda huge: hanabi.deal(seed=huge),
    "hand": lambda huge: replace(RULES, hand_size=abs(huge)),
    "copies": lambda huge: replace(RULES, spec=hanabi.DeckSpec(((huge,),)), variant=None, lives=0),
    "colors": lambda huge: hanabi.DeckSpec.uniform(huge, 1, 1),
    "ranks": lambda huge: hanabi.DeckSpec.uniform(1, huge, 1),
    "deck": lambda huge: Game.start(RULES, [(huge, 1)] * 50),
    "points": lambda huge: solve_game(GAME, points=huge),
    "code": Action.from_code,
    "action": lambda huge: GAME.apply(play(huge)),
    "hint": lambda huge: GAME.apply(hint_rank(1, huge)),
    "seat of a hint": lambda huge: GAME.apply(hint_rank(huge, 1)),
    "view": lambda huge: GAME.view(huge),
    "count": lambda huge: hanabi.count([huge, 2]),
    "count colors": lambda huge: hanabi.count([1, 2], colors=huge),
    "game of an environment": lambda huge: env.VectorEnv(1).game(huge),
    "action of a player": lambda huge: play_game([Plays(huge)] * 3, GAME, Stream(1)),
    "pickle": lambda huge: next(games_of_pickle(pickle.dumps([[[huge], [[huge, 0]]]]))),
    "move in a pickle": lambda huge: next(games_of_pickle(pickle.dumps([[[1], [huge]]]))),
}

BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def test_every_character_that_a_terminal_obeys_is_escaped() -> None:
    for code in range(0x110000):
        character = chr(code)
        is_obeyed = unicodedata.category(character) in OBEYED or character in BIDI + "\ufeff"
        shown = printable(character)
        assert shown == (repr(character)[1:-1] if is_obeyed else character)


def test_the_extras_that_messages_name_are_there() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    sources = [path.read_text() for path in (ROOT / "src").rglob("*.py")]
    named = {extra for text in sources for extra in re.findall(r'extra="(\w+)"', text)}
    assert {"plots", "parquet", "packing", "distributed"} <= named
    assert named <= project["optional-dependencies"].keys()
    assert not any("hanabi[" in text for text in sources)


@pytest.mark.parametrize("text", ["Zoé", "日本", "👩‍🚀", "a\u00a0b", "back\\slash", "'\""])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text
    assert printable(text, limit=len(text)) == text


def test_long_text_is_cut_before_it_is_escaped() -> None:
    assert printable("\x1b" * 5000, limit=2) == r"\x1b\x1b... (5,000 characters)"


def test_numbers_with_their_nouns() -> None:
    assert [counted(n, "life", "lives") for n in (0, 1, 2)] == ["0 lives", "1 life", "2 lives"]


class Silent:
    """What a foreign package may bring."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


HUGE = 10**5000  # Python refuses to write integers of more than 4,300 digits


@pytest.mark.parametrize(
    ("value", "quoted"),
    [
        (HUGE, "an integer of 16,610 bits"),
        (-HUGE, "an integer of 16,610 bits"),
        ([HUGE], "list(...)"),
        ({"seed": HUGE}, "dict(...)"),
        (Silent(), "Silent(...)"),
        (10**40, "1" + "0" * 40),
    ],
    ids=["long", "negative", "in a list", "in a dict", "silent", "short"],
)
def test_a_quotation_never_raises(value: object, quoted: str) -> None:
    assert quote(value) == quoted


def test_a_number_of_any_length_has_a_noun() -> None:
    assert counted(HUGE, "card") == "an integer of 16,610 bits cards"


@pytest.mark.parametrize("huge", [HUGE, -HUGE], ids=["positive", "negative"])
@pytest.mark.parametrize("question", HUGE_QUESTIONS)
def test_a_huge_number_is_refused_in_one_line(question: str, huge: int) -> None:
    with pytest.raises(HanabiError) as raised:
        HUGE_QUESTIONS[question](huge)
    assert len(str(raised.value)) < 300
    assert "\n" not in str(raised.value)
