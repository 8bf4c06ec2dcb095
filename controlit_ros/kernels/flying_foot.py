"""How far, and how soon, a foot in the air comes."""

from math import cos, sin, sqrt

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel

ARRIVES = 0.9  # [of the duration] before the ground: what is left is straight down
PEAK = 10.0 / sqrt(3.0)  # [-] greatest acceleration of a quintic from rest to rest, of way/time²
COASTS = 0.4  # [-] of its speed, times the time that is left: how far a foot goes unhurried


@kernel
def seen_from(origin: Array, yaw: float, motion: Array, target: Array, ways: Array) -> None:
    """Write how a foot moves along the axes of the one that stands, from it.

    Args:
        origin: `(3,)` of the foot that stands, in the world [m].
        yaw: Its [rad].
        motion: `(3, n)` x, y and more of the foot, and their rates.
        target: `(3,)` where it goes [m].
        ways: `(3, 2)` result: its place, its velocity, where it goes.
    """
    c, s = cos(yaw), sin(yaw)
    for k in range(2):
        ways[0, k], ways[1, k] = motion[0, k] - origin[k], motion[1, k]
        ways[2, k] = target[k] - origin[k]
    for i in range(3):
        x, y = ways[i, 0], ways[i, 1]
        ways[i, 0], ways[i, 1] = c * x + s * y, c * y - s * x


@kernel
def time_to(
    place: Array, velocity: Array, remaining: float, acceleration: float, goal: Array, nearly: Array
) -> float:
    """Return how long a foot takes until it is next to a place [s].

    Args:
        place: `(2,)` of the foot [m].
        velocity: `(2,)` [m/s].
        remaining: Until it is down, as it goes now [s].
        acceleration: The greatest that it bears along the ground [m/s²].
        goal: `(2,)` where it shall come [m].
        nearly: `(2,)` how far off that it may be [m].
    """
    longest = 0.0
    for i in range(2):
        way = abs(goal[i] - place[i] - COASTS * velocity[i] * remaining) - nearly[i]
        if way > 0.0:
            longest = max(longest, sqrt(PEAK * way / acceleration))
    return longest / ARRIVES


@kernel
def come_within(
    place: Array,
    velocity: Array,
    target: Array,
    acceleration: float,
    time: float,
    bounds: Array,
    within: Array,
) -> None:
    """Write what of some bounds a foot comes to in a time; where it goes now is always in it.

    Args:
        place: `(2,)` of the foot [m].
        velocity: `(2,)` [m/s].
        target: `(2,)` where it goes [m].
        acceleration: The greatest that it bears along the ground [m/s²].
        time: [s].
        bounds: `(2, 2)` least and farthest place [m].
        within: `(2, 2)` result, the same of what it comes to.
    """
    way = acceleration * (ARRIVES * time) ** 2 / PEAK
    for i in range(2):
        middle = place[i] + COASTS * velocity[i] * time
        least, most = min(middle - way, target[i]), max(middle + way, target[i])
        within[0, i] = min(max(least, bounds[0, i]), bounds[1, i])
        within[1, i] = min(max(most, bounds[0, i]), bounds[1, i])
