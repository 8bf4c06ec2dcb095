"""latch: one task that does not take it keeps no other from stopping."""

from controlit_console.latching import latch
from controlit_console.parts import ParameterView, PartView
from controlit_ros.client import RefusedError


class FakeRobot:
    """Sets all or nothing, and refuses some."""

    def __init__(self, refused=()):
        self.refused = refused
        self.held = []

    def set(self, values):
        for name in values:
            if name in self.refused:
                raise RefusedError(f"{name} is not taken in mode hold")
        self.held += values


def task(name):
    def parameter(own, role=""):
        return ParameterView(name, own, "float", (), "", "", False, 0.0, role, ())

    return PartView(name, "JointPosition", "enable", 0, (parameter("tare"), parameter("q", "goal")))


TASKS = [task("Hand"), task("Head"), task("Posture")]


def test_all_stop_in_one_cycle():
    robot = FakeRobot()
    assert latch(robot, TASKS) == (
        "Stopped: the goals are where the robot is (Hand, Head, Posture)."
    )
    assert robot.held == ["Hand.tare", "Head.tare", "Posture.tare"]


def test_one_that_is_refused_keeps_no_other_from_stopping():
    robot = FakeRobot(refused=("Head.tare",))
    told = latch(robot, TASKS)
    assert robot.held == ["Hand.tare", "Posture.tare"]
    assert "(Hand, Posture)" in told
    assert "Refused: Head.tare is not taken in mode hold" in told


def test_nothing_to_stop_is_told():
    robot = FakeRobot()
    assert "No task acts" in latch(robot, [])
    assert robot.held == []
