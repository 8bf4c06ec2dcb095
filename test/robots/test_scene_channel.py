"""Where the bodies of a scene are, in this process and from a simulator's."""

import os

import numpy as np
import pytest

from controlit_ros.controllers.command import Command
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.robots.scene_channel import SceneReader
from controlit_ros.robots.simulated_scene import POSE_SIZE
from controlit_ros.robots.simulator_description import SimulatorDescription
from controlit_ros.robots.simulator_process import SimulatorProcess

BALL = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="ball" pos="0.5 0 0.6">
      <freejoint/><geom type="sphere" size="0.05" mass="0.2"/>
    </body>
    <body name="shelf" pos="0 2 0"><geom type="box" size="0.1 0.1 0.1"/></body>
  </worldbody>
</mujoco>
"""
START = [0.5, 0.0, 0.6, 0.0, 0.0, 0.0, 1.0]


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "scene.xml"
    path.write_text(BALL)
    return str(path)


def run(simulation, seconds):
    command = Command(simulation.setup.command_names)
    for _ in range(round(seconds / simulation.options.timestep)):
        simulation.apply(command)
        simulation.step()


def pose(simulation):
    poses = np.zeros((len(simulation.scene_bodies), POSE_SIZE))
    simulation.scene_poses(poses)
    return poses[0]


def test_a_free_body_falls_and_comes_to_rest(cart, options_for, scene):
    falling = cart._replace(gravity=(0.0, 0.0, -9.81))
    simulation = Simulation(falling, options_for(cart, scene=scene))
    assert simulation.scene_bodies == ("ball",)
    np.testing.assert_array_equal(pose(simulation), START)
    run(simulation, 0.2)
    assert pose(simulation)[2] == pytest.approx(0.6 - 0.5 * 9.81 * 0.2**2, abs=3e-3)
    run(simulation, 2.0)
    assert pose(simulation)[2] == pytest.approx(0.05, abs=2e-3)
    simulation.reset()
    np.testing.assert_array_equal(pose(simulation), START)


def test_quaternions_are_xyzw(cart, options_for, tmp_path):
    path = tmp_path / "turned.xml"
    path.write_text(BALL.replace('pos="0.5 0 0.6"', 'pos="0.5 0 0.6" quat="0.8 0.6 0 0"'))
    simulation = Simulation(cart, options_for(cart, scene=str(path)))
    np.testing.assert_allclose(pose(simulation)[3:], [0.6, 0.0, 0.0, 0.8], atol=1e-12)


def test_without_a_scene_there_are_no_bodies(cart, options_for):
    assert Simulation(cart, options_for(cart)).scene_bodies == ()


@pytest.mark.processes
def test_a_simulator_process_tells_where_bodies_are(cart, channel_name, scene, poll):
    reader = SceneReader(("ball",), channel_name)
    assert reader.read() is None
    description = SimulatorDescription(cart, {"channel": channel_name, "scene": scene}, os.getpid())
    link = SimulatorProcess(description, channel_name, respawn=False)
    link.activate()
    try:
        poses = poll(reader.read)
        # without a command the brakes hold the world still
        np.testing.assert_allclose(poses["ball"], START)
    finally:
        reader.close()
        link.deactivate()
