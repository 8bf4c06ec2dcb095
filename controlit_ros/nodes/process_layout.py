"""Process layouts: where the servo runs, seen from the program that shows it to the world."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from controlit_ros.errors import ControlItError

P = ParamSpec("P")
R = TypeVar("R")


class ServoGoneError(ControlItError):
    """The servo's process has ended; the text tells how."""


class ProcessLayout(ABC):
    """Which process the servo runs in.

    A controller is put together in one process, which then may fork: `part` begins the servo's
    process. What the front wants of the servo afterwards goes through calls made with `call`,
    through samplers and queues of a shared outbox, a shared mailbox, and shared memory; whatever
    else the front sees of the servo's objects is a copy from before.

    Attributes:
        is_shared: Whether memory that servo and front exchange must be shared between processes.
        has_ended_in_order: Whether the servo's process did as somebody told it who told the front
            nothing, or not yet.
    """

    is_shared: bool
    has_ended_in_order = False

    @abstractmethod
    def call(self, function: Callable[P, R], patience: float | None = None) -> Callable[P, R]:
        """Return a function that runs `function` where the servo is; before `part` only.

        Arguments, results and exceptions cross over by pickling. Calls run one after the other.

        Args:
            function: What to run.
            patience: Time after which a servo's process that does not answer is ended by force,
                for calls that must come to an end even if it stands still [s]; `None`: never.
        """

    @abstractmethod
    def part(
        self, begin: Callable[[], None], rest: Callable[[], None], end: Callable[[], None]
    ) -> None:
        """Begin the servo's process, if it has one of its own.

        Args:
            begin: Called there first; what it raises, the servo will find by itself.
            rest: Called there now and then between calls.
            end: Ends the servo; called there when the front is gone.
        """

    @abstractmethod
    def close(self) -> None:
        """End the servo's process; idempotent."""

    @property
    @abstractmethod
    def failure(self) -> str:
        """How the servo's process ended before `close`; empty while it has not."""


class OneProcess(ProcessLayout):
    """Servo and front are threads of one process."""

    is_shared = False

    def call(
        self,
        function: Callable[P, R],
        patience: float | None = None,  # noqa: ARG002 - here nobody can be given up
    ) -> Callable[P, R]:
        """Return the function itself."""
        return function

    def part(
        self, begin: Callable[[], None], rest: Callable[[], None], end: Callable[[], None]
    ) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    @property
    def failure(self) -> str:
        """Nothing: a servo that fails here takes the front with it."""
        return ""
