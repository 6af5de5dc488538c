"""Lokis at compiled tables: settings, what each has counted, its current hand, and shared scratch.

A Loki's counts are by place, not by seat: each player that sits at its table has a place of its own, which it keeps
when seats are drawn anew, and loses when it leaves the table. At first a player's place is its seat.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cardwin.cards.ehs import EHSTable, ehs_table
from cardwin.cards.holdings import HOLDINGS
from cardwin.cards.preflop import GROUPS, holding_incomes, sorted_incomes
from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.games.holdem.table import SEATS, STREETS
from cardwin.games.holdem.view import VIEW_SIZE
from cardwin.players.loki.model import BETS, NO_THRESHOLD, income_weights

# Columns of `notes`: the settings, by these names, then those of the current hand, then who has each place.
SETTINGS = ("model", "tightness", "lookahead", "semi_bluffs", "pot_odds", "showdown_odds", "income_weights", "doubts",
            "seven", "normalised", "zero")  # fmt: skip
(MODEL, TIGHTNESS, LOOKAHEAD, SEMI_BLUFFS, POT_ODDS, SHOWDOWN_ODDS, INCOME_WEIGHTS, DOUBTS, SEVEN, NORMALISED,
 ZERO) = range(len(SETTINGS))  # fmt: skip
# The strategy before the flop, -1 if none is chosen; the bet at that moment; whether a semi-bluff is in progress; the
# last full raise and the street of the last action; the players dealt in.
STRATEGY, POSTED, BLUFFING, LAST_RAISE, LAST_STREET, DEALT = range(len(SETTINGS), len(SETTINGS) + 6)
PLACES = DEALT + 1
NOTES = PLACES + SEATS
NOT_CHOSEN = -1
FREE = -1  # a place of nobody
CONTEXTS = STREETS * BETS
RATES, SORTED, FIRST = 0, len(GROUPS), 2 * len(GROUPS)  # rows of `rates`, one for each group of players


class Lokis(NamedTuple):
    """Lokis by row; all arrays are empty if none plays.

    notes (lokis, NOTES); counts (lokis, places, contexts, 3) of actions; shown (lokis, places, 3) as
    `OpponentModel.shown`; thresholds (lokis, seats, streets) of this hand. rates (9, 1326): income rates, sorted ones,
    initial weights. Scratch: the actor's view seen (VIEW_SIZE,); boards (3,) whose EHS' are in values (3, 1326), by
    street; ranges (11, 1326), the last for the field.
    """

    notes: Ints
    counts: Ints
    shown: Floats
    thresholds: Floats
    ehs: EHSTable
    rates: Floats
    seen: Ints
    boards: Ints
    values: Floats
    ranges: Floats


def no_lokis() -> Lokis:
    """The structure for tables without Lokis."""
    nothing = EHSTable(np.zeros(0, np.int32), np.zeros(0), np.zeros((0, 0, 3), np.uint16), np.zeros(0))
    return Lokis(
        np.zeros((0, NOTES), np.int64), np.zeros((0, SEATS, CONTEXTS, 3), np.int64), np.zeros((0, SEATS, 3)),
        np.zeros((0, SEATS, STREETS)), nothing, np.zeros((0, HOLDINGS)), *_scratch(0),
    )  # fmt: skip


def _scratch(holdings: int = HOLDINGS) -> tuple[Ints, Ints, Floats, Floats]:
    ranges = np.zeros((SEATS + 1, holdings))
    return np.zeros(VIEW_SIZE, np.int64), np.zeros(STREETS - 1, np.int64), np.zeros((STREETS - 1, holdings)), ranges


def lokis_of(settings: Sequence[Sequence[float]], ehs: EHSTable | None = None) -> Lokis:
    """Lokis by their settings, in the order of SETTINGS, before their first hand; with another EHS table if given."""
    count = len(settings)
    notes = np.zeros((count, NOTES), np.int64)
    notes[:, : len(SETTINGS)] = settings
    notes[:, PLACES:] = FREE
    rates = [
        *map(holding_incomes, GROUPS), *map(sorted_incomes, GROUPS), *map(income_weights, range(len(GROUPS))),
    ]  # fmt: skip
    return Lokis(
        notes, np.zeros((count, SEATS, CONTEXTS, 3), np.int64), np.zeros((count, SEATS, 3)),
        np.full((count, SEATS, STREETS), NO_THRESHOLD), ehs or ehs_table(), np.array(rates), *_scratch(),
    )  # fmt: skip


def with_own_scratch(lokis: Lokis) -> Lokis:
    """The same Lokis and what they know, for another thread."""
    seen, boards, values, ranges = _scratch()
    return lokis._replace(seen=seen, boards=boards, values=values, ranges=ranges)


def with_own_memory(lokis: Lokis) -> Lokis:
    """The same Lokis with their own counts too."""
    return with_own_scratch(lokis)._replace(
        notes=lokis.notes.copy(), counts=lokis.counts.copy(), shown=lokis.shown.copy(),
        thresholds=lokis.thresholds.copy(),
    )  # fmt: skip


def memory_of(lokis: Lokis) -> dict[str, Ints | Floats]:
    """Return what Lokis remember of their opponents, by name."""
    return {"places": lokis.notes[:, PLACES:], "counts": lokis.counts, "shown": lokis.shown}


@kernel
def forget_everybody(lokis: Lokis, row: int) -> None:
    """A Loki forgets all its opponents."""
    for place in range(SEATS):
        forget_place(lokis, row, place)


@kernel
def forget_place(lokis: Lokis, row: int, place: int) -> None:
    """A Loki forgets who had a place."""
    lokis.notes[row, PLACES + place] = FREE
    for context in range(CONTEXTS):
        for what in range(3):
            lokis.counts[row, place, context, what] = 0
    for column in range(3):
        lokis.shown[row, place, column] = 0.0


@kernel
def place_of(lokis: Lokis, row: int, player: int) -> int:
    """The place of a player in a Loki's counts, FREE if it has none."""
    for place in range(SEATS):
        if lokis.notes[row, PLACES + place] == player:
            return place
    return FREE


@kernel
def know_players(lokis: Lokis, row: int, who: Ints, seats: int) -> None:
    """Forget those who have left the table, and give a place to those who are new, who (seats,)."""
    for place in range(SEATS):
        here = False
        for seat in range(seats):
            here = here or lokis.notes[row, PLACES + place] == who[seat]
        if not here and lokis.notes[row, PLACES + place] != FREE:
            forget_place(lokis, row, place)
    for seat in range(seats):
        if who[seat] >= 0 and place_of(lokis, row, who[seat]) == FREE:
            place = seat
            while lokis.notes[row, PLACES + place] != FREE:
                place = (place + 1) % SEATS
            lokis.notes[row, PLACES + place] = who[seat]
