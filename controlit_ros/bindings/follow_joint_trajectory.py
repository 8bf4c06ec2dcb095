"""FollowJointTrajectory: the posture task as MoveIt and other planners drive it."""

import logging
import math
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from controlit_ros.bindings.action_server import ActionServer, Goal, GoalStatus
from controlit_ros.bindings.joint_trajectory import (
    JointTrajectory,
    RefusedTrajectoryError,
    TrajectoryCode,
    check_limits,
    read_trajectory,
    seconds,
)
from controlit_ros.bindings.message_parts import time_fields
from controlit_ros.bindings.trajectory_follower import (
    Progress,
    TrajectoryFollower,
    TrajectoryLimits,
)
from controlit_ros.bindings.trajectory_tolerances import no_tolerances, read_tolerances
from controlit_ros.interfaces import Message
from controlit_ros.transport import COMMAND, Transport

ACTION = "control_msgs/action/FollowJointTrajectory"
ACTION_NAME = "follow_joint_trajectory"
TOPIC = "joint_trajectory"
TOPIC_TYPE = "trajectory_msgs/msg/JointTrajectory"
PERIOD = 0.01  # [s] between samples: the task interpolates by its own dynamics
FEEDBACK_STEPS = 5  # [samples] for one feedback, so 20 Hz as of joint_trajectory_controller

_log = logging.getLogger("controlit.trajectory")


class TrajectoryTime(NamedTuple):
    """How time passes for trajectories.

    Attributes:
        now: Returns the time of the servo's clock [s].
        offset: Seconds from that clock to ROS time.
        starts: Returns how often that clock began; more when it has jumped.
    """

    now: Callable[[], float]
    offset: float
    starts: Callable[[], int]


class FollowJointTrajectory:
    """Offers the action `follow_joint_trajectory` and the topic `joint_trajectory`.

    One trajectory is followed at a time; a newer one, from wherever, takes its place without a
    jump of the goal. Samples are posted from a thread of its own, not from the servo's.

    Args:
        follower: Drives the task.
        clock: Time of the servo.
        is_active: Tells whether the controller commands the robot.
        transport: Names are relative to its namespace.

    Attributes:
        rejected: Trajectories that could not be followed.
    """

    def __init__(
        self,
        follower: TrajectoryFollower,
        clock: TrajectoryTime,
        is_active: Callable[[], bool],
        transport: Transport,
    ) -> None:
        self._follower = follower
        self._clock = clock
        self._is_active = is_active
        self._lock = threading.RLock()
        self._goal: Goal | None = None
        self._starts = clock.starts()
        self._steps = 0
        self._has_work = threading.Event()
        self._stopping = False
        self._thread: threading.Thread | None = None
        self.rejected = 0
        self._server = ActionServer(
            ACTION_NAME, ACTION, transport, accept=self._accept, cancel=self._cancel
        )
        transport.subscribe(TOPIC, TOPIC_TYPE, self._receive, COMMAND)

    def start(self) -> None:
        """Begin to sample; idempotent."""
        if self._thread is None:
            self._stopping = False
            self._thread = threading.Thread(target=self._run, name="trajectory", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End the trajectory under way and take no more; idempotent."""
        self._stopping = True
        self._has_work.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        with self._lock:
            self._preempt("the controller ends")
        self._server.close()

    def step(self) -> None:
        """Post the goal of the present time; the sampling thread, or a test instead of it."""
        with self._lock:
            now = self._clock.now()
            self._look_for_jump()
            if not self._is_active():
                self._preempt("the controller is no longer active")
                self._follower.hold(now)
            progress = self._follower.step(now)
            if progress is None:
                self._has_work.clear()
                return
            goal = self._goal
            if goal is not None and self._steps % FEEDBACK_STEPS == 0:
                self._server.publish_feedback(goal, self._feedback(progress, now))
            self._steps += 1
            if progress.code is not None:
                self._end(progress.code, progress.text)

    def _run(self) -> None:
        due = time.monotonic()
        while not self._stopping:
            if not self._has_work.is_set():
                self._has_work.wait()
                due = time.monotonic()
            self.step()
            due = max(due + PERIOD, time.monotonic())
            time.sleep(max(due - time.monotonic(), 0.0))

    def _accept(self, goal: Goal, message: Message) -> bool:
        try:
            self._begin(goal, message.trajectory, message)
        except RefusedTrajectoryError as error:
            self._reject(error)
            return False
        return True

    def _receive(self, message: Message) -> None:
        try:
            self._begin(None, message, None)
        except RefusedTrajectoryError as error:
            self._reject(error)

    def _reject(self, error: RefusedTrajectoryError) -> None:
        self.rejected += 1
        _log.warning("trajectory rejected (%s): %s", error.code.name, error)

    def _begin(self, goal: Goal | None, message: Message, request: Message | None) -> None:
        if self._stopping or not self._is_active():
            raise RefusedTrajectoryError(
                TrajectoryCode.INVALID_GOAL, "the controller is not active"
            )
        trajectory = read_trajectory(message, self._follower.joints)
        check_limits(trajectory, self._follower.lower, self._follower.upper)
        limits = _limits(trajectory, request)
        with self._lock:
            self._look_for_jump()
            now = self._clock.now()
            stamp = seconds(message.header.stamp)
            begin = stamp - self._clock.offset if stamp else now
            if begin + trajectory.duration <= now:
                raise RefusedTrajectoryError(
                    TrajectoryCode.OLD_HEADER_TIMESTAMP,
                    f"the trajectory ended {now - begin - trajectory.duration:.3g} s ago",
                )
            planned = self._follower.plan(trajectory, begin, now)
            if planned.duration > trajectory.duration:
                _log.info(
                    "trajectory takes %.3g s instead of %.3g s, to keep its joints below their "
                    "velocity limits",
                    planned.duration,
                    trajectory.duration,
                )
            self._preempt("a newer trajectory took its place")
            self._follower.start(planned, begin, now, limits)
            self._goal = goal
            self._steps = 0
            self._has_work.set()

    def _cancel(self, goal: Goal) -> bool:
        with self._lock:
            if goal is not self._goal:
                return False
            self._follower.hold(self._clock.now())
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

    def _preempt(self, why: str) -> None:
        goal, self._goal = self._goal, None
        if goal is not None:
            result = _result(TrajectoryCode.INVALID_GOAL, why)
            self._server.finish(goal, GoalStatus.ABORTED, result)

    def _end(self, code: TrajectoryCode, text: str) -> None:
        goal, self._goal = self._goal, None
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


def _limits(trajectory: JointTrajectory, request: Message | None) -> TrajectoryLimits:
    """Read the tolerances of a goal; a trajectory from the topic has none."""
    joints = trajectory.joints
    if request is None:
        return TrajectoryLimits(no_tolerances(joints), no_tolerances(joints), math.inf)
    if len(request.multi_dof_trajectory.points):
        raise RefusedTrajectoryError(
            TrajectoryCode.INVALID_GOAL, "found a multi_dof_trajectory, expected none"
        )
    if len(request.component_path_tolerance) or len(request.component_goal_tolerance):
        raise RefusedTrajectoryError(
            TrajectoryCode.INVALID_GOAL, "found tolerances of components, expected none"
        )
    patience = seconds(request.goal_time_tolerance)
    return TrajectoryLimits(
        read_tolerances(request.path_tolerance, joints),
        read_tolerances(request.goal_tolerance, joints),
        patience if patience > 0.0 else math.inf,
    )


def _result(code: TrajectoryCode, text: str) -> dict[str, Any]:
    return {"error_code": int(code), "error_string": text}
