"""Questions about the full game: whether it can be won, and the best score that can be reached.

`hanabi.solvers.winnable.portfolio` decides goals one by one; `finish` continues lines with less
than a perfect score to the end of the game.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from itertools import islice

from hanabi.ground import (
    NO_LIMIT,
    BudgetEndedError,
    Clock,
    SolverError,
    Status,
    Verdict,
    counted,
    quote,
)
from hanabi.rules import Action, Card, DeckSpec, Game, Kind, Rules, Variant
from hanabi.solvers.winnable.images import images
from hanabi.solvers.winnable.position import Goal, Line, Position, check_supported, replay

__all__ = [
    "MOST_POSITIONS",
    "best",
    "decide_game",
    "finish",
    "is_safe",
    "solve",
    "solve_game",
    "warm_up",
    "without_deck_plays",
]

# From any position to the end of the game: the score counts when the game is over.
#
# Points on the piles can be lost again only if the last error forfeits them and a seat has no
# choice but to err: with all hint tokens available discarding is forbidden, and there may be nobody
# to give a hint to. Under the usual rules that never happens (`is_safe`). Under others, such as no
# hint tokens at all, it can happen to every line that has the points.
#
# This searches all sequences of actions, treating cards of one kind, and all hints, as alike. Once
# the points are there it gives hints and discards first, so that it goes straight to the end if it
# can.

MOST_POSITIONS = 500_000
"""Default limit on the positions that `finish` searches."""


def is_safe(rules: Rules) -> bool:
    """Return whether points on the piles are never lost again.

    This holds if the seat to act can always avoid an error, or errors cost nothing, and if a game
    short of a perfect score still counts (unlike under `all_or_nothing` and `speedrun`).

    With too few hint tokens for a hint, a seat may discard, if the game has tokens at all. With all
    tokens, it gives a hint; this requires that another seat holds a card, or rules that allow empty
    hints. Hands run out only in the last round, in which each seat acts once in as many turns as
    there are seats.

    >>> from dataclasses import replace
    >>> is_safe(Rules.official(2)), is_safe(replace(Rules.official(2), hints=0))
    (True, False)
    """
    if rules.all_or_nothing or rules.speedrun:
        return False
    if not rules.bombed_scores_zero or rules.discard_at_full_hints:
        return True
    if rules.variant is not None and not _can_always_hint(rules.variant):
        return False
    if rules.hints == 0 or rules.seats == 1:
        return False
    if rules.empty_hints:
        return True
    return rules.final_round is not None and rules.final_round < rules.hand_size * rules.seats


def _can_always_hint(variant: Variant) -> bool:
    """Return whether every card is touched by some clue of each kind that may be required."""
    by_kind = [
        [any(touches(value, *card) for value in values) for card in variant.spec.counts()]
        for touches, values in (
            (variant.touches_color, range(len(variant.clue_colors))),
            (variant.touches_rank, variant.clue_ranks),
        )
    ]
    if variant.alternating_clues:
        return all(map(all, by_kind))
    return all(map(any, zip(*by_kind, strict=True)))


def finish(
    game: Game, points: int, clock: Clock = NO_LIMIT, *, most: int = MOST_POSITIONS
) -> Line | None:
    """Return a line to the end of the game that scores at least `points`, or None.

    Raises BudgetEndedError if the time is over, or `most` positions do not suffice; each takes some
    kilobytes.

    >>> from hanabi import DeckSpec
    >>> rules = Rules(spec=DeckSpec(((2, 1, 1),)), seats=2, hand_size=1, hints=0, lives=1)
    >>> game = Game.start(rules, [(0, 1), (0, 3), (0, 1), (0, 2)])
    >>> print(finish(game, 1))
    None
    """
    rules, seen, stack = game.rules, set[Hashable](), [game]
    while stack:
        clock.check()
        if len(seen) >= most:
            raise BudgetEndedError(f"no end in {most} positions")
        position = stack.pop()
        if not position.can_act:
            if position.is_over and position.score >= points:
                return position.known_actions[len(game.known_actions) :]
            continue
        # Each hand's cards matter, but not their slots or the hints given.
        key = (
            position.pile_ranks,
            tuple(tuple(sorted(hand)) for hand in position.hands),
            position.deck_left,
            position.hint_credit,
            position.barred_kind,
            position.lives,
            position.seat_to_act,
            position.turns_left,
        )
        last = rules.final_round if position.turns_left is None else position.turns_left
        missing = points - sum(position.piles)
        if key in seen or (last is not None and missing > position.deck_left + last):
            continue
        seen.add(key)
        stack += [position.apply(action) for action in reversed(_choices(position, points))]
    return None


def _choices(game: Game, points: int) -> list[Action]:
    """Return one action of each kind, most promising first."""
    hand = game.hands[game.seat_to_act]
    order: dict[Action, int] = {}
    kinds: set[Hashable] = set()
    has_points = sum(game.piles) >= points
    variant = game.rules.variant
    takes_turns = variant is not None and variant.alternating_clues
    inverted = (False,) * game.rules.colors if variant is None else variant.inverted
    for action in game.legal_actions:
        card = None if action.is_hint else hand[action.target]
        # All hints are equivalent, unless their kinds must alternate.
        kind = None if card is None and not takes_turns else (action.kind, card)
        if kind in kinds:
            continue
        kinds.add(kind)
        if card is None:
            order[action] = 0 if has_points else 2
        elif (action.kind is Kind.DISCARD) != inverted[card.color]:
            order[action] = 1
        elif game.is_playable(card):
            order[action] = 2 if has_points else 0
        else:
            order[action] = 3
    return sorted(order, key=order.__getitem__)


DEFAULT_SECONDS = 60.0
DEFAULT_MEMORY = 1 << 30
_ORDER = (Status.WINNABLE, Status.UNKNOWN, Status.UNWINNABLE)
_MANY_GOALS = 40
_FEW_ENDS = 2_000
"""Positions searched to end a line that has its points: more than the longest line has."""
_MOST_ENDS = 50_000
"""Positions searched for less than a perfect score under `speedrun`; takes some seconds."""


def solve(
    deck: Iterable[tuple[int, int]],
    rules: Rules,
    *,
    points: int | None = None,
    seconds: float | None = DEFAULT_SECONDS,
    memory: int = DEFAULT_MEMORY,
    seed: int = 0,
) -> Verdict[Line]:
    """Decide whether a deck can be won with all cards face up.

    Parameters
    ----------
    deck
        Pairs (color, rank) in draw order.
    rules
        The rule set.
    points
        The final score to reach or exceed; by default a perfect score.
    seconds
        Wall-clock time after which the answer is UNKNOWN, checked a few times a second; None: no
        limit.
    memory
        Approximate bytes for tables.
    seed
        Seed of the restarts. Lines and times depend on it, answers do not.

    Returns
    -------
    Verdict
        WINNABLE with a replayed line of actions for `Game.apply`; UNWINNABLE with the reason's name
        and a sentence; or UNKNOWN. All come with bounds on the best score.

    Raises
    ------
    InvalidInputError
        If the deck's cards are not those of the rules.
    SolverError
        If the solver does not support the rules.

    >>> rules = Rules.hanab_live(seats=3)
    >>> deck = rules.spec.shuffle(seed=1)
    >>> verdict = solve(deck, rules)
    >>> print(verdict.status, verdict.method, verdict.upper)
    winnable greedy 25
    >>> Game.start(rules, deck).apply(verdict.witness[0]).score
    1
    """
    return solve_game(
        Game.start(rules, deck), points=points, seconds=seconds, memory=memory, seed=seed
    )


def solve_game(
    game: Game,
    *,
    points: int | None = None,
    seconds: float | None = DEFAULT_SECONDS,
    memory: int = DEFAULT_MEMORY,
    seed: int = 0,
) -> Verdict[Line]:
    """Decide whether a game can still be won from where it stands; see `solve`.

    The witness starts at the present position.
    """
    return _solve(game, points, Clock(seconds), memory, seed)


def best(
    game: Game,
    *,
    seconds: float | None = DEFAULT_SECONDS,
    memory: int = DEFAULT_MEMORY,
    seed: int = 0,
) -> Verdict[Line]:
    """Find the best final score by solving for fewer and fewer points.

    The status says whether the game can be won; `lower` and `upper` bound the best score, and the
    witness, a line to the end of the game, scores `lower`. Points that the end of the game forfeits
    do not count; see `hanabi.solvers.winnable.solver`. Under `speedrun`, scores short of perfect
    are found by trying all lines, so the result is often only bounds.

    >>> from hanabi import DeckSpec
    >>> rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=1, hand_size=1)
    >>> verdict = best(Game.start(rules, [(0, 3), (0, 1), (0, 2)]))
    >>> print(verdict.status, verdict.lower, verdict.upper)
    unwinnable 2 2
    """
    clock, top = Clock(seconds), game.rules.max_score
    first = verdict = _solve(game, top, clock, memory, seed)
    if game.rules.all_or_nothing:
        top = 0  # nothing more to ask
    upper, states, trail = first.upper, first.states, first.trail
    for points in range(top - 1, -1, -1):
        if verdict.status is Status.WINNABLE or clock.is_over:
            break
        if game.rules.speedrun and verdict.status is Status.UNKNOWN:
            break  # fewer points need as many lines to be tried
        verdict = _solve(game, points, clock, memory, seed)
        if verdict.status is Status.UNWINNABLE and upper == points:
            upper = points - 1
        states += verdict.states
        trail += verdict.trail
    return replace(
        first, witness=verdict.witness, lower=verdict.lower, upper=upper, states=states,
        seconds=clock.elapsed, trail=trail,
    )  # fmt: skip


def _solve(game: Game, points: int | None, clock: Clock, memory: int, seed: int) -> Verdict[Line]:
    """Decide whether a game can end with `points` or more."""
    rules = game.rules
    check_supported(rules)
    points = rules.max_score if points is None else points
    if not 0 <= points <= rules.max_score:
        raise SolverError(f"{quote(points)} points: the rules allow 0 to {rules.max_score}")
    if rules.all_or_nothing and points:
        points = rules.max_score  # fewer points are worthless
    verdict: Verdict[Line]
    if game.missing and game.can_act:
        return _of_any_order(game, points)
    if not game.can_act:
        lower = upper = game.score if game.is_over else 0
        is_won = lower >= points
        status = Status.WINNABLE if is_won else Status.UNWINNABLE
        verdict = Verdict(status, "score", "the game is over", () if is_won else None)
    else:
        score = sum(game.piles)
        if score >= points:
            reason = f"{score} points are on the piles"
            verdict = Verdict(Status.WINNABLE, "score", reason, ())
        elif rules.speedrun and points < rules.max_score:
            reason = f"{points} points are not found among so many lines"
            verdict = Verdict(Status.UNKNOWN, "all lines", reason)
            verdict = _exhausted(verdict, game, points, clock, most=_MOST_ENDS)
        else:
            verdict = _any_goal(game, points, clock, memory, seed)
        if verdict.witness is not None and points < rules.max_score:
            verdict = _finished(verdict, verdict.witness, game, points, clock)
        lower, upper = score if is_safe(rules) else 0, rules.max_score
        if verdict.status is Status.WINNABLE:
            lower = max(lower, points)
        elif verdict.status is Status.UNWINNABLE:
            upper = 0 if rules.all_or_nothing else points - 1
    return replace(verdict, lower=lower, upper=upper, seconds=clock.elapsed)


def _of_any_order(game: Game, points: int) -> Verdict[Line]:
    """Return the verdict that holds for every order of the remaining deck.

    Each further point takes one of the cards left, and a play; each play outside the last round
    draws a card.
    """
    rules, score = game.rules, sum(game.piles)
    lower, upper = score if is_safe(rules) else 0, game.most_points
    if rules.final_round is not None:
        upper = min(upper, score + game.deck_left + rules.final_round)
    if rules.all_or_nothing:
        lower, upper = 0, upper if upper == rules.max_score else 0
    missing = f"{game.missing} of {counted(rules.deck_size, 'card')} of the deck are missing"
    if upper >= points:
        return Verdict(Status.UNKNOWN, "no deck", missing, lower=lower, upper=upper)
    reason = f"at most {counted(upper, 'point')} with the cards and turns that are left"
    return Verdict(Status.UNWINNABLE, "no deck", f"{reason}, though {missing}", None, lower, upper)


def _any_goal(game: Game, points: int, clock: Clock, memory: int, seed: int) -> Verdict[Line]:
    """Decide whether one of the goals worth `points` can be reached."""
    from hanabi.solvers.winnable.portfolio import Decision, Portfolio
    from hanabi.solvers.winnable.search import Workspace

    # Both large tables have rows of about 8 (seats + 4) bytes.
    rows = max(memory // (16 * (game.rules.seats + 4)), 1 << 12)
    states, trail, verdicts = 0, tuple[str, ...](), list[Verdict[Line]]()

    def decisions() -> Iterator[Decision]:
        for goal in _goals(game, points):
            portfolios = (
                Portfolio(
                    Workspace(Position.of_game(image.game), goal, seed), image, clock, memory, rows
                )
                for image in images(game)
            )
            yield Decision(portfolios, clock)

    # All goals get the cheap attempts first: one may be easy to reach.
    open_ones: Iterable[Decision] = decisions()
    while open_ones:
        waiting = list[Decision]()
        for decision in open_ones:
            if verdicts and clock.is_over:
                verdicts.append(Verdict(Status.UNKNOWN, "portfolio", "the time is over"))
                waiting = []
                break
            verdict = decision.go_on()
            if verdict is None:
                waiting.append(decision)
                continue
            states, trail = states + verdict.states, trail + verdict.trail
            verdicts.append(verdict)
            if verdict.status is Status.WINNABLE:
                waiting = []
                break
        open_ones = waiting
    # A winnable verdict, else an unknown one, else the first.
    first = min(verdicts, key=lambda verdict: _ORDER.index(verdict.status))
    if first.status is Status.UNKNOWN and game.rules.variant is not None:
        first = _exhausted(first, game, points, clock)
    return replace(first, states=states, trail=trail)


def _goals(game: Game, points: int) -> list[Goal]:
    """Return the goals worth `points`, except those that need a card with no copy left.

    At least one goal stays, to be refuted. Many goals are sorted by how soon their cards can be
    drawn. If a pile can be built in several orders, each order needs other cards, and all goals
    stay as they are.
    """
    first, *others = islice(images(game), 2)
    position = Position.of_game(first.game)
    goals = list(position.goals(points))
    if others:
        return goals
    when = {
        card: at for at, card in reversed(list(enumerate(position.deck))) if at >= position.drawn
    }
    when |= {card: 0 for hand in position.hand_types for card in hand}
    # For each color and height the sum of the times at which its cards can be played.
    costs: list[dict[int, int]] = []
    for color, pile in enumerate(position.piles):
        height, latest, costs_of = pile, 0, {pile: 0}
        while (card := Card(color, height + 1)) in when:
            latest = max(latest, when[card])
            costs_of[height + 1] = costs_of[height] + latest
            height += 1
        costs.append(costs_of)
    possible = [goal for goal in goals if all(h in of for h, of in zip(goal, costs, strict=True))]
    if len(possible) > _MANY_GOALS:
        possible.sort(key=lambda goal: sum(of[h] for h, of in zip(goal, costs, strict=True)))
    return possible or goals[:1]


def _exhausted(
    verdict: Verdict[Line], game: Game, points: int, clock: Clock, *, most: int = MOST_POSITIONS
) -> Verdict[Line]:
    """Decide by trying all lines; return `verdict` if the budget runs out first."""
    try:
        line = finish(game, points, clock, most=most)
    except BudgetEndedError:
        return verdict
    if line is None:
        return replace(
            verdict, status=Status.UNWINNABLE, method="all lines", reason="all lines lose"
        )
    reason = f"a line of {len(line)} actions, replayed"
    return replace(verdict, status=Status.WINNABLE, method="all lines", reason=reason, witness=line)


def _finished(
    verdict: Verdict[Line], line: Line, game: Game, points: int, clock: Clock
) -> Verdict[Line]:
    """Continue a line that has its points to the end of the game, or find another line."""
    try:
        rest = finish(replay(game, line), points, most=_FEW_ENDS)
        if rest is not None:
            return replace(verdict, witness=line + rest)
        other = finish(game, points, clock)
    except BudgetEndedError:
        status, other = Status.UNKNOWN, None
        reason = f"{points} points can be had, but perhaps not kept: the time is over"
    else:
        status, reason = Status.WINNABLE, "a line that keeps its points"
        if other is None:
            status = Status.UNWINNABLE
            reason = f"no line with {points} points can keep them to the end"
    return replace(verdict, status=status, method="end of the game", reason=reason, witness=other)


_DECIDERS = {True: best, False: solve_game}


def decide_game(
    game: Game,
    *,
    best: bool = False,
    seconds: float | None = DEFAULT_SECONDS,
    memory: int | None = None,
) -> Verdict[Line]:
    """Decide whether a game can still be won, under the option `deck_plays` too.

    The solvers never play the last card from the deck. Every line that they find is also legal
    under that option; but if they find none, other lines may win, and the answer is UNKNOWN.

    With `best`, a game that cannot be won is searched for its best score. The budgets are those of
    `solve`.

    >>> rules = replace(Rules.hanab_live(seats=3), deck_plays=True)
    >>> verdict = decide_game(Game.start(rules, rules.spec.shuffle(seed=1)))
    >>> print(verdict.status, verdict.upper)
    winnable 25
    """
    memory = DEFAULT_MEMORY if memory is None else memory
    verdict = _DECIDERS[best](without_deck_plays(game), seconds=seconds, memory=memory)
    if not game.rules.deck_plays or game.deck_left == 0 or game.is_over:
        return verdict
    if verdict.status is Status.UNWINNABLE:
        reason = f"no line wins without the option deckPlays ({verdict.reason}); with it unknown"
        verdict = replace(verdict, status=Status.UNKNOWN, reason=reason)
    return replace(verdict, upper=game.rules.max_score)


def without_deck_plays(game: Game) -> Game:
    """Return the same position without the option to play the last card from the deck."""
    if not game.rules.deck_plays:
        return game
    state = game.packed[2].tobytes()
    return Game(replace(game.rules, deck_plays=False), game.deck, game.known_actions, state)


def warm_up() -> None:
    """Compile or load the solvers by solving the smallest game, outside any time limit."""
    rules = Rules(spec=DeckSpec.uniform(1, 3, 1), seats=2, hand_size=1)
    solve([(0, 1), (0, 2), (0, 3)], rules)
