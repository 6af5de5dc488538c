"""Nicolai and Hilderman, Algorithms for Evolving No-Limit Texas Hold'em Poker Playing Agents."""

from cardwin.papers import Experiment
from cardwin.papers.nicolai import bets, tables, worked

TITLE = "Evolving networks for no-limit hold'em"
ABOUT = (
    "Garrett Nicolai and Robert Hilderman, Algorithms for Evolving No-Limit Texas Hold'em Poker Playing Agents. "
    "Networks are evolved by tournaments, with halls of fame and co-evolution, and their champions play eight "
    "benchmarks at nine-seat duplicate tables. Starting stacks, blinds, activation, mutation and the three matrix "
    "players are not published; ours are named in docs/networks.md. At every scale the same code and seeds run, with "
    "smaller populations and fewer tournaments."
)
MATTERS = (
    "LargeHOF ranks better than Baseline: difference",
    "co-evolution adds little: HOF2Pop minus LargeHOF",
    "who out-ranks LargeHOF",
)
HEADINGS = {
    "worked-examples": "4.1 to 4.5 Worked examples, and the memory of a hall",
    "bet-sizes": "4.3 The output vector: bet sizes, Table 3 and Figure 2",
    "duplicate-tables": "5 Experimental results: duplicate tables, Figure 7",
}
EXPERIMENTS: dict[str, Experiment] = {
    "worked-examples": worked.experiments,
    "bet-sizes": bets.experiments,
    "duplicate-tables": tables.experiments,
}
