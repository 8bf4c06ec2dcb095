"""What may be set over topics and services is what the parameter remote_access says."""

from pathlib import Path

import pytest
from patience import GENEROUS

from controlit_ros.bindings.shared_vector import VectorSender
from controlit_ros.configuration import ConfigurationError, load_configuration
from controlit_ros.interfaces import new
from controlit_ros.nodes.building import build_stack, load_stack
from controlit_ros.nodes.servo_node import ServoNode
from controlit_ros.transport.local import LocalTransport

pytestmark = pytest.mark.processes

STILL = Path(__file__).parents[1] / "cli" / "controllers" / "still.yaml"
EVERYTHING = ("goals", "gains", "configuration", "lifecycle")
REAL_NUMBERS = (3, 8)  # double, double array
SRV, RCL = "controlit/srv", "rcl_interfaces/srv"


def call(peer, name, kind, /, **fields):
    client = peer.client(name, kind)
    answer = client.call(new(f"{kind}_Request", **fields), GENEROUS)
    client.close()
    return answer


def belongs_to(descriptor):
    """Say it by name and type, as a reader of docs/security.md would."""
    name = descriptor.name.rpartition(".")[2]
    if name in ("goal_position", "goal_velocity", "goal_acceleration", "tare"):
        return "goals"
    if name.startswith("goal_") and name != "goal_timeout":
        return "goals"
    return "gains" if descriptor.type in REAL_NUMBERS else "configuration"


def settable(peer):
    """Return every parameter that can be set while it runs, with its value and what it is."""
    names = call(peer, "servo/list_parameters", f"{RCL}/ListParameters").result.names
    described = call(peer, "servo/describe_parameters", f"{RCL}/DescribeParameters", names=names)
    values = call(peer, "servo/get_parameters", f"{RCL}/GetParameters", names=names).values
    return [
        (found.name, value, belongs_to(found))
        for found, value in zip(described.descriptors, values, strict=True)
        if not found.read_only
    ]


@pytest.mark.parametrize("allowed", [(), *((what,) for what in EVERYTHING), EVERYTHING])
def test_every_parameter_is_refused_or_taken_by_what_it_belongs_to(make_node, peer, allowed):
    """Over both of ROS 2's services, one by one and together."""
    node = make_node(remote_access=list(allowed))
    parameters = settable(peer)
    assert {what for _, _, what in parameters} == {"goals", "gains", "configuration"}
    sent = [{"name": name, "value": value} for name, value, _ in parameters]
    answer = call(peer, "servo/set_parameters", f"{RCL}/SetParameters", parameters=sent)
    for (name, _, what), result in zip(parameters, answer.results, strict=True):
        assert result.successful == (what in allowed), name
        if what not in allowed:
            assert f"{name} may not be set over topics and services" in result.reason
            assert f"belongs to {what}" in result.reason
            assert f"[{', '.join(allowed)}]" in result.reason
    together = call(
        peer, "servo/set_parameters_atomically", f"{RCL}/SetParametersAtomically", parameters=sent
    )
    assert together.result.successful == (set(EVERYTHING[:3]) <= set(allowed))
    taken = 0
    while node.mailbox.next() is not None:
        node.mailbox.apply_next()
        taken += 1
    assert bool(taken) == bool({"goals", "gains", "configuration"} & set(allowed))


CHANGES = (
    ("setTaskState", {"task": "Idle", "state": "sense"}),
    ("setTaskPriority", {"task": "Posture", "priority": 3}),
    ("setConstraintState", {"constraint": "Torso", "state": "disable"}),
    ("setEventEnabled", {"event": "Far", "enabled": False}),
    ("setParameter", {"name": "Posture.kp", "value": "65"}),
    ("setParameter", {"name": "Posture.tare", "value": "true"}),
)


BY_HAND = """
bindings:
  - {parameter: Idle.goal_position, direction: input, topic: by_hand,
     transport_type: shared_memory}
"""


def test_a_controller_that_may_only_be_looked_at(make_node, peer, tmp_path, poll):
    """Every way in but shared memory, while it runs."""
    file = tmp_path / "here.yaml"
    file.write_text(STILL.read_text() + BY_HAND)
    node = make_node(file, remote_access=[])
    with node:
        poll(lambda: node.state.value == "active")
        before = node.stack.directory.items()
        values = {name: parameter.snapshot() for name, parameter in before}
        for name, fields in CHANGES:
            kind = f"{SRV}/{name[0].upper()}{name[1:]}"
            answer = call(peer, f"control/{name}", kind, **fields)
            assert not answer.success
            assert "remote_access is []" in answer.message
        path = tmp_path / "saved.yaml"
        save = f"{SRV}/SaveConfiguration"
        assert not call(peer, "control/saveConfiguration", save, path=str(path)).success
        assert not path.exists()
        assert call(peer, "control/saveConfiguration", save).success
        for label in ("deactivate", "shutdown", "nonsense"):
            kind = "lifecycle_msgs/srv/ChangeState"
            fields = {"transition": {"label": label}}
            assert not call(peer, "servo/change_state", kind, **fields).success
        assert node.state.value == "active"
        goal = peer.publisher("Posture/goal_position", "sensor_msgs/msg/JointState")
        binding = next(
            b for b in node.bindings.bindings if b.config.parameter == "Posture.goal_position"
        )
        poll(goal.subscriber_count)
        goal.publish(new("sensor_msgs/msg/JointState", name=["left_elbow"], position=[0.3]))
        poll(lambda: binding.rejected)
        assert "remote_access is []" in binding.last_rejection
        goals = {name for name in values if ".goal_" in name}
        for name in goals | {"Posture.kp", "Posture.priority", "Idle.operational_state"}:
            assert node.stack.directory[name].snapshot() == values[name]
        with VectorSender("/cli_still/by_hand", 3) as hand:
            hand.send([0.1, 0.2, 0.3])
            name = "Idle.goal_position"
            poll(lambda: node.stack.directory[name].snapshot() == [0.1, 0.2, 0.3])


@pytest.mark.parametrize("allowed", [("goals",), ("gains", "configuration", "lifecycle")])
def test_trajectories_are_goals(request, allowed):
    stack = load_stack(STILL, {"remote_access": list(allowed)})
    with LocalTransport("servo", "/cli_still", domain=request.node.nodeid) as transport:
        node = ServoNode(stack, transport)
        assert (node.actions.trajectories is not None) == ("goals" in allowed)
        node.stop()


BOUND = """
bindings:
  - {parameter: Idle.goal_position, direction: input, topic: a, transport_type: topic}
  - {parameter: Idle.kp, direction: input, topic: b, transport_type: topic}
  - {parameter: Idle.goal_position, direction: input, topic: c, transport_type: shared_memory}
  - {parameter: Idle.error, direction: output, topic: d, transport_type: topic}
"""


def told(text):
    warnings = build_stack(load_configuration(text)).warnings
    return [warning for warning in warnings if "this input does nothing" in warning]


def test_inputs_that_do_nothing_are_told_with_their_line():
    text = STILL.read_text().replace("parameters:", "parameters:\n  remote_access: [goals]") + BOUND
    (warning,) = told(text)
    place, _, rest = warning.partition(": ")
    assert "Idle.kp" in text.splitlines()[int(place.split(":")[0]) - 1]
    assert "Idle.kp may not be set over topics and services" in rest
    everything = text.replace("remote_access: [goals]", "remote_access: [gains, goals]")
    assert not told(everything)


def test_what_cannot_be_allowed_is_named():
    text = STILL.read_text().replace("parameters:", "parameters:\n  remote_access: [goal]")
    with pytest.raises(ConfigurationError, match="remote_access"):
        load_configuration(text)
