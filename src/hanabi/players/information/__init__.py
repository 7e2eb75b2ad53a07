"""The information player, whose every hint informs every other seat about its hand.

Each seat has an answer, a number that follows from its hand and from public knowledge. A hint
encodes the sum of all other seats' answers, modulo the number of messages that hints carry. Each
seat sees the other hands, subtracts their answers, and is left with its own. So one hint informs
all seats at once, and its content becomes public: seats differ only in the hand that they do not
see. This is hat guessing, as in Cox et al. (Mathematics Magazine 88, 2015) and Bouzy (Advances in
Computer Games, 2017); codes, questions and choices are of our own design.

The literal meaning of hints counts as well. Two choices carry information for free: which of
several useless cards to discard, and which of several playable cards to play.

`docs/information.md` describes the whole method; the work is done in compiled code.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from hanabi.ground import counted
from hanabi.rules import instead
from hanabi.rules import Action
from hanabi.rules import View
from hanabi.rules import Seat, joined, say
from hanabi.players.compiled import PolicyPlayer, Thinking, slots_in
from hanabi.rules import check_ranges, refuse_kinds, refuse_rules

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from hanabi.rules import Rules
    from hanabi.players.information.kernels.policy import InformationPolicy

__all__ = ["Information", "weights_of"]

_SCALE = 1024

# Values of questions, knowledge and tokens, in thousandths of the value of revealing a seat's only
# playable card; paces are in eighths of a card. Tuned on deals that no reported number uses.
_WEIGHTS = {
    "ASK_PLAYABLE": 85,
    "ASK_ANOTHER": 50,
    "ASK_DEAD": 20,
    "ASK_CRITICAL": 20,
    "ASK_NEARER": 20,
    "ASK_NEAR": 15,
    "ASK_COLOR": 15,
    "ASK_WHICH": 20,
    "GAIN_FIRST": 1000,
    "GAIN_ANOTHER": 300,
    "GAIN_DEAD": 60,
    "GAIN_BIT": 2,
    "TOKEN": 100,
    "TOKEN_SLOPE": 0,
    "LOSS_CRITICAL": 1500,
    "LOSS_SPARE": 12,
    "LOSS_SEEN": 60,
    "PACE": 42,
    "PACE_UNSEEN": 2,
    "LOSS_PACE": 300,
    "GAIN_RISK": 700,
    "LOSS_RISK": 2000,
    "FOLLOW": 100,
    "CHAIN": 20,
}
# Weights that depend on the number of seats.
_BY_SEATS: dict[int, dict[str, int]] = {
    2: {
        "ASK_CRITICAL": 40,
        "GAIN_BIT": 4,
        "LOSS_CRITICAL": 750,
        "LOSS_SEEN": 30,
        "TOKEN_SLOPE": 30,
        "PACE": 40,
        "PACE_UNSEEN": 0,
    },
    3: {"PACE": 34},
    4: {"PACE": 34},
    5: {"TOKEN": 150},
}
_MOST_KINDS = 62  # sets of cards are bits of a word
_MOST_SEATS_TELLING_BY_PLAY = 3  # more seats gain more from the best order of plays


def weights_of(rules: Rules) -> dict[str, int]:
    """Return the weights for a rule set: words of the compiled options, by name.

    >>> from hanabi.rules import Rules
    >>> weights_of(Rules.official(3))["PACE"]
    34
    """
    return _WEIGHTS | _BY_SEATS.get(rules.seats, {})


@dataclass(frozen=True, slots=True)
class Information(PolicyPlayer):
    """Inform all seats at once: each message encodes the sum of their answers.

    Attributes
    ----------
    likely
        The least probability, by public knowledge, that a message can be given. Lower values make
        more messages, but a seat that cannot give the required message has to do something else. 0
        stands for the best value for the number of seats.
    full
        The same while all hint tokens are available, when nobody may discard.
    messages
        The most messages of one kind of hint, colors or ranks, to one seat; 1 distinguishes only
        kinds and seats. If hints may be empty, any other number means one message per value.
    exact
        Whether to take sums modulo the number of messages, instead of the largest power of two in
        it.
    discards
        Whether the choice among discards publicly known to be useless carries information.
    plays
        Whether the choice among cards publicly known to be playable carries information, at tables
        of two or three; with more seats the order of plays matters more.
    partition
        Whether messages are the parts of a maximum hint partition [ODwyer2018], each certain to
        contain a legal hint, instead of the cards touched. 0: never; 1: to recipients for whom this
        makes at least as many messages; 2: to all, so that `likely`, `full` and `messages` have no
        effect. Needs at most 12 colors and ranks together and hands of at most 8 cards. Has no
        effect if hints may be empty, for then each value is a part.

    Raises
    ------
    InvalidInputError
        If a chance is not in 0..1, `messages` is not positive or `partition` not in 0..2.

    >>> from hanabi.rules import Game, Rules
    >>> from hanabi.ground.rng import Stream
    >>> rules = Rules.hanab_live(4)
    >>> game = Game.start(rules, rules.spec.shuffle(seed=1))
    >>> print(Information().act(game.view(0), Stream(1)))
    hint 4 to seat 1
    """

    needs_same_partners: ClassVar[bool] = True
    draws_nothing: ClassVar[bool] = True

    likely: float = 0.0
    full: float = 0.986
    messages: int = 9
    exact: bool = True
    discards: bool = True
    plays: bool = True
    partition: int = 0

    def __post_init__(self) -> None:
        check_ranges(self, likely=(0, 1), full=(0, 1), messages=(1, None), partition=(0, 2))

    def likely_for(self, rules: Rules, /) -> float:
        """Return the least probability that a message can be given, at this table.

        >>> from hanabi.rules import Rules
        >>> Information().likely_for(Rules.official(2)), Information(0.5).likely_for(Rules.hle(3))
        (0.596, 0.5)
        """
        return self.likely or (0.596 if rules.seats == 2 else 0.889)

    def compiled(self, rules: Rules, /) -> InformationPolicy:
        """Return the compiled policy.

        Raises
        ------
        InvalidInputError
            If the rules have more than 62 different cards.
        """
        import numpy as np

        from hanabi.players.information.kernels import knowledge as k
        from hanabi.players.information.kernels.policy import InformationPolicy

        refuse_rules(
            rules, "information", unless=frozenset({"half_tokens"}), needs_plain_clues=True
        )
        refuse_kinds(rules, "information", _MOST_KINDS)
        words = np.zeros(k.OPTIONS, np.int64)
        words[k.LIKELY] = round(self.likely_for(rules) * _SCALE)
        words[k.LIKELY_FULL] = round(self.full * _SCALE)
        words[k.MOST_MESSAGES] = self.messages
        words[k.EXACT] = self.exact
        words[k.TELL_BY_DISCARD] = self.discards
        words[k.TELL_BY_PLAY] = self.plays and rules.seats <= _MOST_SEATS_TELLING_BY_PLAY
        for name, weight in weights_of(rules).items():
            words[getattr(k, name)] = weight
        table = _table_of(rules) if self.partition else words[:0]
        words[k.PARTITION] = self.partition if table.size else 0
        return InformationPolicy(np.concatenate((words, table)))

    def _explain(self, at: Thinking, action: Action) -> str:
        import numpy as np

        from hanabi.players.information.kernels import policy as k

        found = np.zeros(k.SLOTS + 2 * at.view.rules.seats, np.int64)
        k.explain(at.policy, at.position, at.memory, action.code, at.scratch, found)
        words = found.tolist()
        chosen = Action.from_code(words[k.OWN])
        if chosen != action:
            return instead(at.view, chosen, self._explain(at, chosen))
        reason = ""
        match words[k.REASON]:
            case k.SURE:
                reason = "certain to be playable"
            case k.RISK:
                reason = f"playable with chance {words[k.CHANCE] / k.SCALE:.2f}"
            case k.DISCARD:
                is_useless = words[k.MESSAGES] > 1
                reason = "useless" if is_useless else "the discard that loses least"
            case k.FORCED:
                reason = "nothing better is legal"
        told = _told(at.view, words) if words[k.MESSAGES] > 1 or action.is_hint else ""
        return joined("; ", filter(None, (reason, told)))


def _told(view: View, found: list[int]) -> str:
    """Return the message of an action in words, from what `kernels.policy.explain` found."""
    from hanabi.players.information.kernels import policy as k

    message = f"message {found[k.SAID] + 1} of {found[k.MESSAGES]}"
    if found[k.SAID] != found[k.TRUE]:
        return f"{message}, which the others misread: message {found[k.TRUE] + 1} is true"
    parts = []
    for turn in range(1, view.rules.seats):
        seat = (view.seat + turn) % view.rules.seats
        playable, useless = found[k.SLOTS + 2 * seat : k.SLOTS + 2 * seat + 2]
        does = [say("plays {}", slots_in(seat, playable))] if playable else []
        does += [say("discards {}", slots_in(seat, useless))] if useless else []
        if does:
            parts.append(say("{} {}", Seat(seat), joined(" and ", does)))
    if not parts:
        return f"{message}: {counted(found[k.NARROWED], 'card')} better known"
    return say("{}: {}", message, joined(", ", parts))


@lru_cache(maxsize=16)
def _table_of(rules: Rules) -> npt.NDArray[np.int64]:
    """Return the scratch for partitions of hands, or no words if they cannot be partitioned."""
    import numpy as np

    from hanabi.rules import pack_rules
    from hanabi.solvers import scratch_size, start_scratch
    from hanabi.players.information.kernels.knowledge import can_partition

    if not can_partition(pack_rules(rules)):
        return np.zeros(0, np.int64)
    colors, ranks = rules.colors, rules.ranks
    touched = [1 << color | 1 << colors + rank for color in range(colors) for rank in range(ranks)]
    table = np.zeros(scratch_size(colors * ranks, colors + ranks), np.int64)
    start_scratch(np.array(touched, np.int64), colors + ranks, table)
    return table
