"""Install a wheel or an sdist into an empty environment and try it: `python tools/smoke_test.py FILE...`.

Each file gets an environment of its own, outside the checkout. The test imports the package, looks for the files that
it ships, solves Kuhn poker, plays a match of robots and one of a trained network.
"""

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

CONSTRAINTS = Path(__file__).parent.parent / "constraints.txt"
SHIPPED = ("py.typed", "players/champions/limit.cfr", "players/champions/champion.safetensors", "web/static/index.html")


def smoke_test(file: Path) -> None:
    """Install a distribution and try it; raise if anything is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = Path(folder, "bin", "python")

        def run(*words: str | Path) -> str:
            command = [str(python), "-I", *map(str, words)]  # nothing of the checkout
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True)  # noqa: S603  our own commands
            if done.returncode:
                sys.exit(f"{file.name}: {' '.join(command)} exits with {done.returncode}:\n{done.stderr}")
            return done.stdout

        def answer(*words: str) -> dict[str, object]:
            result: dict[str, object] = json.loads(run("-m", "cardwin", *words, "--json"))
            return result

        run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--constraint", CONSTRAINTS, file)
        where = "import cardwin, pathlib; print(pathlib.Path(cardwin.__file__).parent, cardwin.__version__)"
        package, version = run("-c", where).split()
        missing = [name for name in SHIPPED if not Path(package, name).is_file()]
        if missing or not package.startswith(folder):
            sys.exit(f"{file.name}: expected {', '.join(SHIPPED)} in {package}, missing {', '.join(missing)}")
        value = answer("solve", "kuhn")["fraction"]
        if value != "-1/18":
            sys.exit(f"{file.name}: expected a value of -1/18 for Kuhn poker, got {value}")
        digests = [answer("match", name, "call", "--hands", "100", "--seed", "1")["digest"] for name in NAMES]
        print(f"{file.name}: {file.stat().st_size / 1e6:.1f} MB, version {version}, digests {digests}")


NAMES = ("random", "net:champion")

if __name__ == "__main__":
    for name in sys.argv[1:]:
        smoke_test(Path(name).resolve())
