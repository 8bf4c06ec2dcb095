"""Bags of `controlit record`, for rosbag2 with its storage plugin for MCAP."""

import importlib.util
import subprocess

import pytest
from ros2_commands import ENVIRONMENT, ros2
from ruamel.yaml import YAML

from controlit_ros.interfaces import new
from controlit_ros.recording.bag_recorder import BagRecorder
from controlit_ros.transport.local import LocalTransport

POINT = "geometry_msgs/msg/Point"
LATENCY = "controlit/msg/ServoComputeLatency"
COUNT = 20

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("ros2bag") is None, reason="rosbag2 is missing: no `ros2 bag`"
)


@pytest.fixture(scope="module")
def bag(tmp_path_factory):
    """A bag with a type of ROS 2 and one of ours."""
    folder = tmp_path_factory.mktemp("stock") / "bag"
    domain = str(folder)
    with (
        LocalTransport("servo", "/arm", domain=domain) as servo,
        LocalTransport("recorder", "/", domain=domain) as listener,
    ):
        hand = servo.publisher("Hand/actual_position", POINT)
        latency = servo.publisher("diagnostics/servoComputeLatency", LATENCY)
        with BagRecorder(folder, listener) as recorder:
            recorder.add_all(listener.graph(), "/arm")
            for number in range(COUNT):
                hand.publish(new(POINT, x=0.5, y=-0.25, z=float(number)))
                latency.publish(new(LATENCY, total=4e-4))
            listener.settle()
    return folder


def test_info(bag):
    words = " ".join(ros2("bag", "info", str(bag)).split())
    assert "Storage id: mcap" in words
    assert f"Messages: {2 * COUNT}" in words
    for topic, kind in (
        ("/arm/Hand/actual_position", POINT),
        ("/arm/diagnostics/servoComputeLatency", LATENCY),
    ):
        assert (
            f"Topic: {topic} | Type: {kind} | Count: {COUNT} | Serialization Format: cdr" in words
        )


@pytest.mark.parametrize(
    ("topic", "kind", "expected"),
    [
        ("/arm/Hand/actual_position", POINT, {"x": 0.5, "y": -0.25}),
        ("/arm/diagnostics/servoComputeLatency", LATENCY, {"total": 4e-4}),
    ],
)
def test_play(bag, topic, kind, expected):
    with subprocess.Popen(
        ["ros2", "bag", "play", "--loop", "--disable-keyboard-controls", str(bag)],
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as player:
        try:
            output = ros2("topic", "echo", "--once", topic, kind)
        finally:
            player.kill()
    message = next(YAML(typ="safe").load_all(output))
    assert {name: message[name] for name in expected} == expected
