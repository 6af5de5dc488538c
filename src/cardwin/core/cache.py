"""The cache folder, for files that can be rebuilt: kernels, lookup tables."""

import os
from pathlib import Path

from platformdirs import user_cache_path


def cache_folder() -> Path:
    """The user's cache for cardwin; the environment variable CARDWIN_CACHE overrides the default location."""
    chosen = os.environ.get("CARDWIN_CACHE")
    return Path(chosen) if chosen else user_cache_path("cardwin", appauthor=False)
