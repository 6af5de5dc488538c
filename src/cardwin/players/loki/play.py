"""Lokis decide and learn: at compiled tables by hooks of the engine, in Python by the same hooks (see `player`).

1. `begin_hands`: a hand has begun.
2. `decide`: the actor's decision. Ranges of the opponents are computed from the thresholds of their actions; EHS'
   of all holdings comes from the EHS table, and so does the evaluation against uniform weights.
3. `count_action`: an action is about to be made, which every Loki at the table counts.
4. `end_hands`: hands are shown, which Lokis with a specific model compare with what the actions implied.

`decide_all` decides with every holding at once, for yardsticks that keep a Loki's range. Kernels receive the address of
the state (with the compiler off, the state): as an argument, a structure of so many arrays takes long to compile.
`measure_board`, the largest function, is called at its address from three places, so that it is compiled once.
"""

# ruff: noqa: ARG001  hooks have fixed signatures
from collections.abc import Sequence
from functools import cache

import numpy as np

from cardwin.cards.all_combos import measure_holdings
from cardwin.cards.boards import board_bits
from cardwin.cards.ehs import (
    EHSTable,
    ehs_table,
    evaluation_in_row,
    is_computed,
    locate_board,
    store_board,
    write_cards,
    write_effective,
)
from cardwin.cards.hand_strength import hand_potential, hand_strength
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS
from cardwin.cards.preflop import GROUPS, holding_incomes, sorted_incomes
from cardwin.core.arrays import Bools, Floats, Ints
from cardwin.core.intrinsics import INT, VOID, address_of, function_at, hook, structure_at
from cardwin.core.kernel import kernel
from cardwin.games.holdem.hooks import nearest_legal, on_action, on_decision, on_hand, on_match, on_row
from cardwin.games.holdem.rules import RAISE, paid
from cardwin.games.holdem.table import ACTIVE, BOARD, SEATS, STREETS, Table, Tables
from cardwin.games.holdem.view import (
    BETS,
    BOARD_AT,
    BOARD_SIZE,
    CURRENT_BET,
    HOLE,
    MAX_RAISE_TO,
    MIN_RAISE_TO,
    RAISES,
    SEAT,
    SEAT_COUNT,
    STATUSES,
    SUITLESS,
    TO_CALL,
    write_view,
)
from cardwin.players.compiled import CompiledKind, Functions
from cardwin.players.loki import state
from cardwin.players.loki.model import (
    INCOME_SPREAD,
    MIN_INCOME_THRESHOLD,
    MODELS,
    NO_THRESHOLD,
    SPREAD,
    TWELVE,
    Contexts,
    context_of,
    higher_threshold,
    implied_threshold,
    income_index,
    income_weights,
    reweight,
    trust_in,
    write_field,
    write_frequencies,
)
from cardwin.players.loki.postflop import (
    SEMI_BLUFF,
    Evaluation,
    Price,
    Rules,
    against_all,
    bet_size,
    bets_facing,
    choose_action,
    effective_bet,
    pot_odds,
    price_of,
)
from cardwin.players.loki.preflop import choose, expected_in, follow, group_at, players_behind
from cardwin.players.loki.public_hand import count_bets
from cardwin.players.loki.state import (
    FIRST,
    RATES,
    SORTED,
    Lokis,
    assign_places,
    forget_place,
    memory_of,
    new_lokis,
    no_lokis,
    place_of,
    with_own_memory,
    with_own_scratch,
)
from cardwin.players.view_numbers import pot_of

NO_MODEL, SPECIFIC = MODELS.index("none"), MODELS.index("specific")
SEVEN = len(GROUPS) - 1  # the group whose table is for seven players
ANY_TWO = -1  # uniform weights, in place of the index of a range
_SUITLESS = 1 << 13  # a bit that no card has

lokis_at = structure_at(no_lokis)
_MEASURE = VOID(INT, INT, INT, INT, INT)
_measure_board = function_at(_MEASURE)


@hook(_MEASURE)
def measure_board(address: int, size: int, suitless: int, ahead: int, weights: int) -> None:
    """Measure all holdings on the board `cards[:size]` against the range of an index, or against any two cards."""
    lokis = lokis_at(address)
    against = lokis.ehs.any_two if weights == ANY_TWO else lokis.ranges[weights]
    measure_holdings(lokis.cards[:size], suitless > 0, against, ahead, lokis.measured)


def lokis_of(settings: Sequence[Sequence[float]], ehs: EHSTable | None = None, contexts: Contexts = TWELVE) -> Lokis:
    """Return Lokis before their first hand by their settings as numbers; with another EHS table if given."""
    return with_tables(new_lokis(settings, contexts), ehs)


def with_tables(lokis: Lokis, ehs: EHSTable | None = None) -> Lokis:
    """Return Lokis with the same memory, with tables and scratch."""
    tables = lokis._replace(rates=_rates(), ehs=ehs or ehs_table(), measure_board=address_of(measure_board))
    return with_own_scratch(tables)


@cache
def _rates() -> Floats:
    """Return the rows of `Lokis.rates`."""
    incomes = [holding_incomes(players) for players in GROUPS]
    return np.array([*incomes, *map(sorted_incomes, GROUPS), *map(income_weights, incomes)])


# The model of the opponents


@on_hand
def begin_hands(address: int, ids: Ints, rows: Ints, t: Table) -> None:
    """Begin a hand whose blinds are posted."""
    lokis, dealt = lokis_at(address), 0
    for seat in range(t.seats):
        dealt += int(t.start[seat] > 0)
    for seat in range(t.seats):
        row = rows[seat]
        if row >= 0:
            notes = lokis.notes[row]
            notes[state.STRATEGY], notes[state.POSTED], notes[state.BLUFFING] = state.NOT_CHOSEN, 0, 0
            notes[state.LAST_RAISE], notes[state.LAST_STREET] = t.big_blind, 0
            notes[state.GROUP] = group_at(float(dealt))
            for other in range(SEATS):
                for street in range(STREETS):
                    lokis.thresholds[row, other, street] = NO_THRESHOLD
            assign_places(notes, lokis.counts[row], lokis.shown[row], ids, t.seats)


@on_action
def count_action(
    address: int, ids: Ints, rows: Ints, t: Table, actor: int, price: int, bet: int, action: int, amount: int
) -> None:
    """Follow the hand before an action at this bet to match, and count the actions of opponents."""
    lokis, pot = lokis_at(address), t.dead
    for seat in range(t.seats):
        pot += paid(t, seat)
    for seat in range(t.seats):
        row = rows[seat]
        if row >= 0:
            notes = lokis.notes[row]
            if notes[state.LAST_STREET] != t.street:
                notes[state.LAST_STREET], notes[state.LAST_RAISE] = t.street, 0
            if seat != actor and notes[state.MODEL] != NO_MODEL:
                bets = count_bets(bet - t.bet[actor], notes[state.LAST_RAISE], pot, t.street)
                observe(address, row, actor, ids[actor], t.street, context_of(t.street, bets), bets, action)
            if action == RAISE:
                notes[state.LAST_RAISE] = max(notes[state.LAST_RAISE], amount - bet)


@kernel(refcount=False)
def observe(
    address: int, row: int, seat: int, player_id: int, street: int, context: int, bets: int, action: int
) -> None:
    """Let a Loki count an opponent's action in a context, and store the threshold that it implies."""
    lokis = lokis_at(address)
    notes, frequencies = lokis.notes[row], lokis.frequencies
    counts = lokis.counts[row, place_of(notes, player_id)]
    counts[context, action] += 1
    is_specific = notes[state.MODEL] == SPECIFIC
    write_frequencies(counts, lokis.defaults, lokis.before, context, is_specific, frequencies)
    implied = implied_threshold(frequencies, action, bets)
    before = lokis.thresholds[row, seat, street]
    lokis.thresholds[row, seat, street] = higher_threshold(before, implied, notes[state.ZERO_MU] > 0)


@on_hand
def end_hands(address: int, ids: Ints, rows: Ints, t: Table) -> None:
    """Show the hands of a showdown to Lokis with a specific model."""
    if t.live < 2:
        return
    lokis = lokis_at(address)
    for seat in range(t.seats):
        if rows[seat] >= 0 and lokis.notes[rows[seat], state.MODEL] == SPECIFIC:
            for other in range(t.seats):
                a, b = t.hole[2 * other], t.hole[2 * other + 1]
                if other != seat and t.status[other] == ACTIVE and min(a, b) >= 0:
                    reveal(address, rows[seat], other, ids[other], t, holding_at(a, b))


@kernel(refcount=False)
def reveal(address: int, row: int, seat: int, player_id: int, t: Table, holding: int) -> None:
    """Let a Loki compare a hand that was shown with what the seat's actions implied."""
    lokis = lokis_at(address)
    shown = lokis.shown[row, place_of(lokis.notes[row], player_id)]
    for street in range(t.street + 1):
        mean, spread = implied_value(address, row, seat, t, street)
        if spread < 0.0:
            continue
        values = lokis.values[street - 1] if street > 0 else lokis.rates[RATES + rates_group(lokis.notes[row])]
        below, possible, known = 0, 0, cards_on_board(t, street)
        for other in range(HOLDINGS):
            if (known >> HOLDING_CARDS[other, 0] | known >> HOLDING_CARDS[other, 1]) & 1 == 0:
                possible += 1
                below += int(values[other] < mean - spread)
        outside = below / possible
        inside = 1.0 if values[holding] >= mean - spread else 0.0
        shown[0] += 1.0
        shown[1] += inside - (1.0 - outside)
        shown[2] += outside


@kernel(refcount=False)
def holding_at(a: int, b: int) -> int:
    """Return the number of the holding of two cards."""
    return a * (a - 1) // 2 + b if a > b else b * (b - 1) // 2 + a


@kernel(refcount=False)
def cards_on_board(t: Table, street: int) -> int:
    """Return the cards of a street's board as bits."""
    known = 0
    for index in range(t.board_size[street]):
        known |= 1 << t.board[index]
    return known


@kernel(refcount=False)
def rates_group(notes: Ints) -> int:
    """Return the group of players whose income rates the model uses; notes (NOTES,) are those of a Loki."""
    return SEVEN if notes[state.SEVEN] else notes[state.GROUP]


@kernel(refcount=False)
def implied_value(address: int, row: int, seat: int, t: Table, street: int) -> tuple[float, float]:
    """Return mean and spread of the values that a seat's actions on a street imply; a spread of -1 for no values.

    If they imply values, those of all holdings on a later street are in `values` afterwards.
    """
    lokis = lokis_at(address)
    threshold = lokis.thresholds[row, seat, street]
    if threshold == NO_THRESHOLD or (street == 0 and threshold < MIN_INCOME_THRESHOLD):
        return 0.0, -1.0
    if street == 0:
        return lokis.rates[SORTED + rates_group(lokis.notes[row]), income_index(threshold)], INCOME_SPREAD
    read_board(address, t, street)
    return threshold, SPREAD * (1.0 - threshold)


@kernel(refcount=False)
def read_board(address: int, t: Table, street: int) -> None:
    """Write EHS' of all holdings on the board of a later street into `values`, unless it contains them."""
    lokis = lokis_at(address)
    size, values = t.board_size[street], lokis.values[street - 1]
    for index in range(size):
        lokis.cards[index] = t.board[index]
    key = board_bits(lokis.cards[:size]) | (_SUITLESS if t.suitless else 0)
    if lokis.boards[street - 1] == key:
        return
    lokis.boards[street - 1] = key
    if not t.suitless and size < BOARD:
        table_row, exchange = find_row(address, lokis.cards[:size])
        write_effective(lokis.ehs, table_row, exchange, size, values)
        return
    _measure_board(lokis.measure_board, (address, size, t.suitless, min(BOARD - size, 1), ANY_TWO))
    for holding in range(HOLDINGS):
        now = lokis.measured[0, holding]
        values[holding] = now + (1.0 - now) * lokis.measured[1, holding]


@kernel(refcount=False)
def find_row(address: int, board: Ints) -> tuple[int, int]:
    """Return the row of a flop or a turn board (3..4,) in the EHS table and its suit permutation.

    A board that the table does not contain is computed, which overwrites `cards`.
    """
    lokis = lokis_at(address)
    row, exchange, key = locate_board(lokis.ehs, board)
    if not is_computed(lokis.ehs, row):
        size = len(board)
        write_cards(key, lokis.cards)
        _measure_board(lokis.measure_board, (address, size, 0, 1, ANY_TWO))
        store_board(lokis.ehs, row, size, lokis.measured)
    return row, exchange


@kernel(refcount=False)
def write_range(address: int, row: int, seat: int, player_id: int, t: Table, out: Floats) -> bool:
    """Write what a seat may hold into out (1326,); return whether all weights are 1."""
    lokis = lokis_at(address)
    notes = lokis.notes[row]
    uniform = notes[state.INCOME_WEIGHTS] == 0
    first = lokis.ehs.any_two if uniform else lokis.rates[FIRST + notes[state.GROUP]]
    for holding in range(HOLDINGS):
        out[holding] = first[holding]
    for street in range(t.street + 1):
        mean, spread = implied_value(address, row, seat, t, street)
        if spread >= 0.0:
            values = lokis.values[street - 1] if street > 0 else lokis.rates[RATES + rates_group(notes)]
            reweight(out, values, mean, spread)
            uniform = False
    trust = 1.0
    if notes[state.DOUBTS] and notes[state.MODEL] == SPECIFIC:
        shown = lokis.shown[row, place_of(notes, player_id)]
        trust = trust_in(shown[0], shown[1], shown[2])
    if trust == 1.0:
        return bool(uniform)
    for holding in range(HOLDINGS):
        out[holding] = trust * out[holding] + (1.0 - trust) * first[holding]
    return False


@kernel(refcount=False)
def write_ranges(address: int, row: int, ids: Ints, t: Table) -> tuple[int, bool]:
    """Write the ranges of the actor's opponents into `ranges`; return their number and whether all weights are 1."""
    lokis = lokis_at(address)
    view, opponents, uniform = lokis.seen, 0, True
    for seat in range(view[SEAT_COUNT]):
        if seat != view[SEAT] and view[STATUSES + seat] == ACTIVE:
            uniform = write_range(address, row, seat, ids[seat], t, lokis.ranges[opponents]) and uniform
            opponents += 1
    return opponents, uniform


# Decisions


@on_decision
def decide(address: int, row: int, ids: Ints, t: Table, streams: Ints) -> tuple[int, int]:
    """Return the actor's action, and the total bet if it raises; always legal."""
    lokis = lokis_at(address)
    view = lokis.seen
    if not lokis.notes[row, state.FILLED]:
        write_view(t, t.actor, view)
    action = after_flop(address, row, ids, t) if view[BOARD_SIZE] else before_flop(address, row)
    amount = view[CURRENT_BET] + bet_size(view)
    return nearest_legal(action, amount, view[TO_CALL] > 0, view[MIN_RAISE_TO], view[MAX_RAISE_TO])


@kernel(refcount=False)
def before_flop(address: int, row: int) -> int:
    """Return the action of the strategy for the first round, which is chosen at the first turn."""
    lokis = lokis_at(address)
    view, notes, explained = lokis.seen, lokis.notes[row], lokis.explained
    own_bet = view[BETS + view[SEAT]]
    if notes[state.STRATEGY] == state.NOT_CHOSEN:
        players, position = expected_in(view), players_behind(view)
        group = group_at(players)
        income = lokis.rates[RATES + group, holding_at(view[HOLE], view[HOLE + 1])]
        strategy, threshold = choose(income, group, position, notes[state.TIGHTNESS])
        notes[state.STRATEGY], notes[state.POSTED] = strategy, own_bet
        explained[state.INCOME], explained[state.POSITION] = income, position
        explained[state.EXPECTED_PLAYERS], explained[state.THRESHOLD] = players, threshold
        explained[state.RULE] = strategy
    explained[state.ODDS] = view[TO_CALL] / (pot_of(view) + view[TO_CALL])
    return follow(notes[state.STRATEGY], view[RAISES] + 1, bets_facing(view), own_bet > notes[state.POSTED])


@kernel(refcount=False)
def after_flop(address: int, row: int, ids: Ints, t: Table) -> int:
    """Return the action of the first betting rule that applies."""
    opponents, uniform = write_ranges(address, row, ids, t)
    value = evaluation(address, row, t, opponents, uniform)
    lokis = lokis_at(address)
    notes, explained, price = lokis.notes[row], lokis.explained, price_of(lokis.seen)
    bluffing = notes[state.BLUFFING] > 0 and price.to_call == 0
    action, rule, threshold = choose_action(value, price, bluffing, rules_of(notes))
    notes[state.BLUFFING] = int(bluffing or rule == SEMI_BLUFF)
    explained[state.HS], explained[state.HS_N] = value.hs, value.hs_n
    explained[state.PPOT], explained[state.NPOT] = value.ppot, value.npot
    explained[state.EHS], explained[state.ODDS] = effective_bet(value), pot_odds(price)
    explained[state.THRESHOLD], explained[state.RULE] = threshold, rule
    return action


@kernel(refcount=False)
def rules_of(notes: Ints) -> Rules:
    """Return the rules that a Loki uses, from its notes (NOTES,)."""
    return Rules(notes[state.SEMI_BLUFFS] > 0, notes[state.POT_ODDS] > 0, notes[state.SHOWDOWN_ODDS] > 0)


@kernel(refcount=False)
def evaluation(address: int, row: int, t: Table, opponents: int, uniform: bool) -> Evaluation:
    """Return the actor's hand against the ranges of so many opponents, all of them `uniform` or not."""
    lokis = lokis_at(address)
    view, notes = lokis.seen, lokis.notes[row]
    a, b, size = view[HOLE], view[HOLE + 1], view[BOARD_SIZE]
    board, ahead = view[BOARD_AT : BOARD_AT + size], min(notes[state.LOOKAHEAD], BOARD - size)
    if uniform and ahead == 1 and not view[SUITLESS]:
        table_row, exchange = find_row(address, board)
        hs, ppot, npot = evaluation_in_row(lokis.ehs, table_row, exchange, a, b, size)
        return Evaluation(hs, against_all(hs, opponents), ppot, npot)
    field = lokis.ranges[opponents]
    known = cards_on_board(t, t.street) | 1 << a | 1 << b
    write_field(lokis.ranges, opponents, known, notes[state.NORMALISED] > 0, field)
    if view[SUITLESS]:
        measure_against(address, opponents, ahead)
        holding, measured = holding_at(a, b), lokis.measured
        hs, ppot, npot = measured[0, holding], measured[1, holding], measured[2, holding]
    else:
        hs = hand_strength(a, b, board, field)
        ppot, npot = hand_potential(a, b, board, field, ahead)
    return Evaluation(hs, against_all(hs, opponents), ppot, npot)


@kernel(refcount=False)
def measure_against(address: int, weights: int, ahead: int) -> None:
    """Measure all holdings on the board of the view against the range of an index."""
    lokis = lokis_at(address)
    view = lokis.seen
    for index in range(view[BOARD_SIZE]):
        lokis.cards[index] = view[BOARD_AT + index]
    _measure_board(lokis.measure_board, (address, view[BOARD_SIZE], view[SUITLESS], ahead, weights))


@kernel(refcount=False)
def decide_all(address: int, ids: Ints, tables: Tables, strategies: Ints, bluffing: Bools, actions: Ints) -> None:
    """Write the first Loki's legal action with each holding into actions (1326,).

    Args:
        address: the state, with the actor's view in `seen`.
        ids: the players by seat.
        tables: a table (1,) with the boards so far.
        strategies: (1326,) the strategies before the flop, NOT_CHOSEN at the first turn; updated.
        bluffing: (1326,) whether a semi-bluff is in progress; updated.
        actions: (1326,) receives FOLD, CALL or RAISE; those of impossible holdings are undefined.

    """
    lokis = lokis_at(address)
    view, notes = lokis.seen, lokis.notes[0]
    if view[BOARD_SIZE]:
        decide_all_after_flop(address, ids, tables[0], price_of(view), bluffing, actions)
    else:
        own_bet = view[BETS + view[SEAT]]
        if strategies[0] == state.NOT_CHOSEN:
            group, position = group_at(expected_in(view)), players_behind(view)
            notes[state.POSTED] = own_bet
            for holding in range(HOLDINGS):
                income = lokis.rates[RATES + group, holding]
                strategies[holding], _ = choose(income, group, position, notes[state.TIGHTNESS])
        bets, in_by_choice = bets_facing(view), own_bet > notes[state.POSTED]
        for holding in range(HOLDINGS):
            actions[holding] = follow(strategies[holding], view[RAISES] + 1, bets, in_by_choice)
    for holding in range(HOLDINGS):
        facing, max_raise_to = view[TO_CALL] > 0, view[MAX_RAISE_TO]
        actions[holding], _ = nearest_legal(actions[holding], max_raise_to, facing, max_raise_to, max_raise_to)


@kernel(refcount=False)
def decide_all_after_flop(address: int, ids: Ints, t: Table, price: Price, bluffing: Bools, actions: Ints) -> None:
    """Write the first Loki's action after the flop with each holding into actions (1326,)."""
    lokis = lokis_at(address)
    view, notes, measured = lokis.seen, lokis.notes[0], lokis.measured
    opponents, _ = write_ranges(address, 0, ids, t)
    normalised = notes[state.NORMALISED] > 0
    write_field(lokis.ranges, opponents, cards_on_board(t, t.street), normalised, lokis.ranges[opponents])
    measure_against(address, opponents, min(notes[state.LOOKAHEAD], BOARD - view[BOARD_SIZE]))
    for holding in range(HOLDINGS):
        hs = measured[0, holding]
        value = Evaluation(hs, against_all(hs, opponents), measured[1, holding], measured[2, holding])
        bluffs = bluffing[holding] and price.to_call == 0
        actions[holding], rule, _ = choose_action(value, price, bluffs, rules_of(notes))
        bluffing[holding] = bluffs or rule == SEMI_BLUFF


# Memory


@on_row
def forget_opponents(address: int, row: int) -> None:
    """Forget all opponents of a Loki that changes tables."""
    lokis = lokis_at(address)
    for index in range(SEATS):
        forget_place(lokis.notes[row], lokis.counts[row], lokis.shown[row], index)


@on_match
def begin_match(address: int) -> None:
    """Forget all opponents of all Lokis."""
    lokis = lokis_at(address)
    for row in range(len(lokis.notes)):
        for index in range(SEATS):
            forget_place(lokis.notes[row], lokis.counts[row], lokis.shown[row], index)


LOKI = CompiledKind(
    "loki",
    Functions(
        decide,
        hand_began=begin_hands,
        before_action=count_action,
        hand_ended=end_hands,
        opponents_changed=forget_opponents,
        match_began=begin_match,
    ),
    no_lokis,
    lambda settings, _: lokis_of(settings),
    remembers=True,
    copy_memory=with_own_memory,
    copy_scratch=with_own_scratch,
    memory=memory_of,
)
