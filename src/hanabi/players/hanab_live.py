"""A seat at hanab.live: the site's messages for bots in, a bot's answers out (docs/adapters.md).

A message is a text, `command {...}`. This module opens no connection and knows no account; it turns
what the site sends during games into views, and the actions of a player into what a bot sends.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from hanabi.ground import IllegalActionError, InvalidInputError, Stream, naming, quote
from hanabi.players.protocol import Player, decision_of, seated
from hanabi.rules import (
    Action,
    Card,
    Deck,
    Event,
    GameRecord,
    Kind,
    Rebuilder,
    Rules,
    Variant,
    View,
    as_array,
    as_integer,
    as_object,
    as_text,
    check_options,
    find_variant,
    first_seat_of,
    is_integer,
    load,
    rank_from_site,
    rules_of,
    show,
)

__all__ = ["SiteBot"]

_UNSEEN = -1  # the suit and rank of a hidden card, and the seat to act once a game is over
# What says no more than the other actions do; `status` is compared with our own position.
_SILENT = frozenset({"strike", "gameOver", "gameDuration", "playerTimes", "playStackDirections"})
_MOVES = frozenset({"clue", "play", "discard"})
_MOST_CARDS = 99  # in a deck of the site


class SiteBot:
    """A player at any number of tables of hanab.live.

    Parameters
    ----------
    player
        The player, one for each table if it remembers.
    seed
        The seed of its randomness: the stream of a turn depends on the seed, the table and the
        turn.

    >>> from hanabi.players import FirstLegal
    >>> bot = SiteBot(FirstLegal())
    >>> bot.receive('tableStart {"tableID": 5}'), bot.receive('chat {"msg": "hello"}')
    (['getGameInfo1 {"tableID": 5}'], [])
    """

    def __init__(self, player: Player, *, seed: int = 0) -> None:
        self._player, self._seed = player, seed
        self._tables: dict[int, _Table] = {}

    def receive(self, message: str) -> list[str]:
        """Take a message of the site, and return the messages to send, often none.

        When a game starts, it asks for all that has happened, also after a connection was lost. On
        the player's turn it returns the player's `action`, and leaves the table when the game is
        over. Messages of the lobby are ignored.

        Raises
        ------
        InvalidInputError
            If a message about a game is not understood, does not fit the earlier ones, or the
            site's options or variant are not supported; names the table and quotes it.
        IllegalActionError, PlayerError
            If the player takes an illegal action, or fails; names the turn.
        """
        command, _, text = message.partition(" ")
        if command not in _HANDLERS:
            return []
        with naming(command):
            data = as_object(load(text), "message", "tableID")
            table = as_integer(data["tableID"], "tableID")
            with naming(f"table {table}"):
                return [
                    f"{name} {json.dumps({'tableID': table, **rest})}"
                    for name, rest in _HANDLERS[command](self, table, data)
                ]

    def _start(self, _: int, __: dict[str, Any]) -> _Answers:
        return [("getGameInfo1", {})]

    def _init(self, table: int, data: dict[str, Any]) -> _Answers:
        given = as_object(data, "init", "playerNames", "ourPlayerIndex", "options")
        if given.get("replay") or given.get("spectating"):
            return []  # somebody else's game, or one that is over
        self._tables[table] = _table_of(given, seated(self._player))
        return [("getGameInfo2", {})]

    def _list(self, table: int, data: dict[str, Any]) -> _Answers:
        if table not in self._tables:
            return []
        items = as_array(as_object(data, "message", "list")["list"], "list")
        for number, item in enumerate(items):
            self._tables[table].take(item, f"list[{number}]")
        return [("loaded", {}), *self._answer(table)]

    def _action(self, table: int, data: dict[str, Any]) -> _Answers:
        if table not in self._tables:
            return []
        action = as_object(data, "message", "action")["action"]
        is_turn = self._tables[table].take(action, "action")
        return self._answer(table) if is_turn else []

    def _end(self, table: int, _: dict[str, Any]) -> _Answers:
        known = self._tables.pop(table, None)
        return [] if known is None else [("tableUnattend", {})]

    def _answer(self, table: int) -> _Answers:
        """Return the player's action if it is its turn."""
        at = self._tables[table]
        if at.seat_to_act != at.seat:
            return []
        view = at.view()
        stream = Stream(self._seed, table << 10 | view.turn)
        action = decision_of(at.player, view, stream)
        if action not in view.legal_actions:
            now = f"turn {view.turn + 1}, seat {view.seat}"
            raise IllegalActionError(f"{now}: {action} is not legal")
        return [("action", _action_to_site(view, action))]


_Answers = list[tuple[str, dict[str, Any]]]

_HANDLERS = {
    "tableStart": SiteBot._start,
    "init": SiteBot._init,
    "gameActionList": SiteBot._list,
    "gameAction": SiteBot._action,
    "databaseID": SiteBot._end,
}


def _action_to_site(view: View, action: Action) -> dict[str, int]:
    """Return an action as the site takes it: cards by their number in the deck."""
    if action.is_hint:
        return {"type": int(action.kind), "target": action.target, "value": action.value}
    if action.is_from_deck:  # without inverted suits, it can only be played
        return {"type": int(Kind.PLAY), "target": view.rules.deck_size - 1}
    return {"type": int(action.kind), "target": view.hand_indices[view.seat][action.target]}


def _table_of(given: dict[str, Any], player: Player) -> _Table:
    """Return the table that an `init` message describes."""
    players = len(as_array(given["playerNames"], "playerNames"))
    options = dict(as_object(given["options"], "options"))
    with naming("options.variantName"):
        variant = find_variant(as_text(options.pop("variantName", "No Variant"), "variantName"))
    if any(variant.inverted):
        raise InvalidInputError(f"{variant.name}: inverted suits are not supported here")
    check_options(options, players)
    record = GameRecord(players, Deck([]), variant=variant.name, options=options)
    seat = as_integer(given["ourPlayerIndex"], "ourPlayerIndex", 0, players - 1)
    return _Table(rules_of(record), variant, seat, first_seat_of(record), player)


@dataclass
class _Table:
    """A game so far, as the site's actions show it to one seat."""

    rules: Rules
    variant: Variant
    seat: int
    first_seat: int
    player: Player
    seat_to_act: int = _UNSEEN
    deal: list[Card | None] = field(default_factory=list)
    hands: list[list[int]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    rebuilder: Rebuilder | None = None  # it knows the events before the seat's last turn
    drawn: int = 0
    status: dict[str, Any] | None = None
    # The move of the turn that is not over yet, and the card drawn in it.
    move: dict[str, Any] | None = None
    draw: tuple[int, Card | None] | None = None

    def __post_init__(self) -> None:
        self.hands = [[] for _ in range(self.rules.seats)]

    def take(self, item: object, path: str) -> bool:
        """Take one of the site's actions; return whether a turn begins with it."""
        action = as_object(item, path, "type")
        kind = as_text(action["type"], f"{path}.type")
        with naming(f"turn {len(self.events) + 1}: {path}"):
            if kind == "draw":
                self._draw(as_object(action, kind, "playerIndex", "order", "suitIndex", "rank"))
            elif kind in _MOVES:
                if self.move is not None:
                    raise InvalidInputError(f"{kind}: the turn has had its {self.move['type']}")
                self.move = action
            elif kind == "turn":
                self._turn(as_object(action, kind, "num", "currentPlayerIndex"))
            elif kind == "status":
                self.status = as_object(action, kind, "clues", "score")
            elif kind not in _SILENT:
                raise InvalidInputError(f"type: {show(kind)} is not understood")
        return kind == "turn"

    def view(self) -> View:
        """Return the seat's view."""
        size = self.rules.hand_size
        if self.rebuilder is None:
            deal = [self.deal[at : at + size] for at in range(0, len(self.deal), size)]
            self.rebuilder = Rebuilder(self.rules, self.seat, deal, first_seat=self.first_seat)
        for event in self.events[self.rebuilder.view().turn :]:
            self.rebuilder.add(event)
        view = self.rebuilder.view()
        # The site counts half tokens in units of its own.
        theirs = {} if self.status is None or self.rules.half_tokens else self.status
        for name, ours in (("clues", view.hints), ("score", view.score)):
            if not is_integer(theirs.get(name, ours), ours):
                raise InvalidInputError(
                    f"turn {view.turn + 1}: status: {name} {show(theirs[name])}, and {ours} here"
                )
        return view

    def _draw(self, action: dict[str, Any]) -> None:
        seats, size = self.rules.seats, self.rules.hand_size
        seat = as_integer(action["playerIndex"], "playerIndex", 0, seats - 1)
        order = as_integer(action["order"], "order", 0, self.rules.deck_size - 1)
        card, is_deal = self._card(action), order < seats * size
        if order != self.drawn or seat != (order // size if is_deal else self._actor):
            raise InvalidInputError(f"player {seat} draws card {order}, which is not next")
        if (card is None) != (seat == self.seat):
            raise InvalidInputError(f"card {order} is {card or 'hidden'} in hand {seat}")
        self.drawn += 1
        self.hands[seat].append(order)
        if is_deal:
            self.deal.append(card)
        else:
            self.draw = order, card

    def _turn(self, action: dict[str, Any]) -> None:
        """Add what happened in the turn before this one."""
        if self.move is not None:
            self.events.append(self._event(self.move))
            self.move = self.draw = None
        if len(self.deal) < self.rules.seats * self.rules.hand_size:
            raise InvalidInputError(f"a turn after {len(self.deal)} cards of the deal")
        if not is_integer(action["num"], len(self.events)):
            raise InvalidInputError(f"num: {show(action['num'])} is not {len(self.events)}")
        current = action["currentPlayerIndex"]
        self.seat_to_act = as_integer(current, "currentPlayerIndex", _UNSEEN, self.rules.seats - 1)

    def _event(self, move: dict[str, Any]) -> Event:
        turn, seat, kind = len(self.events), self._actor, move["type"]
        actor = "giver" if kind == "clue" else "playerIndex"
        if not is_integer(move.get(actor), seat):
            raise InvalidInputError(f"{kind}.{actor}: {show(move.get(actor))} is not {seat}")
        if kind == "clue":
            return self._hint(turn, seat, as_object(move, kind, "clue", "list", "target"))
        move = as_object(move, kind, "order", "suitIndex", "rank")
        order, card = as_integer(move["order"], f"{kind}.order", 0, _MOST_CARDS), self._card(move)
        hand, drawn = self.hands[seat], self.draw
        if card is None or order not in hand:
            raise InvalidInputError(f"{kind}: card {order} is hidden, or not in hand {seat}")
        is_misplay = kind == "discard" and move.get("failed") is True
        outcome: Literal["play", "discard", "misplay"] = "play"
        if kind == "discard":
            outcome = "misplay" if is_misplay else "discard"
        is_play, slot = kind == "play" or is_misplay, hand.index(order)
        hand.remove(order)
        if drawn is not None and drawn[0] == order:  # the deck's last card, played unseen
            return Event(turn, seat, Action(Kind.PLAY_DECK), (), order, card, outcome)
        action = Action(Kind.PLAY if is_play else Kind.DISCARD, slot)
        return Event(turn, seat, action, (), order, card, outcome, *(drawn or (None, None)))

    def _hint(self, turn: int, seat: int, move: dict[str, Any]) -> Event:
        clue = as_object(move["clue"], "clue.clue", "type", "value")
        is_rank = as_integer(clue["type"], "clue.type", 0, 1)
        target = as_integer(move["target"], "clue.target", 0, self.rules.seats - 1)
        hint = Action(
            Kind.HINT_RANK if is_rank else Kind.HINT_COLOR,
            target,
            as_integer(clue["value"], "clue.value", 0, 31),
        )
        cards = as_array(move["list"], "clue.list")
        touched = [as_integer(card, "clue.list", 0, _MOST_CARDS) for card in cards]
        if unknown := [card for card in touched if card not in self.hands[target]]:
            raise InvalidInputError(f"clue.list: card {unknown[0]} is not in hand {target}")
        slots = sorted(self.hands[target].index(card) for card in touched)
        return Event(turn, seat, hint, tuple(slots))

    @property
    def _actor(self) -> int:
        return (self.first_seat + len(self.events)) % self.rules.seats

    def _card(self, action: dict[str, Any]) -> Card | None:
        suit, rank = (as_integer(action[key], key, _UNSEEN, 9) for key in ("suitIndex", "rank"))
        if suit == rank == _UNSEEN:
            return None
        known = rank_from_site(rank, self.variant)
        if known is None or not self.variant.has_card(suit, known):
            raise InvalidInputError(f"{quote((suit, rank))} is no card of {self.variant.name}")
        return Card(suit, known)
