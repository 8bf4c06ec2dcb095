"""A robot interface of your own: here an arm that is integrated with Pinocchio.

Yours would talk to drives, without blocking; limits, watchdogs and fallbacks stand before it.
"""

from pathlib import Path

import numpy as np
import pinocchio as pin

from controlit_ros.plugins import RobotInterface
from controlit_ros.scripting import SimulatedController, register

CONFIGURATION = f"""
name: integrated
robot_description: {Path(__file__).resolve().parent / "table_plugin" / "table_arm.urdf"}
parameters: {{robot_interface_type: Integrated, rotor_inertia: 0.05}}
tasks:
  - {{name: Posture, type: JointPosition, goal_position: {{elbow: 1.0}}, kp: 9, kd: 6}}
constraints: [{{name: Base, type: FlatContact, body: base_link}}]
compound_task: [{{name: Posture, priority: 0}}]
constraint_set: [{{name: Base}}]
"""


class Integrated(RobotInterface):
    """Forward dynamics of a bolted arm, one servo period with every command."""

    def configure(self):
        """Build the model; no input or output yet."""
        self._model = pin.buildModelFromXML(self.setup.urdf)
        self._model.armature[:] = self.setup.reflected_inertia  # of the rotors
        self._data, self._cycle = self._model.createData(), 0
        self._q, self._v = np.zeros(self._model.nq), np.zeros(self._model.nv)

    def activate(self):
        """Connect."""

    def read(self, state):
        """Tell where the joints are; they stand in the order of the description."""
        state.position[:], state.velocity[:] = self._q, self._v
        state.sequence, state.stamp = self._cycle, self._cycle / self.setup.servo_frequency
        return True

    def write(self, command):
        """Let a servo period pass under the commanded efforts."""
        period = 1.0 / self.setup.servo_frequency
        self._v += period * pin.aba(self._model, self._data, self._q, self._v, command.effort)
        self._q += period * self._v
        self._cycle += 1

    def deactivate(self):
        """Disconnect."""


register("controlit.robot_interfaces", Integrated)
with SimulatedController(CONFIGURATION) as controller:
    controller.advance(5.0)
    print(f"the elbow is at {controller.position['elbow']:.4f} rad")
    assert abs(controller.position["elbow"] - 1.0) < 1e-3
