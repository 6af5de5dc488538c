"""The leaderboard as one self-contained page: the order with its intervals, the cross table, the styles."""

import math
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from cardwin.core.report_parts import Markup, Part, Text
from cardwin.players.base import FORFEIT_RULE
from cardwin.results.leaderboard import Leaderboard, Line, board_in, places_text
from cardwin.runs.reader import RunData
from cardwin.runs.trainers.leaderboard import LeaderboardExperiment
from cardwin.stats.headline import METHOD, Intervals
from cardwin.stats.intervals import Estimate
from cardwin.stats.intransitivity import cycle_counts, cycle_sentence

STYLE = """
td.self{background:var(--shade);color:var(--soft);text-align:center}
td.cross{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
td.cross small,td.number small{color:var(--soft);display:block}
th.name{color:var(--ink);position:sticky;left:0;background:var(--paper)}thead th{vertical-align:bottom}
th span{display:inline-block;width:max-content;max-width:min(14rem,40vw);white-space:normal;overflow-wrap:anywhere}
thead th span{max-width:5.5rem}
svg.bar{vertical-align:middle}
svg.beats{max-width:100%;height:auto}
svg.beats text{font:14px system-ui,sans-serif;fill:var(--ink)}
tbody tr:nth-child(even) td.cross{background-clip:padding-box}
""".strip()
BAR = 140  # pixels
Pair = tuple[int, int]
SIZE = 340  # pixels, of the circle with its arrows
MARGIN = 170  # at the left and right, for the names
NODE = 9  # radius
MAX_NAME = 22  # characters of a name
GREY, RED = "#9aa4b5", "#b42318"
MAX_DRAWN = 12  # players in the picture of who beats whom; of more, only those of one cycle


def parts_of(board: Leaderboard) -> list[Part]:
    """Return the whole board, section by section."""
    looks = f"<style>{STYLE}</style>"
    sections = [
        _intro(board),
        _cycles(board),
        _order(board),
        _cross(board),
        _styles(board),
        _faults(board),
        _method(),
    ]
    return [Markup(looks), *(Markup(section) for section in sections if section)]


def _intro(board: Leaderboard) -> str:
    best = next((line for row in board.order if not (line := board.lines[row]).disqualified), None)
    rated = "" if best is None else f" <b>{escape(best.spec)}</b> is rated best, at {best.ranks[0]:.0%}."
    return (
        f"<p><b>{escape(board.separation)}</b> Players that are not separated share their ranks, and need more hands. "
        f"{len(board.lines)} players, {len(board.tests)} pairs, up to {board.hands:,} hands each, every deal in both "
        f"seats.{rated if board.certain else ''} Results are in {escape(board.game.unit)} with their 95% intervals.</p>"
    )


def _cycles(board: Leaderboard) -> str:
    """Return who beats whom, one cycle in a sentence, and the picture."""
    if len(board.lines) < 3:
        return ""
    cycles, names = board.cycles, [line.spec for line in board.lines]
    title = "A cycle" if cycles.example else "Who beats whom"
    text = f"<p><b>{escape(cycle_sentence(cycles, names))}.</b> {cycle_counts(cycles).capitalize()}.</p>"
    shown = board.order if len(names) <= MAX_DRAWN else list(cycles.example)
    drawn = picture_of_pairs([names[row] for row in shown], *_edges(board, shown)) if cycles.beats and shown else ""
    note = "<p>An arrow goes from the better player to the worse one, for every pair that is certain at 5%, corrected "
    note += "for the number of pairs. Red: the cycle named above.</p>" if cycles.example else "for their number.</p>"
    return f"<h2>{title}</h2>{text}{drawn}{note if drawn else ''}"


def _edges(board: Leaderboard, shown: Sequence[int]) -> tuple[list[Pair], list[Pair]]:
    """Return the certain pairs among the shown players and those of the cycle, both by their index in the picture."""
    at, cycles = {row: number for number, row in enumerate(shown)}, board.cycles
    beats = [(at[better], at[worse]) for better, worse in sorted(cycles.beats) if better in at and worse in at]
    return beats, [(at[better], at[worse]) for better, worse in cycles.edges]


def _order(board: Leaderboard) -> str:
    reach = max(max(abs(line.rating.low), abs(line.rating.high)) for line in board.lines) or 1.0
    rows, out, timed = list[str](), list[str](), any(line.milliseconds is not None for line in board.lines)
    chances = [f"{chance:.0%}" for chance in board.above_next] + [""]
    columns = 9 + 2 * timed
    for number, above in zip(board.order, chances, strict=True):
        line, places = board.lines[number], board.places[number]
        if line.disqualified:  # it checks or folds to the end: its mean says nothing about it
            name = f'<th class="name"><span>{escape(line.spec)}</span></th>'
            out.append(f'<tr><td></td><td></td>{name}<td colspan="{columns - 3}">disqualified</td></tr>')
            continue
        rows.append(
            f'<tr><td class="number">{places_text(places)}</td><td>{_places_bar(places, len(board.lines))}</td>'
            f'<th class="name"><span>{escape(line.spec)}</span></th>'
            f'<td class="number">{_mean(line.rating)}</td><td>{_bar(line.rating, reach)}</td>'
            f'<td class="number">{_likely_ranks(line)}</td><td class="number">{above}</td>'
            f'<td class="number">{_mean(line.score)}</td>{_faults_cells(line) if timed else ""}'
            f'<td class="number">{_mean(line.control)}</td></tr>'
        )
    unit = board.game.unit
    header: tuple[str, ...] = (
        "rank",
        "",
        "player",
        f"rating, {unit}",
        "",
        "likely ranks",
        "above the next",
        f"won, {unit}",
        *(("faults", "ms per decision") if timed else ()),
        "against itself",
    )
    return "<h2>The order</h2>" + _table(header, rows + out)


def _places_bar(places: tuple[int, int], players: int) -> str:
    """Return the interval of a player's places as a line, the first place at the left."""
    first, last = ((rank - 0.5) / players * BAR / 2 for rank in places)
    return (
        f'<svg class="bar" width="{BAR // 2}" height="16" role="img" aria-label="rank {places_text(places)}">'
        f'<line x1="0" x2="{BAR // 2}" y1="8" y2="8" stroke="#c5ccd8"/>'
        f'<line x1="{first - 3:.1f}" x2="{last + 3:.1f}" y1="8" y2="8" stroke="{GREY}" stroke-width="6"/></svg>'
    )


def _faults_cells(line: Line) -> str:
    """Return the faults of a player and the mean time of an untrusted one for a decision."""
    took = "" if line.milliseconds is None else f"{line.milliseconds:.3g}"
    out = ", disqualified" if line.disqualified else ""
    return f'<td class="number">{line.faults}{out}</td><td class="number">{took}</td>'


def _likely_ranks(line: Line) -> str:
    """Return the range of ranks that has 95% of a player's probability."""
    total, low, high = 0.0, len(line.ranks), 1
    for rank in sorted(range(len(line.ranks)), key=lambda rank: -line.ranks[rank]):
        if total >= 0.95:
            break
        total += line.ranks[rank]
        low, high = min(low, rank + 1), max(high, rank + 1)
    return str(low) if low == high else f"{low} to {high}"


def _cross(board: Leaderboard) -> str:
    reach = max((abs(result.shown.mean) for row in board.cross for result in row if result), default=0) or 1.0
    certain = board.certain
    rows = []
    for row in board.order:
        cells = "".join(
            _cell(
                None if board.lines[row].disqualified or board.lines[column].disqualified else board.cross[row][column],
                reach,
                (row, column) in certain or (column, row) in certain,
            )
            for column in board.order
        )
        rows.append(f'<tr><th class="name"><span>{escape(board.lines[row].spec)}</span></th>{cells}</tr>')
    header = ("", *(board.lines[column].spec for column in board.order))
    note = (
        "<p>What the player of the row won from the player of the column. Coloured: certain at 5%, corrected for the "
        "number of pairs; a single interval may exclude zero in a pale cell too, as 5% do by chance.</p>"
    )
    return "<h2>Cross table</h2>" + note + _table(header, rows)


def _cell(intervals: Intervals | None, reach: float, certain: bool) -> str:
    if intervals is None:
        return '<td class="self">·</td>'
    result = intervals.shown
    strength = (0.12 + 0.4 * min(1.0, abs(result.mean) / reach)) if certain else 0.0
    colour = "26,127,75" if result.mean > 0 else "180,35,24"
    return f'<td class="cross" style="background:rgba({colour},{strength:.2f})"{_title(intervals)}>{_mean(result)}</td>'


def _title(intervals: Intervals) -> str:
    """Return the guaranteed interval of a cell, and why it is the one that is shown if it is."""
    sure, reason = intervals.guaranteed, intervals.diagnosis.reason
    because = f"; wider interval, because {reason}" if reason else ""
    return f' title="guaranteed {sure.low:+,.0f} to {sure.high:+,.0f}{escape(because)}"'


def _styles(board: Leaderboard) -> str:
    rows = []
    for line in (board.lines[number] for number in board.order):
        style = line.style
        shares = (style.vpip, style.pfr, style.fold_to_bet, style.showdown, style.bluff)
        cells = [_share(share) for share in shares]
        cells.insert(2, "" if style.aggression is None else f"{style.aggression:.2f}")
        numbers = "".join(f'<td class="number">{cell}</td>' for cell in (*cells, _character(line)))
        rows.append(f'<tr><th class="name"><span>{escape(line.spec)}</span></th>{numbers}</tr>')
    header = ("", "plays (VPIP)", "raises first (PFR)", "aggression", "folds to a bet", "showdowns", "bluffs", "")
    note = (
        f"<p>From {board.lines[0].style.hands:,} hands of each player. Plays: puts chips in by choice before the flop. "
        "Aggression: bets and raises per call. Bluffs: bets and raises after the flop with a hand that beats less "
        "than half of all others.</p>"
    )
    return "<h2>Playing styles</h2>" + note + _table(header, rows)


def _character(line: Line) -> str:
    """Return the style in two words, such as loose, aggressive."""
    style = line.style
    if style.vpip is None:
        return ""
    bold = style.aggression > 1 if style.aggression is not None else bool(style.pfr)
    return f"{'loose' if style.vpip > 0.4 else 'tight'}, {'aggressive' if bold else 'passive'}"


def _faults(board: Leaderboard) -> str:
    if not board.faults:
        return ""
    failed = ", ".join(
        f"{line.spec}: {line.faults}{', disqualified' if line.disqualified else ''}"
        for line in board.lines
        if line.faults
    )
    rows = [f"<tr><td>{escape(fault)}</td></tr>" for fault in board.faults]
    forfeits = [f"{line.spec} against {forfeit}" for line in board.lines for forfeit in line.forfeits]
    forfeited = f"<p>Forfeits: {escape('; '.join(forfeits))}. {escape(FORFEIT_RULE)}.</p>" if forfeits else ""
    return f"<h2>Faults</h2><p>{escape(failed)}</p>{forfeited}" + _table(("first ones",), rows)


def _method() -> str:
    return (
        "<h2>Method</h2><p>Every deal is played twice with the seats changed, so that both get the "
        f"same cards. Intervals of pairs are over deals ({escape(METHOD)}). A rank is the interval that follows "
        "from the pairs that differ for certain. The rating is a player's "
        "mean over all opponents in a normal hierarchical model of the chips, which weighs every pair by its hands; "
        "“likely ranks” contain its rank with a probability of 95%, “above the next” is that of being rated above the "
        "player of the next line. “Against itself” is the control: the same player in both seats, with independent "
        "random choices; it should contain zero, and its interval shows the noise that is left. docs/statistics.md "
        "shows how often these statements are true.</p>"
    )


def _mean(result: Estimate) -> str:
    fine = 0 < result.ci95 < 10 and abs(result.mean) < 10
    places = 3 if fine else 0
    mean = f"{result.mean:+,.{places}f}" if result.mean else "0"
    return f"{mean} <small>({result.low:+,.{places}f} to {result.high:+,.{places}f})</small>" if result.ci95 else mean


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"


def _bar(result: Estimate, reach: float) -> str:
    """Return the mean as a dot and its interval as a line, around zero in the middle."""

    def x(value: float) -> float:
        return round(BAR / 2 * (1 + 0.96 * value / reach), 1)

    colour = "#1a7f4b" if result.mean > 0 else "#b42318"
    return (
        f'<svg class="bar" width="{BAR}" height="16" role="img" aria-label="{result.mean:.0f}">'
        f'<line x1="{BAR / 2}" x2="{BAR / 2}" y1="0" y2="16" stroke="#c5ccd8"/>'
        f'<line x1="{x(result.low)}" x2="{x(result.high)}" y1="8" y2="8" stroke="{colour}" stroke-width="3"/>'
        f'<circle cx="{x(result.mean)}" cy="8" r="4" fill="{colour}"/></svg>'
    )


def _table(header: tuple[str, ...], rows: list[str]) -> str:
    head = "".join(f"<th><span>{escape(name)}</span></th>" for name in header)
    body = "\n".join(rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table></div>'


def parts(data: RunData, pictures: Path) -> Iterable[Part]:  # noqa: ARG001  its bars are part of the page
    """Return the parts of the report."""
    if data.answer is None:
        return [Text(f"The leaderboard is {data.state} pairs.")]
    if not isinstance(data.experiment, LeaderboardExperiment):
        raise TypeError(f"{data.folder} is of kind {data.experiment.kind}")
    skipped = data.answer.get("skipped", [])
    return [*parts_of(board_in(data.answer, data.experiment.rules)), *([_skipped(skipped)] if skipped else [])]


def _skipped(skipped: Sequence[str]) -> Part:
    rows = [f"<tr><td>{escape(reason)}</td></tr>" for reason in skipped]
    return Markup("<h2>Skipped</h2>" + _table(("what, and why",), rows))


# --- who beats whom: players on a circle, an arrow from the better to the worse of a pair


def picture_of_pairs(names: Sequence[str], beats: Sequence[Pair], marked: Sequence[Pair]) -> str:
    """Return the graph of pairs (better, worse) by number of player; the marked ones are red and thick."""
    points = [_point(number, len(names)) for number in range(len(names))]
    plain = [pair for pair in beats if pair not in marked]
    arrows = [_arrow(points[better], points[worse], GREY, 1.3, "pale") for better, worse in plain]
    arrows += [_arrow(points[better], points[worse], RED, 3.0, "strong") for better, worse in marked]
    cyclic = {player for pair in marked for player in pair}
    nodes = [_node(name, points[number], number in cyclic) for number, name in enumerate(names)]
    wide = SIZE + 2 * MARGIN
    label = "; ".join(f"{names[better]} beats {names[worse]}" for better, worse in (*marked, *plain))
    return (
        f'<svg class="beats" width="{wide}" height="{SIZE}" viewBox="0 0 {wide} {SIZE}" role="img" '
        f'aria-label="{escape(label)}"><defs>{_head("pale", GREY, 9)}{_head("strong", RED, 15)}</defs>'
        f"{''.join(arrows)}{''.join(nodes)}</svg>"
    )


def _point(number: int, count: int) -> tuple[float, float]:
    """Return the position of a player on the circle, the first one at the top, then clockwise."""
    angle = 2 * math.pi * number / count - math.pi / 2
    reach = SIZE / 2 - 32
    return MARGIN + SIZE / 2 + reach * math.cos(angle), SIZE / 2 + reach * math.sin(angle)


def _head(name: str, colour: str, size: int) -> str:
    """Return an arrowhead."""
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerUnits="userSpaceOnUse" '
        f'markerWidth="{size}" markerHeight="{size}" orient="auto">'
        f'<path d="M0 0L10 5L0 10z" fill="{colour}"/></marker>'
    )


def _arrow(start: tuple[float, float], end: tuple[float, float], colour: str, width: float, head: str) -> str:
    """Return an arrow between two nodes, from edge to edge."""
    length = math.dist(start, end)
    gap = (NODE + 4) / length
    x1, y1 = (a + (b - a) * gap for a, b in zip(start, end, strict=True))
    x2, y2 = (b - (b - a) * gap for a, b in zip(start, end, strict=True))
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}" '
        f'marker-end="url(#{head})"/>'
    )


def _node(name: str, point: tuple[float, float], marked: bool) -> str:
    """Return a player with its name, outside of the circle."""
    x, y = point
    off = x - (MARGIN + SIZE / 2)
    anchor = "middle" if abs(off) < 1 else "start" if off > 0 else "end"
    dx = 0.0 if anchor == "middle" else math.copysign(NODE + 6, off)
    dy = 5.0 if anchor != "middle" else (-NODE - 8 if y < SIZE / 2 else NODE + 18)
    short = name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1]}…"
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{NODE}" fill="{RED if marked else GREY}"/>'
        f'<text x="{x + dx:.1f}" y="{y + dy:.1f}" text-anchor="{anchor}">{escape(short)}</text>'
    )
