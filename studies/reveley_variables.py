"""Reveley (2002), section 4: sets of state variables for XCS, and thresholds of a bluff (2.3 c).

The document left both to experiments: a history of the opponents' actions among the variables, and the hand below which
a bet is a bluff. Each set is trained and judged against Caller and against Random on the same seeds and deals.
"""

from collections.abc import Iterator

from cardwin.papers import Context
from cardwin.papers.reveley.baselines import baseline_rows, baselines_of, header_of, result_cells
from cardwin.papers.reveley.claims import by_opponent, leads, questions
from cardwin.papers.reveley.trainings import NAMES, SIMPLE, WITH_BLUFF, seeds_of, sizes, train_each
from cardwin.papers.sample import Sample
from cardwin.players.xcs.encoding import SEEN
from study import main

PLAN = {"hands": (2_000, 20_000, 60_000, 2_000_000), "deals": (20, 200, 400, 4_000), "seeds": (2, 3, 8, 10)}


def variables(context: Context) -> Iterator[Sample]:
    """Compare sets of state variables, with the history of the opponents' actions; and thresholds of a bluff."""
    sets = {
        "all eight": SEEN, "hs, round, bets to call": ("hs", "to_call", "round"), "hs and round": ("hs", "round"),
        "without potential": tuple(name for name in SEEN if name != "ppot"),
        "without the opponents' actions": tuple(name for name in SEEN if name != "raises"),
        "without hand strength": tuple(name for name in SEEN if name != "hs"),
        "a history of the opponents' actions too": (*SEEN, "history"),
    }  # fmt: skip
    versions = {name: f"xcs:see={'+'.join(seen)}" for name, seen in sets.items()}
    bluffs = {f"bluff counter, below .{tenth}": f"xcs:see={WITH_BLUFF},bluff_below=0.{tenth}" for tenth in (2, 4, 6)}
    size = sizes(context, PLAN)
    seeds = seeds_of(context, size["seeds"])
    done = train_each(context, versions | bluffs, SIMPLE, size, seeds)
    found = baselines_of(SIMPLE, seeds, size["deals"], context.workers)
    rows = [[name, *(text for table in SIMPLE for text in result_cells(done[name][NAMES[table]]))] for name in done]
    context.table(f"Sets of state variables: {size['hands']:,} hands, {size['seeds']} seeds", header_of(SIMPLE, "seen"),
                  [*rows, *baseline_rows(found, SIMPLE)])  # fmt: skip
    for name in list(sets)[1:]:
        yield from questions(by_opponent(f"all eight minus {name}", leads(done, "all eight", name)))
    for name in bluffs:
        yield from questions(by_opponent(f"{name}, minus none", leads(done, name, "all eight")))


if __name__ == "__main__":
    main(variables)
