"""Players in other programs: the protocol, and every way in which a program can fail."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hanabi.front.app import main
from hanabi.ground.errors import InvalidInputError, PlayerError
from hanabi.ground.rng import Stream
from hanabi.lab import Simulation
from hanabi.players import Endgame, outcomes, parse_player, play_game, why
from hanabi.players import process as processes
from hanabi.players.commands.bot import _Bot
from hanabi.players.process import process_player
from hanabi.players.registry import format_player
from hanabi.rules import Action, Game, Rules, View
from hanabi.rules.kernels import doors
from hanabi.rules.wire import event_to_json, view_to_json
from processes import is_running, only_on_linux, wait_until
from property.test_game import hide_otherwise

RULES = Rules.hanab_live(3)
TWO = Rules.hanab_live(2)
DECK = Rules.hanab_live(2, colors=3).spec.shuffle(7)
BOTS = Path(__file__).parents[3] / "docs" / "bots"
PYTHON = shlex.quote(sys.executable)
FIRST = f"process:{PYTHON} -S {shlex.quote(str(BOTS / 'first_bot.py'))}"

FAULTY = """
import json, os, sys, time

how, turn = sys.argv[1], int(sys.argv[2])

def say(data):
    print(json.dumps(data), flush=True)

def raw(data):
    sys.stdout.buffer.write(data)
    sys.stdout.flush()

def silent():
    # The clock of the test jumps, and whoever waits for an answer wakes up: there is none.
    with open(sys.argv[0] + ".silent", "ab") as file:
        file.write(b".")
    sys.stderr.write("...\\n")
    sys.stderr.flush()
    while True:
        time.sleep(60)

games = 0
if how == "silent start":
    sys.stdin.readline()
    silent()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say({"type": "hello", "protocol": {"version": 2, "protocol": True}.get(how, 1)})
    games += message["type"] == "start"
    if message["type"] != "turn":
        continue
    answer = {"type": "action", "turn": message["turn"], "action": message["legal"][-1]}
    if message["turn"] >= turn:
        if how == "silence" or how == "second game" and games == 2:
            silent()
        elif how == "half a line":
            raw(b'{"type": "act')
            silent()
        elif how == "half a line and exit":
            raw(b'{"type": "act')
            sys.exit(0)
        elif how == "flood":
            while True:
                raw((b"x" * 10 + b"\\n") * 1000)
        elif how == "long line":
            raw(b"x" * 10_000_000 + b"\\n")
            continue
        elif how == "not UTF-8":
            raw(b"\\xff\\xfe\\n")
            continue
        elif how == "nonsense":
            raw(b"play 3\\n")
            continue
        elif how == "array":
            raw(b"[1]\\n")
            continue
        elif how == "deep":
            raw(b"[" * 100_000 + b"\\n")
            continue
        elif how == "kind":
            answer["type"] = "move"
        elif how == "illegal":
            answer["action"] = {"type": "play", "slot": 9}
        elif how == "no action":
            answer["action"] = 7
        elif how == "turn":
            answer["turn"] += 1
        elif how == "no integer":
            answer["turn"] = float(turn)
        elif how == "twice":
            raw(2 * (json.dumps(answer) + "\\n").encode())  # read at once
            continue
        elif how == "note":
            answer["why"] = 7
        elif how == "exit":
            sys.exit(0)
        elif how == "crash":
            sys.exit("no weights\\n")
        elif how == "kill":
            os.kill(os.getpid(), 9)
        elif how == "close":
            os.close(1)
            time.sleep(60)
        elif how == "loud":
            sys.stderr.write("debug " * 100_000 + "\\n")
    say(answer)
"""


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The command of the program, whose silence the clock takes for very long."""
    (tmp_path / "faulty.py").write_text(FAULTY, encoding="utf-8")
    silences = tmp_path / "faulty.py.silent"

    def now() -> float:
        return 1e6 * silences.stat().st_size if silences.exists() else 0.0

    monkeypatch.setattr(processes, "time", SimpleNamespace(monotonic=now))
    return f"{PYTHON} -S {shlex.quote(str(tmp_path / 'faulty.py'))}"


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("silence", "no answer within 9 s"),
        ("half a line", 'no answer within 9 s, only b\'{"type": "act\''),
        ("half a line and exit", '(exit code 0) without an answer, after b\'{"type": "act\''),
        ("flood", "was not asked for"),
        ("long line", "is a line of more than 1,000,000 bytes"),
        ("not UTF-8", "b'\\xff\\xfe' is not UTF-8"),
        ("nonsense", "'play 3' is not a line of JSON: line 1, column 1: not JSON at 'play 3'"),
        ("array", "answer: [1] is not an object"),
        ("deep", "is not a line of JSON: "),
        ("kind", "type: 'move' is not 'action'"),
        ("illegal", "play slot 9 is not legal"),
        ("no action", "action: 7 is not an object"),
        ("turn", "turn: 5 is not 4"),
        ("no integer", "turn: 4.0 is not 4"),
        ("twice", "was not asked for"),
        ("note", "why: 7 is not a string"),
        ("exit", "it ended (exit code 0) without an answer"),
        ("crash", "(exit code 1) without an answer; its standard error ends with 'no weights'"),
        ("kill", "it ended (Killed) without an answer"),
        ("close", "its standard output is closed"),
    ],
)
def test_a_fault_is_one_line_with_game_and_turn(
    faulty: str,
    how: str,
    message: str,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if how == "close":
        monkeypatch.setattr(processes, "_ENDING", 0.1)  # it does not end, however long we wait
    command, at = f"{faulty} {shlex.quote(how)} 4", "seed 6, deal 2: turn 5, seat 1: process:"
    with pytest.raises(PlayerError) as caught:
        outcomes(process_player(command, seconds=9), RULES, 1, seed=6, first=2)
    told = str(caught.value)
    assert told.startswith(at)
    assert message in told
    assert "\n" not in told
    assert len(told) < 400
    # A run that goes on forfeits the game, and says the same.
    player = process_player(command, seconds=9, forfeits=True)
    assert outcomes(player, RULES, 1, seed=6, first=2) == [0]
    [note] = [each.getMessage() for each in caplog.records]
    assert note.startswith(f"hanabi: note: {at}")
    assert message in note


def test_plain_answers_are_read_as_all_others_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each answer with one byte missing, or another one in its place, read in both ways."""
    view = Game.start(TWO, TWO.spec.shuffle(1)).view(0)
    lines = [
        json.dumps({"type": "action", "turn": 0, "action": action}, separators=separators).encode()
        for action in ({"type": "play", "slot": 1}, {"type": "hint_rank", "seat": 1, "rank": 3})
        for separators in ((",", ":"), (", ", ": "))
    ]
    damaged = [
        line[:at] + other + line[at + 1 :]
        for line in lines
        for at in range(len(line))
        for other in (b"", b'"', b"{", b"}", b",", b"0", b"9", b" ", b"\\", b"\xff", b"e", b"-")
    ]
    damaged += [line.replace(b'"slot"', b'"slot": 1, "slot"') for line in lines]

    def read() -> list[str]:
        found = []
        for line in [*lines, *damaged]:
            try:
                found.append(str(processes._answer(line, view, 0)))
            except InvalidInputError as error:
                found.append(f"error: {error}")
        return found

    quickly = read()
    monkeypatch.setattr(processes, "_PLAIN", re.compile(rb"(?!)"))
    assert quickly == read()
    assert sum(not each.startswith("error") for each in quickly[: len(lines)]) == len(lines)
    assert sum(not each.startswith("error") for each in quickly) > len(lines) + 10


def test_a_late_answer_forfeits_one_game_and_is_never_taken_for_another(faulty: str) -> None:
    """The process is ended, so that what it would still say is not read in the next game."""
    late = process_player(f"{faulty} silence 4", forfeits=True)
    quick = process_player(f"{faulty} nothing 0")
    found = outcomes([late, quick, quick], RULES, 2, seed=6)
    assert found == [0, 0]
    assert not processes._idle.get(late.player._words)  # type: ignore[attr-defined]


def test_a_program_that_stays_silent_after_a_game(
    faulty: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The game that is over keeps its score; the next one names the fault."""
    stuck = process_player(f"{faulty} 'second game' 0", forfeits=True)
    first, second = outcomes(stuck, TWO, 2, seed=6)
    assert [first] == outcomes(process_player(f"{faulty} nothing 0"), TWO, 1, seed=6)
    assert second == 0
    [note] = [each.getMessage() for each in caplog.records]
    assert "seed 6, deal 1: turn 1, seat 0: process:" in note
    assert "no answer within 60 s" in note


def test_a_process_that_is_killed_between_its_turns(faulty: str) -> None:
    player = process_player(f"{faulty} nothing 0")
    before = set(processes._links)

    class Killer:
        """Ends the other seat's process on its own second turn."""

        def act(self, view: View, _: Stream) -> Action:
            if view.turn == 3:
                [link] = set(processes._links) - before
                os.kill(link._process.pid, signal.SIGKILL)
                link._process.wait()
            return view.legal_actions[-1]

    with pytest.raises(PlayerError) as caught:
        play_game([player, Killer()], Game.start(TWO, TWO.spec.shuffle(1)), Stream(1))
    assert str(caught.value).startswith("turn 5, seat 0: process:")
    assert "it ended (Killed) without an answer" in str(caught.value)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("silent start", "turn 1, seat 0: process:.*: hello: no answer within 60 s"),
        ("version", "hello: protocol: 2 is not 1"),
        ("protocol", "hello: protocol: true is not 1"),
    ],
)
def test_a_fault_before_the_first_game(faulty: str, how: str, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        outcomes(process_player(f"{faulty} '{how}' 0"), RULES, 1, seed=6)


def test_what_it_writes_to_standard_error_does_no_harm(faulty: str) -> None:
    quiet, loud = (process_player(f"{faulty} {how} 0") for how in ("nothing", "loud"))
    assert outcomes(quiet, RULES, 2, seed=1) == outcomes(loud, RULES, 2, seed=1)


def test_games_are_forfeited_if_asked(faulty: str, caplog: pytest.LogCaptureFixture) -> None:
    player = process_player(f"{faulty} crash 4", forfeits=True)
    assert outcomes(player, RULES, 2, seed=6) == [0, 0]
    assert [each.getMessage().split(", seat")[0] for each in caplog.records] == [
        f"hanabi: note: seed 6, deal {deal}: turn 5" for deal in (0, 1)
    ]
    assert "forfeits" in format_player(player)
    assert format_player(player) != format_player(process_player(f"{faulty} crash 4"))


def test_commands_that_cannot_be(tmp_path: Path) -> None:
    for command, message in (
        ("", "'process:': name a program"),
        ("node 'my bot", "No closing quotation"),
        ("no-such-program x", "no program 'no-such-program'"),
        (str(tmp_path), "no program"),
    ):
        with pytest.raises(InvalidInputError) as caught:
            parse_player(f"process:{command}")
        assert message in str(caught.value)
    for seconds in (0, float("inf"), float("nan")):
        with pytest.raises(InvalidInputError, match=f"seconds = {seconds} is not positive and fin"):
            process_player(sys.executable, seconds=seconds)
    bare = tmp_path / "bare"
    bare.write_text("no program", encoding="utf-8")
    bare.chmod(0o755)
    with pytest.raises(PlayerError, match=r"hello: it ended .*Exec format error"):
        outcomes(process_player(str(bare)), RULES, 1, seed=1)


@pytest.mark.parametrize("seconds", ["2147484", "1e300"])
def test_a_limit_of_weeks_is_kept(
    faulty: str, seconds: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["simulate", f"process:{faulty} nothing 0", "-n", "1", "--seed", "1", "-j", "1"]
    assert main([*words, "--turn-time", seconds]) == 0
    assert capsys.readouterr().err == ""


def test_no_shell_runs_the_command(tmp_path: Path, faulty: str) -> None:
    mark = tmp_path / "mark"
    player = process_player(f"{faulty} 'nothing; touch {mark}' 0 $(touch {mark}) > {mark}")
    assert outcomes(player, RULES, 1, seed=1)
    assert not mark.exists()


def test_processes_are_kept_for_many_games(faulty: str) -> None:
    player = process_player(f"{faulty} nothing 0")
    before = len(processes._links)
    outcomes(player, RULES, 8, seed=1)
    assert len(processes._links) == before + 3
    outcomes([player, parse_player("random"), player], RULES, 8, seed=2)
    assert len(processes._links) == before + 3


def test_a_process_that_died_between_games_is_replaced(faulty: str) -> None:
    player = process_player(f"{faulty} nothing 0")
    found = outcomes(player, RULES, 1, seed=1)
    for link in list(processes._links):
        link._process.kill()
        link._process.wait()
    assert outcomes(player, RULES, 1, seed=1) == found


DETACHED = """
import os, signal, sys, time

how, mark = sys.argv[1:3]
ready, told = os.pipe()
if os.fork() == 0:
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    os.setsid()
    if os.fork():
        os._exit(0)
    if how == "daemon":
        os.closerange(0, 3)
    with open(mark + ".new", "w") as file:
        print(os.getpid(), file=file)
    os.rename(mark + ".new", mark)
    os.write(told, b".")
    while True:
        time.sleep(60)
os.read(ready, 1)
print('{"type": "hello", "protocol": 1}', flush=True)
if how == "stubborn":
    while True:
        time.sleep(60)
for line in sys.stdin:
    if '"turn"' in line and how == "fails":
        sys.exit("enough")
"""


@pytest.fixture
def detached(tmp_path: Path) -> Callable[[str], tuple[str, Path]]:
    """A program that starts another one in a session of its own, which ignores all signals."""
    (tmp_path / "detached.py").write_text(DETACHED, encoding="utf-8")
    mark = tmp_path / "mark"
    words = f"{PYTHON} -S {shlex.quote(str(tmp_path / 'detached.py'))}"
    return lambda how: (f"{words} {how} {shlex.quote(str(mark))}", mark)


@only_on_linux
def test_all_that_a_program_has_started_ends_with_it(
    detached: Callable[[str], tuple[str, Path]],
) -> None:
    command, mark = detached("fails")
    with pytest.raises(PlayerError, match=r"it ended \(exit code 1\).*'enough'"):
        outcomes(process_player(command), TWO, 1, seed=1)
    assert not is_running(int(mark.read_text()))


@only_on_linux
@pytest.mark.parametrize("is_killed", [True, False])
@pytest.mark.parametrize("how", ["stubborn", "daemon"])
def test_processes_end_with_ours(
    detached: Callable[[str], tuple[str, Path]], how: str, is_killed: bool
) -> None:
    """Even one that does not look at its input or ignores signals, and even if ours is killed."""
    command, mark = detached(how)
    ours = f"""
import os, signal, shlex
from hanabi.players import process
link = process._Link(tuple(shlex.split({command!r})), 600)
print(link._process.pid, flush=True)
if {is_killed}:
    os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", ours], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is not is_killed, done.stderr
    keeper, started = int(done.stdout), int(mark.read_text())
    wait_until(lambda: not is_running(keeper) and not is_running(started))


# The sample programs.


def test_a_bot_in_python_without_the_package() -> None:
    player = parse_player(FIRST)
    rules = Rules.hanab_live(2)
    found = outcomes(player, rules, 6, seed=1)
    assert sum(each >> 1 for each in found) / 6 > 8
    assert outcomes(player, rules, 6, seed=1) == found
    assert outcomes(player, rules, 3, seed=1, first=3) == found[3:]
    assert len(outcomes([player, parse_player("rule-based")], rules, 2, seed=1)) == 2
    # A search tells it the events of the deals that it tries.
    small = Rules.hanab_live(2, colors=3)
    assert len(outcomes(Endgame(player, budget=2, deck=0), small, 1, seed=1)) == 1


def test_a_program_says_why() -> None:
    player = parse_player(FIRST)
    end = play_game(
        [player] * 2,
        Game.start(Rules.hanab_live(2), Rules.hanab_live(2).spec.shuffle(1)),
        Stream(1),
    )
    assert why(player, end, 0) == "calls a playable card"
    assert {why(player, end, turn) for turn in range(6)} >= {"a hint called this card"}
    processes._notes.clear()
    assert why(player, end, 0) == "calls a playable card"  # asked again


def test_a_bot_in_javascript() -> None:
    if shutil.which("node") is None:
        pytest.skip("docs/bots/bot.js needs node, which is not installed")
    player = parse_player(f"process:node {shlex.quote(str(BOTS / 'bot.js'))}")
    found = outcomes(player, RULES, 4, seed=1)
    assert sum(each >> 1 for each in found) / 4 > 5


def test_a_bot_in_c(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("docs/bots/bot.c needs cc, which is not installed")
    program = tmp_path / "bot"
    subprocess.run([compiler, "-O1", "-o", program, BOTS / "bot.c"], check=True)
    player = parse_player(f"process:{shlex.quote(str(program))}")
    found = outcomes(player, RULES, 20, seed=1)
    assert len(set(found)) > 1  # it draws from the numbers that it is sent
    assert outcomes(player, RULES, 20, seed=1) == found
    assert Simulation((f"process:{program}",), RULES, seed=1).run(0, 2)


def test_our_players_speak_the_protocol() -> None:
    rules = Rules.hanab_live(2)
    there = parse_player(f"process:{PYTHON} -m hanabi bot convention --why")
    here = parse_player("convention")
    assert outcomes(there, rules, 3, seed=1) == outcomes(here, rules, 3, seed=1)
    end = play_game([there] * 2, Game.start(rules, rules.spec.shuffle(1)), Stream(1))
    assert [why(there, end, turn) for turn in range(4)] == [
        why(here, end, turn) for turn in range(4)
    ]


def test_our_players_apply_each_action_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game costs them as many steps as it has turns, not the square."""
    end = play_game(
        [parse_player("rule-based")] * 2, Game.start(TWO, TWO.spec.shuffle(1)), Stream(1)
    )
    whole = view_to_json(end.view(0))
    bot, steps = _Bot(parse_player("rule-based"), "rule-based", has_reasons=False), 0
    step = doors.apply

    def count(*words: Any) -> Any:
        nonlocal steps
        steps += 1
        return step(*words)

    monkeypatch.setattr(doors, "apply", count)
    bot.answer({"type": "start", **whole})
    for turn, event in enumerate(whole["events"]):
        if turn % 2 == 0:
            answer = bot.answer({"type": "turn", "turn": turn, "random": 1})
            assert answer is not None
            assert answer["action"] == event["action"]
        bot.answer(event | {"type": "event"})
    assert steps == end.turn


def test_hidden_cards_are_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that differ in cards that a seat cannot see give it the same lines."""
    sent: list[str] = []
    exchange = processes._Link._exchange

    def record(self: processes._Link, messages: list[str], *rest: Any, **more: Any) -> None:
        sent.append("\n".join(messages))
        exchange(self, messages, *rest, **more)

    monkeypatch.setattr(processes._Link, "_exchange", record)
    monkeypatch.setattr(processes, "_wants_views", lambda _: True)
    player = process_player(f"{FIRST.removeprefix('process:')} views")
    for index in range(2):
        game = Game.start(RULES, RULES.spec.shuffle(3, index))
        while not game.is_over:
            seat = game.seat_to_act
            other = Game.start(RULES, hide_otherwise(game, seat, Stream(4, game.turn)))
            for action in game.actions:
                other = other.apply(action)
            lines, answers = [], []
            for each in (game, other):
                sent.clear()
                answers.append(player.act(each.view(seat), Stream(5)))
                lines.append([text for text in sent if "hello" not in text])
            assert lines[0] == lines[1]
            assert lines[0]
            assert answers[0] == answers[1]
            game = game.apply(answers[0])


def test_the_lines_are_the_documented_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are put together from texts; `hanabi.rules.wire` states what they hold."""
    sent: list[str] = []
    exchange = processes._Link._exchange

    def record(self: processes._Link, messages: list[str], *rest: Any, **more: Any) -> None:
        sent.extend(messages)
        exchange(self, messages, *rest, **more)

    monkeypatch.setattr(processes._Link, "_exchange", record)
    monkeypatch.setattr(processes, "_wants_views", lambda _: True)
    player = parse_player(f"{FIRST} anew")  # a process that no other test has started
    alone = Rules.hanab_live(2, colors=3)
    end = play_game([player, parse_player("random")], Game.start(alone, DECK), Stream(1))
    views = [Game.start(alone, DECK)]
    for action in end.actions:
        views.append(views[-1].apply(action))
    told = [json.loads(line) for line in sent]
    hello, start, *others, over = told
    assert hello["type"] == "hello"
    assert start == {
        "type": "start",
        **{name: view_to_json(end.view(0))[name] for name in ("rules", "seat", "first_seat")},
        "deal": view_to_json(end.view(0))["deal"],
    }
    assert over == {"type": "over", "score": end.score, "end": end.end_reason.name.lower()}
    events = [each for each in others if each["type"] == "event"]
    assert events == [{"type": "event", **event_to_json(each)} for each in end.view(0).events]
    turns = [each for each in others if each["type"] == "turn"]
    assert [each["turn"] for each in turns] == list(range(0, end.turn, 2))
    for each in turns:
        view = views[each["turn"]].view(0)
        assert each["view"] == view_to_json(view)
        assert each["legal"] == each["view"]["legal"]
        assert each["seconds"] == processes.SECONDS
        assert each.keys() == {"type", "turn", "random", "seconds", "view", "legal"}


# The command line.


def test_a_run_stops_or_goes_on_as_asked(faulty: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-n", "2", "--seed", "1", "-j", "1", "--players", "2", "--json"]
    bad = f"process:{faulty} crash 3"
    assert main(["simulate", bad, *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "hanabi: error: seed 1, deal 0: turn 4, seat 1: process:" in told.err
    assert "ends with 'no weights'" in told.err
    assert main(["simulate", bad, *words, "--on-error", "forfeit", "--turn-time", "5"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["mean"] == 0
    good = f"process:{faulty} nothing 0"
    assert main(["tournament", bad, good, *words, "--on-error", "forfeit"]) == 0
    means = {each["mean"] for each in json.loads(capsys.readouterr().out)["teams"]}
    assert 0 in means
    assert main(["play", FIRST, "--players", "2", "--seed", "1", "--show"]) == 0
    assert "calls a playable card" in capsys.readouterr().out


def test_forfeited_games_are_counted_apart_from_bombed_ones(
    faulty: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, good = f"process:{faulty} crash 3", f"process:{faulty} nothing 0"
    store = str(tmp_path / "s.db")
    words = ["-n", "2", "--seed", "1", "-j", "1", "--players", "2", "--on-error", "forfeit"]
    runs = ["simulate", bad, *words, "--store", store]
    assert main([*runs, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["games"], data["forfeited"], data["bombed"]) == (2, 2, 0)
    assert (data["kept"]["mean"], data["zeroed"]["mean"]) == (0, 0)
    assert main(["simulate", good, *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["forfeited"] == 0
    assert main(["simulate", "random", *words[:-2], "--json"]) == 0
    assert "forfeited" not in json.loads(capsys.readouterr().out)
    told = "forfeited   2 of 2 games; each scores 0, none is bombed\n"
    assert main(runs) == 0
    assert told in capsys.readouterr().out
    assert main(["results", "show", store]) == 0
    assert told in capsys.readouterr().out
    assert main(["tournament", bad, good, *words, "--json"]) == 0
    teams = json.loads(capsys.readouterr().out)["teams"]
    assert [each["forfeited"] for each in teams] == [2, 4, 4, 0]
    assert teams[0]["bombed"] == teams[1]["bombed"] == 0
    assert main(["tournament", bad, good, *words]) == 0
    told = "forfeited games, which score 0 and are not bombed: 1 in 1: 2, 1 in 2: 4, 2 in 1: 4"
    assert told in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["simulate", "random", "--on-error", "forfeit"], "are for programs (process:...)"),
        (["simulate", f"{FIRST}", "--on-error", "forfeit", "--worst", "3"], "leave one out"),
        (["simulate", f"belief/{FIRST}"], "belief needs a compiled player, which"),
        (["serve", "--player", FIRST], "forms of the page start no programs"),
        (["bot", "nobody"], "no player 'nobody'"),
    ],
)
def test_what_the_command_line_refuses(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, *(["--seed", "1"] if words[0] == "simulate" else [])]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"\xff\n", "line 1: not UTF-8"),
        (b"play\n", "line 1: line 1, column 1: not JSON at 'play"),
        (b'{"type": "hello", "protocol": 2}\n', "line 1: protocol 2 is not 1"),
        (b'{"type": "hello", "protocol": true}\n', "line 1: protocol true is not 1"),
        (b'{"type": "hello", "protocol": 1.0}\n', "line 1: protocol 1.0 is not 1"),
        (
            b'{"type": "turn", "turn": 0, "random": 1}\n',
            "line 1: an event or a turn before the start",
        ),
        (b'{"type": "start"}\n', "line 1: start.rules: missing"),
        (b'{"type": "bye"}\n', "line 1: type: 'bye' is none of hello"),
    ],
)
def test_our_players_name_what_they_do_not_understand(
    line: bytes, message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(line)))
    assert main(["bot", "random"]) == 2
    assert message in capsys.readouterr().err
