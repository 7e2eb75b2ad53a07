"""What is asked of an input, whichever of the two games it turns out to be for."""

from __future__ import annotations

from dataclasses import dataclass

from hanabi.errors import InvalidInputError, ParameterError, quote

__all__ = ["DEFAULT_SECONDS", "Question"]

DEFAULT_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Question:
    """What is wanted, and within which limits.

    Attributes
    ----------
    players, rules, at, best, lost_at
        Of the full game: how many the cards are dealt to, the rule set as for `hanabi.solve`,
        after how many recorded moves to look at it; whether the best score is wanted that can be
        reached, and the first move after which no line wins.
    solitaire, hand_size, least_hand, most_cards, method
        Of Solitaire Hanabi: whether real games are solved as one, too; a hand that wins over what
        the input says; whether the least hand is wanted that wins, and the most cards that can be
        played; one of the solver's METHODS.
    proof, certificate
        Whether a proof is wanted that nothing wins: in DRAT form, then SAT decides; of Solitaire
        Hanabi by weights on moments, then paths decide.
    seconds, memory
        Time for everything together, None for no limit; bytes, None for the solver's own choice.
    full_game_for, solitaire_for
        What else there is only in one of the games, in words.

    Raises
    ------
    InvalidInputError
        If parts are for different games, or the time is no number >= 0.
    """

    players: int | None = None
    rules: object = None
    at: int | None = None
    best: bool = False
    lost_at: bool = False
    solitaire: bool = False
    hand_size: int | None = None
    least_hand: bool = False
    most_cards: bool = False
    method: str = "auto"
    proof: bool = False
    certificate: bool = False
    seconds: float | None = DEFAULT_SECONDS
    memory: int | None = None
    full_game_for: str | None = None
    solitaire_for: str | None = None

    def __post_init__(self) -> None:
        solitaire, full_game = self.solitaire_by or self.needed_by, self.full_game_by
        if solitaire and full_game:
            raise ParameterError(
                f"{solitaire} is for Solitaire Hanabi, {full_game} for the full game"
            )
        if self.seconds is not None and not self.seconds >= 0:
            raise InvalidInputError(f"seconds: {quote(self.seconds)} is not a number >= 0")

    @property
    def full_game_by(self) -> str | None:
        """What makes it a question about the full game, if anything: `{parameter}`, or words."""
        names = ("players", "rules", "at", "best", "lost_at")
        return self._first_given(*names) or self.full_game_for

    @property
    def solitaire_by(self) -> str | None:
        """What makes it a question about Solitaire Hanabi, if anything does, in the same way."""
        names = ("solitaire", "hand_size", "least_hand", "most_cards")
        return self._first_given(*names) or self.solitaire_for

    @property
    def needed_by(self) -> str | None:
        """What the full game does not have, but does not make a game a solitaire either."""
        if self.certificate:
            return "{certificate}"
        return None if self.method == "auto" else "{method}"

    def _first_given(self, *names: str) -> str | None:
        for name in names:
            value: object = getattr(self, name)
            if value is not None and value is not False:  # 0 is given, too
                return f"{{{name}}}"
        return None
