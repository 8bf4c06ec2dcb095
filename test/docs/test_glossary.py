"""The glossary is true: what stands there in code exists."""

import re

from test_readme import ROOT

PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
PACKAGES = ("controlit_ros", "controlit_demos")
FOREIGN = {"update()", "RealtimePublisher", "/clock", "code", "controlit_ros", "settle"}


def classes():
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            yield from re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_word_in_code_is_a_class():
    text = PAGE.replace("`test/docs/test_glossary.py`", "")
    assert set(re.findall(r"`([^`]+)`", text)) - FOREIGN <= set(classes())


def test_words_stand_there_once():
    words = re.findall(r"^\| ([^|]+) \|", PAGE, re.MULTILINE)
    told = [word for word in words if word not in ("word", "---")]
    assert len(told) == len(set(told)) > 40
