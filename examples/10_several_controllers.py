"""Several whole-body controllers in one file, exchanged while the robot holds its hand.

Each has parameters of its own; the effort passes from one to the next without a jump.
"""

import numpy as np

from controlit_ros.scripting import SimulatedController

CONFIGURATION = """
name: exchanged
robot_description: package://controlit/urdf/dreamer.urdf
simulator: {initial_position: &start {right_elbow: 0.6, left_elbow: 0.6}}
whole_body_controllers:
  - {name: Exact, type: WBOSC}
  - {name: Damped, type: WBOSC, singularity_handling: damp, damping_threshold: 0.05}
  - {name: Soft, type: WBOSC, null_space_projector_type: Kinematic}
tasks:
  - {name: Hand, type: CartesianPosition, body: right_wrist_yaw, kp: 36, kd: 12, max_velocity: 0.2}
  - {name: Posture, type: JointPosition, goal_position: *start, kp: 36, kd: 12}
compound_task: [{name: Hand, priority: 1}, {name: Posture, priority: 0}]
constraints:
  - {name: Base, type: FlatContact, body: base_link}
  - {name: Torso, type: Coactuation, master: torso_lower_pitch, slave: torso_upper_pitch}
constraint_set: [{name: Base}, {name: Torso}]
"""
PERIOD = 1e-3  # [s] of the servo

with SimulatedController(CONFIGURATION) as controller:
    begin = controller.task("Hand").actual.value.copy()
    controller.set("Hand.goal_position", begin + [0.05, 0.0, 0.03])
    controller.advance(2.0)
    for name in ("Damped", "Soft", "Exact"):
        before = np.array(list(controller.effort.values()))
        answer = controller.call(
            "control/setWholeBodyController",
            "controlit/srv/SetWholeBodyController",
            whole_body_controller=name,
        )
        assert answer.success, answer.message
        jump = np.abs(np.array(list(controller.effort.values())) - before).max()
        controller.advance(1.0)
        listed = controller.stack.controller.chosen.name
        print(f"{listed}: the effort changed by {jump:.4f} N m at the exchange")
        assert listed == name
        assert jump < 0.5
    assert controller.task("Hand").error_norm.value < 5e-3
