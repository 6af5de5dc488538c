"""Players that do not use their cards: a mixture of fold, call and raise, and which static players are one.

Their exact best responses in limit hold'em are in `solvers.blind_response`.
"""

from collections.abc import Mapping

from cardwin.core.errors import InputError
from cardwin.games.holdem.hooks import ALL_IN, CALL_OR_RAISE, CALLER, FOLDER, RAISER, RANDOM
from cardwin.players.kind import PlayerKind
from cardwin.players.robots import compiled, kernels
from cardwin.players.robots.parameters import BLIND_PARAMETERS
from cardwin.players.robots.robot import Robot, RobotKind
from cardwin.players.robots.static import Static
from cardwin.solvers.blind_response import BlindPlay, mixture, uniform_play

BLIND = RobotKind("blind", BLIND_PARAMETERS, kernels.blind, compiled.BLIND)
ROUNDING = 1e-9  # of decimal fractions that should add to 1

# In limit hold'em, whose only raise is the minimum raise.
STATIC_PLAYS: dict[int, BlindPlay] = {
    FOLDER: mixture(1, 0, 0),
    CALLER: mixture(0, 1, 0),
    RAISER: mixture(0, 0, 1),
    ALL_IN: mixture(0, 0, 1),
    CALL_OR_RAISE: mixture(0, 0.5, 0.5),
    RANDOM: uniform_play,
}


class Blind(Robot):
    """A mixture of fold, call and raise."""

    def explain(self) -> str:
        """Return its probabilities, which do not depend on anything."""
        call, raises = self.values
        return f"fold {max(1 - call - raises, 0):.3g}, call {call:.3g}, raise {raises:.3g}, whatever the cards"


def build_blind(texts: Mapping[str, str]) -> Blind:
    """Return a mixture from the probabilities to call and to raise; without parameters, a third each."""
    values = BLIND.values(texts) if texts else [1 / 3, 1 / 3]
    if sum(values) > 1 + ROUNDING:
        raise InputError(f"blind: call and raise must add to at most 1, got {sum(values):g}")
    return Blind(BLIND, values)


def blind_play(player: object) -> BlindPlay | None:
    """Return how a player plays limit hold'em if its cards do not matter, otherwise None."""
    if isinstance(player, Static):
        return STATIC_PLAYS.get(player.kind)
    if isinstance(player, Blind):
        call, raises = player.values
        return mixture(max(1 - call - raises, 0.0), call, raises)
    return None


BLIND_KIND = PlayerKind(
    "calls, raises (minimum amounts) or folds with given probabilities, whatever its cards: blind:call=.3,raise=.7",
    build_blind,
    BLIND.names,
    compiled=BLIND.compiled,
    source="the mixtures whose best responses Johanson, Waugh, Bowling and Zinkevich (2011) computed "
    "([how good is it?](../explanation/how-good.md))",
)
