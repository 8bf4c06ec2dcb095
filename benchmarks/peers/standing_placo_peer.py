"""placo: a robot on two feet with friction, weighted tasks and limits of effort."""

import numpy as np
import placo
from swaying import Swaying
from turns import read_problem, serve

problem = read_problem()
robot = placo.RobotWrapper(problem["urdf"], placo.Flags.ignore_collisions)
motion = Swaying(problem)
of_q = np.array([robot.get_joint_offset(name) for name in motion.names])
of_v = np.array([robot.get_joint_v_offset(name) for name in motion.names])


def advance() -> None:
    """Take the next state."""
    q, v = np.array(robot.state.q), np.array(robot.state.qd)
    q[of_q], v[of_v] = motion.advance()
    robot.state.q, robot.state.qd = q, v
    robot.update_kinematics()


advance()
solver = placo.DynamicsSolver(robot)
solver.dt = problem["period"]
solver.set_kp(problem["kp"])
solver.set_kd(problem["kd"])
solver.enable_torque_limits(True)
for sole in problem["soles"]:
    foot = solver.add_frame_task(sole, np.array(robot.get_T_world_frame(sole)))
    foot.configure(sole, "hard", 1.0, 1.0)
    contact = solver.add_planar_contact(foot)
    contact.unilateral = True
    contact.mu = problem["friction"]
    contact.length, contact.width = (2.0 * size for size in problem["half_size"])
    contact.weight_forces = contact.weight_moments = problem["regularisation"]
for name, task in problem["tasks"].items():
    if task["type"] == "CenterOfMass":
        added = solver.add_com_task(np.array(robot.com_world()) + problem["off"])
    elif task["type"] == "JointPosition":
        added = solver.add_joints_task()
        added.set_joints({name: problem["posture"].get(name, 0.0) for name in motion.names})
    else:
        pose = np.array(robot.get_T_world_frame(task["body"]))
        if task["type"] == "CartesianPosition":
            added = solver.add_position_task(task["body"], pose[:3, 3])
        else:
            added = solver.add_orientation_task(task["body"], pose[:3, :3])
            added.mask.set_axises("".join(task.get("axes", "xyz")), "local")
    added.configure(name, "soft", task["weight"])


def work() -> None:
    """Take the next state and solve."""
    advance()
    if not solver.solve(False).success:
        raise RuntimeError("not solved")


serve(work)
