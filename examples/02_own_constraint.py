"""A constraint of your own: two joints joined by a belt over two pulleys.

It adds a row to Jc, and the controller moves within what is left. The simulator is told, too.
"""

import numpy as np

from controlit_ros.plugins import Coupling, TransmissionConstraint
from controlit_ros.scripting import SimulatedController, register

CONFIGURATION = """
name: belted
robot_description: package://controlit/urdf/dreamer.urdf
simulator: {initial_position: &start {right_elbow: 0.6, left_elbow: 0.6}}
tasks:
  - {name: Hand, type: CartesianPosition, body: right_wrist_yaw, kp: 36, kd: 12, max_velocity: 0.2}
  - {name: Posture, type: JointPosition, goal_position: *start, kp: 36, kd: 12}
compound_task: [{name: Hand, priority: 1}, {name: Posture, priority: 0}]
constraint_set: [{name: Base}, {name: Torso}]
constraints:
  - {name: Base, type: FlatContact, body: base_link}
  - {name: Torso, type: Belt, driving: torso_lower_pitch, driven: torso_upper_pitch, radii: [3, 2]}
"""


class Belt(TransmissionConstraint):
    """One row: `r_driving q̇_driving − r_driven q̇_driven = 0`."""

    def __init__(self, name, robot):
        super().__init__(name, robot)
        self.driving = self.declare("driving", "")
        self.driven = self.declare("driven", "")
        self.radii = self.declare("radii", (1.0, 1.0), shape=(2,), unit="cm")

    dimension = 1

    @property
    def couplings(self):
        ratio = self.radii.value[0] / self.radii.value[1]
        return (Coupling(self.driving.value, self.driven.value, ratio),)

    def configure(self):
        self._row = np.zeros(self.robot.nv)  # six columns of the base, then the joints
        r_driving, r_driven = self.radii.value
        self._row[6 + self.resolve_joint(self.driving, self.driving.value)] = r_driving
        self._row[6 + self.resolve_joint(self.driven, self.driven.value)] = -r_driven

    def update(self, model, jacobian, bias):
        jacobian[0] = self._row
        bias[0] = 0.0


register("controlit.constraints", Belt)
with SimulatedController(CONFIGURATION) as controller:
    controller.set("Hand.goal_position", controller.task("Hand").actual.value + [0.03, 0.0, 0.0])
    controller.advance(4.0)
    lower, upper = (controller.position[f"torso_{end}_pitch"] for end in ("lower", "upper"))
    print(f"the torso bends by {lower:.4f} and {upper:.4f} rad, a ratio of {upper / lower:.3f}")
    assert abs(upper / lower - 1.5) < 1e-2
    assert controller.task("Hand").error_norm.value < 2e-3
