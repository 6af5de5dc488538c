"""Static players in Python: they decide by the same kernel as in the engine (`games.holdem.hooks`)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from cardwin.core.rng import Stream, draw_bits
from cardwin.games.base import CALL as CALLS
from cardwin.games.base import CHECK as CHECKS
from cardwin.games.base import FOLD as FOLDS
from cardwin.games.base import Action
from cardwin.games.holdem.hooks import (
    ALL_IN,
    CALL_OR_RAISE,
    CALLER,
    FIRST_DRAWING,
    FOLDER,
    RAISER,
    RANDOM,
    TIMID_CALLER,
    decide_static,
)
from cardwin.games.holdem.rules import FOLD, RAISE
from cardwin.games.holdem.view import HoldemView
from cardwin.players.compiled import CompiledForm
from cardwin.players.kind import CHEN, NICOLAI, PlayerKind
from cardwin.players.robots.parameters import RERAISE


def named_action(view: HoldemView, action: int, amount: int) -> Action:
    """Return a kernel's legal action under its name in this situation."""
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
        """Return the kernel's decision."""
        bits = draw_bits(rng) if self.kind >= FIRST_DRAWING else 0
        action, amount = decide_static(
            self.kind, view.to_call > 0, view.raises, view.min_raise_to, view.max_raise_to, bits
        )
        return named_action(view, action, amount)


def build_caller(texts: Mapping[str, str]) -> Static:
    """Return a Call robot; at the table of Chen (2018) it folded to a re-raise, as everybody did."""
    timid = RERAISE.read("call", texts.get("reraise", "play")) == 0
    return Static(TIMID_CALLER if timid else CALLER)


def _kind(number: int, title: str, source: str) -> PlayerKind:
    return PlayerKind(title, lambda _: Static(number), compiled=number, source=source)


FOLD_KIND = _kind(
    FOLDER, "folds to every bet, checks for free", f"a benchmark of {NICOLAI} (Folder) and a robot of {CHEN}"
)
CALL_KIND = replace(
    _kind(CALLER, "calls every bet, never bets", f"a benchmark of {NICOLAI} (Caller) and a robot of {CHEN}"),
    build=build_caller,
    parameters=(RERAISE.name,),
)
RAISE_KIND = _kind(RAISER, "makes the minimum bet or raise whenever it may", f"a benchmark of {NICOLAI} (Raiser)")
ALL_IN_KIND = _kind(ALL_IN, "bets everything whenever it may", f"a robot of {CHEN}")
RANDOM_KIND = _kind(
    RANDOM,
    "takes any legal action, minimum amounts, with equal chances",
    f"a benchmark of {NICOLAI} (Random) and a robot of {CHEN}",
)
CALL_OR_RAISE_KIND = _kind(
    CALL_OR_RAISE,
    "calls or makes the minimum raise, with equal chances",
    f"a benchmark of {NICOLAI} (CallOrRaise)",
)
