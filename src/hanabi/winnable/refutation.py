"""A proof for people that a goal cannot be reached; what every argument of this room gives."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Refutation"]


@dataclass(frozen=True, slots=True)
class Refutation:
    """A proof that a goal cannot be reached.

    Attributes
    ----------
    name
        Of the kind of reason; see the tables of `hanabi.winnable.pace`, `bounds`, `last_round`.
    summary
        One sentence.
    steps
        The proof, one line a step, indented by the number of choices before it.
    choices
        Number of positions in the proof where something is to be chosen; 0 if the summary says
        it all.

    `str` gives the whole proof.
    """

    name: str
    summary: str
    steps: tuple[str, ...]
    choices: int

    def __str__(self) -> str:
        return "\n".join((f"{self.name}: {self.summary}", *self.steps))
