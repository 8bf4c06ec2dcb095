"""What a motion reached: `ARRIVED` is a measured error, within a tolerance."""

import asyncio
import re

import numpy as np
import pytest

from controlit_ros.client import (
    ControlEndedError,
    MotionError,
    MotionState,
    TrajectorySample,
    WaitTimeoutError,
)
from controlit_ros.client.arrival_check import LONGEST, TOLERANCE

ELBOW = "left_elbow"
AWAY = np.array([0.05, 0.0, 0.0])
STILL_MOVING = 5e-3  # [m] within the 10 ms between two messages
TURNED = [0.0, 0.0, np.sin(0.1), np.cos(0.1)]
GOALS = {  # of the right hand, from home at 0.05, -0.31, 0.80
    "near": [0.10, -0.33, 0.85],
    "far": [0.25, -0.35, 0.95],
    "across": [0.20, 0.05, 0.90],
    "behind": [-0.30, -0.20, 0.90],
    "out of reach": [1.20, -0.30, 0.80],
    "in the ground": [0.10, -0.30, 0.00],
}


class Straight:
    """A path as a program may write one, with plain lists."""

    start, end = 0.0, 0.3

    def __init__(self, begin, way):
        self._begin, self._way = np.array(begin), np.array(way)

    def at(self, time):
        value = self._begin + self._way * min(time / self.end, 1.0)
        return value.tolist(), (0.0 * value).tolist(), (0.0 * value).tolist()


def circle(task):
    return task.move_around(task.goal + AWAY, [0.0, 0.0, 1.0], np.pi, duration=0.3)


@pytest.fixture
def robot(still, meet):
    """A client of a robot that stands still and follows no goal."""
    robot = meet(still)
    robot.task("Idle").enable()
    return robot


@pytest.mark.parametrize(
    "move",
    [
        lambda task: task.move_to(task.goal + AWAY, duration=0.3),
        lambda task: task.move_to(task.goal + AWAY, kind="linear", speed=0.2),
        lambda task: task.move_through([task.goal + AWAY, task.goal - AWAY], times=[0.2, 0.4]),
        circle,
        lambda task: task.follow(Straight(task.goal, AWAY)),
    ],
)
@pytest.mark.parametrize("wait", [lambda m: m.wait(), lambda m: asyncio.run(awaited(m))])
def test_a_robot_that_does_not_follow_is_short_by_all_of_the_way(still, robot, move, wait):
    task = robot.task("Idle")
    start = task.actual
    motion = move(task)
    with pytest.raises(MotionError, match="not over"):
        _ = motion.reached
    assert wait(motion) is MotionState.SHORT
    reached = motion.reached
    assert reached.error == pytest.approx(np.linalg.norm(task.goal - start), abs=1e-9)
    assert reached.tolerance == TOLERANCE < reached.error
    np.testing.assert_allclose(reached.actual, start, atol=1e-12)


async def awaited(motion):
    return await motion


@pytest.mark.parametrize(
    ("entry", "goal", "short_by"),
    [
        ({"type": "Orientation3D", "body": "left_wrist_yaw"}, TURNED, None),
        ({"type": "CenterOfMass"}, [0.5, 0.0, 0.8], None),
        ({"type": "JointPosition"}, {ELBOW: 0.5}, 0.5),
    ],
)
def test_every_kind_of_error_counts(still, robot, entry, goal, short_by):
    task = robot.add_task({"name": "Other", **entry})
    before = robot.joints.of(ELBOW)
    motion = task.move_to(goal, duration=0.2)
    assert motion.wait() is MotionState.SHORT
    expected = task.error_norm if short_by is None else short_by - before
    assert motion.reached.error == pytest.approx(expected, abs=1e-9)


def test_of_a_posture_only_the_joints_that_move_count(robot):
    """The others are where tasks of higher levels want them."""
    posture = robot.task("Posture")
    posture.goal = {"left_shoulder_abductor": 1.0}
    assert robot.wait(lambda: posture.error_norm > 0.5, 1.0)
    assert posture.move_to({ELBOW: posture.goal[posture.labels.index(ELBOW)]}, 0.2).wait()
    motion = posture.move_to({ELBOW: TOLERANCE / 2}, duration=0.2)
    assert motion.wait() is MotionState.ARRIVED


@pytest.mark.parametrize("tolerance", [TOLERANCE, 0.06])
def test_the_tolerance_is_what_was_asked_for(robot, tolerance):
    task = robot.task("Idle")
    motion = task.move_to(task.goal + AWAY, duration=0.2, tolerance=tolerance)
    short = np.linalg.norm(AWAY) > tolerance
    assert motion.wait() is (MotionState.SHORT if short else MotionState.ARRIVED)
    assert motion.reached.tolerance == tolerance


@pytest.mark.parametrize("tolerance", [0.0, -1.0, np.nan])
def test_a_tolerance_that_nothing_meets_is_refused(robot, tolerance):
    task = robot.task("Idle")
    with pytest.raises(MotionError, match=r"tolerance: found .*, expected more than 0"):
        task.move_to(task.goal, duration=0.2, tolerance=tolerance)


@pytest.mark.simulation
@pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)
def test_arrived_is_measured(hands, meet, goal):
    """The oracle is the servo itself: the task's error at the end, and where it settles."""
    robot = meet(hands)
    hand, task = robot.task("RightHandPosition"), hands.tasks["RightHandPosition"]
    motion = hand.move_to(goal, duration=2.0)
    state = motion.wait()
    found = np.linalg.norm(np.subtract(goal, task.actual.value))
    reached = motion.reached
    assert reached.error == pytest.approx(found, abs=STILL_MOVING)
    np.testing.assert_allclose(reached.actual, task.actual.value, atol=STILL_MOVING)
    assert state is (MotionState.ARRIVED if found <= TOLERANCE else MotionState.SHORT)
    assert bool(reached.reason) is (state is MotionState.SHORT)
    if state is MotionState.ARRIVED:
        robot.sleep(1.0)
        assert task.error_norm.value <= TOLERANCE


def test_a_wait_has_a_bound_although_the_robot_swings(still, robot, monkeypatch):
    """Its error goes up and down, ever less: no sooner than `LONGEST` is it given up."""
    task = robot.task("Idle")
    motion = task.move_to(task.goal + AWAY, duration=0.1)
    begin = robot.time

    def shrinking(_error):
        return 10.0 * np.exp(-0.1 * (robot.time - begin))

    monkeypatch.setattr(motion._arrival, "_length", shrinking)
    assert motion.wait() is MotionState.SHORT
    assert robot.time - begin == pytest.approx(LONGEST + 0.1, abs=0.1)


def test_without_an_error_to_compare_with_it_says_so(make_servo, meet):
    text = (
        "name: blind\nrobot_description: package://controlit/urdf/dreamer.urdf\n"
        "parameters: {servo_frequency: 250, realtime_priority: 0, robot_interface_type: Benchmark,"
        " default_bindings: false}\n"
        "tasks: [{name: Hand, type: CartesianPosition, body: left_wrist_yaw, kp: 64, kd: 16}]\n"
        "constraints: [{name: Base, type: FlatContact, body: base_link}]\n"
        "compound_task: [{name: Hand, priority: 0}]\nconstraint_set: [{name: Base}]\n"
        "bindings: [{parameter: Hand.goal_position, direction: input, topic: goal}]\n"
    )
    robot = meet(make_servo(text))
    hand = robot.task("Hand")
    motion = hand.move_to(hand.goal + AWAY, duration=0.2)
    assert motion.wait() is MotionState.UNVERIFIED
    assert np.isnan(motion.reached.error)


def test_while_it_settles_it_can_be_cancelled_and_replaced(robot):
    task = robot.task("Idle")
    for end, expected in (
        (lambda motion: motion.cancel(), MotionState.CANCELLED),
        (lambda _: task.move_to(task.goal, duration=0.1), MotionState.REPLACED),
        (lambda _: robot.set({"Idle.goal_position": task.goal}), MotionState.REPLACED),
    ):
        motion = task.move_to(task.goal + AWAY, duration=0.1)
        assert robot.wait(lambda motion=motion: motion.state is MotionState.SETTLING, 1.0)
        end(motion)
        assert motion.wait(0.1) is expected


def test_control_that_ends_while_it_settles_ends_it(robot):
    task = robot.task("Idle")
    motion = task.move_to(task.goal + AWAY, duration=0.1)
    assert robot.wait(lambda: motion.state is MotionState.SETTLING, 1.0)
    robot.deactivate()
    with pytest.raises(ControlEndedError):
        motion.wait()


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (
            {"expression": "Idle.error_norm > 7"},
            "expected Idle.error_norm > 7, found that Idle.error_norm is 0",
        ),
        (
            {"expression": "Idle.kp[0] < 0 && Posture.operational_state == 'disable'", "hold": 0.5},
            "for 0.5 s, found that Idle.kp is [64, 64, 64], Posture.operational_state is enable",
        ),
        ({"expression": "Idle.error_norm < Idle.kp[1] - 64"}, "Idle.error_norm is 0, Idle.kp is"),
    ],
)
def test_an_event_that_does_not_fire_says_what_it_reads(robot, entry, words):
    robot.add_event({"name": "Never", **entry})
    with pytest.raises(WaitTimeoutError, match=re.escape(words)):
        robot.wait_for("Never", timeout=0.2)


def rest(value):
    return TrajectorySample.at_rest(value)


class Path:
    """A path of any members."""

    def __init__(self, **members):
        self.__dict__.update(members)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda _: [[0, 0, 0], [1, 1, 1]], "found list without start, end, at, expected a path"),
        (lambda _: Path(start=0.0, end=1.0), "found Path without at"),
        (lambda _: Path(start="a", end=1.0, at=rest), "found a path from 'a' to 1.0"),
        (lambda _: Path(start=0.0, end=np.inf, at=rest), "expected an end after its start"),
        (lambda g: Path(start=0.0, end=1.0, at=lambda _: g), r"expected finite numbers, \(3,\)"),
        (lambda g: Path(start=0.0, end=1.0, at=lambda _: (g, g)), "value, velocity, acceleration"),
        (lambda g: Path(start=0.0, end=1.0, at=lambda _: rest(g[:2])), r"\(3,\) each"),
        (lambda g: Path(start=0.0, end=1.0, at=lambda _: rest(g * np.nan)), "found .*nan"),
        (lambda g: Path(start=0.0, end=1.0, at=lambda _: rest(g + 1)), "move there first"),
        (lambda _: Path(start=0.0, end=1.0, at=lambda _: 1 / 0), "ZeroDivisionError"),
        (lambda _: Path(start=0.0, end=1.0, at=lambda _: None), "TypeError"),
    ],
)
def test_what_is_no_path_is_refused_in_words(robot, make, words):
    task = robot.task("Idle")
    before = task.goal
    with pytest.raises(MotionError, match=words):
        task.follow(make(before))
    np.testing.assert_array_equal(task.goal, before)


@pytest.mark.parametrize("kind", ["Orientation3D", "CartesianPose"])
def test_a_quaternion_of_another_length_is_refused(robot, kind):
    task = robot.add_task({"name": "Turn", "type": kind, "body": "left_wrist_yaw"})
    goal = task.goal
    goal[-4:] *= 1.005
    with pytest.raises(MotionError, match=r"of length 1\.005, expected 1: a quaternion xyzw"):
        task.follow(Path(start=0.0, end=1.0, at=lambda _: rest(goal)))
