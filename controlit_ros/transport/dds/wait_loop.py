"""A thread that waits for things to happen to DDS entities."""

import ctypes
import logging
import time
from collections.abc import Callable
from threading import Lock, current_thread
from typing import Any

from cyclonedds.core import DDSException, Entity, GuardCondition, WaitSet
from cyclonedds.domain import DomainParticipant

from controlit_ros.running_thread import running_thread

logger = logging.getLogger(__name__)

FOREVER = 2**63 - 1
"""The duration that DDS takes for endless [ns]."""

MOST_AT_ONCE = 64
"""Entities reported by one wait; the others follow with the next."""

JOIN_TIMEOUT = 1.0
"""How long closing waits for a callback that does not return [s]."""


class DdsWaitLoop:
    """Calls an action whenever its entity triggers, one after the other on one thread.

    An action must take away what triggered its entity, or it is called again at once. Python
    code in DDS listeners deadlocks; waiting on a thread of our own does not.

    Attributes:
        pause: Time between two rounds of actions [s].
    """

    def __init__(self, participant: DomainParticipant, name: str) -> None:
        self._waitset = _TellingWaitSet(participant)
        self._guard = GuardCondition(participant)
        self._actions: dict[int, Callable[[], None]] = {}
        self._lock = Lock()
        self._closed = False
        self.pause = 0.0
        self._waitset.attach_telling(self._guard)
        self._thread = running_thread(self._run, name)

    def add(self, entity: Entity, action: Callable[[], None]) -> None:
        """Call `action` when `entity`, a condition or an entity with a status mask, triggers."""
        with self._lock:
            self._actions[_handle(entity)] = action
        self._waitset.attach_telling(entity)

    def remove(self, entity: Entity) -> None:
        """Call the action of `entity` no more."""
        with self._lock:
            self._actions.pop(_handle(entity), None)
        self._waitset.detach_telling(entity)

    def close(self) -> None:
        """End the thread; an action that is running finishes if it does so in time."""
        self._closed = True
        self._guard.set(True)
        if self._thread is not current_thread():
            self._thread.join(JOIN_TIMEOUT)

    def _run(self) -> None:
        while not self._closed:
            for handle in self._triggered():
                action = self._actions.get(handle)
                if action is not None and not self._closed:
                    self._call(handle, action)
            if self.pause:
                time.sleep(self.pause)

    def _triggered(self) -> list[int]:
        """Wait; a participant that is closed meanwhile, as at the end of a program, is no error."""
        try:
            return self._waitset.wait_telling()
        except DDSException:
            if not self._closed:
                logger.debug("waiting has ended", exc_info=True)
            self._closed = True
            return []

    def _call(self, handle: int, action: Callable[[], None]) -> None:
        try:
            action()
        except DDSException:
            # another thread may have removed and deleted the entity in the meantime
            if handle in self._actions:
                logger.exception("a DDS entity failed")
        except Exception:
            logger.exception("the action of a DDS entity failed")


class _TellingWaitSet(WaitSet):  # type: ignore[misc]
    """A wait set that tells which entities triggered, which that of the library does not."""

    def attach_telling(self, entity: Entity) -> None:
        code = self._waitset_attach(self._ref, _handle(entity), _handle(entity))
        if code < 0:
            raise DDSException(code, f"while attaching {entity!r}")

    def detach_telling(self, entity: Entity) -> None:
        self._waitset_detach(self._ref, _handle(entity))

    def wait_telling(self) -> list[int]:
        """Wait until an entity triggers and return the handles of those that did."""
        triggered = (ctypes.c_void_p * MOST_AT_ONCE)()
        pointer: Any = ctypes.cast(triggered, ctypes.POINTER(ctypes.c_void_p))
        count = self._waitset_wait(self._ref, pointer, MOST_AT_ONCE, FOREVER)
        if count < 0:
            raise DDSException(count, "while waiting")
        return [handle for handle in triggered[: min(count, MOST_AT_ONCE)] if handle]


def _handle(entity: Entity) -> int:
    return int(entity._ref)  # noqa: SLF001 (the library has no public name for it)
