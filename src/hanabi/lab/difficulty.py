"""Outcomes of random decks of a table, each played several times, to compare a deck with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hanabi.errors import InvalidInputError, quote
from hanabi.game.config import Rules
from hanabi.lab.store import Store
from hanabi.lab.work import JSON, Job, key_of, points_of, revisions_of, rules_to_json
from hanabi.players.registry import as_player, compile_team, format_player
from hanabi.players.renamed import renamed_outcomes
from hanabi.rng import Stream

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["RenamedGames", "renamed_games"]


@dataclass(frozen=True, slots=True)
class RenamedGames:
    """Shuffled decks, numbered, each played several times; see `hanabi.players.renamed`.

    The record of a deck is the outcome of each of its games, in two bytes, the low one first.

    Attributes
    ----------
    player
        The player at every seat.
    rules
        The rules, seats included.
    seed
        Deck `index` is `rules.spec.shuffle(seed, index)`; `seed` and `index` also determine the
        random decisions of its games.
    games
        The number of games of each deck.

    Raises
    ------
    InvalidInputError
        If there is no such player, or `games` is less than 1.

    >>> work = RenamedGames("random", Rules.hanab_live(3), seed=1, games=5)
    >>> work.run(0, 4) == work.run(0, 1) + work.run(1, 3)
    True
    """

    player: str
    rules: Rules
    seed: int
    games: int

    kind: ClassVar[str] = "renamed games"
    version: ClassVar[int] = 1
    noun: ClassVar[str] = "decks"

    def __post_init__(self) -> None:
        as_player(self.player)
        if self.games < 1:
            raise InvalidInputError(f"games = {quote(self.games)} is not 1 or more")

    @property
    def is_compiled(self) -> bool:
        """Whether compiled code alone plays the games."""
        return compile_team([as_player(self.player)] * self.rules.seats, self.rules) is not None

    def config(self) -> dict[str, JSON]:
        """Return the player with all parameters, the rules, the seed and the number of games."""
        player = as_player(self.player)
        return {
            "player": format_player(player),
            "rules": rules_to_json(self.rules),
            "seed": self.seed,
            "games": self.games,
            **points_of(self.rules),
            **revisions_of(player),
        }

    def run(self, first: int, count: int, /) -> bytes:
        """Play the decks `first` .. `first + count - 1`."""
        import numpy as np

        played = [
            renamed_outcomes(
                self.player,
                self.rules,
                self.rules.spec.shuffle(self.seed, index),
                self.games,
                seed=Stream(self.seed, index).word(),
            )
            for index in range(first, first + count)
        ]
        return np.array(played, "<u2").tobytes()


def renamed_games(store: Store, job: Job) -> npt.NDArray[np.int64]:
    """Return the outcomes of a finished job, a row a deck.

    Raises
    ------
    StoreError
        If the store lacks one of its decks.
    """
    import numpy as np

    work = job.work
    if not isinstance(work, RenamedGames):
        raise InvalidInputError(f"{quote(work)} is no work on renamed games")
    payload = store.payload(key_of(work), job.items, width=2 * work.games)
    return np.frombuffer(payload, "<u2").reshape(job.items, work.games).astype(np.int64)
