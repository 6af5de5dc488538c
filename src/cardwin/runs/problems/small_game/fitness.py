"""Fitness of members: exact expected values, or means of sampled games.

The payoff is linear in each seat's realisation plan. So the mean value against several opponents is the value against
their average plan: one gradient, then one product a member. Populations of n and m cost n + m, not n times m.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.executor import Executor, run_rows
from cardwin.core.rng import child
from cardwin.evolution import Archive, Genome
from cardwin.players.small_games.policies import policy
from cardwin.runs.problems.small_game.settings import HALL, POPULATION, FitnessSettings
from cardwin.solvers import plans
from cardwin.solvers.tree import Sequences, Tree

if TYPE_CHECKING:
    from cardwin.arena.sampled_games import Outcomes


@dataclass(frozen=True)
class Plans:
    """One seat's population as realisation plans: a row a member (n, sequences), and their average (sequences,)."""

    rows: Floats
    average: Floats


def plans_of(seqs: Sequences, genomes: Floats, choices: bool, executor: Executor) -> Plans:
    """Genomes (n, genes) as plans. Sums run within chunks, then over chunks in order, so workers do not matter."""
    made = np.empty((len(genomes), seqs.count))
    sums: dict[int, Floats] = {}

    def work(start: int, stop: int) -> None:
        made[start:stop] = plans.plans(seqs, behaviours_of(seqs, genomes[start:stop], choices))
        sums[start] = made[start:stop].sum(axis=0)

    run_rows(executor, work, len(genomes))
    total = np.zeros(seqs.count)
    for start in sorted(sums):
        total += sums[start]
    return Plans(made, total / len(genomes))


def trembling_values(
    seqs: Sequences, genomes: Floats, choices: bool, chance: float, action_values: Floats, executor: Executor
) -> Floats:
    """Expected chips (n,) of genomes (n, genes) that tremble, given each sequence's value (sequences,)."""
    out = np.empty(len(genomes))

    def work(start: int, stop: int) -> None:
        shaken = plans.trembling(seqs, behaviours_of(seqs, genomes[start:stop], choices), chance)
        plans.expected_values(plans.plans(seqs, shaken), action_values, 0, stop - start, out[start:stop])

    run_rows(executor, work, len(genomes))
    return out


def expected_values(made: Floats, action_values: Floats, executor: Executor) -> Floats:
    """Expected chips (n,) of plans (n, sequences), given each sequence's value (sequences,)."""
    out = np.empty(len(made))
    run_rows(executor, lambda start, stop: plans.expected_values(made, action_values, start, stop, out), len(made))
    return out


@dataclass
class Opponents:
    """The opponents of one seat: the other seat's population, its hall, and policies; all parts have equal weight."""

    tree: Tree
    seat: int
    names: Sequence[str]
    models: dict[str, Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        other = 1 - self.seat
        for name in self.names:
            if name not in (POPULATION, HALL):
                self.models[name] = policy(self.tree.game, name).plan(other)

    def parts(self, living: Plans | None, hall: Archive | None) -> list[Floats]:
        """The opponents' plans (sequences,); the population stands in for a hall that is still empty."""
        met = []
        for name in self.names:
            if name in self.models:
                met.append(self.models[name])
            elif name == HALL and hall is not None and hall.count:
                met.append(hall.average)
            elif living is not None:
                met.append(living.average)
        return met

    def plan(self, living: Plans | None, hall: Archive | None) -> Floats:
        """The average of all parts as one plan (sequences,)."""
        parts = self.parts(living, hall)
        total = parts[0]
        for part in parts[1:]:
            total = total + part
        return total / len(parts)


@dataclass(frozen=True)
class Table:
    """Sampled games of one seat's members: behaviours of both sides, and whether both sides evolve from these games."""

    tree: Tree
    seat: int
    members: Floats  # (n, sequences)
    opponents: Floats  # (m, sequences)
    rounds: int
    fair: bool
    shared: bool

    def chips(self, key: int, executor: Executor) -> Floats:
        """Mean chips (n,)."""
        out = np.empty(len(self.members))

        from cardwin.arena.sampled_games import mean_chips

        def work(start: int, stop: int) -> None:
            who = self.tree, self.seat, self.members, self.opponents
            mean_chips(*who, self.rounds, self.fair, self.shared, key, start, stop, out)

        run_rows(executor, work, len(out))
        return out


def sampled_values(
    opponents: Opponents,
    how: FitnessSettings,
    members: Floats,
    rivals: Floats | None,
    hall: Archive | None,
    key: int,
    executor: Executor,
) -> Floats:
    """Mean chips (n,) of behaviours (n, sequences) in sampled games against each part in turn.

    One game against each member of the other population (rivals, behaviours), or `games` games against a policy or a
    hall's average.
    """
    tree, seat = opponents.tree, opponents.seat
    total = np.zeros(len(members))
    for number, name in enumerate(opponents.names):
        alive = name not in opponents.models and (name == POPULATION or hall is None or not hall.count)
        if alive and rivals is not None:
            # Two populations play the same games, seen from either seat, so both seats derive the same key.
            table = Table(tree, seat, members, rivals, len(rivals), how.fair, shared=True)
            total += table.chips(child(key, -1), executor)
        else:
            plan = opponents.models[name] if hall is None or name in opponents.models else hall.average
            opponent = plans.behaviour_of(tree.sequences[1 - seat], plan)[None]
            table = Table(tree, seat, members, opponent, how.games, how.fair, shared=False)
            total += table.chips(child(key, 2 * number + seat), executor)
    return total / len(opponents.names)


def drawn_values(
    members: Mapping[int, Floats], opponents: Mapping[int, Opponents], halls: Mapping[int, Archive],
    outcomes: "Outcomes", how: FitnessSettings, key: int,
) -> dict[int, Floats]:  # fmt: skip
    """As `sampled_values`, for all evolving seats at once, with terminals sampled directly; members are plans.

    `pooled` games are against the other population's average: a member drawn at random in each game is the same.
    """
    from cardwin.arena.sampled_games import mean_of_draws, one_game_each

    total = {seat: np.zeros(len(own)) for seat, own in members.items()}
    # Two populations play the same games, seen from either seat.
    each = len(members) == 2 and how.play == "drawn"
    met = one_game_each(outcomes, members[0], members[1], child(key, -1)) if each else None
    for seat, own in members.items():
        hall = halls.get(1 - seat)
        for number, name in enumerate(opponents[seat].names):
            if name in opponents[seat].models:
                plan = opponents[seat].models[name]
            elif name == HALL and hall is not None and hall.count:
                plan = hall.average
            elif met is not None:
                total[seat] += met[seat]
                continue
            else:
                plan = members[1 - seat].mean(axis=0)
            total[seat] += mean_of_draws(outcomes, seat, own, plan, how.games, child(key, 2 * number + seat))
        total[seat] /= len(opponents[seat].names)
    return total


def behaviours_of(seqs: Sequences, genomes: Floats, choices: bool) -> Floats:
    """Genomes (n, genes) as behaviours (n, sequences)."""
    return plans.behaviours_of_choices(seqs, genomes) if choices else plans.behaviours(seqs, genomes)


def genome_of(tree: Tree, seat: int, choices: bool, clean: bool) -> Genome:
    """The genome of this seat's strategies: stick-breaking real genes, or one choice for each information set."""
    seqs = tree.sequences[seat]
    free = Genome.choices(seqs.layout[:, 2]) if choices else Genome.real(seqs.genes)
    if not clean:
        return free
    held = free.held.copy()
    for number, action in sure_actions(tree, seat).items():
        _, first, count = seqs.layout[number]
        if choices:
            held[number] = action
        else:
            for offset in range(count - 1):
                held[seqs.gene[first + offset]] = float(offset < action)
    return replace(free, held=held)


def sure_actions(tree: Tree, seat: int) -> dict[int, int]:
    """Information sets where one action is at least as good as any other whatever follows: set -> action.

    In the one-card game these are calling with the highest card and calling a bet of zero (Morsomme's cleaning).
    """
    nodes, seqs = tree.nodes, tree.sequences[seat]
    worst, best = _extremes(tree, seat)
    set_of = {int(first): number for number, (_, first, _) in enumerate(seqs.layout)}
    sure: dict[int, set[int]] = {}
    for place in np.flatnonzero(nodes.actor == seat):
        below = slice(nodes.first[place], nodes.first[place] + nodes.count[place])
        safe = {
            action
            for action in range(nodes.count[place])
            if all(worst[below][action] >= top for other, top in enumerate(best[below]) if other != action)
        }
        number = set_of[int(nodes.sequence[place])]
        sure[number] = sure.get(number, safe) & safe
    return {number: max(actions) for number, actions in sure.items() if actions}


def _extremes(tree: Tree, seat: int) -> tuple[Floats, Floats]:
    """The minimum and maximum chips that a seat can end with below each node."""
    nodes = tree.nodes
    least = nodes.chips.copy() if seat == 0 else -nodes.chips
    most = least.copy()
    for place in range(len(nodes.actor) - 1, -1, -1):
        if nodes.count[place]:
            below = slice(nodes.first[place], nodes.first[place] + nodes.count[place])
            least[place], most[place] = least[below].min(), most[below].max()
    return least, most


def largest_loss(tree: Tree, seat: int) -> float:
    """The most chips that a seat can lose in one hand."""
    chips = np.array(tree.terminals.chips, dtype=np.float64)
    return float(-(chips if seat == 0 else -chips).min())
