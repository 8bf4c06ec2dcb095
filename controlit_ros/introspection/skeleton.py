"""Skeleton: the robot as lines between its joints."""

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.model import FIRST_JOINT, RobotDescription, RobotModel, RobotState


class Skeleton:
    """Lines from each joint to the one that carries it, and to the middle of bodies at the ends.

    Args:
        robot: Structure of the robot.
    """

    def __init__(self, robot: RobotDescription) -> None:
        self._ghost = RobotModel(robot)
        self._state = RobotState(robot.real_joints)
        model = robot.pinocchio
        parents = [parent - FIRST_JOINT for parent in list(model.parents)[FIRST_JOINT:]]
        joints = range(len(parents))
        placements = [self._ghost.joint_placement(joint) for joint in joints]
        ends = [joint for joint in joints if joint not in parents]
        self._places = [placement.translation for placement in placements]  # memory that stays
        self._ends = [
            (placements[joint], model.inertias[FIRST_JOINT + joint].lever.copy()) for joint in ends
        ]
        base = len(parents) + len(ends)  # after joints and ends
        self._first = np.array([base if p < 0 else p for p in parents] + ends, dtype=np.intp)

    def bones(self, state: RobotState, joints: Indices, positions: Array) -> Array:
        """Return the bones of the robot with some joints elsewhere, `(k, 2, 3)` in the world [m].

        Args:
            state: Where the base and the other joints are.
            joints: `(n,)` indices of real joints.
            positions: `(n,)` where these are [rad] or [m].
        """
        self._state.copy_from(state)
        self._state.position[joints] = positions
        self._ghost.update(self._state)
        ends = [placement.act(lever) for placement, lever in self._ends]
        places = np.array([*self._places, *ends, state.base_position])
        return np.stack([places[self._first], places[:-1]], axis=1)
