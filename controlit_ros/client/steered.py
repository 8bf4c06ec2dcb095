"""Steered: what the parts of a running controller ask of the robot they belong to."""

from collections.abc import Mapping
from typing import Any, Protocol

from controlit_ros.client.parameters import Parameters
from controlit_ros.client.session import Session


class Steered(Protocol):
    """A running controller, also when it was lost and found again; `Robot` is one."""

    @property
    def name(self) -> str:
        """Of the controller."""

    @property
    def session(self) -> Session:
        """What is known of it while it runs."""

    @property
    def parameters(self) -> Parameters:
        """Its parameters, by full name."""

    def set(self, values: Mapping[str, Any]) -> None:
        """Set parameters in one cycle, by full name."""
