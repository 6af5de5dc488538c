"""EV loss of a hold'em decision that pot odds determine: calls that end the betting.

If no bet can follow a call (a player is all-in, or it closes the river's betting), a fold has the value zero. A call
has the value of the pot times the share of it that the cards win, minus its price. From a hand as one seat saw it:

1. Find the seat's decisions at which it faced a bet and a call would have ended the betting, by the rules themselves.
2. Split the chips that a call could win into pots, each with the opponents who are eligible for it too.
3. Against any two cards: each opponent holds two cards that are not in the seat's hand or on the board, all equally
   likely. That needs no hidden card, and later cards change nothing.
4. Against the opponents' actual cards, if the seat saw all of them: this separates chance from skill.

EV loss is the difference to the better of fold and call, against any two cards. It is exact against players whose
actions do not depend on their cards. A player that bets its good hands has better cards than any two, so that folding
to it costs less, and calling more, than stated. A raise has no such price; if it was legal, it may be better than both.
Shares of a split pot are fractions, without odd chips.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Any, NamedTuple

import numpy as np

from cardwin.arena.runouts import win_rates
from cardwin.cards.equity import single_holding
from cardwin.cards.holdings import HOLDINGS
from cardwin.cards.question import Question, answer_question
from cardwin.cards.rollouts import rollout_strength
from cardwin.core.rng import key_of, stream_of
from cardwin.games.base import CALL, NOBODY
from cardwin.games.holdem.events import STREET_NAMES
from cardwin.games.holdem.history import FOLD, RAISE, History, positions
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.table import ACTIVE, BOARD, FOLDED, UNKNOWN
from cardwin.games.holdem.view import HoldemView

Hand = tuple[int, ...]
ROLLOUTS = 100_000  # random deals, if not all are enumerated
NOTHING = 1e-6  # chips: rounding error where fold and call are equal


@dataclass(frozen=True)
class ClosingCall:
    """A fold or call when a call would have ended the betting; `decision` counts the hand's actions from 0.

    `pot` is what a call could win, its own price included. `wins` is the mean share of it that a call wins against
    any two cards, with its standard error (0 if every deal was enumerated); `held` is the same against the opponents'
    cards, None if the seat may not know them. With `raising`, a raise was legal too.
    """

    decision: int
    street: int
    action: str
    price: int
    pot: int
    wins: float
    error: float
    held: float | None
    raising: bool

    @property
    def needed(self) -> float:
        """The share of the pot at which call and fold have the same value."""
        return self.price / self.pot

    @property
    def value(self) -> float:
        """The value of a call minus that of a fold in chips, against any two cards."""
        return self.wins * self.pot - self.price

    @property
    def ev_loss(self) -> float:
        """Chips lost against the better of fold and call."""
        return max(0.0, self.value if self.action == FOLD else -self.value)

    @property
    def verdict(self) -> str:
        """The EV loss in words."""
        lost = f"lost {self.ev_loss:.1f} in EV" if self.ev_loss > NOTHING else "lost no EV"
        return f"{self.action} {lost}{', raising aside' if self.raising else ''}"

    @property
    def reason(self) -> str:
        """The calculation in words."""
        about = "about " if self.error else ""
        roughly = "" if self.street else "about "
        held = "" if self.held is None else f", {roughly}{self.held:.1%} against the cards they held"
        return (
            f"a call of {self.price} for {self.pot} in all needs {self.needed:.1%}; "
            f"it wins {about}{self.wins:.1%} against any two cards{held}"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the call as JSON."""
        names = ("action", "price", "pot", "needed", "wins", "error", "held", "raising", "ev_loss", "verdict", "reason")
        return {"street": STREET_NAMES[self.street]} | {name: getattr(self, name) for name in names}


class Pot(NamedTuple):
    """A pot that a call could win, and the opponents who could win it too."""

    chips: int
    others: list[int]


def closing_calls(history: History, seat: int) -> list[ClosingCall]:
    """Return the closing calls and folds of a seat in a finished hand.

    Args:
        history: The hand as the seat saw it: cards that it may not know are UNKNOWN.
        seat: The seat, from 0.

    Returns:
        The decisions in order; none in a game with other hand ranks (`holdem-simple`).

    """
    if history.game.kind == "simple":
        return []
    calls = []
    for number, (state, step) in enumerate(positions(history)):
        if state.actor != seat or step.kind == RAISE:
            continue
        view = state.view(seat)
        if view.to_call and state.apply(CALL).actor == NOBODY:
            calls.append(_cost_of(number, state, step.kind, history.hole))
    return calls


def _cost_of(number: int, state: HoldemState, action: str, hole: Sequence[Hand]) -> ClosingCall:
    view = state.view(state.actor)
    pots = _pots(view)
    whole = sum(pot.chips for pot in pots)
    odds = [(pot.chips / whole, *against_any(view.hole, view.board, len(pot.others))) for pot in pots]
    return ClosingCall(
        decision=number,
        street=view.street,
        action=action,
        price=view.to_call,
        pot=whole,
        wins=sum(part * share for part, share, _ in odds),
        error=sum(part * error for part, _, error in odds),
        held=_against_held(state, pots, hole),
        raising=view.min_raise_to > 0,
    )


def _pots(view: HoldemView) -> list[Pot]:
    paid = list(view.contributed)
    paid[view.seat] += view.to_call
    ours = paid[view.seat]
    others = [seat for seat, active in enumerate(view.active) if active and seat != view.seat]
    levels = sorted({min(paid[seat], ours) for seat in [*others, view.seat]})
    # Chips that folded seats paid above the others' bets belong to the last pot.
    ends = [*levels[:-1], ours if any(paid[seat] > ours for seat in others) else max(paid)]
    pots, below, dead = [], 0, view.pot - sum(view.contributed)
    for level, end in zip(levels, ends, strict=True):
        chips = dead + sum(max(0, min(stake, end) - below) for stake in paid)
        if chips:
            pots.append(Pot(chips, [seat for seat in others if paid[seat] >= level]))
        below, dead = level, 0
    return pots


@lru_cache(maxsize=1000)
def against_any(hole: Hand, board: Hand, opponents: int) -> tuple[float, float]:
    """Return the share of a pot that a hand wins against opponents with any two cards, and its standard error.

    Enumerated for one opponent, and for two on the river; before the flop a table has it. Otherwise sampled.
    """
    if not opponents:
        return 1.0, 0.0
    if not board or opponents == 1 or (opponents, len(board)) == (2, BOARD):
        odds = answer_question(Question(single_holding(*hole), (np.ones(HOLDINGS),) * opponents, board, ()))
        return odds.equity, odds.error
    rng = stream_of(key_of(0, "any two cards", *hole, *board, opponents))
    share = rollout_strength(np.array(hole), np.array(board), opponents, ROLLOUTS, False, False, False, 0.0, rng)
    return share, sqrt(share * (1 - share) / ROLLOUTS)  # an upper bound: shares are between 0 and 1


def _against_held(state: HoldemState, pots: Sequence[Pot], hole: Sequence[Hand]) -> float | None:
    """Return the share of all pots won against the cards that the opponents held, None if one of them is unknown.

    Boards are sampled before the flop and enumerated later.
    """
    if any(UNKNOWN in hole[seat] for pot in pots for seat in pot.others):
        return None
    share, tables, key = 0.0, state.tables.copy(), key_of(0, "the cards they held", str(hole))
    for pot in pots:
        live = (state.actor, *pot.others)
        tables["status"][0, : state.seats] = [ACTIVE if seat in live else FOLDED for seat in range(state.seats)]
        share += pot.chips * win_rates(tables, len(state.board), key, ROLLOUTS)[state.actor]
    return share / sum(pot.chips for pot in pots)
