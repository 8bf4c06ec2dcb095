"""A contact-aided error-state Kalman filter of the motion of an inertial measurement unit.

State `x`: position p, velocity v, orientation q (xyzw) of the unit in the world, bias of its
angular velocity b_ω and of its specific force b_a in its axes, then of each contact the place d
where it stands. Error state, in this order: δp, δv, δθ (world axes, R = Exp(δθ) R̂), δb_ω, δb_a, δd.
(Bloesch and others, State estimation for legged robots: consistent fusion of leg kinematics and
IMU, RSS 2012.)

Nothing tells yaw: with p, v and d turned about the vertical through the origin, contacts are where
they were. What is left of innovations must not pass for such a turn, else a foot that rocks turns
the world, and with it, far from the origin, the robot by decimetres. Hence a contact is looked at
along d − p, not along what encoders tell, and a correction also moves what a turn does to p, v and
d. With both it is the right-invariant filter of Hartley and others (IJRR 2020), but for biases, in
the errors above: its δp − δθ × p, δv − δθ × v, δd − δθ × d and δθ know nothing of the state.
"""

import math

import numpy as np

from controlit_ros.arrays import Array, Flags
from controlit_ros.kernels.compile import counting_kernel

P, V, Q, BW, BA, D = 0, 3, 6, 10, 13, 16
"""Where the parts of the state begin."""
EP, EV, ET, EBW, EBA, ED = 0, 3, 6, 9, 12, 15
"""Where the parts of the error begin."""
GATE = 16.0  # [-] square of how many deviations a foot may seem to have moved: farther, it slipped
SMALL_TURN = 1e-8  # [rad]


@counting_kernel
def rotation_of(q: Array, R: Array) -> None:
    """Write the axes of a frame turned by a unit quaternion xyzw, `(3, 3)`."""
    x, y, z, w = q[0], q[1], q[2], q[3]
    R[0, 0], R[0, 1], R[0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    R[1, 0], R[1, 1], R[1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    R[2, 0], R[2, 1], R[2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)


@counting_kernel
def turn(q: Array, angle: Array, in_world: bool) -> None:
    """Turn a unit quaternion xyzw by a rotation vector [rad], in the world's or in its own axes."""
    size = math.sqrt(angle[0] ** 2 + angle[1] ** 2 + angle[2] ** 2)
    s = math.sin(0.5 * size) / size if size > SMALL_TURN else 0.5
    x, y, z, w = s * angle[0], s * angle[1], s * angle[2], math.cos(0.5 * size)
    a, b, c, d = q[0], q[1], q[2], q[3]
    sign = 1.0 if in_world else -1.0
    q[0] = w * a + d * x + sign * (y * c - z * b)
    q[1] = w * b + d * y + sign * (z * a - x * c)
    q[2] = w * c + d * z + sign * (x * b - y * a)
    q[3] = w * d - (x * a + y * b + z * c)
    size = math.sqrt(q[0] ** 2 + q[1] ** 2 + q[2] ** 2 + q[3] ** 2)
    for i in range(4):
        q[i] /= size


@counting_kernel
def predict(x: Array, C: Array, imu: Array, gravity: Array, dt: float, densities: Array) -> None:
    """Lead state and covariance ahead by what the unit measured.

    Args:
        x: State, changed.
        C: Covariance of its error, changed.
        imu: `(6,)` angular velocity and specific force [rad/s, m/s²].
        gravity: `(3,)` [m/s²].
        dt: Time that passes [s].
        densities: `(5,)` noise of angular velocity, of specific force, walk of both biases, slip of
            contacts [per square root of Hz].
    """
    n = len(C)
    R = np.empty((3, 3))
    rotation_of(x[Q : Q + 4], R)
    rate, force = np.empty(3), np.zeros(3)
    for i in range(3):
        rate[i] = (imu[i] - x[BW + i]) * dt
        for j in range(3):
            force[i] += R[i, j] * (imu[3 + j] - x[BA + j])
    for i in range(3):
        acceleration = force[i] + gravity[i]
        x[P + i] += dt * (x[V + i] + 0.5 * dt * acceleration)
        x[V + i] += dt * acceleration
    turn(x[Q : Q + 4], rate, False)
    for side in range(2):  # rows, then columns: F C Fᵀ
        M = C if side == 0 else C.T
        for k in range(n):
            t0, t1, t2 = M[ET, k], M[ET + 1, k], M[ET + 2, k]
            for i in range(3):
                M[EP + i, k] += dt * M[EV + i, k]
            M[EV, k] -= dt * (force[1] * t2 - force[2] * t1)
            M[EV + 1, k] -= dt * (force[2] * t0 - force[0] * t2)
            M[EV + 2, k] -= dt * (force[0] * t1 - force[1] * t0)
            for i in range(3):
                for j in range(3):
                    M[EV + i, k] -= dt * R[i, j] * M[EBA + j, k]
                    M[ET + i, k] -= dt * R[i, j] * M[EBW + j, k]
    for i in range(3):
        C[ET + i, ET + i] += dt * densities[0] ** 2
        C[EV + i, EV + i] += dt * densities[1] ** 2
        C[EBW + i, EBW + i] += dt * densities[2] ** 2
        C[EBA + i, EBA + i] += dt * densities[3] ** 2
    for i in range(ED, n):
        C[i, i] += dt * densities[4] ** 2


@counting_kernel
def carry(C: Array, moved: Array) -> None:
    """Let what is not known of turns turn p, v and d as they are now: δp + δθ × moved, and so on.

    Args:
        C: Covariance, changed.
        moved: `(n,)` by how much the state is changed, as an error.
    """
    n = len(C)
    for side in range(2):  # rows, then columns
        M = C if side == 0 else C.T
        for row in range(0, n, 3):
            if EV < row < ED:
                continue
            for k in range(n):
                t0, t1, t2 = M[ET, k], M[ET + 1, k], M[ET + 2, k]
                M[row, k] += t1 * moved[row + 2] - t2 * moved[row + 1]
                M[row + 1, k] += t2 * moved[row] - t0 * moved[row + 2]
                M[row + 2, k] += t0 * moved[row + 1] - t1 * moved[row]


@counting_kernel
def correct(x: Array, C: Array, h: Array, innovation: float, variance: float) -> None:
    """Take in one number: h · error = innovation, with a variance."""
    n = len(C)
    gain = np.zeros(n)
    total = variance
    for j in range(n):
        if h[j] != 0.0:
            for i in range(n):
                gain[i] += C[i, j] * h[j]
    for j in range(n):
        total += h[j] * gain[j]
    for i in range(n):
        for j in range(n):
            C[i, j] -= gain[i] * gain[j] / total
    for i in range(n):
        gain[i] *= innovation / total
    carry(C, gain)
    for i in range(6):
        x[i] += gain[i]
    turn(x[Q : Q + 4], gain[ET : ET + 3], True)
    for i in range(6):
        x[BW + i] += gain[EBW + i]
    for i in range(n - ED):
        x[D + i] += gain[ED + i]


@counting_kernel
def land(x: Array, C: Array, contact: int, place: Array, variance: float) -> None:
    """Let a contact stand where it is.

    Args:
        x: State, changed.
        C: Covariance, changed.
        contact: Number of the contact.
        place: `(3,)` where it is, from the unit, in the axes of the unit [m].
        variance: How exactly that is known [m²].
    """
    n, row, start = len(C), ED + 3 * contact, D + 3 * contact
    R, r = np.empty((3, 3)), np.zeros(3)
    rotation_of(x[Q : Q + 4], R)
    for i in range(3):
        for j in range(3):
            r[i] += R[i, j] * place[j]
        x[start + i] = x[P + i] + r[i]
    for side in range(2):  # δd = δp + δθ × r, of rows and then of columns
        M = C if side == 0 else C.T
        for k in range(n):
            t0, t1, t2 = M[ET, k], M[ET + 1, k], M[ET + 2, k]
            M[row, k] = M[EP, k] + t1 * r[2] - t2 * r[1]
            M[row + 1, k] = M[EP + 1, k] + t2 * r[0] - t0 * r[2]
            M[row + 2, k] = M[EP + 2, k] + t0 * r[1] - t1 * r[0]
    for i in range(3):
        C[row + i, row + i] += variance


@counting_kernel
def level(x: Array, C: Array, contact: int, ground: Array, variance: float) -> None:
    """Let a contact that has come down be on level ground if it seems to be near it.

    Args:
        x: State, changed.
        C: Covariance, changed.
        contact: Number of the contact.
        ground: `(2,)` height of the ground, and from how far off a contact counts as on it [m].
        variance: How exactly that is so [m²].
    """
    off = ground[0] - x[D + 3 * contact + 2]
    if abs(off) < ground[1]:
        h = np.zeros(len(C))
        h[ED + 3 * contact + 2] = 1.0
        correct(x, C, h, off, variance)


@counting_kernel
def lift(C: Array, contact: int) -> None:
    """Forget where a contact stood."""
    row = ED + 3 * contact
    C[row : row + 3, :] = 0.0
    C[:, row : row + 3] = 0.0


@counting_kernel
def off_its_place(x: Array, contact: int, place: Array, axis: int, h: Array) -> float:
    """Return how far a contact seems to be from where it came down, along an axis of the world [m].

    Args:
        x: State.
        contact: Number of the contact.
        place: `(3,)` where it is, from the unit, in the axes of the unit [m].
        axis: Which.
        h: `(n,)` result: what of the error shows there.
    """
    R = np.empty((3, 3))
    rotation_of(x[Q : Q + 4], R)
    row, start = ED + 3 * contact, D + 3 * contact
    j, k = (axis + 1) % 3, (axis + 2) % 3
    h[:] = 0.0
    h[EP + axis], h[row + axis] = -1.0, 1.0
    h[ET + j] = x[P + k] - x[start + k]
    h[ET + k] = x[start + j] - x[P + j]
    found: float = x[P + axis] - x[start + axis]
    for i in range(3):
        found += R[axis, i] * place[i]
    return found


@counting_kernel
def stand(x: Array, C: Array, contact: int, place: Array, variance: float) -> bool:
    """Take in that a contact is where it was; return whether it can be, else nothing is taken in.

    Args:
        x: State, changed.
        C: Covariance, changed.
        contact: Number of the contact.
        place: `(3,)` where it is, from the unit, in the axes of the unit [m].
        variance: How exactly that is known [m²].
    """
    n = len(C)
    h = np.zeros(n)
    for i in range(3):
        found = off_its_place(x, contact, place, i, h)
        expected = variance
        for j in range(n):
            if h[j] != 0.0:
                for k in range(n):
                    expected += h[j] * C[j, k] * h[k]
        if found**2 > GATE * expected:
            return False
    for i in range(3):  # what was taken in before has changed the state, and with it what is found
        found = off_its_place(x, contact, place, i, h)
        correct(x, C, h, found, variance)
    return True


@counting_kernel
def roll(x: Array, contact: int, rate: Array, ball: Array, dt: float) -> None:
    """Let a ball that stands roll on: where it touches goes with its centre, ω × radius · normal.

    Args:
        x: State, changed.
        contact: Number of the contact.
        rate: `(3,)` angular velocity of the ball against the unit, plus that measured by the unit,
            in the axes of the unit [rad/s].
        ball: `(4,)` normal of the ground in the world, then the radius of the ball [m].
        dt: Time that passes [s].
    """
    R, turned = np.empty((3, 3)), np.zeros(3)
    rotation_of(x[Q : Q + 4], R)
    for i in range(3):
        for j in range(3):
            turned[i] += R[i, j] * (rate[j] - x[BW + j]) * dt
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        x[D + 3 * contact + i] += ball[3] * (turned[j] * ball[k] - turned[k] * ball[j])


@counting_kernel
def filter_motion(
    x: Array,
    C: Array,
    imu: Array,
    gravity: Array,
    dt: float,
    densities: Array,
    places: Array,
    rates: Array,
    balls: Array,
    touches: Flags,
    stood: Flags,
    is_flat: Flags,
    variances: Array,
    ground: Array,
) -> int:
    """Take in one measurement.

    Args:
        x: State, changed.
        C: Covariance, changed.
        imu: `(6,)` angular velocity and specific force [rad/s, m/s²].
        gravity: `(3,)` [m/s²].
        dt: Time since the measurement before [s].
        densities: See `predict`.
        places: `(n, 3)` of contacts from the unit, in its axes [m].
        rates: `(n, 3)` angular velocity of the touching bodies against the unit, in its axes.
        balls: `(n, 4)` see `roll`; of radius 0: none.
        touches: `(n,)` whether each contact stands on the world.
        stood: `(n,)` whether it did before; changed.
        is_flat: `(n,)` whether it cannot turn while it stands.
        variances: `(2,)` of the places of contacts, of their angular velocities [m², rad²/s²].
        ground: See `level`.

    Returns:
        How many contacts slipped.
    """
    predict(x, C, imu, gravity, dt, densities)
    slipped = 0
    h = np.zeros(len(C))
    for i in range(len(touches)):
        if not touches[i]:
            if stood[i]:
                lift(C, i)
            stood[i] = False
            continue
        if stood[i] and balls[i, 3] != 0.0:
            roll(x, i, imu[:3] + rates[i], balls[i], dt)
        if not stood[i]:
            land(x, C, i, places[i], variances[0])
            level(x, C, i, ground, variances[0])
            stood[i] = True
        elif not stand(x, C, i, places[i], variances[0]):
            land(x, C, i, places[i], variances[0])
            slipped += 1
        if is_flat[i]:
            for j in range(3):
                h[EBW + j] = 1.0
                innovation = imu[j] + rates[i, j] - x[BW + j]
                correct(x, C, h, innovation, variances[1])
                h[EBW + j] = 0.0
    return slipped


@counting_kernel
def root_axes(x: Array, mount: Array, axes: Array) -> None:
    """Write how the root link is turned in the world, `(3, 3)`; its unit as in `root_motion`."""
    R, B = np.empty((3, 3)), np.empty((3, 3))
    rotation_of(x[Q : Q + 4], R)
    rotation_of(mount[3:], B)
    for i in range(3):
        for j in range(3):
            axes[i, j] = R[i, 0] * B[j, 0] + R[i, 1] * B[j, 1] + R[i, 2] * B[j, 2]


@counting_kernel
def filter_in_root(
    x: Array,
    C: Array,
    imu: Array,
    gravity: Array,
    dt: float,
    settings: Array,
    mount: Array,
    places: Array,
    rates: Array,
    balls: Array,
    touches: Flags,
    stood: Flags,
    is_sole: Flags,
    times: Array,
) -> int:
    """Take in one measurement as `filter_motion` does, contacts seen from the root link.

    Args:
        x: State, changed.
        C: Covariance, changed.
        imu: `(6,)` angular velocity and specific force [rad/s, m/s²].
        gravity: `(3,)` [m/s²].
        dt: Time since the measurement before [s].
        settings: `(10,)` densities as in `predict`, deviations of the places of contacts and of
            their angular velocities [m, rad/s], ground as in `level`, and how long a sole must
            stand until it does not turn [s].
        mount: `(7,)` position and orientation xyzw of the unit in the root link frame.
        places: `(n, 3)` of contacts in the root link frame [m].
        rates: `(n, 3)` angular velocity of the touching bodies against it, in its axes [rad/s].
        balls: `(n, 4)` see `roll`; of radius 0: none.
        touches: `(n,)` whether each contact stands on the world.
        stood: `(n,)` whether it did before; changed.
        is_sole: `(n,)` whether it holds rotations.
        times: `(n,)` how long each has stood [s].

    Returns:
        How many contacts slipped.
    """
    n = len(touches)
    B, seen, turns = np.empty((3, 3)), np.zeros((n, 3)), np.zeros((n, 3))
    rotation_of(mount[3:], B)
    is_flat = np.empty(n, dtype=np.bool_)
    for k in range(n):
        is_flat[k] = is_sole[k] and times[k] >= settings[9]
        for i in range(3):
            for j in range(3):
                seen[k, i] += B[j, i] * (places[k, j] - mount[j])
                turns[k, i] += B[j, i] * rates[k, j]
    variances = np.square(settings[5:7])
    return filter_motion(
        x, C, imu, gravity, dt, settings[:5], seen, turns, balls, touches, stood, is_flat,
        variances, settings[7:9],
    )  # fmt: skip


@counting_kernel
def root_motion(x: Array, rate: Array, mount: Array, pose: Array, velocity: Array) -> None:
    """Write how the root link is and moves, from the unit that is fixed to it.

    Args:
        x: State of the filter.
        rate: `(3,)` measured by the unit, in its axes [rad/s].
        mount: `(7,)` position and orientation xyzw of the unit in the root link frame.
        pose: `(7,)` result, of the root link in the world, orientation xyzw.
        velocity: `(6,)` result, linear then angular, in the root link frame [m/s, rad/s].
    """
    R, B = np.empty((3, 3)), np.empty((3, 3))
    rotation_of(mount[3:], B)
    x1, y1, z1, w1 = x[Q], x[Q + 1], x[Q + 2], x[Q + 3]
    x2, y2, z2, w2 = -mount[3], -mount[4], -mount[5], mount[6]
    pose[3] = w1 * x2 + w2 * x1 + y1 * z2 - z1 * y2
    pose[4] = w1 * y2 + w2 * y1 + z1 * x2 - x1 * z2
    pose[5] = w1 * z2 + w2 * z1 + x1 * y2 - y1 * x2
    pose[6] = w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2
    rotation_of(pose[3:], R)
    for i in range(3):
        pose[i] = x[P + i]
        velocity[i], velocity[3 + i] = 0.0, 0.0
        for j in range(3):
            pose[i] -= R[i, j] * mount[j]
            velocity[i] += R[j, i] * x[V + j]
            velocity[3 + i] += B[i, j] * (rate[j] - x[BW + j])
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        velocity[i] -= velocity[3 + j] * mount[k] - velocity[3 + k] * mount[j]
