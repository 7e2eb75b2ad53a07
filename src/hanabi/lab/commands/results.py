"""`hanabi results` shows the results in a store, and merges stores."""

from __future__ import annotations

import json as json_module
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from hanabi.ground import InvalidInputError, counted, did_you_mean, printable, quote
from hanabi.lab.report.results import (
    GAMES,
    SUMMARY,
    KeptGames,
    describe_team,
    find_work,
    game_rows,
    kept_games,
    shorten_player,
    summary_rows,
)
from hanabi.lab.store import Store, Stored
from hanabi.shell import (
    STDOUT,
    Form,
    Screen,
    check_outputs,
    complain,
    form_of,
    open_store,
    options,
    print_forfeited,
    print_gain,
    print_json,
    print_summary,
    write_table,
)

__all__ = ["results_command"]

# The actions and the options that they take.
_TAKES = {
    "list": ("--json",),
    "show": ("--json",),
    "export": ("--output", "--format", "--games"),
    "merge": ("--json",),
}
_FORMS = {"csv": Form.CSV, "markdown": Form.MARKDOWN, "parquet": Form.PARQUET}
_KEY = 8
_WIDEST_NAME = 40
_ABOUT = 400


def results_command(
    action: str = "list",
    /,
    *keys: str,
    store: str | None = None,
    output: options.Output = None,
    form: Annotated[str | None, Parameter(name="--format")] = None,
    games: bool = False,
    json: bool = False,
) -> int:
    """List, show or export the results in a store, or merge stores.

    Parameters
    ----------
    action
        list (the default), show, export or merge.
    keys
        The results, by the first letters of their keys. Default: all. merge: the store to write,
        new or not, and the stores to add to it.
    store
        The file that --store of other commands wrote. You may also name it without this option.
    output
        export: the file to write, ending in .csv, .md or .parquet. Default: standard output.
    form
        export: csv (the default), markdown or parquet.
    games
        export: write one line for each game, not one for each player.
    json
        list, show, merge: print one JSON document.
    """
    if action == "merge":
        for option, value in (("--output", output), ("--format", form), ("--games", games)):
            if value not in (None, False):
                raise InvalidInputError(f"results merge takes no {option}")
        _merge([*([] if store is None else [store]), *keys], json=json)
        return 0
    if store is None:
        store, words = _named_store([action, *keys])
        action, *keys_left = words or ["list"]
        keys = tuple(keys_left)
    if action not in _TAKES:
        meant = did_you_mean(action, [*_TAKES, "merge"])
        raise InvalidInputError(
            f"{quote(action)} is neither an action ({', '.join(_TAKES)}) nor a file{meant}"
        )
    if store is None:
        raise InvalidInputError("no file of results: give --store FILE")
    given = {"--output": output, "--format": form, "--games": games, "--json": json}
    for option, value in given.items():
        if value not in (None, False) and option not in _TAKES[action]:
            raise InvalidInputError(f"results {action} takes no {option}")
    with open_store(store, must_exist=True) as kept:
        check_outputs([], {"--output": output}, store=store)
        table = _form(output, form)
        works = [find_work(kept, key) for key in keys] if keys else kept.works()
        if action == "list":
            _list(kept, works, json=json)
        elif action == "show":
            _show(kept, works, json=json)
        else:
            _export(kept, works, output or STDOUT, table, games=games)
    return 0


def _merge(files: Sequence[str], *, json: bool) -> None:
    """Add the results of all files but the first to the first."""
    if len(files) < 2:
        raise InvalidInputError("results merge: name the store to write, and the stores to add")
    target, *sources = files
    check_outputs(sources, {"results merge:": target}, store=None)
    if not Path(target).exists():
        check_outputs([], {}, store=target)
    with ExitStack() as stack:
        others = [stack.enter_context(open_store(each, must_exist=True)) for each in sources]
        kept = stack.enter_context(open_store(target))
        new = kept.merge(*others)
        works = kept.works()
    items = sum(each.items for each in works)
    if json:
        print_json({"store": target, "works": len(works), "items": items, "new": new})
        return
    held = f"{counted(items, 'item')} of {counted(len(works), 'work')}"
    Screen().line(f"{target}: {held}, {new:,} new")


def _named_store(words: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the first word that is the name of a file, and the other words."""
    store = next((word for word in words if word not in _TAKES and Path(word).is_file()), None)
    return store, [word for word in words if word != store]


def _all_games(store: Store, works: Sequence[Stored]) -> Iterator[KeptGames]:
    for stored in works:
        games = _games(store, stored)
        if games is not None:
            yield games


def _games(store: Store, stored: Stored) -> KeptGames | None:
    """Return the games of some work; report nonsense, which a foreign store may hold."""
    try:
        return kept_games(store, stored)
    except InvalidInputError as error:
        complain(f"note: {error}; its games are left out")
        return None


def _about(stored: Stored) -> str:
    """Describe some work in a few words."""
    players = stored.config.get("players")
    if isinstance(players, list) and all(isinstance(each, str) for each in players):
        return printable(describe_team(players), _ABOUT)
    return printable(json_module.dumps(stored.config), _ABOUT)


def _list(store: Store, works: Sequence[Stored], *, json: bool) -> None:
    if json:
        data = [
            {"key": each.key, "kind": each.kind, "version": each.version, "items": each.items,
             "seconds": round(each.seconds, 3), "created": each.created, "config": each.config}
            for each in works
        ]  # fmt: skip
        print_json(data)
        return
    rows = []
    for each in works:
        games = _games(store, each)
        summary = None if games is None else games.summary
        mean = "" if summary is None else f"{summary.score.value:.2f}"
        name = _about(each)
        name = name if len(name) <= _WIDEST_NAME else f"{name[: _WIDEST_NAME - 3]}..."
        rows.append([each.key[:_KEY], name, f"{each.items:,}", mean, f"{each.seconds:,.1f} s"])
    screen = Screen()
    screen.line(f"{counted(len(works), 'result')} in {store.path}")
    if rows:
        screen.line()
        screen.table(["key", "what", "done", "mean", "work"], rows, left=(0, 1))


def _show(store: Store, works: Sequence[Stored], *, json: bool) -> None:
    if json:
        rows = summary_rows(_all_games(store, works))
        print_json([dict(zip(SUMMARY, row, strict=True)) for row in rows])
        return
    screen = Screen()
    for number, each in enumerate(works):
        if number:
            screen.line()
        _show_one(screen, store, each)


def _show_one(screen: Screen, store: Store, stored: Stored) -> None:
    screen.entry("key", printable(stored.key, _ABOUT))
    screen.entry("what", _about(stored))
    games = _games(store, stored)
    if games is not None:
        seed, repeat = stored.config["seed"], stored.config["repeat"]
        again = f", repeat {repeat}" if repeat else ""
        rules = f"{counted(games.rules.seats, 'player')}, {games.rules_name} rules"
        screen.entry("where", f"{rules}, seed {seed}{again}")
    when = datetime.fromtimestamp(stored.created, UTC).strftime("%Y-%m-%d %H:%M UTC")
    screen.entry("begun", f"{when}; version {stored.version} of {quote(stored.kind)}")
    screen.entry("done", f"{stored.items:,} in {stored.seconds:,.1f} s of work")
    if games is None or (summary := games.summary) is None:
        return
    if summary.games < stored.items:
        screen.entry("", f"the {summary.games:,} before the first gap count below")
    print_summary(screen, summary)
    print_forfeited(screen, games.forfeited, summary.games)
    if games.gain is not None and games.baseline is not None:
        print_gain(screen, shorten_player(games.baseline), games.gain)


def _export(store: Store, works: Sequence[Stored], output: str, form: Form, *, games: bool) -> None:
    kept = _all_games(store, works)
    columns, rows = (GAMES, game_rows(kept)) if games else (SUMMARY, summary_rows(kept))
    write_table(output, form, columns, rows)


def _form(output: str | None, name: str | None) -> Form:
    """Return the requested form, which the file's ending must not contradict."""
    if name is not None and name not in _FORMS:
        raise InvalidInputError(f"--format {quote(name)}: there are {', '.join(_FORMS)}")
    forms = tuple(_FORMS.values()) if name is None else (_FORMS[name],)
    form = form_of("--output", output, *forms)
    if form is Form.PARQUET and output in (None, STDOUT):
        raise InvalidInputError("Parquet is written to a file: give -o FILE.parquet")
    return form
