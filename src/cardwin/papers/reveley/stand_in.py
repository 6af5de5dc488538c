"""The thesis's last idea: a nearest-neighbour player that repeats a person's action in the nearest recorded situation.

1. Our own players are recorded heads-up; how often does the stand-in predict an unseen action, with fifty
   hands and with more, under three distances? The baseline always predicts the most common action, free or facing
   a bet.
2. XCS is trained on the stand-in and tested on the original.
For people in hand history files: `python tools/guessing.py FILE... --player NAME`.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from cardwin.arena.match import play_match
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.holdem.events import Event, HandBegan
from cardwin.games.holdem.view import CODES, HoldemView
from cardwin.papers import Context, Finding
from cardwin.papers.reveley.claims import question
from cardwin.papers.reveley.duplicate import ours
from cardwin.papers.reveley.trials import LIMIT, Floats, Trial, run_trial
from cardwin.players.nearest_neighbour.player import DISTANCES, Encoder, NearestNeighbour, RecordedDecisions
from cardwin.players.registry import HoldemPlayer, player, spec_of
from cardwin.players.xcs.encoding import BETS_TO_CALL
from cardwin.stats.intervals import mean_interval

ORIGINALS = {
    "Loki, no model": "loki:model=none",
    "a chart and pot odds": "standard",
    "shipped rules": "xcs:caller-beater",
}
OTHER = "call-or-raise"


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
            self.encoder.begin()
        if hasattr(self.inner, "watch"):
            self.inner.watch(event)

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """The player's action, recorded."""
        seen, action = self.encoder.see(view), self.inner.act(view, rng)
        self.seen.append((seen, CODES[action.name], self.hand))
        self.encoder.note(CODES[action.name])
        return action

    def decisions(self) -> RecordedDecisions:
        """All recorded decisions, of limit hold'em."""
        situations, actions, hands = zip(*self.seen, strict=True)
        return RecordedDecisions(np.array(situations), np.array(actions), np.zeros(len(actions)), np.array(hands))


def recorded(spec: str, hands: int, key: int) -> RecordedDecisions:
    """A player's decisions in `hands` hands."""
    recorder = Recorder(player(spec))
    play_match(LIMIT, [recorder, player(OTHER)], hands, key)
    return recorder.decisions()


def accuracy(known: RecordedDecisions, unseen: RecordedDecisions, distance: str) -> Floats:
    """Whether each unseen action (n,) is predicted correctly."""
    imitator = NearestNeighbour(known, distance)
    predictions = np.array([imitator.decisions.actions[imitator.predict(seen)] for seen in unseen.situations])
    right: Floats = (predictions == unseen.actions).astype(np.float64)
    return right


def most_common(known: RecordedDecisions, unseen: RecordedDecisions) -> float:
    """The accuracy of the most common action, free or facing a bet."""
    right = 0
    for facing in (False, True):
        those = known.actions[(known.situations[:, BETS_TO_CALL] > 0) == facing]
        asked = unseen.actions[(unseen.situations[:, BETS_TO_CALL] > 0) == facing]
        right += int((asked == np.bincount(those, minlength=3).argmax()).sum()) if len(those) else 0
    return right / len(unseen.actions)


def growth(known: RecordedDecisions, unseen: RecordedDecisions, counts: Sequence[int]) -> Iterator[list[object]]:
    """Rows: hands known, decisions known, accuracy under each distance, and of the most common action."""
    for hands in counts:
        part = known.first(hands)
        shares = [float(accuracy(part, unseen, distance).mean()) for distance in DISTANCES]
        yield [hands, len(part.actions), *(f"{share:.1%}" for share in shares), f"{most_common(part, unseen):.1%}"]


HEADER = ["hands known", "decisions", *DISTANCES, "most common"]


def experiments(context: Context) -> Iterator[Finding]:
    """Accuracy by number of hands, for our own players; then XCS on the stand-in and on the original."""
    counts = context.pick([50, 100], [50, 200, 1_000, 2_000], [50, 200, 1_000, 10_000], [50, 200, 1_000, 10_000])
    tests = context.pick(50, 500, 2_000, 5_000)
    for name, spec in ORIGINALS.items():
        known = recorded(spec, counts[-1], context.key(name, "known") % 2**31)
        unseen = recorded(spec, tests, context.key(name, "unseen") % 2**31)
        context.table(f"Predicting {name}, {len(unseen.actions)} decisions of {tests} unseen hands", HEADER,
                      list(growth(known, unseen, counts)))  # type: ignore[arg-type]  # fmt: skip
        few, many = (accuracy(known.first(hands), unseen, DISTANCES[0]) for hands in (counts[0], counts[-1]))
        gain = mean_interval(many - few)
        yield Finding("section 4", f"stand-in of {name}: share guessed with {counts[-1]} hands minus with {counts[0]}",
                      published="might be more accurate later", measured=gain.mean, ci95=(gain.low, gain.high),
                      over=f"{gain.n:,} decisions", verdict=None)  # fmt: skip
    yield from _trained_on(context)


def _trained_on(context: Context) -> Iterator[Finding]:
    """What rules trained on a stand-in win from the original, compared with rules trained on the original."""
    hands, deals = context.pick((200, 10), (2_000, 200), (10_000, 400), (300_000, 3_000))
    spec, known = ORIGINALS["a chart and pot odds"], context.pick(50, 1_000, 5_000, 10_000)
    double = spec_of(NearestNeighbour(recorded(spec, known, context.key("double") % 2**31)))
    seeds = [context.key("seed", number) % 2**31 for number in range(context.pick(1, 2, 3, 5))]
    on_double = [run_trial(Trial("xcs", (double,), hands, seed, ((spec,),), deals)) for seed in seeds]
    on_original = [run_trial(Trial("xcs", (spec,), hands, seed, ((spec,),), deals)) for seed in seeds]
    for name, trained in (("the stand-in", on_double), ("the original", on_original)):
        won = mean_interval(np.concatenate([one.won[0] for one in trained]))
        yield ours(f"XCS trained on {name}, against the original", won,
                   f"a chart and pot odds; {hands} hands, {len(seeds)} seeds, interval over deals")  # fmt: skip
    yield question("section 4", "trained on the stand-in, what it wins of the original",
                   "whether it can adapt on a human time scale", [one.mean() for one in on_double])  # fmt: skip
