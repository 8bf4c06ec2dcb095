"""Joints that swing because their goals do are distinguished from control that diverges."""

import math

import numpy as np
import pytest
from rig import Rig

from controlit_ros.servo import CoordinatorState
from controlit_ros.servo.goal_watch import GoalWatch, JointSwing

_, ACTIVE, SAFE = CoordinatorState
SECONDS = 1000  # [cycles]


class Fought:
    """A rig whose goal is set by several publishers."""

    def __init__(self, *, kp=100.0, kd=20.0, **settings):
        self.rig = Rig(soft_start_time=0.0, **settings)
        law = self.rig.tasks[0].controller
        law.kp.assign(np.full(2, kp))
        law.kd.assign(np.full(2, kd))
        self.rig.activate(100)
        self.notices = []

    def play(self, goal_at, duration, name="goal"):
        """Set goals, `(cycle) -> value or None`; return the texts of all notices."""
        task = self.rig.tasks[0]
        for cycle in range(round(duration * SECONDS)):
            value = goal_at(cycle)
            if value is not None:
                task.parameters[name].set(np.clip(value, -25.0, 25.0))
            self.rig.run(1)
        self.rig.outbox.deliver_all()
        return [notice.text for notice in self.rig.notices]


def square(rate, distance, *, duplicates=1, jitter=0.0, seed=0):
    """Two publishers, one after the other, each at a rate [Hz]."""
    rng = np.random.default_rng(seed)
    every = round(SECONDS / rate / 2)

    def at(cycle):
        if cycle % every:
            return None
        side = (cycle // every // duplicates) % 2
        return (side - 0.5) * distance + jitter * distance * rng.uniform(-1.0, 1.0, 2)

    return at


@pytest.mark.parametrize("jitter", [0.0, 0.03])
@pytest.mark.parametrize(("rate", "duplicates"), [(50, 1), (25, 1), (10, 1), (50, 2), (50, 5)])
@pytest.mark.parametrize(("kp", "kd"), [(100.0, 20.0), (400.0, 40.0)])
def test_two_publishers_are_named_and_control_stays(kp, kd, rate, duplicates, jitter):
    fought = Fought(kp=kp, kd=kd)
    texts = fought.play(square(rate, 5.0, duplicates=duplicates, jitter=jitter), 4.0)
    assert fought.rig.state is ACTIVE, texts
    assert not any("diverges" in text or "lower gains" in text for text in texts), texts
    named = [text for text in texts if "two publishers set it in turn" in text]
    assert named or not any("swing" in text for text in texts)
    assert all("task.goal goes between" in text for text in named)


def test_the_fight_of_the_report_is_noticed():
    texts = Fought(kp=400.0, kd=40.0).play(square(50, 5.0), 4.0)
    assert any("two publishers set it in turn; let only one set it" in text for text in texts)


@pytest.mark.parametrize("frequency", [2.5, 4.0, 8.0])
def test_a_goal_that_is_led_back_and_forth_is_no_divergence(frequency):
    fought = Fought(kp=900.0, kd=60.0)
    speed = 2.0 * math.pi * frequency

    def goal(cycle):
        size = 3.0 / speed * min(1.0, cycle / SECONDS)
        return size * math.sin(speed * cycle / SECONDS)

    texts = fought.play(goal, 4.0)
    assert fought.rig.state is ACTIVE, texts
    assert not any("diverges" in text for text in texts), texts
    told = [text for text in texts if "swing as commanded" in text]
    assert told
    assert not any("publishers" in text for text in told)


def delay(rig, cycles):
    """Let commands arrive late, which gains that are high do not bear."""
    waiting = []
    write = rig.robot.write

    def late(command):
        waiting.append(command.effort.copy())
        write(command)
        if len(waiting) > cycles:
            np.clip(waiting.pop(0), -50.0, 50.0, out=rig.robot.effort)

    rig.robot.write = late


GOALS = {
    "at rest": lambda _cycle: None,
    "a noisy publisher": square(50, 0.004, jitter=1.0),
    "two publishers that nearly agree": square(50, 0.01),
}


@pytest.mark.parametrize("goals", GOALS.values(), ids=GOALS)
def test_divergence_stays_one_whatever_the_goals_do(goals):
    fought = Fought(kp=900.0, kd=60.0)
    delay(fought.rig, 28)
    fought.rig.robot.velocity[:] = 0.1
    texts = fought.play(goals, 4.0)
    assert any("control diverges" in text for text in texts), texts


class TestCause:
    """Of swings of single joints, with a Jacobian of one."""

    SWING = 2.0 * math.pi * 5.0 * 0.1  # [rad/s] of 0.1 rad at 5 Hz

    def watch(self, name="goal", size=0.1, frequency=5.0):
        rig = Rig()
        rig.activate(5)
        task = rig.tasks[0]
        watch = GoalWatch(rig.tasks)
        for now in np.arange(0.0, 1.5, 0.01):
            phase = math.sin(2.0 * math.pi * frequency * now)
            task.parameters[name].set(size * phase)
            watch.follow(now)
        return watch, task

    @pytest.mark.parametrize(
        ("name", "size"), [("goal", 0.1), ("goal_velocity", 0.1 * 2.0 * math.pi * 5.0)]
    )
    @pytest.mark.parametrize(
        ("speed", "frequency", "is_commanded"),
        [
            (1.0, 5.0, True),
            (0.2, 5.0, True),
            (5.0, 5.0, False),
            (1.0, 30.0, False),
            (1.0, 1.0, False),
        ],
    )
    def test_size_and_frequency_decide(self, name, size, speed, frequency, is_commanded):
        watch, _ = self.watch(name, size)
        text = watch.cause([JointSwing(0, speed * self.SWING, frequency)], 1.5)
        assert bool(text) is is_commanded
        assert not text or f"task.{name} goes between" in text

    def test_a_goal_that_rests_since_then_commands_nothing(self):
        watch, _ = self.watch()
        assert watch.cause([JointSwing(0, self.SWING, 5.0)], 1.6)
        assert not watch.cause([JointSwing(0, self.SWING, 5.0)], 2.0)

    def test_one_joint_that_follows_none_is_enough(self):
        watch, _ = self.watch()
        joints = [JointSwing(0, self.SWING, 5.0), JointSwing(1, 10.0 * self.SWING, 5.0)]
        assert not watch.cause(joints, 1.5)

    def test_a_task_that_does_not_act_commands_nothing(self):
        watch, task = self.watch()
        task.operational_state.assign("sense")
        assert not watch.cause([JointSwing(0, self.SWING, 5.0)], 1.5)

    def test_what_is_forgotten_commands_nothing(self):
        watch, _ = self.watch()
        watch.begin()
        assert not watch.cause([JointSwing(0, self.SWING, 5.0)], 1.5)

    def test_a_goal_that_moves_one_way_swings_not(self):
        rig = Rig()
        watch = GoalWatch(rig.tasks)
        for now in np.arange(0.0, 1.5, 0.01):
            rig.tasks[0].goal.set(now)
            watch.follow(now)
        assert watch.swings(1.5) == []
