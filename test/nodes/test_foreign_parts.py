"""An installed package's controller, projector, clock, binding factory and law run by their names.

Tasks, constraints and robot interfaces of a third party are tested in test/examples.
"""

import sys
from pathlib import Path

import pytest

from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.process_layout import OneProcess
from controlit_ros.nodes.process_layout_choice import process_layout_of
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.transport.local import LocalTransport

STILL = Path(__file__).parents[1] / "cli" / "controllers" / "still.yaml"
MODULE = """
from controlit_ros.bindings.topic_binding_factory import TopicBindingFactory
from controlit_ros.controllers.dynamically_consistent import DynamicallyConsistent
from controlit_ros.controllers.wbosc import WBOSC
from controlit_ros.servo import ServoClock
from controlit_ros.tasks import PIDController


class Controller(WBOSC):
    computed = 0

    def compute_command(self, *arguments):
        super().compute_command(*arguments)
        self.computed += 1


class Projector(DynamicallyConsistent):
    pass


class Clock(ServoClock):  # steps through time, and is not the one of simulations
    is_stepped = True
    is_ticking = False
    now = 0.0

    def start(self, coordinator):
        self._coordinator = coordinator
        coordinator.servo_init(self.now)

    def advance(self, cycles=1):
        for _ in range(cycles):
            self._coordinator.servo_update(self.now)
            self.now += 1.0 / self.frequency

    def stop(self):
        pass


class Factory(TopicBindingFactory):
    bound = []

    def bind(self, config, parameter):
        self.bound.append(config.topic)
        return super().bind(config, parameter)


class Law(PIDController):
    pass
"""
ENTRY_POINTS = """
[controlit.whole_body_controllers]
ForeignController = foreign_parts:Controller
[controlit.null_space_projectors]
ForeignProjector = foreign_parts:Projector
[controlit.servo_clocks]
ForeignClock = foreign_parts:Clock
[controlit.binding_factories]
foreign = foreign_parts:Factory
[controlit.control_laws]
ForeignLaw = foreign_parts:Law
"""
BINDING = """
bindings:
  - {parameter: Posture.kp, direction: output, topic: gains, transport_type: foreign}
"""


@pytest.fixture(name="file")
def install(tmp_path, monkeypatch):
    """Install a package; return a configuration that asks for what is in it."""
    (tmp_path / "foreign_parts.py").write_text(MODULE)
    metadata = tmp_path / "foreign_parts-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: foreign-parts\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "foreign_parts", raising=False)
    file = tmp_path / "foreign.yaml"
    text = STILL.read_text().replace(
        "type: JointPosition,", "type: JointPosition, control_law: ForeignLaw,"
    )
    file.write_text(text + BINDING)
    return file


def test_they_run_by_their_names(file, request):
    stack = load_stack(
        file,
        {
            "whole_body_controller_type": "ForeignController",
            "null_space_projector_type": "ForeignProjector",
            "servo_clock_type": "ForeignClock",
            "parameter_binding_factories": ["topic", "foreign"],
            "single_threaded_model": True,
            "single_threaded_tasks": True,
        },
    )
    parts = [stack.controller, stack.controller.null_space_projector, stack.clock]
    parts.append(stack.tasks.tasks[0].controller)
    assert {type(part).__module__ for part in parts} == {"foreign_parts"}
    assert isinstance(process_layout_of(stack, "dds"), OneProcess)  # time is stepped from outside
    transport = LocalTransport("servo", "/foreign", domain=request.node.nodeid)
    with ServoNode(stack, transport) as node:
        assert node.lifecycle.advance(50) == pytest.approx(50 / stack.servo.frequency)
        assert node.state.value == "active"
        assert stack.controller.computed > 10
        assert sys.modules["foreign_parts"].Factory.bound == ["gains"]
        assert "/foreign/gains" in {topic.name for topic in transport.graph().topics}
