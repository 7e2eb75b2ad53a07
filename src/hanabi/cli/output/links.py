"""Replay links alone on standard output, with what has to be known of them on standard error."""

from __future__ import annotations

import sys

from hanabi.cli.output.terminal import complain
from hanabi.game import Rules
from hanabi.game.replay import rules_of
from hanabi.notation import parse_link
from hanabi.notation.links import link_note

__all__ = ["print_link"]


def print_link(link: str, rules: Rules) -> None:
    """Write a replay link of a game by these rules; notes say what the site makes of it.

    >>> print_link("https://hanab.live/replay-json/215lw,00,0", Rules.hanab_live(2))
    https://hanab.live/replay-json/215lw,00,0
    """
    sys.stdout.write(link + "\n")
    record = parse_link(link)
    carried = [name for name, value in record.options.items() if value]
    if carried:
        complain(
            f"note: the site opens this link without {', '.join(carried)}; this program reads what"
            " is behind the question mark"
        )
    if rules_of(record) != rules:
        complain(
            "note: a link has no place for the rules of this game: it opens under hanab.live's"
        )
    if note := link_note(link):
        complain(f"note: {note}")
