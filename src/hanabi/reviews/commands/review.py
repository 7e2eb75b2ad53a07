"""`hanabi review` shows the best score still reachable after each move of games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from json import dumps
from textwrap import wrap
from typing import Any, TypeAlias

from hanabi.conventions import HGroup
from hanabi.ground import (
    DEFAULT_SECONDS,
    GAP,
    Cell,
    InvalidInputError,
    Status,
    counted,
    naming,
    printable,
    shortened,
)
from hanabi.lab import shorten_player
from hanabi.people import People, share_words
from hanabi.reviews.document import Mistake, ReviewDocument, lost_by_player
from hanabi.reviews.remarks import NOTHING_TO_JUDGE, findings, given_up_words, played_words
from hanabi.reviews.review import Review, review
from hanabi.reviews.rows import (
    LUCK_HEADS,
    MOVES,
    PLAYERS,
    Blunder,
    Players,
    luck_of,
    move_rows,
    player_rows,
    reviewed,
    worst_moves,
    worst_of,
)
from hanabi.rules import PaceRisk, parse_input, read_parameters, terminal
from hanabi.shell import (
    STDOUT,
    VERDICT_STYLES,
    Actions,
    Count,
    File,
    Form,
    GameList,
    LineWriter,
    Marks,
    More,
    Output,
    Piece,
    ProgressLine,
    Question,
    Screen,
    Seconds,
    Source,
    StyledCell,
    check_document,
    check_folder,
    check_outputs,
    complain,
    form_of,
    name_of,
    opened_items,
    opened_review,
    outputs_of_lines,
    pose_position,
    print_json,
    refuse,
    with_actions,
    write_document,
    write_each,
    write_table,
    written,
)
from hanabi.shell import move_sentence as sentence

__all__ = ["ReviewTable", "print_review", "review_command"]

# A reviewed game as text.

_RISKS: dict[PaceRisk, str] = {
    "low": "",
    "medium": "yellow",
    "high": "bold yellow",
    "zero": "bold red",
}
"""How a pace is shown that makes discards risky; hanab.live colors it, too."""


_TONES = {"": "", "good": "green", "bad": "bold red"}
"""How good and bad news are shown."""


def print_review(screen: Screen, review: Review, *, show: bool) -> None:
    """Write the mistakes and the figures; with `show` every move and the proof of the loss."""
    if show:
        _print_moves(screen, review)
        screen.line()
    _print_mistakes(screen, review.mistakes())
    problem, names = review.problem, review.problem.names
    screen.entry("as played", played_words(problem))
    for each in problem.recorded.unusual:
        screen.entry("unusual", each)
    notes = {}
    for about in review.conventions:
        readers = terminal(names, review.positions[about.move - 1])
        notes[about.move] = [said.to(readers) for said in about.sentences()]
    people = {
        about.move: about.says.to(terminal(names, review.positions[about.move - 1]))
        for about in review.people
    }
    document = review.document()
    for found in findings(document, notes, people=people):
        screen.entry(found.label, found.text, _TONES[found.tone])
    screen.entry("took", f"{review.seconds:.2f} s", "dim")
    if rows := luck_of(document):
        _print_players(screen, "points, estimated", LUCK_HEADS, rows)
    if show and review.because is not None and review.because.steps:
        screen.line()
        screen.text(str(review.because))
    if review.link is not None:
        screen.line()
        screen.link(review.link)


def _print_mistakes(screen: Screen, mistakes: Sequence[Mistake]) -> None:
    """Write the moves that lost points, why they did, and the sums of each player."""
    if not mistakes:
        return
    rows: list[list[StyledCell]] = []
    sums = lost_by_player(mistakes)
    names = dict(zip(sums, shortened([*sums], _LONGEST_NAME), strict=True))
    for each in mistakes:
        lost = str(each.lost)
        if each.lost_without_bomb != each.lost:
            lost += f" ({each.lost_without_bomb} without the bomb)"
        name, played = names[each.player], (each.played, "bold")
        rows.append([str(each.turn), name, played, each.kept, (lost, _LOSS)])
    screen.table(["turn", "player", "played", "would have kept", "lost"], rows, left=(1, 2, 3, 4))
    screen.line()
    for each in mistakes:
        if each.reason:
            screen.entry(f"turn {each.turn}", each.reason)
    if len(mistakes) > 1:
        told = (f"{name}: {counted(lost, 'point')}" for name, lost in sums.items())
        screen.entry("lost by", ", ".join(told))


def _print_moves(screen: Screen, review: Review) -> None:
    names, positions = review.problem.names, review.positions
    rows: list[list[StyledCell]] = []
    people = {each.move: each for each in review.people}
    for move, (before, after) in zip(review.moves, pairwise(positions), strict=True):
        need = move.required_efficiency
        beside: list[StyledCell] = []
        if about := people.get(move.move):
            first = about.words.to(terminal(names, before))
            share, rather = (share_words(about.chances[x]) for x in (about.action, about.first))
            beside = [share, f"{first} ({rather})" if move.people_rather else ""]
        rows.append(
            [
                (str(move.move), "dim"),
                [(f"{move.player} ", ""), *sentence(names, before, after)],
                (str(move.best), "bold red" if move.lost else ""),
                ("" if move.pace is None else str(move.pace), _RISKS[move.pace_risk]),
                "" if need is None else f"{float(need):.2f}",
                str(move.hints),
                *beside,
            ]
        )
    heads = ["move", "", "best", "pace", "need", "hints", *["people", "rather"] * bool(people)]
    screen.table(heads, rows, left=(1, 7))


# Many reviewed games as a table, a row or more for each.

_WIDTHS = (16, 5, 5, 9, 0)
"""Of the columns: rows are written one by one."""

_LEFT = (0, 3, 4)
_LONGEST_NAME = 12  # in the list of mistakes
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
        page: str | None = None,
    ) -> None:
        self._page, self._games = page, GameList("Reviewed games")
        self._screen, self._has_links = Screen(), has_links
        self._found: Counter[str] = Counter()
        self._n_blunders, self._blunders = n_blunders, list[Blunder]()
        self._players = Players()
        self._has_chances, self._has_decisions = has_chances, has_decisions
        self._rows([[(name, "dim") for name in ("game", "score", "best", "lost", "by")]])

    def add(self, name: str, data: Mapping[str, Any]) -> None:
        """Write the rows of a game: one for the deck or each losing move; and the link."""
        name = printable(name)
        short = name if len(name) <= _WIDTHS[0] else f"...{name[3 - _WIDTHS[0] :]}"
        start, group = [short, "", ""], "not answered"
        rows: list[tuple[Piece, str]] = (
            [(("error", "bold"), data["error"])] if "error" in data else []
        )
        named = f"Game {name}" if name.isdigit() else name
        if self._page is not None and "error" in data:
            self._games.refuse(named, data["error"])
        for _, document in reviewed([data]):
            if self._page is not None:
                self._games.add(named, document, data["player"], data["said"])
            start[1:] = f"{document.score}/{document.most}", str(document.best)
            group, rows = _told_of(document)
            if self._has_chances or self._has_decisions:
                self._players.add(document)
            if self._n_blunders:
                found = worst_moves([(name, document)], self._n_blunders)
                self._blunders = worst_of((*self._blunders, *found), self._n_blunders)
        self._found[group] += 1
        left = self._screen.width - sum(_WIDTHS) - len(GAP) * (len(_WIDTHS) - 1)
        for what, text in rows:
            first, *others = wrap(text, left) or [""]
            self._rows([[*start, what, first]])
            self._rows([["", "", "", "", line] for line in others])
            start = ["", "", ""]
        if self._has_links and data.get("link") is not None:
            self._screen.link(data["link"])

    def _rows(self, rows: list[list[StyledCell]]) -> None:
        self._screen.rows(rows, left=_LEFT, widths=_WIDTHS)

    def finish(self) -> None:
        """Write the number of games with each outcome, and the page."""
        found = [f"{self._found[what]:,} {what}" for what in _COUNTED if self._found[what]]
        self._screen.line()
        self._screen.line((", ".join(found) or "no games", "bold"))
        if self._has_chances:
            print_regret(self._screen, self._players)
        if self._has_decisions:
            print_players(self._screen, self._players)
            print_luck(self._screen, self._players)
        if self._n_blunders:
            print_blunders(self._screen, self._blunders)
        if self._page is not None:
            write_document(self._page, [self._games.page()])
            for note in self._games.notes:
                complain(f"note: {note}")


def print_regret(screen: Screen, players: Players) -> None:
    """Write how often each player gave up a chance with open hands, and how much of it a game."""
    nothing = "There is no late move to compute a chance of."
    _print_sums(screen, players, _OPEN_KINDS, ("open_lost",), "regret a game", 4, nothing)


def print_players(screen: Screen, players: Players) -> None:
    """Write what the decisions of each player were, and what it gave up a game."""
    lost = "seat_lost_low", "seat_lost_high"
    _print_sums(screen, players, _KINDS, lost, "gave away a game", 2, NOTHING_TO_JUDGE)


def print_luck(screen: Screen, players: Players) -> None:
    """Write the points that decisions gave away, that the deck cost and that luck gained."""
    if rows := players.luck():
        head, *heads = LUCK_HEADS
        _print_players(screen, "points a game", [head, "games", "judged", *heads], rows)


def _print_players(
    screen: Screen, title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]
) -> None:
    """Write a table of points with a row for each player; a program's name is short."""
    screen.line()
    screen.line((title, "bold"))
    names = shortened([printable(shorten_player(row[0])) for row in rows], _NAME_LENGTHS[5])
    rows = [[name, *row[1:]] for name, row in zip(names, rows, strict=True)]
    screen.table(heads, rows, left=(0, *range(len(heads) - 3, len(heads))))


def _print_sums(
    screen: Screen,
    players: Players,
    kinds: Mapping[str, str],
    lost: Sequence[str],
    head: str,
    digits: int,
    nothing: str,
) -> None:
    """Write the counts of each player, and a mean a game, or its bounds, with its error."""
    rows: list[list[str]] = []
    for cells in players.rows():
        if cells[next(iter(kinds))] is None:
            continue
        given = "-".join(f"{cells[f'{name}_per_game']:.{digits}f}" for name in lost)
        error = cells[f"{lost[0]}_per_game_error"]
        counts = (str(cells[name]) for name in ("games", *kinds))
        # A program is shown without what is usual of it.
        name = printable(shorten_player(str(cells["player"])))
        rows.append([name, *counts, given + ("" if error is None else f" ± {error:.{digits}f}")])
    screen.line()
    if not rows:
        screen.line(nothing)
        return
    heads = "player", "games", *kinds.values(), head
    names = shortened([row[0] for row in rows], _NAME_LENGTHS[len(kinds)])
    rows = [[name, *row[1:]] for name, row in zip(names, rows, strict=True)]
    screen.table(heads, rows, left=(0, len(heads) - 1))


def print_blunders(screen: Screen, found: Sequence[Blunder]) -> None:
    """Write the worst moves, each with a link that opens before it."""
    screen.line()
    screen.line(("blunders", "bold"))
    for number, each in enumerate(found, start=1):
        move, game = each.move, printable(each.game)
        what = ", ".join(given_up_words(move))
        screen.entry(f"{number}", f"{game}, turn {move.move}: {move.said} ({what})")
        if each.link is not None:
            screen.link(each.link)


def _told_of(document: ReviewDocument) -> tuple[str, list[tuple[Piece, str]]]:
    """Return who lost a game first, and its rows: the loss with a style, and the move."""
    best, top, moves = document.best, document.most, document.losing_moves
    rows: list[tuple[Piece, str]] = []
    if best.upper < top:
        why = "" if document.because is None else f": {document.because.sentence}"
        rows.append(((counted(top - best.upper, "point"), _LOSS), f"the deck{why}"))
    group = "by the deck" if rows else "lost by us"
    for move in moves:
        points, *bomb = given_up_words(move)
        without = f" ({bomb[0]})" if move.lost != move.lost_without_bomb else ""
        rows.append(((points, _LOSS), f"turn {move.move}, {move.said}{without}"))
    if rows:
        return group, rows
    if best.lower < top or document.moves[-1].best.lower < top:
        why = "; ".join(filter(None, [*document.unusual, document.undecided]))
        return "undecided", [(("unknown", VERDICT_STYLES[Status.UNKNOWN]), why)]
    what = "nothing" if document.score == top else "not so far"
    return "nothing lost", [((what, VERDICT_STYLES[Status.WINNABLE]), "")]


_SECONDS_EACH = 10.0
_NAME_LENGTHS = {3: 32, 5: 16}  # by the number of counts
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
    fewest_turns: bool = False,
    people: bool = False,
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
        Add which late moves gave up a chance of a perfect score, with all hands open and the deck
        unseen.
    decisions
        Add what moves were by what their player could know: mistakes, bad luck, good luck. Late
        moves are judged for certain, others by games, as many as --time allows.
    conventions
        Add what each move means by the H-Group's conventions up to a level, as in level=3: the
        readings of hints, what was not kept, and what is to come. This takes some seconds a game.
    fewest_turns
        Add by how many turns a won game missed the fewest for its deal, and which moves cost turns.
        This takes some seconds a game.
    people
        Add the share of people who would make each move, by a model fitted to their games: the most
        surprising moves, and whether people would have made those that lost points, too.
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
        Write the review to this file, too, as a page that leafs through the game; of many games, a
        page that lists them with their losing moves, and opens each.
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
            with_reasons=html is not None or moves is not None,
            with_conventions=None if conventions is None else _level_of(conventions),
            with_player=html is not None,
            with_turns=fewest_turns,
            with_people=people,
        )
        if not isinstance(given, str):
            has_table = not json and output is None
            refuse(
                "is for a single game, not for many",
                show=show, actions=actions,
            )  # fmt: skip
            if html is not None and not has_table:
                raise InvalidInputError(
                    "--html of many games goes with their table: leave out --json, -o"
                )
            lines = None if output in (None, STDOUT) else output
            for option, path in tables.items():
                if path is not None and lines is None:
                    raise InvalidInputError(
                        f"{option} of many games needs -o FILE, which keeps their reviews"
                    )
            check_folder(game, output)
            from hanabi.shell import answer_many

            writer = LineWriter(output, reviewing.marks())
            table = None
            if has_table:
                table = ReviewTable(
                    has_links=link,
                    n_blunders=blunders,
                    has_chances=chances,
                    has_decisions=decisions,
                    page=html,
                )
            status = answer_many(given, reviewing, writer, workers=workers, table=table)
            _write_tables(writer.documents, moves, by_player)
            if blunders and lines is not None:
                print_blunders(Screen(), worst_moves(reviewed(writer.documents()), blunders))
            return status
    refuse("is for many games, not for a single one", workers=workers, link=link)
    check_document(output, "games")
    parsed = parse_input(given, source=name_of(game))
    if actions is not None:
        parsed = with_actions(parsed, actions)
    has_data = json or output is not None
    with naming(name_of(game)):
        problem = pose_position(parsed, Question())
        with ProgressLine() as progress:
            found = review(
                problem,
                seconds=reviewing.seconds,
                memory=reviewing.memory,
                progress=progress,
                with_chances=chances,
                with_reasons=not has_data or reviewing.with_reasons,
                with_decisions=decisions,
                with_conventions=reviewing.with_conventions,
                with_turns=fewest_turns,
                with_people=people,
            )
    if html is not None:
        from hanabi.shell import page_of, show_of

        with written(html) as file:
            file.write(page_of(show_of(found)))
    review_of = found.document(parsed)
    document = review_of.to_json()
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
            print_blunders(Screen(), worst_moves([(name_of(game), review_of)], blunders))
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


def _is_open(data: Mapping[str, Any]) -> bool:
    return ReviewDocument.from_json(data).is_open


@dataclass(frozen=True, slots=True)
class _Reviewing:
    """Review the text of one of many games, in another process."""

    seconds: float | None
    memory: int | None
    with_chances: bool
    with_decisions: bool
    with_reasons: bool
    with_conventions: int | None
    with_player: bool = False
    with_turns: bool = False
    with_people: bool = False

    def marks(self) -> Marks:
        """Return what a file of reviews says of this question."""
        budget: dict[str, float | None] = {"seconds": self.seconds}
        if self.memory is not None:
            budget["memory"] = self.memory
        extras = {
            "chances": self.with_chances,
            "decisions": self.with_decisions,
            "reasons": self.with_reasons,
            "turns": self.with_turns,
            f"conventions level={self.with_conventions}": self.with_conventions is not None,
        }
        if self.with_people:
            extras[f"people {People().revision}"] = True
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
            with_turns=self.with_turns,
            with_people=self.with_people,
        )
        document = found.document(given).to_json()
        if self.with_player:
            document["player"], document["said"] = opened_review(found)
        return document
