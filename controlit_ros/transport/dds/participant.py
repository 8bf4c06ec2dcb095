"""Our participant in a DDS domain and what it makes."""

from threading import Lock

from cyclonedds.core import DDSException, Entity, Policy
from cyclonedds.core import Qos as CycloneQos
from cyclonedds.domain import DomainParticipant
from cyclonedds.pub import DataWriter, Publisher
from cyclonedds.sub import DataReader, Subscriber
from cyclonedds.topic import Topic

from controlit_ros.transport.errors import TransportError, TypeConflictError

from .domain import open_domain
from .mangling import ros_type, user_data
from .qos_lock import QOS_LOCK
from .sample import opaque_type
from .settings import DdsSettings

ENCLAVE = "/"
"""Security enclave of the node; ROS 2 ignores participants that do not name one."""


class DdsParticipant:
    """Makes writers and readers of opaque samples in one domain."""

    def __init__(self, settings: DdsSettings) -> None:
        open_domain(settings)
        qos = CycloneQos(Policy.Userdata(user_data(enclave=ENCLAVE)))
        try:
            with QOS_LOCK:
                self.entity = DomainParticipant(settings.domain_id, qos)
        except DDSException as error:
            raise TransportError(
                f"cannot join DDS domain {settings.domain_id}: {error}; are more than the allowed "
                f"number of processes in it, or the loopback interface down?"
            ) from error
        self._publisher = Publisher(self.entity)
        self._subscriber = Subscriber(self.entity)
        self._lock = Lock()
        self._topics: dict[str, Topic] = {}
        self._users: dict[int, str] = {}

    @property
    def gid(self) -> bytes:
        """Identifier of the participant, 16 bytes."""
        return gid_of(self.entity)

    def writer(self, dds_topic: str, dds_type: str, qos: CycloneQos) -> DataWriter:
        """Return a new writer.

        Raises:
            TypeConflictError: the topic is used with another type here.
        """
        with self._lock:
            topic = self._topic(dds_topic, dds_type)
            with QOS_LOCK:
                writer = DataWriter(self._publisher, topic, qos)
            self._users[id(writer)] = dds_topic
            return writer

    def reader(self, dds_topic: str, dds_type: str, qos: CycloneQos) -> DataReader:
        """Return a new reader; raises as `writer` does."""
        with self._lock:
            topic = self._topic(dds_topic, dds_type)
            with QOS_LOCK:
                reader = DataReader(self._subscriber, topic, qos)
            self._users[id(reader)] = dds_topic
            return reader

    def delete(self, *entities: Entity) -> None:
        """Delete entities now; topics that none uses any more are free for another type."""
        for entity in entities:
            delete(entity)
            with self._lock:
                topic = self._users.pop(id(entity), None)
                if topic is not None and topic not in self._users.values():
                    delete(self._topics.pop(topic))

    def close(self) -> None:
        """Leave the domain."""
        for entity in (*self._topics.values(), self._publisher, self._subscriber, self.entity):
            delete(entity)

    def _topic(self, dds_topic: str, dds_type: str) -> Topic:
        topic = self._topics.get(dds_topic)
        if topic is None:
            topic = Topic(self.entity, dds_topic, opaque_type(dds_type))
            self._topics[dds_topic] = topic
        elif topic.data_type is not opaque_type(dds_type):
            raise TypeConflictError(
                f"/{dds_topic.partition('/')[2]} is used here with the type "
                f"{ros_type(topic.typename)}, not {ros_type(dds_type)}"
            )
        return topic


def gid_of(entity: Entity) -> bytes:
    """Return the global identifier of an entity, 16 bytes as they are on the wire."""
    identifier: bytes = entity.guid.bytes
    return identifier


def delete(entity: Entity) -> None:
    """Delete an entity now instead of when Python collects it; a second time does nothing."""
    entity.__del__()
