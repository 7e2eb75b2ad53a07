"""`hanabi convert` converts recorded games of any form to one of three forms."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from hanabi.ground import HanabiError, InvalidInputError, counted, naming
from hanabi.lab import RECORDS, record_row
from hanabi.rules import (
    GameRecord,
    Replay,
    format_position,
    game_to_json,
    parse_input,
    position_of,
    position_to_json,
    replay_of,
)
from hanabi.shell import (
    BAD_INPUT,
    STDOUT,
    Form,
    More,
    Output,
    ProgressLine,
    Question,
    Source,
    at_turn,
    check_folder,
    check_outputs,
    complain,
    form_of,
    name_of,
    opened_items,
    pose_position,
    read_input,
    write_table,
    written,
)

__all__ = ["convert_command"]

_Read = tuple[str, GameRecord, Replay]


def convert_command(source: Source, /, *more: More, output: Output = None) -> int:
    """Convert games of any form to hanab.live's JSON, one a line, or to a table.

    Every game is replayed first. Items that are not games, or that break the rules, are reported
    and left out; the exit status is then 2. GAME@MOVES writes the position after so many moves,
    without its history, as text, or as JSON if the file ends in .json. Also reads HanabiData logs,
    .safetensors files of AH2AC2, .pkl files of HOAD and Kaggle's replays.

    Parameters
    ----------
    source
        A game in any form, or GAME@MOVES for a position of it; a folder of games or logs; a
        .safetensors file of games as arrays; a .pkl file of observations and actions; or any other
        many inputs that "hanabi solve" takes.
    output
        The file to write, ending in .jsonl, .csv or .parquet. Default: JSON lines on standard
        output.
    """
    output = STDOUT if output is None else output
    game, turn = (source, None) if more else at_turn(source)
    if turn is not None:
        _convert_position(game, turn, output)
        return 0
    check_outputs([source, *more], {"--output": output})
    check_folder(source, output, has_answers=False)
    form = form_of("--output", output, Form.LINES, Form.CSV, Form.PARQUET)
    reading = _Reading()
    with ProgressLine() as progress:
        if form is Form.LINES:
            with written(output) as stream:
                for _, record, _ in reading.read([source, *more], progress):
                    stream.write(json.dumps(game_to_json(record)) + "\n")
        else:
            rows = (record_row(*each) for each in reading.read([source, *more], progress))
            write_table(output, form, RECORDS, rows)
    if reading.failed:
        complain(f"{counted(reading.done, 'game')} written, {reading.failed} left out")
    return BAD_INPUT if reading.failed else 0


def _convert_position(source: str, turn: int, output: str) -> None:
    """Write a position of a game as text, or as JSON if its rules or the file ask for it."""
    check_outputs([source], {"--output": output})
    form = form_of("--output", output, Form.JSON, default=Form.MARKDOWN)  # else text
    given = read_input(source)
    with naming(name_of(source)):
        problem = pose_position(given, Question())
        position = position_of(problem.after(turn), names=problem.names)
    is_text = position.rules is None or isinstance(position.rules, str)
    if form is Form.JSON or not is_text:
        text = json.dumps(position_to_json(position))
    else:
        text = format_position(position)
    with written(output) as stream:
        stream.write(text + "\n")


class _Reading:
    """Games that are read one by one, and the number of those that cannot be replayed."""

    def __init__(self) -> None:
        self.done = self.failed = 0

    def read(self, sources: Sequence[str], progress: ProgressLine) -> Iterator[_Read]:
        """Yield each game with its name and its positions."""
        with opened_items(*sources) as given:
            if isinstance(given, str):
                with naming(name_of(sources[0])):
                    yield _replayed("", given)
                self.done += 1
                return
            for item in given.each:
                name, read = item.label, self.done + self.failed
                progress(f"{read} read", read + 1, given.total)
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
        raise InvalidInputError("it is a deck, a stream or a position, not a game")
    return name, record, replay_of(record)
