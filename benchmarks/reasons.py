"""Why the lost decks of the test data are lost: the table of docs/winnable.md.

Run with ``python -m benchmarks.reasons``; it takes some seconds. The exit code is 1 if an answer
differs from the data's, or a lost deck has no readable reason.
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from pathlib import Path

from hanabi.rules import Rules
from hanabi.rules.deck import Deck
from hanabi.solvers.winnable import Position, Refutation, explain, solve

DATA = Path(__file__).parents[1] / "tests" / "data" / "hanab_live"
FILES = ("decks.json", "hard_two_player_decks.json", "lost_decks.json")


def main() -> int:
    found: dict[str, list[tuple[Refutation, float]]] = defaultdict(list)
    decks, bad = 0, []
    for file in FILES:
        for row in json.loads((DATA / file).read_text(encoding="utf-8"))["decks"]:
            decks += 1
            deck = Deck([("rygbp".index(card[0]), int(card[1])) for card in row["deck"].split()])
            rules = Rules.hanab_live(row["players"])
            verdict = solve(deck, rules)
            if verdict.is_winnable is not row["winnable"] and row["winnable"] is not None:
                bad.append(row["id"])
            if verdict.is_winnable is False:
                started = time.perf_counter()
                reason = explain(Position.start(rules, deck), (5,) * rules.colors)
                if reason is None:
                    bad.append(row["id"])
                else:
                    found[reason.name].append((reason, time.perf_counter() - started))
    lost = sum(map(len, found.values()))
    print(f"{decks} decks, {lost} lost\n")
    print("| reason | decks | most choices | most lines | seconds at most |")
    print("| --- | --- | --- | --- | --- |")
    for name, reasons in sorted(found.items(), key=lambda pair: -len(pair[1])):
        choices = max(reason.choices for reason, _ in reasons)
        lines = max(len(reason.steps) for reason, _ in reasons)
        seconds = max(seconds for _, seconds in reasons)
        print(f"| {name} | {len(reasons)} | {choices:,} | {lines:,} | {seconds:.2f} |")
    if bad:
        print("wrong answer or no reason:", *bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
