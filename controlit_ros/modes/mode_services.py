"""ModeServices: modes for everybody outside of the servo."""

from collections.abc import Callable
from contextlib import ExitStack
from threading import Lock
from typing import NamedTuple

from controlit_ros.awaited import awaiting
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message, new
from controlit_ros.introspection.answering import serve
from controlit_ros.modes.mode import Mode
from controlit_ros.modes.mode_gate import ModeGate
from controlit_ros.modes.mode_machine import ModeMachine
from controlit_ros.modes.mode_parameters import LARGEST_TICKET
from controlit_ros.modes.mode_report import ModeOutcome, ModeReport
from controlit_ros.modes.modes import Modes
from controlit_ros.parameters import Poster, check_applied
from controlit_ros.transport import LATCHED, Later, Transport

STATE = "controlit/msg/ModeState"
SET_MODE = "controlit/srv/SetMode"
GET_MODES = "controlit/srv/GetModes"
TOPIC = "diagnostics/mode"


class NoModesError(ControlItError):
    """The controller has no modes."""


class _Waiting(NamedTuple):
    """A request that was sent, and who waits for what becomes of it."""

    name: str
    ticket: int
    waits: bool
    later: Later
    over: ExitStack


class ModeServices:
    """Serves `control/setMode` and `diagnostics/getModes`, publishes `diagnostics/mode`, latched.

    Args:
        modes: What there is; `None`: nothing, and requests are told so.
        gate: Follows what is taken.
        mailbox: Takes requests to the servo.
        clock: Returns the servo's time [s].
        clock_offset: Seconds from that to ROS time.
        complain: Tells why a request was refused.
        observe: Called with every mode that says what is taken from then on, once it is entered.
        transport: All names are relative to its namespace.
    """

    def __init__(
        self,
        modes: Modes | None,
        gate: ModeGate,
        mailbox: Poster,
        clock: Callable[[], float],
        clock_offset: float,
        complain: Callable[[str], None],
        observe: Callable[[Mode], None],
        transport: Transport,
    ) -> None:
        self._modes = modes
        self._gate = gate
        self._mailbox = mailbox
        self._clock = clock
        self._clock_offset = clock_offset
        self._complain = complain
        self._observe = observe
        self._lock = Lock()
        self._tickets = 0
        self._waiting: _Waiting | None = None
        if modes is not None:
            self._report = modes.machine().report
            self._publisher = transport.publisher(TOPIC, STATE, LATCHED)
            self._publisher.publish(self._state())
        serve(transport, "control/setMode", SET_MODE, self._set)
        serve(transport, "diagnostics/getModes", GET_MODES, self._get)

    def deliver(self, report: ModeReport) -> None:
        """Take a report of the servo; writer thread."""
        modes = self._known()
        if report == self._report:
            return  # it was told again
        with self._lock:
            before, self._report = self._report, report
            self._gate.present = report.entered
            waiting = self._waiting
        if report.entered != before.entered:
            self._observe(modes.modes[report.entered])
        if report.outcome is ModeOutcome.REFUSED:
            self._complain(f"mode {report.asked} is refused: {report.reason}")
        self._publisher.publish(self._state())
        if waiting is not None:
            self._conclude(waiting, report)

    def _conclude(self, waiting: _Waiting, report: ModeReport) -> None:
        """Answer a request if the report tells what has become of it."""
        if report.ticket != waiting.ticket:
            return
        if report.asked != waiting.name:
            self._answer(waiting, f"{report.asked} came instead, {report.reason or 'asked for'}")
        elif report.outcome is ModeOutcome.REFUSED:
            self._answer(waiting, report.reason)
        elif report.outcome is ModeOutcome.CONFIRMED or not waiting.waits:
            self._answer(waiting, "")

    def _answer(self, waiting: _Waiting, complaint: str) -> None:
        with self._lock:
            if self._waiting is waiting:
                self._waiting = None
        waiting.over.close()
        waiting.later.give(
            new(
                f"{SET_MODE}_Response",
                success=not complaint,
                message=complaint and f"mode {waiting.name} is refused: {complaint}",
                confirmed=self._report.confirmed,
                ticket=waiting.ticket,
            )
        )

    def _set(self, request: Message) -> Message | Later:
        modes = self._known()
        modes.graph.check(request.mode)
        self._mailbox.check_read()
        later = Later()
        over = ExitStack()
        with self._lock:
            self._tickets = self._tickets % LARGEST_TICKET + 1
            waiting = _Waiting(request.mode, self._tickets, bool(request.wait), later, over)
            before, self._waiting = self._waiting, waiting
            over.enter_context(awaiting(lambda: self._waiting is not waiting))
        if before is not None:
            self._answer(before, f"{request.mode} was asked for instead")
        try:
            self._send(modes, waiting)
        except BaseException:
            self._forget(waiting)
            raise
        return later

    def _send(self, modes: Modes, waiting: _Waiting) -> None:
        asked, ticket = modes.reflection.asked, modes.reflection.ticket
        check_applied(self._mailbox.post({asked: waiting.name, ticket: waiting.ticket}))

    def _forget(self, waiting: _Waiting) -> None:
        with self._lock:
            if self._waiting is waiting:
                self._waiting = None
        waiting.over.close()

    def _get(self, _request: Message) -> Message:
        modes = self._known()
        return new(
            f"{GET_MODES}_Response",
            success=True,
            state=self._state_fields(),
            modes=[
                {
                    "name": mode.name,
                    "description": mode.description,
                    "tasks": [task.name for task in mode.on],
                    "controller": mode.controller,
                    "commands": [*mode.taken, *mode.extra],
                }
                for mode in modes.modes.values()
            ],
            transitions=[
                {
                    "source": way.source,
                    "target": way.target,
                    "condition": way.condition,
                    "automatic": way.automatic,
                    "through": way.through,
                }
                for way in modes.graph.transitions
            ],
            options=self._options(modes),
        )

    def _options(self, modes: Modes) -> list[dict[str, object]]:
        machine = ModeMachine(modes.graph)
        machine.stand(self._report)
        now = self._clock()
        reasons = {name: machine.why_not(name, now) for name in modes.graph.names}
        return [
            {"name": name, "allowed": not reason, "reason": reason}
            for name, reason in reasons.items()
        ]

    def _state(self) -> Message:
        return new(STATE, **self._state_fields())

    def _state_fields(self) -> dict[str, object]:
        report, mode = self._report, self._known().modes[self._report.entered]
        return {
            "stamp": time_fields(report.stamp + self._clock_offset),
            "asked": report.asked,
            "confirmed": report.confirmed,
            "entered": report.entered,
            "ticket": report.ticket,
            "outcome": report.outcome.value,
            "reason": report.reason,
            "commands": [*mode.taken, *mode.extra],
            "refused": self._known().refused_tasks(mode.name),
        }

    def _known(self) -> Modes:
        if self._modes is None:
            raise NoModesError("this controller has no modes: its file has no section modes")
        return self._modes
