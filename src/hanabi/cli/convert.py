"""`hanabi convert` converts recorded games of any form to one of three forms."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hanabi.cli.files import STDOUT, Form, check_outputs, form_of, write_table, written
from hanabi.cli.items import check_folder, opened_items
from hanabi.cli.options import Output, Source, name_of
from hanabi.cli.terminal import BAD_INPUT, ProgressLine, complain
from hanabi.errors import HanabiError, InvalidInputError, counted, naming
from hanabi.game.recorded import Replay
from hanabi.game.replay import replay_of
from hanabi.notation import GameRecord, game_to_json, parse_input
from hanabi.report.results import RECORDS, record_row

__all__ = ["convert_command"]

_Read = tuple[str, GameRecord, Replay]


def convert_command(source: Source, /, *, output: Output = None) -> int:
    """Convert recorded games to hanab.live's JSON, one a line, or to a table.

    Every game is replayed first. Items that are not games, or that break the rules, are reported
    and left out; the exit status is then 2.

    Parameters
    ----------
    source
        A game in any form; a folder of games or logs; a .safetensors file of games as arrays; a
        .pkl file of observations and actions; or any other many inputs that "hanabi solve" takes.
    output
        The file to write, ending in .jsonl, .csv or .parquet. Default: JSON lines on standard
        output.
    """
    output = STDOUT if output is None else output
    check_outputs([source], {"--output": output})
    check_folder(source, output)
    form = form_of("--output", output, Form.LINES, Form.CSV, Form.PARQUET)
    reading = _Reading()
    with ProgressLine() as progress:
        if form is Form.LINES:
            with written(output) as stream:
                for _, record, _ in reading.read(source, progress):
                    stream.write(json.dumps(game_to_json(record)) + "\n")
        else:
            rows = (record_row(*each) for each in reading.read(source, progress))
            write_table(output, form, RECORDS, rows)
    if reading.failed:
        complain(f"{counted(reading.done, 'game')} written, {reading.failed} left out")
    return BAD_INPUT if reading.failed else 0


class _Reading:
    """Games that are read one by one, and the number of those that cannot be replayed."""

    def __init__(self) -> None:
        self.done = self.failed = 0

    def read(self, source: str, progress: ProgressLine) -> Iterator[_Read]:
        """Yield each game with its name and its positions."""
        with opened_items(source) as given:
            if isinstance(given, str):
                with naming(name_of(source)):
                    yield _replayed("", given)
                self.done += 1
                return
            for item in given.each:
                name = str(item.number if item.name is None else item.name)
                progress(f"{self.done + self.failed} read", item.number, given.total)
                try:
                    with naming(name):
                        found = _replayed(name, item.text())
                except HanabiError as error:
                    self.failed += 1
                    complain(f"note: left out: {error}")
                    continue
                self.done += 1
                yield found


def _replayed(name: str, text: str) -> _Read:
    record = parse_input(text)
    if not isinstance(record, GameRecord):
        raise InvalidInputError("it is a deck or a stream, not a game")
    return name, record, replay_of(record)
