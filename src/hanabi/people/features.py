"""Features of actions, by which the model tells what people do: named, and computed from readings.

`features.tsv` has a row for each: the actions that it is about, a group, a name, and its meaning.
Those of the state (`state`), and of a card to play or to discard (`own`), are two columns each, one
for plays and one for discards. A feature is 0 for actions that it is not about.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log1p
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from hanabi.conventions import (
    PRICE,
    clue_of,
    expected_loss,
    give,
    loss_of,
    mind_of,
    options,
)
from hanabi.rules import Action, Kind, View

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["COLUMNS", "FEATURES", "LEVELS", "Feature", "features_of"]

LEVELS = (1, 11)
"""The levels of the conventions whose choices are features; the last one reads hints and cards."""

_MOST_POINTS, _MOST_GAP = 3.0, 8.0
_BOTH = ("play", "discard")

Values: TypeAlias = dict[str, float]


class Feature(NamedTuple):
    """A feature: the kind of actions that it is about, its group, its name and its meaning."""

    of: str
    group: str
    name: str
    meaning: str

    @property
    def label(self) -> str:
        """Its name among all features, such as `play: newest`."""
        return f"{self.of}: {self.name}"


def _features() -> Iterator[Feature]:
    rows = Path(__file__).with_name("features.tsv").read_text("utf-8").splitlines()[1:]
    for of, group, name, meaning in (row.split("\t") for row in rows):
        for each in _BOTH if of in ("state", "own") else (of,):
            yield Feature(each, group, name, meaning)


FEATURES = tuple(_features())
"""All features, in the order of the columns."""

COLUMNS = {each.label: at for at, each in enumerate(FEATURES)}
"""By its label, the column of a feature."""


def features_of(view: View) -> npt.NDArray[np.float32]:
    """Return the features of all legal actions of a view, an action a row, a feature a column.

    Raises
    ------
    InvalidInputError
        If `hgroup` does not play the rules.

    >>> from hanabi.rules import Game, Rules
    >>> rules = Rules.hanab_live(3)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> found = features_of(view)
    >>> found.shape == (len(view.legal_actions), len(FEATURES))
    True
    >>> int(found[:, COLUMNS["any: first1"]].sum())
    1
    """
    import numpy as np

    table = _Table(view)
    found = np.zeros((len(view.legal_actions), len(FEATURES)), dtype=np.float32)
    state, chosen = _state(table), _by_conventions(table)
    for row, action in zip(found, view.legal_actions, strict=True):
        if action.is_hint:
            of, values = "hint", _hint(table, action)
        elif action.kind is Kind.PLAY:
            of, values = "play", state | _play(table, action)
        else:
            of, values = "discard", state | _discard(table, action)
        for kind, each in (("any", chosen[action]), (of, values)):
            for name, value in each.items():
                row[COLUMNS[f"{kind}: {name}"]] = value
    return found


class _Table:
    """What the features of all actions need to know of a position, computed once."""

    def __init__(self, view: View) -> None:
        self.view, self.me, self.events = view, view.seat, view.events
        self.mind = mind = mind_of(view, LEVELS[-1])
        seats = range(view.rules.seats)
        self.others = [(self.me + away) % len(seats) for away in seats[1:]]
        self.next = self.others[0] if self.others else self.me
        self.slots = view.hand_indices[self.me]
        self.own_events = [event for event in self.events if event.seat == self.me]
        self.plays, self.useless = [*map(mind.plays, seats)], [*map(mind.useless, seats)]
        self.chops = [*map(mind.chop, seats)]
        self.marked = mind.touched | mind.blind
        self.unclued = [order for order in mind.hands[self.me] if not self.marked >> order & 1]
        # The cost of discarding each chop, and the same if its holder has nothing better to do.
        self.losses = [
            0.0 if chop is None or seat == self.me else loss_of(mind, mind.card[chop], seat)
            for seat, chop in enumerate(self.chops)
        ]
        self.threats = [
            0.0 if plays or useless else min(loss, _MOST_POINTS)
            for plays, useless, loss in zip(self.plays, self.useless, self.losses, strict=True)
        ]
        # The kinds of cards in sight, those of them that are clued, and the clued own kinds.
        self.in_sight, self.clued = set[int](), set[int]()
        for order in (order for seat in self.others for order in mind.hands[seat]):
            self.in_sight.add(mind.card[order])
            if self.marked >> order & 1:
                self.clued.add(mind.card[order])
        self.own = 0
        for order in mind.hands[self.me]:
            belief = mind.belief(order)
            if self.marked >> order & 1 and not belief & belief - 1:
                self.own |= belief
        finesses = (mind.finesse(seat) for seat in self.others)
        self.finessed = {mind.card[order] for order in finesses if order is not None}

    def rank(self, kind: int) -> int:
        return self.mind.deal.cards[kind].rank

    def is_five(self, kind: int) -> bool:
        return self.rank(kind) == self.view.rules.ranks

    def missing(self, kind: int) -> list[int]:
        """Return the kinds that must be played before one."""
        played = self.mind.piles[self.mind.deal.cards[kind].color]
        return [*range(kind - self.rank(kind) + 1 + played, kind)]

    def after(self, kind: int) -> int:
        """Return the next kind of a color, or -1."""
        card = self.mind.deal.cards[kind]
        return kind + 1 if card.rank < self.mind.deal.last[card.color] else -1

    def chance(self, mask: int, good: int) -> float:
        """Return the chance that a card of some kinds is of certain ones, by the copies left."""
        copies, out = self.mind.deal.copies, self.mind.out
        total = right = 0
        while mask:
            kind = (mask & -mask).bit_length() - 1
            mask &= mask - 1
            left = max(copies[kind] - out[kind], 0)
            total += left
            right += left * (good >> kind & 1)
        return right / total if total else 0.0

    def hinted(self, order: int) -> tuple[int, ...]:
        """Return the turns of the hints that touched an own card."""
        return self.view.hinted_at[self.me][self.slots.index(order)]

    def waited(self, order: int, kind: int) -> int:
        """Return the number of own turns since a card, taken for a kind, could have been played."""
        hints = self.hinted(order)
        since = max(hints[-1] if hints else 0, self.mind.since[order])
        before = kind - 1 if self.rank(kind) > 1 else -1
        for event in reversed(self.events):
            if event.turn <= since:
                break
            if event.outcome == "play" and event.card and self.mind.deal.kind(event.card) == before:
                since = event.turn
        return sum(event.turn > since for event in self.own_events)


def _by_conventions(table: _Table) -> dict[Action, Values]:
    found: dict[Action, Values] = {action: {} for action in table.view.legal_actions}
    for level in LEVELS:
        mind = table.mind if level == LEVELS[-1] else mind_of(table.view, level)
        ranked = options(mind, list(table.slots), table.view.legal_actions)
        for place, option in enumerate(ranked):
            found[option.action] |= {
                f"first{level}": place == 0,
                f"second{level}": place == 1,
                f"third{level}": place == 2,
                f"late{level}": place > 4,
                f"gap{level}": log1p(min(ranked[0].worth - option.worth, _MOST_GAP)),
            }
    return found


def _state(table: _Table) -> Values:
    mind, plays, last = table.mind, table.plays[table.me], table.events[-1:]
    return {
        "always": 1,
        "next-loss": table.threats[table.next],
        "others-loss": max((table.threats[seat] for seat in table.others[1:]), default=0.0),
        "plays": min(len(plays), 3),
        "sure-play": any(map(mind.is_sure, plays)),
        "after-play": any(event.action.kind is Kind.PLAY for event in last),
        "after-hint-next": any(
            event.action.is_hint and event.action.target == table.next for event in last
        ),
        "hinted": any(each.action.is_hint for each in table.own_events[-1:]),
        "early": mind.is_early,
        "pace-2": mind.pace <= 2,
        "last-card": mind.deck_left == 1,
        "last-cards": mind.deck_left <= 3,
        "last-round": mind.end is not None,
        "score": mind.score / sum(mind.deal.last),
    }


def _own(table: _Table, order: int) -> Values:
    mind, hand, unclued = table.mind, table.mind.hands[table.me], table.unclued
    belief, possible = mind.belief(order), mind.possible(order)
    is_known, hints = not belief & belief - 1, table.hinted(order)
    found: Values = {
        "newest": order == hand[-1],
        "p-playable": table.chance(belief, mind.playable),
        "p-useless": table.chance(belief, mind.trash),
        "p-critical": table.chance(belief, mind.critical),
        "p-playable-hints": table.chance(possible, mind.playable),
        "p-useless-hints": table.chance(possible, mind.trash),
        "known": is_known,
        "known-later": is_known and not belief & (mind.playable | mind.trash),
        "blind": mind.blind >> order & 1,
        "chop-moved": mind.moved >> order & 1,
        "said": mind.said >> order & 1,
        "told-now": hints[-1:] == (len(table.events) - 1,),
    }
    if not table.marked >> order & 1:
        return found | {
            "unclued-place": unclued.index(order),
            "finesse-place": order == unclued[-1],
            "second-chop": order in unclued[1:2],
        }
    since = mind.since[order]
    told = [each for each in hand if mind.since[each] == since and table.marked >> each & 1]
    return found | {
        "age": min(len(table.events) - since, 15) / 5,
        "not-focus": not mind.said >> order & 1,
        "only": len(told) == 1,
        "newest-told": order == max(told),
        "oldest-told": order == min(told) and len(told) > 1,
    }


def _play(table: _Table, action: Action) -> Values:
    if action.is_from_deck:
        return {}
    mind, order = table.mind, table.slots[action.target]
    plays, belief = table.plays[table.me], mind.belief(order)
    in_line, is_sure = order in plays, mind.is_sure(order)
    found = _own(table, order) | {
        "in-line": in_line,
        "impossible": not mind.possible(order) & mind.playable,
        "unclued": not table.marked >> order & 1,
    }
    if not (in_line or is_sure):
        return found
    good = belief & mind.playable or belief
    kind = (good & -good).bit_length() - 1
    return found | {
        "place-in-line": plays.index(order) if in_line else 0,
        "risk-cost": 0.0 if is_sure else mind.risk(order) * PRICE[min(mind.lives, 3)],
        "waited": min(table.waited(order, kind), 3),
        "one": table.rank(kind) == 1,
        "leads-clued": table.after(kind) in table.clued,
        "duplicate": not belief & belief - 1 and kind in table.clued,
        "in-line-two": len(plays) > 1,
    }


def _discard(table: _Table, action: Action) -> Values:
    if action.is_from_deck:
        return {}
    mind, order, me = table.mind, table.slots[action.target], table.me
    belief, is_chop = mind.belief(order), order == table.chops[me]
    loss = min(expected_loss(mind, belief), _MOST_POINTS)
    is_known = not belief & belief - 1
    return _own(table, order) | {
        "useless": order in table.useless[me],
        "chop": is_chop,
        "loss": loss,
        "chop-loss": loss * is_chop,
        "unclued-not-useless": not table.marked >> order & 1 and bool(table.useless[me]),
        "duplicate": is_known and belief.bit_length() - 1 in table.in_sight,
    }


def _hint(table: _Table, action: Action) -> Values:
    mind, seat, touched = table.mind, action.target, table.mind.touches(action)
    clue = clue_of(mind, action, touched)
    if clue is None:
        return {}
    kind, new = mind.card[clue.focus], [x for x in touched if not table.marked >> x & 1]
    is_color, is_next = action.kind is Kind.HINT_COLOR, seat == table.next
    is_playable, is_useless = bool(mind.playable >> kind & 1), bool(mind.trash >> kind & 1)
    # The cards that it newly clues: useless ones, duplicates and good ones.
    kinds = [mind.card[order] for order in new]
    bad = sum(mind.trash >> each & 1 for each in kinds)
    known = {each for each in kinds if each in table.clued or table.own >> each & 1}
    good = len({each for each in kinds if not mind.trash >> each & 1} - known)
    others = [
        mind.touches(other)
        for other in table.view.legal_actions
        if other.is_hint and other.target == seat and other != action
    ]
    # The cards that must be played before the focus, and are not clued.
    need = set[int]() if is_useless else {*table.missing(kind)}
    unclued = need - table.clued
    own = {each for each in unclued if table.own >> each & 1}
    finesse, gone = unclued & table.finessed - own, unclued - table.finessed - own - {*kinds}
    # What the others read in it, and do then.
    after = mind.copy()
    readings = give(after, clue)
    right = errors = new_useless = told = meant = 0
    for player in table.others:
        plays = [order for order in after.plays(player) if order not in table.plays[player]]
        right += (gets_played := sum(mind.playable >> mind.card[order] & 1 for order in plays))
        errors += len(plays) - gets_played
        new_useless += len(after.useless(player)) - len(table.useless[player])
    for each in readings:
        meant |= each.kinds
    for order in mind.hands[seat]:
        left, belief = after.belief(order), mind.belief(order)
        told += bool(belief & belief - 1) and not left & left - 1
    found: Values = {
        "color": is_color,
        "alternative": touched in others,
        "alternative-color": is_color and touched in others,
        "alternative-clean": good < len(kinds) and any(clue.focus in each for each in others),
        "bad": bad,
        "clean": good == len(kinds) > 0,
        "good-late": good > 0 and mind.pace <= 1,
        "playable": is_playable,
        "playable-color": is_playable and is_color,
        "playable-next": is_playable and is_next,
        "playable-idle": is_playable and not table.plays[seat],
        "playable-new": is_playable and clue.focus in new,
        "five-early": table.is_five(kind) and not is_color and mind.is_early,
        "useless": is_useless,
        "clued": bool(need) and not (own or finesse or gone),
        "finesse": bool(finesse) and not gone,
        "true": any(not each.kinds or each.kinds >> kind & 1 for each in readings),
        "kinds": min(meant.bit_count(), 6),
        "moves": any(each.moved for each in readings),
        "marks-useless": any(each.idle for each in readings),
        "p-right": table.chance(after.belief(clue.focus), mind.playable) * is_playable,
        "told": told,
        "plays": right,
        "errors": errors,
        "new-useless": new_useless,
        "playable-cards": sum(mind.playable >> each & 1 for each in {*kinds}),
        "stale": not new,
        "stale-nothing": not new and not right and new_useless <= 0,
    }
    chop = table.chops[seat]
    if chop is None or chop not in touched:
        return found
    saved, loss = mind.card[chop], min(table.losses[seat], _MOST_POINTS)
    is_five, is_critical = table.is_five(saved), bool(mind.critical >> saved & 1)
    return found | {
        "saves": loss,
        "saves-next": table.threats[seat] * is_next,
        "saves-number": loss * (not is_color),
        "five": is_five and not is_color,
        "two": table.rank(saved) == 2 and not is_color and not mind.trash >> saved & 1,
        "critical-color": is_critical and is_color and not is_five,
    }
