"""report.html: a run for people, in one file."""

import base64
import html
import io
from pathlib import Path

from cardwin.lab.checkpoint import write_whole
from cardwin.lab.runs import Reading, read

CURVES = {
    "fitness": {"mean": "mean", "best": "best"},
    "exploitability": {
        "best_exploitability": "champion",
        "average_exploitability": "population's average",
        "hall_exploitability": "hall of fame",
    },
}


def write(folder: Path) -> Path:
    """Write the report and its pictures into the run folder."""
    reading = read(folder)
    pictures = folder / "pictures"
    pictures.mkdir(exist_ok=True)
    parts = [_head(reading)]
    for name, curves in CURVES.items():
        parts.append(_picture(reading, name, curves, pictures))
    path = folder / "report.html"
    write_whole(path, _page(reading.plan.title or folder.name, "\n".join(parts)).encode())
    return path


def _page(title: str, body: str) -> str:
    style = "body{font:16px/1.5 sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}img{max-width:100%}"
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{style}</style>'
    return f'<!doctype html><html lang="en"><head>{head}</head><body><h1>{html.escape(title)}</h1>{body}</body></html>'


def _head(reading: Reading) -> str:
    plan, answer = reading.plan, reading.answer or {}
    facts = {
        "game": plan.game,
        "generations": reading.generations,
        "seed": plan.seed,
        "exploitability of what is handed over": f"{answer.get('exploitability', float('nan')):.6f} chips a game",
        "digest": answer.get("digest"),
    }
    rows = "".join(
        f"<tr><th align=left>{html.escape(k)}</th><td>{html.escape(str(v))}</td></tr>" for k, v in facts.items()
    )
    return f"<p>{html.escape(plan.about)}</p><table>{rows}</table>"


def _picture(reading: Reading, name: str, curves: dict[str, str], folder: Path) -> str:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4), layout="constrained")
    axes = figure.subplots()
    for seat, series in reading.seats.items():
        for column, label in curves.items():
            axes.plot(series.generation, series.numbers[column], label=f"seat {seat + 1}: {label}", linewidth=1)
    axes.set(xlabel="generation", ylabel=f"{name}, chips a game", title=name)
    if name == "exploitability":
        axes.set_yscale("log")
    axes.legend(fontsize="small")
    for kind in ("png", "svg"):
        figure.savefig(folder / f"{name}.{kind}")
    memory = io.BytesIO()
    figure.savefig(memory, format="png", dpi=100)
    code = base64.b64encode(memory.getvalue()).decode()
    return f'<figure><img alt="{name} over the generations" src="data:image/png;base64,{code}"></figure>'
