"""See `cardwin.interop.pettingzoo`."""

from cardwin.interop.pettingzoo import PokerCycle, env, raw_env

__all__ = ["PokerCycle", "env", "raw_env"]
