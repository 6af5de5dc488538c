"""Loki before the flop, after Papp (1998): an expert's thresholds for income rates.

1. Expected players = those who have put chips in by choice + 0.6 (others still in); their group (2, 3 or 4,
   5 or more) chooses the table of income rates and the row of thresholds.
2. threshold = base + increment x position, where the position is the number of players still in who act after us on
   later rounds: 0 on the button, most in the small blind.
3. Take the most aggressive strategy whose threshold our income rate reaches, and use it for the whole round.
"""

from dataclasses import dataclass

from cardwin.cards.holdings import holding_index
from cardwin.cards.income import GROUPS, group_of, holding_incomes
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.games.holdem.view import HoldemView

STAY = 0.6  # the share of players yet to act that is expected to play
TIGHTNESSES = ("loose", "moderate", "tight")
STRATEGIES = ("Make0", "Call1", "Make1", "Call2", "Make2", "Make4")  # the most aggressive last

# (base, increment) by group and strategy, for loose, moderate and tight play; Make0 has no threshold.
_THRESHOLDS: tuple[dict[str, tuple[tuple[int, int], ...]], ...] = (
    {"Make1": ((-50, 50),) * 3, "Make2": ((0, 0), (50, 50), (150, 50)), "Make4": ((300, 0),) * 3},
    {"Make1": ((50, 10), (50, 25), (50, 50)), "Make2": ((200, 10), (200, 25), (200, 50)), "Make4": ((580, 0),) * 3},
    {"Make1": ((0, 30), (0, 50), (0, 70)), "Make2": ((450, 10), (450, 25), (450, 50)), "Make4": ((900, 0),) * 3},
)


@dataclass(frozen=True, slots=True)
class Plan:
    """The strategy for the first round, and its reasons."""

    strategy: str
    income: float
    players: float
    position: int
    threshold: float


def expected_players(view: HoldemView) -> float:
    """We, the players who have put chips in by choice, and a share of the others still in."""
    bets, small, big = view.bets, *_blinds(view)
    others = [seat for seat, active in enumerate(view.active) if active and seat != view.seat]
    sure = 0
    for seat in others:
        # A blind is in by choice if it has matched a larger bet than it posted.
        matched = bets[seat] == view.current_bet and (view.raises > 0 or seat == small)
        sure += matched if seat in (small, big) else bets[seat] > 0
    return 1 + sure + STAY * (len(others) - sure)


def _blinds(view: HoldemView) -> tuple[int, int]:
    """The seats of the small and the big blind: the first two after the button, heads-up button and other seat."""
    stacks = view.starting_stacks
    dealt = [seat for seat in _after(view.button, view.seats) if stacks[seat] > 0]
    return (dealt[1], dealt[0]) if len(dealt) == 2 else (dealt[0], dealt[1])


def _after(seat: int, seats: int) -> list[int]:
    """All seats, from the one after a seat around to that seat."""
    return [(seat + step) % seats for step in range(1, seats + 1)]


def position_of(view: HoldemView) -> int:
    """The number of players still in who act after us on later rounds: those between us and the button, inclusive."""
    order, active = _after(view.button, view.seats), view.active
    return sum(active[seat] for seat in order[order.index(view.seat) + 1 :])


def choose_strategy(income: float, group: int, position: int, tightness: str) -> tuple[str, float]:
    """The most aggressive strategy that an income rate reaches, and its threshold."""
    style = TIGHTNESSES.index(tightness)
    for strategy in reversed(STRATEGIES):
        if strategy in _THRESHOLDS[group]:
            base, increment = _THRESHOLDS[group][strategy][style]
            if income >= base + increment * position:
                return strategy, float(base + increment * position)
    return "Make0", 0.0


def plan_round(view: HoldemView, tightness: str) -> Plan:
    """Choose the strategy for the first round."""
    players = expected_players(view)
    group, position = group_of(players), position_of(view)
    income = float(holding_incomes(GROUPS[group])[holding_index(*view.hole)])
    strategy, threshold = choose_strategy(income, group, position, tightness)
    return Plan(strategy, income, players, position, threshold)


def follow_strategy(strategy: str, bets_made: int, bets_to_call: int, in_by_choice: bool) -> int:
    """The action of a strategy: FOLD (or check), CALL or RAISE (or bet). The big blind is the first bet."""
    if strategy == "Make0":
        return FOLD
    if strategy == "Make4":
        return RAISE if bets_made < 4 else CALL
    if strategy == "Make2":
        return RAISE if bets_made < 2 else CALL
    if strategy == "Call2":
        return CALL
    if strategy == "Make1" and bets_made == 0:
        return RAISE
    return FOLD if bets_to_call >= 2 and not in_by_choice else CALL
