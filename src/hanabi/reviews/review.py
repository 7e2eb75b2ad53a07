"""Reviews of recorded games: the best score still reachable after each move."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from hanabi.conventions import ConventionNotes, convention_notes
from hanabi.ground import Clock, InvalidInputError, Pictured, counted, printable
from hanabi.people import PeopleNotes, people_notes
from hanabi.reviews.chances import Late, late_chances
from hanabi.reviews.decisions import Decision, Estimated, Verdict, judge_moves
from hanabi.reviews.document import (
    Because,
    Best,
    Buried,
    ConventionRemarks,
    Judged,
    Mistake,
    PeopleRemark,
    ReviewDocument,
    ReviewedMove,
    Turns,
)
from hanabi.reviews.remarks import kept_briefly, losses_words, reason_of_loss, undecided_words
from hanabi.rules import (
    Action,
    Audience,
    BottomDeck,
    Efficiency,
    EndReason,
    Game,
    GameProblem,
    GameRecord,
    RecordedAction,
    Said,
    bottom_decked,
    card_name,
    efficiencies,
    link_of,
    pace,
    pace_risk,
    posed,
    record_action,
    terminal,
    told,
    variant_of,
)
from hanabi.solvers import (
    DEFAULT_MEMORY,
    FewestTurns,
    Prospect,
    Refutation,
    prospect,
    timeline,
    turns_lost,
    warm_up,
    why_lost,
)

__all__ = [
    "Explained",
    "Review",
    "explain_losses",
    "judge_actions",
    "review",
]


def judge_actions(game: Game, before: Prospect | None, clock: Clock) -> Iterator[Judged]:
    """Yield every legal action with the best score that it keeps, all cards face up.

    Actions with the same effect are judged once: all hints, unless their kinds must alternate; and
    the same action on equal cards of a hand. Plays come first.

    Parameters
    ----------
    game
        A position.
    before
        The scores reachable from it, if known.
    clock
        The time for all actions; bounds remain if it ends.

    >>> from hanabi import deal
    >>> [(len(each.actions), each.kept.lower) for each in judge_actions(deal(2), None, Clock(60))]
    [(1, 25), (1, 25), (1, 25), (1, 25), (1, 25), (7, 25)]
    """
    hand, variant = game.hands[game.seat_to_act], game.rules.variant
    takes_turns = variant is not None and variant.alternating_clues
    groups: dict[Hashable, list[Action]] = {}
    for action in game.legal_actions:
        key: Hashable = action.kind
        if action.is_hint:
            key = action.kind if takes_turns else "hint"
        elif not action.is_from_deck:
            key = action.kind, hand[action.target]
        groups.setdefault(key, []).append(action)
    if groups and before is None:
        before = prospect(game, None, clock)
    for alike in groups.values():
        yield Judged(tuple(alike), prospect(game.apply(alike[0]), before, clock))


@dataclass(frozen=True, slots=True)
class Review(Pictured):
    """The scores still reachable from each position of a game, with all cards face up.

    `str` gives it in one line.

    Attributes
    ----------
    problem
        The game; all its positions up to the end by the rules are reviewed, whatever its `at`.
    prospects
        One prospect for each position, the deal first.
    because
        Why the top score is out of reach in the first position where it is, if a readable proof was
        found.
    link
        A replay link: the game up to the move that put the top score out of reach, then a line that
        still reached it; it opens before that move. None if nothing was lost, if the deck could not
        be won, or if hanab.live has no such table.
    seconds
        Wall-clock time.
    late
        The positions with few cards to draw, with the value of each action, if requested.
    reasons
        The moves that lost points, with a sentence each that explains why, if requested.
    judged
        The same moves, with what each action would have kept there, if requested.
    decisions
        The late moves by what their seats knew, if requested.
    estimates
        What moves gave away by what their seats knew, by games, if that was requested.
    partners
        The player of these games, if there are any.
    conventions
        What the conventions of a level say of each move, if requested.
    fewest_turns
        The fewest turns to all points from each position of a won game, if requested.
    people
        What people would do where each move was made, if requested.
    """

    _drawn_by = "hanabi.shell.session.pictures"

    problem: GameProblem
    prospects: tuple[Prospect, ...]
    because: Refutation | None
    link: str | None
    seconds: float
    late: tuple[Late, ...] = ()
    reasons: tuple[tuple[int, Said], ...] = ()
    judged: tuple[tuple[int, tuple[Judged, ...]], ...] = ()
    decisions: tuple[Decision, ...] = ()
    estimates: tuple[Estimated, ...] = ()
    partners: str | None = None
    conventions: tuple[ConventionNotes, ...] = ()
    fewest_turns: tuple[FewestTurns, ...] = ()
    people: tuple[PeopleNotes, ...] = ()

    @property
    def positions(self) -> tuple[Game, ...]:
        """The positions under review: those up to the end by the rules."""
        return self.problem.by_rules

    @property
    def lost(self) -> tuple[tuple[int, int], ...]:
        """The moves, from 1, that lowered the best reachable score, and by how many points.

        Where bounds are open, the move lost at least that many.
        """
        pairs = enumerate(pairwise(self.prospects), start=1)
        costs = ((move, before.lower - after.upper) for move, (before, after) in pairs)
        return tuple((move, cost) for move, cost in costs if cost > 0)

    @property
    def lost_without_bomb(self) -> tuple[tuple[int, int], ...]:
        """The moves that lost points, as `lost`, if a last error kept the points on the piles."""
        costs = dict(self.lost)
        for move, cost in self.lost:
            after = self.positions[move]
            if after.end_reason is EndReason.BOMBED:
                top = max(self.prospects[move].upper, sum(after.piles))
                costs[move] = min(cost, max(0, self.prospects[move - 1].lower - top))
        return tuple((move, cost) for move, cost in costs.items() if cost)

    @property
    def lost_at(self) -> int | None:
        """The first position with the top score out of reach; None if none is known."""
        top = self.positions[0].rules.max_score
        return next((at for at, each in enumerate(self.prospects) if each.upper < top), None)

    @property
    def undecided(self) -> str | None:
        """Why some best score is not known exactly, or None if all are."""
        pairs = zip(self.positions, self.prospects, strict=True)
        left = (position for position, found in pairs if not found.is_exact)
        return next(map(undecided_words, left), None)

    @property
    def errors(self) -> tuple[int, ...]:
        """The moves, from 1, that cost a life."""
        pairs = enumerate(pairwise(self.positions), start=1)
        return tuple(move for move, (before, after) in pairs if after.lives < before.lives)

    @property
    def bottom_decked(self) -> tuple[BottomDeck, ...]:
        """Cards whose last copy lay at the bottom of the deck; see `hanabi.rules.figures`."""
        return () if self.positions[0].missing else bottom_decked(self.positions)

    @property
    def efficiency(self) -> Fraction | None:
        """The cards gotten per hint spent; see `hanabi.rules.figures`."""
        return self.efficiencies[-1].ratio

    @property
    def efficiencies(self) -> tuple[Efficiency, ...]:
        """The efficiency so far, and the efficiency required from there on, at each position."""
        return efficiencies(self.positions)

    @property
    def minimum_efficiency(self) -> Fraction | None:
        """The least efficiency that can reach the top score from the deal."""
        return self.efficiencies[0].required

    @property
    def moves(self) -> tuple[ReviewedMove, ...]:
        """The moves with all that was found about each."""
        return self._told("hint")

    def _told(self, hint: str) -> tuple[ReviewedMove, ...]:
        """Return the moves in the words of an audience."""
        positions, names = self.positions, self.problem.names
        costs, kept, reasons = dict(self.lost), dict(self.lost_without_bomb), dict(self.reasons)
        late = {each.at + 1: each.chance for each in self.late}
        decisions = {each.move: each.remark for each in self.decisions}
        estimates = {each.move: each for each in self.estimates}
        notes = {each.move: ConventionRemarks.of(each, names) for each in self.conventions}
        slower = [after.lower + 1 - before.upper for before, after in pairwise(self.fewest_turns)]
        ratios, moves, readers = self.efficiencies, [], Audience(names, hint)
        people = {x.move: _remark(x, positions[x.move - 1], readers) for x in self.people}
        for move, (before, after) in enumerate(pairwise(positions), start=1):
            moves.append(
                ReviewedMove(
                    move=move,
                    seat=before.seat_to_act,
                    player=names[before.seat_to_act],
                    words=told(names, before, after, hint=hint),
                    action=_encoded(before, after.known_actions[-1]),
                    best=Best.of(self.prospects[move]),
                    lost=costs.get(move, 0),
                    lost_without_bomb=kept.get(move, 0),
                    is_error=after.lives < before.lives,
                    score=after.score,
                    hints=after.hints,
                    lives=after.lives,
                    deck=after.deck_left,
                    pace=pace(after),
                    pace_risk=pace_risk(after),
                    efficiency=ratios[move].ratio,
                    required_efficiency=ratios[move].required,
                    chance=late.get(move),
                    reason=None if move not in reasons else reasons[move].to(readers),
                    decision=decisions.get(move),
                    conventions=notes.get(move),
                    turns_lost=max(slower[move - 1], 0) if slower else None,
                    people=people.get(move),
                    estimate=None
                    if move not in estimates
                    else estimates[move].remark(
                        before, terminal(names, before)._replace(hint=hint)
                    ),
                )
            )
        return tuple(moves)

    def with_decisions(self, verdicts: Sequence[Verdict]) -> Review:
        """Return the same review with its moves judged by what their seats knew."""
        estimates = tuple(each for each in verdicts if isinstance(each, Estimated))
        partners = next((each for each in verdicts if isinstance(each, str)), None)
        return replace(
            self,
            decisions=tuple(each for each in verdicts if isinstance(each, Decision)),
            estimates=estimates,
            partners=partners if estimates else None,
        )

    def mistakes(self, hint: str = "hint") -> tuple[Mistake, ...]:
        """Return the moves that lost points; `hint` is the audience's word for one.

        What would have kept the points, and the reasons, need `with_reasons`.

        >>> from hanabi import deal
        >>> from hanabi.rules import hint_rank
        >>> review(deal(players=2, seed=1).apply(hint_rank(1, 3))).mistakes()
        ()
        """
        names, judged, reasons = self.problem.names, dict(self.judged), dict(self.reasons)
        without, found = dict(self.lost_without_bomb), list[Mistake]()
        for move, lost in self.lost:
            before, after = self.positions[move - 1 : move + 1]
            had = self.prospects[move - 1].lower
            found.append(
                Mistake(
                    turn=move,
                    seat=before.seat_to_act,
                    player=names[before.seat_to_act],
                    played=told(names, before, after, hint=hint),
                    kept=kept_briefly(before, judged.get(move, ()), names, had, hint),
                    reason=reasons[move].to(Audience(names, hint)) if move in reasons else "",
                    lost=lost,
                    lost_without_bomb=without.get(move, 0),
                )
            )
        return tuple(found)

    def document(self, record: object = None, *, hint: str = "hint") -> ReviewDocument:
        """Return the review as a document, with what only the record says, if one was read.

        `hint` is the audience's word for one.

        >>> from hanabi import deal
        >>> from hanabi.rules import hint_rank
        >>> found = review(deal(players=2, seed=1).apply(hint_rank(1, 3))).document()
        >>> found.to_json()["best"], found.moves[0].words
        ({'lower': 25, 'upper': 25}, 'hints Bob: 3 (2 cards)')
        """
        positions, problem = self.positions, self.problem
        rules, because, efficiency = positions[0].rules, self.because, self.efficiency
        given = record if isinstance(record, GameRecord) else None
        team = self.problem.recorded.team
        variant = variant_of(rules)
        return ReviewDocument(
            best=Best.of(self.prospects[0]),
            id=None if given is None else given.id,
            variant=None if variant is None else variant.name,
            seats=rules.seats,
            team=None if team is None else tuple(map(printable, team)),
            score=problem.score,
            piles=sum(positions[-1].piles),
            most=rules.max_score,
            end=str(problem.end),
            unusual=problem.recorded.unusual,
            lost_at=self.lost_at,
            because=None
            if because is None
            else Because(
                name=because.name,
                sentence=because.summary.to(Audience(problem.names, hint)),
                steps=len(because.steps),
            ),
            undecided=self.undecided,
            link=self.link,
            replay=_replay(positions, problem.names),
            errors=self.errors,
            bottom_decked=tuple(
                Buried(card_name(each.card, rules), each.place, each.move)
                for each in self.bottom_decked
            ),
            efficiency=None if efficiency is None else round(float(efficiency), 4),
            minimum_efficiency=self.minimum_efficiency,
            moves=self._told(hint),
            seconds=round(self.seconds, 6),
            turns=self._turns(),
            partners=self.partners,
        )

    def _turns(self) -> Turns | None:
        if not self.fewest_turns:
            return None
        first = self.fewest_turns[0]
        return Turns(len(self.fewest_turns) - 1, first.lower, first.upper)

    def __str__(self) -> str:
        losses = losses_words([cost for _, cost in self.lost])
        first, last = self.prospects[0], self.prospects[-1]
        return (
            f"{counted(len(self.prospects) - 1, 'move')} reviewed: {losses};"
            f" best score {first} at the deal, {last} at the end"
        )

    def __repr__(self) -> str:
        return f"<Review {self}>"


def review(
    game: GameProblem | GameRecord | Game,
    *,
    seconds: float | None = None,
    memory: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
    tell: Callable[[Prospect], None] = lambda _: None,
    with_chances: bool = False,
    with_reasons: bool = False,
    with_decisions: bool = False,
    with_conventions: int | None = None,
    with_turns: bool = False,
    with_people: bool = False,
) -> Review:
    """Find the best score still reachable after each move of a game.

    Parameters
    ----------
    game
        A game with its moves: what `hanabi.read` returns, or one that was played here.
    seconds
        Wall-clock time for the whole review; None for no limit. If it runs out, bounds are left.
    memory
        Approximate memory in bytes for the tables of one question.
    progress
        Receives progress reports.
    tell
        Called with each prospect as soon as it is known, the deal's first.
    with_chances
        Whether to compute the chances of late moves, with all hands open and the deck unseen; this
        mostly takes well below a second.
    with_reasons
        Whether to explain every loss, and to judge all actions that could have been taken instead.
    with_decisions
        Whether to judge moves by what their seats knew (`hanabi.reviews.decisions`): late ones for
        certain, then all by games, as many as the time that is left allows.
    with_conventions
        The level of the H-Group's conventions by which to read each move
        (`hanabi.conventions.notes`), or None; this mostly takes some seconds a game.
    with_turns
        Whether to find the fewest turns from each position, if the game was won, within the time
        that is left; this mostly takes some seconds a game.
    with_people
        Whether to find what people would do where each move was made (`hanabi.people.notes`); this
        mostly takes about a second a game.

    Raises
    ------
    InvalidInputError
        If the game has no moves, or its rules or the level are not among those of the conventions,
        which people need, too.
    SolverError
        If the fewest turns are asked for under rules that the solver does not know.

    >>> from hanabi import deal
    >>> from hanabi.rules import hint_rank
    >>> review(deal(players=2, seed=1).apply(hint_rank(1, 3))).lost
    ()
    """
    problem = posed(game)
    if not problem.moves:
        what = "deck" if problem.has_history else "position"
        raise InvalidInputError(f"no moves to review: this is a {what}, not a game")
    positions, notes = problem.by_rules, tuple[ConventionNotes, ...]()
    if with_conventions is not None:
        notes = tuple(convention_notes(positions, with_conventions))
    people = tuple(people_notes(positions)) if with_people else ()
    warm_up()
    clock, prospects = Clock(seconds), []
    budget = DEFAULT_MEMORY if memory is None else memory
    for each in timeline(positions, seconds=clock.left, memory=budget):
        prospects.append(each)
        tell(each)
        progress(f"{len(prospects)} of {len(positions)} positions")
    if positions[0].missing:
        prospects = _reached(prospects)
    found = Review(problem, tuple(prospects), None, None, 0.0)
    at = found.lost_at
    because = None if at is None else why_lost(positions[at], clock.left)
    link = _link(problem, prospects, at) if at else None
    late = tuple(late_chances(positions, clock)) if with_chances else ()
    if with_reasons:
        explained = list(explain_losses(found, clock))
        found = replace(
            found,
            reasons=tuple((each.move, each.reason) for each in explained),
            judged=tuple((each.move, each.judged) for each in explained),
        )
    if with_decisions:
        verdicts = list[Verdict]()
        for verdict in judge_moves(problem, prospects, clock):
            verdicts.append(verdict)
            n = sum(isinstance(each, Estimated) for each in verdicts)
            progress(f"{n} of {counted(len(positions) - 1, 'decision')}")
        found = found.with_decisions(verdicts)
    turns = list[FewestTurns]()
    if with_turns and positions[-1].score == positions[-1].rules.max_score:
        turns = turns_lost(positions, seconds=clock.left, memory=memory, progress=progress)
    return replace(
        found,
        because=because,
        link=link,
        late=late,
        conventions=notes,
        fewest_turns=tuple(turns),
        people=people,
        seconds=clock.elapsed,
    )


@dataclass(frozen=True, slots=True)
class Explained:
    """A move that lost points: the reason, and what each action would have kept in its place."""

    move: int
    reason: Said
    judged: tuple[Judged, ...]


def explain_losses(found: Review, clock: Clock) -> Iterator[Explained]:
    """Yield an explanation for each move of a review that is known to have lost points."""
    for move, _ in found.lost:
        before, after = found.positions[move - 1 : move + 1]
        points = found.prospects[move].upper + 1
        reason = reason_of_loss(before, after, points, clock.left)
        yield Explained(
            move, reason, tuple(judge_actions(before, found.prospects[move - 1], clock))
        )


def _reached(prospects: list[Prospect]) -> list[Prospect]:
    """Raise each prospect to at least what later ones can have, as the game reached them."""
    found: list[Prospect] = []
    for each in reversed(prospects):
        least = max(each.lower, found[-1].lower if found else 0)
        found.append(replace(each, lower=least))
    return found[::-1]


def _link(problem: GameProblem, prospects: list[Prospect], at: int) -> str | None:
    """Return a replay with the line that a losing move missed, opened before that move."""
    games = list(problem.by_rules[:at])
    for action in prospects[at - 1].line or ():
        games.append(games[-1].apply(action))
    if len(games) == at:
        return None
    link = _replay(games, problem.names)
    return None if link is None else f"{link}#{at}"


def _replay(games: Sequence[Game], names: Sequence[str]) -> str | None:
    """Return a link to a game, or None if hanab.live has no such table."""
    try:
        return link_of(games, names)
    except InvalidInputError:
        return None


def _remark(notes: PeopleNotes, before: Game, readers: Audience) -> PeopleRemark:
    share, first_share = (round(notes.chances[each], 4) for each in (notes.action, notes.first))
    first = _encoded(before, notes.first)
    return PeopleRemark(share, first, notes.words.to(readers), first_share)


def _encoded(before: Game, action: Action) -> RecordedAction:
    """Return an action in hanab.live's encoding, with a value."""
    found = record_action(before, action)
    return replace(found, value=found.value or 0)
