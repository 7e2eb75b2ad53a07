"""Write the option tables of the pages from the help: `python docs/make_options.py`.

A page has each table between two comments. The first one names the command:

    <!-- options of hanabi deck -->
    <!-- end of options -->

The cells are what `hanabi COMMAND --help` prints, so that each text is written once. Between
`<!-- commands -->` and `<!-- end of commands -->` stand all commands, as in `hanabi --help`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from hanabi.cli.app import app
from hanabi.cli.commands import COMMANDS

__all__ = ["BLOCK", "commands", "refresh", "table"]

DOCS = Path(__file__).parent
BLOCK = re.compile(
    r"(<!-- options of hanabi ([a-z]+) -->\n).*?(<!-- end of options -->)", re.DOTALL
)

LIST = re.compile(r"(<!-- commands -->\n).*?(<!-- end of commands -->)", re.DOTALL)


def commands() -> str:
    """Return all commands in Markdown: a table for each group, with the summaries of the help.

    >>> commands().splitlines()[2]
    '| `hanabi solve` | Decide whether a deck can be won, and show how. |'
    """
    return "\n".join(
        f"| {title} | |\n| --- | --- |\n"
        + "".join(f"| `hanabi {name}` | {_cell(each.help)} |\n" for name, each in group.items())
        for title, group in COMMANDS.items()
    )


def table(command: str) -> str:
    r"""Return the options of a command in Markdown: a table for each group of its help.

    >>> table("players")
    '| option | meaning |\n| --- | --- |\n| `--json` | Print one JSON document. |\n'
    """
    groups = dict[str, list[str]]()
    for argument in app[command].assemble_argument_collection(parse_docstring=True):
        names = argument.parameter.name or ()
        if not all(name.startswith("-") for name in names):
            continue  # an argument, which has no option
        (group,) = {group.name for group in argument.parameter.group or ()} or {"Parameters"}
        choices = f" [{', '.join(each)}]" if (each := argument.get_choices()) else ""
        listed = ", ".join(f"`{name}`" for name in names)
        meaning = _cell(f"{argument.parameter.help}{choices}")
        groups.setdefault(group, []).append(f"| {listed} | {meaning} |\n")
    heads = ["option"] if len(groups) == 1 else [f"option: {group.lower()}" for group in groups]
    return "\n".join(
        f"| {head} | meaning |\n| --- | --- |\n{''.join(rows)}"
        for head, rows in zip(heads, groups.values(), strict=True)
    )


def _cell(text: str) -> str:
    """Return a help text as a cell, with the options that it names as code."""
    text = " ".join(text.split()).replace("|", "\\|")
    return re.sub(r"(?<![\w-])(--[a-z][a-z-]*)", r"`\1`", text)


def refresh(page: str) -> str:
    """Return the text of a page with all its tables written anew."""
    page = LIST.sub(lambda found: f"{found[1]}\n{commands()}\n{found[2]}", page)
    return BLOCK.sub(lambda found: f"{found[1]}\n{table(found[2])}\n{found[3]}", page)


def main() -> None:
    """Write the pages whose tables have changed, and print their names."""
    for path in sorted(DOCS.glob("*.md")):
        text = path.read_text("utf-8")
        if (fresh := refresh(text)) != text:
            path.write_text(fresh, "utf-8")
            sys.stdout.write(f"written: {path}\n")


if __name__ == "__main__":
    main()
