"""Recorded hands as one file of HTML that needs no server: the page's own stepper, its styles and the hands, inlined.

The page's modules are joined by `bundle`, which supports the few forms of `import` and `export` that they use.
"""

import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from cardwin.core.errors import InputError

STATIC = Path(__file__).parent / "static"
MODULES = ("dom.js", "cards.js", "link.js", "board.js", "session.js", "stepper.js", "replay.js")
MAX_HANDS = 1000
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (async function|function|const|class) (\w+)", re.MULTILINE)
# Nothing is fetched, whatever a file contains.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def hands_of_files(files: Sequence[Path]) -> tuple[list[dict[str, Any]], int]:
    """Return the first hands of PHH and PHHS files, without those that fail, and the number of all hands."""
    from cardwin.analysis.hand_review import hand_json
    from cardwin.games.formats.phh import hands_of
    from cardwin.games.formats.phh_toml import count_headings

    hands: list[dict[str, Any]] = []
    total = 0
    for file in files:
        try:
            text = file.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            raise InputError(f"expected PHH or PHHS files for --html, got {file}, which is not UTF-8 text") from None
        total += count_headings(text)
        for replayed, history in hands_of(text, 0, MAX_HANDS - len(hands)):
            if history is not None:
                hands.append({"name": replayed.hand, **hand_json(history)})
    if not hands:
        raise InputError("no hand could be replayed to its end, so there is nothing to show")
    return hands, total


def winnings(hands: Sequence[dict[str, Any]]) -> dict[str, list[int]]:
    """Return the chips that each player, by name, has won after each hand; hands without the player change nothing."""
    names = list(dict.fromkeys(name for hand in hands for name in hand["players"]))
    sums: dict[str, list[int]] = {name: [] for name in names}
    for hand in hands:
        won = dict(zip(hand["players"], hand["events"][-1].get("won") or [0] * len(hand["players"]), strict=True))
        for name, chips in sums.items():
            chips.append((chips[-1] if chips else 0) + won.get(name, 0))
    return sums


def bundle(names: Sequence[str]) -> str:
    """Return the page's modules as one script; each becomes a function that returns what it exports."""
    parts = ["const modules = {};"]
    for name in names:
        text = (STATIC / "js" / name).read_text(encoding="utf-8")
        text = IMPORT.sub(lambda match: f'const {{{match[1]}}} = modules["{match[2]}"];', text)
        exported = [match[2] for match in EXPORT.finditer(text)]
        text = EXPORT.sub(r"\1 \2", text)
        if re.search(r"^(import|export) ", text, re.MULTILINE):
            raise ValueError(f"unsupported form of import or export in {name}")
        parts.append(f'modules["{name}"] = (() => {{\n{text}\nreturn {{ {", ".join(exported)} }};\n}})();')
    return "\n".join(parts)


def replay_page(hands: Sequence[dict[str, Any]], total: int, title: str) -> str:
    """Return the HTML text of the file."""
    data = json.dumps({"hands": hands, "total": total, "winnings": winnings(hands)}, separators=(",", ":"))
    style = (STATIC / "page.css").read_text(encoding="utf-8")
    theme = (STATIC / "js" / "theme.js").read_text(encoding="utf-8")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(POLICY)}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{style}</style>\n<script>{theme}</script>\n</head>\n<body>\n"
        f'<main id="main" tabindex="-1"><h1>{escape(title)}</h1></main>\n'
        f'<div id="live" class="hidden" role="status" aria-live="polite"></div>\n'
        f'<script type="application/json" id="hands">{_inside_script(data)}</script>\n'
        f'<script type="module">{bundle(MODULES)}</script>\n</body>\n</html>\n'
    )


def _inside_script(data: str) -> str:
    """Return JSON that cannot end its script element, whatever names a file contains."""
    return data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
