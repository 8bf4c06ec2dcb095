"""What a robot description says that no robot is like, or that keeps it from moving."""

from collections.abc import Iterator, Sequence

import numpy as np
import pinocchio as pin

from controlit_ros.model import RobotDescription
from controlit_ros.servo import GuardSettings

FIRST_BODY = 1  # Pinocchio's number of the root link with all that is fixed to it
BASE_DOFS = 6

# Published inertias are rounded, and some are wrong by less than anybody notices.
NEGATIVE = -1e-7  # [kg m²] as much as a gram has at a centimetre
EXCESS = 1e-3  # [kg m²] of a moment over the sum of the other two, or
EXCESS_PART = 0.05  # [-] of the inertia of the joint that moves it, whichever is less


def robot_warnings(robot: RobotDescription, guard: GuardSettings) -> Iterator[str]:
    """Yield warnings about joints that cannot be driven and bodies that cannot be.

    Args:
        robot: What the description says.
        guard: Which limits are enforced.
    """
    yield from _unusable_limits(robot, guard)
    yield from _impossible_bodies(robot)


def _unusable_limits(robot: RobotDescription, guard: GuardSettings) -> Iterator[str]:
    """Yield the enforced limits that leave a command joint nothing."""
    effort, velocity, lower, upper = guard.limits(robot)
    for found, is_found, parameter, expected in (
        (
            "an effort limit of 0",
            effort == 0.0,
            "enforce_effort_limits",
            "an effort > 0 (effort_limits)",
        ),
        (
            "a velocity limit of 0",
            velocity == 0.0,
            "enforce_velocity_limits",
            "a speed > 0 (velocity_limits)",
        ),
        ("a range of 0", lower == upper, "enforce_position_limits", "its range"),
    ):
        joints = [robot.command_joints[i] for i in np.flatnonzero(is_found)]
        if joints:
            yield (
                f"{_named('joint', joints)} with {found} cannot be driven; expected {expected}, or "
                f"{parameter} false for it, or the joint in passive_joints or locked_joints"
            )


def _impossible_bodies(robot: RobotDescription) -> Iterator[str]:
    """Yield the bodies that could not be made of masses.

    With the principal moments a <= b <= c, c <= a + b says that all second moments of the mass are
    positive; and, if so, all principal moments are.
    """
    model = robot.pinocchio
    joint_inertia = pin.crba(model, model.createData(), pin.neutral(model)).diagonal()
    for index in range(FIRST_BODY, model.njoints):
        body = model.inertias[index]
        moments = np.linalg.eigvalsh(body.inertia)
        first = model.idx_vs[index]
        moved = joint_inertia[first : first + model.nvs[index]][-3:].min()  # of the base: rotations
        excess = moments[2] - moments[0] - moments[1]
        is_possible = excess <= min(EXCESS, EXCESS_PART * moved) and moments[0] >= NEGATIVE
        if is_possible and body.mass >= 0.0:
            continue
        links = [
            frame.name
            for frame in model.frames
            if frame.type == pin.FrameType.BODY and frame.parentJoint == index
        ]
        listed = ", ".join(f"{moment:.3g}" for moment in moments)
        yield (
            f"{_named('link', links)} with the mass {body.mass:.3g} kg and the principal moments "
            f"of inertia {listed} kg m² cannot exist, and the simulator would take other values; "
            "expected a mass and moments > 0, none above the sum of the two others"
        )


def _named(kind: str, names: Sequence[str]) -> str:
    return f"{kind}{'s' if len(names) > 1 else ''} {', '.join(repr(name) for name in names)}"
