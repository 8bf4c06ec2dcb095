"""ControllerSwitch: puts a controller of ros2_control in the place of others, and back."""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.interfaces import Message, new
from controlit_ros.nodes.forwarded_commands import ForwardedCommands
from controlit_ros.robots.robot_interface import Forwarding
from controlit_ros.running_thread import running_thread
from controlit_ros.transport import Client, ServiceTimeoutError, Transport

LIST = "controller_manager_msgs/srv/ListControllers"
SWITCH = "controller_manager_msgs/srv/SwitchController"
BROADCASTER = "joint_state_broadcaster/JointStateBroadcaster"
ACTIVE, INACTIVE = "active", "inactive"
BEST_EFFORT, STRICT = 1, 2  # strictness of SwitchController

LOOK_PERIOD = 1.0  # [s] how soon a controller manager that came back is joined again
PATIENCE = 1.0  # [s] with an answer: controller_manager answers between two of its cycles


class _UnansweredError(ControlItError):
    """No controller manager answers."""


class ControllerSwitch:
    """Keeps a controller active while it is wanted, and gives others their place back.

    Controllers that were deactivated for it are activated when it is wanted no more. What is wrong
    is told once, until something else is.

    Args:
        forwarding: Which controller.
        commands: Knows the joints.
        transport: Reaches the controller manager.
        report: Takes a sentence about what is wrong; on a thread of this switch.
    """

    def __init__(
        self,
        forwarding: Forwarding,
        commands: ForwardedCommands,
        transport: Transport,
        report: Callable[[str], None],
    ) -> None:
        self._forwarding = forwarding
        self._commands = commands
        self._report = report
        self._transport = transport
        self._list: Client | None = None
        self._switch: Client | None = None
        self._order: list[int] | None = None
        self._displaced: list[str] = []
        self._told = ""
        self._is_wanted = False
        self._stopping = False
        self._changed = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def order(self) -> Sequence[int] | None:
        """Which command joint each number is for; `None`: the controller takes no commands."""
        return self._order

    def start(self) -> None:
        """Begin to look after the controller, once the transport is open; idempotent."""
        if self._thread is None:
            manager = self._forwarding.manager
            self._list = self._transport.client(f"{manager}/list_controllers", LIST)
            self._switch = self._transport.client(f"{manager}/switch_controller", SWITCH)
            self._stopping = False
            self._thread = running_thread(self._run, "controller switch")

    def stop(self) -> None:
        """Give others their place back and end; idempotent."""
        if self._thread is not None:
            self._stopping = True
            self._changed.set()
            self._thread.join()
            self._thread = None
            for client in (self._list, self._switch):
                if client is not None:
                    client.close()

    def want(self, wanted: bool) -> None:  # noqa: FBT001 - what else would one want
        """Say whether there are commands; any thread, does not wait."""
        if wanted != self._is_wanted:
            self._is_wanted = wanted
            self._changed.set()

    def _run(self) -> None:
        while not self._stopping:
            try:
                if self._is_wanted:
                    self._look_after()
                else:
                    self._give_back()
            except _UnansweredError as error:  # perhaps busy: what is active stays so
                self._tell(str(error))
            except ControlItError as error:
                self._order = None
                self._tell(str(error))
            self._changed.wait(LOOK_PERIOD)
            self._changed.clear()
        self._is_wanted = False
        with suppress(ControlItError):  # who is gone has no place to give back
            self._give_back()

    def _look_after(self) -> None:
        """Activate the controller if it is not.

        Raises:
            ControlItError: It cannot be; the text says why.
        """
        controllers = {str(state.name): state for state in self._controllers()}
        name, manager = self._forwarding.controller, self._forwarding.manager
        own = controllers.get(name)
        if own is None:
            hint = did_you_mean(name, tuple(controllers))
            raise ControlItError(f"{manager} has no controller {name!r}{hint}")
        if own.state not in (ACTIVE, INACTIVE):
            raise ControlItError(f"{name} of {manager}: found {own.state}, expected it configured")
        required = [str(entry) for entry in own.required_command_interfaces]
        try:
            order = self._commands.order(required)
        except ControlItError as error:
            raise ControlItError(f"{name} of {manager}: {error}") from None
        if own.state != ACTIVE:
            self._activate(name, _rivals(controllers, name, required))
        self._order = order
        has_state = any(c.type == BROADCASTER and c.state == ACTIVE for c in controllers.values())
        self._tell(
            "" if has_state else f"{manager} has no active {BROADCASTER}, which tells the state"
        )

    def _activate(self, name: str, rivals: list[str]) -> None:
        self._change([name], rivals, STRICT)
        self._displaced = rivals

    def _give_back(self) -> None:
        if self._order is None:
            return
        self._order = None
        displaced, self._displaced = self._displaced, []
        self._change(displaced, [self._forwarding.controller], BEST_EFFORT)

    def _controllers(self) -> Sequence[Message]:
        found: Sequence[Message] = self._call(self._list, new(f"{LIST}_Request")).controller
        return found

    def _change(self, activate: list[str], deactivate: list[str], strictness: int) -> None:
        request = new(
            f"{SWITCH}_Request",
            activate_controllers=activate,
            deactivate_controllers=deactivate,
            strictness=strictness,
            activate_asap=True,
            timeout={"sec": int(PATIENCE)},
        )
        answer = self._call(self._switch, request)
        if not answer.ok:
            reason = getattr(answer, "message", "")  # Humble's answer has none
            raise ControlItError(
                f"{self._forwarding.manager} did not activate {activate} in the place of "
                f"{deactivate}: {reason or 'its log says why'}"
            )

    def _call(self, client: Client | None, request: Message) -> Message:
        assert client is not None  # since the start
        try:
            return client.call(request, PATIENCE)
        except ServiceTimeoutError:
            raise _UnansweredError(
                f"{client.name} does not answer: expected controller_manager of ros2_control, with "
                f"{self._forwarding.controller} and {BROADCASTER} loaded"
            ) from None

    def _tell(self, text: str) -> None:
        if text and text != self._told:
            self._report(text)
        self._told = text


def _rivals(controllers: dict[str, Message], name: str, required: Sequence[str]) -> list[str]:
    """Return who commands the same joints, by whatever interface."""
    joints = {entry.rpartition("/")[0] for entry in required}
    return [
        other
        for other, state in controllers.items()
        if other != name
        and state.state == ACTIVE
        and any(str(entry).rpartition("/")[0] in joints for entry in state.claimed_interfaces)
    ]
