"""A point on a polynomial of fifth order."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


@kernel
def quintic_motion(parts: Array, duration: float, time: float, motion: Array) -> None:
    """Write where a point is some time after the beginning, how fast and how accelerated.

    Args:
        parts: `(6, n)` coefficients of 1, t and t²/2, then of s³, s⁴ and s⁵, with s = t/T.
        duration: T [s], above zero.
        time: t [s].
        motion: `(3, n)` result: position, velocity, acceleration.
    """
    s = time / duration
    s2 = s * s
    s3 = s * s2
    rate, bend = 1.0 / duration, 1.0 / (duration * duration)
    for i in range(parts.shape[1]):
        place, speed, change = parts[0, i], parts[1, i], parts[2, i]
        cubic, quartic, quintic = parts[3, i], parts[4, i], parts[5, i]
        motion[0, i] = place + time * (speed + 0.5 * time * change)
        motion[0, i] += s3 * (cubic + s * quartic + s2 * quintic)
        motion[1, i] = speed + time * change
        motion[1, i] += s2 * rate * (3.0 * cubic + 4.0 * s * quartic + 5.0 * s2 * quintic)
        motion[2, i] = change + s * bend * (6.0 * cubic + 12.0 * s * quartic + 20.0 * s2 * quintic)
