"""Static players in Python: they decide by the same kernel as in the engine (`games.holdem.static_actions`)."""

from dataclasses import dataclass

from cardwin.core.rng import Stream, draw_bits
from cardwin.games.base import CALL as CALLS
from cardwin.games.base import CHECK as CHECKS
from cardwin.games.base import FOLD as FOLDS
from cardwin.games.base import Action
from cardwin.games.holdem.rules import FOLD, RAISE
from cardwin.games.holdem.static_actions import FIRST_DRAWING, decide_static
from cardwin.games.holdem.view import HoldemView
from cardwin.players.compiled import CompiledForm


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
        bits = draw_bits(rng) if self.kind >= FIRST_DRAWING else 0
        action, amount = decide_static(
            self.kind, view.to_call > 0, view.raises, view.min_raise_to, view.max_raise_to, bits
        )
        return named_action(view, action, amount)
