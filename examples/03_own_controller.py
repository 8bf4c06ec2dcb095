"""A whole-body controller of your own: tasks pull with forces, and nobody goes first.

A controller gets the model, seen through the constraints, and the tasks with their commands, and
writes an effort for each command joint. The guard holds every limit whatever it writes.
"""

import numpy as np

from controlit_ros.plugins import WholeBodyController
from controlit_ros.scripting import SimulatedController, register

CONFIGURATION = """
name: pulled
robot_description: package://controlit/urdf/dreamer.urdf
simulator: {initial_position: &start {right_elbow: 0.6, left_elbow: 0.6}}
parameters: {whole_body_controller_type: Transpose}
tasks:
  - {name: Hand, type: CartesianPosition, body: right_wrist_yaw, kp: 200, kd: 20}
  - {name: Posture, type: JointPosition, goal_position: *start, kp: 2, kd: 1}
compound_task: [{name: Hand, priority: 1}, {name: Posture, priority: 0}]
constraints:
  - {name: Base, type: FlatContact, body: base_link}
  - {name: Torso, type: Coactuation, master: torso_lower_pitch, slave: torso_upper_pitch}
constraint_set: [{name: Base}, {name: Torso}]
"""


class Transpose(WholeBodyController):
    """Jacobian-transpose control: `τ = UNc̄ᵀ (B + G) + m Σ (J UNc̄)ᵀ ẍ`.

    An inverse of nothing, so it passes through singular postures; in return no task is exact
    while another one pulls.
    """

    def __init__(self, robot, max_rows):
        super().__init__(robot, max_rows)
        self.mass = self.declare("mass", 1.0, lower=0.0, unit="kg")
        self._force = np.zeros(robot.nv)  # allocate here, not in the servo's cycle

    def compute_command(self, model, tasks, command):
        """Add up what the tasks pull with, beside gravity and Coriolis forces."""
        np.dot(tasks.command, tasks.jacobian, out=self._force)
        np.dot(self._force, model.UNc_bar, out=command.effort)
        command.effort *= self.mass.value
        command.effort += model.bias_effort


register("controlit.whole_body_controllers", Transpose)
with SimulatedController(CONFIGURATION) as controller:
    hand = controller.task("Hand")
    goal = hand.actual.value + [0.03, 0.0, 0.03]
    controller.set("Hand.goal_position", goal)
    far = float(np.linalg.norm(goal - hand.actual.value))
    controller.advance(5.0)
    print(f"{1e3 * far:.1f} mm away at first, {1e3 * hand.error_norm.value:.1f} mm in the end")
    assert hand.error_norm.value < 0.3 * far
    assert controller.state.value == "active"
