"""Servo and simulator in processes of their own, joined by each interface; either may die."""

import os
import signal

import pytest
from console_processes import Shell
from patience import GENEROUS

from controlit_bench.free_domain import free_domain

pytestmark = pytest.mark.processes


@pytest.fixture(params=["shared_memory", "udp", "topic"])
def joined(request, controllers):
    """A simulator and a servo that found each other; how to start either again."""
    shell = Shell(free_domain())
    file = controllers / "hand.yaml"
    name = f"name=over_{request.param}_{os.getpid()}"
    type_name = {"shared_memory": "SharedMemory", "udp": "UDP", "topic": "Topic"}[request.param]

    def simulate():
        simulator = shell.start("simulate", file, "--interface", request.param, "--set", name)
        simulator.wait_for_log("until Ctrl-C")
        return simulator

    def run():
        return shell.start(
            "run", file, "--set", name, "--set", f"robot_interface_type={type_name}", "--quiet"
        )

    yield simulate, run
    shell.close()


def test_either_side_may_come_last_and_die(joined):
    simulate, run = joined
    servo = run()
    servo.wait_for_log("no state from the robot")  # and says why
    simulator = simulate()
    mark = servo.wait_for_log("-> active")
    os.kill(simulator.process.pid, signal.SIGKILL)
    mark = servo.wait_for_log("state: active -> safe", mark)
    simulator = simulate()
    servo.wait_for_log("state: safe -> active", mark)
    os.kill(servo.process.pid, signal.SIGKILL)
    successor = run()
    successor.wait_for_log("-> active")
    assert simulator.process.poll() is None
    assert successor.end(signal.SIGTERM, GENEROUS)[0] == 0
    assert simulator.end(signal.SIGINT, GENEROUS)[0] == 0


def test_a_simulator_ends_by_itself_after_its_duration(controllers):
    shell = Shell(free_domain())
    name = f"name=for_a_while_{os.getpid()}"
    _, err = shell.run("simulate", controllers / "hand.yaml", "--set", name, "--duration", 0.2)
    assert "until Ctrl-C, for 0.2 s at most" in err
