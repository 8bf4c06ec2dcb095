"""Console: pages come and go, a controller as well, and what a lost page held stops."""

import time

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from headless_page import HeadlessPage
from served_console import LivingServo, ServedConsole

from controlit_console.held_button import HOLD, LONGEST_GAP, TICKS
from controlit_ros.interfaces import new
from controlit_ros.introspection.marker import LINE_LIST
from controlit_ros.transport import DEFAULT
from controlit_ros.transport.local import LocalTransport

pytestmark = pytest.mark.processes

HAND, TRIGGER = "RightHandPosition", "std_srvs/srv/Trigger"


@pytest.fixture
def alone(request, poll, monkeypatch):
    monkeypatch.setattr("controlit_console.search.PATIENCE", 0.1)  # there is none to be found
    transport = LocalTransport("console", domain=request.node.nodeid)
    running = ServedConsole(transport, poll)
    yield running
    running.close()
    transport.close()


@pytest.fixture
def console(living, request, poll):
    transport = LocalTransport("console", domain=request.node.nodeid)
    running = ServedConsole(transport, poll)
    yield running
    running.close()
    transport.close()


def take_control(page):
    page.wait_for("nobody has control")
    page.click("Take control")
    page.wait_for("(this one) has control")


def test_of_two_pages_one_has_control(alone):
    first, second = alone.open(), alone.open()
    take_control(first)
    second.click("Ask for control")
    first.wait_for("asks for it")
    first.click("Hand control over")
    second.wait_for("(this one) has control")
    second.close()
    first.wait_for("nobody has control")


@pytest.mark.parametrize(
    ("size", "kind"), [((1600, 900), "float"), ((1024, 768), "split"), ((820, 1180), "split")]
)
def test_control_covers_no_robot_on_a_tablet(alone, poll, size, kind):
    page = HeadlessPage(alone.port, poll, size)
    page.wait_for("nobody has control")
    kinds = [place["kind"] for place in page.docked.values()]
    assert sorted(kinds) == sorted(["edge", kind])
    page.close()


def test_a_phone_has_the_stop_above_all_else(alone, poll):
    page = HeadlessPage(alone.port, poll, (390, 844))
    page.wait_for("nobody has control")
    assert [place["kind"] for place in page.docked.values()] == ["edge"]
    control = page.gui[page.element("Control")]
    tabs = next(props for props in page.gui.values() if "_tab_labels" in props)
    assert control["order"] < tabs["order"]
    page.close()


def test_pages_that_come_and_go_at_once_leave_nothing(alone, poll):
    for _ in range(10):
        page = HeadlessPage(alone.port, poll)
        page.element("Take control")
        page.click("Take control")
        page.close()
    take_control(alone.open())


def test_a_page_says_that_there_is_no_controller(alone):
    alone.open().wait_for("lost")


def test_motion_is_armed_and_disarmed_by_the_box(console, poll):
    page = console.open()
    page.wait_for("active")
    take_control(page)
    page.set("Arm motion", True)
    poll(lambda: console.desk.is_armed)
    poll(lambda: len(page.handles) == 2)
    page.wait_for("Motion is armed")
    page.set("Arm motion", False)
    poll(lambda: not console.desk.is_armed and not page.handles)
    page.wait_for("Motion is not armed")


def test_what_a_lost_page_held_stops_where_the_robot_is(living, console, poll):
    page, other = console.open(), console.open()
    page.wait_for("active")
    take_control(page)
    page.set("Arm motion", True)
    poll(lambda: len(page.handles) == 2)
    name = next(name for name in page.handles if HAND in name)
    poll(lambda: name in page.turns)
    far = living.servo.tasks[HAND].goal.value + np.array([0.1, 0.0, 0.1])
    page.drag("DragStart", name)
    page.drag("Update", name, wxyz=page.turns[name], position=far.tolist())
    goal = living.servo.tasks[HAND].goal
    poll(lambda: np.allclose(goal.value, far))
    page.close()  # in the middle of the drag
    other.wait_for("is gone. Stopped")
    poll(lambda: not np.allclose(goal.value, far))
    assert not console.desk.is_armed


def test_the_space_bar_stops_whoever_has_control(console, poll):
    first, second = console.open(), console.open()
    first.wait_for("active")
    take_control(first)
    first.set("Arm motion", True)
    poll(lambda: console.desk.is_armed)
    second.wait_for(HAND)
    second.press_stop()
    second.wait_for("Stopped: the goals are where the robot is")
    assert not console.desk.is_armed


def test_boards_are_homed_while_a_button_is_held(console, request, poll):
    """A driver offers it, and the panel has a button; what it refuses is told in its words."""
    told = []

    def home(_request):
        told.append("home")
        return new(
            f"{TRIGGER}_Response", success=len(told) > 1, message="the limit switch is stuck"
        )

    with LocalTransport("driver", domain=request.node.nodeid) as driver:
        driver.serve("/dreamer_controller/hardware/home", TRIGGER, home)
        page = console.open()
        page.wait_for(">active<")
        button = page.element("Hold to home")
        hold(page, button)
        page.wait_for("does not have control")
        take_control(page)
        time.sleep(LONGEST_GAP)
        hold(page, button)
        page.wait_for("motion is not armed")
        page.set("Arm motion", True)
        poll(lambda: console.desk.is_armed)
        assert not told
        time.sleep(LONGEST_GAP)
        hold(page, button)
        page.wait_for("the limit switch is stuck")
        time.sleep(LONGEST_GAP)
        hold(page, button)
        page.wait_for("The boards did: home.")
    assert len(told) == 2


def hold(page, button):
    for _ in range(round(1.5 * HOLD * TICKS)):
        page.send("GuiButtonHoldMessage", uuid=button, frequency=TICKS)
        time.sleep(1.0 / TICKS)


def test_a_controller_is_seen_to_go_and_another_to_come(
    living, hands_yaml, request, alone, monkeypatch
):
    page = alone.open()
    page.wait_for("active")
    take_control(page)
    living.end()
    page.wait_for(">lost<")
    again = LivingServo(hands_yaml, request.node.nodeid, monkeypatch)
    try:
        page.wait_for(">active<")
    finally:
        again.end()


def test_a_page_that_stays_open_calls_no_controller_active_once_the_console_has_ended(
    living, request, poll
):
    transport = LocalTransport("console", domain=request.node.nodeid)
    served = ServedConsole(transport, poll)
    page = served.open()
    page.wait_for(">active<")
    served.end()
    page.wait_for("has ended")
    assert not page.shows(">active<")
    served.close()
    transport.close()


def test_a_message_that_cannot_be_shown_leaves_everything_else_at_work(console, request):
    page = console.open()
    page.wait_for(">active<")
    stranger = LocalTransport("stranger", domain=request.node.nodeid)
    topic, kind = "/dreamer_controller/markers", "visualization_msgs/msg/MarkerArray"
    publisher = stranger.publisher(topic, kind, DEFAULT)
    half_a_line = {"ns": "a/b", "type": LINE_LIST, "points": [{"x": 1.0, "y": 0.0, "z": 0.0}]}
    publisher.publish(new(kind, markers=[{**half_a_line, "action": 1}, half_a_line]))
    page.wait_for("something cannot be shown")
    take_control(page)
    page.wait_for(">active<")
    stranger.close()
