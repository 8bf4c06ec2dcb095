"""A partial state obeys mimic joints and coactuations wherever one is stated."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tries import tries

from controlit_ros.configuration import ConfigurationError
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.offline import compute_cycle, read_state, start_of, state_from_mapping

INERTIA = (
    '<inertial><origin xyz="0 0 0.1"/><mass value="1"/>'
    '<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>'
)
LIMIT = '<limit lower="-3" upper="3" effort="50" velocity="3"/>'
MIMIC = '<mimic joint="a" multiplier="2" offset="0.1"/>'
JOINTS = ("a", "b", "c", "d")
"""b mimics a, and d follows c by a coactuation."""
COACTUATION = (
    "  - {name: Gear, type: Coactuation, master: c, slave: [d], ratio: [-0.5], offset: [0]}"
)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("coupled")
    links = "".join(f'<link name="l{i}">{INERTIA}</link>' for i in range(5))
    joints = "".join(
        f'<joint name="{name}" type="revolute"><parent link="l{i}"/><child link="l{i + 1}"/>'
        f'<origin xyz="0 0 0.2"/><axis xyz="0 1 0"/>{LIMIT}{MIMIC if name == "b" else ""}</joint>'
        for i, name in enumerate(JOINTS)
    )
    (folder / "r.urdf").write_text(f'<robot name="r">{links}{joints}</robot>')
    path = folder / "r.yaml"
    path.write_text(
        "name: r\nrobot_description: r.urdf\nparameters: {rotor_inertia: 0.01}\n"
        "simulator: {mode: in_process}\n"
        "tasks: [{name: Posture, type: JointPosition, kp: 9, kd: 6}]\n"
        "constraints:\n  - {name: Base, type: FlatContact, body: l0}\n"
        f"{COACTUATION}\n"
        "compound_task: [{name: Posture, priority: 0}]\n"
        "constraint_set: [{name: Base}, {name: Gear}]\n"
    )
    return path


def positions(state):
    return dict(zip(state.joint_names, state.position.tolist(), strict=True))


VALUE = st.floats(-1.0, 1.0).map(lambda x: round(x, 3))


@settings(max_examples=tries(25), deadline=None)
@given(first=st.sampled_from("ab"), second=st.sampled_from("cd"), x=VALUE, y=VALUE)
def test_whichever_joint_is_given_determines_the_other(file, first, second, x, y):
    stack = load_stack(file)
    a = x if first == "a" else (x - 0.1) / 2.0
    c = y if second == "c" else -2.0 * y
    expected = {"a": a, "b": 2.0 * a + 0.1, "c": c, "d": -0.5 * c}
    stated = {first: x, second: y}
    couplings = stack.constraints.couplings
    state = state_from_mapping({"positions": stated}, start_of(stack), couplings)
    assert positions(state) == pytest.approx(expected, abs=1e-9)
    moving = state_from_mapping({"velocities": {"b": 1.0}}, start_of(stack), couplings)
    assert moving.velocity[:2] == pytest.approx([0.5, 1.0])
    simulated = load_stack(file, {"simulator.initial_position": stated})
    assert positions(simulated.start) == pytest.approx(expected, abs=1e-9)
    full = state_from_mapping({"positions": expected}, start_of(stack), couplings)
    assert compute_cycle(stack, state) == compute_cycle(stack, full)


@pytest.mark.parametrize(("one", "other"), ["ab", "cd"])
def test_a_contradiction_is_refused_and_names_both(file, tmp_path, one, other):
    stated = {one: 0.3, other: 0.9}
    stack = load_stack(file)
    path = tmp_path / "state.json"
    path.write_text(json.dumps({"positions": stated}))
    both = rf"positions.*'{other}' at 0.9 and '{one}' at 0.3.*expected {other} ="
    with pytest.raises(ControlItError, match=both):
        read_state(path, stack.start, stack.constraints.couplings)
    with pytest.raises(
        ConfigurationError, match=rf"initial_position: .*'{other}' at 0.9 and '{one}'"
    ):
        load_stack(file, {"simulator.initial_position": stated})
    listed = [stated.get(joint, 0.0) for joint in JOINTS]
    with pytest.raises(ConfigurationError, match=rf"'{one}'"):
        load_stack(file, {"simulator.initial_position": listed})


def test_a_named_posture_says_nothing_of_joints_that_mimic_others_of_it(file):
    srdf = file.with_suffix(".srdf")
    srdf.write_text(
        '<robot name="r" xmlns="http://x"><group_state name="home" group="g">'
        '<joint name="a" value="0.2"/><joint name="b" value="0"/></group_state></robot>'
    )
    start = load_stack(file, {"simulator.initial_position": "home"}).start
    assert positions(start)["b"] == pytest.approx(0.5)
