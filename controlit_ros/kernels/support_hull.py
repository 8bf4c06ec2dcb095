"""The polygon that a robot stands on."""

from controlit_ros.arrays import Array, Indices
from controlit_ros.kernels.compile import kernel

LEAST_APART = 1e-4  # [m] nearer points count as one: what lies between them has no direction
LEAST_AREA = 1e-6  # [m²] of what is more than a line


@kernel
def support_hull(points: Array, order: Indices, hull: Indices) -> int:
    """Write the corners of the convex hull of points in a plane, counter-clockwise.

    Andrew's monotone chain (Another efficient algorithm for convex hulls in two dimensions, 1979).

    Args:
        points: `(n, 2 or more)` x and y [m].
        order: `(n,)` scratch.
        hull: `(2 n,)` result, numbers of points.

    Returns:
        How many corners there are; 0: the points are on a line.
    """
    n = 0
    for i in range(len(points)):  # insertion sort by x, then y: there are few
        is_new = True
        for j in range(n):
            dx = points[order[j], 0] - points[i, 0]
            dy = points[order[j], 1] - points[i, 1]
            is_new = is_new and dx * dx + dy * dy > LEAST_APART**2
        if not is_new:
            continue
        k = n
        n += 1
        while k > 0:
            j = order[k - 1]
            before = points[j, 0] < points[i, 0]
            if points[j, 0] == points[i, 0]:
                before = points[j, 1] <= points[i, 1]
            if before:
                break
            order[k] = j
            k -= 1
        order[k] = i
    count = 0
    for half in range(2):
        start = count
        for i in range(n):
            p = order[i] if half == 0 else order[n - 1 - i]
            while count >= start + 2:
                a, b = hull[count - 2], hull[count - 1]
                turn = (points[b, 0] - points[a, 0]) * (points[p, 1] - points[a, 1]) - (
                    points[b, 1] - points[a, 1]
                ) * (points[p, 0] - points[a, 0])
                if turn > 0.0:
                    break
                count -= 1
            hull[count] = p
            count += 1
        count -= 1  # the last point begins the other half
    area = 0.0
    for i in range(count):
        a, b = hull[i], hull[(i + 1) % count]
        area += 0.5 * (points[a, 0] * points[b, 1] - points[b, 0] * points[a, 1])
    return count if area > LEAST_AREA else 0
