"""How a sole moves that is turned about z and lies on ground that slopes."""

from math import cos, sin, sqrt

from controlit_ros.arrays import Array
from controlit_ros.kernels.compile import kernel


@kernel
def sole_goal(motion: Array, goal: Array) -> None:
    """Write the pose of a sole and its rates: about z, then the shortest way onto the slope.

    On a slope s the ground's normal is n = (−s_x, −s_y, 1) / L, L = √(1 + s²), and the shortest
    rotation of z to it has the quaternion p = (v, w) up to its length, v = (s_y, −s_x, 0),
    w = 1 + L. So the angular velocity is 2 vec(ṗ p*) / |p|² + n ψ̇.

    Args:
        motion: `(3, 6)` x, y, z [m], yaw ψ [rad], slope along x and y [-], and their rates.
        goal: `(3, 7)` result: place [m] and orientation xyzw; linear [m/s] and angular velocity in
            the world [rad/s]; their rates. The last number of both rates stays as it is.
    """
    for i in range(3):
        for k in range(3):
            goal[i, k] = motion[i, k]
    spin, more = motion[1, 3], motion[2, 3]
    x, y, dx, dy = motion[0, 4], motion[0, 5], motion[1, 4], motion[1, 5]
    ddx, ddy = motion[2, 4], motion[2, 5]
    L = sqrt(1.0 + x * x + y * y)
    dL = (x * dx + y * dy) / L
    ddL = (dx * dx + dy * dy + x * ddx + y * ddy - dL * dL) / L
    w = 1.0 + L
    size = w * w + x * x + y * y
    grows = 2.0 * (w * dL + x * dx + y * dy) / size
    # vec(ṗ p*), and its rate
    part = (w * dy - dL * y, dL * x - w * dx, dy * x - dx * y)
    change = (w * ddy - ddL * y, ddL * x - w * ddx, ddy * x - ddx * y)
    up = (-x / L, -y / L, 1.0 / L)
    rising = (-dx / L - up[0] * dL / L, -dy / L - up[1] * dL / L, -up[2] * dL / L)
    for i in range(3):
        goal[1, 3 + i] = 2.0 / size * part[i] + up[i] * spin
        goal[2, 3 + i] = 2.0 / size * (change[i] - grows * part[i]) + up[i] * more
        goal[2, 3 + i] += rising[i] * spin
    s, c, length = sin(0.5 * motion[0, 3]), cos(0.5 * motion[0, 3]), sqrt(size)
    goal[0, 3], goal[0, 4] = (c * y - s * x) / length, -(c * x + s * y) / length
    goal[0, 5], goal[0, 6] = s * w / length, c * w / length
