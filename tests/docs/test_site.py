"""The documentation site: it builds without a warning, leads nowhere that is not there, and fetches nothing."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import build_site
import cardwin

HOME = Path(__file__).parent.parent.parent
DOCS = HOME / "docs"
FETCHED = {("link", "href"), ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src")}


class Links(HTMLParser):
    """What a page links to, what it fetches, and the places in it that others may link to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.places.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)
                if (tag, name) in FETCHED and dict(attrs).get("rel") not in ("canonical", "prev", "next"):
                    self.fetched.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as `make docs` builds it, in a folder of its own, where no proxy answers: nothing can be fetched."""
    apart = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in apart.items():
            patch.setenv(name, value)
        return build_site.build_site(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Links]:
    return {path: Links(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}


def test_every_link_of_every_page_leads_somewhere(pages: dict[Path, Links]) -> None:
    dead = []
    assert len(pages) > 40
    for page, found in pages.items():
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if not target.exists() or (parts.fragment and target in pages and not _has(pages[target], parts.fragment)):
                dead.append((page.name, link))
    assert dead == []


def test_nothing_hangs_on_the_address_that_the_site_is_served_at(pages: dict[Path, Links], site: Path) -> None:
    """It can be read from the disk, or lie anywhere on a server: no link begins at the root."""
    assert [link for page in pages.values() for link in page.links if link.startswith("/")] == []
    assert not (site / "404.html").exists()


def _has(page: Links, fragment: str) -> bool:
    return unquote(fragment) in page.places or fragment.startswith("__")  # the theme's own


def test_text_beside_a_block_of_code_is_a_paragraph(site: Path) -> None:
    """Where it is not, the page has bare text between its blocks, set as no sentence elsewhere is."""
    for page in sorted(site.rglob("*.html")):
        bare = re.findall(r"</pre></div>\n([^<\s][^\n]*)", page.read_text(encoding="utf-8"))
        assert bare == [], page.name


def test_nothing_is_fetched_from_elsewhere(pages: dict[Path, Links], site: Path) -> None:
    assert [link for page in pages.values() for link in page.fetched if urlsplit(link).netloc] == []
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()[\s\"']*(https?:)?//", sheet.read_text(encoding="utf-8")), sheet


def test_the_page_of_commands_has_every_command_and_option(site: Path) -> None:
    import typer

    from cardwin import cli
    from cardwin.cli.app import app

    cli.register([])
    page = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    top = typer.main.get_command(app)
    for name, command in top.commands.items():  # type: ignore[attr-defined]
        for inner, one in getattr(command, "commands", {"": command}).items():
            assert f'id="cardwin-{name}{"-" + inner if inner else ""}"' in page
            for parameter in one.params:
                assert parameter.opts[0].startswith("--") is False or parameter.hidden or parameter.opts[0] in page


def test_every_public_name_has_its_place_and_an_example(site: Path) -> None:
    text = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    built = (site / "reference" / "python.html").read_text(encoding="utf-8")
    for name in cardwin.__all__:
        example = re.search(rf"::: cardwin\.{name}\n```python\n(.*?)```", text, re.DOTALL)
        assert example, name
        assert f"cardwin.{name}(" in example[1], name
        assert f'id="cardwin.{name}"' in built, name


def test_the_notebooks_are_pages(site: Path) -> None:
    for notebook in (DOCS / "notebooks").glob("*.ipynb"):
        assert "output" in (site / "notebooks" / f"{notebook.stem}.html").read_text(encoding="utf-8")
