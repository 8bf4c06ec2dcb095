"""Where a robot begins that nobody has said anything about."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.configuration.postures import PostureError, read_postures, semantic_source
from controlit_ros.mimic_joints import Mimic
from controlit_ros.model import RobotDescription
from controlit_ros.starters.bent_legs import are_level, bend_legs
from controlit_ros.starters.dexterity import Dexterity
from controlit_ros.starters.light_posture import lighten
from controlit_ros.starters.limbs import Limb
from controlit_ros.starters.self_collisions import SelfCollisions

NAMES = ("half_sitting", "standing", "stand", "home", "ready", "default", "extended", "neutral")
"""Postures that semantic descriptions have, the best first."""
NEXT_TO = 0.01  # [-] of its range within which a joint is at a limit
FEET = 3  # [-] legs from which a robot stands wide
SWAY, WIDE_SWAY = 1e-3, 0.01  # [m] of the centre of mass on two feet, or on more
NOTHING = 5e-5  # [rad, m]
MARGIN = 0.15  # [-] of its range from which a joint begins, so that no limit acts at once


class StartPosture(NamedTuple):
    """Positions at which the simulation begins.

    Attributes:
        name: Of the posture in the semantic description; empty: there is none.
        position: `(n,)` of the real joints, in their order [rad or m].
        stated: Positions that are not zero by joint, as a file states them.
        reason: What was chosen, and why.
    """

    name: str
    position: Array
    stated: dict[str, float]
    reason: str


def start_posture(
    robot: RobotDescription,
    urdf: Path,
    legs: Sequence[Limb],
    followers: Sequence[Mimic] = (),
    hands: Sequence[Limb] = (),
) -> StartPosture:
    """Return a posture the description knows by name, or one near zero with its legs bent.

    In a posture in which a limb with a hand is stretched, or singular in another way, or a joint of
    it is at a limit, such limbs are bent. A robot without legs begins where gravity leaves its
    motors enough.

    Args:
        robot: Its structure.
        urdf: File of the description, beside which the semantic one is looked for.
        legs: Of the robot.
        followers: Joints that follow others; they are not stated.
        hands: Limbs whose ends are moved to places.
    """
    named = _named(robot, urdf)
    if named is not None and not are_level(robot, legs, named.position):
        named = None
    dexterity = Dexterity(robot, hands)
    in_hand = np.isin(robot.real_joints, [joint for hand in hands for joint in hand.joints])
    inner = np.isin(robot.real_joints, [joint for hand in hands for joint in hand.joints[:-1]])
    if named is not None:
        room = NEXT_TO * np.nan_to_num(robot.upper_limits - robot.lower_limits, posinf=0.0)
        low, high = robot.lower_limits + room, robot.upper_limits - room
        is_inside = ((low <= named.position) & (named.position <= high))[inner].all()
        if is_inside and not dexterity.is_singular(named.position):
            return named
    low, high = _ranges(robot, followers)
    slaves = {follower.slave for follower in followers}
    is_free = np.array([joint not in slaves for joint in robot.real_joints])
    upright: Array = np.clip(0.0, low, high)
    if named is not None:
        upright = np.where(inner, np.clip(named.position, low, high), named.position)
    if legs:
        if named is None:
            upright = bend_legs(robot, legs, upright)
        is_free &= in_hand
    position = upright
    if not legs or dexterity.is_singular(upright):
        collisions = SelfCollisions(robot, urdf, hands, upright)
        sway = (SWAY if len(legs) < FEET else WIDE_SWAY) if legs else math.inf
        position = lighten(
            robot, upright, low, high, is_free, hands, sway=sway, collisions=collisions
        )
    stated = {
        joint: round(float(value), 4)
        for joint, value in zip(robot.real_joints, position, strict=True)
        if abs(value) > NOTHING and joint not in slaves
    }
    reason = _reason("" if named is None else named.name, legs, position, upright)
    return StartPosture("", position, stated, reason)


def _reason(name: str, legs: Sequence[Limb], position: Array, upright: Array) -> str:
    if name:
        start = f"as {name!r} of its semantic description, with arms off singularities and limits"
    elif (position != upright).any():
        start = "bent: no arm is stretched or too heavy for its motors"
        start += ", legs as well" if legs else ""
    else:
        start = "with bent legs" if legs else "with joints at zero, or next to it in their ranges"
    return start


def _ranges(robot: RobotDescription, followers: Sequence[Mimic]) -> tuple[Array, Array]:
    """Return where joints may begin, `(n,)` each, so that those that follow may, too."""
    low, high = robot.lower_limits.copy(), robot.upper_limits.copy()
    for slave, master, ratio, offset in followers:
        if ratio != 0.0 and {slave, master} <= set(robot.real_joints):
            one, other = robot.joint_index(slave), robot.joint_index(master)
            ends = sorted(((low[one] - offset) / ratio, (high[one] - offset) / ratio))
            low[other], high[other] = max(low[other], ends[0]), min(high[other], ends[1])
    with np.errstate(invalid="ignore"):
        inside = np.nan_to_num(MARGIN * (high - low), nan=0.0, posinf=0.0)
    return low + inside, high - inside


def _named(robot: RobotDescription, urdf: Path) -> StartPosture | None:
    try:
        postures = read_postures(semantic_source(None, urdf.resolve(), urdf.parent))
    except PostureError:
        return None
    for name in NAMES:
        found = [posture for (_, own), posture in postures.items() if own == name]
        numbers = {joint: values for posture in found for joint, values in posture.items()}
        position = np.array([numbers.get(joint, (0.0,))[0] for joint in robot.real_joints])
        is_known = any(joint in numbers for joint in robot.real_joints)
        is_inside = np.all((robot.lower_limits <= position) & (position <= robot.upper_limits))
        if is_known and is_inside:
            reason = f"as {name!r} of its semantic description"
            return StartPosture(name, position, {}, reason)
    return None
