"""Fits the correction of the power-mean approximation to simulated deals, and measures the remaining error.

`python -m cardwin.cards.tables.win_odds_fit` builds `win_odds_fit.npz` again, in a few minutes once tables are built:

1. On each street draw situations, a holding and a board, and simulate many deals of each with nine opponents; counting
   only the first n opponents estimates the true odds for every n at once.
2. Fit, for each street and n, weights on the kept shares and a constant by least squares.
3. On situations not used in the fit, measure for both the root mean square error (with the variance of the simulation
   subtracted), the bias, and the largest error, for which the worst candidates are dealt twenty times as often.
"""

import numpy as np

from cardwin.cards.boards import board_bits
from cardwin.cards.deals import MAX_OPPONENTS, SHARES, SQUARES, deal_many
from cardwin.cards.tables import win_odds_store, write_shipped
from cardwin.cards.win_odds import POWER_WEIGHTS, STORED, stored_powers
from cardwin.core.arrays import Floats, Words
from cardwin.core.kernel import kernel
from cardwin.core.rng import child, key_of, shuffle_first

SITUATIONS, UNSEEN = 4000, 1000
DEALS = 20_000
CANDIDATES = 10


@kernel
def draw_situations(
    odds: Words, key: int, shown: int, deals: int, powers: Floats, shares: Floats, noise: Floats
) -> None:
    """Fill in kept powers and a one (n, 6), simulated shares (n, 9) and their variances (n, 9) for n situations."""
    for i in range(len(powers)):
        stream = np.array([child(key, i), 0])
        cards = np.arange(52)
        shuffle_first(stream, cards, shown + 2)
        cards = cards[: shown + 2]
        stored_powers(odds, board_bits(cards[2:]), shown, cards[0], cards[1], powers[i])
        powers[i, STORED] = 1.0
        tallies = np.zeros((4, MAX_OPPONENTS))
        deal_many(stream, cards, deals, tallies)
        shares[i] = tallies[SHARES] / deals
        noise[i] = (tallies[SQUARES] / deals - shares[i] ** 2) / deals


def fit() -> dict[str, Floats]:
    """Weights (3, 10, 6) by street and opponents; of the plain power mean and of the corrected one, errors (3, 10).

    `plain` and `corrected` are root mean square errors, with `_bias` and `_worst` the mean and the largest error.
    """
    weights = np.zeros_like(POWER_WEIGHTS)
    found = {name + kind: np.zeros((3, 10)) for name in ("plain", "corrected") for kind in ("", "_bias", "_worst")}
    for street in range(3):
        shape = SITUATIONS + UNSEEN
        powers, shares, noise = np.empty((shape, STORED + 1)), np.empty((shape, 9)), np.empty((shape, 9))
        key = key_of(1, "odds fit", street)
        draw_situations(win_odds_store.load(), key, street + 3, DEALS, powers, shares, noise)
        seen, unseen = slice(0, SITUATIONS), slice(SITUATIONS, shape)
        for n in range(1, MAX_OPPONENTS + 1):
            weights[street, n] = np.linalg.lstsq(powers[seen], shares[seen, n - 1], rcond=None)[0]
            if n == 1:
                weights[street, n] = np.eye(STORED + 1)[0]  # already exact
            for name, row in (("plain", POWER_WEIGHTS), ("corrected", weights)):
                ours = np.clip(powers[unseen] @ row[street, n], 0, 1)
                off = ours - shares[unseen, n - 1]
                found[name][street, n] = np.sqrt(max(np.mean(off**2 - noise[unseen, n - 1]), 0.0))
                found[name + "_bias"][street, n] = off.mean()
                found[name + "_worst"][street, n] = _worst(key, street + 3, n, ours, off)
    return {"weights": weights, **found}


def _worst(key: int, shown: int, n: int, ours: Floats, off: Floats) -> float:
    """The largest error outside the fitted situations, with its sign; the worst candidates are dealt more often."""
    errors = []
    for place in np.argsort(-np.abs(off))[:CANDIDATES]:
        stream = np.array([child(key, SITUATIONS + int(place)), 0])
        cards = np.arange(52)
        shuffle_first(stream, cards, shown + 2)
        tallies = np.zeros((4, MAX_OPPONENTS))
        deal_many(stream, cards[: shown + 2], 20 * DEALS, tallies)
        errors.append(float(ours[place] - tallies[SHARES, n - 1] / (20 * DEALS)))
    return max(errors, key=abs)


if __name__ == "__main__":
    result = fit()
    write_shipped("win_odds_fit.npz", {"weights": result["weights"]})
    for kind, word in (("", "rms"), ("_bias", "bias"), ("_worst", "worst")):
        for street, name in enumerate(("flop", "turn", "river")):
            for label in ("plain", "corrected"):
                print(
                    f"{name:<6}{label:<10}{word:<6}", *(f"{error:+.4f}" for error in result[label + kind][street, 2:])
                )
