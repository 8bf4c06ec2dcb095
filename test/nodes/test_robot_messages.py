"""States and commands as messages: every joint by name, nothing taken that does not fit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controlit_ros.bindings import ConversionError
from controlit_ros.interfaces import new
from controlit_ros.model import RobotState
from controlit_ros.nodes.robot_messages import CommandMessages, StateMessages
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.topic import JOINT_STATE, ROBOT_COMMAND, ROBOT_STATE

JOINTS = ("hip", "knee", "ankle")
NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=3, max_size=3)


def joint_state(names=JOINTS, **changes):
    n = len(names)
    fields = {"position": np.arange(n) + 0.5, "velocity": np.arange(n) - 0.5, "effort": []}
    return new(JOINT_STATE, name=list(names), **{**fields, **changes})


@pytest.mark.parametrize("type_name", [JOINT_STATE, ROBOT_STATE])
@given(position=NUMBERS, velocity=NUMBERS, effort=NUMBERS, sequence=st.integers(1, 2**62))
def test_states_travel(type_name, position, velocity, effort, sequence):
    sent, came = RobotState(JOINTS), RobotState(JOINTS)
    sent.position[:], sent.velocity[:], sent.effort[:] = position, velocity, effort
    sent.acceleration[:] = velocity
    sent.base_position[:] = (1.0, 2.0, 3.0)
    sent.base_velocity[:] = np.arange(6.0)
    sent.sequence, sent.reflected_sequence = sequence, sequence - 1
    message = StateMessages(JOINTS, type_name).write(sent, 12.0)
    StateMessages(JOINTS, type_name).read(message, came)
    for field in ("position", "velocity", "effort"):
        np.testing.assert_array_equal(getattr(came, field), getattr(sent, field))
    assert came.stamp == 0.0
    if type_name == ROBOT_STATE:
        np.testing.assert_array_equal(came.vector[1:], sent.vector[1:])


@given(st.permutations([*JOINTS, "gripper", "wheel"]))
def test_names_come_in_any_order_with_others_between(names):
    state = RobotState(JOINTS)
    StateMessages(JOINTS, JOINT_STATE).read(joint_state(names), state)
    for joint, position in zip(JOINTS, state.position, strict=True):
        assert position == names.index(joint) + 0.5


def test_the_order_may_change_from_message_to_message():
    messages, state = StateMessages(JOINTS, JOINT_STATE), RobotState(JOINTS)
    for names in (JOINTS, JOINTS[::-1], JOINTS):
        messages.read(joint_state(names), state)
        assert state.position[0] == names.index("hip") + 0.5


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (joint_state(("hip", "kne", "ankle")), r"first 'knee' \(did you mean 'kne'"),
        (joint_state(()), "3 of 3 joints are missing"),
        (joint_state(("hip", "knee", "ankle", "knee")), "'knee' is named twice"),
        (joint_state(position=[1.0, 2.0]), "3 names and 2 numbers in position"),
        (joint_state(velocity=[]), "3 names and 0 numbers in velocity"),
        (joint_state(effort=[1.0]), "3 names and 1 numbers in effort"),
        (joint_state(position=[0.0, np.nan, 0.0]), "position of 'knee' is not finite"),
        (joint_state(velocity=[0.0, 0.0, np.inf]), "velocity of 'ankle' is not finite"),
    ],
)
def test_what_does_not_fit_is_refused(message, words):
    with pytest.raises(ConversionError, match=words):
        StateMessages(JOINTS, JOINT_STATE).read(message, RobotState(JOINTS))


def test_a_base_that_is_not_finite_is_refused():
    message = StateMessages(JOINTS, ROBOT_STATE).write(RobotState(JOINTS), 0.0)
    message.base_position = np.array([0.0, np.nan, 0.0])
    with pytest.raises(ConversionError, match="base"):
        StateMessages(JOINTS, ROBOT_STATE).read(message, RobotState(JOINTS))


def test_joint_states_with_one_stamp_are_one_measurement():
    messages, state = StateMessages(JOINTS, JOINT_STATE), RobotState(JOINTS)
    numbers = []
    for sec in (1, 1, 2, 2, 3, 0, 0):
        messages.read(joint_state(header={"stamp": {"sec": sec}}), state)
        numbers.append(state.sequence)
    assert numbers == [1, 1, 2, 2, 3, 4, 5]  # without a stamp each counts


def test_a_command_travels_with_its_gains_and_number():
    sent, came = CommandFrame(3), CommandFrame(3)
    sent.vector[:] = np.arange(18.0)
    sent.sequence = 2**61
    sent.fresh = sent.has_gains = True
    message = CommandMessages(JOINTS, ROBOT_COMMAND).write(sent, 3.25)
    assert (message.stamp.sec, message.stamp.nanosec) == (3, 250_000_000)
    CommandMessages(JOINTS, ROBOT_COMMAND).read(message, came)
    np.testing.assert_array_equal(came.vector, sent.vector)


@pytest.mark.parametrize("type_name", [JOINT_STATE, ROBOT_COMMAND])
def test_an_effort_command_travels(type_name):
    sent, came = CommandFrame(3), CommandFrame(3)
    sent.effort[:] = (1.0, -2.0, 3.0)
    sent.fresh = True
    message = CommandMessages(JOINTS, type_name).write(sent, 0.0)
    assert len(message.position) == 0
    CommandMessages(JOINTS, type_name).read(message, came)
    np.testing.assert_array_equal(came.effort, sent.effort)
    assert came.fresh
    assert not came.has_gains


def test_a_command_with_gains_needs_set_points():
    sent = CommandFrame(3)
    sent.has_gains = sent.fresh = True
    message = CommandMessages(JOINTS, ROBOT_COMMAND).write(sent, 0.0)
    message.position = np.zeros(0)
    with pytest.raises(ConversionError, match="0 numbers in position"):
        CommandMessages(JOINTS, ROBOT_COMMAND).read(message, CommandFrame(3))
