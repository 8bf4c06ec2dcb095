"""The robot that the page shows from its description alone stands on its feet."""

import re

import numpy as np
from robots_for_tests import REPOSITORY, needs_example_robots

from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.nodes.simulated_time import IN_SIMULATED_TIME
from controlit_ros.servo import CoordinatorState
from controlit_ros.transport.local import LocalTransport

CYCLES = 500


@needs_example_robots
def test_a_quadruped_of_fifteen_lines_stands(tmp_path, request):
    page = (REPOSITORY / "docs" / "robots_gallery.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    path = tmp_path / "solo.yaml"
    path.write_text(text)
    stack = load_stack(path, IN_SIMULATED_TIME)
    assert stack.warnings == ()
    transport = LocalTransport("servo", "/robot", domain=request.node.nodeid)
    with ServoNode(stack, transport) as node:
        stack.clock.advance(CYCLES)
        state = stack.robot_interface.simulation.latest()
        assert node.state is CoordinatorState.ACTIVE
        assert np.abs(state.base_position - stack.start.base_position).max() < 0.005
        assert np.abs(state.position - stack.start.position).max() < 0.02
