"""Where the goal and the actual value of a task are in the world."""

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel
from controlit_ros.kernels.task_motion import write_quaternion

POINT, PLANE_POINT, DIRECTION, ORIENTATION, POSE, WRENCH = range(6)
"""What the numbers are; see `tasks.ShapeKind`."""


@kernel
def seen_shape(
    kind: int,
    goal: Array,
    actual: Array,
    rotation: Array,
    translation: Array,
    frame: Array,
    body_rotation: Array,
    body_translation: Array,
    body: Array,
    point: Array,
    position: Array,
    orientation: Array,
    place: Array,
    seen_goal: Array,
    seen_actual: Array,
) -> None:
    """Write goal and actual value in the world, and the frame they are given in.

    Args:
        kind: What they are.
        goal: In that frame; empty: none is seen.
        actual: Likewise.
        rotation: `(3, 3)` axes of the joint that carries the frame, in the world.
        translation: `(3,)` its origin in the world [m].
        frame: `(4, 3)` rotation of the frame in the joint, then its origin [m].
        body_rotation: The same of the body where directions and wrenches are drawn; so are the
            next two.
        body_translation: `(3,)`.
        body: `(4, 3)`.
        point: `(3,)` the place on it, in its axes [m].
        position: `(3,)` result: where the frame is [m].
        orientation: `(4,)` result: its quaternion xyzw.
        place: `(3,)` result: where that point is [m].
        seen_goal: Result; a point in a plane has three numbers there.
        seen_actual: Likewise.
    """
    write_quaternion(rotation, frame, orientation)
    for i in range(3):
        position[i] = translation[i]
        place[i] = body_translation[i]
        for j in range(3):
            position[i] += rotation[i, j] * frame[3, j]
            there = body[3, j]
            for k in range(3):
                there += body[j, k] * point[k]
            place[i] += body_rotation[i, j] * there
    if kind == PLANE_POINT:
        _see(kind, goal, orientation, place, seen_goal)
        _see(kind, actual, orientation, place, seen_actual)
    else:
        _see(kind, goal, orientation, position, seen_goal)
        _see(kind, actual, orientation, position, seen_actual)


@kernel
def _see(kind: int, value: Array, orientation: Array, origin: Array, seen: Array) -> None:
    if len(value) == 0:
        return
    if kind == ORIENTATION:
        _turn(orientation, value, 0, seen)
        return
    third = 0.0 if kind == PLANE_POINT else value[2]
    _rotate(orientation, value[0], value[1], third, seen, 0)
    if kind == WRENCH and len(value) > 3:
        _rotate(orientation, value[3], value[4], value[5], seen, 3)
    if kind == POSE:
        _turn(orientation, value, 3, seen)
    if kind in (POINT, PLANE_POINT, POSE):
        for i in range(3):
            seen[i] += origin[i]


@kernel
def _rotate(q: Array, vx: float, vy: float, vz: float, seen: Array, at: int) -> None:
    """Write a vector of a frame in the world: `v + 2 u × (u × v + w v)`, u the vector part of q."""
    x, y, z, w = q[0], q[1], q[2], q[3]
    tx = 2.0 * (y * vz - z * vy)
    ty = 2.0 * (z * vx - x * vz)
    tz = 2.0 * (x * vy - y * vx)
    seen[at] = vx + w * tx + y * tz - z * ty
    seen[at + 1] = vy + w * ty + z * tx - x * tz
    seen[at + 2] = vz + w * tz + x * ty - y * tx


@kernel
def _turn(a: Array, b: Array, at: int, seen: Array) -> None:
    """Write the Hamilton product of a quaternion xyzw and one that begins at a place."""
    bx, by, bz, bw = b[at], b[at + 1], b[at + 2], b[at + 3]
    seen[at] = a[3] * bx + a[0] * bw + a[1] * bz - a[2] * by
    seen[at + 1] = a[3] * by - a[0] * bz + a[1] * bw + a[2] * bx
    seen[at + 2] = a[3] * bz + a[0] * by - a[1] * bx + a[2] * bw
    seen[at + 3] = a[3] * bw - a[0] * bx - a[1] * by - a[2] * bz
