"""The inertial filter, held to finite differences, textbook Kalman algebra and Pinocchio."""

import numpy as np
import pinocchio as pin
import pytest

from controlit_ros.kernels import inertial_filter as filters

CONTACTS = 2
N = filters.ED + 3 * CONTACTS
GRAVITY = np.array([0.0, 0.0, -9.81])
DENSITIES = np.array([0.01, 0.1, 1e-3, 2e-3, 0.02])
DT = 0.002
STEP = 1e-6


def rotation(x):
    return pin.Quaternion(*x[[9, 6, 7, 8]]).matrix()


def moved(x, error):
    """Return a state that differs by an error."""
    result = x.copy()
    result[:6] += error[:6]
    turned = pin.Quaternion(pin.exp3(error[6:9]) @ rotation(x)).coeffs()
    result[6:10] = turned if turned @ x[6:10] > 0 else -turned
    result[10:16] += error[9:15]
    result[16:] += error[15:]
    return result


def apart(x, other):
    """Return the error that leads from the second state to the first."""
    turn = pin.log3(rotation(x) @ rotation(other).T)
    return np.concatenate([x[:6] - other[:6], turn, x[10:] - other[10:]])


@pytest.fixture(params=range(5))
def random(request):
    return np.random.default_rng(request.param)


@pytest.fixture
def x(random):
    x = random.normal(size=filters.D + 3 * CONTACTS)
    x[6:10] /= np.linalg.norm(x[6:10])
    return x


@pytest.fixture
def covariance(random):
    root = random.normal(size=(N, N))
    return root @ root.T * 1e-4


@pytest.fixture
def imu(random):
    return random.normal(size=6) * [1, 1, 1, 10, 10, 10]


def predicted(x, imu):
    result = x.copy()
    filters.predict(result, np.zeros((N, N)), imu, GRAVITY, DT, np.zeros(5))
    return result


def differentiated(function, x):
    """Return the derivative of a function of the error of a state."""
    columns = [
        (function(moved(x, s)) - function(moved(x, -s))) / (2 * STEP) for s in STEP * np.eye(N)
    ]
    return np.array(columns).T


def test_the_state_moves_as_the_unit_says(x, imu):
    found = predicted(x, imu)
    R = rotation(x)
    acceleration = R @ (imu[3:] - x[13:16]) + GRAVITY
    np.testing.assert_allclose(found[3:6], x[3:6] + DT * acceleration, atol=1e-12)
    np.testing.assert_allclose(
        found[:3], x[:3] + DT * x[3:6] + 0.5 * DT**2 * acceleration, atol=1e-12
    )
    turned = R @ pin.exp3(DT * (imu[:3] - x[10:13]))
    np.testing.assert_allclose(rotation(found), turned, atol=1e-12)
    np.testing.assert_array_equal(found[10:], x[10:])


def test_the_covariance_follows_the_derivative(x, imu, covariance):
    center = predicted(x, imu)
    F = differentiated(lambda other: apart(predicted(other, imu), center), x)
    noise = np.zeros(N)
    for start, density in zip((6, 3, 9, 12), DENSITIES[:4], strict=True):
        noise[start : start + 3] = DT * density**2
    noise[15:] = DT * DENSITIES[4] ** 2
    found = covariance.copy()
    filters.predict(x.copy(), found, imu, GRAVITY, DT, DENSITIES)
    # terms of dt² and dt³ are left out
    np.testing.assert_allclose(found, F @ covariance @ F.T + np.diag(noise), atol=2e-6)
    np.testing.assert_allclose(found, found.T, atol=1e-15)
    assert np.abs(found - covariance).max() > 1e-5


def place_error(x, contact, place):
    start = filters.D + 3 * contact
    return x[start : start + 3] - x[:3] - rotation(x) @ place


def test_a_contact_that_stands_is_a_textbook_correction(x, covariance, random):
    place = random.normal(size=3)
    x[filters.D + 3 : filters.D + 6] = x[:3] + rotation(x) @ place + 1e-6 * random.normal(size=3)
    H = differentiated(lambda other: place_error(other, 1, place), x)
    variance = 1e-4
    gain = covariance @ H.T @ np.linalg.inv(H @ covariance @ H.T + variance * np.eye(3))
    expected = moved(x, -gain @ place_error(x, 1, place))
    found, C = x.copy(), covariance.copy()
    assert filters.stand(found, C, 1, place, variance)
    np.testing.assert_allclose(apart(found, expected), 0.0, atol=1e-9)
    np.testing.assert_allclose(C, (np.eye(N) - gain @ H) @ covariance, atol=1e-7)


def turned(x):
    """Return the error of a state that is turned about the vertical through the origin."""
    up = np.array([0.0, 0.0, 1.0])
    error = np.zeros(N)
    error[6:9] = up
    for error_at, at in ((0, 0), (3, 3), (15, 16), (18, 19)):
        error[error_at : error_at + 3] = np.cross(up, x[at : at + 3])
    return error


def turn_free(x, C):
    """Return a covariance in errors that know nothing of the state, δp − δθ × p and so on."""
    T = np.eye(N)
    for state, error in ((0, 0), (3, 3), *((16 + 3 * i, 15 + 3 * i) for i in range(CONTACTS))):
        T[error : error + 3, 6:9] = pin.skew(x[state : state + 3])
    return T @ C @ T.T


def test_a_contact_that_stands_is_corrected_as_by_the_invariant_filter(x, covariance, random):
    place = rotation(x).T @ (x[19:22] - x[:3]) + random.normal(size=3) * 1e-3
    before = turn_free(x, covariance)
    found, C = x.copy(), covariance.copy()
    assert filters.stand(found, C, 1, place, 1e-4)
    H = np.zeros((3, N))  # of ξ: no turn, no state
    H[:, :3], H[:, 18:21] = -np.eye(3), np.eye(3)
    gain = before @ H.T @ np.linalg.inv(H @ before @ H.T + 1e-4 * np.eye(3))
    np.testing.assert_allclose(turn_free(found, C), before - gain @ H @ before, atol=1e-11)


def test_contacts_that_seem_to_move_tell_nothing_of_yaw(x, covariance, random):
    place = rotation(x).T @ (x[19:22] - x[:3])
    x[3:6] = 0.0
    still = np.concatenate([x[10:13], x[13:16] - rotation(x).T @ GRAVITY])
    x[[0, 1, 16, 17, 19, 20]] += 5.0  # far from the origin
    yaw = 0.1  # [rad] so little is known of it
    C = 1e-3 * covariance
    C[6:9], C[:, 6:9] = 0.0, 0.0
    known = np.abs(C).max()
    C += yaw**2 * np.outer(turned(x), turned(x))
    for _ in range(200):
        filters.predict(x, C, still, GRAVITY, DT, np.zeros(5))
        seen = place + random.uniform(-0.02, 0.02, size=3)
        assert filters.stand(x, C, 1, seen, 1e-4)
    np.testing.assert_allclose(C[8, 8], yaw**2, rtol=0.01)
    assert np.abs(C - yaw**2 * np.outer(turned(x), turned(x))).max() < 2 * known


def test_a_contact_that_slipped_changes_nothing(x, covariance, random):
    place = random.normal(size=3)
    found, C = x.copy(), 1e-6 * covariance
    assert not filters.stand(found, C, 0, place, 1e-8)
    np.testing.assert_array_equal(found, x)
    np.testing.assert_array_equal(C, 1e-6 * covariance)


def test_a_contact_that_lands_is_as_well_known_as_the_rest(x, covariance, random):
    place = random.normal(size=3)

    def landed(other):
        result = other.copy()
        filters.land(result, np.zeros((N, N)), 0, place, 0.0)
        return result

    J = differentiated(lambda other: apart(landed(other), landed(x)), x)
    found, C = x.copy(), covariance.copy()
    filters.land(found, C, 0, place, 1e-4)
    expected = J @ covariance @ J.T
    expected[15:18, 15:18] += 1e-4 * np.eye(3)
    np.testing.assert_allclose(C, expected, atol=1e-11)
    np.testing.assert_allclose(place_error(found, 0, place), 0.0, atol=1e-12)


@pytest.mark.parametrize("off", [0.02, -0.02])
def test_a_contact_near_the_ground_is_taken_to_it(x, covariance, off):
    found, C = x.copy(), covariance.copy()
    ground = np.array([x[18] + off, 0.03])
    filters.level(found, C, 0, ground, 1e-12)
    np.testing.assert_allclose(found[18], ground[0], atol=1e-9)
    # the rest moves by what the height tells of it
    expected = covariance[:, 17] / covariance[17, 17] * off
    np.testing.assert_allclose(found[:3] - x[:3], expected[:3], atol=1e-8)
    # and is as well known as how far what leans is turned by what moved
    change = np.array([found[17] - x[17], x[16] - found[16]])
    expected = 1e-12 + change @ C[6:8, 6:8] @ change
    np.testing.assert_allclose(C[17, 17], expected, rtol=1e-6)
    assert C[17, 17] < 1e-3 * covariance[17, 17]


def test_a_contact_on_a_step_stays_where_it_is(x, covariance):
    found, C = x.copy(), covariance.copy()
    filters.level(found, C, 0, np.array([x[18] + 0.031, 0.03]), 1e-12)
    np.testing.assert_array_equal(found, x)
    np.testing.assert_array_equal(C, covariance)


def test_a_contact_that_lifts_is_forgotten(covariance):
    C = covariance.copy()
    filters.lift(C, 0)
    assert not C[15:18].any()
    assert not C[:, 15:18].any()
    kept = [*range(15), *range(18, N)]
    np.testing.assert_array_equal(C[np.ix_(kept, kept)], covariance[np.ix_(kept, kept)])


def test_a_ball_rolls_with_its_centre(x, random):
    """Its foot point without slip: what is fixed to it there has no velocity, the centre has."""
    normal, radius, rate = np.array([0.6, 0.0, 0.8]), 0.02, random.normal(size=3)
    spin = rotation(x) @ (rate - x[10:13])
    found = x.copy()
    filters.roll(found, 1, rate, np.array([*normal, radius]), DT)
    expected = x.copy()
    expected[19:22] += DT * np.cross(spin, radius * normal)
    np.testing.assert_allclose(found, expected, atol=1e-15)


@pytest.mark.parametrize(("known", "way"), [(0.02, 8e-3), (0.0, 0.0)])
def test_a_unit_in_a_ball_that_rolls_goes_with_it(known, way):
    radius, speed, dt = 0.02, 2.0, 1e-3  # [m], [rad/s], [s]
    x, C = np.zeros(filters.D + 3), 1e-8 * np.eye(filters.ED + 3)
    C[3:6, 3:6] = np.eye(3)  # contacts tell how fast it is
    x[2], x[3], x[9] = radius, radius * speed, 1.0
    stood, yes, no = np.zeros(1, bool), np.ones(1, bool), np.zeros(1, bool)
    balls = np.array([[0.0, 0.0, 1.0, known]])
    for i in range(201):
        axes = pin.rpy.rpyToMatrix(0.0, speed * dt * i, 0.0)
        imu = np.array([0.0, speed, 0.0, *(-axes.T @ GRAVITY)])
        place = (axes.T @ [0.0, 0.0, -radius])[None]
        filters.filter_motion(
            x, C, imu, GRAVITY, dt * (i > 0), 1e-3 * DENSITIES, place, np.zeros((1, 3)), balls,
            yes, stood, no, np.array([1e-8, 1.0]), np.zeros(2),
        )  # fmt: skip
    np.testing.assert_allclose(x[0], way, atol=1e-3)


def test_the_root_link_moves_with_the_unit(x, imu, random):
    turn = random.normal(size=4)
    mount = np.concatenate([random.normal(size=3), turn / np.linalg.norm(turn)])
    pose, velocity = np.zeros(7), np.zeros(6)
    filters.root_motion(x, imu[:3], mount, pose, velocity)
    unit_in_root = pin.XYZQUATToSE3(mount)
    unit = pin.SE3(rotation(x), x[:3])
    root = unit * unit_in_root.inverse()
    np.testing.assert_allclose(pin.XYZQUATToSE3(pose).homogeneous, root.homogeneous, atol=1e-12)
    motion = pin.Motion(rotation(x).T @ x[3:6], imu[:3] - x[10:13])
    np.testing.assert_allclose(velocity, unit_in_root.act(motion).vector, atol=1e-12)


def test_contacts_seen_from_the_root_link_are_those_seen_from_the_unit(x, covariance, imu, random):
    mount = np.concatenate(
        [random.normal(size=3), pin.Quaternion(pin.exp3(random.normal(size=3))).coeffs()]
    )
    unit = pin.Quaternion(*np.roll(mount[3:], 1)).matrix()
    root = np.empty((3, 3))
    filters.root_axes(x, mount, root)
    np.testing.assert_allclose(root, rotation(x) @ unit.T, atol=1e-12)
    places, rates = random.normal(size=(2, CONTACTS, 3))
    balls = np.array([[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.02]])
    touches, stood = np.array([True, True]), np.array([False, True])
    is_sole, times, still = np.array([True, True]), np.array([2.0, 0.1]), 1.5
    ground = np.array([0.0, 0.1])
    settings = np.array([*DENSITIES, 0.002, 0.3, *ground, still])
    found = x.copy(), covariance.copy(), stood.copy()
    slipped = filters.filter_in_root(
        found[0], found[1], imu, GRAVITY, DT, settings, mount, places, rates, balls,
        touches, found[2], is_sole, times,
    )  # fmt: skip
    expected = x.copy(), covariance.copy(), stood.copy()
    seen, turns = (places - mount[:3]) @ unit, rates @ unit
    assert slipped == filters.filter_motion(
        expected[0], expected[1], imu, GRAVITY, DT, DENSITIES, seen, turns, balls,
        touches, expected[2], is_sole & (times >= still), np.array([0.002**2, 0.3**2]), ground,
    )  # fmt: skip
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)
