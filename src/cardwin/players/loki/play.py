"""Lokis decide and learn at compiled tables, as `player.Loki` does from events, by the same kernels.

1. `begin_lokis`: a hand has begun.
2. `decide_loki`: the actor's decision. Ranges of the opponents are computed from the thresholds of their actions; EHS'
   of all holdings comes from the EHS table, and so does the evaluation against uniform weights.
3. `watch_lokis`: an action is about to be made, which every Loki at the table counts.
4. `end_lokis`: hands are shown, which Lokis with a specific model compare with what the actions implied.
"""

# ruff: noqa: ARG001  hooks have fixed signatures
import numpy as np

from cardwin.cards.all_combos import potentials, rank_holdings, strengths
from cardwin.cards.boards import board_bits
from cardwin.cards.ehs import exact_evaluation, write_effective
from cardwin.cards.holdings import HOLDING_CARDS, HOLDINGS
from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.core.pointers import structure_at
from cardwin.games.holdem.hooks import on_action, on_decision, on_hand, on_match, on_row
from cardwin.games.holdem.rules import RAISE, paid
from cardwin.games.holdem.static_actions import nearest_legal
from cardwin.games.holdem.table import ACTIVE, BOARD, Table
from cardwin.games.holdem.view import (
    BETS,
    BOARD_SIZE,
    CURRENT_BET,
    HOLE,
    MAX_RAISE_TO,
    MIN_RAISE_TO,
    RAISES,
    SEAT,
    TO_CALL,
    write_view,
)
from cardwin.players.compiled import CompiledKind, Functions
from cardwin.players.loki import state
from cardwin.players.loki.model import (
    BEFORE,
    DEFAULTS,
    INCOME_SPREAD,
    MODELS,
    NO_THRESHOLD,
    SEVEN,
    SPREAD,
    TELLS_NOTHING,
    context_of,
    higher_threshold,
    implied_threshold,
    income_place,
    reweight,
    trust_in,
    write_field,
    write_frequencies,
)
from cardwin.players.loki.postflop import (
    SEMI_BLUFF,
    Evaluation,
    Rules,
    against_all,
    bet_size,
    bets_facing,
    choose_action,
    evaluate_one,
    holding_at,
    price_of,
)
from cardwin.players.loki.preflop import choose, expected_in, follow, players_behind
from cardwin.players.loki.public_hand import count_bets
from cardwin.players.loki.state import (
    FIRST,
    RATES,
    SORTED,
    Lokis,
    forget_everybody,
    know_players,
    lokis_of,
    memory_of,
    no_lokis,
    place_of,
    with_own_memory,
    with_own_scratch,
)

NO_MODEL, SPECIFIC = MODELS.index("none"), MODELS.index("specific")
_SUITLESS = 1 << 13  # a bit that no card has


@kernel
def group_at(players: float) -> int:
    """`income.group_of` for kernels."""
    return 0 if players < 2.5 else (1 if players < 4.5 else 2)


lokis_at = structure_at(no_lokis)


@on_hand
def begin_lokis(address: int, ids: Ints, rows: Ints, t: Table) -> None:
    """Begin a hand whose blinds are posted."""
    lokis, dealt = lokis_at(address), 0
    for seat in range(t.seats):
        dealt += int(t.start[seat] > 0)
    for seat in range(t.seats):
        if rows[seat] >= 0:
            row = rows[seat]
            notes = lokis.notes[row]
            notes[state.STRATEGY], notes[state.POSTED], notes[state.BLUFFING] = state.NOT_CHOSEN, 0, 0
            notes[state.LAST_RAISE], notes[state.LAST_STREET], notes[state.DEALT] = t.big_blind, 0, dealt
            lokis.thresholds[row, :, :] = NO_THRESHOLD
            know_players(lokis, row, ids, t.seats)


@on_action
def watch_lokis(
    address: int,
    ids: Ints,
    rows: Ints,
    t: Table,
    actor: int,
    price: int,
    bet: int,
    action: int,
    amount: int,
) -> None:
    """Follow the hand before an action at this bet to match, and count the actions of opponents."""
    lokis, pot = lokis_at(address), t.dead
    for seat in range(t.seats):
        pot += paid(t, seat)
    for seat in range(t.seats):
        if rows[seat] >= 0:
            row = rows[seat]
            notes = lokis.notes[row]
            if notes[state.LAST_STREET] != t.street:
                notes[state.LAST_STREET], notes[state.LAST_RAISE] = t.street, 0
            if seat != actor and notes[state.MODEL] != NO_MODEL:
                bets = count_bets(bet - t.bet[actor], notes[state.LAST_RAISE], pot, t.street)
                note_action(lokis, row, actor, ids[actor], t.street, bets, action)
            if action == RAISE:
                notes[state.LAST_RAISE] = max(notes[state.LAST_RAISE], amount - bet)


@kernel
def note_action(lokis: Lokis, row: int, seat: int, player: int, street: int, bets_to_call: int, action: int) -> None:
    """A Loki counts an opponent's action, and keeps the threshold that it implies."""
    context, counts, shares = (
        context_of(street, bets_to_call),
        lokis.counts[row, place_of(lokis, row, player)],
        np.empty(3),
    )
    counts[context, action] += 1
    write_frequencies(counts, DEFAULTS, BEFORE, context, lokis.notes[row, state.MODEL] == SPECIFIC, shares)
    lokis.thresholds[row, seat, street] = higher_threshold(
        lokis.thresholds[row, seat, street],
        implied_threshold(shares, action, bets_to_call),
        lokis.notes[row, state.ZERO] > 0,
    )


@on_hand
def end_lokis(address: int, ids: Ints, rows: Ints, t: Table) -> None:
    """Show the hands of a showdown to Lokis with a specific model."""
    if t.live < 2:
        return
    lokis = lokis_at(address)
    for seat in range(t.seats):
        if rows[seat] >= 0 and lokis.notes[rows[seat], state.MODEL] == SPECIFIC:
            for other in range(t.seats):
                a, b = t.hole[2 * other], t.hole[2 * other + 1]
                if other != seat and t.status[other] == ACTIVE and min(a, b) >= 0:
                    see_hand(lokis, rows[seat], other, ids[other], t, holding_at(a, b))


@kernel
def see_hand(lokis: Lokis, row: int, seat: int, player: int, t: Table, holding: int) -> None:
    """A Loki compares a hand that was shown with what the seat's actions implied."""
    shown = lokis.shown[row, place_of(lokis, row, player)]
    for street in range(t.street + 1):
        mean, spread = implied_value(lokis, row, seat, t, street)
        if spread < 0.0:
            continue
        values = values_at(lokis, row, street)
        below, possible, known = 0, 0, cards_on_board(t, street)
        for one in range(HOLDINGS):
            if (known >> HOLDING_CARDS[one, 0] | known >> HOLDING_CARDS[one, 1]) & 1 == 0:
                possible += 1
                below += int(values[one] < mean - spread)
        outside = below / possible
        inside = 1.0 if values[holding] >= mean - spread else 0.0
        shown[0] += 1.0
        shown[1] += inside - (1.0 - outside)
        shown[2] += outside


@kernel
def cards_on_board(t: Table, street: int) -> int:
    """The cards of a street's board, as bits."""
    known = 0
    for place in range(t.board_size[street]):
        known |= 1 << t.board[place]
    return known


@kernel
def rates_group(lokis: Lokis, row: int) -> int:
    """The group of players whose income rates the model uses."""
    return SEVEN if lokis.notes[row, state.SEVEN] else group_at(float(lokis.notes[row, state.DEALT]))


@kernel
def implied_value(lokis: Lokis, row: int, seat: int, t: Table, street: int) -> tuple[float, float]:
    """Mean and spread of the values that a seat's actions on a street imply; a spread of -1 if they imply nothing."""
    threshold = lokis.thresholds[row, seat, street]
    if threshold == NO_THRESHOLD or (street == 0 and threshold < TELLS_NOTHING):
        return 0.0, -1.0
    if street == 0:
        return lokis.rates[SORTED + rates_group(lokis, row), income_place(threshold)], INCOME_SPREAD
    read_board(lokis, t, street)
    return threshold, SPREAD * (1.0 - threshold)


@kernel
def values_at(lokis: Lokis, row: int, street: int) -> Floats:
    """The values of holdings (1326,) on a street; the board of a later one was read by `implied_value`."""
    values: Floats = lokis.values[street - 1] if street > 0 else lokis.rates[RATES + rates_group(lokis, row)]
    return values


@kernel
def read_board(lokis: Lokis, t: Table, street: int) -> None:
    """Write EHS' of all holdings on the board of a later street into the scratch, unless they are there."""
    board, values = board_at(t, street), lokis.values[street - 1]
    key = board_bits(board) | (_SUITLESS if t.suitless else 0)
    if lokis.boards[street - 1] == key:
        return
    lokis.boards[street - 1] = key
    if not t.suitless and len(board) < BOARD:
        write_effective(lokis.ehs, board, values)
        return
    ranks, order = np.zeros(HOLDINGS, np.int16), np.zeros(HOLDINGS, np.int16)
    count = rank_holdings(board, t.suitless > 0, ranks, order)
    computed = strengths(ranks, order, count, lokis.ehs.any_two)
    for holding in range(HOLDINGS):
        values[holding] = computed[holding]
    if len(board) < BOARD:
        better = potentials(board, True, lokis.ehs.any_two, 1)
        for holding in range(HOLDINGS):
            values[holding] += (1.0 - values[holding]) * better[0, holding]


@kernel
def board_at(t: Table, street: int) -> Ints:
    """The board (3..5,) of a street."""
    board = np.empty(t.board_size[street], np.int64)
    for place in range(len(board)):
        board[place] = t.board[place]
    return board


@kernel
def write_range(lokis: Lokis, row: int, seat: int, player: int, t: Table, out: Floats) -> bool:
    """Write what a seat may hold into out (1326,); whether all weights are 1."""
    group, uniform = group_at(float(lokis.notes[row, state.DEALT])), lokis.notes[row, state.INCOME_WEIGHTS] == 0
    first = lokis.ehs.any_two if uniform else lokis.rates[FIRST + group]
    for holding in range(HOLDINGS):
        out[holding] = first[holding]
    for street in range(t.street + 1):
        mean, spread = implied_value(lokis, row, seat, t, street)
        if spread >= 0.0:
            reweight(out, values_at(lokis, row, street), mean, spread)
            uniform = False
    trust = 1.0
    if lokis.notes[row, state.DOUBTS] and lokis.notes[row, state.MODEL] == SPECIFIC:
        shown = lokis.shown[row, place_of(lokis, row, player)]
        trust = trust_in(shown[0], shown[1], shown[2])
    if trust == 1.0:
        return bool(uniform)
    for holding in range(HOLDINGS):
        out[holding] = trust * out[holding] + (1.0 - trust) * first[holding]
    return False


@on_decision
def decide_loki(address: int, row: int, ids: Ints, t: Table, streams: Ints) -> tuple[int, int]:
    """Decide as a Loki."""
    return think(lokis_at(address), row, ids, t)


@kernel
def think(lokis: Lokis, row: int, who: Ints, t: Table) -> tuple[int, int]:
    """Return the actor's action, and the total bet if it raises; always legal."""
    view = lokis.seen
    write_view(t, t.actor, view)
    action = after_flop(lokis, row, who, t) if view[BOARD_SIZE] else before_flop(lokis, row)
    wish = view[CURRENT_BET] + bet_size(view)
    return nearest_legal(action, wish, view[TO_CALL] > 0, view[MIN_RAISE_TO], view[MAX_RAISE_TO])


@kernel
def before_flop(lokis: Lokis, row: int) -> int:
    """The action of the strategy for the first round, which is chosen at the first turn."""
    view, notes = lokis.seen, lokis.notes[row]
    own_bet = view[BETS + view[SEAT]]
    if notes[state.STRATEGY] == state.NOT_CHOSEN:
        group = group_at(expected_in(view))
        income = lokis.rates[RATES + group, holding_at(view[HOLE], view[HOLE + 1])]
        notes[state.STRATEGY], _ = choose(income, group, players_behind(view), notes[state.TIGHTNESS])
        notes[state.POSTED] = own_bet
    return follow(notes[state.STRATEGY], view[RAISES] + 1, bets_facing(view), own_bet > notes[state.POSTED])


@kernel
def after_flop(lokis: Lokis, row: int, who: Ints, t: Table) -> int:
    """The action of the first betting rule that applies."""
    view, notes = lokis.seen, lokis.notes[row]
    opponents, uniform = 0, True
    for seat in range(t.seats):
        if seat != t.actor and t.status[seat] == ACTIVE:
            uniform = write_range(lokis, row, seat, who[seat], t, lokis.ranges[opponents]) and uniform
            opponents += 1
    value = evaluation(lokis, row, t, opponents, uniform)
    price = price_of(view)
    bluffing = notes[state.BLUFFING] > 0 and price.to_call == 0
    rules = Rules(notes[state.SEMI_BLUFFS] > 0, notes[state.POT_ODDS] > 0, notes[state.SHOWDOWN_ODDS] > 0)
    action, rule, _ = choose_action(value, price, bluffing, rules)
    notes[state.BLUFFING] = int(bluffing or rule == SEMI_BLUFF)
    return action


@kernel
def evaluation(lokis: Lokis, row: int, t: Table, opponents: int, uniform: bool) -> Evaluation:
    """The actor's hand against the ranges of so many opponents, all of them `uniform` or not."""
    a, b, board, notes = t.hole[2 * t.actor], t.hole[2 * t.actor + 1], board_at(t, t.street), lokis.notes[row]
    ahead = min(notes[state.LOOKAHEAD], BOARD - len(board))
    if uniform and ahead == 1 and not t.suitless:
        hs, ppot, npot = exact_evaluation(lokis.ehs, a, b, board)
        return Evaluation(hs, against_all(hs, opponents), ppot, npot)
    field = lokis.ranges[opponents]
    known = cards_on_board(t, t.street) | 1 << a | 1 << b
    write_field(lokis.ranges, opponents, known, notes[state.NORMALISED] > 0, field)
    return evaluate_one(a, b, board, t.suitless > 0, field, opponents, ahead)


@on_row
def forget_opponents(address: int, row: int) -> None:
    """Forget all opponents of a Loki that changes tables."""
    forget_everybody(lokis_at(address), row)


@on_match
def start_again(address: int) -> None:
    """Forget all opponents of all Lokis."""
    lokis = lokis_at(address)
    for row in range(len(lokis.notes)):
        forget_everybody(lokis, row)


LOKI = CompiledKind(
    "loki",
    Functions(
        decide_loki, hand_began=begin_lokis, before_action=watch_lokis, hand_ended=end_lokis,
        opponents_changed=forget_opponents, match_began=start_again,
    ),
    no_lokis, lambda settings, _: lokis_of(settings), remembers=True, copy_memory=with_own_memory,
    copy_scratch=with_own_scratch, memory=memory_of,
)  # fmt: skip
