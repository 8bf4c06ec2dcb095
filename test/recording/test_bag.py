"""Bags: what goes in comes out, for readers of others and for ours."""

import os
import shutil
import time

import numpy as np
import pytest
from patience import GENEROUS
from rosbags.highlevel import AnyReader
from ruamel.yaml import YAML

from controlit_ros.interfaces import new, type_book
from controlit_ros.recording.bag_recorder import BagRecorder, RecordingError
from controlit_ros.recording.bag_run import BagError, read_run
from controlit_ros.recording.report import write_report
from controlit_ros.recording.run_statistics import run_statistics
from controlit_ros.recording.task_track import TrackKind
from controlit_ros.recording.track_reader import track_readers
from controlit_ros.transport import LATCHED
from controlit_ros.transport.local import LocalTransport

POINT, TEXT = "geometry_msgs/msg/Point", "std_msgs/msg/String"
OFFSET = 0.004  # [m] of the actual value from the goal
URDF = """<robot name="r"><joint name="elbow" type="revolute">
<limit effort="7" velocity="3"/></joint></robot>"""
COUNT = 20


@pytest.fixture
def nodes(tmp_path):
    domain = str(tmp_path)
    with (
        LocalTransport("servo", "/arm", domain=domain) as servo,
        LocalTransport("recorder", "/", domain=domain) as recorder,
    ):
        yield servo, recorder


@pytest.fixture
def bag(nodes, tmp_path):
    """A bag of a controller that follows a moving goal with an offset."""
    servo, listener = nodes
    publishers = {
        "Hand/goal_position": servo.publisher("Hand/goal_position", POINT),
        "Hand/actual_position": servo.publisher("Hand/actual_position", POINT),
        "Hand/error": servo.publisher("Hand/error", "std_msgs/msg/Float64MultiArray"),
        "joints": servo.publisher("diagnostics/jointState", "sensor_msgs/msg/JointState"),
        "frequency": servo.publisher("diagnostics/servoFrequency", "std_msgs/msg/Float64"),
        "latency": servo.publisher(
            "diagnostics/servoComputeLatency", "controlit/msg/ServoComputeLatency"
        ),
        "warnings": servo.publisher("diagnostics/warnings", TEXT),
        "robot": servo.publisher("robot_description", TEXT, LATCHED),
    }
    publishers["robot"].publish(new(TEXT, data=URDF))
    folder = tmp_path / "bag"
    with BagRecorder(folder, listener) as recorder:
        recorder.add_all(listener.graph(), "/arm")
        for number in range(COUNT):
            x = 0.01 * number
            publishers["Hand/goal_position"].publish(new(POINT, x=x, y=1.0))
            publishers["Hand/actual_position"].publish(new(POINT, x=x, y=1.0 + OFFSET))
            publishers["joints"].publish(
                new(
                    "sensor_msgs/msg/JointState",
                    name=["elbow"],
                    position=[x],
                    velocity=[0.5],
                    effort=[-6.0],
                )
            )
            publishers["frequency"].publish(new("std_msgs/msg/Float64", data=1000.0))
            publishers["latency"].publish(new("controlit/msg/ServoComputeLatency", total=4e-4))
            listener.settle()
            time.sleep(0.002)
        publishers["warnings"].publish(new(TEXT, data="too hot"))
        listener.settle()
    assert recorder.dropped == 0
    return folder, recorder


def test_a_reader_of_mcap_finds_messages_and_their_definitions(bag):
    make_reader = pytest.importorskip("mcap.reader").make_reader
    folder, recorder = bag
    with (folder / f"{folder.name}.mcap").open("rb") as file:
        reader = make_reader(file)
        summary = reader.get_summary()
        schemas = {schema.name: schema for schema in summary.schemas.values()}
        counts: dict[str, int] = {}
        last = 0
        for _, channel, message in reader.iter_messages():
            counts[channel.topic] = counts.get(channel.topic, 0) + 1
            assert channel.message_encoding == "cdr"
            assert message.log_time >= last
            last = message.log_time
    assert {topic: n for topic, n in recorder.written.items() if n} == counts
    assert counts["/arm/Hand/goal_position"] == COUNT
    assert schemas[POINT].encoding == "ros2msg"
    assert b"float64 x" in schemas[POINT].data
    assert b"MSG: builtin_interfaces/Time" in schemas["controlit/msg/ServoComputeLatency"].data


def test_rosbags_decodes_with_the_definitions_in_the_bag(bag):
    folder, _ = bag
    with AnyReader([folder]) as reader:
        connections = [c for c in reader.connections if c.topic == "/arm/Hand/actual_position"]
        xs = [
            reader.deserialize(data, connection.msgtype).x
            for connection, _, data in reader.messages(connections)
        ]
    np.testing.assert_allclose(xs, 0.01 * np.arange(COUNT))


def test_metadata_are_those_of_ros(bag):
    folder, recorder = bag
    content = YAML(typ="safe").load((folder / "metadata.yaml").read_text())[
        "rosbag2_bagfile_information"
    ]
    assert content["storage_identifier"] == "mcap"
    assert content["message_count"] == sum(recorder.written.values())
    topics = {
        entry["topic_metadata"]["name"]: entry for entry in content["topics_with_message_count"]
    }
    latency = topics["/arm/diagnostics/servoComputeLatency"]
    assert latency["message_count"] == COUNT
    assert latency["topic_metadata"]["type_description_hash"] == type_book().type_hash(
        "controlit/msg/ServoComputeLatency"
    )


def test_what_was_sent_before_is_recorded_where_it_is_kept(bag):
    assert bag[1].written["/arm/robot_description"] == 1


@pytest.mark.thorough
def test_a_bag_makes_a_report(bag, tmp_path):
    record = read_run(bag[0])
    assert record.name == "arm"
    assert list(record.tasks) == ["Hand"]
    statistics = run_statistics(record)
    assert statistics.errors["Hand"].mean == pytest.approx(100.0 * OFFSET, abs=0.2)
    assert record.velocity_limits.tolist() == [3.0]
    assert record.effort_limits.tolist() == [7.0]
    assert statistics.frequency.mean == 1000.0
    assert statistics.latency["total"].p50 == pytest.approx(0.4)
    assert [text for _, _, text in record.notices] == ["too hot"]
    target = tmp_path / "report"
    target.mkdir()
    write_report(record, statistics, target)
    text = (target / "report.html").read_text()
    assert "Hand error, mean" in text
    assert 'src="servo_latency.png"' in text
    assert (target / "servo_latency.png").stat().st_size > 5_000


def test_a_bag_without_senders_has_the_goals_that_were_followed(nodes, tmp_path):
    servo, listener = nodes
    reference = servo.publisher("Hand/reference_position", POINT, LATCHED)
    actual = servo.publisher("Hand/actual_position", POINT)
    joints = servo.publisher("diagnostics/jointState", "sensor_msgs/msg/JointState")
    reference.publish(new(POINT, x=1.0))  # long before, and never again
    folder = tmp_path / "bag"
    with BagRecorder(folder, listener) as recorder:
        recorder.add_all(listener.graph(), "/arm")
        for _ in range(COUNT):
            actual.publish(new(POINT, x=1.0 + OFFSET))
            joints.publish(new("sensor_msgs/msg/JointState", name=["elbow"], position=[0.0]))
            listener.settle()
            time.sleep(0.002)
    record = read_run(folder)
    statistics = run_statistics(record)
    assert record.tasks["Hand"].kind is TrackKind.POSITION
    assert statistics.errors["Hand"].mean == pytest.approx(100.0 * OFFSET)


@pytest.mark.parametrize(
    ("quantity", "type_name", "fields", "kind"),
    [
        ("position", POINT, {}, TrackKind.POSITION),
        ("vector", "geometry_msgs/msg/Vector3", {"x": 1.0}, TrackKind.DIRECTION),
        ("force", "geometry_msgs/msg/Vector3", {"x": 1.0}, TrackKind.FORCE),
        ("orientation", "geometry_msgs/msg/Quaternion", {}, TrackKind.ORIENTATION),
        ("wrench", "std_msgs/msg/Float64MultiArray", {"data": [0.0] * 6}, TrackKind.FORCE),
        ("position", "sensor_msgs/msg/JointState", {"name": ["elbow"], "position": [1.0]},
         TrackKind.POSTURE),
        ("position", "sensor_msgs/msg/JointState", {"name": ["x", "y"], "position": [1.0, 0.0]},
         TrackKind.POSITION),
    ],
)  # fmt: skip
def test_what_messages_mean_follows_from_type_and_name(quantity, type_name, fields, kind):
    message = new(type_name, **fields)
    (reader,) = track_readers(quantity, message, ["elbow", "wrist"])
    assert reader.kind is kind
    assert len(reader.values(message)) == reader.width


def test_a_pose_is_a_place_and_a_turn():
    fields = {"position": {"x": 1.0, "y": 2.0, "z": 3.0}, "orientation": {"x": 0.6, "w": 0.8}}
    message = new("geometry_msgs/msg/Pose", **fields)
    place, turn = track_readers("pose", message, [])
    assert (place.kind, place.part) == (TrackKind.POSITION, "")
    assert place.values(message) == [1.0, 2.0, 3.0]
    assert (turn.kind, turn.part) == (TrackKind.ORIENTATION, "orientation")
    assert turn.values(message) == [0.6, 0.0, 0.0, 0.8]


def test_efforts_of_joints_are_no_posture():
    message = new("sensor_msgs/msg/JointState", name=["elbow"], effort=[3.0])
    assert track_readers("effort", message, ["elbow"]) == ()


def test_memory_is_bounded_and_drops_are_counted(nodes, tmp_path):
    servo, listener = nodes
    publisher = servo.publisher("words", TEXT)
    with BagRecorder(tmp_path / "bag", listener, capacity=0) as recorder:
        recorder.add("/arm/words", TEXT)
        for _ in range(3):
            publisher.publish(new(TEXT, data="much"))
        listener.settle()
    assert recorder.dropped == 3
    assert recorder.written == {"/arm/words": 0}


def test_unknown_types_are_told(nodes, tmp_path):
    with BagRecorder(tmp_path / "bag", nodes[1]) as recorder:
        recorder.add("/arm/strange", "nobody_msgs/msg/Knows")
    assert "nobody_msgs/msg/Knows" in recorder.unknown["/arm/strange"]


def test_an_existing_folder_is_left_alone(nodes, tmp_path):
    with pytest.raises(RecordingError, match="expected a name nothing has"):
        BagRecorder(tmp_path, nodes[1])


def test_says_what_is_wrong_with_a_bag(bag, tmp_path):
    with pytest.raises(BagError, match="cannot be read"):
        read_run(tmp_path / "absent")
    with pytest.raises(BagError, match=r"no controller 'leg'.*arm"):
        read_run(bag[0], "leg")


@pytest.mark.timeout(GENEROUS / 2)
def test_bags_that_are_damaged_or_never_end_are_refused(bag, tmp_path):
    folder = bag[0]
    whole = sorted(path for path in folder.iterdir() if path.suffix == ".mcap")
    for share in (0.0, 0.3, 0.7, 0.99):
        torn = tmp_path / f"torn{share}"
        shutil.copytree(folder, torn)
        for path in whole:
            content = path.read_bytes()
            (torn / path.name).write_bytes(content[: int(share * len(content))])
        with pytest.raises(BagError):
            read_run(torn)
    endless = tmp_path / "endless"
    shutil.copytree(folder, endless)
    for path in whole:
        (endless / path.name).unlink()
        os.mkfifo(endless / path.name)
    with pytest.raises(BagError, match=r"endless/\S+\.mcap cannot be read: it is a pipe"):
        read_run(endless)
    huge = tmp_path / "huge"
    shutil.copytree(folder, huge)
    os.truncate(huge / "metadata.yaml", 10 << 30)  # no room is taken on the disk
    with pytest.raises(BagError, match=r"metadata\.yaml cannot be read: expected at most 16 MiB"):
        read_run(huge)
    for path in (*whole, tmp_path / "absent"):
        with pytest.raises(BagError, match="expected the folder of a bag"):
            read_run(path)
