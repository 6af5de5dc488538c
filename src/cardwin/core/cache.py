"""Where things that can be made again are kept."""

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """The user's cache for cardwin; the environment variable CARDWIN_CACHE overrides the system's usual place."""
    if chosen := os.environ.get("CARDWIN_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local")) / "cardwin"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "cardwin"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "cardwin"
