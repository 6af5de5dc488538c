"""Nicolai and Hilderman, Algorithms for Evolving No-Limit Texas Hold'em Poker Playing Agents."""

from cardwin.papers import Experiment
from cardwin.papers.nicolai import ablations, bets, tables

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
EXPERIMENTS: dict[str, Experiment] = {
    "bet-sizes": bets.experiments,
    "duplicate-tables": tables.experiments,
    "ablations": ablations.experiments,
}
