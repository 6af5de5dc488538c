"""Rendering of reports: parts of a page, and the page as HTML (one file, nothing fetched) or as Markdown.

A picture is a PNG, an SVG and a CSV of its curves, side by side in one folder; a page embeds the PNG.
"""

import base64
import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cardwin.core.report_parts import Cell, Column, Columns, Fold, Grid, Heading, Markup, Part, Picture, Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Outside = Literal["outside upper left", "outside lower left", "outside lower right"]
NOISE = 1e-12  # smaller numbers are zeros with rounding errors

# Metadata of pictures: the software and no date, so that equal runs write equal bytes.
SIGNED: dict[str, dict[str, Any]] = {".png": {"Software": "cardwin"}, ".svg": {"Creator": "cardwin", "Date": None}}
LONG = 32  # letters, from which a cell keeps some width on a narrow screen
CARDS = 5  # columns, from which a table with such cells is shown row by row there

MARK = '<meta name="generator" content="cardwin">'
STYLE = """
:root{--ink:#20242c;--soft:#667085;--line:#e2e6ee;--paper:#fff;--shade:#f6f8fb;--good:#1a7f4b;--bad:#b42318;--odd:#9a5b00}
*{box-sizing:border-box}
body{font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif;color:var(--ink);
 background:var(--paper);max-width:74rem;margin:2.5rem auto;padding:0 1.25rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .6rem}
h2{font-size:1.35rem;margin:2.6rem 0 .6rem;padding-top:.6rem;border-top:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.6rem 0 .4rem}
p{margin:.5rem 0 .9rem;max-width:48rem;white-space:pre-line}
/* A wide table scrolls in its own box, with a shadow on the side where there is more of it. */
.scroll{overflow-x:auto;margin:.6rem 0 1.4rem;background:linear-gradient(90deg,var(--paper) 30%,#fff0),
 linear-gradient(270deg,var(--paper) 30%,#fff0) 100% 0,linear-gradient(90deg,#20242c33,#20242c00),
 linear-gradient(270deg,#20242c33,#20242c00) 100% 0;background-repeat:no-repeat;
 background-size:2rem 100%,2rem 100%,.7rem 100%,.7rem 100%;background-attachment:local,local,scroll,scroll}
table{border-collapse:collapse;font-size:.88rem}
th,td{padding:.32rem .7rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--soft);font-weight:600;white-space:nowrap}
tbody tr:nth-child(even){background:#1d4f910a}
.sortable th{cursor:pointer}.sortable th:hover{color:var(--ink)}
td.long{min-width:8rem}
td.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}.odd{color:var(--odd);font-weight:600}
figure{margin:1rem 0 1.8rem;overflow-x:auto}figure img{max-width:100%;height:auto}
figcaption{color:var(--soft);font-size:.9rem;max-width:48rem}
nav{font-size:.9rem;color:var(--soft)}nav a{color:inherit;margin-right:.9rem;display:inline-block}
footer{margin-top:3rem;color:var(--soft);font-size:.85rem;border-top:1px solid var(--line);padding-top:.8rem}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(16rem,1fr));gap:0 1.8rem;margin:1rem 0 1.4rem}
.columns h2{border:0;border-bottom:2px solid;margin:.2rem 0 .5rem;padding:0 0 .2rem;font-size:1.1rem}
.columns ul{list-style:none;margin:0;padding:0;font-size:.88rem;line-height:1.35}.columns li{margin:0 0 .5rem}
.columns a{color:inherit;text-decoration:underline #66708566;text-underline-offset:.15em}
.columns small{display:block;color:var(--soft)}
details{margin:.5rem 0}summary{cursor:pointer;color:var(--soft)}summary small{font-weight:400;margin-left:.5rem}
summary h2,summary h3{display:inline;border:0;margin:0;padding:0;color:var(--ink)}summary h2{font-size:1.2rem}
details.level2{border-top:1px solid var(--line);padding:.55rem 0;margin:0}summary:hover h2{text-decoration:underline}
tr:target{outline:2px solid var(--odd)}
h1,h2,h3,p,nav,summary,li,figcaption,footer,.facts td{overflow-wrap:anywhere}
@media(max-width:600px){body{margin:1.2rem auto;padding:0 .9rem}h1{font-size:1.5rem}
 table{font-size:.82rem}th,td{padding:.3rem .4rem}
 th{white-space:normal}.facts{width:100%}.facts td.long{min-width:0}.facts td:first-child{width:34%}
 .cards thead{display:none}.cards,.cards tbody,.cards tr{display:block}.cards tr{padding:.5rem .3rem}
 .cards td{display:grid;grid-template-columns:6.5rem 1fr;border:0;padding:.1rem 0;overflow-wrap:anywhere}
 .cards td.long{min-width:0}.cards td.number{text-align:left;white-space:normal}.cards td:empty{display:none}
 .cards td::before{content:attr(data-name);color:var(--soft)}
 figure img:focus{max-width:none;outline:0}figcaption::after{content:" (Tap the picture: full size.)"}}
""".strip()


# Sorts a table by the column whose title was clicked, numbers as numbers; a second click reverses the order.
SORTING = """
for(const th of document.querySelectorAll("table.sortable th"))th.addEventListener("click",()=>{
 const body=th.closest("table").tBodies[0],n=th.cellIndex,up=th.dataset.up=th.dataset.up==="1"?"":"1";
 const key=row=>{const cell=row.cells[n],text=cell.textContent;return cell.className==="number"?parseFloat(text):text};
 const order=(a,b)=>{const x=key(a),y=key(b);return typeof x===typeof y?(x<y?-1:x>y?1:0):typeof x==="number"?-1:1};
 body.append(...[...body.rows].sort((a,b)=>up?order(a,b):order(b,a)))})
""".strip()


# Opens what hides the target of a link, also on browsers that do not by themselves.
OPENING = """
const show=()=>{let one=document.getElementById(decodeURIComponent(location.hash.slice(1)));const target=one;
 for(;one;one=one.parentElement)if(one.tagName==="DETAILS")one.open=true;if(target)target.scrollIntoView()};
addEventListener("hashchange",show);show();
addEventListener("beforeprint",()=>{for(const one of document.querySelectorAll("details"))one.open=true})
""".strip()


def figure(width: float = 8.0, height: float = 4.0) -> "Figure":
    """Return an empty figure in the reports' style, without global state."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained", dpi=100)


def facts(rows: Mapping[str, Cell]) -> Grid:
    """Return a table of names and values without a header."""
    return Grid("", ["", ""], [[name, value] for name, value in rows.items()])


def legend_outside(figure: "Figure", axes: "Axes", columns: int, where: Outside = "outside upper left") -> None:
    """Draw the legend of some axes beside the panels of a figure, so that it covers no curve."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc=where, ncols=columns, fontsize=8, frameon=False)


def save(
    folder: Path, name: str, figure: "Figure", caption: str, curves: Mapping[str, Iterable[Any]] | None = None
) -> Picture:
    """Save a figure as PNG and SVG, and its curves as CSV.

    Args:
        folder: Where the files go.
        name: Their name without suffix.
        figure: The figure.
        caption: Its caption in the report.
        curves: Columns by name; shorter ones are padded with blanks.

    Returns:
        The picture for a report.

    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    folder.mkdir(parents=True, exist_ok=True)
    # The canvases' own writers draw once where `savefig` draws twice, and arranging once is enough for both files.
    png, svg = folder / f"{name}.png", folder / f"{name}.svg"
    FigureCanvasAgg(figure).print_png(png, metadata=SIGNED[".png"])  # type: ignore[no-untyped-call]
    figure.set_layout_engine("none")
    # A fixed salt: the same run gives the same bytes.
    with rc_context({"svg.hashsalt": "cardwin"}):
        FigureCanvasSVG(figure).print_svg(svg, metadata=SIGNED[".svg"])  # type: ignore[no-untyped-call]
    if curves:
        write_csv(folder / f"{name}.csv", curves)
    return Picture(png, caption)


def write_csv(path: Path, curves: Mapping[str, Iterable[Any]]) -> None:
    """Write columns of any lengths as CSV."""
    columns = [list(column) for column in curves.values()]
    longest = max((len(column) for column in columns), default=0)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(curves)
        writer.writerows([column[row] if row < len(column) else "" for column in columns] for row in range(longest))


def as_html(title: str, parts: Iterable[Part], footer: str = "") -> str:
    """Return one self-contained page."""
    parts = list(parts)
    tops = [part for part in parts if isinstance(part, Heading) and part.level == 2]
    nav = "".join(f'<a href="#{_anchor(top.text)}">{escape(top.text)}</a>' for top in tops) if len(tops) > 2 else ""
    body = "\n".join(_html(part) for part in parts)
    inner = list(_all(parts))
    if any(isinstance(part, Grid) and part.sortable for part in inner):
        body += f"\n<script>{SORTING}</script>"
    if any(isinstance(part, Fold) for part in inner):
        body += f"\n<script>{OPENING}</script>"
    head = f'<meta charset="utf-8">{MARK}<meta name="viewport" content="width=device-width,initial-scale=1">'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<title>{escape(title)}</title><style>{STYLE}</style></head>\n'
        f"<body><h1>{escape(title)}</h1>\n<nav>{nav}</nav>\n{body}\n<footer>{escape(footer)}</footer></body></html>\n"
    )


def _all(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield all parts, also those in folds."""
    for part in parts:
        yield part
        if isinstance(part, Fold):
            yield from _all(part.parts)


def _anchor(text: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in text.lower())


def _html(part: Part) -> str:
    match part:
        case Heading(text, level):
            return f'<h{level} id="{_anchor(text)}">{escape(text)}</h{level}>'
        case Text(text):
            return f"<p>{escape(text)}</p>"
        case Grid():
            return _html_grid(part)
        case Markup(html):
            return html
        case Picture(png, caption):
            code = base64.b64encode(png.read_bytes()).decode()
            image = f'<img tabindex="0" alt="{escape(caption)}" src="data:image/png;base64,{code}">'
            return f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"
        case Columns(columns):
            return '<div class="columns">' + "\n".join(_html_column(column) for column in columns) + "</div>"
        case Fold():
            return _html_fold(part)


def _html_column(column: Column) -> str:
    rows = [
        f'<li><a href="#{escape(link.target)}">{escape(link.text)}</a>'
        + (f"<small>{escape(link.note)}</small>" if link.note else "")
        + "</li>"
        for link in column.links
    ]
    more = f"<small>{escape(column.more)}</small>" if column.more else ""
    more = f'<a href="#{_anchor(column.more_target)}">{more}</a>' if column.more_target else more
    kind = f" class={column.colour}" if column.colour else ""
    return f"<section><h2{kind}>{escape(column.title)}</h2><ul>{''.join(rows)}<li>{more}</li></ul></section>"


def _html_fold(fold: Fold) -> str:
    inner = "\n".join(_html(part) for part in fold.parts)
    note = f"<small>{escape(fold.note)}</small>" if fold.note else ""
    name = f' id="{_anchor(fold.title)}"' if fold.level == 2 else ""
    title = f"<h{fold.level}{name}>{escape(fold.title)}</h{fold.level}>"
    opened = " open" if fold.opened else ""
    return f'<details class="level{fold.level}"{opened}><summary>{title}{note}</summary>\n{inner}\n</details>'


def _html_grid(grid: Grid) -> str:
    classes = grid.classes or {}

    long = any(isinstance(value, str) and len(value) > LONG for row in grid.rows for value in row)
    cards = long and len(grid.header) >= CARDS

    def cell(column: int, value: Cell) -> str:
        words = "long" if len(str(value)) > LONG else ""
        kind = "number" if isinstance(value, float | int) else classes.get(str(value), words)
        named = f' data-name="{escape(grid.header[column])}"' if cards else ""
        return f"<td{f' class={kind}' if kind else ''}{named}>{escape(shown(value))}</td>"

    title = f"<h3>{escape(grid.title)}</h3>" if grid.title else ""
    head = "".join(f"<th>{escape(name)}</th>" for name in grid.header)
    ids = [f' id="{escape(name)}"' for name in grid.ids] or [""] * len(grid.rows)
    rows = "\n".join(
        f"<tr{name}>" + "".join(cell(column, value) for column, value in enumerate(row)) + "</tr>"
        for name, row in zip(ids, grid.rows, strict=True)
    )
    facts = not any(grid.header) and len(grid.header) == 2  # names and texts, which wrap on a narrow screen
    kinds = [name for name, so in (("sortable", grid.sortable), ("facts", facts), ("cards", cards)) if so]
    kind = f' class="{" ".join(kinds)}"' if kinds else ""
    return (
        f'{title}<div class="scroll"><table{kind}><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table></div>'
    )


def shown(value: Cell) -> str:
    """Return a cell as text: numbers to four places, empty for None."""
    if value is None:
        return ""
    if isinstance(value, float):
        if NOISE < abs(value) < 1e-4:
            return f"{value:.1e}"
        return f"{round(value, 4) + 0.0:.4f}".rstrip("0").rstrip(".")  # adding 0 turns -0 into 0
    return str(value)


def as_markdown(title: str, parts: Iterable[Part], home: Path) -> str:
    """Return the same page as Markdown; pictures are linked relative to the folder `home`."""
    out = io.StringIO()
    print(f"# {title}", file=out)
    for part in parts:
        print("", _markdown(part, home), sep="\n", file=out)
    return out.getvalue()


def _markdown(part: Part, home: Path) -> str:
    match part:
        case Heading(text, level):
            return "#" * level + " " + text
        case Text(text):
            return text
        case Markup():
            return ""
        case Picture(png, caption):
            return f"![{caption}]({png.relative_to(home)})\n\n*{caption}*"
        case Columns(columns):
            return "\n\n".join(_markdown_column(column) for column in columns)
        case Fold(title, parts, level, note):
            head = "#" * level + f" {title}" + (f" ({note})" if note else "")
            return "\n\n".join([head, *(_markdown(inner, home) for inner in parts)])
        case Grid(title, header, rows):
            lines = [header, ["---"] * len(header), *([shown(cell) for cell in row] for row in rows)]
            table = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
            return f"### {title}\n\n{table}" if title else table


def _markdown_column(column: Column) -> str:
    lines = [f"- {link.text}" + (f" *{link.note}*" if link.note else "") for link in column.links]
    return "\n".join([f"**{column.title}**", "", *lines, *([f"- {column.more}"] if column.more else [])])
