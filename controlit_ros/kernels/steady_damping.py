"""Damping of joints that a loop with a dead time can bear."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


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
    n = len(damping)
    for i in range(n):
        damping[i] = wanted
        own = Phi[i, i]
        if own <= 0.0:
            continue
        coupled = 0.0
        for j in range(n):
            if Phi[j, j] > 0.0:
                coupled += abs(Phi[i, j]) / math.sqrt(Phi[j, j])
        damping[i] = min(wanted, fastest / (math.sqrt(own) * coupled))
