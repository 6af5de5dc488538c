"""See `cardwin.interop.pettingzoo`."""

try:
    from cardwin.interop.pettingzoo import PokerCycle, env, raw_env
except ModuleNotFoundError as error:
    raise ImportError(f"cardwin.pettingzoo needs PettingZoo: pip install 'cardwin[pettingzoo]' ({error})") from error

__all__ = ["PokerCycle", "env", "raw_env"]
