"""Shows of games and lines, move by move, with the results of a review."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import blake2b
from itertools import pairwise
from typing import Any

from hanabi.ground import (
    InvalidInputError,
    Sheet,
    counted,
    draw_parts,
    draw_scores,
    draw_solitaire,
    printable,
)
from hanabi.people import share_words
from hanabi.reviews import (
    Best,
    Judged,
    Late,
    Review,
    ReviewDocument,
    action_words,
    decisions_of,
    findings,
    kept_words,
    percent,
    played_words,
    story,
)
from hanabi.reviews import remarks_on as remarks
from hanabi.rules import (
    Action,
    Game,
    Recorded,
    Replay,
    backs_of,
    board_of,
    efficiencies,
    link_note,
    names_of,
    on_site,
    pace,
    site,
    status_of,
    touched_by,
)
from hanabi.shell.session.pictures import scores_of
from hanabi.shell.viewer.html import Html
from hanabi.shell.viewer.page import Ahead, Frame, Show, Story, board_html
from hanabi.solitaire import Annotation, Instance, Play, boards_of, gadget_at, looks_of_reduction
from hanabi.solvers import Prospect

__all__ = [
    "MOST_MOVES",
    "MOVE",
    "Told",
    "board_of_game",
    "card_notes_of",
    "head_of",
    "show_of_games",
    "show_of_play",
    "told_of_games",
    "worth_of_actions",
]

_PLAYED_HERE = Recorded()
_MOST_CARDS, _MOST_NOTE = 250, 300  # notes that are kept, and their letters
_KINDS = {"": "", "bad": "hp-bad", "good": "hp-good", "perfect": "hp-good hp-perfect"}
# Shown at their moves, by the story, and below it.
_NO_FACTS = ("lost", "errors", "bottom deck", "decisions", "estimated")

MOVE = "#move-{}"
"""The address of a step within its page."""

Below = Callable[[Game], Sequence[str]]
"""What a page has below each hand of a position, as HTML."""


def show_of_games(
    games: Sequence[Game],
    *,
    title: str,
    names: Sequence[str] = (),
    facts: Sequence[str] = (),
    review: Review | None = None,
    found_from: int | None = None,
    link: str = "",
    recorded: Recorded = _PLAYED_HERE,
    notes: Mapping[int, str] | None = None,
    card_notes: Mapping[int, Sequence[str]] | None = None,
    below: Below | None = None,
    sheet: Sheet | None = None,
) -> Show:
    """Return consecutive positions as a show. O(moves * actions).

    Parameters
    ----------
    games
        The first position, usually the deal, and those that followed.
    names
        The players' names.
    facts
        Sentences about the whole game, which are its story.
    review
        A review of these positions, to show its bounds and the moves that lost points.
    found_from
        The position from which a solver found the moves, if any: there the next card is marked.
    link
        A link to the game on hanab.live.
    recorded
        What a record has beside the positions: how the game ended, if it is over by the rules.
    notes
        Notes on positions, by number.
    card_notes
        Notes on cards, as `card_notes_of` returns them.
    below
        What the page has below each hand, such as buttons.
    sheet
        A sheet for the definitions of the pictures, if other pictures share it.

    >>> from hanabi.rules import Rules, hint_rank
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> show = show_of_games([game, game.apply(hint_rank(1, 3))], title="One hint")
    >>> [frame.words for frame in show.frames]
    ['The deal', 'Alice clues Bob: 3 (2 cards)']
    """
    names, sheet = names_of(games[0].rules, names), sheet or Sheet()
    steps = told_of_games(games, names=names, review=review, recorded=recorded)
    frames = []
    for n, (game, step) in enumerate(zip(games, steps.frames, strict=True)):
        following = None
        if found_from is not None and found_from <= n < len(games) - 1:
            following = games[n + 1].known_actions[-1]
        picture = board_of_game(
            game,
            sheet=sheet,
            names=names,
            before=games[n - 1] if n else None,
            following=following,
            below=below,
        )
        frames.append(replace(step, picture=picture))
    deck = " ".join(map(str, games[0].deck))
    return Show(
        title=title,
        facts=(*steps.facts, *filter(None, [link_note(link)])),
        frames=tuple(frames),
        shared=sheet.svg,
        chart=steps.chart,
        link=link,
        story=replace(steps.story, text=" ".join(facts)) if facts else steps.story,
        names=names,
        cards=_histories(games),
        notes=notes or {},
        card_notes=card_notes or {},
        key=blake2b(f"{deck} {games[-1].known_actions}".encode(), digest_size=8).hexdigest(),
    )


def card_notes_of(
    notes: Sequence[Sequence[str]], names: Sequence[str]
) -> dict[int, tuple[str, ...]]:
    """Return a record's notes by card: a line for each player who wrote one; long ones are cut.

    >>> card_notes_of([["", "m1"], ["", "f"]], ["Ann", "Ben"])
    {1: ('Ann: m1', 'Ben: f')}
    """
    found: dict[int, tuple[str, ...]] = {}
    for name, row in zip(names, notes, strict=False):
        for place, note in enumerate(row[:_MOST_CARDS]):
            if note.strip():
                line = printable(f"{name}: {note.strip()}", _MOST_NOTE)
                found[place] = (*found.get(place, ()), line)
    return dict(sorted(found.items()))


def board_of_game(
    game: Game,
    *,
    sheet: Sheet,
    names: Sequence[str],
    before: Game | None = None,
    following: Action | None = None,
    below: Below | None = None,
) -> Html:
    """Return the board of a position as HTML; `following` is an action to mark on its card."""
    marks: dict[int, str] = {}
    if following is not None and not following.is_hint and not following.is_from_deck:
        hand = game.hand_indices[game.seat_to_act]
        marks[hand[following.target]] = following.kind.name.lower()
    board = board_of(game, names=names, before=before, marks=marks)
    parts = draw_parts(board, sheet=sheet, backs=backs_of(game))
    return board_html(parts, () if below is None else below(game))


@dataclass(frozen=True, slots=True)
class Told:
    """A game in words: its steps without pictures, facts about it, its chart, and its story."""

    frames: tuple[Frame, ...]
    facts: tuple[str, ...]
    chart: str
    story: Story


def told_of_games(
    games: Sequence[Game],
    *,
    names: Sequence[str],
    review: Review | None = None,
    recorded: Recorded = _PLAYED_HERE,
    n_known: int | None = None,
    link: str = MOVE,
) -> Told:
    """Return a game in words, with what a review has found so far.

    Parameters
    ----------
    review
        The review; its first `n_known` prospects are found, by default all.
    link
        The address of each step, with `{}` for its number.
    """
    names = names_of(games[0].rules, names)
    document = None if review is None else review.document(hint="clue")
    moves = {} if document is None else {each.move: each for each in document.moves}
    told = {n: tuple(remarks(each, review.partners)) for n, each in moves.items()} if review else {}
    ahead = {} if review is None else _mistakes(review, told, names)
    values = {} if review is None else _values(review)
    notes = {} if review is None else {each.move: each for each in review.conventions}
    people = {} if review is None else {each.move: each for each in review.people}
    prospects = () if review is None else review.prospects[:n_known]
    is_start = games[0].has_history and not games[0].known_actions
    gotten = [each.ratio for each in efficiencies(games)] if is_start else [None] * len(games)
    frames = []
    for n, game in enumerate(games):
        before, move = games[n - 1] if n else None, moves.get(n)
        notable = [f"{counted(move.lost, 'point')} lost"] if move and move.lost else []
        if n == recorded.over_at:
            notable.append(f"over by the rules of today: {game.end_reason}")
        words = "The deal" if not game.turn else "The start"
        said: list[str] = []
        if before is not None:
            words = on_site(names, before, game)
            said += [] if move is None or move.lost else told[n]
            if n in notes:
                said += (each.to(site(names, before)) for each in notes[n].sentences())
            if n in people:
                said.append(people[n].says.to(site(names, before)))
        found = prospects[n] if n < len(prospects) else None
        frames.append(
            Frame(
                words=words,
                head=head_of(game, names),
                status=_figures(game, gotten[n]),
                remark="; ".join(notable),
                why=tuple((_sentence(each),) for each in said),
                best="" if found is None else f"{Best.of(found)} of {games[0].rules.max_score}",
                is_loss=move is not None and move.lost > 0,
                is_clue=before is not None and game.known_actions[-1].is_hint,
                ahead=ahead.get(n + 1),
                values=values.get(n),
            )
        )
    is_whole = review is None or len(prospects) >= len(review.positions)
    facts = [played_words(Replay(tuple(games), recorded)), *recorded.unusual]
    if document is not None and is_whole:
        facts += (
            f"{each.label}: {each.text}"
            for each in findings(document, {}, hint="clue")
            if not each.move and each.label not in _NO_FACTS
        )
    return Told(
        tuple(frames),
        tuple(map(_sentence, facts)),
        "" if review is None else draw_scores(scores_of(review), link=link),
        Story() if document is None else _story(document, min(ahead, default=None)),
    )


def _story(document: ReviewDocument, first: int | None) -> Story:
    """Return what a game comes to; it begins before its `first` mistake, if there is one."""
    found, end = Story(**decisions_of(document)._asdict()), story(document)
    if end is None:
        return found
    start = end.move if first is None else first - 1
    return replace(found, head=end.label, text=end.text, kind=_KINDS[end.tone], start=start)


def head_of(game: Game, names: Sequence[str]) -> str:
    """Return whose turn a position is, or how the game ended.

    >>> from hanabi import deal
    >>> head_of(deal(2), ["Alice", "Bob"])
    'Turn 1: Alice to act'
    """
    return f"{f'Turn {game.turn + 1}' if game.can_act else 'The end'}: {status_of(game, names)}"


def _mistakes(
    review: Review, told: Mapping[int, Sequence[str]], names: Sequence[str]
) -> dict[int, Ahead]:
    """Return the moves that lost points, by number, with what would have kept them."""
    judged, found = dict(review.judged), {}
    for each in review.mistakes("clue"):
        n, had = each.turn, review.prospects[each.turn - 1].lower
        found[n] = Ahead(
            mistake=each,
            kept=kept_words(review.positions[n - 1], judged.get(n, ()), names, had),
            why=tuple((_sentence(words),) for words in told[n]),
        )
    return found


def _values(review: Review) -> dict[int, dict[str, Any]]:
    """Return what actions are worth in the positions before moves that lost points."""
    late = {each.at: each for each in review.late}
    people = {each.move - 1: each.chances for each in review.people}
    top = review.positions[0].rules.max_score
    return {
        at: worth_of_actions(judged, review.prospects[at], late.get(at), top, people.get(at))
        for at, judged in ((move - 1, judged) for move, judged in review.judged)
    }


def worth_of_actions(
    judged: Sequence[Judged],
    found: Prospect | None,
    late: Late | None,
    top: int,
    people: Mapping[Action, float] | None = None,
) -> dict[str, Any]:
    """Return what the actions of a position are worth, by their codes, as JSON for the page.

    An action is `best` if it keeps as much as any, and another one does not; `worse` if it keeps
    less. Open bounds are shown as such.

    Parameters
    ----------
    found
        The best score from the position, with a line to it, if that is known.
    late
        The chances of the actions, if few cards are left to draw.
    top
        The best score of the rules.
    people
        The share of people who would take each action, if that was asked for.

    >>> from hanabi.rules import play
    >>> kept = [Judged((play(slot),), Prospect(24 + slot, 24 + slot, None)) for slot in range(2)]
    >>> found = worth_of_actions(kept, Prospect(25, 25, (play(1), play(0))), None, 25)
    >>> found["values"]["256"]["kept"], found["line"], found["follow"]
    ('25', '256.0', 'Play the winning line')
    """
    known = [each.kept for each in judged] + ([] if found is None else [found])
    most = max((each.lower for each in known), default=0)
    is_mixed = any(each.kept.upper < most for each in judged)
    values: dict[str, Any] = {}
    for each in judged:
        kept, bounds = each.kept, Best.of(each.kept)
        for action in each.actions:
            perfect = None if late is None else late.chances.of(action).perfect
            share = "" if people is None else share_words(people[action])
            words = action_words(bounds, perfect)
            values[str(action.code)] = {
                "kept": f"{bounds}" if kept.is_exact else f"{bounds}?",
                "chance": percent(perfect) if perfect is not None and perfect.high else "",
                "best": is_mixed and kept.lower >= most,
                "worse": kept.upper < most,
                "people": share,
                "words": words + f"; {share} of people would do this" * bool(share),
            }
    line = () if found is None else found.line or ()
    return {
        "open": not all(each.kept.is_exact for each in judged),
        "values": values,
        "line": ".".join(str(action.code) for action in line),
        "follow": f"Play the {'winning' if most >= top else 'best'} line",
    }


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _figures(game: Game, ratio: Fraction | None) -> str:
    """Return the pace and the efficiency so far, if there are any."""
    left = pace(game) if game.can_act else None
    found = [] if left is None else [f"pace {left}"]
    return " · ".join([*found, *([] if ratio is None else [f"efficiency {float(ratio):.2f}"])])


def _histories(games: Sequence[Game]) -> tuple[tuple[int, tuple[int, ...], int | None], ...]:
    """Return in which positions each card has been drawn, clued and moved."""
    drawn = {index: 0 for hand in games[0].hand_indices for index in hand}
    clued: dict[int, list[int]] = {}
    moved: dict[int, int] = {}
    for n, (before, game) in enumerate(pairwise(games), start=1):
        action = game.known_actions[-1]
        if action.is_hint:
            for slot in touched_by(game, action):
                clued.setdefault(game.hand_indices[action.target][slot], []).append(n)
            continue
        held = {index for hand in game.hand_indices for index in hand}
        moved |= {i: n for hand in before.hand_indices for i in hand if i not in held}
        drawn |= {index: n for index in held if index not in drawn}
    return tuple(
        (drawn[index], tuple(clued.get(index, ())), moved.get(index)) for index in sorted(drawn)
    )


# Plays of Solitaire Hanabi and of reduced formulas, move by move.

MOST_MOVES = 20_000
"""The most moves of a play that a page can show; each takes two to three kilobytes."""


def show_of_play(
    instance: Instance,
    play: Play,
    *,
    title: str,
    facts: Sequence[str] = (),
    annotation: Annotation | None = None,
) -> Show:
    """Return a legal play as a show; the steps of a reduction name their gadgets. O(moves).

    Raises
    ------
    InvalidInputError
        If there are more than `MOST_MOVES` moves.
    IllegalActionError
        If a move breaks a rule.

    >>> play = Play([(1, "store"), (2, "play"), (1, "play")])
    >>> show = show_of_play(Instance(1, [(0, 2), (0, 1)]), play, title="Two cards")
    >>> [frame.words for frame in show.frames]
    ['The start', 'stores r2', 'plays r1', 'plays r2 from the hand']
    """
    if len(play) > MOST_MOVES:
        raise InvalidInputError(
            f"a play of {len(play):,} moves: a page shows {MOST_MOVES:,} at most;"
            ' "hanabi solve --show" prints them all'
        )
    sheet = Sheet()
    looks = None
    if annotation is not None:
        looks = looks_of_reduction(instance, annotation).__getitem__

    def note(position: int) -> str:
        if annotation is None or looks is None:
            return ""
        literal = looks(instance.colors[position - 1]).name
        return f"{gadget_at(annotation, position)}: a card of {literal}"

    frames = tuple(
        Frame(picture=draw_solitaire(board, sheet=sheet), words=board.last or "The start")
        for board in boards_of(instance, play, looks=looks, note=note)
    )
    return Show(title=title, facts=tuple(facts), frames=frames, shared=sheet.svg)
