"""Reports of every kind of run at the width of a phone and of a desk: nothing is cut, wide tables scroll."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from cardwin.runs import launch

RUNS: dict[str, Mapping[str, Any]] = {
    "small-game": {
        "first": {"against": ["hall"]},
        "second": {"against": ["hall"]},
        "generations": 20,
        "population": {"size": 20},
    },
    "tournament": {"players": ["call*3", "fold", "random"], "tables": 20, "duplicate": True, "payouts": "70/30"},
    "leaderboard": {"players": ["call", "fold", "raise", "random", "all-in", "call-or-raise"], "hands": 40},
    "training": {"learner": "v2", "against": ["call"], "games": 3, "rounds": 20},
    "xcs-problem": {"problem": "multiplexer-6", "every": 100, "trials": 600},
    "reproduction": {"paper": "morsomme", "experiment": "bluffing", "scale": "seconds"},
}
# What sticks out of the page, but for what lies in a box that scrolls; and boxes of texts, which wrap instead of it.
CUT = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const inside = one.parentElement.closest(".scroll, figure, svg"), place = one.getBoundingClientRect();
  const wide = !inside && (place.right > innerWidth + 1 || place.left < -1);
  const texts = one.matches(".scroll") && one.querySelector(innerWidth < 600 ? ".facts, .cards" : ".facts");
  return wide || (texts && one.scrollWidth > one.clientWidth + 1);
}).map((one) => `${one.tagName} ${one.className} ${one.textContent.slice(0, 60)}`)"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    home = tmp_path_factory.mktemp("reports")
    found = {}
    for kind, values in RUNS.items():
        launch.begin(kind, values, 1, launch.Launch(home / kind))
        found[kind] = home / kind / "report.html"
    return found


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_of_a_report_is_cut(browser: Browser, reports: dict[str, Path], width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 844})
    for kind, path in reports.items():
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == width, kind
        assert page.evaluate(CUT) == [], kind
    page.close()


def test_a_picture_is_shown_whole_and_in_full_size_once_it_is_touched(
    browser: Browser, reports: dict[str, Path]
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(reports["small-game"].as_uri())
    picture = page.locator("figure img").first
    whole = picture.bounding_box()
    assert whole is not None
    assert whole["width"] < 390
    picture.click()
    large = picture.bounding_box()
    assert large is not None
    assert large["width"] == 900
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.close()


def test_the_first_screen_of_a_reproduction_is_a_screen_and_leads_to_its_findings(
    browser: Browser, reports: dict[str, Path]
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    page.goto(reports["reproduction"].as_uri())
    box = page.locator(".columns").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 1000
    link = page.locator(".columns a").first
    row = page.locator((link.get_attribute("href") or "").replace("#", "tr#"))
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = false")
    assert not row.is_visible()
    link.click()
    assert row.is_visible()
    page.close()
