"""A service on DDS."""

import logging
import time

from cyclonedds.core import DDSException, ReadCondition

from controlit_ros.awake_time import AwakeTime
from controlit_ros.interfaces import DecodeError, FieldError, Message
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.handler_failure import tell_failure
from controlit_ros.transport.later import reply
from controlit_ros.transport.port import Handler

from .context import DdsContext
from .discovery import ANY_STATE
from .end import DdsEnd
from .mangling import reply_topic, request_topic
from .policies import SERVICE
from .qos_lock import QOS_LOCK
from .sample import OpaqueSample
from .service_header import ServiceHeader
from .service_identity import new_identifier, user_value
from .wait_loop import DdsWaitLoop

logger = logging.getLogger(__name__)

REPLY_READER_TIMEOUT = 1.0
"""How long a first reply waits for the client's reader to be discovered, on a busy machine [s]."""

REPLY_READER_POLL = 0.002
"""How often it is looked for meanwhile [s]."""

FOREIGN = "the client's middleware calls otherwise; RMW_IMPLEMENTATION=rmw_cyclonedds_cpp helps"


class DdsService(DdsEnd):
    """Answers calls; implements `Service`."""

    def __init__(
        self,
        endpoint: Endpoint,
        handler: Handler,
        context: DdsContext,
        loop: DdsWaitLoop,
    ) -> None:
        super().__init__(endpoint, context, loop)
        self._handler = handler
        self._ready_clients: set[int] = set()
        self._foreign_clients: set[int] = set()
        types = self._book.service(endpoint.type_name)
        self._request_type, self._response_type = types.request, types.response
        identifier = new_identifier()
        self._writer = self._new_writer(
            reply_topic(endpoint.name), types.response, SERVICE, serviceid=identifier
        )
        self._reader = self._new_reader(
            request_topic(endpoint.name), types.request, SERVICE, serviceid=identifier
        )
        self._condition = ReadCondition(self._reader, ANY_STATE)
        loop.add(self._condition, self._answer_all)
        self._announce(self._writer, self._reader)

    def close(self) -> None:
        """Stop answering."""
        if not self._closed:
            self._closed = True
            self._loop.remove(self._condition)
            self._discovery.remove(*self._gids)
            self._participant.delete(self._condition, self._reader, self._writer)

    def _answer_all(self) -> None:
        for sample in self._reader.take(SERVICE.depth):
            if self._closed:
                return
            if isinstance(sample, OpaqueSample):
                self._answer(sample)

    def _answer(self, sample: OpaqueSample) -> None:
        client_writer = sample.sample_info.publication_handle
        if self._is_foreign(client_writer):
            self._counters.add("undecodable")
            return
        try:
            header, body = ServiceHeader.split(sample.data)
            request = self._book.decode(self._request_type, body)
        except DecodeError as error:
            self._counters.add("undecodable")
            logger.warning("%s: dropped a request: %s", self.name, error)
            return
        try:
            response = self._handler(request)
        except Exception as error:  # noqa: BLE001 - handlers may raise anything
            self._fail(error)
            return
        if self._closed:
            return
        self._wait_for_reply_reader(client_writer)
        reply(response, lambda given: self._send(given, header))

    def _send(self, response: Message, header: ServiceHeader) -> None:
        if self._closed:
            return
        try:
            data = header.prepend(self._book.encode(self._response_type, response))
            self._writer.write(self._writer.data_type(data))
        except FieldError as error:
            self._fail(error)
        except DDSException:
            self._counters.add("unsent")

    def _fail(self, error: Exception) -> None:
        self._counters.add("handler_errors")
        tell_failure(logger, self.name, error)

    def _is_foreign(self, client_writer: int) -> bool:
        """Return whether a client is of a middleware that calls in another way; told once.

        Its requests have no header, and without their first bytes they may mean anything.
        """
        if client_writer in self._ready_clients:
            return False
        if client_writer in self._foreign_clients:
            return True
        with QOS_LOCK:
            writer = self._reader.get_matched_publication_data(client_writer)
        if writer is None or user_value(writer, "clientid") is not None:
            return False
        self._foreign_clients.add(client_writer)
        logger.warning("%s: refused a call: %s", self.name, FOREIGN)
        return True

    def _wait_for_reply_reader(self, client_writer: int) -> None:
        """Wait until the client's reader is matched: a volatile reply sent before is lost."""
        if client_writer in self._ready_clients:
            return
        waited = AwakeTime()
        while waited.look() < REPLY_READER_TIMEOUT and not self._closed:
            with QOS_LOCK:
                ready = self._is_ready(client_writer)
            if ready:
                self._ready_clients.add(client_writer)
                return
            time.sleep(REPLY_READER_POLL)

    def _is_ready(self, client_writer: int) -> bool:
        writer = self._reader.get_matched_publication_data(client_writer)
        if writer is None:  # the client is gone, no need to wait
            return True
        return self._has_reply_reader(user_value(writer, "clientid"))

    def _has_reply_reader(self, identifier: str | None) -> bool:
        return any(
            user_value(self._writer.get_matched_subscription_data(handle), "clientid") == identifier
            for handle in self._writer.get_matched_subscriptions()
        )
