"""Projection of the dynamics through the constraints."""

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import background_kernel, kernel
from controlit_ros.kernels.dense import (
    dense,
    factor,
    gram,
    gram_transposed,
    invert_lower,
    multiply,
)
from controlit_ros.kernels.held_base import BASE, NOWHERE, find_base_rows, hold_base, move_base
from controlit_ros.kernels.range_factor import range_factor

Array = npt.NDArray[np.float64]


@background_kernel
def project(
    A: Array,
    Jc: Array,
    Jc_bias: Array,
    command_dofs: npt.NDArray[np.intp],
    task_map: Array,
    effort_map: Array,
    Phi: Array,
    drift: Array,
    compensation: Array,
    bias_effort: Array,
    with_reactions: bool,
    nv_work: Array,
    wide_work: Array,
    nc_work: Array,
    na_work: Array,
    base_work: Array,
) -> tuple[int, int]:
    """Factor the constrained dynamics so that every task level costs a few small products.

    With `A = Lᵀ L`, `K = L⁻¹`, `W = Jc K` and `V = Kᵀ Uᵀ`, and E of `range_factor`:

        P = I − Wᵀ Λc W,  Λc = Ec Ecᵀ        Φ = Vᵀ P V,  Φ⁺ = Eφ Eφᵀ        Q = P V Eφ

    `Q` has orthonormal columns, `task_map T = K Q` and `effort_map Eφ` give `UNc̄ = T Eφᵀ`, so
    that `J UNc̄ Φ UNc̄ᵀ Jᵀ = (J T)(J T)ᵀ`: the recursion becomes an orthogonalisation of the rows
    of `J T`, and an effort `τ = Eφ y`.

    With `w = P Kᵀ (B + G)` the compensation `UNc̄ᵀ (B + G) = Eφ Qᵀ w` leaves `w − Q Qᵀ w`: what no
    actuator holds. Together with what the constraints demand at this velocity it makes the drift.

    K is lower triangular. Where six rows of Jc hold the base, W has them in its first six columns
    alone, which P removes: everything else is computed without the base, see `hold_base`.

    Args:
        A: `(nv, nv)`; overwritten.
        Jc: `(nc, nv)`.
        Jc_bias: `(nc,)` `J̇c v`.
        command_dofs: `(na,)` columns of the command joints.
        task_map: `(nv, na)`; its beginning is written, as `(nv, rank)`.
        effort_map: `(na, na)`; its beginning is written, as `(na, rank)`.
        Phi: `(na, na)` Φ.
        drift: `(nv,)` minus the acceleration under the compensation alone,
            `Jc̄ J̇c v + Nc A⁻¹ (B + G − Uᵀ UNc̄ᵀ (B + G))`.
        compensation: `(nv,)` `B + G`.
        bias_effort: `(na,)` `UNc̄ᵀ (B + G) = Eφ Tᵀ (B + G)`.
        with_reactions: Whether `reaction_map` is to read from the scratch what is left there: K in
            `nv_work[0]`, W in `nv_work[1]`, Ec in `nc_work[4]`.
        nv_work: `(3, max(nv, nc), nv)` scratch.
        wide_work: `(3, nv or more, max(na, nc))` scratch.
        nc_work: `(6, nc or more, nc or more)` scratch.
        na_work: `(4, na, na)` scratch.
        base_work: `(6, max(nc, 6), 6)` scratch.

    Returns:
        The rank of the constraints and the rank of Φ; -1 and 0 if A is not positive definite.
    """
    nv, nc, na = A.shape[0], Jc.shape[0], len(command_dofs)
    L = A
    if not factor(L):
        return -1, 0
    for i in range(nv):
        drift[i] = 0.0
    left = base_work[5].reshape(-1)  # of J̇c v, for the rows that the base does not take up
    first, rank = 0, 0
    K = dense(nv_work[0], nv, nv)
    start = NOWHERE if with_reactions else find_base_rows(Jc)
    if start != NOWHERE:
        Kj = dense(nv_work[0], nv - BASE, nv - BASE)
        invert_lower(L, BASE, Kj)
        rank = hold_base(L, Kj, Jc, start, nv_work[1], nc_work, base_work)
        if rank != NOWHERE:
            first, K = BASE, Kj
            move_base(Jc_bias, start, base_work, drift, left)
    n, rows = nv - first, nc - first
    if first == 0:
        invert_lower(L, 0, K)
        rank = _factor_rows(Jc, K, dense(nv_work[1], nc, nv), nc_work)
        for i in range(nc):
            left[i] = Jc_bias[i]
    held, moved = nv_work[2][0], nv_work[2][1]
    for i in range(n):
        held[i] = 0.0
        moved[i] = 0.0
        for k in range(first):
            moved[i] -= L[first + i, k] * drift[k]
        for j in range(i + 1):
            held[j] += K[i, j] * compensation[first + i]
    V = dense(wide_work[0], n, na)
    for j in range(na):
        for i in range(n):
            V[i, j] = K[command_dofs[j] - first, i]
    if rank > 0:
        W, E = dense(nv_work[1], rows, n), dense(nc_work[4], rows, rows)
        _remove_constraints(W, E, rank, left, V, held, moved, wide_work)
    gram_transposed(V, Phi)
    width, _ = range_factor(Phi, effort_map, na_work)
    E = dense(effort_map, na, width)
    for i in range(na):
        for j in range(width):
            E[i, j] = effort_map[i, j]
    Q = dense(wide_work[1], n, width)
    multiply(V, E, Q)
    T = dense(task_map, nv, width)
    for i in range(nv):
        for j in range(width):
            T[i, j] = 0.0
    for i in range(n):
        for k in range(i + 1):
            weight = K[i, k]
            if weight != 0.0:
                for j in range(width):
                    T[first + i, j] += weight * Q[k, j]
    for i in range(na):
        bias_effort[i] = 0.0
    for k in range(width):
        along = 0.0
        for i in range(n):
            along += Q[i, k] * held[i]
        for i in range(n):
            held[i] -= Q[i, k] * along
        for i in range(na):
            bias_effort[i] += E[i, k] * along
    for i in range(n):
        for j in range(i + 1):
            drift[first + i] += K[i, j] * (held[j] + moved[j])
    return first + rank, width


@kernel
def _factor_rows(Jc: Array, K: Array, W: Array, nc_work: Array) -> int:
    """Write `W = Jc K` and Ec; return the rank of the constraints."""
    nc, nv = Jc.shape
    for i in range(nc):
        for j in range(nv):
            W[i, j] = 0.0
        for k in range(nv):
            weight = Jc[i, k]
            if weight != 0.0:
                for j in range(k + 1):
                    W[i, j] += weight * K[k, j]
    inverse_inertia = dense(nc_work[5], nc, nc)
    gram(W, inverse_inertia)
    rank, _ = range_factor(inverse_inertia, dense(nc_work[4], nc, nc), nc_work[:4])
    return rank


@kernel
def _remove_constraints(
    W: Array,
    E: Array,
    rank: int,
    bias: Array,
    V: Array,
    held: Array,
    moved: Array,
    wide_work: Array,
) -> None:
    """Replace V by P V and w by P w, add `Wᵀ Λc J̇c v` to what is moved."""
    (nc, n), na = W.shape, V.shape[1]
    basis = dense(wide_work[1], rank, n)
    for i in range(rank):
        for j in range(n):
            basis[i, j] = 0.0
        for k in range(nc):
            weight = E[k, i]
            if weight != 0.0:
                for j in range(n):
                    basis[i, j] += weight * W[k, j]
    along = dense(wide_work[2], rank, na)
    multiply(basis, V, along)
    for i in range(rank):
        for k in range(n):
            weight = basis[i, k]
            if weight != 0.0:
                for j in range(na):
                    V[k, j] -= weight * along[i, j]
    for i in range(rank):
        across = 0.0
        for k in range(n):
            across += basis[i, k] * held[k]
        demanded = 0.0
        for k in range(nc):
            demanded += E[k, i] * bias[k]
        for k in range(n):
            held[k] -= basis[i, k] * across
            moved[k] += basis[i, k] * demanded
