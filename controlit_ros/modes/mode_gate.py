"""ModeGate: refuses what the present mode does not take, before it is sent."""

from collections.abc import Iterable, Mapping
from typing import Any

from controlit_ros.errors import ControlItError
from controlit_ros.modes.modes import Modes
from controlit_ros.parameters import Parameter, Poster, Receipt


class NotTakenError(ControlItError):
    """The present mode does not take a command; the text names those that do."""


class ModeGate:
    """Knows what is taken; the front's side of `ModeBehaviour.admits`.

    Args:
        modes: What there is; `None`: everything is taken.

    Attributes:
        present: The mode that says what is taken.
    """

    def __init__(self, modes: Modes | None) -> None:
        self._modes = modes
        self.present = "" if modes is None else modes.graph.initial

    def check(self, parameters: Iterable[Parameter]) -> None:
        """Check that values for some parameters are taken.

        Raises:
            NotTakenError: One is not.
        """
        modes = self._modes
        if modes is None:
            return
        for parameter in parameters:
            if modes.refuses(self.present, parameter):
                raise NotTakenError(self._told(parameter, modes))

    def check_goal(self, task: str) -> None:
        """Check that goals of a task are taken; of one that came since, where any are.

        Raises:
            NotTakenError: They are not.
        """
        modes = self._modes
        if modes is None:
            return
        if task in modes.goals:
            self.check((modes.goals[task],))
        else:
            self.check_free(f"the goal of {task}")

    def check_free(self, what: str) -> None:
        """Check that the mode takes commands at all, for what modes do not know.

        Raises:
            NotTakenError: It takes none.
        """
        if self._modes is not None and self._modes.modes[self.present].stops:
            raise NotTakenError(f"{what} is not taken in mode {self.present}, which takes nothing")

    def _told(self, parameter: Parameter, modes: Modes) -> str:
        mode = modes.modes[self.present]
        takes = ", ".join((*mode.taken, *mode.extra)) or "no commands"
        others = [name for name in modes.modes if not modes.refuses(name, parameter)]
        hint = f"expected one of the modes {', '.join(others)}" if others else "no mode takes it"
        return (
            f"{parameter.full_name} is not taken in mode {mode.name}, which takes {takes}; {hint}"
        )


class GatedMailbox:
    """Refuses what the present mode does not take, and hands on the rest.

    Args:
        mailbox: Takes it on.
        gate: Knows what is taken.
    """

    def __init__(self, mailbox: Poster, gate: ModeGate) -> None:
        self._mailbox = mailbox
        self._gate = gate

    def post(self, values: Mapping[Parameter, Any]) -> Receipt:
        """Queue values to be assigned all or nothing.

        Raises:
            NotTakenError: The mode does not take one of them.
            ParameterError: One of them does not fit.
        """
        self._gate.check(values)
        return self._mailbox.post(values)

    def check_read(self) -> None:
        """Check that the servo reads its mail."""
        self._mailbox.check_read()
