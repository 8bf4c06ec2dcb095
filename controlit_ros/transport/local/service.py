"""A service within the process."""

import logging
from collections.abc import Callable

from controlit_ros.interfaces import FieldError, Message
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.graph_builder import Role
from controlit_ros.transport.handler_failure import tell_failure
from controlit_ros.transport.later import reply
from controlit_ros.transport.port import Handler

from .part import LocalContext, LocalPart
from .worker import Worker

logger = logging.getLogger(__name__)


class LocalService(LocalPart):
    """Answers calls; implements `Service`."""

    role = Role.SERVER

    def __init__(
        self, endpoint: Endpoint, handler: Handler, context: LocalContext, worker: Worker
    ) -> None:
        super().__init__(endpoint, context)
        self._handler = handler
        self._worker = worker
        self._types = context.book.service(endpoint.type_name)

    def submit(self, request: bytes, take: Callable[[bytes], None]) -> None:
        """Have the handler answer an encoded request; `take` gets the encoded response."""
        self._worker.submit(lambda: self._answer(request, take))

    def _answer(self, request: bytes, take: Callable[[bytes], None]) -> None:
        if self._closed:
            return
        try:
            response = self._handler(self._context.book.decode(self._types.request, request))
        except Exception as error:  # noqa: BLE001 - handlers may raise anything
            self._fail(error)
            return
        reply(response, lambda given: self._send(given, take))

    def _send(self, response: Message, take: Callable[[bytes], None]) -> None:
        try:
            data = self._context.book.encode(self._types.response, response)
        except FieldError as error:
            self._fail(error)
            return
        take(data)

    def _fail(self, error: Exception) -> None:
        self._context.counters.add("handler_errors")
        tell_failure(logger, self.name, error)
