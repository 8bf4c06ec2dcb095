"""Player: leads a goal along a path as long as somebody holds a button."""

import contextlib
import threading
import time
from collections.abc import Callable

import numpy as np

from controlit_console.goal_path import GoalPath
from controlit_ros.client import Motion, Robot
from controlit_ros.errors import ControlItError

LET_GO = 0.5  # [s] without a word that the button is held, after which the goal comes to rest
LOOK = 0.05  # [s] between two looks for that
GAP = 0.1  # [s] between goals that are passed: the spline between them is smooth
APPROACH = 0.2  # [m/s or rad/s] with which the goal goes to where the path begins or goes on
SHORTEST = 1.0  # [s] that it takes for that
NEXT_TO = 1e-6  # [s] what rounding makes of nothing


class Player:
    """Plays a path: to rest at its first goal, then in its own time, to rest where it is let go.

    Held again, it goes on from there. Goals go the way of every program's (`controlit_ros.client`),
    through the servo's own checks.

    Args:
        may_move: Tells whether the robot may be moved; it keeps it armed for a while.
    """

    def __init__(self, may_move: Callable[[], bool]) -> None:
        self._may_move = may_move
        self._path: GoalPath | None = None
        self._reached = 0.0  # [s] of the path
        self._motion: Motion | None = None
        self._lead = 0.0  # [s] that the motion takes before it is on the path
        self._since = 0.0  # [s] of the path where it gets there
        self._duration = 1.0
        self._held = -LET_GO
        self._lock = threading.Lock()

    @property
    def path(self) -> GoalPath | None:
        """What is played."""
        return self._path

    @property
    def is_over(self) -> bool:
        """Whether it is at the end of its path."""
        path = self._path
        return path is not None and self._reached >= path.duration - NEXT_TO

    @property
    def reached(self) -> float:
        """How far it is [s]."""
        motion = self._motion
        if motion is None:
            return self._reached
        passed = motion.progress * self._duration - self._lead
        return max(self._reached, self._since + passed) if passed > -NEXT_TO else self._reached

    @property
    def plays(self) -> bool:
        """Whether the goal moves."""
        motion = self._motion
        return motion is not None and not motion.done

    def load(self, path: GoalPath | None) -> None:
        """Take another path, from its beginning."""
        self.halt()
        self._path, self._reached = path, 0.0

    def rewind(self) -> None:
        """Begin anew when it is held next."""
        self.halt()
        self._reached = 0.0

    def hold(self, robot: Robot) -> None:
        """Say that the button is held: begin, or go on.

        Raises:
            ControlItError: The path does not fit the task, or control refuses.
        """
        with self._lock:
            self._held = time.monotonic()
            path = self._path
            if path is None or self.plays or self.is_over:
                return
            self._begin(robot, path)

    def halt(self) -> None:
        """Let the goal stay where it is, at once."""
        with self._lock:
            motion, self._motion = self._motion, None
        if motion is not None:
            motion.replace()

    def _begin(self, robot: Robot, path: GoalPath) -> None:
        task = robot.task(path.task)
        path.check(task.goal)
        left = path.rest(self._reached) if self._reached else path
        way = float(np.linalg.norm(left.goals[0] - task.goal))
        self._lead = max(SHORTEST, way / APPROACH)
        self._since = float(left.times[0])
        even = left.even(GAP)
        times = self._lead + even.times - self._since
        self._duration = float(times[-1])
        stops = [0]  # the way there may be long: it has a time of its own, and ends at rest
        motion = task.move_through(list(even.goals), times.tolist(), stops=stops)
        self._motion = motion
        threading.Thread(target=self._watch, args=(motion,), name="player", daemon=True).start()

    def _watch(self, motion: Motion) -> None:
        """Let the goal come to rest where the button is let go or motion disarmed."""
        while not motion.done:
            if time.monotonic() - self._held > LET_GO or not self._may_move():
                motion.cancel()
            time.sleep(LOOK)
        with contextlib.suppress(ControlItError):
            motion.wait(0.0)
        with self._lock:
            if self._motion is motion:
                self._reached, self._motion = self.reached, None
