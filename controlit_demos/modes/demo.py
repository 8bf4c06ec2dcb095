"""ModesDemo: Talos goes through every mode and is asked for what none may follow."""

from collections.abc import Callable, Sequence
from functools import partial

from rich.markup import escape

from controlit_demos.modes.mode_report import IN_WORLD, ON_BASE, TourResult, write_mode_report
from controlit_demos.modes.mode_tour import BASE, FALL, MOVING, STOPS, HandPath, ModeTour
from controlit_demos.running.demonstration import FAILURE, SUCCESS, Demonstration
from controlit_ros.client import Robot, SimulatedBeat, connect
from controlit_ros.kernels.compile import told_of_compilation
from controlit_ros.nodes.simulated_robot import simulated_robot

LOG = {"log_level": "ERROR"}  # the report tells of the rest
BODY, PUSH_TIME = "torso_2_link", 0.1  # [s]
PUSH, BLOW = (0.0, 50.0, 0.0), (-1200.0, 0.0, 0.0)  # [N] one that it bears, one that fells it
FALLING = 4.0  # [s] within which a fall has to be noticed


class ModesDemo(Demonstration):
    """Talos goes through every mode, is refused what may not follow, and stops pushed from each."""

    name = "modes"
    title = "Modes of a humanoid"
    configuration_name = "talos/walk_modes.yaml"

    def show(self) -> int:
        """Go through the modes in simulated time (see `Demonstration.show`)."""
        self.refuse_options_of_runs()
        self.folder.mkdir(parents=True, exist_ok=True)
        with (
            told_of_compilation(self.console.print),
            self.simulated(self.configuration, LOG) as controller,
        ):
            name, beat = controller.stack.configuration.name, SimulatedBeat(controller)
            simulation = simulated_robot(controller.stack).simulation
            push = partial(simulation.push, BODY, PUSH, PUSH_TIME)
            blow = partial(simulation.push, BODY, BLOW, PUSH_TIME)
            with connect(name, transport=controller.transport, beat=beat) as robot:
                result = self._tour(robot, push, blow)
        return self._report(result)

    def _tour(self, robot: Robot, push: Callable[[], None], blow: Callable[[], None]) -> TourResult:
        tour = ModeTour(robot, push)
        picture = robot.modes.picture()
        refusals = []
        for mode in tour.names:
            if mode != FALL:
                self._tell(f"{mode}: what may not follow")
                refusals += tour.try_refused(mode)
        stops = []
        for stop in STOPS:
            for mode in MOVING:
                self._tell(f"{mode}: {stop}, pushed")
                stops.append(tour.stop(mode, stop))
        hands = self._hands(tour)
        self._tell("a blow")
        blow()
        return TourResult(refusals, stops, hands, tour.fall(FALLING), picture)

    def _hands(self, tour: ModeTour) -> list[HandPath]:
        """Watch a hand while the body moves."""
        self._tell("a hand while the body moves")
        return [
            tour.held_by_joints(),
            tour.held_by_goal("step_manipulate", "RightHandPosition", "", IN_WORLD),
            tour.held_by_goal("walk_manipulate", "RightHandOnBase", BASE, ON_BASE),
        ]

    def _tell(self, text: str) -> None:
        if not self.options.quiet:
            self.console.print(text, highlight=False)

    def _report(self, result: TourResult) -> int:
        write_mode_report(self.name, self._created, result, self.folder)
        problems: Sequence[str] = result.problems
        for line in result.summary:
            self.console.print(line, highlight=False)
        self.console.print(f"report: {self.folder / 'report.md'}", highlight=False)
        for problem in problems:
            self.console.print(f"[red]failed:[/red] {escape(problem)}", highlight=False)
        self.console.print("FAILED" if problems else "PASSED", highlight=False)
        return FAILURE if problems else SUCCESS
