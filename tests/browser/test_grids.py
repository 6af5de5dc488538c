"""Grids that are right: exact chances, or samples with intervals and more of them; two players, pictures and tables."""

import csv
import io
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

RED = "() => document.querySelector(\"[data-hand='AA'] .raise\").getBoundingClientRect().width"


def first_grid(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator(".grid13").first.locator("button")).to_have_count(169, timeout=60_000)


def test_a_network_is_shown_exactly(page: Page) -> None:
    first_grid(page, "/players?game=holdem-nl&spec=net:by-hand")
    expect(page.locator(".method")).to_have_text("exact chances")
    assert page.evaluate(RED) > 20, "aces raise: the cell is red"
    label = page.locator("[data-hand='72o']").get_attribute("aria-label") or ""
    assert label == "72o: fold 100%, call 0%, raise 0%, reach 100%"
    expect(page.locator("button:text-is('More samples')")).to_be_hidden()


def test_samples_are_counted_more_make_intervals_narrower_and_the_address_keeps_them(page: Page) -> None:
    first_grid(page, "/players?game=holdem-nl&spec=v1&samples=8")
    expect(page.locator(".method")).to_have_text("from 8 samples of each hand, with 95% intervals")
    page.click("summary:text-is('Numbers')")
    row = page.locator("tr:has(td:text-is('AKs'))")
    few = row.inner_text()
    assert "to" in few
    cell = page.locator("[data-hand='AKs']")
    label = cell.get_attribute("aria-label") or ""
    assert "8 samples" in label
    page.reload()
    expect(cell).to_have_attribute("aria-label", label)
    assert parse_qs(urlparse(page.url).query)["samples"] == ["8"]
    page.click("button:text-is('More samples')")
    expect(page.locator(".method")).to_have_text("from 32 samples of each hand, with 95% intervals")
    assert "samples" not in parse_qs(urlparse(page.url).query), "the usual number"
    wide, narrow = (width(text) for text in (label, cell.get_attribute("aria-label") or ""))
    assert narrow < wide


def width(label: str) -> int:
    """Of the interval of raises in a cell's label."""
    low, high = label.partition("raise")[2].partition("(")[2].partition(")")[0].split(" to ")
    return int(high.rstrip("%")) - int(low.rstrip("%"))


@pytest.mark.parametrize("page", ["1280-light", "390-dark"], indirect=True)
def test_two_players_stand_beside_each_other_with_their_difference(page: Page) -> None:
    first_grid(page, "/players?game=holdem-limit&spec=call&seats=3&line=fold,call")
    page.select_option("#with", "standard")
    expect(page.locator(".grid13")).to_have_count(3)
    expect(page.locator(".grids")).to_contain_text("they act differently")
    query = parse_qs(urlparse(page.url).query)
    assert query["with"] == ["standard"]
    assert query["line"] == ["fold,call"]
    assert query["seats"] == ["3"]
    first, second, apart = (page.locator(".grid13").nth(place) for place in range(3))
    assert "call 100%" in (first.locator("[data-hand='AA']").get_attribute("aria-label") or "")
    assert "raise 100%" in (second.locator("[data-hand='AA']").get_attribute("aria-label") or "")
    assert "they differ 100%" in (apart.locator("[data-hand='AA']").get_attribute("aria-label") or "")
    filled = "cell => cell.querySelector('.fill').getBoundingClientRect().height / cell.getBoundingClientRect().height"
    assert apart.locator("[data-hand='AA']").evaluate(filled) > 0.9
    same = next(
        one for one in apart.locator("button").all() if "they differ 0%" in (one.get_attribute("aria-label") or "")
    )
    assert same.evaluate(filled) < 0.1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut"
    page.reload()
    expect(page.locator(".grid13")).to_have_count(3, timeout=60_000)


def test_a_grid_is_saved_as_a_table_and_as_a_picture(page: Page, tmp_path: Path) -> None:
    first_grid(page, "/players?game=holdem-nl&spec=net:by-hand&with=matrix&samples=8")
    expect(page.locator(".grid13")).to_have_count(3, timeout=60_000)
    with page.expect_download() as saved:
        page.click("button:text-is('Save CSV')")
    rows = list(csv.DictReader(io.StringIO(Path(saved.value.path()).read_text())))
    assert len(rows) == 2 * 169
    exact = next(row for row in rows if row["hand"] == "AA" and row["player"] == "net:by-hand")
    assert float(exact["fold"]) + float(exact["call"]) + float(exact["raise"]) == pytest.approx(1)
    assert exact["raise_low"] == exact["samples"] == ""
    sampled = next(row for row in rows if row["hand"] == "AA" and row["player"] == "matrix")
    assert float(sampled["raise_low"]) <= float(sampled["raise"]) <= float(sampled["raise_high"])
    assert sampled["samples"] == "8"
    with page.expect_download() as drawn:
        page.click("button:text-is('Save PNG')")
    drawn.value.save_as(tmp_path / "grid.png")
    picture = Image.open(tmp_path / "grid.png").convert("RGB")
    assert picture.size == (2 * (3 * 13 * 44 + 4 * 24), 2 * (13 * 44 + 46 + 48 + 16))
    aces, worst = picture.getpixel((2 * 30, 2 * 52)), picture.getpixel((2 * (24 + 8), 2 * (46 + 12 * 44 + 4)))
    assert aces == (194, 86, 45), "red: aces raise"
    assert worst != aces
