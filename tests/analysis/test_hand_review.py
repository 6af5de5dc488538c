"""Recorded hands through a player's eyes: told everything public, asked at every turn, and nothing changed."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardwin
from cardwin.analysis.hand_review import earlier_hands, read_hand, review_decisions
from cardwin.arena.hand_history import played_history
from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import Listeners, Match, MatchOptions
from cardwin.cards.holdings import CLASS_NAMES, HOLDINGS
from cardwin.core.errors import InputError
from cardwin.core.rng import Stream
from cardwin.games.base import Action
from cardwin.games.formats.phh import phh_text
from cardwin.games.holdem import HoldemView, holdem_game
from cardwin.games.holdem.events import Event, HandBegan, MatchBegan, Shown
from cardwin.players.base import explanation_line, explanation_of
from cardwin.players.champions import FOLDER
from cardwin.players.kind import HoldemPlayer
from cardwin.players.network.files import SUFFIX, load_network
from cardwin.players.network.networks import NetworkForm
from cardwin.players.network.player import NetworkPlayer
from cardwin.players.registry import player
from support import answer, call

NL = holdem_game("holdem-nl", {})
# Three seats, the third the button: kings and queens of diamonds raise, tens raise again, and all is called down.
LIMIT_HAND = """
variant = "FT"
antes = [0, 0, 0]
blinds_or_straddles = [5, 10, 0]
small_bet = 10
big_bet = 20
starting_stacks = [10000, 10000, 10000]
actions = ["d dh p1 QdKd", "d dh p2 TcTs", "d dh p3 Qc7h", "p3 cc", "p1 cbr 20", "p2 cbr 30", "p3 cc", "p1 cc",
  "d db Jc9c6s", "p1 cbr 10", "p2 cc", "p3 cc", "d db Jh", "p1 cbr 20", "p2 cc", "p3 cc", "d db 6d", "p1 cbr 20",
  "p2 cc", "p3 cc", "p1 sm QdKd", "p2 sm TcTs", "p3 sm Qc7h"]
"""
NO_LIMIT_HAND = """
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [10000, 10000]
actions = ["d dh p1 AhKh", "d dh p2 ????", "p2 cbr 300", "p1 cbr 900", "p2 cc", "d db 2h7hQc", "p1 cbr 900", "p2 f"]
"""


@pytest.fixture
def hand(tmp_path: Path) -> Path:
    path = tmp_path / "hand.phh"
    path.write_text(LIMIT_HAND)
    return path


class Listener:
    """Writes down what it is told and asked."""

    def __init__(self) -> None:
        self.heard: list[Event] = []
        self.seen: list[HoldemView] = []

    def act(self, view: HoldemView, rng: Stream) -> Action:  # noqa: ARG002
        self.seen.append(view)
        return Action("fold") if view.to_call else Action("check")

    def watch(self, event: Event) -> None:
        self.heard.append(event)

    def explain(self) -> str:
        return f"heard {len(self.heard)} events"


def test_a_player_is_told_everything_before_its_turn_and_nothing_after(hand: Path) -> None:
    listener = Listener()
    found = review_decisions(read_hand(hand), 1, listener)
    assert listener.heard[0] == MatchBegan(3)
    assert isinstance(listener.heard[1], HandBegan)
    assert listener.heard[1].you == 1
    assert not any(isinstance(event, Shown) for event in listener.heard)
    assert [str(one.played) for one in found] == ["raise 30", "call", "call", "call"]
    assert [str(one.action) for one in found] == ["fold"] * 4  # what it would do changes nothing
    assert all(view.hole == found[0].view.hole for view in listener.seen)
    assert found[0].explanation == {"text": "heard 6 events"}
    assert found[0].as_dict() == {
        "text": "heard 6 events", "street": "preflop", "to_call": 10, "pot": 40, "action": "fold",
        "played": "raise 30",
    }  # fmt: skip


def test_loki_reads_a_hand_as_a_poker_player_would(hand: Path) -> None:
    """Two high cards make a semi-bluff and keep it up; the overpair bets for value, and calls at last on pot odds."""
    seats = [
        [one.as_dict() for one in review_decisions(read_hand(hand), seat, player("loki:model=generic"))]
        for seat in range(3)
    ]
    assert [one["rule"] for one in seats[0]] == ["Make2", "Make2", "semi-bluff", "semi-bluff", "semi-bluff kept up"]
    assert [one["action"] for one in seats[0]] == ["raise 20", "call", "bet 10", "bet 20", "bet 20"]
    assert seats[1][0]["rule"] == "Make4"
    assert [one["action"] for one in seats[1][1:]] == ["call"] * 3
    assert seats[1][3]["rule"] == "pot odds"
    # A queen and a seven have missed everything: fold the flop.
    assert seats[2][2]["action"] == "fold"
    for one in (one for decisions in seats for one in decisions if one["street"] != "preflop"):
        assert one["hs_n"] == pytest.approx(one["hs"] ** 2, abs=1e-5)
        assert one["ehs"] == pytest.approx(one["hs_n"] + (1 - one["hs_n"]) * one["ppot"], abs=1e-5)
        assert [len(opponent["likely"]) for opponent in one["opponents"]] == [10, 10]


def test_what_cannot_be_explained_is_refused(hand: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="invalid seat 4: expected 1 to 3"):
        review_decisions(read_hand(hand), 3, player("loki"))
    with pytest.raises(InputError, match="invalid hand 2"):
        read_hand(hand, 2)
    (tmp_path / "nl.phh").write_text(NO_LIMIT_HAND)
    with pytest.raises(InputError, match="not recorded"):
        review_decisions(read_hand(tmp_path / "nl.phh"), 1, player("loki"))
    assert len(review_decisions(read_hand(tmp_path / "nl.phh"), 0, player("loki"))) == 2


def test_thoughts_in_any_form() -> None:
    class Talker:
        def __init__(self, said: object) -> None:
            self.said = said

        def explain(self) -> object:
            return self.said

    assert explanation_of(player("call")) == {}
    assert explanation_of(Talker("because")) == {"text": "because"}
    assert explanation_of(Talker({"hs": 0.5})) == {"hs": 0.5}
    assert explanation_line({"text": "because", "hs": 0.123456, "rule": "bet", "none": None, "more": [1]}) == (
        "because, hs 0.123, rule bet"
    )


def test_ranges_narrow_with_what_is_done(hand: Path) -> None:
    found = cardwin.ranges(hand, of=2)
    assert [one.action for one in found] == [
        "the deal", "raise 30", "the board", "call", "the board", "call", "the board", "call",
    ]  # fmt: skip
    assert found[0].share == 1
    shares = [one.share for one in found]
    assert all(later <= earlier for earlier, later in zip(shares[::2], shares[1::2], strict=True))
    assert shares[-1] < 0.2
    assert found[0].weights.sum() == HOLDINGS
    grid = dict(zip(CLASS_NAMES, found[1].grid.ravel(), strict=True))
    assert grid["AA"] == 1
    assert grid["72o"] == pytest.approx(0.01)
    assert grid["AKs"] > grid["KQo"] > grid["T7o"]


def test_who_looks_sees_its_own_cards_gone(hand: Path) -> None:
    everyone, seat_1 = cardwin.ranges(hand, of=2), cardwin.ranges(hand, of=2, for_seat=1)
    assert all(one.strength is None for one in everyone)
    flop = seat_1[3]
    assert flop.strength == pytest.approx(0.137, abs=5e-4)
    assert not {name for name, _ in flop.likely for card in ("Qd", "Kd") if card in name}
    assert (flop.weights > 0).sum() == 1081
    with pytest.raises(InputError, match="invalid seat 4: expected 1 to 3"):
        cardwin.ranges(hand, of=4)


def test_commands(hand: Path, tmp_path: Path) -> None:
    found = answer("explain", str(hand), "--seat", "2", "--player", "loki:model=generic")["decisions"]
    assert [one["street"] for one in found] == ["preflop", "flop", "turn", "river"]
    own = {"street", "to_call", "pot", "hs", "hs_n", "ppot", "npot", "ehs", "odds", "rule", "action", "opponents"}
    assert own <= set(found[1])
    assert found[1]["opponents"][0]["seat"] == 1
    assert all(len(pair) == 2 for pair in found[1]["opponents"][0]["likely"])
    with_report = call("explain", str(hand), "--seat", "2", "--player", "call").stdout
    assert with_report.strip()
    assert "win rate" in call("explain", str(hand), "--seat", "2", "--player", "v1:rollouts=5").stdout
    picture = tmp_path / "range.png"
    steps: list[dict[str, Any]] = answer("range", str(hand), "--of", "2", "--for", "1", "--picture", str(picture))[
        "steps"
    ]
    assert len(steps) == 8
    assert len(steps[3]["grid"]) == len(steps[3]["grid"][0]) == 13
    assert picture.stat().st_size > 10_000
    assert "most likely" in call("range", str(hand), "--of", "2").stdout
    wrong = call("range", str(hand), "--of", "9", "--json")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    rates = answer("income", "--players", "2")["classes"]
    assert round(rates["AA"]) == 704
    assert json.dumps(rates)


class Noting(NetworkPlayer):
    """A network that notes its inputs at every decision."""

    def __init__(self, form: NetworkForm) -> None:
        super().__init__(form)
        self.seen: list[list[float]] = []

    def act(self, view: HoldemView, rng: Stream) -> Action:
        """As the network, noted."""
        action = super().act(view, rng)
        self.seen.append(list(self.explain()["scaled"]))
        return action


def test_an_explanation_knows_the_earlier_hands_of_the_file(tmp_path: Path) -> None:
    """Every input of a network is what it was when the hand was played, those from earlier hands too."""
    noting, file = Noting(load_network(FOLDER / f"by-hand{SUFFIX}").form), tmp_path / "hands.phhs"
    names, texts = ["noting", "random", "call-or-raise", "raise"], []

    def write(hand: int, table: LiveTable, record: list[Event]) -> None:
        texts.append(phh_text(played_history(table, record, [names[who] for who in table.player_ids]), hand + 1))

    makers: list[Callable[[], HoldemPlayer]] = [lambda: noting, *(partial(player, name) for name in names[1:])]
    Match(NL, makers, 7, options=MatchOptions(in_python=True), listeners=Listeners(on_hand=write)).play(40)
    file.write_text("\n".join(texts))
    explained = []
    for number in range(1, 41):
        history = read_hand(file, number)
        seat = history.names.index("noting")
        reviewed = review_decisions(history, seat, player("net:by-hand"), earlier_hands(file, number))
        explained += [one.explanation["scaled"] for one in reviewed]
    assert len(explained) == len(noting.seen) > 40
    assert np.abs(np.array(explained) - np.array(noting.seen)).max() < 1e-6


def test_a_seat_that_mucks_later_still_holds_its_cards(tmp_path: Path) -> None:
    """J6 on JT9 is a pair of jacks; the cards of a seat that shows nothing at the end were computed as unknown ones."""
    text = """
variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [10000, 10000, 10000]
actions = ["d dh p1 TcTd", "d dh p2 Jh6c", "d dh p3 2c3c", "p3 f", "p1 cc", "p2 cc", "d db JcTs9d", "p1 cc", "p2 cc",
  "d db 2h", "p1 cc", "p2 cc", "d db 3h", "p1 cc", "p2 cc", "p1 sm TcTd", "p2 sm"]
"""
    (tmp_path / "muck.phh").write_text(text)
    history = read_hand(tmp_path / "muck.phh")
    reviewed = review_decisions(history, 1, player("net:by-hand"))
    assert {one.view.hole for one in reviewed} == {history.hole[1]}
    odds = [one.explanation["inputs"]["win_odds"] for one in reviewed if one.view.street == 1]
    assert odds[0] == pytest.approx(cardwin.equity("Jh6c", board="JcTs9d", opponents=1).equity, abs=0.02)
