"""AIVAT: corrections of a hand's result for chance events and for decisions whose chances are known.

AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling 2018) takes any function v of positions that is fixed before the
match. At a chance event it adds the mean of v over all events less v of the one that came, at a decision whose
chances are known the mean over the actions less v of the one taken. Each of these has mean zero, whatever v is and
whoever the others are. Here v is the **check-down value**: all players in the hand match the bet, no more is bet, and
each wins its share of the pot, with all hole cards known. For each seat:

1. the deal: its share over the boards to come, less an equal share (seats are dealt alike);
2. flop, turn and river: the change of its share, times the pot, and as it is. The share before is over all boards to
   come if two cards or fewer are missing, else over a sample of them, which has the same mean;
3. a decision of a player that draws: the check-down value of what it did, less the mean over its actions.

These are summed by kind of event in columns. A value function (`value_function`) has a weight for each column and a
bound. The weighted sum stays within the bound: a correction is left out if any of its possible values could take the
sum beyond. Whether it is left out does not depend on the event, so the mean of the sum stays zero. After the last
decision nothing is corrected: there the result is replaced by its mean (`runouts.mean_chips`).
"""

from typing import NamedTuple

from cardwin.arena.runouts import Floats, Ints, pot_shares
from cardwin.core.kernel import borrowing, called
from cardwin.core.rng import Stream
from cardwin.games.holdem.rules import CALL, FOLD, RAISE, Betting, min_raise_to, paid, write_betting
from cardwin.games.holdem.table import ACTIVE, STREETS, Table
from cardwin.players.chances import chances_of, draws, usual_raise_to
from cardwin.players.compiled import Players
from cardwin.players.kinds import PYTHON

# Columns: the deal, without and with the button; changes of the share on flop, turn and river, times the pot (POTS) and
# as they are (PLAIN); decisions by street, one's own (OWN) and those of others (OTHERS). All in big blinds.
DEAL, POTS, PLAIN, OWN, OTHERS = 0, 2, 5, 8, 12
COLUMNS = OTHERS + STREETS
BOUND = COLUMNS  # the place of the bound among the weights
SAMPLES = 400  # boards, where more than two cards are missing

_LIVE, _STREET, _SHARED = 0, 1, 2  # places in `now`


class Corrections(NamedTuple):
    """Of the current hand; all arrays are empty if no corrections are wanted.

    weights (players, COLUMNS + 1): a value function for each player, and the bound. totals (10,): the weighted sum of
    each seat; sums (10, COLUMNS): its columns. shares (10,): each seat's share of the pot over the boards to come, for
    the live seats and the street in now (3,): live, street, street of the shares. chances (3,): those of the actor; if
    its player is called in Python, whoever calls it may write them here before the action. values (10, 3): scratch.
    stream (2,): for boards.
    """

    weights: Floats
    totals: Floats
    sums: Floats
    shares: Floats
    now: Ints
    chances: Floats
    values: Floats
    stream: Stream


@borrowing
def update_shares(c: Corrections, t: Table, street: int) -> None:
    """Compute the shares of the seats that are in, with the board of a street, unless they are known."""
    if c.now[_LIVE] != t.live or c.now[_SHARED] != street:
        pot_shares(t, t.board_size[street], SAMPLES, c.stream, c.shares)
        c.now[_LIVE], c.now[_SHARED] = t.live, street


@borrowing
def add(c: Corrections, seat: int, change: float, most: float) -> None:
    """Add a weighted correction to a seat's sum, unless one of `most`, the largest possible, could break the bound."""
    if abs(c.totals[seat]) + most <= c.weights[0, BOUND]:
        c.totals[seat] += change


@called
def begin_corrections(c: Corrections, t: Table, who: Ints, key: int) -> None:
    """Start a hand whose cards are dealt and whose blinds are posted; boards are sampled by the key."""
    c.stream[0], c.stream[1] = key, 0
    c.now[_LIVE], c.now[_STREET], c.now[_SHARED] = -1, 0, 0
    update_shares(c, t, 0)
    for seat in range(t.seats):
        c.totals[seat] = 0.0
        for column in range(COLUMNS):
            c.sums[seat, column] = 0.0
        column = DEAL + (seat == t.button)
        change, weight = c.shares[seat] - 1.0 / t.seats, c.weights[who[seat] % t.seats, column]
        c.sums[seat, column] = change
        add(c, seat, weight * change, abs(weight))


@borrowing
def correct_board(c: Corrections, t: Table, who: Ints, street: int) -> None:
    """The cards of a street have come: add the change of every seat's share."""
    update_shares(c, t, street - 1)
    pot = float(t.dead)
    for seat in range(t.seats):
        pot += paid(t, seat)
        c.values[seat, 0] = c.shares[seat]
    pot /= t.big_blind
    update_shares(c, t, street)
    for seat in range(t.seats):
        if t.status[seat] == ACTIVE:
            before, row = c.values[seat, 0], who[seat] % t.seats
            change = c.shares[seat] - before
            weight = c.weights[row, POTS + street - 1] * pot + c.weights[row, PLAIN + street - 1]
            c.sums[seat, POTS + street - 1] += change * pot
            c.sums[seat, PLAIN + street - 1] += change
            add(c, seat, weight * change, abs(weight) * max(before, 1.0 - before))


@called
def correct(c: Corrections, t: Table, b: Betting, who: Ints, players: Players, rng: Ints, action: int) -> None:
    """Before an action of the actor: correct the boards that came since the last one, and the action if it is drawn."""
    write_betting(t, b)
    while c.now[_STREET] < t.street:
        c.now[_STREET] += 1
        correct_board(c, t, who, c.now[_STREET])
    player = who[b.actor]
    kind, known = players.kinds[player], c.chances[0] + c.chances[1] + c.chances[2] > 0.0
    if not draws(kind) and not (kind == PYTHON and known):
        return
    raise_to = min_raise_to(t)
    if kind != PYTHON:
        chances_of(players, player, who, t, rng, c.chances)
        raise_to = usual_raise_to(players, player, c.chances[RAISE], t)
    if max(c.chances[FOLD], c.chances[CALL], c.chances[RAISE]) < 1.0 and c.chances[action] > 0.0:
        if c.chances[RAISE] > 0.0:  # rounding: the action is drawn by the first two
            c.chances[RAISE] = max(1.0 - c.chances[FOLD] - c.chances[CALL], 0.0)
        update_shares(c, t, t.street)
        for seat in range(t.seats):
            if t.status[seat] == ACTIVE:
                correct_decision(c, t, seat, who[seat] % t.seats, action, raise_to)
    for option in range(3):
        c.chances[option] = 0.0


@borrowing
def correct_decision(c: Corrections, t: Table, seat: int, row: int, action: int, raise_to: int) -> None:
    """Add one live seat's correction for the actor's action."""
    mean, most, values = 0.0, 0.0, c.values[seat]
    for option in range(3):
        values[option] = check_down_value(c.shares, t, seat, option, raise_to) / t.big_blind
        mean += c.chances[option] * values[option]
    for option in range(3):
        if c.chances[option] > 0.0:
            most = max(most, abs(values[option] - mean))
    column = (OWN if seat == t.actor else OTHERS) + t.street
    weight, change = c.weights[row, column], values[action] - mean
    c.sums[seat, column] += change
    add(c, seat, weight * change, abs(weight) * most)


@borrowing
def check_down_value(shares: Floats, t: Table, seat: int, option: int, raise_to: int) -> float:
    """A live seat's value if the actor does this, all players in then match the bet, and nobody bets any more."""
    level = raise_to if option == RAISE else t.current_bet
    pot, own = t.dead, 0
    for other in range(t.seats):
        chips = paid(t, other)
        if t.status[other] == ACTIVE and not (option == FOLD and other == t.actor):
            chips += min(max(level - t.bet[other], 0), t.stack[other])
        pot += chips
        if other == seat:
            own = chips
    if option != FOLD:
        return float(shares[seat] * pot - own)
    left = 1.0 - shares[t.actor]
    if seat == t.actor:
        return float(-own)
    return float((shares[seat] / left if left > 1e-9 else 1.0 / (t.live - 1)) * pot - own)


@borrowing
def write_columns(c: Corrections, seated: Ints, row: int, out: Floats) -> None:
    """Write a hand's columns by player into a row of out (hands, players, COLUMNS)."""
    for seat in range(len(seated)):
        for column in range(COLUMNS):
            out[row, seated[seat], column] = c.sums[seat, column]
