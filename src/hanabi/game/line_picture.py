"""A line of a game as a strip of cards, with what is done with each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hanabi.errors import counted
from hanabi.game.picture import looks_of_rules, names_of, rank_label
from hanabi.game.table import Table
from hanabi.game.telling import clue_colors, hinted, moved_card, outcome
from hanabi.svg.looks import SuitLook
from hanabi.svg.records import SmallCard, Strip, StripGroup

__all__ = ["strip_of_line"]


def strip_of_line(games: Sequence[Table], names: Sequence[str] = ()) -> Strip:
    """Return the moves between positions, of which each follows on the one before. O(moves).

    Below each card stands what is done, and the turn (from 1) with the letter of who acts.

    >>> from hanabi.game import Game, Rules, hint_rank
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> card = strip_of_line([game, game.apply(hint_rank(1, 3))]).groups[0].cards[0]
    >>> card.rank, card.verb, card.number
    ('3', 'hint B', '1 A')
    """
    if not games:
        return Strip(groups=())
    looks, names = looks_of_rules(games[0].rules), names_of(games[0].rules, names)
    cards = tuple(_card(looks, names, before, after) for before, after in pairwise(games))
    end = games[-1]
    words = f"{counted(len(cards), 'move')}, from turn {games[0].turn + 1}: {end.score} points"
    return Strip(groups=(StripGroup(cards=cards),), words=words + ".")


def _card(
    looks: tuple[SuitLook, ...], names: Sequence[str], before: Table, after: Table
) -> SmallCard:
    action, rules = after.known_actions[-1], before.rules
    number = f"{after.turn} {names[before.seat_to_act][:1]}"
    if action.is_hint:
        what = hinted(action, clue_colors(rules))
        verb = f"hint {names[action.target][:1]}"
        return SmallCard(look=None, rank=what[:3], number=number, verb=verb)
    card = moved_card(before, after)
    rank = rank_label(rules, card.rank)
    return SmallCard(look=looks[card.color], rank=rank, number=number, verb=outcome(before, after))
