"""Services tell what becomes of a contact that was switched off."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from contact_oracles import FOOT
from patience import GENEROUS
from ruamel.yaml import YAML
from standing_biped import write_biped

from controlit_ros.awaited import step_until_done
from controlit_ros.interfaces import new
from controlit_ros.transport.local import LocalTransport

pytestmark = pytest.mark.processes

KIND = "controlit/srv/GetConstraintParameters"
SOLE = {"friction": 0.7, "half_size": [FOOT[0] / 2, FOOT[1] / 2]}


@pytest.fixture
def file(tmp_path):
    path = write_biped(tmp_path)
    yaml = YAML()
    content = yaml.load(path.read_text())
    content["parameters"]["whole_body_controller_type"] = "WholeBodyQP"
    content["parameters"]["servo_frequency"] = 500
    for constraint in content["constraints"]:
        constraint.update(SOLE)
    content["tasks"] = content["tasks"][:1]
    content["compound_task"] = content["compound_task"][:1]
    yaml.dump(content, path)
    return path


def test_the_states_are_the_truth(in_step, file, request):
    rig = in_step(file, "MuJoCo")
    clock, node = rig.stack.clock, rig.node
    peer = LocalTransport("peer", rig.transports[0].namespace, domain=f"{request.node.nodeid} 0")
    client = peer.client("diagnostics/getConstraintParameters", KIND)

    def told():
        answer = client.call(new(f"{KIND}_Request", constraint="left_sole"), GENEROUS)
        assert answer.success, answer.message
        values = {info.name: info.value for info in answer.parameters}
        return answer.states[0], values["phase"], values["operational_state"]

    clock.advance(100)
    foot = rig.stack.constraints.contacts[1]
    assert told() == ("enable", "settled", "enable")
    node.mailbox.post({foot.operational_state: "disable"})
    clock.advance(2)
    assert told() == ("waiting", "waiting", "disable")
    node.mailbox.post({rig.stack.controller.contacts_wait: False})
    clock.advance(150)  # less than it waits before it looks again, and less than the ramp
    assert told() == ("leaving", "leaving", "disable")
    clock.advance(200)
    assert told() == ("disable", "settled", "disable")
    peer.close()


class Standing:
    """The biped in lock step, and somebody who asks while time passes."""

    def __init__(self, rig, request):
        self.rig = rig
        self.clock = rig.stack.clock
        namespace = rig.transports[0].namespace
        self.peer = LocalTransport("peer", namespace, domain=f"{request.node.nodeid} 0")

    @property
    def names(self):
        return [constraint.name for constraint in self.rig.stack.constraints.constraints]

    @property
    def foot(self):
        return self.rig.stack.constraints.contacts[0]

    def meanwhile(self, function):
        """Return what a function does; time passes while it waits for the servo."""
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(function)
            step_until_done(future, lambda: self.clock.advance(1))
        return future.result()

    def ask(self, service, **fields):
        kind = f"controlit/srv/{service[0].upper()}{service[1:]}"
        client = self.peer.client(f"control/{service}", kind)
        return self.meanwhile(lambda: client.call(new(f"{kind}_Request", **fields), GENEROUS))

    def preview(self, name, value):
        kind = "controlit/srv/PreviewParameters"
        client = self.peer.client("diagnostics/previewParameters", kind)
        asked = new(f"{kind}_Request", names=[name], values=[value])
        answer = self.meanwhile(lambda: client.call(asked, GENEROUS))
        assert answer.success, answer.message
        return answer

    def begin_to_leave(self):
        controller = self.rig.stack.controller
        self.rig.node.mailbox.post({controller.contacts_wait: False})
        self.rig.node.mailbox.post({self.foot.operational_state: "disable"})
        self.clock.advance(20)
        assert self.foot.state == "leaving"


@pytest.fixture
def standing(in_step, file, request):
    made = Standing(in_step(file, "MuJoCo"), request)
    made.clock.advance(100)
    yield made
    made.peer.close()


def test_a_contact_is_removed_once_it_has_left(standing):
    for begin in (lambda: None, standing.begin_to_leave):
        begin()
        answer = standing.ask("removeConstraint", constraint="right_sole")
        assert not answer.success
        assert "set its operational_state to disable first" in answer.message
        assert "right_sole" in standing.names
    standing.clock.advance(200)
    assert standing.foot.state == "disable"
    answer = standing.ask("removeConstraint", constraint="right_sole")
    assert answer.success, answer.message
    assert standing.names == ["left_sole"]


def test_a_preview_tells_of_contacts_after_their_ramps(standing):
    standing.begin_to_leave()
    standing.clock.advance(200)
    assert standing.foot.bearable < 1.0  # [N] from there it would rise
    answer = standing.preview("right_sole.operational_state", "enable")
    held_by = [cause.text for cause in answer.explanation.causes]
    assert not any("greatest normal force" in text for text in held_by), held_by
    assert standing.foot.bearable < 1.0  # [N] nothing has changed


def test_a_preview_knows_tasks_that_came_later(standing):
    """Of the task's rows the levels tell; of its command what it would ask for."""
    task = "{name: Later, type: JointPosition, kp: 20, kd: 5}"
    answer = standing.ask("addTask", definition=task, priority=3, state="disable")
    assert answer.success, answer.message
    before = standing.preview("Posture.kp", "50.0")
    after = standing.preview("Later.operational_state", "enable")
    assert list(before.priorities) == [0]
    assert list(after.priorities) == [3, 0]
    assert "Later" in {account.name for account in after.explanation.tasks}
    assert standing.ask("removeTask", task="Later").success
    assert list(standing.preview("Posture.kp", "50.0").priorities) == [0]
