"""`hanabi people` fits the player `people` to games, and measures what players foretell of them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache, partial
from itertools import chain
from pathlib import PurePath
from typing import Annotated, Any, TypeAlias, TypeVar

from cyclopts import Parameter

from hanabi._version import __version__
from hanabi.ground import InvalidInputError, counted, naming, open_executor, quote
from hanabi.lab import in_order
from hanabi.people.check import Asked, Judged, Measure, clustered, judge, rows_of
from hanabi.people.fit import (
    FOLDS,
    Choices,
    Fit,
    Observed,
    decisions_of,
    fit,
    gather,
    observe,
)
from hanabi.people.manner import Manner, manner_of
from hanabi.people.model import Model
from hanabi.players import Own, parse_player
from hanabi.rules import Action, View
from hanabi.shell import (
    STDOUT,
    Form,
    Item,
    ProgressLine,
    Screen,
    check_outputs,
    complain,
    name_of,
    opened_items,
    options,
    print_json,
    written,
)

__all__ = ["people_command"]

T = TypeVar("T")
Decisions: TypeAlias = Sequence[tuple[View, Action]]

_SHOWN = 30  # weights
_COLUMNS = "first choice", "first three", "cross-entropy"


def people_command(
    action: str,
    /,
    *games: options.Source,
    output: options.Output = None,
    about: str = "",
    players: Annotated[tuple[str, ...], Parameter(name="--player", negative=())] = (),
    only: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    workers: options.Workers = None,
    json: options.Json = False,
) -> int:
    """Fit a player to what people did in games, and check how well players foretell it.

    See docs/people.md.

    Parameters
    ----------
    action
        fit: fit weights to games, and write them. check: ask players what people did. manner:
        measure what is known of cards that are played, and how often teams hint.
    games
        The games: files, or a folder.
    output
        fit: the file of weights to write (.json), which people:weights=FILE plays by.
    about
        fit: a note about the games, which is kept with the weights.
    players
        check: a player to ask, such as hgroup:level=5; several are asked in turn. Default: people.
    only
        The name of a player whose actions count, and no others'; several may be named.
    """
    if action not in ("fit", "check", "manner") or not games:
        raise InvalidInputError(f"{quote(action)}: say fit, check or manner, and then name games")
    if action != "fit" and (output is not None or about):
        raise InvalidInputError(f"people {action} takes neither --output nor --about")
    if action != "check" and players:
        raise InvalidInputError(f"people {action} takes no --player")
    if action == "check":
        names = players or ("people",)
        for name in names:
            _asked(name)
        with ProgressLine() as progress:
            judged = _each(games, partial(_judge, names), only, workers, progress)
        _print_check(names, judged, is_json=json)
        return 0
    if action == "manner":
        with ProgressLine() as progress:
            found = {each: _each([each], manner_of, only, workers, progress) for each in games}
        _print_manner(found, is_json=json)
        return 0
    if output is None:
        raise InvalidInputError("people fit: name a file, as in -o us.json")
    check_outputs(games, {"--output": output}, forms={"--output": Form.JSON})
    # The pool has a thread for each core; those of BLAS, read when NumPy loads, only hinder them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with ProgressLine() as progress:
        observed = _each(games, observe, only, workers, progress)
        choices = gather(observed)
        with open_executor("threads", workers) as pool:
            fitting = fit(choices, progress, pool)
    sources = [PurePath(name_of(each)).name for each in games]
    fitted = {"about": about, "sources": sources, **_fitted(fitting, choices, observed)}
    labels = tuple(each.label for each in fitting.features)
    with written(output) as stream:
        stream.write(Model(labels, tuple(fitting.nets), fitted).written())
    if json:
        print_json(fitted | {"weights": dict(zip(labels, fitting.weights, strict=True))})
    elif output != STDOUT:
        _print_fit(Screen(), fitting, fitted)
    return 0


def _each(
    games: Sequence[str],
    work: Callable[[Decisions], T],
    only: Sequence[str],
    workers: int | None,
    progress: ProgressLine,
) -> list[T]:
    """Return the result of some work for each game, and say how many were left out."""
    found = list[T | None]()
    with opened_items(*games) as items, open_executor("processes", workers) as pool:
        if isinstance(items, str):
            each = [Item(1, name_of(games[0]), items.encode())]
        else:
            each = [*items.each]

        def emit(_: Item, result: T | None) -> None:
            found.append(result)
            progress("reading games", len(found), len(each))

        read = partial(_read, work, only, name_of(games[0]))
        in_order(read, each, emit, executor=pool, name=lambda item: item.label)
    kept = [result for result in found if result is not None]
    if left := len(found) - len(kept):
        who = f"nobody is called {' or '.join(only)}, or " if only else ""
        complain(f"note: {counted(left, 'game')} left out: {who}a player does not play the rules")
    if not kept:
        raise InvalidInputError("there are no games")
    return kept


def _read(work: Callable[[Decisions], T], only: Sequence[str], source: str, item: Item) -> T | None:
    """Return the result for a game; None if nobody acts, or a player does not play its rules."""
    with naming(item.label if item.name is not None else f"{source}:{item.number}"):
        decisions = decisions_of(item.text(), only)
    try:
        return work(decisions) if decisions else None
    except InvalidInputError:
        return None


@cache
def _asked(name: str) -> Asked:
    player = parse_player(name)
    return Asked(player.player if isinstance(player, Own) else player, player.act)


def _judge(names: Sequence[str], decisions: Decisions) -> list[list[Judged]]:
    return judge(decisions, [*map(_asked, names)])


def _fitted(found: Fit, choices: Choices, observed: Sequence[Observed]) -> dict[str, Any]:
    """Return what weights were fitted to, how, and how well."""
    models, seats = list[dict[str, Any]](), Counter(each.seats for each in observed)
    for spec, scores in zip(found.specs, found.scores, strict=True):
        values = scores[:, 1] < 1, scores[:, 1] < 3, scores[:, 0]
        means = [clustered(choices.games.tolist(), each.tolist()) for each in values]
        name = f"{spec.members} networks of {spec.hidden}" if spec.hidden else "logit"
        models.append({"model": name, **asdict(spec)} | dict(zip(_COLUMNS, means, strict=True)))
    return {
        "games": len(observed),
        "decisions": len(choices.sizes),
        "seats": {str(number): seats[number] for number in sorted(seats)},
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "version": __version__,
        "kept": models[found.best]["model"],
        "folds": FOLDS,
        "models": models,
    }


def _print_fit(screen: Screen, found: Fit, fitted: dict[str, Any]) -> None:
    """Write how well the models do on games kept apart, and the surest weights of the logit."""
    text = f"{fitted['decisions']:,} decisions of {counted(fitted['games'], 'game')}"
    screen.entry("fitted to", f"{text} at {', '.join(fitted['seats'])} seats")
    screen.entry("kept", fitted["kept"])
    screen.line()
    header = ("games kept apart", "penalty", *_COLUMNS)
    screen.table(
        header,
        [
            [each["model"], f"{each['penalty']:g}", *_cells(*(each[name] for name in _COLUMNS))]
            for each in fitted["models"]
        ],
    )
    screen.line()
    rows = sorted(
        zip(found.features, found.weights, strict=True),
        key=lambda row: -abs(row[1][0]) / max(row[1][1], 1e-9),
    )
    screen.table(
        ("feature", "weight", "error", "meaning"),
        [
            [each.label, f"{weight:+.2f}", f"{error:.2f}", each.meaning]
            for each, (weight, error) in rows[:_SHOWN]
        ],
        left=(0, 3),
    )


def _cells(first: Measure, three: Measure, loss: Measure) -> list[str]:
    return [_cell(first, ".1%"), _cell(three, ".1%"), _cell(loss)]


def _cell(measure: Measure, digits: str = ".3f") -> str:
    parts = [each for each in measure or () if each is not None]
    return " ± ".join(format(each, digits) for each in parts) or "-"


def _print_check(
    names: Sequence[str], judged: Sequence[list[list[Judged]]], *, is_json: bool
) -> None:
    """Write how each player foretold the decisions: all, by kind, and by turn."""
    rows = {
        name: [row for row in rows_of([game[at] for game in judged]) if row.decisions]
        for at, name in enumerate(names)
    }
    if is_json:
        players = [
            {"player": name, "rows": [row._asdict() for row in each]} for name, each in rows.items()
        ]
        print_json({"games": len(judged), "players": players})
        return
    screen = Screen()
    screen.line(f"{counted(len(judged), 'game')}; standard errors are clustered by game")
    for name, each in rows.items():
        screen.line()
        table = [
            [row.name, f"{row.decisions:,}", *_cells(row.first, row.three, row.loss)]
            for row in each
        ]
        screen.table((name, "actions", *_COLUMNS), table)


def _print_manner(found: Mapping[str, Sequence[Manner]], *, is_json: bool) -> None:
    """Write a row for each source and number of seats."""
    rows = list[dict[str, Any]]()
    for source, games in found.items():
        for seats in sorted({each.seats for each in games}):
            some = [each for each in games if each.seats == seats]
            told, hints = (
                clustered(
                    [at for at, values in enumerate(each) for _ in values],
                    chain.from_iterable(each),
                )
                for each in ([game.told for game in some], [game.hints for game in some])
            )
            row = {"source": name_of(source), "players": seats, "games": len(some)}
            rows.append(row | {"information_per_play": told, "communicativeness": hints})
    if is_json:
        print_json(rows)
        return
    Screen().table(
        ("", "players", "games", "information per play", "communicativeness"),
        [
            [PurePath(name).name, str(seats), f"{n:,}", _cell(told), _cell(hints)]
            for name, seats, n, told, hints in (each.values() for each in rows)
        ],
    )
