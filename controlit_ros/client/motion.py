"""Motion: a goal on its way."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Generator, Sequence
from enum import Enum
from typing import NamedTuple

import numpy as np

from controlit_ros.client.arrival_check import ArrivalCheck, Reached
from controlit_ros.client.checked_path import CheckedPath
from controlit_ros.client.client_errors import ClientError, MotionError, WaitTimeoutError
from controlit_ros.client.explanations import held_back_by
from controlit_ros.client.goal_outlet import GoalOutlet
from controlit_ros.client.link import ControllerLink
from controlit_ros.paths.braking import Braking
from controlit_ros.paths.path import Path
from controlit_ros.paths.trajectory import TrajectorySample

LONGEST_STEP = 0.05  # [s] a program that stood still makes up for no more: goals never jump
NO_BOUND = 1e9  # [s] of those who give no time: a motion ends by itself


class Present(NamedTuple):
    """Where a goal is and how it moves.

    Attributes:
        sample: That.
        since: When it is so [s]; `None`: it rests.
    """

    sample: TrajectorySample
    since: float | None = None


class MotionState(Enum):
    """How far a motion is."""

    MOVING = "moving"
    STOPPING = "stopping"
    """It was cancelled and comes to rest."""
    SETTLING = "settling"
    """The goal is at the end of the path, the robot not yet."""
    ARRIVED = "arrived"
    """The error of the task is within the tolerance."""
    SHORT = "short"
    """The robot has settled farther from the goal than the tolerance."""
    UNVERIFIED = "unverified"
    """The goal is at the end of the path; the controller publishes no error to compare with."""
    CANCELLED = "cancelled"
    """It has come to rest on the way."""
    REPLACED = "replaced"
    """Another goal of the same task took over."""
    FAILED = "failed"


_MOVING = (MotionState.MOVING, MotionState.STOPPING)
_UNDER_WAY = (*_MOVING, MotionState.SETTLING)


class Motion:
    """Leads the goal of one task along a path, from a thread of the client.

    When the goal is at the path's end it waits until the robot has arrived or makes no more
    progress, see `ArrivalCheck`; `reached` has what it reached. Every motion ends: by itself, or
    since the controller is lost or no longer active. Its time stands still while the servo is
    stuck.

    `await motion` waits in asyncio; cancelling the wait cancels the motion.

    Args:
        task: Name of the task.
        path: Where the goal goes.
        outlet: Sends it.
        link: The way to the controller.
        arrival: Decides whether the robot has followed.

    Attributes:
        task: Name of the task.
        sent: What went out last, `None` before.
    """

    def __init__(
        self,
        task: str,
        path: Path,
        outlet: GoalOutlet,
        link: ControllerLink,
        arrival: ArrivalCheck,
    ) -> None:
        self.task = task
        self.sent: TrajectorySample | None = None
        self._path: Path = CheckedPath(task, path, np.shape(path.at(path.start).value))
        self._outlet = outlet
        self._link = link
        self._arrival = arrival
        self._reason: str | None = None
        self._life = link.watch.life
        self._duration = path.end - path.start
        self._at = 0.0  # [s] since the beginning of the present path
        self._progress = 0.0
        self._last_step: float | None = None  # until it begins
        self._state = MotionState.MOVING
        self._failure: ClientError | None = None
        self._observers: list[Callable[[], None]] = []
        self._lock = threading.RLock()

    @property
    def state(self) -> MotionState:
        """How far it is."""
        return self._state

    @property
    def done(self) -> bool:
        """Whether it is over, however it ended."""
        return self._state not in _UNDER_WAY

    @property
    def is_moving(self) -> bool:
        """Whether its goal is on the way."""
        return self._state in _MOVING

    @property
    def progress(self) -> float:
        """How much of its time is over, 0 to 1."""
        return self._progress

    @property
    def reached(self) -> Reached:
        """What the task reached, with the reason where that is short of the goal.

        Raises:
            MotionError: It is not over.
        """
        if not self.done:
            raise MotionError(f"the motion of {self.task} is not over: wait for it")
        reached = self._arrival.reached()
        if self._state is not MotionState.SHORT:
            return reached
        if self._reason is None:
            self._reason = held_back_by(self._link, self.task)
        return reached._replace(reason=self._reason)

    def wait(self, timeout: float | None = None) -> MotionState:
        """Wait until it is over and return how it ended.

        Args:
            timeout: How long at most [s]; `None`: until it is over, which is sure to come.

        Raises:
            WaitTimeoutError: It is not over in time; it goes on.
            ControllerLostError: The controller went away.
            MotionError: It could not be finished, or it begins only when `together` ends.
        """
        self._check_begun()
        if not self._link.beat.wait(lambda: self.done, NO_BOUND if timeout is None else timeout):
            raise WaitTimeoutError(
                f"the motion of {self.task} was not over within {timeout:g} s: "
                f"{100 * self.progress:.0f} % done"
            )
        return self._result()

    def begin(self, time: float) -> None:
        """Begin: the goal is at the path's start at a time [s]."""
        self._last_step = time

    def cancel(self) -> "Motion":
        """Come to rest on the path, within half a second, and stay there; returns at once."""
        with self._lock:
            if self._state is MotionState.SETTLING:
                self._end(MotionState.CANCELLED)
            if self._state is MotionState.MOVING:
                self._path = Braking(self._path, self._path.start + self._at)
                self._at = 0.0
                self._state = MotionState.STOPPING
        return self

    def __await__(self) -> Generator[None, None, MotionState]:
        """Wait in asyncio; returns and raises as `wait` does."""
        return self._awaited().__await__()

    def now(self) -> float:
        """Return the time its waits count in [s]."""
        return self._link.beat.now()

    def sample(self) -> TrajectorySample:
        """Return where the goal that was sent last is and how it moves."""
        with self._lock:
            return self._path.at(self._path.start + self._at)

    def present(self) -> Present:
        """Return the same, and when it was so."""
        with self._lock:
            return Present(self.sample(), self._last_step)

    def step(self, now: float) -> bool:
        """Send the goal of a time [s]; return whether there are more to come."""
        with self._lock:
            if self.done:
                return False
            try:
                self._step(now)
            except ClientError as error:
                self._fail(error)
            return not self.done

    def replace(self) -> None:
        """End it where it is: another goal takes over."""
        with self._lock:
            if not self.done:
                self._end(MotionState.REPLACED)

    def give_up(self, error: ClientError) -> None:
        """End it without another goal: nobody sends any more."""
        with self._lock:
            if not self.done:
                self._fail(error)

    def _check_begun(self) -> None:
        if self._last_step is None and not self.done:
            raise MotionError(
                f"the motion of {self.task} begins when the block of together() ends: wait there"
            )

    def _fail(self, error: ClientError) -> None:
        self._failure = error
        self._end(MotionState.FAILED)

    def _step(self, now: float) -> None:
        self._link.check_motion(self.task, self._life)
        assert self._last_step is not None
        passed = min(max(now - self._last_step, 0.0), LONGEST_STEP)
        self._last_step = now
        if not self._link.watch.is_active:
            return  # a servo that is stuck for a moment
        if self._state is MotionState.SETTLING:
            self._settle(now)
            return
        self._at += passed
        if self._state is MotionState.MOVING:
            self._progress = min(self._at / self._duration, 1.0)
        is_over = self._path.start + self._at >= self._path.end
        sample = self.sample()
        if is_over and not self._outlet.is_heard:
            raise MotionError(f"nobody takes the goals of {self.task} any more: was it removed?")
        self.sent = TrajectorySample.at_rest(sample.value) if is_over else sample
        self._outlet.send(self.sent)
        if is_over:
            if self._state is MotionState.STOPPING:
                self._end(MotionState.CANCELLED)
            else:
                self._state = MotionState.SETTLING
                self._arrival.begin(now)

    def _settle(self, now: float) -> None:
        """End it if the robot has arrived, or comes no nearer."""
        arrival = self._arrival
        if not arrival.is_over(now):
            return
        if not arrival.is_known:
            self._end(MotionState.UNVERIFIED)
        else:
            self._end(MotionState.ARRIVED if arrival.has_arrived else MotionState.SHORT)

    def _end(self, state: MotionState) -> None:
        self._state = state
        observers, self._observers = self._observers, []
        for observer in observers:
            observer()
        self._link.beat.notify()

    def _result(self) -> MotionState:
        if self._failure is not None:
            raise self._failure
        return self._state

    async def _awaited(self) -> MotionState:
        self._check_begun()
        loop = asyncio.get_running_loop()
        over = asyncio.Event()

        def tell() -> None:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
                loop.call_soon_threadsafe(over.set)

        with self._lock:
            if self.done:
                return self._result()
            self._observers.append(tell)
        try:
            await self._link.beat.until(over, NO_BOUND)
        except asyncio.CancelledError:
            self.cancel()
            raise
        return self._result()


def wait_all(motions: Sequence[Motion], timeout: float | None = None) -> tuple[MotionState, ...]:
    """Wait until all motions are over and return how each ended.

    Args:
        motions: Any number.
        timeout: How long at most for all together [s].

    Raises:
        WaitTimeoutError: They are not over in time; they go on.
        ControllerLostError: The controller went away.
        MotionError: One could not be finished.
    """
    deadline = None
    states = []
    for motion in motions:
        left = timeout
        if timeout is not None:
            now = motion.now()
            deadline = now + timeout if deadline is None else deadline
            left = max(deadline - now, 0.0)
        states.append(motion.wait(left))
    return tuple(states)
