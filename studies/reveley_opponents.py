"""Reveley (2002), section 4: how XCS does with two to ten seats, which the document left to be examined."""

from collections.abc import Iterator, Mapping
from functools import partial

from cardwin.papers import Context
from cardwin.papers.reveley.baselines import baselines_of, result_cells
from cardwin.papers.reveley.claims import questions, single
from cardwin.papers.reveley.trainings import TEACHER, Table, Trial, run_all, seeds_of, sizes
from cardwin.papers.sample import Sample
from study import main

PLAN = {"hands": (1_000, 10_000, 30_000, 1_000_000), "deals": (20, 200, 400, 4_000), "seeds": (2, 3, 8, 10)}
AGAINST_LOKIS = {"hands": (100, 1_000, 100_000, 1_000_000), "deals": (10, 60, 1_000, 4_000), "seeds": (2, 3, 8, 8)}


def opponents(context: Context) -> Iterator[Sample]:
    """Measure two to ten seats: Callers, a mixture, and several Lokis."""
    size, loki = sizes(context, PLAN), sizes(context, AGAINST_LOKIS)
    callers = {f"{number} Caller{'s' if number > 1 else ''}": ("call",) * number for number in (1, 2, 4, 9)}
    callers["Caller and Random"] = ("call", "random")
    lokis: dict[str, Table] = {f"{number} Lokis": TEACHER * number for number in (2, 3)}
    lokis["Loki and Caller"] = (*TEACHER, "call")
    for group, tables in ((size, callers), (loki, lokis)):
        yield from _numbers(context, group, tables)


def _numbers(context: Context, size: Mapping[str, int], tables: Mapping[str, Table]) -> Iterator[Sample]:
    """Measure trainings against each table, and what they win more than the best blind player there."""
    seeds, rows = seeds_of(context, size["seeds"]), []
    deals = {table: max(size["deals"] // len(table), 5) for table in tables.values()}
    trials = [
        Trial("xcs", table, size["hands"], seed, (table,), deals[table]) for table in tables.values() for seed in seeds
    ]
    results = iter(run_all(trials, context.workers))
    for against, table in tables.items():
        trained = [next(results) for _ in seeds]
        found = baselines_of((table,), seeds, deals[table], context.workers)
        blind = found.best_blind(table)
        rows.append([against, *result_cells(trained), blind, *found.cells(table, blind), *found.cells(table, "Loki")])
        name = f"XCS against {against}, beyond the best blind player"
        yield from questions({name: single(trained, partial(found.beyond, (table,)))}, {name: f"which {blind}"})
    context.table(f"Numbers of opponents: small bets a hand, {size['hands']:,} hands, {size['seeds']} seeds, ± 95%",
                  ["against", "won", "±", "the best blind player", "won", "±", "Loki won", "±"], rows)  # fmt: skip


if __name__ == "__main__":
    main(opponents)
