"""Nicolai and Hilderman, Algorithms for Evolving No-Limit Texas Hold'em Poker Playing Agents."""

from cardwin.papers import Experiment
from cardwin.papers.nicolai import bet_sizes, duplicate_tables, worked_examples
from cardwin.papers.register import paper_description

TITLE, ABOUT, MATTERS, HEADINGS = paper_description(__package__)

EXPERIMENTS: dict[str, Experiment] = {
    "worked-examples": worked_examples.worked_examples,
    "bet-sizes": bet_sizes.bet_sizes,
    "duplicate-tables": duplicate_tables.duplicate_tables,
}
