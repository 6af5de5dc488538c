"""Opponents are somebody: names, lines, strengths with intervals, styles as pictures, in order of difficulty."""

import re

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import Served
from cardwin.runs import launch
from support import answer

BARS = "svg => [...svg.querySelectorAll('rect:not(.room)')].map((bar) => bar.getBoundingClientRect().width)"


@pytest.mark.parametrize("page", ["1280-light", "390-dark"], indirect=True)
def test_the_table_form_shows_who_sits_down_and_surprises(page: Page) -> None:
    page.goto("/")
    page.select_option("#game", "holdem-nl")
    page.wait_for_selector(".opponent[data-spec='standard']")
    names = page.locator("#seat-2 option, .opponent-seat option").all_inner_texts()
    assert any(name.startswith("Chen's V1 · ") for name in names)
    ratings = [int(found[1].replace("−", "-").replace(",", "")) for name in names
               if (found := re.search(r"· ([+−]?[\d,]+) mbb/h", name))]  # fmt: skip
    assert len(ratings) > 15
    assert ratings == sorted(ratings), "easiest first"
    seat = page.locator(".opponent-seat")
    seat.locator("select").select_option("all-in")
    card = seat.locator(".opponent")
    expect(card).to_contain_text("bets everything whenever it may")
    expect(card).to_contain_text(re.compile(r"mbb/h \(95%: [−\d,]+ to [−\d,]+\) in holdem-nl"))
    expect(card).to_contain_text(re.compile("a local best response won [0-9,]+ from it"))
    bold = seat.locator("svg.style").evaluate(BARS)
    seat.locator("select").select_option("call")
    expect(card).to_contain_text("calls every bet")
    calm = seat.locator("svg.style").evaluate(BARS)
    assert bold[1] > 20 > calm[1], "it raises far more often before the flop"
    assert bold[2] > calm[2], "and bets far more for each call"
    before = seat.locator("select").input_value()
    page.click("button:text-is('Surprise me')")
    assert seat.locator("select").input_value() != before
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut"
    chosen = seat.locator("select").input_value()
    page.click("button:text-is('Sit down')")
    page.wait_for_selector(".acts button")
    look = page.evaluate("""async () => (await (await fetch('/api/tables')).json()).tables""")
    assert any(one["players"] == ["person", chosen] for one in look)


def test_chips_are_brought_and_a_blueprint_sits_at_its_own_game_only(page: Page) -> None:
    page.goto("/")
    page.select_option("#game", "holdem-nl")
    page.wait_for_selector(".opponent[data-spec='standard']")
    assert "cfr:nl20" not in page.locator(".opponent-seat select").inner_html()
    page.fill("#chips", "20")
    page.locator("#chips").blur()
    page.wait_for_selector(".opponent-seat option[value='cfr:nl20']", state="attached")
    page.locator(".opponent-seat select").select_option("fold")
    page.click("button:text-is('Sit down')")
    page.wait_for_selector(".acts button")
    expect(page.locator(".seat.you")).to_contain_text(re.compile("1,9[05]0|2,0[05]0"))
    expect(page.locator("aside h2").first).to_have_text("holdem-nl:stack=2000")
    page.fill("#bring", "50")
    first = page.url
    page.click("button:text-is('New table')")
    page.wait_for_url(lambda url: url != first)
    page.wait_for_selector(".acts button")
    expect(page.locator(".seat.you")).to_contain_text(re.compile("4,9[05]0|5,0[05]0"))


@pytest.mark.parametrize("page", ["1280-dark", "390-light"], indirect=True)
def test_the_players_page_lists_everybody_and_opens_the_chosen_one(page: Page) -> None:
    page.goto("/players?game=holdem-nl")
    tiles = page.locator(".everybody .tile")
    expect(page.locator(".everybody .tile[data-spec=loki]")).to_be_visible()
    assert tiles.count() > 20
    widths = page.locator(".everybody svg.style").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().width)"
    )
    assert len(widths) > 15
    assert min(widths) > 100
    tiles.filter(has_text="net:large-hof").click()
    expect(page.locator("#who")).to_have_value("net:large-hof")
    expect(page.locator(".opponent-chosen .opponent b").first).to_have_text("Large hall of fame")
    assert "spec=net%3Alarge-hof" in page.url
    expect(page.locator(".grid13 button")).to_have_count(169, timeout=60_000)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut"


def test_policies_of_small_games_have_their_exact_exploitability(page: Page) -> None:
    page.goto("/players?game=kuhn")
    # Champions of runs, which other tests may have made, come after all others.
    last = page.locator(".everybody .tile:not([data-spec^='champion:'])").last
    expect(last).to_contain_text("Equilibrium")
    expect(last).to_contain_text("exploitability 0 chips per hand, exact")
    expect(page.locator(".everybody .tile").first).to_contain_text(re.compile("exploitability [1-9]"))


def test_the_page_and_the_command_say_the_same(page: Page) -> None:
    page.goto("/players?game=holdem-nl&spec=call")
    page.wait_for_selector(".opponent-chosen .opponent")
    shown = page.evaluate("async () => (await fetch('/api/look/opponents?game=holdem-nl')).json()")
    listed = answer("players", "--json")
    own = {one["spec"]: one for one in shown["opponents"]}
    for one in [*listed["champions"], *listed["strengths"]]:
        if one["spec"] in own and one["rating"] and one["rating"]["game"] == "holdem-nl":
            assert own[one["spec"]] == one


def test_the_control_of_a_leaderboard_has_its_interval(page: Page, served: Served) -> None:
    launch.begin(
        "leaderboard", {"players": ["random", "call-or-raise"], "hands": 40}, 1, launch.Launch(served.home / "board")
    )
    page.goto("/leaderboard")
    heads = page.locator("th:has(button)")
    expect(heads.filter(has_text="control: against itself")).to_be_visible()
    place = heads.all_inner_texts().index("control: against itself")
    said = page.locator("tbody tr").first.locator("td").nth(place).inner_text()
    assert re.fullmatch(r"0|[+−][\d,.]+ \(-?[\d,.]+ to -?[\d,.]+\)", said), said
