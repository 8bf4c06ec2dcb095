"""Exchanging the whole-body controller over `local`, in simulated time, on a robot that stands."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from patience import GENEROUS

from controlit_ros.configuration import ConfigurationError, load_configuration
from controlit_ros.interfaces import new
from controlit_ros.nodes.building import build_stack, load_stack
from controlit_ros.nodes.running_configuration import running_text

pytestmark = pytest.mark.processes

STILL = Path(__file__).parents[1] / "cli" / "controllers" / "still.yaml"
SRV = "controlit/srv"
SECTION = """
whole_body_controllers:
  - {name: Exact} # to the last
  - {name: Damped, singularity_handling: damp, damping_threshold: 0.2}
  - {name: Uneven, type: WBOSC, null_space_projector_type: Kinematic}
  - {name: Stiff, type: WBOSCImpedance, stiffness: 80, damping: 4}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "exchange.yaml"
    path.write_text(STILL.read_text() + SECTION)
    return path


@pytest.fixture
def start(make_node):
    """Start a node in simulated time, in which a few cycles have passed."""

    def made(file, **overrides):
        node = make_node(file, servo_clock_type="Simulated", **overrides)
        node.start()
        node.lifecycle.advance(5)
        assert node.state.value == "active"
        return node

    return made


@pytest.fixture
def ask(peer, poll):
    """Call a service while simulated time passes."""

    def call(node, name, /, **fields):
        kind = f"{SRV}/{name[0].upper()}{name[1:]}"
        folder = "diagnostics" if name.startswith("get") else "control"
        client = peer.client(f"{folder}/{name}", kind)
        with ThreadPoolExecutor(1) as pool:
            answer = pool.submit(client.call, new(f"{kind}_Request", **fields), GENEROUS)

            def is_answered():
                node.lifecycle.advance(1)
                return answer.done()

            poll(is_answered)
        return answer.result()

    return call


def test_it_is_exchanged_when_it_is_answered(file, start, ask):
    node = start(file)
    listed = ask(node, "getWholeBodyControllers")
    assert list(listed.whole_body_controllers) == ["Exact", "Damped", "Uneven", "Stiff"]
    assert list(listed.types) == ["WBOSC", "WBOSC", "WBOSC", "WBOSCImpedance"]
    assert listed.active == "Exact"
    for name in ("Stiff", "Uneven", "Damped", "Exact"):
        answer = ask(node, "setWholeBodyController", whole_body_controller=name)
        assert answer.success, answer.message
        assert node.stack.controller.chosen.name == name
        one = ask(node, "getWholeBodyControllers", whole_body_controller="Damped")
        assert (one.active, list(one.whole_body_controllers)) == (name, ["Damped"])
        assert {info.owner for info in one.parameters} == {"Damped"}
        node.lifecycle.advance(300)
        assert node.state.value == "active"


def test_projector_and_parameters_are_those_of_each(file, start):
    exact, damped, uneven, stiff = start(file).stack.controller.alternatives
    found = [type(c.null_space_projector).__name__ for c in (exact, uneven)]
    assert found == ["DynamicallyConsistent", "Kinematic"]
    assert damped.damping_threshold.value == 0.2
    assert exact.damping_threshold.value == 0.001
    assert (stiff.stiffness.value == 80.0).all()
    assert {c.period for c in (exact, damped, uneven, stiff)} == {0.004}


@pytest.mark.parametrize("service", ["setWholeBodyController", "getWholeBodyControllers"])
def test_an_unknown_name_is_refused_with_the_nearest(file, start, ask, service):
    node = start(file)
    answer = ask(node, service, whole_body_controller="Dampt")
    assert not answer.success
    assert "unknown whole-body controller 'Dampt' (did you mean 'Damped'" in answer.message
    assert node.stack.controller.chosen.name == "Exact"


def test_it_is_a_parameter_like_others(file, start, ask):
    node = start(file)
    name = "whole_body_controller.active"
    refused = ask(node, "setParameter", name=name, value="Dampt")
    assert "did you mean 'Damped'" in refused.message
    assert refused.value == "Exact"
    assert ask(node, "setParameter", name=name, value="Damped").value == "Damped"
    assert node.stack.controller.chosen.name == "Damped"
    assert ask(node, "setParameter", name="Damped.damping_threshold", value="0.3").success
    owners = {info.owner for info in ask(node, "getControlItParameters").parameters}
    assert {"whole_body_controller", "Exact", "Damped", "Uneven", "Stiff"} < owners


def test_it_ramps_each_field_of_the_command(file, start):
    node = start(file, reconfiguration_time=0.2)  # 50 cycles
    command, controller = node.coordinator.command, node.stack.controller
    node.lifecycle.advance(10)

    def exchange(name, cycles):
        node.mailbox.post({controller.active: name})
        stiffness = [command.stiffness[0]]
        for _ in range(cycles):
            node.lifecycle.advance(1)
            stiffness.append(command.stiffness[0])
        return np.array(stiffness)

    there, back = exchange("Stiff", 60), exchange("Exact", 60)
    np.testing.assert_allclose(there[[0, -1]], [0.0, 80.0])
    np.testing.assert_allclose(back[[0, -1]], [80.0, 0.0])
    for ramp in (there, back):
        np.testing.assert_allclose(np.abs(np.diff(ramp)).max(), 80.0 / 50.0, rtol=0.01)


def test_it_stays_while_control_rests_and_begins_anew(file, start):
    node = start(file)
    command = node.coordinator.command
    node.mailbox.post({node.stack.controller.active: "Stiff"})
    node.lifecycle.advance(100)
    node.coordinator.request_deactivation()
    node.lifecycle.advance(5)
    node.stack.controller.chosen._position.fill(3.0)  # what it believed meanwhile
    node.coordinator.request_activation()
    node.lifecycle.advance(2)
    assert node.state.value == "active"
    assert node.stack.controller.chosen.name == "Stiff"
    assert np.abs(command.position).max() < 0.1


def test_one_that_cannot_compute_leads_to_the_safe_state_and_another_out_of_it(file, start, ask):
    node = start(file)
    damped = node.stack.controller.alternatives[1]

    def fail(*_):
        raise ValueError("no")

    damped.compute_command = fail
    assert ask(node, "setWholeBodyController", whole_body_controller="Damped").success
    node.lifecycle.advance(5)
    assert node.state.value == "safe"
    assert ask(node, "setWholeBodyController", whole_body_controller="Exact").success
    node.lifecycle.advance(100)
    assert node.state.value == "active"


def test_the_active_one_is_saved(file, start, ask, tmp_path):
    node = start(file)
    assert ask(node, "setWholeBodyController", whole_body_controller="Damped").success
    assert ask(node, "setParameter", name="Stiff.stiffness", value="60").success
    path = tmp_path / "saved.yaml"
    answer = ask(node, "saveConfiguration", path=str(path))
    assert answer.success, answer.message
    assert "- {name: Exact} # to the last" in answer.configuration
    saved = build_stack(load_configuration(path))
    assert saved.controller.chosen.name == "Damped"
    assert (saved.controller.alternatives[3].stiffness.value == 60.0).all()
    assert running_text(saved, tmp_path) == answer.configuration


def test_diagnostics_tell_it(file, start, peer, poll):
    node = start(file)
    seen = []
    peer.subscribe(
        "/diagnostics",
        "diagnostic_msgs/msg/DiagnosticArray",
        lambda m: seen.append({v.key: v.value for v in m.status[0].values}),
    )

    def told(name):
        node.lifecycle.advance(5)
        node.diagnostics.publish()
        return seen and seen[-1]["whole-body controller"] == name

    poll(lambda: told("Exact"))
    node.mailbox.post({node.stack.controller.active: "Damped"})
    poll(lambda: told("Damped"))


def test_a_single_one_is_listed_and_cannot_be_exchanged(start, ask):
    node = start(STILL)
    listed = ask(node, "getWholeBodyControllers")
    assert list(listed.whole_body_controllers) == ["whole_body_controller"]
    assert (listed.active, list(listed.types)) == ("whole_body_controller", ["WBOSC"])
    same = ask(node, "setWholeBodyController", whole_body_controller="whole_body_controller")
    assert same.success
    other = ask(node, "setWholeBodyController", whole_body_controller="WBOSC")
    assert "unknown whole-body controller 'WBOSC'" in other.message


def test_another_may_be_active_from_the_start(file):
    def chosen(**settings):
        return load_stack(file, settings).controller.chosen

    assert chosen(**{"whole_body_controller.active": "Uneven"}).name == "Uneven"
    damped = chosen(**{"whole_body_controllers.Exact.singularity_handling": "damp"})
    assert damped.singularity_handling.value == "damp"
    assert type(chosen(whole_body_controller_type="WBOSCImpedance")).__name__ == "WBOSCImpedance"


@pytest.mark.parametrize(
    ("section", "line", "message"),
    [
        ("[{name: Exact}, {name: Idle}]", 1, "'Idle' is taken by tasks in line"),
        ("[{name: Exact}, {name: Exact}]", 1, "taken by whole_body_controllers"),
        ("[{name: servo_clock}]", 1, "is a part of every controller"),
        ("[{name: Other, type: WBSOC}]", 1, "did you mean 'WBOSC'"),
        ("[{name: Other, null_space_projector_type: Kinematics}]", 1, "did you mean 'Kinematic'"),
        ("[{name: Other, velocity_bia: true}]", 1, "did you mean 'velocity_bias'"),
        ("[{name: Other, type: WBOSCImpedance, alpha: 2}]", 1, "Other.alpha: found 2"),
        ("[{type: WBOSC}]", 1, "the key 'name' is missing"),
        ("{name: Exact}", 1, "expected a list"),
        ("[{name: One}]\nwhole_body_controller: {active: Two}", 2, "found 'Two', expected"),
        ("[{name: One}]\nwhole_body_controller: {velocity_bias: true}", 2, "no parameter"),
    ],
)
def test_every_mistake_is_found_where_it_is(section, line, message):
    text = STILL.read_text() + f"whole_body_controllers: {section}\n"
    line += STILL.read_text().count("\n")
    with pytest.raises(ConfigurationError) as caught:
        build_stack(load_configuration(text))
    found = [(problem.line, problem.message) for problem in caught.value.problems]
    assert len(found) == 1
    assert found[0][0] == line
    assert message in found[0][1]


def test_mistakes_of_all_are_told_at_once():
    text = STILL.read_text() + SECTION + "whole_body_controller: {active: Exact}\n"
    text = text.replace("damping_threshold: 0.2", "damping_threshold: 2")
    text = text.replace("stiffness: 80", "stiffness: -80")
    text += (
        "bindings: [{parameter: Damped.damping_threshold, direction: input, topic: threshold}]\n"
    )
    with pytest.raises(ConfigurationError) as caught:
        build_stack(load_configuration(text))
    paths = [problem.path for problem in caught.value.problems]
    assert paths == [
        "whole_body_controllers[1].damping_threshold",
        "whole_body_controllers[3].stiffness",
    ]
