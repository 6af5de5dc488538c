"""Chen (2018), AI algorithm in Texas Hold'em Game, BSc report, University of Hertfordshire: five tests of robots."""

from cardwin.papers import Experiment
from cardwin.papers.chen import bluffs, callers, equal_robots, ranking, side_claims, thresholds
from cardwin.papers.register import paper_description

TITLE, ABOUT, MATTERS, HEADINGS = paper_description(__package__)
EXPERIMENTS: dict[str, Experiment] = {
    "callers": callers.experiment,
    "mirror": equal_robots.experiment,
    "bluffs": bluffs.experiment,
    "everybody": ranking.experiment,
    "thresholds": thresholds.experiment,
    "remarks": side_claims.experiment,
}
