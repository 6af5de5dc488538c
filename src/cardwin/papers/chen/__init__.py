"""Chen (2018), AI algorithm in Texas Hold'em Game, BSc report, University of Hertfordshire: five tests of robots."""

from cardwin.papers import Experiment
from cardwin.papers.chen.callers import callers
from cardwin.papers.chen.everybody import everybody
from cardwin.papers.chen.mirror import mirror
from cardwin.papers.chen.remarks import remarks
from cardwin.papers.chen.thresholds import thresholds
from cardwin.papers.chen.versus import bluffs
from cardwin.papers.register import paper_description

TITLE, ABOUT, MATTERS, HEADINGS = paper_description(__package__)
EXPERIMENTS: dict[str, Experiment] = {
    "callers": callers,
    "mirror": mirror,
    "bluffs": bluffs,
    "everybody": everybody,
    "thresholds": thresholds,
    "remarks": remarks,
}
