"""Joint encoders that lie are named, not believed, and control does not come back by itself."""

import numpy as np
import pytest
import sensor_faults as lies
from sensor_faults import LyingRobot

from controlit_ros.servo import CoordinatorState

pytestmark = pytest.mark.simulation

ACTIVE = CoordinatorState.ACTIVE
DREAMER, PANDA = "dreamer/hands.yaml", "panda/reach.yaml"
HAND = {DREAMER: "RightHandPosition", PANDA: "HandPosition"}
NAMED_WITHIN = 60  # [cycles] of the lie: 50 ms, and the lie has to show first
FASTEST = 1.5  # [-] of the velocity limit of a joint whose encoder is honest


@pytest.mark.parametrize(
    ("file", "offset", "lie", "joints", "text"),
    [
        (DREAMER, (0.08, 0.0, 0.0), lies.frozen, ["right_elbow"], "is frozen"),
        (DREAMER, (0.08, 0.0, 0.0), lies.mirrored, ["right_elbow"], "has the wrong sign"),
        (PANDA, (0.0, 0.15, 0.05), lies.swapped, ["panda_joint2", "panda_joint4"], "are swapped"),
        (PANDA, (0.0, 0.15, 0.05), lies.wrong_sign, ["panda_joint4"], "has the wrong sign"),
        (PANDA, (0.0, 0.15, 0.05), lies.mirrored, ["panda_joint5"], "has the wrong sign"),
        (PANDA, (0.0, 0.15, 0.05), lies.drift, ["panda_joint4"], "drifts"),
        (PANDA, (0.0, 0.15, 0.05), lies.bias_step, ["panda_joint2"], "bias step"),
        (PANDA, (0.1, 0.0, 0.0), lies.stuck_velocity, ["panda_joint4"], "is stuck"),
    ],
)
def test_a_lying_encoder_is_named_and_the_robot_stays_safe(file, offset, lie, joints, text):
    robot = LyingRobot(file)
    robot.move(HAND[file], offset)
    robot.fastest[:] = 0.0
    numbers = [robot.names.index(joint) for joint in joints]
    robot.fault = lie(*numbers)
    first = robot.advance(NAMED_WITHIN)
    assert first is not None
    (found,) = [error for error in robot.errors() if text in error]
    assert all(joint in found for joint in joints)
    assert robot.advance(1) is not None
    for _ in range(8):  # however well the measurements agree with themselves
        robot.advance(100)
        assert robot.state is CoordinatorState.SAFE
    honest = np.delete(robot.fastest, numbers)
    assert honest.max() < FASTEST


def test_pushes_payload_friction_and_wrong_masses_are_no_faults():
    robot = LyingRobot(PANDA)
    model, rng = robot.simulation.model, np.random.default_rng(0)
    scale = rng.uniform(0.8, 1.2, model.nbody)
    scale[-1] += 0.5
    model.body_mass[:] *= scale
    model.body_inertia[:] *= scale[:, None]
    model.dof_frictionloss[:] = 0.02 * 87.0 * rng.uniform(0.0, 1.0, model.nv)
    for number in range(6):
        robot.move("HandPosition", rng.uniform(-0.1, 0.1, 3))
        force = 60.0 * rng.uniform(-1.0, 1.0, 3)
        robot.simulation.push(f"panda_link{rng.integers(3, 8)}", force, 0.05 * (1 + number))
        robot.advance(400)
    assert not [error for error in robot.errors() if "encoder" in error or "velocity" in error]


def test_an_operator_trusts_a_repaired_encoder_again():
    robot = LyingRobot(PANDA)
    robot.fault = lies.bias_step(1)
    assert robot.advance(NAMED_WITHIN) is not None
    robot.fault = None
    robot.advance(500)
    assert robot.state is CoordinatorState.SAFE
    robot.coordinator.request_deactivation()
    robot.advance(2)
    robot.coordinator.request_activation()
    robot.advance(5)
    assert robot.state is ACTIVE
    robot.errors()
    robot.advance(500)
    assert robot.state is ACTIVE
    assert robot.errors() == []


def test_a_diagnosis_only_warns_on_request():
    robot = LyingRobot(PANDA, {"on_sensor_fault": "warn"})
    robot.fault = lies.drift(3, 0.2)
    robot.advance(400)
    robot.run.outbox.deliver_all()
    assert any("panda_joint4 drifts" in notice.text for notice in robot.run.notices)
    assert robot.state is ACTIVE
