"""Reveley (2002), section 4: a stand-in that repeats a person's action in the nearest recorded situation.

1. Our own players are recorded heads-up; how often does the stand-in predict an unseen action, with fifty
   hands and with more, under three distances? The baseline always predicts the most common action, free or facing
   a bet.
2. XCS is trained on a stand-in of fifty hands and on one of many, and tested on the original: as good a teacher
   means that it wins as much as XCS trained on the original, within a margin.

For people in hand history files: `python studies/guessing.py FILE... --player NAME`.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from cardwin.arena.match import play_match
from cardwin.core.arrays import Floats
from cardwin.core.report_parts import Cell
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem.events import Event, HandBegan
from cardwin.games.holdem.view import CODES, HoldemView
from cardwin.papers import Context, verdicts
from cardwin.papers.reveley.baselines import baseline_rows, baselines_of, result_cells
from cardwin.papers.reveley.claims import paired, questions, single
from cardwin.papers.reveley.trainings import LIMIT, STANDARD, Table, TrainingResult, Trial, run_trial, seeds_of, sizes
from cardwin.papers.sample import Sample, sample, spread
from cardwin.players.kind import HoldemPlayer
from cardwin.players.nearest_neighbour.player import DISTANCES, Encoder, NearestNeighbour, RecordedDecisions
from cardwin.players.registry import player, spec_of
from cardwin.players.xcs.encoding import BETS_TO_CALL
from cardwin.stats.intervals import mean_interval
from study import main

ORIGINALS = {
    "Loki, no model": "loki:model=none",
    "a chart and pot odds": "standard",
    "shipped rules": "xcs:caller-beater",
}
PLAN = {"hands": (200, 2_000, 10_000, 300_000), "deals": (10, 200, 400, 3_000), "seeds": (2, 3, 8, 10),
        "known": (100, 1_000, 5_000, 10_000)}  # fmt: skip
MARGIN = 0.05  # small bets a hand: as good a teacher
OTHER = "call-or-raise"
FEW = 50  # hands, the document's number
SPEC = "xcs:in_process=1"  # a stand-in is our own code: it needs no sandbox


class Recorder:
    """A player whose decisions are recorded while it plays."""

    def __init__(self, inner: HoldemPlayer) -> None:
        self.inner, self.encoder = inner, Encoder()
        self.hand = -1
        self.seen: list[tuple[Floats, int, int]] = []

    def watch(self, event: Event) -> None:
        """Pass the event to the player."""
        if isinstance(event, HandBegan):
            self.hand += 1
            self.encoder.begin_hand()
        if hasattr(self.inner, "watch"):
            self.inner.watch(event)

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """Return the player's action, and record it."""
        seen, action = self.encoder.encode(view), self.inner.act(view, rng)
        self.seen.append((seen, CODES[action.name], self.hand))
        self.encoder.record(CODES[action.name])
        return action

    def decisions(self) -> RecordedDecisions:
        """Return all recorded decisions, of limit hold'em."""
        situations, actions, hands = zip(*self.seen, strict=True)
        return RecordedDecisions(np.array(situations), np.array(actions), np.zeros(len(actions)), np.array(hands))


def recorded(spec: str, hands: int, key: int) -> RecordedDecisions:
    """Return a player's decisions in `hands` hands."""
    recorder = Recorder(player(spec))
    play_match(LIMIT, [recorder, player(OTHER)], hands, key)
    return recorder.decisions()


def accuracy(known: RecordedDecisions, unseen: RecordedDecisions, distance: str) -> Floats:
    """Return whether each unseen action (n,) is predicted correctly."""
    imitator = NearestNeighbour(known, distance)
    predictions = np.array([imitator.decisions.actions[imitator.predict(seen)] for seen in unseen.situations])
    right: Floats = (predictions == unseen.actions).astype(np.float64)
    return right


def most_common(known: RecordedDecisions, unseen: RecordedDecisions) -> float:
    """Return the accuracy of the most common action, free or facing a bet."""
    right = 0
    for facing in (False, True):
        those = known.actions[(known.situations[:, BETS_TO_CALL] > 0) == facing]
        asked = unseen.actions[(unseen.situations[:, BETS_TO_CALL] > 0) == facing]
        right += int((asked == np.bincount(those, minlength=3).argmax()).sum()) if len(those) else 0
    return right / len(unseen.actions)


def growth(known: RecordedDecisions, unseen: RecordedDecisions, counts: Sequence[int]) -> Iterator[list[Cell]]:
    """Yield rows: hands known, decisions known, accuracy under each distance, and of the most common action."""
    for hands in counts:
        part = known.first(hands)
        shares = [float(accuracy(part, unseen, distance).mean()) for distance in DISTANCES]
        yield [hands, len(part.actions), *(f"{share:.1%}" for share in shares), f"{most_common(part, unseen):.1%}"]


HEADER = ["hands known", "decisions", *DISTANCES, "most common"]


def stand_in(context: Context) -> Iterator[Sample]:
    """Measure the accuracy by number of hands, for our own players; then train XCS on the stand-in and the original."""
    counts = context.pick([50, 100], [50, 200, 1_000, 2_000], [50, 200, 1_000, 10_000], [50, 200, 1_000, 10_000])
    tests = context.pick(50, 500, 2_000, 5_000)
    for name, spec in ORIGINALS.items():
        known = recorded(spec, counts[-1], context.key(name, "known") % 2**31)
        unseen = recorded(spec, tests, context.key(name, "unseen") % 2**31)
        context.table(f"Predicting {name}, {len(unseen.actions)} decisions of {tests} unseen hands", HEADER,
                      list(growth(known, unseen, counts)))  # fmt: skip
        few, many = (accuracy(known.first(hands), unseen, DISTANCES[0]) for hands in (counts[0], counts[-1]))
        gain = mean_interval(many - few)
        yield sample(f"stand-in of {name}: share guessed with {counts[-1]} hands minus with {counts[0]}", gain,
                     over=f"{gain.n:,} decisions")  # fmt: skip
    yield from _trained_on(context)


def _trained_on(context: Context) -> Iterator[Sample]:
    """Compare rules trained on stand-ins of few and of many hands with rules trained on the original."""
    size = sizes(context, PLAN)
    seeds = seeds_of(context, size["seeds"])
    found = baselines_of((STANDARD,), seeds, size["deals"], context.workers)
    on_original = _trainings(STANDARD, size, seeds)
    rows, table = [["the original", *result_cells(on_original)]], baseline_rows(found, (STANDARD,))
    for known in (FEW, size["known"]):
        # The original is recorded anew for every seed: the interval covers other recordings too.
        trained = []
        for seed in seeds:
            decisions = recorded(STANDARD[0], known, context.key("double", known, seed) % 2**31)
            trained += _trainings((spec_of(NearestNeighbour(decisions)),), size, [seed])
        rows.append([f"its stand-in of {known:,} hands", *result_cells(trained)])
        name, lead = f"trained on a stand-in of {known:,} hands minus on the original", paired(trained, on_original)
        verdict = verdicts.judge(verdicts.within(0.0, MARGIN), spread(list(lead.values())).ci95)
        yield from questions({name: lead}, {name: f"as good a teacher, within {MARGIN}: {verdict}; {size['hands']:,} "
                                                  "hands of training"})  # fmt: skip
    name = "trained on the original, beyond the best blind player"
    yield from questions({name: single(on_original, partial(found.beyond, (STANDARD,)))},
                         {name: f"which {found.best_blind(STANDARD)}"})  # fmt: skip
    context.table(f"What XCS wins from the original, a chart and pot odds, after {size['hands']:,} hands against it or "
                  f"its stand-in; {size['seeds']} seeds, ± over seeds", ["trained on", "won", "±"],
                  [*rows, *table])  # fmt: skip


def _trainings(against: Table, size: Mapping[str, int], seeds: Sequence[int]) -> list[TrainingResult]:
    return [run_trial(Trial(SPEC, against, size["hands"], seed, (STANDARD,), size["deals"])) for seed in seeds]


if __name__ == "__main__":
    main(stand_in)
