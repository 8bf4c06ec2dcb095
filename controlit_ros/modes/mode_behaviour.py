"""ModeBehaviour: lets modes act on the servo's clock."""

import math
from collections.abc import Callable, Iterable

from controlit_ros.constraints.constraint import DISABLE, ENABLE
from controlit_ros.modes.bounded_return import BoundedReturn
from controlit_ros.modes.mode import Mode
from controlit_ros.modes.mode_report import ModeReport
from controlit_ros.modes.modes import Modes
from controlit_ros.modes.newcomers import fed_forward
from controlit_ros.parameters import Parameter
from controlit_ros.parameters.mailbox import Assignments
from controlit_ros.servo import CoordinatorState
from controlit_ros.servo.behaviours import ServoAccess
from controlit_ros.tasks import Task

CONTROL = {
    CoordinatorState.INACTIVE: "control is not active",
    CoordinatorState.SAFE: "the controller is in its safe state",
}
"""Why no mode can be asked for."""
TELLING = 1.0  # [s] after which a report is told again: a front that was stuck may have lost it


class ModeBehaviour:
    """Enters modes and keeps them; a `servo.behaviours.CyclePart`.

    A mode begins with an order, which is carried out as soon as whoever reads its parameters rests.
    In that cycle goals are latched or begin to return, and the command begins to ramp. It is
    confirmed once every task and constraint is as it says. While control is not active the initial
    mode is; in the safe state nothing changes.

    Args:
        modes: What there is.
        tell: Takes a report whenever something has changed; must not wait.
        tell_event: Takes the name of an event, `modes.NAME`, when a mode is confirmed.
    """

    name = "modes"

    def __init__(
        self,
        modes: Modes,
        tell: Callable[[ModeReport], None],
        tell_event: Callable[[str], None],
    ) -> None:
        self._modes = modes
        self._parameters = modes.reflection
        self._machine = modes.machine()
        self._tell = tell
        self._tell_event = tell_event
        self._events = {name: f"modes.{name}" for name in modes.graph.names}
        self._returns = {
            name: tuple(BoundedReturn(goal) for goal in mode.goals)
            for name, mode in modes.modes.items()
        }
        self._leading: tuple[BoundedReturn, ...] = ()
        self._judging = modes.graph.initial  # the mode that says what is taken
        self._asked_revision = self._parameters.asked.revision
        self._entering = ""
        self._begins = True
        self._has_begun = False
        self._told: ModeReport | None = None
        self._told_at = 0.0

    def admits(self, assignments: Assignments) -> bool:
        """Tell whether the mode takes what somebody sends (see `Mailbox.admits`)."""
        modes, judging = self._modes, self._judging
        return not any(modes.refuses(judging, parameter) for parameter, _ in assignments)

    def begin(self, now: float) -> None:
        """Be in the initial mode: time begins anew [s]."""
        self._machine.begin(now)
        self._entering, self._begins, self._has_begun = "", True, False

    def act(self, now: float, servo: ServoAccess) -> None:
        """Take requests, enter what is asked for, confirm what is, lead goals."""
        self._measure(servo)
        if servo.state is CoordinatorState.ACTIVE:
            self._run(now, servo)
        else:
            self._rest(now, servo)
        self._show(now)

    def _run(self, now: float, servo: ServoAccess) -> None:
        machine = self._machine
        self._begins = True
        if not self._has_begun:
            self._begin_here(now, servo)
            return
        if not self._entering:
            self._take_request(now, "")
            self._entering = machine.step(now) or ""
        if self._entering:
            self._enter(now, servo)
        elif not machine.is_settled and self._is_settled(self._mode(machine.entered)):
            machine.confirm(now)
            self._tell_event(self._events[machine.confirmed])
        for leading in self._leading:
            leading.step(now)

    def _rest(self, now: float, servo: ServoAccess) -> None:
        """Change nothing in the safe state; be in the initial mode while control is not active."""
        why = CONTROL[servo.state]
        self._take_request(now, why)
        self._machine.rest(now, why)
        self._entering = ""
        for leading in self._leading:
            if not leading.is_over:
                leading.begin()  # from where the robot is by then
        if servo.state is not CoordinatorState.INACTIVE:
            return
        self._has_begun = False
        if self._begins and servo.assign(self._initial.order):
            self._machine.begin(now, why)
            self._begins = False
            self._judging = self._initial.name
            self._lead(())

    def _begin_here(self, now: float, servo: ServoAccess) -> None:
        """Begin the initial mode where the robot is, now that control has begun."""
        if servo.assign(self._initial.order):
            self._take_over(self._initial)
            self._machine.begin(now)
            self._has_begun = True

    def _take_request(self, now: float, complaint: str) -> None:
        asked, ticket = self._parameters.asked, self._parameters.ticket.value
        if asked.revision == self._asked_revision:
            return
        self._asked_revision = asked.revision
        if complaint:
            self._machine.refuse(asked.value, ticket, now, complaint)
        else:
            self._machine.ask(asked.value, ticket, now)

    def _enter(self, now: float, servo: ServoAccess) -> None:
        mode = self._mode(self._entering)
        if not servo.assign(mode.order):
            return  # some thread computes with what changes; it is kept from new work
        servo.smooth()
        self._take_over(mode)
        self._machine.enter(mode.name, now)
        self._entering = ""

    def _take_over(self, mode: Mode) -> None:
        """Let a mode say where tasks are led, and what is taken."""
        _rest(mode.resting)
        for task in mode.latched:
            _latch(task)
        self._halt_newcomers(mode.name)
        for task in mode.joining:
            if not task.active.valid:
                task.goal.stated = False
        self._lead(self._returns[mode.name])
        self._parameters.leading.value = bool(self._leading)
        self._judging = mode.name

    def _halt_newcomers(self, mode: str) -> None:
        """Let those stay where the robot is that no mode knows, and others come to rest."""
        newcomers = self._modes.newcomers
        for task in newcomers.tasks:
            if not self._modes.refuses(mode, task.goal):
                continue
            if newcomers.original(task.goal) is None:
                _latch(task)
            else:
                _rest(fed_forward(task))

    def _lead(self, returns: tuple[BoundedReturn, ...]) -> None:
        for leading in self._leading:
            leading.end()
        for leading in returns:
            leading.begin()
        self._leading = returns

    def _is_settled(self, mode: Mode) -> bool:
        """Return whether all of a mode acts, and nothing else of what modes switch."""
        return (
            all(task.active.valid for task in mode.on)
            and not any(task.active.valid for task in mode.off)
            and all(c.state in (ENABLE, DISABLE) for c in mode.constraints)
        )

    def _measure(self, servo: ServoAccess) -> None:
        """Tell how the base stands; values alone, as for all outputs of every cycle."""
        tilt, height = self._parameters.tilt, self._parameters.base_height
        if tilt is None or height is None:
            return
        x, y, _, _ = servo.robot_state.base_orientation.tolist()
        tilt.value = math.acos(min(1.0, max(-1.0, 1.0 - 2.0 * (x * x + y * y))))
        height.value = servo.robot_state.base_position.item(2)

    def _show(self, now: float) -> None:
        machine, shown = self._machine, self._parameters
        shown.duration.value = machine.lasted(now)
        shown.leading.value = not all(leading.is_over for leading in self._leading)
        if machine.report is self._told and 0.0 <= now - self._told_at < TELLING:
            return
        self._told, self._told_at = machine.report, now
        if shown.mode.value != machine.confirmed:
            shown.mode.assign(machine.confirmed)
        self._tell(machine.report)

    @property
    def _initial(self) -> Mode:
        return self._mode(self._modes.graph.initial)

    def _mode(self, name: str) -> Mode:
        return self._modes.modes[name]


def _latch(task: Task) -> None:
    """Let a task stay where the robot is: now, or as soon as it acts."""
    if task.active.valid:
        task.latch_goal()
    task.goal.stated = False


def _rest(resting: Iterable[Parameter]) -> None:
    """Let come to rest what nobody may move any more."""
    for parameter in resting:
        if parameter.value.any():
            parameter.assign(0.0)
