"""The omni base drives its route, in simulated time."""

import json

import numpy as np
import pytest

from controlit_demos.registry import run_demo
from controlit_demos.running.demo_options import DemoOptions
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.nodes.simulated_time import IN_SIMULATED_TIME
from controlit_ros.share import share_directory
from controlit_ros.transport.local import LocalTransport

pytestmark = pytest.mark.simulation

CONFIGURATION = share_directory() / "config" / "trikey" / "drive.yaml"


def test_whole_route(tmp_path):
    assert run_demo("trikey", DemoOptions(simulated_time=True, folder=tmp_path, quiet=True)) == 0
    assert (tmp_path / "report.md").is_file()
    content = json.loads((tmp_path / "report.json").read_text())
    assert content["complete"] is True


def test_wheels_roll_and_do_not_slip(request):
    """The base's own motion is what its wheels' speeds make of it (kinematics of an omni base)."""
    stack = load_stack(CONFIGURATION, IN_SIMULATED_TIME)
    transport = LocalTransport("servo", "/trikey", domain=request.node.nodeid)
    with ServoNode(stack, transport) as node:
        tasks = {task.name: task for task in stack.tasks.tasks}
        stack.clock.advance(300)
        node.mailbox.post({tasks["Position"].goal: [1.0, 0.5, 0.1]})
        simulation = stack.robot_interface.simulation
        for _ in range(5):
            stack.clock.advance(200)
            data = simulation.data
            velocity, turning = data.qvel[:2], data.qvel[5]
            rotation = data.body("base_link").xmat.reshape(3, 3)
            for number in (1, 2, 3):
                axle = data.body(f"wheel_{number}").xmat.reshape(3, 3)[:, 2]
                centre = data.body(f"wheel_{number}").xpos - data.body("base_link").xpos
                travel = np.cross([0.0, 0.0, 1.0], axle)[:2]
                at_wheel = velocity + turning * np.array([-centre[1], centre[0]])
                spin = data.joint(f"wheel_{number}_joint").qvel[0]
                assert at_wheel @ travel == pytest.approx(-0.1 * spin, abs=0.02)
            assert rotation[2, 2] > 0.999
