"""Pages for everybody: no sideways scrolling at phone width, names, contrast, focus order, weight, reduced motion."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page

PAGES = [
    "/", "/runs", "/runs/new/kuhn-coevolution", "/players?game=kuhn&spec=rational",
    "/players?game=holdem-nl&spec=standard", "/atlas", "/hands", "/leaderboard", "/papers", "/api/docs", "table",
]  # fmt: skip
# Both widths and both colours; the other two pairs of them in `make test-all`.
VIEWS = [
    "1280-light",
    "390-dark",
    pytest.param("1280-dark", marks=pytest.mark.slow),
    pytest.param("390-light", marks=pytest.mark.slow),
]

CHECK = (Path(__file__).parent / "accessible.js").read_text(encoding="utf-8").partition("\n")[2]


def open_page(page: Page, path: str) -> None:
    if path == "table":
        page.goto("/")
        page.locator(".tile").nth(3).click()
        page.wait_for_selector(".acts button")
        return
    page.goto(path)
    page.wait_for_selector("main [data-ready]")
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize("page", VIEWS, indirect=True)
def test_names_contrast_order_and_width(page: Page) -> None:
    wrong = []
    for path in PAGES:
        open_page(page, path)
        wrong += [f"{path}: {one}" for one in page.evaluate(CHECK)]
        if (wide := page.evaluate("document.documentElement.scrollWidth - innerWidth")) > 0:
            wrong.append(f"{path}: {wide} pixels too wide")
    assert not wrong, "\n".join(wrong)


def test_the_focus_goes_through_a_page_in_the_order_of_its_text_and_is_seen(page: Page) -> None:
    open_page(page, "/")
    places = []
    for _ in range(25):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "() => { const e = document.activeElement, s = getComputedStyle(e);"
            " const all = [...document.querySelectorAll('*')];"
            " return [all.indexOf(e), s.outlineStyle !== 'none' || s.boxShadow !== 'none', e === document.body]; }"
        )
        if found[2]:
            break  # beyond the page's end
        places.append(found[0])
        assert found[1], "the focus is not seen"
    assert len(places) > 12
    assert places == sorted(places)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_weighs_less_than_300_kb_without_the_charts_script(page: Page, path: str) -> None:
    loaded: dict[str, int] = {}
    page.on("response", lambda answer: loaded.update({answer.url: len(answer.body()) if answer.ok else 0}))
    open_page(page, path)
    own = {url: size for url, size in loaded.items() if "plotly" not in url}
    assert sum(own.values()) < 300_000, json.dumps(own)
    assert not any("plotly" in url for url in loaded), "no chart is on this page"
    assert all(url.startswith(page.evaluate("location.origin")) for url in loaded), "something came from elsewhere"


def test_nothing_moves_where_that_is_not_wanted(page: Page) -> None:
    page.emulate_media(reduced_motion="reduce")
    open_page(page, "/runs")
    moving = page.evaluate(
        "() => [...document.querySelectorAll('*')].filter((e) => { const s = getComputedStyle(e);"
        " return s.transitionDuration !== '0s' || s.animationName !== 'none'; }).length"
    )
    assert moving == 0
