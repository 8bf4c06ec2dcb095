"""Comparison with limits."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


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
