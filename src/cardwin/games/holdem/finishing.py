"""The stacks that a hand ended with beside those that its file tells.

Both are compared in the smallest unit that the hand is written in, and must be equal, but for three things. Odd chips
of a shared pot go to other winners in other rooms. A file may tell more decimals than are played (a third of a chip).
And a poker room takes rake from the winners, which no notation tells how: such a hand fails for that reason of its own.
"""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

from cardwin.games.holdem.events import Won
from cardwin.games.holdem.history import INFINITE
from cardwin.games.holdem.state import HoldemState

_ROUNDING = Decimal("0.001")


def why_different(state: HoldemState, told: Sequence[Decimal], starts: Sequence[int]) -> str:
    """Why the told stacks, in units, are not those of a finished hand that began with `starts`; empty if they agree."""
    if len(told) != state.seats:
        return f"{len(told)} stacks are told of {state.seats} seats"
    differences = []
    for ours, theirs, start in zip(state.stacks, told, starts, strict=True):
        if start == INFINITE or theirs.is_infinite():
            if (start == INFINITE) != theirs.is_infinite():
                return "a stack is infinite at one end of the hand only"
        else:
            differences.append(ours - theirs)
    if not any(differences):
        return ""
    if len(differences) < state.seats:
        return "they differ"
    return _why_chips_differ(state, differences)


def _why_chips_differ(state: HoldemState, differences: list[Decimal]) -> str:
    wins = [event for event in state.events if isinstance(event, Won)]
    winners = {event.seat for event in wins}
    got, spread = _odd_chips(wins)
    missing = sum(differences)
    if abs(missing) < _ROUNDING and all(
        -spread[seat] + got[seat] <= difference <= got[seat] for seat, difference in enumerate(differences)
    ):
        return ""
    if missing > 0 and all(difference == 0 or seat in winners for seat, difference in enumerate(differences)):
        return "rake"
    return "they differ"


def _odd_chips(wins: list[Won]) -> tuple[Counter[int], Counter[int]]:
    """By seat, the odd chips of shared pots that it got, and those that it might have got in another room."""
    got, spread = Counter[int](), Counter[int]()
    for pot in {event.pot for event in wins}:
        shares = [event for event in wins if event.pot == pot]
        least = min(event.chips for event in shares)
        odd = sum(event.chips - least for event in shares)
        for event in shares:
            got[event.seat] += event.chips - least
            spread[event.seat] += odd
    return got, spread
