"""Kernels give the same results uncompiled, in a process of their own."""

import os
import subprocess
import sys

SAMPLE = """
import numpy as np, cardwin
from cardwin.arena.small import sample_hands
from cardwin.solvers import plans
from cardwin.solvers.cfr import Cfr
from cardwin.solvers.tree import tree_of
for name in ("kuhn-full", "onecard"):
    tree = tree_of(cardwin.game(name))
    genes = [np.linspace(0.1, 0.9, side.genes)[None] for side in tree.sides]
    behaviours = [plans.behaviours(side, each) for side, each in zip(tree.sides, genes)]
    first, second = (plans.plans(side, each)[0] for side, each in zip(tree.sides, behaviours))
    solver = Cfr(tree)
    solver.step(20)
    print(plans.value(tree, first, second).hex(), plans.exploitability(tree, first, second).hex())
    print(solver.exploitability().hex())
    print(sample_hands(tree, behaviours[0][0], behaviours[1][0], 200, 7).tolist())
"""


def test_kernels_are_python_too() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", SAMPLE],
            env={**os.environ, "NUMBA_DISABLE_JIT": switch},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for switch in ("0", "1")
    ]
    assert outputs[0] == outputs[1]
