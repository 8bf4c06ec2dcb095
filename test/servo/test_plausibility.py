"""Measurements that cannot be are refused, counted and told; robots that behave never are."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from rig import FREQUENCY, Rig, gravity
from tries import tries

from controlit_ros.kernels import accept_measurement, normalise_base
from controlit_ros.kernels import measurement_layout as layout
from controlit_ros.kernels.implausible import FOLLOWED
from controlit_ros.model import RobotState
from controlit_ros.servo import CoordinatorState, NoticeLevel, Odometry
from controlit_ros.servo.plausibility import (
    SURPRISE_PART,
    TURNING_NOISE,
    Judgement,
    Plausibility,
    PlausibilitySettings,
)
from controlit_ros.servo.plausible_odometry import PlausibleOdometry

_, ACTIVE, SAFE = CoordinatorState
RECOVERY = 100  # [cycles] the default recovery time at 1 kHz
NO_SHRINKING = (Phase.explicit, Phase.reuse, Phase.generate)
LIMIT = PlausibilitySettings().limit
HUGE = st.floats(3.0, 300.0).map(lambda exponent: 10.0**exponent)
SIGN = st.sampled_from([-1.0, 1.0])


def set_entry(name, index, value):
    def corrupt(state):
        getattr(state, name)[index] = value

    return corrupt


def flip(state):
    state.base_orientation[:] = (1.0, 0.0, 0.0, 0.0)


def add(name, index, value):
    def corrupt(state):
        getattr(state, name)[index] += value

    return corrupt


def set_stamp(offset):
    def corrupt(state):
        state.stamp += offset

    return corrupt


NUMBER = st.sampled_from([math.nan, math.inf, -math.inf])
JOINT = st.integers(0, 1)
ANY_VECTOR = st.sampled_from(["position", "velocity", "acceleration", "effort"])
ABSURD = st.one_of(
    st.builds(set_entry, ANY_VECTOR, JOINT, NUMBER),
    st.builds(lambda i, x, s: set_entry("position", i, s * x), JOINT, HUGE, SIGN),
    st.builds(lambda i, x, s: set_entry("velocity", i, s * x), JOINT, HUGE, SIGN),
    st.builds(lambda i, x, s: add("position", i, s * x), JOINT, st.floats(0.3, 3.0), SIGN),
    st.builds(lambda i, x, s: add("velocity", i, s * x), JOINT, st.floats(40.0, 80.0), SIGN),
    st.builds(lambda i, x: set_entry("base_position", i, x), st.integers(0, 2), HUGE),
    st.builds(lambda i, x: add("base_position", i, x), st.integers(0, 2), st.floats(0.5, 10.0)),
    st.builds(lambda i, x: set_entry("base_velocity", i, x), st.integers(0, 5), HUGE),
    st.builds(lambda i, x: set_entry("base_orientation", i, x), st.integers(0, 3), HUGE),
    st.builds(lambda i, x: set_entry("base_orientation", i, x), st.integers(0, 3), NUMBER),
    st.just(lambda state: state.base_orientation.fill(0.0)),
    st.just(flip),
    st.builds(lambda x, s: set_stamp(s * x), HUGE, SIGN),
    st.just(set_stamp(-0.5)),
    st.just(lambda state: setattr(state, "stamp", math.nan)),
)


def refused(rig):
    return rig.coordinator.status.refused


class TestOneGlitch:
    @pytest.mark.thorough
    @settings(max_examples=tries(40), phases=NO_SHRINKING)
    @given(corrupt=ABSURD, cycles=st.integers(1, LIMIT - 1))
    def test_the_last_good_state_is_used(self, corrupt, cycles):
        rigs = [Rig(soft_start_time=0.0), Rig(soft_start_time=0.0)]
        for rig in rigs:
            rig.tasks[0].goal.set(0.4)
            rig.activate(100)
        rigs[1].robot.corrupt = corrupt
        efforts = [rig.run(cycles) for rig in rigs]
        rigs[1].robot.corrupt = None
        after = [rig.run(50) for rig in rigs]
        assert refused(rigs[1]) == cycles
        assert rigs[1].state is ACTIVE
        assert np.abs(efforts[1] - efforts[0]).max() < 2.0
        assert np.abs(after[1] - after[0]).max() < 2.0
        assert np.abs(rigs[1].robot.position - rigs[0].robot.position).max() < 1e-3
        rigs[1].outbox.deliver_all()
        warnings = [n.text for n in rigs[1].notices if n.level is NoticeLevel.WARNING]
        assert len(warnings) == 1
        assert warnings[0].startswith("a measurement that cannot be was refused: ")
        assert "found" in warnings[0]
        assert "expected" in warnings[0]
        assert rigs[1].errors == []


class TestSeveralInARow:
    @pytest.mark.thorough
    @settings(max_examples=tries(40), phases=NO_SHRINKING)
    @given(corrupt=ABSURD, fallback_damping=st.sampled_from([0.0, 100.0]))
    def test_the_robot_is_held_on_the_last_good_model(self, corrupt, fallback_damping):
        rig = Rig(soft_start_time=0.0, fallback_damping=fallback_damping)
        rig.activate(100)
        rig.robot.velocity[:] = 0.2
        rig.run(1)
        known = rig.coordinator.robot_state.position.copy()
        rig.robot.corrupt = corrupt
        rig.run(LIMIT - 1)
        assert rig.state is ACTIVE
        efforts = rig.run(15)
        assert rig.state is SAFE
        assert refused(rig) >= LIMIT
        # neither limp nor damped by what is not known, although the robot goes on by 0.2 rad/s
        np.testing.assert_allclose(efforts, np.tile(gravity(known), (15, 1)), atol=1e-9)
        (text,) = rig.errors
        assert text.startswith("the robot's measurements cannot be: ")
        rig.robot.corrupt = None
        rig.run(RECOVERY + 5)
        assert rig.state is ACTIVE
        assert rig.errors == []

    def test_the_first_that_is_one_too_many_is_told_in_its_cycle(self):
        rig = Rig(measurements=PlausibilitySettings(limit=1))
        intake = rig.coordinator.intake
        intake.begin(5.0)
        rig.robot.corrupt = set_entry("position", 0, math.nan)
        intake.read(5.0)
        assert intake.is_silent
        (text,) = rig.errors
        assert text.startswith("the robot's measurements cannot be: ")

    def test_the_limit_is_a_parameter(self):
        for limit in (1, 3, 30):
            rig = Rig(measurements=PlausibilitySettings(limit=limit))
            rig.activate(100)
            rig.robot.corrupt = add("position", 0, 1.0)
            rig.run(limit - 1)
            assert rig.state is ACTIVE
            rig.run(1)
            assert rig.state is SAFE

    @pytest.mark.parametrize("kind", ["position", "velocity"])
    def test_a_glitch_every_second_cycle_does_not_disturb(self, kind):
        rig = Rig(soft_start_time=0.0)
        rig.activate(100)
        before = rig.robot.position.copy()
        beat = iter(range(10_000))
        rig.robot.corrupt = lambda state: (
            getattr(state, kind).fill(77.0) if next(beat) % 2 else None
        )
        rig.run(1000)
        assert rig.state is ACTIVE
        assert refused(rig) == 500
        np.testing.assert_allclose(rig.robot.position, before, atol=1e-6)


class TestWords:
    @pytest.mark.parametrize(
        ("corrupt", "text"),
        [
            (add("position", 1, 1.0), "position of joint_1: found 1.8 after 0.8, expected within"),
            (
                set_entry("position", 0, 1e5),
                "position of joint_0: found 100000, expected -15.05 to",
            ),
            (set_entry("velocity", 1, 1e5), "velocity of joint_1: found 100000, expected at most"),
            (
                set_entry("velocity", 1, 50.0),
                "velocity of joint_1: found 50 after 0, expected with",
            ),
            (set_entry("effort", 1, math.nan), "effort of joint_1: found nan, expected a number"),
            (lambda s: s.base_orientation.fill(0.0), "length of the base's quaternion: found 0,"),
            (flip, "turn of the base at once [rad]: found 3.142, expected at most"),
            (add("base_position", 2, 3.0), "jump of the base [m]: found 3, expected at most 0.09"),
            (set_entry("base_position", 2, 1e8), "position of the base along z: found 1e+08"),
            (
                set_entry("base_velocity", 1, 1e3),
                "speed of the base [m/s]: found 1000, expected at",
            ),
            (
                set_entry("base_velocity", 4, 1e3),
                "angular speed of the base [rad/s]: found 1000, e",
            ),
            (
                set_entry("velocity", 1, 20.0),
                "velocity of joint_1: found 20 after 0, expected that",
            ),
            (set_stamp(100.0), "stamp: found 100.0"),
            (set_stamp(-0.5), "stamp: found -0.4"),
        ],
    )
    def test_joint_found_and_allowed_are_told(self, corrupt, text):
        rig = Rig()
        rig.activate(50)
        rig.robot.corrupt = corrupt
        rig.run(1)
        rig.outbox.deliver_all()
        assert rig.notices[-1].text.startswith(f"a measurement that cannot be was refused: {text}")


class TestRobotsThatWereMoved:
    def test_it_is_believed_when_it_can_have_got_there_and_control_returns_softly(self):
        rig = Rig(soft_start_time=0.5)
        rig.activate(1000)
        rig.robot.position += 1.5
        efforts = rig.run(1)
        rig.run(LIMIT)
        assert rig.state is SAFE
        rig.run(160)
        assert LIMIT < refused(rig) <= 160
        (text,) = rig.errors
        assert text.startswith("the robot's measurements cannot be: position of joint_")
        state = rig.coordinator.robot_state
        np.testing.assert_allclose(state.position, rig.robot.position, atol=0.02)
        efforts = np.vstack([efforts, rig.run(RECOVERY + 600)])
        assert rig.state is ACTIVE
        assert np.abs(np.diff(efforts[1:], axis=0)).max() < 1.0
        np.testing.assert_allclose(rig.tasks[0].goal.value, rig.robot.position, atol=0.05)

    @pytest.mark.parametrize("patience", [0.05, 0.5])
    def test_a_slow_joint_is_believed_when_it_fits_itself(self, patience):
        limits, names = np.array([[-3.0], [3.0], [1e-3], [TURNING_NOISE]]), ("slow",)
        doubts = PlausibilitySettings(patience=patience)
        judge = Plausibility(names, limits, doubts, 1e-3, with_base=False)
        last, found = RobotState(names), RobotState(names)
        for k in range(1000):
            found.position[0] = 0.0 if k < 200 else 2.9
            found.sequence = k + 1
            verdict = judge.judge(found, last, 1e-3 * k)
            if verdict is not Judgement.REFUSED:
                last.copy_from(found)
            if k >= 200 and verdict is not Judgement.REFUSED:
                break
        waited = 1e-3 * (k - 200)
        reach = 0.05 + 2.0 * waited
        if reach < 2.9:
            assert verdict is Judgement.MOVED
            assert waited == pytest.approx(patience, abs=2e-3)
        assert judge.explain().startswith("position of slow: found 2.9 after 0")

    def test_after_silence_it_may_be_where_it_can_have_got(self):
        rig = Rig()
        rig.activate(100)
        rig.robot.has_state = False
        rig.run(500)
        rig.robot.position -= 2.0
        rig.robot.has_state = True
        rig.run(RECOVERY + 5)
        assert rig.state is ACTIVE
        assert refused(rig) == 0

    def test_a_robot_that_begins_anew_is_believed_at_once(self):
        rig = Rig()
        rig.activate(500)
        rig.robot.position -= 2.0
        rig.robot.velocity[:] = 0.0
        rig.robot.sequence = 0
        rig.robot.corrupt = lambda state: setattr(state, "stamp", rig.robot.sequence * 1e-3)
        rig.run(1)
        assert rig.state is SAFE
        assert refused(rig) == 0
        assert rig.errors[0].startswith("the robot was moved: ")
        rig.run(RECOVERY + 5)
        assert rig.state is ACTIVE

    def test_what_is_impossible_in_itself_is_never_believed(self):
        rig = Rig()
        rig.activate(100)
        rig.robot.corrupt = set_entry("position", 0, 1e7)
        rig.run(3000)
        assert rig.state is SAFE
        assert refused(rig) == 3000

    def test_noise_does_not_fit_itself(self):
        rng = np.random.default_rng(1)
        rig = Rig()
        rig.activate(100)
        rig.robot.corrupt = lambda state: np.copyto(state.position, rng.uniform(-3, 3, 2))
        rig.run(2000)
        assert rig.state is SAFE
        # now and then it hits the place where the robot may be by then
        assert refused(rig) > 1700


class TestStamps:
    def test_another_clock_is_told_once_and_arrival_counts(self):
        rig = Rig()
        rig.robot.corrupt = set_stamp(1.7e9)
        rig.activate(500)
        assert rig.state is ACTIVE
        assert refused(rig) == 0
        rig.outbox.deliver_all()
        (text,) = [n.text for n in rig.notices if n.topic == "stamps"]
        assert text.startswith("the robot stamps its measurements 1700000000 s at the servo's time")
        assert rig.coordinator.robot_state.stamp == pytest.approx(rig.clock.now, abs=2e-3)

    def test_of_a_stamp_that_stands_still_arrival_counts(self):
        rig = Rig()
        rig.activate(200)
        stamp = rig.coordinator.robot_state.stamp
        rig.robot.corrupt = lambda state: setattr(state, "stamp", stamp)
        rig.run(200)
        assert rig.state is ACTIVE
        assert refused(rig) == 0
        rig.outbox.deliver_all()
        (text,) = [n.text for n in rig.notices if n.topic == "stamps"]
        assert "expected a later one each time" in text
        assert rig.coordinator.robot_state.stamp == pytest.approx(rig.clock.now, abs=2e-3)

    @pytest.mark.parametrize("later", [0.0, 1e5])
    def test_no_stamp_is_as_good(self, later):
        rig = Rig()
        rig.clock._ticks = round(later * FREQUENCY)
        rig.clock._now = later
        rig.robot.corrupt = lambda state: setattr(state, "stamp", 0.0)
        rig.activate(300)
        assert refused(rig) == 0
        assert rig.state is ACTIVE


@st.composite
def journeys(draw):
    """Honest motion: what joints may do, seen with noise, delay, jitter, gaps and few samples."""
    seed = draw(st.integers(0, 2**32 - 1))
    return {
        "seed": seed,
        "velocity_limit": 10.0 ** draw(st.floats(-3.0, 2.5)),
        "span": 10.0 ** draw(st.floats(-2.0, 2.0)),
        "noise": draw(st.sampled_from([0.0, 1e-4, 1e-3])),
        "velocity_noise": draw(st.sampled_from([0.0, 1e-2, 0.1])),
        "delay": draw(st.sampled_from([0.0, 2e-3, 0.05])),
        "gap": draw(st.sampled_from([1, 1, 10, 400])),
        "stamps": draw(st.booleans()),
        "frequency": draw(st.sampled_from([100.0, 1000.0, 5000.0])),
    }


@pytest.mark.thorough
@settings(max_examples=tries(100), phases=NO_SHRINKING)
@given(journey=journeys())
def test_no_honest_robot_is_refused(journey):
    rng = np.random.default_rng(journey["seed"])
    n, period = 3, 1.0 / journey["frequency"]
    limit, span = journey["velocity_limit"], journey["span"]
    limits = np.array([np.full(n, each) for each in (-span, span, limit, TURNING_NOISE)])
    names = tuple(f"joint_{i}" for i in range(n))
    judge = Plausibility(names, limits, PlausibilitySettings(), period, with_base=True)
    # a sum of waves whose speed is the limit at most, within the range, and does not change by more
    # than the surprise while nobody knows the time
    unknown = 0.5 * journey["delay"] + period
    omega = rng.uniform(0.1, min(20.0, SURPRISE_PART / unknown), n)
    amplitude = np.minimum(limit / omega, span)
    phase = rng.uniform(0.0, 6.0, n)
    noise = min(journey["noise"], 0.01 * span)
    velocity_noise = min(journey["velocity_noise"], max(0.04, 0.05 * limit))
    last, found = RobotState(names), RobotState(names)
    now, cycle = 10.0, 0
    while cycle < 300:
        step = 1 if rng.random() < 0.9 else rng.integers(1, 1 + journey["gap"])
        cycle += step
        now += step * period
        measured = now - journey["delay"] * rng.uniform(0.5, 1.0)
        found.position[:] = amplitude * np.sin(omega * measured + phase)
        found.position += noise * rng.normal(size=n)
        found.velocity[:] = amplitude * omega * np.cos(omega * measured + phase)
        found.velocity += velocity_noise * rng.normal(size=n)
        found.base_position[:] = np.sin(measured)
        found.base_orientation[:] = (0.0, 0.0, math.sin(measured), math.cos(measured))
        found.base_velocity[:] = (1.0, 0.0, 0.0, 0.0, 0.0, 2.0)
        found.sequence += 1
        found.stamp = measured if journey["stamps"] and not journey["delay"] else 0.0
        assert judge.judge(found, last, now) is Judgement.GOOD, judge.explain()
        last.copy_from(found)


@st.composite
def lies_about_speed(draw):
    """Return what joints that rest tell of their speed, cycle by cycle."""
    kind, size = (
        draw(st.sampled_from(["noise", "constant", "switched"])),
        10.0 ** draw(st.floats(-1, 2)),
    )
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    chosen = rng.random(3) < draw(st.sampled_from([0.4, 1.0]))

    def lie(cycle):
        if kind == "noise":
            return size * rng.normal(size=3) * chosen
        return size * chosen * (1.0 if kind == "constant" or cycle % 20 < 10 else -1.0)

    return lie


@settings(max_examples=tries(60), phases=NO_SHRINKING)
@given(
    lie=lies_about_speed(),
    frequency=st.sampled_from([100.0, 1000.0]),
    clock=st.sampled_from([None, 0.0, 1e9]),
)
def test_a_speed_that_does_not_show_in_the_position_is_not_believed(lie, frequency, clock):
    names, velocity = ("finger", "wrist", "arm"), np.array([0.2, 0.7, 2.6])
    limits = np.vstack([np.full(3, -3.0), np.full(3, 3.0), velocity, np.full(3, TURNING_NOISE)])
    judge = Plausibility(names, limits, PlausibilitySettings(), 1.0 / frequency, with_base=False)
    last, found = RobotState(names), RobotState(names)
    for cycle in range(150):
        found.position[:] = 0.1 + 1e-9 * math.sin(cycle)
        found.velocity[:] = lie(cycle) if cycle >= 50 else 0.0
        found.stamp = 0.0 if clock is None else clock + (cycle + 1) / frequency
        found.sequence += 1
        if judge.judge(found, last, (cycle + 1) / frequency) is Judgement.GOOD:
            assert (np.abs(found.velocity) <= 4.0 * (0.5 * velocity + 0.31)).all()
            last.copy_from(found)


@settings(max_examples=tries(40), phases=NO_SHRINKING)
@given(
    jump=st.floats(-2.5, 2.5),
    moment=st.floats(0.0, 1.0),
    noise=st.sampled_from([0.0, 1e-4, 1e-3]),
    frequency=st.sampled_from([100.0, 1000.0]),
    seed=st.integers(0, 2**16),
)
def test_an_impact_is_believed_once_it_has_moved_more_than_noise(
    jump, moment, noise, frequency, seed
):
    names, limits = ("joint",), np.array([[-3.0], [3.0], [1.0], [TURNING_NOISE]])
    judge = Plausibility(names, limits, PlausibilitySettings(), 1.0 / frequency, with_base=False)
    last, found = RobotState(names), RobotState(names)
    rng, position, refused = np.random.default_rng(seed), 0.0, 0
    for cycle in range(60):
        speed = 0.2 + (jump if cycle >= 50 else 0.0)
        late = moment if cycle == 50 else 0.0
        position += (speed - late * jump) / frequency
        found.position[0] = position + noise * rng.uniform(-1.0, 1.0)
        found.velocity[0] = speed
        found.stamp = 1.0 + cycle / frequency
        found.sequence += 1
        if judge.judge(found, last, found.stamp) is Judgement.GOOD:
            last.copy_from(found)
        else:
            refused += 1
    drift = 2.0 * noise * frequency  # [rad/s] what two noisy positions may seem to move by
    is_surprise = abs(jump) > SURPRISE_PART + TURNING_NOISE
    looks = math.ceil((1.0 + drift / abs(jump)) / (1.0 - FOLLOWED)) if is_surprise else 1
    assert refused < looks <= LIMIT


def test_a_bolted_base_rests():
    names, limits = ("joint",), np.array([[-3.0], [3.0], [1.0], [TURNING_NOISE]])
    doubts = PlausibilitySettings().bolted()
    for entry in range(6):
        judge = Plausibility(names, limits, doubts, 1e-3, with_base=True)
        last, found = RobotState(names), RobotState(names)
        for state in (last, found):
            state.base_orientation[3] = 1.0
        assert judge.judge(found, last, 1e-3) is Judgement.GOOD
        found.base_velocity[entry] = 0.2
        assert judge.judge(found, last, 2e-3) is Judgement.GOOD
        found.base_velocity[entry] = -0.4
        assert judge.judge(found, last, 3e-3) is Judgement.REFUSED
        assert "expected at most 0.3" in judge.explain()


def test_joints_that_turn_for_ever_may_count_turns_anew():
    limits = np.array([[-np.inf], [np.inf], [np.inf], [TURNING_NOISE]])
    judge = Plausibility(("wheel",), limits, PlausibilitySettings(), 1e-3, with_base=False)
    last, found = RobotState(("wheel",)), RobotState(("wheel",))
    for k in range(3000):
        angle = 5.0 * k * 1e-3
        found.position[0] = math.remainder(angle, 2.0 * math.pi)
        found.velocity[0] = 5.0
        assert judge.judge(found, last, k * 1e-3) is Judgement.GOOD
        last.copy_from(found)


class TestOdometry:
    def told(self, odometry, place, turn=0.0):
        odometry.position.set(place)
        odometry.orientation.set([0.0, 0.0, math.sin(turn / 2), math.cos(turn / 2)])

    @pytest.fixture
    def source(self):
        odometry = Odometry(timeout=0.1)
        plausible = PlausibleOdometry(odometry, PlausibilitySettings(), 1e-3)
        plausible.begin()
        state = RobotState(())
        self.told(odometry, [1.0, 0.0, 0.0])
        assert plausible.take_over(state, 0.0) == ""
        return odometry, plausible, state

    @pytest.mark.parametrize(("place", "turn"), [((9.0, 0.0, 0.0), 0.0), ((1.0, 0.0, 0.0), 3.0)])
    def test_a_jump_is_refused_then_told_then_believed(self, source, place, turn):
        odometry, plausible, state = source
        complaints = []
        for k in range(1, 400):
            if k % 10 == 0:
                self.told(odometry, place if k >= 100 else (1.0, 0.0, 0.0), turn if k >= 100 else 0)
            complaints.append(plausible.take_over(state, k * 1e-3))
            if k == 110:
                np.testing.assert_array_equal(state.base_position, (1.0, 0.0, 0.0))
        assert complaints[:139] == [""] * 139
        assert any(text.startswith("odometry that cannot be: ") for text in complaints)
        moved = [text for text in complaints if text.startswith("odometry: the base was moved")]
        assert len(moved) <= 1
        assert complaints[-1] == ""
        np.testing.assert_allclose(state.base_position, place)
        assert plausible.plausibility.refused > 5


def test_a_joint_that_slides_is_believed_less_than_one_that_turns():
    robot = SimpleNamespace(
        real_joints=("turning", "sliding"),
        lower_limits=np.zeros(2),
        upper_limits=np.ones(2),
        velocity_limits=np.full(2, 0.2),
        is_sliding=np.array([False, True]),
    )
    judge = Plausibility.of(robot, PlausibilitySettings(), 1e-3, with_base=False)
    for number, expected in enumerate((Judgement.GOOD, Judgement.REFUSED)):
        judge.begin()
        last, found = RobotState(robot.real_joints), RobotState(robot.real_joints)
        assert judge.judge(last, last, 1.0) is Judgement.GOOD
        found.velocity[number] = 0.3
        assert judge.judge(found, last, 1.001) is expected


def test_after_many_lies_one_that_is_possible_by_now_is_not_believed_alone():
    """The longer measurements are refused, the farther the robot may be."""
    names, n = ("a", "b", "c"), 3
    limits = np.array([np.full(n, each) for each in (-3.0, 3.0, 1.0, TURNING_NOISE)])
    judge = Plausibility(names, limits, PlausibilitySettings(), 1e-3, with_base=False)
    good, found, rng = RobotState(names), RobotState(names), np.random.default_rng(7)
    assert judge.judge(good, good, 1.0) is Judgement.GOOD
    for cycle in range(1, 500):
        found.position[:] = 0.16 * np.array([1.0, -1.0, 1.0]) * (-1.0) ** cycle
        found.velocity[:] = rng.uniform(-0.1, 0.1, n)
        assert judge.judge(found, good, 1.0 + 1e-3 * cycle) is Judgement.REFUSED
    for cycle, expected in ((500, Judgement.REFUSED), (501, Judgement.GOOD)):
        assert judge.judge(good, good, 1.0 + 1e-3 * cycle) is expected


def random_measurements(rng, names, count):
    """Yield measurements of a robot that jumps, lies, ages, and is started again, and the time."""
    truth, now, sequence = RobotState(names), 10.0, 0
    for _ in range(count):
        now += float(rng.choice([1e-3, 0.0, 0.02, 0.3], p=[0.9, 0.04, 0.04, 0.02]))
        sequence += 1
        if rng.random() < 0.03:
            truth.position[:] = rng.normal(size=len(names))
        found = RobotState(names)
        found.vector[:] = truth.vector
        kind = rng.random()
        if kind < 0.3:
            found.vector[rng.integers(3, len(found.motion))] = rng.choice([np.nan, 1e9, 0.3, 2.0])
        elif kind < 0.35:
            sequence = int(rng.choice([1, 5, 1500]))
        found.sequence = sequence
        found.stamp = now + float(
            rng.choice([0.0, -0.3, 5.0, math.nan], p=[0.85, 0.05, 0.05, 0.05])
        )
        yield found, now


def two_judges(names, *, with_base):
    """Return two that judge alike, and believe soon what fits itself."""
    limits = np.array([np.full(len(names), each) for each in (-3.0, 3.0, 1.0, TURNING_NOISE)])
    settings = PlausibilitySettings(patience=0.01)
    return (Plausibility(names, limits, settings, 1e-3, with_base=with_base) for _ in range(2))


@pytest.mark.parametrize("seed", range(tries(20)))
def test_a_rehearsal_changes_no_judgement(seed):
    """Whatever was refused before it, and whoever is judged after it."""
    names, seen = ("a", "b"), set()
    calm, busy = two_judges(names, with_base=bool(seed % 2))
    last = RobotState(names)
    rehearse = busy.rehearsing(last)
    for found, now in random_measurements(np.random.default_rng(seed), names, 300):
        same, before = RobotState(names), last.vector.copy()
        same.vector[:] = found.vector
        rehearse()
        np.testing.assert_array_equal(last.vector, before)
        verdict = calm.judge(found, last, now)
        assert busy.judge(same, last, now) is verdict
        np.testing.assert_array_equal(same.vector, found.vector)
        assert (busy.refused, busy.in_a_row) == (calm.refused, calm.in_a_row)
        seen.add(verdict)
        if verdict is not Judgement.REFUSED:
            last.copy_from(found)
    assert {Judgement.GOOD, Judgement.REFUSED} <= seen


@pytest.mark.parametrize("seed", range(tries(20)))
def test_taking_over_is_judging_and_keeping_what_is_good(seed):
    names, seen = ("a", "b"), set()
    judge, taker = two_judges(names, with_base=bool(seed % 2))
    last, found, kept = (RobotState(names) for _ in range(3))
    take = taker.taking(found, kept)
    for measured, now in random_measurements(np.random.default_rng(seed), names, 300):
        found.vector[:] = measured.vector
        before = kept.vector.copy()
        verdict = take(now)
        met_again = last.stamp > 0.0 and measured.sequence == last.sequence > 0
        assert (verdict == layout.AGAIN) == met_again
        if met_again:
            np.testing.assert_array_equal(kept.vector, before)
            continue
        expected = judge.judge(measured, last, now)
        assert taker.tell(verdict, found, kept, now) is expected
        assert taker.explain() == judge.explain()
        if verdict not in (layout.BELIEVED, layout.REFUSED):
            np.testing.assert_array_equal(kept.vector, before)
            accept_measurement(found.vector, kept.vector, now)
        if expected is not Judgement.REFUSED:
            last.copy_from(measured)
            last.stamp = last.stamp or now
            last.base_orientation /= np.linalg.norm(last.base_orientation)
        np.testing.assert_allclose(kept.vector, last.vector, rtol=1e-15, atol=0.0)
        if expected is not Judgement.REFUSED and measured.sequence:
            assert take(now) == layout.AGAIN
        seen.add(verdict)
    assert {layout.BELIEVED, layout.REFUSED} <= seen


@pytest.mark.parametrize(
    ("quaternion", "expected"),
    [
        ((0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)),
        ((0.0, 3.0, 0.0, 4.0), (0.0, 0.6, 0.0, 0.8)),
        ((0.0, 0.0, 0.0, math.nan), (0.0, 0.0, 0.0, 1.0)),
        ((0.0, 1e-9, 0.0, 1.0), (0.0, 1e-9, 0.0, 1.0)),
    ],
)
def test_the_base_gets_a_quaternion_of_length_one(quaternion, expected):
    state = RobotState(())
    state.base_orientation[:] = quaternion
    normalise_base(state.vector)
    np.testing.assert_allclose(state.base_orientation, expected, rtol=1e-15)


def test_numbers_of_64_bits_are_compared_as_such():
    """A float, or a number with a sign, has not all of them."""
    names = ("a",)
    limits = np.array([[-3.0], [3.0], [1.0], [TURNING_NOISE]])
    doubts = PlausibilitySettings(patience=100.0)
    for before, number, expected in (
        (2**63 + 5, 3, Judgement.MOVED),  # it began anew
        (2**63 + 5, 2**63 + 6, Judgement.REFUSED),
        (5, 2**63 + 6, Judgement.REFUSED),
        (2, 1, Judgement.MOVED),
        (1001, 999, Judgement.MOVED),
        (2**40, 1000, Judgement.REFUSED),
    ):
        judge = Plausibility(names, limits, doubts, 1e-3, with_base=False)
        last, found = RobotState(names), RobotState(names)
        last.sequence = before
        assert judge.judge(last, last, 1.0) is Judgement.GOOD
        found.position[0], found.sequence = 2.0, number
        assert judge.judge(found, last, 1.001) is expected


def test_a_clock_that_turns_out_to_be_another_is_told_with_what_is_refused():
    names = ("a",)
    limits = np.array([[-3.0], [3.0], [1.0], [TURNING_NOISE]])
    judge = Plausibility(names, limits, PlausibilitySettings(), 1e-3, with_base=False)
    found, last = RobotState(names), RobotState(names)
    found.stamp, found.position[0] = 1e6, math.nan
    assert judge.judge(found, last, 1.0) is Judgement.REFUSED
    assert judge.remark.startswith("the robot stamps its measurements 1000000 s at the servo's")
    assert found.stamp == 0.0
    assert judge.explain().startswith("position of a: found nan")
    judge.remark = ""
    found.stamp, found.position[0] = 1e6 + 1e-3, 0.0
    assert judge.judge(found, last, 1.001) is Judgement.GOOD
    assert not judge.remark


@pytest.fixture
def doubter():
    """Return who judges one joint of 2 rad/s, and believes soon what fits itself."""
    limits = np.array([[-3.0], [3.0], [2.0], [TURNING_NOISE]])
    settings = PlausibilitySettings(patience=0.01)
    judge = Plausibility(("a",), limits, settings, 1e-3, with_base=False)
    last = RobotState(("a",))

    def tell(now, stamp, *, position=0.0, number=0):
        found = RobotState(("a",))
        found.position[0], found.stamp, found.sequence = position, stamp, number
        verdict = judge.judge(found, last, now)
        if verdict is not Judgement.REFUSED:
            last.copy_from(found)
        return verdict

    return SimpleNamespace(judge=judge, tell=tell)


def test_what_is_numbered_anew_may_have_a_clock_set_back(doubter):
    assert doubter.tell(1.0, 1.0, number=5000) is Judgement.GOOD
    assert doubter.tell(1.001, 0.5, number=5001) is Judgement.REFUSED
    assert doubter.tell(1.002, 0.5, number=4000) is Judgement.GOOD


def test_what_was_made_long_after_the_last_may_be_far_though_it_comes_soon(doubter):
    assert doubter.tell(1.0, 0.5) is Judgement.GOOD
    assert doubter.tell(1.001, 0.502, position=0.9) is Judgement.REFUSED
    assert doubter.tell(1.002, 1.002, position=0.9) is Judgement.GOOD


def test_another_clock_is_told_once_and_stays_another_where_the_robot_is_moved(doubter):
    off, judge = 1e6, doubter.judge
    assert doubter.tell(1.0, 1.0 + off) is Judgement.GOOD
    assert judge.remark
    judge.remark = ""
    verdicts = [
        doubter.tell(now, now + off, position=2.5 if now > 3.5 else 0.0)
        for now in (3.0, *np.arange(4.0, 4.1, 1e-3).tolist())
    ]
    first = verdicts.index(Judgement.MOVED)
    assert first <= 13
    assert set(verdicts[first + 1 :]) == {Judgement.GOOD}
    assert not judge.remark


def test_a_clock_that_becomes_another_is_one_from_then_on(doubter):
    assert doubter.tell(1.0, 1.0) is Judgement.GOOD
    times = np.arange(1.001, 1.1, 1e-3).tolist()
    verdicts = [doubter.tell(now, now + 1e6) for now in times]
    first = verdicts.index(Judgement.MOVED)
    assert 10 <= first <= 13
    assert set(verdicts[:first]) == {Judgement.REFUSED}
    assert set(verdicts[first + 1 :]) == {Judgement.GOOD}
