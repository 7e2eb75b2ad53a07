"""Every part of the solver against exhaustive search, on small random rules and decks."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi import Deck, DeckSpec, Status
from hanabi.rules import Game, Rules, discard, play
from hanabi.rules.variants.variant import Suit, Variant
from hanabi.solvers.winnable import Position, best, refute, replay
from hanabi.solvers.winnable.search import GameSearch, Workspace, labelled, line_of, merged
from hanabi.solvers.winnable.solver import is_safe
from hanabi.solvers.winnable.timeline import timeline
from oracles.winnable import best_final_score, most_points
from strategies import small_variants

copies = st.lists(st.sampled_from((1, 1, 2, 2, 3)), min_size=1, max_size=4)
specs = st.lists(copies, min_size=1, max_size=3).map(
    lambda rows: DeckSpec(tuple(tuple(row) for row in rows))
)


@st.composite
def deals(draw: st.DrawFn) -> tuple[Rules, Deck]:
    """A small rule set, last rounds and tokens of all kinds included, and a deck."""
    spec = draw(specs.filter(lambda spec: 2 <= spec.size <= 11))
    seats = draw(st.integers(1, min(4, spec.size)))
    rules = Rules(
        spec=spec,
        seats=seats,
        hand_size=draw(st.integers(1, min(3, spec.size // seats))),
        hints=draw(st.integers(0, 4)),
        lives=draw(st.integers(1, 3)),
        completion_bonus=draw(st.booleans()),
        discard_at_full_hints=draw(st.booleans()),
        empty_hints=draw(st.booleans()),
        bombed_scores_zero=draw(st.booleans()),
        half_tokens=draw(st.booleans()),
    )
    rules = replace(rules, final_round=draw(st.sampled_from((seats, seats, seats, 0, 1, 5, None))))
    return rules, Deck(draw(st.permutations(list(spec.cards()))))


@settings(max_examples=300)
@given(deals(), st.integers(0, 3))
def test_the_best_score_is_exact(deal: tuple[Rules, Deck], seed: int) -> None:
    rules, deck = deal
    game = Game.start(rules, deck)
    verdict = best(game, seed=seed)
    truth = best_final_score(rules, deck)
    assert (verdict.lower, verdict.upper) == (truth, truth)
    assert verdict.is_winnable is (truth == rules.max_score)
    assert verdict.witness is not None
    end = replay(game, verdict.witness)
    assert (end.is_over, end.score) == (True, truth)


@settings(max_examples=300)
@given(deals())
def test_what_a_forced_error_takes_is_no_score(deal: tuple[Rules, Deck]) -> None:
    """Few tokens and lives, where seats may have nothing left to do but err."""
    rules, deck = deal
    for hints in (0, 1):
        for zero in (True, False):
            strict = replace(
                rules, hints=hints, empty_hints=False, lives=min(rules.lives, 2),
                bombed_scores_zero=zero, discard_at_full_hints=False,
            )  # fmt: skip
            game, truth = Game.start(strict, deck), best_final_score(strict, deck)
            verdict = best(game)
            assert (verdict.lower, verdict.upper) == (truth, truth)
            assert verdict.witness is not None
            end = replay(game, verdict.witness)
            assert (end.is_over, end.score) == (True, truth)
            if is_safe(strict):
                assert truth == most_points(strict, deck)


@settings(max_examples=200)
@given(deals(), st.integers(0, 5), st.integers(0, 11), st.integers(0, 2))
def test_no_part_errs(deal: tuple[Rules, Deck], labels: int, turns_from: int, noise: int) -> None:
    rules, deck = deal
    game = Game.start(rules, deck)
    if game.is_over or game.deck_left == 0:
        return
    position, truth = Position.of_game(game), most_points(rules, deck)
    for points in {max(truth, 1), min(truth + 1, rules.max_score)}:
        reached = False
        for goal in position.goals(points):
            workspace, cards = Workspace(position, goal), rules.deck_size
            answers = {merged(workspace)}
            assert (refute(position, goal) is not None) == (answers == {Status.UNWINNABLE})
            for number, turns in ((labels, cards), (labels, min(turns_from, cards)), (99, cards)):
                answers.add(labelled(workspace, number, turns, 1_000_000)[0])
            plain = GameSearch(workspace, rows=1 << 12).run(1_000_000, noise)
            search = GameSearch(
                workspace, rows=1 << 12, labels=labels, turns_from=turns_from, guide_rows=4096
            )
            guided = search.run(1_000_000, noise)
            assert plain.status is guided.status
            if plain.status is not Status.UNWINNABLE:
                reached = True
                assert Status.UNWINNABLE not in answers
                for found in (plain, guided):
                    assert sum(replay(game, line_of(workspace, found.moves)).piles) >= points
        assert reached == (truth >= points)


@settings(max_examples=100)
@given(deals(), st.data())
def test_positions_in_the_middle_of_a_game(deal: tuple[Rules, Deck], data: st.DataObject) -> None:
    """A game can still reach what some successor reaches, and never more than before."""
    rules, deck = deal
    game = Game.start(rules, deck)
    most = best(game).lower
    while not game.is_over:
        scores = [best(game.apply(action)).lower for action in game.legal_actions]
        assert max(scores) == most
        choice = data.draw(st.integers(0, len(scores) - 1))
        game, most = game.apply(game.legal_actions[choice]), scores[choice]


@st.composite
def variant_deals(draw: st.DrawFn) -> tuple[Rules, Deck]:
    """A small rule set of a variant of any sort, and a deck."""
    variant = draw(
        small_variants(most_suits=2, most_ranks=4).filter(lambda v: 2 <= v.spec.size <= 11)
    )
    spec = variant.spec
    seats = draw(st.integers(1, min(4, spec.size)))
    rules = Rules(
        spec=spec,
        variant=variant,
        seats=seats,
        hand_size=draw(st.integers(1, min(3, spec.size // seats))),
        hints=draw(st.integers(0, 3)),
        lives=draw(st.integers(1, 3)),
        completion_bonus=draw(st.booleans()),
        discard_at_full_hints=any(variant.inverted) or draw(st.booleans()),
        empty_hints=draw(st.sampled_from((False, False, True))),
        bombed_scores_zero=draw(st.booleans()),
        half_tokens=draw(st.booleans()),
        final_round=draw(st.sampled_from((seats, seats, seats, 0, 1, 5, None))),
    )
    return rules, Deck(draw(st.permutations(list(spec.cards()))))


@settings(max_examples=500)
@given(variant_deals(), st.integers(0, 3))
def test_the_best_score_of_a_variant_is_exact(deal: tuple[Rules, Deck], seed: int) -> None:
    rules, deck = deal
    game = Game.start(rules, deck)
    verdict = best(game, seed=seed)
    truth = best_final_score(rules, deck)
    assert (verdict.lower, verdict.upper) == (truth, truth)
    assert verdict.is_winnable is (truth == rules.max_score)
    assert verdict.witness is not None
    end = replay(game, verdict.witness)
    assert (end.is_over, end.score) == (True, truth)


@settings(max_examples=150)
@given(st.one_of(deals(), variant_deals()), st.data())
def test_a_timeline_tells_what_each_position_can_have(
    deal: tuple[Rules, Deck], data: st.DataObject
) -> None:
    rules, deck = deal
    positions = [Game.start(rules, deck)]
    while not positions[-1].is_over and len(positions) < 12:
        actions = positions[-1].legal_actions
        positions.append(positions[-1].apply(actions[data.draw(st.integers(0, len(actions) - 1))]))
    for position, prospect in zip(positions, timeline(positions), strict=True):
        truth = position.score if position.is_over else best(position).lower
        assert (prospect.lower, prospect.upper) == (truth, truth)
        assert prospect.line is not None or truth == 0
        assert replay(position, prospect.line or ()).score == truth or truth == 0


def test_a_timeline_keeps_no_line_whose_points_are_lost() -> None:
    """Where a discard plays, what is left of a line may end with the error that takes all."""
    suit = Suit(name="upside down", clue_colors=(), inverted=True)
    variant = Variant(name="small", suits=(suit,), ranks=3, up_or_down=True)
    rules = Rules(
        spec=variant.spec,
        variant=variant,
        seats=2,
        hand_size=2,
        hints=0,
        lives=1,
        bombed_scores_zero=True,
        discard_at_full_hints=True,
    )
    game = Game.start(rules, [(0, 4), (0, 2), (0, 3), (0, 2), (0, 1)]).apply(play(1))
    after = game.apply(discard(0))
    for position, prospect in zip((game, after), timeline([game, after]), strict=True):
        assert prospect.line is not None
        assert replay(position, prospect.line).score == prospect.lower == best(position).lower > 0
