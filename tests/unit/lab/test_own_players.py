"""Players of one's own in the laboratory: by any worker, and never mixed up with edited ones."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from hanabi.ground.errors import PlayerError
from hanabi.ground.rng import Stream
from hanabi.lab import Job, Simulation, Store, key_of, open_executor, outcomes, run
from hanabi.lab.report.results import shorten_player
from hanabi.lab.tournament import Tournament
from hanabi.players import Endgame, Player, arena
from hanabi.players.registry import as_player
from hanabi.rules import Action, Rules, View

RULES = Rules.hanab_live(2)
BOT = """
class Last:
    def __init__(self, fail=-1):
        self.fail = fail
    def act(self, view, rng):
        if rng.below(5000) == self.fail:
            raise RuntimeError("asked to")
        return view.legal_actions[-1]
"""
Write = Callable[[str], None]


@pytest.fixture
def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("hanabi.ground.workers.dispatch._ALONE_SECONDS", 0.0)

    def write(source: str) -> None:
        (tmp_path / "bot.py").write_text(source, encoding="utf-8")

    write(BOT)
    return write


class Oldest:
    """Gives its oldest card away, or hints."""

    def act(self, view: View, _: Stream, /) -> Action:
        discards = [each for each in view.legal_actions if str(each).startswith("discard")]
        return discards[0] if discards else view.legal_actions[-1]


TEAMS: list[tuple[str | Player | type[Player], ...]] = [
    ("bot.py:Last",),
    (Oldest(), "random"),
    (Oldest,),
    (Endgame(Oldest()),),
]


@pytest.mark.parametrize(("text", "workers"), [("serial", 1), ("threads", 2), ("processes", 2)])
@pytest.mark.parametrize("players", TEAMS, ids=["file", "object", "class", "endgame"])
@pytest.mark.usefixtures("bot")
def test_any_worker_plays_them(
    players: tuple[str | Player | type[Player], ...], text: str, workers: int
) -> None:
    work = Simulation(players, RULES, seed=3)
    store, job = Store.memory(), Job(work, 8, chunk=2)
    with open_executor(text, workers) as pool:
        run([job], store, executor=pool)
    team = [as_player(each) for each in players]
    expected = arena.outcomes(team if len(team) > 1 else team * 2, RULES, 8, seed=3)
    assert outcomes(store, job).tolist() == expected
    assert not work.is_compiled


def test_an_edited_player_never_gets_old_results(bot: Write, tmp_path: Path) -> None:
    before = Simulation(("bot.py:Last", "random"), RULES, seed=3)
    bot(BOT.replace("legal_actions[-1]", "legal_actions[+0]"))
    after = Simulation(("bot.py:Last", "random"), RULES, seed=3)
    assert key_of(before) != key_of(after)
    with Store(tmp_path / "x.store") as store, open_executor("processes", 2) as pool:
        for work in (before, after):
            run([Job(work, 20, chunk=5)], store, executor=pool)
        played = [outcomes(store, Job(work, 20)).tolist() for work in (before, after)]
    assert played[0] != played[1]
    bot(BOT)
    assert key_of(Simulation(("bot.py:Last", "random"), RULES, seed=3)) == key_of(before)


def test_a_player_may_be_edited_while_it_plays(bot: Write) -> None:
    cup = Tournament(("bot.py:Last", "random"), RULES, seed=3)
    first = [key_of(work) for work in cup.all_works()]
    bot(BOT + "# edited")
    assert [key_of(work) for work in cup.all_works()] == first
    work = next(iter(cup.all_works()))
    assert key_of(pickle.loads(pickle.dumps(work))) == first[0]


@pytest.mark.parametrize(("text", "workers"), [("serial", 1), ("processes", 2)])
@pytest.mark.usefixtures("bot")
def test_what_was_played_before_an_error_is_kept(text: str, workers: int) -> None:
    work = Simulation(("bot.py:Last:fail=7",), RULES, seed=3)
    store, job = Store.memory(), Job(work, 2_000, chunk=5)
    with (
        pytest.raises(PlayerError, match=r"bot\.py:7: RuntimeError: asked to") as caught,
        open_executor(text, workers) as pool,
    ):
        run([job], store, executor=pool)
    deal = int(str(caught.value).partition("deal ")[2].partition(":")[0])
    assert str(caught.value).startswith(f"seed 3, deal {deal}: turn ")
    if text == "serial":
        assert deal >= 5
        assert store.ranges(key_of(work)) == [(0, deal - deal % 5)]
    with pytest.raises(PlayerError):
        work.play(deal)


@pytest.mark.usefixtures("bot")
def test_the_same_player_at_all_seats_is_called_once() -> None:
    (name,) = Simulation(("bot.py:Last", "./bot.py:Last:fail=-1"), RULES, seed=3).team()
    assert name.startswith("bot.py:Last:fail=-1 (")


def test_a_store_runs_nobodys_code(bot: Write) -> None:
    bot("raise SystemExit")
    for text in ("bot.py:Last", "./bot.py:Last:fail=3 (0123)", "bot:Last"):
        assert shorten_player(text) == text
        assert shorten_player(f"endgame:budget=100,deck=5/{text}") == f"endgame:deck=5/{text}"
