"""AIVAT's correction of decisions: the value of a player's sampled action, less the mean over all its actions.

AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling 2018) corrects a result for every decision of a player whose
probabilities are known. Here they are known for the static players that draw: equal probabilities for legal actions. An
action is valued with all cards known, those to come too: all players still in match the bet and the best hand
wins the pot. Cards are fixed before the decision is drawn, so the mean of a correction is zero whatever the
values are; how much of it is subtracted is estimated from results (`stats.controls`).
"""

from typing import NamedTuple

from cardwin.arena.runouts import Floats, Ints
from cardwin.core.kernel import borrowing
from cardwin.games.holdem.rules import (
    CALL,
    FINE,
    FOLD,
    RAISE,
    Betting,
    min_raise_to,
    paid,
    raise_refused,
    write_betting,
)
from cardwin.games.holdem.showdown import rank_suited, rank_suitless
from cardwin.games.holdem.table import ACTIVE, Table
from cardwin.players.kinds import FIRST_DRAWING, LAST_STATIC, RANDOM

OWN, OTHERS = 0, 1  # whose draws: the columns of a hand's sums
COLUMNS = 2


class Corrections(NamedTuple):
    """Of the current hand: strength (10,) of every seat's cards with the whole board, and sums (10, COLUMNS).

    Both are empty if no corrections are wanted.
    """

    strength: Ints
    sums: Floats


@borrowing
def begin_corrections(corrections: Corrections, t: Table) -> None:
    """Start a hand whose cards are dealt and whose blinds are posted."""
    if t.suitless:
        rank_suitless(t)
    else:
        rank_suited(t)
    for seat in range(t.seats):
        corrections.strength[seat] = t.strength[seat]
        for column in range(COLUMNS):
            corrections.sums[seat, column] = 0.0


@borrowing
def correct(corrections: Corrections, t: Table, b: Betting, kind: int, action: int) -> None:
    """Before an action of the actor, of that kind: add its correction to all seats, in big blinds."""
    if kind < FIRST_DRAWING or kind > LAST_STATIC:
        return
    write_betting(t, b)
    first = FOLD if kind == RANDOM and t.bet[b.actor] < b.current_bet else CALL
    last = RAISE if raise_refused(t, b) == FINE else CALL
    for seat in range(t.seats):
        if t.status[seat] == ACTIVE:
            drawn, mean = 0.0, 0.0
            for option in range(first, last + 1):
                value = value_with_open_cards(corrections.strength, t, seat, option)
                mean += value / (last - first + 1)
                if option == action:
                    drawn = value
            corrections.sums[seat, OWN if seat == b.actor else OTHERS] += (drawn - mean) / t.big_blind


@borrowing
def value_with_open_cards(strength: Ints, t: Table, seat: int, option: int) -> float:
    """A live seat's value if the actor does this, all players in then match the bet, and the best hand wins."""
    level = min_raise_to(t) if option == RAISE else t.current_bet
    pot, own, best, winners = t.dead, 0, -1, 0
    for other in range(t.seats):
        stays = t.status[other] == ACTIVE and not (option == FOLD and other == t.actor)
        chips = paid(t, other)
        if stays:
            chips += min(max(level - t.bet[other], 0), t.stack[other])
            if strength[other] > best:
                best, winners = strength[other], 0
            winners += strength[other] == best
        pot += chips
        if other == seat:
            own = chips
    if (option == FOLD and seat == t.actor) or strength[seat] < best:
        return float(-own)
    return float(pot / winners - own)


@borrowing
def write_corrections(corrections: Corrections, seated: Ints, row: int, out: Floats) -> None:
    """Write a hand's sums by player into a row of out (hands, players, COLUMNS)."""
    for seat in range(len(seated)):
        for column in range(COLUMNS):
            out[row, seated[seat], column] = corrections.sums[seat, column]
