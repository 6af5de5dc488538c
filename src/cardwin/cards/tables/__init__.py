"""Lookup tables: how each is built, where it is stored, how it is checked.

Small tables that ship with the package, each with its checksum.

Kernels compile such tables as constants and are cached on disk by a hash of the package's sources. The checksums are
in this source file, so a new table changes the hash and no cached kernel keeps the old table.
"""

import hashlib
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.core.errors import CorruptFileError

CHECKSUMS = {
    "win_odds_fit.npz": "71b63486ad1ecdfd",
    "preflop.npz": "e3738c62211a85df",
    "rank_tables.npz": "11122e4ce83cb372",
}


def _path(name: str) -> Path:
    return Path(__file__).with_name(name)


def load_shipped(name: str) -> dict[str, npt.NDArray[Any]]:
    """A table's arrays by name."""
    content = _path(name).read_bytes()
    if hashlib.blake2b(content, digest_size=8).hexdigest() != CHECKSUMS[name]:
        raise CorruptFileError(f"{_path(name)} is damaged (its checksum differs): install cardwin again")
    with np.load(BytesIO(content), allow_pickle=False) as arrays:
        return dict(arrays)


def write_shipped(name: str, arrays: dict[str, npt.NDArray[Any]]) -> None:
    """Write a table again, and print its new checksum."""
    np.savez_compressed(_path(name), allow_pickle=False, **arrays)
    checksum = hashlib.blake2b(_path(name).read_bytes(), digest_size=8).hexdigest()
    print(f'wrote {_path(name)}: in tables/__init__.py, "{name}": "{checksum}"')
