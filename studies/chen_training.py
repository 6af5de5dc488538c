"""Chen (2018): where V2's threshold ends if it does not forget, as the AI V3 that the document did not finish."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.executor import open_executor
from cardwin.core.rng import child
from cardwin.papers import Context
from cardwin.papers.chen import conditions
from cardwin.papers.chen.conditions import DOCUMENTS, OURS, Setting
from cardwin.papers.chen.everybody import rivals
from cardwin.papers.chen.learning import AS_OURS, AS_PUBLISHED, FLOOR, WANTED, Wanted, Way, learner_for
from cardwin.papers.chen.thresholds import floored
from cardwin.papers.sample import SHARES, Sample, Spread, sample, spread
from cardwin.players.robots.learner import Learner, save
from cardwin.players.robots.training import Training, train
from study import main

WAYS = (
    AS_PUBLISHED,
    Way("the document's rule, our simulation", "play", OURS),
    Way("our rule, the document's simulation", "raise", DOCUMENTS),
    AS_OURS,
)


def training(context: Context) -> Iterator[Sample]:
    """Four ways to learn over many games, for targets of 20, 33 and 50 percent."""
    setting = conditions.setting_of(context)
    trained = {way: {wanted: _train(context, setting, way, wanted) for wanted in WANTED} for way in WAYS}
    rows: list[list[str | float]] = []
    for way, by_target in trained.items():
        for wanted, trainings in by_target.items():
            value, won = spread(_settled(trainings)), _won(trainings)
            low, high = value.ci95 or (value.mean, value.mean)
            rows.append([way.name, wanted.text, value.mean, (high - low) / 2, won.mean])
    context.table(
        f"Four ways to learn: the threshold over the second half of the games (lower limit {FLOOR:.1f})",
        ["way", "wanted", "threshold", "±", "share won"], rows,
    )  # fmt: skip
    context.text("The robots trained as published are saved as v3-20.json, v3-33.json and v3-50.json: v3:file=….")
    for wanted, trainings in trained[AS_PUBLISHED].items():
        value, share = spread(_settled(trainings)), _won(trainings).mean
        yield sample(
            f"threshold after many games without forgetting, {wanted.text}", value, place="ours", over="trainings",
            reason=f"{floored(value.mean)}; {share:.0%} of the hands that counted were won, {wanted.share:.0%} were "
            "wanted",
        )  # fmt: skip


def _train(context: Context, setting: Setting, way: Way, wanted: Wanted) -> list[Training]:
    """Independent trainings; the first one's V3 is saved."""
    chains, games = context.pick((4, 6), (8, 12), (16, 24), (4, 50))
    table = replace(setting, simulation=way.simulation)

    def run(number: int) -> tuple[Training, Learner]:
        learner = learner_for(setting, way, wanted)
        key = child(context.key("train"), number)
        return train(table.game, learner, rivals(table), games, key, table.final_rules), learner

    with open_executor(context.workers) as executor:
        done = list(executor.map(run, range(chains)))
    if way == AS_PUBLISHED:
        save(context.folder / f"v3-{round(100 * wanted.share)}.json", done[0][1])
    return [training for training, _ in done]


def _settled(trainings: Sequence[Training]) -> Floats:
    return np.array([one.final_mean()[0] for one in trainings])


def _won(trainings: Sequence[Training]) -> Spread:
    return spread([one.share_won() for one in trainings], SHARES)


if __name__ == "__main__":
    main(training, "thresholds")
