"""The glossary is true: what stands there in code exists."""

import re

import pytest
from test_readme import ROOT

PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
PACKAGES = ("controlit_ros", "controlit_demos", "controlit_console")
FOREIGN = {"update()", "RealtimePublisher", "/clock", "cmd_vel", "code", "controlit_ros", "settle"}


def classes_of(path):
    return re.findall(r"^class (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)


def classes():
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            yield from classes_of(path)


def test_every_word_in_code_is_a_class():
    text = PAGE.replace("`test/docs/test_glossary.py`", "")
    assert set(re.findall(r"`([^`]+)`", text)) - FOREIGN <= set(classes())


def test_words_stand_there_once():
    words = re.findall(r"^\| ([^|]+) \|", PAGE, re.MULTILINE)
    told = [word for word in words if word not in ("word", "---")]
    assert len(told) == len(set(told)) > 40


@pytest.mark.parametrize("room", ["locomotion", "modes", "estimation", "client", "console"])
def test_rooms_with_words_of_their_own_have_some_here(room):
    folder = ROOT / ("controlit_console" if room == "console" else f"controlit_ros/{room}")
    own = {name for path in folder.glob("*.py") for name in classes_of(path)}
    assert len(own & set(re.findall(r"`(\w+)`", PAGE))) >= 4
