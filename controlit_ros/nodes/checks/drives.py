"""Damping of joint drives that is too strong for what the joints move."""

from collections.abc import Iterator, Sequence

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel, ConstraintSet
from controlit_ros.controllers import WholeBodyController
from controlit_ros.errors import ControlItError
from controlit_ros.model import RobotState

ALTERNATING = 1.0  # [-] of damping · dt / inertia: above it a velocity changes its sign each step
UNSTABLE = 2.0  # [-] above it, it grows
INVOLVED = 0.1  # [-] share, of the largest, from which a joint takes part in a motion


def drive_warnings(
    controllers: Sequence[WholeBodyController],
    constraints: ConstraintSet,
    start: RobotState,
    step: float,
) -> Iterator[tuple[WholeBodyController, str]]:
    """Yield warnings about controllers whose joint gains make the drives swing.

    Drives follow `damping (velocity − q̇)` at steps dt, so velocities change by the factor
    `1 − λ dt` in a step, with λ the eigenvalues of `Φ diag(damping)`.

    Args:
        controllers: Those with a parameter `damping` have drives.
        constraints: Of the robot.
        start: Where the robot starts.
        step: Of the drives [s].
    """
    with_drives = [controller for controller in controllers if _has_drives(controller)]
    if not with_drives:
        return
    robot = with_drives[0].robot
    joints = robot.command_joints
    model = ConstrainedModel(robot, constraints)
    try:
        model.update(start)
    except ControlItError:
        return  # nothing can be said of a state that has no dynamics
    if not np.isfinite(model.Phi).all():
        return
    for controller in with_drives:
        parameter = controller.parameters["damping"]
        root = np.sqrt(parameter.value)
        rates, modes = np.linalg.eigh(root[:, None] * model.Phi * root)
        fastest = float(rates[-1]) * step
        if not fastest > ALTERNATING:
            continue
        names = [joints[i] for i in _involved(modes[:, rates * step > ALTERNATING])]
        effect = "grow with every step" if fastest > UNSTABLE else "change sign with every step"
        scale = ALTERNATING / fastest
        largest = ", ".join(
            f"{name} {scale * parameter.value[joints.index(name)]:.3g}" for name in names
        )
        text = (
            f"damping · dt / inertia is {fastest:.3g} where {', '.join(names)} move{_s(names)} "
            f"(dt {step:g} s): what the drives damp will {effect}; expected {ALTERNATING:g} at "
            f"most, as with damping {largest}, a shorter timestep, or more rotor_inertia"
        )
        yield controller, text


def _involved(modes: Array) -> list[int]:
    """Return the joints that take part in motions, the most moved ones first."""
    shares = (modes * modes).max(axis=1)
    found = np.flatnonzero(shares >= INVOLVED * shares.max())
    return sorted(found.tolist(), key=lambda i: -float(shares[i]))


def _s(names: Sequence[str]) -> str:
    return "s" if len(names) == 1 else ""


def _has_drives(controller: WholeBodyController) -> bool:
    joints = controller.robot.command_joints
    parameter = controller.parameters.get("damping")
    return parameter is not None and parameter.value.shape == (len(joints),)
