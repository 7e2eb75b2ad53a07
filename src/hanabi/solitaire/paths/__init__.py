"""Solitaire Hanabi as paths of windows: any instance, with proofs that anyone can check.

A color is a path in a small graph (:mod:`hanabi.solitaire.paths.graph`), and colors meet only in
the hand, so an instance is an integer program of some hundred rows
(:mod:`hanabi.solitaire.paths.program`). HiGHS works in floating point, so nothing that it says is
an answer yet. The paths that it finds become a play, which is replayed. That there are none is
believed only with a certificate (:mod:`hanabi.solitaire.certificate`), which
:mod:`hanabi.solitaire.paths.refute` makes, and which is checked before it is returned.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hanabi.ground import NO_LIMIT, Clock
from hanabi.ground import BudgetEndedError, counted
from hanabi.solitaire.bounds import find_missing
from hanabi.solitaire.certificate import Certificate, Split, Weights, find_flaw
from hanabi.solitaire.eager import eager_play
from hanabi.solitaire.play import Play, find_broken_rule, n_played
from hanabi.ground import Status, Verdict

if TYPE_CHECKING:
    from hanabi.solitaire.instance import Instance
    from hanabi.solitaire.paths.graph import Floats, Graph
    from hanabi.solitaire.paths.program import Program, Solving

__all__ = ["Certified", "certify", "decide", "describe", "play_along", "solve"]

_MOST_MOMENTS_TOLD = 6
_FEW = 64
"""Cases that are looked at before the integer program is solved in a process of its own..."""
_SOON = 0.2
"""... or seconds, where cases are large."""


@dataclass(frozen=True, slots=True)
class Certified:
    """A verdict, and the certificate that nothing wins if it is UNWINNABLE."""

    verdict: Verdict[Play]
    certificate: Certificate | None = None


def solve(
    instance: Instance,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    clock: Clock | None = None,
) -> Verdict[Play]:
    """Decide whether `instance` can be won, and give a winning play.

    The budgets are those of `solver.solve`; when one ends, or when no certificate is found that
    HiGHS is right, the status is UNKNOWN. A running `clock` takes the place of `seconds`.

    >>> from hanabi.solitaire import Instance
    >>> lost = Instance(1, [(0, 2), (1, 2), (0, 1), (1, 1)])
    >>> solve(lost).reason
    'just before card 3 at least 2 cards must be in hand, which holds 1'
    >>> len(solve(lost.with_hand_size(2)).witness)
    6
    """
    return certify(instance, seconds=seconds, memory=memory, clock=clock).verdict


def certify(
    instance: Instance,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    clock: Clock | None = None,
) -> Certified:
    """Decide as :func:`solve` does, and give the certificate if nothing wins.

    >>> from hanabi.solitaire import Instance
    >>> certify(Instance(0, [(0, 2), (0, 1)])).certificate.steps
    (Weights(moments=((2, 1),), left_out=0, needs=1),)
    """
    from hanabi.solitaire.paths.graph import graph_of

    clock, goal = clock or Clock(seconds), instance.goal
    certificate = play = None
    status = Status.UNKNOWN
    try:
        missing = find_missing(instance, "paths", clock)
        if missing is not None:
            nothing = Certificate(instance.hand_size, 0, (Weights((), 0, None),))
            return Certified(replace(missing, seconds=clock.elapsed), nothing)
        graph = graph_of(instance, clock=clock, memory=memory)
        found = decide(instance, graph, clock=clock, memory=memory)
        if isinstance(found, Certificate):
            certificate, status = found, Status.UNWINNABLE
            reason = describe(certificate)
        elif found is not None:
            play, status = found, Status.WINNABLE
            reason = "a path was found for each color, and their windows fit the hand"
        else:
            reason = "no paths fit the hand, says HiGHS, but no proof of it was found"
    except BudgetEndedError as error:
        reason = str(error)
    verdict = Verdict(
        status,
        "paths",
        reason,
        witness=play,
        lower=goal if status is Status.WINNABLE else 0,
        upper=goal - 1 if status is Status.UNWINNABLE else goal,
        seconds=clock.elapsed,
    )
    return Certified(verdict, certificate)


def decide(
    instance: Instance,
    graph: Graph,
    most_left_out: int = 0,
    *,
    clock: Clock = NO_LIMIT,
    memory: int | None = None,
) -> Play | Certificate | None:
    """Return a play that leaves out at most so many cards, or a certificate that there is none.

    None if HiGHS finds no play, and no proof of that is found. Raises BudgetEndedError when the
    clock runs out.

    >>> from hanabi.solitaire import Instance
    >>> from hanabi.solitaire.paths.graph import graph_of
    >>> instance = Instance(1, [(0, 2), (0, 2), (0, 1)])
    >>> len(decide(instance, graph_of(instance)))
    4
    """
    from hanabi.solitaire.paths.program import Program
    from hanabi.solitaire.paths.refute import refute

    if not instance.goal:
        return Play()
    program = Program(instance, graph, left_out=most_left_out, memory=memory)
    found = refute(program, most_left_out, most=1, clock=clock)
    if found is None:
        play = play_along(instance, graph, program.relax(clock).edges, most_left_out)
        if play is not None:
            return play
        with _Seeker(program, clock) as seeker:
            found = refute(program, most_left_out, meanwhile=seeker.look, clock=clock)
            if found is None:
                found = seeker.wait()
    if isinstance(found, Certificate):
        return found if find_flaw(instance, found, clock) is None else None
    return None if found is None else play_along(instance, graph, found, most_left_out)


class _Seeker:
    """The integer program at work on a play, in a process of its own, while cases are refuted.

    HiGHS finds plays that cases come to late, but what it says of a loss is no proof.
    """

    def __init__(self, program: Program, clock: Clock) -> None:
        self.program, self.clock = program, clock
        self.started, self.looks = Clock(), 0
        self.solving: Solving | None = None
        self.has_failed = False

    def __enter__(self) -> _Seeker:
        return self

    def __exit__(self, *_: object) -> None:
        if self.solving is not None:
            self.solving.end()

    def look(self) -> Floats | None:
        """Return the edges of paths once they are found; the process starts after a while."""
        self.looks += 1
        if self.has_failed:
            return None
        if self.solving is None:
            if self.looks > _FEW or self.started.elapsed > _SOON:
                self.solving = self.program.start(self.clock, fits=True)
            return None
        return self.wait() if self.solving.is_over else None

    def wait(self) -> Floats | None:
        """Wait for the end of the process, and return the edges if it has found any."""
        if self.has_failed:
            return None
        if self.solving is None:
            self.solving = self.program.start(self.clock, fits=True)
        answer = self.solving.answer()
        self.has_failed = not answer.has_point
        return answer.edges if answer.has_point else None


def play_along(
    instance: Instance, graph: Graph, edges: Floats, most_left_out: int = 0
) -> Play | None:
    """Return the play along the fullest edges, if it leaves out no more cards than may be."""
    from hanabi.solitaire.paths.graph import follow

    play = eager_play(instance, follow(graph, edges, least=0.5 if most_left_out else 0.0))
    broken = find_broken_rule(instance, play)
    if broken is None:
        return play
    is_legal = broken.move > len(play)
    is_enough = is_legal and instance.goal - n_played(instance, play) <= most_left_out
    return play if is_enough else None


def describe(certificate: Certificate) -> str:
    """Return in words why nothing wins.

    >>> describe(Certificate(18, 0, (Weights(((4, 1), (6, 2)), 0, 58),)))
    'before cards 4 and 6 (2 times) together at least 58 places are needed: the hand has 18 at each'
    """
    hand = certificate.hand_size
    weights, *more = certificate.steps
    if more or isinstance(weights, Split) or weights.needs is None:
        ends = sum(isinstance(step, Weights) for step in certificate.steps)
        return (
            f"in each of {counted(ends, 'case')} of which copies are played, more places are needed"
            " than the hand has"
        )
    if len(weights.moments) == 1:
        ((position, weight),) = weights.moments
        cards = counted(-(-weights.needs // weight), "card")
        return f"just before card {position} at least {cards} must be in hand, which holds {hand}"
    if len(weights.moments) > _MOST_MOMENTS_TOLD:
        total = hand * sum(weight for _, weight in weights.moments)
        return (
            f"at {len(weights.moments)} moments together, some counted more than once, at least"
            f" {weights.needs:,} places are needed: the hand has {total:,}"
        )
    *names, last = (
        f"{position}" + (f" ({weight} times)" if weight > 1 else "")
        for position, weight in weights.moments
    )
    return (
        f"before cards {', '.join(names)} and {last} together at least {weights.needs:,} places are"
        f" needed: the hand has {hand} at each"
    )
