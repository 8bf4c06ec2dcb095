import numpy as np

from controlit_ros.controllers.command import Command
from controlit_ros.model.robot_state import RobotState
from controlit_ros.robots.benchmark import Benchmark


def test_every_read_is_a_new_measurement_of_the_posture(cart):
    robot = Benchmark(cart)
    robot.parameter("posture").set({"turn": 0.5})
    robot.configure()
    robot.activate()
    state = RobotState(cart.joint_names)
    state.velocity[:] = 1.0
    for sequence in (1, 2, 3):
        assert robot.read(state)
        assert state.sequence == sequence
    np.testing.assert_array_equal(state.position, [0.0, 0.5])
    np.testing.assert_array_equal(state.velocity, 0.0)
    robot.parameter("posture").assign(0.3)  # while it runs
    assert robot.read(state)
    np.testing.assert_array_equal(state.position, 0.3)


def test_write_remembers_the_command(cart):
    robot = Benchmark(cart)
    robot.configure()
    robot.activate()
    command = Command(cart.command_names)
    robot.write(command)
    robot.deactivate()
    assert robot.command is command
    assert robot.writes == 1
