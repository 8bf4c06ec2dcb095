"""RViz's layouts of robots whose frames have a prefix."""

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from controlit_ros.starters.prefixed_layout import prefixed

LAYOUTS = sorted((Path(__file__).parents[2] / "config" / "rviz").glob("*.rviz"))


def read(path):
    return YAML(typ="safe").load(path.read_text("utf-8"))["Visualization Manager"]


def models(layout):
    kind = "rviz_default_plugins/RobotModel"
    return [display for display in layout["Displays"] if display["Class"] == kind]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda path: path.stem)
def test_robot_and_goals_are_looked_for_in_the_frames_of_the_robot(layout, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    copy = prefixed(layout, "left/")
    found, before = read(copy), read(layout)
    assert found["Global Options"]["Fixed Frame"] == "left/world"
    assert models(found)
    assert {model.pop("TF Prefix") for model in models(found)} == {"left"}
    found["Global Options"]["Fixed Frame"] = "world"
    assert found == before


def test_without_a_prefix_it_is_the_layout_itself():
    assert prefixed(LAYOUTS[0], "") is LAYOUTS[0]
