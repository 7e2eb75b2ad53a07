"""ARCHITECTURE.md says where things are and how to add another, and what it says is true.

Each file that it names exists. Its recipes are followed in a copy of the package, where one program
runs all that was added, with kernels as plain Python. A recipe names all files that this takes.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from textwrap import dedent, indent

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = Path("src") / "hanabi"
ORACLES = Path("tests") / "oracles"
PAGE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
FILE = re.compile(r"`(?:python )?([\w/-]+/[\w.-]+\.(?:py|md|tsv|html|css))`")
TOP = ("tests/", "docs/", "benchmarks/")
CHOSEN = re.compile("NAME|ROOM")  # words that stand for your own


def recipes() -> dict[str, str]:
    """Return the recipes by their titles."""
    _, *sections = re.split(r"(?m)^### (.*)\n", PAGE.partition("\n## How to add\n")[2])
    return dict(zip(sections[::2], sections[1::2], strict=True))


def files_of(text: str) -> list[Path]:
    """Return the files that a text names, from the root of the project."""
    return [Path(each) if each.startswith(TOP) else PACKAGE / each for each in FILE.findall(text)]


def test_every_named_file_exists() -> None:
    named = [path for path in files_of(PAGE) if not CHOSEN.search(str(path))]
    assert len(named) > 60
    assert [str(path) for path in named if not (ROOT / path).is_file()] == []


def test_every_named_thing_exists() -> None:
    files = [path for top in ("src", *TOP) for path in (ROOT / top).rglob("*.py")]
    text = " ".join(path.read_text("utf-8") for path in (*files, ROOT / "Makefile"))
    words = {path.stem for path in files} | set(re.findall(r"\w+", text))
    named = {
        word
        for code in re.findall(r"`([^`\n]+)`", re.sub("```.*?```", "", PAGE, flags=re.DOTALL))
        for word in re.findall(r"[A-Za-z_]\w+", code)
        if "/" not in code and not CHOSEN.search(code)
    }
    assert len(named) > 80
    assert named - words == set()


@pytest.mark.parametrize("title", recipes())
def test_a_recipe_names_files_to_change(title: str) -> None:
    text = recipes()[title]
    assert files_of(text) or "`__all__`" in text
    for path in files_of(text):
        assert any(ROOT.glob(CHOSEN.sub("*", str(path.parent)))), path


@dataclass(frozen=True)
class Recipe:
    """A recipe, followed: what it adds, and a program that uses it.

    `written` are new files, and `changed` texts to replace in others, which each occur once. The
    names of files begin as in ARCHITECTURE.md.
    """

    title: str
    name: str
    program: str
    written: dict[str, str] = field(default_factory=dict)
    changed: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    @property
    def files(self) -> set[Path]:
        return set(files_of(" ".join(f"`{path}`" for path in (*self.written, *self.changed))))


def before(anchor: str, line: str) -> tuple[str, str]:
    """Return the replacement that puts a line before another."""
    return anchor, f"{line}\n{anchor}"


def after(anchor: str, lines: str) -> tuple[str, str]:
    """Return the replacement that puts lines after others."""
    return anchor, anchor + lines


def exports(kind: str, module: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return what exports a player."""
    imported = f"from hanabi.players.{module} import {kind}"
    return {
        "players/__init__.py": (
            before("    from hanabi.players.monte_carlo import", f"    {imported}"),
            before('    "MonteCarlo",', f'    "{kind}",'),
        )
    }


def registers(kind: str, module: str, entry: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return what registers and exports a player."""
    imported = f"from hanabi.players.{module} import {kind}"
    return exports(kind, module) | {
        "players/registry.py": (
            before("from hanabi.players.monte_carlo import", imported),
            before('    Entry("monte-carlo", MonteCarlo),', f"    {entry},"),
        )
    }


COMMAND = Recipe(
    "A command",
    "greet",
    written={
        "front/commands/greet.py": '''
            """`hanabi greet` greets."""

            from __future__ import annotations

            import sys

            __all__ = ["greet_command"]


            def greet_command(name: str, /) -> None:
                """Greet somebody.

                Parameters
                ----------
                name
                    The name to greet.
                """
                sys.stdout.write(f"hello {name}\\n")
            '''
    },
    changed={
        "front/menu.py": (
            before(
                '            "compile": Command(',
                '            "greet": Command("hanabi greet Alice"),',
            ),
        )
    },
    program="""
        assert run("greet", "Alice") == "hello Alice\\n"
        assert "Greet somebody." in run("--help")
        assert "hanabi greet Alice" in run("greet", "--help")
        """,
)

PLAIN_PLAYER = Recipe(
    "A plain player",
    "last",
    written={
        "players/last.py": '''
            """A player that takes the last legal action."""

            from __future__ import annotations

            from dataclasses import dataclass

            from hanabi.rules.actions import Action
            from hanabi.rules.view import View
            from hanabi.ground.rng import Stream

            __all__ = ["Last"]


            @dataclass(frozen=True, slots=True)
            class Last:
                """Takes the last legal action, or one of a few before it."""

                back: int = 0

                def act(self, view: View, _: Stream, /) -> Action:
                    """Return the action."""
                    return view.legal_actions[-1 - self.back]
            '''
    },
    changed=registers("Last", "last", 'Entry("last", Last)'),
    program="""
        assert "back=0" in run("players")
        words = ("--players", "2", "--seed", "1", "--json")
        games = [run("play", player, *words) for player in ("last", "last:back=1", "random")]
        assert len(set(games)) == 3
        """,
)

REASON = Recipe(
    "A sentence of a player's reason",
    "hgroup",
    changed={
        "conventions/explain.py": (
            (
                'say("discards {}, the chop", slot_of(seat, slot))',
                'say("has no {hint} but for {} of {}", slot_of(seat, slot), Seat(seat))',
            ),
        )
    },
    program="""
        from hanabi.rules import Game, Rules
        from hanabi.rules.words import site
        from hanabi.conventions import expected

        rules = Rules.hanab_live(3)
        game = Game.start(rules, rules.spec.shuffle(seed=1))
        _, said = (each.says for each in expected(game.view(0), level=1))
        on_page = said.to(site(("A", "hint", "Clue"), game))
        assert said.startswith("has no hint but for slot 0 of seat 2")
        assert on_page.startswith("has no clue but for card 5 of Clue")
        """,
)

COMPILED_PLAYER = Recipe(
    "A compiled player",
    "top",
    written={
        "players/top/__init__.py": '''
            """A player that takes the last legal action."""

            from __future__ import annotations

            from dataclasses import dataclass

            __all__ = ["Top"]


            @dataclass(frozen=True, slots=True)
            class Top:
                """Takes the last legal action."""

                def act(self, view, _, /):
                    """Return the action."""
                    return view.legal_actions[-1]

                def compiled(self, rules, /):
                    """Return the policy."""
                    from hanabi.players.top.kernels import TopPolicy

                    return TopPolicy()
            ''',
        "players/top/kernels.py": '''
            """The player that takes the last legal action, compiled."""

            from __future__ import annotations

            from typing import NamedTuple

            from hanabi.ground.compiled import RandomStream, Words
            from hanabi.ground.compiled.hot import jit_hot
            from hanabi.rules.kernels.legal import legal_actions
            from hanabi.rules.kernels.packed import Packed
            from hanabi.players.kernels import policy as policies


            class TopPolicy(NamedTuple):
                """The player; it has no options."""


            @policies.decide.register(TopPolicy)
            @jit_hot
            def decide(
                policy: TopPolicy,
                position: Packed,
                rng: RandomStream,
                memory: Words,
                scratch: Words,
            ) -> int:
                """Return the last legal action."""
                return int(scratch[legal_actions(position, scratch) - 1])
            ''',
    },
    changed=registers("Top", "top", 'Entry("top", Top)'),
    program="""
        assert agree("top", Rules.hanab_live(3)) > 20
        assert simulate(parse_player("top"), Rules.hanab_live(2), 3, seed=1).games == 3
        assert "top" in PARTS
        """,
)

WRAPPER = Recipe(
    "A wrapper, which improves another player",
    "calm",
    written={
        "players/calm/__init__.py": '''
            """A player that lets another one play, except with the last life."""

            from __future__ import annotations

            from dataclasses import dataclass, replace

            from hanabi.rules.actions import Kind
            from hanabi.players.protocol import Player, Wrapper

            __all__ = ["Calm"]


            @dataclass(frozen=True, slots=True)
            class Calm(Wrapper):
                """Takes the last legal action instead of a play with the last life."""

                player: Player

                @property
                def inner(self):
                    """The player to improve."""
                    return self.player

                def around(self, player, /):
                    """Return the same wrapper around another player."""
                    return replace(self, player=player)

                def act(self, view, rng, /):
                    """Return the action."""
                    action = self.player.act(view, rng)
                    is_risky = view.lives == 1 and action.kind is Kind.PLAY
                    return view.legal_actions[-1] if is_risky else action

                def compiled(self, rules, /):
                    """Return the policy."""
                    from hanabi.players.calm.kernels import CalmPolicy

                    return CalmPolicy(self.player.compiled(rules))
            ''',
        "players/calm/kernels.py": '''
            """The player that is careful with the last life, compiled."""

            from __future__ import annotations

            from typing import NamedTuple

            from hanabi.ground.compiled import RandomStream, Words, jit
            from hanabi.rules import layout as k
            from hanabi.rules.kernels.legal import legal_actions
            from hanabi.rules.kernels.packed import Packed, kind_of
            from hanabi.players.kernels import policy as policies
            from hanabi.players.kernels.policy import Policy


            @policies.keeps_inner_memory
            class CalmPolicy(NamedTuple):
                """The player, around the policy of another one."""

                inner: Policy


            @policies.scratch_size.register(CalmPolicy)
            @jit
            def scratch_size(policy: CalmPolicy, rules: Words) -> int:
                """Return the number of words of `scratch`."""
                return max(rules[k.MAX_ACTIONS], policies.scratch_size(policy.inner, rules))


            @policies.decide.register(CalmPolicy)
            @jit
            def decide(
                policy: CalmPolicy,
                position: Packed,
                rng: RandomStream,
                memory: Words,
                scratch: Words,
            ) -> int:
                """Return the action of the inner policy, unless it risks the last life."""
                action = policies.decide(policy.inner, position, rng, memory, scratch)
                if position.state[k.LIVES] > 1 or kind_of(action) != k.PLAY:
                    return int(action)
                return int(scratch[legal_actions(position, scratch) - 1])
            ''',
    },
    changed=registers("Calm", "calm", 'Entry("calm", Calm, around=("rule-based",))'),
    program="""
        rules = replace(Rules.hanab_live(2), lives=1)
        player = "calm/rule-based:play=0.3,safe=no"
        assert agree(player, rules) > 10
        assert simulate(parse_player(player), rules, 2, seed=1).games == 2
        assert "calm/rule-based" in PARTS
        assert "calm/" in run("players")
        """,
)

HINT_RULE = Recipe(
    "A hint rule of the rule-based player",
    "5",
    changed={
        "players/rule_based/__init__.py": (
            ("hint=(1, 4)", "hint=(1, 5)"),
            before(
                "    if found == k.NAMES_PLAYABLE:",
                '    if found == k.NAMES_LAST:\n        return "the last of all hints"',
            ),
        ),
        "players/rule_based/kernels.py": (
            before("NAMES_USELESS, NAMES_PLAYABLE = -2, -1", "NAMES_LAST = -3"),
            before(
                "    if rule >= 3:\n        hint =",
                "    if rule == 5:\n"
                "        return scratch[legal_actions(position, scratch) - 1], NAMES_LAST",
            ),
        ),
    },
    program="""
        assert agree("rule-based:hint=5", Rules.hanab_live(3)) > 20
        games = [run("play", f"rule-based:hint={n}", "--seed", "1", "--json") for n in (3, 4, 5)]
        assert len(set(games)) == 3
        """,
)

RULE = Recipe(
    "A rule",
    "plays_regain",
    changed={
        "rules/config.py": (
            (
                "    speedrun: bool = False\n",
                "    speedrun: bool = False\n    plays_regain: bool = False\n",
            ),
        ),
        "rules/layout.py": (
            (
                "FIRSTS, SPEEDRUN, COPIES = range(47, 50)",
                "FIRSTS, SPEEDRUN, PLAYS_REGAIN, COPIES = range(47, 51)",
            ),
        ),
        "rules/packing.py": (
            before(
                "        k.SPEEDRUN: rules.speedrun,",
                "        k.PLAYS_REGAIN: rules.plays_regain,",
            ),
        ),
        "rules/kernels/rules.py": (
            after(
                "    state[k.POINTS] += 1\n",
                "    if rules[k.PLAYS_REGAIN] and state[k.HINTS] < rules[k.MAX_HINTS]:\n"
                "        state[k.HINTS] += 1\n",
            ),
        ),
        "tests/oracles/game.py": (
            after(
                "        self.played.append(card)\n",
                "        if self.rules.plays_regain:\n            self.regain_hint()\n",
            ),
        ),
    },
    program="""
        plain = Rules.official(2)
        rules = replace(plain, plays_regain=True)
        assert as_the_oracle_says(rules) > as_the_oracle_says(plain)
        game = Game.start(rules, rules.spec.shuffle(1))
        for room, given in ((solve_game, game), (check_rules, rules), (Layout, rules)):
            with raises("plays_regain = True"):
                room(given)
        """,
)

VARIANT = Recipe(
    "A variant with a new rule",
    "rank_clues_touch_next",
    changed={
        "rules/variants/variants.tsv": (
            before("1\t6 Suits", "9999\tNext (3 Suits)\tRed/Blue/Green\trankCluesTouchNext"),
        ),
        "rules/variants/catalog.py": (("VARIANT_COUNT = 2426", "VARIANT_COUNT = 2427"),),
        "rules/variants/variant.py": (
            (
                "    duck: bool = False\n\n",
                "    duck: bool = False\n    rank_clues_touch_next: bool = False\n\n",
            ),
            ("cow_and_pig duck\n", "cow_and_pig duck rank_clues_touch_next\n"),
            before(
                "        if self.odds_and_evens:\n            return value % 2",
                "        if self.rank_clues_touch_next:\n"
                "            return rank in (value, value + 1)",
            ),
        ),
        "tests/oracles/variants.py": (
            before(
                "    if v.chimneys:",
                "    if v.rank_clues_touch_next:\n        answer = rank - value in (0, 1)",
            ),
        ),
    },
    program="""
        rules = Rules.hanab_live(2, variant="Next (3 Suits)")
        assert len(variant_names()) == VARIANT_COUNT
        assert as_the_oracle_says(rules) > 0
        game = Game.start(rules, rules.spec.shuffle(1))
        touched = {game.hands[1][slot].rank for slot in game.touched(hint_rank(1, 2))}
        assert touched == {2, 3} & {card.rank for card in game.hands[1]}
        assert len(list(images(game))) == 1
        with raises("needs clues and piles as in the plain game"):
            parse_player("convention").compiled(rules)
        """,
)

CONVENTION = Recipe(
    "A convention",
    "four_stall",
    changed={
        "conventions/conventions.tsv": (
            before(
                "2\taction\tReverse Finesse",
                "2\taction\t4 Stall\tnowhere\tnumber 4 off chop only saves the 4",
            ),
        ),
        "conventions/clues.py": (
            before("    (FIX, fix),", '    (named("4 Stall"), four_stall),'),
            before(
                "REFERENCES: tuple",
                "def four_stall(mind: Mind, clue: Clue) -> Special | None:\n"
                '    """4 Stall: number 4 off chop only saves the 4."""\n'
                "    is_it = clue.rank == 4 and not clue.on_chop\n"
                "    return Special(kinds=mind.deal.ranks[4]) if is_it else None\n\n",
            ),
        ),
    },
    program="""
        rules = Rules.hanab_live(2)
        game = Game.start(rules, rules.spec.shuffle(seed=1))
        hint, cards = hint_rank(1, 4), game.hands[1]
        assert 4 in {card.rank for card in cards} and cards[0].rank != 4
        for level, name in ((1, None), (2, "4 Stall")):
            told = readings(game.apply(hint).view(1), 0, level).meanings
            assert (told[0].convention.name if told else None) == name
        """,
)

SOLITAIRE_SOLVER = Recipe(
    "A solitaire solver",
    "brute",
    written={
        "solitaire/brute.py": '''
            """Every choice of one copy of each card."""

            from __future__ import annotations

            from itertools import product

            from hanabi.solitaire.eager import eager_play
            from hanabi.solitaire.instance import Instance
            from hanabi.solitaire.play import Play, find_broken_rule
            from hanabi.ground.verdict import Status, Verdict

            __all__ = ["solve"]


            def solve(instance: Instance) -> Verdict[Play]:
                """Decide whether an instance can be won."""
                places = {}
                for place, card in enumerate(zip(instance.colors, instance.values)):
                    places.setdefault(card, []).append(place)
                if len(places) == instance.goal:
                    for chosen in product(*places.values()):
                        play = eager_play(instance, chosen)
                        if find_broken_rule(instance, play) is None:
                            return Verdict(Status.WINNABLE, "brute", "found", play)
                return Verdict(Status.UNWINNABLE, "brute", "all were tried")
            '''
    },
    changed={
        "solitaire/solver.py": (
            ('"paths", "sat"\n', '"paths", "sat", "brute"\n'),
            before(
                '    if method == "unique":\n        return',
                '    if method == "brute":\n'
                "        from hanabi.solitaire import brute\n\n"
                "        return brute.solve(instance)",
            ),
        ),
    },
    program="""
        for seed in range(60):
            cards = Stream(seed).shuffled([(0, v) for v in (1, 1, 2, 2, 3)] + [(1, 1), (1, 2)])
            instance = Instance(1, cards)
            found = solve_stream(instance, method="brute").status
            assert found is solve_stream(instance, method="search").status
        answer = run("solve", "hand 1 r2 r1 r1", "--method", "brute", "--json")
        assert json.loads(answer)["method"] == "brute"
        """,
)

PORTFOLIO = Recipe(
    "A solver in the winnability portfolio",
    "noisy",
    changed={
        "solvers/winnable/portfolio.py": (
            after(
                "            yield self._merged()\n",
                "            noisy = GameSearch(self.workspace, rows=GREEDY_ROWS)\n"
                '            yield self._searched("noisy", noisy, [(300, 5, 0)])\n',
            ),
        )
    },
    program="""
        rules = Rules(spec=DeckSpec.uniform(2, 3, 1), seats=2, hand_size=1)
        names = set()
        for seed in range(20):
            verdict = solve_game(Game.start(rules, rules.spec.shuffle(seed)))
            names |= {line.partition(":")[0] for line in verdict.trail}
        assert "noisy" in names
        """,
)

PAGE_OF_TOOLS = Recipe(
    "A page",
    "hello",
    written={
        "front/pages/hello.py": '''
            """A greeting."""

            from __future__ import annotations

            from starlette.responses import Response
            from starlette.routing import Route

            from hanabi.shell.web.desk import Asked, answer, render

            __all__ = ["ROUTES"]


            def _hello(asked: Asked) -> Response:
                return render("hello.html", name=asked.text("name", "you"))


            def _refused(_: Asked, problem: str) -> Response:
                return render("problem.html", problem=problem)


            ROUTES = (Route("/hello", answer(_hello, _refused)),)
            ''',
        "shell/web/templates/hello.html": """
            {% extends "base.html" %}
            {% block title %}Hello{% endblock %}
            {% block main %}<h1>Hello {{ name }}</h1>{% endblock %}
            """,
    },
    changed={
        "front/site.py": (
            after('    "hanabi.solvers.pages.partition",\n', '    "hanabi.front.pages.hello",\n'),
        ),
        "shell/web/templates/base.html": (before("</nav>", '<a href="/hello">Hello</a>'),),
        "shell/web/templates/home.html": (
            before("</ul>", '<li><h2><a href="/hello">Hello</a></h2><p>A greeting.</p></li>'),
        ),
    },
    program="""
        with TestClient(make_app(Settings(workers=1)), base_url="http://localhost") as browser:
            assert "<h1>Hello you</h1>" in browser.get("/hello").text
            assert "<h1>Hello &lt;b&gt;</h1>" in browser.get("/hello?name=<b>").text
            assert browser.get("/").text.count('href="/hello"') == 2
        """,
)

PICTURE = Recipe(
    "A picture",
    "tokens",
    written={
        "ground/svg/tokens.py": '''
            """A picture of tokens."""

            from __future__ import annotations

            from hanabi.ground.svg.markup import picture
            from hanabi.ground.svg.records import Tokens

            __all__ = ["draw_tokens"]


            def draw_tokens(tokens: Tokens, *, title: str, standalone: bool = False) -> str:
                """Return a circle for each token."""
                circles = "".join(
                    f'<circle class="hb-token" cx="{10 + 20 * n}" cy="10" r="8"/>'
                    for n in range(tokens.hints)
                )
                return picture(
                    circles,
                    (20 * tokens.hints, 20),
                    title=title,
                    description=f"{tokens.hints} hints",
                    standalone=standalone,
                )
            '''
    },
    changed={
        "ground/svg/records.py": (
            after(
                "from hanabi.ground.svg.looks import SuitLook\n",
                "\n\n@dataclass(frozen=True, slots=True, kw_only=True)\nclass Tokens:\n"
                '    """Tokens on the table."""\n\n    hints: int\n',
            ),
        ),
        "ground/svg/style.css": (before(".hb-ink {", ".hb-token { fill: var(--hb-note); }"),),
        "ground/__init__.py": (
            after("    from hanabi.ground.svg.records import (\n", "        Tokens,\n"),
        ),
        "rules/picture.py": (
            before("    StripGroup,\n", "    Tokens,"),
            before(
                "def board_of(",
                'def tokens_of(table):\n    """Return the tokens of a table."""\n'
                "    return Tokens(hints=table.hints)\n\n",
            ),
        ),
    },
    program="""
        rules = Rules.official(2)
        record = tokens_of(Game.start(rules, rules.spec.shuffle(1)))
        drawn = draw_tokens(record, title="Tokens", standalone=True)
        assert drawn.count("<circle") == 8
        assert ".hb-token" in drawn
        """,
)

INPUT_FORM = Recipe(
    "An input form",
    "bars",
    written={
        "rules/notation/bars.py": '''
            """Streams as `|1|2`."""

            from __future__ import annotations

            from hanabi.rules.deck import Deck
            from hanabi.rules.notation.record import SolitaireInput

            __all__ = ["is_bars", "parse_bars"]


            def is_bars(text: str) -> bool:
                """Whether a text is of this form."""
                return text.startswith("|")


            def parse_bars(text: str) -> SolitaireInput:
                """Return the stream."""
                return SolitaireInput(Deck((0, int(word)) for word in text[1:].split("|")))
            '''
    },
    changed={
        "rules/notation/sniff.py": (
            before(
                "from hanabi.rules.notation.datasets",
                "from hanabi.rules.notation.bars import is_bars, parse_bars",
            ),
            before(
                "        if is_study_log(start):",
                "        if is_bars(start):\n            return parse_bars(start.rstrip())",
            ),
        ),
        "shell/session/inputs.py": (
            ('return start in ("{", "[")', 'return start in ("{", "[", "|")'),
        ),
    },
    program="""
        assert hanabi.solve("|2|1", hand_size=1).status is hanabi.solve("hand 1 r2 r1").status
        assert "winnable" in run("solve", "|2|1", "--hand-size", "1")
        """,
)

SENTENCE = Recipe(
    "A sentence of a review",
    "",
    changed={
        "reviews/remarks.py": (
            before(
                "    if move.chance is not None and (words",
                """    if move.is_error:
        yield f"{counted(move.lives, 'more error')} would end the game" """.rstrip(),
            ),
            before(
                "    if document.errors:\n",
                """    yield Finding("turns", f"{len(document.moves)} were taken")""",
            ),
        )
    },
    program="""
        found = hanabi.review(small_game())
        with redirect_stdout(StringIO()) as printed:
            print_review(Screen(), found, show=False)
        assert "turns       3 were taken" in printed.getvalue()
        page = hanabi.view_html(found)
        assert "<p>Turns: 3 were taken.</p>" in page
        assert "1 more error would end the game." in page
        """,
)

COLUMN = Recipe(
    "A column of `--moves`",
    "",
    changed={
        "reviews/rows.py": (
            before(
                '    "best_before_low": (',
                '    "turns_left": ("int64", lambda row: row.move.turns_left),',
            ),
        ),
        "reviews/document.py": (
            after(
                "    conventions: ConventionRemarks | None = None\n",
                "    turns_left: int | None = None\n",
            ),
        ),
        "reviews/review.py": (
            after(
                "                    conventions=notes.get(move),\n",
                "                    turns_left=after.turns_left,\n",
            ),
        ),
    },
    program="""
        data = hanabi.review(small_game()).document().to_json()
        assert [each.get("turns_left") for each in data["moves"]] == [None, 1, 0]
        rows = [*move_rows([data])]
        place = [*MOVES].index("turns_left")
        assert [row[place] for row in rows] == [None, 1, 0]
        del data["moves"][1]["turns_left"]
        assert [row[place] for row in move_rows([data])] == [None, None, 0]
        """,
)

SAT_ENGINE = Recipe(
    "A SAT engine",
    "tables",
    changed={
        "ground/sat/child.py": (
            before(
                "    # Arguments only when wanted: some",
                '    if solver == "tables":\n        return _Tables()',
            ),
            before(
                "def _add_clauses(",
                dedent(
                    '''
                    class _Tables:
                        """Tries all values of the variables."""

                        def __init__(self):
                            self.clauses, self.model = [], None

                        def add_clause(self, clause):
                            self.clauses.append(clause)

                        def conf_budget(self, conflicts):
                            pass

                        def solve(self):
                            n = max((abs(each) for row in self.clauses for each in row), default=0)
                            for word in range(1 << n):
                                model = [v if word >> v - 1 & 1 else -v for v in range(1, n + 1)]
                                if all(set(model) & set(row) for row in self.clauses):
                                    self.model = model
                                    return True
                            return False

                        solve_limited = solve

                        def get_model(self):
                            return self.model

                        def accum_stats(self):
                            return {}


                    '''
                ),
            ),
        ),
        "solvers/winnable/sat.py": (before('    Engine("glucose42"),', '    Engine("tables"),'),),
    },
    program="""
        engine, cnf = Engine("tables"), Cnf(n_vars=3)
        cnf.add([[1, 2], [-1, 3]])
        cnf.add([[-3]])
        for solver in (solve_here, solve_apart):
            assert solver(cnf, engine).model.tolist() == [False, False, True, False]
        cnf.add([[-2]])
        for solver in (solve_here, solve_apart):
            assert solver(cnf, engine).reason == "unsatisfiable by tables"
        assert ENGINES[0] == engine
        """,
)

SECTION = Recipe(
    "A section of an observation",
    "empty",
    changed={
        "env/layout.py": (
            before('            "hint tokens": rules.hints,', '            "empty": 1,'),
        ),
        "env/kernels.py": (
            before(
                "    pen = put_ones(row, pen, state[k.HINTS], rules[k.MAX_HINTS])",
                "    pen = put_short(row, pen, int(deck_left(rules, state) == 0), 1)",
            ),
        ),
        "tests/oracles/encoding.py": (
            before(
                "    bits += up_to(game.hints, rules.hints)",
                "    bits.append(int(game.deck_left == 0))",
            ),
        ),
    },
    program="""
        rules = Rules.hle(2)
        position = Game.start(rules, rules.spec.shuffle(1))
        games, seen = [position], set()
        section = Layout(rules).section("empty")
        while not games[-1].is_over:
            vector = Layout(rules).observe(games[-1].view(0)).tolist()
            assert vector == encoding(games, 0), len(games)
            seen.add(vector[section.start])
            games.append(games[-1].apply(games[-1].legal_actions[-1]))
        assert seen == {0, 1}
        """,
)

EXPERIMENT = Recipe(
    "An experiment",
    "coins",
    changed={
        "lab/work.py": (
            before(
                "@dataclass(frozen=True, slots=True)\nclass Job:",
                dedent(
                    '''
                    @dataclass(frozen=True, slots=True)
                    class Coins:
                        """Coins, each thrown with its own random stream."""

                        seed: int
                        kind: ClassVar[str] = "coins"
                        version: ClassVar[int] = 1
                        noun: ClassVar[str] = "coins"
                        is_compiled: ClassVar[bool] = False

                        def config(self):
                            """Return what determines the results."""
                            return {"seed": self.seed}

                        def run(self, first, count, /):
                            """Return a byte for each coin: 1 if it shows heads."""
                            from hanabi.ground.rng import Stream

                            numbers = range(first, first + count)
                            return bytes(Stream(self.seed, number).below(2) for number in numbers)


                    '''
                ),
            ),
        ),
    },
    program="""
        from hanabi.lab.work import Coins

        coins, store = Coins(7), Store.memory()
        for items in (5, 20):
            with open_executor("serial") as pool:
                run_plan([Job(coins, items=items)], store, executor=pool)
        assert store.payload(key_of(coins), 20) == coins.run(0, 20)
        assert set(coins.run(0, 20)) == {0, 1}
        """,
)

REDUCTION = Recipe(
    "A variant of the reduction",
    "twin",
    changed={
        "solitaire/hardness/gadgets.py": (
            before('    "constant_two",\n)', '    "twin",'),
            before(
                '        case "constant_two", False:',
                '        case "twin", False:\n'
                "            return Blueprint(variant, two_step_clause(), step=2)",
            ),
        ),
    },
    program="""
        with open("formula.cnf", "w") as file:
            file.write("p cnf 3 2\\n1 -2 3 0\\n-1 2 -3 0\\n")
        names = ("twin", "compact", "paper")
        for name in names:
            run("reduce", "formula.cnf", "--variant", name, "-o", name + ".json")
        twin, compact, paper = (open(name + ".json").read() for name in names)
        assert twin.replace("twin", "compact") == compact != paper
        """,
)

FOLLOWED = (
    COMMAND, PLAIN_PLAYER, REASON, COMPILED_PLAYER, WRAPPER, HINT_RULE, RULE, VARIANT,
    SOLITAIRE_SOLVER, CONVENTION, PORTFOLIO, PAGE_OF_TOOLS, PICTURE, INPUT_FORM, SENTENCE, COLUMN,
    SAT_ENGINE, SECTION, EXPERIMENT, REDUCTION,
)  # fmt: skip

PROGRAM = '''
import json, sys, traceback
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO

from starlette.testclient import TestClient

import hanabi
from hanabi import DeckSpec
from hanabi.front.app import main
from hanabi.front.commands.compile import PARTS
from hanabi.reviews.commands.review import print_review
from hanabi.shell.command.terminal import Screen
from hanabi.solvers.draws.solver import check_rules
from hanabi.env.layout import Layout
from hanabi.rules import Game, Rules, hint_rank
from hanabi.rules.picture import tokens_of
from hanabi.lab import Job, Store, key_of, open_executor
from hanabi.lab.runner import run as run_plan
from hanabi.players import parse_player, simulate
from hanabi.players.compiled import decide
from hanabi.reviews.rows import MOVES, move_rows
from hanabi.conventions import readings
from hanabi.ground.rng import Stream
from hanabi.ground.sat import Cnf, Engine, solve_here
from hanabi.ground.sat import solve as solve_apart
from hanabi.solitaire.instance import Instance
from hanabi.solitaire.solver import solve as solve_stream
from hanabi.ground.svg.tokens import draw_tokens
from hanabi.rules.variants.catalog import VARIANT_COUNT, variant_names
from hanabi.front.site import make_app
from hanabi.shell.web.settings import Settings
from hanabi.solvers.winnable import solve_game
from hanabi.solvers.winnable.images import images
from hanabi.solvers.winnable.sat import ENGINES
from oracles.encoding import encoding
from oracles.game import SlowGame


def run(*words):
    """Run the command, and return what it prints."""
    with redirect_stdout(StringIO()) as printed, redirect_stderr(StringIO()) as problems:
        status = main(words)
    assert (status, problems.getvalue()) == (0, ""), problems.getvalue()
    return printed.getvalue()


def small_game():
    """Return a game of three moves with an error."""
    rules = Rules(spec=DeckSpec(((2, 1),)), seats=1, hand_size=1, lives=2)
    game = Game.start(rules, [(0, 2), (0, 1), (0, 1)])
    for _ in range(3):
        game = game.apply(next(each for each in game.legal_actions if each.kind == 0))
    return game


def agree(name, rules):
    """Compare the decisions of a player with those of its policy; return how many there were."""
    player, game = parse_player(name), Game.start(rules, rules.spec.shuffle(seed=1))
    while game.legal_actions and not game.is_over:
        view, turn = game.view(game.seat_to_act), len(game.actions)
        action = player.act(view, Stream(1, turn))
        assert action == decide(player.compiled(rules), view, Stream(1, turn)), turn
        game = game.apply(action)
    return len(game.actions)


def as_the_oracle_says(rules):
    """Compare random games with those of the slow twin; return how many tokens there were."""
    tokens = 0
    for seed in range(6):
        deck, rng = rules.spec.shuffle(seed), Stream(seed)
        game, slow = Game.start(rules, deck), SlowGame(rules, deck)
        while not game.is_over:
            tokens += game.hints
            assert (game.hints, game.score) == (slow.hints, slow.score)
            known = [[set(each.possible) for each in hand] for hand in slow.hands]
            assert [[set(each) for each in hand] for hand in possible(game)] == known
            right = [each for each in game.legal_actions if fits(game, each)]
            action = (right or game.legal_actions)[rng.below(len(right or game.legal_actions))]
            game = game.apply(action)
            slow.take((int(action.kind), action.target, action.value))
    return tokens


def possible(game):
    """Yield the cards that hints leave possible for each card of each hand."""
    cards = game.rules.spec.counts()
    for hand in game.knowledge:
        yield [[card for card in cards if known.is_possible(card)] for known in hand]


def fits(game, action):
    """Whether an action is not a mistake."""
    return action.kind != 0 or game.is_playable(game.hands[game.seat_to_act][action.target])


@contextmanager
def raises(words):
    try:
        yield
    except hanabi.HanabiError as error:
        assert words in str(error), str(error)
    else:
        raise AssertionError(words)


results = {}
'''

STEP = """
def _():
{program}


try:
    _()
    results[{title!r}] = ""
except BaseException:
    results[{title!r}] = traceback.format_exc()
"""


def follow(recipe: Recipe, folder: Path) -> None:
    """Add something to the copy in a folder."""
    put = partial(dict.__getitem__, {True: folder, False: folder / PACKAGE})
    for path, text in recipe.written.items():
        target = put(path.startswith(TOP)) / path
        assert not target.exists()
        target.parent.mkdir(exist_ok=True)
        target.write_text(dedent(text).lstrip(), "utf-8")
    for path, pairs in recipe.changed.items():
        target = put(path.startswith(TOP)) / path
        text = target.read_text("utf-8")
        for old, new in pairs:
            assert text.count(old) == 1, (path, old)
            text = text.replace(old, new)
        target.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return what went wrong with each recipe, once all were followed in one copy."""
    pytest.importorskip("starlette")
    folder = tmp_path_factory.mktemp("copy")
    for part in (PACKAGE, ORACLES):
        hidden = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / part, folder / part, ignore=hidden)
    program = PROGRAM
    for recipe in FOLLOWED:
        follow(recipe, folder)
        steps = indent(dedent(recipe.program).strip(), "    ")
        program += STEP.format(program=steps, title=recipe.title)
    program += "sys.stdout.write(json.dumps(results))\n"
    paths = os.pathsep.join((str(folder / "src"), str(folder / "tests")))
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("recipe", FOLLOWED, ids=lambda recipe: recipe.title)
def test_a_recipe_adds_what_works(recipe: Recipe, results: dict[str, str]) -> None:
    assert results[recipe.title] == ""


@pytest.mark.parametrize("recipe", FOLLOWED, ids=lambda recipe: recipe.title)
def test_a_recipe_names_every_file(recipe: Recipe) -> None:
    named = {
        Path(str(path).replace("NAME", recipe.name)) for path in files_of(recipes()[recipe.title])
    }
    rooms = [path.parent.name for path in (ROOT / PACKAGE).glob("*/__init__.py")]
    named |= {Path(str(path).replace("ROOM", room)) for path in named for room in rooms}
    assert recipe.files <= named
