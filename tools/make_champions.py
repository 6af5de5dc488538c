"""Makes the champions that come with Cardwin again, by the commands stored with them.

`python tools/make_champions.py [NAME ...]` writes them into players/champions; a tool for maintainers. A
champion has the same weights, bit for bit, as the file that the command writes into its run's folder, and the same
settings; settings that were added after it was made have their defaults.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from cardwin.core.errors import InputError, unknown_name
from cardwin.core.executor import Workers, open_executor
from cardwin.core.experiment import Experiment
from cardwin.core.rng import child
from cardwin.players.champions import COMMANDS, FOLDER
from cardwin.players.xcs.training.experiment import experiment_values, is_xcs
from cardwin.runs.experiment import check, load
from cardwin.runs.kinds import kind_of
from cardwin.runs.run import run_key

TRAINING = ["--game", "--against", "--hands", "--seed"]


def experiment_of(command: str) -> Experiment:
    """Return the experiment of a command."""
    words = command.split()
    keys, values = words[3::2], words[4::2]
    pairs = list(zip(keys, values, strict=False))
    if (
        words[:2] == ["cardwin", "evolve"]
        and len(keys) == len(values)
        and {"--seed"} <= set(keys) <= {"--set", "--seed"}
    ):
        return load(words[2], [value for key, value in pairs if key == "--set"], int(dict(pairs)["--seed"]))[1]
    if words[:2] == ["cardwin", "train"] and is_xcs(words[2]) and keys == TRAINING and len(keys) == len(values):
        game, against, hands, seed = values
        return check(experiment_values(words[2], None, game, [against], int(hands), int(seed))[1], command)
    raise InputError(
        f"{command}: should read cardwin evolve PRESET [--set KEY=VALUE]... --seed N, or "
        "cardwin train xcs --game GAME --against SPEC --hands N --seed N"
    )


def hand_over(experiment: Experiment, folder: Path, workers: Workers = 1) -> list[Path]:
    """Write the champion files that a run of the experiment would write, without the run's records."""
    with open_executor(workers) as executor:
        trainer = kind_of(experiment.kind).trainer(experiment, executor, folder)
        for step in range(experiment.steps):
            trainer.step(child(run_key(experiment), step))
        return trainer.write_champions(folder)


def make(names: Sequence[str], folder: Path, workers: Workers = 1) -> list[Path]:
    """Make champions in a folder; one run makes all of its populations' champions."""
    written, runs = [], dict.fromkeys(COMMANDS[name]["command"] for name in names)
    for command in runs:
        with tempfile.TemporaryDirectory() as room:
            files = {path.stem: path for path in hand_over(experiment_of(command), Path(room), workers)}
            for name in names:
                if COMMANDS[name]["command"] == command:
                    made = files[COMMANDS[name]["population"]]
                    written.append(folder / f"{name}{made.suffix}")
                    written[-1].write_bytes(made.read_bytes())
    return written


if __name__ == "__main__":
    chosen = sys.argv[1:] or list(COMMANDS)
    for one in chosen:
        if one not in COMMANDS:
            raise SystemExit(str(unknown_name("champion", one, COMMANDS)))
    for one in chosen:
        print(*make([one], FOLDER), flush=True)
