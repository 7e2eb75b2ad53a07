"""Proof: a formula becomes cards, the cards are won or not, and a winning play is an assignment.

A small formula is answered in the address itself, with a picture of every choice that a play has.
"""

from __future__ import annotations

import io
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, product
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from hanabi.ground import InvalidInputError, counted, draw_arcs, quote
from hanabi.rules import lines_of
from hanabi.shell import Asked, answer, ask_formula, render, see_other
from hanabi.shell import BoardPictures as Pictures
from hanabi.solitaire import sat
from hanabi.solitaire.hardness import (
    DEFAULT_VARIANT,
    VARIANTS,
    Decision,
    Formula,
    random_formula,
    read_dimacs,
    reduce,
    write_dimacs,
)
from hanabi.solitaire.hardness.choices import Choice, choices_of, sections_of
from hanabi.solitaire.hardness.explain import (
    describe,
    gadget_at,
    gadgets_of,
    looks_of_reduction,
    meaning_name,
    title_of,
)
from hanabi.solitaire.hardness.reduction import Reduction
from hanabi.solitaire.picture import arcs_of, boards_of
from hanabi.solitaire.windows import Window, ways_of

__all__ = ["ROUTES"]

_MOST_TEXT = 20_000
_MOST_VARIABLES, _MOST_CLAUSES = 60, 250
_MOST_SHOWN = 300
_SEEDS = 10**6
_SMALL = 4, 8, 4  # the most variables, clauses, and literals of a clause that are drawn
_EXAMPLES = {
    "satisfiable": "1 2 3, -1 2 -3, -1 -2 3",
    "not satisfiable": "1 2, -1 2, 1 -2, -1 -2",
}


@dataclass(frozen=True, slots=True)
class Posed:
    """A formula in a request, as it was written."""

    text: str
    variant: str


def _proof(asked: Asked, problem: str = "") -> Response:
    posed, job = asked.room("proof", Posed), asked.report("proof")
    is_own = any(asked.text(name) for name in ("new", "small", "example"))
    if posed is None or job is None or is_own:
        return _new(asked, problem)
    if not job.results:
        if job.is_over:
            return _new(asked, job.problem or "it was given up")
        return render(
            "wait.html", title="Proof", path="/proof", words="Cards are laid out …", compiling=()
        )
    return _show(asked, posed, job.results[0], problem)


def _new(asked: Asked, problem: str = "") -> Response:
    """Show a small formula in pictures, and the form for others below it."""
    words = dict(asked.words)
    written, lesson = _EXAMPLES["satisfiable"], None
    if asked.text("example") == "random":
        written = _written(random_formula(3, ratio=5 / 3, seed=secrets.randbelow(_SEEDS)))
    elif "small" in words:
        written = asked.text("small")
    try:
        small = _read_small(written)
        choice, at = asked.text("choice"), asked.number("at", 0, 10**6, 10**6)
        lesson = _lesson(small, choice, at)
    except InvalidInputError as error:
        problem = problem or str(error)
        lesson = _lesson(_read_small(_EXAMPLES["satisfiable"]), "", 10**6)
    words.setdefault("formula", _dimacs(lesson.formula))
    return render(
        "proof_new.html",
        status=400 if problem and not asked.lost else 200,
        problem=problem or asked.lost,
        words=words,
        variants=VARIANTS,
        default=DEFAULT_VARIANT,
        examples=_EXAMPLES,
        lesson=lesson,
        sheet=lesson.sheet,
        news=lesson.news,
    )


def _dimacs(formula: Formula) -> str:
    text = io.StringIO()
    write_dimacs(formula, text)
    return text.getvalue()


# A small formula, as pictures: one for the section of each variable.


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal of a formula: its words, whether it is true, and the formula with its opposite."""

    words: str
    is_true: bool
    turned: str


@dataclass(frozen=True, slots=True)
class ClauseShown:
    """A clause, its state so far in words, and the formula without it."""

    literals: tuple[Literal, ...]
    kind: str
    state: str
    without: str


@dataclass(frozen=True, slots=True)
class Value:
    """A variable with its value, and the choice with the other one."""

    name: str
    is_true: bool
    turned: str


@dataclass(frozen=True, slots=True)
class Section:
    """The cards of a variable: a heading, a sentence, the picture, whether it is drawn now."""

    title: str
    words: str
    picture: Markup
    is_now: bool


@dataclass(frozen=True, slots=True)
class Lesson:
    """Everything that the page shows of a small formula and a choice."""

    formula: Formula
    written: str
    choice: str
    n_cards: int
    at: int
    is_satisfiable: bool
    clauses: tuple[ClauseShown, ...]
    more: str
    values: tuple[Value, ...]
    held: str
    gadget: str
    sections: tuple[Section, ...]
    choices: tuple[tuple[str, str, tuple[str, ...]], ...]
    n_stuck: int
    sheet: Markup
    news: str

    @property
    def query(self) -> str:
        """The rest of the address of a step."""
        return "&" + urlencode({"small": self.written, "choice": self.choice})


def _read_small(text: str) -> Formula:
    """Read clauses of numbers, as in "1 -2, 2 3"."""
    clauses = []
    for part in text.split(","):
        words = part.split()
        if not words or not all(re.fullmatch(r"-?[1-9]", word) for word in words):
            raise InvalidInputError(f"small: {quote(part)} is no clause such as 1 -2 3")
        clauses.append(tuple(map(int, words)))
    formula = Formula(max(abs(literal) for each in clauses for literal in each), tuple(clauses))
    variables, most, longest = _SMALL
    if formula.n_vars > variables or len(clauses) > most or max(map(len, clauses)) > longest:
        raise InvalidInputError(
            f"pictures are for {variables} variables and {most} clauses of {longest} literals"
        )
    return formula


def _is_small(formula: Formula) -> bool:
    variables, most, longest = _SMALL
    clauses = formula.clauses
    is_full = bool(clauses) and all(0 < len(each) <= longest for each in clauses)
    used = {abs(literal) for clause in clauses for literal in clause}
    return is_full and len(clauses) <= most and max(used) == formula.n_vars <= variables


def _written(formula: Formula) -> str:
    return ", ".join(" ".join(map(str, clause)) for clause in formula.clauses)


def _lesson(formula: Formula, wanted: str, at: int) -> Lesson:
    cards = reduce(formula, variant=DEFAULT_VARIANT)
    choices = list(choices_of(cards))
    won = next((each for each in choices if not each.stuck), None)
    chosen = next((each for each in choices if _bits(each) == wanted), None)
    if chosen is None:
        if wanted:
            raise InvalidInputError(f"choice: {quote(wanted)} is not a 0 or 1 for each variable")
        chosen = won or choices[0]
    at = min(at, cards.N)
    held = next((each for each in chosen.windows if each.opens <= at < each.closes), None)
    gadget = "" if not at else gadget_at(cards.annotation, at)
    pictures = Pictures()
    sections = _sections(pictures, cards, chosen, at)
    names = [meaning_name(number) for number in range(1, formula.n_vars + 1)]
    clauses = _clauses(formula, chosen, at)
    table = [
        (
            ", ".join(n if v else f"not {n}" for n, v in zip(names, each.assignment, strict=True)),
            _bits(each),
            tuple(_told_stuck(cards, formula, each)),
        )
        for each in choices
    ]
    return Lesson(
        formula=formula,
        written=_written(formula),
        choice=_bits(chosen),
        n_cards=cards.N,
        at=at,
        is_satisfiable=won is not None,
        clauses=clauses,
        more=_with_one_more(formula),
        values=tuple(
            Value(name, value, _turned(chosen, n))
            for n, (name, value) in enumerate(zip(names, chosen.assignment, strict=True))
        ),
        held="nothing" if held is None else _card_name(cards, held),
        gadget=gadget,
        sections=sections,
        choices=tuple(table),
        n_stuck=len(chosen.stuck),
        sheet=pictures.sheet,
        news=f"Card {at} of {cards.N}: {gadget}." if gadget else "",
    )


def _bits(choice: Choice) -> str:
    return "".join("01"[value] for value in choice.assignment)


def _turned(choice: Choice, variable: int) -> str:
    return "".join("01"[value != (n == variable)] for n, value in enumerate(choice.assignment))


def _with_one_more(formula: Formula) -> str:
    """Return the formula with the first clause of all variables that it lacks, or ""."""
    if formula.n_clauses >= _SMALL[1]:
        return ""
    numbers = range(1, formula.n_vars + 1)
    for signs in product((1, -1), repeat=formula.n_vars):
        clause = tuple(sign * number for sign, number in zip(signs, numbers, strict=True))
        if clause not in formula.clauses:
            return _written(Formula(formula.n_vars, (*formula.clauses, clause)))
    return ""


def _clauses(formula: Formula, choice: Choice, at: int) -> tuple[ClauseShown, ...]:
    shown = []
    for number, clause in enumerate(formula.clauses, start=1):
        kind, state = _state(choice, number, at)
        rest = tuple(each for n, each in enumerate(formula.clauses, start=1) if n != number)
        is_needed = {abs(x) for each in rest for x in each} != set(range(1, formula.n_vars + 1))
        literals = tuple(
            Literal(
                meaning_name(literal),
                choice.assignment[abs(literal) - 1] == (literal > 0),
                _written(_with(formula, number, place)),
            )
            for place, literal in enumerate(clause)
        )
        without = "" if is_needed else _written(Formula(formula.n_vars, rest))
        shown.append(ClauseShown(literals, kind, state, without))
    return tuple(shown)


def _with(formula: Formula, number: int, place: int) -> Formula:
    """Return a formula with the opposite of one literal."""
    clauses = [list(clause) for clause in formula.clauses]
    clauses[number - 1][place] *= -1
    return Formula(formula.n_vars, tuple(map(tuple, clauses)))


def _state(choice: Choice, number: int, at: int) -> tuple[str, str]:
    """Return the kind and the words of a clause's state after some cards."""
    if number in choice.stuck:
        last = max(closed.window.closes for closed in choice.stuck[number])
        if at >= last:
            return "bad", f"stuck at card {last}: none of its windows was open"
        return "open", "not yet"
    window = choice.used.get(number)
    if window is None:
        return "good", "always true"
    if at >= window.closes:
        return "good", f"true: its window over cards {window.opens} to {window.closes} was used"
    return "open", "not yet"


def _card_name(cards: Reduction, window: Window) -> str:
    meaning = cards.annotation.colors[window.color]
    return f"the {window.value} of {meaning_name(meaning)}"


def _told_stuck(cards: Reduction, formula: Formula, choice: Choice) -> Iterator[str]:
    """Yield a sentence on each clause that no play with this choice gets past."""
    for number, all_closed in choice.stuck.items():
        words = " or ".join(map(meaning_name, formula.clauses[number - 1]))
        whys = [
            f"cards {each.window.opens} to {each.window.closes} while"
            f" {_card_name(cards, each.by)} waits"
            for each in all_closed
        ]
        yield f"clause {number} ({words}): its windows come at {' and at '.join(whys)}"


def _sections(pictures: Pictures, cards: Reduction, choice: Choice, at: int) -> tuple[Section, ...]:
    annotation = cards.annotation
    looks, ways = looks_of_reduction(cards, annotation), ways_of(cards)
    titles = [(title_of(span), span.first, span.last) for span in annotation.spans]
    lit = gadget_at(annotation, at) if at else ""
    shown = []
    for (number, first, last), value, held in zip(
        sections_of(cards), choice.assignment, choice.variables, strict=True
    ):
        drawn = arcs_of(
            cards,
            ways,
            choice.windows,
            first=first,
            last=last,
            looks=looks.__getitem__,
            titles=titles,
        )
        is_now = first <= at <= last
        row = tuple(
            replace(card, mark="now" if n == at else "")
            for n, card in enumerate(drawn.cards, start=first)
        )
        brackets = tuple(
            replace(each, is_lit=is_now and each.first <= at - first <= each.last)
            for each in drawn.brackets
        )
        wanted = "not " * value + meaning_name(number)
        name = meaning_name(number)
        words = (
            f"Its {held.value} waits in hand over cards {held.opens} to {held.closes}, and closes"
            f" the windows of clauses with {wanted}."
        )
        picture = draw_arcs(
            replace(drawn, cards=row, brackets=brackets, notes=(), words=f"{drawn.words} {lit}"),
            title=f"The cards of {name}",
            sheet=pictures.shared,
        )
        title = f"{name} is {'true' if value else 'false'}"
        shown.append(Section(title, words, Markup(picture), is_now))  # noqa: S704
    return tuple(shown)


def _start(asked: Asked) -> Response:
    text = asked.text("file", most=_MOST_TEXT) or asked.text("formula", most=_MOST_TEXT)
    variant = asked.choice("variant", VARIANTS, DEFAULT_VARIANT)
    formula = _checked(read_dimacs(lines_of(text)))
    if variant == DEFAULT_VARIANT and not asked.text("proof") and _is_small(formula):
        return see_other("/proof?" + urlencode({"small": _written(formula)}))
    seconds = asked.desk.settings.solve_seconds
    asked.work_out(
        "proof", ask_formula, formula, variant, seconds, seconds=3 * seconds, is_long=True
    )
    asked.enter().rooms["proof"] = Posed(text, variant)
    return see_other("/proof")


def _checked(formula: Formula) -> Formula:
    if formula.n_vars > _MOST_VARIABLES or formula.n_clauses > _MOST_CLAUSES:
        raise InvalidInputError(
            f"{counted(formula.n_vars, 'variable')} and {counted(formula.n_clauses, 'clause')}: the"
            f" page takes {_MOST_VARIABLES} and {_MOST_CLAUSES}; hanabi sat takes more"
        )
    return formula


def _show(asked: Asked, posed: Posed, decision: Decision, problem: str) -> Response:
    cards, verdict = decision.reduction, decision.verdict
    pictures, play = Pictures(), verdict.witness
    looks = looks_of_reduction(cards, cards.annotation).__getitem__
    last = 0 if play is None else len(play)
    at = min(asked.number("at", 0, 10**6, 0), last)
    board, news = None, ""
    if play is not None:
        boards = boards_of(
            cards, play, looks=looks, note=lambda place: gadget_at(cards.annotation, place)
        )
        shown = next(islice(boards, at, None))
        board, news = pictures.solitaire(shown), shown.last
    job = asked.report("proof")
    strip = gadgets_of(cards, cards.annotation, last=min(cards.N, _MOST_SHOWN))
    return render(
        "proof.html",
        problem=problem,
        posed=posed,
        decision=decision,
        cards=cards,
        verdict=verdict,
        sentences=tuple(describe(cards, cards.annotation)),
        gadgets=pictures.strip(strip, "The cards, gadget by gadget"),
        most=_MOST_SHOWN,
        board=board,
        at=at,
        last=last,
        sheet=pictures.sheet,
        is_proving=decision.is_satisfiable is False and job is not None and not job.is_over,
        proof=job.results[1] if job is not None and len(job.results) > 1 else None,
        news=news,
    )


def _drat(asked: Asked) -> Response:
    """Return the proof as a file."""
    job = asked.report("proof")
    if job is None or len(job.results) < 2 or job.results[1] is None:
        raise InvalidInputError("there is no proof")
    return _file(f"{job.results[1]}\n", "proof.drat")


def _cnf(asked: Asked) -> Response:
    """Return the formula that the proof refutes, as a file."""
    job = asked.report("proof")
    if job is None or not job.results:
        raise InvalidInputError("there are no cards")
    text = io.StringIO()
    sat.write_dimacs(job.results[0].reduction, text, cut=False,
                     seconds=asked.desk.settings.solve_seconds)  # fmt: skip
    return _file(text.getvalue(), "cards.cnf")


def _file(text: str, name: str) -> Response:
    return PlainTextResponse(
        text, headers={"content-disposition": f'attachment; filename="{name}"'}
    )


ROUTES = (
    Route("/proof", answer(_proof, _new)),
    Route("/proof/new", answer(_start, _new), methods=["POST"]),
    Route("/proof/proof.drat", answer(_drat, _new)),
    Route("/proof/cards.cnf", answer(_cnf, _new)),
)
