"""Compiled players from outside the package: the page's player, faults, exceptions, cache keys, entry points."""

# ruff: noqa: ARG001  a fixture puts the page's player on the path

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import cardwin
from cardwin.arena.cash_game import CashGame, CashGameRules
from cardwin.arena.match import Listeners, Match, MatchOptions, MatchRecord, match
from cardwin.arena.referee import Referee
from cardwin.arena.tournament import Structure, TournamentOptions, tournament
from cardwin.core.errors import InputError
from cardwin.core.kernel import _open_cache
from cardwin.core.rng import generator_of, key_of, stream_of
from cardwin.games.base import NOBODY, Action
from cardwin.games.holdem import holdem_game
from cardwin.games.holdem.hooks import decide, write_probabilities
from cardwin.games.holdem.view import HoldemView
from cardwin.players.base import FORFEIT_RULE, LATE_RULE
from cardwin.players.compiled import compiled_players
from cardwin.players.registry import makers_of, player, spec_of
from cardwin.runs.commitments import fairness
from support import call

PAGE = Path(__file__).parent.parent.parent / "docs" / "your-first-compiled-player.md"
NL, LIMIT = holdem_game("holdem-nl", {}), holdem_game("holdem-limit", {})
HEAD = "from cardwin.compiled import CALL, FOLD, RAISE, compiled_player, draw_uniform, view\n\n\n"
OWN = "python:my_compiled:proportional"


def page_file() -> str:
    found = re.search(r'```python title="my_compiled.py"\n(.*?)```', PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path with the page's player, and without modules of other tests."""
    (tmp_path / "my_compiled.py").write_text(page_file(), encoding="utf-8")
    for name in ("my_compiled", "my_mistakes"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def written(folder: Path, name: str, body: str, signature: str = "row, parameters, odds, stream") -> str:
    """Write a player with this body, and return its specification."""
    lines = body.replace("\n", "\n    ")
    code = f'@compiled_player("a test")\ndef {name}({signature}):\n    {lines}\n'
    (folder / "my_mistakes.py").write_text(HEAD + code, encoding="utf-8")
    return f"python:my_mistakes:{name}"


def in_python(specs: list[str], hands: int, seed: int, duplicate: bool = False) -> MatchRecord:
    """`match` with all players called in Python."""
    referee = Referee(specs, None)
    played = Match(
        NL,
        makers_of(specs),
        key_of(seed, "match"),
        referee=referee,
        options=MatchOptions(in_python=True, duplicate=duplicate),
    )
    played.play(hands)
    return MatchRecord(NL, tuple(specs), seed, played.chips, played.options, played.per_deal, report=referee.report())


def test_the_pages_player_has_one_digest_compiled_uncompiled_and_in_python(folder: Path) -> None:
    assert len(page_file().splitlines()) <= 40
    compiled = match(NL, [OWN, "call"], 300, 5)
    assert compiled_players([player(OWN), player("call")]).all_compiled
    assert compiled.digest == in_python([OWN, "call"], 300, 5).digest
    assert compiled.report.faults == (0, 0)
    asked = [sys.executable, "-m", "cardwin", "match", OWN, "call", "--hands", "300", "--seed", "5", "--json"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([*asked, "--in-process"], cwd=folder, env=environment, capture_output=True, check=True)
    assert json.loads(done.stdout)["digest"] == compiled.digest


def test_the_pages_player_plays_200_000_hands_a_second_heads_up(folder: Path) -> None:
    match(NL, [OWN, "call"], 1_000, 1)
    best = 0.0
    for seed in range(5):
        start = time.process_time()  # of one thread, whatever else this machine does
        match(NL, [OWN, "call"], 50_000, seed)
        best = max(best, 50_000 / (time.process_time() - start))
    assert best > 200_000


def test_many_seats_duplicates_and_threads_change_nothing(folder: Path) -> None:
    specs = [OWN, "random", OWN, "standard"]
    alone = match(NL, specs, 10_000, 2, options=MatchOptions(duplicate=True))
    assert alone.digest == match(NL, specs, 10_000, 2, workers=2, options=MatchOptions(duplicate=True)).digest
    assert (
        match(NL, specs, 120, 2, options=MatchOptions(duplicate=True)).digest
        == in_python(specs, 120, 2, duplicate=True).digest
    )
    assert sum(alone.report.faults) == 0


def test_parameters_and_the_api(folder: Path) -> None:
    import my_compiled  # type: ignore[import-not-found]

    assert spec_of(my_compiled.proportional) == OWN
    found = cardwin.match([my_compiled.proportional, "call"], hands=100, seed=3)
    assert found.digest == match(NL, [OWN, "call"], 100, 3).digest
    wild = cardwin.match([my_compiled.proportional(bluffs=0.9), "call"], hands=100, seed=3)
    assert wild.digest != found.digest
    with pytest.raises(InputError, match="unknown parameter of my_compiled:proportional 'bluff'"):
        my_compiled.proportional(bluff=1)
    with pytest.raises(InputError, match="expected a number for bluffs, got 'often'"):
        my_compiled.proportional(bluffs="often")


SMALL_BET = "return (RAISE, 1) if row[view.BOARD_SIZE] == 4 and row[view.HOLE] == 3 else (CALL, 0)"


def test_an_illegal_action_is_a_fault_as_in_python(folder: Path) -> None:
    spec = written(folder, "small", SMALL_BET)
    for duplicate in (False, True):
        compiled, python = (play([spec, "call"], 600, 1, duplicate=duplicate) for play in (nl_match, in_python))
        assert compiled.report.faults[0] > 3
        assert compiled.report.disqualified == (False, False)
        assert (compiled.report.faults, compiled.report.first) == (python.report.faults, python.report.first)
        assert "invalid bet 1: the minimum is 100" in str(compiled.report.first[0])
        assert compiled.digest == python.digest


def nl_match(specs: list[str], hands: int, seed: int, duplicate: bool = False) -> MatchRecord:
    return match(NL, specs, hands, seed, options=MatchOptions(duplicate=duplicate))


@pytest.mark.parametrize(("body", "reason"), [
    ("return 7, 0", "invalid action 'action 7'"),
    ("return FOLD, 0", "invalid fold: checking is free"),
    ("return RAISE, 10 ** 9", "the maximum is"),
])  # fmt: skip
def test_a_player_that_keeps_failing_is_disqualified(folder: Path, body: str, reason: str) -> None:
    spec = written(folder, "silly", body)
    compiled, python = (play([spec, "call"], 100, 1) for play in (nl_match, in_python))
    assert (compiled.report.faults, compiled.report.first) == (python.report.faults, python.report.first)
    assert compiled.report.disqualified == python.report.disqualified
    assert compiled.report.disqualified == (True, False)
    assert reason in str(compiled.report.first)
    assert compiled.digest == python.digest


def test_cash_games_and_tournaments_report_faults(folder: Path) -> None:
    spec = written(folder, "small", SMALL_BET)
    referee = Referee([spec, "call"])
    table = CashGame(NL, [player(spec), player("call")], CashGameRules(), rebuy=True, referee=referee)
    table.key = 1
    for first in (0, 300):
        table.play(first, np.zeros((300, 2), np.int64), np.zeros((0, 0)), lambda _: None, True)
    report = referee.report()
    assert report.faults[0] > 3
    assert 300 < max(fault.hand for fault in report.first) <= 600
    played = tournament(NL, [spec, "call", "random", spec], 60, 1, options=TournamentOptions(Structure(seats=4)))
    faults = played.report.first
    assert played.report.faults[1:3] == (0, 0)
    assert min(played.report.faults[0], played.report.faults[3]) > 0
    assert len({fault.tournament for fault in faults}) > 1


class Caller:
    def act(self, view: HoldemView, rng: object) -> Action:  # noqa: ARG002
        return view.legal_actions[-2 if view.max_raise_to else -1]


def test_beside_a_player_in_python_the_referee_sees_it(folder: Path) -> None:
    spec = written(folder, "small", SMALL_BET)
    alone, beside = match(NL, [spec, "call"], 300, 1), match(NL, [spec, spec_of(Caller)], 300, 1)
    assert beside.report.faults[0] == alone.report.faults[0] > 3
    assert beside.digest == alone.digest
    logged = match(NL, [spec, "call"], 300, 1, listeners=Listeners(on_hand=lambda *_: None))
    assert logged.report.first == alone.report.first


def test_limit_bets_have_one_size(folder: Path) -> None:
    spec = written(folder, "raiser", "return (RAISE, 0) if row[view.MAX_RAISE_TO] > 0 else (CALL, 0)")
    assert match(LIMIT, [spec, "call"], 50, 1).digest == match(LIMIT, ["raise", "call"], 50, 1).digest


@pytest.mark.parametrize(("body", "sentence"), [
    ("if row[view.BOARD_SIZE] == 3:\n    raise ValueError('no plan')\nreturn CALL, 0", "raised ValueError: no plan"),
    ("return CALL, row[row[view.TO_CALL] + 1000]", "raised IndexError: index"),
    ("return CALL, 5 // row[view.BOARD_SIZE]", "raised FloatingPointError: divide by zero"),
])  # fmt: skip
def test_an_exception_ends_the_match_with_one_sentence(folder: Path, body: str, sentence: str) -> None:
    spec = written(folder, "fails", body)
    for options in (["--json"], ["--watch"], ["--stacks", "kept"]):
        done = call("match", spec, "call", "--hands", "50", "--seed", "1", "--in-process", *options, cwd=folder)
        assert done.returncode == 2
        last = done.stderr.strip().splitlines()[-1]
        assert last.startswith(f"cardwin: my_mistakes:fails {sentence}")
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("signature", "body", "sentence"), [
    ("row, stream", "return CALL, 0", "expected 4 arguments (view, parameters, odds, stream), got 2 (row, stream)"),
    ("row, parameters, odds, stream", "return 1", "cannot be compiled: No conversion from"),
    ("row, parameters, odds, stream", "return CALL, odd(row)", "cannot be compiled: NameError: name 'odd' is not"),
    ("row, parameters, odds, stream", "return CALL, row.pot", "cannot be compiled: Unknown attribute 'pot' of type"),
    ("row, parameters, odds, stream", "yield CALL, 0", "cannot be compiled: "),
])  # fmt: skip
def test_a_function_that_cannot_be_compiled_is_one_sentence(
    folder: Path, signature: str, body: str, sentence: str
) -> None:
    spec = written(folder, "wrong", body, signature)
    done = call("match", spec, "call", "--hands", "5", "--seed", "1", "--in-process", cwd=folder)
    assert done.returncode == 2
    assert sentence in done.stderr.strip().splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_hidden_cards_do_not_change_decisions(folder: Path) -> None:
    """Every number of the row and a random one decide, so that any hidden number in it would show."""
    body = (
        "total = draw_uniform(stream) * 1e6\nfor number in range(len(row)):\n    total += (number + 1) * row[number]\n"
        "if row[view.MAX_RAISE_TO] == 0:\n    return CALL, 0\n"
        "least, most = row[view.MIN_RAISE_TO], row[view.MAX_RAISE_TO]\n"
        "return RAISE, least + int(total) % (most - least + 1)"
    )
    one = player(written(folder, "sums", body))
    players, draw = compiled_players([one, one, one]).arrays, generator_of(3)
    seen = set()
    for deal in range(40):
        cards = [int(card) for card in draw.permutation(52)[:11]]
        state = NL.start([cards[:2], cards[2:4], cards[4:6]], cards[6:])
        for move in ("call", "call", "check", "check")[: deal % 5]:
            state = state.apply(move)
        if state.actor == NOBODY:
            continue
        sizes = []
        for _ in range(6):
            tables, out, streams = state.tables.copy(), np.zeros(4), np.tile(stream_of(9), (11, 1))
            table, seat = tables[0], state.actor
            shown = [*table["hole"][2 * seat : 2 * seat + 2], *table["board"][: table["board_size"][table["street"]]]]
            others = iter(draw.permutation([card for card in range(52) if card not in shown]))
            for place in (*range(2 * seat), *range(2 * seat + 2, 6)):
                table["hole"][place] = next(others)
            for place in range(int(table["board_size"][table["street"]]), 5):
                table["board"][place] = next(others)
            write_probabilities(players, seat, np.arange(3), tables[0], streams.copy(), out)
            sizes.append((*decide(players, np.arange(3), tables[0], streams), *out[:3].tolist()))
        assert len(set(sizes)) == 1
        seen.add(sizes[0])
    assert len(seen) > 10


PACKAGE = {
    "__init__.py": "from my_bots.bot import helped\n",
    "bot.py": HEAD + "from my_bots.more import help\n\n\n@compiled_player('a test')\n"
    "def helped(row, parameters, odds, stream):\n    return help.answer(row)\n",
    "more/__init__.py": "",
    "more/help.py": "from cardwin.compiled import CALL, FOLD, kernel, view\n\n\n@kernel\ndef answer(row):\n"
    "    return (FOLD, 0) if row[view.TO_CALL] > 0 else (CALL, 0)\n",
}  # fmt: skip


def test_a_helpers_change_is_compiled(tmp_path: Path) -> None:
    """The package's function is unchanged, and so is the module that it is in."""
    for name, text in PACKAGE.items():
        path = tmp_path / "my_bots" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    asked = [sys.executable, "-m", "cardwin", "match", "python:my_bots:helped", "raise", "--hands", "40", "--seed", "1"]
    won = []
    for answer in ("FOLD", "FOLD", "CALL"):
        helper = tmp_path / "my_bots" / "more" / "help.py"
        helper.write_text(PACKAGE["more/help.py"].replace("(FOLD, 0)", f"({answer}, 0)"), encoding="utf-8")
        done = subprocess.run([*asked, "--json", "--in-process"], cwd=tmp_path, capture_output=True, check=True)
        won.append(json.loads(done.stdout)["digest"])
    assert won[0] == won[1] != won[2]


def test_what_a_cache_key_covers(tmp_path: Path) -> None:
    files = {
        name: tmp_path / name
        for name in ("bots/__init__.py", "bots/a/one.py", "bots/b/two.py", "alone.py", "beside.py")
    }
    for path in files.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")

    def keys() -> list[str]:
        _open_cache.cache_clear()
        found = (("bots/__init__.py", "bots"), ("bots/a/one.py", "bots.a.one"), ("alone.py", "alone"))
        return [Path(_open_cache(str(files[name]), module) or "").name for name, module in found]

    before = keys()
    assert keys() == before
    files["bots/b/two.py"].write_text("x = 1\n", encoding="utf-8")
    changed = keys()
    assert [one == other for one, other in zip(before, changed, strict=True)] == [False, False, True]
    files["beside.py"].write_text("x = 1\n", encoding="utf-8")
    assert [one == other for one, other in zip(changed, keys(), strict=True)] == [True, True, False]
    assert _open_cache("<stdin>", "__main__") is None


def test_an_installed_package_offers_it(folder: Path) -> None:
    """What an installer writes beside the module is enough; the plain name takes parameters, and is not called fair."""
    about = folder / "proportional_players-0.1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: proportional-players\nVersion: 0.1\n")
    (about / "entry_points.txt").write_text("[cardwin.players]\nproportional = my_compiled:proportional\n")
    assert match(NL, ["proportional", "call"], 100, 3).digest == match(NL, [OWN, "call"], 100, 3).digest
    wild = ["proportional:bluffs=.9,aggression=.5", "proportional"]
    assert compiled_players([player(spec) for spec in wild]).all_compiled
    assert match(NL, wild, 100, 3).report.faults == (0, 0)
    rules = {"forfeit": FORFEIT_RULE, "late": LATE_RULE}
    assert fairness(wild, None, {}) == {"fair": False, "sandbox": {}, "no_walls": sorted(wild), "referee": rules}
    with pytest.raises(InputError, match="unknown parameter of my_compiled:proportional 'speed'"):
        player("proportional:speed=1")


def test_in_a_sandbox_it_is_called_in_python(folder: Path) -> None:
    asked = ("match", OWN, "call", "--hands", "60", "--seed", "4", "--json")
    walled = json.loads(call(*asked, "--allow-weak-sandbox", cwd=folder).stdout)
    assert walled["digest"] == match(NL, [OWN, "call"], 60, 4).digest
    assert walled["players"][0]["faults"] == 0
