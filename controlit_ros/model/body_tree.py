"""BodyTree: a robot's bodies as `kernels.rigid_bodies` reads them."""

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels import body_layout as layout
from controlit_ros.kernels.bind import FORTRAN, address_of

BASE = 1  # Pinocchio's number of the base, after the universe
EXACT = 1e-12  # [-] an axis that is nearer to one of the body's is that


class BodyTree:
    """What does not change of the bodies, and where Pinocchio keeps their poses.

    Args:
        model: A floating base, then joints of one degree of freedom.
        data: Its poses are what the kernel will write.

    Attributes:
        plan: `(1 + n, PLAN_COLUMNS)` see `kernels.rigid_bodies`.
        shape: `(1 + n, SHAPE_COLUMNS)` likewise.
        work: `(1 + n, WORK_COLUMNS)` scratch.
    """

    def __init__(self, model: pin.Model, data: pin.Data) -> None:
        count = model.njoints - BASE
        self.plan: Indices = np.zeros((count, layout.PLAN_COLUMNS), dtype=np.int64)
        self.shape: Array = np.zeros((count, layout.SHAPE_COLUMNS))
        self.work: Array = np.zeros((count, layout.WORK_COLUMNS))
        self._data = data
        neutral = model.createData()
        pin.computeJointJacobians(model, neutral, pin.neutral(model))
        for i in range(count):
            self._describe_body(i, model)
            if i > 0:
                jacobian = pin.getJointJacobian(model, neutral, BASE + i, pin.ReferenceFrame.LOCAL)
                self._describe_joint(i, model, jacobian[:, model.idx_vs[BASE + i]])

    def _describe_body(self, i: int, model: pin.Model) -> None:
        plan, shape = self.plan[i], self.shape[i]
        pose, inertia = self._data.oMi[BASE + i], model.inertias[BASE + i]
        plan[layout.ROTATION_AT] = address_of(pose.rotation, FORTRAN)
        plan[layout.TRANSLATION_AT] = address_of(pose.translation)
        shape[layout.MASS] = inertia.mass
        shape[layout.LEVER : layout.LEVER + 3] = inertia.lever
        about = inertia.inertia
        shape[layout.INERTIA : layout.INERTIA + 6] = (
            about[0, 0], about[0, 1], about[1, 1], about[0, 2], about[1, 2], about[2, 2]
        )  # fmt: skip

    def _describe_joint(self, i: int, model: pin.Model, column: Array) -> None:
        plan, shape = self.plan[i], self.shape[i]
        placement, joint = model.jointPlacements[BASE + i], model.joints[BASE + i]
        is_sliding = np.abs(column[:3]).max() > np.abs(column[3:]).max()
        axis = column[:3] if is_sliding else column[3:]
        axis = axis / np.linalg.norm(axis)
        nearest = int(np.argmax(axis))
        if axis[nearest] > 1.0 - EXACT:
            axis = np.eye(3)[nearest]
        plan[layout.PARENT] = model.parents[BASE + i] - BASE
        plan[layout.KIND] = layout.TURNING
        if is_sliding:
            plan[layout.KIND] = layout.SLIDING
        elif axis[nearest] == 1.0:
            plan[layout.KIND] = nearest
        plan[layout.ANGLE], plan[layout.IS_PAIR] = joint.idx_q, joint.nq == 2
        shape[layout.TURN : layout.TURN + 9] = placement.rotation.ravel()
        shape[layout.PLACE : layout.PLACE + 3] = placement.translation
        shape[layout.AXIS : layout.AXIS + 3] = axis
        shape[layout.ROTOR] = model.armature[model.idx_vs[BASE + i]]
