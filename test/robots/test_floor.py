"""A floor, soles where the contact constraints are, and a robot that starts on it."""

import json

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robots_for_tests import needs_example_robots

from controlit_ros.configuration import ConfigurationError, load_configuration
from controlit_ros.controllers import Command
from controlit_ros.model.footprint import Footprint
from controlit_ros.nodes.building import build_stack
from controlit_ros.robots import RobotSetup
from controlit_ros.robots.floor import FLOOR, height_on_floor
from controlit_ros.robots.simulator_description import SimulatorDescription

SHAPES = (
    'type="box" size="0.1 0.2 0.3"',
    'type="sphere" size="0.15"',
    'type="cylinder" size="0.1 0.3"',
    'type="capsule" size="0.1 0.3"',
    'type="ellipsoid" size="0.1 0.2 0.3"',
    'type="mesh" mesh="wedge"',
)
WEDGE = "0 0 0  0.3 0 0  0 0.2 0  0 0 0.4  0.3 0.2 0.1"
BALANCED = 500  # [ms]


@given(
    shape=st.sampled_from(SHAPES),
    turn=st.lists(st.floats(-1.0, 1.0), min_size=4, max_size=4).filter(
        lambda q: np.linalg.norm(q) > 0.1
    ),
    height=st.floats(-2.0, 2.0),
)
def test_the_lowest_point_of_any_shape(shape, turn, height):
    """The height at which MuJoCo first finds the shape in contact with the floor is the oracle."""
    size, place = " ".join(map(str, turn)), f"0.3 -0.2 {height}"
    model = mujoco.MjModel.from_xml_string(f"""<mujoco>
      <asset><mesh name="wedge" vertex="{WEDGE}"/></asset>
      <worldbody><geom name="{FLOOR}" type="plane" size="0 0 1"/>
        <body name="foot" pos="{place}" quat="{size}"><freejoint/>
          <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
          <geom {shape}/></body></worldbody></mujoco>""")
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    lowest = height_on_floor(model, data)
    for above, touches in ((1e-4, False), (-1e-4, True)):
        data.qpos[2] = height - lowest + above
        mujoco.mj_forward(model, data)
        assert (data.ncon > 0) is touches


def configuration(robot, constraints, simulator, enabled=()):
    listed = ", ".join(f"{{name: {name}}}" for name in enabled)
    return load_configuration(
        f"name: r\nrobot_description: {robot}\nparameters: {{rotor_inertia: 0.05}}\n"
        f"robot_interface: {{mode: in_process}}\nsimulator: {simulator}\n"
        f"constraints: [{', '.join(constraints)}]\nconstraint_set: [{listed}]\n"
    )


SOLO = (
    "{FL_HFE: 0.8, FL_KFE: -1.6, FR_HFE: 0.8, FR_KFE: -1.6, HL_HFE: -0.8, HL_KFE: 1.6, "
    "HR_HFE: -0.8, HR_KFE: 1.6}"
)
ROBOTS = {
    "solo_description/robots/solo12.urdf": (
        [
            f"{{name: {foot}, type: PointContact, body: {foot}_FOOT}}"
            for foot in ("FL", "FR", "HL", "HR")
        ],
        SOLO,
    ),
    "icub_description/robots/icub.urdf": (
        [
            f"{{name: {foot}, type: FlatContact, body: {foot}_sole, contact_point: [0.03, 0, 0], "
            "half_size: [0.078, 0.03]}"
            for foot in "lr"
        ],
        "{}",
    ),
    "anymal_b_simple_description/robots/anymal.urdf": ([], "{}"),  # its own feet are balls
}  # fmt: skip


@needs_example_robots
@pytest.mark.parametrize("robot", ROBOTS)
def test_a_robot_starts_on_its_feet_and_stays_there(robot):
    constraints, position = ROBOTS[robot]
    stack = build_stack(
        configuration(
            f"package://example-robot-data/robots/{robot}",
            constraints,
            "{floor: true, place_on_floor: true, initial_base_position: [0.5, 0, 7], "
            f"initial_position: {position}}}",
        )
    )
    simulation, start = stack.robot_interface.simulation, stack.start
    assert start.base_position[:2].tolist() == [0.5, 0.0]
    command = Command(stack.robot.command_joints, with_motion=True, with_gains=True)
    indices = [start.joint_names.index(joint) for joint in command.joint_names]
    command.position[:] = start.position[indices]
    command.stiffness.fill(300.0)
    command.damping.fill(10.0)
    for _ in range(BALANCED):
        simulation.apply(command)
        simulation.step()
    state = simulation.latest()
    assert abs(state.base_position[2] - start.base_position[2]) < 0.003  # it neither fell nor leapt
    assert simulation.data.ncon >= 4


LINK = (
    '<inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
)
BLOCK = (
    f'<robot name="b"><link name="base">{LINK}SHAPE</link><link name="arm">{LINK}</link>'
    '<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>'
    '<limit lower="-1" upper="1" effort="5" velocity="5"/></joint></robot>'
)


def block(shape, simulator, constraints=(), enabled=()):
    robot = BLOCK.replace("SHAPE", shape)
    return build_stack(configuration(f"'{robot}'", constraints, simulator, enabled))


def test_turned_bodies_are_placed_as_they_are_turned():
    shape = '<collision><geometry><box size="0.2 0.4 0.6"/></geometry></collision>'
    turned = "initial_base_orientation: [1, 0, 0, 1]"
    stack = block(shape, f"{{place_on_floor: true, floor: true, {turned}}}")
    assert stack.start.base_position[2] == pytest.approx(0.2)


def test_without_place_on_floor_the_height_is_the_one_said():
    stack = block("", "{floor: true, initial_base_position: [0, 0, 0.7]}")
    assert stack.start.base_position[2] == 0.7


@pytest.mark.parametrize(
    ("constraints", "enabled", "text"),
    [
        ((), (), "found no shape to stand on, expected a contact constraint on a foot"),
        (
            ["{name: B, type: FlatContact}"],
            ["B"],
            "bolts the root link to the world, expected a base that floats",
        ),
    ],
)
def test_what_cannot_be_placed(constraints, enabled, text):
    with pytest.raises(ConfigurationError, match=text):
        block("", "{place_on_floor: true}", constraints, enabled)


def test_links_still_do_not_collide_with_each_other():
    shape = '<collision><geometry><sphere radius="0.3"/></geometry></collision>'
    joint, end = BLOCK[BLOCK.index("<joint") :].split("</robot>", maxsplit=1)[0], "</robot>"
    third = joint.replace('"j"', '"k"').replace('"arm"', '"tip"').replace('"base"', '"arm"')
    tip = f'<link name="tip">{LINK}{shape}</link>'  # parents and children never collide
    robot = BLOCK.replace("SHAPE", shape).replace(end, f"{tip}{third}{end}")
    stack = build_stack(configuration(f"'{robot}'", (), "{floor: true, place_on_floor: true}"))
    simulation = stack.robot_interface.simulation
    simulation.data.qpos[2] -= 0.01
    mujoco.mj_forward(simulation.model, simulation.data)
    floor = simulation.model.geom(FLOOR).id
    assert simulation.data.ncon == 2
    assert all(floor in pair for pair in simulation.data.contact.geom)


def test_the_simulator_process_knows_the_feet_as_well():
    setup = RobotSetup(
        "n", "u", ("a",), ("a",), (), False, (0.0,), (0.0, 0.0, -9.81), 1000.0,
        footprints=(Footprint("foot", (0.1, 0.0, -0.2), (0.05, 0.03), 0.0),),
        rest_position=(0.25,),
    )  # fmt: skip
    text = SimulatorDescription(setup, {}).to_json()
    assert SimulatorDescription.from_json(json.dumps(json.loads(text))).setup == setup


def test_the_start_is_what_the_simulation_measures_first():
    orientation = np.array([0.1, 0.2, -0.3, 0.9])
    stack = block(
        "",
        "{initial_position: {j: 0.4}, position_noise: 0.1, initial_base_position: [1, 2, 3], "
        f"initial_base_orientation: {orientation.tolist()}}}",
    )
    simulation = stack.robot_interface.simulation
    assert stack.start.position.tolist() == [0.4]
    assert simulation.latest().position.tolist() != [0.4]
    assert np.array_equal(stack.start.base_position, simulation.latest().base_position)
    one, other = stack.start.base_orientation, simulation.latest().base_orientation
    assert abs(one @ other) == pytest.approx(1.0)
