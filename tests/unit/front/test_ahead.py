"""What is compiled ahead is what the commands would compile."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hanabi.front.commands.compile import PARTS, compile_ahead, parse_part
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.workers.pool import open_executor
from hanabi.players import PLAYERS, parse_player
from hanabi.players.protocol import CompiledPlayer
from hanabi.players.registry import WRAPPERS

GAME = Path(__file__).parents[2] / "data/hanab_live/games/2906.json"
LOST = """players 2
y4 y1 g4 y3 b1 b2 y1 r3 b3 b4 r1 p1 p3 g4 g1 p4 p1 b1 r4 g5 r1 y4 g3 p2 r5 b2
p5 y2 y5 b1 r1 p2 p4 r3 y2 b3 y3 g1 y1 b4 r4 g1 p1 r2 g2 r2 g3 b5 p3 g2
"""
SEEING = ("cheating", "open-hands")
PLAYED = [part for part in PARTS if part.partition("/")[0] in (*PLAYERS, *WRAPPERS)]
COMMANDS = [
    "show GAME",
    "review GAME",
    "link LOST",
    "solve GAME",
    "solve LOST --show",
    "solve LOST --best",
    "solve GAME --at 30 --lost-at",
    "solve GAME --solitaire --method search",
    "solve GAME --solitaire --most-cards --hand-size 6",
    "solve GAME --solitaire --least-hand",
    "partition GAME@10",
    "count 3,2,2,2,1 --colors 2 --samples 100 --seed 1",
    "count 3,2,2,2,1 --colors 2 --curve --samples 50 --seed 1",
    "paper figure2 -n 1 --repeat 1 --seed 1 --out FOLDER",
    *(f"simulate {part} -n 1 --seats 2 --seed 1" for part in PLAYED if part not in SEEING),
    "simulate cheating -n 1 --seed 1 --rules OPEN",
]
RUN = """
from hanabi.front.app import main
from hanabi.ground.compiling import COMPILING
for command in {commands!r}:
    before = COMPILING.seconds
    assert main(command) == 0, command
    assert COMPILING.seconds == before, command
"""


def test_no_command_compiles_anything_then(tmp_path: Path) -> None:
    (tmp_path / "lost").write_text(LOST)
    names = {
        "GAME": str(GAME),
        "LOST": str(tmp_path / "lost"),
        "FOLDER": str(tmp_path),
        "OPEN": '{"preset": "hanab_live", "open_hands": true}',
    }
    commands = [
        [re.sub("|".join(names), lambda name: names[name[0]], word) for word in command.split()]
        for command in COMMANDS
    ]
    told = dict[str, float]()
    with open_executor("processes") as pool:
        compile_ahead(PARTS, pool, told.__setitem__)
    assert set(told) == set(PARTS)
    # Another process: what this one has compiled is in its memory.
    done = subprocess.run(
        [sys.executable, "-c", RUN.format(commands=commands)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    [note] = done.stderr.splitlines()
    assert note.startswith("hanabi: note: the site needs a move, so Alice hints Bob")


def test_every_player_is_a_part() -> None:
    compiled = {name for name, player in PLAYERS.items() if hasattr(player, "compiled")}
    assert compiled == {part for part in PLAYED if "/" not in part}
    assert all(isinstance(parse_player(part), CompiledPlayer) for part in PLAYED)


def test_parts_are_named() -> None:
    assert [parse_part(part) for part in PARTS] == list(PARTS)
    with pytest.raises(InvalidInputError, match=r"'nonsense' is none of game, solve, .*no player"):
        parse_part("nonsense")
