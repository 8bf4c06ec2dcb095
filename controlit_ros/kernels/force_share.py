"""Forces that yield to the limits of the joints."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel

# Of a joint's limit forces may always take that much, so that a joint which is busy with something
# else, and which they hardly need, does not take them away.
LEAST = 0.02  # [-]

ROUNDING = 1e-9  # [-] of the limit: what is left must not pass it


@kernel
def force_share(effort: Array, forces: Array, limit: Array) -> tuple[float, int]:
    """Take off an effort what forces have beyond the limits of the joints.

        τ ← τ − (1 − s) τ_F,    s the largest in [0, 1] with |τ_i| ≤ limit_i

    All forces shrink together: what one joint alone leaves out would move the robot.

    Args:
        effort: `(na,)` of everything, τ; changed.
        forces: `(na,)` part of the forces, τ_F.
        limit: `(na,)` largest efforts, infinite for none.

    Returns:
        s, and the joint that allows no more, or -1.
    """
    share, joint = 1.0, -1
    for i in range(len(effort)):
        size = abs(forces[i])
        if size == 0.0 or limit[i] == 0.0:
            continue
        rest = effort[i] - forces[i]
        most = limit[i] * (1.0 - ROUNDING)
        left = max(most - rest if forces[i] > 0.0 else most + rest, LEAST * limit[i])
        if size * share > left:
            share, joint = left / size, i
    if share < 1.0:
        for i in range(len(effort)):
            effort[i] -= (1.0 - share) * forces[i]
    return share, joint
