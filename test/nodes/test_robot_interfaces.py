"""One controller file over every robot interface: the same motion."""

import numpy as np
import pytest
from robots_for_tests import REPOSITORY

HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"
GOAL_CYCLE = 200
CYCLES = 900
STEP = np.array([0.05, 0.0, 0.10])  # [m]
BOUND = 1e-3  # [m]


def motion(rig):
    """Hold still, then step the goal of the right hand; return where both hands were."""
    hands = [rig.task("RightHandPosition"), rig.task("LeftHandPosition")]
    path = np.empty((CYCLES, 2, 3))
    for cycle in range(CYCLES):
        if cycle == GOAL_CYCLE:
            goal = hands[0].goal
            rig.node.mailbox.post({goal: goal.value + STEP})
        rig.stack.clock.advance(1)
        path[cycle] = [hand.active.actual for hand in hands]
    return path


@pytest.fixture(scope="module")
def reference():
    return {}


@pytest.fixture
def in_process(in_step, reference):
    """The motion of the simulation in the servo's process, computed once."""
    if "path" not in reference:
        reference["path"] = motion(in_step(HANDS, "MuJoCo"))
    return reference["path"]


def test_the_hand_moves(in_process):
    travelled = in_process[-1, 0] - in_process[GOAL_CYCLE, 0]
    assert travelled[2] > 0.01
    assert np.linalg.norm(in_process[-1, 1] - in_process[GOAL_CYCLE, 1]) < 0.02


@pytest.mark.processes
def test_signed_datagrams_give_the_same_motion(in_step, in_process, tmp_path):
    """In lock step, where each side waits for the other."""
    key = tmp_path / "key"
    key.write_text("0123456789abcdef" * 4)
    key.chmod(0o600)
    rig = in_step(HANDS, "UDP", **{"robot_interface.key_file": str(key)})
    path = motion(rig)
    assert np.abs(path - in_process).max() < BOUND
    interface = rig.stack.robot_interface
    assert interface.parameter("received").value >= CYCLES
    assert interface.refused == 0


@pytest.mark.processes
@pytest.mark.parametrize(
    "settings",
    [
        {"interface_type": "SharedMemory"},
        {"interface_type": "UDP"},
        {"interface_type": "Topic"},
        {
            "interface_type": "Topic",
            "robot_interface.state_type": "controlit/msg/RobotState",
            "robot_interface.command_type": "controlit/msg/RobotCommand",
        },
    ],
    ids=["SharedMemory", "UDP", "Topic", "Topic with own messages"],
)
def test_every_interface_gives_the_same_motion(in_step, in_process, settings):
    rig = in_step(HANDS, **settings)
    path = motion(rig)
    assert np.abs(path - in_process).max() < BOUND
    interface = rig.stack.robot_interface
    assert interface.parameter("received").value >= CYCLES
    assert interface.refused == 0
