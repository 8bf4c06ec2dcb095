"""The numbers of markers that move with each scene."""

import math

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.bind import array_at, turned_matrix_at
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.finite import all_finite

START, ROTATION, TRANSLATION, BONE_COLUMNS = range(4)
"""Addresses of a bone: of the place where it begins, and of the joint that it ends at."""
FORCE = 3  # numbers
SHAFT, HEAD, LENGTH, BEGIN, END, ARROW = 0, 1, 2, 3, 6, 9
"""Numbers of an arrow: shaft and head across, length of the head, where it begins and ends."""


@kernel
def draw_arrows(value: Array, place: Array, scale: float, head: float, arrows: Array) -> int:
    """Write the arrows of a direction, of a force, or of a force and a moment.

    Args:
        value: `(3,)`, or `(6,)` with the moment, in the world.
        place: `(3,)` where they begin [m].
        scale: From numbers to lengths.
        head: Longest of an arrow's head [m].
        arrows: `(1 or 2, ARROW)` result, but for shaft and head across [m].

    Returns:
        How many arrows there are: none where a number is none, and none of a moment of zero.
    """
    if not all_finite(value):
        return 0
    count = len(value) // FORCE
    for k in range(count):
        square = 0.0
        for i in range(3):
            way = scale * value[FORCE * k + i]
            square += way * way
            arrows[k, BEGIN + i] = place[i]
            arrows[k, END + i] = place[i] + way
        arrows[k, LENGTH] = min(head, 0.5 * math.sqrt(square))
    if count > 1 and value[3] == 0.0 and value[4] == 0.0 and value[5] == 0.0:
        return 1
    return count


@kernel
def draw_axes(orientation: Array, position: Array, length: float, points: Array) -> bool:
    """Write the axes of a frame, x, y and z, each by its beginning and its end.

    Args:
        orientation: `(4,)` quaternion xyzw.
        position: `(3,)` where they begin [m].
        length: Of an axis [m].
        points: `(6, 3)` result [m].

    Returns:
        Whether all numbers are some.
    """
    if not (all_finite(orientation) and all_finite(position)):
        return False
    x, y, z, w = orientation[0], orientation[1], orientation[2], orientation[3]
    for axis in range(3):
        for i in range(3):
            points[2 * axis, i] = position[i]
    points[1, 0] = position[0] + length * (1.0 - 2.0 * (y * y + z * z))
    points[1, 1] = position[1] + length * 2.0 * (x * y + w * z)
    points[1, 2] = position[2] + length * 2.0 * (x * z - w * y)
    points[3, 0] = position[0] + length * 2.0 * (x * y - w * z)
    points[3, 1] = position[1] + length * (1.0 - 2.0 * (x * x + z * z))
    points[3, 2] = position[2] + length * 2.0 * (y * z + w * x)
    points[5, 0] = position[0] + length * 2.0 * (x * z + w * y)
    points[5, 1] = position[1] + length * 2.0 * (y * z - w * x)
    points[5, 2] = position[2] + length * (1.0 - 2.0 * (x * x + y * y))
    return True


@kernel
def take_pose(
    position: Array, orientation: Array, least: float, kept: Array, kept_orientation: Array
) -> bool:
    """Take over a pose; return whether it is another.

    Args:
        position: `(3,)` [m].
        orientation: `(4,)` quaternion xyzw.
        least: By how much a number differs, at least, if it is another [m, -].
        kept: `(3,)` result.
        kept_orientation: `(4,)` result.
    """
    is_other = False
    for i in range(3):
        is_other |= abs(position[i] - kept[i]) > least
        kept[i] = position[i]
    for i in range(4):
        is_other |= abs(orientation[i] - kept_orientation[i]) > least
        kept_orientation[i] = orientation[i]
    return is_other


@kernel
def draw_bones(places: Indices, levers: Array, bones: Array) -> None:
    """Write where bones begin and end.

    Args:
        places: `(k, BONE_COLUMNS)` addresses.
        levers: `(k, 3)` the end in the axes of the joint [m].
        bones: `(k, 2, 3)` result: beginning and end of each [m].
    """
    for b in range(len(places)):
        start = array_at(places[b, START], 3)
        rotation = turned_matrix_at(places[b, ROTATION], 3, 3)
        translation = array_at(places[b, TRANSLATION], 3)
        for i in range(3):
            bones[b, 0, i] = start[i]
            bones[b, 1, i] = translation[i]
            for j in range(3):
                bones[b, 1, i] += rotation[i, j] * levers[b, j]
