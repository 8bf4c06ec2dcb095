"""Limits of joints that others follow: where they go, their slaves go as well."""

from collections.abc import Sequence

from controlit_ros.constraints.transmission import Coupling
from controlit_ros.model.robot_description import RobotDescription


def with_coupled_limits(robot: RobotDescription, couplings: Sequence[Coupling]) -> RobotDescription:
    """Return the same robot with masters limited by what their slaves bear, too.

    With `slave = r master + o`, `r ≠ 0`, the slave's range [a, b] leaves the master the range
    between `(a − o)/r` and `(b − o)/r`, and its speed v the speed `v/|r|`. A range that has nothing
    in common with the master's own, or one end, is left aside (`parted` tells).
    """
    lower, upper = robot.lower_limits.copy(), robot.upper_limits.copy()
    velocity = robot.velocity_limits.copy()
    for _ in couplings:  # a master may be the slave of another: limits go up the whole chain
        for coupling in couplings:
            if coupling.ratio == 0.0:
                continue
            master, slave = robot.indices((coupling.master, coupling.slave)).tolist()
            ends = sorted((end - coupling.offset) / coupling.ratio for end in _range(robot, slave))
            low, high = max(lower[master], ends[0]), min(upper[master], ends[1])
            if low < high:
                lower[master], upper[master] = low, high
            speed = robot.velocity_limits[slave] / abs(coupling.ratio)
            if speed > 0.0:
                velocity[master] = min(velocity[master], speed)
        robot = robot.with_limits(lower.copy(), upper.copy(), velocity.copy())
    return robot


def parted(robot: RobotDescription, couplings: Sequence[Coupling]) -> tuple[Coupling, ...]:
    """Return the couplings whose slave leaves its range with any motion of the master."""

    def is_parted(coupling: Coupling) -> bool:
        master, slave = robot.indices((coupling.master, coupling.slave)).tolist()
        low, high = sorted(coupling.ratio * end + coupling.offset for end in _range(robot, master))
        first, last = _range(robot, slave)
        return high <= first or low >= last

    return tuple(coupling for coupling in couplings if is_parted(coupling))


def _range(robot: RobotDescription, joint: int) -> tuple[float, float]:
    return float(robot.lower_limits[joint]), float(robot.upper_limits[joint])
