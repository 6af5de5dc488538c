"""Write the gallery: all registered players and games as Markdown tables, `python tools/gallery.py [FOLDER]`.

1. players.md: the style of every player over hands against three opponents, its kind and source, and the command that
   made it; a picture of each opening range before the flop.
2. games.md: the exact value of every small game, the exploitability of its models, and two equilibria.
3. yardsticks.md: the stored table of `cardwin yardsticks`.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import chdir
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cardwin.games import GAMES, SMALL_GAMES, game
from cardwin.games.specs import split_spec
from cardwin.players.champions import COMMANDS
from cardwin.players.champions import names as shipped
from cardwin.players.network import by_hand
from cardwin.players.network.atlas import SHIPPED
from cardwin.players.registry import PLAYERS

if TYPE_CHECKING:
    from cardwin.solvers.equilibria import Solution
    from cardwin.solvers.policy import Policy

HANDS = 1000
OPPONENTS = ("standard", "call", "random")
STYLES = ("10-10-2", "40-10-0", "60-40-2")  # networks of the atlas that are shown: tight, loose and passive, loose
EQUILIBRIA = ("kuhn", "onecard")  # games whose equilibrium is shown
FIGURES = {"vpip": "VPIP", "pfr": "PFR", "fold_to_bet": "folds to a bet", "showdown": "showdowns", "bluff": "bluffs"}
CHEN = "[Chen (2018)](../papers/chen.md)"
LOPEZ = "[López Pozuelo (2015)](../papers/lopez-pozuelo.md)"
GAME_SOURCES = {
    "kuhn": f"Kuhn (1950), with the genes of {LOPEZ}",
    "kuhn-breadth": f"{LOPEZ}, chapter 4",
    "kuhn-depth": f"{LOPEZ}, chapter 4",
    "kuhn-full": f"{LOPEZ}, chapter 4",
    "kuhn-13": f"{LOPEZ}, section 4.3.1",
    "onecard": "[Morsomme (2019)](../papers/morsomme.md), section 2.1",
    "onecard-10": "[Morsomme (2019)](../papers/morsomme.md), section 4",
    "leduc": "Southey and others (2005)",
    "holdem-nl": "the game of [Nicolai and Hilderman](../papers/nicolai.md)",
    "holdem-limit": "the game of [Reveley (2002)](../papers/reveley.md), section 1",
    "holdem-simple": f"the table of {CHEN}",
}


@dataclass(frozen=True)
class Exhibit:
    """A player of the gallery: its displayed name, the specification that builds it on this machine, and its kind."""

    name: str
    spec: str
    kind: str

    @property
    def game(self) -> str:
        """The game it is shown in."""
        entry = PLAYERS[self.kind]
        return entry.games.get(self.name.partition(":")[2], entry.game)

    @property
    def picture(self) -> str:
        """The file name of its picture."""
        return f"{self.name.replace(':', '-').replace('/', '-')}.png"


def exhibits(folder: Path) -> list[Exhibit]:
    """Return every registered player: directly, with each shipped champion, or from an example file."""
    players: list[Exhibit] = []
    for kind, entry in PLAYERS.items():
        champions = [f"{kind}:{name}" for name in shipped(entry.suffix)] if entry.suffix else []
        champions += [f"{kind}:{SHIPPED}/{style}" for style in STYLES] if kind == "net" else []
        if champions:
            players += [Exhibit(spec, spec, kind) for spec in champions]
        elif entry.example:
            players.append(Exhibit(kind, entry.make_example(folder), kind))
        else:
            players.append(Exhibit(kind, kind, kind))
    return players


# --- players -------------------------------------------------------------------------------------------------------

PLAYERS_HEAD = f"""# Players

```
$ cardwin match net:champion standard --hands 1000 --duplicate --seed 1
$ cardwin explain hand.phh --seat 1 --player loki
```
Every registered player of hold'em. `cardwin players` lists them with their strength;
[how good are they?](yardsticks.md) has lower bounds on their exploitability. Policies of small games
are on [the page of games](games.md).

## Style
Percent, with 95% intervals, over {HANDS:,} hands at a table with {", ".join(f"`{spec}`" for spec in OPPONENTS)}
(blueprints, which play heads-up only: with `{OPPONENTS[0]}`). VPIP: hands with chips put in voluntarily before the
flop. PFR: hands raised before the flop. Bluffs: bets and raises after the flop with a hand that beats less than half of
all others. Aggression: bets and raises per call. The opening is a picture of the 169 hands on the button heads-up: how
often each raises (red), calls (green) and folds (grey).

![What standard opens with](standard.png)
"""
PLAYERS_TAIL = f"""
Examples: {{examples}}. The `net:atlas/…` players are three of the 53 networks of the
[atlas of styles](../how-to/style-atlas.md). `net:by-hand` and `net:by-hand-2` are written by hand
(`{by_hand.__name__}`), with {by_hand.NAMES["by-hand"]} and {by_hand.NAMES["by-hand-2"]} hidden nodes.
"""


def player_page(folder: Path) -> str:
    """Return all players as Markdown; their pictures go into the folder."""
    folder = folder.resolve()
    # Random numbers depend on specifications, so those of example files are relative.
    with tempfile.TemporaryDirectory() as examples, chdir(examples):
        rows = [_style_row(exhibit, folder) for exhibit in exhibits(Path())]
    kinds = [(f"`{kind}`", entry.title, entry.source) for kind, entry in PLAYERS.items()]
    about = [f"`{kind}` is {entry.example_about}" for kind, entry in PLAYERS.items() if entry.example_about]
    commands = [(f"`{name}`", f"`{made['command']}`") for name, made in COMMANDS.items()]
    return "\n".join(
        [
            PLAYERS_HEAD,
            *_table(("player", *FIGURES.values(), "aggression", "opening"), rows),
            PLAYERS_TAIL.format(examples="; ".join(about)),
            "## Kinds",
            *_table(("kind", "description", "source"), kinds),
            "",
            "## Commands that made the shipped players",
            "`python tools/make_champions.py NAME` repeats one, bit for bit.",
            "",
            *_table(("name", "command"), commands),
            "",
        ]
    )


def _style_row(exhibit: Exhibit, folder: Path) -> tuple[str, ...]:
    from cardwin.analysis.playing_style import style
    from cardwin.games.holdem.game import holdem_game
    from cardwin.reports.range_pictures import draw_opening

    rules = holdem_game(*split_spec(exhibit.game))
    opponents = OPPONENTS[:1] if PLAYERS[exhibit.kind].heads_up else OPPONENTS
    draw_opening(folder / exhibit.picture, rules, exhibit.spec)
    result = style(rules, exhibit.spec, opponents, HANDS)
    print(exhibit.name, file=sys.stderr, flush=True)
    shares = [_share(result["figures"].get(name)) for name in FIGURES]
    aggression = "–" if result["aggression"] is None else f"{result['aggression']:.2f}"
    return f"`{exhibit.name}`", *shares, aggression, f"[picture]({exhibit.picture})"


def _share(figure: dict[str, Any] | None) -> str:
    if figure is None:
        return "–"
    mean, low, high = (round(100 * figure[name]) for name in ("mean", "low", "high"))
    return f"{mean} ({low} to {high})"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (header, ["---"] * len(header), *rows)]


# --- games ---------------------------------------------------------------------------------------------------------

GAMES_HEAD = """# Games

```
$ cardwin solve kuhn
kuhn: value -1/18 = -0.0555556 chips per hand for seat 1
```
Every registered game. The value is in chips per hand for seat 1 in equilibrium; fractions are certified in rational
arithmetic ([how](../explanation/exactness.md)). `cardwin show equilibrium --game NAME` prints an equilibrium of any
small game.
"""


def game_page() -> str:
    """Return all games as Markdown."""
    import cardwin
    from cardwin.players.small_games.kuhn_models import models

    solutions = {name: cardwin.solve(name) for name in SMALL_GAMES if name in GAMES}
    rows = [_game_row(name, solutions.get(name)) for name in GAMES]
    exploitabilities = {
        name: {model: cardwin.exploitability(name, model).exploitability for model in models(game(name))}
        for name in solutions
        if models(game(name))
    }
    names = list(dict.fromkeys(model for results in exploitabilities.values() for model in results))
    cells = [
        (f"`{name}`", *(f"{results[model]:.4f}" if model in results else "–" for model in names))
        for name, results in exploitabilities.items()
    ]
    lines = [GAMES_HEAD, *_table(("game", "rules", "value", "information sets", "source"), rows), ""]
    lines += ["## Exploitability of the models", "In chips per hand.", ""]
    lines += [*_table(("game", *(f"`{name}`" for name in names)), cells), ""]
    for name in EQUILIBRIA:
        lines += _equilibrium(name, solutions[name].policy)
    return "\n".join(lines)


def _game_row(name: str, solution: "Solution | None") -> tuple[str, ...]:
    if solution is None:
        return f"`{name}`", f"{game(name).title} ([rules](../holdem.md))", "unknown", "too many", GAME_SOURCES[name]
    value = solution.fraction or f"{solution.value:.6f} (floats, exploitable by {solution.exploitability:.0e})"
    sets = " + ".join(str(len(sequences.infosets)) for sequences in solution.policy.tree.sequences)
    return f"`{name}`", game(name).title, value, sets, GAME_SOURCES[name]


def _equilibrium(name: str, policy: "Policy") -> list[str]:
    """Return the tables of both seats: a row for each card, a column for each line of betting."""
    lines = [f"## An equilibrium of {name}"]
    for seat in (0, 1):
        choices = {tuple(knows.split(" after ")): _choices(played) for knows, played in policy.choices(seat)}
        cards = [card for card, _ in game(name).start().chance_outcomes()]
        histories = list(dict.fromkeys(key[1:] for key in choices))
        header = [f"seat {seat + 1}", *(f"after {history[0]}" if history else "first" for history in histories)]
        rows = [(card, *(choices[card, *history] for history in histories)) for card in cards]
        lines += ["", *_table(header, rows)]
    return [*lines, ""]


def _choices(choices: Iterable[tuple[Any, Fraction]]) -> str:
    played = [(action, chance) for action, chance in choices if chance]
    if len(played) == 1:
        return str(played[0][0])
    return ", ".join(f"{action}: {_chance(chance)}" for action, chance in played)


def _chance(chance: Fraction) -> str:
    return str(chance) if chance.denominator <= 1000 else f"{float(chance):.3f}"


# --- yardsticks ----------------------------------------------------------------------------------------------------

YARDSTICKS_HEAD = """# How good are they?

```
$ cardwin yardsticks standard net:champion
```
Every player heads-up, in thousandths of a big blind per hand (mbb/h), with 95% intervals. A player that folds every
hand loses 750. [How good is it?](../explanation/how-good.md) explains what each yardstick can and cannot tell.

- **LBR**: what a local best response won from the player, a lower bound on its exploitability. A low or negative number
  proves nothing.
- **Exact**: what a perfect opponent wins in limit hold'em, known for players that do not use their cards.
- **Against the blueprint**: what the player won against a shipped CFR blueprint, corrected by AIVAT.

`cardwin yardsticks --measure --write FILE.json` measures again.
"""


def yardstick_page() -> str:
    """Return the stored table of all players as Markdown."""
    from cardwin.analysis import players_table

    rows = players_table.read()["players"]
    lines = [f"| {' | '.join(players_table.HEADER)} | hands |", "|---" + "|---:" * len(players_table.HEADER) + "|"]
    for row in rows:
        name, *rest = players_table.cells(row)
        hands = "/".join(f"{lbr['hands']:,}" for lbr in row["lbr"].values() if "hands" in lbr) or "–"
        lines.append(f"| `{name}` | {' | '.join(rest)} | {hands} |")
    frozen, asked = (
        [f"`{row['player']}`" for row in rows if any(lbr.get(name) is value for lbr in row["lbr"].values())]
        for name, value in (("frozen", True), ("exact_chances", False))
    )
    notes = [f"Frozen, because they remember earlier hands: {', '.join(frozen)}."] if frozen else []
    notes += [f"Asked once per holding, because they simulate: {', '.join(asked)}."] if asked else []
    return "\n".join([YARDSTICKS_HEAD, *lines, "", *notes, ""])


def make(folder: Path) -> None:
    """Write all pages and pictures into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "games.md").write_text(game_page(), encoding="utf-8")
    (folder / "yardsticks.md").write_text(yardstick_page(), encoding="utf-8")
    (folder / "players.md").write_text(player_page(folder), encoding="utf-8")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description="Make the gallery's pages and pictures.")
    options.add_argument("folder", type=Path, nargs="?", default=Path("docs/gallery"))
    make(options.parse_args().folder)
