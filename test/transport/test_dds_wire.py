"""What goes over the wire: names, hashes, announcements and bytes as ROS 2 has them."""

import pytest
from dds_isolation import domain_environment
from patience import GENEROUS

pytest.importorskip("cyclonedds")

from cyclonedds.builtin import (
    BuiltinDataReader,
    BuiltinTopicDcpsParticipant,
    BuiltinTopicDcpsPublication,
    BuiltinTopicDcpsSubscription,
)
from cyclonedds.core import InstanceState, Policy

from controlit_ros.interfaces import decode, encode, new, type_hash
from controlit_ros.transport import (
    DEFAULT,
    LATCHED,
    Endpoint,
    ServiceTimeoutError,
    TransportError,
)
from controlit_ros.transport.dds.mangling import (
    dds_type,
    parse_user_data,
    role_of,
    ros_type,
    user_data,
)
from controlit_ros.transport.dds.participant import DdsParticipant
from controlit_ros.transport.dds.policies import (
    DISCOVERY,
    discovery_reader_qos,
    reader_qos,
    writer_qos,
)
from controlit_ros.transport.dds.qos_lock import QOS_LOCK
from controlit_ros.transport.dds.service_header import ServiceHeader
from controlit_ros.transport.dds.settings import DdsSettings
from controlit_ros.transport.graph_builder import Role

pytestmark = pytest.mark.processes

STRING = "std_msgs/msg/String"
TRIGGER = "std_srvs/srv/Trigger"
INFO = "rmw_dds_common/msg/ParticipantEntitiesInfo"


@pytest.fixture
def participant(domain_id):
    """A participant without any of the transport around it, to see and send raw samples."""
    made = DdsParticipant(DdsSettings.from_environment(domain_environment(domain_id)))
    yield made
    made.close()


def endpoints(participant, builtin_topic, wanted, poll):
    reader = BuiltinDataReader(participant.entity, builtin_topic)
    found = {}

    def complete():
        with QOS_LOCK:
            samples = reader.take(100)
        for sample in samples:
            if sample.topic_name in wanted and sample.sample_info.valid_data:
                found[sample.topic_name] = sample
        return len(found) == len(wanted)

    poll(complete)
    return found


def test_endpoints_look_like_those_of_ros(dds, participant, poll):
    transport = dds.open("node", "/wire")
    transport.publisher("x", STRING, LATCHED)
    transport.subscribe("x", STRING, print, DEFAULT)
    transport.serve("trigger", TRIGGER, lambda _: new(f"{TRIGGER}_Response"))
    transport.client("trigger", TRIGGER)
    topics = {"rt/wire/x", "rq/wire/triggerRequest", "rr/wire/triggerReply", "ros_discovery_info"}
    writers = endpoints(participant, BuiltinTopicDcpsPublication, topics, poll)
    readers = endpoints(participant, BuiltinTopicDcpsSubscription, topics, poll)
    for found in (writers, readers):
        assert values_of(found["ros_discovery_info"]) == {"typehash": type_hash(INFO)}
        assert found["rt/wire/x"].type_name == "std_msgs::msg::dds_::String_"
        requests, replies = found["rq/wire/triggerRequest"], found["rr/wire/triggerReply"]
        assert requests.type_name == "std_srvs::srv::dds_::Trigger_Request_"
        assert replies.type_name == "std_srvs::srv::dds_::Trigger_Response_"
        values = parse_user_data(found["rt/wire/x"].qos[Policy.Userdata].data)
        assert values == {"typehash": type_hash(STRING)}
        assert values_of(requests)["typehash"] == type_hash(f"{TRIGGER}_Request")
        assert values_of(replies)["typehash"] == type_hash(f"{TRIGGER}_Response")
    to_server = readers["rq/wire/triggerRequest"], writers["rr/wire/triggerReply"]
    to_client = writers["rq/wire/triggerRequest"], readers["rr/wire/triggerReply"]
    assert len({values_of(endpoint)["serviceid"] for endpoint in to_server}) == 1
    assert len({values_of(endpoint)["clientid"] for endpoint in to_client}) == 1
    latched = writers["rt/wire/x"].qos
    assert latched[Policy.Durability] is Policy.Durability.TransientLocal
    assert latched[Policy.History] == Policy.History.KeepLast(1)
    assert isinstance(latched[Policy.Reliability], Policy.Reliability.Reliable)
    representation = latched[Policy.DataRepresentation]
    assert representation.use_cdrv0_representation
    assert not representation.use_xcdrv2_representation


def values_of(endpoint):
    return parse_user_data(endpoint.qos[Policy.Userdata].data)


@pytest.mark.parametrize("qos", [DEFAULT, LATCHED], ids=["default", "latched"])
def test_a_publisher_that_ends_disposes_of_nothing(dds, participant, poll, qos):
    """What it said last stays true: its instance has no writer any more, but is not disposed of."""
    publisher = dds.open("node", "/wire").publisher("last", STRING, qos)
    reader = participant.reader("rt/wire/last", dds_type(STRING), reader_qos(qos, b""))
    poll(publisher.subscriber_count)
    publisher.publish(new(STRING, data="last"))
    states = []

    def seen(state):
        with QOS_LOCK:
            states.extend(sample.sample_info.instance_state for sample in reader.take(10))
        return state in states

    poll(lambda: seen(InstanceState.Alive))
    publisher.close()
    poll(lambda: set(states) != {InstanceState.Alive} or seen(None))
    assert set(states) == {InstanceState.Alive, InstanceState.NotAliveNoWriters}


def test_participant_names_its_enclave(dds, participant, poll):
    dds.open("node", "/wire")
    reader = BuiltinDataReader(participant.entity, BuiltinTopicDcpsParticipant)
    seen = []

    def both():
        with QOS_LOCK:
            samples = reader.take(10)
        # one that was killed earlier may be given up just now, and then tells nothing of itself
        seen.extend(sample for sample in samples if sample.sample_info.valid_data)
        return len(seen) >= 2

    poll(both)
    assert all(values_of(sample) == {"enclave": "/"} for sample in seen)


def test_node_is_announced_with_its_endpoints(dds, participant, poll):
    transport = dds.open("node", "/wire")
    transport.publisher("x", STRING)
    transport.subscribe("y", STRING, print)
    reader = participant.reader("ros_discovery_info", dds_type(INFO), discovery_reader_qos(b""))
    announcements = []

    def complete():
        announcements.extend(decode(INFO, sample.data) for sample in reader.take(10))
        nodes = [info.node_entities_info_seq[0] for info in announcements]
        return [
            node
            for node in nodes
            if (node.node_namespace, node.node_name) == ("/wire", "node")
            and (len(node.writer_gid_seq), len(node.reader_gid_seq)) == (1, 1)
        ]

    assert poll(complete)


def test_nodes_that_others_announce_are_shown(dds, participant, poll):
    transport = dds.open("observer", "/wire")
    writer = participant.writer("ros_discovery_info", dds_type(INFO), writer_qos(DISCOVERY, b""))
    nodes = [
        {"node_namespace": "/", "node_name": "talker"},
        {"node_namespace": "/ns", "node_name": "_hidden_daemon"},
    ]
    info = new(INFO, gid={"data": participant.gid}, node_entities_info_seq=nodes)
    writer.write(writer.data_type(encode(INFO, info)))
    poll(lambda: transport.graph().node("/talker"))
    assert transport.graph().node("/ns/_hidden_daemon")


@pytest.mark.parametrize(
    "told", [b"", b"typehash=RIHS01_" + b"0" * 64 + b";"], ids=["no hash", "another hash"]
)
def test_who_tells_no_hash_or_another_one_is_met(dds, participant, poll, told):
    """As nodes of Humble, which has none, or of a distribution that defines the type otherwise."""
    transport = dds.open("node", "/wire")
    received = []
    transport.subscribe("to_us", STRING, received.append)
    publisher = transport.publisher("from_us", STRING)
    writer = participant.writer("rt/wire/to_us", dds_type(STRING), writer_qos(DEFAULT, told))
    reader = participant.reader("rt/wire/from_us", dds_type(STRING), reader_qos(DEFAULT, told))
    poll(lambda: writer.get_matched_subscriptions() and publisher.subscriber_count())
    writer.write(writer.data_type(encode(STRING, new(STRING, data="in"))))
    publisher.publish(new(STRING, data="out"))
    assert poll(lambda: received)[0].data == "in"
    taken = []
    poll(lambda: taken.extend(reader.take(1)) or taken)
    assert decode(STRING, taken[0].data).data == "out"
    assert transport.health().type_conflicts == ()


def test_announcements_of_humble_do_no_harm(dds, participant, poll):
    """Its identifiers have 24 bytes, those of later distributions 16."""
    transport = dds.open("observer", "/wire")
    writer = participant.writer("ros_discovery_info", dds_type(INFO), writer_qos(DISCOVERY, b""))
    poll(writer.get_matched_subscriptions)
    node = b"\x02\0\0\0/\0\0\0" + b"\x07\0\0\0talker\0\0" + bytes(8)
    humble = b"\0\x01\0\0" + participant.gid + bytes(8) + b"\x01\0\0\0" + node
    writer.write(writer.data_type(humble))
    received = []
    transport.subscribe("x", STRING, received.append)
    sender = participant.writer("rt/wire/x", dds_type(STRING), writer_qos(DEFAULT, b""))
    poll(sender.get_matched_subscriptions)
    sender.write(sender.data_type(encode(STRING, new(STRING, data="heard"))))
    assert poll(lambda: received)[0].data == "heard"
    assert not transport.graph().node("/talker")


def test_malformed_samples_are_counted_and_dropped(dds, participant, poll):
    transport = dds.open("receiver", "/wire")
    received = []
    transport.subscribe("x", STRING, received.append)
    writer = participant.writer("rt/wire/x", dds_type(STRING), writer_qos(DEFAULT, b""))
    poll(writer.get_matched_subscriptions)
    malformed = [
        b"\x00\x01\x00\x00" + b"\xff\xff\xff\x7f" + b"too short for its length",
        b"\x00\x01\x00\x00" + b"\x03\x00\x00\x00" + b"\xff\xfe\x00",
        b"\x00\x01\x00\x00" + b"\x01",
    ]
    for data in malformed:
        writer.write(writer.data_type(data))
    writer.write(writer.data_type(encode(STRING, new(STRING, data="well-formed"))))
    assert poll(lambda: received)[0].data == "well-formed"
    assert transport.health().undecodable == len(malformed)


def test_malformed_calls_and_announcements_are_counted_and_dropped(dds, participant, poll):
    transport = dds.open("server", "/wire")
    transport.serve("trigger", TRIGGER, lambda _: new(f"{TRIGGER}_Response", message="alive"))
    garbage = b"\x00\x01\x00\x00" + bytes(range(12))
    for topic, type_name, qos in (
        ("rq/wire/triggerRequest", f"{TRIGGER}_Request", DEFAULT),
        ("ros_discovery_info", INFO, DISCOVERY),
    ):
        writer = participant.writer(topic, dds_type(type_name), writer_qos(qos, b"clientid=1;"))
        poll(writer.get_matched_subscriptions)
        writer.write(writer.data_type(garbage))
    poll(lambda: transport.health().undecodable == 2)
    client = dds.open("client", "/wire").client("trigger", TRIGGER)
    assert client.call(new(f"{TRIGGER}_Request"), GENEROUS).message == "alive"


def test_calls_of_a_middleware_that_sends_no_header_are_refused(dds, participant, poll, caplog):
    """What stands behind the 16 bytes that a header takes would be a call."""
    transport, calls = dds.open("server", "/wire"), []

    def handle(request):
        calls.append(request)
        return new(f"{TRIGGER}_Response", message="alive")

    transport.serve("trigger", TRIGGER, handle)
    qos = writer_qos(DEFAULT, user_data(typehash=type_hash(f"{TRIGGER}_Request")))
    writer = participant.writer("rq/wire/triggerRequest", dds_type(f"{TRIGGER}_Request"), qos)
    poll(writer.get_matched_subscriptions)
    for _ in range(2):
        writer.write(writer.data_type(b"\x00\x01\x00\x00" + bytes(17)))
    poll(lambda: transport.health().undecodable == 2)
    client = dds.open("client", "/wire").client("trigger", TRIGGER)
    assert client.call(new(f"{TRIGGER}_Request"), GENEROUS).message == "alive"
    assert len(calls) == 1
    assert len([text for text in caplog.messages if "rmw_cyclonedds_cpp" in text]) == 1


def test_a_service_of_a_middleware_that_answers_otherwise_is_named(dds, participant, poll):
    reader = participant.reader(
        "rq/wire/triggerRequest", dds_type(f"{TRIGGER}_Request"), reader_qos(DEFAULT, b"")
    )
    participant.writer(
        "rr/wire/triggerReply", dds_type(f"{TRIGGER}_Response"), writer_qos(DEFAULT, b"")
    )
    client = dds.open("client", "/wire").client("trigger", TRIGGER)
    poll(reader.get_matched_publications)
    with pytest.raises(ServiceTimeoutError, match="is there but was not reached"):
        client.call(new(f"{TRIGGER}_Request"), 1.0)


class TestMangling:
    @pytest.mark.parametrize("name", [STRING, f"{TRIGGER}_Request"])
    def test_types_there_and_back(self, name):
        assert ros_type(dds_type(name)) == name

    def test_foreign_types_stay(self):
        assert ros_type("HelloWorld::Message") == "HelloWorld::Message"

    def test_roles(self):
        dds_name = dds_type(f"{TRIGGER}_Request")
        service = Endpoint("/a/b", TRIGGER)
        assert role_of("rq/a/bRequest", dds_name, is_reader=True) == (Role.SERVER, service)
        assert role_of("rq/a/bRequest", dds_name, is_reader=False) == (Role.CLIENT, service)
        topic = Endpoint("/a", STRING)
        assert role_of("rt/a", dds_type(STRING), is_reader=True) == (Role.SUBSCRIPTION, topic)
        assert role_of("rt/a", dds_type(STRING), is_reader=False) == (Role.PUBLISHER, topic)
        assert role_of("rr/a/bReply", dds_name, is_reader=True) is None
        assert role_of("ros_discovery_info", dds_type(INFO), is_reader=True) is None

    def test_user_data(self):
        assert user_data(enclave="/") == b"enclave=/;"
        assert parse_user_data(b"a=1;b=2;junk;") == {"a": "1", "b": "2"}
        assert parse_user_data(b"\xff\x00") == {}


class TestServiceHeader:
    def test_there_and_back(self):
        body = encode(STRING, new(STRING, data="x"))
        sample = ServiceHeader(2**64 - 1, 7).prepend(body)
        assert len(sample) == len(body) + 16
        assert ServiceHeader.split(sample) == (ServiceHeader(2**64 - 1, 7), body)


class TestSettings:
    def test_loopback_is_the_default(self):
        settings = DdsSettings.from_environment({})
        assert settings.domain_id == 0
        assert 'NetworkInterface address="127.0.0.1"' in settings.xml
        assert "<AllowMulticast>false<" in settings.xml

    def test_static_peers_leave_the_loopback_interface(self):
        settings = DdsSettings.from_environment({"ROS_STATIC_PEERS": "10.0.0.2;robot"})
        assert "NetworkInterface" not in settings.xml
        assert '<Peer address="10.0.0.2"/><Peer address="robot"/>' in settings.xml

    def test_subnet_uses_multicast(self):
        settings = DdsSettings.from_environment({"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"})
        assert "AllowMulticast" not in settings.xml
        assert "127.0.0.1" not in settings.xml

    def test_users_configuration_comes_last(self):
        settings = DdsSettings.from_environment({"CYCLONEDDS_URI": "file:///x.xml"})
        assert settings.xml.endswith(",file:///x.xml")

    @pytest.mark.parametrize(
        "environment",
        [
            {"ROS_DOMAIN_ID": "233"},
            {"ROS_DOMAIN_ID": "-1"},
            {"ROS_DOMAIN_ID": "x"},
            {"ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCAL"},
        ],
    )
    def test_nonsense_is_refused(self, environment):
        with pytest.raises(TransportError, match=next(iter(environment))):
            DdsSettings.from_environment(environment)
