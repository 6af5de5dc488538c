"""A real browser and a real server for the tests of the page.

The browser is the one that CARDWIN_BROWSER names, or a Chromium on the path; none is ever downloaded by the tests.
Where there is none, the tests say what they skipped and why; CI runs `make browser` first, which installs one wherever
that can be done.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

expect.set_options(timeout=20_000)  # machines may be busy with other tests
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")


def browser_path() -> str | None:
    given = os.environ.get("CARDWIN_BROWSER")
    return given or next((found for name in NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = browser_path()
    if path is None:
        pytest.skip("no browser: CARDWIN_BROWSER names none, and no Chromium is on the path (make browser says more)")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield launched
        launched.close()


class Served:
    """The page as a process of its own."""

    def __init__(self, home: Path, *options: str) -> None:
        self.home, self.options = home, options
        self.start()

    def start(self) -> None:
        words = [
            sys.executable,
            "-m",
            "cardwin",
            "serve",
            "--port",
            "0",
            "--no-open",
            "--json",
            "--runs",
            str(self.home),
            *self.options,
        ]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        self.url = json.loads(self.process.stdout.readline())["url"].rstrip("/")

    def stop(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def end_runs(self) -> None:
        """Runs outlive the page: end those that a test left."""
        for lock in self.home.glob("*/.lock"):
            number = lock.read_text()
            if number.isdigit():
                try:
                    command = Path(f"/proc/{number}/cmdline").read_bytes()
                except OSError:
                    continue
                if str(self.home).encode() in command:
                    os.kill(int(number), signal.SIGKILL)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    page = Served(tmp_path_factory.mktemp("runs"))
    yield page
    page.stop()
    page.end_runs()


@pytest.fixture(params=["1280-light"])
def page(browser: Browser, served: Served, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page at a width and in a colour scheme, whose errors are the test's."""
    yield from opened_page(browser, served, str(request.param))


def opened_page(browser: Browser, served: Served, view: str) -> Iterator[Page]:
    """A page of a server at a width and in a colour scheme, such as 390-dark; its errors fail the test at the end."""
    width, theme = view.split("-")
    options: dict[str, Any] = {"viewport": {"width": int(width), "height": 844}, "color_scheme": theme}
    context = browser.new_context(**options, base_url=served.url, has_touch=width == "390")
    context.add_init_script("try { localStorage.setItem('speed', '\"2\"'); } catch { /* an empty page has none */ }")
    made = context.new_page()
    wrong: list[str] = []
    made.on("pageerror", lambda error: wrong.append(str(error)))
    refused = "Failed to load resource"  # a 4xx that the page shows in its own words
    made.on(
        "console", lambda said: wrong.append(said.text) if said.type == "error" and refused not in said.text else None
    )
    made.set_default_timeout(60_000)
    yield made
    context.close()
    assert not wrong
