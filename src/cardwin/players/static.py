"""Players that look at nothing but what is legal: fold, call, raise, random, all-in, call-or-raise.

Each is written twice, here and in `compiled`, draws the same luck and decides the same; a test plays both.
"""

from cardwin.games.base import CALL, CHECK, FOLD, Action
from cardwin.games.holdem.view import HoldemView
from cardwin.players import compiled
from cardwin.players.base import CompiledForm
from cardwin.rng import Stream, draw_below


class Folder:
    """Folds to every bet and checks where that is free."""

    compiled = CompiledForm(compiled.FOLDER)

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """Fold, or check for free."""
        return FOLD if view.to_call else CHECK


class Caller:
    """Calls every bet and never bets itself; at the table of Chen (2018) it folded to a re-raise, as everybody did."""

    def __init__(self, folds_to_reraise: bool = False) -> None:
        self.folds_to_reraise = folds_to_reraise
        self.compiled = CompiledForm(compiled.TIMID_CALLER if folds_to_reraise else compiled.CALLER)

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """Call, or check for free."""
        return FOLD if self.folds_to_reraise and view.to_call and view.raises > 1 else _call(view)


class Raiser:
    """Makes the least bet or raise whenever it may, and calls otherwise."""

    compiled = CompiledForm(compiled.RAISER)

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """The least bet or raise."""
        return _raise_to(view, view.min_raise_to)


class AllIn:
    """Bets or raises as much as it may, and calls otherwise."""

    compiled = CompiledForm(compiled.ALL_IN)

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        """The largest bet or raise."""
        return _raise_to(view, view.max_raise_to)


class Random:
    """Takes fold, call or the least raise with equal chances facing a bet, otherwise check or the least bet."""

    compiled = CompiledForm(compiled.RANDOM)

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """Any legal action."""
        actions = view.legal_actions
        return actions[draw_below(rng, len(actions))]


class CallOrRaise:
    """Calls or makes the least raise, with equal chances, and never folds."""

    compiled = CompiledForm(compiled.CALL_OR_RAISE)

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """A call or the least raise."""
        return _raise_to(view, view.min_raise_to) if draw_below(rng, 2) else _call(view)


def _call(view: HoldemView) -> Action:
    return CALL if view.to_call else CHECK


def _raise_to(view: HoldemView, amount: int) -> Action:
    if not amount:
        return _call(view)
    return Action("raise" if view.current_bet else "bet", amount)
