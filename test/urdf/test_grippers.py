"""Dreamer with grippers is Dreamer with grippers."""

import importlib.util

import numpy as np
import pinocchio as pin
import pytest
from robots_for_tests import REPOSITORY

URDF = REPOSITORY / "urdf"


@pytest.fixture(scope="module")
def maker():
    spec = importlib.util.spec_from_file_location("add_grippers", URDF / "add_grippers.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_file_is_what_the_script_makes(maker):
    made = maker.with_grippers((URDF / "dreamer.urdf").read_text())
    assert made == (URDF / "dreamer_grippers.urdf").read_text()


def test_only_the_fingers_are_new():
    plain, with_grippers = (
        pin.buildModelFromUrdf(str(URDF / name))
        for name in ("dreamer.urdf", "dreamer_grippers.urdf")
    )
    new = set(with_grippers.names) - set(plain.names)
    assert new == {f"{s}_{j}" for s in ("left", "right") for j in ("gripper", "gripper_follower")}
    for name in plain.names[1:]:
        one = plain.jointPlacements[plain.getJointId(name)]
        other = with_grippers.jointPlacements[with_grippers.getJointId(name)]
        assert one.isApprox(other)
        inertias = (model.inertias[model.getJointId(name)] for model in (plain, with_grippers))
        assert next(inertias).isApprox(next(inertias))


def test_pads_meet_in_the_middle():
    model = pin.buildModelFromUrdf(str(URDF / "dreamer_grippers.urdf"))
    data = model.createData()
    hand = model.getFrameId("right_wrist_yaw")
    for opening in (0.0, 0.03):
        q = np.zeros(model.nq)
        for joint in ("right_gripper", "right_gripper_follower"):
            q[model.joints[model.getJointId(joint)].idx_q] = opening
        pin.framesForwardKinematics(model, data, q)
        pads = [
            data.oMf[hand].actInv(data.oMf[model.getFrameId(f"{joint}_link")]).translation
            for joint in ("right_gripper", "right_gripper_follower")
        ]
        np.testing.assert_allclose(pads[0] - pads[1], [2.0 * opening, 0.0, 0.0], atol=1e-12)
        np.testing.assert_allclose((pads[0] + pads[1]) / 2.0, [0.0, 0.0, -0.112], atol=1e-12)
