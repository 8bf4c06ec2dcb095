"""FrameNames: the world of one robot among several."""

import numpy as np
import pytest

from controlit_ros.bindings.conversion import conversion
from controlit_ros.bindings.conversion_error import ConversionError
from controlit_ros.bindings.frame_names import ROBOT_ALONE, FrameNames, UnsaidFrames
from controlit_ros.interfaces import new
from controlit_ros.parameters import Parameter, Quantity

LEFT = FrameNames("left/")
GOAL = Parameter("goal", [0, 0, 0, 0, 0, 0, 1], shape=(7,), quantity=Quantity.POSE)
POINT = Parameter("goal", [0, 0, 0], shape=(3,), quantity=Quantity.POINT)
POSE = "geometry_msgs/msg/PoseStamped"
MARKERS = "visualization_msgs/msg/MarkerArray"
VALUE = np.array([1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0])


@pytest.mark.parametrize("frame", ["", "left/world", "left/map", "left/odom"])
def test_the_world_of_the_robot(frame):
    LEFT.check_world(frame)


@pytest.mark.parametrize("frame", ["world", "right/world", "left/torso", "left/", "map"])
def test_another_frame_is_refused(frame):
    with pytest.raises(ConversionError, match="expected 'left/world' or none"):
        LEFT.check_world(frame)


def test_without_a_prefix_the_world_of_others_is_refused():
    ROBOT_ALONE.check_world("map")
    with pytest.raises(ConversionError, match="expected 'world' or none"):
        ROBOT_ALONE.check_world("left/world")


@pytest.mark.parametrize("type_name", [POSE, "visualization_msgs/msg/Marker"])
def test_stamped_values_have_the_prefix_and_are_read_by_their_robot_alone(type_name):
    left, right = (conversion(GOAL, type_name, FrameNames(name)) for name in ("left/", "right/"))
    message = left.to_message(VALUE, 1.0)
    assert message.header.frame_id == "left/world"
    np.testing.assert_allclose(left.from_message(message), VALUE)
    with pytest.raises(ConversionError, match="expected 'right/world' or none"):
        right.from_message(message)


def test_arrays_of_markers_have_the_prefix():
    message = conversion(POINT, MARKERS, LEFT).to_message(VALUE[:3], 1.0)
    assert [marker.header.frame_id for marker in message.markers] == ["left/world"]
    with pytest.raises(ConversionError, match="expected 'world' or none"):
        conversion(POINT, MARKERS).from_message(message)


def test_clients_say_no_frame_and_read_any():
    travel = conversion(GOAL, POSE, UnsaidFrames())
    assert travel.to_message(VALUE, 1.0).header.frame_id == ""
    sent = conversion(GOAL, POSE, LEFT).to_message(VALUE, 1.0)
    np.testing.assert_allclose(travel.from_message(sent), VALUE)
    np.testing.assert_allclose(
        conversion(GOAL, POSE, LEFT).from_message(travel.to_message(VALUE, 1.0)), VALUE
    )


def test_names_of_links():
    assert LEFT.outside("hand") == "left/hand"
    assert LEFT.inside("left/hand") == LEFT.inside("hand") == "hand"
    assert LEFT.inside("right/hand") == "right/hand"


def test_a_message_without_a_header_has_no_frame():
    plain = conversion(POINT, "geometry_msgs/msg/Point", LEFT)
    np.testing.assert_array_equal(
        plain.from_message(new("geometry_msgs/msg/Point", x=1.0, y=2.0, z=3.0)), VALUE[:3]
    )
