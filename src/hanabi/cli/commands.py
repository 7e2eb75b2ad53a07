"""The commands by group, each with a summary and examples. The tests run the examples."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["COMMANDS", "Command"]


class Command(NamedTuple):
    """The summary of a command in `hanabi --help`, and the end of its own help."""

    help: str
    examples: tuple[str, ...]
    note: str = ""
    operands: str = ""

    def usage(self, name: str) -> str | None:
        """Return the usage line, or None if the one made from the options will do."""
        return f"hanabi {name} [OPTIONS] {self.operands}" if self.operands else None

    @property
    def epilogue(self) -> str:
        """The end of the command's help."""
        lines = ["Examples:", *(f"  {example}" for example in self.examples)]
        return "\n".join([self.note, "", *lines] if self.note else lines)


COMMANDS: Mapping[str, Mapping[str, Command]] = MappingProxyType(
    {
        "Games and decks": {
            "solve": Command(
                "Decide whether a deck can be won, and show how.",
                (
                    "hanabi solve game.json --show",
                    "hanabi deck --players 3 --seed 7 | hanabi solve -",
                ),
                "Many inputs (a folder, several files, a .jsonl file, JSON objects one a line, an"
                ' array of them, or {"decks": [...]}) give one JSON line each, in order.',
            ),
            "review": Command(
                "Show the best score still reachable after each move, and which moves lost points.",
                (
                    "hanabi review game.json",
                    "hanabi review p2v0s5 --actions 03lbah1bbf",
                    "hanabi review game.json --conventions level=3",
                ),
                "Many games (a folder, or any input of many that hanabi solve takes) give a table.",
            ),
            "chances": Command(
                "Show each action's chance of a perfect score, and its expected score.",
                (
                    "hanabi chances game.json@57",
                    "hanabi chances game.json@57 --seat",
                    "hanabi chances game.json@57 --partners convention",
                ),
            ),
            "show": Command(
                "Print a game move by move.",
                ("hanabi show game.json --turns 10-20",),
            ),
            "view": Command(
                "Write a page that steps through a game, or through a line that wins a deck.",
                (
                    "hanabi view game.json --review -o game.html",
                    "hanabi view p3v0s17 -o won.html",
                ),
            ),
            "link": Command(
                "Print a hanab.live replay link to a game, a deck or an answer.",
                ("hanabi link game.json --at 10",),
            ),
            "convert": Command(
                "Convert games of any form to hanab.live's JSON, one a line, or to a table.",
                (
                    "hanabi convert games -o games.jsonl",
                    "hanabi convert game.json",
                    "hanabi convert game.json@34 -o endgame.txt",
                ),
                "Also reads HanabiData logs, .safetensors files of AH2AC2 and .pkl files of HOAD.",
            ),
            "verify": Command(
                "Check a play move by move, and name the first rule it breaks.",
                (
                    "hanabi solve game.json --json > answer.json",
                    "hanabi verify game.json answer.json",
                ),
                "Exits with 0 if the play wins, with 1 if it does not.",
            ),
            "atlas": Command(
                "Count how many deals of hanab.live's variants can be won.",
                ('hanabi atlas "Rainbow (5 Suits)" -n 100 --store decks.db',),
            ),
            "deck": Command(
                "Print random decks; the same seed gives the same decks.",
                (
                    "hanabi deck --players 4 --seed 7",
                    "hanabi deck --players 2 --count 100 --json > decks.jsonl",
                    "hanabi deck p2v0s40 --winnable",
                ),
            ),
            "difficulty": Command(
                "Measure how often our best players win a deck, and rank it among random decks.",
                (
                    "hanabi difficulty p2v0s1",
                    "hanabi difficulty game.json --sample 1000 --store decks.db --json",
                ),
            ),
            "partition": Command(
                "Split the hints for a hand into sets, each certain to contain a legal hint.",
                ("hanabi partition game.json@10",),
            ),
        },
        "Players and experiments": {
            "players": Command(
                "List the players, with their parameters and defaults.", ("hanabi players",)
            ),
            "bot": Command(
                "Let a player play as a program, by lines of JSON (docs/bots.md).",
                ("hanabi bot information",),
                operands="PLAYER",
            ),
            "practise": Command(
                "Practise conventions: find the one right action of positions.",
                (
                    "hanabi practise hgroup:level=1",
                    "hanabi practise hgroup:level=2 -n 3 --seed 1 --show",
                    "hanabi practise hgroup:level=1 game.json --show",
                ),
                "Cards count from the newest, which is 1. Answer with a move as in play 1,"
                " discard 5, clue Bob red or clue Bob 3; or with hint, solution or quit.",
                operands="PLAYER [GAME]",
            ),
            "play": Command(
                "Play one game, and show it.",
                ("hanabi play information --players 3 --seed 1 --show",),
                operands="PLAYER...",
            ),
            "simulate": Command(
                "Play many games, and report the scores.",
                (
                    "hanabi simulate rule-based -n 1000 --seed 1",
                    "hanabi simulate information --players 4 -n 500 --store runs.db",
                ),
                operands="PLAYER...",
            ),
            "tournament": Command(
                "Run self-play for each player, and cross-play in each other's teams.",
                ("hanabi tournament rule-based rule-based:hint=2 --players 3 -n 100",),
                operands="PLAYER...",
            ),
            "env": Command(
                "Write games as data for learners, and check environments.",
                (
                    "hanabi env expert information -n 1000 --seed 1 -o expert",
                    "hanabi env golden -o kit",
                    "hanabi env check my_env.py --players 2",
                ),
                operands="ACTION ...",
            ),
            "paper": Command(
                "Reproduce a published table or figure, or measure laws of random streams.",
                (
                    "hanabi paper table1 -n 20 --repeat 2 --out tables",
                    "hanabi paper threshold -n 100 --store runs.db",
                ),
            ),
            "results": Command(
                "List, show or export the results in a store, or merge stores.",
                (
                    "hanabi results --store runs.db",
                    "hanabi results export --store runs.db --games -o games.csv",
                ),
            ),
        },
        "Formulas and counting": {
            "reduce": Command(
                "Reduce a formula to cards that can be won if and only if it is satisfiable.",
                ("hanabi reduce formula.cnf -o cards.json",),
            ),
            "sat": Command(
                "Decide a formula by way of cards, and print a satisfying assignment.",
                ("hanabi sat formula.cnf --verbose",),
            ),
            "explain": Command(
                "Explain the cards of a reduced formula, or the windows of a stream.",
                (
                    "hanabi explain formula.cnf --svg cards.svg",
                    'hanabi explain "hand 1 r2 y2 r1 y1 r3 y3 y2" --tikz windows.tex',
                ),
            ),
            "complexity": Command(
                "Report how hard Solitaire Hanabi is for given parameters, and what decides it.",
                (
                    "hanabi complexity --hand-size 1 --multiplicity 2 --values 4",
                    "hanabi complexity",
                ),
            ),
            "count": Command(
                "Count the shuffled decks that can be won.",
                (
                    "hanabi count 3,2,2,2,1 --hand 1",
                    "hanabi count 3,2,2,2,1 --colors 5 --curve --samples 1000",
                ),
            ),
        },
        "This program": {
            "serve": Command(
                "Open the analysis board in the browser: play, review, watch.",
                ("hanabi serve --open",),
            ),
            "compile": Command(
                "Precompile everything, so that no command has to wait for the compiler.",
                ("hanabi compile", "hanabi compile solve information"),
            ),
        },
    }
)
"""The commands by the title of their group, then by name."""
