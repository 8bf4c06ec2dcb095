"""OdometryInput: whole messages in the right frames reach the servo, others are refused."""

import math

import numpy as np
import pytest

from controlit_ros.bindings import BindingContext
from controlit_ros.bindings.frame_names import FrameNames
from controlit_ros.bindings.odometry_input import TYPE, OdometryInput
from controlit_ros.interfaces import new
from controlit_ros.parameters import Mailbox
from controlit_ros.servo import LocalQueue, NoticeBoard, Odometry, Outbox


def message(*, frame="odom", child="base_link", stamp=1, x=1.0, orientation=(0.0, 0.0, 0.6, 0.8)):
    return new(
        TYPE,
        header={"frame_id": frame, "stamp": {"sec": stamp}},
        child_frame_id=child,
        pose={
            "pose": {
                "position": {"x": x, "y": 2.0, "z": 3.0},
                "orientation": dict(zip("xyzw", orientation, strict=True)),
            }
        },
        twist={
            "twist": {
                "linear": {"x": 0.1, "y": 0.2, "z": 0.3},
                "angular": {"x": 0.4, "y": 0.5, "z": 0.6},
            }
        },
    )


@pytest.fixture
def prefix():
    """Of the frames."""
    return ""


@pytest.fixture
def world(local, poll, prefix):
    """An input, and what sends to it and waits until it came."""
    mailbox, complaints, odometry = Mailbox(), LocalQueue(lambda _: None), Odometry(1.0)
    context = BindingContext(local("servo"), mailbox, Outbox(), NoticeBoard(complaints), 0.0)
    context = context._replace(frames=FrameNames(prefix))
    source = OdometryInput(odometry, "base_link", "odom", context)
    publisher = local("peer").publisher("odom", TYPE)

    def send(sent):
        binding = source.binding
        before = binding.received + binding.rejected
        publisher.publish(sent)
        poll(lambda: binding.received + binding.rejected > before)
        while mailbox.next() is not None:
            mailbox.apply_next()
        return binding

    return odometry, send, complaints


@pytest.mark.parametrize("frame", ["", "world", "map", "odom"])
@pytest.mark.parametrize("child", ["", "base_link"])
def test_a_message_arrives_whole(world, frame, child):
    odometry, send, _ = world
    assert send(message(frame=frame, child=child)).received == 1
    np.testing.assert_array_equal(odometry.position.value, (1.0, 2.0, 3.0))
    np.testing.assert_allclose(odometry.orientation.value, (0.0, 0.0, 0.6, 0.8), atol=1e-15)
    np.testing.assert_array_equal(odometry.linear_velocity.value, (0.1, 0.2, 0.3))
    np.testing.assert_array_equal(odometry.angular_velocity.value, (0.4, 0.5, 0.6))


@pytest.mark.parametrize(
    ("bad", "text"),
    [
        ({"frame": "torso"}, "found frame_id 'torso', expected one of world, map, odom, or none"),
        ({"child": "hand"}, "found child_frame_id 'hand', expected the root link 'base_link'"),
        ({"orientation": (0.0,) * 4}, "found an orientation of length 0, expected 1"),
        ({"orientation": (0.0, 0.0, math.nan, 1.0)}, "found an orientation of length nan"),
        ({"x": math.inf}, "odometry.position"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_reason(world, bad, text):
    odometry, send, complaints = world
    send(message(x=7.0))
    binding = send(message(stamp=2, **bad))
    assert (binding.received, binding.rejected) == (1, 1)
    assert text in binding.last_rejection
    (notice,) = complaints.drain()
    assert notice.text.startswith("topic odom: ")
    assert odometry.position.value[0] == 7.0


def test_a_message_out_of_turn_is_refused_but_a_source_may_begin_anew(world):
    odometry, send, _ = world
    late = message(x=9.0)
    late.header.stamp.sec, late.header.stamp.nanosec = 99, 500_000_000
    send(message(stamp=100))
    assert send(late).rejected == 1
    assert odometry.position.value[0] == 1.0
    assert send(message(stamp=1, x=5.0)).received == 2
    assert odometry.position.value[0] == 5.0


@pytest.mark.parametrize("prefix", ["left/"])
def test_frames_of_a_robot_with_a_prefix(world):
    _, send, _ = world
    assert send(message(frame="left/odom", child="left/base_link")).received == 1
    assert send(message(frame="odom", child="left/base_link", stamp=2)).rejected == 1
    binding = send(message(frame="left/odom", stamp=3))
    assert binding.rejected == 2
    assert binding.last_rejection.endswith("expected the root link 'left/base_link'")
