"""ControllerLink: questions to one controller, each with a bound."""

import threading
from collections.abc import Callable
from typing import Any

from controlit_ros.client.beat import Beat
from controlit_ros.client.client_errors import (
    ClientClosedError,
    ClientError,
    ControlEndedError,
    ControllerLostError,
    MotionError,
    WaitTimeoutError,
    negative,
)
from controlit_ros.client.mode_watch import ModeWatch
from controlit_ros.client.watch import Watch
from controlit_ros.interfaces import Message, new
from controlit_ros.transport import Client, ServiceTimeoutError, Transport
from controlit_ros.transport.errors import TransportClosedError

ANSWER_TIME = 10.0  # [s] for an answer; a change waits a second for the servo
MODE_TOPIC = "diagnostics/mode"
KNOWN_TIME = 3.0  # [s] until all services of a controller are known, one after the other


class ControllerLink:
    """The way to one controller.

    Args:
        transport: How to reach it.
        controller: Its name.
        beat: Whose time counts.

    Attributes:
        transport: The same.
        name: The controller's name.
        namespace: Where its topics and services are, absolute.
        beat: The same.
        watch: Looks after it.
        modes: Hears of its modes.
    """

    def __init__(self, transport: Transport, controller: str, beat: Beat) -> None:
        self.transport = transport
        self.name = controller
        self.namespace = f"/{controller}"
        self.beat = beat
        self.watch = Watch(transport, self.namespace, beat)
        self.modes = ModeWatch(transport, self.topic(MODE_TOPIC), beat)
        self._clients: dict[str, Client] = {}
        self._lock = threading.Lock()
        self._is_closed = False

    @property
    def is_over(self) -> bool:
        """Whether the controller is lost, or the connection closed; `check` tells."""
        return self._is_closed or bool(self.watch.complaint())

    def topic(self, name: str) -> str:
        """Return the absolute name of a topic of the controller."""
        return name if name.startswith("/") else f"{self.namespace}/{name}"

    def serving(self, service: str) -> str:
        """Return the absolute name of a service that the controller's node serves.

        Raises:
            ClientError: It serves none of that name.
            ControllerLostError: The controller is gone, and its services with it.
        """
        found: list[str] = []

        def is_known() -> bool:
            found.extend(self._served(service))
            return bool(found)

        try:
            self.wait(is_known, KNOWN_TIME, f"the service {service}")
        except WaitTimeoutError as error:
            raise ClientError(f"{self.name} has no service {service}") from error
        return found[0]

    def check(self) -> None:
        """Check that the controller is there.

        Raises:
            ControllerLostError: It is not.
            ClientClosedError: The program has closed the connection.
        """
        if self._is_closed:
            raise ClientClosedError(f"the connection to {self.name} is closed")
        complaint = self.watch.complaint()
        if complaint:
            raise ControllerLostError(complaint)

    def check_motion(self, task: str, life: int) -> None:
        """Check that control is as it was when a motion began, and takes its goals.

        Args:
            task: Whose goals they are.
            life: What `Watch.life` was then.

        Raises:
            ControllerLostError: The controller is gone, or stuck for long.
            ControlEndedError: It has ended since.
            MotionError: The mode does not take its goals.
        """
        self.check()
        if self.watch.life != life:
            state = self.watch.state
            raise ControlEndedError(f"control has ended meanwhile: {self.name} is {state}")
        if self.watch.is_stuck_for_long:
            raise ControllerLostError(f"{self.name} is lost: its servo makes no cycles")
        if refusal := self.modes.refusal(task):
            raise MotionError(refusal)

    def ask(
        self, service: str, /, type_name: str = "", timeout: float = ANSWER_TIME, **fields: Any
    ) -> Message:
        """Call a service of the controller.

        Args:
            service: Name below the controller's: `control/setTaskState`.
            type_name: Its type; by default that of the same name: `controlit/srv/SetTaskState`.
            timeout: How long to wait for the answer [s].
            fields: Of the request.

        Raises:
            RefusedError: The answer is no.
            ControllerLostError: There is no answer, or it tells how the servo ended.
        """
        self.check()
        if not type_name:
            short = service.rpartition("/")[2]
            type_name = f"controlit/srv/{short[0].upper()}{short[1:]}"
        request = new(f"{type_name}_Request", **fields)
        client = self._client(service, type_name)
        try:
            answer = self.beat.call(lambda: client.call(request, timeout))
        except ServiceTimeoutError as error:
            raise ControllerLostError(f"{self.name} does not answer: {error}") from error
        except TransportClosedError as error:
            raise ClientClosedError(f"the connection to {self.name} is closed") from error
        if not getattr(answer, "success", True):
            why = str(getattr(answer, "message", "")) or f"{service}: refused"
            raise negative(self.name, why)
        return answer

    def wait(self, condition: Callable[[], bool], timeout: float, what: str) -> None:
        """Wait until a condition holds.

        Args:
            condition: What is waited for.
            timeout: How long at most [s].
            what: Its name in the message.

        Raises:
            WaitTimeoutError: It does not hold in time.
            ControllerLostError: The controller went away meanwhile.
        """
        self.check()
        is_over = self.beat.wait(lambda: condition() or self.is_over, timeout)
        if condition():
            return
        self.check()
        if not is_over:
            raise WaitTimeoutError(f"{what} did not come within {timeout:g} s")

    def close(self) -> None:
        """End everything; idempotent."""
        with self._lock:
            self._is_closed = True
            clients, self._clients = self._clients, {}
        self.watch.close()
        self.modes.close()
        for client in clients.values():
            client.close()
        self.beat.notify()

    def _served(self, service: str) -> list[str]:
        served = self.transport.graph().served
        own = [name for name in served if name.startswith(f"{self.namespace}/")]
        return [name for name in own if name.endswith(f"/{service}")]

    def _client(self, service: str, type_name: str) -> Client:
        with self._lock:
            client = self._clients.get(service)
            if client is None:
                client = self.transport.client(self.topic(service), type_name)
                self._clients[service] = client
        return client
