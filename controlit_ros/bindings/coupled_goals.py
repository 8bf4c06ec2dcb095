"""Goals of joints that transmissions couple."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.joint_trajectory import (
    JointTrajectory,
    RefusedTrajectoryError,
    TrajectoryCode,
    TrajectoryPoint,
)
from controlit_ros.constraints.transmission import Coupling
from controlit_ros.errors import ControlItError

ROUNDING = 1e-3  # [rad] or [m] that a planner may be off

Couplings = Callable[[], Sequence[Coupling]]
"""Returns the couplings that are enabled."""


class ContradictionError(ControlItError):
    """Goals of coupled joints contradict each other; the text says what was expected."""


class CoupledGoals:
    """Lets joints follow those they are coupled to, and refuses goals that contradict each other.

    Args:
        names: All joints that can be moved.
        stated: Joints whose goals a client states; those coupled to them follow.
        couplings: Slaves with their masters.

    Attributes:
        moving: The joints that are stated, then those that follow.
    """

    def __init__(
        self, names: Sequence[str], stated: Iterable[str], couplings: Sequence[Coupling]
    ) -> None:
        self._names = list(names)
        self._both: list[Coupling] = []
        self._followers: list[tuple[str, str, float, float]] = []
        moving = list(stated)
        waiting = [c for c in couplings if c.master in names and c.slave in names]
        while ready := [c for c in waiting if c.master in moving or c.slave in moving]:
            coupling = ready[0]
            waiting.remove(coupling)
            master, slave, ratio, offset = coupling
            if master in moving and slave in moving:
                self._both.append(coupling)
            elif master in moving:
                moving.append(slave)
                self._followers.append((slave, master, ratio, offset))
            elif ratio != 0.0:
                moving.append(master)
                self._followers.append((master, slave, 1.0 / ratio, -offset / ratio))
        self.moving = tuple(moving)

    def positions(self, values: Array) -> Array:
        """Return positions `(n,)` of all joints that can be reached together.

        Args:
            values: `(n,)`; those of followers are replaced.

        Raises:
            ContradictionError: There are none.
        """
        result = self.rates(values, with_offsets=True)
        for master, slave, ratio, offset in self._both:
            found, driver = self._at(result, slave), self._at(result, master)
            expected = ratio * driver + offset
            if abs(found - expected) > ROUNDING:
                raise ContradictionError(
                    f"{slave} to {found:.4g} and {master} to {driver:.4g}: a transmission couples "
                    f"them, expected {slave} at {expected:.4g}, or only one of them"
                )
        return result

    def rates(self, values: Array, *, with_offsets: bool = False) -> Array:
        """Return velocities or accelerations likewise, which are not checked."""
        result: Array = values.copy()
        for follower, leader, ratio, offset in self._followers:
            result[self._names.index(follower)] = (
                ratio * self._at(result, leader) + offset * with_offsets
            )
        return result

    def _at(self, values: Array, name: str) -> float:
        return float(values[self._names.index(name)])


def coupled_trajectory(
    trajectory: JointTrajectory, names: Sequence[str], couplings: Sequence[Coupling]
) -> JointTrajectory:
    """Return a trajectory that also moves the joints that are coupled to those it states.

    Args:
        trajectory: As it was stated.
        names: All joints that can be moved.
        couplings: Slaves with their masters.

    Raises:
        RefusedTrajectoryError: A point states positions that cannot be reached together.
    """
    coupled = CoupledGoals(names, trajectory.joints, couplings)
    column = [names.index(joint) for joint in trajectory.joints]
    moving = [names.index(joint) for joint in coupled.moving]

    def whole(values: Array) -> Array:
        result: Array = np.zeros(len(names))
        result[column] = values
        return result

    def motion(values: Array | None) -> Array | None:
        return None if values is None else coupled.rates(whole(values))[moving]

    points = []
    for index, point in enumerate(trajectory.points):
        try:
            position = coupled.positions(whole(point.position))[moving]
        except ContradictionError as error:
            text = f"point {index} leads {error}"
            raise RefusedTrajectoryError(TrajectoryCode.INVALID_GOAL, text) from None
        points.append(
            TrajectoryPoint(
                point.time, position, motion(point.velocity), motion(point.acceleration)
            )
        )
    return JointTrajectory(coupled.moving, points)
