"""The tutorials: their programs run in step with the controllers that their pages start."""

import re
import runpy
import sys

import numpy as np
import pytest
from lock_step import LockStep
from robots_for_tests import REPOSITORY

from controlit_demos.disassembly.scene_view import scene_view
from controlit_ros import installed
from controlit_ros.cli.main import main as controlit
from controlit_ros.client import connect

pytestmark = pytest.mark.simulation

FOLDER = REPOSITORY / "examples" / "tutorials"
PAGES = REPOSITORY / "docs" / "tutorials"
HANDS = REPOSITORY / "config" / "dreamer" / "hands.yaml"
DISASSEMBLY = REPOSITORY / "config" / "dreamer" / "disassembly.yaml"
BENT = {"simulator.initial_position": {"shoulder": 0.6, "elbow": 1.2, "wrist": 0.5}}
STORED = (0.42, -0.40, 1.00)  # [m] where the tube belongs
NAMES = ("1_first_motion", "2_your_robot", "3_your_task", "4_state_machine", "5_pick_and_place")


@pytest.fixture
def make_servo(request):
    """Make controllers in a domain of the test; stop them afterwards."""
    made = []

    def make(file, **overrides):
        made.append(LockStep(file, request.node.nodeid, **overrides))
        return made[-1]

    yield make
    for servo in made:
        servo.stop()


@pytest.fixture
def play():
    """Run the program of a tutorial in step with a servo; return what its `main` returns."""

    def run(name, servo):
        program = runpy.run_path(str(FOLDER / f"{name}.py"))
        with connect(program["CONTROLLER"], transport=servo.network, beat=servo) as robot:
            return program["main"](robot)

    return run


NUMBER = re.compile(r"-?\d+\.\d+")


def check_output(name, printed, within):
    """Compare what a program printed with what its page shows, numbers within a tolerance."""
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    (shown,) = re.findall(rf"{name}\.py\n.*?^```\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert NUMBER.sub("#", printed) == NUMBER.sub("#", shown)
    numbers, expected = (list(map(float, NUMBER.findall(text))) for text in (printed, shown))
    assert numbers == pytest.approx(expected, abs=within)


def test_first_motion(make_servo, play, capsys):
    servo = make_servo(HANDS)
    play("1_first_motion", servo)
    told = capsys.readouterr().out
    check_output("1_first_motion", told, within=0.006)
    places = re.findall(r"(-?\d\.\d+), (-?\d\.\d+), (-?\d\.\d+)", told)
    home, out, around, back = ([float(number) for number in place] for place in places)
    assert out == pytest.approx([home[0] + 0.15, home[1] - 0.05, home[2] + 0.10], abs=0.006)
    assert around == pytest.approx(out, abs=0.006)
    assert back == pytest.approx(home, abs=0.006)


def test_your_robot(make_servo, play, tmp_path, capsys):
    file = tmp_path / "arm.yaml"
    assert controlit(["new", "robot", str(FOLDER / "arm.urdf"), "-o", str(file)]) == 0
    servo = make_servo(file, **BENT)
    hand = servo.tasks["HandPosition"]
    corner, reached = hand.actual.value.copy(), []
    step = servo.step

    def watched():
        step()
        reached.append(hand.actual.value - corner)

    servo.step = watched
    capsys.readouterr()
    why = play("2_your_robot", servo)
    check_output("2_your_robot", capsys.readouterr().out, within=0.02)
    assert "no posture was found" in " ".join(why)
    assert servo.node.state.value == "active"
    for offset in ((0.0, 0.1, 0.0), (0.0, 0.1, 0.1), (0.0, 0.0, 0.1)):
        assert min(abs(place - offset).max() for place in reached) < 0.005


def test_your_task(make_servo, play, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(installed, "_registered", [])
    monkeypatch.chdir(tmp_path)
    assert controlit(["new", "task", "elbow_height"]) == 0
    package = tmp_path / "elbow_height"
    monkeypatch.syspath_prepend(str(package))
    module = __import__("elbow_height.elbow_height").elbow_height
    installed.register("controlit.tasks", module.ElbowHeight)
    try:
        servo = make_servo(package / "elbow_height" / "elbow_height.yaml")
        play("3_your_task", servo)
    finally:
        for name in [name for name in sys.modules if name.partition(".")[0] == "elbow_height"]:
            del sys.modules[name]
    told = capsys.readouterr().out
    check_output("3_your_task", told[told.index("the right elbow") :], within=1.0)
    rises = re.findall(r"elbow rose by (\d+\.\d) mm", told)
    assert [float(rise) for rise in rises] == pytest.approx([30.0, 30.0], abs=3.0)
    assert [task.name for task in servo.node.stack.tasks.tasks] == ["Elbow", "Posture"]


def test_a_state_machine(make_servo, play):
    """The left hand is raised by somebody else on the way."""
    servo = make_servo(HANDS)
    somebody = connect("dreamer_controller", transport=servo.network, beat=servo)
    left = somebody.task("LeftHandPosition")
    low, begin, step = left.goal, servo.now(), servo.step
    moves = [(5.0, low + np.array([0.0, 0.0, 0.08])), (9.0, low)]

    def with_somebody():
        if moves and servo.now() - begin > moves[0][0]:
            left.move_to(moves.pop(0)[1], duration=1.0)
        step()

    servo.step = with_somebody
    states = play("4_state_machine", servo)
    somebody.close()
    assert states.count("waiting") == 1
    before, after = (states.index("waiting") + step for step in (-1, 1))
    assert states[before].startswith("going")
    assert states[after] == "going home"
    assert len(states) >= 10
    assert [event.name for event in servo.node.stack.events] == [
        "RightHandConverged",
        "LeftHandConverged",
    ]


def test_pick_and_place(make_servo, play, capsys):
    servo = make_servo(DISASSEMBLY)
    view = scene_view(servo.stack)
    capsys.readouterr()
    assert play("5_pick_and_place", servo)
    check_output("5_pick_and_place", capsys.readouterr().out, within=0.0)
    tube = view.read()["tube"]
    assert tube[:3] == pytest.approx(STORED, abs=0.003)


@pytest.mark.parametrize("name", NAMES)
def test_pages_show_what_runs(name):
    """Each page names its program, and shows parts of it that are there."""
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    program = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    assert f"../../examples/tutorials/{name}.py" in page
    for part in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        for line in part.splitlines():
            assert line.strip() in program, line


def test_every_tutorial_is_listed():
    assert sorted(path.stem for path in FOLDER.glob("*.py")) == sorted(NAMES)
    for listed in (PAGES / "README.md", REPOSITORY / "README.md"):
        text = listed.read_text(encoding="utf-8")
        assert all(f"{name}.md" in text for name in NAMES)
