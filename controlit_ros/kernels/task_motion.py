"""Motion of what tasks control of a body: a point, a direction, the rotation.

Each is `frame_motion` for the rows of one task, written to where the task keeps them. A joint's
column of J is the velocity `(o, w)` it gives its body, of the point at the world's origin; ω and
`(a, α)` are the angular part of `J v` and `dJ v`. Each tells whether what it wrote for Jacobian,
velocity and bias is finite, as `are_finite` would.
"""

import math

from controlit_ros.arrays import Array, Flags
from controlit_ros.kernels.compile import kernel


@kernel
def position_motion(
    J: Array,
    dJ: Array,
    v: Array,
    joint_rotation: Array,
    joint_translation: Array,
    frame: Array,
    moves: Flags,
    point: Array,
    position: Array,
    jacobian: Array,
    velocity: Array,
    bias: Array,
) -> bool:
    """Write the motion of a point fixed to a frame.

    At `x`: Jacobian `o + w × x`, bias `a + α × x + ω × ẋ`.

    Args:
        J: `(nv, 6)` columns of the joints as rows, linear then angular, world axes.
        dJ: `(nv, 6)` time derivative of J.
        v: `(nv,)`.
        joint_rotation: `(3, 3)` axes of the joint that carries the frame, in the world.
        joint_translation: `(3,)` its origin in the world [m].
        frame: `(4, 3)` rotation of the frame in the joint, then its origin [m].
        moves: `(nv,)` which columns move the frame.
        point: `(3,)` in the frame's axes [m].
        position: `(3,)` result x [m].
        jacobian: `(3, nv)` result.
        velocity: `(3,)` result ẋ [m/s].
        bias: `(3,)` result [m/s²].

    Returns:
        Whether Jacobian, velocity and bias are finite.
    """
    for i in range(3):
        position[i] = (
            joint_translation[i]
            + (
                joint_rotation[i, 0] * frame[3, 0]
                + joint_rotation[i, 1] * frame[3, 1]
                + joint_rotation[i, 2] * frame[3, 2]
            )
            + (
                _turned(joint_rotation, frame, i, 0) * point[0]
                + _turned(joint_rotation, frame, i, 1) * point[1]
                + _turned(joint_rotation, frame, i, 2) * point[2]
            )
        )
    x, y, z = position[0], position[1], position[2]
    vx = vy = vz = 0.0
    wx = wy = wz = 0.0
    bx = by = bz = 0.0
    ax = ay = az = 0.0
    size = 0.0
    for k in range(len(v)):
        if not moves[k]:
            jacobian[0, k] = jacobian[1, k] = jacobian[2, k] = 0.0
            continue
        jx, jy, jz, speed = J[k, 3], J[k, 4], J[k, 5], v[k]
        ox = J[k, 0] + jy * z - jz * y
        oy = J[k, 1] + jz * x - jx * z
        oz = J[k, 2] + jx * y - jy * x
        jacobian[0, k], jacobian[1, k], jacobian[2, k] = ox, oy, oz
        size += ox * ox + oy * oy + oz * oz
        vx += ox * speed
        vy += oy * speed
        vz += oz * speed
        wx += jx * speed
        wy += jy * speed
        wz += jz * speed
        bx += dJ[k, 0] * speed
        by += dJ[k, 1] * speed
        bz += dJ[k, 2] * speed
        ax += dJ[k, 3] * speed
        ay += dJ[k, 4] * speed
        az += dJ[k, 5] * speed
    velocity[0], velocity[1], velocity[2] = vx, vy, vz
    bias[0] = bx + (ay * z - az * y + wy * vz - wz * vy)
    bias[1] = by + (az * x - ax * z + wz * vx - wx * vz)
    bias[2] = bz + (ax * y - ay * x + wx * vy - wy * vx)
    return _are_finite(size, velocity, bias)


@kernel
def heading_motion(
    J: Array,
    dJ: Array,
    v: Array,
    joint_rotation: Array,
    frame: Array,
    moves: Flags,
    body_vector: Array,
    heading: Array,
    jacobian: Array,
    velocity: Array,
    bias: Array,
) -> bool:
    """Write the motion of a direction fixed to a frame with the rotation R.

    `h = R b`, Jacobian `w × h`, `J̇ v = α × h + ω × (ω × h)`.

    Args:
        J: See `position_motion`; so are the next five.
        dJ: `(nv, 6)`.
        v: `(nv,)`.
        joint_rotation: `(3, 3)`.
        frame: `(4, 3)`.
        moves: `(nv,)`.
        body_vector: `(3,)` b, unit length.
        heading: `(3,)` result h.
        jacobian: `(3, nv)` result.
        velocity: `(3,)` result `ω × h`.
        bias: `(3,)` result.

    Returns:
        Whether Jacobian, velocity and bias are finite.
    """
    for i in range(3):
        heading[i] = (
            _turned(joint_rotation, frame, i, 0) * body_vector[0]
            + _turned(joint_rotation, frame, i, 1) * body_vector[1]
            + _turned(joint_rotation, frame, i, 2) * body_vector[2]
        )
    x, y, z = heading[0], heading[1], heading[2]
    wx = wy = wz = 0.0
    ax = ay = az = 0.0
    size = 0.0
    for k in range(len(v)):
        if not moves[k]:
            jacobian[0, k] = jacobian[1, k] = jacobian[2, k] = 0.0
            continue
        jx, jy, jz, speed = J[k, 3], J[k, 4], J[k, 5], v[k]
        ox, oy, oz = jy * z - jz * y, jz * x - jx * z, jx * y - jy * x
        jacobian[0, k], jacobian[1, k], jacobian[2, k] = ox, oy, oz
        size += ox * ox + oy * oy + oz * oz
        wx += jx * speed
        wy += jy * speed
        wz += jz * speed
        ax += dJ[k, 3] * speed
        ay += dJ[k, 4] * speed
        az += dJ[k, 5] * speed
    velocity[0] = wy * z - wz * y
    velocity[1] = wz * x - wx * z
    velocity[2] = wx * y - wy * x
    turning = wx * x + wy * y + wz * z
    square = wx * wx + wy * wy + wz * wz
    bias[0] = ay * z - az * y + wx * turning - x * square
    bias[1] = az * x - ax * z + wy * turning - y * square
    bias[2] = ax * y - ay * x + wz * turning - z * square
    return _are_finite(size, velocity, bias)


@kernel
def rotation_motion(
    J: Array,
    dJ: Array,
    v: Array,
    joint_rotation: Array,
    frame: Array,
    moves: Flags,
    quaternion: Array,
    jacobian: Array,
    velocity: Array,
    bias: Array,
) -> bool:
    """Write the rotation of a frame and how it moves.

    Args:
        J: See `position_motion`; so are the next five.
        dJ: `(nv, 6)`.
        v: `(nv,)`.
        joint_rotation: `(3, 3)`.
        frame: `(4, 3)`.
        moves: `(nv,)`.
        quaternion: `(4,)` result xyzw.
        jacobian: `(3, nv)` result.
        velocity: `(3,)` result ω [rad/s].
        bias: `(3,)` result α [rad/s²].

    Returns:
        Whether Jacobian, velocity and bias are finite.
    """
    write_quaternion(joint_rotation, frame, quaternion)
    size = 0.0
    for i in range(3):
        speed = acceleration = 0.0
        for k in range(len(v)):
            if moves[k]:
                jacobian[i, k] = J[k, 3 + i]
                size += J[k, 3 + i] * J[k, 3 + i]
                speed += J[k, 3 + i] * v[k]
                acceleration += dJ[k, 3 + i] * v[k]
            else:
                jacobian[i, k] = 0.0
        velocity[i], bias[i] = speed, acceleration
    return _are_finite(size, velocity, bias)


@kernel
def _are_finite(size: float, velocity: Array, bias: Array) -> bool:
    """Tell whether a sum of squares is finite, and two vectors `(3,)` are."""
    for i in range(3):
        size += velocity[i] * velocity[i] + bias[i] * bias[i]
    return size < math.inf


@kernel
def _turned(joint_rotation: Array, frame: Array, i: int, j: int) -> float:
    """Return an entry of the frame's rotation in the world."""
    return float(
        joint_rotation[i, 0] * frame[0, j]
        + joint_rotation[i, 1] * frame[1, j]
        + joint_rotation[i, 2] * frame[2, j]
    )


@kernel
def write_quaternion(joint_rotation: Array, frame: Array, quaternion: Array) -> None:
    """Write the quaternion xyzw of the frame's rotation, from its largest entry.

    Shepperd: Quaternion from rotation matrix, Journal of Guidance and Control 1, 1978.
    """
    xx = _turned(joint_rotation, frame, 0, 0)
    yy = _turned(joint_rotation, frame, 1, 1)
    zz = _turned(joint_rotation, frame, 2, 2)
    if xx + yy + zz > 0.0:
        root = math.sqrt(xx + yy + zz + 1.0)
        quaternion[3] = 0.5 * root
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            odd = _turned(joint_rotation, frame, k, j) - _turned(joint_rotation, frame, j, k)
            quaternion[i] = odd * (0.5 / root)
        return
    i = 0
    if yy > xx:
        i = 1
    if zz > max(xx, yy):
        i = 2
    j, k = (i + 1) % 3, (i + 2) % 3
    jj, kk = _turned(joint_rotation, frame, j, j), _turned(joint_rotation, frame, k, k)
    root = math.sqrt(_turned(joint_rotation, frame, i, i) - jj - kk + 1.0)
    kj, jk = _turned(joint_rotation, frame, k, j), _turned(joint_rotation, frame, j, k)
    quaternion[3] = (kj - jk) * (0.5 / root)
    quaternion[i] = 0.5 * root
    ji, ij = _turned(joint_rotation, frame, j, i), _turned(joint_rotation, frame, i, j)
    quaternion[j] = (ji + ij) * (0.5 / root)
    ki, ik = _turned(joint_rotation, frame, k, i), _turned(joint_rotation, frame, i, k)
    quaternion[k] = (ki + ik) * (0.5 / root)
