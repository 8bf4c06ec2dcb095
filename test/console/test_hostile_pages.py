"""Hostile pages: what is sent by hand moves nothing without control, and harms no other page."""

import math
import time

import msgspec.msgpack
import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from served_console import ServedConsole

from controlit_console.control_desk import ControlDesk
from controlit_ros.client import connect
from controlit_ros.transport.local import LocalTransport

pytestmark = pytest.mark.processes

HAND = "RightHandPosition"
STOP = "Soft stop  (space)"
NASTY = (True, -1.0, math.nan, "'; kp: [1e9, 1e9, 1e9]", "x" * 100_000, [1, [2]], {"a": None}, None)
FREQUENCY = 10.0  # [Hz]
HOLDS = 12  # [#] longer than any button is held
FAR = (3.0, 3.0, 3.0)
UPRIGHT = (1.0, 0.0, 0.0, 0.0)


@pytest.fixture
def network(request):
    transport = LocalTransport("console", domain=request.node.nodeid)
    yield transport
    transport.close()


@pytest.fixture
def robot(living, network):
    with connect(None, transport=network) as robot:
        yield robot


@pytest.fixture
def shown(living, network, poll):
    """A console that only shows."""
    served = ServedConsole(network, poll, desk=ControlDesk(time.monotonic, is_read_only=True))
    yield served
    served.close()


def take_control(page):
    page.wait_for("nobody has control")
    page.click("Take control")
    page.wait_for("(this one) has control")


def arm(page, console, poll):
    page.set("Arm motion", True)
    poll(lambda: console.desk.is_armed and len(page.handles) == 2)


def settings(robot):
    """Return everything that can be set, and the state of each task, as text."""
    answer = robot.session.link.ask("diagnostics/getTaskParameters")
    known = [(p.owner, p.name, p.value) for p in answer.parameters if not p.read_only]
    return str((known, list(answer.states), list(answer.priorities), robot.state))


def press_everything(page, spared=()):
    """Do all that any page could do, and more."""
    for uuid, element in list(page.gui.items()):
        if element.get("label") in spared or uuid == "command":
            continue
        for value in NASTY:
            page.send("GuiUpdateMessage", uuid=uuid, updates={"value": value})
        page.send("GuiUpdateMessage", uuid=uuid, updates={"disabled": False, "visible": True})
        page.send("GuiUpdateMessage", uuid=uuid, updates={"value": True})
        page.send("GuiFormSubmitMessage", uuid=uuid)
        for _ in range(HOLDS):
            page.send("GuiButtonHoldMessage", uuid=uuid, frequency=FREQUENCY)


def drag(page, name, owner, position=FAR):
    told = {"name": name, "owner": owner}
    page.send("TransformControlsDragStartMessage", **told)
    page.send("TransformControlsUpdateMessage", **told, wxyz=UPRIGHT, position=position)
    page.send("TransformControlsDragEndMessage", **told)


def test_a_page_that_may_only_look_changes_nothing(shown, robot):
    page, other = shown.open(), shown.open()
    page.wait_for(">active<")
    before = settings(robot)
    press_everything(page)
    page.press_stop()
    drag(page, f"/handles/{HAND}", "")
    other.wait_for(">active<")
    assert shown.desk.owner is None
    assert settings(robot) == before


def test_a_page_without_control_changes_nothing_of_one_that_has_it(console, robot, poll):
    owner, page = console.open(), console.open()
    owner.wait_for(">active<")
    take_control(owner)
    arm(owner, console, poll)
    poll(lambda: owner.turns)
    page.wait_for(">active<")
    before = settings(robot)
    press_everything(page, (STOP, "Start recording"))  # these are everybody's
    for name, number in owner.handles.items():
        drag(page, name, number)
    owner.wait_for("asks for it")
    poll(lambda: page.shows("does not have control") or page.shows("not armed"))
    assert settings(robot) == before
    assert console.desk.has(console.desk.owner)
    assert console.desk.is_armed


@pytest.mark.parametrize("place", [math.nan, math.inf, 1e300])
def test_a_goal_that_is_no_place_is_no_goal(console, robot, poll, place):
    page = console.open()
    page.wait_for(">active<")
    take_control(page)
    arm(page, console, poll)
    name = next(name for name in page.handles if HAND in name)
    goal = robot.task(HAND).goal.copy()
    drag(page, name, page.handles[name], (place, 0.0, 0.0))
    page.set("State", "sense")  # the goal of a disabled task is not a number
    page.wait_for(f"{HAND} is sensed")  # it came after
    found = robot.task(HAND).goal
    assert np.isfinite(found).all()
    if not math.isfinite(place):
        np.testing.assert_allclose(found, goal)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff" * 64,
        "text",
        msgspec.msgpack.encode(3),
        msgspec.msgpack.encode({"type": "NoSuchMessage"}),
        msgspec.msgpack.encode({"type": "GuiUpdateMessage", "uuid": 3}),
        msgspec.msgpack.encode({"type": "GuiUpdateMessage", "uuid": "x", "updates": 3}),
        msgspec.msgpack.encode({"type": "ShareUrlRequest"}),
        msgspec.msgpack.encode({"type": "ViewerCameraMessage", "position": [math.nan]}),
    ],
    ids=range(9),
)
def test_what_is_no_message_harms_no_other_page(console, robot, data):
    page, other = console.open(), console.open()
    page.wait_for(">active<")
    page.send_raw(data)
    take_control(other)
    other.set("State", "disable")
    other.wait_for("is disabled")
