"""The commands of the arena, from outside."""

import re
from pathlib import Path

import pytest

from support import answer, call, refusal


def test_match_in_duplicate() -> None:
    found = answer("match", "fold", "raise", "--hands", "1001", "--duplicate", "--seed", "1")
    assert found["hands"] == 1002
    assert [row["mean"] for row in found["players"]] == [-750, 750]
    assert found["tests"][0]["significant"]
    words = ("--quiet", "match", "call", "raise", "random", "--hands", "600", "--duplicate", "--seed", "1")
    text = call("--verbose", *words).stdout
    assert text.count("±") == 7  # with and without duplicates for each of three, and the floor
    assert "±" not in call(*words).stdout


@pytest.mark.parametrize(("game", "digits"), [("holdem-nl", 1), ("holdem-limit", 3)])
def test_small_bets_have_decimals_that_tell_players_apart(game: str, digits: int) -> None:
    first, *_ = call(
        "--quiet", "match", "call", "random", "--game", game, "--hands", "200", "--seed", "1"
    ).stdout.splitlines()
    assert re.search(rf"-?\d+\.\d{{{digits}}} \(-?\d+\.\d{{{digits}}} to -?\d+\.\d{{{digits}}}\) ", first)


def test_watching_shows_cards_and_win_rates() -> None:
    with_report = call(
        "--quiet", "match", "random", "call", "--hands", "2", "--seed", "3", "--watch", "--game", "holdem-simple"
    ).stdout
    assert "hand 2" in with_report
    assert "%" in with_report
    assert "board" in with_report


def test_tournament_out_and_resume(tmp_path: Path) -> None:
    words = ("tournament", "random", "call", "raise", "--tables", "9", "--duplicate", "--seed", "1")
    first = answer(*words, "--payouts", "70/30", "--out", str(tmp_path / "t"))
    assert answer("tournament", "--resume", str(tmp_path / "t"))["digest"] == first["digest"]
    assert answer(*words, "--workers", "2", "--out", str(tmp_path / "two"))["digest"] == first["digest"]
    assert sum(row["wins"] for row in first["players"]) == first["tournaments"] == 27
    assert sum(row["prize"]["mean"] for row in first["players"]) == pytest.approx(3)


def test_leaderboard_writes_its_page(tmp_path: Path) -> None:
    page = tmp_path / "board.html"
    out = str(tmp_path / "run")
    found = answer("leaderboard", "call", "raise", "--hands", "400", "--seed", "1", "--page", str(page), "--out", out)
    assert answer("leaderboard", "--resume", out)["digest"] == found["digest"]
    assert found["page"] == str(page)
    assert "Cross table" in page.read_text(encoding="utf-8")
    assert len(found["players"]) == len(found["cross"]) == 2
    assert found["players"][0]["control"]["mean"] == 0


def test_newcomers_join_a_board(tmp_path: Path) -> None:
    resume = "leaderboard", "--resume", str(tmp_path / "run")
    answer("leaderboard", "call", "raise", "--hands", "100", "--seed", "1", "--out", str(tmp_path / "run"))
    found = answer(*resume, "--add", "fold", "--add", "random")
    assert sorted(one["spec"] for one in found["players"]) == ["call", "fold", "raise", "random"]
    done = call("--quiet", *resume, "--add", "fold")
    assert done.returncode == 2
    assert all(word in done.stderr for word in ("fold", str(tmp_path / "run"), "--add"))
    assert len(done.stderr.splitlines()) == 1


def test_a_page_is_never_written_over_what_we_did_not_write(tmp_path: Path) -> None:
    words = ("leaderboard", "call", "raise", "--hands", "100", "--seed", "1", "--out")
    theirs = tmp_path / "notes.html"
    theirs.write_text("mine", encoding="utf-8")
    for page, clue in ((theirs, "notes.html"), (Path(), "--page"), (tmp_path, "--page")):
        done = call("--quiet", *words, str(tmp_path / "run"), "--page", str(page))
        assert done.returncode == 2
        assert clue in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert theirs.read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "run").exists()  # refused before the work
    for run in ("one", "two"):
        answer(*words, str(tmp_path / run), "--page", str(tmp_path / "board.html"))


@pytest.mark.parametrize(
    ("clue", "words"),
    [
        ("'v1:threshold'", ["match", "v1:threshold", "call"]),
        ("call", ["match", "cal", "fold"]),
        ("kept", ["match", "call", "fold", "--stacks", "keep"]),
        ("expected at least 2 players, got 1", ["tournament", "call"]),
        ("player", ["tournament"]),
        ("50/30/20", ["tournament", "call", "fold", "--payouts", "x"]),
        ("110", ["tournament", "call", "fold", "--payouts", "50/60"]),
        ("of 20 players, got 21", ["tournament", "random*20", "--until-left", "21"]),
        ("--hands", ["match", "call", "fold", "--hands", "0"]),
        ("larger", ["match", "call", "fold", "--plan", "--margin", "1e-300"]),
        ("--resume", ["evolve", "kuhn-coevolution", "--trust", "python:x:y"]),
        ("call", ["leaderboard", "call", "call"]),
        ("--resume DIR", ["leaderboard", "call", "raise", "--add", "fold"]),
        ("--add", ["leaderboard", "rational", "bold", "--game", "kuhn", "--add", "random"]),
        ("python:module:Class", ["match", "python:nothing", "call"]),
    ],
)
def test_wrong_words_end_in_one_line(clue: str, words: list[str]) -> None:
    done = call("--quiet", *words)
    assert done.returncode == 2
    assert clue in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_match_shows_the_interval_of_the_sample_and_names_the_guaranteed_ones() -> None:
    words = ("match", "call", "raise", "random", "standard", "--hands", "400", "--seed", "1")
    found = answer(*words)
    for one in found["players"]:
        kinds = one["intervals"]
        assert kinds["shown"] == one["method"]
        assert kinds["guaranteed"] == "fixed"
        assert kinds["approximate"]["ci95"] <= one["ci95"] < kinds["fixed"]["ci95"] < kinds["any_stop"]["ci95"]
        assert kinds["floor"] <= kinds["fixed"]["ci95"]
        assert one["diagnosis"]["supported"] == (not one["diagnosis"]["reason"])
    assert any(one["diagnosis"]["supported"] for one in found["players"])
    assert found["tests"][0]["test"].startswith("Gaffke's test")
    assert found["tests"][0]["approximate"]["test"].startswith("paired t-test")
    assert call("--quiet", *words).stdout.count("guaranteed for this length (") == 4
    assert "no guaranteed interval over 400 deals can be narrower" in call("--quiet", "--verbose", *words).stdout
    risky = call("--quiet", "match", "all-in", "fold", "--hands", "400", "--seed", "1").stdout
    assert risky.count("wider interval, because pots as large as the bets made") == 1
    stopped = answer("match", "fold", "raise", "--hands", "4000", "--seed", "1", "--until-certain")
    assert stopped["players"][0]["intervals"]["shown"] == "any stop"
    assert stopped["tests"][0]["test"].startswith("betting e-value")
    same = answer("match", "call", "call", "--hands", "100", "--seed", "1", "--duplicate")
    assert same["players"][0]["intervals"]["shown"] == "exact"


def test_printed_series_and_boards_say_what_their_intervals_are(tmp_path: Path) -> None:
    words = "call", "random", "raise", "--tables", "40", "--seed", "1", "--out", str(tmp_path / "t")
    series = call("--quiet", "--verbose", "tournament", *words).stdout
    assert "also if the series is extended" in series
    assert "wider interval, because 40 results are too few" in series
    assert "paired t" not in series
    board = call("--quiet", "leaderboard", "call", "random", "standard", "--hands", "20000", "--seed", "1",
                 "--out", str(tmp_path / "b")).stdout  # fmt: skip
    assert "call beats random: no linear order is meaningful" in board
    assert "1 of 1 decided triples are cyclic (100%)" in board


BROKEN = """
from cardwin.games.base import Action


class Broken:
    def act(self, view, rng):
        return Action("dance")
"""


@pytest.mark.parametrize("command", ["match", "tournament", "leaderboard"])
def test_a_disqualified_player_has_no_mean_and_stands_last(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_bot.py").write_text(BROKEN)
    monkeypatch.chdir(tmp_path)
    size = ("--tables", "1", "--max-hands", "40") if command == "tournament" else ("--hands", "60")
    players = "python:broken_bot:Broken", "fold", "call"
    done = call("--verbose", command, *players, *size, "--seed", "1", "--out", "run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith(players[0])]
    assert re.fullmatch(rf"{players[0]} +disqualified", rows[0])
    assert not any(re.search(r"[+-]?\d+\.\d+ (\(|±)", row) for row in rows)
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    results = page[page.index("<table") :]
    assert "disqualified" in results
    assert results.index(f"{players[0]}") > results.index("call")


@pytest.mark.parametrize("seed", ["-1", "12345678901234567890123", "9223372036854775808"])
@pytest.mark.parametrize(
    "words",
    [
        ("match", "call", "fold"), ("tournament", "call", "fold"), ("leaderboard", "call", "fold"),
        ("cash-game", "call", "fold"), ("deal", "x.game", "call"), ("play", "kuhn", "--against", "uniform"),
        ("exploitability", "kuhn", "--policy", "uniform"), ("train", "xcs"), ("evolve", "kuhn-coevolution"),
        ("demo",), ("reproduce", "reveley"), ("yardsticks",),
        ("connect", "127.0.0.1", "9", "--game", "x.game", "--player", "call"),
    ],
)  # fmt: skip
def test_a_seed_that_no_run_accepts_is_refused_by_every_command(words: tuple[str, ...], seed: str) -> None:
    assert "--seed" in refusal(*words, "--seed", seed)


def test_a_stack_below_the_blinds_is_refused() -> None:
    assert "big blind of 100" in refusal("match", "call", "fold", "--game", "holdem-nl:stack=99")
    assert "the ante of 5" in refusal("match", "call", "fold", "--game", "holdem-simple:stack=14")
    assert answer("match", "call", "fold", "--game", "holdem-nl:stack=100", "--hands", "10")["hands"] == 10


def test_a_plan_prints_a_figure_once() -> None:
    text = call("match", "call", "fold", "--plan", "--margin", "40000", "--hands", "200", "--seed", "1").stdout
    figures = re.findall(r"([\d,]+) (?:hands make|with --until-certain)", text)
    assert len(figures) == len(set(figures))


def test_the_help_says_when_a_result_is_not_fair() -> None:
    text = " ".join(call("match", "--help").stdout.replace("│", " ").split())
    assert "It is not fair with --seed, with --in-process," in text
