"""Commands for the tables of the Annual Computer Poker Competition: a dealer, and a player at another dealer."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardwin.cli.app import Json, app
from cardwin.cli.arena_tables import print_match
from cardwin.cli.output import note, print_json
from cardwin.cli.progress import progress_bar
from cardwin.core.errors import InputError

if TYPE_CHECKING:
    from cardwin.games.base import Game
    from cardwin.games.formats.acpc_game import GameFile

Limit = Annotated[
    float, typer.Option("--time-limit", metavar="S", help="Seconds per action for other people's programs.", min=0)
]
AllowWeak = Annotated[
    bool, typer.Option("--allow-weak-sandbox", help="Play programs where the system cannot isolate them well.")
]


def _game_file(path: Path) -> "GameFile | Game":
    from cardwin.arena.acpc.small import small_game_of
    from cardwin.games.formats.acpc_game import read_game

    try:
        text = path.read_text(encoding="utf-8")
        return small_game_of(text) or read_game(text)
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{path} cannot be read: a game file of the ACPC dealer is needed") from None


@app.command()
def deal(
    file: Annotated[Path, typer.Argument(metavar="FILE.game", help="A game file of the ACPC dealer.")],
    specs: Annotated[list[str], typer.Argument(metavar="SPEC...", help="Players; acpc:PORT waits for a client.")],
    hands: Annotated[int, typer.Option("--hands", metavar="N", help="Number of hands over all seatings.")] = 1000,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="N", help="Repeat these cards; without it they come from secrets.")
    ] = None,
    duplicate: Annotated[
        bool, typer.Option("--duplicate", help="Play every deal once in each seating, with the same cards.")
    ] = False,
    log: Annotated[
        Path | None, typer.Option("--log", metavar="FILE.log", help="Write the dealer's log to this new file.")
    ] = None,
    limit: Limit = 10.0,
    allow_weak: AllowWeak = False,
    as_json: Json = False,
) -> None:
    """Deal a match as the ACPC dealer does, write its log, and report the results with confidence intervals.

    A malformed, invalid or late response ends the match, as the protocol says. With --duplicate a client connects to
    acpc:PORT once for each seating.
    """
    from cardwin.arena.acpc.dealer import deal_match
    from cardwin.core.files import check_output
    from cardwin.core.kernel import clock
    from cardwin.games.formats.acpc_game import GameFile
    from cardwin.players.specs import Untrusted, expand_specs
    from cardwin.results.match import judge_match, match_answer
    from cardwin.runs.commitments import fairness, sandbox_for

    if hands < 1:
        raise InputError(f"--hands {hands}: at least one hand is dealt")
    if log is not None:
        check_output(log, "--log")
    table, names, start = _game_file(file), expand_specs(specs), clock()
    about = f"{(log or file).stem} {file.name}"
    for port in dict.fromkeys(spec for spec in names if spec.startswith("acpc:") and spec[5:].isdecimal()):
        note(f"waiting for clients at 127.0.0.1, port {port[5:]}")
    if not isinstance(table, GameFile):
        _deal_small(table, names, hands, seed, duplicate, limit, allow_weak, log, about, as_json)
        return
    walls = sandbox_for(names, Untrusted(limit, allow_weak_sandbox=allow_weak))
    with progress_bar(hands, "hands") as progress:
        dealt = deal_match(
            table, names, hands, seed, duplicate=duplicate, limit=limit, allow_weak=allow_weak, log=log,
            about=about, progress=progress,
        )  # fmt: skip
    if not dealt.record.deals:
        raise InputError(f"the match ended before a deal was complete: {dealt.ended}")
    findings = judge_match(dealt.record)
    answer = match_answer(dealt.record, findings) | fairness(names, seed, walls)
    answer["secrets"] = [{"commitment": one.commitment, "secret": one.secret} for one in dealt.record.secrets]
    answer |= {"ended": dealt.ended or None, "log": None if log is None else str(log)}
    answer["seconds"] = round(clock() - start, 3)
    if as_json:
        print_json(answer)
    else:
        print_match(dealt.record, findings, answer)
        if dealt.ended:
            print(f"the match ended early: {dealt.ended}")
    if dealt.ended:
        raise typer.Exit(1)


def _deal_small(
    game: "Game", specs: list[str], hands: int, seed: int | None, duplicate: bool, limit: float, allow_weak: bool,
    log: Path | None, about: str, as_json: bool,
) -> None:  # fmt: skip
    """Deal a small game between policies and clients, and report what each won."""
    import numpy as np

    from cardwin.arena.acpc.small import deal_small
    from cardwin.core.rng import random_seed
    from cardwin.games.small.observation import shape_of
    from cardwin.results.answers import estimate_answer
    from cardwin.stats.intervals import blocked, bounded_mean

    seed = random_seed() if seed is None else seed
    how = {"duplicate": duplicate, "allow_weak": allow_weak}
    dealt = deal_small(game, specs, hands, seed, limit=limit or None, log=log, about=about, **how)
    per_deal, most = 2 if duplicate else 1, float(shape_of(game).max_chips)
    whole = len(dealt.won) // per_deal * per_deal
    if not whole:
        raise InputError(f"the match ended before a deal was complete: {dealt.ended}")
    chips = blocked(np.array(dealt.won[:whole], np.float64), per_deal)
    found = [bounded_mean(chips[:, who], (-most, most), 1.0) for who in (0, 1)]
    answer = {
        "game": game.name, "hands": whole, "seed": seed, "ended": dealt.ended or None,
        "log": None if log is None else str(log),
        "players": [
            {"spec": spec, **estimate_answer(one), "unit": "chips/h"} for spec, one in zip(specs, found, strict=True)
        ],
    }  # fmt: skip
    if as_json:
        print_json(answer)
    else:
        for spec, one in zip(specs, found, strict=True):
            print(f"{spec:<24}{one.mean:+.4f} ({one.low:.4f} to {one.high:.4f}) chips/h")
        print(f"{whole} hands of {game.name}, seed {seed}" + (f"; ended early: {dealt.ended}" if dealt.ended else ""))
    if dealt.ended:
        raise typer.Exit(1)


@app.command()
def connect(
    host: Annotated[str, typer.Argument(metavar="HOST", help="The dealer's machine.")],
    port: Annotated[int, typer.Argument(metavar="PORT", help="The dealer's port for this player.", min=1, max=65535)],
    file: Annotated[Path, typer.Option("--game", metavar="FILE.game", help="The game file of the dealer.")],
    spec: Annotated[str, typer.Option("--player", metavar="SPEC", help="The player to seat there.")],
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Seed of the player's own choices.")] = None,
    wait: Annotated[
        float, typer.Option("--wait", metavar="S", help="Longest silence of the dealer, in seconds.", min=0.01)
    ] = 600.0,
    limit: Limit = 2.0,
    as_json: Json = False,
) -> None:
    """Play at a dealer of the Annual Computer Poker Competition until it closes the connection."""
    import numpy as np

    from cardwin.arena.acpc.connection import Responder, holdem_seat, play_at
    from cardwin.arena.acpc.small import SmallSeat
    from cardwin.arena.stakes import chips_at_stake
    from cardwin.core.rng import random_seed
    from cardwin.games.formats.acpc_game import GameFile
    from cardwin.games.small.observation import shape_of
    from cardwin.results.answers import conduct_answer, digits_of, estimate_answer
    from cardwin.stats.intervals import bounded_mean

    table, own = _game_file(file), random_seed() if seed is None else seed
    if isinstance(table, GameFile):
        seat: Responder = holdem_seat(table, spec, own, limit or None)
        seats, unit, chips = len(table.stacks), table.game.unit, table.game.chips_per_unit
        stake = chips_at_stake(table.game, seats)
    else:
        seat, seats, unit, chips = SmallSeat(table, spec, own, limit or None), 2, "chips/h", 1.0
        stake = shape_of(table).max_chips
    score = play_at(host, port, seat, wait)
    most = float(max(stake, max(map(abs, score.won))))
    found = bounded_mean(np.array(score.won, np.float64), (-most, most * (seats - 1)), chips)
    answer = {
        "game": file.name, "player": spec, "hands": len(score.won), "chips": sum(score.won), "unit": unit,
        **estimate_answer(found), **conduct_answer(score.report, 0),
        "first_faults": [str(fault) for fault in score.report.first], "note": score.note or None,
    }  # fmt: skip
    if as_json:
        print_json(answer)
        return
    digits = digits_of(unit)
    print(f"{len(score.won)} hands, {sum(score.won):+d} chips, {found.mean:+.{digits}f} "
          f"({found.low:.{digits}f} to {found.high:.{digits}f}) {unit}")  # fmt: skip
    for fault in answer["first_faults"]:
        print(f"  {fault}")
    if score.note:
        print(score.note)
