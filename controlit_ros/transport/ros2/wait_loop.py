"""A thread that waits for entities of rclpy and acts on them."""

import logging
import time
from collections.abc import Callable
from enum import Enum
from threading import Lock, current_thread
from typing import Any

from rclpy.context import Context
from rclpy.impl.implementation_singleton import rclpy_implementation

from controlit_ros.running_thread import running_thread

logger = logging.getLogger(__name__)

JOIN_TIMEOUT = 1.0
"""How long closing waits for an action of the user that is running [s]."""

FOREVER = -1


class WaitKind(Enum):
    """Kinds of entities that can be waited for, by their name in the wait set."""

    SUBSCRIPTION = "subscription"
    CLIENT = "client"
    SERVICE = "service"
    EVENT = "event"


class RosWaitLoop:
    """Waits for subscriptions, services, clients or events and acts on each that is ready.

    An executor of rclpy builds its wait set anew for each message and runs everything as a
    coroutine, which costs more than the message itself; and it has one thread for a node, where
    the port asks for three. This loop keeps its wait set while the entities stay the same.

    An entity is in use (`with handle` in rclpy) while the loop waits for it. It is let go as
    soon as it is removed, whatever action is running, so that destroying it takes effect.

    Attributes:
        pause: Time between two rounds of actions [s].
    """

    def __init__(self, context: Context, name: str) -> None:
        self._context = context
        self._lock = Lock()
        self._kinds: dict[Any, WaitKind] = {}
        self._actions: dict[Any, Callable[[], None]] = {}
        self._leaving: list[Any] = []
        self._changed = True
        self._waiting = False
        self._closed = False
        self.pause = 0.0
        with context.handle:
            self._guard = rclpy_implementation.GuardCondition(context.handle)
        self._guard.__enter__()
        self._thread = running_thread(self._run, name)

    def add(self, kind: WaitKind, handle: Any, action: Callable[[], None]) -> None:
        """Call `action` whenever the entity has something to take."""
        handle.__enter__()
        with self._lock:
            self._kinds[handle] = kind
            self._actions[handle] = action
            self._changed = True
            self._guard.trigger_guard_condition()

    def remove(self, handle: Any) -> None:
        """Call the action of the entity no more."""
        with self._lock:
            if self._kinds.pop(handle, None) is None:
                return
            del self._actions[handle]
            self._changed = True
            if self._waiting:
                self._leaving.append(handle)
                self._guard.trigger_guard_condition()
            else:
                _let_go(handle)

    def close(self) -> None:
        """End the thread; an action that is running finishes if it does so in time."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._guard.trigger_guard_condition()
        if self._thread is not current_thread():
            self._thread.join(JOIN_TIMEOUT)

    def _run(self) -> None:
        wait_set: Any = None
        by_address: dict[int, Callable[[], None]] = {}
        while True:
            with self._lock:
                if self._closed:
                    break
                if self._changed:
                    wait_set = self._wait_set()
                    by_address = {h.pointer: action for h, action in self._actions.items()}
                    self._changed = False
                events = self._fill(wait_set)
                kinds = set(self._kinds.values()) - {WaitKind.EVENT}
                self._waiting = True
            try:
                wait_set.wait(FOREVER)
            finally:
                with self._lock:
                    self._waiting = False
                    ready = [
                        address
                        for kind in kinds
                        for address in wait_set.get_ready_entities(kind.value)
                    ]
                    ready += [
                        address
                        for address, index in events.items()
                        if wait_set.is_ready(WaitKind.EVENT.value, index)
                    ]
                    for handle in self._leaving:
                        _let_go(handle)
                    self._leaving.clear()
            for address in ready:
                self._call(by_address[address])
            if self.pause:
                time.sleep(self.pause)
        with self._lock:
            for handle in self._kinds:
                _let_go(handle)
            self._kinds.clear()
            self._actions.clear()
            _let_go(self._guard)
            self._guard.destroy_when_not_in_use()

    def _wait_set(self) -> Any:
        kinds = list(self._kinds.values())
        with self._context.handle:
            return rclpy_implementation.WaitSet(
                kinds.count(WaitKind.SUBSCRIPTION),
                1,
                0,
                kinds.count(WaitKind.CLIENT),
                kinds.count(WaitKind.SERVICE),
                kinds.count(WaitKind.EVENT),
                self._context.handle,
            )

    def _fill(self, wait_set: Any) -> dict[int, int]:
        """Wait for what there is now; return the places of events, which are asked one by one."""
        adders = {
            WaitKind.SUBSCRIPTION: wait_set.add_subscription,
            WaitKind.CLIENT: wait_set.add_client,
            WaitKind.SERVICE: wait_set.add_service,
            WaitKind.EVENT: wait_set.add_event,
        }
        wait_set.clear_entities()
        wait_set.add_guard_condition(self._guard)
        events: dict[int, int] = {}
        for handle, kind in self._kinds.items():
            index = adders[kind](handle)
            if kind is WaitKind.EVENT:
                events[handle.pointer] = index
        return events

    def _call(self, action: Callable[[], None]) -> None:
        if self._closed:
            return
        try:
            action()
        except Exception:
            logger.exception("the action of an entity of rclpy failed")


def _let_go(handle: Any) -> None:
    handle.__exit__(None, None, None)
