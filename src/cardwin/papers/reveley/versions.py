"""Versions of XCS, the opponents that they meet, and trainings of several versions on the same seeds."""

from collections.abc import Mapping, Sequence

from cardwin.papers import Context
from cardwin.papers.reveley.baselines import Baselines, mean_cells
from cardwin.papers.reveley.claims import Sample, paired
from cardwin.papers.reveley.trials import Table, Trained, Trial, run_all
from cardwin.players.xcs.encoding import SEEN

WITH_BLUFF = "+".join((*SEEN, "bluff"))
WITH_COUNTERS = "+".join((*SEEN, "counters"))
VERSIONS = {
    "plain": "xcs:coding=binary",
    "bit-spread": "xcs",
    "two predictions": "xcs:coding=binary,predictions=2",
    "register": "xcs:coding=binary,register_bits=1",
    "bluff counter": f"xcs:coding=binary,see={WITH_BLUFF}",
    "all four": f"xcs:predictions=2,register_bits=1,see={WITH_BLUFF}",
    "all but two predictions": f"xcs:register_bits=1,see={WITH_BLUFF}",
}
# The literature's settings for problems without noise, on bit-spreads.
LITERATURE = "xcs:nu=5,P_hash=0.33,theta_GA=25,mu=0.04,N=2000,tau=0,beta=0.2,do_action_set_subsumption=1"
TABLE = "xcs:P_hash=0,theta_GA=1e12,N=200000"
CALLER: Table = ("call",)
RANDOM: Table = ("random",)
SIMPLE = (CALLER, RANDOM)
LOKIS: tuple[Table, ...] = (("loki:model=none",), ("loki:model=generic",), ("loki:model=specific",))
NAMES = {CALLER: "Caller", RANDOM: "Random", LOKIS[0]: "Loki, no model", LOKIS[1]: "Loki, generic",
         LOKIS[2]: "Loki, specific"}  # fmt: skip
AGAINST_LOKI = "Loki"  # the name of trainings against Loki without a model, each the mean over three judges
Done = Mapping[str, Mapping[str, Sequence[Trained]]]  # by version and opponent, a training a seed


def train_each(context: Context, versions: Mapping[str, str], tables: Sequence[Table], size: Mapping[str, int],
               seeds: Sequence[int]) -> dict[str, dict[str, list[Trained]]]:  # fmt: skip
    """Every version trained and judged against each table, on every seed: by version and opponent."""
    trials = [
        Trial(spec, table, size["hands"], seed, (table,), size["deals"])
        for spec in versions.values() for table in tables for seed in seeds
    ]  # fmt: skip
    done = iter(run_all(trials, context.workers))
    return {name: {NAMES[table]: [next(done) for _ in seeds] for table in tables} for name in versions}


def leads(done: Done, better: str, worse: str) -> dict[str, Sample]:
    """What one version wins more than another, seed by seed: for each opponent whom both met."""
    return {who: paired(done[better][who], done[worse][who]) for who in done[better] if who in done[worse]}


def result_cells(trained: Sequence[Trained], table: int | None = None) -> list[str]:
    """The mean over seeds and its interval."""
    return mean_cells([one.mean(table) for one in trained])


def header_of(tables: Sequence[Table], first: str) -> list[str]:
    """The columns of a table of results."""
    return [first, *(text for table in tables for text in (NAMES.get(table, " and ".join(table)), "±"))]


def blind_text(found: Baselines, table: Table) -> str:
    """The best blind player against a table, in words."""
    name = found.best_blind(table)
    return f"the best blind player of {NAMES[table]} {name} and wins {found.mean(table, name):+.3f}"
