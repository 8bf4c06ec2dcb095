"""The table of symbols: each once, and all that more than one file uses."""

import re
from collections import Counter, defaultdict

import pytest
from test_readme import ROOT

PAGE = (ROOT / "docs" / "conventions.md").read_text(encoding="utf-8")
GREEK = re.compile(r"[Α-Ωα-ω]")
ROWS = re.findall(r"^\| ([^|]+) \|", PAGE, re.MULTILINE)
SYMBOLS = [symbol for row in ROWS if row not in ("symbol", "---") for symbol in row.split(", ")]
OPERATORS = re.search(r"Σ a\s+sum, Δ and δ a difference, π the number", PAGE)


def used():
    """Return the Greek letters of docstrings, comments and pages, and the files that have them."""
    found = defaultdict(set)
    pages = [page for page in (ROOT / "docs").glob("*.md") if page.name != "conventions.md"]
    for path in (*(ROOT / "controlit_ros").rglob("*.py"), *pages):
        for letter in GREEK.findall(path.read_text(encoding="utf-8")):
            found[letter].add(path.name)
    return found


def test_each_symbol_stands_there_once():
    assert OPERATORS
    assert [symbol for symbol, times in Counter(SYMBOLS).items() if times > 1] == []
    assert len(SYMBOLS) > 40


@pytest.mark.parametrize("letter", sorted(used()))
def test_every_greek_letter_of_two_files_is_told(letter):
    files = used()[letter]
    prose = re.sub(r"^\|.*$", "", PAGE, flags=re.MULTILINE)
    is_told = any(letter in symbol for symbol in SYMBOLS) or letter in prose
    assert is_told or len(files) < 2, f"{letter} in {sorted(files)} is not in docs/conventions.md"
