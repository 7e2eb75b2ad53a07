"""Players that installed packages name by entry points."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hanabi.front.app import main
from hanabi.ground.errors import InvalidInputError
from hanabi.players import Endgame, outcomes, parse_player
from hanabi.players.own import Own
from hanabi.players.registry import installed_players, settle_player
from hanabi.rules import Rules

SOURCE = '''
class Careful:
    """Discards the oldest card, or does what comes first."""
    def __init__(self, slot: int = 0):
        self.slot = slot
    def act(self, view, rng):
        return view.legal_actions[self.slot]
'''


def install(folder: Path, package: str, points: str) -> None:
    """Lay an installed package out, as pip does."""
    (folder / f"{package}.py").write_text(SOURCE, encoding="utf-8")
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[hanabi.players]\n{points}\n", encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in ("careful_bots", "other_bots"):
        sys.modules.pop(name, None)


def test_an_installed_player_is_named_like_ours(site: Path) -> None:
    install(site, "careful_bots", "careful = careful_bots:Careful")
    assert installed_players() == {"careful": "careful_bots:Careful"}
    player = parse_player("careful:slot=1")
    assert isinstance(player, Own)
    assert player.name.startswith("careful_bots:Careful:slot=1 (")
    assert player.text == "careful_bots:Careful:slot=1"  # other processes need no entry point
    direct = parse_player("careful_bots:Careful")
    rules = Rules.official(2)
    named = outcomes(parse_player("careful"), rules, 3, seed=1)
    assert [*named] == [*outcomes(direct, rules, 3, seed=1)]
    wrapped = settle_player("endgame:budget=10,deck=0/careful")
    assert isinstance(wrapped, Endgame)
    assert isinstance(wrapped.player, Own)


def test_the_command_line_takes_and_lists_them(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(site, "careful_bots", "careful = careful_bots:Careful\nbroken = careful_bots:Missing")
    assert main(["simulate", "careful:slot=0", "-n", "2", "--seed", "1", "-j", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2
    assert main(["players", "--json"]) == 0
    listed = {each["name"]: each for each in json.loads(capsys.readouterr().out)}
    assert listed["careful"]["parameters"] == {"slot": 0}
    assert listed["careful"]["about"].startswith("Discards the oldest")
    assert "no class 'Missing'" in listed["broken"]["about"]
    assert main(["simulate", "broken", "-n", "1"]) == 2
    assert "no class 'Missing'" in capsys.readouterr().err
    assert main(["simulate", "nobody", "-n", "1"]) == 2
    assert "careful" in capsys.readouterr().err


def test_our_names_stay_ours_and_no_name_means_two_players(site: Path) -> None:
    install(site, "careful_bots", "random = careful_bots:Careful\ncareful = careful_bots:Careful")
    assert not isinstance(parse_player("random"), Own)
    install(site, "other_bots", "careful = other_bots:Careful")
    with pytest.raises(InvalidInputError, match="two installed packages name a player 'careful'"):
        parse_player("careful")
