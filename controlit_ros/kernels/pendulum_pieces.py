"""The motion of a linear pendulum over a repellent point that moves as told."""

from math import exp

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel

START, RATE, GROWING, FADING, PARTS = 0, 1, 2, 3, 4
"""Of a segment: ξ = r + s/ω + a e^(ω(t − T)), c = r + a/2 e^(ω(t − T)) + b e^(−ωt)."""


@kernel
def pendulum_pieces(
    omega: float, durations: Array, ways: Array, position: Array, pieces: Array
) -> None:
    """Solve the segments of a plan: ξ backwards, so that it ends where r does, then c forwards.

    Args:
        omega: ω [1/s].
        durations: `(n,)` T of each segment [s].
        ways: `(n, 2, 3)` where r begins and ends in each [m].
        position: `(3,)` c in the beginning [m].
        pieces: `(n, 4, 3)` result: of each segment r in the beginning, s, a and b.
    """
    n = len(durations)
    for i in range(3):
        dcm = ways[n - 1, 1, i]
        for k in range(n - 1, -1, -1):
            start, end = ways[k, 0, i], ways[k, 1, i]
            rate = (end - start) / durations[k]
            growing = dcm - end - rate / omega
            dcm = start + rate / omega + growing * exp(-omega * durations[k])
            pieces[k, START, i], pieces[k, RATE, i] = start, rate
            pieces[k, GROWING, i] = growing
        place = position[i]
        for k in range(n):
            shrunk, grown = exp(-omega * durations[k]), 0.5 * pieces[k, GROWING, i]
            fading = place - ways[k, 0, i] - grown * shrunk
            place = ways[k, 1, i] + grown + fading * shrunk
            pieces[k, FADING, i] = fading
