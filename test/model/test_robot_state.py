"""The measured state is copied in place and completely."""

import numpy as np

from controlit_ros.model import RobotState

ARRAYS = (
    "position",
    "velocity",
    "acceleration",
    "effort",
    "base_position",
    "base_orientation",
    "base_velocity",
)


def test_a_copy_takes_every_field_and_keeps_the_memory(rng):
    source, target = RobotState(("a", "b")), RobotState(("a", "b"))
    for name in ARRAYS:
        array = getattr(source, name)
        array[:] = rng.normal(size=array.shape)
    source.stamp, source.sequence = 1.5, 7
    memory = [getattr(target, name) for name in ARRAYS]
    target.copy_from(source)
    for name, array in zip(ARRAYS, memory, strict=True):
        assert getattr(target, name) is array
        np.testing.assert_array_equal(array, getattr(source, name))
        assert not np.shares_memory(array, getattr(source, name))
    assert (target.stamp, target.sequence) == (1.5, 7)


def test_a_new_state_rests_at_the_origin():
    state = RobotState(("a",))
    np.testing.assert_array_equal(state.base_orientation, [0.0, 0.0, 0.0, 1.0])
    for name in ARRAYS:
        if name != "base_orientation":
            assert not getattr(state, name).any()
