"""Run a study as a script: its findings on standard output, its report in a folder."""

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

from cardwin.papers import SCALES, Context, finding_line, table_of
from cardwin.papers.register import Claim, Register
from cardwin.papers.sample import Sample, finding_of
from cardwin.reports import html


def main(study: Callable[[Context], Iterable[Sample]], experiment: str = "") -> None:
    """Run a study at the scale, with the seed and into the folder that the command line names.

    Args:
        study: Takes a context and yields samples, which have no verdict.
        experiment: The experiment that the study was a part of: it uses the same random numbers.

    """
    name = study.__name__.replace("_", "-")
    parser = argparse.ArgumentParser(description=study.__doc__)
    parser.add_argument("--scale", choices=SCALES, default="seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("runs") / f"study-{name}")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    context = Context(options.out, options.scale, options.seed, options.workers, experiment or name)
    findings = [finding_of(one, Register((Claim(one.name, one.place),))) for one in study(context)]
    print(*map(finding_line, findings), sep="\n")
    page = options.out / "report.html"
    page.write_text(html.as_html(name, [*context.parts, table_of(findings)]), encoding="utf-8")
    print(f"report: {page}")
