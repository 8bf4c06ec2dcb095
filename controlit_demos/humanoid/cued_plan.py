"""CuedPlan: goals that are known beforehand, and what shall happen beside them."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from controlit_demos.programs.goal_plan import GoalPlan, PlanBuilder
from controlit_demos.programs.goal_program import Actual
from controlit_ros.arrays import Array
from controlit_ros.paths.trajectory import TrajectorySample


class Switch(NamedTuple):
    """Set a parameter that is bound to a topic.

    Attributes:
        parameter: Full name.
        value: Text it shall have.
    """

    parameter: str
    value: str


class PushCue(NamedTuple):
    """Disturb the simulated robot.

    Attributes:
        link: Where, at its centre of mass.
        force: `(3,)` world frame [N].
        duration: For how long [s].
    """

    link: str
    force: tuple[float, float, float]
    duration: float


Action: TypeAlias = Switch | PushCue


class Cue(NamedTuple):
    """When something shall happen.

    Attributes:
        time: Since the first goal [s].
        action: What.
    """

    time: float
    action: Action


class Check(NamedTuple):
    """What must be true at a time, by what the controller publishes.

    Attributes:
        begin: From when on [s].
        end: Until when [s].
        task: Whose actual value is looked at.
        holds: Tells whether the value is good.
        complaint: What is wrong otherwise, in words.
    """

    begin: float
    end: float
    task: str
    holds: Callable[[Array], bool]
    complaint: str


class CuedPlan(GoalPlan):
    """A plan that acts at given times, too, and fails when a check does not hold.

    Args:
        builder: Has collected the goals.
        cues: In any order.
        checks: Looked at with every round of goals.

    Attributes:
        perform: Does what a cue asks for; set by who knows how.
    """

    def __init__(
        self, builder: PlanBuilder, cues: Sequence[Cue], checks: Sequence[Check] = ()
    ) -> None:
        super().__init__(builder)
        self.perform: Callable[[Action], None] = lambda _: None
        self._cues = sorted(cues, key=lambda cue: cue.time)
        self._checks = tuple(checks)

    @property
    def watched(self) -> Sequence[str]:
        """The tasks that checks look at."""
        return tuple(dict.fromkeys(check.task for check in self._checks))

    def goals(self, time: float, actual: Actual) -> Mapping[str, TrajectorySample]:
        """Return all goals at a time [s], after what is due has been done."""
        while self._cues and self._cues[0].time <= time:
            self.perform(self._cues.pop(0).action)
        for check in self._checks:
            self._look(check, time, actual)
        return super().goals(time, actual)

    def is_over(self, time: float) -> bool:
        """Whether the last goal has been passed, or a check has failed."""
        return bool(self.problems) or super().is_over(time)

    def _look(self, check: Check, time: float, actual: Actual) -> None:
        value = actual[check.task]
        if value is None or not check.begin <= time <= check.end or check.holds(value):
            return
        complaint = f"{check.complaint} at {time:.2f} s"
        if not self.problems:
            self.problems.append(complaint)
