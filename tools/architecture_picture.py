"""Draws docs/pictures/architecture.svg from the table of docs/explanation/architecture.md.

`python tools/architecture_picture.py` writes it; `tests/test_architecture.py` compares it and the table with the
packages that there are.
"""

import re
from html import escape
from pathlib import Path
from textwrap import wrap

DOCS = Path(__file__).parent.parent / "docs"
PICTURE = DOCS / "pictures" / "architecture.svg"
# From bottom to top: a package imports itself and what is below it.
LAYERS = (
    ("core",),
    ("cards", "stats", "evolution"),
    ("games",),
    ("solvers",),
    ("players",),
    ("arena",),
    ("results",),
    ("analysis", "interop"),
    ("runs",),
    ("reports",),
    ("papers",),
    ("cli", "web"),
)
WIDTH, HEIGHT, GAP, LEFT = 840, 58, 16, 10
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#1c2430}.name{font-weight:600;font-size:15px}"
    ".about{fill:#51606f}rect{fill:#f4f7fa;stroke:#8aa0b4}path{stroke:#8aa0b4;fill:none}"
)


def contents() -> dict[str, str]:
    """Return what each package contains, from the table."""
    page = (DOCS / "explanation" / "architecture.md").read_text(encoding="utf-8")
    table = page.split("| package | contains |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| ([^|]*) \|", table, re.MULTILINE)
    return {name: about.strip() for names, about in rows for name in re.findall(r"`(\w+)`", names)}


def picture() -> str:
    """Return the picture as SVG."""
    about, parts = contents(), []
    for level, names in enumerate(reversed(LAYERS)):
        top, width = GAP + level * (HEIGHT + GAP), (WIDTH - GAP * (len(names) - 1)) // len(names)
        for place, name in enumerate(names):
            left = LEFT + place * (width + GAP)
            parts.append(f'<rect x="{left}" y="{top}" width="{width}" height="{HEIGHT}" rx="6"/>')
            parts.append(f'<text class="name" x="{left + 12}" y="{top + 21}">{name}</text>')
            lines = wrap(about[name].replace("`", ""), (width - 24) // 7)
            for number, line in enumerate(lines[:2]):
                text = line if number == 0 or len(lines) < 3 else f"{line} …"
                parts.append(f'<text class="about" x="{left + 12}" y="{top + 38 + 14 * number}">{escape(text)}</text>')
        if level:
            middle = LEFT + WIDTH // 2
            parts.append(f'<path d="M{middle} {top - GAP} v{GAP - 2} m-4 -5 l4 5 l4 -5"/>')
    height = GAP + len(LAYERS) * (HEIGHT + GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH + 2 * LEFT} {height}" role="img">'
        "<title>Packages of src/cardwin: each imports only what is below it</title>"
        f"<style>{STYLE}</style>{''.join(parts)}</svg>\n"
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
