"""Shipped robots at rest: nothing to warn of, also where commands act late."""

import numpy as np
import pinocchio as pin
import pytest
from robots_for_tests import REPOSITORY, needs_example_robots

from controlit_ros.constraints.flat_contact import FlatContact
from controlit_ros.nodes.building import load_stack
from controlit_ros.scripting import SimulatedController
from controlit_ros.servo import CoordinatorState

CONFIG = REPOSITORY / "config"
FILES = sorted(CONFIG.glob("*/*.yaml"))
STANDING = [path for path in FILES if path.parent.name in ("g1", "icub", "talos")]
REST = 10.0  # [s]
LEVEL = 1e-4  # [rad]
DELAY = 0.002  # [s] a machine that is busy beside the servo

pytestmark = [pytest.mark.simulation, needs_example_robots]


def name(path):
    return str(path.relative_to(CONFIG))


def warnings(path, duration, overrides=None):
    """Return what a controller warns of from its start on, while it gets no commands."""
    found = []
    controller = SimulatedController(path, overrides)
    controller.transport.subscribe(
        "diagnostics/warnings", "std_msgs/msg/String", lambda message: found.append(message.data)
    )
    with controller:
        controller.advance(duration)
        assert controller.state is CoordinatorState.ACTIVE
    return found


@pytest.mark.parametrize("path", FILES, ids=name)
def test_nothing_is_warned_of_at_rest(path):
    assert warnings(path, REST) == []


@pytest.mark.parametrize("path", STANDING, ids=name)
def test_nor_where_commands_act_late(path):
    assert warnings(path, 5.0, {"simulator.communication_delay": DELAY}) == []


@pytest.mark.parametrize("path", STANDING, ids=name)
def test_soles_are_level_at_the_start(path):
    """Feet on their edges tip over within some milliseconds, and shake what is above them."""
    stack = load_stack(path)
    model = stack.robot.pinocchio
    q, data = pin.neutral(model), model.createData()
    for joint, position in stack.configuration.simulator["initial_position"].items():
        q[model.joints[model.getJointId(joint)].idx_q] = position
    pin.framesForwardKinematics(model, data, q)
    for contact in stack.constraints.contacts:
        assert isinstance(contact, FlatContact)
        up = data.oMf[stack.robot.frame_id(contact.body.value)].rotation[2]
        assert np.hypot(*up[:2]) < LEVEL
