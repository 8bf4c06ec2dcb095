"""What gravity takes: a robot with this effort and no other does not begin to move."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots

from controlit_ros.constraints import holding_effort
from controlit_ros.model import RobotModel
from controlit_ros.nodes.building import load_stack

FILES = ["dreamer/hands.yaml", "panda/reach.yaml", "icub/stand.yaml", "talos/stand.yaml"]


@needs_example_robots
@pytest.mark.parametrize("file", FILES)
def test_forward_dynamics_with_it_are_at_rest(file):
    """Accelerations and contact forces by one linear system, A v̇ + G = Uᵀ τ + Jcᵀ f, Jc v̇ = 0."""
    stack = load_stack(REPOSITORY / "config" / file)
    stack.start.velocity.fill(3.0)  # does not count
    robot, constraints = stack.robot, stack.constraints
    effort = holding_effort(robot, constraints, stack.start)
    stack.start.velocity.fill(0.0)
    model = RobotModel(robot)
    model.update(stack.start)
    Jc, bias = np.zeros((constraints.max_rows, robot.nv)), np.zeros(constraints.max_rows)
    n = constraints.update(model, Jc, bias)
    nv = robot.nv
    system = np.zeros((nv + n, nv + n))
    system[:nv, :nv] = model.A
    system[:nv, nv:] = -Jc[:n].T
    system[nv:, :nv] = Jc[:n]
    right = np.zeros(nv + n)
    right[:nv] = -model.G
    right[robot.command_dofs] += effort
    acceleration = np.linalg.lstsq(system, right, rcond=None)[0][:nv]
    assert np.abs(acceleration).max() < 1e-6
    assert np.abs(effort).max() > 1.0
