"""LegKinematics: where the contacts are and how they turn, seen from the root link."""

from collections.abc import Sequence

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.constraints.contact import ContactConstraint
from controlit_ros.kernels import GIVEN, BoundKernel, bind, leg_motion
from controlit_ros.model import BASE_DOFS, FIRST_JOINT, RobotDescription, RobotState
from controlit_ros.model.contact_site import ContactSite

FIRST_JOINT_WORD = 7  # of a configuration, after the pose of the root link


class LegKinematics:
    """Computes contacts from encoders alone.

    Args:
        robot: The robot.
        contacts: Whose places are wanted.

    Attributes:
        places: `(contacts, 3)` in the root link frame [m].
        rates: `(contacts, 3)` angular velocity of the touching bodies against the root link, in its
            axes [rad/s].
        axes: `(contacts, 3, 3)` of the touching bodies in the root link frame.
        balls: `(contacts, 4)` normal of the ground in the world, then the radius of the ball that
            touches [m]; 0: none does.
    """

    def __init__(self, robot: RobotDescription, contacts: Sequence[ContactConstraint]) -> None:
        self._model = robot.pinocchio
        self._data = self._model.createData()
        self._q: Array = pin.neutral(self._model)
        self._v: Array = np.zeros(robot.nv)
        joints = [self._model.joints[i] for i in range(FIRST_JOINT, self._model.njoints)]
        self._words = [(joint.idx_q, joint.nq) for joint in joints]
        self._has_turning = any(words == 2 for _, words in self._words)
        self.places: Array = np.zeros((len(contacts), 3))
        self.rates: Array = np.zeros((len(contacts), 3))
        self.axes: Array = np.zeros((len(contacts), 3, 3))
        pin.forwardKinematics(self._model, self._data, self._q, self._v)  # what it writes is there
        self.balls: Array = np.zeros((len(contacts), 4))
        self._sites = [contact.site for contact in contacts]
        self._contacts = [self._bound(i, site) for i, site in enumerate(self._sites)]

    def _bound(self, number: int, site: ContactSite) -> BoundKernel:
        """Return what computes a contact, but for the axes of the root link."""
        frame, data = self._model.frames[site.frame], self._data
        joint, own = frame.parentJoint, frame.placement
        self.balls[number, 3] = site.radius
        return bind(
            leg_motion,
            data.oMi[joint].rotation,
            data.oMi[joint].translation,
            data.v[joint].angular,
            np.array([*own.rotation, own.translation]),
            site.point,
            self.balls[number],
            GIVEN,
            self.places[number],
            self.rates[number],
            self.axes[number],
        )

    def update(self, state: RobotState, root: Array) -> None:
        """Compute where the contacts are.

        Args:
            state: Measured joints.
            root: `(3, 3)` axes of the root link in the world, for what touches with a ball.
        """
        self._assemble(state)
        pin.forwardKinematics(self._model, self._data, self._q, self._v)
        for ball, site, compute in zip(self.balls, self._sites, self._contacts, strict=True):
            if site.radius:
                ball[:3] = site.normal
            compute(root)

    def _assemble(self, state: RobotState) -> None:
        self._v[BASE_DOFS:] = state.velocity
        if not self._has_turning:
            self._q[FIRST_JOINT_WORD:] = state.position
            return
        for (start, words), angle in zip(self._words, state.position.tolist(), strict=True):
            if words == 1:
                self._q[start] = angle
            else:
                self._q[start : start + words] = np.cos(angle), np.sin(angle)
