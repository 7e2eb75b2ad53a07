"""`hanabi env` writes data for learners, and checks environments against it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Annotated, Literal

from cyclopts import Parameter

from hanabi.ground import Clock, InvalidInputError, counted, did_you_mean, quote
from hanabi.shell import (
    STDOUT,
    ProgressLine,
    Screen,
    check_games,
    complain,
    options,
    parse_rules,
    print_json,
)

__all__ = ["EnvOptions", "env_command"]

# The actions, and the options that each takes.
_TAKES = {
    "expert": (
        "--output", "--seed", "--games", "--players", "--rules", "--shard", "--format", "--kind",
        "--posteriors", "--workers",
    ),
    "golden": ("--output", "--seed", "--players", "--steps"),
    "check": ("--seed", "--players", "--steps", "--kit", "--json"),
}  # fmt: skip
_RULES, _SEATS, _KIND = "hle", 2, "card_knowledge"
_KIT_SEED = 1
_GAMES, _SHARD, _STEPS = 10_000, 1_000, 100_000
_MOST_STEPS = 10_000_000
_DIFFERENT = 1


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class EnvOptions:
    """What the actions of `hanabi env` take.

    Parameters
    ----------
    output
        expert, golden: the folder to write to. expert goes on with what is there.
    games
        expert: number of deals. Default: 10000.
    seats
        Players at the table. expert: 2 by default, or as many as you name. golden, check: by
        default 2, 3, 4 and 5.
    rules
        expert: the rules, as for other commands. Default: hle.
    shard
        expert: number of deals in each file. Default: 1000.
    form
        expert: npz (the default), for NumPy, or parquet.
    kind
        expert: the information about cards in observations. Default: card_knowledge.
    posteriors
        expert: also write the exact chances of the own cards, by hints and copies.
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
        action, reward, seat and own cards. golden: write a kit of games that tests environments.
        check ADAPTER: play the kit in another environment, and name the first difference.
    words
        expert: one player for all seats, or one for each. check: a file or module with the
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
    if action == "expert":
        return _expert(words, str(asked.output), asked)
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


def _expert(players: tuple[str, ...], folder: str, asked: EnvOptions) -> int:
    """Write the games of players."""
    from hanabi.env.expert import Expert, read_manifest, write_shards
    from hanabi.env.layout import ObservationKind

    if not players:
        raise InvalidInputError('name a player, or one for each seat; "hanabi players" lists them')
    games = _GAMES if asked.games is None else asked.games
    shard = _SHARD if asked.shard is None else asked.shard
    check_games(games)
    if not shard:
        raise InvalidInputError("--shard: at least one game")
    rules, seats = asked.rules or _RULES, asked.seats
    if seats is None:
        seats = len(players) if len(players) > 1 else _SEATS
    table = parse_rules(rules, seats)
    seed = asked.seed
    if seed is None:
        seed = (read_manifest(folder) or {}).get("seed")
    expert = Expert(
        players if len(players) > 1 else players[0],
        table,
        seed=options.new_seed(seed),
        kind=ObservationKind[(asked.kind or _KIND).upper()],
        packed=True,
        posteriors=asked.posteriors,
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
                form=asked.form or "npz",
                workers=asked.workers,
                progress=lambda done, all_: progress(
                    f"{done:,} of {counted(all_, 'game')}", done, all_
                ),
            )
    except KeyboardInterrupt:
        complain("the files that are complete are kept; to go on:")
        groups = [replace(asked, seed=expert.seed)]
        complain(options.typed("env", "expert", *players, groups=groups))
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
