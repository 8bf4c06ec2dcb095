"""A layout for RViz differs from those of the shipped robots in name and view, and shows all."""

import copy

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, chain, needs_example_robots
from ruamel.yaml import YAML

from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.offline import start_of
from controlit_ros.starters.first_configuration import first_configuration
from controlit_ros.starters.rviz_layout import rviz_layout

SHIPPED = REPOSITORY / "config" / "rviz" / "panda.rviz"
MODEL = "rviz_default_plugins/RobotModel"


def view(layout):
    return layout["Visualization Manager"]["Views"]["Current"]


def without_name_and_view(layout):
    rest = copy.deepcopy(layout)
    manager = rest["Visualization Manager"]
    del manager["Views"]
    for shown in manager["Displays"]:
        if shown["Class"] == MODEL:
            del shown["Name"]
    return rest


def written(urdf, folder):
    path = folder / "first.yaml"
    path.write_text(first_configuration(urdf, "first", folder), encoding="utf-8")
    stack = load_stack(path)
    return stack, YAML(typ="safe").load(rviz_layout(stack))


@pytest.mark.thorough
@needs_example_robots
@pytest.mark.parametrize("name", ["ur_description/urdf/ur5_robot", "a1_description/urdf/a1"])
def test_the_whole_robot_is_seen(name, tmp_path):
    stack, layout = written(f"package://example-robot-data/robots/{name}.urdf", tmp_path)
    current = view(layout)
    focus = np.array([current["Focal Point"][axis] for axis in "XYZ"])
    model = stack.create_model().robot_model
    model.update(start_of(stack))
    for frame in stack.robot.frame_names:
        place = model.placement(stack.robot.frame_id(frame)).translation
        assert np.linalg.norm(place - focus) < 0.4 * current["Distance"]
    assert 0.5 < current["Distance"] < 5.0
    if "a1" in name:  # it stands on its floor, not in it
        assert 0.05 < focus[2] < 0.4


def test_the_rest_is_that_of_every_layout(tmp_path):
    urdf = tmp_path / "arm.urdf"
    urdf.write_text(chain(1, ("revolute", "revolute", "revolute")).urdf, encoding="utf-8")
    _, layout = written(str(urdf), tmp_path)
    shipped = YAML(typ="safe").load(SHIPPED)
    assert without_name_and_view(layout) == without_name_and_view(shipped)
    (model,) = [
        shown for shown in layout["Visualization Manager"]["Displays"] if shown["Class"] == MODEL
    ]
    assert model["Name"] == "first"
