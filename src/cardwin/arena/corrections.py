"""The luck of decisions: what a player's draw among its actions was worth, beside the mean of all it might have drawn.

AIVAT (Burch, Schmid, Moravcik, Morrill and Bowling 2018) corrects a result for every decision of a player whose chances
are known. Ours are known for the static players that draw: equal chances among legal actions. An action is valued with
the cards open, those to come too: everybody who is still in matches the bet and the best hand takes the pot. The cards
lie before the decision is drawn, so that whatever value is taken the mean over the draw is zero; how much of it counts
is learnt from results (`stats.controls`).
"""

from typing import NamedTuple

import numpy as np

from cardwin.arena.runouts import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.games.holdem.rules import CALL, FINE, FOLD, RAISE, min_raise_to, why_no_raise
from cardwin.games.holdem.showdown import rank_suited, rank_suitless
from cardwin.games.holdem.table import ACTIVE, SEATS, Table
from cardwin.players.kinds import FIRST_DRAWING, LAST_STATIC, RANDOM

OWN, OTHERS = 0, 1  # whose draws: the columns of a hand's sums
COLUMNS = 2


class Corrections(NamedTuple):
    """Of the hand in play: strength (10,) of every seat's cards with the whole board, and sums (10, COLUMNS)."""

    strength: Ints
    sums: Floats


@kernel
def new_corrections(wanted: Floats | None) -> Corrections | None:
    """Room for a hand's corrections, or None where they are not wanted."""
    if wanted is None:
        return None
    return Corrections(np.zeros(SEATS, np.int64), np.zeros((SEATS, COLUMNS)))


@kernel
def begin_corrections(corrections: Corrections | None, t: Table) -> None:
    """A hand begins, its cards dealt and its blinds posted."""
    if corrections is None:
        return
    if t.suitless:
        rank_suitless(t)
    else:
        rank_suited(t)
    for seat in range(t.seats):
        corrections.strength[seat] = t.strength[seat]
        for column in range(COLUMNS):
            corrections.sums[seat, column] = 0.0


@kernel
def correct(corrections: Corrections | None, t: Table, kind: int, action: int) -> None:
    """The actor, of that kind, is about to do this: add what the draw was worth to everyone, in big blinds."""
    if corrections is None:
        return
    if kind < FIRST_DRAWING or kind > LAST_STATIC:
        return
    first = FOLD if kind == RANDOM and t.bet[t.actor] < t.current_bet else CALL
    last = RAISE if why_no_raise(t) == FINE else CALL
    for seat in range(t.seats):
        if t.status[seat] == ACTIVE:
            drawn, mean = 0.0, 0.0
            for option in range(first, last + 1):
                value = value_with_open_cards(corrections.strength, t, seat, option)
                mean += value / (last - first + 1)
                if option == action:
                    drawn = value
            corrections.sums[seat, OWN if seat == t.actor else OTHERS] += (drawn - mean) / t.big_blind


@kernel
def value_with_open_cards(strength: Ints, t: Table, seat: int, option: int) -> float:
    """What a live seat wins if the actor does this, all who are in then match the bet, and the best hand takes all."""
    level = min_raise_to(t) if option == RAISE else t.current_bet
    pot, own, best, winners = t.dead, 0, -1, 0
    for other in range(t.seats):
        stays = t.status[other] == ACTIVE and not (option == FOLD and other == t.actor)
        paid = t.contributed[other]
        if stays:
            paid += min(max(level - t.bet[other], 0), t.stack[other])
            if strength[other] > best:
                best, winners = strength[other], 0
            winners += strength[other] == best
        pot += paid
        if other == seat:
            own = paid
    if (option == FOLD and seat == t.actor) or strength[seat] < best:
        return float(-own)
    return float(pot / winners - own)


@kernel
def write_corrections(corrections: Corrections | None, seated: Ints, row: int, out: Floats | None) -> None:
    """Write a hand's sums by player into a row of out (hands, players, COLUMNS), if they are wanted."""
    if corrections is None or out is None:
        return
    for seat in range(len(seated)):
        for column in range(COLUMNS):
            out[row, seated[seat], column] = corrections.sums[seat, column]
