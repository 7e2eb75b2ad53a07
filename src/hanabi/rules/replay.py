"""Recorded games: replay a record to its end, or write one from a game played here.

A record is followed wherever it goes: from another starting seat, past the end by today's rules,
with cards that the variant does not have, or as far as its deck is listed. `Replay.unusual` lists
everything unusual about it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from hanabi.ground import IllegalActionError, InvalidInputError, counted, printable, quote
from hanabi.rules.actions import Action, Kind, discard_deck, play_deck
from hanabi.rules.config import Rules, rules_for_variant, rules_of_json
from hanabi.rules.notation.hanab_live import DEFAULT_NAMES, options_that_change_play
from hanabi.rules.notation.record import PLAYER_COUNTS, GameRecord, RecordedAction, cards_per_player
from hanabi.rules.recorded import (
    Recorded,
    Replay,
    after_the_end,
    first_seat_of,
    over_at,
    players_of,
    recorded_end,
    starting_option,
    what_is_meant,
    with_its_cards,
)
from hanabi.rules.state import Game
from hanabi.rules.variants import Variant, plain_variant
from hanabi.rules.words import terminal, words_of

__all__ = [
    "end_there",
    "find_action",
    "follow",
    "options_of",
    "record_action",
    "record_actions",
    "replay",
    "replay_of",
    "rules_of",
    "to_record",
    "variant_of",
]

_HONOURED = (
    "allOrNothing",
    "deckPlays",
    "emptyClues",
    "oneExtraCard",
    "oneLessCard",
    "speedrun",
    "startingPlayer",
)
_NAME_LENGTH = 30


def rules_of(record: GameRecord) -> Rules:
    """Return the rule set of a recorded game: its own, or the site's with the game's options.

    The options `allOrNothing`, `deckPlays`, `emptyClues`, `oneExtraCard`, `oneLessCard` and
    `speedrun` are supported. So is `startingPlayer`, which belongs to the deal, not to the rules.

    Raises
    ------
    InvalidInputError
        If any other option that changes play is on (the message names it), or if the record's own
        rules cannot be read.

    >>> from hanabi.rules.deck import Deck
    >>> rules_of(GameRecord(2, Deck([]), options={"oneExtraCard": True})).hand_size
    6
    """
    for name in options_that_change_play(record):
        if name not in _HONOURED:
            where = f"options.{printable(name, _NAME_LENGTH)}"
            raise InvalidInputError(f"{where}: games with this option cannot be replayed")
    variant = record.variant_data
    if record.rules is not None:
        own = rules_for_variant(record.rules, variant)
        return rules_of_json(own, record.players, variant.spec)[1]
    rules = Rules.hanab_live(record.players, variant=variant)
    only_all = bool(record.options.get("allOrNothing"))
    return replace(
        rules,
        hand_size=record.hand_size,
        final_round=None if only_all else rules.final_round,
        all_or_nothing=only_all,
        speedrun=bool(record.options.get("speedrun")),
        empty_hints=bool(record.options.get("emptyClues")),
        deck_plays=bool(record.options.get("deckPlays")),
    )


def variant_of(rules: Rules) -> Variant | None:
    """Return hanab.live's variant with these cards and clues, or None if it has none.

    >>> variant_of(Rules.hanab_live(2, variant=16)), variant_of(Rules.hanab_live(2, colors=6))
    (<Variant Rainbow (5 Suits)>, <Variant 6 Suits>)
    """
    variant = rules.variant or plain_variant(rules.spec)
    if variant is None or variant.id is None or variant.spec != rules.spec:
        return None
    return variant


def find_action(game: Game, recorded: RecordedAction) -> Action:
    """Convert a recorded action to an action of `game`.

    A record names a card by its deck index, an action by its slot.

    Raises
    ------
    IllegalActionError
        If the card is not in the hand of the seat to act.
    InvalidInputError
        If a hint has no value, or the type is not 0, 1, 2 or 3.

    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> print(find_action(game, RecordedAction(0, target=3)))
    play slot 3
    """
    if recorded.type in (Kind.HINT_COLOR, Kind.HINT_RANK):
        if recorded.value is None:
            raise InvalidInputError("a hint without a value")
        return Action(Kind(recorded.type), recorded.target, recorded.value)
    if recorded.type not in (Kind.PLAY, Kind.DISCARD):
        raise InvalidInputError(f"type {quote(recorded.type)} is not an action of a seat")
    hand = game.hand_indices[game.seat_to_act]
    if recorded.target in hand:
        kind = _exchanged(game, Kind(recorded.type), recorded.target)
        return Action(kind, hand.index(recorded.target))
    # With one card left to draw, the top of the deck is its last card.
    if recorded.target == game.rules.deck_size - 1:
        is_play = _exchanged(game, Kind(recorded.type), recorded.target) is Kind.PLAY
        action = play_deck() if is_play else discard_deck()
        if game.is_legal(action):
            return action
    raise IllegalActionError(
        f"turn {game.turn + 1}: card {recorded.target} of the deck is not in the hand"
        f" of seat {game.seat_to_act}"
    )


def record_action(game: Game, action: Action) -> RecordedAction:
    """Convert a legal action of `game` to hanab.live's record of it: the inverse of `find_action`.

    >>> from hanabi.rules import hint_color
    >>> rules = Rules.hanab_live(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> record_action(game, hint_color(1, 4))
    RecordedAction(type=2, target=1, value=4)
    """
    if action.is_hint:
        return RecordedAction(int(action.kind), action.target, action.value)
    kind, index = action.kind, game.rules.deck_size - 1
    if action.is_from_deck:
        kind = Kind.PLAY if kind is Kind.PLAY_DECK else Kind.DISCARD
    else:
        index = game.hand_indices[game.seat_to_act][action.target]
    return RecordedAction(int(_exchanged(game, kind, index)), index)


def _exchanged(game: Game, kind: Kind, index: int) -> Kind:
    """Swap play and discard if the card at deck index `index` is inverted.

    The site records what became of a card. For an inverted card, that is the opposite of what the
    player chose.
    """
    if not game.rules.is_inverted(game.deck[index]):
        return kind
    return Kind.DISCARD if kind is Kind.PLAY else Kind.PLAY


def record_actions(games: Iterable[Game]) -> tuple[RecordedAction, ...]:
    """Return the actions between successive positions as hanab.live records them."""
    return tuple(
        record_action(before, after.known_actions[-1]) for before, after in pairwise(games)
    )


def follow(game: Game, line: Iterable[Action], *, after_end: bool = False) -> tuple[Game, ...]:
    """Return the position `game` and the positions after each action of a legal line.

    With `after_end`, the line may continue after the game is over, as some records do.

    Raises
    ------
    IllegalActionError
        If an action breaks a rule.

    >>> from hanabi.rules import play
    >>> rules = Rules.hanab_live(2)
    >>> follow(Game.start(rules, rules.spec.shuffle(seed=1)), [play(4)])
    (<Game of 2 seats, turn 0, score 0>, <Game of 2 seats, turn 1, score 0>)
    """
    games = [game]
    for action in line:
        games.append(games[-1].apply(action, after_end=after_end))
    return tuple(games)


def replay(record: GameRecord) -> tuple[Game, ...]:
    """Return the deal and the position after each recorded action; see `replay_of`.

    >>> rules = Rules.hanab_live(2)
    >>> actions = (RecordedAction(0, 4), RecordedAction(4, 0))
    >>> replay(GameRecord(2, rules.spec.shuffle(seed=1), actions))
    (<Game of 2 seats, turn 0, score 0>, <Game of 2 seats, turn 1, score 0>)
    """
    return replay_of(record).positions


def replay_of(record: GameRecord) -> Replay:
    """Replay a record to its recorded end, and collect the facts that the rules do not give.

    An action that ends the game by vote, time or decision is not played; the replay stops there.
    Moves after the end by the rules are followed. A deck of the right size whose copies differ
    from the variant's is played as it is. A deck whose last cards are not listed is played as far
    as it is listed.

    Raises
    ------
    InvalidInputError
        If the deck cannot be the variant's, or an unsupported option changes play.
    IllegalActionError
        If an action breaks a rule; the message names its index, as in `actions[7]`.

    >>> rules = Rules.hanab_live(2)
    >>> actions = (RecordedAction(0, 4), RecordedAction(4, 1, 3))
    >>> found = replay_of(GameRecord(2, rules.spec.shuffle(seed=1), actions))
    >>> str(found.end), found.score
    ('timed out', 0)
    """
    rules, unusual = rules_of(record), []
    first_seat = first_seat_of(record)
    if first_seat:
        names = record.names or DEFAULT_NAMES
        name = printable(names[first_seat], _NAME_LENGTH)
        unusual.append(f"{name} goes first (startingPlayer {first_seat})")
    rules, about_deck = with_its_cards(rules, record)
    unusual += about_deck
    is_partial = len(record.deck) < rules.deck_size
    start = Game.start(rules, record.deck, first_seat=first_seat, is_partial=is_partial)
    games, ended_by = [start], None
    for index, taken in enumerate(record.actions):
        left = counted(len(record.actions) - index, "action")
        if taken.is_end:
            ended_by = recorded_end(taken, f"actions[{index}]")
            if index + 1 < len(record.actions):
                unusual.append(f"what follows actions[{index}], which ends the game, is left out")
            break
        try:
            action = find_action(games[-1], taken)
            if not action.is_hint and start.missing and games[-1].deck_left == start.missing:
                unusual.append(f"the last {left} are left out: a card is drawn that is not listed")
                break
            games.append(games[-1].apply(action, after_end=True))
        except (IllegalActionError, InvalidInputError) as error:
            told = words_of(error, terminal((), games[-1]))
            hint = what_is_meant(record, games[-1], taken)
            raise type(error)(f"actions[{index}]: {told}{hint}") from None
    over = over_at(games, goes_on=ended_by is not None)
    recorded = Recorded(ended_by, over, team=players_of(record))
    if recorded.over_at is not None:
        unusual.append(after_the_end(games, recorded))
    return Replay(tuple(games), replace(recorded, unusual=tuple(unusual)))


def to_record(game: Game, *, names: Sequence[str] = ()) -> GameRecord:
    """Return the game so far as hanab.live would record it; `replay` restores the positions.

    The site knows only its own rules. A game under other rules can be recorded if the same actions
    have the same results on the site.

    Raises
    ------
    InvalidInputError
        If the site has no such table, or the game would have gone differently there.

    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> record = to_record(game.apply(Action(Kind.PLAY, 4)))
    >>> record.actions, replay(record)[-1].piles
    ((RecordedAction(type=0, target=4, value=None),), (0, 0, 0, 0, 0))
    """
    rules = game.rules
    record = GameRecord(
        players=rules.seats,
        deck=game.deck,
        actions=record_actions(follow(game.deal, game.actions, after_end=True)),
        variant=_variant(rules),
        names=tuple(names),
        options=options_of(rules) | starting_option(game),
    )
    theirs = end_there(record)
    for what in ("piles", "hints", "lives"):
        here, there = getattr(game, what), getattr(theirs, what)
        if here != there:
            raise InvalidInputError(
                f"hanab.live has other rules: {what} would be {there} there, not {here}"
            )
    return record


def end_there(record: GameRecord) -> Game:
    """Return the last position of a recorded game under hanab.live's rules of today.

    Raises
    ------
    InvalidInputError
        If the site would not allow the recorded actions.

    >>> end_there(GameRecord(2, Rules.hanab_live(2).spec.shuffle(1), (RecordedAction(0, 4),))).turn
    1
    """
    try:
        found = replay_of(record)
    except IllegalActionError as error:
        raise InvalidInputError(f"hanab.live would not let this game go on: {error}") from None
    at = found.recorded.over_at
    if at is not None:
        why = f"it is over after move {at} ({found.positions[at].end_reason})"
        raise InvalidInputError(f"hanab.live would not let this game go on: {why}")
    return found.positions[-1]


def _variant(rules: Rules) -> str:
    variant = variant_of(rules)
    if variant is not None and rules.seats in PLAYER_COUNTS:
        return variant.name
    raise InvalidInputError(
        f"hanab.live has no table for {rules.seats} seats and {rules.deck_size} such cards"
    )


def options_of(rules: Rules) -> dict[str, object]:
    """Return the hanab.live table options that give these rules.

    Raises
    ------
    InvalidInputError
        If the site does not deal hands of this size.

    >>> options_of(Rules.hanab_live(2)), options_of(replace(Rules.hanab_live(2), deck_plays=True))
    ({}, {'deckPlays': True})
    """
    extra = rules.hand_size - cards_per_player(rules.seats)
    if extra not in (-1, 0, 1):
        raise InvalidInputError(
            f"hanab.live deals no hands of {rules.hand_size} cards to {rules.seats} players"
        )
    options = {
        "allOrNothing": rules.all_or_nothing,
        "deckPlays": rules.deck_plays,
        "emptyClues": rules.empty_hints,
        "oneExtraCard": extra == 1,
        "oneLessCard": extra == -1,
        "speedrun": rules.speedrun,
    }
    return {name: True for name, is_on in options.items() if is_on}
