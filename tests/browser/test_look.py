"""Runs watched live, players looked into, a real hand stepped through."""

import signal
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Served

# Pluribus against five professionals, 2019, as published by its authors.
REAL = """variant = "NT"
ante_trimming_status = true
antes = [0, 0, 0, 0, 0, 0]
blinds_or_straddles = [50, 100, 0, 0, 0, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000, 10000, 10000, 10000]
actions = ["d dh p1 KcQh", "d dh p2 5sKd", "d dh p3 6cKh", "d dh p4 7hQd", "d dh p5 2c9d", "d dh p6 7d7c", "p3 f", \
"p4 f", "p5 f", "p6 cbr 250", "p1 cbr 1050", "p2 f", "p6 f"]
hand = 45
players = ["MrPink", "MrBrown", "Pluribus", "MrBlue", "MrBlonde", "MrWhite"]
finishing_stacks = [10350, 9900, 10000, 10000, 10000, 9750]
"""


# The largest number on the horizontal axis of the first chart, as it is printed there ("1,500" or "1.5k").
LABEL = """() => Math.max(0, ...[...document.querySelector('.chart').querySelectorAll('.xtick text')].map(
  ({ textContent: text }) => Number(text.replace(',', '').replace('k', '')) * (text.endsWith('k') ? 1000 : 1)))"""


def axis(page: Page) -> float:
    """How far the axis of the first chart reaches, by its last label."""
    return float(page.evaluate(LABEL))


def test_a_run_is_started_its_curve_moves_and_it_is_stopped_and_resumed(page: Page) -> None:
    page.goto("/runs")
    page.select_option("#preset", "kuhn-coevolution")
    page.click("text=Set up")
    page.fill("[id='field-generations']", "200000")
    page.fill("[id='field-seed']", "1")
    page.click("text=Start the run")
    expect(page.locator(".chip.running")).to_be_visible()
    page.wait_for_selector(".chart .xtick text")
    page.wait_for_function(f"() => ({LABEL})() >= 50")
    seen, drawn = axis(page), page.locator(".chart").first.screenshot()
    page.wait_for_function(f"before => ({LABEL})() >= 2 * before", arg=seen)
    assert page.locator(".chart").first.screenshot() != drawn
    page.click("button:text-is('Stop')")
    expect(page.locator(".chip.stopped")).to_be_visible()
    reached = page.locator("[role=progressbar]").get_attribute("aria-valuenow")
    page.click("button:text-is('Resume')")
    expect(page.locator(".chip.running")).to_be_visible()
    page.wait_for_function(
        "before => Number(document.querySelector('[role=progressbar]').getAttribute('aria-valuenow')) > before",
        arg=int(reached or 0),
    )
    page.wait_for_selector("text=best response")
    slider = page.get_by_role("slider", name="generation")
    slider.focus()
    page.keyboard.press("Home")
    expect(page.locator("main")).to_contain_text("exploitability")
    page.click("button:text-is('Stop')")
    expect(page.locator(".chip.stopped")).to_be_visible()


def test_a_run_that_ends_while_it_is_watched_shows_its_last_champion_and_its_report(page: Page) -> None:
    page.goto("/runs/new/kuhn-coevolution")
    page.fill("[id='field-generations']", "1500")
    page.fill("[id='field-seed']", "1")
    page.click("text=Start the run")
    expect(page.get_by_role("link", name="Report")).to_be_visible(timeout=60_000)
    assert axis(page) >= 1_000
    shown = page.locator("label:has(input[aria-label=generation]) span.num")
    expect(shown).to_have_text("1,499")
    wrong: list[str] = []
    page.on("response", lambda answer: wrong.append(answer.url) if answer.status >= 400 else None)
    page.reload()
    expect(shown).to_have_text("1,499")
    assert not wrong


def test_every_mistake_is_shown_at_its_field(page: Page) -> None:
    page.goto("/runs/new/kuhn-coevolution")
    page.fill("[id='field-population.size']", "1")
    page.fill("[id='field-game']", "magic")
    page.fill("[id='field-generations']", "many")
    page.click("text=Start the run")
    expect(page.locator("[id='field-population.size-wrong']")).to_contain_text("expected at least 2")
    expect(page.locator("[id='field-generations-wrong']")).to_contain_text("whole number")
    page.fill("[id='field-population.size']", "100")
    page.fill("[id='field-generations']", "10")
    page.click("text=Start the run")
    expect(page.locator("[id='field-game-wrong']")).to_contain_text("magic")


@pytest.mark.slow
def test_the_run_goes_on_when_the_page_dies(page: Page, tmp_path: Path) -> None:
    served = Served(tmp_path)
    page.goto(f"{served.url}/runs/new/kuhn-coevolution")
    page.fill("[id='field-generations']", "300")
    page.click("text=Start the run")
    expect(page.locator(".chip.running, .chip.finished")).to_be_visible()
    page.goto("about:blank")
    served.stop(signal.SIGKILL)
    again = Served(tmp_path)
    try:
        page.goto(f"{again.url}/runs")
        expect(page.locator(".chip.finished")).to_be_visible(timeout=90_000)
    finally:
        again.stop()
        again.end_runs()


def test_a_small_games_policy_is_shown_in_full(page: Page) -> None:
    page.goto("/players?game=kuhn&spec=bluffer")
    page.wait_for_selector("text=Every information set")
    assert page.locator("main tbody tr").count() >= 12
    expect(page.locator("main")).to_contain_text("Exploitability")
    page.select_option("#against", "folder")
    expect(page.locator("main")).to_contain_text("EV loss")


def test_the_grid_follows_a_betting_line_and_explains_a_hand(page: Page) -> None:
    page.goto("/players?game=holdem-nl&spec=standard")
    page.wait_for_selector(".grid13 button")
    assert page.locator(".grid13 button").count() == 169
    page.click("button:has-text('+ raise 200')")
    page.wait_for_selector("text=seat 1 to act")
    page.click("button:has-text('+ call')")
    page.wait_for_selector("text=pick 3 more")
    for card in ("ace of spades", "ten of hearts", "2 of clubs"):
        page.get_by_label(card, exact=True).click()
    page.wait_for_selector(".grid13 button")
    page.locator(".grid13 button").first.click()
    expect(page.locator("aside")).to_contain_text("by its chart")


def test_a_real_hand_is_stepped_through_with_its_odds(page: Page) -> None:
    page.goto("/hands")
    page.fill("#phh", REAL)
    page.click("text=Step through it")
    page.wait_for_selector(".felt")
    expect(page.locator("main")).to_contain_text("Pluribus")
    expect(page.locator("main")).to_contain_text("%")
    page.locator("h1").click()
    page.keyboard.press("End")
    expect(page.locator(".felt")).to_contain_text("10,350")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Home")
    expect(page.locator(".felt")).to_contain_text("10,000")


def test_a_hand_that_breaks_a_rule_is_told_with_its_line(page: Page) -> None:
    page.goto("/hands")
    page.fill("#phh", REAL.replace("p6 cbr 250", "p6 cbr 120"))
    page.click("text=Step through it")
    expect(page.locator("[role=alert]")).to_contain_text("line 7")


def test_a_cell_of_the_atlas_is_opened_explained_and_played(page: Page) -> None:
    page.goto("/atlas")
    cells = page.locator(".atlas button")
    expect(cells.first).to_be_visible()
    name = (cells.nth(5).get_attribute("aria-label") or "").partition(",")[0]
    cells.nth(5).click()
    side = page.locator(".atlas-side")
    expect(side.locator("h3")).to_have_text(name)
    expect(side).to_contain_text("95% interval")
    side.get_by_role("link", name="Open and explain").click()
    expect(page.locator("#who")).to_have_value(f"net:atlas/{name}")
    expect(page.locator(".grid13 button")).to_have_count(169, timeout=60_000)  # kernels may compile
    page.go_back()
    page.locator(".atlas button").nth(5).click()
    page.click("button:text-is('Play it')")
    expect(page.locator(".acts button").first).to_be_visible()
