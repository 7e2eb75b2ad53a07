"""Shows of games and lines, move by move, with the results of a review."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hanabi.errors import InvalidInputError, counted
from hanabi.game import Game
from hanabi.game.picture import board_of, names_of
from hanabi.game.recorded import Recorded
from hanabi.game.telling import site_words, told, touched_by
from hanabi.hardness import Annotation
from hanabi.hardness.explain import gadget_at, looks_of_reduction
from hanabi.notation.links import link_note
from hanabi.session.pictures import scores_of
from hanabi.session.review import Review
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.picture import boards_of
from hanabi.solitaire.play import Play
from hanabi.svg.board import draw_board, draw_solitaire
from hanabi.svg.charts import draw_scores
from hanabi.svg.markup import Sheet
from hanabi.viewer.page import Frame, Show

__all__ = ["MOST_MOVES", "MOVE", "show_of_games", "show_of_play"]

_PLAYED_HERE = Recorded()

MOVE = "#move-{}"
"""The address of a step within its page."""


def show_of_games(
    games: Sequence[Game],
    *,
    title: str,
    names: Sequence[str] = (),
    facts: Sequence[str] = (),
    review: Review | None = None,
    found_from: int | None = None,
    link: str = "",
    recorded: Recorded = _PLAYED_HERE,
) -> Show:
    """Return consecutive positions as a show. O(moves * actions).

    Parameters
    ----------
    games
        The first position, usually the deal, and those that followed.
    names
        The players' names.
    facts
        Sentences about the whole game.
    review
        A review of these positions, to show its bounds and the moves that lost points.
    found_from
        The position from which a solver found the moves, if any: there the next card is marked.
    link
        A link to the game on hanab.live.
    recorded
        What a record has beside the positions: how the game ended, if it is over by the rules.

    >>> from hanabi.game import Rules, hint_rank
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> show = show_of_games([game, game.apply(hint_rank(1, 3))], title="One hint")
    >>> [frame.words for frame in show.frames]
    ['The deal', 'Alice clues Bob: 3 (2 cards)']
    """
    names, sheet = names_of(games[0].rules, names), Sheet()
    costs = dict(review.lost) if review is not None else {}
    frames = []
    for n, game in enumerate(games):
        before = games[n - 1] if n else None
        following = games[n + 1] if n + 1 < len(games) else None
        is_found = found_from is not None and n >= found_from
        prospects = () if review is None else review.prospects[n : n + 1]
        best = prospects[0].upper if prospects else None
        board = board_of(
            game,
            names=names,
            before=before,
            best=best,
            marks=_marks(game, before, following if is_found else None),
        )
        remark = f"{counted(costs[n], 'point')} lost" if n in costs else ""
        if n == recorded.over_at:
            end = f"over by the rules of today: {game.end_reason}"
            remark = f"{remark}; {end}" if remark else end
        if remark:
            board = replace(board, last=f"{board.last}: {remark}")
        words = "The deal" if not game.actions else "The start"
        if before is not None:
            words = f"{names[before.seat_to_act]} {site_words(told(names, before, game))}"
        svg = draw_board(board, sheet=sheet)
        frames.append(Frame(svg=svg, words=words, remark=remark))
    return Show(
        title=title,
        facts=(*facts, *_findings(games, review, recorded), *filter(None, [link_note(link)])),
        frames=tuple(frames),
        shared=sheet.svg,
        chart="" if review is None else draw_scores(scores_of(review), link=MOVE),
        link=link,
    )


def _marks(game: Game, before: Game | None, following: Game | None) -> Mapping[int, str]:
    """Return labels for the cards that the last hint touched, and for the next card of a line."""
    marks: dict[int, str] = {}
    if before is not None and game.actions[-1].is_hint:
        hint = game.actions[-1]
        hand = game.hand_indices[hint.target]
        marks = {hand[slot]: "hint" for slot in touched_by(game, hint)}
    action = None if following is None else following.actions[-1]
    if action is not None and not action.is_hint and not action.is_from_deck:
        hand = game.hand_indices[game.seat_to_act]
        marks[hand[action.target]] = action.kind.name.lower()
    return marks


def _findings(games: Sequence[Game], review: Review | None, recorded: Recorded) -> list[str]:
    found = [f"{counted(len(games) - 1, 'move')}: {recorded.ending(games[-1])}."]
    found += (f"{each[0].upper()}{each[1:]}." for each in recorded.unusual)
    if review is None:
        return found
    first, top = review.prospects[0], games[0].rules.max_score
    best = str(first.upper) if first.is_exact else f"{first.lower} to {first.upper}"
    found.append(f"Best score from the deal, all cards face up: {best} of {top}.")
    if review.undecided is not None:
        found.append(f"Not all is decided: {review.undecided}.")
    if review.because is not None:
        found.append(f"{review.because.name}: {review.because.summary}")
    if review.efficiency is not None:
        found.append(f"Efficiency: {float(review.efficiency):.2f} cards a hint.")
    return found


# Plays of Solitaire Hanabi and of reduced formulas, move by move.

MOST_MOVES = 20_000
"""The most moves of a play that a page can show; each takes two to three kilobytes."""


def show_of_play(
    instance: Instance,
    play: Play,
    *,
    title: str,
    facts: Sequence[str] = (),
    annotation: Annotation | None = None,
) -> Show:
    """Return a legal play as a show; the steps of a reduction name their gadgets. O(moves).

    Raises
    ------
    InvalidInputError
        If there are more than `MOST_MOVES` moves.
    IllegalActionError
        If a move breaks a rule.

    >>> play = Play([(1, "store"), (2, "play"), (1, "play")])
    >>> show = show_of_play(Instance(1, [(0, 2), (0, 1)]), play, title="Two cards")
    >>> [frame.words for frame in show.frames]
    ['The start', 'stores r2', 'plays r1', 'plays r2 from the hand']
    """
    if len(play) > MOST_MOVES:
        raise InvalidInputError(
            f"a play of {len(play):,} moves: a page shows {MOST_MOVES:,} at most;"
            ' "hanabi solve --show" prints them all'
        )
    sheet = Sheet()
    looks = None
    if annotation is not None:
        looks = looks_of_reduction(instance, annotation).__getitem__

    def note(position: int) -> str:
        if annotation is None or looks is None:
            return ""
        literal = looks(instance.colors[position - 1]).name
        return f"{gadget_at(annotation, position)}: a card of {literal}"

    frames = tuple(
        Frame(svg=draw_solitaire(board, sheet=sheet), words=board.last or "The start")
        for board in boards_of(instance, play, looks=looks, note=note)
    )
    return Show(title=title, facts=tuple(facts), frames=frames, shared=sheet.svg)
