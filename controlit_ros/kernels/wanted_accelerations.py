"""The accelerations that tasks want, all that happens by itself taken off."""

from controlit_ros.arrays import Array, Flags
from controlit_ros.kernels.compile import apart, kernel
from controlit_ros.kernels.dense import dot


@kernel
@apart
def wanted_accelerations(
    jacobian: Array,
    command: Array,
    bias: Array,
    drift: Array,
    is_force: Flags,
    acceleration: Array,
) -> None:
    """Write `u − J̇ v + J drift`, where u is zero for rows whose command is a force.

    Args:
        jacobian: `(rows, nv)`.
        command: `(rows,)` u, commanded accelerations and forces.
        bias: `(rows,)` `J̇ v`.
        drift: `(nv,)` minus the acceleration under the effort that holds the robot.
        is_force: `(rows,)`.
        acceleration: `(rows or more,)` result.
    """
    for i in range(jacobian.shape[0]):
        wanted = -bias[i] if is_force[i] else command[i] - bias[i]
        acceleration[i] = wanted + dot(jacobian[i], drift)
