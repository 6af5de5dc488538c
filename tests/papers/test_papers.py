"""The framework that reproduces papers: experiments in, verdicts and a report out."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cardwin import papers
from cardwin.core.errors import InputError
from cardwin.papers import Context, Finding, Scale, verdicts
from cardwin.papers.evolutions import evolve_all, preset_with
from cardwin.papers.register import Claim, Register
from cardwin.papers.reproduction import fields_of, read_finding
from cardwin.papers.sample import DIFFERENCES, SHARES, Mean, Sample, finding_of, sample, spread
from cardwin.reports import html
from cardwin.runs import launch
from cardwin.runs.problems.small_game import seats
from cardwin.stats.intervals import share_of
from support import call

ROWS = Register((
    Claim("heads", "page 1", "heads", experiment="coin", published=0.5, exact=0.5, rule="within", margin=0.2,
          margin_from="print", over="tosses", reason="it is a fair coin"),
    Claim("edge", "page 2", "edge", experiment="edge", published=0.2, rule="calculated", margin=0.01,
          margin_from="print"),
))  # fmt: skip


def coin(context: Context) -> Iterator[Sample]:
    heads = [context.key("toss", number) % 2 for number in range(context.pick(10, 100, 1000, 10_000))]
    figure = html.figure(3, 2)
    figure.subplots().plot(heads)
    context.picture("tosses", figure, "Every toss <of> a coin.", {"toss": range(len(heads)), "head": heads})
    context.text("A coin & its tosses.")
    yield sample("heads", sum(heads) / len(heads), ci95=(0.4, 0.6))


def edge(context: Context) -> list[Sample]:
    context.table("Edges", ["side", "times"], [["edge | rim", 0]])
    return [sample("edge", exact=0.0)]


@pytest.fixture(autouse=True)
def coins(monkeypatch: pytest.MonkeyPatch) -> None:
    module = SimpleNamespace(
        TITLE="Coins",
        ABOUT="On coins.",
        MATTERS=("heads",),
        EXPERIMENTS={"coin": coin, "edge": edge},
        HEADINGS={"coin": "Of a coin"},
    )
    monkeypatch.setitem(sys.modules, "coins", module)
    monkeypatch.setattr(papers, "rows_of", lambda _: ROWS)
    monkeypatch.setitem(papers.PAPERS, "coins", "coins")


def reproduce(experiment: str | None, scale: Scale, seed: int, folder: Path, paper: str = "coins") -> dict[str, Any]:
    return launch.begin(
        "reproduction", {"paper": paper, "experiment": experiment, "scale": scale}, seed, launch.Launch(folder)
    )


def test_a_report_holds_every_verdict_and_embeds_its_pictures(tmp_path: Path) -> None:
    done = reproduce(None, "seconds", 1, tmp_path / "out")
    assert [row["name"] for row in done["experiments"]] == ["heads", "edge"]
    assert [row["experiment"] for row in done["experiments"]] == ["coin", "edge"]
    page = Path(done["report"]).read_text()
    assert "2 claims judged: 1 hold, 1 do not (miscalculated 1). " in page
    summary, section, _, rest = re.split(r'<h2 id="(?:of-a-coin|edge|all-that-hold)">', page)
    assert '<a href="#finding-1">heads</a>' in summary
    assert '<a href="#finding-2">edge</a>' in summary
    assert "Of a coin</h2><small>1 hold</small>" in page
    assert section.index("<figure>") < section.index('<tr id="finding-1">')
    assert section.count("it is a fair coin") == 1
    assert 'id="all-that-do-not-hold"' in rest
    assert 'id="all-findings"' in rest
    assert page.count('<details class="level2" open>') == 1  # heads matters
    assert "<script>" in page
    assert "data:image/png;base64," in page
    assert "Every toss &lt;of&gt; a coin." in page
    assert "http" not in page
    assert {path.name for path in (tmp_path / "out" / "pictures").iterdir()} == {
        "tosses.png",
        "tosses.svg",
        "tosses.csv",
    }
    assert "| edge \\| rim | 0 |" in (tmp_path / "out" / "report.md").read_text()


def test_the_same_seed_gives_the_same_report_but_for_its_seconds(tmp_path: Path) -> None:
    first, second = (reproduce("coin", "minutes", 5, tmp_path / name) for name in ("a", "b"))
    assert first["experiments"] == second["experiments"]
    assert first["digest"] == second["digest"] != reproduce("coin", "minutes", 6, tmp_path / "c")["digest"]
    for name in ("tosses.png", "tosses.svg", "tosses.csv"):
        assert (tmp_path / "a" / "pictures" / name).read_bytes() == (tmp_path / "b" / "pictures" / name).read_bytes()


def test_one_experiment_can_be_asked_for_and_keys_do_not_depend_on_the_others(tmp_path: Path) -> None:
    alone = reproduce("coin", "seconds", 2, tmp_path / "alone")
    together = reproduce(None, "seconds", 2, tmp_path / "together")
    assert alone["experiments"] == together["experiments"][:1]


def test_a_reproduction_resumes_after_the_experiments_that_are_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = reproduce(None, "seconds", 2, tmp_path / "whole")
    known = papers.paper_of("coins").EXPERIMENTS
    values = {"paper": "coins", "save_seconds": 0}

    def interrupted(_: Context) -> list[Sample]:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setitem(known, "edge", interrupted)
        with pytest.raises(KeyboardInterrupt):
            launch.begin("reproduction", values, 2, launch.Launch(tmp_path / "killed"))
    with monkeypatch.context() as patched:
        patched.setitem(known, "coin", interrupted)
        again = launch.resume(tmp_path / "killed")
    assert (again["experiments"], again["digest"]) == (whole["experiments"], whole["digest"])
    body, other = ((tmp_path / name / "report.md").read_text() for name in ("whole", "killed"))
    assert re.sub(r"seed 2, \d+ s", "", body) == re.sub(r"seed 2, \d+ s", "", other)


def test_a_reproduction_without_its_report_says_how_to_get_it(tmp_path: Path) -> None:
    words = "reproduce", "coins", "coin", "--seed", "1", "--no-report", "--out", str(tmp_path / "out")
    done = call(*words)
    assert done.returncode == 0, done.stderr
    assert "writing the report" not in done.stderr
    assert not (tmp_path / "out" / "report.html").exists()
    assert f"no report yet: cardwin reproduce --resume {tmp_path / 'out'} writes it" in done.stdout
    later = call("reproduce", "--resume", str(tmp_path / "out"))
    assert later.returncode == 0, later.stderr
    assert (tmp_path / "out" / "report.html").is_file()
    assert f"report: {tmp_path / 'out' / 'report.html'}" in later.stdout


def test_no_command_is_told_of_an_option_that_it_has_not(tmp_path: Path) -> None:
    # A leaderboard has no --no-report: the sentence that announces a report is the same for all commands.
    done = call("leaderboard", "call", "fold", "--hands", "20", "--seed", "1", "--out", str(tmp_path / "board"))
    assert done.returncode == 0, done.stderr
    assert "writing the report" in done.stderr
    assert "--no-report" not in done.stderr


def test_mistakes_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\bcoin\b"):
        reproduce("coni", "seconds", 1, tmp_path / "out")
    with pytest.raises(InputError, match="unknown paper"):
        reproduce(None, "seconds", 1, tmp_path / "out", "nobody")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(InputError, match=str(tmp_path)):
        reproduce(None, "seconds", 1, tmp_path / "full")
    with pytest.raises(InputError, match="expected 1 to 1024, got 0"):
        launch.begin("reproduction", {"paper": "coins"}, 1, launch.Launch(tmp_path / "idle", workers=0))
    assert not (tmp_path / "idle").exists()  # nothing to resume is left behind


def test_trials_do_not_depend_on_the_number_of_workers() -> None:
    small = {"population": {"size": 101}, "generations": 4}
    chosen = [preset_with("lopez-kuhn-rational-1", seed, small) for seed in range(3)]
    for one, other in zip(evolve_all(chosen, 1), evolve_all(chosen, 2), strict=True):
        assert (seats(one)[0].arrays["champion"] == seats(other)[0].arrays["champion"]).all()


def test_an_interval_needs_two_runs_and_is_student_s() -> None:
    assert spread([3.0]).ci95 is None
    found = spread([1.0, 2.0, 3.0])
    assert found.mean == 2
    assert found.ci95 == pytest.approx((2 - 2.4841, 2 + 2.4841), abs=1e-3)


def test_an_interval_of_shares_stays_within_0_and_1() -> None:
    assert spread([0.0, 0.2], SHARES).ci95 == (0.0, 1.0)
    low, high = spread([0.9, 0.95, 1.0], SHARES).ci95 or (0.0, 0.0)
    assert low == pytest.approx(0.95 - 0.1242, abs=1e-3)
    assert high == 1
    assert spread([0.5], SHARES).ci95 is None


def judged(measured: Mean, **row: Any) -> tuple[verdicts.Verdict | None, int | None]:
    found = finding_of(sample("a", measured), Register((Claim("a", "1", "A.", **row),)))
    return found.verdict, found.needed


def test_a_mean_or_share_is_judged_with_the_runs_that_could_tell() -> None:
    close = {"rule": "within", "margin": 0.1, "margin_from": "print", "published": 0.0}
    assert judged(spread([0.0, 0.01, 0.02]), **close) == (verdicts.Verdict.AGREES, None)
    verdict, needed = judged(spread([-0.4, 0.0, 0.4]), **close)
    assert verdict == verdicts.Verdict.CANNOT_TELL
    assert needed is not None
    assert needed > 3
    assert judged(spread([0.0]), **close) == (verdicts.Verdict.CANNOT_TELL, 2)
    third = {"rule": "share_above", "margin": 1 / 3, "margin_from": "register", "published": "often"}
    assert judged(share_of(3, 3), **third) == (verdicts.Verdict.CANNOT_TELL, 10)
    assert judged(share_of(12, 12), **third) == (verdicts.Verdict.AGREES, None)


def test_a_sample_becomes_a_finding_by_its_row() -> None:
    rows = Register((
        Claim("lead of *", "1", "A.", rule="above", margin=0.1, margin_from="print", published="more", over="seeds",
              reason="{who} after {last} generations; margin {margin:g}"),
        Claim("count", "2", "B.", rule="calculated", published=3, reason="counted"),
        Claim("grid", "3", "C.", rule="above", published="more", every=0.9, reason="{counted}"),
        Claim("said", "4", "D.", rule="stated", published="best"),
        Claim("load", "5", kind="ours", over="{n:,} games"),
        Claim("example", "6", "E.", kind="self-check", rule="calculated", published=1.0),
    ))  # fmt: skip
    lead = finding_of(sample("lead of a", spread([1.0, 1.1, 1.2]), who="a", last=9), rows)
    assert (lead.place, lead.published, lead.over, lead.verdict) == ("1", "more", "3 seeds", verdicts.Verdict.AGREES)
    assert lead.reason == "a after 9 generations; margin 0.1"
    assert finding_of(sample("lead of b", spread([1.0, 1.1]), judged=None, who="b", last=1), rows).needed is None
    assert finding_of(sample("count", exact=2), rows).verdict == verdicts.Verdict.MISCALCULATED
    grid = finding_of(sample("grid", judged=[(0.1, 0.2)] * 9 + [(-1.0, 1.0)]), rows)
    assert (grid.measured, grid.verdict) == (0.9, verdicts.Verdict.AGREES)
    assert grid.reason == "of 10 settings 9 holds, 1 is open"
    assert finding_of(sample("said", "worst"), rows).verdict == verdicts.Verdict.DIFFERS
    load = finding_of(sample("load", spread([1.0] * 2000)), rows)
    assert (load.verdict, load.over) == (None, "2,000 games")
    assert finding_of(sample("example", exact=1.0), rows).check
    with pytest.raises(KeyError, match="expected 1 row"):
        finding_of(sample("nothing", 1.0), rows)


@pytest.mark.parametrize("needed", [None, 40])
def test_a_finding_is_recorded_and_read_back(needed: int | None) -> None:
    verdict = verdicts.judge(verdicts.within(0.0, 0.1), (-1.0, 1.0))
    finding = Finding("1", "a", published=0.0, measured=0.1, ci95=(-1.0, 1.0), verdict=verdict, needed=needed)
    fields = fields_of(finding)
    assert ("needed" in fields) == (needed is not None)  # so that runs from before this field keep their digests
    assert read_finding(fields) == finding


def test_an_interval_of_a_difference_of_shares_stays_within_minus_1_and_1() -> None:
    """Bluffs beyond the mutation load are such a difference, and its interval exceeded 1."""
    low, high = spread([0.7, 1.0, 1.0], DIFFERENCES).ci95 or (0.0, 0.0)
    assert low == pytest.approx(0.9 - 0.4303, abs=1e-3)
    assert high == 1
    assert spread([-1.0, 0.2], DIFFERENCES).ci95 == (-1.0, 1.0)


def test_zeros_and_tiny_numbers_are_told_apart() -> None:
    assert [html.shown(value) for value in (-1e-16, 1e-5, -0.75, 3.0, None)] == ["0", "1.0e-05", "-0.75", "3", ""]
