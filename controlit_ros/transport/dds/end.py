"""What publishers, subscriptions, services and clients on DDS share."""

from collections.abc import Callable

from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader

from controlit_ros.transport.end import End
from controlit_ros.transport.graph import Endpoint
from controlit_ros.transport.qos import Qos

from .context import DdsContext
from .mangling import dds_type, user_data
from .participant import gid_of
from .policies import reader_qos, writer_qos
from .wait_loop import DdsWaitLoop


class DdsEnd(End):
    """An end that makes readers and writers and announces them as those of its node."""

    def __init__(self, endpoint: Endpoint, context: DdsContext, loop: DdsWaitLoop) -> None:
        super().__init__(endpoint)
        self._participant = context.participant
        self._discovery = context.discovery
        self._counters = context.counters
        self._book = context.book
        self._loop = loop
        self._gids: tuple[bytes, ...] = ()

    def _new_reader(self, dds_topic: str, type_name: str, qos: Qos, **values: str) -> DataReader:
        """Return a new reader; USER_DATA tells the `values` and the hash of the type."""
        self._book.prepare_reading(type_name)
        return self._participant.reader(
            dds_topic, dds_type(type_name), reader_qos(qos, self._user_data(type_name, values))
        )

    def _new_writer(self, dds_topic: str, type_name: str, qos: Qos, **values: str) -> DataWriter:
        """Return a new writer; USER_DATA tells the `values` and the hash of the type."""
        self._book.prepare_writing(type_name)
        return self._participant.writer(
            dds_topic, dds_type(type_name), writer_qos(qos, self._user_data(type_name, values))
        )

    def _announce(
        self, *entities: DataReader | DataWriter, adapt: Callable[[], None] | None = None
    ) -> None:
        """Tell other nodes of the entities; report who uses the name with another type.

        Args:
            entities: New ones.
            adapt: What makes a subscription ask for less (see `Discovery.add`).
        """
        ends = {gid_of(entity): isinstance(entity, DataReader) for entity in entities}
        self._gids += tuple(ends)
        self._discovery.guard_type(self.endpoint)
        self._discovery.add(ends, adapt)

    def _user_data(self, type_name: str, values: dict[str, str]) -> bytes:
        return user_data(**values, typehash=self._book.type_hash(type_name))
