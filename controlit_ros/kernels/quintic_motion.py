"""The polynomial of fifth order from one state to another: the least jerk on the way."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


@kernel
def quintic_parts(start: Array, end: Array, duration: float, parts: Array) -> None:
    """Write the coefficients.

    With s = t/T those of `t⁰ … t²` are the start's. Those of `s³ … s⁵` follow from what is missing
    at the end, e = p_T − p(T), f = T (v_T − v(T)), g = T² (a_T − a(T)) of the quadratic motion:
    (10 e − 4 f + g/2, −15 e + 7 f − g, 6 e − 3 f + g/2).

    Args:
        start: `(3, n)` position, velocity, acceleration in the beginning.
        end: `(3, n)` the same in the end.
        duration: T [s], above zero.
        parts: `(6, n)` result, of 1, t and t²/2, then of s³, s⁴ and s⁵.
    """
    T = duration
    for i in range(parts.shape[1]):
        p, v, a = start[0, i], start[1, i], start[2, i]
        e = end[0, i] - (p + v * T + 0.5 * a * T * T)
        f = T * (end[1, i] - (v + a * T))
        g = T * T * (end[2, i] - a)
        parts[0, i], parts[1, i], parts[2, i] = p, v, a
        parts[3, i] = 10.0 * e - 4.0 * f + 0.5 * g
        parts[4, i] = -15.0 * e + 7.0 * f - g
        parts[5, i] = 6.0 * e - 3.0 * f + 0.5 * g


@kernel
def quintic_motion(parts: Array, duration: float, time: float, motion: Array) -> None:
    """Write where a point is some time after the beginning, how fast and how accelerated.

    Args:
        parts: `(6, n)` as `quintic_parts` writes them.
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
