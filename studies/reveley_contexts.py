"""Reveley (2002), 3 b: contexts of Loki's specific model other than Papp's twelve: pot odds, players, the last action.

What a model that counts actions in another context wins more than one with Papp's, on the same deals: heads-up against
several players, and at a full table.
"""

from collections.abc import Iterator

from cardwin.papers import Context
from cardwin.papers.reveley.loki import OPPONENTS, cells, measured, play
from cardwin.papers.reveley.trainings import sizes
from cardwin.papers.sample import Sample
from cardwin.players.loki.model import CONTEXTS
from cardwin.stats.intervals import mean_interval
from study import main

PLAN = {"deals": (5, 200, 2_000, 10_000), "tables": (2, 20, 200, 1_000)}
SPECIFIC = "loki:model=specific,doubts=off"
PAPPS, *OTHERS = CONTEXTS
COUNTED = ("calls or raises", "a chart and pot odds", "Loki without a model", "Loki, generic model")


def contexts(context: Context) -> Iterator[Sample]:
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
        for name in OTHERS:
            if name != "players":
                lead = mean_interval(won[name] - won[PAPPS])
                yield measured(f"contexts of the model, {name} minus {PAPPS}, heads-up against {opponent}", lead)
    header = ["contexts", *(text for opponent in COUNTED for text in (opponent, "±"))]
    context.table(f"Contexts of the specific model, heads-up: small bets a hand, {size['deals']:,} deals twice each. "
                  "Heads-up two players are always in, so that `players` counts as `bets` does", header,
                  [[name, *row] for name, row in table.items()])  # fmt: skip
    for name in OTHERS:
        versions = {PAPPS: (SPECIFIC, 5), name: (f"{SPECIFIC},contexts={name}", 5)}
        played = play(context, versions, size["tables"], "contexts", "table", name)
        lead = played.lead(name, PAPPS)
        yield measured(f"contexts of the model, {name} minus {PAPPS}, at a table with five of each", lead)


if __name__ == "__main__":
    main(contexts)
