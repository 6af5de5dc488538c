"""Compares the final stacks of a replayed hand with those in its file.

Both are compared in the smallest unit of the hand and must be equal, with three exceptions. Poker sites differ in who
gets the odd chips of a shared pot. A file may have more decimals than are played (a third of a chip). And a poker site
takes rake from the winners, which no notation specifies: such a hand fails with that reason.
"""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

from cardwin.games.holdem.events import Won
from cardwin.games.holdem.history import INFINITE
from cardwin.games.holdem.state import HoldemState

DIFFERENT, RAKE = "different", "rake"
_ROUNDING = Decimal("0.001")


def why_different(state: HoldemState, recorded: Sequence[Decimal], starts: Sequence[int]) -> str:
    """Why the recorded stacks, in units, are not those of a hand that began with `starts`; empty if they agree."""
    if len(recorded) != state.seats:
        return DIFFERENT
    differences: dict[int, Decimal] = {}
    for seat, (ours, theirs, start) in enumerate(zip(state.stacks, recorded, starts, strict=True)):
        if (start == INFINITE) != theirs.is_infinite():
            return DIFFERENT
        if start != INFINITE:
            differences[seat] = ours - theirs
    if not any(differences.values()):
        return ""
    wins = [event for event in state.events if isinstance(event, Won)]
    got, spread = _odd_chips(wins)
    missing = sum(differences.values(), Decimal(0)) if len(differences) == state.seats else Decimal(0)
    odd = all(got[seat] - spread[seat] <= difference <= got[seat] for seat, difference in differences.items())
    if odd and abs(missing) < _ROUNDING:
        return ""
    winners = {event.seat for event in wins}
    if missing > 0 and all(difference == 0 or seat in winners for seat, difference in differences.items()):
        return RAKE
    return DIFFERENT


def _odd_chips(wins: list[Won]) -> tuple[Counter[int], Counter[int]]:
    """By seat, the odd chips of shared pots that it got, and those that it might have got at another site."""
    got, spread = Counter[int](), Counter[int]()
    for pot in {event.pot for event in wins}:
        shares = [event for event in wins if event.pot == pot]
        least = min(event.chips for event in shares)
        odd = sum(event.chips - least for event in shares)
        for event in shares:
            got[event.seat] += event.chips - least
            spread[event.seat] += odd
    return got, spread
