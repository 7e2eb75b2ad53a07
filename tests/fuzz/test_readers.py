"""Damaged inputs of every form: each is read, or refused by one short and printable line."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import hanabi
from fuzz.mutations import mutated
from fuzz.rounds import rounds
from fuzz.samples import PLAY, SAMPLES
from hanabi.conventions.suite import read_suite
from hanabi.front.app import main
from hanabi.ground.errors import HanabiError
from hanabi.players.registry import format_player, parse_player
from hanabi.rules.notation import (
    DeckInput,
    PositionInput,
    SolitaireInput,
    deck_to_json,
    decode,
    format_link,
    format_position,
    format_text,
    game_to_json,
    lines_of,
    parse_input,
    parse_link,
    parse_play,
    parse_text,
    position_to_json,
    solitaire_to_json,
)
from hanabi.rules.notation.strict_json import load
from hanabi.rules.notation.text import parse_cards
from hanabi.shell.session.problem import Question, pose_position, read_problem
from hanabi.shell.session.tables import parse_rules
from hanabi.solitaire.certificate import Certificate
from hanabi.solitaire.counting.vector import parse_vector
from hanabi.solitaire.hardness import Annotation, read_dimacs, read_graph
from hanabi.solvers.hints import parse_table, table_from_json

OBEYED = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
LONGEST_ERROR = 1300
LIBRARY_ERROR = 1000

ALL = tuple(text.encode() for texts in SAMPLES.values() for text in texts)


def inputs(name: str, forms: tuple[str, ...], n: int, *, large: bool = True) -> Iterator[bytes]:
    """Yield `n` damaged inputs, the same in every run."""
    own = tuple(text.encode() for form in forms for text in SAMPLES[form])
    for seed in range(rounds(n)):
        random = Random(f"{name} {seed}")
        lenders = own if random.random() < 0.7 else ALL
        yield mutated(random, random.choice(own), lenders, large=large)


def _dealt(text: str) -> object:
    return pose_position(parse_input(text), Question())


def _link(text: str) -> None:
    given = parse_link(text)
    again = parse_link(format_link(given))
    actions = tuple(action for action in given.actions if not action.is_end)
    assert again == replace(given, actions=actions, seed=None)


def _text(text: str) -> None:
    given = parse_text(text)
    assert parse_text(format_text(given)) == given
    assert parse_text(text.replace("\n", "\r")) == given


def _input(text: str) -> None:
    """Whatever is read can be written, and is read back the same."""
    given = parse_input(text)
    if isinstance(given, SolitaireInput):
        data = solitaire_to_json(given)
    elif isinstance(given, DeckInput):
        data = deck_to_json(given)
    elif isinstance(given, PositionInput):
        data = position_to_json(given)
        if given.rules is None or isinstance(given.rules, str):
            again = parse_input(format_position(given))
            assert isinstance(again, PositionInput)
            assert replace(again, names=given.names) == given
    else:
        data, given = game_to_json(given), replace(given, seed=None)
    assert parse_input(json.dumps(data)) == given


def _table(text: str) -> None:
    """A table says the same without its labels, and the other way up."""
    table = parse_table(text)
    head = [" ".join(table.names)]
    rows = [" ".join(".1"[hint in row] for hint in range(table.hints)) for row in table.rows]
    unseen = [] if table.unseen is None else [" ".join(["Unseen", *map(str, table.unseen)])]
    again = parse_table("\r\n".join(["card " + head[0], *unseen, *rows]))
    assert again == table


def _solitaire(text: str) -> object:
    return read_problem(text, Question(solitaire=True), "-")


READERS: dict[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "text": (_text, ("text",)),
    "cards": (parse_cards, ("words",)),
    "input": (_input, ("cards", "deck", "game", "link", "position", "seed")),
    "anything": (hanabi.read, ("text", "cards", "deck", "game", "link", "seed", "formula")),
    "dealt": (_dealt, ("deck", "game", "link", "position", "seed")),
    "solitaire": (_solitaire, ("cards", "deck", "game", "link", "annotated")),
    "link": (_link, ("link",)),
    "play": (parse_play, ("play",)),
    "certificate": (lambda text: Certificate.from_json(load(text)), ("certificate",)),
    "formula": (lambda text: read_dimacs(lines_of(text)), ("formula",)),
    "graph": (lambda text: read_graph(lines_of(text)), ("graph",)),
    "table": (_table, ("table",)),
    "json table": (lambda text: table_from_json(load(text)), ("json table",)),
    "annotation": (lambda text: Annotation.from_json(load(text)), ("annotation",)),
    "json": (load, ("cards", "deck", "game", "answer", "play", "json table")),
    "player": (lambda text: parse_player(format_player(parse_player(text))), ("player",)),
    "rules": (lambda text: parse_rules(text, 3), ("rules",)),
    "vector": (parse_vector, ("vector",)),
    "suite": (lambda text: list(read_suite(text, "suite")), ("suite",)),
}


@pytest.mark.parametrize("name", READERS)
def test_samples_are_read(name: str) -> None:
    reader, forms = READERS[name]
    for form in forms:
        read = 0
        for text in SAMPLES[form]:
            with suppress(HanabiError):  # some are of a form that only the command line takes
                reader(text)
                read += 1
        assert read


@pytest.mark.parametrize("name", READERS)
def test_the_library_reads_or_refuses(name: str) -> None:
    reader, forms = READERS[name]
    for seed, data in enumerate(inputs(name, forms, 100)):
        try:
            reader(decode(data))
        except HanabiError as error:
            message = str(error)
            if len(message) <= LIBRARY_ERROR and "Traceback" not in message:
                continue
            pytest.fail(f"seed {seed}, {data!r}: {message[:LIBRARY_ERROR]!r}")
        except BaseException as error:
            raise AssertionError(f"seed {seed}: {data!r}") from error


def _as_argument(path: str) -> list[str]:
    return ["show", Path(path).read_bytes().decode("utf-8", "surrogateescape")]


def _as_actions(path: str) -> list[str]:
    """Review a seed with the actions in a file, as an argument."""
    text = Path(path).read_bytes().decode("utf-8", "surrogateescape")
    return ["review", "p2v0s5", f"--actions={text}", "--time", "5"]


def test_damaged_packed_files_are_read_or_refused(tmp_path: Path) -> None:
    path = tmp_path / "input.gz"
    for seed in range(rounds(300)):
        random = Random(f"packed {seed}")
        data = gzip.compress(random.choice(ALL), mtime=0)
        path.write_bytes(mutated(random, data, (data,), large=False))
        try:
            hanabi.read(path)
        except HanabiError as error:
            assert len(str(error)) <= LIBRARY_ERROR, f"seed {seed}"  # noqa: PT017
        except BaseException as error:
            raise AssertionError(f"seed {seed}") from error


ONE = ("cards", "deck", "game", "link", "answer")

COMMANDS: dict[str, tuple[Callable[[str], list[str]], tuple[str, ...], set[int], int]] = {
    "show": (lambda path: ["show", path], ONE, {0, 2}, 30),
    "argument": (_as_argument, ("link", "seed"), {0, 2}, 30),
    "link": (lambda path: ["link", path], ONE, {0, 2}, 30),
    "actions": (_as_actions, ("actions",), {0, 2}, 30),
    "partition": (lambda path: ["partition", path], ("table", "json table"), {0, 2}, 40),
    "hand": (lambda path: ["partition", f"{path}@2"], ("game", "link"), {0, 2}, 15),
    "explain": (lambda path: ["explain", path], ("annotated", "formula"), {0, 2}, 30),
    "instance": (lambda path: ["verify", path, f"{path}.play"], ("cards",), {0, 1, 2}, 30),
    "play": (lambda path: ["verify", f"{path}.cards", path], ("play",), {0, 1, 2}, 30),
    "certificate": (
        lambda path: ["verify", f"{path}.cards", path],
        ("certificate",),
        {0, 1, 2},
        30,
    ),
    "people": (lambda path: ["people", "manner", path, "-j", "1"], ("game", "link"), {0, 2}, 20),
    "conventions": (lambda path: ["conventions", "check", path], ("suite",), {0, 1, 2}, 20),
    "reduce": (lambda path: ["reduce", path], ("formula",), {0, 2}, 20),
    "reduce clique": (lambda path: ["reduce", path, "--variant", "clique"], ("graph",), {0, 2}, 20),
    "reduce set": (
        lambda path: ["reduce", path, "--variant", "most_cards_two_copies"],
        ("graph",),
        {0, 2},
        20,
    ),
    "sat": (lambda path: ["sat", path, "--time", "5"], ("formula",), {0, 2, 10, 20}, 6),
    "solitaire": (
        lambda path: ["solve", path, "--time", "0.02", "--exit-code", "--show"],
        ("cards", "annotated"),
        {2, 10, 20, 30},
        30,
    ),
    "solve": (
        lambda path: ["solve", path, "--time", "0.02", "--show"],
        ("deck", "game", "link"),
        {0, 2},
        10,
    ),
}
BELIEVERS = ("reduce", "reduce clique", "reduce set", "sat", "solitaire", "solve")
"""Commands that do as much work as the numbers in the input say."""


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_line_answers_or_refuses(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command, forms, statuses, n = COMMANDS[name]
    path = tmp_path / "input"
    (tmp_path / "input.play").write_text(PLAY, encoding="utf-8")
    (tmp_path / "input.cards").write_text(SAMPLES["cards"][0], encoding="utf-8")
    large = name not in BELIEVERS
    for seed, data in enumerate(inputs(f"hanabi {name}", forms, n, large=large)):
        path.write_bytes(data)
        try:
            status = main(command(str(path)))
        except BaseException as error:
            raise AssertionError(f"seed {seed}: {data!r}") from error
        out, err = capfd.readouterr()
        is_told = bool(err) or status != 2
        lines = err.split("\n")
        is_short = len(lines) <= 3 and max(map(len, lines)) <= LONGEST_ERROR
        is_printable = not OBEYED.search(out) and not OBEYED.search(err)
        if not (status in statuses and is_told and is_short and is_printable) or (
            "Traceback" in out + err
        ):
            pytest.fail(f"seed {seed}, {data!r}: status {status}, {err[:LONGEST_ERROR]!r}")
