"""SceneSight: the bodies of a simulated scene are shown where MuJoCo has them."""

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from robots_for_tests import REPOSITORY
from simulated_hands import DETERMINISTIC

from controlit_ros.introspection.marker import CUBE, GREY, Key
from controlit_ros.introspection.solid_markers import PLANE, solid_markers
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.front.scene_sight import scene_sight

SCENE = REPOSITORY / "config" / "scenes" / "disassembly.xml"


@pytest.fixture(scope="module")
def stack():
    file = REPOSITORY / "config" / "dreamer" / "disassembly.yaml"
    return load_stack(file, DETERMINISTIC)


@pytest.fixture
def sight(stack):
    return scene_sight(stack)


def test_every_body_that_can_be_touched_is_seen(stack, sight):
    model = mujoco.MjModel.from_xml_path(str(SCENE))
    links = set(stack.robot.frame_names)
    touchable = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    bodies = {model.body(model.geom_bodyid[i]).name for i in np.flatnonzero(touchable)}
    assert set(sight.solids()) == bodies - links
    assert {"tube", "valve"} <= set(sight.solids())
    assert not set(sight.solids()) & links


def test_boxes_are_where_and_as_large_as_in_the_simulation(stack, sight):
    simulation = stack.robot_interface.simulation
    model, data = simulation.model, simulation.data
    mujoco.mj_kinematics(model, data)
    names = {model.body(i).name: i for i in range(model.nbody)}
    compared = 0
    for name, solid in sight.solids().items():
        if f"scene/{name}" not in names:
            continue  # the world
        boxes = [
            i
            for i in np.flatnonzero(model.geom_bodyid == names[f"scene/{name}"])
            if model.geom_type[i] == mujoco.mjtGeom.mjGEOM_BOX
            and (model.geom_contype[i] or model.geom_conaffinity[i])
        ]
        drawn = [m for m in solid_markers(Key(name, 0), solid, GREY) if m.kind == CUBE]
        assert len(drawn) == len(boxes)
        for mark, geom in zip(drawn, boxes, strict=True):
            np.testing.assert_allclose(mark.position, data.geom_xpos[geom], atol=1e-6)
            x, y, z, w = mark.orientation
            turned = pin.Quaternion(w, x, y, z).matrix()
            np.testing.assert_allclose(turned, data.geom_xmat[geom].reshape(3, 3), atol=1e-6)
            np.testing.assert_allclose(mark.scale, 2.0 * model.geom_size[geom], atol=1e-9)
            compared += 1
    assert compared > 10


def test_what_moves_is_seen_where_it_is(stack, sight):
    before = sight.solids()["tube"].pose.position.copy()
    simulation = stack.robot_interface.simulation
    model, data = simulation.model, simulation.data
    joint = model.body("scene/tube").jntadr[0]
    address = model.jnt_qposadr[joint]
    data.qpos[address] += 0.25
    mujoco.mj_kinematics(model, data)
    try:
        tube = sight.solids()["tube"].pose.position
        np.testing.assert_allclose(tube - before, [0.25, 0.0, 0.0], atol=1e-9)
        assert sight.solids()["table"].pose.position == pytest.approx([0.5, -0.16, 0.0])
    finally:
        data.qpos[address] -= 0.25
        mujoco.mj_kinematics(model, data)


def test_the_floor_lies_below_its_plane(sight):
    (floor,) = (
        m for m in solid_markers(Key("world", 0), sight.solids()["world"], GREY) if m.kind == CUBE
    )
    assert floor.scale[0] == PLANE[0]
    assert floor.position[2] + 0.5 * PLANE[2] <= 0.0


def test_without_a_scene_there_is_nothing_to_see():
    file = REPOSITORY / "config" / "dreamer" / "hands.yaml"
    assert scene_sight(load_stack(file, DETERMINISTIC)) is None
