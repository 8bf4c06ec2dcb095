"""Prioritisation: how levels of tasks share what bounds leave of the efforts."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.constraints import ConstrainedModel
from controlit_ros.controllers.effort_bounds import EffortBounds
from controlit_ros.controllers.held_load import HeldLoad
from controlit_ros.model.robot_description import RobotDescription
from controlit_ros.solvers import QPSolver, QPStatus
from controlit_ros.tasks.compound_task import CompoundTask
from controlit_ros.tasks.task import Task

MAY_YIELD = (QPStatus.INFEASIBLE, QPStatus.FAILED)  # close to the one, solvers tell the other


class Prioritisation(ABC):
    """Finds the effort of prioritised tasks within bounds, by one quadratic program or more.

    A plugin: the class is named in the entry point group `controlit.prioritisations`, and made
    without arguments. `WholeBodyQP` writes the bounds, then calls `write` and `solve` in each cycle
    on the servo thread: both work in memory that `prepare` took. One level alone leads to the same
    effort whatever the prioritisation:

        min  ½ |W (J q̈ + J̇ v − u)|² + ½ ε (xᵀ Φ x + φ |L* x|²)    within the bounds
        x = τ − τ₀,  q̈ = UNc̄ Φ x − drift,  L* = I − Φ Φ⁺,  φ = tr Φ / na

    with W² `CompoundTask.weight`, which says what counts more within a level.

    Attributes:
        bounds: What to keep; written by who uses it before `write`.
        effort: `(na,)` τ of the last problem that was solved; meaningless after others.
        multipliers: `(na + m,)` how hard each bound holds the tasks back, of the efforts and then
            of the rows: above zero at the upper bound, below at the lower, zero where none is met.
        missing: By how much rows that may be missed are; 0: every bound is kept.
        unsolved: How many of the lowest levels the solver gave up on; they got what those above
            left them by chance. All of them only where rows are missed.
        iterations: What the last problem took.
    """

    takes_pairs = False
    """Whether tasks may stand above others by a part, see `WholeBodyQP.priority_pairs`."""

    bounds: EffortBounds
    effort: Array
    multipliers: Array
    missing: float
    unsolved: int
    iterations: int

    def prepare(
        self,
        robot: RobotDescription,
        solver: QPSolver,
        *,
        task_rows: int,
        bound_rows: int,
        may_miss: slice,
    ) -> None:
        """Take the memory.

        Args:
            robot: Its command joints make the efforts.
            solver: Not yet prepared; others of its type may be made.
            task_rows: Most rows of all tasks together.
            bound_rows: m, rows of the bounds.
            may_miss: See `EffortBounds`.

        Raises:
            QPError: The solver is not installed.
        """
        na = len(robot.command_joints)
        self.effort = np.zeros(na)
        self.multipliers = np.zeros(na + bound_rows)
        self.missing = 0.0
        self.unsolved = 0
        self.iterations = 0
        self._prepare(robot, solver, task_rows, bound_rows, may_miss)

    @abstractmethod
    def _prepare(
        self,
        robot: RobotDescription,
        solver: QPSolver,
        task_rows: int,
        bound_rows: int,
        may_miss: slice,
    ) -> None:
        """Take the memory, `bounds` included; see `prepare`."""

    def advance(  # noqa: B027 - most follow the levels at once
        self, tasks: CompoundTask, pairs: Mapping[tuple[Task, Task], float], step: float
    ) -> None:
        """Go on by a cycle, before `write`; servo thread.

        Args:
            tasks: Computed just before.
            pairs: How much the first of two tasks stands above the second, where that is stated.
            step: By how much a priority may change, 1: at once.
        """

    def restart(self) -> None:  # noqa: B027 - most keep nothing
        """Forget what was kept from earlier cycles; servo thread."""

    @abstractmethod
    def write(
        self,
        model: ConstrainedModel,
        tasks: CompoundTask,
        held: HeldLoad,
        *,
        level_weight: float,
        regularisation: float,
    ) -> None:
        """Write the problem of a cycle; has no effect on what `solve` finds in later ones.

        Args:
            model: Computed just before.
            tasks: Computed just before; levels, highest first.
            held: Brought to both.
            level_weight: How much a level weighs more than the one below, where levels weigh.
            regularisation: ε.
        """

    @abstractmethod
    def solve(self) -> QPStatus:
        """Solve what was written; if that went well, write `effort` and the other results."""
