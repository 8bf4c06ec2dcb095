"""Comparison with limits."""

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import kernel

Array = npt.NDArray[np.float64]

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
    acceleration: Array,
    kinds: npt.NDArray[np.int8],
) -> bool:
    """Limit efforts that push joints out of their range or make them too fast.

    For each joint, one after the other, upwards and in the same way downwards, with the range
    `[l, u]`, the speed `v` allowed, their margins m and `x⁺ = max(x, 0)`:

        a    = Φ_i (effort − bias)
        a   ≤ fade((u − q)⁺ / horizon − q̇, m_range / horizon)        a ≤ fade(v − q̇, m_speed)
        fade(r, s) = r / (response (1 − r⁺ / s)) for r < s, else ∞
        effort_i −= (a − bound) / Φ_ii where a is beyond its bound and effort_i can move the joint

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
        tolerance: Acceleration beyond the bound from which holding back counts [rad/s²].
        acceleration: `(na,)` scratch [rad/s²].
        kinds: `(na,)` becomes 1 where the range held back what counts, 2 where the speed did,
            else 0.

    Returns:
        Whether any effort that counts was held back.
    """
    n = len(effort)
    is_known = False
    counts = False
    for i in range(n):
        kinds[i] = 0
        to_upper = max(limits[1, i] - position[i], 0.0) / horizon - velocity[i]
        to_lower = max(position[i] - limits[0, i], 0.0) / horizon + velocity[i]
        reserve, speed_reserve = min(to_upper, to_lower), limits[2, i] - abs(velocity[i])
        slack, speed_slack = margins[0, i] / horizon, margins[1, i]
        if reserve >= slack and speed_reserve >= speed_slack:
            continue
        if not is_known:
            is_known = True
            for j in range(n):
                acceleration[j] = 0.0
                for k in range(n):
                    acceleration[j] += Phi[j, k] * (effort[k] - bias[k])
        for direction in (1.0, -1.0):
            by_range = _fade(to_upper if direction > 0.0 else to_lower, slack, response)
            speed_left = limits[2, i] - direction * velocity[i]
            by_speed = _fade(speed_left, speed_slack, response)
            excess = direction * acceleration[i] - min(by_range, by_speed)
            if excess > 0.0 and Phi[i, i] > IMMOVABLE:
                change = direction * excess / Phi[i, i]
                effort[i] -= change
                for j in range(n):
                    acceleration[j] -= Phi[j, i] * change
                if excess > tolerance:
                    kinds[i] = 2 if by_speed <= by_range else 1
                    counts = True
    return counts


@kernel
def _fade(reserve: float, slack: float, response: float) -> float:
    """Return the acceleration allowed; nothing limits it where the reserve is as large as slack."""
    if reserve >= slack:
        return np.inf
    return reserve / (response * (1.0 - max(reserve, 0.0) / slack))
