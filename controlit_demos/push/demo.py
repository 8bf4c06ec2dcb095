"""PushDemo: how hard a humanoid can be pushed, in which direction and when."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from rich.table import Table

from controlit_demos.running.demo_error import DemoError
from controlit_demos.running.demonstration import FAILURE, SUCCESS, Demonstration
from controlit_demos.walking.unlikeness import NOISE
from controlit_ros.errors import ControlItError
from controlit_ros.kernels.compile import told_of_compilation
from controlit_ros.locomotion.walking import Walking
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.recording.report import html_page
from controlit_ros.regular_file import write_text
from controlit_ros.robots.mujoco_model import root_link
from controlit_ros.scripting import SimulatedController
from controlit_ros.servo import CoordinatorState

CHEST, PUSH_TIME = "torso_2_link", 0.1  # [s]
DIRECTIONS = tuple(range(0, 360, 30))  # [°] from forward to the left
PHASES = (0.1, 0.35, 0.6, 0.85)  # [-] of the time on the left foot
FIRST, STEP, MOST = 8.0, 4.0, 60.0  # [N s]
EXPECTED = 0.3  # [N s/kg] while it walks
RECOVERY = 3.5  # [s] after each push
FALLEN = 0.75  # [-] of the height of the root link at the start
VELOCITY = (0.3, 0.0, 0.0)  # [m/s, rad/s]
NEWS = 0.2  # [s] between two velocities
LONGEST = 10.0  # [s] that a foot is waited for
STANDING = "standing"


class Cell(NamedTuple):
    """One place of the map.

    Attributes:
        phase: Part of the time on the left foot at which it is pushed; `None`: it stands.
        direction: Of the push [°].
    """

    phase: float | None
    direction: int

    @property
    def row(self) -> str:
        """Which row of the table."""
        return STANDING if self.phase is None else f"{100.0 * self.phase:.0f} %"


class PushDemo(Demonstration):
    """Talos is pushed at its chest, harder and harder, while it stands and while it walks.

    Each place of the map is one run: pushes of 0.1 s that grow by 4 N s, each after the robot has
    come back from the one before, until it falls. `--seed` chooses the noise of the sensors.
    """

    name = "push"
    title = "Pushes that Talos survives"
    configuration_name = "talos/walk.yaml"
    cells: Sequence[Cell] = tuple(
        Cell(phase, direction) for phase in (None, *PHASES) for direction in DIRECTIONS
    )

    def show(self) -> int:
        """Make the map (see `Demonstration.show`)."""
        options = self.options
        if options.interface is not None or not self.is_within_process:
            raise DemoError(
                f"found --interface or --transport, expected neither: {self.name} runs in "
                "simulated time within its process"
            )
        self.folder.mkdir(parents=True, exist_ok=True)
        found: dict[Cell, float] = {}
        mass = 0.0
        with told_of_compilation(self.console.print):
            for cell in self.cells:
                pushed = PushedRobot(self._controller(), cell)
                mass = pushed.mass
                found[cell] = pushed.survives()
                if not options.quiet:
                    text = f"{cell.row}, {cell.direction}°: {found[cell]:g} N s"
                    self.console.print(text, highlight=False)
        return self._report(found, mass)

    def settings(self) -> dict[str, Any]:
        """Return what replaces values of the file."""
        return {"log_level": "ERROR", "robot_interface.seed": self.options.seed, **NOISE}

    def _controller(self) -> SimulatedController:
        return self.simulated(self.configuration, self.settings())

    def _report(self, found: Mapping[Cell, float], mass: float) -> int:
        wanted = EXPECTED * mass
        weak = [
            f"{cell.row}, {cell.direction}°: {survived:g} N s, at least {wanted:.1f}"
            for cell, survived in found.items()
            if cell.phase is not None and survived < wanted
        ]
        content = {
            "demo": self.name,
            "created": self._created,
            "mass": mass,
            "expected": wanted,
            "verdict": "FAILED" if weak else "PASSED",
            "map": [
                {"phase": cell.phase, "direction": cell.direction, "impulse": survived}
                for cell, survived in found.items()
            ],
        }
        write_text(self.folder / "report.json", json.dumps(content, indent=2) + "\n")
        lines = list(_rows(found))
        markdown = [
            f"# {self.title}, {self._created}",
            "",
            f"Largest push survived [N s], each {STEP:g} N s harder; {mass:.1f} kg.",
            "0°: forward, 90°: to the left.",
            "Phases are parts of the time on the left foot.",
            "",
            f"| {' | '.join(lines[0])} |",
            "|---|" + "---:|" * (len(lines[0]) - 1),
            *(f"| {' | '.join(line)} |" for line in lines[1:]),
            "",
            *(f"* {text}" for text in weak),
            content["verdict"],
            "",
        ]
        text = "\n".join(map(str, markdown))
        write_text(self.folder / "report.md", text)
        write_text(self.folder / "report.html", html_page(text, self.name))
        table = Table(title=f"{self.title} [N s]", title_justify="left")
        for heading in lines[0]:
            table.add_column(heading, justify="right")
        for line in lines[1:]:
            table.add_row(*line)
        self.console.print(table)
        self.console.print(f"report: {self.folder / 'report.md'}", highlight=False)
        self.console.print(str(content["verdict"]), highlight=False)
        return FAILURE if weak else SUCCESS


def _rows(found: Mapping[Cell, float]) -> Iterator[list[str]]:
    """Return the lines of the table."""
    directions = sorted({cell.direction for cell in found})
    yield ["", *(f"{direction}°" for direction in directions)]
    by_place = {(cell.row, cell.direction): survived for cell, survived in found.items()}
    for row in dict.fromkeys(cell.row for cell in found):
        cells = (by_place.get((row, direction)) for direction in directions)
        yield [row, *("" if survived is None else f"{survived:g}" for survived in cells)]


class PushedRobot:
    """One run: a robot that stands or walks, and is pushed until it falls.

    Args:
        controller: Not started.
        cell: When, and where to.

    Raises:
        ControlItError: The robot does not walk.

    Attributes:
        mass: Of the robot [kg].
    """

    def __init__(self, controller: SimulatedController, cell: Cell) -> None:
        walking = [b for b in controller.stack.behaviours if isinstance(b, Walking)]
        if not walking:
            raise ControlItError(f"found no behaviour of type {Walking.__name__}, expected one")
        self._controller, self._cell, self._walking = controller, cell, walking[0]
        self._simulation = simulated_robot(controller.stack).simulation
        root = self._simulation.model.body(root_link(self._simulation.setup.urdf)).id
        self._root = self._simulation.data.body(root)
        self.mass = float(self._simulation.model.body_subtreemass[root])
        self._next_news = -np.inf

    def survives(self) -> float:
        """Return the largest push survived [N s]; zero: not even the first."""
        survived = 0.0
        with self._controller:
            self._height = float(self._root.xpos[2])
            self._pass(0.5)
            for impulse in np.arange(FIRST, MOST + 0.5 * STEP, STEP).tolist():
                self._wait_for_phase()
                self._simulation.push(CHEST, self._force(impulse), PUSH_TIME)
                if not self._pass(RECOVERY):
                    break
                survived = impulse
        return survived

    def _force(self, impulse: float) -> tuple[float, float, float]:
        angle = np.radians(self._cell.direction)
        force = impulse / PUSH_TIME
        return (float(force * np.cos(angle)), float(force * np.sin(angle)), 0.0)

    def _wait_for_phase(self) -> None:
        """Let time pass until the left foot has borne the robot for its part of the time."""
        phase, walking = self._cell.phase, self._walking
        if phase is None:
            return
        for side in ("right", "left"):
            self._wait_for(side)
        self._pass(phase * float(walking.parameter("single_support").value))

    def _wait_for(self, side: str) -> None:
        """Let time pass until a foot bears the robot, at most as long as some steps take."""
        until = self._controller.time + LONGEST
        while self._walking.support.value != side and self._controller.time < until:
            self._go()

    def _pass(self, duration: float) -> bool:
        """Let time pass; return whether the robot is up."""
        until = self._controller.time + duration
        while self._controller.time < until:
            self._go()
            is_active = self._controller.state is CoordinatorState.ACTIVE
            if not is_active or self._root.xpos[2] < FALLEN * self._height:
                return False
        return True

    def _go(self) -> None:
        if self._cell.phase is not None and self._controller.time >= self._next_news:
            self._controller.set(self._walking.velocity.wanted.full_name, VELOCITY)
            self._next_news = self._controller.time + NEWS
        self._controller.advance(self._controller.round_time)
