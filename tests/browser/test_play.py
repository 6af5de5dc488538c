"""Games played to their end in a real browser: by keyboard alone, by mouse, by touch."""

import re

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Served

GAMES = {"kuhn": "Kuhn poker", "leduc": "Leduc hold'em", "no-limit": "No-limit, heads-up"}


def sit_down_by_keyboard(page: Page, title: str) -> None:
    """Tab to the table's tile and press Enter: no mouse."""
    page.goto("/")
    page.wait_for_selector(".tile")
    for _ in range(30):
        page.keyboard.press("Tab")
        if (page.evaluate("document.activeElement.textContent") or "").startswith(title):
            page.keyboard.press("Enter")
            page.wait_for_selector(".felt")
            return
    raise AssertionError(f"no tab leads to {title}")


def hand_number(page: Page) -> int:
    found = re.search(r"Hand (\d+)", page.locator(".acts").inner_text())
    return int(found[1]) if found else 0


def next_hand(page: Page, finished: int) -> None:
    """Ask for the next hand and wait until it is there: begun, or over already."""
    page.keyboard.press("n")
    page.wait_for_function(
        "finished => { const acts = document.querySelector('.acts');"
        " return !acts.querySelector('button.main') || !acts.textContent.includes(`Hand ${finished}:`) }",
        arg=finished, timeout=10000,
    )  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_three_hands_are_played_to_the_end_by_keyboard_alone(page: Page, game: str) -> None:
    sit_down_by_keyboard(page, GAMES[game])
    for hand in (1, 2, 3):
        keys = "r" if hand == 1 else "c"
        for _ in range(40):
            page.wait_for_selector(".acts button")
            if page.locator(".acts button.main").count():
                break
            turn = page.locator(".log li").count()
            page.keyboard.press(keys if page.locator(f".acts kbd:text-is('{keys}')").count() else "c")
            page.wait_for_function(
                "before => document.querySelector('.acts button.main') || "
                "document.querySelectorAll('.log li').length !== before", arg=turn,
            )  # fmt: skip
        assert hand_number(page) == hand
        expect(page.locator("aside")).to_contain_text(f"in {hand} hand")
        if hand < 3:
            next_hand(page, hand)


def test_the_next_hand_may_be_over_before_the_viewer_acts(page: Page) -> None:
    """An opponent that folds on the button ends a hand at once: its result stands there like any other."""
    page.goto("/")
    page.wait_for_selector(".tile")
    page.evaluate(
        """async () => (await import("/static/js/home.js")).openTable("holdem-nl", ["person", "fold"], {seed: 3})"""
    )
    over_at_once = 0
    for hand in (1, 2, 3, 4):
        page.wait_for_selector(".acts button")
        if page.locator(".acts button.main").count():
            over_at_once += 1
        else:
            page.keyboard.press("r")
            page.wait_for_selector(".acts button.main")
        assert hand_number(page) == hand
        if hand < 4:
            next_hand(page, hand)
    assert over_at_once == 2, "fold has the button in every second hand"


def test_arrows_and_digits_set_the_amount(page: Page) -> None:
    sit_down_by_keyboard(page, GAMES["no-limit"])
    page.wait_for_selector("[data-sized]")
    button = page.locator("[data-sized] span")
    least = button.inner_text()
    page.keyboard.press("ArrowUp")
    assert button.inner_text() != least
    page.keyboard.press("ArrowDown")
    assert button.inner_text() == least
    page.keyboard.press("4")
    assert button.inner_text().endswith("10,000")


def test_why_tells_what_an_opponent_thought_and_what_was_given_away(page: Page) -> None:
    sit_down_by_keyboard(page, GAMES["kuhn"])
    for _ in range(5):
        if page.locator(".acts button.main").count():
            break
        page.locator(".acts button").first.click()
        page.wait_for_timeout(200)
    expect(page.locator(".log")).to_contain_text("EV loss")
    page.locator(".log button").first.click()
    expect(page.locator("aside")).to_contain_text("Why equilibrium did that")
    expect(page.locator("aside")).to_contain_text("%")


@pytest.mark.parametrize("page", ["1280-light", "390-light"], indirect=True)
def test_after_a_hand_of_holdem_the_odds_tell_what_a_decision_cost(page: Page) -> None:
    page.goto("/")
    page.wait_for_selector(".tile")
    page.evaluate(
        """async () => (await import("/static/js/home.js")).openTable("holdem-nl", ["person", "all-in"], {seed: 3})"""
    )
    page.wait_for_selector(".acts [data-action=call]")
    page.locator("[data-action=call]").click()
    page.wait_for_selector(".acts [data-action=fold]:first-child:nth-last-child(2)")
    expect(page.locator(".log .how")).to_have_count(0)  # never during the hand
    page.locator("[data-action=fold]").click()
    expect(page.locator(".log .how")).to_contain_text("against any two cards")
    expect(page.locator(".log .how")).to_contain_text("against the cards they held")
    expect(page.locator("aside")).to_contain_text("in 1 decision")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut"


def test_a_closed_tab_comes_back_to_the_same_hand(page: Page) -> None:
    sit_down_by_keyboard(page, GAMES["no-limit"])
    page.wait_for_selector(".acts button")
    before = page.locator(".felt").inner_text()
    page.reload()
    page.wait_for_selector(".felt")
    page.wait_for_selector(".acts button")
    assert page.locator(".felt").inner_text() == before


@pytest.mark.parametrize("page", ["390-light"], indirect=True)
def test_a_hand_is_played_by_touch(page: Page) -> None:
    page.goto("/")
    page.locator(".tile").nth(1).tap()
    for _ in range(12):
        page.wait_for_selector(".acts button")
        if page.locator(".acts button.main").count():
            break
        turn = page.locator(".log li").count()
        page.locator(".acts button").first.tap()
        page.wait_for_function(
            "before => document.querySelector('.acts button.main') || "
            "document.querySelectorAll('.log li').length !== before", arg=turn,
        )  # fmt: skip
    assert hand_number(page) == 1


def test_an_own_table_with_several_seats(page: Page) -> None:
    page.goto("/")
    page.select_option("#game", "holdem-limit")
    for _ in range(4):
        page.click("text=Add a seat")
    page.click("text=Sit down")
    page.wait_for_selector(".felt")
    assert page.locator(".seat").count() == 6


def test_finished_tables_are_there_after_the_page_was_killed(page: Page, served: Served) -> None:
    sit_down_by_keyboard(page, GAMES["kuhn"])
    for _ in range(5):
        if page.locator(".acts button.main").count():
            break
        page.locator(".acts button").first.click()
        page.wait_for_timeout(200)
    table = page.url.rpartition("/")[2]
    from browser.conftest import Served as Another

    second = Another(served.home)
    try:
        kept = page.evaluate("localStorage.getItem('tables')")
        other = page.context.new_page()
        other.goto(second.url)
        other.evaluate("kept => localStorage.setItem('tables', kept)", kept)
        other.goto(f"{second.url}/table/{table}")
        expect(other.locator("main")).to_contain_text("a finished table")
        expect(other.locator("main")).to_contain_text("hand 1")
    finally:
        second.stop()
