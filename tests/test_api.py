"""What `import cardwin` offers: the words of the command line, with names or objects, and results that print well."""

from fractions import Fraction
from inspect import isfunction
from pathlib import Path

import pytest

import cardwin
from cardwin.core.display import JsonResult, format_value
from cardwin.core.errors import InputError
from cardwin.core.rng import Stream
from cardwin.games.base import CALL, CHECK, NOBODY, Action
from cardwin.games.holdem import HoldemGame, HoldemState, HoldemView


class Caller:
    """A player of somebody's own, which counts its hands."""

    def __init__(self) -> None:
        self.asked = 0

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        self.asked += 1
        return CALL if view.to_call else CHECK


# --- one door ------------------------------------------------------------------------------------------------------


def test_everything_public_is_exported_and_on_the_page() -> None:
    public = {name for name, found in vars(cardwin).items() if isfunction(found) and not name.startswith("_")}
    assert set(cardwin.__all__) == public
    page = (Path(__file__).parent.parent / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    assert [name for name in public if f"cardwin.{name}" not in page] == []


def test_one_door_opens_every_game() -> None:
    assert cardwin.game("kuhn").name == "kuhn"
    holdem = cardwin.game("holdem-nl:stack=2000")
    assert isinstance(holdem, HoldemGame)
    assert (holdem.name, holdem.stack) == ("holdem-nl:stack=2000", 2000)
    with pytest.raises(InputError, match=r"\bholdem-nl\b"):
        cardwin.game("holdem-ln")


def test_exact_answers_need_a_small_game() -> None:
    for ask in (cardwin.solve, lambda name: cardwin.policy(name, "uniform")):
        with pytest.raises(InputError, match="holdem-nl"):
            ask("holdem-nl")


def test_games_by_name_or_as_they_are() -> None:
    kuhn = cardwin.game("kuhn")
    assert cardwin.solve("kuhn").fraction == cardwin.solve(kuhn).fraction == "-1/18"
    assert cardwin.best_response("kuhn", "rational", seat=2).value == Fraction(1, 6)
    assert cardwin.value("kuhn", "safe", cardwin.policy("kuhn", "bluffer")) == cardwin.value(kuhn, "safe", "bluffer")
    assert cardwin.exploitability("kuhn", "uniform").exploitability == pytest.approx(11 / 24)


# --- a hand by oneself ---------------------------------------------------------------------------------------------


def test_a_hand_dealt_by_a_seed_is_the_one_of_the_match() -> None:
    won = cardwin.match(["call", "raise"], hands=5, seed=7).record.chips.tolist()
    for number in range(1, 6):
        state = cardwin.deal("holdem-nl", players=2, seed=7, hand=number)
        while state.actor != NOBODY:
            actions = state.legal_actions()
            state = state.apply(actions[-1] if state.actor == 1 else _calls(actions))
        assert list(state.returns()) == won[number - 1]


def _calls(actions: tuple[Action, ...]) -> Action:
    return next(action for action in actions if action.name in ("call", "check"))


def test_deals_by_seed() -> None:
    one = cardwin.deal("holdem-nl", players=3, seed=7)
    assert one == cardwin.deal(cardwin.game("holdem-nl"), players=3, seed=7)
    assert one != cardwin.deal("holdem-nl", players=3, seed=8)
    assert isinstance(one, HoldemState)
    changed = cardwin.deal("holdem-nl", players=2, seed=7, stacks=[300, 500], button=1)
    assert isinstance(changed, HoldemState)
    assert (changed.stacks, changed.table.button) == ((200, 450), 1)
    assert cardwin.deal("kuhn", seed=1) == cardwin.deal("kuhn", seed=1)
    assert len({str(cardwin.deal("leduc", seed=seed)) for seed in range(40)}) > 10
    for players, hand in ((1, 1), (11, 1), (2, 0)):
        with pytest.raises(InputError, match=r"2 to 10|from 1"):
            cardwin.deal("holdem-nl", players, seed=1, hand=hand)


# --- matches -------------------------------------------------------------------------------------------------------


def test_a_match_returns_its_means_and_intervals() -> None:
    result = cardwin.match(["call", "random"], hands=2000, seed=1)
    assert result.players == ("call", "random")
    assert result.hands == len(result.record.chips) == 2000
    assert result.mean[0] == pytest.approx(-result.mean[1])
    assert result.mean[0] == pytest.approx(result.record.chips[:, 0].mean() * 10)  # mbb: thousandths of 100 chips
    assert 0 < result.ci95[0] < 2000
    assert result.digest == cardwin.match(["call", "random"], "holdem-nl", 2000, 1).digest
    lines = repr(result).splitlines()
    assert all(word in lines[0] for word in ("2,000", "holdem-nl", "seed 1", "95%"))
    assert lines[1].split()[0] == "call"
    assert lines[1].endswith("mbb/h")
    assert "<td>random</td>" in result._repr_html_()


def test_a_match_without_a_seed_has_secret_cards() -> None:
    results = [cardwin.match(["call", "random"], hands=50) for _ in range(2)]
    assert [result.seed for result in results] == [None, None]
    assert results[0].digest != results[1].digest
    assert "secret cards" in repr(results[0])


def test_classes_and_objects_play_like_names() -> None:
    class Local(Caller):
        """Not to be found under its name."""

    mine = Caller()
    expected = cardwin.match(["call", "random"], hands=100, seed=3).record.chips.tolist()
    for given in (mine, Caller, Local, Local()):
        result = cardwin.match([given, "random"], hands=100, seed=3)
        assert result.record.chips.tolist() == expected
        assert result.faults == ()
        assert result.players[0].endswith(("Caller", "Local"))
    assert mine.asked == 0  # a copy played
    assert cardwin.match([mine, "random"], hands=100, seed=3, duplicate=True).hands == 100
    # A class that other processes could not find plays here, whatever the workers.
    assert cardwin.match([Local, "random"], hands=100, seed=3, workers=2).record.chips.tolist() == expected
    with pytest.raises(InputError, match="player"):
        cardwin.match([object(), "random"])  # type: ignore[list-item]


def test_matches_are_of_holdem() -> None:
    with pytest.raises(InputError, match="kuhn"):
        cardwin.match(["call", "random"], game="kuhn")


# --- cards ---------------------------------------------------------------------------------------------------------


def test_ranks_and_equities() -> None:
    ranked = cardwin.rank("AhKhQhJhTh2c3d")
    assert (ranked.category, ranked.value) == ("straight flush", 1)
    assert repr(ranked).startswith("HandRank(hand=AhKhQhJhTh2c3d, category=straight flush")
    with pytest.raises(InputError, match="expected 5 to 7 cards, got 3"):
        cardwin.rank("AhKhQh")
    flop = cardwin.equity("AhKh", "QhJh2c")
    assert flop.error == 0
    assert cardwin.equity("AhKh", "QhJh2c", against="QQ+").equity < flop.equity
    assert cardwin.equity("AhKh", "QhJh2c", against=["QQ"]) == cardwin.equity("AhKh", "QhJh2c", against="QQ")


# --- printing ------------------------------------------------------------------------------------------------------


def test_results_print_briefly_and_as_tables() -> None:
    solution = cardwin.solve("leduc")
    response = cardwin.best_response("leduc", "uniform", seat=1)
    found = cardwin.exploitability("leduc", "uniform")
    for result in (solution, response, found, solution.policy, solution.policy.tree, cardwin.equity("AhKh", "QhJh2c")):
        assert len(repr(result)) < 400, repr(result)
    for shown in (
        solution,
        response,
        found,
        solution.policy,
        cardwin.equity("AhKh", "QhJh2c"),
        cardwin.rank("2c3c4c5c6c"),
    ):
        text = shown._repr_html_()
        assert text.startswith("<table>")
        assert text.endswith("</table>")
        assert len(text) < 20_000
    assert repr(solution).startswith("Solution(game=leduc, value=-0.08560")
    assert all(word in repr(solution.policy) for word in ("equilibrium", "leduc", "seat 1", "seat 2"))
    assert "in all" in repr(response)
    text = cardwin.policy("kuhn", "genes:1/3,0,1,0,1/3,1")._repr_html_()
    assert "<td>check: 2/3, bet 1: 1/3</td>" in text
    assert "<td>bet 1</td>" in text  # for certain


def test_ranges_show_their_picture(tmp_path: Path) -> None:
    state = cardwin.deal("holdem-nl", seed=7)
    assert isinstance(state, HoldemState)
    (tmp_path / "hand.phh").write_text(state.apply("raise 300").apply("fold").phh())
    raised = cardwin.ranges(tmp_path / "hand.phh", of=2)[-1]._repr_html_()
    assert raised.startswith("<table><caption>")
    assert raised.count("<td ") == 169
    assert ">AKs</td>" in raised


def test_values_in_a_few_letters() -> None:
    assert format_value(Fraction(1, 18)) == "1/18"
    assert format_value(Fraction(10**30 + 1, 3 * 10**30)) == "0.333333"
    assert format_value(list(range(20))) == "[0, 1, 2, 3, 4, 5, ... 20 in all]"
    assert len(format_value("x" * 1000)) == 60
    assert format_value({"mean": 41.14217, "ci95": 2.0, "interval": [39, 43]}) == "41.1422 ± 2"
    assert format_value({"threshold": 1.25, "fair": 1}) == "threshold 1.25, fair 1"
    assert format_value([[1, 2], [3, 4]]) == "[2 of them]"


def test_answers_are_dictionaries_that_print_briefly() -> None:
    answer = JsonResult(run="<folder>", best=[{"seat": 1, "genes": [0.5] * 100}], seconds=0.123456789)
    assert len(repr(answer)) < 200
    assert "&lt;folder&gt;" in answer._repr_html_()
    assert "<caption>best</caption>" in answer._repr_html_()
    with_report = JsonResult(schema=1, champions=["one.json"], file=None)._repr_html_()
    assert "<td>champions</td><td>[one.json]</td>" in with_report
    assert "schema" not in with_report
    assert "file" not in with_report
    assert dict(answer)["best"][0]["seat"] == 1
