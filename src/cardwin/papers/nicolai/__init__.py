"""Nicolai and Hilderman, Algorithms for Evolving No-Limit Texas Hold'em Poker Playing Agents."""

from cardwin.papers import Experiment
from cardwin.papers.nicolai import bets, tables, worked
from cardwin.papers.register import described

TITLE, ABOUT, MATTERS, HEADINGS = described(__package__)

EXPERIMENTS: dict[str, Experiment] = {
    "worked-examples": worked.experiments,
    "bet-sizes": bets.experiments,
    "duplicate-tables": tables.experiments,
}
