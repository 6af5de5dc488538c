"""Samples of every kernel: each yields what it computes, and must yield the same bits with the compiler switched off.

`python samples.py FILE` runs all of them in this process and writes what they yielded, as texts, by name.
"""

import hashlib
import json
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import cardwin
from cardwin.analysis.local_best_response import local_best_response
from cardwin.analysis.range_chances import blueprint_chances_of
from cardwin.analysis.seen_hands import share_beaten
from cardwin.analysis.spot_lock import SeatLock
from cardwin.analysis.style_matches import field_forms, measure
from cardwin.arena.cash_game import CashGameRules, play_cash_game
from cardwin.arena.corrections import COLUMNS
from cardwin.arena.independent_hands import CompiledHands, Plan
from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import MatchOptions, match, play_match
from cardwin.arena.recorded_hands import HandRecorder
from cardwin.arena.sampled_games import games_of, mean_chips
from cardwin.arena.tournament import Structure, TournamentOptions, tournament
from cardwin.arena.value_function import plain_function
from cardwin.cards import all_combos, boards, equity, hand_strength, ranks, win_odds
from cardwin.cards.deals import deal_many
from cardwin.cards.ehs import EHSTable
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS
from cardwin.cards.tables import win_odds_fill
from cardwin.core import rng
from cardwin.core.executor import Serial
from cardwin.core.rng import generator_of, prf
from cardwin.games.base import NOBODY
from cardwin.games.betting.game import BettingGame, limit_holdem, shrink_deck
from cardwin.games.formats.phh import replay_text
from cardwin.games.holdem import holdem_game
from cardwin.players.cfr.buckets import Buckets, bucket_of
from cardwin.players.cfr.files import Blueprint, shares_of
from cardwin.players.cfr.player import CfrPlayer
from cardwin.players.cfr.traversal import Tables, traverse_deals
from cardwin.players.cfr.tree import betting_of, row_starts
from cardwin.players.cfr.tree import tree_of as flat_tree_of
from cardwin.players.compiled import population
from cardwin.players.loki.play import LOKI, lokis_of
from cardwin.players.registry import makers_of, player
from cardwin.players.xcs import encoding
from cardwin.players.xcs.all_holdings import decide_all
from cardwin.players.xcs.learning.problems import XcsLearner, problem_of
from cardwin.players.xcs.player import XcsPlayer
from cardwin.reports import report
from cardwin.runs.launch import Launch, evolve
from cardwin.solvers import plans
from cardwin.solvers.blind_boards import boards_of
from cardwin.solvers.blind_response import mixture, response_values
from cardwin.solvers.cfr import Cfr
from cardwin.solvers.public_tree.solver import PublicTreeSolver
from cardwin.solvers.public_tree.spot import read_spot
from cardwin.solvers.public_tree.variants import VARIANTS
from cardwin.solvers.tree import tree_of

Sample = Callable[[], Iterator[object]]
SAMPLES: dict[str, Sample] = {}


def sample(function: Sample) -> Sample:
    """Add a sample under its name."""
    SAMPLES[function.__name__] = function
    return function


@sample
def learning_tables() -> Iterator[object]:
    from cardwin.interop.learning_tables import learning_table

    for spec, seats in (("holdem-nl", 3), ("holdem-limit", 2), ("leduc", 2)):
        table = learning_table(cardwin.game(spec), seats, (0.5, 1.0))
        for hand in range(3):
            table.begin(5, hand, {})
            yield table.planes.tobytes().hex()[:400], table.mask.tolist()
            while table.actor != NOBODY:
                table.take(int(np.flatnonzero(table.mask)[hand % int(table.mask.sum())]))
            yield table.won()


@sample
def dealer_and_rooms() -> Iterator[object]:
    from cardwin.games.formats.acpc import replay_log
    from cardwin.games.formats.acpc_game import read_game

    table = read_game(
        "GAMEDEF\nnolimit\nnumPlayers = 3\nnumRounds = 4\nstack = 330 1000 1000\nblind = 50 100 0\n"
        "firstPlayer = 3 1 1 1\nEND GAMEDEF\n"
    )
    yield replay_log("STATE:0:r300r330r500f///:AhAd|KhKd|QhQd/2c3d4h/8s/9c:630|-330|-300:a|b|c", table)


@sample
def random_numbers() -> Iterator[object]:
    stream = rng.stream_of(rng.key_of(7, "test", 3))
    yield rng.draw_bits(stream), rng.draw_below(stream, 52), rng.draw_uniform(stream), rng.draw_normal(stream)
    yield rng.child(2**62 + 12345, 17), rng.child(0, 0), rng.child(1, -5)


@sample
def one_way_keys() -> Iterator[object]:
    yield [prf(key, number) for key in (0, 5, 2**63 - 1) for number in (-1, 0, 9)]


@sample
def hand_ranks() -> Iterator[object]:
    for size in (5, 6, 7):
        hands = rng.generator_of(size).random((300, 52)).argsort(axis=1)[:, :size].astype(np.int8)
        yield ranks.rank_hands(hands).tolist()
        yield [ranks.simple_rank(hand) for hand in hands[:3]]
    yield ranks.rank_seven(48, 44, 40, 36, 32, 1, 2), ranks.rank_six(48, 44, 40, 36, 32, 1)
    yield ranks.rank_five(0, 1, 2, 3, 5)


@sample
def strengths_of_all_combos() -> Iterator[object]:
    weights, board = np.linspace(0.1, 1.0, 1326), np.array([3, 20, 33, 45])
    now, order = np.zeros(1326, np.int16), np.zeros(1326, np.int16)
    count = all_combos.rank_holdings(board, False, now, order)
    yield all_combos.strengths(now, order, count, weights).tobytes().hex()
    deck = [card for card in range(52) if card not in board]
    sums, by_card, gains, signs = np.zeros(1327), np.zeros((52, 52)), np.zeros(1326), np.zeros(1326)
    ranks_later, order_later = np.zeros(1326, np.int16), np.zeros(1326, np.int16)
    later, levels = np.zeros(1326, np.int16), np.zeros((1326, 2), np.int16)
    found = all_combos.rank_holdings(np.array([*board, deck[7]]), False, ranks_later, order_later)
    all_combos._number_ranks(ranks_later, order_later, found, later, levels)
    all_combos._enter_pairs(now, order, count, weights, ranks_later, later, levels, sums, by_card, gains)
    all_combos._add_signs(order_later, found, weights, later, levels, sums, by_card, signs)
    yield gains.tobytes().hex(), signs.tobytes().hex()


@sample
def blueprints() -> Iterator[object]:
    game = holdem_game("holdem-nl", {"stack": "300"})
    tree, limits = flat_tree_of(betting_of(game)), np.array([[0.5, np.inf]] * 3)
    buckets = Buckets(limits, np.full((3, 2, 1), np.inf), np.array([[2, 1]] * 3))
    starts, draw = row_starts(tree, buckets.counts()), rng.generator_of(6)
    regrets = [draw.normal(size=int(size)).astype(np.float32) for size in starts[:, -1]]
    sums = [np.zeros(int(size), np.float32) for size in starts[:, -1]]
    dealt = draw.integers(0, 2, (4, 2, 4))
    for seat in (0, 1):
        values = np.zeros(4)
        tables = Tables(regrets[seat], regrets[1 - seat].copy(), sums[1 - seat], starts, 3.0)
        yield traverse_deals(tree, tables, dealt, np.array([0, 1, 2, 0]), seat, 77 + seat, values)
        yield values.tobytes().hex(), hashlib.sha256(regrets[seat].tobytes() + sums[1 - seat].tobytes()).hexdigest()
    yield bucket_of(buckets, win_odds.NO_TABLE, boards.board_bits(np.array([3, 20, 33, 45, 8])), 5, 50, 41)
    shares = tuple(shares_of(tree, buckets.counts(), seat, sums[seat]) for seat in (0, 1))
    one = CfrPlayer(Blueprint(game.name, tree, buckets, shares, {}))
    for moves in ((), ("call",), ("raise 230",), ("call", "raise 250")):
        state = game.start(["AhKh", "QcQd"], "2s3s4h7h8d", button=0)
        for move in moves:
            state = state.apply(move)
        yield str(one.act(state.view(state.actor), rng.stream_of(8))), str(one.explain()["line"])
        chances = np.zeros((6, 3))
        blueprint_chances_of(one._structure, state.tables.copy(), HOLDING_CARDS[90:96], np.zeros(0, np.int64), chances)
        yield chances.tobytes().hex()


@sample
def win_odds_and_equity() -> Iterator[object]:
    weights, turn = np.linspace(0.1, 1.0, 1326), np.array([3, 20, 33, 45])
    yield hand_strength.hand_strength(50, 41, turn, weights).hex()
    yield [float(x).hex() for x in hand_strength.hand_potential(50, 41, turn, weights, 1)]
    river = np.array([3, 20, 33, 45, 8])
    bits = boards.board_bits(river)
    for odds in (
        win_odds.win_odds(win_odds.NO_TABLE, bits, 5, 50, 41),
        win_odds.power_odds(win_odds.NO_TABLE, bits, 5, 50, 41, 4),
        win_odds.corrected_odds(win_odds.NO_TABLE, bits, 5, 50, 41, 4),
    ):
        yield odds.hex()
    yield list(map(int, boards.canonical(bits)))
    room = [np.zeros(1326, dtype=np.int64) for _ in range(2)]
    win_odds_fill.river_counts(river, *room)
    yield room[0].tolist(), room[1].tolist()
    sides = [equity.single_holding(50, 41), (np.arange(1326) % 40 == 0) * 1.0, (np.arange(1326) % 50 == 0) * 0.5]
    found = equity.equity(sides, river.tolist())
    yield found.win.hex(), found.tie.hex(), found.equity.hex()
    tallies = np.zeros((4, 9))
    deal_many(rng.stream_of(5), np.array([50, 41]), 50, tallies)
    yield tallies.tolist()
    before = equity.ENUMERATION_LIMIT, equity.SAMPLES
    equity.ENUMERATION_LIMIT, equity.SAMPLES = 0, 200
    try:
        yield equity.equity([*sides[:2], np.ones(1326)], turn.tolist()).equity.hex()
    finally:
        equity.ENUMERATION_LIMIT, equity.SAMPLES = before


@sample
def small_games() -> Iterator[object]:
    for name in ("kuhn-full", "onecard"):
        tree = tree_of(cardwin.game(name))
        genes = [np.linspace(0.1, 0.9, seqs.genes)[None] for seqs in tree.sequences]
        behaviours = [plans.behaviours(seqs, each) for seqs, each in zip(tree.sequences, genes, strict=True)]
        first, second = (plans.plans(seqs, each)[0] for seqs, each in zip(tree.sequences, behaviours, strict=True))
        solver = Cfr(tree)
        solver.step(20)
        yield plans.value(tree, first, second).hex(), plans.exploitability(tree, first, second).hex()
        yield solver.exploitability().hex()
        means = np.empty(20)
        members, opponents = np.repeat(behaviours[0][:1], 20, axis=0), behaviours[1][:1]
        mean_chips(tree.nodes, games_of(tree.nodes, 0, 10, 7), members, opponents, 0, 20, means)
        yield means.tolist()


HAND = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = [
  'd dh p1 4h3c', 'd dh p2 Js8c', 'd dh p3 As5s', 'p3 cbr 210 # a comment', 'p1 f', 'p2 cc', 'd db KcQsKs',
  'p2 cc', 'p3 cc', 'd db Ts', 'p2 cc', 'p3 cc', 'd db 4c', 'p2 cc', 'p3 cbr 1500', 'p2 f',
]
"""
SHOWDOWN = HAND.replace("'p3 cbr 1500', 'p2 f'", "'p3 cc'")


@sample
def betting_games() -> Iterator[object]:
    """A step of every method with its best responses, and a best response to a blind player."""
    game = BettingGame("tiny", (0, 1), (0, 1), (1, 1), (1, 2), 2, 3, (2, 4))
    for method in VARIANTS:
        solver = PublicTreeSolver(game, method)
        solver.step(4)
        yield solver.bounds()
    limit = shrink_deck(limit_holdem("limit", (5, 10), 10, 20), 3, 3, (1, 0, 0, 1))
    yield response_values(limit, boards_of(limit, Serial()), mixture(0.2, 0.5, 0.3), Serial())


@sample
def replays_of_hand_histories() -> Iterator[object]:
    yield replay_text(HAND)[0]
    for cards in ("Qd??", "????", "7d2d"):
        yield replay_text(SHOWDOWN.replace("Js8c", cards))[0]


@sample
def holdem_rules_and_tables() -> Iterator[object]:
    for kind in ("nl", "limit", "simple"):
        game = holdem_game("holdem-" + kind, {"ante": "3", "stack": "400"})
        yield match(game, ["random", "call", "raise", "all-in", "fold", "random"], 12, 1).chips.tolist()
        state = game.start([(0, 1), (20, 33), (50, 51)], [8, 12, 16, 47, 29], stacks=[200, 77, 400])
        while state.actor != NOBODY:
            yield state.view(state.actor).row
            state = state.apply(state.legal_actions()[-1])
        yield state.events, state.returns()


@sample
def matches_and_tournaments() -> Iterator[object]:
    for name in ("holdem-nl", "holdem-simple"):
        game = holdem_game(name, {})
        record = match(
            game,
            ["random", "all-in", "call"],
            12,
            1,
            options=MatchOptions(duplicate=True, all_in_adjusted=name == "holdem-simple"),
        )
        yield record.digest
        yield None if record.adjusted is None else record.adjusted.tolist()
        yield play_match(game, [player("random"), player("raise")], 10, 3, options=MatchOptions(stacks="kept")).tolist()
        yield tournament(
            game, ["random*12", "all-in"], 1, 2, options=TournamentOptions(Structure(every=2, growth=3))
        ).digest
    yield share_beaten(np.array([0, 17, 30, 44, 51]), False), share_beaten(np.array([0, 17, 30, 44, 51, 7]), True)
    forms = field_forms(["random", "call", "call-or-raise", "standard"])
    found = measure(holdem_game("holdem-nl", {}), forms[1:], 2, np.arange(2), forms[0])
    yield found.chips.tolist(), found.counts.tolist(), found.style


ROBOTS = (
    "call:reraise=fold",
    "standard",
    "v1:rollouts=4,drop=5",
    "v2:rollouts=4",
    "matrix:rollouts=4",
    "call-or-raise",
)


@sample
def robots_at_a_cash_game() -> Iterator[object]:
    for kind in ("simple", "nl"):
        players = [player(spec) for spec in ROBOTS]
        played = play_cash_game(holdem_game(f"holdem-{kind}", {}), players, 5, CashGameRules(12))
        learner = players[3]
        yield played.stacks.tolist(), learner.value("threshold"), learner.tally.tolist()  # type: ignore[attr-defined]


@sample
def local_best_responses() -> Iterator[object]:
    for game, spec in (("holdem-limit", "random"), ("holdem-nl", "standard"), ("holdem-nl", "call-or-raise")):
        found = local_best_response(holdem_game(game, {}), spec, 2, 1, first_street=3)
        yield found.won.mean, found.situations


@sample
def corrections() -> Iterator[object]:
    rules, specs = holdem_game("holdem-nl", {}), ["random", "call"]
    plan = Plan(rules, makers_of(specs), 5, adjust=True, weights=plain_function(rules, 2).weights)
    chips, adjusted, columns = np.zeros((1, 2), np.int64), np.zeros((1, 2)), np.zeros((1, 2, COLUMNS))
    CompiledHands(plan, [make() for make in plan.makers], 1).play(0, chips, adjusted, lambda _: None, True, columns)
    yield chips.tolist(), adjusted.tolist(), columns.tolist()


@sample
def what_xcs_does_with_many_holdings() -> Iterator[object]:
    row = np.array(holdem_game("holdem-limit", {}).start(["AhKh", "QcQd"], "2c7d9hTsJs").view(1).row)
    one, cards = player("xcs:caller-beater"), HOLDING_CARDS[::53].astype(np.int64)
    assert isinstance(one, XcsPlayer)
    actions = np.full(len(cards), -1)
    measures = np.linspace(0, 1, 2 * len(cards)).reshape(-1, 2)  # the table of strengths takes long uncompiled
    memories = np.stack([one._memory.copy() for _ in cards])
    rules, coded = one.rule_set.rules, one.encoding.coded
    decide_all(rules, coded, row, cards, measures, memories, one._situation, one._members, one._expected, actions)
    yield actions.tolist(), memories.tolist()


@sample
def seats_locked_to_players() -> Iterator[object]:
    spot = read_spot("As Ah 7c 7d 2s", 100, 100, "AcKc,6c5c", "KsKh", "all-in")
    for spec in ("standard", "all-in"):
        solver = PublicTreeSolver(spot.game, start=spot.board, ranges=spot.ranges)
        SeatLock(spot, 1, spec)(solver)
        yield [table.tolist() for table in solver.averages[0]]


@sample
def situations_that_xcs_sees() -> Iterator[object]:
    coding = encoding.Encoding(see=(*encoding.SEEN, "bluff", "counters", "history"), register=2)
    state = holdem_game("holdem-limit", {}).start(["AhKh", "QcQd"], "2c7d9hTsJs")
    memory = np.zeros(encoding.MEMORY, np.int64)
    encoding.reset_memory(memory)
    words = np.zeros(len(coding.fields.layout.full), np.int64)
    for move in ("raise 20", "call", "bet 10", "call"):
        row = np.array(state.view(state.actor).row)
        encoding.update_memory(memory, row)
        encoding.write_situation(coding.coded, row, 0.7, 0.2, memory, words)
        encoding.record_action(memory, 2, 0.3, 0.4, 1)
        yield words.tolist(), memory.tolist(), encoding.legal_bits(row)
        state = state.apply(move)


@sample
def lokis_at_a_table() -> Iterator[object]:
    # A table of strengths with made-up numbers, and one row for all boards of a street: real ones take too long.
    later = generator_of(5).integers(1, 1900, (boards.BOARD_COUNTS[3] + 1, HOLDINGS + 1, 3)).astype(np.uint16)
    made_up = EHSTable(np.zeros(boards.INDEX_SIZE, np.int32), np.zeros(HOLDINGS), later, np.ones(HOLDINGS))
    specs = ("loki:lookahead=0", "loki:model=generic,lookahead=0,field=normalised,rates=seven", "loki:model=none")
    settings = [player(spec).compiled.data for spec in specs]  # type: ignore[attr-defined]
    lokis = lokis_of(settings, made_up)
    table = LiveTable(holdem_game("holdem-limit", {}), [None] * 3, compiled=population(LOKI, lokis, 3))
    table.recorder = HandRecorder()
    for hand in range(6):
        yield table.play([10_000] * 3, hand % 3, prf(11, hand))
        yield table.recorder.hands.pop().actions
    yield lokis.counts.tolist(), [float(one).hex() for one in lokis.shown.ravel()]
    yield [float(one).hex() for one in lokis.ranges[0]]


@sample
def xcs_learning() -> Iterator[object]:
    for name, two, trials, changes in (
        ("multiplexer-6", False, 150, {"N": 60, "theta_sub": 3}),
        ("multiplexer-6-stakes", True, 100, {"N": 60, "tau": 0.4}),
        ("woods101-register", True, 3, {"N": 60, "cover_internal": 1, "p_random": 0.5, "theta_GA": 5}),
    ):
        learner = XcsLearner(problem_of(name), 7, changes, two)
        yield learner.run(trials).score.tolist()
        for array in learner.state().values():
            yield [float(number).hex() for number in array.ravel()]


RUNS = {
    "kuhn-coevolution": ["fitness.tremble=0.1"],
    "lopez-mixed": ["fitness={play='sampled', games=5}", "search.crossover='one-point'", "search.selection='blend'"],
    "lopez-coevolution": ["fitness={play='drawn', games=5}", "first.against=['population', 'rational', 'hall']"],
    "lopez-crossover-selective": ["fitness={play='sampled', games=2, fair=true}"],
    "morsomme": ["population={size=12, genes='choice', clean=true}"],
}


@sample
def evolution_runs() -> Iterator[object]:
    small = ["generations=4", "population={size=12, start='random'}"]
    write = report.write
    report.write = lambda folder: folder
    try:
        with tempfile.TemporaryDirectory() as folder:
            for preset, changes in RUNS.items():
                yield preset, evolve(preset, small + changes, 1, Launch(Path(folder) / preset))["digest"]
    finally:
        report.write = write


@sample
def every_evolution_operator() -> Iterator[object]:
    from evolution.battery import CASES, GENOMES, score_on, search

    for name, case in CASES.items():
        for kind, genome in GENOMES.items():
            searcher = case.start(genome, 3)
            search(searcher, 3, score_on(genome))
            state = b"".join(array.tobytes() for array in searcher.state().values())
            yield name, kind, hashlib.blake2b(state + searcher.ask().tobytes(), digest_size=8).hexdigest()


def texts_of(function: Sample) -> list[str]:
    """What a sample yields, as texts; an error is one too."""
    try:
        return [repr(each) for each in function()]
    except Exception:
        return [traceback.format_exc()]


if __name__ == "__main__":
    found = {name: texts_of(function) for name, function in SAMPLES.items()}
    Path(sys.argv[1]).write_text(json.dumps(found), encoding="utf-8")
