"""Motions of a client as the servo gets them: goals recorded from cycle to cycle."""

import asyncio
import math

import numpy as np
import pytest
from lock_step import CONTROLLERS, PERIOD
from patience import GENEROUS

from controlit_ros.client import (
    MotionError,
    MotionState,
    TrajectoryError,
    WaitTimeoutError,
    wait_all,
)
from controlit_ros.client.arrival_check import STALLED
from controlit_ros.model import quaternion
from controlit_ros.paths.braking import STOP_TIME
from controlit_ros.paths.jerk_limited import REQUIREMENT
from controlit_ros.paths.trajectory import TrajectorySample

pytestmark = pytest.mark.thorough

SPEED, ACCELERATION, JERK = 0.4, 2.0, 20.0  # [m or rad /s, /s², /s³]
ROOM = 1.0 + 1e-3  # [-] what rounding leaves of a limit
ELBOW, SHOULDER = "left_elbow", "left_shoulder_abductor"
BODY = "left_wrist_yaw"
OTHERS = {
    "CenterOfMass": {"name": "Mass", "type": "CenterOfMass"},
    "Orientation3D": {"name": "Turn", "type": "Orientation3D", "body": BODY},
    "Orientation2D": {"name": "Aim", "type": "Orientation2D", "body": BODY},
}


class Recorder:
    """Lets time pass, and keeps what a task of the servo follows at each goal that comes in."""

    def __init__(self, servo, name):
        self.servo = servo
        self.task = next(task for task in servo.node.stack.tasks.tasks if task.name == name)
        self.times = []
        self.rows = []

    def step(self):
        self.times.append(self.servo.now())  # of the goals that go out now
        self.servo.step()
        task = self.task
        parameters = (task.goal, task.goal_velocity, task.goal_acceleration)
        self.rows.append([parameter.value.copy() for parameter in parameters])

    def advance(self, time):
        end = self.servo.now() + time - PERIOD / 2.0
        while self.servo.now() < end:
            self.step()

    def until(self, motion):
        while motion.is_moving:
            self.step()

    def column(self, number):
        return np.array([row[number] for row in self.rows])

    @property
    def goals(self):
        return self.column(0)

    @property
    def velocities(self):
        return self.column(1)

    @property
    def accelerations(self):
        return self.column(2)

    @property
    def jerks(self):
        return np.diff(self.accelerations, axis=0) / np.diff(self.times)[:, np.newaxis]


@pytest.fixture
def robot(still, meet):
    """A client of a robot that stands still."""
    return meet(still)


@pytest.fixture
def point(robot):
    task = robot.task("Idle")
    task.enable()
    return task


@pytest.fixture
def posture(robot):
    task = robot.task("Posture")
    task.goal = {ELBOW: 0.3, SHOULDER: 0.2}
    return task


def by(*offset):
    return np.array(offset)


def lengths(vectors):
    return np.linalg.norm(vectors, axis=1)


def each(vectors):
    return np.abs(vectors).max(axis=1)


@pytest.mark.parametrize(("name", "size"), [("Idle", lengths), ("Posture", each)])
def test_a_new_goal_in_mid_motion_blends_within_jerk(still, robot, name, size):
    """Recorded from the servo: no jump of the acceleration, jerk, acceleration, speed in limits."""
    pytest.importorskip("ruckig", reason=f"ruckig is missing: pip install '{REQUIREMENT}'")
    robot.task(name).enable()
    task, recorder = robot.task(name), Recorder(still, name)
    limits = {"speed": SPEED, "acceleration": ACCELERATION, "jerk": JERK, "kind": "time_optimal"}
    start = task.goal
    first, second = start.copy(), start.copy()
    first[:3] += [0.2, 0.1, 0.0] if name == "Idle" else 0.3
    second[:3] -= [0.1, 0.0, 0.15] if name == "Idle" else 0.1
    one = task.move_to(first, **limits)
    recorder.advance(0.35)
    speed = size(recorder.velocities)[-1]
    assert speed > 0.1
    other = task.move_to(second, **limits)
    recorder.until(other)
    assert (one.state, other.state) == (MotionState.REPLACED, MotionState.SETTLING)
    np.testing.assert_allclose(task.goal, second, atol=1e-12)
    recorder.advance(0.05)
    # a point has its jerk for all directions at once: it brakes later than it would straight on
    assert size(recorder.velocities).max() <= SPEED * (1.37 if name == "Idle" else ROOM)
    assert size(recorder.accelerations).max() <= ACCELERATION * ROOM
    assert size(recorder.jerks).max() <= JERK * ROOM
    # each is what the next one makes of it
    middle = (recorder.velocities[1:] + recorder.velocities[:-1]) / 2.0
    steps = np.diff(recorder.goals, axis=0) - middle * np.diff(recorder.times)[:, np.newaxis]
    assert size(steps).max() <= JERK * PERIOD**3


def test_goals_streamed_at_ten_hertz_are_smooth(make_servo, meet, tmp_path):
    """A task with a reference of its own, in a servo that is told a circle far too seldom."""
    pytest.importorskip("ruckig", reason=f"ruckig is missing: pip install '{REQUIREMENT}'")
    text = (CONTROLLERS / "still.yaml").read_text(encoding="utf-8")
    idle = "body: left_wrist_yaw, kp"
    led = idle.replace("kp", f"reference: time_optimal, max_goal_jerk: {JERK}, kp")
    assert idle in text
    file = tmp_path / "led.yaml"
    file.write_text(text.replace(idle, led), encoding="utf-8")
    servo = make_servo(file)
    robot = meet(servo)
    task = robot.task("Idle")
    task.enable()
    center, outputs = task.goal, servo.tasks["Idle"].followed
    found, due = [], servo.now()
    for _ in range(300):
        if servo.now() >= due:
            angle = 1.5 * due
            due += 0.1
            offset = by(0.0, math.sin(angle), 1.0 - math.cos(angle))
            robot.parameters["Idle.goal_position"] = center + 0.05 * offset
        servo.step()
        found.append([*outputs.velocity.value, *outputs.acceleration.value, servo.now()])
    velocities, accelerations, times = np.split(np.array(found), (3, 6), axis=1)
    assert lengths(velocities).max() > 0.05
    spans = np.diff(times, axis=0)
    assert (np.abs(np.diff(accelerations, axis=0)) <= JERK * ROOM * spans).all()
    assert (np.abs(np.diff(velocities, axis=0)) <= 4.0 * ROOM * spans).all()


def test_minimum_jerk_takes_over_in_mid_motion_without_a_jump(still, point):
    recorder, start = Recorder(still, "Idle"), point.goal
    point.move_to(start + by(0.2, 0.0, 0.0), duration=1.0)
    recorder.advance(0.4)
    point.move_to(start + by(0.0, 0.1, 0.0), speed=0.5, acceleration=4.0, jerk=60.0)
    recorder.advance(2.0)
    assert lengths(recorder.velocities).max() <= 0.5 * ROOM
    assert lengths(recorder.accelerations).max() <= 4.0 * ROOM
    assert lengths(recorder.jerks).max() <= 60.0 * 1.05


def test_limits_say_how_long_it_takes(still, point):
    recorder, start = Recorder(still, "Idle"), point.goal
    recorder.until(point.move_to(start + by(0.3, 0.0, 0.4), speed=2.0, acceleration=1.0))
    acceleration = lengths(recorder.accelerations)
    # the quintic of half a metre: 5.7735 d / T² is its largest acceleration
    assert acceleration.max() == pytest.approx(1.0, rel=0.01)
    time = recorder.times[-1] - recorder.times[0]
    assert time == pytest.approx(math.sqrt(5.7735 * 0.5), rel=0.02)


@pytest.mark.parametrize("kind", ["minimum_jerk", "cubic", "linear"])
def test_waypoints_are_passed_within_the_speed(still, point, kind):
    recorder, start = Recorder(still, "Idle"), point.goal
    offsets = ([0.1, 0.0, 0.0], [0.1, 0.1, 0.0], [0.0, 0.1, 0.1])
    way = [start + offset for offset in offsets]
    motion = point.move_through(way, speed=0.25, stops=[1], kind=kind)
    recorder.until(motion)
    assert motion.state is MotionState.SETTLING
    for waypoint in way:
        assert lengths(recorder.goals - waypoint).min() < 0.25 * PERIOD
    assert lengths(recorder.velocities).max() == pytest.approx(0.25, rel=0.02)
    at_stop = np.argmin(lengths(recorder.goals - way[1]))
    if kind != "linear":
        assert lengths(recorder.velocities)[at_stop] < 0.02


def test_waypoints_of_a_posture_are_passed_at_their_times(still, posture):
    recorder = Recorder(still, "Posture")
    motion = posture.move_through([{ELBOW: 0.6}, {SHOULDER: 0.5}, {ELBOW: 0.3}], times=[1, 1.5, 2])
    assert motion.progress == 0.0
    recorder.advance(1.0)
    assert motion.progress == pytest.approx(0.5, abs=0.02)
    recorder.until(motion)
    found = recorder.goals[:, [posture.labels.index(name) for name in (ELBOW, SHOULDER)]]
    for time, place in ((1.0, (0.6, 0.2)), (1.5, (0.6, 0.5)), (2.0, (0.3, 0.5))):
        at = np.argmin(np.abs(np.array(recorder.times) - recorder.times[0] - time))
        np.testing.assert_allclose(found[at], place, atol=0.01)


@pytest.mark.parametrize("angle", [2.0 * math.pi, -math.pi / 2.0])
def test_circles_and_arcs_keep_their_radius(still, point, angle):
    recorder, start = Recorder(still, "Idle"), point.goal
    center, axis = start + by(0.0, 0.1, 0.0), np.array([1.0, 0.0, 0.0])
    motion = point.move_around(center, axis, angle, speed=0.3, acceleration=1.0)
    recorder.until(motion)
    arms = recorder.goals - center
    np.testing.assert_allclose(lengths(arms), 0.1, atol=1e-12)
    np.testing.assert_allclose(arms[:, 0], 0.0, atol=1e-12)
    assert lengths(recorder.velocities).max() <= 0.3 * ROOM
    assert lengths(recorder.accelerations).max() <= 1.0 * ROOM
    assert (lengths(recorder.accelerations).max() > 0.99) | (
        lengths(recorder.velocities).max() > 0.29
    )
    # by the right hand, from the side of the center where it began
    end = center + by(0.0, -0.1 * math.cos(angle), -0.1 * math.sin(angle))
    np.testing.assert_allclose(point.goal, end, atol=1e-9)
    assert lengths(np.diff(recorder.goals, axis=0)).sum() == pytest.approx(
        0.1 * abs(angle), rel=1e-3
    )


def test_an_arc_begins_at_rest(still, point):
    point.move_to(point.goal + by(0.1, 0.0, 0.0), duration=1.0)
    still.wait(lambda: False, 0.3)
    with pytest.raises(MotionError, match="an arc begins at rest"):
        point.move_around(point.goal + by(0.0, 0.1, 0.0), [1.0, 0.0, 0.0], duration=1.0)


@pytest.mark.parametrize("kind", ["minimum_jerk", "time_optimal"])
def test_orientations_turn_on_the_sphere_the_short_way(still, robot, kind):
    task = robot.add_task(OTHERS["Orientation3D"])
    recorder, start = Recorder(still, "Turn"), task.goal
    turn = np.array([0.0, 0.0, math.sin(0.4), math.cos(0.4)])  # by 0.8 rad about z
    end = -quaternion.multiply(turn, start)  # the same orientation by its other name
    recorder.until(task.move_to(end, speed=0.5, acceleration=2.0, jerk=20.0, kind=kind))
    np.testing.assert_allclose(lengths(recorder.goals), 1.0, atol=1e-9)
    np.testing.assert_allclose(abs(task.goal @ end), 1.0, atol=1e-9)
    velocities = recorder.velocities
    assert lengths(velocities).max() <= 0.5 * ROOM
    assert lengths(recorder.accelerations).max() <= 2.0 * ROOM
    # about z alone, 0.8 rad in all
    np.testing.assert_allclose(velocities[:, :2], 0.0, atol=1e-6)
    turned = velocities[:-1, 2] @ np.diff(recorder.times)
    assert turned == pytest.approx(0.8, rel=0.01)


@pytest.mark.parametrize("kind", ["minimum_jerk", "time_optimal"])
def test_directions_move_on_great_circles(still, robot, kind):
    task = robot.add_task(OTHERS["Orientation2D"])
    recorder, start = Recorder(still, "Aim"), task.goal
    aside = np.cross(start, [0.3, -0.2, 0.9])
    aside /= np.linalg.norm(aside)
    end = math.cos(0.7) * start + math.sin(0.7) * aside
    recorder.until(task.move_to(5.0 * end, speed=0.5, acceleration=2.0, kind=kind))
    normal = np.cross(start, end)
    np.testing.assert_allclose(recorder.goals @ normal, 0.0, atol=1e-9)
    np.testing.assert_allclose(lengths(recorder.goals), 1.0, atol=1e-9)
    np.testing.assert_allclose(task.goal, end, atol=1e-9)
    assert lengths(recorder.velocities).max() <= 0.5 * ROOM


def test_the_centre_of_mass_moves_as_points_do(still, robot):
    pytest.importorskip("ruckig", reason=f"ruckig is missing: pip install '{REQUIREMENT}'")
    task = robot.add_task(OTHERS["CenterOfMass"])
    recorder, start = Recorder(still, "Mass"), task.goal
    np.testing.assert_allclose(start, task.actual, atol=1e-9)
    end = start + by(0.02, 0.01, 0.0)
    recorder.until(task.move_to(end, kind="time_optimal", speed=0.05))
    np.testing.assert_allclose(task.goal, end, atol=1e-12)
    assert lengths(recorder.velocities).max() == pytest.approx(0.05, rel=0.01)


def test_cancelling_comes_to_rest_on_the_path_and_keeps_the_place(still, point):
    recorder, start = Recorder(still, "Idle"), point.goal
    motion = point.move_to(start + by(0.2, 0.0, 0.0), duration=1.0)
    recorder.advance(0.5)
    at = recorder.goals[-1]
    motion.cancel()
    recorder.until(motion)
    assert motion.wait() is MotionState.CANCELLED
    np.testing.assert_allclose(recorder.accelerations[:, 1:], 0.0, atol=1e-12)
    steps = np.abs(np.diff(recorder.accelerations[:, 0]))
    assert steps.max() < 0.15  # [m/s²] in a hundredth of a second; it brakes with 1.5
    place = point.goal
    assert 0.0 < place[0] - at[0] < 0.375 * STOP_TIME
    recorder.advance(0.5)
    np.testing.assert_array_equal(point.goal, place)
    assert not recorder.velocities[-1].any()


def test_several_move_at_once(still, robot, point, posture):
    one = point.move_to(point.goal + by(0.05, 0.0, 0.0), duration=0.6)
    other = posture.move_to({ELBOW: 0.6}, duration=1.0)
    begin = still.now()
    with pytest.raises(WaitTimeoutError, match=r"not over within 0\.\d+ s: \d+ % done"):
        wait_all([one, other], timeout=0.7)
    assert not one.is_moving
    assert other.is_moving
    assert wait_all([one, other]) == (MotionState.SHORT,) * 2
    assert still.now() - begin == pytest.approx(1.0 + STALLED, abs=6 * PERIOD)


def test_what_makes_no_path_is_refused_and_moves_nothing(still, point):
    start, away = point.goal, point.goal + by(0.1, 0.0, 0.0)
    refusals = {
        "found neither duration nor limits": {},
        "found a duration beside time_optimal": {"duration": 1.0, "kind": "time_optimal"},
        "expected at most 0.05 in velocity; it takes 1 s": {"duration": 1.0, "speed": 0.05},
        "no bounded jerk; expected none, or the kind time_optimal": {"kind": "cubic", "jerk": 1.0},
        "unknown kind 'cubik'": {"kind": "cubik", "speed": 1.0},
        "speed: found -1": {"speed": -1.0},
        "duration: found 0 s": {"duration": 0.0},
        "expected each later than the last, by 1e-12 s": {"duration": 1e-300},
    }
    for words, arguments in refusals.items():
        with pytest.raises(TrajectoryError, match=words):
            point.move_to(away, **arguments)
    with pytest.raises(TrajectoryError, match="unknown kind 'time_optimal'"):
        point.move_through([away], speed=1.0, kind="time_optimal")
    with pytest.raises(TrajectoryError, match="found no waypoints"):
        point.move_through([], speed=1.0)
    still.wait(lambda: False, 0.1)
    np.testing.assert_array_equal(point.goal, start)


class Written:
    """A path as a program may write one: at rest, and something else from some time on."""

    def __init__(self, goal, later, start=0.0, end=0.5):
        self.start, self.end = start, end
        self._goal, self._later = goal, later

    def at(self, time):
        return TrajectorySample.at_rest(self._goal) if time < 0.1 else self._later(self._goal)


@pytest.mark.parametrize(
    ("later", "words"),
    [
        (lambda goal: 1 / 0, "the path of Idle failed: ZeroDivisionError"),
        (lambda goal: TrajectorySample.at_rest(goal * math.nan), "found .*nan.*, expected finite"),
        (lambda goal: TrajectorySample.at_rest(goal[:2]), r"expected finite numbers, \(3,\) each"),
        (lambda goal: None, "the path of Idle failed: TypeError"),
    ],
)
def test_a_path_that_fails_ends_its_motion_alone(still, point, posture, later, words):
    start = point.goal
    motion = point.follow(Written(start, later))
    other = posture.move_to({ELBOW: 0.5}, duration=0.5)
    with pytest.raises(MotionError, match=words):
        motion.wait(GENEROUS)
    assert other.wait(GENEROUS) is MotionState.SHORT
    np.testing.assert_array_equal(point.goal, start)
    assert point.move_to(start + by(0.1, 0.0, 0.0), duration=0.2).wait() is MotionState.SHORT


@pytest.mark.parametrize("span", [(0.0, 0.0), (1.0, 0.5), (0.0, math.nan), (math.nan, 1.0)])
def test_a_path_that_takes_no_time_is_refused(point, span):
    path = Written(point.goal, TrajectorySample.at_rest, *span)
    with pytest.raises(MotionError, match="expected an end after its start"):
        point.follow(path)


def test_asyncio_waits_for_motions_and_events(still, robot, point, posture):
    """`gather`, `async for`, and a wait that is cancelled; the loop stays free."""
    name = robot.add_event({"name": "Passed", "expression": "Idle.goal_position[0] > 0"}).name
    start = point.goal
    start[0] = -0.01
    point.goal = start
    turns = 0

    async def others():
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def program():
        clock = asyncio.create_task(others())
        with robot.events(timeout=5.0) as events:
            away = start + by(0.05, 0.0, 0.0)
            both = (point.move_to(away, duration=0.5), posture.move_to({ELBOW: 0.5}, duration=0.3))
            states = await asyncio.gather(*both)
            event = await anext(events)
        motion = posture.move_to({ELBOW: 1.0}, duration=5.0)
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(motion, 0.05)
        await asyncio.wait_for(motion, GENEROUS)  # it comes to rest
        clock.cancel()
        return states, event.name, motion.state

    states, event, last = asyncio.run(program())
    assert states == [MotionState.SHORT] * 2
    assert event == name
    assert last is MotionState.CANCELLED
    assert turns > 50
