"""What Talos is asked for, and when, by a robot that does as it is told at once."""

from types import SimpleNamespace

import numpy as np
import pytest

from controlit_demos.humanoid import demo
from controlit_demos.humanoid.demo import COM, FOOT, LEFT_HAND, RIGHT_HAND, HumanoidProgram
from controlit_ros.client import MotionState

STEP = 0.1  # [s]
START = {
    COM: np.array([0.0, 0.0, 0.87]),
    FOOT: np.array([0.0, -0.08, 0.0]),
    RIGHT_HAND: np.array([0.3, -0.3, 0.9]),
    LEFT_HAND: np.array([0.3, 0.3, 0.9]),
}


class Obedient:
    """Stands in for a robot and its course; keeps what is asked for, and when."""

    def __init__(self):
        self.time = 0.0
        self.places = {name: place.copy() for name, place in START.items()}
        self.asked = []
        self.problems = []
        self.happens = lambda: None

    @property
    def elapsed(self):
        return self.time

    def enter(self, _phase):
        pass

    def together(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        pass

    def wait(self, condition, timeout):
        end = self.time + timeout - STEP / 2.0
        while self.time < end:
            self.time += STEP
            self.happens()
            if condition():
                return True
        return False

    def set(self, values):
        self.asked.append((self.time, values))

    def push(self, link, force, duration):
        self.asked.append((self.time, (link, force, duration)))

    def close(self):
        pass

    def task(self, name):
        def move_to(goal, _duration, kind):
            assert kind == "cubic"
            self.places[name] = np.array(goal)
            self.asked.append((self.time, name))
            return SimpleNamespace(now=lambda: self.time, wait=lambda _: MotionState.ARRIVED)

        place = self.places[name].copy()
        return SimpleNamespace(goal=place, actual=place, move_to=move_to)


@pytest.fixture
def robot(monkeypatch):
    robot = Obedient()
    monkeypatch.setattr(demo, "pusher", lambda _stack: robot)
    return robot


def play(robot):
    HumanoidProgram(None).run(robot, robot)


def test_everything_comes_once_in_its_order_and_at_its_time(robot):
    play(robot)
    assert robot.problems == []
    assert robot.time == pytest.approx(HumanoidProgram.duration)
    pushes = [(time, what[1]) for time, what in robot.asked if isinstance(what, tuple)]
    assert [time for time, _ in pushes] == pytest.approx([0.5, 3.5, 6.5, 31.5])
    sides = [np.sign(force).tolist() for _, force in pushes]
    assert sides == [[0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0]]
    rest = [what for _, what in robot.asked if not isinstance(what, tuple)]
    both = [RIGHT_HAND, LEFT_HAND]
    assert rest[:7] == [*both, *both, COM, demo.ON_ONE_FOOT, COM]
    assert rest[7:] == [FOOT, FOOT, COM, demo.ON_TWO_FEET, COM]
    for name, place in START.items():
        np.testing.assert_allclose(robot.places[name], place)


def test_it_ends_when_it_falls(robot):
    def fall():
        if robot.time > 4.05:
            robot.places[COM][2] = 0.69

    robot.happens = fall
    play(robot)
    assert robot.problems == ["it fell at 4.10 s"]


def test_a_foot_that_is_not_lifted_is_told(robot, monkeypatch):
    monkeypatch.setattr(demo, "LIFT", (0.05, 0.0, 0.059))
    play(robot)
    (problem,) = robot.problems
    assert problem.startswith("the foot is down at 2")
