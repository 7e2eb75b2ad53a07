"""Solitaire Hanabi, from what was read to the answer: posed, solved within one budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.clock import Clock
from hanabi.errors import InvalidInputError, counted
from hanabi.notation import DeckInput, GameRecord, SolitaireInput
from hanabi.session.inputs import instance_of
from hanabi.session.question import Question
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import Play
from hanabi.verdict import Status, Verdict

if TYPE_CHECKING:
    from hanabi.hardness import Annotation, Reading
    from hanabi.solitaire.solver import LeastHand, MostCards

__all__ = ["SolitaireAnswer", "SolitaireProblem", "answer_solitaire", "pose_solitaire"]


@dataclass(frozen=True, slots=True)
class SolitaireProblem:
    """An instance to solve, with remarks on how the input was understood.

    `hand_is_given` is False if the input leaves the hand size open (the instance then has 0);
    `annotation` says what formula the cards were made from, if they were.
    """

    instance: Instance
    remarks: tuple[str, ...] = ()
    hand_is_given: bool = True
    annotation: Annotation | None = None

    def reading(self, play: Play | None) -> Reading | None:
        """Return what a winning play says of the formula; None without a formula or a play."""
        if self.annotation is None or play is None:
            return None
        from hanabi.hardness import read_play

        return read_play(self.instance, self.annotation, play)


def pose_solitaire(
    given: SolitaireInput | DeckInput | GameRecord,
    hand_size: int | None = None,
    *,
    hand_is_needed: bool = True,
) -> SolitaireProblem:
    """Return the instance that was read; `hand_size` wins over what the input says.

    The cards of p players with h each, all face up, can be played as by one player with a hand of
    p*h - 1, if drawing never ends the game (erratum E18: the paper says p*h).

    >>> from hanabi.notation import parse_input
    >>> pose_solitaire(parse_input("players 3 r1 b5")).instance.hand_size
    14
    """
    if isinstance(given, SolitaireInput):
        hand = given.hand_size if hand_size is None else hand_size
        if hand is None and hand_is_needed:
            raise InvalidInputError("no hand size: give --hand-size H, or write it into the input")
        instance = instance_of(given, hand or 0)
        annotation = None
        if given.annotation is not None:
            from hanabi.session.formulas import read_annotation

            annotation = read_annotation(given.annotation, instance)
        is_given = hand is not None
        return SolitaireProblem(instance, hand_is_given=is_given, annotation=annotation)
    remarks = []
    n: int | None
    c: int | None
    merged = given.players * given.hand_size - 1
    if hand_size is None:
        remarks.append(
            f"{given.players} players with {counted(given.hand_size, 'card')} each: solved as a"
            f" solitaire with a hand of {merged} (all cards face up, no hints, no last round)."
        )
    if isinstance(given, GameRecord):
        variant = given.variant_data
        n, c = variant.ranks, len(variant.suits)
        if any(variant.orders(color) != (tuple(range(1, n + 1)),) for color in range(c)):
            raise InvalidInputError(f"{variant.name}: a solitaire builds every pile upwards")
        mismatch = given.deck_mismatch
        if mismatch is not None:
            remarks.append(f"Note: {mismatch}.")
        if given.options.get("detrimentalCharacters"):
            remarks.append("Note: what the players' characters forbid is not looked at.")
    else:
        n, c = given.n, given.c
        if given.rules is not None:
            raise InvalidInputError(
                "rules: Solitaire Hanabi has none to choose; remove the entry to solve the cards"
            )
    instance = Instance(merged if hand_size is None else hand_size, given.deck, n=n, c=c)
    return SolitaireProblem(instance, tuple(remarks))


@dataclass(frozen=True, slots=True)
class SolitaireAnswer:
    """The verdict, and what was asked for beside it."""

    problem: SolitaireProblem
    question: Question
    verdict: Verdict[Play]
    seconds: float
    least: LeastHand | None = None
    most: MostCards | None = None
    proof: str | None = None

    @property
    def status(self) -> Status:
        """Whether the stream can be won."""
        return self.verdict.status

    @property
    def most_cards(self) -> int | None:
        """The most cards that can be played with this hand, if known."""
        lower, upper = self.bounds
        is_about_a_hand = self.problem.hand_is_given or self.verdict.status is Status.WINNABLE
        return lower if lower == upper and is_about_a_hand else None

    @property
    def bounds(self) -> tuple[int, int]:
        """Bounds on the most cards that can be played."""
        if self.verdict.status is Status.WINNABLE:
            return (self.problem.instance.goal,) * 2
        lower, upper = self.verdict.lower, self.verdict.upper
        if self.most is not None:
            lower, upper = max(lower, self.most.lower), min(upper, self.most.upper)
        return lower, upper

    @property
    def winning_play(self) -> Play | None:
        """A play that plays every card, if one is known."""
        return self.verdict.witness if self.status is Status.WINNABLE else None

    @property
    def best_play(self) -> Play | None:
        """A play that reaches as many cards as any known."""
        if self.verdict.witness is not None or self.most is None:
            return self.verdict.witness
        return self.most.play


def answer_solitaire(
    problem: SolitaireProblem,
    question: Question,
    progress: Callable[[str], None] = lambda _: None,
    clock: Clock | None = None,
) -> SolitaireAnswer:
    """Put the question to the solvers.

    The verdict comes first, then the least hand and the most cards of a stream that cannot be won,
    if asked for; each gets what time is left on the clock, by default that of the question.

    >>> problem = SolitaireProblem(Instance(1, [(0, 2), (0, 1)]))
    >>> answer_solitaire(problem, Question()).verdict.witness.to_json()
    [[1, 'store'], [2, 'play'], [1, 'play']]
    """
    from hanabi.solitaire import solver

    clock = clock or Clock(question.seconds)
    instance, memory = problem.instance, question.memory
    method = "sat" if question.proof else question.method

    def least_hand() -> LeastHand:
        return solver.least_hand(
            instance, method=method, seconds=clock.left, memory=memory, progress=progress
        )

    if not problem.hand_is_given:
        least = least_hand()
        return SolitaireAnswer(problem, question, least.verdict, clock.elapsed, least)
    proof = None
    if question.proof:
        from hanabi.solitaire import sat

        certificate = sat.certify(instance, seconds=clock.left, memory=memory)
        verdict, proof = certificate.verdict, certificate.proof
    else:
        verdict = solver.solve(
            instance, method=method, seconds=clock.left, memory=memory, progress=progress
        )
    asked = least_hand() if question.least_hand else None
    most = None
    if question.most_cards and verdict.lower < verdict.upper and not clock.is_over:
        most = solver.most_cards(instance, seconds=clock.left, memory=memory, progress=progress)
    return SolitaireAnswer(problem, question, verdict, clock.elapsed, asked, most, proof)
