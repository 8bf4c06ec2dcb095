"""Who else is in the domain, and telling them who we are."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from threading import Condition
from typing import Any, NamedTuple

from cyclonedds.builtin import (
    BuiltinDataReader,
    BuiltinTopicDcpsParticipant,
    BuiltinTopicDcpsPublication,
    BuiltinTopicDcpsSubscription,
)
from cyclonedds.core import InstanceState, ReadCondition, SampleState, ViewState

from controlit_ros.interfaces import DecodeError, Message, TypeBook
from controlit_ros.transport.counters import Counters
from controlit_ros.transport.graph import Endpoint, Graph
from controlit_ros.transport.graph_builder import GraphBuilder, Role
from controlit_ros.transport.names import NodeName
from controlit_ros.transport.qos import Qos
from controlit_ros.transport.unmet import unmet

from .mangling import dds_type, role_of, user_data
from .participant import DdsParticipant, delete
from .policies import DISCOVERY, discovery_reader_qos, qos_of, writer_qos
from .qos_lock import QOS_LOCK
from .sample import OpaqueSample
from .service_identity import user_value
from .wait_loop import DdsWaitLoop

logger = logging.getLogger(__name__)

TOPIC = "ros_discovery_info"
TYPE = "rmw_dds_common/msg/ParticipantEntitiesInfo"
GID = "rmw_dds_common/msg/Gid"

MOST_AT_ONCE = 100
"""Samples taken from a reader at a time."""

_TOPIC_ROLES = (Role.PUBLISHER, Role.SUBSCRIPTION)
ANY_STATE = SampleState.Any | ViewState.Any | InstanceState.Any


@dataclass(frozen=True)
class _Remote:
    role: Role
    endpoint: Endpoint
    participant: bytes
    qos: Qos


class _Own(NamedTuple):
    """An endpoint of our node, as it is announced."""

    gid: Message
    is_reader: bool


class Discovery:
    """Keeps the graph of the domain and announces our node.

    DDS itself tells about participants and their endpoints; which node of a participant an
    endpoint belongs to is told by ROS 2 on the topic `ros_discovery_info`, both ways.
    """

    def __init__(
        self,
        participant: DdsParticipant,
        node: NodeName,
        loop: DdsWaitLoop,
        counters: Counters,
        book: TypeBook,
    ) -> None:
        self._node = node
        self._loop = loop
        self._counters = counters
        self._book = book
        self._gid = participant.gid
        self._own: dict[bytes, _Own] = {}
        self._adapting: dict[bytes, Callable[[], None]] = {}
        self._due: list[Callable[[], None]] = []
        self._own_topics: dict[str, str] = {}
        self._participants: set[bytes] = set()
        self._ros_participants: set[bytes] = set()
        self._known: set[bytes] = set()
        self._told: set[str] = set()
        self._endpoints: dict[bytes, _Remote] = {}
        self._announcements: dict[bytes, Message] = {}
        self._changed = Condition()
        book.prepare_reading(TYPE)
        data = user_data(typehash=book.type_hash(TYPE))  # ROS 2 warns of endpoints without one
        self._writer = participant.writer(TOPIC, dds_type(TYPE), writer_qos(DISCOVERY, data))
        self._reader = participant.reader(TOPIC, dds_type(TYPE), discovery_reader_qos(data))
        self._watched: list[Any] = []
        self._watch(self._reader, self._take_announcements)
        takes: list[tuple[Any, Callable[[Any], None]]] = [
            (BuiltinTopicDcpsParticipant, self._take_participant),
            (BuiltinTopicDcpsPublication, partial(self._take_endpoint, is_reader=False)),
            (BuiltinTopicDcpsSubscription, partial(self._take_endpoint, is_reader=True)),
        ]
        for topic, take in takes:
            reader = BuiltinDataReader(participant.entity, topic)
            self._watch(reader, partial(self._take_all, reader, take))
        self._announce()

    def add(self, ends: Mapping[bytes, bool], adapt: Callable[[], None] | None = None) -> None:
        """Announce endpoints of our node.

        Args:
            ends: Whether each receives, by its identifier.
            adapt: Called when there is a publisher that would be heard if less were asked for,
                perhaps more than once.
        """
        with self._changed:
            for gid, is_reader in ends.items():
                self._own[gid] = _Own(self._book.new(GID, data=gid), is_reader)
                if adapt is not None:
                    self._adapting[gid] = adapt
                self._check_quality(gid)
            self._announce()
        self._adapt()

    def remove(self, *gids: bytes) -> None:
        """Announce that endpoints of our node are gone."""
        with self._changed:
            for gid in gids:
                self._own.pop(gid, None)
                self._adapting.pop(gid, None)
            self._announce()

    def guard_type(self, endpoint: Endpoint) -> None:
        """Report other nodes' endpoints that use this topic with another type."""
        with self._changed:
            self._own_topics[endpoint.name] = endpoint.type_name
            for remote in self._endpoints.values():
                self._check_type(remote)

    def wait_for(self, predicate: Callable[[], bool], timeout: float) -> bool:
        """Wait until `predicate` holds, which is tried again at every change of the graph."""
        with self._changed:
            return self._changed.wait_for(predicate, timeout)

    def notify(self) -> None:
        """Have the waiting predicates tried again."""
        with self._changed:
            self._changed.notify_all()

    def graph(self) -> Graph:
        """Return what is known now."""
        builder = GraphBuilder()
        with self._changed:
            builder.add_node(self._node.namespace, self._node.name)
            for gid in self._own:
                self._attribute(builder, self._node, gid)
            for participant, announcement in self._announcements.items():
                if participant in self._participants:
                    self._add_nodes(builder, announcement)
            for remote in self._endpoints.values():
                builder.add_endpoint(remote.role, remote.endpoint, remote.qos)
            return builder.build(is_complete=self._is_complete())

    def close(self) -> None:
        """Stop watching."""
        for condition, reader in self._watched:
            self._loop.remove(condition)
            with QOS_LOCK:  # samples being converted now would be freed with their reader
                delete(condition)
                delete(reader)
        delete(self._writer)

    def _watch(self, reader: Any, action: Callable[[], None]) -> None:
        condition = ReadCondition(reader, ANY_STATE)
        self._watched.append((condition, reader))
        self._loop.add(condition, action)

    def _take_all(self, reader: Any, take: Callable[[Any], None]) -> None:
        with QOS_LOCK:
            samples = reader.take(MOST_AT_ONCE)
        with self._changed:
            for sample in samples:
                take(sample)
            self._changed.notify_all()
        self._adapt()

    def _adapt(self) -> None:
        """Have subscriptions ask for less; they announce what they make for that."""
        with self._changed:
            due, self._due = self._due, []
        for adapt in due:
            adapt()

    def _take_participant(self, sample: Any) -> None:
        gid = sample.key.bytes
        if _is_alive(sample):
            self._participants.add(gid)
            if user_value(sample, "enclave") is not None:  # as only nodes of ROS 2 have it
                self._ros_participants.add(gid)
        else:
            self._participants.discard(gid)
            self._ros_participants.discard(gid)
            self._announcements.pop(gid, None)

    def _take_endpoint(self, sample: Any, *, is_reader: bool) -> None:
        gid = sample.key.bytes
        if not _is_alive(sample):
            self._endpoints.pop(gid, None)
            self._known.discard(gid)
            return
        self._known.add(gid)
        role = role_of(sample.topic_name, sample.type_name, is_reader=is_reader)
        if role is not None:
            self._endpoints[gid] = _Remote(*role, sample.participant_key.bytes, qos_of(sample.qos))
            self._check_type(self._endpoints[gid])
            self._check_quality(gid)

    def _take_announcements(self) -> None:
        samples = self._reader.take(MOST_AT_ONCE)
        with self._changed:
            for sample in samples:
                if not isinstance(sample, OpaqueSample):
                    continue
                try:
                    announcement = self._book.decode(TYPE, sample.data)
                except DecodeError:
                    self._counters.add("undecodable")
                    continue
                self._announcements[_gid(announcement.gid)] = announcement
            self._changed.notify_all()

    def _is_complete(self) -> bool:
        """Return whether every participant has announced its nodes and we know their endpoints."""
        others = self._ros_participants - {self._gid}
        return others <= self._announcements.keys() and all(
            _gid(gid) in self._known
            for other in others
            for info in self._announcements[other].node_entities_info_seq
            for gid in (*info.reader_gid_seq, *info.writer_gid_seq)
        )

    def _check_type(self, remote: _Remote) -> None:
        name, found = remote.endpoint.name, remote.endpoint.type_name
        expected = self._own_topics.get(name, found)
        if found != expected:
            text = f"{name}: another node uses {found}, this one {expected}"
            if self._counters.add_conflict(text):
                logger.warning("%s", text)

    def _check_quality(self, gid: bytes) -> None:
        """Tell of each end of ours and of another node that will never hear of each other."""
        one = self._endpoints.get(gid)
        if one is None or one.role not in _TOPIC_ROLES:
            return
        for other_gid, other in self._endpoints.items():
            is_pair = other.endpoint == one.endpoint and other.role is not one.role
            if is_pair and (gid in self._own) is not (other_gid in self._own):
                if gid in self._own:
                    self._compare((gid, one), other)
                else:
                    self._compare((other_gid, other), one)

    def _compare(self, ours: tuple[bytes, _Remote], theirs: _Remote) -> None:
        gid, own = ours
        text = unmet(own.endpoint.name, own.qos, theirs.qos, sends=own.role is Role.PUBLISHER)
        if not text:
            return
        adapt = self._adapting.get(gid)
        if adapt is not None and theirs.qos.satisfies(own.qos.best_effort):
            self._due.append(adapt)
        elif text not in self._told:
            self._told.add(text)
            logger.warning("%s", text)

    def _add_nodes(self, builder: GraphBuilder, announcement: Message) -> None:
        for info in announcement.node_entities_info_seq:
            node = NodeName(info.node_namespace, info.node_name)
            builder.add_node(node.namespace, node.name)
            for gid in (*info.reader_gid_seq, *info.writer_gid_seq):
                self._attribute(builder, node, _gid(gid))

    def _attribute(self, builder: GraphBuilder, node: NodeName, gid: bytes) -> None:
        remote = self._endpoints.get(gid)
        if remote is not None:
            builder.attribute(node.namespace, node.name, remote.role, remote.endpoint)

    def _announce(self) -> None:
        gids: dict[bool, list[Message]] = {False: [], True: []}
        for own in self._own.values():
            gids[own.is_reader].append(own.gid)
        message = self._book.new(
            TYPE,
            gid={"data": self._gid},
            node_entities_info_seq=[
                {
                    "node_namespace": self._node.namespace,
                    "node_name": self._node.name,
                    "reader_gid_seq": gids[True],
                    "writer_gid_seq": gids[False],
                }
            ],
        )
        self._writer.write(self._writer.data_type(self._book.encode(TYPE, message)))


def _is_alive(sample: Any) -> bool:
    return bool(sample.sample_info.instance_state == InstanceState.Alive)


def _gid(message: Message) -> bytes:
    identifier: bytes = message.data.tobytes()
    return identifier
