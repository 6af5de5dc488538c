"""Whole runs, and every operator on every kind of genome, give the same bits with the compiler switched off."""

import os
import subprocess
import sys
from pathlib import Path

SAMPLE = """
import sys
from pathlib import Path
from cardwin.reports import report
from cardwin.runs.launch import evolve
report.write = lambda folder: folder
small = ["generations=4", "population={size=12, start='random'}"]
runs = {
    "kuhn-coevolution": ["fitness.tremble=0.1"],
    "lopez-mixed": ["fitness={play='sampled', games=5}", "search.crossover='one-point'", "search.selection='blend'"],
    "lopez-coevolution": ["fitness={play='drawn', games=5}", "first.against=['population', 'rational', 'hall']"],
    "lopez-crossover-selective": ["fitness={play='sampled', games=2, fair=true}"],
    "morsomme": ["population={size=12, genes='choice', clean=true}"],
}
for preset, changes in runs.items():
    print(evolve(preset, small + changes, 1, Path(sys.argv[1]) / preset)["digest"])
"""


BATTERY = """
import hashlib
from evolution.battery import CASES, GENOMES, score_on, search
for name, case in CASES.items():
    for kind, genome in GENOMES.items():
        searcher = case.start(genome, 3)
        search(searcher, 3, score_on(genome))
        state = b"".join(array.tobytes() for array in searcher.state().values())
        print(name, kind, hashlib.blake2b(state + searcher.ask().tobytes(), digest_size=8).hexdigest(), sep="|")
"""


def both_ways(program: str, folder: Path) -> list[str]:
    """What a program prints, compiled and not."""
    return [
        subprocess.run(
            [sys.executable, "-c", program, str(folder / switch)],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for switch in ("0", "1")
    ]


def test_a_run_is_python_too(tmp_path: Path) -> None:
    compiled, plain = both_ways(SAMPLE, tmp_path)
    assert len(compiled.split()) == 5
    assert compiled == plain


def test_every_operator_is_python_too(tmp_path: Path) -> None:
    compiled, plain = both_ways(BATTERY, tmp_path)
    assert len(compiled.splitlines()) > 60
    assert compiled.splitlines() == plain.splitlines()
