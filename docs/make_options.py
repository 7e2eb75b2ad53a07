"""Write the option tables of the pages from the help: `python docs/make_options.py`.

A page has each table between two comments. The first one names the command:

    <!-- options of hanabi deck -->
    <!-- end of options -->

The cells are what `hanabi COMMAND --help` prints, so that each text is written once. Options that
several commands share are between `<!-- shared options -->` and `<!-- end of shared options -->`;
other tables only name them. Between `<!-- commands -->` and `<!-- end of commands -->` are all
commands, as in `hanabi --help`. Between `<!-- conventions of levels -->` (or `of variants`) and
`<!-- end of conventions -->` are the rows of `conventions/conventions.tsv`, and between
`<!-- features -->` and `<!-- end of features -->` those of `people/features.tsv`.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path

from hanabi.conventions.conventions import CONVENTIONS, VARIANT_CONVENTIONS
from hanabi.front.app import app
from hanabi.front.menu import COMMANDS, help_of
from hanabi.people.features import FEATURES

__all__ = ["BLOCK", "commands", "conventions", "features", "refresh", "table"]

DOCS = Path(__file__).parent
BLOCK = re.compile(
    r"(<!-- options of hanabi ([a-z]+) -->\n).*?(<!-- end of options -->)", re.DOTALL
)

SHARED = re.compile(r"(<!-- shared options -->\n).*?(<!-- end of shared options -->)", re.DOTALL)
SHARING = 2  # commands that share an option

LIST = re.compile(r"(<!-- commands -->\n).*?(<!-- end of commands -->)", re.DOTALL)


GUIDE = re.compile(
    r"(<!-- conventions of (levels|variants) -->\n).*?(<!-- end of conventions -->)", re.DOTALL
)


FEATURE_ROWS = re.compile(r"(<!-- features -->\n).*?(<!-- end of features -->)", re.DOTALL)


def commands() -> str:
    """Return all commands in Markdown: a table for each group, with the summaries of the help.

    >>> commands().splitlines()[2]
    '| `hanabi solve` | Decide whether a deck can be won, and show how. |'
    """
    return "\n".join(
        f"| {title} | |\n| --- | --- |\n"
        + "".join(f"| `hanabi {name}` | {_cell(_summary(name))} |\n" for name in group)
        for title, group in COMMANDS.items()
    )


def table(command: str) -> str:
    r"""Return the options of a command in Markdown: a table for each group of its help.

    >>> table("players")
    '| option | meaning |\n| --- | --- |\n| `--json` | [shared](command-line.md#shared-options) |\n'
    """
    groups, known = _rows(command), shared()
    heads = ["option"] if len(groups) == 1 else [f"option: {group.lower()}" for group in groups]
    tables = []
    for head, rows in zip(heads, groups.values(), strict=True):
        own = [
            f"| {names} | {meaning} |\n" for names, meaning in rows if (names, meaning) not in known
        ]
        if others := ", ".join(names for names, meaning in rows if (names, meaning) in known):
            own.append(f"| {others} | [shared](command-line.md#shared-options) |\n")
        tables.append(f"| {head} | meaning |\n| --- | --- |\n{''.join(own)}")
    return "\n".join(tables)


def _summary(command: str) -> str:
    return help_of(command).partition("\n")[0]


def conventions(group: str) -> str:
    """Return the conventions of levels, or those of variants, in Markdown.

    >>> conventions("levels").splitlines()[1]
    '| --- | --- | --- |'
    """
    has_level = group == "levels"
    text = f"{'| level ' * has_level}| convention | what it says here |\n"
    text += f"{'| --- ' * has_level}| --- | --- |\n"
    for each in CONVENTIONS if has_level else VARIANT_CONVENTIONS:
        level = f"| {each.level} " * has_level
        text += f"{level}| [{each.name}]({each.link}) | {each.says} |\n"
    return text


def features() -> str:
    """Return the features of the player `people` in Markdown.

    >>> features().splitlines()[2]
    '| any | conventions | first1 | level 1 would take it |'
    """
    of = dict[tuple[str, ...], list[str]]()
    for each in FEATURES:
        of.setdefault((each.group, each.name, each.meaning), []).append(each.of)
    rows = (f"| {', '.join(about)} | {' | '.join(row)} |\n" for row, about in of.items())
    return f"| of | group | feature | meaning |\n{'| --- ' * 4}|\n{''.join(rows)}"


@cache
def shared() -> dict[tuple[str, str], None]:
    """Return the names and meanings of the options that several commands share."""
    names = (name for group in COMMANDS.values() for name in group)
    found = Counter(row for name in names for rows in _rows(name).values() for row in rows)
    return {row: None for row, commands in found.items() if commands >= SHARING}


def _rows(command: str) -> dict[str, list[tuple[str, str]]]:
    """Return the names and meanings of a command's options, by group."""
    groups = dict[str, list[tuple[str, str]]]()
    for argument in app[command].assemble_argument_collection(parse_docstring=True):
        names = argument.parameter.name or ()
        if not all(name.startswith("-") for name in names):
            continue  # an argument, which has no option
        (group,) = {group.name for group in argument.parameter.group or ()} or {"Parameters"}
        choices = f" [{', '.join(each)}]" if (each := argument.get_choices()) else ""
        listed = ", ".join(f"`{name}`" for name in names)
        meaning = _cell(f"{argument.parameter.help}{choices}")
        groups.setdefault(group, []).append((listed, meaning))
    return groups


def _cell(text: str) -> str:
    """Return a help text as a cell, with the options that it names as code."""
    text = " ".join(text.split()).replace("|", "\\|")
    return re.sub(r"(?<![\w-])(--[a-z][a-z-]*)", r"`\1`", text)


def refresh(page: str) -> str:
    """Return the text of a page with all its tables written anew."""
    page = LIST.sub(lambda found: f"{found[1]}\n{commands()}\n{found[2]}", page)
    rows = "".join(f"| {names} | {meaning} |\n" for names, meaning in shared())
    head = "| option | meaning |\n| --- | --- |\n"
    page = SHARED.sub(lambda found: f"{found[1]}\n{head}{rows}\n{found[2]}", page)
    page = GUIDE.sub(lambda found: f"{found[1]}\n{conventions(found[2])}\n{found[3]}", page)
    page = FEATURE_ROWS.sub(lambda found: f"{found[1]}\n{features()}\n{found[2]}", page)
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
