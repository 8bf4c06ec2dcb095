"""A client of a service on DDS."""

import time
from threading import Condition

from cyclonedds.core import DDSException, DDSStatus, ReadCondition

from controlit_ros.interfaces import DecodeError, Message
from controlit_ros.transport.errors import ServiceTimeoutError, TransportClosedError
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.service_timeout import no_answer, no_service, went_away

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

CONFIRMATION_TIME = 0.1
"""How long a server must be gone before a call gives up on it [s]."""


class DdsClient(DdsEnd):
    """Calls a service; implements `Client`."""

    def __init__(
        self,
        endpoint: Endpoint,
        context: DdsContext,
        loop: DdsWaitLoop,
    ) -> None:
        super().__init__(endpoint, context, loop)
        self._sequence = 0
        self._replies: dict[int, bytes | None] = {}
        self._arrived = Condition()
        types = self._book.service(endpoint.type_name)
        self._request_type, self._response_type = types.request, types.response
        identifier = new_identifier()
        self._reader = self._new_reader(
            reply_topic(endpoint.name), types.response, SERVICE, clientid=identifier
        )
        self._writer = self._new_writer(
            request_topic(endpoint.name), types.request, SERVICE, clientid=identifier
        )
        self._handle = self._writer.get_instance_handle() & (2**64 - 1)
        self._changes = 0
        self._known_servers: tuple[int, frozenset[str]] = (0, frozenset())
        self._condition = ReadCondition(self._reader, ANY_STATE)
        self._reader.set_status_mask(DDSStatus.SubscriptionMatched)
        self._writer.set_status_mask(DDSStatus.PublicationMatched)
        loop.add(self._condition, self._take_replies)
        loop.add(self._reader, self._reader_matched)
        loop.add(self._writer, self._writer_matched)
        self._announce(self._reader, self._writer)

    def call(self, request: Message, timeout: float = 5.0) -> Message:
        """Send a request and return the response (see `Client.call`)."""
        deadline = time.monotonic() + timeout
        data = self._book.encode(self._request_type, request)
        if not self.wait_for_service(timeout):
            self._check_open()
            raise ServiceTimeoutError(no_service(self.endpoint, timeout, self._discovery.graph()))
        servers = self._servers()
        with self._arrived:
            self._sequence += 1
            sequence = self._sequence
            self._replies[sequence] = None
        try:
            self._send(ServiceHeader(self._handle, sequence).prepend(data))
            gone = self._wait_for_reply(sequence, servers, deadline)
        finally:
            reply = self._replies.pop(sequence)
        if reply is None:
            self._check_open()
            text = went_away(self.endpoint) if gone else no_answer(self.endpoint, timeout)
            raise ServiceTimeoutError(text)
        return self._book.decode(self._response_type, reply)

    def wait_for_service(self, timeout: float) -> bool:
        """Wait up to `timeout` seconds and return whether the service is there."""
        if not self._closed and self._servers():
            return True
        self._discovery.wait_for(lambda: self._closed or bool(self._servers()), timeout)
        return not self._closed and bool(self._servers())

    def close(self) -> None:
        """Stop calling."""
        if self._closed:
            return
        self._closed = True
        for entity in (self._condition, self._reader, self._writer):
            self._loop.remove(entity)
        self._discovery.remove(*self._gids)
        self._discovery.notify()
        with self._arrived:
            self._arrived.notify_all()
        self._participant.delete(self._condition, self._reader, self._writer)

    def _send(self, data: bytes) -> None:
        try:
            self._writer.write(self._writer.data_type(data))
        except DDSException as error:
            self._check_open()
            self._counters.add("unsent")
            raise ServiceTimeoutError(f"{self.name}: the request was not sent: {error}") from error

    def _wait_for_reply(self, sequence: int, servers: frozenset[str], deadline: float) -> bool:
        """Wait for a reply; return whether it is hopeless since the servers asked are gone."""

        def settled() -> bool:
            return self._closed or self._replies[sequence] is not None

        def hopeless() -> bool:
            return servers.isdisjoint(self._servers())

        with self._arrived:
            while self._arrived.wait_for(
                lambda: settled() or hopeless(), deadline - time.monotonic()
            ):
                # the last reply of a server may come after the news that the server is gone
                if not self._arrived.wait_for(
                    lambda: settled() or not hopeless(), CONFIRMATION_TIME
                ):
                    return True
                if settled():
                    break
            return False

    def _take_replies(self) -> None:
        samples = self._reader.take(SERVICE.depth)
        with self._arrived:
            for sample in samples:
                if not isinstance(sample, OpaqueSample):
                    continue
                try:
                    header, body = ServiceHeader.split(sample.data)
                except DecodeError:
                    self._counters.add("undecodable")
                    continue
                if header.client == self._handle and header.sequence in self._replies:
                    self._replies[header.sequence] = body
            self._arrived.notify_all()

    def _reader_matched(self) -> None:
        self._reader.get_subscription_matched_status()
        self._matches_changed()

    def _writer_matched(self) -> None:
        self._writer.get_publication_matched_status()
        self._matches_changed()

    def _matches_changed(self) -> None:
        self._changes += 1
        self._discovery.notify()
        with self._arrived:
            self._arrived.notify_all()

    def _servers(self) -> frozenset[str]:
        """Return the servers both of whose topics are matched, remembered until that changes."""
        changes = self._changes  # before looking: what happens meanwhile counts as a change
        known_at, servers = self._known_servers
        if servers and known_at == changes:
            return servers
        try:
            with QOS_LOCK:
                servers = self._find_servers()
        except DDSException:  # closed by another thread just now
            return frozenset()
        self._known_servers = changes, servers
        return servers

    def _find_servers(self) -> frozenset[str]:
        readers = {
            user_value(self._writer.get_matched_subscription_data(handle), "serviceid")
            for handle in self._writer.get_matched_subscriptions()
        }
        writers = {
            user_value(self._reader.get_matched_publication_data(handle), "serviceid")
            for handle in self._reader.get_matched_publications()
        }
        return frozenset(name for name in readers & writers if name is not None)

    def _check_open(self) -> None:
        if self._closed:
            raise TransportClosedError(f"the client of {self.name} is closed")
