"""Who beats whom as a directed graph in SVG: players on a circle, an arrow from the better to the worse of a pair."""

import math
from collections.abc import Sequence
from html import escape

Pair = tuple[int, int]
SIZE = 340  # pixels, of the circle with its arrows
MARGIN = 170  # at the left and right, for the names
NODE = 9  # radius
LONGEST = 22  # characters of a name
GREY, RED = "#9aa4b5", "#b42318"


def picture_of_pairs(names: Sequence[str], beats: Sequence[Pair], marked: Sequence[Pair]) -> str:
    """The graph of pairs (better, worse) by number of player; the marked ones are red and thick."""
    points = [_point(number, len(names)) for number in range(len(names))]
    plain = [pair for pair in beats if pair not in marked]
    arrows = [_arrow(points[one], points[other], GREY, 1.3, "pale") for one, other in plain]
    arrows += [_arrow(points[one], points[other], RED, 3.0, "strong") for one, other in marked]
    cyclic = {player for pair in marked for player in pair}
    nodes = [_node(names[place], points[place], place in cyclic) for place in range(len(names))]
    wide = SIZE + 2 * MARGIN
    label = "; ".join(f"{names[one]} beats {names[other]}" for one, other in (*marked, *plain))
    return (
        f'<svg class="beats" width="{wide}" height="{SIZE}" viewBox="0 0 {wide} {SIZE}" role="img" '
        f'aria-label="{escape(label)}"><defs>{_head("pale", GREY, 9)}{_head("strong", RED, 15)}</defs>'
        f"{''.join(arrows)}{''.join(nodes)}</svg>"
    )


def _point(number: int, count: int) -> tuple[float, float]:
    """The place of a player on the circle, the first one at the top, then clockwise."""
    angle = 2 * math.pi * number / count - math.pi / 2
    reach = SIZE / 2 - 32
    return MARGIN + SIZE / 2 + reach * math.cos(angle), SIZE / 2 + reach * math.sin(angle)


def _head(name: str, colour: str, size: int) -> str:
    """An arrowhead."""
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerUnits="userSpaceOnUse" '
        f'markerWidth="{size}" markerHeight="{size}" orient="auto">'
        f'<path d="M0 0L10 5L0 10z" fill="{colour}"/></marker>'
    )


def _arrow(start: tuple[float, float], end: tuple[float, float], colour: str, width: float, head: str) -> str:
    """An arrow between two nodes, from edge to edge."""
    length = math.dist(start, end)
    gap = (NODE + 4) / length
    x1, y1 = (a + (b - a) * gap for a, b in zip(start, end, strict=True))
    x2, y2 = (b - (b - a) * gap for a, b in zip(start, end, strict=True))
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}" stroke-width="{width}" '
        f'marker-end="url(#{head})"/>'
    )


def _node(name: str, point: tuple[float, float], marked: bool) -> str:
    """A player with its name, outside of the circle."""
    x, y = point
    off = x - (MARGIN + SIZE / 2)
    anchor = "middle" if abs(off) < 1 else "start" if off > 0 else "end"
    dx = 0.0 if anchor == "middle" else math.copysign(NODE + 6, off)
    dy = 5.0 if anchor != "middle" else (-NODE - 8 if y < SIZE / 2 else NODE + 18)
    short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{NODE}" fill="{RED if marked else GREY}"/>'
        f'<text x="{x + dx:.1f}" y="{y + dy:.1f}" text-anchor="{anchor}">{escape(short)}</text>'
    )
