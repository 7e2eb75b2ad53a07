"""Why a position cannot be won: the best reason that is found in time, and its proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hanabi.clock import Clock
from hanabi.errors import SolverError
from hanabi.game import Game
from hanabi.verdict import Status, Verdict
from hanabi.winnable.images import images
from hanabi.winnable.last_round import MOST_STEPS, refute_distribution
from hanabi.winnable.merged import refute
from hanabi.winnable.pace import Refutation
from hanabi.winnable.position import Goal, Line, Position, highest_goal
from hanabi.winnable.solver import without_deck_plays

if TYPE_CHECKING:
    from hanabi.winnable.sat import GameCertificate

__all__ = ["Reasons", "explain", "reasons_of", "why_lost"]

_MOST_SECONDS = 60.0
"""For a reason to read, if time has no limit."""
_SHARE = 0.7
"""Of the time that is left when a deck is found lost, what a reason to read may take."""


def explain(
    position: Position, goal: Goal, *, most_steps: int = MOST_STEPS, seconds: float | None = None
) -> Refutation | None:
    """Return a proof to read that `goal` cannot be reached, or None if none was found.

    The shortest arguments come first: pace, then the merged hand, then who holds the last cards.
    Independent of the compiled solvers; None says nothing about whether the goal can be reached.

    `most_steps` and `seconds` as for `hanabi.winnable.last_round.refute_distribution`.

    >>> from hanabi import DeckSpec
    >>> from hanabi.game import Rules
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1)
    >>> for deck in [(1, 2, 3), (1, 3, 2)]:
    ...     position = Position.start(rules, [(0, rank) for rank in deck])
    ...     found = explain(position, (3,))
    ...     print(found and found.name)
    None
    bottom deck
    """
    clock = Clock(seconds)
    found = refute(position, goal, seconds=clock.left)
    if found is not None:
        return found
    return refute_distribution(position, goal, most_steps=most_steps, seconds=clock.left)


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a position is lost, if it is known to be."""

    refutation: Refutation | None
    """The reason for people."""
    certificate: GameCertificate | None = None
    """The proof by SAT, if it was asked for and found."""
    no_proof: str | None = None
    """Why there is no proof although it was asked for."""


def reasons_of(
    game: Game, verdict: Verdict[Line], *, proof: bool, left: Callable[[], float | None]
) -> Reasons:
    """Return the best reason to read that is found in time, and the proof if it was asked for.

    If no argument for people is found, the formula of the position is the reason, or at last the
    search that decided. `verdict` is what was decided about the game, `proof` whether a proof by
    SAT is wanted, and `left` tells how many seconds are left (None: no limit).

    >>> from hanabi.game import Rules
    >>> rules = Rules.hanab_live(seats=3)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> won = Verdict(Status.WINNABLE, "greedy", "a line")
    >>> reasons_of(game, won, proof=True, left=lambda: None).no_proof
    'the answer is winnable'
    """
    if verdict.status is not Status.UNWINNABLE:
        return Reasons(None, None, f"the answer is {verdict.status}" if proof else None)
    if not game.can_act:
        refutation = Refutation("game over", f"it ended with {game.score} points", (), 0)
        return Reasons(refutation, None, "the game is over" if proof else None)
    found, certificate, decided = why_lost(game, left()), None, verdict
    no_proof = None
    if proof or (found is None and verdict.method != "sat"):
        from hanabi.winnable.sat import certify

        try:
            certificate = certify(without_deck_plays(game), seconds=left())
        except SolverError as error:
            no_proof = str(error)
        else:
            if certificate.proof is not None:
                decided = certificate.verdict
    if found is None:
        name = "formula" if decided.method == "sat" else decided.method
        found = Refutation(name, decided.reason, (), 0)
    if not proof or certificate is None:
        return Reasons(found, None, no_proof if proof else None)
    if certificate.proof is None:
        return Reasons(found, None, certificate.verdict.reason)
    return Reasons(found, certificate)


def why_lost(game: Game, seconds: float | None) -> Refutation | None:
    """Return the proof for people that a position cannot be won, if one is found in time.

    There is none where the deck's last card may still be played from there, or cards are missing.
    """
    if not game.can_act or game.missing or (game.rules.deck_plays and game.deck_left):
        return None
    game = without_deck_plays(game)
    clock = Clock(_MOST_SECONDS if seconds is None else seconds * _SHARE)
    found = []
    for image in images(game):
        position = Position.of_game(image.game)
        refutation = explain(position, highest_goal(position.rules), seconds=clock.left)
        if refutation is None:
            return None
        found.append(image.in_words(refutation))
    return found[0] if len(found) == 1 else _for_each(found)


def _for_each(found: Sequence[Refutation]) -> Refutation:
    """Return the refutations of all ways to build the piles as one."""
    steps = [
        line
        for number, each in enumerate(found, start=1)
        for line in (f"({number}) {each.name}: {each.summary}", *(f"  {s}" for s in each.steps))
    ]
    name = Counter(each.name for each in found).most_common(1)[0][0]
    summary = f"in each of the {len(found)} ways to build the piles; in one, {found[0].summary}"
    return Refutation(name, summary, tuple(steps), sum(each.choices for each in found))
