"""Player: moves a goal only while a button is held, and goes on where it was let go."""

import numpy as np
import pytest

from controlit_console import player as module
from controlit_console.console_error import ConsoleError
from controlit_console.goal_path import GoalPath
from controlit_console.player import Player
from controlit_ros.client import MotionError

PATH = GoalPath("Hand", np.array([0.0, 1.0, 2.0]), np.array([[1.0], [2.0], [3.0]]))


class FakeMotion:
    """A motion whose progress a test sets."""

    def __init__(self, waypoints, times):
        self.waypoints, self.times = waypoints, times
        self.progress, self.done, self.ends = 0.0, False, []

    def cancel(self):
        self.ends.append("cancel")
        self.done = True

    def replace(self):
        self.ends.append("replace")
        self.done = True

    def wait(self, _timeout):
        pass


class FakeTask:
    """A task at rest."""

    def __init__(self):
        self.goal = np.array([0.0])
        self.motions = []

    def move_through(self, waypoints, times, *, stops):
        assert stops == [0]
        self.motions.append(FakeMotion([w.tolist() for w in waypoints], times))
        return self.motions[-1]


class FakeRobot:
    """A robot of one task."""

    def __init__(self):
        self.hand = FakeTask()

    def task(self, name):
        if name != "Hand":
            raise MotionError(f"there is no {name}")
        return self.hand


@pytest.fixture
def robot():
    return FakeRobot()


@pytest.fixture
def allowed():
    return [True]


@pytest.fixture
def player(allowed, monkeypatch):
    monkeypatch.setattr(module, "LET_GO", 1e6)  # the button stays held
    player = Player(lambda: allowed[0])
    player.load(PATH)
    yield player
    player.halt()


def test_it_goes_to_where_the_path_begins_and_then_in_its_time(player, robot):
    player.hold(robot)
    (motion,) = robot.hand.motions
    np.testing.assert_allclose(motion.waypoints, np.linspace([1.0], [3.0], 21))
    np.testing.assert_allclose(motion.times, np.linspace(5.0, 7.0, 21))  # a metre at 0.2 m/s first
    player.hold(robot)
    assert len(robot.hand.motions) == 1  # it is under way


def test_it_stops_when_the_button_is_let_go(player, robot, poll, monkeypatch):
    player.hold(robot)
    (motion,) = robot.hand.motions
    monkeypatch.setattr(module, "LET_GO", 0.0)
    poll(lambda: motion.ends == ["cancel"])
    poll(lambda: not player.plays)


def test_it_stops_when_motion_is_disarmed(player, robot, allowed, poll):
    player.hold(robot)
    (motion,) = robot.hand.motions
    allowed[0] = False
    poll(lambda: motion.ends == ["cancel"])


def test_a_stop_ends_it_at_once(player, robot):
    player.hold(robot)
    player.halt()
    (motion,) = robot.hand.motions
    assert motion.ends == ["replace"]
    assert not player.plays


def test_it_goes_on_where_it_was_let_go(player, robot, allowed, poll):
    player.hold(robot)
    (motion,) = robot.hand.motions
    motion.progress = 6.5 / 7.0  # a second and a half of the path
    assert player.reached == pytest.approx(1.5)
    allowed[0] = False
    poll(lambda: player.plays is False and player._motion is None)
    assert player.reached == pytest.approx(1.5)
    allowed[0] = True
    robot.hand.goal = np.array([2.5])
    player.hold(robot)
    assert robot.hand.motions[1].waypoints == [[3.0]]
    assert robot.hand.motions[1].times == pytest.approx([2.5])
    robot.hand.motions[1].progress = 1.0
    assert player.reached == pytest.approx(2.0)
    player.rewind()
    assert player.reached == 0.0


def test_what_was_played_to_its_end_is_not_begun_again(player, robot, allowed, poll):
    player.hold(robot)
    robot.hand.motions[0].progress = 1.0
    robot.hand.motions[0].done = True
    poll(lambda: player._motion is None)
    assert player.is_over
    player.hold(robot)
    assert len(robot.hand.motions) == 1


def test_a_path_of_other_goals_than_the_task_has_is_refused(player, robot):
    robot.hand.goal = np.zeros(3)
    with pytest.raises(ConsoleError, match="found 1 numbers in each, expected 3 for Hand"):
        player.hold(robot)
    assert robot.hand.motions == []


def test_without_a_path_nothing_moves(player, robot):
    player.load(None)
    player.hold(robot)
    assert robot.hand.motions == []


def test_a_refusal_is_told(player, robot):
    player.load(PATH._replace(task="Foot"))
    with pytest.raises(MotionError, match="there is no Foot"):
        player.hold(robot)
