"""Mutation test: some forty one-line bugs, and whether the tests notice them.

    python tools/mutants.py [--quick] [--only WORD]

1. `src` is copied to a temporary folder.
2. The tests named with the mutants must pass on the copy as it is.
3. Each mutant is put into the copy by itself, and the tests named with it run: in the gate (`-m "not slow"`) first, and
   where these pass among the slow ones. A failing test or no end within ten minutes kills the mutant.

Kernels run uncompiled (NUMBA_DISABLE_JIT=1): the same code, and nothing waits for the compiler. `--quick` takes the
first mutant of every part and leaves the slow tests out. The table is Markdown, as docs/testing.md has it. The exit
code is 1 where a mutant survives.
"""

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
LONGEST = 600  # seconds

os.environ |= {"NUMBA_DISABLE_JIT": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
sys.dont_write_bytecode = True
# Numba asks for `coverage`, and would find the file of that name beside this one, which imports the package.
sys.path[:] = [one for one in sys.path if Path(one).resolve() != HOME / "tools"]

import numba  # noqa: E402, F401  imported once for all children
import pytest  # noqa: E402
import scipy.optimize  # noqa: E402, F401


@dataclass(frozen=True)
class Mutant:
    """A bug in a file of the package, and the tests that should notice it, as pytest takes them."""

    part: str
    file: str
    old: str
    new: str
    tests: str
    bug: str


RULES, SHOWDOWN = "games/holdem/rules.py", "games/holdem/showdown.py"
BY_HAND = "tests/games/test_holdem_rules.py"
MUTANTS = [
    Mutant("rules", RULES, "if t.faced[seat] >= 0 and b.current_bet - t.faced[seat] < b.min_raise:",
           "if t.faced[seat] >= 0 and b.current_bet - t.faced[seat] < 0:", BY_HAND,
           "an all-in for less than a raise reopens the betting"),
    Mutant("rules", RULES, "small = t.button if players == 2 and", "small = t.button if players == 9 and", BY_HAND,
           "heads-up the button posts the big blind"),
    Mutant("rules", RULES, "min_raise = max(min_raise, amount - current_bet)", "min_raise = amount - current_bet",
           BY_HAND, "a short all-in makes the next raise smaller"),
    Mutant("rules", RULES, "if b.raises >= t.cap[", "if b.raises > t.cap[", BY_HAND, "one raise more than the cap"),
    Mutant("rules", RULES, "t.actor = next_to_act(t.to_act, t.button)", "t.actor = next_to_act(t.to_act, t.button - 1)",
           BY_HAND, "the button acts first after the flop"),
    Mutant("rules", RULES, "t.stack[owner] += largest - second", "t.stack[owner] += largest", BY_HAND,
           "an uncalled bet is given back twice"),
    Mutant("showdown", SHOWDOWN, "seat = t.button\n", "seat = 0\n",
           "tests/games/test_holdem_api.py -k odd_chip", "odd chips do not start at the button"),
    Mutant("showdown", SHOWDOWN, "elif t.strength[seat] == best:", "elif t.strength[seat] == -best:", BY_HAND,
           "pots are never split"),
    Mutant("showdown", SHOWDOWN, "upper = level if above > level else max(level, largest_contribution(t))",
           "upper = level", BY_HAND, "chips of folded seats above the last level vanish"),
    Mutant("showdown", "cards/ranks.py", "sum(rank >= start for", "sum(rank > start for",
           "tests/cards/test_commands.py -k rank_answers", "the best hand of a category is named after the one above"),
    Mutant("engine", "arena/engine.py", "t.button = next_seat(t, t.button)", "t.button = t.button",
           "tests/arena/test_cash_game.py -k button", "the button stays with kept stacks"),
    Mutant("engine", "arena/engine.py", "prf(key, 1 + seat)", "prf(key, 1)", "tests/arena/test_attacks.py -k stream",
           "all seats draw the same random numbers"),
    Mutant("engine", "arena/tournament.py", "np.rint(np.stack(levels))", "np.floor(np.stack(levels))",
           "tests/arena/test_tournament.py -k blinds", "blinds are rounded down"),
    Mutant("seating", "arena/seating.py", "return int(deal % seats)", "return 0",
           "tests/arena/test_seating.py", "the button does not move between drawn deals"),
    Mutant("seating", "arena/seating.py", "fraction *= seats - place", "fraction *= seats - 1 - place",
           "tests/arena/test_seating.py", "nobody stays in place when orders are drawn"),
    Mutant("solvers", "solvers/plans.py", "best = max(best, action_values[sequence])",
           "best = min(best, action_values[sequence])", "tests/solvers/test_openspiel.py -k kuhn",
           "a best response takes the worst"),
    Mutant("solvers", "solvers/cfr.py", "weight = float(t) if plus else 1.0", "weight = 1.0",
           "tests/solvers/test_openspiel.py -k cfr_plus_on_kuhn", "CFR+ averages without weights"),
    Mutant("solvers", "solvers/cfr.py", "regrets[sequence] = max(regret, 0.0) if plus else regret",
           "regrets[sequence] = regret", "tests/solvers/test_openspiel.py -k cfr_plus_on_kuhn",
           "CFR+ keeps negative regrets"),
    Mutant("solvers", "solvers/plans.py", "out[row, sequence] = rest * (1.0 - beyond)",
           "out[row, sequence] = 1.0 - beyond", "tests/solvers/test_exact.py -k gene_divides",
           "later actions forget earlier genes"),
    Mutant("stats", "stats/comparisons.py", "p_values[test] * (len(p_values) - rank)", "p_values[test] * len(p_values)",
           "tests/stats/test_bounded.py -k holm", "Bonferroni instead of Holm"),
    Mutant("stats", "stats/intervals.py", "float(sample.std(ddof=1)) / per_unit", "float(sample.std()) / per_unit",
           "tests/stats/test_stats.py", "the standard deviation of a population, not of a sample"),
    Mutant("stats", "arena/stakes.py", "return -float(most), float(most) * (seats - 1)",
           "return -float(most) / seats, float(most) * (seats - 1) / seats", "tests/arena/test_stakes.py",
           "a duplicate deal loses one stack at most"),
    Mutant("stats", "results/findings.py", "compare_all(places, (-reach, reach), any_stop=True)",
           "compare_all(places, (-reach, reach))", "tests/runs/test_arena_runs.py -k any_stop",
           "a series that can be extended is tested as if its length were declared"),
    Mutant("stats", "stats/shares.py", "betaincinv(count + 1, n - count, 0.975)", "betaincinv(count, n - count, 0.975)",
           "tests/stats/test_shares.py", "the upper end of an interval is too low"),
    Mutant("stats", "stats/style.py", "aggression=len(bold) / calls", "aggression=calls / len(bold)",
           "tests/stats/test_stats.py -k style", "calls for each raise"),
    Mutant("evolution", "evolution/variation.py", "if fitness[rival] > fitness[best]:",
           "if fitness[rival] < fitness[best]:", "tests/evolution/test_operators.py -k tournament",
           "tournaments are won by the less fit"),
    Mutant("evolution", "evolution/genetic.py", "(lowest + highest + 1) / 2.0", "lowest + 1.0",
           "tests/evolution/test_operators.py -k rank", "equals do not share their ranks"),
    Mutant("evolution", "evolution/variation.py", "(when == WITHOUT_CROSSOVER and crossed[row])",
           "(when == WITHOUT_CROSSOVER and not crossed[row])", "tests/evolution/test_operators.py -k mutation_may",
           "mutates where it should not"),
    Mutant("evolution", "evolution/hall.py", "if hall.fitness[place] < fitness[len(taken)]:",
           "if hall.fitness[place] <= fitness[len(taken)]:", "tests/evolution/test_halls.py -k equals",
           "equals replace each other"),
    Mutant("runs", "runs/checkpoint.py", "digest.update(arrays[name].tobytes())", "pass",
           "tests/runs/test_runs.py -k damaged", "a checkpoint's numbers are not sealed"),
    Mutant("runs", "runs/checkpoint.py", "[:-KEPT]", "[: -KEPT + 1]", "tests/runs/test_runs.py -k damaged",
           "one checkpoint is kept, not two"),
    Mutant("runs", "runs/store.py", "WHERE generation >= ?", "WHERE generation > ?",
           "tests/runs/test_runs.py -k recorded_once", "a resumed run keeps a row that it will write again"),
    Mutant("runs", "runs/run.py", "self.trainer.step(child(self.key, self.generation))",
           "self.trainer.step(child(self.key, 0))", "tests/runs/test_runs.py -k key_of_its_own",
           "every generation draws the same numbers"),
    Mutant("registry", "players/registry.py", "expanded += [name] * int(count)", "expanded += [name]",
           "tests/cli/test_holdem.py -k match_answers", "random*3 is one player"),
    Mutant("registry", "players/registry.py",
           "reject_unknown_parameters(name, parameters, PLAYERS[name].parameters)", "pass",
           "tests/players/test_battery.py -k refuses", "unknown parameters are not refused"),
    Mutant("networks", "players/network/inputs.py", "chips += min(paid(t, other), reach)", "chips += paid(t, other)",
           "tests/players/network/test_inputs.py -k short_stacks", "counts chips that a short stack cannot win"),
    Mutant("networks", "players/network/inputs.py", "position = int(memory[player, POSITION] + 1.0) % HANDS_REMEMBERED",
           "position = int(memory[player, POSITION])", "tests/players/network/test_inputs.py",
           "only the last hand is remembered"),
    Mutant("networks", "players/network/decision.py", "_HALF + _HALF * soft_tanh(_HALF * hidden[node])",
           "_HALF + _HALF * soft_tanh(hidden[node])", "tests/players/network/test_forward.py",
           "the logistic function is too steep"),
    Mutant("xcs", "players/xcs/learning/credit.py", "kappa[k] = accuracy * rules.counts[NUMEROSITY, i]",
           "kappa[k] = accuracy", "tests/players/xcs/test_xcs.py", "fitness ignores how many copies a rule has"),
    Mutant("xcs", "players/xcs/learning/credit.py", "rate = max(beta, 1.0 / counts[EXPERIENCE, i])", "rate = beta",
           "tests/players/xcs/test_xcs.py", "young rules do not take the mean"),
    Mutant("xcs", "players/xcs/learning/discovery.py", "if waited <= system.settings.theta_GA * total:",
           "if waited <= system.settings.theta_GA:", "tests/players/xcs/test_xcs.py -k breeds", "sets breed too often"),
    Mutant("loki", "players/loki/model.py", "return 1.0 - float(frequencies[RAISES])",
           "return float(frequencies[RAISES])",
           "tests/players/loki/test_loki.py -k fifth", "a rare raise tells of a weak hand"),
    Mutant("loki", "players/loki/postflop.py", "return effective_bet(value) - value.hs_n * value.npot",
           "return effective_bet(value)",
           "tests/players/loki/test_loki.py -k showdown_odds", "a hand that may fall behind counts in full"),
    Mutant("web", "web/security.py", "if origin is not None and _host_of(origin) != host:",
           "if origin is not None and _host_of(origin) == host:", "tests/web/test_security.py",
           "other pages may drive this one"),
    Mutant("web", "web/security.py", "if self.settings.token and not self._has_token(scope, headers):",
           "if self.settings.token and self._has_token(scope, headers):", "tests/web/test_security.py",
           "no token is needed"),
    Mutant("reports", "core/display.py", "spec in enumerate(specs, 1)", "spec in enumerate(specs)",
           "tests/cli/test_words.py -k numbered", "players are numbered from 0"),
    Mutant("reports", "reports/leaderboard.py", "if total >= 0.95:", "if total >= 0.5:",
           "tests/reports/test_report.py -k nineteen", "ranks hold half of a player's chances"),
]  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """By which target a mutant was killed, or what else became of it, and after how long."""

    mutant: Mutant
    target: str
    seconds: float


WORDS = ("-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-m")


def passes(src: Path, tests: str, slow: bool) -> bool | None:
    """Return whether tests pass with that source; None where there are none of the kind.

    A child of this process runs them, which has what takes longest to import already.
    """
    number = os.fork()
    if number == 0:
        _enter(src)
        os._exit(int(pytest.main([*WORDS, "slow" if slow else "not slow", *tests.split()])))
    code = _exit_code(number)
    if code == pytest.ExitCode.NO_TESTS_COLLECTED:
        return None
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise SystemExit(f"pytest {tests}: exit code {code}")
    return code == pytest.ExitCode.OK


def first_failing(src: Path, wanted: list[str]) -> str | None:
    """Return the first of these tests that fails with this source; one child runs them all."""
    number = os.fork()
    if number == 0:
        _enter(src)
        wrong = (place for place, tests in enumerate(wanted, 1) if pytest.main([*WORDS, "not slow", *tests.split()]))
        os._exit(next(wrong, 0))
    code = _exit_code(number, LONGEST * len(wanted))
    return wanted[code - 1] if code else None


def _enter(src: Path) -> None:
    """Be a child: see that source and say nothing."""
    os.chdir(HOME)
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(quiet, stream)
    sys.path.insert(0, str(src))
    os.environ |= {"PYTHONPATH": str(src)}


def _exit_code(number: int, seconds: float = LONGEST) -> int:
    """Return a child's exit code; a child that takes too long is killed and counts as failed."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(number, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(number, signal.SIGKILL)
    os.waitpid(number, 0)
    return int(pytest.ExitCode.TESTS_FAILED)


def judged(mutant: Mutant, src: Path, quick: bool) -> Outcome:
    """Put the bug in, run its tests, take it out."""
    file, began = src / "cardwin" / mutant.file, time.monotonic()
    text = file.read_text(encoding="utf-8")
    if text.count(mutant.old) != 1:
        return Outcome(mutant, f"stale: found {text.count(mutant.old)} times", 0.0)
    file.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
    try:
        target = "survived"
        if passes(src, mutant.tests, slow=False) is False:
            target = "gate"
        elif not quick and passes(src, mutant.tests, slow=True) is False:
            target = "test-all"
    finally:
        file.write_text(text, encoding="utf-8")
    return Outcome(mutant, target, time.monotonic() - began)


def chosen(quick: bool, only: str) -> list[Mutant]:
    """Return the mutants to try."""
    found = [one for one in MUTANTS if only in f"{one.part} {one.file} {one.bug}"]
    return list({one.part: one for one in reversed(found)}.values())[::-1] if quick else found


def table(outcomes: Iterable[Outcome]) -> str:
    """Render the outcomes as Markdown."""
    rows = [f"| {one.mutant.part} | `{one.mutant.file}` | {one.mutant.bug} | {one.target} |" for one in outcomes]
    return "\n".join(["| part | file | bug | killed by |", "|---|---|---|---|", *rows])


def main() -> int:
    """Try the mutants, and say which survived."""
    parser = argparse.ArgumentParser(description="Mutation test of the package.")
    parser.add_argument("--quick", action="store_true", help="one mutant of every part, and no slow tests")
    parser.add_argument("--only", default="", help="only mutants with this text in their part, file or bug")
    given = parser.parse_args()
    mutants = chosen(given.quick, given.only)
    with tempfile.TemporaryDirectory() as folder:
        src = Path(folder) / "src"
        shutil.copytree(HOME / "src", src, ignore=shutil.ignore_patterns("__pycache__"))
        if failing := first_failing(src, list(dict.fromkeys(one.tests for one in mutants))):
            raise SystemExit(f"pytest {failing} fails without any mutant: mend that first")
        outcomes = []
        for mutant in mutants:
            found = judged(mutant, src, given.quick)
            outcomes.append(found)
            print(f"{found.target:<10}{found.seconds:6.1f} s  {mutant.file}: {mutant.bug}", file=sys.stderr, flush=True)
    print(table(outcomes))
    survived = [one for one in outcomes if one.target not in ("gate", "test-all")]
    print(f"\n{len(outcomes) - len(survived)} of {len(outcomes)} killed", flush=True)
    return 1 if survived else 0


if __name__ == "__main__":
    raise SystemExit(main())
