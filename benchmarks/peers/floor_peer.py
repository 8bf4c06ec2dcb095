"""The floor: what no torque controller on Pinocchio can do without, and one factorisation."""

import numpy as np
import pinocchio as pin
from turns import read_problem, serve

problem = read_problem()
model = pin.buildModelFromUrdf(problem["urdf"])
data = model.createData()
q = pin.neutral(model)
for joint, angle in problem["posture"].items():
    q[model.joints[model.getJointId(joint)].idx_q] = angle
v = np.zeros(model.nv)
frames = [model.getFrameId(hand) for hand in problem["hands"]]


def work() -> None:
    """Compute dynamics, Jacobians and the factor of the inertia."""
    pin.crba(model, data, q)
    pin.nonLinearEffects(model, data, q, v)
    pin.computeJointJacobians(model, data, q)
    for frame in frames:
        pin.getFrameJacobian(model, data, frame, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED)
    pin.cholesky.decompose(model, data)


serve(work)
