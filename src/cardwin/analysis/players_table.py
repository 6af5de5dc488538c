"""A table of all players: local best response, exact value, result against a blueprint, in thousandths of a big blind.

Players come from the registry: every kind that needs no file, all shipped champions, and three Lokis. For each,
heads-up:

1. **lbr**: what a local best response wins from it, in no-limit and limit hold'em, with an interval valid at any stop.
   Players that are called in Python get a tenth of the hands.
2. **exact**: what a perfect opponent wins, in limit hold'em, for players that do not use their cards.
3. **blueprint**: what the player wins against each shipped blueprint (`cfr:…`) in its game, with AIVAT.

What cannot be measured has the reason instead. `measure` returns rows as plain data; they are kept in players.json,
which the gallery and the page read.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cardwin.analysis.holdem_exploitability import limit_betting
from cardwin.analysis.local_best_response import asked_in_python, local_best_response
from cardwin.arena.match import MatchOptions, match
from cardwin.core.errors import InputError
from cardwin.games.holdem.game import HoldemGame, holdem_game
from cardwin.games.specs import split_spec
from cardwin.players.compiled import compiled_players
from cardwin.players.loki.model import MODELS
from cardwin.players.registry import PLAYERS, champions, player
from cardwin.players.robots.blind import blind_play
from cardwin.players.specs import is_untrusted
from cardwin.results.match import judge_match
from cardwin.solvers.blind_response import best_response
from cardwin.stats.intervals import Estimate

FILE = Path(__file__).with_name("players.json")
SCHEMA = 1
GAMES = ("holdem-nl", "holdem-limit")
BLUEPRINT_GAMES = ("holdem-limit", "holdem-nl:stack=2000")
BLUEPRINT = "cfr"  # the kind
UNIT = "mbb/h"
PYTHON_SHARE = 10  # players called in Python get so many times fewer hands

Row = dict[str, Any]


def everybody() -> list[str]:
    """Return the specifications of all players that the table has."""
    shipped = champions()
    kinds = {spec.partition(":")[0] for spec in shipped}
    specs = [kind for kind, entry in PLAYERS.items() if not entry.needs_file and kind not in {*kinds, "loki", "blind"}]
    specs.insert(len(specs) - 1, "blind:call=.5,raise=.5")
    return [*specs, *(f"loki:model={model}" for model in MODELS), *shipped]


def measure(
    specs: Iterable[str],
    hands: int,
    seed: int,
    workers: int = 1,
    say: Callable[[str], None] | None = None,
    exact: bool = True,
) -> Iterator[Row]:
    """Yield the rows of players one by one; without `exact`, exact values are omitted and earlier ones are kept."""
    fitting = {game: blueprint_of(holdem_game(*split_spec(game))) for game in BLUEPRINT_GAMES}
    for spec in specs:
        if say is not None:
            say(spec)
        row: Row = {"player": spec, "lbr": {}, "blueprint": {}}
        if exact:
            row["exact"] = exact_value(spec, workers)
        for game in GAMES:
            row["lbr"][game] = lower_bound(game, spec, hands, seed, workers)
        for game, blueprint in fitting.items():
            if blueprint is not None and blueprint != spec:
                row["blueprint"][game] = against(game, spec, blueprint, hands, seed, workers)
        yield row


def lower_bound(game: str, spec: str, hands: int, seed: int, workers: int) -> Row:
    """Return what a local best response wins, or why it cannot be asked."""
    rules = holdem_game(*split_spec(game))
    in_python = is_untrusted(spec) or asked_in_python(compiled_players([player(spec)]), 0)
    try:
        response = local_best_response(
            rules, spec, max(1, hands // 2 // (PYTHON_SHARE if in_python else 1)), seed, workers=workers
        )
    except InputError as error:
        return {"why_not": str(error)}
    worst = response.situations[0]
    return {
        **_figures(response.won, _scale(rules)),
        "hands": response.hands,
        "seed": seed,
        "exact_chances": response.exact,
        "frozen": response.frozen,
        "most_by": f"{worst.street}: {worst.line}",
    }


def exact_value(spec: str, workers: int) -> float | None:
    """Return what a perfect opponent wins in limit hold'em, if that is known exactly."""
    play = None if is_untrusted(spec) else blind_play(player(spec))
    if play is None:
        return None
    return float(best_response(limit_betting(holdem_game("holdem-limit", {})), play, workers).exploitability)


def blueprint_of(game: HoldemGame) -> str | None:
    """Return the shipped blueprint that plays a game heads-up, if there is one."""
    for spec in champions():
        if spec.startswith(f"{BLUEPRINT}:"):
            try:
                match(game, [spec, "call"], 1, 1)
            except InputError:
                continue
            return spec
    return None


def against(game: str, spec: str, blueprint: str, hands: int, seed: int, workers: int) -> Row:
    """Return what the player wins against a blueprint, with AIVAT."""
    rules = holdem_game(*split_spec(game))
    try:
        record = match(rules, [spec, blueprint], hands, seed, workers, options=MatchOptions(reduce_variance=True))
    except InputError as error:
        return {"why_not": str(error)}
    findings = judge_match(record)
    return {
        **_figures(findings.players[0], _scale(rules)),
        "plain": findings.independent[0].mean * _scale(rules),
        "hands": record.hands,
        "seed": seed,
        "blueprint": blueprint,
        "value_function": record.value_function,
    }


def _scale(game: HoldemGame) -> float:
    """Return the thousandths of a big blind in a unit of the game's results."""
    return 1000 * game.chips_per_unit / game.min_bet if game.unit != UNIT else 1.0


def _figures(estimate: Estimate, scale: float) -> Row:
    return {"mean": estimate.mean * scale, "low": estimate.low * scale, "high": estimate.high * scale}


def read(path: Path = FILE) -> dict[str, Any]:
    """Return the stored table."""
    try:
        table: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        whole = table["schema"] == SCHEMA and isinstance(table["players"], list)
    except FileNotFoundError:
        raise InputError(f"{path} does not exist: cardwin yardsticks --measure --write {path} makes it") from None
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is not a table of players: {error}") from None
    if not whole:
        raise InputError(f"{path}: expected schema {SCHEMA}, got {table['schema']!r}: --measure makes a new table")
    return table


def merged(table: Mapping[str, Any] | None, rows: Iterable[Row]) -> dict[str, Any]:
    """Return a table with new rows in place of those of the same players, in the order of the registry."""
    known = {row["player"]: row for row in (table or {"players": []})["players"]}
    for row in rows:
        known[row["player"]] = {"exact": known.get(row["player"], {}).get("exact"), **row}
    order = {spec: index for index, spec in enumerate(everybody())}
    rows = sorted(known.values(), key=lambda row: order.get(row["player"], len(order)))
    return {"schema": SCHEMA, "unit": UNIT, "players": list(rows)}


HEADER = ("player", "LBR, no-limit", "LBR, limit", "exact, limit", "against the blueprint")


def cells(row: Row) -> tuple[str, ...]:
    """Return a row as texts, in the order of HEADER: a mean with its interval, or a dash."""
    blueprints = [f"{_between(cell)} ({cell['blueprint']})" for cell in row["blueprint"].values() if "mean" in cell]
    return (
        row["player"],
        *(_between(row["lbr"].get(game, {})) for game in GAMES),
        "–" if row["exact"] is None else f"{row['exact']:,.1f}",
        ", ".join(blueprints) or "–",
    )


def _between(cell: Row) -> str:
    if "mean" not in cell:
        return "–"
    return f"{cell['mean']:,.0f} ({cell['low']:,.0f} to {cell['high']:,.0f})"
