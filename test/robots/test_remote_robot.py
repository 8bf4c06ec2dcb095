"""Interfaces to joint controllers elsewhere: robots that come, go, step along and talk nonsense."""

import math
import os
import threading

import numpy as np
import pytest
from free_ports import free_ports

from controlit_ros.controllers.command import Command
from controlit_ros.model.robot_state import RobotState
from controlit_ros.parameters import Access
from controlit_ros.robots import RobotInterfaceError, episode
from controlit_ros.robots.channel_link import ChannelLink
from controlit_ros.robots.command_frame import CommandFrame
from controlit_ros.robots.layout import state_layout
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.shared_memory import SharedMemory
from controlit_ros.robots.simulation_server import SimulationServer
from controlit_ros.robots.udp import UDP
from controlit_ros.robots.udp_link import UdpLink

pytestmark = pytest.mark.processes


@pytest.fixture(params=[SharedMemory, UDP])
def make_interface(request, cart, channel_name):
    """Make an interface to a cart; the second and later have the same settings."""
    own, robot = free_ports(2)
    made = []

    def make(kind=request.param, **values):
        interface = kind(cart)
        settings = (
            {"channel": channel_name}
            if kind is SharedMemory
            else {"port": own, "robot_port": robot}
        )
        for name, value in {**settings, **values}.items():
            interface.parameter(name).set(value)
        interface.configure()
        made.append(interface)
        return interface

    yield make
    for interface in made:
        interface.deactivate()


@pytest.fixture
def interface(make_interface):
    interface = make_interface()
    interface.activate()
    return interface


@pytest.fixture
def robot(interface):
    link = interface.robot_end()
    link.open()
    yield link
    link.close()


@pytest.fixture
def state(cart):
    return RobotState(cart.joint_names)


def measurement(cart, sequence, position=0.5):
    state = RobotState(cart.joint_names)
    state.sequence = sequence
    state.reflected_sequence = 2**61 + sequence
    state.stamp = 12.5
    state.position[:] = position
    return state


def test_a_measurement_arrives(cart, interface, robot, state, poll):
    assert not interface.read(state)
    robot.send(measurement(cart, 3).vector)
    poll(lambda: robot.send(measurement(cart, 3).vector) or interface.read(state))
    assert state.sequence == 3
    assert state.reflected_sequence == 2**61 + 3
    np.testing.assert_array_equal(state.position, 0.5)
    assert interface.parameter("received").value >= 1


def test_a_repeated_measurement_is_not_fresh(cart, interface, robot, state, poll):
    poll(lambda: robot.send(measurement(cart, 3).vector) or interface.read(state))
    robot.send(measurement(cart, 3).vector)
    assert not interface.read(state)
    poll(lambda: robot.send(measurement(cart, 4).vector) or interface.read(state))


def test_a_robot_that_does_not_count_is_always_fresh(cart, interface, robot, state, poll):
    for _ in range(3):
        poll(lambda: robot.send(measurement(cart, 0).vector) or interface.read(state))


def test_a_command_arrives_with_its_number(cart, interface, robot, poll):
    command = Command(cart.command_names)
    command.effort[:] = (3.0, -2.0)
    command.sequence = 2**62
    frame = CommandFrame(2)

    def arrives():
        robot.tend()
        interface.write(command)
        return robot.receive(frame.vector)

    poll(arrives)
    np.testing.assert_array_equal(frame.effort, (3.0, -2.0))
    assert frame.sequence == 2**62
    assert frame.fresh


def test_what_is_not_a_number_is_counted_and_kept_from_the_servo(
    cart, interface, robot, state, poll, monkeypatch
):
    monkeypatch.setattr(episode, "RECENT", math.inf)
    poll(lambda: robot.send(measurement(cart, 1).vector) or interface.read(state))
    robot.send(measurement(cart, 2, position=np.nan).vector)
    poll(lambda: interface.read(state) or interface.refused == 1)
    np.testing.assert_array_equal(state.position, 0.5)
    assert interface.parameter("not_finite").value == 1
    poll(lambda: "not finite" in interface.explain())  # no longer that the robot is missing


def test_silence_is_explained(interface):
    assert interface.explain()


def test_counts_are_outputs_that_can_be_bound(interface):
    for name in ("received", "lost", "duplicate", "reordered", "stale", "malformed", "not_finite"):
        assert interface.parameter(name).access is Access.OUTPUT


def test_activation_is_repeatable_and_a_taken_link_is_told(make_interface, cart):
    first, second = make_interface(), make_interface()
    first.activate()
    first.activate()
    with pytest.raises(RobotInterfaceError, match=r"belongs to process|in use"):
        second.activate()
    first.deactivate()
    first.deactivate()
    second.activate()


def test_reading_before_configuring_is_an_error(cart, state):
    for kind in (SharedMemory, UDP):
        with pytest.raises(RobotInterfaceError, match="not configured"):
            kind(cart).read(state)


@pytest.mark.parametrize("make_interface", [SharedMemory], indirect=True)
def test_a_robot_that_tends_late_gets_the_command_before(cart, make_interface):
    interface = make_interface(SharedMemory)
    robot = interface.robot_end()
    robot.open()  # nobody commands yet
    interface.activate()
    command = Command(cart.command_names)
    command.sequence = 1
    interface.write(command)  # and in lock step waits for an answer
    robot.tend()
    frame = CommandFrame(2)
    assert robot.receive(frame.vector)
    assert frame.sequence == 1
    robot.close()


def test_lock_step_loses_no_measurement(cart, make_interface, options_for, poll, state):
    """Each command is answered by one measurement, one servo period later."""
    interface = make_interface(wait=1.0)
    simulation = Simulation(cart, options_for(cart, timestep=0.0005))
    server = SimulationServer(simulation, interface.robot_end(), lock_step=2)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    interface.activate()
    try:
        command = Command(cart.command_names)
        command.effort[:] = (1.0, 0.5)
        for number in range(1, 200):
            poll(lambda: interface.read(state))
            assert state.sequence == 2 * (number - 1) + 1
            assert state.reflected_sequence == number - 1
            command.sequence = number
            interface.write(command)
        expected = Simulation(cart, options_for(cart, timestep=0.0005))
        expected.apply(command)
        for _ in range(2 * 199):
            expected.apply(command)
            expected.step()
        poll(lambda: interface.read(state))
        np.testing.assert_array_equal(state.position, expected.latest().position)
    finally:
        server.stopped = True
        thread.join()


def test_the_ends_have_their_layouts_exchanged(cart, make_interface):
    interface = make_interface()
    servo, robot = interface.servo_end(), interface.robot_end()
    assert servo.incoming == robot.outgoing == state_layout(cart)
    assert servo.outgoing == robot.incoming
    assert type(servo) is type(robot)
    assert isinstance(servo, ChannelLink if isinstance(interface, SharedMemory) else UdpLink)


def test_addresses_are_checked(cart):
    interface = UDP(cart)
    interface.parameter("robot_address").set("robot.local")
    with pytest.raises(RobotInterfaceError, match=r"robot_address: found 'robot.local', expected"):
        interface.configure()


def test_controllers_of_two_domains_have_different_ports(cart, monkeypatch):
    ports = set()
    for domain in ("0", "1", "", "nonsense"):
        monkeypatch.setenv("ROS_DOMAIN_ID", domain)
        interface = UDP(cart)
        ports.add((interface.parameter("port").value, interface.parameter("robot_port").value))
    assert ports == {(24000, 24001), (24002, 24003)}


def test_places_are_named(cart):
    assert SharedMemory(cart).place.startswith("channel cart.")
    assert UDP(cart).place.startswith("UDP 127.0.0.1:")
    assert os.environ.get("ROS_DOMAIN_ID", "0") in SharedMemory(cart).place
