"""A finished hand is taken back and tried again, as analysis that does not count."""

import re

import pytest
from playwright.sync_api import Page, expect

from browser.test_table import finish_hand, play_hands, sit_down


@pytest.mark.parametrize(
    ("page", "game", "players"),
    [("1280-light", "leduc", ["person", "uniform"]), ("390-dark", "holdem-nl", ["person", "call"])],
    indirect=["page"],
)
def test_a_hand_is_taken_back_as_analysis_and_the_winnings_stay(page: Page, game: str, players: list[str]) -> None:
    sit_down(page, game, players)
    play_hands(page, 2)
    score = page.locator("aside p").first.inner_text()
    held = page.locator(".seat.you .cards").inner_html()
    page.keyboard.press("t")
    expect(page.locator(".analysis")).to_contain_text("Analysis of hand 2")
    expect(page.locator(".analysis")).to_contain_text("does not count")
    assert page.locator(".seat.you .cards").inner_html() == held, "the same cards"
    assert page.locator(".acts button.main").count() == 0, "it is my turn again"
    assert page.locator(".seat:not(.you) .card.back").count() > 0, "the other's cards are hidden again"
    finish_hand(page)
    expect(page.locator(".acts")).to_contain_text("Analysis: you")
    expect(page.locator(".acts")).to_contain_text("as you played it")
    page.click("button:text-is('Try again')")
    page.wait_for_function("() => !document.querySelector('.acts button.main')")
    page.locator(".acts button").last.click() if game == "leduc" else page.keyboard.press("r")
    finish_hand(page)
    expect(page.locator(".acts")).to_contain_text("Analysis: you")
    assert page.locator("aside p").first.inner_text() == score, "nothing of it counts"
    page.keyboard.press("n")
    expect(page.locator(".analysis")).to_have_count(0)
    expect(page.locator(".acts")).to_contain_text("Hand 2: you")
    assert page.locator("aside p").first.inner_text() == score
    page.get_by_role("button", name=re.compile("^try again instead of")).first.click()
    expect(page.locator(".analysis")).to_be_visible()
    page.get_by_role("button", name="Back to the table").first.click()
    expect(page.locator(".analysis")).to_have_count(0)
    page.keyboard.press("n")
    page.wait_for_function("() => !document.querySelector('.acts button.main')")
    finish_hand(page)
    expect(page.locator("aside")).to_contain_text("in 3 hands")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut"


def test_a_hand_that_is_not_over_is_not_taken_back(page: Page) -> None:
    sit_down(page, "kuhn", ["person", "equilibrium"])
    if not page.locator(".acts button.main").count():
        page.keyboard.press("t")
        expect(page.locator("[role=alert]").first).to_have_text("A hand is taken back when it is over, as analysis.")
