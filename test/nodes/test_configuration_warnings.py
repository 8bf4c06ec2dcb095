"""What is legal and hardly meant is told by check, each with its place and a remedy."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY

from controlit_ros.configuration import load_configuration
from controlit_ros.nodes.building import build_stack

LINK = (
    '<inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
)


def limit(lower=-1, upper=1):
    return f'<limit lower="{lower}" upper="{upper}" effort="50" velocity="5"/>'


# a trunk with a leg that ends in a foot, 0.8 m below, and two fingers that open by 4 cm
ROBOT = (
    f'<robot name="r"><link name="trunk">{LINK}</link><link name="foot">{LINK}</link>'
    f'<link name="left">{LINK}</link><link name="right">{LINK}</link>'
    '<joint name="hip" type="revolute"><parent link="trunk"/><child link="foot"/>'
    f'<origin xyz="0 0 -0.8"/><axis xyz="0 1 0"/>{limit()}</joint>'
    '<joint name="finger_l" type="prismatic"><parent link="trunk"/><child link="left"/>'
    f'<axis xyz="0 1 0"/>{limit(0, 0.04)}</joint>'
    '<joint name="finger_r" type="prismatic"><parent link="trunk"/><child link="right"/>'
    f'<axis xyz="0 1 0"/>{limit(0, 0.04)}</joint></robot>'
)
FOOT = "{name: Foot, type: FlatContact, body: foot, half_size: [0.1, 0.05]}"
BOLT = "{name: Bolt, type: FlatContact, body: trunk}"
STANDS = "floor: true, place_on_floor: true"


def warnings(contact=FOOT, *, enabled=True, simulator=STANDS, task="", interface="MuJoCo"):
    name = contact.split(":")[1].split(",")[0].strip()
    state = "enable" if enabled else "disable"
    listed = f"tasks:\n  - {{name: T, {task}}}\ncompound_task: [{{name: T, priority: 0}}]\n"
    text = (
        f"name: r\nrobot_description: '{ROBOT}'\n"
        f"parameters: {{robot_interface_type: {interface}}}\n"
        f"simulator: {{{simulator}}}\n"
        f"constraints:\n  - {contact}\n"
        f"constraint_set: [{{name: {name}, operational_state: {state}}}]\n"
        f"{listed if task else ''}"
    )
    return build_stack(load_configuration(text)).warnings


def test_a_robot_on_its_foot():
    assert warnings() == ()


def test_a_bolted_robot_needs_no_floor():
    assert warnings(BOLT, simulator="") == ()


@pytest.mark.parametrize("interface", ["MuJoCo", "UDP", "Benchmark"])
def test_a_robot_that_nothing_holds(interface):
    (warning,) = warnings(enabled=False, interface=interface)
    assert warning.startswith("2:1: robot_description: no contact constraint holds the robot")
    assert "expected one of 'Foot' enabled, or a FlatContact on the root link 'trunk'" in warning
    assert "the lowest links at the start are 'foot')" in warning


def test_a_robot_without_constraints():
    text = f"name: r\nrobot_description: '{ROBOT}'\n"
    (warning,) = build_stack(load_configuration(text)).warnings
    assert "its base floats; expected a FlatContact on the root link 'trunk'" in warning


@pytest.mark.parametrize("interface", ["MuJoCo", "UDP"])
def test_a_robot_without_a_floor(interface):
    more = "initial_base_position: [0, 0, 0.8]"
    (warning,) = warnings(simulator=more, interface=interface)
    assert warning.startswith("4:1: simulator: the simulated robot has nothing to stand on")


def test_without_a_simulation_nobody_knows_of_a_floor():
    assert warnings(simulator="", interface="UDP") == ()


@pytest.mark.parametrize(
    ("height", "told"),
    [(0.8, ""), (0.805, ""), (0.9, "0.100 m above"), (0.75, "0.050 m in"), (0.0, "0.800 m in")],
)
def test_a_base_in_the_air_or_in_the_ground(height, told):
    found = warnings(simulator=f"floor: true, initial_base_position: [0, 0, {height}]")
    assert len(found) == bool(told)
    if told:
        assert found[0].startswith(f"4:1: simulator: the robot starts {told} the floor")
        assert "or the height 0.800 m in initial_base_position" in found[0]


def height_warning(contact, height, pitch=0.0):
    """Return what is told of a base that starts at a height, leaning forwards by an angle."""
    orientation = f"[0, {np.sin(pitch / 2.0)}, 0, {np.cos(pitch / 2.0)}]"
    place = f"initial_base_position: [0, 0, {height}], initial_base_orientation: {orientation}"
    return "".join(warnings(contact, simulator=f"floor: true, {place}"))


@pytest.mark.parametrize("radius", [0.02, 0.05, 0.3])
def test_a_ball_touches_the_floor_below_its_centre(radius):
    ball = f"{{name: Foot, type: PointContact, body: foot, radius: {radius}}}"
    assert height_warning(ball, 0.8 + radius) == ""
    text = height_warning(ball, 0.9 + radius)
    assert "starts 0.100 m above the floor" in text
    assert f"the height {0.8 + radius:.3f} m" in text
    assert "0.100 m in the floor" in height_warning(ball, 0.7 + radius)


@pytest.mark.parametrize("pitch", [-0.4, 0.3, 1.5])
def test_the_lowest_corner_of_a_sole_counts(pitch):
    needed = 0.8 * np.cos(pitch) + 0.1 * abs(np.sin(pitch))
    assert height_warning(FOOT, needed, pitch) == ""
    assert (
        f"0.200 m above the floor; expected place_on_floor: true, or the height {needed:.3f}"
        in (height_warning(FOOT, needed + 0.2, pitch))
    )


@pytest.mark.parametrize("point", [-0.3, 0.3])
def test_the_lowest_of_several_contacts_counts(point):
    more = f"{{name: More, type: PointContact, body: foot, contact_point: [0, 0, {point}]}}"
    text = (
        f"name: r\nrobot_description: '{ROBOT}'\nparameters: {{robot_interface_type: MuJoCo}}\n"
        "simulator: {floor: true, initial_base_position: [0, 0, 2]}\n"
        f"constraints:\n  - {FOOT}\n  - {more}\nconstraint_set: [{{name: Foot}}, {{name: More}}]\n"
    )
    (warning,) = build_stack(load_configuration(text)).warnings
    assert f"the height {0.8 - min(point, 0.0):.3f} m" in warning


def test_a_sole_without_a_size():
    shape = "{name: Foot, type: FlatContact, body: foot}"
    (warning,) = warnings(shape, simulator="floor: true, initial_base_position: [0, 0, 0.8]")
    assert warning.startswith("6:5: constraints[0]: Foot has no half_size")


@pytest.mark.parametrize(
    ("gains", "told"),
    [
        ("kp: 100, kd: 20", ""),
        ("kp: 0, kd: 20", ""),
        ("kd: 20", ""),
        ("kp: 100", "kp 100 without kd"),
        ("kp: {hip: 49}, kd: {finger_l: 3}", "kp 49 without kd"),
        ("kp: {hip: 49}, axes: [finger_l]", ""),
        ("kp: {hip: 49}, axes: [hip]", "where it is 14"),
    ],
)
def test_stiffness_without_damping(gains, told):
    found = warnings(task=f"type: JointPosition, {gains}")
    assert len(found) == bool(told)
    if told:
        assert found[0].startswith("9:5: tasks[0]: T has kp ")
        assert told in found[0]


@pytest.mark.parametrize(
    ("quaternion", "told"),
    [
        ("[0, 0, 0.707, 0.707]", ""),
        ("[0, 0, 0, -1]", ""),
        ("[0, 0, 1, 1]", "length 1.414, expected 1; it is taken for [0, 0, 0.7071, 0.7071]"),
        ("[0, 0, 0, 0.5]", "length 0.5"),
    ],
)
@pytest.mark.parametrize("where", ["task", "simulator"])
def test_quaternions_that_are_none(quaternion, told, where):
    if where == "task":
        kind = "type: Orientation3D, body: foot, kp: 1, kd: 2"
        found = warnings(task=f"{kind}, goal_orientation: {quaternion}")
        place = "tasks[0].goal_orientation"
    else:
        found = warnings(simulator=f"{STANDS}, initial_base_orientation: {quaternion}")
        place = "simulator.initial_base_orientation"
    assert len(found) == bool(told)
    if told:
        assert f": {place}: found a quaternion of {told}" in found[0]


@pytest.mark.parametrize(
    ("margin", "joints"),
    [
        ("", []),
        (", margin: 0.0199", []),
        (", margin: 0.02", ["finger_l", "finger_r"]),
        (", margin: 0.5", ["finger_l", "finger_r"]),
        (", margin: {finger_r: 0.03}", ["finger_r"]),
        (", margin: 1.5", ["finger_l", "finger_r", "hip"]),
        (", margin: 0.5, axes: [hip, finger_l]", ["finger_l"]),
    ],
)
def test_margins_that_cover_the_whole_range(margin, joints):
    found = warnings(task=f"type: JointLimit{margin}")
    assert sorted(text.split("'")[1] for text in found) == joints
    for text in found:
        assert "tasks[0].margin: the margin " in text
        assert "expected less than " in text


@pytest.mark.thorough
def test_the_files_that_ship_have_no_warnings():
    for file in sorted((REPOSITORY / "config" / "dreamer").glob("*.yaml")):
        assert build_stack(load_configuration(file)).warnings == ()


def test_who_does_not_ask_looks_for_none(monkeypatch):
    asked = []
    monkeypatch.setattr(
        "controlit_ros.nodes.building.stack.stack_warnings", lambda *_: asked.append(1) or ["found"]
    )
    stack = build_stack(load_configuration(REPOSITORY / "config" / "dreamer" / "hands.yaml"))
    assert not asked
    assert stack.warnings == stack.warnings == ("found",)
    assert len(asked) == 1
