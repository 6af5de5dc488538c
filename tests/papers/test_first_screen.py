"""The first screen: claims in the words of the register, those that matter first, and the runs that could decide."""

from cardwin.core.report_parts import Column
from cardwin.papers import Finding, paper_of, report_parts, verdicts
from cardwin.papers.first_screen import MAX_LINES, first_screen, runs_text
from cardwin.papers.register import Claim, Register

REGISTER = Register((Claim("rank of *", "Figure 7", "Ranks of all."), Claim("asked", "4", "Is it?", "question")))


def found(name: str, *, holds: bool = True, place: str = "1") -> Finding:
    return Finding(place, name, published=1.0, exact=1.0, verdict=verdicts.stated(holds))


def wide(name: str, over: str, needed: int) -> Finding:
    regions = verdicts.within(0.0, 0.1)
    return Finding("2", name, published=0.0, measured=0.0, ci95=(-1.0, 1.0), over=over, needed=needed,
                   verdict=verdicts.judge(regions, (-1.0, 1.0)))  # fmt: skip


def columns(*findings: Finding, matters: tuple[str, ...] = ()) -> dict[str, Column]:
    return {column.title: column for column in first_screen(findings, matters, REGISTER).columns}


def test_findings_of_one_row_are_one_line_on_each_side() -> None:
    shown = columns(found("rank of a"), found("rank of b"), found("rank of c", holds=False), found("other"))
    assert list(shown) == ["Holds: 3", "Does not hold: 1"]
    lines = [(link.text, link.note, link.target) for column in shown.values() for link in column.links]
    assert lines == [
        ("Ranks of all.", "1: 2 of 3 findings", "finding-1"),
        ("other", "1: printed 1, exact 1", "finding-4"),
        ("Ranks of all.", "1: rank of c, printed 1, exact 1", "finding-3"),
    ]


def test_rows_of_the_same_words_are_one_line_with_its_places() -> None:
    rows = Register(tuple(Claim(f"row {n}", str(n), "The same words.") for n in range(4)))
    (holds, _) = first_screen([found(f"row {n}", place=f"{n}.1") for n in range(4)], (), rows).columns
    assert [(link.text, link.note) for link in holds.links] == [
        ("The same words.", "0.1, 1.1 and elsewhere: 4 of 4 findings")
    ]


def test_what_matters_comes_first_and_what_is_left_out_is_counted() -> None:
    shown = columns(*(found(f"claim {n}") for n in range(MAX_LINES + 3)), matters=("claim 7",))
    holds, fails = shown.values()
    assert holds.links[0].text == "claim 7"
    assert len(holds.links) == MAX_LINES
    assert (holds.more, holds.more_target) == ("and 3 more", "All that hold")
    assert fails.more == "none"


def test_what_cannot_be_told_says_how_many_runs_could() -> None:
    rows = [wide("a", "5 seeds", 500), wide("b", "10 tables, one seed", 2), wide("c", "1,000 deals", 100_000)]
    (link, *_) = columns(*rows)["Is open: 3"].links
    assert link.note == "2: printed 0, ours 0 (-1 to 1); cannot tell, that needs 500 seeds"
    assert runs_text(rows) == "What this scale cannot tell needs 500 seeds, 2 runs, 100,000 deals."
    assert runs_text([wide("a", "5 seeds", 59), wide("b", "5 seeds", 40)]).endswith("needs 40 to 59 seeds.")
    assert runs_text([found("a")]) == ""


def test_words_are_not_repeated_beside_a_number() -> None:
    said = Finding("1", "a", published="much better", measured=0.5, ci95=(0.4, 0.6),
                   verdict=verdicts.judge(verdicts.above(0.1), (0.4, 0.6)))  # fmt: skip
    assert columns(said)["Holds: 1"].links[0].note == "1: ours 0.5 (0.4 to 0.6)"


def test_the_report_of_a_paper_lists_what_is_not_judged() -> None:
    *_, left, about = report_parts(paper_of("nicolai"), "seconds", 1, [])
    assert left.title == "Not judged"  # type: ignore[union-attr]
    assert about.title == "About"  # type: ignore[union-attr]
