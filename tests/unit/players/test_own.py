"""Players that do not come with the package: how they are loaded, called, and blamed."""

from __future__ import annotations

import os
import pickle
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hanabi.ground.errors import IllegalActionError, InvalidInputError, PlayerError
from hanabi.ground.rng import Stream
from hanabi.players import Belief, Endgame, FirstLegal, Player, RuleBased, outcomes, parse_player
from hanabi.players.own import Own, own_player
from hanabi.players.registry import as_player, format_player, settle_player
from hanabi.rules import Action, Rules, View, discard

RULES = Rules.hanab_live(2)
BOT = """
from dataclasses import dataclass
from hanabi.rules import discard, play

@dataclass
class Last:
    depth: int = 3
    bold: bool = False
    style: str = "calm"

    def act(self, view, rng):
        return view.legal_actions[-1]

class Plain:
    def __init__(self, share=0.5, weights=(1, 2)):
        self.share = share

    def act(self, view, rng):
        return view.legal_actions[0]

class Needy:
    def __init__(self, model):
        pass

    act = Plain.act

class Broken:
    def __init__(self):
        raise KeyError("no weights")

    act = Plain.act

class Idle:
    pass
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "bot.py").write_text(BOT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


def test_a_file_with_parameters(folder: Path) -> None:
    own = parse_player("./bot.py:Last:depth=5,bold=yes")
    assert isinstance(own, Own)
    assert vars(own.player) == {"depth": 5, "bold": True, "style": "calm"}
    assert own.name.startswith("bot.py:Last:depth=5,bold=yes,style=calm (")
    assert own == parse_player(f"{folder}/bot.py:Last:bold=yes,depth=5")
    assert parse_player("bot.py:Last") != own
    plain = parse_player("bot.py:Plain:share=1")
    assert isinstance(plain, Own)
    assert vars(plain.player) == {"share": 1.0}


def test_a_module_of_the_working_folder(folder: Path) -> None:
    (folder / "own_bots").mkdir()
    (folder / "own_bots/__init__.py").touch()
    (folder / "own_bots/mine.py").write_text("from own_bots.base import Plain\n", encoding="utf-8")
    (folder / "own_bots/base.py").write_text(BOT, encoding="utf-8")
    before = format_player(parse_player("own_bots.mine:Plain"))
    assert before.startswith("own_bots.mine:Plain:share=0.5 (")
    (folder / "own_bots/base.py").write_text(BOT + "# edited\n", encoding="utf-8")
    assert format_player(parse_player("own_bots.mine:Plain")) != before


def test_an_edited_file_is_another_player(folder: Path) -> None:
    before = parse_player("bot.py:Last")
    edited = BOT.replace("legal_actions[-1]", "legal_actions[+0]")  # of the same length
    (folder / "bot.py").write_text(edited, encoding="utf-8")
    after = parse_player("bot.py:Last")
    assert before != after
    assert outcomes(before, RULES, 1, seed=1) != outcomes(after, RULES, 1, seed=1)
    # What was loaded stays what it was, here and where it is sent.
    assert pickle.loads(pickle.dumps(before)) is before


def test_another_process_must_find_the_same_source(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = pickle.dumps(parse_player("bot.py:Last:depth=4"))
    monkeypatch.setattr("hanabi.players.own._loaded", {})
    monkeypatch.chdir("/")
    assert vars(pickle.loads(sent).player)["depth"] == 4
    (folder / "bot.py").write_text(BOT + "# edited\n", encoding="utf-8")
    monkeypatch.setattr("hanabi.players.own._loaded", {})
    with pytest.raises(
        PlayerError, match=r"bot.py:Last:depth=4 is .* here, not .*edited meanwhile"
    ):
        pickle.loads(sent)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("./bot.py", "'./bot.py': name a class, as in ./my_bot.py:MyPlayer"),
        ("./bot.py:", "name a class"),
        ("./bot.py:My-Player", "name a class"),
        ("./no.py:Last", "'./no.py': No such file"),
        (".py:Last", "No such file"),
        ("./folder.py:Last", "'./folder.py': Is a directory"),
        ("bot.py:Lats", "no class 'Lats': did you mean 'Last'? It has Last, Plain, Needy, Br"),
        ("bot.py:discard", "'bot.py' has no class 'discard'"),
        ("bot.py:Idle", "'bot.py:Idle' is not a player: it has no act(view, rng)"),
        ("bot.py:Needy", "'bot.py:Needy': Needy needs model"),
        ("bot.py:Last:deep=1", "'deep': did you mean 'depth'? Its parameters are depth, bold"),
        ("bot.py:Last:depth=x", "Last: depth = 'x' is not a whole number"),
        ("bot.py:Plain:weights=1", "Plain has no parameter 'weights'"),
        ("nowhere.mine:Last", "'nowhere.mine': No module named 'nowhere'"),
        ("json:JSONDecoder", "'json:JSONDecoder' is not a player"),
        ("rule_based:hint=3", "no player 'rule_based:hint=3': did you mean 'rule-based'?"),
        ("endgame/bot.py:Idle", "is not a player"),
    ],
)
def test_what_is_refused(folder: Path, text: str, message: str) -> None:
    (folder / "folder.py").mkdir()
    with pytest.raises(InvalidInputError) as caught:
        parse_player(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x = 1\n1 / 0\n", "bad.py:2: ZeroDivisionError: division by zero"),
        ("def f(:\n", "bad.py:1: SyntaxError: "),
        ("x = '\0'\n", "SyntaxError: source code string cannot contain null bytes"),
        ("import nowhere\n", "bad.py:1: ModuleNotFoundError: No module named 'nowhere'"),
        ("exit(3)\n", "bad.py:1: SystemExit: 3"),
        ("raise ValueError('a\\x1b[2J\\nb')\n", r"bad.py:1: ValueError: a\x1b[2J\nb"),
    ],
)
def test_a_source_that_fails_says_where(folder: Path, source: str, message: str) -> None:
    for text in ("bad.py:Last", "bad:Last"):
        sys.modules.pop("bad", None)
        (folder / "bad.py").write_text(source, encoding="utf-8")
        with pytest.raises(PlayerError) as caught:
            parse_player(text)
        assert message in str(caught.value)


def test_a_constructor_that_fails_says_where(folder: Path) -> None:
    line = BOT[: BOT.index("raise KeyError")].count("\n") + 1
    with pytest.raises(PlayerError, match=rf"^bot.py:{line}: KeyError: 'no weights'$"):
        parse_player("bot.py:Broken")


@dataclass(frozen=True)
class Failing:
    """Fails, from some turn on, as it is told."""

    how: str
    turn: int = 3

    def act(self, view: View, _: Stream, /) -> Action:
        if view.turn < self.turn:
            return view.legal_actions[-1]
        return getattr(self, self.how)(view)  # type: ignore[no-any-return]

    def raises(self, view: View) -> Action:
        return view.legal_actions[1000]

    def misuses(self, view: View) -> Action:
        return discard(int(view.is_playable(None)))  # type: ignore[arg-type]

    def stops(self, _: View) -> Action:
        raise SystemExit("enough")

    def returns_nothing(self, _: View) -> None:
        return None

    def returns_half(self, _: View) -> Action:
        return discard(None)  # type: ignore[arg-type]

    def cheats(self, _: View) -> Action:
        return discard(17)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("raises", "test_own.py:{}: IndexError: tuple index out of range"),
        ("misuses", "test_own.py:{}: TypeError: cannot unpack non-iterable NoneType object"),
        ("stops", "test_own.py:{}: SystemExit: enough"),
    ],
)
@pytest.mark.parametrize("wrap", [lambda player: player, Endgame])
def test_what_a_player_fails_at_is_told(how: str, message: str, wrap: type[Endgame]) -> None:
    line = getattr(Failing, how).__code__.co_firstlineno + 1
    with pytest.raises(PlayerError) as caught:
        outcomes(wrap(Failing(how)), RULES, 6, seed=8, first=5)
    told = str(caught.value)
    assert told.startswith("seed 8, deal 5: turn 4, seat 1: ")
    assert told.endswith(message.format(line))
    assert "\n" not in told


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("returns_nothing", "turn 4, seat 1: None is not an action"),
        ("returns_half", "turn 4, seat 1: Action(kind=<Kind.DISCARD: 1>, target=None, va"),
        ("cheats", "turn 4, seat 1 cannot discard slot 17: the seat holds 5 cards, from slot 0"),
    ],
)
def test_what_a_player_may_not_do_is_told(how: str, message: str) -> None:
    with pytest.raises(IllegalActionError) as caught:
        outcomes(Failing(how), RULES, 1, seed=8, repeat=2)
    assert str(caught.value).startswith(f"seed 8, deal 0, repeat 2: {message}")


def test_failures_of_the_package_pass_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> Action:
        raise ZeroDivisionError

    monkeypatch.setattr(FirstLegal, "act", fail)
    with pytest.raises(ZeroDivisionError):
        outcomes(FirstLegal(), RULES, 1, seed=1)


class Helped:
    """Keeps what cannot be told in a name."""

    def __init__(self, inner: object) -> None:
        self.inner = inner

    def act(self, view: View, _: Stream, /) -> Action:
        return view.legal_actions[0]


def test_objects_are_called_by_source_and_state() -> None:
    name = own_player(Failing("cheats")).name
    assert ".test_own:Failing:" in name
    assert name == own_player(Failing("cheats")).name
    names = {
        name,
        own_player(Failing("cheats", turn=4)).name,
        own_player(Helped(RuleBased())).name,
        own_player(Helped(RuleBased(hint=2))).name,
        own_player(Helped(3)).name,
    }
    assert len(names) == 5
    with pytest.raises(InvalidInputError, match="Helped holds what cannot be pickled"):
        own_player(Helped(lambda: 0))


def test_a_class_without_a_source_is_called_anew_in_each_process() -> None:
    def typed() -> Player:
        names: dict[str, Any] = {"__name__": __name__}
        exec(compile(BOT, "<stdin>", "exec"), names)
        return names["Plain"]()  # type: ignore[no-any-return]

    first = typed()
    assert own_player(first).name == own_player(first).name != own_player(typed()).name


def test_what_stands_for_a_player() -> None:
    assert as_player("random") == parse_player("random")
    assert as_player(FirstLegal) == FirstLegal()
    assert settle_player("endgame/random") == "endgame/random"
    assert settle_player(RuleBased(hint=2)) == RuleBased(hint=2)
    helped = Helped(1)
    settled = settle_player(Endgame(helped))
    assert isinstance(settled, Endgame)
    assert settled.player == own_player(helped) == settle_player(own_player(helped))
    assert format_player(settled).endswith(f"/{own_player(helped).name}")
    for nobody in (3, int, "nobody"):
        with pytest.raises(InvalidInputError, match=r"(no|not a) player"):
            as_player(nobody)  # type: ignore[arg-type]


REMEMBERING = """
import random

class Counting:
    def __init__(self):
        self.turns = 0

    def act(self, view, rng):
        self.turns += 1
        return view.legal_actions[-1 if self.turns % 5 else 0]

class Listing:
    def act(self, view, rng):
        if view.turn < 2:
            self.seen = []
        self.seen.append(view.turn)
        return view.legal_actions[-1]

class Gambling:
    def act(self, view, rng):
        return random.choice(view.legal_actions)

class LaterGames:
    games = 0

    def act(self, view, rng):
        self.games += view.turn < 2
        return view.legal_actions[-1 if self.games < 4 else 0]

class Lazy:
    net = None
    made = 0

    def __init__(self):
        Lazy.made += 1

    def act(self, view, rng):
        if self.net is None:
            self.net = [rng.state, view]
        return view.legal_actions[rng.below(len(view.legal_actions))]
"""


@pytest.fixture
def remembering(folder: Path) -> Path:
    (folder / "memory.py").write_text(REMEMBERING, encoding="utf-8")
    return folder


@pytest.mark.parametrize("wrap", ["", "endgame:budget=1,deck=0/"])
@pytest.mark.parametrize(("name", "turn"), [("Counting", None), ("Gambling", None)])
def test_a_player_that_remembers_is_refused(
    remembering: Path, name: str, turn: int | None, wrap: str
) -> None:
    own = parse_player(f"{wrap}memory.py:{name}")
    told = rf"^seed 3, deal 7: turn \d+, seat [01]: memory.py:{name} \(\w+\) chose .*, and a fresh"
    for _ in range(2):  # to be refused once is not to be known
        with pytest.raises(PlayerError, match=told) as caught:
            outcomes(own, RULES, 2, seed=3, first=7)
    assert "a player may keep nothing between turns" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_fresh_player_that_fails_is_told(remembering: Path) -> None:
    """One that only the first turns prepare has not seen them."""
    with pytest.raises(PlayerError, match=r"turn \d+, seat .* and a fresh one fails \(turn .*seen"):
        outcomes(parse_player("memory.py:Listing"), RULES, 1, seed=3)


def test_later_games_are_asked_again_too(remembering: Path) -> None:
    own = parse_player("memory.py:LaterGames")
    assert isinstance(own, Own)
    assert len(outcomes(own, RULES, 2, seed=3)) == 2
    with pytest.raises(PlayerError, match="seed 3, deal 9: turn"):
        outcomes(own, RULES, 8, seed=3, first=2)
    with pytest.raises(PlayerError, match="seed 3, deal 9: turn"):
        outcomes(own_player(type(own.player)()), RULES, 20, seed=3)


def test_what_changes_no_decision_is_no_error(remembering: Path) -> None:
    """A network that is loaded late, and the same stream for whoever is asked again."""
    own = parse_player("memory.py:Lazy")
    assert isinstance(own, Own)
    kind = type(own.player)
    found = outcomes(own, RULES, 12, seed=5)
    assert kind.made == 3  # type: ignore[attr-defined]  # one to play, one for the 1st and the 10th
    assert outcomes(own, RULES, 12, seed=5) == found
    assert outcomes(kind(), RULES, 12, seed=5) == found


def test_objects_are_copied_before_they_are_asked() -> None:
    class Uncopied(Helped):
        turns = 0

        def __deepcopy__(self, _: object) -> Player:
            raise TypeError

        def act(self, view: View, _: Stream, /) -> Action:
            self.turns += 1
            return view.legal_actions[-1 if self.turns % 5 else 0]

    with pytest.raises(PlayerError, match=r"Uncopied chose .* and a fresh one chose"):
        outcomes(Uncopied(1), RULES, 1, seed=5)


class Strange(Failing):
    """Fails in ways of which nobody thinks."""

    def textless(self, _: View) -> Action:
        class TextlessError(Exception):
            def __str__(self) -> str:
                raise ValueError

        raise TextlessError

    def leaves(self, _: View) -> Action:
        raise GeneratorExit

    def ends(self, _: View) -> Action:
        class EndError(BaseException):
            pass

        raise EndError("enough")

    def exits(self, _: View) -> Action:
        os._exit(0)

    def shows_nothing(self, _: View) -> object:
        class Shy:
            code = property(lambda _: 1 // 0)

            def __repr__(self) -> str:
                raise ValueError

        return Shy()


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("textless", ": TextlessError: its text raises ValueError"),
        ("leaves", ": GeneratorExit"),
        ("ends", ": EndError: enough"),
        ("exits", ": SystemExit: os._exit(0)"),
    ],
)
def test_no_failure_passes_unnamed(how: str, message: str) -> None:
    end = os._exit
    with pytest.raises(PlayerError) as caught:
        outcomes(Strange(how), RULES, 1, seed=8)
    told = str(caught.value)
    assert told.startswith("seed 8, deal 0: turn 4, seat 1: ")
    assert told.endswith(message)
    assert "test_own.py:" in told
    assert os._exit is end


def test_what_cannot_be_shown_is_no_action_either() -> None:
    with pytest.raises(IllegalActionError, match=r"turn 4, seat 1: Shy\(\.\.\.\) is not an action"):
        outcomes(Strange("shows_nothing"), RULES, 1, seed=8)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
def test_processes_that_a_player_forks_end_as_they_would() -> None:
    class Forking(Helped):
        def act(self, view: View, _: Stream, /) -> Action:
            child = os.fork()
            if child == 0:
                os._exit(7)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
            return view.legal_actions[0]

    assert len(outcomes(Forking(1), RULES, 1, seed=8)) == 1


def test_interrupts_pass() -> None:
    class Interrupted(Helped):
        def act(self, _: View, __: Stream, /) -> Action:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        outcomes(Interrupted(1), RULES, 1, seed=8)


def test_belief_says_what_a_player_declares(folder: Path) -> None:
    for player in (parse_player("bot.py:Last"), Helped(1)):
        with pytest.raises(InvalidInputError) as caught:
            outcomes(Belief(player), RULES, 1, seed=8)
        assert "compiled(rules)" in str(caught.value)
