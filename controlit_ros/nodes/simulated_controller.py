"""SimulatedController: a controller and its simulated robot in the caller's thread and time."""

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from controlit_ros.awaited import are_cycles_awaited, step_until_done
from controlit_ros.configuration import Configuration, changed, load_configuration
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.interfaces import Message, new
from controlit_ros.nodes.building import build_stack
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.servo_node import NODE_NAME, ServoNode
from controlit_ros.nodes.simulated_time import simulated_time
from controlit_ros.servo import CoordinatorState
from controlit_ros.tasks import Task
from controlit_ros.transport.local import LocalTransport

logger = logging.getLogger(__name__)

ROUND = 0.01  # [s]
ANSWER_TIME = 60.0  # [s] of the wall for an answer: a busy machine computes some for seconds
ACTIVATION = 1.0  # [s] of simulated time within which control must have begun

_Answer = TypeVar("_Answer")


class SimulatedController:
    """Runs a controller as fast as it computes; time passes by `advance` alone.

    Two runs of the same calls are the same to the last bit. A context manager: entering starts
    control and waits for the end of the soft start.

        with SimulatedController("config/dreamer/hands.yaml") as controller:
            controller.set("RightHandPosition.goal_position", [0.3, -0.3, 1.0])
            controller.advance(3.0)
            print(controller.task("RightHandPosition").actual.value)

    Args:
        configuration: Path of the file, or `package://...`; a `str` with a line break is its text;
            or what was loaded before.
        overrides: Values that replace those of the file, by key.
        domain: Of its local transport, for others of this process; by default it is alone.

    Attributes:
        node: The servo.
        transport: A node of its own beside the servo, in the controller's namespace.

    Raises:
        ControlItError: The configuration is wrong, or its robot needs real time.
    """

    def __init__(
        self,
        configuration: str | Path | Configuration,
        overrides: Mapping[str, Any] | None = None,
        *,
        domain: str | None = None,
    ) -> None:
        if isinstance(configuration, Configuration):
            taken = changed(configuration, overrides or {})
        else:
            taken = load_configuration(configuration, overrides)
        stack = build_stack(simulated_time(taken))
        for warning in stack.warnings:
            logger.warning(warning)
        namespace = f"/{stack.configuration.name}"
        domain = f"simulated-{id(self)}" if domain is None else domain
        self._server = LocalTransport(NODE_NAME, namespace, domain=domain)
        self.transport = LocalTransport("script", namespace, domain=domain)
        self.node = ServoNode(stack, self._server)
        assert stack.clock.is_stepped
        self._clock = stack.clock
        self._has_begun = False  # so that nothing is served before the first cycle
        self._cycles_a_round = max(1, round(ROUND * stack.clock.frequency))

    @property
    def stack(self) -> ControllerStack:
        """All parts of the controller, as they are now."""
        return self.node.stack

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._clock.now

    @property
    def round_time(self) -> float:
        """Time between two exchanges of messages [s]."""
        return self._cycles_a_round / self._clock.frequency

    @property
    def state(self) -> CoordinatorState:
        """Whether it is active, safe or inactive."""
        return self.node.state

    @property
    def position(self) -> dict[str, float]:
        """Measured position of each joint [rad or m]."""
        return self._by_joint(self.node.coordinator.robot_state.position)

    @property
    def velocity(self) -> dict[str, float]:
        """Measured velocity of each joint [rad/s or m/s]."""
        return self._by_joint(self.node.coordinator.robot_state.velocity)

    @property
    def effort(self) -> dict[str, float]:
        """Commanded effort of each command joint [N m or N]."""
        efforts = self.node.coordinator.command.effort.tolist()
        return dict(zip(self.stack.robot.command_joints, efforts, strict=True))

    def task(self, name: str) -> Task:
        """Return a task.

        Raises:
            ControlItError: There is none of that name; the text names the nearest.
        """
        known = {task.name: task for task in self.stack.tasks.tasks}
        if name not in known:
            raise ControlItError(f"there is no task {name!r}{did_you_mean(name, known)}")
        return known[name]

    def set(self, full_name: str, value: Any) -> None:
        """Set a parameter, such as `RightHandPosition.kp`, between two cycles.

        Raises:
            ParameterError: There is none of that name, or the value does not fit.
        """
        self.node.mailbox.post({self.stack.directory[full_name]: value})

    def call(self, service: str, type_name: str, **fields: Any) -> Message:
        """Call a service of the controller; time passes while it waits for the servo.

        Args:
            service: Name below the controller's.
            type_name: Such as `std_srvs/srv/Trigger`.
            **fields: Of the request.

        Raises:
            ServiceTimeoutError: Nobody answered.
        """
        client = self.transport.client(service, type_name)
        # what is served is known at once within a process
        timeout = ANSWER_TIME if client.wait_for_service(0.0) else 0.0
        request, cycle = new(f"{type_name}_Request", **fields), 1.0 / self._clock.frequency
        answer = self.answered(lambda: client.call(request, timeout), lambda: self.advance(cycle))
        client.close()
        return answer

    def answered(self, action: Callable[[], _Answer], step: Callable[[], None]) -> _Answer:
        """Return the result of an action that blocks until the controller answers.

        Time passes only where the answer needs it, so that it does not depend on the machine.

        Args:
            action: Called in a thread.
            step: Lets time pass.
        """
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(action)
            step_until_done(answer, lambda: self._serve_or(step))
        return answer.result()

    def advance(self, duration: float) -> None:
        """Let time pass [s]; messages are exchanged every `ROUND`."""
        cycles = round(duration * self._clock.frequency)
        for begin in range(0, cycles, self._cycles_a_round):
            self._server.settle()
            self._clock.advance(min(self._cycles_a_round, cycles - begin))
            self.node.outbox.ask_for_interest()
            self.node.outbox.deliver_all()
            self.transport.settle()

    def settle(self) -> None:
        """Let what was sent arrive, both ways, and what is asked for be answered; no time passes.

        Values are set and read between two cycles; states of tasks and constraints, and parts that
        come and go, need some.
        """
        self._server.settle()
        if self._has_begun:
            self.node.coordinator.apply_values()
            self.node.outbox.serve_at_rest(self.time - 1.0 / self._clock.frequency)
        self.transport.settle()

    def _serve_or(self, step: Callable[[], None]) -> None:
        """Answer without letting time pass; let it pass where that is not enough."""
        self.settle()
        if are_cycles_awaited():
            step()

    def start(self) -> None:
        """Start control; return after the soft start.

        Raises:
            ControlItError: Control did not begin.
        """
        self.node.start()
        self.node.outbox.stop()  # from here on delivered between cycles, by this thread
        until = self.time + ACTIVATION
        while self.state is not CoordinatorState.ACTIVE:
            if self.time > until:
                raise ControlItError(
                    f"control did not begin within {ACTIVATION:g} s of simulated time"
                )
            self.advance(1.0 / self._clock.frequency)
        self._has_begun = True
        self.advance(self.stack.servo.soft_start_time)

    def stop(self) -> None:
        """Stop control and leave the transport; idempotent."""
        self._has_begun = False
        self.node.stop()
        self.transport.close()
        self._server.close()

    def _by_joint(self, values: Any) -> dict[str, float]:
        return dict(zip(self.stack.robot.real_joints, values.tolist(), strict=True))

    def __enter__(self) -> "SimulatedController":  # noqa: PYI034 - typing.Self needs Python 3.11
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()
