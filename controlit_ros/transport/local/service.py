"""A service within the process."""

import logging
from collections.abc import Callable

from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.graph_builder import Role
from controlit_ros.transport.handler_failure import tell_failure
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

    def submit(self, request: bytes, reply: Callable[[bytes], None]) -> None:
        """Have the handler answer an encoded request; `reply` gets the encoded response."""
        self._worker.submit(lambda: self._answer(request, reply))

    def _answer(self, request: bytes, reply: Callable[[bytes], None]) -> None:
        if self._closed:
            return
        book = self._context.book
        try:
            response = self._handler(book.decode(self._types.request, request))
            data = book.encode(self._types.response, response)
        except Exception as error:  # noqa: BLE001 - handlers may raise anything
            self._context.counters.add("handler_errors")
            tell_failure(logger, self.name, error)
            return
        reply(data)
