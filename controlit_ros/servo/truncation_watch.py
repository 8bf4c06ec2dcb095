"""TruncationWatch: notices that limits keep the robot from what it was asked."""

import math
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.controllers.command import Command
from controlit_ros.controllers.joint_limits import JointLimits
from controlit_ros.kernels import bind, held_back, keep_asked
from controlit_ros.kernels.held_back import HELD_BACK_ROWS
from controlit_ros.model import RobotState
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.servo.drive_effort import total_effort
from controlit_ros.servo.notice import NoticeBoard, NoticeLevel
from controlit_ros.servo.rest import Rest
from controlit_ros.servo.routine import Duty, by_python, nothing_more
from controlit_ros.servo.throttle import Throttle
from controlit_ros.tasks import Task

PART = 0.1  # [-] of the effort limit: less is made up for by the feedback of tasks
GAP = 0.05  # [s] an interruption as short as this is none: efforts at a limit flicker
LONGEST_PERIOD = 60.0  # [s] between warnings of a joint that stays held back


class OnTruncation(Enum):
    """What follows when limits hold back a joint for long."""

    WARN = "warn"
    HOLD = "hold"
    """All goals are latched to where the robot is; control goes on."""
    SAFE = "safe"
    """The fallback; when control comes back goals are latched to where the robot is then."""


class TruncationSettings(NamedTuple):
    """How long limits may hold back an effort, and what follows.

    Attributes:
        on_truncation: What follows.
        time: How long [s].
    """

    on_truncation: OnTruncation = OnTruncation.WARN
    time: float = 0.5


class TruncationWatch:
    """Compares what the controller asks of each joint with what the robot gets; servo thread.

    A joint is held back while the two differ by more than a tenth of its effort limit, for whatever
    limit, and while either stands at the effort limit. Efforts that the robot's own drives add
    count as well. Joints without effort limit are not watched.

    Args:
        robot: Its effort limits are compared with, enforced or not.
        settings: How long, and what follows.
        frequency: Of the servo [Hz].
        tasks: Those whose goals are given up.
        notices: Takes what is told.
    """

    def __init__(
        self,
        robot: RobotDescription,
        settings: TruncationSettings,
        frequency: float,
        tasks: Sequence[Task],
        notices: NoticeBoard,
    ) -> None:
        self.settings = settings
        self._joints, self._indices = robot.command_joints, robot.command_indices
        self._tasks = tasks
        self._notices = notices
        self._period = 1.0 / frequency
        n = len(self._joints)
        limit = JointLimits.of(robot).effort
        self._limit: Array = np.where(limit > 0.0, limit, math.inf)
        self._q, self._v, self._asked, self._total, self._part = np.zeros((5, n))
        self._kept: Array = np.zeros((HELD_BACK_ROWS, n))
        self._throttles = tuple(Throttle(LONGEST_PERIOD) for _ in self._joints)
        self.rest = Rest()
        self.begin()

    @property
    def asked(self) -> Array:
        """What was asked for last; `(na,)`, always this memory."""
        return self._asked

    def begin(self) -> None:
        """Forget what was held back: control begins, or goals are new."""
        self._kept.fill(0.0)

    def restart(self) -> None:
        """Forget even the rest that is left: time begins anew, or a user asks again."""
        self.begin()
        self.rest.restart()

    def asking(self, command: Command, state: RobotState) -> Duty:
        """Return what keeps what the controller asks for, before any limit is applied.

        Args:
            command: As it was computed.
            state: Measured.
        """
        if command.position is None:  # no drive adds anything
            return Duty(bind(keep_asked, command.effort, self._asked), nothing_more)

        def ask(_now: float) -> None:
            state.position.take(self._indices, out=self._q, mode="clip")
            state.velocity.take(self._indices, out=self._v, mode="clip")
            self._asked[...] = self._sum(command)

        return by_python(ask)

    def looking(self, command: Command, gravity: Array) -> tuple[Duty, ...]:
        """Return what compares it with what the robot gets.

        Args:
            command: With limits applied.
            gravity: `(na,)` effort at which nothing accelerates [N m].
        """
        sent = self._sum(command)
        time = float(self.settings.time)
        kept = self._asked, sent, gravity, self._limit, PART, self._period, GAP, time, self._kept
        look = Duty(bind(held_back, *kept), lambda now: self._follow(sent, now))
        if sent is command.effort:
            return (look,)

        def add(_now: float) -> None:
            self._sum(command)

        return by_python(add), look

    def _follow(self, sent: Array, now: float) -> None:
        """Do what shall be done about what was held back for long."""
        self._tell(sent, now)
        if self.settings.on_truncation is OnTruncation.WARN:
            return
        is_safe = self.settings.on_truncation is OnTruncation.SAFE
        for task in self._tasks:
            if is_safe:
                task.goal.stated = False
            elif task.active.valid:
                task.latch_goal()
        self.begin()

    def _sum(self, command: Command) -> Array:
        return total_effort(command, self._q, self._v, out=self._total, part=self._part)

    def _tell(self, sent: Array, now: float) -> None:
        found = np.flatnonzero(self._kept[0] >= self.settings.time).tolist()
        due = [i for i in found if self._throttles[i].passes(now)]
        follows = self.settings.on_truncation
        if follows is OnTruncation.SAFE:
            parts = "; ".join(self._explain(i, sent) for i in found)
            self.rest.begin(f"{parts}; goals are given up", now)
            return
        if not due:
            return
        parts = "; ".join(self._explain(i, sent) for i in due)
        repeated = sum(self._throttles[i].take_held() for i in due)
        if follows is OnTruncation.HOLD:
            level, end = NoticeLevel.ERROR, "all goals are latched to where the robot is"
        else:
            level = NoticeLevel.WARNING
            end = "the robot goes elsewhere than asked, expected goals within its limits"
        self._notices.put(level, "truncation", f"{parts}; {end}", now, repeated)

    def _explain(self, i: int, sent: Array) -> str:
        limit, load = self._limit[i], abs(self._kept[2, i])
        alone = "alone took more" if load >= limit else "took"
        return (
            f"limits hold back {self._joints[i]} for {self._kept[0, i]:.3g} s: asked "
            f"{self._asked[i]:.4g}, sent {sent[i]:.4g}, limit {limit:.4g}; when that "
            f"began gravity {alone}: {load:.4g} ({100.0 * load / limit:.0f} %)"
        )
