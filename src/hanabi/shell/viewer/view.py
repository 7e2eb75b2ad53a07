"""Pages of inputs: recorded games as they were played, everything else as it is won."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from hanabi.ground import (
    InvalidInputError,
    ParameterError,
    Sheet,
    Verdict,
    counted,
    draw_parts,
    naming,
)
from hanabi.reviews import Review, review_game
from hanabi.rules import (
    DeckInput,
    Game,
    GameProblem,
    GameRecord,
    PositionInput,
    SolitaireInput,
    board_of,
    is_dimacs,
    is_graph,
    link_of,
    names_of,
    parse_input,
    parse_play,
    pose_game,
    status_of,
)
from hanabi.shell.session.answer import Answer
from hanabi.shell.session.formulas import read_reduction
from hanabi.shell.session.inputs import Source, text_of
from hanabi.shell.session.line import find_line, game_of_answer, games_of_line, line_from_json
from hanabi.shell.session.problem import (
    Dealt,
    Question,
    SolitaireProblem,
    pose,
    pose_position,
    read_problem,
)
from hanabi.shell.session.solving import answer_of
from hanabi.shell.viewer.games import card_notes_of, show_of_games, show_of_play
from hanabi.shell.viewer.lines import show_of_review
from hanabi.shell.viewer.page import Frame, Show, board_html, page_of
from hanabi.solitaire import DEFAULT_VARIANT, Instance, Play, meaning_name, title_of_cards
from hanabi.solitaire import describe_gadgets as describe

__all__ = ["show_of", "show_of_text", "title_of", "view_html"]

Progress = Callable[[str], None]


def view_html(
    given: Source
    | GameRecord
    | DeckInput
    | PositionInput
    | SolitaireInput
    | Game
    | Answer
    | Review,
    *,
    review: bool = False,
    players: int | None = None,
    at: int | None = None,
    hand_size: int | None = None,
    seconds: float | None = 60,
) -> str:
    """Return a page that steps through a game, a line or a play; it needs no server.

    Parameters
    ----------
    given
        Anything that `hanabi.read` reads or returns, a formula, the output of `hanabi reduce`, a
        game that was played here, or an answer of `hanabi.solve` or `hanabi.review`. Recorded games
        are shown as they were played; decks, positions, streams and formulas are solved first.
    review
        Whether to show the best score still reachable after each move.
    players
        The number of players to deal a deck to.
    at
        Show this many moves of the game, and then a best line from there.
    hand_size
        The most cards in hand in Solitaire Hanabi; overrides the input.
    seconds
        Wall-clock time for anything that must be solved; None for no limit.

    Raises
    ------
    InvalidInputError
        If the input cannot be read, or the options do not fit it.

    >>> page = view_html("hand 1  r2 r1 y1 y2")
    >>> "<!doctype html>" in page, page.count("<figure")
    (True, 6)
    """
    if isinstance(given, Answer | Review):
        return page_of(show_of(given))
    question = Question(
        players=players, at=at, hand_size=hand_size, seconds=seconds, best=at is not None
    )
    if isinstance(given, Game):
        problem = pose_game(given)
        return page_of(_show_of_problem(problem, title_of(problem), question, review=review))
    if isinstance(given, GameRecord | DeckInput | PositionInput | SolitaireInput):
        return page_of(_show_of_input(given, question, review=review))
    text, name = text_of(given)
    return page_of(show_of_text(text, question, review=review, name=name))


def show_of_text(
    text: str,
    question: Question,
    *,
    review: bool = False,
    variant: str = DEFAULT_VARIANT,
    name: str = "",
    play: str | None = None,
    play_name: str = "",
    progress: Progress = lambda _: None,
) -> Show:
    r"""Return the show of a text; its errors begin with its `name`.

    `variant` is the reduction that turns a formula into cards. `play` is the text of a play or a
    line to show instead of the recorded moves or a solver's result.

    >>> show_of_text("p cnf 3 1\n1 -2 3 0\n", Question()).facts[1]
    'The cards can be won exactly if (x1 or not x2 or x3) is satisfiable.'
    """
    if is_dimacs(text) or is_graph(text):
        with naming(name):
            if review:
                raise ParameterError("{review} is for games, not for a formula or graph")
            instance, annotation = read_reduction(text, variant=variant)
        if question.hand_size is not None:
            instance = instance.with_hand_size(question.hand_size)
        problem = SolitaireProblem(instance, annotation=annotation)
        if play is not None:
            return _show_of_given_play(problem, play, play_name)
        return _show_of_stream(problem, question, progress)
    if play is not None:
        return _show_of_given(text, name, question, play, play_name)
    given = game_of_answer(text, question.players) or parse_input(text, source=name)
    with naming(name):
        return _show_of_input(given, question, review=review, progress=progress)


def _show_of_given(text: str, name: str, question: Question, play: str, play_name: str) -> Show:
    """Return the show of a play or a line that was found elsewhere."""
    line = find_line(play)
    question = replace(
        question,
        full_game_for=None if line is None else "an answer with actions",
        solitaire_for="a play" if line is None else None,
    )
    problem = read_problem(text, question, name)
    if isinstance(problem, SolitaireProblem):
        return _show_of_given_play(problem, play, play_name)
    with naming(play_name):
        found = line_from_json(line)
        games = games_of_line(problem, found)
    start = 0 if found.is_whole else problem.at
    return show_of_games(
        games,
        title=title_of(problem, None),
        names=problem.names,
        found_from=start,
        link=_link(problem, games),
    )


def _show_of_given_play(problem: SolitaireProblem, play: str, name: str) -> Show:
    """Return the show of a play, which must be legal but need not win."""
    moves = Play(parse_play(play, source=name))
    with naming(name):
        return _show_of_moves(problem, moves, [])


def show_of(answer: Answer | Review) -> Show:
    """Return the show of an answer or a review.

    Raises
    ------
    InvalidInputError
        If the answer holds neither a line nor a play.
    """
    if isinstance(answer, Review):
        problem = answer.problem
        return show_of_review(
            problem, answer, title=title_of(problem, None), link=answer.link or ""
        )
    if isinstance(answer.subject, GameProblem) and answer.games:
        return _show_of_line(answer.subject, answer.games, str(answer))
    if answer.instance is not None and answer.play is not None:
        return show_of_play(
            answer.instance,
            answer.play,
            title=_stream_title(answer.instance),
            facts=(f"{answer}.",),
            annotation=getattr(answer.instance, "annotation", None),
        )
    raise InvalidInputError(f"nothing to leaf through: the answer is {answer.status}")


def _show_of_input(
    given: Dealt,
    question: Question,
    *,
    review: bool,
    progress: Progress = lambda _: None,
) -> Show:
    if isinstance(given, PositionInput) and given.hidden_seat is not None:
        return _show_of_view(pose_position(given, question, may_hide=True))
    problem = pose(given, question)
    if isinstance(problem, SolitaireProblem):
        if review:
            raise ParameterError("{review} is for games, not for a stream of cards")
        return _show_of_stream(problem, question, progress)
    title = title_of(problem, given)
    show = _show_of_problem(problem, title, question, review=review, progress=progress)
    if isinstance(given, GameRecord):
        show = replace(show, card_notes=card_notes_of(given.notes, problem.names))
    return show


def _show_of_problem(
    problem: GameProblem,
    title: str,
    question: Question,
    *,
    review: bool,
    progress: Progress = lambda _: None,
) -> Show:
    """Return the show of a game as it was played, or of the best line from its position."""
    if review and question.at is not None:
        raise ParameterError("give {at} or {review}, not both")
    if problem.moves and question.at is None:
        found = None
        if review:
            found = review_game(
                problem,
                seconds=question.seconds,
                memory=question.memory,
                progress=progress,
                with_reasons=True,
            )
        return show_of_review(problem, found, title=title, link=_link(problem, problem.positions))
    if review:
        what = "deck" if problem.has_history else "position"
        raise InvalidInputError(f"no moves to review: this is a {what}, not a game")
    answer = answer_of(problem, replace(question, best=True), progress)
    told = _told(answer.verdict, answer.reason)
    if not answer.games:
        return show_of_games([problem.game], title=title, names=problem.names, facts=(told,))
    return replace(_show_of_line(problem, answer.games, told), title=title)


def _show_of_view(problem: GameProblem) -> Show:
    """Return the only position of a problem as the seat with the hidden hand sees it."""
    seat = problem.game.seat_to_act
    names, sheet = names_of(problem.game.rules, problem.names), Sheet()
    view = problem.game.view(seat)
    frame = Frame(
        picture=board_html(draw_parts(board_of(view, names=names), sheet=sheet)),
        words="The position",
        status=status_of(view, names),
    )
    facts = (f"The hand of {names[seat]} is hidden.",)
    return Show(title=title_of(problem), facts=facts, frames=(frame,), shared=sheet.svg)


def _show_of_line(problem: GameProblem, games: Sequence[Game], told: str) -> Show:
    return show_of_games(
        games,
        title=title_of(problem, None),
        names=problem.names,
        facts=(f"{told.rstrip('.')}.",),
        found_from=problem.at,
        link=_link(problem, games),
    )


def _show_of_stream(problem: SolitaireProblem, question: Question, progress: Progress) -> Show:
    """Return the show of a play that wins, or else of one with the most cards known."""
    asked = Question(seconds=question.seconds, memory=question.memory, most_cards=True)
    answer = answer_of(problem, asked, progress)
    told = _told(answer.verdict, answer.verdict.reason)
    reading = answer.reading
    if reading is not None:
        vertices = reading.independent if reading.clique is None else reading.clique
        if vertices is None:
            literals = ", ".join(map(meaning_name, reading.literals)) or "nothing"
            told += f" The play makes true: {literals}."
        else:
            told += f" The play shows the vertices {', '.join(map(str, vertices))}."
    return _show_of_moves(problem, answer.best_play or Play(), [*problem.remarks, told])


def _show_of_moves(problem: SolitaireProblem, play: Play, facts: Sequence[str]) -> Show:
    instance, annotation = problem.instance, problem.annotation
    what = () if annotation is None else tuple(describe(instance, annotation))
    return show_of_play(
        instance,
        play,
        title=_stream_title(instance) if annotation is None else title_of_cards(annotation),
        facts=(*facts, *what),
        annotation=annotation,
    )


def _told(verdict: Verdict[Any], reason: str) -> str:
    return f"{str(verdict.status).capitalize()}: {reason.rstrip('.')}."


def title_of(problem: GameProblem, given: object = None) -> str:
    """Return a title for a game or a deck, with what its record says of it.

    >>> from hanabi import deal
    >>> title_of(pose_game(deal(2)))
    'A deck, 2 players'
    """
    rules = problem.game.rules
    what = "A game" if problem.moves else "A deck" if problem.has_history else "A position"
    if isinstance(given, GameRecord):
        if given.id is not None:
            what = f"Game {given.id}"
        elif given.seed is not None:
            what += f" of seed {given.seed}"
    name = f", {given.variant}" if isinstance(given, GameRecord) else ""
    if not name and rules.variant is not None:
        name = f", {rules.variant.name}"
    return f"{what}{name}, {counted(rules.seats, 'player')}"


def _stream_title(instance: Instance) -> str:
    return f"A stream of {counted(instance.N, 'card')}, hand {instance.hand_size}"


def _link(problem: GameProblem, games: Sequence[Game]) -> str:
    try:
        return link_of(games, problem.names)
    except InvalidInputError:  # hanab.live has no table for it
        return ""
