"""Nothing is compiled once a servo runs: it would stand still, on each machine once."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.processes

DURATION = 0.3  # [s] simulated

# the kernels that Python can call, in a process that has called none before
SCRIPT = """
import gc, json, sys
from controlit_ros.kernels.late_code import LateDispatcher
from controlit_ros.nodes.simulated_controller import SimulatedController
from controlit_ros.share import share_directory

def called():
    kernels = [found for found in gc.get_objects() if isinstance(found, LateDispatcher)]
    return {f"{kernel.__name__}{types}" for kernel in kernels for types, found
            in kernel.overloads.items() if callable(found.entry_point)}

controller = SimulatedController(share_directory() / "config" / sys.argv[1])
controller.node.start()
before = called()
controller.advance(float(sys.argv[2]))
found = {"before": len(before), "new": sorted(called() - before), "state": controller.state.value}
controller.node.stop()
json.dump(found, sys.stdout)
"""


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
    output = subprocess.run(
        [sys.executable, "-c", SCRIPT, file, str(DURATION)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    found = json.loads(output)
    assert found["state"] == "active", found
    assert found["before"] > 10
    assert found["new"] == []
