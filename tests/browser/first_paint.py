"""Time to first paint and size of the list of a thousand runs, ten of which are running.

PYTHONPATH=tests python tests/browser/first_paint.py prints for some loads of the page: the first contentful paint and
the first rows in milliseconds, the time and size of the list, all bytes, and the load of the machine. The first loads
find no index; before the others all runs have been read and the server was started again.
"""

import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Response, sync_playwright

from browser.conftest import Served, browser_path
from web.many_runs import held, many_runs

SEEN = """() => new Promise((done) => requestAnimationFrame(() => {
  const list = performance.getEntriesByType("resource").find((one) => one.name.includes("/api/runs"));
  done({ paint: Math.round(performance.getEntriesByName("first-contentful-paint")[0].startTime),
    rows: Math.round(performance.now()), list_ms: Math.round(list.duration), list_bytes: list.decodedBodySize });
}))"""


def load(browser: Browser, served: Served) -> dict[str, Any]:
    """The page of runs, loaded by a browser that has nothing of it."""
    context = browser.new_context(base_url=served.url, viewport={"width": 1280, "height": 844})
    page = context.new_page()
    sent: dict[str, int] = {}

    def count(answer: Response) -> None:
        sent[answer.url] = len(answer.body())

    page.on("response", count)
    page.goto("/runs", wait_until="commit")
    page.wait_for_selector("table.runs tbody tr")
    found: dict[str, Any] = page.evaluate(SEEN)
    page.wait_for_load_state("networkidle")
    page.remove_listener("response", count)
    context.close()
    return found | {"bytes": sum(sent.values()), "load": round(os.getloadavg()[0], 1)}


def states(browser: Browser, served: Served) -> dict[str, int]:
    """How many runs are in each state."""
    context = browser.new_context()
    found: dict[str, int] = context.request.get(f"{served.url}/api/runs?count=50", timeout=120_000).json()["states"]
    context.close()
    return found


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder) / "runs"
        names = many_runs(home, 1_000, unfinished=10)
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        with held(home, names[-10:]):
            served = Served(home)
            for _ in range(2):
                print("without an index", json.dumps(load(browser, served)))
            while states(browser, served).get("unread"):
                time.sleep(1)
            time.sleep(7)  # the index is written at most every five seconds
            states(browser, served)
            time.sleep(2)
            served.stop()
            served.start()
            for _ in range(6):
                print("with an index", json.dumps(load(browser, served)))
            served.stop()
        browser.close()


if __name__ == "__main__":
    main()
