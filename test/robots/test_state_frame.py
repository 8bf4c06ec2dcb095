import numpy as np

from controlit_ros.model.robot_state import RobotState
from controlit_ros.robots.state_frame import StateFrame

ARRAYS = (
    "position",
    "velocity",
    "acceleration",
    "effort",
    "base_position",
    "base_orientation",
    "base_velocity",
)


def test_every_value_has_its_own_place():
    frame = StateFrame(3)
    frame.vector[:] = np.arange(frame.size)
    state = RobotState(("a", "b", "c"))
    frame.unpack(state)
    values = np.concatenate([getattr(state, name) for name in ARRAYS])
    assert sorted([state.stamp, state.sequence, *values]) == list(range(frame.size))
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(state, name), getattr(frame, name))


def test_new_frame_is_at_rest_in_the_origin():
    state = RobotState(("a",))
    state.base_orientation[:] = 0.0
    StateFrame(1).unpack(state)
    np.testing.assert_array_equal(state.base_orientation, [0, 0, 0, 1])


def test_stamp_and_sequence():
    frame = StateFrame(1)
    frame.stamp = 1.5
    frame.sequence = 7
    state = RobotState(("a",))
    frame.unpack(state)
    assert (state.stamp, state.sequence) == (1.5, 7)
    assert isinstance(state.sequence, int)
