"""Legs that are bent a little: a straight knee can push, but not lift."""

from collections.abc import Sequence

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array
from controlit_ros.model import BASE_DOFS, RobotDescription
from controlit_ros.starters.limbs import Limb, configuration

BEND = 0.08  # [-] of the leg's length by which the foot comes up
TRIES, STEPS = 30, 60
SPREAD = 0.6  # [rad, m] of the postures from which the solution is looked for
DAMPING = 1e-3  # [-]
CLOSE = 1e-5  # [m, rad]
LEVEL = 0.02  # [rad] what a floor evens out


def bend_legs(robot: RobotDescription, legs: Sequence[Limb], position: Array) -> Array:
    """Return positions with every foot lifted straight up, and soles turned as at zero.

    Legs that cannot do that stay as they are.

    Args:
        robot: Its structure.
        legs: The legs.
        position: `(n,)` of the real joints where the search begins [rad or m].
    """
    bent: Array = position.copy()
    rng = np.random.default_rng(0)
    for leg in legs:
        solution = _Leg(robot, leg).bend(bent, rng)
        if solution is not None:
            bent = solution
    return bent


def are_level(robot: RobotDescription, legs: Sequence[Limb], position: Array) -> bool:
    """Tell whether the soles of a robot with an upright base are turned as at zero.

    Args:
        robot: Its structure.
        legs: The legs.
        position: `(n,)` of the real joints [rad or m].
    """
    feet = [_Leg(robot, leg) for leg in legs if leg.turns_its_end]
    return all(foot.tilt(position) < LEVEL for foot in feet)


class _Leg:
    """The inverse kinematics of one leg."""

    def __init__(self, robot: RobotDescription, leg: Limb) -> None:
        self._robot, self._model = robot, robot.pinocchio
        self._data = self._model.createData()
        self._frame = self._model.getFrameId(leg.body, pin.FrameType.BODY)
        self._own = robot.indices(leg.joints)
        self._rows = slice(0, 6 if leg.turns_its_end else 3)
        margin = 0.05 * np.nan_to_num(robot.upper_limits - robot.lower_limits, posinf=0.0)
        self._low, self._high = robot.lower_limits + margin, robot.upper_limits - margin
        straight = np.zeros(len(robot.real_joints))
        self._goal = self._foot(straight)
        hip = self._data.oMi[self._model.getJointId(leg.joints[0])]
        length = float(np.linalg.norm(self._goal.translation - hip.translation))
        self._goal.translation[2] += BEND * length

    def bend(self, position: Array, rng: np.random.Generator) -> Array | None:
        """Return the solution nearest to zero, or `None`."""
        found = []
        for _ in range(TRIES):
            start = position.copy()
            start[self._own] += rng.uniform(-SPREAD, SPREAD, len(self._own))
            solution = self._solve(start)
            if solution is not None:
                found.append(solution)
        return min(found, key=lambda q: float(np.square(q[self._own]).sum()), default=None)

    def tilt(self, position: Array) -> float:
        """Return the angle by which the foot is turned against the one at zero [rad]."""
        turn = self._foot(position).rotation @ self._goal.rotation.T
        return float(np.linalg.norm(pin.log3(turn)[:2]))

    def _solve(self, position: Array) -> Array | None:
        for _ in range(STEPS):
            np.clip(position, self._low, self._high, out=position)
            foot = self._foot(position)
            error = np.concatenate([
                self._goal.translation - foot.translation,
                pin.log3(self._goal.rotation @ foot.rotation.T),
            ])[self._rows]  # fmt: skip
            if np.abs(error).max() < CLOSE:
                return position
            jacobian = pin.computeFrameJacobian(
                self._model, self._data, self._q, self._frame, pin.LOCAL_WORLD_ALIGNED
            )[self._rows, BASE_DOFS + self._own]
            square = jacobian @ jacobian.T + DAMPING**2 * np.eye(len(error))
            position[self._own] += jacobian.T @ np.linalg.solve(square, error)
        return None

    def _foot(self, position: Array) -> pin.SE3:
        self._q = configuration(self._robot, position)
        pin.framesForwardKinematics(self._model, self._data, self._q)
        return self._data.oMf[self._frame].copy()
