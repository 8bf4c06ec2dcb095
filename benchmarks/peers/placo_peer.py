"""placo: inverse dynamics as a quadratic program, two hand poses and a posture."""

import numpy as np
import placo
from turns import read_problem, serve

problem = read_problem()
robot = placo.RobotWrapper(problem["urdf"], placo.Flags.ignore_collisions)
for joint, angle in problem["posture"].items():
    robot.set_joint(joint, angle)
robot.update_kinematics()
solver = placo.DynamicsSolver(robot)
solver.dt = 1e-3
solver.mask_fbase(True)
for hand in problem["hands"]:
    goal = np.array(robot.get_T_world_frame(hand))
    goal[:3, 3] += problem["offset"]
    solver.add_frame_task(hand, goal).configure(hand, "soft", 1.0, 1.0)
posture = solver.add_joints_task()
posture.set_joints(problem["posture"])
posture.configure("posture", "soft", 1e-3)


def work() -> None:
    """Update the state and solve."""
    robot.update_kinematics()
    solver.solve(False)


serve(work)
