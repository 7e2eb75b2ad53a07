"""The commands by group, each with examples, which the tests run, and what its help says."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

__all__ = ["COMMANDS", "Command", "help_of", "module_of"]


@cache
def _homes() -> dict[str, Path]:
    """Return the files of the commands of all rooms, by the commands' names."""
    return {path.stem: path for path in Path(__file__).parents[1].glob("*/commands/*.py")}


def module_of(name: str) -> str:
    """Return the module of a command.

    >>> module_of("solve")
    'hanabi.front.commands.solve'
    """
    return f"hanabi.{_homes()[name].parents[1].name}.commands.{name}"


def help_of(name: str) -> str:
    """Return the docstring of a command up to its parameters, read from the source.

    `hanabi --help` shows the first paragraph of each, and importing all commands takes seconds.

    >>> help_of("simulate")
    'Play many games, and report the scores.'
    """
    source = _homes()[name].read_text("utf-8")
    _, begins, after = source.partition(f"\ndef {name}_command(")
    assert begins, name  # noqa: S101
    docstring = after.partition('\n    """')[2].partition('"""')[0]
    text = docstring.partition("\n\n    Parameters\n")[0]
    return "\n\n".join(" ".join(each.split()) for each in text.strip().split("\n\n"))


class Command:
    """A command: the examples at the end of its help, and its operands, unless they show there."""

    def __init__(self, *examples: str, operands: str = "") -> None:
        self.examples = examples
        self.operands = operands

    def usage(self, name: str) -> str | None:
        """Return the usage line, or None if the one made from the options will do."""
        return f"hanabi {name} [OPTIONS] {self.operands}" if self.operands else None

    @property
    def epilogue(self) -> str:
        """The end of the command's help."""
        return "\n".join(["Examples:", *(f"  {example}" for example in self.examples)])


COMMANDS: Mapping[str, Mapping[str, Command]] = MappingProxyType(
    {
        "Games and decks": {
            "solve": Command(
                "hanabi solve game.json --show", "hanabi deck --players 3 --seed 7 | hanabi solve -"
            ),
            "review": Command(
                "hanabi review game.json",
                "hanabi review p2v0s5 --actions 03lbah1bbf",
                "hanabi review game.json --conventions level=3",
            ),
            "advise": Command(
                "hanabi advise game.json@20",
                "hanabi advise game.json@20 --partners hgroup:level=2",
            ),
            "chances": Command(
                "hanabi chances game.json@57",
                "hanabi chances game.json@57 --seat",
                "hanabi chances game.json@57 --partners convention",
            ),
            "show": Command("hanabi show game.json --turns 10-20"),
            "view": Command(
                "hanabi view game.json --review -o game.html", "hanabi view p3v0s17 -o won.html"
            ),
            "link": Command("hanabi link game.json --at 10"),
            "convert": Command(
                "hanabi convert games -o games.jsonl",
                "hanabi convert game.json",
                "hanabi convert game.json@34 -o endgame.txt",
            ),
            "verify": Command(
                "hanabi solve game.json --json > answer.json", "hanabi verify game.json answer.json"
            ),
            "atlas": Command('hanabi atlas "Rainbow (5 Suits)" -n 100 --store decks.db'),
            "deck": Command(
                "hanabi deck --players 4 --seed 7",
                "hanabi deck --players 2 --count 100 --json > decks.jsonl",
                "hanabi deck p2v0s40 --winnable",
            ),
            "difficulty": Command(
                "hanabi difficulty p2v0s1",
                "hanabi difficulty game.json --sample 1000 --store decks.db --json",
            ),
            "partition": Command("hanabi partition game.json@10"),
        },
        "Players and experiments": {
            "players": Command("hanabi players"),
            "bot": Command("hanabi bot information", operands="PLAYER"),
            "practise": Command(
                "hanabi practise hgroup:level=1",
                "hanabi practise hgroup:level=2 -n 3 --seed 1 --show",
                "hanabi practise hgroup:level=1 game.json --show",
                operands="PLAYER [GAME]",
            ),
            "conventions": Command(
                "hanabi conventions check docs/conventions/level-01.jsonl",
                "hanabi conventions check docs/conventions/level-02.jsonl --level 5",
                operands="check FILE...",
            ),
            "people": Command(
                "hanabi people fit games -o us.json",
                "hanabi people check games --player people --player hgroup:level=5",
                "hanabi people manner games",
                operands="ACTION GAMES...",
            ),
            "play": Command(
                "hanabi play information --players 3 --seed 1 --show", operands="PLAYER..."
            ),
            "simulate": Command(
                "hanabi simulate rule-based -n 1000 --seed 1",
                "hanabi simulate information --players 4 -n 500 --store runs.db",
                operands="PLAYER...",
            ),
            "tournament": Command(
                "hanabi tournament rule-based rule-based:hint=2 --players 3 -n 100",
                "hanabi tournament information smart --beside piers --players 3",
                operands="PLAYER...",
            ),
            "env": Command(
                "hanabi env expert information -n 1000 --seed 1 -o expert",
                "hanabi env values information -n 100 --seed 1 -o values",
                "hanabi env golden -o kit",
                "hanabi env check my_env.py --players 2",
                operands="ACTION ...",
            ),
            "paper": Command(
                "hanabi paper table1 -n 20 --repeat 2 --out tables",
                "hanabi paper threshold -n 100 --store runs.db",
            ),
            "results": Command(
                "hanabi results --store runs.db",
                "hanabi results export --store runs.db --games -o games.csv",
            ),
        },
        "Formulas and counting": {
            "reduce": Command("hanabi reduce formula.cnf -o cards.json"),
            "sat": Command("hanabi sat formula.cnf --verbose"),
            "explain": Command(
                "hanabi explain formula.cnf --svg cards.svg",
                'hanabi explain "hand 1 r2 y2 r1 y1 r3 y3 y2" --tikz windows.tex',
            ),
            "complexity": Command(
                "hanabi complexity --hand-size 1 --multiplicity 2 --values 4", "hanabi complexity"
            ),
            "count": Command(
                "hanabi count 3,2,2,2,1 --hand 1",
                "hanabi count 3,2,2,2,1 --colors 5 --curve --samples 1000",
            ),
        },
        "This program": {
            "serve": Command("hanabi serve --open"),
            "compile": Command("hanabi compile", "hanabi compile solve information"),
        },
    }
)
"""The commands by the title of their group, then by name."""
