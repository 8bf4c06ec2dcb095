"""Where contacts are by encoders alone, beside the robot's whole model."""

from types import SimpleNamespace

import numpy as np
import pinocchio as pin
from hypothesis import given
from robots_for_tests import SEEDS, random_robots, random_state

from controlit_ros.estimation.leg_kinematics import LegKinematics
from controlit_ros.model import RobotModel
from controlit_ros.model.contact_site import ContactSite
from controlit_ros.model.frame_point import FramePoint


def a_site(rng, frame):
    """Return a contact of a point, or of a ball on ground that slopes."""
    normal = rng.normal(size=3)
    return ContactSite(
        f"c{frame}",
        frame,
        rng.normal(size=3),
        holds_rotation=True,
        radius=float(rng.choice([0.0, 0.1])),
        normal=normal / np.linalg.norm(normal),
    )


@given(random_robots(), SEEDS)
def test_places_and_rates_are_those_of_the_model(robot, seed):
    description = robot.description()
    rng = np.random.default_rng(seed)
    state = random_state(description, rng)
    frames = [description.frame_id(link) for link in robot.links]
    sites = [a_site(rng, frame) for frame in frames]
    found = LegKinematics(description, [SimpleNamespace(site=site) for site in sites])
    root = pin.exp3(rng.normal(size=3))
    for _ in range(2):  # what it wrote before does not matter
        found.update(state, root)
    state.base_position[:] = 0.0
    state.base_orientation[:] = (0.0, 0.0, 0.0, 1.0)
    state.base_velocity[:] = 0.0
    model = RobotModel(description)
    model.update(state)
    for i, site in enumerate(sites):
        point = FramePoint(description.nv)
        point.update(model, site.frame, site.point)
        point.update(model, site.frame, site.touching_point(root @ point.rotation))
        np.testing.assert_allclose(found.places[i], point.position, atol=1e-9)
        np.testing.assert_allclose(found.axes[i], point.rotation, atol=1e-9)
        rate = point.angular_jacobian @ model.v
        np.testing.assert_allclose(found.rates[i], rate, atol=1e-9 * (1 + np.abs(rate).max()))
