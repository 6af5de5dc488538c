"""See `cardwin.interop.gymnasium`."""

try:
    from cardwin.interop.gymnasium import PokerEnv, make, register
except ModuleNotFoundError as error:
    raise ImportError(f"cardwin.gymnasium needs Gymnasium: pip install 'cardwin[gymnasium]' ({error})") from error

__all__ = ["PokerEnv", "make", "register"]
