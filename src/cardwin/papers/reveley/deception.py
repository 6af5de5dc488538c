"""Deception where it can pay: memory against opponents who notice.

The document's register and bluff counter are for deceiving an opponent who would otherwise see through it (1.4 d).
Caller and Random notice nothing, so they cannot test that. Two opponents do:

1. A small game in which the gain from memory is known exactly (`noticing`). Here a match is one episode, so that the
   register lasts from hand to hand; in hold'em it is cleared after every hand and only counters last.
2. Loki with the specific model, which counts what this opponent does; with its doubts, which ask the hands that are
   shown whether bets meant anything, and without. What the register came to hold is read out (`read_out`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from cardwin.core.executor import executor_of
from cardwin.core.rng import key_of
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.register import register
from cardwin.papers.reveley.baselines import baseline_rows, baselines_of, mean_cells
from cardwin.papers.reveley.claims import Row, Sample, family, paired, questions
from cardwin.papers.reveley.noticing import KINDS, Noticing, Opponent, learned
from cardwin.papers.reveley.plan import seeds as seeds_of
from cardwin.papers.reveley.plan import sizes
from cardwin.papers.reveley.read_out import (
    DEEDS,
    Decision,
    bit_difference,
    bluffs_by_counter,
    deed_rows,
    deed_share,
    observed,
)
from cardwin.papers.reveley.trials import Table, Trained, Training, Trial, judged_rules, trained_by
from cardwin.papers.reveley.versions import WITH_BLUFF, WITH_COUNTERS, result_cells

GAME = Noticing(4)
VERSIONS = {
    "no memory": "xcs",
    "register": "xcs:register_bits=1",
    "bluff counter": f"xcs:see={WITH_BLUFF}",
    "register and its counter": f"xcs:register_bits=1,see={WITH_COUNTERS}",
}
TABLES: dict[str, Table] = {
    "specific Loki with doubts": ("loki:model=specific,doubts=on",),
    "specific Loki without doubts": ("loki:model=specific,doubts=off",),
}
FIRST = next(iter(TABLES))
READ_OUT = ("register", "bluff counter")  # versions that are read out
SHOWN = 3  # trainings of each whose decisions are shown


def small_game(context: Context) -> Iterator[Finding]:
    """The known gain, and how much of it XCS finds."""
    size, opponent = sizes(context, "noticing"), Opponent(GAME)
    seeds = seeds_of(context, size["seeds"])
    gain = opponent.with_memory - opponent.best_without_memory
    name = "an opponent who notices: the best response with memory minus the best player without"
    yield Finding("1.4 d", name, published="the environment becomes non-Markov", exact=round(gain, 4),
                  verdict=verdicts.judge(verdicts.above(register(__package__).margin(name)), gain),
                  reason=f"chips a hand: {opponent.with_memory:+.4f} with memory, at best "
                         f"{opponent.best_without_memory:+.4f} without")  # fmt: skip
    jobs = [(kind, size["matches"], seed) for kind in KINDS for seed in seeds]
    with executor_of(context.workers) as executor:
        values = dict(zip(jobs, executor.map(_learned, jobs), strict=True))
    rows = [[f"XCS, {kind}", *mean_cells([values[kind, size["matches"], seed] for seed in seeds])] for kind in KINDS]
    rows += [["best response, with memory", f"{opponent.with_memory:+.3f}", "exact"],
             ["best player without memory", f"{opponent.best_without_memory:+.3f}", "exact"]]  # fmt: skip
    context.table(f"Four hands against an opponent who notices: chips a hand, {size['matches']:,} matches, "
                  f"{size['seeds']} seeds, ± over seeds", ["player", "won", "±"], rows)  # fmt: skip
    yield from family([
        Row("2.3 c", f"an opponent who notices: XCS with a {kind} minus without memory",
            "gives the system intentions", _pairs(values, kind, seeds, size["matches"]))
        for kind in list(KINDS)[1:]
    ])  # fmt: skip


def _learned(job: tuple[str, int, int]) -> float:
    kind, matches, seed = job
    return learned(Opponent(GAME), kind, matches, seed)


def _pairs(values: Mapping[tuple[str, int, int], float], kind: str, seeds: Sequence[int], matches: int) -> Sample:
    def training(which: str, seed: int) -> Training:
        return Training(which, (GAME.name,), matches, seed)

    return Sample({
        (training(kind, seed), training("no memory", seed)):
            values[kind, matches, seed] - values["no memory", matches, seed]
        for seed in seeds
    })  # fmt: skip


class Look(NamedTuple):
    """A trial, whose rules then play some hands that are read out; none if nothing is read."""

    trial: Trial
    hands: int


def look(job: Look) -> tuple[Trained, list[Decision]]:
    """Train, judge, and record decisions against the first judge."""
    trial, hands = job
    trainer, curve = trained_by(trial)
    key = key_of(trial.seed, "read out") % 2**31
    seen = observed(trainer.player(), trial.judges[0][0], hands, key) if hands else []
    return judged_rules(trial, trainer, curve), seen


def holdem(context: Context) -> Iterator[Finding]:
    """Trainings against the specific Loki, with its doubts and without."""
    size = sizes(context, "deception")
    seeds = seeds_of(context, size["seeds"])
    jobs = [
        Look(Trial(spec, table, size["hands"], seed, (table,), size["deals"]),
             size["read"] if who == FIRST and name in READ_OUT else 0)
        for name, spec in VERSIONS.items() for who, table in TABLES.items() for seed in seeds
    ]  # fmt: skip
    with executor_of(context.workers, in_python=True) as executor:
        results = list(executor.map(look, jobs))
    trained = iter([one for one, _ in results])
    done = {name: {who: [next(trained) for _ in seeds] for who in TABLES} for name in VERSIONS}
    found = baselines_of(list(TABLES.values()), seeds, size["deals"], context.workers)
    header = ["small bets a hand against", *(text for who in TABLES for text in (who, "±"))]
    rows = [[name, *(text for who in TABLES for text in result_cells(done[name][who]))] for name in VERSIONS]
    context.table(f"Trained and judged by Loki, specific model: {size['hands']:,} hands, {size['seeds']} seeds, "
                  f"{size['deals']} deals, ± over seeds", header,
                  [*rows, *baseline_rows(found, list(TABLES.values()))])  # fmt: skip
    _read_out(context, jobs, [seen for _, seen in results])
    yield from questions(_deeds({one.training: seen for one, seen in results if seen}))
    yield from family([
        Row("2.3 c", f"deception: {name} minus no memory, {who}", "so that the opponent cannot predict it",
            paired(done[name][who], done["no memory"][who]))
        for name in list(VERSIONS)[1:] for who in TABLES
    ])  # fmt: skip


def _read_out(context: Context, jobs: Sequence[Look], seen: Sequence[list[Decision]]) -> None:
    """What the register held at each deed, seed by seed; and bluffs by the counter."""
    tables: dict[str, list[list[str]]] = {spec: [] for spec in (VERSIONS["register"], VERSIONS["bluff counter"])}
    for job, decisions in zip(jobs, seen, strict=True):
        if decisions:
            rows = tables[job.trial.spec]
            found = deed_rows(decisions, 1) if job.trial.spec == VERSIONS["register"] else bluffs_by_counter(decisions)
            number = len(rows) // len(found) + 1
            rows += [[f"training {number}", *row] for row in found if number <= SHOWN]
    held, counted = tables.values()
    context.table(f"What the register held, trained against the {FIRST}: share of decisions with the bit at 1",
                  ["rules of", "deed", "times", "before it", "before other decisions", "after it"], held)  # fmt: skip
    context.table(f"Bluffs with a weak hand by hands since the last bluff, trained against the {FIRST}",
                  ["rules of", "hands since", "chances", "bluffed"], counted)  # fmt: skip


def _deeds(seen: Mapping[Training, list[Decision]]) -> Iterator[Row]:
    """How often rules with a register do each deed, and whether its bit tells that deed from other decisions."""
    own = {one: decisions for one, decisions in seen.items() if one.spec == VERSIONS["register"]}
    for deed in DEEDS:
        yield Row("2.3 c", f"read out: share of decisions that are a {deed}", "strategies that it is to discover",
                  Sample({(one,): deed_share(decisions, deed) for one, decisions in own.items()}))  # fmt: skip
        apart: dict[tuple[Training, ...], float] = {(one,): found for one, decisions in own.items()
                 if (found := bit_difference(decisions, deed)) is not None}  # fmt: skip
        if apart:
            yield Row("2.3 c", f"read out: the bit before a {deed}, share of 1 minus before other decisions, no sign",
                      "invests the bits with meaning", Sample(apart))  # fmt: skip
