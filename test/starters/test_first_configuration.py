"""A first controller of any robot loads without a warning and keeps the robot where it is."""

from pathlib import Path

import numpy as np
import pytest
from robots_for_tests import chain, needs_example_robots

from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building import load_stack
from controlit_ros.scripting import SimulatedController
from controlit_ros.starters.first_configuration import first_configuration

STANDING = {
    "talos_data/robots/talos_reduced": ("FlatContact", 2),
    "g1_description/urdf/g1_29dof_rev_1_0": ("FlatContact", 2),
    "a1_description/urdf/a1": ("PointContact", 4),
    "solo_description/robots/solo12": ("PointContact", 4),
}
BOLTED = ("panda_description/urdf/panda", "tiago_pro_description/robots/tiago_pro",
          "allegro_hand_description/urdf/allegro_left_hand")  # fmt: skip
WHEELS = "tiago_description/robots/tiago_no_hand"


def written(name, folder):
    path = folder / "first.yaml"
    urdf = f"package://example-robot-data/robots/{name}.urdf"
    path.write_text(first_configuration(urdf, "first", folder), encoding="utf-8")
    return path


@pytest.mark.thorough
@needs_example_robots
@pytest.mark.parametrize("name", [*STANDING, *BOLTED])
def test_it_loads_and_stands_as_it_can(name, tmp_path):
    stack = load_stack(written(name, tmp_path))
    kinds = [type(constraint).__name__ for constraint in stack.constraints.constraints]
    contacts = [kind for kind in kinds if kind != "Coactuation"]
    kind, count = STANDING.get(name, ("FlatContact", 1))
    assert contacts == [kind] * count
    if name in STANDING:
        assert stack.warnings == ()
        assert "CenterOfMass" in [task.name for task in stack.tasks.tasks]


@needs_example_robots
def test_what_rolls_is_locked(tmp_path):
    stack = load_stack(written(WHEELS, tmp_path))
    assert not [joint for joint in stack.robot.real_joints if "wheel" in joint]


@pytest.mark.thorough
@needs_example_robots
def test_what_cannot_carry_itself_is_bolted_down(tmp_path):
    path = written("human_description/robots/human", tmp_path)
    assert "motors cannot carry it" in path.read_text(encoding="utf-8")
    stack = load_stack(path)
    assert [constraint.name for constraint in stack.constraints.constraints] == ["Base"]
    assert stack.warnings == ()


@pytest.mark.thorough
@needs_example_robots
@pytest.mark.parametrize("name", ["a1_description/urdf/a1", "ur_description/urdf/ur5_robot"])
def test_it_stays_where_it_begins(name, tmp_path):
    with SimulatedController(written(name, tmp_path)) as controller:
        begin = np.array(list(controller.position.values()))
        controller.advance(2.0)
        end = np.array(list(controller.position.values()))
        assert controller.state.value == "active"
        assert end == pytest.approx(begin, abs=2e-3)


def test_the_description_may_move_with_the_file(tmp_path):
    urdf = tmp_path / "robots" / "my.urdf"
    urdf.parent.mkdir()
    urdf.write_text(chain(1, ("revolute", "prismatic")).urdf, encoding="utf-8")
    assert "\nrobot_description: robots/my.urdf\n" in first_configuration(
        str(urdf), "pendulum", tmp_path
    )


@pytest.mark.parametrize(
    ("reference", "told"),
    [
        ("/nowhere.urdf", "no such file"),
        ("/dev/zero", "device"),
        ("<robot/>", "expected a file"),
    ],
)
def test_what_is_no_robot_is_refused(reference, told):
    with pytest.raises(ControlItError, match=told):
        first_configuration(reference, "first", Path())
