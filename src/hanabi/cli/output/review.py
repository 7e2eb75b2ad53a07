"""A reviewed game: as JSON, and for people."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from hanabi.cli.output.moves import card_piece, sentence
from hanabi.cli.output.terminal import Piece, Screen
from hanabi.errors import counted
from hanabi.game.figures import BottomDeck, PaceRisk, pace, pace_risk
from hanabi.game.telling import told
from hanabi.session.late import Late, worst
from hanabi.session.review import Review
from hanabi.winnable.timeline import Prospect

__all__ = ["print_review", "review_document"]

_MOVE_WIDTH = 50

_RISKS: dict[PaceRisk, str] = {
    "low": "",
    "medium": "yellow",
    "high": "bold yellow",
    "zero": "bold red",
}
"""How a pace is shown that makes discards risky; hanab.live colors it, too."""


def review_document(review: Review) -> dict[str, object]:
    """Return the documented JSON document."""
    positions, names = review.positions, review.problem.names
    efficiencies, late = review.efficiencies, {each.at + 1: each for each in review.late}
    efficiency, moves = efficiencies[-1].ratio, []
    for move, (before, after) in enumerate(pairwise(positions), start=1):
        prospect = review.prospects[move]
        moves.append(
            {
                "move": move,
                "seat": before.seat_to_act,
                "player": names[before.seat_to_act],
                "words": told(names, before, after),
                "best": {"lower": prospect.lower, "upper": prospect.upper},
                "lost": dict(review.lost).get(move, 0),
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
        )
    first, because = review.prospects[0], review.because
    return {
        "best": {"lower": first.lower, "upper": first.upper},
        "score": review.problem.score,
        "most": positions[0].rules.max_score,
        "end": str(review.problem.end),
        "unusual": list(review.problem.recorded.unusual),
        "lost_at": review.lost_at,
        "because": None
        if because is None
        else {"name": because.name, "sentence": because.summary, "steps": len(because.steps)},
        "undecided": review.undecided,
        "link": review.link,
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


def _exact(number: Fraction | None) -> str | None:
    return None if number is None else str(number)


def _rounded(number: Fraction | None) -> str:
    return "" if number is None else f"{float(number):.2f}"


def _chance(late: Late) -> dict[str, object]:
    """Return the chance of all points before a late move, after it, and what it gave away."""
    played = None if late.played is None else late.chances.of(late.played).perfect
    chance = {"best": str(late.chances.perfect), "played": str(played), "cost": str(late.cost)}
    return {"chance": chance}


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
    screen.line(
        (f"{'move':>4}  {'':{_MOVE_WIDTH}}{'best':>6}{'pace':>6}{'need':>6}{'hints':>6}", "dim")
    )
    costs, efficiencies = dict(review.lost), review.efficiencies
    for move, (before, after) in enumerate(pairwise(positions), start=1):
        words: list[Piece | str] = [(f"{move:4}  ", "dim"), (names[before.seat_to_act] + " ", "")]
        words += sentence(names, before, after)
        used = sum(len(piece if isinstance(piece, str) else piece[0]) for piece in words)
        left = pace(after)
        screen.line(
            *words,
            " " * max(_MOVE_WIDTH + 6 - used, 1),
            (f"{_range(review.prospects[move]):>6}", "bold red" if move in costs else ""),
            (f"{'' if left is None else left:>6}", _RISKS[pace_risk(after)]),
            f"{_rounded(efficiencies[move].required):>6}{after.hints:>6}",
        )


def _range(prospect: Prospect) -> str:
    if prospect.is_exact:
        return str(prospect.lower)
    return f"{prospect.lower}-{prospect.upper}"


def _named(review: Review, buried: BottomDeck) -> str:
    return card_piece(buried.card, review.positions[0].rules.variant)[0]


def _buried(review: Review, buried: BottomDeck) -> str:
    """Return a card, its place in the bottom of the deck, and since when it was the only copy."""
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
        yield "lost", "nothing: all points could still be had at the end", "green"
    if review.because is not None:
        yield "because", f"{review.because.name}: {review.because.summary}", ""
    yield from _late_findings(review)
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
