"""The cost of efforts that levels of tasks share by priorities between 0 and 1."""

import math

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.dense import (
    dense,
    dot,
    factor,
    invert_lower,
    multiply,
    multiply_transposed,
)
from controlit_ros.kernels.effort_cost import complete_cost
from controlit_ros.kernels.remove_span import remove_span
from controlit_ros.kernels.wanted_accelerations import wanted_accelerations

DEPENDENT = 1e-6  # [-] of a row, which is left of it beside others, and counts no more
SINGULAR = 1e-6  # [-] of the mean weight of a level's directions: what weighs less is damped
FREE = 1e-2  # [-] likewise: what a level's own motion weighs that its tasks do not feel
REST = 1e4  # [-] likewise: what a motion weighs that no level asks for


@kernel
def generalised_cost(
    jacobian: Array,
    command: Array,
    is_force: Flags,
    row_weight: Array,
    bias: Array,
    drift: Array,
    level_ends: Indices,
    alpha: Array,
    regularisation: float,
    task_map: Array,
    effort_map: Array,
    Phi: Array,
    bias_effort: Array,
    hessian: Array,
    gradient: Array,
    row_work: Array,
    square_work: Array,
    vectors: Array,
) -> None:
    """Write H and g of `½ τᵀ H τ + gᵀ τ`, up to a common factor the cost of an effort τ.

    With `S_i = J_i T` and `y = Eφᵀ Φ (τ − τ₀)`, each level has a motion y_i of its own, of which
    those that stand above it leave a part (Liu, Tan, Padois, Generalized hierarchical control,
    Autonomous Robots 40, 2016):

        y = Σ_i P_i y_i + r    P_i = I − Bᵀ diag(α̂) B
        min  Σ_i |W_i (S_i y_i − a_i)|² + κ_i |N_i y_i|² + ρ |r|² + ε φ |L* (τ − τ₀)|²

    B are orthonormal rows that span those of the levels with `α_ij > 0`, taken in the order of
    falling α, α̂ the α of the row that each comes from; N_i is the null space of S_i, κ_i is `FREE`
    and ρ `REST` times what directions of the tasks weigh in the mean. The y_i are eliminated:

        H_y = (I/ρ + Σ_i P_i Q_i⁻¹ P_iᵀ)⁻¹    Q_i = (W_i S_i)ᵀ (W_i S_i) + κ_i N_i

    and the least is at `y = Σ_i P_i Q_i⁻¹ (W_i S_i)ᵀ W_i a_i`.

    Args:
        jacobian: `(rows, nv)` of all levels.
        command: `(rows,)` commanded accelerations, and forces.
        is_force: `(rows,)` whether the command is a force: then it is taken for zero.
        row_weight: `(rows,)` W², how much each row counts in its level.
        bias: `(rows,)` `J̇ v`.
        drift: `(nv,)` minus the acceleration under τ₀.
        level_ends: `(levels,)` row past the last of each level.
        alpha: `(levels, levels)` how much level j stands above level i, 0 to 1.
        regularisation: ε.
        task_map: `(nv, rank)` T.
        effort_map: `(na, rank)` Eφ.
        Phi: `(na, na)` Φ.
        bias_effort: `(na,)` τ₀.
        hessian: `(na, na)` result.
        gradient: `(na,)` result.
        row_work: `(2, rows or more, na)` scratch.
        square_work: `(8, na, na)` scratch.
        vectors: `(4, max(rows, na) or more)` scratch.
    """
    rows, na, width = jacobian.shape[0], effort_map.shape[0], task_map.shape[1]
    S = dense(row_work[0], rows, width)
    multiply(jacobian, task_map, S)
    wanted, y = vectors[0], vectors[1, :width]
    wanted_accelerations(jacobian, command, bias, drift, is_force, wanted)
    total = dense(square_work[0], width, width)
    total[:, :] = 0.0
    y[:] = 0.0
    heaviest = _add_levels(
        S, wanted, row_weight, level_ends, alpha, regularisation, total, y, row_work[1],
        square_work, vectors,
    )  # fmt: skip
    for k in range(width):
        total[k, k] += 1.0 / (REST * heaviest if heaviest > 0.0 else regularisation)
    root = dense(square_work[1], width, width)
    if factor(total):
        invert_lower(total, 0, root)
    else:  # not a number somewhere
        root[:, :] = math.nan
    L = dense(square_work[2], width, na)
    HL = dense(square_work[3], width, na)
    half = dense(square_work[4], width, na)
    multiply_transposed(effort_map, Phi, L)
    multiply_transposed(root, L, half)  # H_y = K Kᵀ
    multiply(root, half, HL)
    multiply_transposed(half, half, hessian)
    complete_cost(
        effort_map, L, HL, y, Phi, bias_effort, regularisation, square_work[5], hessian, gradient
    )


@kernel
def _add_levels(
    S: Array,
    wanted: Array,
    row_weight: Array,
    level_ends: Indices,
    alpha: Array,
    regularisation: float,
    total: Array,
    y: Array,
    row_work: Array,
    square_work: Array,
    vectors: Array,
) -> float:
    """Add `P_i Q_i⁻¹ P_iᵀ` and `P_i y_i` of all levels; return the largest mean weight."""
    width = S.shape[1]
    P, basis = dense(square_work[1], width, width), dense(square_work[2], width, width)
    own, spanned = dense(square_work[3], width, width), dense(square_work[6], width, width)
    heaviest, start = 0.0, 0
    for level in range(len(level_ends)):
        end = level_ends[level]
        _project(S, level_ends, alpha[level], level, P, basis, vectors[2])
        rank = 0
        for row in range(start, end):
            rank = _append(S[row], own, rank, vectors[2])
        if rank > 0:
            mean = _add_own(
                S[start:end], wanted[start:end], row_weight[start:end], regularisation, rank, own,
                y, P, total, row_work, square_work, vectors,
            )  # fmt: skip
            heaviest = max(heaviest, mean)
            _add_free(P, own, rank, 1.0 / (FREE * mean), spanned, total)
        start = end
    return heaviest


@kernel
def _project(
    S: Array,
    level_ends: Indices,
    alpha: Array,
    level: int,
    P: Array,
    basis: Array,
    work: Array,
) -> None:
    """Write `P = I − Bᵀ diag(α̂) B`; alpha is `(levels,)`, of this level."""
    width = P.shape[0]
    P[:, :] = 0.0
    for k in range(width):
        P[k, k] = 1.0
    used, last, place = 0, 2.0, -1
    for _ in range(len(level_ends)):
        above, found = 0.0, -1
        for j in range(len(level_ends)):  # the next by falling α, then in their order
            is_later = alpha[j] < last or (alpha[j] == last and j > place)
            if j != level and is_later and alpha[j] > above:
                above, found = alpha[j], j
        if found < 0 or used == width:
            return
        last, place = above, found
        start = level_ends[found - 1] if found > 0 else 0
        for row in range(start, level_ends[found]):
            before = used
            used = _append(S[row], basis, used, work)
            if used > before:
                for a in range(width):
                    for b in range(width):
                        P[a, b] -= above * basis[before, a] * basis[before, b]


@kernel
def _append(row: Array, basis: Array, used: int, work: Array) -> int:
    """Append what a row adds to an orthonormal basis, if it adds any; return the rows there are."""
    width = len(row)
    if used == width:
        return used
    left = dense(work, 1, width)
    for k in range(width):
        left[0, k] = row[k]
    remove_span(left, basis, basis, used, False)
    size = math.sqrt(dot(left[0], left[0]))
    if not size > DEPENDENT * math.sqrt(dot(row, row)):
        return used
    for k in range(width):
        basis[used, k] = left[0, k] / size
    return used + 1


@kernel
def _add_own(
    S: Array,
    wanted: Array,
    row_weight: Array,
    regularisation: float,
    rank: int,
    own: Array,
    y: Array,
    P: Array,
    total: Array,
    row_work: Array,
    square_work: Array,
    vectors: Array,
) -> float:
    """Add what the tasks of a level feel of its own motion; return their mean weight."""
    n, width = S.shape
    C = dense(row_work, n, rank)
    right = vectors[3]
    for i in range(n):
        root = math.sqrt(row_weight[i])
        for k in range(rank):
            C[i, k] = root * dot(S[i], own[k])
    K, inverse = dense(square_work[4], rank, rank), dense(square_work[5], rank, rank)
    multiply_transposed(C, C, K)
    mean = 0.0
    for k in range(rank):
        mean += K[k, k] / rank
        right[k] = 0.0
        for i in range(n):
            right[k] += C[i, k] * math.sqrt(row_weight[i]) * wanted[i]
    for k in range(rank):
        K[k, k] += max(regularisation, SINGULAR * mean)
    if factor(K):
        invert_lower(K, 0, inverse)
    else:  # not a number somewhere
        inverse[:, :] = math.nan
    moved = dense(square_work[4], width, rank)  # P Bᵀ
    for a in range(width):
        for k in range(rank):
            moved[a, k] = dot(P[a], own[k])
    X = dense(square_work[7], width, rank)
    multiply(moved, inverse, X)
    for k in range(rank):
        along = 0.0
        for j in range(rank):
            along += inverse[j, k] * right[j]
        for a in range(width):
            y[a] += X[a, k] * along
    for a in range(width):
        for b in range(width):
            total[a, b] += dot(X[a], X[b])
    return mean


@kernel
def _add_free(P: Array, own: Array, rank: int, share: float, spanned: Array, total: Array) -> None:
    """Add what a level's own motion may do that its tasks do not feel, `P N Pᵀ` times a share."""
    width = P.shape[0]
    for a in range(width):
        for k in range(rank):
            spanned[a, k] = dot(P[a], own[k])
    for a in range(width):
        for b in range(width):
            free = dot(P[a], P[b]) - dot(spanned[a, :rank], spanned[b, :rank])
            total[a, b] += share * free
