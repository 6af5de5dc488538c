"""Hold'em: no-limit, limit and simple, one set of rules for all."""

from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.games.holdem.state import HoldemState
from cardwin.games.holdem.view import HoldemView

__all__ = ["HoldemGame", "HoldemState", "HoldemView", "holdem_game"]
