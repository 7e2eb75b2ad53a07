"""The rules of Hanabi: cards, decks, games, views, variants, and the forms they are written in."""

from hanabi.doors import open_door

TYPE_CHECKING = False
if TYPE_CHECKING:
    # fmt: off
    from hanabi.rules.acting import check_action, check_turn, instead
    from hanabi.rules.actions import (
        Action, Kind, action_of, discard, discard_deck, hint_color, hint_rank, play, play_deck,
    )
    from hanabi.rules.cards import (
        COLOR_LETTERS, COLOR_NAMES, Card, format_card, format_cards, format_color,
    )
    from hanabi.rules.config import (
        DEFAULT_PRESET, PRESETS, Rules, choose_rules, read_rules, rules_for_variant,
        rules_from_json, rules_of_json, rules_to_json,
    )
    from hanabi.rules.deck import Deck, DeckSpec, STANDARD_COPIES
    from hanabi.rules.events import Event, Hint, History
    from hanabi.rules.figures import (
        BottomDeck, Efficiency, PaceRisk, bottom_decked, efficiencies, pace, pace_of, pace_risk,
    )
    from hanabi.rules.kernels.deals import Deals
    from hanabi.rules.kernels.facts import (
        cards_hinted, cards_known, clues_of, code_at, copies_kept, copies_left, copies_of,
        deck_left, first_hint, has_hint, height_of, hintable, index_at, is_hintable, is_inverted,
        is_next, known_at, last_rank, mask_of, may_discard, most_points, n_held, next_ranks,
        ranks_to_come, reach, touched_slots,
    )
    from hanabi.rules.kernels.legal import legal_actions
    from hanabi.rules.kernels.packed import (
        Packed, action_code, card_code, card_of, clue_bit, color_of, is_hint, kind_of, most_turns,
        rank_of, target_of, value_of,
    )
    from hanabi.rules.kernels.rules import apply, deal_from, find_end, score, step
    from hanabi.rules.notation.bulk import BulkInput, move_pieces, parse_bulk
    from hanabi.rules.notation.datasets import games_of_arrays, read_tensors
    from hanabi.rules.notation.files import (
        MOST_BYTES, is_row, lines_of, plain_name, rest_of, too_long, unpacked,
    )
    from hanabi.rules.notation.hanab_live import (
        DEFAULT_NAMES, HINTS, OPTIONS_THAT_CHANGE_PLAY, actions_from_json, check_options,
        game_of_seed, game_to_json, rank_from_site,
    )
    from hanabi.rules.notation.json_forms import (
        deck_to_json, parse_play, solitaire_from_json, solitaire_to_json,
    )
    from hanabi.rules.notation.links import (
        export_needed, format_link, is_link, link_note, parse_actions, parse_link, seed_of_link,
        stored_game,
    )
    from hanabi.rules.notation.position import format_position, position_to_json
    from hanabi.rules.notation.record import (
        DeckInput, GameRecord, Hands, MOST, PLAYER_COUNTS, PositionInput, RecordedAction,
        SolitaireInput,
    )
    from hanabi.rules.notation.sniff import decode, is_dimacs, is_graph, parse_input
    from hanabi.rules.notation.strict_json import (
        as_array, as_integer, as_items, as_object, as_text, is_integer, is_object, load,
        refuse_typos, show,
    )
    from hanabi.rules.notation.text import format_text
    from hanabi.rules.packing import pack_deck, pack_rules, unpack_deck
    from hanabi.rules.parameters import (
        check_ranges, defaults_of, missing_parameters, need_open_hands, parameters_of,
        read_parameters, refuse_kinds, refuse_rules, takes_text, write_parameters,
    )
    from hanabi.rules.picture import (
        backs_of, board_of, names_of, status_of, strip_of_line, svg_of,
    )
    from hanabi.rules.position import position_of
    from hanabi.rules.problem import (
        GameProblem, find_link, is_as_played, link_of, pose_deck, pose_game, posed,
    )
    from hanabi.rules.recorded import (
        Ended, Recorded, Replay, first_seat_of, starting_option,
    )
    from hanabi.rules.replay import (
        find_action, follow, record_action, record_actions, replay_of, rules_of, to_record,
        variant_of,
    )
    from hanabi.rules.seeds.seed import is_range, is_seed, parse_range
    from hanabi.rules.state import Game, perft
    from hanabi.rules.table import EndReason, Knowledge, Rating, RecordedEnd, Table, rating
    from hanabi.rules.tally import Tally
    from hanabi.rules.telling import (
        Words, card_name, clue_colors, deed, ending, hinted, hints_in_hands, moved_card, on_site,
        outcome, suit_and_rank, told, touched_by,
    )
    from hanabi.rules.understanding import RULES_OF_2026, Understanding
    from hanabi.rules.variants.catalog import find_variant, variant_names
    from hanabi.rules.variants.variant import (
        TABLE_FIELDS, VARIANT_OF_2026, Variant, field_names, letters_of,
    )
    from hanabi.rules.view import View
    from hanabi.rules.wire import (
        Rebuilder, action_from_json, action_text, action_to_json, deal_from_json, deal_to_json,
        event_from_json, event_text, table_to_json, text_of_json,
    )
    from hanabi.rules.words import (
        Audience, Said, Seat, Slots, heard, joined, listed, say, site, slot_of, terminal, words_of,
    )

__all__ = [
    "PRESETS",
    "Action",
    "EndReason",
    "Event",
    "Game",
    "Hint",
    "Kind",
    "Knowledge",
    "Rating",
    "Rules",
    "Table",
    "View",
    "discard",
    "discard_deck",
    "hint_color",
    "hint_rank",
    "perft",
    "play",
    "play_deck",
    "rating",
]

open_door(__name__)
