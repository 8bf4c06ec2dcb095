"""A control law of your own: nothing is done about errors within a dead band.

A law turns the error of a task and its rate into a command; any task takes it by name.
"""

import numpy as np

from controlit_ros.plugins import ControlLaw
from controlit_ros.scripting import SimulatedController, register

CONFIGURATION = """
name: banded
robot_description: package://controlit/urdf/dreamer.urdf
simulator: {initial_position: &start {right_elbow: 0.6, left_elbow: 0.6}}
tasks:
  - name: Hand
    type: CartesianPosition
    body: right_wrist_yaw
    control_law: DeadBand
    stiffness: 36
    damping: 12
    band: 0.01 # [m]
  - {name: Posture, type: JointPosition, goal_position: *start, kp: 36, kd: 12}
compound_task: [{name: Hand, priority: 1}, {name: Posture, priority: 0}]
constraints:
  - {name: Base, type: FlatContact, body: base_link}
  - {name: Torso, type: Coactuation, master: torso_lower_pitch, slave: torso_upper_pitch}
constraint_set: [{name: Base}, {name: Torso}]
"""


class DeadBand(ControlLaw):
    """`command = stiffness (e − band e/|e|) + damping (v_goal − v)` where |e| exceeds the band."""

    def __init__(self, owner, dimension, *, by_component=False, labels=(), unit="m"):
        super().__init__(owner, dimension, by_component=by_component, labels=labels, unit=unit)
        self.stiffness = self.declare_gain("stiffness", "1/s²", "pull towards the goal")
        self.damping = self.declare_gain("damping", "1/s", "takes speed away")
        self.band = self.declare_gain("band", unit, "error that is left alone")

    def compute(self, error, velocity, goal_velocity, goal_acceleration, period, command):
        """Write the command; return the length of the error."""
        length = float(np.linalg.norm(error))
        beyond = np.maximum(0.0, 1.0 - self.band.value / max(length, 1e-9)) * error
        command[:] = self.stiffness.value * beyond + goal_acceleration
        command += self.damping.value * (goal_velocity - velocity)
        return length


register("controlit.control_laws", DeadBand)
with SimulatedController(CONFIGURATION) as controller:
    hand = controller.task("Hand")
    begin = hand.actual.value.copy()
    for step, expected in ((0.008, 0.0), (0.05, 0.04)):  # within the band, beyond it
        controller.set("Hand.goal_position", begin + [step, 0.0, 0.0])
        controller.advance(4.0)
        moved = float(hand.actual.value[0] - begin[0])
        print(f"a goal {1e3 * step:.0f} mm away moves the hand by {1e3 * moved:.1f} mm")
        assert abs(moved - expected) < 1e-3
