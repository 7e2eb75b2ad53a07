"""`hanabi review` shows the best score still reachable after each move of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from json import dumps
from textwrap import wrap
from typing import Any, TypeAlias

from hanabi.cli.answers import action_json
from hanabi.cli.files import (
    STDOUT,
    Form,
    check_document,
    check_outputs,
    form_of,
    write_document,
    write_each,
    write_table,
    written,
)
from hanabi.cli.items import check_folder, opened_items
from hanabi.cli.kept import LineWriter, Marks, outputs_of_lines
from hanabi.cli.moves import card_piece, sentence
from hanabi.cli.options import (
    Actions,
    Count,
    File,
    More,
    Output,
    Seconds,
    Source,
    name_of,
    refuse,
    with_actions,
)
from hanabi.cli.terminal import VERDICT_STYLES, Piece, ProgressLine, Screen, StyledCell, print_json
from hanabi.errors import InvalidInputError, counted, naming, printable
from hanabi.game.figures import BottomDeck, PaceRisk, pace, pace_risk
from hanabi.game.replay import record_action, variant_of
from hanabi.game.telling import told
from hanabi.lab.recorded import players_of
from hanabi.notation import GameRecord, parse_input
from hanabi.players.hgroup import HGroup
from hanabi.players.parameters import read_parameters
from hanabi.players.protocol import with_names
from hanabi.report.results import shorten_player
from hanabi.report.reviews import (
    MOVES,
    PLAYERS,
    Blunder,
    Players,
    move_rows,
    player_rows,
    worst_moves,
    worst_of,
)
from hanabi.report.tables import GAP, Cell, shortened
from hanabi.session.chances import Late, part_of, worst
from hanabi.session.conventions import ConventionNotes
from hanabi.session.decisions import Decision, DecisionKind, counts_of, decision_words
from hanabi.session.game import link_of
from hanabi.session.problem import DEFAULT_SECONDS, Question, pose_position
from hanabi.session.review import Review, review
from hanabi.verdict import Status
from hanabi.winnable.timeline import Prospect

__all__ = ["ReviewTable", "print_review", "review_command", "review_document"]

# A reviewed game, as JSON and as text.

_RISKS: dict[PaceRisk, str] = {
    "low": "",
    "medium": "yellow",
    "high": "bold yellow",
    "zero": "bold red",
}
"""How a pace is shown that makes discards risky; hanab.live colors it, too."""


def review_document(review: Review, given: object = None) -> dict[str, object]:
    """Return the documented JSON document; `given` is the record that was read."""
    positions, names = review.positions, review.problem.names
    efficiencies, late = review.efficiencies, {each.at + 1: each for each in review.late}
    decisions = {each.move: each for each in review.decisions}
    notes = {each.move: each for each in review.conventions}
    costs, kept = dict(review.lost), dict(review.lost_without_bomb)
    efficiency, moves, reasons = efficiencies[-1].ratio, [], dict(review.reasons)
    variant = variant_of(positions[0].rules)
    for move, (before, after) in enumerate(pairwise(positions), start=1):
        prospect = review.prospects[move]
        moves.append(
            {
                "move": move,
                "seat": before.seat_to_act,
                "player": names[before.seat_to_act],
                "words": told(names, before, after),
                "action": action_json(record_action(before, after.known_actions[-1])),
                "best": {"lower": prospect.lower, "upper": prospect.upper},
                "lost": costs.get(move, 0),
                "lost_without_bomb": kept.get(move, 0),
                "is_error": after.lives < before.lives,
                "score": after.score,
                "hints": after.hints,
                "lives": after.lives,
                "deck": after.deck_left,
                "pace": pace(after),
                "pace_risk": pace_risk(after),
                "efficiency": _exact(efficiencies[move].ratio),
                "required_efficiency": _exact(efficiencies[move].required),
            }
            | (_chance(late[move]) if move in late else {})
            | ({"reason": reasons[move]} if move in reasons else {})
            | (_decision(decisions[move]) if move in decisions else {})
            | (_conventions(notes[move], names) if move in notes else {})
        )
    first, because = review.prospects[0], review.because
    return {
        "best": {"lower": first.lower, "upper": first.upper},
        "id": given.id if isinstance(given, GameRecord) else None,
        "variant": None if variant is None else variant.name,
        "seats": positions[0].rules.seats,
        "team": _team(given),
        "score": review.problem.score,
        "piles": sum(positions[-1].piles),
        "most": positions[0].rules.max_score,
        "end": str(review.problem.end),
        "unusual": list(review.problem.recorded.unusual),
        "lost_at": review.lost_at,
        "because": None
        if because is None
        else {"name": because.name, "sentence": because.summary, "steps": len(because.steps)},
        "undecided": review.undecided,
        "link": review.link,
        "replay": _replay(review),
        "errors": list(review.errors),
        "bottom_decked": [
            {"card": _named(review, each), "place": each.place, "move": each.move}
            for each in review.bottom_decked
        ],
        "efficiency": None if efficiency is None else round(float(efficiency), 4),
        "minimum_efficiency": _exact(efficiencies[0].required),
        "moves": moves,
        "seconds": round(review.seconds, 6),
    }


def _team(given: object) -> list[str] | None:
    """Return the programs at the seats of a simulated game; None for other games."""
    team = players_of(given) if isinstance(given, GameRecord) else None
    return None if team is None else [printable(name) for name in team]


def _exact(number: Fraction | None) -> str | None:
    return None if number is None else str(number)


def _rounded(number: Fraction | None) -> str:
    return "" if number is None else f"{float(number):.2f}"


def _chance(late: Late) -> dict[str, object]:
    """Return the chance of all points before and after a late move, and the difference."""
    played = None if late.played is None else late.chances.of(late.played).perfect
    chance = {"best": str(late.chances.perfect), "played": str(played), "cost": str(late.cost)}
    return {"chance": chance}


def _decision(decision: Decision) -> dict[str, object]:
    """Return what a late move was by its seat's view."""
    bounds = {
        name: {"low": str(number.low), "high": str(number.high)}
        for name, number in (
            ("best", decision.best),
            ("played", decision.played),
            ("lost", decision.loss),
        )
    }
    own = {"lost_by_deck": decision.lost_by_deck, "kind": str(decision.kind)}
    return {"decision": bounds | own}


def _conventions(notes: ConventionNotes, names: Sequence[str]) -> dict[str, object]:
    """Return what conventions say of a move."""
    told = notes.told
    means = [] if told is None else told.meanings
    return {
        "conventions": {
            "focus": None if told is None else told.slot,
            "why": None if told is None else told.focus,
            "readings": [
                {
                    "convention": each.convention.name,
                    "level": each.convention.level,
                    "cards": [str(card) for card in each.cards],
                    "says": with_names(each.says, names),
                }
                for each in means
            ],
            "slips": [
                {"convention": each.convention.name, "says": with_names(each.says, names)}
                for each in notes.slips
            ],
            "expected": [
                {"seat": each.seat, "slot": each.slot, "says": with_names(each.says, names)}
                for each in notes.expected
            ],
        }
    }


def _replay(review: Review) -> str | None:
    """Return a link to the whole game, or None if hanab.live has no such table."""
    try:
        return link_of(review.positions, review.problem.names)
    except InvalidInputError:
        return None


def print_review(screen: Screen, review: Review, *, show: bool) -> None:
    """Write the losing moves and the figures; with `show` every move and the proof of the loss."""
    if show:
        _print_moves(screen, review)
        screen.line()
    top = review.positions[0].rules.max_score
    for label, text, style in _findings(review, top):
        screen.entry(label, text, style)
    if show and review.because is not None and review.because.steps:
        screen.line()
        screen.text(str(review.because))
    if review.link is not None:
        screen.line()
        screen.link(review.link)


def _print_moves(screen: Screen, review: Review) -> None:
    positions, names = review.positions, review.problem.names
    rows: list[list[StyledCell]] = []
    costs, efficiencies = dict(review.lost), review.efficiencies
    for move, (before, after) in enumerate(pairwise(positions), start=1):
        left = pace(after)
        rows.append(
            [
                (str(move), "dim"),
                [(names[before.seat_to_act] + " ", ""), *sentence(names, before, after)],
                (_range(review.prospects[move]), "bold red" if move in costs else ""),
                ("" if left is None else str(left), _RISKS[pace_risk(after)]),
                _rounded(efficiencies[move].required),
                str(after.hints),
            ]
        )
    screen.table(["move", "", "best", "pace", "need", "hints"], rows, left=(1,))


def _range(prospect: Prospect) -> str:
    if prospect.is_exact:
        return str(prospect.lower)
    return f"{prospect.lower}-{prospect.upper}"


def _named(review: Review, buried: BottomDeck) -> str:
    return card_piece(buried.card, review.positions[0].rules.variant)[0]


def _buried(review: Review, buried: BottomDeck) -> str:
    """Return a card, its place at the bottom of the deck, and since which move it is the last."""
    place = "last" if buried.place == 1 else f"{_ordinal(buried.place)} to last"
    since = f"since move {buried.move}" if buried.move else "from the deal"
    return f"{_named(review, buried)} ({place}, {since})"


def _ordinal(number: int) -> str:
    return {2: "second", 3: "third"}.get(number, f"{number}th")


def _findings(review: Review, top: int) -> Iterator[tuple[str, str, str]]:
    positions, names = review.positions, review.problem.names
    played = counted(len(review.problem.moves), "move")
    yield "as played", f"{played}, {review.problem.ending}", ""
    for each in review.problem.recorded.unusual:
        yield "unusual", each, ""
    first = review.prospects[0]
    if first.upper < top:
        yield "the deck", f"{_range(first)} of {top} points at best, all cards face up", "bold red"
    elif first.lower == top:
        yield "the deck", f"all {counted(top, 'point')} could be scored", ""
    else:
        left = "the missing cards decide" if positions[0].missing else "the rest is undecided"
        yield "the deck", f"{_range(first)} of {top} points at best; {left}", ""
    if review.undecided is not None:
        yield "undecided", review.undecided, ""
    for move, cost in review.lost:
        before, after = positions[move - 1 : move + 1]
        who = names[before.seat_to_act]
        best = _range(review.prospects[move])
        what = f"{who} {told(names, before, after)}: {counted(cost, 'point')} lost, {best} at best"
        yield f"move {move}", what, "bold red"
    if not review.lost and first.lower == top:
        yield "lost", "nothing: all points were still reachable at the end", "green"
    if review.because is not None:
        yield "because", f"{review.because.name}: {review.because.summary}", ""
    yield from _late_findings(review)
    yield from _decision_findings(review)
    yield from _convention_findings(review)
    if review.errors:
        yield "errors", ", ".join(f"move {move}" for move in review.errors), ""
    if review.bottom_decked:
        yield "bottom deck", ", ".join(_buried(review, each) for each in review.bottom_decked), ""
    had, needed = map(_rounded, (review.efficiency, review.minimum_efficiency))
    if had:
        least = f"; all points need {needed} from the deal" if needed else ""
        yield "efficiency", f"{had} cards a hint{least}", ""
    yield "took", f"{review.seconds:.2f} s", "dim"


def _late_findings(review: Review) -> Iterator[tuple[str, str, str]]:
    """Yield the late moves that gave away a chance of all points, the worst one in red."""
    most, names = worst(review.late), review.problem.names
    if review.late and most is None:
        yield "chances", "no late move gave away a chance of all points", "green"
    for each in review.late:
        if each.cost and each.played is not None:
            before, after = review.positions[each.at : each.at + 2]
            who, words = names[before.seat_to_act], told(names, before, after)
            had = (
                f"{each.chances.of(each.played).perfect} of all points, not {each.chances.perfect}"
            )
            style = "bold red" if each is most else ""
            yield f"move {each.at + 1}", f"{who} {words}: a chance of {had}", style


def _decision_findings(review: Review) -> Iterator[tuple[str, str, str]]:
    """Yield the late moves that were not right by their seat's view, and how many were."""
    if not review.decisions:
        return
    names = review.problem.names
    late = counted(len(review.decisions), "late move")
    yield "decisions", f"{counts_of(review.decisions)}, of {late}", ""
    for each in review.decisions:
        if each.kind in (DecisionKind.RIGHT, DecisionKind.NOT_DECIDED):
            continue
        before, after = review.positions[each.move - 1 : each.move + 1]
        who, words = names[before.seat_to_act], told(names, before, after)
        style = "bold red" if each.kind is DecisionKind.MISTAKE else ""
        yield f"move {each.move}", f"{who} {words}: {decision_words(each)}", style


def _convention_findings(review: Review) -> Iterator[tuple[str, str, str]]:
    """Yield what conventions say of each move, and how many moves did not keep them."""
    if not review.conventions:
        return
    names = review.problem.names
    n_slips = sum(bool(each.slips) for each in review.conventions)
    kept = counted(len(review.conventions) - n_slips, "move")
    yield "conventions", f"kept in {kept}, perhaps not in {n_slips}; slot 0 is the oldest card", ""
    for each in review.conventions:
        before, after = review.positions[each.move - 1 : each.move + 1]
        who, words = names[before.seat_to_act], told(names, before, after)
        yield f"move {each.move}", "; ".join([f"{who} {words}", *each.sentences(names)]), ""


# Many reviewed games as a table, a row or more for each.

_WIDTHS = (16, 5, 5, 9, 0)
"""Of the columns: rows are written one by one."""

_LEFT = (0, 3, 4)
_COUNTED = ("lost by us", "by the deck", "nothing lost", "undecided", "not answered")
_LOSS = VERDICT_STYLES[Status.UNWINNABLE]


class ReviewTable:
    """A table with rows for each game, made from its JSON: scores and losing moves."""

    def __init__(
        self,
        *,
        has_links: bool,
        n_blunders: int = 0,
        has_chances: bool = False,
        has_decisions: bool = False,
    ) -> None:
        self._screen, self._has_links = Screen(), has_links
        self._found: Counter[str] = Counter()
        self._n_blunders, self._blunders = n_blunders, list[Blunder]()
        self._players = Players()
        self._has_chances, self._has_decisions = has_chances, has_decisions
        self._rows([[(name, "dim") for name in ("game", "score", "best", "lost", "by")]])

    def add(self, name: str, data: Mapping[str, Any]) -> None:
        """Write the rows of a game: one for the deck or each losing move; and the link."""
        name = printable(name)
        name = name if len(name) <= _WIDTHS[0] else f"...{name[3 - _WIDTHS[0] :]}"
        start = [name, "", ""]
        if "error" not in data:
            start[1:] = f"{data['score']}/{data['most']}", _bounds_text(data["best"])
        group, rows = _told_of(data)
        self._found[group] += 1
        left = self._screen.width - sum(_WIDTHS) - len(GAP) * (len(_WIDTHS) - 1)
        for what, text in rows:
            first, *others = wrap(text, left) or [""]
            self._rows([[*start, what, first]])
            self._rows([["", "", "", "", line] for line in others])
            start = ["", "", ""]
        if self._has_links and data.get("link") is not None:
            self._screen.link(data["link"])
        if self._has_chances or self._has_decisions:
            self._players.add(data)
        if self._n_blunders:
            found = worst_moves([{**data, "item": name}], self._n_blunders)
            self._blunders = worst_of((*self._blunders, *found), self._n_blunders)

    def _rows(self, rows: list[list[StyledCell]]) -> None:
        self._screen.rows(rows, left=_LEFT, widths=_WIDTHS)

    def finish(self) -> None:
        """Write the number of games with each outcome."""
        found = [f"{self._found[what]:,} {what}" for what in _COUNTED if self._found[what]]
        self._screen.line()
        self._screen.line((", ".join(found) or "no games", "bold"))
        if self._has_chances:
            print_regret(self._screen, self._players)
        if self._has_decisions:
            print_players(self._screen, self._players)
        if self._n_blunders:
            print_blunders(self._screen, self._blunders)


def print_regret(screen: Screen, players: Players) -> None:
    """Write how often each player gave away a chance with open hands, and how much of it a game."""
    rows: list[list[str]] = []
    for cells in players.rows():
        if cells["open_decisions"] is None:
            continue
        given, error = cells["open_lost_per_game"], cells["open_lost_per_game_error"]
        name = _shown(cells["player"])
        counts = (str(cells[key]) for key in ("games", *_OPEN_KINDS))
        rows.append([name, *counts, f"{given:.4f}" + ("" if error is None else f" ± {error:.4f}")])
    screen.line()
    if not rows:
        screen.line("There is no late move to compute a chance of.")
        return
    heads = "player", "games", *_OPEN_KINDS.values(), "regret a game"
    screen.table(heads, _cut(rows, _LONG_NAME), left=(0, len(heads) - 1))


def print_players(screen: Screen, players: Players) -> None:
    """Write what the decisions of each player were, and what it gave away a game."""
    rows: list[list[str]] = []
    for cells in players.rows():
        if cells["decisions"] is None:
            continue
        lost = [cells[f"seat_lost_{end}_per_game"] for end in ("low", "high")]
        error = cells["seat_lost_low_per_game_error"]
        given = f"{lost[0]:.2f}-{lost[1]:.2f}" + ("" if error is None else f" ± {error:.2f}")
        name = _shown(cells["player"])
        rows.append([name, str(cells["games"]), *(str(cells[kind]) for kind in _KINDS), given])
    screen.line()
    if not rows:
        screen.line("There is no late move to judge a decision of.")
        return
    heads = "player", "games", *_KINDS.values(), "gave away a game"
    screen.table(heads, _cut(rows, _NAME_LENGTH), left=(0, len(heads) - 1))


def _shown(player: object) -> str:
    """Return the name of a player for a table; a program without what is usual of it."""
    return printable(shorten_player(str(player)))


def _cut(rows: Sequence[Sequence[str]], most: int) -> list[list[str]]:
    """Return rows that begin with a name, cut to this length."""
    names = shortened([row[0] for row in rows], most)
    return [[name, *row[1:]] for name, row in zip(names, rows, strict=True)]


def print_blunders(screen: Screen, found: Sequence[Blunder]) -> None:
    """Write the worst moves, each with a link that opens before it."""
    screen.line()
    screen.line(("blunders", "bold"))
    for number, each in enumerate(found, start=1):
        move = each.move
        what = [counted(move["lost"], "point")] if move["lost"] else []
        if move["lost"] != move["lost_without_bomb"]:
            what.append(f"{move['lost_without_bomb']} without the bomb")
        if "decision" in move and Fraction(move["decision"]["lost"]["low"]):
            lost = Fraction(move["decision"]["lost"]["low"])
            what.append(f"{part_of(lost)} of the chance by the seat's view")
        elif not what:
            lost = Fraction(move["chance"]["cost"])
            what.append(f"{part_of(lost)} of the chance with open hands")
        who = f"{printable(each.game)}, move {move['move']}"
        screen.entry(f"{number}", f"{who}: {_said(move)} ({', '.join(what)})")
        if each.link is not None:
            screen.link(each.link)


def _told_of(data: Mapping[str, Any]) -> tuple[str, list[tuple[Piece, str]]]:
    """Return who lost a game first, and its rows: the loss with a style, and the move."""
    if "error" in data:
        return "not answered", [(("error", "bold"), data["error"])]
    moves = [move for move in data["moves"] if move["lost"]]
    rows = [*_deck_row(data), *map(_move_row, moves)]
    if rows:
        return ("lost by us" if len(rows) == len(moves) else "by the deck"), rows
    if data["best"]["lower"] < data["most"] or data["moves"][-1]["best"]["lower"] < data["most"]:
        why = "; ".join(filter(None, [*data["unusual"], data["undecided"]]))
        return "undecided", [(("unknown", VERDICT_STYLES[Status.UNKNOWN]), why)]
    what = "nothing" if data["score"] == data["most"] else "not so far"
    return "nothing lost", [((what, VERDICT_STYLES[Status.WINNABLE]), "")]


def _deck_row(data: Mapping[str, Any]) -> Iterator[tuple[Piece, str]]:
    if data["best"]["upper"] < data["most"]:
        why = "" if data["because"] is None else f": {data['because']['sentence']}"
        cost = counted(data["most"] - data["best"]["upper"], "point")
        yield (cost, _LOSS), f"the deck{why}"


def _move_row(move: Mapping[str, Any]) -> tuple[Piece, str]:
    cost = counted(move["lost"], "point")
    words = f"move {move['move']}, {_said(move)}"
    if move["lost"] != move["lost_without_bomb"]:
        words += f" ({move['lost_without_bomb']} without the bomb)"
    return (cost, _LOSS), words


def _said(move: Mapping[str, Any]) -> str:
    return f"{move['player']} {move['words']}"


def _bounds_text(best: Mapping[str, int]) -> str:
    lower, upper = best["lower"], best["upper"]
    return str(lower) if lower == upper else f"{lower}-{upper}"


_SECONDS_EACH = 10.0
_NAME_LENGTH, _LONG_NAME = 16, 32
_OPEN_KINDS = {"open_decisions": "decisions", "open_right": "right", "open_not_decided": "open"}
_KINDS = {
    "mistakes": "mistakes",
    "good_luck": "lucky",
    "bad_luck": "unlucky",
    "right": "right",
    "not_decided": "open",
}
"""Columns of the sums of players, and their short names."""


def review_command(
    game: Source,
    /,
    *more: More,
    actions: Actions = None,
    show: bool = False,
    link: bool = False,
    chances: bool = False,
    decisions: bool = False,
    conventions: str | None = None,
    blunders: Count = 0,
    json: bool = False,
    moves: File | None = None,
    by_player: File | None = None,
    html: File | None = None,
    time: Seconds | None = None,
    memory: Count | None = None,
    workers: Count | None = None,
    output: Output = None,
) -> int:
    """Show the best score still reachable after each move, and which moves lost points.

    All cards are face up. Each move that lost points is named with its player, the points, why they
    are out of reach, and a replay link to a line that still had them. Many games (a folder, or any
    input of many that "hanabi solve" takes) give a table.

    Parameters
    ----------
    game
        A game in a file, a folder of games, a hanab.live replay link, a seed with --actions, or -
        for standard input.
    show
        Print every move with the best score after it, and the proof of the first loss.
    chances
        Add which late moves gave away a chance of all points, with all hands open and the deck
        unseen.
    decisions
        Add what late moves were by what their player could know: mistakes, bad luck, good luck.
        This takes some seconds a game.
    conventions
        Add what each move means by the H-Group's conventions up to a level, as in level=3: the
        readings of hints, what was not kept, and what is to come. This takes some seconds a game.
    blunders
        Print so many of the worst moves of all games, with links that open before them.
    moves
        Write a table with a row for each move here (.csv, .parquet). Many games need -o, too.
    by_player
        Write a table with a row for each player here (.csv, .parquet). Many games need -o, too.
    link
        Add links to the table of many games; lines of JSON have them anyway.
    json
        Print one JSON document; for many games one a line.
    html
        Write the review to this file, too, as a page that leafs through the game.
    time
        Seconds for everything. Default: 60, or 10 for each of many games; 0 for no limit. If they
        do not suffice, bounds are printed.
    memory
        Megabytes that a solver may use.
    workers
        Processes for many games. Default: one for each core.
    output
        Append a JSON line for each of many games to this file, and skip games that it already has.
        A file that ends in .csv or .parquet is a table of these lines. For a single game, write
        its JSON document to this file (.json).
    """
    tables = {"--moves": moves, "--by-player": by_player}
    check_outputs(
        [game, *more],
        outputs_of_lines(output) | {"--html": html} | tables,
        forms={"--html": Form.HTML},
    )
    for option, path in tables.items():
        form_of(option, path, Form.CSV, Form.PARQUET)
    if blunders and (json or STDOUT in (output, *tables.values())):
        raise InvalidInputError("--blunders would share standard output: give a file for the rest")
    with opened_items(game, *more) as given:
        seconds = DEFAULT_SECONDS if isinstance(given, str) else _SECONDS_EACH
        seconds = seconds if time is None else time
        reviewing = _Reviewing(
            seconds or None,
            None if memory is None else memory << 20,
            chances,
            decisions,
            with_reasons=moves is not None,
            with_conventions=None if conventions is None else _level_of(conventions),
        )
        if not isinstance(given, str):
            has_table = not json and output is None
            refuse(
                "is for a single game, not for many",
                show=show, actions=actions, html=html,
            )  # fmt: skip
            lines = None if output in (None, STDOUT) else output
            for option, path in tables.items():
                if path is not None and lines is None:
                    raise InvalidInputError(
                        f"{option} of many games needs -o FILE, which keeps their reviews"
                    )
            check_folder(game, output)
            from hanabi.cli.batch import answer_many

            writer = LineWriter(output, reviewing.marks())
            table = None
            if has_table:
                table = ReviewTable(
                    has_links=link,
                    n_blunders=blunders,
                    has_chances=chances,
                    has_decisions=decisions,
                )
            status = answer_many(given, reviewing, writer, workers=workers, table=table)
            _write_tables(writer.documents, moves, by_player)
            if blunders and lines is not None:
                print_blunders(Screen(), worst_moves(writer.documents(), blunders))
            return status
    refuse("is for many games, not for a single one", workers=workers, link=link)
    check_document(output, "games")
    parsed = parse_input(given, source=name_of(game))
    if actions is not None:
        parsed = with_actions(parsed, actions)
    with naming(name_of(game)):
        problem = pose_position(parsed, Question())
        with ProgressLine() as progress:
            found = review(
                problem,
                seconds=reviewing.seconds,
                memory=reviewing.memory,
                progress=progress,
                with_chances=chances,
                with_reasons=html is not None or moves is not None,
                with_decisions=decisions,
                with_conventions=reviewing.with_conventions,
            )
    if html is not None:
        from hanabi.viewer.page import page_of
        from hanabi.viewer.view import show_of

        with written(html) as file:
            file.write(page_of(show_of(found)))
    document = review_document(found, parsed)
    named = {**document, "item": name_of(game)}
    if output is not None:
        write_document(output, [dumps(document)])
    _write_tables(lambda: [named], moves, by_player)
    if STDOUT in tables.values():
        return 0  # the table takes the place of the review
    if json and output is None:
        print_json(document)
    elif not json:
        print_review(Screen(), found, show=show)
        if blunders:
            print_blunders(Screen(), worst_moves([named], blunders))
    return 0


def _level_of(text: str) -> int:
    """Return the level in a text such as level=3."""
    with naming("--conventions"):
        return HGroup(**read_parameters("hgroup", HGroup, text)).level


_Rows: TypeAlias = Callable[[Iterable[Mapping[str, Any]]], Iterator[list[Cell]]]


def _write_tables(
    documents: Callable[[], Iterable[Mapping[str, Any]]], moves: str | None, by_player: str | None
) -> None:
    """Write the tables of moves and of players that are asked for."""

    def write(path: str, option: str, columns: Mapping[str, str], rows: _Rows) -> None:
        form = form_of(option, path, Form.CSV, Form.PARQUET)
        write_table(path, form, columns, rows(documents()))

    write_each(
        [
            (moves, lambda path: write(path, "--moves", MOVES, move_rows)),
            (by_player, lambda path: write(path, "--by-player", PLAYERS, player_rows)),
        ]
    )


def _is_open(document: Mapping[str, Any]) -> bool:
    """Return whether something that was asked is not known: a larger budget may decide it."""
    chances = (move["chance"] for move in document["moves"] if "chance" in move)
    decisions = (move["decision"]["kind"] for move in document["moves"] if "decision" in move)
    return (
        document["undecided"] is not None
        or any(" " in chance[name] for chance in chances for name in ("best", "played"))
        or DecisionKind.NOT_DECIDED in decisions
    )


@dataclass(frozen=True, slots=True)
class _Reviewing:
    """Review the text of one of many games, in another process."""

    seconds: float | None
    memory: int | None
    with_chances: bool
    with_decisions: bool
    with_reasons: bool
    with_conventions: int | None

    def marks(self) -> Marks:
        """Return what a file of reviews says of this question."""
        budget: dict[str, float | None] = {"seconds": self.seconds}
        if self.memory is not None:
            budget["memory"] = self.memory
        extras = {
            "chances": self.with_chances,
            "decisions": self.with_decisions,
            "reasons": self.with_reasons,
            f"conventions level={self.with_conventions}": self.with_conventions is not None,
        }
        asked = tuple(name for name, is_asked in extras.items() if is_asked)
        return Marks("review", {}, budget, _is_open, asked)

    def __call__(self, text: str) -> dict[str, object]:
        given = parse_input(text)
        found = review(
            pose_position(given, Question()),
            seconds=self.seconds,
            memory=self.memory,
            with_chances=self.with_chances,
            with_reasons=self.with_reasons,
            with_decisions=self.with_decisions,
            with_conventions=self.with_conventions,
        )
        return review_document(found, given)
