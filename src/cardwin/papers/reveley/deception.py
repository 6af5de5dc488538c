"""Deception where it can pay: memory against opponents who notice.

The document's register and bluff counter are for deceiving an opponent who would otherwise see through it (1.4 d).
Caller and Random notice nothing, so they cannot test that. Two opponents do:

1. A small game in which the gain from memory is known exactly (`noticing`). Here a match is one episode, so that the
   register lasts from hand to hand; in hold'em it is cleared after every hand and only counters last.
2. Loki with the specific model, which counts what this opponent does; with its doubts, which ask the hands that are
   shown whether bets meant anything, and without. What the register came to hold is a study of its own
   (studies/reveley_read_out.py).
"""

from collections.abc import Iterator

from cardwin.papers import Context
from cardwin.papers.reveley.baselines import baseline_rows, baselines_of, header_of, mean_cells, result_cells
from cardwin.papers.reveley.claims import family, leads, numbers
from cardwin.papers.reveley.noticing import KINDS, Noticing, Opponent, learned
from cardwin.papers.reveley.trials import Training, in_parallel, seeds_of, sizes, train_each
from cardwin.papers.reveley.versions import DOUBTING, TRUSTING, WITH_BLUFF, WITH_COUNTERS
from cardwin.papers.sample import Sample, sample

GAME = Noticing(4)
MEMORIES = {
    "no memory": "xcs",
    "register": "xcs:register_bits=1",
    "bluff counter": f"xcs:see={WITH_BLUFF}",
    "register and its counter": f"xcs:register_bits=1,see={WITH_COUNTERS}",
}
TABLES = (DOUBTING, TRUSTING)


def small_game(context: Context) -> Iterator[Sample]:
    """Compute the known gain, and train XCS to find it."""
    size, opponent = sizes(context, "noticing"), Opponent(GAME)
    seeds = seeds_of(context, size["seeds"])
    yield sample("an opponent who notices: the best response with memory minus the best player without",
                 exact=round(opponent.with_memory - opponent.best_without_memory, 4),
                 judged=opponent.with_memory - opponent.best_without_memory, best=opponent.with_memory,
                 without=opponent.best_without_memory)  # fmt: skip
    jobs = [Training(kind, (GAME.name,), size["matches"], seed) for kind in KINDS for seed in seeds]
    results = iter(zip(jobs, in_parallel(_learned, jobs, context.workers, in_python=False), strict=True))
    done = {kind: [next(results) for _ in seeds] for kind in KINDS}
    rows = [[f"XCS, {kind}", *mean_cells([won for _, won in done[kind]])] for kind in KINDS]
    rows += [["best response, with memory", f"{opponent.with_memory:+.3f}", "exact"],
             ["best player without memory", f"{opponent.best_without_memory:+.3f}", "exact"]]  # fmt: skip
    context.table(f"Four hands against an opponent who notices: chips a hand, {size['matches']:,} matches, "
                  f"{size['seeds']} seeds, ± over seeds", ["player", "won", "±"], rows)  # fmt: skip
    yield from family({
        f"an opponent who notices: XCS with a {kind} minus without memory":
            numbers(((a, b), won - other)
                    for (a, won), (b, other) in zip(done[kind], done["no memory"], strict=True))
        for kind in list(KINDS)[1:]
    })  # fmt: skip


def _learned(one: Training) -> float:
    return learned(Opponent(GAME), one.spec, one.hands, one.seed)


def holdem(context: Context) -> Iterator[Sample]:
    """Train against the specific Loki, with its doubts and without."""
    size = sizes(context, "deception")
    seeds = seeds_of(context, size["seeds"])
    done = train_each(context, MEMORIES, TABLES, size, seeds)
    found = baselines_of(TABLES, seeds, size["deals"], context.workers)
    rows = [[name, *(text for one in by_table.values() for text in result_cells(one))]
            for name, by_table in done.items()]  # fmt: skip
    context.table(f"Trained and judged by Loki, specific model: {size['hands']:,} hands, {size['seeds']} seeds, "
                  f"{size['deals']} deals, ± over seeds", header_of(TABLES, "small bets a hand against"),
                  [*rows, *baseline_rows(found, TABLES)])  # fmt: skip
    yield from family({
        f"deception: {name} minus no memory, {who}": lead
        for name in list(MEMORIES)[1:] for who, lead in leads(done, name, "no memory").items()
    })  # fmt: skip
