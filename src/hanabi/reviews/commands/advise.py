"""`hanabi advise` says what the player to act should do, by what it can know."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from hanabi.ground import InvalidInputError, counted, naming, shortened
from hanabi.reviews.advice import ADVICE_SECONDS, Advice, InterruptedAdvice, advise
from hanabi.reviews.chances import known_cards
from hanabi.rules import Audience, GameProblem, terminal
from hanabi.shell import (
    Actions,
    Count,
    Json,
    ProgressLine,
    Question,
    Screen,
    Seconds,
    Source,
    StyledCell,
    at_turn,
    complain,
    name_of,
    pose_position,
    print_json,
    read_input,
    with_actions,
)

__all__ = ["advise_command", "print_advice", "who_acts"]

_LONGEST_NAME = 12


def print_advice(screen: Screen, advice: Advice) -> None:
    """Write a line for each action, best first, and below them what is best and what was played."""
    problem, game = advice.problem, advice.game
    readers = terminal(shortened(problem.names, _LONGEST_NAME), game)
    cards = counted(game.deck_left, "card")
    screen.entry("", f"{who_acts(problem, advice.at)}; {cards} to draw.")
    screen.line()
    heads, texts = advice.table(readers)
    rows = list[list[StyledCell]](map(list, texts))
    if rows and not advice.is_empty:
        rows[0] = [(cell, "bold green") for cell in texts[0]]
        screen.table(heads, rows, left=range(len(heads)))
        screen.line()
    print_sentences(screen, advice, readers)


def print_sentences(screen: Screen, advice: Advice, readers: Audience) -> None:
    """Write what is best, what was played, and how that is known."""
    told = {"best": advice.best_words, "played *": advice.played_words, "by": advice.means_words}
    for label, said in told.items():
        if said:
            screen.entry(label, said.to(readers))


def who_acts(problem: GameProblem, at: int) -> str:
    """Return who is to act, and on which turn, as hanab.live counts turns."""
    who = problem.names[problem.after(at).seat_to_act]
    if not problem.has_history:
        return f"{who} is to act"
    return f"After {counted(at, 'move')}, on turn {at + 1}, {who} is to act"


def advise_command(
    game: Source,
    /,
    *,
    partners: str | None = None,
    known: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    seed: Count = 0,
    actions: Actions = None,
    json: Json = False,
    time: Seconds = ADVICE_SECONDS,
) -> int:
    """Say what the player to act should do, by what it can know.

    Each action gets its expected score and its chance of all points. With at most five cards to
    draw these are certain bounds. Else, or if bounds do not show which action is best, games are
    played on after each action, in deals that the player cannot exclude.

    Parameters
    ----------
    game
        GAME@MOVES: a game (in a file, a hanab.live replay link, a seed with --actions, or - for
        standard input) after so many moves; GAME alone, as it stands at its end.
    partners
        Whom everybody is taken to play like: any player. Default: that of a simulated game, else
        the H-Group's conventions at the level that chose most of the moves so far.
    known
        A card that it knows, as for "hanabi chances". Repeat the option for each card.
    seed
        The same seed gives the same games, unless the time ends them. Default: 0.
    time
        Seconds for everything. Default: 20; 0 for no limit. Ctrl-C ends them, too, and prints what
        is known by then.
    """
    source, turn = at_turn(game)
    given = read_input(source)
    if actions is not None:
        given = with_actions(given, actions)
    with naming(name_of(source)):
        problem = pose_position(given, Question(), may_hide=True)
        at = len(problem.positions) - 1 if turn is None else turn
        position = problem.after(at)
        if problem.hidden not in (None, position.seat_to_act):
            raise InvalidInputError("the hand of a player who is not to act is hidden")
        hand = len(position.hands[position.seat_to_act])
        interrupt: InterruptedAdvice | None = None
        best = ""
        with ProgressLine() as progress:

            def show(message: str, done: int, total: int) -> None:
                progress(message + best, done, total)

            def tell(found: Advice) -> None:
                nonlocal best
                best = f"; best so far: {found.best_words.to(terminal(problem.names, position))}"

            try:
                found = advise(
                    problem,
                    at=at,
                    partners=partners,
                    seconds=time or None,
                    known=known_cards(known, position.rules, slots=hand, note=complain),
                    seed=seed,
                    progress=show,
                    tell=tell,
                )
            except InterruptedAdvice as caught:
                interrupt, found = caught, caught.found
    if json:
        print_json(found.document())
    else:
        print_advice(Screen(), found)
    if interrupt is not None:
        raise interrupt
    return 0
