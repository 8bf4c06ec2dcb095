"""Splines through points at given times, as coefficients of powers.

Their unknowns are the derivatives at the points between the ends. Each depends on its neighbours
alone, and what is asked of them is the least of a sum of squares, so elimination from one end to
the other needs no pivots (Golub and Van Loan, Matrix computations, section 4.5).
"""

import numpy as np

from controlit_ros.arrays import Array


def cubic_spline(durations: Array, points: Array, ends: Array) -> Array:
    """Return `(4, n - 1, k)` coefficients of the spline with continuous acceleration.

    Args:
        durations: `(n - 1,)` of the pieces [s].
        points: `(n, k)`.
        ends: `(2, 1, k)` velocity at both ends.

    Returns:
        Of each piece, the highest power of the time since its begin first.
    """
    h, steps = durations[:, np.newaxis], np.diff(points, axis=0)
    rate = 1.0 / durations
    own = 2.0 * (rate[:-1] + rate[1:])
    slope = 3.0 * steps / h**2
    asked = (slope[:-1] + slope[1:])[:, np.newaxis]
    (v,) = _between(own[:, np.newaxis, np.newaxis], rate[:, np.newaxis, np.newaxis], asked, ends)
    first, last = v[:-1], v[1:]
    return np.stack((
        (h * (first + last) - 2.0 * steps) / h**3,
        (3.0 * steps - h * (2.0 * first + last)) / h**2,
        first,
        points[:-1],
    ))  # fmt: skip


def quintic_spline(durations: Array, points: Array, ends: Array) -> Array:
    """Return `(6, n - 1, k)` coefficients of the spline of least squared jerk.

    Args:
        durations: `(n - 1,)` of the pieces [s].
        points: `(n, k)`.
        ends: `(2, 2, k)` velocity and acceleration at the first end, then at the last.

    Returns:
        Of each piece, the highest power of the time since its begin first.
    """
    # by parts, ½ ∫ x⃛² grows with a velocity by the jump of the fourth derivative there, and with
    # an acceleration by minus that of the third: both are zero where it is least
    h, steps = durations[:, np.newaxis], np.diff(points, axis=0)
    rate = 1.0 / durations
    before, after = rate[:-1], rate[1:]
    aside = 36.0 * (after**2 - before**2)
    own = _blocks(192.0 * (before**3 + after**3), aside, aside, 9.0 * (before + after))
    further = _blocks(168.0 * rate**3, -24.0 * rate**2, 24.0 * rate**2, -3.0 * rate)
    third, fourth = 60.0 * steps / h**3, 360.0 * steps / h**4
    asked = np.stack((fourth[1:] + fourth[:-1], third[1:] - third[:-1]), axis=1)
    v, a = _between(own, further, asked, ends)
    v0, v1, a0, a1 = h * v[:-1], h * v[1:], h**2 * a[:-1], h**2 * a[1:]
    return np.stack((
        (12.0 * steps - 6.0 * (v1 + v0) - (a0 - a1)) / (2.0 * h**5),
        (-30.0 * steps + 14.0 * v1 + 16.0 * v0 + 3.0 * a0 - 2.0 * a1) / (2.0 * h**4),
        (20.0 * steps - 8.0 * v1 - 12.0 * v0 - 3.0 * a0 + a1) / (2.0 * h**3),
        a[:-1] / 2.0,
        v[:-1],
        points[:-1],
    ))  # fmt: skip


def _blocks(a: Array, b: Array, c: Array, d: Array) -> Array:
    return np.stack((np.stack((a, b), axis=1), np.stack((c, d), axis=1)), axis=1)


def _between(own: Array, further: Array, asked: Array, ends: Array) -> Array:
    """Solve `N_{i-1}ᵀ x_{i-1} + O_i x_i + N_i x_{i+1} = d_i` for the points between the ends.

    Args:
        own: `(n - 2, m, m)` O, symmetric.
        further: `(n - 1, m, m)` N of each piece.
        asked: `(n - 2, m, k)` d.
        ends: `(2, m, k)` x at both ends.

    Returns:
        `(m, n, k)` x of all points.
    """
    x = np.concatenate((ends[:1], asked, ends[1:]))
    left = np.empty_like(own)  # of x_{i+1} in x_i, once those before are eliminated
    for i in range(len(own)):
        pivot, rest = own[i], asked[i] - further[i].T @ x[i]
        if i:
            pivot = pivot - further[i].T @ left[i - 1]
        inverse = np.linalg.inv(pivot)
        left[i], x[i + 1] = inverse @ further[i + 1], inverse @ rest
    for i in range(len(own), 0, -1):
        x[i] -= left[i - 1] @ x[i + 1]
    return np.moveaxis(x, 1, 0)
