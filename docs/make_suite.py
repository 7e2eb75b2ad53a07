"""Write the suite of positions from its text: `python docs/make_suite.py`.

`docs/conventions/level-NN.txt` states the positions of a level as people write them, and this makes
`level-NN.jsonl` of it, one JSON document a line (docs/conventions-suite.md). A position is

    + name                    a `# Convention` line before it says which one it is for
    seats 4                   3 without such a line
    A r1 - y2 - -             a hand of the deal, newest card first; `-` is a card that matters not,
                              as are all cards of a hand without a line
    draws b1 - g1             the cards that are drawn, if they matter
    A>B red, p3, d5           moves: a hint, a play and a discard by slot, 1 is the newest card
    1-11: B5=r1,r2; C2=*1-r1  at these levels: what cards in these slots may be; *1 is all 1s
    11: B plays 3; C plays -  the cards to play next (3/5: either), - is none; so for `discards`
    1-11: asks p5, A>B red; forbids d5
    note ...                  why a reader may doubt it

The cards that matter not are chosen so that no hint of the position touches them: 4s, then 3s.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from hanabi.conventions.conventions import named
from hanabi.conventions.player import HGroup
from hanabi.conventions.suite import QUESTIONS, Position, answer, difference, read_suite
from hanabi.ground import Stream
from hanabi.rules import (
    DEFAULT_NAMES,
    Action,
    Card,
    Game,
    Rules,
    discard,
    hint_color,
    hint_rank,
    play,
    record_action,
)  # fmt: skip

__all__ = ["BLOCK", "FOLDER", "PAGE", "built", "documents", "positions", "results"]

FOLDER = Path(__file__).parent / "conventions"
PAGE = Path(__file__).parent / "conventions-suite.md"
BLOCK = re.compile(r"(<!-- results .*?-->\n).*?(<!-- end of results -->)", re.DOTALL)
SEATS, LETTERS, RANKS = "ABCDEF", "rygbp", range(1, 6)
COPIES = {1: 3, 2: 2, 3: 2, 4: 2, 5: 1}


def positions(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the convention and the lines of each position of a text."""
    convention, lines = "", list[str]()
    for line in (*text.splitlines(), "+"):
        if line.startswith(("#", "+")):
            if lines:
                yield convention, lines
            lines = [line] if line.startswith("+ ") else []
            convention = line[2:] if line.startswith("#") else convention
        elif line.strip() and lines:
            lines.append(line)


def built(convention: str, lines: list[str]) -> dict[str, object]:
    """Return the document of a position."""
    seats = next((int(line[6:]) for line in lines if line.startswith("seats ")), 3)
    rules = Rules.hanab_live(seats)
    given = {line[0]: line[2:].split() for line in lines if line[0] in SEATS and line[1] == " "}
    hands = [given.get(name, ["-"] * rules.hand_size) for name in SEATS[:seats]]
    n_lines = sum(line[0] in SEATS and line[1] == " " for line in lines)
    if len(given) != n_lines or any(len(hand) != rules.hand_size for hand in hands):
        raise ValueError("a hand stands twice, or has another number of cards")
    draws = [card for line in lines if line.startswith("draws ") for card in line.split()[1:]]
    moves = [
        move.strip()
        for line in lines
        if line[1] in ">0123456789" and ":" not in line
        for move in line.split(",")
    ]
    expected = [line for line in lines if line[0].isdigit()]
    slots = [(seat, text) for seat, hand in enumerate(hands) for text in reversed(hand)]
    drawers = [seat % seats for seat, move in enumerate(moves) if ">" not in move]
    slots += [(seat, draws[at] if at < len(draws) else "-") for at, seat in enumerate(drawers)]
    hints = re.findall(r"[A-F]>([A-F]) ([a-z1-5]+)", " ".join(lines[1:]))
    game = Game.start(rules, _deck(slots, hints))
    for move in moves:
        if ">" in move and SEATS[game.seat_to_act] != move[0]:
            raise ValueError(f"{move}: it is the turn of {SEATS[game.seat_to_act]}")
        game = game.apply(_action(game, move))
    actions, at = [], game.deal
    for action in game.actions:
        actions.append(_site(at, action))
        at = at.apply(action)
    about = named(convention)
    notes = [line[5:] for line in lines if line.startswith("note ")]
    return {
        "schema": 1,
        "name": lines[0][2:],
        "convention": convention,
        "page": about.link,
        "players": list(DEFAULT_NAMES[:seats]),
        "deck": [{"suitIndex": card.color, "rank": card.rank} for card in game.deck],
        "actions": actions,
        "expect": [_expectation(game, line) for line in expected],
        **({"note": " ".join(notes)} if notes else {}),
    }


def _card(text: str) -> Card:
    return Card(LETTERS.index(text[0]), int(text[1]))


def _deck(slots: list[tuple[int, str]], given: list[tuple[str, str]]) -> list[Card]:
    """Return the whole deck: the cards that matter, and others that no hint touches."""
    left = [Card(c, r) for r in (4, 3, 1, 2, 5) for c in range(5) for _ in range(COPIES[r])]
    for _, text in slots:
        if text != "-":
            left.remove(_card(text))
    named_cards = {_card(text) for _, text in slots if text != "-"}
    hints = [(SEATS.index(seat), value) for seat, value in given]
    colors = {LETTERS.index(value[0]) for _, value in hints if not value.isdigit()}
    deck = list[Card]()
    for seat, text in slots:
        if text != "-":
            deck.append(_card(text))
            continue
        free = [
            card
            for card in left
            if not any(
                to == seat and value[0] in (str(card.rank), LETTERS[card.color])
                for to, value in hints
            )
        ]
        best = min(
            free,
            key=lambda card: (
                card.rank not in (3, 4),
                card.color in colors,
                card in named_cards,
                card in deck,
                left.index(card),
            ),
        )
        left.remove(best)
        deck.append(best)
    return deck + left


def _action(game: Game, text: str) -> Action:
    if ">" in text:
        seat, value = SEATS.index(text[2]), text[4:]
        return (
            hint_rank(seat, int(value))
            if value.isdigit()
            else hint_color(seat, LETTERS.index(value[0]))
        )
    size = len(game.hand_indices[game.seat_to_act])
    return (play if text[0] == "p" else discard)(size - int(text[1:]))


def _site(game: Game, action: Action) -> dict[str, int]:
    recorded = record_action(game, action)
    value = {} if recorded.value is None else {"value": recorded.value}
    return {"type": recorded.type, "target": recorded.target, **value}


def _expectation(game: Game, line: str) -> dict[str, object]:
    levels, _, said = line.partition(":")
    first, _, last = levels.partition("-")
    result: dict[str, object] = {"levels": [int(first), int(last or first)]}
    cards, rows = dict[str, list[str]](), dict[str, dict[str, list[int]]]()
    for each in map(str.strip, said.split(";")):
        words = each.split()
        if "=" in each:
            place, kinds = each.split("=")
            cards[str(_order(game, place[0], place[1:]))] = _kinds(kinds)
        elif words[0] in ("asks", "forbids"):
            moves = each.partition(" ")[2].split(",")
            result[words[0]] = [_site(game, _action(game, move.strip())) for move in moves]
        else:
            orders = (
                []
                if words[2] == "-"
                else [_order(game, words[0], slot) for slot in words[2].split("/")]
            )
            rows.setdefault(words[1], {})[str(SEATS.index(words[0]))] = orders
    if cards:
        result["may_be"] = cards
    return result | rows


def _order(game: Game, seat: str, slot: str) -> int:
    return game.hand_indices[SEATS.index(seat)][-int(slot)]


def _kinds(text: str) -> list[str]:
    whole, *less = text.split("-")
    found = list[str]()
    for each in whole.split(","):
        found += (
            [f"{letter}{each[1]}" for letter in LETTERS]
            if each[0] == "*"
            else ([f"{each[0]}{rank}" for rank in RANKS] if each[1] == "*" else [each])
        )
    return [each for each in found if not less or each not in less[0].split(",")]


def documents(path: Path) -> str:
    """Return the documents of a text, one a line."""
    rows = []
    for convention, lines in positions(path.read_text("utf-8")):
        try:
            rows.append(json.dumps(built(convention, lines), separators=(",", ":")) + "\n")
        except Exception as error:
            error.add_note(f"in {path.name}: {convention}, {lines[0]}")
            raise
    return "".join(rows)


def differences(position: Position) -> list[str]:
    """Return what ours answers otherwise, at the first, the middle and the last of its levels."""
    found = dict[str, None]()
    for asked in position.questions:
        view = position.game.view(asked.seat)
        for level in sorted({*asked.levels[:1], *asked.levels[-1:], *asked.levels[5:6]}):
            ours = (
                answer(view, level, asked.what, asked.card)
                if asked.what in QUESTIONS
                else HGroup(level).act(view, Stream(0))
            )
            if told := difference(position, asked, ours):
                found[told] = None
    return list(found)


def results() -> str:
    """Return a table of how many positions ours agrees with, and the others with the reasons."""
    table, others = "| level | positions | ours agrees |\n| --- | --- | --- |\n", ""
    n_all = n_wrong = 0
    for path in sorted(FOLDER.glob("*.jsonl")):
        read = [*read_suite(path.read_text("utf-8"), path.name)]
        wrong = [(each, found) for each in read if (found := differences(each))]
        n_all, n_wrong = n_all + len(read), n_wrong + len(wrong)
        level = read[0].convention.level
        table += f"| {level} | {len(read)} | {len(read) - len(wrong)} |\n"
        for each, found in wrong:
            others += f"- {each.convention.name}, {each.name}: {'; '.join(found)}\n"
    table += f"| all | {n_all} | {n_all - n_wrong} |\n"
    return table + (f"\nThe others, where ours is wrong:\n\n{others}" if others else "")


def main() -> int:
    """Write all files and the table of our results anew."""
    for path in sorted(FOLDER.glob("*.txt")):
        path.with_suffix(".jsonl").write_text(documents(path), "utf-8")
    text = PAGE.read_text("utf-8")
    PAGE.write_text(BLOCK.sub(lambda found: f"{found[1]}\n{results()}\n{found[2]}", text), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
