"""Kernels give the same results uncompiled, in a process of their own."""

from support import outputs_both_ways

SAMPLE = """
import numpy as np, cardwin
from cardwin.arena.small.play import sample_hands
from cardwin.solvers import plans
from cardwin.solvers.cfr import Cfr
from cardwin.solvers.tree import tree_of
for name in ("kuhn-full", "onecard"):
    tree = tree_of(cardwin.game(name))
    genes = [np.linspace(0.1, 0.9, seqs.genes)[None] for seqs in tree.sequences]
    behaviours = [plans.behaviours(seqs, each) for seqs, each in zip(tree.sequences, genes)]
    first, second = (plans.plans(seqs, each)[0] for seqs, each in zip(tree.sequences, behaviours))
    solver = Cfr(tree)
    solver.step(20)
    print(plans.value(tree, first, second).hex(), plans.exploitability(tree, first, second).hex())
    print(solver.exploitability().hex())
    print(sample_hands(tree, behaviours[0][0], behaviours[1][0], 200, 7).tolist())
"""


def test_kernels_are_python_too() -> None:
    compiled, uncompiled = outputs_both_ways(SAMPLE)
    assert compiled == uncompiled
