"""A service of rclpy."""

import logging
from typing import Any

from rclpy.exceptions import InvalidHandle
from rclpy.impl.implementation_singleton import rclpy_implementation
from rclpy.serialization import deserialize_message, serialize_message

from controlit_ros.interfaces import DecodeError, FieldError, Message
from controlit_ros.transport.end import End
from controlit_ros.transport.errors import TransportError
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.handler_failure import tell_failure
from controlit_ros.transport.later import reply
from controlit_ros.transport.port import Handler

from .classes import rosidl_class
from .context import RclpyContext
from .policies import SERVICE, profile
from .wait_loop import RosWaitLoop, WaitKind

logger = logging.getLogger(__name__)


class RclpyService(End):
    """Answers calls; implements `Service`.

    Services of rclpy know no bytes: requests and responses are converted through them.
    """

    def __init__(
        self, endpoint: Endpoint, handler: Handler, context: RclpyContext, loop: RosWaitLoop
    ) -> None:
        self._handler = handler
        self._context = context
        self._counters = context.counters
        self._book = context.book
        self._loop = loop
        self._class = rosidl_class(endpoint.type_name)
        types = self._book.service(endpoint.type_name)
        self._request_type, self._response_type = types.request, types.response
        self._book.prepare_reading(types.request)
        self._book.prepare_writing(types.response)
        with context.making:
            self._service = context.node.create_service(
                self._class, endpoint.name, _never_called, qos_profile=profile(SERVICE)
            )
            self._handle = self._service.handle
            name = str(self._handle.name)
        super().__init__(Endpoint(name, endpoint.type_name))
        context.graph.guard_type(self.endpoint)
        loop.add(WaitKind.SERVICE, self._handle, self._answer_all)

    def close(self) -> None:
        """Stop answering."""
        with self._context.making:
            if not self._closed:
                self._closed = True
                self._loop.remove(self._handle)
                self._context.node.destroy_service(self._service)

    def _answer_all(self) -> None:
        for _ in range(SERVICE.depth):
            if self._closed:
                return
            try:
                with self._handle:
                    request, header = self._handle.service_take_request(self._class.Request)
            except InvalidHandle:  # closed by another thread just now
                return
            if header is None:
                return
            self._answer(request, header)

    def _answer(self, request: Any, header: Any) -> None:
        try:
            data = serialize_message(request)  # of some middlewares longer than the message is
            decoded = self._book.decode(self._request_type, data, may_go_on=True)
        except DecodeError as error:
            self._counters.add("undecodable")
            logger.warning("%s: dropped a request: %s", self.name, error)
            return
        try:
            response = self._handler(decoded)
        except Exception as error:  # noqa: BLE001 - handlers may raise anything
            self._fail(error)
            return
        reply(response, lambda given: self._send(given, header))

    def _send(self, response: Message, header: Any) -> None:
        if self._closed:
            return
        try:
            data = self._book.encode(self._response_type, response)
            self._service.send_response(deserialize_message(data, self._class.Response), header)
        except FieldError as error:
            self._fail(error)
        except InvalidHandle:  # closed by another thread just now
            return
        except rclpy_implementation.RCLError:
            self._counters.add("unsent")

    def _fail(self, error: Exception) -> None:
        self._counters.add("handler_errors")
        tell_failure(logger, self.name, error)


def _never_called(_: Any, __: Any) -> Any:
    raise TransportError("a service of this transport was given to an executor")
