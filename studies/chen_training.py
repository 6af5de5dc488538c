"""Chen (2018): where V2's threshold ends if it does not forget, as the AI V3 that the document did not finish."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.executor import open_executor
from cardwin.core.rng import child
from cardwin.papers import Context
from cardwin.papers.chen import game_settings
from cardwin.papers.chen.game_settings import DOCUMENT_SIMULATION, OUR_SIMULATION, Setting
from cardwin.papers.chen.learning import FLOOR, OUR_RULE, PUBLISHED_RULE, TARGETS, LearningRule, Target, learner_of
from cardwin.papers.chen.thresholds import floor_remark
from cardwin.papers.sample import SHARES, Sample, Spread, sample, spread
from cardwin.players.robots.learner import Learner, save
from cardwin.players.robots.training import Training, train
from study import main

RULES = (
    PUBLISHED_RULE,
    LearningRule("the document's rule, our simulation", "play", OUR_SIMULATION),
    LearningRule("our rule, the document's simulation", "raise", DOCUMENT_SIMULATION),
    OUR_RULE,
)


def training(context: Context) -> Iterator[Sample]:
    """Measure four ways to learn over many games, for targets of 20, 33 and 50 percent."""
    setting = game_settings.setting_of(context)
    trained = {rule: {target: _train(context, setting, rule, target) for target in TARGETS} for rule in RULES}
    rows: list[list[str | float]] = []
    for rule, by_target in trained.items():
        for target, trainings in by_target.items():
            value, won = spread(_settled(trainings)), _won(trainings)
            low, high = value.ci95 or (value.mean, value.mean)
            rows.append([rule.name, target.text, value.mean, (high - low) / 2, won.mean])
    title = f"Four ways to learn: the threshold over the second half of the games (lower limit {FLOOR:.1f})"
    context.table(title, ["way", "wanted", "threshold", "±", "share won"], rows)
    context.text("The robots trained as published are saved as v3-20.json, v3-33.json and v3-50.json: v3:file=….")
    for target, trainings in trained[PUBLISHED_RULE].items():
        value, share = spread(_settled(trainings)), _won(trainings).mean
        name = f"threshold after many games without forgetting, {target.text}"
        shares = f"{share:.0%} of the hands that counted were won, {target.share:.0%} were wanted"
        reason = f"{floor_remark(value.mean)}; {shares}"
        yield sample(name, value, place="ours", over="trainings", reason=reason)


def _train(context: Context, setting: Setting, rule: LearningRule, target: Target) -> list[Training]:
    """Run independent trainings; the first one's V3 is saved."""
    chains, games = context.pick((4, 6), (8, 12), (16, 24), (4, 50))
    table = replace(setting, simulation=rule.simulation)

    def run(number: int) -> tuple[Training, Learner]:
        learner = learner_of(setting, rule, target.options)
        key = child(context.key("train"), number)
        return train(table.game, learner, table.v2_rivals(), games, key, table.final_rules), learner

    with open_executor(context.workers) as executor:
        done = list(executor.map(run, range(chains)))
    if rule == PUBLISHED_RULE:
        save(context.folder / f"v3-{round(100 * target.share)}.json", done[0][1])
    return [training for training, _ in done]


def _settled(trainings: Sequence[Training]) -> Floats:
    return np.array([one.final_mean()[0] for one in trainings])


def _won(trainings: Sequence[Training]) -> Spread:
    return spread([one.share_won() for one in trainings], SHARES)


if __name__ == "__main__":
    main(training, "thresholds")
