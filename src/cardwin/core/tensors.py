"""Arrays and notes in safetensors files: written as the same bytes for the same contents, read without surprises.

The package writes its header's keys in any order; ours are sorted, so that equal runs write equal files.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy.typing as npt
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from cardwin.core.errors import InputError

_LENGTH = 8  # bytes of the header's length, which the file begins with


def tensors(arrays: Mapping[str, npt.NDArray[Any]], notes: Mapping[str, str]) -> bytes:
    """The bytes of a file. Offsets count from the header's end, so a header of another length moves no array."""
    content: bytes = save(dict(arrays), dict(notes))
    end = _LENGTH + int.from_bytes(content[:_LENGTH], "little")
    header = json.dumps(json.loads(content[_LENGTH:end]), sort_keys=True, separators=(",", ":")).encode()
    header += b" " * (-len(header) % _LENGTH)
    return len(header).to_bytes(_LENGTH, "little") + header + content[end:]


def read_tensors(path: Path, named: str, hint: str) -> tuple[dict[str, npt.NDArray[Any]], dict[str, str]]:
    """The arrays and the notes of a file, which is called `named` in errors; `hint` says how to get one.

    A folder or a pipe is refused: nobody may ever write into a pipe.
    """
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is a folder or a pipe, not a {named}: {hint}")
    try:
        with safe_open(path, framework="numpy") as file:
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  no mapping
            return arrays, dict(file.metadata() or {})
    except FileNotFoundError:
        raise InputError(f"there is no file {path}: {hint}") from None
    except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is no {named}, or damaged: {error}") from None
