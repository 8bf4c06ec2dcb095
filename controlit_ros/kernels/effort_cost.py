"""The cost of efforts that several weighted levels of tasks share."""

import math

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.dense import dense, dot, multiply, multiply_transposed


@kernel
def effort_cost(
    jacobian: Array,
    command: Array,
    is_force: Flags,
    row_weight: Array,
    bias: Array,
    drift: Array,
    level_ends: Indices,
    level_weight: float,
    regularisation: float,
    task_map: Array,
    effort_map: Array,
    Phi: Array,
    bias_effort: Array,
    hessian: Array,
    gradient: Array,
    row_work: Array,
    square_work: Array,
) -> None:
    """Write H and g of `½ τᵀ H τ + gᵀ τ`, up to a common factor the cost of an effort τ.

        Σ_i w^(−i) |W_i (J_i q̈ + J̇_i v − u_i)|² + ε (xᵀ Φ x + φ |L* x|²)
        x = τ − τ₀,  q̈ = T Eφᵀ Φ x − drift,  L* = I − Φ Φ⁺,  φ = tr Φ / na

    Level i counts from 0, the highest. ε is small: `xᵀ Φ x` is the metric in which one level alone
    has the effort of WBOSC; L* x are efforts that move nothing. The factor makes the mean of H's
    diagonal 1.

    Args:
        jacobian: `(rows, nv)` of all levels, highest priority first.
        command: `(rows,)` u, commanded accelerations, and forces.
        is_force: `(rows,)` whether the command is a force: then u is zero.
        row_weight: `(rows,)` W², how much each row counts in its level.
        bias: `(rows,)` `J̇ v`.
        drift: `(nv,)` minus the acceleration under τ₀.
        level_ends: `(levels,)` row past the last of each level.
        level_weight: w, how much a level weighs more than the one below.
        regularisation: ε.
        task_map: `(nv, rank)` T.
        effort_map: `(na, rank)` Eφ.
        Phi: `(na, na)` Φ.
        bias_effort: `(na,)` τ₀, see `HeldLoad`.
        hessian: `(na, na)` result.
        gradient: `(na,)` result.
        row_work: `(rows or more, na)` scratch.
        square_work: `(5, na, na)` scratch.
    """
    rows, na, width = jacobian.shape[0], effort_map.shape[0], task_map.shape[1]
    S = dense(row_work, rows, width)
    multiply(jacobian, task_map, S)
    C = dense(square_work[0], width, width)
    L = dense(square_work[1], width, na)
    CL = dense(square_work[2], width, na)
    wanted = square_work[3][0, :width]
    wanted[:] = 0.0
    weight = 1.0
    start = 0
    for end in level_ends:
        for i in range(start, end):
            target = dot(jacobian[i], drift) - bias[i]
            if not is_force[i]:
                target += command[i]
            share = weight * row_weight[i]
            root = math.sqrt(share)
            for k in range(width):
                wanted[k] += share * target * S[i, k]
                S[i, k] *= root
        weight /= level_weight
        start = end
    multiply_transposed(S, S, C)
    for k in range(width):
        C[k, k] += regularisation
    multiply_transposed(effort_map, Phi, L)
    multiply_transposed(C, L, CL)  # C is symmetric
    multiply_transposed(L, CL, hessian)
    complete_cost(
        effort_map,
        L,
        L,
        wanted,
        Phi,
        bias_effort,
        regularisation,
        square_work[4],
        hessian,
        gradient,
    )


@kernel
def complete_cost(
    effort_map: Array,
    L: Array,
    pull: Array,
    wanted: Array,
    Phi: Array,
    bias_effort: Array,
    regularisation: float,
    work: Array,
    hessian: Array,
    gradient: Array,
) -> None:
    """Complete the cost of an effort τ from what the tasks make of H.

    Args:
        effort_map: `(na, rank)` Eφ.
        L: `(rank, na)` `Eφᵀ Φ`.
        pull: `(rank, na)` P of `g = −Pᵀ wanted − H τ₀`.
        wanted: `(rank,)`.
        Phi: `(na, na)` Φ.
        bias_effort: `(na,)` τ₀.
        regularisation: ε.
        work: `(na, na)` scratch.
        hessian: `(na, na)` H; efforts that move nothing are added, and the cost is scaled.
        gradient: `(na,)` g, result.
    """
    na, width = effort_map.shape
    if width < na:
        _hold_back_internal(effort_map, L, Phi, regularisation, work, hessian)
    for i in range(na):
        gradient[i] = 0.0
        for k in range(width):
            gradient[i] -= pull[k, i] * wanted[k]
    _scale_cost(hessian, gradient)
    for i in range(na):
        gradient[i] -= dot(hessian[i], bias_effort)


@kernel
def _hold_back_internal(
    effort_map: Array, L: Array, Phi: Array, regularisation: float, work: Array, hessian: Array
) -> None:
    """Add `ε φ (I − Φ Φ⁺)` to H."""
    na = len(effort_map)
    scale = 0.0
    for i in range(na):
        scale += regularisation * Phi[i, i] / na
    multiply(effort_map, L, work)
    for i in range(na):
        hessian[i, i] += scale
        for j in range(na):
            hessian[i, j] -= 0.5 * scale * (work[i, j] + work[j, i])


@kernel
def _scale_cost(hessian: Array, gradient: Array) -> None:
    """Make H symmetric and the mean of its diagonal 1; zero stays zero."""
    na = len(gradient)
    trace = 0.0
    for i in range(na):
        trace += hessian[i, i]
    factor = na / trace if trace > 0.0 else 1.0
    for i in range(na):
        gradient[i] *= factor
        for j in range(i + 1):
            mean = 0.5 * factor * (hessian[i, j] + hessian[j, i])
            hessian[i, j] = mean
            hessian[j, i] = mean
