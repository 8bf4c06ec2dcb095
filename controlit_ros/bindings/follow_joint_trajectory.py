"""FollowJointTrajectory: the posture task as MoveIt and other planners drive it."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from controlit_ros.bindings.action_server import ActionServer, Goal, GoalStatus
from controlit_ros.bindings.coupled_goals import Couplings, coupled_trajectory
from controlit_ros.bindings.goal_leads import GoalLeads
from controlit_ros.bindings.joint_trajectory import (
    LONGEST,
    JointTrajectory,
    RefusedTrajectoryError,
    TrajectoryCode,
    check_limits,
    read_trajectory,
    seconds,
)
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.bindings.sampling_thread import SamplingThread
from controlit_ros.bindings.trajectory_follower import (
    Progress,
    TrajectoryFollower,
    TrajectoryLimits,
)
from controlit_ros.bindings.trajectory_time import TrajectoryTime
from controlit_ros.bindings.trajectory_tolerances import (
    DefaultTolerances,
    read_tolerances,
    stated_tolerance,
)
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message
from controlit_ros.paths.trajectory import TrajectorySample
from controlit_ros.transport import GOAL, Transport

ACTION = "control_msgs/action/FollowJointTrajectory"
ACTION_NAME = "follow_joint_trajectory"
TOPIC = "joint_trajectory"
TOPIC_TYPE = "trajectory_msgs/msg/JointTrajectory"
FEEDBACK_STEPS = 5  # [samples] for one feedback, so 20 Hz as of joint_trajectory_controller

_log = logging.getLogger("controlit.trajectory")


class FollowJointTrajectory:
    """Offers the action `follow_joint_trajectory` and the topic `joint_trajectory`.

    One trajectory is followed at a time; a newer one, from wherever, takes its place without a
    jump of the goal. Grippers may lead joints that it leaves out. Samples are posted from a thread
    of its own, not from the servo's.

    Args:
        follower: Drives the task.
        clock: Time of the servo.
        is_active: Tells whether the controller commands the robot.
        leads: Who leads the goal of which task.
        complain: Tells somebody why a goal is rejected, which actions of ROS 2 cannot.
        tolerances: Where a trajectory states none.
        transport: Names are relative to its namespace.
        couplings: Joints that follow others.

    Attributes:
        rejected: Trajectories that could not be followed.
        last_rejection: Why the last one could not.
    """

    def __init__(
        self,
        follower: TrajectoryFollower,
        clock: TrajectoryTime,
        is_active: Callable[[], bool],
        leads: GoalLeads,
        complain: Callable[[str], None],
        tolerances: DefaultTolerances,
        transport: Transport,
        couplings: Couplings = tuple,
    ) -> None:
        self._follower = follower
        self._clock = clock
        self._is_active = is_active
        self._leads = leads
        self._complain = complain
        self._tolerances = tolerances
        self._couplings = couplings
        self._goal: Goal | None = None
        self._starts = clock.starts()
        self._steps = 0
        self._thread = SamplingThread("trajectory", self.step)
        self.rejected = 0
        self.last_rejection = ""
        self._server = ActionServer(
            ACTION_NAME,
            ACTION,
            transport,
            accept=self._accept,
            cancel=self._cancel,
            why=partial(_result, TrajectoryCode.INVALID_GOAL),
            complain=self._tell,
        )
        transport.subscribe(TOPIC, TOPIC_TYPE, self._receive, GOAL)

    def start(self) -> None:
        """Begin to sample; idempotent."""
        self._thread.start()

    def stop(self) -> None:
        """End the trajectory under way and take no more; idempotent."""
        self._thread.stop()
        with self._leads.lock:
            self._preempt("the controller ends")
        self._server.close()

    def step(self) -> bool:
        """Post the goal of the present time; the sampling thread, or a test instead of it.

        Returns:
            Whether there are more to come.
        """
        with self._leads.lock:
            now = self._clock.now()
            self._look_for_jump()
            if not self._is_active():
                self._preempt("the controller is no longer active")
                self._follower.hold(now)
                self._leads.leave(self._follower.name, self)
            progress = self._follower.step(now)
            if progress is None:
                return False
            goal = self._goal
            if goal is not None and self._steps % FEEDBACK_STEPS == 0:
                self._server.publish_feedback(goal, self._feedback(progress, now))
            self._steps += 1
            if progress.code is not None:
                self._end(progress.code, progress.text)
            return True

    def sample(self, _task: str, now: float) -> TrajectorySample:
        """Return where the goal is and how it moves (see `GoalLead`)."""
        return TrajectorySample(*self._follower.sample(now))

    def give_way(self, _task: str, _now: float, why: str) -> None:
        """Follow no longer, and leave the goal to somebody else (see `GoalLead`)."""
        self._preempt(why)
        self._follower.leave()

    def _accept(self, goal: Goal, message: Message) -> bool:
        try:
            self._begin(goal, message.trajectory, message)
        except RefusedTrajectoryError as error:
            self._reject(error)
            goal.result = _result(error.code, str(error))
            return False
        return True

    def _receive(self, message: Message) -> None:
        try:
            if len(message.points):
                self._begin(None, message, None)
            else:
                self._stop("an empty trajectory came")
        except RefusedTrajectoryError as error:
            self._reject(error)

    def _stop(self, why: str) -> None:
        """Hold the goal where it is."""
        with self._leads.lock:
            self._preempt(why)
            self._follower.hold(self._clock.now())
            self._leads.leave(self._follower.name, self)

    def _reject(self, error: RefusedTrajectoryError) -> None:
        self._tell(f"trajectory rejected ({error.code.name}): {error}")

    def _tell(self, rejection: str) -> None:
        self.rejected += 1
        self.last_rejection = rejection
        self._complain(rejection)

    def _begin(self, goal: Goal | None, message: Message, request: Message | None) -> None:
        if self._thread.is_stopping or not self._is_active():
            raise RefusedTrajectoryError(
                TrajectoryCode.INVALID_GOAL, "the controller is not active"
            )
        try:
            self._leads.check(self._follower.name)
        except ControlItError as error:
            raise RefusedTrajectoryError(TrajectoryCode.INVALID_GOAL, str(error)) from None
        joints = self._follower.joints
        trajectory = read_trajectory(message, joints)
        trajectory = coupled_trajectory(trajectory, joints, self._couplings())
        check_limits(trajectory, self._follower.lower, self._follower.upper)
        limits = _limits(trajectory, request, self._tolerances)
        with self._leads.lock:
            self._look_for_jump()
            now = self._clock.now()
            stamp = seconds(message.header.stamp)
            begin = stamp - self._clock.offset if stamp else now
            if begin - now > LONGEST:
                raise RefusedTrajectoryError(
                    TrajectoryCode.INVALID_GOAL,
                    f"the trajectory begins in {begin - now:.3g} s, expected at most {LONGEST:g} s",
                )
            if begin + trajectory.duration <= now:
                raise RefusedTrajectoryError(
                    TrajectoryCode.OLD_HEADER_TIMESTAMP,
                    f"the trajectory ended {now - begin - trajectory.duration:.3g} s ago",
                )
            present = self._follower.present(self._leads, now)
            planned = self._follower.plan(trajectory, begin, now, present)
            if planned.duration > trajectory.duration:
                _log.info(
                    "trajectory takes %.3g s instead of %.3g s, to keep its joints below their "
                    "velocity limits",
                    planned.duration,
                    trajectory.duration,
                )
            self._preempt("a newer trajectory took its place")
            name = self._follower.name
            self._leads.take(name, self, now, self._follower.indices(planned.joints))
            self._follower.start(planned, begin, present, limits, self._leads.parts(name))
            self._goal = goal
            self._steps = 0
            self._thread.wake()

    def _cancel(self, goal: Goal) -> bool:
        with self._leads.lock:
            if goal is not self._goal:
                return False
            self._follower.hold(self._clock.now())
            self._leads.leave(self._follower.name, self)
            self._goal = None
            self._server.finish(goal, GoalStatus.CANCELED, _result(TrajectoryCode.SUCCESSFUL, ""))
            return True

    def _look_for_jump(self) -> None:
        """Give up a trajectory whose times mean nothing since the clock has jumped."""
        starts = self._clock.starts()
        if starts != self._starts:
            self._starts = starts
            self._preempt("time has jumped")
            self._follower.abandon()
            self._leads.leave(self._follower.name, self)

    def _preempt(self, why: str) -> None:
        goal, self._goal = self._goal, None
        if goal is not None:
            result = _result(TrajectoryCode.INVALID_GOAL, why)
            self._server.finish(goal, GoalStatus.ABORTED, result)

    def _end(self, code: TrajectoryCode, text: str) -> None:
        goal, self._goal = self._goal, None
        self._leads.leave(self._follower.name, self)
        if code is not TrajectoryCode.SUCCESSFUL:
            _log.warning("trajectory aborted (%s): %s", code.name, text)
        if goal is not None:
            succeeded = code is TrajectoryCode.SUCCESSFUL
            status = GoalStatus.SUCCEEDED if succeeded else GoalStatus.ABORTED
            self._server.finish(goal, status, _result(code, text))

    def _feedback(self, progress: Progress, now: float) -> dict[str, Any]:
        desired, actual = progress.desired, progress.actual
        return {
            "header": {"stamp": time_fields(now + self._clock.offset)},
            "joint_names": list(self._follower.moving),
            "desired": {
                "positions": desired.position,
                "velocities": desired.velocity,
                "accelerations": desired.acceleration,
            },
            "actual": {"positions": actual.position, "velocities": actual.velocity},
            "error": {
                "positions": desired.position - actual.position,
                "velocities": desired.velocity - actual.velocity,
            },
        }


def _limits(
    trajectory: JointTrajectory, request: Message | None, defaults: DefaultTolerances
) -> TrajectoryLimits:
    """Read the tolerances of a goal; a trajectory from the topic has the defaults."""
    path, goal = (of(trajectory.joints) for of in (defaults.on_path, defaults.at_goal))
    if request is None:
        return TrajectoryLimits(path, goal, defaults.patience)
    if len(request.multi_dof_trajectory.points):
        raise RefusedTrajectoryError(
            TrajectoryCode.INVALID_GOAL, "found a multi_dof_trajectory, expected none"
        )
    if len(request.component_path_tolerance) or len(request.component_goal_tolerance):
        raise RefusedTrajectoryError(
            TrajectoryCode.INVALID_GOAL, "found tolerances of components, expected none"
        )
    time = seconds(request.goal_time_tolerance)
    return TrajectoryLimits(
        read_tolerances(request.path_tolerance, path),
        read_tolerances(request.goal_tolerance, goal),
        stated_tolerance("goal_time_tolerance", time, defaults.patience),
    )


def _result(code: TrajectoryCode, text: str) -> dict[str, Any]:
    return {"error_code": int(code), "error_string": text}
