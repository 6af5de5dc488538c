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
    shares = Counter(event.pot for event in wins)
    sharing = {event.seat for event in wins if shares[event.pot] > 1}
    odd = sum(count - 1 for count in shares.values())
    missing = sum(differences)
    wrong = {seat for seat, difference in enumerate(differences) if difference}
    if abs(missing) < _ROUNDING and wrong <= sharing and max(map(abs, differences)) <= odd:
        return ""
    if missing > 0 and wrong <= winners and min(differences) >= -odd:
        return "rake"
    return "they differ"
