"""A review as a typed document: what scripts read as JSON, and what tables are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import EnumType, StrEnum
from fractions import Fraction
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from hanabi.conventions import ConventionNotes
from hanabi.ground import InvalidInputError
from hanabi.reviews.chances import Chance
from hanabi.reviews.decisions import DecisionKind, DecisionRemark, EstimateRemark
from hanabi.rules import Action, Audience, PaceRisk, RecordedAction
from hanabi.solvers import Prospect, Range

__all__ = [
    "Because",
    "Best",
    "Buried",
    "ConventionRemarks",
    "Judged",
    "Mistake",
    "PeopleRemark",
    "ReviewDocument",
    "ReviewedMove",
    "Turns",
    "lost_by_player",
]


@dataclass(frozen=True, slots=True)
class Best:
    """Bounds on the best score within reach, all cards face up.

    >>> print(Best(25, 25), Best(22, 24))
    25 22-24
    """

    lower: int
    upper: int

    @classmethod
    def of(cls, found: Prospect) -> Best:
        """Return the bounds of what a solver found."""
        return cls(found.lower, found.upper)

    def __str__(self) -> str:
        return f"{self.lower}" if self.lower == self.upper else f"{self.lower}-{self.upper}"


@dataclass(frozen=True, slots=True)
class Judged:
    """Actions of equal value in a position, and the scores reachable after any of them."""

    actions: tuple[Action, ...]
    kept: Prospect


@dataclass(frozen=True, slots=True)
class ReadingRemark:
    """A meaning of a hint: its convention and level, the possible cards, and a sentence."""

    convention: str
    level: int
    cards: tuple[str, ...]
    says: str


@dataclass(frozen=True, slots=True)
class SlipRemark:
    """A convention that a move perhaps did not keep."""

    convention: str
    says: str


@dataclass(frozen=True, slots=True)
class ExpectedRemark:
    """What a seat is expected to do next, and with which slot, if with one."""

    seat: int
    slot: int | None
    says: str


@dataclass(frozen=True, slots=True)
class ConventionRemarks:
    """What conventions say of a move; `focus` is a slot, and `why` it is, of a hint."""

    focus: int | None
    why: str | None
    readings: tuple[ReadingRemark, ...]
    slips: tuple[SlipRemark, ...]
    expected: tuple[ExpectedRemark, ...]

    @classmethod
    def of(cls, notes: ConventionNotes, names: Sequence[str]) -> ConventionRemarks:
        """Return the notes on a move, with the players' names."""
        told, readers = notes.told, Audience(names)
        return cls(
            focus=None if told is None else told.slot,
            why=None if told is None else told.focus,
            readings=tuple(
                ReadingRemark(
                    each.convention.name,
                    each.convention.level,
                    tuple(map(str, each.cards)),
                    each.says.to(readers),
                )
                for each in ([] if told is None else told.meanings)
            ),
            slips=tuple(
                SlipRemark(each.convention.name, each.says.to(readers)) for each in notes.slips
            ),
            expected=tuple(
                ExpectedRemark(each.seat, each.slot, each.says.to(readers))
                for each in notes.expected
            ),
        )


@dataclass(frozen=True, slots=True)
class PeopleRemark:
    """The share of people who would make a move; their first choice, in words too; its share."""

    share: float
    first: RecordedAction
    words: str
    first_share: float


@dataclass(frozen=True, slots=True)
class ReviewedMove:
    """A move of a reviewed game; the figures are those after it.

    Attributes
    ----------
    words, action
        The move without its player, and in hanab.live's encoding.
    best
        The best score within reach after it, all cards face up.
    lost, lost_without_bomb
        The points that it certainly lost; the same if a last error had kept those on the piles.
    is_error
        Whether it cost a life.
    chance, reason, decision, conventions, people
        What was asked for beside the rest: late chances, why points were lost, what late moves were
        by what their players knew, what conventions say, and what people would do. None where there
        is nothing.
    turns_lost
        The turns that it certainly cost a won game, if that was asked for.
    estimate
        What it gave away by what its player knew, by games, if decisions were asked for.
    """

    move: int
    seat: int
    player: str
    words: str
    action: RecordedAction
    best: Best
    lost: int
    lost_without_bomb: int
    is_error: bool
    score: int
    hints: int
    lives: int
    deck: int
    pace: int | None
    pace_risk: PaceRisk
    efficiency: Fraction | None
    required_efficiency: Fraction | None
    chance: Chance | None = None
    reason: str | None = None
    decision: DecisionRemark | None = None
    conventions: ConventionRemarks | None = None
    turns_lost: int | None = None
    people: PeopleRemark | None = None
    estimate: EstimateRemark | None = None

    @property
    def luck(self) -> tuple[float, float, float] | None:
        """Points given away by the decision, lost by the deck, and gained by luck.

        The points that the move lost, all cards face up, are the first two less the third. None if
        it was not judged by games.
        """
        if self.estimate is None:
            return None
        gave = self.estimate.given_away if self.estimate.is_mistake else 0.0
        return gave, max(0.0, self.lost - gave), max(0.0, gave - self.lost)

    @property
    def is_notable(self) -> bool:
        """Whether it was a mistake or luck by what its player knew, for certain or by games."""
        if self.decision is not None:
            return self.decision.kind not in (DecisionKind.RIGHT, DecisionKind.NOT_DECIDED)
        return self.estimate is not None and self.estimate.is_mistake

    @property
    def said(self) -> str:
        """The move in words, with its player."""
        return f"{self.player} {self.words}"

    @property
    def people_rather(self) -> PeopleRemark | None:
        """What people would do, if that is known and their first choice is another action."""
        return self.people if self.people and self.people.first != self.action else None

    @property
    def given_up(self) -> tuple[Fraction, ...]:
        """What the move certainly gave up, the gravest first.

        These are points without and with a bomb, then chances by its seat's view and with open
        hands.
        """
        return (
            Fraction(self.lost_without_bomb),
            Fraction(self.lost),
            self.decision.lost.low if self.decision else Fraction(0),
            self.chance.cost if self.chance else Fraction(0),
        )


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that lost points, as for a list of them, in the words of one audience.

    Attributes
    ----------
    turn, seat, player
        The number of the move, from 1, and who made it.
    played, kept
        The move without its player, and what would have kept the points: "any hint", "play r2 or 3
        others"; "" if that is not known.
    reason
        Why the points are out of reach; "" if that was not asked for.
    lost, lost_without_bomb
        The points that it lost, as for `ReviewedMove`.
    """

    turn: int
    seat: int
    player: str
    played: str
    kept: str
    reason: str
    lost: int
    lost_without_bomb: int

    @property
    def said(self) -> str:
        """The move in words, with its player."""
        return f"{self.player} {self.played}"


def lost_by_player(mistakes: Iterable[Mistake]) -> dict[str, int]:
    """Return the points that each player lost, those who lost most first."""
    sums = Counter[str]()
    for each in mistakes:
        sums[each.player] += each.lost
    return dict(sums.most_common())


@dataclass(frozen=True, slots=True)
class Because:
    """The reason why the top score is out of reach: its name, a sentence, the size of its proof."""

    name: str
    sentence: str
    steps: int


@dataclass(frozen=True, slots=True)
class Buried:
    """A bottom-decked card, as `hanabi.rules.figures.BottomDeck`, by its name."""

    card: str
    place: int
    move: int


@dataclass(frozen=True, slots=True)
class Turns:
    """The turns in which a game was won, and bounds on the fewest that could have won it."""

    played: int
    lower: int
    upper: int


@dataclass(frozen=True, slots=True)
class ReviewDocument:
    """A reviewed game: facts about the whole, and its moves.

    The fields are those of the JSON document. Most are those of `hanabi.reviews.review.Review`.

    Attributes
    ----------
    best, most
        The best score that the deck allows, and the top score of the rules.
    id, team
        hanab.live's number of the game, and the programs at the seats of a simulated game.
    score, piles
        The recorded score, and the points on the piles.
    replay
        A link of hanab.live to the whole game.
    turns
        The turns of a won game and the fewest, if requested.
    partners
        The player by whose games moves are judged, if any are.
    """

    best: Best
    id: int | None
    variant: str | None
    seats: int
    team: tuple[str, ...] | None
    score: int
    piles: int
    most: int
    end: str
    unusual: tuple[str, ...]
    lost_at: int | None
    because: Because | None
    undecided: str | None
    link: str | None
    replay: str | None
    errors: tuple[int, ...]
    bottom_decked: tuple[Buried, ...]
    efficiency: float | None
    minimum_efficiency: Fraction | None
    moves: tuple[ReviewedMove, ...]
    seconds: float
    turns: Turns | None = None
    partners: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the documented JSON document."""
        return dict(_encoded(self))

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> ReviewDocument:
        """Return the review of a JSON document, as `to_json` wrote it.

        Raises
        ------
        InvalidInputError
            If it is not one, or an earlier version wrote it without what this one needs.
        """
        try:
            found: ReviewDocument = _record(ReviewDocument)(data)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            told = f"not a review as this version writes it ({error!r})"
            raise InvalidInputError(told) from None
        return found

    @property
    def losing_moves(self) -> tuple[ReviewedMove, ...]:
        """The moves that certainly lost points."""
        return tuple(move for move in self.moves if move.lost)

    @property
    def n_slips(self) -> int:
        """The number of moves that perhaps did not keep the conventions."""
        return sum(bool(move.conventions and move.conventions.slips) for move in self.moves)

    @property
    def is_open(self) -> bool:
        """Whether a larger budget may decide something that was asked for."""
        chances = [move.chance for move in self.moves if move.chance]
        return (
            self.undecided is not None
            or (self.turns is not None and self.turns.lower < self.turns.upper)
            or any(not (each.best.is_exact and each.played.is_exact) for each in chances)
            or any(
                move.decision.kind is DecisionKind.NOT_DECIDED
                for move in self.moves
                if move.decision
            )
        )

    def program_of(self, move: ReviewedMove) -> str | None:
        """Return the program that made a move of a simulated game; None in other games."""
        return None if self.team is None else self.team[move.seat]

    def link_before(self, move: ReviewedMove) -> str | None:
        """Return a link that opens before a move, if it gave something up."""
        return f"{self.replay}#{move.move}" if self.replay and any(move.given_up) else None


# Records as JSON, by the types of their fields.


def _encoded(value: object) -> Any:
    """Return a record as JSON: fractions as text, and no fields with a default that are None."""
    if isinstance(value, Chance):
        return {"best": str(value.best), "played": str(value.played), "cost": str(value.cost)}
    if is_dataclass(value):
        return {
            field.name: _encoded(own)
            for field in fields(value)
            if (own := getattr(value, field.name)) is not None or field.default is MISSING
        }
    if isinstance(value, tuple):
        return [_encoded(each) for each in value]
    return str(value) if isinstance(value, Fraction | StrEnum) else value


@cache
def _decoder(kind: Any) -> Callable[[Any], Any] | None:
    """Return the function that reads a type from JSON; None if JSON has its values as they are."""
    if get_origin(kind) in (UnionType, tuple):
        inner = _decoder(get_args(kind)[0])
        if get_origin(kind) is tuple:
            return tuple if inner is None else lambda value: tuple(map(inner, value))
        return None if inner is None else lambda value: None if value is None else inner(value)
    if kind is Chance:
        return lambda value: Chance(
            _bounds(value["best"]), _bounds(value["played"]), Fraction(value["cost"])
        )
    if hasattr(kind, "__dataclass_fields__"):
        return _record(kind)
    return kind if kind is Fraction or isinstance(kind, EnumType) else None


@cache
def _record(kind: Any) -> Callable[[Any], Any]:
    """Return the function that reads a dataclass; a field with a default may be missing."""
    hints = get_type_hints(kind)
    plan = [(each.name, _decoder(hints[each.name]), each.default) for each in fields(kind)]
    return lambda value: kind(
        **{
            name: value[name] if read is None else read(value[name])
            for name, read, default in plan
            if default is MISSING or name in value
        }
    )


def _bounds(text: str) -> Range:
    low, _, high = text.partition(" to ")
    return Range(Fraction(low), Fraction(high or low))
