"""Robot descriptions that are broken in any place."""

import tempfile
import xml.etree.ElementTree as ET
from copy import deepcopy
from pathlib import Path

import numpy as np
from file_trials import judge
from robots_for_tests import REPOSITORY
from trial import TrialClass

from controlit_ros.configuration import load_configuration

FILES = (
    REPOSITORY / "config" / "dreamer" / "hands.yaml",
    REPOSITORY / "config" / "trikey" / "drive.yaml",
)
VALUES = (
    "", "nan", "inf", "-inf", "1e308", "-1e308", "1e400", "1e-320", "0", "-1", "abc", "0 0 0",
    "1 0", "nan nan nan", "1e308 1e308 1e308", "1e-300 0 0", "1,5", "0x10", "é", "a" * 3000,
    "0.5f", "\t", "1e30", "1e-15", "1e9 0 0", "base_link", "floating", "planar", "ball", "fixed",
    "prismatic", "continuous", "revolute", "0 0 1", "1_0", "1e6", "-1e6", "1e-9",
)  # fmt: skip
TAGS = ("link", "joint", "robot", "x", "inertial", "inertia", "limit", "axis", "mimic", "origin")
WAYS = ("value",) * 6 + ("lose", "drop", "double", "rename", "nest", "text")
MOST = 3  # [-] mistakes in a description


class UrdfTrials(TrialClass):
    """A robot of ours with something wrong in it: an error with a line, or a finite command."""

    name = "robot descriptions"
    share = 300
    least = 10

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._robots = {
            path: ET.fromstring(load_configuration(path).read_robot_description().urdf)
            for path in FILES
        }

    def run(self, rng: np.random.Generator) -> str | None:
        """Break a description and compute a cycle with it."""
        path = FILES[rng.integers(len(FILES))]
        robot = deepcopy(self._robots[path])
        for _ in range(int(rng.integers(1, MOST + 1))):
            _break(robot, rng)
        urdf = Path(self._folder.name) / "robot.urdf"
        urdf.write_text(ET.tostring(robot, encoding="unicode"), encoding="utf-8")
        return judge(path, {"robot_description": str(urdf)})

    def close(self) -> None:
        """Remove the files."""
        self._folder.cleanup()


def _break(robot: ET.Element, rng: np.random.Generator) -> None:
    parents = {child: parent for parent in robot.iter() for child in parent}
    elements = list(parents)
    element = elements[rng.integers(len(elements))]
    parent, names = parents[element], sorted(element.attrib)
    way = str(rng.choice(WAYS))
    if way in ("value", "lose") and names:
        name = str(rng.choice(names))
        if way == "lose":
            del element.attrib[name]
        else:
            element.set(name, VALUES[rng.integers(len(VALUES))])
    elif way == "drop":
        parent.remove(element)
    elif way == "double":
        parent.append(deepcopy(element))
    elif way == "rename":
        element.tag = str(rng.choice(TAGS))
    elif way == "nest":
        element.append(deepcopy(elements[rng.integers(len(elements))]))
    else:
        element.text = "\x7f lorem"
