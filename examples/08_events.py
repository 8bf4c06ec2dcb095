"""Events: conditions over parameters, published when they come true.

A program that waits for "the hand has arrived" needs no loop of its own. Expressions know every
parameter of every task; `until` is where the event may fire again, `for` how long it must hold.
"""

from controlit_ros.scripting import SimulatedController

CONFIGURATION = """
name: eventful
robot_description: package://controlit/urdf/dreamer.urdf
simulator: {initial_position: &start {right_elbow: 0.6, left_elbow: 0.6}}
tasks:
  - {name: Hand, type: CartesianPosition, body: right_wrist_yaw, kp: 36, kd: 12, max_velocity: 0.2}
  - {name: Posture, type: JointPosition, goal_position: *start, kp: 36, kd: 12}
compound_task: [{name: Hand, priority: 1}, {name: Posture, priority: 0}]
constraints:
  - {name: Base, type: FlatContact, body: base_link}
  - {name: Torso, type: Coactuation, master: torso_lower_pitch, slave: torso_upper_pitch}
constraint_set: [{name: Base}, {name: Torso}]
events:
  - {name: Left, expression: Hand.error_norm > 0.02}
  - {name: Arrived, expression: Hand.error_norm < 0.002, until: Hand.error_norm > 0.01}
"""

with SimulatedController(CONFIGURATION) as controller:
    heard = []
    controller.transport.subscribe(
        "events", "std_msgs/msg/String", lambda message: heard.append(message.data)
    )
    controller.advance(0.1)
    begin = controller.task("Hand").actual.value.copy()
    for step in (0.05, 0.0):  # there and back
        heard.clear()
        controller.set("Hand.goal_position", begin + [step, 0.0, 0.0])
        sent = controller.time
        while "Arrived" not in heard:
            controller.advance(0.05)
            assert controller.time < sent + 10.0
        print(f"{', '.join(heard)}: arrived after {controller.time - sent:.2f} s")
