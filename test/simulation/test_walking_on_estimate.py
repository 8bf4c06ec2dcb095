"""Talos stands and walks where its own sensors say it is, with noise and bias."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots
from simulated_hands import SimulatedHands

from controlit_ros.servo import CoordinatorState, NoticeLevel

TALOS = REPOSITORY / "config" / "talos"
VELOCITY = np.array([0.5, 0.0, 0.0])
FREQUENCY = 500  # [Hz] half of the file's, for half of the work
SLICE = 25  # [cycles]
BIAS = [0.005, -0.004, 0.006, 0.04, -0.03, 0.02]  # [rad/s, m/s²]
SENSORS = {
    "imu_noise": [0.005, 0.05],
    "imu_bias": BIAS,
    "position_noise": 1e-4,
    "velocity_noise": 1e-2,
    "wrench_noise": [2.0, 0.1],
}
STANDS, LONGEST, FAR = 0.5, 15.0, 3.0  # [s], [s], [m]
WAY = 0.02  # [-] of the way
TILT, HEIGHT = np.radians(0.5), 0.01  # [rad], [m]

pytestmark = [pytest.mark.simulation, needs_example_robots]


def noisy(data):
    data["simulator"].update(SENSORS, scene=str(TALOS / "floor.xml"))
    data.setdefault("estimation", {})


class EstimatedWalk:
    """Talos on its own sensors, and the truth beside."""

    def __init__(self):
        overrides = {"servo_frequency": FREQUENCY, "soft_start_time": 0}
        self.run = SimulatedHands(TALOS / "walk.yaml", noisy, overrides)
        (self.walking,) = self.run.stack.behaviours
        self.estimator = self.run.stack.estimator
        self.physics = self.run.stack.robot_interface.simulation
        self.errors, self.tilts, self.ways = [], [], []

    def go(self, duration, velocity=None):
        until = self.run.stack.clock.now + duration
        while self.run.stack.clock.now < until:
            if velocity is not None:
                self.run.mailbox.post({self.walking.velocity.wanted: velocity})
            self.run.advance(SLICE)
            self.look()

    def look(self):
        truth, state = self.truth, self.run.coordinator.robot_state
        self.errors.append(state.base_position - truth)
        self.tilts.append(self.estimator.tilt_error.value)
        self.ways.append(np.linalg.norm(truth[:2]))

    @property
    def truth(self):
        start = self.physics._base_position
        return self.physics.data.qpos[start : start + 3].copy()


@pytest.fixture(scope="module")
def walk():
    made = EstimatedWalk()
    made.go(STANDS)
    while made.ways[-1] < FAR and made.run.stack.clock.now < LONGEST:
        made.go(STANDS, VELOCITY)
    return made


def test_it_walks_on_its_feet(walk):
    assert walk.ways[-1] >= FAR
    assert walk.walking.steps_made.value >= 6
    assert walk.truth[2] > 0.98
    walk.run.outbox.deliver_all()
    assert [n.text for n in walk.run.notices if n.level is NoticeLevel.ERROR] == []


def test_position_is_known_within_two_parts_in_a_hundred_of_the_way(walk):
    errors = np.linalg.norm(walk.errors, axis=1)
    assert max(errors - WAY * np.array(walk.ways)) < 0.01
    assert errors[-1] < WAY * walk.ways[-1]


def test_height_and_tilt_are_known(walk):
    assert np.abs(np.array(walk.errors)[:, 2]).max() < HEIGHT
    assert max(walk.tilts) < TILT


def test_the_error_that_is_published_is_the_error(walk):
    walk.run.stack.clock.advance(1)
    state = walk.run.coordinator.robot_state
    told = np.array(walk.physics.latest().base_position)
    difference = walk.estimator.position_error.value - (state.base_position - told)
    assert np.abs(difference).max() < 0.002  # latest is one cycle on
    assert np.linalg.norm(walk.estimator.position_error.value) > 0.0


def test_the_bias_is_found(walk):
    np.testing.assert_allclose(walk.estimator._x[10:13], BIAS[:3], atol=1.5e-3)


def test_spikes_and_gaps_of_the_unit_are_refused_and_told():
    walk = EstimatedWalk()
    walk.go(0.2)
    measure, random = walk.physics._imu.measure, np.random.default_rng(3)
    bad = [
        np.full(6, np.nan),
        np.full(6, 1e300),
        np.full(6, -1e3),
        np.array([15.0] * 3 + [0.0] * 3),
    ]

    def spoilt(*arguments):
        return bad[random.integers(4)] if random.random() < 0.2 else measure(*arguments)

    walk.physics._imu.measure = spoilt
    walk.go(1.0)
    assert walk.estimator.refused > 50
    assert np.abs(walk.errors).max() < HEIGHT
    assert any("inertial measurement that cannot be" in text for text in walk.run.complaints())


def test_a_unit_that_dies_ends_in_the_safe_state_and_control_comes_back():
    walk = EstimatedWalk()
    walk.go(0.2)
    coordinator, clock = walk.run.coordinator, walk.run.stack.clock
    measure = walk.physics._imu.measure
    walk.physics._imu.measure = lambda *_: np.full(6, np.nan)
    clock.advance(FREQUENCY // 5)
    assert coordinator.state is CoordinatorState.SAFE
    assert any("no inertial measurement for" in text for text in walk.run.complaints())
    walk.physics._imu.measure = measure
    clock.advance(FREQUENCY)
    assert coordinator.state is CoordinatorState.ACTIVE
    walk.go(0.5)
    assert walk.truth[2] > 0.98
    assert np.abs(coordinator.robot_state.base_position - walk.truth).max() < HEIGHT
