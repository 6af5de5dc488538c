"""A hook of the documentation site (mkdocs.yml), for what MkDocs does not support.

1. CONTRIBUTING.md and CHANGELOG.md of the repository, and the notebooks, become pages.
2. Links are written for the repository, so that they work on the code host; here they are changed to the site's pages.
3. `<!-- every command -->` becomes the commands with their options, read from the code that runs them.
4. Lists and fenced blocks may follow a sentence directly, as on the code hosts.
5. There is no 404 page: it would have to know the address of the site.
"""

import os
import re
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

HOME = Path(__file__).parent.parent
sys.path[:0] = [str(HOME / "src"), str(HOME / "tools")]

from command_pages import every_command  # noqa: E402
from notebook_pages import notebook_page  # noqa: E402

# Files of the repository that are pages of the site, by their name there.
PAGES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}
COMMANDS = "<!-- every command -->"
FENCE = re.compile(r"^(```.*?^```[^\n]*$)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
# A list's first line or a table's head below a line of text.
BELOW_TEXT = re.compile(r"^((?![-*|>#\s]|\d+\. )[^\n]+)\n(?=[-*] |1\. |\|)", re.MULTILINE)


def on_config(config: MkDocsConfig) -> None:
    """Leave out the theme's 404.html: its links begin at the server's root, where the site may not be."""
    config.theme.static_templates.discard("404.html")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    for name, page in PAGES.items():
        files.append(File.generated(config, page, content=(HOME / name).read_text(encoding="utf-8")))
    for notebook in sorted((HOME / "docs" / "notebooks").glob("*.ipynb")):
        content = notebook_page(notebook)
        files.append(File.generated(config, f"notebooks/{notebook.stem}.md", content=content))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Convert a page of the repository to one of the site."""
    if COMMANDS in markdown:
        markdown = markdown.replace(COMMANDS, every_command())
    source = page.file.src_uri
    parts = FENCE.split(markdown)
    # Fenced blocks are every second part; they stay as they are, separated from the text.
    parts[::2] = [as_on_the_site(part, source) for part in parts[::2]]
    return "\n\n".join(parts)


def as_on_the_site(text: str, source: str) -> str:
    """Text of the page at `source`, with its links converted and its lists separated."""
    text = LINK.sub(lambda found: found[1] + turned(found[2], source) + found[3], text)
    return BELOW_TEXT.sub(r"\1\n\n", text)


def turned(link: str, source: str) -> str:
    """A link of the repository as a link of the site."""
    if urlsplit(link).scheme or link.startswith("#"):
        return link
    path, anchor, place = link.partition("#")
    original = {page: name for name, page in PAGES.items()}.get(source)
    folder = Path() if original else Path("docs") / Path(source).parent
    target = os.path.normpath(folder / path)
    target = PAGES.get(target, target.removeprefix("docs/"))
    if target.startswith("notebooks/"):
        target = target.replace(".ipynb", ".md")
    return os.path.relpath(target, Path(source).parent) + anchor + place
