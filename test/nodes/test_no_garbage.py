"""Dreamer's whole cycle, with everything offered, neither grows nor leaves garbage."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.processes

CYCLES = {"single": 10_000, "multi": 100_000}
WARM_UP = 3_000
BLOCKS = 500  # [-] some hundred whatever the number of cycles; one a cycle would be many more
MEMORY = 0.5  # [MB] one block of 64 bytes a cycle would be 0.6 or more

SCRIPT = """
import gc, json, sys
from pathlib import Path
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.share import share_directory
from controlit_ros.transport.local import LocalTransport

cycles, warm_up, single = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "single"
stack = load_stack(
    share_directory() / "config" / "dreamer" / "benchmark.yaml",
    {
        "servo_clock_type": "Simulated",
        "default_bindings": True,
        "single_threaded_model": single,
        "single_threaded_tasks": single,
    },
)
node = ServoNode(stack, LocalTransport("servo", "/garbage"))
node.start()
node.outbox.stop()
samplers = node.outbox._samplers
for sampler in samplers:
    sampler.wanted = None
    sampler.is_wanted = True
    sampler.delivery.give = lambda read: None
if not single:
    for updater in node.coordinator.updaters:
        updater.stop()

def play(count):
    for number in range(count):
        stack.clock.advance(1)
        if not single:
            for updater in node.coordinator.updaters:
                if updater._wake.acquire(blocking=False):
                    for _ in updater.steps():
                        pass
        if number % 20 == 0:
            node.outbox.deliver_all()

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

node.coordinator.latency._rows.fill(0.0)  # a ring of 10 MB, touched row by row otherwise
play(warm_up)
gc.collect()
gc.disable()
gc.freeze()
blocks, memory = sys.getallocatedblocks(), resident()
play(cycles)
print(json.dumps({
    "blocks": sys.getallocatedblocks() - blocks,
    "memory": resident() - memory,
    "garbage": gc.collect(),
    "samplers": len(samplers),
    "state": node.state.value,
    "cycles": node.coordinator.status.cycles,
}))
sys.stdout.flush()
import os
os._exit(0)
"""


@pytest.mark.parametrize("threads", ["single", "multi"])
def test_memory_of_dreamer_stays_flat(threads):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(CYCLES[threads]), str(WARM_UP), threads],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["state"] == "active"
    assert found["cycles"] == CYCLES[threads] + WARM_UP
    assert found["samplers"] > 10
    assert found["blocks"] < BLOCKS
    assert found["memory"] < MEMORY
    assert found["garbage"] == 0
