"""Proof: a formula becomes cards, the cards are won or not, and a winning play is an assignment."""

from __future__ import annotations

import io
import secrets
from dataclasses import dataclass
from itertools import islice

from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from hanabi.errors import InvalidInputError, counted
from hanabi.hardness import (
    DEFAULT_VARIANT,
    VARIANTS,
    Decision,
    Formula,
    random_formula,
    read_dimacs,
    write_dimacs,
)
from hanabi.hardness.explain import describe, gadget_at, gadgets_of, looks_of_reduction
from hanabi.notation import lines_of
from hanabi.solitaire import sat
from hanabi.solitaire.picture import boards_of
from hanabi.web.boards import Pictures
from hanabi.web.desk import Asked, answer, render, see_other
from hanabi.web.questions import ask_formula

__all__ = ["ROUTES"]

_MOST_TEXT = 20_000
_MOST_VARIABLES, _MOST_CLAUSES = 60, 250
_MOST_SHOWN = 300
_SEEDS = 10**6
_EXAMPLES = {
    "satisfiable": "p cnf 3 3\n1 2 3 0\n-1 2 -3 0\n-1 -2 3 0\n",
    "not satisfiable": "p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n",
}


@dataclass(frozen=True, slots=True)
class Posed:
    """A formula in a request, as it was written."""

    text: str
    variant: str


def _proof(asked: Asked, problem: str = "") -> Response:
    posed, job = asked.room("proof", Posed), asked.report("proof")
    if posed is None or job is None or asked.text("new"):
        return _new(asked, problem)
    if not job.results:
        if job.is_over:
            return _new(asked, job.problem or "it was given up")
        return render("wait.html", title="Proof", path="/proof", words="Cards are laid out …")
    return _show(asked, posed, job.results[0], problem)


def _new(asked: Asked, problem: str = "") -> Response:
    words = dict(asked.words)
    words.setdefault("formula", _EXAMPLES["satisfiable"])
    example = asked.text("example")
    if example in _EXAMPLES:
        words["formula"] = _EXAMPLES[example]
    elif example == "random":
        formula = io.StringIO()
        write_dimacs(random_formula(6, seed=secrets.randbelow(_SEEDS)), formula)
        words["formula"] = formula.getvalue()
    return render(
        "proof_new.html",
        problem=problem or asked.lost,
        words=words,
        variants=VARIANTS,
        default=DEFAULT_VARIANT,
        examples=tuple(_EXAMPLES),
    )


def _start(asked: Asked) -> Response:
    text = asked.text("file", most=_MOST_TEXT) or asked.text("formula", most=_MOST_TEXT)
    variant = asked.choice("variant", VARIANTS, DEFAULT_VARIANT)
    formula = _checked(read_dimacs(lines_of(text)))
    seconds = asked.desk.settings.solve_seconds
    asked.work_out("proof", ask_formula, formula, variant, seconds, seconds=3 * seconds)
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
