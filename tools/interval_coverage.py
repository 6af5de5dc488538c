"""Coverage of the arena's statements, by simulation: `python tools/interval_coverage.py [MATCHES] [PART ...]`.

Each cell plays MATCHES matches (default 500) with different seeds and counts

- **covered**: the first player's 95% interval contains its true mean, measured by a long match with other seeds;
- **false**: two identical players are called different at 5%;
- **boards**: on a leaderboard of ten identical players, any pair is called certain (corrected for the 45 pairs).

Parts that play every match: `fixed` (plain and duplicate matches), `certain` (stopped when significant, or at the most
hands), `looks` (heads-up, a user who tests after every deal), `boards`, `aivat` (results corrected by AIVAT beside the
plain ones), `reduced` (printed widths with less variance), `plan` (whether matches keep what `--plan` promises).

Parts that draw matches from pools of played deals (`coverage_pools`), by default 2,000 a cell: `headline` (the interval
that is printed first, the guaranteed ones and Student's; rare losses of several stacks included), `extended` (null
series that are looked at several times).
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import numpy as np

from cardwin.arena.match import Match, MatchOptions, match, play_until_certain
from cardwin.arena.referee import NO_FAULTS
from cardwin.arena.stakes import deal_bounds, difference_bounds
from cardwin.core.arrays import Floats
from cardwin.core.rng import generator_of, key_of
from cardwin.games.holdem import HoldemGame, holdem_game
from cardwin.players.registry import makers_of
from cardwin.results.leaderboard import Pairing, tests_of
from cardwin.results.match import PILOT, judge_match, plan_match
from cardwin.stats.bounded import bounded, fixed_p, log_e_value
from cardwin.stats.comparisons import LEVEL, compare
from cardwin.stats.headline import headline_of
from cardwin.stats.intervals import Bounds, Estimate, block_means, bounded_mean, student_interval
from coverage_pools import GAME, deals_of, places_of, play_pool, symmetric

# At every table two players are identical, so that any difference found between them is false.
TABLES = {
    2: ("random", "random"),
    4: ("raise", "standard", "call", "standard"),
    6: ("raise", "standard", "call", "standard", "random", "call-or-raise"),
    9: ("raise", "standard", "call", "standard", "random", "call-or-raise", "fold", "all-in", "call"),
}
LOPSIDED = ("standard", "all-in")  # heads-up: small wins, and rarely a whole stack
HANDS = (40, 200, 1_000, 10_000)
LONG = 4_000_000  # hands for the true mean
SAME = (1, 3)  # the indices of the identical players, from four seats on
BOARD_HANDS = (200, 2_000)
POOL, RARE_POOL = 200_000, 60_000  # deals
PLAIN, DUPLICATE, CORRECTED_BY = MatchOptions(), MatchOptions(duplicate=True), MatchOptions(reduce_variance=True)
NL = "holdem-nl"
POOLS = {  # the first player's results are looked at
    **{
        ", ".join(specs): (NL, specs, PLAIN)
        for specs in (
            ("random", "call"),
            ("random", "standard"),
            ("call-or-raise", "standard"),
            ("call", "raise"),
            ("standard", "all-in"),
            ("matrix", "matrix"),
            ("matrix", "raise"),
            ("v1", "v1"),
            ("v1", "standard"),
            ("net:baseline", "call"),
            ("net:baseline", "matrix"),
            ("net:champion", "net:large-hof"),
        )
    },
    "simple: v2, v1": ("holdem-simple", ("v2", "v1"), PLAIN),
    "limit: net:baseline, random": ("holdem-limit", ("net:baseline", "random"), PLAIN),
    "duplicates: matrix, matrix": (NL, ("matrix", "matrix"), DUPLICATE),
    "AIVAT: random, call": (NL, ("random", "call"), CORRECTED_BY),
    "AIVAT: matrix, raise": (NL, ("matrix", "raise"), CORRECTED_BY),
    "six kinds": (NL, TABLES[6], PLAIN),
    **{
        f"{one}, {seats - 1} {other}": (NL, (one, *[other] * (seats - 1)), PLAIN)
        for one, other in (("all-in", "aces"), ("aces", "all-in"))
        for seats in (2, 6, 9)
    },
}
PAIRS = (
    *(("random", "call"), ("random", "raise"), ("random", "random"), ("random", "standard"), ("standard", "call")),
    *(("call", "raise"), ("call-or-raise", "call"), ("matrix", "raise"), ("matrix", "matrix"), ("v1", "v1")),
    *(("net:baseline", "call"), ("net:large-hof", "net:large-hof")),
)
REDUCED_HANDS = (1_000, 4_000, 20_000)
PLANS: dict[str, tuple[str, tuple[str, ...], MatchOptions, float]] = {
    "random, call": (NL, ("random", "call"), PLAIN, 150),
    "AIVAT: random, random": (NL, ("random", "random"), CORRECTED_BY, 60),
    "standard, raise": (NL, ("standard", "raise"), PLAIN, 15),
    "net:baseline, call": (NL, ("net:baseline", "call"), PLAIN, 300),
    "duplicates: net:baseline, call": (NL, ("net:baseline", "call"), DUPLICATE, 250),
    "matrix, raise": (NL, ("matrix", "raise"), PLAIN, 1_500),
    "all-in, fold": (NL, ("all-in", "fold"), PLAIN, 500),
    "net:champion, net:large-hof": (NL, ("net:champion", "net:large-hof"), PLAIN, 100),
    "limit: net:baseline, random": ("holdem-limit", ("net:baseline", "random"), PLAIN, 0.05),
    "raise, standard, call": (NL, ("raise", "standard", "call"), PLAIN, 300),
}
DEALS = (50, 200, 1_000, 10_000)
WIDTHS = 40  # matches whose widths are measured
NINE_LOOKS = tuple(np.geomspace(100, 20_000, 12).astype(int).tolist())  # deals
SERIES_LOOKS = (100, 200, 300, 400, 500)  # tournaments
AIVAT_HANDS = 1_000
CORRECTED = (
    ("holdem-nl", ("random", "random")), ("holdem-nl", ("random", "call")), ("holdem-nl", ("random", "raise")),
    ("holdem-nl", ("standard", "call")), ("holdem-nl", ("net:baseline", "call")),
    ("holdem-nl", ("net:large-hof", "net:large-hof")), ("holdem-nl", ("random", "standard", "call-or-raise")),
    ("holdem-limit", ("random", "random")), ("holdem-limit", ("net:baseline", "random")),
    ("holdem-limit", ("blind:call=.3,raise=.6", "standard")),
)  # fmt: skip


def truth(specs: Sequence[str], duplicate: bool) -> float:
    """Return the first player's mean, from a long match; 0 by symmetry if all are identical."""
    if len(set(specs)) == 1:
        return 0.0
    record = match(GAME, specs, LONG, seed=10**9 + len(specs), options=MatchOptions(duplicate=duplicate))
    return float(record.chips[:, 0].mean()) / GAME.chips_per_unit


def cell(specs: Sequence[str], hands: int, matches: int, duplicate: bool, until_certain: bool, true: float) -> str:
    """Return how often the mean is covered, how often it is not, the median half-width, and hands played."""
    covered, false, widths, played = 0, 0, [], 0
    first, second = (0, 1) if len(specs) == 2 else SAME
    unit, equal = GAME.chips_per_unit, specs[first] == specs[second]
    for seed in range(matches):
        record = match(GAME, specs, hands, seed, options=MatchOptions(duplicate=duplicate, until_certain=until_certain))
        values = record.by_deal
        # The statements of `lab.summary`, for the first player only.
        one = bounded_mean(values[:, 0], deal_bounds(GAME, len(specs)), unit, any_stop=until_certain)
        test = compare(
            values[:, first] - values[:, second], first, second, difference_bounds(GAME, len(specs)), unit,
            any_stop=until_certain,
        )  # fmt: skip
        covered += one.low <= true <= one.high
        false += test.p < LEVEL
        widths.append(one.ci95)
        played += len(record.chips)
    wrong = f"{false / matches:.1%}" if equal else ""
    return f"| {covered / matches:.1%} | {wrong} | {np.median(widths):,.0f} | {played / matches:,.0f} |"


def match_cells(matches: int, until_certain: bool) -> Iterator[str]:
    """Yield the rows of matches of every kind, number of seats and number of hands."""
    yield "| seats | players | kind | hands at most | covered | false | half width | hands |"
    yield "|---:|---|---|---:|---:|---:|---:|---:|"
    for specs in (TABLES[2], LOPSIDED, TABLES[4], TABLES[6], TABLES[9]):
        for duplicate in (False, True):
            true = truth(specs, duplicate)
            for hands in HANDS[2:] if until_certain else HANDS:
                kind = "duplicate" if duplicate else "plain"
                row = cell(specs, hands, matches, duplicate, until_certain, true)
                yield f"| {len(specs)} | {', '.join(specs)} | {kind} | {hands:,} {row}"


def null_board(game: HoldemGame, spec: str, hands: int, number: int, until_certain: bool) -> bool:
    """Return whether any pair is called certain on a board of ten identical players."""
    pairs = []
    for first, second in combinations(range(10), 2):
        played = Match(
            game, makers_of((spec, spec)), key_of(number, "null", first, second), options=MatchOptions(duplicate=True)
        )
        if until_certain:
            play_until_certain(played, hands, pairs=45)
        else:
            played.play(hands)
        pairs.append(Pairing(first, second, block_means(played.chips, 2)[:, 0], len(played.chips), NO_FAULTS))
    tests = tests_of(pairs, deal_bounds(game, 2), game.chips_per_unit)
    return any(test.significant for test in tests)


def board_cells(matches: int) -> Iterator[str]:
    """Yield the rows of leaderboards of ten identical players."""
    yield "| ten players | hands a pair | stopped once certain | boards with a false claim |"
    yield "|---|---:|---|---:|"
    for spec in ("random", "call-or-raise"):
        for hands in BOARD_HANDS:
            for until_certain in (False, True):
                wrong = sum(null_board(GAME, spec, hands, number, until_certain) for number in range(matches))
                yield f"| {spec} | {hands:,} | {'yes' if until_certain else 'no'} | {wrong / matches:.1%} |"


def looks_cells(matches: int) -> Iterator[str]:
    """Yield the rows of a user who tests after every deal and stops at the first p below 5%."""
    yield "| evidence | looks | called different though the same |"
    yield "|---|---:|---:|"
    looks = np.unique(np.geomspace(20, 5_000, 60).astype(int))
    wrong = np.zeros(2)
    bounds = deal_bounds(GAME, 2)
    for seed in range(matches):
        chips = match(GAME, ("random", "random"), 5_000, seed).chips[:, 0]
        samples = [bounded(chips[:n], *bounds) for n in looks]
        wrong[0] += any(fixed_p(sample) < LEVEL for sample in samples)
        wrong[1] += any(log_e_value(sample) > np.log(1 / LEVEL) for sample in samples)
    for name, count in zip(("p for a fixed number of hands", "e-value above 20"), wrong, strict=True):
        yield f"| {name} | {len(looks)} | {count / matches:.1%} |"


def aivat_cells(matches: int) -> Iterator[str]:
    """Yield the rows of results corrected by AIVAT, 1,000 hands a match, with the last player's result.

    `agree`: in how many of 20 matches the 95% t interval of the difference of both results contains 0. `covered`: in
    how many of all matches the printed interval, and the one at any stop, contain the true mean.
    """
    yield "| players | agree | matches | covered | covered at any stop | variances |"
    yield "|---|---:|---:|---:|---:|---:|"
    for game, specs in CORRECTED:
        holdem = holdem_game(game, {})
        last, unit = len(specs) - 1, float(holdem.chips_per_unit)
        true = 0.0 if len(set(specs)) == 1 else match(holdem, specs, LONG // 4, 10**9, workers=2).chips[:, last].mean()
        counts, ratios = np.zeros(3, np.int64), []
        played = Match(holdem, makers_of(specs), key_of(1, "aivat"), options=MatchOptions(reduce_variance=True))
        for number in range(matches):
            played.play(AIVAT_HANDS)
            corrected, plain = played.adjusted[-AIVAT_HANDS:, last], played.chips[-AIVAT_HANDS:, last]
            low, high = deal_bounds(holdem, len(specs))
            bounds = low - played.moved, high + played.moved
            apart = student_interval(plain - corrected)
            counts[0] += number < 20 and (apart.low <= 0 <= apart.high or not (plain - corrected).any())
            for place, any_stop in ((1, False), (2, True)):
                one = bounded_mean(corrected, bounds, unit, any_stop=any_stop)
                counts[place] += one.low <= true / unit <= one.high
            ratios.append(plain.var() / corrected.var())
        shares = " | ".join(f"{count / matches:.1%}" for count in counts[1:])
        yield f"| {game}: {', '.join(specs)} | {counts[0]} of 20 | {matches} | {shares} | {np.median(ratios):.2f} |"


def headline_cells(matches: int) -> Iterator[str]:
    """Yield the rows of pools: how often each 95% interval of the first player contains its true mean, and widths.

    The widths are medians, in mbb/h. The matches are samples of independent deals of the pool.
    """
    yield "| players | deals | printed | guaranteed | any stop | Student's | ± printed | ± guaranteed | ± Student's |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for name, (game, specs, options) in POOLS.items():
        rules, seats = holdem_game(game, {}), len(specs)
        played = play_pool(specs, RARE_POOL if "aces" in specs or options.adjusted else POOL, options, rules)
        values = block_means(played.values, played.per_deal)[:, 0]
        stakes = played.stakes.reshape(-1, played.per_deal).mean(axis=1)
        low, high = deal_bounds(rules, seats)
        bounds, unit = (low - played.moved, high + played.moved), rules.min_bet / 1000
        for deals in DEALS:
            yield f"| {name} | {deals:,} | {headline_cell(values, stakes, bounds, unit, deals, matches)} |"


def headline_cell(values: Floats, stakes: Floats, bounds: Bounds, unit: float, deals: int, matches: int) -> str:
    """Return the coverage of each interval of samples of a pool (n,), and their median widths."""
    true, draw = float(values.mean()), generator_of(key_of(8, "headline", deals))
    counts, widths = np.zeros(4, np.int64), []
    for number in range(matches):
        chosen = draw.integers(0, len(values), deals)
        sample = values[chosen]
        binned, student = bounded(sample, *bounds), student_interval(sample)
        # A guaranteed interval contains a mean unless its test rejects it, which is faster to compute.
        guaranteed = bounded_mean(sample, bounds) if number < WIDTHS else None
        fallback = guaranteed or Estimate(0.0, 0.0, 0.0, 0.0, deals, "fixed")
        shown, _ = headline_of(sample, bounds, 1.0, fallback, stakes[chosen])
        fixed = fixed_p(binned, true) >= LEVEL
        counts += (
            fixed if shown is fallback else shown.low <= true <= shown.high,
            fixed,
            log_e_value(binned, true) < np.log(1 / LEVEL),
            student.low <= true <= student.high,
        )
        if guaranteed is not None:
            widths.append((shown.ci95, guaranteed.ci95, student.ci95))
    shares = " | ".join(f"{count / matches:.1%}" for count in counts)
    return f"{shares} | " + " | ".join(f"{width / unit:,.0f}" for width in np.median(widths, axis=0))


def reduced_cells() -> Iterator[str]:
    """Yield the rows of pairs: the printed half-width with less variance, relative to the plain one."""
    yield "| players | hands | plain ± | --reduce-variance | --duplicate |"
    yield "|---|---:|---:|---:|---:|"
    for specs in PAIRS:
        for hands in REDUCED_HANDS:
            plain, reduced, duplicate = (
                judge_match(match(GAME, specs, hands, 5, options=options)).players[0].ci95
                for options in (PLAIN, CORRECTED_BY, DUPLICATE)
            )
            yield f"| {', '.join(specs)} | {hands:,} | {plain:,.0f} | {reduced / plain:.2f} | {duplicate / plain:.2f} |"


def plan_cells(matches: int) -> Iterator[str]:
    """Yield the rows of plans: how often a match as long as its own pilot's plan has the promised half-width."""
    yield "| players | margin | hands (median) | kept |"
    yield "|---|---:|---:|---:|"
    for name, (game, specs, options, margin) in PLANS.items():
        rules, lengths, kept = holdem_game(game, {}), [], 0
        for seed in range(matches):
            pilot = match(rules, specs, PILOT, 10_000 + seed, options=options)
            plan = plan_match(pilot, margin)
            lengths.append(max(pair.deals for pair in plan.pairs.values()) * pilot.per_deal)
            played = judge_match(match(rules, specs, lengths[-1], seed, options=options))
            kept += max(player.ci95 for player in played.players) <= margin
        yield f"| {name} | {margin:g} | {np.median(lengths):,.0f} | {kept / matches:.1%} |"


def _rejected(sample: Floats, looks: Sequence[int], bounds: Bounds, mean: float = 0.0) -> bool:
    """Whether the e-value rejects a mean at any look."""
    return any(log_e_value(bounded(sample[:n], *bounds), mean) >= np.log(1 / LEVEL) for n in looks)


def _share(count: int, matches: int) -> str:
    return f"{count / matches:.1%}"


def extended_cells(matches: int) -> Iterator[str]:
    """Yield the rows of null series, extended and tested repeatedly: how often equal players are called different."""
    yield "| series of identical players | looks | fixed p | any stop |"
    yield "|---|---:|---:|---:|"
    first, second = SAME
    reach = difference_bounds(GAME, 9)
    pool = deals_of(TABLES[9], RARE_POOL // 6)
    yield _extended("nine seats, duplicates", pool[:, first] - pool[:, second], NINE_LOOKS, reach, matches)
    plain = deals_of(TABLES[9], RARE_POOL, duplicate=False)
    yield _extended("nine seats, plain", plain[:, first] - plain[:, second], NINE_LOOKS, reach, matches)
    for specs in (("standard", "standard", "call", "random"), ("random",) * 6):
        places = places_of(specs, RARE_POOL // 6)
        span = (1.0 - len(specs), len(specs) - 1.0)
        name = f"tournaments of {', '.join(specs)}"
        yield _extended(name, places[:, 0] - places[:, 1], SERIES_LOOKS, span, matches)


def _extended(name: str, pool: Floats, looks: Sequence[int], bounds: Bounds, matches: int) -> str:
    false = np.zeros(2, int)
    for sample in symmetric(pool, matches, int(looks[-1]), name):
        false[0] += any(fixed_p(bounded(sample[:n], *bounds)) < LEVEL for n in looks)
        false[1] += _rejected(sample, looks, bounds)
    cells = " | ".join(_share(count, matches) for count in false.tolist())
    return f"| {name} | {len(looks)} | {cells} |"


def main(words: Sequence[str]) -> None:
    """Print the requested parts, by default all."""
    given = int(words[0]) if words and words[0].isdecimal() else 0
    matches, many = given or 500, given or 2_000
    parts: dict[str, Callable[[], Iterator[str]]] = {
        "fixed": lambda: match_cells(matches, False),
        "certain": lambda: match_cells(matches, True),
        "looks": lambda: looks_cells(matches),
        "aivat": lambda: aivat_cells(matches),
        "boards": lambda: board_cells(matches),
        "headline": lambda: headline_cells(many),
        "reduced": reduced_cells,
        "plan": lambda: plan_cells(given or 200),
        "extended": lambda: extended_cells(many),
    }
    for part in [word for word in words if word in parts] or parts:
        print(f"\n{part}\n")
        for row in parts[part]():
            print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
