"""Pictures of games and views, as records for :mod:`hanabi.ground.svg` to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from hanabi.ground import (
    Board,
    CardFace,
    DiscardedCard,
    HandPicture,
    PilePicture,
    SmallCard,
    Strip,
    StripGroup,
    SuitLook,
    counted,
    draw_board,
    looks_of,
)
from hanabi.rules.actions import Action
from hanabi.rules.cards import COLOR_NAMES, Card, format_color
from hanabi.rules.config import Rules
from hanabi.rules.notation.hanab_live import DEFAULT_NAMES
from hanabi.rules.state import Game
from hanabi.rules.table import Knowledge, Table
from hanabi.rules.telling import (
    clue_colors,
    ending,
    hinted,
    hints_in_hands,
    moved_card,
    on_site,
    outcome,
    touched_by,
)
from hanabi.rules.view import View

__all__ = [
    "backs_of",
    "board_of",
    "looks_of_rules",
    "names_of",
    "rank_label",
    "status_of",
    "strip_of_line",
    "svg_of",
]


def board_of(
    table: Table,
    *,
    names: Sequence[str] = (),
    marks: Mapping[int, str] | None = None,
    before: Table | None = None,
    best: int | None = None,
) -> Board:
    """Return the contents of a picture of a position; hidden cards stay hidden.

    Newest cards come first, as on hanab.live. O(cards + actions).

    Parameters
    ----------
    table
        A game, or a view of one seat.
    names
        The players' names; by default hanab.live's.
    marks
        Words such as "play" on cards in hand, by their places in the deck (`hand_indices`).
    before
        The position before the last action, used to describe and mark that action. If it is not
        given, a game is replayed to find it; for a view, the last action is described without its
        card.
    best
        The points that can still be reached, if known.

    >>> from hanabi.rules import hint_rank
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(hint_rank(1, 3))
    >>> board = board_of(game.view(1))
    >>> board.last, board.hands[1].cards[-1]
    ('Alice clues 3 to Bob', CardFace(suit=None, rank=None, suits=(0, 1, 2, 3, 4), ranks=('3',),
    hints=('3',), mark='', arrow='3', worth=''))
    """
    rules, names = table.rules, names_of(table.rules, names)
    before = _before(table, before)
    touched = _touched(table)
    hands = tuple(
        HandPicture(
            name=names[seat],
            cards=_faces(table, seat, touched[seat], marks or {}),
            is_to_act=seat == table.seat_to_act and table.can_act,
            is_viewer=isinstance(table, View) and table.seat == seat,
            places=table.hand_indices[seat][::-1],
        )
        for seat in range(rules.seats)
    )
    return Board(
        suits=looks_of_rules(rules),
        ranks=_labels(rules),
        hands=hands,
        piles=tuple(_pile(rules, color, pile) for color, pile in enumerate(table.pile_ranks)),
        discards=tuple(_discard(table, card) for card in table.discards),
        dead=frozenset(
            (card.color, rank_label(rules, card.rank))
            for card in rules.spec.counts()
            if table.is_dead(card) and card.rank not in table.pile_ranks[card.color]
        ),
        hand_size=rules.hand_size,
        moved=_moved(before, table),
        hints=f"{table.hints}{'½' if table.hint_credit % rules.hint_cost else ''}",
        most_hints=rules.hints,
        lives=table.lives,
        most_lives=rules.lives,
        deck=table.deck_left,
        score=table.score,
        best=best,
        top=rules.max_score,
        turn=table.turn,
        last=_last(table, before, names),
        status=status_of(table, names),
    )


def backs_of(game: Game) -> tuple[tuple[CardFace, ...], ...]:
    """Return each hand as its owner knows it, by the hints and by the cards that it sees.

    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> backs_of(game)[1] == board_of(game.view(1)).hands[1].cards
    True
    """
    touched = _touched(game)
    return tuple(
        _faces(game.view(seat), seat, touched[seat], {}) for seat in range(game.rules.seats)
    )


def svg_of(table: Table) -> str:
    """Return a stand-alone SVG picture of a position, as notebooks show it.

    >>> rules = Rules.official(2)
    >>> Game.start(rules, rules.spec.shuffle(seed=1))._repr_svg_()[:5]
    '<svg '
    """
    return draw_board(board_of(table), standalone=True)


def looks_of_rules(rules: Rules) -> tuple[SuitLook, ...]:
    """Return the looks of the suits of a rule set.

    >>> [look.letter for look in looks_of_rules(Rules.hanab_live(2, variant="Rainbow (3 Suits)"))]
    ['r', 'b', 'm']
    """
    if rules.variant is not None:
        suits = tuple(suit.name for suit in rules.variant.suits)
        return looks_of(suits, tuple(rules.variant.letters))
    colors = range(rules.colors)
    letters = tuple(format_color(color, rules.colors) for color in colors)
    has_names = rules.colors <= len(COLOR_NAMES)
    named = (COLOR_NAMES[n].title() if has_names else f"Color {n}" for n in colors)
    return looks_of(tuple(named), letters)


def rank_label(rules: Rules, rank: int) -> str:
    """Return the label of a rank on a card: the number, or S for START."""
    is_start = rules.variant is not None and rank == rules.variant.start_rank
    return "S" if is_start else str(rank)


def names_of(rules: Rules, names: Sequence[str]) -> tuple[str, ...]:
    """Return a name for each seat; hanab.live's default name if none is given."""
    return (*names, *DEFAULT_NAMES[len(names) : rules.seats])


def _labels(rules: Rules) -> tuple[str, ...]:
    """Return the labels of all ranks; START comes first, as it does on most piles."""
    ranks = [rank_label(rules, rank) for rank in range(1, rules.ranks + 1)]
    return (ranks[-1], *ranks[:-1]) if ranks[-1] == "S" else tuple(ranks)


def _before(table: Table, before: Table | None) -> Table | None:
    """Return the position before the last action, replaying a game if it is not given."""
    if before is None and table.known_actions and isinstance(table, Game) and table.has_history:
        before = table.deal
        for action in table.actions[:-1]:
            before = before.apply(action, after_end=True)
    return before


def _touched(table: Table) -> Sequence[Sequence[tuple[Action, ...]]]:
    if table.has_history:
        return hints_in_hands(table)
    return [[()] * len(hand) for hand in table.hands]


def _faces(
    table: Table, seat: int, touched: Sequence[tuple[Action, ...]], marks: Mapping[int, str]
) -> tuple[CardFace, ...]:
    """Return the cards of a hand, newest first."""
    arrows = _arrows(table)
    cards = list(zip(table.hands[seat], table.hand_indices[seat], touched, strict=True))
    return tuple(
        _face(
            table,
            card,
            _known(table, seat, slot),
            hints,
            marks.get(index, ""),
            arrows.get(index, ""),
        )
        for slot, (card, index, hints) in reversed(list(enumerate(cards)))
    )


def _arrows(table: Table) -> dict[int, str]:
    """Return the last action's hint for the cards that it touched, by their places in the deck."""
    if not table.known_actions or not table.known_actions[-1].is_hint:
        return {}
    hint = table.known_actions[-1]
    hand, word = table.hand_indices[hint.target], hinted(hint, clue_colors(table.rules))
    return {hand[slot]: word for slot in touched_by(table, hint)}


def _moved(before: Table | None, table: Table) -> tuple[int, str, str] | None:
    """Return the suit and rank of the card that the last action moved, and how."""
    if before is None or not table.known_actions or table.known_actions[-1].is_hint:
        return None
    card, how = moved_card(before, table), outcome(before, table)
    return card.color, rank_label(table.rules, card.rank), "error" if how == "misplay" else how


def _known(table: Table, seat: int, slot: int) -> Knowledge:
    """Return what is known of a card: by the hints, and by what its owner sees in its own view."""
    known = table.knowledge[seat][slot]
    if not isinstance(table, View) or table.hands[seat][slot] is not None:
        return known
    cards = frozenset(card for card in table.unseen if known.is_possible(card))
    return Knowledge(
        tuple(sorted({card.color for card in cards})),
        tuple(sorted({card.rank for card in cards})),
        cards,
    )


def _worth(table: Table, card: Card | None) -> str:
    if card is None:
        return ""
    if table.is_dead(card):
        return "dead"
    return "critical" if table.copies_left(card) == 1 else ""


def _face(
    table: Table,
    card: Card | None,
    known: Knowledge,
    hints: tuple[Action, ...],
    mark: str,
    arrow: str,
) -> CardFace:
    rules = table.rules
    possible = [rank_label(rules, rank) for rank in known.ranks]
    ranks = tuple(label for label in _labels(rules) if label in possible)
    says_nothing = len(known.colors) == rules.colors and len(ranks) == rules.ranks
    if card is not None and says_nothing:
        known, ranks = Knowledge((), ()), ()
    colors = clue_colors(rules)
    return CardFace(
        suit=None if card is None else card.color,
        rank=None if card is None else rank_label(rules, card.rank),
        suits=known.colors,
        ranks=ranks,
        hints=tuple(hinted(hint, colors) for hint in hints),
        mark=mark,
        arrow=arrow,
        worth=_worth(table, card),
    )


def _pile(rules: Rules, color: int, played: tuple[int, ...]) -> PilePicture:
    """Return a pile, with the direction in which it can grow."""
    variant, orders = rules.variant, rules.orders(color)
    direction = "up"
    if variant is not None and variant.sudoku:
        direction = "round"
    elif len(orders) > 1:
        ways = {each[1] < each[-2] for each in orders if each[: len(played)] == played}
        direction = "either" if len(ways) > 1 else ("down", "up")[ways.pop()]
    elif orders[0][0] > orders[0][-1]:
        direction = "down"
    return PilePicture(
        ranks=tuple(rank_label(rules, rank) for rank in played),
        goal=len(orders[0]),
        direction=direction,
    )


def _discard(table: Table, card: Card) -> DiscardedCard:
    is_played = card.rank in table.pile_ranks[card.color]
    is_lost = not is_played and not table.copies_left(card)
    return DiscardedCard(suit=card.color, rank=rank_label(table.rules, card.rank), is_lost=is_lost)


def _last(table: Table, before: Table | None, names: Sequence[str]) -> str:
    """Return the last action as a sentence."""
    if not table.known_actions:
        return ""
    seat = (table.seat_to_act - 1) % table.rules.seats if before is None else before.seat_to_act
    if before is not None:
        return on_site(names, before, table)
    action = table.known_actions[-1]
    if not action.is_hint:
        return f"{names[seat]}: {action}"
    what = hinted(action, clue_colors(table.rules))
    return f"{names[seat]} clues {what} to {names[action.target]}"


def status_of(table: Table, names: Sequence[str]) -> str:
    """Return what comes next as a sentence, or how the game ended.

    >>> rules = Rules.official(2)
    >>> status_of(Game.start(rules, rules.spec.shuffle(seed=1)), ("Ann", "Ben"))
    'Ann to act'
    """
    if table.is_over:
        return ending(table)
    left = "" if table.turns_left is None else f", {counted(table.turns_left, 'turn')} left"
    return f"{names[table.seat_to_act]} to act{left}"


# A line of a game as a strip of cards, with the action for each.


def strip_of_line(games: Sequence[Table], names: Sequence[str] = ()) -> Strip:
    """Return the moves between successive positions as a strip of cards. O(moves).

    Below each card are the action, and the turn (from 1) with the player's initial.

    >>> from hanabi.rules import Game, Rules, hint_rank
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
