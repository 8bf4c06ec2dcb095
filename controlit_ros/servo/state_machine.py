"""StateMachine: when control is active, when the fallback is commanded, when nothing is."""

import math

from controlit_ros.controllers.whole_body_controller import WholeBodyController
from controlit_ros.model import RobotState
from controlit_ros.servo.coordinator_state import CoordinatorState
from controlit_ros.servo.cycle_faults import CycleFaults
from controlit_ros.servo.failing_part import describe_failure
from controlit_ros.servo.fallback_command import FallbackCommand
from controlit_ros.servo.notice import NoticeLevel
from controlit_ros.servo.settings import ServoSettings
from controlit_ros.tasks import CompoundTask, Task


class StateMachine:
    """Goes between inactive, active and safe; servo thread but for `wants_active`.

    Whatever goes wrong leads from active to safe. Control resumes when everything has been well for
    `recovery_time`, and begins softly: `fallback_share` falls from one to zero.

    Args:
        controller: Is restarted when control begins.
        compound_task: Its tasks are, too, and goals that nobody stated are latched.
        fallback: Is latched where the robot is when the safe state begins.
        robot_state: The last good measurement.
        settings: Times of recovery and soft start.
        faults: Tells why control cannot begin.

    Attributes:
        state: Where the servo stands.
        wants_active: Whether control shall be active; set by any thread.
    """

    def __init__(
        self,
        controller: WholeBodyController,
        compound_task: CompoundTask,
        fallback: FallbackCommand,
        robot_state: RobotState,
        settings: ServoSettings,
        faults: CycleFaults,
    ) -> None:
        compound_task.on_join = _join
        self.state = CoordinatorState.INACTIVE
        self.wants_active = False
        self._controller = controller
        self._compound_task = compound_task
        self._fallback = fallback
        self._robot_state = robot_state
        self._recovery_time = settings.recovery_time
        self._soft_start_time = settings.soft_start_time
        self._faults = faults
        self._well_since = math.inf
        self._soft_start_began = -math.inf

    def settle(self, now: float, *, is_well: bool) -> None:
        """Decide where the servo stands in this cycle."""
        if not self.wants_active:
            self.state = CoordinatorState.INACTIVE
        elif not is_well:
            self.be_unwell()
        elif self.state is CoordinatorState.INACTIVE:
            self._activate(now)
        elif self.state is CoordinatorState.SAFE:
            self._well_since = min(self._well_since, now)
            if now - self._well_since >= self._recovery_time:
                self._activate(now)

    def be_unwell(self) -> None:
        """Leave control, if it is active, for the safe state; recovery begins anew."""
        self._well_since = math.inf
        if self.state is CoordinatorState.ACTIVE:
            self._fallback.latch(self._robot_state)
            self.state = CoordinatorState.SAFE

    def give_up(self) -> None:
        """Be no longer active, whatever that takes: not even the fallback can be commanded."""
        self._well_since = math.inf
        if self.state is CoordinatorState.ACTIVE:
            self.state = CoordinatorState.SAFE

    def fallback_share(self, now: float) -> float:
        """Return how much of the command is the fallback, from 0: nothing to 1: all."""
        if self.state is not CoordinatorState.ACTIVE:
            return 1.0
        elapsed = now - self._soft_start_began
        if elapsed <= 0.0:
            return 1.0  # this command was computed before the goals were latched
        duration = self._soft_start_time
        return 1.0 - elapsed / duration if elapsed < duration else 0.0

    def _activate(self, now: float) -> None:
        try:
            self._controller.restart()
            for task in self._compound_task.tasks:
                task.restart()
                if task.active.valid:
                    task.start_goal()
        except Exception as error:  # noqa: BLE001 - a plugin may raise anything
            self._faults.fail("activate", describe_failure(error, "control cannot begin"), now)
            self._well_since = math.inf
            return
        if self.state is CoordinatorState.INACTIVE:
            self._fallback.latch(self._robot_state)
        self.state = CoordinatorState.ACTIVE
        self._soft_start_began = now
        self._faults.notices.post(NoticeLevel.INFO, "active", "control is active", now)


def _join(task: Task) -> None:
    if not task.continues:
        task.start_goal()
