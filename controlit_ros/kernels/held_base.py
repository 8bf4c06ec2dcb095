"""The block form of the projection where constraints hold the base."""

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.dense import dense, gram, invert_lower
from controlit_ros.kernels.range_factor import RELATIVE_CUTOFF, range_factor

Array = npt.NDArray[np.float64]

BASE = 6  # [-] degrees of freedom of the base, which come first
NOWHERE = -1


@kernel
def find_base_rows(Jc: Array) -> int:
    """Return where six rows begin that move nothing but the base, or `NOWHERE`."""
    nc, nv = Jc.shape
    count = 0
    for i in range(nc):
        count += 1
        for j in range(BASE, nv):
            if Jc[i, j] != 0.0:
                count = 0
                break
        if count == BASE and nv > BASE:
            return i + 1 - BASE
    return NOWHERE


@kernel
def hold_base(
    L: Array,
    Kj: Array,
    Jc: Array,
    start: int,
    rows_work: Array,
    nc_work: Array,
    base_work: Array,
) -> int:
    """Factor the rows of the constraints that are left once the base is held.

    With the blocks `L = [Lb 0; Ljb Lj]`, `K = L⁻¹` likewise, the six rows `[Xb 0]` of Jc that hold
    the base and the others, `[Yb Yj]`,

        W = Jc K = [X 0; D C],    X = Xb Kb,    C = Yj Kj,    D = (Yb − C Ljb) Kb

    and P removes the first six columns and what C spans.

    The rule of `range_factor` keeps every singular value of `W Wᵀ` if `‖W‖² ‖W⁺‖²` is less than one
    over its cutoff. That is sure if it holds for the bound

        ‖W⁺‖² ≤ ‖X⁻¹‖² + ‖C⁺‖² (1 + ‖D‖² ‖X⁻¹‖²)

    Args:
        L: `(nv, nv)`.
        Kj: `(nv - 6, nv - 6)`.
        Jc: `(nc, nv)`.
        start: Where the six rows begin.
        rows_work: Its beginning is written, with C, `(nc - 6, nv - 6)`.
        nc_work: `[4]` is written, with Ec of C, `(nc - 6, nc - 6)`; the rest is scratch.
        base_work: Is written, for `move_base`: Kb in `[0]`, E of X in `[1]`, X
            in `[2]`, D in `[3]`.

    Returns:
        The rank of C, or `NOWHERE` if the rule might drop something.
    """
    nc, n, rest = Jc.shape[0], Kj.shape[0], Jc.shape[0] - BASE
    Kb = dense(base_work[0], BASE, BASE)
    invert_lower(L, 0, Kb)
    X = dense(base_work[2], BASE, BASE)
    for i in range(BASE):
        for j in range(BASE):
            X[i, j] = 0.0
            for k in range(j, BASE):
                X[i, j] += Jc[start + i, k] * Kb[k, j]
    square = dense(nc_work[5], BASE, BASE)
    gram(X, square)
    Eb = dense(base_work[1], BASE, BASE)
    if range_factor(square, Eb, nc_work[:4])[0] < BASE:
        return NOWHERE
    C = dense(rows_work, rest, n)
    D = dense(base_work[3], rest, BASE)
    row = 0
    for i in range(nc):
        if start <= i < start + BASE:
            continue
        for j in range(n):
            C[row, j] = 0.0
        for j in range(BASE):
            D[row, j] = 0.0
        for k in range(n):
            weight = Jc[i, BASE + k]
            if weight != 0.0:
                for j in range(k + 1):
                    C[row, j] += weight * Kj[k, j]
        for k in range(BASE):
            coupling = Jc[i, k]
            for j in range(n):
                coupling -= C[row, j] * L[BASE + j, k]
            for j in range(k + 1):
                D[row, j] += coupling * Kb[k, j]
        row += 1
    square = dense(nc_work[5], rest, rest)
    gram(C, square)
    E = dense(nc_work[4], rest, rest)
    rank, _ = range_factor(square, E, nc_work[:4])
    inverse_X, inverse_C, D_size = _square_sum(Eb), _square_sum(E), _square_sum(D)
    size = _square_sum(X) + _square_sum(C) + D_size
    inverse_size = inverse_X + inverse_C * (1.0 + D_size * inverse_X)
    if rank < rest or not RELATIVE_CUTOFF * nc * size * inverse_size < 1.0:
        return NOWHERE
    return rank


@kernel
def move_base(Jc_bias: Array, start: int, base_work: Array, drift: Array, left: Array) -> None:
    """Write what the six rows demand of the base, and what that leaves for the others.

    Args:
        Jc_bias: `(nc,)` `J̇c v`.
        start: Where the six rows begin.
        base_work: As `hold_base` leaves it.
        drift: `(nv,)`; the base's part is written, `Kb X⁻¹ J̇c v`.
        left: `(nc - 6 or more,)` becomes `J̇c v − D X⁻¹ J̇c v` of the other rows.
    """
    rest = len(Jc_bias) - BASE
    Kb, Eb = dense(base_work[0], BASE, BASE), dense(base_work[1], BASE, BASE)
    X = dense(base_work[2], BASE, BASE)
    D = dense(base_work[3], rest, BASE)
    for i in range(rest):
        left[i] = Jc_bias[i if i < start else i + BASE]
    force = base_work[4]  # Ebᵀ J̇c v, then (X Xᵀ)⁻¹ J̇c v
    for k in range(BASE):
        force[0, k] = 0.0
        for i in range(BASE):
            force[0, k] += Eb[i, k] * Jc_bias[start + i]
    for k in range(BASE):
        force[1, k] = 0.0
        for i in range(BASE):
            force[1, k] += Eb[k, i] * force[0, i]
    for k in range(BASE):
        moved = 0.0
        for i in range(BASE):
            moved += X[i, k] * force[1, i]
        for i in range(k, BASE):
            drift[i] += Kb[i, k] * moved
        for i in range(rest):
            left[i] -= D[i, k] * moved


@kernel
def _square_sum(matrix: Array) -> float:
    total = 0.0
    for i in range(matrix.shape[0]):
        for j in range(matrix.shape[1]):
            total += matrix[i, j] * matrix[i, j]
    return total
