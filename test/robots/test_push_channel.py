"""Pushes reach a simulation through shared memory."""

import numpy as np
import pytest

from controlit_ros.controllers.command import Command
from controlit_ros.robots import RobotInterfaceError
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.push_channel import PushReader, PushWriter
from controlit_ros.robots.simulation_options import SimulationOptions

FORCE = 4.0  # [N]


@pytest.fixture(name="simulation")
def make_simulation(cart):
    simulation = Simulation(cart, SimulationOptions((0.0, 0.0), (0.0, 0.0), (0.0, 0.0)))
    simulation.apply(Command(cart.command_names))
    simulation.step()  # lets the brakes go
    return simulation


@pytest.fixture(name="writer")
def make_writer(cart, tmp_path):
    writer = PushWriter(cart.urdf, f"push.{tmp_path.name}")
    yield writer
    writer.close()


@pytest.fixture(name="reader")
def make_reader(simulation, writer, tmp_path):
    assert writer is not None
    reader = PushReader(simulation, f"push.{tmp_path.name}")
    reader.look_for_writer()
    return reader


def run(simulation, reader, steps):
    for _ in range(steps):
        simulation.apply(Command(simulation.setup.command_names))
        reader.apply()
        simulation.step()


def test_the_push_has_the_momentum_asked_for(simulation, writer, reader):
    writer.push("cart", [FORCE, 0.0, 0.0], 0.5)
    run(simulation, reader, 800)
    mass = 2.0 + 1.0  # [kg] cart and wheel
    assert simulation.latest().velocity[0] == pytest.approx(FORCE * 0.5 / mass, rel=0.01)


def test_each_push_acts_once(simulation, writer, reader):
    writer.push("cart", [FORCE, 0.0, 0.0], 0.1)
    run(simulation, reader, 300)
    once = simulation.latest().velocity[0]
    run(simulation, reader, 300)
    assert simulation.latest().velocity[0] == pytest.approx(once)
    writer.push("cart", [-FORCE, 0.0, 0.0], 0.1)
    run(simulation, reader, 300)
    assert simulation.latest().velocity[0] == pytest.approx(0.0, abs=1e-6)


def test_without_a_writer_nothing_happens(simulation, tmp_path):
    reader = PushReader(simulation, f"nobody.{tmp_path.name}")
    reader.look_for_writer()
    run(simulation, reader, 50)
    np.testing.assert_array_equal(simulation.latest().velocity, np.zeros(2))


def test_not_a_number_pushes_nobody(simulation, writer, reader):
    writer.push("cart", [np.nan, 0.0, 0.0], 0.5)
    run(simulation, reader, 50)
    np.testing.assert_array_equal(simulation.latest().velocity, np.zeros(2))


def test_the_nearest_link_is_told(writer):
    with pytest.raises(RobotInterfaceError, match=r"no link 'card'.*'cart'"):
        writer.push("card", [1.0, 0.0, 0.0], 0.1)


def test_another_robots_pushes_are_not_followed(simulation, tmp_path):
    other = PushWriter('<robot name="r"><link name="a"/></robot>', f"other.{tmp_path.name}")
    try:
        other.push("a", [100.0, 0.0, 0.0], 1.0)
        reader = PushReader(simulation, f"other.{tmp_path.name}")
        reader.look_for_writer()
        run(simulation, reader, 50)
    finally:
        other.close()
    np.testing.assert_array_equal(simulation.latest().velocity, np.zeros(2))
