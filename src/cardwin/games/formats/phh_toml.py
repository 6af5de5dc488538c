"""The hands of a PHH or PHHS text: split into sections, and each section's fields.

Every section is read alone, so that an invalid hand does not affect the others. Nearly all files have plain lines,
`name = value` with numbers, texts or a list of them, which a few regular expressions read five times as fast as a TOML
parser. Everything else goes to `tomllib`, with the same result.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from cardwin.core.errors import InputError

Fields = dict[str, Any]
FIELDS = (
    *("variant", "ante_trimming_status", "antes", "blinds_or_straddles", "small_bet", "big_bet", "min_bet"),
    *("starting_stacks", "actions", "hand", "players", "finishing_stacks", "_rake", "_to_match", "_customs"),
)
MAX_CHARACTERS = 1_000_000  # of one hand
MAX_PIECES = 8  # of a section, if lines inside it look like headings

_KEY = r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_HEADING = re.compile(
    rf"^[ \t]*\[[ \t]*({_KEY}(?:[ \t]*\.[ \t]*{_KEY})*)[ \t]*\][ \t]*(?:\#[^\n]*)?$"
    r"""|^\[[^\[\]=,'"\n]*+\]?[ \t]*(?:\#[^\n]*)?$""",  # a malformed heading
    re.MULTILINE,
)
_POSITION = re.compile(r" \(at line (\d+), column \d+\)")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
# Fifty names joined by dots: no hand has such a key, and it takes tomllib quadratic time.
_DOTTED = re.compile(rf"(?<![\w-]){_KEY}(?:[ \t]*\.[ \t]*{_KEY}){{49}}")

_ATOM = r"""'[^'\x00-\x1f\x7f]*+'|"[^"\\\x00-\x1f\x7f]*+"|-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?|inf|true|false"""
_ATOMS = re.compile(_ATOM, re.ASCII)
_TIME = r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d"
_LINE = re.compile(
    rf"([A-Za-z0-9_-]+) *= *({_ATOM}|{_TIME}|\[ *+(?:(?:{_ATOM})(?: *+, *+(?:{_ATOM}))*+ *+,? *+)?\]) *",
    re.ASCII,
)


class TomlError(InputError):
    """Invalid TOML; `line` counts from the text's first line."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Section:
    """One hand's part of a file: its name (None in PHH), text, first line, and its fields or the error."""

    name: str | None
    text: str
    line: int
    fields: Fields
    problem: TomlError | None = None


def sections_of(text: str) -> Iterator[Section]:
    """Yield the sections of a text: one for PHH, one per hand for PHHS."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    headings = list(_HEADING.finditer(text))
    start = text[: headings[0].start()] if headings else text
    first = _section(None, start, 1)
    if not headings or "variant" in first.fields:
        yield _section(None, text, 1) if headings else first
        return
    if first.problem:
        whole = _section(None, text, 1)
        if "variant" in whole.fields:
            yield whole
            return
        yield first
    yield from _named_sections(text, headings)


def count_headings(text: str) -> int:
    """Return the number of hands by the headings of a text, at least 1, without reading the hands."""
    return max(1, sum("." not in heading[0] for heading in _HEADING.finditer(text)))


@dataclass(frozen=True, slots=True)
class _Piece:
    """The text between two headings: the names in the first one (none if it is malformed), text and first line."""

    path: tuple[str, ...]
    text: str
    line: int


def _named_sections(text: str, headings: list[re.Match[str]]) -> Iterator[Section]:
    pieces = list(_pieces(text, headings))
    seen: set[str] = set()
    index = 0
    while index < len(pieces):
        section, index = _next_section(pieces, index)
        if section.name in seen:
            problem = TomlError("duplicate section: expected a unique name for every hand", 1)
            section = Section(section.name, section.text, section.line, {}, problem)
        seen.add(section.name or "")
        yield section


def _next_section(pieces: list[_Piece], index: int) -> tuple[Section, int]:
    """Return the section that begins with a piece, and the index of the next section's piece.

    A hand's own tables, `[1.notes]`, belong to it. A text of several lines, or a list in a list, may contain a line
    that looks like a heading, so a section that cannot be read is tried again with the next piece.
    """
    first = pieces[index]
    if not first.path:
        heading = first.text.partition("\n")[0].strip()
        problem = TomlError("invalid TOML: expected a heading such as [1]", 1)
        return Section(heading, first.text, first.line, {}, problem), index + 1
    tried = []
    for more in range(MAX_PIECES):
        end = index + 1 + more
        while end < len(pieces) and len(pieces[end].path) > 1 and pieces[end].path[0] == first.path[0]:
            end += 1
        section = _section(first.path[0], "".join(piece.text for piece in pieces[index:end]), first.line)
        tried.append((section, end))
        if not section.problem:
            return section, end
        if end >= len(pieces) or len(section.text) > MAX_CHARACTERS:
            break
    return tried[0]


def _pieces(text: str, headings: list[re.Match[str]]) -> Iterator[_Piece]:
    line = 1 + text.count("\n", 0, headings[0].start())
    ends = [heading.start() for heading in headings[1:]]
    for heading, end in zip(headings, [*ends, len(text)], strict=True):
        piece = text[heading.start() : end]
        yield _Piece(_path(heading), piece, line)
        line += piece.count("\n")


def _path(heading: re.Match[str]) -> tuple[str, ...]:
    """Return the names in a heading; none if it is malformed."""
    if heading[1] is not None and _BARE.fullmatch(heading[1]):
        return (heading[1],)
    if heading[1] is None or _DOTTED.search(heading[1]):
        return ()
    try:
        table, path = tomllib.loads(heading[0].strip()), []
    except ValueError:
        return ()
    while table:
        [(name, table)] = table.items()
        path.append(name)
    return tuple(path)


def _section(name: str | None, text: str, line: int) -> Section:
    try:
        return Section(name, text, line, _fields(name, text))
    except TomlError as problem:
        return Section(name, text, line, {}, problem)


def _fields(name: str | None, text: str) -> Fields:
    body = text if name is None else text.partition("\n")[2]
    plain = _plain_fields(body)
    if plain is not None:
        return plain
    if len(text) > MAX_CHARACTERS:
        raise TomlError(f"expected a hand of at most {MAX_CHARACTERS} characters, got more", 1)
    if dotted := _DOTTED.search(text):
        raise TomlError("dotted key is too long (50 parts or more)", 1 + text.count("\n", 0, dotted.start()))
    try:
        document = tomllib.loads(text, parse_float=_decimal)
    except (ValueError, RecursionError) as error:
        position = _POSITION.search(str(error))
        # The position in the message is relative to the hand.
        reason = "nested too deeply" if isinstance(error, RecursionError) else _POSITION.sub("", str(error))
        raise TomlError(f"invalid TOML: {reason}", int(position[1]) if position else 1) from None
    fields = document if name is None else document.get(name)
    if not isinstance(fields, dict):
        raise TomlError("invalid TOML: expected a heading such as [1]", 1)
    return fields


def _plain_fields(text: str) -> Fields | None:
    """Return the relevant fields of a text of plain lines, or None if a line is not plain."""
    lines: dict[str, str] = {}
    count = 0
    for line in text.split("\n"):
        if line:
            match = _LINE.fullmatch(line)
            if match is None:
                return None
            lines[match[1]] = match[2]
            count += 1
    if len(lines) < count:
        return None
    return {name: _plain_value(lines[name]) for name in FIELDS if name in lines}


def _plain_value(text: str) -> Any:
    if text[0] == "[":
        return [_plain_atom(atom) for atom in _ATOMS.findall(text)]
    return _plain_atom(text)


def _plain_atom(text: str) -> str | int | Decimal | bool:
    if text[0] in "'\"":
        return text[1:-1]
    if ":" in text:
        return text
    if text in ("true", "false"):
        return text == "true"
    return Decimal(text) if "." in text or text == "inf" else int(text)


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:  # an exponent out of range
        return Decimal("nan")
