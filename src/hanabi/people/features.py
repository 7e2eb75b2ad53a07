"""Features of actions, by which the model tells what people do: named, and computed from readings.

`features.tsv` has a row for each: the actions that it is about, a group, a name, and its meaning.
Those of the state (`state`), and of a card to play or to discard (`own`), are two columns each, one
for plays and one for discards. A feature is 0 for actions that it is not about.
"""

from __future__ import annotations

from collections import defaultdict
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

_URGENT = 0.8  # points from which on a chop should be saved
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
        self.round = self.events[max(len(self.events) - len(self.others), 0) :]
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
        self.urgent = sum(threat >= _URGENT for threat in self.threats)
        # The cards in sight by kind, those of them that are clued, and the clued own kinds.
        self.in_sight, self.clued = defaultdict[int, list[int]](list), dict[int, list[int]]()
        for order in (order for seat in self.others for order in mind.hands[seat]):
            self.in_sight[mind.card[order]].append(order)
            if self.marked >> order & 1:
                self.clued.setdefault(mind.card[order], []).append(order)
        self.own = 0
        for order in mind.hands[self.me]:
            belief = mind.belief(order)
            if self.marked >> order & 1 and not belief & belief - 1:
                self.own |= belief
        finesses = (mind.finesse(seat) for seat in self.others)
        self.finessed = {mind.card[order] for order in finesses if order is not None}
        self.to_clue = sum(
            mind.playable >> kind & 1 and kind not in self.clued and not self.own >> kind & 1
            for kind in self.in_sight
        )
        self.asks = self._asks()
        told = [
            each.turn
            for each in self.round
            if each.action.is_hint and each.action.target == self.me
        ]
        # The own cards that hints have touched since the last own turn, with the last turn.
        self.told = {
            order: turns[-1]
            for order, turns in zip(self.slots, view.hinted_at[self.me], strict=True)
            if turns and turns[-1] in told
        }

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

    def new(self, touched: tuple[int, ...] | list[int]) -> list[int]:
        """Return those of some cards that are neither clued nor called to be played."""
        return [order for order in touched if not self.marked >> order & 1]

    def _asks(self) -> tuple[bool, bool]:
        """Whether a hint of the last round needs one card that nobody is seen to hold, or others.

        So its target may wait for the own card on finesse position.
        """
        mind, one, several = self.mind, False, False
        for event in self.round:
            if not event.action.is_hint or event.action.target == self.me:
                continue
            touched = mind.touches(event.action)
            new = [order for order in touched if mind.since[order] == event.turn] or touched
            kind = mind.card[new[-1]] if new else -1
            if kind < 0 or (mind.trash | mind.playable) >> kind & 1:
                continue
            need = self.missing(kind)
            gone = [x for x in need if x not in self.in_sight and not self.own >> x & 1]
            one |= len(need) == len(gone) == 1
            several |= bool(gone) and len(need) > 1
        return one, several

    def waited(self, order: int, kind: int) -> int:
        """Return the number of own turns since a card, taken for a kind, could have been played."""
        hints = self.view.hinted_at[self.me][self.slots.index(order)]
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
    mind, me, events, further = table.mind, table.me, table.events, table.others[1:]
    tokens, pace, chop, plays = mind.clues, mind.pace, table.chops[me], table.plays[me]
    last, before = events[-1:], events[-2:-1]
    busy = [bool(table.plays[seat]) for seat in further]
    return {
        "always": 1,
        "next-busy": bool(table.plays[table.next]),
        "others-busy": sum(busy) / max(len(busy), 1),
        "next-loss": table.threats[table.next],
        "others-loss": max((table.threats[seat] for seat in further), default=0.0),
        "urgent": table.urgent,
        "to-clue": min(table.to_clue, 4),
        "plays": min(len(plays), 3),
        "sure-play": any(map(mind.is_sure, plays)),
        "blind-play": any(mind.blind >> order & 1 for order in plays),
        "own-chop-loss": 0.0 if chop is None else expected_loss(mind, mind.belief(chop)),
        "no-chop": chop is None,
        "has-useless": bool(table.useless[me]),
        "hand-told-now": any(turn == len(events) - 1 for turn in table.told.values()),
        "finesse": table.asks[0],
        "finesse-else": table.asks[1],
        "after-discard": any(event.action.kind is Kind.DISCARD for event in last),
        "after-play": any(event.action.kind is Kind.PLAY for event in last),
        "after-hint-next": any(
            event.action.is_hint and event.action.target == table.next for event in last
        ),
        "after-two-discard": any(event.action.kind is Kind.DISCARD for event in before),
        "after-two-hint": any(event.action.is_hint for event in before),
        "discarded": any(each.action.kind is Kind.DISCARD for each in table.own_events[-1:]),
        "hinted": any(each.action.is_hint for each in table.own_events[-1:]),
        "early": mind.is_early,
        "pace-0": pace <= 0,
        "pace-2": pace <= 2,
        "pace-4": pace <= 4,
        "last-card": mind.deck_left == 1,
        "last-cards": mind.deck_left <= 3,
        "last-round": mind.end is not None,
        "score": mind.score / sum(mind.deal.last),
        "errors": mind.deal.start.lives - mind.lives,
        "start": len(events) < mind.rules.seats,
        **{f"tokens-{number}": tokens == number for number in (0, 1, 2, 3, 7)},
        "tokens-56": tokens in (5, 6),
        "tokens-8": tokens >= 8,
    }


def _own(table: _Table, order: int) -> Values:
    mind, hand, unclued = table.mind, table.mind.hands[table.me], table.unclued
    belief, possible = mind.belief(order), mind.possible(order)
    is_known = not belief & belief - 1
    found: Values = {
        "newest": order == hand[-1],
        "oldest": order == hand[0],
        "place": hand.index(order),
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
        "called": mind.called >> order & 1,
        "told": order in table.told,
        "told-now": table.told.get(order) == len(table.events) - 1,
    }
    if not table.marked >> order & 1:
        return found | {
            "unclued-place": unclued.index(order),
            "finesse-place": order == unclued[-1],
            "second-finesse": order in unclued[-2:-1],
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
    plays, belief, tokens = table.plays[table.me], mind.belief(order), mind.clues
    in_line, is_sure = order in plays, mind.is_sure(order)
    is_asked = order in table.unclued[-1:]
    doubt, price = 1 - table.chance(belief, mind.playable), PRICE[min(mind.lives, 3)]
    found = _own(table, order) | {
        "in-line": in_line,
        "sure": is_sure,
        "on-finesse": is_asked and table.asks[0],
        "on-finesse-else": is_asked and table.asks[1],
        "impossible": not mind.possible(order) & mind.playable,
        "untold": not table.marked >> order & 1 and not (is_asked and any(table.asks)),
        "error-cost": doubt * price,
        "doubt-last": doubt * (mind.lives == 1),
        "doubt-tokens": doubt * (tokens >= 7),
    }
    if not (in_line or is_sure):
        return found
    good = belief & mind.playable or belief
    kind = (good & -good).bit_length() - 1
    is_known, after = not belief & belief - 1, table.after(kind)
    risk = 0.0 if is_sure else mind.risk(order)
    is_five, has_hint = is_known and table.is_five(kind), mind.has_hint
    return found | {
        "place-in-line": plays.index(order) if in_line else 0,
        "risk": risk,
        "risk-cost": risk * price,
        "waited": min(table.waited(order, kind), 3),
        "one": table.rank(kind) == 1,
        "rank": table.rank(kind),
        "five-of-many": is_five and len(plays) > 1,
        "five-to-clue": is_five and table.to_clue > 0,
        "leads-clued": after in table.clued,
        "leads-next": any(mind.owner[each] == table.next for each in table.clued.get(after, ())),
        "leads-unclued": after in table.in_sight and after not in table.clued,
        "leads-own": after >= 0 and table.own >> after & 1,
        "duplicate": is_known and kind in table.clued,
        "instead-clue": min(table.to_clue, 3) * has_hint,
        "instead-idle": has_hint and bool(table.others) and not table.plays[table.next],
        "in-line-tokens-0": tokens == 0,
        "in-line-many": tokens >= 5,
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
        "chop-late": min(len(table.events) / 30, 2) * is_chop,
    }


def _hint(table: _Table, action: Action) -> Values:
    mind, seat, touched = table.mind, action.target, table.mind.touches(action)
    clue = clue_of(mind, action, touched)
    if clue is None:
        return {"touches-none": 1}
    kind, new = mind.card[clue.focus], table.new(touched)
    is_color, is_next = action.kind is Kind.HINT_COLOR, seat == table.next
    is_playable, is_new = bool(mind.playable >> kind & 1), clue.focus in new
    # The cards that it newly clues: useless ones, duplicates and good ones.
    kinds = [mind.card[order] for order in new]
    bad = sum(mind.trash >> each & 1 for each in kinds)
    known = {each for each in kinds if each in table.clued or table.own >> each & 1}
    good = len({each for each in kinds if not mind.trash >> each & 1} - known)
    duplicates = len(kinds) - bad - good
    # Other hints that touch the same cards, and what those get that touch its focus.
    same, gets = False, list[int]()
    for other in table.view.legal_actions:
        if other.is_hint and other.target == seat and other != action:
            also = mind.touches(other)
            same |= also == touched
            if clue.focus in also:
                fresh = [mind.card[order] for order in table.new(also)]
                gets.append(sum(not mind.trash >> each & 1 for each in fresh))
    held = {mind.card[order] for order in touched}
    leads = [table.after(each) for each in held if mind.playable >> each & 1]
    found: Values = {
        "color": is_color,
        "not-next": not is_next,
        "alternative": same,
        "alternative-color": same and is_color,
        "alternative-less": max(gets, default=0) < good,
        "alternative-clean": bool(gets) and bad + duplicates > 0,
        "good": good,
        "two-good": good >= 2,
        "bad": bad,
        "duplicates": duplicates,
        "clean": good > 0 and not bad + duplicates,
        "good-late": good > 0 and mind.pace <= 1,
        "stale": not new,
        "playable": is_playable,
        "playable-color": is_playable and is_color,
        "playable-next": is_playable and is_next,
        "playable-idle": is_playable and not table.plays[seat],
        "playable-new": is_playable and is_new,
        "five-early": table.is_five(kind) and not is_color and mind.is_early,
        "useless": mind.trash >> kind & 1,
        "playable-cards": sum(mind.playable >> each & 1 for each in {*kinds}),
        "leads": any(each in table.clued or each in held for each in leads),
    }
    chop = table.chops[seat]
    if chop is None or chop not in touched:
        found["leaves-chop"] = table.threats[seat]
    else:
        found |= _saved(table, seat, mind.card[chop], is_color=is_color)
    if not mind.trash >> kind & 1:
        found |= _connection(table, seat, kind, {*kinds})
        found["none-off-chop"] = found.get("none", 0) and is_new and not clue.on_chop
    # What the others read in it, and do then.
    after = mind.copy()
    readings = give(after, clue)
    right = errors = new_useless = told = 0
    for player in table.others:
        plays = [order for order in after.plays(player) if order not in table.plays[player]]
        right += (gets_played := sum(mind.playable >> mind.card[order] & 1 for order in plays))
        errors += len(plays) - gets_played
        new_useless += len(after.useless(player)) - len(table.useless[player])
    meant = 0
    for each in readings:
        meant |= each.kinds
    for order in mind.hands[seat]:
        left, belief = after.belief(order), mind.belief(order)
        told += bool(belief & belief - 1) and not left & left - 1
    stopped = [order for order in table.plays[seat] if order not in after.plays(seat)]
    is_idle = not right and new_useless <= 0
    return found | {
        "true": any(not each.kinds or each.kinds >> kind & 1 for each in readings),
        "kinds": min(meant.bit_count(), 6),
        "moves": any(each.moved for each in readings),
        "marks-useless": any(each.idle for each in readings),
        "p-right": table.chance(after.belief(clue.focus), mind.playable) * is_playable,
        "told": told,
        "plays": right,
        "two-plays": right >= 2,
        "errors": errors,
        "new-useless": new_useless,
        "fixes": sum(not mind.playable >> mind.card[order] & 1 for order in stopped),
        "stale-nothing": not new and is_idle,
        "busy-target": bool(table.plays[seat]) and not right and chop not in touched,
    }


def _saved(table: _Table, seat: int, kind: int, *, is_color: bool) -> Values:
    """Return the features of a hint that touches the chop, of a kind."""
    mind, loss, is_five = table.mind, min(table.losses[seat], _MOST_POINTS), table.is_five(kind)
    is_critical = bool(mind.critical >> kind & 1) and not is_five
    return {
        "saves": loss,
        "saves-idle": table.threats[seat],
        "saves-next": table.threats[seat] * (seat == table.next),
        "saves-number": loss * (not is_color),
        "chop-playable": mind.playable >> kind & 1,
        "five": is_five and not is_color,
        "five-color": is_five and is_color,
        "two": table.rank(kind) == 2 and not is_color and not mind.trash >> kind & 1,
        "critical": is_critical and not is_color,
        "critical-color": is_critical and is_color,
    }


def _connection(table: _Table, seat: int, kind: int, newly: set[int]) -> Values:
    """Return the features of the cards that lead to a hint's focus, of a useful kind."""
    need, ways = table.missing(kind), set[str]()
    if not need:
        return {}
    for each in need:
        if each in table.clued:
            ways.add("clued")
        elif table.own >> each & 1:
            ways.add("own")
        elif each in table.finessed:
            ways.add("finesse")
        else:
            ways.add("clued" if each in newly else "none")
    order = table.mind.finesse(seat)
    there = -1 if order is None else table.mind.card[order]
    return {
        "one-away": len(need) == 1,
        "far": len(need) > 1,
        "clued": ways == {"clued"},
        "own": "own" in ways and not ways & {"none", "finesse"},
        "finesse": "finesse" in ways and "none" not in ways,
        "finesse-target": there in need and there not in table.clued,
        "none": "none" in ways,
    }
