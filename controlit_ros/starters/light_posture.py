"""A posture near another one in which gravity leaves motors enough."""

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array, Flags
from controlit_ros.model import BASE_DOFS, RobotDescription
from controlit_ros.starters.limbs import configuration

ENOUGH = 0.6  # [-] of an effort limit that gravity may take; `check` warns from 0.7 on
GRID = np.linspace(0.0, 1.0, 9)  # [-] of the range of a joint
WIDEST = 1.5  # [rad, m] of the posture from which it begins, where a joint has no limits
SWEEPS = 4
NEARNESS = 0.01  # [-] of an effort limit that a joint which goes through its range must save


def lighten(
    robot: RobotDescription, position: Array, low: Array, high: Array, is_free: Flags
) -> Array:
    """Return positions in which gravity takes no more than `ENOUGH` of any effort, or near that.

    Joint by joint, over a grid of its range, as long as something is gained; a robot whose motors
    are strong enough stays as it is.

    Args:
        robot: Its structure; the root link is bolted upright.
        position: `(n,)` of the real joints where the search begins [rad or m].
        low: `(n,)` where the ranges to choose from begin.
        high: `(n,)` where they end.
        is_free: `(n,)` which joints may be moved.
    """
    load = _Load(robot)
    low, high = np.maximum(low, position - WIDEST), np.minimum(high, position + WIDEST)
    best: Array = position.copy()
    least = load.excess(position)
    for _ in range(SWEEPS):
        if load.excess(best) == 0.0:
            break
        for joint in np.flatnonzero(is_free & (high > low)):
            for value in low[joint] + GRID * (high[joint] - low[joint]):
                tried = best.copy()
                tried[joint] = value
                away = np.abs(tried - position) / np.maximum(high - low, 1e-9)
                cost = load.excess(tried) + NEARNESS * float(away.sum())
                if cost < least:
                    best, least = tried, cost
    return best


class _Load:
    """What gravity takes of the efforts."""

    def __init__(self, robot: RobotDescription) -> None:
        self._robot, self._data = robot, robot.pinocchio.createData()
        limits = robot.effort_limits
        self._limits = np.where(limits > 0.0, limits, np.inf)

    def excess(self, position: Array) -> float:
        """Return by how much shares of effort limits exceed what is enough, all together [-]."""
        q = configuration(self._robot, position)
        gravity = pin.computeGeneralizedGravity(self._robot.pinocchio, self._data, q)[BASE_DOFS:]
        return float(np.maximum(np.abs(gravity) / self._limits - ENOUGH, 0.0).sum())
