"""Actions, events and views as JSON, for programs in other languages (docs/bots.md).

Seats, slots, turns and colors count from 0, ranks from 1. A hidden card is null.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hanabi.ground import InvalidInputError, counted, naming, quote
from hanabi.rules import layout as k
from hanabi.rules.actions import Action, Kind
from hanabi.rules.cards import Card
from hanabi.rules.config import Rules, rules_from_json, rules_to_json
from hanabi.rules.events import Event, History
from hanabi.rules.notation.strict_json import as_array, as_integer, as_object, as_text, show
from hanabi.rules.packing import pack_deck, pack_rules
from hanabi.rules.position import matched
from hanabi.rules.state import explain
from hanabi.rules.table import EndReason, Knowledge
from hanabi.rules.view import View

if TYPE_CHECKING:
    from hanabi.ground import Words

__all__ = [
    "Rebuilder",
    "action_from_json",
    "action_text",
    "action_to_json",
    "deal_from_json",
    "deal_to_json",
    "event_from_json",
    "event_text",
    "event_to_json",
    "rebuild_view",
    "table_to_json",
    "text_of_json",
    "view_from_json",
    "view_to_json",
]

_KINDS = {kind.name.lower(): kind for kind in Kind}
_WAITING = "waiting"  # nobody can act, though no rule ends the game
_OUTCOMES = ("play", "discard", "misplay")

text_of_json = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
"""Return the text of JSON data, on one line without blanks."""


def action_to_json(action: Action) -> dict[str, Any]:
    """Return an action as JSON.

    >>> from hanabi.rules import hint_rank, play
    >>> action_to_json(play(2)), action_to_json(hint_rank(1, 5))
    ({'type': 'play', 'slot': 2}, {'type': 'hint_rank', 'seat': 1, 'rank': 5})
    """
    data: dict[str, Any] = {"type": action.kind.name.lower()}
    if action.kind in (Kind.PLAY, Kind.DISCARD):
        return data | {"slot": action.target}
    if action.is_hint:
        key = "color" if action.kind is Kind.HINT_COLOR else "rank"
        return data | {"seat": action.target, key: action.value}
    return data


@lru_cache(maxsize=4096)
def action_text(action: Action) -> str:
    """Return the text of `action_to_json`, kept for the next call.

    >>> from hanabi.rules import play
    >>> action_text(play(2))
    '{"type":"play","slot":2}'
    """
    return text_of_json(action_to_json(action))


def action_from_json(data: object, path: str = "action") -> Action:
    """Return the action that `action_to_json` describes; other keys are ignored.

    Raises
    ------
    InvalidInputError
        If the data describe no action; names the place below `path`.

    >>> print(action_from_json({"type": "discard", "slot": 0}))
    discard slot 0
    """
    given = as_object(data, path, "type")
    name = as_text(given["type"], f"{path}.type")
    if name not in _KINDS:
        raise InvalidInputError(f"{path}.type: {show(name)} is not one of {', '.join(_KINDS)}")
    kind = _KINDS[name]
    if kind in (Kind.PLAY, Kind.DISCARD):
        return Action(kind, _number(given, "slot", path))
    if kind in (Kind.HINT_COLOR, Kind.HINT_RANK):
        key = "color" if kind is Kind.HINT_COLOR else "rank"
        return Action(kind, _number(given, "seat", path), _number(given, key, path))
    return Action(kind)


def _number(given: object, key: str, path: str) -> int:
    if isinstance(given, dict) and type(value := given.get(key)) is int and 0 <= value <= 31:
        return value  # without the texts that an error would need
    return as_integer(as_object(given, path, key)[key], f"{path}.{key}", 0, 31)


def _card_to_json(card: Card | None) -> dict[str, int] | None:
    return None if card is None else {"color": card.color, "rank": card.rank}


@lru_cache(maxsize=4096)
def _card_text(card: Card | None) -> str:
    return text_of_json(_card_to_json(card))


def _card_from_json(data: object, path: str) -> Card | None:
    if data is None:
        return None
    return Card(_number(data, "color", path), _number(data, "rank", path))


def event_to_json(event: Event) -> dict[str, Any]:
    """Return an event as JSON: `touched` for a hint, the other entries for a play or discard.

    >>> from hanabi.rules import hint_rank
    >>> event_to_json(Event(0, 0, hint_rank(1, 5), touched=(2, 4)))["touched"]
    [2, 4]
    """
    data = {"turn": event.turn, "seat": event.seat, "action": action_to_json(event.action)}
    if event.action.is_hint:
        data["touched"] = list(event.touched)
        return data
    data["card_index"], data["card"] = event.card_index, _card_to_json(event.card)
    data["outcome"], data["drawn_index"] = event.outcome, event.drawn_index
    data["drawn_card"] = _card_to_json(event.drawn_card)
    return data


@lru_cache(maxsize=256)  # the same for most seats
def event_text(event: Event) -> str:
    """Return the text of `event_to_json`, three times as fast: put together from texts kept.

    >>> from hanabi.rules import hint_rank
    >>> event_text(Event(0, 0, hint_rank(1, 5), touched=(2, 4)))
    '{"turn":0,"seat":0,"action":{"type":"hint_rank","seat":1,"rank":5},"touched":[2,4]}'
    """
    turn, seat, action, touched, index, card, outcome, drawn, drawn_card = event
    text = f'{{"turn":{turn},"seat":{seat},"action":{action_text(action)}'
    if action.is_hint:
        return f'{text},"touched":[{",".join(map(str, touched))}]}}'
    return (
        f'{text},"card_index":{index},"card":{_card_text(card)},"outcome":"{outcome}"'
        f',"drawn_index":{"null" if drawn is None else drawn}'
        f',"drawn_card":{_card_text(drawn_card)}}}'
    )


def event_from_json(data: object, path: str = "event") -> Event:
    """Return the event that `event_to_json` describes; other keys are ignored.

    Raises
    ------
    InvalidInputError
        If the data describe no event; names the place below `path`.

    >>> from hanabi.rules import hint_rank
    >>> event = Event(0, 0, hint_rank(1, 5), touched=(2, 4))
    >>> event_from_json(event_to_json(event)) == event
    True
    """
    given = as_object(data, path, "turn", "seat", "action")
    turn, seat = as_integer(given["turn"], f"{path}.turn"), _number(given, "seat", path)
    action = action_from_json(given["action"], f"{path}.action")
    if action.is_hint:
        slots = as_array(as_object(given, path, "touched")["touched"], f"{path}.touched")
        touched = tuple(as_integer(slot, f"{path}.touched") for slot in slots)
        return Event(turn, seat, action, touched)
    as_object(given, path, "card_index", "card", "outcome", "drawn_index", "drawn_card")
    outcome = next((each for each in _OUTCOMES if each == given["outcome"]), None)
    if outcome is None:
        raise InvalidInputError(
            f"{path}.outcome: {show(given['outcome'])} is not one of {', '.join(_OUTCOMES)}"
        )
    drawn = given["drawn_index"]
    return Event(
        turn,
        seat,
        action,
        (),
        as_integer(given["card_index"], f"{path}.card_index"),
        _card_from_json(given["card"], f"{path}.card"),
        outcome,  # type: ignore[arg-type]
        None if drawn is None else as_integer(drawn, f"{path}.drawn_index"),
        _card_from_json(given["drawn_card"], f"{path}.drawn_card"),
    )


def deal_to_json(view: View) -> list[list[dict[str, int] | None]]:
    """Return the hands of the deal as the view's seat saw them then, oldest cards first."""
    size, seats = view.rules.hand_size, range(view.rules.seats)
    hands = [view.deck[seat * size : (seat + 1) * size] for seat in seats]
    if not view.rules.open_hands:
        hands[view.seat] = (None,) * size
    return [list(map(_card_to_json, hand)) for hand in hands]


def deal_from_json(data: object, path: str = "deal") -> list[list[Card | None]]:
    """Return the hands that `deal_to_json` describes."""
    return [
        [_card_from_json(card, f"{path}[{seat}]") for card in as_array(hand, f"{path}[{seat}]")]
        for seat, hand in enumerate(as_array(data, path))
    ]


def view_to_json(view: View) -> dict[str, Any]:
    """Return a view as JSON, the past included; docs/bots.md lists the entries.

    Raises InvalidInputError if the view does not hold its actions.

    >>> from hanabi.rules import Game
    >>> rules = Rules.official(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> view_from_json(view_to_json(view)) == view
    True
    """
    return table_to_json(view) | {
        "rules": rules_to_json(view.rules, is_full=True),
        "legal": list(map(action_to_json, view.legal_actions)),
        "deal": deal_to_json(view),
        "events": list(map(event_to_json, view.events)),
    }


def table_to_json(view: View) -> dict[str, Any]:
    """Return the JSON of a view without its rules, deal, events and legal actions.

    >>> from hanabi.rules import Game
    >>> rules = Rules.official(2)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> table_to_json(view).items() <= view_to_json(view).items()
    True
    """
    hands = [
        [
            {
                "index": index,
                "card": _card_to_json(card),
                "possible": _knowledge_to_json(known),
                "drawn_at": drawn,
                "hinted_at": list(hinted),
            }
            for index, card, known, drawn, hinted in zip(*each, strict=True)
        ]
        for each in zip(
            view.hand_indices,
            view.hands,
            view.knowledge,
            view.drawn_at,
            view.hinted_at,
            strict=True,
        )
    ]
    return {
        "seat": view.seat,
        "first_seat": view.first_seat,
        "turn": view.turn,
        "seat_to_act": view.seat_to_act,
        "end": None if view.can_act else _end_name(view),
        "hints": view.hints,
        "lives": view.lives,
        "score": view.score,
        "deck_left": view.deck_left,
        "turns_left": view.turns_left,
        "piles": [list(ranks) for ranks in view.pile_ranks],
        "discards": list(map(_card_to_json, view.discards)),
        "hands": hands,
        "chop": list(view.chop),
    }


def _end_name(view: View) -> str:
    return view.end_reason.name.lower() if view.is_over else _WAITING


def _knowledge_to_json(known: Knowledge) -> dict[str, Any]:
    """Return possible colors and ranks, and the possible pairs if not all pairs are possible."""
    data: dict[str, Any] = {"colors": list(known.colors), "ranks": list(known.ranks)}
    if known.cards is None:
        return data
    return data | {"cards": list(map(_card_to_json, sorted(known.cards)))}


def view_from_json(data: object, path: str = "view") -> View:
    """Return the view that `view_to_json` describes.

    It follows from `rules`, `seat`, `first_seat`, `deal`, `events` and `end`; the other entries are
    for readers, and ignored here.

    Raises
    ------
    InvalidInputError
        If the data describe no view.
    """
    given = as_object(data, path, "rules", "seat", "first_seat", "deal", "events", "end")
    events = [
        event_from_json(each, f"{path}.events[{number}]")
        for number, each in enumerate(as_array(given["events"], f"{path}.events"))
    ]
    end = given["end"]
    names: dict[str, int] = {reason.name.lower(): reason for reason in EndReason if reason}
    names[_WAITING] = k.WAITING
    if end is not None and (not isinstance(end, str) or end not in names):
        raise InvalidInputError(f"{path}.end: {show(end)} is not one of {', '.join(names)}")
    seat, first_seat = _number(given, "seat", path), _number(given, "first_seat", path)
    deal = deal_from_json(given["deal"], f"{path}.deal")
    with naming(path):
        return rebuild_view(
            rules_from_json(given["rules"]),
            seat,
            deal,
            events,
            first_seat=first_seat,
            end=k.IN_PROGRESS if end is None else names[str(end)],
        )


def rebuild_view(
    rules: Rules,
    seat: int,
    deal: Sequence[Sequence[Card | None]],
    events: Iterable[Event],
    *,
    first_seat: int = 0,
    end: int = k.IN_PROGRESS,
) -> View:
    """Return the view of a seat that saw a deal and these events, as a `Rebuilder` does.

    Raises
    ------
    InvalidInputError
        If the deal and the events do not fit the rules, or each other; names the turn.

    >>> from hanabi.rules import Game, hint_rank, play
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3)).apply(play(2))
    >>> view = game.view(1)
    >>> deal = [view.deck[:5], [None] * 5]
    >>> rebuild_view(rules, 1, deal, view.events) == view
    True
    """
    rebuilder = Rebuilder(rules, seat, deal, first_seat=first_seat)
    for event in events:
        rebuilder.add(event)
    return rebuilder.view(end)


class Rebuilder:
    """A game as one seat sees it, played again event by event. O(hand size + rules) an event.

    Before a hint to the seat, each of its hidden cards becomes some card that is touched as the
    event says, since a hint shows no more than that. Whether the game goes on may depend on hidden
    cards: it does as long as there are events, and `view` is given its end.

    Parameters
    ----------
    rules, seat, first_seat
        The rules, the seat, and the seat that acts first.
    deal
        Each seat's hand, oldest cards first; None for a hidden card.

    Raises
    ------
    InvalidInputError
        If there is no such seat, or the hands are not those of the rules.

    >>> from hanabi.rules import Game, hint_rank
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> rebuilder = Rebuilder(rules, 1, [game.view(1).deck[:5], [None] * 5])
    >>> rebuilder.add(game.apply(hint_rank(1, 3)).view(1).events[0])
    >>> rebuilder.view() == game.apply(hint_rank(1, 3)).view(1)
    True
    """

    def __init__(
        self, rules: Rules, seat: int, deal: Sequence[Sequence[Card | None]], *, first_seat: int = 0
    ) -> None:
        import numpy as np

        from hanabi.rules.kernels.packed import Packed
        from hanabi.rules.kernels.rules import deal_from

        for name, number in (("seat", seat), ("first seat", first_seat)):
            if not 0 <= number < rules.seats:
                raise InvalidInputError(f"{name} {number} is not in 0 .. {rules.seats - 1}")
        if [len(hand) for hand in deal] != [rules.hand_size] * rules.seats:
            raise InvalidInputError(f"deal: not {rules.seats} hands of {rules.hand_size} cards")
        self._rules, self._seat = rules, seat
        for owner, hand in enumerate(deal):
            if any((card is None) is not self._hides(owner) for card in hand):
                raise InvalidInputError(f"deal: seat {seat} sees all hands except its own")
        self._kinds = sorted(rules.spec.counts())
        self._codes = dict(zip(self._kinds, pack_deck(self._kinds).tolist(), strict=True))
        self._words, self._deck = pack_rules(rules), np.zeros(rules.deck_size, np.int64)
        self._seen, self._left = np.zeros(rules.deck_size, np.bool_), rules.spec.counts()
        for index, card in enumerate(card for hand in deal for card in hand):
            self._see(index, card)
        self._state = np.zeros(int(self._words[k.STATE_SIZE]), np.int64)
        deal_from(Packed(self._words, self._deck, self._state), first_seat)
        self._settle(self._state)
        self._history = History(rules, seat, first_seat)
        self._now = self._view(self._state, ())

    def add(self, event: Event) -> None:
        """Take the next event.

        Raises
        ------
        InvalidInputError
            If it does not fit the rules, or what came before it; names the turn. The rebuilder is
            of no use then.
        """
        import numpy as np

        from hanabi.rules.kernels import doors

        now, action = self._now, event.action
        if (event.turn, event.seat) != (now.turn, now.seat_to_act):
            raise self._misfit()
        if not (self._imagine(event) if action.is_hint else self._reveal(event)):
            raise self._misfit()
        state = np.empty_like(self._state)
        broken = int(doors.apply(self._words, self._deck, self._state, action.code, state))
        if broken:
            raise InvalidInputError(f"turn {now.turn}: {action}: {explain(now, broken, action)}")
        self._settle(state)
        if event.drawn_index is not None:
            self._see(event.drawn_index, event.drawn_card)
            if (event.drawn_card is None) is not self._hides(now.seat_to_act):
                raise self._misfit()
        view = self._view(state, (*now.actions, action))
        if not self._has_deal(view) or self._history.extend(view) != [event]:
            raise self._misfit()
        self._now, self._state = view, state

    def view(self, end: int = k.IN_PROGRESS) -> View:
        """Return the view now; `end` is the word of a position that states whether it is over."""
        if end == k.IN_PROGRESS:
            return self._now
        state = self._state.copy()
        state[k.END] = end
        return self._view(state, self._now.actions)

    def asked(self, turn: int) -> View:
        """Return the view of the seat, which is asked for its action in a turn.

        Raises
        ------
        InvalidInputError
            If it is another turn, another seat's, or the game is over.

        >>> from hanabi.rules import Game
        >>> rules = Rules.official(2)
        >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
        >>> Rebuilder(rules, 1, [game.view(1).deck[:5], [None] * 5]).asked(0)
        Traceback (most recent call last):
        hanabi.ground.errors.InvalidInputError: turn 0: seat 0 is to act, not seat 1
        """
        now = self._now
        if turn != now.turn:
            raise InvalidInputError(f"turn {quote(turn)}: it is turn {now.turn} after these events")
        if now.seat_to_act != self._seat:
            raise InvalidInputError(
                f"turn {turn}: seat {now.seat_to_act} is to act, not seat {self._seat}"
            )
        if self._is_over or not now.legal_actions:
            raise InvalidInputError(f"turn {turn}: the game is over, there is no legal action")
        return now

    def _settle(self, state: Words) -> None:
        """Let the game go on, but keep whether it is over whatever the hidden cards are."""
        self._is_over = int(state[k.END]) in (k.BOMBED, k.COMPLETED, k.OUT_OF_TURNS)
        state[k.END] = k.IN_PROGRESS

    def _view(self, state: Words, actions: tuple[Action, ...]) -> View:
        return View(self._rules, (self._words, self._deck * self._seen, state), actions, self._seat)

    def _hides(self, owner: int) -> bool:
        """Whether the seat does not see a hand."""
        return owner == self._seat and not self._rules.open_hands

    def _see(self, index: int, card: Card | None) -> None:
        """Put a card into the deck, unless it is hidden."""
        if not 0 <= index < self._rules.deck_size or (card is not None and card not in self._codes):
            raise InvalidInputError(f"card {index} of the deck: {card} is not one of the rules")
        if card is None:
            return
        if not self._seen[index]:
            if not self._left[card]:
                copies = counted(self._rules.spec.counts()[card], "copy", "copies")
                raise InvalidInputError(f"card {index} of the deck: {card}, of {copies}, once more")
            self._left[card] -= 1
        self._deck[index], self._seen[index] = self._codes[card], True

    def _has_deal(self, view: View) -> bool:
        """Whether the unseen cards can be dealt to the hidden hand as the hints have it."""
        hand = zip(view.hand_indices[self._seat], view.knowledge[self._seat], strict=True)
        hidden = [known for index, known in hand if not self._seen[index]]
        most = len(hidden)
        left = [(card, min(copies, most)) for card, copies in self._left.items() if copies]
        tight = [
            known
            for known in hidden
            if sum([n for card, n in left if known.is_possible(card)]) < most
        ]
        if not tight:  # there are enough cards for each slot, whatever the others take
            return True
        cards = [card for card, n in left for _ in range(n)]
        fits = [[n for n, card in enumerate(cards) if known.is_possible(card)] for known in tight]
        return matched(fits) is not None

    def _imagine(self, event: Event) -> bool:
        """Let the seat's hidden cards be some that fit a hint; return whether there are such."""
        hint, rules = event.action, self._rules
        if hint.target != self._seat or hint._replace(target=0) not in rules.clues:
            return True  # it is about cards that are seen, or the rules refuse it
        for slot, index in enumerate(self._now.hand_indices[self._seat]):
            if not self._seen[index]:
                is_in = slot in event.touched
                card = next(
                    (each for each in self._kinds if rules.touches(hint, each) is is_in), None
                )
                if card is None:
                    return False
                self._deck[index] = self._codes[card]
        return True

    def _reveal(self, event: Event) -> bool:
        """See the card that is played or discarded; return whether it can be that one."""
        now, action, index, card = self._now, event.action, event.card_index, event.card
        hand = now.hand_indices[now.seat_to_act]
        if not action.is_from_deck and action.target >= len(hand):
            return True  # the rules refuse it
        place = self._rules.deck_size - 1 if action.is_from_deck else hand[action.target]
        if index is None or card is None:
            return False
        is_seen, code = bool(self._seen[place]), self._deck[place]
        self._see(index, card)
        if is_seen:
            return index == place and self._deck[place] == code
        if action.is_from_deck:
            return index == place
        return index == place and now.knowledge[self._seat][action.target].is_possible(card)

    def _misfit(self) -> InvalidInputError:
        turn = self._now.turn
        return InvalidInputError(f"turn {turn}: the event does not follow from those before it")
