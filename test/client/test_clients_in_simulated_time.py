"""Clients of a controller of their own process, whose time passes while they wait."""

import asyncio
import math
import threading

import numpy as np
import pytest
from lock_step import CONTROLLERS

from controlit_ros.client import (
    ClientClosedError,
    MotionError,
    MotionState,
    WaitTimeoutError,
    connect,
    wait_all,
)
from controlit_ros.client.arrival_check import STALLED
from controlit_ros.interfaces import new
from controlit_ros.scripting import SimulatedController

pytestmark = pytest.mark.thorough

AWAY = np.array([0.05, 0.0, 0.02])  # [m]
ELBOW = "left_elbow"


@pytest.fixture
def controller():
    """A robot that stands still and follows no goal."""
    with SimulatedController(CONTROLLERS / "still.yaml") as controller:
        yield controller


@pytest.fixture
def robot(controller):
    with connect(controller) as robot:
        robot.task("Idle").enable()
        yield robot


def test_time_passes_while_a_program_waits_and_only_then(controller, robot):
    begin = controller.time
    assert robot.time == begin
    robot.sleep(0.5)
    assert controller.time == pytest.approx(begin + 0.5, abs=0.02)
    hand = robot.task("Idle")
    goal = hand.goal + AWAY
    assert controller.time == pytest.approx(begin + 0.5, abs=0.02)
    assert hand.move_to(goal, duration=0.5).wait() is MotionState.SHORT
    assert controller.time == pytest.approx(begin + 1.0 + STALLED, abs=0.06)
    np.testing.assert_allclose(controller.task("Idle").goal.value, goal, atol=1e-12)


def test_control_ends_and_begins_again(config):
    """Without control the arms sink, in the same time; then they are held where they are."""
    with (
        SimulatedController(config / "dreamer" / "hands.yaml") as controller,
        connect(controller) as robot,
    ):
        before = controller.position
        robot.deactivate()
        begin = controller.time
        robot.sleep(0.5)
        assert controller.state.value == "inactive"
        assert controller.time == pytest.approx(begin + 0.5, abs=0.05)
        sunk = controller.position
        assert max(abs(sunk[joint] - before[joint]) for joint in sunk) > 0.05
        robot.activate()
        robot.sleep(1.0)
        assert controller.state.value == "active"
        held = controller.position
        robot.sleep(0.5)
        assert controller.position == pytest.approx(held, abs=0.02)


def test_two_runs_of_a_program_are_the_same_to_the_last_bit():
    def run():
        with (
            SimulatedController(CONTROLLERS / "still.yaml") as controller,
            connect(controller) as robot,
            robot.record_goals() as record,
        ):
            hand = robot.task("Idle")
            hand.enable()
            robot.set({"Idle.kp": 30.0, "Posture.kp": 90.0})
            hand.move_to(hand.goal + AWAY, duration=0.4).wait()
            hand.move_through([hand.goal - AWAY, hand.goal], times=[0.2, 0.4]).wait()
            return [*record.goals("Idle"), np.array(list(controller.effort.values()))]

    for one, other in zip(run(), run(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_no_time_passes_for_what_was_sent_before(controller):
    late = threading.Event()
    publisher = controller.transport.publisher("late", "std_msgs/msg/String")
    controller.transport.subscribe("late", "std_msgs/msg/String", lambda _: late.wait(0.1))
    publisher.publish(new("std_msgs/msg/String", data="what keeps messages waiting"))
    begin = controller.time
    with connect(controller):  # is told the state in a message
        assert controller.time == begin


def test_a_program_may_outlive_its_controller():
    with SimulatedController(CONTROLLERS / "still.yaml") as controller:
        robot = connect(controller)
    begin = robot.time
    robot.close()
    assert robot.time == begin


def test_a_condition_of_its_own_is_waited_for(robot):
    hand = robot.task("Idle")
    start, begin = hand.goal, robot.time
    hand.move_to(start + AWAY, duration=1.0, kind="linear")
    assert robot.wait(lambda: hand.goal[0] > start[0] + 0.025, timeout=5.0)
    assert robot.time - begin == pytest.approx(0.5, abs=0.03)
    assert not robot.wait(lambda: False, timeout=0.3)
    assert robot.time - begin == pytest.approx(0.8, abs=0.05)
    with pytest.raises(WaitTimeoutError):
        robot.wait_for(robot.add_event({"name": "Never", "expression": "Idle.kp[0] < 0"}).name, 0.2)


def test_a_wait_ends_with_the_connection(controller, robot):
    """Whoever closes it, another thread for example."""
    begin = controller.time
    with pytest.raises(ClientClosedError):
        robot.wait(robot.close, timeout=30.0)
    assert controller.time < begin + 1.0


@pytest.mark.parametrize("bound", [math.inf, math.nan, -1.0, 0.0])
def test_every_bound_is_one(robot, bound):
    """Infinite ones wait for what comes by itself; what is no time is over at once."""
    motion = robot.task("Idle").move_to(robot.task("Idle").goal + AWAY, duration=0.3)
    if bound == math.inf:
        assert motion.wait(bound) is MotionState.SHORT
    else:
        with pytest.raises(WaitTimeoutError):
            motion.wait(bound)


def test_a_task_that_is_removed_before_its_motion_begins_says_so(robot):
    entry = {"name": "Reach", "type": "CartesianPosition", "body": "left_wrist_yaw"}
    reach = robot.add_task(entry)
    with robot.together():
        motion = reach.move_to(reach.goal + AWAY, duration=0.3)
        robot.remove_task("Reach")
    with pytest.raises(MotionError, match="Reach has been removed"):
        motion.wait(1.0)


def test_asyncio_waits_for_events_no_longer_than_it_is_told(robot):
    async def one():
        with robot.events(timeout=0.3) as events:
            return await anext(events)

    begin = robot.time
    with pytest.raises(WaitTimeoutError, match=r"no event came within 0\.3 s"):
        asyncio.run(one())
    assert robot.time == pytest.approx(begin + 0.3, abs=0.05)


def test_motions_told_together_begin_together(robot):
    hand, posture = robot.task("Idle"), robot.task("Posture")
    with robot.record_goals() as record:
        with robot.together():
            one = hand.move_to(hand.goal + AWAY, duration=0.5)
            robot.sleep(0.2)
            with robot.together():  # one within another is the same
                other = posture.move_to({ELBOW: 0.5}, duration=0.5)
            assert (one.progress, one.done) == (0.0, False)
            with pytest.raises(MotionError, match=r"Idle begins when the block of together\(\)"):
                one.wait()
            assert record.newest("Idle") is None
        assert wait_all([one, other]) == (MotionState.SHORT,) * 2
    np.testing.assert_array_equal(record.goals("Idle").times, record.goals("Posture").times)


def test_what_takes_over_in_mid_motion_does_not_stand_still_for_the_others(robot):
    hand, posture = robot.task("Idle"), robot.task("Posture")
    start = hand.goal
    first = hand.move_to(start + AWAY, duration=1.0)
    robot.sleep(0.5)
    with robot.record_goals() as record:
        with robot.together():
            second = hand.move_to(start, duration=0.5)
            other = posture.move_to({ELBOW: 0.5}, duration=0.3)
            assert first.state is MotionState.REPLACED
            robot.sleep(0.1)
        assert second.progress > 0.1
        wait_all([second, other])
    steps = np.linalg.norm(np.diff(record.goals("Idle").values, axis=0), axis=1)
    assert steps[0] > 1e-4  # it moved at 0.1 m/s


def test_nothing_begins_where_the_block_raises(robot):
    hand = robot.task("Idle")
    start, told = hand.goal, []

    def told_halfway():
        with robot.together():
            told.append(hand.move_to(start + AWAY, duration=0.5))
            raise KeyError

    with pytest.raises(KeyError):
        told_halfway()
    with pytest.raises(MotionError, match="Idle has not begun"):
        told[0].wait()
    robot.sleep(0.3)
    np.testing.assert_array_equal(hand.goal, start)
    hand.move_to(start + AWAY, duration=0.3).wait()  # all is as before


def test_goals_are_recorded_as_they_went_out(robot):
    hand = robot.task("Idle")
    start = hand.goal
    hand.move_to(start + AWAY, duration=0.2).wait()  # nobody looks
    begin = robot.time
    with robot.record_goals() as record:
        hand.move_to(start, duration=1.0, kind="linear").wait()
        robot.sleep(1.0)
        hand.move_to(start + AWAY, duration=0.5, kind="linear").wait()
    hand.move_to(start, duration=0.5).wait()
    times, values = record.goals("Idle")
    moving = times - begin < 1.0 - 1e-9
    expected = start + AWAY - np.outer(times[moving] - begin, AWAY)
    np.testing.assert_allclose(values[moving], expected, atol=1e-12)
    np.testing.assert_allclose(record.newest("Idle"), start + AWAY)
    assert record.rounds == len(times)
    assert record.moving == pytest.approx(1.5, abs=0.03)
    assert record.latest == pytest.approx(0.0, abs=1e-9)
    assert len(record.goals("Posture").times) == 0
