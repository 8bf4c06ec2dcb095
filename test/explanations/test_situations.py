"""An explanation names the right cause in situations that were made to have it."""

import numpy as np
import pytest
from explained import HAND, JOINTS, POSTURE, causes, names, quadratic

HIGH = {**HAND, "priority": 1}
NEAR = {**HIGH, "goal_position": [0.9, 0.0, 0.3]}
ELSEWHERE = {**POSTURE, "goal_position": {"shoulder": -0.5, "elbow": 0.5, "wrist": 1.0}}


def whole(explanation, kind):
    return [cause for cause in explanation.causes if cause.kind.value == kind]


def test_nothing_holds_back_what_is_free(arm):
    explanation = arm.explain([NEAR])
    account = explanation.task("Hand")
    assert account.causes == ()
    np.testing.assert_allclose(account.got, account.asked, atol=1e-9)
    np.testing.assert_allclose(account.missing, 0.0, atol=1e-9)
    assert account.components == ("x", "y", "z")
    assert explanation.causes == explanation.conflict == ()


# ---- tasks by themselves


@pytest.mark.parametrize("state", ["disable", "sense"])
def test_a_task_that_takes_no_part(arm, state):
    explanation = arm.explain([{**NEAR, "operational_state": state}, POSTURE])
    (cause,) = causes(explanation, "Hand")
    assert (cause.kind.value, cause.name) == ("state", state)
    assert explanation.task("Hand").asked == ()


def test_gains_of_zero(arm):
    (cause,) = causes(arm.explain([{**ELSEWHERE, "kp": 0}]), "Posture")
    assert cause.kind.value == "gain"
    assert cause.value == pytest.approx(np.linalg.norm([1.0, 1.7, 0.4]))


@pytest.mark.parametrize("speed", [0.0, 0.3])
@pytest.mark.parametrize("kd", [0.0, 16.0])
def test_a_gain_of_zero_is_named_although_damping_commands_something(arm, kd, speed):
    velocity = dict.fromkeys(JOINTS, speed)
    task = {**ELSEWHERE, "kp": 0, "kd": kd, "goal_velocity": velocity}
    (cause,) = causes(arm.explain([task]), "Posture", "gain")
    assert cause.name == "kp"
    assert cause.text.startswith("Posture.kp is zero: nothing reduces the error of 2.01 rad")


@pytest.mark.parametrize("count", [1, 2])
def test_components_without_a_gain_are_named(arm, count):
    idle = JOINTS[:count]
    gains = {joint: 0.0 if joint in idle else 64.0 for joint in JOINTS}
    (cause,) = causes(arm.explain([{**ELSEWHERE, "kp": gains}]), "Posture", "gain")
    assert all(joint in cause.text for joint in idle)
    assert not any(joint in cause.text for joint in JOINTS[count:])
    assert cause.value == pytest.approx(np.linalg.norm([1.0, 1.7][:count]))


def test_an_integral_alone_is_a_gain(arm):
    assert not causes(arm.explain([{**ELSEWHERE, "kp": 0, "ki": 3.0}]), "Posture", "gain")


def test_a_component_at_its_goal_needs_no_gain(arm):
    goal = {"shoulder": 0.5, "elbow": 0.5, "wrist": 1.0}
    gains = {"shoulder": 0.0, "elbow": 64.0, "wrist": 64.0}
    task = {**POSTURE, "goal_position": goal, "kp": gains}
    assert not causes(arm.explain([task]), "Posture", "gain")


def test_the_largest_velocity_of_a_task(arm):
    explanation = arm.explain([{**NEAR, "max_velocity": 0.1}])
    (cause,) = causes(explanation, "Hand", "saturation")
    error = np.linalg.norm(explanation.task("Hand").error)
    assert cause.value == pytest.approx(64 / 16 * error - 0.1)
    assert not causes(arm.explain([{**NEAR, "max_velocity": 9.0}]), "Hand")


def test_the_largest_velocity_of_one_joint(arm):
    limits = {"shoulder": 9.0, "elbow": 0.5, "wrist": 9.0}
    (cause,) = causes(arm.explain([{**ELSEWHERE, "max_velocity": limits}]), "Posture")
    assert "at elbow," in cause.text
    assert cause.value == pytest.approx(64 / 16 * 1.7 - 0.5)


def test_a_goal_beyond_the_range_of_a_joint(arm):
    goal = {"shoulder": 0.5, "elbow": -2.9, "wrist": 0.6}
    (cause,) = causes(arm.explain([{**POSTURE, "goal_position": goal}]), "Posture", "goal")
    assert cause.name == "elbow"
    assert cause.value == pytest.approx(0.4)


def test_a_goal_out_of_reach(arm):
    explanation = arm.explain([{**HIGH, "goal_position": [2.0, 0.0, 0.3]}])
    (cause,) = causes(explanation, "Hand", "reach")
    assert cause.value == pytest.approx(np.hypot(2.0, 0.3) - 3 * 0.4, abs=2e-3)  # [m] three links
    assert not causes(arm.explain([NEAR]), "Hand", "reach")


def test_a_goal_that_the_range_of_a_joint_keeps_away(arm):
    own = {"shoulder": {"lower": 0.0}}
    goal = {**HIGH, "goal_position": [0.0, 0.0, 1.1]}
    (cause,) = causes(arm.explain([goal], limits=own), "Hand", "reach")
    assert "shoulder" in cause.text
    assert not causes(arm.explain([goal]), "Hand", "reach")


def test_an_intermediate_goal_on_its_way(arm):
    explanation = arm.explain([{**ELSEWHERE, "reference": "time_optimal"}])
    (cause,) = causes(explanation, "Posture", "reference")
    assert cause.value == pytest.approx(np.linalg.norm([1.0, 1.7, 0.4]), rel=1e-3)


# ---- other tasks


def test_a_task_of_a_higher_level_takes_the_direction(arm):
    (cause,) = causes(arm.explain([NEAR, ELSEWHERE]), "Posture", "priority")
    assert cause.name == "Hand"
    assert "Posture" in cause.text


def test_only_the_task_that_takes_the_direction_is_named(arm):
    idle = {**HIGH, "name": "Idle", "axes": ["y"], "priority": 2}
    found = causes(arm.explain([NEAR, idle, ELSEWHERE]), "Posture", "priority")
    assert names(found) == ["Hand"]


def test_a_task_of_the_same_level_wants_something_else(arm):
    other = {**NEAR, "name": "Other", "goal_position": [0.3, 0.0, 0.3]}
    explanation = arm.explain([NEAR, other])
    (cause,) = causes(explanation, "Hand")
    assert (cause.kind.value, cause.name) == ("level", "Other")
    assert "x of Hand" in cause.text
    np.testing.assert_allclose(explanation.task("Hand").missing[2], 0.0, atol=1e-9)


def test_a_joint_limit_task_acts(arm):
    limits = {"name": "Limits", "type": "JointLimit", "priority": 3}
    goal = {**POSTURE, "goal_position": {"shoulder": 0.0, "elbow": 2.5, "wrist": 0.3}}
    at = {"shoulder": 0.0, "elbow": 2.46, "wrist": 0.3}
    (cause,) = causes(arm.explain([limits, goal], at=at), "Posture")
    assert (cause.kind.value, cause.name) == ("joint limit", "Limits")
    assert "elbow" in cause.text
    assert not causes(arm.explain([limits, goal], at={**at, "elbow": 2.0}), "Posture")


# ---- joints and constraints


@pytest.mark.parametrize("controller", [{}, quadratic(0.0)], ids=["WBOSC", "WholeBodyQP"])
def test_a_stretched_arm(arm, controller):
    explanation = arm.explain([NEAR], at=dict.fromkeys(JOINTS, 0.0), **controller)
    (cause,) = causes(explanation, "Hand", "singularity")
    assert cause.name == "x of Hand"
    assert cause.value == pytest.approx(abs(explanation.task("Hand").asked[0]), rel=1e-3)
    assert not causes(arm.explain([NEAR], **controller), "Hand", "singularity")


def test_a_direction_in_which_nothing_moves(arm):
    goal = {**HAND, "axes": ["x", "y", "z"], "goal_position": [0.9, 0.2, 0.3]}
    (cause,) = causes(arm.explain([goal]), "Hand", "singularity")
    assert cause.name == "y of Hand"


@pytest.mark.parametrize("controller", [{}, quadratic(0.0)], ids=["WBOSC", "WholeBodyQP"])
def test_a_contact_forbids_the_direction(arm, controller):
    wall = {"name": "Wall", "type": "PointContact", "body": "hand"}
    (cause,) = causes(arm.explain([NEAR], constraints=[wall], **controller), "Hand", "constraint")
    assert cause.name == "Wall"


def test_a_transmission_forbids_the_direction(arm):
    belts = [
        {"name": f"{joint}_belt", "type": "Coactuation", "master": "shoulder", "slave": joint}
        for joint in ("elbow", "wrist")
    ]
    at = dict.fromkeys(JOINTS, 0.4)
    found = causes(arm.explain([NEAR], constraints=belts, at=at), "Hand", "constraint")
    assert set(names(found)) == {"elbow_belt", "wrist_belt"}


# ---- settings


def test_what_velocities_do_is_left_alone(arm):
    settings = {"velocity_bias": False}
    explanation = arm.explain([NEAR], moving={"elbow": 3.0, "wrist": 2.0}, controller=settings)
    (cause,) = causes(explanation, "Hand")
    assert (cause.kind.value, cause.name) == ("compensation", "velocity_bias")


def test_motion_is_damped_beside_a_singularity(arm):
    settings = {"singularity_handling": "damp", "damping_threshold": 0.1}
    explanation = arm.explain([NEAR], at={"elbow": 0.02}, controller=settings)
    (cause,) = causes(explanation, "Hand", "compensation")
    assert cause.name == "singularity_handling"


# ---- limits


def test_an_effort_limit_starves_a_posture(arm):
    explanation = arm.explain([ELSEWHERE], limits={"elbow": {"effort": 3.0}})
    (cause,) = causes(explanation, "Posture")
    assert (cause.kind.value, cause.name) == ("guard", "elbow")
    assert "effort limit" in cause.text
    assert "sent 3 N m" in cause.text
    assert whole(explanation, "guard") == [cause]


def test_an_effort_limit_of_the_program_starves_a_posture(arm):
    limits = {"elbow": {"effort": 3.0}}
    (cause,) = causes(arm.explain([ELSEWHERE], limits=limits, **quadratic()), "Posture")
    assert (cause.kind.value, cause.name) == ("limit", "elbow")
    assert "effort limit" in cause.text
    assert cause.value > 0.0


def test_the_guard_keeps_a_joint_below_its_speed(arm):
    goal = {**POSTURE, "kp": 60, "kd": 1, "goal_position": {"elbow": 1.5}}
    at, moving = {"shoulder": 0.0, "elbow": 0.4, "wrist": 0.0}, {"elbow": 1.98}
    limits = {"elbow": {"velocity": 2.0}}
    explanation = arm.explain([goal], at=at, moving=moving, limits=limits)
    (cause,) = causes(explanation, "Posture", "guard")
    assert cause.name == "elbow"
    assert "velocity limit" in cause.text


def test_the_guard_keeps_a_joint_within_its_range(arm):
    goal = {**POSTURE, "goal_position": {"elbow": 2.4}, "kp": 40}
    at = {"shoulder": 0.0, "elbow": 2.49, "wrist": 0.0}
    (cause,) = causes(arm.explain([goal], at=at, moving={"elbow": 0.3}), "Posture", "guard")
    assert cause.name == "elbow"
    assert "position limit" in cause.text


@pytest.mark.parametrize(
    ("what", "at", "moving", "limits"),
    [
        ("velocity", {"elbow": 0.5}, {"elbow": 1.95}, {"elbow": {"velocity": 2.0}}),
        ("position", {"elbow": 2.45}, {"elbow": 0.5}, {}),
    ],
)
def test_a_limit_of_the_program_holds_a_joint(arm, what, at, moving, limits):
    goal = {**POSTURE, "kp": 400, "goal_position": {"elbow": 2.5}}
    explanation = arm.explain([goal], at=at, moving=moving, limits=limits, **quadratic())
    found = causes(explanation, "Posture", "limit")
    assert [(cause.name, f"the {what} limit" in cause.text) for cause in found] == [("elbow", True)]


def test_forces_need_more_than_the_joints_have(arm):
    push = {"name": "Push", "type": "ExternalForce", "body": "hand", "priority": 1}
    push["goal_wrench"] = [0.0, 0.0, -400.0, 0.0, 0.0, 0.0]
    weak = {joint: {"effort": 4.0} for joint in JOINTS}
    explanation = arm.explain([push, POSTURE], limits=weak)
    (cause,) = causes(explanation, "Push")
    assert cause.kind.value == "force"
    assert "elbow" in cause.text
    assert explanation.task("Push").got[2] == pytest.approx(-400.0 * cause.value)
    np.testing.assert_allclose(explanation.task("Posture").got, 0.0, atol=1e-9)


# ---- limits that exclude each other


def test_limits_of_position_and_effort_exclude_each_other(arm):
    weak = {joint: {"effort": 4.0} for joint in JOINTS}
    at, moving = {"elbow": 2.48}, {"elbow": 6.0}
    explanation = arm.explain([POSTURE], at=at, moving=moving, limits=weak, **quadratic())
    first, *efforts = explanation.conflict
    assert "position limit of 'elbow'" in first.text
    assert set(names(efforts)) == set(JOINTS)
    (failed,) = whole(explanation, "state")  # the controller says the same in its own way
    assert "'elbow' cannot be kept within its limit of position" in failed.text
    assert f"{first.value:.3g} rad/s² are missing" in failed.text
    held = causes(explanation, "Posture", "conflict")
    assert names(held) == names(explanation.conflict)


def test_limits_of_velocity_position_and_effort_exclude_each_other(arm):
    limits = {joint: {"effort": 6.0} for joint in JOINTS}
    limits["shoulder"] = {"effort": 6.0, "velocity": 2.0}
    at, moving = {"elbow": -2.48, "shoulder": 0.5}, {"elbow": -1.0, "shoulder": 2.2}
    explanation = arm.explain([POSTURE], at=at, moving=moving, limits=limits, **quadratic())
    found = [cause.text.partition(":")[0] for cause in explanation.conflict]
    assert found == [
        "the velocity limit of 'shoulder'",
        "the position limit of 'elbow'",
        "the effort limit of 'shoulder'",
        "the effort limit of 'elbow'",
    ]
    assert all(cause.value > 0.0 for cause in explanation.conflict)


def test_there_is_no_conflict_where_the_limits_fit(arm):
    explanation = arm.explain([POSTURE], at={"elbow": 2.0}, moving={"elbow": 1.0}, **quadratic())
    assert explanation.conflict == ()


# ---- inequalities


def test_an_inequality_holds_a_task_back_and_is_named(arm):
    slow = {"name": "Slow", "type": "JointBounds", "acceleration": 1.0}
    explanation = arm.explain([ELSEWHERE], inequalities=[slow], **quadratic(0.0))
    found = causes(explanation, "Posture", "limit")
    assert set(names(found)) == {"Slow"}
    assert all(cause.text.startswith("the inequality 'Slow' (") for cause in found)


def test_a_joint_that_is_too_fast_to_be_stopped_is_told_with_what_is_lacking(arm):
    bounds = {"name": "Ends", "type": "JointBounds", "acceleration": 60.0}
    near = {"at": {"elbow": 2.45}, "moving": {"elbow": 20.0}}
    explanation = arm.explain([POSTURE], inequalities=[bounds], **near, **quadratic(0.0))
    (cause,) = (cause for cause in explanation.causes if "will not be kept" in cause.text)
    assert (cause.name, cause.unit) == ("Ends", "rad/s²")
    assert cause.value > 0.0
    assert explanation.conflict == ()


def test_inequalities_that_exclude_each_other_are_named(arm):
    planes = [
        {
            "name": name,
            "type": "KeepOutPlane",
            "body": "hand",
            "normal": [0, 0, sign],
            "plane_point": [0, 0, sign * 2.0],
        }
        for name, sign in (("Floor", 1.0), ("Ceiling", -1.0))
    ]
    explanation = arm.explain([POSTURE], inequalities=planes, **quadratic(0.0))
    assert {cause.name for cause in explanation.conflict} == {"Floor", "Ceiling"}
    assert all("m/s² are missing" in cause.text for cause in explanation.conflict)
