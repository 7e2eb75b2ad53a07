"""The windows of a stream that was answered: in sentences, and as a picture of arcs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hanabi.ground import Arcs, BudgetEndedError, Clock, Status, counted
from hanabi.shell.session.answer import Answer
from hanabi.solitaire import (
    Certificate,
    Instance,
    Looks,
    Play,
    Ways,
    Weights,
    Window,
    arcs_of,
    cheapest_windows,
    ways_of,
    windows_of,
)
from hanabi.solitaire import (
    describe_windows as describe,
)

__all__ = ["Explanation", "explain_answer", "explain_play"]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the windows of a stream say.

    Attributes
    ----------
    instance
        The stream.
    ways
        The ways to play each color.
    held
        The windows of the play; or, at the moments of a lost stream, those that cost least.
    play
        The play, if one is known.
    moments
        Moments at which no play finds places enough, with their weights.
    reason
        Why it is won or lost.
    """

    instance: Instance
    ways: tuple[Ways, ...]
    held: tuple[Window, ...] = ()
    play: Play | None = None
    moments: tuple[tuple[int, int], ...] = ()
    reason: str = ""

    def __str__(self) -> str:
        return self.reason or "; ".join(self.sentences())

    def __repr__(self) -> str:
        return f"<Explanation of {counted(self.instance.N, 'card')}>"

    def sentences(self) -> Iterator[str]:
        """Yield what there is to say, as `hanabi.solitaire.windows.describe` does."""
        yield from describe(self.instance, self.ways, None if self.play is None else self.held)

    def arcs(
        self,
        *,
        first: int | None = None,
        last: int | None = None,
        looks: Looks | None = None,
        titles: Iterable[tuple[str, int, int]] = (),
    ) -> Arcs:
        """Return the picture; the parameters are those of `hanabi.solitaire.picture.arcs_of`."""
        return arcs_of(
            self.instance,
            self.ways,
            self.held,
            play=self.play,
            moments=dict(self.moments),
            first=first,
            last=last,
            looks=looks,
            titles=titles,
            notes=[f"{self.reason[:1].upper()}{self.reason[1:]}."] if self.reason else [],
        )


def explain_play(instance: Instance, play: Play, *, clock: Clock | None = None) -> Explanation:
    """Return what the windows of a play say; the errors are those of `windows_of` and `ways_of`.

    >>> stream = Instance(1, [(0, 2), (0, 1)])
    >>> play = Play([(1, "store"), (2, "play"), (1, "play")])
    >>> print(*explain_play(stream, play).sentences(), sep="; ")
    With a single way: r (r2 waits over cards 1-2).; The play needs at most 1 of 1 place at once;
    the hand is full just before card 2.
    """
    held = windows_of(instance, play)
    return Explanation(instance, ways_of(instance, clock=clock or Clock(None)), held, play)


def explain_answer(answer: Answer, *, clock: Clock | None = None) -> Explanation:
    """Return what the windows of an answer about Solitaire Hanabi say.

    For a lost stream it looks for a certificate, unless the answer has one. Raises BudgetEndedError
    if the windows cannot be listed before the clock runs out, or in 1 GiB.

    >>> from hanabi.shell.session.solving import solve
    >>> lost = explain_answer(solve("hand 1  r2 y2 r1 y1"))
    >>> lost.moments, lost.reason
    (((3, 1),), 'just before card 3 at least 2 cards must be in hand, which holds 1')
    """
    clock = clock or Clock(None)
    instance = answer.instance
    if instance is None:
        raise TypeError("an answer about the full game has no windows")
    if answer.play is not None:
        return explain_play(instance, answer.play, clock=clock)
    ways = ways_of(instance, clock=clock)
    if answer.status is not Status.UNWINNABLE or not ways:
        return Explanation(instance, ways, reason=answer.reason)
    certificate = answer.weights or _certificate(instance, clock)
    if certificate is None:
        return Explanation(instance, ways, reason=answer.reason)
    from hanabi.solitaire import describe_paths as describe_certificate

    reason = describe_certificate(certificate)
    first, *more = certificate.steps
    if more or not isinstance(first, Weights):
        return Explanation(instance, ways, reason=reason)
    held = cheapest_windows(instance, dict(first.moments), clock=clock)
    return Explanation(instance, ways, held, moments=first.moments, reason=reason)


def _certificate(instance: Instance, clock: Clock) -> Certificate | None:
    from hanabi.solitaire import certify_by_paths as certify

    try:
        return certify(instance, seconds=clock.left).certificate
    except BudgetEndedError:
        return None
