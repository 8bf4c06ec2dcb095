"""The numbered examples: short, on public names, and true."""

import re
import runpy

import pytest
from robots_for_tests import REPOSITORY

from controlit_ros import installed

pytestmark = pytest.mark.simulation

SCRIPTS = sorted((REPOSITORY / "examples").glob("[0-9][0-9]_*.py"))
LONGEST = 60  # [lines]
TOLD = {
    "01_own_task": r"the elbow rose from 1\.\d+ m to 1\.\d+ m",
    "02_own_constraint": r"a ratio of 1\.500",
    "03_own_controller": r"42\.4 mm away at first, \d\.\d mm in the end",
    "04_own_robot_interface": r"the elbow is at 1\.0000 rad",
    "05_own_control_law": r"a goal 50 mm away moves the hand by 40\.0 mm",
    "06_own_loop": r"rank of Φ: 15, condition",
    "07_goals_over_topics": r"refused: topic RightHandPosition/goal_position: .*not finite",
    "08_events": r"Left, Arrived: arrived after \d\.\d+ s\nLeft, Arrived",
    "09_record_and_read_a_bag": r"the hand rose by 20\.\d mm",
    "10_several_controllers": r"Exact: the effort changed by 0\.\d+ N m",
}


def test_there_are_ten_and_the_readme_lists_each():
    assert [script.stem for script in SCRIPTS] == sorted(TOLD)
    readme = (REPOSITORY / "examples" / "README.md").read_text(encoding="utf-8")
    for script in SCRIPTS:
        assert f"]({script.name})" in readme


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_it_does_what_it_says(script, monkeypatch, capsys):
    monkeypatch.setattr(installed, "_registered", [])  # its plugins go with it
    runpy.run_path(str(script), run_name="__main__")
    assert re.search(TOLD[script.stem], capsys.readouterr().out)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_it_is_short(script):
    assert len(script.read_text(encoding="utf-8").splitlines()) <= LONGEST
