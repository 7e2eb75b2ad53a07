"""How hard Solitaire Hanabi is, for every choice of which of its parameters are constants.

The parameters are the hand size h, the most copies r of a card, and the numbers n of values and c
of colors. Each of them is a constant or part of the input. In every case the problem is in P or
NP-complete, and `classify` gives an algorithm of this package that decides it, or a reduction from
3-SAT at exactly these parameters. Some may be *parameters* instead, the number N of cards too. Then
the problem is in P, fixed-parameter tractable, W[1]-hard but in P for each value of the parameters,
or NP-hard already for a value. How well the most cards and the least hand can be approximated is in
:mod:`hanabi.solitaire.hardness.approximation`.

Proofs: `docs/complexity.md`. The linear-time cases r = 1 and
c = 1 and the dynamic program are those of [Baffier2017]; the other cases are proved here, and no
priority is claimed: [MathNet2025] announces the minimal parameters of NP-hardness.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from hanabi.ground import InvalidInputError, counted, quote

__all__ = ["PARAMETERS", "Complexity", "classify", "complexity_tables", "described"]

Class = Literal["P", "NP-complete", "FPT", "W[1]-hard", "para-NP-hard"]
PARAMETERS = {"c": "colors", "h": "hand_size", "n": "values", "N": "cards"}
"""What may be a parameter, with its name in `classify`, which does not know the number N of cards.
"""


@dataclass(frozen=True, slots=True)
class Complexity:
    """A class of streams, and how hard it is to decide which of them can be won.

    Attributes
    ----------
    hand_size, multiplicity, values, colors
        h, r, n and c; None: part of the input. `multiplicity` is the most copies of a card.
    complexity
        "P" or "NP-complete"; with parameters also "FPT", "W[1]-hard" or "para-NP-hard".
    theorem
        The number of the theorem in `docs/complexity.md`.
    method
        The solver that decides in polynomial time, or the variant of the reduction.
    reason
        Why, in one sentence.
    size
        Time of the algorithm; or size of the reduction's stream for v variables, m clauses and L
        literals, of which q are negative, with two copies of a card.
    source
        A key of `docs/references.md`, or "this package".
    parameters
        Those of `PARAMETERS` that are neither constants nor just part of the input.
    """

    hand_size: int | None
    multiplicity: int | None
    values: int | None
    colors: int | None
    complexity: Class
    theorem: int
    method: str
    reason: str
    size: str
    source: str
    parameters: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        """The command that runs the algorithm or the reduction.

        >>> classify(hand_size=2, multiplicity=3, values=3).command
        'hanabi reduce formula.cnf --variant three_values --multiplicity 3 -o cards.json'
        """
        if self.complexity in ("P", "FPT"):
            return f"hanabi solve cards.json --method {self.method}"
        if self.complexity == "W[1]-hard":
            return f"hanabi reduce graph.col --variant {self.method} -o cards.json"
        options = [
            f" --{name} {number}"
            for name, number, least in (
                ("hand-size", self.hand_size, _LEAST_HAND[self.method]),
                ("multiplicity", self.multiplicity, 2),
                ("values", self.values, _LEAST_VALUES[self.method]),
            )
            if number is not None and number != least
        ]
        return f"hanabi reduce formula.cnf --variant {self.method}{''.join(options)} -o cards.json"

    @property
    def described(self) -> str:
        """The class of streams in words.

        >>> classify(hand_size=1, values=4).described
        'a hand of 1, any number of copies, 4 values, any number of colors'
        """
        told = described(self.hand_size, self.multiplicity, self.values, self.colors)
        return told + "".join(f", {name} as a parameter" for name in self.parameters)

    def to_json(self) -> dict[str, object]:
        """Return a JSON document; null stands for a parameter that is part of the input."""
        names = "hand_size", "multiplicity", "values", "colors"
        rest = "theorem", "method", "reason", "size", "source", "command"
        document: dict[str, object] = {name: getattr(self, name) for name in names}
        document |= {"class": self.complexity} | {name: getattr(self, name) for name in rest}
        return document | {"parameters": self.parameters} if self.parameters else document


def described(h: int | None, r: int | None, n: int | None, c: int | None) -> str:
    """Return a class of streams in words."""
    return ", ".join(
        (
            "any hand" if h is None else f"a hand of {h}",
            "any number of copies" if r is None else f"at most {counted(r, 'copy', 'copies')}",
            "any number of values" if n is None else counted(n, "value"),
            "any number of colors" if c is None else counted(c, "color"),
        )
    )


_LEAST_HAND = {"four_values": 1, "three_values": 2, "two_colors": None}
_LEAST_VALUES = {"four_values": 4, "three_values": 3, "two_colors": None}

_BAFFIER, _OURS = "Baffier2017", "this package"


def classify(
    *,
    hand_size: int | None = None,
    multiplicity: int | None = None,
    values: int | None = None,
    colors: int | None = None,
    parameters: Collection[str] = (),
) -> Complexity:
    """Return how hard it is to decide a class of streams. None: part of the input.

    Those named in `parameters` are None too. Raises InvalidInputError if they are not, or unknown.

    >>> found = classify(hand_size=1, multiplicity=2, values=3)
    >>> found.complexity, found.method, found.size
    ('P', 'two_sat', 'O(N log N)')
    >>> classify(hand_size=1, multiplicity=2, values=4).complexity
    'NP-complete'
    >>> classify(multiplicity=2, colors=2).method
    'two_colors'
    >>> found = classify(multiplicity=2, colors=2, parameters="h")
    >>> found.complexity, found.method
    ('W[1]-hard', 'two_colors_by_hand')
    """
    if parameters:
        given = {"hand_size": hand_size, "multiplicity": multiplicity, "values": values}
        return _with_parameters(parameters, given | {"colors": colors})
    h, r, n, c = hand_size, multiplicity, values, colors
    theorem = 1 if c is None else 2

    def found(
        complexity: Class, method: str, reason: str, size: str, source: str = _OURS
    ) -> Complexity:
        return Complexity(h, r, n, c, complexity, theorem, method, reason, size, source)

    if r is not None and r <= 1:
        reason = "no card can be thrown away, so there is nothing to choose"
        return found("P", "unique", reason, "O(N)", _BAFFIER)
    if c is not None and c <= 1:
        reason = "in one color, the latest copies that still fit are right"
        return found("P", "single_color", reason, "O(N + n log(h + 1))", _BAFFIER)
    if n is not None and n <= 2:
        reason = "with at most two values, every window is forced"
        return found("P", "forced", reason, "O(N)")
    if h == 0:
        reason = "without a hand, a card is played when it is drawn or never"
        return found("P", "forced", reason, "O(N)")
    if n == 3 and h == 1:
        reason = "each color has at most two windows, and no two may overlap: 2-SAT"
        return found("P", "two_sat", reason, "O(N log N)")
    if c is not None and h is not None:
        reason = "c and h are constants: the dynamic program is polynomial"
        return found("P", "table", reason, "O(N (nc)^h n^c) entries", _BAFFIER)
    if c is not None and n is not None:
        reason = "c and n are constants, and no more than nc cards are ever held"
        return found("P", "table", reason, "O(N 2^(nc) n^c) entries", _BAFFIER)
    if c is not None:
        reason = "3-SAT in two colors: the hand is exactly full where a clause is true"
        if c > 2:
            reason += "; further colors are appended in order"
        size = "h = 5m, n = 2v + 22m + q + 1, N = 2n + 10m"
        return found("NP-complete", "two_colors", reason, size)
    if n == 3:
        reason = "3-SAT with two places: held here or there, and false literals are passed on"
        size = f"c = v + 3m + 3L{_more(h, 2, 3)}, N = 3c + v + 2L"
        return found("NP-complete", "three_values", reason, size)
    reason = "3-SAT with one place: a color for each variable, and one for each clause"
    size = f"c = v + m{_more(h, 1, n or 4)}, N = {4 if n is None else n}c + v + L - m"
    return found("NP-complete", "four_values", reason, size)


def _with_parameters(parameters: Collection[str], given: dict[str, int | None]) -> Complexity:
    for name in parameters:
        if name not in PARAMETERS:
            raise InvalidInputError(f"parameter {quote(name)}: one of {', '.join(PARAMETERS)}")
        if given.get(PARAMETERS[name]) is not None:
            raise InvalidInputError(f"parameter {name}: it has the value {given[PARAMETERS[name]]}")
    names = tuple(name for name in PARAMETERS if name in parameters)
    plain = classify(**given, parameters=())
    if plain.complexity == "P":
        return replace(plain, parameters=names)

    def found(complexity: Class, method: str, reason: str, size: str) -> Complexity:
        return replace(
            plain,
            complexity=complexity,
            theorem=3,
            method=method,
            reason=reason,
            size=size,
            source=_OURS,
            parameters=names,
        )

    if "N" in names:
        reason = "each card is played or not; four_values shows that 2^o(N) is too little (ETH)"
        return found("FPT", "search", reason, "O(2^N N)")
    # Hard for some values, then for all larger ones: these are large enough.
    values = {"c": 2, "h": 2 if given["values"] == 3 else 1, "n": 4}
    some = classify(**given | {PARAMETERS[name]: values[name] for name in names}, parameters=())
    if some.complexity != "P":
        return found("para-NP-hard", some.method, some.reason, some.size)
    if all(name in names or given[PARAMETERS[name]] is not None for name in "cn"):
        reason = "no more than nc cards are ever held: the dynamic program"
        return found("FPT", "table", reason, "O(N 2^(nc) n^c) entries")
    if "h" in names:
        reason = "cliques by two colors: the hand holds the choice of each class"
        return found("W[1]-hard", "two_colors_by_hand", reason, "h = k + 4, c = 2")
    reason = "cliques by one card in hand: the piles hold the choice of each class"
    return found("W[1]-hard", "clique", reason, "c = 2k + 2")


def _more(hand_size: int | None, least: int, n: int) -> str:
    """Return the term for the colors that fill a larger hand: n - 1 places each."""
    places = 0 if hand_size is None else max(hand_size - least, 0)
    return f" + {-(-places // (n - 1))}" if places else ""


def complexity_tables() -> Iterator[tuple[str, tuple[tuple[str, ...], ...]]]:
    """Yield the tables of theorems 1 to 3, each with a title; the first row is the header.

    Every cell is the answer of `classify` for one choice of the numbers that it stands for.

    >>> for title, rows in complexity_tables():
    ...     print(title, len(rows), len(rows[0]))
    Theorem 1: any number of colors 6 4
    Theorem 2: a fixed number of colors 4 4
    Theorem 3: parameters, for r >= 2 7 5
    """
    hands: tuple[tuple[str, int | None, int | None], ...] = (
        ("r = 1, any h", None, 1),
        ("r >= 2, h = 0", 0, 2),
        ("r >= 2, h = 1", 1, 2),
        ("r >= 2, each h >= 2", 2, 2),
        ("r >= 2, h in the input", None, 2),
    )
    yield (
        "Theorem 1: any number of colors",
        (
            ("", "n <= 2", "n = 3", "n >= 4 or in the input"),
            *(
                (name, *(_cell(hand_size=h, multiplicity=r, values=n) for n in (2, 3, None)))
                for name, h, r in hands
            ),
        ),
    )
    colors: tuple[tuple[str, int, int], ...] = (
        ("c = 1", 1, 2),
        ("r = 1, each c >= 2", 2, 1),
        ("r >= 2, each c >= 2", 2, 2),
    )
    yield (
        "Theorem 2: a fixed number of colors",
        (
            ("", "h fixed", "n fixed", "h and n in the input"),
            *(
                (
                    name,
                    *(
                        _cell(hand_size=h, multiplicity=r, values=n, colors=c)
                        for h, n in ((2, None), (None, 3), (None, None))
                    ),
                )
                for name, c, r in colors
            ),
        ),
    )

    fixed: tuple[dict[str, int], ...] = ({}, {"colors": 2}, {"hand_size": 1}, {"values": 4})
    yield (
        "Theorem 3: parameters, for r >= 2",
        (
            ("", "the rest in the input", "c >= 2 fixed", "h >= 1 fixed", "n >= 4 fixed"),
            *(
                (
                    " and ".join(names),
                    *(
                        "-"
                        if any(PARAMETERS[name] in given for name in names)
                        else _cell(multiplicity=2, parameters=names, **given)
                        for given in fixed
                    ),
                )
                for names in ("c", "h", "n", "ch", "cn", "N")
            ),
        ),
    )


def _cell(*, parameters: Collection[str] = (), **given: int | None) -> str:
    found = classify(parameters=parameters, **given)
    return f"{found.complexity}: {found.method}"
