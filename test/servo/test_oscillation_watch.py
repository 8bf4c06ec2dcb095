"""What shakes is told, what diverges leads to safety, and honest motions to nothing."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tries import tries

from controlit_ros.controllers.command import Command
from controlit_ros.model import RobotState
from controlit_ros.servo import NoticeBoard, OnDivergence, OscillationSettings
from controlit_ros.servo.footing import RECENT, Footing, SensedSole
from controlit_ros.servo.goal_watch import GoalWatch
from controlit_ros.servo.oscillation_watch import ROCKS, OscillationWatch
from controlit_ros.servo.queue import LocalQueue
from controlit_ros.servo.rest import LONGEST_REST, REST
from controlit_ros.servo.routine import Routine

JOINTS = ("shoulder", "elbow")
EFFORT, VELOCITY = 40.0, 2.0
FREQUENCY = 1000.0
SEEDS = st.integers(0, 2**32 - 1)


class Watched:
    """A watch, fed with the motion of one joint while the other rests."""

    def __init__(self, frequency=FREQUENCY, velocity_limit=VELOCITY, soles=(), **values):
        limits = np.ones(2)
        robot = SimpleNamespace(
            command_joints=JOINTS, command_indices=np.arange(2), command_dofs=np.arange(2),
            effort_limits=EFFORT * limits,
            velocity_limits=velocity_limit * limits, lower_limits=-limits, upper_limits=limits,
        )  # fmt: skip
        self.queue = LocalQueue(lambda _: None)
        self.frequency = frequency
        self.watch = OscillationWatch(
            robot,
            OscillationSettings(**values),
            frequency,
            NoticeBoard(self.queue),
            Footing(soles, len(JOINTS)),
            GoalWatch(()),
        )
        self.command = Command(JOINTS)
        self.state = RobotState(JOINTS, sensors=len(soles))
        self.routine = Routine(self.watch.looking(self.command, self.state))
        self.cycles = 0

    @property
    def now(self):
        return self.cycles / self.frequency

    def see(self, velocity, effort=0.0, measured=0.0):
        self.state.velocity[1] = velocity
        self.state.effort[1] = measured
        self.command.effort[1] = effort
        self.routine.run(self.now)
        self.cycles += 1
        return self.watch.rest.complaint(self.now)

    def texts(self):
        return [notice.text for notice in self.queue.drain()]


def first_complaint(watched, velocities, efforts=None):
    """Return the number of the cycle that is complained about, and the text."""
    for k, velocity in enumerate(velocities):
        if text := watched.see(velocity, 0.0 if efforts is None else efforts[k]):
            return k, text
    return None


@pytest.mark.thorough
@settings(max_examples=tries(40), deadline=None)
@given(st.floats(2.5, 80.0), st.floats(0.5, 20.0), st.floats(0.0, 0.02), SEEDS)
def test_swings_that_grow_are_noticed_before_they_are_at_the_limit_for_long(
    frequency, growth, noise, seed
):
    """A velocity that swings and grows by `exp(growth t)`, with noise, held at the limit."""
    rng = np.random.default_rng(seed)
    t = np.arange(0.0, 30.0, 1.0 / FREQUENCY)
    size = np.minimum(1e-3 * np.exp(np.minimum(growth * t, 50.0)), VELOCITY)
    velocity = size * np.sin(2.0 * np.pi * frequency * t) + noise * rng.standard_normal(len(t))
    at_limit = float(t[np.argmax(size >= VELOCITY)])
    k, text = first_complaint(Watched(), velocity)
    assert "elbow" in text
    assert "shoulder" not in text
    assert t[k] <= at_limit + 6.0 / frequency
    assert size[k] > 0.2 * VELOCITY


@pytest.mark.parametrize("size", [0.3, 0.5, 1.0])
def test_a_jerk_after_noise_that_happens_to_grow_is_nothing(size):
    """Its own swing is much larger than those before: nothing grows, somebody pushed."""
    t = np.arange(0.0, 0.1, 1.0 / FREQUENCY)
    swing = np.sin(np.pi * t / 0.1)
    grown = [(-1) ** n * 0.03 * VELOCITY * 1.05**n * swing for n in range(8)]
    jerk = size * VELOCITY * swing
    assert first_complaint(Watched(), np.concatenate([*grown, jerk, -0.1 * jerk])) is None


@pytest.mark.thorough
@settings(max_examples=tries(25), deadline=None)
@given(SEEDS, st.floats(0.0, 0.02))
def test_honest_motions_are_nothing(seed, noise):
    """Moves from rest to rest up to the limit, steps of velocity, and shocks that ring."""
    rng = np.random.default_rng(seed)
    watched = Watched(chatter=0.03)
    parts = []
    for _ in range(12):
        t = np.arange(0.0, rng.uniform(0.4, 2.0), 1.0 / FREQUENCY)
        s = t / t[-1]
        move = rng.uniform(-1.0, 1.0) * VELOCITY * 16.0 * s**2 * (1.0 - s) ** 2
        kind = rng.integers(3)
        if kind == 1:
            move[: len(move) // 2] += rng.uniform(-0.2, 0.2) * VELOCITY
        if kind == 2:
            ring = rng.uniform(3.0, 40.0)
            fading = np.exp(-rng.uniform(0.15, 0.5) * 2.0 * np.pi * ring * t)
            move += rng.uniform(0.0, 0.8) * VELOCITY * fading * np.sin(2.0 * np.pi * ring * t)
        parts.append(move)
    velocity = np.concatenate(parts)
    velocity += noise * rng.standard_normal(len(velocity))
    effort = EFFORT * (0.4 * velocity / VELOCITY + 0.3 * np.sin(np.arange(len(velocity)) / 500.0))
    assert first_complaint(watched, velocity, effort) is None
    assert watched.texts() == []


@settings(max_examples=tries(40), deadline=None)
@given(
    st.floats(20.0, 500.0),
    st.floats(0.002, 0.5),
    st.sampled_from(["effort", "measured"]),
    st.sampled_from([250.0, 1000.0, 2000.0]),
)
def test_chatter_is_told_by_joint_from_the_limit_on(frequency, share, signal, rate):
    frequency = min(frequency, 0.5 * rate)
    watched = Watched(rate, chatter=0.03)
    size = share * EFFORT
    for k in range(round(rate)):
        swing = size if (2.0 * frequency * k / rate) % 2.0 < 1.0 else -size
        watched.see(0.0, **{signal: 5.0 + swing})
    texts = watched.texts()
    if share > 0.04:
        assert "elbow" in texts[0]
        assert ("measured effort" in texts[0]) == (signal == "measured")
        assert "shoulder" not in texts[0]
    if share < 0.028:
        assert texts == []


def test_chatter_is_told_less_and_less_often_and_never_when_it_is_off():
    for share, least, most in ((0.03, 2, 6), (0.0, 0, 0)):
        watched = Watched(chatter=share)
        for k in range(20_000):
            watched.see(0.0, 10.0 if k % 2 else -10.0)
        assert least <= len(watched.texts()) <= most


def test_efforts_alone_that_swing_are_no_divergence_but_with_the_joint_they_are():
    shaking = np.where(np.arange(3000) // 25 % 2, 0.9, -0.9) * EFFORT
    assert first_complaint(Watched(), np.zeros(3000), shaking) is None
    moved = 0.1 * VELOCITY * np.sign(shaking)
    assert first_complaint(Watched(), moved, shaking) is not None


@pytest.mark.parametrize("limit", [0.0, np.inf])
def test_joints_without_velocity_limit_are_watched(limit):
    t = np.arange(0.0, 5.0, 1e-3)
    velocity = np.minimum(1e-2 * np.exp(3.0 * t), 30.0) * np.sin(2.0 * np.pi * 8.0 * t)
    assert first_complaint(Watched(velocity_limit=limit), velocity) is not None


def swing(watched, cycles):
    for k in range(cycles):
        watched.see(VELOCITY * np.sin(0.1 * k))


def test_a_rest_is_longer_each_time_and_is_forgotten_after_calm():
    watched = Watched()
    for expected in (REST, 2.0 * REST, 4.0 * REST):
        swing(watched, 600)
        assert f"rests for {expected:g} s" in watched.watch.rest.complaint(watched.now)
        watched.cycles += round(expected * FREQUENCY)
        assert watched.watch.rest.complaint(watched.now) == ""
    assert expected < LONGEST_REST
    watched.cycles += round(2.0 * LONGEST_REST * FREQUENCY)
    swing(watched, 600)
    assert f"rests for {REST:g} s" in watched.watch.rest.complaint(watched.now)
    watched.watch.restart()
    assert watched.watch.rest.complaint(watched.now) == ""


def test_warn_warns():
    watched = Watched(on_divergence=OnDivergence.WARN)
    swing(watched, 2000)
    assert watched.watch.rest.complaint(watched.now) == ""
    assert "control diverges" in watched.texts()[0]


HALF_SIZE = (0.1, 0.05)  # [m]
ROCKING = 30.0  # [Hz]


def on_a_sole(*, carried, center=(0.0, 0.0), force=900.0):
    """Return a watch of a robot on a sole that presses so far off its middle [m], with a force."""
    sole = SensedSole(0, HALF_SIZE, 1.0, np.array([name in carried for name in JOINTS]))
    watched = Watched(soles=(sole,))
    x, y = center
    watched.state.sensed_wrench[0] = (0.0, 0.0, force, y * force, -x * force, 0.0)
    return watched


def rocking(duration, size=0.5 * VELOCITY):
    """Return a velocity that swings as that of an ankle does whose sole rocks."""
    t = np.arange(0.0, duration, 1.0 / FREQUENCY)
    return size * np.sin(2.0 * np.pi * ROCKING * t)


@pytest.mark.parametrize("center", [(0.0, 0.049), (0.0, -0.05), (0.098, 0.0)])
def test_a_sole_that_tips_may_rock_but_not_on_and_on(center):
    watched = on_a_sole(carried={"elbow"}, center=center)
    k, text = first_complaint(watched, rocking(5.0))
    assert ROCKS <= k / FREQUENCY <= ROCKS + 20.0 / ROCKING
    assert "elbow" in text


@pytest.mark.parametrize(
    ("carried", "center", "force"),
    [({"elbow"}, (0.0, 0.02), 900.0), ({"shoulder"}, (0.0, 0.049), 900.0),
     ({"elbow"}, (0.0, 0.049), 0.5), ({"elbow"}, (0.0, 0.049), np.nan)],
)  # fmt: skip
def test_joints_that_carry_no_sole_that_tips_may_not(carried, center, force):
    watched = on_a_sole(carried=carried, center=center, force=force)
    k, _ = first_complaint(watched, rocking(5.0))
    assert k / FREQUENCY <= 10.0 / ROCKING


def test_a_sole_that_lies_flat_again_gives_no_more_time():
    watched = on_a_sole(carried={"elbow"}, center=(0.0, 0.049))
    assert first_complaint(watched, rocking(0.5 * ROCKS)) is None
    watched.state.sensed_wrench[0, 3] = 0.0
    k, _ = first_complaint(watched, rocking(1.0))
    assert k / FREQUENCY <= RECENT + 1.0 / ROCKING


def test_each_time_that_a_sole_tips_it_may_rock_anew():
    watched = on_a_sole(carried={"elbow"}, center=(0.0, 0.049))
    for _ in range(3):
        assert first_complaint(watched, rocking(0.8 * ROCKS)) is None
        assert first_complaint(watched, np.zeros(round(0.6 * FREQUENCY))) is None


def test_what_swings_with_a_leg_that_rocks_has_as_long():
    watched = on_a_sole(carried={"shoulder"}, center=(0.0, 0.049))
    for velocity in rocking(5.0):
        watched.state.velocity[0] = velocity
        if watched.see(velocity):
            break
    assert ROCKS <= watched.now <= ROCKS + 20.0 / ROCKING
