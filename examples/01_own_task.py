"""A task of your own: keep a body at a height, in a dozen lines.

A task says what it measures and how that moves with the joints. Gains, goals on topics, events,
priorities and threads come with the base class. In a package of your own the line
`ElbowHeight = my_package:ElbowHeight` below `controlit.tasks` takes the place of `register`.
"""

import numpy as np

from controlit_ros.plugins import Access, FramePoint, PIDController, Task
from controlit_ros.scripting import SimulatedController, register

CONFIGURATION = """
name: heights
robot_description: package://controlit/urdf/dreamer.urdf
simulator: {initial_position: &start {right_elbow: 0.6, left_elbow: 0.6}}
tasks:
  - {name: Elbow, type: ElbowHeight, body: right_elbow, kp: 9, kd: 6, max_velocity: 0.02}
  - {name: Posture, type: JointPosition, goal_position: *start, kp: 36, kd: 12}
compound_task: [{name: Elbow, priority: 1}, {name: Posture, priority: 0}]
constraints:
  - {name: Base, type: FlatContact, body: base_link}
  - {name: Torso, type: Coactuation, master: torso_lower_pitch, slave: torso_upper_pitch}
constraint_set: [{name: Base}, {name: Torso}]
"""
RISE = 0.03  # [m]


class ElbowHeight(Task):
    """Keeps the origin of a body at a height; world frame [m]."""

    def __init__(self, name, robot):
        super().__init__(name, robot, dimension=1)
        self.body = self.declare_body()
        self.goal = self.declare("goal_height", (1.0,), shape=(1,), unit="m")
        self.actual = self.declare("actual_height", (0.0,), shape=(1,), access=Access.OUTPUT)
        self.controller = PIDController(self, 1)
        self._point = FramePoint(robot.nv)

    def _update(self, model, state):
        self._point.update(model, self.resolve_frame(self.body), np.zeros(3))
        state.actual[:] = self._point.position[2:]  # what is measured,
        state.jacobian[:] = self._point.jacobian[2:]  # how it moves with the joints,
        state.bias[:] = self._point.bias[2:]  # and how it accelerates at their speeds


register("controlit.tasks", ElbowHeight)
with SimulatedController(CONFIGURATION) as controller:
    height = controller.task("Elbow").actual.value
    begin = float(height[0])  # control begins where the robot is
    controller.set("Elbow.goal_height", [begin + RISE])
    controller.advance(6.0)
    end = float(height[0])
    print(f"the elbow rose from {begin:.3f} m to {end:.3f} m")
    assert abs(end - begin - RISE) < 1e-3
