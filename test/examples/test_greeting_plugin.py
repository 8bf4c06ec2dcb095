"""A package of a third party adds a command, a demonstration and a message by itself."""

import json

import pytest

pytestmark = [pytest.mark.processes, pytest.mark.commands]

RUN = '''
from pathlib import Path

from controlit_ros.scripting import SimulatedController
from controlit_ros.share import share_directory

BINDING = """
bindings:
  - {parameter: RightHandPosition.actual_position, direction: output, topic: height,
     transport_type: topic, properties: [message_type: greeting_plugin/msg/Height]}
"""
text = (share_directory() / "config" / "dreamer" / "hands.yaml").read_text() + BINDING
with SimulatedController(text) as controller:
    heard = []
    controller.transport.subscribe("height", "greeting_plugin/msg/Height", heard.append)
    controller.advance(0.5)
    z = controller.task("RightHandPosition").actual.value[2]
    print(len(heard) > 2, abs(heard[-1].height - z) < 1e-3)
'''


@pytest.fixture
def environment(installed):
    return installed("greeting_plugin")


def test_its_command_is_one_of_controlit(environment, python):
    main = ("-m", "controlit_ros.cli.main")
    assert "Greet a robot by its name." in python(environment, *main, "--help")
    assert "Hello, Trikey" in python(environment, *main, "greet", "Trikey")
    listed = json.loads(python(environment, *main, "plugins", "list", "--json"))
    found = {
        entry["kind"]: entry["error"] for entry in listed if entry["package"] == "greeting_plugin"
    }
    kinds = ("commands", "demonstrations", "messages", "conversions")
    assert found == dict.fromkeys(kinds)


def test_its_demonstration_runs(environment, python, tmp_path):
    main = ("-m", "controlit_ros.cli.main", "demo")
    assert "Dreamer lifts its right hand and waves" in python(environment, *main, "--list")
    told = python(environment, *main, "wave", "--fast", "--report", tmp_path / "report")
    assert "PASSED" in told


def test_its_message_carries_a_parameter(environment, python):
    assert python(environment, "-c", RUN).split()[-2:] == ["True", "True"]
