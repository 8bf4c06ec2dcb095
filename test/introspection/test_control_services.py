"""Changing a running controller, over `local`: answered when it is done, refused with a reason."""

from pathlib import Path

import pytest
from patience import GENEROUS

from controlit_ros.configuration import load_configuration
from controlit_ros.interfaces import new
from controlit_ros.nodes.building import build_stack, load_stack
from controlit_ros.nodes.front import services
from controlit_ros.nodes.running_configuration import running_text
from controlit_ros.parameters import Access
from controlit_ros.servo import Sampler

pytestmark = pytest.mark.processes

SRV = "controlit/srv"
STILL = Path(__file__).parents[1] / "cli" / "controllers" / "still.yaml"


@pytest.fixture
def node(make_node, poll):
    node = make_node()
    node.start()
    poll(lambda: node.state.value == "active")
    return node


@pytest.fixture
def ask(peer):
    def call(name, /, **fields):
        kind = f"{SRV}/{name[0].upper()}{name[1:]}"
        client = peer.client(f"control/{name}", kind)
        return client.call(new(f"{kind}_Request", **fields), GENEROUS)

    return call


def test_changes_are_there_when_they_are_answered(node, ask):
    posture, idle = node.stack.tasks.tasks
    torso = node.stack.constraints.constraints[1]
    changes = [
        ("setTaskState", {"task": "Idle", "state": "sense"}, idle.operational_state, "sense"),
        ("setTaskPriority", {"task": "Posture", "priority": 3}, posture.priority, 3),
        (
            "setConstraintState",
            {"constraint": "Torso", "state": "force_disable"},
            torso.operational_state,
            "force_disable",
        ),
        (
            "setEventEnabled",
            {"event": "Far", "enabled": False},
            node.stack.events[0].enabled,
            False,
        ),
        ("setParameter", {"name": "Idle.kd", "value": "[1, 2, 3]"}, idle.controller.kd, [1, 2, 3]),
        (
            "setParameter",
            {"name": "Posture.goal_position", "value": "{left_elbow: 0.25}"},
            posture.goal,
            None,
        ),
    ]
    for name, fields, parameter, value in changes:
        answer = ask(name, **fields)
        assert answer.success, answer.message
        assert answer.message == ""
        if value is not None:
            assert parameter.snapshot() == value
    labels = posture.goal.labels
    assert posture.goal.value[labels.index("left_elbow")] == 0.25


@pytest.mark.parametrize(
    ("name", "fields", "reason"),
    [
        ("setTaskState", {"task": "Pose", "state": "sense"}, "did you mean 'Posture'"),
        ("setTaskState", {"task": "Idle", "state": "enabled"}, "did you mean 'enable'"),
        ("setTaskPriority", {"task": "Postur", "priority": 1}, "did you mean 'Posture'"),
        ("setTaskPriority", {"task": "Posture", "priority": -1}, "too small"),
        ("setConstraintState", {"constraint": "Tors", "state": "enable"}, "did you mean 'Torso'"),
        ("setConstraintState", {"constraint": "Torso", "state": "sense"}, "found 'sense'"),
        ("setEventEnabled", {"event": "far", "enabled": True}, "did you mean 'Far'"),
        ("setParameter", {"name": "Idle.kpp", "value": "1"}, "did you mean 'kp'"),
        ("setParameter", {"name": "Idle.kp", "value": "-1"}, "too small"),
        ("setParameter", {"name": "Idle.kp", "value": "[1"}, "expected YAML"),
        ("setParameter", {"name": "Idle.kp", "value": ""}, "expected 3 finite numbers"),
        ("setParameter", {"name": "Idle.error", "value": "0"}, "output"),
        ("setParameter", {"name": "Idle.body", "value": "base_link"}, "configuration"),
        ("setParameters", {"names": ["Idle.kp", "Idle.kd"], "values": ["1", "-1"]}, "too small"),
        ("setParameters", {"names": ["Idle.kp", "Idl.kd"], "values": ["1", "1"]}, "Idle.kd"),
        ("setParameters", {"names": ["Idle.kp", "Idle.kd"], "values": ["1"]}, "2 names and 1 val"),
        ("setParameters", {"names": ["Idle.kp", "Idle.kp"], "values": ["1", "2"]}, "found twice"),
    ],
)
def test_refused_with_a_reason(node, ask, name, fields, reason):
    before = {name: parameter.revision for name, parameter in changeable(node.stack)}
    answer = ask(name, **fields)
    assert not answer.success
    assert reason in answer.message
    assert {name: parameter.revision for name, parameter in changeable(node.stack)} == before


def test_several_parameters_change_in_one_cycle(make_node, ask, poll):
    node = make_node()
    changes = {"Idle.kp": "9", "Posture.priority": "3", "Idle.operational_state": "sense"}
    parameters = [node.stack.directory[name] for name in changes]
    seen = []

    def look(_row):
        seen.append(tuple(parameter.revision for parameter in parameters))

    node.outbox.add_sampler(Sampler(0, look, lambda _stamp, _values: None))
    node.start()
    poll(lambda: node.state.value == "active" and seen)
    answer = ask("setParameters", names=list(changes), values=list(changes.values()))
    assert answer.success, answer.message
    assert [parameter.value for parameter in parameters[1:]] == [3, "sense"]
    assert node.stack.directory["Idle.kp"].snapshot() == [9.0, 9.0, 9.0]
    poll(lambda: seen[-1] != seen[0])
    assert {tuple(n - first for n, first in zip(row, seen[0], strict=True)) for row in seen} == {
        (0, 0, 0),
        (1, 1, 1),
    }


def test_an_answer_tells_the_value_in_force(node, ask):
    assert ask("setParameter", name="Idle.kp", value="9").value == "[9.0, 9.0, 9.0]"
    assert ask("setParameter", name="Idle.kp", value="no").value == "[9.0, 9.0, 9.0]"
    assert node.stack.directory["Idle.kp"].snapshot() == [9.0, 9.0, 9.0]


def test_what_the_servo_does_not_take_never_happens(make_node, ask, monkeypatch):
    node = make_node()
    monkeypatch.setattr("controlit_ros.parameters.applied.PATIENCE", 0.2)
    answer = ask("setTaskState", task="Idle", state="sense")
    assert not answer.success
    assert "the servo took no changes" in answer.message
    monkeypatch.setattr("controlit_ros.parameters.applied.PATIENCE", GENEROUS)
    node.start()
    assert ask("setTaskPriority", task="Idle", priority=7).success
    assert node.stack.directory["Idle.operational_state"].value == "disable"


def changeable(stack):
    return [
        (name, parameter)
        for name, parameter in stack.directory.items()
        if parameter.access is Access.RUN_TIME
    ]


def values(stack):
    return {name: parameter.snapshot() for name, parameter in changeable(stack)}


def change_everything(ask):
    for name, fields in (
        ("setTaskState", {"task": "Idle", "state": "enable"}),
        ("setTaskPriority", {"task": "Idle", "priority": 5}),
        ("setConstraintState", {"constraint": "Torso", "state": "force_disable"}),
        ("setEventEnabled", {"event": "Far", "enabled": False}),
        ("setParameter", {"name": "Idle.goal_position", "value": "[0.1, 0.2, 0.3]"}),
        ("setParameter", {"name": "Posture.kp", "value": "50"}),
        ("setParameter", {"name": "Posture.goal_position", "value": "{left_elbow: 0.123456789}"}),
    ):
        assert ask(name, **fields).success


def test_save_and_load_gives_the_same_controller(node, ask, tmp_path):
    change_everything(ask)
    path = tmp_path / "saved.yaml"
    answer = ask("saveConfiguration", path=str(path))
    assert answer.success, answer.message
    assert answer.path == str(path)
    assert path.read_text() == answer.configuration
    assert "# A robot that stands still, for what needs no physics." in answer.configuration
    assert "{name: Torso, operational_state: disable}" in answer.configuration
    loaded = build_stack(load_configuration(path))
    assert values(loaded) == values(node.stack) | {"Torso.operational_state": "disable"}
    assert loaded.configuration.parameters == node.stack.configuration.parameters
    assert all(task.goal.stated for task in loaded.tasks.tasks)


def test_what_was_set_from_outside_is_saved_wherever_it_stands(tmp_path):
    settings = {
        "servo_frequency": 500,
        "rotor_inertia.left_elbow": 0.25,
        "tasks.Posture.kp": 50,
        "tasks.Posture.goal_position.left_elbow": 0.125,
        "constraints.Torso.ratio": 0.5,
        "compound_task.Posture.priority": 4,
        "events.Far.expression": "Posture.error_norm > 2",
    }
    path = tmp_path / "saved.yaml"
    stack = load_stack(STILL, settings)
    path.write_text(running_text(stack, tmp_path))
    loaded = build_stack(load_configuration(path))
    assert loaded.configuration.parameters == stack.configuration.parameters
    assert loaded.configuration.events == stack.configuration.events
    assert loaded.configuration.constraints == stack.configuration.constraints
    assert loaded.tasks.tasks[0].goal.stated
    assert values(loaded) == values(stack)


@pytest.mark.usefixtures("node")
def test_a_loaded_file_saves_as_itself(ask, tmp_path):
    change_everything(ask)
    path = tmp_path / "saved.yaml"
    text = ask("saveConfiguration", path=str(path)).configuration
    assert running_text(build_stack(load_configuration(path)), tmp_path) == text


def test_nothing_is_overwritten_unasked(node, ask, tmp_path):
    path = tmp_path / "saved.yaml"
    path.write_text("mine")
    refused = ask("saveConfiguration", path=str(path))
    assert not refused.success
    assert "exists" in refused.message
    assert path.read_text() == "mine"
    assert ask("saveConfiguration", path=str(path), overwrite=True).success
    assert path.read_text().startswith("#")
    assert list(tmp_path.iterdir()) == [path]
    assert node.state.value != "safe"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("saved.yaml", "expected an absolute one"),
        ("/nowhere/saved.yaml", "expected one below"),
        ("/tmp", "ends in .yaml"),
        ("{folder}/../saved.yaml", "without .."),
        ("{folder}/nowhere/saved.yaml", "there is no folder"),
        ("{folder}/" + "x" * 300 + ".yaml", "too long"),
        ("{folder}/a\0.yaml", "printable"),
        ("~nobody/saved.yaml", "expected an absolute one"),
    ],
)
@pytest.mark.usefixtures("node")
def test_files_that_cannot_be(ask, tmp_path, path, reason):
    answer = ask("saveConfiguration", path=path.format(folder=tmp_path))
    assert not answer.success
    assert reason in answer.message


def test_a_controller_saves_beside_the_file_it_runs(make_node, ask, tmp_path):
    file = tmp_path / "here" / "running.yaml"
    file.parent.mkdir()
    file.write_text(STILL.read_text())
    with make_node(file, save_folder=None):
        assert ask("saveConfiguration", path=str(file.parent / "saved.yaml")).success
        assert not ask("saveConfiguration", path=str(tmp_path / "saved.yaml")).success
    assert sorted(path.name for path in file.parent.iterdir()) == ["running.yaml", "saved.yaml"]


def test_a_handler_that_fails_answers_with_the_reason(make_node, ask, monkeypatch):
    monkeypatch.setattr(services, "running_text", lambda *_: 1 / 0)
    with make_node():
        answer = ask("saveConfiguration")
    assert not answer.success
    assert "division by zero" in answer.message


@pytest.mark.usefixtures("node")
def test_without_a_path_only_the_text_is_given(ask, tmp_path):
    answer = ask("saveConfiguration")
    assert answer.success
    assert answer.path == ""
    assert "name: cli_still" in answer.configuration
    assert not list(tmp_path.iterdir())
