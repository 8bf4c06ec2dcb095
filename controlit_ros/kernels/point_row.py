"""How a point of a body moves along a direction."""

from controlit_ros.arrays import Array, Flags
from controlit_ros.kernels.compile import kernel


@kernel
def point_row(
    J: Array,
    dJ: Array,
    v: Array,
    moves: Flags,
    point: Array,
    direction: Array,
    sign: float,
    row: Array,
    motion: Array,
) -> None:
    """Add the motion of a body's point along a direction, times a sign.

        n · ṗ = row v        n · p̈ = row v̇ + n · (J̇ v at p + ω × ṗ)

    Args:
        J: `(nv, 6)` see `RobotModel.J`.
        dJ: `(nv, 6)` its time derivative.
        v: `(nv,)`.
        moves: `(nv,)` which degrees of freedom move the body.
        point: `(3,)` p in the world [m].
        direction: `(3,)` n in the world.
        sign: Of what is added.
        row: `(nv,)` is added to.
        motion: `(2,)` velocity and acceleration at `v̇ = 0`; is added to.
    """
    px, py, pz = point[0], point[1], point[2]
    nx, ny, nz = direction[0], direction[1], direction[2]
    mx, my, mz = py * nz - pz * ny, pz * nx - px * nz, px * ny - py * nx  # p × n
    rate, bias = 0.0, 0.0
    vx, vy, vz, wx, wy, wz = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(v)):
        if moves[i]:
            a = (
                J[i, 0] * nx + J[i, 1] * ny + J[i, 2] * nz
                + J[i, 3] * mx + J[i, 4] * my + J[i, 5] * mz
            )  # fmt: skip
            row[i] += sign * a
            rate += a * v[i]
            bias += v[i] * (
                dJ[i, 0] * nx + dJ[i, 1] * ny + dJ[i, 2] * nz
                + dJ[i, 3] * mx + dJ[i, 4] * my + dJ[i, 5] * mz
            )  # fmt: skip
            vx += J[i, 0] * v[i]
            vy += J[i, 1] * v[i]
            vz += J[i, 2] * v[i]
            wx += J[i, 3] * v[i]
            wy += J[i, 4] * v[i]
            wz += J[i, 5] * v[i]
    vx += wy * pz - wz * py
    vy += wz * px - wx * pz
    vz += wx * py - wy * px
    bias += nx * (wy * vz - wz * vy) + ny * (wz * vx - wx * vz) + nz * (wx * vy - wy * vx)
    motion[0] += sign * rate
    motion[1] += sign * bias
