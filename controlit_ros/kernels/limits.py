"""Comparison with limits."""

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import kernel

Array = npt.NDArray[np.float64]

SWEEPS = 50  # [-] of joints at their limits, which pull at each other
CONVERGED = 1e-3  # [rad/s²] change of an acceleration by a sweep after which no other is made
IMMOVABLE = 1e-6  # [1 / (kg m²)] below this only the others' efforts move a joint in a closed chain


@kernel
def is_within(values: Array, lower: Array, upper: Array) -> bool:
    """Tell whether `lower <= values <= upper` everywhere; `(n,)` each."""
    for i in range(len(values)):  # noqa: SIM110 - numba compiles no generators
        if not lower[i] <= values[i] <= upper[i]:
            return False
    return True


@kernel
def is_near(
    position: Array,
    base_position: Array,
    base_orientation: Array,
    other_position: Array,
    other_base_position: Array,
    other_base_orientation: Array,
    distance: float,
) -> bool:
    """Tell whether no joint and no coordinate of the base is farther from another state.

    Args:
        position: `(n,)` joints.
        base_position: `(3,)`.
        base_orientation: `(4,)` quaternion; counts by twice the difference of its entries.
        other_position: `(n,)`, this and the next two of the other state.
        other_base_position: `(3,)`.
        other_base_orientation: `(4,)`, of either sign.
        distance: Farthest that is near.
    """
    for i in range(len(position)):
        if not abs(position[i] - other_position[i]) <= distance:
            return False
    cosine = 0.0
    for i in range(4):
        cosine += base_orientation[i] * other_base_orientation[i]
    sign = 1.0 if cosine >= 0.0 else -1.0
    for i in range(3):
        if not abs(base_position[i] - other_base_position[i]) <= distance:
            return False
    for i in range(4):
        if not abs(base_orientation[i] - sign * other_base_orientation[i]) <= 0.5 * distance:
            return False
    return True


@kernel
def keep_inside(
    effort: Array,
    bias: Array,
    Phi: Array,
    position: Array,
    velocity: Array,
    limits: Array,
    margins: Array,
    horizon: float,
    response: float,
    tolerance: float,
    scratch: Array,
    kinds: npt.NDArray[np.int8],
) -> bool:
    """Limit efforts that push joints out of their range or make them too fast.

    For each joint, upwards and in the same way downwards, with the range `[l, u]`, the speed `v`
    allowed, their margins m and `x⁺ = max(x, 0)`:

        a    = Φ_i (effort − bias)
        a   ≤ fade((u − q)⁺ / horizon − q̇, m_range / horizon)        a ≤ fade(v − q̇, m_speed)
        fade(r, s) = r / (response (1 − r⁺ / s)) for r < s, else ∞

    The efforts taken from the joints at their bounds are the least that keep all of them, which
    pull at each other: a linear complementarity problem, solved by projected Gauss-Seidel sweeps
    (Cottle, Pang, Stone: The Linear Complementarity Problem, section 5.2), at most `SWEEPS`. An
    effort that cannot move its joint is left alone.

    Whether a joint is within its margins depends on position and velocity alone. Where none is,
    which is nearly always, nothing else is computed.

    Args:
        effort: `(na,)` limited in place [N m].
        bias: `(na,)` effort at which the joints do not accelerate [N m].
        Phi: `(na, na)` acceleration of the joints by efforts, seen through the constraints.
        position: `(na,)` q [rad].
        velocity: `(na,)` q̇ [rad/s].
        limits: `(3, na)` l, u and v, infinite for none [rad, rad, rad/s].
        margins: `(2, na)` positive, of range and speed [rad, rad/s].
        horizon: Time in which a joint would reach the end of its range when it is slowed down [s].
        response: Time in which a velocity beyond what is allowed fades [s].
        tolerance: Acceleration taken from a joint from which holding back counts [rad/s²].
        scratch: `(5, na)`: accelerations, bounds upwards and downwards, efforts taken there.
        kinds: `(na,)` becomes 1 where the range held back what counts, 2 where the speed did,
            else 0.

    Returns:
        Whether any effort that counts was held back.
    """
    kinds[:] = 0
    acceleration, bounds, taken = scratch[0], scratch[1:3], scratch[3:5]
    if not _bound(position, velocity, limits, margins, horizon, response, bounds):
        return False
    n = len(effort)
    for i in range(n):
        acceleration[i] = 0.0
        for j in range(n):
            acceleration[i] += Phi[i, j] * (effort[j] - bias[j])
    taken[:] = 0.0
    for _ in range(SWEEPS):
        if _sweep(effort, acceleration, Phi, bounds, taken) <= CONVERGED:
            break
    counts = False
    for side in range(2):
        sign = 1.0 - 2.0 * side
        for i in range(n):
            if taken[side, i] * Phi[i, i] > tolerance:
                by_speed = _fade(limits[2, i] - sign * velocity[i], margins[1, i], response)
                kinds[i] = 2 if by_speed <= bounds[side, i] else 1
                counts = True
    return counts


@kernel
def _bound(
    position: Array,
    velocity: Array,
    limits: Array,
    margins: Array,
    horizon: float,
    response: float,
    bounds: Array,
) -> bool:
    """Compute the accelerations allowed; return whether any is limited at all."""
    is_any = False
    for i in range(len(position)):
        bounds[0, i] = bounds[1, i] = np.inf
        to_upper = max(limits[1, i] - position[i], 0.0) / horizon - velocity[i]
        to_lower = max(position[i] - limits[0, i], 0.0) / horizon + velocity[i]
        slack, speed_slack = margins[0, i] / horizon, margins[1, i]
        is_slow = limits[2, i] - abs(velocity[i]) >= speed_slack
        if is_slow and min(to_upper, to_lower) >= slack:
            continue
        is_any = True
        bounds[0, i] = min(
            _fade(to_upper, slack, response),
            _fade(limits[2, i] - velocity[i], speed_slack, response),
        )
        bounds[1, i] = min(
            _fade(to_lower, slack, response),
            _fade(limits[2, i] + velocity[i], speed_slack, response),
        )
    return is_any


@kernel
def _sweep(effort: Array, acceleration: Array, Phi: Array, bounds: Array, taken: Array) -> float:
    """Bring each joint to its bounds, one after the other; return the largest change [rad/s²]."""
    n = len(effort)
    largest = 0.0
    for i in range(n):
        if Phi[i, i] <= IMMOVABLE:
            continue
        for side in range(2):
            if bounds[side, i] == np.inf:
                continue
            sign = 1.0 - 2.0 * side
            excess = sign * acceleration[i] - bounds[side, i]
            change = max(excess / Phi[i, i], -taken[side, i])
            if change == 0.0:
                continue
            taken[side, i] += change
            effort[i] -= sign * change
            for j in range(n):
                acceleration[j] -= Phi[j, i] * sign * change
            largest = max(largest, abs(change) * Phi[i, i])
    return largest


@kernel
def _fade(reserve: float, slack: float, response: float) -> float:
    """Return the acceleration allowed; nothing limits it where the reserve is as large as slack."""
    if reserve >= slack:
        return np.inf
    return reserve / (response * (1.0 - max(reserve, 0.0) / slack))
