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

DIFFERENT, RAKE = "different", "rake"
_ROUNDING = Decimal("0.001")


def why_different(state: HoldemState, recorded: Sequence[Decimal], starts: Sequence[int]) -> str:
    """Why the told stacks, in units, are not those of a finished hand that began with `starts`; empty if they agree."""
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
