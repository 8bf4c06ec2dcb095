"""Rows that keep the capture point above what a robot stands on."""

import math

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.approach import least_gap_acceleration
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.support_hull import support_hull

LEAST_HEIGHT = 0.05  # [m] of the centre of mass: lower it is no pendulum


@kernel
def support_rows(
    corners: Array,
    order: Indices,
    hull: Indices,
    center: Array,
    bias: Array,
    velocity: Array,
    jacobian: Array,
    gravity: float,
    margin: float,
    period: float,
    gaps: Array,
    rows: Array,
    upper: Array,
) -> float:
    """Write `n · J v̇ ≤ −n · J̇ v − ḧ_min` of each edge; see `inequalities.SupportPolygon`.

    Args:
        corners: `(k, 3)` of what the robot stands on, in the world [m].
        order: `(k,)` scratch.
        hull: `(2 k,)` scratch.
        center: `(3,)` the centre of mass c in the world [m].
        bias: `(3,)` its acceleration at zero joint acceleration, `J̇ v` [m/s²].
        velocity: `(3,)` its velocity [m/s].
        jacobian: `(3, nv)` its Jacobian J.
        gravity: g [m/s²].
        margin: By which the polygon is shrunk [m].
        period: Of the samples [s].
        gaps: `(4, k)` scratch; its third row is infinite.
        rows: `(k, nv)` result, as many rows as there are edges.
        upper: `(k,)` likewise.

    Returns:
        Distance of the capture point from the nearest edge [m], below zero outside; infinite:
        there is no polygon, and nothing was written.
    """
    edges = support_hull(corners, order, hull) if len(corners) > 2 else 0
    if edges < 3:
        return math.inf
    ground = 0.0
    for i in range(len(corners)):
        ground += corners[i, 2] / len(corners)
    height = center[2] - ground
    if height < LEAST_HEIGHT:
        return math.inf
    reaction = math.sqrt(height / gravity)
    gap, rate, braking, least = gaps[0, :edges], gaps[1, :edges], gaps[2, :edges], gaps[3, :edges]
    distance = math.inf
    for i in range(edges):
        first, second = hull[i], hull[(i + 1) % edges]
        along_x = corners[second, 0] - corners[first, 0]
        along_y = corners[second, 1] - corners[first, 1]
        length = math.sqrt(along_x * along_x + along_y * along_y)
        nx, ny = along_y / length, -along_x / length
        room = nx * (corners[first, 0] - center[0]) + ny * (corners[first, 1] - center[1])
        gap[i] = room - margin
        rate[i] = -(nx * velocity[0] + ny * velocity[1])
        distance = min(distance, room + rate[i] * reaction)
        for k in range(jacobian.shape[1]):
            rows[i, k] = nx * jacobian[0, k] + ny * jacobian[1, k]
        upper[i] = -(nx * bias[0] + ny * bias[1])
    least_gap_acceleration(gap, rate, braking, 1.0, reaction, period, least)
    for i in range(edges):
        upper[i] -= least[i]
    return distance
