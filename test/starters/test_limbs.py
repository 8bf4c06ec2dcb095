"""Arms, legs and heads are found by names and structure, whatever a robot's maker called them."""

import pytest
from robots_for_tests import example_robot, needs_example_robots

from controlit_ros.model import RobotDescription
from controlit_ros.starters.limbs import LimbKind, find_limbs, words_of

pytestmark = needs_example_robots
ARM, LEG, HEAD, OTHER = LimbKind
FOUND = {
    "talos_data/robots/talos_full_v2": {
        ARM: ["arm_left_7_link", "arm_right_7_link"],
        LEG: ["left_sole_link", "right_sole_link"],
        HEAD: ["head_2_link"],
    },
    "g1_description/urdf/g1_29dof_with_hand_rev_1_0": {
        ARM: ["left_hand_palm_link", "right_hand_palm_link"],
        LEG: ["left_ankle_roll_link", "right_ankle_roll_link"],
    },
    "anymal_b_simple_description/robots/anymal-kinova": {
        ARM: ["j2s6s200_link_6"],
        LEG: ["LF_FOOT", "LH_FOOT", "RF_FOOT", "RH_FOOT"],
    },
    "solo_description/robots/solo": {LEG: ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]},
    "panda_description/urdf/panda": {ARM: ["panda_hand_tcp"]},
    "ur_description/urdf/ur5_robot": {ARM: ["ee_link"]},
    "allegro_hand_description/urdf/allegro_left_hand": {
        OTHER: ["link_3.0", "link_15.0", "link_7.0", "link_11.0"]
    },
    "xarm_description/urdf/xarm7": {OTHER: ["link7"]},
}


@pytest.mark.parametrize("name", FOUND)
def test_limbs_of_stock_robots(name):
    robot = RobotDescription(example_robot(f"{name}.urdf"))
    found = {}
    for limb in find_limbs(robot):
        assert set(limb.joints) <= set(robot.real_joints)
        found.setdefault(limb.kind, []).append(limb.body)
    assert found == FOUND[name]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("LeftFoot_link2", {"left", "foot", "link"}),
        ("FL_HAA", {"fl", "haa"}),
        ("RAnkleRoll", {"ankle", "roll"}),
        ("j_wheel_1", {"j", "wheel"}),
    ],
)
def test_words_of_names(name, words):
    assert words <= words_of(name)
