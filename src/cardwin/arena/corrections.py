"""AIVAT: corrections of a hand's result for chance events and for decisions whose chances are known.

AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling 2018) takes any function v of positions that is fixed before the
match. At a chance event it adds the mean of v over all events minus v of the actual event, at a decision whose
probabilities are known the mean over the actions minus v of the actual action. Each of these has mean zero, for any v
and any opponents. Here v is the **check-down value**: all players in the hand match the bet, there are no more bets,
and each wins its share of the pot, with all hole cards known. For each seat:

1. the deal: its share over the boards to come, minus an equal share;
2. flop, turn and river: the change of its share, times the pot, and as it is. The share before is over all boards to
   come if two cards or fewer are missing, else over a sample of them, which has the same mean;
3. a decision of a player that samples: the check-down value of its action, minus the mean over its actions.

These are summed by kind of event in columns. A value function (`value_function`) has a weight for each column and a
bound. The weighted sum stays within the bound: a correction is left out if any of its possible values could take the
sum beyond. Whether it is left out does not depend on the event, so the mean of the sum stays zero. After the last
decision nothing is corrected: the result is replaced by its mean instead (`runouts.mean_chips`).

Both are observers of a table: `corrections_of` and `run_outs_of` make them.
"""

# ruff: noqa: ARG001  hooks have fixed signatures
from typing import NamedTuple

import numpy as np

from cardwin.arena.runouts import SAMPLES as RUN_OUTS
from cardwin.arena.runouts import mean_chips, pot_shares
from cardwin.core.arrays import Floats, Ints
from cardwin.core.intrinsics import structure_at
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream
from cardwin.games.holdem.events import Log, new_log
from cardwin.games.holdem.hooks import (
    PYTHON,
    RAISE_TO,
    Players,
    draws,
    no_players,
    on_action,
    on_hand,
    write_probabilities,
)
from cardwin.games.holdem.rules import CALL, FOLD, RAISE, min_raise_to, paid
from cardwin.games.holdem.table import ACTIVE, SEATS, STREETS, Table
from cardwin.players.compiled import CompiledKind, Functions

# Columns: the deal, without and with the button; changes of the share on flop, turn and river, times the pot (POTS) and
# as they are (PLAIN); decisions by street, one's own (OWN) and those of others (OTHERS). All in big blinds.
DEAL, POTS, PLAIN, OWN, OTHERS = 0, 2, 5, 8, 12
COLUMNS = OTHERS + STREETS
BOUND = COLUMNS  # the index of the bound among the weights
SAMPLES = 400  # boards, if more than two cards are missing

_LIVE, _STREET, _SHARED = 0, 1, 2  # indices in `now`


class Corrections(NamedTuple):
    """The state of the corrections of a batch of hands.

    weights (players, COLUMNS + 1): a value function for each player, and the bound. totals (10,): the weighted sum of
    each seat; sums (10, COLUMNS): its columns. shares (10,): each seat's share of the pot over the boards to come, for
    the live seats and the street in now (3,): live, street, street of the shares. chances (4,): those of the actor; if
    its player is called in Python, the caller may write them before the action. values (10, 3): scratch.
    stream (2,): for boards. no_streams (11, 2): instead of players' streams. players: of the table. hand (1,) counts
    the hands; keys (hands,) are theirs, and rows (hands,) where each writes its columns in columns (any, players,
    COLUMNS), which may be empty.
    """

    weights: Floats
    totals: Floats
    sums: Floats
    shares: Floats
    now: Ints
    chances: Floats
    values: Floats
    stream: Stream
    no_streams: Ints
    players: Players
    hand: Ints
    keys: Ints
    rows: Ints
    columns: Floats


class RunOuts(NamedTuple):
    """The state of the run-outs of a batch of hands.

    hand, keys and rows as in `Corrections`; totals (10,) are its sums by seat, or empty. Out: adjusted (any, players),
    the mean over what came after the last decision, less the corrections. Scratch: mean (10,), stream (2,), log.
    """

    hand: Ints
    keys: Ints
    rows: Ints
    totals: Floats
    adjusted: Floats
    mean: Floats
    stream: Stream
    log: Log


def new_corrections(
    weights: Floats, players: Players, keys: Ints, rows: Ints | None = None, columns: Floats | None = None
) -> Corrections:
    """Return corrections by value functions, weights (players, COLUMNS + 1), for hands with these keys."""
    return Corrections(
        weights,
        np.zeros(SEATS),
        np.zeros((SEATS, COLUMNS)),
        np.zeros(SEATS),
        np.zeros(3, np.int64),
        np.zeros(4),
        np.zeros((SEATS, 3)),
        np.zeros(2, np.int64),
        np.zeros((SEATS + 1, 2), np.int64),
        players,
        np.zeros(1, np.int64),
        keys,
        np.zeros(0, np.int64) if rows is None else rows,
        np.zeros((0, 0, COLUMNS)) if columns is None else columns,
    )


def _no_corrections() -> Corrections:
    return new_corrections(np.zeros((0, 0)), no_players(), np.zeros(0, np.int64))


def new_run_outs(keys: Ints, rows: Ints, adjusted: Floats, totals: Floats) -> RunOuts:
    """Return run-outs of hands with these keys, less the corrections' totals (10,) or (0,)."""
    return RunOuts(
        np.zeros(1, np.int64), keys, rows, totals, adjusted, np.zeros(SEATS), np.zeros(2, np.int64), new_log()
    )


def _no_run_outs() -> RunOuts:
    numbers = np.zeros(0, np.int64)
    return new_run_outs(numbers, numbers, np.zeros((0, 0)), np.zeros(0))


corrections_at, run_outs_at = structure_at(_no_corrections), structure_at(_no_run_outs)


@kernel(refcount=False)
def update_shares(c: Corrections, t: Table, street: int) -> None:
    """Compute the shares of the seats that are in, with the board of a street, unless they are known."""
    if c.now[_LIVE] != t.live or c.now[_SHARED] != street:
        pot_shares(t, t.board_size[street], SAMPLES, c.stream, c.shares)
        c.now[_LIVE], c.now[_SHARED] = t.live, street


@kernel(refcount=False)
def add(c: Corrections, seat: int, change: float, max_change: float) -> None:
    """Add a weighted correction to a seat's sum, unless the largest possible one could exceed the bound."""
    if abs(c.totals[seat]) + max_change <= c.weights[0, BOUND]:
        c.totals[seat] += change


@on_hand
def begin_corrections(state: int, ids: Ints, rows: Ints, t: Table) -> None:
    """Start a hand whose cards are dealt and whose blinds are posted; boards are sampled by its key."""
    c = corrections_at(state)
    c.stream[0], c.stream[1] = c.keys[c.hand[0]], 0
    c.now[_LIVE], c.now[_STREET], c.now[_SHARED] = -1, 0, 0
    update_shares(c, t, 0)
    for seat in range(t.seats):
        c.totals[seat] = 0.0
        for column in range(COLUMNS):
            c.sums[seat, column] = 0.0
        column = DEAL + (seat == t.button)
        change, weight = c.shares[seat] - 1.0 / t.seats, c.weights[ids[seat] % t.seats, column]
        c.sums[seat, column] = change
        add(c, seat, weight * change, abs(weight))


@kernel(refcount=False)
def correct_board(c: Corrections, t: Table, ids: Ints, street: int) -> None:
    """Add the change of every seat's share by the cards of a street."""
    update_shares(c, t, street - 1)
    pot = float(t.dead)
    for seat in range(t.seats):
        pot += paid(t, seat)
        c.values[seat, 0] = c.shares[seat]
    pot /= t.big_blind
    update_shares(c, t, street)
    for seat in range(t.seats):
        if t.status[seat] == ACTIVE:
            before, row = c.values[seat, 0], ids[seat] % t.seats
            change = c.shares[seat] - before
            weight = c.weights[row, POTS + street - 1] * pot + c.weights[row, PLAIN + street - 1]
            c.sums[seat, POTS + street - 1] += change * pot
            c.sums[seat, PLAIN + street - 1] += change
            add(c, seat, weight * change, abs(weight) * max(before, 1.0 - before))


@on_action
def correct(
    state: int,
    ids: Ints,
    rows: Ints,
    t: Table,
    actor: int,
    price: int,
    bet: int,
    action: int,
    amount: int,
) -> None:
    """Correct the boards since the last action, and the action that follows if it is sampled."""
    c = corrections_at(state)
    while c.now[_STREET] < t.street:
        c.now[_STREET] += 1
        correct_board(c, t, ids, c.now[_STREET])
    player = ids[actor]
    kind, known = c.players.kinds[player], c.chances[0] + c.chances[1] + c.chances[2] > 0.0
    if kind == PYTHON:
        if not known:
            return
        c.chances[RAISE_TO] = min_raise_to(t)
    elif draws(c.players, kind):
        # These players sample with known probabilities, so that their streams are not used here.
        write_probabilities(c.players, player, ids, t, c.no_streams, c.chances)
    else:
        return
    if max(c.chances[FOLD], c.chances[CALL], c.chances[RAISE]) < 1.0 and c.chances[action] > 0.0:
        if c.chances[RAISE] > 0.0:  # rounding: the action is sampled by the first two
            c.chances[RAISE] = max(1.0 - c.chances[FOLD] - c.chances[CALL], 0.0)
        update_shares(c, t, t.street)
        for seat in range(t.seats):
            if t.status[seat] == ACTIVE:
                correct_decision(c, t, seat, ids[seat] % t.seats, action, int(c.chances[RAISE_TO]))
    for option in range(3):
        c.chances[option] = 0.0


@kernel(refcount=False)
def correct_decision(c: Corrections, t: Table, seat: int, row: int, action: int, raise_to: int) -> None:
    """Add one live seat's correction for the actor's action."""
    mean, max_change, values = 0.0, 0.0, c.values[seat]
    for option in range(3):
        values[option] = check_down_value(c.shares, t, seat, option, raise_to) / t.big_blind
        mean += c.chances[option] * values[option]
    for option in range(3):
        if c.chances[option] > 0.0:
            max_change = max(max_change, abs(values[option] - mean))
    column = (OWN if seat == t.actor else OTHERS) + t.street
    weight, change = c.weights[row, column], values[action] - mean
    c.sums[seat, column] += change
    add(c, seat, weight * change, abs(weight) * max_change)


@kernel(refcount=False)
def check_down_value(shares: Floats, t: Table, seat: int, option: int, raise_to: int) -> float:
    """Return a live seat's value if the actor does this, all players in the hand match the bet, and none bets again."""
    level = raise_to if option == RAISE else t.current_bet
    pot, seat_chips = t.dead, 0
    for other in range(t.seats):
        chips = paid(t, other)
        if t.status[other] == ACTIVE and not (option == FOLD and other == t.actor):
            chips += min(max(level - t.bet[other], 0), t.stack[other])
        pot += chips
        if other == seat:
            seat_chips = chips
    if option != FOLD:
        return float(shares[seat] * pot - seat_chips)
    left = 1.0 - shares[t.actor]
    if seat == t.actor:
        return float(-seat_chips)
    return float((shares[seat] / left if left > 1e-9 else 1.0 / (t.live - 1)) * pot - seat_chips)


@on_hand
def end_corrections(state: int, ids: Ints, rows: Ints, t: Table) -> None:
    """Write the columns of a hand that is over by player."""
    c = corrections_at(state)
    if len(c.columns):
        for seat in range(t.seats):
            for column in range(COLUMNS):
                c.columns[c.rows[c.hand[0]], ids[seat] % t.seats, column] = c.sums[seat, column]
    c.hand[0] += 1


@on_hand
def end_run_outs(state: int, ids: Ints, rows: Ints, t: Table) -> None:
    """Write the mean over what came after the last decision, less the corrections, by player."""
    r = run_outs_at(state)
    hand = r.hand[0]
    r.stream[0], r.stream[1] = r.keys[hand], 0
    mean_chips(t, RUN_OUTS, r.stream, r.log, r.mean)
    for seat in range(t.seats):
        less = r.totals[seat] * t.big_blind if len(r.totals) else 0.0
        r.adjusted[r.rows[hand], ids[seat] % t.seats] = r.mean[seat] - less
    r.hand[0] += 1


CORRECTIONS = CompiledKind(
    "corrections",
    Functions(hand_began=begin_corrections, before_action=correct, hand_ended=end_corrections),
    template=_no_corrections,
)
RUN_OUTS_KIND = CompiledKind("run-outs", Functions(hand_ended=end_run_outs), template=_no_run_outs)
