"""Commands for long runs: training of robots, classifier systems and blueprints; reproductions of papers."""

from enum import StrEnum
from typing import Annotated, Any

import typer
from typer import Argument, Option

from cardwin.cli.app import Cluster, Json, Out, Report, Resume, Workers, app, reject_changed_options, seed_option
from cardwin.cli.output import note, print_json, print_run_end, resume_run, run_with_progress, start_run
from cardwin.core.errors import InputError

CFR = "cfr"


@app.command()
def train(
    context: typer.Context,
    spec: Annotated[
        str | None,
        Argument(
            metavar="SPEC", help="A learner: xcs, xcs:N=800,predictions=2, v2:down=.04,up=.01, v3:file=v3.json; or cfr."
        ),
    ] = None,
    problem: Annotated[str | None, Option(metavar="NAME", help="For xcs: woods1, multiplexer-11 ...")] = None,
    against: Annotated[
        list[str] | None, Option(metavar="SPEC", help="Opponents, one per seat; may be repeated.")
    ] = None,
    game: Annotated[str | None, Option(metavar="GAME", help="The game; default holdem-simple.")] = None,
    hands: Annotated[
        int | None, Option("--hands", "--trials", metavar="N", min=1, help="For xcs: number of hands or trials.")
    ] = None,
    games: Annotated[int | None, Option(metavar="N", min=1, help="Number of games; default 100.")] = None,
    iterations: Annotated[
        int | None, Option(metavar="N", min=1, help="For cfr: deals, each walked for both seats.")
    ] = None,
    hours: Annotated[float | None, Option(metavar="H", help="For cfr: as many deals as take this time here.")] = None,
    rounds: Annotated[int, Option(metavar="N", help="Maximum number of rounds per game.")] = 1000,
    seed: Annotated[int | None, seed_option("Same seed, same result.")] = None,
    out: Out = None,
    resume: Resume = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    report: Report = True,
    as_json: Json = False,
) -> None:
    """Train a learning player, game by game; the result is written to champions/ in the run's folder."""
    from cardwin.players.xcs.training.experiment import experiment_values, is_xcs
    from cardwin.runs import launch
    from cardwin.runs.experiment import check

    if spec != CFR and (hours is not None or (iterations is not None and resume is None)):
        raise InputError("unexpected --iterations or --hours, which are for cfr: expected --hands or --games")
    start = launch.Launch(out, workers, cluster, report)
    if resume is not None:
        reject_changed_options(context, "against", "games", "hands", "iterations")
        lengths = {"games": games, "hands": hands, "iterations": iterations}
        answer = resume_run(resume, "train", start, lengths=lengths, trusted=against or ())
    elif spec is not None and is_xcs(spec):
        name, keys = experiment_values(spec, problem, game, against or [], hands, seed)
        experiment = check(keys, spec)
        answer = run_with_progress(lambda shown: launch.start(name, experiment, shown), start)
    elif spec == CFR:
        if problem or against or games or hands:
            raise InputError("cfr learns by playing against itself: expected only --game and --iterations or --hours")
        keys = _blueprint_values(game, iterations, hours, seed, workers)
        answer = start_run(CFR, keys, seed, start, "block")
    elif spec is None or not against:
        raise InputError("expected a learner and its opponents, such as v2 --against standard*2, or --resume DIR")
    else:
        values: dict[str, Any] = {"learner": spec, "against": against, "games": games or 100, "rounds": rounds}
        values |= {"game": game} if game else {}
        answer = start_run("training", values, seed, start, "game")
    print_json(answer) if as_json else _print_training(answer)


def _blueprint_values(
    game: str | None, iterations: int | None, hours: float | None, seed: int | None, workers: int
) -> dict[str, Any]:
    """Return the keys of a blueprint's experiment; hours are converted to deals by timing some blocks."""
    from cardwin.core.executor import open_executor
    from cardwin.players.cfr.training import MAX_HOURS, CfrExperiment, check, default_keys, iterations_in

    keys = default_keys(game or "holdem-limit")
    if hours is None:
        return keys | ({} if iterations is None else {"iterations": iterations})
    if iterations is not None:
        raise InputError("expected --iterations or --hours, got both")
    if not 0 < hours <= MAX_HOURS:
        raise InputError(f"expected --hours above 0 and at most {MAX_HOURS:g}, got {hours:g}")
    experiment = CfrExperiment(seed=seed, **keys)
    check(experiment)
    with open_executor(workers) as executor:
        iterations = iterations_in(experiment, hours, executor)
    note(f"{hours:g} hours are about {iterations:,} deals on this machine")
    return keys | {"iterations": iterations}


def _print_training(answer: dict[str, Any]) -> None:
    """Print what a training reached."""
    if "button_value" in answer:
        _print_blueprint(answer)
    elif "learnt" in answer:
        _print_thresholds(answer)
    else:
        _print_rules(answer)
    print_run_end(answer)


def _print_blueprint(answer: dict[str, Any]) -> None:
    print(f"{answer['iterations']:,} deals, {answer['nodes']:,} nodes, {answer['information_sets']:,} information sets")
    print(f"the button wins {answer['button_value']:+.1f} mbb per game during the training")
    print(f"blueprint: {answer['file']}, {answer['bytes']:,} bytes (play it as cfr:{answer['file']})")


def _print_thresholds(answer: dict[str, Any]) -> None:
    games, share = answer["games"], answer["share_won"]
    rows = zip(answer["learnt"].items(), answer["settled"], answer["balance"], strict=True)
    for (name, value), mean, balance in rows:
        print(f"{name} {value:.3f}, mean over the second half of {games} games {mean:.3f}")
        print(f"its steps are balanced at {balance:.0%} of hands won; it won {share or 0:.0%}")
    print(f"player: {answer['file']} (play it as v3:file={answer['file']})")


def _print_rules(answer: dict[str, Any]) -> None:
    trials = answer.get("trials", answer.get("hands"))
    best = answer.get("best_possible", answer.get("best_response"))
    known = f" (best possible: {best:.4f})" if best is not None else ""
    if "small_bets_per_hand" in answer:
        won, half, judges = answer["small_bets_per_hand"], answer["ci95"], ", ".join(answer["judges"])
        print(
            f"wins {won:+.3f} ± {half:.3f} (95%) small bets per hand against {judges} "
            f"({answer['deals']:,} duplicate deals)"
        )
        print(f"after {trials:,} hands, with {answer['rules']:,} rules (play it as xcs:{answer['file']})")
    for name in ("accuracy", "steps", "value"):
        if name in answer:
            print(f"{name} {answer[name]:.4f}{known} after {trials:,}, with {answer['rules']} rules")
    print(f"rules: {answer['file']}")


class Scale(StrEnum):
    """The time that a reproduction may take."""

    SECONDS = "seconds"
    MINUTES = "minutes"
    HOUR = "hour"
    PAPER = "paper"


def known_papers() -> str:
    """Return the names of the papers, read from the folders; the registry itself would import large packages."""
    from importlib.resources import files

    folders = (path.name for path in files("cardwin").joinpath("papers").iterdir() if path.is_dir())
    names = sorted(name.replace("_", "-") for name in folders if not name.startswith("_"))
    return f"{', '.join(names[:-1])} or {names[-1]}."


@app.command()
def reproduce(
    context: typer.Context,
    paper: Annotated[str | None, Argument(metavar="PAPER", help=known_papers())] = None,
    experiment: Annotated[str | None, Argument(metavar="[EXPERIMENT]", help="One experiment; default: all.")] = None,
    scale: Annotated[Scale, Option(help="How long it may take; paper repeats the authors' sizes.")] = Scale.SECONDS,
    seed: Annotated[int | None, seed_option("Same seed, same findings.")] = None,
    out: Out = None,
    resume: Resume = None,
    workers: Workers = 1,
    cluster: Cluster = None,
    report: Report = True,
    as_json: Json = False,
) -> None:
    """Reproduce a paper: its published numbers, our measurements, exact values, and verdicts."""
    from cardwin.papers import PAPERS
    from cardwin.runs.launch import Launch

    start = Launch(out, workers, cluster, report)
    if resume is not None:
        reject_changed_options(context)
        answer = resume_run(resume, "reproduce", start, "experiment")
    elif paper is None:
        raise InputError(f"expected a paper ({', '.join(PAPERS)}), or --resume DIR")
    else:
        values = {"paper": paper, "experiment": experiment, "scale": scale.value}
        answer = start_run("reproduction", values, seed, start, "experiment")
    print_json(answer) if as_json else _print_findings(answer)


def _print_findings(answer: dict[str, Any]) -> None:
    """Print a line per verdict, and the path of the report or the command that writes it."""
    from cardwin.papers import finding_line, tally
    from cardwin.papers.reproduction import read_finding

    rows = [{key: value for key, value in row.items() if key != "experiment"} for row in answer["experiments"]]
    findings = [read_finding(row) for row in rows]
    print(*map(finding_line, findings), sep="\n")
    print(tally(findings))
    print_run_end(answer)
