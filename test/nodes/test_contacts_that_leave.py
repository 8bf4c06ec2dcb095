"""Services tell what becomes of a contact that was switched off."""

import pytest
from contact_oracles import FOOT
from ruamel.yaml import YAML
from standing_biped import write_biped

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
        answer = client.call(new(f"{KIND}_Request", constraint="left_sole"), 10.0)
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
