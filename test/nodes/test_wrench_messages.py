"""Wrenches as messages: in the frames in which drivers of sensors report them."""

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.bindings import ConversionError
from controlit_ros.bindings.frame_names import ROBOT_ALONE, FrameNames
from controlit_ros.interfaces import new
from controlit_ros.model import Mount, WrenchSensor
from controlit_ros.nodes.wrench_messages import TYPE, WrenchMessages

TURN = pin.Quaternion(pin.exp3(np.array([0.3, -0.7, 1.1])))
AWAY = (0.1, -0.2, 0.3)
POINT = (0.01, 0.02, -0.03)
SENSOR = WrenchSensor(
    "Sole",
    "sole_link",
    POINT,
    (
        Mount("sole_link", (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)),
        Mount("ankle_sensor", AWAY, tuple(TURN.coeffs().tolist())),
    ),
)
MESSAGES = WrenchMessages(SENSOR, ROBOT_ALONE)


def message(frame, wrench):
    force, torque = (dict(zip("xyz", part, strict=True)) for part in (wrench[:3], wrench[3:]))
    header = {"frame_id": frame}
    return new(TYPE, header=header, wrench={"force": force, "torque": torque})


def read(sent):
    wrench = np.zeros(6)
    MESSAGES.read(sent, wrench)
    return wrench


@given(st.lists(st.floats(-1e3, 1e3), min_size=6, max_size=6))
def test_what_is_written_is_read(numbers):
    sent = MESSAGES.write(np.array(numbers), 12.0)
    assert sent.header.frame_id == "sole_link"
    np.testing.assert_allclose(read(sent), numbers, atol=1e-11)


@pytest.mark.parametrize("frame", ["", "sole_link"])
def test_moments_count_from_the_contact_point(frame):
    there = pin.SE3(np.eye(3), np.array(POINT))
    wrench = [1.0, -2.0, 30.0, 0.4, 0.5, -0.6]
    oracle = there.actInv(pin.Force(np.array(wrench)))
    np.testing.assert_allclose(read(message(frame, wrench)), oracle.vector, atol=1e-12)


def test_a_sensor_may_report_in_its_own_frame():
    wrench = [1.0, -2.0, 30.0, 0.4, 0.5, -0.6]
    sensor = pin.SE3(TURN.matrix(), np.array(AWAY))
    there = pin.SE3(np.eye(3), np.array(POINT))
    oracle = there.actInv(sensor.act(pin.Force(np.array(wrench))))
    np.testing.assert_allclose(read(message("ankle_sensor", wrench)), oracle.vector, atol=1e-12)


def test_other_frames_are_refused():
    expected = "'ankle_sensr', expected 'sole_link' or a link that is fixed to it.*ankle_sensor"
    with pytest.raises(ConversionError, match=expected):
        read(message("ankle_sensr", np.zeros(6)))


@pytest.mark.parametrize("frame", ["left/sole_link", "sole_link"])
def test_the_prefix_of_frames_may_stand_before_links(frame):
    messages, result = WrenchMessages(SENSOR, FrameNames("left/")), np.zeros(6)
    messages.read(message(frame, np.arange(6.0)), result)
    np.testing.assert_array_equal(result, read(message("sole_link", np.arange(6.0))))
    assert messages.write(result, 0.0).header.frame_id == "left/sole_link"
    with pytest.raises(ConversionError, match="right/sole_link"):
        messages.read(message("right/sole_link", np.arange(6.0)), result)


def test_no_number_is_no_wrench():
    assert np.isnan(read(message("", [1.0, np.nan, 3.0, 0.0, 0.0, 0.0]))).any()
