"""What the table offers beside the cards: hints, costs, reasons, the session, the replayer, a new table."""

import re

import pytest
from playwright.sync_api import Page, expect


def sit_down(page: Page, game: str, players: list[str], seed: int = 3) -> None:
    page.goto("/")
    page.wait_for_selector(".tile")
    opened = f"openTable({game!r}, {players!r}, {{seed: {seed}}})"
    page.evaluate(f"""async () => (await import("/static/js/home.js")).{opened}""")
    page.wait_for_selector(".acts button")


def finish_hand(page: Page) -> None:
    """Check or call until the hand is over."""
    for _ in range(40):
        page.wait_for_selector(".acts button")
        if page.locator(".acts button.main").count():
            return
        before = page.locator(".log li").count()
        page.keyboard.press("c")
        page.wait_for_function(
            "before => document.querySelector('.acts button.main') || "
            "document.querySelectorAll('.log li').length !== before", arg=before,
        )  # fmt: skip


def play_hands(page: Page, count: int) -> None:
    """Check or call through so many hands."""
    for hand in range(1, count + 1):
        finish_hand(page)
        expect(page.locator("aside")).to_contain_text(f"in {hand} hand")
        if hand < count:
            page.keyboard.press("n")
            page.wait_for_function("() => !document.querySelector('.acts button.main')")


@pytest.mark.parametrize("page", ["1280-light", "390-dark"], indirect=True)
def test_a_small_game_has_exact_hints_costs_a_graph_and_a_list_that_opens_in_the_replayer(page: Page) -> None:
    sit_down(page, "leduc", ["person", "equilibrium"])
    page.keyboard.press("h")
    expect(page.locator(".hint")).to_contain_text("Against equilibrium")
    expect(page.locator(".hint")).to_contain_text("Exact EV loss in chips")
    play_hands(page, 11)
    expect(page.locator("aside")).to_contain_text("with 1 hint")
    expect(page.locator(".costs")).to_contain_text("What your decisions cost")
    expect(page.locator(".costs")).to_contain_text("Exact, against this opponent.")
    graph = page.locator("svg.winnings")
    expect(graph.locator(".tick")).to_have_text(["0", "11"])
    expect(graph.locator(".band")).to_have_count(1)
    expect(page.locator(".session")).to_contain_text("95% interval")
    drawn = graph.screenshot()
    page.keyboard.press("n")
    page.wait_for_function("() => !document.querySelector('.acts button.main')")
    page.keyboard.press("f" if page.locator(".acts kbd:text-is('f')").count() else "c")
    finish_hand(page)
    expect(graph.locator(".tick")).to_have_text(["0", "12"])
    assert graph.screenshot() != drawn, "the graph goes on"
    page.click("text=Hands played: 12")
    expect(page.locator(".played li")).to_have_count(12)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is cut"
    page.locator("[data-hand='11'] button").click()
    expect(page.locator("h1")).to_have_text("Hands")
    expect(page.locator(".log")).to_contain_text("you")
    page.click("button:text-is('Second round')")
    assert page.locator(".felt .middle .card:not(.slot)").count() == 1, "the board is dealt"
    page.click("button:text-is('First round')")
    assert page.locator(".felt .middle .card:not(.slot)").count() == 0


def test_a_mistake_has_a_bar_and_its_cost(page: Page) -> None:
    sit_down(page, "kuhn", ["person", "equilibrium"])
    for _ in range(20):
        if page.locator(".acts button.main").count():
            if page.locator(".cost i").evaluate_all("bars => bars.some((bar) => bar.offsetWidth > 10)"):
                break
            page.keyboard.press("n")
        else:
            page.locator(".acts button").last.click()  # the boldest action, always
        page.wait_for_timeout(80)
    widths = page.locator(".cost i").evaluate_all("bars => bars.map((bar) => bar.offsetWidth)")
    assert max(widths) > 10
    expect(page.locator(".costs")).to_contain_text(re.compile("−[0-9.]+"))


def test_in_holdem_a_chosen_player_gives_the_hint_and_sentences_tell_why(page: Page) -> None:
    sit_down(page, "holdem-nl", ["person", "call", "standard"])
    page.wait_for_selector("#adviser option", state="attached")
    page.select_option("#adviser", "standard")
    page.click("button:has-text('Hint')")
    expect(page.locator(".hint")).to_contain_text(re.compile("standard would (fold|check|call|bet|raise)"))
    expect(page.locator(".hint")).to_contain_text("This is one player's choice, not the best one.")
    play_hands(page, 1)
    expect(page.locator(".costs")).to_contain_text("no method tells")
    page.get_by_role("button", name=re.compile("why call ")).first.click()
    expect(page.locator(".sentence")).to_have_text(re.compile("^Call (called|checked): it calls every bet, never bets"))
    page.get_by_role("button", name=re.compile("why standard ")).first.click()
    expect(page.locator(".sentence")).to_have_text(re.compile("^Standard .*: .*(chart|price)"))


def test_a_rematch_and_other_seats(page: Page) -> None:
    sit_down(page, "kuhn", ["person", "equilibrium"])
    first = page.url
    page.click("text=Rematch")
    page.wait_for_url(lambda url: url != first and "/table/" in url)
    page.wait_for_selector(".acts button")
    second = page.url
    page.click("text=Swap seats")
    page.wait_for_url(lambda url: url != second and "/table/" in url)
    page.wait_for_selector(".acts button")
    tables = page.evaluate("async () => (await (await fetch('/api/tables')).json()).tables")
    last = next(one for one in tables if one["id"] == page.url.rpartition("/")[2])
    assert last["players"] == ["equilibrium", "person"]
