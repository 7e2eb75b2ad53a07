"""`hanabi chances` prints what each action of a late position is worth."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from hanabi.ground import InvalidInputError, counted, naming
from hanabi.players import InterruptedPlayOuts, SeatChances
from hanabi.reviews.advice import Advice, Partners, encoded
from hanabi.reviews.chances import (
    WithPartners,
    beside,
    chances,
    first_late,
    known_cards,
    played_out,
)
from hanabi.reviews.commands.advise import print_advice, who_acts
from hanabi.reviews.remarks import percent
from hanabi.rules import Action, Game, GameProblem, Said, deed, say, terminal, told
from hanabi.shell import (
    Actions,
    Budget,
    Count,
    Json,
    ProgressLine,
    Question,
    Screen,
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
from hanabi.solvers import ActionChances, Chances, Judged, Judgement, Range

__all__ = ["chances_command", "chances_document", "print_chances"]

# Chances of actions, as JSON and as text.


def chances_document(
    problem: GameProblem, at: int, found: Chances, partners: str | None
) -> dict[str, object]:
    """Return the documented JSON document."""
    game, played = problem.after(at), _played(problem, at)
    is_hidden = partners is not None or isinstance(found, Judgement)
    document: dict[str, object] = _head(problem, at, partners) | {
        "seat_view": isinstance(found, Judgement),
        "cases": found.cases,
        "exact": found.is_exact,
        "perfect": _bounds(found.perfect),
        "points": _bounds(found.points),
        "played": None if played is None else encoded(played),
        "actions": [
            encoded(each.action)
            | {
                "words": _words(problem, game, each.action, is_hidden=is_hidden),
                "perfect": _bounds(each.perfect),
                "points": _bounds(each.points),
            }
            | _ends(each)
            for each in found.actions
        ],
        "seconds": round(found.seconds, 6),
    }
    if isinstance(found, SeatChances):
        misread = [encoded(action) for action in found.misread]
        document |= {"believed": found.is_believed, "misread": misread}
    return document


def _head(problem: GameProblem, at: int, partners: str | None) -> dict[str, object]:
    """Return what a document says of the position."""
    game = problem.after(at)
    return {
        "turn": at,
        "seat": game.seat_to_act,
        "player": problem.names[game.seat_to_act],
        "deck": game.deck_left,
        "partners": partners,
    }


def print_chances(
    screen: Screen,
    problem: GameProblem,
    at: int,
    found: Chances,
    partners: str | None,
    by: WithPartners | None = None,
) -> None:
    """Write a line for each action, best first; hints of equal worth share a line."""
    game, played = problem.after(at), _played(problem, at)
    screen.entry("", f"{who_acts(problem, at)}. {_known(game, found, partners)}")
    screen.line()
    is_hidden = partners is not None or isinstance(found, Judgement)
    readers = terminal(problem.names, game)
    rows: list[list[StyledCell]] = []
    for alike in found.ranked(merge_hints=partners is None and by is None):
        first = alike[0]
        words = _words(problem, game, first.action, is_hidden=is_hidden).to(readers)
        if len(alike) > 1:
            words = f"any of {len(alike)} hints"
        is_played = played in [each.action for each in alike]
        style = "bold green" if first.perfect.low == found.perfect.low else ""
        rows.append(
            [
                (words + "  (played)", "bold") if is_played else words,
                (_told(first.perfect, 100, "%"), style),
                _told(first.points, 1, ""),
                *_by_partners(by, first.action),
            ]
        )
    heads = ["", "all points", "expected score"]
    if by is not None:
        heads += ["by partners", "at most"]
    screen.table(heads, rows, left=range(len(heads)))
    for note in _notes(found, played):
        screen.line()
        screen.entry("", note)


def _known(game: Game, found: Chances, partners: str | None) -> str:
    cards = counted(game.deck_left, "card")
    if isinstance(found, Judgement):
        deals = counted(found.cases, "deal")
        return f"It does not see its hand; {deals} possible, {cards} to draw."
    if partners is None:
        return f"All hands are open; {cards} to draw, in any of {found.cases:,} orders."
    return f"Others play as {partners}; {counted(found.cases, 'deal')} possible, {cards} to draw."


def _notes(found: Chances, played: Action | None) -> list[str]:
    notes = []
    if isinstance(found, Judgement):
        notes += _notes_of_brackets(found)
    elif not found.is_exact:
        notes.append("The time is over: some numbers are known only by their bounds.")
    if isinstance(found, SeatChances):
        if not found.is_believed:
            notes.append(
                "The others did not play like that: the deals are those that hints and conventions"
                " leave."
            )
        if found.misread:
            left_out = counted(len(found.misread), "action")
            notes.append(f"Left out: {left_out} that the others would misread.")
    known = {each.action for each in found.actions}
    if played is not None and played in known and (cost := found.cost(played)):
        notes.append(f"The action played gave up {percent(cost)} of the chance of a perfect score.")
    return notes


def _notes_of_brackets(found: Judgement) -> list[str]:
    """Return what the ends of the brackets mean, and whether time cut them short."""
    if found.is_exact:
        return []
    meaning = (
        "From the lower number, which a plan of this seat and the others secures, to the upper one,"
        " which nobody can exceed: the mean if all hands were open after the action."
    )
    notes = [meaning]
    if found.is_cut:
        notes.append("With more time the brackets may be narrower.")
    return notes


def _meaning(both: WithPartners, partners: str) -> str:
    """Return what the columns beside the brackets are."""
    deals = counted(both.partners.cases, "deal")
    which = "in which it would have acted so" if both.partners.is_believed else "by hints"
    return (
        f"By partners: the chance of all points if everybody goes on as {partners}, in {deals}"
        f" {which}. At most: the mean in these deals if all hands were open after the action."
    )


def _by_partners(by: WithPartners | None, action: Action) -> list[StyledCell]:
    """Return an action's chance of all points with partners, and what it is at most."""
    if by is None:
        return []
    known = {each.action: each for each in by.partners.actions}
    high = by.above.of(action).perfect.high
    most = _told(Range(high, high), 100, "%")
    return [_told(known[action].perfect, 100, "%") if action in known else "misread", most]


def _ends(each: ActionChances) -> dict[str, object]:
    """Return both ends of an action's brackets, each with the bounds that time left."""
    if not isinstance(each, Judged):
        return {}
    return {
        name: {"perfect": _bounds(perfect), "points": _bounds(points)}
        for name, (perfect, points) in (("above", each.above), ("below", each.below))
    }


def _told(number: Range, scale: int, unit: str) -> str:
    """Return a number as a fraction with decimals, or its bounds."""
    if number.is_exact and number.low.denominator == 1:
        return f"{int(number.low * scale)}{unit}"
    if number.is_exact:
        return f"{number.low} = {float(number.low * scale):.4g}{unit}"
    return f"{float(number.low * scale):.4g} to {float(number.high * scale):.4g}{unit}"


def _words(problem: GameProblem, game: Game, action: Action, *, is_hidden: bool) -> Said:
    """Return an action in words, without the card if the player cannot see it."""
    if is_hidden and not action.is_hint:
        return deed(game, action)
    return say("{}", told(problem.names, game, game.filled().apply(action)))


def _played(problem: GameProblem, at: int) -> Action | None:
    return problem.moves[at] if at < len(problem.moves) else None


def _bounds(number: Range) -> dict[str, str]:
    return {"low": str(number.low), "high": str(number.high)}


def chances_command(
    game: Source,
    /,
    *,
    seat: Annotated[bool, Parameter(negative="")] = False,
    known: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    partners: str | None = None,
    games: Count | None = None,
    seed: Count = 0,
    actions: Actions = None,
    json: Json = False,
    budget: Budget = Budget(),
) -> int:
    """Show each action's chance of a perfect score, and its expected score.

    These are fractions. All hands are open, the order of the deck is unknown, and everybody plays
    on in the best way. With --seat the player to act does not see its hand: each number is a
    certified bracket. With --partners it sees what a player sees, and everybody plays on as that
    player would. With both, the values with partners stand beside the brackets.

    Parameters
    ----------
    game
        GAME@MOVES: a game (in a file, a hanab.live replay link, a seed with --actions, or - for
        standard input) after so many moves; GAME alone, once five cards are left to draw.
    seat
        Answer by what the player to act knows: hints, what it sees, and --known.
    known
        A card that it knows, "card 2 = r5", or several, a color or a rank; "card 2 = not r4", or
        "not r4" for all its cards. Card 1 is the newest. Repeat the option for each card.
    partners
        The other players: convention, information, or your own that does not choose at random.
    games
        With --partners, at any turn and for any player: draw deals, and play at most so many games
        after each action, until one is clearly best or the time is over. Ctrl-C ends them, too.
    seed
        With --games: the same seed gives the same games. Default: 0.
    budget.time
        Seconds for everything. Default: 60; 0 for no limit. If they do not suffice, bounds are
        printed, or with --games what the games until then say.
    budget.memory
        Megabytes that the tables may use.
    """
    source, turn = at_turn(game)
    given = read_input(source)
    if actions is not None:
        given = with_actions(given, actions)
    with naming(name_of(source)):
        problem = pose_position(given, Question(), may_hide=seat)
        at = first_late(problem) if turn is None else turn
        position = problem.after(at)
        size = len(position.hands[position.seat_to_act])
        what = known_cards(known, position.rules, slots=size, note=complain)
        if games is not None:
            if partners is None or seat:
                raise InvalidInputError("--games needs --partners, and no --seat")
            interrupt: InterruptedPlayOuts | None = None
            try:
                with ProgressLine() as progress:
                    estimates = played_out(
                        problem,
                        partners,
                        at=at,
                        known=what,
                        games=games,
                        seed=seed,
                        seconds=budget.seconds,
                        progress=progress,
                    )
            except InterruptedPlayOuts as caught:
                interrupt, estimates = caught, caught.found
            whom = Partners(partners, say("as asked"))
            advice = Advice(problem, at, whom, None, estimates, estimates.seconds)
            if json:
                print_json(advice.document())
            else:
                print_advice(Screen(), advice)
            if interrupt is not None:
                raise interrupt
            return 0
        if seat and partners is not None:
            both = beside(problem, partners, at=at, known=what, seconds=budget.seconds)
            document = chances_document(problem, at, both.judged, None)
            document["by_partners"] = chances_document(problem, at, both.partners, partners)
            document["above_by_partners"] = chances_document(problem, at, both.above, None)
            if json:
                print_json(document)
            else:
                print_chances(Screen(), problem, at, both.judged, None, both)
                Screen().line()
                Screen().entry("", _meaning(both, partners))
            return 0
        limit = None if budget.memory is None else budget.memory << 19  # for each of two tables
        found = chances(
            problem,
            at=at,
            seat=seat,
            known=what,
            partners=partners,
            seconds=budget.seconds,
            memory=limit,
        )
    if json:
        print_json(chances_document(problem, at, found, partners))
    else:
        print_chances(Screen(), problem, at, found, partners)
    return 0
