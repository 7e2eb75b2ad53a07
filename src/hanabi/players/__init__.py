"""Players: agents that see a view and return an action, and the arena where they play."""

from hanabi.doors import open_door

TYPE_CHECKING = False
if TYPE_CHECKING:
    # fmt: off
    from hanabi.players.arena import (
        Scores, Tally, decision_seed, outcome_of, outcomes, play_deal, play_team, record_team,
        simulate, team_of,
    )
    from hanabi.players.baselines import FirstLegal, RandomLegal
    from hanabi.players.belief import Agreement, Belief, draw_beliefs
    from hanabi.players.cheating import Cheating
    from hanabi.players.compiled import (
        borrow, deals_of, keep_game, new_record, play_deals, play_decks,
    )
    from hanabi.players.convention import Convention
    from hanabi.players.endgame import Endgame
    from hanabi.players.information import Information
    from hanabi.players.kernels import policy
    from hanabi.players.kernels.games import Record
    from hanabi.players.kernels.trials import open_trial, play_out
    from hanabi.players.monte_carlo import MonteCarlo, Rollouts, Uct
    from hanabi.players.open_hands import OpenHands
    from hanabi.players.own import Own, decide_watched, fresh_player, module_of
    from hanabi.players.partners.chances import SeatChances, seat_chances
    from hanabi.players.partners.playouts import (
        InterruptedPlayOuts, MOST_GAMES, PlayedOut, PlayOuts, play_outs,
    )
    from hanabi.players.process import PREFIX, Process, SECONDS, with_terms
    from hanabi.players.protocol import (
        CompiledPlayer, Player, Policy, blaming, blaming_policy, inner_of, play_game, shown, turns,
        why, why_of,
    )
    from hanabi.players.registry import (
        ENTRIES, PLAYERS, WRAPPERS, as_player, compile_team, format_player, package_player,
        parse_player, settle_player,
    )
    from hanabi.players.renamed import MOST_SUITS, best_player, renamed_outcomes
    from hanabi.players.rule_based import RuleBased
    from hanabi.players.rule_lists import Flawed, Iggi, Outer, Piers, VanDenBergh
    from hanabi.players.smart import Smart

__all__ = [
    "PLAYERS",
    "Belief",
    "Cheating",
    "Convention",
    "Endgame",
    "FirstLegal",
    "Flawed",
    "Iggi",
    "Information",
    "MonteCarlo",
    "OpenHands",
    "Outer",
    "Piers",
    "Player",
    "RandomLegal",
    "Rollouts",
    "RuleBased",
    "Scores",
    "Smart",
    "Tally",
    "Uct",
    "VanDenBergh",
    "outcomes",
    "parse_player",
    "play_game",
    "simulate",
    "why",
]

open_door(__name__)
