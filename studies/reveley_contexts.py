"""Contexts of Loki's specific model other than Papp's twelve: pot odds, players, the last action.

What a model that counts actions in another context wins more than one with Papp's, on the same deals: heads-up against
several players, and at a full table.
"""

from collections.abc import Iterator

from cardwin.papers import Context, Finding
from cardwin.papers.reveley.loki import OPPONENTS, cells, play
from cardwin.papers.reveley.trials import sizes
from cardwin.players.loki.contexts import CONTEXTS
from cardwin.stats.intervals import Estimate, mean_interval

PLAN = {"deals": (5, 200, 2_000, 10_000), "tables": (2, 20, 200, 1_000)}
SPECIFIC = "loki:model=specific,doubts=off"
PAPPS, *OTHERS = CONTEXTS
COUNTED = ("calls or raises", "a chart and pot odds", "Loki without a model", "Loki, generic model")


def experiments(context: Context) -> Iterator[Finding]:
    """Play specific models with each context."""
    size = sizes(context, PLAN)
    table: dict[str, list[str]] = {name: [] for name in CONTEXTS}
    for opponent in COUNTED:
        won = {
            name: play(context, {"us": (f"{SPECIFIC},contexts={name}", 1), "them": (OPPONENTS[opponent], 1)},
                       size["deals"], "contexts", opponent).winnings["us"]
            for name in CONTEXTS
        }  # fmt: skip
        for name, one in won.items():
            table[name] += cells(mean_interval(one))
        yield from (_more(f"heads-up against {opponent}", name, mean_interval(won[name] - won[PAPPS]))
                    for name in OTHERS if name != "players")  # fmt: skip
    header = ["contexts", *(text for opponent in COUNTED for text in (opponent, "±"))]
    context.table(f"Contexts of the specific model, heads-up: small bets a hand, {size['deals']:,} deals twice each. "
                  "Heads-up two players are always in, so that `players` counts as `bets` does", header,
                  [[name, *row] for name, row in table.items()])  # fmt: skip
    for name in OTHERS:
        versions = {PAPPS: (SPECIFIC, 5), name: (f"{SPECIFIC},contexts={name}", 5)}
        played = play(context, versions, size["tables"], "contexts", "table", name)
        yield _more("at a table with five of each", name, played.lead(name, PAPPS))


def _more(where: str, name: str, lead: Estimate) -> Finding:
    """Return what a model with other contexts wins more than one with Papp's."""
    return Finding("section 3 b", f"contexts of the model, {name} minus {PAPPS}, {where}",
                   published="a direction of research", measured=round(lead.mean, 4),
                   ci95=(round(lead.low, 4), round(lead.high, 4)), over=f"{lead.n:,} deals", verdict=None)  # fmt: skip
