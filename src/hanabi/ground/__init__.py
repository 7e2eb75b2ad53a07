"""The ground: errors, clocks, random streams, the compiler, workers, SAT, SVG. No card game."""

from hanabi.doors import open_door

TYPE_CHECKING = False
if TYPE_CHECKING:
    # fmt: off
    from hanabi.ground.clock import Clock, DEFAULT_SECONDS, NO_LIMIT
    from hanabi.ground.compiled import RandomStream, Words, jit, jit_inline
    from hanabi.ground.compiled.cache import cache_problem
    from hanabi.ground.compiled.parts import Kernel
    from hanabi.ground.compiled.rng import below, seed_stream, split, word
    from hanabi.ground.compiling import COMPILING
    from hanabi.ground.errors import (
        BudgetEndedError, HanabiError, IllegalActionError, InvalidInputError, MissingPackageError,
        ParameterError, PlayerError, SolverError, StoreError, closest, counted, did_you_mean,
        naming, printable, quote, short_name, without_package,
    )
    from hanabi.ground.rng import Stream
    from hanabi.ground.sat import dimacs
    from hanabi.ground.sat.cardinality import IncrementalTotalizer, at_most
    from hanabi.ground.sat.check import check_proof
    from hanabi.ground.sat.cnf import ClauseBuilder, Cnf
    from hanabi.ground.sat.engine import Engine, SatResult, Satisfiability, solve_here
    from hanabi.ground.sat.process import decide, race
    from hanabi.ground.sources import digest_of, sources_below
    from hanabi.ground.svg.board import Parts, draw_board, draw_parts, draw_solitaire
    from hanabi.ground.svg.cards import (
        HEIGHT, SMALL_HEIGHT, SMALL_WIDTH, WIDTH, card, numbered, small,
    )
    from hanabi.ground.svg.charts import draw_curve, draw_grid, draw_scores
    from hanabi.ground.svg.looks import SHAPES, SuitLook, hue_color, looks_of, numbered_look
    from hanabi.ground.svg.markup import Pictured, STYLE, Sheet, number, part, use
    from hanabi.ground.svg.records import (
        Arc, Arcs, Board, Bracket, CardFace, Curve, DiscardedCard, Grid, HandPicture, Lane, Moment,
        PilePicture, Scores, SmallCard, SolitaireBoard, Strip, StripGroup,
    )
    from hanabi.ground.svg.strip import draw_arcs, draw_strip
    from hanabi.ground.tables import (
        Cell, GAP, aligned, csv_table, markdown_table, rounded, shortened, text_table, write_csv,
    )
    from hanabi.ground.verdict import Status, Verdict
    from hanabi.ground.workers import bare
    from hanabi.ground.workers.child import BareProcess
    from hanabi.ground.workers.dispatch import Dispatcher
    from hanabi.ground.workers.pool import Pool, cores, open_executor
    from hanabi.ground.workers.workshop import Job, Line, Report, State, Workshop

open_door(__name__)
