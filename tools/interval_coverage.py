"""Coverage of the arena's statements, by simulation: `python tools/interval_coverage.py [MATCHES] [PART ...]`.

Each cell plays MATCHES matches (default 500) with different seeds and counts

- **covered**: the first player's 95% interval contains its true mean, measured by a long match with other seeds;
- **false**: two identical players are called different at 5%;
- **boards**: on a leaderboard of ten identical players, any pair is called certain (corrected for the 45 pairs).

Parts that play every match: `fixed` (plain and duplicate matches), `certain` (stopped when significant, or at the most
hands), `looks` (heads-up, a user who tests after every deal), `boards`, `variance` (how much narrower the printed
interval is with each way to reduce variance), `aivat` (results corrected by AIVAT beside the plain ones).

Parts that draw matches from pools of played deals (`coverage_pools`), by default 2,000 a cell: `bounds` (results
outside of the former bounds), `rare` (coverage with rare losses and wins of several stacks), `extended` (null series
that are looked at several times), `widths` (the interval beside the former one, the floor and the approximate one).
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from cardwin.arena.match import Match, MatchOptions, match, play_until_certain
from cardwin.arena.referee import NO_FAULTS
from cardwin.arena.stakes import deal_bounds, difference_bounds
from cardwin.core.arrays import Floats
from cardwin.core.rng import key_of
from cardwin.games.holdem import HoldemGame, holdem_game
from cardwin.players.registry import makers_of
from cardwin.results.leaderboard import Pairing, tests_of
from cardwin.results.match import judge_match
from cardwin.stats.bounded import bounded, fixed_p, log_e_value
from cardwin.stats.comparisons import LEVEL, compare
from cardwin.stats.headline import intervals_of
from cardwin.stats.intervals import Bounds, block_means, bounded_mean, student_interval
from coverage_pools import (
    GAME,
    deals_of,
    drawn,
    former_deal_bounds,
    former_difference_bounds,
    places_of,
    symmetric,
)

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
VARIANCE_HANDS = (4_000, 40_000)
POOL = 40_000  # deals
RARE = {  # the first player's results are looked at
    "all-in against callers with aces only": ("all-in", "aces"),
    "caller with aces only against all-ins": ("aces", "all-in"),
}
RARE_DEALS = (50, 100, 400)
NINE_LOOKS = tuple(np.geomspace(100, 20_000, 12).astype(int).tolist())  # deals
SERIES_LOOKS = (100, 200, 300, 400, 500)  # tournaments
WIDTH_DEALS = 2_000
AIVAT_HANDS = 1_000
CORRECTED = (
    ("holdem-nl", ("random", "random")), ("holdem-nl", ("random", "call")), ("holdem-nl", ("random", "raise")),
    ("holdem-nl", ("standard", "call")), ("holdem-nl", ("net:baseline", "call")),
    ("holdem-nl", ("net:large-hof", "net:large-hof")), ("holdem-nl", ("random", "standard", "call-or-raise")),
    ("holdem-limit", ("random", "random")), ("holdem-limit", ("net:baseline", "random")),
    ("holdem-limit", ("blind:call=.3,raise=.6", "standard")),
)  # fmt: skip
USUAL = (
    ("raise", "call-or-raise"), ("matrix", "call-or-raise"), ("matrix", "raise"), ("matrix", "matrix"),
    ("net:baseline", "matrix"), ("net:baseline", "call"), ("v1", "standard"), ("v1", "v1"),
)  # fmt: skip
PAIRS = (
    ("random", "call"), ("random", "raise"), ("random", "standard"), ("random", "call-or-raise"), ("random", "random"),
    ("call-or-raise", "call"), ("call-or-raise", "standard"), ("call", "raise"), ("standard", "call"),
    ("standard", "raise"),
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


def variance_cells() -> Iterator[str]:
    """Yield the rows of pairs of players: how many times fewer hands give the same interval, by each method.

    A ratio is that of the squared half-widths of the printed intervals, plain over reduced; `variances` is the ratio
    of the variances, to which the others tend as hands are added.
    """
    yield "| players | hands | plain ± | duplicates | all-in adjusted | reduced variance | variances |"
    yield "|---|---:|---:|---:|---:|---:|---:|"
    ways: list[dict[str, Any]] = [{"duplicate": True}, {"adjust": True}, {"reduce_variance": True}]
    for specs in (*PAIRS, ("matrix", "raise"), ("matrix", "matrix"), ("v1", "v1")):
        for hands in VARIANCE_HANDS:
            plain = judge_match(match(GAME, specs, hands, 1)).players[0].ci95
            found = [judge_match(match(GAME, specs, hands, 1, **way)) for way in ways]
            saved = " | ".join(f"{(plain / one.players[0].ci95) ** 2:.2f}" for one in found)
            by_variance = found[2].intervals[0].approximate.ci95 / found[2].plain[0].approximate.ci95
            yield f"| {', '.join(specs)} | {hands:,} | {plain:,.0f} | {saved} | {by_variance**-2:.2f} |"


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


def bounds_cells() -> Iterator[str]:
    """Yield the rows of tables: the share of results, and of deals with such a result, outside of the bounds."""
    yield "| seats | players | results outside before | of the worst player | deals before | results outside now |"
    yield "|---:|---|---:|---:|---:|---:|"
    for specs in (TABLES[6], ("all-in", "random", "call", "fold", "raise", "standard"), TABLES[9]):
        pool, seats = deals_of(specs, 4_000), len(specs)
        before, now = (_outside(pool, bounds(GAME, seats)) for bounds in (former_deal_bounds, deal_bounds))
        worst, deals = before.mean(axis=0).max(), before.any(axis=1).mean()
        yield f"| {seats} | {', '.join(specs)} | {before.mean():.1%} | {worst:.1%} | {deals:.1%} | {now.mean():.1%} |"


def _outside(pool: Floats, bounds: Bounds) -> npt.NDArray[np.bool_]:
    return (pool < bounds[0] - 1e-9) | (pool > bounds[1] + 1e-9)


def rare_cells(matches: int) -> Iterator[str]:
    """Yield the rows of samples with rare losses or wins of several stacks: coverage before and now."""
    yield "| seats | first player | deals | fixed before | fixed now | any stop before | any stop now |"
    yield "|---:|---|---:|---:|---:|---:|---:|"
    for name, (one, others) in RARE.items():
        for seats in (2, 6, 9):
            pool = deals_of((one, *[others] * (seats - 1)), POOL)[:, 0]
            both = former_deal_bounds(GAME, seats), deal_bounds(GAME, seats)
            for deals in RARE_DEALS:
                samples = drawn(pool, matches, deals, f"{name} {seats}")
                counts = [_covered(samples, bounds, float(pool.mean())) for bounds in both]
                cells = [_share(counts[when][kind], matches) for kind in (0, 1) for when in (0, 1)]
                yield f"| {seats} | {name} | {deals} | {' | '.join(cells)} |"


def _share(count: int, matches: int) -> str:
    return f"{count / matches:.1%} ({count})"


def _covered(samples: Floats, bounds: Bounds, mean: float) -> tuple[int, int]:
    """Return how many samples (matches, n) have the mean in their fixed interval, and in all any-stop ones up to n.

    An interval contains a mean unless its test rejects it, which is faster to compute. The any-stop interval is looked
    at after a quarter, a half and all of the deals.
    """
    fixed = sum(fixed_p(bounded(sample, *bounds), mean) >= LEVEL for sample in samples)
    looks = [samples.shape[1] // 4, samples.shape[1] // 2, samples.shape[1]]
    never = sum(not _rejected(sample, looks, bounds, mean) for sample in samples)
    return fixed, never


def _rejected(sample: Floats, looks: Sequence[int], bounds: Bounds, mean: float = 0.0) -> bool:
    """Return whether the e-value rejects a mean at any look."""
    return any(log_e_value(bounded(sample[:n], *bounds), mean) >= np.log(1 / LEVEL) for n in looks)


def extended_cells(matches: int) -> Iterator[str]:
    """Yield the rows of null series, extended and tested repeatedly: how often equal players are called different.

    Before, the p of a fixed number of deals was printed at every look, and for matches it had the former bounds.
    """
    yield "| series of identical players | looks | false before (fixed p) | fixed p now | false now (any stop) |"
    yield "|---|---:|---:|---:|---:|"
    first, second = SAME
    reach = former_difference_bounds(GAME), difference_bounds(GAME, 9)
    pool = deals_of(TABLES[9], POOL // 4)
    yield _extended("nine seats, duplicates", pool[:, first] - pool[:, second], NINE_LOOKS, reach, matches)
    plain = deals_of(TABLES[9], POOL, duplicate=False)
    same = difference_bounds(GAME, 9)
    yield _extended("nine seats, plain", plain[:, first] - plain[:, second], NINE_LOOKS, (same, same), matches)
    for specs in (("standard", "standard", "call", "random"), ("random",) * 6):
        places = places_of(specs, POOL // 4)
        span = (1.0 - len(specs), len(specs) - 1.0)
        name = f"tournaments of {', '.join(specs)}"
        yield _extended(name, places[:, 0] - places[:, 1], SERIES_LOOKS, (span, span), matches)


def _extended(name: str, pool: Floats, looks: Sequence[int], bounds: tuple[Bounds, Bounds], matches: int) -> str:
    false = np.zeros(3, int)
    for sample in symmetric(pool, matches, int(looks[-1]), name):
        false[0] += any(fixed_p(bounded(sample[:n], *bounds[0])) < LEVEL for n in looks)
        false[1] += any(fixed_p(bounded(sample[:n], *bounds[1])) < LEVEL for n in looks)
        false[2] += _rejected(sample, looks, bounds[1])
    cells = " | ".join(_share(count, matches) for count in false.tolist())
    return f"| {name} | {len(looks)} | {cells} |"


def width_cells() -> Iterator[str]:
    """Yield the rows of tables: half-widths in mbb/h now, with the former bounds, the floor and the approximate one."""
    yield "| players | deals | fixed before | fixed now | times | any stop now | floor | approximate |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for specs in (*USUAL, *PAIRS, TABLES[6], TABLES[9]):
        values = match(GAME, specs, WIDTH_DEALS * len(specs), 1, options=MatchOptions(duplicate=True)).by_deal[:, 0]
        unit, seats = GAME.chips_per_unit, len(specs)
        now = intervals_of(values, deal_bounds(GAME, seats), unit)
        before = bounded_mean(values, former_deal_bounds(GAME, seats), unit).ci95
        yield (
            f"| {', '.join(specs)} | {len(values):,} | {before:,.0f} | {now.fixed.ci95:,.0f} | "
            f"{now.fixed.ci95 / before:.2f} | {now.any_stop.ci95:,.0f} | {now.floor:,.0f} | "
            f"{now.approximate.ci95:,.0f} |"
        )


def main(words: Sequence[str]) -> None:
    """Print the requested parts, by default all."""
    given = int(words[0]) if words and words[0].isdecimal() else 0
    matches, many = given or 500, given or 2_000
    parts: dict[str, Callable[[], Iterator[str]]] = {
        "fixed": lambda: match_cells(matches, False),
        "certain": lambda: match_cells(matches, True),
        "looks": lambda: looks_cells(matches),
        "variance": variance_cells,
        "aivat": lambda: aivat_cells(matches),
        "boards": lambda: board_cells(matches),
        "bounds": bounds_cells,
        "rare": lambda: rare_cells(many),
        "extended": lambda: extended_cells(many),
        "widths": width_cells,
    }
    for part in [word for word in words if word in parts] or parts:
        print(f"\n{part}\n")
        for row in parts[part]():
            print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
