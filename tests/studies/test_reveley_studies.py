"""Studies beside Reveley: what rules with a register did, and how well a stand-in predicts a player."""

import pytest

from cardwin.arena.hand_history import played_history
from cardwin.arena.live_table import LiveTable
from cardwin.arena.match import Listeners, play_match
from cardwin.core.errors import InputError
from cardwin.core.rng import key_of
from cardwin.games.formats.phh import phh_text
from cardwin.games.holdem.events import Event
from cardwin.papers.reveley.trainings import LIMIT
from cardwin.players.nearest_neighbour.player import DISTANCES
from cardwin.players.registry import player
from cardwin.players.xcs.encoding import Encoding
from cardwin.players.xcs.player import player_of
from guessing import predicted
from reveley_read_out import Decision, bit_difference, bluffs_by_counter, deed_rows, deed_share, observed
from reveley_stand_in import accuracy, most_common, recorded
from rule_sets import random_rules


def test_deeds_are_read_out_with_the_register_before_them() -> None:
    """Rules that always bet, and rules that always check, on a table that records them."""
    weak, strong = Decision(1, 0.2, 0.1, 2, True, False, 1, 0, 3), Decision(2, 0.9, 0.0, 1, True, False, 0, 1, 0)
    raised = Decision(1, 0.3, 0.3, 2, True, True, 1, 1, 1)
    rows = deed_rows([weak, strong, raised], 1)
    assert [row[:2] for row in rows] == [
        ["slow-play", "1 of 3"], ["check-raise", "1 of 3"], ["semi-bluff", "1 of 3"], ["bluff", "1 of 3"]
    ]  # fmt: skip
    assert rows[0][2:] == ["0%", "100%", "100%"]
    assert rows[3][2:] == ["100%", "50%", "0%"]
    assert bluffs_by_counter([weak, strong])[2] == ["2 or 3", "1", "100.0%"]
    assert deed_share([weak, strong, raised], "bluff") == pytest.approx(1 / 3)
    assert bit_difference([weak, strong, raised], "bluff") == pytest.approx(1 / 2)
    assert bit_difference([weak], "bluff") is None
    assert bit_difference([strong], "bluff") is None
    rules = player_of(random_rules(Encoding(register=1), 400, 3))
    seen = observed(rules, "call", 30, 5)
    assert len(seen) > 30
    assert {one.register for one in seen} == {0, 1}
    assert all(not one.checked or one.street >= 0 for one in seen)


def test_a_stand_in_guesses_better_with_more_hands_and_than_the_most_common_action() -> None:
    known, unseen = recorded("standard", 300, 1), recorded("standard", 100, 2)
    for distance in DISTANCES:
        few, many = (accuracy(known.first(hands), unseen, distance).mean() for hands in (10, 300))
        assert many > few
        assert many > most_common(known, unseen)
        assert accuracy(known, known, distance).mean() > 0.99  # itself is nearest


def test_recorded_players_are_guessed_from_files() -> None:
    texts: list[str] = []

    def keep(number: int, table: LiveTable, record: list[Event]) -> None:
        texts.append(
            phh_text(played_history(table, record, [("Ann", "Bob")[who] for who in table.player_ids]), number + 1)
        )

    play_match(LIMIT, [player("standard"), player("call-or-raise")], 60, key_of(3), listeners=Listeners(on_hand=keep))
    rows = predicted(["\n".join(texts)], "Ann")
    assert [row["hands known"] for row in rows] == [48]
    assert set(DISTANCES) < set(rows[0])
    with pytest.raises(InputError, match="'Cid'"):
        predicted(["\n".join(texts)], "Cid")
    with pytest.raises(InputError, match=r"five|5"):
        predicted(["\n".join(texts[:3])], "Ann")
