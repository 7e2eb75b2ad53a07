"""A player that does what people do, by a model fitted to their games."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from hanabi.conventions import mind_of
from hanabi.ground import InvalidInputError, Stream, did_you_mean, quote
from hanabi.people.features import LEVELS, features_of
from hanabi.people.model import DEFAULT, Model, read_model
from hanabi.rules import Action, Kind, View, check_action, check_ranges, instead, say

__all__ = ["People"]

_CHOICES = ("likely", "sample")
_UNIT = 1 << 53


@lru_cache(maxsize=8)
def _loaded(path: Path, _: object) -> tuple[Model, str]:
    """Return a model, and a digest of its file; the second argument changes with the file."""
    return read_model(path), hashlib.sha256(path.read_bytes()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class People:
    """Choose as people do, by the chances that a model fitted to their games gives to each action.

    Attributes
    ----------
    choice
        `likely`: the likeliest action of the likeliest kind (play, discard or hint), as one of many
        similar hints may be less likely than a play that hardly anybody would make. `sample`: an
        action drawn by the chances.
    temperature
        Above 1, the chances become more equal; below 1, less.
    careful
        With the last life left, choose no play that `hgroup` would not dare at level 11. People are
        seldom seen with their last life, so the model alone plays too boldly there. It changes
        neither `sample` nor the chances.
    weights
        A file that `hanabi people fit` wrote; empty for the weights of this package.

    Raises
    ------
    InvalidInputError
        If there is no such choice, the temperature is not in 0.05 .. 20, or the file holds no
        weights.

    >>> from hanabi.rules import Game, Rules
    >>> rules = Rules.hanab_live(3)
    >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    >>> People().act(view, Stream(1)).is_hint
    True
    """

    files: ClassVar[tuple[str, ...]] = ("weights",)  # parameters that name files

    choice: str = "likely"
    temperature: float = 1.0
    careful: bool = True
    weights: str = ""

    def __post_init__(self) -> None:
        if self.choice not in _CHOICES:
            meant = did_you_mean(self.choice, _CHOICES, "there are")
            raise InvalidInputError(f"no choice {quote(self.choice)}{meant}")
        check_ranges(self, temperature=(0.05, 20))
        if self.weights:
            self._loaded()  # refuses a bad file before any game

    def _loaded(self) -> tuple[Model, str]:
        path = Path(self.weights) if self.weights else DEFAULT
        try:
            status = path.stat()
        except (OSError, ValueError):
            raise InvalidInputError(f"no file of weights {quote(self.weights)}") from None
        return _loaded(path, (status.st_mtime_ns, status.st_size))

    @property
    def model(self) -> Model:
        """The model, with what it was fitted to."""
        return self._loaded()[0]

    @property
    def revision(self) -> str:
        """A digest of the weights, so that no store mixes games by different ones."""
        return self._loaded()[1]

    @property
    def draws_nothing(self) -> bool:
        """Whether it is deterministic."""
        return self.choice == "likely"

    def act(self, view: View, rng: Stream, /) -> Action:
        """Return the likely action, or one drawn by the chances."""
        chances = self.chances(view)
        if self.choice == "sample":
            drawn = rng.below(_UNIT) / _UNIT
            for action, chance in chances.items():
                drawn -= chance
                if drawn < 0:
                    return action
        return self._likely(view, chances)

    def chances(self, view: View, /) -> dict[Action, float]:
        """Return the chance that people take each legal action, by the model.

        With `choice=sample`, `act` draws by these chances, with `likely` it does not. What others
        weigh by chances is what people would do, either way.

        >>> from hanabi.rules import Game, Rules
        >>> rules = Rules.hanab_live(3)
        >>> view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
        >>> round(sum(People().chances(view).values()), 9)
        1.0
        """
        found = self.model.chances(features_of(view), self.temperature)
        return dict(zip(view.legal_actions, found.tolist(), strict=True))

    def ranked(self, view: View) -> tuple[Action, ...]:
        """Return all legal actions, the likeliest first."""
        chances = self.chances(view)
        return tuple(sorted(chances, key=lambda action: -chances[action]))

    def why(self, view: View, action: Action, /) -> str:
        """Return which share of people would take an action, in one sentence."""
        check_action(view, action)
        chances = self.chances(view)
        best = self._likely(view, chances)
        reason = say("{} % of people would, by the model", round(100 * chances[action]))
        if action == best or self.choice == "sample":
            return reason
        first = say("{} % of people would, by the model", round(100 * chances[best]))
        return instead(view, best, first)

    def _likely(self, view: View, chances: dict[Action, float]) -> Action:
        """Return the likeliest action of the likeliest kind."""
        if self.careful and view.lives == 1:
            mind, slots = mind_of(view, LEVELS[-1]), view.hand_indices[view.seat]
            dared = {order for order in mind.plays(view.seat) if mind.dares(order)}
            chances = {
                action: chance
                for action, chance in chances.items()
                if action.kind is not Kind.PLAY
                or (not action.is_from_deck and slots[action.target] in dared)
            } or chances
        sums = dict.fromkeys(Kind, 0.0)
        for action, chance in chances.items():
            sums[_kind(action)] += chance
        most = max(sums, key=sums.__getitem__)
        return max((each for each in chances if _kind(each) is most), key=chances.__getitem__)


def _kind(action: Action) -> Kind:
    """Return the kind of an action, one for all hints."""
    return Kind.HINT_COLOR if action.is_hint else action.kind
