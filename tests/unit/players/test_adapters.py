"""The language model of docs/adapters.md, behind a function and behind a server."""

from __future__ import annotations

import json
import runpy
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from hanabi.front.app import main
from hanabi.ground.errors import PlayerError
from hanabi.ground.rng import Stream
from hanabi.players import Player, outcomes, parse_player, play_game, why
from hanabi.rules import Game, Rules
from property.test_game import hide_otherwise

BOTS = Path(__file__).parents[3] / "docs" / "bots"
RULES = Rules.hanab_live(2)


@pytest.fixture(scope="module")
def program() -> dict[str, Any]:
    return runpy.run_path(str(BOTS / "language_model.py"))


def player_of(program: dict[str, Any], ask: Callable[[str], str]) -> Player:
    player: Player = program["LanguageModel"](ask)
    return player


def moves_in(prompt: str) -> list[str]:
    return prompt.partition("Your moves:\n")[2].partition("\n\n")[0].split("\n")


def last_move(prompt: str) -> str:
    return json.dumps({"move": len(moves_in(prompt)) - 1, "why": "nothing better to do"})


def test_a_model_plays_and_says_why(program: dict[str, Any]) -> None:
    player = player_of(program, lambda prompt: f"Let me think.\n{last_move(prompt)}\n")
    end = play_game([player] * 2, Game.start(RULES, RULES.spec.shuffle(1)), Stream(1))
    assert end.actions[0] == Game.start(RULES, end.deck).view(0).legal_actions[-1]
    assert why(player, end, 0) == "nothing better to do"
    assert outcomes([player, parse_player("rule-based")], RULES, 2, seed=1)


def test_the_prompt_holds_what_the_seat_may_know(program: dict[str, Any]) -> None:
    """Exchanged hidden cards do not change it; its moves are the legal ones."""
    end = play_game(
        [parse_player("rule-based")] * 2, Game.start(RULES, RULES.spec.shuffle(2)), Stream(1)
    )
    game = Game.start(RULES, end.deck)
    for action in end.actions[:20]:
        game = game.apply(action)
    seat = game.seat_to_act
    other = Game.start(RULES, hide_otherwise(game, seat, Stream(4)))
    for action in game.actions:
        other = other.apply(action)
    prompt = program["prompt_of"](game.view(seat))
    assert prompt == program["prompt_of"](other.view(seat))
    legal = game.view(seat).legal_actions
    assert moves_in(prompt) == [f"{number}: {action}" for number, action in enumerate(legal)]
    assert prompt.count("Your slot") == 5
    assert str(game.view(seat)) in prompt


@pytest.mark.parametrize(
    ("first", "complaint"),
    [
        ("I play slot 2.", "'I play slot 2.' is not a line of JSON with move and why"),
        ('{"move": 1}', "is not a line of JSON with move and why"),
        ('{"move": 1, "why": "x"} as I said', "is not a line of JSON with move and why"),
        ("[]", "'[]' is not a line of JSON with move and why"),
        ("", "'' is not a line of JSON with move and why"),
        ('{"move": 99, "why": "x"}', "has no move in 0 .. 12, or its why is not a text"),
        ('{"move": true, "why": "x"}', "has no move in 0 .. 12, or its why is not a text"),
        ('{"move": 1, "why": 2}', "has no move in 0 .. 12, or its why is not a text"),
    ],
)
def test_a_reply_that_is_not_understood_is_asked_for_once_more(
    program: dict[str, Any], first: str, complaint: str
) -> None:
    """A recorded exchange: one wrong reply and one right, then two wrong ones."""
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return first if len(asked) == 1 else last_move(asked[0])

    view = Game.start(RULES, RULES.spec.shuffle(1)).view(0)
    player = player_of(program, ask)
    assert player.act(view, Stream(1)) == view.legal_actions[-1]
    assert len(asked) == 2
    assert asked[1].startswith(asked[0])
    assert complaint in asked[1].removeprefix(asked[0])
    stubborn = player_of(program, lambda _: first)
    with pytest.raises(
        PlayerError, match=r"seed 1, deal 0: turn 1, seat 0: .*language_model.py:\d+: "
    ) as caught:
        outcomes(stubborn, RULES, 1, seed=1)
    assert complaint.split(" in 0 ")[0] in str(caught.value)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, Any]]]:
    """A server for chat completions that replies like `last_move`, and what it was asked."""
    asked: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(data | {"path": self.path})
            reply = {"content": last_move(data["messages"][0]["content"])}
            body = json.dumps({"choices": [{"message": reply}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("LANGUAGE_MODEL_URL", f"http://127.0.0.1:{server.server_port}")
    yield asked
    server.shutdown()
    server.server_close()


def test_a_model_behind_a_server(
    server: list[dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    text = f"{BOTS / 'language_model.py'}:Talker"
    assert main(["play", text, "rule-based", "--seed", "1", "--players", "2", "--show"]) == 0
    assert "nothing better to do" in capsys.readouterr().out
    assert {each["path"] for each in server} == {"/v1/chat/completions"}
    assert {each["temperature"] for each in server} == {0}
