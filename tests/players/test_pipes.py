"""A pipe or a folder in place of a player's file is refused in a sentence: nobody may ever write into the pipe."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from support import refusal


@pytest.mark.parametrize("spec", ["net:{}.safetensors", "xcs:{}.xcs", "cfr:{}.cfr", "matrix:{}.json"])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_a_pipe_or_a_folder_is_no_player(spec: str, make: Callable[[Path], None], tmp_path: Path) -> None:
    file = Path(spec.partition(":")[2].format(tmp_path / "player"))
    make(file)
    said = refusal("match", f"{spec.partition(':')[0]}:{file}", "call", "--game", "holdem-limit", "--hands", "2")
    assert file.name in said
