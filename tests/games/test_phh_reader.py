"""Files as people and programs really write them: whatever stands there, one bad hand is one refused hand."""

import math
import tomllib
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pokerkit import HandHistory

from cardwin.games.formats.phh import replay_text
from cardwin.games.formats.phh_toml import FIELDS, sections_of

GOOD = """variant = 'NT'
antes = [0, 0, 0]
blinds_or_straddles = [50, 100, 0]
min_bet = 100
starting_stacks = [1000, 1000, 1000]
actions = ['d dh p1 4h3c', 'd dh p2 Js8c', 'd dh p3 As5s', 'p3 cbr 200', 'p1 f', 'p2 f']
finishing_stacks = [950, 900, 1150]
"""
STACKS = (950, 900, 1150)


def broken(old: str, new: str) -> str:
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("'NT'", "['NT']", 1, "invalid variant a list"),
        ("variant = 'NT'\n", "", 0, "missing field variant"),
        ("min_bet = 100\n", "", 0, "missing field min_bet"),
        ("[950, 900, 1150]", "[inf, 900, 1150]", 7, "expected final stacks inf"),
        ("[950, 900, 1150]", "[nan, 900, 1150]", 7, "expected an amount of chips, got NaN"),
        ("[950, 900, 1150]", "[1e99, 900, 1150]", 7, "expected an amount of chips, got 1E+99"),
        ("[950, 900, 1150]", "[1e99999999999999999999, 900, 1150]", 7, "expected an amount of chips, got NaN"),
        ("[950, 900, 1150]", "[950, 900]", 7, "expected final stacks 950, 900"),
        ("[950, 900, 1150]", "'many'", 7, "expected a list with an amount per seat, got 'many'"),
        ("[50, 100, 0]", f"[50, {'1' * 5000}, 0]", 0, "invalid TOML"),
        ("[50, 100, 0]", f"[50, 0x{'f' * 5000}, 0]", 3, "expected an amount of chips, got a number far too large"),
        ("[50, 100, 0]", "[50, 1e99999999999999999999, 0]", 3, "expected an amount of chips, got NaN"),
        ("[50, 100, 0]", "[50, inf, 0]", 3, "expected an amount of chips, got Infinity"),
        ("[50, 100, 0]", "[50, true, 0]", 3, "expected an amount of chips, got true"),
        ("[0, 0, 0]", "[0, -1, 0]", 2, "expected an amount of chips, got -1"),
        ("min_bet = 100", "min_bet = 0", 4, "invalid min_bet: expected more than 0"),
        ("min_bet = 100", "min_bet = 1e-9", 4, "expected at most 6 decimals"),
        ("min_bet = 100", "min_bet = 100\nante_trimming_status = 'no'", 5, "expected true or false, got 'no'"),
        ("'d dh p3 As5s'", "'d dh p3 As5s', 'd dh p3 KsKd'", 6, "expected two cards for seat 3, got more"),
        ("'p3 cbr 200'", "'p3 cbr 200', 'd dh p1 ????'", 6, "cards for seat 1 after the first action"),
        ("'p3 cbr 200'", "'p3 cbr inf'", 6, "expected an amount of chips, got 'inf'"),
        ("'p3 cbr 200'", "'p3 cbr -200'", 6, "expected an amount of chips, got '-200'"),
        ("'p3 cbr 200'", f"'p3 cbr {'9' * 15}.{'9' * 6}'", 6, "expected amounts of at most"),
        ("As5s", "As[s", 6, "invalid card"),
        ("As5s", "As5s6s", 6, "expected 1 to 2 cards"),
        ("'p2 f'", "'p2 f', 'd db 2c9c4c'", 6, "no board cards are due"),
        ("[1000, 1000, 1000]", "[1000, 0, 0]", 6, "two with chips"),
        ("min_bet = 100", "min_bet = 100\n" + ".".join("a" * 100_000) + " = 1", 5, "dotted key is too long"),
        ("min_bet = 100", "min_bet = 100\nx = " + "[" * 100_000, 0, "nested too deeply"),
        ("min_bet = 100", "min_bet = 100\nx = '" + "x" * 1_000_000 + "\t'", 0, "characters"),
    ],
)  # fmt: skip
def test_one_bad_hand_is_one_refused_hand(old: str, new: str, line: int, reason: str) -> None:
    bad = broken(old, new)
    [hand] = replay_text(bad)
    assert hand.final_stacks is None
    assert reason in hand.reason
    assert hand.line == max(line, 1)  # 0: the whole hand is meant
    before, refused, after = replay_text(f"[1]\n{GOOD}\n[2]\n{bad}\n[3]\n{GOOD}")
    assert (before.final_stacks, after.final_stacks) == (STACKS, STACKS)
    assert (refused.hand, refused.reason, refused.line) == ("2", hand.reason, 10 + line)


def test_a_byte_order_mark_and_windows_lines() -> None:
    assert replay_text("\ufeff" + GOOD.replace("\n", "\r\n"))[0].final_stacks == STACKS


def test_headings_of_all_kinds() -> None:
    names = ["1", '"a b"', "'[3]'", '"]"', "  spaced  ", '"\\u001b[31m"', "last # a remark"]
    text = "\n".join(f"{'[' + name.replace(' # a remark', '')}]\n{GOOD}" for name in names)
    hands = replay_text(text)
    assert [hand.hand for hand in hands] == ["1", "a b", "[3]", "]", "spaced", "\x1b[31m", "last"]
    assert {hand.final_stacks for hand in hands} == {STACKS}


def test_lines_inside_a_hand_that_look_like_headings() -> None:
    notes = "_note = '''\n[2]\n'''\n_list = [\n[1, 2],\n[3]\n]\n"
    hands = replay_text(f"[1]\n{notes}{GOOD}\n[1.tables]\nx = 1\n[2]\n{GOOD}")
    assert [(hand.hand, hand.final_stacks) for hand in hands] == [("1", STACKS), ("2", STACKS)]
    assert replay_text(f"{notes}{GOOD}\n[more]\nx = 1\n")[0].final_stacks == STACKS


def test_a_heading_that_is_none_and_one_that_comes_twice() -> None:
    hands = replay_text(f"[1]\n{GOOD}\n[2\n{GOOD}\n[3]\n{GOOD}\n[1]\n{GOOD}")
    assert [(hand.hand, hand.line) for hand in hands] == [("1", 0), ("[2", 10), ("3", 0), ("1", 28)]
    assert "duplicate section" in hands[3].reason
    long = f"[{'.'.join('a' * 100_000)}]\n{GOOD}\n[1]\n{GOOD}"
    assert [hand.reason for hand in replay_text(long)] == ["invalid TOML: expected a heading such as [1]", ""]


def test_a_file_without_a_hand() -> None:
    for text in ("", "# nothing\n", "x = 1\n", "[1]\n"):
        [hand] = replay_text(text)
        assert "missing field variant" in hand.reason


@pytest.mark.parametrize(
    ("changes", "finishing", "reason"),
    [
        # Without a shared pot every stack must be equal, to the smallest unit.
        ({}, "[950, 900, 1150]", ""),
        ({}, "[950.0, 900.00, 1150]", ""),
        ({}, "[950.5, 899.5, 1150]", "expected final stacks"),
        ({"[1000, 1000, 1000]": "[1000.25, 1000, 1000]"}, "[950.25, 900, 1150]", ""),
        ({"[1000, 1000, 1000]": "[1000.25, 1000, 1000]"}, "[950.26, 899.99, 1150]", "expected final stacks"),
        # Chips that the winner lacks, and nobody else, are rake.
        ({}, "[950, 900, 1148.5]", "1.5 of rake was taken"),
        ({}, "[949, 900, 1149]", "expected final stacks"),
        ({}, "[950, 900, 1151]", "expected final stacks"),
    ],
)
def test_finishing_stacks_are_compared_to_the_smallest_unit(
    changes: dict[str, str], finishing: str, reason: str
) -> None:
    text = broken("[950, 900, 1150]", finishing)
    for old, new in changes.items():
        text = text.replace(old, new)
    [hand] = replay_text(text)
    assert hand.reason.startswith(reason)
    assert bool(hand.reason) == bool(reason)
    assert (hand.line == 7) == bool(reason)


SHARED = """variant = 'NT'
antes = [0, 0, 1]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [10, 10, 10]
actions = ['d dh p1 AhKd', 'd dh p2 AsKc', 'd dh p3 2c3d', 'p3 f', 'p1 cc', 'p2 cc', 'd db QhJh9s',
  'p1 cc', 'p2 cc', 'd db 4d', 'p1 cc', 'p2 cc', 'd db 5c', 'p1 cc', 'p2 cc']
"""


@pytest.mark.parametrize(
    ("finishing", "agrees"),
    [
        ("[11, 10, 9]", True),  # ours: the odd chip to the first seat left of the button
        ("[10, 11, 9]", True),
        ("[10.5, 10.5, 9]", True),
        ("[10.25, 10.75, 9]", False),
        ("[12, 9, 9]", False),
        ("[11, 9, 10]", False),
    ],
)
def test_odd_chips_may_lie_elsewhere_but_no_others(finishing: str, agrees: bool) -> None:
    [hand] = replay_text(f"{SHARED}finishing_stacks = {finishing}\n")
    assert (hand.reason == "") == agrees, hand.reason


def test_a_third_of_a_chip_agrees_within_the_smallest_unit() -> None:
    three = SHARED.replace("'d dh p3 2c3d', 'p3 f'", "'d dh p3 AcKs', 'p3 cc'").replace(
        "'p2 cc', 'd", "'p2 cc', 'p3 cc', 'd"
    )
    three = three.replace("'p1 cc', 'p2 cc', 'p3 cc', 'd db Q", "'p1 cc', 'p2 cc', 'd db Q").replace(
        "'p2 cc']", "'p2 cc', 'p3 cc']"
    )
    third = "10.333333333333333333333333"
    assert replay_text(f"{three}finishing_stacks = [{third}, {third}, 9.333333333333333333333334]\n")[0].reason == ""
    assert replay_text(f"{three}finishing_stacks = [10.5, 10.25, 9.25]\n")[0].reason != ""


def test_stacks_that_nobody_wrote_down() -> None:
    text = broken("[1000, 1000, 1000]", "[inf, 1000, inf]")
    [hand] = replay_text(text.replace("[950, 900, 1150]", "[inf, 900, inf]"))
    assert hand.final_stacks == (math.inf, 900, math.inf)
    assert "expected final stacks 950" in replay_text(text)[0].reason
    shared = SHARED.replace("[10, 10, 10]", "[10, inf, 10]")
    with_report = [f"{shared}finishing_stacks = [{chips}, inf, 9]\n" for chips in (11, 10, 12, 9)]
    assert [replay_text(text)[0].reason == "" for text in with_report] == [True, True, False, False]


def test_posts_are_bets_that_do_not_decide_who_opens() -> None:
    text = broken("[50, 100, 0]", "[50, 100, -100]").replace("'p3 cbr 200'", "'p3 cc'").replace("'p2 f'", "'p2 cc'")
    text = text.replace("'p2 cc'", "'p2 cc', 'd db 2s2d2h', 'p2 cbr 100', 'p3 f'").split("finishing")[0]
    assert replay_text(text)[0].final_stacks == (950, 1150, 900)


FOUR = """variant = 'NT'
antes = [0, 0, 0, 0]
blinds_or_straddles = [50, 100, 0, 0]
min_bet = 100
starting_stacks = [60, 1000, 30, 1000]
actions = ['d dh p1 4h3c', 'd dh p2 Js8c', 'd dh p3 As5s', 'd dh p4 KsKd', ACTS 'd db 2cTd9h', 'd db 7c', 'd db 7d']
"""


def test_who_opens_after_a_short_straddle() -> None:
    # The button straddles with its last 60 chips: the big blind is the largest bet, and the seat after it opens.
    text = FOUR.replace("[50, 100, 0, 0]", "[50, 100, 0, 200]").replace(
        "[60, 1000, 30, 1000]", "[1000, 1000, 1000, 60]"
    )
    [hand] = replay_text(text.replace("ACTS", "'p3 f', 'p1 f', 'p2 cc',"))
    assert hand.final_stacks == (950, 1110, 1000, 0), hand.reason
    [whole] = replay_text(text.replace("60]", "1000]").replace("ACTS", "'p3 f', 'p1 f', 'p2 cc',"))
    assert "seat 3 acts, but seat 1 has the turn" in whole.reason


def test_short_all_ins_reopen_the_betting_together_where_pokerkit_counts_anew() -> None:
    text = """variant = 'NT'
antes = [0, 0, 0, 0, 0]
blinds_or_straddles = [50, 100, 0, 0, 0]
min_bet = 100
starting_stacks = [310, 350, 1000, 250, 1000]
actions = ['p3 cbr 200', 'p4 cbr 250', 'p5 f', 'p1 cbr 310', 'p2 cbr 350', 'p3 cc', 'd db 2c2d2h', 'd db 7c', 'd db 7d']
"""
    assert replay_text(text)[0].reason == ""
    # Nobody is left to raise against: with another seat that has called, the first raiser may raise again.
    more = text.replace("'p5 f'", "'p5 cc'").replace("'p3 cc'", "'p3 cbr 500', 'p5 f'")
    assert replay_text(more)[0].reason == ""
    with pytest.raises(ValueError, match="repair"):
        list(HandHistory.loads(more))
    once = more.replace("'p1 cbr 310', 'p2 cbr 350'", "'p1 f', 'p2 f'")
    assert "does not reopen the betting" in replay_text(once)[0].reason


def test_a_free_fold_is_believed_and_its_uncalled_bet_goes_back() -> None:
    text = broken("'p3 cbr 200', 'p1 f', 'p2 f'", "'p3 f', 'p1 cc', 'p2 f'").split("finishing")[0]
    assert replay_text(text)[0].final_stacks == (1100, 900, 1000)
    [hand] = replay_text(FOUR.replace("ACTS", "'p3 cc', 'p4 f', 'p1 cc', 'p2 f',"))
    assert hand.final_stacks == (60, 940, 90, 1000), hand.reason


def test_a_flop_and_a_hand_may_come_card_by_card() -> None:
    text = broken("'d dh p1 4h3c'", "'d dh p1 4h', 'd dh p1 3c'").replace(
        "'p2 f'", "'p2 cc', 'd db 2c', 'd db 2d2h', 'p2 f'"
    )
    assert replay_text(text.split("finishing")[0])[0].final_stacks == (950, 800, 1250)


ANY_VALUE = st.recursive(
    st.one_of(
        st.integers(-(2**70), 2**70),
        st.floats(),
        st.booleans(),
        st.sampled_from(["NT", "FT", "p1 f", "p2 cc", "p3 cbr 1e9", "d dh p1 ????", "d db 2c2d??", "p1 sm -", "p9 sm"]),
        st.text(max_size=8),
    ),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=8,
)


def toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and value.isprintable() and "'" not in value:
        return f"'{value}'"
    if isinstance(value, str):
        return '"' + "".join(f"\\U{ord(c):08x}" if not 0xD800 <= ord(c) < 0xE000 else "?" for c in value) + '"'
    return repr(value)


@settings(max_examples=300, deadline=None)
@given(fields=st.dictionaries(st.sampled_from(FIELDS), ANY_VALUE, max_size=4), cut=st.integers(0, 400))
def test_any_values_in_any_fields_are_refused_or_replayed(fields: dict[str, Any], cut: int) -> None:
    base = {line.split(" =")[0]: line for line in GOOD.splitlines()}
    changed = base | {name: f"{name} = {toml(value)}" for name, value in fields.items()}
    text = "\n".join(changed.values()) + "\n"
    [alone] = replay_text(text)
    hands = replay_text(f"[1]\n{text[:cut]}\n[2]\n{GOOD}")
    assert hands[-1].final_stacks == STACKS
    assert (alone.final_stacks is None) == bool(alone.reason)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60), st.integers(0, len(GOOD)))
def test_any_bytes_in_any_place_are_refused_or_replayed(noise: bytes | str, place: int) -> None:
    inserted = noise if isinstance(noise, str) else noise.decode("utf-8", "replace")
    for text in (inserted, GOOD[:place] + inserted + GOOD[place:], f"[1]\n{GOOD[:place]}{inserted}"):
        for hand in replay_text(text):
            assert (hand.final_stacks is None) == bool(hand.reason)
            assert 0 <= hand.line <= text.count("\n") + 1


@settings(max_examples=200, deadline=None)
@given(
    fields=st.dictionaries(st.sampled_from([*FIELDS, "venue", "a-b"]), ANY_VALUE, max_size=5), tail=st.text(max_size=5)
)
def test_plain_lines_mean_what_toml_says(fields: dict[str, Any], tail: str) -> None:
    text = "".join(f"{name} = {toml(value)}{tail if name == 'venue' else ''}\n" for name, value in fields.items())
    [section] = sections_of(text)
    try:
        expected = tomllib.loads(text, parse_float=Decimal)
    except ValueError:
        assert section.problem
        return
    assert not section.problem
    for name in FIELDS:
        assert repr(section.fields.get(name)) == repr(expected.get(name))
