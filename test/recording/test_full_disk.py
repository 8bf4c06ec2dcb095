"""A disk that is full ends a recording with its cause, and what was written before can be read."""

import errno
import resource
from pathlib import Path

import pytest
from rosbags.rosbag2 import Reader

from controlit_ros.interfaces import new, type_book
from controlit_ros.recording import bag_repair
from controlit_ros.recording.bag_recorder import BagRecorder, RecordingError
from controlit_ros.recording.bag_repair import repair
from controlit_ros.recording.bag_run import read_run
from controlit_ros.transport.local import LocalTransport

JOINTS = "sensor_msgs/msg/JointState"
SIZE = 4000  # [bytes] of a message, about


@pytest.fixture
def largest_file():
    """Limit the size of files, which is what a full disk is for one file [bytes]."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def limit(size):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))

    yield limit
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def record(folder, messages, before_close=lambda: None):
    """Record messages of two topics, numbered from 0; return the texts of errors."""
    domain = str(folder)
    with (
        LocalTransport("servo", "/arm", domain=domain) as servo,
        LocalTransport("recorder", "/", domain=domain) as listener,
    ):
        joints = servo.publisher("diagnostics/jointState", JOINTS)
        goal = servo.publisher("Hand/goal_position", "geometry_msgs/msg/Point")
        with BagRecorder(folder, listener) as recorder:
            recorder.add_all(listener.graph(), "/arm")
            for number in range(messages):
                joints.publish(new(JOINTS, name=["x" * SIZE], position=[float(number)]))
                goal.publish(new("geometry_msgs/msg/Point", x=float(number)))
            before_close()


def numbers(folder):
    """Return the numbers of the messages in a bag, as another reader finds them."""
    found = {}
    with Reader(folder) as reader:
        for connection, _, data in reader.messages():
            message = type_book().decode(connection.msgtype, data)
            number = message.x if connection.topic.endswith("position") else message.position[0]
            found.setdefault(connection.topic, []).append(int(number))
        counts = {connection.topic: connection.msgcount for connection in reader.connections}
    assert counts == {topic: len(entries) for topic, entries in found.items()}
    return found


@pytest.mark.parametrize("size", [60_000, 1_000_000, 1_500_000, 2_200_000])
def test_what_was_written_before_can_be_read(tmp_path, largest_file, size):
    folder = tmp_path / "bag"
    with pytest.raises(RecordingError) as caught:
        record(folder, 1000, lambda: largest_file(size))
    largest_file(resource.RLIM_INFINITY)
    text = str(caught.value)
    assert text.startswith(f"{folder} cannot be written: ")
    assert "standard output" not in text
    found = numbers(folder)
    assert f"the {sum(map(len, found.values()))} messages before can be read" in text
    for entries in found.values():
        assert entries == list(range(len(entries)))
    assert sum(map(len, found.values())) * SIZE > 0.5 * size
    run = read_run(folder)
    assert run.name == "arm"


def test_a_full_disk_is_named_with_what_to_do(tmp_path, monkeypatch):
    def full(*_arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    def fill():
        monkeypatch.setattr("rosbags.rosbag2.writer.Writer.close", full)

    with pytest.raises(RecordingError, match=r"No space left on device; free some of that disk"):
        record(tmp_path / "bag", 600, fill)
    assert len(numbers(tmp_path / "bag")) == 2


def cut(folder, size):
    path = folder / f"{folder.name}.mcap"
    with path.open("r+b") as file:
        file.truncate(size)
    (folder / "metadata.yaml").unlink(missing_ok=True)


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.77, 0.9, 0.999, 1.0])
def test_a_file_that_is_torn_anywhere_is_repaired(tmp_path, share):
    folder = tmp_path / "bag"
    record(folder, 900)
    path = folder / "bag.mcap"
    size, written = path.stat().st_size, sum(map(len, numbers(folder).values()))
    cut(folder, int(share * size))
    count = repair(folder)
    found = numbers(folder)
    assert sum(map(len, found.values())) == count
    assert count >= (share - 0.01) * written - 2
    for entries in found.values():
        assert entries == list(range(len(entries)))
    assert repair(folder) == count  # again


@pytest.mark.parametrize("refusals", [1, 3])
def test_messages_give_way_to_metadata(tmp_path, monkeypatch, refusals):
    folder = tmp_path / "bag"
    record(folder, 900)
    size = int(0.9 * (folder / "bag.mcap").stat().st_size)
    cut(folder, size)
    left = [refusals]
    write = Path.write_text

    def write_text(path, *arguments):
        if left[0]:
            left[0] -= 1
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, *arguments)

    monkeypatch.setattr(Path, "write_text", write_text)
    count = repair(folder)
    assert sum(map(len, numbers(folder).values())) == count
    given_up = size - (folder / "bag.mcap").stat().st_size
    assert refusals * bag_repair.ROOM <= given_up < (refusals + 1) * bag_repair.ROOM


@pytest.mark.parametrize("content", [b"", b"nothing of the kind" * 3])
def test_nothing_is_repaired_where_nothing_is(tmp_path, content):
    folder = tmp_path / "bag"
    folder.mkdir()
    (folder / "bag.mcap").write_bytes(content)
    with pytest.raises((OSError, ValueError)):
        repair(folder)
