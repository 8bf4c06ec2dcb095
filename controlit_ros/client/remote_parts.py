"""Constraints and events of a running controller."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controlit_ros.client.remote_part import RemotePart

if TYPE_CHECKING:
    from controlit_ros.interfaces import Message


class RemoteConstraint(RemotePart):
    """Reads and switches one constraint."""

    @property
    def type(self) -> str:
        """Type of the constraint, `FlatContact`."""
        return str(self._told().types[0])

    @property
    def state(self) -> str:
        """`enable` or `disable`; of a contact meanwhile `arriving`, `leaving` or `waiting`."""
        return str(self._told().states[0])

    def enable(self) -> None:
        """Let it hold; returns when the servo has taken it over."""
        self._switch("enable")

    def disable(self, *, force: bool = False) -> None:
        """Disable it; `state` shows when a contact that carried a load has been released.

        Args:
            force: Disable it even if it is physical, so that commands neglect what the mechanics
                keep.
        """
        self._switch("force_disable" if force else "disable")

    def _told(self) -> Message:
        return self._robot.session.link.ask(
            "diagnostics/getConstraintParameters", constraint=self.name
        )

    def _switch(self, state: str) -> None:
        self._robot.session.link.ask(
            "control/setConstraintState", constraint=self.name, state=state
        )


class RemoteEvent(RemotePart):
    """Reads and switches one event."""

    @property
    def enabled(self) -> bool:
        """Whether it may fire."""
        return bool(self._robot.parameters[f"{self.name}.enabled"])

    @property
    def holds(self) -> bool:
        """Whether it has fired and is not armed again: its condition holds still."""
        return bool(self._robot.parameters[f"{self.name}.active"])

    @property
    def count(self) -> int:
        """How often it has fired."""
        return int(self._robot.parameters[f"{self.name}.count"])

    def enable(self) -> None:
        """Let it fire; if its condition holds already, it fires now."""
        self._switch(enabled=True)

    def disable(self) -> None:
        """Keep it from firing."""
        self._switch(enabled=False)

    def _switch(self, *, enabled: bool) -> None:
        self._robot.session.link.ask("control/setEventEnabled", event=self.name, enabled=enabled)
