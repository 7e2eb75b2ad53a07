"""`hanabi manner` measures what is known of cards that teams play, and how often they hint."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePath

from hanabi.ground import HanabiError, InvalidInputError, counted, naming
from hanabi.lab.manner import Counts, Manner, count_manner, manner_of
from hanabi.lab.stats import Estimate
from hanabi.rules import GameRecord, parse_input, replay_of
from hanabi.shell import (
    BAD_INPUT,
    Item,
    More,
    ProgressLine,
    Screen,
    Source,
    complain,
    estimate_json,
    name_of,
    opened_items,
    options,
    print_json,
)

__all__ = ["manner_command"]


def manner_command(source: Source, /, *more: More, json: options.Json = False) -> int:
    """Measure how teams play: what is known of the cards they play, and how often they hint.

    Information per play is the mean over all plays of what hints tell of the card: 1 if its color
    and its rank are known, 0.5 for one of them, 0 for none. Communicativeness is the share of hints
    among the turns that begin with a hint token. Both are of Canaan and others (2020).

    Parameters
    ----------
    source
        Games in a file, as "hanabi simulate --games-out" writes them, or a folder of games in any
        form.
    more
        More files or folders. Each is measured by itself, and by the number of players.
    """
    found: dict[tuple[str, int], list[Counts]] = defaultdict(list)
    reading = _Reading()
    with ProgressLine() as progress:
        for each in (source, *more):
            for seats, counts in reading.read(each, progress):
                found[name_of(each), seats].append(counts)
    measured = {key: manner_of(found[key]) for key in sorted(found)}
    if json:
        print_json([_document(*key, manner) for key, manner in measured.items()])
    elif measured:
        header = ["", "players", "games", "information per play", "communicativeness"]
        rows = [
            [
                PurePath(name).name,
                str(seats),
                f"{each.games:,}",
                _told(each.information),
                _told(each.communicativeness),
            ]
            for (name, seats), each in measured.items()
        ]
        Screen().table(header, rows)
    if reading.failed:
        complain(f"{counted(reading.failed, 'input')} left out")
    return BAD_INPUT if reading.failed else 0


class _Reading:
    """Games that are read one by one, and the number of inputs that are none."""

    def __init__(self) -> None:
        self.done = self.failed = 0

    def read(self, source: str, progress: ProgressLine) -> Iterator[tuple[int, Counts]]:
        """Yield the number of players of each game, and what it counts."""
        with opened_items(source) as given:
            if isinstance(given, str):
                items: Iterator[Item] = iter([Item(1, name_of(source), given.encode())])
            else:
                items = iter(given.each)
            for item in items:
                try:
                    with naming(item.label):
                        counted_game = _count(item.text())
                except HanabiError as error:
                    self.failed += 1
                    complain(f"note: left out: {error}")
                    continue
                self.done += 1
                progress(f"{counted(self.done, 'game')} read", self.done, None)
                yield counted_game


def _count(text: str) -> tuple[int, Counts]:
    record = parse_input(text)
    if not isinstance(record, GameRecord):
        raise InvalidInputError("it is a deck, a stream or a position, not a game")
    return record.players, count_manner(replay_of(record).positions)


def _told(estimate: Estimate) -> str:
    return "-" if math.isnan(estimate.value) else str(estimate)


def _document(name: str, seats: int, manner: Manner) -> dict[str, object]:
    return {
        "source": name,
        "players": seats,
        "games": manner.games,
        "plays": manner.plays,
        "turns_with_token": manner.chances,
        "information_per_play": _number(manner.information),
        "communicativeness": _number(manner.communicativeness),
    }


def _number(estimate: Estimate) -> dict[str, object] | None:
    return None if math.isnan(estimate.value) else estimate_json("value", estimate)
