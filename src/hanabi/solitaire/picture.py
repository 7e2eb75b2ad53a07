"""From an instance of Solitaire Hanabi and a play to the records of pictures."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from hanabi.ground import (
    Arc,
    Arcs,
    Bracket,
    InvalidInputError,
    Lane,
    Moment,
    SmallCard,
    SolitaireBoard,
    Strip,
    StripGroup,
    SuitLook,
    counted,
    draw_strip,
    looks_of,
    numbered_look,
)
from hanabi.rules import COLOR_NAMES, format_color
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.play import DrawAction, Play, n_played
from hanabi.solitaire.windows import Ways, Window, loads_of

__all__ = [
    "Looks",
    "arcs_of",
    "boards_of",
    "looks_of_instance",
    "strip_of",
    "strip_of_play",
    "svg_of",
]

Looks: TypeAlias = Callable[[int], SuitLook]
"""What gives the look of a color."""

_BEFORE, _WINDOW = 5, 11
_MOST_PILES = 55
_MOST_HELD = 33
_MOST_SHOWN = 500
_MOST_IN_PART = 2000
_MOST_IN_ARCS, _MOST_LANES, _MOST_ALTERNATIVES, _MOST_OPEN = 32, 14, 6, 20

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


def arcs_of(
    instance: Instance,
    ways: Sequence[Ways],
    held: Iterable[Window] = (),
    *,
    play: Play | None = None,
    moments: Mapping[int, int] | None = None,
    first: int | None = None,
    last: int | None = None,
    looks: Looks | None = None,
    titles: Iterable[tuple[str, int, int]] = (),
    notes: Iterable[str] = (),
) -> Arcs:
    """Return a stream with its windows as arcs, and with those that are held in the hand.

    Of a long stream only a part is shown, and the notes say what is left out. O(N + windows).

    Parameters
    ----------
    ways
        Those of `hanabi.solitaire.windows.ways_of`.
    held
        The windows that are chosen: those of a play, or the cheapest ones at the moments.
    play
        A play whose discards are drawn as empty cards.
    moments
        Positions with weights: moments just before these cards that matter, as in a certificate.
    first, last
        The cards to draw, up to 2,000. By default all if there are up to 32; otherwise the ends of
        the windows that are open at the moments, or when the hand is fullest.
    looks
        Of the colors; by default those of games.
    titles
        Titles of groups of cards, with their first and last position.
    notes
        Lines below the picture.

    Raises
    ------
    InvalidInputError
        If the cards to draw are not within the stream, or too many.

    >>> from hanabi.solitaire.windows import ways_of
    >>> clause = Instance(1, [(0, 2), (0, 1), (0, 3), (0, 2), (0, 4), (0, 3)])
    >>> [len(lane.arcs) for lane in arcs_of(clause, ways_of(clause)).lanes]
    [3]
    """
    looks, weights, chosen = looks or looks_of_instance(instance), moments or {}, tuple(held)
    if first is not None or last is not None or instance.N <= _MOST_IN_ARCS:
        begin = 1 if first is None else first
        end = min(instance.N, begin + _MOST_SHOWN - 1) if last is None else last
        if not 1 <= begin <= end + 1 <= instance.N + 1:
            raise InvalidInputError(f"cards {begin} .. {end} are not within 1 .. {instance.N}")
        if end - begin >= _MOST_IN_PART:
            raise InvalidInputError(
                f"{end - begin + 1:,} cards: a picture of windows shows {_MOST_IN_PART:,} at most"
            )
        numbers: Sequence[int] = range(begin, end + 1)
        shown, told = _some_ways(ways, chosen, begin, end)
        if len(numbers) < instance.N:
            told.insert(0, f"cards {begin} to {end} of {instance.N:,}")
    else:
        numbers, shown, told = _open_at(instance, chosen, sorted(weights))
    lines = [*notes, *(f"{line[:1].upper()}{line[1:]}." for line in told)]
    loads = loads_of(chosen, instance.N)
    is_full = [0 < instance.hand_size <= load for load in loads]
    full = [
        place
        for place, at in enumerate(numbers)
        if all(is_full[(numbers[place - 1] if place else at - 1) : at])
    ]
    words = [f"A stream of {counted(instance.N, 'card')}, hand {instance.hand_size}."]
    words += [
        f"{instance.card_name(window.color, window.value)} waits in hand from card"
        f" {window.opens} to card {window.closes}."
        for window in chosen[:_MOST_SHOWN]
    ]
    return Arcs(
        cards=_row(instance, looks, numbers, play),
        numbers=tuple(numbers),
        lanes=_lanes(ways, shown, set(chosen), looks, numbers),
        hand_size=instance.hand_size,
        full=() if weights else tuple(full),
        brackets=tuple(
            Bracket(
                first=bisect_left(numbers, low),
                last=bisect_left(numbers, high + 1) - 1,
                title=title,
            )
            for title, low, high in titles
            if bisect_left(numbers, low) < bisect_left(numbers, high + 1)
        ),
        moments=tuple(
            Moment(
                place=bisect_left(numbers, at),
                label=f"before {at}" + (f", {weight} times" * (weight > 1)),
            )
            for at, weight in sorted(weights.items())
            if at in numbers
        ),
        notes=tuple(lines),
        words=" ".join((*words, *lines)),
    )


def _row(
    instance: Instance, looks: Looks, numbers: Sequence[int], play: Play | None
) -> tuple[SmallCard, ...]:
    """Return the cards with these numbers; those that a play does not use are empty."""
    used = set(range(1, instance.N + 1))
    if play is not None:
        used = {position for position, action in play if action is DrawAction.PLAY}
    return tuple(_card(instance, looks, at, mark="" if at in used else "past") for at in numbers)


def _some_ways(
    ways: Sequence[Ways], chosen: Sequence[Window], begin: int, end: int
) -> tuple[list[Window], list[str]]:
    """Return the windows to draw above these cards, and what is left out in words."""
    own: dict[int, list[Window]] = {}
    for window in chosen:
        if window.opens <= end and window.closes >= begin:
            own.setdefault(window.color, []).append(window)
    found, n_lanes, hidden, others = list[Window](), 0, 0, 0
    some = {each.color: each.windows for each in ways if not each.is_free}
    for color in sorted(own.keys() | some.keys()):
        taken = own.get(color, [])
        free = [
            window
            for window in some.get(color, ())
            if window not in taken
            and (begin <= window.opens <= end or begin <= window.closes <= end)
        ]
        if not (taken or free):
            continue
        if n_lanes == _MOST_LANES:
            hidden += 1
            continue
        n_lanes += 1
        free.sort(key=lambda window: window.closes - window.opens)
        found += taken + free[:_MOST_ALTERNATIVES]
        others += max(0, len(free) - _MOST_ALTERNATIVES)
    told = [f"{counted(others, 'alternative')} not drawn"] * (others > 0)
    told += [f"{counted(hidden, 'more color')} with windows here not drawn"] * (hidden > 0)
    return found, told


def _open_at(
    instance: Instance, chosen: Sequence[Window], moments: Sequence[int]
) -> tuple[list[int], list[Window], list[str]]:
    """Return the cards where windows open at some moments begin and end, these, and words."""
    if not moments:
        loads = loads_of(chosen, instance.N)
        moments = [loads.index(max(loads)) + 1]
    found = [
        window
        for window in chosen
        if any(window.opens < moment <= window.closes for moment in moments)
    ]
    shown = found[:_MOST_OPEN]
    ends = {at for window in shown for at in (window.opens, window.closes)} | {*moments}
    numbers = sorted(at for at in ends if at <= instance.N)
    when = f"just before card {moments[0]}" if len(moments) == 1 else f"at {len(moments)} moments"
    told = [f"{len(numbers)} of {instance.N:,} cards: where the windows open {when} begin and end"]
    if len(found) > len(shown):
        told.append(f"{len(found) - len(shown)} more windows are open then")
    return numbers, shown, told


def _lanes(
    ways: Sequence[Ways],
    shown: Iterable[Window],
    chosen: set[Window],
    looks: Looks,
    numbers: Sequence[int],
) -> tuple[Lane, ...]:
    counts = {each.color: each.count for each in ways if each.has_choice and not each.is_free}
    own: dict[int, list[Window]] = {}
    for window in sorted(shown):
        own.setdefault(window.color, []).append(window)
    return tuple(
        Lane(
            look=looks(color),
            arcs=tuple(
                Arc(
                    rank=str(window.value),
                    opens=bisect_left(numbers, window.opens) if window.opens >= numbers[0] else -1,
                    closes=bisect_left(numbers, window.closes),
                    is_chosen=window in chosen,
                )
                for window in windows
            ),
            note=f"{counts[color]:,} ways" if counts.get(color, 10**9) < 10**9 else "",
        )
        for color, windows in own.items()
    )


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
