"""`hanabi env` writes data for learners, and checks environments against it."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from hanabi.ground import Clock, InvalidInputError, counted, did_you_mean, naming, quote
from hanabi.rules import Game, Rules, parse_input
from hanabi.shell import (
    STDOUT,
    Item,
    Items,
    ProgressLine,
    Question,
    Screen,
    check_games,
    complain,
    name_of,
    opened_items,
    options,
    parse_rules,
    pose_position,
    print_json,
)

if TYPE_CHECKING:
    from hanabi.env.expert import Expert
    from hanabi.env.values import Values
    from hanabi.players import Record

__all__ = ["EnvOptions", "env_command"]

# The actions, and the options that each takes.
_TAKES = {
    "expert": (
        "--output", "--seed", "--games", "--players", "--rules", "--shard", "--format", "--kind",
        "--posteriors", "--workers",
    ),
    "values": (
        "--output", "--seed", "--games", "--players", "--rules", "--shard", "--format", "--kind",
        "--posteriors", "--workers", "--from", "--left", "--time",
    ),
    "golden": ("--output", "--seed", "--players", "--steps"),
    "check": ("--seed", "--players", "--steps", "--kit", "--json"),
}  # fmt: skip
_RULES, _SEATS, _KIND = "hle", 2, "card_knowledge"
_KIT_SEED = 1
_GAMES, _SHARD, _STEPS = 10_000, 1_000, 100_000
_FEW_GAMES, _FEW, _LEFT, _SECONDS = 1_000, 20, 2, 60.0
_MOST_STEPS = 10_000_000
_DIFFERENT = 1


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class EnvOptions:
    """What the actions of `hanabi env` take.

    Parameters
    ----------
    output
        The folder to write to. expert and values go on with what is there.
    games
        expert, values: number of deals. Default: 10000, for values 1000.
    seats
        Players at the table. expert, values: 2 by default, or as many as you name. golden, check:
        by default 2, 3, 4 and 5.
    rules
        expert, values: the rules, as for other commands. Default: hle.
    shard
        expert, values: number of deals in each file. Default: 1000, for values 20.
    form
        expert, values: npz (the default), for NumPy, or parquet.
    kind
        expert, values: the information about cards in observations. Default: card_knowledge.
    posteriors
        expert, values: also write the exact chances of the own cards, by hints and copies.
    source
        values: recorded games, in place of players: a file, a folder, or anything else that "hanabi
        convert" reads, all by the same rules.
    left
        values: the most cards to draw in a position. Default: 2.
    time
        values: seconds for the values by seat of a position, then they are wider brackets; 0 for
        no limit. Default: 60.
    steps
        golden, check: the least number of steps of the kit. Default: 100000.
    kit
        check: the folder of a kit that golden wrote. By default the kit is made anew.
    """

    output: options.Output = None
    seed: options.Seed = None
    games: options.Games | None = None
    seats: options.Players = None
    rules: str | None = None
    shard: options.Count | None = None
    form: Annotated[Literal["npz", "parquet"] | None, Parameter(name="--format")] = None
    kind: Literal["minimal", "card_knowledge", "seer"] | None = None
    posteriors: bool = False
    source: Annotated[options.Source | None, Parameter(name="--from")] = None
    left: options.Count | None = None
    time: options.Seconds | None = None
    steps: options.Count | None = None
    kit: str | None = None
    workers: options.Workers = None
    json: options.Json = False


def env_command(action: str, /, *words: str, asked: EnvOptions = EnvOptions()) -> int:
    """Write games as data for learners, and check environments.

    See docs/expert-games.md.

    Parameters
    ----------
    action
        expert PLAYER...: write games of players, for each turn the observation, legal actions,
        action, reward, seat and own cards. values PLAYER..., or values --from GAMES: write their
        late positions likewise, with what each action is worth, exact or between certified bounds,
        if all hands are open and to the seat. golden: write a kit of games that tests environments.
        check ADAPTER: play the kit in another environment, and name the first difference.
    words
        expert, values: one player for all seats, or one for each. check: a file or module with the
        functions reset and step, such as my_env.py, or a class in it, my_env.py:MyEnv.
    """
    if action not in _TAKES:
        meant = did_you_mean(action, _TAKES, "there are")
        raise InvalidInputError(f"{quote(action)} is no action{meant}")
    for option, _ in options.given(asked):
        if option not in _TAKES[action]:
            raise InvalidInputError(f"env {action} takes no {option}")
    if action != "check" and (asked.output is None or asked.output == STDOUT):
        raise InvalidInputError("-o: name a folder")
    if action in ("expert", "values"):
        return _rows(action, words, str(asked.output), asked)
    steps = _STEPS if asked.steps is None else asked.steps
    seed = _KIT_SEED if asked.seed is None else asked.seed
    if not 0 < steps <= _MOST_STEPS:
        raise InvalidInputError(f"--steps {steps}: 1 to {_MOST_STEPS:,}")
    if action == "golden":
        if words:
            raise InvalidInputError(f"env golden takes no {quote(words[0])}")
        return _golden(str(asked.output), asked.seats, steps, seed)
    if len(words) != 1:
        raise InvalidInputError("env check: name one adapter, as in my_env.py or my_env.py:MyEnv")
    if asked.kit is not None and (steps, asked.seed) != (_STEPS, None):
        raise InvalidInputError("--kit: it has its own steps and seed")
    return _check(words[0], asked, steps, seed)


def _rows(action: str, players: tuple[str, ...], folder: str, asked: EnvOptions) -> int:
    """Write the games of players, or the late positions of such or of recorded games."""
    from hanabi.env.expert import read_manifest, write_shards
    from hanabi.env.values import Values

    if bool(players) == (asked.source is not None):
        raise InvalidInputError('name a player, or one for each seat; "hanabi players" lists them')
    if asked.shard == 0:
        raise InvalidInputError("--shard: at least one game")
    seed = asked.seed
    if seed is None:
        seed = 0 if asked.source else (read_manifest(folder) or {}).get("seed")
    expert, recorded = _played(players, asked, options.new_seed(seed))
    rows: Expert | Values = expert
    games, shard = _GAMES, asked.shard or _SHARD
    if action == "values":
        seconds = _SECONDS if asked.time is None else asked.time
        left = _LEFT if asked.left is None else asked.left
        rows = Values(expert, left=left, seconds=seconds or None, recorded=recorded)
        games, shard = _FEW_GAMES, asked.shard or _FEW
    games = games if asked.games is None else asked.games
    if recorded is not None:
        games = len(recorded.turns)
    check_games(games)
    if expert.is_compiled:
        expert.play(1)  # compiles before the time is taken
    clock = Clock()
    try:
        with ProgressLine() as progress:
            fresh = write_shards(
                rows,
                folder,
                games,
                shard=shard,
                form=asked.form or "npz",
                workers=asked.workers,
                progress=lambda done, all_: progress(
                    f"{done:,} of {counted(all_, 'game')}", done, all_
                ),
            )
    except KeyboardInterrupt:
        complain("the files that are complete are kept; to go on:")
        groups = [replace(asked, seed=None if asked.source else expert.seed)]
        complain(options.typed("env", action, *players, groups=groups))
        raise
    seconds = clock.elapsed
    screen = Screen()
    seats = counted(expert.layout.rules.seats, "player")
    if recorded is None:
        screen.entry("", f"{', '.join(players)}; {seats}, {asked.rules or _RULES} rules")
        told = f"{games:,}, of which {fresh:,} were played now; seed {expert.seed}"
    else:
        screen.entry("", f"{asked.source}; {seats}")
        told = f"{games:,}, of which {fresh:,} were judged now"
    screen.entry("games", told)
    if action == "values":
        _tell_positions(screen, folder)
    files = -(-games // shard)
    screen.entry("written", f"{counted(files, 'file')} in {folder}")
    if fresh:
        digits = 0 if fresh > 10 * seconds else 2
        screen.entry("speed", f"{fresh / seconds:,.{digits}f} games a second")
    return 0


def _played(players: tuple[str, ...], asked: EnvOptions, seed: int) -> tuple[Expert, Record | None]:
    """Return the games that are asked for, and recorded ones, if they take their place."""
    from hanabi.env.expert import Expert
    from hanabi.env.layout import ObservationKind

    recorded, named = None, players if len(players) > 1 else "".join(players)
    if asked.source is not None:
        for option in ("games", "seats", "rules", "seed"):
            if getattr(asked, option) is not None:
                raise InvalidInputError("--from: the games have their own number, rules and deals")
        table, recorded = _recorded(asked.source)
        named = "first-legal"  # any: it only observes
    else:
        seats = asked.seats
        if seats is None:
            seats = len(players) if len(players) > 1 else _SEATS
        table = parse_rules(asked.rules or _RULES, seats)
    kind = ObservationKind[(asked.kind or _KIND).upper()]
    posteriors = asked.posteriors
    expert = Expert(named, table, seed=seed, kind=kind, packed=True, posteriors=posteriors)
    return expert, recorded


def _recorded(source: str) -> tuple[Rules, Record]:
    """Read recorded games, which all have the same rules, up to their ends by these."""
    from hanabi.players import keep_game, new_record

    ends: list[Game] = []
    with opened_items(source) as found:
        items = (
            found.each if isinstance(found, Items) else [Item(1, name_of(source), found.encode())]
        )
        for item in items:
            with naming(item.label):
                problem = pose_position(parse_input(item.text()), Question())
                if not problem.has_history:
                    raise InvalidInputError("it is a position without its history")
                ends.append(problem.by_rules[-1])
                if ends[-1].rules != ends[0].rules:
                    raise InvalidInputError("it has other rules than the games before")
    if not ends:
        raise InvalidInputError(f"{name_of(source)}: there is no game")
    record = new_record(ends[0].rules, len(ends))
    for row, end in enumerate(ends):
        keep_game(record, row, end)
    return ends[0].rules, record


def _tell_positions(screen: Screen, folder: str) -> None:
    """Print how many positions a folder has, and the shares of exact values."""
    import numpy as np

    from hanabi.env.values import read_values

    total, legal, exact = 0, 0, Counter[str]()
    for rows in read_values(folder):
        total += len(rows.actions)
        legal += int(rows.masks.sum())
        for side in ("open", "seat"):
            ends = np.stack([getattr(rows, f"{side}_{what}") for what in ("perfect", "points")])
            known = (ends[..., 0] == ends[..., 1]).all(axis=0)
            exact[f"{side}, actions"] += int(known.sum())
            exact[side] += int((known == rows.masks).all(axis=1).sum())
    screen.entry("positions", f"{total:,}, with {legal:,} legal actions")
    for side, told in (("open", "hands open"), ("seat", "by seat")):
        if total:
            actions = exact[f"{side}, actions"] / legal
            share = f"{exact[side] / total:.1%} of positions, {actions:.1%} of actions exact"
            screen.entry(told, share.replace("%", " %"))


def _seats_of_kit(seats: int | None) -> tuple[int, ...]:
    from hanabi.env.golden import SEATS

    return SEATS if seats is None else (seats,)


def _golden(folder: str, seats: int | None, steps: int, seed: int) -> int:
    """Write a kit."""
    from hanabi.env.golden import write_kits

    kits = write_kits(folder, steps=steps, seed=seed, seats=_seats_of_kit(seats))
    screen = Screen()
    total = sum(len(kit.moves.actions) for kit in kits)
    screen.entry(
        "", f"{total:,} steps of {sum(len(kit.decks) for kit in kits):,} games, in {folder}"
    )
    screen.line()
    cases = [kit.cases() for kit in kits]
    heads = ["steps", *(f"{kit.seats} players" for kit in kits)]
    screen.table(heads, [[name, *(f"{each[name]:,}" for each in cases)] for name in cases[0]])
    return 0


def _check(text: str, asked: EnvOptions, steps: int, seed: int) -> int:
    """Play a kit in another environment."""
    from hanabi.env.golden import load_adapter, make_kit, read_kits

    adapter = load_adapter(text)
    wanted = _seats_of_kit(asked.seats)
    if asked.kit is not None:
        kits = iter(read_kits(asked.kit, seats=None if asked.seats is None else wanted))
    else:
        kits = (make_kit(each, -(-steps // len(wanted)), seed=seed) for each in wanted)
    done, missing, found = 0, set[str](), None
    with ProgressLine() as progress:
        for kit in kits:
            found, lacking = kit.check(
                adapter,
                progress=lambda more, done=done: progress(  # type: ignore[misc]
                    f"{done + more:,} steps", done + more, max(steps, done + more)
                ),
            )
            missing |= lacking
            if found is not None:
                break
            done += len(kit.moves.actions)
    document = {"equal": found is None, "steps": done, "not_compared": sorted(missing)}
    if found is not None:
        document["difference"] = asdict(found)
    if asked.json:
        print_json(document)
        return 0 if found is None else _DIFFERENT
    screen = Screen()
    if found is None:
        screen.line(f"equal in {done:,} steps")
    else:
        screen.line(f"different: {found}")
        screen.entry("actions", " ".join(map(str, found.actions)) or "none")
        screen.entry("deck", " ".join(f"{color},{rank}" for color, rank in found.deck))
    if missing:
        screen.entry("left out", ", ".join(sorted(missing)))
    return 0 if found is None else _DIFFERENT
