"""Route: a program that leads goals of tasks along stops."""

from collections.abc import Sequence

import numpy as np

from controlit_demos.programs.demo_course import DemoCourse
from controlit_demos.programs.stage import wait_for_goals
from controlit_demos.programs.stop import Stop
from controlit_ros.arrays import Array
from controlit_ros.client import ControlEndedError, Motion, MotionState, Robot, wait_all

PAUSE = "pause"


class Route:
    """Leads goals along stops, from where they are; in between they follow cubic splines.

    A `Program`. When control ends on the way and comes back by itself, it goes on to the next stop.

    Args:
        stops: In their order.
    """

    def __init__(self, stops: Sequence[Stop]) -> None:
        self.stops = tuple(stops)

    @property
    def duration(self) -> float:
        """Time of the last goal [s]."""
        return sum(stop.duration + stop.pause for stop in self.stops)

    def run(self, robot: Robot, course: DemoCourse) -> None:
        """Pass every stop (see `Program.run`)."""
        passed = 0
        while passed < len(self.stops):
            try:
                motions = self._begin(robot, self.stops[passed:])
                for stop in self.stops[passed:]:
                    _approach(robot, course, stop, motions)
                    passed += 1
                wait_for_goals(robot, motions)
            except ControlEndedError as error:
                course.recover(robot, error)

    def _begin(self, robot: Robot, stops: Sequence[Stop]) -> list[Motion]:
        names = dict.fromkeys(name for stop in self.stops for name in stop.goals)
        place: dict[str, Array] = {name: robot.task(name).goal for name in names}
        times: list[float] = []
        rests: list[int] = []
        points: dict[str, list[Array]] = {name: [] for name in names}

        def reach(time: float) -> None:
            times.append(time)
            for name, goal in place.items():
                points[name].append(goal)

        for stop in stops:
            place |= {name: np.array(goal, dtype=float) for name, goal in stop.goals.items()}
            reach(stop.duration + (times[-1] if times else 0.0))
            if stop.pause > 0.0:
                reach(times[-1] + stop.pause)
                rests += [len(times) - 2, len(times) - 1]
        with robot.together():
            return [
                robot.task(name).move_through(points[name], times, stops=rests, kind="cubic")
                for name in names
            ]


def _approach(robot: Robot, course: DemoCourse, stop: Stop, motions: Sequence[Motion]) -> None:
    """Let the time of a stop pass; raise what ends a motion."""
    for name, duration in ((stop.name, stop.duration), (PAUSE, stop.pause)):
        if duration > 0.0:
            course.enter(name)
        if robot.wait(lambda: any(m.state is MotionState.FAILED for m in motions), duration):
            wait_all(motions)
