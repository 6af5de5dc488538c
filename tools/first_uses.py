"""CPU seconds of a new user's first commands, from an empty kernel cache: `python tools/first_uses.py [TREE...]`.

Each command is a separate process, and each finds the kernels that the ones before it compiled; a line that begins with
"empty" starts with an empty cache. The win-odds table is linked from the user's cache. With several checkouts, each
command runs in all of them in turns.
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from cardwin.core.files import cache_folder

PAGE = """
from fastapi.testclient import TestClient
from cardwin.web.server import ServerSettings, make_app
from pathlib import Path
import sys
client = TestClient(make_app(ServerSettings(Path(sys.argv[1]), port=8765)), base_url="http://127.0.0.1:8765")
opened = client.post("/api/tables", json={"game": "holdem-nl", "players": ["person", "call"], "seed": 1}).json()
address = f"ws://127.0.0.1:8765/api/tables/{opened['id']}/socket?token={opened['token']}"
with client.websocket_connect(address) as socket:
    socket.receive_json()
    socket.send_json({"do": "deal"})
    while not socket.receive_json().get("actions"):
        pass
"""
EVOLVE = "evolve neuro-es --seed 1 --generations 2 --no-report --out"
FIRST_USES: tuple[tuple[str, bool, list[str]], ...] = tuple(
    (name, empty, command.split() if command else [])
    for name, empty, command in (
        ("match of robots", True, "match call random --hands 1000 --seed 1"),
        ("then a network", False, "match net:champion call --hands 1000 --seed 1"),
        ("then Loki, limit", False, "match loki call --game holdem-limit --hands 1000 --seed 1"),
        ("then a blueprint, limit", False, "match cfr:limit call --game holdem-limit --hands 1000 --seed 1"),
        ("then a tournament", False, "tournament random*12 --seed 1"),
        ("the first again", False, "match call random --hands 1000 --seed 1"),
        ("evolve neuro-es", True, EVOLVE),
        ("the page's first table", True, ""),
        ("warm", True, "warm"),
    )
)


def seconds(command: list[str], tree: Path, cache: str, folder: str) -> float:
    """Return CPU seconds of a process; an empty command is the page."""
    words = ["-m", "cardwin", *command] if command else ["-c", PAGE, folder]
    if command and command[-1] == "--out":
        words.append(tempfile.mkdtemp(dir=folder) + "/run")
    environment = {**os.environ, "CARDWIN_CACHE": cache, "PYTHONPATH": str(tree / "src")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, *words], env=environment, cwd=folder, capture_output=True, text=True)  # noqa: S603  our own commands
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{' '.join(command) or 'the page'} failed in {tree}:\n{done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def new_cache(folder: str, number: int) -> str:
    """Make a cache that contains nothing but links to the win-odds table."""
    cache = Path(folder) / f"cache-{number}"
    cache.mkdir()
    for odds in cache_folder().glob("odds-*"):
        (cache / odds.name).symlink_to(odds)
    return str(cache)


def megabytes(cache: str) -> float:
    """Return the size of the kernels in a cache in MB."""
    return sum(file.stat().st_size for file in Path(cache, "kernels").rglob("*") if file.is_file()) / 1e6


def main() -> None:
    """Measure and print a row for each command."""
    trees = [Path(text).resolve() for text in sys.argv[1:]] or [Path(__file__).parent.parent]
    with tempfile.TemporaryDirectory() as folder:
        caches, made = [""] * len(trees), 0
        for name, empty, command in FIRST_USES:
            row = []
            for index, tree in enumerate(trees):
                if empty:
                    made += 1
                    caches[index] = new_cache(folder, made)
                row.append(f"{seconds(command, tree, caches[index], folder):7.1f} ({megabytes(caches[index]):4.0f} MB)")
            print(f"{name:<26}{'empty' if empty else '':<7}", *row, flush=True)


if __name__ == "__main__":
    main()
