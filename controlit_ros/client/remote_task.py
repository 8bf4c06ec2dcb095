"""RemoteTask: a task of a running controller."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from controlit_ros.arrays import Array, Flags
from controlit_ros.client.arrival_check import TOLERANCE
from controlit_ros.client.checked_path import checked_path
from controlit_ros.client.client_errors import ControlEndedError, MotionError
from controlit_ros.client.motion import Present
from controlit_ros.client.plain_value import plain_value
from controlit_ros.client.remote_part import RemotePart
from controlit_ros.parameters import PlannedTurns
from controlit_ros.paths.arc import Arc
from controlit_ros.paths.limited import (
    WAYPOINT_KINDS,
    kind_named,
    limited_path,
    limited_path_through,
    limited_path_to,
    limits_for,
)
from controlit_ros.paths.trajectory import PathKind, TrajectorySample

if TYPE_CHECKING:
    from controlit_ros.client.description import TaskDescription
    from controlit_ros.client.motion import Motion
    from controlit_ros.paths.path import Path

ENABLE, DISABLE, SENSE = "enable", "disable", "sense"
FARTHEST_START = 0.01  # [SI] between the goal and the beginning of a path that takes it along

Goal = Any
"""Numbers, or for goals with names a map from some of them to numbers."""


class RemoteTask(RemotePart):
    """Moves, reads and switches one task.

    Goals are in the task's own frame and units. A motion begins where the goal is now, also in
    mid-motion, so no goal jumps; `goal = …` sets it at once.
    """

    @property
    def type(self) -> str:
        """Type of the task, `CartesianPosition`."""
        return self._description.type

    @property
    def labels(self) -> tuple[str, ...]:
        """Names of the goal's numbers, of joints for example; empty where they have none."""
        return self._description.goal.labels

    @property
    def goal(self) -> Array:
        """The goal the servo follows now; setting it is done when the servo has it."""
        value: Array = np.array(self._value(self._description.goal.name), dtype=float)
        return value

    @goal.setter
    def goal(self, goal: Goal) -> None:
        value = self._goals([goal], self.goal)[0]
        self._robot.set({self._description.goal.full_name: value})

    @property
    def actual(self) -> Array:
        """What the task measures."""
        value: Array = self._robot.session.output(self.name, "actual")
        return value

    @property
    def error(self) -> Array:
        """Goal minus actual value, or the turn between them."""
        value: Array = self._robot.session.output(self.name, "error")
        return value

    @property
    def error_norm(self) -> float:
        """Length of the error."""
        return float(self._robot.session.output(self.name, "error_norm"))

    @property
    def state(self) -> str:
        """`enable`, `disable` or `sense`."""
        return str(self._value("operational_state"))

    @property
    def priority(self) -> int:
        """Level in the compound task; higher wins."""
        return int(self._value("priority"))

    @priority.setter
    def priority(self, level: int) -> None:
        self._robot.session.link.ask("control/setTaskPriority", task=self.name, priority=level)

    def enable(self) -> None:
        """Let it act; returns when the servo has taken it over."""
        self._switch(ENABLE)

    def disable(self) -> None:
        """Let it neither act nor measure."""
        self._switch(DISABLE)

    def sense(self) -> None:
        """Let it measure, but not act."""
        self._switch(SENSE)

    def move_to(
        self,
        goal: Goal,
        duration: float | None = None,
        *,
        speed: float | None = None,
        acceleration: float | None = None,
        jerk: float | None = None,
        kind: PathKind | str = PathKind.MINIMUM_JERK,
        tolerance: float = TOLERANCE,
    ) -> Motion:
        """Lead the goal to another one, orientations the shortest way round.

        Limits are of the length of a point's, direction's or orientation's motion, of a posture of
        each joint. Without a duration the motion takes as long as they need, with one they are
        checked.

        Args:
            goal: Where to; for a posture also a map from some joints to positions.
            duration: How long it takes [s].
            speed: How fast it moves at most [m/s or rad/s].
            acceleration: Largest one [m/s² or rad/s²].
            jerk: Largest one [m/s³ or rad/s³].
            kind: `linear`, `cubic`, `minimum_jerk`, or `time_optimal`: the shortest time within the
                limits, which are 0.5, 4 and 50 unless stated; it needs Ruckig.
            tolerance: Error with which the robot counts as arrived [m, rad], see `Motion.wait`.

        Raises:
            MotionError: The task does not act.
            ControlEndedError: Control is not active.
            ParameterError: It is no goal of this task; the text has what is expected.
            TrajectoryError: There is no such path.
            MissingRuckigError: The kind needs Ruckig, and that is not installed.
        """
        named = kind_named(kind)
        limits = limits_for(named, speed=speed, acceleration=acceleration, jerk=jerk)
        start = self._start()
        target = self._goals([goal], start.sample.value)[0]
        path = limited_path_to(
            self._description.goal,
            start.sample,
            target,
            kind=named,
            duration=duration,
            limits=limits,
        )
        return self._begin(path, start, tolerance, target != start.sample.value)

    def move_through(
        self,
        waypoints: Sequence[Goal],
        times: Sequence[float] | None = None,
        *,
        speed: float | None = None,
        acceleration: float | None = None,
        jerk: float | None = None,
        stops: Sequence[int] = (),
        kind: PathKind | str = PathKind.MINIMUM_JERK,
        tolerance: float = TOLERANCE,
    ) -> Motion:
        """Lead the goal through waypoints, and to rest at the last.

        Args:
            waypoints: Where it passes; in maps, joints left out stay as at the waypoint before.
            times: When each is passed, from now on [s].
            speed: How fast it moves at most [m/s or rad/s].
            acceleration: Largest one [m/s² or rad/s²].
            jerk: Largest one [m/s³ or rad/s³].
            stops: Numbers of the waypoints to rest at on the way, counted from 0.
            kind: `linear`, `cubic` or `minimum_jerk`.
            tolerance: As of `move_to`.

        Raises:
            As `move_to`.
        """
        named = kind_named(kind, WAYPOINT_KINDS)
        limits = limits_for(named, speed=speed, acceleration=acceleration, jerk=jerk)
        start = self._start()
        points = self._goals(waypoints, start.sample.value)
        path = limited_path_through(
            self._description.goal,
            start.sample,
            points,
            kind=named,
            times=times,
            limits=limits,
            stops=stops,
        )
        moved = (np.array(points) != start.sample.value).any(axis=0)
        return self._begin(path, start, tolerance, moved)

    def move_around(
        self,
        center: Sequence[float],
        axis: Sequence[float],
        angle: float = 2.0 * math.pi,
        duration: float | None = None,
        *,
        speed: float | None = None,
        acceleration: float | None = None,
        jerk: float | None = None,
        kind: PathKind | str = PathKind.MINIMUM_JERK,
        tolerance: float = TOLERANCE,
    ) -> Motion:
        """Lead the goal, a point at rest, along an arc, once around by default.

        Args:
            center: A point of the axis [m].
            axis: Direction to turn about by the right hand.
            angle: How far [rad]; negative: the other way round.
            duration: How long it takes [s].
            speed: How fast the point moves at most [m/s].
            acceleration: Largest one, that towards the axis included [m/s²].
            jerk: Largest one [m/s³].
            kind: `linear`, `cubic` or `minimum_jerk`.
            tolerance: As of `move_to`.

        Raises:
            As `move_to`; also `MotionError` where the goal is in motion: an arc begins at rest.
        """
        named = kind_named(kind, WAYPOINT_KINDS)
        limits = limits_for(named, speed=speed, acceleration=acceleration, jerk=jerk)
        start = self._start()
        if np.any(start.sample.velocity):
            raise MotionError(f"{self.name} is in motion, and an arc begins at rest: wait for that")

        def arc(time: float) -> Arc:
            return Arc(start.sample.value, center, axis, angle, time, PathKind(named))

        path = limited_path(self._description.goal, start.sample, arc, named, duration, limits)
        return self._begin(path, start, tolerance)

    def follow(self, path: Path, *, tolerance: float = TOLERANCE) -> Motion:
        """Lead the goal along any path that begins where the goal is.

        Args:
            path: Has `start` and `end` [s] and `at(time)`, which returns value, velocity and
                acceleration of the goal, a `TrajectorySample` or three arrays of the goal's shape,
                in the task's frame and units and per s and s². For quaternions (xyzw, length one)
                velocity and acceleration are the derivatives of their four numbers.
            tolerance: As of `move_to`.

        Raises:
            MotionError: It is no path, has samples of another shape, begins elsewhere, or takes no
                time. Where it fails later on, the motion ends with that.
        """
        start = self._start()
        checked = checked_path(self.name, path, self._description.goal)
        now, begin = start.sample.value, checked.at(checked.start).value
        gap = float(np.abs(begin - now).max())
        if not gap <= FARTHEST_START:
            raise MotionError(
                f"{self.name}: the path begins at {begin.tolist()}, {gap:.3g} from the goal at "
                f"{now.tolist()}: move there first"
            )
        return self._begin(checked, start, tolerance)

    @property
    def _description(self) -> TaskDescription:
        return self._robot.session.task(self.name)

    def _begin(
        self, path: Path, start: Present, tolerance: float, moved: Flags | None = None
    ) -> Motion:
        session = self._robot.session
        if not tolerance > 0.0:
            raise MotionError(f"tolerance: found {tolerance:g}, expected more than 0 [m, rad]")
        arrival = session.arrival(self.name, tolerance, moved)
        return session.motions.begin(self._description, path, arrival, start.since)

    def _start(self) -> Present:
        """Return where the goal is and how it moves, of a task that acts."""
        session = self._robot.session
        if not session.link.watch.is_active:
            raise ControlEndedError(
                f"{self.name} cannot be moved: {session.link.name} is {session.link.watch.state}, "
                "expected active"
            )
        present = session.motions.present(self.name)
        if present is not None:
            return present
        values = self._values()
        state = values["operational_state"]
        if state != ENABLE:
            raise MotionError(f"{self.name} cannot be moved: its state is {state}, expected enable")
        return Present(TrajectorySample.at_rest(values[self._description.goal.name]))

    def _goals(self, goals: Sequence[Goal], before: Array) -> list[Array]:
        """Return checked goals; what a map leaves out is as before."""
        parameter = self._description.goal
        turns, found = PlannedTurns(parameter), [before]
        for goal in goals:
            value = parameter.validate(dict(goal) if isinstance(goal, Mapping) else goal)
            found.append(turns.place(value, found[-1]))
        return found[1:]

    def _switch(self, state: str) -> None:
        self._robot.session.link.ask("control/setTaskState", task=self.name, state=state)

    def _value(self, name: str) -> Any:
        return self._values()[name]

    def _values(self) -> dict[str, Any]:
        """Return all parameters of the task as the servo has them now."""
        answer = self._robot.session.link.ask("diagnostics/getTaskParameters", task=self.name)
        return {str(info.name): plain_value(info.value) for info in answer.parameters}
