"""Addresses that open a view again, hands as links, and a file of HTML that replays hands without a server."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from browser.conftest import Served, opened_page
from browser.test_look import REAL
from support import answer

SPOT = "/players?game=holdem-nl&spec=standard&against=call&seats=3&line=raise+200%2Ccall%2Ccall&board=AsTh2c&hand=AKs"


def test_a_grid_opens_again_at_its_betting_line_board_and_hand(page: Page) -> None:
    page.goto("/players?game=holdem-nl&spec=standard")
    page.wait_for_selector(".grid13 button")
    page.select_option("#seats", "3")
    page.click("button:has-text('+ raise 200')")
    page.wait_for_url(re.compile("line=raise"))
    page.goto(SPOT)
    expect(page.locator(".grid13 button")).to_have_count(169)
    expect(page.locator("main")).to_contain_text("flop, seat 1 to act, pot 600")
    expect(page.locator(".grid13 [aria-pressed=true]")).to_contain_text("AKs")
    expect(page.locator("aside")).to_contain_text("One hand")
    assert page.locator("#seats").input_value() == "3"
    page.select_option("#who", "call")
    expect(page.locator("main")).to_contain_text("flop, seat 1 to act, pot 600")
    assert "board=AsTh2c" in page.url


def test_a_cell_of_the_atlas_has_an_address(page: Page) -> None:
    page.goto("/atlas")
    cell = page.locator(".atlas button").nth(5)
    name = cell.get_attribute("data-cell") or ""
    cell.click()
    page.goto(page.url)
    expect(page.locator(".atlas-side h3")).to_have_text(name)


def test_a_hand_is_a_link_that_another_page_opens_at_the_same_step(
    page: Page, browser: Browser, served: Served
) -> None:
    page.goto("/hands")
    page.fill("#phh", REAL)
    page.click("text=Step through it")
    page.wait_for_selector(".felt")
    page.click("button[aria-label='go to the end']")
    page.wait_for_url(re.compile(r"/hands#phh=[\w-]+&at=\d+$"))
    link, sent = page.url, []
    for other in opened_page(browser, served, "390-dark"):
        other.on("request", lambda asked: sent.append(asked.url))
        other.goto(link)
        expect(other.locator(".felt")).to_contain_text("10,350")
        expect(other.locator("main")).to_contain_text("Pluribus")
        assert other.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut"
        assert not any("phh=" in url for url in sent), "a fragment is not sent"


def test_a_damaged_link_is_told(page: Page) -> None:
    for fragment in ("phh=AAAA", "hand=%%%", "hand=q1YqyEgtSlWyUlBKSy1KzSvOLKkEAA"):
        page.goto("about:blank")
        page.goto(f"/hands#{fragment}")
        expect(page.locator("[role=alert]")).to_contain_text("The link is damaged")


def test_a_session_is_saved_and_read_again(page: Page, tmp_path: Path) -> None:
    from browser.test_table import play_hands, sit_down

    sit_down(page, "holdem-nl", ["person", "call"])
    play_hands(page, 2)
    with page.expect_download() as download:
        page.click("text=Save session (PHHS)")
    download.value.save_as(tmp_path / "session.phhs")
    page.goto("/hands")
    page.set_input_files("#file", tmp_path / "session.phhs")
    expect(page.locator("#which option")).to_have_text(["hand 1", "hand 2"])
    expect(page.locator(".felt")).to_contain_text("you")


def test_one_file_of_html_replays_a_match_without_a_server(browser: Browser, tmp_path: Path) -> None:
    played, out = tmp_path / "match.phhs", tmp_path / "match.html"
    answer("match", "call", "raise", "--game", "holdem-nl", "--hands", "6", "--seed", "1", "--phh", str(played))
    told = answer("replay", str(played), "--html", str(out))
    assert told["html"] == {"file": str(out), "hands": 6, "of": 6}
    context = browser.new_context(viewport={"width": 390, "height": 844}, offline=True)
    page = context.new_page()
    wrong: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(out.as_uri())
    expect(page.locator("h1")).to_have_text("match.phhs")
    expect(page.locator("#which option")).to_have_count(6)
    expect(page.locator("svg.winnings .tick")).to_have_text(["0", "6"])
    page.select_option("#which", "3")
    page.click("button:text-is('River')")
    assert page.locator(".felt .middle .card:not(.slot)").count() == 5
    shown = page.locator(".felt").inner_text()
    page.reload()
    assert page.locator(".felt").inner_text() == shown, "the address keeps hand and step"
    page.keyboard.press("End")
    expect(page.locator(".felt")).to_contain_text("won")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut"
    context.close()
    assert not wrong
    assert {url.partition("#")[0] for url in asked} == {out.as_uri()}, "nothing is fetched"
