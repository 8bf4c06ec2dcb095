"""Forces that fight or that the joints do not have are told before the robot leans."""

import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import edited

from controlit_ros.nodes.building import load_stack

STAND = REPOSITORY / "config" / "talos" / "stand.yaml"
FLOOR = str(STAND.parent / "floor.xml")

pytestmark = [pytest.mark.simulation, needs_example_robots]


def warnings(changes, added=()):
    """Return what is doubtful of Talos with parameters of tasks changed, and tasks added."""

    def edit(data):
        data["simulator"]["scene"] = FLOOR
        for task in data["tasks"]:
            task.update(changes.get(task["name"], {}))
        for task, priority in added:
            data["tasks"].append(task)
            data["compound_task"].append({"name": task["name"], "priority": priority})

    return load_stack(edited(STAND, edit)).warnings


def test_what_ships_has_no_such_warnings():
    assert not [text for text in warnings({}) if "force" in text]


def test_pressure_to_the_front_fights_the_moment_about_y():
    found = warnings({"LeftPressure": {"axes": ["x", "y"]}})
    (text,) = [text for text in found if "fight" in text or "same force" in text]
    assert "LeftPressure x" in text
    assert "Tension moment_y" in text
    assert "LeftPressure y" not in text
    assert "tasks[15]: " in text


@pytest.mark.parametrize("force", [3e3, -3e3, 1e6])
def test_a_tension_beyond_the_joints_is_told_with_joint_and_limit(force):
    found = warnings({"Tension": {"goal_force": [force, 0.0, 0.0, 0.0]}})
    (text,) = [text for text in found if "effort limit" in text]
    assert "tasks[15].goal_force: found " in text
    assert " of 'leg_" in text
    assert "the forces will be less than asked for" in text


def test_a_push_in_a_direction_that_another_task_leads_is_told():
    push = {"name": "Push", "type": "ExternalForce", "body": "arm_left_7_link", "axes": ["x"]}

    def leaders(priority, **changes):
        return [text for text in warnings(changes, [(push, priority)]) if " leads x, too" in text]

    (told,) = leaders(0)
    assert "tasks[16]: LeftHandPosition leads x, too, with no lower priority" in told
    assert len(leaders(1)) == 1
    assert leaders(2) == []
    assert leaders(0, LeftHandPosition={"axes": ["y", "z"]}) == []
