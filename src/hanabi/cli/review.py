"""`hanabi review` says what could still be had at every move of a game, or of many."""

from __future__ import annotations

from dataclasses import dataclass

from hanabi.cli.input.items import check_folder, opened_items
from hanabi.cli.input.load import name_of, with_actions
from hanabi.cli.input.options import Count, File, Json, Output, Seconds, Source, refuse
from hanabi.cli.output.files import check_outputs, written
from hanabi.cli.output.forms import Form
from hanabi.cli.output.progress import ProgressLine
from hanabi.cli.output.review import print_review, review_document
from hanabi.cli.output.terminal import Screen, print_json
from hanabi.cli.output.writer import LineWriter, outputs_of_lines
from hanabi.notation import parse_input
from hanabi.session.inputs import naming
from hanabi.session.problem import pose_position
from hanabi.session.question import DEFAULT_SECONDS, Question
from hanabi.session.review import review

__all__ = ["review_command"]

_SECONDS_EACH = 10.0


def review_command(
    game: Source,
    /,
    *,
    actions: str | None = None,
    show: bool = False,
    link: bool = False,
    chances: bool = False,
    json: Json = False,
    html: File | None = None,
    time: Seconds | None = None,
    memory: Count | None = None,
    workers: Count | None = None,
    output: Output = None,
) -> int:
    """Say what could still be scored at every move of a game, all cards face up.

    Names each move that lost points, by whom and how many, why the best score is out of reach, and
    gives a replay link with a line that still had it. Of many games it prints a table.

    Parameters
    ----------
    game
        A game in a file, a folder of games, a hanab.live replay link, a seed with --actions, or -
        for standard input.
    actions
        What was played on a seed or deck: the second part of a replay link, or the JSON array.
    show
        Print every move with the best score after it, and the proof of the first loss.
    chances
        Add which late moves gave away a chance of all points, with all hands open and the deck
        unseen.
    link
        Add links to the table of many games; lines of JSON have them anyway.
    json
        Print one JSON document; of many games one a line.
    html
        Write the review to this file, too, as a page that leafs through the game.
    time
        Seconds for everything, by default 60; of many games for each, by default 10; 0 for no
        limit. Where they do not suffice, bounds are left.
    memory
        Megabytes that a solver may use.
    workers
        Processes for many games, by default one a core.
    output
        Append a JSON line for each of many games to this file; those it has already are skipped. A
        file that ends in .csv or .parquet is a table of these lines.
    """
    check_outputs(
        [game],
        outputs_of_lines(output) | {"--html": html},
        forms={"--html": Form.HTML},
    )
    with opened_items(game) as given:
        seconds = DEFAULT_SECONDS if isinstance(given, str) else _SECONDS_EACH
        seconds = seconds if time is None else time
        reviewing = _Reviewing(seconds or None, None if memory is None else memory << 20, chances)
        if not isinstance(given, str):
            has_table = not json and output is None
            refuse(
                "is for a single game, not for many",
                show=show, actions=actions, html=html,
            )  # fmt: skip
            check_folder(game, output)
            from hanabi.cli.output.review_table import ReviewTable
            from hanabi.cli.work.batch import answer_many

            writer = LineWriter(output, "review", '{"best": {', asked=reviewing)
            table = ReviewTable(has_links=link) if has_table else None
            return answer_many(given, reviewing, writer, workers=workers, table=table)
    refuse("is for many games, not for a single one", workers=workers, output=output, link=link)
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
            )
    if html is not None:
        from hanabi.viewer.page import page_of
        from hanabi.viewer.view import show_of

        with written(html) as file:
            file.write(page_of(show_of(found)))
    if json:
        print_json(review_document(found))
    else:
        print_review(Screen(), found, show=show)
    return 0


@dataclass(frozen=True, slots=True)
class _Reviewing:
    """What becomes of the text of one of many games, in another process."""

    seconds: float | None
    memory: int | None
    with_chances: bool

    def __call__(self, text: str) -> dict[str, object]:
        problem = pose_position(parse_input(text), Question())
        found = review(
            problem, seconds=self.seconds, memory=self.memory, with_chances=self.with_chances
        )
        return review_document(found)
