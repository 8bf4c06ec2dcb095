"""Dreamer's description carries the published numbers, each of them."""

import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
URDF = ROOT / "urdf" / "dreamer.urdf"
FACTS = YAML(typ="safe").load((ROOT / "test" / "data" / "dreamer_facts.yaml").read_text())
JOINTS = {fact["joint"]: fact for fact in FACTS["joints"]}
INERTIA_KEYS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def parent_link(fact):
    parent = fact["parent_joint"]
    return "base_link" if parent == "universe" else f"{parent}_link"


def matrix(inertia):
    ixx, ixy, ixz, iyy, iyz, izz = inertia
    return np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])


def numbers(element, key):
    return [float(text) for text in element.get(key).split()]


@pytest.fixture(scope="module")
def robot():
    return ET.parse(URDF).getroot()


@pytest.fixture(scope="module")
def model():
    return pin.buildModelFromUrdf(str(URDF), pin.JointModelFreeFlyer())


def check_inertial(link, fact):
    inertial = link.find("inertial")
    assert numbers(inertial.find("origin"), "xyz") == fact["com"]
    assert numbers(inertial.find("origin"), "rpy") == [0, 0, 0]
    assert float(inertial.find("mass").get("value")) == fact["mass"]
    found = [float(inertial.find("inertia").get(key)) for key in INERTIA_KEYS]
    assert found == fact["inertia"]


def test_tree_holds_exactly_the_published_joints(robot):
    assert [joint.get("name") for joint in robot.findall("joint")] == list(JOINTS)
    links = {link.get("name") for link in robot.findall("link")}
    assert links == {"base_link"} | {f"{name}_link" for name in JOINTS}


@pytest.mark.parametrize("name", JOINTS)
def test_joint_in_text(robot, name):
    fact = JOINTS[name]
    joint = robot.find(f"joint[@name='{name}']")
    assert joint.get("type") == "revolute"
    assert joint.find("parent").get("link") == parent_link(fact)
    assert joint.find("child").get("link") == f"{name}_link"
    assert numbers(joint.find("origin"), "xyz") == fact["placement_xyz"]
    assert numbers(joint.find("origin"), "rpy") == fact["placement_rpy"]
    assert numbers(joint.find("axis"), "xyz") == fact["axis"]
    limit = {key: float(text) for key, text in joint.find("limit").attrib.items()}
    assert limit == fact["limits"]


@pytest.mark.parametrize("name", JOINTS)
def test_link_in_text(robot, name):
    check_inertial(robot.find(f"link[@name='{name}_link']"), JOINTS[name])


def test_base_in_text(robot):
    check_inertial(robot.find("link[@name='base_link']"), FACTS["base"])


@pytest.mark.parametrize("name", JOINTS)
def test_joint_in_model(model, name):
    fact = JOINTS[name]
    joint = model.getJointId(name)
    parent = fact["parent_joint"]
    assert model.names[model.parents[joint]] == ("root_joint" if parent == "universe" else parent)
    placement = model.jointPlacements[joint]
    np.testing.assert_array_equal(placement.translation, fact["placement_xyz"])
    rotation = pin.rpy.rpyToMatrix(*fact["placement_rpy"])
    np.testing.assert_allclose(placement.rotation, rotation, atol=1e-15)
    data = model.createData()
    quarter = pin.neutral(model)
    quarter[model.joints[joint].idx_q] = np.pi / 2
    pin.forwardKinematics(model, data, quarter)
    turned = placement.rotation.T @ data.oMi[model.parents[joint]].rotation.T
    turned = turned @ data.oMi[joint].rotation
    expected = pin.exp3(np.pi / 2 * np.array(fact["axis"], dtype=float))
    np.testing.assert_allclose(turned, expected, atol=1e-12)


@pytest.mark.parametrize("name", JOINTS)
def test_limits_in_model(model, name):
    limits = JOINTS[name]["limits"]
    joint = model.joints[model.getJointId(name)]
    assert model.lowerPositionLimit[joint.idx_q] == limits["lower"]
    assert model.upperPositionLimit[joint.idx_q] == limits["upper"]
    assert model.effortLimit[joint.idx_v] == limits["effort"]
    assert model.velocityLimit[joint.idx_v] == limits["velocity"]


@pytest.mark.parametrize("name", ["root_joint", *JOINTS])
def test_inertia_in_model(model, name):
    fact = FACTS["base"] if name == "root_joint" else JOINTS[name]
    inertia = model.inertias[model.getJointId(name)]
    assert inertia.mass == fact["mass"]
    np.testing.assert_allclose(inertia.lever, fact["com"], rtol=1e-14)
    np.testing.assert_allclose(inertia.inertia, matrix(fact["inertia"]), atol=1e-15)


@pytest.mark.parametrize("name", JOINTS)
def test_child_link_shares_the_joint_frame(model, name):
    frame = model.frames[model.getFrameId(f"{name}_link", pin.BODY)]
    assert model.names[frame.parentJoint] == name
    assert frame.placement.isIdentity(0)


def test_total_mass(model):
    assert sum(inertia.mass for inertia in model.inertias) == pytest.approx(44.6646)
    assert model.nv == 22


def test_neighbours_do_not_touch_anywhere_within_the_limits():
    options = '<mujoco><compiler balanceinertia="true" fusestatic="false"/></mujoco>'
    spec = mujoco.MjSpec.from_string(URDF.read_text().replace("</robot>", options + "</robot>"))
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_FILTERPARENT
    model = spec.compile()
    data = mujoco.MjData(model)
    lower, upper = model.jnt_range.T
    generator = np.random.default_rng(0)
    for _ in range(500):
        data.qpos[:] = generator.uniform(lower, upper)
        mujoco.mj_fwdPosition(model, data)
        for contact in data.contact[: data.ncon]:
            first, second = model.geom_bodyid[contact.geom]
            names = f"{model.body(first).name} touches {model.body(second).name}"
            assert model.body_parentid[first] != second, names
            assert model.body_parentid[second] != first, names
