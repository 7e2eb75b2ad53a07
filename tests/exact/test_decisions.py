"""Decisions of late moves: against all deals where the last turn decides, and against the judge."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from html import unescape
from random import Random

import pytest

from hanabi import DeckSpec, review
from hanabi.ground.clock import Clock
from hanabi.reviews.decisions import Decision, DecisionKind, judge_decisions
from hanabi.reviews.remarks import counts_of, decision_words
from hanabi.reviews.review import Review
from hanabi.rules import Game, Rules
from hanabi.shell.viewer.page import page_of
from hanabi.shell.viewer.view import show_of
from hanabi.solvers.draws import Range, judge
from hanabi.solvers.winnable.timeline import Prospect
from oracles.seat import OpenHands, deals, mean_over_deals

RULES = Rules(spec=DeckSpec(((2, 1), (1, 2))), seats=2, hand_size=1, hints=1, lives=2)


def exact(number: Fraction | int) -> Range:
    return Range(Fraction(number), Fraction(number))


def played(seed: int) -> Game:
    """A small game to its end, by moves at random; hints are rare, as they decide nothing."""
    chance = Random(seed)
    game = Game.start(RULES, RULES.spec.shuffle(seed))
    while game.can_act:
        game = game.apply(chance.choice(game.legal_actions[:3]))
    return game


def judged(end: Game) -> Review:
    """Return a review with its late decisions alone: those by games take longer."""
    found = review(end)
    decisions = judge_decisions(found.positions, found.prospects, Clock())
    return replace(found, decisions=tuple(decisions))


def test_the_last_turn_is_judged_as_by_all_deals() -> None:
    kinds, compared = set(), 0
    for seed in range(150):
        end = played(seed)
        found = judged(end)
        for each in found.decisions:
            before = found.positions[each.move - 1]
            kinds.add(each.kind)
            if before.turns_left != 1:
                continue
            moves = [(int(a.kind), a.target, a.value) for a in before.actions]
            possible = list(deals(RULES, [(color, rank) for color, rank in before.deck], moves))
            open_ = OpenHands()
            values = {
                action: mean_over_deals(
                    possible, (int(action.kind), action.target, action.value), open_
                )[0]
                for action in before.legal_actions
            }
            taken = found.problem.moves[each.move - 1]
            assert each.best == exact(max(values.values()))
            assert each.played == exact(values[taken])
            assert each.loss == exact(max(values.values()) - values[taken])
            compared += 1
    assert compared > 10
    assert kinds >= {DecisionKind.RIGHT, DecisionKind.MISTAKE, DecisionKind.BAD_LUCK}


def test_losses_are_those_of_the_judge_and_of_the_deck() -> None:
    for seed in range(40):
        found = judged(played(seed))
        top = RULES.max_score
        for each in found.decisions:
            before, action = found.positions[each.move - 1], found.problem.moves[each.move - 1]
            value = judge(before.view(before.seat_to_act), points=False)
            assert (each.best, each.played) == (value.perfect, value.of(action).perfect)
            assert value.cost(action) <= each.loss.low <= each.loss.high
            was, now = (found.prospects[n].lower == top for n in (each.move - 1, each.move))
            assert each.lost_by_deck is (was and not now)
            assert each.kept_by_deck is now


def test_the_page_says_what_each_decision_was() -> None:
    for seed in range(30):
        found = judged(played(seed))
        show = show_of(found)
        page = unescape(page_of(show))
        for each in found.decisions:
            words = decision_words(each.remark)
            ahead = show.frames[each.move - 1].ahead  # where moves that lost points are told
            told = show.frames[each.move].why if ahead is None else ahead.why
            is_said = (f"{words[:1].upper()}{words[1:]}.",) in told
            assert is_said is (each.kind is not DecisionKind.RIGHT)
            assert is_said <= (words[1:] in page)
        for seat, name in enumerate(found.problem.names):
            own = [
                each.kind
                for each in found.decisions
                if found.positions[each.move - 1].seat_to_act == seat
            ]
            assert (f"{name}: {counts_of(own)}" in page) is bool(own)


def decision(low: float, high: float, *, lost: bool | None, kept: bool | None) -> Decision:
    loss = Range(Fraction(low), Fraction(high))
    return Decision(1, exact(1), exact(0), loss, lost_by_deck=lost, kept_by_deck=kept)


@pytest.mark.parametrize(
    ("found", "kind"),
    [
        (decision(0.5, 0.5, lost=True, kept=False), "mistake"),
        (decision(0.25, 0.5, lost=True, kept=False), "mistake"),
        (decision(0.25, 0.5, lost=False, kept=False), "mistake"),  # it was lost before
        (decision(0.25, 0.5, lost=False, kept=True), "good luck"),
        (decision(0, 0, lost=False, kept=True), "right"),
        (decision(0, 0, lost=False, kept=False), "right"),
        (decision(0, 0, lost=True, kept=False), "bad luck"),
        (decision(0, 0.5, lost=True, kept=False), "not decided"),
        (decision(0, 0.5, lost=False, kept=True), "not decided"),
        (decision(0, 0, lost=None, kept=None), "not decided"),
        (decision(0.5, 0.5, lost=None, kept=None), "not decided"),
    ],
)
def test_what_is_open_is_never_guessed(found: Decision, kind: str) -> None:
    assert str(found.kind) == kind


def test_without_time_nothing_is_decided_wrongly() -> None:
    end = played(3)
    positions = tuple(review(end).positions)
    open_ = [Prospect(0, RULES.max_score, None)] * len(positions)
    for each in judge_decisions(positions, open_, Clock(0)):
        assert each.lost_by_deck is None
        assert each.kind is DecisionKind.NOT_DECIDED
    full = {each.move: each for each in judged(end).decisions}
    hasty = {each.move: each for each in judge_decisions(positions, open_, Clock(0))}
    assert hasty.keys() >= full.keys()  # without time it is not known that nothing was at stake
    for move, each in full.items():
        assert hasty[move].loss.low <= each.loss.low <= each.loss.high <= hasty[move].loss.high
