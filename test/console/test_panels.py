"""Panels: whatever names, texts and numbers a controller has, the page stays what it is."""

import html
import json
import math
import re
import threading
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("viser", reason="viser is not installed: pip install 'controlit[console]'")

from viser import GuiHtmlHandle, UploadedFile

from controlit_console.bag import BagSeen
from controlit_console.control_desk import ControlDesk
from controlit_console.feed import Note
from controlit_console.gate import Gate
from controlit_console.gated_server import GatedServer
from controlit_console.held_button import TICKS
from controlit_console.joint_row import NO_LIMITS, JointRow
from controlit_console.modes_seen import ModesSeen, ModeView
from controlit_console.page import Page
from controlit_console.panels.page_panels import add_panels
from controlit_console.panels.parts_panel import PartsPanel
from controlit_console.panels.plot_panel import DARK_WORDS, LIGHT_WORDS, PlotPanel
from controlit_console.panels.settings_form import LONGEST
from controlit_console.parts import EventView, ParameterView, PartsSeen, PartView
from controlit_console.seen import NOTHING, DiagnosisSeen, ImuSeen, Seen
from controlit_ros.client import RefusedError

pytestmark = pytest.mark.processes

EVIL = "<img src=x onerror=alert(1)>\"'&"
TAG = re.compile(r"<(/?[a-zA-Z]+)")
OURS = {"b", "br", "col", "colgroup", "div", "img", "polyline", "span", "svg", "table", "td", "th"}
OURS |= {"tr"}
NAN = math.nan


class FakeDesk:
    """A console whose controller takes what it is told."""

    def __init__(self):
        self.control = ControlDesk(lambda: 0.0)
        self.control.enter(1)
        self.robot = SimpleNamespace(modes=SimpleNamespace(request=self.request), task=self.refuse)
        self.asked = []
        self.bag = SimpleNamespace(seen=BagSeen(True, EVIL, 1.0, 1, 1, 0, EVIL))

    def act(self, action):
        action(self.robot)

    def with_robot(self, use):
        return use(self.robot)

    def stop(self):
        return "Stopped."

    def look_again(self):
        pass

    def request(self, name):
        self.asked.append(name)
        return SimpleNamespace(close=lambda: None)

    def refuse(self, name):
        raise RefusedError(f"{name}: {EVIL}")


@pytest.fixture(scope="module")
def server():
    server = GatedServer("127.0.0.1", 0, Gate())
    yield server
    server.stop()


@pytest.fixture
def page(server):
    server.gui.reset()
    camera = SimpleNamespace(image_width=1600, image_height=900)
    client = SimpleNamespace(client_id=1, gui=server.gui, camera=camera, atomic=nullcontext)
    page = Page(client, FakeDesk())
    add_panels(page)
    return page


def contents(page):
    """Return all HTML of a page."""
    handles = page.gui._container_handle_from_uuid.values()
    children = [child for handle in handles for child in handle._children.values()]
    return [child.content for child in children if isinstance(child, GuiHtmlHandle)]


def element(page, label):
    handles = page.gui._gui_input_handle_from_uuid.values()
    return next(handle for handle in handles if getattr(handle, "label", "") == label)


def parameter(name, value, role=""):
    return ParameterView(EVIL, name, "float", (), EVIL, EVIL, False, value, role, ())


def hostile(number):
    """Return a moment with markup for each text, and a number for each number."""
    parameters = (
        parameter(EVIL, number),
        parameter("goal", [number], "goal"),
        parameter("error_norm", number, "error_norm"),
    )
    wrench = parameter("wrench", [number] * 6)
    part = PartView(EVIL, EVIL, EVIL, 1, (*parameters, wrench))
    modes = ModesSeen((ModeView(EVIL, EVIL, False, EVIL),), EVIL, "", EVIL, EVIL, EVIL, EVIL)
    return Seen(
        1.0,
        EVIL,
        EVIL,
        EVIL,
        PartsSeen(
            (part,), (part,), (EVIL,), EVIL, (), (EventView(EVIL, True, True, 1),), modes, (part,)
        ),
        (JointRow(EVIL, number, number, number, NO_LIMITS._replace(lower=-1.0, upper=1.0)),),
        number,
        number,
        {EVIL: number},
        None,
        (Note(0.0, EVIL, EVIL),),
        {f"{EVIL}.{EVIL}": number},
        ImuSeen((number,) * 3, (number,) * 3),
        (DiagnosisSeen(EVIL, EVIL, EVIL, ((EVIL, EVIL),)),),
    )


@pytest.mark.parametrize("number", [0.5, NAN, math.inf, -math.inf])
def test_no_text_of_a_controller_becomes_markup(page, caplog, number):
    page.message = EVIL
    page.show(hostile(number))
    page.show(hostile(number)._replace(time=2.0))
    assert not caplog.records  # every panel was shown
    shown = "".join(contents(page))
    assert html.escape(EVIL) in shown
    assert EVIL not in shown
    assert {tag.strip("/") for tag in TAG.findall(shown)} <= OURS
    assert "onerror" not in re.sub(r"&lt;.*?&gt;", "", shown)


def test_a_panel_that_fails_takes_no_other_with_it(page, caplog):
    page.panels.insert(0, SimpleNamespace(show=lambda seen: 1 / 0))
    for _ in range(3):
        page.show(NOTHING._replace(name="the arm"))
    assert "the arm" in "".join(contents(page))
    assert len(caplog.records) == 1


def test_one_wish_at_a_time(page):
    page.desk.control.ask(1)
    begun, ends = threading.Event(), threading.Event()

    def wait(_robot):
        begun.set()
        ends.wait()

    first = threading.Thread(target=page.act, args=(wait, "Done."))
    first.start()
    begun.wait()
    assert not page.act(lambda _robot: None, "Done.")
    assert "still under way" in page.message
    ends.set()
    first.join()
    assert page.message == "Done."


def test_a_refusal_is_told_in_the_words_of_the_controller(page):
    page.desk.control.ask(1)
    assert not page.act(lambda robot: robot.task("Hand"), "Done.")
    assert page.message == f"Refused: Hand: {EVIL}"


MODES = ModesSeen(
    (
        ModeView("hold", "", True, ""),
        ModeView("ready", "", True, ""),
        ModeView("work", "", False, "Posture.error_norm < 0.05 does not hold"),
    ),
    "hold",
    "hold",
    "work",
    "refused",
    "it took too long",
    "<svg></svg>",
)


def in_modes():
    return NOTHING._replace(parts=PartsSeen(modes=MODES))


def usable(page):
    names = ("hold", "ready", "work")
    return [name for name in names if not element(page, f"Hold for {name}").disabled]


def test_only_modes_that_may_follow_can_be_asked_for(page):
    page.show(in_modes())
    assert usable(page) == []  # nobody has control
    page.desk.control.ask(1)
    page.show(in_modes())
    assert usable(page) == ["ready"]
    shown = "".join(contents(page))
    assert "Posture.error_norm &lt; 0.05 does not hold" in shown
    assert "it took too long" in shown
    assert "data:image/svg+xml;base64," in shown


def test_the_picture_of_modes_is_dark_on_a_dark_page(page):
    page.show(in_modes())
    assert "filter:invert" not in "".join(contents(page))
    page.is_dark = True
    page.show(in_modes())
    assert "filter:invert" in "".join(contents(page))


def test_a_mode_is_asked_for_once_motion_is_armed_and_the_button_held(page, monkeypatch):
    now = [0.0]
    monkeypatch.setattr(
        "controlit_console.held_button.time", SimpleNamespace(monotonic=lambda: now[0])
    )
    page.desk.control.ask(1)
    page.show(in_modes())
    (tick,) = element(page, "Hold for ready")._button_impl.hold_cbs_from_freq[TICKS]

    def hold():
        now[0] += 10.0  # since it was held last
        for _ in range(15):
            now[0] += 1.0 / TICKS
            tick(None)

    hold()
    assert page.desk.asked == []
    assert "not armed" in page.message
    page.desk.control.arm(1, armed=True)
    tick(None)
    assert page.desk.asked == []
    hold()
    assert page.desk.asked == ["ready"]


def test_without_modes_there_are_no_buttons(page):
    page.show(in_modes())
    page.show(NOTHING)
    assert "The controller has no modes." in "".join(contents(page))
    with pytest.raises(StopIteration):
        element(page, "Hold for ready")


def test_words_of_a_plot_follow_the_look_of_the_page(page):
    (panel,) = [panel for panel in page.panels if isinstance(panel, PlotPanel)]
    moment = NOTHING._replace(numbers={"Hand.error_norm": 0.5})
    for is_dark, words in ((False, LIGHT_WORDS), (True, DARK_WORDS)):
        page.is_dark = is_dark
        page.show(moment)
        assert {axis["stroke"] for axis in panel._plot.axes} == {words}


def with_a_hand(page):
    """Return a moment of a task that has goals of three numbers."""
    page.desk.robot.task = lambda _name: SimpleNamespace(goal=np.zeros(3))
    hand = PartView("Hand", "Cartesian", "enable", 0, (parameter("goal", [0.0] * 3, "goal"),))
    return NOTHING._replace(parts=PartsSeen((hand,)))


def load(page, **changes):
    path = {"task": "Hand", "times": [0.0, 1.0], "goals": [[0.0] * 3] * 2, **changes}
    upload = element(page, "Load a path")._impl
    upload.value = UploadedFile("p.json", json.dumps(path).encode())
    for tell in upload.update_cb:
        tell(None)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"task": "Nose"}, "found &#x27;Nose&#x27;, expected one of Hand"),
        ({"goals": [[0.0] * 2] * 2}, "found 2 numbers in each, expected 3 for Hand"),
        ({"times": [1.0, 0.0]}, "times: expected numbers that increase"),
    ],
)
def test_a_path_that_no_task_can_follow_is_refused_in_words(page, changes, told):
    page.show(with_a_hand(page))
    load(page, **changes)
    page.show(with_a_hand(page))
    assert told in "".join(contents(page))
    assert page.player.path is None


def test_a_path_tells_what_playing_it_needs(page):
    page.show(with_a_hand(page))
    load(page)
    page.show(with_a_hand(page))
    assert "Loaded 2 goals of Hand." in page.message
    assert "take control and arm motion" in "".join(contents(page))
    assert element(page, "Hold to play").disabled
    page.desk.control.ask(1)
    page.desk.control.arm(1, armed=True)
    page.show(with_a_hand(page))
    assert "held again, it goes on" in "".join(contents(page))
    assert not element(page, "Hold to play").disabled


@pytest.mark.parametrize(
    ("force", "told", "not_told"),
    [(NAN, "nobody tells it", "expected"), (1.0, "expected", "nobody")],
)
def test_what_nobody_tells_is_not_called_expected(page, force, told, not_told):
    wrench = ParameterView("Sole", "wrench", "float", (6,), "N", "", True, [force] * 6, "", ())
    sole = PartView("Sole", "FlatContact", "enable", None, (wrench,))
    page.show(NOTHING._replace(parts=PartsSeen((), (sole,))))
    (sensors,) = (text for text in contents(page) if "Sole" in text and "FlatContact" not in text)
    assert told in sensors
    assert not_told not in sensors


def test_names_of_joints_differ_where_they_are_too_long(page):
    names = ("left_shoulder_extensor", "left_shoulder_abductor", "left_elbow")
    joints = tuple(JointRow(name, 0.0, 0.0, 0.0, NO_LIMITS) for name in names)
    page.show(NOTHING._replace(joints=joints))
    (told,) = (text for text in contents(page) if "left_elbow" in text)
    shown = re.findall(r'title="(left_[^"]*)">([^<]*)<', told)
    assert [name for name, _ in shown] == list(names)
    assert [text for _, text in shown] == [
        "left_sh…er_extensor",
        "left_sh…er_abductor",
        "left_elbow",
    ]


def test_a_text_that_is_too_long_goes_nowhere(page):
    page.desk.control.ask(1)
    gain = ParameterView("Hand", "kp", "float", (3,), "", "", False, [1.0] * 3, "", ())
    hand = PartView("Hand", "CartesianPosition", "enable", 1, (gain,))
    page.show(NOTHING._replace(parts=PartsSeen((hand,))))
    element(page, "kp").value = "1" * (LONGEST + 1)
    form = next(panel for panel in page.panels if isinstance(panel, PartsPanel))._form
    form._apply()
    assert f"found {LONGEST + 1} characters" in page.message
