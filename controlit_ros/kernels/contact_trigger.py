"""Which contacts stand on the world, by what they bear."""

import math

from controlit_ros.arrays import Array, Flags, Indices
from controlit_ros.kernels.compile import kernel

LASTING = 1e-9  # [s] rounding of times that are added up


@kernel
def contact_trigger(
    root: Array,
    axes: Array,
    sensors: Indices,
    sensed_wrench: Array,
    contact_wrench: Array,
    is_enabled: Flags,
    thresholds: Array,
    elapsed: float,
    since: Array,
    stood: Array,
    touches: Flags,
) -> None:
    """Write which contacts touch, as `estimation.ContactTrigger` tells.

    Args:
        root: `(3, 3)` axes of the root link in the world.
        axes: `(n, 3, 3)` of the touching bodies in the root link.
        sensors: `(n,)` integers, the sensor of each; below 0: none.
        sensed_wrench: `(sensors, 6)` in the axes of the touching bodies [N, N m].
        contact_wrench: `(n, 6)` what is expected; NaN: nobody knows.
        is_enabled: `(n,)` whether each holds by its constraint.
        thresholds: `(4,)` force to make a contact and to break it [N], time it must last if it is
            sensed, if it is expected [s].
        elapsed: Since the measurement before [s]; 0: what bears enough touches at once.
        since: `(n,)` how long each has borne enough [s]; changed.
        stood: `(n,)` how long each has stood [s]; changed.
        touches: `(n,)` which do; changed.
    """
    some_hold = False
    for i in range(len(touches)):
        some_hold |= is_enabled[i]
    for i in range(len(touches)):
        force = math.nan
        if sensors[i] >= 0:
            force = 0.0
            for j in range(3):
                for k in range(3):
                    force += root[2, k] * axes[i, k, j] * sensed_wrench[sensors[i], j]
        is_sensed = math.isfinite(force)
        if not is_sensed:
            expected = contact_wrench[i, 2]
            force = expected if math.isfinite(expected) else math.inf
            if not is_enabled[i]:
                force = 0.0
        if some_hold and not is_enabled[i]:
            force = 0.0
        if touches[i] and force >= thresholds[1]:
            stood[i] += elapsed
            continue
        since[i] = since[i] + elapsed if force >= thresholds[0] else 0.0
        is_first = elapsed == 0.0
        lasts = thresholds[2] if is_sensed else thresholds[3]
        touches[i] = force >= thresholds[0] and (is_first or since[i] >= lasts - LASTING)
        stood[i] = math.inf if is_first else 0.0
