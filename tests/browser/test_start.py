"""The first start: while kernels compile, a table of hold'em says so with a moving bar, and small games are played."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from browser.conftest import Served, opened_page
from browser.test_table import play_hands, sit_down


@pytest.fixture
def cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    """A server whose kernels are not compiled yet."""
    monkeypatch.setenv("CARDWIN_CACHE", str(tmp_path / "cache"))
    page = Served(tmp_path / "runs")
    yield page
    page.stop(9)


@pytest.mark.slow
@pytest.mark.parametrize("view", ["1280-light", "390-dark"])
def test_a_cold_table_says_how_long_and_kuhn_is_played_meanwhile(browser: Browser, cold: Served, view: str) -> None:
    for page in opened_page(browser, cold, view):
        page.goto("/")
        page.wait_for_selector(".tile")
        page.evaluate("""async () => (await import("/static/js/home.js")).openTable("holdem-nl", ["person", "v1"])""")
        waits(page)
        page.click("button:text-is('Kuhn poker')")
        page.wait_for_selector(".felt.little")
        play_hands(page, 3)
        assert not page.evaluate("async () => (await (await fetch('/api/health')).json()).ready"), "still compiling"


def test_the_words_and_the_bar_while_kernels_compile(page: Page) -> None:
    began = time.monotonic()
    page.route(
        "**/api/health", lambda route: route.fulfill(json={"ready": False, "preparing": time.monotonic() - began})
    )
    page.route_web_socket(re.compile("/socket"), without_deals)
    page.goto("/")
    page.wait_for_selector(".tile")
    page.evaluate("""async () => (await import("/static/js/home.js")).openTable("holdem-nl", ["person", "call"])""")
    waits(page)


def without_deals(socket: WebSocketRoute) -> None:
    """The server, as if it were still busy: a deal waits for ever."""
    server = socket.connect_to_server()
    socket.on_message(lambda text: None if "deal" in str(text) else server.send(text))


def waits(page: Page) -> None:
    """The words, their seconds that go on, and a bar whose pixels change."""
    box = page.locator(".waiting")
    expect(box).to_contain_text("Getting ready:")
    expect(box).to_contain_text("once for this version")
    expect(box).to_contain_text("Small games can be played meanwhile")
    first, drawn = box.inner_text(), box.locator("progress").screenshot()
    page.wait_for_function("before => document.querySelector('.waiting').innerText !== before", arg=first)
    assert box.locator("progress").screenshot() != drawn, "the bar moves"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut"


def test_a_warm_table_does_not_mention_it(page: Page) -> None:
    sit_down(page, "kuhn", ["person", "equilibrium"])
    assert page.locator(".waiting").count() == 0
