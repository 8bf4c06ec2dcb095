"""What the world does to the robot: the kernel against the equations solved as one system."""

import numpy as np
import pytest
from contact_oracles import biped_in_contact, solve, standing
from robots_for_tests import keep_constraints, random_state

from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.constraints.point_contact import PointContact


@pytest.mark.parametrize("kind", [FlatContact, PointContact])
@pytest.mark.parametrize("off", ["", "left_sole", "right_sole"])
def test_the_wrenches_are_the_reactions_of_the_constrained_dynamics(rng, kind, off):
    description, constraints, model = biped_in_contact(kind)
    for contact in constraints.constraints:
        contact.operational_state.set("disable" if contact.name == off else "enable")
    for _ in range(5):
        state = random_state(description, rng)
        model.update(state)
        keep_constraints(state, model.Jc)
        model.update(state)
        effort = rng.normal(size=len(description.command_joints)) * 30.0
        wrench = np.zeros((2, 6))
        model.write_contact_wrenches(effort, wrench)
        _, reactions = solve(model, effort)
        row = 0
        for i, contact in enumerate(constraints.constraints):
            if contact.name == off:
                assert np.isnan(wrench[i]).all()
                continue
            n = contact.dimension
            np.testing.assert_allclose(
                wrench[i, :n], reactions[row : row + n], rtol=1e-6, atol=1e-6
            )
            assert not wrench[i, n:].any()
            row += n


def test_a_robot_at_rest_is_carried_by_its_feet():
    description, _, model = biped_in_contact()
    state = standing(description)
    model.update(state)
    wrench = np.zeros((2, 6))
    model.write_contact_wrenches(model.bias_effort, wrench)
    mass = sum(inertia.mass for inertia in description.pinocchio.inertias)
    acceleration, _ = solve(model, model.bias_effort)
    np.testing.assert_allclose(acceleration, 0.0, atol=1e-8)
    np.testing.assert_allclose(wrench[:, :3].sum(axis=0), [0, 0, 9.81 * mass], atol=1e-6)
