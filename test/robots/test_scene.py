"""What surrounds a simulated robot."""

import os

import mujoco
import numpy as np
import pytest
from patience import GENEROUS

from controlit_ros.controllers.command import Command
from controlit_ros.model.robot_state import RobotState
from controlit_ros.robots import RobotInterfaceError
from controlit_ros.robots.mujoco import MuJoCo

FOOT = 0.05  # [m] half the height of the shape below the tool
SCENE = f"""
<mujoco model="ground">
  <option cone="elliptic" impratio="50"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 0.1"/>
    <body name="tool">
      <geom name="foot" type="box" size="0.3 0.3 {FOOT}" mass="0"/>
      <body name="bell" pos="0 0 0.5"><joint name="swing" axis="0 1 0"/>
        <geom type="sphere" size="0.02" mass="0.001" contype="0" conaffinity="0"/></body>
    </body>
    <body name="ball" pos="2 0 1"><freejoint/><geom type="sphere" size="0.1" mass="0.3"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture(name="floating")
def make_floating(cart):
    """A cart whose rail floats under gravity, with its tool below it."""
    urdf = cart.urdf.replace("0.1 0 0", "0 0 -0.4").replace(
        '<link name="rail"/>',
        '<link name="rail"><inertial><mass value="5"/><inertia ixx="0.2" ixy="0" ixz="0" '
        'iyy="0.2" iyz="0" izz="0.2"/></inertial></link>',
    )
    return cart._replace(urdf=urdf, fixed_base=False, gravity=(0.0, 0.0, -9.81))


@pytest.fixture(name="folder")
def make_folder(tmp_path):
    (tmp_path / "ground.xml").write_text(SCENE, encoding="utf-8")
    (tmp_path / "broken.xml").write_text("<mujoco><worldbody>", encoding="utf-8")
    return tmp_path


def configured(setup, folder, **values):
    robot = MuJoCo(setup._replace(folder=str(folder)))
    for name, value in {"mode": "in_process", **values}.items():
        robot.parameter(name).set(value)
    robot.configure()
    return robot


def fall(robot, cycles=2000):
    state = RobotState(robot.setup.joint_names)
    for _ in range(cycles):
        robot.write(Command(robot.setup.command_names))
    robot.read(state)
    return state


def test_robot_stands_on_the_shape_the_scene_gives_its_link(floating, folder):
    robot = configured(floating, folder, scene="ground.xml", initial_base_position=[0, 0, 0.6])
    state = fall(robot)
    assert state.base_position[2] == pytest.approx(0.4 + FOOT, abs=1e-3)
    assert robot.simulation.data.body("scene/ball").xpos[2] == pytest.approx(0.1, abs=1e-3)


def test_without_a_scene_it_falls(floating, folder):
    state = fall(configured(floating, folder, initial_base_position=[0, 0, 0.6]), 1000)
    assert state.base_position[2] == pytest.approx(0.6 - 9.81 / 2, abs=0.05)


def test_what_hangs_on_a_link_moves_with_it(floating, folder):
    robot = configured(floating, folder, scene="ground.xml", initial_base_position=[1, 2, 0.6])
    model, data = robot.simulation.model, robot.simulation.data
    addition = model.body("scene/tool")
    assert model.body_parentid[addition.id] == model.body("tool").id
    np.testing.assert_allclose(data.body("scene/tool").xpos, data.body("tool").xpos)
    np.testing.assert_allclose(
        data.body("scene/bell").xpos, data.body("tool").xpos + np.array([0, 0, 0.5])
    )
    assert model.joint("scene/swing") is not None


def test_settings_of_contacts_are_those_of_the_scene(floating, folder):
    model = configured(floating, folder, scene="ground.xml").simulation.model
    assert model.opt.cone == mujoco.mjtCone.mjCONE_ELLIPTIC
    assert model.opt.impratio == 50


def test_base_starts_where_and_as_it_is_told(floating, folder):
    turned = [0.0, 0.0, np.sin(0.3), np.cos(0.3)]
    robot = configured(
        floating, folder, initial_base_position=[1, 2, 3], initial_base_orientation=turned
    )
    state = RobotState(floating.joint_names)
    for _ in range(2):
        robot.read(state)
        np.testing.assert_allclose(state.base_position, [1, 2, 3])
        np.testing.assert_allclose(state.base_orientation, turned, atol=1e-12)
        fall(robot, 5)
        robot.simulation.reset()


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        ("absent.xml", r"scene: .*absent\.xml: there is no such file"),
        ("broken.xml", r"scene: .*broken\.xml: "),
        ("package://nowhere/scene.xml", "scene: there is no package 'nowhere'"),
    ],
)
def test_scenes_that_cannot_be_used(floating, folder, scene, message):
    with pytest.raises(RobotInterfaceError, match=message):
        configured(floating, folder, scene=scene)


@pytest.mark.timeout(GENEROUS / 2)
@pytest.mark.parametrize("part", ["scene", "mesh"])
def test_scenes_that_never_end_are_refused_at_once(floating, folder, part):
    pipe = folder / ("pipe.xml" if part == "scene" else "pipe.stl")
    os.mkfifo(pipe)
    scene = pipe
    if part == "mesh":
        scene = folder / "meshed.xml"
        scene.write_text(
            '<mujoco><asset>\n<mesh name="m" file="pipe.stl"/></asset></mujoco>', encoding="utf-8"
        )
    where = "" if part == "scene" else "line 2: .*"
    with pytest.raises(RobotInterfaceError, match=rf"scene: .*{where}it is a pipe, expected a reg"):
        configured(floating, folder, scene=scene.name)
