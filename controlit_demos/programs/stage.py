"""Stage: a piece of a program in which every goal moves along one spline."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from controlit_demos.programs.demo_course import DemoCourse
from controlit_ros.client import ControlEndedError, Motion, MotionState, Robot, wait_all

LONGEST = 3600.0  # [s] a motion ends by itself before that


class Stage(NamedTuple):
    """Where goals go within a time.

    Attributes:
        duration: Time it takes [s].
        paths: Points to pass, evenly in time, the last one to rest at; by task name. Goals of
            other tasks stay where they are.
    """

    duration: float
    paths: Mapping[str, Sequence[Sequence[float]]]

    def play(self, robot: Robot, course: DemoCourse) -> None:
        """Lead all goals to their ends; anew after control has ended and come back by itself.

        Raises:
            ClientError: A goal cannot be led there.
        """
        while True:
            begin = robot.time
            try:
                wait_for_goals(robot, self._begin(robot))
            except ControlEndedError as error:
                course.recover(robot, error)
            else:
                robot.sleep(begin + self.duration - robot.time)
                return

    def _begin(self, robot: Robot) -> list[Motion]:
        with robot.together():
            return [
                robot.task(name).move_through(points, self._times(len(points)), kind="cubic")
                for name, points in self.paths.items()
            ]

    def _times(self, points: int) -> list[float]:
        times: list[float] = np.linspace(0.0, self.duration, points + 1)[1:].tolist()
        return times


def wait_for_goals(robot: Robot, motions: Sequence[Motion]) -> None:
    """Wait until all goals are at the ends of their paths; the robot may still follow.

    Raises:
        ClientError: A motion could not be finished.
    """
    robot.wait(lambda: not any(motion.is_moving for motion in motions), LONGEST)
    if any(motion.state is MotionState.FAILED for motion in motions):
        wait_all(motions)
