"""A client of a service within the process."""

import time

from controlit_ros.interfaces import Message
from controlit_ros.transport.errors import ServiceTimeoutError
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.graph_builder import Role
from controlit_ros.transport.service_timeout import no_answer, no_service, went_away

from .part import LocalContext, LocalPart
from .service import LocalService


class LocalClient(LocalPart):
    """Calls a service; implements `Client`."""

    role = Role.CLIENT

    def __init__(self, endpoint: Endpoint, context: LocalContext) -> None:
        super().__init__(endpoint, context)
        self._types = context.book.service(endpoint.type_name)

    def call(self, request: Message, timeout: float = 5.0) -> Message:
        """Send a request and return the response (see `Client.call`)."""
        deadline = time.monotonic() + timeout
        broker, book = self._context.broker, self._context.book
        data = book.encode(self._types.request, request)
        self.wait_for_service(timeout)
        self._check_open()
        servers = self._servers()
        if not servers:
            raise ServiceTimeoutError(no_service(self.endpoint, timeout, broker.graph()))
        replies: list[bytes] = []

        def take(reply: bytes) -> None:
            with broker.lock:
                replies.append(reply)
                broker.lock.notify_all()

        server = servers[0]
        server.submit(data, take)
        broker.wait_for(
            lambda: self._closed or bool(replies) or not server.is_open,
            deadline - time.monotonic(),
        )
        if not replies:
            self._check_open()
            text = no_answer(self.endpoint, timeout) if server.is_open else went_away(self.endpoint)
            raise ServiceTimeoutError(text)
        return book.decode(self._types.response, replies[0])

    def wait_for_service(self, timeout: float) -> bool:
        """Wait up to `timeout` seconds and return whether the service is there."""
        self._context.broker.wait_for(lambda: self._closed or bool(self._servers()), timeout)
        return not self._closed and bool(self._servers())

    def _servers(self) -> list[LocalService]:
        return [
            server
            for server in self._context.broker.find(Role.SERVER, self.name)
            if isinstance(server, LocalService) and server.type_name == self.type_name
        ]
