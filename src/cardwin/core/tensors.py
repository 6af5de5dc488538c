"""Arrays and notes as the bytes of a safetensors file, the same bytes for the same contents.

The package writes its header's keys in any order; ours are sorted, so that equal runs write equal files.
"""

import json
from collections.abc import Mapping
from typing import Any

import numpy.typing as npt
from safetensors.numpy import save

_LENGTH = 8  # bytes of the header's length, which the file begins with


def tensors(arrays: Mapping[str, npt.NDArray[Any]], notes: Mapping[str, str]) -> bytes:
    """The bytes of a file. Offsets count from the header's end, so a header of another length moves no array."""
    content: bytes = save(dict(arrays), dict(notes))
    end = _LENGTH + int.from_bytes(content[:_LENGTH], "little")
    header = json.dumps(json.loads(content[_LENGTH:end]), sort_keys=True, separators=(",", ":")).encode()
    header += b" " * (-len(header) % _LENGTH)
    return len(header).to_bytes(_LENGTH, "little") + header + content[end:]
