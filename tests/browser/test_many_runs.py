"""Many runs, ten of which are running: the list as a person sees it, and what it costs. A thousand of them are slow."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browser.conftest import Served, opened_page
from web.many_runs import held, many_runs


@pytest.fixture(scope="module", params=[120, pytest.param(1_000, marks=pytest.mark.slow)])
def crowded(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Served]:
    home: Path = tmp_path_factory.mktemp("crowded") / "home"
    names = many_runs(home, request.param, unfinished=20)
    with held(home, names[-10:]):
        page = Served(home)
        yield page
        page.stop()


@pytest.fixture
def crowd(browser: Browser, crowded: Served) -> Iterator[Page]:
    yield from opened_page(browser, crowded, "1280-light")


def test_many_runs_are_listed_sorted_and_filtered_a_page_at_a_time(crowd: Page, crowded: Served) -> None:
    total = len(list(crowded.home.iterdir()))
    sent: dict[str, int] = {}
    count = lambda answer: sent.update({answer.url: len(answer.body())})  # noqa: E731
    crowd.on("response", count)
    crowd.goto("/runs?sort=run&order=up")
    rows = crowd.locator("table.runs tbody tr")
    expect(rows).to_have_count(50)
    crowd.remove_listener("response", count)
    own = sum(sent.values())
    assert own < 200_000, sent
    expect(crowd.locator(".queue")).to_have_text("", timeout=240_000)  # all have been read
    expect(crowd.locator("main")).to_contain_text(f"50 of {total:,} shown")
    assert crowd.locator("tr[data-run] a").first.inner_text() == "Run 0000"
    crowd.click("button:text-is('Show more')")
    expect(rows).to_have_count(100)
    assert rows.nth(99).get_attribute("data-run") == "run-0099"
    crowd.select_option("#state", "running")
    expect(rows).to_have_count(10)
    expect(crowd.locator("main")).to_contain_text(f"10 of {total:,} runs")
    expect(crowd.locator(".chip.running")).to_have_count(10)
    crowd.select_option("#state", "stopped")
    expect(rows).to_have_count(10)
    crowd.select_option("#state", "any")
    crowd.fill("#words", "0081")
    expect(rows).to_have_count(1)
    assert rows.first.get_attribute("data-run") == "run-0081"
    crowd.reload()
    expect(rows).to_have_count(1)


def test_a_run_among_many_is_tagged_and_found_by_its_tag(crowd: Page, crowded: Served) -> None:
    crowd.goto("/runs?words=0070")
    row = crowd.locator("tr[data-run=run-0070]")
    row.locator("summary").click()
    row.get_by_role("button", name="Tags").click()
    crowd.fill("#tags", "Good, to show")
    crowd.keyboard.press("Enter")
    expect(row.locator(".tags .chip")).to_have_text(["good", "to show"])
    assert (crowded.home / "run-0070" / "tags.json").read_text(encoding="utf-8") == '["good", "to show"]\n'
    crowd.goto("/runs")
    crowd.select_option("#tag", "to show")
    expect(crowd.locator("table.runs tbody tr")).to_have_count(1)
    assert "tag=to+show" in crowd.url
    row.locator("summary").click()
    row.get_by_role("button", name="Tags").click()
    crowd.fill("#tags", "good")
    crowd.keyboard.press("Enter")
    expect(row).to_have_count(0)
    crowd.goto("/runs?words=0070")
    row.locator(".tags .chip").click()
    expect(crowd.locator("#tag")).to_have_value("good")
    expect(crowd.locator("table.runs tbody tr")).to_have_count(1)
