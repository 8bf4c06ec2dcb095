"""A display and a user in this process, the controller in another, on DDS."""

import subprocess
import sys
from pathlib import Path

import pytest
from dds_isolation import go_to_free_domain
from patience import GENEROUS
from test_interactive_markers import RIGHT, Client
from test_marker_topic import GOAL, Viewer, xyz

from controlit_ros.interfaces import new
from controlit_ros.transport import LATCHED, open_transport

pytestmark = pytest.mark.processes

SCENE = Path(__file__).parent / "scene.yaml"
PATIENT = (sys.executable, str(Path(__file__).parents[1] / "cli" / "patient_console.py"))


@pytest.fixture
def network(monkeypatch, poll):
    """A transport in the controller's namespace, in the domain of a running controller."""
    pytest.importorskip("cyclonedds")
    go_to_free_domain(monkeypatch)
    arguments = [
        *PATIENT, "run", str(SCENE), "--quiet", "--transport", "dds",
        "--set", "pause_limit=10", "--set", "overrun_limit=1000000",
    ]  # fmt: skip
    with (
        subprocess.Popen(arguments) as process,
        open_transport("display", "/cli_still", name="dds") as opened,
    ):
        states = []
        topic = "diagnostics/state"
        opened.subscribe(topic, "std_msgs/msg/String", lambda m: states.append(m.data), LATCHED)
        poll(lambda: "active" in states, GENEROUS)
        yield opened
        process.terminate()
        assert process.wait(GENEROUS) == 0


def test_a_goal_is_dragged_seen_and_saved(network, poll):
    viewer, client = Viewer(network), Client(network)
    poll(lambda: ("Hand", GOAL) in viewer.markers, GENEROUS)
    client.initialise()
    poll(lambda: RIGHT in client.markers, GENEROUS)
    goal = pytest.approx([0.35, -0.15, 0.85])

    def is_dragged():
        client.drag(RIGHT, (0.35, -0.15, 0.85), control_name="move_3d")
        return xyz(viewer["Hand", GOAL].pose.position) == goal

    poll(is_dragged, GENEROUS)
    poll(lambda: client.poses[RIGHT].position.x == pytest.approx(0.35), GENEROUS)
    kind = "controlit/srv/SetTaskState"
    switch = network.client("control/setTaskState", kind)
    request = new(f"{kind}_Request", task="Heading", state="disable")
    poll(lambda: switch.call(request, GENEROUS).success, GENEROUS)  # a servo may be held up
    poll(lambda: ("Heading", GOAL) not in viewer.markers, GENEROUS)
    kind = "controlit/srv/SaveConfiguration"
    saving = network.client("control/saveConfiguration", kind)
    text = saving.call(new(f"{kind}_Request"), GENEROUS).configuration
    assert "goal_position: [0.35, -0.15, 0.85]" in text
    assert "{name: Heading, priority: 1, operational_state: disable}" in text
    kind = "controlit/srv/GetConstraintJacobianMatrices"
    asking = network.client("diagnostics/getConstraintJacobianMatrices", kind)
    request = new(f"{kind}_Request", constraint="Base")

    def answered():
        answer = asking.call(request, GENEROUS)
        return answer.success and answer

    answer = poll(answered, GENEROUS)
    assert answer.constraints[0].jacobian.size == 6 * len(answer.velocities)
