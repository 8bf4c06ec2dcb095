"""mink: inverse kinematics as a quadratic program on MuJoCo, two hand poses and a posture."""

import mink
import mujoco
import numpy as np
from turns import read_problem, serve

problem = read_problem()
model = mujoco.MjModel.from_xml_path(problem["urdf"])
q = np.zeros(model.nq)
for joint, angle in problem["posture"].items():
    q[model.joint(joint).qposadr[0]] = angle
configuration = mink.Configuration(model, q=q)
tasks = []
for hand in problem["hands"]:
    task = mink.FrameTask(hand, "body", position_cost=1.0, orientation_cost=1.0)
    goal = configuration.get_transform_frame_to_world(hand, "body")
    offset = mink.SE3.from_translation(np.array(problem["offset"]))
    task.set_target(offset @ goal)
    tasks.append(task)
posture = mink.PostureTask(model, cost=1e-3)
posture.set_target(q)
tasks.append(posture)


def work() -> None:
    """Update the state and solve."""
    configuration.update(q)
    mink.solve_ik(configuration, tasks, 1e-3, "daqp", damping=1e-6)


serve(work)
