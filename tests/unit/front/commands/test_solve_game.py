"""`hanabi solve` on the full game."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any, cast, get_args

import pytest

from clocks import stopped
from hanabi.ground.verdict import Status, Verdict
from hanabi.rules import PRESETS, Game, Rules, play
from hanabi.rules.deck import DeckSpec
from hanabi.rules.notation import (
    DeckInput,
    GameRecord,
    RecordedAction,
    format_link,
    format_text,
    game_to_json,
    parse_input,
    parse_link,
)
from hanabi.rules.replay import replay, to_record
from hanabi.shell.command.options import RuleSet
from hanabi.shell.session import solving
from hanabi.solvers.winnable.timeline import find_lost

from ...conftest import Run

DATA = Path(__file__).parents[3] / "data/hanab_live"
GAME = DATA / "games/2906.json"
KEYS = ["status", "best", "reason", "method", "actions", "link", "seconds"]
LOST = "p2v0s731"
"""A deck that has a short proof."""


@pytest.fixture(scope="module")
def decks() -> dict[str, dict[str, Any]]:
    data = json.loads((DATA / "decks.json").read_text(encoding="utf-8"))
    return {deck["id"]: deck for deck in data["decks"]}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "input"


def write(path: Path, data: object) -> Path:
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def answered(run: Run, *arguments: object) -> dict[str, Any]:
    outcome = run("solve", *arguments, "--json")
    assert (outcome.status, outcome.err) == (0, "")
    data: dict[str, Any] = json.loads(outcome.out)
    return data


def check_line(data: dict[str, Any], deck: Any, players: int, colors: int = 5) -> Game:
    """Replay the actions of an answer under the site's rules; the link must hold the same."""
    actions = tuple(
        RecordedAction(each["type"], each["target"], each["value"] if each["type"] > 1 else None)
        for each in data["actions"]
    )
    assert all(list(each) == ["type", "target", "value"] for each in data["actions"])
    variant = {3: "3 Suits", 4: "4 Suits", 5: "No Variant", 6: "6 Suits"}[colors]
    record = GameRecord(players, deck, actions, variant)
    positions = replay(record)
    linked = parse_link(data["link"])
    assert (linked.actions, linked.deck, linked.players) == (actions, deck, players)
    assert not any(game.is_over for game in positions[:-1])
    return positions[-1]


def test_the_presets_are_those_of_the_game() -> None:
    told = get_args(RuleSet)[1]
    assert all(name in told.help for name in PRESETS)


def test_a_real_game_in_json(run: Run) -> None:
    data = answered(run, GAME)
    assert list(data) == KEYS
    assert (data["status"], data["best"]) == ("winnable", {"lower": 25, "upper": 25})
    end = check_line(data, parse_input(GAME.read_text(encoding="utf-8")).deck, 3)  # type: ignore[union-attr]
    assert end.score == 25
    assert end.is_over


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("colors", [3, 5, 6])
def test_lines_of_every_table_are_legal_and_fit_into_80_columns(
    run: Run, source: Path, players: int, colors: int
) -> None:
    deck = DeckSpec.standard(colors).shuffle(seed=players)
    write(source, format_text(DeckInput(players, deck)))
    data = answered(run, source)
    if data["status"] == "winnable":
        assert check_line(data, deck, players, colors).score == 5 * colors
    outcome = run("solve", source, "--show")
    lines = [line for line in outcome.out.splitlines() if "https://" not in line]
    assert max(map(len, lines)) <= 80
    assert sum("play" in line for line in lines) >= 5
    assert (outcome.status, outcome.err) == (0, "")


def test_a_real_game_for_people(run: Run) -> None:
    lines = run("solve", GAME, "--show").out.splitlines()
    assert lines[0].startswith("3 players with 5 cards each, a deck of 50 in 5 colors")
    assert any(line.startswith("winnable    all 25 points in ") for line in lines)
    assert any(
        line.startswith("as played   55 moves, 25 of 25 points, legendary") for line in lines
    )
    assert any(line.startswith("turn  A player 1") for line in lines)
    assert lines[-3] == "      25 of 25 points, legendary: every color is complete"
    assert lines[-1].startswith("https://hanab.live/replay-json/3")


def test_the_link_alone(run: Run) -> None:
    outcome = run("solve", GAME, "--link")
    assert outcome.out.count("\n") == 1
    assert replay(parse_link(outcome.out.strip()))[-1].score == 25


def test_answers_of_known_decks(run: Run, source: Path, decks: dict[str, dict[str, Any]]) -> None:
    for name in ("p2v0s1", LOST, "p3v0s1041"):
        deck = decks[name]
        data = answered(run, write(source, deck))
        assert data["status"] == ("winnable" if deck["winnable"] else "unwinnable")
        assert (data["actions"] is not None) == deck["winnable"]
        assert data["best"]["upper"] == (25 if deck["winnable"] else 24)


def test_a_lost_deck_has_a_named_reason_and_a_proof(
    run: Run, source: Path, decks: dict[str, dict[str, Any]]
) -> None:
    write(source, decks[LOST])
    data = answered(run, source)
    assert list(data) == [*KEYS, "because"]
    because = data["because"]
    assert data["reason"] == f"{because['name']}: {because['sentence']}"
    assert (because["name"], because["choices"], because["steps"]) == ("pace", 0, 1)
    assert because["sentence"].endswith("only 3 cards can be played, but 4 must be: red 2-3-4-5")
    assert (data["actions"], data["link"]) == (None, None)
    short, long = (run("solve", source, *more).out for more in ([], ["--show"]))
    assert "unwinnable  pace: the first red 2 is the second card from the bottom" in short
    assert "Proof" not in short
    proof = " ".join(long[long.index("Proof:") :].split())
    assert "r2 r3 r4 r5 are still to be played, but only 1 + 2 turns can play one" in proof


def test_a_proof_with_choices(run: Run, source: Path, decks: dict[str, dict[str, Any]]) -> None:
    write(source, decks["p2v0s1495"])
    data = answered(run, source)
    assert data["reason"].startswith("merged hands: ")
    assert (data["because"]["choices"], data["because"]["steps"]) == (6, 23)
    out = run("solve", source, "--show").out
    assert "all 10 cards in hand are needed" in out[out.index("Proof:") :]


def test_the_best_score(run: Run, source: Path, decks: dict[str, dict[str, Any]]) -> None:
    deck = decks[LOST]
    data = answered(run, write(source, deck), "--best")
    assert data["status"] == "unwinnable"
    lower, upper = data["best"]["lower"], data["best"]["upper"]
    assert 20 <= lower <= upper <= 24
    given = parse_input(json.dumps(deck))
    assert isinstance(given, DeckInput)
    assert check_line(data, given.deck, 2).score == lower


def test_from_a_move_on(run: Run) -> None:
    whole = json.loads(GAME.read_text(encoding="utf-8"))["actions"]
    data = answered(run, GAME, "--at", 30)
    told = [(each["type"], each["target"], each["value"]) for each in data["actions"]]
    assert told[:30] == [(each["type"], each["target"], each["value"]) for each in whole[:30]]
    assert replay(parse_link(data["link"]))[-1].score == 25
    assert "after 30 of 55 moves" in run("solve", GAME, "--at", 30).out.replace("\n", " ")
    assert answered(run, GAME, "--at", 55)["status"] == "winnable"
    outcome = run("solve", GAME, "--at", 56)
    assert (outcome.status, outcome.out) == (2, "")
    assert "--at 56: the game has only 55 moves" in outcome.err


def test_a_bombed_game_has_no_points(run: Run) -> None:
    rules = Rules.hanab_live(2)
    game = Game.start(rules, rules.spec.shuffle(3))
    while not game.is_over:
        game = game.apply(play(0))
    assert (game.score, sum(game.piles)) == (0, 1)
    link = format_link(to_record(game))
    data = answered(run, link, "--at", game.turn, "--best")
    assert (data["status"], data["best"]) == ("unwinnable", {"lower": 0, "upper": 0})
    assert answered(run, link, "--lost-at")["lost_at"] == game.turn


@pytest.mark.parametrize("length", [1, 2, 3, 6])
def test_bisection_is_sound_whatever_stays_undecided(length: int) -> None:
    def decide(position: object, _: float | None, truth: int, hidden: int) -> Verdict[Any]:
        assert isinstance(position, int)
        status = Status.WINNABLE if position < truth else Status.UNWINNABLE
        return Verdict(Status.UNKNOWN if hidden >> position & 1 else status, "fake", "")

    positions = cast("list[Game]", list(range(length)))  # only handed on
    for truth in range(length + 1):  # the first lost position; length: none
        for hidden in range(2**length):
            decider = partial(decide, truth=truth, hidden=hidden)
            lost = find_lost(positions, decider, seconds=60.0)
            seen = [index for index in range(length) if not hidden >> index & 1]
            assert lost.winnable_until == max((i for i in seen if i < truth), default=None)
            assert lost.lost_from == min((i for i in seen if i >= truth), default=None)
            if lost.is_exact:
                assert lost.move == (None if truth == length else truth)


def test_positions_cut_short_come_again_with_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.hanab_live(2)
    game = Game.start(rules, rules.spec.shuffle(1))
    shares = []

    def decide(_: Game, seconds: float | None) -> Verdict[Any]:
        assert seconds is not None
        shares.append(seconds)
        time.sleep(seconds)
        return Verdict(Status.UNKNOWN, "fake", "")

    with stopped(monkeypatch) as time:
        lost = find_lost([game], decide, seconds=1.25)
    assert not lost.is_exact
    assert (lost.lower, lost.move) == (0, None)
    assert shares == [0.5, 0.75]


def undecided(*_: object, **__: object) -> Verdict[Any]:
    return Verdict(Status.UNKNOWN, "search", "the time is over", lower=3, upper=25)


def test_an_undecided_deck(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solving, "decide_game", undecided)
    data = answered(run, GAME, "--lost-at")
    assert list(data) == [*KEYS, "as_played", "lost_at", "lost_at_bounds"]
    assert (data["status"], data["lost_at"]) == ("unknown", None)
    assert data["best"] == {"lower": 3, "upper": 25}
    assert data["lost_at_bounds"] == {"lower": 0, "upper": None}
    outcome = run("solve", GAME, "--lost-at", "--exit-code")
    assert outcome.status == 30
    assert "best score  between 3 and 25 of 25" in outcome.out
    assert "lost at     not known, perhaps not at all; the rest is undecided" in outcome.out


@pytest.mark.parametrize(("deck", "status"), [("r1 r2 r3", 10), ("r3 r1 r2", 20)])
def test_rules_in_the_input_and_exit_codes(run: Run, source: Path, deck: str, status: int) -> None:
    given = {"players": 2, "deck": deck, "rules": {"preset": "official", "hand_size": 1}}
    outcome = run("solve", write(source, given), "--exit-code")
    assert outcome.status == status
    assert "Note: 3 cards, not a standard deck" in outcome.out
    data = answered(run, source)
    assert data["link"] is None
    assert data["best"]["upper"] == (3 if status == 10 else 2)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("hanablive", "rules: 'hanablive' is not a rule set: did you mean 'hanab_live'? There are"),
        (7, "rules: 7 is not an object"),
        ({"hint": 3}, "unknown key 'hint': did you mean 'hints'?"),
        ({"spec": []}, "rules.spec: there is no such rule"),
        ({"spec" * 5000: 1}, "specsp... (20,000 characters): there is no such rule"),
        ({"hints": -1}, "rules.hints: -1 is not in 0"),
        ({"hints": True}, "rules.hints: true is not an integer"),
        ({"empty_hints": 1}, "rules.empty_hints: 1 is not true or false"),
        ({"lives": 0}, "rules: lives = 0 is not 1 or more"),
        ({"hand_size": 40}, "rules: a deck of 50 cards is too small"),
        ({"preset": "hle", "deck_plays": None}, "rules.deck_plays: null is not true or false"),
    ],
)
def test_bad_rules(run: Run, source: Path, rules: object, message: str) -> None:
    deck = str(DeckSpec.standard().shuffle(1))
    outcome = run("solve", write(source, {"players": 2, "deck": deck, "rules": rules}))
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_rules_are_given_as_to_simulate(run: Run, source: Path) -> None:
    """As JSON too, for a deck that states none, and to check the answer."""
    write(source, {"players": 2, "deck": "r1 r2 r3"})
    rules = json.dumps({"preset": "official", "hand_size": 1, "copies": [[1, 1, 1]]})
    assert answered(run, source, "--rules", rules)["status"] == "winnable"
    answer = source.with_name("answer.json")
    answer.write_text(run("solve", source, "--rules", rules, "--json").out)
    told = run("verify", source, answer, "--rules", rules)
    assert "the line wins: all 3 points" in told.out
    assert run("verify", source, answer).status == 2
    outcome = run("solve", source, "--rules", '{"hand_size": 1, "copies": [[1, 1, 2]]}')
    assert outcome.err.endswith("a deck of 3 cards; the rules have 4\n")


def test_options_of_the_table_are_honoured(run: Run, source: Path) -> None:
    deck = DeckSpec.standard().shuffle(3)
    record = GameRecord(2, deck, options={"oneLessCard": True, "emptyClues": True})
    outcome = run("solve", write(source, game_to_json(record)))
    assert "2 players with 4 cards each" in outcome.out
    assert "no link" in outcome.out
    assert answered(run, source)["link"] is None
    refused = GameRecord(2, deck, options={"detrimentalCharacters": True})
    outcome = run("solve", write(source, game_to_json(refused)))
    assert outcome.status == 2
    assert "options.detrimentalCharacters" in outcome.err


def test_no_proof_of_loss_where_the_deck_may_be_played(
    run: Run, source: Path, decks: dict[str, dict[str, Any]]
) -> None:
    given = parse_input(json.dumps(decks[LOST]))
    assert isinstance(given, DeckInput)
    record = GameRecord(2, given.deck, options={"deckPlays": True})
    data = answered(run, write(source, game_to_json(record)))
    assert (data["status"], data["best"]["upper"]) == ("unknown", 25)
    assert "deckPlays" in data["reason"]


def test_another_table(run: Run, decks: dict[str, dict[str, Any]], source: Path) -> None:
    assert run("solve", GAME, "--players", 4).out.startswith("4 players with 4 cards each")
    assert "official rules" in run("solve", GAME, "--rules", "official").out.replace("\n", " ")
    write(source, str(DeckSpec.standard().shuffle(2)))
    assert answered(run, source, "--players", 5)["status"] == "winnable"


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("r1 r2", [], "no hand size: give --hand-size H, or --players P for the full game"),
        ("r1 r2", ["--best"], "--best is for the full game: give --players P"),
        (
            "hand 2 r1",
            ["--players", 2],
            "a stream with a hand of 2 is for one player",
        ),
        ("players 2 r1", [], "a deck of 1 card is too small"),
        ("players 2 r1", ["--at", 3], "--at: only a recorded game, as it was played, has moves"),
        ("players 2 r1 30:1", [], "31 colors: the full game has at most 30"),
        ("players 2 r1", ["--players", 7], "players: 7 is not in 2 .. 6"),
    ],
)
def test_bad_input(run: Run, source: Path, text: str, options: list[object], message: str) -> None:
    outcome = run("solve", write(source, text), *options)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith(f"hanabi: error: {source}: ")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--solitaire", "--best"],
            "--solitaire is for Solitaire Hanabi, --best for the full game",
        ),
        (["--method", "table", "--lost-at"], "--method is for Solitaire Hanabi, --lost-at"),
        (["--workers", 2], "--workers is for many inputs"),
        (["-o", "x"], "--output 'x' is for many inputs, not for a single one"),
        (["--rules", "mine"], "rules: 'mine' is not a rule set; there are official"),
        (["--rules", '{"hint": 3}'], "unknown key 'hint': did you mean 'hints'?"),
        (["--rules", '{"copies": [[3]]}'], "a deck of 3 cards is too small for "),
        (["--rules", '{"copies": [[50]]}'], "deck[0]: g3 is one too many for the rules"),
        (["--players", 2, "--lost-at"], "--lost-at: only a recorded game has moves"),
        (["--players", 2, "--at", 4], "--at: only a recorded game"),
    ],
)
def test_options_that_do_not_go_together(run: Run, options: list[object], message: str) -> None:
    outcome = run("solve", GAME, *options)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
