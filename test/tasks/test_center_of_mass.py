"""Centre of mass: momentum and weight."""

import numpy as np
import pinocchio as pin
from hypothesis import given
from robots_for_tests import SEEDS, configured, random_robots, random_state, updated

from controlit_ros.tasks.center_of_mass import CenterOfMass


@given(random_robots(), SEEDS)
def test_mass_times_velocity_is_the_momentum(robot, seed):
    description = robot.description()
    state = random_state(description, np.random.default_rng(seed))
    model = updated(description, state)
    task = configured(CenterOfMass("com", description))
    task.update(model, task.inactive)
    data = description.pinocchio.createData()
    momentum = pin.computeCentroidalMomentum(description.pinocchio, data, model.q, model.v).linear
    mass = pin.computeTotalMass(description.pinocchio)
    np.testing.assert_allclose(mass * task.inactive.velocity, momentum, atol=1e-10)
    # gravity does work on the centre of mass only
    weight = mass * np.asarray(description.options.world_gravity)
    np.testing.assert_allclose(model.G, -task.inactive.jacobian.T @ weight, atol=1e-9)
