"""Matches of one player against a fixed field: the chips that it wins, and its style, counted by a kernel.

1. The player and the field sit at one table. Every deal is played once with the player in each seat; the field keeps
   its order round the table, and everybody has the full stack before every hand.
2. The log of a hand is read when it is over. The statistics are those of `stats.style`: VPIP, PFR, and aggression,
   which is bets and raises per call on all streets.
3. Players forget each other between matches, so that matches are independent: an interval is one over matches. Cards
   and decisions depend on the match's key alone, so that players ids get the same keys are dealt the same cards.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cardwin.arena.engine import CARDS, DealScratch, advance, begin_hand, new_scratch
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.rng import child, prf
from cardwin.games.holdem.events import BETS, CALLS, LOG_COLUMNS, RAISES, Log
from cardwin.games.holdem.game import HoldemGame
from cardwin.games.holdem.hooks import Players, begin_match
from cardwin.games.holdem.table import Tables
from cardwin.players.compiled import CompiledForm, players_of
from cardwin.players.network.networks import NETWORK
from cardwin.players.registry import player

HANDS, VPIP, PFR, BOLD, CALLED = range(5)  # the columns of counts: bold actions are bets and raises
COLUMNS = 5
LOG_ROWS = 1024  # a hand with more rows is read in parts
DECISIONS = -1  # the child of a match's key for decisions


class PlayingStyle(NamedTuple):
    """The three statistics of a style; aggression is infinite for a player that bets and never calls."""

    vpip: float
    pfr: float
    aggression: float


@dataclass(frozen=True)
class StyleSample:
    """What a player did in some matches: chips per hand (matches,) and counts (matches, COLUMNS)."""

    chips: Floats
    counts: Ints

    @property
    def style(self) -> PlayingStyle:
        """The style over all matches; that of a player that neither bets nor calls has aggression 0."""
        hands, vpip, pfr, bold, called = self.counts.sum(axis=0).tolist()
        aggression = bold / called if called else (float("inf") if bold else 0.0)
        return PlayingStyle(vpip / hands, pfr / hands, aggression)


@kernel
def count_actions(log: Log, seat: int, seen: Ints) -> None:
    """Add a seat's actions in a log to seen (COLUMNS,); VPIP and PFR are actions before the flop."""
    for row in range(1, log[0, 0] + 1):
        kind, street = log[row, 0], log[row, 3]
        if log[row, 1] == seat and CALLS <= kind <= RAISES:
            bold = kind >= BETS
            seen[BOLD] += bold
            seen[CALLED] += not bold
            if street == 0:
                seen[VPIP] += 1
                seen[PFR] += bold


@kernel
def play_matches(
    tables: Tables, players: Players, stack: int, deals: int, keys: Ints, chips: Floats, counts: Ints
) -> None:
    """Play a match for each of the keys (matches,); player 0 is measured, the others are the field in their order.

    Out: chips (matches,), what player 0 won per hand, and counts (matches, COLUMNS).
    """
    t, plain = tables[0], new_scratch(len(players.states))
    log, seen = np.zeros((LOG_ROWS, LOG_COLUMNS), np.int64), np.zeros(COLUMNS, np.int64)
    scratch = DealScratch(plain.rng, plain.next_bits, plain.deck, plain.forced, log, plain.rows)
    ids = np.empty(t.seats, np.int64)
    for match in range(len(keys)):
        begin_match(players)
        decisions, won = child(keys[match], DECISIONS), 0
        for hand in range(deals * t.seats):
            deal, seat = hand // t.seats, hand % t.seats
            for index in range(t.seats):
                ids[(seat + index) % t.seats] = index
                t.stack[index] = stack
            t.button = deal % t.seats
            seen[:] = 0
            log[0, 0] = 0
            begin_hand(t, ids, players, prf(child(keys[match], deal), CARDS), child(decisions, hand), scratch)
            advance(t, ids, players, scratch)
            while t.actor >= 0:  # the log is full
                count_actions(log, seat, seen)
                log[0, 0] = 0
                advance(t, ids, players, scratch)
            count_actions(log, seat, seen)
            won += t.stack[seat] - t.start[seat]
            counts[match, HANDS] += 1
            counts[match, VPIP] += seen[VPIP] > 0
            counts[match, PFR] += seen[PFR] > 0
            counts[match, BOLD] += seen[BOLD]
            counts[match, CALLED] += seen[CALLED]
        chips[match] = won / (deals * t.seats)


def in_a_field(form: CompiledForm) -> bool:
    """Return whether a player can be met again and again: it learns nothing of its opponents, networks aside."""
    return isinstance(form.kind, int) or not form.kind.remembers or form.kind is NETWORK


def field_forms(specs: Sequence[str]) -> list[CompiledForm]:
    """Return the compiled forms of the players of a field; one that kernels cannot play is refused."""
    forms = []
    for spec in specs:
        form = getattr(player(spec), "compiled", None)
        if form is None or not in_a_field(form):
            raise InputError(f"{spec} cannot be in the field: it must be a compiled player that does not learn")
        forms.append(form)
    return forms


def measure(game: HoldemGame, field: Sequence[CompiledForm], deals: int, keys: Ints, form: CompiledForm) -> StyleSample:
    """Return a player's matches of `deals` deals against the field, one per key."""
    players = players_of([form, *field])
    chips, counts = np.zeros(len(keys)), np.zeros((len(keys), COLUMNS), np.int64)
    play_matches(game.tables(len(players.kinds)), players.arrays, game.stack, deals, keys, chips, counts)
    return StyleSample(chips, counts)
