"""ModelUpdater: keeps a second model up to date beside the one the servo reads."""

import threading
from collections.abc import Iterator
from enum import Enum

from controlit_ros.constraints import ConstrainedModel
from controlit_ros.kernels import BoundKernel
from controlit_ros.model import RobotState
from controlit_ros.servo.failing_part import describe_failure
from controlit_ros.servo.updater import UPDATE_ERRORS, Updater, UpdaterError


class ModelPhase(Enum):
    """Where the inactive model stands."""

    IDLE = "idle"
    REQUESTED = "requested"
    READY = "ready"


class ModelUpdater(Updater):
    """Owns the active and the inactive model (paper section 4.3).

    `IDLE → REQUESTED` (servo stored a state) `→ READY` (thread finished) `→ IDLE` (servo swapped).
    A ready model waits to be swapped; it is never overwritten, so no update is lost. What compiled
    code does in one call, the servo has ready itself sooner than the thread would wake up.

    Attributes:
        active: Read by the servo and, while it runs, by the task updater.
        inactive: Written by this thread, under the lock.
        is_followed: Whether what was to follow the last `update_inline` is done.
    """

    def __init__(self, active: ConstrainedModel, inactive: ConstrainedModel) -> None:
        super().__init__("model_updater")
        self.active = active
        self.inactive = inactive
        self.phase = ModelPhase.IDLE
        self.is_followed = False
        self._lock = threading.Lock()

    @property
    def is_idle(self) -> bool:
        """Whether the thread reads no parameters now and will not before the next request."""
        return self.phase is not ModelPhase.REQUESTED

    def try_request(self, state: RobotState) -> bool:
        """Store a state in the inactive model if both rest; servo thread."""
        if self.phase is not ModelPhase.IDLE or not self._lock.acquire(blocking=False):
            return False
        self.inactive.robot_model.state.copy_from(state)
        self.phase = ModelPhase.REQUESTED
        self._lock.release()
        self._wake_is_due = True
        return True

    def work_ahead(self, state: RobotState) -> bool:
        """Do what a request would have done, if that is one compiled call; servo thread.

        Returns:
            Whether nothing is left to request.
        """
        if self.phase is not ModelPhase.IDLE or not self.inactive.is_one_call:
            return False
        if self._try_update(state):
            self.phase = ModelPhase.READY
        return True

    def take_back(self) -> bool:
        """Withdraw a request that the thread has not begun to serve; servo thread.

        Returns:
            Whether the thread rests, so that the servo may update in its place.
        """
        if self.is_idle:
            return True
        if not self._lock.acquire(blocking=False):
            return False
        if self.phase is ModelPhase.REQUESTED:
            self.phase = ModelPhase.IDLE
        self._lock.release()
        return True

    def try_swap(self) -> bool:
        """Exchange the models if the inactive one is ready; servo thread."""
        if self.phase is not ModelPhase.READY or not self._lock.acquire(blocking=False):
            return False
        self.active, self.inactive = self.inactive, self.active
        self.phase = ModelPhase.IDLE
        self._lock.release()
        return True

    def update_inline(self, state: RobotState, then: BoundKernel | None = None) -> bool:
        """Update and swap in the servo thread; both updaters must be idle.

        Args:
            state: The state.
            then: See `ConstrainedModel.update`; `is_followed` tells whether it was done.

        Returns:
            Whether the update went well; if not, the active model is as it was and `failure` tells
            why.
        """
        self.phase = ModelPhase.IDLE
        if not self._try_update(state, then):
            return False
        self.active, self.inactive = self.inactive, self.active
        return True

    def _try_update(self, state: RobotState, then: BoundKernel | None = None) -> bool:
        """Update the inactive model in the servo thread; return whether that went well."""
        try:
            self.is_followed = self.inactive.update(state, then)
        except Exception as error:  # noqa: BLE001 - a plugin's constraint may raise anything
            self.failure = _failure(error)
            return False
        return True

    def give_up(self) -> None:
        """Forget the request that broke off."""
        self.phase = ModelPhase.IDLE

    def steps(self) -> Iterator[None]:
        """Update the inactive model to the state stored in it."""
        with self._lock:
            if self.phase is not ModelPhase.REQUESTED:
                return
            try:
                model = self.inactive
                model.update_dynamics(model.robot_model.state)
                yield
                model.update_projections()
                yield
            except UPDATE_ERRORS as error:
                self.failure = _failure(error)
                self.phase = ModelPhase.IDLE
            else:
                self.phase = ModelPhase.READY
            yield
        yield


def _failure(error: BaseException) -> UpdaterError:
    return UpdaterError(describe_failure(error, "the model update failed"))
