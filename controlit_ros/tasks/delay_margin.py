"""How much dead time a PID law bears."""

import math

import numpy as np

LARGEST_ANGLE = 2.0 * math.pi
REAL = 1e-7  # [-] imaginary part, as a share, of a root that is real but for rounding


def delay_margin(kp: float, ki: float, kd: float) -> float:
    """Return the dead time in the loop at which a task begins to swing ever more [s].

    Under WBOSC a task that nothing disturbs is a double integrator, `ẍ = u`. With the law's
    `u = −kp e − ki ∫e − kd ė` and the dead time T the loop is

        L(s) = (kd s² + kp s + ki) / s³ · e^(−sT)

    It is stable for every T below the least `(π + arg L₀(jω)) / ω` of the frequencies ω where
    `|L₀(jω)| = 1`, with L₀ the loop without dead time.

    Args:
        kp: [1/s²].
        ki: [1/s³].
        kd: [1/s].

    Returns:
        Infinity if there is no gain, and 0 if the loop is not stable without dead time either.
    """
    if kp <= 0.0 and kd <= 0.0 and ki <= 0.0:
        return math.inf
    if ki > 0.0 and kp * kd <= ki:  # Hurwitz: s³ + kd s² + kp s + ki
        return 0.0
    # |L₀|² = 1 with x = ω²: x³ = (ki − kd x)² + kp² x
    roots = np.roots([1.0, -kd * kd, 2.0 * ki * kd - kp * kp, -ki * ki])
    squares = [root.real for root in roots if abs(root.imag) <= REAL * abs(root)]
    margins = [_margin(kp, ki, kd, math.sqrt(x)) for x in squares if x > 0.0]
    return min(margins, default=math.inf)


def _margin(kp: float, ki: float, kd: float, frequency: float) -> float:
    """Return the dead time that turns the loop to -1 at a frequency where its gain is 1 [s]."""
    # 1 / (jω)³ turns by +90°
    angle = math.atan2(kp * frequency, ki - kd * frequency * frequency) + 0.5 * math.pi
    return (angle - math.pi) % LARGEST_ANGLE / frequency
