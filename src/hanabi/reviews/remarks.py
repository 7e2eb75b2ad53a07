"""The sentences of a review, for the terminal and for pages alike.

They are made from the typed document of a review (`hanabi.reviews.document`). Those that name
hints keep to that word; a page replaces it by hanab.live's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from hanabi.ground import BudgetEndedError, Clock, SolverError, counted
from hanabi.reviews.advice import with_error
from hanabi.reviews.chances import Chance
from hanabi.reviews.decisions import DecisionKind, DecisionRemark, EstimateRemark
from hanabi.reviews.document import Best, Buried, Judged, ReviewDocument, ReviewedMove
from hanabi.reviews.rows import LUCK_HEADS, luck_of
from hanabi.rules import (
    Action,
    Card,
    Ended,
    EndReason,
    Game,
    Kind,
    Said,
    Seat,
    card_name,
    clue_colors,
    ending,
    hinted,
    joined,
    listed,
    moved_card,
    outcome,
    say,
    suit_and_rank,
)
from hanabi.solvers import (
    Goal,
    Prospect,
    Range,
    Refutation,
    cards_of,
    explain,
    images,
    refute_points,
    what_is_short,
    why_lost,
)

__all__ = [
    "NOTHING_TO_JUDGE",
    "Emphasis",
    "Finding",
    "action_words",
    "chance_words",
    "counts_of",
    "decision_words",
    "decisions_of",
    "estimate_words",
    "findings",
    "given_up_words",
    "judged_words",
    "kept_briefly",
    "kept_words",
    "losses_words",
    "percent",
    "played_words",
    "reason_of_loss",
    "remarks",
    "score_words",
    "story",
    "undecided_words",
]

NOTHING_TO_JUDGE = "There is no late move to judge a decision of."
"""What a review says if there is none."""

_NOTHING_LOST = "no move lost a point"
_MOST_GOALS = 12
"""The most goals, worth as many points, that are refuted one by one for a readable reason."""
_REASON_SECONDS = 2.0
"""Limit for the reason of each loss."""
_KINDS = "play", "hint", "discard", "misplay"
_SURPRISING, _MOST_SURPRISING = 0.1, 5
"""The share of people below which a move is surprising, and the most moves that are named."""
_MOST_KEPT = 3
"""The most actions that are named of those that kept the points, and cards of those held."""


def percent(chance: Fraction | Range) -> str:
    """Return a chance, or its bounds, in per cent.

    >>> percent(Fraction(1, 3)), percent(Range(Fraction(1, 2), Fraction(1)))
    ('33.3 %', '50 % to 100 %')
    """
    if isinstance(chance, Fraction):
        return f"{float(100 * chance):.3g} %"
    if chance.is_exact:
        return percent(chance.low)
    return f"{percent(chance.low)} to {percent(chance.high)}"


def _rounded(number: Fraction | float | None) -> str:
    return "" if number is None else f"{float(number):.2f}"


# Sentences on a move.


def losses_words(lost: Sequence[int]) -> str:
    """Return how many moves lost how many points, given the points that each one lost.

    >>> losses_words([]), losses_words([2, 1])
    ('no move lost a point', '2 moves lost 3 points')
    """
    moves = counted(len(lost), "move")
    return f"{moves} lost {counted(sum(lost), 'point')}" if lost else _NOTHING_LOST


def chance_words(chance: Chance) -> str:
    """Return what a late move gave up with all hands open and the deck unseen, or "".

    >>> half, none = Range(Fraction(1, 2), Fraction(1, 2)), Range(Fraction(0), Fraction(0))
    >>> chance_words(Chance(half, none, Fraction(1, 2)))
    'perfect-score chance 50 % → 0 %, all hands open and the deck unseen'
    """
    return f"{_fall(chance)}, all hands open and the deck unseen" if chance.cost else ""


def _fall(chance: Chance | DecisionRemark) -> str:
    return f"perfect-score chance {percent(chance.best)} → {percent(chance.played)}"


def decision_words(decision: DecisionRemark) -> str:
    """Return what a late move was by what its player knew, and why.

    >>> half, none = Range(Fraction(1, 2), Fraction(1, 2)), Range(Fraction(0), Fraction(0))
    >>> decision_words(DecisionRemark(half, half, none, True, DecisionKind.BAD_LUCK))
    'bad luck: right by what its player knew, but with this deck it lost the perfect score'
    """
    gave = f"by what its player knew, {_fall(decision)}"
    return {
        DecisionKind.MISTAKE: f"a mistake: {gave}",
        DecisionKind.GOOD_LUCK: f"good luck: {gave}; with this deck all points are still in reach",
        DecisionKind.RIGHT: "right: by what its player knew, no action had a better chance",
        DecisionKind.BAD_LUCK: "bad luck: right by what its player knew, but with this deck it lost"
        " the perfect score",
        DecisionKind.NOT_DECIDED: f"not decided: {gave}",
    }[decision.kind]


def estimate_words(estimate: EstimateRemark, partners: str | None) -> str:
    """Return what a move gave away by games, and what was better.

    >>> estimate_words(EstimateRemark("play card 1", 1.25, 0.5, 64), "smart")
    'an estimated mistake: play card 1 was worth 1.25 ± 0.50 points more, by 64 games of smart'
    """
    more = f"{with_error(estimate.given_away, estimate.error)} points more"
    games = f"{counted(estimate.games, 'game')} of {partners}"
    return f"an estimated mistake: {estimate.better} was worth {more}, by {games}"


def given_up_words(move: ReviewedMove) -> list[str]:
    """Return what a move gave up, as for a list of blunders: points, or else a chance."""
    what = [counted(move.lost, "point")] if move.lost else []
    if move.lost != move.lost_without_bomb:
        what.append(f"{move.lost_without_bomb} without the bomb")
    if move.decision is not None and move.decision.lost.low:
        what.append(f"{_fall(move.decision)} by what its player knew")
    elif move.chance is not None and move.chance.cost and not what:
        what.append(chance_words(move.chance))
    return what


def remarks(move: ReviewedMove, partners: str | None = None) -> Iterator[str]:
    """Yield the sentences on a move beside its score: why points were lost, chances, its decision.

    A decision that was right needs no word.
    """
    if move.reason is not None:
        yield f"why: {move.reason}"
    if move.chance is not None and (words := chance_words(move.chance)):
        yield words
    if words := judged_words(move, partners):
        yield words


def judged_words(move: ReviewedMove, partners: str | None) -> str:
    """Return what a move was by what its player knew: for certain, else by games; "" if right."""
    if move.decision is not None:
        is_right = move.decision.kind is DecisionKind.RIGHT
        return "" if is_right else decision_words(move.decision)
    if move.estimate is None or not move.estimate.is_mistake:
        return ""
    return estimate_words(move.estimate, partners)


def score_words(found: Prospect, before: Prospect | None, game: Game) -> str:
    """Return what can still be scored from a position, and what the last move is known to cost.

    >>> from hanabi import deal
    >>> score_words(Prospect(24, 24, None), Prospect(25, 25, None), deal(2))
    'At most 24 of 25 points: this move lost 1 point.'
    """
    top = game.rules.max_score
    cost = 0 if before is None else max(0, before.lower - found.upper)
    lost = f": this move lost {counted(cost, 'point')}" if cost else ""
    if not game.can_act:
        return f"Over with {game.score} of {top}{lost}."
    if found.lower == top:
        return f"All {top} points can still be scored."
    if found.is_exact:
        return f"At most {found.upper} of {top} points{lost}."
    return f"At least {found.lower}, at most {found.upper} of {top} points{lost}."


def action_words(kept: Best, perfect: Range | None) -> str:
    """Return what an action keeps, and its chance of a perfect score with the deck unseen."""
    words = f"keeps {kept}"
    if perfect is None:
        return words
    return f"{words}; {percent(perfect)} for a perfect score, judged without seeing the deck"


class Emphasis(str):
    """Words that a page emphasizes."""

    __slots__ = ()


def kept_words(
    game: Game, judged: Sequence[Judged], names: Sequence[str], had: int
) -> tuple[str, ...]:
    """Return a sentence, in parts, that names the actions that kept the best score, `had`.

    It has hanab.live's words, as pages show it. It is empty if no action is known to keep it.
    """
    keepers = _keepers(game, judged, had)
    named = [Emphasis(_named(game, each.actions, names, "clue", is_noun=True)) for each in keepers]
    if not named:
        return ()
    head, *others = (Emphasis(_sentence(named[0])), *named[1:])
    if not others:
        is_only = all(each.kept.upper < had for each in judged if each not in keepers)
        return (head, f" kept {had}{': nothing else did' if is_only else ''}.")
    parts: list[str] = [head, *others]
    if len(parts) > _MOST_KEPT:
        parts[_MOST_KEPT - 1 :] = [f"{len(parts) - _MOST_KEPT + 1} others"]
    told = [part for name in parts[:-1] for part in (name, ", ")][:-1]
    return (*told, " and ", parts[-1], f" kept {had}.")


def kept_briefly(
    game: Game, judged: Sequence[Judged], names: Sequence[str], had: int, hint: str = "hint"
) -> str:
    """Return the actions that kept the best score, `had`, as for a table; "" if none is known."""
    named = [_named(game, each.actions, names, hint) for each in _keepers(game, judged, had)]
    if len(named) > 2:
        named[1:] = [f"{len(named) - 1} others"]
    return " or ".join(named)


def _keepers(game: Game, judged: Sequence[Judged], had: int) -> list[Judged]:
    """Return the actions that kept the best score, those first that a player would look for."""
    found = [each for each in judged if each.kept.lower >= had]
    return sorted(found, key=lambda each: _KINDS.index(_outcome(game, each.actions[0])))


def _outcome(game: Game, action: Action) -> str:
    return "hint" if action.is_hint else outcome(game, game.apply(action))


def _named(
    game: Game, actions: Sequence[Action], names: Sequence[str], hint: str, *, is_noun: bool = False
) -> str:
    """Return actions of equal value in the words of the list of moves, all cards face up.

    Hints of one kind are "any hint". `is_noun` asks for "playing r2 (card 1)", not "play r2".
    """
    action = actions[0]
    if action.is_hint and len(actions) > 1:
        given = {each.kind for each in actions}
        if given == {each.kind for each in game.legal_actions if each.is_hint}:
            return f"any {hint}"
        return f"any {'color' if given == {Kind.HINT_COLOR} else 'rank'} {hint}"
    if action.is_hint:
        verb = {"clue": "cluing", "hint": "hinting"}[hint] if is_noun else hint
        return f"{verb} {names[action.target]} {hinted(action, clue_colors(game.rules))}"
    after = game.apply(action)
    verb, card = outcome(game, after), moved_card(game, after)
    words = f"{verb}{'ing' * is_noun} {card_name(card, game.rules)}"
    if action.is_from_deck:
        words += " from the deck"
    if game.rules.is_inverted(card):
        words += f" by a {'play' if action.kind in (Kind.PLAY, Kind.PLAY_DECK) else 'discard'}"
    if action.is_from_deck or not is_noun:
        return words
    size = len(game.hands[game.seat_to_act])
    places = sorted(size - each.target for each in actions)
    return f"{words} (card{'s' * (len(places) > 1)} {listed(map(str, places))})"


# Why points are out of reach after a move.


def reason_of_loss(before: Game, after: Game, points: int, seconds: float | None = None) -> Said:
    """Return a sentence that explains why `points` are out of reach after a move.

    The caller must know that they are. A sentence that gives a reason is a proof; if no readable
    one is found in time, the sentence says that the solver ruled out all orders of play. It takes
    about two seconds at most.

    >>> from hanabi.rules import discard
    >>> from hanabi.rules.notation import parse_input
    >>> from hanabi.rules.problem import pose_deck
    >>> game = pose_deck(parse_input("players 2  r1 r2 r3 r1 r2 r1 y1 y2 y3 y1 y2 y1")).game
    >>> for _ in range(2):
    ...     game = game.apply(game.legal_actions[-1])
    >>> print(reason_of_loss(game, game.apply(discard(2)), 6))
    the last red 3 is gone: red stops at 2 cards
    """
    rules = after.rules
    if rules.all_or_nothing:
        points = rules.max_score
    is_bombed = after.end_reason is EndReason.BOMBED
    if after.most_points < points and not is_bombed:
        gone = [
            card
            for card in sorted({*after.discards})
            if after.is_dead(card) and not before.is_dead(card) and not after.copies_left(card)
        ]
        return joined("; ", (_gone_words(card, after) for card in gone)) or say(
            "the cards that are left allow only {}", counted(after.most_points, "point")
        )
    if not after.can_act:
        return _over_words(after)
    nowhere = say("no order of play reaches {} points any more", points)
    with suppress(BudgetEndedError, SolverError):
        clock = Clock(_REASON_SECONDS if seconds is None else min(seconds, _REASON_SECONDS))
        found = _refuted(after, points, clock)
        if found is not None:
            return found
        if not after.missing and (short := what_is_short(after, points, clock.left or 0)):
            return say("{}; {} would be enough", nowhere, short)
    return say("{}: the solver ruled out all of them", nowhere)


def _gone_words(card: Card, game: Game) -> Said:
    suit, rank = suit_and_rank(card, game.rules)
    height = counted(game.most_piles[card.color], "card")
    return say("the last {} {} is gone: {} stops at {}", suit, rank, suit, height)


def _over_words(game: Game) -> Said:
    """Return how a game ended, and who still held the cards that could have been played."""
    held, n_held = list[Said](), 0
    for seat, hand in enumerate(game.hands):
        useful = sorted({card for card in hand if not game.is_dead(card)})
        names = [" ".join(suit_and_rank(card, game.rules)) for card in useful]
        if names:
            held.append(say("{} still held {}", Seat(seat), listed(names)))
            n_held += len(names)
    over = say("the game is over with {}", ending(game))
    return say("{}; {}", over, joined(", ", held)) if 0 < n_held <= _MOST_KEPT else over


def _refuted(game: Game, points: int, clock: Clock) -> Said | None:
    """Return why each goal worth these points is out of reach, or None if one has no argument."""
    if game.missing or (game.rules.deck_plays and game.deck_left):
        return None
    if points == game.rules.max_score:
        found = why_lost(game, clock.left)
        return None if found is None else found.summary
    positions = [image.position for image in images(game)]
    late = [refute_points(position, points) for position in positions]
    if all(late) and (first := late[0]):
        return first.summary
    position, goals = positions[0], list(positions[0].goals(points))
    if len(positions) > 1 or len(goals) > _MOST_GOALS:
        return None
    reasons = list[tuple[Goal, Refutation]]()
    for goal in goals:
        refutation = explain(position, goal, seconds=clock.left)
        if refutation is None:
            return None
        reasons.append((goal, refutation))
    # Goals that need a card with no copy left are not what somebody would try.
    tried = [each for each in reasons if each[1].name != "missing card"] or reasons
    goal, first = tried[0]
    if len({str(each.summary) for _, each in tried}) == 1:
        return first.summary
    given_up = cards_of(game.most_piles) - cards_of(goal)
    which = "card is" if len(given_up) == 1 else f"{len(given_up)} cards are"
    return say(
        "whichever {} given up, the others cannot all be played; without {}, for example, {}",
        which,
        position.full_names(given_up),
        first.summary,
    )


# Sentences on a whole game.


def played_words(game: Ended) -> str:
    """Return how many moves a game had, and how it ended."""
    return f"{counted(len(game.positions) - 1, 'move')}, {game.ending}"


def undecided_words(game: Game) -> str:
    """Return why the best score from a position is not known exactly."""
    if game.missing:
        return "the missing cards decide"
    if game.rules.deck_plays and game.deck_left:
        return (
            "with the option deckPlays the deck's last card may be played unseen, which the solvers"
            " do not look at"
        )
    return "the time or the memory was used up: --time and --memory give more"


def counts_of(kinds: Iterable[DecisionKind]) -> str:
    """Return how many decisions are of each kind.

    >>> counts_of([DecisionKind.RIGHT, DecisionKind.MISTAKE, DecisionKind.RIGHT])
    '1 mistake, 2 right'
    """
    found = Counter(kinds)
    words = {DecisionKind.GOOD_LUCK: "lucky", DecisionKind.BAD_LUCK: "unlucky"}
    words[DecisionKind.MISTAKE] = "mistakes" if found[DecisionKind.MISTAKE] > 1 else "mistake"
    return ", ".join(
        f"{found[kind]} {words.get(kind, kind)}" for kind in DecisionKind if found[kind]
    )


Tone: TypeAlias = Literal["", "good", "bad", "perfect"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a review found: a label, a sentence, and whether it is good or bad news.

    `move` is the number of the move that it is about, or 0.
    """

    label: str
    text: str
    tone: Tone = ""
    move: int = 0


def findings(
    document: ReviewDocument,
    notes: Mapping[int, Sequence[str]],
    hint: str = "hint",
    people: Mapping[int, str] = MappingProxyType({}),
) -> Iterator[Finding]:
    """Yield what a review found about the whole game, and the moves that gave up a chance.

    `hanabi.reviews.review.Review.mistakes` has the moves that lost points. By the number of the
    move, `notes` are sentences by conventions, and `people` is what people would do; `hint` is the
    word for hints.
    """
    best, top, lost = document.best, document.most, document.losing_moves
    is_winnable = best.lower == top
    allowed = f"at most {best} of {counted(top, 'point')} could be scored"
    yield Finding(
        "the deck",
        f"all {counted(top, 'point')} could be scored" if is_winnable else allowed,
        "bad" if best.upper < top else "",
    )
    if document.undecided is not None:
        yield Finding("undecided", document.undecided)
    if not lost and is_winnable and document.undecided is None:
        yield Finding("lost", _NOTHING_LOST, "good")
    if document.because is not None and not document.lost_at:
        yield Finding("because", document.because.sentence)
    yield from _of_chances(document)
    yield from _of_decisions(document)
    yield from _of_turns(document)
    yield from _of_people(document, people)
    if notes:
        kept = counted(len(notes) - document.n_slips, "move")
        told = f"kept in {kept}, perhaps not in {document.n_slips}"
        yield Finding("conventions", told)
        for move in document.moves:
            told = "; ".join([move.said, *notes[move.move]])
            yield Finding(f"turn {move.move}", told, move=move.move)
    if document.errors:
        yield Finding("errors", ", ".join(f"turn {move}" for move in document.errors))
    if document.bottom_decked:
        yield Finding("bottom deck", ", ".join(map(_buried_words, document.bottom_decked)))
    if document.moves and (ratio := document.moves[-1].efficiency) is not None:
        needed = document.minimum_efficiency
        least = "" if needed is None else f"; a perfect score needs {_rounded(needed)}"
        yield Finding("efficiency", f"{_rounded(ratio)} cards a {hint}{least}")


def _of_turns(document: ReviewDocument) -> Iterator[Finding]:
    """Yield by how many turns a won game missed the fewest, and the moves that cost turns."""
    turns = document.turns
    if turns is None:
        return
    fewest = str(turns.lower) if turns.lower == turns.upper else f"{turns.lower} to {turns.upper}"
    yield Finding("turns", f"won in {turns.played}; the fewest for this deal are {fewest}")
    for move in document.moves:
        if move.turns_lost:
            yield _about(move, f"this cost {counted(move.turns_lost, 'turn')}", "")


def _of_people(document: ReviewDocument, people: Mapping[int, str]) -> Iterator[Finding]:
    """Yield how often people would do the same, the most surprising moves, and those that lost."""
    moves = [move for move in document.moves if move.people]
    if not moves:
        return
    others = {move.move: each.share for move in moves if (each := move.people_rather)}
    told = f"{len(moves) - len(others)} of {counted(len(moves), 'move')} are"
    yield Finding("people", f"{told} what people would do most often, by a model of their games")
    rare = [move for move in sorted(others, key=others.__getitem__) if others[move] < _SURPRISING]
    for move in moves:
        is_rare = move.move in rare[:_MOST_SURPRISING]
        if move.move in people and (is_rare or move.lost):
            lost = f"this lost {counted(move.lost, 'point')}" * (move.lost > 0)
            words = "surprising" * is_rare, lost, people[move.move]
            yield _about(move, "; ".join(filter(None, words)), "")


def _about(move: ReviewedMove, words: str, tone: Tone) -> Finding:
    return Finding(f"turn {move.move}", f"{move.said}: {words}", tone, move.move)


def _of_chances(document: ReviewDocument) -> Iterator[Finding]:
    """Yield the late moves that gave up a chance with open hands, the costliest as bad news."""
    late = [(move, move.chance) for move in document.moves if move.chance]
    if not late:
        return
    costliest, most = max(late, key=lambda each: each[1].cost)
    if not most.cost:
        yield Finding("chances", "no late move gave up a chance of a perfect score", "good")
        return
    yield Finding("chances", f"turn {costliest.move} gave up the most")
    for move, chance in late:
        if chance.cost:
            yield _about(move, chance_words(chance), "bad" if move is costliest else "")


def _of_decisions(document: ReviewDocument) -> Iterator[Finding]:
    """Yield how many decisions were judged in which way, and those that were not right."""
    kinds: dict[tuple[int, str], list[DecisionKind]] = {}
    for move in document.moves:
        if move.decision is not None:
            kinds.setdefault((move.seat, move.player), []).append(move.decision.kind)
    if kinds:
        told = "; ".join(
            f"{name}: {counts_of(found)}" for (_, name), found in sorted(kinds.items())
        )
        late = counted(sum(map(len, kinds.values())), "late move")
        yield Finding("decisions", f"{late}, by what their players knew: {told}")
    if n := sum(move.estimate is not None for move in document.moves):
        moves = f"{n} of {counted(len(document.moves), 'move')}"
        yield Finding("estimated", f"{moves}, by games in which all go on as {document.partners}")
    for move in document.moves:
        if move.is_notable:
            is_luck = move.decision is not None and move.decision.kind is not DecisionKind.MISTAKE
            yield _about(move, judged_words(move, document.partners), "" if is_luck else "bad")


class Decisions(NamedTuple):
    """What the decisions of a game were: sentences, a table of luck and skill, and moves.

    The table begins with its head; it is empty if no move was judged by games. The moves are those
    that were not right, by number, each in words and with a sentence.
    """

    note: str
    table: tuple[Sequence[str], ...]
    moves: tuple[tuple[int, str, str], ...]


def decisions_of(document: ReviewDocument) -> Decisions:
    """Return what the decisions of a game were, as a page shows it."""
    told = [f"{each.label}: {each.text}" for each in _of_decisions(document) if not each.move]
    rows = luck_of(document)
    return Decisions(
        " ".join(f"{_sentence(each)}." for each in told),
        (LUCK_HEADS, *rows) if rows else (),
        tuple(
            (each.move, each.said, f"{_sentence(judged_words(each, document.partners))}.")
            for each in document.moves
            if each.is_notable
        ),
    )


def _buried_words(buried: Buried) -> str:
    """Return a card, its place at the bottom of the deck, and since which move it is the last."""
    nth = {2: "second", 3: "third"}.get(buried.place, f"{buried.place}th")
    place = "bottom card" if buried.place == 1 else f"{nth} from the bottom"
    since = f"since turn {buried.move}" if buried.move else "from the deal"
    return f"{buried.card} ({place}, {since})"


def story(document: ReviewDocument) -> Finding | None:
    """Return what a game comes to, as a head and a sentence, and the move to look at first.

    Reasons and players are those of the list of mistakes. It is None while that is not known.
    """
    top, best, lost = document.most, document.best, document.losing_moves
    if lost:
        first = lost[0]
        told = [f": {first.said}."]
        if len(lost) > 1:
            told.append(f"In all, {losses_words([move.lost for move in lost])}.")
        if best.lower == best.upper < top:
            told.append(f"The deck allowed {best} of {top}.")
        return Finding(f"Lost on turn {first.move}", " ".join(told), "bad", first.move)
    if document.undecided is not None:
        return None
    head = _sentence(_NOTHING_LOST)
    if best.upper < top:
        because = document.because
        why = "" if because is None else f" Why: {because.sentence}."
        return Finding(head, f": the deck allowed only {best.upper} of {top}.{why}", "good")
    if document.score == top:
        last = len(document.moves)
        return Finding(f"{top} of {top}!", f" {head}.", "perfect", last)
    return Finding(head, f": all {top} could still be scored at the end.", "good")


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
