"""Lifecycle: the state machine of a managed node."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import NamedTuple

from controlit_ros.errors import ControlItError
from controlit_ros.introspection.lifecycle_graph import (
    ACTIVATE,
    CLEANUP,
    CONFIGURE,
    DEACTIVATE,
    ERROR,
    FAILURE,
    SHUTDOWN,
    SUCCESS,
    TRANSITIONS,
    UNCONFIGURED,
    LifecycleState,
    LifecycleTransition,
)

Observer = Callable[[LifecycleTransition], None]


class LifecycleError(ControlItError):
    """There is no such transition."""


class LifecycleHooks(NamedTuple):
    """What a node does during its transitions.

    A hook returns whether it succeeded: if not, the node is as it was before. A hook that raises
    leaves something half done, and `recover` brings the node to where nothing is configured.
    """

    configure: Callable[[], bool]
    activate: Callable[[], bool]
    deactivate: Callable[[], bool]
    cleanup: Callable[[], bool]
    shutdown: Callable[[], bool]
    recover: Callable[[], bool]


class Lifecycle:
    """Moves a node between the states of ROS 2's managed nodes.

    Args:
        hooks: What the transitions do.

    Attributes:
        state: Where the node stands.
        error: Why the last transition did not succeed, if it is known.
    """

    def __init__(self, hooks: LifecycleHooks) -> None:
        self._hooks = {
            CONFIGURE: hooks.configure,
            ACTIVATE: hooks.activate,
            DEACTIVATE: hooks.deactivate,
            CLEANUP: hooks.cleanup,
            SHUTDOWN: hooks.shutdown,
        }
        self._recover = hooks.recover
        self._lock = RLock()
        self._observers: list[Observer] = []
        self.state: LifecycleState = UNCONFIGURED
        self.error: Exception | None = None

    def observe(self, observer: Observer) -> None:
        """Call `observer` after each transition."""
        self._observers.append(observer)

    @property
    def available(self) -> tuple[LifecycleTransition, ...]:
        """The transitions that begin where the node stands."""
        return tuple(transition for transition in TRANSITIONS if transition.start == self.state)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Keep transitions of other threads waiting while a block runs."""
        with self._lock:
            yield

    def trigger(self, label: str = "", number: int = 0) -> bool:
        """Run a transition to its end; return whether it succeeded.

        Waits for a transition that is under way in another thread.

        Args:
            label: Name of the transition.
            number: The same by number, where no label is given.
        """
        with self._lock:
            self.error = None
            wanted = next(
                (
                    transition
                    for transition in self.available
                    if transition.label in self._hooks
                    and (transition.label == label if label else transition.number == number)
                ),
                None,
            )
            if wanted is None:
                self.error = LifecycleError(
                    f"no transition {label or number!r} leads out of the state {self.state.label}"
                )
                return False
            self._pass(wanted)
            outcome = self._run(self._hooks[wanted.label])
            self._end(outcome)
            if outcome == ERROR:
                cause = self.error
                self._end(self._run(self._recover))
                self.error = cause
            return outcome == SUCCESS

    def _run(self, hook: Callable[[], bool]) -> str:
        try:
            return SUCCESS if hook() else FAILURE
        except Exception as error:  # noqa: BLE001 - a hook may run plugins
            self.error = error
            return ERROR

    def _end(self, outcome: str) -> None:
        self._pass(next(entry for entry in self.available if entry.label == outcome))

    def _pass(self, transition: LifecycleTransition) -> None:
        self.state = transition.goal
        for observer in self._observers:
            observer(transition)
