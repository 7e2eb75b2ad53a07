"""Random options with random values: an answer or one line, and the inputs as they were.

The seed is the number of the round, which pytest shows.
"""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import pytest

from hanabi.front.app import main

from .rounds import rounds

MOST_SECONDS = 60
SIZES = ["0", "1", "2", "3", "2147483648", "9223372036854775807", "18446744073709551615"]
NUMBERS = [*SIZES, "10000000000000000000", "99999999999999999999", "-1", "1.5", "", "x"]
FEW = ["0", "1", "2", "3", "-1", "99999999999999999999"]
TIMES = ["0.2", "0.01", "1", "-1", "nan", "1e999", "x"]
FILES = ["out.txt", "{input}", "{input}", "", ".", "no/such", "/dev/null", "-"]
VARIANTS = [
    "paper",
    "one_card_a",
    "slides",
    "compact",
    "constant_two",
    "four_values",
    "two_colors",
    "clique",
    "two_colors_by_hand",
    "most_cards_two_copies",
    "x",
]
FLAG = [""]

INPUTS = {
    "in.txt": "hand 2\nr1 r2 b1 r3 b2\n",
    "deck.json": '{"players": 2, "deck": [[1,0],[2,0],[1,1],[2,1],[3,0],[3,1],[4,0],[5,0]]}\n',
    "a.cnf": "p cnf 3 2\n1 -2 3 0\n-1 2 3 0\n",
    "a.col": "p edge 3 2\nn 1 1\nn 2 1\nn 3 2\ne 1 3\ne 2 3\n",
    "big.cnf": "p cnf 1000000000 1\n1 -2 3 0\n",
    "play.json": '[[1, "play"]]\n',
    "table.json": '{"colors": 3, "rows": [[0, 1], [1, 2], [2]], "unseen": [1, 2, 1]}\n',
    "bad.json": '{"hand_size": 99999999999999999999, "cards": [[1, 0]]}\n',
    "players.json": '{"players": 9223372036854775807, "deck": [[1, 0], [2, 0]]}\n',
}
SOURCES = [*INPUTS, "", "no.txt", ".", "p2v0s1", "p2v21s1", "p2v0s1..2"]


@dataclass(frozen=True)
class Command:
    """A command: what its arguments are chosen from, its options, and its exit statuses."""

    arguments: list[list[str]]
    options: dict[str, list[str]]
    statuses: tuple[int, ...] = (0, 2)


OF_REDUCTION = {"--variant": VARIANTS, "--hand-size": NUMBERS, "--multiplicity": NUMBERS}
COMMANDS = {
    "solve": Command(
        [SOURCES],
        {
            "--players": NUMBERS, "--at": NUMBERS, "--best": FLAG, "--lost-at": FLAG,
            "--link": FLAG, "--solitaire": FLAG, "--hand-size": NUMBERS, "--least-hand": FLAG,
            "--show": FLAG,
            "--method": ["auto", "unique", "single_color", "table", "search", "x"],
            "--json": FLAG, "--exit-code": FLAG, "--dimacs": FILES, "--proof": FILES,
        },
        (0, 2, 10, 20, 30),
    ),
    "verify": Command([SOURCES, SOURCES], {"--hand-size": NUMBERS, "--json": FLAG}, (0, 1, 2)),
    "view": Command(
        [SOURCES],
        {"--players": NUMBERS, "--at": NUMBERS, "--hand-size": NUMBERS, "--review": FLAG},
    ),
    "link": Command([SOURCES], {"--players": NUMBERS, "--at": NUMBERS}),
    "deck": Command(
        [],
        {
            "--seed": NUMBERS, "--colors": NUMBERS, "--values": NUMBERS, "--players": NUMBERS,
            "--copies": ["1", "3,2,2,2,1", "0", "99999999", "x"], "--count": FEW, "--json": FLAG,
            "--variant": ["16", "No Variant", "99999", "x"],
        },
    ),
    "reduce": Command(
        [SOURCES],
        OF_REDUCTION | {
            "--copies": ["beside", "exact", "x"], "--reduction-by": ["fresh", "same", "x"],
            "--step": NUMBERS, "--players": NUMBERS, "--as-printed": FLAG, "-o": FILES,
            "--values": NUMBERS, "--rounds": FEW,
        },
    ),
    "sat": Command([SOURCES], OF_REDUCTION | {"--verbose": FLAG, "--json": FLAG}, (0, 2, 10, 20)),
    "explain": Command(
        [SOURCES], {"--variant": VARIANTS, "--first": NUMBERS, "--last": NUMBERS, "--svg": FILES}
    ),
    "count": Command(
        [["3,2", "4x3", "2147483648", "1000000000x1000000000", "99999x10", "0", "", "x"]],
        {"--colors": NUMBERS, "--hand-size": NUMBERS, "--seed": NUMBERS, "--json": FLAG,
         "--samples": NUMBERS},
    ),
    "partition": Command(
        [[*SOURCES, "deck.json@1", "in.txt@0", "@1"]],
        {"--joint": FLAG, "--rows": FLAG, "--seat": NUMBERS, "--json": FLAG},
    ),
}  # fmt: skip
TIMED = {"solve": "--time", "sat": "--time", "count": "--time", "partition": "--time"}


def words_of(name: str, choice: random.Random) -> list[str]:
    """Return a command line of at most four options; those that can take long have a limit."""
    command = COMMANDS[name]
    words = [name, *map(choice.choice, command.arguments)]
    names = choice.sample(sorted(command.options), min(choice.randrange(5), len(command.options)))
    for option in names:
        value = choice.choice(command.options[option])
        value = words[1] if value == "{input}" else value  # what is not read may be overwritten
        words += [option] if command.options[option] is FLAG else [option, value]
    return words + ([TIMED[name], choice.choice(TIMES)] if name in TIMED else [])


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    monkeypatch.chdir(tmp_path)
    for name, text in INPUTS.items():
        Path(name).write_text(text, encoding="utf-8")
    yield INPUTS
    assert {name: Path(name).read_text(encoding="utf-8") for name in INPUTS} == INPUTS
    others = {path.name for path in tmp_path.iterdir()} - INPUTS.keys()
    assert others <= {"out.txt"}


@pytest.fixture
def impatient() -> Iterator[None]:
    def give_up(_: int, __: FrameType | None) -> None:
        raise AssertionError(f"not ended within {MOST_SECONDS} seconds")

    old = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(MOST_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, old)


@pytest.mark.skipif(os.name != "posix", reason="has no alarms")
@pytest.mark.parametrize("seed", range(rounds(8)))
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.usefixtures("inputs", "impatient")
def test_an_answer_or_one_line(capsys: pytest.CaptureFixture[str], name: str, seed: int) -> None:
    choice = random.Random(f"{name} {seed}")
    for _ in range(4):
        words = words_of(name, choice)
        told = f"hanabi {shlex.join(words)}"
        status = main(words)
        err = capsys.readouterr().err
        assert status in COMMANDS[name].statuses, told
        assert "Traceback" not in err, told
        assert all(re.match(r"hanabi: \S", line) for line in err.splitlines()), (told, err)
        assert (status == 2) == ("hanabi: error:" in err), (told, err)
