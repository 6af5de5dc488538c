"""The list of runs and the form of a run, as a person sees them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Served, opened_page
from cardwin.runs import launch

TITLE = "Kuhn poker: two populations find the equilibrium"


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A page with three finished runs, two of which have one title."""
    home = tmp_path_factory.mktemp("listed")
    for name, change, seed in (
        ("kuhn-a", "population.size=50", 123456789),
        ("kuhn-b", "population.size=60", 2),
        ("kuhn-c", "title=Another one", 3),
    ):
        launch.evolve("kuhn-coevolution", ["generations=8", change], seed, launch.Launch(home / name, report=False))
    page = Served(home)
    yield page
    page.stop()
    page.end_runs()


@pytest.fixture
def runs(browser: Browser, listed: Served, request: pytest.FixtureRequest) -> Iterator[Page]:
    yield from opened_page(browser, listed, getattr(request, "param", "1280-light"))


def names(page: Page) -> list[str]:
    return [text.split("\n")[0] for text in page.locator("table.runs tbody tr td:nth-child(2)").all_inner_texts()]


def test_five_fields_come_first_with_help_and_drop_downs_and_the_rest_is_folded(page: Page) -> None:
    page.goto("/runs/new/kuhn-coevolution")
    first = page.locator(".fields.first .field")
    expect(first).to_have_count(5)
    assert [one.split("\n")[0] for one in first.all_inner_texts()] == [
        "game", "generations", "population size", "searcher", "seed",
    ]  # fmt: skip
    expect(first.locator(".help:first-of-type").nth(1)).to_have_text("Number of generations.")
    assert "genetic" in page.locator("[id='field-searcher'] option").all_inner_texts()
    assert "leduc" in page.evaluate("[...document.querySelectorAll('datalist option')].map((one) => one.value)")
    folded = page.locator("[id='field-search.crossover']")
    expect(folded).not_to_be_visible()
    page.click("text=further settings")
    expect(folded).to_be_visible()
    assert "weighted-sum" in folded.locator("option").all_inner_texts()
    helps = page.locator("details .field .help:first-of-type").all_inner_texts()
    assert len(helps) > 30
    assert all(text.endswith(".") for text in helps)
    page.get_by_label("add to against").first.select_option("population")
    expect(page.locator("[id='field-first.against']")).to_have_value("hall, population")


@pytest.mark.parametrize("runs", ["1280-light", "390-light"], indirect=True)
def test_runs_of_one_title_are_told_apart_and_seeds_have_no_separators(runs: Page) -> None:
    runs.goto("/runs")
    expect(runs.locator("table.runs tbody tr")).to_have_count(3)
    shown = names(runs)
    assert f"{TITLE} · population.size 50 · seed 123456789" in shown
    assert f"{TITLE} · population.size 60 · seed 2" in shown
    assert "Another one" in shown
    runs.goto("/runs/compare?run=kuhn-a&run=kuhn-b")
    expect(runs.locator("main")).to_contain_text("123456789")
    assert runs.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut"


def test_runs_are_sorted_and_filtered_and_the_address_opens_the_same_list(runs: Page) -> None:
    runs.goto("/runs")
    expect(runs.locator("table.runs tbody tr")).to_have_count(3)
    titles = runs.locator("table.runs tbody tr td:nth-child(2) > a")
    runs.click("table.runs th button:has-text('run')")
    expect(titles.first).to_have_text("Another one")
    runs.click("table.runs th button:has-text('run')")
    expect(titles.last).to_have_text("Another one")
    runs.fill("#words", "size 60")
    expect(runs.locator("table.runs tbody tr")).to_have_count(1)
    expect(runs.locator("main")).to_contain_text("1 of 3 runs")
    runs.reload()
    expect(runs.locator("table.runs tbody tr")).to_have_count(1)
    assert names(runs) == [f"{TITLE} · population.size 60 · seed 2"]
    assert runs.locator("th[aria-sort=descending]").inner_text().startswith("run")


def test_a_run_is_renamed_moved_to_the_bin_and_restored(runs: Page, listed: Served) -> None:
    runs.goto("/runs")
    row = runs.locator("tr[data-run=kuhn-c]")
    row.locator("summary").click()
    row.get_by_role("button", name="Rename").click()
    runs.fill("#title", "A better name")
    runs.keyboard.press("Enter")
    expect(row.locator("a").first).to_have_text("A better name")
    row.locator("summary").click()
    row.get_by_role("button", name="Move to the bin").click()
    expect(row).to_have_count(0)
    assert (listed.home / ".bin" / "kuhn-c" / "run.db").is_file()
    runs.click("text=Bin: 1 run")
    runs.click("button:text-is('Restore')")
    expect(row.locator("a").first).to_have_text("A better name")
    assert (listed.home / "kuhn-c" / "run.db").is_file()


def test_a_run_is_repeated_with_changes_and_shows_the_time_left(runs: Page, listed: Served) -> None:
    runs.goto("/runs/kuhn-a")
    runs.get_by_role("link", name="Repeat with changes").click()
    expect(runs.locator("h1")).to_have_text(f"Repeat: {TITLE}")
    expect(runs.locator("[id='field-population.size']")).to_have_value("50")
    expect(runs.locator("[id='field-seed']")).to_have_value("")
    runs.fill("[id='field-generations']", "1000000")
    runs.click("text=Start the run")
    expect(runs.locator(".left")).to_have_text(re.compile(r"about .* (min|h|days) left"), timeout=60_000)
    name = runs.url.rpartition("/")[2]
    assert name.startswith("kuhn-a-")
    runs.goto("/runs")
    expect(runs.locator(f"tr[data-run='{name}'] .left")).to_have_text(re.compile(r"about .* left"), timeout=60_000)
    row = runs.locator(f"tr[data-run='{name}']")
    row.locator("summary").click()
    expect(row.get_by_role("button", name="Move to the bin")).to_be_disabled()
    runs.goto(f"/runs/{name}")
    runs.click("button:text-is('Stop')")
    expect(runs.locator(".chip.stopped")).to_be_visible()
    assert "size = 50" in (Path(listed.home) / name / "experiment.toml").read_text(encoding="utf-8")
