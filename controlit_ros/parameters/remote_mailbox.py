"""RemoteMailbox: the mailbox as those see it who come over topics and services."""

from collections.abc import Collection, Mapping
from typing import Any, Protocol

from controlit_ros.errors import ControlItError
from controlit_ros.parameters.mailbox import checked_values
from controlit_ros.parameters.parameter import Kind, Parameter
from controlit_ros.parameters.receipt import Receipt

GOALS, GAINS, CONFIGURATION, LIFECYCLE = "goals", "gains", "configuration", "lifecycle"
EVERYTHING = (GOALS, GAINS, CONFIGURATION, LIFECYCLE)


class RemoteAccessError(ControlItError):
    """Something may not be set over topics and services."""


class Poster(Protocol):
    """Takes values to the servo."""

    def post(self, values: Mapping[Parameter, Any]) -> Receipt:
        """Queue values to be assigned all or nothing (see `Mailbox.post`)."""

    def check_read(self) -> None:
        """Check that the servo reads its mail (see `Mailbox.check_read`)."""


class RemoteAccess:
    """What may be set by whoever reaches topics and services, which ask nobody for his name.

    Args:
        allowed: Out of goals, gains, configuration and lifecycle.
        goals: Parameters that lead the robot: goals of tasks and their derivatives.
    """

    def __init__(self, allowed: Collection[str], goals: Collection[Parameter]) -> None:
        self._allowed = tuple(what for what in EVERYTHING if what in allowed)
        self._goals = frozenset(goals)

    def enroll(self, goals: Collection[Parameter]) -> None:
        """Take in goals of a task that is new."""
        self._goals |= frozenset(goals)

    def dismiss(self, goals: Collection[Parameter]) -> None:
        """Forget those of one that left."""
        self._goals -= frozenset(goals)

    def allows(self, what: str) -> bool:
        """Return whether something may be set."""
        return what in self._allowed

    def check(self, what: str, name: str) -> None:
        """Check that something may be set.

        Args:
            what: Out of goals, gains, configuration and lifecycle.
            name: What it is in particular, for the message.

        Raises:
            RemoteAccessError: It may not.
        """
        if not self.allows(what):
            raise RemoteAccessError(
                f"{name} may not be set over topics and services: it belongs to {what}, and "
                f"remote_access is [{', '.join(self._allowed)}]"
            )

    def kind_of(self, parameter: Parameter) -> str:
        """Return what a parameter belongs to: what is not a goal and no real number is a switch."""
        if parameter in self._goals:
            return GOALS
        return GAINS if parameter.kind is Kind.FLOAT else CONFIGURATION


class RemoteMailbox:
    """Refuses what may not be set, and hands on the rest.

    Args:
        mailbox: Takes it to the servo.
        access: What may be set.
    """

    def __init__(self, mailbox: Poster, access: RemoteAccess) -> None:
        self._mailbox = mailbox
        self._access = access

    def post(self, values: Mapping[Parameter, Any]) -> Receipt:
        """Queue values to be assigned all or nothing.

        Raises:
            RemoteAccessError: One of them may not be set from outside.
            ParameterError: One of them does not fit.
        """
        self._check_access(values)
        return self._mailbox.post(values)

    def check(self, values: Mapping[Parameter, Any]) -> dict[Parameter, Any]:
        """Return values as they would be assigned; nothing is.

        Raises:
            RemoteAccessError: One of them may not be set from outside.
            ParameterError: One of them does not fit.
        """
        self._check_access(values)
        return checked_values(values)

    def check_read(self) -> None:
        """Check that the servo reads its mail."""
        self._mailbox.check_read()

    def _check_access(self, values: Mapping[Parameter, Any]) -> None:
        for parameter in values:
            self._access.check(self._access.kind_of(parameter), parameter.full_name)
