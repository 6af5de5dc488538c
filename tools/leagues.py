"""Simulated leagues of known strengths: how well a ranking recovers them. `python tools/leagues.py` prints it.

Every pair of ten players plays hands with results as in poker: mostly small, rarely a whole stack. Strengths
are random, and so is the interaction of each pair. Two models rank the players: the hierarchical one on
chips, and OpenSkill's Plackett-Luce over fifty games of every pair, which the first leaderboard used. Reported are

- the share of pairs in the right order;
- how often the best player is named;
- the logarithmic score of the probabilities that one player is above another (0 is perfect, .693 is no information);
- how often pairs that a model calls 95% sure are wrong (it should be at most 5%).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy.special import ndtr

from cardwin.core.arrays import Floats
from cardwin.core.rng import generator_of, key_of
from cardwin.stats.intervals import bounded_mean
from cardwin.stats.ranking import PairResult, rank_players

PLAYERS = 10
MEETINGS = 50
STACK = 100_000.0  # mbb
BIG_POTS = 0.02
LEAGUES = 100


# --- OpenSkill's Plackett-Luce model (Weng and Lin 2011), for games of any number of players


@dataclass(frozen=True, slots=True)
class Rating:
    """A skill and how uncertain it is; `ordinal`, three deviations below, is what one is ranked by."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """A skill that the player almost surely has."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class Meeting:
    """One game: who met, and what each scored; more is better."""

    players: tuple[int, ...]
    scores: tuple[float, ...]


def ratings(meetings: Iterable[Meeting], players: int) -> list[Rating]:
    """Return the ratings of all players after all meetings, in their order."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    skills = [model.rating() for _ in range(players)]
    for meeting in meetings:
        teams = [[skills[player]] for player in meeting.players]
        for player, team in zip(meeting.players, model.rate(teams, scores=list(meeting.scores)), strict=True):
            skills[player] = team[0]
    return [Rating(float(skill.mu), float(skill.sigma)) for skill in skills]


@dataclass(frozen=True)
class League:
    """The true mean result of each player, a hand (players,), and the results of every pair's hands for the first."""

    scores: Floats
    results: dict[tuple[int, int], Floats]


def draw_league(number: int, hands: int, strength: float, interaction: float) -> League:
    """Return a league; strength and interaction are deviations in mbb per hand; pairs play from 20% to all hands."""
    draw = generator_of(key_of(1, "league", number, hands, int(strength), int(interaction)))
    skills = draw.normal(0, strength, PLAYERS)
    scores, results = np.zeros(PLAYERS), {}
    for i, j in combinations(range(PLAYERS), 2):
        true = skills[i] - skills[j] + draw.normal(0, interaction)
        scores[i] += true / (PLAYERS - 1)
        scores[j] -= true / (PLAYERS - 1)
        n = int(hands * draw.uniform(0.2, 1.0))
        big = draw.random(n) < BIG_POTS
        win = draw.random(n) < 0.5 + true / (2 * BIG_POTS * STACK)
        results[i, j] = np.where(big, np.where(win, STACK, -STACK), draw.normal(0, 1500, n))
    return League(scores, results)


def by_chips(league: League) -> tuple[Floats, Floats]:
    """Return the hierarchical model's scores (players,) and probabilities (players, players) of being above another."""
    found = []
    for (i, j), won in league.results.items():
        one = bounded_mean(won, (-STACK, STACK))
        found.append(PairResult(i, j, one.mean, one.ci95 / 1.96))
    ranking = rank_players(found, PLAYERS)
    return np.array([one.mean for one in ranking.scores]), ranking.above


def by_openskill(league: League) -> tuple[Floats, Floats]:
    """Return OpenSkill's skills and the same probabilities."""
    parts = {
        pair: [float(part.sum()) for part in np.array_split(won, MEETINGS)] for pair, won in league.results.items()
    }
    meetings = [Meeting(pair, (won[number], -won[number])) for number in range(MEETINGS) for pair, won in parts.items()]
    found = ratings(meetings, PLAYERS)
    mu, sigma = np.array([one.mu for one in found]), np.array([one.sigma for one in found])
    return mu, ndtr((mu[:, None] - mu) / np.hypot(sigma[:, None], sigma))


def scored(league: League, scores: Floats, above: Floats) -> tuple[float, float, float, float, float]:
    """Return pairs right, best right, logarithmic score, pairs called sure, and sure ones that are wrong."""
    right, log_score, sure, wrong = 0, 0.0, 0, 0
    pairs = list(combinations(range(PLAYERS), 2))
    for i, j in pairs:
        truth = league.scores[i] > league.scores[j]
        chance = float(np.clip(above[i, j] if truth else above[j, i], 1 / 4000, 1))
        right += truth == (scores[i] > scores[j])
        log_score -= math.log(chance)
        sure += not 0.05 < chance < 0.95
        wrong += chance <= 0.05
    best = float(scores.argmax() == league.scores.argmax())
    return right / len(pairs), best, log_score / len(pairs), sure, wrong


def main() -> None:
    """Run both models on leagues from easy to hard."""
    print("| hands a pair | strength, interaction | model | pairs right | best named | log score | sure pairs wrong |")
    print("|---:|---|---|---:|---:|---:|---:|")
    for hands in (1_000, 10_000, 50_000):
        for strength, interaction in ((300.0, 0.0), (300.0, 150.0), (0.001, 300.0)):
            leagues = [draw_league(number, hands, strength, interaction) for number in range(LEAGUES)]
            for name, model in (("chips", by_chips), ("OpenSkill", by_openskill)):
                rows = np.array([scored(league, *model(league)) for league in leagues])
                right, best, log_score, sure, wrong = rows.mean(axis=0)
                share = f"{wrong / sure:.1%} of {sure / 45:.0%}" if sure else "none is sure"
                cells = (f"{hands:,}", f"{strength:.0f}, {interaction:.0f}", name, f"{right:.1%}", f"{best:.0%}")
                print(f"| {' | '.join(cells)} | {log_score:.3f} | {share} |", flush=True)


if __name__ == "__main__":
    main()
