from pathlib import Path

import pytest
from patience import GENEROUS
from ruamel.yaml import YAML

from controlit_ros.constraints import Coupling
from controlit_ros.robots import RobotSetup, simulator_process
from controlit_ros.robots.simulation_options import SimulationOptions

ROOT = Path(__file__).parents[2]
FACTS = YAML(typ="safe").load((ROOT / "test" / "data" / "dreamer_facts.yaml").read_text())
JOINTS = tuple(fact["joint"] for fact in FACTS["joints"])
SLAVE = FACTS["coupling"]["slave"]
REFLECTED = {name: r["inertia"] * r["gear"] ** 2 for name, r in FACTS["rotors"].items()}

DREAMER = RobotSetup(
    name="dreamer_controller",
    urdf=(ROOT / "urdf" / "dreamer.urdf").read_text(),
    joint_names=JOINTS,
    command_names=tuple(name for name in JOINTS if name != SLAVE),
    couplings=(Coupling(offset=0.0, **FACTS["coupling"]),),
    fixed_base=True,
    reflected_inertia=tuple(REFLECTED.get(name, 0.0) for name in JOINTS),
    gravity=(0.0, 0.0, -9.81),
    servo_frequency=1000.0,
)

# A cart on a rail, a wheel without limits on it, a tool fixed to the wheel.
CART = """
<robot name="cart">
  <link name="rail"/>
  <link name="cart"><inertial><mass value="2"/>
    <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>
  <link name="wheel"><inertial><mass value="1"/>
    <inertia ixx="0.5" ixy="0" ixz="0" iyy="0.5" iyz="0" izz="0.5"/></inertial>
    <visual><geometry><mesh filename="package://nowhere/wheel.stl"/></geometry></visual>
    <collision><geometry><mesh filename="package://nowhere/wheel.stl"/></geometry></collision></link>
  <link name="tool"/>
  <joint name="slide" type="prismatic"><parent link="rail"/><child link="cart"/>
    <axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="30" velocity="1"/></joint>
  <joint name="turn" type="continuous"><parent link="cart"/><child link="wheel"/>
    <axis xyz="0 0 1"/><limit effort="4" velocity="1"/></joint>
  <joint name="mount" type="fixed"><parent link="wheel"/><child link="tool"/>
    <origin xyz="0.1 0 0"/></joint>
</robot>
"""
CART_SETUP = RobotSetup(
    name="cart",
    urdf=CART,
    joint_names=("slide", "turn"),
    command_names=("slide", "turn"),
    couplings=(),
    fixed_base=True,
    reflected_inertia=(0.0, 0.5),
    gravity=(0.0, 0.0, 0.0),
    servo_frequency=1000.0,
)


@pytest.fixture(autouse=True)
def simulators_may_take_their_time(monkeypatch):
    """Give up no simulator that a busy machine keeps from starting."""
    monkeypatch.setattr(simulator_process, "START_PATIENCE", GENEROUS)


@pytest.fixture
def dreamer():
    return DREAMER


@pytest.fixture
def cart():
    return CART_SETUP


@pytest.fixture
def options_for():
    """Make options for a setup; every joint value defaults to zero."""

    def make(setup, **changes):
        zeros = (0.0,) * len(setup.joint_names)
        return SimulationOptions(
            **{**dict.fromkeys(SimulationOptions._fields[:3], zeros), **changes}
        )

    return make
