"""The motion of a linear pendulum over a repellent point that moves as told."""

from math import exp

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel

START, RATE, GROWING, FADING, PARTS = 0, 1, 2, 3, 4
"""Of a segment: ξ = r + s/ω + a e^(ω(t − T)), c = r + a/2 e^(ω(t − T)) + b e^(−ωt)."""


@kernel
def _backwards(
    omega: float, duration: float, start: float, end: float, dcm: float
) -> tuple[float, float]:
    """Return a of a segment, and ξ in its beginning, from ξ in its end."""
    ahead = (end - start) / duration / omega
    growing = dcm - end - ahead
    return growing, start + ahead + growing * exp(-omega * duration)


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
            pieces[k, START, i], pieces[k, RATE, i] = start, (end - start) / durations[k]
            pieces[k, GROWING, i], dcm = _backwards(omega, durations[k], start, end, dcm)
        place = position[i]
        for k in range(n):
            shrunk, grown = exp(-omega * durations[k]), 0.5 * pieces[k, GROWING, i]
            fading = place - ways[k, 0, i] - grown * shrunk
            place = ways[k, 1, i] + grown + fading * shrunk
            pieces[k, FADING, i] = fading


@kernel
def first_dcm(omega: float, durations: Array, ways: Array, dcm: Array) -> None:
    """Write where ξ has to begin so that it ends where r does.

    Args:
        omega: ω [1/s].
        durations: `(n,)` T of each segment [s].
        ways: `(n, 2, 3)` where r begins and ends in each [m].
        dcm: `(3,)` result [m].
    """
    n = len(durations)
    for i in range(3):
        dcm[i] = ways[n - 1, 1, i]
        for k in range(n - 1, -1, -1):
            _, dcm[i] = _backwards(omega, durations[k], ways[k, 0, i], ways[k, 1, i], dcm[i])


@kernel
def pendulum_motion(
    omega: float, duration: float, pieces: Array, time: float, motion: Array
) -> None:
    """Write how a pendulum moves within a segment.

    Args:
        omega: ω [1/s].
        duration: T of the segment [s].
        pieces: `(4, 3)` of the segment, as `pendulum_pieces` writes them.
        time: Since the segment began [s].
        motion: `(5, 3)` result: r, ξ, c, ċ and c̈.
    """
    growth, fade = 0.5 * exp(omega * (time - duration)), exp(-omega * time)
    for i in range(3):
        start, rate = pieces[START, i], pieces[RATE, i]
        grown, faded = growth * pieces[GROWING, i], fade * pieces[FADING, i]
        point = motion[0, i] = start + rate * time
        motion[1, i] = point + rate / omega + 2.0 * grown
        motion[2, i] = point + grown + faded
        motion[3, i] = rate + omega * (grown - faded)
        motion[4, i] = omega * omega * (grown + faded)
