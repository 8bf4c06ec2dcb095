"""`controlit describe`: the compiled stack, without running it."""

import json
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

URDF = Path(__file__).parent.parent.parent / "urdf" / "dreamer.urdf"


@pytest.fixture
def description(controlit, controllers):
    code, out, _ = controlit("describe", controllers / "hand.yaml", "--json")
    assert code == 0
    return json.loads(out, parse_constant=pytest.fail)


def test_robot(description):
    robot = description["robot"]
    assert len(robot["real_joints"]) == 16
    assert robot["degrees_of_freedom"] == 22
    assert set(robot["real_joints"]) - set(robot["command_joints"]) == {"torso_upper_pitch"}


def test_what_gravity_takes_of_the_limits_at_the_start(description):
    model = pin.buildModelFromUrdf(str(URDF))
    q = np.array([
        0.1745 * (joint in ("left_elbow", "right_shoulder_abductor", "right_elbow"))
        for joint in model.names[1:]
    ])  # fmt: skip
    gravity = pin.computeGeneralizedGravity(model, model.createData(), q)
    expected = dict(zip(model.names[1:], gravity, strict=True))
    # the master of the torso carries its slave
    expected["torso_lower_pitch"] += expected.pop("torso_upper_pitch")
    robot = description["robot"]
    found = dict(zip(robot["command_joints"], robot["holding_effort"], strict=True))
    assert found == pytest.approx(expected, abs=1e-9)
    limits = dict(zip(model.names[1:], model.effortLimit, strict=True))
    assert robot["effort_limit"] == [limits[joint] for joint in robot["command_joints"]]


def test_levels_constraints_events_and_clock(description):
    assert description["levels"] == [
        {"priority": 1, "tasks": ["RightHandPosition"], "rows": 3},
        {"priority": 0, "tasks": ["Posture"], "rows": 16},
    ]
    rows = {name: part["rows"] for name, part in description["constraints"].items()}
    assert rows == {"Base": 6, "Torso": 1}
    assert description["events"]["Fast"]["expression"] == "RightHandPosition.max_velocity > 0.9"
    assert description["servo_clock"]["frequency"] == 250
    assert description["robot_interface"]["type"] == "MuJoCo"


def test_bindings(description):
    bindings = {(b["parameter"], b["direction"]): b for b in description["bindings"]}
    goal = bindings["RightHandPosition.goal_position", "input"]
    assert goal["topic"] == "/cli_test/RightHandPosition/goal_position"
    assert goal["type"] == "geometry_msgs/msg/Point"
    followed = bindings["RightHandPosition.goal_position", "output"]
    assert followed["topic"] == "/cli_test/RightHandPosition/reference_position"


def test_override(controlit, controllers):
    arguments = ("--set", "servo_frequency=500", "--set", "name=other", "--json")
    _, out, _ = controlit("describe", controllers / "hand.yaml", *arguments)
    content = json.loads(out)
    assert (content["name"], content["servo_clock"]["frequency"]) == ("other", 500)
    code, _, err = controlit("describe", controllers / "hand.yaml", "--set", "servo_frequenzy=1")
    assert code == 1
    assert "did you mean 'servo_frequency'" in err


def test_table(controlit, controllers):
    code, out, err = controlit("describe", controllers / "still.yaml")
    assert code == 0
    assert "'Idle' is declared but not listed" in err
    for text in (
        "16 joints",
        "Benchmark",
        "JointPosition",
        "FlatContact",
        "/cli_still/Posture",
        "to hold still",
    ):
        assert text in out
