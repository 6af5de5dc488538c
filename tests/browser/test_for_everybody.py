"""Pages for everybody: no sideways scrolling at phone width, names, contrast, focus order, weight, reduced motion."""

import json

import pytest
from playwright.sync_api import Page

PAGES = ["/", "/runs", "/runs/new/kuhn-coevolution", "/players?game=kuhn&spec=rational",
         "/players?game=holdem-nl&spec=standard", "/hands", "/leaderboard", "/papers", "/api/docs", "table"]  # fmt: skip
VIEWS = ["1280-light", "1280-dark", "390-light", "390-dark"]

# What axe-core would ask of names, contrast and order, with what the browser itself knows.
CHECK = r"""
() => {
  const wrong = [];
  const shown = (e) => { const b = e.getBoundingClientRect(); const s = getComputedStyle(e); return b.width > 1 && b.height > 1 && s.visibility !== "hidden" && s.display !== "none" && !e.closest(".hidden"); };
  const told = (e) => `${e.tagName.toLowerCase()}.${e.className || ""} ${JSON.stringify((e.textContent || "").trim().slice(0, 30))}`;
  const name = (e) => (e.getAttribute("aria-label") || (e.labels && [...e.labels].map((l) => l.textContent).join(" ")) || e.textContent || e.title || "").trim();
  for (const e of document.querySelectorAll("button, a[href], input, select, textarea, [role=img], [role=region], summary")) if (shown(e) && !name(e)) wrong.push(`no name: ${told(e)}`);
  for (const e of document.querySelectorAll("img")) if (!e.hasAttribute("alt")) wrong.push("img without alt");
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) wrong.push(`id ${id} twice`);
  if (document.querySelectorAll("h1").length !== 1) wrong.push(`${document.querySelectorAll("h1").length} h1`);
  let last = 1;
  for (const e of document.querySelectorAll("main h1, main h2, main h3, main h4")) { const n = Number(e.tagName[1]); if (n > last + 1) wrong.push(`heading jumps: ${told(e)}`); last = n; }
  if (!document.documentElement.lang) wrong.push("no language");
  if (!document.querySelector("main") || !document.querySelector("nav[aria-label]")) wrong.push("no landmarks");
  for (const e of document.querySelectorAll("[tabindex]")) if (e.tabIndex > 0) wrong.push(`focus order forced: ${told(e)}`);
  for (const e of document.querySelectorAll("table")) if (!e.querySelector("th") && shown(e)) wrong.push("table without headers");
  const canvas = document.createElement("canvas"); canvas.width = canvas.height = 1;
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => { brush.clearRect(0, 0, 1, 1); brush.fillStyle = colour; brush.fillRect(0, 0, 1, 1); const d = brush.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
  const over = (top, below) => top.slice(0, 3).map((c, i) => c * top[3] + below[i] * (1 - top[3]));
  const ground = (e) => { let layers = []; for (let n = e; n; n = n.parentElement) { const c = rgba(getComputedStyle(n).backgroundColor); if (c[3] > 0) layers.push(c); if (c[3] === 1) break; } let base = [255, 255, 255]; for (const c of layers.reverse()) base = over(c, base); return base; };
  const light = (c) => { const [r, g, b] = c.map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || seen.has(e) || !shown(e) || e.closest("svg, option, .chart, :disabled, noscript, script")) continue;
    seen.add(e);
    let faded = 1; for (let n = e; n; n = n.parentElement) faded *= Number(getComputedStyle(n).opacity);
    const s = getComputedStyle(e), below = ground(e), ink = rgba(s.color); ink[3] *= e.closest(".cards") ? 1 : faded;
    const [a, b] = [light(over(ink, below)), light(below)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05), size = parseFloat(s.fontSize), large = size >= 24 || (size >= 18.66 && Number(s.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5) - 0.01) wrong.push(`contrast ${ratio.toFixed(2)}: ${told(e)}`);
  }
  return wrong;
}
"""


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
