"""See `cardwin.interop.gymnasium`."""

from cardwin.interop.gymnasium import PokerEnv, make, register

__all__ = ["PokerEnv", "make", "register"]
