"""The command that trains players: robots that move a threshold, and classifier systems."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cardwin.cli.app import Json, Out, Resume, Workers, app, as_it_was
from cardwin.cli.output import note, print_json
from cardwin.errors import InputError
<<<<<<< HEAD

SPEC = "A learner: xcs, xcs:N=800,predictions=2, v2:down=.04,up=.01 or v3:file=v3.json."
=======
>>>>>>> main


@app.command()
def train(
<<<<<<< HEAD
    spec: Annotated[str | None, typer.Argument(metavar="SPEC", help=SPEC)] = None,
    problem: Annotated[str | None, typer.Option("--problem", metavar="NAME", help="A problem of known answer.")] = None,
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", help="The game to learn.")] = None,
    against: Annotated[list[str] | None, typer.Option("--against", metavar="SPEC", help="Rivals; repeatable.")] = None,
    hands: Annotated[int | None, typer.Option("--hands", "--trials", metavar="N", min=1, help="How long.")] = None,
    games: Annotated[int, typer.Option("--games", metavar="N", help="Sessions that a v2 or v3 plays.")] = 100,
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="At most so many rounds a session.")] = 1000,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", min=0, help="Same seed, same result.")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="The run's folder; for v2 and v3 the file.")] = None,
    resume: Annotated[Path | None, typer.Option("--resume", metavar="DIR", help="Go on with a training.")] = None,
    as_json: Json = False,
) -> None:
    """Train a player that learns by itself, and save it."""
    from cardwin.lab.xcs.start import is_xcs

    if (spec is None) == (resume is None):
        raise InputError("give a learner, such as xcs --problem multiplexer-11, or --resume DIR")
    if spec is not None and not is_xcs(spec):
        _train_robot(spec, game or "holdem-simple", against or [], games, rounds, seed, out, as_json)
        return
    if resume is not None and (problem or game or against or hands or out or seed is not None):
        raise InputError("--resume takes the training as it was: leave the other options away")
    _train_rules(spec or "", problem, game, against or [], hands, seed, out, resume, as_json)


def _train_rules(
    spec: str, problem: str | None, game: str | None, against: list[str], hands: int | None,
    seed: int | None, out: Path | None, resume: Path | None, as_json: bool,
) -> None:  # fmt: skip
    from cardwin.cli.progress import ProgressLine
    from cardwin.lab import launch
    from cardwin.lab.xcs import start

    try:
        if resume is not None:
            answer = start.with_file(launch.resume(resume, 1, ProgressLine(), "train"))
        else:
            answer = start.train(spec, problem, game, against, hands, seed, out, ProgressLine(), note)
    except launch.Stopped as stopped:
        note(f"\n{stopped}")
        raise typer.Exit(130) from None
    print_json(answer) if as_json else _show(answer)


def _show(answer: dict[str, Any]) -> None:
    for name in ("accuracy", "steps", "value"):
        if name in answer:
            best = answer.get("best_possible", answer.get("best_response"))
            known = f" (best possible: {best:.4f})" if best is not None else ""
            lived = answer.get("trials", answer.get("hands"))
            print(f"{name} {answer[name]:.4f}{known} after {lived:,}, by {answer['rules']} rules")
    print(f"rules: {answer['file']}\nreport: {answer['run']}/report.html")
    print(f"seed {answer['seed']}, digest {answer['digest']}, {answer['seconds']:.1f} s")


def _train_robot(
    spec: str, game: str, against: list[str], games: int, rounds: int,
    seed: int | None, out: Path | None, as_json: bool,
) -> None:  # fmt: skip
    from cardwin.arena.session import SessionRules
    from cardwin.games.holdem import holdem_game
    from cardwin.games.parameters import split_spec
    from cardwin.learn import thresholds
    from cardwin.players.learner import Learner, save
    from cardwin.players.registry import expand_specs, player
    from cardwin.rng import fresh_seed, key_of

    learner, _ = player(spec), [player(rival) for rival in expand_specs(against)]
    if not isinstance(learner, Learner):
        raise InputError(f"{spec} does not learn: train xcs, v2 or v3:file=FILE")
    if not against or out is None:
        raise InputError(f"{spec} needs rivals and a file: --against SPEC --out v3.json")
    if seed is None:
        seed = fresh_seed()
        note(f"seed {seed}")
    table = holdem_game(*split_spec(game))
    training = thresholds.train(table, learner, against, games, key_of(seed, "train"), SessionRules(rounds))
    save(out, learner)
    learnt = {step.name: learner.value(step.name) for step in learner.learnt}
    share = training.share_won() if training.tally.sum() else None
    if as_json:
        print_json({"game": table.name, "games": games, "seed": seed, "learnt": learnt,
                    "settled": training.settled().tolist(), "share_won": share, "file": str(out)})  # fmt: skip
        return
    for step, settled in zip(learner.learnt, training.settled(), strict=True):
        print(f"{step.name} {learnt[step.name]:.3f}, over the second half of {games} games {settled:.3f} on average")
        print(f"its steps balance at {step.balance:.0%} of hands won; it won {share or 0:.0%}")
    print(f"saved: {out} (play it as v3:file={out})")
=======
    context: typer.Context,
    spec: Annotated[
        str | None, typer.Argument(metavar="SPEC", help="A learner: v2:down=.04,up=.01 or v3:file=v3.json.")
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option("--against", metavar="SPEC", help="Rivals; may be given repeatedly.")
    ] = None,
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Any hold'em game.")] = "holdem-simple",
    games: Annotated[int, typer.Option("--games", metavar="N", help="Games to play.")] = 100,
    rounds: Annotated[int, typer.Option("--rounds", metavar="N", help="At most so many rounds a game.")] = 1000,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Same seed, same result.")] = None,
    out: Out = None,
    resume: Resume = None,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Train a robot that learns by itself, game after game; it lies in the run's champions/."""
    from cardwin.cli.progress import answer_of
    from cardwin.lab import launch

    if resume is not None:
        as_it_was(context, "against")
        trusted = against or []
        answer = answer_of(lambda watch: launch.resume(resume, workers, watch, "train", trusted), "game")
    elif spec is None or not against:
        raise InputError("give a learner and --against its rivals, such as v2 --against standard*2, or --resume DIR")
    else:
        values: dict[str, Any] = {"learner": spec, "against": against, "game": game, "games": games, "rounds": rounds}
        answer = answer_of(lambda watch: _start(values, seed, out, workers, watch), "game")
    print_json(answer) if as_json else _show(answer)


def _start(values: dict[str, Any], seed: int | None, out: Path | None, workers: int, watch: Any) -> dict[str, Any]:
    from cardwin.lab import launch
    from cardwin.lab.experiment import check

    experiment = check({"kind": "training", "seed": seed, **values}, "train")
    return launch.start("train", experiment, out, workers, watch, note)


def _show(answer: dict[str, Any]) -> None:
    games, share = answer["games"], answer["share_won"]
    rows = zip(answer["learnt"].items(), answer["settled"], answer["balance"], strict=True)
    for (name, value), settled, balance in rows:
        print(f"{name} {value:.3f}, over the second half of {games} games {settled:.3f} on average")
        print(f"its steps balance at {balance:.0%} of hands won; it won {share or 0:.0%}")
    print(f"saved: {answer['file']} (play it as v3:file={answer['file']})")
    print(f"report: {answer['run']}/report.html; seed {answer['seed']}, digest {answer['digest']}")
>>>>>>> main
