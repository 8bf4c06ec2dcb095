"""Nothing is compiled once a servo runs: it would stand still, on each machine once."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

DURATION = 0.3  # [s] simulated

# the kernels that Python can call, in a process that has called none before
CALLED = """
import gc, json, sys
from controlit_ros.kernels.late_code import LateDispatcher

def called():
    kernels = [found for found in gc.get_objects() if isinstance(found, LateDispatcher)]
    return {f"{kernel.__name__}{types}" for kernel in kernels for types, found
            in kernel.overloads.items() if callable(found.entry_point)}
"""

CONTROLLER = """
from controlit_ros.nodes.simulated_controller import SimulatedController
from controlit_ros.share import share_directory

controller = SimulatedController(share_directory() / "config" / sys.argv[1])
controller.node.start()
before = called()
controller.advance(float(sys.argv[2]))
found = {"before": len(before), "new": sorted(called() - before), "state": controller.state.value}
controller.node.stop()
json.dump(found, sys.stdout)
"""

GUARD = """
from types import SimpleNamespace
import numpy as np
sys.path[:0] = sys.argv[1:]
from rig import describe, unlimited
from controlit_ros.controllers.command import Command
from controlit_ros.model import RobotState
from controlit_ros.servo import CommandGuard, LocalQueue, NoticeBoard
from controlit_ros.servo.routine import Routine

robot, every = describe(2), np.ones(2, dtype=bool)
settings = unlimited(2)._replace(
    enforce_effort=every, enforce_position=every, enforce_velocity=every,
    max_effort=np.ones(2), max_effort_rate=np.full(2, 1e4))
guard = CommandGuard(robot, settings, NoticeBoard(LocalQueue(lambda _: None)))
command = Command(robot.command_joints, with_motion=True, with_gains=True)
state = RobotState(robot.real_joints)
model = SimpleNamespace(bias_effort=np.zeros(2), Phi=np.eye(2))
inside = guard.keeping_inside(command, state, model, np.zeros(1), lambda: np.zeros(2))
routine = Routine(guard.enforcing(command) + inside)
before = called()
for cycle in range(1, 4):
    command.effort[:], command.velocity[:] = 100.0, 100.0
    command.stiffness[:], command.damping[:] = 1e4, 1e4
    guard.is_finite(command)
    state.stamp = 1e-3 * cycle
    routine.run(1e-3 * cycle)
json.dump({"before": len(before), "new": sorted(called() - before), "told": guard.violations},
          sys.stdout)
"""


def found_by(script, *arguments):
    words = [sys.executable, "-c", CALLED + script, *arguments]
    return json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout)


@pytest.mark.parametrize(
    "file",
    [
        "dreamer/hands.yaml",
        "dreamer/hands_with_friction.yaml",
        "baxter/arms.yaml",
        "bolt/walk.yaml",
        "talos/stand_qp.yaml",
        "talos/stand_strict.yaml",
    ],
)
def test_every_kernel_of_a_cycle_is_ready_before_the_first(file):
    found = found_by(CONTROLLER, file, str(DURATION))
    assert found["state"] == "active", found
    assert found["before"] > 10
    assert found["new"] == []


def test_every_kernel_of_a_guard_is_ready_whatever_the_command_holds():
    found = found_by(GUARD, str(Path(__file__).parents[1] / "servo"))
    assert found["told"] > 0
    assert found["new"] == []
