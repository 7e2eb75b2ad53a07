"""`hanabi difficulty` measures how often our best players win a deck."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from hanabi.ground import DEFAULT_SECONDS, Status, counted, naming
from hanabi.lab import table_of_documents
from hanabi.rules import parse_input, read_rules
from hanabi.shell import (
    EACH,
    GAMES,
    SAMPLE,
    Difficulty,
    Form,
    LineWriter,
    Marks,
    ProgressLine,
    Question,
    Screen,
    answer_many,
    carry_out,
    check_folder,
    check_outputs,
    deal_of,
    difficulty,
    estimate_json,
    form_of,
    name_of,
    open_store,
    opened_items,
    options,
    outputs_of_lines,
    plan_sample,
    pose_position,
    print_json,
    write_result,
)

__all__ = ["DifficultyOptions", "difficulty_command"]


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class DifficultyOptions:
    """How `hanabi difficulty` measures decks.

    Parameters
    ----------
    by
        The player. Default: the best of our players for such a table.
    games
        How often to play the deck. Default: 200.
    sample
        Number of random decks to compare with. Default: 100.
    each
        How often to play each of these. Default: 20.
    seed
        The same seed gives the same games and the same random decks. Default: 1.
    time
        Seconds to decide whether the deck can be won at all. Default: 60; 0 for no limit.
    output
        Write the answer to this file: .json as --json prints it, .csv or .parquet as a table. With
        many decks, append the lines to it (.jsonl), and skip decks that it already has.
    """

    players: options.DealTo = None
    rules: options.RuleSet | None = None
    by: str | None = None
    games: Annotated[options.Count, Parameter(name=("--games", "-n"))] = GAMES
    sample: options.Count = SAMPLE
    each: options.Count = EACH
    seed: options.Count = 1
    time: options.Seconds = DEFAULT_SECONDS
    output: options.Output = None
    json: options.Json = False


def difficulty_command(
    deck: options.Source,
    /,
    *more: options.More,
    asked: DifficultyOptions = DifficultyOptions(),
    run: options.Run = options.Run(),
) -> int:
    """Measure how often our best players win a deck, and rank it among random decks.

    Each game renames suits and slots, which changes nothing in the rules.

    Parameters
    ----------
    deck
        A seed of hanab.live, a file with a deck or a game, or - for standard input. Many decks (a
        folder, or others that "hanabi solve" takes) give one JSON line each.
    """
    check_outputs([deck, *more], {"--output": asked.output}, store=run.store)
    form = form_of("--output", asked.output, Form.JSON, Form.LINES, Form.CSV, Form.PARQUET)
    rules = None if asked.rules is None else read_rules(asked.rules)
    question, seconds = Question(players=asked.players, rules=rules), asked.time or None
    again = options.typed("difficulty", deck, *more, groups=[asked, run])
    sizes = {name: getattr(asked, name) for name in ("games", "sample", "each", "seed")}
    with open_store(run.store) as kept, opened_items(deck, *more) as given:

        def find(text: str) -> Difficulty:
            game = deal_of(pose_position(parse_input(text), question))
            plan = plan_sample(game.rules, player=asked.by, **sizes)
            carry_out([plan.job], kept, run, again)
            with ProgressLine() as progress:
                return difficulty(
                    game, player=asked.by, store=kept, seconds=seconds, progress=progress, **sizes
                )

        if not isinstance(given, str):
            check_outputs([deck, *more], outputs_of_lines(asked.output), store=run.store)
            check_folder(deck, asked.output)
            question_asked = {"players": asked.players, "rules": asked.rules, **sizes}
            question_asked |= _playing(asked.by)
            marks = Marks("difficulty", question_asked, {"seconds": seconds}, _is_open)
            writer = LineWriter(asked.output, marks)
            # All workers play each deck, and all decks share one sample.
            return answer_many(
                given, lambda text: _document(find(text)), writer, workers=None, executor="serial"
            )
        with naming(name_of(deck)):
            found = find(given)
    document = _document(found)
    if asked.output is not None:
        write_result(asked.output, form, document, *table_of_documents(lambda: [document]))
    if asked.json:
        print_json(document)
    else:
        _print(Screen(), found)
    return 0


def _playing(by: str | None) -> dict[str, object]:
    """Return what the games depend on: the player, and the revisions of our players."""
    from hanabi.players import PLAYERS, WRAPPERS, as_player, format_player

    revisions = [
        (name, getattr(kind, "revision", None))
        for name, kind in sorted({**PLAYERS, **WRAPPERS}.items())
    ]
    player = None if by is None else format_player(as_player(by))
    return {"player": player, "revisions": [each for each in revisions if each[1] is not None]}


def _is_open(document: Mapping[str, object]) -> bool:
    return document["status"] == Status.UNKNOWN


def _document(found: Difficulty) -> dict[str, object]:
    verdict, summary = found.verdict, found.summary
    return {
        "status": str(verdict.status),
        "reason": verdict.reason,
        "player": found.player,
        "not_the_best_because": found.refusal,
        "games": summary.games,
        "won": found.won,
        "rate": {
            "value": found.rate,
            "standard_error": found.standard_error,
            "confidence_interval": list(found.interval),
        },
        "points": estimate_json("mean", summary.score) | {"most": found.game.rules.max_score},
        "percentile": {
            "value": found.percentile,
            "standard_error": found.percentile_error,
            "decks": found.sample,
            "games_each": found.each,
            "easier": found.easier,
            "alike": found.alike,
            "harder": found.harder,
        },
        "seed": found.seed,
    }


def _print(screen: Screen, found: Difficulty) -> None:
    summary, (low, high) = found.summary, found.interval
    screen.entry("the deck", f"{found.verdict.status}: {found.verdict.reason}")
    screen.entry("played by", found.player)
    if found.refusal is not None:
        screen.entry("", f"not the best: {found.refusal}")
    screen.entry(
        "won",
        f"{found.won:,} of {counted(summary.games, 'game')}, {found.rate:.1%} +-"
        f" {found.standard_error:.1%} (95 %: {low:.1%} to {high:.1%})",
    )
    score = summary.score
    most = found.game.rules.max_score
    screen.entry("points", f"{score.value:.3f} +- {score.standard_error:.3f} of {most}")
    screen.entry(
        "harder than",
        f"{found.percentile:.1f} % +- {found.percentile_error:.1f} % of random decks:"
        f" {found.easier} easier, {found.alike} alike, {found.harder} harder",
    )
    screen.entry("", f"each of {found.sample} played {found.each} times; seed {found.seed}")
