"""Motions: those under way, one for a task."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from controlit_ros.client.arrival_check import ArrivalCheck
from controlit_ros.client.client_errors import ClientClosedError, MotionError
from controlit_ros.client.description import TaskDescription
from controlit_ros.client.goal_outlet import GoalOutlet
from controlit_ros.client.goal_record import GoalRecord
from controlit_ros.client.link import ControllerLink
from controlit_ros.client.motion import Motion, Present
from controlit_ros.interfaces import FieldError
from controlit_ros.paths.braking import STOP_TIME
from controlit_ros.paths.path import Path
from controlit_ros.transport import TransportError

MATCH_TIME = 10.0  # [s] for the controller to notice who sends goals, on a busy machine
LEAVE_TIME = 2.0 * STOP_TIME  # [s] for all to come to rest


class Motions:
    """Sends the goals of all motions at one rate.

    Args:
        link: The way to the controller.
        rate: Goals per second and task [Hz].
    """

    def __init__(self, link: ControllerLink, rate: float) -> None:
        self._link = link
        self._period = 1.0 / rate
        self._outlets: dict[str, GoalOutlet] = {}
        self._active: dict[str, Motion] = {}
        self._records: list[GoalRecord] = []
        self._gathered = threading.local()  # motions that begin together, of each thread
        self._lock = threading.RLock()

    def present(self, task: str) -> Present | None:
        """Return where the goal of a task is and how it moves; `None` if it rests."""
        motion = self._active.get(task)
        return motion.present() if motion is not None and motion.is_moving else None

    def begin(
        self, task: TaskDescription, path: Path, arrival: ArrivalCheck, since: float | None = None
    ) -> Motion:
        """Begin a motion, which takes over from the one of the same task.

        Args:
            task: Which.
            path: Where its goal goes.
            arrival: Decides whether the robot has followed.
            since: When it is at the path's start [s], so that one in motion neither waits nor
                goes back for a moment; `None`: now.

        Raises:
            MotionError: Goals of the task go in nowhere.
            ControllerLostError: The controller went away.
        """
        self._link.modes.begin()
        motion = Motion(task.name, path, self._outlet(task), self._link, arrival)
        gathered: list[Motion] | None = getattr(self._gathered, "motions", None)
        if gathered is not None and since is None:
            gathered.append(motion)
        else:
            self._begin([motion], since)
        return motion

    @contextmanager
    def together(self) -> Iterator[None]:
        """Let motions of this thread that start from rest begin when the block ends, all at once.

        One that takes over in mid-motion begins at once, as ever.
        """
        if getattr(self._gathered, "motions", None) is not None:
            yield  # within another
            return
        gathered: list[Motion] = []
        self._gathered.motions = gathered
        try:
            yield
        except BaseException:
            for motion in gathered:
                motion.give_up(MotionError(f"the motion of {motion.task} has not begun"))
            raise
        finally:
            self._gathered.motions = None
        self._begin(gathered)

    def record(self) -> GoalRecord:
        """Return a record of what is sent from now on."""
        record = GoalRecord(self._period, self._forget_record)
        self._records = [*self._records, record]
        return record

    def replace(self, task: str) -> None:
        """End the motion of a task, if there is one: another goal takes over."""
        with self._lock:
            motion = self._active.pop(task, None)
        if motion is not None:
            motion.replace()

    def forget(self, task: str) -> None:
        """End the motion of a task that is gone, and close its topics."""
        with self._lock:
            motion = self._active.pop(task, None)
            outlet = self._outlets.pop(task, None)
        ending = [] if motion is None else [motion]
        ending += [
            one for one in getattr(self._gathered, "motions", None) or () if one.task == task
        ]
        for one in ending:
            one.give_up(MotionError(f"{task} has been removed"))
        if outlet is not None:
            outlet.close()

    def leave(self) -> None:
        """Let all come to rest, and send no more."""
        with self._lock:
            motions = list(self._active.values())
        for motion in motions:
            motion.cancel()
        self._link.beat.wait(lambda: all(motion.done for motion in motions), LEAVE_TIME)
        for motion in motions:
            motion.give_up(ClientClosedError(f"the connection to {self._link.name} is closed"))

    def close(self) -> None:
        """Close the topics."""
        with self._lock:
            outlets, self._outlets = self._outlets, {}
        for outlet in outlets.values():
            outlet.close()

    def _begin(self, motions: list[Motion], since: float | None = None) -> None:
        with self._lock:
            now = self._link.beat.now()
            for motion in motions:
                if motion.done:
                    continue  # its task has left before it began
                self.replace(motion.task)
                self._active[motion.task] = motion
                motion.begin(now if since is None else since)
        if motions:
            self._link.beat.begin(self._period, self._step)

    def _forget_record(self, record: GoalRecord) -> None:
        self._records = [other for other in self._records if other is not record]

    def _step(self, now: float) -> bool:
        with self._lock:
            motions = list(self._active.items())
        moving = [(task, motion) for task, motion in motions if motion.is_moving]
        for task, motion in motions:
            try:
                goes_on = motion.step(now)
            except (TransportError, FieldError) as error:
                motion.give_up(MotionError(f"{task}: goals cannot be sent: {error}"))
                goes_on = False
            if not goes_on:
                with self._lock:
                    if self._active.get(task) is motion:
                        del self._active[task]
        with self._lock:
            left = list(self._active.values())
        if self._records and moving:
            goals = {task: motion.sent.value for task, motion in moving if motion.sent is not None}
            for record in self._records:
                record.take(now, goals, goes_on=any(motion.is_moving for motion in left))
        return bool(left)

    def _outlet(self, task: TaskDescription) -> GoalOutlet:
        if task.places is None:
            raise MotionError(f"{task.name} cannot be moved: no topic is bound to its goal")
        with self._lock:
            outlet = self._outlets.get(task.name)
            if outlet is None:
                places = task.places
                absolute = [
                    None if place is None else place._replace(topic=self._link.topic(place.topic))
                    for place in (places.goal, places.velocity, places.acceleration)
                ]
                assert absolute[0] is not None
                outlet = GoalOutlet(
                    self._link.transport,
                    places._replace(
                        goal=absolute[0], velocity=absolute[1], acceleration=absolute[2]
                    ),
                )
                self._outlets[task.name] = outlet
        heard = outlet
        self._link.wait(lambda: heard.is_heard, MATCH_TIME, f"who takes the goals of {task.name}")
        return outlet
