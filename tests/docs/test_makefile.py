"""The Makefile: an environment that belongs to another clone is never installed into."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize("target", ["docs", "setup", "demo"])
def test_a_linked_environment_is_not_installed_into(target: str, tmp_path: Path) -> None:
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    (theirs / "bin").mkdir(parents=True)
    ours.mkdir()
    installer = theirs / "bin" / "python"
    installer.write_text(f"#!/bin/sh\ntouch {tmp_path}/installed\n")
    installer.chmod(0o755)
    (ours / ".venv").symlink_to(theirs)
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, ours)
    done = subprocess.run(
        ["make", target, "UV="],
        cwd=ours,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"MAKEFLAGS": ""},
    )
    assert done.returncode != 0
    assert ".venv is a link to the environment of another clone: remove the link" in done.stderr
    assert not (tmp_path / "installed").exists()
