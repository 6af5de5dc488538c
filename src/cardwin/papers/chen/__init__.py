"""Chen (2018), AI algorithm in Texas Hold'em Game, BSc report, University of Hertfordshire: five tests of robots."""

from cardwin.papers import Experiment
from cardwin.papers.chen.callers import callers
from cardwin.papers.chen.everybody import everybody
from cardwin.papers.chen.mirror import mirror
from cardwin.papers.chen.remarks import remarks
from cardwin.papers.chen.thresholds import thresholds
from cardwin.papers.chen.versus import bluffs

TITLE = "Robots at a simplified hold'em table"
ABOUT = (
    "Yifan Chen, AI algorithm in Texas Hold'em Game, BSc report, University of Hertfordshire 2018. Robots of growing "
    "skill play rounds of a simplified hold'em with the chips they have: a chart player (Standard), a simulator "
    "(AI V1) and one that learns a threshold while it plays (AI V2). Stack, blind, ante, least bet and V1's raise are "
    "not published; ours are named in docs/papers/chen.md with their reasons, and tests 3 to 5 are also played on a "
    "grid over all of them. The document's table lost or made money within 5% and could not re-raise; ours conserves "
    "every chip, and at our setting the robots fold to re-raises as its robots did. Each test names the setting it was "
    "played at, simulations a decision included."
)
MATTERS = (
    "V1's chips a round with bluffs",
    "share of settings with V2 >= V1 > Standard > Call",
    "the trend: threshold for 50% minus threshold for 20%",
)
HEADINGS = {
    "callers": "4.2 Test 1: one Standard and seven Call, Figures 14 to 16",
    "mirror": "4.2 Test 2: Standard robots only, Figure 17",
    "bluffs": "4.2 Test 3: V1 with bluffs and without, Figures 18 and 19",
    "everybody": "4.2 Test 4: all robots, and 4.4 Result",
    "thresholds": "4.2 Test 5 and 3.3: the thresholds that V2 learns",
    "remarks": "3.4 and 4.4 The simulated win rate, and a changed environment",
}
EXPERIMENTS: dict[str, Experiment] = {
    "callers": callers,
    "mirror": mirror,
    "bluffs": bluffs,
    "everybody": everybody,
    "thresholds": thresholds,
    "remarks": remarks,
}
