"""`hanabi conventions check`: players of every kind are asked about positions."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from hanabi.ground import InvalidInputError
from hanabi.players import parse_player
from hanabi.players.commands.bot import _Bot
from hanabi.rules import Game, Rules, deal_to_json, rules_to_json

from ...conftest import Run

DOCS = Path(__file__).parents[4] / "docs"
LEVEL = DOCS / "conventions" / "level-06.jsonl"
PYTHON = shlex.quote(sys.executable)
FIRST_BOT = f"process:{PYTHON} -S {shlex.quote(str(DOCS / 'bots' / 'first_bot.py'))}"
OURS = f"process:{PYTHON} -m hanabi bot hgroup"


@pytest.fixture
def few(tmp_path: Path) -> Path:
    """Three positions: one of level 1 that asks for an action, and two of level 6."""
    first = (DOCS / "conventions" / "level-01.jsonl").read_text("utf-8").splitlines()
    asks = next(line for line in first if '"asks"' in line)
    path = tmp_path / "few.jsonl"
    path.write_text("\n".join([asks, *LEVEL.read_text("utf-8").splitlines()[:2]]), "utf-8")
    return path


def test_ours_agrees(run: Run) -> None:
    outcome = run("conventions", "check", LEVEL)
    assert outcome.status == 0
    header = outcome.out.splitlines()[0]
    assert header.split() == ["level", "convention", "positions", "agree", "disagree"]
    assert outcome.out.splitlines()[-1].split()[0] == "all"


def test_another_level_has_other_answers(run: Run, few: Path) -> None:
    data = json.loads(run("conventions", "check", few, "--level", 5, "--json").out)
    assert [each["wrong"] for each in data[0]["positions"]] == [[], None, None]


def test_our_player_answers_as_a_program(run: Run, few: Path) -> None:
    outcome = run("conventions", "check", few, "--player", OURS, "--player", "hgroup")
    assert outcome.status == 0, outcome.out
    header, *rows = outcome.out.splitlines()
    assert header.split()[:2] == ["level", "positions"]
    assert [row.split()[-3:] for row in rows] == [
        ["1", "of", "1"],
        ["2", "of", "2"],
        ["3", "of", "3"],
    ]


def test_the_documented_bot_answers(run: Run, few: Path) -> None:
    outcome = run("conventions", "check", few, "--player", FIRST_BOT, "--level", 6, "--json")
    (data,) = json.loads(outcome.out)
    assert outcome.status == 1
    assert data["player"] == FIRST_BOT
    assert data["disagree"] + data["agree"] == 3
    wrong = [told for each in data["positions"] for told in each["wrong"]]
    assert any("may be" in told for told in wrong)


def test_other_players_are_asked_for_actions_alone(run: Run, few: Path) -> None:
    (data,) = json.loads(run("conventions", "check", few, "--player", "rule-based", "--json").out)
    assert [each["wrong"] is None for each in data["positions"]] == [False, True, True]


BOT = """
import json, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if kind == "hello":
        answers = ["identities", "plays"]
        print(json.dumps({"type": "hello", "protocol": 1, "answers": answers}), flush=True)
    if kind == "ask":
        print(sys.argv[1], flush=True)
"""


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"type": "answer", "turn": 0, "identities": []}, "turn: 0 is not 3"),
        ({"type": "answer", "turn": 3}, "identities: null is not an array"),
        ({"type": "action", "turn": 3}, "type: 'action' is not 'answer'"),
        (
            {"type": "answer", "turn": 3, "identities": [{"color": 7, "rank": 1}]},
            "identities: 7:1 is not one of the rules",
        ),
    ],
)
def test_a_false_answer_of_a_program_is_quoted(
    run: Run, tmp_path: Path, said: object, told: str
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(BOT, "utf-8")
    command = f"process:{PYTHON} {bot} {shlex.quote(json.dumps(said))}"
    outcome = run("conventions", "check", LEVEL, "--player", command)
    assert outcome.status == 2
    assert told in outcome.err


def test_a_bot_is_asked_only_what_it_answers() -> None:
    bot = _Bot(parse_player("rule-based"), "rule-based", has_reasons=False)
    hello = bot.answer({"type": "hello", "protocol": 1})
    assert hello is not None
    assert "answers" not in hello
    rules = Rules.hanab_live(3)
    view = Game.start(rules, rules.spec.shuffle(1)).view(1)
    start = {"type": "start", "rules": rules_to_json(rules, is_full=True), "seat": 1}
    bot.answer(start | {"first_seat": 0, "deal": deal_to_json(view)})
    with pytest.raises(InvalidInputError, match="what: 'plays' is no question for rule-based"):
        bot.answer({"type": "ask", "turn": 0, "what": "plays"})
    ours = _Bot(parse_player("hgroup"), "hgroup", has_reasons=False)
    ours.answer(start | {"first_seat": 0, "deal": deal_to_json(view), "level": 3})
    with pytest.raises(InvalidInputError, match="card: 3 is not in the hand"):
        ours.answer({"type": "ask", "turn": 0, "what": "identities", "card": 3})
    said = ours.answer({"type": "ask", "turn": 0, "what": "discards"})
    assert said == {"type": "answer", "turn": 0, "discards": [5]}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chek", LEVEL], "'chek': say check"),
        (["check"], "'check': say check, and then name files"),
        (["check", LEVEL, "--level", 12], "--level 12: 1 to 11"),
        (["check", LEVEL, "--level", 5, "--player", "hgroup:level=6"], "has another one"),
        (["check", DOCS / "hgroup.md"], "line 1"),
    ],
)
def test_bad_input_is_quoted(run: Run, words: list[object], told: str) -> None:
    outcome = run("conventions", *words)
    assert outcome.status == 2
    assert told in outcome.err
