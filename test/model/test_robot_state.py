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
    source.stamp, source.sequence, source.reflected_sequence = 1.5, 7, 9
    memory = [getattr(target, name) for name in ARRAYS]
    target.copy_from(source)
    for name, array in zip(ARRAYS, memory, strict=True):
        assert getattr(target, name) is array
        np.testing.assert_array_equal(array, getattr(source, name))
        assert not np.shares_memory(array, getattr(source, name))
    assert (target.stamp, target.sequence, target.reflected_sequence) == (1.5, 7, 9)


def test_a_new_state_rests_at_the_origin():
    state = RobotState(("a",))
    np.testing.assert_array_equal(state.base_orientation, [0.0, 0.0, 0.0, 1.0])
    for name in ARRAYS:
        if name != "base_orientation":
            assert not getattr(state, name).any()


def test_sequence_numbers_have_64_bits():
    state, copy = RobotState(("a",)), RobotState(("a",))
    state.sequence, state.reflected_sequence = 2**63 + 1, 2**62 + 3
    copy.copy_from(state)
    assert (copy.sequence, copy.reflected_sequence) == (2**63 + 1, 2**62 + 3)
    for name in ARRAYS:
        assert np.isfinite(getattr(copy, name)).all()


def test_wrenches_are_measured_but_need_not_be_known(rng):
    source, target = RobotState(("a",), sensors=2), RobotState(("a",), sensors=2, contacts=3)
    assert np.isfinite(source.motion).all()
    assert np.isnan(source.sensed_wrench).all()
    assert len(source.vector) == len(source.motion) + 12
    source.sensed_wrench[:] = rng.normal(size=(2, 6))
    np.testing.assert_array_equal(source.vector[-12:], source.sensed_wrench.ravel())
    target.copy_from(source)
    np.testing.assert_array_equal(target.sensed_wrench, source.sensed_wrench)
    assert np.isnan(target.contact_wrench).all()


def test_a_state_like_another_takes_over_all_of_it(rng):
    source = RobotState(("a", "b"), sensors=1, contacts=2)
    source.vector[:] = rng.normal(size=len(source.vector))
    source.contact_wrench[:] = rng.normal(size=(2, 6))
    made = RobotState.like(source)
    assert made.joint_names == source.joint_names
    assert not made.position.any()
    assert np.isnan(made.contact_wrench).all()
    made.copy_from(source)
    np.testing.assert_array_equal(made.vector, source.vector)
    np.testing.assert_array_equal(made.contact_wrench, source.contact_wrench)


def test_a_state_without_sensors_tells_no_wrench():
    target = RobotState(("a",), sensors=1)
    target.sensed_wrench[:] = 1.0
    source = RobotState(("a",))
    source.position[:] = 2.0
    target.copy_from(source)
    assert target.position[0] == 2.0
    assert np.isnan(target.sensed_wrench).all()
