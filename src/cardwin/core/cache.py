"""The folder of things that can be made again: kernels, lookup tables."""

import os
from pathlib import Path

from platformdirs import user_cache_path


def cache_folder() -> Path:
    """The user's cache for cardwin; the environment variable CARDWIN_CACHE overrides the system's usual place."""
    chosen = os.environ.get("CARDWIN_CACHE")
    return Path(chosen) if chosen else user_cache_path("cardwin", appauthor=False)
