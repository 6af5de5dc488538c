"""XCS at limit hold'em: the thesis's changes alone and together, its registers, its state variables, its baselines.

Versions differ only in the change: settings, seeds and deals are the same. Plain XCS has ternary bits that number the
bins, one prediction, no register and no counter. Two baselines have the same inputs: a table (the same learner without
generalisation, one row for each situation and action, which is Q-learning) and a small evolved network.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from cardwin.core.rng import key_of
from cardwin.papers import Context, Finding
from cardwin.papers.reveley.claims import claim, question
from cardwin.papers.reveley.duplicate import ours
from cardwin.papers.reveley.small_network import evolved_network
from cardwin.papers.reveley.trials import LIMIT, Trained, Trial, run_all
from cardwin.papers.trials import spread
from cardwin.players.registry import player
from cardwin.players.xcs.encoding import SEEN
from cardwin.players.xcs.training.holdem import won_by_deal
from cardwin.reports import html
from cardwin.stats.intervals import mean_interval

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
SIMPLE = ("call", "random")
LOKIS = ("loki:model=none", "loki:model=generic", "loki:model=specific")
NAMES = {"call": "Caller", "random": "Random", LOKIS[0]: "Loki, no model", LOKIS[1]: "Loki, generic",
         LOKIS[2]: "Loki, specific"}  # fmt: skip


def _sizes(context: Context) -> dict[str, int]:
    """Hands of training, deals for evaluation, seeds."""
    names = ("hands", "deals", "seeds", "loki hands", "loki deals", "loki seeds")
    sizes = context.pick(
        (2_000, 20, 2, 200, 5, 1),
        (20_000, 200, 3, 2_000, 60, 2),
        (60_000, 400, 5, 10_000, 200, 3),
        (2_000_000, 4_000, 10, 500_000, 2_000, 5),
    )
    return dict(zip(names, sizes, strict=True))


def _seeds(context: Context, count: int) -> list[int]:
    return [context.key("seed", number) % 2**31 for number in range(count)]


def _against_simple(context: Context, versions: Mapping[str, str], opponents: Sequence[str] = SIMPLE,
                    hands: int | None = None) -> dict[str, dict[str, list[Trained]]]:  # fmt: skip
    """Every version trained and evaluated against each opponent, on every seed: by version and opponent."""
    sizes = _sizes(context)
    seeds = _seeds(context, sizes["seeds"])
    trials = [
        Trial(spec, (one,), hands or sizes["hands"], seed, ((one,),), sizes["deals"])
        for spec in versions.values() for one in opponents for seed in seeds
    ]  # fmt: skip
    done = iter(run_all(trials, context.workers))
    return {name: {one: [next(done) for _ in seeds] for one in opponents} for name in versions}


def _cells(trained: Sequence[Trained], table: int = 0) -> list[str]:
    """The mean over seeds, and its interval: over deals if there is one seed, over seeds otherwise."""
    if len(trained) == 1:
        one = mean_interval(trained[0].won[table])
        return [f"{one.mean:+.3f}", f"{one.ci95:.3f}"]
    found = spread([one.mean(table) for one in trained])
    half = 0.0 if found.ci95 is None else (found.ci95[1] - found.ci95[0]) / 2
    return [f"{found.mean:+.3f}", f"{half:.3f}"]


def _pairs(done: Mapping[str, Mapping[str, Sequence[Trained]]], better: str, worse: str) -> list[float]:
    return [
        a.mean() - b.mean()
        for one in done[better]
        for a, b in zip(done[better][one], done[worse][one], strict=True)
    ]  # fmt: skip


def changes(context: Context) -> Iterator[Finding]:
    """The ablation: plain, each change alone, all; against Caller, Random and three Lokis; and the claims."""
    sizes = _sizes(context)
    done = _against_simple(context, {**VERSIONS, "literature's settings": LITERATURE})
    seeds = _seeds(context, sizes["loki seeds"])
    trials = [
        Trial(spec, LOKIS[:1], sizes["loki hands"], seed, tuple((loki,) for loki in LOKIS), sizes["loki deals"])
        for spec in VERSIONS.values() for seed in seeds
    ]  # fmt: skip
    results = iter(run_all(trials, context.workers))
    lokis = {name: [next(results) for _ in seeds] for name in VERSIONS}
    header = ["small bets a hand against", *(text for one in (*SIMPLE, *LOKIS) for text in (NAMES[one], "±"))]
    rows: list[list[str]] = []
    for name, by_opponent in done.items():
        cells = [text for one in SIMPLE for text in _cells(by_opponent[one])]
        if name in lokis:
            cells += [text for table in range(len(LOKIS)) for text in _cells(lokis[name], table)]
        rows.append([name, *cells, *[""] * (len(header) - 1 - len(cells))])
    context.table(
        f"Ablation: {sizes['hands']:,} hands against Caller and Random, {sizes['seeds']} seeds, {sizes['deals']} "
        f"duplicate deals each; {sizes['loki hands']:,} hands against Loki without a model, {sizes['loki seeds']} "
        f"seeds, then {sizes['loki deals']} deals against each Loki. ±: 95% over seeds",
        header,
        rows,
    )
    _picture(context, {name: done[name]["call"] for name in done}, sizes["hands"])
    yield from _claims(done, lokis)


def _claims(
    done: Mapping[str, Mapping[str, Sequence[Trained]]], lokis: Mapping[str, Sequence[Trained]]
) -> Iterator[Finding]:
    best = "bit-spread"
    for one in SIMPLE:
        won = [trained.mean() for trained in done["all four"][one]]
        yield claim("section 4", f"XCS learns poker: what it wins of {NAMES[one]}", "able to learn the poker task", won,
                    "with all four changes")  # fmt: skip
    for table, loki in enumerate(LOKIS):
        top = max(lokis, key=lambda name: float(np.mean([one.mean(table) for one in lokis[name]])))
        won = [trained.mean(table) for trained in lokis[top]]
        yield question("section 3", f"XCS learns poker: the best version against {NAMES[loki]}",
                       "Loki is to assess what is learned", won,
                       f"the best of {len(lokis)} is {top}, which flatters it")  # fmt: skip
    yield from _changes_alone(done, lokis)
    yield claim("2.3 a", "two predictions: all four minus all but these", "removes the noise of winning or losing",
                _pairs(done, "all four", "all but two predictions"))  # fmt: skip
    yield claim("2.3", "all four changes, minus plain", "capable of performing well at the poker task",
                _pairs(done, "all four", "plain"))  # fmt: skip
    dull = [
        a.general - b.general
        for one in SIMPLE
        for a, b in zip(done["literature's settings"][one], done[best][one], strict=True)
    ]  # fmt: skip
    yield claim("2.2.5",
                "luck makes rules over-general: share of bits let through, the literature's settings minus ours",
                "the population fills with over-general classifiers", dull)  # fmt: skip
    yield claim("2.2.2", "and those play worse: ours minus the literature's settings",
                "the pressure toward generalisation", _pairs(done, best, "literature's settings"))  # fmt: skip


def _changes_alone(
    done: Mapping[str, Mapping[str, Sequence[Trained]]], lokis: Mapping[str, Sequence[Trained]]
) -> Iterator[Finding]:
    """Each change alone; only of two predictions does the document say what they solve."""
    for place, change, said, judge in (
        ("2.3 a", "two predictions", "removes the noise of winning or losing", claim),
        ("2.3 b", "bit-spread", "real numbers as input", question),
        ("2.3 c", "register", "gives intentions", question),
        ("2.3 c", "bluff counter", "keeps track of bluffs", question),
    ):
        pairs = _pairs(done, change, "plain") + [
            a.mean(table) - b.mean(table)
            for a, b in zip(lokis[change], lokis["plain"], strict=True) for table in range(len(LOKIS))
        ]  # fmt: skip
        yield judge(place, f"{change}: alone, minus plain", said, pairs)


def _picture(context: Context, done: Mapping[str, Sequence[Trained]], hands: int) -> None:
    figure = html.figure(8, 4)
    axes, curves = figure.subplots(), {}
    for name, trained in done.items():
        curves[name] = np.mean([one.curve for one in trained], axis=0)
        ends = [spread(column).ci95 or (np.nan, np.nan) for column in np.transpose([one.curve for one in trained])]
        points = len(curves[name])
        shift = 0.012 * hands * (list(done).index(name) - len(done) / 2)  # so that no interval covers another
        axes.errorbar(
            hands * np.arange(1, points + 1) / points + shift, curves[name],
            np.abs(np.transpose(ends) - curves[name]), label=name, lw=1.5, elinewidth=0.8, capsize=2,
        )  # fmt: skip
    axes.axhline(0, color="#667085", lw=0.8)
    axes.set(xlabel="hands of training", ylabel="small bets a hand won from Caller")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    context.picture("xcs-curves", figure, "Learning against Caller: mean of all seeds with its 95% interval.",
                    {name: curve.tolist() for name, curve in curves.items()})  # fmt: skip


def registers(context: Context) -> Iterator[Finding]:
    """Registers of one to six bits, and counters of their bits."""
    versions = {"no register": "xcs"} | {f"{bits}-bit register": f"xcs:register_bits={bits}" for bits in range(1, 7)}
    versions |= {
        f"{bits}-bit register and its counters": f"xcs:register_bits={bits},see={WITH_COUNTERS}" for bits in (1, 2, 6)
    }
    done = _against_simple(context, versions, ("call",))
    context.table("Registers, against Caller: small bets a hand, ± over seeds", ["register", "won", "±", "rules"],
                  [[name, *_cells(done[name]["call"]), done[name]["call"][0].rules] for name in versions])  # fmt: skip
    for bits in (1, 3, 6):
        yield question("2.3 c", f"{bits}-bit register, minus none", "how many bits is a matter for experiments",
                       _pairs(done, f"{bits}-bit register", "no register"))  # fmt: skip
    yield claim("2.3 c", "counters of six register bits slow learning: without minus with", "learning would be slowed",
                _pairs(done, "6-bit register", "6-bit register and its counters"))  # fmt: skip
    yield question("2.3 c", "counters of two register bits, minus the same register alone", "perhaps a count of each",
                   _pairs(done, "2-bit register and its counters", "2-bit register"))  # fmt: skip


def variables(context: Context) -> Iterator[Finding]:
    """Sets of state variables."""
    sets = {
        "all eight": SEEN, "hs, round, bets to call": ("hs", "to_call", "round"), "hs and round": ("hs", "round"),
        "without potential": tuple(name for name in SEEN if name != "ppot"),
        "without the opponents' actions": tuple(name for name in SEEN if name != "raises"),
        "without hand strength": tuple(name for name in SEEN if name != "hs"),
    }  # fmt: skip
    done = _against_simple(context, {name: f"xcs:see={'+'.join(seen)}" for name, seen in sets.items()})
    rows = [[name, *(text for one in SIMPLE for text in _cells(done[name][one]))] for name in sets]
    context.table("Sets of state variables", ["seen", *(text for one in SIMPLE for text in (NAMES[one], "±"))], rows)
    for name in list(sets)[1:]:
        yield question("section 4", f"all eight minus {name}", "to be experimented with",
                       _pairs(done, "all eight", name))  # fmt: skip


def opponents(context: Context) -> Iterator[Finding]:
    """Two to ten seats: Callers, and a mixture."""
    sizes = _sizes(context)
    seeds, rows, tables = _seeds(context, sizes["seeds"]), [], {}
    for number in (1, 2, 4, 9):
        tables[f"{number} Caller{'s' if number > 1 else ''}"] = ("call",) * number
    tables["Caller and Random"] = SIMPLE
    trials = [
        Trial("xcs", table, sizes["hands"] // 2, seed, (table,), max(sizes["deals"] // len(table), 10))
        for table in tables.values() for seed in seeds
    ]  # fmt: skip
    results = iter(run_all(trials, context.workers))
    for name in tables:
        trained = [next(results) for _ in seeds]
        rows.append([name, *_cells(trained)])
        yield question("section 4", f"XCS against {name}", "with different numbers of opponents, to be examined",
                       [one.mean() for one in trained])  # fmt: skip
    context.table("Numbers of opponents: small bets a hand, ± over seeds", ["against", "won", "±"], rows)


def yardsticks(context: Context) -> Iterator[Finding]:
    """A table without generalisation and a small evolved network, on the inputs of XCS; and self-play as a control."""
    sizes = _sizes(context)
    done = _against_simple(context, {"XCS": "xcs", "table": TABLE})
    seeds = _seeds(context, sizes["seeds"])
    rows: list[list[str]] = []
    nets: dict[str, list[float]] = {one: [] for one in SIMPLE}
    for one in SIMPLE:
        for seed in seeds:
            make = evolved_network(LIMIT, one, sizes["hands"], seed)
            nets[one].append(float(won_by_deal(LIMIT, make, (one,), sizes["deals"], key_of(seed, "judged")).mean()))
    rows += [[name, *(text for one in SIMPLE for text in _cells(done[name][one]))] for name in ("XCS", "table")]
    rows.append(["evolved network", *(text for one in SIMPLE for text in _won_texts(nets[one]))])
    context.table(f"Yardsticks on the same {sizes['hands']:,} hands (the network: ten times as many), ± over seeds",
                  ["", *(text for one in SIMPLE for text in (NAMES[one], "±"))], rows)  # fmt: skip
    yield question("2.2.5", "XCS minus the table of the same situations", "suitable for poker, beside other systems",
                   _pairs(done, "XCS", "table"))  # fmt: skip
    lead = [a.mean() - b for one in SIMPLE for a, b in zip(done["XCS"][one], nets[one], strict=True)]
    yield question("2.2.5", "XCS minus the evolved network", "suitable for poker, beside other systems", lead)
    yield from _self_play(context, sizes)


def _won_texts(won: Sequence[float]) -> list[str]:
    found = spread(won)
    half = 0.0 if found.ci95 is None else (found.ci95[1] - found.ci95[0]) / 2
    return [f"{found.mean:+.3f}", f"{half:.3f}"]


def _self_play(context: Context, sizes: Mapping[str, int]) -> Iterator[Finding]:
    """Rules trained against themselves; and two copies of one rule set, which must be even at a fair table."""
    seed = _seeds(context, 1)[0]
    (trained,) = run_all([Trial("xcs", ("self",), sizes["hands"], seed, (("call",), ("random",)), sizes["deals"])], 1)
    even = won_by_deal(
        LIMIT, partial(player, "xcs:caller-beater"), ("xcs:caller-beater",), sizes["deals"], key_of(seed, "even")
    )
    estimate = mean_interval(even)
    fair = "even, as it must be" if estimate.low <= 0 <= estimate.high else "not even: the table is not fair"
    yield ours("control: the shipped rules against themselves", estimate,
               f"{fair}; both do the same, and every deal is played from both seats: 0 exactly")  # fmt: skip
    for table, one in enumerate(SIMPLE):
        estimate = mean_interval(trained.won[table])
        yield ours(f"rules of self-play, never trained against {NAMES[one]}", estimate,
                   f"{sizes['hands']:,} hands against itself, one seed, interval over deals")  # fmt: skip
