"""Errors about parameters: the library calls them by their names, the command line its options."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import hanabi
from hanabi.ground.errors import InvalidInputError, ParameterError, naming
from hanabi.shell.command.terminal import in_options
from hanabi.shell.session.problem import Question, read_problem

ROOT = Path(hanabi.__file__).parent
# Whole commands, which messages may recommend.
COMMANDS = re.compile(r'"hanabi [^"]*"|^hanabi [a-z].*')
ALLOWED = {"the time or the memory was used up: --time and --memory give more"}  # in JSON, too


def messages_of(path: Path) -> Iterator[str]:
    """Yield the strings of a module that are no docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def test_no_option_of_the_command_line_stands_in_the_library() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {text}"
        for path in sorted(ROOT.rglob("*.py"))
        if not {"front", "commands", "command"} & set(path.relative_to(ROOT).parts)
        for text in messages_of(path)
        if re.search(r"(?<![\w-])--[a-z]", COMMANDS.sub("", text)) and text not in ALLOWED
    ]
    assert found == []


@pytest.mark.parametrize(
    ("text", "asked", "in_python", "in_commands"),
    [
        ("r1", {}, "no hand size: give hand_size, or players for", "--hand-size H, or --players P"),
        ("r1", {"best": True}, "best is for the full game", "--best is for the full game"),
        ("p2v0s1", {"method": "sat"}, "method is for Solitaire", "give --solitaire to merge"),
        ("p2v0s1", {"at": 9}, "at 9: the game has only 0 moves", "--at 9: the game has only"),
        ("p2v0s1", {"lost_at": True}, "lost_at: only a recorded", "--lost-at: only a recorded"),
    ],
)
def test_each_calls_them_its_own_way(
    text: str, asked: dict[str, object], in_python: str, in_commands: str
) -> None:
    with pytest.raises(ParameterError) as caught:
        read_problem(text, Question(**asked), "{players}.txt")  # type: ignore[arg-type]
    assert str(caught.value).startswith("{players}.txt: ")
    assert in_python in str(caught.value)
    assert "--" not in str(caught.value)
    assert in_commands in in_options(caught.value)


def test_they_pass_from_one_process_to_another() -> None:
    error = ParameterError("give {players:P}", "deck.txt")
    assert in_options(pickle.loads(pickle.dumps(error))) == "deck.txt: give --players P"


def test_each_source_comes_in_front_of_the_last() -> None:
    with pytest.raises(InvalidInputError) as caught, naming("folder"), naming("a.txt"), naming(""):
        raise ParameterError("give {players:P}")
    assert str(caught.value) == "folder: a.txt: give players"
    assert in_options(caught.value) == "folder: a.txt: give --players P"
