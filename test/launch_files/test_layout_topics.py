"""What layouts of other programs show is what a controller publishes."""

import json
from xml.etree import ElementTree as ET

import pytest
from lock_step import LockStep
from robots_for_tests import REPOSITORY

from controlit_ros.interfaces import new

pytestmark = pytest.mark.processes

CONFIG = REPOSITORY / "config"


@pytest.fixture(scope="module")
def published():
    """Topics of the controller that the layouts are for, and their types."""
    servo = LockStep(CONFIG / "dreamer" / "hands.yaml", __name__)
    yield {
        topic.name: topic.types[0]
        for topic in servo.network.graph().topics
        if topic.publisher_count
    }
    servo.stop()


def topics_of_foxglove(layout):
    """Return every path to a value that a layout plots, and every topic that it shows."""
    if isinstance(layout, dict):
        return [
            found for entry in (*layout, *layout.values()) for found in topics_of_foxglove(entry)
        ]
    if isinstance(layout, list):
        return [found for entry in layout for found in topics_of_foxglove(entry)]
    return [layout] if isinstance(layout, str) and layout.startswith("/") else []


def test_foxglove_shows_what_is_published(published):
    shown = topics_of_foxglove(json.loads((CONFIG / "foxglove" / "dreamer.json").read_text()))
    assert any(path.endswith("error_norm.data") for path in shown)
    for path in shown:
        topic, _, field = path.partition(".")
        assert topic in published
        name = field.partition("[")[0]
        assert not name or hasattr(new(published[topic]), name)


def test_plotjuggler_shows_what_is_published(published):
    root = ET.parse(CONFIG / "plotjuggler" / "dreamer.xml").getroot()
    robot = ET.parse(REPOSITORY / "urdf" / "dreamer.urdf").getroot()
    joints = {joint.get("name") for joint in robot.iter("joint")}  # it has their numbers by name
    topics = [topic.get("name") for topic in root.iter("topic")]
    curves = [curve.get("name") for curve in root.iter("curve")]
    assert topics
    assert curves
    assert set(topics) <= set(published)
    for curve in curves:
        topic = next(topic for topic in topics if curve.startswith(f"{topic}/"))
        field = curve.removeprefix(f"{topic}/").partition("/")[0]
        assert (
            field in joints
            if topic.endswith("joint_states")
            else field in dir(new(published[topic]))
        )
