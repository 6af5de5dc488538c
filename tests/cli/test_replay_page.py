"""`cardwin replay --html`: one file with the page's own scripts, and nothing of a stranger's file as code."""

import json
import re
from pathlib import Path

from cardwin.web.replay_page import MODULES, bundle
from support import answer, refusal

HAND = """[{number}]
variant = "NT"
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 1000]
actions = ["d dh p1 AhAd", "d dh p2 KcKs", "p2 cbr 1000", "p1 cc", "d db 2c3d4h", "d db 8s", "d db 9d", \
"p1 sm AhAd", "p2 sm KcKs"]
players = ["</script><script>alert(1)</script>", "b"]
"""


def test_the_hands_are_in_the_file_as_data(tmp_path: Path) -> None:
    file, out = tmp_path / "two.phhs", tmp_path / "two.html"
    file.write_text("\n".join(HAND.format(number=number) for number in (1, 2)), encoding="utf-8")
    assert answer("replay", str(file), "--html", str(out))["html"] == {"file": str(out), "hands": 2, "of": 2}
    text = out.read_text(encoding="utf-8")
    assert "alert(1)</script>" not in text
    data = json.loads(re.search(r'id="hands">(.*?)</script>', text, re.DOTALL)[1])  # type: ignore[index]
    assert data["hands"][0]["players"] == ["</script><script>alert(1)</script>", "b"]
    assert data["winnings"]["b"] == [-1000, -2000]
    assert "default-src 'none'" in text.replace("&#x27;", "'")
    assert not re.search(r"(src|href)=", text.partition('<script type="module">')[0])


def test_what_cannot_be_shown_is_told(tmp_path: Path) -> None:
    file, out = tmp_path / "one.phh", tmp_path / "one.html"
    file.write_text(HAND.format(number=1).replace("cbr 1000", "cbr 1"), encoding="utf-8")
    assert "nothing to show" in refusal("replay", str(file), "--html", str(out))
    assert not out.exists()
    out.write_text("mine", encoding="utf-8")
    assert "exists already" in refusal("replay", str(file), "--html", str(out))
    assert ".html" in refusal("replay", str(file), "--html", str(tmp_path / "one.txt"))


def test_the_modules_are_joined_without_imports() -> None:
    assert not re.search(r"^(import|export) ", bundle(MODULES), re.MULTILINE)
