"""TaskActions: the actions that lead goals of tasks."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from controlit_ros.bindings.action_server import ActionServer, Goal, GoalStatus
from controlit_ros.bindings.goal_leads import GoalLeads
from controlit_ros.bindings.led_task import LedTask, RefusedGoalError
from controlit_ros.bindings.sampling_thread import SamplingThread
from controlit_ros.bindings.task_errors import TaskErrors
from controlit_ros.bindings.task_motion import STATUS, Ending, MotionCode, TaskMotion
from controlit_ros.bindings.task_requests import (
    MOST_WAYPOINTS,
    Leg,
    find_task,
    patience_of,
    read_move,
    read_trajectory,
)
from controlit_ros.bindings.trajectory_time import TrajectoryTime
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import Message
from controlit_ros.paths.trajectory import TrajectorySample
from controlit_ros.servo import Outbox
from controlit_ros.tasks import Task
from controlit_ros.transport import Transport

MOVE_TASK = "controlit/action/MoveTask"
FOLLOW = "controlit/action/FollowTaskTrajectory"
MOVE_TASK_NAME = "move_task"
FOLLOW_NAME = "follow_task_trajectory"
FEEDBACK_STEPS = 5  # [samples] for one feedback, so 20 Hz


class TaskActions:
    """Offers the actions `move_task` and `follow_task_trajectory`.

    Each task follows one motion at a time; a newer one, from wherever, takes its place without a
    jump of the goal. Samples are posted from a thread of its own, not from the servo's.

    Args:
        tasks: Whose goals can be led, by name.
        leads: Who leads the goal of which task.
        clock: Time of the servo.
        is_active: Tells whether the controller commands the robot.
        refresh: Brings goals up to date before they are read.
        complain: Tells somebody why a goal is rejected, which actions of ROS 2 cannot.
        outbox: Brings errors out of the servo.
        transport: Names are relative to its namespace.

    Attributes:
        rejected: Goals that were rejected.
        last_rejection: Why the last one was.
        errors: How far the tasks are from their goals; follows those that come and go.
    """

    def __init__(
        self,
        tasks: Mapping[str, LedTask],
        leads: GoalLeads,
        clock: TrajectoryTime,
        is_active: Callable[[], bool],
        refresh: Callable[[], None],
        complain: Callable[[str], None],
        outbox: Outbox,
        transport: Transport,
    ) -> None:
        self._tasks = dict(tasks)
        self._leads = leads
        self._clock = clock
        self._is_active = is_active
        self._refresh = refresh
        self._complain = complain
        self._motions: list[TaskMotion] = []
        self._starts = clock.starts()
        self._steps = 0
        self._thread = SamplingThread("task goals", self.step)
        self.errors = TaskErrors(
            [led.task for led in tasks.values()], outbox, lambda: bool(self._motions)
        )
        self.rejected = 0
        self.last_rejection = ""
        serve = partial(
            ActionServer,
            transport=transport,
            cancel=self._cancel,
            why=_refusal,
            complain=self._tell,
        )
        self._move = serve(MOVE_TASK_NAME, MOVE_TASK, accept=self._accept_move)
        self._follow = serve(FOLLOW_NAME, FOLLOW, accept=self._accept_trajectory)

    def start(self) -> None:
        """Begin to sample; idempotent."""
        self._thread.start()

    def stop(self) -> None:
        """End the motions under way and take no more; idempotent."""
        self._thread.stop()
        with self._leads.lock:
            self._end_all(Ending(MotionCode.NOT_ACTIVE, "the controller ends"))
        self._move.close()
        self._follow.close()

    def step(self) -> bool:
        """Post the goals of the present time; the sampling thread, or a test instead of it.

        Returns:
            Whether there are more to come.
        """
        with self._leads.lock:
            now = self._clock.now()
            self._look_around()
            for motion in tuple(self._motions):
                for task in motion.idle:
                    self._leads.leave(task, self)
                    reason = Ending(MotionCode.NOT_ACTIVE, f"{task} acts no longer")
                    self._drop(motion, task, now, reason)
                if motion.tasks:
                    self._move_on(motion, now)
            self._steps += 1
            return bool(self._motions)

    def know(self, led: LedTask) -> None:
        """Lead a task from now on, if a goal asks for it: it has come to the controller."""
        self._tasks[led.name] = led

    def forget(self, task: Task, why: str) -> None:
        """Lead a task no longer, now and later: it was `removed`, for example."""
        with self._leads.lock:
            self._leads.end(task.name, self._clock.now(), f"{task.name} was {why}")
            self._tasks.pop(task.name, None)

    def sample(self, task: str, now: float) -> TrajectorySample:
        """Return where the goal of a task is (see `GoalLead`)."""
        return self._motion_of(task).sample(task, now)

    def give_way(self, task: str, now: float, why: str) -> None:
        """Lead a task no longer; what it moved together with comes to rest (see `GoalLead`)."""
        self._drop(self._motion_of(task), task, now, Ending(MotionCode.REPLACED, why))

    def _drop(self, motion: TaskMotion, task: str, now: float, reason: Ending) -> None:
        """End a goal, and let come to rest what is left of it."""
        motion.drop(task)
        self._finish(motion, reason)
        if motion.tasks:
            motion.stop(now, reason)
        else:
            self._motions.remove(motion)

    def _motion_of(self, task: str) -> TaskMotion:
        return next(motion for motion in self._motions if task in motion.tasks)

    def _accept_move(self, goal: Goal, message: Message) -> bool:
        def legs(now: float) -> list[Leg]:
            task = find_task(message.task, self._tasks)
            return [read_move(message, task, self._present(task, now))]

        return self._accepts(self._move, goal, message, legs)

    def _accept_trajectory(self, goal: Goal, message: Message) -> bool:
        def legs(now: float) -> list[Leg]:
            parts = list(message.trajectories)
            names = [part.task for part in parts]
            if not parts or len(set(names)) < len(names):
                raise RefusedGoalError(
                    f"found {len(parts)} trajectories for {len(set(names))} tasks, expected one "
                    "for each of one task or more"
                )
            count = sum(len(part.points) for part in parts)
            if count > MOST_WAYPOINTS:
                raise RefusedGoalError(f"found {count} points, expected at most {MOST_WAYPOINTS}")
            tasks = [find_task(name, self._tasks) for name in names]
            return [
                read_trajectory(part, task, self._present(task, now))
                for part, task in zip(parts, tasks, strict=True)
            ]

        return self._accepts(self._follow, goal, message, legs)

    def _accepts(
        self,
        server: ActionServer,
        goal: Goal,
        message: Message,
        legs: Callable[[float], list[Leg]],
    ) -> bool:
        try:
            self._refresh()
            with self._leads.lock:
                self._begin(server, goal, legs, patience_of(message.goal_time_tolerance))
        except (ControlItError, ValueError, ArithmeticError) as error:  # of splines, too
            self._tell(f"{server.name} rejected: {error}")
            goal.result = _refusal(str(error))
            return False
        return True

    def _tell(self, rejection: str) -> None:
        self.rejected += 1
        self.last_rejection = rejection
        self._complain(rejection)

    def _begin(
        self,
        server: ActionServer,
        goal: Goal,
        legs: Callable[[float], list[Leg]],
        patience: float,
    ) -> None:
        if self._thread.is_stopping or not self._is_active():
            raise RefusedGoalError("the controller is not active")
        self._look_around()
        now = self._clock.now()
        motion = TaskMotion(server, goal, legs(now), now, patience)
        for task in motion.tasks:
            self._leads.check(task)
        for task in motion.tasks:
            self._leads.take(task, self, now)
        self._motions.append(motion)
        self._thread.wake()

    def _present(self, task: LedTask, now: float) -> TrajectorySample:
        present = self._leads.present(task.name, now)
        return task.at_rest() if present is None else present

    def _cancel(self, goal: Goal) -> bool:
        with self._leads.lock:
            for motion in self._motions:
                if motion.goal is goal and motion.tells:
                    motion.stop(self._clock.now())
                    return True
        return False

    def _look_around(self) -> None:
        """Give up motions that mean nothing any more."""
        starts = self._clock.starts()
        if starts != self._starts:
            self._starts = starts
            self._end_all(Ending(MotionCode.NOT_ACTIVE, "time has jumped"))
        if not self._is_active():
            self._end_all(Ending(MotionCode.NOT_ACTIVE, "the controller is no longer active"))

    def _move_on(self, motion: TaskMotion, now: float) -> None:
        try:
            ending = motion.step(now, self.errors.of)
        except Exception as error:  # noqa: BLE001 - tasks made elsewhere may raise anything
            ending = Ending(MotionCode.NOT_ACTIVE, f"the goal cannot be sent: {error}")
        if self._steps % FEEDBACK_STEPS == 0 and motion.tells:
            motion.server.publish_feedback(motion.goal, self._feedback(motion, now))
        if ending is None:
            return
        if ending.code is MotionCode.PATH_TOLERANCE_VIOLATED:
            motion.stay()
        self._end(motion, ending)

    def _end_all(self, ending: Ending) -> None:
        for motion in tuple(self._motions):
            self._end(motion, ending)

    def _end(self, motion: TaskMotion, ending: Ending) -> None:
        if ending.code is MotionCode.NOT_ACTIVE:
            with suppress(Exception):  # of tasks made elsewhere; goals that cannot be sent rest
                motion.rest()
        for task in motion.tasks:
            self._leads.leave(task, self)
        self._motions.remove(motion)
        self._finish(motion, ending)

    def _finish(self, motion: TaskMotion, ending: Ending) -> None:
        status = STATUS.get(ending.code, GoalStatus.ABORTED)
        result = {"code": int(ending.code), "message": ending.text, **self._told_errors(motion)}
        motion.server.finish(motion.goal, status, result)

    def _feedback(self, motion: TaskMotion, now: float) -> dict[str, Any]:
        progress, left = motion.progress(now)
        return {"progress": progress, "time_left": left, **self._told_errors(motion)}

    def _told_errors(self, motion: TaskMotion) -> dict[str, Any]:
        errors = [self.errors.of(task, motion.since) for task in motion.names]
        return {"error": errors[0]} if motion.server is self._move else {"errors": errors}


def _refusal(why: str) -> dict[str, Any]:
    """Return the fields of a result that says why there is no other."""
    return {"code": int(MotionCode.REJECTED), "message": why}
