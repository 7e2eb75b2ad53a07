"""Hashes of the package's answers, to compare before and after a change.

Run with ``python -m benchmarks.fingerprint``: one line for each family, the start of a SHA-256 and
the family's name. A change of structure changes none of it. Compare two trees, or, with
``--check``, the lines kept in ``benchmarks/fingerprint.txt``. ``--quick`` takes a twentieth of
everything. Words after the options choose the families whose names start with them.

Every registered player plays alone, most view by view too, in mixed teams and searching, at every
table size. Verdicts include their witnesses, unless the time decides which is found. Sentences
are left out, but for those in pictures. No question has a limit of time, so the load of the
machine changes nothing.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from io import StringIO
from itertools import islice
from pathlib import Path

import numpy as np
import numpy.typing as npt

import hanabi
from benchmarks.printed import documents, drawn
from hanabi.conventions.notes import convention_notes
from hanabi.env import AUTORESETS, Expert, Layout, ObservationKind, VectorEnv, color_symmetries
from hanabi.ground.clock import Clock
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import parse_player, play_game
from hanabi.players.arena import outcomes
from hanabi.reviews.chances import beside, played_out
from hanabi.reviews.decisions import judge_decisions
from hanabi.rules import Action, Game, Rules
from hanabi.rules.figures import bottom_decked, efficiencies, pace, pace_risk
from hanabi.rules.notation import GameRecord, format_link, format_text, game_to_json, parse_input
from hanabi.rules.problem import posed
from hanabi.rules.replay import follow, record_actions
from hanabi.rules.seeds import deal_many
from hanabi.rules.variants import find_variant, variant_names
from hanabi.solitaire import Instance, few_states, hardness, least_hand, most_cards, paths
from hanabi.solitaire import sat as stream_sat
from hanabi.solitaire import solve as solve_solitaire
from hanabi.solitaire.certificate import find_flaw
from hanabi.solitaire.counting import bad
from hanabi.solvers.draws import Chances, Judged
from hanabi.solvers.hints import find_partition, possibilities_of
from hanabi.solvers.hints.possibilities import PossibilityTable
from hanabi.solvers.winnable import best as best_score
from hanabi.solvers.winnable import sat as game_sat
from hanabi.solvers.winnable import solve as solve_deck

KEPT = Path(__file__).with_suffix(".txt")
DATA = Path(__file__).parents[1] / "tests" / "data"
QUICK = 20
SEATS = (2, 3, 4, 5)
Family = tuple[str, Callable[[int], Iterable[object]]]
"""A name, and a function from a divisor of the number of answers to the answers."""

# Player, deals at a table, whether it also decides view by view.
PLAYERS = (
    ("first-legal", 100, False),
    ("random", 2000, True),
    ("rule-based", 2000, True),
    ("rule-based:hint=1,discard=1,play=0.8", 2000, False),
    ("monte-carlo:playouts=50", 100, True),
    ("monte-carlo:playouts=20,turns=3,favour=0,redraw=yes", 100, False),
    ("rollouts:playouts=60", 40, True),
    ("uct:playouts=40", 40, True),
    ("information", 2000, True),
    ("information:partition=2", 400, False),
    ("convention", 2000, True),
    ("smart", 2000, True),
    ("cheating", 2000, True),
    ("endgame/random", 100, False),
    ("endgame:budget=40,samples=10,deck=4/rule-based", 100, True),
    ("endgame/information", 200, True),
    ("endgame:budget=60,samples=20,deck=5/convention", 200, True),
    ("belief:worlds=8/convention", 6, True),
    ("iggi", 1000, True),
    ("piers", 1000, True),
    ("flawed", 1000, True),
    ("outer", 1000, True),
    ("van-den-bergh", 1000, True),
    ("rule-based:useless=0.7,hinting=0.5,safe=no,best=yes,never=no", 1000, True),
    ("open-hands", 10, False),
    ("open-hands:samples=8,deck=3", 100, True),
    ("belief:worlds=8/information", 6, False),
    ("hgroup:level=1", 5, False),
    ("hgroup:level=3", 5, False),
    ("hgroup:level=5", 5, False),
    ("hgroup:level=8", 5, False),
    ("hgroup:level=11", 5, False),
    ("people", 2, False),
)
TEAMS = (
    ("random", "rule-based"),
    ("rule-based", "convention"),
    ("convention", "random", "rule-based:hint=2"),
    ("endgame/rule-based", "rule-based"),
    ("endgame/convention", "random"),
    ("endgame/information", "information"),
    ("information", "convention"),
    ("cheating", "first-legal"),
)


def rules_of(player: str, seats: int) -> Rules:
    """Return the rules for a player: the paper's for its own players."""
    is_paper = player.startswith(("rule", "monte", "endgame:budget=40"))
    rules = Rules.bergh2016(seats) if is_paper else Rules.hanab_live(seats)
    if player.startswith(("cheating", "open-hands")):
        rules = replace(rules, open_hands=True)
    return rules


def games_of(player: str, deals: int) -> Callable[[int], Iterator[object]]:
    """Return the outcomes of a player at every table."""

    def answers(divisor: int) -> Iterator[object]:
        for seats in SEATS:
            rules = rules_of(player, seats)
            yield outcomes(parse_player(player), rules, max(deals // divisor, 2), seed=seats)

    return answers


def decisions_of(player: str) -> Callable[[int], Iterator[object]]:
    """Return the actions that a player takes view by view."""

    def answers(divisor: int) -> Iterator[object]:
        for seats in SEATS:
            rules, seated = rules_of(player, seats), [parse_player(player)] * seats
            for index in range(max(6 // divisor, 1)):
                game = Game.start(rules, rules.spec.shuffle(9, index))
                end = play_game(seated, game, Stream(9, index))
                yield [action.code for action in end.actions]

    return answers


def teams(divisor: int) -> Iterator[object]:
    """Yield the outcomes of mixed teams, the players in turn around the table."""
    for team in TEAMS:
        for seats in SEATS:
            is_open = "cheating" in team
            rules = rules_of("cheating" if is_open else "convention", seats)
            seated = [parse_player(team[seat % len(team)]) for seat in range(seats)]
            deals = 10 if is_open or set(team) == {"information", "convention"} else 100
            yield team, outcomes(seated, rules, max(deals // divisor, 2), seed=17)


def decks(divisor: int) -> Iterator[object]:
    """Yield verdicts and winning lines of 2,000 decks, and best scores of the lost ones."""
    for seats in SEATS:
        rules = Rules.hanab_live(seats)
        for index in range(500 // divisor):
            deck = rules.spec.shuffle(23, index)
            verdict = solve_deck(deck, rules, seconds=None)
            line = None
            if verdict.witness is not None:
                games = follow(Game.start(rules, deck), verdict.witness)
                line = list(map(str, record_actions(games)))
            yield verdict.status, verdict.method, line
            if line is None:
                found = best_score(Game.start(rules, deck), seconds=None)
                yield found.lower, found.upper


def streams(count: int) -> Iterator[Instance]:
    """Yield shuffled streams of many sizes."""
    stream = Stream(31, 0)
    for index in range(count):
        colors, ranks = 1 + index % 5, 2 + index // 5 % 6
        copies = 1 + index // 30 % 3
        cards = [
            (color, rank)
            for color in range(colors)
            for rank in range(1, ranks + 1)
            for _ in range(copies)
        ]
        for last in range(len(cards) - 1, 0, -1):
            other = stream.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        yield Instance(1 + index % 4, cards)


def load_search() -> None:
    """Load the compiled search: until then a plain one is asked first, which the clock ends."""
    cards = [(color, value) for color in range(250) for value in (2, 1)]  # too many for it
    solve_solitaire(Instance(1, cards), method="search")


def solitaires(divisor: int) -> Iterator[object]:
    """Yield verdicts and plays of 2,000 streams, some of one color or one copy."""
    load_search()
    for instance in streams(2000 // divisor):
        verdict = solve_solitaire(instance)
        if verdict.method in ("paths", "sat"):  # which of the general solvers is first may vary
            verdict = solve_solitaire(instance, method="search")
        play = None if verdict.witness is None else str(verdict.witness)
        yield verdict.status, verdict.method, play


def partitions(divisor: int) -> Iterator[object]:
    """Yield partitions of random tables, and the possibilities of hands in games."""
    stream = Stream(37, 0)
    for _ in range(400 // divisor):
        colors, slots = 2 + stream.below(4), 1 + stream.below(4)
        rows = [
            [color for color in range(colors) if stream.below(3)] or [stream.below(colors)]
            for _ in range(slots)
        ]
        found = find_partition(PossibilityTable.plain(colors, rows))
        yield rows, found.size, found.parts
    rules = Rules.hanab_live(4)
    for index in range(40 // divisor):
        game = Game.start(rules, rules.spec.shuffle(41, index))
        players = [parse_player("rule-based")] * 4
        end = play_game(players, game, Stream(41, index))
        yield [action.code for action in end.actions]
        for seat in range(1, 4):
            hand = possibilities_of(end.view(0), seat)
            yield hand.cards, hand.unseen


def counts(divisor: int) -> Iterator[object]:
    """Yield numbers of bad sequences."""
    for k in range(1, 60 // min(divisor, 10)):
        yield [str(bad((copies,) * k)) for copies in (1, 2, 3, 4)]


def reductions(divisor: int) -> Iterator[object]:
    """Yield the cards of formulas in every variant."""
    for index in range(max(8 // divisor, 1)):
        formula = hardness.random_formula(4, ratio=1.0, seed=index)
        for name in hardness.VARIANTS:
            reduction = hardness.reduce(formula, variant=name)
            yield name, reduction.hand_size, [(value, color) for color, value in reduction.cards]


def stream_solvers(divisor: int) -> Iterator[object]:
    """Yield verdicts of every method that solves a stream, and how few states it may have."""
    load_search()
    for instance in streams(400 // divisor):
        methods = ["search"]
        methods += ["unique"] * (instance.r <= 1) + ["single_color"] * (instance.c == 1)
        methods += ["forced"] * (instance.n <= 2)
        methods += ["two_sat"] * (instance.n == 3 and instance.hand_size == 1)
        methods += ["table"] * (instance.c <= 2)
        for method in methods:
            verdict = solve_solitaire(instance, method=method)
            yield method, verdict.status, verdict.lower, verdict.upper, str(verdict.witness)
        yield few_states.expected_states(instance)


def optima(divisor: int) -> Iterator[object]:
    """Yield least hands and most cards; by which play they are reached depends on the time."""
    for instance in streams(300 // divisor):
        least, most = least_hand(instance), most_cards(instance)
        yield least.lower, least.upper, most.lower, most.upper


def certificates(divisor: int) -> Iterator[object]:
    """Yield formulas and proofs that streams and decks are lost, and what checkers say."""
    for instance in islice(streams(300), 0, 300 // divisor, 3):
        formula = StringIO()
        stream_sat.write_dimacs(instance, formula)
        yield without_comments(formula)
        if instance.goal <= 12:
            proved = stream_sat.certify(instance)
            yield proved.verdict.status, proved.proof
        found = paths.certify(instance)
        yield found.verdict.status
        if found.certificate is not None:  # HiGHS may find another one
            hands = instance, instance.with_hand_size(instance.hand_size + 1)
            yield [find_flaw(each, found.certificate) is None for each in hands]
    for index in range(max(12 // divisor, 2)):
        rules = Rules.hanab_live(2 + index % 3, colors=3)
        formula = StringIO()
        game_sat.write_dimacs(Game.start(rules, rules.spec.shuffle(43, index)), formula)
        yield without_comments(formula)


def without_comments(formula: StringIO) -> str:
    """Return the lines of a formula without the sentences on its variables."""
    lines = formula.getvalue().splitlines()
    return "\n".join(line for line in lines if not line.startswith("c"))


# Recorded games, and games that are played here.


def lines_of(name: str, count: int) -> Iterator[str]:
    """Yield the first lines of a packed file in `tests/data`."""
    with gzip.open(DATA / name, "rt", encoding="utf-8") as file:
        yield from islice(file, count)


def record_of(text: str) -> GameRecord:
    """Return the game that a text is."""
    given = parse_input(text)
    if not isinstance(given, GameRecord):
        raise TypeError(text)
    return given


def people(count: int) -> Iterator[GameRecord]:
    """Yield games of people at two seats without variants."""
    yield from map(record_of, lines_of("hanabi_data/people.jsonl.gz", count))


def exported(text: str) -> str:
    """Return a game of `tests/data/hanab_live/site` as hanab.live exports it."""
    game = json.loads(text)
    names = "type", "target", "value"
    document = {
        "players": list("ABCDEF"[: game["players"]]),
        "deck": [{"suitIndex": suit, "rank": rank} for suit, rank in game["deck"]],
        "actions": [dict(zip(names, action, strict=True)) for action in game["actions"]],
        "options": {"variant": game["variant"], **game["options"]},
    }
    return json.dumps(document)


def site_games() -> Iterator[GameRecord]:
    """Yield the games of hanab.live that are whole files."""
    for path in sorted((DATA / "hanab_live" / "games").glob("*.json")):
        yield record_of(path.read_text(encoding="utf-8"))


def played(player: str, rules: Rules, seed: int) -> list[Game]:
    """Return the positions of a game that a player plays with itself, the deal first."""
    start = Game.start(rules, rules.spec.shuffle(seed))
    end = play_game([parse_player(player)] * rules.seats, start, Stream(seed))
    games = [start]
    for action in end.actions:
        games.append(games[-1].apply(action))
    return games


def recorded(divisor: int) -> Iterator[object]:
    """Yield recorded games of many variants: ends, figures, and all forms that they are written in.

    What a form has no place for is an error.
    """
    for line in lines_of("hanab_live/site/games.jsonl.gz", 900 // divisor):
        record = record_of(exported(line))
        positions = posed(record).positions
        end = posed(record).by_rules[-1]
        yield end.end_reason, str(end.score), end.piles, str(end.most_points)
        yield game_to_json(record), [written(form, record) for form in (format_link, format_text)]
        middle = positions[len(positions) // 2]
        yield pace(middle), pace_risk(middle), [action.code for action in middle.legal_actions]
        yield [str(each) for each in efficiencies(positions)[-1:]]
        yield [str(each) for each in bottom_decked(positions)]


def written(form: Callable[[GameRecord], str], record: GameRecord) -> str:
    """Return a game in a form, or the name of the error that the form has no place for it."""
    try:
        return form(record)
    except InvalidInputError as error:
        return type(error).__name__


def variants(divisor: int) -> Iterator[object]:
    """Yield a random game of each variant, with what every clue touches."""
    for index, name in enumerate(islice(variant_names(), 0, None, divisor)):
        variant = find_variant(name)
        rules = Rules.hanab_live(2 + index % 4, variant=variant)
        end = played("random", rules, index)[-1]
        yield name, rules.max_score, [action.code for action in end.actions], str(end.score)
        cards = sorted({*rules.spec.cards()})
        yield [
            [touches(clue, card.color, card.rank) for card in cards]
            for touches, clues in (
                (variant.touches_color, variant.clue_colors),
                (variant.touches_rank, variant.clue_ranks),
            )
            for clue in range(len(clues))
        ]


def seeds(divisor: int) -> Iterator[object]:
    """Yield decks of hanab.live's seeds, and of our own."""
    names = [f"p{2 + index % 5}v{index % 3}s{index}" for index in range(3000 // divisor)]
    for cards, first in ((50, 0), (60, 1)):
        yield pressed(deal_many([name for name in names if f"v{first}s" in name], cards))
    for seats in SEATS:
        spec = Rules.hanab_live(seats).spec
        yield [str(spec.shuffle(seats, index)) for index in range(200 // divisor)]


# Conventions.

CONVENTIONAL = (
    "Rainbow (5 Suits)", "Pink (5 Suits)", "White (5 Suits)", "Brown (5 Suits)", "Omni (5 Suits)",
    "Null (5 Suits)", "Black (5 Suits)", "Prism (5 Suits)", "Muddy Rainbow (5 Suits)", "3 Suits",
    "Light Pink (5 Suits)", "Dark Rainbow (6 Suits)", "Gray (6 Suits)", "Pink-Fives (5 Suits)",
    "Rainbow-Ones (5 Suits)", "Ambiguous (6 Suits)", "Special Mix (5 Suits)", "Funnels (5 Suits)",
)  # fmt: skip


def readings(divisor: int) -> Iterator[object]:
    """Yield what the conventions read in each move of people's games, by level."""
    for record in people(max(30 // divisor, 3)):
        for level in (1, 5, 11):
            yield notes(posed(record).by_rules, level)


def readings_in_variants(divisor: int) -> Iterator[object]:
    """Yield the games by the conventions in variants, and what they read in each move."""
    for index, name in enumerate(islice(CONVENTIONAL, 0, None, min(divisor, 6))):
        rules, level = Rules.hanab_live(2 + index % 4, variant=name), (5, 11)[index % 2]
        try:
            games = played(f"hgroup:level={level}", rules, index)
        except InvalidInputError as error:
            yield name, type(error).__name__
        else:
            yield name, level, [action.code for action in games[-1].actions]
            yield notes(games, level)


def notes(positions: Sequence[Game], level: int) -> list[object]:
    """Return what the conventions say of the moves of a game, without its sentences."""
    found = list[object]()
    for each in convention_notes(positions, level):
        told = each.told
        if told is not None:
            meanings = [
                [(meaning.convention.name, list(map(str, meaning.cards))) for meaning in some]
                for some in (told.meanings, told.asks)
            ]
            found.append((told.giver, told.target, told.slot, meanings, told.is_news_only))
        found.append([slip.convention.name for slip in each.slips])
        found.append([(one.seat, one.kind, one.slot) for one in each.expected])
        found.append(bool(each.remark))
    return found


# Chances and reviews.


def worths(found: Chances) -> list[object]:
    """Return the value of each action, and the brackets of those that have some."""
    return [
        (
            each.action.code,
            str(each.perfect),
            str(each.points),
            [str(end) for ends in (each.above, each.below) for end in ends]
            if isinstance(each, Judged)
            else [],
        )
        for each in found.actions
    ]


def late(player: str, deck: int, count: int) -> Iterator[Game]:
    """Yield positions of a player's games with so many cards to draw, at every table in turn."""
    for index in range(count):
        games = played(player, Rules.hanab_live(2 + index % 4), 100 + index)
        yield from [game for game in games if game.deck_left == deck and game.can_act][:1]


def open_chances(divisor: int) -> Iterator[object]:
    """Yield chances with open hands, at late positions of games."""
    for player in ("convention", "information", "rule-based"):
        for deck in (1, 3, 5):
            for game in late(player, deck, max(12 // divisor, 1)):
                yield worths(hanabi.chances(game))


def seat_chances(divisor: int) -> Iterator[object]:
    """Yield certified brackets by a seat's view."""
    for player in ("convention", "information"):
        for deck in (0, 1, 2):
            for game in late(player, deck, max(8 // divisor, 1)):
                yield worths(hanabi.chances(game, seat=True))


def partners_chances(divisor: int) -> Iterator[object]:
    """Yield values by a seat's view, with partners who play as a player does."""
    for player, deck in (("convention", 2), ("information", 2), ("smart", 1)):
        for game in late(player, deck, max(8 // divisor, 1)):
            both = beside(game, player)
            yield worths(both.judged), worths(both.partners), worths(both.above)
            yield both.partners.is_believed, both.partners.contradicted


def play_outs(divisor: int) -> Iterator[object]:
    """Yield values by play-outs, in the middle of games."""
    for player in ("convention", "information", "rule-based", "hgroup"):
        for game in late(player, 20, max(4 // divisor, 1)):
            few = 2 if player == "hgroup" else 40
            found = played_out(game, player, games=few, seed=3)
            yield found.agrees, found.decisions, found.contradicted
            for each in found.actions:
                yield each.action.code, each.games, str(each.perfect), str(each.points)


def reviews(divisor: int) -> Iterator[object]:
    """Yield reviews of real games: scores within reach, lost points, chances, other actions."""
    games = [*site_games(), *people(30)]
    for record in islice(games, 0, None, min(divisor, 10)):
        found = hanabi.review(record, with_chances=True, with_reasons=True)
        yield [(each.lower, each.upper) for each in found.prospects]
        yield None if found.because is None else found.because.name, found.link
        yield [(each.at, worths(each.chances), str(each.cost)) for each in found.late]
        yield [
            (move, [[[a.code for a in one.actions], one.kept.lower] for one in judged])
            for move, judged in found.judged
        ]


def decisions(divisor: int) -> Iterator[object]:
    """Yield late moves by what their seats knew, in games with small hands."""
    for index in range(max(24 // divisor, 3)):
        player = ("convention", "rule-based", "information")[index % 3]
        rules = replace(Rules.hanab_live(2, colors=3), hand_size=3)
        found = hanabi.review(played(player, rules, index)[-1])
        for each in judge_decisions(found.positions, found.prospects, Clock()):
            yield each.move, each.kind, [str(some) for some in (each.best, each.played, each.loss)]


# Environments.

LAYOUTS = (
    *(Rules.hle(seats) for seats in SEATS),
    *(Rules.hanab_live(seats) for seats in (2, 3, 6)),
    Rules.hanab_live(3, colors=3),
    Rules.multicolor(4),
)


def pressed(array: npt.NDArray[np.generic]) -> tuple[object, ...]:
    """Return the type, shape and hash of an array."""
    return str(array.dtype), array.shape, hashlib.sha256(array.tobytes()).hexdigest()


def observations(divisor: int) -> Iterator[object]:
    """Yield the arrays of steps: observations, packed or not, masks, rewards, ends and seats."""
    for rules in LAYOUTS:
        layout = Layout(rules)
        yield [(each.name, each.start, each.stop) for each in layout.sections], layout.actions
        for index, kind in enumerate(ObservationKind):
            for packed in (False, True):
                env = VectorEnv(
                    16, rules, seed=5, kind=kind, packed=packed, all_seats=index == 1,
                    autoreset=AUTORESETS[index],
                )  # fmt: skip
                step = env.reset()
                for _ in range(100 // divisor):
                    yield [pressed(each) for each in step]
                    step = env.step(env.draw_actions())
                yield pressed(env.scores)


def labels(divisor: int) -> Iterator[object]:
    """Yield the seats' own cards, and their chances by hints and by conventions."""
    for rules in LAYOUTS:
        env = VectorEnv(8, rules, seed=6, all_seats=rules.seats < 4)
        env.reset()
        for _ in range(60 // divisor):
            for joint in (True, False):
                yield [pressed(each) for each in env.labels(joint=joint)]
            env.step(env.draw_actions())
    for player in ("convention", "information"):
        env = VectorEnv(4, Rules.hanab_live(3), seed=7)
        env.reset()
        for _ in range(max(8 // divisor, 1)):
            found = env.labels_by_convention(parse_player(player), worlds=20)
            yield [pressed(each) for each in found]
            games = [env.game(index) for index in range(env.n)]
            env.step([env.layout.number(act(player, game), game.seat_to_act) for game in games])


def act(player: str, game: Game) -> Action:
    """Return the action of a player that chooses nothing at random."""
    return parse_player(player).act(game.view(game.seat_to_act), Stream(1))


def symmetries(divisor: int) -> Iterator[object]:
    """Yield what exchanged colors do to observations, actions, masks and cards."""
    for rules in LAYOUTS:
        for kind in ObservationKind:
            for each in islice(color_symmetries(Layout(rules, kind)), 0, None, 3 * divisor):
                arrays = each.observations, each.masks, each.actions, each.cards
                yield [pressed(array) for array in arrays]


def training_games(divisor: int) -> Iterator[object]:
    """Yield the turns that experts write for learners."""
    for player in ("rule-based", "information", "random", "convention"):
        for seats in (2, 4):
            expert = Expert(player, Rules.hle(seats), seed=8, posteriors=True, packed=seats == 4)
            yield [pressed(each) for each in expert.play(max(40 // divisor, 2))]


# Pictures, and what commands print.


def pictures(divisor: int) -> Iterator[object]:
    """Yield the SVG of boards, cards, strips, arcs, charts, and what commands draw."""
    for name in islice(variant_names(), 0, None, 40 * divisor):
        games = played("random", Rules.hanab_live(3, variant=name), 5)
        for game in (games[0], games[len(games) // 2], games[-1]):
            yield game._repr_svg_()
        yield games[-2].view(1)._repr_svg_()
    for instance in islice(streams(300), 0, None, 7 * divisor):
        yield instance._repr_svg_()
    for index in range(max(20 // divisor, 2)):
        yield hanabi.solve(f"p{2 + index % 4}v0s{index}")._repr_svg_()
        [game] = late("convention", 20, 1)
        hand = possibilities_of(game.view(game.seat_to_act), (game.seat_to_act + 1) % 2)
        yield hand.table("colors")._repr_svg_(), hanabi.partition(game)._repr_svg_()
    for record in islice(site_games(), 0, None, min(divisor, 6)):
        yield hanabi.review(record)._repr_svg_()
    yield from drawn(divisor)


def printed_json(divisor: int) -> Iterator[object]:
    """Yield the documents that commands print."""
    yield from documents(divisor)


def families() -> list[Family]:
    """Return everything that is hashed, in order."""
    games = [(f"games {name}", games_of(name, deals)) for name, deals, _ in PLAYERS]
    asked = [(f"asked {name}", decisions_of(name)) for name, _, is_asked in PLAYERS if is_asked]
    rest: list[Family] = [
        ("teams", teams),
        ("decks", decks),
        ("solitaires", solitaires),
        ("partitions", partitions),
        ("counts", counts),
        ("reductions", reductions),
        ("stream solvers", stream_solvers),
        ("least hands and most cards", optima),
        ("certificates", certificates),
        ("recorded games", recorded),
        ("variants", variants),
        ("seeds", seeds),
        ("readings of conventions", readings),
        ("readings in variants", readings_in_variants),
        ("chances with open hands", open_chances),
        ("chances by seat", seat_chances),
        ("chances with partners", partners_chances),
        ("chances by play-outs", play_outs),
        ("reviews", reviews),
        ("decisions", decisions),
        ("observations", observations),
        ("labels", labels),
        ("symmetries", symmetries),
        ("training games", training_games),
        ("pictures", pictures),
        ("printed JSON", printed_json),
    ]
    return [*games, *asked, *rest]


def digest(answers: Iterable[object]) -> str:
    """Return the start of a SHA-256 of answers as JSON lines."""
    hashed = hashlib.sha256()
    for answer in answers:
        hashed.update(json.dumps(answer).encode() + b"\n")
    return hashed.hexdigest()[:16]


def main() -> None:
    """Print a line for each family; with ``--check`` compare them with the kept ones."""
    options = {word for word in sys.argv[1:] if word.startswith("--")}
    chosen = tuple(word for word in sys.argv[1:] if not word.startswith("--"))
    is_quick = "--quick" in options
    kept = KEPT.read_text(encoding="utf-8").splitlines() if "--check" in options else []
    changed = 0
    for name, answers in families():
        if chosen and not name.startswith(chosen):
            continue
        label = f"{name} (quick)" if is_quick else name
        line = f"{digest(answers(QUICK if is_quick else 1))} {label}"
        is_new = "--check" in options and line not in kept
        changed += is_new
        print(f"{line}{'  CHANGED' if is_new else ''}", flush=True)
    if changed:
        sys.exit(f"{changed} families changed")


if __name__ == "__main__":
    main()
