"""`hanabi env` writes data for learners, and checks environments against it."""

from __future__ import annotations

import shlex
from typing import Annotated, Literal

from cyclopts import Parameter

from hanabi.cli import options
from hanabi.cli.files import STDOUT
from hanabi.cli.games import check_games
from hanabi.cli.terminal import ProgressLine, Screen, complain
from hanabi.clock import Clock
from hanabi.errors import InvalidInputError, counted, quote
from hanabi.session.tables import parse_rules

__all__ = ["env_command"]

# The actions, and the options that each takes.
_TAKES = {
    "expert": ("--games", "--players", "--rules", "--shard", "--format", "--kind", "--workers"),
}
_ALL = ("--output", "--seed")
_RULES = "hle"
_SEATS = 2


def env_command(
    action: str,
    /,
    *words: str,
    output: options.Output = None,
    seed: options.Seed = None,
    games: options.Games | None = None,
    seats: options.Players = None,
    rules: options.RuleSet | None = None,
    shard: options.Count | None = None,
    form: Annotated[Literal["npz", "parquet"] | None, Parameter(name="--format")] = None,
    kind: Literal["minimal", "card_knowledge", "seer"] | None = None,
    workers: options.Workers = None,
) -> int:
    """Write games of players as data for learners (docs/expert-games.md).

    Parameters
    ----------
    action
        expert PLAYER...: play games, and write each turn's observation, legal actions, action,
        reward, seat and own cards.
    words
        expert: one player for all seats, or one for each.
    output
        The folder to write to. A later run continues there.
    games
        expert: number of deals. Default: 10000.
    seats
        expert: players at the table. Default: 2, or as many as you name.
    rules
        expert: the rules, as for other commands. Default: hle.
    shard
        expert: number of deals in each file. Default: 1000.
    form
        expert: npz (the default), for NumPy, or parquet.
    kind
        expert: the information about cards in observations. Default: card_knowledge.
    """
    if action not in _TAKES:
        raise InvalidInputError(f"{quote(action)} is no action: {', '.join(_TAKES)}")
    given = {
        "--output": output, "--seed": seed, "--games": games, "--players": seats, "--rules": rules,
        "--shard": shard, "--format": form, "--kind": kind, "--workers": workers,
    }  # fmt: skip
    for option, value in given.items():
        if value is not None and option not in (*_ALL, *_TAKES[action]):
            raise InvalidInputError(f"env {action} takes no {option}")
    if output is None or output == STDOUT:
        raise InvalidInputError("-o: name a folder")
    return _expert(
        words,
        output,
        seed=seed,
        games=10_000 if games is None else games,
        seats=seats,
        rules=rules or _RULES,
        shard=1_000 if shard is None else shard,
        form=form or "npz",
        kind=kind or "card_knowledge",
        workers=workers,
    )


def _expert(
    players: tuple[str, ...],
    folder: str,
    *,
    seed: int | None,
    games: int,
    seats: int | None,
    rules: str,
    shard: int,
    form: str,
    kind: str,
    workers: int | None,
) -> int:
    """Write the games of players."""
    from hanabi.env.expert import Expert, read_manifest, write_shards
    from hanabi.env.layout import ObservationKind

    if not players:
        raise InvalidInputError('name a player, or one for each seat; "hanabi players" lists them')
    check_games(games)
    if not shard:
        raise InvalidInputError("--shard: at least one game")
    if seats is None:
        seats = len(players) if len(players) > 1 else _SEATS
    table = parse_rules(rules, seats)
    if seed is None:
        seed = (read_manifest(folder) or {}).get("seed")
    expert = Expert(
        players if len(players) > 1 else players[0],
        table,
        seed=options.new_seed(seed),
        kind=ObservationKind[kind.upper()],
        packed=True,
    )
    if expert.is_compiled:
        expert.play(1)  # compiles before the time is taken
    clock = Clock()
    try:
        with ProgressLine() as progress:
            fresh = write_shards(
                expert,
                folder,
                games,
                shard=shard,
                form=form,
                workers=workers,
                progress=lambda done, all_: progress(
                    f"{done:,} of {counted(all_, 'game')}", done, all_
                ),
            )
    except KeyboardInterrupt:
        complain("the files that are complete are kept; to go on:")
        words = ["hanabi", "env", "expert", *players, "-n", games, "--players", seats,
                 "--seed", expert.seed, "--rules", rules, "--shard", shard, "--format", form,
                 "--kind", kind, "-o", folder]  # fmt: skip
        complain(shlex.join(map(str, words)))
        raise
    seconds = clock.elapsed
    screen = Screen()
    screen.entry("", f"{', '.join(players)}; {counted(seats, 'player')}, {rules} rules")
    screen.entry("games", f"{games:,}, of which {fresh:,} were played now; seed {expert.seed}")
    files = -(-games // shard)
    screen.entry("written", f"{counted(files, 'file')} in {folder}")
    if fresh:
        screen.entry("speed", f"{fresh / seconds:,.0f} games a second")
    return 0
