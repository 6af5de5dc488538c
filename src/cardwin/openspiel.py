"""See `cardwin.interop.openspiel`."""

try:
    from cardwin.interop.openspiel import (
        bot,
        export_policy,
        from_openspiel,
        import_policy,
        openspiel_game,
        register,
        registered,
        to_openspiel,
    )
except ModuleNotFoundError as error:
    raise ImportError(f"cardwin.openspiel needs OpenSpiel: pip install 'cardwin[openspiel]' ({error})") from error

__all__ = [
    "bot",
    "export_policy",
    "from_openspiel",
    "import_policy",
    "openspiel_game",
    "register",
    "registered",
    "to_openspiel",
]
