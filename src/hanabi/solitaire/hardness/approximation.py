"""How well the most cards and the least hand can be approximated, for each choice of constants.

A *scheme* is a polynomial algorithm for each factor 1 + e. "No scheme" and "no factor" mean: unless
P = NP. Proofs: `docs/complexity.md`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Literal

from hanabi.solitaire.hardness.complexity import classify, described

__all__ = ["Approximation", "approximation_table", "classify_least_hand", "classify_most_cards"]

Class = Literal["P", "NP-hard", "open"]


@dataclass(frozen=True, slots=True)
class Approximation:
    """A class of streams, and how close an answer in polynomial time can be.

    Attributes
    ----------
    problem
        "most cards" or "least hand".
    hand_size, multiplicity, values, colors
        h, r, n and c; None: part of the input. For the least hand, h is None.
    complexity
        Of the exact answer: "P", "NP-hard" or "open".
    theorem
        The number of the theorem in `docs/complexity.md`.
    method
        An algorithm, or the variant of the reduction; empty if there is none.
    reason
        Why, in one sentence.
    barrier
        What cannot be reached; empty if nothing more is known.
    guarantee
        The factor that an algorithm reaches.
    """

    problem: str
    hand_size: int | None
    multiplicity: int | None
    values: int | None
    colors: int | None
    complexity: Class
    theorem: int
    method: str
    reason: str
    barrier: str
    guarantee: str

    @property
    def command(self) -> str:
        """The command that finds the best answer known, with its bounds."""
        if self.problem == "most cards" and self.method in ("forced", "single_color", "table"):
            return f"hanabi solve cards.json --most-cards --method {self.method}"
        return f"hanabi solve cards.json --{self.problem.replace(' ', '-')}"

    @property
    def described(self) -> str:
        """The class of streams in words."""
        told = described(self.hand_size, self.multiplicity, self.values, self.colors)
        return told if self.problem == "most cards" else told.removeprefix("any hand, ")

    def to_json(self) -> dict[str, object]:
        """Return a JSON document; null stands for a parameter that is part of the input."""
        document = asdict(self)
        return document | {"class": document.pop("complexity"), "command": self.command}


def classify_most_cards(
    *,
    hand_size: int | None = None,
    multiplicity: int | None = None,
    values: int | None = None,
    colors: int | None = None,
) -> Approximation:
    """Return how well the most cards that can be played are approximated. None: in the input.

    >>> found = classify_most_cards(hand_size=1, multiplicity=2, values=3)
    >>> found.complexity, found.method, found.guarantee
    ('NP-hard', 'most_cards_two_copies', '3/2')
    """
    h, r, n, c = hand_size, multiplicity, values, colors

    def found(complexity: Class, method: str, reason: str, barrier: str = "") -> Approximation:
        guarantee = "1" if complexity == "P" else "3/2" if (n, h) == (3, 1) else factor
        texts = method, reason, barrier, guarantee
        return Approximation("most cards", h, r, n, c, complexity, 4, *texts)

    factor = str(min((x for x in (n, c) if x is not None), default="min(c, n)"))
    if h == 0:
        return found("P", "forced", "without a hand, no color stands in the way of another")
    if c is not None and c <= 1:
        return found("P", "single_color", "the values 1 .. k are the stream with n = k")
    if n is not None and n <= 2:
        return found("P", "gains", "a color has at most one window: the most intervals that fit")
    if c is not None and (h is not None or n is not None):
        return found("P", "table", "the dynamic program holds the most cards, too")
    if r is not None and r <= 1 and c is not None:
        return found("P", "paths", "a color's height leaves no choice: try all n^c heights")
    if c is not None:
        return found("NP-hard", "two_colors", "whether all can be played is NP-complete")
    if r is not None and r <= 1 and n == 3:
        if h is not None:
            reason = "windows of a color close together: a dynamic program over the open ones"
            return found("P", "gains", reason)
        return found("open", "", "dynamic program: N^O(h); the linear program has gaps")
    if n == 3:
        reason = "each independent set is worth its vertices: 2V + 3E + alpha cards"
        return found("NP-hard", "most_cards_two_copies", reason, "no scheme")
    if n is not None:
        reason = "each independent set is worth its vertices: 5V + alpha cards"
        return found("NP-hard", "most_cards_one_copy", reason, "no scheme")
    reason = "colors as vertices: to go on at an edge takes the whole hand"
    return found("NP-hard", "most_cards_one_copy", reason, "no factor c^(1-e)")


def classify_least_hand(
    *, multiplicity: int | None = None, values: int | None = None, colors: int | None = None
) -> Approximation:
    """Return how well the least hand that wins is approximated. None: part of the input.

    >>> classify_least_hand(multiplicity=2, values=4).barrier
    'no factor below 2'
    """
    r, n, c = multiplicity, values, colors
    decision = classify(multiplicity=r, values=n, colors=c)

    def found(complexity: Class, reason: str, barrier: str, guarantee: str) -> Approximation:
        texts = decision.method, reason, barrier, guarantee
        return Approximation("least hand", None, r, n, c, complexity, 5, *texts)

    if decision.complexity == "P":
        return found("P", "each hand is decided in polynomial time", "", "1")
    additive = "h + O(sqrt(n h ln N) + n ln N)"
    if c is not None:
        return found("NP-hard", "whether a given hand wins is NP-complete", "", additive)
    if n == 3:
        reason = "whether a hand of 2 wins is NP-complete"
        return found("NP-hard", reason, "no factor below 3/2", additive)
    reason = "whether a hand of 1 wins is NP-complete"
    return found("NP-hard", reason, "no factor below 2", additive)


def approximation_table(problem: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the table of "most cards" or "least hand"; the first is the header.

    >>> len(list(approximation_table("most cards"))), len(list(approximation_table("least hand")))
    (10, 5)
    """
    columns = ("n <= 2", 2), ("n = 3", 3), ("each n >= 4", 4), ("n in the input", None)
    yield "", *(name for name, _ in columns)
    asks_for_hand = problem == "least hand"
    find = classify_least_hand if asks_for_hand else classify_most_cards
    for name, given in _LEAST_HAND if asks_for_hand else _MOST_CARDS:
        cells = (find(values=n, **given) for _, n in columns)
        yield (
            name,
            *(
                (cell.barrier or cell.complexity) + (", but 3/2" if cell.guarantee == "3/2" else "")
                for cell in cells
            ),
        )


_LEAST_HAND: tuple[tuple[str, dict[str, int]], ...] = (
    ("r = 1", {"multiplicity": 1}),
    ("r >= 2", {"multiplicity": 2}),
    ("c = 1", {"colors": 1}),
    ("r >= 2, each c >= 2", {"multiplicity": 2, "colors": 2}),
)
_MOST_CARDS: tuple[tuple[str, dict[str, int]], ...] = (
    ("h = 0", {"hand_size": 0}),
    ("r = 1, each h >= 1", {"hand_size": 2, "multiplicity": 1}),
    ("r = 1, h in the input", {"multiplicity": 1}),
    ("r >= 2, h = 1", {"hand_size": 1, "multiplicity": 2}),
    ("r >= 2, each h >= 2", {"hand_size": 2, "multiplicity": 2}),
    ("r >= 2, h in the input", {"multiplicity": 2}),
    ("c = 1; or r = 1, each c", {"multiplicity": 1, "colors": 2}),
    ("each c and h", {"hand_size": 2, "multiplicity": 2, "colors": 2}),
    ("each c, r >= 2, h in the input", {"multiplicity": 2, "colors": 2}),
)
