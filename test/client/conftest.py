"""Controllers in step with their clients, over the local transport."""

import pytest
from lock_step import CONTROLLERS, LockStep
from patience import wait_for_servos

from controlit_ros.client import connect


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Let nobody give up on a servo because the machine is busy."""
    wait_for_servos(monkeypatch)


@pytest.fixture
def make_servo(request):
    """Make controllers in a domain of the test; stop them afterwards."""
    made = []

    def make(file, **overrides):
        servo = LockStep(file, request.node.nodeid, **overrides)
        made.append(servo)
        return servo

    yield make
    for servo in made:
        servo.stop()


@pytest.fixture
def still(make_servo):
    """A robot that stands still and follows no goal."""
    return make_servo(CONTROLLERS / "still.yaml")


@pytest.fixture
def hands(make_servo, hands_yaml):
    """Dreamer, which follows."""
    return make_servo(hands_yaml)


@pytest.fixture
def meet():
    """Connect clients in step with a controller; close them afterwards."""
    made = []

    def connected(servo, name=None, **options):
        robot = connect(name, transport=servo.network, beat=servo, **options)
        made.append(robot)
        return robot

    yield connected
    for robot in made:
        robot.close()
