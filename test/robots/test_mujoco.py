"""MuJoCo, the robot interface: parameters and the mode in_process."""

import numpy as np
import pytest

from controlit_ros.controllers.command import Command
from controlit_ros.model.robot_state import RobotState
from controlit_ros.parameters import ParameterError
from controlit_ros.robots import RobotInterfaceError
from controlit_ros.robots.mujoco import MuJoCo


def configured(setup, **values):
    robot = MuJoCo(setup)
    for name, value in {"mode": "in_process", **values}.items():
        robot.parameter(name).set(value)
    robot.configure()
    robot.activate()
    return robot


def test_write_advances_by_one_servo_period(cart):
    robot = configured(cart._replace(servo_frequency=250.0), timestep=0.002)
    state = RobotState(cart.joint_names)
    command = Command(cart.command_names)
    for cycle in range(5):
        assert robot.read(state)
        assert state.stamp == pytest.approx(cycle * 0.004)
        robot.write(command)


def test_cycles_without_commands_pass_once_there_was_one(cart):
    robot = configured(cart._replace(servo_frequency=250.0), timestep=0.002)
    state = RobotState(cart.joint_names)
    command = Command(cart.command_names)

    def cycle(*, commands):
        assert robot.read(state)
        if commands:
            robot.write(command)
        return state.stamp

    cycles = [False, False, True, True, False, False, True, False]
    stamps = [cycle(commands=commands) for commands in cycles]
    np.testing.assert_allclose(stamps, [0.0, 0.0, 0.0, 0.004, 0.008, 0.012, 0.016, 0.02])


def test_same_commands_give_the_same_numbers(dreamer):
    def run():
        robot = configured(
            dreamer,
            position_noise=1e-4,
            velocity_noise=1e-3,
            communication_delay={"state": 0.002, "command": 0.003},
            initial_position={"left_elbow": 0.1745},
        )
        state = RobotState(dreamer.joint_names)
        command = Command(dreamer.command_names)
        states = []
        for _ in range(300):
            robot.read(state)
            command.effort[:] = -5.0 * np.delete(state.velocity, 1)
            robot.write(command)
            states.append([*state.position, *state.velocity, *state.effort, state.stamp])
        return np.array(states)

    np.testing.assert_array_equal(run(), run())


def test_parameters_by_joint(dreamer):
    robot = MuJoCo(dreamer)
    robot.parameter("initial_position").set({"left_elbow": 0.2})
    robot.parameter("joint_damping").set(1.5)
    robot.parameter("communication_delay").set({"command": 0.004})
    options = robot.options()
    assert options.initial_position[dreamer.joint_names.index("left_elbow")] == 0.2
    assert sum(options.initial_position) == 0.2
    assert options.joint_damping == (1.5,) * 16
    assert (options.state_delay, options.command_delay) == (0.0, 0.004)
    with pytest.raises(ParameterError, match="did you mean 'left_elbow'"):
        robot.parameter("joint_friction").set({"left_elbo": 1.0})


def test_channel_name_tells_controllers_and_domains_apart(cart, monkeypatch):
    monkeypatch.setenv("ROS_DOMAIN_ID", "7")
    assert MuJoCo(cart).channel == "cart.7"


def test_servo_period_must_be_a_number_of_timesteps(cart):
    with pytest.raises(RobotInterfaceError, match=r"timestep: found 0.0003 s"):
        configured(cart, timestep=0.0003)


def test_parameters_that_do_not_fit_are_found_when_configuring(cart):
    for mode in ("in_process", "process"):
        robot = MuJoCo(cart)
        robot.parameter("mode").set(mode)
        robot.parameter("initial_position").set({"slide": 2.0})
        with pytest.raises(RobotInterfaceError, match="slide"):
            robot.configure()


def test_use_before_configure_is_an_error(cart):
    robot = MuJoCo(cart)
    with pytest.raises(RobotInterfaceError, match="not configured"):
        robot.activate()
    with pytest.raises(RobotInterfaceError, match="not running in this process"):
        _ = robot.simulation
    robot.deactivate()


def test_every_parameter_is_described(dreamer):
    for parameter in MuJoCo(dreamer).parameters.values():
        assert parameter.description.endswith(".")
