"""ARCHITECTURE.md says where things are and how to add another, and what it says is true.

Each file that it names exists. Two of its recipes, a player and a command, are followed in a copy
of the package; the files that this takes are those that the recipe names.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = Path("src") / "hanabi"
PAGE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
FILE = re.compile(r"`(?:python )?([\w/-]+/[\w.-]+\.(?:py|md|tsv|html|css))`")
TOP = ("tests/", "docs/", "benchmarks/")


def recipes() -> dict[str, str]:
    """Return the recipes by their titles."""
    _, *sections = re.split(r"(?m)^### (.*)\n", PAGE.partition("\n## How to add\n")[2])
    return dict(zip(sections[::2], sections[1::2], strict=True))


def files_of(text: str) -> list[Path]:
    """Return the files that a text names, from the root of the project."""
    return [Path(each) if each.startswith(TOP) else PACKAGE / each for each in FILE.findall(text)]


def test_every_named_file_exists() -> None:
    named = [path for path in files_of(PAGE) if "NAME" not in str(path)]
    assert len(named) > 60
    assert [str(path) for path in named if not (ROOT / path).is_file()] == []


@pytest.mark.parametrize("title", recipes())
def test_a_recipe_names_files_to_change(title: str) -> None:
    text = recipes()[title]
    assert files_of(text) or "`__all__`" in text
    for path in files_of(text):
        place = Path(*[part for part in path.parent.parts if "NAME" not in part])
        assert (ROOT / place).is_dir(), path


def test_there_is_a_recipe_for_each_kind() -> None:
    kinds = ("hint rule", "compiled player", "wrapper", "A rule", "variant with a new rule", "page",
             "command", "solver", "picture", "input form", "plain player")  # fmt: skip
    assert [kind for kind in kinds if not any(kind in title for title in recipes())] == []


class Copy:
    """A copy of the package, to be changed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.changed = folder, set[Path]()
        shutil.copytree(
            ROOT / PACKAGE, folder / PACKAGE, ignore=shutil.ignore_patterns("__pycache__")
        )

    def write(self, path: str, text: str) -> None:
        """Write a new file."""
        target = self.folder / PACKAGE / path
        assert not target.exists()
        target.write_text(text, "utf-8")
        self.changed.add(PACKAGE / path)

    def change(self, path: str, *lines: tuple[str, str]) -> None:
        """Put a line in front of each line that begins so."""
        target = self.folder / PACKAGE / path
        text = target.read_text("utf-8")
        for before, line in lines:
            assert len(re.findall(f"(?m)^{re.escape(before)}", text)) == 1, (path, before)
            text = re.sub(f"(?m)^{re.escape(before)}", f"{line}\n{before}", text)
        target.write_text(text, "utf-8")
        self.changed.add(PACKAGE / path)

    def run(self, *words: str) -> str:
        """Run the command of the copy, and return what it prints."""
        done = subprocess.run(
            [sys.executable, "-P", "-m", "hanabi", *words],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(self.folder / "src")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done.stdout


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)


def named_in(title: str, name: str) -> set[Path]:
    """Return the files of the package that a recipe names, for something of this name."""
    paths = [Path(str(path).replace("NAME", name)) for path in files_of(recipes()[title])]
    return {path for path in paths if path.is_relative_to(PACKAGE)}


COMMAND = '''
"""`hanabi greet` greets."""

from __future__ import annotations

import sys

__all__ = ["greet_command"]


def greet_command(name: str, /) -> None:
    """Greet somebody.

    Parameters
    ----------
    name
        The name to greet.
    """
    sys.stdout.write(f"hello {name}\\n")
'''


def test_a_command_is_added_by_its_recipe(copy: Copy) -> None:
    copy.write("cli/greet.py", COMMAND.lstrip())
    entry = '            "greet": Command("Greet somebody.", ("hanabi greet Alice",)),'
    copy.change("cli/commands.py", ('            "compile": Command(', entry))
    assert copy.run("greet", "Alice") == "hello Alice\n"
    assert "Greet somebody." in copy.run("--help")
    assert "hanabi greet Alice" in copy.run("greet", "--help")
    assert copy.changed <= named_in("A command", "greet")


PLAYER = '''
"""A player that takes the last legal action."""

from __future__ import annotations

from dataclasses import dataclass

from hanabi.game.actions import Action
from hanabi.game.view import View
from hanabi.rng import Stream

__all__ = ["Last"]


@dataclass(frozen=True, slots=True)
class Last:
    """Takes the last legal action, or one of a few before it."""

    back: int = 0

    def act(self, view: View, _: Stream, /) -> Action:
        """Return the action."""
        return view.legal_actions[-1 - self.back]
'''


def test_a_plain_player_is_added_by_its_recipe(copy: Copy) -> None:
    copy.write("players/last.py", PLAYER.lstrip())
    imported = "from hanabi.players.last import Last"
    copy.change(
        "players/registry.py",
        ("from hanabi.players.monte_carlo import", imported),
        ('    Entry("monte-carlo", MonteCarlo),', '    Entry("last", Last),'),
    )
    copy.change(
        "players/__init__.py",
        ("from hanabi.players.monte_carlo import", imported),
        ('    "MonteCarlo",', '    "Last",'),
    )
    assert "back=0" in copy.run("players")
    words = ("--players", "2", "--seed", "1", "--json")
    games = [copy.run("play", player, *words) for player in ("last", "last:back=1", "random")]
    assert len(set(games)) == 3
    assert copy.changed == named_in("A plain player", "last")
