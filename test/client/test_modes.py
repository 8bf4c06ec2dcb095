"""Modes as a program sees and asks for them."""

import itertools
from xml.etree import ElementTree as ET

import pytest
from modal_pendulum import modal_pendulum
from patience import GENEROUS

from controlit_ros.client import MotionError, MotionState, RefusedError, UnknownNameError
from controlit_ros.client.mode_picture import ENTERED, PRESENT, ModeWay, mode_dot, mode_picture

SVG = "{http://www.w3.org/2000/svg}"
PANEL = 390  # [px] width of a panel, and of a phone


@pytest.fixture
def robot(make_servo, meet, tmp_path):
    servo = make_servo(modal_pendulum(tmp_path))
    return meet(servo, "pendulum")


def test_modes_are_asked_for_and_told(robot):
    modes = robot.modes
    assert modes.names == ["rest", "work", "home", "soft", "limp", "halt"]
    assert (modes.current, modes.asked, modes.commands) == ("rest", "rest", [])
    assert modes.allowed == ["work", "home", "soft"]
    assert modes.reasons == {
        name: f"no transition leads from rest to {name}: expected work, home, soft"
        for name in ("limp", "halt")
    }
    modes.request("work").wait()
    assert (modes.current, modes.commands) == ("work", ["Posture"])
    assert ModeWay("limp", "soft", through="work") in modes.ways
    robot.task("Posture").goal = 0.5


def test_what_is_not_possible_is_an_error(robot):
    with pytest.raises(UnknownNameError, match="did you mean 'work'"):
        robot.modes.request("wrok")
    with pytest.raises(RefusedError, match="no transition leads from rest to limp"):
        robot.modes.request("limp")
    with pytest.raises(RefusedError, match="is not taken in mode rest"):
        robot.parameters["Posture.goal_position"] = 0.5
    assert robot.modes.current == "rest"


def test_a_motion_that_the_mode_does_not_take_ends_with_the_reason(robot):
    motion = robot.task("Posture").move_to(0.5, duration=1.0)
    reason = "goals of Posture are not taken in mode rest, which takes no commands"
    with pytest.raises(MotionError, match=reason):
        motion.wait(timeout=GENEROUS)
    robot.modes.request("work").wait()
    motion = robot.task("Posture").move_to(0.5, duration=0.2)
    assert motion.wait(timeout=GENEROUS) is MotionState.ARRIVED
    assert robot.task("Posture").goal[0] == pytest.approx(0.5)


def test_a_mode_that_comes_meanwhile_ends_the_motion(robot):
    robot.modes.request("work").wait()
    motion = robot.task("Posture").move_to(0.5, duration=50.0)
    robot.modes.request("halt").wait()
    with pytest.raises(MotionError, match="not taken in mode halt"):
        motion.wait(timeout=GENEROUS)
    assert robot.task("Posture").goal[0] < 0.5


def test_a_controller_without_modes_says_so(still, meet):
    with pytest.raises(RefusedError, match="this controller has no modes"):
        _ = meet(still).modes.names


def test_the_picture_shows_every_mode_and_way(robot):
    picture = ET.fromstring(robot.modes.picture())
    texts = ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]
    assert texts == robot.modes.names
    ways = [title.text for title in picture.iter(f"{SVG}title")]
    direct = [way for way in robot.modes.ways if not way.through]
    assert len(ways) == len(direct)
    assert "rest to work" in ways
    present = [rect for rect in picture.iter(f"{SVG}rect") if rect.get("fill") == PRESENT]
    assert len(present) == 1


def test_pictures_of_few_modes_and_odd_conditions():
    ways = [ModeWay("a", "b", 'x < 1 && y == "z"', automatic=True)]
    picture = mode_picture(["a", "b"], ways, "a", "b")
    assert ENTERED in picture
    assert "stroke-dasharray" in picture
    ET.fromstring(picture)
    assert '"a" -> "b" [style=dashed, label="x < 1 && y == \'z\'"];' in mode_dot(["a", "b"], ways)
    ET.fromstring(mode_picture(["alone"], []))


@pytest.mark.parametrize("count", [1, 2, 3, 5, 12, 20])
def test_boxes_of_modes_stand_apart_within_the_picture(count):
    names = [f"mode_manipulate_{i}" for i in range(count)]
    picture = ET.fromstring(mode_picture(names, []))
    size = float(picture.get("width"))
    boxes = [
        [float(rect.get(key)) for key in ("x", "y", "width", "height")]
        for rect in picture.iter(f"{SVG}rect")
        if rect.get("rx")
    ]
    assert len(boxes) == count
    for x, y, width, height in boxes:
        assert 0.0 <= x <= size - width
        assert 0.0 <= y <= size - height
    for (x1, y1, width, height), (x2, y2, *_) in itertools.combinations(boxes, 2):
        assert abs(x1 - x2) > width or abs(y1 - y2) > height


def test_a_dozen_modes_can_be_read_on_a_panel():
    names = ["prep", "idle", "stand", "stand_manipulate", "step", "step_manipulate", "walk"]
    names += ["walk_manipulate", "soft_stop", "freeze_arms", "freeze", "fall"]
    picture = ET.fromstring(mode_picture(names, []))
    shown = PANEL / float(picture.get("width")) * float(picture.get("font-size"))
    assert shown > 11.0
    lines = [span.text for span in picture.iter(f"{SVG}tspan")]
    assert lines[3:5] == ["stand_", "manipulate"]
