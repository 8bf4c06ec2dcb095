"""GoalPlan: where every task's goal is at every time."""

from collections.abc import Mapping, Sequence

from controlit_demos.programs.goal_program import Actual, phase_at
from controlit_ros.arrays import Array
from controlit_ros.paths.trajectory import Trajectory, TrajectorySample
from controlit_ros.paths.unit_trajectory import UnitTrajectory
from controlit_ros.tasks import Task


class PlanBuilder:
    """Collects the goals that tasks pass on their way.

    Args:
        tasks: Those the plan has goals for.

    Attributes:
        now: Time of the last goals [s].
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tasks = tasks
        self.times: list[float] = []
        self.stops: list[int] = []
        self.points: dict[str, list[Array]] = {task.name: [] for task in tasks}
        self.phases: list[tuple[float, str]] = []
        self.now = 0.0

    def add(self, name: str, duration: float, goals: Mapping[str, Array], pause: float) -> None:
        """Move on.

        Args:
            name: What the motion does; the first goals are where the plan begins, unnamed.
            duration: Of the motion [s].
            goals: `(k,)` where each task shall be, by task name.
            pause: Time to rest there [s]; 0: pass through.
        """
        if self.times:
            self.phases.append((self.now, name))
            self.now += duration
        self._pass(goals)
        if pause > 0.0:
            self.phases.append((self.now, "pause"))
            self.now += pause
            self.stops += [len(self.times) - 1, len(self.times)]
            self._pass(goals)

    def _pass(self, goals: Mapping[str, Array]) -> None:
        self.times.append(self.now)
        for name, points in self.points.items():
            points.append(goals[name].copy())

    def trajectories(self) -> dict[str, Trajectory]:
        """Return the path of each task.

        Raises:
            TrajectoryError: Times do not fit.
        """
        return {
            task.name: (UnitTrajectory if task.goal.unit_length else Trajectory)(
                self.times, self.points[task.name], self.stops
            )
            for task in self.tasks
        }


class GoalPlan:
    """Goals that are known beforehand, joined by cubic splines. A `GoalProgram`.

    Args:
        builder: Has collected them.

    Attributes:
        trajectories: By task name.
        phases: Begin [s] and name of each motion and pause.
        problems: None: a plan cannot fail.

    Raises:
        TrajectoryError: Times do not fit.
    """

    def __init__(self, builder: PlanBuilder) -> None:
        self.trajectories = builder.trajectories()
        self.phases = builder.phases
        self.problems: list[str] = []

    @property
    def duration(self) -> float:
        """Time of the last goal [s]."""
        return max((path.end for path in self.trajectories.values()), default=0.0)

    @property
    def tasks(self) -> Sequence[str]:
        """Those of the builder."""
        return tuple(self.trajectories)

    @property
    def watched(self) -> Sequence[str]:
        """None: nothing that happens changes the plan."""
        return ()

    def goals(self, time: float, actual: Actual) -> Mapping[str, TrajectorySample]:  # noqa: ARG002 - nothing that happens changes it
        """Return all goals at a time [s]."""
        return {name: path.at(time) for name, path in self.trajectories.items()}

    def is_over(self, time: float) -> bool:
        """Whether the last goal has been passed."""
        return time >= self.duration

    def phase(self, time: float) -> str:
        """Return the name of the motion or pause at a time [s]."""
        return phase_at(self.phases, time)
