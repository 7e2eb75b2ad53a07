"""From an instance of Solitaire Hanabi and a play to the records of pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from hanabi.cards import COLOR_NAMES, format_color
from hanabi.errors import counted
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import DrawAction, Play, n_played
from hanabi.svg.looks import SuitLook, looks_of, numbered_look
from hanabi.svg.records import SmallCard, SolitaireBoard, Strip, StripGroup
from hanabi.svg.strip import draw_strip

__all__ = ["Looks", "boards_of", "looks_of_instance", "strip_of", "strip_of_play", "svg_of"]

Looks: TypeAlias = Callable[[int], SuitLook]
"""What gives the look of a color."""

_BEFORE, _WINDOW = 5, 11
_MOST_PILES = 55
_MOST_HELD = 33
_MOST_SHOWN = 500

_PAST = {DrawAction.STORE: "stores", DrawAction.DISCARD: "discards", DrawAction.PLAY: "plays"}


def svg_of(shown: Instance | Play) -> str:
    """Return a stand-alone picture of the first 500 cards, or moves (whose cards are numbers).

    >>> Instance(1, [(0, 2), (0, 1)])._repr_svg_()[:5], Play([(1, "play")])._repr_svg_()[:5]
    ('<svg ', '<svg ')
    """
    if isinstance(shown, Instance):
        return draw_strip(strip_of(shown, last=_MOST_SHOWN), title="A stream", standalone=True)
    cards = tuple(
        SmallCard(look=None, rank=str(position), verb=str(action))
        for position, action in shown[:_MOST_SHOWN]
    )
    words = f"A play of {counted(len(shown), 'move')}, its cards by their places in the stream."
    strip = Strip(groups=(StripGroup(cards=cards),), words=words)
    return draw_strip(strip, title="A play", standalone=True)


def looks_of_instance(instance: Instance) -> Looks:
    """Return what gives the look of a color; with more than six their names are numbers.

    There can be far more colors than cards, so looks are made when they are asked for.

    >>> looks_of_instance(Instance(1, [(0, 1)]))(0).name
    'Red'
    """
    if instance.c > len(COLOR_NAMES):
        return numbered_look
    names = tuple(name.title() for name in COLOR_NAMES[: instance.c])
    letters = tuple(format_color(color, instance.c) for color in range(instance.c))
    return looks_of(names, letters).__getitem__


def strip_of(
    instance: Instance,
    *,
    first: int = 1,
    last: int | None = None,
    looks: Looks | None = None,
) -> Strip:
    """Return the cards `first` .. `last` of a stream as a strip. O(cards shown + c).

    >>> len(strip_of(Instance(1, [(0, 2), (0, 1)])).groups[0].cards)
    2
    """
    end = instance.N if last is None else min(last, instance.N)
    looks = looks or looks_of_instance(instance)
    cards = tuple(_card(instance, looks, at) for at in range(first, end + 1))
    more = f", of which {first} to {end} are shown" if len(cards) < instance.N else ""
    words = f"A stream of {counted(instance.N, 'card')}{more}; hand {instance.hand_size}."
    return Strip(groups=(StripGroup(cards=cards),), words=words)


def strip_of_play(
    instance: Instance, play: Play, *, most: int = _MOST_SHOWN, looks: Looks | None = None
) -> Strip:
    """Return the first moves of a play as a strip: what is done, and with which card.

    >>> instance = Instance(1, [(0, 2), (0, 1)])
    >>> strip = strip_of_play(instance, Play([(1, "store"), (2, "play"), (1, "play")]))
    >>> [(card.number, card.verb, card.rank) for card in strip.groups[0].cards]
    [('1', 'store', '2'), ('2', 'play', '1'), ('3', 'play', '2')]
    """
    looks = looks or looks_of_instance(instance)
    cards = tuple(
        _card(instance, looks, position, number=str(number), verb=str(action))
        for number, (position, action) in enumerate(play[:most], start=1)
    )
    more = f", the first {most} of them" if len(play) > most else ""
    words = f"A play of {counted(len(play), 'move')}{more}."
    return Strip(groups=(StripGroup(cards=cards),), words=words)


def boards_of(
    instance: Instance,
    play: Play,
    *,
    looks: Looks | None = None,
    note: Callable[[int], str] = lambda _: "",
) -> Iterator[SolitaireBoard]:
    """Yield the start and the position after each move of a legal play. O(N h) altogether.

    Parameters
    ----------
    looks
        Of the colors; by default those of games.
    note
        What there is to say of the card at a position of the stream, from 1.

    Raises
    ------
    IllegalActionError
        If a move breaks a rule.

    >>> instance = Instance(1, [(0, 2), (0, 1)])
    >>> for board in boards_of(instance, Play([(1, "store"), (2, "play"), (1, "play")])):
    ...     print(board.move, board.held, board.played, board.last)
    0 0 0
    1 1 0 stores r2
    2 1 1 plays r1
    3 0 2 plays r2 from the hand
    """
    n_played(instance, play)
    looks = looks or looks_of_instance(instance)
    hand: dict[int, None] = {}
    piles: dict[int, int] = {}
    drawn = played = 0
    yield _board(instance, looks, (0, len(play), ""), "", hand, piles, (0, 0))
    for number, (position, action) in enumerate(play, start=1):
        color, value = instance.colors[position - 1], instance.values[position - 1]
        told = f"{_PAST[action]} {instance.card_name(color, value)}"
        told += " from the hand" if position <= drawn else ""
        drawn = max(drawn, position)
        if action is DrawAction.STORE:
            hand[position] = None
        else:
            hand.pop(position, None)
        if action is DrawAction.PLAY:
            piles[color] = value
            played += 1
        head = number, len(play), told
        yield _board(instance, looks, head, note(position), hand, piles, (drawn, played))


def _board(
    instance: Instance,
    looks: Looks,
    head: tuple[int, int, str],
    note: str,
    hand: dict[int, None],
    piles: dict[int, int],
    counts: tuple[int, int],
) -> SolitaireBoard:
    drawn, played = counts
    first = max(1, min(drawn - _BEFORE, instance.N - _WINDOW + 1))
    stream = tuple(
        _card(
            instance,
            looks,
            at,
            mark="now" if at == drawn and at else "past" if at < drawn else "",
        )
        for at in range(first, min(first + _WINDOW, instance.N + 1))
    )
    colors = range(min(instance.c, _MOST_PILES))
    tops = tuple(SmallCard(look=looks(n), rank=str(piles.get(n, "") or "")) for n in colors)
    shown = list(hand)[:_MOST_HELD]
    return SolitaireBoard(
        move=head[0],
        moves=head[1],
        last=head[2],
        note=note,
        stream=stream,
        hand=tuple(_card(instance, looks, position) for position in shown),
        hidden_hand=len(hand) - len(shown),
        piles=tops,
        hidden_piles=instance.c - len(tops),
        drawn=drawn,
        length=instance.N,
        held=len(hand),
        hand_size=instance.hand_size,
        played=played,
        goal=instance.goal,
    )


def _card(
    instance: Instance,
    looks: Looks,
    position: int,
    *,
    number: str = "",
    verb: str = "",
    mark: str = "",
) -> SmallCard:
    look, value = looks(instance.colors[position - 1]), instance.values[position - 1]
    return SmallCard(look=look, rank=str(value), number=number, verb=verb, mark=mark)
