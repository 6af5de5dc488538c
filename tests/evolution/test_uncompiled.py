"""A whole run gives the same digest with the compiler switched off."""

import os
import subprocess
import sys
from pathlib import Path

SAMPLE = """
import sys
from pathlib import Path
from cardwin.lab import report
from cardwin.lab.launch import evolve
report.write = lambda folder: folder
small = ["generations=4", "population={size=12, start='random'}"]
runs = {
    "kuhn-coevolution": ["fitness.tremble=0.1"],
    "lopez-mixed": ["fitness={play='sampled', games=5}", "search.crossover='one-point'", "search.selection='blend'"],
    "lopez-crossover-selective": ["fitness={play='sampled', games=2, fair=true}"],
    "morsomme": ["population={size=12, genes='choice', clean=true}"],
}
for preset, changes in runs.items():
    print(evolve(preset, small + changes, 1, Path(sys.argv[1]) / preset)["digest"])
"""


def test_a_run_is_python_too(tmp_path: Path) -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", SAMPLE, str(tmp_path / switch)],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for switch in ("0", "1")
    ]
    assert len(outputs[0].split()) == 4
    assert outputs[0] == outputs[1]
