"""What a controller tells of itself, over `local`."""

import time

import numpy as np
import pinocchio as pin
import pytest
from patience import GENEROUS
from ruamel.yaml import YAML

from controlit_ros.configuration import load_configuration
from controlit_ros.interfaces import new, to_dict
from controlit_ros.model import RobotModel

pytestmark = pytest.mark.processes

SRV = "controlit/srv"
TYPES = {
    "getActuableJointIndices": "GetJointIndices",
    "getCmdJointIndices": "GetJointIndices",
    "getRealJointIndices": "GetJointIndices",
    "getConstraintJacobianMatrices": "GetConstraintJacobianMatrices",
    "getConstraintParameters": "GetConstraintParameters",
    "getControlItParameters": "GetControlItParameters",
    "getBindings": "GetBindings",
    "getControllerConfiguration": "GetControllerConfiguration",
    "getTaskParameters": "GetTaskParameters",
}  # the names of the reference, facts section 5, and getBindings


@pytest.fixture
def node(make_node):
    return make_node()


@pytest.fixture
def ask(peer):
    def call(name, **fields):
        kind = f"{SRV}/{TYPES[name]}"
        client = peer.client(f"diagnostics/{name}", kind)
        return client.call(new(f"{kind}_Request", **fields), GENEROUS)

    return call


def test_every_service_answers(node, ask, poll):
    node.start()
    poll(lambda: node.state.value == "active")
    for name in TYPES:
        answer = to_dict(ask(name))
        assert answer.get("success", True)
        assert any(answer.values())


def test_joint_orders(node, ask):
    robot = node.stack.robot
    for order in ("real", "actuable", "command"):
        name = {"command": "cmd"}.get(order, order)
        answer = ask(f"get{name.title()}JointIndices")
        assert tuple(answer.names) == getattr(robot, f"{order}_joints")
        assert [robot.real_joints[i] for i in answer.indices] == answer.names


def test_bindings_are_the_topics_there_are(node, ask, peer):
    graph = peer.graph()
    bindings = ask("getBindings").bindings
    assert {binding.parameter for binding in bindings} >= {"Posture.goal_position", "Idle.error"}
    for binding in bindings:
        topic = graph.topic(f"/cli_still/{binding.topic}")
        assert binding.message_type in topic.types
        ends = (topic.subscription_count, topic.publisher_count)
        assert ends[binding.direction == "output"] > 0
        assert topic.is_latched or not binding.latched
    only = ask("getBindings", parameter="Idle").bindings
    assert {b.parameter for b in only} == {
        b.parameter for b in bindings if b.parameter.startswith("Idle.")
    }
    wrong = ask("getBindings", parameter="Idle.goal")
    assert not wrong.success
    assert "Idle.goal_position" in wrong.message


def test_parameters_tell_what_they_are_for(node, ask):
    infos = {
        (info.owner, info.role): info for info in ask("getTaskParameters").parameters if info.role
    }
    goal = infos["Posture", "goal"]
    assert (goal.name, goal.quantity) == ("goal_position", "plain")
    assert tuple(goal.labels) == node.stack.tasks.tasks[0].goal.labels
    assert infos["Idle", "goal_velocity"].name == "goal_velocity"
    assert infos["Idle", "actual"].quantity == "point"


def test_constraint_parameters(node, ask):
    answer = ask("getConstraintParameters")
    assert answer.constraints == ["Base", "Torso"]
    assert answer.types == ["FlatContact", "Coactuation"]
    assert answer.states == ["enable", "enable"]
    infos = {f"{info.owner}.{info.name}": info for info in answer.parameters}
    assert infos["Base.body"].value == "base_link"
    assert infos["Base.body"].read_only
    assert infos["Base.body"].type == "text"
    point = infos["Base.contact_point"]
    assert (point.type, point.shape.tolist(), point.unit) == ("float", [3], "m")
    assert not point.read_only
    only = ask("getConstraintParameters", constraint="Torso")
    assert {info.owner for info in only.parameters} == {"Torso"}


@pytest.mark.parametrize(
    ("name", "field", "wrong", "nearest"),
    [
        ("getTaskParameters", "task", "Postur", "'Posture'"),
        ("getConstraintParameters", "constraint", "Bas", "'Base'"),
        ("getConstraintJacobianMatrices", "constraint", "torso", "'Torso'"),
        ("getControlItParameters", "owner", "servo_clok", "'servo_clock'"),
    ],
)
@pytest.mark.usefixtures("node")
def test_wrong_names_answer_with_the_nearest(ask, name, field, wrong, nearest):
    answer = ask(name, **{field: wrong})
    assert not answer.success
    assert f"{wrong!r} (did you mean {nearest}?)" in answer.message


def test_controlit_parameters(node, ask):
    infos = {f"{info.owner}.{info.name}": info for info in ask("getControlItParameters").parameters}
    frequency = infos["parameters.servo_frequency"]
    assert (frequency.value, frequency.unit, frequency.type) == ("250.0", "Hz", "float")
    assert frequency.read_only
    assert infos["parameters.robot_interface_type"].value == "Benchmark"
    assert infos["parameters.enforce_effort_limits"].type == "boolean"
    declared = {
        parameter.full_name
        for owner in (node.stack.controller, node.stack.robot_interface, node.stack.clock)
        for parameter in owner.parameters.values()
    }
    told = {name for name in infos if not name.startswith("parameters.")}
    assert told == declared
    only = ask("getControlItParameters", owner="whole_body_controller").parameters
    assert {info.owner for info in only} == {"whole_body_controller"}
    values = YAML(typ="safe").load(infos["parameters.world_gravity"].value)
    assert values == [0.0, 0.0, -9.81]


def test_the_configuration_can_be_loaded_again(node, ask):
    loaded = load_configuration(ask("getControllerConfiguration").configuration)
    assert loaded.parameters == node.stack.configuration.parameters
    for section in ("tasks", "constraints", "compound_task", "constraint_set", "events"):
        assert getattr(loaded, section) == getattr(node.stack.configuration, section)


def test_constraint_jacobians_by_finite_differences(node, ask, poll):
    """Rows of a contact are the velocity of its body, measured on moved copies of the robot."""
    node.start()
    poll(lambda: node.state.value == "active")
    answer = ask("getConstraintJacobianMatrices")
    assert answer.success, answer.message
    assert len(answer.velocities) == node.stack.robot.nv
    assert abs(answer.stamp.sec - time.time()) < GENEROUS  # not the machine's uptime
    base, torso = answer.constraints
    jacobian = base.jacobian.reshape(base.rows, base.columns)
    model = RobotModel(node.stack.robot)
    model.update(node.coordinator.robot_state)
    pinocchio, data = node.stack.robot.pinocchio, node.stack.robot.pinocchio.createData()
    frame, step = node.stack.robot.frame_id("base_link"), 1e-6

    def position(velocity):
        pin.framesForwardKinematics(pinocchio, data, pin.integrate(pinocchio, model.q, velocity))
        return data.oMf[frame].translation.copy()

    for i, direction in enumerate(np.eye(node.stack.robot.nv)):
        moved = (position(step * direction) - position(-step * direction)) / (2.0 * step)
        assert jacobian[:3, i] == pytest.approx(moved, abs=1e-8)
    row = dict(zip(answer.velocities, torso.jacobian.tolist(), strict=True))
    assert {name: value for name, value in row.items() if value} == {
        "torso_lower_pitch": -1.0,
        "torso_upper_pitch": 1.0,
    }


@pytest.mark.usefixtures("node")
def test_without_a_servo_there_is_no_jacobian(ask, monkeypatch):
    monkeypatch.setattr("controlit_ros.introspection.probe.PATIENCE", 0.2)
    answer = ask("getConstraintJacobianMatrices")
    assert not answer.success
    assert "the servo made no cycle" in answer.message
