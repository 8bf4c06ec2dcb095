"""Unit vectors: the rotation between two directions."""

from math import atan2

import numpy as np

from controlit_ros.arrays import Array

OPPOSITE = 1e-12  # [-] sine below which rounding alone would choose the axis
TILT = 0.1  # [-] part of `any_tangent` that turns about a horizontal axis
UPRIGHT = 0.1  # [-] length of the horizontal part below which a direction counts as vertical


def direction_error(current: Array, goal: Array, out: Array | None = None) -> Array:
    """Return the way from one direction to another on the unit sphere.

    With the angle θ between h and g, `e = θ t / |t|`, `t = g - (h·g) h`: the logarithm on the
    sphere. It is tangent at h, its length is the angle, and `d(θ²/2)/dt = -e·ḣ`. For opposite
    directions, to which all ways are equally short, the way is `any_tangent`. That t is the part of
    `g - h`, or of `g + h`, normal to h keeps its digits at small angles and at those near π.

    Args:
        current: `(3,)` h, unit length.
        goal: `(3,)` g, unit length.
        out: `(3,)` receives the result.

    Returns:
        `(3,)` [rad], of length at most π.
    """
    cosine = float(current @ goal)
    chord = goal - current if cosine >= 0.0 else goal + current
    way: Array = chord - (chord @ current) * current
    sine = float(np.sqrt(way @ way))
    if cosine < 0.0 and sine < OPPOSITE:
        way, sine = any_tangent(current), 1.0
        angle = np.pi
    else:
        angle = atan2(sine, cosine)
    return np.multiply(way, angle / sine if sine > 0.0 else 1.0, out=out)


def any_tangent(direction: Array) -> Array:
    """Return a unit tangent of the sphere that depends on nothing but the direction.

    It turns h about the vertical, `z × h`, as a robot on a floor can, and a little up or down, so
    that a robot that can turn about a horizontal axis alone moves as well. A vertical direction
    turns about x in place of z.

    Args:
        direction: `(3,)` h, unit length.
    """
    x, y, z = direction.tolist()
    level = np.array([-y, x, 0.0] if x * x + y * y > UPRIGHT * UPRIGHT else [0.0, -z, y])
    tangent: Array = level + TILT * np.cross(direction, level)
    tangent /= np.linalg.norm(tangent)
    return tangent
