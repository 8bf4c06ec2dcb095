"""`controlit compute` against Pinocchio used directly."""

import json
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

ROOT = Path(__file__).parent.parent.parent
URDF = ROOT / "urdf" / "dreamer.urdf"
STATE = {
    "positions": {"right_elbow": 0.6, "left_shoulder_extensor": -0.4, "torso_lower_pitch": 0.1,
                  "torso_upper_pitch": 0.1, "right_wrist_yaw": 0.2},
    "velocities": {"right_elbow": 0.3},
}  # fmt: skip

START = {"left_elbow": 0.1745, "right_shoulder_abductor": 0.1745, "right_elbow": 0.1745}


@pytest.fixture
def compute(controlit, controllers, tmp_path):
    def run(state=None, file="hand.yaml", options=()):
        arguments = list(options)
        if state is not None:
            path = tmp_path / "state.yaml"
            path.write_text(state if isinstance(state, str) else json.dumps(state))
            arguments += ["--state", path]
        return controlit("compute", controllers / file, *arguments, "--json")

    return run


@pytest.fixture(scope="module")
def oracle():
    """Dreamer bolted to the world."""
    model = pin.buildModelFromUrdf(str(URDF))
    return model, model.createData()


def configuration(model, state):
    q = pin.neutral(model)
    for joint, angle in (START | state.get("positions", {})).items():
        q[model.joints[model.getJointId(joint)].idx_q] = angle
    return q


def parsed(result):
    code, out, err = result
    assert code == 0, err
    return json.loads(out, parse_constant=pytest.fail)


def test_schema(compute):
    content = parsed(compute(STATE))
    assert list(content) == [
        "joints", "effort", "position", "velocity", "tasks", "gravity", "frames", "com",
        "effort_limit", "holding_effort", "state", "computed_effort",
    ]  # fmt: skip
    assert len(content["effort"]) == len(content["joints"]) == 15
    assert content["position"] is None
    assert content["velocity"] is None
    assert set(content["tasks"]) == {"RightHandPosition", "Posture"}
    for task in content["tasks"].values():
        assert list(task) == ["error", "command", "priority", "state"]
        assert task["state"] == "enable"
    assert len(content["tasks"]["RightHandPosition"]["error"]) == 3
    assert len(content["com"]) == 3


@pytest.mark.parametrize("state", [None, STATE], ids=["start", "bent"])
def test_gravity_frames_and_centre_of_mass(compute, oracle, state):
    content = parsed(compute(state))
    model, data = oracle
    q = configuration(model, state or {})
    gravity = pin.computeGeneralizedGravity(model, data, q)
    for joint, value in content["gravity"].items():
        assert value == pytest.approx(
            gravity[model.joints[model.getJointId(joint)].idx_v], abs=1e-9
        )
    pin.framesForwardKinematics(model, data, q)
    checked = 0
    for frame, placement in zip(model.frames, data.oMf, strict=True):
        if frame.name == "universe" or frame.name not in content["frames"]:
            continue
        found = content["frames"][frame.name]
        np.testing.assert_allclose(found["position"], placement.translation, atol=1e-9)
        rotation = pin.Quaternion(np.array(found["orientation"])).toRotationMatrix()
        np.testing.assert_allclose(rotation, placement.rotation, atol=1e-9)
        checked += 1
    assert checked >= 33
    assert set(content["gravity"]) <= set(content["frames"])
    # bolted to the world, the root link counts as part of it
    root = next(frame for frame in model.frames if frame.name == "base_link").inertia
    moving = pin.computeTotalMass(model)
    com = pin.centerOfMass(model, data, q) * moving + root.lever * root.mass
    np.testing.assert_allclose(content["com"], com / (moving + root.mass), atol=1e-6)


def test_without_error_and_motion_only_gravity_is_compensated(controlit, controllers, oracle):
    """At rest at its goal the posture asks for nothing, so the effort carries the robot."""
    code, out, _ = controlit("compute", controllers / "still.yaml", "--json")
    assert code == 0
    content = json.loads(out)
    model, data = oracle
    gravity = pin.computeGeneralizedGravity(model, data, pin.neutral(model))
    by_name = {name: gravity[model.joints[i].idx_v] for i, name in enumerate(model.names) if i}
    # the master of the torso carries its slave
    by_name["torso_lower_pitch"] += by_name.pop("torso_upper_pitch")
    for joint, effort in zip(content["joints"], content["effort"], strict=True):
        assert effort == pytest.approx(by_name[joint], abs=1e-6)
    assert content["tasks"]["Idle"]["state"] == "disable"


def test_base(compute):
    still = parsed(compute())
    moved = parsed(compute({"base": {"position": [1, 2, 3]}}))
    for name, frame in moved["frames"].items():
        expected = np.add(still["frames"][name]["position"], [1, 2, 3])
        np.testing.assert_allclose(frame["position"], expected, atol=1e-9)


def test_table(controlit, controllers):
    code, out, _ = controlit("compute", controllers / "hand.yaml")
    assert code == 0
    for text in ("right_elbow", "RightHandPosition", "limit [N m]", "centre of mass"):
        assert text in out
    assert "base_link" not in out
    code, out, _ = controlit("compute", controllers / "hand.yaml", "--frames")
    assert code == 0
    assert "base_link" in out


def test_the_state_is_told_and_reads_back(compute):
    content = parsed(compute(STATE))
    expected = START | STATE["positions"]
    found = content["state"]["positions"]
    assert {joint: found[joint] for joint in expected} == expected
    assert all(value == 0.0 for joint, value in found.items() if joint not in expected)
    again = parsed(compute(content["state"]))
    assert again == content


def test_goals_that_nobody_stated_are_where_the_robot_is_when_control_begins(compute):
    zero, start = parsed(compute(STATE)), parsed(compute(STATE, options=["--start"]))
    place = zero["frames"]["right_wrist_yaw"]["position"]
    assert zero["tasks"]["RightHandPosition"]["error"] == pytest.approx([-x for x in place])
    assert start["tasks"]["RightHandPosition"]["error"] == [0.0, 0.0, 0.0]
    assert start["tasks"]["Posture"]["error"] == zero["tasks"]["Posture"]["error"]
    assert any(start["tasks"]["Posture"]["error"])


def test_with_every_goal_latched_the_effort_is_what_it_takes_to_stay(compute, oracle):
    still = {"positions": STATE["positions"]}
    content = parsed(compute(still, options=["--latch"]))
    assert not any(content["tasks"]["Posture"]["error"])
    model, data = oracle
    gravity = pin.computeGeneralizedGravity(model, data, configuration(model, still))
    by_name = {name: gravity[model.joints[i].idx_v] for i, name in enumerate(model.names) if i}
    by_name["torso_lower_pitch"] += by_name.pop("torso_upper_pitch")
    for joint, effort, holding in zip(
        content["joints"], content["effort"], content["holding_effort"], strict=True
    ):
        assert effort == pytest.approx(by_name[joint], abs=1e-6)
        assert holding == pytest.approx(by_name[joint], abs=1e-6)


def test_limits_are_those_of_the_description(compute, oracle):
    content = parsed(compute())
    model, _ = oracle
    for joint, limit in zip(content["joints"], content["effort_limit"], strict=True):
        assert limit == model.effortLimit[model.joints[model.getJointId(joint)].idx_v]


@pytest.mark.parametrize("state", ["", "{}", "positions: {}", "base: {}"])
def test_everything_is_optional(compute, state):
    assert parsed(compute(state)) == parsed(compute())


@pytest.mark.parametrize(
    ("state", "text"),
    [
        ("positions: {right_elbo: 1}", "did you mean 'right_elbow'"),
        ("velocity: {}", "did you mean 'velocities'"),
        ("base: {positions: [0, 0, 0]}", "did you mean 'position'"),
        ("positions: [1, 2]", "expected a map"),
        ("positions: {right_elbow: .nan}", "not finite"),
        ("positions: {right_elbow: much}", "found 'much'"),
        ("positions: {right_elbow: true}", "found true"),
        ("base: {position: [1, 2]}", "expected 3 finite numbers"),
        ("base: {orientation: [0, 0, 0, 0]}", "length zero"),
        ("base: {orientation: [0, 0, 1]}", "expected 4 finite numbers"),
        ("[1, 2]", "expected a map"),
        ("just a text", "expected a map"),
        ("positions: {", "YAML syntax"),
        ("[" * 500, "nested deeper"),
        ("positions: {right_elbow: 1, right_elbow: 2}", "twice"),
    ],
)
def test_bad_states(compute, tmp_path, state, text):
    code, out, err = compute(state)
    assert (code, out) == (1, "")
    assert err.startswith(f"{tmp_path / 'state.yaml'}:")
    assert text in err
    assert "Traceback" not in err


def test_bad_state_paths(controlit, controllers, tmp_path):
    binary = tmp_path / "binary"
    binary.write_bytes(b"\x00\xff\xfe")
    for path, text in ((tmp_path, "a folder"), (tmp_path / "no", "no such"), (binary, "no UTF-8")):
        code, out, err = controlit("compute", controllers / "hand.yaml", "--state", path)
        assert (code, out) == (1, "")
        assert text in err


@pytest.mark.processes
@pytest.mark.commands
def test_in_a_process_the_output_is_json_and_nothing_else(shell, controllers):
    content = shell.json("compute", controllers / "hand.yaml")
    assert len(content["effort"]) == 15
