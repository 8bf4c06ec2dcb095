"""First pose that the estimator assumes, against forward kinematics of the whole robot."""

import numpy as np
import pinocchio as pin
import pytest
from contact_oracles import biped_in_contact, standing

from controlit_ros.constraints.point_contact import PointContact
from controlit_ros.estimation import EstimatorParts
from controlit_ros.estimation.contact_aided import ContactAided
from controlit_ros.model import RobotModel
from controlit_ros.model.frame_point import FramePoint

LEFT, RIGHT, BOTH = [True, False], [False, True], [True, True]
BORNE = 200.0  # [N] by a contact that touches
STRIDE = 0.3  # [rad] by which the hips differ, so that one foot is higher than the other


class Rig:
    """A biped on point feet at rest, tilted and turned, with a unit mounted anywhere."""

    def __init__(self, seed):
        self.rng = rng = np.random.default_rng(seed)
        description, constraints, _ = biped_in_contact(PointContact)
        self.estimator = ContactAided("estimation", description)
        self.start, self.yaw, self.ground = rng.normal(size=2), rng.uniform(-3.0, 3.0), 0.7
        self.mount = pin.exp3(rng.normal(size=3))
        for name, value in (
            ("start", self.start),
            ("start_yaw", self.yaw),
            ("ground_height", self.ground),
            ("imu_position", rng.normal(size=3)),
            ("imu_orientation", pin.Quaternion(self.mount).coeffs()),
        ):
            self.estimator.parameters[name].set(value)
        self.description = description.with_imu(self.estimator.unit)
        self.estimator.configure(EstimatorParts(self.description, constraints.contacts))
        # shortest rotation from the felt vertical to the one of the world: about a level axis
        tilt = pin.exp3(np.append(rng.uniform(-0.4, 0.4, 2), 0.0))
        self.axes = pin.rpy.rpyToMatrix(0.0, 0.0, self.yaw) @ tilt
        self.state = self.description.create_state()
        self.state.position[:] = standing(self.description).position
        self.state.position[self.description.real_joints.index("left_hip_pitch")] += STRIDE
        self.state.imu[0] = (0.0, 0.0, 0.0, *self.mount.T @ self.axes.T @ (0.0, 0.0, 9.81))

    def estimate(self, touches, elapsed=0.0):
        self.state.contact_wrench.fill(0.0)
        self.state.contact_wrench[touches, 2] = BORNE
        return self.estimator.estimate(self.state, elapsed)

    def pose(self):
        return np.concatenate([self.state.base_position, self.state.base_orientation])

    def contact_heights(self):
        """Return the heights of the contacts at the estimated pose."""
        model, heights = RobotModel(self.description), []
        model.update(self.state)
        for site in self.description.contacts:
            point = FramePoint(self.description.nv)
            point.update(model, site.frame, site.point)
            heights.append(point.position[2])
        return np.array(heights)


@pytest.mark.parametrize("level_ground", [0.0, 0.03])
@pytest.mark.parametrize("touches", [LEFT, RIGHT])
@pytest.mark.parametrize("seed", range(3))
def test_it_stands_on_the_contact_that_touches_as_gravity_tells(seed, touches, level_ground):
    rig = Rig(seed)
    rig.estimator.level_ground.set(level_ground)  # point feet say nothing of the tilt
    assert rig.estimate(touches) == ""
    np.testing.assert_allclose(rig.state.base_position[:2], rig.start, atol=1e-9)
    found = pin.Quaternion(*rig.state.base_orientation[[3, 0, 1, 2]]).matrix()
    np.testing.assert_allclose(found, rig.axes, atol=1e-9)
    assert rig.contact_heights()[touches] == pytest.approx(rig.ground, abs=1e-9)


@pytest.mark.parametrize("touches", [LEFT, RIGHT, BOTH])
@pytest.mark.parametrize("seed", range(3))
def test_a_robot_at_rest_is_where_it_was_after_a_silence_of_its_unit(seed, touches):
    rig = Rig(seed)
    assert rig.estimate(touches) == ""
    before, felt = rig.pose(), rig.state.imu.copy()
    rig.state.imu.fill(np.nan)
    assert "no inertial measurement for" in rig.estimate(touches, elapsed=1.0)
    rig.state.imu[:] = felt
    assert rig.estimate(touches) == ""
    np.testing.assert_allclose(rig.pose(), before, atol=1e-9)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-6, 1e-3, 0.1, 0.3, 1.0, 2.0])
def test_gravity_gives_the_tilt_of_a_robot_on_its_head(angle):
    """Tilted by an angle from upside down [rad]."""
    rig = Rig(0)
    sideways = np.append(rig.rng.normal(size=2), 0.0)
    down = np.array([0.0, 0.0, -1.0])
    felt = np.cos(angle) * down + np.sin(angle) * sideways / np.linalg.norm(sideways)
    rig.state.imu[0, 3:] = rig.mount.T @ felt * 9.81
    assert rig.estimate(LEFT) == ""
    found = rig.state.base_orientation
    assert np.linalg.norm(found) == pytest.approx(1.0, abs=1e-9)
    root = pin.Quaternion(*found[[3, 0, 1, 2]]).matrix()
    np.testing.assert_allclose(root @ felt, -down, atol=1e-4)
