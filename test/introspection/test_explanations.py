"""What holds a running controller back, over `local`."""

import gc
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from patience import GENEROUS
from ruamel.yaml import YAML
from standing_rows import told

from controlit_ros.client.explanations import explanation_of
from controlit_ros.interfaces import new
from controlit_ros.introspection import explanations as topic
from controlit_ros.introspection.cycle_row import CycleRow
from controlit_ros.model import RobotModel
from controlit_ros.nodes.building.control_parts import build_twin
from controlit_ros.nodes.explaining import explain_cycle
from controlit_ros.parameters import Outcome

pytestmark = pytest.mark.processes

STILL = Path(__file__).parents[1] / "cli" / "controllers" / "still.yaml"
SRV = "controlit/srv/GetExplanation"
FAR = [0.3, -0.3, 0.3]  # [m]


@pytest.fixture
def still(tmp_path):
    """Write the robot that stands still with other tasks and parameters."""

    def write(tasks=(), **parameters):
        content = YAML(typ="safe").load(STILL.read_text())
        content["parameters"].update(parameters)
        for task in tasks:
            content["tasks"].append({k: v for k, v in task.items() if k != "priority"})
            content["compound_task"].append(
                {"name": task["name"], "priority": task.get("priority", 0)}
            )
        path = tmp_path / "still.yaml"
        path.write_text(json.dumps(content))
        return path

    return write


@pytest.fixture
def ask(peer):
    client = peer.client("diagnostics/getExplanation", SRV)

    def call(task=""):
        answer = client.call(new(f"{SRV}_Request", task=task), GENEROUS)
        if not answer.success:
            return answer.message
        return explanation_of(answer.explanation)

    return call


HAND = {"name": "Hand", "type": "CartesianPosition", "body": "right_wrist_yaw", "priority": 1}
HAND |= {"kp": 0.1, "kd": 1.0, "goal_position": FAR}  # so little that the guard cuts nothing


def active(node, poll):
    node.start()
    poll(lambda: node.state.value == "active")


def change(node, parameter, value):
    assert node.mailbox.post({parameter: value}).settle(GENEROUS) is Outcome.APPLIED


def test_it_tells_of_the_task_above(make_node, still, ask, poll):
    node = make_node(still([HAND]))
    active(node, poll)
    explanation = ask()
    assert explanation.state == "active"
    assert explanation.controller_type == "WBOSC"
    assert [account.name for account in explanation.tasks] == ["Posture", "Idle", "Hand"]
    (cause,) = (c for c in explanation.task("Posture").causes if c.kind.value == "priority")
    assert cause.name == "Hand"
    assert explanation.task("Hand").asked != ()
    assert explanation.task("Idle").asked == ()


def test_it_is_what_a_file_explains_at_the_same_state(make_node, still, ask, poll):
    file = still([HAND])
    node = make_node(file)
    active(node, poll)
    other = make_node(file).stack
    state = node.coordinator.model_updater.active.robot_model.state
    offline = explain_cycle(other, state)

    def is_alike():  # the guard cuts what a cycle computes that comes late
        found = ask("Hand")
        return found.task("Hand").causes == offline.task("Hand").causes and found

    running = poll(is_alike)
    for field in ("error", "asked", "got", "missing"):
        np.testing.assert_allclose(
            getattr(running.task("Hand"), field), getattr(offline.task("Hand"), field), atol=1e-9
        )


def test_goals_and_gains_that_change_count(make_node, still, ask, poll):
    node = make_node(still([HAND]))
    active(node, poll)
    task = next(task for task in node.stack.tasks.tasks if task.name == "Hand")
    before = np.array(ask("Hand").task("Hand").asked)
    change(node, task.controller.kp, np.full(3, 2.0 * HAND["kp"]))
    np.testing.assert_allclose(ask("Hand").task("Hand").asked, 2.0 * before, rtol=1e-6)
    change(node, task.operational_state, "disable")
    (cause,) = ask("Hand").task("Hand").causes
    assert cause.name == "disable"


def test_an_unknown_task_is_refused_with_the_nearest(make_node, ask, poll):
    active(make_node(), poll)
    assert "did you mean 'Posture'" in ask("Postur")


def test_a_servo_that_makes_no_cycles_is_told(make_node, ask, monkeypatch):
    monkeypatch.setattr("controlit_ros.introspection.probe.PATIENCE", 0.2)
    make_node()
    assert "no cycle" in ask()


def test_a_soft_start_is_told(make_node, ask, poll):
    active(make_node(soft_start_time=60.0), poll)

    def only_cause():  # the guard cuts what a cycle computes that comes late
        causes = ask().causes
        return len(causes) == 1 and causes

    (cause,) = poll(only_cause)
    assert cause.name == "soft_start_time"
    assert 0.1 < cause.value <= 1.0


def test_a_ramp_after_a_change_is_told(make_node, still, ask, poll):
    node = make_node(still([HAND], reconfiguration_time=10.0))
    active(node, poll)
    assert "reconfiguration_time" not in [cause.name for cause in ask().causes]
    task = next(task for task in node.stack.tasks.tasks if task.name == "Hand")
    change(node, task.controller.kp, np.full(3, 2.0 * HAND["kp"]))
    names = [cause.name for cause in ask().causes]
    assert "reconfiguration_time" in names


def test_a_servo_in_the_safe_state_tells_why(make_node, ask, poll):
    node = make_node(state_timeout=0.1)
    active(node, poll)
    node.stack.robot_interface.read = lambda _state: False
    poll(lambda: node.state.value == "safe")
    poll(lambda: node.news.troubles)
    explanation = ask()
    assert explanation.state == "safe"
    found = {cause.name: cause for cause in explanation.causes}
    assert "no state from the robot" in found["safe"].text
    assert found["measurement"].value > 0.1


def test_the_topic_tells_the_same_while_somebody_listens(
    make_node, still, peer, ask, poll, monkeypatch
):
    monkeypatch.setattr(topic, "PERIOD", 0.05)
    node = make_node(still([HAND]))
    active(node, poll)
    heard = []
    peer.subscribe("diagnostics/explanation", topic.TYPE, heard.append)
    poll(lambda: heard)

    def is_told_alike():  # the guard cuts what a cycle computes that comes late
        explanation = explanation_of(heard[-1])
        return explanation.task("Posture").causes == ask().task("Posture").causes

    poll(is_told_alike)


def test_limits_that_exclude_each_other_are_named(make_node, still, ask, poll):
    """An elbow on its way out of its range is to stop, and has no motor to speak of."""
    path = still(whole_body_controller_type="WholeBodyQP", max_effort_command=0.01)
    content = json.loads(path.read_text())
    content["whole_body_controller"] = {"limit_horizon": 0.02}
    content["simulator"] = {"initial_position": {"left_elbow": 2.318}}
    path.write_text(json.dumps(content))
    node = make_node(path)
    read, elbow = node.stack.robot_interface.read, node.stack.robot.joint_index("left_elbow")

    def moving(state):
        fresh = read(state)
        state.velocity[elbow] = 2.0
        return fresh

    node.stack.robot_interface.read = moving
    node.start()
    poll(lambda: node.news.troubles)
    explanation = ask()
    text = " ".join(cause.text for cause in explanation.conflict)
    assert "effort limit of" in text
    assert "velocity limit of 'left_elbow'" in text
    assert all(cause.value > 0.0 for cause in explanation.conflict)
    assert "left_elbow" in node.news.troubles[0]


def mirrored(node):
    """Return a row of a servo's cycle with the twin it is for."""
    stack = node.stack
    return CycleRow(node.coordinator, stack.members, stack.friction), build_twin(
        stack.configuration
    )


def test_a_goal_in_a_frame_that_rests_where_it_was(make_node, still):
    latched = {**HAND, "frame": "torso_upper_pitch", "frame_mode": "latched"}
    node = make_node(still([latched]), servo_clock_type="Simulated")
    torso = node.stack.robot.joint_index("torso_upper_pitch")
    read, leaning = node.stack.robot_interface.read, [False, 0.0]

    def lean(state):
        fresh = read(state)
        moves = fresh and leaning[0] and leaning[1] < 0.05
        leaning[1] += 0.0005 * moves  # [rad] a cycle of 4 ms, as a joint moves
        state.position[torso] += leaning[1]
        state.velocity[torso] = 0.125 * moves
        return fresh

    node.stack.robot_interface.read = lean
    node.start()
    node.lifecycle.advance(5)
    assert node.state.value == "active"
    task = next(task for task in node.stack.tasks.tasks if task.name == "Hand")
    start = task.actual.value.copy()
    leaning[0] = True
    node.lifecycle.advance(110)
    assert leaning[1] >= 0.05
    assert np.abs(task.actual.value - start).max() > 1e-4
    node.stop()
    copy, twin = mirrored(node)
    copy.take(told(copy), twin)
    model = RobotModel(twin.robot)
    model.update(copy.state)
    other = next(task for task in twin.tasks if task.name == "Hand")
    other.update(model, other.active)
    np.testing.assert_allclose(other.active.jacobian, task.active.jacobian, atol=1e-9)
    np.testing.assert_allclose(other.active.actual, task.active.actual, atol=1e-9)


def test_what_the_servo_copies_takes_no_memory_that_stays(make_node, still, poll):
    node = make_node(still([HAND]))
    active(node, poll)
    node.stop()
    copy = mirrored(node)[0]
    gc.collect()  # takes back what Python keeps for later, such as eighty lists that are no more
    gc.disable()
    for _ in range(100):
        copy.prepare()
    before = sys.getallocatedblocks()
    for _ in range(200):
        copy.prepare()
    grown = sys.getallocatedblocks() - before
    found = gc.collect()
    gc.enable()
    assert grown < 20
    assert found == 0


def test_a_plugin_that_cannot_be_made_twice_runs_all_the_same(make_node, ask, poll, monkeypatch):
    def refuse(_configuration):
        raise RuntimeError("there is one camera only")

    monkeypatch.setattr("controlit_ros.nodes.front.following_twin.build_twin", refuse)
    active(make_node(), poll)
    assert "there is one camera only" in ask()
