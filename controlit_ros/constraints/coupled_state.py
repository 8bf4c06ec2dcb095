"""States of which only some joints are given: transmissions determine the others."""

from collections.abc import Mapping, Sequence

from controlit_ros.arrays import Array
from controlit_ros.constraints.transmission import Coupling
from controlit_ros.errors import ControlItError

TOLERANCE = 1e-3  # [rad, m, rad/s, m/s] within which given numbers agree: files round them


class CoupledStateError(ControlItError):
    """Joints of a transmission are given values that contradict each other."""


def complete_state(given: Mapping[str, float], couplings: Sequence[Coupling]) -> dict[str, float]:
    """Return what is given, and the joints that transmissions determine from it.

    With `slave = ratio master + offset` a master determines its slaves, and a slave its master
    unless the ratio is 0. Slaves are exact where they are given with rounding.

    Args:
        given: Positions [rad or m] by joint; velocities [rad/s or m/s] with couplings without
            offset.
        couplings: Of the robot's transmissions; chains are followed.

    Raises:
        CoupledStateError: Two given joints contradict each other.
    """
    values, origins = dict(given), {joint: joint for joint in given}
    for _ in couplings:  # one more joint of a chain each time
        for master, slave, ratio, offset in couplings:
            if master in values:
                values.setdefault(slave, ratio * values[master] + offset)
                origins.setdefault(slave, origins[master])
            elif slave in values and ratio != 0.0:
                values[master] = (values[slave] - offset) / ratio
                origins[master] = origins[slave]
    for coupling in couplings:
        _check(coupling, values, origins)
    for _ in couplings:
        for master, slave, ratio, offset in couplings:
            if master in values:
                values[slave] = ratio * values[master] + offset
    return values


def follow_masters(values: Array, joints: Sequence[str], couplings: Sequence[Coupling]) -> None:
    """Set the slaves of transmissions to where their masters hold them.

    Args:
        values: `(n,)` positions of the joints [rad or m]; changed.
        joints: Their names.
        couplings: Of the robot's transmissions; chains are followed.
    """
    for _ in couplings:  # one more joint of a chain each time
        for master, slave, ratio, offset in couplings:
            values[joints.index(slave)] = ratio * values[joints.index(master)] + offset


def _check(coupling: Coupling, values: Mapping[str, float], origins: Mapping[str, str]) -> None:
    master, slave, ratio, offset = coupling
    if slave not in values or (master not in values and ratio != 0.0):
        return
    expected = ratio * values.get(master, 0.0) + offset
    if abs(values[slave] - expected) > TOLERANCE * max(1.0, abs(ratio)):
        first, second = origins.get(master, master), origins[slave]
        stated = f" at {values[first]:g}" if first in values else ""
        raise CoupledStateError(
            f"found {second!r} at {values[second]:g} and {first!r}{stated}, but {slave!r} follows "
            f"{master!r}: expected {slave} = {ratio:g} {master} + {offset:g}, that is "
            f"{expected:g}; give one of the two, or values that agree"
        )
