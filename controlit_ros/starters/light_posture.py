"""A posture near another one that motors can hold and in which no limb is stretched."""

import math
from collections.abc import Sequence

import numpy as np
import pinocchio as pin

from controlit_ros.arrays import Array, Flags
from controlit_ros.model import BASE_DOFS, RobotDescription
from controlit_ros.starters.dexterity import Dexterity
from controlit_ros.starters.limbs import Limb, configuration
from controlit_ros.starters.self_collisions import SelfCollisions

ENOUGH = 0.6  # [-] of an effort limit that gravity may take; `check` warns from 0.7 on
GRID = np.linspace(0.0, 1.0, 9)  # [-] of the range of a joint
WIDEST = 1.5  # [rad, m] of the posture from which it begins, where a joint has no limits
SWEEPS = 4
NEARNESS = 0.01  # [-] of an effort limit that a joint which goes through its range must save
SINK = 2.0  # [m] by which joints that come down cost as much as one singular direction


def lighten(
    robot: RobotDescription,
    position: Array,
    low: Array,
    high: Array,
    is_free: Flags,
    hands: Sequence[Limb] = (),
    *,
    sway: float = math.inf,
    collisions: SelfCollisions | None = None,
) -> Array:
    """Return positions in which gravity takes no more than `ENOUGH` of any effort, or near that.

    Limbs with hands are bent as well (`Dexterity`). Joint by joint, over a grid of its range, as
    long as something is gained; a robot whose motors are strong enough and whose limbs are bent
    stays as it is.

    Args:
        robot: Its structure; the root link is bolted upright.
        position: `(n,)` of the real joints where the search begins [rad or m].
        low: `(n,)` where the ranges to choose from begin.
        high: `(n,)` where they end.
        is_free: `(n,)` which joints may be moved.
        hands: Limbs that are not to be stretched.
        sway: How far the centre of mass may move aside [m]; infinite for a robot that is bolted.
        collisions: Which postures are to be avoided; `None`: none.
    """
    aims = _Aims(robot, hands, position, sway)
    low, high = np.maximum(low, position - WIDEST), np.minimum(high, position + WIDEST)
    best: Array = position.copy()
    least = aims.excess(position)
    for _ in range(SWEEPS):
        if aims.excess(best) == 0.0:
            break
        for joint in np.flatnonzero(is_free & (high > low)):
            for value in low[joint] + GRID * (high[joint] - low[joint]):
                tried = best.copy()
                tried[joint] = value
                away = np.abs(tried - position) / np.maximum(high - low, 1e-9)
                cost = aims.excess(tried) + NEARNESS * float(away.sum())
                if cost < least and not (collisions and collisions.count(tried)):
                    best, least = tried, cost
    return best


class _Aims:
    """What a posture lacks: strength, dexterity, balance, and height above the root link.

    Args:
        robot: Its structure.
        hands: Limbs that are not to be stretched.
        begin: `(n,)` positions where the search begins.
        sway: How far the centre of mass may move from where it is there [m].
    """

    def __init__(
        self, robot: RobotDescription, hands: Sequence[Limb], begin: Array, sway: float
    ) -> None:
        self._robot, self._data = robot, robot.pinocchio.createData()
        limits = robot.effort_limits
        self._limits = np.where(limits > 0.0, limits, np.inf)
        self._dexterity = Dexterity(robot, hands)
        self._sway, self._com = sway, self._center(begin)
        self._lowest = min(0.0, self._height(begin))

    def excess(self, position: Array) -> float:
        """Return by how much shares of effort limits, and other aims, are missed, together [-]."""
        q = configuration(self._robot, position)
        gravity = pin.computeGeneralizedGravity(self._robot.pinocchio, self._data, q)[BASE_DOFS:]
        excess = float(np.maximum(np.abs(gravity) / self._limits - ENOUGH, 0.0).sum())
        excess += self._dexterity.deficit(position)
        moved = float(np.linalg.norm(self._center(position) - self._com))
        excess += max(moved / self._sway - 1.0, 0.0)
        return excess + max((self._lowest - self._height(position)) / SINK, 0.0)

    def _height(self, position: Array) -> float:
        """Return how high the lowest joint is above the root link [m]."""
        q = configuration(self._robot, position)
        pin.forwardKinematics(self._robot.pinocchio, self._data, q)
        return min(float(place.translation[2]) for place in self._data.oMi)

    def _center(self, position: Array) -> Array:
        """Return where the centre of mass is above the floor, `(2,)` [m]."""
        q = configuration(self._robot, position)
        center: Array = pin.centerOfMass(self._robot.pinocchio, self._data, q)[:2].copy()
        return center
