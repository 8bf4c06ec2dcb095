"""Footsteps on the page: a foot is dragged, and the robot steps there."""

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from patience import GENEROUS
from robots_for_tests import REPOSITORY
from served_console import LivingServo, ServedConsole

from controlit_ros.client import connect
from controlit_ros.transport.local import LocalTransport

pytestmark = [pytest.mark.processes, pytest.mark.simulation]

WALK = REPOSITORY / "config" / "talos" / "walk.yaml"
AHEAD = np.array([0.15, 0.0, 0.0])  # [m]
NEAR = 0.03  # [m]


@pytest.fixture
def network(request, monkeypatch):
    living = LivingServo(WALK, request.node.nodeid, monkeypatch)
    transport = LocalTransport("console", domain=request.node.nodeid)
    yield transport
    transport.close()
    living.end()


def test_a_foot_steps_to_where_it_is_dragged(network, poll):
    served = ServedConsole(network, poll)
    with connect(None, timeout=GENEROUS, transport=network) as robot:
        page = served.open()
        page.wait_for(">active<")
        page.click("Take control")
        page.wait_for("(this one) has control")
        page.set("Arm motion", True)
        name = poll(lambda: next((n for n in page.handles if "LeftSole" in n), None))
        place = np.array(poll(lambda: page.places.get(name)))
        page.drag("DragStart", name)
        wanted = {"wxyz": (1.0, 0.0, 0.0, 0.0), "position": (place + AHEAD).tolist()}
        page.drag("Update", name, **wanted)
        assert not np.any(robot.parameters["Walk.footsteps"])  # nothing yet: it is held
        page.drag("DragEnd", name)
        page.wait_for("steps to where it was dragged")
        poll(lambda: robot.parameters["Walk.steps_ahead"] == 0)
        poll(lambda: np.linalg.norm(page.places[name] - place - AHEAD) < NEAR)
        assert robot.state == "active"
    served.close()
