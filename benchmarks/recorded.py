"""Games kept in a file, to look at, check, and continue on another day.

Run with ``python -m benchmarks.recorded [FILE ...]``, by default the files in `benchmarks/records`.
Each game is replayed by the rules alone from the deck of its seed; then the means are printed, and
why games lost points. ``benchmarks.gains --record FILE`` writes such files in lines of JSON: first
the table, then one line a deal, with its hanab.live link. A line cut by a kill is dropped, and its
deal is played again.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.endgame import describe
from benchmarks.losses import print_causes
from hanabi.ground.errors import InvalidInputError, quote
from hanabi.lab.recorded import estimate_mean, without_luck
from hanabi.lab.work import JSON, revisions_of
from hanabi.players import Tally, parse_player
from hanabi.players.arena import outcomes
from hanabi.players.protocol import inner_of
from hanabi.rules import Game, Rules
from hanabi.rules.notation import parse_link
from hanabi.rules.notation.hanab_live import DEFAULT_NAMES
from hanabi.rules.problem import link_of, posed
from hanabi.rules.replay import follow

RECORDS = Path(__file__).parent / "records"


class Played(NamedTuple):
    """A game: its end, estimated gains in points and in the chance of a perfect score, costs."""

    end: Game
    points: float
    perfect: float
    differing: int
    seconds: float


class Table(NamedTuple):
    """The player, its seats and the seed of the deals."""

    player: str
    seats: int
    seed: int
    revisions: JSON = None
    """Of the player and its parts: games of other revisions are not theirs."""

    @property
    def rules(self) -> Rules:
        """Those of hanab.live."""
        return Rules.hanab_live(self.seats)


def table_of(player: str, seats: int, seed: int) -> Table:
    """Return a table as written into a file."""
    return Table(player, seats, seed, **revisions_of(parse_player(player)))


def summarize(played: Sequence[Played], rules: Rules) -> str:
    """Return the means of some games in one line: gains, scores, decisions, seconds."""
    points, perfect, score = (
        describe(values)
        for values in (
            [each.points for each in played],
            [each.perfect for each in played],
            [each.end.score for each in played],
        )
    )
    full = sum(each.end.score == rules.max_score for each in played) / len(played)
    differing = describe([each.differing for each in played])[0]
    seconds = describe([each.seconds for each in played])[0]
    return (
        f"gain {points[0]:+.3f} +- {points[1]:.3f}, perfect {perfect[0]:+.1%} +- {perfect[1]:.1%};"
        f" scores {score[0]:.3f} +- {score[1]:.3f}, perfect {full:.1%};"
        f" {differing:.1f} decisions differ; {seconds:.1f} s a game"
    )


def write_line(deal: int, played: Played) -> str:
    """Return the line of a game."""
    games = follow(Game.start(played.end.rules, played.end.deck), played.end.actions)
    numbers = (round(each, 4) for each in played[1:])
    line = dict(zip(Played._fields[1:], numbers, strict=True))
    link = link_of(games, DEFAULT_NAMES[: played.end.rules.seats])
    return json.dumps({"deal": deal, "score": played.end.score, **line, "link": link})


def _read_line(line: str, table: Table) -> tuple[int, Played]:
    """Replay a game, and check it against the deck of its seed and the recorded score."""
    data = json.loads(line)
    end = posed(parse_link(data["link"])).positions[-1]
    deck = table.rules.spec.shuffle(table.seed, data["deal"])
    if end.deck != deck or not end.is_over or end.score != data["score"]:
        raise InvalidInputError(f"not a game of this deal with this score: {quote(line)}")
    return data["deal"], Played(end, *(data[name] for name in Played._fields[1:]))


def read_table(path: Path) -> Table:
    """Return the table of a file."""
    with path.open() as file:
        return Table(**json.loads(file.readline()))


def read_games(path: Path, table: Table) -> dict[int, Played]:
    """Return the games of a file by their deals, after dropping a line cut by a kill.

    A missing or empty file is started.

    Raises
    ------
    InvalidInputError
        If the games are of another table, or one does not match its deck or score.
    """
    text = path.read_text() if path.exists() else ""
    whole = text[: text.rfind("\n") + 1]
    if not whole:
        whole = json.dumps(table._asdict()) + "\n"
    if whole != text:
        path.write_text(whole)
    lines = whole.splitlines()
    if Table(**json.loads(lines[0])) != table:
        raise InvalidInputError(f"{path} has games of {quote(lines[0])}, not of {table}")
    return dict(_read_line(line, table) for line in lines[1:])


def compare_ways(table: Table, games: Mapping[int, Played]) -> str:
    """Return the gain by scores on the same deals, and with luck removed, in one line."""
    inner, rules = inner_of(parse_player(table.player)), table.rules
    deals = sorted(games)
    own = outcomes(inner, rules, deals[-1] - deals[0] + 1, seed=table.seed, first=deals[0])
    tallied = [Tally.of(rules, [own[deal - deals[0]]]).scored(rules).mean for deal in deals]
    scores = np.array([games[deal].end.score for deal in deals])
    plain, gain = scores - np.array(tallied), np.array([games[deal].points for deal in deals])
    ways = estimate_mean(plain), estimate_mean(without_luck(plain, gain))
    told = [f"{each.value:+.3f} +- {each.standard_error:.4f}" for each in ways]
    saved = (ways[0].standard_error / ways[1].standard_error) ** 2
    return f"by scores {told[0]}, with luck removed {told[1]}: {saved:.1f} times the deals saved"


def main(*names: str) -> None:
    """Check files of games, and print their means."""
    for path in [*map(Path, names)] or sorted(RECORDS.glob("*.jsonl")):
        table = read_table(path)
        games = read_games(path, table)
        print(f"{table.player}, {table.seats} seats, seed {table.seed}", end=": ")
        print(f"{len(games):,} of the deals {min(games):,} to {max(games):,}")
        print(summarize([*games.values()], table.rules))
        if table.revisions == table_of(*table[:3]).revisions:
            print(compare_ways(table, games))
        print_causes(each.end for each in games.values())


if __name__ == "__main__":
    main(*sys.argv[1:])
