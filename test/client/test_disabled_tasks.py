"""A disabled task measures nothing, and says so on every way there is."""

import numpy as np
import pytest

from controlit_ros.client import RefusedError, connect
from controlit_ros.scripting import SimulatedController

KINDS = {
    "CartesianPosition": ("body: left_wrist_yaw", "actual_position"),
    "Orientation3D": ("body: left_wrist_yaw", "actual_orientation"),
    "Orientation2D": ("body: left_wrist_yaw", "actual_vector"),
    "CartesianPose": ("body: left_wrist_yaw", "actual_pose"),
    "CenterOfMass": ("kp: 64", "actual_position"),
    "JointPosition": ("kp: 64", "actual_position"),
}
FILE = """\
name: idle
robot_description: package://controlit/urdf/dreamer.urdf
parameters: {{servo_frequency: 250, realtime_priority: 0, robot_interface_type: Benchmark}}
tasks:
  - {{name: Held, type: JointPosition, kp: 64, kd: 16}}
  - {{name: Idle, type: {kind}, {parameters}}}
constraints: [{{name: Base, type: FlatContact, body: base_link}}]
compound_task:
  - {{name: Held, priority: 0}}
  - {{name: Idle, priority: 1, operational_state: disable}}
constraint_set: [{{name: Base}}]
"""


def all_nan(values):
    return np.isnan(np.asarray(values, dtype=float)).all()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_measured_is_not_a_number(kind):
    parameters, actual = KINDS[kind]
    with (
        SimulatedController(FILE.format(kind=kind, parameters=parameters)) as controller,
        connect(controller) as robot,
    ):
        task, found = robot.task("Idle"), []
        topic = task._description.outputs["actual"].topic
        controller.transport.subscribe(
            topic, task._description.outputs["actual"].travel.type_name, found.append
        )

        def shown():
            del found[:]
            robot.sleep(0.1)
            travel = task._description.outputs["actual"].travel
            value = travel.from_message(found[-1])
            published = list(value.values()) if isinstance(value, dict) else value
            outputs = robot.parameters[f"Idle.{actual}"], robot.parameters["Idle.error"]
            return [task.actual, task.error, task.error_norm, published, *outputs]

        assert all(map(all_nan, [*shown(), task.goal]))
        for switch in (task.sense, task.enable):
            switch()
            assert not any(map(all_nan, [*shown(), task.goal]))
            task.disable()
            assert all(map(all_nan, [*shown(), task.goal]))
        task.enable()
        begin = task.goal
        task.goal = begin  # it is stated from now on
        task.disable()
        assert all(map(all_nan, shown()))
        np.testing.assert_allclose(task.goal, begin)


def test_a_part_of_a_goal_that_is_not_known_is_no_goal(still, meet):
    """Joints that a map leaves out stay as they were; a disabled posture has no such value."""
    robot = meet(still)
    posture = robot.task("Posture")
    posture.disable()
    with pytest.raises(RefusedError, match="finite"):
        posture.goal = {"left_elbow": 0.5}
    posture.enable()
    posture.goal = {"left_elbow": 0.5}
    assert np.isfinite(posture.goal).all()
