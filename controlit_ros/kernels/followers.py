"""Dynamics of a robot on a held base whose joints all follow the command joints."""

import math

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.compile import apart, kernel
from controlit_ros.kernels.dense import dense, factor, invert_lower
from controlit_ros.kernels.held_base import BASE

# A triangular factor of Φ with a smaller diagonal, as a part of its row, leaves it to the general
# way to tell what is independent.
SURELY_INDEPENDENT = 1e-6  # [-]


@kernel
@apart
def project_followers(
    A: Array,
    Jc: Array,
    Jc_bias: Array,
    start: int,
    command_dofs: Indices,
    compensation: Array,
    task_map: Array,
    effort_map: Array,
    Phi: Array,
    drift: Array,
    mobility: Array,
    bias_effort: Array,
    motion_map: Array,
    square_work: Array,
    vectors: Array,
) -> bool:
    """Do what `project` does where constraints leave nothing to decide.

    Constraints hold the base, and each joint that is not commanded stands in a row of its own with
    command joints alone: a transmission. Then `v = G u` with the velocities u of the command
    joints, `UNc̄ = G`, and with the inertia they see

        Gᵀ A G = Lᵀ L,    Φ = L⁻¹ L⁻ᵀ,    T = G L⁻¹,    Eφ = Lᵀ,    UNc̄ᵀ (B + G) = Gᵀ (B + G)

    Nothing has to be found independent, and L is as sparse as the tree is (see `factor`). What the
    constraints demand, d, makes the drift `d − G Φ Gᵀ A d`.

    Args:
        A: `(nv, nv)`; its lower triangle is read.
        Jc: `(nc, nv)`.
        Jc_bias: `(nc,)`.
        start: Where the six rows begin that hold the base.
        command_dofs: `(na,)`, growing.
        compensation: `(nv,)`.
        task_map: `(nv, na)` T.
        effort_map: `(na, na)` Eφ.
        Phi: `(na, na)` Φ.
        drift: `(nv,)`; holds that of the base, and zeros.
        mobility: `(nv,)` result, `√(G Φ Gᵀ)_ii`.
        bias_effort: `(na,)` result.
        motion_map: `(nv, na)` G; overwritten in any case.
        square_work: `(3 or more, na, na)` scratch.
        vectors: `(6, max(nv, nc, na))` scratch.

    Returns:
        Whether all joints follow command joints; if not, `drift` is as it was.
    """
    nv, na = A.shape[0], len(command_dofs)
    G, follower = motion_map, vectors[0]
    count = nv - BASE - na
    if not _write_ratios(Jc, start, command_dofs, G, follower, vectors[1], vectors[2]):
        return False
    L, K, columns = square_work[0], square_work[1], square_work[2]
    _reduce(A, command_dofs, G, follower[:count], vectors[3], L)
    if not factor(L):
        return False
    invert_lower(L, 0, K)
    if not _are_independent(K):
        return False
    E, T = dense(effort_map, na, na), dense(task_map, nv, na)
    for i in range(na):
        for j in range(na):
            columns[i, j] = 0.0
            E[i, j] = 0.0
    for i in range(na):
        for j in range(i + 1):
            columns[j, i] = K[i, j]
            E[j, i] = L[i, j]
    for i in range(na):
        for j in range(na):
            Phi[i, j] = 0.0
        for k in range(i + 1):
            weight = K[i, k]
            if weight != 0.0:
                for j in range(na):
                    Phi[i, j] += weight * columns[k, j]
    for i in range(BASE):
        mobility[i] = 0.0
        for j in range(na):
            T[i, j] = 0.0
    for i in range(na):
        dof = command_dofs[i]
        bias_effort[i] = compensation[dof]
        mobility[dof] = math.sqrt(Phi[i, i])
        for j in range(na):
            T[dof, j] = K[i, j]
    for a in range(count):
        dof = int(follower[a])
        for j in range(na):
            T[dof, j] = 0.0
        for i in range(na):
            ratio = G[dof, i]
            if ratio != 0.0:
                bias_effort[i] += ratio * compensation[dof]
                for j in range(na):
                    T[dof, j] += ratio * K[i, j]
        square = 0.0
        for j in range(na):
            square += T[dof, j] * T[dof, j]
        mobility[dof] = math.sqrt(square)
        _demand(Jc, Jc_bias, int(vectors[1, a]), dof, drift)
    _follow(A, command_dofs, G, follower[:count], Phi, drift, vectors[3], vectors[4])
    return True


@kernel
@apart
def _write_ratios(
    Jc: Array,
    start: int,
    command_dofs: Indices,
    G: Array,
    follower: Array,
    row: Array,
    place: Array,
) -> bool:
    """Write G, the joints that follow and their rows of Jc; return whether all joints do."""
    (nc, nv), na = Jc.shape, len(command_dofs)
    if nc - BASE != nv - BASE - na:
        return False
    for k in range(nv):
        place[k] = -1.0
        for j in range(na):
            G[k, j] = 0.0
    for j in range(na):
        place[command_dofs[j]] = j
        G[command_dofs[j], j] = 1.0
    found = 0
    for i in range(nc):
        if start <= i < start + BASE:
            continue
        own = -1
        for k in range(BASE, nv):
            if place[k] < 0.0 and Jc[i, k] != 0.0:
                if own >= 0:
                    return False
                own = k
        if own < 0:
            return False
        for a in range(found):
            if follower[a] == own:
                return False
        follower[found], row[found] = own, i
        found += 1
        for j in range(na):
            value = Jc[i, command_dofs[j]]
            if value != 0.0:
                G[own, j] = -value / Jc[i, own]
    return True


@kernel
def _entry(A: Array, i: int, j: int) -> float:
    """Return an entry of a symmetric matrix from its lower triangle."""
    return float(A[i, j] if j <= i else A[j, i])


@kernel
@apart
def _reduce(
    A: Array, command_dofs: Indices, G: Array, follower: Array, across: Array, M: Array
) -> None:
    """Write the lower triangle of `Gᵀ A G`."""
    na = len(command_dofs)
    for i in range(na):
        for j in range(i + 1):
            M[i, j] = A[command_dofs[i], command_dofs[j]]
    for a in range(len(follower)):
        dof = int(follower[a])
        for j in range(na):  # its row of A with the command joints, and half of that with followers
            across[j] = _entry(A, dof, command_dofs[j])
            for b in range(len(follower)):
                other = int(follower[b])
                if G[other, j] != 0.0:
                    across[j] += 0.5 * _entry(A, dof, other) * G[other, j]
        for i in range(na):
            ratio = G[dof, i]
            if ratio != 0.0:
                for j in range(i + 1):
                    M[i, j] += ratio * across[j]
                for j in range(i, na):
                    M[j, i] += ratio * across[j]


@kernel
def _are_independent(K: Array) -> bool:
    """Tell whether the rows of a triangular matrix are independent beyond doubt."""
    for i in range(K.shape[0]):
        square = 0.0
        for j in range(i + 1):
            square += K[i, j] * K[i, j]
        if not K[i, i] * K[i, i] > SURELY_INDEPENDENT * SURELY_INDEPENDENT * square:
            return False
    return True


@kernel
def _demand(Jc: Array, Jc_bias: Array, row: int, dof: int, drift: Array) -> None:
    """Write what a row demands of the joint that follows, where the command joints rest."""
    demanded = Jc_bias[row]
    for k in range(BASE):
        demanded -= Jc[row, k] * drift[k]
    drift[dof] = demanded / Jc[row, dof]


@kernel
@apart
def _follow(
    A: Array,
    command_dofs: Indices,
    G: Array,
    follower: Array,
    Phi: Array,
    drift: Array,
    force: Array,
    motion: Array,
) -> None:
    """Let the command joints yield to what is demanded of others, `d − G Φ Gᵀ A d`."""
    nv, na = G.shape
    is_demanded = False
    for k in range(nv):
        is_demanded = is_demanded or drift[k] != 0.0
    if not is_demanded:
        return
    for i in range(nv):
        force[i] = 0.0
        for k in range(nv):
            force[i] += _entry(A, i, k) * drift[k]
    for i in range(na):
        dof = command_dofs[i]
        for a in range(len(follower)):
            force[dof] += G[int(follower[a]), i] * force[int(follower[a])]
    for i in range(na):
        motion[i] = 0.0
        for j in range(na):
            motion[i] += Phi[i, j] * force[command_dofs[j]]
    for k in range(BASE, nv):
        for i in range(na):
            drift[k] -= G[k, i] * motion[i]
