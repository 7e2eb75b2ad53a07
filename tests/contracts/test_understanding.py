"""Code beside the engine knows a rule, or refuses it by name; and what it knows, it knows rightly.

A field that is added to `Rules`, `Variant` or `Suit` needs other values in the tables below. Then
each room that draws conclusions from rules either raises an error with the field's name, or says
what all lines through the engine say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from itertools import combinations
from typing import Any

import pytest

from hanabi import DeckSpec
from hanabi.env.layout import Layout
from hanabi.ground.clock import Clock
from hanabi.ground.errors import InvalidInputError, SolverError
from hanabi.ground.rng import Stream
from hanabi.players import PLAYERS, RandomLegal, parse_player, play_game
from hanabi.players.arena import Tally, outcome_of, outcomes
from hanabi.players.renamed import suit_symmetries
from hanabi.reviews.chances import late_chances
from hanabi.reviews.review import review
from hanabi.rules import Game, Rules
from hanabi.rules.figures import efficiency, pace
from hanabi.rules.understanding import RULES_OF_2026
from hanabi.rules.variants import Suit, Variant
from hanabi.rules.variants.variant import VARIANT_OF_2026, face_up
from hanabi.solvers.draws import open_chances
from hanabi.solvers.hints import possibilities_of
from hanabi.solvers.winnable import Position, solve_game
from hanabi.solvers.winnable.solver import decide_game
from hanabi.solvers.winnable.timeline import timeline
from oracles.lines import Lines

Change = tuple[str, object]

RED = Suit(name="Red", clue_colors=("Red",))
BLUE = Suit(name="Blue", clue_colors=("Blue",))
PLAIN = Variant(name="small", suits=(RED, BLUE), ranks=2)
BASE = Rules(spec=DeckSpec(((2, 1), (2, 1))), seats=2, hand_size=1, hints=1, lives=2)

OTHERS: dict[str, tuple[object, ...]] = {
    "spec": (DeckSpec(((1, 1), (2, 1))), DeckSpec(((1, 2), (1, 1)))),
    "seats": (1, 3),
    "hand_size": (2, 3),
    "hints": (0, 2),
    "lives": (1, 3),
    "completion_bonus": (False,),
    "discard_at_full_hints": (True,),
    "empty_hints": (False,),
    "bombed_scores_zero": (False,),
    "open_hands": (True,),
    "final_round": (None, 0, 3),
    "keep_slots": (True,),
    "stop_when_stuck": (True,),
    "deck_plays": (True,),
    "half_tokens": (True,),
    "all_or_nothing": (True,),
    "speedrun": (True,),
    "variant": (
        replace(PLAIN, suits=(RED, Suit(name="Null", no_clue_colors=True, no_clue_ranks=True))),
        replace(PLAIN, suits=(replace(RED, inverted=True), BLUE), alternating_clues=True),
    ),
}
"""Two other values of each rule, if it has so many."""

OTHER_VARIANTS: dict[str, tuple[object, ...]] = {
    "name": ("other",),
    "id": (7,),
    "suits": ((RED, replace(BLUE, is_reversed=True)),),
    "ranks": (3,),
    "named_clue_colors": (("Red",),),
    "named_clue_ranks": ((1,),),
    "color_clues_touch_nothing": (True,),
    "rank_clues_touch_nothing": (True,),
    "synesthesia": (True,),
    "special_rank": (1, 2),
    "special_rank_all_clue_colors": (True,),
    "special_rank_no_clue_colors": (True,),
    "special_rank_all_clue_ranks": (True,),
    "special_rank_no_clue_ranks": (True,),
    "special_rank_deceptive": (True,),
    "odds_and_evens": (True,),
    "funnels": (True,),
    "chimneys": (True,),
    "up_or_down": (True,),
    "sudoku": (True,),
    "scarce_ones": (True,),
    "critical_rank": (1, 2),
    "alternating_clues": (True,),
    "clue_starved": (True,),
    "throw_it_in_a_hole": (True,),
    "cow_and_pig": (True,),
    "duck": (True,),
}

OTHER_SUITS: dict[str, tuple[object, ...]] = {
    "name": ("Green",),
    "clue_colors": ((), ("Red", "Blue")),
    "one_of_each": (True,),
    "all_clue_colors": (True,),
    "no_clue_colors": (True,),
    "all_clue_ranks": (True,),
    "no_clue_ranks": (True,),
    "prism": (True,),
    "inverted": (True,),
    "is_reversed": (True,),
}


def deal(rules: Rules, seed: int = 1) -> Game:
    return Game.start(rules, rules.spec.shuffle(seed))


def changed(*changes: Change) -> Rules:
    """Return the small rules with some changes."""
    values: dict[str, Any] = dict(changes)
    return replace(BASE, **values)


def go_together(first: Change, second: Change) -> bool:
    """Whether there are rules with both changes: there may be too few cards."""
    with suppress(InvalidInputError):
        return first[0] != second[0] and changed(first, second) is not None
    return False


SINGLE: list[tuple[Change, ...]] = [
    ((name, value),) for name, values in OTHERS.items() for value in values
]
PAIRS: list[tuple[Change, ...]] = [
    (first, second)
    for first, second in combinations([change for (change,) in SINGLE], 2)
    if go_together(first, second)
]


def of_variant(variant: Variant) -> Rules:
    return replace(
        BASE,
        spec=variant.spec,
        variant=variant,
        empty_hints=False,
        half_tokens=variant.clue_starved,
        completion_bonus=not variant.throw_it_in_a_hole,
        discard_at_full_hints=any(variant.inverted),
    )


def variants() -> Iterator[Variant]:
    """Yield small variants, one for each other value of each field, and of each field of a suit."""
    for name, values in OTHER_VARIANTS.items():
        for value in values:
            changes: dict[str, Any] = {name: value}
            if name.startswith("special_rank_"):
                changes["special_rank"] = 2
            yield replace(PLAIN, **changes)
    for name, values in OTHER_SUITS.items():
        for value in values:
            suit = replace(BLUE, **{name: value})  # type: ignore[arg-type]
            yield replace(PLAIN, suits=(RED, suit))


def test_the_tables_have_every_field() -> None:
    for kind, table in ((Rules, OTHERS), (Variant, OTHER_VARIANTS), (Suit, OTHER_SUITS)):
        assert {field.name for field in fields(kind)} == set(table), kind.__name__


def test_the_common_lists_do_not_grow() -> None:
    """A field that joined them would be known to every room at once, tried or not."""
    assert len(RULES_OF_2026) == 18
    assert len(VARIANT_OF_2026) == 27
    assert set(OTHERS) >= RULES_OF_2026
    assert set(OTHER_VARIANTS) >= VARIANT_OF_2026


def player(name: str) -> Callable[[Game], object]:
    who = parse_player(name)

    def ask(game: Game) -> object:
        if getattr(who, "needs_open_hands", False):
            open_rules = replace(game.rules, open_hands=True)
            game = Game.start(open_rules, game.deck)
        return who.act(game.view(game.seat_to_act), Stream(1))

    return ask


def _late(game: Game) -> object:
    found = list(late_chances([game], Clock()))
    if not found:
        open_chances(game, points=False)  # which says why there are none
    return found


def _review(game: Game) -> object:
    return review(game.apply(game.legal_actions[0]))


LESS = {
    "monte-carlo": "monte-carlo:playouts=2",
    "rollouts": "rollouts:playouts=4",
    "uct": "uct:playouts=4",
    "open-hands": "open-hands:samples=2,deck=2",
}
ENGINE_ALONE = ("first-legal", "random")
"""Players who ask the engine for what is legal, and know nothing else."""
SEARCHES = ("endgame:budget=4/rule-based", "belief:worlds=2,deals=1/convention")
NAMES = [LESS.get(name, name) for name in PLAYERS if name not in ENGINE_ALONE]

ROOMS: dict[str, Callable[[Game], object]] = {
    "solver": solve_game,
    "best score": lambda game: decide_game(game, best=True),
    "timeline": lambda game: list(timeline([game])),
    "position": lambda game: Position.start(game.rules, game.deck),
    "draws": open_chances,
    "late moves": _late,
    "review": _review,
    "observations": lambda game: Layout(game.rules),
    "hints": lambda game: possibilities_of(game.view(0), 0),
    "pace": pace,
    "efficiency": lambda game: efficiency([game]),
    "suits": lambda game: suit_symmetries(game.rules),
    "points": lambda game: Tally.of(game.rules, []),
    "simulation": lambda game: outcomes(RandomLegal(), game.rules, 1, seed=1),
    **{name: player(name) for name in (*NAMES, *SEARCHES)},
}

SYNONYMS = {
    "seats": "a single seat",
    "variant": "the variant small|does not play small",
    "open_hands": "open_hands|needs open_hands=True",
}
"""How else a rule is named where it is refused."""


@pytest.fixture(params=ROOMS)
def room(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.mark.parametrize("field", OTHERS)
def test_a_rule_is_known_or_refused_by_name(room: str, field: str) -> None:
    for value in OTHERS[field]:
        refusal = ""
        try:
            ROOMS[room](deal(changed((field, value))))
        except (InvalidInputError, SolverError) as error:
            refusal = str(error)
        assert not refusal or re.search(SYNONYMS.get(field, field), refusal), refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeHints(Rules):
    """Rules as somebody may add to them: by the new one, hints cost nothing."""

    free_hints: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MoodyVariant(Variant):
    """The same of a variant."""

    moody: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MoodySuit(Suit):
    """The same of a suit."""

    moody: bool = False


def with_class(kind: type[Any], record: Any, **changes: object) -> Any:
    values = {field.name: getattr(record, field.name) for field in fields(record)}
    return kind(**values, **changes)


def test_a_new_rule_is_refused_by_every_room(room: str) -> None:
    rules = with_class(FreeHints, BASE, free_hints=True)
    with pytest.raises((InvalidInputError, SolverError), match="free_hints = True"):
        ROOMS[room](deal(rules))


def test_a_new_rule_at_its_default_is_none(room: str) -> None:
    ROOMS[room](deal(with_class(FreeHints, BASE, free_hints=False)))


def test_what_a_variant_gains_is_refused_by_every_room(room: str) -> None:
    moody = with_class(MoodyVariant, PLAIN, moody=True)
    suit = replace(PLAIN, suits=(RED, with_class(MoodySuit, BLUE, moody=True)))
    words = "moody = True|observations cannot show the variant small"
    for variant in (moody, suit):
        with pytest.raises((InvalidInputError, SolverError), match=words):
            ROOMS[room](deal(of_variant(variant)))


def test_what_a_variant_gains_is_not_taken_for_the_same_with_cards_face_up() -> None:
    with pytest.raises(InvalidInputError, match="moody = True"):
        face_up(with_class(MoodyVariant, PLAIN, moody=True))
    with pytest.raises(InvalidInputError, match="moody = True"):
        face_up(replace(PLAIN, suits=(RED, with_class(MoodySuit, BLUE, moody=True))))


def check_solver(game: Game, *, most: int, reviews: bool = False) -> None:
    """Hold the bounds of up to so many positions, spread over all, against all lines."""
    found = list(Lines(game).positions())
    step = max(1, -(-len(found) // most))
    for position, truth in found[::step]:
        verdict = decide_game(position, best=True)
        said = verdict.status, verdict.lower, verdict.upper
        assert verdict.lower <= truth <= verdict.upper, (position.rules, said, truth, position)
        if verdict.is_winnable is not None:
            assert verdict.is_winnable is (truth == game.rules.max_score), (said, truth, position)
        if not game.rules.deck_plays:
            assert verdict.lower == truth == verdict.upper, (position.rules, said, truth, position)
        if reviews:
            [prospect] = timeline([position])
            assert prospect.lower <= truth <= prospect.upper, (position.rules, prospect, truth)


def check_draws(game: Game, *, most: int) -> None:
    """Hold chances against all lines where no more than one card, so a known one, is to come."""
    found = [each for each in Lines(game).positions() if each[0].deck_left <= 1]
    step = max(1, -(-len(found) // most))
    for position, truth in found[::step]:
        if position.can_act:
            chances = open_chances(position)
            assert max(each.points.low for each in chances.actions) == truth, position
            is_won = truth == game.rules.max_score
            assert max(each.perfect.low for each in chances.actions) == is_won, position


def test_the_solver_agrees_with_all_lines_under_each_rule() -> None:
    for changes in SINGLE:
        for seed in (1, 2):
            check_solver(deal(changed(*changes), seed), most=50, reviews=True)


def test_the_solver_agrees_with_all_lines_under_two_rules() -> None:
    for number, pair in enumerate(PAIRS):
        check_solver(deal(changed(*pair), number), most=6)


def test_the_solver_agrees_with_all_lines_in_each_variant() -> None:
    for number, variant in enumerate(variants()):
        check_solver(deal(of_variant(variant), number), most=6)


def test_draws_agree_with_all_lines_under_one_rule_and_two() -> None:
    for number, changes in enumerate([*SINGLE, *PAIRS]):
        if ("speedrun", True) not in changes:
            check_draws(deal(changed(*changes), number), most=12)


def test_outcomes_are_the_points_of_the_game() -> None:
    for number, changes in enumerate([*SINGLE, *PAIRS]):
        rules = changed(*changes)
        end = play_game([RandomLegal()] * rules.seats, deal(rules, number), Stream(number))
        scores = Tally.of(rules, [outcome_of(end)]).scored(rules)
        assert scores.mean == (end.score if end.is_over else 0), end


@pytest.mark.parametrize("name", NAMES)
def test_players_act_legally_under_one_rule_and_two(name: str) -> None:
    who = parse_player(name)
    for number, changes in enumerate([*SINGLE, *PAIRS]):
        rules = changed(*changes)
        rules = replace(rules, open_hands=getattr(who, "needs_open_hands", rules.open_hands))
        try:
            compiled = outcomes(who, rules, 1, seed=number)
        except (InvalidInputError, SolverError):
            continue
        assert len(compiled) == 1
        # Views go through the engine, which refuses what is illegal.
        play_game([who] * rules.seats, deal(rules, number), Stream(number))
