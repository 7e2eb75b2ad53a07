"""Positions of the full game to solve, with the recorded moves before and after them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from hanabi.ground import InvalidInputError, ParameterError, counted, quote, short_name
from hanabi.rules.actions import Action
from hanabi.rules.config import (
    DEFAULT_PRESET,
    MAX_SUITS,
    PRESETS,
    Rules,
    check_seats,
    rules_for_variant,
    rules_of_json,
)
from hanabi.rules.deck import DeckSpec
from hanabi.rules.notation import (
    DeckInput,
    GameRecord,
    PositionInput,
    SolitaireInput,
    cards_per_player,
    format_link,
)
from hanabi.rules.notation.hanab_live import DEFAULT_NAMES
from hanabi.rules.notation.links import format_options
from hanabi.rules.notation.strict_json import as_object
from hanabi.rules.position import game_of_position
from hanabi.rules.recorded import Ended, Recorded, over_at, starting_option
from hanabi.rules.replay import end_there, follow, options_of, record_actions, replay_of, variant_of
from hanabi.rules.state import Game

__all__ = [
    "GameProblem",
    "find_link",
    "is_as_played",
    "link_of",
    "pose_deck",
    "pose_game",
    "posed",
    "record_of",
]

GIVEN = "given"
"""The name of rules that are passed as `Rules`."""

_NAME_LENGTH = 30
_PLAYED_HERE = Recorded()


@dataclass(frozen=True, slots=True)
class GameProblem(Ended):
    """A position to solve: number `at` of the recorded ones, where number 0 is the deal.

    Very long `names` are cut by `hanabi.ground.errors.short_name`. `remarks` describe how the input
    was understood. `recorded` holds what a record contains beside its positions.

    A position without a history is the only one, and there are no moves. If the hand of a seat is
    hidden in it, `hidden` is that seat, and the cards in the hand are only examples.
    """

    positions: tuple[Game, ...] = field(repr=False)
    at: int = 0
    names: tuple[str, ...] = ()
    preset: str = DEFAULT_PRESET
    remarks: tuple[str, ...] = ()
    recorded: Recorded = _PLAYED_HERE
    hidden: int | None = None

    @property
    def game(self) -> Game:
        """The position to solve."""
        return self.positions[self.at]

    @property
    def moves(self) -> tuple[Action, ...]:
        """The recorded moves, without the vote or timeout that ends a game."""
        first = len(self.positions[0].known_actions)
        return self.positions[-1].known_actions[first:]

    @property
    def has_history(self) -> bool:
        """Whether the positions begin with the deal."""
        return self.positions[0].has_history

    @property
    def by_rules(self) -> tuple[Game, ...]:
        """The positions up to the end by the rules, even if a record goes on after it."""
        at = self.recorded.over_at
        return self.positions if at is None else self.positions[: at + 1]

    def after(self, moves: int) -> Game:
        """Return the position after this many recorded moves; raise an error if there are fewer."""
        if moves >= len(self.positions):
            raise InvalidInputError(f"the game has only {counted(len(self.moves), 'move')}")
        return self.positions[moves]

    def course(self, line: Iterable[Action]) -> tuple[Game, ...]:
        """Return the positions from the deal to the end of a line that starts at this position."""
        return (*self.positions[: self.at], *follow(self.game, line))


def pose_game(game: Game) -> GameProblem:
    """Return a game's current position, with the moves that led to it if the game holds them.

    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> problem = pose_game(game.apply(game.legal_actions[0]))
    >>> problem.at, problem.moves
    (1, (Action(kind=<Kind.PLAY: 0>, target=0, value=0),))
    """
    names = DEFAULT_NAMES[: game.rules.seats]
    if not game.has_history:
        return GameProblem((game,), names=names, preset=GIVEN)
    positions = follow(game.deal, game.actions, after_end=True)
    recorded = Recorded(over_at=over_at(positions))
    return GameProblem(positions, len(game.actions), names, GIVEN, recorded=recorded)


def posed(
    game: GameProblem | GameRecord | PositionInput | Game, *, may_hide: bool = False
) -> GameProblem:
    """Return a recorded game, or one that was played here, with all its positions.

    `may_hide` is as in `pose_deck`.
    """
    if isinstance(game, GameProblem):
        return game
    return pose_game(game) if isinstance(game, Game) else pose_deck(game, may_hide=may_hide)


def pose_deck(
    given: DeckInput | GameRecord | SolitaireInput | PositionInput,
    *,
    players: int | None = None,
    rules: object = None,
    may_hide: bool = False,
) -> GameProblem:
    """Deal the input to 2 to 6 players, and replay its recorded moves; a position stays as it is.

    A recorded game that is dealt to another number of players, or under other rules, counts only as
    a deck. `rules` are `Rules`, or anything that `hanabi.rules.config` reads as such.

    A position with a hidden hand is refused unless the caller `may_hide` it: the cards in the hand
    of the problem are then only examples (`GameProblem.hidden`).

    Raises InvalidInputError if the number of players is not given, or the rules do not fit the
    input, or for what was not read yet, as a path.

    >>> from hanabi.rules.notation import parse_input
    >>> deck = parse_input("players 2  r1 r2 r3 r1 r2 r1 y1 y2 y3 y1 y2 y1")
    >>> problem = pose_deck(deck, rules="official")
    >>> problem.game.rules.max_score, problem.remarks
    (6, ('Note: 12 cards, not a standard deck: these are taken to be all.',))
    """
    if players is not None:
        cards_per_player(players)
    if isinstance(given, PositionInput):
        for name, value in (("players", players), ("rules", rules)):
            if value is not None:
                raise ParameterError(f"{{{name}}}: a position has its own")
        return _position(given, may_hide=may_hide)
    if isinstance(given, GameRecord):
        if is_as_played(given, players, rules):
            return _recorded(given)
        return _dealt_again(given, players or given.players, rules)
    if isinstance(given, SolitaireInput):
        if given.hand_size is not None:
            raise InvalidInputError(
                f"a stream with a hand of {given.hand_size} is for one player, not to be dealt"
            )
        if players is None:
            raise ParameterError("no number of players: give {players:P}")
        return _dealt(DeckInput(players, given.cards, given.n, given.c, rules))
    if not isinstance(given, DeckInput):
        raise InvalidInputError(f"{quote(given)} is no game: give what hanabi.read returns")
    players = given.players if players is None else players
    return _dealt(replace(given, players=players, rules=given.rules if rules is None else rules))


def is_as_played(given: object, players: int | None, rules: object) -> bool:
    """Return whether a recorded game keeps its own table, rather than serving as a deck."""
    return isinstance(given, GameRecord) and players in (None, given.players) and rules is None


def _position(given: PositionInput, *, may_hide: bool) -> GameProblem:
    names = tuple(short_name(name, _NAME_LENGTH) for name in given.names)
    names = names or DEFAULT_NAMES[: given.players]
    if given.hidden_seat is not None and not may_hide:
        raise InvalidInputError(
            f"the hand of {names[given.hidden_seat]} is hidden (?), and this question needs it;"
            ' "hanabi show" and "hanabi chances --seat" do not'
        )
    return GameProblem(
        (game_of_position(given),),
        names=names,
        preset=DEFAULT_PRESET if given.rules is None else GIVEN,
        hidden=given.hidden_seat,
    )


def _recorded(record: GameRecord) -> GameProblem:
    found = replay_of(record)
    return GameProblem(
        found.positions,
        names=tuple(short_name(name, _NAME_LENGTH) for name in record.names)
        or DEFAULT_NAMES[: record.players],
        preset=DEFAULT_PRESET if record.rules is None else GIVEN,
        remarks=(*record.remarks, *(f"Note: {each}." for each in found.unusual)),
        recorded=found.recorded,
    )


def _dealt_again(record: GameRecord, players: int, rules: object) -> GameProblem:
    """Return the deal of a recorded game's deck to other players, or under other rules."""
    variant = record.variant_data
    if not isinstance(rules, Rules):
        rules = rules_for_variant({} if rules is None else rules, variant)
        if players == record.players:  # the hands keep their size
            named = {"preset": rules} if isinstance(rules, str) else as_object(rules, "rules")
            rules = {"hand_size": record.hand_size} | named
    dealt = _dealt(DeckInput(players, record.deck, variant.ranks, len(variant.suits), rules))
    return replace(dealt, remarks=(*record.remarks, *dealt.remarks))


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


def _dealt(given: DeckInput) -> GameProblem:
    players, spec = given.players, _spec_of(given)
    names = DEFAULT_NAMES[:players]
    if isinstance(given.rules, Rules):
        check_seats(given.rules, players)
        return GameProblem((Game.start(given.rules, given.deck),), names=names, preset=GIVEN)
    preset, rules = rules_of_json(given.rules, players, spec)
    remarks: tuple[str, ...] = ()
    standard = DeckSpec.standard(spec.colors), PRESETS[preset](players).spec
    if rules.variant is None and spec not in standard:
        cards = counted(len(given.deck), "card")
        remarks = (f"Note: {cards}, not a standard deck: these are taken to be all.",)
    return GameProblem(
        (Game.start(rules, given.deck),), names=names, preset=preset, remarks=remarks
    )


def record_of(games: Sequence[Game], names: Sequence[str]) -> GameRecord:
    """Return a game in hanab.live's format; `games` are the deal and the positions after it.

    Raises InvalidInputError if hanab.live has no table for it, or would not let it continue or end
    this way.
    """
    if not games[0].has_history:
        raise InvalidInputError("a link needs the game from its deal, and this is a position alone")
    rules, missing = games[0].rules, games[0].missing
    if missing:
        raise InvalidInputError(f"a link needs the whole deck: {counted(missing, 'card')} missing")
    variant = variant_of(rules)
    if variant is None:
        raise InvalidInputError("hanab.live has no variant with these cards")
    if rules.hand_size != cards_per_player(rules.seats):
        raise InvalidInputError(
            f"a link has no place for hands of {counted(rules.hand_size, 'card')}"
        )
    record = GameRecord(
        players=rules.seats,
        deck=games[0].deck,
        actions=record_actions(games),
        variant=variant.name,
        names=tuple(names),
        options=starting_option(games[0]),
    )
    if rules != Rules.hanab_live(rules.seats, variant=variant):
        _check_as_played_there(record, games[-1])
    return record


def link_of(games: Sequence[Game], names: Sequence[str]) -> str:
    """Return the replay link that opens the game of `record_of` in the viewer of hanab.live.

    Table options, which the site's links cannot express, follow a question mark.

    >>> rules = Rules.hanab_live(2)
    >>> deal = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> link_of([deal, deal.apply(deal.legal_actions[0])], DEFAULT_NAMES[:2])[:37]
    'https://hanab.live/replay-json/215...'
    """
    record = record_of(games, names)
    return format_link(record) + format_options(options_of(games[0].rules))


def find_link(problem: GameProblem) -> tuple[str | None, str]:
    """Return the link of a game up to its position, or None and the reason why there is none."""
    try:
        return link_of(problem.positions[: problem.at + 1], problem.names), ""
    except InvalidInputError as error:
        return None, str(error)


def _check_as_played_there(record: GameRecord, end: Game) -> None:
    """Raise an error if the moves go differently under the site's rules; lines often agree."""
    if end_there(record).piles != end.piles:
        raise InvalidInputError("under hanab.live's rules this game would go otherwise")
