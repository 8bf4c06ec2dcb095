"""Motion seen from a frame that moves itself."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


@kernel
def relative_position(
    position: Array,
    point_jacobian: Array,
    point_velocity: Array,
    point_bias: Array,
    rotation: Array,
    origin: Array,
    frame_jacobian: Array,
    frame_twists: Array,
    translates: bool,
    actual: Array,
    jacobian: Array,
    velocity: Array,
    bias: Array,
) -> None:
    """Write the motion of a point, or of a direction, in the axes of a moving frame.

    With `r = p − o` and the frame's `ω, α`:

        x = Rᵀ r        ẋ = Rᵀ (ṗ − ȯ − ω × r)
        J̇ v = Rᵀ (p̈ − ö − α × r − ω × (ω × r) − 2 ω × (ṗ − ȯ − ω × r)), both at `v̇ = 0`

    Args:
        position: `(3,)` p in the world, or a direction.
        point_jacobian: `(3 or more, nv)` of p.
        point_velocity: `(3 or more,)` of p.
        point_bias: `(3 or more,)` of p.
        rotation: `(3, 3)` R, axes of the frame in the world.
        origin: `(3,)` o in the world.
        frame_jacobian: `(6, nv)` of the frame.
        frame_twists: `(2, 6)` velocity and bias of the frame.
        translates: Whether the frame's origin matters; not for a direction.
        actual: `(3,)` result x.
        jacobian: `(3, nv)` result.
        velocity: `(3,)` result ẋ.
        bias: `(3,)` result.
    """
    shift = 1.0 if translates else 0.0
    rx = position[0] - shift * origin[0]
    ry = position[1] - shift * origin[1]
    rz = position[2] - shift * origin[2]
    wx, wy, wz = frame_twists[0, 3], frame_twists[0, 4], frame_twists[0, 5]
    ax, ay, az = frame_twists[1, 3], frame_twists[1, 4], frame_twists[1, 5]
    turning_x, turning_y, turning_z = wy * rz - wz * ry, wz * rx - wx * rz, wx * ry - wy * rx
    vx = point_velocity[0] - shift * frame_twists[0, 0] - turning_x
    vy = point_velocity[1] - shift * frame_twists[0, 1] - turning_y
    vz = point_velocity[2] - shift * frame_twists[0, 2] - turning_z
    # ω × (ω × r) + 2 ω × ẋ
    sx, sy, sz = turning_x + 2.0 * vx, turning_y + 2.0 * vy, turning_z + 2.0 * vz
    bx = point_bias[0] - shift * frame_twists[1, 0] - (ay * rz - az * ry) - (wy * sz - wz * sy)
    by = point_bias[1] - shift * frame_twists[1, 1] - (az * rx - ax * rz) - (wz * sx - wx * sz)
    bz = point_bias[2] - shift * frame_twists[1, 2] - (ax * ry - ay * rx) - (wx * sy - wy * sx)
    for i in range(3):
        x, y, z = rotation[0, i], rotation[1, i], rotation[2, i]
        actual[i] = x * rx + y * ry + z * rz
        velocity[i] = x * vx + y * vy + z * vz
        bias[i] = x * bx + y * by + z * bz
        for k in range(jacobian.shape[1]):
            jx, jy, jz = frame_jacobian[3, k], frame_jacobian[4, k], frame_jacobian[5, k]
            jacobian[i, k] = (
                x * (point_jacobian[0, k] - shift * frame_jacobian[0, k] - (jy * rz - jz * ry))
                + y * (point_jacobian[1, k] - shift * frame_jacobian[1, k] - (jz * rx - jx * rz))
                + z * (point_jacobian[2, k] - shift * frame_jacobian[2, k] - (jx * ry - jy * rx))
            )


@kernel
def relative_rotation(
    body_jacobian: Array,
    body_twists: Array,
    rotation: Array,
    frame_jacobian: Array,
    frame_twists: Array,
    jacobian: Array,
    velocity: Array,
    bias: Array,
) -> None:
    """Write the angular motion of a body in the axes of a moving frame.

    `Rᵀ (ω − ω_f)` and, at `v̇ = 0`, `Rᵀ (α − α_f − ω_f × (ω − ω_f))`.

    Args:
        body_jacobian: `(6, nv)` of the body, world-aligned.
        body_twists: `(2, 6)` velocity and bias of the body.
        rotation: `(3, 3)` R, axes of the frame in the world.
        frame_jacobian: `(6, nv)` of the frame.
        frame_twists: `(2, 6)` velocity and bias of the frame.
        jacobian: `(3, nv)` result.
        velocity: `(3,)` result.
        bias: `(3,)` result.
    """
    wx, wy, wz = frame_twists[0, 3], frame_twists[0, 4], frame_twists[0, 5]
    vx, vy, vz = body_twists[0, 3] - wx, body_twists[0, 4] - wy, body_twists[0, 5] - wz
    bx = body_twists[1, 3] - frame_twists[1, 3] - (wy * vz - wz * vy)
    by = body_twists[1, 4] - frame_twists[1, 4] - (wz * vx - wx * vz)
    bz = body_twists[1, 5] - frame_twists[1, 5] - (wx * vy - wy * vx)
    for i in range(3):
        x, y, z = rotation[0, i], rotation[1, i], rotation[2, i]
        velocity[i] = x * vx + y * vy + z * vz
        bias[i] = x * bx + y * by + z * bz
        for k in range(jacobian.shape[1]):
            jacobian[i, k] = (
                x * (body_jacobian[3, k] - frame_jacobian[3, k])
                + y * (body_jacobian[4, k] - frame_jacobian[4, k])
                + z * (body_jacobian[5, k] - frame_jacobian[5, k])
            )
