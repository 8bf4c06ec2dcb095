"""A program of a demonstration, played on a controller in simulated time."""

from contextlib import contextmanager
from types import SimpleNamespace

from controlit_demos.programs.demo_course import DemoCourse
from controlit_ros.client import SimulatedBeat, connect
from controlit_ros.scripting import SimulatedController


class Watched(SimulatedBeat):
    """Lets a test do something each round."""

    def __init__(self, controller):
        super().__init__(controller)
        self.look = lambda: None

    def step(self):
        super().step()
        self.look()


@contextmanager
def stage(configuration, overrides=None):
    """Return controller, client, its beat, a course and a record of the goals."""
    with SimulatedController(configuration, overrides) as controller:
        beat = Watched(controller)
        with (
            connect(transport=controller.transport, beat=beat) as robot,
            robot.record_goals() as record,
        ):
            course = DemoCourse(controller.transport, beat.now)
            yield SimpleNamespace(
                controller=controller, robot=robot, beat=beat, course=course, record=record
            )


def goals_of(found, task):
    """Return times since the first phase, and the goals of a task that went out then."""
    times, values = found.record.goals(task)
    return times - found.course.origin, values


def lose_control(found):
    """Let the robot be silent for a while, so that control ends; it comes back by itself."""
    robot = found.controller.stack.robot_interface
    robot.read = lambda _state: False
    found.controller.advance(0.2)
    del robot.read
    assert found.robot.state == "safe"
