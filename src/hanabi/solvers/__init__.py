"""Exact questions about the full game: winning a real deck, chances at the end, hint partitions."""

from hanabi.doors import open_door

TYPE_CHECKING = False
if TYPE_CHECKING:
    # fmt: off
    from hanabi.solvers.draws.seat import Hands, Judged, Judgement, judge
    from hanabi.solvers.draws.solver import (
        ActionChances, Chances, DEFAULT_MEMORY as CHANCES_MEMORY, Range, check_rules, dead_classes,
        is_plain, open_chances, orders_of, search_depth,
    )
    from hanabi.solvers.hints.kernels import scratch_size, start_scratch
    from hanabi.solvers.hints.partition import Method, find_partition, partition_many
    from hanabi.solvers.hints.picture import reasons_in_words
    from hanabi.solvers.hints.possibilities import PossibilityTable, Side
    from hanabi.solvers.winnable.fewest import FewestTurns, fewest_turns, turns_lost
    from hanabi.solvers.winnable.images import images, only_image
    from hanabi.solvers.winnable.pace import Refutation, refute_points
    from hanabi.solvers.winnable.position import Goal, Line, Position, cards_of, highest_goal
    from hanabi.solvers.winnable.reasons import explain, reasons_of, what_is_short, why_lost
    from hanabi.solvers.winnable.sat import GameCertificate, encode, write_dimacs
    from hanabi.solvers.winnable.search import Workspace, labelled
    from hanabi.solvers.winnable.solver import DEFAULT_MEMORY, decide_game, solve, warm_up
    from hanabi.solvers.winnable.timeline import Lost, Prospect, find_lost, prospect, timeline

open_door(__name__)
