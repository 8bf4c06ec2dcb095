"""A controller on a simulated robot in one thread and in simulated time, without transport."""

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from ruamel.yaml import YAML

from controlit_ros.nodes.building import load_stack
from controlit_ros.parameters import Mailbox
from controlit_ros.servo import CoordinatorState, NoticeBoard, NoticeLevel, Outbox, ServoPorts

DETERMINISTIC = {
    "servo_clock_type": "Simulated",
    "single_threaded_model": True,
    "single_threaded_tasks": True,
    "robot_interface.mode": "in_process",
}


def edited(path: Path, edit: Callable[[Any], None]) -> str:
    """Return the text of a configuration after an edit; paths in it lose what they relate to."""
    yaml = YAML()
    data = yaml.load(path.read_text())
    edit(data)
    text = io.StringIO()
    yaml.dump(data, text)
    return text.getvalue()


class SimulatedHands:
    """Runs a configuration deterministically; `advance` lets simulated time pass."""

    def __init__(
        self,
        path: Path,
        edit: Callable[[Any], None] | None = None,
        overrides: Mapping[str, Any] | None = None,
    ) -> None:
        source = str(path) if edit is None else edited(path, edit)
        self.stack = stack = load_stack(source, {**DETERMINISTIC, **(overrides or {})})
        self.tasks = {task.name: task for task in stack.tasks.tasks}
        self.outbox = Outbox()
        self.notices: list[Any] = []
        self.mailbox = Mailbox()
        self.queue = self.outbox.add_queue(self.notices.append)
        board = NoticeBoard(self.queue)
        events = self.outbox.add_queue(lambda _: None)
        ports = ServoPorts(self.outbox, self.mailbox, board, events)
        self.coordinator = stack.create_coordinator(ports)
        stack.robot_interface.activate()
        self.coordinator.request_activation()
        stack.clock.start(self.coordinator)

    def advance(self, cycles: int) -> None:
        self.stack.clock.advance(cycles)
        assert self.coordinator.state is CoordinatorState.ACTIVE

    @property
    def position(self) -> np.ndarray:
        return self.coordinator.robot_state.position.copy()

    @property
    def velocity(self) -> np.ndarray:
        return self.coordinator.robot_state.velocity.copy()

    def actual(self, task: str) -> np.ndarray:
        """Return what a task measures now, from a model of the present state."""
        model = self.stack.create_model().robot_model
        self.stack.robot_interface.read(self.coordinator.robot_state)
        model.update(self.coordinator.robot_state)
        measured = self.tasks[task]
        measured.update(model, measured.inactive)
        return measured.inactive.actual.copy()

    def complaints(self) -> list[str]:
        self.outbox.deliver_all()
        return [notice.text for notice in self.notices if notice.level is not NoticeLevel.INFO]
