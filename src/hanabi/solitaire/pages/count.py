"""Count: the shuffled decks that can be won, by hand size.

All orders of a tiny deck are drawn, and the table of the real deck is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import Route

from hanabi.ground import Curve, InvalidInputError, SmallCard, counted, quote
from hanabi.shell import Asked, DeckCount, answer, ask_counts, count, render, see_other, solve
from hanabi.shell import BoardPictures as Pictures
from hanabi.solitaire.counting.playability import Point, curve_of
from hanabi.solitaire.counting.vector import approximate, expand_groups, parse_groups
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.picture import looks_of_instance

__all__ = ["ROUTES"]

_MOST_HAND, _MOST_COLORS = 12, 10
_DIGITS = 6

_REAL, _REAL_COLORS = (3, 2, 2, 2, 1), 5
_REAL_DECKS = 10_000
_REAL_WON = (None, 13, 345, 1765, 4306, 6816, 8585, 9514, 9853, 9971, 9990, 9999, 10_000)
"""The printed game's decks that are won with each hand, of 10,000 of seed 1, as `docs/counting.md`
prints them; without a hand the share is exact."""

_MOST_CARDS = 400
"""Of several colors with a hand: more cards can be neither counted nor estimated in time."""

_TINY = ("1,1,1", "2,1", "2,1,1", "3,1", "2,2", "1,1,1,1")
_TINY_HANDS = 3


@dataclass(frozen=True, slots=True)
class Order:
    """An order of a tiny deck: its picture, and whether it is won."""

    picture: Markup
    words: str
    is_won: bool


@dataclass(frozen=True, slots=True)
class Lesson:
    """All orders of a tiny deck of one color, and where to see others."""

    copies: str
    hand: int
    orders: tuple[Order, ...]
    n_won: int
    decks: tuple[tuple[str, str], ...]
    hands: tuple[tuple[int, str], ...]
    sheet: Markup


def _address(copies: str, hand: int) -> str:
    return "/count?" + urlencode({"deck": copies, "places": hand})


def _lesson(copies: str, hand: int) -> Lesson:
    if copies not in _TINY:
        raise InvalidInputError(f"deck: {quote(copies)} is none of {', '.join(_TINY)}")
    numbers = expand_groups(parse_groups(copies))
    cards = [value for value, n in enumerate(numbers, start=1) for _ in range(n)]
    pictures, orders = Pictures(), []
    for order in sorted(set(permutations(cards))):
        instance = Instance(hand, [(0, value) for value in order])
        look = looks_of_instance(instance)(0)
        drawn = [pictures.small(SmallCard(look=look, rank=str(value))) for value in order]
        is_won = str(solve(instance).status) == "winnable"
        orders.append(Order(Markup().join(drawn), " ".join(map(str, order)), is_won))
    return Lesson(
        copies=copies,
        hand=hand,
        orders=tuple(orders),
        n_won=sum(order.is_won for order in orders),
        decks=tuple((each, _address(each, hand)) for each in _TINY),
        hands=tuple((size, _address(copies, size)) for size in range(_TINY_HANDS)),
        sheet=pictures.sheet,
    )


def _known(copies: str, colors: int, most: int) -> tuple[tuple[int, DeckCount | Point], ...] | None:
    """Return the table of the real deck, or None for others."""
    if colors != _REAL_COLORS or tuple(expand_groups(parse_groups(copies))) != _REAL:
        return None
    won = {hand: n for hand, n in enumerate(_REAL_WON[: most + 1]) if n is not None}
    exact = count(_REAL, colors=_REAL_COLORS)
    return ((0, exact), *((each.hand_size, each) for each in curve_of(won, _REAL_DECKS)))


def _count(asked: Asked, problem: str = "") -> Response:
    job, words = asked.report("count"), asked.words
    rows: list[dict[str, object]] = []
    chart = Markup()
    try:
        places = asked.number("places", 0, _TINY_HANDS - 1, 0)
        lesson = _lesson(asked.text("deck", _TINY[0]), places)
    except InvalidInputError as error:
        problem, lesson = problem or str(error), _lesson(_TINY[0], 0)
    known = None
    if "known" in asked.queried:
        known = _known("3,2,2,2,1", _REAL_COLORS, asked.number("hand", 0, _MOST_HAND, _MOST_HAND))
    if known is not None:
        rows, chart, job = [_row(*each) for each in known], _chart(known), None
    elif job is None or "deck" in asked.queried:
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
        status=400 if problem and job is None and not asked.lost else 200,
        problem=problem,
        lesson=lesson,
        sheet=lesson.sheet,
        is_known=known is not None,
        words=words,
        rows=rows,
        chart=chart,
        limit=round(asked.desk.settings.solve_seconds),
        exact=round(asked.desk.settings.solve_seconds / 3),
        compiling=asked.desk.compiling("count") if job is not None else (),
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
    if _known(copies, colors, most) is not None:
        return see_other("/count?" + urlencode({"known": 1, "colors": colors, "hand": most}))
    n_cards = colors * sum(expand_groups(parse_groups(copies)))
    if colors > 1 and most and n_cards > _MOST_CARDS:
        raise InvalidInputError(
            f"{n_cards:,} cards in {counted(colors, 'color')} with a hand cannot be counted or"
            f" estimated in time: at most {_MOST_CARDS}"
        )
    seconds = asked.desk.settings.solve_seconds
    hands = tuple(range(most + 1))
    asked.work_out(
        "count", ask_counts, copies, colors, hands, seconds, seconds=2 * seconds, is_long=True
    )
    asked.enter().rooms["count"] = {"copies": copies, "colors": str(colors), "hand": str(most)}
    return see_other("/count")


ROUTES = (
    Route("/count", answer(_count, _count)),
    Route("/count/new", answer(_start, _count), methods=["POST"]),
)
