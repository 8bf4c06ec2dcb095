"""tsid: a robot on two feet with friction, weighted tasks and limits of effort."""

import numpy as np
import pinocchio as pin
from swaying import Swaying
from tsid import tsid_pywrap as tsid
from turns import read_problem, serve

problem = read_problem()
model = pin.buildModelFromUrdf(problem["urdf"], pin.JointModelFreeFlyer())
robot = tsid.RobotWrapper(model, tsid.FLOATING_BASE_SYSTEM, False)
motion = Swaying(problem)
joints = [model.getJointId(name) for name in motion.names]
of_q = np.array([model.joints[joint].idx_q for joint in joints])
of_v = np.array([model.joints[joint].idx_v for joint in joints])
q, v = pin.neutral(model), np.zeros(model.nv)
q[of_q], v[of_v] = motion.advance()
program = tsid.InverseDynamicsFormulationAccForce("tsid", robot, False)
program.computeProblemData(0.0, q, v)
data = program.data()
kp, kd = problem["kp"], problem["kd"]
kept = []  # the program refers to its tasks and does not own them

x, y = problem["half_size"]
corners = np.array([[x, x, -x, -x], [y, -y, y, -y], [0.0] * 4])
for sole in problem["soles"]:
    contact = tsid.Contact6d(
        sole, robot, sole, corners, np.array([0.0, 0.0, 1.0]), problem["friction"], 0.0, 1e4
    )
    contact.setReference(robot.framePosition(data, model.getFrameId(sole)))
    program.addRigidContact(contact, problem["regularisation"])
    kept.append(contact)


def on_body(name: str, task: dict[str, object], mask: list[float]) -> None:
    """Add a task of a body's pose, or of parts of it."""
    motion_task = tsid.TaskSE3Equality(name, robot, task["body"])
    motion_task.setKp(kp * np.ones(6))
    motion_task.setKd(kd * np.ones(6))
    motion_task.setMask(np.array(mask))
    pose = robot.framePosition(data, model.getFrameId(task["body"]))
    motion_task.setReference(tsid.TrajectorySE3Constant(name, pose).computeNext())
    program.addMotionTask(motion_task, task["weight"], 1, 0.0)
    kept.append(motion_task)


for name, task in problem["tasks"].items():
    if task["type"] == "CartesianPosition":
        on_body(name, task, [1.0] * 3 + [0.0] * 3)
    elif task["type"] == "Orientation3D":
        axes = task.get("axes", ["x", "y", "z"])
        on_body(name, task, [0.0] * 3 + [float(axis in axes) for axis in "xyz"])
    elif task["type"] == "CenterOfMass":
        balance = tsid.TaskComEquality(name, robot)
        balance.setKp(kp * np.ones(3))
        balance.setKd(kd * np.ones(3))
        goal = robot.com(data) + problem["off"]
        balance.setReference(tsid.TrajectoryEuclidianConstant(name, goal).computeNext())
        program.addMotionTask(balance, task["weight"], 1, 0.0)
        kept.append(balance)
    else:
        posture = tsid.TaskJointPosture(name, robot)
        posture.setKp(kp * np.ones(model.nv - 6))
        posture.setKd(kd * np.ones(model.nv - 6))
        posture.setReference(tsid.TrajectoryEuclidianConstant(name, q[7:]).computeNext())
        program.addMotionTask(posture, task["weight"], 1, 0.0)
        kept.append(posture)
limits = tsid.TaskActuationBounds("effort", robot)
limits.setBounds(-model.effortLimit[6:], model.effortLimit[6:])
program.addActuationTask(limits, 1.0, 0, 0.0)
solver = tsid.SolverHQuadProgFast("solver")
solver.resize(program.nVar, program.nEq, program.nIn)


def work() -> None:
    """Take the next state and solve."""
    q[of_q], v[of_v] = motion.advance()
    solution = solver.solve(program.computeProblemData(0.0, q, v))
    if solution.status != 0:
        raise RuntimeError(f"not solved: status {solution.status}")
    program.getActuatorForces(solution)


serve(work)
