"""Friction of joints, found from a recorded motion."""

from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array, Indices
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.recording.series import Track

SLOWEST = 0.05  # [rad/s] below it a joint may stick, and its friction be anything
FEWEST = 50  # [samples] in either direction
LONGEST_STEP = 0.05  # [s] between two samples that belong together


class JointFriction(NamedTuple):
    """Friction of a joint.

    Attributes:
        coulomb: [N m].
        viscous: [N m s/rad].
        error: Standard error of `coulomb` [N m].
        samples: In which the joint moved.
    """

    coulomb: float
    viscous: float
    error: float
    samples: int


def fit_friction(
    stack: ControllerStack, position: Track, velocity: Track, effort: Track
) -> dict[str, JointFriction]:
    """Return the friction of the joints that moved in both directions.

    The efforts that the model does not explain, `τ − UNc̄ᵀ(B + G) − Φ⁺(q̈ + drift)`, are fitted by
    `Fc sign(q̇) + Fv q̇ + c`, joint by joint, with the constant c for what else the model lacks.

    Args:
        stack: Of the robot, its base bolted to the world.
        position: `(n, joints)` of the real joints over time [rad].
        velocity: Likewise [rad/s].
        effort: Likewise, what the motors exert [N m].

    Raises:
        ControlItError: The base floats, or there is no measured effort.
    """
    if not stack.robot_interface.setup.fixed_base:
        raise ControlItError(
            "the base of the robot floats and its motion is not among the joint states: expected a "
            "configuration that bolts it to the world"
        )
    if not effort.values.any():
        raise ControlItError("the recorded efforts are all zero: the robot does not measure them")
    residual, used = _residuals(stack, position, velocity, effort)
    joints = stack.robot.command_indices
    rates = _smooth(velocity.values)[used][:, joints]
    fits = {}
    for i, joint in enumerate(stack.robot.command_joints):
        fit = _fit(rates[:, i], residual[:, i])
        if fit is not None:
            fits[joint] = fit
    return fits


def _residuals(
    stack: ControllerStack, position: Track, velocity: Track, effort: Track
) -> tuple[Array, Indices]:
    """Return efforts that the model does not explain, and the samples they are of."""
    model, state = stack.create_model(), stack.robot_interface.setup.create_state()
    joints, dofs = stack.robot.command_indices, stack.robot.command_dofs
    times, rates = velocity.times, velocity.values
    residuals, used = [], []
    for k in range(2, len(times) - 2):
        step = times[k + 1] - times[k - 1]
        if not 0.0 < step <= 2.0 * LONGEST_STEP:
            continue
        state.position[:], state.velocity[:] = position.values[k], rates[k]
        model.update(state)
        acceleration = (rates[k + 1] - rates[k - 1])[joints] / step
        inertia = model.effort_map @ model.effort_map.T
        # the average over the two steps that the velocities are apart
        around = effort.values[k - 1 : k + 2][:, joints]
        mean = 0.25 * around[0] + 0.5 * around[1] + 0.25 * around[2]
        residuals.append(mean - model.bias_effort - inertia @ (acceleration + model.drift[dofs]))
        used.append(k)
    return np.array(residuals).reshape(len(used), len(joints)), np.array(used, dtype=np.intp)


def _smooth(values: Array) -> Array:
    """Return velocities whose noise has nothing to do with that of the sample's effort."""
    smooth: Array = values.copy()
    smooth[2:-2] = 0.25 * (values[:-4] + values[1:-3] + values[3:-1] + values[4:])
    return smooth


def _fit(velocity: Array, residual: Array) -> JointFriction | None:
    moves = np.abs(velocity) > SLOWEST
    v, f = velocity[moves], residual[moves]
    if min(np.count_nonzero(v > 0.0), np.count_nonzero(v < 0.0)) < FEWEST:
        return None
    for with_viscous in (True, False):
        columns = [np.sign(v), np.ones_like(v), *([v] if with_viscous else [])]
        A = np.stack(columns, axis=1)
        found, *_ = np.linalg.lstsq(A, f, rcond=None)
        viscous = float(found[2]) if with_viscous else 0.0
        if viscous >= 0.0:
            break
    spread = float(np.sum((f - A @ found) ** 2)) / max(len(f) - A.shape[1], 1)
    error = float(np.sqrt(spread * np.linalg.pinv(A.T @ A)[0, 0]))
    return JointFriction(max(float(found[0]), 0.0), viscous, error, len(f))
