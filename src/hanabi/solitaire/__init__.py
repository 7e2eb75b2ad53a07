"""Solitaire Hanabi: its solvers, what is hard about it, and how many streams can be won."""

from hanabi.doors import open_door

TYPE_CHECKING = False
if TYPE_CHECKING:
    # fmt: off
    from hanabi.solitaire.certificate import Certificate, Weights, find_flaw
    from hanabi.solitaire.counting import vector
    from hanabi.solitaire.counting.generating import (
        Budget, MOST_MEMORY, UncountedError, good, refuse_absurd,
    )
    from hanabi.solitaire.counting.least_hand import (
        exact_law, mean_spare_of_one_color, sample_least_hands, sample_limits, share_held,
        share_held_of_two_values,
    )
    from hanabi.solitaire.counting.playability import (
        Point, count_winnable, curve_of, estimate_curve, least_hands, normal_reach, shuffled_decks,
        sure_hand, wilson,
    )
    from hanabi.solitaire.counting.vector import expand_groups, parse_groups
    from hanabi.solitaire.hardness.annotation import Annotation, SETS
    from hanabi.solitaire.hardness.certificates import (
        DEFAULT_VARIANT, Reading, decide_by_cards, read_play,
    )
    from hanabi.solitaire.hardness.explain import (
        describe as describe_gadgets, gadget_at, looks_of_reduction, meaning_name, title_of_cards,
    )
    from hanabi.solitaire.hardness.formula import Assignment, Formula, read_dimacs
    from hanabi.solitaire.hardness.graph import Graph, read_graph
    from hanabi.solitaire.hardness.reduction import (
        GRAPH_VARIANTS, Reduction, ReductionName, normal_form, reduce,
    )
    from hanabi.solitaire.instance import Instance
    from hanabi.solitaire.layers import Layers
    from hanabi.solitaire.loops import COMPILED_FROM
    from hanabi.solitaire.optima import (
        FewestCards, LeastHand, MostCards, fewest_cards, least_hand, most_cards,
    )
    from hanabi.solitaire.paths import certify as certify_by_paths, describe as describe_paths
    from hanabi.solitaire.picture import Looks, arcs_of, boards_of, strip_of, strip_of_play
    from hanabi.solitaire.play import (
        BrokenRule, DrawAction, Move, Play, find_broken_rule, verify_play,
    )
    from hanabi.solitaire.sat import StreamCertificate, certify as certify_by_sat, encode
    from hanabi.solitaire.solver import Method, solve
    from hanabi.solitaire.streams import all_streams
    from hanabi.solitaire.windows import (
        Ways, Window, cheapest_windows, describe as describe_windows, ways_of, windows_of,
    )

__all__ = [
    "BrokenRule",
    "DrawAction",
    "FewestCards",
    "Instance",
    "LeastHand",
    "MostCards",
    "Move",
    "Play",
    "all_streams",
    "fewest_cards",
    "find_broken_rule",
    "least_hand",
    "most_cards",
    "solve",
    "verify_play",
]

open_door(__name__)
