"""Late positions as training data: what each action is worth, exact or between certified bounds.

With all hands open the values are those of `hanabi.solvers.open_chances`; to the seat to act, which
does not see its hand, those of `hanabi.solvers.judge`. `hanabi.env.expert` plays and observes the
games, and writes the files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hanabi.env.expert import Expert, read_parts
from hanabi.env.step import check_whole
from hanabi.ground import InvalidInputError
from hanabi.rules import Action, Game, unpack_deck
from hanabi.solvers import Chances, Range, check_rules, judge, open_chances

if TYPE_CHECKING:
    from hanabi.players import Record

__all__ = ["Valued", "Values", "read_values"]

_MOST_HIDDEN = 20  # their orders are counted in 64 bits


class Valued(NamedTuple):
    """Late positions, one a row: each array is about the seat to act.

    Values are in the order of action numbers, each with its lower and its upper end, which are nan
    if the action is not legal. Both are the fractions of `hanabi chances`, rounded to the nearest
    float64. Open values times `open_cases` are whole numbers.

    Attributes
    ----------
    observations, masks, actions, rewards, dones, seats, cards, posteriors, deals
        As in `hanabi.env.expert.kernels.Moves`; `deals` numbers recorded games from 0.
    turns
        int16 (n,): turns taken before.
    left
        int8 (n,): cards to draw.
    open_cases, seat_cases
        int64 (n,): equally likely orders of these; and of these and the seat's own hand.
    open_perfect, seat_perfect
        float64 (n, actions, 2): the chance of a perfect score.
    open_points, seat_points
        float64 (n, actions, 2): the expected score.
    """

    observations: npt.NDArray[np.uint8]
    masks: npt.NDArray[np.bool_]
    actions: npt.NDArray[np.int16]
    rewards: npt.NDArray[np.float32]
    dones: npt.NDArray[np.bool_]
    seats: npt.NDArray[np.int8]
    cards: npt.NDArray[np.int8]
    posteriors: npt.NDArray[np.float32]
    deals: npt.NDArray[np.int64]
    turns: npt.NDArray[np.int16]
    left: npt.NDArray[np.int8]
    open_cases: npt.NDArray[np.int64]
    open_perfect: npt.NDArray[np.float64]
    open_points: npt.NDArray[np.float64]
    seat_cases: npt.NDArray[np.int64]
    seat_perfect: npt.NDArray[np.float64]
    seat_points: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Values:
    """The late positions of an expert's games, or of recorded ones, with the values of all actions.

    Parameters
    ----------
    expert
        The games, and how positions are observed.
    left
        The most cards to draw in a position.
    seconds
        Wall-clock time for the values by seat of a position; None: no limit. What is not exact by
        then is a wider bracket, which may differ from run to run.
    recorded
        Recorded games by the expert's rules, which are then taken in place of its own.

    Raises
    ------
    InvalidInputError
        If an argument is out of range.
    SolverError
        If the rules are not supported, as for `hanabi.solvers.open_chances`.

    >>> rows = Values(Expert("information", seed=1), left=0).play(1)
    >>> rows.left.tolist(), rows.open_points.shape
    ([0, 0], (2, 20, 2))
    >>> rows.open_points[0, rows.actions[0]].tolist(), rows.seat_points[0, rows.actions[0]].tolist()
    ([18.0, 18.0], [18.0, 18.0])
    """

    expert: Expert
    left: int = 2
    seconds: float | None = None
    recorded: Record | None = None

    def __post_init__(self) -> None:
        check_whole("left", self.left, 0)
        rules = self.expert.layout.rules
        check_rules(rules)
        if self.left + rules.hand_size > _MOST_HIDDEN:
            raise InvalidInputError(
                f"left = {self.left}: with a hand of {rules.hand_size} at most {_MOST_HIDDEN}"
            )

    @property
    def is_compiled(self) -> bool:
        """False: threads would not help."""
        return False

    def config(self) -> dict[str, Any]:
        """Return everything that determines the rows of a deal, for JSON; see `Expert.config`."""
        config = self.expert.config() | {"left": self.left, "seconds": self.seconds}
        if self.recorded is None:
            return config
        bytes_ = b"".join(np.ascontiguousarray(each).tobytes() for each in self.recorded)
        return config | {"players": None, "recorded": hashlib.sha256(bytes_).hexdigest()}

    def play(self, games: int, *, first: int = 0) -> Valued:
        """Return the late positions of the games `first` .. `first + games - 1`, in order."""
        if self.recorded is None:
            record = self.expert.record(games, first=first)
        else:
            part = slice(first, first + games)
            record = type(self.recorded)(*(each[part] for each in self.recorded))
        late = [*self._late(record)]
        kept, turns, left = (
            np.array([(place, game.turn, game.deck_left) for place, game in late], np.int64)
            .reshape(len(late), 3)
            .T
        )
        moves = self.expert.observe(record, first=first)
        arrays: dict[str, Any] = {name: each[kept] for name, each in moves._asdict().items()}
        arrays |= {"turns": turns.astype(np.int16), "left": left.astype(np.int8)}
        for side, found in (
            ("open", [(game, open_chances(game)) for _, game in late]),
            (
                "seat",
                [
                    (game, judge(game.view(game.seat_to_act), seconds=self.seconds))
                    for _, game in late
                ],
            ),
        ):
            arrays[f"{side}_cases"] = np.array([each.cases for _, each in found], np.int64)
            arrays[f"{side}_perfect"] = self._ends(found, "perfect")
            arrays[f"{side}_points"] = self._ends(found, "points")
        return Valued(**arrays)

    def _ends(self, found: Sequence[tuple[Game, Chances]], what: str) -> npt.NDArray[np.float64]:
        """Return both ends of a value of each action, by its number."""
        layout = self.expert.layout
        ends = np.full((len(found), layout.actions, 2), np.nan)
        for row, (game, chances) in enumerate(found):
            for each in chances.actions:
                value: Range = getattr(each, what)
                number = layout.number(each.action, game.seat_to_act)
                ends[row, number] = float(value.low), float(value.high)
        return ends

    def _late(self, record: Record) -> Iterator[tuple[int, Game]]:
        """Yield each late position, with its place among all turns."""
        place = 0
        for deck, taken, turns in zip(*record, strict=True):
            game = Game.start(self.expert.layout.rules, unpack_deck(deck))
            for code in taken[:turns].tolist():
                if game.deck_left <= self.left:
                    yield place, game
                game = game.apply(Action.from_code(code))
                place += 1


def read_values(folder: str | Path) -> Iterator[Valued]:
    """Yield the rows of each file of positions, as `hanabi.env.expert.read_shards` does.

    >>> import tempfile
    >>> from hanabi.env.expert import write_shards
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     values = Values(Expert("information", seed=1), left=0)
    ...     _ = write_shards(values, folder, 2, shard=1, form="npz", workers=1)
    ...     [rows.left.tolist() for rows in read_values(folder)]
    [[0, 0], []]
    """
    return read_parts(folder, Valued)
