"""A command holds the fields its controller fills in."""

import numpy as np

from controlit_ros.controllers import Command


def test_unused_fields_are_none():
    command = Command(("a", "b"))
    np.testing.assert_array_equal(command.effort, np.zeros(2))
    assert command.position is command.velocity is command.stiffness is command.damping is None
    assert command.joint_names == ("a", "b")


def test_used_fields_are_arrays_of_their_own():
    command = Command(["a", "b"], with_motion=True, with_gains=True)
    fields = [
        command.effort,
        command.position,
        command.velocity,
        command.stiffness,
        command.damping,
    ]
    for i, field in enumerate(fields):
        field[:] = i
    for i, field in enumerate(fields):
        np.testing.assert_array_equal(field, [i, i])
