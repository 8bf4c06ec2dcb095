"""The page in a real browser: what its operator sees and does. `make test-browser` runs it."""

import contextlib
import os
import re

import numpy as np
import pytest
from patience import GENEROUS

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")
pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make test-browser")

from playwright.sync_api import expect, sync_playwright
from served_console import LivingServo, ServedConsole
from viser.transforms import SO3

from controlit_console.goal_handles import HandleBoard, tasks_of
from controlit_ros.client import connect
from controlit_ros.transport.local import LocalTransport

BROWSER = os.environ.get("CONTROLIT_BROWSER", "")
pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(not BROWSER, reason="no browser is named: make test-browser"),
]

TASK = "RightHandPosition"  # the one that the page shows first
TOKEN = "letmein"
SOFTWARE = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
WINDOW = {"width": 1100, "height": 800}
COARSE = 0.25  # [-] pixels of the picture for one of the page: drawn without a graphics card
PATIENCE = 1e3 * GENEROUS  # [ms]
NEAR = np.array([0.8, -0.8, 0.5])  # [m] from a hand to the camera that looks at it
ABOVE = np.array([0.0, 0.0, 0.1])  # [m] that the hand is above the middle, where no panel is
TIP = 0.2  # [m] along an arrow of a handle, within its head
FAR = 80.0  # [px] of a drag
A_WHILE = 1e4  # [ms] after which something is done again
HELD = 3e3  # [ms] a page that draws slowly tells of it late
TRIES = 20  # [#]
STEPS = 8  # [#] of the mouse in a drag
ARRIVED = 0.005  # [m]
MODES = """
modes:
  initial: work
  states:
    - {name: work, tasks: [RightHandPosition, LeftHandPosition, Posture]}
    - {name: rest, tasks: [Posture], latch: [Posture], commands: []}
  transitions:
    - {out_of: [work], into: rest}
    - {out_of: [rest], into: work}
"""


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as runner:
        browser = runner.chromium.launch(executable_path=BROWSER, args=list(SOFTWARE))
        yield browser
        browser.close()


@pytest.fixture
def in_modes(hands_yaml, tmp_path, request, monkeypatch):
    file = tmp_path / "modes.yaml"
    file.write_text(hands_yaml.read_text() + MODES)
    living = LivingServo(file, request.node.nodeid, monkeypatch)
    yield living
    living.end()


@pytest.fixture
def network(request):
    transport = LocalTransport("operator", domain=request.node.nodeid)
    yield transport
    transport.close()


@pytest.fixture
def robot(living, network):
    with connect(None, timeout=GENEROUS, transport=network) as robot:
        yield robot


@pytest.fixture
def console_of_modes(in_modes, network, poll):
    served = ServedConsole(network, poll)
    yield served
    served.close()


@pytest.fixture
def opening(browser):
    """Opens the page of a console, and closes it in the end."""
    pages = []

    def open_one(console):
        page = browser.new_page(viewport=WINDOW, device_scale_factor=COARSE)
        pages.append(page)
        page.set_default_timeout(PATIENCE)
        page.goto(f"http://127.0.0.1:{console.port}/", wait_until="commit")
        is_there(page, "active")
        return page

    yield open_one
    for page in pages:
        page.close()


@pytest.fixture
def open_page(opening, console):
    return lambda: opening(console)


@pytest.fixture
def page(open_page):
    return open_page()


def is_there(page, text, timeout=PATIENCE):
    """Wait for a text; a single word is a state, and alone: `inactive` is not `active`."""
    wanted = re.compile(rf"^{text}$") if text.isalpha() else text
    expect(page.get_by_text(wanted).first).to_be_attached(timeout=timeout)


def press(page, name, text):
    """Press a button until a text is there: a page that is busy drawing loses clicks."""
    repeat(page, lambda: click(page, name), text)


def repeat(page, act, text):
    for _ in range(TRIES):
        act()
        with contextlib.suppress(AssertionError):
            return is_there(page, text, A_WHILE)
    return is_there(page, text)


def click(page, name):
    """Click a button where it can be clicked, however busy the picture is."""
    button = page.get_by_role("button", name=name, exact=True)
    if button.count() and button.first.is_enabled():
        button.first.dispatch_event("click")


def hold(page, button):
    """Keep a button down for a while, with the mouse."""
    box = button.bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.down()
    page.wait_for_timeout(HELD)
    page.mouse.up()


def take_control(page):
    is_there(page, "nobody has control")
    press(page, "Take control", "(this one) has control")


def arm(page, console, poll):
    box = page.get_by_label("Arm motion")

    def is_armed():
        if not console.desk.is_armed and box.is_enabled() and not box.is_checked():
            box.dispatch_event("click")
            page.wait_for_timeout(A_WHILE)
        return console.desk.is_armed

    poll(is_armed)


def edit(page, label, text, told):
    """Write into a field and apply it, until the page tells something of it."""

    def write():
        field = page.locator(f'//label[normalize-space(.)="{label}"]/following::input[1]')
        expect(field).to_be_enabled(timeout=PATIENCE)
        field.fill(text)
        click(page, "Apply")

    repeat(page, write, told)


def look_at(camera, place):
    camera.position = place + NEAR - ABOVE
    camera.look_at = place - ABOVE


def in_picture(camera, canvas, place):
    """Return where on the page a place of the world is, `(2,)` [px]."""
    right, down, forward = SO3(np.array(camera.wxyz)).inverse() @ (place - camera.position)
    height = canvas["height"] / (2.0 * np.tan(0.5 * camera.fov))
    middle = canvas["x"] + 0.5 * canvas["width"], canvas["y"] + 0.5 * canvas["height"]
    return np.array(middle) + height * np.array([right, down]) / forward


def drag_an_arrow(page, camera, handle):
    """Drag a handle and let it go."""
    hold_an_arrow(page, camera, handle)
    page.mouse.up()


def hold_an_arrow(page, camera, handle):
    """Drag a handle along that of its arrows that is longest on the picture; it stays held."""
    canvas = page.locator("canvas").first.bounding_box()
    arrows = TIP * SO3(np.array(handle.wxyz)).as_matrix().T
    root, *tips = (
        in_picture(camera, canvas, handle.position + offset) for offset in (np.zeros(3), *arrows)
    )
    tip = max(tips, key=lambda tip: np.linalg.norm(tip - root))
    end = tip + FAR * (tip - root) / np.linalg.norm(tip - root)
    page.mouse.move(*tip)
    page.mouse.down()
    page.mouse.move(*end, steps=STEPS)


def handle_in_sight(page, console, robot, poll, place):
    """Look at where the goal of `TASK` is; return the camera and the handle that drags it."""
    board = HandleBoard(robot.session.link)
    board.ask()
    board.close()
    (client,) = console.server.get_clients().values()
    poll(lambda: client.camera.fov > 0.0)
    look_at(client.camera, place)
    return client.camera, next(pose for name, pose in board.poses.items() if TASK in tasks_of(name))


def test_nothing_is_changed_without_control(page, robot):
    press(page, "disable", "does not have control")
    assert robot.task(TASK).state == "enable"


def test_a_task_is_disabled_and_enabled(page, robot):
    take_control(page)
    press(page, "disable", f"{TASK} is disabled.")
    assert robot.task(TASK).state == "disable"
    press(page, "enable", f"{TASK} is enabled.")
    assert robot.task(TASK).state == "enable"


def test_a_gain_is_changed_and_a_bad_one_refused_in_the_servos_words(page, robot):
    take_control(page)
    edit(page, "kp [1/s²]", "[81, 81, 81]", f"Set {TASK}.kp")
    assert list(robot.parameters[f"{TASK}.kp"]) == [81.0] * 3
    edit(page, "kp [1/s²]", "-5", "found -5")
    assert list(robot.parameters[f"{TASK}.kp"]) == [81.0] * 3


def test_a_goal_is_dragged_and_the_simulated_hand_arrives(page, console, living, robot, poll):
    take_control(page)
    arm(page, console, poll)
    task = living.servo.tasks[TASK]
    begin = task.goal.value.copy()
    camera, handle = handle_in_sight(page, console, robot, poll, begin)

    def is_dragged():  # the page draws when it can: it has perhaps no handle yet
        drag_an_arrow(page, camera, handle)
        return np.linalg.norm(task.goal.value - begin) > 10.0 * ARRIVED

    poll(is_dragged)
    goal = f"{TASK}.goal_position"
    poll(lambda: np.linalg.norm(np.array(robot.parameters[goal]) - begin) > ARRIVED)
    poll(lambda: np.linalg.norm(task.actual.value - task.goal.value) < ARRIVED)
    assert np.linalg.norm(task.actual.value - begin) > 5.0 * ARRIVED


def test_the_space_bar_stops(page, console, robot, poll):
    take_control(page)
    arm(page, console, poll)
    repeat(page, lambda: page.keyboard.press("Space"), "Stopped: the goals are where the robot is")
    assert not console.desk.is_armed
    assert robot.state == "active"


@pytest.mark.parametrize("focused", ["Arm motion", "Give control away", "Task"])
def test_the_space_bar_stops_whatever_has_the_focus(page, console, poll, focused):
    """A box would be ticked by it, a button pressed, a list opened."""
    take_control(page)
    arm(page, console, poll)
    element = page.get_by_label(focused).or_(page.get_by_role("button", name=focused)).first

    def press_space():
        element.focus()
        page.keyboard.press("Space")

    repeat(page, press_space, "Stopped: the goals are where the robot is")
    assert not console.desk.is_armed
    assert console.desk.owner is not None  # the button that had the focus was not pressed


def test_a_blank_in_a_field_is_a_blank_and_ctrl_with_it_stops(page, console, poll):
    take_control(page)
    arm(page, console, poll)
    field = page.locator('//label[normalize-space(.)="kp [1/s²]"]/following::input[1]')
    expect(field).to_be_enabled(timeout=PATIENCE)
    field.fill("")
    field.focus()
    page.keyboard.type("[81, 81, 81]")
    expect(field).to_have_value("[81, 81, 81]", timeout=PATIENCE)
    assert console.desk.is_armed

    def press():
        field.focus()
        page.keyboard.press("Control+Space")

    repeat(page, press, "Stopped: the goals are where the robot is")
    assert not console.desk.is_armed


def test_the_red_button_stops(page, console, robot, poll):
    take_control(page)
    arm(page, console, poll)
    press(page, "Soft stop  (space)", "Stopped: the goals are where the robot is")
    assert not console.desk.is_armed
    assert robot.state == "active"


def test_what_a_lost_page_held_stops(page, console, living, robot, poll):
    take_control(page)
    arm(page, console, poll)
    task = living.servo.tasks[TASK]
    begin = task.goal.value.copy()
    camera, handle = handle_in_sight(page, console, robot, poll, begin)

    other = console.open()  # after the page has been looked for: it has a camera as well

    def is_held():
        page.mouse.up()
        hold_an_arrow(page, camera, handle)
        return np.linalg.norm(task.goal.value - begin) > 10.0 * ARRIVED

    poll(is_held)
    page.close()  # in the middle of the drag
    other.wait_for("is gone. Stopped")
    assert not console.desk.is_armed


def test_a_mode_is_asked_for_and_entered(opening, console_of_modes, network, poll):
    page = opening(console_of_modes)
    take_control(page)
    arm(page, console_of_modes, poll)
    rest = page.get_by_role("button", name="Hold for rest", exact=True)

    def is_resting():
        page.get_by_role("tab", name="Modes").first.click(force=True)
        with contextlib.suppress(AssertionError):
            expect(rest).to_be_enabled(timeout=A_WHILE)
            hold(page, rest)
        return robot.task(TASK).state == "disable"

    with connect(None, timeout=GENEROUS, transport=network) as robot:
        poll(is_resting)


def test_of_two_pages_one_has_control(open_page):
    first, second = open_page(), open_page()
    take_control(first)
    press(second, "Ask for control", "was asked for it")
    is_there(first, "asks for it")
    press(first, "Hand control over", "Control was given away.")
    is_there(second, "(this one) has control")
    second.close()
    is_there(first, "nobody has control")


def test_a_servo_that_is_lost_is_seen_to_return(page, living, hands_yaml, request, monkeypatch):
    living.end()
    is_there(page, "lost")
    again = LivingServo(hands_yaml, request.node.nodeid, monkeypatch)
    try:
        is_there(page, "active")
    finally:
        again.end()


def test_a_page_is_shown_to_who_has_the_token(browser, network, poll):
    served = ServedConsole(network, poll, TOKEN)
    page = browser.new_page(viewport=WINDOW, device_scale_factor=COARSE)
    page.set_default_timeout(PATIENCE)
    address = f"http://127.0.0.1:{served.port}/"
    for query, found in (("", "no token"), ("?token=guess", "a wrong token")):
        answer = page.goto(address + query, wait_until="commit")
        assert answer.status == 403
        is_there(page, f"found {found}")
    page.goto(f"{address}?token={TOKEN}", wait_until="commit")
    is_there(page, "nobody has control")
    assert TOKEN not in page.url
    page.close()
    served.close()
