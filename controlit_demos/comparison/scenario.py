"""Scenario: what a robot is put through, and what is seen of it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

from controlit_demos.comparison.criterion import Criterion
from controlit_demos.comparison.observer import Observer
from controlit_demos.comparison.trace import Trace
from controlit_ros.client import Robot
from controlit_ros.scripting import SimulatedController


class Scenario(ABC):
    """Steers a robot as any program does, and sees the simulated world beside it.

    Args:
        controller: In simulated time, started.

    Attributes:
        title: What happens, in a few words.
        configuration_name: File of the controller below `config`.
        criteria: The figures, in the order of the table.
        observers: Look at the world every round.
    """

    title: ClassVar[str]
    configuration_name: ClassVar[str]
    criteria: ClassVar[Sequence[Criterion]]

    def __init__(self, controller: SimulatedController) -> None:
        self.controller = controller
        self.observers: list[Observer] = []

    @abstractmethod
    def play(self, robot: Robot) -> None:
        """Put the robot through it.

        Raises:
            ClientError: It cannot go on: control has ended.
        """

    def look(self, elapsed: float) -> None:
        """Take note of the world at a time since the scenario began [s]."""
        for observer in self.observers:
            observer.look(elapsed)

    def findings(self) -> Mapping[str, float]:
        """Return the figures by name."""
        return {k: v for observer in self.observers for k, v in observer.findings().items()}

    def traces(self) -> Sequence[Trace]:
        """Return what the picture shows."""
        return [trace for observer in self.observers for trace in observer.traces()]
