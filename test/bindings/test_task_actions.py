"""MoveTask and FollowTaskTrajectory, on a simulated hand whose time the test advances."""

import math
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from action_peer import ActionPeer

from controlit_ros.awaited import step_until_done
from controlit_ros.bindings.action_server import KEPT_GOALS, GoalStatus
from controlit_ros.bindings.task_actions import FOLLOW, FOLLOW_NAME, MOVE_TASK, MOVE_TASK_NAME
from controlit_ros.bindings.task_motion import MotionCode
from controlit_ros.bindings.task_requests import MOST_WAYPOINTS
from controlit_ros.interfaces import new
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.paths.braking import STOP_TIME

HAND = Path(__file__).parents[1] / "cli" / "controllers" / "hand.yaml"
TASK, POSTURE, ELBOW, YAW = "RightHandPosition", "Posture", "left_elbow", "left_wrist_yaw"
SETTINGS = {
    "servo_clock_type": "Simulated",
    "robot_interface.mode": "in_process",
    "single_threaded_model": True,
    "single_threaded_tasks": True,
    "soft_start_time": 0.0,
}
FOLLOW_JOINTS = "control_msgs/action/FollowJointTrajectory"
CYCLES = 2  # between two samples, 8 ms
HERE = 0.02  # [m] near, for one that follows


def duration(time):
    return {"sec": math.floor(time), "nanosec": round((time % 1.0) * 1e9)}


class Hand:
    """A controller and clients of its actions."""

    def __init__(self, local, **overrides):
        stack = load_stack(HAND, {**SETTINGS, **overrides})
        self.server = local("servo")
        self.node = ServoNode(stack, self.server)
        self.tasks = {task.name: task for task in stack.tasks.tasks}
        self.peer = local("peer")
        self.move = ActionPeer(self.peer, MOVE_TASK_NAME, MOVE_TASK)
        self.follow = ActionPeer(self.peer, FOLLOW_NAME, FOLLOW)
        self.joints = ActionPeer(self.peer, "follow_joint_trajectory", FOLLOW_JOINTS)
        self.warnings = []
        self.peer.subscribe(
            "diagnostics/warnings", "std_msgs/msg/String", lambda m: self.warnings.append(m.data)
        )
        self.goals = {name: [] for name in self.tasks}
        self.velocities = {name: [] for name in self.tasks}
        self.node.lifecycle.start()
        self.node.outbox.stop()  # from here on delivered between cycles, by this thread
        self.advance(0.1)

    @property
    def period(self):
        return 1.0 / self.node.stack.clock.frequency

    def advance(self, time):
        """Let simulated time pass; keep the goals of every cycle."""
        for cycle in range(round(time / self.period)):
            if cycle % CYCLES == 0:
                self.node.actions.tasks.step()
                self.node.actions.trajectories.step()
            self.node.lifecycle.advance(1)
            self.node.outbox.ask_for_interest()
            self.node.outbox.deliver_all()
            for name, task in self.tasks.items():
                self.goals[name].append(task.goal.value.copy())
                if not task.is_led:
                    self.velocities[name].append(task.goal_velocity.value.copy())

    def change(self, function, *arguments):
        """Have parts come or go; time passes while the servo is waited for."""
        with ThreadPoolExecutor(1) as pool:
            done = pool.submit(function, *arguments)
            step_until_done(done, lambda: self.advance(self.period))
            done.result()

    def goal(self, task=TASK):
        return self.tasks[task].goal.value.copy()

    def joint(self, name):
        return float(self.goal(POSTURE)[self.tasks[POSTURE].goal.labels.index(name)])

    def away(self, *offset):
        return (self.goal() + offset).tolist()

    def refused(self, action, **goal):
        """Return why a goal is rejected."""
        before = self.node.actions.tasks.rejected
        result = action.refusal(**goal)
        assert self.node.actions.tasks.rejected == before + 1
        assert result.code == MotionCode.REJECTED
        assert self.node.actions.tasks.last_rejection.endswith(f"rejected: {result.message}")
        return self.node.actions.tasks.last_rejection

    def speeds(self, task=TASK):
        """Return how fast the goal was between two samples."""
        steps = np.diff(self.goals[task][::CYCLES], axis=0) / (CYCLES * self.period)
        return np.linalg.norm(steps, axis=1)

    def forget(self):
        for kept in (*self.goals.values(), *self.velocities.values()):
            kept.clear()


@pytest.fixture
def hand(local):
    made = Hand(local)
    yield made
    made.node.stop()


@pytest.fixture(scope="module")
def refusing(local_of_file):
    """A hand on its way, which many tests may ask in vain, and the motions under way."""
    made = Hand(local_of_file)
    made.move.send(task=TASK, goal=made.away(0.05, 0.0, 0.0), duration=duration(100.0))
    made.advance(0.1)
    yield made, [*made.node.actions.tasks._motions]
    made.node.stop()


def test_a_goal_is_reached(hand, poll):
    target = hand.away(0.05, 0.05, 0.0)
    identifier = hand.move.send(task=TASK, goal=target, duration=duration(1.0))
    hand.forget()
    hand.advance(1.1)
    status, result = hand.move.result(identifier)
    assert (status, result.code) == (GoalStatus.SUCCEEDED, MotionCode.SUCCESSFUL)
    assert result.message == "the goal has arrived"
    np.testing.assert_allclose(hand.goal(), target)
    assert not hand.velocities[TASK][-1].any()
    way = math.hypot(0.05, 0.05)
    assert hand.speeds().max() == pytest.approx(1.875 * way, rel=0.01)  # of a minimum-jerk motion
    hand.peer.settle()
    told = [message.feedback for message in hand.move.feedback]
    progress = [entry.progress for entry in told]
    assert progress == sorted(progress)
    assert progress[0] < 0.1
    assert progress[-1] > 0.9
    for entry in told:
        assert entry.time_left == pytest.approx(1.0 - entry.progress, abs=1e-6)
    assert told[-1].error == pytest.approx(hand.tasks[TASK].error_norm.value, abs=HERE)
    assert math.isfinite(result.error)
    hand.advance(1.0)
    np.testing.assert_allclose(hand.tasks[TASK].actual.value, target, atol=HERE)


@pytest.mark.parametrize(
    "kind",
    [
        "minimum_jerk",
        "time_optimal",
        *(pytest.param(kind, marks=pytest.mark.thorough) for kind in ("linear", "cubic")),
    ],
)
def test_kinds_keep_the_speed(hand, kind):
    if kind == "time_optimal":
        pytest.importorskip("ruckig")
    target = hand.away(0.06, 0.0, 0.08)
    identifier = hand.move.send(task=TASK, goal=target, speed=0.2, kind=kind)
    hand.forget()
    hand.advance(1.1)
    assert hand.move.result(identifier)[0] is GoalStatus.SUCCEEDED
    np.testing.assert_allclose(hand.goal(), target)
    assert hand.speeds().max() == pytest.approx(0.2, rel=0.02)
    straight = np.cross(np.array(hand.goals[TASK]) - target, [0.06, 0.0, 0.08])
    np.testing.assert_allclose(straight, 0.0, atol=1e-9)


def test_acceleration_and_jerk_are_kept(hand):
    """The oracle: minimum jerk over a way d in a time T begins with a jerk of 60 d / T³."""
    assert hand.move.send(task=TASK, goal=hand.away(0.1, 0.0, 0.0), jerk=20.0)
    motion = hand.node.actions.tasks._motions[0]
    assert motion.progress(hand.node.stack.clock.now)[1] == pytest.approx(
        (60 * 0.1 / 20.0) ** (1 / 3), rel=0.03
    )
    hand.advance(0.8)
    assert hand.move.send(task=TASK, goal=hand.away(0.0, 0.1, 0.0), acceleration=1.0)
    motion = hand.node.actions.tasks._motions[0]
    peak = 10.0 / math.sqrt(3.0)
    assert motion.progress(hand.node.stack.clock.now)[1] == pytest.approx(
        math.sqrt(peak * 0.1), rel=0.03
    )


def test_a_posture_moves_by_names(hand):
    before = hand.goal(POSTURE)
    identifier = hand.move.send(
        task=POSTURE, names=[YAW, ELBOW], goal=[0.2, 0.6], duration=duration(1.0)
    )
    hand.advance(1.1)
    assert hand.move.result(identifier)[0] is GoalStatus.SUCCEEDED
    assert (hand.joint(YAW), hand.joint(ELBOW)) == pytest.approx((0.2, 0.6))
    labels = hand.tasks[POSTURE].goal.labels
    others = [i for i, label in enumerate(labels) if label not in (YAW, ELBOW)]
    np.testing.assert_array_equal(hand.goal(POSTURE)[others], before[others])


def test_the_later_goal_takes_over_smoothly(hand):
    first = hand.move.send(task=TASK, goal=hand.away(0.1, 0.0, 0.0), duration=duration(1.0))
    hand.advance(0.5)
    speed = hand.velocities[TASK][-1][0]
    assert speed > 0.15
    second = hand.move.send(task=TASK, goal=hand.away(0.0, 0.05, 0.0), duration=duration(1.0))
    status, result = hand.move.result(first)
    assert (status, result.code) == (GoalStatus.ABORTED, MotionCode.REPLACED)
    assert result.message == f"another goal of {TASK} took over"
    hand.advance(CYCLES * hand.period)
    assert hand.velocities[TASK][-1][0] == pytest.approx(speed, abs=0.01)
    hand.advance(1.1)
    assert hand.move.result(second)[0] is GoalStatus.SUCCEEDED
    accelerations = np.diff(hand.velocities[TASK][::CYCLES], axis=0) / (CYCLES * hand.period)
    assert np.abs(accelerations).max() < 2.0


@pytest.mark.thorough
@pytest.mark.parametrize("name", [TASK, POSTURE])
def test_the_quickest_motion_takes_over_within_its_jerk(hand, name):
    """Recorded from the servo: a new goal in mid-motion makes no jump of the acceleration."""
    pytest.importorskip("ruckig")
    task = hand.tasks[name]
    limits = {"kind": "time_optimal", "speed": 0.4, "acceleration": 2.0, "jerk": 20.0}
    here = {TASK: hand.goal(), POSTURE: np.array([hand.joint(ELBOW)])}[name]
    part = {"task": name, "names": [ELBOW] if name == POSTURE else []}
    found = []

    def go_on(time):
        for _ in range(round(time / (CYCLES * hand.period))):
            hand.advance(CYCLES * hand.period)
            found.append([task.goal_velocity.value.copy(), task.goal_acceleration.value.copy()])

    assert hand.move.send(**part, **limits, goal=(here + 0.2).tolist())
    go_on(0.4)
    assert np.abs(found[-1][0]).max() > 0.1
    second = hand.move.send(**part, **limits, goal=(here + 0.05).tolist())
    go_on(2.0)
    assert hand.move.result(second)[0] is GoalStatus.SUCCEEDED
    velocities, accelerations = np.array(found).transpose(1, 0, 2)
    jerks = np.diff(accelerations, axis=0) / (CYCLES * hand.period)
    assert np.linalg.norm(jerks, axis=1).max() <= 20.0 * 1.001
    assert np.linalg.norm(accelerations, axis=1).max() <= 2.0 * 1.001
    assert np.linalg.norm(velocities, axis=1).max() <= 0.4 * (1.37 if name == TASK else 1.001)


def test_cancelling_comes_to_rest_on_the_path(hand):
    start = hand.goal()
    identifier = hand.move.send(task=TASK, goal=hand.away(0.1, 0.0, 0.0), duration=duration(1.0))
    hand.advance(0.5)
    here = hand.goal()
    assert hand.move.cancel(identifier) == 1
    hand.forget()
    hand.advance(STOP_TIME + 0.05)
    status, result = hand.move.result(identifier)
    assert (status, result.code) == (GoalStatus.CANCELED, MotionCode.CANCELLED)
    assert "stays there" in result.message
    rest = hand.goal()
    assert here[0] < rest[0] < start[0] + 0.1
    assert np.abs(np.diff(hand.velocities[TASK][::CYCLES], axis=0)).max() < 0.02
    hand.advance(0.5)
    np.testing.assert_array_equal(hand.goal(), rest)
    assert not hand.velocities[TASK][-1].any()
    assert hand.move.cancel(identifier) == 0


@pytest.mark.thorough
def test_goal_tolerance(hand):
    identifier = hand.move.send(
        task=TASK,
        goal=hand.away(0.05, 0.0, 0.0),
        duration=duration(0.5),
        goal_tolerance=1e-9,
        goal_time_tolerance=duration(0.3),
    )
    hand.advance(0.7)
    assert hand.node.actions.tasks._motions
    hand.advance(0.3)
    status, result = hand.move.result(identifier)
    assert (status, result.code) == (GoalStatus.ABORTED, MotionCode.GOAL_TOLERANCE_VIOLATED)
    assert f"{TASK} is off by" in result.message
    assert result.error > 1e-9
    late = hand.move.send(
        task=TASK, goal=hand.away(0.0, 0.05, 0.0), duration=duration(0.1), goal_tolerance=0.02
    )
    hand.advance(0.15)
    assert hand.node.actions.tasks._motions  # the goal is there, the hand is not
    hand.advance(2.0)
    assert hand.move.result(late)[0] is GoalStatus.SUCCEEDED


def test_path_tolerance_leaves_the_goal_where_the_robot_is(hand):
    task = hand.tasks[TASK]
    task.controller.kp.set(0.0)
    task.controller.kd.set(0.0)
    start = task.actual.value.copy()
    identifier = hand.move.send(
        task=TASK, goal=hand.away(0.0, 0.0, 0.2), duration=duration(0.5), path_tolerance=0.03
    )
    hand.advance(0.6)
    status, result = hand.move.result(identifier)
    assert (status, result.code) == (GoalStatus.ABORTED, MotionCode.PATH_TOLERANCE_VIOLATED)
    assert "path_tolerance is 0.03" in result.message
    assert np.linalg.norm(hand.goal() - start) < 0.06


def test_several_tasks_move_together(hand):
    target = hand.away(0.05, 0.0, 0.0)
    trajectories = [
        {
            "task": TASK,
            "points": [
                {"goal": hand.away(0.0, 0.05, 0.0), "time_from_start": duration(0.5)},
                {"goal": target, "time_from_start": duration(1.0)},
            ],
        },
        {
            "task": POSTURE,
            "names": [ELBOW],
            "kind": "cubic",
            "points": [{"goal": [0.5], "time_from_start": duration(1.5)}],
        },
    ]
    identifier = hand.follow.send(trajectories=trajectories)
    passed = hand.away(0.0, 0.05, 0.0)
    hand.advance(0.5 + CYCLES * hand.period)
    np.testing.assert_allclose(hand.goal(), passed, atol=0.003)
    hand.advance(0.7)
    np.testing.assert_allclose(hand.goal(), target)
    assert hand.node.actions.tasks._motions
    hand.advance(0.5)
    status, result = hand.follow.result(identifier)
    assert (status, result.code) == (GoalStatus.SUCCEEDED, MotionCode.SUCCESSFUL)
    assert len(result.errors) == 2
    assert hand.joint(ELBOW) == pytest.approx(0.5)
    hand.peer.settle()
    assert len(hand.follow.feedback[-1].feedback.errors) == 2


@pytest.mark.thorough
def test_stops_and_times(hand):
    points = [
        {"goal": hand.away(0.05, 0.0, 0.0), "time_from_start": duration(0.5), "stop": True},
        {"goal": hand.away(0.05, 0.05, 0.0), "time_from_start": duration(1.0)},
    ]
    assert hand.follow.send(trajectories=[{"task": TASK, "points": points}])
    hand.forget()
    hand.advance(1.1)
    speeds = np.linalg.norm(hand.velocities[TASK], axis=1)
    middle = round(0.5 / hand.period)
    assert speeds[middle - 3 : middle + 4].min() < 0.01
    assert speeds.max() > 0.15


@pytest.mark.thorough
def test_of_tasks_that_move_together_the_others_come_to_rest(hand):
    both = [
        {
            "task": TASK,
            "points": [{"goal": hand.away(0.1, 0.0, 0.0), "time_from_start": duration(1.0)}],
        },
        {
            "task": POSTURE,
            "names": [ELBOW],
            "points": [{"goal": [0.6], "time_from_start": duration(1.0)}],
        },
    ]
    identifier = hand.follow.send(trajectories=both)
    hand.advance(0.5)
    elbow = hand.joint(ELBOW)
    later = hand.move.send(task=TASK, goal=hand.away(0.0, 0.0, 0.0), duration=duration(1.0))
    status, result = hand.follow.result(identifier)
    assert (status, result.code) == (GoalStatus.ABORTED, MotionCode.REPLACED)
    hand.advance(STOP_TIME + 0.05)
    rest = hand.joint(ELBOW)
    assert elbow < rest < 0.6
    hand.advance(0.6)
    assert hand.joint(ELBOW) == rest
    assert hand.move.result(later)[0] is GoalStatus.SUCCEEDED
    index = hand.tasks[POSTURE].goal.labels.index(ELBOW)
    rates = np.array(hand.velocities[POSTURE])[::CYCLES, index]
    assert np.abs(np.diff(rates)).max() < 0.1


@pytest.mark.thorough
def test_actions_of_joints_and_tasks_take_over_from_each_other(hand):
    names = {"joint_names": [ELBOW]}
    points = [
        {"positions": [0.6], "velocities": [0.0], "accelerations": [0.0]}
        | {"time_from_start": duration(1.0)}
    ]
    index = hand.tasks[POSTURE].goal.labels.index(ELBOW)
    joints = hand.joints.send(trajectory={**names, "points": points})
    hand.advance(0.5)
    speed = hand.velocities[POSTURE][-1][index]
    assert speed > 0.5
    posture = hand.move.send(task=POSTURE, names=[ELBOW], goal=[0.3], duration=duration(1.0))
    status, result = hand.joints.result(joints)
    assert status is GoalStatus.ABORTED
    assert "took over" in result.error_string
    hand.advance(CYCLES * hand.period)
    assert hand.velocities[POSTURE][-1][index] == pytest.approx(speed, abs=0.1)
    hand.advance(0.5)
    speed = hand.velocities[POSTURE][-1][index]
    assert speed < -0.1
    points[0]["positions"] = [0.5]
    assert hand.joints.send(trajectory={**names, "points": points})
    status, result = hand.move.result(posture)
    assert (status, result.code) == (GoalStatus.ABORTED, MotionCode.REPLACED)
    hand.advance(CYCLES * hand.period)
    assert hand.velocities[POSTURE][-1][index] == pytest.approx(speed, abs=0.1)
    hand.advance(1.1)
    assert hand.joint(ELBOW) == pytest.approx(0.5)


def test_a_goal_on_a_topic_takes_over(hand, poll):
    publisher = hand.peer.publisher(f"{TASK}/goal_position", "geometry_msgs/msg/Point")
    identifier = hand.move.send(task=TASK, goal=hand.away(0.1, 0.0, 0.0), duration=duration(1.0))
    other = hand.move.send(task=POSTURE, names=[ELBOW], goal=[0.5], duration=duration(1.0))
    hand.advance(0.3)
    publisher.publish(new("geometry_msgs/msg/Point", x=math.nan))
    hand.server.settle()
    assert len(hand.node.actions.tasks._motions) == 2  # that is no goal
    place = hand.away(0.01, 0.0, 0.0)
    publisher.publish(new("geometry_msgs/msg/Point", x=place[0], y=place[1], z=place[2]))
    hand.server.settle()
    hand.advance(1.0)
    assert hand.move.result(identifier)[1].code == MotionCode.REPLACED
    np.testing.assert_allclose(hand.goal(), place)
    assert hand.move.result(other)[0] is GoalStatus.SUCCEEDED


REFUSALS = {
    "task": ({"task": "RightHandPositio"}, "unknown task 'RightHandPositio'.*RightHandPosition"),
    "empty": ({"goal": []}, "expected 3 finite numbers"),
    "size": ({"goal": [0.0, 0.1]}, "2 numbers"),
    "not a number": ({"goal": [math.nan, 0.0, 0.0]}, "not finite"),
    "infinite": ({"goal": [math.inf, 0.0, 0.0]}, "not finite"),
    "huge": ({"goal": [1e308, 0.0, 0.0]}, "larger than any quantity"),
    "absurd": ({"goal": [1e7, 0.0, 0.0]}, "expected at most 1e.06"),
    "kind": ({"kind": "cubik"}, "unknown kind 'cubik'.*cubic"),
    "nothing": ({"duration": {}}, "found neither duration nor limits"),
    "negative": ({"duration": {"sec": -1}}, "duration: found -1, expected 0 or more"),
    "absurdly fast": ({"duration": {"nanosec": 1}}, "expected at most 1e.06 in acceleration"),
    "longest": ({"duration": {"sec": 2**31 - 1}}, "expected 0 to 86400"),
    "speed": ({"speed": -0.1}, "speed: found -0.1"),
    "no speed": ({"speed": math.nan}, "speed: found nan"),
    "too fast": (
        {"speed": 0.01},
        "expected at most 0.01 in velocity; it takes 1 s, expected about",
    ),
    "of linear": ({"kind": "linear", "jerk": 1.0}, "no bounded jerk"),
    "of cubic": ({"kind": "cubic", "jerk": 1.0}, "no bounded jerk"),
    "duration": ({"kind": "time_optimal"}, "found a duration beside time_optimal"),
    "frame": ({"frame": "left_wrist_yaw"}, "found frame 'left_wrist_yaw', expected 'world'"),
    "names": ({"names": ["x", "y", "z"]}, "a map"),
    "names and numbers": ({"names": ["x"]}, "found 3 numbers for 1 names"),
    "tolerance": ({"goal_tolerance": math.nan}, "goal_tolerance: found nan"),
    "patience": ({"goal_time_tolerance": {"sec": -5}}, "goal_time_tolerance: found -5"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_what_cannot_be_done_is_rejected_with_words(refusing, case):
    fields, words = REFUSALS[case]
    hand, under_way = refusing
    goal = {"task": TASK, "goal": hand.away(0.05, 0.0, 0.0), "duration": duration(1.0), **fields}
    told = hand.refused(hand.move, **goal)
    assert told.startswith("move_task rejected: ")
    assert re.search(words, told), told
    before = hand.goal()
    hand.advance(0.02)
    assert hand.node.actions.tasks._motions == under_way
    assert hand.goal()[0] > before[0]


def test_a_rejection_is_told_on_the_topic_of_warnings(hand):
    told = hand.refused(hand.move, task=TASK, goal=hand.away(0.05, 0.0, 0.0), kind="cubik")
    hand.advance(0.1)
    hand.peer.settle()
    assert told in hand.warnings


def test_a_goal_out_of_reach_is_told_on_the_topic_of_warnings(hand):
    expected = f"{TASK}.goal_position: the goal is "
    hand.move.send(task=TASK, goal=hand.away(0.05, 0.0, 0.0), duration=duration(0.2))
    hand.advance(0.3)
    hand.peer.settle()
    assert not any(expected in text for text in hand.warnings)
    hand.move.send(task=TASK, goal=hand.away(9.0, 0.0, 0.0), duration=duration(2.0))
    hand.advance(2.1)
    hand.peer.settle()
    told = next(text for text in hand.warnings if expected in text)
    assert told.endswith("in any posture")
    assert hand.goal()[0] > 9.0  # it was told, and goes there all the same


def test_joints_stay_within_their_limits(hand):
    robot = hand.node.stack.robot
    index = robot.joint_index(ELBOW)
    upper, fastest = float(robot.upper_limits[index]), float(robot.velocity_limits[index])
    goal = {"task": POSTURE, "names": [ELBOW]}
    told = hand.refused(hand.move, **goal, goal=[upper + 0.01], duration=duration(5.0))
    assert f"{ELBOW} goes to" in told
    assert f"to {upper:g}, its limits" in told
    told = hand.refused(hand.move, **goal, goal=[1.5], duration=duration(0.05))
    assert f"{ELBOW} with" in told
    assert f"expected at most {fastest:.4g} in velocity" in told
    assert hand.move.send(**goal, goal=[upper], speed=100.0)
    motion = hand.node.actions.tasks._motions[0]
    left = motion.progress(hand.node.stack.clock.now)[1]
    start = hand.joint(ELBOW)
    assert left == pytest.approx(1.875 * (upper - start) / fastest, rel=0.01)


def test_the_law_of_a_task_bounds_the_speed(hand):
    """A goal that is faster than max_velocity would be left behind."""
    hand.tasks[TASK].controller.max_velocity.set(0.1)
    told = hand.refused(hand.move, task=TASK, goal=hand.away(0.2, 0.0, 0.0), duration=duration(1.0))
    assert "it moves with 0.375 m/s, expected at most 0.1 in velocity" in told
    assert "it takes 1 s, expected about 3.75 or more" in told
    hand.forget()
    assert hand.move.send(task=TASK, goal=hand.away(0.05, 0.0, 0.0), speed=1.0)
    hand.advance(1.2)
    assert hand.speeds().max() == pytest.approx(0.1, rel=0.02)


@pytest.mark.parametrize(
    ("trajectories", "words"),
    [
        ([], "found 0 trajectories"),
        ([{"task": TASK}], "found no points"),
        ([{"task": TASK}, {"task": TASK}], "found 2 trajectories for 1 tasks"),
        ([{"task": "Postur"}], "unknown task 'Postur'.*Posture"),
        ([{"task": POSTURE, "points": [{"goal": [0.1]}] * 2}], "2 x finite|finite numbers"),
        ([{"task": TASK, "points": [{"goal": [0.3, -0.3, 1.0]}]}], "each later"),
        ([{"task": TASK, "points": [{}] * (MOST_WAYPOINTS + 1)}], "expected at most 1000"),
        (
            [
                {
                    "task": TASK,
                    "points": [
                        {"goal": [0.3, (-1) ** i * 0.3, 1.0], "time_from_start": {"nanosec": i}}
                        for i in range(1, MOST_WAYPOINTS + 1)
                    ],
                }
            ],
            "expected at most|not finite|singular",
        ),
        (
            [{"task": TASK, "kind": "time_optimal", "points": [{"goal": [0.3, -0.3, 1.0]}]}],
            "unknown kind 'time_optimal'",
        ),
    ],
)
def test_trajectories_that_are_none_are_rejected(refusing, trajectories, words):
    hand, under_way = refusing
    assert re.search(words, hand.refused(hand.follow, trajectories=trajectories))
    hand.advance(0.02)
    assert hand.node.actions.tasks._motions == under_way


def test_tasks_that_do_not_act_take_no_goals_and_end_those_they_have(hand):
    goal = {"task": TASK, "goal": hand.away(0.1, 0.0, 0.0), "duration": duration(1.0)}
    running = hand.move.send(**goal)
    other = hand.move.send(task=POSTURE, names=[ELBOW], goal=[0.5], duration=duration(1.0))
    hand.advance(0.2)
    hand.tasks[TASK].operational_state.set("disable")
    hand.advance(0.1)
    status, result = hand.move.result(running)
    assert (status, result.code) == (GoalStatus.ABORTED, MotionCode.NOT_ACTIVE)
    assert result.message == f"{TASK} acts no longer"
    assert "its state is disable, expected enable" in hand.refused(hand.move, **goal)
    hand.advance(1.0)
    assert hand.move.result(other)[0] is GoalStatus.SUCCEEDED


def test_what_moves_with_a_task_that_ends_comes_to_rest(hand):
    parts = [
        {
            "task": TASK,
            "points": [{"goal": hand.away(0.1, 0.0, 0.0), "time_from_start": duration(1.0)}],
        },
        {
            "task": POSTURE,
            "names": [ELBOW],
            "points": [{"goal": [0.6], "time_from_start": duration(1.0)}],
        },
    ]
    identifier = hand.follow.send(trajectories=parts)
    hand.advance(0.5)
    hand.tasks[TASK].operational_state.set("disable")
    hand.advance(STOP_TIME + 0.1)
    assert hand.follow.result(identifier)[1].code == MotionCode.NOT_ACTIVE
    assert not hand.node.actions.tasks._motions
    assert 0.3 < hand.joint(ELBOW) < 0.6
    index = hand.tasks[POSTURE].goal.labels.index(ELBOW)
    rates = np.array(hand.velocities[POSTURE])[::CYCLES, index]
    assert np.abs(np.diff(rates)).max() < 0.1
    assert rates[-1] == 0.0


def test_inactive_controllers_take_no_goals_and_end_those_they_have(hand):
    goal = {"task": TASK, "goal": hand.away(0.1, 0.0, 0.0), "duration": duration(1.0)}
    running = hand.move.send(**goal)
    hand.advance(0.3)
    assert hand.node.lifecycle.machine.trigger("deactivate")
    hand.advance(0.05)
    status, result = hand.move.result(running)
    assert (status, result.code) == (GoalStatus.ABORTED, MotionCode.NOT_ACTIVE)
    assert "no longer active" in result.message
    assert "the controller is not active" in hand.refused(hand.move, **goal)


def test_tasks_with_a_reference_of_their_own_are_left_to_it(local):
    pytest.importorskip("ruckig")
    hand = Hand(local, **{f"tasks.{TASK}.reference": "time_optimal"})
    told = hand.refused(hand.move, task=TASK, goal=[0.3, -0.3, 1.0], duration=duration(1.0))
    assert "has a reference of its own" in told
    hand.node.stop()


@pytest.mark.thorough
def test_a_thousand_goals(hand):
    """Each takes over from the one before, and none is left behind."""
    start = hand.goal()
    rng = np.random.default_rng(1)
    hand.forget()
    for _ in range(1000):
        offset = rng.uniform(-0.02, 0.02, 3)
        assert hand.move.send(task=TASK, goal=(start + offset).tolist(), duration=duration(1.0))
    assert len(hand.node.actions.tasks._motions) == 1
    assert len(hand.node.actions.tasks._move._goals) <= KEPT_GOALS + 1
    for _ in range(50):
        offset = rng.uniform(-0.02, 0.02, 3)
        last = hand.move.send(task=TASK, goal=(start + offset).tolist(), duration=duration(1.0))
        hand.advance(2 * CYCLES * hand.period)
    hand.advance(1.1)
    assert hand.move.result(last)[0] is GoalStatus.SUCCEEDED
    np.testing.assert_allclose(hand.goal(), start + offset)
    accelerations = np.diff(hand.velocities[TASK][::CYCLES], axis=0) / (CYCLES * hand.period)
    assert np.abs(accelerations).max() < 2.0


def test_a_task_that_takes_no_goal_ends_its_own_alone(hand):
    """As one made elsewhere may, whose parameters check each other."""
    goal = {"task": TASK, "goal": hand.away(0.1, 0.0, 0.0), "duration": duration(1.0)}
    broken = hand.move.send(**goal)
    other = hand.move.send(task=POSTURE, names=[ELBOW], goal=[0.5], duration=duration(1.0))
    hand.advance(0.2)

    def refuse(_proposed):
        raise RuntimeError("no more of these")

    hand.tasks[TASK].goal.fits = refuse
    hand.advance(1.0)
    status, result = hand.move.result(broken)
    assert (status, result.code) == (GoalStatus.ABORTED, MotionCode.NOT_ACTIVE)
    assert result.message == "the goal cannot be sent: no more of these"
    assert hand.move.result(other)[0] is GoalStatus.SUCCEEDED


def test_stopping_answers_who_waits(hand):
    identifier = hand.move.send(task=TASK, goal=hand.away(0.01, 0.0, 0.0), duration=duration(100.0))
    hand.node.stop()
    motion = hand.node.actions.tasks._move._goals[bytes(identifier)]
    assert motion.status is GoalStatus.ABORTED
    assert motion.result["message"] == "the controller ends"


def test_a_task_that_leaves_ends_its_goal_and_takes_no_more(hand):
    goal = hand.away(0.05, 0.05, 0.0)
    identifier = hand.move.send(task=TASK, goal=goal, duration=duration(1.0))
    hand.advance(0.2)
    remove_task(hand)
    status, result = hand.move.result(identifier)
    assert (status, result.code) == (GoalStatus.ABORTED, MotionCode.REPLACED)
    assert result.message == f"{TASK} was removed"
    assert f"unknown task {TASK!r}" in hand.refused(hand.move, task=TASK, goal=goal)
    hand.advance(0.2)


def remove_task(hand):
    """Remove the task, and what looks at it, while the servo makes cycles, as it has to."""
    parts = hand.node.parts
    for remove, name in ((parts.remove_event, "Fast"), (parts.remove_task, TASK)):
        hand.change(remove, name)


def test_a_task_that_came_later_is_led_until_it_leaves(hand):
    entry = "{name: Wrist, type: CartesianPosition, body: left_wrist_yaw, kp: 64, kd: 16}"
    parts = hand.node.parts
    hand.change(parts.add_task, entry, 2, "enable")
    hand.advance(0.1)
    task = next(task for task in hand.node.stack.tasks.tasks if task.name == "Wrist")
    target = (task.goal.value + np.array([0.05, 0.0, 0.05])).tolist()
    identifier = hand.move.send(
        task="Wrist", goal=target, duration=duration(0.5), goal_tolerance=HERE
    )
    hand.advance(1.0)
    assert not hand.node.actions.tasks._motions
    status, result = hand.move.result(identifier)
    assert status is GoalStatus.SUCCEEDED
    assert result.error == pytest.approx(task.error_norm.value, abs=HERE)  # it comes out, too
    point = {"goal": target, "time_from_start": duration(0.5)}
    both = [
        {"task": "Wrist", "points": [point]},
        {"task": TASK, "points": [{**point, "goal": hand.goal().tolist()}]},
    ]
    identifier = hand.follow.send(trajectories=both)
    assert identifier is not None
    hand.advance(0.1)
    hand.change(parts.remove_task, "Wrist")
    status, result = hand.follow.result(identifier)
    assert status is GoalStatus.ABORTED
    assert "Wrist was removed" in result.message
    why = hand.refused(hand.move, task="Wrist", goal=target, duration=duration(0.5))
    assert "Wrist" in why
