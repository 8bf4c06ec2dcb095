"""Unit quaternions in the order xyzw, and the only place that knows MuJoCo's order wxyz.

A quaternion `q = [x, y, z, w]` stands for the rotation of a frame relative to a reference: it maps
vectors of the frame into the reference, `v_reference = q v_frame q*`. `q` and `-q` are the same
rotation. Every function writes into `out` when given, which may be one of its inputs, and
allocates only otherwise.
"""

from math import atan2, sqrt

import numpy as np

from controlit_ros.arrays import Array


def xyzw_from_wxyz(wxyz: Array, out: Array | None = None) -> Array:
    """Reorder a quaternion of MuJoCo for everybody else.

    Args:
        wxyz: `(4,)` scalar part first.
        out: `(4,)` receives the result.

    Returns:
        `(4,)` scalar part last.
    """
    return _store(out, wxyz[1], wxyz[2], wxyz[3], wxyz[0])


def wxyz_from_xyzw(xyzw: Array, out: Array | None = None) -> Array:
    """Reorder a quaternion for MuJoCo.

    Args:
        xyzw: `(4,)` scalar part last.
        out: `(4,)` receives the result.

    Returns:
        `(4,)` scalar part first.
    """
    return _store(out, xyzw[3], xyzw[0], xyzw[1], xyzw[2])


def multiply(a: Array, b: Array, out: Array | None = None) -> Array:
    """Compose two rotations: `b` first, then `a`.

    Args:
        a: `(4,)` xyzw.
        b: `(4,)` xyzw.
        out: `(4,)` receives the result.

    Returns:
        `(4,)` xyzw, the Hamilton product `a b`.
    """
    ax, ay, az, aw = a.tolist()
    bx, by, bz, bw = b.tolist()
    return _store(
        out,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def conjugate(q: Array, out: Array | None = None) -> Array:
    """Invert a rotation.

    Args:
        q: `(4,)` xyzw, unit length.
        out: `(4,)` receives the result.

    Returns:
        `(4,)` xyzw, `q*`.
    """
    return _store(out, -q[0], -q[1], -q[2], q[3])


def rotate(q: Array, vector: Array, out: Array | None = None) -> Array:
    """Map a vector of the rotated frame into the reference frame.

    Args:
        q: `(4,)` xyzw, unit length.
        vector: `(3,)` in the rotated frame.
        out: `(3,)` receives the result.

    Returns:
        `(3,)` in the reference frame.
    """
    x, y, z, w = q.tolist()
    vx, vy, vz = vector.tolist()
    # v + 2 u x (u x v + w v), with u the vector part of q
    tx = 2.0 * (y * vz - z * vy)
    ty = 2.0 * (z * vx - x * vz)
    tz = 2.0 * (x * vy - y * vx)
    if out is None:
        out = np.empty(3)
    out[0] = vx + w * tx + y * tz - z * ty
    out[1] = vy + w * ty + z * tx - x * tz
    out[2] = vz + w * tz + x * ty - y * tx
    return out


def matrix(q: Array) -> Array:
    """Return the axes of a frame that is turned by a unit quaternion xyzw, `(3, 3)`."""
    x, y, z, w = q.tolist()
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def log(q: Array, out: Array | None = None) -> Array:
    """Turn a rotation into its rotation vector, axis times angle, the shortest way round.

    Well conditioned for every angle from 0 to π, and independent of the sign and of the length
    of `q`.

    Args:
        q: `(4,)` xyzw, of any length above zero.
        out: `(3,)` receives the result.

    Returns:
        `(3,)` [rad], of length at most π.
    """
    x, y, z, w = q.tolist()
    return _log(x, y, z, w, out)


def rotation_vector(current: Array, goal: Array, out: Array | None = None) -> Array:
    """Return the rotation that carries `current` onto `goal`, seen in the reference frame.

    This is the orientation error `log(q_goal q_current*)` of a task: turning at this angular
    velocity for one second reaches the goal the shortest way.

    Args:
        current: `(4,)` xyzw.
        goal: `(4,)` xyzw.
        out: `(3,)` receives the result.

    Returns:
        `(3,)` [rad], in the axes of the reference frame (the world), of length at most π.
    """
    cx, cy, cz, cw = current.tolist()
    gx, gy, gz, gw = goal.tolist()
    return _log(
        gx * cw - gw * cx - gy * cz + gz * cy,
        gy * cw - gw * cy - gz * cx + gx * cz,
        gz * cw - gw * cz - gx * cy + gy * cx,
        gw * cw + gx * cx + gy * cy + gz * cz,
        out,
    )


def _log(x: float, y: float, z: float, w: float, out: Array | None) -> Array:
    if w < 0.0:
        x, y, z, w = -x, -y, -z, -w
    sine = sqrt(x * x + y * y + z * z)
    # The quotient tends to 2 / w, but the sine may underflow before x, y and z do.
    factor = 2.0 * atan2(sine, w) / sine if sine > 1e-150 else 2.0 / w
    if out is None:
        out = np.empty(3)
    out[0] = factor * x
    out[1] = factor * y
    out[2] = factor * z
    return out


def _store(out: Array | None, first: float, second: float, third: float, fourth: float) -> Array:
    if out is None:
        out = np.empty(4)
    out[0] = first
    out[1] = second
    out[2] = third
    out[3] = fourth
    return out
