"""The kit of commands and pages: reading, asking, answering, tables, files, the desk."""

from hanabi.doors import open_door

TYPE_CHECKING = False
if TYPE_CHECKING:
    # fmt: off
    from hanabi.shell.command import options
    from hanabi.shell.command.answers import (
        LostTable, action_json, json_pieces, link_of_answer, print_answer,
    )
    from hanabi.shell.command.batch import answer_many, solve_many
    from hanabi.shell.command.files import (
        Form, PICTURES, Pictures, STDOUT, check_document, check_figure, check_outputs, form_of,
        replaced, write_document, write_each, write_result, write_table, written, written_bytes,
    )
    from hanabi.shell.command.games import (
        Measurement, carry_out, check_games, check_games_out, count_forfeited, estimate_json,
        gain_json, open_store, play_part, play_until, print_forfeited, print_gain, print_summary,
        reader, seat_players, with_terms, write_games,
    )
    from hanabi.shell.command.items import Item, Items, check_folder, opened_items
    from hanabi.shell.command.kept import LineWriter, Marks, outputs_of_lines
    from hanabi.shell.command.moves import (
        card_piece, pile_pieces, print_link, sentence as move_sentence, show_line, show_positions,
    )
    from hanabi.shell.command.options import (
        Actions, Budget, Count, DealTo, File, Json, More, Output, RuleSet, Run, STDIN, Seconds,
        SiteVariant, Source, Unhurried, Workers, at_turn, name_of, new_seed, read_input, read_text,
        refuse, typed, with_actions,
    )
    from hanabi.shell.command.plays import described, reading_document, reading_facts
    from hanabi.shell.command.terminal import (
        BAD_INPUT, Color, FlowingHelp, Piece, ProgressLine, Screen, StyledCell, VERDICT_STYLES,
        color_style, colored_console, complain, decimals, in_options, print_json, use_color,
    )
    from hanabi.shell.session.answer import Answer
    from hanabi.shell.session.counts import DeckCount, MOST_COLORS, count, count_decks
    from hanabi.shell.session.difficulty import (
        Difficulty, EACH, GAMES, SAMPLE, deal_of, difficulty, plan_sample,
    )
    from hanabi.shell.session.formulas import normal_problem, parse_problem, read_reduction, reduce
    from hanabi.shell.session.hands import known_hand, partition, seat_after, table_of
    from hanabi.shell.session.inputs import read
    from hanabi.shell.session.line import (
        find_broken, find_certificate, find_line, game_of_answer, line_from_json,
    )
    from hanabi.shell.session.pictures import svg_of
    from hanabi.shell.session.problem import (
        Problem, Question, SolitaireProblem, check_has_hand, pose_position, pose_solitaire,
        read_problem,
    )
    from hanabi.shell.session.solving import answer_of, solve
    from hanabi.shell.session.tables import (
        deal, games_from_seed, parse_rules, simulate, winnable_games,
    )
    from hanabi.shell.session.windows import Explanation, explain_answer, explain_play
    from hanabi.shell.viewer.games import (
        board_of_game, card_notes_of, head_of, show_of_games, told_of_games,
    )
    from hanabi.shell.viewer.html import Html
    from hanabi.shell.viewer.lines import Place, action_buttons, line_of, show_of_review
    from hanabi.shell.viewer.many import GameList, MOST_OPENED, opened as opened_review
    from hanabi.shell.viewer.page import (
        Frame, Line, PLAYER_SCRIPT, PLAYER_STYLE, Server, Show, Story, address_of_lines,
        figure_of, lines_json, live_parts, page_of, player_of,
    )
    from hanabi.shell.viewer.view import show_of, show_of_text, title_of, view_html
    from hanabi.shell.web.ahead import Compile
    from hanabi.shell.web.boards import (
        Pictures as BoardPictures, can_be, name_action, possible_cards,
    )
    from hanabi.shell.web.connections import Connection, MOST_CONNECTIONS
    from hanabi.shell.web.conventions import ByConventions, CONVENTIONS, notes_in_words
    from hanabi.shell.web.desk import (
        Asked, DOCS, DOCUMENTS, Desk, answer, markup, render, see_other, sentence as capitalized,
    )
    from hanabi.shell.web.match import Match, resume_match, start_match
    from hanabi.shell.web.moves import move_in_words, move_of, read_game
    from hanabi.shell.web.offers import (
        BLIND, COMMON_VARIANTS, FIRST_PLAYER, MOST_SEATS, NOBODY, SAMPLES, asked_rules,
        offered_player, players_for,
    )
    from hanabi.shell.web.questions import (
        DealsPlayed, GameJudged, ask_advice, ask_conventions, ask_counts, ask_deals, ask_decisions,
        ask_exercise, ask_exercises, ask_formula, ask_game, ask_games, ask_partition, ask_people,
        ask_reasons, ask_review, ask_solitaire, ask_values, ask_winnable_deal,
    )
    from hanabi.shell.web.seal import kept_secret
    from hanabi.shell.web.security import Guard, PICTURE_POLICY
    from hanabi.shell.web.settings import LOOPBACK_NAMES, Settings
    from hanabi.shell.web.study import (
        Study, Tried, address_of, found_so_far, read_address, read_lines, values_of,
    )

open_door(__name__)
