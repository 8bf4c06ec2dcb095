"""Gripper: joints of the posture that open and close by the gripper actions of control_msgs."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.bindings.action_server import ActionServer, Goal, GoalStatus
from controlit_ros.bindings.goal_leads import GoalLeads
from controlit_ros.bindings.gripper_requests import DIALECTS, Grip, GripperDialect, GripState
from controlit_ros.bindings.joint_trajectory import (
    JointSample,
    JointTrajectory,
    RefusedTrajectoryError,
    TrajectoryCode,
    TrajectoryPoint,
    check_limits,
)
from controlit_ros.bindings.sampling_thread import SamplingThread
from controlit_ros.bindings.trajectory_follower import TrajectoryFollower, TrajectoryLimits
from controlit_ros.bindings.trajectory_time import TrajectoryTime
from controlit_ros.bindings.trajectory_tolerances import TrajectoryTolerances
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message
from controlit_ros.paths.trajectory import TrajectorySample
from controlit_ros.transport import Transport

REACHED = 0.002  # [rad] or [m] from the goal
STANDING = 0.001  # [rad/s] or [m/s] below which a joint stands, as of GripperActionController
STALL_TIME = 1.0  # [s] it must stand for, likewise
SHARE_OF_LIMIT = 0.5  # [-] of a velocity limit, where a command states no speed
SPEED = 0.1  # [rad/s] or [m/s] of joints without a limit
PEAK = 1.875  # [-] of the mean speed, from rest to rest with a polynomial of fifth degree
SHORTEST = 0.05  # [s]
FEEDBACK_STEPS = 5  # [samples] for one feedback, so 20 Hz


class GripperJoints(NamedTuple):
    """The joints of a gripper; all move alike where a command does not name them.

    Attributes:
        names: One or more, of the task that moves.
        fastest: `(n,)` velocity limits [rad/s] or [m/s], infinite or 0 for none.
        strongest: `(n,)` effort limits [N m] or [N].
        effort: Returns the efforts as measured, `(n,)`.
    """

    names: tuple[str, ...]
    fastest: Array
    strongest: Array
    effort: Callable[[], Array]


class Gripper:
    """Offers `<name>/gripper_cmd` and `<name>/parallel_gripper_cmd`.

    One command is followed at a time, and a later one takes over. Trajectories of other joints go
    on beside it. A gripper that stands before it is there has stalled: it holds something, so the
    command succeeds and the goal stays, which presses on.

    Args:
        name: Of the gripper.
        joints: What it moves.
        follower: Drives the task.
        clock: Time of the servo.
        is_active: Tells whether the controller commands the robot.
        leads: Who leads the goal of which task.
        complain: Tells somebody why a goal is rejected.
        transport: Names are relative to its namespace.

    Attributes:
        rejected: Commands that could not be followed.
        last_rejection: Why the last one could not.

    Raises:
        UnknownTypeError: ROS 2 runs here without one of the types.
    """

    def __init__(
        self,
        name: str,
        joints: GripperJoints,
        follower: TrajectoryFollower,
        clock: TrajectoryTime,
        is_active: Callable[[], bool],
        leads: GoalLeads,
        complain: Callable[[str], None],
        transport: Transport,
    ) -> None:
        self._name = name
        self._joints = joints
        self._follower = follower
        self._clock = clock
        self._is_active = is_active
        self._leads = leads
        self._complain = complain
        self._goal: Goal | None = None
        self._dialect = DIALECTS[0]
        self._starts = clock.starts()
        self._stands_since = np.inf
        self._steps = 0
        self._thread = SamplingThread(f"gripper {name}", self.step)
        self.rejected = 0
        self.last_rejection = ""
        self._servers = {d.name: self._serve(d, transport) for d in DIALECTS}

    def start(self) -> None:
        """Begin to sample; idempotent."""
        self._thread.start()

    def stop(self) -> None:
        """End the command under way and take no more; idempotent."""
        self._thread.stop()
        with self._leads.lock:
            self._end(GoalStatus.ABORTED)
        for server in self._servers.values():
            server.close()

    def step(self) -> bool:
        """Post the goal of the present time; the sampling thread, or a test instead of it.

        Returns:
            Whether there are more to come.
        """
        with self._leads.lock:
            now = self._clock.now()
            self._look_around(now)
            progress = self._follower.step(now)
            if progress is None:
                return False
            self._steps += 1
            moving = np.abs(progress.actual.velocity).max() >= STANDING
            if moving or progress.desired.velocity.any():
                self._stands_since = now
            if progress.code is not None:
                reached = progress.code is TrajectoryCode.SUCCESSFUL
                self._finish(GripState(*self._measured(), reached=reached))
            elif now - self._stands_since >= STALL_TIME:
                self._finish(GripState(*self._measured(), stalled=True))
            elif self._steps % FEEDBACK_STEPS == 0:
                self._tell_progress()
            return True

    def sample(self, _task: str, now: float) -> TrajectorySample:
        """Return where the goal is and how it moves (see `GoalLead`)."""
        return TrajectorySample(*self._follower.sample(now))

    def give_way(self, _task: str, _now: float, _why: str) -> None:
        """Follow no longer, and leave the goal to somebody else (see `GoalLead`)."""
        self._end(GoalStatus.ABORTED)
        self._follower.leave()

    def _serve(self, dialect: GripperDialect, transport: Transport) -> ActionServer:
        return ActionServer(
            f"{self._name}/{dialect.name}",
            dialect.type_name,
            transport,
            accept=partial(self._accept, dialect),
            cancel=self._cancel,
            why=lambda _why: self._unknown(dialect),
            complain=self._tell,
        )

    def _accept(self, dialect: GripperDialect, goal: Goal, message: Message) -> bool:
        try:
            self._begin(dialect, goal, dialect.read(message, self._joints.names))
        except ControlItError as error:
            self._tell(f"{self._name} command rejected: {error}")
            goal.result = self._unknown(dialect)
            return False
        return True

    def _begin(self, dialect: GripperDialect, goal: Goal, grip: Grip) -> None:
        if self._thread.is_stopping or not self._is_active():
            raise _refused("the controller is not active")
        self._check_effort(grip.effort)
        follower = self._follower
        self._leads.check(follower.name)
        with self._leads.lock:
            now = self._clock.now()
            self._look_around(now)
            present = self._follower.present(self._leads, now)
            planned = follower.plan(self._way(grip, present), now, now, present)
            indices = follower.indices(self._joints.names)
            self._leads.take(follower.name, self, now, indices)
            follower.start(planned, now, present, self._limits(), self._leads.parts(follower.name))
            self._dialect, self._goal = dialect, goal
            self._stands_since = now + planned.duration
            self._steps = 0
            self._thread.wake()

    def _way(self, grip: Grip, present: JointSample) -> JointTrajectory:
        """Return a smooth way from the present goal to a grip."""
        goal = np.array(grip.positions)
        limits = self._joints.fastest
        own = np.where((limits > 0.0) & (limits < np.inf), SHARE_OF_LIMIT * limits, SPEED)
        speeds = own if grip.speed == np.inf else np.full(len(goal), grip.speed)
        distance = np.abs(goal - present.position[self._follower.indices(self._joints.names)])
        duration = max(float((PEAK * distance / speeds).max()), SHORTEST)
        rest = np.zeros_like(goal)
        way = JointTrajectory(self._joints.names, [TrajectoryPoint(duration, goal, rest, rest)])
        check_limits(way, self._follower.lower, self._follower.upper)
        return way

    def _limits(self) -> TrajectoryLimits:
        names = self._joints.names
        none, near = np.full(len(names), np.inf), np.full(len(names), REACHED)
        at_goal = TrajectoryTolerances(names, near, none)
        return TrajectoryLimits(TrajectoryTolerances(names, none, none), at_goal, np.inf)

    def _check_effort(self, effort: float) -> None:
        for name, strongest in zip(self._joints.names, self._joints.strongest, strict=True):
            if 0.0 < effort < strongest:
                raise _refused(
                    f"found an effort of at most {effort:g}, expected none stated or "
                    f"{strongest:g} at least, the limit of {name}: the effort of one motion "
                    "cannot be limited"
                )

    def _cancel(self, goal: Goal) -> bool:
        with self._leads.lock:
            if goal is not self._goal:
                return False
            self._follower.hold(self._clock.now())
            self._end(GoalStatus.CANCELED)
            return True

    def _look_around(self, now: float) -> None:
        """Give up a command that means nothing any more."""
        starts = self._clock.starts()
        if starts != self._starts:
            self._starts = starts
            self._end(GoalStatus.ABORTED)
            self._follower.abandon()
        if not self._is_active():
            self._end(GoalStatus.ABORTED)
            self._follower.hold(now)

    def _finish(self, state: GripState) -> None:
        """Succeed; the goal stays where it is."""
        self._follower.leave()
        self._end(GoalStatus.SUCCEEDED, state)

    def _end(self, status: GoalStatus, state: GripState | None = None) -> None:
        """Lead no longer, and tell who asked."""
        goal, self._goal = self._goal, None
        self._leads.leave(self._follower.name, self)
        if goal is not None:
            told = GripState(*self._measured()) if state is None else state
            result = self._dialect.result(self._joints.names, told)
            self._servers[self._dialect.name].finish(goal, status, result)

    def _tell_progress(self) -> None:
        if self._goal is not None:
            state = GripState(*self._measured())
            feedback = self._dialect.feedback(self._joints.names, state)
            self._servers[self._dialect.name].publish_feedback(self._goal, feedback)

    def _measured(self) -> tuple[Array, Array, Array]:
        position, velocity = self._follower.measured(self._joints.names)
        return position, velocity, self._joints.effort()

    def _unknown(self, dialect: GripperDialect) -> Mapping[str, Any]:
        """Return a result that states nothing: these have no words for a reason."""
        names = self._joints.names
        nothing = np.full(len(names), np.nan)
        return dialect.result(names, GripState(nothing, nothing, nothing))

    def _tell(self, rejection: str) -> None:
        self.rejected += 1
        self.last_rejection = rejection
        self._complain(rejection)


def _refused(text: str) -> RefusedTrajectoryError:
    return RefusedTrajectoryError(TrajectoryCode.INVALID_GOAL, text)
