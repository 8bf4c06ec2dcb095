"""A controller in simulated time that others can look at."""

import threading
import time

import numpy as np
import pytest
from patience import GENEROUS

from controlit_ros.client import connect
from controlit_ros.nodes.shown_controller import LAG, ShownController
from controlit_ros.scripting import SimulatedController
from controlit_ros.transport.domain import in_domain
from controlit_ros.transport.local import LocalTransport

pytestmark = pytest.mark.processes

QUICK = {"soft_start_time": 0.0, "log_level": "ERROR"}
GOAL, WANTED = "RightHandPosition.goal_position", [0.2, -0.3, 1.0]


@pytest.fixture
def domain(request):
    with in_domain(request.node.nodeid):
        yield request.node.nodeid


def moved(controller, duration):
    controller.set(GOAL, WANTED)
    controller.advance(duration)
    return list(controller.position.values())


def test_a_run_is_the_same_to_the_last_bit(hands_yaml, domain):
    with SimulatedController(hands_yaml, QUICK) as controller:
        expected = moved(controller, 0.2)
    with ShownController(hands_yaml, QUICK, network="local") as controller:
        assert moved(controller, 0.2) == expected


def test_its_time_is_no_faster_than_that_of_the_wall(hands_yaml, domain):
    with ShownController(hands_yaml, QUICK, network="local") as controller:
        begin, duration = time.monotonic(), 5.0 * LAG
        for _ in range(50):
            controller.advance(duration / 50.0)
        assert time.monotonic() - begin > duration - 1.5 * LAG


def test_others_find_it_see_it_and_command_it(hands_yaml, domain):
    is_over = threading.Event()
    with ShownController(hands_yaml, QUICK, network="local") as controller:

        def live():
            while not is_over.is_set():
                controller.advance(controller.round_time)

        living = threading.Thread(target=live)
        living.start()
        try:
            with (
                LocalTransport("operator", domain=domain) as network,
                connect(None, timeout=GENEROUS, transport=network) as robot,
            ):
                robot.set({GOAL: WANTED})
                np.testing.assert_allclose(robot.task("RightHandPosition").goal, WANTED)
        finally:
            is_over.set()
            living.join(GENEROUS)


def test_nothing_of_it_is_left_on_the_network(hands_yaml, domain):
    with LocalTransport("operator", domain=domain) as network:
        with ShownController(hands_yaml, QUICK, network="local"):
            assert network.graph().served
        assert not network.graph().served
