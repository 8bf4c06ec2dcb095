"""Gains of joints that a loop with a dead time can bear."""

import math

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.dense import dot, factor, invert_lower


@kernel
def steady_damping(Phi: Array, wanted: float, fastest: float, damping: Array) -> None:
    """Write the damping of each joint, as much of what is wanted as lets no velocity fade faster.

        d_i = min(wanted, fastest / (Φ_ii ρ_i)),   ρ_i = Σ_j |Φ_ij| / √(Φ_ii Φ_jj)

    so that no eigenvalue of Φ D, which are the rates at which velocities fade under `τ = −D q̇`, is
    above `fastest`: with the nonnegative matrix `S_ij = |Φ_ij| / √(Φ_ii Φ_jj)` that of
    `S_ij / √(ρ_i ρ_j)` is 1 at most (Schur's test).

    Args:
        Phi: `(na, na)` acceleration of joints by efforts under the constraints.
        wanted: [N m s/rad].
        fastest: [1/s].
        damping: `(na,)` result [N m s/rad].
    """
    for i in range(len(damping)):
        rate = _answer(Phi, i)
        damping[i] = min(wanted, fastest / rate) if rate > 0.0 else wanted


@kernel
def steady_gains(Phi: Array, fastest: float, stiffness: Array, damping: Array) -> bool:
    """Reduce the gains of joint controllers to what they bear between two commands.

        d_i ≤ fastest / (Φ_ii ρ_i),   k_i ≤ fastest² / (Φ_ii ρ_i)

    so that no velocity fades faster than `fastest`, and nothing swings faster (see
    `steady_damping`): what joints get in the meantime is near what it was when it was looked at.

    Args:
        Phi: `(na, na)` acceleration of joints by efforts under the constraints.
        fastest: One over the time between two commands [1/s].
        stiffness: `(na,)` changed [N m/rad].
        damping: `(na,)` changed [N m s/rad].

    Returns:
        Whether a gain was reduced.
    """
    is_less = False
    for i in range(len(damping)):
        rate = _answer(Phi, i)
        if damping[i] * rate > fastest:
            damping[i] = fastest / rate
            is_less = True
        if stiffness[i] * rate > fastest * fastest:
            stiffness[i] = fastest * fastest / rate
            is_less = True
    return is_less


@kernel
def free_response(A: Array, command_dofs: Indices, work: Array, Phi: Array) -> bool:
    """Compute `Φ = U A⁻¹ Uᵀ`, how command joints accelerate by efforts without any constraint.

    Args:
        A: `(nv, nv)` joint-space inertia; its lower triangle is read.
        command_dofs: `(na,)` columns of the command joints.
        work: `(2, nv, nv)` scratch.
        Phi: `(na, na)` result.

    Returns:
        Whether A is positive definite; if not Φ is left as it is.
    """
    L, K = work[0], work[1]
    for i in range(A.shape[0]):
        for j in range(i + 1):
            L[i, j] = A[i, j]
    if not factor(L):  # A = Lᵀ L
        return False
    invert_lower(L, 0, K)
    for i in range(len(command_dofs)):
        for j in range(i + 1):
            Phi[i, j] = dot(K[command_dofs[i]], K[command_dofs[j]])
            Phi[j, i] = Phi[i, j]
    return True


@kernel
def _answer(Phi: Array, i: int) -> float:
    """Return `Φ_ii ρ_i`, how fast a joint and those it moves answer an effort."""
    own = Phi[i, i]
    if own <= 0.0:
        return 0.0
    coupled = 0.0
    for j in range(Phi.shape[0]):
        if Phi[j, j] > 0.0:
            coupled += abs(Phi[i, j]) / math.sqrt(Phi[j, j])
    return math.sqrt(own) * coupled
