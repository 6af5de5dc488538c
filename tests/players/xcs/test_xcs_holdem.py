"""XCS learns limit hold'em: by kernels and at live tables alike, as a run, and better than it began."""

from pathlib import Path

import numpy as np
import pytest

from cardwin.core.rng import key_of
from cardwin.players.registry import player
from cardwin.players.xcs.files import read
from cardwin.players.xcs.rules import MICRO, NUMEROSITY, SIZE
from cardwin.players.xcs.training.experiment import experiment_values
from cardwin.players.xcs.training.holdem import HoldemExperiment, HoldemTrainer, won_by_deal
from cardwin.runs import launch
from cardwin.runs.experiment import check
from cardwin.runs.run import Run
from cardwin.runs.run_folder import prepare
from cardwin.stats.intervals import mean_interval
from support import answer, call


def experiment(spec: str, against: tuple[str, ...], hands: int, seed: int = 1) -> HoldemExperiment:
    found = check(experiment_values(spec, None, "holdem-limit", against, hands, seed)[1], spec)
    assert isinstance(found, HoldemExperiment)
    return found


@pytest.mark.parametrize(
    ("spec", "against"),
    [
        ("xcs:N=300,register_bits=1,see=hs+round+raises+bluff+counters,predictions=2", ("random", "call")),
        ("xcs:N=300,coding=binary,bluff_below=.6", ("self", "call-or-raise")),
    ],
)
def test_kernels_and_live_tables_learn_the_same(spec: str, against: tuple[str, ...]) -> None:
    states = []
    for in_python in (False, True):
        trainer = HoldemTrainer(experiment(spec, against, 400), in_python)
        trainer.system.stream[:] = (5, 0)
        explored, chips = trainer.play(400, 9)
        states.append([explored, chips, *trainer.state().values()])
        assert explored.min() == 0
        assert explored.max() == 1
        assert len(np.unique(chips)) > 5
    assert all((a == b).all() for a, b in zip(*states, strict=True))


@pytest.mark.parametrize(("against", "least"), [("call", 0.3), ("random", 1.0)])
def test_it_learns_to_beat_those_who_look_at_no_cards(against: str, least: float) -> None:
    """Small bets a hand, on deals that it never saw; the whole interval, and more than it wins untaught."""
    trainer = HoldemTrainer(experiment("xcs", (against,), 40_000))
    for step in range(4):
        trainer.system.stream[:] = (step, 0)
        trainer.play(10_000, step)
    taught = mean_interval(won_by_deal(trainer.game, trainer.player, [against], 300, key_of(1)))
    assert taught.low > least
    rules = trainer.system.rules
    assert rules.counts[NUMEROSITY, : rules.totals[SIZE]].sum() == rules.totals[MICRO] <= 10_000


def test_a_training_is_a_run_and_its_rules_sit_down(tmp_path: Path) -> None:
    words = ("train", "xcs:N=400,every=400,deals=5,final_deals=10", "--game", "holdem-limit", "--against", "call",
             "--against", "random", "--hands", "1000", "--seed", "3", "--out")  # fmt: skip
    found = answer(*words, str(tmp_path / "run"))
    assert found["hands"] == 1_000
    assert found["judges"] == ["call", "random"]
    assert found["ci95"] > 0
    report = (tmp_path / "run" / "report.html").read_text()
    assert "hand strength is" in report
    assert "0.9 to 1" in report  # what it sees
    again = answer(*words, str(tmp_path / "two"), "--workers", "2")
    assert again["digest"] == found["digest"]
    assert Path(found["file"]).read_bytes() == Path(again["file"]).read_bytes()
    played = answer("match", f"xcs:{found['file']}", "call", "raise", "--game", "holdem-limit", "--hands", "30")
    assert played["hands"] == 30
    assert read(Path(found["file"])).about["against"] == ["call", "random"]


def test_resumed_equals_uninterrupted(tmp_path: Path) -> None:
    digests = []
    for stops in ((), (1, 2)):
        spec = "xcs:N=200,every=200,deals=2,final_deals=2,condense=300"
        name, values = experiment_values(spec, None, "holdem-limit", ["loki:model=specific"], 700, 4)
        found = check(values, spec)
        folder, settled = prepare(name, found, tmp_path / f"run{len(stops)}")
        for stop in (*stops, 4):
            with Run(folder, settled, lambda settled=settled: HoldemTrainer(settled)) as run:  # type: ignore[misc]
                run.load()
                while run.generation < stop:
                    run.step()
                run.save()
        digests.append(run.chain)
        assert launch.resume(folder)["hands"] == 700
    assert digests[0] == digests[1]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("xcs", "--game", "holdem-limit"), ("--against",)),
        (("xcs", "--game", "holdem-nl", "--against", "call"), ("limit hold'em",)),
        (("xcs", "--game", "holdem-limit", "--against", "nobody"), ("'nobody'",)),
        (("xcs", "--game", "holdem-limit", "--against", "call*10"), ("10 opponents", "1 to 9")),
        (("xcs", "--game", "holdem-limit", "--against", "xcs:none.xcs"), ("none.xcs",)),
        (
            ("xcs:beta=3,see=hs+luck,width_hs=1,coding=x,register_bits=7", "--game", "holdem-limit", "--against", "me"),
            ("beta", "3.0", "luck", "hs", "coding", "register_bits", "7", "'me'"),
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_trained_is_said_before_it_starts(words: tuple[str, ...], parts: tuple[str, ...],
                                                         tmp_path: Path) -> None:  # fmt: skip
    done = call("train", *words, "--out", str(tmp_path / "run"))
    assert done.returncode == 2
    assert all(part in done.stderr for part in parts), done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "run").exists()


def test_the_shipped_rules_are_small_and_beat_caller_and_random() -> None:
    rules = player("xcs:caller-beater")
    assert rules.rule_set.about["against"] == ["call"]  # type: ignore[attr-defined]
    path = Path(__file__).parents[3] / "src" / "cardwin" / "players" / "champions" / "caller-beater.xcs"
    assert path.stat().st_size < 100_000
    game = HoldemExperiment(against=("call",)).rules
    for other, least in (("call", 0.6), ("random", 0.7)):
        won = mean_interval(won_by_deal(game, lambda: player("xcs:caller-beater"), [other], 400, key_of(2)))
        assert won.low > least
