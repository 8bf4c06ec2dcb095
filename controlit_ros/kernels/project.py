"""Projection of the dynamics through the constraints."""

import math

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.compile import apart, background_kernel, kernel, summing_kernel
from controlit_ros.kernels.dense import dense, dot, factor, gram, invert_lower, lengths
from controlit_ros.kernels.followers import project_followers
from controlit_ros.kernels.held_base import BASE, NOWHERE, find_base_rows, hold_base
from controlit_ros.kernels.independent_rows import (
    NOISE,
    NOT_FINITE,
    ROUNDING,
    independent_rows,
)
from controlit_ros.kernels.pseudo_inverse import transposed_inverse
from controlit_ros.kernels.remove_span import remove_span

INDEFINITE = -2  # what `project` returns where A has no Cholesky factor; else `NOT_FINITE`


@background_kernel
def project(
    A: Array,
    Jc: Array,
    Jc_bias: Array,
    command_dofs: Indices,
    task_map: Array,
    effort_map: Array,
    Phi: Array,
    drift: Array,
    mobility: Array,
    compensation: Array,
    bias_effort: Array,
    motion_map: Array,
    with_reactions: bool,
    L: Array,
    nv_work: Array,
    row_work: Array,
    nc_work: Array,
    na_work: Array,
    base_work: Array,
    vectors: Array,
) -> tuple[int, int]:
    """Factor the constrained dynamics so that every task level costs a few small products.

    With `A = Lᵀ L`, `K = L⁻¹`, `W = Jc K` and `V = Kᵀ Uᵀ`, and B, C, E of `independent_rows` and
    `transposed_inverse`:

        W = Cc Bc,  P = I − Bcᵀ Bc,  Λc = Ec Ecᵀ      P V = Q Cφᵀ,  Φ = Vᵀ P V,  Φ⁺ = Eφ Eφᵀ

    `Q` has orthonormal columns, `task_map T = K Q` and `effort_map Eφ` give `UNc̄ = T Eφᵀ`, so
    that `J UNc̄ Φ UNc̄ᵀ Jᵀ = (J T)(J T)ᵀ`: the recursion becomes an orthogonalisation of the rows
    of `J T`, and an effort `τ = Eφ y`.

    With `w = P Kᵀ (B + G)` the compensation `UNc̄ᵀ (B + G) = Eφ Qᵀ w` leaves `w − Q Qᵀ w`: what no
    actuator holds. Together with what the constraints demand at this velocity it makes the drift.

    Where six rows of Jc hold the base, everything else is computed without the base: with
    `L = [Lb 0; Ljb Lj]`, A of the joints is `Ljᵀ Lj`. Where beside that each joint follows command
    joints, there is less to do: see `project_followers`.

    Args:
        A: `(nv, nv)`; its lower triangle is read.
        Jc: `(nc, nv)`.
        Jc_bias: `(nc,)` `J̇c v`.
        command_dofs: `(na,)` columns of the command joints.
        task_map: `(nv, na)`; its beginning is written, as `(nv, rank)`.
        effort_map: `(na, na)`; its beginning is written, as `(na, rank)`.
        Phi: `(na, na)` Φ.
        drift: `(nv,)` minus the acceleration under the compensation alone,
            `Jc̄ J̇c v + Nc A⁻¹ (B + G − Uᵀ UNc̄ᵀ (B + G))`.
        mobility: `(nv,)` `√(A⁻¹)_ii`, before the constraints; of the joints alone, and zero for the
            base, where constraints hold that.
        compensation: `(nv,)` `B + G`.
        bias_effort: `(na,)` `UNc̄ᵀ (B + G) = Eφ Tᵀ (B + G)`.
        motion_map: `(nv, na)` `UNc̄ = T Eφᵀ`.
        with_reactions: Whether `reaction_map` is to read from the scratch what is left there: K in
            `nv_work[0]`, W in `nv_work[1]`, Ec in `nc_work[4]`.
        L: `(nv, nv)` scratch.
        nv_work: `(2, max(nv, nc), nv)` scratch.
        row_work: `(3, max(nc, na), nv)` scratch.
        nc_work: `(5, nc, nc)` scratch.
        na_work: `(4, na, na)` scratch.
        base_work: `(8, 6, 6)` scratch.
        vectors: `(7, max(nv, nc, na))` scratch.

    Returns:
        The rank of the constraints and the rank of Φ; `INDEFINITE` if A is not positive definite,
        `NOT_FINITE` if the constraints or what follows from them is not finite.
    """
    nv, nc, na = A.shape[0], Jc.shape[0], len(command_dofs)
    for i in range(nv):
        drift[i] = 0.0
    start = NOWHERE if with_reactions else find_base_rows(Jc)
    if start != NOWHERE and not hold_base(Jc, Jc_bias, start, drift, base_work):
        start = NOWHERE
    if start != NOWHERE and project_followers(
        A, Jc, Jc_bias, start, command_dofs, compensation, task_map, effort_map, Phi, drift,
        mobility, bias_effort, motion_map, na_work, vectors,
    ):  # fmt: skip
        return (nc, na) if _is_finite_sum(drift, bias_effort) else (NOT_FINITE, 0)
    for i in range(nv):
        for j in range(i + 1):
            L[i, j] = A[i, j]
    if not factor(L):
        return INDEFINITE, 0
    first = 0 if start == NOWHERE else BASE
    n = nv - first
    K = dense(nv_work[0], n, n)
    invert_lower(L, first, K)
    held, moved, left = vectors[0], vectors[1], vectors[2]
    for i in range(first):
        mobility[i] = 0.0
    for i in range(n):
        held[i] = 0.0
        moved[i] = 0.0
        for k in range(first):
            moved[i] -= L[first + i, k] * drift[k]
        for j in range(i + 1):
            held[j] += K[i, j] * compensation[first + i]
        mobility[first + i] = math.sqrt(dot(K[i, : i + 1], K[i, : i + 1]))
    W = dense(nv_work[1], nc - first, n)
    _map_constraints(Jc, Jc_bias, start, K, moved, drift, W, left)
    rank = _factor_constraints(W, mobility, left, held, moved, row_work, nc_work, vectors)
    if rank == NOT_FINITE:
        return NOT_FINITE, 0
    V = dense(row_work[0], na, n)
    whole, size = vectors[3], vectors[4]
    for j in range(na):
        for i in range(n):
            V[j, i] = K[command_dofs[j] - first, i]
    _remove_constraints(V, dense(row_work[1], rank, n), whole, size)
    gram(V, Phi)
    Q, C = dense(row_work[2], na, n), na_work[0]
    nothing = Q[:0]
    width = independent_rows(
        V, V, nothing, whole, size, nothing, size, 0, Q, Q, C, vectors[5], vectors[6]
    )
    if width == NOT_FINITE:
        return NOT_FINITE, 0
    E = dense(effort_map, na, width)
    transposed_inverse(C, vectors[5], width, E, na_work[1:])
    T = dense(task_map, nv, width)
    _map_back(K, Q[:width], first, V, T)
    if rank == 0 and width == na and first == BASE and n == na:  # nothing else moves
        motion_map[:, :] = 0.0
        for j in range(na):
            motion_map[command_dofs[j], j] = 1.0
    else:
        _multiply_transposed(T, E, motion_map)
    _compensate(Q[:width], E, held, bias_effort)
    for i in range(n):
        moved[i] += held[i]
        drift[first + i] += dot(K[i, : i + 1], moved[: i + 1])
    return (first + rank, width) if _is_finite_sum(drift, bias_effort) else (NOT_FINITE, 0)


@kernel
def _is_finite_sum(drift: Array, bias_effort: Array) -> bool:
    total = 0.0
    for value in drift:
        total += abs(value)
    for value in bias_effort:
        total += abs(value)
    return total < math.inf


@kernel
@apart
def _compensate(Q: Array, E: Array, held: Array, bias_effort: Array) -> None:
    """Write `Eφ Qᵀ w`, and leave of w what no actuator holds; Q as rows."""
    for i in range(len(bias_effort)):
        bias_effort[i] = 0.0
    for k in range(Q.shape[0]):
        along = dot(Q[k], held[: Q.shape[1]])
        for i in range(Q.shape[1]):
            held[i] -= Q[k, i] * along
        for i in range(len(bias_effort)):
            bias_effort[i] += E[i, k] * along


@kernel
@apart
def _map_constraints(
    Jc: Array,
    Jc_bias: Array,
    start: int,
    K: Array,
    moved: Array,
    drift: Array,
    W: Array,
    left: Array,
) -> None:
    """Write `W = Jc K` and `J̇c v` for the rows that do not hold the base, without its motion."""
    n = K.shape[0]
    first = Jc.shape[1] - n
    row = 0
    for i in range(Jc.shape[0]):
        if first > 0 and start <= i < start + BASE:
            continue
        for j in range(n):
            W[row, j] = 0.0
        for k in range(n):
            weight = Jc[i, first + k]
            if weight != 0.0:
                for j in range(k + 1):
                    W[row, j] += weight * K[k, j]
        left[row] = Jc_bias[i]
        if first > 0:
            for k in range(first):
                left[row] -= Jc[i, k] * drift[k]
            for j in range(n):
                left[row] -= W[row, j] * moved[j]
        row += 1


@kernel
def _factor_constraints(
    W: Array,
    mobility: Array,
    bias: Array,
    held: Array,
    moved: Array,
    row_work: Array,
    nc_work: Array,
    vectors: Array,
) -> int:
    """Write Bc and Ec, replace w by P w, add `Bcᵀ Ecᵀ J̇c v` to what is moved; return the rank."""
    nc, n = W.shape
    if nc == 0:
        return 0
    rows, basis = dense(row_work[0], nc, n), dense(row_work[1], nc, n)
    C = dense(nc_work[0], nc, nc)
    whole, size, order = vectors[3], vectors[4], vectors[5]
    noise = 0.0
    for k in range(len(mobility)):
        noise = max(noise, mobility[k] * NOISE / ROUNDING)
    lengths(W, size)
    for i in range(nc):
        whole[i] = size[i] + noise
        for j in range(n):
            rows[i, j] = W[i, j]
    nothing = rows[:0]
    rank = independent_rows(
        rows, rows, nothing, whole, size, nothing, size, 0, basis, basis, C, order, vectors[6]
    )
    if rank <= 0:
        return rank
    E = dense(nc_work[4], nc, rank)
    transposed_inverse(C, order, rank, E, nc_work[1:4])
    for i in range(rank):
        across, demanded = dot(basis[i], held[:n]), 0.0
        for k in range(nc):
            demanded += E[k, i] * bias[k]
        for k in range(n):
            held[k] -= basis[i, k] * across
            moved[k] += basis[i, k] * demanded
    return rank


@kernel
def _remove_constraints(V: Array, basis: Array, whole: Array, size: Array) -> None:
    """Replace rows v by `v P`; write how long they were and how long they are."""
    lengths(V, whole)
    remove_span(V, basis, basis, len(basis), False)
    lengths(V, size)


@summing_kernel
@apart
def _multiply_transposed(a: Array, b: Array, out: Array) -> None:
    """Write `a bᵀ`."""
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            total = 0.0
            for k in range(a.shape[1]):
                total += a[i, k] * b[j, k]
            out[i, j] = total


@kernel
@apart
def _map_back(K: Array, basis: Array, first: int, Q: Array, T: Array) -> None:
    """Write `T = K Q`, zero for the base where that is held; Q is the basis, as columns."""
    n, width = K.shape[0], basis.shape[0]
    columns = dense(Q, n, width)
    for j in range(width):
        for i in range(n):
            columns[i, j] = basis[j, i]
    for i in range(first):
        for j in range(width):
            T[i, j] = 0.0
    for i in range(n):
        for j in range(width):
            T[first + i, j] = 0.0
        for k in range(i + 1):
            weight = K[i, k]
            if weight != 0.0:
                for j in range(width):
                    T[first + i, j] += weight * columns[k, j]
