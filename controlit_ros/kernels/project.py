"""Projection of the dynamics through the constraints."""

import numpy as np
import numpy.typing as npt

from controlit_ros.kernels.compile import background_kernel, kernel
from controlit_ros.kernels.dense import (
    dense,
    gram,
    invert_factor,
    multiply,
    multiply_transposed,
)
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
    drift: Array,
    compensation: Array,
    bias_effort: Array,
    nv_work: Array,
    wide_work: Array,
    nc_work: Array,
    na_work: Array,
) -> tuple[int, int]:
    """Factor the constrained dynamics so that every task level costs a few small products.

    With `A = L Lᵀ`, `W = L⁻¹ Jcᵀ` and `V = L⁻¹ Uᵀ`, and E of `range_factor`:

        P = I − W Λc Wᵀ,  Λc = Ec Ecᵀ        Φ = Vᵀ P V,  Φ⁺ = Eφ Eφᵀ        Q = P V Eφ

    `Q` has orthonormal columns, `task_map T = L⁻ᵀ Q` and `effort_map Eφ` give `UNc̄ = T Eφᵀ`, so
    that `J UNc̄ Φ UNc̄ᵀ Jᵀ = (J T)(J T)ᵀ`: the recursion becomes an orthogonalisation of the rows
    of `J T`, and an effort `τ = Eφ y`.

    Args:
        A: `(nv, nv)`; overwritten.
        Jc: `(nc, nv)`.
        Jc_bias: `(nc,)` `J̇c v`.
        command_dofs: `(na,)` columns of the command joints.
        task_map: `(nv, na)`; its beginning is written, as `(nv, rank)`.
        effort_map: `(na, na)`; its beginning is written, as `(na, rank)`.
        drift: `(nv,)` `Jc̄ J̇c v`.
        compensation: `(nv,)` `B + G`.
        bias_effort: `(na,)` `UNc̄ᵀ (B + G) = Eφ Tᵀ (B + G)`.
        nv_work: `(2, max(nv, nc), nv)` scratch.
        wide_work: `(3, nv or more, max(na, nc))` scratch.
        nc_work: `(6, nc or more, nc or more)` scratch.
        na_work: `(5, na, na)` scratch.

    Returns:
        The rank of the constraints and the rank of Φ; -1 and 0 if A is not positive definite.
    """
    nv, nc, na = A.shape[0], Jc.shape[0], len(command_dofs)
    L_inv = dense(nv_work[0], nv, nv)
    if not invert_factor(A, L_inv):
        return -1, 0
    for i in range(nv):
        drift[i] = 0.0
    V = dense(wide_work[0], nv, na)
    for i in range(nv):
        for j in range(na):
            V[i, j] = L_inv[i, command_dofs[j]]
    constrained = 0
    if nc > 0:
        constrained = _remove_constraints(
            L_inv, Jc, Jc_bias, V, drift, nv_work[1], wide_work, nc_work
        )
    Phi = na_work[4]
    multiply_transposed(V, V, Phi)
    rank, _ = range_factor(Phi, effort_map, na_work[:4])
    E = dense(effort_map, na, rank)
    for i in range(na):
        for j in range(rank):
            E[i, j] = effort_map[i, j]
    Q = dense(wide_work[1], nv, rank)
    multiply(V, E, Q)
    T = dense(task_map, nv, rank)
    multiply_transposed(L_inv, Q, T)
    for i in range(na):
        bias_effort[i] = 0.0
    for k in range(rank):
        along = 0.0
        for i in range(nv):
            along += T[i, k] * compensation[i]
        for i in range(na):
            bias_effort[i] += E[i, k] * along
    return constrained, rank


@kernel
def _remove_constraints(
    L_inv: Array,
    Jc: Array,
    Jc_bias: Array,
    V: Array,
    drift: Array,
    work: Array,
    wide_work: Array,
    nc_work: Array,
) -> int:
    """Replace V by P V and write the drift; return the rank of the constraints."""
    nv, nc, na = L_inv.shape[0], Jc.shape[0], V.shape[1]
    W = dense(work, nc, nv)
    for i in range(nc):
        for j in range(nv):
            W[i, j] = 0.0
        for k in range(nv):
            factor = Jc[i, k]
            if factor != 0.0:
                for j in range(k, nv):
                    W[i, j] += factor * L_inv[j, k]
    inverse_inertia = dense(nc_work[5], nc, nc)
    gram(W, inverse_inertia)
    E = dense(nc_work[4], nc, nc)
    rank, _ = range_factor(inverse_inertia, E, nc_work[:4])
    basis = dense(wide_work[1], rank, nv)
    for i in range(rank):
        for j in range(nv):
            basis[i, j] = 0.0
        for k in range(nc):
            factor = E[k, i]
            if factor != 0.0:
                for j in range(nv):
                    basis[i, j] += factor * W[k, j]
    along = dense(wide_work[2], rank, na)
    multiply(basis, V, along)
    for i in range(rank):
        for k in range(nv):
            factor = basis[i, k]
            for j in range(na):
                V[k, j] -= factor * along[i, j]
    for i in range(rank):
        weight = 0.0
        for k in range(nc):
            weight += E[k, i] * Jc_bias[k]
        if weight != 0.0:
            for k in range(nv):
                factor = basis[i, k] * weight
                for j in range(k + 1):
                    drift[j] += L_inv[k, j] * factor
    return rank
