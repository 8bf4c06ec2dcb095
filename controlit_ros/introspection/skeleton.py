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
        self._parents = [parent - FIRST_JOINT for parent in list(model.parents)[FIRST_JOINT:]]
        self._ends = [
            (joint, model.inertias[FIRST_JOINT + joint].lever.copy())
            for joint in range(len(self._parents))
            if joint not in self._parents
        ]

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
        placements = [self._ghost.joint_placement(i) for i in range(len(self._parents))]
        places = [placement.translation for placement in placements]
        bones = [
            (places[parent] if parent >= 0 else state.base_position, place)
            for parent, place in zip(self._parents, places, strict=True)
        ]
        bones += [(places[joint], placements[joint].act(lever)) for joint, lever in self._ends]
        return np.array(bones)
