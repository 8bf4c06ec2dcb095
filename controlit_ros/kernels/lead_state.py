"""A state led ahead over the commands that it does not answer yet."""

import math

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


@kernel
def lead_state(
    position: Array,
    velocity: Array,
    limits: Array,
    start: float,
    now: float,
    sent: Array,
    sent_at: Array,
    newest: int,
    known: int,
    bias_effort: Array,
    Phi: Array,
    effort_map: Array,
    task_map: Array,
    drift: Array,
    first_dof: int,
    work: Array,
) -> bool:
    """Lead joint positions and velocities ahead in place, by the efforts of `start` to `now`.

    The model is that of one state. What follows from the efforts τ_k, each from its time to that
    of the next, is a sum of two impulses through the constraints:

        v⁺ = v + M (Σ τ_k Δ_k − T b) − T d
        q⁺ = q + T v + M (Σ τ_k Δ_k (Δ_k/2 + R_k) − T²/2 b) − T²/2 d

    with `M = T_task Eφᵀ Φ`, b the bias effort, d the drift, `T = now − start`, and `R_k` the time
    left after the k-th. No joint gets faster than its limit (or than it is), nor farther than that
    speed would carry it, nor out of its range (or farther out than it is).

    Args:
        position: `(n,)` of all joints, changed.
        velocity: `(n,)` likewise.
        limits: `(3, n)` lower and upper ends of the ranges, largest speeds; infinite: none.
        start: Time of the first effort that acts [s].
        now: Time up to which the newest acts [s].
        sent: `(size, na)` ring of efforts.
        sent_at: `(size,)` when each began [s].
        newest: Row of the newest effort.
        known: How many rows are known.
        bias_effort: `(na,)` of the model, as all that follows; see `ConstrainedModel`.
        Phi: `(na, na)`.
        effort_map: `(na, rank)`.
        task_map: `(nv, rank)`.
        drift: `(nv,)`.
        first_dof: Degree of freedom of the first joint.
        work: `(6, na)` scratch.

    Returns:
        Whether the efforts are known from `start` on and the result is finite; if not, nothing was
        changed, or what was is not a number.
    """
    na, rank = effort_map.shape
    total = now - start
    for i in range(na):
        work[0, i] = -total * bias_effort[i]
        work[1, i] = -0.5 * total * total * bias_effort[i]
    end, row, is_covered = now, newest, False
    for _ in range(known):
        begin = max(sent_at[row], start)
        duration = end - begin
        lever = duration * (0.5 * duration + now - end)
        for i in range(na):
            work[0, i] += duration * sent[row, i]
            work[1, i] += lever * sent[row, i]
        end = begin
        if sent_at[row] <= start:
            is_covered = True
            break
        row = row - 1 if row > 0 else len(sent) - 1
    if not is_covered:
        return False
    for i in range(na):
        work[2, i] = work[3, i] = 0.0
        for j in range(na):
            work[2, i] += Phi[i, j] * work[0, j]
            work[3, i] += Phi[i, j] * work[1, j]
    for k in range(rank):
        work[4, k] = work[5, k] = 0.0
        for i in range(na):
            work[4, k] += effort_map[i, k] * work[2, i]
            work[5, k] += effort_map[i, k] * work[3, i]
    for joint in range(len(position)):
        dof = first_dof + joint
        gained, moved = -total * drift[dof], total * velocity[joint]
        moved -= 0.5 * total * total * drift[dof]
        for k in range(rank):
            gained += task_map[dof, k] * work[4, k]
            moved += task_map[dof, k] * work[5, k]
        if not (math.isfinite(gained) and math.isfinite(moved)):
            return False
        fastest = max(limits[2, joint], abs(velocity[joint]))
        farthest = fastest * total
        lower, upper = (
            min(limits[0, joint], position[joint]),
            max(limits[1, joint], position[joint]),
        )
        moved = min(max(moved, -farthest), farthest)
        velocity[joint] = min(max(velocity[joint] + gained, -fastest), fastest)
        position[joint] = min(max(position[joint] + moved, lower), upper)
    return True
