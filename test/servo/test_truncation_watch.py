"""What limits hold back for long is told, and what they hold back for a moment is not."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tries import tries

from controlit_ros.controllers.command import Command
from controlit_ros.model import RobotState
from controlit_ros.servo import NoticeBoard, NoticeLevel, OnTruncation, TruncationSettings
from controlit_ros.servo.queue import LocalQueue
from controlit_ros.servo.routine import Routine
from controlit_ros.servo.truncation_watch import GAP, PART, TruncationWatch

JOINTS = ("shoulder", "elbow", "spool")


class StandIn:
    """What the watch sees of a task."""

    def __init__(self, *, valid):
        self.goal = SimpleNamespace(stated=True)
        self.active = SimpleNamespace(valid=valid)
        self.latched = 0

    def latch_goal(self):
        self.latched += 1


class Watched:
    """A watch of three joints, the last without effort limit; the second is held back."""

    def __init__(self, limit=40.0, frequency=1000.0, **values):
        robot = SimpleNamespace(
            command_joints=JOINTS, command_indices=np.arange(3),
            effort_limits=np.array([limit, limit, np.inf]), velocity_limits=np.ones(3),
            lower_limits=-np.ones(3), upper_limits=np.ones(3),
        )  # fmt: skip
        self.queue, self.limit, self.frequency = LocalQueue(lambda _: None), limit, frequency
        self.tasks = (StandIn(valid=True), StandIn(valid=False))
        self.watch = TruncationWatch(
            robot, TruncationSettings(**values), frequency, self.tasks, NoticeBoard(self.queue)
        )
        self.state, self.cycles = RobotState(JOINTS), 0
        self.gravity = np.zeros(3)
        self.command = Command(JOINTS)

    @property
    def now(self):
        return self.cycles / self.frequency

    def see(self, asked, sent, cycles=1, command=None):
        """Play cycles with shares of the limit, all joints asked the same."""
        command = command or self.command
        ask, look = self.routines(command)
        for _ in range(cycles):
            command.effort[:] = self.limit * np.array([0.0, asked, asked])
            ask.run(self.now)
            command.effort[:] = self.limit * np.array([0.0, sent, sent])
            look.run(self.now)
            self.cycles += 1

    def routines(self, command):
        """Return what is done before limits are applied to a command, and after that."""
        asking = self.watch.asking(command, self.state)
        return Routine([asking]), Routine(self.watch.looking(command, self.gravity))

    def notices(self):
        return list(self.queue.drain())


@settings(max_examples=tries(60), deadline=None)
@given(
    st.floats(-3.0, 3.0),
    st.floats(-0.99, 0.99),
    st.floats(0.02, 2.0),
    st.sampled_from([1e-3, 1.0, 1e5]),
    st.sampled_from([100.0, 500.0]),
)
def test_what_is_held_back_for_long_is_told_and_nothing_else(asked, sent, time, limit, frequency):
    if abs(abs(asked - sent) - PART) < 1e-3 or abs(abs(asked) - 1.0) < 0.01:
        return
    watched = Watched(limit, frequency, time=time)
    watched.gravity[1] = -0.96 * limit
    watched.see(asked, sent, max(0, round(time * frequency) - 1))
    assert watched.notices() == []
    watched.see(asked, sent, 3)
    found = watched.notices()
    if abs(asked - sent) < PART and abs(asked) < 1.0:
        assert found == []
        return
    (notice,) = found
    assert notice.level is NoticeLevel.WARNING
    assert "hold back elbow" in notice.text
    assert "shoulder" not in notice.text
    assert "spool" not in notice.text
    assert f"asked {asked * limit:.4g}, sent {sent * limit:.4g}, limit {limit:.4g}" in notice.text
    assert "gravity took" in notice.text
    assert "(96 %)" in notice.text
    assert [task.latched for task in watched.tasks] == [0, 0]
    assert watched.watch.rest.complaint(watched.now) == ""


@pytest.mark.parametrize("level", [1.0, -1.0, 1.5])
def test_standing_at_the_limit_counts_although_nothing_is_truncated(level):
    watched = Watched()
    watched.see(level, level, 600)
    assert len(watched.notices()) == 1


@pytest.mark.parametrize(("gap", "expected"), [(0.8 * GAP, 1), (1.2 * GAP, 0)])
def test_a_moment_without_is_no_interruption_and_a_longer_one_is(gap, expected):
    watched = Watched(time=0.5)
    for _ in range(6):
        watched.see(2.0, 0.9, 120)
        watched.see(0.5, 0.5, round(gap * watched.frequency))
    assert len(watched.notices()) == expected


def test_gravity_beyond_the_motor_is_called_so_as_it_was_at_the_beginning():
    watched = Watched()
    watched.gravity[1] = 1.05 * watched.limit
    watched.see(1.05, 0.9)
    watched.gravity[1] = 0.0
    watched.see(1.05, 0.9, 600)
    assert "gravity alone took more: 42 (105 %)" in watched.notices()[0].text


def test_hold_latches_every_goal_again_and_again_while_it_does_not_help():
    watched = Watched(on_truncation=OnTruncation.HOLD, time=0.5)
    watched.see(2.0, 0.9, 1600)
    assert [task.latched for task in watched.tasks] == [3, 0]
    assert all(task.goal.stated for task in watched.tasks)
    (first, *_) = watched.notices()
    assert first.level is NoticeLevel.ERROR
    assert "latched to where the robot is" in first.text
    assert watched.watch.rest.complaint(watched.now) == ""


def test_safe_gives_up_goals_and_rests_longer_each_time():
    watched = Watched(on_truncation=OnTruncation.SAFE, time=0.5)
    for rest in (2.0, 4.0):
        watched.see(2.0, 0.9, 502)
        assert f"rests for {rest:g} s" in watched.watch.rest.complaint(watched.now)
        assert [task.goal.stated for task in watched.tasks] == [False, False]
        assert [task.latched for task in watched.tasks] == [0, 0]
        watched.cycles += round(rest * watched.frequency)
        assert watched.watch.rest.complaint(watched.now) == ""
    watched.see(2.0, 0.9, 502)
    watched.watch.restart()
    assert watched.watch.rest.complaint(watched.now) == ""


def test_what_drives_add_counts_and_moving_it_into_the_effort_does_not():
    watched = Watched(time=0.5)
    drives = Command(JOINTS, with_motion=True, with_gains=True)
    drives.stiffness.fill(10.0)
    drives.position.fill(2.0)  # 20 of 40
    watched.see(0.3, 0.3, 600, drives)
    assert watched.notices() == []
    drives.position.fill(3.0)
    watched.see(0.3, 0.3, 600, drives)
    assert "asked 42, sent 42" in watched.notices()[0].text
    watched = Watched(time=0.5)
    ask, look = watched.routines(drives)
    for _ in range(600):
        drives.effort.fill(8.0)
        drives.position.fill(2.0)
        ask.run(watched.now)
        drives.effort.fill(28.0)
        drives.position.fill(0.0)
        look.run(watched.now)
        watched.cycles += 1
    assert watched.notices() == []
