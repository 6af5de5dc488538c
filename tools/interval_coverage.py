"""Coverage of the arena's statements, by simulation: `python tools/interval_coverage.py [MATCHES] [PART ...]`.

Each cell plays MATCHES matches (default 500) with different seeds and counts

- **covered**: the first player's 95% interval contains its true mean, measured by a long match with other seeds;
- **false**: two identical players are called different at 5%;
- **boards**: on a leaderboard of ten identical players, any pair is called certain (corrected for the 45 pairs).

Parts: `fixed` (plain and duplicate matches), `certain` (stopped when significant, or at the most hands), `looks` (a
user who tests after every deal), `luck` (hands saved by each way to reduce variance), `boards`.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import numpy as np

from cardwin.analysis.standings import Pairing, tests_of
from cardwin.arena.match import Match, makers_of, match, play_until_certain
from cardwin.arena.referee import NO_FAULTS
from cardwin.arena.stakes import deal_bounds, difference_bounds
from cardwin.core.rng import key_of
from cardwin.games.holdem import HoldemGame, holdem_game
from cardwin.stats.bounded import bounded, fixed_p, log_e_value
from cardwin.stats.comparisons import LEVEL, compare
from cardwin.stats.intervals import blocked, bounded_mean

GAME = holdem_game("holdem-nl", {})
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
LUCK_HANDS = 40_000
PAIRS = (
    ("random", "call"), ("random", "raise"), ("random", "standard"), ("random", "call-or-raise"), ("random", "random"),
    ("call-or-raise", "call"), ("call-or-raise", "standard"), ("call", "raise"), ("standard", "call"),
    ("standard", "raise"),
)  # fmt: skip


def truth(specs: Sequence[str], duplicate: bool) -> float:
    """The first player's mean, from a long match; 0 by symmetry if all are identical."""
    if len(set(specs)) == 1:
        return 0.0
    record = match(GAME, specs, LONG, seed=10**9 + len(specs), duplicate=duplicate)
    return float(record.chips[:, 0].mean()) / GAME.chips_per_unit


def cell(specs: Sequence[str], hands: int, matches: int, duplicate: bool, until_certain: bool, true: float) -> str:
    """Covered, false, the median half-width of the interval, and hands played."""
    covered, false, widths, played = 0, 0, [], 0
    first, second = (0, 1) if len(specs) == 2 else SAME
    unit, equal = GAME.chips_per_unit, specs[first] == specs[second]
    for seed in range(matches):
        record = match(GAME, specs, hands, seed, duplicate=duplicate, until_certain=until_certain)
        values, per_deal = record.by_deal, record.per_deal
        # The statements of `lab.summary`, for the first player only.
        one = bounded_mean(values[:, 0], deal_bounds(GAME, len(specs), per_deal), unit, any_stop=until_certain)
        test = compare(
            values[:, first] - values[:, second], first, second, difference_bounds(GAME, len(specs), per_deal), unit,
            any_stop=until_certain,
        )  # fmt: skip
        covered += one.low <= true <= one.high
        false += test.p < LEVEL
        widths.append(one.ci95)
        played += len(record.chips)
    wrong = f"{false / matches:.1%}" if equal else ""
    return f"| {covered / matches:.1%} | {wrong} | {np.median(widths):,.0f} | {played / matches:,.0f} |"


def match_cells(matches: int, until_certain: bool) -> Iterator[str]:
    """The rows of matches of every kind, number of seats and number of hands."""
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
    """Whether any pair is called certain on a board of ten identical players."""
    pairs = []
    for first, second in combinations(range(10), 2):
        played = Match(game, makers_of((spec, spec)), key_of(number, "null", first, second), duplicate=True)
        if until_certain:
            play_until_certain(played, hands, pairs=45)
        else:
            played.play(hands)
        pairs.append(Pairing(first, second, blocked(played.chips, 2)[:, 0], len(played.chips), NO_FAULTS))
    tests = tests_of(pairs, deal_bounds(game, 2, 2), game.chips_per_unit, until_certain)
    return any(test.significant for test in tests)


def board_cells(matches: int) -> Iterator[str]:
    """The rows of leaderboards of ten identical players."""
    yield "| ten players | hands a pair | stopped once certain | boards with a false claim |"
    yield "|---|---:|---|---:|"
    for spec in ("random", "call-or-raise"):
        for hands in BOARD_HANDS:
            for until_certain in (False, True):
                wrong = sum(null_board(GAME, spec, hands, number, until_certain) for number in range(matches))
                yield f"| {spec} | {hands:,} | {'yes' if until_certain else 'no'} | {wrong / matches:.1%} |"


def looks_cells(matches: int) -> Iterator[str]:
    """The rows of a user who tests after every deal and stops at the first p below 5%."""
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
    """The rows of pairs of players: how many times fewer hands each method needs for the same variance of the mean."""
    yield "| players | duplicates | all-in adjusted | reduced variance | both |"
    yield "|---|---:|---:|---:|---:|"
    for specs in PAIRS:
        plain = match(GAME, specs, LUCK_HANDS, 1).chips[:, 0].var()
        twice = 2 * match(GAME, specs, LUCK_HANDS, 1, duplicate=True).by_deal[:, 0].var()  # a deal is two hands
        ways = [
            match(GAME, specs, LUCK_HANDS, 1, adjust=adjust, reduce_variance=less).adjusted[:, 0].var()
            for adjust, less in ((True, False), (False, True), (True, True))
        ]
        saved = " | ".join("all" if left < 1e-9 * plain else f"{plain / left:.2f}" for left in (twice, *ways))
        yield f"| {', '.join(specs)} | {saved} |"


def main(words: Sequence[str]) -> None:
    """Print the requested parts, by default all."""
    matches = int(words[0]) if words and words[0].isdecimal() else 500
    parts: dict[str, Callable[[], Iterator[str]]] = {
        "fixed": lambda: match_cells(matches, False),
        "certain": lambda: match_cells(matches, True),
        "looks": lambda: looks_cells(matches),
        "variance": variance_cells,
        "boards": lambda: board_cells(matches),
    }
    for part in [word for word in words if word in parts] or parts:
        print(f"\n{part}, {matches} matches a cell\n")
        for row in parts[part]():
            print(row, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
