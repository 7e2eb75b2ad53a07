"""Shows of games and lines, move by move, with the results of a review."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import blake2b
from html import escape
from itertools import pairwise

from hanabi.errors import InvalidInputError, counted, printable
from hanabi.game import Action, Game, Kind, Table
from hanabi.game.figures import efficiencies, pace
from hanabi.game.picture import backs_of, board_of, names_of, status_of
from hanabi.game.recorded import Recorded, Replay
from hanabi.game.telling import card_name, clue_colors, hinted, site_words, told, touched_by
from hanabi.hardness import Annotation
from hanabi.hardness.explain import gadget_at, looks_of_reduction
from hanabi.notation.links import link_note
from hanabi.session.chances import Late, worst
from hanabi.session.decisions import Decision, DecisionKind, counts_of, decision_words
from hanabi.session.pictures import scores_of
from hanabi.session.review import Judged, Review
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.picture import boards_of
from hanabi.solitaire.play import Play
from hanabi.svg.board import draw_parts, draw_solitaire
from hanabi.svg.charts import draw_scores
from hanabi.svg.markup import Sheet
from hanabi.viewer.page import Frame, Show, Story, board_html

__all__ = [
    "MOST_MOVES",
    "MOVE",
    "Told",
    "action_words",
    "board_of_game",
    "card_notes_of",
    "in_site_words",
    "share",
    "show_of_games",
    "show_of_many",
    "show_of_play",
    "told_of_games",
]

_PLAYED_HERE = Recorded()
_MOST_CARDS, _MOST_NOTE = 250, 300  # notes that are kept, and their letters
_MOST_KEPT = 3  # moves that are named of those that kept the points

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
) -> Show:
    """Return consecutive positions as a show. O(moves * actions).

    Parameters
    ----------
    games
        The first position, usually the deal, and those that followed.
    names
        The players' names.
    facts
        Sentences about the whole game.
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

    >>> from hanabi.game import Rules, hint_rank
    >>> rules = Rules.official(2)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> show = show_of_games([game, game.apply(hint_rank(1, 3))], title="One hint")
    >>> [frame.words for frame in show.frames]
    ['The deal', 'Alice clues Bob: 3 (2 cards)']
    """
    names, sheet = names_of(games[0].rules, names), Sheet()
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
        facts=(*facts, *steps.facts, *filter(None, [link_note(link)])),
        frames=tuple(frames),
        shared=sheet.svg,
        chart=steps.chart,
        link=link,
        story=steps.story,
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


def show_of_many(
    games: Sequence[Sequence[Game]], titles: Sequence[str], *, title: str, names: Sequence[str] = ()
) -> Show:
    """Return several games one after another as a show, whose story leads to each. O(moves).

    Parameters
    ----------
    games
        For each game its positions, from the deal on.
    titles
        The title of each game.

    >>> from hanabi import deal
    >>> games = [[deal(2, seed=n)] for n in range(2)]
    >>> show = show_of_many(games, ["first", "second"], title="Two deals")
    >>> [frame.words for frame in show.frames], show.story.html.count("<a ")
    (['first', 'second'], 2)
    """
    sheet, frames, links = Sheet(), list[Frame](), list[str]()
    for positions, name in zip(games, titles, strict=True):
        seats = names_of(positions[0].rules, names)
        links.append(f'<a href="{MOVE.format(len(frames))}">{escape(name)}</a>')
        for n, step in enumerate(told_of_games(positions, names=seats).frames):
            before = positions[n - 1] if n else None
            drawn = board_of_game(positions[n], sheet=sheet, names=seats, before=before)
            words = step.words if n else name
            frames.append(replace(step, picture=drawn, words=words))
    return Show(
        title=title,
        facts=(),
        frames=tuple(frames),
        shared=sheet.svg,
        story=Story(html=" · ".join(links), start=0),
    )


def board_of_game(
    game: Game,
    *,
    sheet: Sheet,
    names: Sequence[str],
    before: Game | None = None,
    following: Action | None = None,
    below: Below | None = None,
) -> str:
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
    costs = {} if review is None else dict(review.lost)
    reasons = {} if review is None else dict(review.reasons)
    judged = {} if review is None else dict(review.judged)
    late = {} if review is None else {each.at + 1: each for each in review.late}
    decisions = {} if review is None else {each.move: each for each in review.decisions}
    notes = {} if review is None else {each.move: each for each in review.conventions}
    known = 0 if review is None else len(review.prospects) if n_known is None else n_known
    top = games[0].rules.max_score
    is_start = games[0].has_history and not games[0].known_actions
    gotten = [each.ratio for each in efficiencies(games)] if is_start else [None] * len(games)
    frames = []
    for n, game in enumerate(games):
        before = games[n - 1] if n else None
        remarks = [f"{counted(costs[n], 'point')} lost"] if n in costs else []
        if n == recorded.over_at:
            remarks.append(f"over by the rules of today: {game.end_reason}")
        words = "The deal" if not game.turn else "The start"
        why = []
        if before is not None:
            words = f"{names[before.seat_to_act]} {site_words(told(names, before, game))}"
            if n in judged and review is not None:
                why.append(_kept(before, judged[n], names, review.prospects[n - 1].lower))
            if n in reasons:
                why.append(f"Why: {escape(in_site_words(reasons[n]))}.")
            if n in late:
                why.append(_given_away(late[n]))
            if n in decisions and decisions[n].kind is not DecisionKind.RIGHT:
                words_of_it = decision_words(decisions[n])
                why.append(f"{escape(words_of_it[:1].upper() + words_of_it[1:])}.")
            if n in notes:
                said = (in_site_words(each, before) for each in notes[n].sentences(names))
                why += [f"{escape(each[:1].upper() + each[1:])}." for each in said]
        best = ""
        if review is not None and n < known and n < len(review.prospects):
            found = review.prospects[n]
            bounds = f"{found.lower}" if found.is_exact else f"{found.lower}-{found.upper}"
            best = f"{bounds} of {top}"
        frames.append(
            Frame(
                words=words,
                status=" · ".join(
                    filter(None, [status_of(game, names), _figures(game, gotten[n])])
                ),
                remark="; ".join(remarks),
                why=" ".join(filter(None, why)),
                best=best,
                is_loss=n in costs,
                is_clue=before is not None and game.known_actions[-1].is_hint,
            )
        )
    chart = "" if review is None else draw_scores(scores_of(review), link=link)
    is_whole = known >= (0 if review is None else len(review.positions))
    return Told(
        tuple(frames),
        tuple(_findings(games, review if is_whole else None, recorded, names)),
        chart,
        _story(games, review, names, recorded, is_whole=is_whole),
    )


def _figures(game: Game, ratio: Fraction | None) -> str:
    """Return the pace and the efficiency so far, if there are any."""
    left = pace(game) if game.can_act else None
    found = [] if left is None else [f"pace {left}"]
    return " · ".join([*found, *([] if ratio is None else [f"efficiency {float(ratio):.2f}"])])


def _story(
    games: Sequence[Game],
    review: Review | None,
    names: Sequence[str],
    recorded: Recorded,
    *,
    is_whole: bool,
) -> Story:
    """Return what a game comes to: its first loss, or that nothing was lost."""
    if review is None:
        return Story()
    top = games[0].rules.max_score
    first = review.prospects[0]
    if review.lost:
        move, _ = review.lost[0]
        who = escape(names[games[move - 1].seat_to_act])
        what = escape(site_words(told(names, games[move - 1], games[move])))
        losses = counted(len(review.lost), "move")
        total = sum(cost for _, cost in review.lost)
        lost = f"{losses} lost {counted(total, 'point')}"
        reason = dict(review.reasons).get(move, "")
        told_why = f" Why: {escape(in_site_words(reason))}." if reason else ""
        html = f"<strong>Lost at move {move}</strong>: {who} {what}.{told_why}"
        html += f" In all, {lost}." if len(review.lost) > 1 else ""
        if first.upper < top and first.is_exact:
            html += f" The deck allowed {first.upper} of {top}."
        return Story(html=html, kind="hp-bad", start=move)
    if not is_whole or review.undecided is not None:
        return Story()
    score = Replay(tuple(games), recorded).score
    if first.upper < top:
        why = "" if review.because is None else f" Why: {escape(review.because.summary)}."
        html = (
            f"<strong>No move lost a point</strong>: the deck allowed only {first.upper} of {top}."
        )
        return Story(html=html + why, kind="hp-good", start=0)
    if score == top:
        html = f"<strong>{score} of {top}!</strong> Not one move lost a point."
        return Story(html=html, kind="hp-good hp-perfect", start=len(games) - 1)
    html = f"<strong>No move lost a point</strong>: all {top} could still be scored at the end."
    return Story(html=html, kind="hp-good", start=0)


def action_words(game: Game, action: Action, names: Sequence[str]) -> str:
    """Return what an action does, all cards face up, without its subject.

    >>> from hanabi import deal
    >>> game = deal(2, seed=1)
    >>> [action_words(game, each, ("Ann", "Ben")) for each in game.legal_actions[4:6]]
    ['play b4', 'clue Ben red']
    """
    if action.is_hint:
        return f"clue {names[action.target]} {hinted(action, clue_colors(game.rules))}"
    if action.is_from_deck:
        return str(action)
    card = game.hands[game.seat_to_act][action.target]
    return f"{action.kind} {card_name(card, game.rules)}"


def _kept(game: Game, judged: Sequence[Judged], names: Sequence[str], had: int) -> str:
    """Return a sentence that names the actions that kept the best score, as HTML."""
    keepers = [each for each in judged if each.kept.lower >= had]
    is_all_known = all(each.kept.upper < had for each in judged if each not in keepers)
    if not keepers:
        return ""
    named = [f"<em>{escape(_named(game, each.actions, names))}</em>" for each in keepers]
    if len(named) == 1:
        return f"{'Only ' if is_all_known else ''}{named[0]} kept {had}."
    if len(named) > _MOST_KEPT:
        others = len(named) - _MOST_KEPT + 1
        named[_MOST_KEPT - 1 :] = [f"{others} others"]
    told = f"{', '.join(named[:-1])} and {named[-1]} kept {had}."
    return told if told.startswith("<em>") else told[:1].upper() + told[1:]


def _named(game: Game, actions: Sequence[Action], names: Sequence[str]) -> str:
    """Return actions of equal value in words; hints of one kind are any clue."""
    if not actions[0].is_hint or len(actions) == 1:
        return action_words(game, actions[0], names)
    kinds = {action.kind for action in game.legal_actions if action.is_hint}
    given = {action.kind for action in actions}
    if kinds == given:
        return "any clue"
    return "any color clue" if given == {Kind.HINT_COLOR} else "any rank clue"


def _given_away(late: Late) -> str:
    if not late.cost:
        return ""
    return (
        f"Had nobody seen the deck, {share(late.cost)} of the chance of all points was given away."
    )


def share(chance: Fraction) -> str:
    """Return a chance in per cent.

    >>> share(Fraction(1, 3))
    '33.3 %'
    """
    return f"{float(100 * chance):.3g} %"


def in_site_words(reason: str, before: Table | None = None) -> str:
    """Return a reason in the words of the page: clues, and cards that count from the newest, 1.

    Slots count from the oldest, 0. They become cards if all hands of the position before the move
    have one size; a note says otherwise how they count.

    >>> from hanabi.game import Rules
    >>> game = Game.start(Rules.official(3), Rules.official(3).spec.shuffle(seed=1))
    >>> in_site_words("no hint has touched it; Bob plays slots 0 and 4", game)
    'no clue has touched it; Bob plays cards 5 and 1'
    """
    words = re.sub(r"\bhint(s?)\b", r"clue\1", reason)
    if before is None or not _SLOTS.search(words):
        return words
    sizes = {len(hand) for hand in before.hands}
    if len(sizes) > 1:
        return f"{words} (slot 0 is the oldest card)"
    (size,) = sizes

    def renamed(found: re.Match[str]) -> str:
        return re.sub(r"\d+", lambda n: str(size - int(n[0])), found[0].replace("slot", "card"))

    return _SLOTS.sub(renamed, words)


_SLOTS = re.compile(r"\bslots? \d+(?:, \d+)*(?: and \d+)?")


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


def _findings(
    games: Sequence[Game], review: Review | None, recorded: Recorded, names: Sequence[str]
) -> list[str]:
    found = [f"{counted(len(games) - 1, 'move')}: {Replay(tuple(games), recorded).ending}."]
    found += (f"{each[0].upper()}{each[1:]}." for each in recorded.unusual)
    if review is None:
        return found
    first, top = review.prospects[0], games[0].rules.max_score
    best = str(first.upper) if first.is_exact else f"{first.lower} to {first.upper}"
    found.append(f"Best score from the deal, all cards face up: {best} of {top}.")
    if review.undecided is not None:
        found.append(f"Not all is decided: {review.undecided}.")
    if review.because is not None:
        found.append(f"{review.because.name}: {review.because.summary}")
    costliest = worst(review.late)
    if costliest is not None:
        found.append(f"The costliest late move is {costliest.at + 1}. {_given_away(costliest)}")
    if review.decisions:
        of_seat: dict[int, list[Decision]] = {}
        for each in review.decisions:
            of_seat.setdefault(games[each.move - 1].seat_to_act, []).append(each)
        told = "; ".join(f"{names[seat]}: {counts_of(of_seat[seat])}" for seat in sorted(of_seat))
        late = counted(len(review.decisions), "late move")
        found.append(f"Decisions in {late}, by what their players knew: {told}.")
    if review.efficiency is not None:
        found.append(f"Efficiency: {float(review.efficiency):.2f} cards a clue.")
    return found


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
