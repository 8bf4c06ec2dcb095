"""TrajectoryFollower: leads a posture task along a trajectory."""

from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.binding_factory import up_to_date
from controlit_ros.bindings.goal_leads import GoalLeads
from controlit_ros.bindings.joint_trajectory import (
    JointSample,
    JointTrajectory,
    TrajectoryCode,
    at_rest,
)
from controlit_ros.bindings.trajectory_limits import TooFast, within_limits
from controlit_ros.bindings.trajectory_tolerances import TrajectoryTolerances
from controlit_ros.parameters import (
    Parameter,
    ParameterError,
    Patch,
    PlannedTurns,
    Poster,
)
from controlit_ros.tasks.joint_position import JointPosition


class Measurement(NamedTuple):
    """Where the joints of the task are: positions and velocities, `(n,)`."""

    position: Array
    velocity: Array


class TrajectoryLimits(NamedTuple):
    """What makes following a trajectory fail or succeed.

    Attributes:
        path: While it moves.
        goal: At the end.
        patience: How long after the end the goal may be missed [s]; infinite for any.
    """

    path: TrajectoryTolerances
    goal: TrajectoryTolerances
    patience: float


class Progress(NamedTuple):
    """How following went at one time; all vectors in the order of the trajectory's joints.

    Attributes:
        desired: Where the joints should be.
        actual: Where they are.
        code: How it ended, `None` while it goes on.
        text: Why it failed.
    """

    desired: JointSample
    actual: Measurement
    code: TrajectoryCode | None = None
    text: str = ""


class TrajectoryFollower:
    """Posts samples of a trajectory as goals of a task.

    Every trajectory begins at the present goal, so the goal never jumps; joints that nobody leads
    keep theirs and lose their feed-forward.

    Args:
        task: Its goal moves.
        mailbox: Takes the goals to the servo.
        measure: Returns where the joints of the task are.
        refresh: Brings the goal up to date before it is read.
        fastest: `(n,)` highest speeds of the task's joints [rad/s or m/s]; `None`: any.
        too_fast: What becomes of trajectories that are too fast for their joints.

    Attributes:
        joints: Names of the joints.
        lower: Lowest position by joint [rad or m].
        upper: Highest position by joint [rad or m].
        fastest: Highest speed by joint [rad/s or m/s].
    """

    def __init__(
        self,
        task: JointPosition,
        mailbox: Poster,
        measure: Callable[[], Measurement],
        refresh: Callable[[], None] = up_to_date,
        fastest: Array | None = None,
        too_fast: TooFast = TooFast.REFUSE,
    ) -> None:
        self.joints = task.goal.labels
        robot, indices = task.robot, task.robot.actuable_indices
        self.lower = dict(zip(self.joints, robot.lower_limits[indices].tolist(), strict=True))
        self.upper = dict(zip(self.joints, robot.upper_limits[indices].tolist(), strict=True))
        speeds = np.full(len(self.joints), np.inf) if fastest is None else fastest
        self.fastest = dict(zip(self.joints, speeds.tolist(), strict=True))
        self._too_fast = too_fast
        self._task = task
        self._mailbox = mailbox
        self._measure = measure
        self._refresh = refresh
        self._trajectory: JointTrajectory | None = None
        self._limits: TrajectoryLimits | None = None
        self._begin = 0.0
        self._indices: list[int] = []

    @property
    def moving(self) -> tuple[str, ...]:
        """The joints of the last trajectory, in its order."""
        return tuple(self.joints[i] for i in self._indices)

    @property
    def name(self) -> str:
        """Of the task."""
        return self._task.name

    def present(self, leads: GoalLeads, now: float) -> JointSample:
        """Return where the goal of all joints is at a time [s], whoever leads it."""
        present = leads.present(self.name, now)
        if present is not None:
            return JointSample(*present)
        self._refresh()
        return at_rest(self._task.goal.value.copy())

    def sample(self, now: float) -> JointSample:
        """Return where all joints shall be at a time [s], and how they move."""
        goal = at_rest(self._task.goal.value.copy())
        trajectory = self._trajectory
        if trajectory is not None:
            sample = trajectory.sample(now - self._begin)
            for values, own in zip(goal, sample, strict=True):
                values[self._indices] = own
        return goal

    def plan(
        self, trajectory: JointTrajectory, begin: float, now: float, present: JointSample
    ) -> JointTrajectory:
        """Return what would be followed from now on, from the present goal and within all limits.

        Args:
            trajectory: What was asked for.
            begin: When its time is zero [s].
            now: The present time [s].
            present: Goal of all joints, and how it moves.

        Raises:
            RefusedTrajectoryError: It passes a limit, at a point or between two.
        """
        indices = self.indices(trajectory.joints)
        start = JointSample(*(values[indices] for values in present))
        joined = self._turned(trajectory.joined(max(now - begin, 0.0), start), present.position)
        return within_limits(joined, self.lower, self.upper, self.fastest, self._too_fast)

    def _turned(self, joined: JointTrajectory, present: Array) -> JointTrajectory:
        """Return a trajectory whose first point is the present one, with whole turns chosen."""
        goal, (first, *later) = self._task.goal, joined.points
        turns, points, indices = PlannedTurns(goal), [first], self.indices(joined.joints)
        for point in later:
            value = Patch(np.array(indices, dtype=np.intp), point.position)
            present = turns.place(value, present)
            points.append(point._replace(position=present[indices]))
        return JointTrajectory(joined.joints, points)

    def indices(self, joints: Collection[str]) -> list[int]:
        """Return where joints stand in the goal."""
        return [self.joints.index(joint) for joint in joints]

    def start(
        self,
        planned: JointTrajectory,
        begin: float,
        present: JointSample,
        limits: TrajectoryLimits,
        led: Collection[int] = (),
    ) -> None:
        """Follow a trajectory from now on, instead of the one before.

        Args:
            planned: What `plan` returned.
            begin: When its time is zero [s].
            present: Goal of all joints.
            limits: What is checked.
            led: Indices of the joints that somebody leads; those that nobody does come to rest.
        """
        indices = self.indices(planned.joints)
        others = [i for i in range(len(self.joints)) if i not in indices and i not in led]
        self._post(tuple(self.joints[i] for i in others), at_rest(present.position[others]))
        self._trajectory = planned
        self._limits = limits
        self._begin = begin
        self._indices = indices

    def step(self, now: float) -> Progress | None:
        """Post the goal for a time [s]; return how it goes, `None` when there is no trajectory."""
        trajectory, limits = self._trajectory, self._limits
        if trajectory is None or limits is None:
            return None
        try:
            return self._follow(trajectory, limits, now)
        except ParameterError as error:  # between finite points may lie what is not
            self._trajectory = None
            actual = self._actual()
            desired = at_rest(actual.position)
            return Progress(desired, actual, TrajectoryCode.INVALID_GOAL, str(error))

    def _follow(
        self, trajectory: JointTrajectory, limits: TrajectoryLimits, now: float
    ) -> Progress:
        time = now - self._begin
        desired = trajectory.sample(time)
        actual = self._actual()
        errors = (desired.position - actual.position, desired.velocity - actual.velocity)
        progress = Progress(desired, actual)
        if time < trajectory.duration:
            violation = limits.path.violation(*errors)
            if violation:
                return self._stay(progress, TrajectoryCode.PATH_TOLERANCE_VIOLATED, violation)
            self._post(trajectory.joints, desired)
            return progress
        violation = limits.goal.violation(*errors)
        if violation and time - trajectory.duration > limits.patience:
            return self._stay(progress, TrajectoryCode.GOAL_TOLERANCE_VIOLATED, violation)
        self._post(trajectory.joints, desired)
        if violation:
            return progress
        self._trajectory = None
        return progress._replace(code=TrajectoryCode.SUCCESSFUL)

    def _stay(self, progress: Progress, code: TrajectoryCode, text: str) -> Progress:
        """Hold joints where they are, not where they should be: something may be in their way."""
        joints, self._trajectory = self.moving, None
        self._post(joints, at_rest(progress.actual.position))
        return progress._replace(code=code, text=text)

    def hold(self, now: float) -> None:
        """Stop where the trajectory is at a time [s]."""
        trajectory = self._trajectory
        if trajectory is not None:
            self._trajectory = None
            sample = trajectory.sample(now - self._begin)
            self._post(trajectory.joints, at_rest(sample.position))

    def leave(self) -> None:
        """Follow no longer: somebody else moves the goal."""
        self._trajectory = None

    def abandon(self) -> None:
        """Follow no longer and leave the goal where it is, at rest."""
        trajectory, self._trajectory = self._trajectory, None
        if trajectory is not None:
            self._post(trajectory.joints, at_rest(self._task.goal.value[self._indices]))

    def measured(self, joints: Collection[str]) -> Measurement:
        """Return where joints are, in their order."""
        return self._of(self.indices(joints))

    def _actual(self) -> Measurement:
        return self._of(self._indices)

    def _of(self, indices: list[int]) -> Measurement:
        measured = self._measure()
        return Measurement(measured.position[indices], measured.velocity[indices])

    def _post(self, joints: tuple[str, ...], sample: JointSample) -> None:
        if not joints:
            return
        values: dict[Parameter, dict[str, float]] = {}
        task = self._task
        for parameter, numbers in zip(
            (task.goal, task.goal_velocity, task.goal_acceleration), sample, strict=True
        ):
            assert parameter is not None
            values[parameter] = dict(zip(joints, numbers.tolist(), strict=True))
        self._mailbox.post(values)
