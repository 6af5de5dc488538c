"""XCS at limit hold'em: registers, state variables, bluff thresholds, numbers of opponents, and two other learners.

Two other learners have the same inputs: a table (the same learner without generalisation, one row for each situation
and action, which is Q-learning) and a small evolved network. Baselines that do not learn stand beside every row.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from cardwin.core.executor import executor_of
from cardwin.core.rng import key_of
from cardwin.papers import Context, Finding
from cardwin.papers.reveley.baselines import baseline_rows, baselines_of, mean_cells
from cardwin.papers.reveley.claims import Row, Sample, by_opponent, family, questions, single
from cardwin.papers.reveley.duplicate import ours
from cardwin.papers.reveley.plan import seeds as seeds_of
from cardwin.papers.reveley.plan import sizes
from cardwin.papers.reveley.small_network import evolved_network
from cardwin.papers.reveley.trials import LIMIT, Table, Trained, Trial, deal_key, run_all
from cardwin.papers.reveley.versions import (
    CALLER,
    LOKIS,
    NAMES,
    SIMPLE,
    TABLE,
    WITH_BLUFF,
    WITH_COUNTERS,
    header_of,
    leads,
    result_cells,
    train_each,
)
from cardwin.players.registry import player
from cardwin.players.xcs.encoding import SEEN
from cardwin.players.xcs.training.holdem import won_by_deal
from cardwin.stats.intervals import mean_interval


def registers(context: Context) -> Iterator[Finding]:
    """Registers of one to six bits, and counters of their bits."""
    versions = {"no register": "xcs"} | {f"{bits}-bit register": f"xcs:register_bits={bits}" for bits in range(1, 7)}
    versions |= {
        f"{bits}-bit register and its counters": f"xcs:register_bits={bits},see={WITH_COUNTERS}" for bits in (1, 2, 6)
    }
    size = sizes(context, "registers")
    seeds = seeds_of(context, size["seeds"])
    done = train_each(context, versions, (CALLER,), size, seeds)
    found = baselines_of((CALLER,), seeds, size["deals"], context.workers)
    rows = [[name, *result_cells(done[name]["Caller"]), f"{done[name]['Caller'][0].rules:,}"] for name in versions]
    rows += [[*row, ""] for row in baseline_rows(found, (CALLER,))]
    context.table(f"Registers, against Caller: small bets a hand, {size['hands']:,} hands, {size['seeds']} seeds, ± "
                  "over seeds", ["register", "won", "±", "rules"], rows)  # fmt: skip
    for bits in (1, 3, 6):
        yield from questions(by_opponent("2.3 c", f"{bits}-bit register, minus none", "a matter for experiments",
                                         leads(done, f"{bits}-bit register", "no register")))  # fmt: skip
    yield from family(by_opponent(
        "2.3 c", "counters of six register bits slow learning: without minus with", "learning would be slowed",
        leads(done, "6-bit register", "6-bit register and its counters"),
    ))  # fmt: skip
    yield from questions(by_opponent(
        "2.3 c", "counters of two register bits, minus the same register alone", "perhaps a count of each",
        leads(done, "2-bit register and its counters", "2-bit register"),
    ))  # fmt: skip


def variables(context: Context) -> Iterator[Finding]:
    """Sets of state variables, with the history of the opponents' actions; and thresholds of a bluff."""
    sets = {
        "all eight": SEEN, "hs, round, bets to call": ("hs", "to_call", "round"), "hs and round": ("hs", "round"),
        "without potential": tuple(name for name in SEEN if name != "ppot"),
        "without the opponents' actions": tuple(name for name in SEEN if name != "raises"),
        "without hand strength": tuple(name for name in SEEN if name != "hs"),
        "a history of the opponents' actions too": (*SEEN, "history"),
    }  # fmt: skip
    versions = {name: f"xcs:see={'+'.join(seen)}" for name, seen in sets.items()}
    bluffs = {f"bluff counter, below .{tenth}": f"xcs:see={WITH_BLUFF},bluff_below=0.{tenth}" for tenth in (2, 4, 6)}
    size = sizes(context, "variables")
    seeds = seeds_of(context, size["seeds"])
    done = train_each(context, versions | bluffs, SIMPLE, size, seeds)
    found = baselines_of(SIMPLE, seeds, size["deals"], context.workers)
    rows = [[name, *(text for table in SIMPLE for text in result_cells(done[name][NAMES[table]]))] for name in done]
    context.table(f"Sets of state variables: {size['hands']:,} hands, {size['seeds']} seeds", header_of(SIMPLE, "seen"),
                  [*rows, *baseline_rows(found, SIMPLE)])  # fmt: skip
    for name in list(sets)[1:]:
        yield from questions(by_opponent("section 4", f"all eight minus {name}", "to be experimented with",
                                         leads(done, "all eight", name)))  # fmt: skip
    for name in bluffs:
        yield from questions(by_opponent("2.3 c", f"{name}, minus none", "below some threshold value",
                                         leads(done, name, "all eight")))  # fmt: skip


def opponents(context: Context) -> Iterator[Finding]:
    """Two to ten seats: Callers, a mixture, and several Lokis."""
    size, loki = sizes(context, "opponents"), sizes(context, "opponents-loki")
    callers = {f"{number} Caller{'s' if number > 1 else ''}": ("call",) * number for number in (1, 2, 4, 9)}
    callers["Caller and Random"] = ("call", "random")
    lokis: dict[str, Table] = {f"{number} Lokis": LOKIS[0] * number for number in (2, 3)}
    lokis["Loki and Caller"] = (*LOKIS[0], "call")
    for group, tables in ((size, callers), (loki, lokis)):
        yield from _numbers(context, group, tables)


def _numbers(context: Context, size: Mapping[str, int], tables: Mapping[str, Table]) -> Iterator[Finding]:
    """Trainings against each table, and what they win more than the best blind player there."""
    seeds, rows = seeds_of(context, size["seeds"]), []
    deals = {table: max(size["deals"] // len(table), 5) for table in tables.values()}
    trials = [
        Trial("xcs", table, size["hands"], seed, (table,), deals[table]) for table in tables.values() for seed in seeds
    ]
    results = iter(run_all(trials, context.workers))
    for name, table in tables.items():
        trained = [next(results) for _ in seeds]
        found = baselines_of((table,), seeds, deals[table], context.workers)
        blind = found.best_blind(table)
        rows.append([name, *result_cells(trained), blind, *found.cells(table, blind), *found.cells(table, "Loki")])
        sample = single(trained, partial(found.beyond, (table,)))
        yield from questions([Row("section 4", f"XCS against {name}, beyond the best blind player",
                                  "with different numbers of opponents, to be examined", sample,
                                  f"which {blind}")])  # fmt: skip
    context.table(f"Numbers of opponents: small bets a hand, {size['hands']:,} hands, {size['seeds']} seeds, ± 95%",
                  ["against", "won", "±", "the best blind player", "won", "±", "Loki won", "±"], rows)  # fmt: skip


def yardsticks(context: Context) -> Iterator[Finding]:
    """A table without generalisation and a small evolved network, on the inputs of XCS; and self-play as a control."""
    size = sizes(context, "yardsticks")
    seeds = seeds_of(context, size["seeds"])
    done = train_each(context, {"XCS": "xcs", "table": TABLE}, SIMPLE, size, seeds)
    with executor_of(context.workers, in_python=True) as executor:
        jobs = [(table, size["hands"], seed, size["deals"]) for table in SIMPLE for seed in seeds]
        won = dict(zip([(job[0], job[2]) for job in jobs], executor.map(_network, jobs), strict=True))
    found = baselines_of(SIMPLE, seeds, size["deals"], context.workers)
    rows = [[name, *(text for table in SIMPLE for text in result_cells(done[name][NAMES[table]]))] for name in done]
    nets = [text for table in SIMPLE for text in mean_cells([won[table, seed] for seed in seeds])]
    rows += [["evolved network", *nets], *baseline_rows(found, SIMPLE)]
    context.table(f"Yardsticks on the same {size['hands']:,} hands (the network: ten times as many), {size['seeds']} "
                  "seeds, ± over seeds", header_of(SIMPLE, ""), rows)  # fmt: skip
    yield from questions(by_opponent(
        "2.2.5", "XCS minus the table of the same situations", "suitable for poker, beside other systems",
        leads(done, "XCS", "table"),
    ))  # fmt: skip
    over = {NAMES[table]: _beyond_networks(done["XCS"][NAMES[table]], table, won) for table in SIMPLE}
    yield from questions(by_opponent("2.2.5", "XCS minus the evolved network",
                                     "suitable for poker, beside other systems", over))  # fmt: skip
    yield from _self_play(context, size)


def _network(job: tuple[Table, int, int, int]) -> float:
    """What a network that was evolved against an opponent wins from it, on the deals of a seed."""
    table, hands, seed, deals = job
    make = evolved_network(LIMIT, table[0], hands, seed)
    return float(won_by_deal(LIMIT, make, table, deals, deal_key(seed, table)).mean())


def _beyond_networks(trained: Sequence[Trained], table: Table, won: Mapping[tuple[Table, int], float]) -> Sample:
    return single(trained, lambda one: one.mean() - won[table, one.training.seed])


def _self_play(context: Context, size: Mapping[str, int]) -> Iterator[Finding]:
    """Rules trained against themselves; and two copies of one rule set, which must be even at a fair table."""
    seed = seeds_of(context, 1)[0]
    (trained,) = run_all([Trial("xcs", ("self",), size["hands"], seed, SIMPLE, size["deals"])], 1)
    even = won_by_deal(
        LIMIT, partial(player, "xcs:caller-beater"), ("xcs:caller-beater",), size["deals"], key_of(seed, "even")
    )
    estimate = mean_interval(even)
    fair = "even, as it must be" if estimate.low <= 0 <= estimate.high else "not even: the table is not fair"
    yield ours("control: the shipped rules against themselves", estimate,
               f"{fair}; both do the same, and every deal is played from both seats: 0 exactly")  # fmt: skip
    for number, table in enumerate(SIMPLE):
        estimate = mean_interval(trained.won[number])
        yield ours(f"rules of self-play, never trained against {NAMES[table]}", estimate,
                   f"{size['hands']:,} hands against itself, one seed, interval over deals")  # fmt: skip
