"""ComparisonDemo: scenarios that WBOSC and the quadratic program go through, side by side."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from controlit_demos.comparison.comparison import Comparison
from controlit_demos.comparison.comparison_report import write_comparisons
from controlit_demos.comparison.contender import CONTENDERS, file_of
from controlit_demos.comparison.performance import Performance
from controlit_demos.comparison.scenario import Scenario
from controlit_demos.comparison.scenario_beat import ScenarioBeat
from controlit_demos.running.demonstration import FAILURE, SUCCESS, Demonstration
from controlit_ros.client import ClientError, connect
from controlit_ros.kernels.compile import told_of_compilation
from controlit_ros.share import share_directory

LOG = {"log_level": "ERROR"}  # the report tells of the rest


class ComparisonDemo(Demonstration):
    """Puts each contender through each scenario in simulated time, in this process.

    The quadratic program must meet every criterion; `WBOSC` is measured beside it, with what it
    does not know left out of the file, and its figures fail nothing.

    Attributes:
        scenarios: In the order of the report.
    """

    scenarios: ClassVar[Sequence[type[Scenario]]]

    def show(self) -> int:
        """Run all scenarios (see `Demonstration.show`)."""
        self.refuse_options_of_runs()
        return self._report([self._compare(scenario) for scenario in self.scenarios])

    def _compare(self, scenario: type[Scenario]) -> Comparison:
        self.folder.mkdir(parents=True, exist_ok=True)
        performances = [self._perform(scenario, contender) for contender in CONTENDERS]
        return Comparison(scenario.title, scenario.criteria, performances)

    def _perform(self, scenario: type[Scenario], contender: str) -> Performance:
        if not self.options.quiet:
            self.console.print(f"{scenario.title}: {contender}", highlight=False)
        file = file_of(contender, self._file(scenario), self.folder)
        with told_of_compilation(self.console.print), self.simulated(file, LOG) as controller:
            return played(scenario(controller), contender)

    def _file(self, scenario: type[Scenario]) -> Path:
        if self.options.configuration is not None:
            return self.options.configuration
        return share_directory() / "config" / scenario.configuration_name

    def _report(self, comparisons: Sequence[Comparison]) -> int:
        for comparison in comparisons:
            self.console.print(_table(comparison))
        missing = write_comparisons(self.name, self._created, comparisons, self.folder)
        if missing is not None:
            self.console.print(missing)
        self.console.print(f"report: {self.folder / 'report.md'}", highlight=False)
        problems = [problem for comparison in comparisons for problem in comparison.problems]
        for problem in problems:
            self.console.print(f"[red]failed:[/red] {escape(problem)}", highlight=False)
        self.console.print("FAILED" if problems else "PASSED", highlight=False)
        return FAILURE if problems else SUCCESS


def played(scenario: Scenario, contender: str) -> Performance:
    """Put a controller that was started through a scenario."""
    controller = scenario.controller
    beat = ScenarioBeat(controller, scenario.look)
    name = controller.stack.configuration.name
    end = ""
    with connect(name, transport=controller.transport, beat=beat) as robot:
        try:
            scenario.play(robot)
        except ClientError as error:
            end = f"ended after {beat.elapsed:.1f} s: {error}"
    return Performance(contender, scenario.findings(), scenario.traces(), end)


def _table(comparison: Comparison) -> Table:
    table = Table(title=comparison.title, title_justify="left")
    for heading in comparison.headings:
        table.add_column(heading, justify="right" if heading else "left")
    for row in comparison.rows():
        table.add_row(*map(Text, row))  # text, not markup: units stand in brackets
    return table
