"""pink: inverse kinematics as a quadratic program, two hand poses and a posture."""

import numpy as np
import pink
import pinocchio as pin
from turns import read_problem, serve

problem = read_problem()
model = pin.buildModelFromUrdf(problem["urdf"])
q = pin.neutral(model)
for joint, angle in problem["posture"].items():
    q[model.joints[model.getJointId(joint)].idx_q] = angle
configuration = pink.Configuration(model, model.createData(), q)
tasks = []
for hand in problem["hands"]:
    task = pink.tasks.FrameTask(hand, position_cost=1.0, orientation_cost=1.0)
    goal = configuration.get_transform_frame_to_world(hand)
    goal.translation = goal.translation + np.array(problem["offset"])
    task.set_target(goal)
    tasks.append(task)
posture = pink.tasks.PostureTask(cost=1e-3)
posture.set_target(q)
tasks.append(posture)


def work() -> None:
    """Update the state and solve."""
    configuration.update(q)
    pink.solve_ik(configuration, tasks, 1e-3, solver="daqp", safety_break=False)


serve(work)
