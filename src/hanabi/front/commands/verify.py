"""`hanabi verify` checks that a play wins, or that a proof shows that no play does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hanabi.ground import (
    BudgetEndedError,
    Clock,
    InvalidInputError,
    ParameterError,
    counted,
    naming,
)
from hanabi.rules import read_rules
from hanabi.shell import (
    STDIN,
    Count,
    DealTo,
    Json,
    Problem,
    Question,
    RuleSet,
    Screen,
    SolitaireProblem,
    Source,
    Unhurried,
    check_has_hand,
    find_broken,
    find_certificate,
    find_line,
    line_from_json,
    name_of,
    print_json,
    read_problem,
    read_text,
    reading_document,
    reading_facts,
)
from hanabi.solitaire import BrokenRule

if TYPE_CHECKING:
    from hanabi.ground import Cnf
    from hanabi.solitaire import Reading

__all__ = ["verify_command"]

_BROKEN, _UNKNOWN = 1, 30
_BYTES_A_CHARACTER = 64  # that reading and checking a file take, at most


def verify_command(
    instance: Source,
    play: Source | None = None,
    /,
    *,
    proof: Source | None = None,
    players: DealTo = None,
    rules: RuleSet | None = None,
    at: Count | None = None,
    solitaire: bool = False,
    hand_size: Count | None = None,
    json: Json = False,
    budget: Unhurried = Unhurried(),
) -> int:
    """Check a play move by move, and name the first rule it breaks.

    With a certificate or --proof, checks instead that no play wins. Exits with 0 if the check
    succeeds, with 1 after the first broken rule, and with 30 if --time or --memory does not allow
    the check to end. The input is read as "hanabi solve" reads it. A proof is checked against a
    formula made from the input.

    Parameters
    ----------
    instance
        A file, a hanab.live replay link, or - for standard input.
    play
        A JSON file, as "hanabi solve --json" prints it or "hanabi solve --certificate" writes it,
        or - for standard input.
    proof
        A DRAT proof, as "hanabi solve --proof" writes it, or - for standard input.
    at
        Start from the position after this many moves of the game.
    solitaire
        Merge all hands into one: no hints, no last round.
    hand_size
        The most cards in hand. Default: as in the instance, or players x cards - 1.
    budget.time
        Seconds for the check of a certificate or proof. Default: 0, no limit.
    budget.memory
        Megabytes that the check may use, as estimated from the sizes of the files.
    """
    clock = Clock(budget.seconds)
    if (play is None) == (proof is None):
        raise InvalidInputError("give either a play or --proof")
    given = play if play is not None else proof
    if given is None or instance == given == STDIN:
        raise InvalidInputError("only one of the two can be standard input")
    text, name = read_text(given), name_of(given)
    posed = read_text(instance)
    limit = budget.bytes
    needs = (len(text) + len(posed)) * _BYTES_A_CHARACTER
    if limit is not None and needs > limit:
        return _print_unknown(f"the check may take {-(-needs >> 20):,} MB of memory", json=json)
    line = None if proof is not None else find_line(text)
    certificate = None if proof is not None else find_certificate(text)
    question = Question(
        players=players,
        rules=None if rules is None else read_rules(rules),
        at=at,
        solitaire=solitaire,
        hand_size=hand_size,
        full_game_for=None if line is None else "an answer with actions",
        solitaire_for="a play" if proof is None and line is None else None,
    )
    problem = read_problem(posed, question, name_of(instance))
    try:
        if proof is not None:
            return _verify_proof(problem, text, name, clock, limit, json=json)
        if certificate is not None:
            return _verify_certificate(problem, certificate, name, clock, json=json)
    except BudgetEndedError as error:
        return _print_unknown(f"{error} before the check was finished", json=json)
    if isinstance(problem, SolitaireProblem):
        from hanabi.rules import parse_play
        from hanabi.solitaire import Play, find_broken_rule

        play_ = Play(parse_play(text, source=name))
        goal = problem.instance.goal
        said = f"the play wins with {goal:,} of {counted(goal, 'card')}"
        broken_rule = find_broken_rule(problem.instance, play_)
        reading = None if broken_rule else problem.reading(play_)
        return _print_broken(broken_rule, said, json=json, reading=reading)
    with naming(name):
        moves = line_from_json(line)
    broken, score = find_broken(problem, moves)
    most = problem.game.rules.max_score
    what = "the line wins: all" if score == most else f"the line ends with {score} of"
    said = f"{what} {most} points, in {len(moves.actions)} moves"
    return _print_broken(broken, said, json=json)


def _verify_certificate(
    problem: Problem, document: object, name: str, clock: Clock, *, json: bool
) -> int:
    from hanabi.solitaire import Certificate, find_flaw

    check_has_hand(problem, "a certificate")
    with naming(name):
        certificate = Certificate.from_json(document)
    if not isinstance(problem, SolitaireProblem):
        raise ParameterError("a certificate is for Solitaire Hanabi: give {solitaire}")
    flaw = find_flaw(problem.instance, certificate, clock)
    reach = problem.instance.goal - certificate.most_left_out
    wins = "wins" if certificate.most_left_out == 0 else f"plays {reach:,} cards"
    said = f"no play {wins}: {counted(len(certificate.steps), 'step')} of weights and cases"
    data: dict[str, object] = {} if flaw is None else {"rule": flaw}
    return _print(data, flaw or said, json=json)


def _verify_proof(
    problem: Problem, text: str, name: str, clock: Clock, memory: int | None, *, json: bool
) -> int:
    from hanabi.ground import check_proof

    check_has_hand(problem, "{proof}")
    formula = _formula_of(problem, clock, memory)
    with naming(name):
        checked = check_proof(formula, text, clock)
    data: dict[str, object] = {} if checked.broken is None else {"rule": checked.broken}
    said = f"no play wins: {checked.steps:,} steps, checked by {checked.checker}"
    return _print(data, checked.broken or said, json=json, checker=checked.checker)


def _formula_of(problem: Problem, clock: Clock, memory: int | None) -> Cnf:
    """Return the formula that a proof of `hanabi solve` refutes."""
    if isinstance(problem, SolitaireProblem):
        from hanabi.solitaire import encode as encode_solitaire

        return encode_solitaire(problem.instance, cut=False, clock=clock, memory=memory).cnf
    from hanabi.solvers import Position, encode, only_image

    plain = only_image(problem.game).game
    return encode(Position.of_game(plain), tuple(map(len, plain.rules.spec.copies)), clock).cnf


def _print_broken(
    broken: BrokenRule | None, said: str, *, json: bool, reading: Reading | None = None
) -> int:
    if broken is None:
        status = _print({}, said, json=json, **reading_document(reading))
        for label, text in () if json else reading_facts(reading):
            Screen().entry(label, text)
        return status
    return _print({"move": broken.move, "rule": broken.message}, str(broken), json=json)


def _print_unknown(reason: str, *, json: bool) -> int:
    """Report that the budgets do not allow an answer."""
    if json:
        print_json({"ok": None, "reason": reason})
    else:
        Screen().entry("unknown", reason, "bold yellow")
    return _UNKNOWN


def _print(broken: dict[str, object], said: str, *, json: bool, **more: object) -> int:
    if json:
        data = {"ok": not broken, **broken, **more}
        print_json(data)
    else:
        Screen().entry("not ok" if broken else "ok", said, f"bold {'red' if broken else 'green'}")
    return _BROKEN if broken else 0
