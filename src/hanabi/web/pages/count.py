"""Count: the shuffled decks that can be won, by hand size."""

from __future__ import annotations

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from hanabi.counting.playability import Point
from hanabi.counting.vector import approximate
from hanabi.errors import InvalidInputError
from hanabi.session.counts import DeckCount
from hanabi.svg.records import Curve
from hanabi.web.boards import Pictures
from hanabi.web.desk import Asked, answer, render, see_other
from hanabi.web.questions import ask_counts

__all__ = ["ROUTES"]

_MOST_HAND, _MOST_COLORS = 12, 10
_DIGITS = 6


def _count(asked: Asked, problem: str = "") -> Response:
    job, words = asked.report("count"), asked.words
    rows: list[dict[str, object]] = []
    chart = Markup()
    if job is None:
        problem = problem or asked.lost
    else:
        found = job.results
        rows = [_row(*each) for each in found]
        chart = _chart(found)
        problem = problem or job.problem
        kept = asked.room("count", dict)
        words = (kept or {}) | words
    return render(
        "count.html",
        problem=problem,
        words=words,
        rows=rows,
        chart=chart,
        is_open=job is not None and not job.is_over,
        asked=job is not None,
        is_estimated=any(row["is_estimated"] for row in rows),
        news=f"{len(rows)} hands counted." if rows else "",
    )


def _row(hand: int, found: DeckCount | Point) -> dict[str, object]:
    if isinstance(found, Point):
        share, low, high = map(_short, (float(found.probability), found.low, found.high))
        return {
            "hand": hand,
            "good": f"{found.won:,}",
            "total": f"{found.decks:,} tried",
            "share": f"{share} ({low} to {high})",
            "is_estimated": True,
        }
    good, total = (approximate(number, 1, _DIGITS) for number in (found.good, found.total))
    return {
        "hand": hand,
        "good": good,
        "total": total,
        "share": approximate(found.good, found.total, _DIGITS),
        "is_estimated": False,
    }


def _short(share: float) -> str:
    return f"{share:#.3g}" if share < 0.999 else f"{share:#.5g}"


def _chart(found: tuple[tuple[int, DeckCount | Point], ...]) -> Markup:
    points = tuple((str(hand), float(each.probability)) for hand, each in found)
    return Pictures().curve(Curve(points=points, across="hand"), "Share of decks won")


def _start(asked: Asked) -> Response:
    copies = asked.text("copies").strip()
    colors = asked.number("colors", 1, _MOST_COLORS, 1)
    most = asked.number("hand", 0, _MOST_HAND, 0)
    if not copies:
        raise InvalidInputError("how many copies of each value are there?")
    seconds = asked.desk.settings.solve_seconds
    hands = tuple(range(most + 1))
    asked.work_out("count", ask_counts, copies, colors, hands, seconds, seconds=2 * seconds)
    asked.enter().rooms["count"] = {"copies": copies, "colors": str(colors), "hand": str(most)}
    return see_other("/count")


ROUTES = (
    Route("/count", answer(_count, _count)),
    Route("/count/new", answer(_start, _count), methods=["POST"]),
)
