"""Makes the pictures of docs/page again: `python tools/page_pictures.py [NAME ...]`.

Starts the page with an empty folder of runs, plays and looks with a real Chromium (`CARDWIN_BROWSER` or one on the
path), and saves what it shows at 1280 pixels in light colours, on a phone in dark ones.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

FOLDER = Path(__file__).parent.parent / "docs" / "page"
COLOURS = 256
CARDWIN = [sys.executable, "-m", "cardwin"]
MOST_SEEDS = 60


def save(page: Page, name: str, high: int) -> None:
    """Save the upper part of the page as a small file."""
    width = page.viewport_size["width"] if page.viewport_size else 1280
    page.set_viewport_size({"width": width, "height": high})
    page.wait_for_timeout(1500)
    drawn = Image.open(BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE)
    drawn.save(FOLDER / f"{name}.png", optimize=True)


def sit(page: Page, game: str, players: list[str], seed: int) -> None:
    """Open a table."""
    page.goto("/")
    page.wait_for_selector(".tile")
    words = json.dumps([game, players, {"seed": seed}])
    page.evaluate(f"""async () => (await import("/static/js/home.js")).openTable(...{words})""")
    page.wait_for_selector(".acts button")


def call_down(page: Page) -> None:
    """Check or call to the end of the hand."""
    for _ in range(40):
        page.wait_for_selector(".acts button")
        if page.locator(".acts button.main").count():
            return
        before = page.locator(".log li").count()
        page.keyboard.press("c")
        ready = "document.querySelector('.acts button.main') || document.querySelectorAll('.log li').length !== before"
        page.wait_for_function(f"before => {ready}", arg=before)


def table(page: Page) -> None:
    """Take a picture of a hand of six seats in which a decision has a cost."""
    players = ["person", "matrix", "standard", "loki", "call", "random"]
    for seed in range(1, MOST_SEEDS):
        sit(page, "holdem-nl", players, seed)
        call_down(page)
        if page.locator(".log .warn").count():
            break
    page.get_by_role("button", name="why").first.click()
    page.wait_for_selector(".sentence")
    page.evaluate("scrollTo(0, 0)")
    save(page, "table", 900)


def grid(page: Page) -> None:
    """Take a picture of two players beside each other."""
    page.goto("/players?game=holdem-nl&spec=v1&with=net:by-hand")
    page.wait_for_selector(".difference button")
    page.wait_for_selector("td:text-is('bets per call')")
    save(page, "grid", 1500)


def players(page: Page) -> None:
    """Take a picture of all players, the easiest first."""
    page.goto("/players?game=holdem-nl")
    page.wait_for_selector(".everybody svg.style")
    page.wait_for_selector(".grid13 button")
    save(page, "players", 1100)


def run(page: Page) -> None:
    """Take a picture of a finished run."""
    page.goto("/runs/kuhn")
    page.wait_for_selector(".chart .xtick text")
    page.wait_for_selector("text=best response")
    save(page, "run", 1240)


def phone(page: Page) -> None:
    """Take a picture of a hand of Kuhn poker on a phone."""
    sit(page, "kuhn", ["person", "equilibrium"], 3)
    call_down(page)
    save(page, "phone", 1100)


PICTURES: dict[str, tuple[Callable[[Page], None], int, str]] = {
    "table": (table, 1280, "light"),
    "grid": (grid, 1280, "light"),
    "players": (players, 1280, "light"),
    "run": (run, 1280, "light"),
    "phone": (phone, 390, "dark"),
}


def draw(browser: Browser, url: str, names: list[str]) -> None:
    """Make the named pictures, or all."""
    for name in names or PICTURES:
        make, width, theme = PICTURES[name]
        size = {"width": width, "height": 844}
        context = browser.new_context(viewport=size, color_scheme=theme, base_url=url)  # type: ignore[arg-type]
        context.add_init_script("try { localStorage.setItem('speed', '\"2\"'); } catch { /* an empty page */ }")
        page = context.new_page()
        page.set_default_timeout(120_000)
        make(page)
        context.close()


def main(names: list[str]) -> None:
    """Serve an empty folder with one finished run, and look at it."""
    found = os.environ.get("CARDWIN_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        if not names or "run" in names:
            words = ["evolve", "kuhn-coevolution", "--set", "generations=400", "--seed", "1", "--out", f"{home}/kuhn"]
            subprocess.run([*CARDWIN, *words, "--quiet"], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
        words = ["serve", "--port", "0", "--no-open", "--json", "--runs", home]
        server = subprocess.Popen([*CARDWIN, *words], stdout=subprocess.PIPE, text=True)  # noqa: S603
        try:
            url = json.loads(server.stdout.readline())["url"] if server.stdout else ""
            browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
            draw(browser, url.rstrip("/"), names)
            browser.close()
        finally:
            server.terminate()
            with suppress(subprocess.TimeoutExpired):
                server.wait(30)


if __name__ == "__main__":
    main(sys.argv[1:])
