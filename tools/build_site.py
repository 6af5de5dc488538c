"""Build the documentation site with Zensical, without network: `python tools/build_site.py FOLDER`.

The site is written to FOLDER/site; every warning is an error. Pages in docs/ are written for a code host, so first they
are converted into FOLDER/pages:

1. CONTRIBUTING.md and CHANGELOG.md of the repository, and the notebooks, become pages.
2. Links are changed to the site's pages.
3. `<!-- every command -->` becomes the commands with their options, read from the code that runs them.
4. Lists and fenced blocks may follow a sentence directly, as on the code hosts.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from command_pages import every_command
from notebook_pages import notebook_page

HOME = Path(__file__).parent.parent
# Files of the repository that are pages of the site, by their name there.
PAGES = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}
COMMANDS = "<!-- every command -->"
FENCE = re.compile(r"^(```.*?^```[^\n]*$)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
# A list's first line or a table's head below a line of text.
BELOW_TEXT = re.compile(r"^((?![-*|>#\s]|\d+\. )[^\n]+)\n(?=[-*] |1\. |\|)", re.MULTILINE)


def build_site(folder: Path) -> Path:
    """Build the site in a folder and return its own folder there.

    Raises:
        SystemExit: if Zensical reports anything.

    """
    for name in ("pages", "theme", "site"):
        shutil.rmtree(folder / name, ignore_errors=True)
    write_pages(folder / "pages")
    shutil.copytree(HOME / "tools" / "theme", folder / "theme")
    settings = (HOME / "mkdocs.yml").read_text(encoding="utf-8").replace("paths: [src]", f"paths: [{HOME / 'src'}]")
    (folder / "mkdocs.yml").write_text(settings, encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", "mkdocs.yml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)  # noqa: S603  our own command
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    (folder / "site" / "404.html").unlink()  # its links begin at the server's root, where the site may not be
    return folder / "site"


def write_pages(folder: Path) -> None:
    """Write all pages and pictures into a folder."""
    shutil.copytree(HOME / "docs", folder, ignore=shutil.ignore_patterns("*.ipynb"))
    texts = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.md")}
    texts |= {page: (HOME / name).read_text(encoding="utf-8") for name, page in PAGES.items()}
    for notebook in sorted((HOME / "docs" / "notebooks").glob("*.ipynb")):
        texts[f"notebooks/{notebook.stem}.md"] = notebook_page(notebook)
    for source, text in texts.items():
        path = folder / source
        path.parent.mkdir(exist_ok=True)
        path.write_text(convert_page(text, source), encoding="utf-8")


def convert_page(markdown: str, source: str) -> str:
    """Return a page of the repository as a page of the site at `source`."""
    if COMMANDS in markdown:
        markdown = markdown.replace(COMMANDS, every_command())
    parts = FENCE.split(markdown)
    # Fenced blocks are every second part; they stay as they are, separated from the text.
    parts[::2] = [convert_text(part, source) for part in parts[::2]]
    return "\n\n".join(parts)


def convert_text(text: str, source: str) -> str:
    """Return text with its links converted and its lists separated."""
    text = LINK.sub(lambda link: link[1] + convert_link(link[2], source) + link[3], text)
    return BELOW_TEXT.sub(r"\1\n\n", text)


def convert_link(link: str, source: str) -> str:
    """Return a link of the repository as a link of the site."""
    if urlsplit(link).scheme or link.startswith("#"):
        return link
    path, anchor, fragment = link.partition("#")
    original = {page: name for name, page in PAGES.items()}.get(source)
    folder = Path() if original else Path("docs") / Path(source).parent
    target = os.path.normpath(folder / path)
    target = PAGES.get(target, target.removeprefix("docs/"))
    if target.startswith("notebooks/"):
        target = target.replace(".ipynb", ".md")
    return os.path.relpath(target, Path(source).parent) + anchor + fragment


if __name__ == "__main__":
    build_site(Path(sys.argv[1]).resolve())
