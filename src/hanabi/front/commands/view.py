"""`hanabi view` writes a page that steps through a game, a line or a play."""

from __future__ import annotations

from hanabi.ground import InvalidInputError
from hanabi.shell import (
    STDIN,
    STDOUT,
    Budget,
    Count,
    DealTo,
    Form,
    Output,
    ProgressLine,
    Question,
    Source,
    check_outputs,
    name_of,
    page_of,
    read_text,
    show_of_text,
    written,
)
from hanabi.solitaire import ReductionName

__all__ = ["view_command"]


def view_command(
    source: Source,
    /,
    *,
    output: Output = None,
    review: bool = False,
    players: DealTo = None,
    at: Count | None = None,
    hand_size: Count | None = None,
    play: Source | None = None,
    variant: ReductionName = "four_values",
    budget: Budget = Budget(),
) -> int:
    """Write a page that steps through a game, or through a line that wins a deck.

    Any browser shows it, without a server. Recorded games are shown as played. Decks, seeds,
    streams of cards and formulas are solved first; the page shows a winning line, or else the best
    line found.

    Parameters
    ----------
    source
        A game, a deck, a stream, a formula, an answer of "hanabi solve --json" or cards of "hanabi
        reduce" in a file; a hanab.live replay link or seed; or - for standard input.
    output
        Write the page to this file. Default: standard output.
    review
        Show the best score still reachable after each move, and which moves lost points.
    at
        Show this many moves of the game, and then the best line from there.
    hand_size
        Play the cards as a solitaire with this many cards in hand.
    play
        Show this play or line, as "hanabi solve --json" prints it, instead of the recorded moves or
        a solver's; - for standard input.
    variant
        The reduction to cards; "clique", for example, for a graph. Default: four_values.
    """
    check_outputs([source, play], {"--output": output}, forms={"--output": Form.HTML})
    if source == play == STDIN:
        raise InvalidInputError("only one of the two can be standard input")
    if play is not None and review:
        raise InvalidInputError("give --play or --review, not both")
    question = Question(
        players=players, at=at, hand_size=hand_size, seconds=budget.seconds, memory=budget.bytes
    )
    text = read_text(source)
    with ProgressLine() as progress:
        show = show_of_text(
            text,
            question,
            review=review,
            variant=variant,
            name=name_of(source),
            play=None if play is None else read_text(play),
            play_name="" if play is None else name_of(play),
            progress=progress,
        )
    with written(output or STDOUT) as file:
        file.write(page_of(show))
    return 0
