"""Skeleton: the robot as lines between its joints."""

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels import BoundKernel, bind, draw_bones
from controlit_ros.kernels.bind import FORTRAN, address_of
from controlit_ros.kernels.drawn_shape import BONE_COLUMNS
from controlit_ros.model import FIRST_JOINT, RobotDescription, RobotModel, RobotState


class Skeleton:
    """Lines from each joint to the one that carries it, and to the middle of bodies at the ends.

    Args:
        robot: Structure of the robot.

    Attributes:
        count: Of bones.
    """

    def __init__(self, robot: RobotDescription) -> None:
        self._ghost = RobotModel(robot)
        model = robot.pinocchio
        parents = [parent - FIRST_JOINT for parent in list(model.parents)[FIRST_JOINT:]]
        placements = [self._ghost.joint_placement(joint) for joint in range(len(parents))]
        ends = [joint for joint in range(len(parents)) if joint not in parents]
        base = self._ghost.state.base_position
        starts = [placements[p].translation if p >= 0 else base for p in parents]
        starts += [placements[joint].translation for joint in ends]
        last = [*placements, *[placements[joint] for joint in ends]]
        self.count = len(last)
        self._levers: Array = np.zeros((self.count, 3))
        for lever, joint in zip(self._levers[len(parents) :], ends, strict=True):
            lever[:] = model.inertias[FIRST_JOINT + joint].lever
        self._bones: Indices = np.array(
            [
                (address_of(start), address_of(end.rotation, FORTRAN), address_of(end.translation))
                for start, end in zip(starts, last, strict=True)
            ],
            dtype=np.int64,
        ).reshape(-1, BONE_COLUMNS)

    def pose(self, state: RobotState, joints: Indices, positions: Array) -> None:
        """Take the posture of a robot with some joints elsewhere.

        Args:
            state: Where the base and the other joints are.
            joints: `(n,)` indices of real joints.
            positions: `(n,)` where these are [rad] or [m].
        """
        own = self._ghost.state
        own.copy_from(state)
        own.position[joints] = positions
        self._ghost.update(own)

    def bones(self, bones: Array) -> BoundKernel:
        """Return what writes bones, `(count, 2, 3)` beginning and end of each in the world [m]."""
        return bind(draw_bones, self._bones, self._levers, bones)
