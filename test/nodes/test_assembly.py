"""What `run` refuses `check` refuses, at the key that is to be changed."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from controlit_ros.bindings.binding_manager import BindingError
from controlit_ros.configuration import ConfigurationError, load_configuration
from controlit_ros.nodes.assembly import assemble
from controlit_ros.nodes.building import build_stack
from controlit_ros.nodes.node_parts import NodePart, start_parts, stop_parts
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.robots import RobotInterface
from controlit_ros.transport import TransportError
from controlit_ros.transport.local import LocalTransport

TEXT = """\
name: {name}
robot_description: package://controlit/urdf/dreamer.urdf
parameters:
  robot_interface_type: {interface}
  odometry_source: robot
robot_interface:
  {options}
tasks:
- {{name: Posture, type: JointPosition}}
constraints:
- {{name: Base, type: FlatContact, body: base_link}}
compound_task:
- {{name: Posture, priority: 0}}
constraint_set:
- {{name: Base}}
bindings:
- {{parameter: Posture.kp, direction: output, topic: {topic}}}
"""
SOUND = {"name": "arm", "interface": "Benchmark", "options": "{}", "topic": "gains"}


def stack(**changes):
    return build_stack(load_configuration(TEXT.format(**{**SOUND, **changes})))


def refusal(**changes):
    with pytest.raises(ConfigurationError) as caught:
        assemble(stack(**changes))
    (problem,) = caught.value.problems
    return problem


CASES = [
    ({"topic": "/diagnostics"}, 17, "bindings[0].topic", "used here with the type"),
    ({"topic": "diagnostics/state"}, 17, "bindings[0].topic", "used here with the type"),
    ({"topic": "events"}, 17, "bindings[0].topic", "used here with the type"),
    ({"topic": "/" + "/".join(["a" * 60] * 5)}, 17, "bindings[0].topic", "at most 240"),
    ({"name": "a" * 250}, 1, "name", "at most 240"),
    *(
        (
            {"interface": "Topic", "options": f"{key}: {topic}"},
            7,
            f"robot_interface.{key}",
            message,
        )
        for key in ("state_topic", "command_topic")
        for topic, message in (
            ("/", "single slashes"),
            ("a b", "expected letters"),
            ("a//b", "single slashes"),
            ("1a", "not starting with a digit"),
            ("events", "used here with the type"),
            ("''", "single slashes"),
        )
    ),
]


@pytest.mark.parametrize(("changes", "line", "path", "message"), CASES)
def test_topics_that_cannot_be_are_told_at_their_key(changes, line, path, message):
    problem = refusal(**changes)
    assert (problem.line, problem.path) == (line, path)
    assert message in problem.message


@pytest.mark.thorough
@pytest.mark.parametrize("changes", [case[0] for case in CASES])
def test_a_real_transport_refuses_what_is_refused_before_it_is_opened(changes):
    """The oracle: what the transport itself says of the same node."""
    built = stack(**changes)
    with (
        pytest.raises((TransportError, BindingError)),
        LocalTransport("servo", built.configuration.name, domain=repr(changes)) as network,
    ):
        ServoNode(built, network)


def test_what_is_sound_is_put_together_and_nothing_of_it_runs():
    node = assemble(stack())
    assert not node.lifecycle.is_running
    assert (node.transport.namespace, node.transport.node_name) == ("/arm", "servo")


class Joined(RobotInterface):
    """An interface of somebody's own that another process joins to topics."""

    def __init__(self, real):
        super().__init__(real.setup)
        self.read, self.write = real.read, real.write
        self._topics = real.topics

    topics = property(lambda self: self._topics)
    read = write = configure = activate = deactivate = None


@pytest.mark.parametrize("interface", ["Topic", "Benchmark"])
def test_what_has_topics_is_joined_to_them_whatever_its_class(interface):
    built = stack(interface=interface)
    topics = built.robot_interface.topics
    assert (topics is not None) == (interface == "Topic")
    real = SimpleNamespace(setup=built.robot_interface.setup, read=None, write=None, topics=topics)
    node = assemble(replace(built, robot_interface=Joined(real)))
    assert (node.relay is not None) == (interface == "Topic")


def test_parts_start_in_order_and_stop_in_reverse_although_one_fails():
    done = []

    def part(name, error=None):
        def stop():
            done.append(f"stop {name}")
            if error is not None:
                raise error

        return NodePart(lambda: done.append(f"start {name}"), stop)

    parts = [part("a"), part("b", OSError("b")), part("c", OSError("c")), NodePart()]
    start_parts(parts)
    with pytest.raises(OSError, match="b"):
        stop_parts(parts)
    assert done == ["start a", "start b", "start c", "stop c", "stop b", "stop a"]


PARTS = ("diagnostics", "lifecycle", "bindings", "layout", "outbox", "transport")


@pytest.mark.parametrize("broken", PARTS)
def test_a_step_of_stopping_that_fails_keeps_none_of_the_others(broken, monkeypatch):
    node, stopped = assemble(stack()), []

    def stop_of(name, real):
        def stop():
            real()
            stopped.append(name)
            if name == broken:
                raise OSError(name)

        return stop

    for name in PARTS:
        part = getattr(node, name)
        method = "stop" if hasattr(part, "stop") else "close"
        monkeypatch.setattr(part, method, stop_of(name, getattr(part, method)))
    with pytest.raises(OSError, match=broken):
        node.stop()
    assert stopped == list(PARTS)
