"""A demonstration with the operator's screen beside it."""

import contextlib
import os

import pytest

from controlit_demos.running import demonstration
from controlit_demos.running.demo_options import DemoOptions
from controlit_demos.running.demonstration import SUCCESS, Demonstration
from controlit_ros.nodes.shown_controller import ShownController
from controlit_ros.transport.domain import DOMAIN_VARIABLE

pytestmark = pytest.mark.processes


class Shown(Demonstration):
    """Notes where it talks."""

    name, title, configuration_name = "shown", "Shown", "dreamer/hands.yaml"

    def show(self):
        self.domain = os.environ[DOMAIN_VARIABLE]
        self.controller = self.simulated(self.configuration)
        self.controller.stop()
        return SUCCESS


@pytest.fixture
def screens(monkeypatch):
    """Where screens look for controllers."""
    found = []

    @contextlib.contextmanager
    def companion(command, arguments):
        found.append((command, arguments, os.environ[DOMAIN_VARIABLE]))
        yield

    monkeypatch.setattr(demonstration, "companion", companion)
    return found


def test_the_screen_looks_where_the_demonstration_talks(screens, monkeypatch):
    monkeypatch.delenv(DOMAIN_VARIABLE, raising=False)
    demo = Shown(DemoOptions(screen=True, transport="dds"))
    assert demo.run() == SUCCESS
    assert screens == [("console", ["--transport", "dds"], demo.domain)]
    assert isinstance(demo.controller, ShownController)


def test_nobody_looks_unless_it_was_asked_for(screens):
    demo = Shown(DemoOptions())
    assert demo.run() == SUCCESS
    assert not screens
    assert not isinstance(demo.controller, ShownController)
