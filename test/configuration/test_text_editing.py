"""What is changed in the text of a configuration leaves the rest of it alone."""

import pytest
from robots_for_tests import REPOSITORY

from controlit_ros.configuration.text_editing import WIDTH, Setting, edit_text, without_entries

LONG = REPOSITORY / "config/panda/reach.yaml"


def stiffer(text):
    return edit_text(text, {}, {"tasks": {"Posture": {"kp": Setting(70, lambda kp: kp == 70)}}})


def test_one_number_changes_one_line():
    text = LONG.read_text(encoding="utf-8")
    before, after = text.splitlines(), stiffer(text).splitlines()
    assert max(len(line.partition("#")[0].rstrip()) for line in before) > WIDTH
    (changed,) = ((old, new) for old, new in zip(before, after, strict=True) if old != new)
    assert changed == (changed[0], changed[0].replace("kp: 64", "kp: 70"))


def test_entries_that_stay_keep_their_lines():
    text = LONG.read_text(encoding="utf-8")
    names = ["HandPosition", "Posture"]
    left = without_entries(text, {"tasks": names}).splitlines()
    (gone,) = (line for line in text.splitlines() if line not in left)
    assert "{name: HandOrientation, type: Orientation3D" in gone


@pytest.mark.parametrize("comment", ["", " # " + 300 * "x"])
def test_lists_that_are_added_are_broken(comment):
    goal = [0.125] * 60
    text = f"tasks:\n  - {{name: Posture}}{comment}\n"
    setting = Setting(goal, lambda value: value == goal)
    lines = edit_text(text, {}, {"tasks": {"Posture": {"goal_position": setting}}}).splitlines()
    assert all(len(line.partition("#")[0]) <= WIDTH + 1 for line in lines)
