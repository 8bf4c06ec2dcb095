"""Kinematics and dynamics of a tree of rigid bodies on a floating base, in one sweep out and back.

What Pinocchio's `crba`, `nonLinearEffects` and `computeJointJacobiansTimeVariation` compute, and
held to them: all three walk the same tree and turn the same vectors.
"""

import math

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.bind import array_at
from controlit_ros.kernels.body_layout import (
    ANGLE,
    AXIS,
    INERTIA,
    IS_PAIR,
    KIND,
    LEVER,
    MASS,
    PARENT,
    PLACE,
    ROTATION_AT,
    ROTOR,
    SLIDING,
    TRANSLATION_AT,
    TURNING,
)
from controlit_ros.kernels.compile import background_kernel, summing_kernel
from controlit_ros.kernels.dense import dense
from controlit_ros.kernels.finite import are_finite, is_finite_vector

BASE = 6  # [-] degrees of freedom of the base, which come first

# columns of `work`: rotation, origin, velocity, acceleration and column of the joint; the forces
# and, from there on, the inertia of what hangs on a body
_R, _O, _V, _A, _S, _F, _M = 0, 9, 12, 18, 24, 30, 36


@background_kernel
def rigid_bodies(
    base_position: Array,
    base_orientation: Array,
    base_velocity: Array,
    position: Array,
    velocity: Array,
    gravity: Array,
    plan: Indices,
    shape: Array,
    q: Array,
    v: Array,
    J: Array,
    dJ: Array,
    A: Array,
    effort: Array,
    work: Array,
) -> bool:
    """Write where the bodies are, how they move, the inertia and the effort `B + G`.

    With the column `s` that a joint gives its body (see `position_motion`), velocity V and, at
    `v̇ = 0` and under gravity g, acceleration of a body follow from those of its parent p, force and
    inertia of what hangs on it from those of its own mass and of its children c:

        V = V_p + s v    ṡ = V × s    a = a_p + ṡ v    a of the base: −g
        f = I a + V ×* I V + Σ f_c    Y = I + Σ Y_c    (B + G) = sᵀ f    A_ij = s_jᵀ Y_i s_i

    Vectors are those of the point where the base is, along the world's axes: nothing has to be
    turned from body to body, and far from the world's origin nothing cancels (Featherstone: Rigid
    body dynamics algorithms, 2008, chapters 5 and 6).

    Args:
        base_position: `(3,)` [m].
        base_orientation: `(4,)` quaternion xyzw.
        base_velocity: `(6,)` linear, then angular, in the base's axes.
        position: `(n,)` of the joints.
        velocity: `(n,)`.
        gravity: `(3,)` g, world axes [m/s²].
        plan: `(1 + n, PLAN_COLUMNS)`, first of the base, parents before children. `PARENT`; `KIND`;
            `ANGLE`: place in q; `IS_PAIR`: whether that is the pair of cosine and sine;
            `ROTATION_AT`, `TRANSLATION_AT`: addresses of the body's `(3, 3)` axes, column after
            column, and of its origin in the world, results.
        shape: `(1 + n, SHAPE_COLUMNS)`. `TURN`, `PLACE`: of the joint in the parent; `AXIS`;
            `MASS`; `LEVER` of the centre of mass, and `INERTIA` about it (xx, xy, yy, xz, yz, zz),
            in the body; `ROTOR`: added to the joint's inertia.
        q: `(nq,)` result, Pinocchio's configuration.
        v: `(nv,)` result.
        J: `(nv, 6)` result, columns of the joints as rows, at the world's origin.
        dJ: `(nv, 6)` result, their time derivative.
        A: `(nv, nv)` result; what is zero by the structure of the tree is not written.
        effort: `(nv,)` result `B + G`.
        work: `(1 + n, WORK_COLUMNS)` scratch.

    Returns:
        Whether configuration, velocity, inertia and effort are finite.
    """
    _place_base(base_position, base_orientation, base_velocity, gravity, q, v, J, dJ, work)
    _write_pose(plan, 0, base_position, work[0])
    _add_mass(shape[0], work[0])
    for i in range(1, len(plan)):
        _place_body(i, plan, shape[i], position[i - 1], velocity[i - 1], q, v, J, dJ, work,
                    base_position)  # fmt: skip
        _write_pose(plan, i, base_position, work[i])
        _add_mass(shape[i], work[i])
    for i in range(len(plan) - 1, 0, -1):
        _gather(i, plan, shape[i, ROTOR], A, effort, work)
    _gather_base(A, effort, work[0])
    return are_finite(A, len(v), effort, v) and is_finite_vector(q)


@summing_kernel
def _place_base(
    position: Array,
    orientation: Array,
    velocity: Array,
    gravity: Array,
    q: Array,
    v: Array,
    J: Array,
    dJ: Array,
    work: Array,
) -> None:
    """Write configuration, axes, motion and columns of the base."""
    own = work[0]
    x, y, z, w = orientation[0], orientation[1], orientation[2], orientation[3]
    own[_R], own[_R + 1], own[_R + 2] = (
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)
    )  # fmt: skip
    own[_R + 3], own[_R + 4], own[_R + 5] = (
        2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)
    )  # fmt: skip
    own[_R + 6], own[_R + 7], own[_R + 8] = (
        2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)
    )  # fmt: skip
    for k in range(3):
        q[k] = position[k]
        own[_O + k] = 0.0
        own[_A + k] = -gravity[k]
        own[_A + 3 + k] = 0.0
    for k in range(4):
        q[3 + k] = orientation[k]
    for k in range(BASE):
        v[k] = velocity[k]
    for i in range(3):
        along, about = 0.0, 0.0
        for k in range(3):
            along += own[_R + 3 * i + k] * velocity[k]
            about += own[_R + 3 * i + k] * velocity[3 + k]
        own[_V + i], own[_V + 3 + i] = along, about
    for k in range(3):
        for i in range(3):
            own[_S + i], own[_S + 3 + i] = own[_R + 3 * i + k], 0.0
        _write_column(own, own, position, J[k], dJ[k])
        for i in range(3):
            own[_S + 3 + i], own[_S + i] = own[_R + 3 * i + k], 0.0
        _write_column(own, own, position, J[3 + k], dJ[3 + k])


@summing_kernel
def _write_column(own: Array, mover: Array, origin: Array, J: Array, dJ: Array) -> None:
    """Write a column and its derivative at the world's origin; leave that at the base in `_F`."""
    sx, sy, sz, ux, uy, uz = (
        own[_S], own[_S + 1], own[_S + 2], own[_S + 3], own[_S + 4], own[_S + 5]
    )  # fmt: skip
    vx, vy, vz, wx, wy, wz = (
        mover[_V], mover[_V + 1], mover[_V + 2], mover[_V + 3], mover[_V + 4], mover[_V + 5]
    )  # fmt: skip
    dx = wy * sz - wz * sy + vy * uz - vz * uy
    dy = wz * sx - wx * sz + vz * ux - vx * uz
    dz = wx * sy - wy * sx + vx * uy - vy * ux
    ex, ey, ez = wy * uz - wz * uy, wz * ux - wx * uz, wx * uy - wy * ux
    ox, oy, oz = origin[0], origin[1], origin[2]
    J[0], J[1], J[2] = (
        sx + (oy * uz - oz * uy), sy + (oz * ux - ox * uz), sz + (ox * uy - oy * ux)
    )  # fmt: skip
    J[3], J[4], J[5] = ux, uy, uz
    dJ[0], dJ[1], dJ[2] = (
        dx + (oy * ez - oz * ey), dy + (oz * ex - ox * ez), dz + (ox * ey - oy * ex)
    )  # fmt: skip
    dJ[3], dJ[4], dJ[5] = ex, ey, ez
    own[_F], own[_F + 1], own[_F + 2] = dx, dy, dz
    own[_F + 3], own[_F + 4], own[_F + 5] = ex, ey, ez


@summing_kernel
def _place_body(
    i: int,
    plan: Indices,
    shape: Array,
    position: float,
    speed: float,
    q: Array,
    v: Array,
    J: Array,
    dJ: Array,
    work: Array,
    origin: Array,
) -> None:
    """Write configuration, axes, origin, motion and column of a body from those of its parent."""
    own, parent, kind = work[i], work[plan[i, PARENT]], plan[i, KIND]
    dof, place = BASE - 1 + i, plan[i, ANGLE]
    v[dof] = speed
    for r in range(3):
        a, b, c = parent[_R + 3 * r], parent[_R + 3 * r + 1], parent[_R + 3 * r + 2]
        for k in range(3):
            own[_R + 3 * r + k] = a * shape[k] + b * shape[3 + k] + c * shape[6 + k]
        own[_O + r] = parent[_O + r] + (
            a * shape[PLACE] + b * shape[PLACE + 1] + c * shape[PLACE + 2]
        )
    if kind == SLIDING:
        q[place] = position
    else:
        cosine, sine = math.cos(position), math.sin(position)
        if plan[i, IS_PAIR]:
            q[place], q[place + 1] = cosine, sine
        else:
            q[place] = position
        if kind == TURNING:
            _turn_about(shape, cosine, sine, own)
        else:
            _turn_columns(kind, cosine, sine, own)
    for r in range(3):
        if kind < TURNING:
            own[_S + 3 + r] = own[_R + 3 * r + kind]
        else:
            own[_S + 3 + r] = (
                own[_R + 3 * r] * shape[AXIS]
                + own[_R + 3 * r + 1] * shape[AXIS + 1]
                + own[_R + 3 * r + 2] * shape[AXIS + 2]
            )
    if kind == SLIDING:
        for r in range(3):
            own[_S + r], own[_S + 3 + r] = own[_S + 3 + r], 0.0
            own[_O + r] += own[_S + r] * position
    else:
        ux, uy, uz = own[_S + 3], own[_S + 4], own[_S + 5]
        x, y, z = own[_O], own[_O + 1], own[_O + 2]
        own[_S], own[_S + 1], own[_S + 2] = y * uz - z * uy, z * ux - x * uz, x * uy - y * ux
    _write_column(own, parent, origin, J[dof], dJ[dof])
    for k in range(6):
        own[_V + k] = parent[_V + k] + own[_S + k] * speed
        own[_A + k] = parent[_A + k] + own[_F + k] * speed


@summing_kernel
def _turn_columns(axis: int, cosine: float, sine: float, own: Array) -> None:
    """Turn a rotation about one of its own axes."""
    j, k = (axis + 1) % 3, (axis + 2) % 3
    for r in range(3):
        a, b = own[_R + 3 * r + j], own[_R + 3 * r + k]
        own[_R + 3 * r + j] = a * cosine + b * sine
        own[_R + 3 * r + k] = b * cosine - a * sine


@summing_kernel
def _turn_about(shape: Array, cosine: float, sine: float, own: Array) -> None:
    """Turn a rotation about any axis fixed in it, `R (c + (1 − c) a aᵀ + s [a]×)`."""
    x, y, z = shape[AXIS], shape[AXIS + 1], shape[AXIS + 2]
    for r in range(3):
        a, b, c = own[_R + 3 * r], own[_R + 3 * r + 1], own[_R + 3 * r + 2]
        along = (a * x + b * y + c * z) * (1.0 - cosine)
        own[_R + 3 * r] = a * cosine + x * along + (b * z - c * y) * sine
        own[_R + 3 * r + 1] = b * cosine + y * along + (c * x - a * z) * sine
        own[_R + 3 * r + 2] = c * cosine + z * along + (a * y - b * x) * sine


@summing_kernel
def _write_pose(plan: Indices, i: int, origin: Array, own: Array) -> None:
    """Write axes and origin of a body to where others read them."""
    rotation = array_at(plan[i, ROTATION_AT], 9)
    translation = array_at(plan[i, TRANSLATION_AT], 3)
    for r in range(3):
        translation[r] = origin[r] + own[_O + r]
        for k in range(3):
            rotation[3 * k + r] = own[_R + 3 * r + k]


@summing_kernel
def _add_mass(shape: Array, own: Array) -> None:
    """Write inertia and force of a body alone: mass, `m c`, inertia at the base; force, moment."""
    mass = shape[MASS]
    Rxx, Rxy, Rxz = own[_R], own[_R + 1], own[_R + 2]
    Ryx, Ryy, Ryz = own[_R + 3], own[_R + 4], own[_R + 5]
    Rzx, Rzy, Rzz = own[_R + 6], own[_R + 7], own[_R + 8]
    a, b, c = shape[LEVER], shape[LEVER + 1], shape[LEVER + 2]
    x = own[_O] + (Rxx * a + Rxy * b + Rxz * c)
    y = own[_O + 1] + (Ryx * a + Ryy * b + Ryz * c)
    z = own[_O + 2] + (Rzx * a + Rzy * b + Rzz * c)
    xx, xy, yy = shape[INERTIA], shape[INERTIA + 1], shape[INERTIA + 2]
    xz, yz, zz = shape[INERTIA + 3], shape[INERTIA + 4], shape[INERTIA + 5]
    # R I, row by row, then R I Rᵀ
    ax, ay, az = (
        Rxx * xx + Rxy * xy + Rxz * xz,
        Rxx * xy + Rxy * yy + Rxz * yz,
        Rxx * xz + Rxy * yz + Rxz * zz,
    )
    bx, by, bz = (
        Ryx * xx + Ryy * xy + Ryz * xz,
        Ryx * xy + Ryy * yy + Ryz * yz,
        Ryx * xz + Ryy * yz + Ryz * zz,
    )
    cx, cy, cz = (
        Rzx * xx + Rzy * xy + Rzz * xz,
        Rzx * xy + Rzy * yy + Rzz * yz,
        Rzx * xz + Rzy * yz + Rzz * zz,
    )
    mx, my, mz = mass * x, mass * y, mass * z
    Ixx = ax * Rxx + ay * Rxy + az * Rxz + (my * y + mz * z)
    Ixy = ax * Ryx + ay * Ryy + az * Ryz - mx * y
    Ixz = ax * Rzx + ay * Rzy + az * Rzz - mx * z
    Iyy = bx * Ryx + by * Ryy + bz * Ryz + (mx * x + mz * z)
    Iyz = bx * Rzx + by * Rzy + bz * Rzz - my * z
    Izz = cx * Rzx + cy * Rzy + cz * Rzz + (mx * x + my * y)
    own[_M], own[_M + 1], own[_M + 2], own[_M + 3] = mass, mx, my, mz
    own[_M + 4], own[_M + 5], own[_M + 6] = Ixx, Ixy, Ixz
    own[_M + 7], own[_M + 8], own[_M + 9] = Iyy, Iyz, Izz
    vx, vy, vz = own[_V], own[_V + 1], own[_V + 2]
    wx, wy, wz = own[_V + 3], own[_V + 4], own[_V + 5]
    px = mass * vx + (wy * mz - wz * my)
    py = mass * vy + (wz * mx - wx * mz)
    pz = mass * vz + (wx * my - wy * mx)
    lx = my * vz - mz * vy + (Ixx * wx + Ixy * wy + Ixz * wz)
    ly = mz * vx - mx * vz + (Ixy * wx + Iyy * wy + Iyz * wz)
    lz = mx * vy - my * vx + (Ixz * wx + Iyz * wy + Izz * wz)
    dx, dy, dz = own[_A], own[_A + 1], own[_A + 2]
    ex, ey, ez = own[_A + 3], own[_A + 4], own[_A + 5]
    own[_F] = mass * dx + (ey * mz - ez * my) + (wy * pz - wz * py)
    own[_F + 1] = mass * dy + (ez * mx - ex * mz) + (wz * px - wx * pz)
    own[_F + 2] = mass * dz + (ex * my - ey * mx) + (wx * py - wy * px)
    own[_F + 3] = (
        my * dz - mz * dy + (Ixx * ex + Ixy * ey + Ixz * ez)
        + (wy * lz - wz * ly) + (vy * pz - vz * py)
    )  # fmt: skip
    own[_F + 4] = (
        mz * dx - mx * dz + (Ixy * ex + Iyy * ey + Iyz * ez)
        + (wz * lx - wx * lz) + (vz * px - vx * pz)
    )  # fmt: skip
    own[_F + 5] = (
        mx * dy - my * dx + (Ixz * ex + Iyz * ey + Izz * ez)
        + (wx * ly - wy * lx) + (vx * py - vy * px)
    )  # fmt: skip


@summing_kernel
def _gather(i: int, plan: Indices, rotor: float, A: Array, effort: Array, work: Array) -> None:
    """Write effort and inertia of a joint, and give what hangs on it to its parent."""
    own, parent = work[i], plan[i, PARENT]
    dof = BASE - 1 + i
    sx, sy, sz = own[_S], own[_S + 1], own[_S + 2]
    ux, uy, uz = own[_S + 3], own[_S + 4], own[_S + 5]
    mass, mx, my, mz = own[_M], own[_M + 1], own[_M + 2], own[_M + 3]
    px = mass * sx + (uy * mz - uz * my)
    py = mass * sy + (uz * mx - ux * mz)
    pz = mass * sz + (ux * my - uy * mx)
    lx = my * sz - mz * sy + (own[_M + 4] * ux + own[_M + 5] * uy + own[_M + 6] * uz)
    ly = mz * sx - mx * sz + (own[_M + 5] * ux + own[_M + 7] * uy + own[_M + 8] * uz)
    lz = mx * sy - my * sx + (own[_M + 6] * ux + own[_M + 8] * uy + own[_M + 9] * uz)
    effort[dof] = (sx * own[_F] + sy * own[_F + 1] + sz * own[_F + 2]) + (
        ux * own[_F + 3] + uy * own[_F + 4] + uz * own[_F + 5]
    )
    A[dof, dof] = (sx * px + sy * py + sz * pz) + (ux * lx + uy * ly + uz * lz) + rotor
    other = parent
    while other > 0:
        on = work[other]
        value = (on[_S] * px + on[_S + 1] * py + on[_S + 2] * pz) + (
            on[_S + 3] * lx + on[_S + 4] * ly + on[_S + 5] * lz
        )
        A[dof, BASE - 1 + other] = value
        A[BASE - 1 + other, dof] = value
        other = plan[other, PARENT]
    base = work[0]
    for k in range(3):
        along = base[_R + k] * px + base[_R + 3 + k] * py + base[_R + 6 + k] * pz
        about = base[_R + k] * lx + base[_R + 3 + k] * ly + base[_R + 6 + k] * lz
        A[dof, k] = A[k, dof] = along
        A[dof, 3 + k] = A[3 + k, dof] = about
    above = work[parent]
    for k in range(_F, _M + 10):
        above[k] += own[k]


@summing_kernel
def _gather_base(A: Array, effort: Array, own: Array) -> None:
    """Write effort and inertia of the base, in its own axes."""
    mass = own[_M]
    R = dense(own[_R : _R + 9], 3, 3)
    for k in range(3):
        along, about = 0.0, 0.0
        for r in range(3):
            along += R[r, k] * own[_F + r]
            about += R[r, k] * own[_F + 3 + r]
        effort[k], effort[3 + k] = along, about
        a, b, c = R[0, k], R[1, k], R[2, k]
        x = own[_M + 4] * a + own[_M + 5] * b + own[_M + 6] * c
        y = own[_M + 5] * a + own[_M + 7] * b + own[_M + 8] * c
        z = own[_M + 6] * a + own[_M + 8] * b + own[_M + 9] * c
        for j in range(3):
            A[k, j] = mass if k == j else 0.0
            A[3 + j, 3 + k] = A[3 + k, 3 + j] = R[0, j] * x + R[1, j] * y + R[2, j] * z
    x = R[0, 0] * own[_M + 1] + R[1, 0] * own[_M + 2] + R[2, 0] * own[_M + 3]
    y = R[0, 1] * own[_M + 1] + R[1, 1] * own[_M + 2] + R[2, 1] * own[_M + 3]
    z = R[0, 2] * own[_M + 1] + R[1, 2] * own[_M + 2] + R[2, 2] * own[_M + 3]
    for k in range(3):
        A[k, 3 + k] = A[3 + k, k] = 0.0
    A[0, 4] = A[4, 0] = z
    A[0, 5] = A[5, 0] = -y
    A[1, 3] = A[3, 1] = -z
    A[1, 5] = A[5, 1] = x
    A[2, 3] = A[3, 2] = y
    A[2, 4] = A[4, 2] = -x
