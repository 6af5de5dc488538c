"""The line of a run in progress: it never wraps, and says what matters first."""

import sys

import pytest

from cardwin.cli import output
from cardwin.cli.output import ProgressLine
from cardwin.core.trainer import PrimaryMetric
from cardwin.runs.run import Progress


@pytest.mark.parametrize(
    ("value", "shown"), [(56.0, "findings 56"), (0.25, "0.25000"), (0.0, "0.00000"), (1.5, "1.50000")]
)
def test_counts_have_no_decimals(value: float, shown: str, capsys: pytest.CaptureFixture[str]) -> None:
    output.set_quiet(False)
    ProgressLine("experiment")(Progress(17, 17, PrimaryMetric("findings", value), {}, 1.0))
    assert capsys.readouterr().err.rstrip().endswith(shown)


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_the_line_fits_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    output.set_quiet(False)  # whatever command was run before in this process
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    line = ProgressLine("generation")
    line.pause = 0.0
    for generation in range(1, 200):
        metrics = {name: {"best": -0.05} for name in ("first player", "second player")}
        line(Progress(generation, 200, PrimaryMetric("exploitability", 1 / generation), metrics, 1.0))
    shown = capsys.readouterr().err.split("\r\x1b[K")[1:]
    assert len(shown) > 100
    assert all(len(text) < columns for text in shown)
    assert all(text.startswith("generation ") for text in shown)
    assert columns == 40 or all("exploitability" in text for text in shown)
