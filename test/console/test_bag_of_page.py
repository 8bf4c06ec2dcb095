"""Bag: one recording at a time, which others can read."""

from pathlib import Path

import pytest
from rosbags.highlevel import AnyReader

from controlit_console.bag import Bag
from controlit_console.console_error import ConsoleError
from controlit_ros.interfaces import new
from controlit_ros.transport.local import LocalTransport

TEXT = "std_msgs/msg/String"


@pytest.fixture
def bag(tmp_path, request, monkeypatch):
    monkeypatch.setattr("controlit_console.bag.LOOK", 0.02)
    bag = Bag(lambda: LocalTransport("bag", domain=request.node.nodeid), tmp_path / "bags")
    yield bag
    bag.stop()


@pytest.fixture
def servo(request):
    with LocalTransport("servo", "/arm", domain=request.node.nodeid) as servo:
        yield servo


def test_what_is_published_is_in_the_bag(bag, servo, poll, tmp_path):
    publisher = servo.publisher("events", TEXT)
    bag.start("arm")
    poll(publisher.subscriber_count)
    publisher.publish(new(TEXT, data="hello"))
    poll(lambda: bag.seen.messages == 1)
    bag.stop()
    assert publisher.subscriber_count() == 0
    seen = bag.seen
    assert (seen.is_recording, seen.topics, seen.dropped, seen.complaint) == (False, 1, 0, "")
    (folder,) = (tmp_path / "bags").iterdir()
    assert str(folder) == seen.folder
    with AnyReader([folder]) as reader:
        (told,) = [reader.deserialize(raw, c.msgtype).data for c, _, raw in reader.messages()]
    assert told == "hello"


def test_it_is_told_where_a_bag_is_wherever_the_console_was_started(
    servo, request, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    bag = Bag(lambda: LocalTransport("bag", domain=request.node.nodeid), Path("bags"))
    bag.start("arm")
    bag.stop()
    assert Path(bag.seen.folder).parent == tmp_path / "bags"
    assert Path(bag.seen.folder).is_dir()


def test_one_at_a_time(bag, servo):
    bag.start("arm")
    with pytest.raises(ConsoleError, match="being recorded already"):
        bag.start("arm")


def test_what_cannot_be_written_is_told(bag, servo, poll, tmp_path):
    (tmp_path / "bags").write_text("no folder")
    bag.start("arm")
    poll(lambda: bag.seen.complaint)
    assert "cannot be written" in bag.seen.complaint
    assert not bag.seen.is_recording


def test_a_stop_without_a_recording_does_nothing(bag):
    bag.stop()
    assert not bag.seen.is_recording
