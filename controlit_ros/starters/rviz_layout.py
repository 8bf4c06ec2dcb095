"""A layout of RViz for a controller that has none."""

from io import StringIO
from typing import NamedTuple

import numpy as np
from ruamel.yaml import YAML

from controlit_ros.arrays import Array
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.offline import start_of
from controlit_ros.share import share_directory

MODEL, ORBIT = "rviz_default_plugins/RobotModel", "rviz_default_plugins/Orbit"
DISTANCE = 1.6  # [-] times the robot's extent, from which all of it is seen
NEAREST = 0.3  # [m]


class View(NamedTuple):
    """From where a robot is looked at.

    Attributes:
        focus: `(3,)` the middle of the robot, world frame [m].
        distance: From there [m].
    """

    focus: Array
    distance: float


def rviz_layout(stack: ControllerStack) -> str:
    """Return a layout that shows a robot whole where it starts, with its tasks and goals.

    Topics are relative: RViz runs in the namespace of the controller.
    """
    yaml = YAML()
    yaml.width = 10_000
    # any of them: layouts differ in name and view only
    shipped = min((share_directory() / "config" / "rviz").glob("*.rviz"))
    layout = yaml.load(shipped.read_text(encoding="utf-8"))
    manager, view = layout["Visualization Manager"], view_of(stack)
    (model,) = [shown for shown in manager["Displays"] if shown["Class"] == MODEL]
    model["Name"] = stack.configuration.name
    current = manager["Views"]["Current"]
    assert current["Class"] == ORBIT
    current["Distance"] = round(view.distance, 2)
    for axis, value in zip("XYZ", view.focus.tolist(), strict=True):
        current["Focal Point"][axis] = round(value, 2) + 0.0
    stream = StringIO()
    yaml.dump(layout, stream)
    return stream.getvalue()


def view_of(stack: ControllerStack) -> View:
    """Return a view of all frames of a robot as it starts."""
    model = stack.create_model().robot_model
    model.update(start_of(stack))
    robot = model.description
    places = [model.placement(robot.frame_id(name)).translation for name in robot.frame_names]
    low, high = np.min(places, axis=0), np.max(places, axis=0)
    return View(0.5 * (low + high), max(NEAREST, DISTANCE * float(np.linalg.norm(high - low))))
