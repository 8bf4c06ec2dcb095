"""A loop of your own over the model: no servo, no transport, no threads.

For studies and tests of algorithms: every quantity of the paper is at hand in each cycle.
"""

import numpy as np

from controlit_ros.plugins import Command
from controlit_ros.scripting import load_stack

HANDS = "package://controlit/config/dreamer/hands.yaml"

stack = load_stack(HANDS, {"robot_interface.mode": "in_process"})  # the simulation, in this thread
model = stack.create_model()  # of the robot, seen through its constraints
state, command = stack.robot_interface.setup.create_state(), Command(stack.robot.command_joints)
period = 1.0 / stack.servo.frequency
hand = next(task for task in stack.tasks.tasks if task.name == "RightHandPosition")

robot = stack.robot_interface
robot.activate()
for cycle in range(3000):
    robot.read(state)
    model.update(state)  # A, B, G, Jc and what follows of them
    for task in stack.tasks.tasks:
        task.update(model.robot_model, task.inactive)  # J, J̇ v and actual values
        task.swap()
        if cycle == 0:
            task.latch_goal()  # goals are where the robot is
    if cycle == 0:
        hand.goal.set(hand.goal.value + [0.0, -0.03, 0.03])
    stack.tasks.compute(period)  # errors and commanded accelerations
    stack.controller.compute_command(model, stack.tasks, command)
    robot.write(command)
    if cycle % 1000 == 0:
        gravity = np.abs(model.robot_model.G).max()
        print(
            f"{cycle * period:.0f} s: {1e3 * hand.error_norm.value:.2f} mm, G ≤ {gravity:.1f} N m"
        )
robot.deactivate()
print(
    f"rank of Φ: {np.linalg.matrix_rank(model.Phi)}, condition of A: "
    f"{np.linalg.cond(model.robot_model.A):.0f}"
)
assert hand.error_norm.value < 1e-3
