"""Every Python program of the pages runs, on the controller that its page starts.

A block runs as it stands, in simulated time. Names that a page has introduced before (`robot`,
`hand`) are there, and all that `controlit_ros.client` exports.
"""

import asyncio
import math
import re
import sys
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import numpy as np
import pytest
from robots_for_tests import needs_example_robots

import controlit_ros.client
from controlit_ros import installed
from controlit_ros.client import Motion, MotionState, motions, names
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.scripting import SimulatedController, register
from controlit_ros.tasks import Shape, ShapeKind

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
)  # the tutorials' are those of examples/tutorials, see examples/test_tutorials.py
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
ELSEWHERE = {
    "CONTRIBUTING.md": "tasks/test_contributing_example.py",
    "inequalities.md": "inequalities/test_plugin.py",
}
"""Pages whose programs are plugins, and the tests that install and run them."""

HANDS, WALK = "dreamer/hands.yaml", "talos/walk.yaml"
FILES = {
    "client.md": HANDS,
    "bindings.md": HANDS,
    "introspection.md": HANDS,
    "controllers.md": "dreamer/hands_qp.yaml",
    "scenes.md": "dreamer/disassembly.yaml",
    "scripting.md": HANDS,
    "walking.md": WALK,
}
"""Controllers that the pages start."""
MODES = "panda/modes.yaml"


class Program(NamedTuple):
    """A block of a page."""

    page: str
    line: int
    text: str

    @property
    def file(self):
        return MODES if "robot.modes" in self.text else FILES.get(self.page)


def programs():
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            line = text.count("\n", 0, block.start(1))
            found.append(Program(page.name, line, "\n" * line + block[1]))
    return found


PROGRAMS = programs()
ALL = pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: f"{p.page}:{p.line}")


def test_the_pages_with_programs_are_known():
    """A page with a new program says here which controller it starts."""
    pages = {program.page for program in PROGRAMS}
    assert pages == {*FILES, *ELSEWHERE, "ros2.md"}
    for test in ELSEWHERE.values():
        assert (ROOT / "test" / test).is_file()


@ALL
def test_it_is_python(program):
    compile(program.text, program.page, "exec")


@pytest.fixture
def play(monkeypatch):
    """Run a program with the controller of its page; return its names."""
    monkeypatch.setattr(installed, "_registered", [])
    with ExitStack() as opened:

        def run(program, **known):
            controller = opened.enter_context(SimulatedController(ROOT / "config" / program.file))
            name = controller.stack.configuration.name

            def connect(wanted=None, **options):
                if wanted in (None, name):
                    return names.connect(controller, **options)
                assert isinstance(wanted, SimulatedController), f"the page starts {name}"
                return names.connect(wanted, **options)

            monkeypatch.setattr(controlit_ros.client, "connect", connect, raising=False)
            robot = opened.enter_context(connect())
            space = {key: getattr(names, key) for key in names.__all__}
            space |= {"asyncio": asyncio, "math": math, "connect": connect, "robot": robot}
            space |= {"controller": controller, **known}
            space |= {"stack": controller.stack, "Shape": Shape, "ShapeKind": ShapeKind}
            if program.file == MODES:  # the page on modes leads here
                robot.modes.request("hold").wait()
            if "RightHandPosition" in robot.tasks:
                space["hand"] = robot.task("RightHandPosition")
            exec(compile(program.text, program.page, "exec"), space)
            return space

        yield run


def of(page, words=""):
    """Return the programs of a page, or those with some words in them."""
    return [p for p in PROGRAMS if p.page == page and words in p.text]


def each(*pages):
    found = [program for page in pages for program in of(page)]
    return pytest.mark.parametrize("program", found, ids=lambda p: f"{p.page}:{p.line}")


@pytest.mark.simulation
@needs_example_robots
@each("scripting.md", "bindings.md", "introspection.md", "scenes.md")
def test_it_runs_to_its_end(program, play):
    play(program)


@pytest.mark.simulation
@needs_example_robots
@each("client.md")
def test_motions_of_the_client_page_end_as_it_says(program, play):
    """Those that are not told to fall short arrive."""
    states = []

    class Watched(Motion):
        def _end(self, state):
            states.append(state)
            super()._end(state)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(motions, "Motion", Watched)
        play(program)
    falls_short = "MotionState.SHORT" in program.text
    expected = MotionState.SHORT if falls_short else MotionState.ARRIVED
    assert set(states) <= {expected, MotionState.REPLACED}


@pytest.mark.simulation
@needs_example_robots
def test_steps_of_the_page_on_walking_are_made(play):
    (program,) = of("walking.md", "make_steps")
    space = play(program)
    assert space["controller"].stack.behaviours[0].steps_made.value >= 2
    for side, place in (("left", 0.085), ("right", -0.085)):
        foot = names.connect(space["controller"]).frame(f"{side}_sole_link").position
        np.testing.assert_allclose(foot[:2], [0.2, place], atol=0.02)


@needs_example_robots
def test_the_behaviour_of_the_page_on_walking_moves_the_robot(monkeypatch):
    (program,) = of("walking.md", "class Breathing")
    monkeypatch.setattr(installed, "_registered", [])
    module = ModuleType("breathing")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(program.text, program.page, "exec"), vars(module))
    register("controlit.behaviours", module.Breathing)
    folder = ROOT / "config" / "talos"
    text = (folder / "stand.yaml").read_text(encoding="utf-8")
    text = text.replace("scene: floor.xml", f"scene: {folder / 'floor.xml'}")
    with SimulatedController(f"{text}\nbehaviours: [{{name: Breath, type: Breathing}}]\n") as talos:
        mass, heights = talos.task("CenterOfMass"), []
        for _ in range(30):
            talos.advance(0.1)
            heights.append(mass.actual.value[2])
    assert max(heights) - heights[0] == pytest.approx(0.01, abs=0.003)


def test_the_problem_of_the_page_on_controllers_can_be_assembled():
    (program,) = of("controllers.md", "formulated")
    with SimulatedController(ROOT / "config" / program.file) as controller:
        controller.advance(0.1)
        stack = controller.stack
        model = stack.create_model()
        assert isinstance(model, ConstrainedModel)
        model.update(controller.node.coordinator.robot_state)
        for task in stack.tasks.tasks:
            task.update(model.robot_model, task.inactive)
            task.swap()
            task.compute(1e-3)
        stack.tasks.compute(1e-3)
        space = {"model": model, "tasks": stack.tasks}
        exec(compile(program.text, program.page, "exec"), space)
        hessian = space["program"].hessian
        assert np.linalg.eigvalsh(hessian).min() > -1e-9 * np.abs(hessian).max()


@pytest.mark.ros
@each("ros2.md")
def test_launch_files_of_the_page_describe_a_launch(program):
    pytest.importorskip("launch.actions")
    space = {}
    exec(compile(program.text, program.page, "exec"), space)
    assert space["generate_launch_description"]().entities
