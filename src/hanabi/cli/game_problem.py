"""From what was read to a position of the full game, with what was recorded before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hanabi.cli.game_question import Dealing
from hanabi.cli.rules import DEFAULT_PRESET, rules_of_json
from hanabi.deck import Deck, DeckSpec
from hanabi.errors import IllegalActionError, InvalidInputError, counted, printable
from hanabi.game import PRESETS, Game, Rules
from hanabi.game.config import MAX_SUITS
from hanabi.game.replay import replay, rules_of
from hanabi.notation import (
    DeckInput,
    GameRecord,
    RecordedAction,
    SolitaireInput,
    cards_per_player,
)
from hanabi.notation.hanab_live import COLORS_OF_VARIANT, DEFAULT_NAMES, RANKS

__all__ = ["GameProblem", "only_so_many", "record_of", "to_game_problem"]

_NAME_LENGTH = 30


@dataclass(frozen=True, slots=True)
class GameProblem:
    """A position to solve.

    Attributes
    ----------
    positions
        The deal and the position after each recorded move; the deal alone if none is recorded.
    moves
        What was recorded, without the action of a vote or a timeout that ends a game.
    at
        Which of the positions is looked at.
    names
        The players' names, cut if they are very long.
    preset
        Name of the rule set.
    remarks
        What should be known about how the input was understood.
    """

    positions: tuple[Game, ...]
    moves: tuple[RecordedAction, ...] = ()
    at: int = 0
    names: tuple[str, ...] = ()
    preset: str = DEFAULT_PRESET
    remarks: tuple[str, ...] = ()

    @property
    def game(self) -> Game:
        """The position to be solved."""
        return self.positions[self.at]


def to_game_problem(
    given: DeckInput | GameRecord | SolitaireInput, dealing: Dealing
) -> GameProblem:
    """Deal what was read and replay what was recorded.

    A recorded game dealt to another number of players, or under other rules, is only a deck.

    >>> from hanabi.cli.game_question import Dealing
    >>> from hanabi.notation import parse_input
    >>> deck = parse_input("players 2  r1 r2 r3 r1 r2 r1 y1 y2 y3 y1 y2 y1")
    >>> problem = to_game_problem(deck, Dealing(rules="official"))
    >>> problem.game.rules.max_score, problem.remarks
    (6, ('Note: 12 cards, not a standard deck: these are taken to be all.',))
    """
    if dealing.players is not None:
        cards_per_player(dealing.players)
    if isinstance(given, GameRecord):
        if dealing.players in (None, given.players) and dealing.rules is None:
            return _recorded(given, dealing.at)
        given = _as_deck(given, dealing)
    elif isinstance(given, SolitaireInput):
        given = _as_dealt(given, dealing.players)
    if dealing.at:
        raise InvalidInputError("--at: only a recorded game, as it was played, has moves")
    players = given.players if dealing.players is None else dealing.players
    rules = given.rules if dealing.rules is None else dealing.rules
    return _dealt(players, given.deck, _spec_of(given), rules)


def _recorded(record: GameRecord, at: int | None) -> GameProblem:
    rules_of(record)  # an option that cannot be honoured is the first thing to tell
    if record.deck_mismatch is not None:
        raise InvalidInputError(record.deck_mismatch)
    positions = replay(record)
    if at is not None and at >= len(positions):
        raise InvalidInputError(f"--at {at}: {only_so_many(len(positions) - 1)}")
    return GameProblem(
        positions,
        record.actions[: len(positions) - 1],
        at or 0,
        tuple(printable(name, _NAME_LENGTH) for name in record.names)
        or DEFAULT_NAMES[: record.players],
    )


def only_so_many(moves: int) -> str:
    """Return what to say of a game to whoever asks for later moves."""
    return f"the game has only {counted(moves, 'move')}"


def _as_deck(record: GameRecord, dealing: Dealing) -> DeckInput:
    players = record.players if dealing.players is None else dealing.players
    rules: dict[str, object] = {"preset": dealing.rules or DEFAULT_PRESET}
    if players == record.players:
        rules["hand_size"] = record.hand_size
    return DeckInput(players, record.deck, RANKS, record.colors, rules)


def _as_dealt(given: SolitaireInput, players: int | None) -> DeckInput:
    if given.hand_size is not None:
        raise InvalidInputError("give a hand size or --players, not both")
    if players is None:
        raise InvalidInputError("no number of players: give --players P")
    deck = Deck((color, value) for value, color in given.cards)
    return DeckInput(players, deck, given.n, given.c)


def _spec_of(given: DeckInput) -> DeckSpec:
    """Return the multiset of the deck's cards, with the declared colors and ranks."""
    colors = max(1 + max((card.color for card in given.deck), default=0), given.c or 1)
    ranks = max(max((card.rank for card in given.deck), default=1), given.n or 1)
    for what, number in (("colors", colors), ("ranks", ranks)):
        if number > MAX_SUITS:
            raise InvalidInputError(f"{number} {what}: the full game has at most {MAX_SUITS}")
    copies = [[0] * ranks for _ in range(colors)]
    for card in given.deck:
        copies[card.color][card.rank - 1] += 1
    return DeckSpec(tuple(map(tuple, copies)))


def _dealt(players: int, deck: Deck, spec: DeckSpec, given: object) -> GameProblem:
    preset, rules = rules_of_json(given, players, spec)
    remarks: tuple[str, ...] = ()
    if spec not in (DeckSpec.standard(spec.colors), PRESETS[preset](players).spec):
        cards = counted(len(deck), "card")
        remarks = (f"Note: {cards}, not a standard deck: these are taken to be all.",)
    return GameProblem(
        (Game.start(rules, deck),),
        names=DEFAULT_NAMES[:players],
        preset=preset,
        remarks=remarks,
    )


def record_of(problem: GameProblem, line: Sequence[RecordedAction]) -> GameRecord:
    """Return the moves up to the position and `line` after them as a game of hanab.live.

    `line` must be legal under the problem's own rules.

    Raises
    ------
    InvalidInputError
        If the site has no table for it, or would not let it go on or end so.
    """
    rules = problem.game.rules
    variant = _variant_of(rules.spec)
    if variant is None:
        raise InvalidInputError("hanab.live has no variant with these cards")
    if rules.hand_size != cards_per_player(rules.seats):
        raise InvalidInputError(
            f"a link has no place for hands of {counted(rules.hand_size, 'card')}"
        )
    record = GameRecord(
        players=rules.seats,
        deck=problem.game.deck,
        actions=(*problem.moves[: problem.at], *line),
        variant=variant,
        colors=rules.colors,
        names=problem.names,
    )
    if rules != Rules.hanab_live(rules.seats, rules.colors):
        _check_as_played_there(record, problem.game, line)
    return record


def _check_as_played_there(record: GameRecord, game: Game, line: Sequence[RecordedAction]) -> None:
    """Refuse what goes otherwise under the site's rules; often a line does not need others."""
    from hanabi.winnable.line import replay as advance

    try:
        theirs = replay(record)[-1]
    except IllegalActionError as error:
        raise InvalidInputError(f"hanab.live would not let this game go on: {error}") from None
    if theirs.piles != advance(game, line).piles:
        raise InvalidInputError("under hanab.live's rules this game would go otherwise")


def _variant_of(spec: DeckSpec) -> str | None:
    return next(
        (name for name, colors in COLORS_OF_VARIANT.items() if spec == DeckSpec.standard(colors)),
        None,
    )
