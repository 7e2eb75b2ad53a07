"""The judge held against every deal that a seat may hold possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from math import factorial
from random import Random

import pytest

from hanabi import DeckSpec
from hanabi.ground.clock import Clock
from hanabi.rules import Action, Game, Rules, discard, hint_color, play
from hanabi.rules.cards import Card
from hanabi.rules.variants import find_variant, variant_names
from hanabi.solvers.draws import Range, judge
from hanabi.solvers.draws.kernels import BY_AGE, BY_CHANCE, SILENT
from hanabi.solvers.draws.seat import Hands, Plan
from hanabi.solvers.draws.seat.signals import Signals
from hanabi.solvers.draws.solver import DrawSearch
from oracles.draws import Pair
from oracles.game import Move
from oracles.seat import OpenHands, Team, TooLargeError, deals, mean_over_deals
from oracles.small_games import small_game

PLANS = (
    *((0, 0, commands) for commands in (SILENT, BY_CHANCE)),
    *((1_000_000, 0, commands) for commands in (SILENT, BY_CHANCE, BY_AGE)),
    *((100, 2, commands) for commands in (SILENT, BY_CHANCE)),
    (1_000_000, 1, SILENT),
    (1_000_000, 2, BY_CHANCE),
)
LARGE = 900  # deals times moves left to try by the slow twin


def move_of(action: Action) -> Move:
    return int(action.kind), action.target, action.value


def plain_game(chance: Random) -> Game:
    """A small plain game by any rules."""
    while True:
        rows = [
            tuple(chance.choice((1, 1, 2)) for _ in range(chance.randint(1, 3)))
            for _ in range(chance.randint(1, 3))
        ]
        spec = DeckSpec(tuple(rows))
        if 2 <= spec.size <= 7:
            break
    seats = chance.randint(1, min(3, spec.size))
    rules = Rules(
        spec=spec,
        seats=seats,
        hand_size=chance.randint(1, min(3, spec.size // seats)),
        hints=chance.randint(0, 2),
        lives=chance.randint(1, 3),
        completion_bonus=chance.random() < 0.5,
        discard_at_full_hints=chance.random() < 0.5,
        empty_hints=chance.random() < 0.5,
        bombed_scores_zero=chance.random() < 0.5,
        open_hands=chance.random() < 0.1,
        final_round=chance.choice((seats, seats, seats, seats + 1, 1)),
        keep_slots=chance.random() < 0.3,
        stop_when_stuck=chance.random() < 0.5,
        deck_plays=chance.random() < 0.3,
        half_tokens=chance.random() < 0.2,
        all_or_nothing=chance.random() < 0.15,
    )
    deck = list(spec.cards())
    chance.shuffle(deck)
    return Game.start(rules, deck)


def variant_game(chance: Random) -> Game:
    names = [name for name in variant_names() if not find_variant(name).is_plain]
    while True:
        rules, deck = small_game(find_variant(chance.choice(names)), chance)
        if rules.deck_size <= 8:
            return Game.start(rules, deck)


def later(game: Game, turns: int, chance: Random) -> Game:
    for _ in range(turns):
        after = game.apply(chance.choice(game.legal_actions))
        if not after.can_act:
            break
        game = after
    return game


def small_positions(seed: int, number: int, make: Callable[[Random], Game]) -> list[Game]:
    """Positions that the oracle decides in a moment, about as many as asked for."""
    chance, found = Random(seed), list[Game]()
    while len(found) < number:
        game = make(chance)
        if not game.can_act:
            continue
        game = later(game, chance.randint(0, 9), chance)
        if game.deck_left + game.hints <= 3:
            found.append(game)
    return found


def told(game: Game, chance: Random) -> dict[int, set[Card]]:
    """What the seat may know beside hints, mostly nothing."""
    if chance.random() < 0.7 or game.rules.open_hands:
        return {}
    cards = enumerate(game.hands[game.seat_to_act])
    return {slot: {card, chance.choice(game.deck)} for slot, card in cards if chance.random() < 0.3}


def check(game: Game, chance: Random) -> int:
    """Hold the judge against the oracle; return the number of values compared."""
    moves = [move_of(action) for action in game.actions]
    deck = [(color, rank) for color, rank in game.deck]
    seat = game.seat_to_act
    known = told(game, chance)
    found = list(deals(game.rules, deck, moves, known))
    judged = judge(game.view(seat), known=known, effort=chance.randint(1, 3))
    for deal, _ in found[-2:]:  # another deal that looks alike gives the same answer
        other = Game.start(game.rules, deal.deck)
        for action in game.actions:
            other = other.apply(action)
        assert other.view(seat) == game.view(seat)
        again = judge(other.view(seat), known=known, effort=0)
        assert [each.above for each in again.actions] == [each.above for each in judged.actions]
    open_ = OpenHands()
    for each in judged.actions:
        chance_, mean = mean_over_deals(found, move_of(each.action), open_)
        expected = Range(chance_, chance_), Range(mean, mean)
        assert each.above == expected, (game, deck, game.actions, known, each)
        assert each.perfect.low <= chance_, (game, each)
        assert each.points.low <= mean, (game, each)
    return len(judged.actions)


def positions_agree(seed: int, number: int) -> int:
    chance = Random(seed)
    return sum(
        check(game, chance)
        for make in (plain_game, variant_game)
        for game in small_positions(seed, number, make)
    )


@pytest.mark.parametrize("seed", range(4))
def test_every_deal_of_small_positions(seed: int) -> None:
    assert positions_agree(seed, 15) > 60


def replayed(game: Game, plan: Plan, action: Action, known: dict[int, set[Card]]) -> Pair:
    """The mean results of a plan after an action, played in every deal by the engine.

    The seat is asked by its view. The others are asked by games whose deck is in another order.
    """
    seat, drawn = game.seat_to_act, game.rules.deck_size - game.deck_left
    moves = [move_of(each) for each in game.actions]
    chance = mean = Fraction(0)
    total = 0
    for deal, number in deals(game.rules, [(c, r) for c, r in game.deck], moves, known):
        for order in permutations(deal.deck[drawn:]):
            now = Game.start(game.rules, (*deal.deck[:drawn], *order))
            for each in game.actions:
                now = now.apply(each)
            now = now.apply(action)
            while now.can_act:
                if now.seat_to_act == seat:
                    now = now.apply(plan.act(now.view(seat)))
                else:
                    now = now.apply(plan.act(reordered(now)))
            chance += number * (now.score == game.rules.max_score)
            mean += number * now.score
            total += number
    return chance / total, mean / total


def reordered(game: Game) -> Game:
    left = game.rules.deck_size - game.deck_left
    other = Game.start(game.rules, (*game.deck[:left], *sorted(game.deck[left:])))
    for action in game.actions:
        other = other.apply(action)
    return other


def check_plans(game: Game, chance: Random) -> int:
    view = game.view(game.seat_to_act)
    known = told(game, chance)
    hands = Hands(view, known)
    cases = hands.weight * factorial(view.deck_left)
    found = 0
    for budget, telling, commands in PLANS:
        for is_mean in (False, True):
            search = DrawSearch(view, 1 << 24)
            plan = Plan(
                hands,
                search,
                is_mean=is_mean,
                budget=budget,
                telling=telling,
                commands=commands,
            )
            action = chance.choice(view.legal_actions)
            low, high = plan.value(action, Clock())
            assert low == high
            if budget and chance.random() < 0.7:
                low = plan.improved(action, low, Clock())
            expected = replayed(game, plan, action, known)[is_mean]
            assert Fraction(low, cases) == expected, (game, game.deck, game.actions, action)
            found += 1
    return found


def plans_hold(seed: int, number: int) -> int:
    chance = Random(seed)
    return sum(
        check_plans(game, chance)
        for make in (plain_game, variant_game)
        for game in small_positions(seed, number, make)
    )


@pytest.mark.parametrize("seed", range(2))
def test_plans_give_what_they_claim_in_every_deal(seed: int) -> None:
    assert plans_hold(seed, 10) > 100


def signals_hold(seed: int, number: int) -> Counter[str]:
    """Hold upper ends that count signals against the best team; count what was compared."""
    chance, found = Random(seed), Counter[str]()
    for make in (plain_game, variant_game):
        for game in small_positions(seed, number, make):
            view, moves = game.view(game.seat_to_act), [move_of(each) for each in game.actions]
            hands = Hands(view, {})
            all_deals = list(deals(game.rules, [(c, r) for c, r in game.deck], moves))
            judged = judge(view)
            if all(each.above[0] == each.below[0] for each in judged.actions):
                continue
            signals = Signals(hands, DrawSearch(view, 1 << 24))
            for each in judged.actions:
                cases = hands.weight * factorial(view.deck_left)
                clock = Clock(None if chance.random() < 0.8 else 0)
                values = chance.choice((20, 1 << 20))
                most = signals.most(each.action, int(each.above[0].high * cases), values, clock)
                end = Fraction(most, cases)
                team = Team(view.seat, steps=500)
                try:
                    best = team.after(all_deals, move_of(each.action))
                except TooLargeError:
                    found["too large"] += 1
                    continue
                assert best <= end <= each.above[0].high, (game, game.deck, game.actions, each)
                assert each.perfect.low <= best <= each.perfect.high, (game, game.deck, each)
                found["compared"] += 1
                found["lower"] += end < each.above[0].high
                found["exact"] += best == end < each.above[0].high
    return found


@pytest.mark.parametrize("seed", [2, 3])
def test_no_team_is_better_than_what_signals_allow(seed: int) -> None:
    found = signals_hold(seed, 40)
    assert found["compared"] > 10, found
    assert found["lower"] > 5, found


def test_commands_tell_more_than_hints_touch() -> None:
    spec = DeckSpec(((1, 1, 1),) * 3)
    rules, chance = Rules(spec=spec, seats=3, hand_size=2, hints=2, lives=1), Random(1)
    better = 0
    for _ in range(5):
        deck = list(spec.cards())
        chance.shuffle(deck)
        game = later(Game.start(rules, deck), chance.randint(2, 3), chance)
        view = game.view(game.seat_to_act)
        hands, search = Hands(view, {}), DrawSearch(view, 1 << 24)
        told, silent = (
            Plan(hands, search, is_mean=True, budget=0, telling=0, commands=commands)
            for commands in (True, False)
        )
        action = view.legal_actions[0]
        low, _ = told.value(action, Clock())
        better += low > silent.value(action, Clock())[0]
        cases = hands.weight * factorial(view.deck_left)
        assert replayed(game, told, action, {})[1] == Fraction(low, cases)
    assert better > 1


def test_dead_cards_that_hints_show_are_told_apart() -> None:
    rules = Rules(
        spec=DeckSpec(((1, 1), (2, 2, 1))),
        seats=2,
        hand_size=1,
        hints=1,
        lives=2,
        completion_bonus=True,
        discard_at_full_hints=False,
        empty_hints=False,
        bombed_scores_zero=True,
        final_round=2,
    )
    deck = [(0, 2), (1, 1), (1, 2), (1, 3), (1, 1), (0, 1), (1, 2)]
    game = Game.start(rules, deck)
    for action in (play(0), play(0), play(0), hint_color(0, 1)):
        game = game.apply(action)
    view = game.view(0)
    hands = Hands(view, {})
    plan = Plan(
        hands, DrawSearch(view, 1 << 24), is_mean=True, budget=10**6, telling=2, commands=SILENT
    )
    low, _ = plan.value(discard(0), Clock())
    assert replayed(game, plan, discard(0), {})[1] == Fraction(low, 2 * hands.weight)


def test_hands_that_are_listed_count_alone() -> None:
    chance, compared = Random(8), 0
    for game in small_positions(8, 12, plain_game):
        view = game.view(game.seat_to_act)
        moves = [move_of(action) for action in game.actions]
        found = list(deals(game.rules, [(c, r) for c, r in game.deck], moves))
        if len(found) < 2 or game.rules.open_hands:
            continue
        kept = chance.sample(found, len(found) // 2)
        among = [
            [Card(*deal.deck[held.index]) for held in deal.hands[deal.seat]] for deal, _ in kept
        ]
        judged, open_ = judge(view, among=among), OpenHands()
        for each in judged.actions:
            chance_, mean = mean_over_deals(kept, move_of(each.action), open_)
            assert each.above == (Range(chance_, chance_), Range(mean, mean)), (game, each)
            compared += 1
    assert compared > 30


def test_brackets_hold_when_the_time_is_over() -> None:
    for game in small_positions(3, 6, plain_game):
        view = game.view(game.seat_to_act)
        exact = judge(view)
        for cut in (judge(view, seconds=0), judge(view, seconds=0.002), judge(view, points=False)):
            assert cut.is_cut or exact.actions == cut.actions
            for known, bounds in zip(exact.actions, cut.actions, strict=True):
                for value, found in zip(known.above, bounds.above, strict=True):
                    assert found.low <= value.low <= found.high
                assert bounds.perfect.low <= known.perfect.high <= bounds.perfect.high
                assert bounds.points.low <= known.points.high <= bounds.points.high
