"""An evolution watched: the map moves, is paused and wound back; champions, rules and compared curves are seen."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browser.conftest import Served, opened_page
from browser.test_for_everybody import CHECK
from cardwin.runs import launch

VIEWS = ["1280-dark", pytest.param("390-light", marks=pytest.mark.slow)]
NETWORKS = ["population.size=6", "tournaments=2", "generations=3", "network.odds=none", "hall.capacity=4"]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A page with finished runs of several kinds and lengths."""
    home: Path = tmp_path_factory.mktemp("watched")
    for name, changes in (
        ("kuhn", ["generations=60", "population.size=40", "hall.capacity=8"]),
        ("longer", ["generations=150", "population.size=20"]),
    ):
        launch.evolve("kuhn-coevolution", changes, 1, launch.Launch(home / name, report=False))
    rules = {"problem": "multiplexer-6", "every": 100, "trials": 1_000}
    launch.begin("xcs-problem", rules, 1, launch.Launch(home / "rules", report=False))
    launch.evolve("neuro-2pop", NETWORKS, 1, launch.Launch(home / "networks", report=False))
    page = Served(home)
    yield page
    page.stop()
    page.end_runs()


@pytest.fixture
def runs(browser: Browser, watched: Served, request: pytest.FixtureRequest) -> Iterator[Page]:
    yield from opened_page(browser, watched, getattr(request, "param", "1280-light"))


def drawn(picture: Locator) -> str:
    """The pixels of a canvas."""
    return str(picture.evaluate("one => one.toDataURL()"))


def inked(picture: Locator) -> int:
    """How many pixels of a canvas are drawn on."""
    count = """one => { const all = one.getContext('2d').getImageData(0, 0, one.width, one.height).data;
      let seen = 0; for (let place = 3; place < all.length; place += 4) seen += all[place] > 40; return seen; }"""
    return int(picture.evaluate(count))


def wind(page: Page, generation: int) -> None:
    slider = page.get_by_role("slider", name="frame of the map")
    slider.evaluate("(one, to) => { one.value = to; one.dispatchEvent(new Event('input')); }", str(generation))


@pytest.mark.parametrize("runs", VIEWS, indirect=True)
def test_the_map_the_strip_and_the_hall_change_from_generation_to_generation(runs: Page) -> None:
    runs.goto("/runs/kuhn")
    maps = runs.locator(".map canvas")
    expect(maps).to_have_count(2)
    expect(runs.locator(".map p").first).to_contain_text("generation 59: 41 shown")
    expect(runs.locator(".faces").first.locator("canvas")).to_have_count(8)
    last = [drawn(maps.nth(number)) for number in range(2)]
    assert min(inked(maps.nth(number)) for number in range(2)) > 500
    strip = runs.locator("canvas[aria-label^='champions of first']")
    ended = drawn(strip)
    wind(runs, 0)
    expect(runs.locator(".map p").first).to_contain_text("generation 0: 41 shown")
    first = [drawn(maps.nth(number)) for number in range(2)]
    assert first[0] != last[0]
    assert first[1] != last[1]
    assert drawn(strip) != ended
    expect(runs.locator(".faces").first.locator("canvas")).to_have_count(1)
    wind(runs, 1)
    assert drawn(maps.first) != first[0]
    for path in ("/runs/kuhn", "/runs/rules", "/runs/compare?run=kuhn&run=longer&run=rules", "/runs"):
        runs.goto(path)
        runs.wait_for_selector("main [data-ready]")
        runs.wait_for_load_state("networkidle")
        assert runs.evaluate(CHECK) == [], path
        assert runs.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path}: nothing is cut"


def test_the_map_plays_and_is_paused(runs: Page) -> None:
    runs.goto("/runs/longer")
    picture = runs.locator(".map canvas").first
    expect(runs.locator(".map p").first).to_contain_text("generation 149")
    runs.click("button:text-is('Play')")
    runs.wait_for_function("() => { const at = Number(document.querySelector('.map canvas').dataset.frame);"
                           " return at > 2 && at < 100; }")  # fmt: skip
    runs.click("button:text-is('Pause')")
    stopped = drawn(picture)
    runs.wait_for_timeout(600)
    assert drawn(picture) == stopped
    box = runs.locator("canvas[aria-label^='champions of first']").bounding_box()
    assert box is not None
    runs.mouse.click(box["x"] + box["width"] - 2, box["y"] + 10)
    expect(runs.locator(".map p").first).to_contain_text("generation 149")
    assert drawn(picture) != stopped
    expect(runs.locator("main")).to_contain_text("Hall of fame: champions that entered")


def test_the_map_of_a_running_run_goes_on_by_itself(page: Page) -> None:
    page.goto("/runs/new/kuhn-coevolution")
    page.fill("[id='field-generations']", "300000")
    page.fill("[id='field-seed']", "1")
    page.click("text=Start the run")
    picture = page.locator(".map canvas").first
    page.wait_for_function("() => Number(document.querySelector('.map canvas')?.dataset.frame) >= 1")
    seen = drawn(picture)
    frame = int(picture.get_attribute("data-frame") or 0)
    page.wait_for_function("before => Number(document.querySelector('.map canvas').dataset.frame) > before", arg=frame)
    assert drawn(picture) != seen
    page.click("button:text-is('Stop')")
    expect(page.locator(".chip.stopped")).to_be_visible()


def test_a_networks_champion_is_seen_before_the_flop_in_each_generation(runs: Page) -> None:
    runs.goto("/runs/networks")
    grids = runs.locator("canvas.preflop")
    expect(grids).to_have_count(8, timeout=120_000)  # two populations, four situations; kernels may compile
    label = grids.first.get_attribute("aria-label") or ""
    assert label.startswith("red, first to act: fold ")
    assert label.count("%") == 3
    last = [drawn(grids.nth(number)) for number in range(8)]
    slider = runs.get_by_role("slider", name="generation", exact=True)
    slider.evaluate("one => { one.value = '0'; one.dispatchEvent(new Event('input')); }")
    expect(runs.locator("label:has(input[aria-label=generation]) span.num")).to_have_text("0")
    assert [drawn(grids.nth(number)) for number in range(8)] != last
    expect(runs.locator(".map canvas")).to_have_count(2)
    expect(runs.locator("main")).to_contain_text("Its genes are summed up in 16 numbers")


def test_the_rules_of_each_step_are_read(runs: Page) -> None:
    runs.goto("/runs/rules")
    table = runs.locator("table.rules tbody tr")
    expect(table).to_have_count(12)
    expect(runs.locator(".map p")).to_contain_text("step 9: ")
    last = table.all_inner_texts()
    slider = runs.get_by_role("slider", name="generation", exact=True)
    slider.evaluate("one => { one.value = '0'; one.dispatchEvent(new Event('input')); }")
    expect(runs.locator("label:has(input[aria-label=generation]) span.num")).to_have_text("0")
    assert table.all_inner_texts() != last
    assert table.first.inner_text().startswith(("if ", "whatever"))


def test_runs_of_different_lengths_and_metrics_are_compared(runs: Page) -> None:
    runs.goto("/runs/compare?run=kuhn&run=longer&run=rules")
    expect(runs.locator("h1")).to_have_text("3 runs compared")
    charts = runs.locator(".chart")
    expect(charts).to_have_count(2)  # exploitability, and accuracy
    expect(runs.locator("main")).to_contain_text("each metric has its own chart")
    names = charts.first.locator(".legendtext")
    expect(names).to_have_count(2)
    assert names.all_text_contents() == ["generations 60 · population.size 40", "generations 150 · population.size 20"]
    ticks = "one => Math.max(...[...one.querySelectorAll('.xtick text')].map((text) => Number(text.textContent)))"
    charts.first.locator(".xtick text").first.wait_for()
    assert charts.first.evaluate(ticks) >= 100
    runs.locator("figure summary").first.click()
    cells = runs.locator("figure").first.locator("tbody tr").last.locator("td")
    assert cells.nth(0).inner_text() == "149"
    assert cells.nth(1).inner_text() == "–", "the shorter run has ended"
    assert cells.nth(2).inner_text() != "–"
    runs.select_option("#by", "part")
    runs.wait_for_function(f"() => ({ticks})(document.querySelector('.chart')) === 100")
    assert "by=part" in runs.url
    runs.locator("figure summary").first.click()
    cells = runs.locator("figure").first.locator("tbody tr").last.locator("td")
    assert "–" not in cells.all_inner_texts()


@pytest.mark.slow
def test_a_run_waits_starts_when_a_place_is_free_and_is_cancelled(browser: Browser, tmp_path: Path) -> None:
    served = Served(tmp_path, "--at-once", "1")
    try:
        for page in opened_page(browser, served, "390-light"):
            names = []
            for generations in ("1000000", "3", "3"):
                page.goto("/runs/new/kuhn-coevolution")
                page.fill("[id='field-generations']", generations)
                page.click("text=Start the run")
                page.wait_for_url(lambda url: "/new/" not in url)
                names.append(page.url.rpartition("/")[2])
            expect(page.locator(".chip.waiting")).to_be_visible()
            expect(page.locator("main")).to_contain_text("2. in the queue")
            page.click("button:text-is('Cancel waiting')")
            expect(page.locator(".chip.stopped")).to_be_visible()
            page.goto("/runs")
            expect(page.locator(f"tr[data-run='{names[1]}'] .chip")).to_have_text("waiting")
            expect(page.locator(".queue")).to_have_text("1 running, 1 waiting: 1 run at once.")
            page.goto(f"/runs/{names[0]}")
            page.click("button:text-is('Stop')")
            page.goto(f"/runs/{names[1]}")
            expect(page.locator(".chip.finished")).to_be_visible(timeout=120_000)
    finally:
        served.stop()
        served.end_runs()
