import numpy as np

from controlit_ros.controllers.command import Command
from controlit_ros.robots.command_frame import CommandFrame


def test_effort_alone():
    frame = CommandFrame(2)
    command = Command(("a", "b"))
    command.effort[:] = 1.0, 2.0
    frame.pack(command)
    assert frame.fresh
    assert not frame.has_gains
    np.testing.assert_array_equal(frame.effort, [1.0, 2.0])


def test_set_points_without_gains_do_not_count():
    frame = CommandFrame(1)
    command = Command(("a",), with_motion=True)
    command.position[:] = 1.0
    frame.pack(command)
    assert not frame.has_gains


def test_gains_of_an_earlier_command_do_not_linger():
    frame = CommandFrame(1)
    command = Command(("a",), with_motion=True, with_gains=True)
    command.position[:] = 1.0
    command.velocity[:] = 2.0
    command.stiffness[:] = 3.0
    command.damping[:] = 4.0
    frame.pack(command)
    assert frame.has_gains
    fields = (frame.position, frame.velocity, frame.stiffness, frame.damping)
    np.testing.assert_array_equal(fields, [[1], [2], [3], [4]])
    command.stiffness = None
    frame.pack(command)
    assert frame.has_gains
    np.testing.assert_array_equal(frame.stiffness, 0.0)
    command.damping = None
    frame.pack(command)
    assert not frame.has_gains


def test_clear():
    frame = CommandFrame(1)
    frame.pack(Command(("a",), with_motion=True, with_gains=True))
    frame.clear()
    assert not frame.fresh
    assert not frame.has_gains


def test_the_sequence_number_travels_with_64_bits():
    frame, received = CommandFrame(1), CommandFrame(1)
    command = Command(("a",))
    command.sequence = 2**63 + 1
    frame.pack(command)
    np.copyto(received.vector, frame.vector)
    assert received.sequence == 2**63 + 1
    received.clear()
    assert received.sequence == 0
