"""A client of a service of rclpy."""

import time
from threading import Condition
from typing import Any

from rclpy.exceptions import InvalidHandle
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.serialization import deserialize_message, serialize_message

from controlit_ros.interfaces import Message
from controlit_ros.transport.end import End
from controlit_ros.transport.errors import ServiceTimeoutError, TransportClosedError
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.service_timeout import no_answer, no_service, went_away

from .classes import rosidl_class
from .context import RclpyContext
from .policies import SERVICE, profile
from .wait_loop import RosWaitLoop, WaitKind

POLL = 0.005
"""How often a service that is not there is looked for [s]; rclpy tells nobody when it comes."""

CHECK_PERIOD = 0.1
"""How often a call looks whether its service is still there [s]."""


class RclpyClient(End):
    """Calls a service; implements `Client`."""

    def __init__(self, endpoint: Endpoint, context: RclpyContext, loop: RosWaitLoop) -> None:
        self._context = context
        self._counters = context.counters
        self._book = context.book
        self._loop = loop
        self._class = rosidl_class(endpoint.type_name)
        self._replies: dict[int, Any] = {}
        self._arrived = Condition()
        types = self._book.service(endpoint.type_name)
        self._request_type, self._response_type = types.request, types.response
        self._book.prepare_writing(types.request)
        self._book.prepare_reading(types.response)
        with context.making:
            self._client = context.node.create_client(
                self._class, endpoint.name, qos_profile=profile(SERVICE)
            )
            self._handle = self._client.handle
            name = str(self._handle.service_name)
        super().__init__(Endpoint(name, endpoint.type_name))
        context.graph.guard_type(self.endpoint)
        loop.add(WaitKind.CLIENT, self._handle, self._take_replies)

    def call(self, request: Message, timeout: float = 5.0) -> Message:
        """Send a request and return the response (see `Client.call`)."""
        deadline = time.monotonic() + timeout
        data = self._book.encode(self._request_type, request)
        if not self.wait_for_service(timeout):
            self._check_open()
            raise ServiceTimeoutError(
                no_service(self.endpoint, timeout, self._context.graph.graph())
            )
        sequence = self._send(deserialize_message(data, self._class.Request))
        try:
            gone = self._wait_for_reply(sequence, deadline)
        finally:
            reply = self._replies.pop(sequence)
        if reply is None:
            self._check_open()
            text = went_away(self.endpoint) if gone else no_answer(self.endpoint, timeout)
            raise ServiceTimeoutError(text)
        return self._book.decode(self._response_type, serialize_message(reply), may_go_on=True)

    def wait_for_service(self, timeout: float) -> bool:
        """Wait up to `timeout` seconds and return whether the service is there."""
        deadline = time.monotonic() + timeout
        with self._arrived:
            while not self._closed:
                if self._is_there():
                    return True
                remaining = deadline - time.monotonic()
                if remaining <= 0.0:
                    break
                self._arrived.wait(min(remaining, POLL))
        return False

    def close(self) -> None:
        """Stop calling."""
        with self._context.making:
            if self._closed:
                return
            self._closed = True
            self._loop.remove(self._handle)
            self._context.node.destroy_client(self._client)
        with self._arrived:
            self._arrived.notify_all()

    def _send(self, request: Any) -> int:
        with self._arrived:  # a reply must not be taken before its number is known
            try:
                with self._handle:
                    sequence = int(self._handle.send_request(request))
            except InvalidHandle:
                raise TransportClosedError(f"the client of {self.name} is closed") from None
            except rclpy_implementation.RCLError as error:
                self._counters.add("unsent")
                raise ServiceTimeoutError(
                    f"{self.name}: the request was not sent: {error}"
                ) from error
            self._replies[sequence] = None
            return sequence

    def _wait_for_reply(self, sequence: int, deadline: float) -> bool:
        """Wait for a reply; return whether it is hopeless since the service is gone."""

        def settled() -> bool:
            return self._closed or self._replies[sequence] is not None

        was_gone = False
        with self._arrived:
            while (remaining := deadline - time.monotonic()) > 0.0:
                if self._arrived.wait_for(settled, min(remaining, CHECK_PERIOD)):
                    return False
                # the last reply of a server may come after the news that the server is gone
                is_gone = not self._is_there()
                if is_gone and was_gone:
                    return True
                was_gone = is_gone
        return False

    def _take_replies(self) -> None:
        for _ in range(SERVICE.depth):
            try:
                with self._handle:
                    header, response = self._handle.take_response(self._class.Response)
            except InvalidHandle:  # closed by another thread just now
                return
            if header is None:
                return
            sequence = header.request_id.sequence_number
            with self._arrived:
                if sequence in self._replies:
                    self._replies[sequence] = response
                    self._arrived.notify_all()

    def _is_there(self) -> bool:
        try:
            return bool(self._client.service_is_ready())
        except InvalidHandle:  # closed by another thread just now
            return False

    def _check_open(self) -> None:
        if self._closed:
            raise TransportClosedError(f"the client of {self.name} is closed")
