"""Style and chips against a field: what is counted is what the statistics of style count."""

from collections.abc import Sequence

import numpy as np
import pytest

from cardwin.analysis.style_matches import (
    BOLD,
    CALLED,
    COLUMNS,
    HANDS,
    PFR,
    VPIP,
    StyleSample,
    count_actions,
    field_forms,
    measure,
)
from cardwin.core.errors import InputError
from cardwin.games.holdem import holdem_game
from cardwin.games.holdem.events import BETS, BLIND, CALLS, CHECKS, FOLDS, RAISES, STREET, Acted, events_of, new_log
from cardwin.stats.style import SeenDecision, SeenHand, style_of

NL = holdem_game("holdem-nl", {})


def measured(spec: str, field: Sequence[str], matches: int = 4, deals: int = 10, game: str = "") -> StyleSample:
    rules = holdem_game("holdem-nl", {"stack": game}) if game else NL
    return measure(rules, field_forms(field), deals, np.arange(matches) + 1, field_forms([spec])[0])


def test_counts_of_a_log_are_those_of_the_statistics() -> None:
    """A hand written down: the blinds, a call, a raise and a call before the flop, a check and a bet after it."""
    rows = [(BLIND, 0, 50, 0, 0), (BLIND, 1, 100, 0, 0), (CALLS, 2, 100, 0, 0), (FOLDS, 0, 0, 0, 0),
            (RAISES, 1, 200, 0, 300), (CALLS, 2, 200, 0, 0), (STREET, 1, 0, 3, 0), (CHECKS, 1, 0, 1, 0),
            (BETS, 2, 300, 1, 300), (FOLDS, 1, 0, 1, 0)]  # fmt: skip
    log = new_log(32)
    log[1 : 1 + len(rows)], log[0, 0] = rows, len(rows)
    acted = [event for event in events_of(log, range(5)) if isinstance(event, Acted)]
    hand = SeenHand((0, 1, 2), tuple(SeenDecision(one.seat, one.street, one.action.name, False) for one in acted), ())
    for seat in range(3):
        seen, style = np.zeros(COLUMNS, np.int64), style_of(seat, [hand])
        count_actions(log, seat, seen)
        assert (seen[VPIP] > 0, seen[PFR] > 0) == (style.vpip == 1, style.pfr == 1)
        assert (seen[BOLD] / seen[CALLED] if seen[CALLED] else None) == style.aggression


@pytest.mark.parametrize(
    ("spec", "style"), [("fold", (0, 0, 0)), ("raise", (1, 1, np.inf)), ("all-in", (1, 1, np.inf))]
)
def test_players_of_known_style(spec: str, style: tuple[float, ...]) -> None:
    found = measured(spec, ["call", "call"])
    assert tuple(found.style) == style
    assert found.counts[:, HANDS].tolist() == [30] * 4


def test_a_caller_plays_all_hands_but_free_big_blinds() -> None:
    """Among callers nobody raises: the big blind, one hand in three, checks."""
    assert tuple(measured("call", ["call", "call"]).style) == (2 / 3, 0, 0)


def test_a_match_depends_on_its_key_alone_and_equals_win_nothing_from_equals() -> None:
    alone, among = measured("random", ["call", "random"], 1), measured("random", ["call", "random"], 4)
    assert alone.chips[0] == among.chips[0]
    assert alone.counts[0].tolist() == among.counts[0].tolist()
    # The same cards in every seat: who calls everything wins exactly nothing from others who do.
    assert measured("call", ["call", "call"]).chips.tolist() == [0.0] * 4


def test_hands_that_fill_the_log_are_counted_whole() -> None:
    """Two who always raise the least with 5,000 big blinds need thousands of rows for a hand."""
    found = measured("raise", ["raise"], 1, 2, "500000")
    assert found.counts[0, BOLD] > 4 * 1024
    assert found.counts[0, HANDS] == 4


def test_whom_kernels_cannot_play_is_refused() -> None:
    for spec in ("loki", "v2:rollouts=8"):
        with pytest.raises(InputError, match="cannot be in the field"):
            field_forms([spec])
