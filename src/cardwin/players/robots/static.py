"""Players that only look at which actions are legal: fold, call, raise, random, all-in, call-or-raise.

One kernel decides for all of them, from five numbers that a table's record and a seat's view both have.
"""

from dataclasses import dataclass

from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, draw_bits
from cardwin.games.base import CALL as CALLS
from cardwin.games.base import CHECK as CHECKS
from cardwin.games.base import FOLD as FOLDS
from cardwin.games.base import Action
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.games.holdem.view import HoldemView
from cardwin.players import kinds
from cardwin.players.base import CompiledForm

EVERYTHING = 2**62  # more than any stack


@kernel
def decide_static(kind: int, facing: bool, raises: int, least: int, most: int, bits: int) -> tuple[int, int]:
    """An action and the total bet if it raises; least and most are the bounds of a raise, 0 if it is not allowed.

    bits are the player's next 63 random bits, if its kind draws any. A fold where checking is free is a check, a raise
    that is not allowed is a call.
    """
    action, amount = FOLD, 0
    if kind == kinds.CALLER:
        action = CALL
    elif kind == kinds.TIMID_CALLER:
        action = FOLD if raises > 1 else CALL
    elif kind == kinds.RAISER:
        action = RAISE
    elif kind == kinds.ALL_IN:
        action, amount = RAISE, EVERYTHING
    elif kind == kinds.RANDOM:
        action = any_action(facing, most > 0, bits)
    elif kind == kinds.CALL_OR_RAISE:
        action = CALL + below(bits, 2)
    return nearest_legal(action, amount, facing, least, most)


@kernel
def any_action(facing: bool, may_raise: bool, bits: int) -> int:
    """Any legal action with equal probability; a raise is the least one."""
    first = FOLD if facing else CALL
    return first + below(bits, (RAISE if may_raise else CALL) - first + 1)


@kernel
def below(bits: int, n: int) -> int:
    """The number in 0..n-1 that `draw_below` computes from these bits."""
    return ((bits >> 31) * n) >> 32


@kernel
def nearest_legal(action: int, amount: int, facing: bool, least: int, most: int) -> tuple[int, int]:
    """The legal action nearest to a decision: no fold where checking is free, a call where raising is not allowed."""
    if action == FOLD and facing:
        return FOLD, 0
    if action == RAISE and most > 0:
        return RAISE, min(max(amount, least), most)
    return CALL, 0


def named_action(view: HoldemView, action: int, amount: int) -> Action:
    """A kernel's legal action under its name in this situation."""
    if action == FOLD:
        return FOLDS
    if action == RAISE:
        return Action("raise" if view.current_bet else "bet", amount)
    return CALLS if view.to_call else CHECKS


@dataclass(frozen=True)
class Static:
    """A player of one of the static kinds."""

    kind: int

    @property
    def compiled(self) -> CompiledForm:
        """The same player for kernels."""
        return CompiledForm(self.kind)

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """The kernel's decision."""
        bits = draw_bits(rng) if self.kind >= kinds.FIRST_DRAWING else 0
        action, amount = decide_static(
            self.kind, view.to_call > 0, view.raises, view.min_raise_to, view.max_raise_to, bits
        )
        return named_action(view, action, amount)
