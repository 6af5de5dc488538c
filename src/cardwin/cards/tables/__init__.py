"""Lookup tables. This module loads the small ones; `win_odds_store` stores the large one.

Small tables ship with the package, each with its checksum. `tools/shipped_tables.py` builds them. Kernels compile them
as constants and are cached on disk by a hash of the package's sources. The checksums are in this source file, so a new
table changes the hash and no cached kernel keeps the old table.
"""

import hashlib
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.core.errors import CorruptFileError

# A hand's key in `rank_tables.npz` is the sum of its ranks' keys; its low bits are the row.
RANK_KEYS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
ROW_BITS = 12
ROWS = 1 << ROW_BITS

CHECKSUMS = {
    "win_odds_fit.npz": "71b63486ad1ecdfd",
    "preflop.npz": "e3738c62211a85df",
    "rank_tables.npz": "11122e4ce83cb372",
}


def _path(name: str) -> Path:
    return Path(__file__).with_name(name)


def load_shipped(name: str) -> dict[str, npt.NDArray[Any]]:
    """Return a table's arrays by name.

    Raises:
        CorruptFileError: the checksum differs.

    """
    content = _path(name).read_bytes()
    if hashlib.blake2b(content, digest_size=8).hexdigest() != CHECKSUMS[name]:
        raise CorruptFileError(f"{_path(name)} is damaged (its checksum differs): install cardwin again")
    with np.load(BytesIO(content), allow_pickle=False) as arrays:
        return dict(arrays)
