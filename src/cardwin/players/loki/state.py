"""The state of Lokis: settings, what each has counted, its current hand, and shared scratch.

A Loki's counts are by place, not by seat: each player that sits at its table has a place, which it keeps when seats are
drawn again, and loses when it leaves the table. At first a player's place is its seat. In Python (see `player`) a
player's place is its number.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cardwin.cards.ehs import EHSTable
from cardwin.cards.holdings import HOLDINGS
from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.games.holdem.table import BOARD, SEATS, STREETS
from cardwin.games.holdem.view import VIEW_SIZE
from cardwin.players.loki.model import MODELS, NO_THRESHOLD, TWELVE, Contexts
from cardwin.players.loki.preflop import TIGHTNESSES


@dataclass(frozen=True, slots=True)
class LokiSettings:
    """The settings of a Loki.

    Attributes:
        model: The opponent model, one of MODELS.
        tightness: How tight it plays before the flop, one of TIGHTNESSES.
        lookahead: How many cards it looks ahead.
        semi_bluffs: Whether it makes semi-bluffs.
        pot_odds: Whether it calls on pot odds.
        showdown_odds: Whether it calls on showdown odds.
        weights: The model's initial weights, `uniform` or `income`.
        doubts: Whether it trusts the model less for players whose shown hands contradict their actions.
        rates: The model's income rates, by the number of `players` or always those of `seven`.
        field: Whether ranges are divided by their sums before their mean is taken: `mean` or `normalised`.
        zero_mu: Whether a threshold of 0 re-weights too.

    """

    model: str = "specific"
    tightness: str = "loose"
    lookahead: int = 1
    semi_bluffs: bool = True
    pot_odds: bool = True
    showdown_odds: bool = True
    weights: str = "uniform"
    doubts: bool = True
    rates: str = "players"
    field: str = "mean"
    zero_mu: bool = False

    @property
    def numbers(self) -> tuple[float, ...]:
        """The first columns of `Lokis.notes`."""
        return (
            float(MODELS.index(self.model)),
            float(TIGHTNESSES.index(self.tightness)),
            float(self.lookahead),
            *map(float, (self.semi_bluffs, self.pot_odds, self.showdown_odds, self.weights == "income", self.doubts)),
            *map(float, (self.rates == "seven", self.field == "normalised", self.zero_mu)),
        )


# Columns of `notes`: the settings, then those of the current hand, then the players by place.
(
    MODEL,
    TIGHTNESS,
    LOOKAHEAD,
    SEMI_BLUFFS,
    POT_ODDS,
    SHOWDOWN_ODDS,
    INCOME_WEIGHTS,
    DOUBTS,
    SEVEN,
    NORMALISED,
    ZERO_MU,
) = range(11)
# The strategy before the flop; the bet when it was chosen; whether a semi-bluff is in progress; the last full raise and
# the street of the last action; the group of the number of players dealt in; whether `seen` is filled in by the caller.
STRATEGY, POSTED, BLUFFING, LAST_RAISE, LAST_STREET, GROUP, FILLED = range(11, 18)
PLACES = FILLED + 1
NOTES = PLACES + SEATS
NOT_CHOSEN = -1
FREE = -1  # a place without a player
GROUPS = 3  # of numbers of players
RATES, SORTED, FIRST = 0, GROUPS, 2 * GROUPS  # rows of `rates`, one for each group of players
# Columns of `explained`: those of an evaluation after the flop; the price; then those of the choice before the flop.
HS, HS_N, PPOT, NPOT, EHS, ODDS, THRESHOLD, RULE, INCOME, POSITION, EXPECTED_PLAYERS = range(11)
EXPLAINED = 11


class Lokis(NamedTuple):
    """Lokis by row; all arrays are empty if none plays.

    Memory: notes (lokis, NOTES); counts (lokis, places, contexts, 3) of actions; shown (lokis, places, 3): of hands
    shown the thresholds tested, the hands above them less chance, and its maximum; thresholds (lokis, seats, streets)
    of this hand, NO_THRESHOLD if nothing was implied.

    Tables: defaults (contexts, 3) and before (contexts,) as in `Contexts`; rates (9, 1326): income rates, sorted ones,
    initial weights; ehs; measure_board: the address of `play.measure_board`.

    Scratch: the actor's view seen (VIEW_SIZE,); a board cards (5,) with strength, PPot and NPot of all holdings in
    measured (3, 1326); boards (3,) whose EHS' are in values (3, 1326), by street; ranges (11, 1326), one of which is
    the field; frequencies (3,); explained (EXPLAINED,), the numbers of the last decision.
    """

    notes: Ints
    counts: Ints
    shown: Floats
    thresholds: Floats
    defaults: Floats
    before: Ints
    rates: Floats
    ehs: EHSTable
    measure_board: Any
    seen: Ints
    cards: Ints
    measured: Floats
    boards: Ints
    values: Floats
    ranges: Floats
    frequencies: Floats
    explained: Floats


def new_lokis(settings: Sequence[Sequence[float]], contexts: Contexts = TWELVE) -> Lokis:
    """Return Lokis before their first hand, by their settings as numbers, without tables and scratch."""
    count = len(settings)
    notes = np.zeros((count, NOTES), np.int64)
    if count:
        notes[:, : len(settings[0])] = settings
    notes[:, STRATEGY] = NOT_CHOSEN
    notes[:, PLACES:] = FREE
    ints, floats = np.zeros(0, np.int64), np.zeros(0)
    return Lokis(
        notes=notes,
        counts=np.zeros((count, SEATS, contexts.size, 3), np.int64),
        shown=np.zeros((count, SEATS, 3)),
        thresholds=np.full((count, SEATS, STREETS), NO_THRESHOLD),
        defaults=contexts.defaults,
        before=contexts.before,
        rates=np.zeros((0, 0)),
        ehs=EHSTable(np.zeros(0, np.int32), floats, np.zeros((0, 0, 3), np.uint16), floats),
        measure_board=0,
        seen=ints,
        cards=ints,
        measured=np.zeros((0, 0)),
        boards=ints,
        values=np.zeros((0, 0)),
        ranges=np.zeros((0, 0)),
        frequencies=floats,
        explained=floats,
    )


def no_lokis() -> Lokis:
    """Return the structure for tables without Lokis."""
    return new_lokis([])


def with_own_scratch(lokis: Lokis) -> Lokis:
    """Return the same Lokis with the same memory, for another thread."""
    return lokis._replace(
        seen=np.zeros(VIEW_SIZE, np.int64),
        cards=np.zeros(BOARD, np.int64),
        measured=np.zeros((3, HOLDINGS)),
        boards=np.zeros(STREETS - 1, np.int64),
        values=np.zeros((STREETS - 1, HOLDINGS)),
        ranges=np.zeros((SEATS + 1, HOLDINGS)),
        frequencies=np.zeros(3),
        explained=np.zeros(EXPLAINED),
    )


def with_own_memory(lokis: Lokis) -> Lokis:
    """Return the same Lokis with their own memory and scratch."""
    memory = {name: getattr(lokis, name).copy() for name in ("notes", "counts", "shown", "thresholds")}
    return with_own_scratch(lokis)._replace(**memory)


def memory_of(lokis: Lokis) -> dict[str, Ints | Floats]:
    """Return what Lokis remember of their opponents, by name."""
    return {"places": lokis.notes[:, PLACES:], "counts": lokis.counts, "shown": lokis.shown}


@kernel(refcount=False)
def forget_place(notes: Ints, counts: Ints, shown: Floats, index: int) -> None:
    """Free a place of a Loki: notes (NOTES,), counts (places, contexts, 3) and shown (places, 3) are its rows."""
    notes[PLACES + index] = FREE
    for context in range(counts.shape[1]):
        for action in range(3):
            counts[index, context, action] = 0
    for column in range(3):
        shown[index, column] = 0.0


@kernel(refcount=False)
def place_of(notes: Ints, player_id: int) -> int:
    """Return the place of a player in a Loki's counts, FREE if it has none."""
    for index in range(SEATS):
        if notes[PLACES + index] == player_id:
            return index
    return FREE


@kernel(refcount=False)
def assign_places(notes: Ints, counts: Ints, shown: Floats, ids: Ints, seats: int) -> None:
    """Free the places of players who have left the table, and give places to new ones; ids (seats,)."""
    for index in range(SEATS):
        is_seated = notes[PLACES + index] == FREE
        for seat in range(seats):
            is_seated = is_seated or notes[PLACES + index] == ids[seat]
        if not is_seated:
            forget_place(notes, counts, shown, index)
    for seat in range(seats):
        if ids[seat] >= 0 and place_of(notes, ids[seat]) == FREE:
            index = seat
            while notes[PLACES + index] != FREE:
                index = (index + 1) % SEATS
            notes[PLACES + index] = ids[seat]
