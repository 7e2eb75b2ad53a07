"""Facts of a recorded game that do not follow from its positions, such as how it was ended."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from hanabi.ground import InvalidInputError, counted, quote
from hanabi.rules.actions import Kind
from hanabi.rules.cards import Card
from hanabi.rules.config import Rules
from hanabi.rules.deck import DeckSpec
from hanabi.rules.notation.record import GameRecord, RecordedAction
from hanabi.rules.state import Game
from hanabi.rules.table import EndReason, RecordedEnd
from hanabi.rules.telling import ending

__all__ = [
    "Ended",
    "Recorded",
    "Replay",
    "after_the_end",
    "first_seat_of",
    "over_at",
    "players_of",
    "recorded_end",
    "starting_option",
    "what_is_meant",
    "with_its_cards",
]

_END_GAME = 4
"""The type of an action whose value gives the way it ends the game; other types end it by vote."""

_ENDINGS = {
    RecordedEnd.ENDED: "the game was ended",
    RecordedEnd.TIMED_OUT: "the time ran out",
    RecordedEnd.ENDED_BY_PLAYER: "a player ended the game",
    RecordedEnd.IDLE: "nobody acted for too long",
    RecordedEnd.ENDED_BY_VOTE: "the players voted to end the game",
}


@dataclass(frozen=True, slots=True)
class Recorded:
    """The facts of a record that do not follow from its positions.

    Attributes
    ----------
    ended_by
        The way in which the game was ended, or None if the rules ended it or it is unfinished. A
        game that was ended otherwise than by the rules scores 0, as on hanab.live.
    over_at
        The number of the position in which the rules end the game although the record goes on; None
        if it does not.
    unusual
        The unusual facts about the record, one sentence each.
    team
        The programs at the seats of a simulated game, as `players_of` returns them; else None.
    """

    ended_by: RecordedEnd | None = None
    over_at: int | None = None
    unusual: tuple[str, ...] = ()
    team: tuple[str, ...] | None = None


class Ended:
    """A game from its first position, whose end is that of the rules or of its record."""

    __slots__ = ()

    positions: tuple[Game, ...]
    recorded: Recorded

    @property
    def end(self) -> EndReason | RecordedEnd:
        """The end of the game, by the rules or by the record.

        >>> from hanabi.rules import Rules
        >>> rules = Rules.official(2)
        >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
        >>> idle = Replay((game,), Recorded(RecordedEnd.IDLE))
        >>> print(idle.end, "/", Replay((game,), Recorded()).end)
        idle / in progress
        >>> idle.ending
        '0 of 25 points: nobody acted for too long, with 0 on the piles'
        """
        ended_by = self.recorded.ended_by
        return self.positions[-1].end_reason if ended_by is None else ended_by

    @property
    def score(self) -> int:
        """The recorded score: 0 if the game was ended otherwise than by the rules."""
        return self.positions[-1].score if self.recorded.ended_by is None else 0

    @property
    def ending(self) -> str:
        """The score in words, and the reason why the game ended."""
        last, ended_by = self.positions[-1], self.recorded.ended_by
        if ended_by is None:
            return ending(last)
        top = counted(last.rules.max_score, "point")
        return f"0 of {top}: {_ENDINGS[ended_by]}, with {sum(last.piles)} on the piles"


@dataclass(frozen=True, slots=True)
class Replay(Ended):
    """A recorded game: its positions, and the facts that do not follow from them.

    Attributes
    ----------
    positions
        The deal, and the position after each action that was followed. They keep their points even
        if the game was ended otherwise than by the rules.
    recorded
        The facts that do not follow from the positions.
    """

    positions: tuple[Game, ...]
    recorded: Recorded

    @property
    def missing(self) -> int:
        """Number of cards of the deck that the record does not list."""
        return self.positions[0].missing

    @property
    def unusual(self) -> tuple[str, ...]:
        """The unusual facts about the record, one sentence each."""
        return self.recorded.unusual


def first_seat_of(record: GameRecord) -> int:
    """Return the seat that acts first: the option `startingPlayer` of old games, or 0.

    Raises InvalidInputError if there is no such seat.

    >>> first_seat_of(GameRecord(2, DeckSpec.standard().shuffle(1), options={"startingPlayer": 1}))
    1
    """
    seat = record.options.get("startingPlayer") or 0
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < record.players:
        last = record.players - 1
        raise InvalidInputError(f"options.startingPlayer: {quote(seat)} is not in 0 .. {last}")
    return seat


def starting_option(game: Game) -> dict[str, object]:
    """Return the record's option for the seat that acts first; {} for seat 0.

    >>> rules = Rules.hanab_live(2)
    >>> starting_option(Game.start(rules, rules.spec.shuffle(seed=1), first_seat=1))
    {'startingPlayer': 1}
    """
    return {"startingPlayer": game.first_seat} if game.first_seat else {}


def with_its_cards(rules: Rules, record: GameRecord) -> tuple[Rules, list[str]]:
    """Return rules adapted to the cards of a record, and what is unusual about the cards.

    A deck that only lacks its last cards keeps the rules. Dealing refuses impossible decks later.

    >>> from hanabi.rules.deck import Deck
    >>> rules = Rules.hanab_live(2)
    >>> deck = rules.spec.shuffle(seed=1)
    >>> with_its_cards(rules, GameRecord(2, Deck(deck[:40])))[1]
    ['the record lists 40 of 50 cards of the deck: 10 are missing']
    """
    deck, size = Counter(record.deck), rules.deck_size
    missing = size - len(record.deck)
    if missing > 0:
        are_missing = f"{missing} {'is' if missing == 1 else 'are'} missing"
        listed = f"the record lists {len(record.deck)} of {counted(size, 'card')} of the deck"
        return rules, [f"{listed}: {are_missing}"]
    counts = rules.spec.counts()
    if missing or deck == counts or not deck.keys() <= counts.keys():
        return rules, []  # dealing refuses a deck that does not fit
    copies = tuple(
        tuple(deck[Card(color, rank)] for rank in range(1, len(row) + 1))
        for color, row in enumerate(rules.spec.copies)
    )
    changed = counted(sum((deck - counts).values()), "card")
    told = f"the deck is not that of {record.variant} ({changed} exchanged)"
    return replace(rules, spec=DeckSpec(copies)), [f"{told}: what is found is about this deck"]


def over_at(games: Sequence[Game], *, goes_on: bool = False) -> int | None:
    """Return the number of the position in which the rules end a game; None if it is the last.

    Set `goes_on` if the record goes on after the last position, too.

    >>> rules = Rules.hanab_live(2)
    >>> over_at([Game.start(rules, rules.spec.shuffle(seed=1))]) is None
    True
    """
    at = next((at for at, game in enumerate(games) if game.is_over), None)
    return None if at == len(games) - 1 and not goes_on else at


def recorded_end(action: RecordedAction, path: str) -> RecordedEnd:
    """Return the way in which an action ended the game.

    Raises InvalidInputError if its value is unknown; the message names `path`.

    >>> print(recorded_end(RecordedAction(5, -1, 10), "actions[7]"))
    ended by vote
    """
    if action.type != _END_GAME:
        return RecordedEnd.ENDED_BY_VOTE
    try:
        return RecordedEnd(action.value or 0)
    except ValueError:
        known = ", ".join(f"{each.value} ({each})" for each in RecordedEnd if each.value)
        raise InvalidInputError(
            f"{path}.value: {quote(action.value)} is not an end of a game; there are {known}"
        ) from None


def after_the_end(games: Sequence[Game], recorded: Recorded) -> str:
    """Describe where the rules end a game whose record goes on, and how the record goes on.

    >>> from hanabi.rules import play
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(replace(rules, lives=1), rules.spec.shuffle(seed=1)).apply(play(0))
    >>> after_the_end([game, game.apply(play(0), after_end=True)], Recorded(over_at=0))
    'the game is over after move 0 by the rules of today (bombed, 0 points); the record goes on...'
    """
    at = recorded.over_at or 0
    goes_on = f"goes on for {counted(len(games) - 1 - at, 'move')}"
    if at == len(games) - 1:
        goes_on = f"says {recorded.ended_by}"
    points = counted(games[at].score, "point")
    end = f"({games[at].end_reason}, {points})"
    return f"the game is over after move {at} by the rules of today {end}; the record {goes_on}"


def what_is_meant(record: GameRecord, game: Game, action: RecordedAction) -> str:
    """Explain what an action whose card is not in the hand may have meant, or return "".

    >>> from hanabi.rules import play
    >>> rules = Rules.hanab_live(2)
    >>> record = GameRecord(2, rules.spec.shuffle(seed=1), (RecordedAction(0, 1),) * 2)
    >>> game = Game.start(rules, record.deck).apply(play(1))
    >>> what_is_meant(record, game, record.actions[1])[:37]
    '. The targets look like slots: give a'
    """
    moved = [each.target for each in record.actions if each.type in (Kind.PLAY, Kind.DISCARD)]
    is_slot = action.target in moved and max(moved) < game.rules.hand_size
    if is_slot and action.target not in game.hand_indices[game.seat_to_act]:
        return (
            ". The targets look like slots: give a card by its place in the deck, from 0, or a"
            " replay link"
        )
    return ""


def players_of(record: GameRecord) -> tuple[str, ...] | None:
    """Return the players of a simulated game by seat, by their full names.

    None for a record without the entry that `Recorded.documents` writes.

    >>> from hanabi.rules import Rules
    >>> from hanabi.lab.recorded import Recorded
    >>> from hanabi.rules.notation.hanab_live import game_from_json
    >>> work = Recorded(("first-legal",), Rules.hle(2), seed=1)
    >>> players_of(game_from_json(next(work.documents(work.run(0, 1)))))
    ('first-legal', 'first-legal')
    """
    about = record.extra.get("simulation")
    team = about.get("players") if isinstance(about, dict) else None
    if not isinstance(team, list) or not all(isinstance(name, str) for name in team):
        return None
    team = team * record.players if len(team) == 1 else team
    return tuple(team) if len(team) == record.players else None
